// The start of Node's library that is made when loopsim is built: of the default version, without variables of the environment,
// for a script without a name (tools/quickjs/make_start.cpp). The program has it, and nothing else that is linked with the
// library; in WebAssembly nothing has: it would be fetched with the page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/quickjs/instance.hpp"

namespace loopsim::quickjs {

struct BuiltStart {
  Instance::Saved world;
  std::vector<Js> values;  // those of Engine::values_of_start()
};

// Null: there is none.
[[nodiscard]] const BuiltStart* built_start();

// Makes it: what start_snapshot() then has. Empty: the start cannot be kept. Not in WebAssembly.
[[nodiscard]] std::vector<std::uint8_t> make_start(std::string& fault);

}  // namespace loopsim::quickjs
