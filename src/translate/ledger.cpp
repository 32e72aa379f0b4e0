// The ledger as a whole: what readers noted, the order of entries, and how one is made.
#include "cmb2kueue/translate/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "ledger_maker.h"

namespace cmb2kueue::translate {

using model::LossClass;
using model::TenantIndex;

// What is emulated names what provides it and how to see that it is there, in the catalogue's words.
LedgerEntry& LedgerMaker::entry(const Words& words) {
  const model::CatalogueEntry* row = model::find_entry(words.code);
  LedgerEntry made;
  made.code = words.code;
  made.loss = words.loss ? *words.loss : row == nullptr ? LossClass::gap : row->loss;
  made.field = words.field;
  made.what = words.what;
  made.remedy = words.remedy;
  if (made.loss == LossClass::emulated && row != nullptr)
    made.provider = fmt::format("{}; to be sure: {}", row->target, row->remedy);
  ledger_.push_back(std::move(made));
  return ledger_.back();
}

bool LedgerMaker::noted(std::string_view field) const {
  return std::any_of(work_.model.fields.begin(), work_.model.fields.end(),
                     [&](const model::FieldNote& note) { return note.field == field; });
}

void LedgerMaker::tenants(const Words& words, TenantValue value, base::Place model::Tenant::*place) {
  if (noted(words.field)) return;
  std::vector<LedgerItem> items;
  for (TenantIndex i = 0; i < work_.tenants.size(); ++i) {
    const std::uint64_t lost = value(work_, i);
    if (lost != 0) items.push_back({i, lost, work_.model.tenants[i].*place});
  }
  if (!items.empty()) entry(words).items = std::move(items);
}

void LedgerMaker::from_facts() {
  const std::vector<model::FieldFact>& facts = work_.model.facts;
  for (std::size_t from = 0; from < facts.size();) {
    const model::FieldNote& note = work_.model.fields[facts[from].field];
    LedgerEntry& one = entry({note.code, note.field, note.loss, note.remedy});
    std::size_t to = from;
    while (to < facts.size() && facts[to].field == facts[from].field) ++to;
    one.items.reserve(one.items.size() + to - from);
    for (; from < to; ++from) one.items.push_back({facts[from].tenant, facts[from].value, facts[from].place});
  }
}

void LedgerMaker::finish() {
  const auto before = [](const LedgerItem& a, const LedgerItem& b) {
    return std::tie(a.tenant, a.value, a.place.file, a.place.offset) <
           std::tie(b.tenant, b.value, b.place.file, b.place.offset);
  };
  for (LedgerEntry& one : ledger_)  // what readers noted comes in order already
    if (!std::is_sorted(one.items.begin(), one.items.end(), before))
      std::sort(one.items.begin(), one.items.end(), before);
  std::stable_sort(ledger_.begin(), ledger_.end(), [](const LedgerEntry& a, const LedgerEntry& b) {
    if (a.loss != b.loss) return a.loss > b.loss;
    return std::tie(a.code, a.field, a.what) < std::tie(b.code, b.field, b.what);
  });
}

Ledger LedgerMaker::make() {
  from_facts();
  from_tenants();
  from_left_behind();
  from_pools();
  from_envelope();
  from_policies();
  finish();
  return std::move(ledger_);
}

Ledger make_ledger(Work& work) {
  return LedgerMaker(work).make();
}

}  // namespace cmb2kueue::translate
