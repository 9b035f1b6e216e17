// Timers of Node 10 and earlier: every duration has a list, and every list a uv_timer_t of its own, so that the order between
// lists is libuv's (lib/timers.js of v4, v6, v8, v10; src/timer_wrap.cc). A timer that is unref'd leaves its list for a handle
// of its own.
#include <algorithm>
#include <cmath>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
// libuv takes whole milliseconds: TimerWrap::Start converts with IntegerValue.
TimeMs whole(double msecs) { return static_cast<TimeMs>(std::trunc(msecs)); }
}  // namespace

std::uint32_t Environment::legacy_new_handle() {
  const std::uint32_t handle = handles_.make();
  handles_[handle] = uv::Timer{};
  return handle;
}

// TimerWrap::close: its memory is free again when the closing phase has dealt with it.
void Environment::legacy_close_handle(std::uint32_t handle) {
  handles_[handle].owner = handle;
  loop_.close(handles_[handle]);
}

// insert() / exports.active().
void Environment::legacy_insert(std::uint32_t index, TimeMs start) {
  TimerObject& timer = heap_.timers[index];
  if (timer.idle_timeout < 0) return;
  timer.idle_start = start;
  if (timer.extra != kNone) heap_.make_extra(timer).idle_fraction = 0;
  std::uint32_t list = lists_.find(timer.idle_timeout);
  if (list == kNone) {
    list = lists_.make(timer.idle_timeout);
    const std::uint32_t handle = legacy_new_handle();
    lists_[list].handle = handle;
    handles_[handle].callback = on_list_handle;
    handles_[handle].owner = list;
    loop_.start(handles_[handle], whole(timer.idle_timeout));
  }
  link(list, index, timer);
}

void Environment::on_list_handle(void* self, uv::Timer& handle) {
  auto* env = static_cast<Environment*>(self);
  env->legacy_list_scope(handle.owner);
}

// MakeCallback around the list's pass. From Node 10 on a pass that threw is entered again at once; before, a tick goes on with it.
void Environment::legacy_list_scope(std::uint32_t list) {
  if (lists_[list].next_tick) {
    lists_[list].next_tick = false;
    lists_.pin(list);
    queue_native_tick(Tick::Native::timer_list, list);
    close_scope();
    return;
  }
  lists_.pin(list);
  for (;;) {
    const Flow flow = legacy_run_list(list, libuv_now());
    bool failed = flow == Flow::threw;
    if (failed) handle_uncaught(false);
    if (flow == Flow::normal) {
      drain_failed_ = false;
      close_scope();
      failed = drain_failed_;  // a tick threw
    }
    if (stopping() || !failed || !profile_.timers_resume_after_throw) break;
  }
  lists_.unpin(list);
}

// listOnTimeout().
Flow Environment::legacy_run_list(std::uint32_t list, TimeMs now) {
  const std::uint32_t own_handle = lists_[list].handle;
  while (lists_[list].head != kNone) {
    const std::uint32_t index = lists_[list].head;
    TimerObject& timer = heap_.timers[index];
    const double msecs = lists_[list].msecs;
    // As JavaScript computes it, rounding included.
    const double started = static_cast<double>(timer.idle_start) + heap_.extra(timer).idle_fraction;
    const double since_start = static_cast<double>(now) - started;
    if (since_start < msecs) {
      double left = msecs - since_start;
      if (profile_.interval_start != IntervalStart::rearm_twice) {
        left = msecs - (static_cast<double>(libuv_now()) - started);
        if (profile_.timers_resume_after_throw ? left <= 0 : left < 0) left = 1;
      }
      // Less than a millisecond is no time at all for libuv: the handle is due at once, again and again, until the clock has moved.
      if (left > 0 && left < 1) {
        spin_until((machine_.loop_clock() + 1) * kMillisecond - machine_.clock_phase());
        loop_.notice_time();
        if (stopping()) return Flow::stop;
      }
      if (lists_[list].handle != kNone) loop_.start(handles_[lists_[list].handle], whole(left));
      return Flow::normal;
    }
    ++timer.refs;
    unlink(index);
    Flow flow = Flow::normal;
    if (timer.has_callback) flow = legacy_try_timer(list, index);
    drop_timer(index);
    if (flow != Flow::normal) return flow;
  }
  if (profile_.list_is_handle) {
    legacy_close_list(list, own_handle);
    return Flow::normal;
  }
  // The list is empty: it goes, and its handle is closed, unless unref() has given the handle to a timer.
  if (lists_[list].mapped && lists_.find(lists_[list].msecs) == list) lists_.unmap(list);
  if (const std::uint32_t handle = lists_[list].handle; handle != kNone) {
    lists_[list].handle = kNone;
    legacy_close_handle(handle);
  }
  return Flow::normal;
}

