// The tables.
#include "words.h"

namespace cmb2kueue::cutover {

namespace {

template <class Enumeration>
struct Word {
  Enumeration value;
  std::string_view word;
};

constexpr Word<quota::SplitKind> splits[] = {{quota::SplitKind::by_moved_reservation, "by-moved-reservation"},
                                             {quota::SplitKind::by_moved_weight, "by-moved-weight"},
                                             {quota::SplitKind::percent, "percent"},
                                             {quota::SplitKind::at_end, "at-end"}};
constexpr Word<quota::LimitRole> roles[] = {{quota::LimitRole::none, "none"},
                                            {quota::LimitRole::own_leaf, "own-leaf"},
                                            {quota::LimitRole::outermost, "outermost"},
                                            {quota::LimitRole::inner, "inner"}};
constexpr Word<base::Unit> units[] = {
    {base::Unit::one, "one"}, {base::Unit::milli, "milli"}, {base::Unit::mebi, "mebi"}, {base::Unit::mega, "mega"}};
constexpr Word<Intake> intakes[] = {{Intake::cmb, "cmb"}, {Intake::moving, "moving"}, {Intake::kueue, "kueue"}};
constexpr kueue::Kind kinds[] = {kueue::Kind::name_space, kueue::Kind::resource_flavor, kueue::Kind::priority_class,
                                 kueue::Kind::cohort,     kueue::Kind::cluster_queue,   kueue::Kind::local_queue,
                                 kueue::Kind::other};

template <class Table, class Enumeration>
std::string_view find_word(const Table& table, Enumeration value) {
  for (const auto& row : table)
    if (row.value == value) return row.word;
  return "";
}

template <class Enumeration, class Table>
std::optional<Enumeration> find_value(const Table& table, std::string_view word) {
  for (const auto& row : table)
    if (row.word == word) return row.value;
  return std::nullopt;
}

}  // namespace

std::string_view word_of(quota::SplitKind kind) {
  return find_word(splits, kind);
}
std::string_view word_of(quota::LimitRole role) {
  return find_word(roles, role);
}
std::string_view word_of(base::Unit unit) {
  return find_word(units, unit);
}
std::string_view word_of(kueue::Kind kind) {
  return to_string(kind);
}
std::string_view word_of(TenantState state) {
  return to_string(state);
}
std::string_view word_of(Intake intake) {
  return find_word(intakes, intake);
}

template <>
std::optional<quota::SplitKind> of_word(std::string_view word) {
  return find_value<quota::SplitKind>(splits, word);
}
template <>
std::optional<quota::LimitRole> of_word(std::string_view word) {
  return find_value<quota::LimitRole>(roles, word);
}
template <>
std::optional<base::Unit> of_word(std::string_view word) {
  return find_value<base::Unit>(units, word);
}
template <>
std::optional<kueue::Kind> of_word(std::string_view word) {
  for (const kueue::Kind kind : kinds)
    if (to_string(kind) == word) return kind;
  return std::nullopt;
}
template <>
std::optional<Intake> of_word(std::string_view word) {
  return find_value<Intake>(intakes, word);
}
template <>
std::optional<TenantState> of_word(std::string_view word) {
  for (int i = 0; i <= static_cast<int>(TenantState::failed); ++i)
    if (word == to_string(static_cast<TenantState>(i))) return static_cast<TenantState>(i);
  return std::nullopt;
}

}  // namespace cmb2kueue::cutover
