// Several loops on one computer: its cores, its clock, and the scheduling of the loops.
//
// Each loop runs in a fiber and has its own Machine: pool, future events, limits. Whenever a Machine lets time pass,
// its loop is suspended. Of all loops that can continue, the one with the lowest number is resumed; if there is none,
// the clock moves to the next change for any of them. So loops are resumed one at a time, in order of (virtual time,
// number of the loop), and all compute on the same cores.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/machine/cpu.hpp"
#include "sim/machine/fiber.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim {

class Machine;

class SharedCores {
 public:
  // `threads`: total of all processes, including their pools. References must outlive the SharedCores.
  SharedCores(const MachineSpec& spec, std::uint32_t threads, std::uint64_t seed, Tracer& tracer);
  ~SharedCores();
  SharedCores(const SharedCores&) = delete;
  SharedCores& operator=(const SharedCores&) = delete;

  // Called by the Machine's constructor. Returns the number of its loop: 0, 1 ...
  std::uint32_t add(Machine& machine);
  // Runs the loops' lives, one per machine, in the order of their numbers. If one throws, the others are stopped as if
  // by their time limit, and run() rethrows the first exception.
  void run(std::vector<std::function<void()>> lives);

  // Numbers for the threads of the machine's process under a Scheduler: the first of so many. Called before add().
  std::uint32_t next_task(std::uint32_t threads) {
    const std::uint32_t first = tasks_;
    tasks_ += threads;
    return first;
  }

  [[nodiscard]] Cpu& cpu() { return cpu_; }

 private:
  friend class Machine;
  struct Loop;
  // Called by a machine within its loop's life: lets time pass as Machine::pass(). False: goal not reached before
  // `until`.
  bool pass(std::uint32_t number, TimeNs until, std::uint8_t goal, bool computes);
  Loop* next_to_run();
  void step();
  void show(Loop& loop);

  Cpu cpu_;
  Tracer& tracer_;
  TimeNs now_ = 0;
  std::uint32_t tasks_ = 0;
  std::vector<std::unique_ptr<Loop>> loops_;
  Loop* shown_ = nullptr;  // the loop whose events the tracer records now
};

}  // namespace loopsim
