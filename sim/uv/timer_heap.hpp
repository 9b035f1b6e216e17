// The loop's timers, earliest first; equal times in the order in which they were started (libuv src/timer.c, timer_less_than).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/uv/handle.hpp"

namespace loopsim::uv {

class TimerHeap {
 public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] Timer& top() const { return *heap_.front(); }

  void insert(Timer& timer) {
    heap_.push_back(&timer);
    timer.heap_index = static_cast<std::uint32_t>(heap_.size() - 1);
    up(timer.heap_index);
  }

  void remove(Timer& timer) {
    std::uint32_t hole = timer.heap_index;
    Timer* last = heap_.back();
    heap_.pop_back();
    timer.heap_index = Timer::kNotInHeap;
    if (last == &timer) return;
    place(hole, last);
    up(hole);
    down(last->heap_index);
  }

 private:
  static bool less(const Timer* a, const Timer* b) {
    return a->timeout != b->timeout ? a->timeout < b->timeout : a->start_id < b->start_id;
  }

  void place(std::uint32_t index, Timer* timer) {
    heap_[index] = timer;
    timer->heap_index = index;
  }

  void up(std::uint32_t index) {
    Timer* timer = heap_[index];
    while (index > 0) {
      std::uint32_t parent = (index - 1) / 2;
      if (!less(timer, heap_[parent])) break;
      place(index, heap_[parent]);
      index = parent;
    }
    place(index, timer);
  }

  void down(std::uint32_t index) {
    Timer* timer = heap_[index];
    const auto size = static_cast<std::uint32_t>(heap_.size());
    for (;;) {
      std::uint32_t child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && less(heap_[child + 1], heap_[child])) ++child;
      if (!less(heap_[child], timer)) break;
      place(index, heap_[child]);
      index = child;
    }
    place(index, timer);
  }

  std::vector<Timer*> heap_;
};

}  // namespace loopsim::uv
