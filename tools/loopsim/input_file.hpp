// Reads documents.
#pragma once

#include <optional>
#include <string>

namespace loopsim::cli {

// The whole of a file, or of standard input for "-". Nothing when it could not be read: then that has been reported.
[[nodiscard]] std::optional<std::string> read_input(const std::string& path);

// How messages name an input: its path, or "<stdin>".
[[nodiscard]] std::string input_name(const std::string& path);

// Whether writing to `output` would overwrite the document at `input`; then that has been reported.
[[nodiscard]] bool overwrites_input(const std::string& input, const std::string& output);

}  // namespace loopsim::cli
