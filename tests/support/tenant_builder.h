// Models built by hand, a tenant in one line: tests of what comes after reading need no export file.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cmb2kueue/model/tenant_model.h"

namespace cmb2kueue::testing {

// Counts by resource name: {{"cpu", 10}, {"memoryMB", 2048}}.
using Counts = std::vector<std::pair<std::string, std::int64_t>>;

class TenantBuilder {
 public:
  // A CMB model with the resources cpu, memoryMB, diskMB, networkMbps and gpu, one cell "default" and no pool.
  TenantBuilder();

  // Both add a tenant below `parent` (an id; "" for a root) and make it the one the calls below change. Its id is
  // its name unless id() says otherwise. Add parents before children and subtrees one after the other.
  TenantBuilder& internal(const std::string& name, const std::string& parent = "");
  TenantBuilder& leaf(const std::string& name, const std::string& parent = "");

  TenantBuilder& id(const std::string& id);
  TenantBuilder& reserve(const Counts& shape, std::int64_t instances = 1);
  TenantBuilder& lendable();
  TenantBuilder& maximum(const Counts& counts);
  TenantBuilder& weight(std::uint32_t weight);
  TenantBuilder& limit(std::uint32_t tasks);
  TenantBuilder& pool_of_group(const std::string& resource_pool);
  TenantBuilder& percent(const std::vector<std::pair<std::string, std::uint32_t>>& cells);
  TenantBuilder& attribute(const std::string& key, const std::string& value);
  TenantBuilder& state(model::TenantState state);
  model::Tenant& tenant() { return model_.tenants.back(); }

  // Replaces the cells. Give them sorted by name.
  TenantBuilder& cells(const std::vector<std::pair<std::string, std::uint32_t>>& percent);
  TenantBuilder& shared(const std::string& name, const Counts& counts, const std::string& resource_pool = "");
  // A model of another system, with resources of its own.
  TenantBuilder& system(const std::string& name, const std::vector<model::Resource>& resources);

  model::Model& model() { return model_; }
  model::Amounts amounts(const Counts& counts) const;

 private:
  TenantBuilder& add(const std::string& name, const std::string& parent, model::TenantType type);
  model::Model model_;
};

}  // namespace cmb2kueue::testing
