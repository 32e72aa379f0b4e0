// What runs and waits in ClusterQueues of ours, by their status (Kueue v0.19.2
// apis/kueue/v1beta2/clusterqueue_types.go: flavorsReservation counts what has reserved quota, admitted or not
// yet).
#include <algorithm>

#include "cmb2kueue/kueue/api.h"
#include "kube_cluster.h"

namespace cmb2kueue::target {

namespace {

std::int64_t count_at(doc::Node node, std::string_view path) {
  const doc::Node found = at(node, path);
  return found.exists() ? found.integer().value_or(0) : 0;
}

base::Result<QueueUse> use_of(doc::Node queue) {
  QueueUse use;
  use.cluster_queue = text_at(queue, "metadata.name");
  use.pending = count_at(queue, "status.pendingWorkloads");
  use.reserving = count_at(queue, "status.reservingWorkloads");
  use.admitted = count_at(queue, "status.admittedWorkloads");
  for (const doc::Node flavor : doc::children(at(queue, "status.flavorsReservation")))
    for (const doc::Node resource : doc::children(flavor.find("resources"))) {
      const base::Result<base::Quantity> total = base::Quantity::parse(text_at(resource, "total"));
      if (!total.ok()) return total.status().prefixed("status of ClusterQueue/" + use.cluster_queue);
      use.rows.push_back({text_at(flavor, "name"), text_at(resource, "name"), total.value()});
    }
  return use;
}

}  // namespace

base::Result<std::vector<QueueUse>> KubeCluster::queue_use() {
  std::vector<QueueUse> all;
  const std::string path = collection_path({kueue::Kind::cluster_queue, "", ""}) + "?labelSelector=" +
                           escaped(std::string(kueue::label_managed_by) + "=" + std::string(kueue::managed_by));
  const base::Status listed = client_.list(
      path,
      [&](const Json& page) {
        for (const doc::Node item : doc::children(at(page.root(), "items"))) {
          base::Result<QueueUse> use = use_of(item);
          if (!use.ok()) return use.status();
          all.push_back(std::move(use).value());
        }
        return base::Status();
      },
      [&] { all.clear(); });
  if (!listed.ok()) return listed;
  std::sort(all.begin(), all.end(),
            [](const QueueUse& a, const QueueUse& b) { return a.cluster_queue < b.cluster_queue; });
  return all;
}

}  // namespace cmb2kueue::target
