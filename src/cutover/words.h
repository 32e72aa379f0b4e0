// Enumerations as words in records, plans and checkpoints, so that the files can be read by people and by versions
// that number them otherwise. One table per enumeration; a word that is in none is no value.
#pragma once
#include <optional>
#include <string_view>

#include "cmb2kueue/cutover/state.h"

namespace cmb2kueue::cutover {

std::string_view word_of(quota::SplitKind kind);
std::string_view word_of(quota::LimitRole role);
std::string_view word_of(base::Unit unit);
std::string_view word_of(kueue::Kind kind);
std::string_view word_of(TenantState state);
std::string_view word_of(Intake intake);

// The value that has this word.
template <class Enumeration>
std::optional<Enumeration> of_word(std::string_view word);
template <>
std::optional<quota::SplitKind> of_word(std::string_view word);
template <>
std::optional<quota::LimitRole> of_word(std::string_view word);
template <>
std::optional<base::Unit> of_word(std::string_view word);
template <>
std::optional<kueue::Kind> of_word(std::string_view word);
template <>
std::optional<TenantState> of_word(std::string_view word);
template <>
std::optional<Intake> of_word(std::string_view word);

}  // namespace cmb2kueue::cutover
