// The store for state, journal and locks inside a cluster: a file system whose files are ConfigMaps of a namespace
// of our own, and whose locks are Leases.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cmb2kueue/base/file.h"
#include "kube_client.h"

namespace cmb2kueue::target {

inline constexpr const char* records_namespace = "cmb2kueue-system";

// "journal/0000000007.json" is the ConfigMap journal.0000000007.json; its true name stands in an annotation, its
// first folder in a label. A text too long for one object is cut into parts, written before the ConfigMap that
// counts them, so that what is seen is whole. Files below journal/ are immutable. "lock" and "lock-<tenant>" are
// the Leases cell and tenant-<tenant>; changing or removing one is refused (conflict) when it is no longer what was
// read last. The namespace is made on first use. Modes mean nothing here.
class KubeRecords : public base::FileSystem {
 public:
  // `part_bytes`: how much one object holds, below the 1 MiB that the API server takes (core/validation,
  // MaxSecretSize).
  explicit KubeRecords(KubeClient& client, std::size_t part_bytes = 900UL << 10)
      : client_(client), part_bytes_(part_bytes) {}

  base::Result<std::string> read(const std::string& path) override;
  base::Status replace(const std::string& path, const std::string& bytes, unsigned mode) override;
  base::Status create(const std::string& path, const std::string& bytes, unsigned mode) override;
  base::Status remove(const std::string& path) override;
  base::Result<std::vector<std::string>> list(const std::string& folder) override;
  // "other" when the cluster does not say: nobody may take that for "nothing is there".
  std::string kind_of(const std::string& path) override;

 private:
  struct Head {
    std::string text;  // of the first part
    std::vector<std::string> parts;
  };
  base::Result<ApiAnswer> get(const std::string& path);
  base::Result<Head> head(const std::string& path);
  base::Result<ApiAnswer> post(const std::string& collection, const std::string& body);
  base::Status make_namespace();
  base::Status write_parts(const std::string& path, const std::vector<std::string>& texts);
  void remove_parts(const std::vector<std::string>& names);
  base::Status create_lock(const std::string& path, const std::string& text);
  base::Status put_lock(const std::string& path, const std::string& text);
  base::Status already_there(const std::string& path, const std::string& bytes);

  KubeClient& client_;
  std::size_t part_bytes_;
  std::map<std::string, std::string> lock_versions_;  // resourceVersion of each Lease as read last
};

}  // namespace cmb2kueue::target
