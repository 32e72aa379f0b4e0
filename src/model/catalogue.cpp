// The catalogue, one row a code.
#include "cmb2kueue/model/catalogue.h"

#include <algorithm>
#include <iterator>

namespace cmb2kueue::model {

namespace {

constexpr LossClass exact = LossClass::exact, emulated = LossClass::emulated, lossy = LossClass::lossy,
                    gap = LossClass::gap;

// clang-format off
constexpr CatalogueEntry table[] = {
      {"C-01", emulated, "create an internal tenant", "Cohort with annotations",
       "no field for name, address or description; the address is not validated",
       "read the annotations; validate where tenants are requested"},
      {"C-02", emulated, "create a leaf tenant", "ClusterQueue, LocalQueue, namespace",
       "several objects that are not created in one go; who may submit is RBAC",
       "apply in order of creation; write roles for the namespace"},
      {"C-03", emulated, "get a tenant, also from the archive", "get the objects",
       "nothing is archived in the cluster", "keep exports"},
      {"C-04", emulated, "find tenants by id, name, parent or path", "list by label and filter on annotations",
       "no search by path prefix on the server", "filter in the client"},
      {"C-05", lossy, "remove a tenant once its work is done", "hold, wait, delete",
       "a Cohort has no finalizer: it goes at once, whoever is below",
       "let this tool remove it; it checks that nothing is left"},
      {"C-06", emulated, "request capacity and have it approved", "a reviewed change in Git or CMB",
       "states of a request are not in the cluster", "keep reviews where they are"},
      {"C-07", emulated, "cancel or approve a request", "the same review",
       "states of a request are not in the cluster", "keep reviews where they are"},
      {"C-08", emulated, "applied against pending capacity", "live objects against a plan",
       "a pending request is not visible in the cluster", "decide it before the tenant moves"},
      {"C-09", lossy, "reserved capacity", "nominal quota, with lending limits",
       "the shape of an instance; only totals count", "keep packing in mind; the shape is an annotation"},
      {"C-10", lossy, "reserved network bandwidth", "quota on an extended resource",
       "counts only if pods request it", "have job templates request it, or exclude it in the mapping"},
      {"C-11", lossy, "weight", "fairSharing.weight",
       "Kueue weighs the dominant borrowed share; CMB's formula is not known",
       "compare waits of a week before and after"},
      {"C-12", emulated, "concurrency limit of a subtree", "quota on pods",
       "fair order below it follows the larger of pod share and resource share",
       "none is needed where jobs are one pod each"},
      {"C-13", emulated, "fair share at admission only, no preemption", "fair sharing on, preemption Never",
       "a controller setting has to be on; pods not ready in time are evicted by newer Kueue",
       "check the controller's configuration: fairSharing on, waitForPodsReady as wanted"},
      {"C-14", exact, "tenant attributes", "annotations", "", "none is needed up to 256 KiB"},
      {"J-01", emulated, "create a job", "create a suspended Job with a queue label",
       "a second request with the same id has to be recognised", "derive the name from the id"},
      {"J-02", exact, "the job's id", "name and label of the Job", "", "keep ids in the client-facing API"},
      {"J-03", emulated, "terminate a job", "deactivate its Workload, delete later",
       "deleting at once loses the record", "deactivate first"},
      {"J-04", lossy, "kill one task", "delete its pod", "the pod comes back and may count as failed",
       "terminate the job instead"},
      {"J-05", emulated, "get a job", "get Job and Workload", "states come from two objects",
       "map states as documented"},
      {"J-06", emulated, "find jobs and tasks", "list by label", "many filters are not labels",
       "filter in the client"},
      {"J-07", lossy, "stable cursors and counts", "limit and continue", "tokens expire and the order is by name",
       "keep an index in the client-facing API"},
      {"J-08", emulated, "observe events with a snapshot mark", "list, then watch", "three streams to merge",
       "merge them in the client-facing API"},
      {"J-09", emulated, "keep-alive of a stream", "bookmarks", "another period", "none is needed"},
      {"J-10", exact, "update attributes", "patch annotations", "", "none is needed"},
      {"J-11", gap, "resize, enable, move a job", "nothing for batch",
       "the operation is refused, as it was for batch", "return the same error"},
      {"J-12", lossy, "disruption budget", "annotation only", "nobody enforces it",
       "write a PodDisruptionBudget where it matters"},
      {"J-13", emulated, "finished jobs stay visible for a while", "time to live after finishing", "another period",
       "set both retention times to an hour or more"},
      {"J-14", gap, "jobs in the archive", "nothing in the cluster", "finished jobs are gone after their time",
       "export them"},
      {"J-15", exact, "the job's tenant", "namespace and queue label", "", "none is needed"},
      {"J-16", lossy, "application and group names", "labels where legal, annotations always",
       "long or odd values cannot be searched by label", "search by annotation"},
      {"J-17", emulated, "unique group names", "a check at submission", "the cluster does not enforce it",
       "check it in the client-facing API"},
      {"J-18", lossy, "priority class and value", "WorkloadPriorityClass per class and bucket",
       "values share buckets; the scope is the cell, not the tenant", "choose buckets in the mapping"},
      {"J-19", gap, "expiry of waiting jobs", "nothing in Kueue", "jobs wait without end",
       "run a sweeper that deactivates workloads past their time"},
      {"J-20", lossy, "attributes and filters on them", "annotations", "the server does not filter by them",
       "index them in the client-facing API"},
      {"J-21", lossy, "runtime limit of a task", "deadline of the pod",
       "it counts from the start of the pod, image pull included", "add the pull time to the limit"},
      {"J-22", lossy, "runtime limit of a job", "deadline of the Job",
       "it covers all retries and restarts after preemption", "use the pod's deadline"},
      {"J-23", lossy, "runtime limit by Kueue", "maximum execution time",
       "it sums over evictions and ends in deactivation, not failure", "use the pod's deadline"},
      {"J-24", emulated, "no retry after the runtime limit", "an exit code and a pod failure policy",
       "the command has to be wrapped", "wrap it in the job template"},
      {"J-25", emulated, "retries of a single task", "backoffLimit",
       "failures of the platform count unless a policy ignores them", "write a pod failure policy"},
      {"J-26", emulated, "retries per index", "backoffLimitPerIndex", "plain backoffLimit is one budget for all",
       "use the per-index limit"},
      {"J-27", lossy, "retry delays", "fixed back-off of the Job controller", "delays cannot be chosen", "none"},
      {"J-28", lossy, "failures of the platform cost no retry", "only disruptions are told apart",
       "other platform failures count", "raise the retry budget"},
      {"J-29", exact, "one task a job", "one completion", "", "none is needed"},
      {"J-30", emulated, "many tasks a job", "an indexed Job", "admitted all or nothing",
       "allow partial admission where tasks are independent"},
      {"J-31", gap, "workers", "nothing", "long-running work is no Job", "run it as a Deployment"},
      {"J-32", exact, "cpu, memory, disk, network, gpu", "requests and limits", "", "none is needed"},
      {"J-33", exact, "shared memory", "a memory volume", "", "it counts as memory"},
      {"J-34", lossy, "network file systems", "nfs volumes", "write-only mounts have no counterpart",
       "mount read-write"},
      {"J-35", emulated, "block volumes", "persistent volumes made beforehand", "zones have to match",
       "provision them per zone"},
      {"J-36", gap, "volumes of other services", "nothing", "such jobs cannot run", "use a CSI driver"},
      {"J-37", exact, "image by tag or digest", "image", "", "put the registry in front"},
      {"J-38", emulated, "entry point and command", "command and args", "shell splitting is not repeated",
       "check commands that relied on it"},
      {"J-39", emulated, "environment", "env", "variables the old platform added are missing",
       "add those that are read"},
      {"J-40", lossy, "security groups and roles", "annotations and service accounts",
       "depends on the cloud's own controllers", "create service accounts"},
      {"J-41", gap, "network mode and static addresses", "nothing", "pods get what the cluster gives",
       "choose the cluster's network"},
      {"J-42", exact, "spread over zones", "topology spread constraints", "", "none is needed"},
      {"J-43", emulated, "one task a host, host to itself", "pod anti-affinity", "slower to schedule",
       "use it where it is needed"},
      {"J-44", emulated, "constraints on zone and machine", "node affinity",
       "a label that no flavor carries is never satisfied", "put the labels on flavors"},
      {"J-45", emulated, "no host that is being retired", "no toleration for its taint",
       "depends on the taint being set", "taint such nodes"},
      {"J-46", exact, "tolerations", "tolerations", "", "none is needed"},
      {"J-47", gap, "constraint expressions", "nothing", "not supported on either side", "write affinity by hand"},
      {"J-48", lossy, "extra containers", "native sidecars",
       "one that outlives the main container keeps the Job open", "make them native sidecars"},
      {"J-49", gap, "platform sidecars", "an admission webhook", "nothing injects them", "run one"},
      {"J-50", exact, "time to end after a kill", "termination grace period", "", "none is needed"},
      {"J-51", emulated, "capacity group", "LocalQueue", "a group itself is only compared",
       "bind tenants, not groups"},
      {"J-52", emulated, "tier and resource pool", "ResourceFlavor", "a tier is not a field of any queue",
       "choose the flavor in the mapping"},
      {"J-53", emulated, "wanted and unwanted cells", "the cluster a job is sent to", "the router decides",
       "route by cell"},
      {"J-54", gap, "logs", "a link by template", "nothing keeps them in the cluster", "ship logs"},
      {"J-55", lossy, "who called and why", "audit log and annotations", "spread over two places",
       "keep the audit log"},
      {"J-56", emulated, "error codes", "a check before submission", "what never fits waits instead of failing",
       "check quota before submitting"},
      {"A-01", gap, "accumulators", "nothing in the cluster", "nothing mints jobs",
       "keep them in a controller of your own"},
      {"A-02", emulated, "a count of uniform work", "one indexed Job", "ids per job are lost",
       "use it where indices finish on their own"},
      {"A-03", lossy, "change the count", "completions of an indexed Job", "only where it equals parallelism",
       "mint Jobs instead"},
      {"A-04", emulated, "close", "stop minting", "somebody has to", "keep them in a controller of your own"},
      {"A-05", emulated, "close in time", "a timer", "somebody has to run it", "run one in that controller"},
      {"A-06", exact, "counts sum to the target", "computed from Jobs", "", "none is needed"},
};
// clang-format on

const std::vector<CatalogueEntry>& rows() {
  static const std::vector<CatalogueEntry> all(std::begin(table), std::end(table));
  return all;
}

}  // namespace

const char* to_string(LossClass loss) {
  switch (loss) {
    case LossClass::exact:
      return "exact";
    case LossClass::emulated:
      return "emulated";
    case LossClass::lossy:
      return "lossy";
    case LossClass::gap:
      return "gap";
  }
  return "gap";
}

const std::vector<CatalogueEntry>& catalogue() {
  return rows();
}

const CatalogueEntry* find_entry(std::string_view code) {
  const auto found =
      std::find_if(rows().begin(), rows().end(), [&](const CatalogueEntry& row) { return row.code == code; });
  return found == rows().end() ? nullptr : &*found;
}

}  // namespace cmb2kueue::model
