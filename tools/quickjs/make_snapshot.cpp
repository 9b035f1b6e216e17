// make_snapshot FILE: loads Node's library, and writes the memory that every process then starts from. Runs once, when the
// program is built.
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
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
  Owned call(std::uint32_t, Js, std::span<const Js>) override {
    if (on_call) on_call();
    return kUndefined;
  }
  void enqueue_job(std::uint32_t, std::span<const Js>) override {}
  void reacts(Js, Js, Js, Js) override {}
  void settles(Js, bool, Js) override {}
  bool await_wraps() override { return false; }
  bool closes_sync_iterators() override { return false; }
  bool yield_star_awaits() override { return false; }
  void rejection(Js, Js, bool) override {}
  bool interrupt() override {
    if (on_interrupt) on_interrupt();
    return false;
  }
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
  std::function<void()> on_call;  // of a function of the host
  std::function<void()> on_interrupt;
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

// What sim/quickjs/layout.hpp says of QuickJS's structures holds for the QuickJS that was built: places are those of its own
// stacks, and the jumps of a loop are counted.
void check_layout() {
  constexpr std::string_view kFile = "layout.js";
  NoHost host;
  Instance world(host);
  const std::uint32_t file = world.atom(kFile);
  std::vector<std::string> wrong;
  std::vector<std::uint64_t> jumps;
  host.on_interrupt = [&] { world.count_interrupt(); };
  host.on_call = [&] {
    jumps.push_back(world.jumps());
    const Js error = world.make_error("Error", "");
    const std::string stack = world.text_of(error, "stack");
    world.free(error);
    const SourcePosition place = world.place_in(file);
    const std::string text = std::string(kFile) + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
    if (stack.find(text + ")") != stack.find(std::string(kFile)))
      wrong.push_back(text + " is not the first of\n" + stack);
  };
  const Js probe = world.make_function("probe", 0, 0);
  const Js function = world.evaluate(
      "(function (probe) {\n"
      "  const f = (x) => { if (x > 0)\n"
      "      return f(x - 1); return [1].map(\n\n   () => probe(x)); };\n"
      "  probe(); for (let i = 0; i < 25000; i++); probe();\n"
      "  f(3);\n\n\n\n\n\n\n\n\n\n  (function* () {           yield probe(); })().next();\n"
      "  (async () => { await 1;    probe(); })(); (async () => probe())();\n"
      "})",
      std::string(kFile));
  const Js result = world.call(function, kUndefined, std::span<const Js>(&probe, 1));
  constexpr std::size_t kCalls = 5;
  constexpr std::uint64_t kJumps = 50'000;  // a round tests, and goes back
  constexpr std::uint64_t kAtMost = kJumps + 10;
  if (result == kException || jumps.size() != kCalls)
    wrong.emplace_back("the functions of the host were not called");
  else if (jumps[1] - jumps[0] < kJumps || jumps[1] - jumps[0] > kAtMost)
    wrong.push_back("a loop of 25,000 rounds makes " + std::to_string(jumps[1] - jumps[0]) + " jumps");
  for (const Js value : {probe, function, result}) world.free(value);
  if (!wrong.empty())
    throw std::logic_error("QuickJS has other structures than sim/quickjs/layout.hpp says: " + wrong.front());
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
    loopsim::quickjs::check_layout();
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
