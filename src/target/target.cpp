// The table of target kinds and their address forms.
#include "cmb2kueue/target/target.h"

#include "cmb2kueue/base/text.h"
#include "directory_target.h"

namespace cmb2kueue::target {

const std::vector<TargetKind>& target_kinds() {
  static const std::vector<TargetKind> table = {
      {"dir", "dir:PATH", "a folder of manifests, such as a Git work tree"},
      {"mem", "mem:[NAME]", "memory, gone when the program ends; for tries"},
  };
  return table;
}

base::Result<Address> parse_address(const std::string& text) {
  const std::size_t colon = text.find(':');
  Address address{text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1), text};
  std::vector<std::string> kinds;
  for (const TargetKind& row : target_kinds()) kinds.emplace_back(row.kind);
  if (colon == std::string::npos)
    return base::Status(base::ErrorKind::usage, base::quoted(text) + " is not the address of a target",
                        "write dir:PATH, for example dir:" + text);
  for (const std::string& kind : kinds) {
    if (kind != address.kind) continue;
    if (address.kind == "mem" && address.rest.empty()) address.rest = "memory";
    if (address.rest.empty())
      return base::Status(base::ErrorKind::usage, "the address " + base::quoted(text) + " names no place",
                          "write dir:PATH");
    while (address.rest.size() > 1 && address.rest.back() == '/') address.rest.pop_back();
    return address;
  }
  return base::Status(
      base::ErrorKind::usage,
      "there is no kind of target " + base::quoted(address.kind) + base::did_you_mean(address.kind, kinds),
      "write dir:PATH");
}

std::vector<std::string> not_observed(const Address&) {
  return {"readiness of the queues: a folder has no controller",
          "running and waiting work: a folder has no workloads",
          "rights, webhooks and the controller's settings: a folder has no API server"};
}

base::Result<std::unique_ptr<Target>> open(const Address& address, const std::string& cell, base::FileSystem& fs) {
  const std::string kind = fs.kind_of(address.rest);
  if (kind == "file" || kind == "other")
    return base::Status(base::ErrorKind::io, base::quoted(address.rest) + " is not a folder", "name a folder");
  return std::unique_ptr<Target>(std::make_unique<DirectoryTarget>(address.rest, cell, fs));
}

}  // namespace cmb2kueue::target
