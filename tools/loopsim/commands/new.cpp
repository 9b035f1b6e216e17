// loopsim new: writes a scenario from a template.

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "loopsim/scenario.hpp"

#include "tools/loopsim/commands/scenario_templates.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kSuffix = ".json";
constexpr std::string_view kSchemaFile = "scenario.schema.json";  // as the templates name it
constexpr std::string_view kSchemaKey = "  \"$schema\": \"./scenario.schema.json\",\n";

// The template with the title filled in.
std::string document_of(const ScenarioTemplate& chosen, const std::string& title) {
  std::string document(chosen.document);
  const std::string text =
      nlohmann::json(title).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);  // replaces invalid UTF-8
  return document.replace(document.find(kTitlePlace), kTitlePlace.size(), text);
}

// The schema that a scenario names, beside it.
class SchemaBeside {
 public:
  explicit SchemaBeside(const std::filesystem::path& scenario) : path_(scenario.parent_path() / kSchemaFile) {}

  // One that is there already stays. False when it could not be written; the error has been reported.
  [[nodiscard]] bool write() {
    std::error_code ignored;
    if (std::filesystem::exists(path_, ignored)) return true;
    OutputFile output(path_.string(), Existing::stays);
    output.write(scenario_schema());
    is_new_ = output.finish();
    return is_new_ || output.name_was_taken();
  }
  // Nothing is left of a scenario that could not be written.
  void take_back() const {
    std::error_code ignored;
    if (is_new_) std::filesystem::remove(path_, ignored);
  }

 private:
  std::filesystem::path path_;
  bool is_new_ = false;
};

// Quotes a word for the shell if it needs quotes.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:@%";
  if (word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

ExitStatus run_new(const Arguments& arguments) {
  const std::string& name = arguments.operands().front();
  const std::string word = arguments.value_or("template", scenario_templates().front().name);
  const ScenarioTemplate& chosen = *std::ranges::find(scenario_templates(), word, &ScenarioTemplate::name);

  std::string path = arguments.value_or("output", name.ends_with(kSuffix) ? name : name + std::string(kSuffix));
  std::string title = std::filesystem::path(name).filename().string();
  if (title.ends_with(kSuffix)) title.resize(title.size() - kSuffix.size());
  if (title.empty()) {
    report_usage_error({"\"" + name + "\" is no name for a scenario", ""}, &arguments.command());
    return ExitStatus::bad_input;
  }

  std::string document = document_of(chosen, title);
  if (path == "-") {
    document.erase(document.find(kSchemaKey), kSchemaKey.size());  // nobody knows where it will stand
    return write_output(path, document) ? ExitStatus::ok : ExitStatus::output_failed;
  }
  if (path.starts_with('-')) path.insert(0, "./");  // for the commands printed below
  SchemaBeside schema(path);
  if (!schema.write()) return ExitStatus::output_failed;
  OutputFile output(path, Existing::stays);
  output.write(document);
  if (!output.finish()) {
    schema.take_back();
    return output.name_was_taken() ? ExitStatus::bad_input : ExitStatus::output_failed;
  }
  const std::string file = shell_word(path);
  return write_output("-", file + ": " + std::string(chosen.about) + ". Next:\n  loopsim run " + file +
                               "\n  loopsim check " + file + "\n")
             ? ExitStatus::ok
             : ExitStatus::output_failed;
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {
    Operand{"NAME", "of the scenario: NAME.json is written, in the folder that NAME says"}};

constexpr std::array kOwnOptions = {
    Option{"template", 't', kTemplateNames, false, "what to begin with; a timer when it is not given"},
    Option{"output", 'o', "FILE", false, "write to FILE instead; - is standard output"},
};

constexpr std::array<std::span<const Option>, 2> kOptions = {kOwnOptions, kCommonOptions};

}  // namespace

const Command kNewCommand = {
    .name = "new",
    .usage = "NAME [OPTION]...",
    .summary = "Write a first scenario, with comments, to begin with.",
    .details =
        "A file that is there already is never overwritten. The schema for editors is written beside it, as\n"
        "scenario.schema.json, unless there is one. The templates:\n"
        "  timer     a timer, a file, and a callback that takes its time\n"
        "  pool      more work than the thread pool has threads\n"
        "  promises  ticks, promises, microtasks, immediates and timers\n"
        "  server    a server, its clients, and a slow request\n",
    .operands = kOperands,
    .least_operands = 1,
    .most_operands = 1,
    .options = kOptions,
    .run = run_new,
};

}  // namespace loopsim::cli
