// Objects to write, and a writer in front of an API server in memory.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "fake_transport.h"
#include "kube_writer.h"
#include "support/result.h"

namespace cmb2kueue::target {

class KubeWriterFixture : public ::testing::Test {
 protected:
  static inline const std::string queue_path = "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/heron";
  static inline const std::string local_path = "/apis/kueue.x-k8s.io/v1beta2/namespaces/marsh/localqueues/main";
  static inline const kueue::ObjectKey queue_key{kueue::Kind::cluster_queue, "", "heron"};
  static inline const kueue::ObjectKey local_key{kueue::Kind::local_queue, "marsh", "main"};

  static kueue::ClusterQueue queue(const std::string& cohort) {
    kueue::ClusterQueue made;
    made.meta.name = "heron";
    made.meta.annotations = {{"cmb2kueue.io/tenant-name", "Heron"}};
    made.cohort = cohort;
    return made;
  }
  static kueue::LocalQueue local(const std::string& cluster_queue) {
    kueue::LocalQueue made;
    made.meta.name = "main";
    made.meta.name_space = "marsh";
    made.cluster_queue = cluster_queue;
    return made;
  }
  void SetUp() override { api().plant("/api/v1/namespaces/marsh", {{"metadata", {{"name", "marsh"}}}}); }

  FakeApi& api() { return cluster_.api; }
  FakeTransport& transport() { return cluster_.transport; }
  nlohmann::json& live(const std::string& path) { return api().objects.at(path); }
  void plant(const std::string& path, const kueue::Object& object, const std::string& manager) {
    api().plant(path, nlohmann::json::parse(to_json(object)), manager);
  }
  KubeWriter writer() { return KubeWriter(cluster_.client, cluster_.clock, options_); }
  LiveObject get(const kueue::ObjectKey& key) {
    base::Result<LiveObject> found = writer().get(key);
    EXPECT_TRUE(found.ok());
    return found.ok() ? std::move(found).value() : LiveObject();
  }
  // Reads, then writes, then forgets that it has read.
  base::Status write(const kueue::Object& object) {
    LiveObject now = get(kueue::key_of(object));
    transport().requests.clear();
    return writer().write(object, std::move(now));
  }
  // "PATCH PUT": the methods of the requests that change something.
  std::string writes() {
    std::string all;
    for (const HttpRequest& request : transport().requests)
      if (request.method != "GET") all += (all.empty() ? "" : " ") + request.method;
    return all;
  }

  FakeCluster cluster_;
  WriterOptions options_;
};

}  // namespace cmb2kueue::target
