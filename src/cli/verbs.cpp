// The table of verbs: what each is for, its options, its examples, and the function that runs it. Help, completion
// and the manual's test read this table.
#include <algorithm>

#include "cmb2kueue/cli/cli.h"
#include "commands.h"

namespace cmb2kueue::cli {

namespace {

VerbInfo audit_verb() {
  return {"audit",
          "[TENANT]",
          "what is in an export: tree, totals, hazards, forecast of losses",
          "Reads the export and shows the tenant tree, what is reserved per cell and pool, everything that looks "
          "wrong or dangerous, and what would be lost in a move. Nothing is written.",
          {"--export", "--from", "--jobs", "--mapping", "--strict"},
          {{"audit -e export.json", "everything about an export, with the default mapping"},
           {"audit /research -e export.json -m mapping.yaml", "one subtree"},
           {"audit -e queues.yaml --from yunikorn -o json", "a YuniKorn configuration, for a script"}},
          false,
          cmd_audit};
}

VerbInfo translate_verb() {
  return {
      "translate",
      "[TENANT...]",
      "the Kueue manifests of an export, and the ledger of what is lost",
      "With --all the end state of every tenant, each object marked as such and refused by validate --production; "
      "with --target the manifests of enrolled tenants at their present share of capacity. Without --out the "
      "manifests go to standard output and the report to standard error; with --out one file a tenant is "
      "written, and the report is the output.",
      {"--export", "--from", "--jobs", "--mapping", "--strict", "--all", "--out", "--target"},
      {{"translate --all -e export.json -m mapping.yaml --out manifests/", "the end state, one file a tenant"},
       {"translate -e export.json -m mapping.yaml --target dir:live/", "enrolled tenants as they should be now"}},
      false,
      cmd_translate};
}

VerbInfo validate_verb() {
  return {"validate",
          "PATH...",
          "check exports, mappings and Kueue manifests offline, for CI",
          "Reads files and folders of any mix of exports, mappings, acceptance files and Kueue manifests and says "
          "what the API server and its webhooks would refuse, and what they let through that later leaves queues "
          "inactive or jobs pending. No cluster and no network is needed.",
          {"--production", "--partial", "--strict"},
          {{"validate manifests/", "a folder of manifests"},
           {"validate export.json mapping.yaml --fail-on warning", "inputs, strictly"},
           {"validate --production live/", "refuse what translate --all wrote"}},
          false,
          cmd_validate};
}

VerbInfo diff_verb() {
  return {"diff",
          "[OLD NEW]",
          "the difference by value, and which ceilings move for whom",
          "Compares two files or folders of manifests, or, with --target, what enrolled tenants should have with "
          "what is live. Spelling, defaults and order without meaning are never a difference; cosmetic changes are "
          "listed apart. Exit code 1 says that something differs.",
          {"--target", "--unified"},
          {{"diff before/ after/", "two folders of manifests"},
           {"diff before/ after/ -u", "the same as a plain unified diff"},
           {"diff --target dir:live/", "promised against live"}},
          false,
          cmd_diff};
}

VerbInfo plan_verb() {
  return {
      "plan",
      "[show FILE | TENANT...]",
      "a reviewable, single-use plan for moving tenants",
      "Writes down what a cutover would do: the objects, the capacity that moves, and every input value the plan "
      "depends on; without TENANT for everybody. What a cutover would refuse now is refused here. cutover --plan "
      "refuses a plan once one of its values has moved. plan show prints one, also a stale one, and says what "
      "moved.",
      {"--export", "--from", "--jobs", "--mapping", "--accept", "--strict", "--hooks", "--target", "--out",
       "--propose-partition", "--propose-acceptances"},
      {{"plan /research/nlp -e export.json -m mapping.yaml --target dir:live/ --out nlp.plan.json", "one tenant"},
       {"plan show nlp.plan.json --target dir:live/", "what it does and whether it still holds"},
       {"plan /research/nlp -e export.json -m mapping.yaml --propose-partition partition.yaml",
        "the capacity CMB has to give up, to be signed"}},
      false,
      cmd_plan};
}

VerbInfo cutover_verb() {
  return {
      "cutover",
      "TENANT...",
      "move tenants to Kueue",
      "Moves each tenant in turn: snapshot, shared objects, its own objects on hold, its capacity, then open. With "
      "--hooks CMB is then asked to switch, and asked who receives work now; without, the run stops and says what "
      "to switch at CMB, and the same command with --switched goes on. A run that was killed is finished by the "
      "same command. An internal tenant stands for all leaves below it.",
      {"--export", "--from", "--jobs", "--mapping", "--accept", "--strict", "--hooks", "--target", "--plan",
       "--switched", "--hold-after", "--on-failure", "--dry-run", "--reason"},
      {{"cutover /research/nlp -e export.json -m mapping.yaml --accept losses.yaml --target dir:live/",
        "up to the point where CMB has to be switched"},
       {"cutover /research/nlp --switched --reason 'route changed' --plan nlp.plan.json --target dir:live/",
        "after CMB was switched"},
       {"cutover /research/nlp --plan nlp.plan.json --target dir:live/ --dry-run client", "what would be done"}},
      true,
      cmd_cutover};
}

VerbInfo ramp_verb() {
  return {"ramp",
          "[TENANT...]",
          "take the hand-over of capacity a stage further",
          "Has CMB lowered for the next stage of each tenant's ramp, and raises its quota by what CMB has let go. "
          "What still runs at CMB is waited for: the next ramp takes what has become free meanwhile. Safe from a "
          "timer, and to repeat at any time; after the last stage the tenant has moved.",
          {"--hooks", "--target", "--all", "--watch", "--timeout", "--dry-run", "--reason"},
          {{"ramp /research/nlp --hooks hooks.yaml --target dir:live/", "one stage for one tenant"},
           {"ramp --all --watch --timeout 2h --hooks hooks.yaml --target dir:live/", "everybody, to the end"}},
          true,
          cmd_ramp};
}

VerbInfo rollback_verb() {
  return {
      "rollback",
      "TENANT...",
      "bring tenants back, to the byte",
      "Two marks: intake restored, then restored. Where traffic had moved, CMB is asked to take the work again "
      "(--hooks), or --switched-back is the operator's word that it does. What still runs in Kueue keeps its "
      "capacity until it ends; until then the tenant is Draining, and the same command finishes. Its own files "
      "return to what they were; shared objects are computed anew. Nothing blocks the first mark: a live run is "
      "aborted and its lock taken over.",
      {"--hooks", "--target", "--run", "--all", "--switched-back", "--drained", "--wait", "--timeout", "--dry-run",
       "--reason"},
      {{"rollback /research/nlp --target dir:live/ --switched-back --reason 'latency'", "one tenant"},
       {"rollback /research/nlp --hooks hooks.yaml --target kube:prod --wait", "by hooks, until it is over"},
       {"rollback --all --target dir:live/ --switched-back", "everybody"}},
      true,
      cmd_rollback};
}

VerbInfo complete_verb() {
  return {"complete",
          "TENANT...",
          "drop a moved tenant's snapshot",
          "After a good while, when nobody wants the old objects back. Refused while capacity is still moving.",
          {"--target", "--reason", "--dry-run"},
          {{"complete /research/nlp --target dir:live/ --reason 'two quiet weeks'", "one tenant"}},
          true,
          cmd_complete};
}

VerbInfo status_verb() {
  return {"status",
          "[TENANT...]",
          "who stands where, what needs a person, the next command",
          "Counts tenants per state, lists what waits for a person with the exact next command, names the holder "
          "of the "
          "lock, and lists every field that is not as promised, with who wrote it last where a cluster says so. "
          "With --capacity every node's capacity: Kueue, CMB and held, which always sum to the "
          "total.",
          {"--target", "--capacity"},
          {{"status --target dir:live/", "everybody"},
           {"status --capacity --target dir:live/", "how capacity is divided"}},
          false,
          cmd_status};
}

VerbInfo verify_verb() {
  return {"verify",
          "",
          "live objects against what was promised",
          "Compares every object that should be there with what is, by value, and checks that capacity sums to its "
          "totals and that no cohort is its own ancestor. Exit code 7 when something is not as promised.",
          {"--target"},
          {{"verify --target dir:live/", "after a cutover, or every hour"}},
          false,
          cmd_verify};
}

VerbInfo history_verb() {
  return {"history",
          "[TENANT...]",
          "who did what, when and why",
          "Prints the journal's records of all cells in order.",
          {"--target", "--since"},
          {{"history --target dir:live/", "all of it"},
           {"history /research/nlp --since 2026-03-01T00:00:00Z --target dir:live/", "one tenant since March"}},
          false,
          cmd_history};
}

VerbInfo abort_verb() {
  return {"abort",
          "TENANT...",
          "end an unfinished run and undo it",
          "Takes the lock of the run over and undoes what it did. Refused once CMB was switched: use rollback.",
          {"--hooks", "--target", "--reason"},
          {{"abort /research/nlp --target dir:live/ --reason 'wrong tenant'", "one tenant"}},
          true,
          cmd_abort};
}

VerbInfo unlock_verb() {
  return {
      "unlock",
      "",
      "remove the lock of a holder that will not come back",
      "Only for holders on other hosts, which cannot be asked whether they live; a dead process of this host is "
      "taken over without it.",
      {"--target", "--holder", "--reason"},
      {{"unlock --target dir:live/ --holder ops1/4711", "the holder as status prints it"}},
      true,
      cmd_unlock};
}

VerbInfo doctor_verb() {
  return {
      "doctor",
      "",
      "is this cluster ready to take tenants and to give them back",
      "Looks at a cluster and writes nothing: releases of Kubernetes and Kueue with the known defects of the "
      "latter, its kinds and what they are stored as, whether its webhooks answer, every right that a cutover "
      "and its rollback need, the settings of its manager where they can be read, and who else keeps objects of "
      "Kueue. Exit code 1 when something stands in the way.",
      {"--target"},
      {{"doctor --target kube:prod-east", "before the first cutover, and after every upgrade"},
       {"doctor --target kube: --context prod-east -o json", "the same, for a script"}},
      false,
      cmd_doctor};
}

VerbInfo explain_verb() {
  return {"explain",
          "[ID]",
          "what a rule id or catalogue code means",
          "Explains any id printed in front of a message: checks of exports, mappings and manifests, and the codes "
          "of the loss ledger. Without an id all of them are listed.",
          {},
          {{"explain C-09", "a code of the ledger"}, {"explain", "all ids"}},
          false,
          cmd_explain};
}

VerbInfo completion_verb() {
  return {"completion",
          "SHELL",
          "a completion script for bash, zsh or fish",
          "Prints a script for the shell to read. Tenants complete from the export named on the command line or in "
          "CMB2KUEUE_EXPORT.",
          {"--export", "--from", "--mapping"},
          {{"completion bash > ~/.local/share/bash-completion/completions/cmb2kueue", "install for bash"}},
          false,
          cmd_completion};
}

VerbInfo version_verb() {
  return {"version",
          "",
          "the version, and what it speaks",
          "Prints the program's version, the API versions it writes and reads, and the export formats it knows.",
          {},
          {{"version -o json", "for a script"}},
          false,
          cmd_version};
}

}  // namespace

const std::vector<VerbInfo>& verbs() {
  static const std::vector<VerbInfo> table = {
      audit_verb(), translate_verb(), validate_verb(), diff_verb(),    plan_verb(),       cutover_verb(),
      ramp_verb(),  rollback_verb(),  complete_verb(), status_verb(),  verify_verb(),     history_verb(),
      abort_verb(), unlock_verb(),    doctor_verb(),   explain_verb(), completion_verb(), version_verb()};
  return table;
}

const VerbInfo* find_verb(std::string_view name) {
  const std::vector<VerbInfo>& all = verbs();
  const auto found = std::find_if(all.begin(), all.end(), [&](const VerbInfo& verb) { return verb.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace cmb2kueue::cli
