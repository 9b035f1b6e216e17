// The queue of timer lists by (expiry, id). Node keeps a binary heap (lib/internal/priority_queue.js); here it is a
// wheel with a slot for every millisecond, because expiries are whole milliseconds and most are near: insertion,
// removal and search cost the same for any number of lists. Expiries beyond the wheel wait in a heap.
//
// The order is the same: (expiry, id) is a total order, and Node's heap property always holds. Its percolateDown(1)
// after a list's expiry has grown moves the first entry; the grown list is always the first (an armed timer expires
// after the present pass's time, so no list comes before one that is due).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "loopsim/scenario.hpp"
#include "loopsim/time.hpp"

#include "sim/machine/indexed_heap.hpp"
#include "sim/node/slab.hpp"

namespace loopsim::node {

// A list of timers of one duration, first in, first out.
struct alignas(64) TimerList {
  double msecs = 0;  // whole from Node 11 on; before, a list for every value, fractions included
  TimeMs expiry = 0;
  std::uint64_t id = 0;
  std::uint32_t whole = 0;                   // msecs without a fraction
  std::uint32_t head = kNone, tail = kNone;  // timers
  std::uint32_t handle = kNone;              // <= 10: its uv handle
  std::uint32_t pins = 0;                    // in use: must not be reused yet
  bool mapped = false;                       // found by its duration
  bool direct = false;                       // of a short whole duration: found by index, not by a lookup
  bool keeps = false;                        // the list of such a duration, kept when it is empty
  bool next_tick = false;                    // 6, 8: run by a tick after an exception

  enum class Queued : std::uint8_t { no, in_wheel, in_heap } queued = Queued::no;
  std::uint32_t next = kNone, previous = kNone;  // in a slot of the wheel
  std::uint32_t position = 0;                    // in the heap
};

static_assert(sizeof(TimerList) == 64);

class ListQueue {
 public:
  explicit ListQueue(Slab<TimerList>& lists) : lists_(lists), heap_(HeapOrder{&lists}) {}

  [[nodiscard]] bool empty() const { return count_ == 0 && heap_.empty(); }

  struct First {
    std::uint32_t list;
    TimeMs expiry;
  };
  // The first list. The queue must not be empty. `now`: as for enqueue(). The list itself is not read where the wheel
  // has all of them: most often it is not due.
  [[nodiscard]] First first(TimeMs now) {
    if (count_ == 0) [[unlikely]]
      return first_of_heap();
    const std::uint32_t slot = first_slot(base_);
    const First first{slots_[slot].head, base_ + ((slot - slot_of(base_)) & (kSlots - 1))};
    base_ = std::max(base_, std::min(now, first.expiry));  // shortens the next search
    if (!heap_.empty() && HeapOrder::less(heap_.front(), {first.expiry, lists_[first.list].id, first.list}))
      return first_of_heap();
    return first;
  }

  // The first list of the wheel with a later expiry, kNone if there is none: a hint, in which the heap is left out.
  [[nodiscard]] First first_later_than(TimeMs expiry) const {
    if (count_ == 0 || expiry < base_ || expiry + 1 - base_ >= kSlots) return {kNone, expiry};
    const std::uint32_t slot = first_slot(expiry + 1);
    const TimeMs found = base_ + ((slot - slot_of(base_)) & (kSlots - 1));
    return found > expiry ? First{slots_[slot].head, found} : First{kNone, expiry};
  }

  // Inserts a list that is not queued: `it`, number `list`. Its id must be greater than all ids inserted before.
  // `now`: later calls insert no expiry before it; an exception to this only costs the heap's time.
  void enqueue(std::uint32_t list, TimerList& it, TimeMs now) {
    if (count_ == 0) {
      base_ = now;
      if (slots_ == nullptr) [[unlikely]]
        make_wheel();
    } else if (it.expiry - base_ >= kSlots) {
      turn_wheel(now);
    }
    if (!fits_wheel(it.expiry)) return insert_in_heap(list, it);
    it.queued = TimerList::Queued::in_wheel;
    ++count_;
    link(list, it);
  }

  void dequeue(TimerList& it) {
    if (it.queued == TimerList::Queued::in_wheel) [[likely]] {
      --count_;
      unlink(it);
    } else if (it.queued == TimerList::Queued::in_heap) {
      remove_from_heap(it);
    }
    it.queued = TimerList::Queued::no;
  }

  // dequeue() and enqueue() of a queued list, with this expiry and id.
  void requeue(std::uint32_t list, TimerList& it, TimeMs expiry, std::uint64_t id, TimeMs now) {
    const bool stays = it.queued == TimerList::Queued::in_wheel && fits_wheel(expiry);
    if (!stays) [[unlikely]]
      dequeue(it);
    else
      unlink(it);
    it.expiry = expiry;
    it.id = id;
    if (!stays) [[unlikely]]
      return enqueue(list, it, now);
    link(list, it);
  }

