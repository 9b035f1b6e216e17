// Every compiled program passes the verifier (sim/program/verify.hpp), and the verifier finds the faults of damaged
// programs.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/program/program.hpp"
#include "sim/program/verify.hpp"
#include "tests/support/every_run.hpp"
#include "tests/support/simulate.hpp"

using namespace loopsim;
using loopsim::testing::compile_text;
using loopsim::testing::for_every_run;
using loopsim::testing::simulate;

namespace {

// Steps whose bodies have few or no locals; none may disturb the locals of the enclosing bodies.
constexpr std::array<const char*, 26> kSteps = {
    R"({"try":[],"catch":[]})",
    R"({"try":[],"catch":[{"log":"{error}"}]})",
    R"({"try":[],"finally":[]})",
    R"({"try":[],"catch":[],"finally":[]})",
    R"({"try":[{"throw":"x"}],"catch":[]})",
    R"({"try":[{"throw":"x"}],"catch":[{"nextTick":[{"log":"{error}"}]}]})",
    R"({"try":[{"throw":"x"}],"catch":[],"finally":[]})",
    R"({"try":[{"try":[],"catch":[]}],"catch":[]})",
    R"({"try":[{"throw":"x"}],"catch":[{"try":[],"catch":[{"log":"{error}"}]}]})",
    R"({"try":[{"let":{"d":1}}],"catch":[]})",
    R"({"try":[{"return":1}],"catch":[]})",
    R"({"try":[{"return":1}],"finally":[]})",
    R"({"repeat":2,"do":[]})",
    R"({"repeat":2,"as":"j","do":[]})",
    R"({"repeat":2,"as":"j","do":[{"nextTick":[{"log":"{j}"}]}]})",
    R"({"repeat":2,"as":"j","do":[{"try":[{"throw":"{j}"}],"catch":[]}]})",
    R"({"repeat":2,"as":"j","do":[{"try":[{"throw":"{j}"}],"catch":[{"nextTick":[{"log":"{error}"}]}]}]})",
    R"({"repeat":2,"as":"j","do":[{"nextTick":[{"log":"{j}"}]},{"try":[{"return":1}],"finally":[]}]})",
    R"({"if":"g","then":[]})",
    R"({"if":"g","then":[{"try":[],"catch":[]}],"else":[]})",
    R"({"if":"g","then":[],"else":[{"let":{"d":1}}]})",
    R"({"let":{"d":1}})",
    R"({"all":[]})",
    R"({"then":{"race":[]},"do":[]})",
    R"({"await":{"all":[null]}})",
    R"({"call":"f","with":[1]})",
};

// The step inside three bodies with a local each, read before and after the step and in a callback of the same body.
std::string around(const char* step, const char* kind) {
  const std::string read = R"({"log":"{a} {b} {c}"})";
  return fmt::format(
      R"({{"functions":{{"f":{{"parameters":["x"],"do":[]}}}},
          "main":[{{"set":{{"g":1}}}},{{"on":"process","event":"uncaughtException","do":[]}},{{"let":{{"a":"A"}}}},
          {{"setTimeout":1,"do":[{{"let":{{"b":"B"}}}},
            {{"setTimeout":1,"with":["C"],"do":[{{"let":{{"c":"{{value}}"}}}},
              {{{}[{},{},{}]{}}}]}}]}}]}})",
      std::string_view(kind) == "async" ? R"("async":)" : R"("setTimeout":1,"do":)", read, step,
      R"({"nextTick":[)" + read + "]}", "");
}

}  // namespace

TEST_CASE("every program that the compiler makes of a scenario is one that can be run", "[property][verify]") {
  for_every_run([](const Program& program, const Profile&, const auto&) { CHECK(verify(program).empty()); });
}

TEST_CASE("locals of the bodies around it are found, whatever a body keeps itself", "[property][verify]") {
  for (const char* step : kSteps) {
    for (const char* kind : {"async", "setTimeout"}) {
      if (std::string_view(step).find("await") != std::string_view::npos && std::string_view(kind) != "async") continue;
      INFO(step << " in " << kind);
      const std::shared_ptr<const Program> program = compile_text(around(step, kind));
      CHECK(verify(*program).empty());
      const auto run = simulate(*program);
      REQUIRE_FALSE(run.output.empty());
      CHECK(run.output.front() == "A B C");
      if (std::string_view(step).find("return") == std::string_view::npos)
        CHECK(std::ranges::count(run.output, "A B C") == 2);
    }
  }
}

namespace {

// Unreachable instructions: those after one that never falls through, up to the next jump target.
std::vector<bool> dead_code(const Program& program) {
  std::vector<bool> is_target(program.code.size() + 1, false);
  for (const Function& function : program.functions) is_target[function.entry] = true;
  for (const Handler& handler : program.handlers) is_target[handler.target] = true;
  for (const Instruction& it : program.code) {
    if (it.op == Op::jump) is_target[it.c] = true;
    if (it.op == Op::jump_unless || it.op == Op::loop_test || it.op == Op::loop_next || it.op == Op::finally_end)
      is_target[it.e] = true;
  }
  std::vector<bool> dead(program.code.size(), false);
  for (std::size_t at = 1; at < dead.size(); ++at) {
    const Op before = program.code[at - 1].op;
    const bool goes_on = before != Op::return_ && before != Op::throw_ && before != Op::jump && before != Op::loop_next;
    dead[at] = !is_target[at] && (!goes_on || dead[at - 1]);
  }
  return dead;
}

}  // namespace

