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
  if (function >= Verb::uv_tcp_init && function <= Verb::uv_tcp_close_reset) return HandleKind::tcp;
  if (function >= Verb::uv_pipe_init && function <= Verb::uv_pipe_connect) return HandleKind::pipe;
  if (function >= Verb::uv_poll_init && function <= Verb::uv_poll_stop) return HandleKind::poll;
  if (function == Verb::uv_spawn || function == Verb::uv_process_kill) return HandleKind::process;
  return std::nullopt;
}

bool is_of_stream(Verb function) { return function >= Verb::uv_listen && function <= Verb::uv_is_writable; }
bool is_stream(HandleKind kind) { return kind == HandleKind::tcp || kind == HandleKind::pipe; }
bool is_of_descriptor(Verb function) { return function >= Verb::socketpair && function <= Verb::shutdown; }
// Descriptors are numbers from here on.
constexpr std::uint32_t kFirstDescriptor = 64;

// What is no number, or below 0, counts as 0. Some thirty years at most, which are within the nanoseconds of a run.
TimeMs milliseconds(const Value& value) {
  constexpr double kMost = 1e12;
  if (value.tag != Tag::number || !(value.number >= 0)) return 0;
  return static_cast<TimeMs>(std::min(value.number, kMost));
}

constexpr std::int32_t kMeasureIdleTime = 1;  // uv_loop_option: UV_METRICS_IDLE_TIME

// libuv src/unix/core.c, uv_close; src/unix/signal.c.
bool asserts_not_closing(Verb function) {
  return closes_handle(function) || function == Verb::uv_poll_start || function == Verb::uv_poll_stop ||
         (function >= Verb::uv_signal_start && function <= Verb::uv_signal_stop);
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
  if (is_of_descriptor(call.function)) return true;
  const bool has_handle = call.object != kNone && !call.makes_object && call.function != Verb::uv_cancel;
  if (!has_handle) {
    if (uv_->has_closed()) uv_->abort(fmt::format("{}: the loop is closed", info(call.function).name));
    return !uv_->has_closed();
  }
  return uv_handle_of(call, call.object, call.label, handle);
}

// The same of a given operand.
bool Engine::uv_handle_of(const UvCall& call, std::uint32_t operand, std::uint32_t label, std::uint32_t& handle) {
  const Value value = evaluate(operand);
  const std::optional<HandleKind> kind = handle_kind_of(call.function);
  const std::string_view name = info(call.function).name;
  handle = value.index;
  std::string what;
  if (value.tag != Tag::handle)
    what = fmt::format("{}: {} is no handle", name, label_text(label));
  else if (kind && uv_->kind(handle) != *kind)
    what = fmt::format("{}: {} is a {}, not a {}", name, label_text(label), libuv::to_string(uv_->kind(handle)),
                       libuv::to_string(*kind));
  else if (is_of_stream(call.function) && !is_stream(uv_->kind(handle)))
    what = fmt::format("{}: {} is a {}, not a stream", name, label_text(label), libuv::to_string(uv_->kind(handle)));
  else if (uv_->is_closed(handle) && call.function != Verb::uv_is_closing && call.function != Verb::uv_is_active)
    what = fmt::format("{}: {} is closed", name, label_text(label));
  else if (asserts_not_closing(call.function) && uv_->is_closing(handle))
    what = fmt::format("{}: Assertion `!uv__is_closing(handle)' failed: {} is closing", name, label_text(label));
  heap_.release(value);
  if (what.empty()) return true;
  uv_->abort(what);
  return false;
}

// The socket of a descriptor; kNone: it is none.
std::uint32_t Engine::uv_socket(std::uint32_t operand) {
  const Value value = evaluate(operand);
  const bool is_number = value.tag == Tag::number && value.number >= kFirstDescriptor && value.number < kNone;
  const std::uint32_t socket = is_number ? static_cast<std::uint32_t>(value.number) - kFirstDescriptor : kNone;
  heap_.release(value);
  return uv_->is_socket(socket) ? socket : kNone;
}

std::string Engine::label_text(std::uint32_t label) const {
  return label == kNoName ? std::string() : program_.names[label];
}

// The call as in C, without the loop.
std::string Engine::uv_call_text(const UvCall& call, const UvData& data) const {
  std::string text = fmt::format("{}({}", info(call.function).name, label_text(call.label));
  if (call.other != kNone) text += fmt::format(", {}", label_text(call.other_label));
  if (call.text != kNone) text += fmt::format(", \"{}\"", program_.strings[call.text]);
  switch (call.function) {
    case Verb::uv_run:
    case Verb::uv_loop_configure: text += info(call.function).words[static_cast<std::size_t>(call.number)]; break;
    case Verb::uv_timer_start: text += fmt::format(", {}, {}", data.timeout, data.repeat); break;
    case Verb::uv_timer_set_repeat: text += fmt::format(", {}", data.repeat); break;
    case Verb::uv_signal_start:
    case Verb::uv_signal_start_oneshot:
    case Verb::uv_process_kill: text += fmt::format(", {}", find_signal(call.number)->name); break;
    case Verb::uv_tcp_bind:
    case Verb::uv_tcp_connect: text += fmt::format(", {}", call.number); break;
    case Verb::uv_poll_start:
      text += fmt::format(", {}", info(call.function).words[static_cast<std::size_t>(call.number) - 1]);
      break;
    case Verb::uv_write:
    case Verb::uv_try_write:
    case Verb::send: text += fmt::format(", {} bytes", data.bytes.size()); break;
    default: break;
  }
  return text + ")";
}

