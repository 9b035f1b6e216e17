#include "sim/node/timers/timers.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/node/environment.hpp"

namespace loopsim::node {

Timers::Timers(const Context& context, Callbacks& callbacks)
    : Part(context), store_(context, callbacks), single_handle_(context, store_), per_list_(context, store_) {}

Delay Timers::coerce_delay(double delay) {
  if (delay >= 1 && delay <= static_cast<double>(kTimeoutMax)) return {delay, static_cast<std::int32_t>(delay)};
  warn_of_delay(delay);
  return {.odd = true};
}

Delay Timers::odd_delay(TimeNs time) {
  if (time > kTimeoutMax * kMillisecond) warn_of_delay(static_cast<double>(time / kMillisecond));
  return {.odd = true};
}

// process.emitWarning() writes to standard error, from a tick.
void Timers::warn_of_delay(double delay) {
  const bool too_long = delay > static_cast<double>(kTimeoutMax);
  const bool odd = (delay < 0 && !std::exchange(negative_delay_warned_, profile_.odd_delay_warns)) ||
                   (std::isnan(delay) && !std::exchange(nan_delay_warned_, profile_.odd_delay_warns));
  const bool warns = (too_long && profile_.long_delay_warns) || (odd && profile_.odd_delay_warns);
  if (warns && !engine_.owns_process() && !env_.exit.is_exiting())
    env_.task_queue.queue_native(Tick::Native::warning, kNone);
}

std::uint32_t Timers::make(Delay delay, bool repeats, std::uint32_t promise, const Callable& callable, bool keeps) {
  const std::uint32_t index = heap_.timers.make_for_overwrite();
  TimerObject& timer = heap_.timers[index];
  timer = {.by = env_.callbacks.running(),
           .idle_timeout = delay.asked,
           .place = callable.place,
           .context = callable.context,
           .refs = keeps ? 1U : 0U,
           .repeats = repeats};
  if (callable.arguments != kNone) heap_.make_extra(timer).arguments = callable.arguments;
  if (promise != kNone) heap_.make_extra(timer).promise = promise;
  if (has_single_handle())
    single_handle_.begin(index, timer, delay.whole);
  else
    per_list_.insert(index, store_.libuv_now());
  store_.announce(timer, ScheduleKind::first);
  if (delay.odd && tracer_.on()) tracer_.last().detail2 = 1;
  if (heap_.timers.live() > limits_.queue) env_.ending.halt_for_queue();
  return index;
}

// clearTimeout(anything else) does nothing. Early versions take values with a property 0 (non-empty texts) for timers.
Flow Timers::clear_no_timer(const Value& value) {
  const bool is_text = value.tag == Tag::literal || value.tag == Tag::string;
  if (profile_.clear_text_error.empty() || !is_text || engine_.string_of(value).empty()) return Flow::normal;
  return engine_.throw_error("TypeError",
                             fmt::format(fmt::runtime(profile_.clear_text_error), engine_.string_of(value)));
}

void Timers::clear(std::uint32_t index) {
  if (heap_.timers[index].has_callback) close(index);
}

// timer.close(): clearTimeout without its first check, which is made all the same where close() calls clearTimeout.
void Timers::close(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  if (!timer.has_callback && has_single_handle()) return;
  const bool is_running = timer.has_callback && (has_single_handle() ? SingleHandleTimers::is_running(timer)
                                                                     : static_cast<bool>(timer.is_running));
  timer.has_callback = false;
  if (has_single_handle() ? TimerStore::is_linked(timer) : per_list_.is_armed(timer))
    env_.callbacks.trace_cancel(heap_.callback_of(timer), CancelReason::clear);
  else if (is_running)
    env_.callbacks.trace_cancel(heap_.callback_of(timer), CancelReason::clear_running);
  if (has_single_handle())
    single_handle_.clear(index);
  else
    per_list_.close(index);
}

void Timers::refresh(std::uint32_t index) {
  if (has_single_handle())
    single_handle_.refresh(index);
  else
    per_list_.refresh(index);
}

void Timers::ref(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  env_.callbacks.trace_reference(EventKind::ref, heap_.callback_of(timer));
  if (has_single_handle())
    single_handle_.ref(timer);
  else
    per_list_.ref(timer);
}

void Timers::unref(std::uint32_t index) {
  TimerObject& timer = heap_.timers[index];
  env_.callbacks.trace_reference(EventKind::unref, heap_.callback_of(timer));
  if (has_single_handle())
    single_handle_.unref(timer);
  else
    per_list_.unref(index);
}

std::uint64_t Timers::callback_behind(const uv::Timer& handle) {
  const std::uint32_t timer = has_single_handle() ? single_handle_.first_timer()
                                                  : per_list_.timer_behind(static_cast<const TimerWrap&>(handle));
  return timer == kNone ? 0 : heap_.timers[timer].id;
}

}  // namespace loopsim::node
