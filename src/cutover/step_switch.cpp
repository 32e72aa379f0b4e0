// switched and its undoing: who receives the tenant's work. With hooks CMB is asked to switch, and asked afterwards
// who receives work now, whatever became of the first question; without, the operator's word counts.
#include <fmt/format.h>

#include "asking.h"
#include "cmb2kueue/base/text.h"
#include "steps.h"

namespace cmb2kueue::cutover {

namespace {

base::Status take_word(Task& task) {
  Enrolled tenant = advanced(task, TenantState::switched, "switched");
  tenant.intake = Intake::kueue;
  tenant.received = true;
  const base::Status recorded = task.run.record("switched", change_of(std::move(tenant)));
  if (recorded.ok()) task.run.event("switched", "done", "recorded that CMB sends this tenant's work to Kueue");
  return recorded;
}

// From here on work may arrive on this side, whatever is answered.
base::Status expect_work(Task& task) {
  Enrolled tenant = *enrolled_of(task.run.state(), task.tenant.hash);
  if (tenant.intake == Intake::moving) return {};
  tenant.intake = Intake::moving;
  tenant.received = true;
  return task.run.record("switched", change_of(std::move(tenant)));
}

base::Status nobody_knows(const std::string& name, const base::Status& why) {
  return base::Status(
      base::ErrorKind::interrupted,
      fmt::format("it is not known who receives the work of {} now{}", name,
                  why.ok() ? std::string() : ": " + why.message()),
      "nothing was undone, both sides are open; the same command asks again, rollback brings the work back");
}

// CMB has kept the work. A request that is only late must not move it later: the way back is asked for behind it,
// and then the run counts as never switched.
base::Status stay_with_cmb(Task& task, const base::Status& why) {
  Run& run = task.run;
  const Enrolled tenant = *enrolled_of(run.state(), task.tenant.hash);
  const base::Status back = ask(run, "switched", tenant, hooks::Hook::switch_back, "",
                                [&](const hooks::Call& call) { return run.context.other_side->switch_back(call); });
  const base::Result<hooks::Side> side = ask_route(run, tenant);
  if (!back.ok() || !side.ok() || side.value() != hooks::Side::cmb) return nobody_knows(tenant.display, why);
  Enrolled settled = tenant;
  settled.intake = Intake::cmb;
  settled.received = false;
  const base::Status recorded = run.record("switched", change_of(std::move(settled)));
  if (!recorded.ok()) return recorded;
  if (!why.ok()) return why;
  return base::Status(
      base::ErrorKind::mismatch,
      fmt::format("CMB said that it was switched, and still receives the work of {}", tenant.display),
      "look at what its hook switch does; then the same command again");
}

base::Status switch_by_hook(Task& task) {
  Run& run = task.run;
  base::Status status = expect_work(task);
  if (!status.ok()) return status;
  const Enrolled tenant = *enrolled_of(run.state(), task.tenant.hash);
  const base::Status answer =
      ask(run, "switched", tenant, hooks::Hook::switch_to_kueue, "",
          [&](const hooks::Call& call) { return run.context.other_side->switch_to_kueue(call); });
  if (answer.kind() == base::ErrorKind::locked) return answer;
  const base::Result<hooks::Side> side =
      run.context.dry_run ? base::Result<hooks::Side>(hooks::Side::kueue) : ask_route(run, tenant);
  if (!side.ok() || side.value() == hooks::Side::unknown)
    return nobody_knows(tenant.display, side.ok() ? answer : side.status());
  if (side.value() == hooks::Side::cmb) return stay_with_cmb(task, answer);
  Enrolled switched = advanced(task, TenantState::switched, "switched");
  switched.intake = Intake::kueue;
  status = run.record("switched", change_of(std::move(switched)));
  if (status.ok()) run.event("switched", "done", "CMB sends this tenant's work to Kueue, and says so when asked");
  return status;
}

}  // namespace

base::Status switch_over(Task& task) {
  return offers(task.run.context, hooks::Hook::switch_to_kueue) ? switch_by_hook(task) : take_word(task);
}

base::Status switch_back_by_hook(hooks::OtherSide& other, const hooks::Call& call, hooks::Call asking) {
  const base::Status answer = other.switch_back(call);
  const base::Result<hooks::Side> side = other.route(asking);
  if (side.ok() && side.value() == hooks::Side::cmb) return {};
  if (!answer.ok()) return answer;
  if (!side.ok()) return side.status();
  return base::Status(base::ErrorKind::interrupted,
                      fmt::format("CMB was asked to take the work of {} back, and says that it goes to {}",
                                  call.tenant.path, to_string(side.value())),
                      "the same command asks again");
}

namespace {

base::Status bring_back_by_hook(Undo& undo, const Enrolled& tenant) {
  Run& run = undo.run;
  return ask(run, "switch-back", tenant, hooks::Hook::switch_back, "", [&](const hooks::Call& call) {
    return switch_back_by_hook(*run.context.other_side, call, call_about(run, tenant, hooks::Hook::route, ""));
  });
}

}  // namespace

// The first mark of a rollback.
base::Status restore_intake(Undo& undo) {
  Enrolled tenant = undo.tenant();
  if (tenant.state == TenantState::draining && tenant.intake == Intake::cmb) return {};
  const bool was_switched = tenant.intake != Intake::cmb;
  const bool by_hook = was_switched && offers(undo.run.context, hooks::Hook::switch_back);
  if (by_hook) {
    const base::Status back = bring_back_by_hook(undo, tenant);
    if (!back.ok()) return back;
  } else if (was_switched && !undo.switched_back) {
    return base::Status(base::ErrorKind::usage, fmt::format("the work of {} goes to Kueue", tenant.display),
                        "switch it back at CMB, then run the same command with --switched-back --reason '...'");
  }
  tenant.state = TenantState::draining;
  tenant.intake = Intake::cmb;
  const base::Status recorded = undo.run.record("switch-back", change_of(std::move(tenant)));
  if (recorded.ok())
    undo.run.event("switch-back", "done",
                   by_hook        ? "CMB takes this tenant's work again, and says so when asked: intake is restored"
                   : was_switched ? "recorded that CMB takes this tenant's work again: intake is restored"
                                  : "its work never left CMB: intake is where it was");
  return recorded;
}

}  // namespace cmb2kueue::cutover
