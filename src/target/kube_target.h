// A cluster. A bundle is a set of objects; its version is made of their contents, so what Kueue writes into a
// status never counts as a change, and what somebody edits always does.
#pragma once
#include <memory>
#include <set>
#include <string>

#include "cmb2kueue/target/target.h"
#include "kube_client.h"
#include "kube_records.h"
#include "kube_writer.h"

namespace cmb2kueue::target {

class KubeTarget : public Target {
 public:
  // `transport` and `credentials` stand for the cluster; `where` is what messages call it ("kube:prod").
  KubeTarget(std::unique_ptr<Transport> transport, std::unique_ptr<Credentials> credentials, std::string where,
             const OpenOptions& options);
  ~KubeTarget() override;

  base::Result<std::vector<Live>> list(base::SourceFiles& files, base::Findings& findings) override;
  base::Result<Image> capture(const BundleRef& bundle) override;
  base::Result<std::string> put(const Bundle& bundle, const std::string& expected) override;
  std::string version_after(const Bundle& bundle) override;
  base::Status restore(const Image& image, const std::string& expected) override;
  base::FileSystem& records() override { return records_; }
  Cluster* cluster() override { return cluster_.get(); }

 private:
  struct Captured {
    Image image;
    std::vector<LiveObject> objects;  // by image.keys
  };
  base::Result<Captured> capture_objects(const BundleRef& bundle);
  base::Result<Captured> unchanged(const BundleRef& bundle, const std::string& expected, bool goes);
  base::Status list_kind(const KindPath& kind, std::vector<Live>& found);

  std::unique_ptr<Transport> transport_;
  std::unique_ptr<Credentials> credentials_;
  std::string where_;
  KubeClient client_;
  KubeWriter writer_;
  KubeRecords records_;
  std::unique_ptr<Cluster> cluster_;
  std::set<std::string> foreign_namespaces_;  // as seen last
};

base::Result<std::unique_ptr<Target>> open_kube(const Address& address, base::FileSystem& fs,
                                                const OpenOptions& options);

}  // namespace cmb2kueue::target
