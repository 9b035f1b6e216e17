// The scenario language's engine, in the role of V8. It runs compiled programs, keeps their values, their promises and
// the job queue, and calls Node for Node's own functions.
//
//     invoke, run_leaf      frames, an accumulator, handlers                     interpreter.cpp
//     run_job               promises, job by job (ECMAScript 27.2)               promises.cpp
//     to_text, to_number    values as JavaScript prints, compares, converts them text.cpp
//     ..._step              the steps that call Node                             bindings.cpp
//     uv_step               those that call libuv, in a program without Node     bindings_uv.cpp
//     tell_...              the steps that a trace tells, if asked for           steps.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/assert.hpp"

#include "sim/machine/random.hpp"
#include "sim/machine/ring_queue.hpp"
#include "sim/node/api.hpp"
#include "sim/node/engine.hpp"
#include "sim/program/program.hpp"
#include "sim/runtime/callbacks.hpp"
#include "sim/runtime/ending.hpp"
#include "sim/runtime/loop_thread.hpp"
#include "sim/trace/bounded_text.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim::libuv {
class Process;
}

namespace loopsim::vm {

using node::Aggregate;
using node::Callable;
using node::Callback;
using node::Coroutine;
using node::ErrorObject;
using node::Flow;
using node::Heap;
using node::Listener;
using node::NativeListener;
using node::PromiseObject;
using node::PromiseState;
using node::Reaction;
using node::Tag;
using node::Value;

class Engine final : public node::Engine {
 public:
  // All of these must outlive it.
  Engine(const Program& program, std::uint64_t seed, Tracer& tracer);

  void connect(node::Environment& node, TimeMs start_clock) override;
  void connect(libuv::Process& process);  // in place of Node: a program for libuv alone
  Value make_text(std::string_view text) override { return heap_.make_string(std::string(text)); }
  void drop(const Value& value) override { heap_.release(value); }
  Flow call(std::uint32_t place, std::uint32_t context, std::span<const Value> arguments, Value* result) override;
  Flow run_leaf(std::uint32_t place, std::uint32_t context) override;
  Flow run_main(Value* result) override;
  Flow run_job() override;
  void enqueue_main() override;
  Flow throw_value(const Value& value) override;
  void resolve_promise(std::uint32_t promise, const Value& value) override;
  void reject_promise(std::uint32_t promise, const Value& reason) override;
  void watch_main(const Value& result, Flow flow, std::uint32_t hops) override;
  [[nodiscard]] bool main_is_pending() const override;
  [[nodiscard]] std::string to_text(const Value& value) const override;
  [[nodiscard]] double to_number(const Value& value) const override;
  [[nodiscard]] bool is_true(const Value& value) const override;
  [[nodiscard]] std::string_view string_of(const Value& value) const override;
  std::uint32_t event_name(std::string_view event) override;
  [[nodiscard]] std::string_view name_of_event(std::uint32_t name) const override;
  void charge_text(const Value& value) override;
  Flow out_of_steps() override;

 private:
  // An entry of V8's microtask queue.
  struct Microtask {
    enum class Kind : std::uint8_t {
      callback,  // queueMicrotask
      reaction,  // PromiseReactionJob: reaction, with argument
      unseen,    // the same for Promise.resolve().then(callback) whose promise nobody gets (resolved_then_step)
      resume,    // the same for an await of a value that is no promise: coroutine, with argument
      thenable,  // PromiseResolveThenableJob: `promise` follows the promise in argument
      main,      // the body of an ES module
    };
    Kind kind = Kind::callback;
    bool rejected = false;
    std::uint32_t index = kNone;  // reaction, coroutine, or promise; unseen: its promise's label
    Callback callback;
    Value argument;           // unseen: its promise's number
    std::uint64_t entry = 0;  // in the trace
  };
  struct Frame {
    enum class Kind : std::uint8_t { code, emission };
    Kind kind = Kind::code;
    bool is_listener = false;  // called by the emission below; a separate callback in the trace
    std::uint32_t function = 0;
    std::uint32_t pc = 0;
    std::uint32_t scope = kNone;
    std::uint32_t scope_depth = 0;
    std::uint32_t promise = kNone;   // of an async function
    std::uint32_t executor = kNone;  // the promise whose executor this is
    std::uint32_t emission = kNone;
    // Of an async function that has been resumed: no caller receives a promise. Kept for its next await.
    std::uint32_t coroutine = kNone;
  };
  struct Emission {  // an emit in progress
    std::vector<Listener> listeners;
    std::size_t next = 0;
    std::vector<Value> arguments;
    std::uint32_t emitter = kNone;
    std::uint32_t name = 0;
    // The listener that is running.
    Api api = Api::none;
    std::uint32_t label = kNoName;
    std::uint64_t id = 0, outer_id = 0;
  };

