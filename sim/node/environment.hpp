// Node on top of the loop (node::Environment of src/env.h): everything between libuv's callbacks and the simulated program.
//
//      uv::Loop                                 timers, check, poll, pending, closing
//         | calls
//      timers  immediates  requests  net/  children  signals
//         | each ends in
//      task_queue, rejections, exit             ticks, microtasks, rejections, exceptions
//         | runs
//      callbacks -> Engine
//
// The environment makes the parts, connects them with the loop, and runs the process from start to end. Each part owns
// its state, and its header defines its interface.
#pragma once

#include "sim/machine/machine.hpp"
#include "sim/machine/thread_pool.hpp"
#include "sim/node/arrivals.hpp"
#include "sim/node/children.hpp"
#include "sim/node/context.hpp"
#include "sim/node/delay_monitor.hpp"
#include "sim/node/engine.hpp"
#include "sim/node/events.hpp"
#include "sim/node/exit.hpp"
#include "sim/node/immediates.hpp"
#include "sim/node/net/connections.hpp"
#include "sim/node/net/handles.hpp"
#include "sim/node/net/net_events.hpp"
#include "sim/node/net/raw_handles.hpp"
#include "sim/node/net/readable.hpp"
#include "sim/node/net/servers.hpp"
#include "sim/node/net/sockets.hpp"
#include "sim/node/net/writable.hpp"
#include "sim/node/outside.hpp"
#include "sim/node/ports.hpp"
#include "sim/node/rejections.hpp"
#include "sim/node/requests.hpp"
#include "sim/node/setup.hpp"
#include "sim/node/signals.hpp"
#include "sim/node/task_queue.hpp"
#include "sim/node/timers/timers.hpp"
#include "sim/trace/tracer.hpp"
#include "sim/uv/loop.hpp"

namespace loopsim::node {

class Environment {
 public:
  // All of these must outlive it.
  Environment(const Setup& setup, Engine& engine, Tracer& tracer, Position& position);
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // The complete life of the process.
  RunSummary run();
  // Replaces the rest of run() after std::bad_alloc: the process ends here.
  RunSummary end_without_memory();
  // The same after runtime::Stopped: a limit has ended it already.
  RunSummary end_when_stopped() { return finish(); }
  Flow run_main_body();  // the main script; for a module, a job of the engine
  void run_module();     // the main script's file has been read

  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] uv::Loop& loop() { return loop_; }
  // When the loop began to turn; -1: not yet.
  [[nodiscard]] TimeNs loop_start() const { return loop_start_; }
  [[nodiscard]] TimeNs clock_phase() const { return machine_.clock_phase(); }

 private:
  void connect_loop();
  void run_main();
  void start_up();
  void spin_loop();
  RunSummary finish();
  static void on_outside(void* self, const FutureEvent& event);

  const Setup& setup_;
  const Profile& profile_;
  Engine& engine_;
  Tracer& tracer_;
  Position& position_;
  TimeNs loop_start_ = -1;
  Machine machine_;
  ThreadPool pool_;
  uv::Loop loop_;
  runtime::Context base_{setup_.limits, engine_, tracer_, position_, machine_};
  Context context_{*this, setup_, engine_, tracer_, position_, machine_, loop_};

 public:
  // The parts, in the order of construction.
  runtime::Ending ending{base_};
  runtime::LoopThread thread{base_, ending};
  Callbacks callbacks{base_, thread, ending};
  TaskQueue task_queue{context_, callbacks};
  Rejections rejections{context_};
  Exit exit{context_};
  Events events{context_};
  Timers timers{context_, callbacks};
  Immediates immediates{context_, callbacks};
  Requests requests{context_};
  Servers servers{context_};
  Sockets sockets{context_};
  NetHandles net_handles{context_};
  RawHandles raw_handles{context_};
  Connections connections{context_};
  ReadableStreams readables{context_};
  WritableStreams writables{context_};
  NetEvents net_events{context_};
  Children children{context_};
  Signals signals{context_};
  Outside outside{context_};
  OutsideArrivals arrivals{context_};
  DelayMonitor delay_monitor{context_};
  Ports ports{context_};
};

}  // namespace loopsim::node
