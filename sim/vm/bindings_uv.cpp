// The steps of a program for libuv alone: an instruction's operands become C arguments, and a function's result a number.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "sim/libuv/process.hpp"
#include "sim/vm/engine.hpp"

namespace loopsim::vm {

namespace {

using libuv::HandleKind;

// The kind of handle that a function is for; nullopt: any handle, or none.
std::optional<HandleKind> handle_kind_of(Verb function) {
  if (function >= Verb::uv_timer_init && function <= Verb::uv_timer_get_due_in) return HandleKind::timer;
  if (function >= Verb::uv_idle_init && function <= Verb::uv_idle_stop) return HandleKind::idle;
  if (function >= Verb::uv_prepare_init && function <= Verb::uv_prepare_stop) return HandleKind::prepare;
  if (function >= Verb::uv_check_init && function <= Verb::uv_check_stop) return HandleKind::check;
  if (function == Verb::uv_async_init || function == Verb::uv_async_send) return HandleKind::async;
  if (function >= Verb::uv_signal_init && function <= Verb::uv_signal_stop) return HandleKind::signal;
  return std::nullopt;
}

// What is no number, or below 0, counts as 0. Some thirty years at most, which are within the nanoseconds of a run.
TimeMs milliseconds(const Value& value) {
  constexpr double kMost = 1e12;
  if (value.tag != Tag::number || !(value.number >= 0)) return 0;
  return static_cast<TimeMs>(std::min(value.number, kMost));
}

constexpr std::int32_t kMeasureIdleTime = 1;  // uv_loop_option: UV_METRICS_IDLE_TIME

// libuv src/unix/core.c, uv_close; src/unix/signal.c.
bool asserts_not_closing(Verb function) {
  return function == Verb::uv_close || (function >= Verb::uv_signal_start && function <= Verb::uv_signal_stop);
}
}  // namespace

void Engine::connect(libuv::Process& process) {
  uv_ = &process;
  callbacks_ = &process.callbacks();
  thread_ = &process.thread();
  ending_ = &process.ending();
  machine_ = &process.machine();
  start_clock_ = process.machine().loop_clock();
}

// The function's handle, if it has one, or its loop. False: it is none of the kind, or gone, and the run is over.
bool Engine::uv_handle(const UvCall& call, std::uint32_t& handle) {
  const bool has_handle = call.object != kNone && !call.makes_object && call.function != Verb::uv_cancel;
  if (!has_handle) {
    if (uv_->has_closed()) uv_->abort(fmt::format("{}: the loop is closed", info(call.function).name));
    return !uv_->has_closed();
  }
  const Value value = evaluate(call.object);
  const std::optional<HandleKind> kind = handle_kind_of(call.function);
  const std::string_view name = info(call.function).name;
  handle = value.index;
  std::string what;
  if (value.tag != Tag::handle)
    what = fmt::format("{}: {} is no handle", name, label_text(call.label));
  else if (kind && uv_->kind(handle) != *kind)
    what = fmt::format("{}: {} is a {}, not a {}", name, label_text(call.label), libuv::to_string(uv_->kind(handle)),
                       libuv::to_string(*kind));
  else if (uv_->is_closed(handle) && call.function != Verb::uv_is_closing && call.function != Verb::uv_is_active)
    what = fmt::format("{}: {} is closed", name, label_text(call.label));
  else if (asserts_not_closing(call.function) && uv_->is_closing(handle))
    what = fmt::format("{}: Assertion `!uv__is_closing(handle)' failed: {} is closing", name, label_text(call.label));
  heap_.release(value);
  if (what.empty()) return true;
  uv_->abort(what);
  return false;
}

std::string Engine::label_text(std::uint32_t label) const {
  return label == kNoName ? std::string() : program_.names[label];
}

// The call as in C, without the loop.
std::string Engine::uv_call_text(const UvCall& call, TimeMs timeout, TimeMs repeat) const {
  std::string text = fmt::format("{}({}", info(call.function).name, label_text(call.label));
  switch (call.function) {
    case Verb::uv_run:
    case Verb::uv_loop_configure: text += info(call.function).words[static_cast<std::size_t>(call.number)]; break;
    case Verb::uv_timer_start: text += fmt::format(", {}, {}", timeout, repeat); break;
    case Verb::uv_timer_set_repeat: text += fmt::format(", {}", repeat); break;
    case Verb::uv_signal_start:
    case Verb::uv_signal_start_oneshot: text += fmt::format(", {}", find_signal(call.number)->name); break;
    default: break;
  }
  return text + ")";
}

int Engine::uv_queue_work(const UvCall& call, const Callback& callback) {
  if (call.duration == kNone) return kUvEinval;
  const TimeNs duration = random_.draw(program_.durations[call.duration]);
  const std::uint32_t request = uv_->queue_work(call.label, callback, duration, call.needs_cpu);
  heap_.assign(this->place(call.object), {Tag::request, request, 0});
  return 0;
}

Flow Engine::uv_step(const Instruction& instruction) {
  const UvCall& call = program_.uv_calls[instruction.c];
  const Value timeout_value = call.timeout == kNone ? Value{} : evaluate(call.timeout);
  const Value repeat_value = call.repeat == kNone ? Value{} : evaluate(call.repeat);
  const TimeMs timeout = milliseconds(timeout_value), repeat = milliseconds(repeat_value);
  heap_.release(timeout_value);
  heap_.release(repeat_value);

  Callback callback;
  if (call.site != kNone) callback.place = call.site;
  std::uint32_t handle = 0;
  if (!uv_handle(call, handle)) return Flow::stop;

  if (tracer_.on() && call.function == Verb::uv_run) trace_uv_call(call, timeout, repeat, 0).detail = 1;
  double result = 0;
  switch (call.function) {
    case Verb::uv_run: result = uv_->run_loop(static_cast<uv::RunMode>(call.number)); break;
    case Verb::uv_stop: uv_->stop(); break;
    case Verb::uv_loop_alive: result = uv_->alive() ? 1 : 0; break;
    case Verb::uv_loop_close: result = uv_->close_loop(); break;
    case Verb::uv_loop_configure: result = uv_->configure_loop(call.number == kMeasureIdleTime); break;
    case Verb::uv_now: result = static_cast<double>(uv_->now()); break;
    case Verb::uv_update_time: uv_->update_time(); break;
    case Verb::uv_backend_timeout: result = static_cast<double>(uv_->backend_timeout()); break;
    case Verb::uv_walk: uv_->walk(callback); break;
    case Verb::uv_close: uv_->close(handle, callback); break;
    case Verb::uv_ref: uv_->reference(handle, true); break;
    case Verb::uv_unref: uv_->reference(handle, false); break;
    case Verb::uv_has_ref: result = uv_->has_ref(handle) ? 1 : 0; break;
    case Verb::uv_is_active: result = uv_->is_active(handle) ? 1 : 0; break;
    case Verb::uv_is_closing: result = uv_->is_closing(handle) ? 1 : 0; break;
    case Verb::uv_timer_start: result = uv_->start_timer(handle, callback, timeout, repeat); break;
    case Verb::uv_timer_stop: result = uv_->stop_timer(handle); break;
    case Verb::uv_timer_again: result = uv_->timer_again(handle); break;
    case Verb::uv_timer_set_repeat: uv_->set_repeat(handle, repeat); break;
    case Verb::uv_timer_get_repeat: result = static_cast<double>(uv_->repeat(handle)); break;
    case Verb::uv_timer_get_due_in: result = static_cast<double>(uv_->due_in(handle)); break;
    case Verb::uv_idle_start:
    case Verb::uv_prepare_start:
    case Verb::uv_check_start: result = uv_->start_phase(handle, callback); break;
    case Verb::uv_idle_stop:
    case Verb::uv_prepare_stop:
    case Verb::uv_check_stop: result = uv_->stop_phase(handle); break;
    case Verb::uv_async_send: result = uv_->send(handle); break;
    case Verb::uv_queue_work: result = uv_queue_work(call, callback); break;
    case Verb::uv_cancel: {
      const Value request = evaluate(call.object);
      const bool is_request = request.tag == Tag::request;
      if (is_request) result = uv_->cancel(request.index);
      heap_.release(request);
      if (!is_request) {
        uv_->abort(fmt::format("uv_cancel: {} is no request", label_text(call.label)));
        return Flow::stop;
      }
      break;
    }
    case Verb::uv_signal_start:
    case Verb::uv_signal_start_oneshot:
      result = uv_->start_signal(handle, callback, call.number, call.function == Verb::uv_signal_start_oneshot);
      break;
    case Verb::uv_signal_stop: result = uv_->stop_signal(handle); break;
    default:  // ..._init
      heap_.assign(this->place(call.object),
                   {Tag::handle, uv_->init(*handle_kind_of(call.function), call.label, callback), 0});
      break;
  }
  if (ending_->stopping()) return Flow::stop;
  if (tracer_.on()) trace_uv_call(call, timeout, repeat, result);
  heap_.assign(accumulator_, Value::of_number(result));
  return Flow::normal;
}

Event& Engine::trace_uv_call(const UvCall& call, TimeMs timeout, TimeMs repeat, double result) {
  Event& event = tracer_.add_text(EventKind::call, uv_call_text(call, timeout, repeat));
  event.a = static_cast<std::int64_t>(result);
  event.by = callbacks_->running();
  trace_position(event);
  return event;
}

}  // namespace loopsim::vm
