// Steps in the trace: calls, assignments, conditions and the states of promises, for programs compiled with
// CompileOptions::steps. Their code contains tell_... instructions, which the limit of steps does not count; other
// programs have none of them, and pay nothing.
#include <string>
#include <string_view>

#include "sim/node/environment.hpp"
#include "sim/vm/engine.hpp"

namespace loopsim::vm {

namespace {

constexpr int kDeepest = 3;  // lists in lists that are shown

std::string_view operator_text(Condition::Operator op) {
  switch (op) {
    case Condition::Operator::truthy: return {};
    case Condition::Operator::less: return " < ";
    case Condition::Operator::less_equal: return " <= ";
    case Condition::Operator::greater: return " > ";
    case Condition::Operator::greater_equal: return " >= ";
    case Condition::Operator::equal: return " === ";
    case Condition::Operator::not_equal: return " !== ";
  }
  return {};
}

PromiseStep step_of(PromiseState state) {
  switch (state) {
    case PromiseState::pending: return PromiseStep::pending;
    case PromiseState::fulfilled: return PromiseStep::fulfilled;
    case PromiseState::rejected: return PromiseStep::rejected;
  }
  return PromiseStep::pending;
}

}  // namespace

// The state of the simulated program is the same afterwards: no step counted, no value changed.
void Engine::tell(const Instruction& instruction) {
  const std::uint64_t before = steps() - 1;  // this instruction's own
  if (tracer_.on()) {
    switch (instruction.op) {
      case Op::tell_scope: tell_scope(instruction); break;
      case Op::tell_assign: tell_assign(instruction); break;
      case Op::tell_condition: tell_condition(instruction); break;
      default:
        if (accumulator_.tag == Tag::promise) tell_promise(heap_.promises[accumulator_.index]);
        break;
    }
  }
  uncount(before);
}

// Null when there were too many steps before.
Event* Engine::tell_step(EventKind kind, std::string_view text) {
  if (steps_told_ > program_.most_steps_told) return nullptr;
  if (steps_told_++ == program_.most_steps_told) {
    tracer_.add_step(EventKind::steps_end, {}).a = static_cast<std::int64_t>(program_.most_steps_told);
    return nullptr;
  }
  Event& event = tracer_.add_step(kind, text);
  trace_position(event);
  return &event;
}

std::uint64_t Engine::scope_number(std::uint32_t scope) const {
  return scope < scope_numbers_.size() ? scope_numbers_[scope] : 0;
}

void Engine::tell_scope(const Instruction& instruction) {
  const Frame& frame = frames_.back();
  const Function& function = program_.functions[frame.function];
  const auto step = static_cast<ScopeStep>(instruction.a);
  // A scope is new where its code begins; the heap uses the index of a dead one again.
  if (step == ScopeStep::round || (step == ScopeStep::call && function.slots != 0)) {
    if (frame.scope >= scope_numbers_.size()) scope_numbers_.resize(std::size_t{frame.scope} + 1);
    scope_numbers_[frame.scope] = ++scopes_told_;
  }
  const std::uint64_t scope = frame.scope == kNone ? 0 : scope_number(frame.scope);
  const Told now = {scope, callbacks_->running(), frames_.size()};
  if (step == ScopeStep::back && now == told_) return;
  Event* event = tell_step(EventKind::scope, {});
  if (event == nullptr) return;
  told_ = now;
  event->detail = instruction.a;
  event->name = function.label;
  event->c = static_cast<std::int64_t>(frames_.size());
  event->a = static_cast<std::int64_t>(scope);
  const std::uint32_t outer = frame.scope == kNone ? kNone : heap_.scopes[frame.scope].parent;
  event->b = outer == kNone ? 0 : static_cast<std::int64_t>(scope_number(outer));
}

void Engine::tell_assign(const Instruction& instruction) {
  const Value& value = place(instruction.c);
  BoundedText text(kMostStepText);
  show(text, value, 0);
  Event* event = tell_step(EventKind::assign, text.text());
  if (event == nullptr) return;
  event->detail = instruction.a;
  event->detail2 = static_cast<std::uint8_t>(kind_of(value));
  event->name = instruction.d;
  event->a = 0;
  if (Operand::kind(instruction.c) == Operand::Kind::local) {
    std::uint32_t scope = frames_.back().scope;
    for (std::uint32_t hops = Operand::hops(instruction.c); hops > 0; --hops) scope = heap_.scopes[scope].parent;
    event->a = static_cast<std::int64_t>(scope_number(scope));
  }
  event->b = text.is_cut() ? 1 : -1;
  event->c = value.tag == Tag::promise ? static_cast<std::int64_t>(heap_.promises[value.index].number) : 0;
}

void Engine::tell_condition(const Instruction& instruction) {
  const auto op = static_cast<Condition::Operator>(instruction.a);
  const Value left = evaluate(instruction.c);
  const Value right = evaluate(instruction.d);
  BoundedText text(kMostStepText);
  show(text, left, 1);
  if (op != Condition::Operator::truthy) {
    text.add(operator_text(op));
    show(text, right, 1);
  }
  if (Event* event = tell_step(EventKind::condition, text.text()); event != nullptr) {
    event->name = instruction.e;
    event->a = holds(op, left, right) ? 1 : 0;
    event->b = text.is_cut() ? 1 : -1;
  }
  heap_.release(left);
  heap_.release(right);
}

void Engine::tell_promise(const PromiseObject& promise) {
  BoundedText text(kMostStepText);
  if (promise.state != PromiseState::pending) show(text, promise.result, 1);
  Event* event = tell_step(EventKind::promise, text.text());
  if (event == nullptr) return;
  event->id = promise.number;
  event->name = promise.label;
  event->detail = static_cast<std::uint8_t>(step_of(promise.state));
  event->b = text.is_cut() ? 1 : -1;
}

ValueKind Engine::kind_of(const Value& value) {
  switch (value.tag) {
    case Tag::undefined: return ValueKind::undefined;
    case Tag::null: return ValueKind::null;
    case Tag::boolean: return ValueKind::boolean;
    case Tag::number: return ValueKind::number;
    case Tag::literal:
    case Tag::string: return ValueKind::string;
    case Tag::error: return ValueKind::error;
    case Tag::list: return ValueKind::array;
    case Tag::promise: return ValueKind::promise;
    default: return ValueKind::object;
  }
}

// As util.inspect shows it, in one line. A text on its own (`depth` 0) has no quotes: its type tells that it is one.
void Engine::show(BoundedText& out, const Value& value, int depth) const {
  switch (value.tag) {
    case Tag::literal:
    case Tag::string:
      if (depth == 0) return out.add(string_of(value));
      out.add("'");
      out.add(string_of(value));
      return out.add("'");
    case Tag::list: return show_list(out, value.index, depth);
    case Tag::record: return show_record(out, value.index, depth);
    case Tag::promise: {
      const PromiseObject& promise = heap_.promises[value.index];
      if (promise.state == PromiseState::pending) return out.add("Promise { <pending> }");
      out.add(promise.state == PromiseState::rejected ? "Promise { <rejected> " : "Promise { ");
      if (depth >= kDeepest)
        out.add("...");
      else
        show(out, promise.result, depth + 1);
      return out.add(" }");
    }
    case Tag::timer: return out.add("Timeout");
    case Tag::immediate: return out.add("Immediate");
    case Tag::emitter: {
      const node::EmitterObject& emitter = heap_.emitters[value.index];
      if (emitter.child != kNone) return out.add("ChildProcess");
      if (emitter.net == kNone) return out.add("EventEmitter");
      return out.add(heap_.nets[emitter.net].is_server ? "Server" : "Socket");
    }
    case Tag::error: {  // its parts one by one: they may be long
      const ErrorObject& error = heap_.errors[value.index];
      out.add(error.name);
      if (error.tells_code) {
        out.add(" [");
        out.add(error.code);
        out.add("]");
      }
      if (error.message.empty()) return;
      out.add(": ");
      return out.add(error.message);
    }
    default: return out.add(to_text(value));
  }
}

void Engine::show_list(BoundedText& out, std::uint32_t list, int depth) const {
  if (depth >= kDeepest) return out.add("[Array]");
  const std::vector<Value>& items = heap_.lists[list].items;
  out.add("[");
  for (std::size_t i = 0; i < items.size() && !out.is_cut(); ++i) {
    out.add(i == 0 ? " " : ", ");
    show(out, items[i], depth + 1);
  }
  out.add(items.empty() ? "]" : " ]");
}

// An item of allSettled's result.
void Engine::show_record(BoundedText& out, std::uint32_t record, int depth) const {
  if (depth >= kDeepest) return out.add("[Object]");
  out.add("{ ");
  for (const Value& item : heap_.lists[record].items) show(out, item, depth + 1);
  out.add(" }");
}

}  // namespace loopsim::vm
