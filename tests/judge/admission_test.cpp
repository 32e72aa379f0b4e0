// Who is admitted: the tool's quota algebra against Kueue's scheduler, arrival by arrival, on random companies with
// nested concurrency limits, reservations that are not lent, shared pools and weights. CMB2KUEUE_JUDGE_TREES says
// how many trees, CMB2KUEUE_JUDGE_SEED which; without one the seed is a fresh one, and printed.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "cmb2kueue/quota/tree.h"
#include "companies.h"
#include "generate/company.h"
#include "judge.h"

namespace cmb2kueue::judge {
namespace {

constexpr std::size_t together =
    20;  // trees whose jobs are judged at the same time; they share nothing but flavors
constexpr std::size_t arrivals = 15;  // per tree

constexpr const char* one_flavor = R"(apiVersion: cmb2kueue.io/v1alpha1
kind: Mapping
preset: parity
reservationSemantics: inclusive
sharedPools: from-export
flavors:
- name: default
rules:
- flavors: [default]
namespaces:
  strategy: shared
  name: batch
)";

std::uint64_t number(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

struct Grove {
  std::vector<kueue::Object> objects;
  quota::Tree tree;
  std::vector<std::string> queues;
  generate::Random random{0};
};

// Every tree has names of its own, or two companies would share the root of their cell.
void rename(kueue::Object& object, const std::string& prefix) {
  const auto renamed = [&](std::string& name) {
    if (!name.empty()) name = prefix + name;
  };
  if (kueue::Cohort* cohort = std::get_if<kueue::Cohort>(&object)) {
    renamed(cohort->meta.name);
    renamed(cohort->parent);
  } else if (kueue::ClusterQueue* queue = std::get_if<kueue::ClusterQueue>(&object)) {
    renamed(queue->meta.name);
    renamed(queue->cohort);
  } else if (kueue::LocalQueue* local = std::get_if<kueue::LocalQueue>(&object)) {
    renamed(local->meta.name);
    renamed(local->cluster_queue);
  }
}

Grove grove(std::uint64_t seed, std::size_t index) {
  Grove made;
  made.random = generate::Random(seed);
  const CompanyObjects company =
      company_objects(static_cast<std::uint32_t>(8 + made.random.below(14)), seed, one_flavor);
  for (const std::vector<std::vector<kueue::Object>>* part : {&company.shared, &company.tenants})
    for (const std::vector<kueue::Object>& objects : *part)
      for (kueue::Object object : objects) {
        rename(object, fmt::format("g{}-", index));
        if (kueue::kind_of(object) == kueue::Kind::cluster_queue)
          made.queues.push_back(kueue::meta_of(object).name);
        if (kueue::kind_of(object) != kueue::Kind::name_space) made.objects.push_back(std::move(object));
      }
  made.tree = quota::Tree::from_objects(made.objects);
  return made;
}

// A job of one pod, and whether it is to be admitted now.
struct Arrival {
  std::string job, queue;
  std::vector<std::pair<std::string, std::int64_t>> requests;  // in Kueue's units
  bool expected = false;
};

bool fits(quota::Tree& tree, const Arrival& arrival) {
  const std::int32_t node = tree.find_queue(arrival.queue);
  return std::all_of(arrival.requests.begin(), arrival.requests.end(), [&](const auto& request) {
    const std::string flavor = request.first == "pods" ? "concurrency" : "default";
    return tree.available(node, tree.column({flavor, request.first})) >= request.second;
  });
}

void take(quota::Tree& tree, const Arrival& arrival) {
  const std::int32_t node = tree.find_queue(arrival.queue);
  for (const auto& [resource, amount] : arrival.requests)
    tree.add_usage(node, tree.column({resource == "pods" ? "concurrency" : "default", resource}), amount);
}

bool lists(const Grove& grove, const std::string& queue, const std::string& resource) {
  bool found = false;
  for (const kueue::Object& object : grove.objects)
    if (const kueue::ClusterQueue* one = std::get_if<kueue::ClusterQueue>(&object))
      if (one->meta.name == queue)
        kueue::for_each_quota(
            *one, [&](const std::string&, const kueue::ResourceQuota& row) { found |= row.resource == resource; });
  return found;
}

// Between a sliver and more than there is; a limit of jobs counts each as one.
Arrival draw(Grove& grove, const std::string& name) {
  Arrival arrival{name, grove.queues[grove.random.below(grove.queues.size())], {}, false};
  const std::int32_t node = grove.tree.find_queue(arrival.queue);
  for (const char* resource : {"cpu", "memory"}) {
    if (!lists(grove, arrival.queue, resource) || grove.random.percent(25)) continue;
    const std::int64_t most = grove.tree.ceiling(node, grove.tree.column({"default", resource}));
    const std::int64_t share = static_cast<std::int64_t>(1 + grove.random.below(70));
    arrival.requests.emplace_back(resource, std::max<std::int64_t>(1, most / 100 * share));
  }
  if (arrival.requests.empty()) arrival.requests.emplace_back("cpu", 1);
  if (lists(grove, arrival.queue, "pods")) arrival.requests.emplace_back("pods", 1);
  arrival.expected = fits(grove.tree, arrival);
  if (arrival.expected) take(grove.tree, arrival);
  return arrival;
}

class Admission : public Judge {
 protected:
  void SetUp() override {
    Judge::SetUp();
    if (!has_controllers()) GTEST_SKIP() << "this profile admits nothing";
    make_namespace("batch");
  }
  void plant(const std::vector<Grove>& groves) {
    Wire* wire = nullptr;
    const std::unique_ptr<target::KubeTarget> target = open(wire, {});
    std::size_t count = 0;
    for (const Grove& one : groves)
      for (const kueue::Object& object : one.objects) {
        const std::string name = fmt::format("bundle-{}", count++);
        const base::Result<target::Image> now = target->capture({name, {kueue::key_of(object)}});
        ASSERT_OK(now);
        ASSERT_OK(target->put({name, {object}}, now->version));
      }
    for (const Grove& one : groves)
      for (const std::string& queue : one.queues)
        ASSERT_TRUE(eventually([&] {
          return field(std::string(kueue_path) + "/clusterqueues/" + queue, "status.conditions")
                     .find("\"Ready\"") != std::string::npos;
        })) << queue;
  }
  void submit_all(const std::vector<Arrival>& round) {
    for (const Arrival& one : round) {
      std::string requests;
      for (const auto& [resource, amount] : one.requests)
        if (resource != "pods")
          requests += fmt::format(R"({}"{}":"{}{}")", requests.empty() ? "" : ",", resource, amount,
                                  resource == "cpu" ? "m" : "");
      const target::ApiAnswer made =
          send("POST", "/apis/batch/v1/namespaces/batch/jobs",
               fmt::format(R"({{"apiVersion":"batch/v1","kind":"Job","metadata":{{"name":"{}","labels":)"
                           R"({{"kueue.x-k8s.io/queue-name":"{}"}}}},"spec":{{"suspend":true,"template":{{"spec":)"
                           R"({{"restartPolicy":"Never","containers":[{{"name":"main","image":"x","resources":)"
                           R"({{"requests":{{{}}}}}}}]}}}}}}}})",
                           one.job, one.queue, requests));
      ASSERT_TRUE(made.ok()) << made.message;
    }
  }
  // By job: whether its Workload holds quota; jobs nobody has judged yet are left out.
  std::map<std::string, bool> verdicts() {
    std::map<std::string, bool> all;
    const target::Json list = get(std::string(kueue_path) + "/namespaces/batch/workloads?limit=2000");
    for (const doc::Node item : doc::children(target::at(list.root(), "items"))) {
      const std::string job = target::text_at(target::at(item, "metadata.ownerReferences").first_child(), "name");
      for (const doc::Node one : doc::children(target::at(item, "status.conditions")))
        if (target::text_at(one, "type") == "QuotaReserved") all[job] = target::text_at(one, "status") == "True";
    }
    return all;
  }
  void judge_round(const std::vector<Arrival>& round) {
    submit_all(round);
    const auto as_expected = [&](const Arrival& one, const std::map<std::string, bool>& all) {
      const auto found = all.find(one.job);
      return found != all.end() && found->second == one.expected;
    };
    // A verdict may still be on its way; one that stays wrong is wrong. Listing is dear, so it is not done all the
    // time.
    eventually(
        [&] {
          const std::map<std::string, bool> all = verdicts();
          return std::all_of(round.begin(), round.end(), [&](const Arrival& one) { return as_expected(one, all); });
        },
        10, 300);
    const std::map<std::string, bool> all = verdicts();
    for (const Arrival& one : round) {
      ++judged_;
      admitted_ += one.expected ? 1 : 0;
      if (as_expected(one, all)) continue;
      // Kueue 0.19 parks work of the same shape as some that waits already without looking at it.
      if (!one.expected && !all.contains(one.job)) {
        ++parked_;
        continue;
      }
      ++wrong_;
      ADD_FAILURE() << one.job << " in " << one.queue << ": the algebra says " << (one.expected ? "fits" : "waits")
                    << ", Kueue " << (all.contains(one.job) ? "the other" : "nothing");
    }
  }
  void judge_trees(std::uint64_t seed, std::size_t first, std::size_t count) {
    std::vector<Grove> groves;
    for (std::size_t i = 0; i < count; ++i) groves.push_back(grove(seed * 1000 + first + i, first + i));
    plant(groves);
    std::vector<std::vector<Arrival>> rounds;
    for (std::size_t k = 0; k < arrivals; ++k) {
      std::vector<Arrival> round;
      for (std::size_t i = 0; i < count; ++i) round.push_back(draw(groves[i], fmt::format("j{}-{}", first + i, k)));
      judge_round(round);
      rounds.push_back(std::move(round));
    }
    // Nobody who waits was let in later, and nobody was put out.
    const std::map<std::string, bool> all = verdicts();
    for (const std::vector<Arrival>& round : rounds)
      for (const Arrival& one : round) EXPECT_EQ(all.contains(one.job) && all.at(one.job), one.expected) << one.job;
  }

  std::size_t judged_ = 0, admitted_ = 0, parked_ = 0, wrong_ = 0;
};

TEST_F(Admission, EqualsTheAlgebraOnRandomTrees) {
  const std::uint64_t seed = number("CMB2KUEUE_JUDGE_SEED", std::random_device()() % 1'000'000);
  const std::size_t trees = number("CMB2KUEUE_JUDGE_TREES", 20);
  fmt::print("admission: seed {}\n", seed);
  for (std::size_t first = 0; first < trees; first += together) {
    Judge::SetUp();  // what the trees before have left
    judge_trees(seed, first, std::min(together, trees - first));
  }
  fmt::print("admission: {} trees, {} arrivals, {} fit, {} parked unseen, {} not as the algebra says\n", trees,
             judged_, admitted_, parked_, wrong_);
  EXPECT_GT(admitted_, judged_ / 5);
  EXPECT_LT(admitted_, judged_);
}

}  // namespace
}  // namespace cmb2kueue::judge
