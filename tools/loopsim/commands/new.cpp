// loopsim new: writes a scenario or a JavaScript program from a template.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "loopsim/scenario.hpp"

#include "tools/loopsim/commands/scenario_templates.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/line/paths.hpp"

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
  explicit SchemaBeside(const std::string& scenario) : path_(path_below(folder_of(scenario), kSchemaFile)) {}

  // One that is there already stays. False when it could not be written; the error has been reported.
  [[nodiscard]] bool write() {
    if (exists(path_)) return true;
    OutputFile output(path_, Existing::stays);
    output.write(scenario_schema());
    is_new_ = output.finish();
    return is_new_ || output.name_was_taken();
  }
  // Nothing is left of a scenario that could not be written.
  void take_back() const {
    if (is_new_) ::unlink(path_.c_str());
  }

 private:
  std::string path_;
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

// What a name says about the file: NAME.json is a scenario, NAME.js (.cjs, .mjs) a program.
constexpr std::array<std::string_view, 3> kProgramSuffixes = {".js", ".cjs", ".mjs"};
bool names_program(std::string_view name) {
  return std::ranges::any_of(kProgramSuffixes, [name](std::string_view suffix) { return name.ends_with(suffix); });
}

// Writes a new file; one that is there stays as it is.
ExitStatus write_new(const std::string& path, const std::string& text) {
  OutputFile output(path, Existing::stays);
  output.write(text);
  if (output.finish()) return ExitStatus::ok;
  return output.name_was_taken() ? ExitStatus::bad_input : ExitStatus::output_failed;
}

// Says what to do next.
ExitStatus tell(const std::string& path, std::string_view about, std::initializer_list<std::string_view> next) {
  const std::string file = shell_word(path);
  std::string text = file + ": " + std::string(about) + ". Next:\n";
  for (const std::string_view command : next) {
    text.append("  loopsim ").append(command);
    text.replace(text.find('@'), 1, file).append("\n");
  }
  return write_output("-", text) ? ExitStatus::ok : ExitStatus::output_failed;
}

// Where the file goes; for the commands that are printed it begins with no dash.
std::string path_of(const Arguments& arguments, const std::string& named) {
  std::string path = arguments.value_or("output", named);
  if (path != "-" && path.starts_with('-')) path.insert(0, "./");
  return path;
}

ExitStatus new_program(const Arguments& arguments) {
  const std::string& name = arguments.operands().front();
  if (arguments.has("template")) {
    report_usage_error({"option --template is for scenarios, not for programs", ""}, &arguments.command());
    return ExitStatus::bad_input;
  }
  if (file_name_of(name).empty() || name.ends_with('/')) {
    report_usage_error({"\"" + name + "\" is no name for a program", ""}, &arguments.command());
    return ExitStatus::bad_input;
  }
  const ScenarioTemplate& program = program_template();
  const std::string path = path_of(arguments, names_program(name) ? name : name + ".js");
  if (path == "-") {
    return write_output(path, std::string(program.document)) ? ExitStatus::ok : ExitStatus::output_failed;
  }
  const ExitStatus written = write_new(path, std::string(program.document));
  if (written != ExitStatus::ok) return written;
  return tell(path, program.about, {"run @", "diff @ -r node-10 -r node-24"});
}

ExitStatus new_scenario(const Arguments& arguments) {
  const std::string& name = arguments.operands().front();
  const std::string word = arguments.value_or("template", scenario_templates().front().name);
  const ScenarioTemplate& chosen = *std::ranges::find(scenario_templates(), word, &ScenarioTemplate::name);

  const std::string path = path_of(arguments, name.ends_with(kSuffix) ? name : name + std::string(kSuffix));
  std::string title = file_name_of(name);
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
  SchemaBeside schema(path);
  if (!schema.write()) return ExitStatus::output_failed;
  const ExitStatus written = write_new(path, document);
  if (written != ExitStatus::ok) {
    schema.take_back();
    return written;
  }
  return tell(path, chosen.about, {"run @", "check @"});
}

ExitStatus run_new(const Arguments& arguments) {
  const bool is_program = arguments.has("js") || names_program(arguments.operands().front());
  return is_program ? new_program(arguments) : new_scenario(arguments);
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {
    Operand{"NAME", "of the scenario or program: NAME.json or NAME.js is written, in the folder that NAME says"}};

constexpr std::array kOwnOptions = {
    Option{"js", 0, "", false,
           "a JavaScript program, not a scenario; a NAME that ends in .js, .cjs or .mjs says it, too"},
    Option{"template", 't', kTemplateNames, false, "what to begin with; a timer when it is not given"},
    Option{"output", 'o', "FILE", false, "write to FILE instead; - is standard output"},
};

constexpr std::array<std::span<const Option>, 2> kOptions = {kOwnOptions, kCommonOptions};

}  // namespace

const Command kNewCommand = {
    .name = "new",
    .usage = "NAME [OPTION]...",
    .summary = "Write a first scenario or program, with comments, to begin with.",
    .details =
        "A file that is there already is never overwritten. The schema for editors is written beside it, as\n"
        "scenario.schema.json, unless there is one. The templates of scenarios:\n"
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
