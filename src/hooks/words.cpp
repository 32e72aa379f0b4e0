// The words of the protocol.
#include <algorithm>

#include "cmb2kueue/hooks/other_side.h"

namespace cmb2kueue::hooks {

namespace {

struct HookWord {
  Hook hook;
  const char* word;
};

constexpr HookWord hook_words[] = {
    {Hook::probe, "probe"},
    {Hook::cede, "cede"},
    {Hook::restore, "restore"},
    {Hook::switch_to_kueue, "switch"},
    {Hook::switch_back, "switch-back"},
    {Hook::route, "route"},
    {Hook::usage, "usage"},
    {Hook::pending, "pending"},
    {Hook::withdraw, "withdraw"},
    {Hook::enqueue, "enqueue"},
    {Hook::notify, "notify"},
};

}  // namespace

const char* to_string(Hook hook) {
  for (const HookWord& row : hook_words)
    if (row.hook == hook) return row.word;
  return "";
}

std::optional<Hook> hook_of(std::string_view word) {
  for (const HookWord& row : hook_words)
    if (word == row.word) return row.hook;
  return std::nullopt;
}

const std::vector<Hook>& all_hooks() {
  static const std::vector<Hook> all = [] {
    std::vector<Hook> hooks;
    for (const HookWord& row : hook_words) hooks.push_back(row.hook);
    return hooks;
  }();
  return all;
}

const char* to_string(Side side) {
  switch (side) {
    case Side::cmb:
      return "cmb";
    case Side::kueue:
      return "kueue";
    case Side::unknown:
      break;
  }
  return "unknown";
}

const char* to_string(Fate fate) {
  switch (fate) {
    case Fate::withdrawn:
      return "withdrawn";
    case Fate::started:
      return "started";
    case Fate::queued:
      return "queued";
    case Fate::exists:
      return "exists";
    case Fate::refused:
      return "refused";
    case Fate::unknown:
      break;
  }
  return "unknown";
}

}  // namespace cmb2kueue::hooks
