#include "sim/quickjs/library.hpp"

#include "sim/quickjs/library_asset.hpp"

namespace loopsim::quickjs {

std::unique_ptr<Instance> make_world(Host& host) { return std::make_unique<Instance>(host, library_snapshot()); }

std::string wrapped_script(std::string source) {
  if (source.starts_with("#!")) source.replace(0, 2, "//");
  return std::string(kScriptBefore).append(source).append(kScriptAfter);
}

}  // namespace loopsim::quickjs
