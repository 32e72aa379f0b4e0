// Which context, cluster and user count, and what flags say instead of them.
#include "cmb2kueue/base/text.h"
#include "kubeconfig_parts.h"

namespace cmb2kueue::target {

namespace {

template <class Entry>
std::vector<std::string> names_of(const std::map<std::string, Entry>& entries) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries) names.push_back(name);
  return names;
}

// "kind" is "context", "cluster" or "user".
template <class Entry>
base::Status no_entry(const std::string& where, const std::string& kind, const std::string& name,
                      const std::map<std::string, Entry>& entries) {
  const base::Status status(
      base::ErrorKind::not_found,
      "there is no " + kind + " " + base::quoted(name) + base::did_you_mean(name, names_of(entries)),
      "kubectl config view shows what there is; KUBECONFIG and --kubeconfig say in which files");
  return at_place(where, status);
}

base::Status nothing_chosen(const Kubeconfig& config) {
  if (config.contexts.empty())
    return base::Status(base::ErrorKind::not_found, "there is no configuration of a cluster",
                        "name a file with --kubeconfig or KUBECONFIG, or a server with --server");
  return base::Status(base::ErrorKind::not_found, "no context is chosen",
                      "name one with --context, for example " + base::quoted(config.contexts.begin()->first));
}

// The entry of that name, where it must be there.
template <class Entry>
base::Status pick(const std::string& where, const std::string& kind, const std::string& name, bool may_miss,
                  const std::map<std::string, Entry>& entries, Entry& found) {
  const typename std::map<std::string, Entry>::const_iterator at = entries.find(name);
  if (at != entries.end()) found = at->second;
  return at != entries.end() || name.empty() || may_miss ? base::Status() : no_entry(where, kind, name, entries);
}

base::Result<Choice> from_files(const KubeFlags& flags, const Kubeconfig& config) {
  Choice choice;
  choice.context = flags.context.empty() ? config.current_context : flags.context;
  ContextEntry context;
  base::Status status = pick("", "context", choice.context, false, config.contexts, context);
  if (!status.ok()) return status;
  choice.cluster = flags.cluster.empty() ? context.cluster : flags.cluster;
  choice.user = flags.user.empty() ? context.user : flags.user;
  choice.name_space = context.name_space;
  const bool has_server = flags.cluster.empty() && !flags.server.empty();
  const bool has_login = flags.user.empty() && !(flags.token.empty() && flags.client_certificate.empty());
  status = pick(context.where, "cluster", choice.cluster, has_server, config.clusters, choice.server);
  if (status.ok()) status = pick(context.where, "user", choice.user, has_login, config.users, choice.login);
  if (!status.ok()) return status;
  return choice;
}

// A CA or the wish to go without one replaces all that a file says of either. A server of another name is not the
// one a file knows the certificate's name of.
void lay_over(const KubeFlags& flags, ClusterEntry& server) {
  if (!flags.server.empty()) server.server = flags.server;
  if (flags.insecure_skip_tls_verify || !flags.certificate_authority.empty()) {
    server.insecure_skip_tls_verify = flags.insecure_skip_tls_verify;
    server.ca_path = flags.certificate_authority;
    server.ca_data.clear();
  }
  if (!flags.tls_server_name.empty() || !flags.server.empty()) server.tls_server_name = flags.tls_server_name;
}

void lay_over(const KubeFlags& flags, UserEntry& login) {
  if (!flags.token.empty()) {
    login.token = flags.token;
    login.token_path.clear();
  }
  if (!flags.client_certificate.empty()) {
    login.certificate_path = flags.client_certificate;
    login.certificate_data.clear();
  }
  if (!flags.client_key.empty()) {
    login.key_path = flags.client_key;
    login.key_data.clear();
  }
  if (!flags.as.empty()) login.as = flags.as;
  if (!flags.as_uid.empty()) login.as_uid = flags.as_uid;
  if (!flags.as_groups.empty()) login.as_groups = flags.as_groups;
}

bool says_nothing(const KubeFlags& flags, const Choice& choice) {
  return choice.context.empty() && choice.cluster.empty() && choice.user.empty() && flags.server.empty();
}

}  // namespace

base::Result<Choice> choose(const KubeFlags& flags, const KubeEnvironment& environment, base::FileSystem& fs) {
  const base::Result<Kubeconfig> config = merged_kubeconfig(flags, environment, fs);
  if (!config.ok()) return config.status();
  base::Result<Choice> choice = from_files(flags, config.value());
  if (!choice.ok()) return choice.status();
  const bool in_pod = runs_in_pod(environment, fs);
  const bool nothing = says_nothing(flags, choice.value());
  if (nothing && in_pod && flags.kubeconfig.empty()) choice = pod_account(environment, fs);
  if (choice->cluster.empty() && flags.server.empty())
    return nothing ? nothing_chosen(config.value())
                   : base::Status(base::ErrorKind::input, "no cluster is named", "name one with --cluster");
  lay_over(flags, choice->server);
  lay_over(flags, choice->login);
  // In a pod a context that names no namespace means the pod's own.
  if (choice->name_space.empty() && in_pod) choice->name_space = pod_namespace(environment, fs);
  if (!flags.name_space.empty()) choice->name_space = flags.name_space;
  return choice;
}

}  // namespace cmb2kueue::target
