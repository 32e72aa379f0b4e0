// Lock: creating, judging the holder, taking over, releasing.
#include "lock.h"

#include <fmt/format.h>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "journal.h"
#include "state_json.h"

namespace cmb2kueue::cutover {

namespace {

constexpr const char* lock_name = "lock";
constexpr std::int64_t lease_seconds = 120;

struct Holder {
  base::ProcessIdentity who;
  std::string run, since, renewed;
  std::int64_t lease_seconds = 0;  // 0: it does not run out
};

Holder parse_holder(const std::string& text) {
  Holder holder;
  base::SourceFiles files;
  const base::Result<doc::Document> document = doc::parse_one(files, files.add("lock", text));
  if (!document.ok()) return holder;  // a torn lock has no host, so nobody can say whether its holder lives
  JsonReader reader;
  const doc::Node root = document.value().root();
  holder.who = {reader.text(root, "host"), reader.text(root, "bootId"), reader.number(root, "pid"),
                static_cast<std::uint64_t>(reader.number(root, "started")), reader.text(root, "user")};
  holder.run = reader.text(root, "run");
  holder.since = reader.text(root, "since");
  if (!root.find("leaseSeconds").exists()) return holder;
  holder.renewed = reader.text(root, "renewed");
  holder.lease_seconds = reader.number(root, "leaseSeconds");
  return holder;
}

// Whether the holder is gone for certain, or has let its Lease run out.
bool is_over(const Context& context, const Holder& holder) {
  if (base::liveness(holder.who) == base::Liveness::dead) return true;
  const std::int64_t renewed = base::parse_rfc3339(holder.renewed);
  return holder.lease_seconds > 0 && renewed >= 0 &&
         context.clock->now_ms() > renewed + holder.lease_seconds * 1000;
}

std::string age(const Context& context, const std::string& since) {
  const std::int64_t then = base::parse_rfc3339(since);
  if (then < 0) return "for an unknown time";
  return fmt::format("for {} s", (context.clock->now_ms() - then) / 1000);
}

}  // namespace

std::string holder_id(const base::ProcessIdentity& who) {
  return who.host + "/" + std::to_string(who.pid);
}

base::Status Lock::refused(const std::string& text) const {
  const Holder holder = parse_holder(text);
  const bool alive = base::liveness(holder.who) == base::Liveness::alive;
  return base::Status(
      base::ErrorKind::locked,
      fmt::format("{} of {} holds the lock {}, run {}", holder_id(holder.who), holder.who.user,
                  age(context_, holder.since), holder.run),
      alive ? std::string("wait until it is done; rollback takes over from it")
            : fmt::format("if that process is gone: cmb2kueue unlock --holder {}", holder_id(holder.who)));
}

bool Lock::leased() const {
  return context_.target->cluster() != nullptr;
}

std::string Lock::text() const {
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_map();
  sink.text_field("host", context_.who.host);
  sink.text_field("bootId", context_.who.boot_id);
  sink.number_field("pid", context_.who.pid);
  sink.number_field("started", static_cast<std::int64_t>(context_.who.started));
  sink.text_field("user", context_.who.user);
  sink.text_field("run", run_);
  sink.text_field("since", base::rfc3339(since_ms_));
  if (leased()) {
    sink.text_field("renewed", base::rfc3339(renewed_ms_));
    sink.number_field("leaseSeconds", lease_seconds);
  }
  sink.close();
  return out + "\n";
}

// Takes away the lock with this very text; whoever was quicker has put another one there, which stays.
base::Status Lock::take_away(const std::string& name, const std::string& text) {
  base::FileSystem& records = context_.target->records();
  const base::Result<std::string> now = records.read(name);
  if (!now.ok() || now.value() != text) return {};
  const base::Status removed = records.remove(name);
  const bool gone = removed.kind() == base::ErrorKind::not_found || removed.kind() == base::ErrorKind::conflict;
  return gone ? base::Status() : removed;
}

base::Status Lock::take(const std::string& name, bool force, std::string& taken_over) {
  base::FileSystem& records = context_.target->records();
  for (int attempt = 0; attempt < 3; ++attempt) {
    const base::Status created = records.create(name, text_);
    if (created.ok()) {
      held_.push_back(name);
      return created;
    }
    if (created.kind() != base::ErrorKind::conflict) {
      held_.push_back(name);  // the answer may be lost and the lock be there: release() removes it if it is ours
      release();
      return created;
    }
    const base::Result<std::string> found = records.read(name);
    if (!found.ok()) continue;  // released meanwhile
    const Holder holder = parse_holder(found.value());
    if (!is_over(context_, holder) && !force) return refused(found.value());
    taken_over = holder_id(holder.who);
    const base::Status removed = take_away(name, found.value());
    if (!removed.ok()) return removed;
  }
  return base::Status(base::ErrorKind::locked, "other runs keep taking the lock", "run the same command again");
}

base::Status Lock::acquire(const std::string& run, const std::string& tenant, bool force, std::string& taken_over) {
  run_ = run;
  since_ms_ = renewed_ms_ = context_.clock->now_ms();
  text_ = text();
  std::vector<std::string> names;
  if (leased() && !tenant.empty()) names.push_back("lock-" + tenant);
  names.emplace_back(lock_name);
  for (const std::string& name : names) {
    const base::Status taken = take(name, force, taken_over);
    if (taken.ok()) continue;
    release();
    return taken;
  }
  return {};
}

// Reading first makes the change conditional on what was read (target/kube_records).
base::Status Lock::renew(const std::string& name) {
  base::FileSystem& records = context_.target->records();
  const base::Result<std::string> now = records.read(name);
  if (!now.ok()) return now.status();
  if (now.value() != text_) return base::Status(base::ErrorKind::locked, "another run has taken the lock over");
  return records.replace(name, text());
}

base::Status Lock::keep() {
  if (!leased() || held_.empty()) return {};
  const std::int64_t passed = context_.clock->now_ms() - renewed_ms_;
  if (passed < lease_seconds * 1000 / 3) return {};
  const std::int64_t before = renewed_ms_;
  base::Status renewed;
  renewed_ms_ = context_.clock->now_ms();
  for (const std::string& name : held_)
    if (renewed.ok()) renewed = renew(name);
  if (renewed.ok()) {
    text_ = text();
    return renewed;
  }
  renewed_ms_ = before;
  const bool time_left = passed < lease_seconds * 1000 * 2 / 3;
  if (time_left && renewed.kind() == base::ErrorKind::cluster) return {};
  return base::Status(base::ErrorKind::locked, "the lock could not be kept: " + renewed.message(),
                      "look at cmb2kueue status, then run the same command again");
}

// Removes a lock only if it is still ours.
void Lock::drop(const std::string& name) {
  base::FileSystem& records = context_.target->records();
  const base::Result<std::string> found = records.read(name);
  if (!found.ok() || found.value() != text_) return;
  // A second try costs nothing and spares the next run the question whether this one is alive.
  if (!records.remove(name).ok()) static_cast<void>(records.remove(name));
}

void Lock::release() {
  for (auto name = held_.rbegin(); name != held_.rend(); ++name) drop(*name);
  held_.clear();
}

base::Result<std::optional<LockInfo>> lock_info(const Context& context) {
  const base::Result<std::string> found = context.target->records().read(lock_name);
  if (found.status().kind() == base::ErrorKind::not_found) return std::optional<LockInfo>();
  if (!found.ok()) return found.status();
  const Holder holder = parse_holder(found.value());
  return std::optional<LockInfo>(
      LockInfo{holder_id(holder.who), holder.run, holder.since, base::liveness(holder.who)});
}

base::Result<Outcome> unlock(const Context& context, const std::string& holder) {
  const base::Result<std::optional<LockInfo>> info = lock_info(context);
  if (!info.ok()) return info.status();
  if (!info.value())
    return base::Status(base::ErrorKind::not_found, "nobody holds the lock", "nothing is to be done");
  if (info.value()->holder != holder)
    return base::Status(
        base::ErrorKind::usage,
        fmt::format("the lock is held by {}, not by {}", info.value()->holder, base::quoted(holder)),
        "name the holder as cmb2kueue status prints it");
  if (info.value()->liveness == base::Liveness::alive)
    return base::Status(base::ErrorKind::locked, fmt::format("{} is alive on this host", holder),
                        "end it first, or wait until it is done");
  Outcome outcome;
  outcome.events.push_back(
      {context.cell, "", "lock", context.dry_run ? "would" : "done", "remove the lock of " + holder});
  if (context.dry_run) return outcome;
  Journal journal(context);
  const base::Status opened = journal.open();
  if (!opened.ok()) return opened;
  Record record;
  record.verb = "unlock";
  record.phase = "lock";
  record.object = holder;
  record.changes.head_run = "unlocked";
  const base::Status appended = journal.append(std::move(record));
  if (!appended.ok()) return appended;
  const base::Status removed = context.target->records().remove(lock_name);
  if (!removed.ok()) return removed;
  return outcome;
}

}  // namespace cmb2kueue::cutover
