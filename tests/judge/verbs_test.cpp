// Verbs on a cluster: plans that go stale and plans that do not, dry runs, exit codes of every failure (scenario
// 9).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "sample.h"

namespace cmb2kueue::judge {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Verbs : public Sample {
 protected:
  base::ProcessResult plan(const std::string& leaf) {
    return with_inputs({"plan", leaf, "--accept", scratch_ / "accept.yaml", "--out", scratch_ / "plan.json"});
  }
  base::ProcessResult cutover(const std::string& leaf) {
    return with_targets({"cutover", leaf, "--plan", scratch_ / "plan.json"});
  }
  std::string kube() const { return std::string("kube:") + context_name; }
  // A kubeconfig that leads nowhere good: another server, another token.
  std::string kubeconfig(const std::string& server, const std::string& user) {
    const std::string file = scratch_ / "other-kubeconfig";
    testing::write_file(file,
                        fmt::format("apiVersion: v1\nkind: Config\ncontexts:\n- name: {}\n  context: {{cluster: c, "
                                    "user: u}}\nclusters:\n- name: c\n  cluster: {{server: '{}', "
                                    "insecure-skip-tls-verify: true}}\nusers:\n- name: u\n  user: {{{}}}\n",
                                    context_name, server, user));
    return file;
  }
};

// scenario 10: everything is new in one go, on a cluster that has nothing.
TEST_F(Verbs, APlanAndATryOnAnEmptyClusterAreClean) {
  const base::ProcessResult planned = plan(leaves[0]);
  ASSERT_EQ(planned.exit_code, 0) << told(planned);
  const base::ProcessResult tried =
      with_targets({"cutover", leaves[0], "--plan", scratch_ / "plan.json", "--dry-run", "client"});
  EXPECT_EQ(tried.exit_code, 0) << told(tried);
  const base::ProcessResult same = run_tool({"diff", "--target", kube()});
  EXPECT_EQ(same.exit_code, 0) << told(same);
  EXPECT_EQ(queue_of(leaves[0]), "");
}

TEST_F(Verbs, ADryRunAsksTheServerAndKeepsNothing) {
  const std::map<std::string, std::string> before = picture();
  std::vector<std::string> words = {"cutover",   leaves[0],
                                    "-e",        testing::project_path("samples/harborlight.json"),
                                    "-m",        scratch_ / "mapping.yaml",
                                    "--accept",  scratch_ / "accept.yaml",
                                    "--dry-run", "server"};
  for (const char* cell : {"atlantic", "continental", "pacific"}) {
    words.emplace_back("--target");
    words.push_back(fmt::format("{}={}", cell, kube()));
  }
  words.insert(words.end(), more_.begin(), more_.end());
  const base::ProcessResult tried = run_tool(words);
  EXPECT_EQ(tried.exit_code, 0) << told(tried);
  EXPECT_THAT(tried.out, HasSubstr("would"));
  EXPECT_EQ(picture(), before);
  EXPECT_FALSE(exists("/apis/coordination.k8s.io/v1/namespaces/cmb2kueue-system/leases/cell"));
}

TEST_F(Verbs, AnEditBetweenPlanAndCutoverIsRefusedAStatusIsNot) {
  move(leaves[0]);  // shared objects exist from here on
  ASSERT_EQ(plan(leaves[1]).exit_code, 0);
  const std::string queue = std::string(kueue_path) + "/clusterqueues/" + queue_of(leaves[0]);
  const std::string parent = std::string(kueue_path) + "/cohorts/" + field(queue, "spec.cohortName");
  const std::string weight = field(parent, "spec.fairSharing.weight");
  send("PATCH", parent + "/status", R"({"status":{"fairSharing":{"weightedShare":17}}})",
       "application/merge-patch+json");
  edit(parent, R"({"spec":{"fairSharing":{"weight":"77"}}})");
  const base::ProcessResult refused = cutover(leaves[1]);
  EXPECT_EQ(refused.exit_code, 5) << told(refused);
  EXPECT_THAT(refused.err, HasSubstr("was changed since"));
  edit(parent, fmt::format(R"({{"spec":{{"fairSharing":{{"weight":"{}"}}}}}})", weight));
  const base::ProcessResult drifted = with_targets({"status"});
  EXPECT_EQ(drifted.exit_code, 0) << told(drifted);
  send("PATCH", parent + "/status", R"({"status":{"fairSharing":{"weightedShare":18}}})",
       "application/merge-patch+json");
  const base::ProcessResult moved = cutover(leaves[1]);
  EXPECT_EQ(moved.exit_code, 0) << told(moved);
}

TEST_F(Verbs, StatusNamesDriftByFieldAndManager) {
  move(leaves[0]);
  const std::string queue = queue_of(leaves[0]);
  edit(std::string(kueue_path) + "/clusterqueues/" + queue, R"({"spec":{"queueingStrategy":"StrictFIFO"}})");
  const base::ProcessResult status = with_targets({"status"});
  EXPECT_THAT(status.out, AllOf(HasSubstr("ClusterQueue/" + queue), HasSubstr("spec.queueingStrategy"),
                                HasSubstr("kubectl-edit"), HasSubstr("StrictFIFO")));
  EXPECT_EQ(with_targets({"verify"}).exit_code, 7);
  EXPECT_EQ(with_targets({"diff"}).exit_code, 1);
  const base::ProcessResult rolled = with_targets({"rollback", leaves[0], "--switched-back", "--reason", "drift"});
  EXPECT_EQ(rolled.exit_code, 0) << told(rolled);
  EXPECT_THAT(rolled.out, HasSubstr("changed by somebody else"));
}

TEST_F(Verbs, APlanIsForOneCluster) {
  ASSERT_EQ(plan(leaves[0]).exit_code, 0);
  std::string text = testing::read_file(scratch_ / "plan.json");
  EXPECT_THAT(text, HasSubstr(field("/api/v1/namespaces/kube-system", "metadata.uid")));
}

TEST_F(Verbs, ExitCodesTellFailuresApart) {
  struct Case {
    const char* what;
    std::vector<std::string> more;
    int code;
  };
  const std::string nowhere = kubeconfig("https://127.0.0.1:1", "token: canary-token-1");
  const std::vector<Case> cases = {
      {"fine", {}, 0},
      {"an unknown option", {"--no-such-option"}, 2},
      {"a context that is nowhere", {"--context", "nowhere"}, 0},  // kube:CONTEXT wins over --context
      {"a kubeconfig that is not there", {"--kubeconfig", "/nonexistent/kubeconfig"}, 3},
      {"nobody listens", {"--kubeconfig", nowhere, "--request-timeout", "1s"}, 4},
      {"403", {"--as", "nobody@example.com"}, 4},
      {"401", {"--kubeconfig", kubeconfig(connection().server, "token: canary-token-2")}, 4},
      {"a time that is none", {"--request-timeout", "soon"}, 2},
  };
  const std::vector<std::vector<std::string>> verbs = {{"status"}, {"verify"}, {"history"}, {"diff"}, {"doctor"}};
  for (const Case& one : cases)
    for (std::vector<std::string> words : verbs) {
      const bool elsewhere = one.code == 4 && one.more[0] == "--kubeconfig";
      if (elsewhere)
        kubeconfig(std::string(one.what) == "401" ? connection().server : "https://127.0.0.1:1",
                   std::string(one.what) == "401" ? "token: canary-token-2" : "token: canary-token-1");
      for (const std::string& word : {std::string("--target"), kube(), std::string("--accept-defects")})
        words.push_back(word);
      words.insert(words.end(), one.more.begin(), one.more.end());
      const base::ProcessResult result = run_tool(words);
      // doctor finds out what is not allowed; that is what it is for.
      const bool found = words[0] == "doctor" && std::string(one.what) == "403";
      EXPECT_EQ(result.exit_code, found ? 1 : one.code) << words[0] << ", " << one.what << "\n" << told(result);
      EXPECT_THAT(result.out + result.err, Not(HasSubstr("canary"))) << words[0] << ", " << one.what;
    }
  for (std::vector<std::string> words : std::vector<std::vector<std::string>>{
           {"rollback", "--all"}, {"complete", "--all"}, {"abort", "--all"}, {"unlock", "--holder", "x/1"}}) {
    words.insert(words.end(), {"--target", "kube:"});
    EXPECT_EQ(run_tool(words).exit_code, 2) << words[0] << ": a verb that writes needs the context typed";
  }
}

}  // namespace
}  // namespace cmb2kueue::judge
