// The small cell of the cutover tests (a root pool, one department, five leaves) on the real cluster.
#pragma once
#include <memory>
#include <string>

#include "cutover/migration.h"
#include "judge.h"

namespace cmb2kueue::judge {

namespace cell = cutover::testing_cell;

class Lab : public Judge {
 protected:
  void SetUp() override;

  // A place whose requests pass by a wire; with little patience, so that refusals come soon.
  struct Bench {
    Wire* wire = nullptr;
    std::unique_ptr<cell::Place> place;
  };
  Bench bench(target::OpenOptions options = {});

  static std::string cluster_queue(const std::string& leaf);  // its path
  static std::string local_queue(const std::string& leaf);
  std::string everything();  // Kueue's configuration as text, without what the server keeps books with
};

}  // namespace cmb2kueue::judge
