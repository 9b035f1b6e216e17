// The WebAssembly is a part of the playground, and not the other way round.
#include "tools/page/play_asset.hpp"

namespace loopsim::cli {

std::string_view play_asset() { return {}; }

}  // namespace loopsim::cli
