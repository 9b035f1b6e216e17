#include "sim/node/immediates.hpp"

#include <algorithm>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

Immediates::Immediates(const Context& context, Callbacks& callbacks) : Part(context), callbacks_(callbacks) {
  check_handle_.callback = on_check;
  check_handle_.referenced = false;
  loop_.start_check(check_handle_);
}

void Immediates::too_long() { env_.task_queue.too_long(); }

// Node's own immediate after an exception was handled, so that the remaining ticks get their turn.
void Immediates::queue_native() {
  using Native = ImmediateObject::Native;
  const std::uint32_t index = add(profile_.exception_immediate_ticks ? Native::ticks : Native::noop, true);
  heap_.immediates[index].callback = {};
  heap_.immediates[index].promise = kNone;
  drop(index);
}

void Immediates::remove(Queue& queue, std::uint32_t index) {
  ImmediateObject& immediate = heap_.immediates[index];
  if (!immediate.queued) return;
  if (immediate.next != kNone) heap_.immediates[immediate.next].previous = immediate.previous;
  if (immediate.previous != kNone) heap_.immediates[immediate.previous].next = immediate.next;
  if (queue.head == index) queue.head = immediate.next;
  if (queue.tail == index) queue.tail = immediate.previous;
  immediate.next = immediate.previous = kNone;
  immediate.queued = false;
  drop(index);
}

void Immediates::clear(std::uint32_t index) {
  ImmediateObject& immediate = heap_.immediates[index];
  if (index == running_) clears_itself_ = true;
  if (immediate.destroyed) return;
  immediate.destroyed = true;
  --count_;
  callbacks_.trace_cancel(immediate.callback, CancelReason::clear);
  if (immediate.reference == ImmediateObject::Reference::yes && --references_ == 0 && !profile_.cleared_immediate_turns)
    loop_.stop(idle_handle_);
  immediate.reference = ImmediateObject::Reference::none;
  // It may be in a running batch: then it is unlinked there, whichever queue begins or ends with it.
  const auto lost = [index](Queue& queue) {
    if (queue.old_tail == index) queue.old_tail = kNone;
  };
  lost(outstanding_);
  std::ranges::for_each(outer_batches_, lost);
  const auto ends_with = [index](const Queue& queue) { return queue.head == index || queue.tail == index; };
  const auto outer = std::find_if(outer_batches_.begin(), outer_batches_.end(), ends_with);
  if (outer != outer_batches_.end()) return remove(*outer, index);
  remove(ends_with(outstanding_) ? outstanding_ : queue_, index);
}

void Immediates::ref(std::uint32_t index) {
  ImmediateObject& immediate = heap_.immediates[index];
  callbacks_.trace_reference(EventKind::ref, immediate.callback);
  if (immediate.reference != ImmediateObject::Reference::no) return;
  immediate.reference = ImmediateObject::Reference::yes;
  if (references_++ == 0) loop_.start_idle(idle_handle_);
}

void Immediates::unref(std::uint32_t index) {
  ImmediateObject& immediate = heap_.immediates[index];
  callbacks_.trace_reference(EventKind::unref, immediate.callback);
  if (immediate.reference != ImmediateObject::Reference::yes) return;
  immediate.reference = ImmediateObject::Reference::no;
  if (--references_ == 0) loop_.stop(idle_handle_);
}

bool Immediates::has_ref(std::uint32_t index) const {
  return heap_.immediates[index].reference == ImmediateObject::Reference::yes;
}

// ---- the check phase --------------------------------------------------------------------------------------------------------

void Immediates::on_check(void* environment, uv::Handle& /*handle*/) {
  static_cast<Environment*>(environment)->immediates.check();
}

// Calls the first of the queue, which has been taken from it, with the queue's reference to it.
[[gnu::always_inline]] inline Flow Immediates::fire_first(std::uint32_t index, ImmediateObject& immediate) {
  if (immediate.is_plain() && callbacks_.runs_bare(immediate.callback.place)) [[likely]] {
    // Nobody else knows it: what fire() notes in it nobody would see.
    --count_;
    --references_;
    const Flow flow = callbacks_.run_bare(immediate.callback.place, immediate.callback.context, immediate.callback.id);
    heap_.release_immediate(index, immediate);
    return flow;
  }
  const Flow flow = profile_.lost_immediates == LostImmediates::none ? fire(immediate) : fire_or_lose(index);
  heap_.release_immediate(index, immediate);
  return flow;
}

Flow Immediates::fire(ImmediateObject& immediate) {
  immediate.destroyed = true;
  --count_;
  if (immediate.reference == ImmediateObject::Reference::yes) --references_;
  immediate.reference = ImmediateObject::Reference::none;
  if (immediate.native != ImmediateObject::Native::none) [[unlikely]] {
    engine_.own_immediate_runs();
    return immediate.native == ImmediateObject::Native::ticks ? env_.task_queue.process_ticks_and_rejections()
                                                              : Flow::normal;
  }
  const Flow flow = callbacks_.run(immediate.callback);
  if (flow == Flow::normal && immediate.promise != kNone) {
    const Callbacks::Behind behind(callbacks_, immediate.callback.id);
    engine_.resolve_promise(immediate.promise, callbacks_.first_argument(immediate.callback));
  }
  return flow;
}

