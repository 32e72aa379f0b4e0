// Where objects live: a folder of manifests (dir:PATH), memory (mem:, for tests and dry runs). Callers hold the
// abstract target; addresses are strings "kind:rest", and each kind is one file and one row in the table.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/base/file.h"
#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::target {

// What is written in one go: one shared object ("shared/cohort-<name>") or what a tenant owns ("tenants/<name>").
struct Bundle {
  std::string name;
  std::vector<kueue::Object> objects;  // in order of creation
};

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
  std::string version;  // "" when it did not exist
  std::string bytes;    // opaque to everybody but the target
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
  virtual base::Result<Image> capture(const std::string& bundle) = 0;

  // Writes the bundle whole if its version is still `expected` ("" demands that it does not exist yet); a bundle
  // without objects is removed. Returns the new version ("" when removed).
  virtual base::Result<std::string> put(const Bundle& bundle, const std::string& expected) = 0;

  // What put() would leave as bytes, so that an intent can be recorded with its result before the write.
  virtual std::string preview(const Bundle& bundle) = 0;

  // Puts an image back to the byte if the version is still `expected`.
  virtual base::Status restore(const Image& image, const std::string& expected) = 0;

  // The store for state, journal and lock that lives with the objects: names are relative paths. Not null.
  virtual base::FileSystem& records() = 0;
};

// Version of a bundle with these bytes, empty ones too; a bundle that does not exist has the version "".
std::string version_of(const std::string& bytes);

struct Address {
  std::string kind;  // "dir", "mem"
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

// Opens a target for one cell; `cell` is the sub-folder of ours when there are several cells, "" for one. `fs` must
// outlive the target.
base::Result<std::unique_ptr<Target>> open(const Address& address, const std::string& cell, base::FileSystem& fs);

}  // namespace cmb2kueue::target
