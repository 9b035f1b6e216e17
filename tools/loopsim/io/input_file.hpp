// Reads input files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace loopsim::cli {

// The content of a file, or of standard input for "-". Empty if it could not be read; the error has been reported.
[[nodiscard]] std::optional<std::string> read_input(const std::string& path);

// The same in pieces, for input that may exceed memory, until `take` returns false. False on a read error, which is
// reported.
[[nodiscard]] bool read_pieces(const std::string& path, const std::function<bool(std::string_view)>& take);

// Appends a piece to a document. False if the document exceeds 64 MiB; the error has been reported.
[[nodiscard]] bool add_to_document(std::string& text, std::string_view piece, const std::string& path);

// The name of an input in messages: its path, or "<stdin>".
[[nodiscard]] std::string input_name(const std::string& path);

// Whether writing to `output` would overwrite what is read from `input`; if so, reports an error.
[[nodiscard]] bool overwrites_input(const std::string& input, const std::string& output);

}  // namespace loopsim::cli
