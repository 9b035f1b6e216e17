// A binary heap whose entries store their positions, so that any of them can be removed. Queues without removal, such
// as the machine's future events, use std::push_heap and std::pop_heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "loopsim/assert.hpp"

namespace loopsim {

// `Order` compares entries and receives their positions:
//
//     bool less(const Entry&, const Entry&) const    a total order (equal entries would come out in any order)
//     void moved(const Entry&, std::uint32_t index)  the entry's new position, for remove()
//
// Entries are copied when they move; they should be small.
template <class Entry, class Order>
class IndexedHeap {
 public:
  IndexedHeap() = default;
  explicit IndexedHeap(Order order) : order_(std::move(order)) {}

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  // The first entry. Requires !empty().
  [[nodiscard]] const Entry& front() const {
    LOOPSIM_ASSERT(!entries_.empty());
    return entries_.front();
  }

  void insert(const Entry& entry) {
    entries_.push_back(entry);
    up(static_cast<std::uint32_t>(entries_.size() - 1), entry);
  }

  // Removes the entry at this position.
  void remove(std::uint32_t hole) {
    LOOPSIM_ASSERT(hole < entries_.size());
    const Entry last = entries_.back();
    entries_.pop_back();
    if (hole != entries_.size()) down(up(hole, last), last);
  }

 private:
  void put(std::uint32_t index, const Entry& entry) {
    entries_[index] = entry;
    order_.moved(entry, index);
  }

  // Inserts the entry at this position or nearer to the front; returns its position.
  std::uint32_t up(std::uint32_t index, const Entry entry) {
    while (index > 0) {
      const std::uint32_t parent = (index - 1) / 2;
      if (!order_.less(entry, entries_[parent])) break;
      put(index, entries_[parent]);
      index = parent;
    }
    put(index, entry);
    return index;
  }

  void down(std::uint32_t index, const Entry entry) {
    const auto size = static_cast<std::uint32_t>(entries_.size());
    for (;;) {
      std::uint32_t child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && order_.less(entries_[child + 1], entries_[child])) ++child;
      if (!order_.less(entries_[child], entry)) break;
      put(index, entries_[child]);
      index = child;
    }
    put(index, entry);
  }

  [[no_unique_address]] Order order_;
  std::vector<Entry> entries_;
};

}  // namespace loopsim
