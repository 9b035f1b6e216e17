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
  std::uint32_t make(const Callable& callable, std::uint32_t promise, bool keeps) {
    return make_in_registers(callable.place, callable.context, callable.arguments, promise, keeps);
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
  // In registers: the callable is not stored and loaded again.
  std::uint32_t make_in_registers(std::uint32_t place, std::uint32_t context, std::uint32_t arguments,
                                  std::uint32_t promise, bool keeps);
  std::uint32_t add(ImmediateObject::Native native, bool keeps);
  void append(Queue& queue, std::uint32_t index, ImmediateObject& immediate);
  void check();
  Flow process();
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
  std::vector<Queue> outer_batches_;  // the rest of the batches that a tick has interrupted
  std::uint64_t count_ = 0;           // kCount
  std::uint64_t references_ = 0;      // kRefCount
  bool has_outstanding_ = false;      // kHasOutstanding
  bool queue_is_detached_ = false;    // Node 8: newly queued immediates are never found
  std::uint32_t running_ = kNone;     // the running immediate
  bool clears_itself_ = false;        // that one
};

}  // namespace loopsim::node
