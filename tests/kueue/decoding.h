// Decoding manifests in tests: the texts stay alive with what was read from them.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/kueue/api.h"

namespace cmb2kueue::testing {

struct Decoding {
  explicit Decoding(const std::string& text) {
    base::Result<std::vector<doc::Document>> parsed = doc::parse_all(files, files.add("m.yaml", text));
    if (!parsed.ok()) return;
    documents = std::move(parsed).value();
    for (const doc::Document& document : documents)
      for (kueue::Decoded& one : kueue::decode(document.root(), findings)) all.push_back(std::move(one));
  }

  template <class Kind>
  const Kind& object(std::size_t index = 0) const {
    return std::get<Kind>(all.at(index).object);
  }

  // "KS-TYPE m.yaml:3:5 spec.x: message [advice]", one line each.
  std::string told() const {
    std::string text;
    for (const base::FoldedFinding& finding : findings.sorted())
      for (const base::FoldedFinding::Instance& at : finding.instances)
        text += finding.rule + " " + files.describe(at.place) + " " + at.field + ": " + finding.message + " [" +
                finding.advice + "]\n";
    return text;
  }

  // Ids with their counts.
  std::map<std::string, std::uint64_t> rules() const {
    std::map<std::string, std::uint64_t> counts;
    for (const base::FoldedFinding& finding : findings.sorted()) counts[finding.rule] += finding.count;
    return counts;
  }

  base::SourceFiles files;
  base::Findings findings;
  std::vector<doc::Document> documents;
  std::vector<kueue::Decoded> all;
};

// A document of the v1beta2 kind with the given spec, a flow map.
inline std::string manifest(const std::string& kind, const std::string& name, const std::string& spec,
                            const std::string& version = "v1beta2") {
  return "apiVersion: kueue.x-k8s.io/" + version + "\nkind: " + kind + "\nmetadata: {name: " + name +
         "}\nspec: " + spec + "\n---\n";
}

}  // namespace cmb2kueue::testing
