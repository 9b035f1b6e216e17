// Finds the functions that need no frame. Must match step_through_leaf() and take_only_step() in sim/vm/interpreter.cpp, which execute
// their steps.
#include <vector>

#include "sim/program/program.hpp"

namespace loopsim {

namespace {

// True if the operand can be read without a frame. Locals, and texts that contain them, need one.
bool needs_no_frame(std::uint32_t operand) {
  const Operand::Kind kind = Operand::kind(operand);
  return kind == Operand::Kind::constant || kind == Operand::Kind::global;
}

bool hands_over_no_arguments(const Program& program, std::uint32_t site) {
  return site == kNone || program.sites[site].arguments == 0;
}

bool may_stand_in_leaf(const Program& program, const Instruction& instruction) {
  switch (instruction.op) {
    case Op::mark:
    case Op::cpu:
    case Op::spin: return true;
    case Op::next_tick:
    case Op::queue_microtask: return hands_over_no_arguments(program, instruction.d);
    case Op::set_immediate: return instruction.b != 0 && hands_over_no_arguments(program, instruction.d);
    case Op::set_timer: {
      const DelayPlan& delay = program.delays[instruction.c];
      return instruction.b != 0 && hands_over_no_arguments(program, instruction.d) &&
             (delay.duration != kNone || needs_no_frame(delay.operand));
    }
    case Op::resolved_then:
      return instruction.b != 0 && hands_over_no_arguments(program, instruction.d) &&
             hands_over_no_arguments(program, instruction.e);
    default: return false;
  }
}

bool is_leaf(const Program& program, const Function& function) {
  if (function.slots != 0 || function.is_async || function.handlers != 0) return false;
  std::uint32_t at = function.entry;
  while (at < program.code.size() && may_stand_in_leaf(program, program.code[at])) ++at;
  return at < program.code.size() && program.code[at].op == Op::return_ && program.code[at].a != 0;
}

// True if all that the leaf hands over are functions of the script's top level.
bool closes_over_nothing(const Program& program, const Function& leaf) {
  const auto captures = [&program](std::uint32_t site) {
    return site != kNone && program.sites[site].closure == Site::Closure::here;
  };
  for (std::uint32_t at = leaf.entry; program.code[at].op != Op::return_; ++at) {
    const Instruction& instruction = program.code[at];
    switch (instruction.op) {
      case Op::mark:
      case Op::cpu:
      case Op::spin: break;
      default:
        if (captures(instruction.d) || (instruction.op == Op::resolved_then && captures(instruction.e))) return false;
    }
  }
  return true;
}

// After all sites have their closures.
void note_only_step(const Program& program, Leaf& leaf) {
  const Instruction& step = program.code[leaf.entry];
  if (step.op != Op::set_timer && step.op != Op::set_immediate && step.op != Op::next_tick &&
      step.op != Op::resolved_then)
    return;
  if (program.code[leaf.entry + 1].op != Op::return_) return;
  if (step.op == Op::set_timer) {
    leaf.duration = program.delays[step.c].duration;
    if (leaf.duration == kNone) return;  // computed
    const Duration& duration = program.durations[leaf.duration];
    if (duration.kind != Duration::Kind::fixed) leaf.stream = duration.stream;
    leaf.repeats = step.a != 0;
  }
  leaf.only = step.op;
  leaf.site = step.d;
  if (step.d != kNone)
    leaf.closure = program.sites[step.d].closure;  // then() may have a callback for the failure alone
}

}  // namespace

void mark_leaves(Program& program) {
  std::vector<bool> leaves(program.functions.size(), false);
  for (std::size_t i = 1; i < leaves.size(); ++i) leaves[i] = is_leaf(program, program.functions[i]);
  std::vector<bool> captures(leaves.size(), true);
  for (std::size_t i = 1; i < leaves.size(); ++i)
    captures[i] = !leaves[i] || !closes_over_nothing(program, program.functions[i]);
  std::vector<std::uint32_t> numbers(leaves.size(), kNone);
  for (Site& site : program.sites) {
    if (site.function == kNone || !leaves[site.function]) continue;
    std::uint32_t& number = numbers[site.function];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(program.leaves.size());
      program.leaves.push_back({.function = site.function, .entry = program.functions[site.function].entry});
    }
    site.leaf = number;
    if (!captures[site.function]) site.closure = Site::Closure::none;
  }
  for (Leaf& leaf : program.leaves) note_only_step(program, leaf);
}

}  // namespace loopsim
