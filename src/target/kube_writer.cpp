// The life of one object: create, apply, replace, remove.
#include "kube_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"
#include "managed_fields.h"

namespace cmb2kueue::target {

namespace {

constexpr int tries = 6;  // against somebody who keeps touching the object, its status mostly
constexpr const char* json_type = "application/json";

std::string what(const kueue::ObjectKey& key) {
  return to_string(key);
}

base::Status lost(const kueue::ObjectKey& key) {
  return base::Status(base::ErrorKind::cluster,
                      fmt::format("whether {} was written is unknown: the server's answer was lost", what(key)),
                      "run the same command again; it looks first");
}

base::Status changed_meanwhile(const kueue::ObjectKey& key) {
  return base::Status(base::ErrorKind::conflict, fmt::format("{} was changed by somebody else just now", what(key)),
                      "look at it (kubectl get -o yaml --show-managed-fields), then run the same command again");
}

// The wanted object under the live one's identity, so that the server refuses when that has changed.
std::string conditional(const std::string& wanted, doc::Node live) {
  const base::Result<Json> json = Json::parse(wanted);
  return Edited(json->root())
      .set("metadata.uid", quoted_json(text_at(live, "metadata.uid")))
      .set("metadata.resourceVersion", quoted_json(text_at(live, "metadata.resourceVersion")))
      .text();
}

std::string finalizers_of(doc::Node live) {
  const doc::Node finalizers = at(live, "metadata.finalizers");
  return finalizers.exists() ? canonical(finalizers) : std::string();
}

std::string content_of_text(const std::string& json) {
  const base::Result<Json> parsed = Json::parse(json);
  return parsed.ok() ? content_of(parsed->root()) : std::string();
}

bool points_elsewhere(doc::Node live, doc::Node wanted) {
  const std::string now = text_at(live, "spec.clusterQueue");
  return text_at(live, "kind") == "LocalQueue" && !now.empty() && now != text_at(wanted, "spec.clusterQueue");
}

base::Result<LiveObject> live_of(const ApiAnswer& answer, const kueue::ObjectKey& key) {
  if (answer.not_found()) return LiveObject{};
  if (!answer.ok()) return status_of(answer, "reading " + what(key));
  base::Result<Json> json = Json::parse(answer.body);
  if (!json.ok()) return json.status();
  LiveObject live;
  live.json = std::move(json).value();
  return live;
}

}  // namespace

std::string KubeWriter::query(const std::string& path) const {
  return fmt::format("{}?fieldManager={}&fieldValidation=Strict{}", path, field_manager,
                     options_.dry_run ? "&dryRun=All" : "");
}

base::Result<LiveObject> KubeWriter::get(const kueue::ObjectKey& key) {
  const base::Result<ApiAnswer> answer = client_.send(HttpRequest{"GET", object_path(key), "", ""});
  if (!answer.ok()) return answer.status();
  return live_of(answer.value(), key);
}

base::Result<std::vector<LiveObject>> KubeWriter::get(const std::vector<kueue::ObjectKey>& keys) {
  std::vector<HttpRequest> requests;
  for (const kueue::ObjectKey& key : keys) requests.push_back({"GET", object_path(key), "", ""});
  const base::Result<std::vector<ApiAnswer>> answers = client_.send(std::move(requests));
  if (!answers.ok()) return answers.status();
  std::vector<LiveObject> all;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    base::Result<LiveObject> live = live_of(answers.value()[i], keys[i]);
    if (!live.ok()) return live.status();
    all.push_back(std::move(live).value());
  }
  return all;
}

