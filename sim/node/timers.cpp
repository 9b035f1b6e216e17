// Timers of Node 11 and later: one uv_timer_t for all of JavaScript, lists by duration in a priority queue
// (lib/internal/timers.js; src/env.cc, Environment::RunTimers). What both families share stands here as well.
//
//   timer_handle_ -> run_timers -> process_timers: while the first list is due
//                                    list_on_timeout: timers from its head while they are due
//                                                     ticks and microtasks between two timers
//                                    ticks and microtasks between two lists
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
constexpr TimeMs kTimeoutMax = 2147483647;
}

// What Node makes of the second argument of setTimeout: a number of milliseconds in [1, 2^31 - 1], or 1.
Delay Environment::coerce_delay(double delay) {
  if (delay >= 1 && delay <= static_cast<double>(kTimeoutMax)) return {delay, static_cast<TimeMs>(delay)};
  warn_of_delay(delay);
  return {};
}

// The same for a length of time, which is exact.
Delay Environment::delay_of_time(TimeNs time) {
  if (time > kTimeoutMax * kMillisecond) warn_of_delay(static_cast<double>(time / kMillisecond));
  if (time < kMillisecond || time > kTimeoutMax * kMillisecond) return {};
  // Below 2^51: the quotient is never rounded up to a whole number that the other one does not reach.
  return {static_cast<double>(time) / static_cast<double>(kMillisecond), time / kMillisecond};
}

// process.emitWarning() writes to standard error, from a tick.
void Environment::warn_of_delay(double delay) {
  const bool too_long = delay > static_cast<double>(kTimeoutMax);
  const bool odd = (delay < 0 && !std::exchange(negative_delay_warned_, profile_.odd_delay_warns)) ||
                   (std::isnan(delay) && !std::exchange(nan_delay_warned_, profile_.odd_delay_warns));
  const bool warns = (too_long && profile_.long_delay_warns) || (odd && profile_.odd_delay_warns);
  if (warns && !exiting_) queue_native_tick(Tick::Native::warning, kNone);
}

TimeMs Environment::libuv_now() {
  loop_.update_time();
  return loop_.now();
}

// The true time at which the loop's clock reads the timer's expiry.
TimeNs Environment::due_time(const TimerObject& timer) const {
  const auto whole = static_cast<TimeMs>(timer.idle_timeout);
  return std::max<TimeNs>((timer.idle_start + whole) * kMillisecond - machine_.clock_phase(), 0);
}

void Environment::trace_armed(const TimerObject& timer, ScheduleKind kind, std::uint64_t before) {
  const auto delay = static_cast<TimeNs>(timer.idle_timeout * static_cast<double>(kMillisecond));
  trace_scheduled(heap_.callback_of(timer), kind, due_time(timer), delay, before, {});
}

// insert() of lib/internal/timers.js.
[[gnu::always_inline]] inline void Environment::put_into_list(std::uint32_t index, TimerObject& timer, TimeMs msecs,
                                                              TimeMs start) {
  timer.idle_start = start;
  std::uint32_t list = lists_.find_whole(msecs);
  if (list == kNone) {
    list = lists_.make_whole(msecs);
    const TimeMs expiry = start + msecs;
    lists_.enqueue(list, expiry, start);
    if (next_expiry_ > expiry) {
      schedule_timer(msecs);
      next_expiry_ = expiry;
    }
  }
  link(list, index, timer);
}

std::uint32_t Environment::new_timer(Delay delay, bool repeats, std::uint32_t promise, const Callable& callable) {
  const std::uint32_t index = heap_.timers.make();
  TimerObject& timer = heap_.timers[index];
  timer.refs = 1;  // the caller's
  timer.place = callable.place;
  timer.context = callable.context;
  timer.by = running_;
  if (callable.arguments != kNone) heap_.make_extra(timer).arguments = callable.arguments;
  timer.idle_timeout = delay.asked;
  timer.repeats = repeats;
  if (promise != kNone) heap_.make_extra(timer).promise = promise;
  if (profile_.timer_model == TimerModel::single_handle) {
    inc_timer_refs();
    put_into_list(index, timer, delay.whole, libuv_now());
  } else {
    legacy_insert(index, libuv_now());
  }
  announce_timer(timer, ScheduleKind::first);
  if (heap_.timers.live() > limits_.queue) halt(LimitKind::queue, static_cast<std::int64_t>(limits_.queue));
  return index;
}

