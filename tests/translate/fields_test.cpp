// Scenario 39: no field of the model is dropped in silence. Whatever is changed, a manifest (annotations aside) or
// a ledger entry changes with it. What is not listed below is derived from other fields (path, depth, content),
// says where something stood (places), or names the export itself, which plans record (export_id, exported_at).
#include <functional>

#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using model::Model;
using testing::TenantBuilder;

struct Mutation {
  const char* field;
  std::function<void(Model&)> change;
};

// org > a (everything set), b; two cells; a pool, a group, a policy, an enrolment.
Model full_model() {
  TenantBuilder tree;
  tree.cells({{"east", 60}, {"west", 40}});
  tree.internal("org").reserve({{"cpu", 100}, {"gpu", 8}}).weight(2).limit(50);
  tree.leaf("a", "org").reserve({{"cpu", 2}, {"memoryMB", 64}}, 5).weight(3).limit(7).attribute("k", "v");
  tree.tenant().email = "a@example.com";
  tree.tenant().description = "words";
  tree.tenant().capacity_group = "g";
  tree.percent({{"east", 50}, {"west", 50}}).maximum({{"cpu", 90}});
  tree.leaf("b", "org");
  tree.shared("pool", {{"cpu", 40}});
  Model& model = tree.model();
  model.capacity_groups = {{"g", "", "Flex", tree.amounts({{"cpu", 10}}), {{"east", 100}}, {}}};
  model.priorities.given = true;
  model.priorities.class_base = {{"Normal", 5}};
  model.enrollment = {{1, model::EnrollmentState::enrolled}};
  return model;
}

const std::vector<Mutation>& tenant_texts() {
  static const std::vector<Mutation> all = {
      {"id", [](Model& m) { m.tenants[1].id = "a2"; }},
      {"name", [](Model& m) { m.tenants[1].name = "other"; }},
      {"name of a root", [](Model& m) { m.tenants[0].name = "other"; }},
      {"email", [](Model& m) { m.tenants[1].email = "b@example.com"; }},
      {"description", [](Model& m) { m.tenants[1].description = "other words"; }},
      {"attribute key", [](Model& m) { m.tenants[1].attributes[0].first = "k2"; }},
      {"attribute value", [](Model& m) { m.tenants[1].attributes[0].second = "v2"; }},
      {"capacity_group", [](Model& m) { m.tenants[1].capacity_group = "h"; }},
      {"resource_pool", [](Model& m) { m.tenants[1].resource_pool = "p"; }},
      {"type", [](Model& m) { m.tenants[2].type = model::TenantType::internal; }},
      {"state removing", [](Model& m) { m.tenants[1].state = model::TenantState::removing; }},
      {"state removed", [](Model& m) { m.tenants[2].state = model::TenantState::removed; }},
      {"parent", [](Model& m) { m.tenants[2].parent = model::no_tenant, m.tenants[2].depth = 0; }},
      {"synthetic", [](Model& m) { m.tenants[1].synthetic = true; }},
      {"request_pending", [](Model& m) { m.tenants[1].request_pending = true; }},
  };
  return all;
}

const std::vector<Mutation>& tenant_numbers() {
  static const std::vector<Mutation> all = {
      {"concurrency_limit", [](Model& m) { m.tenants[1].concurrency_limit = 8; }},
      {"concurrency_limit of a parent", [](Model& m) { m.tenants[0].concurrency_limit = 0; }},
      {"weight", [](Model& m) { m.tenants[1].weight = 4; }},
      {"weight unset", [](Model& m) { m.tenants[1].weight.reset(); }},
      {"weight zero", [](Model& m) { m.tenants[2].weight = 0; }},
      {"weight one", [](Model& m) { m.tenants[2].weight = 1; }},
      {"reservation total", [](Model& m) { m.tenants[1].reservation->total[0].count = 11; }},
      {"reservation shape", [](Model& m) { m.tenants[1].reservation->shape[0].count = 1; }},
      {"reservation instances", [](Model& m) { m.tenants[1].reservation->instances = 10; }},
      {"reservation lendable", [](Model& m) { m.tenants[1].reservation->lendable = true; }},
      {"reservation of a parent", [](Model& m) { m.tenants[0].reservation->total[1].count = 9; }},
      {"maximum", [](Model& m) { m.tenants[1].maximum[0].count = 91; }},
      {"cell_percent",
       [](Model& m) {
         m.tenants[1].cell_percent = {{"east", 70}, {"west", 30}};
       }},
      {"cell_percent of who reserves nothing",
       [](Model& m) {
         m.tenants[2].cell_percent = {{"east", 100}};
       }},
      {"priority_offset", [](Model& m) { m.tenants[1].priority_offset = -5; }},
  };
  return all;
}