TEST_CASE("whatever an instruction names, the verifier looks whether it is there", "[property][verify]") {
  // Fields that hold a plain number and not an index: every value is valid.
  const auto is_number = [](const Instruction& instruction, int field) {
    const bool bytes = (instruction.op == Op::write || instruction.op == Op::end) && instruction.a == 1 && field == 1;
    return bytes || (instruction.op == Op::kill && field == 1);
  };
  std::set<Op> found;
  std::size_t damaged = 0;
  for_every_run([&](const Program& whole, const Profile& profile, const auto&) {
    if (profile.name != "node-24") return;
    Program program = whole;
    const std::vector<bool> dead = dead_code(program);
    for (std::size_t at = 0; at < program.code.size(); ++at) {
      const Instruction kept = program.code[at];
      if (dead[at]) continue;
      for (int field = 0; field < 3; ++field) {
        std::uint32_t Instruction::*const member = field == 0   ? &Instruction::c
                                                   : field == 1 ? &Instruction::d
                                                                : &Instruction::e;
        if (kept.*member == 0 || kept.*member == kNone || is_number(kept, field)) continue;
        if (Operand::kind(kept.*member) == Operand::Kind::process) continue;
        program.code[at].*member |= 0x0ffffff0U;  // keeps the operand's kind
        INFO("instruction " << at << ", op " << static_cast<int>(kept.op) << ", field " << field);
        CHECK_FALSE(verify(program).empty());
        program.code[at] = kept;
        found.insert(kept.op);
        ++damaged;
      }
    }
  });
  // Both change with the set of scenarios. A sudden drop means that the loop above skips instructions.
  CHECK(damaged == 3378);
  CHECK(found.size() == 54);
}

TEST_CASE("the verifier says what is wrong, and where", "[property][verify]") {
  const auto program = compile_text(R"({"main":[{"let":{"c":1}},
    {"setTimeout":1,"do":[{"repeat":2,"as":"i","do":[{"try":[{"throw":"{c}"}],"catch":[{"nextTick":[{"log":"{error}{i}{c}"}]}]}]}]}]})");
  REQUIRE(verify(*program).empty());
  const auto damaged = [&](const auto& damage) {
    Program copy = *program;
    damage(copy);
    return verify(copy);
  };
  const auto first = [](Program& of, Op op) -> Instruction& {
    return *std::ranges::find(of.code, op, &Instruction::op);
  };

  CHECK(damaged([](Program& it) { it.functions[1].slots = 0; }) == "function 1, instruction 3: slot 1, of 1");
  CHECK(damaged([](Program& it) { it.functions[0].slots = 0; }) ==
        "function 0, instruction 0: local 0 scopes out, of 0");
  CHECK(damaged([&](Program& it) { first(it, Op::pop_scope).c = 2; }) ==
        "function 1, instruction 11: scopes to leave 2, of 2");
  CHECK(damaged([&](Program& it) { first(it, Op::pop_scope).c = 0; }) ==
        "function 1, instruction 12: comes to instruction 4 with other scopes than before");
  CHECK(damaged([](Program& it) { it.functions[1].end -= 1; }) ==
        "function 1, instruction 4: goes on outside of its function");
  CHECK(damaged([](Program& it) { it.handlers[0].scope_depth = 2; }) ==
        "function 1, instruction 7: depth of a handler 2, of 2");
  CHECK(damaged([](Program& it) { it.handlers[0].target = 0; }) == "function 1: a handler lies in its function");
  for (const auto& guards : {std::pair(0U, 0U), std::pair(0U, 1U), std::pair(0U, 1000U)}) {
    CHECK(damaged([&](Program& it) {
            it.handlers[0].begin = it.functions[1].entry + guards.first;
            it.handlers[0].end = it.functions[1].entry + guards.second;
            if (guards.second == 1) --it.handlers[0].begin;
          }) == "function 1: a handler guards a part of its function");
  }
  CHECK(damaged([&](Program& it) { first(it, Op::pop_scope).op = static_cast<Op>(200); }) ==
        "function 1, instruction 11: an instruction of no kind");
  CHECK(damaged([](Program& it) { it.sites[0].closure = Site::Closure::main; }) ==
        "function 0, instruction 1: a site closes over what its function stands in");
  CHECK(damaged([](Program& it) {
          it.sites[0].leaf = static_cast<std::uint32_t>(it.leaves.size());
          it.leaves.push_back({.function = it.sites[0].function, .entry = it.functions[1].entry});
        }) == "a leaf is a function without a frame");
  CHECK(damaged([](Program& it) { it.sites[0].leaf = static_cast<std::uint32_t>(it.leaves.size()); }) ==
        "leaf 0, of 0");
  CHECK(damaged([](Program& it) {
          it.leaves.push_back({.function = 1, .entry = it.functions[1].entry, .only = Op::set_immediate});
        }) == "a leaf's only step is its instruction");
  CHECK(damaged([](Program& it) { it.positions.pop_back(); }) == "as many positions as instructions");
  CHECK(damaged([](Program& it) { it.functions[1].end = 0; }) ==
        "function 0, instruction 1: a function that was never compiled");
}
