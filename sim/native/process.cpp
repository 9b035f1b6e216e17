// Implements loopsim/process.hpp: each call becomes a call of Node, with a callable of the native engine.
#include "loopsim/process.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "loopsim/profile.hpp"
#include "loopsim/simulator.hpp"

#include "sim/machine/shared_cores.hpp"
#include "sim/native/engine.hpp"
#include "sim/trace/names.hpp"
#include "sim/native/together.hpp"
#include "sim/node/environment.hpp"

namespace loopsim {

namespace {
using node::Tag;
using Values = std::span<const node::Value>;

native::Function plain(Process::Function function) {
  if (!function) return {};
  return [called = std::move(function)](Values) { called(); };
}

const Profile& profile_of(const std::string& runtime) {
  const Profile* profile = find_profile(runtime);
  if (profile == nullptr) throw std::invalid_argument("loopsim::Process: there is no runtime \"" + runtime + "\"");
  return *profile;
}
}  // namespace

struct Process::State {
  // Borrows the tracer, the names and the cores. Without cores, the process has its machine to itself.
  State(const ProcessOptions& given, const MachineSpec& machine, SharedCores* cores, Tracer& out, Names& names,
        native::Function main)
      : options(given),
        tracer(out),
        setup{.profile = profile_of(options.runtime),
              .machine = machine,
              .limits = options.limits,
              .inputs = {},
              .threadpool = options.threadpool,
              .main_label = 0,
              .seed = options.seed,
              .cores = cores},
        engine(options.limits.steps, options.limits.queue, tracer, names, std::move(main)),
        environment(setup, engine, tracer, position) {}

  [[nodiscard]] RunInfo info(std::span<const std::string> names) const;

  // `value` as an Error: an error object, or the text of any other value, without a name.
  [[nodiscard]] Error error_of(const node::Value& value) const {
    const node::ErrorObject* error = engine.error_of(value);
    return error != nullptr ? Error(error->message, error->code, error->name) : Error(engine.to_text(value), {}, "");
  }
  native::Function with_error(std::function<void(const Error&)> function) {
    if (!function) return {};
    return [this, called = std::move(function)](Values values) {
      called(error_of(values.empty() ? node::Value{} : values.front()));
    };
  }
  void listen(std::uint32_t emitter, std::string_view event, std::string_view label, native::Function function) {
    node::Listener listener;
    listener.callback = environment.callbacks.make(engine.callable(Api::on, label, std::move(function)));
    listener.callback.id = environment.callbacks.next_id();
    const std::uint32_t name = engine.event_name(event);
    environment.events.add(emitter, name, listener);
    environment.net_events.listener_added(emitter, name);
  }
  void on_process(std::string_view event, std::string_view label, native::Function function) {
    listen(environment.events.process_emitter(), event, label, std::move(function));
  }
  node::Callback announced(Api api, std::string_view label, Process::Function function) {
    if (!function) return {};
    node::Callback callback = environment.callbacks.make(engine.callable(api, label, plain(std::move(function))));
    environment.callbacks.announce(callback, ScheduleKind::first, -1, -1);
    return callback;
  }
  [[nodiscard]] node::Heap& heap() { return engine.heap(); }
  [[nodiscard]] std::uint32_t net_of(std::uint32_t emitter) { return heap().emitters[emitter].net; }
  // Leaves the program when the run is stopping: any call may reach a limit.
  void go_on() {
    if (environment.callbacks.stopping()) throw native::ProcessIsOver();
  }
  void retain(ProcessHandle::Kind kind, std::uint32_t index) { heap().retain(value_of(kind, index)); }
  void release(ProcessHandle::Kind kind, std::uint32_t index) { heap().release(value_of(kind, index)); }

  const ProcessOptions& options;
  Position position;
  Tracer& tracer;
  node::Setup setup;
  native::Engine engine;
  node::Environment environment;

