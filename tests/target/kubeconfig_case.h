// A case of tests/target/kubeconfig: what it is about, what is given, what comes of it, and the files there are.
//
//   # a sentence
//   flag namespace = south            a flag; lists by commas
//   env kubeconfig = /a:/b            a field of KubeEnvironment, or pod = yes for a whole account
//   namespace = south                 a field of the connection (see shown())
//   fails input = part of a message   instead of fields
//   advice = part of the advice
//   -- /a --                          a file
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cmb2kueue/base/file.h"
#include "kubeconfig.h"

namespace cmb2kueue::target {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct KubeconfigCase {
  KubeFlags flags;
  KubeEnvironment environment;
  base::MemoryFileSystem fs;
  std::string fails_with, message, advice;  // kind and part of each; "" when it does not fail
  Fields fields;                            // of the connection
};

KubeconfigCase read_case(const std::string& name);
std::vector<std::string> case_names();

// The connection as a case writes it; of PEM texts the line between the marks, of a plugin what cases ask for.
std::map<std::string, std::string> shown(const Connection& connection);

}  // namespace cmb2kueue::target
