#include "sim/node/net/net_events.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
constexpr std::array<std::string_view, kNetEvents> kNames = {
    "listening", "connection", "connect", "ready", "data", "end", "finish", "drain", "close", "error", "_socketEnd"};
constexpr std::uint32_t kUnmentioned = 0x80000000U;  // events that the program never names
}  // namespace

std::uint32_t NetEvents::name_of(NetEvent event) {
  std::uint32_t& known = names_[static_cast<std::size_t>(event)];
  if (known != 0) return known - 1;
  std::uint32_t name = engine_.event_name(kNames[static_cast<std::size_t>(event)]);
  if (name == kNone) name = kUnmentioned + static_cast<std::uint32_t>(event);
  known = name + 1;
  return name;
}

// ---- listeners ----------------------------------------------------------------------------------------------------------------

void NetEvents::listen_natively(std::uint32_t net, NetEvent event, NativeListener native, bool once,
                                const Callback& callback, bool first) {
  Listener listener;
  listener.callback = callback;
  listener.native_id = ++native_listeners_;
  listener.once = once;
  listener.native = native;
  const std::uint32_t emitter = heap_.nets[net].emitter;
  env_.events.add(emitter, name_of(event), listener);
  if (!first) return;
  std::vector<Listener>& listeners = env_.events.find(emitter, name_of(event))->listeners;
  std::rotate(listeners.begin(), std::prev(listeners.end()), listeners.end());
}

void NetEvents::stop_listening_natively(std::uint32_t net, NetEvent event, NativeListener native) {
  EmitterObject::Event* found = env_.events.find(heap_.nets[net].emitter, name_of(event));
  if (found == nullptr) return;
  const auto listener = std::ranges::find(found->listeners, native, &Listener::native);
  if (listener == found->listeners.end()) return;
  const Callback callback = listener->callback;
  found->listeners.erase(listener);
  heap_.release(callback);
}

bool NetEvents::has_listener(std::uint32_t net, NetEvent event) {
  const EmitterObject::Event* found = env_.events.find(heap_.nets[net].emitter, name_of(event));
  return found != nullptr && !found->listeners.empty();
}

// Readable.prototype.on: a 'data' listener starts the flow.
void NetEvents::listener_added(std::uint32_t emitter, std::uint32_t name) {
  const std::uint32_t net = heap_.emitters[emitter].net;
  if (net == kNone || heap_.nets[net].is_server || name != name_of(NetEvent::data)) return;
  if (heap_.nets[net].in.flowing != Readable::Flowing::no) env_.readables.resume(net);
}

Flow NetEvents::run_native_listener(std::uint32_t net, const Listener& listener, std::span<const Value> arguments) {
  NetObject& object = heap_.nets[net];
  switch (listener.native) {
    case NativeListener::none: break;
    case NativeListener::read_when_connected: env_.sockets.read(net); break;
    case NativeListener::final_when_connected: return env_.sockets.final(net);
    case NativeListener::write_when_connected:
      stop_listening_natively(net, NetEvent::close, NativeListener::fail_write);
      return env_.sockets.write_out(net, std::exchange(object.waits_for_connection, {}));
    case NativeListener::fail_write: {
      const Value error = env_.writables.node_error("Socket closed before the connection was established",
                                                    "ERR_SOCKET_CLOSED_BEFORE_CONNECTION");
      const Flow flow = env_.writables.on_write(net, &error);
      heap_.release(error);
      return flow;
    }
    case NativeListener::end_own_side:
      if (!object.allow_half_open && !object.out.ended) queue_tick(Tick::Native::end_own_side, net);
      break;
    case NativeListener::on_end: return env_.sockets.on_readable_end(net);
    case NativeListener::end_was_read: object.readable = false; return env_.sockets.maybe_destroy(net);
    case NativeListener::on_socket_end: return env_.sockets.on_socket_end(net);
    case NativeListener::destroy: env_.sockets.destroy(net); break;
    case NativeListener::on_finish: return env_.sockets.final(net);
    case NativeListener::end_callback_finish:
      stop_listening_natively(net, NetEvent::finish, NativeListener::end_callback_finish);
      stop_listening_natively(net, NetEvent::error, NativeListener::end_callback_error);
      heap_.retain(listener.callback);
      return call_with(listener.callback, nullptr);
    case NativeListener::end_callback_error: {
      stop_listening_natively(net, NetEvent::finish, NativeListener::end_callback_finish);
      stop_listening_natively(net, NetEvent::error, NativeListener::end_callback_error);
      heap_.retain(listener.callback);
      const Flow flow = call_with(listener.callback, &arguments.front());
      if (flow != Flow::normal || has_listener(net, NetEvent::error)) return flow;
      return emit_error(net, arguments.front());
    }
    case NativeListener::not_running: {
      const Value error = env_.writables.node_error(profile_.not_running_text, "ERR_SERVER_NOT_RUNNING");
      Callback callback = listener.callback;  // of a listener, which no event has announced
      callback.id = env_.callbacks.next_id();
      heap_.retain(callback);
      const Flow flow = call_with(callback, &error);
      heap_.release(error);
      return flow;
    }
  }
  return Flow::normal;
}

