// The WebAssembly is a part of the playground, and not the other way round: that is the file that the environment names in
// LOOPSIM_PLAYGROUND.
#include "tools/page/play_asset.hpp"

#include "tools/loopsim/wasm/named_file.hpp"

namespace loopsim::cli {

std::string_view play_asset() {
  static const std::string playground = named_file("LOOPSIM_PLAYGROUND");
  return playground;
}

}  // namespace loopsim::cli
