// What is written is what the server gives back, field for field, so that a second apply has nothing to say
// (scenario 2, scenario 8).
#include <fmt/format.h>

#include "companies.h"
#include "judge.h"

namespace cmb2kueue::judge {
namespace {

constexpr std::uint32_t tenants_each = 500;  // four mappings: 2,000 tenants

// The object without what the server keeps books with; what others decorate namespaces with is theirs.
std::string as_written(doc::Node live) {
  target::Edited edited(live);
  for (const char* field : {"status", "metadata.managedFields", "metadata.uid", "metadata.resourceVersion",
                            "metadata.generation", "metadata.creationTimestamp", "metadata.finalizers"})
    edited.drop(field);
  const base::Result<target::Json> json = target::Json::parse(edited.text());
  std::string text = target::canonical(json->root());
  if (target::text_at(live, "kind") != "Namespace") return text;
  const std::string label =
      fmt::format(R"(,"kubernetes.io/metadata.name":"{}")", target::text_at(live, "metadata.name"));
  const std::size_t at = text.find(label);
  if (at != std::string::npos) text.erase(at, label.size());
  const std::size_t spec = text.find(R"(,"spec":{"finalizers":["kubernetes"]})");
  return spec == std::string::npos ? text : text.erase(spec, 37);
}

class Fixpoint : public Judge {
 protected:
  void put_all(const CompanyObjects& company) {
    std::size_t number = 0;
    for (const std::vector<std::vector<kueue::Object>>* part : {&company.shared, &company.tenants})
      for (const std::vector<kueue::Object>& objects : *part) {
        const std::string name = fmt::format("bundle-{}", number++);
        const base::Result<target::Image> now = target_->capture({name, target::keys_of(objects)});
        ASSERT_OK(now);
        const base::Result<std::string> put = target_->put({name, objects}, now->version);
        ASSERT_OK(put);
        EXPECT_EQ(put.value(), target_->version_after({name, objects}));
      }
  }
  // Counts the differences, telling the first few.
  void compare(const CompanyObjects& company) {
    const std::vector<target::ApiAnswer> answers = get_all(paths(company));
    const std::size_t first = objects_;
    for (const std::vector<std::vector<kueue::Object>>* part : {&company.shared, &company.tenants})
      for (const std::vector<kueue::Object>& objects : *part)
        for (const kueue::Object& object : objects) {
          const base::Result<target::Json> live = target::Json::parse(answers[objects_ - first].body);
          ASSERT_OK(live);
          ++objects_;
          const base::Result<target::Json> wanted = target::Json::parse(target::to_json(object));
          if (as_written(live->root()) == target::canonical(wanted->root())) continue;
          if (++different_ <= 3)
            ADD_FAILURE() << "written  " << target::canonical(wanted->root()) << "\nreturned "
                          << as_written(live->root());
        }
    EXPECT_EQ(different_, 0U);
  }
  std::vector<std::string> paths(const CompanyObjects& company) {
    std::vector<std::string> all;
    for (const std::vector<std::vector<kueue::Object>>* part : {&company.shared, &company.tenants})
      for (const std::vector<kueue::Object>& objects : *part)
        for (const kueue::Object& object : objects) all.push_back(target::object_path(kueue::key_of(object)));
    return all;
  }
  // Kueue writes statuses all the time, and moves the version with them; the generation moves with the spec alone.
  std::vector<std::string> versions(const CompanyObjects& company) {
    const char* version = has_controllers() ? "metadata.generation" : "metadata.resourceVersion";
    std::vector<std::string> all;
    for (const target::ApiAnswer& answer : get_all(paths(company))) {
      const base::Result<target::Json> json = target::Json::parse(answer.body);
      all.push_back(json.ok() ? target::text_at(json->root(), version) : "");
    }
    return all;
  }

  Wire* wire_ = nullptr;
  std::unique_ptr<target::KubeTarget> target_ = open(wire_);
  std::size_t objects_ = 0, different_ = 0;
};

TEST_F(Fixpoint, WhatIsWrittenIsWhatTheServerReturnsAndASecondApplyIsSilent) {
  make_namespace("batch");
  make_namespace("batch-research");
  std::uint64_t seed = 1;
  for (const std::string& mapping : mappings_of_every_shape()) {
    const CompanyObjects company = company_objects(tenants_each, seed++, mapping);
    ASSERT_GT(company.tenants.size(), 200U);
    put_all(company);
    compare(company);
    const std::vector<std::string> before = versions(company);
    wire_->writes = 0;
    put_all(company);
    EXPECT_EQ(wire_->writes, 0U);
    EXPECT_EQ(versions(company), before);
  }
  fmt::print("fixpoint: {} objects of {} tenants, {} different\n", objects_, (seed - 1) * tenants_each, different_);
}

}  // namespace
}  // namespace cmb2kueue::judge
