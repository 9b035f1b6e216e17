// Scripts with which shells complete the command line. Made from the table of commands, so they know what the program knows.
#pragma once

#include <string>

namespace loopsim::cli {

[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();
[[nodiscard]] std::string fish_completion();

}  // namespace loopsim::cli
