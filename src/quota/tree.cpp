// The algebra, bottom-up then top-down, with arithmetic that saturates at `unlimited`.
#include "cmb2kueue/quota/tree.h"

#include <algorithm>

namespace cmb2kueue::quota {

namespace {

std::int64_t add(std::int64_t a, std::int64_t b) {
  if (a == unlimited || b == unlimited) return unlimited;
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return a > 0 ? unlimited : INT64_MIN;
  return sum;
}

// unlimited - unlimited is 0 and unlimited minus anything else stays unlimited, as in Kueue 0.18+.
std::int64_t subtract(std::int64_t a, std::int64_t b) {
  if (a == unlimited) return b == unlimited ? 0 : unlimited;
  if (b == unlimited) return INT64_MIN;
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) return a > 0 ? unlimited : INT64_MIN;
  return difference;
}

}  // namespace

std::int32_t Tree::add(Node node) {
  const std::int32_t index = static_cast<std::int32_t>(nodes_.size());
  (node.queue ? queues_ : cohorts_).emplace(node.name, index);
  nodes_.push_back(std::move(node));
  return index;
}

std::uint32_t Tree::column(const FlavorResource& fr) {
  const auto found = std::find(columns_.begin(), columns_.end(), fr);
  if (found != columns_.end()) return static_cast<std::uint32_t>(found - columns_.begin());
  columns_.push_back(fr);
  return static_cast<std::uint32_t>(columns_.size() - 1);
}

std::int32_t Tree::find_queue(const std::string& name) const {
  const auto found = queues_.find(name);
  return found == queues_.end() ? -1 : found->second;
}

std::int32_t Tree::find_cohort(const std::string& name) const {
  const auto found = cohorts_.find(name);
  return found == cohorts_.end() ? -1 : found->second;
}

const Cell* Tree::cell(std::int32_t node, std::uint32_t column) const {
  const auto& cells = nodes_[static_cast<std::size_t>(node)].cells;
  const auto found = std::lower_bound(cells.begin(), cells.end(), column,
                                      [](const auto& entry, std::uint32_t wanted) { return entry.first < wanted; });
  return found != cells.end() && found->first == column ? &found->second : nullptr;
}

Tree::Row& Tree::row(std::int32_t node, std::uint32_t column) {
  return rows_[static_cast<std::size_t>(node) * columns_.size() + column];
}

const Tree::Row& Tree::row(std::int32_t node, std::uint32_t column) const {
  return rows_[static_cast<std::size_t>(node) * columns_.size() + column];
}

void Tree::add_declared(std::int32_t node) {
  const bool root = nodes_[static_cast<std::size_t>(node)].parent < 0;
  for (const auto& [column, declared] : nodes_[static_cast<std::size_t>(node)].cells) {
    Row& own = row(node, column);
    own.subtree = quota::add(own.subtree, declared.nominal);
    own.usage = quota::add(own.usage, declared.usage);
    if (declared.lending && !root) own.local = std::max<std::int64_t>(0, subtract(own.subtree, *declared.lending));
  }
}

void Tree::pass_up(std::int32_t node) {
  const std::int32_t parent = nodes_[static_cast<std::size_t>(node)].parent;
  if (parent < 0) return;
  for (std::uint32_t column = 0; column < columns_.size(); ++column) {
    const Row& own = row(node, column);
    Row& above = row(parent, column);
    above.subtree = quota::add(above.subtree, subtract(own.subtree, own.local));
    above.usage = quota::add(above.usage, std::max<std::int64_t>(0, subtract(own.usage, own.local)));
  }
}

void Tree::compute_ceilings(std::int32_t node) {
  const std::int32_t parent = nodes_[static_cast<std::size_t>(node)].parent;
  for (std::uint32_t column = 0; column < columns_.size(); ++column) {
    Row& own = row(node, column);
    own.ceiling = parent < 0 ? own.subtree : quota::add(own.local, row(parent, column).ceiling);
  }
  if (parent < 0) return;
  for (const auto& [column, declared] : nodes_[static_cast<std::size_t>(node)].cells) {
    Row& own = row(node, column);
    if (declared.borrowing) own.ceiling = std::min(own.ceiling, quota::add(own.subtree, *declared.borrowing));
  }
}

// Children come after their parents, so one walk backwards sees every child before its parent.
void Tree::compute() {
  rows_.assign(nodes_.size() * columns_.size(), Row());
  const std::int32_t count = static_cast<std::int32_t>(nodes_.size());
  for (std::int32_t node = count - 1; node >= 0; --node) {
    add_declared(node);
    pass_up(node);
  }
  for (std::int32_t node = 0; node < count; ++node) compute_ceilings(node);
}

std::int64_t Tree::subtree(std::int32_t node, std::uint32_t column) const {
  return row(node, column).subtree;
}
std::int64_t Tree::local(std::int32_t node, std::uint32_t column) const {
  return row(node, column).local;
}
std::int64_t Tree::usage(std::int32_t node, std::uint32_t column) const {
  return row(node, column).usage;
}
std::int64_t Tree::ceiling(std::int32_t node, std::uint32_t column) const {
  return row(node, column).ceiling;
}

std::int64_t Tree::available(std::int32_t node, std::uint32_t column) const {
  // From the root down along the node's ancestors.
  std::vector<std::int32_t> chain;
  for (std::int32_t at = node; at >= 0; at = nodes_[static_cast<std::size_t>(at)].parent) chain.push_back(at);
  std::int64_t available = subtract(subtree(chain.back(), column), usage(chain.back(), column));
  for (auto at = chain.rbegin() + 1; at != chain.rend(); ++at) {
    const Row& own = row(*at, column);
    const Cell* declared = cell(*at, column);
    if (declared != nullptr && declared->borrowing) {
      const std::int64_t beyond = std::max<std::int64_t>(0, subtract(own.usage, own.local));
      const std::int64_t allowed =
          quota::add(subtract(subtract(own.subtree, own.local), beyond), *declared->borrowing);
      available = std::min(available, allowed);
    }
    available = quota::add(std::max<std::int64_t>(0, subtract(own.local, own.usage)), available);
  }
  return available;
}

void Tree::add_usage(std::int32_t node, std::uint32_t column, std::int64_t amount) {
  while (node >= 0 && amount > 0) {
    Row& own = row(node, column);
    const std::int64_t free = std::max<std::int64_t>(0, subtract(own.local, own.usage));
    own.usage = quota::add(own.usage, amount);
    amount = subtract(amount, free);
    node = nodes_[static_cast<std::size_t>(node)].parent;
  }
}

void Tree::remove_usage(std::int32_t node, std::uint32_t column, std::int64_t amount) {
  while (node >= 0 && amount > 0) {
    Row& own = row(node, column);
    const std::int64_t stored_above = subtract(own.usage, own.local);
    own.usage = subtract(own.usage, amount);
    amount = std::min(amount, stored_above);
    node = nodes_[static_cast<std::size_t>(node)].parent;
  }
}

}  // namespace cmb2kueue::quota
