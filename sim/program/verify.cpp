#include "sim/program/verify.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace loopsim {
namespace {

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  std::string first_fault() {
    tables();
    entries_.resize(program_.functions.size());
    arrivals_.resize(program_.code.size(), kUnseen);
    if (program_.functions.empty()) return "there is no main function";
    enter(0, kNoScope);
    for (std::size_t next = 0; next < functions_.size() && fault_.empty(); ++next) walk(functions_[next]);
    return std::move(fault_);
  }

 private:
  // A scope enclosing an instruction, linked to its outer scope.
  struct Scope {
    std::uint32_t outer;
    std::uint32_t slots;
  };
  static constexpr std::uint32_t kNoScope = kNone;
  static constexpr std::uint32_t kUnseen = kNone - 1;

  // ---- faults -------------------------------------------------------------------------------------------------------

  // Keeps only the first fault; later ones are often its consequence.
  bool require(bool holds, std::string_view what) {
    if (!holds && fault_.empty()) fault_ = where() + std::string(what);
    return holds;
  }
  bool below(std::size_t index, std::size_t size, std::string_view what) {
    if (index >= size && fault_.empty()) fault_ = where() + fmt::format("{} {}, of {}", what, index, size);
    return index < size;
  }
  [[nodiscard]] std::string where() const {
    if (function_ == kNone) return {};
    return at_ == kNone ? fmt::format("function {}: ", function_)
                        : fmt::format("function {}, instruction {}: ", function_, at_);
  }

  // ---- tables -------------------------------------------------------------------------------------------------------

  void tables() {
    require(program_.positions.size() == program_.code.size(), "as many positions as instructions");
    require(program_.request_names.size() == program_.work_durations.size(), "as many names as durations of requests");
    for (const Constant& constant : program_.constants)
      if (constant.kind == Constant::Kind::string) below(constant.string, program_.strings.size(), "string");
    for (std::size_t i = 0; i < program_.receivers.size(); ++i) {
      below(program_.receivers[i].instruction, program_.code.size(), "instruction of a receiver");
      require(i == 0 || program_.receivers[i - 1].instruction < program_.receivers[i].instruction,
              "receivers in their order");
      is_string(program_.receivers[i].name);
    }
    for (const std::uint32_t duration : program_.work_durations) is_duration(duration);
    for (const std::uint32_t label : program_.request_names) is_label(label);
    for (const Duration& duration : program_.durations)
      if (duration.kind != Duration::Kind::fixed) below(duration.stream, program_.streams, "random stream");
    for (const Site& site : program_.sites) {
      is_label(site.label);
      if (site.leaf == kNone || !below(site.leaf, program_.leaves.size(), "leaf") ||
          !below(site.function, program_.functions.size(), "function of a leaf"))
        continue;
      const Leaf& leaf = program_.leaves[site.leaf];
      const Function& function = program_.functions[site.function];
      require(
          leaf.function == site.function && leaf.entry == function.entry && function.slots == 0 && !function.is_async,
          "a leaf is a function without a frame");
    }
    for (const Leaf& leaf : program_.leaves) only_step(leaf);
  }

  // What stands in the leaf is what its instruction says.
  void only_step(const Leaf& leaf) {
    if (leaf.only == Op::return_ || !below(leaf.entry, program_.code.size(), "entry of a leaf")) return;
    const Instruction& step = program_.code[leaf.entry];
    const bool has_site = step.d != kNone;
    bool same = leaf.only == step.op && leaf.site == step.d && (!has_site || step.d < program_.sites.size()) &&
                leaf.closure == (has_site ? program_.sites[step.d].closure : Site::Closure::none);
    if (same && leaf.only == Op::set_timer) {
      same = leaf.repeats == (step.a != 0) && step.c < program_.delays.size() &&
             leaf.duration == program_.delays[step.c].duration && leaf.duration < program_.durations.size();
      if (same) {
        const Duration& duration = program_.durations[leaf.duration];
        same = leaf.stream == (duration.kind == Duration::Kind::fixed ? kNone : duration.stream);
      }
    }
    require(same, "a leaf's only step is its instruction");
  }

