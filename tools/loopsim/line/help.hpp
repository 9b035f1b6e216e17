// The texts of --help.
#pragma once

#include <string>

#include "tools/loopsim/line/command.hpp"

namespace loopsim::cli {

[[nodiscard]] std::string program_help();
[[nodiscard]] std::string command_help(const Command& command);

}  // namespace loopsim::cli
