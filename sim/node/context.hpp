// The shared context of a process's parts: its machine and loop, the engine that runs its functions, its memory, its
// version, its trace.
#pragma once

#include "loopsim/profile.hpp"

#include "sim/machine/machine.hpp"
#include "sim/node/engine.hpp"
#include "sim/node/setup.hpp"
#include "sim/runtime/callbacks.hpp"
#include "sim/runtime/ending.hpp"
#include "sim/runtime/loop_thread.hpp"
#include "sim/trace/tracer.hpp"
#include "sim/uv/loop.hpp"

namespace loopsim::node {

using runtime::Callbacks;

class Environment;

// Owned by the Environment, which makes it before any part and outlives all of them.
struct Context {
  Environment& environment;
  const Setup& setup;
  Engine& engine;
  Tracer& tracer;
  Position& position;
  Machine& machine;
  uv::Loop& loop;
};

// A part of a process owns the state of one topic. It uses other parts through the environment, by their methods only.
class Part {
 public:
  explicit Part(const Context& context)
      : env_(context.environment),
        setup_(context.setup),
        limits_(context.setup.limits),
        profile_(context.setup.profile),
        engine_(context.engine),
        heap_(context.engine.heap()),
        tracer_(context.tracer),
        position_(context.position),
        machine_(context.machine),
        loop_(context.loop) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  // True when nothing more may run. Also checks the clock against its limit.
  bool stopping() {
    if (machine_.needs_attention()) [[unlikely]]
      return stop_if_over();
    return false;
  }

 protected:
  ~Part() = default;

  Environment& env_;
  const Setup& setup_;
  const Limits& limits_;
  const Profile& profile_;
  Engine& engine_;
  Heap& heap_;
  Tracer& tracer_;
  Position& position_;
  Machine& machine_;
  uv::Loop& loop_;

 private:
  bool stop_if_over();
};

}  // namespace loopsim::node