  void is_string(std::uint32_t string) { below(string, program_.strings.size(), "string"); }
  void is_label(std::uint32_t label) {
    if (label != kNoName) below(label, program_.names.size(), "name");
  }
  void is_duration(std::uint32_t duration) { below(duration, program_.durations.size(), "duration"); }
  void is_mark(std::uint32_t mark) { below(mark, program_.marks, "mark"); }

  // ---- functions and their scopes -----------------------------------------------------------------------------------

  // The function is called, or passed as a callback, with these enclosing scopes.
  void enter(std::uint32_t index, std::uint32_t outer) {
    if (!below(index, program_.functions.size(), "function")) return;
    const Function& function = program_.functions[index];
    std::optional<std::uint32_t>& known = entries_[index];
    if (known) {
      require(*known == outer, "a function is used within other scopes than before");
      return;
    }
    known = outer;
    require(function.entry < function.end && function.end <= program_.code.size(),
            "a function that was never compiled");
    if (fault_.empty()) functions_.push_back(index);
  }
  // As Engine::scope_of(): named functions are at the top level of the script.
  void enter_from(std::uint32_t index) {
    if (!below(index, program_.functions.size(), "function")) return;
    enter(index, program_.functions[index].is_named ? main_scope_ : scope_);
  }

  std::uint32_t new_scope(std::uint32_t outer, std::uint32_t slots) {
    scopes_.push_back({outer, slots});
    return static_cast<std::uint32_t>(scopes_.size() - 1);
  }

  void walk(std::uint32_t index) {
    const Function& function = program_.functions[index];
    function_ = index;
    at_ = kNone;
    const std::uint32_t outer = *entries_[index];
    const std::uint32_t outermost = function.slots == 0 ? outer : new_scope(outer, function.slots);
    if (index == 0) main_scope_ = outermost;
    below(function.parameters, std::size_t{function.slots} + 1, "parameters");
    if (function.slots != 0) below(function.slots, std::size_t{Operand::kMostSlots} + 1, "slots");
    is_label(function.label);
    handlers_of(function);

    outermost_ = outermost;
    arrive(function.entry, outermost);
    while (!to_visit_.empty() && fault_.empty()) {
      at_ = to_visit_.back();
      to_visit_.pop_back();
      scope_ = arrivals_[at_];
      instruction(program_.code[at_]);
      thrown_from(function);
    }
  }

  void handlers_of(const Function& function) {
    if (!below(function.first_handler + std::size_t{function.handlers}, program_.handlers.size() + 1, "handler"))
      return;
    for (std::uint32_t i = 0; i < function.handlers; ++i) {
      const Handler& handler = program_.handlers[function.first_handler + i];
      require(handler.begin < handler.end && handler.begin >= function.entry && handler.end <= function.end,
              "a handler guards a part of its function");
      require(handler.target >= function.entry && handler.target < function.end, "a handler lies in its function");
    }
  }

  // Control flow reaches an instruction of this function.
  void arrive(std::uint32_t to, std::uint32_t scope) {
    const Function& function = program_.functions[function_];
    if (!require(to >= function.entry && to < function.end, "goes on outside of its function")) return;
    if (arrivals_[to] == kUnseen) {
      arrivals_[to] = scope;
      to_visit_.push_back(to);
    } else {
      require(arrivals_[to] == scope, fmt::format("comes to instruction {} with other scopes than before", to));
    }
  }

  // As Engine::unwind(): the first handler that guards this instruction catches.
  void thrown_from(const Function& function) {
    for (std::uint32_t i = 0; i < function.handlers; ++i) {
      const Handler& handler = program_.handlers[function.first_handler + i];
      if (at_ < handler.begin || at_ >= handler.end) continue;
      const std::uint32_t depth = depth_of(arrivals_[at_]);
      if (!below(handler.scope_depth, std::size_t{depth} + 1, "depth of a handler")) return;
      return arrive(handler.target, leave(arrivals_[at_], depth - handler.scope_depth));
    }
  }

