#include "sim/libuv/process.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "loopsim/assert.hpp"

#include "sim/runtime/input_words.hpp"

namespace loopsim::libuv {

namespace {
constexpr int kSignalBase = 128;  // added by shells for an end by a signal
constexpr int kAborted = 134;     // 128 + SIGABRT

Process& process(void* self) { return *static_cast<Process*>(self); }

runtime::Value handle_value(std::uint32_t handle) { return {runtime::Tag::handle, handle, 0}; }
runtime::Value request_value(std::uint32_t request) { return {runtime::Tag::request, request, 0}; }
}  // namespace

std::string_view to_string(HandleKind kind) {
  constexpr std::array<std::string_view, 10> kNames = {"uv_timer_t", "uv_idle_t",   "uv_prepare_t", "uv_check_t",
                                                       "uv_async_t", "uv_signal_t", "uv_tcp_t",     "uv_pipe_t",
                                                       "uv_poll_t",  "uv_process_t"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view to_string(Request::Kind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"uv_work_t",    "uv_fs_t",    "uv_getaddrinfo_t",
                                                      "uv_connect_t", "uv_write_t", "uv_shutdown_t"};
  return kNames[static_cast<std::size_t>(kind)];
}

// ---- the process ----------------------------------------------------------------------------------------------------

Process::Process(const Setup& setup, runtime::Engine& engine, Tracer& tracer, Position& position)
    : setup_(setup),
      engine_(engine),
      tracer_(tracer),
      position_(position),
      machine_(setup.machine, setup.threadpool, setup.seed, setup.limits.time, setup.limits.steps, position, tracer),
      pool_(machine_, setup.threadpool, setup.libuv.slow_io_limit),
      loop_(setup.libuv, machine_, pool_, position, tracer) {
  connect_loop();
  loop_.update_time();
  start_ = loop_.now();
  for (std::uint32_t i = 0; i < setup_.inputs.size(); ++i)
    machine_.schedule({setup_.inputs[i].at, machine_.next_order(), FutureEvent::Kind::outside, i});
}

void Process::connect_loop() {
  uv::Host host;
  host.self = this;
  host.on_completed = [](void* self, const uv::Completed& done) { process(self).on_completed(done); };
  host.on_io = [](void* self, std::uint32_t handle, std::uint8_t events) {
    Process& it = process(self);
    it.handles_[handle].kind == HandleKind::poll ? it.polls_.on_io(handle, events) : it.streams_.on_io(handle, events);
  };
  host.watched_for = [](void* self, std::uint32_t handle) {
    const Process& it = process(self);
    return it.handles_[handle].kind == HandleKind::poll ? it.polls_.watched_for(handle)
                                                        : it.streams_.watched_for(handle);
  };
  host.state = [](void* self, std::uint32_t handle) {
    const Process& it = process(self);
    return it.handles_[handle].kind == HandleKind::poll ? it.polls_.state(handle) : it.streams_.state(handle);
  };
  host.on_pending = [](void* self, std::uint32_t handle) { process(self).streams_.on_pending(handle); };
  host.on_close = [](void* self, std::uint32_t handle) { process(self).on_close(handle); };
  host.on_async = [](void* self) { process(self).on_async(); };
  host.on_signal = [](void* self, const uv::Signal& message) { process(self).on_signal(message); };
  host.on_outside = [](void* self, const FutureEvent& event) { process(self).on_outside(event); };
  host.pay = [](void* self, Cost cost) { process(self).thread_.pay_to_loop(cost); };
  host.stopping = [](void* self) { return process(self).ending_.stopping(); };
  host.timer_id = [](void* self, const uv::Timer& timer) { return process(self).handles_[timer.owner].callback.id; };
  host.name_of = [](void* self, std::uint32_t handle) { return process(self).handles_[handle].label; };
  host.trace_ready = [](void* self, std::uint32_t request) {
    Process& it = process(self);
    if (const runtime::Callback& callback = it.requests_[request].callback; callback.place != kNone)
      it.callbacks_.trace_enqueued(callback, Queue::ready);
  };
  loop_.set_host(host);
  pool_.observe(this, [](void* self, const WorkRequest& work, std::uint32_t thread, bool begins) {
    process(self).on_work(work.request, thread, begins);
  });
  thread_.set_host({this, [](void* self) { process(self).loop_.notice_time(); },
                    [](void* self) { return process(self).death(); },
                    [](void* self) {
                      const uv::Loop& loop = process(self).loop_;
                      return runtime::LoopHost::Sleep{loop.last_sleep_from(), loop.last_sleep_to()};
                    }});
}

RunSummary Process::run() {
  machine_.wait_until_running();
  begin_main();
  if (ending_.is_over()) return finish();
  runtime::Value result;
  const runtime::Flow flow = engine_.run_main(&result);
  end_main(Completion::normal);
  if (flow == runtime::Flow::normal && !ending_.stopping()) {
    constexpr double kMost = 2147483648;  // beyond an int it is no exit code
    const bool is_int = result.tag == runtime::Tag::number && result.number >= -kMost && result.number < kMost;
    ending_.end_process(ExitReason::main_returned, is_int ? static_cast<std::int64_t>(result.number) : 0);
  }
  return finish();
}

RunSummary Process::end_without_memory() {
  ending_.halt_for_memory();
  return finish();
}

RunSummary Process::finish() {
  ending_.trace();
  RunSummary summary = ending_.summary();
  summary.end_time = machine_.now();
  summary.poll_time = loop_.poll_time();
  summary.turns = position_.turn;
  summary.callbacks = callbacks_.count();
  summary.steps = engine_.steps();
  return summary;
}

// The main function is a callback, and a further one behind each uv_run: in between it is the loop that calls.
void Process::begin_main() {
  const std::uint64_t before = main_id_;
  main_id_ = callbacks_.next_id();
  if (!callbacks_.begin(Api::main, setup_.main_label, main_id_, before, -1)) return;
  callbacks_.set_running(main_id_);
  main_from_ = machine_.now();
  main_is_open_ = true;
}

// Where a run ends within uv_run, main() does not go on.
void Process::end_main(Completion how) {
  if (!std::exchange(main_is_open_, false)) return;
  callbacks_.set_running(0);
  if (!tracer_.on()) return;
  thread_.note_busy(main_from_, main_id_, LateReason::main);
  thread_.note_ended(main_id_);
  callbacks_.end(Api::main, setup_.main_label, main_id_, how);
}

void Process::abort(std::string_view message) {
  if (tracer_.on()) {
    tracer_.add_text(EventKind::uncaught, message);
    tracer_.add_text(EventKind::error_log, message);
  }
  ending_.end_process(ExitReason::signal, kAborted);
}

// ---- callbacks ------------------------------------------------------------------------------------------------------

void Process::announce(runtime::Callback& callback, ScheduleKind kind, TimeNs due, TimeNs delay) {
  callback.by = callbacks_.running();
  callbacks_.announce(callback, kind, due, delay);
}

void Process::cancel_callback(runtime::Callback& callback) {
  if (callback.place != kNone) callbacks_.trace_cancel(callback, CancelReason::clear);
}

void Process::replace_callback(Handle& handle, const runtime::Callback& callback) {
  cancel_callback(handle.callback);
  handle.callback = callback;
  announce(handle.callback, ScheduleKind::first);
}

void Process::forget_callback(Handle& handle) {
  cancel_callback(handle.callback);
  handle.callback = {};
}

void Process::run_last(std::uint32_t index, TimeNs due, std::span<const runtime::Value> more) {
  const runtime::Callback now = std::exchange(handles_[index].callback, {});
  if (now.place == kNone) return;
  std::array<runtime::Value, 3> arguments = {handle_value(index)};
  std::ranges::copy(more, arguments.begin() + 1);
  call(now, due, std::span(arguments).first(1 + more.size()));
}

void Process::call(const runtime::Callback& callback, TimeNs due, std::span<const runtime::Value> arguments) {
  callbacks_.run(callback, arguments, due);
}

void Process::run_repeated(std::uint32_t index, TimeNs due, std::span<const runtime::Value> more) {
  Handle& handle = handles_[index];
  const runtime::Callback now = handle.callback;
  handle.callback.by = now.id;
  callbacks_.announce(handle.callback, ScheduleKind::again,
                      handle.kind == HandleKind::timer ? due_of(handle.timer) : -1, -1, now.id);
  std::array<runtime::Value, 3> arguments = {handle_value(index)};
  std::ranges::copy(more, arguments.begin() + 1);
  call(now, due, std::span(arguments).first(1 + more.size()));
}

// ---- the loop -------------------------------------------------------------------------------------------------------

int Process::run_loop(uv::RunMode mode) {
  if (is_running_) {
    abort("uv_run: it runs already; a callback cannot call it");
    return 0;
  }
  is_running_ = true;
  end_main(Completion::suspended);
  const bool more = loop_.run(mode);
  position_.phase = Phase::main;
  is_running_ = false;
  if (!ending_.stopping()) begin_main();
  return more ? 1 : 0;
}

// libuv src/uv-common.c, uv_loop_close.
int Process::close_loop() {
  if (open_handles_ != 0 || loop_.active_requests() != 0) return kUvEbusy;
  has_closed_ = true;
  return 0;
}

// libuv src/unix/loop.c, uv__loop_configure.
int Process::configure_loop(bool measures_idle_time) {
  if (!measures_idle_time) return 0;
  if (!setup_.libuv.measures_idle_time) return kUvEnosys;
  loop_.measure_idle_time();
  return 0;
}

// The loop's own descriptors, of the async handle and of signals, are registered by the next poll.
TimeMs Process::backend_timeout() const {
  const bool waits = !loop_.has_polled() || position_.turn == signals_since_ || loop_.has_unregistered();
  return setup_.libuv.timeout_counts_watchers && waits ? 0 : loop_.backend_timeout();
}

// Handles made meanwhile are visited as well: they join the end of the list.
void Process::walk(const runtime::Callback& callback) {
  engine_.charge_entries(handles_.size());
  for (std::uint32_t i = 0; i < handles_.size() && !ending_.stopping(); ++i) {
    if (handles_[i].closed) continue;
    runtime::Callback one = callback;
    announce(one, ScheduleKind::first);
    const std::array arguments = {handle_value(i)};
    call(one, -1, arguments);
  }
}

// ---- handles --------------------------------------------------------------------------------------------------------

std::uint32_t Process::init(HandleKind kind, std::uint32_t label, const runtime::Callback& callback) {
  const auto index = static_cast<std::uint32_t>(handles_.size());
  Handle& handle = handles_.emplace_back();
  ++open_handles_;
  handle.kind = kind;
  handle.label = label;
  handle.callback = callback;
  handle.timer.owner = index;
  handle.timer.callback = [](void* self, uv::Timer& timer) { process(self).on_timer(timer.owner); };
  handle.phase.owner = index;
  handle.phase.callback = [](void* self, uv::Handle& phase) { process(self).run_repeated(phase.owner, -1); };
  if (kind == HandleKind::async) {
    asyncs_.push_back(index);
    loop_.add_active_handle();
    announce(handle.callback, ScheduleKind::first);
  }
  if (kind == HandleKind::tcp || kind == HandleKind::pipe) handle.part = streams_.make();
  if (kind == HandleKind::process) handle.part = children_.make(index);
  if (kind == HandleKind::signal && signals_since_ == kNoTurn) signals_since_ = position_.turn;
  if (handles_.size() > setup_.limits.queue) ending_.halt_for_queue();
  return index;
}

void Process::set_active(const Handle& handle, bool active) {
  if (!handle.referenced) return;
  active ? loop_.add_active_handle() : loop_.remove_active_handle();
}

// libuv src/unix/core.c, uv_close.
void Process::close(std::uint32_t index, const runtime::Callback& callback) { close(index, callback, false); }

int Process::close_reset(std::uint32_t index, const runtime::Callback& callback) {
  if (const int error = streams_.may_reset(index); error != 0) return error;
  close(index, callback, true);
  return 0;
}

void Process::close(std::uint32_t index, const runtime::Callback& callback, bool resets) {
  Handle& handle = handles_[index];
  LOOPSIM_ASSERT(!handle.closing);
  switch (handle.kind) {
    case HandleKind::timer: stop_timer(index); break;
    case HandleKind::idle:
    case HandleKind::prepare:
    case HandleKind::check: stop_phase(index); break;
    case HandleKind::async:
      cancel_callback(handle.callback);
      engine_.charge_entries(asyncs_.size() + asyncs_left_.size());
      std::erase(asyncs_, index);
      std::erase(asyncs_left_, index);
      set_active(handle, false);
      break;
    case HandleKind::signal: stop_signal(index); break;
    case HandleKind::tcp:
    case HandleKind::pipe: streams_.close(index, resets); break;
    case HandleKind::poll:
      handle.closing = true;
      polls_.stop(index);
      break;
    case HandleKind::process: children_.close(index); break;
  }
  handle.closing = true;
  handle.close_callback = callback;
  if (callback.place != kNone) announce(handle.close_callback, ScheduleKind::first);
  if (handle.undispatched == 0 || setup_.libuv.closing_signal_turns) loop_.close_with_callback(index);
}

void Process::on_close(std::uint32_t index) {
  Handle& handle = handles_[index];
  LOOPSIM_ASSERT(handle.closing && !handle.closed);
  if (handle.undispatched != 0) return loop_.close_with_callback(index);  // libuv src/unix/core.c, uv__finish_close
  if (handle.kind == HandleKind::tcp || handle.kind == HandleKind::pipe)
    streams_.destroy(index);  // it is still in the list
  handle.closed = true;
  --open_handles_;
  if (ending_.stopping()) return;
  if (handle.close_callback.place == kNone) return;
  const std::array arguments = {handle_value(index)};
  call(handle.close_callback, -1, arguments);
}

void Process::reference(std::uint32_t index, bool on) {
  Handle& handle = handles_[index];
  switch (handle.kind) {
    case HandleKind::timer: return on ? loop_.ref(handle.timer) : loop_.unref(handle.timer);
    case HandleKind::idle:
    case HandleKind::prepare:
    case HandleKind::check: return on ? loop_.ref(handle.phase) : loop_.unref(handle.phase);
    default:
      if (handle.referenced == on) return;
      if (is_active(index) && !handle.closing) on ? loop_.add_active_handle() : loop_.remove_active_handle();
      handle.referenced = on;
  }
}

bool Process::has_ref(std::uint32_t index) const {
  const Handle& handle = handles_[index];
  switch (handle.kind) {
    case HandleKind::timer: return handle.timer.referenced;
    case HandleKind::idle:
    case HandleKind::prepare:
    case HandleKind::check: return handle.phase.referenced;
    default: return handle.referenced;
  }
}

bool Process::is_active(std::uint32_t index) const {
  const Handle& handle = handles_[index];
  switch (handle.kind) {
    case HandleKind::timer: return handle.timer.active();
    case HandleKind::idle:
    case HandleKind::prepare:
    case HandleKind::check: return handle.phase.active();
    case HandleKind::async: return !handle.closing;
    case HandleKind::signal: return handle.signal != 0 || handle.kept_active;
    default: return handle.is_started;
  }
  return false;
}

// ---- timers (libuv src/timer.c) -------------------------------------------------------------------------------------

int Process::start_timer(std::uint32_t index, const runtime::Callback& callback, TimeMs timeout, TimeMs repeat) {
  Handle& handle = handles_[index];
  if (callback.place == kNone || (handle.closing && !setup_.libuv.closing_timer_starts)) return kUvEinval;
  stop_timer(index);
  handle.callback = callback;
  handle.timer.repeat = repeat;
  loop_.start(handle.timer, timeout);
  handle.due = handle.timer.timeout;
  announce(handle.callback, ScheduleKind::first, due_of(handle.timer), timeout * kMillisecond);
  return 0;
}

int Process::stop_timer(std::uint32_t index) {
  Handle& handle = handles_[index];
  if (handle.timer.active() || handle.timer.is_linked()) cancel_callback(handle.callback);
  loop_.stop(handle.timer);
  return 0;
}

int Process::timer_again(std::uint32_t index) {
  Handle& handle = handles_[index];
  if (handle.callback.place == kNone) return kUvEinval;
  if (handle.timer.repeat == 0) return 0;
  start_timer(index, handle.callback, handle.timer.repeat, handle.timer.repeat);  // of a closing one: it tells nobody
  return 0;
}

TimeMs Process::due_in(std::uint32_t index) const {
  return std::max<TimeMs>(handles_[index].timer.timeout - loop_.now(), 0);
}

// A timer that repeats has been started anew by the loop.
void Process::on_timer(std::uint32_t index) {
  Handle& handle = handles_[index];
  LOOPSIM_ASSERT(handle.kind == HandleKind::timer);
  const TimeNs due = machine_.time_of_clock(std::exchange(handle.due, handle.timer.timeout));
  if (handle.timer.active()) return run_repeated(index, due);
  const std::array arguments = {handle_value(index)};
  call(handle.callback, due, arguments);
}

// ---- idle, prepare, check (libuv src/unix/loop-watcher.c) -----------------------------------------------------------

int Process::start_phase(std::uint32_t index, const runtime::Callback& callback) {
  Handle& handle = handles_[index];
  if (handle.phase.active()) return 0;
  if (callback.place == kNone) return kUvEinval;
  handle.callback = callback;
  switch (handle.kind) {
    case HandleKind::idle: loop_.start_idle(handle.phase); break;
    case HandleKind::prepare: loop_.start_prepare(handle.phase); break;
    default: loop_.start_check(handle.phase); break;
  }
  announce(handle.callback, ScheduleKind::first);
  return 0;
}

int Process::stop_phase(std::uint32_t index) {
  Handle& handle = handles_[index];
  if (handle.phase.active()) cancel_callback(handle.callback);
  loop_.stop(handle.phase);
  return 0;
}

// ---- async handles (libuv src/unix/async.c) -------------------------------------------------------------------------

int Process::send(std::uint32_t index) {
  Handle& handle = handles_[index];
  if (handle.is_sent || handle.closing) return 0;
  handle.is_sent = true;
  handle.sent_at = machine_.now();
  callbacks_.trace_enqueued(handle.callback, Queue::async);
  loop_.send_async();
  return 0;
}

// A handle that is made meanwhile waits for the next pass.
void Process::on_async() {
  asyncs_left_ = std::exchange(asyncs_, {});
  while (!asyncs_left_.empty()) {
    const std::uint32_t index = asyncs_left_.front();
    asyncs_left_.pop_front();
    asyncs_.push_back(index);
    if (ending_.stopping() || !std::exchange(handles_[index].is_sent, false)) continue;
    run_repeated(index, handles_[index].sent_at);
  }
}

// ---- work (libuv src/threadpool.c) ----------------------------------------------------------------------------------

std::uint32_t Process::add_request(Request::Kind kind, std::uint32_t label, const runtime::Callback& callback) {
  Request& request = requests_.emplace_back();
  request.kind = kind;
  request.label = label;
  request.callback = callback;
  return static_cast<std::uint32_t>(requests_.size() - 1);
}

std::uint32_t Process::queue_work(std::uint32_t label, const runtime::Callback& callback, const Work& work) {
  const std::uint32_t index = add_request(work.kind, label, callback);
  Request& request = requests_[index];
  request.error = work.error;
  request.operation = work.operation;
  TimeNs duration = work.duration;
  if (callback.place != kNone) {
    request.callback.by = callbacks_.running();
    callbacks_.announce(request.callback, ScheduleKind::first, -1, duration, 0, work.operation);
    callbacks_.trace_enqueued(request.callback, Queue::pool, work.operation);
  }
  if (machine_.has_costs()) {
    thread_.pay(Cost::submit);
    duration += machine_.draw_cost(Cost::request);
  }
  const bool is_slow = work.kind == Request::Kind::getaddrinfo;
  loop_.submit_work({index, duration, work.needs_cpu, is_slow, machine_.next_order()});
  if (loop_.active_requests() > setup_.limits.queue) ending_.halt_for_queue();
  return index;
}

void Process::block(TimeNs duration) {
  thread_.spin_until(machine_.now() + duration);
  loop_.notice_time();
}

int Process::cancel(std::uint32_t index) {
  Request& request = requests_[index];
  const bool is_of_stream = request.kind == Request::Kind::connect || request.kind == Request::Kind::write ||
                            request.kind == Request::Kind::shutdown;
  if (is_of_stream) return kUvEinval;
  if (request.state != Request::State::queued) return kUvEbusy;
  engine_.charge_entries(static_cast<std::size_t>(loop_.active_requests()));
  if (!pool_.cancel(index)) return kUvEbusy;
  request.state = Request::State::cancelled;
  loop_.finish_cancelled();
  return 0;
}

void Process::on_work(std::uint32_t index, std::uint32_t thread, bool begins) {
  Request& request = requests_[index];
  LOOPSIM_ASSERT(request.state == (begins ? Request::State::queued : Request::State::running));
  request.state = begins ? Request::State::running : Request::State::done;
  if (request.callback.place != kNone) callbacks_.trace_work(request.callback, begins, thread, request.operation);
}

void Process::on_completed(const uv::Completed& done) {
  const Request& request = requests_[done.request];
  LOOPSIM_ASSERT(request.state == Request::State::done || request.state == Request::State::cancelled);
  if (request.callback.place == kNone) return;
  const bool was_cancelled = request.state == Request::State::cancelled;
  if (!was_cancelled)
    callbacks_.trace_ready(request.callback, done.ready_at, done.started, done.thread, request.operation);
  const int cancelled = request.kind == Request::Kind::getaddrinfo ? kUvEaiCanceled : kUvEcanceled;
  const std::array arguments = {request_value(done.request),
                                runtime::Value::of_number(was_cancelled ? cancelled : request.error)};
  call(request.callback, done.ready_at, arguments);
}

// ---- streams, descriptors -------------------------------------------------------------------------------------------

void Process::begin_request(std::uint32_t index) {
  loop_.add_active_handle();
  if (requests_[index].callback.place != kNone) announce(requests_[index].callback, ScheduleKind::first);
}

void Process::finish_request(std::uint32_t index, int status) {
  loop_.remove_active_handle();
  LOOPSIM_ASSERT(requests_[index].state != Request::State::done);  // it ends once
  requests_[index].state = Request::State::done;
  const runtime::Callback callback = requests_[index].callback;
  if (callback.place == kNone) return;
  const std::array arguments = {request_value(index), runtime::Value::of_number(status)};
  call(callback, -1, arguments);
}

int Process::init_poll(std::uint32_t label, std::uint32_t socket, std::uint32_t& handle) {
  if (const int error = polls_.may_watch(socket); error != 0) return error;
  handle = init(HandleKind::poll, label);
  handles_[handle].part = polls_.make(socket);
  return 0;
}

std::uint32_t Process::make_pair() {
  const std::uint32_t first = sockets_.make_pair();
  if (sockets_.count() > setup_.limits.queue) ending_.halt_for_queue();
  return first;
}

int Process::send(std::uint32_t socket, std::string_view bytes) { return std::max(sockets_.send(socket, bytes), -1); }

int Process::receive(std::uint32_t socket) {
  constexpr std::size_t kBuffer = 64 * 1024;
  std::string bytes;
  return std::max(sockets_.read(socket, kBuffer, bytes), -1);
}

// ---- signals (libuv src/unix/signal.c) ------------------------------------------------------------------------------

// A handle that once was started for one shot remains so.
int Process::start_signal(std::uint32_t index, const runtime::Callback& callback, int number, bool once) {
  Handle& handle = handles_[index];
  if (handle.signal != 0) cancel_callback(handle.callback);
  handle.callback = callback;
  announce(handle.callback, ScheduleKind::first);
  if (handle.signal == number) return 0;
  unwatch_signal(index);
  watch_signal(index, number, once);
  return 0;
}

int Process::stop_signal(std::uint32_t index) {
  if (handles_[index].signal == 0) return 0;
  cancel_callback(handles_[index].callback);
  unwatch_signal(index);
  return 0;
}

void Process::watch_signal(std::uint32_t index, int number, bool once) {
  Handle& handle = handles_[index];
  SignalState& state = state_of(number);
  const bool all_once = state.watchers == state.once;
  if (state.watchers == 0 || (!once && all_once)) state.action = once ? SignalAction::once : SignalAction::handler;
  handle.signal = number;
  handle.once = handle.once || once;
  ++state.watchers;
  if (handle.once) ++state.once;
  if (!std::exchange(handle.kept_active, false)) set_active(handle, true);
}

void Process::unwatch_signal(std::uint32_t index) {
  Handle& handle = handles_[index];
  if (handle.signal == 0) return;
  SignalState& state = state_of(handle.signal);
  --state.watchers;
  if (handle.once) --state.once;
  if (state.watchers == 0)
    state.action = SignalAction::by_default;
  else if (state.watchers == state.once && !handle.once)
    state.action = SignalAction::once;
  handle.signal = 0;
  if (handle.undispatched != 0 && setup_.libuv.caught_signal_keeps_active)
    handle.kept_active = true;
  else
    set_active(handle, false);
}

// The signal handler writes a message for every handle that watches: libuv's tree has those of one shot behind the
// others. With these alone, the kernel forgets the handler at the first signal (SA_RESETHAND).
void Process::on_outside(const FutureEvent& event) {
  if (ending_.is_over()) return;
  if (event.kind == FutureEvent::Kind::child_ends) return children_.on_time_over(event.data, event.time);
  if (setup_.inputs[event.data].kind != OutsideEvent::Kind::signal) return on_client(setup_.inputs[event.data]);
  const SignalInfo& signal = *find_signal(setup_.inputs[event.data].signal);
  if (tracer_.on()) tracer_.add_text(EventKind::input, signal.name).a = event.time;
  SignalState& state = state_of(signal.number);
  if (state.action == SignalAction::by_default) {
    if (signal.ends_process) ending_.end_process(ExitReason::signal, kSignalBase + signal.number);
    return;
  }
  if (state.action == SignalAction::once) state.action = SignalAction::by_default;
  for (const bool once : {false, true}) {
    for (std::uint32_t i = 0; i < handles_.size(); ++i) {
      if (handles_[i].signal != signal.number || handles_[i].once != once) continue;
      loop_.raise({signal.number, i, event.time});
      ++handles_[i].undispatched;
    }
  }
}

// A client outside of the process.
void Process::on_client(const OutsideEvent& event) {
  if (tracer_.on()) tracer_.add_text(EventKind::input, runtime::input_words(event)).a = event.at;
  if (clients_.size() <= event.client) clients_.resize(event.client + 1, kNone);
  std::uint32_t& socket = clients_[event.client];
  if (event.kind == OutsideEvent::Kind::connect) {
    socket = sockets_.connect_from_outside(event.port);
    return;
  }
  if (socket == kNone) return;
  switch (event.kind) {
    case OutsideEvent::Kind::write: sockets_.send(socket, event.data); break;
    case OutsideEvent::Kind::end:
      if (!sockets_[socket].sent_end) sockets_.shut_down(socket);
      break;
    default: sockets_.close(std::exchange(socket, kNone)); break;
  }
}

void Process::on_signal(const uv::Signal& message) {
  if (message.number == uv::kSigChld) return children_.on_signal();
  Handle& handle = handles_[message.watcher];
  if (handle.signal == message.number) {
    const std::array more = {runtime::Value::of_number(message.number)};
    if (handle.once) {
      const runtime::Callback now = std::exchange(handle.callback, {});
      const std::array arguments = {handle_value(message.watcher), more[0]};
      call(now, message.at, arguments);
      if (handle.signal != 0) cancel_callback(handle.callback);
    } else {
      run_repeated(message.watcher, message.at, more);
    }
  }
  --handle.undispatched;
  if (handle.once && !ending_.stopping()) unwatch_signal(message.watcher);
  if (handle.undispatched != 0) return;
  if (std::exchange(handle.kept_active, false)) set_active(handle, false);
  if (handle.closing && !setup_.libuv.closing_signal_turns) loop_.close_with_callback(message.watcher);
}

// The first arrival of a signal that ends the process: what is watched cannot change while it computes.
TimeNs Process::death() const {
  TimeNs first = kNever;
  std::array<TimeNs, kSignals> spared{};  // of each signal: the first arrival that a handler for one shot takes
  spared.fill(kNever);
  for (const FutureEvent& event : machine_.future()) {
    if (event.kind != FutureEvent::Kind::outside || event.time >= first) continue;
    if (setup_.inputs[event.data].kind != OutsideEvent::Kind::signal) continue;
    const SignalInfo& signal = *find_signal(setup_.inputs[event.data].signal);
    const SignalAction action = states_.at(static_cast<std::size_t>(signal.number)).action;
    if (!signal.ends_process || action == SignalAction::handler) continue;
    TimeNs time = event.time;
    if (action == SignalAction::once) {
      TimeNs& earliest = spared.at(static_cast<std::size_t>(signal.number));
      time = std::max(time, earliest);
      earliest = std::min(event.time, earliest);
    }
    first = std::min(first, time);
  }
  return first;
}

}  // namespace loopsim::libuv