  // ---- interpreter (interpreter.cpp) ------------------------------------------------------------------------------------------
  Flow invoke(std::uint32_t function, std::uint32_t scope, std::span<const Value> arguments, Value* result);
  Flow resume(std::uint32_t coroutine, const Value& value, bool is_throw);
  void push_frame(std::uint32_t function, std::uint32_t scope, std::span<const Value> arguments);
  Flow execute(std::size_t base);
  enum class Unwound : std::uint8_t {
    go_on,
    finished,
    out
  };  // the frame continues; the call is over; the exception leaves the call
  Unwound unwind(std::size_t base);
  void leave_scopes(Frame& frame, std::uint32_t count);
  void end_listener(const Frame& frame, Completion how);
  Flow drop_frames(std::size_t base);
  void pop_frame();
  void end_emission(std::uint32_t emission);
  void suspend(const Value& value);
  std::uint32_t leave_in_coroutine(Frame& frame);
  // What an async function gives its caller: its promise. Once it has been resumed there is none.
  Value for_caller(const Frame& frame, std::uint32_t promise) {
    return frame.coroutine != kNone ? Value{} : heap_.copy(Value::object(Tag::promise, promise));
  }
  void trace_await(const Coroutine& coroutine, std::uint64_t promise);
  Value evaluate(std::uint32_t operand);  // the caller owns a reference
  Value& place(std::uint32_t operand);
  bool test(const Instruction& instruction);
  [[nodiscard]] bool is_deferred(const Value& value) const;
  Flow method_error(const Value& value, std::string_view method);
  Flow step_through_leaf(const Instruction* first, std::uint32_t scope);
  template <Op kOp>
  Flow take_only_step(const Leaf& leaf, std::uint32_t scope);
  Flow end_leaf() { return count_step() ? Flow::normal : (count_step(), out_of_steps()); }
  // The code that a step stands in. A leaf keeps no result, and hands over no arguments (mark_leaves).
  enum class Code : std::uint8_t { framed, leaf };
  void set_timer_step(const Instruction& instruction, std::uint32_t scope, Code code);
  void set_immediate_step(const Instruction& instruction, std::uint32_t scope, Code code);
  void next_tick_step(std::uint32_t site, std::uint32_t scope, Code code);
  void queue_microtask(std::uint32_t site, std::uint32_t scope, Code code);
  void resolved_then_step(const Instruction& instruction, std::uint32_t scope, Code code);
  std::uint32_t new_reaction(Reaction::Kind kind, std::uint64_t promise, std::uint32_t label, std::uint32_t fulfilled,
                             std::uint32_t rejected, std::uint32_t scope, Code code);
  void burn_step(const Instruction& instruction);
  Flow settle_step(const Instruction& instruction);
  void promise_reject_step(const Instruction& instruction);
  void resolved_promise_step();
  Flow emit_step(const Instruction& instruction);
  void step_emission(std::uint32_t emission);
  void note_fired(const Listener& listener);
  [[nodiscard]] std::uint32_t scope_of(std::uint32_t function, std::uint32_t current) const;
  // The callback that the running one hands over at this site, with its arguments. The caller owns its references.
  [[gnu::always_inline]] Callable callable(std::uint32_t site, std::uint32_t scope, Code code = Code::framed) {
    LOOPSIM_ASSERT(site < program_.sites.size());
    const Site& it = program_.sites[site];
    const bool takes_arguments = code == Code::framed && it.arguments != 0;
    return {site, closed_over(it.closure, scope), takes_arguments ? take_arguments(it) : kNone};
  }
  // The scope of a function that code in `scope` hands over, with a reference.
  [[nodiscard]] std::uint32_t closed_over(Site::Closure closure, std::uint32_t scope) {
    if (closure == Site::Closure::none) return kNone;
    if (closure == Site::Closure::main) scope = main_scope_;
    heap_.retain_scope(scope);
    return scope;
  }
  std::uint32_t take_arguments(const Site& site);

