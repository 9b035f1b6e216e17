// Entry point: selects the command, parses its arguments and runs it. Exit statuses: exit_status.hpp.

#if !defined(__wasi__)
#include <csignal>
#endif
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "loopsim/memory_account.hpp"
#include "loopsim/suggest.hpp"
#include "loopsim/version.hpp"

#include "tools/loopsim/io/confinement.hpp"
#include "tools/loopsim/io/module_files.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/io/scenario_input.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/command.hpp"
#include "tools/loopsim/line/help.hpp"
#include "tools/loopsim/line/memory_budget.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/paths.hpp"
#include "tools/loopsim/line/step_ceiling.hpp"

namespace loopsim::cli {
namespace {

#if !defined(__wasi__)
// Opens /dev/null in place of each closed standard stream; otherwise the next file opened would get its number and be
// mistaken for it. The access mode is the opposite of the stream's, so that using it fails.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    static_cast<void>(
        ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));  // gets the lowest free number: `stream`
  }
}

// Makes writes to a closed pipe or beyond the file size limit fail with an errno, which is reported, not with a signal.
void let_writes_fail() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}
#endif

ExitStatus print(const std::string& text) {
  return write_output("-", text) ? ExitStatus::ok : ExitStatus::output_failed;
}

ExitStatus unknown_word(const std::string& word) {
  // loopsim f.json, loopsim app.js: the command was left out.
  if (word.ends_with(".json") || word.ends_with(".js") || word.ends_with(".cjs") || word.ends_with(".mjs")) {
    report_usage_error({"there is no command before \"" + word + "\"", "loopsim run " + word}, nullptr);
    return ExitStatus::bad_input;
  }
  std::vector<std::string_view> words = {"--help", "--version"};
  for (const Command* command : commands()) words.push_back(command->name);
  const std::string what = word.starts_with('-') ? "option " + word : "command \"" + word + "\"";
  report_usage_error({"unknown " + what, nearest(word, words)}, nullptr);
  return ExitStatus::bad_input;
}

ExitStatus run_program(std::span<const char* const> words) {
  if (words.empty()) {
    write_standard_error(program_help());
    return ExitStatus::bad_input;
  }
  const std::string first = words.front();
  if (first == "--help" || first == "-h" || (first == "help" && words.size() == 1)) return print(program_help());
  if (first == "help") {  // help COMMAND is the same as COMMAND --help
    const char* const asked[] = {words[1], "--help"};
    return run_program(asked);
  }
  if (first == "--version") return print("loopsim " + std::string(kVersion) + "\n");

  const Command* const command = find_command(first);
  if (command == nullptr) return unknown_word(first);
  const auto parsed = parse_arguments(*command, words.subspan(1));
  if (const auto* const error = std::get_if<UsageError>(&parsed)) {
    report_usage_error(*error, command);
    return ExitStatus::bad_input;
  }
  const auto& arguments = std::get<Arguments>(parsed);
  if (arguments.has("help")) return print(command_help(*command));
  const std::string size = arguments.value_or("max-memory", "1GiB");
  const std::optional<std::uint64_t> memory = parse_memory(size);
  if (!memory) {
    report_usage_error(
        {"option --max-memory takes a size of at least 32MiB, such as 512MiB or 4GiB, or none, not \"" + size + "\"",
         ""},
        command);
    return ExitStatus::bad_input;
  }
  set_memory_budget(*memory);
  const std::string most = arguments.value_or("max-steps", "1000000000");
  const std::optional<std::uint64_t> steps = parse_steps(most);
  if (!steps) {
    report_usage_error({"option --max-steps takes a whole number from 1 on, or none, not \"" + most + "\"", ""},
                       command);
    return ExitStatus::bad_input;
  }
  set_step_ceiling(*steps, arguments.has("max-steps"));
  set_inputs_are_javascript(arguments.has("js"));
  if (const std::string root = arguments.value_or("root", ""); arguments.has("root")) {
    if (!is_folder(root)) {
      report_usage_error({"option --root takes a folder, and \"" + root + "\" is none", ""}, command);
      return ExitStatus::bad_input;
    }
    set_program_root(root);
    if (!stand_in_root(arguments.operands())) return ExitStatus::bad_input;
  }
  if (arguments.has("sandbox") && arguments.has("no-sandbox")) {
    report_usage_error({"--sandbox and --no-sandbox exclude each other", ""}, command);
    return ExitStatus::bad_input;
  }
  if (command->is_confined && !confine(arguments, rules_of(arguments))) return ExitStatus::bad_input;
  return command->run(arguments);
}

}  // namespace
}  // namespace loopsim::cli

#if defined(__wasi__)
// WebAssembly is a library that its host calls, as often as it likes in one instance: what starts slowly, the world of a program in
// JavaScript, is kept for the next call. `words`: what stands behind `loopsim`. Returns the exit status; where memory ends, the host
// sees proc_exit, and the instance is of no more use. WASI has no current folder: the host calls chdir(), which is exported, too.
extern "C" __attribute__((export_name("loopsim_run"))) int loopsim_run(int count, char** words) {
  using namespace loopsim::cli;
#if defined(LOOPSIM_FOR_THE_PLAYGROUND)
  loopsim::set_small_stacks();
#endif
  const std::span<const char* const> all(words, static_cast<std::size_t>(count));
  const int status = static_cast<int>(run_program(all));
  std::fflush(nullptr);
  return status;
}
#else
int main(int count, char** words) {
  using namespace loopsim::cli;
  keep_standard_streams();
  let_writes_fail();
  try {
    const std::span<const char* const> all(words, static_cast<std::size_t>(count));
    return static_cast<int>(run_program(all.subspan(all.empty() ? 0 : 1)));
  } catch (const std::bad_alloc&) {
    report_error(out_of_memory_message());
    return static_cast<int>(ExitStatus::out_of_memory);
  } catch (const std::exception& error) {
    report_error(std::string("internal error: ") + error.what());
  }
  return static_cast<int>(ExitStatus::bad_input);
}
#endif
