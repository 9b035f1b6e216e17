// What the program tells on standard error.
#pragma once

#include <string>
#include <string_view>

#include "loopsim/diagnostic.hpp"

#include "tools/loopsim/line/arguments.hpp"

namespace loopsim::cli {

// Writes to standard error; false when that failed.
bool write_standard_error(std::string_view text);

// "loopsim: MESSAGE".
void report_error(std::string_view message);

// "loopsim: could not VERB NAME: what the system says".
void report_system_error(std::string_view verb, std::string_view name, int error);

// The mistake, the nearest valid word, and where to find help. `command` may be null.
void report_usage_error(const UsageError& error, const Command* command);

void report_diagnostics(const Diagnostics& diagnostics);

}  // namespace loopsim::cli
