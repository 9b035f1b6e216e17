// Timers by duration, as in Node: one first-in first-out list for every duration in whole milliseconds, the lists in a
// priority queue by (expiry, list id). Arming and firing cost O(1) in the number of timers (lib/internal/timers.js).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "loopsim/scenario.hpp"
#include "loopsim/time.hpp"

#include "sim/node/slab.hpp"
#include "sim/node/timers/list_queue.hpp"
#include "sim/uv/timer_heap.hpp"

namespace loopsim::node {

class TimerLists {
 public:
  [[nodiscard]] TimerList& operator[](std::uint32_t list) { return lists_[list]; }
  [[nodiscard]] const TimerList& maybe_free(std::uint32_t list) const { return lists_.maybe_free(list); }

  // The list of a duration, or kNone.
  [[nodiscard]] std::uint32_t find(double msecs) const {
    const auto whole = static_cast<TimeMs>(msecs);
    if (static_cast<double>(whole) == msecs) return find_whole(whole);
    return find_odd(msecs);
  }
  [[nodiscard]] std::uint32_t find_whole(TimeMs msecs) const {
    const auto whole = static_cast<std::uint64_t>(msecs);
    if (whole >= direct_.size()) return whole < kDirect ? kNone : find_odd(static_cast<double>(msecs));
    const std::uint32_t list = direct_[static_cast<std::size_t>(whole)];
    return list < kUnmapped ? list : kNone;
  }

  // The list of a duration; if there was none, a new one, which is not queued yet.
  struct Found {
    std::uint32_t list;
    TimerList& it;
    bool is_new;
  };
  Found find_or_make(TimeMs msecs) {
    const auto whole = static_cast<std::uint64_t>(msecs);
    if (whole < direct_.size()) [[likely]] {
      std::uint32_t& direct = direct_[static_cast<std::size_t>(whole)];
      if (direct < kUnmapped) return {direct, lists_[direct], false};
      if (direct != kNone) [[likely]] {
        const std::uint32_t list = direct & ~kUnmapped;
        TimerList& it = lists_[list];
        if (rests(it)) [[likely]] {
          direct = list;
          it.mapped = true;
          it.next_tick = false;
          return {list, it, true};
        }
      }
    }
    return find_or_make_rarely(msecs);
  }
  // Maps a list for a duration without one.
  std::uint32_t make(double msecs) {
    const auto whole = static_cast<std::uint64_t>(msecs);
    const bool direct = is_direct(msecs);
    const auto place = static_cast<std::size_t>(whole);  // in direct_
    if (direct && whole >= direct_.size()) direct_.resize(place + 1, kNone);
    std::uint32_t list = direct ? direct_[place] : kNone;
    if (list != kNone) list &= ~kUnmapped;
    if (list == kNone || !rests(lists_[list])) {
      if (list != kNone) lists_[list].keeps = false;  // freed after its present use
      list = lists_.make();
      lists_[list].keeps = direct;
    }
    lists_[list].msecs = msecs;
    lists_[list].whole = static_cast<std::uint32_t>(whole);
    lists_[list].direct = direct;
    lists_[list].mapped = true;
    lists_[list].next_tick = false;
    if (direct) {
      direct_[place] = list;
    } else {
      map_[msecs] = list;
      odd_.push_back(list);
    }
    return list;
  }

  // Unmaps the duration's list (delete timerListMap[msecs]); the list itself stays while it is pinned or queued.
  void unmap(TimerList& it) {
    if (!it.mapped) return;
    it.mapped = false;
    if (it.direct)
      direct_[it.whole] |= kUnmapped;
    else
      map_.erase(it.msecs);
  }

  static void pin(TimerList& it) { ++it.pins; }
  void unpin(std::uint32_t list, TimerList& it) {
    if (--it.pins == 0 && !it.mapped) collect(list, it);
  }
  // Frees an unreachable list. Lists of short durations stay, and rest until the next timer.
  void collect(std::uint32_t list, const TimerList& it) {
    if (!it.mapped && !it.keeps && rests(it)) lists_.free(list);
  }

  // Marks the lists of longer durations to be run by a tick (6, 8, after an exception).
  void postpone_longer_than(double msecs) {
    for (std::uint32_t list : direct_) {
      if (list < kUnmapped && lists_[list].msecs > msecs) lists_[list].next_tick = true;
    }
    for (std::uint32_t list : odd_) {  // one that is free is not mapped
      if (lists_.maybe_free(list).mapped && lists_[list].msecs > msecs) lists_[list].next_tick = true;
    }
  }

  // ---- the priority queue ---------------------------------------------------------------------------------------------
  [[nodiscard]] bool queue_empty() const { return queue_.empty(); }
  [[nodiscard]] ListQueue::First first(TimeMs now) { return queue_.first(now); }

  [[nodiscard]] ListQueue::First first_later_than(TimeMs expiry) const { return queue_.first_later_than(expiry); }

  // At loop time `now`; `expiry` is later. `it` is list number `list`.
  void enqueue(std::uint32_t list, TimerList& it, TimeMs expiry, TimeMs now) {
    it.expiry = expiry;
    it.id = next_id_++;
    queue_.enqueue(list, it, now);
  }
  void dequeue(TimerList& it) { queue_.dequeue(it); }
  // dequeue() and enqueue() of a queued list.
  void requeue(std::uint32_t list, TimerList& it, TimeMs expiry, TimeMs now) {
    queue_.requeue(list, it, expiry, next_id_++, now);
  }

 private:
  static constexpr std::uint64_t kDirect = 1 << 16;

  [[gnu::noinline]] Found find_or_make_rarely(TimeMs msecs) {
    std::uint32_t list = find_whole(msecs);
    const bool is_new = list == kNone;
    if (is_new) list = make(static_cast<double>(msecs));
    return {list, lists_[list], is_new};
  }

  [[nodiscard]] static bool is_direct(double msecs) {
    const auto whole = static_cast<std::uint64_t>(msecs);
    return static_cast<double>(whole) == msecs && whole < kDirect;
  }
  [[nodiscard]] std::uint32_t find_odd(double msecs) const {
    const auto found = map_.find(msecs);
    return found == map_.end() ? kNone : found->second;
  }
  // Only its duration may still find it.
  [[nodiscard]] static bool rests(const TimerList& list) {
    return list.pins == 0 && list.queued == TimerList::Queued::no && list.head == kNone && list.handle == kNone;
  }

  Slab<TimerList> lists_;
  // By duration, the short ones: with kUnmapped if the list has no timers, which is thus known without reading it.
  std::vector<std::uint32_t> direct_;
  static constexpr std::uint32_t kUnmapped = 1U << 31U;
  std::unordered_map<double, std::uint32_t> map_;  // lookup only, never iterated
  std::vector<std::uint32_t> odd_;                 // the others, in the order of creation
  ListQueue queue_{lists_};
  std::uint64_t next_id_ = 1;
};

}  // namespace loopsim::node
