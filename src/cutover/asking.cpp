// The protocol around each call.
#include "asking.h"

#include <fmt/format.h>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::cutover {

bool offers(const Context& context, hooks::Hook hook) {
  return context.other_side != nullptr && context.other_side->offers(hook);
}

hooks::TenantRef ref_of(const Enrolled& tenant) {
  hooks::TenantRef ref{tenant.id, tenant.display, tenant.hash, "", "", ""};
  for (const kueue::Object& object : tenant.objects) {
    const kueue::Meta& meta = kueue::meta_of(object);
    if (std::holds_alternative<kueue::ClusterQueue>(object)) ref.cluster_queue = meta.name;
    if (std::holds_alternative<kueue::LocalQueue>(object)) {
      ref.local_queue = meta.name;
      ref.name_space = meta.name_space;
    }
  }
  return ref;
}

hooks::Call call_about(const Run& run, const Enrolled& tenant, hooks::Hook hook, const std::string& content) {
  constexpr std::size_t key_length = 16;
  hooks::Call call;
  call.cell = run.context.cell;
  call.run = tenant.run;
  call.sequence = run.state().head.seq;
  call.key = fmt::format("{}/{}/{}", tenant.run, to_string(hook), base::sha256_base32(content, key_length));
  call.tenant = ref_of(tenant);
  return call;
}

base::Status ask(Run& run, std::string_view step, const Enrolled& tenant, hooks::Hook hook,
                 const std::string& content, const Ask& make) {
  if (run.context.dry_run) {
    run.event(step, "done", fmt::format("ask CMB to {}", to_string(hook)));
    return {};
  }
  const std::string named = fmt::format("{} {} of {}", to_string(hook), call_about(run, tenant, hook, content).key,
                                        run.context.other_side->identity());
  base::Status recorded = run.note(step, "ask", named, "");
  if (recorded.ok()) recorded = run.journal.current();
  if (!recorded.ok()) return recorded;
  const base::Status answer = make(call_about(run, tenant, hook, content));
  recorded = run.note(step, "answer", named, answer.ok() ? "done" : answer.message());
  return recorded.ok() ? answer : recorded;
}

base::Result<hooks::Side> ask_route(Run& run, const Enrolled& tenant) {
  if (run.context.dry_run) return hooks::Side::unknown;
  return run.context.other_side->route(call_about(run, tenant, hooks::Hook::route, ""));
}

}  // namespace cmb2kueue::cutover
