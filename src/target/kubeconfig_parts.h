// The steps from entries of kubeconfig files to a Connection: what is chosen, then the server's side and the
// user's.
#pragma once
#include <string>

#include "kubeconfig_file.h"

namespace cmb2kueue::target {

// Copies of the entries that count, with the flags laid over them.
struct Choice {
  std::string context, cluster, user;  // names; "" where only flags say something
  std::string name_space;
  ClusterEntry server;
  UserEntry login;
};

base::Result<Choice> choose(const KubeFlags& flags, const KubeEnvironment& environment, base::FileSystem& fs);

// The pod's account. Nothing of it is read but the namespace, so that its token can change.
bool runs_in_pod(const KubeEnvironment& environment, base::FileSystem& fs);
std::string pod_namespace(const KubeEnvironment& environment, base::FileSystem& fs);
Choice pod_account(const KubeEnvironment& environment, base::FileSystem& fs);

// Address, CA, proxy: everything of the server into the connection.
base::Status resolve_server(const Choice& choice, base::FileSystem& fs, Connection& connection);

// Everything of the user. After resolve_server, since a server without TLS is told nothing.
base::Status resolve_login(const Choice& choice, const KubeEnvironment& environment, base::FileSystem& fs,
                           Connection& connection);

// The content of a file that an entry names in a field, with the place of the entry in errors.
base::Result<std::string> named_file(const std::string& where, const std::string& field, const std::string& path,
                                     base::FileSystem& fs);

// A mistake in an entry.
base::Status contradiction(const std::string& where, const std::string& message, const std::string& advice);

// "the user "dev"", or "the login" where no name was given.
std::string the_user(const Choice& choice);
std::string the_cluster(const Choice& choice);

}  // namespace cmb2kueue::target
