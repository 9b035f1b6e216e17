// Versions of Node as they are given on the command line.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/loopsim/line/arguments.hpp"

namespace loopsim::cli {

// "node-18", or all from one to another, both included: "node-18..node-24".
[[nodiscard]] std::variant<std::vector<std::string>, UsageError> parse_runtimes(std::string_view word);

}  // namespace loopsim::cli
