// Other programs, run as filters: the input on standard input, the result from standard output.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace loopsim::cli {

// Whether a folder of the PATH has the program.
[[nodiscard]] bool is_on_path(std::string_view program);

// Runs `words` (a program on the PATH and its arguments), which inherits standard error, and appends what it writes to
// `output`, at most 64 MiB. Returns errno, or 0: ENOENT if there is no such program, EIO if it failed.
[[nodiscard]] int run_filter(std::span<const std::string> words, std::string_view input, std::string& output);

}  // namespace loopsim::cli
