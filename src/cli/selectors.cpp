// Choosing tenants by what people type.
#include "selectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::cli {

namespace {

bool names(const Nameable& one, const std::string& selector) {
  return one.hash == selector || one.id == selector || one.object == selector || one.path == selector ||
         (selector.starts_with("/") && one.path.starts_with(selector + "/"));
}

bool ends_in(const Nameable& one, const std::string& name) {
  return one.path.size() > name.size() && one.path.ends_with(name) &&
         one.path[one.path.size() - name.size() - 1] == '/';
}

template <class Test>
std::set<std::string> those(const std::vector<Nameable>& all, Test test) {
  std::set<std::string> hashes;
  for (const Nameable& one : all)
    if (test(one)) hashes.insert(one.hash);
  return hashes;
}

}  // namespace

base::Result<std::vector<std::string>> select(const std::vector<Nameable>& all,
                                              const std::vector<std::string>& selectors, const std::string& where,
                                              const std::string& advice) {
  std::set<std::string> chosen;
  for (const std::string& selector : selectors) {
    std::set<std::string> found = those(all, [&](const Nameable& one) { return names(one, selector); });
    if (found.empty()) found = those(all, [&](const Nameable& one) { return ends_in(one, selector); });
    if (found.size() > 1 && those(all, [&](const Nameable& one) { return names(one, selector); }).empty())
      return base::Status(base::ErrorKind::usage,
                          fmt::format("{} tenants are called {}", found.size(), base::quoted(selector)),
                          "name the one you mean by its whole path");
    if (found.empty()) {
      std::vector<std::string> paths;
      for (const Nameable& one : all) paths.push_back(one.path);
      return base::Status(base::ErrorKind::not_found,
                          base::quoted(selector, 400) + " " + where + base::did_you_mean(selector, paths), advice);
    }
    chosen.merge(found);
  }
  return std::vector<std::string>(chosen.begin(), chosen.end());
}

}  // namespace cmb2kueue::cli
