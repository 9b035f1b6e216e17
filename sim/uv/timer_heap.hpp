// The loop's timers, earliest first; ties in the order of their start (libuv src/timer.c, timer_less_than).
#pragma once

#include <cstdint>

#include "loopsim/assert.hpp"

#include "sim/machine/indexed_heap.hpp"
#include "sim/uv/handle.hpp"

namespace loopsim::uv {

class TimerHeap {
 public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] bool has_one() const { return heap_.size() == 1; }
  [[nodiscard]] Timer& top() const { return *heap_.front(); }

  void insert(Timer& timer) {
    LOOPSIM_ASSERT(timer.heap_index == Timer::kNotInHeap);
    heap_.insert(&timer);
  }

  void remove(Timer& timer) {
    LOOPSIM_ASSERT(timer.heap_index != Timer::kNotInHeap);
    heap_.remove(timer.heap_index);
    timer.heap_index = Timer::kNotInHeap;
  }

 private:
  struct Order {
    static bool less(const Timer* a, const Timer* b) {
      return a->timeout != b->timeout ? a->timeout < b->timeout : a->start_id < b->start_id;
    }
    static void moved(Timer* timer, std::uint32_t index) { timer->heap_index = index; }
  };

  IndexedHeap<Timer*, Order> heap_;
};

}  // namespace loopsim::uv
