// The sample company with one of its cells on the cluster and the two others in folders, driven by the program as
// it is typed.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "judge.h"

namespace cmb2kueue::judge {

// Two of one team, one of another.
inline constexpr const char* leaves[] = {"/Harborlight/Data Platform/Warehouse/team 1/nightly warehouse",
                                         "/Harborlight/Data Platform/Warehouse/team 1/backfill",
                                         "/Harborlight/Data Platform/Warehouse/team 3/backfill"};

class Sample : public Judge {
 protected:
  void SetUp() override;

  base::ProcessResult with_inputs(std::vector<std::string> words);  // and with_targets
  base::ProcessResult with_targets(std::vector<std::string> words);
  void move(const std::string& leaf);  // all the way
  void back(const std::string& leaf);
  // Everything of Kueue's configuration, without what the server keeps books with.
  std::map<std::string, std::string> picture();
  std::string queue_of(const std::string& leaf);  // its ClusterQueue, "" when there is none

  const testing::ScratchFolder scratch_;
  std::vector<std::string> more_;  // added to every call, such as --kubeconfig FILE
  std::vector<std::pair<std::string, std::string>> environment_;

 private:
  void sign_everything();
};

}  // namespace cmb2kueue::judge
