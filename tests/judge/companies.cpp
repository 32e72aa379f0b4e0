#include "companies.h"

#include <gtest/gtest.h>

#include "cmb2kueue/mapping/mapping.h"
#include "cmb2kueue/source/source.h"
#include "cmb2kueue/translate/translate.h"
#include "generate/company.h"
#include "support/result.h"

namespace cmb2kueue::judge {

namespace {

constexpr const char* per_tenant = R"(apiVersion: cmb2kueue.io/v1alpha1
kind: Mapping
preset: lend
reservationSemantics: inclusive
sharedPools: from-export
flavors:
- name: tainted
  nodeLabels:
    pool.example.com/kind: batch
  nodeTaints:
  - key: pool.example.com/kind
    value: "batch"
    effect: NoSchedule
  tolerations:
  - key: pool.example.com/kind
    operator: Equal
    value: "batch"
    effect: NoSchedule
rules:
- flavors: [tainted]
namespaces:
  strategy: per-tenant
  create: true
)";

// Leaf objects come tenant by tenant: a ClusterQueue, or the Namespace before it, begins the next one.
void add(CompanyObjects& into, kueue::Object object, bool own) {
  if (!own) {
    into.shared.push_back({std::move(object)});
    return;
  }
  const kueue::Kind kind = kueue::kind_of(object);
  const bool after_namespace = !into.tenants.empty() && into.tenants.back().size() == 1 &&
                               kueue::kind_of(into.tenants.back().front()) == kueue::Kind::name_space;
  const bool begins = kind == kueue::Kind::name_space || (kind == kueue::Kind::cluster_queue && !after_namespace);
  if (begins) into.tenants.emplace_back();
  into.tenants.back().push_back(std::move(object));
}

}  // namespace

std::vector<std::string> mappings_of_every_shape() {
  std::vector<std::string> all;
  for (const auto& [name, text] : mapping::shipped()) all.push_back(text);
  all.emplace_back(per_tenant);
  return all;
}

CompanyObjects company_objects(std::uint32_t tenants, std::uint64_t seed, const std::string& mapping) {
  generate::Options options;
  options.tenants = tenants;
  options.seed = seed;
  base::SourceFiles files;
  base::Findings findings;
  CompanyObjects made;
  const base::Result<model::Model> model =
      source::read_export(files, files.add("export", generate::to_text(options)), {}, findings);
  EXPECT_TRUE(model.ok()) << testing::describe(model.status());
  const base::Result<mapping::Mapping> loaded = mapping::load(files, files.add("mapping", mapping), findings);
  EXPECT_TRUE(loaded.ok()) << testing::describe(loaded.status());
  if (!model.ok() || !loaded.ok()) return made;
  const base::Result<translate::Translation> translation =
      translate::translate(model.value(), loaded.value(), translate::Purpose::look, findings);
  EXPECT_TRUE(translation.ok()) << testing::describe(translation.status());
  if (!translation.ok()) return made;
  bool own = false;
  const translate::ObjectSink sink = [&](kueue::Object&& object, const translate::Origin&) {
    add(made, std::move(object), own);
  };
  translate::shared_objects(model.value(), loaded.value(), translation.value(), 0, false, sink);
  own = true;
  for (std::uint32_t node = 1; node < translation->cells[0].nodes.size(); ++node)
    if (translation->cells[0].nodes[node].leaf)
      translate::leaf_objects(model.value(), loaded.value(), translation.value(), 0, node, false, sink);
  return made;
}

}  // namespace cmb2kueue::judge
