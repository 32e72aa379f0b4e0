// A door for tests that want programs to die, sleep and come back: POST /kill|stop|pause|resume|start/NAME.
package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
)

func (c *cluster) startControl() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c.controlURL = "http://" + listener.Addr().String()
	var one sync.Mutex
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one.Lock()
		defer one.Unlock()
		words := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
		if r.Method != http.MethodPost || len(words) != 2 {
			http.Error(w, "POST /kill|stop|pause|resume|start/NAME", http.StatusBadRequest)
			return
		}
		if err := c.act(words[0], words[1]); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})}
	go func() { _ = server.Serve(listener) }()
	c.closers = append(c.closers, func() { _ = server.Close() })
	return nil
}

var signals = map[string]syscall.Signal{
	"kill": syscall.SIGKILL, "stop": syscall.SIGTERM, "pause": syscall.SIGSTOP, "resume": syscall.SIGCONT}

func (c *cluster) act(verb, name string) error {
	if name == "kube-apiserver" {
		return c.actOnServer(verb)
	}
	for _, p := range c.processes {
		if p.name != name {
			continue
		}
		switch verb {
		case "kill", "stop":
			p.stop(signals[verb])
			return nil
		case "pause", "resume":
			return p.signal(signals[verb])
		case "start":
			return p.start(c.reaper)
		}
	}
	return fmt.Errorf("no program %q, or nothing called %q to do with it", name, verb)
}

func (c *cluster) actOnServer(verb string) error {
	server := c.env.ControlPlane.GetAPIServer()
	pid := pidOf("kube-apiserver")
	switch verb {
	case "kill":
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			return err
		}
		return server.Stop() // waits until it is gone
	case "stop":
		return server.Stop()
	case "pause", "resume":
		return syscall.Kill(pid, signals[verb])
	case "start":
		if err := server.Start(); err != nil {
			return err
		}
		c.reaper.pid(pidOf("kube-apiserver"))
		return nil
	}
	return fmt.Errorf("nothing called %q to do", verb)
}
