// Which programs there are, from which module each is built, and the cache they are kept in.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

const (
	mainKueue         = "0.19.2"
	kubernetesVersion = "1.35.4"
)

type program struct {
	name     string // file in the cache
	module   string // folder below the source
	pkg      string
	profiles string // that need it
	flags    string // for the linker
}

var serverVersion = "-X k8s.io/component-base/version.gitVersion=v" + kubernetesVersion +
	" -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=35"

var programs = []program{
	{"kube-apiserver", ".", "k8s.io/kubernetes/cmd/kube-apiserver", "api kueue full", serverVersion},
	{"etcd", ".", "go.etcd.io/etcd/server/v3", "api kueue full", ""},
	{"kueue-0.19.2", "kueue-0.19", "sigs.k8s.io/kueue/cmd/kueue", "kueue full", ""},
	{"kueue-0.17.0", ".", "sigs.k8s.io/kueue/cmd/kueue", "kueue full", ""},
	{"kube-controller-manager", ".", "k8s.io/kubernetes/cmd/kube-controller-manager", "kueue full", serverVersion},
	{"kube-scheduler", ".", "k8s.io/kubernetes/cmd/kube-scheduler", "full", serverVersion},
	{"kwok", "kwok", "sigs.k8s.io/kwok/cmd/kwok", "full", ""},
}

func kueueModule(release string) *program {
	for i := range programs {
		if programs[i].name == "kueue-"+release {
			return &programs[i]
		}
	}
	return nil
}

func kueueReleases() string {
	var all []string
	for _, p := range programs {
		if release, ok := strings.CutPrefix(p.name, "kueue-"); ok {
			all = append(all, release)
		}
	}
	return strings.Join(all, ", ")
}

func defaultCache() string {
	if folder := os.Getenv("CMB2KUEUE_CLUSTER_CACHE"); folder != "" {
		return folder
	}
	folder, err := os.UserCacheDir()
	if err != nil {
		folder = os.TempDir()
	}
	return filepath.Join(folder, "cmb2kueue", "cluster")
}

// What a module's programs depend on: its sums, the compiler and how it is called.
func cacheKey(source string, p program) (string, error) {
	sums, err := os.ReadFile(filepath.Join(source, p.module, "go.sum"))
	if err != nil {
		return "", err
	}
	mod, err := os.ReadFile(filepath.Join(source, p.module, "go.mod"))
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	fmt.Fprint(hash, string(sums), string(mod), runtime.Version(), p.flags)
	return hex.EncodeToString(hash.Sum(nil))[:16], nil
}

// The program's file, built when it is not there yet. KUBEBUILDER_ASSETS, where set, has the first word for the two
// programs it may hold.
func ensure(o options, p program) (string, error) {
	if assets := os.Getenv("KUBEBUILDER_ASSETS"); assets != "" {
		if file := filepath.Join(assets, p.name); isFile(file) {
			return file, nil
		}
	}
	key, err := cacheKey(o.source, p)
	if err != nil {
		return "", err
	}
	file := filepath.Join(o.cache, key, p.name)
	if isFile(file) {
		return file, nil
	}
	fmt.Fprintf(os.Stderr, "cluster: building %s\n", p.name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	// Built beside its name and then renamed, so that a killed build leaves nothing that looks whole.
	half := fmt.Sprintf("%s.%d", file, os.Getpid())
	defer os.Remove(half)
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w "+p.flags, "-o", half, p.pkg)
	build.Dir = filepath.Join(o.source, p.module)
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("building %s: %w", p.name, err)
	}
	return file, os.Rename(half, file)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// The files a profile with this release needs, by name; "kueue" is the release's own.
func ensureProfile(o options) (map[string]string, error) {
	files := map[string]string{}
	for _, p := range programs {
		isKueue := strings.HasPrefix(p.name, "kueue-")
		if !strings.Contains(p.profiles, o.profile) || (isKueue && p.name != "kueue-"+o.kueue) {
			continue
		}
		file, err := ensure(o, p)
		if err != nil {
			return nil, err
		}
		name := p.name
		if isKueue {
			name = "kueue"
		}
		files[name] = file
	}
	return files, nil
}

// Everything any profile needs, for filling a cache.
func buildAll(o options) error {
	for _, p := range programs {
		file, err := ensure(o, p)
		if err != nil {
			return err
		}
		fmt.Println(file)
	}
	return nil
}

// Where a module's source lies, for its CRDs, webhooks and stages, which are read there and copied nowhere.
func moduleFolder(o options, module, path string) (string, error) {
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path)
	list.Dir = filepath.Join(o.source, module)
	list.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("looking for the source of %s: %w", path, err)
	}
	folder := strings.TrimSpace(string(out))
	if folder == "" {
		download := exec.Command("go", "mod", "download", path)
		download.Dir, download.Env, download.Stderr = list.Dir, list.Env, os.Stderr
		if err := download.Run(); err != nil {
			return "", fmt.Errorf("fetching the source of %s: %w", path, err)
		}
		return moduleFolderAgain(list)
	}
	return folder, nil
}

func moduleFolderAgain(list *exec.Cmd) (string, error) {
	again := exec.Command(list.Path, list.Args[1:]...)
	again.Dir, again.Env, again.Stderr = list.Dir, list.Env, os.Stderr
	out, err := again.Output()
	return strings.TrimSpace(string(out)), err
}