// Node 4: `list.close(); delete lists[msecs]`, whoever has the handle by now, and whichever list is found there.
void Environment::legacy_close_list(std::uint32_t list, std::uint32_t own_handle) {
  if (const std::uint32_t found = lists_.find(lists_[list].msecs); found != kNone) {
    lists_.unmap(found);
    if (found != list) lists_.collect(found);
  }
  if (lists_[list].handle != kNone) {
    lists_[list].handle = kNone;
    legacy_close_handle(own_handle);
    return;
  }
  // unref() in one of the callbacks has given it to a timer, which so is lost; or it has been closed already.
  if (own_handle == kNone || handles_[own_handle].callback != on_own_handle || handles_[own_handle].closing) return;
  const std::uint32_t timer = handles_[own_handle].owner;
  TimerObject& owner = heap_.timers[timer];
  if (heap_.extra(owner).handle != own_handle) return;
  heap_.make_extra(owner).handle = kNone;
  owner.has_callback = false;
  legacy_close_handle(own_handle);
  drop_timer(timer);
}

Flow Environment::legacy_try_timer(std::uint32_t list, std::uint32_t index) {
  heap_.timers[index].called = true;
  const Flow flow = legacy_fire(index, 0, false);
  if (flow != Flow::threw || profile_.timers_resume_after_throw) return flow;

  // The rest of the list is run by a tick, and longer lists that come due before it wait for a tick of their own.
  if (profile_.emptied_list_closes && lists_[list].head == kNone) {
    if (lists_[list].mapped && lists_.find(lists_[list].msecs) == list) lists_.unmap(list);
    if (const std::uint32_t handle = lists_[list].handle; handle != kNone) {
      lists_[list].handle = kNone;
      legacy_close_handle(handle);
    }
    return flow;
  }
  if (profile_.interval_start != IntervalStart::rearm_twice) lists_.postpone_longer_than(lists_[list].msecs);
  lists_.pin(list);
  queue_native_tick(Tick::Native::timer_list, list);
  return flow;
}

// listOnTimeoutNT(): as a tick, so nothing is drained after it.
Flow Environment::legacy_list_tick(std::uint32_t list) {
  const Flow flow = legacy_run_list(list, libuv_now());
  lists_.unpin(list);
  return flow;
}

// Calls the timer and re-arms an interval.
Flow Environment::legacy_fire(std::uint32_t index, TimeMs start, bool has_start) {
  TimerObject& timer = heap_.timers[index];
  // Only Node 10 reads the clock here, which moves the loop's time.
  if (!has_start) start = timer.repeats && profile_.interval_start == IntervalStart::before_callback ? libuv_now() : 0;
  const Callback callback = heap_.callback_of(timer);
  heap_.retain(callback);
  const Flow flow = run_callback(callback, {}, due_time(timer));
  if (flow == Flow::normal && heap_.extra(timer).promise != kNone)
    resolve_promise(heap_.extra(timer).promise, first_argument(callback));
  heap_.release(callback);
  if (flow == Flow::normal && timer.repeats) legacy_rearm(index, start);
  return flow;
}

// rearm(): from Node 10 on counted from the start of the callback, with 1 ms to spare when the callback took too long.
void Environment::legacy_rearm(std::uint32_t index, TimeMs start) {
  TimerObject& timer = heap_.timers[index];
  if (timer.idle_timeout == -1) return;
  if (heap_.extra(timer).handle != kNone) {  // from the cached time: nothing reads the clock here
    loop_.start(handles_[heap_.extra(timer).handle], whole(timer.idle_timeout));
    timer.idle_start = loop_.now();
    if (timer.extra != kNone) heap_.make_extra(timer).idle_fraction = 0;
  } else {
    const TimeMs now = libuv_now();
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
    legacy_insert(index, from);
    if (fraction != 0) heap_.make_extra(timer).idle_fraction = fraction;
  }
  tell_timer(timer, ScheduleKind::again);
}

