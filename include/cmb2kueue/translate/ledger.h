// The loss ledger: every field of the export that no object carries, or carries with a changed meaning. One entry
// a kind of loss, with everybody it concerns; acceptances bind to the content they accepted.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "cmb2kueue/base/place.h"
#include "cmb2kueue/base/status.h"
#include "cmb2kueue/model/catalogue.h"
#include "cmb2kueue/model/tenant_model.h"

namespace cmb2kueue::translate {

struct LedgerItem {
  model::TenantIndex tenant = model::no_tenant;  // no_tenant: the export as a whole
  std::uint64_t value = 0;                       // fingerprint of what was lost
  base::Place place;
};

struct LedgerEntry {
  std::string code;  // "C-09"
  model::LossClass loss = model::LossClass::lossy;
  std::string field;  // the source's field
  std::string what;   // what is lost or changes meaning
  std::string remedy;
  std::string provider;           // emulated only: what provides it and how to probe that it is there
  std::vector<LedgerItem> items;  // sorted by tenant (the export as a whole last), value, place
};

// Sorted by class (gap, lossy, emulated, exact), then code, then field.
using Ledger = std::vector<LedgerEntry>;

// One accepted loss: a code for a subtree, by whom, why and until when, bound to the content it was shown with.
struct Acceptance {
  std::string code;
  std::string subtree;  // tenant id or path; "*" for the whole export
  std::string who, why;
  std::string until;    // RFC 3339 date, inclusive; "" never ends
  std::string content;  // what content_of() gave; a change of content ends the acceptance
  base::Place place;
};

// Reads an acceptance file (YAML, man/cmb2kueue-mapping.5); unknown keys and words are errors.
base::Result<std::vector<Acceptance>> load_acceptances(base::SourceFiles& files, std::uint32_t file,
                                                       base::Findings& findings);

// The fingerprint of a code's lossy and gap items within the subtree.
std::string content_of(const Ledger& ledger, const model::Model& model, const std::string& code,
                       model::TenantIndex subtree_root);

// Lossy and gap codes of this tenant (its ancestors' and the export's entries included) that no acceptance covers
// on that day ("YYYY-MM-DD"), with why: missing, ended, content changed, or given for somebody the export does not
// have. Sorted by code.
struct Unaccepted {
  std::string code, why;
};
std::vector<Unaccepted> unaccepted(const Ledger& ledger, const model::Model& model, model::TenantIndex tenant,
                                   const std::vector<Acceptance>& acceptances, const std::string& today);

// The same for many tenants: what does not depend on the tenant is worked out once, then a tenant costs its depth
// and the acceptances. Keeps references to all three.
class AcceptanceBook {
 public:
  AcceptanceBook(const Ledger& ledger, const model::Model& model, const std::vector<Acceptance>& acceptances,
                 std::string today);
  std::vector<Unaccepted> unaccepted(model::TenantIndex tenant) const;

 private:
  struct Entry {
    const Acceptance* acceptance = nullptr;
    model::TenantIndex first = 0, end = 0;  // the tenants it covers
    bool elsewhere = false;                 // it names a tenant the export does not have
    std::string objection;                  // why it does not count; "" when it does
  };
  bool loses(const LedgerEntry& entry, model::TenantIndex tenant) const;
  Entry judge(const Acceptance& acceptance) const;

  const Ledger& ledger_;
  const model::Model& model_;
  std::string today_;
  std::vector<Entry> entries_;
};

// A ready acceptance file for what these subtrees lose, each on its own (no_tenant: the whole export), with `who`
// and `why` left for a person to fill in and the loss told in a comment.
std::string propose_acceptances(const Ledger& ledger, const model::Model& model,
                                const std::vector<model::TenantIndex>& subtree_roots);

}  // namespace cmb2kueue::translate
