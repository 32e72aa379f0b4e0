// Writes maps and lists whose order has no meaning, in a fixed order or in a shuffled one.
#pragma once
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmb2kueue/doc/emit.h"
#include "generate/company.h"

namespace cmb2kueue::generate {

struct Writer {
  doc::Sink& sink;
  const Options& options;
  Random random;  // only for shuffling

  bool shuffles() const { return options.shuffle.has_value(); }
  std::vector<std::uint32_t> order(std::uint32_t count) {
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0U);
    if (shuffles())
      for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
    return all;
  }
};

// One map: fields go out at once, or, when shuffling, all at the end in another order.
class Message {
 public:
  explicit Message(Writer& writer) : writer_(writer) { writer_.sink.open_map(); }
  ~Message() {
    for (const std::uint32_t i : writer_.order(static_cast<std::uint32_t>(later_.size()))) {
      writer_.sink.key(later_[i].first);
      later_[i].second();
    }
    writer_.sink.close();
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  template <class Function>
  void field(std::string_view key, Function value) {
    if (writer_.shuffles()) {
      later_.emplace_back(key, std::move(value));
      return;
    }
    writer_.sink.key(key);
    value();
  }
  void text(std::string_view key, std::string value) {
    field(key, [this, value = std::move(value)] { writer_.sink.text(value); });
  }
  void number(std::string_view key, std::int64_t value) {
    field(key, [this, value] { writer_.sink.number(value); });
  }

 private:
  Writer& writer_;
  std::vector<std::pair<std::string, std::function<void()>>> later_;
};

// Calls `item` for 0 .. count-1 inside a list.
template <class Function>
void write_list(Writer& writer, std::uint32_t count, Function item) {
  writer.sink.open_list();
  for (const std::uint32_t i : writer.order(count)) item(i);
  writer.sink.close();
}

// The parts of an export, in write_tenants.cpp and write_jobs.cpp. `flush` may empty the text written so far.
void write_tenant(Writer& writer, const std::vector<Member>& all, std::uint32_t member);
void write_shape(Message& message, const Member& member);
void write_jobs(const Options& options, const std::vector<Member>& all, const Output& out);
std::string export_id(const Options& options);

}  // namespace cmb2kueue::generate