  // The number of scopes pushed by this function.
  [[nodiscard]] std::uint32_t depth_of(std::uint32_t scope) const {
    std::uint32_t depth = 0;
    for (; scope != outermost_; scope = scopes_[scope].outer) ++depth;
    return depth;
  }
  [[nodiscard]] std::uint32_t leave(std::uint32_t scope, std::uint32_t count) const {
    for (; count > 0; --count) scope = scopes_[scope].outer;
    return scope;
  }

  // ---- operands -----------------------------------------------------------------------------------------------------

  void slots(std::uint32_t slot, std::uint32_t count) {
    if (!require(scope_ != kNoScope, "a slot, but no scope")) return;
    below(std::size_t{slot} + count - 1, scopes_[scope_].slots, "slot");
  }

  void place(std::uint32_t operand) {
    const Operand::Kind kind = Operand::kind(operand);
    if (kind == Operand::Kind::global) {
      below(Operand::index(operand), program_.globals, "global");
      return;
    }
    if (!require(kind == Operand::Kind::local, "no place to write to")) return;
    std::uint32_t scope = scope_;
    std::uint32_t scopes = 0;
    for (; scope != kNoScope && scopes < Operand::hops(operand); scope = scopes_[scope].outer) ++scopes;
    if (!require(scope != kNoScope, fmt::format("local {} scopes out, of {}", Operand::hops(operand), scopes))) return;
    below(Operand::slot(operand), scopes_[scope].slots, fmt::format("{} scopes out, slot", scopes));
  }

  void value(std::uint32_t operand) {
    const std::uint32_t index = Operand::index(operand);
    switch (Operand::kind(operand)) {
      case Operand::Kind::constant: below(index, program_.constants.size(), "constant"); return;
      case Operand::Kind::global:
      case Operand::Kind::local: return place(operand);
      case Operand::Kind::text:
        if (below(index, program_.texts.size(), "text")) text(program_.texts[index]);
        return;
      case Operand::Kind::error:
        if (below(index, program_.errors.size(), "error")) error(program_.errors[index]);
        return;
      case Operand::Kind::process: return;
    }
    require(false, "an operand of no kind");
  }

  void text(const TextTemplate& text) {
    if (!below(text.first + std::size_t{text.count}, program_.text_pieces.size() + 1, "end of a text")) return;
    for (std::uint32_t i = 0; i < text.count; ++i) {
      const TextPiece& piece = program_.text_pieces[text.first + i];
      switch (piece.kind) {
        case TextPart::Kind::text: is_string(piece.string); break;
        case TextPart::Kind::since: is_mark(piece.operand); break;
        case TextPart::Kind::now: break;
        default: value(piece.operand); break;
      }
    }
  }

  void error(const ErrorTemplate& error) {
    is_string(error.name);
    if (error.code != kNone) is_string(error.code);
    text(error.message);
  }

  void values(std::uint32_t first, std::uint32_t count) {
    if (!below(first + std::size_t{count}, program_.operand_lists.size() + 1, "end of a list of operands")) return;
    for (std::uint32_t i = 0; i < count; ++i) value(program_.operand_lists[first + i]);
  }

  // ---- sites and plans ----------------------------------------------------------------------------------------------

  void site(std::uint32_t index) {
    if (!below(index, program_.sites.size(), "site")) return;
    const Site& site = program_.sites[index];
    values(site.first_argument, site.arguments);
    if (site.function == kNone) return;
    const auto closure =
        below(site.function, program_.functions.size(), "function") && program_.functions[site.function].is_named
            ? Site::Closure::main
            : Site::Closure::here;
    const bool has_closures = program_.profile->family == Family::node;
    const bool needs_none = !has_closures || (site.leaf != kNone && site.closure == Site::Closure::none);
    require(site.closure == (needs_none ? Site::Closure::none : closure),
            "a site closes over what its function stands in");
    enter_from(site.function);
  }
  void site_if_any(std::uint32_t index) {
    if (index != kNone) site(index);
  }
  // The site of a callback of the program, not a native one.
  void site_of_program(std::uint32_t index) {
    if (!below(index, program_.sites.size(), "site")) return;
    require(program_.sites[index].function != kNone, "a callback that is no function of the program");
    site(index);
  }

