// In WebAssembly the worlds are made when the first one is needed: their memory is larger than all that they are made of, and takes
// longer to fetch than to make.
#include <cstdio>  // tidy: allow input-output: why the program ends
#include <cstdlib>

#include "sim/quickjs/library_asset.hpp"
#include "sim/quickjs/loading/loading.hpp"

namespace loopsim::quickjs {

namespace {

std::vector<std::uint8_t> snapshot_of(LoadedWorld loaded) {
  if (loaded.snapshot.empty()) {
    std::fprintf(stderr, "loopsim: the library cannot be loaded: %s\n", loaded.fault.c_str());
    std::abort();
  }
  return std::move(loaded.snapshot);
}

}  // namespace

std::span<const std::uint8_t> library_snapshot() {
  static const std::vector<std::uint8_t> kSnapshot = snapshot_of(load_library());
  return kSnapshot;
}

std::span<const std::uint8_t> syntax_snapshot() {
  static const std::vector<std::uint8_t> kSnapshot = snapshot_of(load_syntax());
  return kSnapshot;
}

std::span<const std::uint8_t> builtins_snapshot() { return {}; }

}  // namespace loopsim::quickjs
