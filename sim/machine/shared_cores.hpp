// Several loops on one computer: its cores, its clock, and which loop runs.
//
// Each loop lives in a fiber and has a Machine of its own: its pool, its future events, its limits. Wherever a Machine lets time pass, its
// loop is left, and the others catch up: of all loops whose time has come the one with the lowest number is resumed, and only when none is
// left does the clock move, to the next moment at which anything changes for any of them. So one loop is resumed at a time, in the order of
// (virtual time, number of the loop), and all compute on the same cores.
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
  // `threads`: of all processes together, those of their pools among them. All of these must outlive it.
  SharedCores(const MachineSpec& spec, std::uint32_t threads, std::uint64_t seed, Tracer& tracer);
  ~SharedCores();
  SharedCores(const SharedCores&) = delete;
  SharedCores& operator=(const SharedCores&) = delete;

  // Called by the Machine itself. Returns the number of its loop: 0, 1 ...
  std::uint32_t add(Machine& machine);
  // Runs the loops' lives, one for each machine, in the order of their numbers. When one of them throws, the others are stopped by their
  // limit of time, and it leaves run().
  void run(std::vector<std::function<void()>> lives);

  [[nodiscard]] Cpu& cpu() { return cpu_; }

 private:
  friend class Machine;
  struct Loop;
  // Called by a machine, within its loop's life: time passes as Machine::pass() says. False: not before `until`.
  bool pass(std::uint32_t number, TimeNs until, std::uint8_t goal, bool computes);
  Loop* next_to_run();
  void step();
  void show(Loop& loop);

  Cpu cpu_;
  Tracer& tracer_;
  TimeNs now_ = 0;
  std::vector<std::unique_ptr<Loop>> loops_;
  Loop* shown_ = nullptr;  // whose events the tracer takes now
};

}  // namespace loopsim