// Calls the listeners, one after another. An 'error' without listeners is thrown.
Flow NetEvents::emit(std::uint32_t net, NetEvent event, std::span<const Value> arguments, TimeNs due) {
  const std::uint32_t emitter = heap_.nets[net].emitter;
  const std::uint32_t name = name_of(event);
  std::vector<Listener> listeners = env_.events.listeners_of(emitter, name);
  if (listeners.empty())
    return event == NetEvent::error ? engine_.throw_value(heap_.copy(arguments.front())) : Flow::normal;
  env_.net_handles.retain(net);
  Flow flow = Flow::normal;
  for (const Listener& listener : listeners) {
    if (flow == Flow::normal) {
      env_.events.take_off_once(emitter, name, listener);
      if (listener.native != NativeListener::none) {
        flow = run_native_listener(net, listener, arguments);
      } else if (listener.callback.place != kNone) {
        Callback callback = listener.callback;
        callback.id = env_.callbacks.next_id();
        flow = env_.callbacks.run(callback, arguments, due, nullptr, kNames[static_cast<std::size_t>(event)]);
      }
    }
    heap_.release(listener.callback);
  }
  env_.net_handles.release(net);
  return flow;
}

Flow NetEvents::emit_error(std::uint32_t net, const Value& error) {
  return emit(net, NetEvent::error, std::span(&error, 1));
}

void NetEvents::end_callback(Flow flow) {
  if (flow == Flow::threw) {
    env_.exit.handle_uncaught(false);
  } else if (flow == Flow::normal) {
    env_.task_queue.close_scope();
  }
}

// ---- callbacks of write(), end(), close() -----------------------------------------------------------------------------------------

Flow NetEvents::call_with(const Callback& callback, const Value* error) {
  if (callback.place == kNone) return Flow::normal;
  const Value none = Value::null();
  const Value* given = error != nullptr ? error : profile_.callbacks_get_null ? &none : nullptr;
  const Flow flow = env_.callbacks.run(callback, given == nullptr ? std::span<const Value>() : std::span(given, 1));
  heap_.release(callback);
  return flow;
}

void NetEvents::call_on_tick(std::uint32_t net, const Callback& callback, const Value* error) {
  if (callback.place == kNone) return;
  queue_tick(Tick::Native::call_with, net, callback,
             error != nullptr              ? *error
             : profile_.callbacks_get_null ? Value::null()
                                           : Value{});
}

// ---- ticks ----------------------------------------------------------------------------------------------------------------------

void NetEvents::queue_tick(Tick::Native native, std::uint32_t net, const Callback& callback, const Value& value) {
  if (env_.exit.is_exiting()) {  // process._exiting: it would never run
    heap_.release(callback);
    return;
  }
  env_.net_handles.retain(net);
  Tick tick;
  tick.callback = callback;
  tick.native = native;
  tick.index = net;
  tick.value = heap_.copy(value);
  env_.task_queue.queue_native(std::move(tick), true);
}

Flow NetEvents::run_tick(const Tick& tick) {
  const std::uint32_t index = tick.index;
  NetObject& net = heap_.nets[index];
  Flow flow = Flow::normal;
  switch (tick.native) {
    case Tick::Native::listening:
      if (net.has_handle) flow = emit(index, NetEvent::listening);
      break;
    case Tick::Native::server_closed: flow = emit(index, NetEvent::close); break;
    case Tick::Native::connect: env_.sockets.start_connecting(index); break;
    case Tick::Native::net_error: flow = emit_error(index, tick.value); break;
    case Tick::Native::net_error_once:
    case Tick::Native::error_close:
      if (!net.error_emitted) {
        net.error_emitted = true;
        flow = emit_error(index, tick.value);
      }
      if (flow == Flow::normal && tick.native == Tick::Native::error_close) net.close_emitted = true;
      break;
    case Tick::Native::close_told: net.close_emitted = true; break;
    case Tick::Native::call_with: {
      const bool has_argument = tick.value.tag != Tag::undefined;
      flow = env_.callbacks.run(tick.callback, has_argument ? std::span(&tick.value, 1) : std::span<const Value>());
      heap_.release(tick.callback);
      break;
    }
    default: flow = run_stream_tick(tick); break;
  }
  heap_.release(tick.value);
  env_.net_handles.release(index);
  return stopping() ? Flow::stop : flow;
}

Flow NetEvents::run_stream_tick(const Tick& tick) {
  const std::uint32_t index = tick.index;
  Writable& out = heap_.nets[index].out;
  const auto take_finished = [&out] {
    FinishedWrite write = std::move(out.after.front());
    out.after.erase(out.after.begin());
    return write;
  };
  switch (tick.native) {
    case Tick::Native::emit_readable: return env_.readables.emit_readable_now(index);
    case Tick::Native::read_more: return env_.readables.run_read_more(index);
    case Tick::Native::resume: return env_.readables.run_resume(index);
    case Tick::Native::end_readable: return env_.readables.run_end(index);
    case Tick::Native::end_writable:
      return env_.sockets.is_writable(heap_.nets[index]) ? env_.sockets.end(index, false, {}, {}) : Flow::normal;
    case Tick::Native::end_own_side: return env_.sockets.end(index, false, {}, {});
    case Tick::Native::after_write:
      out.tick_shared = out.tick_pending = false;
      return env_.writables.after_write(index, take_finished());
    case Tick::Native::write_error: {
      const FinishedWrite write = take_finished();
      return env_.writables.write_failed(index, write.callbacks, write.several, tick.value);
    }
    case Tick::Native::write_callbacks: {
      const FinishedWrite write = take_finished();
      return env_.writables.call_write_callbacks(index, write.callbacks, write.several, &tick.value);
    }
    case Tick::Native::final_call: return env_.sockets.final(index);
    case Tick::Native::finish: return env_.writables.finish(index);
    case Tick::Native::finish_if_done:
      if (env_.writables.needs_finish(heap_.nets[index])) return env_.writables.finish(index);
      --out.pending_callbacks;
      return Flow::normal;
    case Tick::Native::finish_maybe: return env_.writables.finish_maybe(index, false);
    case Tick::Native::error_buffer: return env_.writables.error_buffer(index);
    default: return Flow::normal;
  }
}

}  // namespace loopsim::node
