// The built page, embedded in the program.
#pragma once

#include <string_view>

namespace loopsim::cli {

// Empty: the program was built without it (docs/page.md).
[[nodiscard]] std::string_view page_asset();

}  // namespace loopsim::cli
