// The engine of JavaScript programs: QuickJS behind Node's interface to a language.
//
// QuickJS runs the program, and knows its values, promises and async functions; the queue of its jobs is kept here, so
// that every microtask is seen before and after it runs. What the program calls of Node is in JavaScript (node/*.js)
// down to the functions of bindings.cpp, which call node::Environment as the scenario language's bindings do.
//
// A value that only QuickJS can read (an object, a string, a symbol) is a Tag::foreign for Node.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "loopsim/assert.hpp"

#include "sim/machine/random.hpp"
#include "sim/machine/ring_queue.hpp"
#include "sim/node/engine.hpp"
#include "sim/program/program.hpp"
#include "sim/quickjs/builtins.hpp"
#include "sim/quickjs/instance.hpp"
#include "sim/quickjs/program_places.hpp"
#include "sim/quickjs/started_worlds.hpp"
#include "sim/quickjs/syntax.hpp"
#include "sim/trace/names.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim::quickjs {

using node::Callable;
using node::Callback;
using node::Flow;
using node::Value;

class Stepper;

class Engine final : public node::Engine, private Host {  // NOLINT(cppcoreguidelines-virtual-class-destructor): final
 public:
  // All of these must outlive it.
  Engine(const Program& program, std::uint64_t seed, Tracer& tracer, Names& names);
  ~Engine();

  // ---- for Node --------------------------------------------------------------------------------------------------------------
  void connect(node::Environment& node, TimeMs start_clock) override;
  Flow call(std::uint32_t place, std::uint32_t context, std::span<const Value> arguments, Value* result) override;
  Flow run_leaf(std::uint32_t place, std::uint32_t context) override { return call(place, context, {}, nullptr); }
  Flow run_main(Value* result) override;
  Flow run_job() override;
  void enqueue_main() override;
  Flow throw_value(const Value& value) override;
  void resolve_promise(std::uint32_t promise, const Value& value) override;
  void reject_promise(std::uint32_t promise, const Value& reason) override;
  void watch_main(const Value& result, Flow flow, std::uint32_t hops) override;
  [[nodiscard]] bool main_is_pending() const override;
  bool take_failure_of_main() override { return std::exchange(main_has_failed_, false); }
  [[nodiscard]] std::string to_text(const Value& value) const override;
  [[nodiscard]] double to_number(const Value& value) const override;
  [[nodiscard]] bool is_true(const Value& value) const override;
  [[nodiscard]] bool is_error(const Value& value) const override;
  [[nodiscard]] std::string specific_type(const Value& value) const override;
  [[nodiscard]] std::string_view string_of(const Value& value) const override;
  std::uint32_t event_name(std::string_view event) override;
  [[nodiscard]] std::string_view name_of_event(std::uint32_t name) const override { return events_[name]; }
  [[nodiscard]] bool owns_process() const override { return true; }
  [[nodiscard]] bool process_has(std::string_view event) override;
  Flow emit_process(std::string_view event, std::span<const Value> arguments, TimeNs due, bool* had_listeners) override;
  [[nodiscard]] bool reports_errors() const override { return is_object(report_fatal_); }
  std::string report_fatal(const Value& error, bool from_promise) override;
  void report_unsettled_await() override;
  Value unhandled_rejection(const Value& reason) override;
  Flow warn_of_rejection(const Value& reason, std::uint64_t number) override;
  Flow warn_of_late_handler(std::uint64_t number) override;
  [[nodiscard]] RejectionMode rejection_mode() const override { return rejection_mode_; }
  [[nodiscard]] std::size_t waiting_messages(std::uint32_t port) override;
  Flow deliver_message(std::uint32_t port, bool& has_delivered) override;
  Flow port_closed(std::uint32_t port) override;
  Flow handle_report(std::uint32_t handle, const node::HandleReport& report) override;
  Flow child_report(std::uint32_t child, int code, int signal, TimeNs since) override;
  [[nodiscard]] bool plans_operations() const override { return true; }
  void handle_gone(std::uint32_t handle) override;
  void work_done(std::uint32_t plan) override { worked_.push_back(plan); }
  bool next_request(std::uint32_t plan, std::string_view& name, TimeNs& duration) override;
  void process_ends() override;
  void charge_text(const Value& /*value*/) override {}
  Flow out_of_steps() override;