  // ---- steps in the trace (steps.cpp) -------------------------------------------------------------------------------
  void tell(const Instruction& instruction);
  void tell_scope(const Instruction& instruction);
  void tell_assign(const Instruction& instruction);
  void tell_condition(const Instruction& instruction);
  void tell_promise(const PromiseObject& promise);
  Event* tell_step(EventKind kind, std::string_view text);
  [[nodiscard]] std::uint64_t scope_number(std::uint32_t scope) const;
  [[nodiscard]] static ValueKind kind_of(const Value& value);
  void show(BoundedText& out, const Value& value, int depth) const;
  void show_list(BoundedText& out, std::uint32_t list, int depth) const;
  void show_record(BoundedText& out, std::uint32_t record, int depth) const;

  void trace_position(Event& event) const;
  void trace_caught(CatchKind by);

  // ---- promises (promises.cpp) ------------------------------------------------------------------------------------------------
  std::uint32_t new_promise(std::uint32_t label) { return make_promise(label, ++promises_made_); }
  std::uint32_t make_promise(std::uint32_t label, std::uint64_t number) {
    const std::uint32_t index = heap_.promises.make();
    PromiseObject& promise = heap_.promises[index];
    promise.refs = 1;
    promise.label = label;
    promise.number = number;
    return index;
  }
  void fulfill(std::uint32_t promise, const Value& value) { settle(promise, PromiseState::fulfilled, value); }
  void reject(std::uint32_t promise, const Value& reason) {
    charge_text(reason);
    settle(promise, PromiseState::rejected, reason);
  }
  void settle(std::uint32_t promise, PromiseState state, const Value& value);
  void perform_then(std::uint32_t promise, std::uint32_t reaction);
  // `promise`: the number of the promise that it reacts to, for the trace.
  void enqueue_reaction(std::uint32_t reaction, PromiseState state, const Value& value, std::uint64_t promise);
  void enqueue_settled(std::uint32_t promise, std::uint32_t reaction);
  void enqueue_resumption(std::uint32_t coroutine, const Value& value);
  // PromiseResolve; the caller owns a reference. `label`: of a new promise.
  std::uint32_t promise_of(const Value& value, std::uint32_t label = kNoName);
  Flow run_reaction(std::uint32_t index, bool rejected, const Value& argument);
  Flow run_user_reaction(const Reaction& reaction, const Callback& callback, const Value& argument);
  Flow run_unseen_reaction();
  Flow settle_as_returned(std::uint32_t promise, Flow flow, const Value& result);
  void follow_now(std::uint32_t promise, std::uint32_t followed);
  [[nodiscard]] bool holds(Condition::Operator op, const Value& left, const Value& right) const;
  [[nodiscard]] bool waits_for_stored(const Reaction& reaction, bool rejected, const Value& argument) const;
  void wait_for_stored(const Reaction& reaction, std::uint32_t stored);
  Flow run_finally(const Reaction& reaction, bool rejected, const Value& argument);
  void run_element(const Reaction& reaction, bool rejected, const Value& argument);
  std::uint32_t combine(Combinator kind, std::uint32_t list, std::uint32_t label);
  void trace_settled(const PromiseObject& promise);
  void trace_job(Microtask& job, std::uint64_t promise);
  [[nodiscard]] Job job_of(const Reaction& reaction) const;
  [[nodiscard]] std::uint32_t result_of(const Reaction& reaction) const;
  void trace_entry(Microtask& job, std::string_view what, Job does, std::uint64_t promise, std::uint32_t result);
  void trace_resumption(const Microtask& job, const Coroutine& coroutine);
  [[nodiscard]] std::uint32_t number_of(std::uint32_t promise) const {
    return promise == kNone ? 0 : promise_number(heap_.promises[promise].number);
  }
  // A new microtask. The caller fills it in, then counts it: a limit is the last event of a trace.
  Microtask& enqueue(Microtask::Kind kind) {
    Microtask& task = microtasks_.emplace();
    ++jobs_;
    task.kind = kind;
    task.rejected = false;
    task.entry = 0;
    return task;
  }
  void count_microtasks() {
    if (microtasks_.size() > program_.limits.queue) too_many_jobs();
  }
  void too_many_jobs();

