// From the main script to the end of the process (src/api/embed_helpers.cc, SpinEventLoop; src/node.cc).
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

Environment::Environment(const Setup& setup, Engine& engine, Tracer& tracer, Position& position)
    : setup_(setup),
      profile_(setup.profile),
      engine_(engine),
      tracer_(tracer),
      position_(position),
      machine_(setup.machine, setup.threadpool, setup.seed, setup.limits.time, setup.limits.steps, position, tracer),
      pool_(machine_, setup.threadpool, profile_.libuv.slow_io_limit),
      loop_(profile_.libuv, machine_, pool_, position, tracer) {
  uv::Host host;
  host.self = this;
  host.on_completed = on_completed;
  host.on_io = on_io;
  host.watched_for = watched_for;
  host.state = descriptor_state;
  host.on_outside = on_outside;
  host.on_signal = on_signal;
  host.on_first_wake = [](void* self) {
    auto& environment = *static_cast<Environment*>(self);
    if (environment.profile_.first_wake_drains) environment.close_scope();
  };
  host.on_pending = on_pending;
  host.on_close = on_close;
  host.on_timer_closed = [](void* self, uv::Timer& timer) {
    static_cast<Environment*>(self)->legacy_handle_closed(timer.owner);
  };
  host.pay = [](void* self, Cost cost) { static_cast<Environment*>(self)->pay(cost); };
  host.stopping = [](void* self) { return static_cast<Environment*>(self)->stopping(); };
  host.timer_id = [](void* self, const uv::Timer& timer) {
    return static_cast<Environment*>(self)->timer_behind(timer);
  };
  loop_.set_host(host);
  if (profile_.poll_looks_first) loop_.measure_idle_time();
  if (profile_.first_poll_wakes) loop_.wake_first_poll();

  immediate_check_.callback = on_check;
  immediate_check_.referenced = false;
  loop_.start_check(immediate_check_);
  timer_handle_.callback = on_timer_handle;
  timer_handle_.referenced = false;
  process_emitter_ = heap_.emitters.make();
  heap_.emitters[process_emitter_].refs = 1;
  loop_.update_time();
  engine_.connect(*this, loop_.now());
  schedule_inputs(setup.seed);
}

// For the trace: the callback that a timer of libuv stands for.
std::uint64_t Environment::timer_behind(const uv::Timer& timer) {
  std::uint32_t list = kNone;
  if (&timer == &delay_monitor_) return 0;
  if (profile_.timer_model == TimerModel::single_handle) {
    if (lists_.queue_empty()) return 0;
    list = lists_.first(loop_.now());
  } else if (const auto& handle = static_cast<const TimerWrap&>(timer); handle.is_owned) {
    return heap_.timers[handle.timer].id;
  } else {
    list = handle.list;
  }
  const std::uint32_t head = lists_[list].head;
  return head == kNone ? 0 : heap_.timers[head].id;
}

RunSummary Environment::run() {
  run_main();
  if (!stopping()) spin_loop();
  if (!stopping()) emit_exit_naturally();
  return finish();
}

RunSummary Environment::end_without_memory() {
  over_ = false;  // where it was over already, the run still ends for this reason
  halt(LimitKind::memory, 0);
  return finish();
}

const RunSummary& Environment::finish() {
  trace_exit();
  summary_.end_time = machine_.now();
  summary_.poll_time = loop_.poll_time();
  summary_.turns = position_.turn;
  summary_.callbacks = callbacks_;
  summary_.steps = engine_.steps();
  return summary_;
}

// A CommonJS script is run as a plain call, with its ticks and microtasks after it. Some versions run an ES module from the
// loop: its file is read by a thread of the pool, and the module runs in the poll phase that finds that done.
void Environment::run_main() {
  machine_.wait_until_running();
  if (setup_.entry == EntryPoint::module) {
    if (!profile_.module_runs_in_poll) return run_module();
    main_request_ = requests_.make();
    loop_.submit_work({main_request_, 0, false, false, ++submissions_});
    return;
  }
  const Flow flow = run_main_body();
  if (flow == Flow::threw) handle_uncaught(false);
  // Until Node 11 the script's end is a plain call of the tick queue, which a throw skips; later it closes a scope.
  if (profile_.drains_after_main_threw)
    close_scope();
  else if (flow == Flow::normal)
    close_scope(false);
  start_up();
}

// An ES module is itself run from a microtask, so that its microtasks come before its ticks.
void Environment::run_module() {
  engine_.enqueue_main();
  close_scope();
  start_up();
}

// The time from the end of the main script to the loop.
void Environment::start_up() {
  if (stopping()) return;
  const TimeNs amount = machine_.draw_startup();
  if (amount == 0) return;
  const TimeNs from = machine_.now();
  compute(amount);
  loop_.notice_time();
  if (tracer_.on()) note_busy(from, 0, LateReason::startup);
}

// A timer of libuv's that repeats and does not keep the loop alive. Its first call only starts the clock.
void Environment::start_delay_monitor() {
  if (setup_.delay_resolution == 0 || delay_monitor_.active()) return;
  delay_monitor_.callback = on_delay_monitor;
  delay_monitor_.referenced = false;
  delay_monitor_.repeat = setup_.delay_resolution;
  loop_.again(delay_monitor_);
}

