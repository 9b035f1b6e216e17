// The events of servers and sockets: the program's and Node's own listeners, and Node's entries in the tick queue.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sim/node/context.hpp"
#include "sim/node/task_queue.hpp"

namespace loopsim::node {

class NetEvents : public Part {
 public:
  using Part::Part;

  // ---- listeners ----------------------------------------------------------------------------------------------------------------
  // Takes over the references of the callback. `first`: before the existing ones.
  void listen_natively(std::uint32_t net, NetEvent event, NativeListener native, bool once = true,
                       const Callback& callback = {}, bool first = false);
  void stop_listening_natively(std::uint32_t net, NetEvent event, NativeListener native);
  [[nodiscard]] bool has_listener(std::uint32_t net, NetEvent event);
  // Readable.prototype.on: a 'data' listener starts the flow.
  void listener_added(std::uint32_t emitter, std::uint32_t name);

  // ---- emitting -----------------------------------------------------------------------------------------------------------------
  // Calls the listeners, one after another. An 'error' without listeners is thrown. `due`: time of the reported event.
  Flow emit(std::uint32_t net, NetEvent event, std::span<const Value> arguments = {}, TimeNs due = -1);
  Flow emit_error(std::uint32_t net, const Value& error);
  void end_callback(Flow flow);  // MakeCallback: handles an exception, or drains the queues

  // ---- callbacks of write(), end(), close(); both take over the callback's references -----------------------------------------------
  Flow call_with(const Callback& callback, const Value* error);
  void call_on_tick(std::uint32_t net, const Callback& callback, const Value* error);

  // ---- ticks ----------------------------------------------------------------------------------------------------------------------
  // Takes over the callback's references. Nothing is queued while the process exits.
  void queue_tick(Tick::Native native, std::uint32_t net, const Callback& callback = {}, const Value& value = {});
  Flow run_tick(const Tick& tick);

 private:
  [[nodiscard]] std::uint32_t name_of(NetEvent event);
  Flow run_native_listener(std::uint32_t net, const Listener& listener, std::span<const Value> arguments);
  Flow run_stream_tick(const Tick& tick);

  std::array<std::uint32_t, kNetEvents> names_{};
  std::uint64_t native_listeners_ = 0;
};

}  // namespace loopsim::node