  // ---- steps that call Node (bindings.cpp) --------------------------------------------------------------------------------------
  node::Delay delay_of(std::uint32_t delay_plan);
  node::Delay delay_of_value(std::uint32_t operand);
  Flow timer_method(const Instruction& instruction);
  [[nodiscard]] bool immediate_has(Op method) const;
  void work_step(std::uint32_t plan, std::uint32_t promise, std::uint32_t scope);
  std::uint32_t spawn_step(const Instruction& instruction);
  Flow kill_step(const Instruction& instruction);
  Flow net_step(const Instruction& instruction);
  Flow socket_step(std::uint32_t socket, const Instruction& instruction);
  Callback net_callback(const Instruction& instruction, bool is_announced);

  // ---- functions of libuv (bindings_uv.cpp) -----------------------------------------------------------------------------
  // What a call of libuv has been given, beside handles.
  struct UvData {
    TimeMs timeout = 0, repeat = 0;
    std::string bytes;  // to write
  };
  UvData uv_data(const UvCall& call);
  Flow uv_step(const Instruction& instruction);
  bool uv_handle(const UvCall& call, std::uint32_t& handle);
  int uv_queue_work(const UvCall& call, const Callback& callback);
  int uv_fs(const UvCall& call, const Callback& callback);
  int uv_request(const UvCall& call, const Callback& callback, const UvData& data);
  int uv_spawn(const UvCall& call, const Callback& callback);
  int uv_other(const UvCall& call, const Callback& callback, std::uint32_t handle, const UvData& data);
  int uv_poll_init(const UvCall& call);
  int uv_descriptor_call(const UvCall& call, const UvData& data);
  void uv_socketpair(const UvCall& call);
  bool uv_handle_of(const UvCall& call, std::uint32_t operand, std::uint32_t label, std::uint32_t& handle);
  std::uint32_t uv_socket(std::uint32_t operand);
  [[nodiscard]] std::string label_text(std::uint32_t label) const;
  [[nodiscard]] std::string uv_call_text(const UvCall& call, const UvData& data) const;
  Event& trace_uv_call(const UvCall& call, const UvData& data, double result);

  // ---- text (text.cpp) ----------------------------------------------------------------------------------------------------------
  void append_text(std::string& out, const Value& value) const;
  void append_list(std::string& out, std::uint32_t list) const;
  void append_template(std::string& out, const TextTemplate& text);
  [[nodiscard]] std::string inspect_text(std::string_view text) const;
  [[nodiscard]] std::string trace_text(const Value& value) const;
  Value add_values(const Value& left, const Value& right);
  [[nodiscard]] bool strictly_equal(const Value& left, const Value& right) const;
  Value error_from(const Value& value);  // the error for a thrown text

  const Program& program_;
  const Profile& profile_;
  Tracer& tracer_;
  node::Environment* node_ = nullptr;  // null: a program for libuv alone
  libuv::Process* uv_ = nullptr;
  // What it asks of every runtime.
  runtime::Callbacks* callbacks_ = nullptr;
  runtime::LoopThread* thread_ = nullptr;
  runtime::Ending* ending_ = nullptr;
  Machine* machine_ = nullptr;
  Random random_;

  std::vector<Value> globals_;
  std::vector<TimeMs> marks_;  // Date.now() at each mark; kNever: not passed yet
  TimeMs start_clock_ = 0;
  std::uint32_t main_scope_ = kNone;
  std::uint32_t main_promise_ = kNone;  // of an ES module

  RingQueue<Microtask> microtasks_;
  std::vector<Frame> frames_;
  // Nested calls JavaScript -> Node -> JavaScript, which use the simulator's stack.
  static constexpr int kMostNested = 500;
  int nested_ = 0;
  node::Slab<Emission> emissions_;
  Value accumulator_;
  std::map<std::string, std::uint32_t, std::less<>> event_names_;  // names looked up so far
  std::uint64_t promises_made_ = 0;

  // Of the steps in the trace.
  std::uint64_t steps_told_ = 0;
  std::vector<std::uint64_t> scope_numbers_;  // by scope of the heap
  std::uint64_t scopes_told_ = 0;
  struct Told {  // the last scope event
    std::uint64_t scope = 0, callback = 0;
    std::size_t depth = 0;
    friend bool operator==(const Told&, const Told&) = default;
  } told_;
};

}  // namespace loopsim::vm
