// Handles of servers and sockets (sim/node/net/raw_handles), and child processes (sim/node/children), whose object in the
// program is Node's own emitter.
#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"

namespace loopsim::quickjs {

// ---- handles of node/net.js (RawHandles) ------------------------------------------------------------------------------

// watchHandles(report): what handle_report() calls, as report(handle, kind, an ArrayBuffer, an error's code or the other handle).
Owned Engine::watch_handles(Js /*this_value*/, std::span<const Js> arguments) {
  report_handle_ = js_->dup(arguments[0]);
  return kUndefined;
}

// variable(): the name of the variable that the program's call goes to.
Owned Engine::variable(Js /*this_value*/, std::span<const Js> /*arguments*/) {
  if (!tracer_.on()) return kUndefined;
  const std::string_view name = where_.variable_at(where_.caller());
  return name.empty() ? kUndefined : js_->make_string(name);
}

// netMake(is_server, label)
Owned Engine::net_make(Js /*this_value*/, std::span<const Js> arguments) {
  const Js label = at(arguments, 1);
  return js_->make_number(
      node_->raw_handles.make(at(arguments, 0) == kTrue, is_string(label) ? names_.of(js_->to_text(label)) : kNoName));
}

// netListen(handle, port, path): undefined, or an error's code.
Owned Engine::net_listen(Js /*this_value*/, std::span<const Js> arguments) {
  const auto port = whole<std::uint16_t>(js_->to_number(at(arguments, 1)));
  std::string path = is_string(at(arguments, 2)) ? js_->to_text(arguments[2]) : std::string();
  const std::string_view error = node_->raw_handles.listen(handle_of(arguments), port, std::move(path));
  return error.empty() ? kUndefined : js_->make_string(error);
}

// netConnect(handle, port or path, the socket's own port, 0: one that is free): undefined, or an error's code.
Owned Engine::net_connect(Js /*this_value*/, std::span<const Js> arguments) {
  if (is_string(at(arguments, 1))) {
    node_->raw_handles.connect(handle_of(arguments), js_->to_text(arguments[1]));
    return unwind(Flow::normal);
  }
  const auto port = whole<std::uint16_t>(js_->to_number(at(arguments, 1)));
  const auto local_port = whole<std::uint16_t>(number_of(at(arguments, 2)));
  const std::string_view error = node_->raw_handles.connect(handle_of(arguments), port, local_port);
  return error.empty() ? unwind(Flow::normal) : js_->make_string(error);
}

// netWrite(handle, Uint8Array, whether of several chunks): undefined; true: a report follows; or an error's code.
Owned Engine::net_write(Js /*this_value*/, std::span<const Js> arguments) {
  const auto written =
      node_->raw_handles.write(handle_of(arguments), js_->bytes_of(at(arguments, 1)), at(arguments, 2) == kTrue);
  if (!written.error.empty()) return js_->make_string(written.error);
  return written.is_late ? kTrue : unwind(Flow::normal);
}

// netMethod(handle, which): the first letters of shutdown, read, pause, close, x (close with reset), ref, unref; local and
// qualify: the ports at both ends. Of a close: whether it is reported.
Owned Engine::net_method(Js /*this_value*/, std::span<const Js> arguments) {
  const std::uint32_t handle = handle_of(arguments);
  node::RawHandles& handles = node_->raw_handles;
  switch (whole<char>(number_of(at(arguments, 1)))) {
    case 's': handles.shut_down(handle); break;
    case 'r': handles.start_reading(handle); break;
    case 'p': handles.stop_reading(handle); break;
    case 'c': handles.close(handle, false, at(arguments, 2) == kTrue); break;
    case 'x': handles.close(handle, true, at(arguments, 2) == kTrue); break;
    case 'f': node_->net_handles.reference(handle, true); break;
    case 'u': node_->net_handles.reference(handle, false); break;
    case 'l': return js_->make_number(handles.local_port(handle));
    default: return js_->make_number(handles.remote_port(handle));
  }
  return unwind(Flow::normal);
}

std::uint32_t Engine::handle_of(std::span<const Js> arguments) {
  return whole<std::uint32_t>(number_of(at(arguments, 0)));
}

Flow Engine::handle_report(std::uint32_t handle, const node::HandleReport& report) {
  using Kind = node::HandleReport::Kind;
  const Js text = report.kind == Kind::connection ? js_->make_number(report.other)
                  : report.kind == Kind::data     ? js_->make_buffer(report.text)
                  : report.text.empty()           ? kUndefined
                                                  : js_->make_string(report.text);
  const Js arguments[] = {js_->make_number(handle), js_->make_number(static_cast<double>(report.kind)), text};
  reported_at_ = report.since;
  const InContext in_context(*this, async_context_);
  const Js result = js_->call(report_handle_, kUndefined, arguments);
  reported_at_ = -1;
  js_->free(text);
  if (result == kException) return threw();
  js_->free(result);
  return node_->callbacks.stopping() ? Flow::stop : Flow::normal;
}

// ---- emitters of Node's own: child processes ----------------------------------------------------------------------------

// netOn(object, event, listener, once)
Owned Engine::net_on(Js /*this_value*/, std::span<const Js> arguments) {
  const std::uint32_t emitter = emitter_of(at(arguments, 0));
  if (emitter == kNone) return js_->throw_error("TypeError", "Illegal invocation");
  const std::uint32_t name = event_name(js_->to_text(at(arguments, 1)));
  node::Listener listener;
  listener.callback = node_->callbacks.make(callable(Api::on, at(arguments, 2)));
  listener.callback.id = node_->callbacks.next_id();
  listener.function = pointer_of(at(arguments, 2));
  listener.once = at(arguments, 3) == kTrue;
  node_->events.add(emitter, name, listener);
  return unwind(Flow::normal);
}

// netOff(object, event, listener)
Owned Engine::net_off(Js /*this_value*/, std::span<const Js> arguments) {
  const std::uint32_t emitter = emitter_of(at(arguments, 0));
  if (emitter == kNone) return js_->throw_error("TypeError", "Illegal invocation");
  node_->events.remove(emitter, event_name(js_->to_text(at(arguments, 1))), pointer_of(at(arguments, 2)));
  return kUndefined;
}

// netEmit(object, event, arguments): whether there were listeners.
Owned Engine::net_emit(Js /*this_value*/, std::span<const Js> arguments) {
  const std::uint32_t emitter = emitter_of(at(arguments, 0));
  if (emitter == kNone) return js_->throw_error("TypeError", "Illegal invocation");
  const Js list = at(arguments, 2);
  const Js length = js_->get(list, "length");
  std::vector<Value> values;
  for (std::uint32_t i = 0; i < whole<std::uint32_t>(number_of(length)); ++i) {
    const Js item = js_->item(list, i);
    values.push_back(to_node(item));
    js_->free(item);
  }
  bool had_listeners = false;
  const std::string event = js_->to_text(at(arguments, 1));
  const Flow flow = node_->events.emit(emitter, event, values, -1, &had_listeners);
  for (const Value& value : values) heap_.release(value);
  return flow == Flow::normal ? Instance::make_boolean(had_listeners) : unwind(flow);
}

// spawn(command, nanoseconds, exit code): nanoseconds < 0: there is no such command.
Owned Engine::spawn(Js /*this_value*/, std::span<const Js> arguments) {
  const std::string_view command = name_of_event(event_name(js_->to_text(at(arguments, 0))));
  const auto duration = static_cast<TimeNs>(js_->to_number(at(arguments, 1)));
  const std::uint32_t label = label_of_object();
  if (duration < 0) return js_->dup(object_of(node_->children.spawn_missing(command, label)));
  const int code = whole<int>(js_->to_number(at(arguments, 2)));
  return js_->dup(object_of(node_->children.spawn(command, label, duration, code)));
}

// kill(object, signal): of a child, or of the process itself.
Owned Engine::kill(Js /*this_value*/, std::span<const Js> arguments) {
  const std::uint32_t emitter = emitter_of(at(arguments, 0));
  const SignalInfo* const signal = is_string(at(arguments, 1))
                                       ? find_signal(js_->to_text(arguments[1]))
                                       : find_signal(whole<int>(js_->to_number(at(arguments, 1))));
  if (emitter == kNone || signal == nullptr)
    return js_->throw_error("TypeError", "Unknown signal: " + js_->to_text(at(arguments, 1)));
  if (emitter != node_->events.process_emitter())
    return Instance::make_boolean(node_->children.kill(heap_.emitters[emitter].child, *signal));
  node_->signals.receive(*signal, node_->machine().now());
  if (node_->ending.is_over()) return js_->throw_stop();
  return kTrue;
}

// reference(object, whether it keeps the loop alive)
Owned Engine::reference(Js /*this_value*/, std::span<const Js> arguments) {
  const std::uint32_t emitter = emitter_of(at(arguments, 0));
  if (emitter == kNone) return js_->throw_error("TypeError", "Illegal invocation");
  const bool is_referenced = at(arguments, 1) == kTrue;
  const node::EmitterObject& object = heap_.emitters[emitter];
  if (object.child != kNone) node_->children.reference(object.child, is_referenced);
  return unwind(Flow::normal);
}

Owned Engine::signal_listener_removed(Js /*this_value*/, std::span<const Js> arguments) {
  node_->signals.listener_removed(node_->events.process_emitter(), event_name(js_->to_text(at(arguments, 0))));
  return kUndefined;
}

std::uint32_t Engine::label_of_object() {
  if (!tracer_.on()) return kNoName;
  const std::string_view variable = where_.variable_at(where_.caller());
  return variable.empty() ? kNoName : names_.of(variable);
}

}  // namespace loopsim::quickjs
