// Other programs: run as filters, with the input on standard input and the result from standard output, or started and left alone.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim::cli {

// The files of that name in the folders of the PATH that can be run.
[[nodiscard]] std::vector<std::string> on_path(std::string_view program);

// Whether there is one.
[[nodiscard]] bool is_on_path(std::string_view program);

// Runs `words` (a program on the PATH and its arguments), which inherits standard error, and appends what it writes to
// `output`, at most 64 MiB. Returns errno, or 0: ENOENT if there is no such program, EIO if it failed.
[[nodiscard]] int run_filter(std::span<const std::string> words, std::string_view input, std::string& output);

// Starts `words`, which reads and writes nothing here, and does not wait for it. Returns errno, or 0.
[[nodiscard]] int start_program(std::span<const std::string> words);

}  // namespace loopsim::cli
