// A FIFO queue in one block of memory that never shrinks: no allocation in the steady state.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "loopsim/assert.hpp"

namespace loopsim {

template <class T>
class RingQueue {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  void push(T value) { emplace() = std::move(value); }
  // Appends an element to be filled in; it contains an old value of its slot.
  T& emplace() {
    if (size_ == capacity_) grow();
    return slots_[(head_ + size_++) & (capacity_ - 1)];
  }

  [[nodiscard]] const T& at(std::size_t index) const {
    LOOPSIM_ASSERT(index < size_);
    return slots_[(head_ + index) & (capacity_ - 1)];
  }
  // Requires !empty().
  [[nodiscard]] T& front() {
    LOOPSIM_ASSERT(size_ != 0);
    return slots_[head_];
  }

  T pop() {
    T value = std::move(front());
    drop();
    return value;
  }
  // pop() without returning the element.
  void drop() {
    LOOPSIM_ASSERT(size_ != 0);
    head_ = (head_ + 1) & (capacity_ - 1);
    --size_;
  }

  void clear() { head_ = size_ = 0; }

 private:
  void grow() {
    std::vector<T> bigger(slots_.empty() ? 16 : slots_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) bigger[i] = std::move(slots_[(head_ + i) & (capacity_ - 1)]);
    slots_.swap(bigger);
    capacity_ = slots_.size();
    head_ = 0;
  }

  std::vector<T> slots_;  // size: 0 or a power of two
  std::size_t head_ = 0;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // slots_.size()
};

}  // namespace loopsim
