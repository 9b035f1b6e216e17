// setImmediate: a queue that the check phase takes as a whole, and an idle handle that keeps poll from blocking while a
// referenced immediate waits (lib/internal/timers.js, processImmediate; src/env.cc, CheckImmediate).
#include <algorithm>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

// The queue keeps its immediates alive.
[[gnu::always_inline]] inline void Environment::append(ImmediateQueue& queue, std::uint32_t index) {
  ImmediateObject& immediate = heap_.immediates[index];
  ++immediate.refs;
  immediate.queued = true;
  immediate.previous = queue.tail;
  immediate.next = kNone;
  if (queue.tail != kNone)
    heap_.immediates[queue.tail].next = index;
  else
    queue.head = index;
  queue.tail = index;
}

[[gnu::always_inline]] inline std::uint32_t Environment::add_immediate(ImmediateObject::Native native) {
  const std::uint32_t index = heap_.immediates.make();
  ImmediateObject& immediate = heap_.immediates[index];
  immediate.refs = 1;  // the caller's
  immediate.native = native;
  immediate.reference = ImmediateObject::Reference::yes;
  if (immediate_references_++ == 0) loop_.start_idle(immediate_idle_);
  ++immediate_count_;
  if (!queue_is_detached_) append(immediate_queue_, index);
  return index;
}

std::uint32_t Environment::new_immediate(const Callable& callable, std::uint32_t promise) {
  const std::uint32_t index = add_immediate(ImmediateObject::Native::none);
  ImmediateObject& immediate = heap_.immediates[index];
  set_callback(immediate.callback, callable);
  immediate.promise = promise;
  announce(immediate.callback, ScheduleKind::first, -1, -1);
  if (immediate_count_ > limits_.queue) too_long_a_queue();
  return index;
}

// What Node queues after an exception was handled, so that the ticks that are left get their turn.
void Environment::queue_native_immediate() {
  drop_immediate(add_immediate(profile_.exception_immediate_ticks ? ImmediateObject::Native::ticks
                                                                  : ImmediateObject::Native::noop));
}

void Environment::remove(ImmediateQueue& queue, std::uint32_t index) {
  ImmediateObject& immediate = heap_.immediates[index];
  if (!immediate.queued) return;
  if (immediate.next != kNone) heap_.immediates[immediate.next].previous = immediate.previous;
  if (immediate.previous != kNone) heap_.immediates[immediate.previous].next = immediate.next;
  if (queue.head == index) queue.head = immediate.next;
  if (queue.tail == index) queue.tail = immediate.previous;
  immediate.next = immediate.previous = kNone;
  immediate.queued = false;
  drop_immediate(index);
}

void Environment::clear_immediate(std::uint32_t index) {
  ImmediateObject& immediate = heap_.immediates[index];
  if (index == running_immediate_) clears_itself_ = true;
  if (immediate.destroyed) return;
  immediate.destroyed = true;
  --immediate_count_;
  trace_cancel(immediate.callback, CancelReason::clear);
  if (immediate.reference == ImmediateObject::Reference::yes && --immediate_references_ == 0 &&
      !profile_.cleared_immediate_turns)
    loop_.stop(immediate_idle_);
  immediate.reference = ImmediateObject::Reference::none;
  // It may stand in the batch that is being run: then it is unlinked from there, whichever queue's ends it is at.
  const auto lost = [index](ImmediateQueue& queue) {
    if (queue.old_tail == index) queue.old_tail = kNone;
  };
  lost(outstanding_queue_);
  std::ranges::for_each(outer_batches_, lost);
  const auto ends_with = [index](const ImmediateQueue& queue) { return queue.head == index || queue.tail == index; };
  const auto outer = std::find_if(outer_batches_.begin(), outer_batches_.end(), ends_with);
  if (outer != outer_batches_.end()) return remove(*outer, index);
  remove(ends_with(outstanding_queue_) ? outstanding_queue_ : immediate_queue_, index);
}

void Environment::ref_immediate(std::uint32_t index) {
  ImmediateObject& immediate = heap_.immediates[index];
  trace_reference(EventKind::ref, immediate.callback);
  if (immediate.reference != ImmediateObject::Reference::no) return;
  immediate.reference = ImmediateObject::Reference::yes;
  if (immediate_references_++ == 0) loop_.start_idle(immediate_idle_);
}

void Environment::unref_immediate(std::uint32_t index) {
  ImmediateObject& immediate = heap_.immediates[index];
  trace_reference(EventKind::unref, immediate.callback);
  if (immediate.reference != ImmediateObject::Reference::yes) return;
  immediate.reference = ImmediateObject::Reference::no;
  if (--immediate_references_ == 0) loop_.stop(immediate_idle_);
}

bool Environment::immediate_has_ref(std::uint32_t index) const {
  return heap_.immediates[index].reference == ImmediateObject::Reference::yes;
}

// ---- the check phase --------------------------------------------------------------------------------------------------------

void Environment::on_check(void* self, uv::Handle& /*handle*/) { static_cast<Environment*>(self)->check_immediates(); }

void Environment::check_immediates() {
  // Node 12 to 24 open and close a callback scope for native immediates first, which empties the queues.
  if (profile_.check_drains_first && close_scope() == Flow::stop) return;
  if (immediate_count_ == 0) {
    if (immediate_references_ == 0)
      loop_.stop(immediate_idle_);  // cleared, or run by a tick (<= 8, after an exception)
    return;
  }
  do {
    const Flow flow = process_immediates();
    if (flow == Flow::threw)
      handle_uncaught(false);
    else if (flow == Flow::normal)
      close_scope();
    if (stopping()) return;
  } while (has_outstanding_);
  if (immediate_references_ == 0) loop_.stop(immediate_idle_);
}

