// Acceptances: who answers for a loss, for whom, until when, and for which content of it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cmb2kueue/base/clock.h"
#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/doc/map_reader.h"
#include "cmb2kueue/doc/parse.h"
#include "cmb2kueue/translate/ledger.h"
#include "work.h"

namespace cmb2kueue::translate {

namespace {

using model::no_tenant;
using model::TenantIndex;

constexpr const char* nobody_has = "nobody has accepted it";

base::Severity always_error(std::string_view) {
  return base::Severity::error;
}

bool needs_acceptance(const LedgerEntry& entry) {
  return entry.loss == model::LossClass::lossy || entry.loss == model::LossClass::gap;
}

Acceptance read_acceptance(doc::MapReader& item) {
  Acceptance one;
  one.place = item.place();
  one.code = item.text("code", true);
  one.subtree = item.text("subtree", true);
  one.who = item.text("who", true);
  one.why = item.text("why", true);
  one.until = item.text("until");
  one.content = item.text("content", true);
  if (!one.code.empty() && model::find_entry(one.code) == nullptr) {
    std::vector<std::string> codes;
    for (const model::CatalogueEntry& row : model::catalogue()) codes.emplace_back(row.code);
    item.report("CODE", "there is no code " + base::quoted(one.code) + base::did_you_mean(one.code, codes),
                "cmb2kueue explain lists all codes", "code");
  }
  for (const char* key : {"who", "why"})
    if (item.has(key) && (std::string_view(key) == "who" ? one.who : one.why).empty())
      item.report("REQUIRED", fmt::format("{} is empty", key), "an acceptance says who answers for it and why",
                  key);
  if (!one.until.empty() && base::parse_rfc3339(one.until + "T00:00:00Z") < 0)
    item.report("DATE", base::quoted(one.until) + " is not a date", "write it as 2026-03-31", "until");
  return one;
}

bool concerns(const model::Model& model, TenantIndex item, TenantIndex root, TenantIndex end) {
  if (item == no_tenant || root == no_tenant) return true;
  if (item >= root && item < end) return true;
  for (TenantIndex at = model.tenants[root].parent; at != no_tenant; at = model.tenants[at].parent)
    if (at == item) return true;  // what an ancestor loses, its subtree loses
  return false;
}

std::uint64_t hash_items(const LedgerEntry& entry, const model::Model& model, TenantIndex root, TenantIndex end,
                         std::uint64_t seed) {
  std::uint64_t hash = base::fnv1a(entry.field, seed);
  for (const LedgerItem& item : entry.items) {
    if (!concerns(model, item.tenant, root, end)) continue;
    const std::string_view id =
        item.tenant == no_tenant ? std::string_view() : std::string_view(model.tenants[item.tenant].id);
    hash = base::fnv1a(id, hash) ^ item.value;
    hash *= 1099511628211ULL;
  }
  return hash;
}

// Whether anything of an entry concerns the subtree. Items are sorted by tenant.
bool any_concerns(const LedgerEntry& entry, const model::Model& model, TenantIndex root, TenantIndex end) {
  if (root == no_tenant) return !entry.items.empty();
  const auto from = [&](TenantIndex tenant) {
    return std::lower_bound(entry.items.begin(), entry.items.end(), tenant,
                            [](const LedgerItem& item, TenantIndex wanted) { return item.tenant < wanted; });
  };
  const auto within = from(root);
  if (within != entry.items.end() && within->tenant < end) return true;
  if (from(no_tenant) != entry.items.end()) return true;
  for (TenantIndex at = model.tenants[root].parent; at != no_tenant; at = model.tenants[at].parent) {
    const auto above = from(at);
    if (above != entry.items.end() && above->tenant == at) return true;
  }
  return false;
}

// How a file names the tenant so that it is found again: by path where only one has it.
std::string selector_of(const model::Model& model, TenantIndex root) {
  if (root == no_tenant) return "*";
  const model::Tenant& tenant = model.tenants[root];
  const base::Result<TenantIndex> found = model::find_tenant(model, tenant.path);
  return found.ok() && found.value() == root ? tenant.path : tenant.id;
}

}  // namespace

base::Result<std::vector<Acceptance>> load_acceptances(base::SourceFiles& files, std::uint32_t number,
                                                       base::Findings& findings) {
  const base::Result<doc::Document> document = doc::parse_one(files, number);
  if (!document.ok()) return document.status();
  doc::ReadContext context{findings, "T-ACCEPT-", always_error, "", "an acceptance file", "remove it"};
  doc::MapReader file(document.value().root(), "", context);
  const std::string version = file.text("apiVersion", true), kind = file.text("kind", true);
  if (version != "cmb2kueue.io/v1alpha1" || kind != "Acceptances")
    file.report("KIND", "this is not an acceptance file",
                "start it with apiVersion: cmb2kueue.io/v1alpha1 and kind: Acceptances", "kind");
  std::vector<Acceptance> all;
  file.items("acceptances", 0, 1'000'000, true,
             [&](doc::MapReader& item) { all.push_back(read_acceptance(item)); });
  file.finish();
  return all;
}

std::string content_of(const Ledger& ledger, const model::Model& model, const std::string& code, TenantIndex root) {
  const TenantIndex end = root == no_tenant ? no_tenant : model::subtree_end(model, root);
  std::uint64_t hash = base::fnv1a(code);
  for (const LedgerEntry& entry : ledger) {
    if (entry.code != code || !needs_acceptance(entry)) continue;
    if (any_concerns(entry, model, root, end)) hash = hash_items(entry, model, root, end, hash);
  }
  return fmt::format("{:016x}", hash);
}

AcceptanceBook::AcceptanceBook(const Ledger& ledger, const model::Model& model,
                               const std::vector<Acceptance>& acceptances, std::string today)
    : ledger_(ledger), model_(model), today_(std::move(today)) {
  for (const Acceptance& one : acceptances) entries_.push_back(judge(one));
}

AcceptanceBook::Entry AcceptanceBook::judge(const Acceptance& one) const {
  Entry entry{&one, 0, static_cast<TenantIndex>(model_.tenants.size()), false, ""};
  TenantIndex root = no_tenant;
  if (one.subtree != "*") {
    const base::Result<TenantIndex> found = model::find_tenant(model_, one.subtree);
    if (!found.ok()) {
      entry.elsewhere = true;
      entry.objection = fmt::format("what {} accepted is for {}: {}", one.who, base::quoted(one.subtree),
                                    found.status().message());
      return entry;
    }
    root = entry.first = found.value();
    entry.end = model::subtree_end(model_, root);
  }
  if (!one.until.empty() && today_ > one.until)
    entry.objection = fmt::format("the acceptance by {} ended on {}", one.who, one.until);
  else if (one.content != content_of(ledger_, model_, one.code, root))
    entry.objection = fmt::format("what {} accepted has changed since", one.who);
  return entry;
}

bool AcceptanceBook::loses(const LedgerEntry& entry, TenantIndex tenant) const {
  return needs_acceptance(entry) && any_concerns(entry, model_, tenant, tenant + 1);
}

std::vector<Unaccepted> AcceptanceBook::unaccepted(TenantIndex tenant) const {
  std::map<std::string, std::string> open;  // code -> why
  for (const LedgerEntry& entry : ledger_)
    if (loses(entry, tenant)) open.emplace(entry.code, nobody_has);
  for (const Entry& entry : entries_) {
    const auto found = open.find(entry.acceptance->code);
    if (found == open.end() || tenant < entry.first || tenant >= entry.end) continue;
    if (entry.objection.empty())
      open.erase(found);
    else if (!entry.elsewhere || found->second == nobody_has)
      found->second = entry.objection;
  }
  std::vector<Unaccepted> result;
  for (const auto& [code, why] : open) result.push_back({code, why});
  return result;
}

std::vector<Unaccepted> unaccepted(const Ledger& ledger, const model::Model& model, TenantIndex tenant,
                                   const std::vector<Acceptance>& acceptances, const std::string& today) {
  return AcceptanceBook(ledger, model, acceptances, today).unaccepted(tenant);
}

namespace {

// The lossy and gap codes of each subtree, with the first loss of each.
using Codes = std::map<std::string, const LedgerEntry*>;

Codes codes_of(const Ledger& ledger, const model::Model& model, TenantIndex root) {
  Codes codes;
  const TenantIndex end = root == no_tenant ? no_tenant : model::subtree_end(model, root);
  for (const LedgerEntry& entry : ledger)
    if (needs_acceptance(entry) && any_concerns(entry, model, root, end)) codes.try_emplace(entry.code, &entry);
  return codes;
}

std::string told(const Codes& codes) {
  std::string text;
  for (const auto& [code, entry] : codes) {
    const model::CatalogueEntry* row = model::find_entry(code);
    text += fmt::format("#   {}  {}\n", code, row == nullptr ? entry->what : std::string(row->lost));
  }
  return text;
}

}  // namespace

std::string propose_acceptances(const Ledger& ledger, const model::Model& model,
                                const std::vector<TenantIndex>& roots) {
  Codes all;
  for (const TenantIndex root : roots) all.merge(codes_of(ledger, model, root));
  std::string out =
      "# Fill in who and why for what you accept; remove the rest. An acceptance ends when what it stands\n"
      "# for changes (content), or on the day `until`. What is lost (explain CODE says more):\n" +
      told(all);
  doc::YamlSink sink(out);
  sink.open_map();
  sink.text_field("apiVersion", "cmb2kueue.io/v1alpha1");
  sink.text_field("kind", "Acceptances");
  sink.field("acceptances");
  sink.open_list();
  for (const TenantIndex root : roots)
    for (const auto& [code, entry] : codes_of(ledger, model, root)) {
      sink.open_map();
      sink.text_field("code", code);
      sink.text_field("subtree", selector_of(model, root));
      sink.text_field("who", "");
      sink.text_field("why", "");
      sink.text_field("content", content_of(ledger, model, code, root));
      sink.close();
    }
  sink.close();
  sink.close();
  return out;
}

}  // namespace cmb2kueue::translate
