// Scenarios, changed as trees, and run with every writer. Two runs give the same bytes, and what is written can be read back.

#include <algorithm>
#include <string>
#include <tuple>

#include "loopsim/explain.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/trace_reader.hpp"
#include "loopsim/writers.hpp"

#include "tests/fuzz/require.hpp"
#include "tests/fuzz/structured.hpp"

namespace {

// Small, so that many are run; the scenario's own where they are smaller still.
void keep_it_short(loopsim::Limits& limits) {
  limits.callbacks = std::min<std::uint64_t>(limits.callbacks, 400);
  limits.steps = std::min<std::uint64_t>(limits.steps, 5'000);
  limits.queue = std::min<std::uint64_t>(limits.queue, 500);
  limits.depth = std::min<std::uint32_t>(limits.depth, 200);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loopsim;
  ReadResult read = read_scenario(std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
  if (!read.scenario) return 0;
  keep_it_short(read.scenario->limits);
  const CompileResult compiled = compile(*read.scenario);
  if (compiled.program == nullptr) return 0;

  StringOutput lines, text, table, viewer, drawing, story;
  const auto jsonl = make_hashing_jsonl_writer(lines);
  const auto timeline = make_text_writer(text, {.hash = jsonl.get()});
  const auto csv = make_csv_writer(table);
  const auto perfetto = make_perfetto_writer(viewer);
  const auto svg = make_svg_writer(drawing);
  const auto explainer = make_explainer();
  const auto recorder = make_recorder();
  TraceSink* const all[] = {jsonl.get(), timeline.get(),  csv.get(),     perfetto.get(),
                            svg.get(),   explainer.get(), recorder.get()};
  const RunSummary summary = run(*compiled.program, all);
  fuzz::require(!format_summary(summary, jsonl.get()).empty(), "there is a summary");

  write_explanations_json(*explainer, story);

  const auto hash = make_hash_sink();
  TraceSink* const once_more[] = {hash.get()};
  run(*compiled.program, once_more);
  fuzz::require(hash->hash() == jsonl->hash(), "the same again has the same hash");
  const RunSummary untraced = run(*compiled.program, {});  // takes shorter ways
  const auto told = [](const RunSummary& run) {
    return std::tuple(run.reason, run.limit, run.exit_code, run.end_time, run.turns, run.callbacks, run.steps);
  };
  fuzz::require(told(untraced) == told(summary), "and without a trace it is the same run");

  StringOutput again;
  const auto rewriter = make_jsonl_writer(again);
  TraceSink* const reader[] = {rewriter.get()};
  fuzz::require(read_trace(lines.text(), "fuzz.jsonl", reader).empty(), "the trace can be read");
  fuzz::require(again.text() == lines.text(), "and gives the same bytes again");
  return 0;
}