  void delay(std::uint32_t index) {
    if (!below(index, program_.delays.size(), "delay")) return;
    const DelayPlan& plan = program_.delays[index];
    if (plan.duration != kNone)
      is_duration(plan.duration);
    else
      value(plan.operand);
  }

  void uv_call(std::uint32_t index) {
    if (!below(index, program_.uv_calls.size(), "call of libuv")) return;
    const UvCall& call = program_.uv_calls[index];
    if (call.object != kNone) call.makes_object ? place(call.object) : value(call.object);
    for (const std::uint32_t operand : {call.timeout, call.repeat}) {
      if (operand != kNone) value(operand);
    }
    if (call.other != kNone) call.function == Verb::socketpair ? place(call.other) : value(call.other);
    for (const std::uint32_t operand : {call.data, call.code}) {
      if (operand != kNone) value(operand);
    }
    if (call.text != kNone) is_string(call.text);
    require(call.bytes <= kMostBytesOfUvWrite, "more bytes than a call may write");
    if (call.duration != kNone) is_duration(call.duration);
    if (call.site != kNone) site_of_program(call.site);
  }
  void work(std::uint32_t index) {
    if (!below(index, program_.works.size(), "work")) return;
    const WorkPlan& plan = program_.works[index];
    require(plan.requests != 0, "work without a request");
    below(plan.first_duration + std::size_t{plan.requests}, program_.work_durations.size() + 1,
          "end of durations of work");
    site(plan.site);
    if (plan.error != kNone) is_string(plan.error);
    is_label(plan.operation);
  }

  void spawn(std::uint32_t index) {
    if (!below(index, program_.spawns.size(), "child process")) return;
    const SpawnPlan& plan = program_.spawns[index];
    is_duration(plan.duration);
    if (plan.code != kNone) value(plan.code);
    is_string(plan.command);
  }

  // ---- instructions -------------------------------------------------------------------------------------------------

  // Operands and successors of an instruction.
  void instruction(const Instruction& it) {
    switch (it.op) {
      case Op::jump: return arrive(it.c, scope_);
      case Op::jump_unless:
        below(it.a, static_cast<std::size_t>(Condition::Operator::not_equal) + 1, "operator");
        value(it.c);
        value(it.d);
        arrive(it.e, scope_);
        break;
      case Op::loop_begin:
        slots(it.c, 2);
        value(it.d);
        break;
      case Op::loop_test:
        slots(it.c, 2);
        arrive(it.e, scope_);
        break;
      case Op::loop_next: slots(it.c, 1); return arrive(it.e, scope_);
      case Op::push_scope: {
        below(it.c, std::size_t{Operand::kMostSlots} + 1, "slots");
        const std::uint32_t inner = new_scope(scope_, it.c);
        return arrive(at_ + 1, inner);
      }
      case Op::pop_scope:
        if (!below(it.c, std::size_t{depth_of(scope_)} + 1, "scopes to leave")) return;
        return arrive(at_ + 1, leave(scope_, it.c));
      case Op::throw_: value(it.c); return;
      case Op::return_: return;
      case Op::finally_begin:
      case Op::finally_throw:
      case Op::finally_return: slots(it.c, 2); break;
      case Op::finally_end:
        slots(it.c, 2);
        if (it.e != 0) arrive(it.e, scope_);  // not set if nothing returns
        break;
      default: uses(it); break;
    }
    arrive(at_ + 1, scope_);
  }

