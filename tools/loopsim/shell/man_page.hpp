// The manual page, generated from the table of commands.
#pragma once

#include <string>

namespace loopsim::cli {

[[nodiscard]] std::string man_page();  // loopsim(1), in roff with the macros of man(7)

}  // namespace loopsim::cli
