// Servers, sockets and child processes, as Node has them (sim/node/net, sim/node/children): a program's object is the
// emitter of one.
#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"

namespace loopsim::quickjs {

namespace {

Js at(std::span<const Js> arguments, std::size_t i) { return i < arguments.size() ? arguments[i] : kUndefined; }

}  // namespace

// netListen(port, allowHalfOpen)
Owned Engine::net_listen(Js /*this_value*/, std::span<const Js> arguments) {
  const auto port = static_cast<std::uint32_t>(js_->to_number(at(arguments, 0)));
  const std::uint32_t label = label_of_object();
  return js_->dup(object_of(node_->servers.listen(port, label, at(arguments, 1) == kTrue)));
}

// netConnect(port or path, allowHalfOpen)
Owned Engine::net_connect(Js /*this_value*/, std::span<const Js> arguments) {
  const bool half_open = at(arguments, 1) == kTrue;
  const std::uint32_t label = label_of_object();
  if (is_string(at(arguments, 0)))
    return js_->dup(object_of(node_->sockets.connect_to_path(js_->to_text(arguments[0]), label, half_open)));
  const auto port = static_cast<std::uint32_t>(js_->to_number(at(arguments, 0)));
  return js_->dup(object_of(node_->sockets.connect(port, label, half_open)));
}

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
  node_->net_events.listener_added(emitter, name);
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
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(number_of(length)); ++i) {
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

// netOperation(object, which, data, callback); which: the first letter of write, end, destroy, pause, resume, close.
Owned Engine::net_operation(Js /*this_value*/, std::span<const Js> arguments) {
  const std::uint32_t emitter = emitter_of(at(arguments, 0));
  if (emitter == kNone) return js_->throw_error("TypeError", "Illegal invocation");
  const std::uint32_t net = heap_.emitters[emitter].net;
  const auto operation = static_cast<char>(number_of(at(arguments, 1)));
  const Js data = at(arguments, 2);
  Callback callback;
  if (js_->is_function(at(arguments, 3))) {
    callback = node_->callbacks.make(callable(operation == 'c'   ? Api::close
                                              : operation == 'e' ? Api::end
                                                                 : Api::write,
                                              arguments[3]));
    if (operation != 'c') node_->callbacks.announce(callback, ScheduleKind::first, -1, -1);
  }
  node::WriteRequest request;
  const bool has_data = data != kUndefined;
  if (operation == 'w' || operation == 'e') {
    if (has_data) request.bytes = js_->to_text(data);
  }
  switch (operation) {
    case 'c': node_->servers.close(net, callback); return unwind(Flow::normal);
    case 'p': node_->readables.pause(net); return unwind(Flow::normal);
    case 'r': node_->readables.resume(net); return unwind(Flow::normal);
    case 'd': {
      const Value error = to_node(data);
      node_->sockets.destroy(net, js_->to_boolean(data) ? &error : nullptr);
      heap_.release(error);
      return unwind(Flow::normal);
    }
    case 'e': return unwind(node_->sockets.end(net, has_data, std::move(request), callback));
    default: request.callback = callback; return unwind(node_->sockets.write(net, std::move(request)));
  }
}

// spawn(command, nanoseconds, exit code): nanoseconds < 0: there is no such command.
Owned Engine::spawn(Js /*this_value*/, std::span<const Js> arguments) {
  const std::string_view command = name_of_event(event_name(js_->to_text(at(arguments, 0))));
  const auto duration = static_cast<TimeNs>(js_->to_number(at(arguments, 1)));
  const std::uint32_t label = label_of_object();
  if (duration < 0) return js_->dup(object_of(node_->children.spawn_missing(command, label)));
  const int code = static_cast<int>(js_->to_number(at(arguments, 2)));
  return js_->dup(object_of(node_->children.spawn(command, label, duration, code)));
}

// kill(object, signal): of a child, or of the process itself.
Owned Engine::kill(Js /*this_value*/, std::span<const Js> arguments) {
  const std::uint32_t emitter = emitter_of(at(arguments, 0));
  const SignalInfo* const signal = is_string(at(arguments, 1))
                                       ? find_signal(js_->to_text(arguments[1]))
                                       : find_signal(static_cast<int>(js_->to_number(at(arguments, 1))));
  if (emitter == kNone || signal == nullptr)
    return js_->throw_error("TypeError", "Unknown signal: " + js_->to_text(at(arguments, 1)));
  if (emitter != node_->events.process_emitter())
    return Instance::make_boolean(node_->children.kill(heap_.emitters[emitter].child, *signal));
  node_->signals.receive(*signal, node_->machine().now());
  if (node_->exit.is_over()) return js_->throw_stop();
  return kTrue;
}

// reference(object, whether it keeps the loop alive)
Owned Engine::reference(Js /*this_value*/, std::span<const Js> arguments) {
  const std::uint32_t emitter = emitter_of(at(arguments, 0));
  if (emitter == kNone) return js_->throw_error("TypeError", "Illegal invocation");
  const bool is_referenced = at(arguments, 1) == kTrue;
  const node::EmitterObject& object = heap_.emitters[emitter];
  if (object.child != kNone) node_->children.reference(object.child, is_referenced);
  if (object.net != kNone) node_->net_handles.reference(object.net, is_referenced);
  return unwind(Flow::normal);
}

Owned Engine::signal_listener_removed(Js /*this_value*/, std::span<const Js> arguments) {
  node_->signals.listener_removed(node_->events.process_emitter(), event_name(js_->to_text(at(arguments, 0))));
  return kUndefined;
}

std::uint32_t Engine::label_of_object() {
  if (!tracer_.on()) return kNoName;
  const std::string_view variable = variable_at(caller());
  return variable.empty() ? kNoName : names_.of(variable);
}

}  // namespace loopsim::quickjs
