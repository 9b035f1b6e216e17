// loopsim run: runs a scenario and writes its trace, in one or several formats at once.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/known_differences.hpp"
#include "loopsim/races.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/writers.hpp"

#include "tools/loopsim/commands/html_page.hpp"
#include "tools/loopsim/io/compressed.hpp"
#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/io/picture.hpp"
#include "tools/loopsim/io/program_input.hpp"
#include "tools/loopsim/io/scenario_input.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/machine_options.hpp"
#include "tools/loopsim/line/memory_budget.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/notice.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/line/step_ceiling.hpp"
#include "tools/loopsim/line/trace_target.hpp"

namespace loopsim::cli {
namespace {

constexpr int kWidth = 100;                         // columns of a text trace, if the output is not a terminal
constexpr std::uint64_t kMostStepsOfPage = 50'000;  // a loop that counts to a million must not make a page of 200 MB

// Gives the memory reserve to the writers: the engine then runs out of memory before they do, and they finish the
// trace.
class WithReserve final : public TraceSink {
 public:
  void add(TraceSink* sink) { sinks_.push_back(sink); }

  void begin(const RunInfo& info) override {
    for (TraceSink* sink : sinks_) sink->begin(info);
  }
  void events(const EventBatch& batch) override {
    const MemoryReserve reserve;
    for (TraceSink* sink : sinks_) sink->events(batch);
  }
  void end(const RunSummary& summary) override {
    const MemoryReserve reserve;
    for (TraceSink* sink : sinks_) sink->end(summary);
  }

 private:
  std::vector<TraceSink*> sinks_;
};

// Standard error beside an output: what was written to that one comes before.
class StandardError final : public ByteOutput {
 public:
  explicit StandardError(OutputFile& beside) : beside_(beside) {}
  void write(std::string_view bytes) override {
    beside_.flush();
    write_standard_error(bytes);
  }

 private:
  OutputFile& beside_;
};

bool is_converted(TraceFormat format) { return format == TraceFormat::png || format == TraceFormat::pdf; }

// The files and sinks of one run. The hashing sink comes first, so that the others can show the hash at the end.
class Writers {
 public:
  // `source`: document and overrides of the run, for formats that identify runs; `page`: the scenario for the html
  // page, which alone is given the program's steps, unless asked for with --steps.
  Writers(const std::vector<TraceTarget>& targets, const Arguments& arguments, std::string source,
          const HtmlSource& page, RacesResult races)
      : summary_(!arguments.has("quiet")),
        verbose_(arguments.has("verbose")),
        all_repetitions_(arguments.has("all")),
        spread_(arguments.has("spread")),
        language_(report_language(arguments)),
        source_(std::move(source)),
        page_(page),
        races_(std::move(races)),
        notes_(notes_of(races_, language_)) {
    for (const TraceTarget& target : targets) {
      outputs_.push_back({target.format, std::make_unique<OutputFile>(target.path),
                          is_converted(target.format) ? std::make_unique<StringOutput>() : nullptr});
    }
    add_jsonl();
    if (summary_ && hash_ == nullptr) {
      auto hash = make_hash_sink();
      hash_ = hash.get();
      sinks_.push_back(std::move(hash));
    }
    add_text();
    add_others();
    for (const auto& sink : sinks_) without_pages_.add(sink.get());
    if (!arguments.has("steps") && !pages_.empty() && !sinks_.empty()) {
      filter_ = make_sink_without_steps(without_pages_);
      all_.add(filter_.get());
    } else {
      for (const auto& sink : sinks_) all_.add(sink.get());
    }
    for (const auto& page_sink : pages_) all_.add(page_sink.get());
  }

  // Empty if there is nothing to write; then the engine builds no events.
  [[nodiscard]] std::vector<TraceSink*> sinks() {
    if (sinks_.empty() && pages_.empty()) return {};
    return {&all_};
  }

  // A format that this program does not have; the error has been reported.
  [[nodiscard]] bool cannot_write() const { return cannot_write_; }

  [[nodiscard]] bool failed() const {
    for (const Output& output : outputs_) {
      if (output.file->failed()) return true;
    }
    return false;
  }

  // Finishes all files. False if one could not be written; the error has been reported.
  [[nodiscard]] bool finish() {
    bool written = true;
    for (const Output& output : outputs_) written = convert(output) && output.file->finish() && written;
    return written;
  }

  // Text traces end with the summary, the format `none` is only the summary; without either it goes to standard error.
  [[nodiscard]] bool write_summary(const RunSummary& summary) {
    const std::string line = format_summary(summary, hash_, language_) + "\n";
    bool told = false;
    for (const Output& output : outputs_) {
      if (output.format == TraceFormat::none) output.file->write(line);
      told = told || output.format == TraceFormat::text || output.format == TraceFormat::none;
    }
    return told || write_standard_error(line);
  }

