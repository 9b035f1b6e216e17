// Reads documents.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace loopsim::cli {

// The whole of a file, or of standard input for "-". Nothing when it could not be read: then that has been reported.
[[nodiscard]] std::optional<std::string> read_input(const std::string& path);

// The same piece by piece, for what may be larger than memory: until `take` says false. False when it could not be read.
[[nodiscard]] bool read_pieces(const std::string& path, const std::function<bool(std::string_view)>& take);

// Adds a piece to a document; false when it gets larger than any document may be: then that has been reported.
[[nodiscard]] bool add_to_document(std::string& text, std::string_view piece, const std::string& path);

// How messages name an input: its path, or "<stdin>".
[[nodiscard]] std::string input_name(const std::string& path);

// Whether writing to `output` would overwrite the document at `input`; then that has been reported.
[[nodiscard]] bool overwrites_input(const std::string& input, const std::string& output);

}  // namespace loopsim::cli
