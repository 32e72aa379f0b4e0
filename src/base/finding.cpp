// Folding and sorting of findings.
#include "cmb2kueue/base/finding.h"

#include <algorithm>
#include <tuple>

namespace cmb2kueue::base {

namespace {

std::string fold_key(const Finding& finding) {
  std::string key = finding.rule;
  key += '\0';
  key += static_cast<char>('0' + static_cast<int>(finding.severity));
  key += finding.message;
  key += '\0';
  key += finding.advice;
  return key;
}

bool before(const FoldedFinding::Instance& a, const FoldedFinding::Instance& b) {
  return std::tie(a.place.file, a.place.offset, a.subject, a.field) <
         std::tie(b.place.file, b.place.offset, b.subject, b.field);
}

bool before_folded(const FoldedFinding& a, const FoldedFinding& b) {
  if (a.severity != b.severity) return a.severity > b.severity;
  if (a.rule != b.rule) return a.rule < b.rule;
  const FoldedFinding::Instance& first_a = a.instances.front();
  const FoldedFinding::Instance& first_b = b.instances.front();
  if (before(first_a, first_b) || before(first_b, first_a)) return before(first_a, first_b);
  return std::tie(a.message, a.advice) < std::tie(b.message, b.advice);
}

}  // namespace

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "error";
}

void Findings::add(Finding finding) {
  const auto [slot, fresh] = index_.try_emplace(fold_key(finding), folded_.size());
  if (fresh)
    folded_.push_back(
        {finding.rule, finding.severity, std::move(finding.message), std::move(finding.advice), 0, {}});
  FoldedFinding& folded = folded_[slot->second];
  ++folded.count;
  folded.instances.push_back({std::move(finding.subject), std::move(finding.field), finding.place});
}

void Findings::add_all(const Findings& others) {
  for (const FoldedFinding& folded : others.folded_)
    for (const FoldedFinding::Instance& instance : folded.instances)
      add({folded.rule, folded.severity, folded.message, folded.advice, instance.subject, instance.field,
           instance.place});
}

std::uint64_t Findings::count(Severity at_least) const {
  std::uint64_t count = 0;
  for (const FoldedFinding& folded : folded_)
    if (folded.severity >= at_least) count += folded.count;
  return count;
}

std::vector<FoldedFinding> Findings::sorted() const {
  std::vector<FoldedFinding> all = folded_;
  for (FoldedFinding& folded : all) std::sort(folded.instances.begin(), folded.instances.end(), before);
  std::sort(all.begin(), all.end(), before_folded);
  return all;
}

}  // namespace cmb2kueue::base
