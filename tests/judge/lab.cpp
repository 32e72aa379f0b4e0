#include "lab.h"

namespace cmb2kueue::judge {

void Lab::SetUp() {
  Judge::SetUp();
  make_namespace("batch");
}

Lab::Bench Lab::bench(target::OpenOptions options) {
  Bench made;
  if (options.patience_ms == target::OpenOptions().patience_ms) options.patience_ms = 6'000;
  options.accept_defects = true;  // tests are about this tool; what Kueue 0.17.0 does wrong is told apart by them
  made.place = std::make_unique<cell::Place>(open(made.wire, options), cell::How::partition);
  made.place->context().clock = &clock_;
  made.place->context().take_over = options.take_over;
  made.place->context().ready_timeout_ms = 8'000;
  return made;
}

std::string Lab::cluster_queue(const std::string& leaf) {
  return std::string(kueue_path) + "/clusterqueues/" + leaf + "-object";
}

std::string Lab::local_queue(const std::string& leaf) {
  return std::string(kueue_path) + "/namespaces/batch/localqueues/" + leaf + "-object";
}

std::string Lab::everything() {
  std::string all;
  for (const target::KindPath& kind : target::kind_paths()) {
    const target::Json list = get(std::string(kind.prefix) + "/" + std::string(kind.plural));
    for (const doc::Node item : doc::children(target::at(list.root(), "items"))) {
      const std::string name = target::text_at(item, "metadata.name");
      if (kind.kind != kueue::Kind::name_space)
        all += std::string(kind.plural) + "/" + name + " " + target::content_of(item) + "\n";
    }
  }
  return all;
}

}  // namespace cmb2kueue::judge
