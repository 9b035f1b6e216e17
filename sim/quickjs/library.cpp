#include "sim/quickjs/library.hpp"

#include <cstring>
#include <optional>

#include "sim/quickjs/builtins.hpp"
#include "sim/quickjs/library_asset.hpp"

namespace loopsim::quickjs {

Instance::Saved world_of(std::span<const std::uint8_t> snapshot) {
  Instance::Saved world;
  const std::size_t memory_size = snapshot.size() - sizeof world.registers;
  std::memcpy(&world.registers, snapshot.data() + memory_size, sizeof world.registers);
  world.memory = Image::of_program(snapshot.first(memory_size));
  return world;
}

const Instance::Saved& library_world() {
  static const Instance::Saved kWorld = world_of(library_snapshot());
  return kWorld;
}

std::string wrapped_script(std::string source) {
  if (source.starts_with("#!")) source.replace(0, 2, "//");
  return std::string(kScriptBefore).append(source).append(kScriptAfter);
}

const Builtins* own_builtins() {
  static const std::optional<Builtins> kOwn = Builtins::read(builtins_snapshot());
  return kOwn ? &*kOwn : nullptr;
}

}  // namespace loopsim::quickjs
