#include "sim/quickjs/loading/loading.hpp"

#include <span>
#include <string_view>

#include "sim/quickjs/instance.hpp"
#include "sim/quickjs/library_asset.hpp"
#include "sim/quickjs/loading/originals.hpp"
#include "sim/quickjs/no_host.hpp"

namespace loopsim::quickjs {

namespace {

// The error that was thrown, by what.
std::string fault_of(Instance& world, std::string_view what) {
  const Js error = world.take_exception();
  std::string fault = std::string(what) + ": " + world.to_text(error);
  const std::string stack = world.text_of(error, "stack");
  if (!stack.empty()) fault += "\n" + stack;
  world.free(error);
  return fault;
}

// A file of the library.
Js evaluate(Instance& world, const LibraryFile& file, std::string_view before, std::string_view after) {
  return world.evaluate(std::string(before).append(file.source).append(after), "node:" + std::string(file.name));
}

// False: it has thrown.
bool call(Instance& world, Js object, std::string_view method, std::span<const Js> arguments) {
  const Js function = world.get(object, method);
  const Js result = world.call(function, kUndefined, arguments);
  world.free(function);
  world.free(result);
  return result != kException;
}

// A small program ends before its first collection, which would look at all of the library.
constexpr std::uint32_t kRoom = 2 * 1024 * 1024;

std::vector<std::uint8_t> snapshot_of(Instance& world) {
  world.collect_garbage(kRoom);
  world.restart_counting();
  const std::span<const std::uint8_t> memory = world.bytes();
  const Instance::Registers registers = world.registers();
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&registers);
  std::vector<std::uint8_t> snapshot;
  snapshot.reserve(memory.size() + sizeof registers);
  snapshot.assign(memory.begin(), memory.end());
  snapshot.insert(snapshot.end(), bytes, bytes + sizeof registers);
  return snapshot;
}

}  // namespace

// The first file takes the others, each as a function (node/internal/loader.js).
LoadedWorld load_library() {
  NoHost host;
  Instance world(host);
  const std::span<const LibraryFile> files = library_files();
  const Js first = evaluate(world, files.front(), "", "");
  if (first == kException) return {{}, fault_of(world, files.front().name)};
  std::vector<Js> functions = {first};
  if (world.call(first, kUndefined, {}) == kException) return {{}, fault_of(world, files.front().name)};
  const Js globals = world.global();
  const Js loader = world.get(globals, "__loopsim");
  for (const LibraryFile& file : files.subspan(1)) {
    const Js function = evaluate(world, file, "(function (exports, require, module, internalBinding) {", "\n})");
    if (function == kException) return {{}, fault_of(world, file.name)};
    const Js define[] = {world.make_string(file.name), function};
    const bool is_defined = call(world, loader, "define", define);
    world.free(define[0]);
    functions.push_back(function);
    if (!is_defined) return {{}, fault_of(world, file.name)};
  }
  if (!call(world, loader, "prepare", {})) return {{}, fault_of(world, "internal/loader, prepare")};
  if (const std::string fault = keep_originals(world, loader, functions); !fault.empty())
    return {{}, "internal/originals: " + fault};
  // `functions` stay: QuickJS cannot free code with marked atoms.
  world.free(loader);
  world.free(globals);
  return {snapshot_of(world), {}};
}

// One file, which leaves a function in a global variable.
LoadedWorld load_syntax() {
  NoHost host;
  Instance world(host);
  const Js result = evaluate(world, syntax_files().front(), "", "");
  if (result == kException) return {{}, fault_of(world, syntax_files().front().name)};
  world.free(result);
  return {snapshot_of(world), {}};
}

}  // namespace loopsim::quickjs
