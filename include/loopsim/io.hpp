// The runtime `io`: what a document says of a process that reads sockets by one of the models of I/O. Made by the reader, part of
// Scenario and of the compiled program. What the words mean: docs/io-models.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/scenario.hpp"

namespace loopsim {

// How the process learns of data, and reads them. In the order of io_models().
enum class IoModel : std::uint8_t {
  blocking,          // one read of each socket in turn
  blocking_clients,  // one socket to its end, then the next
  nonblocking,       // a busy loop
  select,
  poll,
  epoll,         // level-triggered
  epoll_edge,    // edge-triggered
  signal,        // SIGIO; its handler reads all sockets
  signal_queue,  // real-time signals that name their socket, taken by sigwaitinfo()
  async,         // io_uring
  threads,       // one for each socket, which blocks
};
inline constexpr std::size_t kIoModels = static_cast<std::size_t>(IoModel::threads) + 1;
[[nodiscard]] std::span<const std::string_view> io_models();  // the words of a document
[[nodiscard]] std::string_view to_string(IoModel model);

struct IoProcess {
  IoModel model = IoModel::blocking;
  std::uint32_t events = 64;      // epoll: entries that epoll_wait() returns at most
  std::uint32_t pending = 15000;  // signal_queue: signals that the queue holds
};

// What takes CPU of the thread that calls. In the order of IoSpec::costs and io_costs().
enum class IoCost : std::uint8_t { call, copy, scan, ready, switch_, signal, submit, complete, thread };
inline constexpr std::size_t kIoCosts = static_cast<std::size_t>(IoCost::thread) + 1;
[[nodiscard]] std::span<const std::string_view> io_costs();  // the keys of a document

struct IoArrivals {
  Arrivals when;  // `list` or `renewal`
  std::uint32_t bytes = 100;
};

// Sockets with the same arrivals, each with draws of its own.
struct IoGroup {
  std::string name;  // empty: none; with a count above 1 the sockets are NAME1, NAME2 ...
  std::uint32_t count = 1;
  std::vector<IoArrivals> arrivals;
  TimeNs end = kNever;  // when the other side ends
};

inline constexpr std::uint32_t kFirstSocket = 3;  // descriptor; 0, 1 and 2 are taken

struct IoSpec {
  std::vector<IoProcess> processes;  // several: side by side, each on a machine of its own
  std::vector<IoGroup> groups;
  std::uint32_t sockets = 0;  // of all groups; their descriptors are kFirstSocket, kFirstSocket + 1 ...
  bool has_messages = false;  // datagrams: a read takes one message; otherwise a stream
  std::uint32_t buffer = 4096;
  Duration work;       // CPU after each read that brought bytes
  Duration meanwhile;  // CPU each time the process has looked for data; 0: it has nothing else to do
  std::array<Duration, kIoCosts> costs;
};

// The names of the sockets, in the order of their descriptors: "a", "a1", "socket3".
[[nodiscard]] std::vector<std::string> io_socket_names(const IoSpec& spec);

}  // namespace loopsim
