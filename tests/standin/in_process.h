// The stand-in as an other side within the process, with a hand on every call: it can be lost on its way there or
// on its way back, answered with something else, or run into a function of the test's.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model.h"

namespace cmb2kueue::standin {

// What goes wrong with one call.
enum class Trouble : std::uint8_t {
  none,
  lost_request,  // nothing happened; no answer
  lost_answer,   // it happened; no answer
  refused,       // nothing happened; the answer says so
  pending,       // nothing happened yet; the answer says so
  garbage,       // nothing happened; the answer is none
  lie            // nothing happened; the answer says done
};
inline constexpr Trouble all_troubles[] = {Trouble::lost_request, Trouble::lost_answer, Trouble::refused,
                                           Trouble::pending,      Trouble::garbage,     Trouble::lie};
const char* to_string(Trouble trouble);

class InProcess : public hooks::OtherSide {
 public:
  explicit InProcess(Model& model) : model_(model) {}

  // Call n, counted from 1 over all hooks, goes wrong like this.
  void at(std::size_t n, Trouble trouble) { troubles_[n] = trouble; }
  // Every call of this hook from now on goes wrong like this; none ends it.
  void always(hooks::Hook hook, Trouble trouble) { lasting_[hook] = trouble; }
  // Runs before and after each call's work.
  std::function<void(std::size_t n, bool after)> around;
  // Hooks that are not offered.
  std::vector<hooks::Hook> missing;

  const std::vector<std::string>& calls() const { return calls_; }  // "cede", "switch", ...
  std::vector<hooks::Ceiling> last_ceilings;

  std::string identity() const override { return "stand-in 1 (test)"; }
  bool offers(hooks::Hook hook) const override;
  base::Status probe(const hooks::Call& call) override;
  base::Status cede(const hooks::Call& call, const std::vector<hooks::Ceiling>& ceilings) override;
  base::Status restore(const hooks::Call& call, const std::vector<hooks::Ceiling>& ceilings) override;
  base::Result<std::vector<hooks::Use>> usage(const hooks::Call& call) override;
  base::Status switch_to_kueue(const hooks::Call& call) override;
  base::Status switch_back(const hooks::Call& call) override;
  base::Result<hooks::Side> route(const hooks::Call& call) override;
  base::Result<std::vector<std::string>> pending(const hooks::Call& call) override;
  base::Result<std::vector<hooks::JobFate>> withdraw(const hooks::Call& call,
                                                     const std::vector<std::string>& ids) override;
  base::Result<std::vector<hooks::JobFate>> enqueue(const hooks::Call& call,
                                                    const std::vector<hooks::Job>& jobs) override;
  base::Status notify(const hooks::Call& call, const std::string& state) override;

 private:
  base::Status make(hooks::Hook hook, const std::function<std::string()>& work);
  Model& model_;
  std::map<std::size_t, Trouble> troubles_;
  std::map<hooks::Hook, Trouble> lasting_;
  std::vector<std::string> calls_;
};

}  // namespace cmb2kueue::standin
