// Acceptances: read strictly, bound to what was shown, ending when they say.
#include <fmt/format.h>

#include "translated.h"

namespace cmb2kueue::translate {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::TenantBuilder;

// org (weight 2) > team > a (weight 3); b (weight 4).
TenantBuilder weighted_tree() {
  TenantBuilder tree;
  tree.internal("org").weight(2);
  tree.internal("team", "org");
  tree.leaf("a", "team").weight(3);
  tree.leaf("b").weight(4);
  return tree;
}

Acceptance accept(const Translated& run, const std::string& code, const std::string& subtree,
                  model::TenantIndex root, const std::string& until = "") {
  return {code, subtree, "Ada", "looked at it", until, content_of(run.out().ledger, run.model(), code, root), {}};
}

std::vector<std::string> open(const Translated& run, model::TenantIndex tenant,
                              const std::vector<Acceptance>& given, const std::string& today = "2026-03-01") {
  std::vector<std::string> lines;
  for (const Unaccepted& one : unaccepted(run.out().ledger, run.model(), tenant, given, today))
    if (one.code == "C-11") lines.push_back(one.why);
  return lines;
}

TEST(Acceptances, CoverASubtreeByPathIdOrStar) {
  const Translated run(weighted_tree().model());
  EXPECT_THAT(open(run, 2, {}), ElementsAre("nobody has accepted it"));
  EXPECT_THAT(open(run, 2, {accept(run, "C-11", "/org", 0)}), IsEmpty());
  EXPECT_THAT(open(run, 2, {accept(run, "C-11", "team", 1)}), IsEmpty());
  EXPECT_THAT(open(run, 2, {accept(run, "C-11", "*", model::no_tenant)}), IsEmpty());
  EXPECT_THAT(open(run, 3, {accept(run, "C-11", "/org", 0)}), ElementsAre("nobody has accepted it"));
  EXPECT_THAT(open(run, 2, {accept(run, "C-12", "*", model::no_tenant)}), ElementsAre("nobody has accepted it"));
}

TEST(Acceptances, CodesComeSortedAndOnlyLossesNeedThem) {
  const Translated run(weighted_tree().model());
  std::vector<std::string> codes;
  for (const Unaccepted& one : unaccepted(run.out().ledger, run.model(), 2, {}, "2026-03-01"))
    codes.push_back(one.code);
  EXPECT_THAT(codes, ElementsAre("C-05", "C-11"));  // C-01 and C-13 are emulated
}

TEST(Acceptances, EndAfterTheirLastDay) {
  const Translated run(weighted_tree().model());
  const Acceptance until = accept(run, "C-11", "*", model::no_tenant, "2026-03-31");
  EXPECT_THAT(open(run, 2, {until}, "2026-03-31"), IsEmpty());
  EXPECT_THAT(open(run, 2, {until}, "2026-04-01"), ElementsAre("the acceptance by Ada ended on 2026-03-31"));
}

TEST(Acceptances, AreBoundToTheContentOfTheirSubtreeAndItsAncestors) {
  const Translated before(weighted_tree().model());
  const Acceptance team = accept(before, "C-11", "team", 1);
  const auto changed = [&](model::TenantIndex tenant) {
    TenantBuilder tree = weighted_tree();
    tree.model().tenants[tenant].weight = 9;
    return open(Translated(tree.model()), 2, {team});
  };
  EXPECT_THAT(changed(2), ElementsAre("what Ada accepted has changed since"));  // in it
  EXPECT_THAT(changed(0), ElementsAre("what Ada accepted has changed since"));  // above it
  EXPECT_THAT(changed(3), IsEmpty());                                           // beside it
}

TEST(Acceptances, AValidOneStandsBesideAnEndedOne) {
  const Translated run(weighted_tree().model());
  const std::vector<Acceptance> both = {accept(run, "C-11", "*", model::no_tenant, "2020-01-01"),
                                        accept(run, "C-11", "/org", 0)};
  EXPECT_THAT(open(run, 2, both), IsEmpty());
  EXPECT_THAT(open(run, 2, {both[1], both[0]}), IsEmpty());
}

TEST(Acceptances, ForNobodySayWhom) {
  const Translated run(weighted_tree().model());
  EXPECT_THAT(open(run, 2, {accept(run, "C-11", "/org/taem", 0)}),
              ElementsAre(HasSubstr("what Ada accepted is for \"/org/taem\": there is no tenant")));
}

TEST(Acceptances, ABookAnswersForManyTenantsAsOneByOne) {
  const Translated run(weighted_tree().model());
  const std::vector<Acceptance> given = {accept(run, "C-11", "/org", 0)};
  const AcceptanceBook book(run.out().ledger, run.model(), given, "2026-03-01");
  for (model::TenantIndex i = 0; i < 4; ++i) {
    std::vector<std::string> one, other;
    for (const Unaccepted& u : book.unaccepted(i)) one.push_back(u.code + u.why);
    for (const Unaccepted& u : unaccepted(run.out().ledger, run.model(), i, given, "2026-03-01"))
      other.push_back(u.code + u.why);
    EXPECT_EQ(one, other);
  }
}

struct Loaded {
  base::SourceFiles files;
  base::Findings findings;
  std::vector<Acceptance> all;
  std::vector<std::string> said() const {
    std::vector<std::string> lines;
    for (const base::FoldedFinding& one : findings.sorted())
      lines.push_back(one.rule + " " + files.describe(one.instances[0].place) + " " + one.message);
    return lines;
  }
};

void load(Loaded& loaded, const std::string& text) {
  const base::Result<std::vector<Acceptance>> result =
      load_acceptances(loaded.files, loaded.files.add("accept.yaml", text), loaded.findings);
  ASSERT_OK(result);
  loaded.all = result.value();
}

const std::string head = "apiVersion: cmb2kueue.io/v1alpha1\nkind: Acceptances\nacceptances:\n";

TEST(AcceptanceFile, TheProposalCountsOnceItIsFilledIn) {
  const Translated run(weighted_tree().model());
  std::string text = propose_acceptances(run.out().ledger, run.model(), {1});
  EXPECT_THAT(text, HasSubstr("#   C-"));  // what is lost, in words
  Loaded empty;
  load(empty, text);
  EXPECT_THAT(empty.said(),
              Contains(AllOf(HasSubstr("T-ACCEPT-REQUIRED accept.yaml:"), HasSubstr("who is empty"))));
  for (std::size_t at; (at = text.find("''")) != std::string::npos;) text.replace(at, 2, "Ada");
  Loaded filled;
  load(filled, text);
  EXPECT_THAT(filled.said(), IsEmpty());
  EXPECT_THAT(unaccepted(run.out().ledger, run.model(), 2, filled.all, "2026-03-01"), IsEmpty());
}

TEST(AcceptanceFile, NamesATenantByIdWhereItsPathIsNotItsOwn) {
  TenantBuilder tree;
  tree.leaf("x").id("t-1").weight(2).leaf("x").id("t-2").weight(3);
  const Translated run(tree.model());
  EXPECT_THAT(propose_acceptances(run.out().ledger, run.model(), {1}), HasSubstr("subtree: t-2"));
  EXPECT_THAT(propose_acceptances(run.out().ledger, run.model(), {model::no_tenant}), HasSubstr("subtree: '*'"));
}

TEST(AcceptanceFile, UnknownWordsAreErrorsWithTheirPlace) {
  Loaded loaded;
  load(loaded, head +
                   "- {code: C-99, subtree: '*', who: Ada, why: w, content: c}\n"
                   "- {code: C-11, subtree: '*', who: Ada, why: w, content: c, untill: 2026-01-01}\n"
                   "- {code: C-11, subtree: '*', who: Ada, why: '', content: c, until: '2026-13-01'}\n"
                   "- {code: C-11, who: 5, why: w, content: c}\n");
  EXPECT_EQ(loaded.findings.count(base::Severity::error), loaded.said().size());
  EXPECT_THAT(loaded.said(),
              AllOf(Contains(HasSubstr("T-ACCEPT-CODE accept.yaml:4:10 there is no code \"C-99\"")),
                    Contains(AllOf(HasSubstr("T-ACCEPT-UNKNOWN-FIELD accept.yaml:5"), HasSubstr("until"))),
                    Contains(HasSubstr("T-ACCEPT-REQUIRED accept.yaml:6")),
                    Contains(HasSubstr("T-ACCEPT-DATE accept.yaml:6")),
                    Contains(HasSubstr("T-ACCEPT-REQUIRED accept.yaml:7"))));
}

TEST(AcceptanceFile, OtherFilesAreRefused) {
  Loaded loaded;
  load(loaded, "apiVersion: cmb2kueue.io/v1alpha1\nkind: Mapping\n");
  EXPECT_THAT(loaded.said(), Contains(HasSubstr("T-ACCEPT-KIND")));
  const base::Result<std::vector<Acceptance>> broken =
      load_acceptances(loaded.files, loaded.files.add("b.yaml", "a: [\n"), loaded.findings);
  EXPECT_THAT(broken.status(), testing::Fails(base::ErrorKind::input, Not(IsEmpty())));
}

}  // namespace
}  // namespace cmb2kueue::translate
