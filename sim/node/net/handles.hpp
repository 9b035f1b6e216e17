// The handles of servers and sockets: libuv watches, reads and writes for them, and calls back (uv_tcp_t, uv_pipe_t;
// libuv src/unix/stream.c; src/stream_base.cc, src/connection_wrap.cc).
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/node/context.hpp"

namespace loopsim::node {

class NetHandles : public Part {
 public:
  using Part::Part;

  // ---- queries and reports of the loop (uv::Host) -------------------------------------------------------------------
  [[nodiscard]] std::uint8_t watched_for(std::uint32_t net) const;  // IoEvents that it waits for
  [[nodiscard]] std::uint8_t state(std::uint32_t net) const;        // IoEvents that its descriptor has
  void on_io(std::uint32_t net, std::uint8_t events);
  void on_pending(std::uint32_t net);
  void on_close(std::uint32_t net);

  [[nodiscard]] std::uint32_t label_of(std::uint32_t net) const {  // for the trace; kNoName: it has none
    const std::uint32_t emitter = heap_.nets[net].emitter;
    return emitter == kNone ? kNoName : heap_.emitters[emitter].label;
  }

  // ---- operations for servers and sockets ---------------------------------------------------------------------------
  // Each pending event of a server or socket holds a reference to its emitter.
  void retain(std::uint32_t net) { heap_.retain(Value::object(Tag::emitter, heap_.nets[net].emitter)); }
  void release(std::uint32_t net) { heap_.release(Value::object(Tag::emitter, heap_.nets[net].emitter)); }
  void reference(std::uint32_t net, bool is_referenced);  // ref(), unref()
  void count(std::uint32_t net);                          // updates whether it keeps the loop alive
  void feed(std::uint32_t net);                           // uv__io_feed
  void close(std::uint32_t net);                          // uv_close: only its callback follows, in the closing phase
  void start_reading(std::uint32_t socket);
  void stop_reading(std::uint32_t socket);

 private:
  void stream_io(std::uint32_t socket, std::uint8_t events);
  void read(std::uint32_t socket, std::uint8_t events);
  void read_raw(std::uint32_t socket, std::uint8_t events);
  void write(std::uint32_t socket);
  void finish_late_write(std::uint32_t socket);
  void finish_shutdown(std::uint32_t socket, bool cancelled);
  void watch_less(std::uint32_t socket);
  void trace_arrival(std::uint32_t socket, std::string_view bytes);  // empty: the end
};

}  // namespace loopsim::node