 private:
  static node::Value value_of(ProcessHandle::Kind kind, std::uint32_t index) {
    using Kind = ProcessHandle::Kind;
    return node::Value::object(kind == Kind::timer       ? Tag::timer
                               : kind == Kind::immediate ? Tag::immediate
                               : kind == Kind::promise   ? Tag::promise
                                                         : Tag::emitter,
                               index);
  }
};

RunInfo Process::State::info(std::span<const std::string> names) const {
  RunInfo info;
  info.title = options.title;
  info.runtime = setup.profile.name;
  info.libuv = setup.profile.libuv.version;
  info.entry = "commonjs";
  info.machine = setup.machine.name;
  info.threadpool = options.threadpool;
  info.seed = options.seed;
  info.clock_phase = environment.clock_phase();
  info.names = names;
  return info;
}

// ---- the process ----------------------------------------------------------------------------------------------------------------

Process::Process(ProcessOptions options) : options_(std::move(options)) { profile_of(options_.runtime); }
Process::~Process() = default;

// The state of a trace.
struct Process::Trace {
  explicit Trace(std::span<TraceSink* const> sinks) : tracer(position, sinks), names(tracer) {}
  Position position;  // until a process has its own
  Tracer tracer;
  Names names;
};

RunSummary Process::run(const Function& main, std::span<TraceSink* const> sinks) {
  if (state_ != nullptr) throw std::logic_error("loopsim::Process::run: a process runs once");
  trace_ = std::make_unique<Trace>(sinks);
  Tracer& tracer = trace_->tracer;
  state_ = std::make_unique<State>(options_, options_.machine, nullptr, tracer, trace_->names, plain(main));
  tracer.exchange({&state_->position, 0, false});
  tracer.begin(state_->info(trace_->names.list()));
  try {
    RunSummary summary = state_->environment.run();
    tracer.end(summary);
    return summary;
  } catch (const std::bad_alloc&) {
    if (tracer.sink_failed()) throw;
    RunSummary summary = state_->environment.end_without_memory();
    tracer.end(summary);
    throw OutOfMemory(summary);
  }
}

std::vector<RunSummary> Together::run(const MachineSpec& machine, std::span<const Member> members,
                                      std::span<TraceSink* const> sinks) {
  if (members.empty()) throw std::invalid_argument("loopsim::Together::run: there is no process");
  std::uint32_t threads = 0;
  for (const Member& member : members) {
    if (member.process->state_ != nullptr) throw std::logic_error("loopsim::Process::run: a process runs once");
    threads += 1 + member.process->options_.threadpool;
  }
  Process& first = *members.front().process;
  first.trace_ = std::make_unique<Process::Trace>(sinks);
  Process::Trace& trace = *first.trace_;
  SharedCores cores(machine, threads, first.options_.seed, trace.tracer);
  std::vector<RunSummary> summaries(members.size());
  std::vector<std::function<void()>> lives;
  for (std::size_t i = 0; i < members.size(); ++i) {
    Process& process = *members[i].process;
    process.state_ = std::make_unique<Process::State>(process.options_, machine, &cores, trace.tracer, trace.names,
                                                      plain(members[i].main));
    lives.emplace_back([&process, &summary = summaries[i]] { summary = process.state_->environment.run(); });
  }
  trace.tracer.begin(first.state_->info(trace.names.list()));
  cores.run(std::move(lives));
  RunSummary whole = summaries.front();
  for (const RunSummary& other : std::span(summaries).subspan(1)) {
    whole.end_time = std::max(whole.end_time, other.end_time);
    whole.callbacks += other.callbacks;
    whole.steps += other.steps;
  }
  trace.tracer.end(whole);
  return summaries;
}

TimeNs Process::now() const { return state_->position.time; }
TimeMs Process::loop_time() const { return state_->environment.loop().now(); }

void Process::compute(Duration amount) {
  const TimeNs from = now();
  const TimeNs used = state_->environment.thread.compute(amount.count());
  if (state_->tracer.on()) {
    Event& event = state_->tracer.add(EventKind::burn);
    event.detail = static_cast<std::uint8_t>(BurnKind::cpu);
    event.a = used;
    event.b = from;
    event.c = now() - from;
  }
  state_->environment.loop().notice_time();
  state_->go_on();
}

Process::Timer Process::set_timeout(Duration delay, Function function, std::string_view label) {
  node::Environment& node = state_->environment;
  const node::Callable callable = state_->engine.callable(Api::set_timeout, label, plain(std::move(function)));
  const Timer timer(*state_, ProcessHandle::Kind::timer,
                    node.timers.make(node.timers.delay_of_time(delay.count()), false, kNone, callable, true));
  state_->go_on();
  return timer;
}

Process::Timer Process::set_interval(Duration delay, Function function, std::string_view label) {
  node::Environment& node = state_->environment;
  const node::Callable callable = state_->engine.callable(Api::set_interval, label, plain(std::move(function)));
  const Timer timer(*state_, ProcessHandle::Kind::timer,
                    node.timers.make(node.timers.delay_of_time(delay.count()), true, kNone, callable, true));
  state_->go_on();
  return timer;
}

Process::Immediate Process::set_immediate(Function function, std::string_view label) {
  const node::Callable callable = state_->engine.callable(Api::set_immediate, label, plain(std::move(function)));
  const Immediate immediate(*state_, ProcessHandle::Kind::immediate,
                            state_->environment.immediates.make(callable, kNone, true));
  state_->go_on();
  return immediate;
}

void Process::next_tick(Function function, std::string_view label) {
  if (state_->environment.exit.is_exiting()) return;
  state_->environment.task_queue.next_tick(state_->engine.callable(Api::next_tick, label, plain(std::move(function))));
  state_->go_on();
}

void Process::queue_microtask(Function function, std::string_view label) {
  state_->engine.queue_microtask(plain(std::move(function)), label);
  state_->go_on();
}

void Process::start_work(const Work& work, std::function<void(const Error*)> callback, std::string_view label) {
  State* const state = state_.get();
  native::Function told = [state, called = std::move(callback)](Values values) {
    if (!called) return;
    const bool failed = !values.empty() && values.front().tag == Tag::error;
    if (!failed) return called(nullptr);
    const Error error = state->error_of(values.front());
    called(&error);
  };
  node::Operation operation;
  operation.name = work.operation;
  operation.error = work.error;
  operation.request_names[0] = work.operation;
  operation.durations[0] = work.duration.count();
  operation.needs_cpu = work.needs_cpu;
  operation.is_network = work.is_network;
  const Api api = work.is_network ? Api::dns : Api::fs;
  state->environment.requests.start(
      operation, kNone, state->environment.callbacks.make(state->engine.callable(api, label, std::move(told))));
  state->go_on();
}

Process::Promise Process::make_promise(std::string_view label) {
  return {*state_, ProcessHandle::Kind::promise, state_->engine.new_promise(label)};
}

Process::Server Process::listen(std::uint16_t port, std::function<void(Socket)> on_connection, std::string_view label) {
  State* const state = state_.get();
  const Server server(*state, ProcessHandle::Kind::emitter,
                      state->environment.servers.listen(port, state->engine.name(label), false));
  if (on_connection) {
    state->listen(server.index_, "connection", label, [state, called = std::move(on_connection)](Values values) {
      state->heap().retain(values.front());
      called(Socket(*state, ProcessHandle::Kind::emitter, values.front().index));
    });
  }
  state->go_on();
  return server;
}

Process::Socket Process::connect(std::uint16_t port, Function on_connect, std::string_view label) {
  State* const state = state_.get();
  const Socket socket(*state, ProcessHandle::Kind::emitter,
                      state->environment.sockets.connect(port, state->engine.name(label), false));
  if (on_connect) state->listen(socket.index_, "connect", label, plain(std::move(on_connect)));
  state->go_on();
  return socket;
}

void Process::set_exit_code(int code) {
  state_->engine.fail(state_->environment.exit.set_code(node::Value::of_number(code)));
}

void Process::exit(int code) {
  const node::Value value = node::Value::of_number(code);
  state_->engine.fail(state_->environment.exit.process_exit(&value));
  throw native::ProcessIsOver();
}

void Process::on_exit(std::function<void(int)> function, std::string_view label) {
  state_->on_process("exit", label, [called = std::move(function)](Values values) {
    called(static_cast<int>(values.front().number));
  });
}

void Process::on_before_exit(Function function, std::string_view label) {
  state_->on_process("beforeExit", label, plain(std::move(function)));
}

void Process::on_uncaught_exception(std::function<void(const Error&)> function, std::string_view label) {
  state_->on_process("uncaughtException", label, state_->with_error(std::move(function)));
}

void Process::on_unhandled_rejection(std::function<void(const Error&)> function, std::string_view label) {
  state_->on_process("unhandledRejection", label, state_->with_error(std::move(function)));
}

// ---- handles --------------------------------------------------------------------------------------------------------------------

ProcessHandle::ProcessHandle(const ProcessHandle& other)
    : state_(other.state_), index_(other.index_), kind_(other.kind_) {
  state_->retain(kind_, index_);
}

ProcessHandle& ProcessHandle::operator=(const ProcessHandle& other) {
  other.state_->retain(other.kind_, other.index_);
  state_->release(kind_, index_);
  state_ = other.state_;
  index_ = other.index_;
  kind_ = other.kind_;
  return *this;
}

ProcessHandle::~ProcessHandle() { state_->release(kind_, index_); }

void Process::Timer::clear() { state_->environment.timers.clear(index_); }
void Process::Timer::refresh() { state_->environment.timers.refresh(index_); }
void Process::Timer::ref() { state_->environment.timers.ref(index_); }
void Process::Timer::unref() { state_->environment.timers.unref(index_); }
bool Process::Timer::has_ref() const { return state_->environment.timers.has_ref(index_); }

void Process::Immediate::clear() { state_->environment.immediates.clear(index_); }
void Process::Immediate::ref() { state_->environment.immediates.ref(index_); }
void Process::Immediate::unref() { state_->environment.immediates.unref(index_); }

void Process::Promise::resolve() { state_->engine.resolve_promise(index_, {}); }

void Process::Promise::reject(const Error& reason) {
  const node::Value error = state_->heap().make_error(reason.name, reason.what(), reason.code);
  state_->engine.reject_promise(index_, error);
  state_->heap().release(error);
}

Process::Promise Process::Promise::then(Function function, std::string_view label) {
  const Promise derived(*state_, Kind::promise, state_->engine.then(index_, plain(std::move(function)), {}, label));
  state_->go_on();
  return derived;
}

Process::Promise Process::Promise::catch_error(std::function<void(const Error&)> function, std::string_view label) {
  const Promise derived(*state_, Kind::promise,
                        state_->engine.then(index_, {}, state_->with_error(std::move(function)), label));
  state_->go_on();
  return derived;
}

void Process::Server::close(Function on_close, std::string_view label) {
  node::Callback callback;
  if (on_close)
    callback =
        state_->environment.callbacks.make(state_->engine.callable(Api::close, label, plain(std::move(on_close))));
  state_->environment.servers.close(state_->net_of(index_), callback);
}

void Process::Socket::on_data(std::function<void(std::string_view)> function, std::string_view label) {
  Process::State* const state = state_;
  state_->listen(index_, "data", label, [state, called = std::move(function)](Values values) {
    called(state->engine.string_of(values.front()));
  });
}

void Process::Socket::on_end(Function function, std::string_view label) {
  state_->listen(index_, "end", label, plain(std::move(function)));
}

void Process::Socket::on_close(Function function, std::string_view label) {
  state_->listen(index_, "close", label, plain(std::move(function)));
}

void Process::Socket::on_error(std::function<void(const Error&)> function, std::string_view label) {
  state_->listen(index_, "error", label, state_->with_error(std::move(function)));
}

void Process::Socket::write(std::string_view bytes, Function on_written, std::string_view label) {
  node::WriteRequest request;
  request.bytes = bytes;
  request.callback = state_->announced(Api::write, label, std::move(on_written));
  state_->engine.fail(state_->environment.sockets.write(state_->net_of(index_), std::move(request)));
  state_->go_on();
}

void Process::Socket::end() {
  state_->engine.fail(state_->environment.sockets.end(state_->net_of(index_), false, {}, {}));
  state_->go_on();
}

void Process::Socket::destroy() { state_->environment.sockets.destroy(state_->net_of(index_)); }
void Process::Socket::pause() { state_->environment.readables.pause(state_->net_of(index_)); }
void Process::Socket::resume() { state_->environment.readables.resume(state_->net_of(index_)); }

}  // namespace loopsim