// clearTimeout(anything else) does nothing. Early versions take for a timer what has a property 0, as a text has that is not empty.
Flow Environment::clear_no_timer(const Value& value) {
  const bool is_text = value.tag == Tag::literal || value.tag == Tag::string;
  if (profile_.clear_text_error.empty() || !is_text || engine_.string_of(value).empty()) return Flow::normal;
  return engine_.throw_error("TypeError",
                             fmt::format(fmt::runtime(profile_.clear_text_error), engine_.string_of(value)));
}

// ---- the lists ------------------------------------------------------------------------------------------------------------

void Environment::unlink(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (!is_linked(timer)) return;
  TimerList& list = lists_[timer.list];
  if (timer.previous != kNone)
    heap_.timers[timer.previous].next = timer.next;
  else
    list.head = timer.next;
  if (timer.next != kNone)
    heap_.timers[timer.next].previous = timer.previous;
  else
    list.tail = timer.previous;
  timer.list = timer.next = timer.previous = kNone;
  drop_timer(index);
}

void Environment::insert_timer(std::uint32_t index, TimeMs start) {
  TimerObject& timer = heap_.timers[index];
  put_into_list(index, timer, static_cast<TimeMs>(timer.idle_timeout), start);
}

// The list is no longer found by its duration and no longer in the queue.
void Environment::remove_list(std::uint32_t list) {
  lists_.dequeue(list);
  lists_.unmap(list);
  lists_.collect(list);
}

// While the lists are run, only what is started last counts, and what run_timers() does at their end counts most.
void Environment::schedule_timer(TimeMs duration) {
  if (runs_lists_)
    deferred_expiry_ = loop_.now() + duration;
  else
    loop_.start(timer_handle_, duration);
}

void Environment::inc_timer_refs() {
  if (timer_references_++ == 0) loop_.ref(timer_handle_);
}

void Environment::dec_timer_refs() {
  if (--timer_references_ == 0) loop_.unref(timer_handle_);
}

// ---- a pass ---------------------------------------------------------------------------------------------------------------

void Environment::on_timer_handle(void* self, uv::Timer&) { static_cast<Environment*>(self)->run_timers(); }

void Environment::run_timers() {
  const TimeMs now = libuv_now();
  std::int64_t next = 0;
  runs_lists_ = true;
  deferred_expiry_ = kNever;
  for (;;) {
    const Flow flow = process_timers(now, next);
    if (flow == Flow::normal) break;
    if (flow == Flow::threw) handle_uncaught(false);
    if (stopping()) return;
  }
  runs_lists_ = false;
  if (next == 0 && deferred_expiry_ != kNever) loop_.start_at(timer_handle_, deferred_expiry_);
  if (next != 0) {
    schedule_timer(std::max<TimeMs>(std::llabs(next) - loop_.now(), 1));
    if (next > 0)
      loop_.ref(timer_handle_);
    else
      loop_.unref(timer_handle_);
  } else {
    loop_.unref(timer_handle_);
  }
  close_scope();
}

// Hints to the processor, because of very many timers no two in a row lie together, and to wait for one takes longer than to run it.
// Of a list that has been put off, the timers behind its first are fetched one after another, while other lists are looked at: what
// each is found by has then arrived.
void Environment::fetch_ahead(std::uint32_t list) {
  const auto after_first = [this](std::uint32_t of, int count) {
    std::uint32_t timer = lists_[of].head;
    for (; count > 0 && timer != kNone; --count) timer = heap_.timers[timer].next;
    if (timer != kNone) heap_.timers.prefetch(timer);
  };
  after_first(put_off_[(put_offs_ + kPutOff / 2) % kPutOff], 2);
  after_first(put_off_[put_offs_ % kPutOff], 3);
  put_off_[put_offs_++ % kPutOff] = list;
}

