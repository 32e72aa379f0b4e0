// Kueue: its CRDs with conversion, its webhooks, its configuration, its manager.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	admission "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"
)

const kueueNamespace = "kueue-system"

// Kinds whose versions Kueue converts.
var converted = []string{"localqueues", "clusterqueues", "cohorts", "workloads", "multikueueclusters"}

// Kinds whose webhooks matter here; the others belong to integrations that are switched off.
var webhookKinds = []string{"clusterqueue", "cohort", "resourceflavor", "workload", "job"}

func (c *cluster) startKueue() error {
	begun := time.Now()
	source, err := moduleFolder(c.o, kueueModule(c.o.kueue).module, "sigs.k8s.io/kueue")
	if err != nil {
		return err
	}
	hooks, err := c.webhooks(source)
	if err != nil {
		return err
	}
	if err := c.installCRDs(source, hooks); err != nil {
		return err
	}
	if c.o.profile == "api" {
		return nil
	}
	manager, err := c.manager(hooks)
	if err != nil {
		return err
	}
	if err := c.run(manager); err != nil {
		return err
	}
	if err := hooks.Install(c.config); err != nil {
		return fmt.Errorf("installing Kueue's webhooks: %w", err)
	}
	fmt.Fprintf(os.Stderr, "cluster: Kueue %s is up after %.1f s\n", c.o.kueue, time.Since(begun).Seconds())
	return nil
}

// Port and certificates for the webhook server, and the configurations that point to it.
func (c *cluster) webhooks(source string) (*envtest.WebhookInstallOptions, error) {
	folder := filepath.Join(c.folder, "webhooks")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	kept, err := keepWebhooks(filepath.Join(source, "config/components/webhook/manifests.yaml"), folder)
	if err != nil {
		return nil, err
	}
	hooks := &envtest.WebhookInstallOptions{Paths: []string{kept}, LocalServingHost: "127.0.0.1"}
	return hooks, hooks.PrepWithoutInstalling()
}

func keepWebhooks(file, folder string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var mutating admission.MutatingWebhookConfiguration
	var validating admission.ValidatingWebhookConfiguration
	for _, document := range strings.Split(string(text), "\n---\n") {
		switch {
		case strings.Contains(document, "kind: MutatingWebhookConfiguration"):
			err = yaml.Unmarshal([]byte(document), &mutating)
		case strings.Contains(document, "kind: ValidatingWebhookConfiguration"):
			err = yaml.Unmarshal([]byte(document), &validating)
		}
		if err != nil {
			return "", err
		}
	}
	var keptMutating []admission.MutatingWebhook
	for _, hook := range mutating.Webhooks {
		if wanted(hook.Name) {
			keptMutating = append(keptMutating, hook)
		}
	}
	var keptValidating []admission.ValidatingWebhook
	for _, hook := range validating.Webhooks {
		if wanted(hook.Name) {
			keptValidating = append(keptValidating, hook)
		}
	}
	mutating.Webhooks, validating.Webhooks = keptMutating, keptValidating
	// As installed, with the prefix of the released manifests.
	mutating.Name, validating.Name = "kueue-"+mutating.Name, "kueue-"+validating.Name
	var out strings.Builder
	for _, object := range []any{mutating, validating} {
		text, err := yaml.Marshal(object)
		if err != nil {
			return "", err
		}
		out.WriteString("---\n" + string(text))
	}
	kept := filepath.Join(folder, "webhooks.yaml")
	return kept, os.WriteFile(kept, []byte(out.String()), 0o600)
}

// "vclusterqueue.kb.io" is a webhook of ClusterQueues.
func wanted(name string) bool {
	for _, kind := range webhookKinds {
		if name == "m"+kind+".kb.io" || name == "v"+kind+".kb.io" {
			return true
		}
	}
	return false
}

func (c *cluster) installCRDs(source string, hooks *envtest.WebhookInstallOptions) error {
	crds := envtest.CRDInstallOptions{
		Paths:              []string{filepath.Join(source, "config/components/crd/bases")},
		ErrorIfPathMissing: true,
		MaxTime:            60 * time.Second,
		PollInterval:       50 * time.Millisecond,
	}
	if err := envtest.ReadCRDFiles(&crds); err != nil {
		return err
	}
	if c.o.profile != "api" {
		for _, crd := range crds.CRDs {
			convert(crd, hooks)
		}
	}
	if err := envtest.CreateCRDs(c.config, crds.CRDs); err != nil {
		return fmt.Errorf("creating Kueue's CRDs: %w", err)
	}
	return envtest.WaitForCRDs(c.config, crds.CRDs, crds)
}