 private:
  static constexpr std::uint32_t kSlots = 2048;  // at most 64 words, the bits of one summary
  static constexpr std::uint32_t kWords = kSlots / 64;

  struct Slot {
    std::uint32_t head, tail;  // in order of their ids, which is that of insertion; not set where there is none
  };
  struct Entry {
    TimeMs expiry;
    std::uint64_t id;
    std::uint32_t list;
  };
  // Entries of the heap contain their keys: a comparison touches no list.
  struct HeapOrder {
    Slab<TimerList>* lists;
    static bool less(const Entry& left, const Entry& right) {
      return left.expiry != right.expiry ? left.expiry < right.expiry : left.id < right.id;
    }
    void moved(const Entry& entry, std::uint32_t index) { (*lists)[entry.list].position = index; }
  };

  [[nodiscard]] static std::uint32_t slot_of(TimeMs expiry) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(expiry) % kSlots);
  }

  // The slot of the earliest expiry: the first used one from base_ or later on, around the wheel. The wheel must not be empty.
  [[nodiscard]] std::uint32_t first_slot(TimeMs from) const {
    const std::uint32_t begin = slot_of(from);
    const std::uint32_t word = begin / 64;
    if (const std::uint64_t here = words_[word] >> (begin % 64); here != 0)
      return begin + static_cast<std::uint32_t>(std::countr_zero(here));
    const std::uint64_t behind = summary_ >> word >> 1U;  // the later words; if all are zero, from the beginning
    const std::uint32_t next = behind != 0 ? word + 1 + static_cast<std::uint32_t>(std::countr_zero(behind))
                                           : static_cast<std::uint32_t>(std::countr_zero(summary_));
    return next * 64 + static_cast<std::uint32_t>(std::countr_zero(words_[next]));
  }

  [[nodiscard]] First first_of_heap() { return {heap_.front().list, heap_.front().expiry}; }

  [[nodiscard]] bool fits_wheel(TimeMs expiry) const { return static_cast<std::uint64_t>(expiry - base_) < kSlots; }

  void link(std::uint32_t list, TimerList& it) {
    const std::uint32_t index = slot_of(it.expiry);
    Slot& slot = slots_[index];
    std::uint64_t& word = words_[index / 64];
    const std::uint64_t bit = std::uint64_t{1} << (index % 64);
    it.next = kNone;
    if ((word & bit) != 0) {
      it.previous = slot.tail;
      lists_[slot.tail].next = list;
    } else {
      it.previous = kNone;
      slot.head = list;
      if (word == 0) summary_ |= std::uint64_t{1} << (index / 64);
      word |= bit;
    }
    slot.tail = list;
  }

  void unlink(const TimerList& it) {
    const std::uint32_t index = slot_of(it.expiry);
    Slot& slot = slots_[index];
    if (it.previous == kNone) [[likely]] {  // as of all lists that are due
      if (it.next != kNone) {
        slot.head = it.next;
        lists_[it.next].previous = kNone;
        return;
      }
      std::uint64_t& word = words_[index / 64];
      word &= ~(std::uint64_t{1} << (index % 64));
      if (word == 0) summary_ &= ~(std::uint64_t{1} << (index / 64));
      return;
    }
    lists_[it.previous].next = it.next;
    (it.next != kNone ? lists_[it.next].previous : slot.tail) = it.previous;
  }

  // The rare ways are functions of their own: inlined, they would cost the common way its registers.
  // Slots without a list are not set: a short run touches few of them.
  [[gnu::noinline]] void make_wheel() { slots_ = std::make_unique_for_overwrite<Slot[]>(kSlots); }
  [[gnu::noinline]] void turn_wheel(TimeMs now) {
    base_ = std::max(base_, std::min(now, lists_[slots_[first_slot(base_)].head].expiry));
  }
  [[gnu::noinline]] void insert_in_heap(std::uint32_t list, TimerList& it) {
    it.queued = TimerList::Queued::in_heap;
    heap_.insert({it.expiry, it.id, list});
  }
  [[gnu::noinline]] void remove_from_heap(const TimerList& it) { heap_.remove(it.position); }

  Slab<TimerList>& lists_;
  std::unique_ptr<Slot[]> slots_;  // expiries in [base_, base_ + kSlots), modulo kSlots
  std::array<std::uint64_t, kWords> words_{};
  std::uint64_t summary_ = 0;  // which words are not zero
  TimeMs base_ = 0;
  std::uint32_t count_ = 0;  // in the wheel
  IndexedHeap<Entry, HeapOrder> heap_;
};

}  // namespace loopsim::node
