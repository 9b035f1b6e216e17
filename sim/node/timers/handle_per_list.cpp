#include "sim/node/timers/handle_per_list.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
// libuv takes whole milliseconds: TimerWrap::Start converts with IntegerValue.
TimeMs whole(double msecs) { return static_cast<TimeMs>(std::trunc(msecs)); }
}  // namespace

// ---- handles ------------------------------------------------------------------------------------------------------------------

std::uint32_t HandlePerListTimers::new_handle() {
  const std::uint32_t index = handles_.make();
  TimerWrap& handle = handles_[index];
  handle = TimerWrap{};
  handle.callback = on_wrap;
  handle.owner = index;
  handle.refs = 1;  // libuv's, until it is closed
  engine_.timer_handle_made(index);
  return index;
}

// TimerWrap::close: libuv releases it at its turn in the closing phase.
void HandlePerListTimers::close_handle(std::uint32_t handle) { loop_.close(handles_[handle]); }

void HandlePerListTimers::handle_closed(std::uint32_t handle) {
  engine_.timer_handle_closed(handle);
  const std::uint32_t timer = handles_[handle].timer;
  if (timer != kNone) give_back(timer, kClosedHandle);
  drop_handle(handle);
}

TimerWrap* HandlePerListTimers::own_handle(const TimerObject& timer) {
  const std::uint32_t handle = heap_.extra(timer).handle;
  return handle == kNone || handle == kClosedHandle ? nullptr : &handles_[handle];
}

void HandlePerListTimers::drop_handle(std::uint32_t handle) {
  if (--handles_[handle].refs == 0) handles_.free(handle);
}

void HandlePerListTimers::on_wrap(void* environment, uv::Timer& handle) {
  static_cast<Environment*>(environment)->timers.per_list().on_timeout(static_cast<TimerWrap&>(handle));
}

// Calls the current kOnTimeout of the handle.
void HandlePerListTimers::on_timeout(const TimerWrap& handle) {
  const std::uint32_t owner = handle.owner;
  engine_.timer_handle_runs(owner, true);
  if (handle.on_timeout == TimerWrap::OnTimeout::list)
    list_scope(owner);
  else
    own_scope(owner);
}

bool HandlePerListTimers::is_armed(const TimerObject& timer) {
  const TimerWrap* own = own_handle(timer);
  return TimerStore::is_linked(timer) || (own != nullptr && own->active());
}

std::uint32_t HandlePerListTimers::timer_behind(const TimerWrap& handle) {
  return handle.is_owned ? handle.timer : lists_[handle.list].head;
}

void HandlePerListTimers::ref(TimerObject& timer) {
  if (TimerWrap* own = own_handle(timer); own != nullptr) loop_.ref(*own);
}

// Frees a list that is unreachable: by its duration, a pass, a tick and its handle.
void HandlePerListTimers::release_list(std::uint32_t list) {
  const std::uint32_t handle = lists_[list].handle;
  if (lists_[list].mapped || lists_[list].pins != 0) return;
  if (handle != kNone) {
    if (handles_[handle].on_timeout == TimerWrap::OnTimeout::list && !handles_[handle].closing) return;
    lists_[list].handle = kNone;
    drop_handle(handle);
  }
  lists_.collect(list, lists_[list]);
}

void HandlePerListTimers::unpin(std::uint32_t list) {
  --lists_[list].pins;
  release_list(list);
}

// ---- lists --------------------------------------------------------------------------------------------------------------------

// insert() / exports.active().
void HandlePerListTimers::insert(std::uint32_t index, TimeMs start) {
  TimerObject& timer = heap_.timers[index];
  if (timer.idle_timeout < 0) return;
  timer.idle_start = start;
  if (timer.extra != kNone) heap_.make_extra(timer).idle_fraction = 0;
  std::uint32_t list = lists_.find(timer.idle_timeout);
  if (list == kNone) {
    list = lists_.make(timer.idle_timeout);
    const std::uint32_t handle = new_handle();
    handles_[handle].list = list;
    ++handles_[handle].refs;
    lists_[list].handle = handle;
    loop_.start(handles_[handle], whole(timer.idle_timeout));
  }
  store_.link(list, lists_[list], index, timer);
}

