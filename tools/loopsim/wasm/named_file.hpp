// Parts of the native program that are files beside the WebAssembly.
#pragma once

#include <string>

namespace loopsim::cli {

// The content of the file that the environment names in `variable`; empty: it names none, or none that can be read.
[[nodiscard]] std::string named_file(const char* variable);

}  // namespace loopsim::cli
