// Runs the fuzz targets without libFuzzer, so in every build, by every compiler:
//
//   loopsim_fuzz_replay CASES SCENARIOS MUTATIONS
//
// CASES/TARGET/* (what was found once, and must not come back), the scenarios that ship (and their traces), and a fixed number of
// mutations of each kind: always the same ones. The input that ends the program is kept in fuzz-failure-TARGET.

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "tests/fuzz/mutator.hpp"
#include "tests/fuzz/seeds.hpp"
#include "tests/fuzz/targets.hpp"

// Of the sanitizers, where there are any: they end the program without a signal.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

namespace fs = std::filesystem;
using namespace loopsim;

enum class Food { scenario, trace };
struct Target {
  const char* name;
  int (*run)(const std::uint8_t* data, std::size_t size);
  Food food;
  bool structured;  // mutated as a JSON tree
};
constexpr std::array<Target, 4> kTargets = {{{"reader", fuzz_reader, Food::scenario, false},
                                             {"compiler", fuzz_compiler, Food::scenario, true},
                                             {"run", fuzz_run, Food::scenario, true},
                                             {"trace", fuzz_trace, Food::trace, false}}};

// What is being run, for the handlers below; they may call nothing that is not safe in a signal handler.
std::string current_input;  // NOLINT(cert-err58-cpp): an empty string does not throw
char current_file[64] = "";

void keep_input() {
  const int file = ::open(current_file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  const ssize_t written = ::write(file, current_input.data(), current_input.size());
  static_cast<void>(written);
  ::close(file);
}

void on_signal(int signal) {
  keep_input();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(const Target& target, std::string input) {
  current_input = std::move(input);
  target.run(reinterpret_cast<const std::uint8_t*>(current_input.data()), current_input.size());
}

// A few bytes changed, a piece left out, doubled or moved.
std::string mutate_bytes(std::string bytes, unsigned seed) {
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t count) { return count == 0 ? std::size_t{0} : random() % count; };
  const std::size_t changes = 1 + below(4);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = below(bytes.size());
    const std::size_t length = std::min(bytes.size() - at, below(2) == 0 ? 1 + below(4) : 1 + below(200));
    switch (below(5)) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<char>(below(256));
        break;
      case 1: bytes.erase(at, length); break;
      case 2: bytes.insert(at, bytes.substr(at, length)); break;
      case 3: bytes.insert(below(bytes.size() + 1), bytes.substr(at, length)); break;
      default: bytes.insert(at, 1, "{}[]\",:0e-\\\n\0 $"[below(15)]); break;
    }
  }
  return bytes;
}

std::size_t run_all(const Target& target, const fs::path& cases, const std::vector<std::string>& seeds,
                    unsigned mutations) {
  std::snprintf(current_file, sizeof current_file, "fuzz-failure-%s", target.name);
  std::size_t count = 0;
  std::vector<fs::path> files;
  if (fs::is_directory(cases / target.name)) {
    for (const auto& entry : fs::directory_iterator(cases / target.name)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) run(target, fuzz::read_file(file)), ++count;
  for (const std::string& seed : seeds) run(target, seed), ++count;
  for (unsigned i = 0; i < mutations && !seeds.empty(); ++i, ++count) {
    const std::string& seed = seeds[i % seeds.size()];
    run(target, target.structured ? fuzz::mutate(seed, i + 1) : mutate_bytes(seed, i + 1));
  }
  return count;
}

}  // namespace

int main(int count, char** words) try {
  if (count != 4) throw std::runtime_error("takes CASES SCENARIOS MUTATIONS");
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS}) std::signal(signal, on_signal);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(keep_input);
  std::vector<std::string> scenarios;
  std::vector<std::string> traces;
  for (const auto& [name, document] : fuzz::scenario_seeds(words[2])) {
    scenarios.push_back(document);
    if (std::string trace = fuzz::trace_seed(document); !trace.empty()) traces.push_back(std::move(trace));
  }
  if (scenarios.empty()) throw std::runtime_error(std::string("no scenarios in ") + words[2]);
  const auto mutations = static_cast<unsigned>(std::stoul(words[3]));
  for (const Target& target : kTargets) {
    const std::size_t inputs = run_all(target, words[1], target.food == Food::trace ? traces : scenarios, mutations);
    std::printf("%s: %zu inputs\n", target.name, inputs);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "loopsim_fuzz_replay: %s\n", error.what());
  return 1;
}
