// Runs compiled functions: a stack of frames, an accumulator, handlers for exceptions, suspension of async functions.
//
// The program's own calls do not recurse here, so the scenario's limit bounds their depth, not our stack. Only calls
// that Node itself starts inside a callback (listeners of process.exit, for example) re-enter invoke().
#include <algorithm>
#include <string>

#include "loopsim/assert.hpp"

#include "sim/node/environment.hpp"
#include "sim/vm/engine.hpp"

namespace loopsim::vm {

// ---- values -----------------------------------------------------------------------------------------------------------------

Value Engine::evaluate(std::uint32_t operand) {
  switch (Operand::kind(operand)) {
    case Operand::Kind::constant: {
      const Constant& constant = program_.constants[Operand::index(operand)];
      switch (constant.kind) {
        case Constant::Kind::undefined: return {};
        case Constant::Kind::null: return Value::null();
        case Constant::Kind::boolean: return Value::of_boolean(constant.number != 0);
        case Constant::Kind::number: return Value::of_number(constant.number);
        case Constant::Kind::string: return {Tag::literal, constant.string, 0};
      }
      return {};
    }
    case Operand::Kind::global:
      LOOPSIM_ASSERT(Operand::index(operand) < globals_.size());
      return heap_.copy(globals_[Operand::index(operand)]);
    case Operand::Kind::local: return heap_.copy(place(operand));
    case Operand::Kind::text: {
      LOOPSIM_ASSERT(Operand::index(operand) < program_.texts.size());
      std::string text;
      append_template(text, program_.texts[Operand::index(operand)]);
      charge_bytes(text.size());
      return heap_.make_string(std::move(text));
    }
    case Operand::Kind::error: {
      LOOPSIM_ASSERT(Operand::index(operand) < program_.errors.size());
      const ErrorTemplate& error = program_.errors[Operand::index(operand)];
      std::string message;
      append_template(message, error.message);
      charge_bytes(message.size());
      return heap_.make_error(program_.strings[error.name], message,
                              error.code == kNone ? std::string_view{} : program_.strings[error.code]);
    }
    case Operand::Kind::process: return heap_.copy(Value::object(Tag::emitter, node_->events.process_emitter()));
  }
  return {};
}

// The variable that an operand names.
Value& Engine::place(std::uint32_t operand) {
  if (Operand::kind(operand) == Operand::Kind::global) {
    LOOPSIM_ASSERT(Operand::index(operand) < globals_.size());
    return globals_[Operand::index(operand)];
  }
  LOOPSIM_ASSERT(Operand::kind(operand) == Operand::Kind::local && !frames_.empty());
  return heap_.slot(frames_.back().scope, Operand::hops(operand), Operand::slot(operand));
}

bool Engine::test(const Instruction& instruction) {
  const auto op = static_cast<Condition::Operator>(instruction.a);
  const Value left = evaluate(instruction.c);
  const Value right = evaluate(instruction.d);
  charge_text(left);
  charge_text(right);
  const bool result = holds(op, left, right);
  heap_.release(left);
  heap_.release(right);
  return result;
}

bool Engine::holds(Condition::Operator op, const Value& left, const Value& right) const {
  switch (op) {
    case Condition::Operator::truthy: return is_true(left);
    case Condition::Operator::equal: return strictly_equal(left, right);
    case Condition::Operator::not_equal: return !strictly_equal(left, right);
    default: break;
  }
  const auto is_text = [](const Value& value) { return value.tag == Tag::literal || value.tag == Tag::string; };
  const auto compare = [op](auto a, auto b) {
    return op == Condition::Operator::less         ? a < b
           : op == Condition::Operator::less_equal ? a <= b
           : op == Condition::Operator::greater    ? a > b
                                                   : a >= b;
  };
  if (is_text(left) && is_text(right)) return compare(string_of(left), string_of(right));
  return compare(to_number(left), to_number(right));
}

std::uint32_t Engine::take_arguments(const Site& site) {
  const std::uint32_t list = heap_.make_list();
  for (std::uint32_t i = 0; i < site.arguments; ++i) {
    LOOPSIM_ASSERT(site.first_argument + i < program_.operand_lists.size());
    const Value value = evaluate(program_.operand_lists[site.first_argument + i]);
    heap_.lists[list].items.push_back(value);
  }
  return list;
}

// ---- calls ------------------------------------------------------------------------------------------------------------------

void Engine::end_emission(std::uint32_t index) {
  Emission& emission = emissions_[index];
  for (; emission.next < emission.listeners.size(); ++emission.next)
    heap_.release(emission.listeners[emission.next].callback);
  for (const Value& argument : emission.arguments) heap_.release(argument);
  emissions_.free(index);
}

// Inline: both run for every callback.
[[gnu::always_inline]] inline void Engine::push_frame(std::uint32_t function, std::uint32_t scope,
                                                      std::span<const Value> arguments) {
  LOOPSIM_ASSERT(function < program_.functions.size() && program_.functions[function].end != 0);
  const Function& code = program_.functions[function];
  Frame& frame = frames_.emplace_back();
  frame.function = function;
  frame.pc = code.entry;
  if (code.slots == 0) {
    heap_.retain_scope(scope);
    frame.scope = scope;
  } else {
    frame.scope = heap_.make_scope(scope, code.slots);
    charge_entries(code.slots);
    const std::size_t count = std::min<std::size_t>(code.parameters, arguments.size());
    for (std::size_t i = 0; i < count; ++i)
      heap_.slot(frame.scope, 0, static_cast<std::uint32_t>(i)) = heap_.copy(arguments[i]);
  }
  if (code.is_async) frame.promise = new_promise(code.label);
  if (function == 0 && main_scope_ == kNone) {
    main_scope_ = frame.scope;
    heap_.retain_scope(main_scope_);
  }
  if (frames_.size() > program_.limits.depth) ending_->halt(LimitKind::depth, program_.limits.depth);
}

[[gnu::always_inline]] inline void Engine::pop_frame() {
  LOOPSIM_ASSERT(!frames_.empty());
  const Frame& frame = frames_.back();  // the releases below remove no frame
  heap_.release_scope(frame.scope);
  heap_.release_promise(frame.promise);
  heap_.release_promise(frame.executor);
  if (frame.emission != kNone) end_emission(frame.emission);
  if (frame.coroutine != kNone) heap_.coroutines.free(frame.coroutine);
  frames_.pop_back();
}

// Runs a function to its end, or to its first await. The result's reference goes to the caller.
Flow Engine::invoke(std::uint32_t function, std::uint32_t scope, std::span<const Value> arguments, Value* result) {
  // Node can call back within a call: a write emits 'error' at once, and its listener writes again.
  if (nested_ >= kMostNested) {
    ending_->halt(LimitKind::depth, kMostNested);
    return Flow::stop;
  }
  ++nested_;
  const Value outer = heap_.take(accumulator_);  // of the interrupted code
  const std::size_t base = frames_.size();
  push_frame(function, scope, arguments);
  const Flow flow = execute(base);
  --nested_;
  if (flow == Flow::normal && result != nullptr)
    *result = heap_.take(accumulator_);
  else
    heap_.release(accumulator_);
  accumulator_ = outer;
  return flow;
}

// Resumes an async function. Takes over the coroutine and the value.
Flow Engine::resume(std::uint32_t index, const Value& value, bool is_throw) {
  const Coroutine& coroutine = heap_.coroutines[index];
  const std::uint64_t id = coroutine.id;  // its next await changes it
  const std::uint32_t label = coroutine.label;
  const std::uint64_t outer = callbacks_->running();
  const TimeNs from = machine_->now();
  if (!callbacks_->begin(Api::await, label, id, coroutine.by, -1)) return Flow::stop;
  callbacks_->set_running(id);

  const std::size_t base = frames_.size();
  Frame& frame = frames_.emplace_back();
  frame.function = coroutine.function;
  frame.pc = coroutine.pc;
  frame.scope = coroutine.scope;
  frame.scope_depth = coroutine.scope_depth;
  frame.promise = coroutine.promise;
  frame.coroutine = index;
  const Value saved = accumulator_;
  Flow flow = Flow::normal;
  if (is_throw) {
    accumulator_ = {};
    heap_.assign(exception_, value);
    --frame.pc;  // the await itself throws
    if (unwind(base) == Unwound::go_on) flow = execute(base);
  } else {
    accumulator_ = value;
    flow = execute(base);
  }
  heap_.release(accumulator_);
  accumulator_ = saved;
  callbacks_->set_running(outer);
  if (tracer_.on()) {
    thread_->note_busy(from, id, LateReason::callback);
    thread_->note_ended(id);
    callbacks_->end(Api::await, label, id, Completion::normal);
  }
  return flow;
}

// Await in the top frame: its state moves to a coroutine, which the awaited promise resumes. Takes over the value.
void Engine::suspend(const Value& value) {
  Frame& frame = frames_.back();
  // A caller gets the promise. A callback of the loop has no caller, and the value is dropped.
  const bool has_caller = frame.coroutine == kNone;
  const std::uint32_t own_promise = frame.promise;
  // First: an await of what nobody else can settle ends with the coroutine, and with what only that held.
  if (has_caller) heap_.retain_promise(own_promise);
  if (value.tag != Tag::promise) {
    // The promise that it becomes is fulfilled at once, and seen by nobody but this await: a number is all of it.
    const std::uint64_t promise = ++promises_made_;
    const std::uint32_t index = leave_in_coroutine(frame);
    if (tracer_.on()) trace_await(heap_.coroutines[index], promise);
    enqueue_resumption(index, value);
  } else {
    std::uint32_t promise = value.index;
    if (profile_.await_wraps) {  // before V8 7.3: a new promise is resolved with the value
      promise = new_promise(kNoName);
      resolve_promise(promise, value);
      heap_.release(value);
    }
    const std::uint32_t index = leave_in_coroutine(frame);
    if (tracer_.on()) trace_await(heap_.coroutines[index], heap_.promises[promise].number);
    const std::uint32_t reaction = heap_.reactions.make();
    heap_.reactions[reaction].kind = Reaction::Kind::resume;
    heap_.reactions[reaction].coroutine = index;
    perform_then(promise, reaction);
    heap_.release_promise(promise);
  }
  accumulator_ = has_caller ? Value::object(Tag::promise, own_promise) : Value{};
  heap_.release_promise(frames_.back().executor);  // the other references have moved
  frames_.pop_back();
}

// The frame's references go to the coroutine: the one that it was resumed from, or, at its first await, a new one.
[[gnu::always_inline]] inline std::uint32_t Engine::leave_in_coroutine(Frame& frame) {
  if (frame.coroutine == kNone) {
    frame.coroutine = heap_.coroutines.make();
    Coroutine& fresh = heap_.coroutines[frame.coroutine];
    fresh.function = frame.function;
    fresh.promise = frame.promise;
    fresh.label = program_.functions[frame.function].label;
  }
  Coroutine& coroutine = heap_.coroutines[frame.coroutine];
  coroutine.pc = frame.pc;
  coroutine.scope = frame.scope;
  coroutine.scope_depth = frame.scope_depth;
  coroutine.by = callbacks_->running();
  coroutine.id = callbacks_->next_id();
  return frame.coroutine;
}

// `promise`: the number of the one that is awaited.
void Engine::trace_await(const Coroutine& coroutine, std::uint64_t promise) {
  Event& event = tracer_.add(EventKind::schedule);
  event.api = Api::await;
  event.name = coroutine.label;
  LOOPSIM_ASSERT(coroutine.pc != 0 && coroutine.pc <= program_.positions.size());
  const StepPosition& position = program_.positions[coroutine.pc - 1];
  event.line = position.line;
  event.column = position.column;
  event.id = coroutine.id;
  event.by = coroutine.by;
  event.a = event.b = event.c = -1;
  event.promise = promise_number(promise);
  event.result = number_of(coroutine.promise);
}

// Finds the handler of exception_ among the frames above `base`.
Engine::Unwound Engine::unwind(std::size_t base) {
  // The instruction at `pc` throws; in the outer frames it is a call, and `pc` is already behind it.
  std::uint32_t behind = 0;
  for (; frames_.size() > base; behind = 1) {
    Frame& frame = frames_.back();
    if (frame.kind == Frame::Kind::emission) {
      pop_frame();
      continue;
    }
    const Function& function = program_.functions[frame.function];
    const std::uint32_t thrower = frame.pc - behind;
    for (std::uint32_t i = 0; i < function.handlers; ++i) {
      const Handler& handler = program_.handlers[function.first_handler + i];
      if (thrower < handler.begin || thrower >= handler.end) continue;
      if (handler.catches) trace_caught(CatchKind::try_);
      leave_scopes(frame, frame.scope_depth - handler.scope_depth);
      frame.pc = handler.target;
      heap_.assign(accumulator_, exception_);
      exception_ = {};
      return Unwound::go_on;
    }
    end_listener(frame, Completion::throw_);
    const std::uint32_t promise = frame.promise != kNone ? frame.promise : frame.executor;
    if (promise == kNone) {
      pop_frame();
      continue;
    }
    // An async function or an executor: its promise is rejected, and the caller continues.
    trace_caught(CatchKind::promise);
    const Value reason = exception_;
    exception_ = {};
    reject_promise(promise, reason);
    heap_.release(reason);
    heap_.assign(accumulator_, for_caller(frame, promise));
    pop_frame();
    return frames_.size() > base ? Unwound::go_on : Unwound::finished;
  }
  return Unwound::out;
}

void Engine::leave_scopes(Frame& frame, std::uint32_t count) {
  for (; count > 0; --count, --frame.scope_depth) {
    const std::uint32_t inner = frame.scope;
    frame.scope = heap_.scopes[inner].parent;
    heap_.retain_scope(frame.scope);
    heap_.release_scope(inner);
  }
}

// The run ends within these frames. Callbacks that have begun in the trace end here.
Flow Engine::drop_frames(std::size_t base) {
  for (; frames_.size() > base; pop_frame()) end_listener(frames_.back(), Completion::normal);
  return Flow::stop;
}

// A listener called by emit() is a separate callback in the trace.
void Engine::end_listener(const Frame& frame, Completion how) {
  if (!frame.is_listener) return;
  const Emission& emission = emissions_[frames_[frames_.size() - 2].emission];
  callbacks_->set_running(emission.outer_id);
  if (tracer_.on()) callbacks_->end(emission.api, emission.label, emission.id, how);
}

// ---- steps that schedule a callback ---------------------------------------------------------------------------------

[[gnu::always_inline]] inline node::Delay Engine::delay_of(std::uint32_t delay_plan) {
  const DelayPlan& plan = program_.delays[delay_plan];
  if (plan.duration != kNone) return node_->timers.delay_of_time(random_.draw(program_.durations[plan.duration]));
  return delay_of_value(plan.operand);
}

[[gnu::always_inline]] inline void Engine::set_timer_step(const Instruction& instruction, std::uint32_t scope,
                                                          Code code) {
  const node::Delay delay = delay_of(instruction.c);
  const bool keeps = code == Code::framed && instruction.b == 0;
  const std::uint32_t timer =
      node_->timers.make(delay, instruction.a != 0, kNone, callable(instruction.d, scope, code), keeps);
  if (keeps) heap_.assign(accumulator_, Value::object(Tag::timer, timer));
}

[[gnu::always_inline]] inline void Engine::set_immediate_step(const Instruction& instruction, std::uint32_t scope,
                                                              Code code) {
  const bool keeps = code == Code::framed && instruction.b == 0;
  const std::uint32_t immediate = node_->immediates.make(callable(instruction.d, scope, code), kNone, keeps);
  if (keeps) heap_.assign(accumulator_, Value::object(Tag::immediate, immediate));
}

[[gnu::always_inline]] inline void Engine::next_tick_step(std::uint32_t site, std::uint32_t scope, Code code) {
  if (!node_->exit.is_exiting())
    node_->task_queue.next_tick(callable(site, scope, code));  // process._exiting: it would never run
}

[[gnu::always_inline]] inline void Engine::queue_microtask(std::uint32_t site, std::uint32_t scope, Code code) {
  node_->task_queue.note_queue_microtask();
  Callback& callback = enqueue(Microtask::Kind::callback).callback;
  callbacks_->hand_over(callback, callable(site, scope, code));
  callbacks_->announce(callback, ScheduleKind::first, -1, -1);
  count_microtasks();
}

// The promise `label` and its reaction to the promise with this number: then(), catch(), finally().
[[gnu::always_inline]] inline std::uint32_t Engine::new_reaction(Reaction::Kind kind, std::uint64_t promise,
                                                                 std::uint32_t label, std::uint32_t fulfilled,
                                                                 std::uint32_t rejected, std::uint32_t scope,
                                                                 Code code) {
  const std::uint32_t derived = new_promise(label);
  const std::uint32_t index = heap_.reactions.make();
  Reaction& reaction = heap_.reactions[index];
  reaction.kind = kind;
  reaction.derived = derived;
  if (fulfilled != kNone) {
    callbacks_->hand_over(reaction.fulfilled, callable(fulfilled, scope, code));
    callbacks_->announce_reaction(reaction.fulfilled, promise, heap_.promises[derived].number);
  }
  if (rejected != kNone) {
    callbacks_->hand_over(reaction.rejected, callable(rejected, scope, code));
    callbacks_->announce_reaction(reaction.rejected, promise, heap_.promises[derived].number);
  }
  return index;
}

[[gnu::always_inline]] inline void Engine::resolved_then_step(const Instruction& instruction, std::uint32_t scope,
                                                              Code code) {
  const bool keeps = code == Code::framed && instruction.b == 0;
  if (!keeps && instruction.e == kNone && !tracer_.on()) {
    // Nobody gets the promise that then() returns. It is made only if it would be rejected, or follow another one: W2p takes
    // half the instructions.
    promises_made_ += 2;
    Microtask& job = enqueue(Microtask::Kind::unseen);
    job.index = instruction.c;
    job.argument = Value::of_number(static_cast<double>(promises_made_));
    callbacks_->hand_over(job.callback, callable(instruction.d, scope, code));
    job.callback.id = callbacks_->next_id();
    return count_microtasks();
  }
  const std::uint64_t resolved = ++promises_made_;
  const std::uint32_t reaction =
      new_reaction(Reaction::Kind::then, resolved, instruction.c, instruction.d, instruction.e, scope, code);
  const std::uint32_t derived = heap_.reactions[reaction].derived;
  if (keeps) heap_.retain_promise(derived);
  enqueue_reaction(reaction, PromiseState::fulfilled, {}, resolved);
  if (keeps) heap_.assign(accumulator_, Value::object(Tag::promise, derived));
}

// A leaf (mark_leaves): counts steps and limits as execute() does, and needs no other bookkeeping.
Flow Engine::step_through_leaf(const Instruction* at, std::uint32_t scope) {
  for (;; ++at) {
    if (!count_step()) [[unlikely]]
      return out_of_steps();
    switch (at->op) {
      case Op::set_timer: set_timer_step(*at, scope, Code::leaf); break;
      case Op::set_immediate: set_immediate_step(*at, scope, Code::leaf); break;
      case Op::next_tick: next_tick_step(at->d, scope, Code::leaf); break;
      case Op::queue_microtask: queue_microtask(at->d, scope, Code::leaf); break;
      case Op::resolved_then:
        if (!count_step()) return count_step(), out_of_steps();
        resolved_then_step(*at, scope, Code::leaf);
        break;
      case Op::mark: marks_[at->c] = machine_->loop_clock(); break;
      case Op::cpu:
      case Op::spin: burn_step(*at); break;
      default:  // return
        return end_leaf();
    }
  }
}

// step_through_leaf() of a leaf that is one step, as most are. A function for each kind needs few registers.
template <Op kOp>
[[gnu::noinline]] Flow Engine::take_only_step(const Leaf& leaf, std::uint32_t scope) {
  if (!count_step()) [[unlikely]]
    return out_of_steps();
  if constexpr (kOp == Op::set_timer) {
    const Duration& duration = program_.durations[leaf.duration];
    const TimeNs delay = leaf.stream == kNone ? duration.a : random_.draw_from(leaf.stream, duration);
    node_->timers.make(node_->timers.delay_of_time(delay), leaf.repeats, kNone,
                       {leaf.site, closed_over(leaf.closure, scope), kNone}, false);
  }
  if constexpr (kOp == Op::set_immediate)
    node_->immediates.make({leaf.site, closed_over(leaf.closure, scope), kNone}, kNone, false);
  if constexpr (kOp == Op::next_tick) next_tick_step(leaf.site, scope, Code::leaf);
  if constexpr (kOp == Op::resolved_then) {
    if (!count_step()) return count_step(), out_of_steps();
    resolved_then_step(program_.code[leaf.entry], scope, Code::leaf);
  }
  if (!count_step()) [[unlikely]]
    return out_of_steps();
  return end_leaf();
}

Flow Engine::run_leaf(std::uint32_t place, std::uint32_t context) {
  LOOPSIM_ASSERT(place < places_.size() && places_[place].leaf < program_.leaves.size());
  const Leaf& leaf = program_.leaves[places_[place].leaf];
  // A nested call counts, and is bounded, like any other.
  if (!frames_.empty()) [[unlikely]]
    return invoke(leaf.function, context, {}, nullptr);
#if !defined(__wasm__)  // whose program must be small
  switch (leaf.only) {
    case Op::set_timer: return take_only_step<Op::set_timer>(leaf, context);
    case Op::set_immediate: return take_only_step<Op::set_immediate>(leaf, context);
    case Op::next_tick: return take_only_step<Op::next_tick>(leaf, context);
    case Op::resolved_then: return take_only_step<Op::resolved_then>(leaf, context);
    default: break;
  }
#endif
  return step_through_leaf(&program_.code[leaf.entry], context);
}

Flow Engine::call(std::uint32_t place, std::uint32_t context, std::span<const Value> arguments, Value* result) {
  LOOPSIM_ASSERT(place < program_.sites.size());
  const Site& site = program_.sites[place];
  if (site.leaf != kNone && frames_.empty()) return run_leaf(place, context);
  return site.function == kNone ? Flow::normal : invoke(site.function, context, arguments, result);
}

Flow Engine::run_main(Value* result) { return invoke(0, kNone, {}, result); }

// Exceeds the step limit; or the run is already over, and this stops the running code.
Flow Engine::out_of_steps() {
  ending_->halt_for_steps();
  return Flow::stop;
}

// ---- the loop -----------------------------------------------------------------------------------------------------------------

// Runs until the frames are down to `base` again. After Flow::normal the accumulator holds the result.
Flow Engine::execute(std::size_t base) {
  const Instruction* const instructions = program_.code.data();
  for (;;) {
    if (!count_step()) {
      out_of_steps();
      return drop_frames(base);
    }
    Frame& frame = frames_.back();
    if (frame.kind == Frame::Kind::emission) {
      step_emission(frame.emission);
      continue;
    }

    const Instruction& instruction = instructions[frame.pc];
    Flow flow = Flow::normal;
    switch (instruction.op) {
      case Op::log: {
        std::string text;
        for (std::uint32_t i = 0; i < instruction.d; ++i) {
          if (i != 0) text += ' ';
          const Value value = evaluate(program_.operand_lists[instruction.c + i]);
          charge_text(value);
          append_text(text, value);
          heap_.release(value);
        }
        if (machine_->has_costs() && !thread_->pay_for_log()) break;
        if (tracer_.on()) trace_position(tracer_.add_text(EventKind::log, text));
        break;
      }
      case Op::mark: marks_[instruction.c] = machine_->loop_clock(); break;
      case Op::cpu:
      case Op::spin: burn_step(instruction); break;
      case Op::store: heap_.assign(place(instruction.c), evaluate(instruction.d)); break;
      case Op::load: heap_.assign(accumulator_, evaluate(instruction.c)); break;
      case Op::store_acc: heap_.assign(place(instruction.c), heap_.copy(accumulator_)); break;
      case Op::add: {
        const Value right = evaluate(instruction.d);
        const Value sum = add_values(place(instruction.c), right);
        heap_.release(right);
        heap_.assign(place(instruction.c), sum);
        break;
      }
      case Op::jump: frame.pc = instruction.c; continue;
      case Op::jump_unless:
        if (!test(instruction)) {
          frame.pc = instruction.e;
          continue;
        }
        break;
      case Op::loop_begin: {
        const Value count = evaluate(instruction.d);
        charge_text(count);
        const double limit = to_number(count);
        heap_.release(count);
        heap_.assign(heap_.slot(frame.scope, 0, instruction.c), Value::of_number(0));
        heap_.assign(heap_.slot(frame.scope, 0, instruction.c + 1), Value::of_number(limit));
        break;
      }
      case Op::loop_test:
        if (!(heap_.slot(frame.scope, 0, instruction.c).number <
              heap_.slot(frame.scope, 0, instruction.c + 1).number)) {
          frame.pc = instruction.e;
          continue;
        }
        break;
      case Op::loop_next:
        heap_.slot(frame.scope, 0, instruction.c).number += 1;
        frame.pc = instruction.e;
        continue;
      case Op::push_scope: {
        const std::uint32_t inner = heap_.make_scope(frame.scope, instruction.c);
        charge_entries(instruction.c);
        heap_.release_scope(frame.scope);  // the inner scope holds it now
        frame.scope = inner;
        ++frame.scope_depth;
        break;
      }
      case Op::pop_scope: leave_scopes(frame, instruction.c); break;
      case Op::call: {
        std::vector<Value> arguments;
        for (std::uint32_t i = 0; i < instruction.a; ++i)
          arguments.push_back(evaluate(program_.operand_lists[instruction.d + i]));
        const std::uint32_t function = instruction.c;
        const std::uint32_t label = instruction.e;
        ++frame.pc;
        push_frame(function, scope_of(function, frame.scope), arguments);
        if (label != kNoName && frames_.back().promise != kNone) heap_.promises[frames_.back().promise].label = label;
        for (const Value& argument : arguments) heap_.release(argument);
        continue;
      }
      case Op::throw_: {
        Value value = evaluate(instruction.c);
        if (instruction.b != 0) value = error_from(value);
        flow = throw_value(value);
        break;
      }
      case Op::finally_begin: heap_.assign(heap_.slot(frame.scope, 0, instruction.c), Value::of_number(0)); break;
      case Op::finally_throw:
      case Op::finally_return:
        heap_.assign(heap_.slot(frame.scope, 0, instruction.c),
                     Value::of_number(instruction.op == Op::finally_throw ? 1 : 2));
        heap_.assign(heap_.slot(frame.scope, 0, instruction.c + 1), heap_.copy(accumulator_));
        break;
      case Op::finally_end: {
        const double how = heap_.slot(frame.scope, 0, instruction.c).number;
        if (how == 0) break;
        const Value value = heap_.copy(heap_.slot(frame.scope, 0, instruction.c + 1));
        if (how == 1) {
          flow = throw_value(value);
          break;
        }
        heap_.assign(accumulator_, value);
        frame.pc = instruction.e;
        continue;
      }
      case Op::return_: {
        if (instruction.a != 0) {  // replaces a separate load, which would be a step
          if (!count_step()) {
            out_of_steps();
            continue;
          }
          heap_.assign(accumulator_, {});
        }
        if (frame.promise != kNone) {  // an async function
          resolve_promise(frame.promise, accumulator_);
          heap_.assign(accumulator_, for_caller(frame, frame.promise));
        } else if (frame.executor != kNone) {
          heap_.assign(accumulator_, heap_.copy(Value::object(Tag::promise, frame.executor)));
        }
        end_listener(frame, Completion::normal);
        pop_frame();
        if (frames_.size() == base) return Flow::normal;
        continue;
      }
      case Op::set_timer: set_timer_step(instruction, frame.scope, Code::framed); break;
      case Op::set_immediate: set_immediate_step(instruction, frame.scope, Code::framed); break;
      case Op::next_tick: next_tick_step(instruction.d, frame.scope, Code::framed); break;
      case Op::queue_microtask: queue_microtask(instruction.d, frame.scope, Code::framed); break;
      case Op::clear:
      case Op::refresh:
      case Op::ref:
      case Op::unref:
      case Op::has_ref: flow = timer_method(instruction); break;
      case Op::new_promise: {
        const std::uint32_t promise = new_promise(instruction.e);
        heap_.promises[promise].is_deferred = true;
        heap_.assign(accumulator_, Value::object(Tag::promise, promise));
        if (instruction.d == kNone) break;
        const Site& site = program_.sites[instruction.d];
        ++frame.pc;
        const Value self = Value::object(Tag::promise, promise);
        push_frame(site.function, scope_of(site.function, frame.scope), std::span(&self, 1));
        frames_.back().executor = promise;
        heap_.retain_promise(promise);
        continue;
      }
      case Op::resolve:
      case Op::reject: flow = settle_step(instruction); break;
      case Op::promise_resolve: {
        const Value value = evaluate(instruction.c);
        heap_.assign(accumulator_, Value::object(Tag::promise, promise_of(value, instruction.d)));
        heap_.release(value);
        break;
      }
      case Op::promise_reject: promise_reject_step(instruction); break;
      case Op::resolved_promise: resolved_promise_step(); break;
      case Op::then:
      case Op::finally_: {
        if (accumulator_.tag != Tag::promise) {
          const bool is_catch = instruction.op == Op::then && instruction.d == kNone && instruction.e != kNone &&
                                program_.sites[instruction.e].api == Api::catch_;
          flow = method_error(accumulator_, is_catch ? "catch" : instruction.op == Op::then ? "then" : "finally");
          break;
        }
        const bool is_then = instruction.op == Op::then;
        const std::uint32_t reaction = new_reaction(
            is_then ? Reaction::Kind::then : Reaction::Kind::finally, heap_.promises[accumulator_.index].number,
            instruction.c, instruction.d, is_then ? instruction.e : kNone, frame.scope, Code::framed);
        const std::uint32_t derived = heap_.reactions[reaction].derived;
        heap_.retain_promise(derived);
        perform_then(accumulator_.index, reaction);
        heap_.assign(accumulator_, Value::object(Tag::promise, derived));
        break;
      }
      case Op::resolved_then:
        if (!count_step()) {
          out_of_steps();
          continue;
        }
        resolved_then_step(instruction, frame.scope, Code::framed);
        break;
      case Op::list_begin:
        heap_.assign(heap_.slot(frame.scope, 0, instruction.c), Value::object(Tag::list, heap_.make_list()));
        break;
      case Op::list_append:
        heap_.lists[heap_.slot(frame.scope, 0, instruction.c).index].items.push_back(accumulator_);
        accumulator_ = {};
        break;
      case Op::combine: {
        Value& list = heap_.slot(frame.scope, 0, instruction.c);
        const std::uint32_t promise = combine(static_cast<Combinator>(instruction.a), list.index, instruction.d);
        heap_.assign(list, {});
        heap_.assign(accumulator_, Value::object(Tag::promise, promise));
        break;
      }
      case Op::await: {
        ++frame.pc;
        const Value value = accumulator_;
        accumulator_ = {};
        end_listener(frame, Completion::suspended);
        suspend(value);
        if (frames_.size() == base) return Flow::normal;
        continue;
      }
      case Op::timer_promise: {
        const node::Delay delay = delay_of(instruction.c);
        const std::uint32_t promise = new_promise(program_.sites[instruction.d].label);
        heap_.retain_promise(promise);
        node_->timers.make(delay, false, promise, callable(instruction.d, frame.scope), false);
        heap_.assign(accumulator_, Value::object(Tag::promise, promise));
        break;
      }
      case Op::immediate_promise: {
        const std::uint32_t promise = new_promise(program_.sites[instruction.d].label);
        heap_.retain_promise(promise);
        node_->immediates.make(callable(instruction.d, frame.scope), promise, false);
        heap_.assign(accumulator_, Value::object(Tag::promise, promise));
        break;
      }
      case Op::work: work_step(instruction.c, kNone, frame.scope); break;
      case Op::work_promise: {
        const std::uint32_t promise = new_promise(kNoName);
        heap_.retain_promise(promise);
        work_step(instruction.c, promise, frame.scope);
        heap_.assign(accumulator_, Value::object(Tag::promise, promise));
        break;
      }
      case Op::emitter: {
        const std::uint32_t emitter = heap_.emitters.make();
        heap_.emitters[emitter].refs = 1;
        heap_.emitters[emitter].label = instruction.d;
        heap_.assign(place(instruction.c), Value::object(Tag::emitter, emitter));
        break;
      }
      case Op::on: {
        const Value emitter = evaluate(instruction.c);
        if (emitter.tag != Tag::emitter) {
          flow = method_error(emitter, instruction.a != 0 ? "once" : "on");
        } else {
          Listener listener;
          listener.callback = callbacks_->make(callable(instruction.d, frame.scope));
          listener.callback.id = callbacks_->next_id();
          listener.function = program_.sites[instruction.d].function;
          listener.once = instruction.a != 0;
          node_->events.add(emitter.index, instruction.e, listener);
          node_->net_events.listener_added(emitter.index, instruction.e);
        }
        heap_.release(emitter);
        break;
      }
      case Op::off: {
        const Value emitter = evaluate(instruction.c);
        if (emitter.tag != Tag::emitter)
          flow = method_error(emitter, "removeListener");
        else
          node_->events.remove(emitter.index, instruction.e, instruction.d);
        heap_.release(emitter);
        break;
      }
      case Op::emit:
        flow = emit_step(instruction);
        if (flow == Flow::normal) continue;  // emit_step() has moved on already
        break;
      case Op::listen:
      case Op::connect: {
        const Value value = evaluate(instruction.c);
        std::uint32_t emitter = kNone;
        const bool half_open = instruction.a != 0;
        if (value.tag != Tag::number) {
          charge_text(value);
          emitter = node_->sockets.connect_to_path(to_text(value), instruction.d, half_open);
        } else {
          const auto port = static_cast<std::uint32_t>(value.number);
          emitter = instruction.op == Op::listen ? node_->servers.listen(port, instruction.d, half_open)
                                                 : node_->sockets.connect(port, instruction.d, half_open);
        }
        heap_.release(value);
        heap_.assign(accumulator_, Value::object(Tag::emitter, emitter));
        break;
      }
      case Op::add_listener: {
        Listener listener;
        listener.callback = callbacks_->make(callable(instruction.d, frame.scope));
        listener.callback.id = callbacks_->next_id();
        listener.function = program_.sites[instruction.d].function;
        node_->events.add(accumulator_.index, instruction.e, listener);
        node_->net_events.listener_added(accumulator_.index, instruction.e);
        break;
      }
      case Op::spawn: heap_.assign(accumulator_, Value::object(Tag::emitter, spawn_step(instruction))); break;
      case Op::kill: flow = kill_step(instruction); break;
      case Op::close:
      case Op::destroy:
      case Op::write:
      case Op::end:
      case Op::pause:
      case Op::resume: flow = net_step(instruction); break;
      case Op::exit: {
        const Value code = evaluate(instruction.c);
        flow = node_->exit.process_exit(instruction.a != 0 ? &code : nullptr);
        heap_.release(code);
        break;
      }
      case Op::exit_code: {
        const Value code = evaluate(instruction.c);
        flow = node_->exit.set_code(code);
        heap_.release(code);
        break;
      }
      case Op::uv_call: flow = uv_step(instruction); break;
      case Op::tell_scope:
      case Op::tell_assign:
      case Op::tell_condition:
      case Op::tell_promise: tell(instruction); break;
    }

    if (flow == Flow::normal) {
      ++frames_.back().pc;
      continue;
    }
    if (flow == Flow::stop) return drop_frames(base);
    switch (unwind(base)) {
      case Unwound::go_on: continue;
      case Unwound::finished: return Flow::normal;
      case Unwound::out: return Flow::threw;
    }
  }
}

// ---- longer steps ---------------------------------------------------------------------------------------------------

// Calls the next listener of the emit in the top frame, or ends the emit.
void Engine::step_emission(std::uint32_t index) {
  Emission& emission = emissions_[index];
  if (emission.next == emission.listeners.size()) return pop_frame();
  const Listener listener = emission.listeners[emission.next++];
  if (listener.fired) return heap_.release(listener.callback);
  if (listener.once) note_fired(listener);
  node_->events.take_off_once(emission.emitter, emission.name, listener);
  const Site& site = program_.sites[listener.callback.place];
  emission.api = site.api;
  emission.label = site.label;
  emission.id = callbacks_->next_id();
  if (!callbacks_->begin(site.api, site.label, emission.id, listener.callback.by, -1, program_.strings[emission.name],
                         {site.position.line, 0}))
    return heap_.release(listener.callback);
  push_frame(site.function, listener.callback.context, emission.arguments);
  heap_.release(listener.callback);
  frames_.back().is_listener = true;
  emission.outer_id = callbacks_->running();
  callbacks_->set_running(emission.id);
}

// emit: calls the current listeners in order, through a frame that steps through them.
// resolve and reject: calls the function of a promise that the program has made with them.
Flow Engine::settle_step(const Instruction& instruction) {
  const bool resolves = instruction.op == Op::resolve;
  const Value promise = evaluate(instruction.c);
  Flow flow = Flow::normal;
  if (!is_deferred(promise)) {
    flow = method_error({}, resolves ? "resolve" : "reject");
  } else {
    Value value = evaluate(instruction.d);
    if (instruction.b != 0) value = error_from(value);
    if (resolves)
      resolve_promise(promise.index, value);
    else
      reject_promise(promise.index, value);
    heap_.release(value);
  }
  heap_.release(promise);
  return flow;
}

// Promise.resolve(): fulfilled with undefined, unseen by anybody.
void Engine::resolved_promise_step() {
  const std::uint32_t promise = new_promise(kNoName);
  heap_.promises[promise].state = PromiseState::fulfilled;
  heap_.promises[promise].already_resolved = true;
  heap_.assign(accumulator_, Value::object(Tag::promise, promise));
}

void Engine::promise_reject_step(const Instruction& instruction) {
  Value reason = evaluate(instruction.c);
  if (instruction.b != 0) reason = error_from(reason);
  const std::uint32_t promise = new_promise(instruction.d);
  reject_promise(promise, reason);
  heap_.release(reason);
  heap_.assign(accumulator_, Value::object(Tag::promise, promise));
}

Flow Engine::emit_step(const Instruction& instruction) {
  const Value emitter = evaluate(instruction.c);
  if (emitter.tag != Tag::emitter) {
    const Flow flow = method_error(emitter, "emit");
    heap_.release(emitter);
    return flow;
  }
  std::vector<Value> arguments;
  for (std::uint32_t i = 0; i < instruction.a; ++i)
    arguments.push_back(evaluate(program_.operand_lists[instruction.d + i]));
  std::vector<Listener> listeners = node_->events.listeners_of(emitter.index, instruction.e);
  // The program cannot emit to Node's own listeners of a socket.
  std::erase_if(listeners, [this](const Listener& listener) {
    if (listener.native == NativeListener::none) return false;
    heap_.release(listener.callback);
    return true;
  });

  if (listeners.empty() && program_.strings[instruction.e] == "error") {  // no listeners: the error is thrown
    Value error = arguments.empty() ? Value{} : heap_.copy(arguments.front());
    if (error.tag != Tag::error) {
      const bool is_text = error.tag == Tag::literal || error.tag == Tag::string;
      const std::string text = is_text ? inspect_text(string_of(error)) : to_text(error);
      heap_.release(error);
      error =
          node_->writables.node_error(std::string(profile_.unhandled_error) + "(" + text + ")", "ERR_UNHANDLED_ERROR");
    }
    for (const Value& argument : arguments) heap_.release(argument);
    heap_.release(emitter);
    return throw_value(error);
  }

  Frame frame;
  frame.kind = Frame::Kind::emission;
  frame.emission = emissions_.make();
  Emission& emission = emissions_[frame.emission];
  emission.listeners = std::move(listeners);
  emission.arguments = std::move(arguments);
  emission.emitter = emitter.index;
  emission.name = instruction.e;
  emission.next = 0;
  heap_.release(emitter);
  ++frames_.back().pc;
  frames_.push_back(frame);
  if (frames_.size() > program_.limits.depth) ending_->halt(LimitKind::depth, program_.limits.depth);
  return Flow::normal;
}

// A `once` listener runs once, even when earlier emissions in progress have listed it too.
void Engine::note_fired(const Listener& listener) {
  charge_entries(frames_.size());
  for (const Frame& frame : frames_) {
    if (frame.kind != Frame::Kind::emission) continue;
    charge_entries(emissions_[frame.emission].listeners.size());
    for (Listener& other : emissions_[frame.emission].listeners)
      if (other.once && other.callback.id == listener.callback.id) other.fired = true;
  }
}

// Made by `new Promise`, with functions that settle it; promises of then() and similar have none for the program.
bool Engine::is_deferred(const Value& value) const {
  return value.tag == Tag::promise && heap_.promises[value.index].is_deferred;
}

// JavaScript's error for a call of a missing method.
Flow Engine::method_error(const Value& value, std::string_view method) {
  const std::string called(method);
  if (value.tag == Tag::undefined || value.tag == Tag::null) {
    return throw_error("TypeError", profile_.property_error_reading
                                        ? "Cannot read properties of " + to_text(value) + " (reading '" + called + "')"
                                        : "Cannot read property '" + called + "' of " + to_text(value));
  }
  const auto instruction = static_cast<std::uint32_t>(frames_.back().pc);
  const auto receiver = std::ranges::lower_bound(program_.receivers, instruction, {}, &Receiver::instruction);
  const bool is_named = receiver != program_.receivers.end() && receiver->instruction == instruction;
  return throw_error("TypeError",
                     (is_named ? program_.strings[receiver->name] + "." : "") + called + " is not a function");
}

// cpu, spin.
void Engine::burn_step(const Instruction& instruction) {
  TimeNs amount = random_.draw(program_.durations[instruction.c]);
  const TimeNs from = machine_->now();
  if (instruction.op == Op::cpu)
    amount = thread_->compute(amount);
  else
    thread_->spin_until(from + amount);
  if (tracer_.on()) {
    Event& event = tracer_.add(EventKind::burn);
    event.detail = static_cast<std::uint8_t>(instruction.op == Op::cpu ? BurnKind::cpu : BurnKind::spin);
    event.a = amount;
    event.b = from;
    event.c = machine_->now() - from;
    const StepPosition& position = program_.positions[static_cast<std::size_t>(&instruction - program_.code.data())];
    event.line = position.line;
    event.column = position.column;
  }
  thread_->notice_time();
  callbacks_->stopping();  // the clock may have reached its limit
}

// The scope a function closes over: named functions stand at the top of the script.
std::uint32_t Engine::scope_of(std::uint32_t function, std::uint32_t current) const {
  return function != kNone && program_.functions[function].is_named ? main_scope_ : current;
}

}  // namespace loopsim::vm
