// Where objects live: a folder of manifests (dir:PATH), a cluster (kube:CONTEXT), memory (mem:, for tests and dry
// runs). Callers hold the abstract target; addresses are strings "kind:rest", and each kind is one file and one row
// in the table.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/base/clock.h"
#include "cmb2kueue/base/file.h"
#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/kueue/objects.h"
#include "cmb2kueue/target/kube_flags.h"

namespace cmb2kueue::target {

// What is written in one go: one shared object ("shared/cohort-<name>") or what a tenant owns ("tenants/<name>").
struct Bundle {
  std::string name;
  std::vector<kueue::Object> objects;  // in order of creation
  // What it may have held before and is to hold no more, besides `objects`: a folder knows its files, a cluster has
  // to be told which objects are meant.
  std::vector<kueue::ObjectKey> held = {};
  // On the way back: what others have changed since it was written (and has been kept aside) stands in nobody's
  // way.
  bool reclaim = false;
};

// A bundle by name and by the keys of everything it may hold, in order of creation.
struct BundleRef {
  std::string name;
  std::vector<kueue::ObjectKey> keys;

  BundleRef(std::string of, std::vector<kueue::ObjectKey> holding = {})  // NOLINT: a name alone is a bundle, too
      : name(std::move(of)), keys(std::move(holding)) {}
  BundleRef(const char* of) : name(of) {}  // NOLINT: likewise
};
std::vector<kueue::ObjectKey> keys_of(const std::vector<kueue::Object>& objects);

// What is there. `version` is opaque and changes with every change of content.
struct Live {
  kueue::Object object;
  std::string bundle;   // "" when it is not in one of ours
  std::string version;  // of its bundle
  std::string where;    // file, for messages
  base::Place place;
};

// A bundle as it stood, to the byte.
struct Image {
  std::string bundle;
  bool existed = false;
  std::string version;                      // "" when it did not exist
  std::string bytes;                        // opaque to everybody but the target
  std::vector<kueue::ObjectKey> keys = {};  // as asked for
};

// Something that does not take work although it should, in the words of whoever decides that.
struct Unready {
  kueue::ObjectKey key;
  std::string reason;   // "FlavorNotFound", "NoStatusYet", "OldGeneration", "NotThere", ...
  std::string message;  // as the controller says it
  std::string since;    // RFC 3339, "" when nobody says
};

// Who wrote which fields of an object last (metadata.managedFields), leaves only, sorted.
struct Ownership {
  std::string manager;              // "kubectl-edit"
  std::string time;                 // RFC 3339
  std::vector<std::string> fields;  // "spec.resourceGroups"
};

// What the workloads of a ClusterQueue reserve and how many there are, as its status says.
struct QueueUse {
  struct Row {
    std::string flavor, resource;
    base::Quantity used;
  };
  std::string cluster_queue;
  std::vector<Row> rows;  // status.flavorsReservation
  std::int64_t pending = 0, reserving = 0, admitted = 0;
};

// What only a live cluster can tell or do. Kinds of errors: cluster, not_found.
class Cluster {
 public:
  virtual ~Cluster() = default;

  // Of the API server's own making, never the same for two clusters: the uid of the namespace kube-system.
  virtual base::Result<std::string> identity() = 0;

  // Those of the objects that are not ready now: queues that are not Active at their current generation, anything
  // that is not there.
  virtual base::Result<std::vector<Unready>> unready(const std::vector<kueue::ObjectKey>& keys) = 0;

  // What runs and waits in every ClusterQueue of ours, sorted by name. One LIST.
  virtual base::Result<std::vector<QueueUse>> queue_use() = 0;

  // Everybody but us who owns fields of the object outside its status; empty when it is not there.
  virtual base::Result<std::vector<Ownership>> owners(const kueue::ObjectKey& key) = 0;

