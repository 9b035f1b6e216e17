#include "sim/node/timers/single_handle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

//   handle_ -> run -> process: while the first list is due
//                       list_on_timeout: timers from its head while they are due
//                                        ticks and microtasks between two timers
//                       ticks and microtasks between two lists

SingleHandleTimers::SingleHandleTimers(const Context& context, TimerStore& store) : Part(context), store_(store) {
  handle_.callback = on_timer_handle;
  handle_.referenced = false;
}

std::uint32_t SingleHandleTimers::first_timer() {
  return lists_.queue_empty() ? kNone : lists_[lists_.first(loop_.now()).list].head;
}

// ---- the lists ------------------------------------------------------------------------------------------------------------

void SingleHandleTimers::insert(std::uint32_t index, TimeMs start) {
  TimerObject& timer = heap_.timers[index];
  put_into_list(index, timer, static_cast<TimeMs>(timer.idle_timeout), start);
}

// The list is no longer found by its duration and no longer in the queue.
void SingleHandleTimers::remove_list(std::uint32_t list, TimerList& it) {
  lists_.dequeue(it);
  lists_.unmap(it);
  lists_.collect(list, it);
}

// While lists run, only the last start counts, and the start at the end of run() takes precedence.
void SingleHandleTimers::schedule(TimeMs duration) {
  if (runs_lists_)
    deferred_expiry_ = loop_.now() + duration;
  else
    loop_.start(handle_, duration);
}

// ---- a pass ---------------------------------------------------------------------------------------------------------------

void SingleHandleTimers::on_timer_handle(void* environment, uv::Timer&) {
  static_cast<Environment*>(environment)->timers.single_handle().run();
}

void SingleHandleTimers::run() {
  const TimeMs now = store_.libuv_now();
  std::int64_t next = 0;
  runs_lists_ = true;
  deferred_expiry_ = kNever;
  for (;;) {
    const Flow flow = process(now, next);
    if (flow == Flow::normal) break;
    if (flow == Flow::threw) env_.exit.handle_uncaught(false);
    if (stopping()) return;
  }
  runs_lists_ = false;
  if (next == 0 && deferred_expiry_ != kNever) loop_.start_at(handle_, deferred_expiry_);
  if (next != 0) {
    schedule(std::max<TimeMs>(std::llabs(next) - loop_.now(), 1));
    if (next > 0)
      loop_.ref(handle_);
    else
      loop_.unref(handle_);
  } else {
    loop_.unref(handle_);
  }
  env_.task_queue.close_scope();
}

// The first of a list, with the list's reference to it.
[[gnu::always_inline]] inline void SingleHandleTimers::take_first(TimerList& list, TimerObject& timer) {
  // Not timer.next == kNone: what no processor can foresee is then known before the timer has been read.
  if (list.head != list.tail) {
    list.head = timer.next;
    heap_.timers[timer.next].previous = kNone;
  } else {
    list.head = list.tail = kNone;
  }
  timer.list = timer.next = kNone;
}

// Calls a timer that has been taken from its list, with the list's reference to it.
[[gnu::always_inline]] inline Flow SingleHandleTimers::fire(std::uint32_t index, TimerObject& timer) {
  if (!timer.is_plain() || !env_.callbacks.runs_bare(timer.place)) return fire_any(index, timer);
  const Flow flow = env_.callbacks.run_bare(timer.place, timer.context, timer.id);
  if (flow != Flow::normal || !timer.is_plain() || store_.is_linked(timer)) [[unlikely]]
    return end_call(index, timer, flow, 0);
  --references_;
  heap_.release_timer(index, timer);
  return flow;
}

Flow SingleHandleTimers::fire_any(std::uint32_t index, TimerObject& timer) {
  if (!timer.has_callback) {
    if (!timer.destroyed) {
      timer.destroyed = true;
      if (timer.is_referenced) --references_;
    }
    store_.drop(index, timer);
    return Flow::normal;
  }
  TimeMs start = 0;
  if (timer.repeats && profile_.interval_start == IntervalStart::before_callback) start = store_.libuv_now();

  const Flow flow = env_.callbacks.runs_bare(timer.place)
                        ? env_.callbacks.run_bare(timer.place, timer.context, timer.id)
                        : env_.callbacks.run_framed(heap_.callback_of(timer), {}, store_.due_time(timer), nullptr, {});
  if (flow == Flow::normal && timer.extra != kNone && heap_.extra(timer).promise != kNone) {
    const Callbacks::Behind behind(env_.callbacks, timer.id);
    engine_.resolve_promise(heap_.extra(timer).promise, env_.callbacks.first_argument(heap_.callback_of(timer)));
  }
  return end_call(index, timer, flow, start);
}

