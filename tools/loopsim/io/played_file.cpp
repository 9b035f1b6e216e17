#include "tools/loopsim/io/played_file.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "loopsim/known_differences.hpp"
#include "loopsim/trace_reader.hpp"

#include "tools/loopsim/io/compressed.hpp"
#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/program_input.hpp"
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

constexpr std::size_t kBeginning = 64;  // bytes by which what a file is can be known

// Passes on the pieces of a file, but the first only when it has kBeginning bytes, or when the file ends.
class FromBeginning {
 public:
  explicit FromBeginning(TakePiece take) : take_(std::move(take)) {}

  bool take(std::string_view piece) {
    if (has_begun_) return take_(piece);
    beginning_.append(piece);
    return beginning_.size() < kBeginning || begin();
  }
  bool finish() { return has_begun_ || beginning_.empty() || begin(); }

 private:
  bool begin() {
    has_begun_ = true;
    return take_(beginning_);
  }

  TakePiece take_;
  std::string beginning_;
  bool has_begun_ = false;
};

bool is_about_scenarios(const Arguments& arguments) {
  return arguments.has("runtime") || arguments.has("set") || arguments.has("seed") || has_machine_options(arguments) ||
         has_program_options(arguments);
}

}  // namespace

bool looks_like_trace(std::string_view beginning, const std::string& path) {
  if (is_compact_trace(beginning)) return true;
  const std::size_t brace = beginning.find_first_not_of(" \t\r\n");
  if (brace != std::string_view::npos && beginning[brace] == '{') {
    const std::size_t key = beginning.find_first_not_of(" \t\r\n", brace + 1);
    if (key != std::string_view::npos && beginning.substr(key).starts_with("\"loopsim_trace\"")) return true;
  }
  return path.ends_with(".jsonl");
}

bool read_trace_or_document(const std::string& path, const std::function<bool(std::string_view)>& take) {
  std::unique_ptr<Decompressor> decompressor;
  bool is_first = true;
  bool is_refused = false;
  const auto take_decompressed = [&](std::string_view piece) {
    if (!is_first || looks_like_trace(piece, path)) {
      is_first = false;
      return take(piece);
    }
    is_refused = true;
    report_error("could not read " + input_name(path) + ": what is compressed by zstd in it is no trace");
    return false;
  };
  FromBeginning decompressed(take_decompressed);
  bool goes_on = true;
  const auto take_stored = [&](std::string_view piece) {
    if (is_first && decompressor == nullptr) {
      if (!looks_compressed(piece)) {
        is_first = false;
        return take(piece);
      }
      decompressor = make_decompressor(input_name(path), [&](std::string_view one) { return decompressed.take(one); });
      is_refused = decompressor == nullptr;
      if (is_refused) return goes_on = false;
    }
    goes_on = decompressor == nullptr ? take(piece) : decompressor->read(piece);
    return goes_on;
  };
  FromBeginning stored(take_stored);
  const bool was_read = read_pieces(path, [&](std::string_view piece) { return stored.take(piece); });
  if (!was_read) return false;
  if (goes_on) goes_on = stored.finish();
  if (decompressor == nullptr) return !is_refused;
  if (goes_on) goes_on = decompressed.finish();
  return !is_refused && decompressor->finish();
}

bool play_trace(const std::string& path, std::span<TraceSink* const> sinks) {
  const std::unique_ptr<TraceReader> reader = make_trace_reader(input_name(path), sinks);
  const bool was_read = read_trace_or_document(path, [&](std::string_view piece) {
    reader->read(piece);
    return reader->diagnostics().empty();
  });
  if (!was_read) return false;
  reader->finish();
  report_diagnostics(reader->diagnostics());
  return reader->diagnostics().empty();
}

std::optional<RunSummary> play_file(const Arguments& arguments, const std::string& path,
                                    std::span<TraceSink* const> sinks, RacesResult* races) {
  const std::optional<ReadOptions> options = read_run_options(arguments);
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
  const bool was_read = read_trace_or_document(path, [&](std::string_view piece) {
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