// Creation is create-only: POST refuses what is there already, so one whose answer was lost and of which nothing is
// to be seen may be sent again, however late the first arrives.
base::Result<Json> KubeWriter::create(const kueue::ObjectKey& key, const std::string& json) {
  for (int attempt = 0; attempt < tries; ++attempt) {
    const base::Result<ApiAnswer> answer =
        client_.send(HttpRequest{"POST", query(collection_path(key)), json, json_type});
    if (!answer.ok()) return answer.status();
    if (answer->ok()) return Json::parse(answer->body);
    const bool known = !answer->unknown();
    if (known && answer->reason != "AlreadyExists") return status_of(answer.value(), "making " + what(key));
    base::Result<LiveObject> there = get(key);
    if (!there.ok()) return there.status();
    if (there->exists() && there->content() == content_of_text(json)) return std::move(*there->json);
    if (there->exists() || known)
      return base::Status(base::ErrorKind::conflict,
                          fmt::format("{} was made by somebody else just now", what(key)),
                          "look at it, then run the same command again");
  }
  return lost(key);
}

// What was created belongs to us as an update; server-side apply wants it applied, or a field that is wanted no
// more would stay for ever (client-go v0.35, util/csaupgrade).
base::Status KubeWriter::adopt_ownership(const kueue::ObjectKey& key, doc::Node live) {
  const std::string fields = as_applied(live, field_manager);
  const base::Status patched = fields.empty() ? base::Status() : patch_ownership(key, live, fields);
  return patched.kind() == base::ErrorKind::conflict ? base::Status() : patched;  // the caller looks again
}

base::Status KubeWriter::patch_ownership(const kueue::ObjectKey& key, doc::Node live, const std::string& fields) {
  const std::string patch = fmt::format(R"([{{"op":"replace","path":"/metadata/managedFields","value":{}}},)"
                                        R"({{"op":"replace","path":"/metadata/resourceVersion","value":{}}}])",
                                        fields, quoted_json(text_at(live, "metadata.resourceVersion")));
  const base::Result<ApiAnswer> answer =
      client_.send(HttpRequest{"PATCH", query(object_path(key)), patch, "application/json-patch+json"});
  if (!answer.ok()) return answer.status();
  if (answer->ok()) return {};
  if (answer->unknown()) return changed_meanwhile(key);  // callers look again
  return status_of(answer.value(), "taking note of who owns " + what(key));
}

bool KubeWriter::may_take(const std::vector<std::string>& managers) const {
  return !managers.empty() && std::all_of(managers.begin(), managers.end(), [&](const std::string& manager) {
    return std::find(options_.take_over.begin(), options_.take_over.end(), manager) != options_.take_over.end();
  });
}

namespace {

// ".spec.resourceGroups" of a cause -> its values in both objects.
std::string conflict_line(const ApiCause& cause, doc::Node live, doc::Node wanted) {
  const std::string path = path_of_cause(cause.field);
  const auto value = [&](doc::Node object) {
    const doc::Node found = field_at(object, path);
    if (!found.exists()) return std::string("absent");
    return found.is_scalar() ? base::quoted(std::string(found.text()), 300) : base::quoted(canonical(found), 300);
  };
  std::string owners;
  for (const std::string& owner : owners_of(live, path, field_manager))
    owners += (owners.empty() ? "" : ", ") + owner;
  return fmt::format("\n    {} belongs to {}: there {}, wanted {}", path, owners.empty() ? cause.message : owners,
                     value(live), value(wanted));
}

std::vector<std::string> owners_in(const std::vector<ApiCause>& causes, doc::Node live) {
  std::vector<std::string> all;
  for (const ApiCause& cause : causes) {
    const std::string path = path_of_cause(cause.field);
    for (std::string& owner : owners_of(live, path, field_manager)) all.push_back(std::move(owner));
  }
  return all;
}

bool about_owners(const ApiAnswer& answer) {
  return answer.status == 409 && std::any_of(answer.causes.begin(), answer.causes.end(), [](const ApiCause& cause) {
           return cause.type == "FieldManagerConflict";
         });
}

}  // namespace

