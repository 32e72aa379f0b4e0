#include "mutation.h"

#include <array>
#include <random>

#include "cmb2kueue/doc/emit.h"

namespace cmb2kueue::testing {

namespace {

class Spoiler {
 public:
  Spoiler(std::string& out, std::uint64_t seed, std::uint64_t one_in)
      : sink_(out, 0), random_(seed), one_in_(one_in) {}
  void value(doc::Node node);

 private:
  bool now() { return random_() % one_in_ == 0; }
  void junk();
  void plain(doc::Node node);
  void entries(doc::Node node, bool map);

  doc::JsonSink sink_;
  std::mt19937_64 random_;
  std::uint64_t one_in_;
};

void Spoiler::junk() {
  static const std::array<const char*, 12> literals = {
      "null", "true", "-1",     "0.5",           "1e400",    "99999999999999999999",
      "[]",   "{}",   "[[[]]]", "{\"name\":{}}", "[null,3]", "\"\""};
  static const std::array<const char*, 8> texts = {
      "..",    "Gi",       "1e99999999", "-5Ei",
      "a/b/c", "\xc3\xa9", "cpu",        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
  if (random_() % 2 == 0)
    sink_.literal(literals[random_() % literals.size()]);
  else
    sink_.text(texts[random_() % texts.size()]);
}

void Spoiler::entries(doc::Node node, bool map) {
  int doubled = 0;
  for (const doc::Node child : doc::children(node)) {
    if (now()) continue;
    const int times = now() ? 2 : 1;
    for (int i = 0; i < times; ++i) {
      if (map) sink_.key(i == 0 ? std::string(child.key()) : std::string(child.key()) + std::to_string(++doubled));
      value(child);
    }
  }
}

void Spoiler::plain(doc::Node node) {
  if (node.is_map()) {
    sink_.open_map();
    entries(node, true);
    sink_.close();
  } else if (node.is_list()) {
    sink_.open_list();
    entries(node, false);
    sink_.close();
  } else if (node.kind() == doc::NodeKind::text) {
    sink_.text(node.text());
  } else {
    doc::copy(node, sink_);
  }
}

void Spoiler::value(doc::Node node) {
  if (now()) return junk();
  plain(node);
}

}  // namespace

std::string spoilt(doc::Node root, std::uint64_t seed, std::uint64_t one_in) {
  std::string out;
  Spoiler(out, seed, one_in).value(root);
  return out;
}

}  // namespace cmb2kueue::testing
