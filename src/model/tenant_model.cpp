// Lookups over a model. Tenants are in depth-first order, so a subtree is a range.
#include "cmb2kueue/model/tenant_model.h"

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::model {

namespace {

base::Status ambiguous(const Model& model, const std::string& name, const std::vector<TenantIndex>& found) {
  std::string paths;
  for (const TenantIndex tenant : found) paths += (paths.empty() ? "" : ", ") + model.tenants[tenant].path;
  return base::Status(base::ErrorKind::usage,
                      base::counted(found.size(), "tenant") + " have the name " + base::quoted(name) + ": " + paths,
                      "name one by its path or id");
}

base::Status unknown(const Model& model, const std::string& selector) {
  constexpr std::size_t most_compared = 20'000;
  std::vector<std::string> candidates;
  for (const Tenant& tenant : model.tenants) {
    if (candidates.size() >= most_compared) break;
    candidates.push_back(selector.starts_with("/") ? tenant.path : tenant.name);
  }
  return base::Status(base::ErrorKind::not_found,
                      "there is no tenant " + base::quoted(selector) + base::did_you_mean(selector, candidates),
                      "name it by id, by path such as /a/b, or by a name that only one tenant has");
}

}  // namespace

base::Result<TenantIndex> find_tenant(const Model& model, const std::string& selector) {
  std::vector<TenantIndex> by_path, by_name;
  for (TenantIndex i = 0; i < model.tenants.size(); ++i) {
    const Tenant& tenant = model.tenants[i];
    if (tenant.id == selector) return i;
    if (tenant.path == selector) by_path.push_back(i);
    if (tenant.name == selector) by_name.push_back(i);
  }
  const std::vector<TenantIndex>& found = by_path.empty() ? by_name : by_path;
  if (found.size() == 1) return found[0];
  return found.empty() ? unknown(model, selector) : ambiguous(model, selector, found);
}

TenantIndex subtree_end(const Model& model, TenantIndex tenant) {
  TenantIndex end = tenant + 1;
  while (end < model.tenants.size() && model.tenants[end].depth > model.tenants[tenant].depth) ++end;
  return end;
}

std::vector<TenantIndex> leaves_below(const Model& model, TenantIndex tenant) {
  std::vector<TenantIndex> leaves;
  for (TenantIndex i = tenant; i < subtree_end(model, tenant); ++i)
    if (model.tenants[i].type == TenantType::leaf) leaves.push_back(i);
  return leaves;
}

}  // namespace cmb2kueue::model