// MakeCallback around the list's pass. In Node 10 a pass that threw starts again at once, unless its handle now belongs
// to a timer; before, a tick continues it.
void HandlePerListTimers::list_scope(std::uint32_t handle) {
  const std::uint32_t list = handles_[handle].list;
  TimerLists::pin(lists_[list]);
  for (;;) {
    const Flow flow = run_list(handle);
    if (flow == Flow::normal) engine_.timer_handle_runs(handle, false);
    bool failed = flow == Flow::threw;
    if (failed) env_.exit.handle_uncaught(false);
    if (flow == Flow::normal) {
      failed = env_.task_queue.close_scope_threw();
    }
    if (stopping() || !failed || profile_.timers_after_throw != TimersAfterThrow::at_once || handles_[handle].is_owned)
      break;
  }
  unpin(list);
}

// listOnTimeout(), called for a handle that was made for a list.
Flow HandlePerListTimers::run_list(std::uint32_t handle) {
  const std::uint32_t list = handles_[handle].list;
  if (lists_[list].next_tick) {
    lists_[list].next_tick = false;
    go_on_by_tick(list);
    return Flow::normal;
  }
  const TimeMs now = store_.libuv_now();
  while (lists_[list].head != kNone) {
    const std::uint32_t index = lists_[list].head;
    TimerObject& timer = heap_.timers[index];
    const double msecs = lists_[list].msecs;
    // As JavaScript computes it, rounding included.
    const double started = static_cast<double>(timer.idle_start) + heap_.extra(timer).idle_fraction;
    const double since_start = static_cast<double>(now) - started;
    if (since_start < msecs) {
      double left = msecs - since_start;
      if (profile_.list_rearm != ListRearm::from_pass_start) {
        left = msecs - (static_cast<double>(store_.libuv_now()) - started);
        if (profile_.list_rearm == ListRearm::at_least_one ? left <= 0 : left < 0) left = 1;
      }
      // libuv drops fractions of a millisecond: the handle is due at once, repeatedly, until the clock has moved.
      if (left > 0 && left < 1) {
        env_.thread.spin_until((machine_.loop_clock() + 1) * kMillisecond - machine_.clock_phase());
        loop_.notice_time();
        if (stopping()) return Flow::stop;
      }
      loop_.start(handles_[handle], whole(left));
      return Flow::normal;
    }
    ++timer.refs;
    store_.unlink(index);
    Flow flow = Flow::normal;
    if (timer.has_callback) flow = try_timer(list, index);
    store_.drop(index);
    if (flow != Flow::normal) return flow;
  }
  if (profile_.list_is_handle) {
    close_list(list);
    return Flow::normal;
  }
  delete_list(list);
  if (!handles_[handle].is_owned) close_handle(handle);
  return Flow::normal;
}

// deleteTimersList(): unless it was deleted before; another list may have its duration by now.
void HandlePerListTimers::delete_list(std::uint32_t list) {
  if (lists_[list].mapped) lists_.unmap(lists_[list]);
}

// Node 4: `list.close(); delete lists[msecs]`, whichever list is found there, even if unref() in a callback has given
// the handle to a timer, which is then lost.
void HandlePerListTimers::close_list(std::uint32_t list) {
  close_handle(lists_[list].handle);
  if (const std::uint32_t found = lists_.find(lists_[list].msecs); found != kNone) {
    lists_.unmap(lists_[found]);
    release_list(found);
  }
}

// A tick runs the rest of the list; while the process exits nextTick() takes none, and nobody does.
void HandlePerListTimers::go_on_by_tick(std::uint32_t list) {
  if (env_.exit.is_exiting()) return;
  TimerLists::pin(lists_[list]);
  env_.task_queue.queue_native(Tick::Native::timer_list, list);
}

// listOnTimeoutNT(): calls the current kOnTimeout of the list's handle. It is a tick, so no drain follows.
Flow HandlePerListTimers::list_tick(std::uint32_t list) {
  const std::uint32_t handle = lists_[list].handle;
  Flow flow = Flow::normal;
  switch (handles_[handle].on_timeout) {
    case TimerWrap::OnTimeout::list: flow = run_list(handle); break;
    case TimerWrap::OnTimeout::own: flow = run_own(handle, 0); break;
    case TimerWrap::OnTimeout::nothing:
      flow = engine_.throw_error("TypeError", profile_.list_is_handle ? "list[kOnTimeout] is not a function"
                                                                      : "list._timer[kOnTimeout] is not a function");
      break;
  }
  unpin(list);
  return flow;
}