const std::vector<Mutation>& envelope_fields() {
  static const std::vector<Mutation> all = {
      {"resource name", [](Model& m) { m.resources[3].name = "diskMB", m.resources[2].name = "networkMbps"; }},
      {"resource unit", [](Model& m) { m.resources[1].unit = base::Unit::mega; }},
      {"cell name", [](Model& m) { m.cells[0].name = "eastern"; }},
      {"cell percent", [](Model& m) { m.cells[0].percent = 50, m.cells[1].percent = 50; }},
      {"cell kueue_enabled", [](Model& m) { m.cells[1].kueue_enabled = false; }},
      {"cell kube_context", [](Model& m) { m.cells[1].kube_context = "west-1"; }},
      {"pool name", [](Model& m) { m.pools[0].name = "pond"; }},
      {"pool cell", [](Model& m) { m.pools[0].cell = "west"; }},
      {"pool resource_pool", [](Model& m) { m.pools[0].resource_pool = "elastic"; }},
      {"pool capacity", [](Model& m) { m.pools[0].capacity[0].count = 41; }},
      {"pool members", [](Model& m) { m.pools[0].all_members = false, m.pools[0].members = {1}; }},
      {"group name", [](Model& m) { m.capacity_groups[0].name = "h"; }},
      {"group resource_pool", [](Model& m) { m.capacity_groups[0].resource_pool = "p"; }},
      {"group tier", [](Model& m) { m.capacity_groups[0].tier = "Critical"; }},
      {"group total", [](Model& m) { m.capacity_groups[0].total[0].count = 11; }},
      {"group cell_percent",
       [](Model& m) {
         m.capacity_groups[0].cell_percent = {{"west", 100}};
       }},
      {"priority system_default", [](Model& m) { m.priorities.system_default = "Critical"; }},
      {"priority class_base", [](Model& m) { m.priorities.class_base[0].second = 6; }},
      {"priority value_range", [](Model& m) { m.priorities.value_range = 10; }},
      {"enrollment", [](Model& m) { m.enrollment[0].second = model::EnrollmentState::rolling_back; }},
  };
  return all;
}

using Change = mapping::Mapping (*)();

mapping::Mapping as_it_is() {
  return plain_mapping();
}

// Everything of a tenant that stays behind is lost, and a resource that is left out is lost wherever it stood.
mapping::Mapping leaving_much_out() {
  mapping::Mapping mapping = plain_mapping();
  mapping.resources[0] = {"cpu", "", true, "counted elsewhere", {}};
  mapping.resources[4] = {"gpu", "", true, "counted elsewhere", {}};
  mapping.shared_pools = mapping::SharedPools::none;
  mapping::Rule skip;
  skip.match.path = "/org/a";
  skip.skip = true;
  mapping.rules.insert(mapping.rules.begin(), skip);
  return mapping;
}

class Fields : public ::testing::TestWithParam<Change> {};

std::string seen(const Model& model, const mapping::Mapping& mapping) {
  const Translated run(model, mapping);
  EXPECT_TRUE(run.status().ok()) << testing::describe(run.status());
  return run.manifests() + ::testing::PrintToString(run.ledger());
}

TEST_P(Fields, Scenario39ChangingAnyIsSeenInAManifestOrTheLedger) {
  const mapping::Mapping mapping = GetParam()();
  const std::string before = seen(full_model(), mapping);
  for (const std::vector<Mutation>* table : {&tenant_texts(), &tenant_numbers(), &envelope_fields()})
    for (const Mutation& mutation : *table) {
      Model model = full_model();
      mutation.change(model);
      EXPECT_TRUE(seen(model, mapping) != before) << mutation.field;
    }
}

TEST_P(Fields, TheSameModelIsSeenTheSame) {
  EXPECT_EQ(seen(full_model(), GetParam()()), seen(full_model(), GetParam()()));
}

INSTANTIATE_TEST_SUITE_P(Mappings, Fields, ::testing::Values(as_it_is, leaving_much_out));

}  // namespace
}  // namespace cmb2kueue::translate
