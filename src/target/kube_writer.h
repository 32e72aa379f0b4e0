// Writing single objects: created once and only once, changed by server-side apply, replaced and removed, always on
// the condition that nobody else was quicker.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cmb2kueue/kueue/objects.h"
#include "kube_client.h"
#include "kube_kinds.h"

namespace cmb2kueue::target {

// A live object, or its absence.
struct LiveObject {
  std::optional<Json> json;
  bool exists() const { return json.has_value(); }
  doc::Node root() const { return json ? json->root() : doc::Node(); }
  std::string content() const { return json ? content_of(json->root()) : std::string(); }
};

struct WriterOptions {
  std::vector<std::string> take_over;  // managers whose fields may be taken
  const volatile int* stop = nullptr;  // nonzero ends a wait
  std::int64_t removal_timeout_ms = 60'000;
  bool dry_run = false;  // dryRun=All, nothing is stored
};

class KubeWriter {
 public:
  KubeWriter(KubeClient& client, base::Clock& clock, WriterOptions options)
      : client_(client), clock_(clock), options_(std::move(options)) {}

  base::Result<LiveObject> get(const kueue::ObjectKey& key);
  base::Result<std::vector<LiveObject>> get(const std::vector<kueue::ObjectKey>& keys);

  // Makes the object what is wanted, from what was read as `live`. Nothing is sent where the content is equal. A
  // LocalQueue that points elsewhere is replaced, since that field cannot change (CEL rule "field is immutable").
  // Conflict: somebody else made or changed it meanwhile, or owns a field that would have to change (each named
  // with its manager and both values) and is not among those to be taken over.
  // `reclaim`: the object was ours, and fields that others took since are taken back.
  base::Status write(const kueue::Object& wanted, LiveObject live, bool reclaim = false);

  // Makes the object what a snapshot holds: values first, then who owned them. `snapshot` not existing: removes it.
  base::Status put_back(const kueue::ObjectKey& key, doc::Node snapshot, LiveObject live);

  // Removes it and waits until it is gone. Interrupted when its finalizers keep it for longer than the time-out.
  base::Status remove(const kueue::ObjectKey& key, LiveObject live);

 private:
  base::Result<Json> create(const kueue::ObjectKey& key, const std::string& json);
  base::Status adopt_ownership(const kueue::ObjectKey& key, doc::Node live);
  base::Status apply(const kueue::Object& wanted, LiveObject live, bool reclaim);
  base::Status replace(const kueue::ObjectKey& key, const std::string& json);
  base::Status take_over(const kueue::Object& wanted, bool reclaim);
  base::Status force(const kueue::Object& wanted, const LiveObject& live);
  base::Status take_out_rest(const kueue::Object& wanted);
  base::Status disown(const kueue::ObjectKey& key, bool reclaim);
  base::Status patch_ownership(const kueue::ObjectKey& key, doc::Node live, const std::string& fields);
  base::Status put_content(const kueue::ObjectKey& key, doc::Node snapshot, LiveObject live);
  base::Status put_ownership(const kueue::ObjectKey& key, doc::Node snapshot);
  base::Status wait_until_gone(const kueue::ObjectKey& key);
  base::Status conflict(const kueue::Object& wanted, const LiveObject& live, const ApiAnswer& answer) const;
  bool may_take(const std::vector<std::string>& managers) const;
  std::string query(const std::string& path) const;

  KubeClient& client_;
  base::Clock& clock_;
  WriterOptions options_;
};

}  // namespace cmb2kueue::target