// ---- unref'd timers have handles of their own --------------------------------------------------------------------------------

void Environment::on_own_handle(void* self, uv::Timer& handle) {
  auto* env = static_cast<Environment*>(self);
  const Flow flow = env->legacy_own_handle(handle.owner, env->libuv_now());
  if (flow == Flow::threw)
    env->handle_uncaught(false);
  else if (flow == Flow::normal)
    env->close_scope();
}

// unrefdHandle().
Flow Environment::legacy_own_handle(std::uint32_t index, TimeMs now) {
  TimerObject& timer = heap_.timers[index];
  ++timer.refs;
  Flow flow = Flow::normal;
  if (timer.has_callback) {
    timer.called = true;
    flow = legacy_fire(index, now, profile_.timers_resume_after_throw);
  }
  if (!timer.repeats || !timer.has_callback) legacy_close(index);
  drop_timer(index);
  return flow;
}

// reuse(): takes the timer from its list; when that leaves the list empty, its handle is free for other use.
std::uint32_t Environment::legacy_reuse(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  const std::uint32_t list = timer.idle_timeout < 0 ? kNone : lists_.find(timer.idle_timeout);
  unlink(index);
  if (list == kNone || lists_[list].head != kNone) return kNone;
  const std::uint32_t handle = lists_[list].handle;
  lists_[list].handle = kNone;
  lists_.unmap(list);
  lists_.collect(list);
  if (handle != kNone) loop_.stop(handles_[handle]);
  return handle;
}

void Environment::legacy_unenroll(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (const std::uint32_t handle = legacy_reuse(index); handle != kNone) legacy_close_handle(handle);
  timer.idle_timeout = -1;
}

void Environment::legacy_unref(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (heap_.extra(timer).handle != kNone) {
    loop_.unref(handles_[heap_.extra(timer).handle]);
    return;
  }
  if (!timer.has_callback) return;
  const TimeMs now = libuv_now();
  if (timer.idle_start == 0) timer.idle_start = now;  // `if (!this._idleStart)`: a start of 0 counts as none
  const double delay = std::max(static_cast<double>(timer.idle_start) + heap_.extra(timer).idle_fraction +
                                    timer.idle_timeout - static_cast<double>(now),
                                0.0);
  ++timer.refs;  // the handle's: given back by legacy_close
  if (timer.called && !timer.repeats) {
    legacy_unenroll(index);
    drop_timer(index);
    return;
  }
  std::uint32_t handle = legacy_reuse(index);
  if (handle == kNone) handle = legacy_new_handle();
  heap_.make_extra(timer).handle = handle;
  handles_[handle].callback = on_own_handle;
  handles_[handle].owner = index;
  loop_.start(handles_[handle], whole(delay));
  loop_.unref(handles_[handle]);
}

// Timeout.prototype.close.
void Environment::legacy_close(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  timer.has_callback = false;
  if (heap_.extra(timer).handle == kNone) return legacy_unenroll(index);
  timer.idle_timeout = -1;
  const std::uint32_t handle = heap_.extra(timer).handle;
  if (handles_[handle].closing) return;
  legacy_close_handle(handle);
  heap_.make_extra(timer).handle = kNone;
  drop_timer(index);
}

void Environment::legacy_refresh(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (heap_.extra(timer).handle != kNone) {
    tell_cancel(heap_.callback_of(timer), CancelReason::refresh);
    loop_.start(handles_[heap_.extra(timer).handle], whole(timer.idle_timeout));
    timer.idle_start = loop_.now();
    if (timer.extra != kNone) heap_.make_extra(timer).idle_fraction = 0;
  } else {
    if (timer.idle_timeout < 0) return;
    if (is_linked(timer)) tell_cancel(heap_.callback_of(timer), CancelReason::refresh);
    legacy_insert(index, libuv_now());
  }
  tell_timer(timer, ScheduleKind::refresh);
}

}  // namespace loopsim::node
