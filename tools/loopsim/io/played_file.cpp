#include "tools/loopsim/io/played_file.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "loopsim/known_differences.hpp"
#include "loopsim/trace_reader.hpp"

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/scenario_input.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/machine_options.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/line/step_ceiling.hpp"

namespace loopsim::cli {
namespace {

class SummaryKeeper final : public TraceSink {
 public:
  void begin(const RunInfo&) override {}
  void events(const EventBatch&) override {}
  void end(const RunSummary& summary) override { summary_ = summary; }
  [[nodiscard]] const RunSummary& summary() const { return summary_; }

 private:
  RunSummary summary_;
};

bool is_about_scenarios(const Arguments& arguments) {
  return arguments.has("runtime") || arguments.has("set") || arguments.has("seed") || has_machine_options(arguments);
}

}  // namespace

bool looks_like_trace(std::string_view beginning, const std::string& path) {
  const std::size_t brace = beginning.find_first_not_of(" \t\r\n");
  if (brace != std::string_view::npos && beginning[brace] == '{') {
    const std::size_t key = beginning.find_first_not_of(" \t\r\n", brace + 1);
    if (key != std::string_view::npos && beginning.substr(key).starts_with("\"loopsim_trace\"")) return true;
  }
  return path.ends_with(".jsonl");
}

std::optional<RunSummary> play_file(const Arguments& arguments, const std::string& path,
                                    std::span<TraceSink* const> sinks, RacesResult* races) {
  const std::optional<ReadOptions> options = read_options(arguments);
  if (!options) return std::nullopt;
  SummaryKeeper summary;
  std::vector<TraceSink*> all(sinks.begin(), sinks.end());
  all.push_back(&summary);

  std::string document;
  std::unique_ptr<TraceReader> reader;
  bool is_first = true;
  bool goes_on = true;
  const auto begin = [&](std::string_view piece) {
    is_first = false;
    if (!looks_like_trace(piece, path)) return;
    reader = make_trace_reader(input_name(path), all);
    if (!is_about_scenarios(arguments)) return;
    report_usage_error(
        {"--runtime, --set, --seed and options of the machine say how a scenario is run, and " + path + " is a trace",
         ""},
        &arguments.command());
    goes_on = false;
  };
  const bool was_read = read_pieces(path, [&](std::string_view piece) {
    if (is_first) begin(piece);
    if (!goes_on) return false;
    if (reader == nullptr) return goes_on = add_to_document(document, piece, path);
    reader->read(piece);
    return true;
  });
  if (!was_read || !goes_on) return std::nullopt;
  if (is_first) begin({});
  if (!goes_on) return std::nullopt;

  if (reader != nullptr) {
    reader->finish();
    report_diagnostics(reader->diagnostics());
    if (!reader->diagnostics().empty()) return std::nullopt;
    return summary.summary();
  }
  const std::optional<LoadedScenario> loaded = load_document(scenario_text(std::move(document), path), path, *options);
  if (!loaded) return std::nullopt;
  if (!arguments.has("no-warnings")) report_diagnostics(warnings_of(loaded->scenario));
  if (races != nullptr) *races = find_races(loaded->scenario, *loaded->program);
  const RunSummary played = run(*loaded->program, all);
  report_step_ceiling(played, loaded->scenario.limits, loaded->scenario.asked_limits);
  return played;
}

}  // namespace loopsim::cli