// tryOnTimeout().
Flow HandlePerListTimers::try_timer(std::uint32_t list, std::uint32_t index) {
  heap_.timers[index].called = true;
  const Flow flow = fire(index, 0, false);
  if (flow != Flow::threw || profile_.timers_after_throw == TimersAfterThrow::at_once) return flow;

  if (profile_.emptied_list_closes && lists_[list].head == kNone) {
    delete_list(list);
    if (const std::uint32_t handle = lists_[list].handle; !handles_[handle].is_owned) close_handle(handle);
    return flow;
  }
  // A tick runs the rest of the list, and longer lists that come due before it wait for a tick of their own.
  if (profile_.timers_after_throw == TimersAfterThrow::list_ticks) lists_.postpone_longer_than(lists_[list].msecs);
  go_on_by_tick(list);
  return flow;
}

// Calls the timer and re-arms an interval.
Flow HandlePerListTimers::fire(std::uint32_t index, TimeMs start, bool has_start) {
  TimerObject& timer = heap_.timers[index];
  // Only Node 10 reads the clock here, which moves the loop's time.
  if (!has_start)
    start = timer.repeats && profile_.interval_start == IntervalStart::before_callback ? store_.libuv_now() : 0;
  // After an exception a timer may be called once more though nothing has armed it again.
  if (timer.extra != kNone && heap_.extra(timer).thrown == timer.id) store_.announce(timer, ScheduleKind::again);
  const Callback callback = heap_.callback_of(timer);
  heap_.retain(callback);
  timer.is_running = true;
  // The tick that continues after an exception may call a timer before it is due, for another reason.
  const TimeNs due = store_.due_time(timer);
  const Flow flow = env_.callbacks.run(callback, {}, due <= machine_.now() ? due : -1);
  timer.is_running = false;
  if (flow == Flow::normal && heap_.extra(timer).promise != kNone) {
    const Callbacks::Behind behind(env_.callbacks, callback.id);
    engine_.resolve_promise(heap_.extra(timer).promise, env_.callbacks.first_argument(callback));
  }
  heap_.release(callback);
  if (flow == Flow::threw) heap_.make_extra(timer).thrown = callback.id;
  if (flow == Flow::normal && timer.repeats) {
    if (timer.id != callback.id && timer.idle_timeout != -1)  // refreshed by its own callback
      env_.callbacks.trace_cancel(heap_.callback_of(timer), CancelReason::refresh);
    rearm(index, start);
  }
  // A timer that threw is not armed again; but its own handle from unref() may be due once more.
  const TimerWrap* own = own_handle(timer);
  if (flow == Flow::threw && own != nullptr && own->active() && timer.id == callback.id)
    store_.announce(timer, ScheduleKind::again);
  return flow;
}

// rearm(): from Node 10 on from the start of the callback, with 1 ms to spare if the callback took too long.
void HandlePerListTimers::rearm(std::uint32_t index, TimeMs start) {
  TimerObject& timer = heap_.timers[index];
  if (timer.idle_timeout == -1) return;
  if (TimerWrap* own = own_handle(timer); own != nullptr) {  // from the cached time, without a read of the clock
    loop_.start(*own, whole(timer.idle_timeout));
    timer.idle_start = loop_.now();
    if (timer.extra != kNone) heap_.make_extra(timer).idle_fraction = 0;
  } else {
    const TimeMs now = store_.libuv_now();
    TimeMs from = now;
    double fraction = 0;
    if (profile_.interval_start == IntervalStart::before_callback) {
      const auto took = static_cast<double>(now - start);
      if (took >= timer.idle_timeout) {  // start + duration - timer._repeat + 1, in this order
        const double exact = static_cast<double>(start) + took - timer.idle_timeout + 1;
        from = whole(exact);
        fraction = exact - static_cast<double>(from);
      } else {
        from = start;
      }
    }
    insert(index, from);
    if (fraction != 0) heap_.make_extra(timer).idle_fraction = fraction;
  }
  store_.announce(timer, ScheduleKind::again);
}

// ---- unref'd timers have handles of their own --------------------------------------------------------------------------------

void HandlePerListTimers::own_scope(std::uint32_t handle) {
  // Only Node 10 passes the time to the handler, and reads the clock for it.
  const Flow flow = run_own(handle, profile_.unref_timer_reads_clock ? store_.libuv_now() : 0);
  if (flow == Flow::normal) engine_.timer_handle_runs(handle, false);
  if (flow == Flow::threw)
    env_.exit.handle_uncaught(false);
  else if (flow == Flow::normal)
    env_.task_queue.close_scope();
}

