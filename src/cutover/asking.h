// Calls to the other side: a record before each one that changes something, its answer recorded after it.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "cmb2kueue/hooks/other_side.h"
#include "run.h"

namespace cmb2kueue::cutover {

// The context has an other side that offers this.
bool offers(const Context& context, hooks::Hook hook);

// How calls name a tenant.
hooks::TenantRef ref_of(const Enrolled& tenant);

// What a call about the tenant says of itself, after the newest record. `content` tells calls of one run apart.
hooks::Call call_about(const Run& run, const Enrolled& tenant, hooks::Hook hook, const std::string& content);

using Ask = std::function<base::Status(const hooks::Call&)>;

// Announces the call, makes it, and records what was answered. Nobody has taken over when it is made. In a dry run
// nothing is asked and the answer is taken to be yes. A failure to record the answer is the failure returned.
base::Status ask(Run& run, std::string_view step, const Enrolled& tenant, hooks::Hook hook,
                 const std::string& content, const Ask& make);

// Who receives the tenant's work, as the hook route says. Errors of the hook; unknown in a dry run.
base::Result<hooks::Side> ask_route(Run& run, const Enrolled& tenant);

}  // namespace cmb2kueue::cutover
