// Prefetch hints for timers. Of very many, successive ones are far apart in memory; a list names only the next one, and a wait for it
// takes longer than its callback. So timers are fetched long before they are due, along links that have arrived meanwhile. What a
// callback clears or arms in between makes no difference, nor whether what a link leads to is still alive: only the time depends on it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/node/heap.hpp"
#include "sim/node/timers/lists.hpp"

namespace loopsim::node {

class FetchAhead {
 public:
  // Both must outlive it.
  FetchAhead(const Slab<TimerObject>& timers, TimerLists& lists) : timers_(timers), lists_(lists) {}

  // More timers than a second-level cache may hold. WebAssembly cannot fetch, and its program must be small.
#if defined(__wasm__)
  [[nodiscard]] static constexpr bool is_worth_it() { return false; }
#else
  [[nodiscard]] bool is_worth_it() const { return timers_.live() > 8192; }
#endif

  // A list is not due: the timers behind its first are fetched one after another, while other lists are examined. Of a million timers
  // in a thousand lists two are due in a list at once: they are here in time.
  [[gnu::noinline]] void put_off(std::uint32_t list) {
    fetch_behind_first(put_off_[(put_offs_ + kPutOff / 2) % kPutOff], 2);
    fetch_behind_first(put_off_[put_offs_ % kPutOff], 3);
    put_off_[put_offs_++ % kPutOff] = list;
  }

  // The timer of this number, from 1, is run in a list. Of ten million timers twenty are due in each list: the lists behind it in the
  // queue are gone through, a timer with each callback. Of timers that were armed at one time a thousand may be due in one list, and a
  // thousand in the one that is due next: so are the first lists of the next milliseconds.
  void runs(const TimerList& list, std::uint32_t number) {
    if (number >= kFew) go_through_others(list, number);
  }

 private:
  // Lists that are gone through side by side, a timer of one of them at a time, up to these.
  struct Walk {
    static constexpr std::uint32_t kLists = 4;  // with three 5 % slower, with two 15 %, with six no faster
    std::array<std::uint32_t, kLists> timers{kNone, kNone, kNone, kNone};

    // The first of them is run now; a further one begins.
    void add(const FetchAhead& all, std::uint32_t list) {
      std::shift_left(timers.begin(), timers.end(), 1);
      timers.back() = list == kNone ? kNone : all.lists_.maybe_free(list).head;
      if (timers.back() != kNone) all.timers_.prefetch(timers.back());
    }
    void step(const FetchAhead& all, std::uint32_t number) {
      std::uint32_t& timer = timers[number % kLists];
      if (timer == kNone) return;
      timer = all.timers_.maybe_free(timer).next;
      if (timer != kNone) all.timers_.prefetch(timer);
    }
  };

  [[gnu::noinline]] void go_through_others(const TimerList& list, std::uint32_t number) {
    if (number == kFew) near_.add(*this, behind(list));
    if (number < kMany) return near_.step(*this, number);
    if (number == kMany) go_on_later_than(list.expiry);
    far_.step(*this, number);
  }

  void fetch_behind_first(std::uint32_t list, int count) const {
    std::uint32_t timer = lists_.maybe_free(list).head;
    for (; count > 0 && timer != kNone; --count) timer = timers_.maybe_free(timer).next;
    if (timer != kNone) timers_.prefetch(timer);
  }

  [[nodiscard]] std::uint32_t behind(const TimerList& list) const {
    std::uint32_t next = list.next;
    for (std::uint32_t i = 1; i < Walk::kLists && next != kNone; ++i) next = lists_.maybe_free(next).next;
    return next;
  }

  // One list more, or all of them where those that were gone through have been run.
  void go_on_later_than(TimeMs expiry) {
    const std::uint32_t lists = farthest_ > expiry ? 1 : Walk::kLists;
    farthest_ = std::max(farthest_, expiry);
    for (std::uint32_t i = 0; i < lists; ++i) {
      const ListQueue::First first = lists_.first_later_than(farthest_);
      farthest_ = first.expiry;
      far_.add(*this, first.list);
    }
  }

  static constexpr std::uint32_t kFew = 4, kMany = 64;
  static constexpr std::uint32_t kPutOff = 16;
  const Slab<TimerObject>& timers_;
  TimerLists& lists_;
  std::array<std::uint32_t, kPutOff> put_off_{};
  std::uint32_t put_offs_ = 0;
  Walk near_, far_;
  TimeMs farthest_ = 0;  // when the last list of far_ is due
};

}  // namespace loopsim::node
