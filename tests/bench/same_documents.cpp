// Says whether two YAML streams hold the same documents, whatever their order and spelling: exit 0 or 1.
//   same_documents A.yaml B.yaml
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

// Maps come out sorted by key. Scalars count by their text: a reader decides what 7 is by the field it stands in.
nlohmann::json canonical(const YAML::Node& node) {
  if (node.IsScalar()) return node.Scalar();
  nlohmann::json out = node.IsSequence() ? nlohmann::json::array() : nlohmann::json::object();
  if (node.IsSequence())
    for (const YAML::Node& item : node) out.push_back(canonical(item));
  if (node.IsMap())
    for (const auto& entry : node) out[entry.first.Scalar()] = canonical(entry.second);
  return out;
}

std::vector<std::string> documents(const char* path) {
  std::ifstream in(path);
  std::vector<std::string> texts;
  for (const YAML::Node& node : YAML::LoadAll(in))
    if (!node.IsNull()) texts.push_back(canonical(node).dump());
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::cerr << "usage: same_documents A.yaml B.yaml\n";
    return 2;
  }
  const std::vector<std::string> a = documents(words[1]), b = documents(words[2]);
  std::vector<std::string> only_a, only_b;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only_a));
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only_b));
  for (const std::string& text : only_a) std::cout << "only in " << words[1] << ": " << text << "\n";
  for (const std::string& text : only_b) std::cout << "only in " << words[2] << ": " << text << "\n";
  std::cout << a.size() << " and " << b.size() << " documents, " << only_a.size() + only_b.size() << " differ\n";
  return a.empty() || !only_a.empty() || !only_b.empty() ? 1 : 0;
}
