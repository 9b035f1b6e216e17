// Prints, for every scenario and program in JavaScript and every version of Node, or of libuv if it is for libuv alone, the hash of the
// trace and a hash of all other outputs of a run.
//
//   loopsim_trace_hashes [--every N] FILE...
//
// --every N: a program in JavaScript only in each N-th version, which are other ones for the next program.
//
//   number TEXT BITS LENGTH FITS    first, results of parse_double(), which has two implementations
//   FILE RUNTIME TRACE OUTPUTS      TRACE is the trace hash; OUTPUTS is over the timeline, the tables and drawings, the page, the
//                                   explanations, the JavaScript and the warnings; of a program in JavaScript, over the timeline, the
//                                   warnings, and the trace with its steps
//   FILE RUNTIME refused OUTPUTS    for a version that cannot run the scenario; OUTPUTS is over the errors
//
// Built natively and for WebAssembly; both must print the same. Exit status: 0, 2 if a file cannot be read, 5 if out of
// memory.
#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dirent.h>
#include <sys/stat.h>

#include "loopsim/explain.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/text.hpp"
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

std::optional<std::string> read_file(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return std::nullopt;
  std::string text;
  char buffer[1U << 16U];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, count);
  const bool is_whole = std::ferror(file) == 0;
  std::fclose(file);
  return is_whole ? std::optional(std::move(text)) : std::nullopt;
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::optional<std::vector<std::string>> list_folder(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (folder == nullptr) return std::nullopt;
  std::vector<std::string> names;
  while (const dirent* const entry = ::readdir(folder.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(is_folder(path + "/" + name) ? name + "/" : name);
  }
  std::ranges::sort(names);
  return names;
}

// The folder of a file, with "/" at its end; empty: the current one.
std::string folder_of(std::string_view path) { return std::string(path.substr(0, path.rfind('/') + 1)); }

bool is_javascript(std::string_view path) { return path.ends_with(".js") || path.ends_with(".mjs"); }

// A document that names the program, which read_scenario() reads.
std::string document_of(const std::string& path) {
  const std::string entry = path.ends_with(".mjs") ? R"("runtime":{"entry":"module"},)" : "";
  return "{" + entry + R"("script":)" + loopsim::json_string(path) + "}";
}

// The libraries of the build, which both forms of this program read.
std::span<const std::uint8_t> node_library(std::string_view version) {
  static std::map<std::string, std::string, std::less<>> libraries;
  auto found = libraries.find(version);
  if (found == libraries.end()) {
    const std::string file = std::string(LOOPSIM_NODE_LIBRARY) + "/" + std::string(version) + ".builtins";
    found = libraries.emplace(version, read_file(file).value_or("")).first;
  }
  return {reinterpret_cast<const std::uint8_t*>(found->second.data()), found->second.size()};
}

loopsim::ReadOptions options_with_files(const std::string& path) {
  const std::string base = is_javascript(path) ? "" : folder_of(path);
  loopsim::ReadOptions options;
  options.read_file = [base](const std::string& name) { return read_file(base + name); };
  options.folder_of = [base](const std::string& name) {
    const std::string folder = folder_of(base + name);
    loopsim::ScriptFolder files;
    files.read = [folder](const std::string& module) { return read_file(folder + module); };
    files.library = node_library;
    files.list = [folder](const std::string& below) { return list_folder(folder + below); };
    return files;
  };
  return options;
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

// The writers see nothing in its trace that they do not see in a scenario's, so two do.
std::string hashes_of_javascript(const loopsim::Scenario& scenario, const loopsim::Program& program, Digest& outputs) {
  const auto hash = loopsim::make_hash_sink();
  const auto timeline = loopsim::make_text_writer(outputs, {.hash = hash.get()});
  loopsim::TraceSink* const sinks[] = {hash.get(), timeline.get()};
  loopsim::run(program, sinks);
  if (scenario.runtime.profile != loopsim::default_profile().name) return loopsim::format_hash(hash->hash()) + " -";
  constexpr std::uint64_t kMostSteps = 2000;
  const loopsim::CompileResult with_steps = loopsim::compile(scenario, {.steps = true, .most_steps = kMostSteps});
  const auto steps = loopsim::make_hash_sink();
  loopsim::TraceSink* const step_sinks[] = {steps.get()};
  if (with_steps.program) loopsim::run(*with_steps.program, step_sinks);
  outputs.write(loopsim::format_hash(steps->hash()));
  return loopsim::format_hash(hash->hash()) + ' ' + loopsim::format_hash(outputs.value());
}

// The rest of a line, after FILE and RUNTIME.
std::string hashes(const std::string& text, const std::string& path, const loopsim::Profile& profile) {
  Digest outputs;
  loopsim::ReadOptions options = options_with_files(path);
  options.runtime = profile.name;
  const loopsim::ReadResult read = loopsim::read_scenario(text, path, options);
  add(outputs, read.diagnostics);
  if (!read.scenario) return "refused " + loopsim::format_hash(outputs.value());
  const loopsim::CompileResult compiled = loopsim::compile(*read.scenario);
  add(outputs, compiled.diagnostics);
  if (!compiled.program) return "refused " + loopsim::format_hash(outputs.value());
  if (read.scenario->script) return hashes_of_javascript(*read.scenario, *compiled.program, outputs);
  const loopsim::MappedScript script = to_mapped_javascript(*read.scenario);
  outputs.write(script.text);

  const auto hash = loopsim::make_hash_sink();
  const auto timeline = loopsim::make_text_writer(outputs, {.queues = true, .hash = hash.get()});
  const auto table = loopsim::make_csv_writer(outputs, {.source = text});
  const auto slices = loopsim::make_perfetto_writer(outputs);
  const auto packets = loopsim::make_perfetto_writer(outputs, {.form = loopsim::PerfettoForm::protobuf});
  const auto drawing = loopsim::make_svg_writer(outputs, {.hash = hash.get()});
  const loopsim::HtmlOptions page_options = {
      .page = loopsim::kHtmlDataMark, .file = path, .document = text, .script = &script, .hash = hash.get()};
  const auto page = loopsim::make_html_writer(outputs, page_options);
  const auto explainer = loopsim::make_explainer();
  loopsim::TraceSink* const sinks[] = {hash.get(),    timeline.get(), table.get(), slices.get(),
                                       packets.get(), drawing.get(),  page.get(),  explainer.get()};
  loopsim::run(*compiled.program, sinks);
  loopsim::write_explanations_json(*explainer, outputs);
  return loopsim::format_hash(hash->hash()) + ' ' + loopsim::format_hash(outputs.value());
}

// Those that run it: the versions of Node, or, of a program for libuv alone, those of libuv.
std::span<const loopsim::Profile> versions_for(const std::string& text, const std::string& path) {
  const loopsim::ReadResult read = loopsim::read_scenario(text, path, options_with_files(path));
  const loopsim::Profile* own = read.scenario ? loopsim::find_profile(read.scenario->runtime.profile) : nullptr;
  return own == nullptr ? loopsim::profiles() : loopsim::runtimes_of(own->family);
}

}  // namespace

int main(int count, char** words) {
  // Without exceptions the program would end with a trap and no message.
  std::set_new_handler([] {
    std::fputs("loopsim_trace_hashes: out of memory\n", stderr);
    std::_Exit(5);
  });
  print_numbers();
  int first = 1;
  std::size_t every = 1;
  if (count > 2 && std::string_view(words[1]) == "--every") {
    every = static_cast<std::size_t>(std::max(1, std::atoi(words[2])));
    first = 3;
  }
  for (int i = first; i < count; ++i) {
    const std::string path = words[i];
    std::optional<std::string> text = read_file(path);
    if (text && is_javascript(path)) text = document_of(path);
    if (!text) {
      std::fprintf(stderr, "loopsim_trace_hashes: cannot read %s\n", words[i]);
      return 2;
    }
    auto number = static_cast<std::size_t>(i);
    for (const loopsim::Profile& profile : versions_for(*text, path)) {
      if (is_javascript(path) && number++ % every != 0) continue;
      std::printf("%s %s %s\n", words[i], std::string(profile.name).c_str(), hashes(*text, path, profile).c_str());
    }
  }
  return 0;
}