Engine::UvData Engine::uv_data(const UvCall& call) {
  UvData data;
  const Value timeout = call.timeout == kNone ? Value{} : evaluate(call.timeout);
  const Value repeat = call.repeat == kNone ? Value{} : evaluate(call.repeat);
  data.timeout = milliseconds(timeout);
  data.repeat = milliseconds(repeat);
  heap_.release(timeout);
  heap_.release(repeat);
  data.bytes.assign(call.bytes, 'x');
  if (call.data != kNone) {
    const Value text = evaluate(call.data);
    charge_text(text);
    data.bytes = to_text(text).substr(0, kMostBytesOfUvWrite);
    heap_.release(text);
  }
  return data;
}

int Engine::uv_queue_work(const UvCall& call, const Callback& callback) {
  if (call.duration == kNone) return kUvEinval;
  const TimeNs duration = random_.draw(program_.durations[call.duration]);
  const std::uint32_t request =
      uv_->queue_work(call.label, callback, {.operation = {}, .duration = duration, .needs_cpu = call.needs_cpu});
  heap_.assign(this->place(call.object), {Tag::request, request, 0});
  return 0;
}

// A request for a file or a name. Without a callback the function itself does the work.
int Engine::uv_fs(const UvCall& call, const Callback& callback) {
  constexpr std::size_t kPrefix = std::string_view("uv_fs_").size();
  const TimeNs duration = call.duration == kNone ? 0 : random_.draw(program_.durations[call.duration]);
  const bool is_name = call.function == Verb::uv_getaddrinfo;
  const auto kind = is_name ? libuv::Request::Kind::getaddrinfo : libuv::Request::Kind::fs;
  std::uint32_t request = 0;
  if (callback.place == kNone) {
    uv_->block(duration);
    request = uv_->add_request(kind, call.label, {});
  } else {
    const std::string_view operation = is_name ? std::string_view() : info(call.function).name.substr(kPrefix);
    request = uv_->queue_work(call.label, callback,
                              {.kind = kind, .operation = operation, .duration = duration, .error = call.error});
  }
  heap_.assign(this->place(call.object), {Tag::request, request, 0});
  return callback.place == kNone ? call.error : 0;
}

// The requests of streams.
int Engine::uv_request(const UvCall& call, const Callback& callback, const UvData& data) {
  using Kind = libuv::Request::Kind;
  std::uint32_t handle = 0;
  if (!uv_handle_of(call, call.other, call.other_label, handle)) return 0;
  const bool connects = call.function == Verb::uv_tcp_connect || call.function == Verb::uv_pipe_connect;
  const Kind kind = connects ? Kind::connect : call.function == Verb::uv_write ? Kind::write : Kind::shutdown;
  const std::uint32_t request = uv_->add_request(kind, call.label, callback);
  heap_.assign(this->place(call.object), {Tag::request, request, 0});
  switch (call.function) {
    case Verb::uv_tcp_connect: return uv_->streams().connect(handle, request, static_cast<std::uint16_t>(call.number));
    case Verb::uv_pipe_connect: uv_->streams().connect(handle, request, program_.strings[call.text]); return 0;
    case Verb::uv_write: return uv_->streams().write(handle, request, data.bytes);
    default: return uv_->streams().shutdown(handle, request);
  }
}

int Engine::uv_spawn(const UvCall& call, const Callback& callback) {
  const std::uint32_t handle = uv_->init(HandleKind::process, call.label);
  heap_.assign(this->place(call.object), {Tag::handle, handle, 0});
  const TimeNs duration = call.duration == kNone ? 0 : random_.draw(program_.durations[call.duration]);
  const Value code = call.code == kNone ? Value::of_number(0) : evaluate(call.code);
  const bool is_code = code.tag == Tag::number && code.number >= 0 && code.number < 256;
  const int number = is_code ? static_cast<int>(code.number) : 0;
  heap_.release(code);
  return uv_->children().spawn(handle, callback, duration, number, call.error);
}

