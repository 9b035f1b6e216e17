// Completion scripts for shells, generated from the table of commands.
#pragma once

#include <string>

namespace loopsim::cli {

[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();
[[nodiscard]] std::string fish_completion();

}  // namespace loopsim::cli
