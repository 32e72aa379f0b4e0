// The table of options. Help, completion, the environment and the manual's test read it; a verb names the ones it
// takes.
#include <algorithm>

#include "cluster_options.h"
#include "cmb2kueue/cli/cli.h"

namespace cmb2kueue::cli {

const std::vector<OptionInfo>& options() {
  static const std::vector<OptionInfo> table = {
      {"--export", "-e", "FILE", "The tenant export to read, JSON or YAML; - for standard input.", false, true},
      {"--from", "", "FORMAT", "The export's format (cmb, yunikorn); recognised when left out.", false, true},
      {"--jobs", "", "FILE", "A job or accumulator export (JSON Lines) of the same exportId.", true, true},
      {"--mapping", "-m", "FILE", "The mapping file; parity, lend and pools name the shipped ones.", false, true},
      {"--accept", "", "FILE", "An acceptance file: losses that somebody answers for.", true, true},
      {"--out", "", "PATH", "Where to write: a folder for translate, a file for plan.", false, false},
      {"--output", "-o", "FORMAT", "How to print: text, json, yaml or markdown.", false, true},
      {"--target", "", "ADDRESS", "Where the objects live: dir:PATH, kube:CONTEXT, or CELL=ADDRESS once per cell.",
       true, false},
      {"--fail-on", "", "SEVERITY", "Exit 1 for findings at or above note, warning or error (the default).", false,
       true},
      {"--color", "", "WHEN", "auto, always or never.", false, true},
      {"--strict", "", "", "Unknown fields of the export are errors.", false, true},
      {"--all", "", "",
       "Everything: the end state for translate, every enrolled tenant for rollback, every ramping one for ramp.",
       false, false},
      {"--production", "", "", "Refuse manifests made by translate --all, which show the end state.", false, true},
      {"--partial", "", "", "The manifests are not everything: what they name may exist elsewhere.", false, true},
      {"--unified", "-u", "", "Print a plain unified diff of the manifests.", false, false},
      {"--plan", "", "FILE", "Act on this plan instead of making one.", false, false},
      {"--propose-partition", "", "FILE",
       "Write the partition section these tenants need, to be checked and signed.", false, false},
      {"--propose-acceptances", "", "FILE",
       "Write an acceptance file for what these tenants lose, to be filled in.", false, false},
      {"--hooks", "", "FILE", "The hooks file: programs that stand for CMB. See cmb2kueue-hooks(5).", false, true},
      {"--hold-after", "", "STEP",
       "Stop after this step: preflight, snapshot, shared, hold, capacity, open, switched, verify, ramp or moved.",
       false, false},
      {"--on-failure", "", "WHAT", "rollback (the default) or hold.", false, false},
      {"--switched", "", "", "The operator's word that CMB now sends this tenant's work to Kueue.", false, false},
      {"--switched-back", "", "", "The operator's word that CMB takes this tenant's work again.", false, false},
      {"--drained", "", "", "The operator's word that no job of this tenant is left in Kueue.", false, false},
      {"--watch", "", "", "Take stage after stage until the last, waiting for CMB in between.", false, false},
      {"--wait", "", "", "Stay until what still runs in Kueue has ended.", false, false},
      {"--timeout", "", "TIME", "Give up waiting after this long, as 90s or 2h; 0, the default, is never.", false,
       false},
      {"--reason", "", "TEXT", "Why; recorded in the journal.", false, true},
      {"--dry-run", "", "MODE",
       "none; client: say what would be done; server: also put each write before the server.", false, false},
      {"--capacity", "", "", "Show how every node's capacity is divided between Kueue, CMB and held.", false,
       false},
      {"--holder", "", "ID", "The holder of the lock, as status prints it.", false, false},
      {"--run", "", "ID", "All tenants of this run.", false, false},
      {"--since", "", "TIME", "Only records from this moment on (RFC 3339).", false, false},
      {"--help", "-h", "", "Show this help.", false, false},
  };
  static const std::vector<OptionInfo> all = [] {
    std::vector<OptionInfo> both = table;
    both.insert(both.end(), cluster_options().begin(), cluster_options().end());
    return both;
  }();
  return all;
}

std::vector<const OptionInfo*> options_of(const VerbInfo& verb) {
  std::vector<const OptionInfo*> found;
  const auto add = [&](std::string_view name) {
    const OptionInfo* option = find_option(name);
    if (std::find(found.begin(), found.end(), option) == found.end()) found.push_back(option);
  };
  for (const std::string_view name : verb.options) add(name);
  if (std::find(verb.options.begin(), verb.options.end(), "--target") != verb.options.end())
    for (const OptionInfo& option : cluster_options()) add(option.name);
  for (const char* name : {"--output", "--fail-on", "--color", "--help"}) add(name);
  return found;
}

const OptionInfo* find_option(std::string_view name) {
  const std::vector<OptionInfo>& all = options();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const OptionInfo& option) { return option.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace cmb2kueue::cli