base::Status KubeWriter::conflict(const kueue::Object& wanted, const LiveObject& live,
                                  const ApiAnswer& answer) const {
  const base::Result<Json> json = Json::parse(to_json(wanted));
  std::string lines;
  for (const ApiCause& cause : answer.causes) lines += conflict_line(cause, live.root(), json->root());
  return base::Status(base::ErrorKind::conflict,
                      fmt::format("{} has fields of others:{}", what(kueue::key_of(wanted)), lines),
                      "let them give the fields up, or take them by name with --take-over MANAGER");
}

base::Status KubeWriter::apply(const kueue::Object& wanted, LiveObject live, bool reclaim) {
  const kueue::ObjectKey key = kueue::key_of(wanted);
  const std::string json = to_json(wanted);
  const std::string before = live.content();
  for (int attempt = 0; attempt < tries; ++attempt) {
    const bool unturned = !as_applied(live.root(), field_manager).empty();
    const bool turn = unturned && !options_.dry_run;
    const base::Status adopted = turn ? adopt_ownership(key, live.root()) : base::Status();
    if (!adopted.ok()) return adopted;
    if (turn || attempt > 0) {
      base::Result<LiveObject> now = get(key);
      if (!now.ok()) return now.status();
      if (now->content() == content_of_text(json)) return {};
      if (now->content() != before || !now->exists()) return changed_meanwhile(key);
      live = std::move(now).value();
      if (turn && !as_applied(live.root(), field_manager).empty()) continue;  // a status got in between
    }
    // A try may not turn ownership for good, so our own older entry is not to stand in its way.
    const std::string path = query(object_path(key)) + (unturned && options_.dry_run ? "&force=true" : "");
    const base::Result<ApiAnswer> answer =
        client_.send(HttpRequest{"PATCH", path, conditional(json, live.root()), "application/apply-patch+yaml"});
    if (!answer.ok()) return answer.status();
    if (answer->ok()) {
      const base::Result<Json> result = Json::parse(answer->body);
      const bool whole = result.ok() && content_of(result->root()) == content_of_text(json);
      const bool may = reclaim || !options_.take_over.empty();
      return whole || options_.dry_run || !may ? base::Status() : take_over(wanted, reclaim);
    }
    if (about_owners(answer.value())) {
      // The server looks at owners before it looks at versions; what was changed just now has not been seen yet.
      const base::Result<LiveObject> now = get(key);
      if (!now.ok()) return now.status();
      if (now->content() != before) return changed_meanwhile(key);
      const bool may = reclaim || may_take(owners_in(answer->causes, live.root()));
      return may ? take_over(wanted, reclaim) : conflict(wanted, live, answer.value());
    }
    if (answer->status != 409 && !answer->unknown()) return status_of(answer.value(), "changing " + what(key));
  }
  return changed_meanwhile(key);
}

// Ours from now on, whole: applied by force, then what others had there and we do not want is taken out, then their
// names, or they would stand in the way of the next change.
base::Status KubeWriter::take_over(const kueue::Object& wanted, bool reclaim) {
  const kueue::ObjectKey key = kueue::key_of(wanted);
  for (int attempt = 0; attempt < tries; ++attempt) {
    const base::Result<LiveObject> live = get(key);
    if (!live.ok()) return live.status();
    if (!live->exists()) return changed_meanwhile(key);
    base::Status taken = force(wanted, live.value());
    if (options_.dry_run) return taken;
    if (taken.ok()) taken = take_out_rest(wanted);
    if (taken.ok()) taken = disown(key, reclaim);
    if (taken.kind() != base::ErrorKind::conflict) return taken;
  }
  return changed_meanwhile(key);
}

base::Status KubeWriter::force(const kueue::Object& wanted, const LiveObject& live) {
  const kueue::ObjectKey key = kueue::key_of(wanted);
  const base::Result<ApiAnswer> answer =
      client_.send(HttpRequest{"PATCH", query(object_path(key)) + "&force=true",
                               conditional(to_json(wanted), live.root()), "application/apply-patch+yaml"});
  if (!answer.ok()) return answer.status();
  return answer->ok() ? base::Status() : status_of(answer.value(), "taking over " + what(key));
}

