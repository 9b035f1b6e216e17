#include "sim/quickjs/library.hpp"

#include "sim/quickjs/library_asset.hpp"

namespace loopsim::quickjs {

std::unique_ptr<Instance> make_world(Host& host) { return std::make_unique<Instance>(host, library_snapshot()); }

}  // namespace loopsim::quickjs
