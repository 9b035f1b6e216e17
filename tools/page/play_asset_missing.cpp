// Of a program without its playground.
#include "tools/page/play_asset.hpp"

namespace loopsim::cli {

std::string_view play_asset() { return {}; }

}  // namespace loopsim::cli