 private:
  friend struct HostTest;                                // tests/support/raw_calls.cpp
  static constexpr std::size_t kStepsOfAKibibyte = 100;  // of a module that is compiled
  void halt_for_steps(std::uint32_t pc);
  // ---- the world of the program (Host) ------------------------------------------------------------------------------------------
  Owned call(std::uint32_t function, Js this_value, std::span<const Js> arguments) override;
  void enqueue_job(std::uint32_t job_function, std::span<const Js> arguments) override;
  void reacts(Js promise, Js fulfilled, Js rejected, Js resolve) override;
  void settles(Js promise, bool is_rejected, Js value) override;
  void resolves_again(Js promise, bool is_rejected, Js value) override;
  bool end_awaits() override { return program_.profile->await_wraps; }
  void makes_promise(Js promise, Js parent) override;
  bool await_wraps(Js value) override;
  bool closes_sync_iterators() override { return closes_sync_iterators_ == kTrue; }
  bool yield_star_awaits() override { return yield_star_awaits_ == kTrue; }
  bool rejects_importers_last() override { return rejects_importers_last_ == kTrue; }
  void rejection(Js promise, Js reason, bool is_handled) override;
  bool interrupt() override;
  bool works(std::uint32_t portions) override;
  void stops_at_work() override;
  std::int64_t read_clock(bool is_monotonic) override;
  void random(std::span<std::uint8_t> bytes) override;
  std::optional<std::string> normalize_module(const std::string& base, const std::string& name) override;
  std::optional<std::string> load_module(const std::string& name) override;
  std::optional<std::string> ask_for_text(Js function, std::span<const std::string> arguments);
  void collected(std::uint32_t opaque) override;
  std::uint32_t statement(std::uint32_t parser, bool begins) override;
  std::uint32_t position(std::uint32_t function, std::uint32_t line, std::uint32_t column) override;
  void instruction(std::uint32_t pc, std::uint32_t sp) override;

