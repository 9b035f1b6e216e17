// Handles of servers and sockets (sim/node/net/raw_handles), and child processes (sim/node/children), whose object in the
// program is Node's own emitter.
#include <algorithm>
#include <optional>
#include <utility>

#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"

namespace loopsim::quickjs {

namespace {
constexpr double kMostOfAChild = 1e18;  // ns, which with the time of now is still one
constexpr int kMostOfACode = 255;
}  // namespace

// ---- handles of node/net.js (RawHandles) ------------------------------------------------------------------------------

// watchHandles(report): what handle_report() calls, as report(handle, kind, an ArrayBuffer, an error's code or the other handle).
Owned Engine::watch_handles(Js /*this_value*/, Given arguments) {
  js_->free(std::exchange(report_handle_, js_->dup(arguments[0])));
  return kUndefined;
}

// variable(): the name of the variable that the program's call goes to.
Owned Engine::variable(Js /*this_value*/, Given /*arguments*/) {
  if (!tracer_.on()) return kUndefined;
  const std::string_view name = where_.variable_at(where_.caller());
  return name.empty() ? kUndefined : js_->make_string(name);
}

// netMake(is_server, label): a handle.
Owned Engine::net_make(Js /*this_value*/, Given arguments) {
  const Js label = arguments[1];
  const std::uint32_t net =
      node_->raw_handles.make(arguments[0] == kTrue, is_string(label) ? names_.of(js_->to_text(label)) : kNoName);
  return js_->dup(begin_socket(net, false));
}

Js Engine::begin_socket(std::uint32_t net, bool is_used) {
  handle_gone(net);
  if (net >= sockets_.size()) sockets_.resize(net + 1, kNone);
  sockets_[net] = begin_crossing(kSocket, net);
  crossings_[sockets_[net]].is_used = is_used;
  return crossings_[sockets_[net]].object;
}

// What a call of the handle may be for: a server, or a socket, whose close has not begun.
node::NetObject* Engine::open_socket(const Crossing* handle, bool is_server) {
  if (handle == nullptr) return nullptr;
  node::NetObject& net = heap_.nets[handle->index];
  return net.is_raw && net.has_handle && net.is_server == is_server ? &net : nullptr;
}

// netListen(handle, port, path): undefined, or an error's code.
Owned Engine::net_listen(Js /*this_value*/, Given arguments) {
  Crossing* const handle = crossing_of(arguments[0], kSocket);
  if (handle == nullptr) return refuse();
  if (open_socket(handle, true) == nullptr || handle->is_used) return js_->make_string("EINVAL");
  const auto port = whole<std::uint16_t>(js_->number_given(arguments[1]));
  std::string path = is_string(arguments[2]) ? js_->to_text(arguments[2]) : std::string();
  const std::string_view error = node_->raw_handles.listen(handle->index, port, std::move(path));
  handle->is_used = error.empty();
  return error.empty() ? kUndefined : js_->make_string(error);
}

// netConnect(handle, port or path, the socket's own port, 0: one that is free): undefined, or an error's code.
Owned Engine::net_connect(Js /*this_value*/, Given arguments) {
  Crossing* const handle = crossing_of(arguments[0], kSocket);
  if (handle == nullptr) return refuse();
  if (open_socket(handle, false) == nullptr || handle->is_used) return js_->make_string("EINVAL");
  if (is_string(arguments[1])) {
    handle->is_used = true;
    node_->raw_handles.connect(handle->index, js_->to_text(arguments[1]));
    return unwind(Flow::normal);
  }
  const auto port = whole<std::uint16_t>(js_->number_given(arguments[1]));
  const auto local_port = whole<std::uint16_t>(js_->number_given(arguments[2]));
  const std::string_view error = node_->raw_handles.connect(handle->index, port, local_port);
  handle->is_used = error.empty();
  return error.empty() ? unwind(Flow::normal) : js_->make_string(error);
}

// netWrite(handle, Uint8Array, whether of several chunks): undefined; true: a report follows; or an error's code.
Owned Engine::net_write(Js /*this_value*/, Given arguments) {
  const Crossing* const handle = crossing_of(arguments[0], kSocket);
  if (handle == nullptr) return refuse();
  const node::NetObject* const net = open_socket(handle, false);
  if (net == nullptr || !handle->is_used) return js_->make_string("EBADF");
  // The library waits for the report of a write before the next one.
  if (!net->unsent.empty() || net->late_write == node::NetObject::LateWrite::failed) return js_->make_string("EBUSY");
  const auto written = node_->raw_handles.write(handle->index, js_->bytes_of(arguments[1]), arguments[2] == kTrue);
  if (!written.error.empty()) return js_->make_string(written.error);
  return written.is_late ? kTrue : unwind(Flow::normal);
}

// netMethod(handle, which): the first letters of shutdown, read, pause, close, x (close with reset), ref, unref; local and
// qualify: the ports at both ends; number: what tells it from others. Of a close: whether it is reported.
Owned Engine::net_method(Js /*this_value*/, Given arguments) {
  Crossing* const handle = crossing_of(arguments[0], kSocket);
  if (handle == nullptr) return refuse();
  const std::uint32_t index = handle->index;
  const bool is_open = heap_.nets[index].has_handle;
  const bool is_connected = open_socket(handle, false) != nullptr && handle->is_used;
  node::RawHandles& handles = node_->raw_handles;
  switch (letter(arguments[1])) {
    case 's':
      if (is_connected && !std::exchange(handle->is_shut, true)) handles.shut_down(index);
      break;
    case 'r':
      if (is_connected) handles.start_reading(index);
      break;
    case 'p':
      if (is_connected) handles.stop_reading(index);
      break;
    case 'c':
    case 'x':
      if (is_open) handles.close(index, letter(arguments[1]) == 'x', arguments[2] == kTrue);
      break;
    case 'f': node_->net_handles.reference(index, true); break;
    case 'u': node_->net_handles.reference(index, false); break;
    case 'l': return js_->make_number(handles.local_port(index));
    case 'n': return js_->make_number(index);
    default: return js_->make_number(handles.remote_port(index));
  }
  return unwind(Flow::normal);
}

Flow Engine::handle_report(std::uint32_t handle, const node::HandleReport& report) {
  using Kind = node::HandleReport::Kind;
  const Js object = js_->dup(socket_object(handle));  // the report may end it
  if (object == kUndefined) return Flow::normal;
  const Js text = report.kind == Kind::connection ? js_->dup(begin_socket(report.other, true))
                  : report.kind == Kind::data     ? js_->make_buffer(report.text)
                  : report.text.empty()           ? kUndefined
                                                  : js_->make_string(report.text);
  const Js arguments[] = {object, js_->make_number(static_cast<double>(report.kind)), text};
  reported_at_ = report.since;
  const InContext in_context(*this, async_context_);
  const Js result = js_->call(report_handle_, kUndefined, arguments);
  reported_at_ = -1;
  js_->free(text);
  js_->free(object);
  if (result == kException) return threw();
  js_->free(result);
  return node_->callbacks.stopping() ? Flow::stop : Flow::normal;
}

// ---- child processes (Children) ------------------------------------------------------------------------------------------

// netPipe(): a handle, one end of a pipe whose other one a child gets.
Owned Engine::net_pipe(Js /*this_value*/, Given /*arguments*/) {
  return js_->dup(begin_socket(node_->raw_handles.make_pipe(kNoName), true));
}

// watchChildren(report): what child_report() calls, as report(child, code, signal).
Owned Engine::watch_children(Js /*this_value*/, Given arguments) {
  js_->free(std::exchange(report_child_, js_->dup(arguments[0])));
  return kUndefined;
}

// childStart(nanoseconds, exit code, signal, stdin, stdout, what it prints there, stderr, what it prints there): a handle. The pipes
// are handles that no other child has got, or undefined; nanoseconds < 0: there is no such command.
Owned Engine::child_start(Js /*this_value*/, Given arguments) {
  const auto pipe_of = [&](std::size_t i) {
    const Crossing* const handle = crossing_of(arguments[i], kSocket);
    return handle == nullptr ? kNone : handle->index;
  };
  node::Children::RawChild child;
  child.duration = whole<TimeNs>(std::min(js_->number_given(arguments[0]), kMostOfAChild));
  child.code = whole<int>(js_->number_given(arguments[1])) & kMostOfACode;
  const SignalInfo* const signal = find_signal(whole<int>(js_->number_given(arguments[2])));
  child.signal = signal == nullptr ? 0 : signal->number;
  child.pipes[0].handle = pipe_of(3);
  child.pipes[1] = {pipe_of(4), js_->text_given(arguments[5])};
  child.pipes[2] = {pipe_of(6), js_->text_given(arguments[7])};
  const std::uint32_t index = node_->children.start(std::move(child));
  if (index >= children_.size()) children_.resize(index + 1, kNone);
  children_[index] = begin_crossing(kChild, index);
  return js_->dup(crossings_[children_[index]].object);
}

// childMethod(handle, which, signal): the first letters of kill, close, ref, unref. Of a kill: whether it was there.
Owned Engine::child_method(Js /*this_value*/, Given arguments) {
  const std::uint32_t child = checked(arguments[0], kChild);
  if (child == kNone) return refuse();
  node::Children& children = node_->children;
  switch (letter(arguments[1])) {
    case 'r': children.reference(child, true); break;
    case 'u': children.reference(child, false); break;
    case 'c':
      children.close(child);
      end_crossing(std::exchange(children_[child], kNone));
      break;
    default: {
      const SignalInfo* const signal = find_signal(whole<int>(js_->number_given(arguments[2])));
      return Instance::make_boolean(signal == nullptr ? children.is_running(child) : children.kill(child, *signal));
    }
  }
  return kUndefined;
}

Flow Engine::child_report(std::uint32_t child, int code, int signal, TimeNs since) {
  if (children_[child] == kNone) return Flow::normal;               // the program has closed it
  const Js object = js_->dup(crossings_[children_[child]].object);  // the report ends it
  const Js arguments[] = {object, js_->make_number(code), js_->make_number(signal)};
  reported_at_ = since;
  const InContext in_context(*this, async_context_);
  const Js result = js_->call(report_child_, kUndefined, arguments);
  reported_at_ = -1;
  js_->free(object);
  if (result == kException) return threw();
  js_->free(result);
  return node_->callbacks.stopping() ? Flow::stop : Flow::normal;
}

// kill(process, signal, is_abort): the process itself, by a signal's name or number; what aborts it does not ask its listeners.
Owned Engine::kill(Js /*this_value*/, Given arguments) {
  const SignalInfo* const signal = is_string(arguments[1]) ? find_signal(js_->to_text(arguments[1]))
                                                           : find_signal(whole<int>(js_->number_given(arguments[1])));
  if (signal == nullptr) return js_->throw_error("TypeError", "Unknown signal: " + js_->text_given(arguments[1]));
  if (arguments[2] == kTrue)
    node_->signals.end_by(*signal);
  else
    node_->signals.receive(*signal, node_->machine().now());
  if (node_->ending.is_over()) return js_->throw_stop();
  return kTrue;
}

Owned Engine::signal_listener_removed(Js /*this_value*/, Given arguments) {
  node_->signals.listener_removed(node_->events.process_emitter(), event_name(js_->text_given(arguments[0])));
  return kUndefined;
}

std::uint32_t Engine::label_of_object() {
  if (!tracer_.on()) return kNoName;
  const std::string_view variable = where_.variable_at(where_.caller());
  return variable.empty() ? kNoName : names_.of(variable);
}

}  // namespace loopsim::quickjs
