// One run on one tenant: lock and journal in hand, every write announced before it is made and acknowledged after.
#pragma once
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

  const Context& context;
  Journal journal;
  Outcome outcome;

  // Locks (unless it is a dry run), opens the journal and takes the head over. `force`: also from a live holder.
  base::Status start(const std::string& run, const std::string& tenant, bool force);
  const State& state() const { return journal.state(); }

  // A record of a change of state that writes no object.
  base::Status record(std::string_view step, Changes changes);

  // Makes a bundle what it should be: nothing when it is that already, else intent, write, done. `changes` are
  // recorded with done. The bundle must stand as it was last written (or, the first time, be `first`): conflict
  // otherwise.
  base::Status write(std::string_view step, const target::Bundle& bundle, Changes changes);

  // The same for putting a before-image back.
  base::Status put_back(std::string_view step, const target::Image& image, Changes changes);

  // Brings every shared object to what `wanted` says; creation order, or removal order for those without users.
  base::Status write_shared(std::string_view step, const State& wanted);

  void event(std::string_view step, std::string_view phase, std::string what);
  void plan_nonce(std::string nonce) { nonce_ = std::move(nonce); }
  bool stop_requested() const { return context.stop != nullptr && *context.stop != 0; }
  base::Status stopped(std::string_view step) const;

 private:
  base::Status append(std::string_view step, std::string_view phase, const std::string& bundle,
                      const std::string& before, const std::string& after, Changes changes);
  base::Status check_ours(const target::Image& live, const std::string& after) const;
  std::string verb_, run_, tenant_, nonce_;
  Lock lock_;
};

}  // namespace cmb2kueue::cutover