  // ---- functions that the program calls (bindings.cpp) ----------------------------------------------------------------------------
  using Binding = Owned (Engine::*)(Js this_value, Given arguments);
  struct BindingRow {
    std::string_view name;
    int length;
    Binding function;
    bool reads_clock = false;
    bool is_of_start = false;   // the library's start may call it: all that it leaves here is in values_of_start()
    bool is_for_trace = false;  // nothing but names in the trace depends on it: it takes no time
  };
  struct BindingTable;
  static std::span<const BindingRow> bindings();
  Owned set_timeout(Js this_value, Given arguments);
  Owned set_interval(Js this_value, Given arguments);
  Owned set_immediate(Js this_value, Given arguments);
  Owned clear(Js this_value, Given arguments);
  Owned timer_method(Js this_value, Given arguments);
  Owned next_tick(Js this_value, Given arguments);
  Owned queue_microtask(Js this_value, Given arguments);
  Owned print(Js this_value, Given arguments);
  Owned write(Js this_value, Given arguments);
  void look_for_domain(const Value& error);
  void print_line(const std::string& text, bool is_error);
  Owned exit(Js this_value, Given arguments);
  Owned set_exit_code(Js this_value, Given arguments);
  Owned set_captures(Js this_value, Given arguments);
  Owned set_rejection_mode(Js this_value, Given arguments);
  Owned own_exit_code(Js this_value, Given arguments);
  Owned is_exiting(Js this_value, Given arguments);
  Owned memory_size(Js this_value, Given arguments);
  Owned active_resources(Js this_value, Given arguments);
  Owned collect_garbage(Js this_value, Given arguments);
  Owned job_number(Js this_value, Given arguments);
  Owned unsettled(Js this_value, Given arguments);
  Owned subject(Js this_value, Given arguments);
  Owned last_match(Js this_value, Given arguments);
  Owned advise(Js this_value, Given arguments);
  Owned calls(Js this_value, Given arguments);
  Owned waiting(Js this_value, Given arguments);
  Owned hrtime(Js this_value, Given arguments);
  Owned cpu(Js this_value, Given arguments);
  Owned note_listener(Js this_value, Given arguments);
  Owned call_listener(Js this_value, Given arguments);
  Owned async_context(Js this_value, Given arguments);
  // Numbers of resources, and the hooks that are told of them (async_ids.cpp).
  Owned new_async_id(Js this_value, Given arguments);
  Owned execution_id(Js this_value, Given arguments);
  Owned trigger_id(Js this_value, Given arguments);
  Owned execution_resource(Js this_value, Given arguments);
  Owned default_trigger(Js this_value, Given arguments);
  Owned enter_async(Js this_value, Given arguments);
  Owned leave_async(Js this_value, Given arguments);
  Owned set_execution(Js this_value, Given arguments);
  Owned queue_destroy(Js this_value, Given arguments);
  Owned set_hooks(Js this_value, Given arguments);
  Owned set_resource(Js this_value, Given arguments);
  // Message ports, and what measures the loop (bindings_ports.cpp).
  Owned make_port(Js this_value, Given arguments);
  Owned port_method(Js this_value, Given arguments);
  Owned watch_ports(Js this_value, Given arguments);
  Owned loop_times(Js this_value, Given arguments);
  Owned make_monitor(Js this_value, Given arguments);
  Owned switch_monitor(Js this_value, Given arguments);
  Owned read_monitor(Js this_value, Given arguments);
  Owned process_facts(Js this_value, Given arguments);
  Owned read_module(Js this_value, Given arguments);
  Owned adopt_state(Js this_value, Given arguments);
  Owned compile_module(Js this_value, Given arguments);
  Owned compile_builtin(Js this_value, Given arguments);
  const Builtins* builtins();  // of the version; null: it is not here
  Owned private_symbol(Js this_value, Given arguments);
  Owned count_load(Js this_value, Given arguments);
  Owned report_exception(Js this_value, Given arguments);
  Owned line_in(Js this_value, Given arguments);
  // Files, and requests to the pool and the network (bindings_work.cpp).
  Owned start_work(Js this_value, Given arguments);
  Owned settle_work(Js this_value, Given arguments);
  Owned hold_up(Js this_value, Given arguments);
  Owned file_facts(Js this_value, Given arguments);
  Owned draw_duration(Js this_value, Given arguments);
  Owned read_file(Js this_value, Given arguments);
  Owned list_folder(Js this_value, Given arguments);
  Owned pbkdf2(Js this_value, Given arguments);
  Owned random_number(Js this_value, Given arguments);
  Owned wall_time(Js this_value, Given arguments);
  Owned start_time(Js this_value, Given arguments);
  Owned class_id(Js this_value, Given arguments);  // values.cpp
  Owned promise_details(Js this_value, Given arguments);
  Owned proxy_details(Js this_value, Given arguments);
  Owned iterator_members(Js this_value, Given arguments);
  Owned program_source(Js this_value, Given arguments);
  Owned running_api(Js this_value, Given arguments);
  Owned threw_in(Js this_value, Given arguments);
  Owned machine_facts(Js this_value, Given arguments);
  Owned make_timer(Given arguments, bool repeats);
  Owned timer_field(std::uint32_t timer, char method, Js handle);
  Owned immediate_field(std::uint32_t immediate, char method);
  Owned set_timer_field(std::uint32_t timer, char field, Js value);
  void set_callback(std::uint32_t context, Js value);
  // Servers, sockets, child processes (bindings_net.cpp).
  Owned watch_handles(Js this_value, Given arguments);
  Owned variable(Js this_value, Given arguments);
  Owned net_make(Js this_value, Given arguments);
  Owned net_listen(Js this_value, Given arguments);
  Owned net_connect(Js this_value, Given arguments);
  Owned net_write(Js this_value, Given arguments);
  Owned net_method(Js this_value, Given arguments);
  Owned net_pipe(Js this_value, Given arguments);
  Owned watch_children(Js this_value, Given arguments);
  Owned child_start(Js this_value, Given arguments);
  Owned child_method(Js this_value, Given arguments);
  Owned kill(Js this_value, Given arguments);
  Owned signal_listener_removed(Js this_value, Given arguments);
  Value code_of(Js code);
  std::uint32_t label_of_object();  // of the variable that the call's result goes to

