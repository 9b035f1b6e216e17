// The processes of the models of I/O, but for threads (threads.hpp): each method of run() reads like the C program of that model in
// tools/conformance/io, which makes the same system calls.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/io/kernel.hpp"

namespace loopsim::io {

class Models {
 public:
  explicit Models(Kernel& kernel) : kernel_(kernel) {}
  Models(const Models&) = delete;
  Models& operator=(const Models&) = delete;

  // The process of kernel.process().model, from its start to its end.
  bool run();

 private:
  // As in Kernel: false when the run is over.
  bool blocking();
  bool blocking_clients();
  bool nonblocking();
  bool multiplex(SysCall call);
  bool epoll(bool is_edge);
  bool signal();
  bool signal_queue();
  bool async();

  bool set_flags(std::uint32_t socket, std::string_view flags);
  // What the process does with what a read has returned: the work for bytes, close() at the end.
  bool serve(std::uint32_t socket, std::int64_t count, bool may_interrupt = false);
  bool work(std::uint32_t socket, bool may_interrupt);
  // Reads until there is nothing.
  bool drain(std::uint32_t socket);
  // Its other work, once, as long as a socket is open.
  bool look_elsewhere(bool may_interrupt = false);
  std::int64_t rounds_in_vain(std::size_t sockets);
  bool epoll_wait();
  bool handle_sigio();
  bool deliver();
  bool enter_ring();
  bool complete(std::uint32_t socket);
  bool take_completions();

  Kernel& kernel_;
  std::vector<std::uint32_t> found_;
  std::vector<Taken> having_;  // the messages of the last read

  // Of the ring.
  struct Completion {
    std::uint32_t socket = 0;
    std::uint32_t bytes = 0;
    std::size_t messages = 0;  // in completed_
  };
  std::vector<std::uint32_t> to_submit_;
  RingQueue<Completion> done_;
  RingQueue<Taken> completed_;
};

}  // namespace loopsim::io
