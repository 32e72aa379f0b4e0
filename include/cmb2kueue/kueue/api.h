// How API versions spell the objects: v1beta2 is written and read, v1beta1 is read. A new version is one file and
// one row in the table behind versions().
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/doc/tree.h"
#include "cmb2kueue/kueue/objects.h"

namespace cmb2kueue::kueue {

struct Version {
  std::string_view name;  // "kueue.x-k8s.io/v1beta2"
  bool written = false;
  std::string_view note;  // for the manual
};
const std::vector<Version>& versions();

// One object as a map in the fixed key order apiVersion, kind, metadata, spec (as kubectl prints v1beta2). Values
// equal to what the server would fill in are written as the server would return them, so that what is written is
// what comes back; quantities are canonical text.
void encode(const Object& object, doc::Sink& sink);
std::string to_yaml(const Object& object);                // one document without "---"
std::string to_yaml(const std::vector<Object>& objects);  // "---" before each document but the first

// What a document turned out to be.
struct Decoded {
  Object object;
  base::Place place;        // of the document
  std::string api_version;  // as written
  bool judged = true;       // false: a kind or group this tool has no rules for (Other)
  doc::Node node;           // where it was read from, for places of single fields; lives as long as its Document
};

// Reads one document. Unknown and misspelt fields, wrong types, bad quantities and enumeration words, missing
// required fields become findings (ids KS-...) with field path and place, all in one pass; the object holds what
// could be read. `kind: List` and typed lists are unfolded. Server-owned metadata, status and kubectl's
// last-applied annotation are ignored. v1beta1 is converted as Kueue converts it
// (apis/kueue/v1beta1/*_conversion.go); a document of a version Kueue serves no more is reported and left out.
// Null counts as absent, as the API server prunes it. What the webhooks judge (names of objects, counts, quotas) is
// left to check, so that objects that were never text are judged by the same rules.
std::vector<Decoded> decode(doc::Node document, base::Findings& findings);

// The rules decode applies, for `explain` and the manual.
struct SchemaRule {
  std::string_view id;
  base::Severity severity;
  std::string_view summary;
};
const std::vector<SchemaRule>& schema_rules();

}  // namespace cmb2kueue::kueue