  // ---- what a program holds of Node's (handles.cpp) -------------------------------------------------------------------------------
  // A handle is a host object, which no JavaScript can forge. Its number has the kind, and the index: of a timer or an immediate in
  // the heap, where the handle has a reference to it; of the others in crossings_, which says whether it lives.
  enum HandleKind : std::uint32_t { kTimer, kImmediate, kSocket, kPort, kMonitor, kRequest, kChild };
  struct Crossing {
    std::uint32_t index = kNone;            // among Node's own; kNone: what it stood for is gone
    Js object = kUndefined;                 // the handle, as long as Node may call for it
    bool is_used = false, is_shut = false;  // of a socket: it listens or connects; its side was shut down
  };
  // What the handle stands for; kNone: it is none of this kind, or stands for nothing any more.
  std::uint32_t checked(Js handle, HandleKind kind);
  Crossing* crossing_of(Js handle, HandleKind kind);  // null: the same
  Owned refuse();                                     // throws what says so
  Js make_handle(HandleKind kind, std::uint32_t index, Js prototype);
  std::uint32_t begin_crossing(HandleKind kind, std::uint32_t index);
  void end_crossing(std::uint32_t number);
  void let_go_of(std::uint32_t number);  // of its object
  [[nodiscard]] Js socket_object(std::uint32_t net) const;
  [[nodiscard]] Js port_object(std::uint32_t port) const;
  Js begin_socket(std::uint32_t net, bool is_used);  // the object of a new crossing of it (borrowed)
  node::NetObject* open_socket(const Crossing* handle, bool is_server);  // null: it is another thing, or closed

  // ---- callables and values ------------------------------------------------------------------------------------------------------
  struct Bound {  // by context
    Js function = kUndefined;
    std::vector<Js> arguments;
    Js async_context = kUndefined;  // at the time when it was handed over
    Js self = kUndefined;           // the timer or immediate, while it may run; of a tick, what hooks were told of
    std::uint64_t async_id = 0, trigger_id = 0;  // 0: it has none
    bool is_destroyed = false;                   // and hooks have been told so, if there are any
    std::uint32_t crossing = kNone;              // of a request
  };
  [[nodiscard]] Bound& bound(std::uint32_t context) {
    LOOPSIM_ASSERT(context < contexts_.size() && heap_.scopes.is_alive(context));
    return contexts_[context];
  }
  Owned arguments_of(const Bound& bound);
  // A callable that calls the function with these arguments; it has references of its own.
  Callable callable(Api api, Js function, std::span<const Js> arguments = {});
  Callable callable_at(std::uint32_t place, Js function, std::span<const Js> arguments);
  static void on_scope_ended(void* self, std::uint32_t scope);
  static void on_foreign_ended(void* self, std::uint64_t value);
  Owned to_js(const Value& value);
  Value to_node(Js value);                               // the caller owns the reference
  Flow ask(Js function, std::span<const Js> arguments);  // a function of the library, for what it does
  Flow threw();                                          // QuickJS has thrown: takes its exception
  Owned unwind(Flow flow);               // the result of a call of Node, as that of a function of the program
  std::uint32_t promise_of(Js promise);  // Node's stand-in for it
  // The program's object for an emitter of Node's (borrowed), which is the process.
  [[nodiscard]] Js object_of(std::uint32_t emitter) const;
  std::uint32_t emitter_of(Js object) const;  // kNone: it stands for none

  // Of an operation that the library plans: functions that do a request's work, and say which one comes next.
  struct WorkPlan {
    Js work = kUndefined, next = kUndefined;
  };
  void run_worked();
  TimeNs duration_of(Js number);

  struct Job {
    std::uint32_t function = 0;
    std::vector<Js> arguments;
    Callback callback;  // place kNone: of the engine's own
    std::uint64_t entry = 0;
    bool is_main = false;    // Environment::run_main_body()
    bool is_loader = false;  // the module loader sees the main module's failure
    std::uint32_t hops = 0;  // of the loader: jobs until it becomes an exception
    bool is_await = false;   // `callback` is the rest of an async function
    Js async_context = kUndefined;
    bool is_microtask = false;    // of queueMicrotask(): `arguments` has its function
    bool ends_hooks = false;      // no hook is left: none is told of promises from here on
    Js thrown_away = kUndefined;  // of an await, while hooks are told of promises: the promise that stands for it
  };
  struct Reaction {
    Callback fulfilled, rejected;    // of an await: `fulfilled` is its rest, in both cases
    std::uint32_t keys[2] = {0, 0};  // of an await
  };
  void note_module(Js resumes);
  void prepare_for(std::string_view source);
  const Job* running_job_ = nullptr;  // of a promise
  std::uint64_t job_number_ = 0;      // of the callback and the microtasks behind it
  void run_reaction_job(const Job& job);
  Flow run_await(const Job& job);
  Flow run_loader(const Job& job);
  Flow fail_captured();
  void main_has_settled();
  void complete(bool is_rejected, Js reason);  // an error that the engine made
  Flow start_world();
  StartedWorld& add_start(StartedWorlds& started) const;
  void keep_start(StartedWorld& kept);
  void name_script();
  [[nodiscard]] bool may_go_on() const;
  void keep_compiled(Js wrapper);
  Flow run_start();                             // of the library
  [[nodiscard]] std::string start_key() const;  // all that the start depends on
  // What it leaves here, beside its world.
  struct StartRow {
    std::string_view name;  // in what it returns; empty: not there
    Js Engine::*value;
  };
  static std::span<const StartRow> values_of_start();
  Flow run_script();
  Flow run_module();
  bool follows_at_once(std::uint32_t job_function, std::span<const Js> arguments);
  void let_go_of_self(std::uint32_t context);
  // True: the version of Node cannot read a module, and an exception says so.
  bool throws_for_syntax(std::string_view source, const std::string& file, bool is_module);
  // The function that a CommonJS script is the body of.
  Owned wrapper_of(std::string_view source, const std::string& file);
  void trace_queued(const Job& job);
  // The context of a reaction, for its job.
  struct ReactionContext {
    Js context = kUndefined;
    std::uint32_t other = 0;  // the key of the other handler
  };
  void keep_context(std::uint32_t fulfilled, std::uint32_t rejected);
  Owned take_context(std::uint32_t reaction);
  class InContext;
  void push_job(Job&& job);