 private:
  struct Output {
    TraceFormat format;
    std::unique_ptr<OutputFile> file;
    std::unique_ptr<StringOutput> svg;  // a drawing that is converted when it is whole
  };
  // Fills the file of a picture. False if it cannot be made; the error has been reported.
  [[nodiscard]] static bool convert(const Output& output) {
    if (output.svg == nullptr || output.file->failed()) return true;  // finish() reports the failure
    const bool is_png = output.format == TraceFormat::png;
    const auto picture = convert_svg(output.svg->text(), is_png ? PictureKind::png : PictureKind::pdf);
    if (picture) output.file->write(*picture);
    return picture.has_value();
  }

  void add_jsonl() {
    for (const Output& output : outputs_) {
      if (output.format != TraceFormat::jsonl) continue;
      if (summary_ && hash_ == nullptr) {
        auto writer = make_hashing_jsonl_writer(*output.file);
        hash_ = writer.get();
        sinks_.push_back(std::move(writer));
      } else {
        sinks_.push_back(make_jsonl_writer(*output.file));
      }
    }
  }

  void add_text() {
    for (const Output& output : outputs_) {
      if (output.format != TraceFormat::text) continue;
      const TextOptions options = {.color = wants_color(*output.file),
                                   .width = output.file->columns(kWidth),
                                   .summary = summary_,
                                   .queues = verbose_,
                                   .all = all_repetitions_,
                                   .hash = hash_,
                                   .notes = notes_,
                                   .language = language_};
      sinks_.push_back(make_text_writer(*output.file, options));
    }
  }

  void add_others() {
    for (const Output& output : outputs_) {
      if (output.format == TraceFormat::compact) add_compact(*output.file);
      if (output.format == TraceFormat::csv) sinks_.push_back(make_csv_writer(*output.file, {.source = source_}));
      if (output.format == TraceFormat::perfetto)
        sinks_.push_back(make_perfetto_writer(*output.file, {.spread = spread_}));
      if (output.format == TraceFormat::pftrace)
        sinks_.push_back(make_perfetto_writer(*output.file, {.form = PerfettoForm::protobuf, .spread = spread_}));
      if (output.format == TraceFormat::svg) sinks_.push_back(make_svg_writer(*output.file, svg_options()));
      if (output.svg != nullptr) sinks_.push_back(make_svg_writer(*output.svg, svg_options()));
      if (output.format == TraceFormat::calls) sinks_.push_back(make_calls_writer(*output.file));
      if (output.format == TraceFormat::console) {
        errors_.push_back(std::make_unique<StandardError>(*output.file));
        sinks_.push_back(make_console_writer(*output.file, *errors_.back()));
      }
      if (output.format == TraceFormat::html) pages_.push_back(make_html_writer(*output.file, page_options()));
    }
  }

  void add_compact(OutputFile& file) {
    auto writer = make_compressed_compact_writer(file);
    if (writer == nullptr) {
      cannot_write_ = true;
    } else {
      sinks_.push_back(std::move(writer));
    }
  }

  [[nodiscard]] SvgOptions svg_options() const {
    return {.hash = hash_, .notes = notes_, .language = language_, .all = all_repetitions_};
  }

  [[nodiscard]] HtmlOptions page_options() const {
    HtmlOptions options = page_.options(hash_, races_);
    options.all = all_repetitions_;
    options.packing = make_page_packing;
    return options;
  }

