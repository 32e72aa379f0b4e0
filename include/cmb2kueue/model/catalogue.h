// The catalogue of what a source API promises and what becomes of it: one row per C- (tenants and capacity), J-
// (jobs) and A- (accumulators) code. The loss ledger, `explain` and the manual all read this one table.
#pragma once
#include <string_view>
#include <vector>

namespace cmb2kueue::model {

enum class LossClass {
  exact,     // the same promise, kept by an object
  emulated,  // kept, by something besides plain objects (a controller setting, an annotation, a companion)
  lossy,     // kept in part
  gap,       // not kept
};
const char* to_string(LossClass loss);

struct CatalogueEntry {
  std::string_view code;  // "C-09"
  LossClass loss;
  std::string_view subject;  // the operation or field in the source's words
  std::string_view target;   // what stands for it
  std::string_view lost;     // what is lost; "" when exact
  std::string_view remedy;   // what an operator can do
};

// All rows, in the order C, J, A and by number.
const std::vector<CatalogueEntry>& catalogue();

// The row of a code, or nullptr.
const CatalogueEntry* find_entry(std::string_view code);

}  // namespace cmb2kueue::model
