// Makes the worlds that all others start from: when loopsim is built (tools/quickjs/make_snapshot.cpp), or in WebAssembly when the
// first one is needed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace loopsim::quickjs {

struct LoadedWorld {
  std::vector<std::uint8_t> snapshot;  // its memory, and then its registers
  std::string fault;                   // an error of our JavaScript; then there is no snapshot
};

// Node's library.
LoadedWorld load_library();
// The parser of sim/quickjs/syntax.cpp.
LoadedWorld load_syntax();

}  // namespace loopsim::quickjs
