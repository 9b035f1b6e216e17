// Messages on standard error.
#pragma once

#include <string>
#include <string_view>

#include "loopsim/diagnostic.hpp"

#include "tools/loopsim/line/arguments.hpp"

namespace loopsim::cli {

[[nodiscard]] bool standard_error_is_terminal();

// False when writing failed.
bool write_standard_error(std::string_view text);

// "loopsim: MESSAGE".
void report_error(std::string_view message);

// "loopsim: could not VERB NAME: MESSAGE", with the system's message for `error` (an errno).
void report_system_error(std::string_view verb, std::string_view name, int error);

// Prints the error, the nearest valid word, and the --help to try. `command` may be null.
void report_usage_error(const UsageError& error, const Command* command);

void report_diagnostics(const Diagnostics& diagnostics);

}  // namespace loopsim::cli
