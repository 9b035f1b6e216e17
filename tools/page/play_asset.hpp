// The built playground, embedded in the program.
#pragma once

#include <string_view>

namespace loopsim::cli {

// Empty: the program was built without it (docs/playground.md).
[[nodiscard]] std::string_view play_asset();

}  // namespace loopsim::cli
