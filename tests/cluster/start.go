// From a profile to running programs: etcd and API server by envtest, then CRDs, webhooks and the managers.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Set to anything, it keeps the folder with the logs of all programs.
const keepLogs = "CMB2KUEUE_CLUSTER_KEEP"

type cluster struct {
	o          options
	folder     string
	files      map[string]string // programs by name
	env        *envtest.Environment
	config     *rest.Config
	kubeconfig string
	controlURL string
	reaper     *reaper
	processes  []*process // in order of start, without those of envtest
	closers    []func()
}

// Starts everything; a signal meanwhile ends the attempt. What was started is in the cluster that is returned, also
// beside an error.
func start(o options, signals chan os.Signal) (*cluster, error) {
	files, err := ensureProfile(o)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "cmb2kueue-cluster-")
	if err != nil {
		return nil, err
	}
	c := &cluster{o: o, folder: folder, files: files}
	if c.reaper, err = startReaper(); err != nil {
		return c, err
	}
	if os.Getenv(keepLogs) == "" {
		c.reaper.folder(folder)
	}
	for _, stage := range []func() error{c.startServer, c.startKueue, c.startControllers, c.startControl} {
		select {
		case s := <-signals:
			return c, fmt.Errorf("stopped by %s", s)
		default:
		}
		if err := stage(); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c *cluster) startServer() error {
	begun := time.Now()
	c.env = &envtest.Environment{
		ControlPlaneStartTimeout: 90 * time.Second,
		ControlPlaneStopTimeout:  20 * time.Second,
	}
	server := c.env.ControlPlane.GetAPIServer()
	server.Path = c.files["kube-apiserver"]
	server.CertDir = filepath.Join(c.folder, "apiserver") // kept over a restart
	if err := os.MkdirAll(server.CertDir, 0o700); err != nil {
		return err
	}
	server.Configure().
		Set("max-requests-inflight", "800").
		Set("max-mutating-requests-inflight", "400").
		Set("watch-cache", "true")
	if log, err := os.Create(filepath.Join(c.folder, "kube-apiserver.log")); err == nil {
		server.Out, server.Err = log, log
		c.closers = append(c.closers, func() { log.Close() })
	}
	c.env.ControlPlane.Etcd = &envtest.Etcd{Path: c.files["etcd"]}
	c.env.ControlPlane.Etcd.Configure().Append("unsafe-no-fsync")
	config, err := c.env.Start()
	for _, pid := range children() {
		c.reaper.pid(pid)
	}
	if err != nil {
		return fmt.Errorf("starting etcd and the API server: %w", err)
	}
	c.config = config
	c.kubeconfig = filepath.Join(c.folder, "kubeconfig")
	// envtest's own names say nothing to a person.
	text := strings.ReplaceAll(string(c.env.KubeConfig), " envtest\n", " cmb2kueue-test\n")
	fmt.Fprintf(os.Stderr, "cluster: Kubernetes %s is up after %.1f s\n", kubernetesVersion,
		time.Since(begun).Seconds())
	return os.WriteFile(c.kubeconfig, []byte(text), 0o600)
}

// The pids of this process's children.
func children() []int {
	var pids []int
	self := strconv.Itoa(os.Getpid())
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		text, err := os.ReadFile(stat)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(stat))); err == nil && len(fields) > 1 &&
			fields[1] == self && !strings.Contains(string(text), "("+reaperName()+")") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// The reaper runs under this program's own name.
func reaperName() string {
	name := filepath.Base(os.Args[0])
	return name[:min(len(name), 15)]
}

// The pid of the API server or of etcd, which envtest keeps to itself; 0 when there is none.
func pidOf(name string) int {
	for _, pid := range children() {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if err == nil && strings.TrimSpace(string(text)) == name {
			return pid
		}
	}
	return 0
}

func (c *cluster) run(p *process) error {
	p.folder = c.folder
	c.processes = append(c.processes, p)
	return p.start(c.reaper)
}

func (c *cluster) startControllers() error {
	if c.o.profile == "api" {
		return nil
	}
	// With kwok and a scheduler pods run; without them only what removes namespaces is wanted.
	controllers := "namespace-controller"
	if c.o.profile == "full" {
		controllers = "*,-node-ipam-controller,-cloud-node-lifecycle-controller"
	}
	server := c.env.ControlPlane.GetAPIServer()
	ports, err := freePorts(2)
	if err != nil {
		return err
	}
	common := []string{"--kubeconfig=" + c.kubeconfig, "--leader-elect=false", "--bind-address=127.0.0.1",
		"--kube-api-qps=300", "--kube-api-burst=500"}
	manager := append([]string{"--controllers=" + controllers, "--secure-port=" + strconv.Itoa(ports[0]),
		"--cert-dir=" + filepath.Join(c.folder, "kcm"),
		"--service-account-private-key-file=" + filepath.Join(server.CertDir, "sa-signer.key")}, common...)
	if err := c.run(&process{name: "kube-controller-manager", path: c.files["kube-controller-manager"],
		args: manager}); err != nil {
		return err
	}
	if c.o.profile != "full" {
		return nil
	}
	scheduler := append([]string{"--secure-port=" + strconv.Itoa(ports[1]),
		"--cert-dir=" + filepath.Join(c.folder, "scheduler")}, common...)
	if err := c.run(&process{name: "kube-scheduler", path: c.files["kube-scheduler"], args: scheduler}); err != nil {
		return err
	}
	return c.startKwok()
}

// kwok plays every node that carries its annotation, and the pods on it.
func (c *cluster) startKwok() error {
	source, err := moduleFolder(c.o, "kwok", "sigs.k8s.io/kwok")
	if err != nil {
		return err
	}
	args := []string{"--kubeconfig=" + c.kubeconfig, "--manage-all-nodes=false",
		"--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake", "--node-lease-duration-seconds=40"}
	for _, folder := range []string{"node/fast", "node/heartbeat-with-lease", "pod/fast"} {
		stages, err := filepath.Glob(filepath.Join(source, "kustomize/stage", folder, "*.yaml"))
		if err != nil {
			return err
		}
		for _, stage := range stages {
			if filepath.Base(stage) != "kustomization.yaml" {
				args = append(args, "--config="+stage)
			}
		}
	}
	return c.run(&process{name: "kwok", path: c.files["kwok"], args: args})
}

// Ends everything, the last started first, and removes the folder.
func (c *cluster) end() {
	for i := len(c.processes) - 1; i >= 0; i-- {
		c.processes[i].stop(syscall.SIGTERM)
	}
	if c.env != nil {
		if err := c.env.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "cluster: stopping:", err)
		}
	}
	for _, name := range []string{"kube-apiserver", "etcd"} {
		if pid := pidOf(name); pid != 0 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	for _, closer := range c.closers {
		closer()
	}
	if os.Getenv(keepLogs) == "" {
		_ = os.RemoveAll(c.folder)
	} else {
		fmt.Fprintln(os.Stderr, "cluster: logs are in", c.folder)
	}
	if c.reaper != nil {
		_ = c.reaper.pipe.Close()
	}
}
