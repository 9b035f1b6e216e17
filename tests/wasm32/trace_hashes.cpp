// Prints, for every scenario and version of Node, the hash of the trace and a hash of all other outputs of a run.
//
//   loopsim_trace_hashes FILE...
//
//   number TEXT BITS LENGTH FITS    first, results of parse_double(), which has two implementations
//   FILE RUNTIME TRACE OUTPUTS      TRACE is the trace hash; OUTPUTS is over the timeline, the tables and drawings, the page, the
//                                   explanations, the JavaScript and the warnings
//   FILE RUNTIME refused OUTPUTS    for a version that cannot run the scenario; OUTPUTS is over the errors
//
// Built natively and for WebAssembly; both must print the same. Exit status: 0, 2 if a file cannot be read, 5 if out of
// memory.
#include <bit>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "loopsim/explain.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/units.hpp"
#include "loopsim/writers.hpp"

namespace {

// 64-bit FNV-1a: enough to detect a difference; the libraries' hash takes only traces.
class Digest final : public loopsim::ByteOutput {
 public:
  void write(std::string_view bytes) override {
    for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

void add(Digest& digest, const loopsim::Diagnostics& diagnostics) {
  for (const loopsim::Diagnostic& diagnostic : diagnostics) digest.write(to_string(diagnostic));
}

std::optional<std::string> read_file(const char* path) {
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) return std::nullopt;
  std::string text;
  char buffer[1U << 16U];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, count);
  const bool is_whole = std::ferror(file) == 0;
  std::fclose(file);
  return is_whole ? std::optional(std::move(text)) : std::nullopt;
}

void print_numbers() {
  constexpr std::string_view kTexts =  // separated by bars
      "|-|.|-.|0|-0|5.|.5|1e|1e+|1e5|1E-5|1e+5x|0x10|inf|-nan| 1|+1|1.5.5|1e400|-1e400|1e-400|-1e-400|0e999|0.1|"
      "4.9e-324|2.4e-324|2.5e-324|2.2250738585072011e-308|1.7976931348623157e308|1.7976931348623159e308|"
      "9007199254740993|9007199254740992.999999999999999999999999|0.30000000000000004|123456789012345678901234567890|";
  for (std::size_t at = 0; at < kTexts.size();) {
    const std::string_view text = kTexts.substr(at, kTexts.find('|', at) - at);
    at += text.size() + 1;
    const loopsim::ParsedDouble number = loopsim::parse_double(text);
    std::printf("number \"%s\" %016" PRIx64 " %u %d\n", std::string(text).c_str(),
                std::bit_cast<std::uint64_t>(number.value), static_cast<unsigned>(number.length), number.fits ? 1 : 0);
  }
}

// The rest of a line, after FILE and RUNTIME.
std::string hashes(const std::string& text, const char* path, const loopsim::Profile& profile) {
  Digest outputs;
  loopsim::ReadOptions options;
  options.runtime = profile.name;
  const loopsim::ReadResult read = loopsim::read_scenario(text, path, options);
  add(outputs, read.diagnostics);
  if (!read.scenario) return "refused " + loopsim::format_hash(outputs.value());
  const loopsim::CompileResult compiled = loopsim::compile(*read.scenario);
  add(outputs, compiled.diagnostics);
  if (!compiled.program) return "refused " + loopsim::format_hash(outputs.value());
  const loopsim::MappedScript script = to_mapped_javascript(*read.scenario);
  outputs.write(script.text);

  const auto hash = loopsim::make_hash_sink();
  const auto timeline = loopsim::make_text_writer(outputs, {.queues = true, .hash = hash.get()});
  const auto table = loopsim::make_csv_writer(outputs, {.source = text});
  const auto slices = loopsim::make_perfetto_writer(outputs);
  const auto drawing = loopsim::make_svg_writer(outputs, {.hash = hash.get()});
  const loopsim::HtmlOptions page_options = {
      .page = loopsim::kHtmlDataMark, .file = path, .document = text, .script = &script, .hash = hash.get()};
  const auto page = loopsim::make_html_writer(outputs, page_options);
  const auto explainer = loopsim::make_explainer();
  loopsim::TraceSink* const sinks[] = {hash.get(),    timeline.get(), table.get(),    slices.get(),
                                       drawing.get(), page.get(),     explainer.get()};
  loopsim::run(*compiled.program, sinks);
  loopsim::write_explanations_json(*explainer, outputs);
  return loopsim::format_hash(hash->hash()) + ' ' + loopsim::format_hash(outputs.value());
}

}  // namespace

int main(int count, char** words) {
  // Without exceptions the program would end with a trap and no message.
  std::set_new_handler([] {
    std::fputs("loopsim_trace_hashes: out of memory\n", stderr);
    std::_Exit(5);
  });
  print_numbers();
  for (int i = 1; i < count; ++i) {
    const std::optional<std::string> text = read_file(words[i]);
    if (!text) {
      std::fprintf(stderr, "loopsim_trace_hashes: cannot read %s\n", words[i]);
      return 2;
    }
    for (const loopsim::Profile& profile : loopsim::profiles()) {
      std::printf("%s %s %s\n", words[i], std::string(profile.name).c_str(), hashes(*text, words[i], profile).c_str());
    }
  }
  return 0;
}
