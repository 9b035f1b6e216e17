// The process of the model `threads`: the first thread makes one for each socket, which reads it until its end. The threads are workers
// of the machine, which share its cores.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/io/kernel.hpp"

namespace loopsim::io {

class Threads {
 public:
  explicit Threads(Kernel& kernel);
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  bool run();
  // The states at the end of the run, of those that have not ended.
  void tell_ends();

 private:
  // What a thread pays CPU for, or waits for.
  enum class Step : std::uint8_t { none, reading, blocked, waking, switching, copying, working, closing, ended };
  struct Thread {
    Step step = Step::none;
    std::uint64_t call = 0;  // the number of its call
    TimeNs entered = 0;      // into it
    TimeNs blocked = 0;      // in it
    TimeNs blocked_from = 0;
    std::uint32_t count = 0;  // bytes of the read
    TimeNs cost = 0;          // of the step
    TimeNs used_user = 0, used_kernel = 0;
    std::vector<Taken> taken;
  };
  [[nodiscard]] static std::uint32_t number_of(std::uint32_t socket) { return socket + 1; }
  void start(std::uint32_t socket, Step step, TimeNs cost, bool needs_cpu = true);
  void finish(std::uint32_t socket);
  void on_arrival(std::uint32_t socket);
  void begin_call(std::uint32_t socket, SysCall call, Step step);  // up to its cost
  void go_on_reading(std::uint32_t socket);
  void block(std::uint32_t socket);
  void return_from_read(std::uint32_t socket);
  void end(std::uint32_t socket);
  void tell_return(std::uint32_t socket, SysCall call, std::int64_t result);
  void tell_end(std::uint32_t socket);

  Kernel& kernel_;
  std::vector<Thread> threads_;  // by socket
  std::uint32_t left_ = 0;       // that have not ended
  std::uint64_t orders_;
};

}  // namespace loopsim::io
