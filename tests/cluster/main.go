// A real API server and a real Kueue on loopback, from source, for tests and for people who want to try something:
//
//	cluster build              builds the programs into the cache and says where they are
//	cluster up [flags] [-- command...]
//	                           starts a cluster, prints how to reach it, runs the command on it or waits for a
//	                           signal, and ends everything
//
// Everything listens on 127.0.0.1 and is ended by its pid, also when this program is killed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
)

const usage = "usage: cluster build [flags] | cluster up [flags] [-- command...]"

func main() {
	if len(os.Args) > 1 && os.Args[1] == reaperVerb {
		reap()
		return
	}
	if err := run(os.Args[1:]); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			os.Exit(exit.ExitCode())
		}
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// Options of both verbs.
type options struct {
	profile     string
	kueue       string
	fairSharing bool
	source      string // folder of the modules
	cache       string
	command     []string
}

func parse(verb string, words []string) (options, error) {
	var o options
	flags := flag.NewFlagSet(verb, flag.ContinueOnError)
	flags.StringVar(&o.profile, "profile", "kueue", "api, kueue or full")
	flags.StringVar(&o.kueue, "kueue", mainKueue, "release of Kueue: "+kueueReleases())
	flags.BoolVar(&o.fairSharing, "fair-sharing", true, "fair sharing in Kueue's configuration")
	flags.StringVar(&o.source, "source", ".", "folder of the Go modules")
	flags.StringVar(&o.cache, "cache", defaultCache(), "where built programs are kept")
	if err := flags.Parse(words); err != nil {
		return o, err
	}
	o.command = flags.Args()
	if o.profile != "api" && o.profile != "kueue" && o.profile != "full" {
		return o, fmt.Errorf("there is no profile %q: api, kueue or full", o.profile)
	}
	if kueueModule(o.kueue) == nil {
		return o, fmt.Errorf("there is no release %q of Kueue here: %s", o.kueue, kueueReleases())
	}
	source, err := filepath.Abs(o.source)
	o.source = source
	return o, err
}

func run(words []string) error {
	if len(words) == 0 {
		return errors.New(usage)
	}
	o, err := parse(words[0], words[1:])
	if err != nil {
		return err
	}
	switch words[0] {
	case "build":
		return buildAll(o)
	case "up":
		return up(o)
	}
	return errors.New(usage)
}

func up(o options) error {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	c, err := start(o, signals)
	if c != nil {
		defer c.end()
	}
	if err != nil {
		return err
	}
	if len(o.command) == 0 {
		fmt.Printf("export KUBECONFIG=%s\nexport CMB2KUEUE_CLUSTER_CONTROL=%s\n", c.kubeconfig, c.controlURL)
		fmt.Fprintln(os.Stderr, "cluster: ready; end it with Ctrl-C")
		<-signals
		return nil
	}
	return c.runCommand(o, signals)
}

// Runs the command with the cluster in its environment; a signal goes to the command, which decides.
func (c *cluster) runCommand(o options, signals chan os.Signal) error {
	command := exec.Command(o.command[0], o.command[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.Env = append(os.Environ(), "KUBECONFIG="+c.kubeconfig, "CMB2KUEUE_CLUSTER_CONTROL="+c.controlURL,
		"CMB2KUEUE_CLUSTER_KUEUE="+o.kueue, "CMB2KUEUE_CLUSTER_PROFILE="+o.profile)
	if err := command.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()
	for {
		select {
		case err := <-done:
			return err
		case s := <-signals:
			_ = command.Process.Signal(s)
		}
	}
}