  // ---- numbers of resources, and hooks (async_ids.cpp) ------------------------------------------------------------------------
  // Which of them the program has, and what of its promises they have to be told.
  enum Hooks : std::uint32_t {
    kInitHooks = 1,
    kBeforeHooks = 2,
    kAfterHooks = 4,
    kDestroyHooks = 8,
    kResolveHooks = 16,
    kAnyHooks = 32,
    kPromiseHooks = 64,
    kPromiseInitHooks = 128,
  };
  // The first argument of the library's tellHook().
  enum class HookEvent : std::uint8_t { init, before, after, destroy };
  // The first argument of its promiseHook().
  enum class PromiseEvent : std::uint8_t { init, before, after, settled };
  // What runs, as its numbers tell.
  struct Execution {
    std::uint64_t id = 0, trigger = 0;
    Js resource = kUndefined;
  };
  // While this lives, a job runs, and hooks have been told of its promise, if they know one.
  class InPromise {
   public:
    InPromise(Engine& engine, const Job& job);
    ~InPromise();
    InPromise(const InPromise&) = delete;
    InPromise& operator=(const InPromise&) = delete;

   private:
    Engine& engine_;
    const Job& job_;
    Js promise_;
    Execution outer_;
  };
  [[nodiscard]] Js promise_of_job(const Job& job);
  [[nodiscard]] std::uint64_t trigger_of_new() const {
    return default_trigger_ >= 0 ? static_cast<std::uint64_t>(default_trigger_) : execution_.id;
  }
  // Gives a new resource its numbers, and tells hooks of it. False: the run has ended.
  bool begin_resource(std::uint32_t context, std::string_view type, Js resource);
  Flow leave(std::uint32_t context, Api api, Flow flow, const Execution& outside);
  void end_resource(Bound& bound, bool is_request = false);
  void end_request();
  [[nodiscard]] bool is_armed_again(Js timer);
  // False: the run has ended, as it does when a hook throws.
  bool tell_hooks(HookEvent event, std::uint64_t id) { return tell_hooks(event, id, {}, 0, kUndefined, nullptr); }
  bool tell_hooks(HookEvent event, std::uint64_t id, std::string_view type, std::uint64_t trigger, Js resource,
                  Js* made);
  bool tell_promise(PromiseEvent event, Js promise, Js parent = kUndefined);
  void begin_await(Js promise, Js resumes);
  void begin_wrapper(Js promise);
  void set_execution(Execution execution);
  void end_hooks_of_promises();
  void note_failure(bool is_in_scope);
  void keep_failed_context(Js context);
  void forget_rejected_context(std::uint32_t promise);
  Owned context_of_rejected(std::uint32_t promise);
  bool forget_failure();
  Flow run_native_immediates() override;
  void main_is_over() override;
  void enter_context(ContextOf of, std::uint32_t promise) override;
  void leave_context() override;
  void own_immediate_runs() override;
  void timer_handle_made(std::uint32_t handle) override;
  void timer_handle_runs(std::uint32_t handle, bool begins) override;
  void timer_handle_closed(std::uint32_t handle) override;
  void begin_handles();
  void begin_own_immediate();

