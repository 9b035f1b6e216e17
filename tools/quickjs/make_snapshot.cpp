// make_snapshot library|syntax FILE: loads Node's library, or the parser of sim/quickjs/syntax.cpp, and writes the memory that every
// such world then starts from. Runs once, when the program is built.
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/quickjs/instance.hpp"
#include "sim/quickjs/loading/loading.hpp"
#include "sim/quickjs/no_host.hpp"

namespace loopsim::quickjs {

namespace {

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

}  // namespace

}  // namespace loopsim::quickjs

int main(int argc, char** argv) {
  const std::string_view what = argc == 3 ? argv[1] : "";
  if (what != "library" && what != "syntax") {
    std::fputs("usage: make_snapshot library|syntax FILE\n", stderr);
    return 2;
  }
  const char* const path = argv[2];
  try {
    loopsim::quickjs::check_layout();
    const loopsim::quickjs::LoadedWorld loaded =
        what == "library" ? loopsim::quickjs::load_library() : loopsim::quickjs::load_syntax();
    if (!loaded.fault.empty()) throw std::logic_error("node:" + loaded.fault);
    const auto* const bytes = reinterpret_cast<const char*>(loaded.snapshot.data());
    std::ofstream file(path, std::ios::binary);
    file.write(bytes, static_cast<std::streamsize>(loaded.snapshot.size()));
    file.close();
    if (file) return 0;
    std::fprintf(stderr, "make_snapshot: cannot write %s\n", path);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_snapshot: %s\n", error.what());
  }
  return 1;
}