// The first of a queue, with the queue's reference to it.
[[gnu::always_inline]] inline void Immediates::take_first(Queue& queue, ImmediateObject& immediate) {
  queue.head = immediate.next;
  if (queue.head != kNone)
    heap_.immediates[queue.head].previous = kNone;
  else
    queue.tail = kNone;
  immediate.next = kNone;
  immediate.queued = false;
}

// Takes the queue as it is; immediates queued meanwhile wait for the next turn. After an exception the rest of the
// batch is in outstanding_, and continues from there.
[[gnu::always_inline]] inline Flow Immediates::process() {
  const bool fresh = outstanding_.head == kNone;
  if (fresh) [[likely]] {
    outstanding_ = {.head = queue_.head, .old_tail = queue_.tail, .tail = queue_.tail};
    queue_ = {};
    queue_is_detached_ = false;
  }
  const bool had_outstanding = std::exchange(has_outstanding_, true);
  bool ran_one = false;
  while (outstanding_.head != kNone) {
    if (ran_one && profile_.drain_between_immediates) {
      if (const Flow flow = env_.task_queue.run_next_ticks(); flow != Flow::normal) return flow;
      if (outstanding_.head == kNone) break;  // the ticks cleared the rest
    }
    ran_one = true;
    const std::uint32_t index = outstanding_.head;
    ImmediateObject& immediate = heap_.immediates[index];
    take_first(outstanding_, immediate);
    const Flow flow = fire_first(index, immediate);
    if (flow != Flow::normal) [[unlikely]] {
      if (flow == Flow::threw) threw(had_outstanding);
      return flow;
    }
  }
  has_outstanding_ = false;
  return Flow::normal;
}

void Immediates::check() {
  if (engine_.has_native_immediates() && engine_.run_native_immediates() == Flow::stop) return;
  // Node 12 to 24 open and close a callback scope for native immediates first, which drains the queues.
  if (profile_.check_drains_first && env_.task_queue.close_scope() == Flow::stop) return;
  if (count_ == 0) {
    if (references_ == 0) loop_.stop(idle_handle_);  // cleared, or run by a tick (<= 8, after an exception)
    return;
  }
  do {
    const Flow flow = process();
    if (flow == Flow::threw) env_.exit.handle_uncaught(false);
    if (flow == Flow::normal ? env_.task_queue.close_scope() == Flow::stop : stopping()) return;
  } while (has_outstanding_);
  if (references_ == 0) loop_.stop(idle_handle_);
}

// For versions in which an immediate that clears itself may lose its successors.
Flow Immediates::fire_or_lose(std::uint32_t index) {
  const std::uint32_t next = outstanding_.head;
  if (next != kNone) ++heap_.immediates[next].refs;
  running_ = index;
  clears_itself_ = false;
  const Flow flow = fire(heap_.immediates[index]);
  running_ = kNone;
  if (clears_itself_ && next != kNone && (flow == Flow::threw || heap_.immediates[next].destroyed)) lose();
  if (next != kNone) drop(next);
  return flow;
}

// Up to Node 8: a tick runs the queue; a batch that it interrupts continues after it.
Flow Immediates::process_inside() {
  outer_batches_.push_back(std::exchange(outstanding_, {}));
  const Flow flow = process();
  outstanding_ = outer_batches_.back();
  outer_batches_.pop_back();
  return flow;
}

// The rest of a batch after an exception: from Node 11 on the phase continues with it, and with immediates queued
// meanwhile if the last one threw; Node 10 continues with the rest, and if that throws too, with those queued
// meanwhile; before, a tick runs the rest and the immediates queued after it.
void Immediates::threw(bool had_outstanding) {
  const bool rest = outstanding_.head != kNone;
  if (profile_.immediates_after_throw == ImmediatesAfterThrow::all) return;
  if (profile_.immediates_after_throw == ImmediatesAfterThrow::rest) {
    has_outstanding_ = rest || had_outstanding;
    return;
  }
  has_outstanding_ = false;
  if (!rest) return;
  // Node 8 appends queued immediates to the batch's last one. If that was cleared, they are unreachable, but counted.
  if (profile_.lost_immediates == LostImmediates::still_counted && outstanding_.old_tail == kNone) {
    while (queue_.head != kNone) remove(queue_, queue_.head);
    queue_is_detached_ = true;
  }
  if (queue_.head != kNone) {
    heap_.immediates[outstanding_.tail].next = queue_.head;
    heap_.immediates[queue_.head].previous = outstanding_.tail;
    outstanding_.tail = queue_.tail;
  }
  queue_ = {.head = outstanding_.head, .old_tail = kNone, .tail = outstanding_.tail};
  outstanding_ = {};
  env_.task_queue.queue_native(Tick::Native::immediates, kNone);
}

// The successors of a cleared immediate are unreachable.
void Immediates::lose() {
  while (outstanding_.head != kNone) {
    const std::uint32_t index = outstanding_.head;
    ImmediateObject& immediate = heap_.immediates[index];
    if (profile_.lost_immediates == LostImmediates::forgotten) {
      immediate.destroyed = true;
      --count_;
      if (immediate.reference == ImmediateObject::Reference::yes) --references_;
      immediate.reference = ImmediateObject::Reference::none;
    }
    remove(outstanding_, index);
  }
}

}  // namespace loopsim::node