// The first of a list, with the reference that the list had to it.
[[gnu::always_inline]] inline void Environment::take_first(TimerList& list, TimerObject& timer) {
  list.head = timer.next;
  if (timer.next != kNone)
    heap_.timers[timer.next].previous = kNone;
  else
    list.tail = kNone;
  timer.list = timer.next = kNone;
}

// Calls a timer that has been taken from its list, and puts an interval back.
[[gnu::always_inline]] inline Flow Environment::fire_timer(std::uint32_t index, TimerObject& timer) {
  if (!timer.has_callback) {
    if (!timer.destroyed) {
      timer.destroyed = true;
      if (timer.is_referenced) --timer_references_;
    }
    return Flow::normal;
  }
  TimeMs start = 0;
  if (timer.repeats && profile_.interval_start == IntervalStart::before_callback) start = libuv_now();

  const Flow flow = runs_bare(timer.place) ? run_bare(timer.place, timer.context, timer.id)
                                           : run_framed(heap_.callback_of(timer), {}, due_time(timer), nullptr, {});
  if (flow == Flow::normal && timer.extra != kNone && heap_.extra(timer).promise != kNone)
    engine_.resolve_promise(heap_.extra(timer).promise, first_argument(heap_.callback_of(timer)));
  if (flow == Flow::stop) return flow;

  if (timer.repeats && timer.idle_timeout != -1) {
    if (profile_.interval_start == IntervalStart::after_callback) start = libuv_now();
    insert_timer(index, start);
    announce_timer(timer, ScheduleKind::again);
  } else if (!is_linked(timer) && !timer.destroyed) {
    timer.destroyed = true;
    if (timer.is_referenced) --timer_references_;
    if (profile_.fired_timer_loses_ref) timer.is_referenced = false;
  }
  return flow;
}

[[gnu::always_inline]] inline Flow Environment::list_on_timeout(std::uint32_t list, TimeMs now) {
  bool ran_a_timer = false;
  TimerList& it = lists_[list];
  const TimeMs msecs = it.whole;
  while (it.head != kNone) {
    const std::uint32_t index = it.head;
    TimerObject& timer = heap_.timers[index];
    if (scattered_ && timer.next != kNone) heap_.timers.prefetch(timer.next);
    if (now - timer.idle_start < msecs) {  // too early: timers were armed later in this list
      if (scattered_ && timer.next != kNone) fetch_ahead(list);
      if (it.queued != TimerList::Queued::no) {
        lists_.dequeue(list);
        lists_.enqueue(list, std::max(timer.idle_start + msecs, now + 1), now);
      }
      return Flow::normal;
    }
    if (ran_a_timer && profile_.drain_between_timers) {
      ++timer.refs;
      if (const Flow flow = run_next_ticks(); flow != Flow::normal) {
        drop_timer(index);
        return flow;
      }
      // The ticks may have cleared it; the timer that was looked at is taken all the same, and skipped.
      unlink(index);
    } else {
      take_first(it, timer);
    }
    ran_a_timer = true;
    const Flow flow = fire_timer(index, timer);
    drop_timer(index);
    if (flow != Flow::normal) return flow;
  }
  if (it.mapped) remove_list(list);
  return Flow::normal;
}

