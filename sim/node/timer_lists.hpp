// Timers by duration, as Node keeps them: one first-in first-out list for every duration in whole milliseconds, the lists in a
// priority queue by (expiry, list id). Arming and firing cost O(1) in the number of timers (lib/internal/timers.js).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "loopsim/scenario.hpp"
#include "loopsim/time.hpp"

#include "sim/node/slab.hpp"

namespace loopsim::node {

struct TimerList {
  double msecs = 0;  // whole from Node 11 on; before, a list for every value, fractions and all
  TimeMs expiry = 0;
  std::uint64_t id = 0;
  std::uint32_t head = kNone, tail = kNone;  // timers
  std::uint32_t position = kNone;            // in the priority queue; kNone: not in it
  std::uint32_t handle = kNone;              // <= 10: its uv handle
  std::uint32_t pins = 0;                    // being worked on: must not be reused yet
  bool mapped = false;                       // found by its duration
  bool next_tick = false;                    // 6, 8: run by a tick after an exception
};

class TimerLists {
 public:
  [[nodiscard]] TimerList& operator[](std::uint32_t list) { return lists_[list]; }

  // The list of a duration, or kNone.
  [[nodiscard]] std::uint32_t find(double msecs) const {
    const auto whole = static_cast<std::uint64_t>(msecs);
    if (static_cast<double>(whole) == msecs && whole < kDirect) return whole < direct_.size() ? direct_[whole] : kNone;
    auto found = map_.find(msecs);
    return found == map_.end() ? kNone : found->second;
  }

  std::uint32_t make(double msecs) {
    const std::uint32_t list = lists_.make();
    lists_[list].msecs = msecs;
    lists_[list].mapped = true;
    set(msecs, list);
    return list;
  }

  // Forgets the duration's list (delete timerListMap[msecs]); the list itself stays while it is pinned or queued.
  void unmap(std::uint32_t list) {
    set(lists_[list].msecs, kNone);
    lists_[list].mapped = false;
  }

  void pin(std::uint32_t list) { ++lists_[list].pins; }
  void unpin(std::uint32_t list) {
    --lists_[list].pins;
    collect(list);
  }
  // Frees the list when nothing can find it any more.
  void collect(std::uint32_t list) {
    const TimerList& it = lists_[list];
    if (!it.mapped && it.pins == 0 && it.position == kNone && it.head == kNone && it.handle == kNone) lists_.free(list);
  }

  // Marks the lists of longer durations to be run by a tick (6, 8, after an exception).
  void postpone_longer_than(double msecs) {
    for (std::uint32_t list : direct_) {
      if (list != kNone && lists_[list].msecs > msecs) lists_[list].next_tick = true;
    }
    for (std::uint32_t list : odd_) {
      if (lists_[list].mapped && lists_[list].msecs > msecs) lists_[list].next_tick = true;
    }
  }

  // ---- the priority queue ---------------------------------------------------------------------------------------------
  [[nodiscard]] bool queue_empty() const { return queue_.empty(); }
  [[nodiscard]] std::uint32_t first() const { return queue_.front().list; }
  std::uint64_t next_list_id() { return next_id_++; }

  void enqueue(std::uint32_t list) {
    queue_.push_back(entry_of(list));
    up(static_cast<std::uint32_t>(queue_.size() - 1), queue_.back());
  }
  void dequeue(std::uint32_t list) {
    const std::uint32_t hole = lists_[list].position;
    lists_[list].position = kNone;
    const Entry last = queue_.back();
    queue_.pop_back();
    if (last.list == list) return;
    up(hole, last);
    down(lists_[last.list].position, last);
  }
  // The list's expiry and id have grown; it need not be the first. Node's own percolateDown(1) all the same: it is the first one
  // that is put in its place.
  void has_grown(std::uint32_t list) {
    queue_[lists_[list].position] = entry_of(list);
    down(0, queue_.front());
  }

 private:
  static constexpr std::uint64_t kDirect = 1 << 16;

  void set(double msecs, std::uint32_t list) {
    const auto whole = static_cast<std::uint64_t>(msecs);
    if (static_cast<double>(whole) == msecs && whole < kDirect) {
      if (whole >= direct_.size()) direct_.resize(whole + 1, kNone);
      direct_[whole] = list;
    } else if (list == kNone) {
      map_.erase(msecs);
    } else {
      map_[msecs] = list;
      odd_.push_back(list);
    }
  }

  // A place in the queue, with what it is ordered by: a comparison looks nowhere else.
  struct Entry {
    TimeMs expiry;
    std::uint64_t id;
    std::uint32_t list;
  };

  [[nodiscard]] Entry entry_of(std::uint32_t list) const { return {lists_[list].expiry, lists_[list].id, list}; }
  [[nodiscard]] static bool less(const Entry& left, const Entry& right) {
    return left.expiry != right.expiry ? left.expiry < right.expiry : left.id < right.id;
  }
  void put(std::uint32_t index, const Entry& entry) {
    queue_[index] = entry;
    lists_[entry.list].position = index;
  }
  void up(std::uint32_t index, const Entry entry) {
    while (index > 0 && less(entry, queue_[(index - 1) / 2])) {
      put(index, queue_[(index - 1) / 2]);
      index = (index - 1) / 2;
    }
    put(index, entry);
  }
  void down(std::uint32_t index, const Entry entry) {
    const auto size = static_cast<std::uint32_t>(queue_.size());
    for (;;) {
      std::uint32_t child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && less(queue_[child + 1], queue_[child])) ++child;
      if (!less(queue_[child], entry)) break;
      put(index, queue_[child]);
      index = child;
    }
    put(index, entry);
  }

  Slab<TimerList> lists_;
  std::vector<std::uint32_t> direct_;              // by duration, the short ones
  std::unordered_map<double, std::uint32_t> map_;  // lookup only, never iterated
  std::vector<std::uint32_t> odd_;                 // the others, in the order in which they were made
  std::vector<Entry> queue_;
  std::uint64_t next_id_ = 1;
};

}  // namespace loopsim::node
