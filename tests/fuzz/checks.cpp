#include "tests/fuzz/checks.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "loopsim/explain.hpp"
#include "loopsim/known_differences.hpp"
#include "loopsim/trace_reader.hpp"
#include "loopsim/writers.hpp"

#include "sim/program/verify.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/support/explanation_rules.hpp"
#include "tests/support/queue_rules.hpp"
#include "tests/support/trace_rules.hpp"

namespace loopsim::fuzz {
namespace {

void keep_it_short(Limits& limits) {
  limits.callbacks = std::min<std::uint64_t>(limits.callbacks, 400);
  limits.steps = std::min<std::uint64_t>(limits.steps, 5'000);
  limits.queue = std::min<std::uint64_t>(limits.queue, 500);
  limits.depth = std::min<std::uint32_t>(limits.depth, 200);
}

// What of a run needs no trace.
std::string told(const RunSummary& run) {
  return fmt::format("reason {}, limit {}, exit code {}, end {}, in poll {}, {} turns, {} callbacks, {} steps",
                     static_cast<int>(run.reason), static_cast<int>(run.limit), run.exit_code, run.end_time,
                     run.poll_time, run.turns, run.callbacks, run.steps);
}

// Empty: both are the same.
std::string difference(const RunSummary& one, const RunSummary& other) {
  return told(one) == told(other) ? std::string() : told(one) + "; " + told(other);
}

void check_again(const Program& program, const RunSummary& summary, std::uint64_t hash) {
  const auto again = make_hash_sink();
  TraceSink* const once_more[] = {again.get()};
  run(program, once_more);
  require(again->hash() == hash, "the same again has the same hash");
  const RunSummary untraced = run(program, {});  // takes the faster paths
  require_none(difference(summary, untraced), "and without a trace it is the same run");
}

void check_reading(const std::string& trace) {
  StringOutput again;
  const auto rewriter = make_jsonl_writer(again);
  TraceSink* const reader[] = {rewriter.get()};
  const Diagnostics problems = read_trace(trace, "fuzz.jsonl", reader);
  require_none(problems.empty() ? "" : to_string(problems.front()), "the trace can be read");
  require(again.text() == trace, "and gives the same bytes again");
}

}  // namespace

std::shared_ptr<const Program> check_scenario(Scenario& scenario) {
  keep_it_short(scenario.limits);
  const CompileResult compiled = compile(scenario);
  require((compiled.program != nullptr) != has_errors(compiled.diagnostics), "a program, or else an error");
  require(!to_javascript(scenario, {.instrumented = true}).empty(), "there is a script");
  static_cast<void>(warnings_of(scenario));
  if (compiled.program == nullptr) return nullptr;
  // A program in JavaScript is no code of the interpreter.
  const bool has_code =
      compiled.program->script == nullptr && scenario.io == nullptr;  // the steps of a page become a script
  if (has_code) require_none(verify(*compiled.program), "the program is verified");
  return compiled.program;
}

void check_run(const Program& program) {
  StringOutput lines, text, table, viewer, packets, drawing, story;
  const auto jsonl = make_hashing_jsonl_writer(lines);
  const auto timeline = make_text_writer(text, {.hash = jsonl.get()});
  const auto csv = make_csv_writer(table);
  const auto perfetto = make_perfetto_writer(viewer);
  const auto protobuf = make_perfetto_writer(packets, {.form = PerfettoForm::protobuf});
  const auto svg = make_svg_writer(drawing);
  const auto explainer = make_explainer();
  const auto recorder = make_recorder();
  testing::TraceRules rules;
  testing::QueueRules queues;
  testing::ExplanationRules explanations;
  TraceSink* const all[] = {jsonl.get(),     timeline.get(), csv.get(), perfetto.get(), protobuf.get(), svg.get(),
                            explainer.get(), recorder.get(), &rules,    &explanations,  &queues};
  const RunSummary summary = run(program, all);
  // A run of models of I/O has no turns, and its processes are merged by their times.
  if (program.io == nullptr) require_none(rules.broken(), "the trace keeps the rules of traces");
  require_none(queues.broken(), "what leaves a queue is what it says stands there");
  require_none(explanations.broken(explainer->explanations()), "explanations keep theirs");
  require(!format_summary(summary, jsonl.get()).empty(), "there is a summary");
  write_explanations_json(*explainer, story);
  check_again(program, summary, jsonl->hash());
  check_reading(lines.text());
}

void check_steps(const Scenario& scenario, const Program& program) {
  const CompileResult stepped = compile(scenario, {.steps = true, .most_steps = 2'000});
  require(stepped.program != nullptr, "it compiles with steps, too");
  StringOutput lines;
  const auto jsonl = make_jsonl_writer(lines);
  TraceSink* const all[] = {jsonl.get()};
  const RunSummary summary = run(*stepped.program, all);
  const std::string& source = scenario.script->source;
  const bool sees_collections =
      source.find("Weak") != std::string::npos || source.find("Registry") != std::string::npos;
  // Places in the program are found by the library, in other ways where steps are told: one of the two may meet the limit of steps.
  const RunSummary plain = run(program, {});
  const bool meets_limit = summary.limit == LimitKind::steps || plain.limit == LimitKind::steps;
  if (scenario.machine.overhead.jumps.a == 0 && !sees_collections && !meets_limit)
    require_none(difference(summary, plain), "with steps, it is the same run");
  check_reading(lines.text());
}

}  // namespace loopsim::fuzz
