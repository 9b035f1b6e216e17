// setImmediate: a queue that the check phase takes as a whole, and an idle handle that keeps poll from blocking while a referenced
// immediate waits (lib/internal/timers.js, processImmediate; ImmediateInfo of src/env.h, Environment::CheckImmediate of src/env.cc).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/node/context.hpp"

namespace loopsim::node {

class Immediates : public Part {
 public:
  Immediates(const Context& context, Callbacks& callbacks);

  // Takes over the references of the callable and of the promise (kNone: none), which is resolved when it has run (timers/promises).
  // `keeps`: the caller owns one reference to the result; otherwise only the queue does.
  // In the header: the callable stays in registers, and a caller that keeps nothing has no code for it.
  std::uint32_t make(const Callable& callable, std::uint32_t promise, bool keeps) {
    const std::uint32_t index = add(ImmediateObject::Native::none, keeps || queue_is_detached_);
    ImmediateObject& immediate = heap_.immediates[index];
    callbacks_.hand_over(immediate.callback, callable);
    immediate.promise = promise;
    callbacks_.announce(immediate.callback, ScheduleKind::first, -1, -1);
    if (count_ > limits_.queue) [[unlikely]]
      too_long();
    if (queue_is_detached_ && !keeps) [[unlikely]]
      drop(index);
    return index;
  }
  void drop(std::uint32_t immediate) { heap_.release_immediate(immediate); }
  void clear(std::uint32_t immediate);
  void ref(std::uint32_t immediate);
  void unref(std::uint32_t immediate);
  [[nodiscard]] bool has_ref(std::uint32_t immediate) const;
  void
  queue_native();  // Node's own immediate after an exception was handled, to give the remaining ticks a chance to run
  Flow process_inside();  // <= 8: a tick runs the queue; a batch that it interrupts continues after it

 private:
  struct Queue {
    std::uint32_t head = kNone;
    std::uint32_t old_tail = kNone;  // of a batch: its last entry when taken, until that is cleared
    std::uint32_t tail = kNone;      // not next to head: one load of both would wait for the two stores to retire
  };
  static void on_check(void* environment, uv::Handle& handle);
  // All but the callback and the promise, which the caller sets.
  std::uint32_t add(ImmediateObject::Native native, bool keeps) {
    if (references_++ == 0) loop_.start_idle(idle_handle_);
    ++count_;
    const std::uint32_t index = heap_.immediates.make_for_overwrite();
    ImmediateObject& immediate = heap_.immediates[index];
    const bool queued = !queue_is_detached_;
    immediate.refs = (keeps ? 1U : 0U) + (queued ? 1U : 0U);
    immediate.native = native;
    immediate.reference = ImmediateObject::Reference::yes;
    immediate.destroyed = false;
    immediate.queued = queued;
    immediate.previous = immediate.next = kNone;
    if (queued) [[likely]]
      append(queue_, index, immediate);
    return index;
  }
  // The queue keeps its immediates alive.
  void append(Queue& queue, std::uint32_t index, ImmediateObject& immediate) {
    immediate.previous = queue.tail;
    immediate.next = kNone;
    if (queue.tail != kNone)
      heap_.immediates[queue.tail].next = index;
    else
      queue.head = index;
    queue.tail = index;
  }
  void too_long();
  void check();
  Flow process();
  Flow fire_first(std::uint32_t index, ImmediateObject& immediate);
  Flow fire(ImmediateObject& immediate);
  Flow fire_or_lose(std::uint32_t immediate);
  void take_first(Queue& queue, ImmediateObject& immediate);
  void lose();
  void threw(bool had_outstanding);
  void remove(Queue& queue, std::uint32_t immediate);

  Callbacks& callbacks_;
  uv::Handle check_handle_;  // immediate_check_handle
  uv::Handle idle_handle_;   // immediate_idle_handle: active while a referenced immediate waits, and calls nothing
  Queue queue_;              // immediateQueue
  Queue outstanding_;        // outstandingQueue
  std::uint64_t count_ = 0;  // kCount
  std::vector<Queue> outer_batches_;  // the rest of the batches that a tick has interrupted
  std::uint64_t references_ = 0;      // kRefCount; not next to count_, as above
  bool has_outstanding_ = false;      // kHasOutstanding
  bool queue_is_detached_ = false;    // Node 8: newly queued immediates are never found
  std::uint32_t running_ = kNone;     // the running immediate
  bool clears_itself_ = false;        // that one
};

}  // namespace loopsim::node
