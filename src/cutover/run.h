// One run on one tenant: lock and journal in hand, every write announced before it is made and acknowledged after.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cmb2kueue/cutover/cutover.h"
#include "journal.h"
#include "lock.h"

namespace cmb2kueue::cutover {

class Run {
 public:
  Run(const Context& given, std::string verb)
      : context(given), journal(given), verb_(std::move(verb)), lock_(given) {}
  ~Run() { journal.settle(); }  // while the lock is still held

  const Context& context;
  Journal journal;
  Outcome outcome;

  // Locks (unless it is a dry run), opens the journal and takes the head over. `force`: also from a live holder.
  // `tenant` is how records name it, `hash` what its Lease is named after.
  base::Status start(const std::string& run, const std::string& tenant, bool force, const std::string& hash = "");
  const State& state() const { return journal.state(); }

  // Reads the journal anew after a failure, so that what is undone is what was recorded. Kind locked when another
  // run has taken over: then nothing is ours to undo.
  base::Status reopen();

  // A record of something asked of the other side, and of its answer. Changes no state.
  base::Status note(std::string_view step, std::string_view phase, const std::string& hook,
                    const std::string& answer);

  // A record of a change of state that writes no object.
  base::Status record(std::string_view step, Changes changes);

  // Makes a bundle what it should be: nothing when it is that already, else intent, write, done. `changes` are
  // recorded with done. Conflict when the bundle is not as it was last written, or, where it never was, exists.
  base::Status write(std::string_view step, const target::Bundle& bundle, Changes changes);

  // The same for putting a before-image back.
  base::Status put_back(std::string_view step, const target::Image& image, Changes changes);

  // Brings the shared objects that the tenant `user` uses to what `wanted` says, in order of creation, then removes
  // those that nobody uses any more, in order of removal. Others cannot have changed: a part depends on who is
  // enrolled at or below its node alone.
  base::Status write_shared(std::string_view step, const State& wanted, const std::string& user);

  // The bundle stands as we left it: as last written, as announced by a write whose record was lost, or, where we
  // never wrote it, not at all.
  bool is_ours(const target::Image& live) const;

  void event(std::string_view step, std::string_view phase, std::string what);
  // From here on the run undoes: edits of others have been kept aside and are written over.
  void reclaim() { reclaims_ = true; }
  void plan_nonce(std::string nonce) { nonce_ = std::move(nonce); }
  // Keeps the lock while the run waits for something.
  base::Status keep_lock() { return context.dry_run ? base::Status() : lock_.keep(); }
  bool stop_requested() const { return context.stop != nullptr && *context.stop != 0; }
  base::Status stopped(std::string_view step) const;

 private:
  base::Status append(std::string_view step, std::string_view phase, const std::string& bundle,
                      const std::string& before, const std::string& after, Changes changes);
  base::Status announce(std::string_view step, std::string_view phase, const target::Image& live,
                        const std::string& after);
  base::Status remove_shared(std::string_view step, const SharedObject& shared);
  base::Status rehearse(const target::Bundle& bundle) const;
  std::optional<std::string> written_before(const std::string& bundle) const;

  std::string verb_, run_, tenant_, nonce_, mark_;
  bool reclaims_ = false;
  // Of a dry run: bundles it would have written, with the version we last wrote in earnest. What lives still has
  // that.
  std::map<std::string, std::optional<std::string>> imagined_;
  Lock lock_;
};

// What of somebody else's lies in a namespace: "ConfigMap/x in FILE" of the first object there, "" when nothing
// does. `leaving`: the bundle whose removal is in question, which holds `keys`.
base::Result<std::string> inhabitant(const Context& context, const std::string& name_space,
                                     const std::string& leaving, const std::vector<kueue::ObjectKey>& keys);

}  // namespace cmb2kueue::cutover
