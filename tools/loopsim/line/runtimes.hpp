// Versions of Node on the command line.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/loopsim/line/arguments.hpp"

namespace loopsim::cli {

// Expands "node-18", or the inclusive range "node-18..node-24".
[[nodiscard]] std::variant<std::vector<std::string>, UsageError> parse_runtimes(std::string_view word);

}  // namespace loopsim::cli