int Engine::uv_poll_init(const UvCall& call) {
  const std::uint32_t socket = uv_socket(call.other);
  if (socket == kNone) return kUvEbadf;
  std::uint32_t handle = 0;
  if (const int error = uv_->init_poll(call.label, socket, handle); error != 0) return error;
  heap_.assign(this->place(call.object), {Tag::handle, handle, 0});
  return 0;
}

void Engine::uv_socketpair(const UvCall& call) {
  const std::uint32_t first = kFirstDescriptor + uv_->make_pair();
  heap_.assign(this->place(call.object), Value::of_number(first));
  heap_.assign(this->place(call.other), Value::of_number(first + 1));
}

// send(), recv(), shutdown().
int Engine::uv_descriptor_call(const UvCall& call, const UvData& data) {
  const std::uint32_t socket = uv_socket(call.object);
  if (socket == kNone) return -1;
  switch (call.function) {
    case Verb::send: return uv_->send(socket, data.bytes);
    case Verb::recv: return uv_->receive(socket);
    default: return uv_->shut_down(socket);
  }
}

// Of streams, descriptors, processes, files and names; and what makes a handle. An int, as all of these return.
int Engine::uv_other(const UvCall& call, const Callback& callback, std::uint32_t handle, const UvData& data) {
  switch (call.function) {
    case Verb::uv_tcp_bind: return uv_->streams().bind(handle, static_cast<std::uint16_t>(call.number));
    case Verb::uv_pipe_bind: return uv_->streams().bind(handle, program_.strings[call.text]);
    case Verb::uv_tcp_close_reset: return uv_->close_reset(handle, callback);
    case Verb::uv_listen: return uv_->streams().listen(handle, callback);
    case Verb::uv_accept: {
      std::uint32_t client = 0;
      return uv_handle_of(call, call.other, call.other_label, client) ? uv_->streams().accept(handle, client) : 0;
    }
    case Verb::uv_read_start: return uv_->streams().read_start(handle, callback);
    case Verb::uv_read_stop: return uv_->streams().read_stop(handle);
    case Verb::uv_try_write: return uv_->streams().try_write(handle, data.bytes);
    case Verb::uv_is_readable: return uv_->streams().is_readable(handle) ? 1 : 0;
    case Verb::uv_is_writable: return uv_->streams().is_writable(handle) ? 1 : 0;
    case Verb::uv_tcp_connect:
    case Verb::uv_pipe_connect:
    case Verb::uv_write:
    case Verb::uv_shutdown: return uv_request(call, callback, data);
    case Verb::socketpair: uv_socketpair(call); return 0;
    case Verb::send:
    case Verb::recv:
    case Verb::shutdown: return uv_descriptor_call(call, data);
    case Verb::uv_poll_init: return uv_poll_init(call);
    case Verb::uv_poll_start: return uv_->polls().start(handle, callback, call.number);
    case Verb::uv_poll_stop: return uv_->polls().stop(handle);
    case Verb::uv_spawn: return uv_spawn(call, callback);
    case Verb::uv_process_kill: return uv_->children().kill(handle, *find_signal(call.number));
    case Verb::uv_fs_access:
    case Verb::uv_fs_stat:
    case Verb::uv_fs_mkdir:
    case Verb::uv_fs_rmdir:
    case Verb::uv_fs_unlink:
    case Verb::uv_getaddrinfo: return uv_fs(call, callback);
    default:  // ..._init
      heap_.assign(this->place(call.object),
                   {Tag::handle, uv_->init(*handle_kind_of(call.function), call.label, callback), 0});
      return 0;
  }
}

Flow Engine::uv_step(const Instruction& instruction) {
  const UvCall& call = program_.uv_calls[instruction.c];
  const UvData data = uv_data(call);
  Callback callback;
  if (call.site != kNone) callback.place = call.site;
  std::uint32_t handle = 0;
  if (!uv_handle(call, handle)) return Flow::stop;

  if (tracer_.on() && call.function == Verb::uv_run) trace_uv_call(call, data, 0).detail = 1;
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
    case Verb::uv_timer_start: result = uv_->start_timer(handle, callback, data.timeout, data.repeat); break;
    case Verb::uv_timer_stop: result = uv_->stop_timer(handle); break;
    case Verb::uv_timer_again: result = uv_->timer_again(handle); break;
    case Verb::uv_timer_set_repeat: uv_->set_repeat(handle, data.repeat); break;
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
    default: result = uv_other(call, callback, handle, data); break;
  }
  if (ending_->stopping()) return Flow::stop;
  if (tracer_.on()) trace_uv_call(call, data, result);
  heap_.assign(accumulator_, Value::of_number(result));
  return Flow::normal;
}

Event& Engine::trace_uv_call(const UvCall& call, const UvData& data, double result) {
  Event& event = tracer_.add_text(EventKind::call, uv_call_text(call, data));
  event.a = static_cast<std::int64_t>(result);
  event.by = callbacks_->running();
  trace_position(event);
  return event;
}

}  // namespace loopsim::vm
