// Runs a scenario given as text and keeps all its events, for tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/writers.hpp"

namespace loopsim::testing {

// An event with its name and text.
struct Kept {
  Event event;
  std::string name;
  std::string text;
};
class Collector final : public TraceSink {
 public:
  void begin(const RunInfo& info) override { names_ = {info.names.begin(), info.names.end()}; }
  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) {
      kept.push_back(
          {event, event.name == kNoName ? std::string() : names_[event.name], std::string(batch.text_of(event))});
    }
  }
  void end(const RunSummary& run_summary) override { summary = run_summary; }

  std::vector<Kept> kept;
  RunSummary summary;

 private:
  std::vector<std::string> names_;
};

struct Run {
  std::vector<std::string> output;     // lines of log
  std::vector<std::string> callbacks;  // "name@ms" of every begun callback except main
  std::vector<Kept> events;
  RunSummary summary;
  std::string jsonl;
};

// A time as "12", "0.7", "1.000001": milliseconds without trailing zeros.
inline std::string in_ms(TimeNs ns) {
  std::string text = std::to_string(ns / kMillisecond);
  std::string fraction = std::to_string(ns % kMillisecond);
  fraction.insert(0, 6 - fraction.size(), '0');
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return fraction.empty() ? text : text + "." + fraction;
}

inline std::shared_ptr<const Program> compile_text(const std::string& document, const std::string& runtime = "") {
  ReadOptions options;
  options.runtime = runtime;
  ReadResult read = read_scenario(document, "test.json", options);
  std::string problems;
  for (const Diagnostic& diagnostic : read.diagnostics) problems += to_string(diagnostic);
  INFO(problems);
  REQUIRE(read.scenario.has_value());
  CompileResult compiled = compile(*read.scenario);
  REQUIRE(compiled.program != nullptr);
  return compiled.program;
}

inline Run simulate(const Program& program) {
  Collector collector;
  StringOutput output;
  const auto jsonl = make_jsonl_writer(output);
  TraceSink* const sinks[] = {&collector, jsonl.get()};
  Run result;
  result.summary = run(program, sinks);
  result.jsonl = output.text();
  for (const Kept& kept : collector.kept) {
    if (kept.event.kind == EventKind::log) result.output.push_back(kept.text);
    if (kept.event.kind == EventKind::callback_begin && kept.event.api != Api::main) {
      result.callbacks.push_back(kept.name + "@" + in_ms(kept.event.time));
    }
  }
  result.events = std::move(collector.kept);
  return result;
}

inline Run simulate(const std::string& document, const std::string& runtime = "") {
  return simulate(*compile_text(document, runtime));
}

// Runs a document with this main script; `more` has further members.
inline Run simulate_main(const std::string& main, const std::string& runtime = "", const std::string& more = "") {
  return simulate("{ \"main\": [" + main + "]" + (more.empty() ? "" : ", " + more) + " }", runtime);
}

using Lines = std::vector<std::string>;

}  // namespace loopsim::testing
