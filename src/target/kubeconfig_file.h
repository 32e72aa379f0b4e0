// What kubeconfig files say, before anything is chosen from it: one file, and several laid over each other.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cmb2kueue/base/file.h"
#include "kubeconfig.h"

namespace cmb2kueue::target {

// Paths are relative to the working directory or absolute, no longer to the file. `where` is "file:line:column", or
// "" for what no file says.
struct ContextEntry {
  std::string where;
  std::string cluster, user, name_space;
};

struct ClusterEntry {
  std::string where;
  std::string server, tls_server_name, proxy_url;
  std::string ca_path, ca_data;  // data is decoded
  bool insecure_skip_tls_verify = false, disable_compression = false;
  std::string exec_extension;  // JSON
};

struct UserEntry {
  std::string where;
  std::string certificate_path, certificate_data, key_path, key_data;
  std::string token, token_path, username, password;
  std::string as, as_uid;
  std::vector<std::string> as_groups;
  std::map<std::string, std::vector<std::string>> as_user_extra;
  std::optional<std::string> auth_provider;  // its name
  std::optional<ExecConfig> exec;            // as written, but for the path of its command and the default mode
};

struct Kubeconfig {
  std::string current_context;
  std::map<std::string, ContextEntry> contexts;
  std::map<std::string, ClusterEntry> clusters;
  std::map<std::string, UserEntry> users;
};

// A text of at most 1 MiB. Errors: those of FileSystem::read, input when it is larger.
base::Result<std::string> read_small_file(const std::string& path, base::FileSystem& fs);

// Errors: not_found, io, input. Messages begin with the place and hold nothing that stands in the file but names of
// fields and entries.
base::Result<Kubeconfig> read_kubeconfig(const std::string& path, base::FileSystem& fs);

// All files that count. Errors: those of read_kubeconfig, but only a file named by --kubeconfig must be there.
base::Result<Kubeconfig> merged_kubeconfig(const KubeFlags& flags, const KubeEnvironment& environment,
                                           base::FileSystem& fs);

// The words between double quotes taken out: messages of a parser quote what it read, and that may be a secret.
std::string without_quotations(const std::string& message);

// "file:line:column: message", so that a person finds the place without the files at hand.
base::Status at_place(const std::string& where, const base::Status& status);

}  // namespace cmb2kueue::target