  // For instructions that continue with the next one.
  void uses(const Instruction& it) {
    switch (it.op) {
      case Op::log: return values(it.c, it.d);
      case Op::mark: return is_mark(it.c);
      case Op::cpu:
      case Op::spin: return is_duration(it.c);
      case Op::store:
      case Op::add: place(it.c); return value(it.d);
      case Op::load:
      case Op::clear:
      case Op::refresh:
      case Op::ref:
      case Op::unref:
      case Op::has_ref:
      case Op::exit:
      case Op::exit_code:
      case Op::pause:
      case Op::resume:
      case Op::kill: return value(it.c);
      case Op::uv_call: return uv_call(it.c);
      case Op::store_acc: return place(it.c);
      case Op::call:
        values(it.d, it.a);
        is_label(it.e);
        return enter_from(it.c);
      case Op::set_timer: delay(it.c); return site_of_program(it.d);
      case Op::set_immediate:
      case Op::next_tick:
      case Op::queue_microtask: return site_of_program(it.d);
      case Op::timer_promise: delay(it.c); return site(it.d);
      case Op::immediate_promise: return site(it.d);
      case Op::work:
      case Op::work_promise: return work(it.c);
      case Op::emitter: place(it.c); return is_label(it.d);
      case Op::on:
        value(it.c);
        is_string(it.e);
        return site_of_program(it.d);
      case Op::off:
        value(it.c);
        is_string(it.e);
        below(it.d, program_.functions.size(), "function");
        return;
      case Op::emit:
        value(it.c);
        is_string(it.e);
        return values(it.d, it.a);
      case Op::listen:
      case Op::connect: value(it.c); return is_label(it.d);
      case Op::add_listener: is_string(it.e); return site_of_program(it.d);
      case Op::spawn: is_label(it.d); return spawn(it.c);
      case Op::close: value(it.c); return site_if_any(it.e);
      case Op::destroy:
        value(it.c);
        if (it.d != kNone) value(it.d);
        return;
      case Op::write:
      case Op::end:
        value(it.c);
        if (it.a == 0 && it.d != kNone) value(it.d);
        return site_if_any(it.e);
      default: return uses_of_promises(it);
    }
  }

  void tells() { require(program_.most_steps_told != 0, "reports a step that nobody has asked for"); }

  void uses_of_promises(const Instruction& it) {
    switch (it.op) {
      case Op::new_promise: is_label(it.e); return site_if_any(it.d);
      case Op::resolve:
      case Op::reject: value(it.c); return value(it.d);
      case Op::promise_resolve:
      case Op::promise_reject: value(it.c); return is_label(it.d);
      case Op::resolved_promise: return;
      case Op::then:
      case Op::resolved_then:
        is_label(it.c);
        site_if_any(it.d);
        return site_if_any(it.e);
      case Op::finally_: is_label(it.c); return site_of_program(it.d);
      case Op::list_begin:
      case Op::list_append: return slots(it.c, 1);
      case Op::combine:
        below(it.a, static_cast<std::size_t>(Combinator::race) + 1, "combinator");
        is_label(it.d);
        return slots(it.c, 1);
      case Op::tell_scope: below(it.a, static_cast<std::size_t>(ScopeStep::round) + 1, "kind of scope"); return tells();
      case Op::tell_assign:
        below(it.a, static_cast<std::size_t>(AssignStep::caught) + 1, "kind of assignment");
        place(it.c);
        is_label(it.d);
        return tells();
      case Op::tell_condition:
        below(it.a, static_cast<std::size_t>(Condition::Operator::not_equal) + 1, "operator");
        value(it.c);
        value(it.d);
        is_label(it.e);
        return tells();
      case Op::tell_promise: return tells();
      case Op::await: require(program_.functions[function_].is_async, "waits, but is no async function"); return;
      default: require(false, "an instruction of no kind");
    }
  }

  const Program& program_;
  std::vector<Scope> scopes_;
  std::vector<std::optional<std::uint32_t>> entries_;  // by function: the enclosing scope, once known
  std::vector<std::uint32_t> functions_;               // reachable ones, in the order of discovery
  std::vector<std::uint32_t> arrivals_;                // by instruction: its scope, once known
  std::vector<std::uint32_t> to_visit_;
  std::uint32_t main_scope_ = kNoScope;
  std::string fault_;

  // state of the current function
  std::uint32_t function_ = kNone;
  std::uint32_t outermost_ = kNoScope;
  std::uint32_t at_ = kNone;
  std::uint32_t scope_ = kNoScope;
};

}  // namespace

std::string verify(const Program& program) { return Verifier(program).first_fault(); }

}  // namespace loopsim
