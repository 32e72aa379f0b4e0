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

std::string lock_text(const Context& context, const std::string& run) {
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_map();
  sink.text_field("host", context.who.host);
  sink.text_field("bootId", context.who.boot_id);
  sink.number_field("pid", context.who.pid);
  sink.number_field("started", static_cast<std::int64_t>(context.who.started));
  sink.text_field("user", context.who.user);
  sink.text_field("run", run);
  sink.text_field("since", base::rfc3339(context.clock->now_ms()));
  sink.close();
  return out + "\n";
}

struct Holder {
  base::ProcessIdentity who;
  std::string run, since;
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
  return holder;
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

// Takes away the lock with this very text; whoever was quicker has put another one there, which stays.
base::Status Lock::take_away(const std::string& text) {
  base::FileSystem& records = context_.target->records();
  const base::Result<std::string> now = records.read(lock_name);
  if (!now.ok() || now.value() != text) return {};
  const base::Status removed = records.remove(lock_name);
  return removed.kind() == base::ErrorKind::not_found ? base::Status() : removed;
}

base::Status Lock::acquire(const std::string& run, bool force, std::string& taken_over) {
  base::FileSystem& records = context_.target->records();
  text_ = lock_text(context_, run);
  for (int attempt = 0; attempt < 3; ++attempt) {
    const base::Status created = records.create(lock_name, text_);
    held_ = created.ok();
    if (held_) return created;
    if (created.kind() != base::ErrorKind::conflict) {
      held_ = true;  // the answer may be lost and the lock be there: release() removes it if it is ours
      release();
      return created;
    }
    const base::Result<std::string> found = records.read(lock_name);
    if (!found.ok()) continue;  // released meanwhile
    const Holder holder = parse_holder(found.value());
    if (base::liveness(holder.who) != base::Liveness::dead && !force) return refused(found.value());
    taken_over = holder_id(holder.who);
    const base::Status removed = take_away(found.value());
    if (!removed.ok()) return removed;
  }
  return base::Status(base::ErrorKind::locked, "other runs keep taking the lock", "run the same command again");
}

// Removes the lock only if it is still ours.
void Lock::release() {
  if (!held_) return;
  held_ = false;
  base::FileSystem& records = context_.target->records();
  const base::Result<std::string> found = records.read(lock_name);
  if (!found.ok() || found.value() != text_) return;
  // A second try costs nothing and spares the next run the question whether this one is alive.
  if (!records.remove(lock_name).ok()) static_cast<void>(records.remove(lock_name));
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