void Environment::on_delay_monitor(void* self, uv::Timer& /*timer*/) {
  Environment& environment = *static_cast<Environment*>(self);
  const TimeNs now = environment.machine_.now();
  const TimeNs before = std::exchange(environment.delay_measured_at_, now);
  if (before >= 0 && environment.tracer_.on()) environment.tracer_.add(EventKind::loop_delay).a = now - before;
}

Flow Environment::run_main_body() {
  start_delay_monitor();
  if (!begin_callback(Api::main, setup_.main_label, next_id(), 0, -1)) return Flow::stop;
  const std::uint64_t id = last_id_;
  running_ = id;
  const TimeNs from = machine_.now();
  Value result;
  const Flow flow = engine_.run_main(&result);
  running_ = 0;
  if (setup_.entry == EntryPoint::module && flow != Flow::stop) {
    engine_.watch_main(result, flow, profile_.module_error_hops + (setup_.main_is_async ? 1U : 0U));
  } else {
    heap_.release(result);
  }
  if (tracer_.on()) {
    note_busy(from, id, LateReason::main);
    last_ended_ = id;
    end_callback(Api::main, setup_.main_label, id, flow == Flow::threw ? Completion::throw_ : Completion::normal);
  }
  return setup_.entry == EntryPoint::module && flow == Flow::threw ? Flow::normal : flow;
}

// Until nothing is left to do, even after 'beforeExit' has had its chance to bring more.
void Environment::spin_loop() {
  for (;;) {
    const bool more = loop_.run(profile_.runs_loop_once ? uv::RunMode::once : uv::RunMode::run_default);
    if (stopping()) return;
    if (more) continue;
    position_.phase = Phase::before_exit;
    const double told = profile_.before_exit_gives_int32 ? static_cast<double>(exit_code_) : exit_code_whole_;
    const Value arguments[] = {Value::of_number(told)};
    bool had_listeners = false;
    const Flow flow = emit_process("beforeExit", arguments, had_listeners);
    if (flow == Flow::threw)
      handle_uncaught(false);
    else if (flow == Flow::normal)
      close_scope();
    if (stopping()) return;
    bool revived = loop_.alive();
    if (profile_.runs_loop_once && loop_.run(uv::RunMode::nowait)) revived = true;
    if (stopping() || !revived) return;
  }
}

void Environment::emit_exit_naturally() {
  position_.phase = Phase::exit;
  exiting_ = true;
  const bool unsettled = engine_.main_is_pending();
  const std::int64_t before = exit_code_;
  if (unsettled && !exit_code_set_) {  // the first listener of all is the module loader's
    exit_code_ = 13;
    exit_code_set_ = true;
  }
  const std::int64_t told = profile_.exit_tells_unsettled ? exit_code_ : before;
  const Value arguments[] = {Value::of_number(static_cast<double>(told))};
  bool had_listeners = false;
  // The end of a callback like any other, so the listeners' microtasks and rejections still count, unless one threw; ticks are
  // refused by now.
  if (emit_process("exit", arguments, had_listeners) == Flow::threw)
    handle_uncaught(false);
  else if (!over_)
    close_scope();
  if (over_) return;
  // src/env.cc: `exit_code()` takes what it was before when nothing is set any more.
  if (!exit_code_set_ && profile_.unset_exit_code_is_kept) exit_code_ = before;
  end_process(unsettled ? ExitReason::unsettled_await : ExitReason::loop_empty, exit_code_);
}

void Environment::end_process(ExitReason reason, std::int64_t code) {
  if (over_) return;
  stop();
  summary_.reason = reason;
  summary_.exit_code = code & 0xff;
}

// A limit of the scenario: the run ends here, by name.
void Environment::halt(LimitKind limit, std::int64_t value) {
  if (over_) return;
  stop();
  summary_.reason = ExitReason::limit;
  summary_.limit = limit;
  if (!tracer_.on()) return;
  Event& event = tracer_.add(EventKind::limit);
  event.detail = static_cast<std::uint8_t>(limit);
  event.a = value;
}

// The clock may have reached its limit, or turns that do nothing, or changes of the load; both count as steps.
bool Environment::stop_if_over() {
  if (machine_.out_of_time())
    halt(LimitKind::time, limits_.time);
  else if (position_.turn > limits_.steps || machine_.out_of_changes())
    halt(LimitKind::steps, static_cast<std::int64_t>(limits_.steps));
  return over_;
}

void Environment::stop() {
  over_ = true;
  engine_.stop();
  machine_.ask_for_attention();
}

void Environment::trace_exit() {
  if (!tracer_.on()) return;
  tracer_.leave_phase();
  position_.phase = Phase::exit;
  Event& event = tracer_.add(EventKind::exit);
  event.a = summary_.exit_code;
  event.detail = static_cast<std::uint8_t>(summary_.reason);
}

}  // namespace loopsim::node
