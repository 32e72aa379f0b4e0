// Starting and ending programs by their pid, and a second process that ends them when this one is killed.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const reaperVerb = "-reap"

// Reads "pid N" and "folder PATH" lines; when the pipe ends, so does everything that was named.
func reap() {
	var pids []int
	var folders []string
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		if word == "folder" {
			folders = append(folders, rest)
		} else if pid, err := strconv.Atoi(rest); err == nil {
			pids = append(pids, pid)
		}
	}
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	for _, folder := range folders {
		_ = os.RemoveAll(folder)
	}
}

type reaper struct{ pipe io.WriteCloser }

func startReaper() (*reaper, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(self, reaperVerb)
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // out of the terminal's reach
	pipe, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	return &reaper{pipe}, command.Start()
}

func (r *reaper) pid(pid int)          { fmt.Fprintf(r.pipe, "pid %d\n", pid) }
func (r *reaper) folder(folder string) { fmt.Fprintf(r.pipe, "folder %s\n", folder) }

// One program with its arguments, to be started again as often as wanted.
type process struct {
	name, path string
	args       []string
	folder     string // of its log
	ready      string // URL that answers 200 once it works; "" when there is none
	command    *exec.Cmd
	done       chan struct{}
}

// Started while it runs it is left alone.
func (p *process) start(r *reaper) error {
	if p.done != nil {
		select {
		case <-p.done:
		default:
			return nil
		}
	}
	log, err := os.OpenFile(filepath.Join(p.folder, p.name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	p.command = exec.Command(p.path, p.args...)
	p.command.Stdout, p.command.Stderr = log, log
	p.command.Dir = p.folder
	p.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.command.Start(); err != nil {
		return err
	}
	r.pid(p.command.Process.Pid)
	p.done = make(chan struct{})
	go func(command *exec.Cmd, done chan struct{}) {
		_ = command.Wait()
		close(done)
	}(p.command, p.done)
	if p.ready == "" {
		return nil
	}
	return p.wait(60 * time.Second)
}

func (p *process) wait(limit time.Duration) error {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		select {
		case <-p.done:
			return fmt.Errorf("%s ended: %s", p.name, p.lastWords())
		default:
		}
		if answers(p.ready) {
			return nil
		}
	}
	return fmt.Errorf("%s is not ready after %s: %s", p.name, limit, p.lastWords())
}

func answers(url string) bool {
	client := http.Client{Timeout: 2 * time.Second}
	response, err := client.Get(url)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func (p *process) lastWords() string {
	text, _ := os.ReadFile(filepath.Join(p.folder, p.name+".log"))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n  ")
}

func (p *process) signal(s syscall.Signal) error {
	if p.command == nil || p.command.Process == nil {
		return fmt.Errorf("%s was never started", p.name)
	}
	return p.command.Process.Signal(s)
}

// Ends it: TERM, and after a while KILL. Returns when it is gone.
func (p *process) stop(s syscall.Signal) {
	if p.command == nil || p.done == nil {
		return
	}
	_ = p.signal(syscall.SIGCONT)
	_ = p.signal(s)
	select {
	case <-p.done:
	case <-time.After(10 * time.Second):
		_ = p.signal(syscall.SIGKILL)
		<-p.done
	}
}

// Loopback ports that are free now, all different.
func freePorts(count int) ([]int, error) {
	var ports []int
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