base::Status KubeWriter::take_out_rest(const kueue::Object& wanted) {
  const kueue::ObjectKey key = kueue::key_of(wanted);
  const base::Result<LiveObject> live = get(key);
  if (!live.ok()) return live.status();
  const std::string json = to_json(wanted);
  if (live->content() == content_of_text(json)) return {};
  const base::Result<Json> clean = Json::parse(conditional(json, live->root()));
  return replace(key, Edited(clean->root()).set("metadata.finalizers", finalizers_of(live->root())).text());
}

// Takes the managers that were taken from out of the books: the named ones, or, of what was ours before, everybody.
base::Status KubeWriter::disown(const kueue::ObjectKey& key, bool reclaim) {
  const base::Result<LiveObject> live = get(key);
  if (!live.ok()) return live.status();
  std::vector<std::string> managers = options_.take_over;
  if (reclaim)
    for (const FieldsEntry& entry : managed_fields(live->root()))
      if (entry.manager != field_manager) managers.push_back(entry.manager);
  const std::string fields = without_owners(live->root(), managers);
  return fields.empty() ? base::Status() : patch_ownership(key, live->root(), fields);
}

base::Status KubeWriter::replace(const kueue::ObjectKey& key, const std::string& json) {
  const base::Result<ApiAnswer> answer = client_.send(HttpRequest{"PUT", query(object_path(key)), json, json_type});
  if (!answer.ok()) return answer.status();
  if (answer->unknown()) return lost(key);
  return answer->ok() ? base::Status() : status_of(answer.value(), "replacing " + what(key));
}

base::Status KubeWriter::write(const kueue::Object& wanted, LiveObject live, bool reclaim) {
  const kueue::ObjectKey key = kueue::key_of(wanted);
  const std::string json = to_json(wanted);
  if (live.exists() && is_foreign_namespace(live.root())) return {};
  if (live.exists() && live.content() == content_of_text(json)) return {};
  const base::Result<Json> parsed = Json::parse(json);
  if (live.exists() && points_elsewhere(live.root(), parsed->root())) {
    if (!options_.dry_run) {
      const base::Status removed = remove(key, std::move(live));
      if (!removed.ok()) return removed;
    }
    live = LiveObject();
    if (options_.dry_run) return {};
  }
  if (!live.exists()) return create(key, json).status();
  return apply(wanted, std::move(live), reclaim);
}

base::Status KubeWriter::wait_until_gone(const kueue::ObjectKey& key) {
  std::int64_t waited = 0;
  for (std::int64_t pause = 50;; pause = std::min<std::int64_t>(pause * 2, 2000)) {
    const base::Result<LiveObject> live = get(key);
    if (!live.ok()) return live.status();
    if (!live->exists() || text_at(live->root(), "metadata.deletionTimestamp").empty()) return {};
    const bool stopped = options_.stop != nullptr && *options_.stop != 0;
    if (stopped || waited >= options_.removal_timeout_ms)
      return base::Status(
          base::ErrorKind::interrupted,
          fmt::format("{} is being removed and kept by its finalizers {}: work that it admitted still "
                      "runs, or something still refers to it",
                      what(key), finalizers_of(live->root())),
          "the same command goes on once that has ended");
    clock_.sleep_ms(pause);
    waited += pause;
  }
}

