// The table itself, message by message. Interface: the published CMB messages job, job-accumulator and common.
#include "job_fields.h"

#include <algorithm>
#include <iterator>

namespace cmb2kueue::source {

namespace {

// clang-format off
constexpr JobField table[] = {
      {"Job", "jobId", FieldType::text, "", "J-02", "Job.jobId: the id becomes a name and a label",
       "keep ids through the client-facing API"},
      {"Job", "jobDefinition", FieldType::message, "JobDefinition", "", "", ""},
      {"Job", "status", FieldType::messages, "JobStatus", "J-05",
       "Job.status[]: states come from Job and Workload together; the history is not kept",
       "map states as documented"},
      {"JobDefinition", "tenantId", FieldType::text, "", "J-15", "JobDefinition.tenantId: becomes namespace and queue label",
       "none is needed"},
      {"JobDefinition", "container", FieldType::message, "Container", "", "", ""},
      {"JobDefinition", "extraContainers", FieldType::any, "", "J-48",
       "JobDefinition.extraContainers[]: a container that outlives the main one keeps the Job open",
       "make them native sidecars"},
      {"JobDefinition", "attributes", FieldType::message, "JobAttributes", "", "", ""},
      {"JobDefinition", "batch", FieldType::message, "Batch", "", "", ""},
      {"JobDefinition", "worker", FieldType::marker, "", "J-31", "JobDefinition.worker: long-running workers have no counterpart",
       "run them as a Deployment"},
      {"JobDefinition", "priority", FieldType::message, "Priority", "", "", ""},
      {"JobDefinition", "applicationName", FieldType::text, "", "J-16",
       "JobDefinition.applicationName: a label where it is a legal one, else an annotation only",
       "search by annotation"},
      {"JobDefinition", "jobGroupInfo", FieldType::message, "JobGroupInfo", "J-17",
       "JobDefinition.jobGroupInfo: uniqueness of the group name is not enforced",
       "check it where jobs are submitted"},
      {"JobGroupInfo", "stack", FieldType::text, "", "J-16",
       "JobGroupInfo.stack: a label where it is a legal one, else an annotation only", "search by annotation"},
      {"JobGroupInfo", "detail", FieldType::text, "", "J-16",
       "JobGroupInfo.detail: a label where it is a legal one, else an annotation only", "search by annotation"},
      {"JobGroupInfo", "sequenceNumber", FieldType::text, "", "J-16",
       "JobGroupInfo.sequenceNumber: a label where it is a legal one, else an annotation only",
       "search by annotation"},
      {"JobAttributes", "attributes", FieldType::map, "", "J-20",
       "JobDefinition.attributes.attributes: annotations, which the server does not filter by",
       "index them in the client-facing API"},
      {"JobAttributes", "pendingTtlSec", FieldType::whole64, "", "J-19",
       "JobDefinition.attributes.pendingTtlSec: nothing expires a waiting job",
       "run a sweeper that deactivates workloads"},
      {"JobAttributes", "runtimeLimitSec", FieldType::whole64, "", "J-21",
       "JobDefinition.attributes.runtimeLimitSec: counts from the start of the pod, image pull included",
       "add the pull time to the limit"},
      {"Batch", "size", FieldType::whole32, "", "J-29", "JobDefinition.batch.size: pods of one Job", "none is needed for 1"},
      {"Priority", "class", FieldType::word, "PriorityClass", "J-18", "JobDefinition.priority.class: one priority over all tenants of the cell",
       "keep classes apart by bands"},
      {"Priority", "priorityValue", FieldType::whole32, "", "J-18", "JobDefinition.priority.priorityValue: values share buckets",
       "choose buckets in the mapping"},
      {"Container", "resources", FieldType::message, "ContainerResources", "", "", ""},
      {"Container", "securityProfile", FieldType::message, "SecurityProfile", "", "", ""},
      {"Container", "image", FieldType::message, "Image", "", "", ""},
      {"Container", "entryPoint", FieldType::texts, "", "J-38",
       "Container.entryPoint[]: becomes command; shell splitting is not repeated",
       "check commands that relied on it"},
      {"Container", "command", FieldType::texts, "", "J-38", "Container.command[]: becomes args; shell splitting is not repeated",
       "check commands that relied on it"},
      {"Container", "env", FieldType::map, "", "J-39", "Container.env: variables the old platform added are not there",
       "add those that are read"},
      {"Container", "attributes", FieldType::map, "", "J-20", "Container.attributes: annotations of the pod",
       "check who reads them"},
      {"Container", "softConstraints", FieldType::message, "Constraints", "J-42",
       "Container.softConstraints: become preferred affinity and spread", "check that nodes carry the labels"},
      {"Container", "hardConstraints", FieldType::message, "Constraints", "J-44",
       "Container.hardConstraints: become required affinity; a label no flavor carries is never satisfied",
       "put the labels on flavors"},
      {"Container", "networkMode", FieldType::word, "NetworkMode", "J-41", "Container.networkMode: has no counterpart",
       "choose the cluster's network"},
      {"ContainerResources", "cpu", FieldType::real, "", "J-32", "ContainerResources.cpu: request and limit", "none is needed"},
      {"ContainerResources", "memoryMB", FieldType::whole32, "", "J-32", "ContainerResources.memoryMB: request and limit in Mi",
       "none is needed"},
      {"ContainerResources", "diskMB", FieldType::whole32, "", "J-32", "ContainerResources.diskMB: ephemeral storage in Mi",
       "none is needed"},
      {"ContainerResources", "networkMbps", FieldType::whole32, "", "J-32", "ContainerResources.networkMbps: an extended resource",
       "the node has to offer it"},
      {"ContainerResources", "shmSizeMB", FieldType::whole32, "", "J-33",
       "ContainerResources.shmSizeMB: a memory volume that counts as memory", "none is needed"},
      {"ContainerResources", "gpu", FieldType::whole32, "", "J-32", "ContainerResources.gpu: request and limit", "none is needed"},
      {"ContainerResources", "storageResources", FieldType::messages, "StorageResource", "", "", ""},
      {"StorageResource", "nfsStorage", FieldType::message, "NfsStorage", "", "", ""},
      {"NfsStorage", "volumeId", FieldType::text, "", "J-34", "NfsStorage.volumeId: an nfs volume", "provide the server"},
      {"NfsStorage", "mountPoint", FieldType::text, "", "J-34", "NfsStorage.mountPoint: the mount path", "none is needed"},
      {"NfsStorage", "mountPermission", FieldType::word, "MountPermission", "J-34", "NfsStorage.mountPermission: write-only has no counterpart",
       "mount read-write"},
      {"NfsStorage", "relativeMountPoint", FieldType::text, "", "J-34", "NfsStorage.relativeMountPoint: a sub-path",
       "none is needed"},
      {"SecurityProfile", "securityGroups", FieldType::texts, "", "J-40",
       "SecurityProfile.securityGroups[]: depend on the cloud's own controller", "map them to network policy"},
      {"SecurityProfile", "iamRole", FieldType::text, "", "J-40", "SecurityProfile.iamRole: a role of the service account",
       "create service accounts"},
      {"SecurityProfile", "attributes", FieldType::map, "", "J-40", "SecurityProfile.attributes: annotations",
       "check who reads them"},
      {"Image", "name", FieldType::text, "", "J-37", "Image.name: the image with a registry in front", "none is needed"},
      {"Image", "tag", FieldType::text, "", "J-37", "Image.tag: part of the image string", "none is needed"},
      {"Image", "digest", FieldType::text, "", "J-37", "Image.digest: part of the image string", "none is needed"},
      {"Constraints", "constraints", FieldType::map, "", "J-44", "Constraints.constraints: one rule each",
       "check that nodes carry the labels"},
      {"Constraints", "expression", FieldType::text, "", "J-47", "Constraints.expression: not supported on either side",
       "write affinity by hand"},
      {"Task", "id", FieldType::text, "", "J-02", "Task.id: tasks are pods with names of their own", "keep a table of both ids"},
      {"Task", "jobId", FieldType::text, "", "J-02", "Task.jobId: the label of the Job", "none is needed"},
      {"Task", "status", FieldType::messages, "TaskStatus", "J-05", "Task.status[]: states come from the pod; the history is not kept",
       "map states as documented"},
      {"Task", "attributes", FieldType::map, "", "J-20", "Task.attributes: annotations of the pod", "check who reads them"},
      {"Task", "providerMetadata", FieldType::map, "", "J-54", "Task.providerMetadata: where a task ran and its logs are not kept",
       "link logs by a template"},
      {"JobAccumulator", "id", FieldType::text, "", "A-01", "JobAccumulator.id: accumulators have no counterpart in the cluster",
       "keep them in a controller of your own"},
      {"JobAccumulator", "definition", FieldType::message, "AccumulatorDefinition", "", "", ""},
      {"JobAccumulator", "status", FieldType::messages, "AccumulatorStatus", "A-04", "JobAccumulator.status[]: closing stops minting; running jobs go on",
       "keep them in a controller of your own"},
      {"JobAccumulator", "target", FieldType::whole64, "", "A-02", "JobAccumulator.target: a count of uniform work",
       "one indexed Job where indices finish on their own"},
      {"JobAccumulator", "jobAccumulatorId", FieldType::text, "", "A-01",
       "JobAccumulator.jobAccumulatorId: accumulators have no counterpart in the cluster",
       "keep them in a controller of your own"},
      {"JobAccumulator", "waiting", FieldType::whole64, "", "A-06", "JobAccumulator.waiting: counts are computed from Jobs",
       "none is needed"},
      {"JobAccumulator", "active", FieldType::whole64, "", "A-06", "JobAccumulator.active: counts are computed from Jobs",
       "none is needed"},
      {"JobAccumulator", "completed", FieldType::whole64, "", "A-06", "JobAccumulator.completed: counts are computed from Jobs",
       "none is needed"},
      {"JobAccumulator", "aborted", FieldType::whole64, "", "A-06", "JobAccumulator.aborted: counts are computed from Jobs",
       "none is needed"},
      {"JobAccumulator", "cmbJobIds", FieldType::texts, "", "A-02", "JobAccumulator.cmbJobIds[]: ids of minted jobs are not kept",
       "keep them in a controller of your own"},
      {"AccumulatorDefinition", "jobTemplate", FieldType::message, "JobDefinition", "", "", ""},
      {"AccumulatorDefinition", "closeWhenDone", FieldType::flag, "", "A-04",
       "AccumulatorDefinition.closeWhenDone: nothing closes an accumulator",
       "keep them in a controller of your own"},
      {"AccumulatorDefinition", "openTimeLimitMs", FieldType::whole64, "", "A-05",
       "AccumulatorDefinition.openTimeLimitMs: nothing closes an accumulator in time",
       "run a timer in that controller"},
      {"AccumulatorDefinition", "attributes", FieldType::map, "", "A-01", "AccumulatorDefinition.attributes: annotations",
       "check who reads them"},
      {"JobStatus", "state", FieldType::word, "JobState", "", "", ""},
      {"JobStatus", "message", FieldType::text, "", "", "", ""},
      {"JobStatus", "timestamp", FieldType::timestamp, "", "", "", ""},
      {"TaskStatus", "state", FieldType::word, "TaskState", "", "", ""},
      {"TaskStatus", "message", FieldType::text, "", "", "", ""},
      {"TaskStatus", "timestamp", FieldType::timestamp, "", "", "", ""},
      {"AccumulatorStatus", "state", FieldType::word, "AccumulatorState", "", "", ""},
      {"AccumulatorStatus", "message", FieldType::text, "", "", "", ""},
      {"AccumulatorStatus", "timestamp", FieldType::timestamp, "", "", "", ""},
};
// clang-format on

// Numbers of the published enumerations.
const std::vector<std::pair<std::string_view, EnumTable>>& words() {
  static const std::vector<std::pair<std::string_view, EnumTable>> all = {
      {"JobState", {{"Accepted", 0}, {"Stopping", 1}, {"Stopped", 2}, {"Finished", 3}}},
      {"TaskState",
       {{"Created", 0},
        {"Queued", 1},
        {"Starting", 2},
        {"Running", 3},
        {"Stopping", 4},
        {"Stopped", 5},
        {"Expired", 6},
        {"Failed", 7},
        {"Finished", 8}}},
      {"AccumulatorState", {{"OPEN", 0}, {"CLOSING", 1}, {"CLOSED", 2}}},
      {"PriorityClass",
       {{"SystemDefault", 0}, {"BestEffort", 1}, {"Normal", 2}, {"Preferred", 3}, {"Critical", 4}}},
      {"NetworkMode",
       {{"UnknownNetworkMode", 0},
        {"Ipv4Only", 1},
        {"Ipv6AndIpv4", 2},
        {"Ipv6AndIpv4Fallback", 3},
        {"Ipv6Only", 4}}},
      {"MountPermission", {{"RO", 0}, {"WO", 1}, {"RW", 2}}}};
  return all;
}

}  // namespace

const std::vector<JobField>& job_fields() {
  static const std::vector<JobField> all(std::begin(table), std::end(table));
  return all;
}

const EnumTable& job_words(std::string_view name) {
  const auto found =
      std::find_if(words().begin(), words().end(), [&](const auto& one) { return one.first == name; });
  return found->second;
}

const JobMessages& job_messages() {
  static const JobMessages all = [] {
    JobMessages messages;
    for (std::size_t row = 0; row < job_fields().size(); ++row)
      messages[job_fields()[row].owner].rows.push_back({row, nullptr});
    for (auto& [name, message] : messages)
      for (JobMessage::Row& row : message.rows) {
        const auto below = messages.find(job_fields()[row.field].message);
        if (below != messages.end()) row.below = &below->second;
      }
    return messages;
  }();
  return all;
}

}  // namespace cmb2kueue::source