  // Something of somebody's that lies in the namespace, besides `leaving` and what every namespace has; "" when
  // nothing does.
  virtual base::Result<std::string> inhabitant(const std::string& name_space,
                                               const std::vector<kueue::ObjectKey>& leaving) = 0;

  // What stands in the way of writing here at all, before anything is written: rights that are missing for a write
  // or its undoing, a version of Kueue with defects on the way back, fair sharing that is off, webhooks that do not
  // answer. Findings have ids K-...; those of severity error stop a cutover.
  virtual base::Status examine(base::Findings& findings) = 0;

  // What writing the bundle would be answered, without writing it (dryRun=All).
  virtual base::Status rehearse(const Bundle& bundle) = 0;
};

// Kinds of errors: conflict when a precondition does not hold (names what was found), not_found, io, cluster.
class Target {
 public:
  virtual ~Target() = default;

  // Everything readable below the target (of a cell: below its folder), sorted by key; objects of kinds we do not
  // model too. Findings: V-UNREADABLE for what cannot be parsed (error in a bundle of ours, else warning) and
  // V-TWICE for an object in two files (error when one of them is ours, else note).
  virtual base::Result<std::vector<Live>> list(base::SourceFiles& files, base::Findings& findings) = 0;

  // The bundle as it stands. Conflict when something that is no file has its name.
  virtual base::Result<Image> capture(const BundleRef& bundle) = 0;

  // Writes the bundle whole if its version is still `expected` ("" demands that it does not exist yet); a bundle
  // without objects is removed. Returns the new version ("" when removed).
  virtual base::Result<std::string> put(const Bundle& bundle, const std::string& expected) = 0;

  // The version the bundle will have after put(), so that an intent can be recorded with its result before the
  // write. Call capture() first: a cluster leaves namespaces of others alone, and has to have seen them.
  virtual std::string version_after(const Bundle& bundle) = 0;

  // Puts an image back to the byte if the version is still `expected`.
  virtual base::Status restore(const Image& image, const std::string& expected) = 0;

  // The store for state, journal and lock that lives with the objects: names are relative paths. Not null.
  virtual base::FileSystem& records() = 0;

  // What a live cluster adds; nullptr for a folder.
  virtual Cluster* cluster() { return nullptr; }
};

// True when a bundle with version `now` is `before`, or `after`, or half way from one to the other: what a write
// that was cut off leaves, since a cluster takes objects one by one.
bool is_between(const std::string& now, const std::string& before, const std::string& after);

// Fingerprint of bytes, empty ones too: the version of a bundle that is a file, and what snapshots are checked by.
std::string version_of(const std::string& bytes);

struct Address {
  std::string kind;  // "dir", "kube", "mem"
  std::string rest;
  std::string text;  // as typed
};
base::Result<Address> parse_address(const std::string& text);

struct TargetKind {
  std::string_view kind, form, summary;  // "dir", "dir:PATH", one line for help and manual
};
const std::vector<TargetKind>& target_kinds();

// What a target of this kind cannot observe (readiness, running work), one line each, for findings "not checked".
std::vector<std::string> not_observed(const Address& address);

// How targets are opened, besides their address.
struct OpenOptions {
  KubeFlags kube;
  std::vector<std::string> take_over;  // field managers whose fields may be taken from them
  bool accept_defects = false;         // of the release of Kueue found there
  std::int64_t patience_ms = 40'000;   // how long requests are repeated that cannot be answered now
  base::Clock* clock = nullptr;
  const volatile int* stop = nullptr;  // nonzero ends waits
  std::string user_agent = "cmb2kueue";
  // Where warnings of the server go, each text once.
  std::function<void(const std::string&)> warn;
};

// Opens a target for one cell; `cell` is the sub-folder of ours when there are several cells, "" for one. `fs` must
// outlive the target. A cluster is one cell.
base::Result<std::unique_ptr<Target>> open(const Address& address, const std::string& cell, base::FileSystem& fs,
                                           const OpenOptions& options = {});

}  // namespace cmb2kueue::target
