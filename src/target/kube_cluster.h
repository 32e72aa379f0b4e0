// What only a live cluster can tell: who it is, what is ready, who owns which field, what lies in a namespace.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/target/target.h"
#include "kube_client.h"
#include "kube_writer.h"

namespace cmb2kueue::target {

class KubeCluster : public Cluster {
 public:
  KubeCluster(KubeClient& client, base::Clock& clock, const OpenOptions& options);

  base::Result<std::string> identity() override;
  base::Result<std::vector<Unready>> unready(const std::vector<kueue::ObjectKey>& keys) override;
  base::Result<std::vector<QueueUse>> queue_use() override;
  base::Result<std::vector<Ownership>> owners(const kueue::ObjectKey& key) override;
  base::Result<std::string> inhabitant(const std::string& name_space,
                                       const std::vector<kueue::ObjectKey>& leaving) override;
  base::Status examine(base::Findings& findings) override;
  base::Status rehearse(const Bundle& bundle) override;

 private:
  KubeClient& client_;
  base::Clock& clock_;
  KubeWriter reader_;  // writes nothing that is kept
  bool accept_defects_;
};

// readiness.cpp: what the live object says of itself, as Kueue v0.19.2 sets it
// (pkg/controller/core/clusterqueue_controller.go, localqueue_controller.go). Nothing when it is ready.
std::optional<Unready> judge_readiness(const kueue::ObjectKey& key, doc::Node live);

// inhabitants.cpp: every kind of namespaced object the server lists, each asked for one object.
base::Result<std::string> find_inhabitant(KubeClient& client, const std::string& name_space,
                                          const std::vector<kueue::ObjectKey>& leaving);

// gitops.cpp: K-OWNER for each object of Kueue that Argo CD or Flux keeps.
base::Status find_gitops_owners(KubeClient& client, base::Findings& findings);

}  // namespace cmb2kueue::target
