// uv_tcp_t and uv_pipe_t: libuv src/unix/stream.c, tcp.c, pipe.c. Each method is a function of libuv, and returns what that returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "sim/libuv/objects.hpp"
#include "sim/libuv/sockets.hpp"

namespace loopsim::libuv {

class Process;

class Streams {
 public:
  explicit Streams(Process& process) : process_(process) {}
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  std::uint32_t make();  // its number, Handle::part

  // In all of these a stream is its handle, and a request one of the process. A request for which the result is an error was not made.
  int bind(std::uint32_t handle, std::uint16_t port);
  int bind(std::uint32_t handle, std::string_view path);
  int listen(std::uint32_t handle, const runtime::Callback& callback);
  int accept(std::uint32_t server, std::uint32_t client);
  int connect(std::uint32_t handle, std::uint32_t request, std::uint16_t port);
  void connect(std::uint32_t handle, std::uint32_t request, std::string_view path);
  int read_start(std::uint32_t handle, const runtime::Callback& callback);
  int read_stop(std::uint32_t handle);
  int write(std::uint32_t handle, std::uint32_t request, std::string_view bytes);
  int try_write(std::uint32_t handle, std::string_view bytes);
  int shutdown(std::uint32_t handle, std::uint32_t request);
  [[nodiscard]] bool is_readable(std::uint32_t handle) const { return of(handle).readable; }
  [[nodiscard]] bool is_writable(std::uint32_t handle) const { return of(handle).writable; }
  [[nodiscard]] int may_reset(std::uint32_t handle) const;  // uv_tcp_close_reset
  void close(std::uint32_t handle, bool resets);            // uv__stream_close
  void destroy(std::uint32_t handle);                       // uv__stream_destroy: what waits is cancelled

  // ---- the loop's queries and reports (uv::Host) ----------------------------------------------------------------------
  [[nodiscard]] std::uint8_t watched_for(std::uint32_t handle) const { return of(handle).watched; }
  [[nodiscard]] std::uint8_t state(std::uint32_t handle) const;
  void on_io(std::uint32_t handle, std::uint8_t events);
  void on_pending(std::uint32_t handle);

 private:
  struct Write {
    std::uint32_t request = kNone;  // kNone: of uv_try_write, which is gone
    std::string rest;
    std::size_t size = 0;
    int error = 0;
  };
  struct Stream {
    std::uint32_t socket = kNone;    // io_watcher.fd
    std::uint32_t accepted = kNone;  // accepted_fd
    std::uint8_t watched = 0;        // io_watcher.pevents
    bool is_fed = false;             // in the pending queue
    bool is_server = false;          // the loop calls uv__server_io
    bool readable = false, writable = false, reading = false, partial = false, at_end = false;
    bool shutting = false, shut = false;
    int delayed_error = 0;
    std::uint32_t connect_request = kNone, shutdown_request = kNone;
    std::size_t queued = 0;  // write_queue_size
    std::deque<Write> writes, written;
    std::string path;  // pipe_fname
  };

  [[nodiscard]] Stream& of(std::uint32_t handle);
  [[nodiscard]] const Stream& of(std::uint32_t handle) const;
  [[nodiscard]] Handle& base(std::uint32_t handle);
  void open(std::uint32_t handle, std::uint32_t socket);
  void open_tcp(std::uint32_t handle);
  void start_io(std::uint32_t handle, std::uint8_t events);
  void stop_io(std::uint32_t handle, std::uint8_t events);
  void feed(std::uint32_t handle);
  void set_started(std::uint32_t handle, bool started);
  void stop_unless_writing(std::uint32_t handle);
  void begin_connect(std::uint32_t handle, std::uint32_t request);

  void accept_waiting(std::uint32_t handle);
  void stream_io(std::uint32_t handle, std::uint8_t events);
  void finish_connect(std::uint32_t handle);
  void read(std::uint32_t handle);
  void tell_end(std::uint32_t handle);
  void tell_read(std::uint32_t handle, int count, std::string_view bytes, TimeNs since, bool stays);
  void write_queued(std::uint32_t handle);
  void finish_write(std::uint32_t handle, int error);
  void tell_written(std::uint32_t handle);
  void drain(std::uint32_t handle);
  [[nodiscard]] bool stopping() const;

  Process& process_;
  std::deque<Stream> streams_;
};

}  // namespace loopsim::libuv