// next: 0 no timer is left; > 0 when the next list expires; < 0 the same, and no timer is referenced.
Flow Environment::process_timers(TimeMs now, std::int64_t& next) {
  next_expiry_ = kNever;
  scattered_ = heap_.timers.live() > kMostClose;
  bool ran_a_list = false;
  while (!lists_.queue_empty()) {
    const std::uint32_t list = lists_.first(now);
    if (const TimeMs expiry = lists_[list].expiry; expiry > now) {
      next_expiry_ = expiry;
      next = timer_references_ > 0 ? next_expiry_ : -next_expiry_;
      return Flow::normal;
    }
    // The ticks may empty this list and make another one of its duration; the one that was looked at is run.
    lists_.pin(list);
    Flow flow = ran_a_list && profile_.drain_between_timers ? run_next_ticks() : Flow::normal;
    ran_a_list = true;
    if (flow == Flow::normal) flow = list_on_timeout(list, now);
    lists_.unpin(list);
    if (flow != Flow::normal) return flow;
  }
  next = 0;
  return Flow::normal;
}

// ---- what a program does with a timer ---------------------------------------------------------------------------------------

void Environment::clear_timer(std::uint32_t index) {
  if (heap_.timers[index].has_callback) close_timer(index);
}

// timer.close(): clearTimeout without its first question, which is asked nevertheless where close() calls clearTimeout.
void Environment::close_timer(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (!timer.has_callback && profile_.timer_model == TimerModel::single_handle) return;
  timer.has_callback = false;
  const TimerWrap* own = own_handle(timer);
  if (is_linked(timer) || (own != nullptr && own->active()))
    trace_cancel(heap_.callback_of(timer), CancelReason::clear);
  if (profile_.timer_model == TimerModel::single_handle)
    clear_modern(index);
  else
    legacy_close(index);
}

// unenroll() of lib/timers.js.
void Environment::clear_modern(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (timer.destroyed) {
    if (profile_.clear_ends_fired_timer) timer.idle_timeout = -1;
    return;
  }
  timer.destroyed = true;
  ++timer.refs;
  unlink(index);
  if (timer.is_referenced) {
    const std::uint32_t list = lists_.find(std::trunc(timer.idle_timeout));
    if (list != kNone && lists_[list].head == kNone) remove_list(list);
    dec_timer_refs();
    if (profile_.fired_timer_loses_ref) timer.is_referenced = false;
  }
  timer.idle_timeout = -1;
  drop_timer(index);
}

void Environment::refresh_timer(std::uint32_t index) {
  if (profile_.timer_model == TimerModel::single_handle)
    refresh_modern(index);
  else
    legacy_refresh(index);
}

// active() or unrefActive(), by the timer's own state.
void Environment::refresh_modern(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (timer.idle_timeout < 0) {
    if (profile_.refresh_reads_clock) libuv_now();
    return;
  }
  if (is_linked(timer)) trace_cancel(heap_.callback_of(timer), CancelReason::refresh);
  insert_timer(index, libuv_now());
  if (timer.destroyed) {
    timer.destroyed = false;
    if (timer.is_referenced) inc_timer_refs();
  }
  if (timer.has_callback)
    announce_timer(timer, ScheduleKind::refresh);  // else it only wakes the loop, which calls nothing then
}

void Environment::ref_timer(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  trace_reference(EventKind::ref, heap_.callback_of(timer));
  if (profile_.timer_model == TimerModel::handle_per_list) {
    if (TimerWrap* own = own_handle(timer); own != nullptr) loop_.ref(*own);
    return;
  }
  if (timer.is_referenced) return;
  if (profile_.fired_timer_loses_ref && timer.destroyed) return;
  timer.is_referenced = true;
  if (!timer.destroyed) inc_timer_refs();
}

void Environment::unref_timer(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  trace_reference(EventKind::unref, heap_.callback_of(timer));
  if (profile_.timer_model == TimerModel::handle_per_list) return legacy_unref(index);
  if (!timer.is_referenced) return;
  timer.is_referenced = false;
  if (!timer.destroyed) dec_timer_refs();
}

bool Environment::timer_has_ref(std::uint32_t index) { return heap_.timers[index].is_referenced; }

}  // namespace loopsim::node
