// From the main script to the end of the process (src/api/embed_helpers.cc, SpinEventLoop; src/node.cc).
#include "sim/node/environment.hpp"

#include <utility>

namespace loopsim::node {

namespace {
Environment& node(void* self) { return *static_cast<Environment*>(self); }
}  // namespace

Environment::Environment(const Setup& setup, Engine& engine, Tracer& tracer, Position& position)
    : setup_(setup),
      profile_(setup.profile),
      engine_(engine),
      tracer_(tracer),
      position_(position),
      machine_(setup.machine, setup.threadpool, setup.seed, setup.limits.time, setup.limits.steps, position, tracer,
               setup.cores),
      pool_(machine_, setup.threadpool, profile_.libuv.slow_io_limit),
      loop_(profile_.libuv, machine_, pool_, position, tracer) {
  connect_loop();
  loop_.update_time();
  engine_.connect(*this, loop_.now());
  outside.schedule(setup.seed);
}

bool Part::stop_if_over() { return env_.ending.stop_if_over(); }

// Node's callbacks for libuv.
void Environment::connect_loop() {
  uv::Host host;
  host.self = this;
  host.on_completed = [](void* self, const uv::Completed& done) { node(self).requests.finish_stage(done); };
  host.on_io = [](void* self, std::uint32_t net, std::uint8_t ready) {
    if (node(self).machine().has_costs()) node(self).thread.pay(Cost::socket);
    node(self).net_handles.on_io(net, ready);
  };
  host.watched_for = [](void* self, std::uint32_t net) { return node(self).net_handles.watched_for(net); };
  host.state = [](void* self, std::uint32_t net) { return node(self).net_handles.state(net); };
  host.on_pending = [](void* self, std::uint32_t net) { node(self).net_handles.on_pending(net); };
  host.on_close = [](void* self, std::uint32_t data) {
    Ports::owns(data) ? node(self).ports.on_close(data) : node(self).net_handles.on_close(data);
  };
  host.on_async = [](void* self) { node(self).ports.on_async(); };
  host.on_signal = [](void* self, const uv::Signal& message) { node(self).signals.on_signal(message); };
  host.on_outside = on_outside;
  host.on_first_wake = [](void* self) {
    // An ES module is loaded in several polls: the task has come with the first of them, before the module.
    if (node(self).profile_.first_wake_drains && node(self).setup_.entry != EntryPoint::module)
      node(self).task_queue.close_scope();
  };
  host.on_timer_closed = [](void* self, uv::Timer& timer) { node(self).timers.per_list().handle_closed(timer.owner); };
  host.pay = [](void* self, Cost cost) { node(self).thread.pay_to_loop(cost); };
  host.stopping = [](void* self) { return node(self).callbacks.stopping(); };
  host.timer_id = [](void* self, const uv::Timer& timer) {
    return node(self).delay_monitor.is(timer) ? 0 : node(self).timers.callback_behind(timer);
  };
  host.name_of = [](void* self, std::uint32_t data) {
    return Ports::owns(data) ? kNoName : node(self).net_handles.label_of(data);
  };
  host.trace_ready = [](void* self, std::uint32_t request) { node(self).requests.trace_ready(request); };
  loop_.set_host(host);
  thread.set_host(
      {this, [](void* self) { node(self).loop_.notice_time(); }, [](void* self) { return node(self).signals.death(); },
       [](void* self) {
         return runtime::LoopHost::Sleep{node(self).loop_.last_sleep_from(), node(self).loop_.last_sleep_to()};
       }});
  if (tracer_.on() || engine_.plans_operations()) {
    pool_.observe(this, [](void* self, const WorkRequest& work, std::uint32_t worker, bool begins) {
      node(self).requests.on_work(work.request, worker, begins);
    });
  }
  if (profile_.poll_looks_first) loop_.measure_idle_time();
  if (profile_.first_poll_wakes) loop_.wake_first_poll();
}

// Events that the machine has scheduled for this moment.
void Environment::on_outside(void* self, const FutureEvent& event) {
  Environment& it = node(self);
  switch (event.kind) {
    case FutureEvent::Kind::answered: return it.arrivals.client_is_answered(event.data, event.time);
    case FutureEvent::Kind::child_ends: return it.children.on_time_over(event.data, event.time);
    default: break;
  }
  const OutsideEvent& input = it.setup_.inputs[event.data];
  return input.arrivals ? it.arrivals.arrive(event.data, event.time) : it.outside.happen(input, event.time);
}

RunSummary Environment::run() {
  run_main();
  if (!callbacks.stopping()) spin_loop();
  if (!callbacks.stopping()) exit.emit_naturally();
  return finish();
}

RunSummary Environment::end_without_memory() {
  ending.halt_for_memory();
  return finish();
}

RunSummary Environment::finish() {
  ending.trace();
  RunSummary summary = ending.summary();
  summary.end_time = machine_.now();
  summary.poll_time = loop_.poll_time();
  summary.turns = position_.turn;
  summary.callbacks = callbacks.count();
  summary.steps = engine_.steps();
  return summary;
}

// A CommonJS script runs as a plain call, followed by its ticks and microtasks. Some versions run an ES module from the
// loop: a thread of the pool reads its file, and the module runs in the poll phase that finds the read done.
void Environment::run_main() {
  machine_.wait_until_running();
  if (setup_.entry == EntryPoint::module) {
    if (!profile_.module_runs_in_poll) return run_module();
    return requests.read_main_module();
  }
  const Flow flow = run_main_body();
  if (flow == Flow::threw) exit.handle_uncaught(false);
  // Until Node 11 the script's end is a plain call of the tick queue, which a throw skips; later it closes a scope.
  if (profile_.drains_after_main_threw)
    task_queue.close_scope();
  else if (flow == Flow::normal)
    task_queue.close_scope(false);
  start_up();
}

// An ES module itself runs as a microtask, so its microtasks come before its ticks.
void Environment::run_module() {
  engine_.enqueue_main();
  task_queue.close_scope();
  start_up();
}

// The time from the end of the main script to the loop.
void Environment::start_up() {
  engine_.main_is_over();
  if (callbacks.stopping()) return;
  const TimeNs amount = machine_.draw_startup();
  if (amount == 0) return;
  const TimeNs from = machine_.now();
  thread.use(amount);
  loop_.notice_time();
  if (tracer_.on()) thread.note_busy(from, 0, LateReason::startup);
}

Flow Environment::run_main_body() {
  delay_monitor.start();
  const std::uint64_t id = callbacks.next_id();
  if (!callbacks.begin(Api::main, setup_.main_label, id, 0, -1)) return Flow::stop;
  callbacks.set_running(id);
  const TimeNs from = machine_.now();
  Value result;
  const Flow flow = engine_.run_main(&result);
  callbacks.set_running(0);
  if (setup_.entry == EntryPoint::module && flow != Flow::stop) {
    engine_.watch_main(result, flow, profile_.module_error_hops + (setup_.main_is_async ? 1U : 0U));
  } else {
    engine_.heap().release(result);
  }
  if (tracer_.on()) {
    thread.note_busy(from, id, LateReason::main);
    thread.note_ended(id);
    callbacks.end(Api::main, setup_.main_label, id, flow == Flow::threw ? Completion::throw_ : Completion::normal);
  }
  return setup_.entry == EntryPoint::module && flow == Flow::threw ? Flow::normal : flow;
}

// Runs the loop until nothing is left, even after 'beforeExit' could add more.
void Environment::spin_loop() {
  loop_start_ = machine_.now();
  for (;;) {
    const bool more = loop_.run(profile_.runs_loop_once ? uv::RunMode::once : uv::RunMode::run_default);
    if (callbacks.stopping()) return;
    if (more) continue;
    if (engine_.has_native_immediates() && engine_.run_native_immediates() == Flow::stop) return;
    position_.phase = Phase::before_exit;
    const Value arguments[] = {Value::of_number(exit.code_told_before_exit())};
    const Engine::InContext in_context(engine_, Engine::ContextOf::nothing);
    const Flow flow = events.emit_process("beforeExit", arguments);
    if (flow == Flow::threw)
      exit.handle_uncaught(false);
    else if (flow == Flow::normal)
      task_queue.close_scope();
    if (callbacks.stopping()) return;
    bool revived = loop_.alive();
    if (profile_.runs_loop_once && loop_.run(uv::RunMode::nowait)) revived = true;
    if (callbacks.stopping() || !revived) return;
  }
}

}  // namespace loopsim::node
