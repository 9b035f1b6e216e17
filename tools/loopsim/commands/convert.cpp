// loopsim convert: writes a saved trace in another form.

#include <array>
#include <memory>
#include <vector>

#include "loopsim/writers.hpp"

#include "tools/loopsim/io/compressed.hpp"
#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/io/played_file.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"

namespace loopsim::cli {
namespace {

constexpr int kWidth = 100;  // columns of a timeline, if the output is not a terminal

std::unique_ptr<TraceSink> make_writer(const std::string& format, OutputFile& output, const HashSink& hash,
                                       const Arguments& arguments) {
  if (format == "jsonl") return make_jsonl_writer(output);
  if (format == "compact") return make_compressed_compact_writer(output);
  if (format == "csv") return make_csv_writer(output);
  if (format == "perfetto") return make_perfetto_writer(output);
  if (format == "pftrace") return make_perfetto_writer(output, {.form = PerfettoForm::protobuf});
  return make_text_writer(output, {.color = wants_color(output),
                                   .width = output.columns(kWidth),
                                   .hash = &hash,
                                   .language = report_language(arguments)});
}

ExitStatus run_convert(const Arguments& arguments) {
  const std::string& path = arguments.operands().front();
  const std::string place = arguments.value_or("output", "-");
  if (overwrites_input(path, place)) return ExitStatus::bad_input;
  OutputFile output(place);
  if (output.failed()) {
    static_cast<void>(output.finish());  // reports the error
    return ExitStatus::output_failed;
  }
  const auto hash = make_hash_sink();
  const std::string format = arguments.value_or("format", "jsonl");
  const auto writer = make_writer(format, output, *hash, arguments);
  if (writer == nullptr) return ExitStatus::bad_input;
  std::vector<TraceSink*> sinks;
  if (format == "text") sinks.push_back(hash.get());
  sinks.push_back(writer.get());
  if (!play_trace(path, sinks)) return ExitStatus::bad_input;
  return output.finish() ? ExitStatus::ok : ExitStatus::output_failed;
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {
    Operand{"TRACE", "a trace that run has written as jsonl or compact, or - for standard input"}};

constexpr std::array kOwnOptions = {
    Option{"format", 'f', "jsonl|compact|csv|perfetto|pftrace|text", false,
           "the form to write it in: JSON lines (the default), the same in a fiftieth of the space, a table of the "
           "callbacks, a trace for ui.perfetto.dev (JSON, or pftrace: its own protobuf), or a timeline to read"},
};

constexpr std::array<std::span<const Option>, 4> kOptions = {kOwnOptions, kLanguageOptions, kOutputOptions,
                                                             kCommonOptions};

}  // namespace

const Command kConvertCommand = {
    .name = "convert",
    .usage = "TRACE [OPTION]...",
    .summary = "Write a saved trace in another form: JSON lines, compact, a table, a timeline.",
    .details =
        "What comes out is what run would have written in that form, but for the races in a timeline and the\n"
        "run's id in a table, which are not in a trace.\n",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = 1,
    .options = kOptions,
    .run = run_convert,
    .is_confined = true,
};

}  // namespace loopsim::cli
