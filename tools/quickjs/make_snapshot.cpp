// make_snapshot FILE: loads Node's library, and writes the memory that every process then starts from. Runs once, when the
// program is built.
#include <cstdio>
#include <exception>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/quickjs/instance.hpp"
#include "sim/quickjs/library_asset.hpp"

namespace loopsim::quickjs {

namespace {

// The library is loaded without a process: it must ask for nothing then.
class NoHost final : public Host {
 public:
  Owned call(std::uint32_t, Js, std::span<const Js>) override { return kUndefined; }
  void enqueue_job(std::uint32_t, std::span<const Js>) override {}
  void reacts(Js, Js, Js, Js) override {}
  void settles(Js, bool) override {}
  bool await_wraps() override { return false; }
  void rejection(Js, Js, bool) override {}
  bool interrupt() override { return false; }
  std::int64_t read_clock(bool) override { return 0; }
  void random(std::span<std::uint8_t> bytes) override {
    for (std::uint8_t& byte : bytes) byte = 0;
  }
  std::optional<std::string> normalize_module(const std::string&, const std::string&) override { return std::nullopt; }
  std::optional<std::string> load_module(const std::string&) override { return std::nullopt; }
  void collected(std::uint32_t) override {}
  std::uint32_t statement(std::uint32_t, bool) override { return 0; }
  std::uint32_t position(std::uint32_t, std::uint32_t, std::uint32_t) override { return 0; }
  void instruction(std::uint32_t, std::uint32_t) override {}
};

// Evaluates a file of the library; its errors are defects of ours.
Js evaluate(Instance& world, const LibraryFile& file, std::string_view before, std::string_view after) {
  const std::string name = "node:" + std::string(file.name);
  const Js result = world.evaluate(std::string(before) + std::string(file.source) + std::string(after), name);
  if (result != kException) return result;
  const Js error = world.take_exception();
  throw std::logic_error(name + ": " + world.to_text(error));
}

void call(Instance& world, Js object, std::string_view method, std::span<const Js> arguments) {
  const Js function = world.get(object, method);
  const Js result = world.call(function, kUndefined, arguments);
  if (result == kException) {
    const Js error = world.take_exception();
    throw std::logic_error("node:internal/loader, " + std::string(method) + ": " + world.to_text(error) + "\n" +
                           world.to_text(world.get(error, "stack")));
  }
  world.free(result);
  world.free(function);
}

// A small program ends before its first collection, which would look at all of the library.
constexpr std::uint32_t kRoom = 2 * 1024 * 1024;

// The first file takes the others, each as a function (node/internal/loader.js).
std::vector<std::uint8_t> load_library() {
  NoHost host;
  Instance world(host);
  const std::span<const LibraryFile> files = library_files();
  world.free(evaluate(world, files.front(), "", ""));
  const Js globals = world.global();
  const Js loader = world.get(globals, "__loopsim");
  for (const LibraryFile& file : files.subspan(1)) {
    const Js define[] = {world.make_string(file.name),
                         evaluate(world, file, "(function (exports, require, module, internalBinding) {", "\n})")};
    call(world, loader, "define", define);
    for (const Js value : define) world.free(value);
  }
  call(world, loader, "prepare", {});
  world.free(loader);
  world.free(globals);
  world.collect_garbage(kRoom);
  return world.take_snapshot();
}

}  // namespace

}  // namespace loopsim::quickjs

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_snapshot FILE\n", stderr);
    return 2;
  }
  try {
    const std::vector<std::uint8_t> snapshot = loopsim::quickjs::load_library();
    std::ofstream file(argv[1], std::ios::binary);
    file.write(reinterpret_cast<const char*>(snapshot.data()), static_cast<std::streamsize>(snapshot.size()));
    file.close();
    if (file) return 0;
    std::fprintf(stderr, "make_snapshot: cannot write %s\n", argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_snapshot: %s\n", error.what());
  }
  return 1;
}