// unrefdHandle().
Flow HandlePerListTimers::run_own(std::uint32_t handle, TimeMs now) {
  const std::uint32_t index = handles_[handle].timer;
  TimerObject& timer = heap_.timers[index];
  ++timer.refs;
  Flow flow = Flow::normal;
  if (timer.has_callback) {
    timer.called = true;
    flow = fire(index, now, profile_.unref_timer_reads_clock);
  }
  // Only Node 10 also does so after an exception.
  const bool ends = flow == Flow::normal || (flow == Flow::threw && profile_.thrown_unref_timer_closes);
  if (ends && (!timer.repeats || !timer.has_callback)) close(index);
  store_.drop(index);
  return flow;
}

// reuse(): takes the timer from its list; if that empties the list, its handle is free for other use. The user of the
// handle must then release its list.
std::uint32_t HandlePerListTimers::reuse(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  const std::uint32_t list = timer.idle_timeout < 0 ? kNone : lists_.find(timer.idle_timeout);
  store_.unlink(index);
  if (list == kNone || lists_[list].head != kNone) return kNone;
  const std::uint32_t handle = lists_[list].handle;
  lists_.unmap(lists_[list]);
  loop_.stop(handles_[handle]);
  return handle;
}

void HandlePerListTimers::unenroll(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (const std::uint32_t handle = reuse(index); handle != kNone) {
    close_handle(handle);
    release_list(handles_[handle].list);
  }
  timer.idle_timeout = -1;
}

void HandlePerListTimers::unref(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (heap_.extra(timer).handle != kNone) {
    if (TimerWrap* own = own_handle(timer); own != nullptr) loop_.unref(*own);
    return;
  }
  if (!timer.has_callback) return;
  const TimeMs now = store_.libuv_now();
  if (timer.idle_start == 0) timer.idle_start = now;  // `if (!this._idleStart)`: a start of 0 counts as none
  const double delay = std::max(static_cast<double>(timer.idle_start) + heap_.extra(timer).idle_fraction +
                                    timer.idle_timeout - static_cast<double>(now),
                                0.0);
  ++timer.refs;  // the handle's: given back by legacy_give_back()
  if (timer.called && !timer.repeats) {
    unenroll(index);
    store_.drop(index);
    return;
  }
  const bool was_armed = store_.is_linked(timer) || timer.is_running;
  const std::uint32_t reused = reuse(index);
  const std::uint32_t handle = reused != kNone ? reused : new_handle();
  TimerWrap& own = handles_[handle];
  heap_.make_extra(timer).handle = handle;
  ++own.refs;
  own.timer = index;
  own.is_owned = true;
  own.on_timeout = TimerWrap::OnTimeout::own;
  if (reused != kNone) release_list(own.list);
  loop_.start(own, whole(delay));
  loop_.unref(own);
  if (!was_armed) store_.announce(timer, ScheduleKind::again);  // an interval that has thrown runs once more
}

// Timeout.prototype.close.
void HandlePerListTimers::close(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  timer.has_callback = false;
  const std::uint32_t handle = heap_.extra(timer).handle;
  if (handle == kNone) return unenroll(index);
  timer.idle_timeout = -1;
  if (handle == kClosedHandle) return;
  handles_[handle].on_timeout = TimerWrap::OnTimeout::nothing;
  close_handle(handle);
  give_back(index);
}

// The timer and its closed handle release each other.
void HandlePerListTimers::give_back(std::uint32_t index, std::uint32_t left) {
  const std::uint32_t handle = std::exchange(heap_.make_extra(heap_.timers[index]).handle, left);
  handles_[handle].timer = kNone;
  drop_handle(handle);
  store_.drop(index);
}

void HandlePerListTimers::refresh(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (TimerWrap* own = own_handle(timer); own != nullptr) {
    env_.callbacks.trace_cancel(heap_.callback_of(timer), CancelReason::refresh);
    loop_.start(*own, whole(timer.idle_timeout));
    timer.idle_start = loop_.now();
    if (timer.extra != kNone) heap_.make_extra(timer).idle_fraction = 0;
  } else {
    if (timer.idle_timeout < 0) return;
    if (store_.is_linked(timer)) env_.callbacks.trace_cancel(heap_.callback_of(timer), CancelReason::refresh);
    insert(index, store_.libuv_now());
  }
  store_.announce(timer, ScheduleKind::refresh);
}

}  // namespace loopsim::node
