// Reading what a cluster knows.
#include "kube_cluster.h"

#include <fmt/format.h>

#include "managed_fields.h"

namespace cmb2kueue::target {

namespace {

WriterOptions only_trying(const OpenOptions& options) {
  WriterOptions made;
  made.take_over = options.take_over;
  made.dry_run = true;
  return made;
}

}  // namespace

KubeCluster::KubeCluster(KubeClient& client, base::Clock& clock, const OpenOptions& options)
    : client_(client),
      clock_(clock),
      reader_(client, clock, only_trying(options)),
      accept_defects_(options.accept_defects) {}

base::Result<std::string> KubeCluster::identity() {
  const base::Result<ApiAnswer> answer = client_.send(HttpRequest{"GET", "/api/v1/namespaces/kube-system", "", ""});
  if (!answer.ok()) return answer.status();
  if (!answer->ok())
    return status_of(answer.value(), "reading the namespace kube-system, which tells clusters apart");
  const base::Result<Json> json = Json::parse(answer->body);
  if (!json.ok()) return json.status();
  return text_at(json->root(), "metadata.uid");
}

base::Result<std::vector<Unready>> KubeCluster::unready(const std::vector<kueue::ObjectKey>& keys) {
  const base::Result<std::vector<LiveObject>> objects = reader_.get(keys);
  if (!objects.ok()) return objects.status();
  std::vector<Unready> all;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::optional<Unready> one = judge_readiness(keys[i], objects.value()[i].root());
    if (one) all.push_back(std::move(*one));
  }
  return all;
}

base::Result<std::vector<Ownership>> KubeCluster::owners(const kueue::ObjectKey& key) {
  const base::Result<LiveObject> live = reader_.get(key);
  if (!live.ok()) return live.status();
  std::vector<Ownership> all;
  for (FieldsEntry& entry : managed_fields(live->root()))
    if (entry.manager != field_manager && entry.subresource.empty())
      all.push_back({std::move(entry.manager), std::move(entry.time), std::move(entry.paths)});
  return all;
}

base::Result<std::string> KubeCluster::inhabitant(const std::string& name_space,
                                                  const std::vector<kueue::ObjectKey>& leaving) {
  return find_inhabitant(client_, name_space, leaving);
}

// A namespace that does not exist yet cannot be written into, not even for a try; what would lie in it is left out.
base::Status KubeCluster::rehearse(const Bundle& bundle) {
  base::Result<std::vector<LiveObject>> live = reader_.get(keys_of(bundle.objects));
  if (!live.ok()) return live.status();
  for (std::size_t i = 0; i < bundle.objects.size(); ++i) {
    const kueue::ObjectKey key = kueue::key_of(bundle.objects[i]);
    const base::Result<LiveObject> home =
        key.name_space.empty() ? LiveObject() : reader_.get({kueue::Kind::name_space, "", key.name_space});
    if (!home.ok()) return home.status();
    if (!key.name_space.empty() && !home->exists()) continue;
    const base::Status tried = reader_.write(bundle.objects[i], std::move(live.value()[i]));
    if (!tried.ok()) return tried.prefixed("the server would refuse");
  }
  return {};
}

}  // namespace cmb2kueue::target
