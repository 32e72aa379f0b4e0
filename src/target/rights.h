// What a cutover, and a rollback, have to be allowed to do.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/base/finding.h"
#include "kube_client.h"

namespace cmb2kueue::target {

struct Right {
  std::string group, resource, name_space, verb;
};
// Everything the verbs that write do, and everything their undoing does; deploy/rbac.yaml grants just these.
std::vector<Right> needed_rights();

// Asks the server about each of them (SelfSubjectAccessReview); K-RIGHT for those that are missing.
base::Status check_rights(KubeClient& client, base::Findings& findings);

}  // namespace cmb2kueue::target