base::Status KubeWriter::remove(const kueue::ObjectKey& key, LiveObject live) {
  if (!live.exists() || is_foreign_namespace(live.root())) return {};
  const std::string before = live.content();
  for (int attempt = 0; attempt < tries; ++attempt) {
    const std::string options =
        fmt::format(R"({{"apiVersion":"v1","kind":"DeleteOptions","propagationPolicy":"Background",)"
                    R"("preconditions":{{"uid":{},"resourceVersion":{}}}}})",
                    quoted_json(text_at(live.root(), "metadata.uid")),
                    quoted_json(text_at(live.root(), "metadata.resourceVersion")));
    const base::Result<ApiAnswer> answer =
        client_.send(HttpRequest{"DELETE", query(object_path(key)), options, json_type});
    if (!answer.ok()) return answer.status();
    if (answer->not_found()) return {};
    if (answer->ok()) return options_.dry_run ? base::Status() : wait_until_gone(key);
    if (answer->status != 409 && !answer->unknown()) return status_of(answer.value(), "removing " + what(key));
    base::Result<LiveObject> now = get(key);
    if (!now.ok()) return now.status();
    if (!now->exists()) return {};
    if (now->content() != before) return changed_meanwhile(key);
    live = std::move(now).value();
  }
  return changed_meanwhile(key);
}

namespace {

// The snapshot as something to write: what the server keeps books with is its own business.
std::string restorable(doc::Node snapshot, doc::Node live) {
  Edited edited(snapshot);
  for (const char* field : {"metadata.managedFields", "metadata.generation", "metadata.creationTimestamp",
                            "metadata.selfLink", "metadata.deletionTimestamp", "status"})
    edited.drop(field);
  if (!live.exists()) return edited.drop("metadata.uid").drop("metadata.resourceVersion").text();
  return edited.set("metadata.uid", quoted_json(text_at(live, "metadata.uid")))
      .set("metadata.resourceVersion", quoted_json(text_at(live, "metadata.resourceVersion")))
      .text();
}

}  // namespace

base::Status KubeWriter::put_ownership(const kueue::ObjectKey& key, doc::Node snapshot) {
  for (int attempt = 0; attempt < tries; ++attempt) {
    const base::Result<LiveObject> live = get(key);
    if (!live.ok()) return live.status();
    if (!live->exists()) return changed_meanwhile(key);
    const std::string wanted = ownership_to_restore(snapshot, live->root());
    const base::Result<Json> parsed = Json::parse(wanted);
    if (same_ownership(parsed->root(), at(live->root(), "metadata.managedFields"))) return {};
    const base::Status put =
        replace(key, Edited(live->root()).set("metadata.managedFields", wanted).drop("status").text());
    if (put.ok() || put.kind() != base::ErrorKind::conflict) return put;
  }
  return changed_meanwhile(key);
}

// The status of a queue is written all the time, and with it the version; only a change of content is somebody's.
base::Status KubeWriter::put_content(const kueue::ObjectKey& key, doc::Node snapshot, LiveObject live) {
  const std::string before = live.content();
  for (int attempt = 0; attempt < tries; ++attempt) {
    const base::Status replaced = replace(key, restorable(snapshot, live.root()));
    if (replaced.kind() != base::ErrorKind::conflict) return replaced;
    base::Result<LiveObject> now = get(key);
    if (!now.ok()) return now.status();
    if (now->content() != before) return changed_meanwhile(key);
    live = std::move(now).value();
  }
  return changed_meanwhile(key);
}

base::Status KubeWriter::put_back(const kueue::ObjectKey& key, doc::Node snapshot, LiveObject live) {
  if (!snapshot.exists()) return remove(key, std::move(live));
  if (live.exists() && points_elsewhere(live.root(), snapshot)) {
    const base::Status removed = remove(key, std::move(live));
    if (!removed.ok()) return removed;
    live = LiveObject();
  }
  if (!live.exists()) {
    const base::Status made = create(key, restorable(snapshot, live.root())).status();
    if (!made.ok()) return made;
  } else if (live.content() != content_of(snapshot)) {
    const base::Status replaced = put_content(key, snapshot, std::move(live));
    if (!replaced.ok()) return replaced;
  }
  return put_ownership(key, snapshot);
}

}  // namespace cmb2kueue::target