  bool cannot_write_ = false;
  bool summary_;
  bool verbose_;
  bool all_repetitions_;
  bool spread_;
  Language language_;
  std::string source_;
  const HtmlSource& page_;
  RacesResult races_;
  std::vector<CallbackNote> notes_;
  std::vector<Output> outputs_;
  std::vector<std::unique_ptr<ByteOutput>> errors_;
  std::vector<std::unique_ptr<TraceSink>> sinks_, pages_;
  WithReserve without_pages_;
  std::unique_ptr<TraceSink> filter_;
  WithReserve all_;
  const HashSink* hash_ = nullptr;
};

struct Outcome {
  RunSummary summary;
  std::optional<OutOfMemory> out_of_memory;  // if set, the trace ends there and is still written
};

Outcome run_to_its_end(const Program& program, const std::vector<TraceSink*>& sinks) {
#if defined(__cpp_exceptions)
  try {
    return {run(program, sinks), std::nullopt};
  } catch (const OutOfMemory& end) {
    return {end.summary(), end};
  }
#else
  return {run(program, sinks), std::nullopt};
#endif
}

bool wants(const std::vector<TraceTarget>& targets, TraceFormat format) {
  return std::ranges::any_of(targets, [format](const TraceTarget& target) { return target.format == format; });
}

// False if a drawing cannot be converted or would go to a terminal (error reported).
bool can_convert(const std::vector<TraceTarget>& targets, const Command& command) {
  for (const TraceTarget& target : targets) {
    if (!is_converted(target.format)) continue;
    const std::string name = target.format == TraceFormat::png ? "png" : "pdf";
    if (target.path == "-" && standard_output_is_terminal()) {
      report_usage_error({fmt::format("a {0} is not for a terminal; name a file, as in -f {0}=run.{0}", name), ""},
                         &command);
      return false;
    }
    if (!has_svg_converter(name)) return false;
  }
  return true;
}

// A page always has the program's steps.
CompileOptions compile_options(bool steps, bool wants_page) {
  CompileOptions options;
  options.steps = steps || wants_page;
  if (!steps) options.most_steps = kMostStepsOfPage;
  return options;
}

bool shows_page_on_terminal(const std::vector<TraceTarget>& targets) {
  const auto is_page = [](const TraceTarget& target) {
    return target.format == TraceFormat::html && target.path == "-";
  };
  return std::ranges::any_of(targets, is_page) && standard_output_is_terminal();
}

// Whether an option stands beside one of the formats that it is for, if it is given. If not, reports the mistake.
bool needs_format(const Arguments& arguments, const std::vector<TraceTarget>& targets, const std::string& option,
                  std::span<const TraceFormat> formats, const std::string& names) {
  if (!arguments.has(option)) return true;
  if (std::ranges::any_of(formats, [&targets](TraceFormat format) { return wants(targets, format); })) return true;
  report_usage_error({"option --" + option + " is for the " + names, ""}, &arguments.command());
  return false;
}

// False if an option stands without a format that shows what it is for; the error has been reported.
bool can_be_shown(const Arguments& arguments, const std::vector<TraceTarget>& targets) {
  using enum TraceFormat;
  return needs_format(arguments, targets, "verbose", std::array{text}, "format text") &&
         needs_format(arguments, targets, "spread", std::array{perfetto, pftrace}, "formats perfetto and pftrace") &&
         needs_format(arguments, targets, "steps", std::array{text, jsonl, compact, perfetto, pftrace, html},
                      "formats text, jsonl, compact, perfetto, pftrace and html");
}

// Formats for people; the others are the trace itself.
bool tells_races(const TraceTarget& target) {
  switch (target.format) {
    case TraceFormat::text:
    case TraceFormat::svg:
    case TraceFormat::png:
    case TraceFormat::pdf:
    case TraceFormat::html: return true;
    case TraceFormat::jsonl:
    case TraceFormat::compact:
    case TraceFormat::csv:
    case TraceFormat::perfetto:
    case TraceFormat::pftrace:
    case TraceFormat::console:
    case TraceFormat::calls:
    case TraceFormat::none: return false;
  }
  return false;
}

// Looks at the program without its steps: whether they are told changes nothing else.
RacesResult races_of(const LoadedScenario& loaded, bool tells_steps) {
  const Notice notice("looking for callbacks that may as well run in another order (--no-races does without)");
  if (!tells_steps) return find_races(loaded.scenario, *loaded.program);
  const CompileResult plain = compile(loaded.scenario);
  return plain.program == nullptr ? RacesResult() : find_races(loaded.scenario, *plain.program);
}

Diagnostic advice_of(const RunSummary& result, const std::string& path) {
  Diagnostic advice;
  advice.severity = Diagnostic::Severity::warning;
  advice.file = input_name(path);
  advice.message = result.advice;
  return advice;
}

Diagnostic of_dear_program(const std::string& path) {
  Diagnostic note;
  note.severity = Diagnostic::Severity::warning;
  note.file = input_name(path);
  note.message = "the program takes too long to look for races in all of its beginning (loopsim orders does)";
  return note;
}

ExitStatus run_run(const Arguments& arguments) {
  const std::optional<std::vector<TraceTarget>> targets = read_targets(arguments);
  const std::optional<ReadOptions> options = read_run_options(arguments);
  if (!targets || !options) return ExitStatus::bad_input;

  const std::string& path = arguments.operands().front();
  const bool steps = arguments.has("steps");
  for (const TraceTarget& target : *targets) {
    if (overwrites_input(path, target.path)) return ExitStatus::bad_input;
  }
  const bool wants_page = wants(*targets, TraceFormat::html);
  if (wants_page && !has_html_page()) return ExitStatus::bad_input;
  if (shows_page_on_terminal(*targets)) {
    report_usage_error({"a page is for a browser, not for a terminal; name a file, as in -f html=page.html", ""},
                       &arguments.command());
    return ExitStatus::bad_input;
  }
  if (!can_convert(*targets, arguments.command())) return ExitStatus::bad_input;
  std::optional<std::string> text = read_scenario_text(path);
  if (!text) return ExitStatus::bad_input;
  const std::string document = wants_page ? *text : std::string();
  std::string source = wants(*targets, TraceFormat::csv) ? *text : std::string();
  for (const auto& [name, value] : options->overrides) source.append("\n").append(name).append("=").append(value);
  const std::optional<LoadedScenario> loaded =
      load_document(*std::move(text), path, *options, compile_options(steps, wants_page));
  if (!loaded) return ExitStatus::bad_input;
  if (!arguments.has("no-warnings")) report_diagnostics(warnings_of(loaded->scenario));

  if (!can_be_shown(arguments, *targets)) return ExitStatus::bad_input;
  const bool summary = !arguments.has("quiet");
  const HtmlSource page =
      wants_page ? HtmlSource(path, document, loaded->scenario, asked_language(arguments)) : HtmlSource();
  RacesResult races;
  if (!arguments.has("no-races") && std::ranges::any_of(*targets, tells_races))
    races = races_of(*loaded, steps || wants_page);
  const bool is_dear = races.is_dear;
  Writers writers(*targets, arguments, std::move(source), page, std::move(races));
  if (writers.cannot_write()) return ExitStatus::bad_input;
  if (writers.failed()) {
    static_cast<void>(writers.finish());  // reports the error
    return ExitStatus::output_failed;
  }
  const auto [result, out_of_memory] = run_to_its_end(*loaded->program, writers.sinks());
  const bool told = !summary || writers.write_summary(result);
  if (!writers.finish() || !told) return ExitStatus::output_failed;
  report_step_ceiling(result, loaded->scenario.limits, loaded->scenario.asked_limits);
  if (is_dear && result.limit == LimitKind::none && !arguments.has("no-warnings"))
    report_diagnostics({of_dear_program(path)});
  if (!result.advice.empty() && !arguments.has("no-warnings")) report_diagnostics({advice_of(result, path)});
#if defined(__cpp_exceptions)
  if (out_of_memory) throw *out_of_memory;  // main() reports it, as for all commands
#endif
  if (result.limit != LimitKind::none) return ExitStatus::limit;
  return arguments.has("exit-code") ? static_cast<ExitStatus>(result.exit_code) : ExitStatus::ok;
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {Operand{"FILE", kScenarioFile}};

constexpr std::array kOwnOptions = {
    Option{
        "format", 'f', kTraceFormats, true,
        "how to write the trace: a timeline to read (the default), JSON lines, the same in a fiftieth of the space, "
        "a table of the callbacks, a trace for ui.perfetto.dev (perfetto: JSON, for other viewers, too; pftrace: its "
        "own protobuf), a drawing for slides and papers (png and pdf need rsvg-convert), a page to step through, what "
        "the program prints (to standard output and standard error), the system calls of the runtime io, or nothing "
        "but the summary; =FILE writes it there. Several write one run in several formats"},
    Option{"also", 0, "FORMAT=FILE", true, "write it to another file as well, beside the timeline, say"},
    Option{"verbose", 'v', "", false, "in a timeline, show what stands in the queues at each phase"},
    Option{"spread", 0, "", false,
           "in a trace for ui.perfetto.dev, show what takes no time 1 us wide, so that its order can be seen"},
    Option{
        "all", 'a', "", false,
        "in a timeline, a drawing and a page, show each repetition; otherwise what repeats itself is shown once, with "
        "a count"},
    Option{"steps", 0, "", false,
           "tell the program's steps, too: calls, the values that variables get, conditions, and what promises are "
           "settled with; of a JavaScript program its lines, calls, returns and variables. A page always has them"},
    Option{"no-races", 0, "", false,
           "do not look for callbacks that may as well run in another order, which takes many runs of the program"},
    Option{"exit-code", 0, "", false, "exit as the program does: with its exit code, once it has ended by itself"},
    Option{"quiet", 'q', "", false, "leave out the summary"},
};

constexpr std::array<std::span<const Option>, 9> kOptions = {kScenarioOptions, kProgramOptions, kMachineOptions,
                                                             kSeedOptions,     kOwnOptions,     kLanguageOptions,
                                                             kOutputOptions,   kWarningOptions, kCommonOptions};

}  // namespace

const Command kRunCommand = {
    .name = "run",
    .usage = "FILE [OPTION]... [-- ARGUMENT...]",
    .summary = "Run a scenario or a program and print what happens, when, and why.",
    .details =
        "The summary names the trace hash: two runs with the same hash were the same run. It ends a text trace;\n"
        "with the other formats it goes to standard error.\n",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = 1,
    .options = kOptions,
    .run = run_run,
    .is_confined = true,
    .takes_arguments = true,
};

}  // namespace loopsim::cli