  // ---- what computation costs (computation.cpp) ---------------------------------------------------------------------------------
  // The thread is given the CPU time of the jumps and calls since the last time. False: the run has ended meanwhile.
  bool pay_for_jumps();
  // The same, and what the program has computed since the last one of these is told, if it is long.
  bool end_computation();
  bool compute(TimeNs amount);  // CPU time that is a part of it; false: the run has ended
  void tell_computation(TimeNs from, TimeNs amount);

  const Program& program_;
  std::optional<Builtins> builtins_;
  std::uint32_t loads_ = 0;  // of files of Node's own library, one within the other
  // Interrupts while files are loaded that take no steps: more than all of them need. Up to Node 11 a program's functions may run there.
  std::uint32_t free_interrupts_ = 500;
  Tracer& tracer_;
  Names& names_;
  ProgramPlaces where_;
  node::Environment* node_ = nullptr;
  std::uint64_t seed_;
  RandomStream random_;
  Sampler system_call_;
  std::unique_ptr<Instance> js_;
  StartedWorld* started_ = nullptr;   // where the thread keeps the start of js_
  SyntaxReader syntax_;               // of modules
  std::unique_ptr<Stepper> stepper_;  // if steps are told
  std::deque<Bound> contexts_;
  RingQueue<Job> job_queue_;
  std::vector<Js> module_awaits_;  // what resumes the bodies of modules that have waited
  std::set<std::string, std::less<>>
      imported_;  // those that the main module names, and so on; not what import() has loaded
  std::unordered_map<std::uint32_t, Reaction> reactions_;  // lookup only, never iterated: by the key of reaction_key()
  std::map<std::string, std::uint32_t, std::less<>> event_of_;
  std::deque<std::string> events_;
  std::unordered_map<std::uint32_t, Js> promise_objects_;  // lookup only, never iterated: by Node's promise
  // Node's promise, by QuickJS's.
  std::unordered_map<std::uint32_t, std::uint32_t> tracked_;  // lookup only, never iterated
  std::array<std::string, 2> unfinished_;                     // lines on standard output and on standard error, so far
  std::set<std::uint32_t> adopted_;  // rejected promises that another has taken its state from: handled
  std::uint64_t host_calls_ =
      0;  // of this engine by its world: what they leave behind stands here, and not in the world
  std::uint64_t promises_made_ = 0;
  std::deque<Crossing> crossings_;  // which stay where they are
  std::vector<std::uint32_t> free_crossings_;
  // The crossings of Node's, by their indices; kNone: there is none.
  std::vector<std::uint32_t> sockets_, ports_, children_;
  std::vector<WorkPlan> plans_;
  std::vector<std::uint32_t> free_plans_;
  std::vector<std::uint32_t> worked_;  // plans whose work threads have done, in that order, and it has not been run yet
  std::vector<Draws> file_draws_;      // of Script::durations
  // What AsyncLocalStorage finds: current while a callable or a job runs that was made while it was current.
  Js async_context_ = kUndefined;
  Js failed_context_ = kUndefined;  // of the last exception that has left a callback
  struct OuterContext {
    Js context = kUndefined;
    ContextOf of = ContextOf::nothing;
  };
  std::vector<OuterContext> outer_contexts_;  // of enter_context()
  // By promise, until its rejection is told.
  std::unordered_map<std::uint32_t, Js> rejected_contexts_;  // lookup only, never iterated
  // Numbers of resources, and hooks.
  std::uint64_t last_async_id_ = 0;
  Execution execution_;                      // it has a reference to the resource
  std::vector<Execution> outer_executions_;  // of enterAsync()
  std::int64_t default_trigger_ = -1;        // what new resources come from; -1: from what runs
  bool has_failed_ = false;                  // execution_ is that of the callback that an exception has left
  bool failed_in_scope_ = false;             // which the loop has called, in a callback scope of its own
  std::uint32_t hooks_ = 0;                  // of Hooks
  std::vector<std::uint64_t> destroyed_;     // hooks are told at the next check phase
  std::uint64_t ended_request_ = 0;          // its destruction comes behind the ticks of its callback; 0: none
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      own_immediates_;                        // Node's own, that will run: their numbers, and their triggers'
  std::vector<std::uint64_t> timer_handles_;  // by their numbers in Node
  std::vector<std::uint32_t> new_handles_;    // they get a number when their first timer has one
  bool makes_timer_ = false;
  Js tell_hook_ = kUndefined, promise_hook_ = kUndefined;  // functions of node/internal/async_ids.js
  // Of `await` of what is no promise: the one that is made for it, which hooks are told of once it is known who waits.
  bool makes_wrapper_ = false, has_settled_wrapper_ = false;
  Js wrapper_ = kUndefined;
  // By the key of the await's reaction.
  std::unordered_map<std::uint32_t, Js> thrown_away_;           // lookup only, never iterated
  Js deliver_message_ = kUndefined, port_closed_ = kUndefined;  // functions of node/internal/ports.js
  Js facts_ = kUndefined;                                       // internalBinding.facts
  Js report_handle_ = kUndefined;                               // of node/internal/handles.js
  TimeNs reported_at_ = -1;                                     // the time of the event that a handle reports now
  // By both handlers' keys.
  std::unordered_map<std::uint32_t, ReactionContext> reaction_contexts_;  // lookup only, never iterated
  Api threw_in_ = Api::main;                                              // the last call from Node that threw
  Api running_api_ = Api::main;                                           // of the call from Node that runs now
  mutable std::string text_;                                              // of string_of()
  std::uint32_t file_ = 0;                                                // the script's name, as an atom
  // Where listeners were added, and by which callback: by emitter, event and function; by the object itself that has
  // the function.
  struct AddedListener {
    SourcePosition at;
    std::uint64_t by = 0;
  };
  AddedListener added_listener(Js emitter, const std::string& event, Js function);
  std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, AddedListener> added_;
  // What computation costs.
  std::function<void()> when_started_;  // of a HostTest: the program has not begun
  bool has_started_ = false;            // the library's own start is part of the process's
  bool is_locating_ = false;            // the steps are over, and the next instruction tells where
  bool start_is_alone_ = true;          // it has called only what is_of_start
  std::uint64_t paid_jumps_ = 0;
  std::uint64_t unpaid_ = 0;       // thousandths of nanoseconds
  TimeNs computes_from_ = kNever;  // when the first part began that is not told yet
  TimeNs computed_ = 0;            // CPU time of the parts
  std::uint32_t main_hops_ = 0;
  bool main_has_failed_ = false;
  Js closes_sync_iterators_ = kUndefined, yield_star_awaits_ = kUndefined, rejects_importers_last_ = kUndefined;
  Js keeps_stores_in_frames_ = kUndefined, context_of_promise_ = kUndefined, microtasks_fail_outside_ = kUndefined;
  Js resolved_again_ = kUndefined;  // undefined: the version does not tell
  bool loader_waits_ = false;       // for main_promise_
  bool clock_is_free_ = false;      // readings of the clock take no time
  Js timeout_prototype_ = kUndefined, immediate_prototype_ = kUndefined, report_child_ = kUndefined,
     process_ = kUndefined, make_error_ = kUndefined, run_script_ = kUndefined, resolve_import_ = kUndefined,
     load_import_ = kUndefined, promise_then_ = kUndefined, promise_prototype_ = kUndefined, adopt_state_ = kUndefined,
     settle_as_is_ = kUndefined, complete_ = kUndefined, main_promise_ = kUndefined, emit_process_ = kUndefined,
     count_process_ = kUndefined, name_of_ = kUndefined;
  // node/internal/fatal.js
  Js report_fatal_ = kUndefined, report_unsettled_ = kUndefined, unhandled_rejection_ = kUndefined,
     warn_of_rejection_ = kUndefined, warn_of_late_handler_ = kUndefined, fail_loading_ = kUndefined;
  RejectionMode rejection_mode_ = RejectionMode::profile;
  bool captures_exceptions_ = false;
};

// While this lives, an asynchronous context is the current one.
class Engine::InContext {
 public:
  InContext(Engine& engine, Js context)
      : engine_(engine), outer_(std::exchange(engine.async_context_, engine.js_->dup(context))) {}
  ~InContext() { engine_.js_->free(std::exchange(engine_.async_context_, outer_)); }
  [[nodiscard]] Js outer() const { return outer_; }
  // What is the current one now is what remains.
  void leak() { engine_.js_->free(std::exchange(outer_, engine_.js_->dup(engine_.async_context_))); }
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;

 private:
  Engine& engine_;
  Js outer_;
};

}  // namespace loopsim::quickjs