func convert(crd *apiextensions.CustomResourceDefinition, hooks *envtest.WebhookInstallOptions) {
	for _, plural := range converted {
		if crd.Spec.Names.Plural != plural {
			continue
		}
		url := fmt.Sprintf("https://%s/convert", hostPort(hooks))
		crd.Spec.Conversion = &apiextensions.CustomResourceConversion{
			Strategy: apiextensions.WebhookConverter,
			Webhook: &apiextensions.WebhookConversion{
				ClientConfig:             &apiextensions.WebhookClientConfig{URL: &url, CABundle: hooks.LocalServingCAData},
				ConversionReviewVersions: []string{"v1"},
			},
		}
	}
}

func hostPort(hooks *envtest.WebhookInstallOptions) string {
	return "127.0.0.1:" + strconv.Itoa(hooks.LocalServingPort)
}

const managerConfig = `apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
namespace: kueue-system
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
webhook: {host: 127.0.0.1, port: %d, certDir: %q}
metrics: {bindAddress: "127.0.0.1:%d"}
health: {healthProbeBindAddress: "127.0.0.1:%d"}
clientConnection: {qps: 300, burst: 500}
controller: {groupKindConcurrency: {Job.batch: 5, Workload.kueue.x-k8s.io: 10, ClusterQueue.kueue.x-k8s.io: 5}}
integrations: {frameworks: ["batch/job"]}
featureGates: {VisibilityOnDemand: false, MultiKueue: false}
`

func (c *cluster) manager(hooks *envtest.WebhookInstallOptions) (*process, error) {
	if err := c.metricsCertificate(hooks.LocalServingCertDir); err != nil {
		return nil, err
	}
	ports, err := freePorts(2)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf(managerConfig, hooks.LocalServingPort, hooks.LocalServingCertDir, ports[0], ports[1])
	if c.o.fairSharing {
		text += "fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]}\n"
	}
	file := filepath.Join(c.folder, "kueue.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	if err := c.pretendInstalled(text); err != nil {
		return nil, err
	}
	return &process{name: "kueue", path: c.files["kueue"],
		args:  []string{"--config=" + file, "--kubeconfig=" + c.kubeconfig, "--zap-log-level=2"},
		ready: fmt.Sprintf("http://127.0.0.1:%d/readyz", ports[1])}, nil
}

// The manager insists on a certificate for its metrics in a place of its own, whether it serves them or not.
func (c *cluster) metricsCertificate(from string) error {
	const folder = "/etc/kueue/metrics/certs"
	if isFile(filepath.Join(folder, "tls.crt")) && isFile(filepath.Join(folder, "tls.key")) {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("Kueue wants a certificate in %s: %w", folder, err)
	}
	for _, name := range []string{"tls.crt", "tls.key"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// What an installation leaves in the cluster and people look at: the namespace, the configuration, the Deployment
// (without pods: the manager runs beside the cluster).
func (c *cluster) pretendInstalled(config string) error {
	client, err := kubernetes.NewForConfig(c.config)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if _, err := client.CoreV1().Namespaces().Create(ctx,
		&core.Namespace{ObjectMeta: meta.ObjectMeta{Name: kueueNamespace}}, meta.CreateOptions{}); err != nil {
		return err
	}
	if _, err := client.CoreV1().ConfigMaps(kueueNamespace).Create(ctx, &core.ConfigMap{
		ObjectMeta: meta.ObjectMeta{Name: "kueue-manager-config"},
		Data:       map[string]string{"controller_manager_config.yaml": config},
	}, meta.CreateOptions{}); err != nil {
		return err
	}
	labels := map[string]string{"app.kubernetes.io/name": "kueue", "control-plane": "controller-manager"}
	none := int32(0)
	_, err = client.AppsV1().Deployments(kueueNamespace).Create(ctx, &apps.Deployment{
		ObjectMeta: meta.ObjectMeta{Name: "kueue-controller-manager", Labels: labels},
		Spec: apps.DeploymentSpec{
			Replicas: &none,
			Selector: &meta.LabelSelector{MatchLabels: labels},
			Template: core.PodTemplateSpec{
				ObjectMeta: meta.ObjectMeta{Labels: labels},
				Spec: core.PodSpec{Containers: []core.Container{
					{Name: "manager", Image: "kueue/kueue:v" + c.o.kueue}}},
			},
		},
	}, meta.CreateOptions{})
	return err
}
