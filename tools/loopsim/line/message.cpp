#include "tools/loopsim/line/message.hpp"

#include <cerrno>
#include <system_error>

#include <unistd.h>

namespace loopsim::cli {

bool standard_error_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

bool write_standard_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void report_error(std::string_view message) { write_standard_error("loopsim: " + std::string(message) + "\n"); }

void report_system_error(std::string_view verb, std::string_view name, int error) {
  report_error("could not " + std::string(verb) + " " + std::string(name) + ": " +
               std::generic_category().message(error));
}

void report_usage_error(const UsageError& error, const Command* command) {
  std::string text = "loopsim: " + error.message;
  if (!error.suggestion.empty()) text += "; did you mean \"" + error.suggestion + "\"?";
  text += "\nTry \"loopsim ";
  if (command != nullptr) text.append(command->name).append(" ");
  text += "--help\".\n";
  write_standard_error(text);
}

void report_diagnostics(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += to_string(diagnostic);
  write_standard_error(text);
}

}  // namespace loopsim::cli
