// Making many things in several threads while the caller takes them one after the other, in order: what comes out
// does not depend on how many threads there are.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace cmb2kueue::base {

// How many threads are worth having here, 1 to 8.
inline std::size_t useful_threads() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
}

// Calls make(index, item) for every index below `count` in up to `threads` threads of its own, and take(item) here,
// in order of index; take says whether to go on. Items are used again, so that what they have allocated is: make
// finds one as take left it. At most 8 * threads items exist. With one thread or one index all is done here. An
// exception of make comes out of this call in place of its item; one of take ends it too. Returns once every thread
// has ended.
template <class Item, class Make, class Take>
void in_order(std::size_t count, std::size_t threads, Make make, Take take) {
  if (threads <= 1 || count <= 1) {
    Item item;
    for (std::size_t i = 0; i < count; ++i) {
      make(i, item);
      if (!take(item)) return;
    }
    return;
  }
  struct Slot {
    Item item;
    std::exception_ptr failure;
    bool ready = false;
  };
  std::vector<Slot> slots(8 * threads);
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t next = 0, taken = 0;  // the next index to be made, and how many were taken
  bool stop = false;
  const auto work = [&] {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return stop || next == count || next < taken + slots.size(); });
      if (stop || next == count) return;
      const std::size_t index = next++;
      Slot& slot = slots[index % slots.size()];
      lock.unlock();
      std::exception_ptr failure;
      try {
        make(index, slot.item);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      slot.failure = failure;
      slot.ready = true;
      changed.notify_all();
    }
  };
  const auto end = [&] {
    const std::lock_guard lock(mutex);
    stop = true;
    changed.notify_all();
  };
  struct Ending {  // the threads end however this call does; std::jthread joins
    decltype(end) run;
    ~Ending() { run(); }
  };
  std::vector<std::jthread> workers;
  const Ending ending{end};
  for (std::size_t i = 0; i < std::min(threads, count); ++i) workers.emplace_back(work);
  for (std::size_t i = 0; i < count; ++i) {
    Slot& slot = slots[i % slots.size()];
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return slot.ready; });
    }
    if (slot.failure) std::rethrow_exception(slot.failure);
    if (!take(slot.item)) return;
    const std::lock_guard lock(mutex);
    slot.ready = false;
    ++taken;
    changed.notify_all();
  }
}

}  // namespace cmb2kueue::base
