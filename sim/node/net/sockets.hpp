// net.Socket, between the streams and the handle (lib/net.js, lib/internal/stream_base_commons.js).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/node/context.hpp"

namespace loopsim::node {

class Sockets : public Part {
 public:
  using Part::Part;

  // ---- operations of a program --------------------------------------------------------------------------------------
  // net.connect(port, '127.0.0.1') and net.connect(path): its emitter; the caller owns a reference.
  std::uint32_t connect(std::uint32_t port, std::uint32_t label, bool allow_half_open);
  std::uint32_t connect_to_path(std::string path, std::uint32_t label, bool allow_half_open);
  // Both take over the references of the callbacks.
  Flow write(std::uint32_t socket, WriteRequest request);
  Flow end(std::uint32_t socket, bool has_data, WriteRequest data, const Callback& callback);
  void destroy(std::uint32_t socket, const Value* error = nullptr);  // destroy(error)
  [[nodiscard]] std::uint32_t net_of(const Value& value) const {
    return value.tag == Tag::emitter ? heap_.emitters[value.index].net : kNone;
  }

  // ---- life cycle ---------------------------------------------------------------------------------------------------
  // A server or a socket: its emitter; the caller owns a reference.
  std::uint32_t make(bool is_server, std::uint32_t port, std::uint32_t label);
  void begin(std::uint32_t socket);             // the constructor of net.Socket
  void start_connecting(std::uint32_t socket);  // uv_tcp_connect
  void connected(std::uint32_t socket);         // afterConnect
  Flow maybe_destroy(std::uint32_t socket);
  Flow destroy_with_write(std::uint32_t socket, const Value& error);  // <= 14: destroy(error, callback of the write)
  void destroy_and_release(std::uint32_t socket, const Value& error);
  void keep_error(NetObject& net, const Value& error);
  [[nodiscard]] bool is_readable(const NetObject& net) const;
  [[nodiscard]] bool is_writable(const NetObject& net) const;

  // ---- requests from the streams, reports from the handle -----------------------------------------------------------
  void read(std::uint32_t socket);                                           // _read
  Flow write_out(std::uint32_t socket, std::vector<WriteRequest> requests);  // _writeGeneric
  Flow final(std::uint32_t socket);                                          // _final; 4 and 6: onSocketFinish
  Flow end_was_read(std::uint32_t socket);                                   // onread, onStreamRead: the end of file
  Flow after_shutdown(std::uint32_t socket);
  Flow on_socket_end(std::uint32_t socket);    // <= 8
  Flow on_readable_end(std::uint32_t socket);  // >= 10: onReadableStreamEnd

  // Errors; the caller owns a reference.
  Value system_error(std::string_view call, std::string_view code, const std::string& place = {});
  Value connect_error(std::uint32_t socket, std::string_view code);

 private:
  Flow destroy_soon(std::uint32_t socket);
  void leave_server(NetObject& net);
};

}  // namespace loopsim::node
