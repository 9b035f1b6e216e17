// Handles of the loop, and their lists (libuv src/queue.h: circular, intrusive).
#pragma once

#include <cstdint>

#include "loopsim/assert.hpp"
#include "loopsim/time.hpp"

namespace loopsim::uv {

// Base of a list item. A linked item must not move; a copy is not linked.
struct Link {
  Link* next = nullptr;
  Link* previous = nullptr;
  Link() = default;
  Link(const Link&) {}
  Link& operator=(const Link& other) {  // requires !is_linked()
    LOOPSIM_ASSERT(this == &other || !is_linked());
    if (this != &other) next = previous = nullptr;
    return *this;
  }
  [[nodiscard]] bool is_linked() const { return next != nullptr; }
  void unlink() {
    if (next == nullptr) return;
    LOOPSIM_ASSERT(next->previous == this && previous->next == this);
    next->previous = previous;
    previous->next = next;
    next = previous = nullptr;
  }
};

// A list of T, which derives from Link. Owns nothing. Items must leave before the list is destroyed, unless they are
// not used again.
template <typename T>
class LinkedList {
 public:
  LinkedList() { head_.next = head_.previous = &head_; }
  LinkedList(const LinkedList&) = delete;
  LinkedList& operator=(const LinkedList&) = delete;

  [[nodiscard]] bool empty() const { return head_.next == &head_; }
  [[nodiscard]] bool has_one() const { return !empty() && head_.next == head_.previous; }
  [[nodiscard]] T& front() {
    LOOPSIM_ASSERT(!empty());
    return static_cast<T&>(*head_.next);
  }
  void push_front(T& item) { insert(head_, *head_.next, item); }
  void push_back(T& item) { insert(*head_.previous, head_, item); }
  // Appends all items of `other`.
  void take(LinkedList& other) {
    while (!other.empty()) {
      T& item = other.front();
      item.unlink();
      push_back(item);
    }
  }

 private:
  static void insert(Link& before, Link& behind, Link& item) {
    LOOPSIM_ASSERT(!item.is_linked());
    item.previous = &before;
    item.next = &behind;
    before.next = &item;
    behind.previous = &item;
  }
  Link head_;
};

// uv_idle_t, uv_prepare_t and uv_check_t: called in every turn while active. Owned by the caller; must be stopped
// before destruction.
struct Handle : Link {
  using Callback = void (*)(void* host, Handle& handle);
  Callback callback = nullptr;  // null: no call
  std::uint32_t owner = 0;      // for the callback
  bool referenced = true;
  [[nodiscard]] bool active() const { return is_linked(); }
};

// uv_timer_t. Owned by the caller; must be stopped before destruction.
struct Timer : Link {  // linked: collected as due, not called yet
  using Callback = void (*)(void* host, Timer& timer);
  Callback callback = nullptr;
  TimeMs timeout = 0;          // loop time at which it is due
  TimeMs repeat = 0;           // restarted with this delay just before the callback; 0: not
  std::uint64_t start_id = 0;  // breaks ties
  std::uint32_t heap_index = kNotInHeap;
  std::uint32_t owner = 0;  // for the callback
  bool referenced = true;
  bool closing = false;  // or closed (uv_is_closing); cannot be restarted
  static constexpr std::uint32_t kNotInHeap = 0xffffffffU;
  [[nodiscard]] bool active() const { return heap_index != kNotInHeap; }
};

}  // namespace loopsim::uv