[[gnu::always_inline]] inline Flow Environment::fire_immediate(std::uint32_t index) {
  ImmediateObject& immediate = heap_.immediates[index];
  immediate.destroyed = true;
  --immediate_count_;
  if (immediate.reference == ImmediateObject::Reference::yes) --immediate_references_;
  immediate.reference = ImmediateObject::Reference::none;
  switch (immediate.native) {
    case ImmediateObject::Native::noop: return Flow::normal;
    case ImmediateObject::Native::ticks: return process_ticks_and_rejections();
    case ImmediateObject::Native::none: break;
  }
  const Flow flow = run_callback(immediate.callback);
  if (flow == Flow::normal && immediate.promise != kNone)
    engine_.resolve_promise(immediate.promise, first_argument(immediate.callback));
  return flow;
}

// The first of a queue, with the reference that the queue had to it.
[[gnu::always_inline]] inline std::uint32_t Environment::take_first(ImmediateQueue& queue) {
  const std::uint32_t index = queue.head;
  ImmediateObject& immediate = heap_.immediates[index];
  queue.head = immediate.next;
  if (queue.head != kNone)
    heap_.immediates[queue.head].previous = kNone;
  else
    queue.tail = kNone;
  immediate.next = kNone;
  immediate.queued = false;
  return index;
}

// Takes the queue as it is; what is queued meanwhile waits for the next turn. After an exception the rest of the batch is in
// outstanding_queue_, and goes on from there.
Flow Environment::process_immediates() {
  const bool fresh = outstanding_queue_.head == kNone;
  if (fresh) {
    outstanding_queue_ = immediate_queue_;
    outstanding_queue_.old_tail = immediate_queue_.tail;
    immediate_queue_ = {};
    queue_is_detached_ = false;
  }
  const bool had_outstanding = std::exchange(has_outstanding_, true);
  bool ran_one = false;
  while (outstanding_queue_.head != kNone) {
    if (ran_one && profile_.drain_between_immediates) {
      if (const Flow flow = run_next_ticks(); flow != Flow::normal) return flow;
      if (outstanding_queue_.head == kNone) break;  // the ticks cleared what was left
    }
    ran_one = true;
    const std::uint32_t index = take_first(outstanding_queue_);
    const Flow flow = profile_.lost_immediates == LostImmediates::none ? fire_immediate(index) : fire_or_lose(index);
    drop_immediate(index);
    if (flow == Flow::threw) immediate_threw(had_outstanding);
    if (flow != Flow::normal) return flow;
  }
  has_outstanding_ = false;
  return Flow::normal;
}

// Where an immediate that clears itself may take those behind it along.
Flow Environment::fire_or_lose(std::uint32_t index) {
  const std::uint32_t next = outstanding_queue_.head;
  if (next != kNone) ++heap_.immediates[next].refs;
  running_immediate_ = index;
  clears_itself_ = false;
  const Flow flow = fire_immediate(index);
  running_immediate_ = kNone;
  if (clears_itself_ && next != kNone && (flow == Flow::threw || heap_.immediates[next].destroyed)) lose_immediates();
  if (next != kNone) drop_immediate(next);
  return flow;
}

// Up to Node 8: a tick takes what is queued; when it runs within a batch, that goes on behind it.
Flow Environment::process_immediates_inside() {
  outer_batches_.push_back(std::exchange(outstanding_queue_, {}));
  const Flow flow = process_immediates();
  outstanding_queue_ = outer_batches_.back();
  outer_batches_.pop_back();
  return flow;
}

// What becomes of the rest of a batch: from Node 11 on the phase goes on with it, and with what was queued meanwhile when it was
// the last one that threw; Node 10 with the rest, and when that has thrown as well with what was queued meanwhile; before, a tick
// runs the rest and what was queued behind it.
void Environment::immediate_threw(bool had_outstanding) {
  const bool rest = outstanding_queue_.head != kNone;
  if (profile_.immediates_after_throw == ImmediatesAfterThrow::all) return;
  if (profile_.immediates_after_throw == ImmediatesAfterThrow::rest) {
    has_outstanding_ = rest || had_outstanding;
    return;
  }
  has_outstanding_ = false;
  if (!rest) return;
  // Node 8 hangs what is queued behind the batch's last one. Where that was cleared, no way leads to it; but it counts.
  if (profile_.lost_immediates == LostImmediates::still_counted && outstanding_queue_.old_tail == kNone) {
    while (immediate_queue_.head != kNone) remove(immediate_queue_, immediate_queue_.head);
    queue_is_detached_ = true;
  }
  if (immediate_queue_.head != kNone) {
    heap_.immediates[outstanding_queue_.tail].next = immediate_queue_.head;
    heap_.immediates[immediate_queue_.head].previous = outstanding_queue_.tail;
    outstanding_queue_.tail = immediate_queue_.tail;
  }
  immediate_queue_ = {outstanding_queue_.head, outstanding_queue_.tail};
  outstanding_queue_ = {};
  queue_native_tick(Tick::Native::immediates, kNone);
}

// An immediate that was cleared leaves no way to the ones behind it.
void Environment::lose_immediates() {
  while (outstanding_queue_.head != kNone) {
    const std::uint32_t index = outstanding_queue_.head;
    ImmediateObject& immediate = heap_.immediates[index];
    if (profile_.lost_immediates == LostImmediates::forgotten) {
      immediate.destroyed = true;
      --immediate_count_;
      if (immediate.reference == ImmediateObject::Reference::yes) --immediate_references_;
      immediate.reference = ImmediateObject::Reference::none;
    }
    remove(outstanding_queue_, index);
  }
}

}  // namespace loopsim::node