// Its callback has been called: puts an interval back. `start`: the loop's time before the call, where an interval needs it.
Flow SingleHandleTimers::end_call(std::uint32_t index, TimerObject& timer, Flow flow, TimeMs start) {
  if (flow == Flow::stop) {
    // Nothing more runs.
  } else if (timer.repeats && timer.idle_timeout != -1) {
    if (profile_.interval_start == IntervalStart::after_callback) start = store_.libuv_now();
    if (store_.is_linked(timer)) [[unlikely]]  // refreshed by its own callback
      env_.callbacks.trace_cancel(heap_.callback_of(timer), CancelReason::refresh);
    insert(index, start);
    store_.announce(timer, ScheduleKind::again);
  } else if (!store_.is_linked(timer) && !timer.destroyed) {
    timer.destroyed = true;
    if (timer.is_referenced) --references_;
    if (profile_.fired_timer_loses_ref) timer.is_referenced = false;
  }
  store_.drop(index, timer);
  return flow;
}

[[gnu::always_inline]] inline Flow SingleHandleTimers::list_on_timeout(std::uint32_t list, TimerList& it, TimeMs now,
                                                                       bool scattered) {
  bool ran_a_timer = false;
  std::uint32_t number = 0;  // of the timer; not counted if it is of no use
  const TimeMs msecs = it.whole;
  while (it.head != kNone) {
    const std::uint32_t index = it.head;
    TimerObject& timer = heap_.timers[index];
    if (scattered && timer.next != kNone) heap_.timers.prefetch(timer.next);
    if (now - timer.idle_start < msecs) {  // too early: timers were armed later in this list
      if (scattered && timer.next != kNone) ahead_.put_off(list);
      if (it.queued != TimerList::Queued::no)
        lists_.requeue(list, it, std::max(timer.idle_start + msecs, now + 1), now);
      return Flow::normal;
    }
    if (ran_a_timer && profile_.drain_between_timers) {
      ++timer.refs;
      if (const Flow flow = env_.task_queue.run_next_ticks(); flow != Flow::normal) {
        store_.drop(index, timer);
        return flow;
      }
      // The ticks may have cleared it; the examined timer is taken all the same, and skipped.
      store_.unlink(index);
    } else {
      take_first(it, timer);
    }
    ran_a_timer = true;
    if (scattered) ahead_.runs(it, ++number);
    if (const Flow flow = fire(index, timer); flow != Flow::normal) return flow;
  }
  if (it.mapped) remove_list(list, it);
  return Flow::normal;
}

// next: 0: no timer is left; > 0: expiry of the next list; < 0: the same, and no timer is referenced.
Flow SingleHandleTimers::process(TimeMs now, std::int64_t& next) {
  next_expiry_ = kNever;
  const bool scattered = ahead_.is_worth_it();
  bool ran_a_list = false;
  while (!lists_.queue_empty()) {
    const auto [list, expiry] = lists_.first(now);
    if (expiry > now) {
      next_expiry_ = expiry;
      next = references_ > 0 ? expiry : -expiry;
      if (lists_[list].head != kNone)
        heap_.timers.prefetch(lists_[list].head);  // for the next pass: W1 1 to 2 % faster
      return Flow::normal;
    }
    TimerList& it = lists_[list];
    // The ticks may empty this list and make another one of its duration; the examined one is run.
    TimerLists::pin(it);
    Flow flow = ran_a_list && profile_.drain_between_timers ? env_.task_queue.run_next_ticks() : Flow::normal;
    ran_a_list = true;
    if (flow == Flow::normal) flow = list_on_timeout(list, it, now, scattered);
    lists_.unpin(list, it);
    if (flow != Flow::normal) return flow;
  }
  next = 0;
  return Flow::normal;
}

// ---- operations of a program ----------------------------------------------------------------------------------------

// unenroll() of lib/timers.js.
void SingleHandleTimers::clear(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (timer.destroyed) {
    if (profile_.clear_ends_fired_timer) timer.idle_timeout = -1;
    return;
  }
  timer.destroyed = true;
  ++timer.refs;
  store_.unlink(index);
  if (timer.is_referenced) {
    const std::uint32_t list = lists_.find(std::trunc(timer.idle_timeout));
    if (list != kNone && lists_[list].head == kNone) remove_list(list, lists_[list]);
    dec_refs();
    if (profile_.fired_timer_loses_ref) timer.is_referenced = false;
  }
  timer.idle_timeout = -1;
  store_.drop(index);
}

// active() or unrefActive(), by the timer's own state.
void SingleHandleTimers::refresh(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (timer.idle_timeout < 0) {
    if (profile_.refresh_reads_clock) store_.libuv_now();
    return;
  }
  if (store_.is_linked(timer)) env_.callbacks.trace_cancel(heap_.callback_of(timer), CancelReason::refresh);
  insert(index, store_.libuv_now());
  if (timer.destroyed) {
    timer.destroyed = false;
    if (timer.is_referenced) inc_refs();
  }
  if (timer.has_callback)
    store_.announce(timer, ScheduleKind::refresh);  // otherwise it only wakes the loop, without a call
}

void SingleHandleTimers::ref(TimerObject& timer) {
  if (timer.is_referenced) return;
  if (profile_.fired_timer_loses_ref && timer.destroyed) return;
  timer.is_referenced = true;
  if (!timer.destroyed) inc_refs();
}

void SingleHandleTimers::unref(TimerObject& timer) {
  if (!timer.is_referenced) return;
  timer.is_referenced = false;
  if (!timer.destroyed) dec_refs();
}

}  // namespace loopsim::node
