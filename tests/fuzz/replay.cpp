// Runs the fuzz targets without libFuzzer, in every build and with every compiler:
//
//   loopsim_fuzz_replay CASES SCENARIOS MUTATIONS WRITTEN
//   loopsim_fuzz_replay --show FILE
//
// Inputs: CASES/TARGET/* (regressions), the repository's scenarios and their traces, MUTATIONS mutations of these per
// target, and WRITTEN inputs for `grammar`. Deterministic. A crashing input is kept in fuzz-failure-TARGET. Fails if
// the generated scenarios cover too little of the grammar. --show prints the scenario of an input of `grammar`.

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "tests/fuzz/mutator.hpp"
#include "tests/fuzz/seeds.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/writer.hpp"
#include "tests/support/files.hpp"

// Defined by the sanitizers, which end the program without a signal.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

namespace fs = std::filesystem;
using namespace loopsim;

enum class Food { scenario, trace, choices };
struct Target {
  const char* name;
  int (*run)(const std::uint8_t* data, std::size_t size);
  Food food;
  bool structured;  // mutated as a JSON tree
};
constexpr std::array<Target, 5> kTargets = {{{"reader", fuzz_reader, Food::scenario, false},
                                             {"compiler", fuzz_compiler, Food::scenario, true},
                                             {"run", fuzz_run, Food::scenario, true},
                                             {"trace", fuzz_trace, Food::trace, false},
                                             {"grammar", fuzz_grammar, Food::choices, false}}};

// Required percentage of the pairs of a hole and a construct, checked when at least kManyWritten scenarios are written.
constexpr std::size_t kLeastPairs = 95;
constexpr std::size_t kManyWritten = 3000;

// The current input, for the handlers below, which must be async-signal-safe.
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

// Changes a few bytes; removes, doubles or copies a piece.
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
  for (const fs::path& file : files) run(target, testing::read_file(file)), ++count;
  for (const std::string& seed : seeds) run(target, seed), ++count;
  for (unsigned i = 0; i < mutations && !seeds.empty(); ++i, ++count) {
    const std::string& seed = seeds[i % seeds.size()];
    run(target, target.structured ? fuzz::mutate(seed, i + 1) : mutate_bytes(seed, i + 1));
  }
  return count;
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Generates inputs for `grammar` and checks that they cover enough of it.
std::vector<std::string> written(std::size_t count) {
  std::vector<std::string> inputs;
  fuzz::Pairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    inputs.push_back(fuzz::bytes_of_scenario(i));
    static_cast<void>(fuzz::scenario_of(bytes_of(inputs.back()), &pairs));
  }
  const std::size_t possible = fuzz::possible_pairs();
  std::printf("grammar: %zu of %zu pairs of a hole and what stands in it\n", pairs.size(), possible);
  if (count >= kManyWritten && pairs.size() * 100 < possible * kLeastPairs)
    throw std::runtime_error("too little of the grammar is written");
  return inputs;
}

int show(const char* file) {
  const std::string bytes = testing::read_file(file);
  std::printf("%s\n", fuzz::scenario_text_of(bytes_of(bytes)).c_str());
  return 0;
}

}  // namespace

int main(int count, char** words) try {
  if (count == 3 && std::string_view(words[1]) == "--show") return show(words[2]);
  if (count != 5) throw std::runtime_error("takes CASES SCENARIOS MUTATIONS WRITTEN");
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
  const std::vector<std::string> choices = written(std::stoul(words[4]));
  for (const Target& target : kTargets) {
    const bool is_written = target.food == Food::choices;
    const std::vector<std::string>& seeds = is_written ? choices : target.food == Food::trace ? traces : scenarios;
    const std::size_t inputs = run_all(target, words[1], seeds, is_written ? 0 : mutations);
    std::printf("%s: %zu inputs\n", target.name, inputs);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "loopsim_fuzz_replay: %s\n", error.what());
  return 1;
}
