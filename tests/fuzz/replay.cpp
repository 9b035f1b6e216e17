// Runs the fuzz targets without libFuzzer, in every build and with every compiler:
//
//   loopsim_fuzz_replay CASES SCENARIOS MUTATIONS WRITTEN PROGRAMS [TARGET]
//   loopsim_fuzz_replay --show FILE
//   loopsim_fuzz_replay --program NUMBER
//   loopsim_fuzz_replay --bindings PART OF
//
// Inputs: CASES/TARGET/* (regressions), the repository's scenarios, their traces and programs in JavaScript, MUTATIONS
// mutations of scenarios and traces per target, WRITTEN inputs for `grammar`, and PROGRAMS mutations of programs.
// Deterministic. A crashing input is kept in fuzz-failure-TARGET. Fails if the generated scenarios cover too little of
// the grammar. --bindings calls each binding with each hostile value, the cases of one part of so many. --show
// prints the scenario of an input of `grammar`, --program a program as the fuzzer begins with.

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

#include "loopsim/memory_account.hpp"

#include "sim/program/program.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/fuzz/program_mutator.hpp"
#include "tests/fuzz/program_writer.hpp"
#include "tests/fuzz/seeds.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/writer.hpp"
#include "tests/support/files.hpp"
#include "tests/support/raw_calls.hpp"

// Defined by the sanitizers, which end the program without a signal.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

namespace fs = std::filesystem;
using namespace loopsim;

enum class Food { scenario, trace, choices, program, calls };
struct Target {
  const char* name;
  int (*run)(const std::uint8_t* data, std::size_t size);
  Food food;
  std::string (*mutate)(std::string_view input, unsigned seed);
};

// Changes a few bytes; removes, doubles or copies a piece.
std::string mutate_bytes(std::string_view input, unsigned seed) {
  std::string bytes(input);
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

constexpr std::array kTargets = std::to_array<Target>({
  {"reader", fuzz_reader, Food::scenario, mutate_bytes}, {"compiler", fuzz_compiler, Food::scenario, fuzz::mutate},
      {"run", fuzz_run, Food::scenario, fuzz::mutate}, {"trace", fuzz_trace, Food::trace, mutate_bytes},
      {"grammar", fuzz_grammar, Food::choices, nullptr},
      {"javascript", fuzz_javascript, Food::program, fuzz::mutate_program},
#if defined(LOOPSIM_WITH_BINDINGS)
  {
    "bindings", fuzz_bindings, Food::calls, mutate_bytes
  }
#endif
});

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
    run(target, target.mutate(seed, i + 1));
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

class Seeds {
 public:
  Seeds(const fs::path& folder, std::size_t written_count) : choices_(written(written_count)) {
    for (const auto& [name, document] : fuzz::scenario_seeds(folder)) {
      scenarios_.push_back(document);
      for (auto& [form, trace] : fuzz::trace_seeds(document)) traces_.push_back(std::move(trace));
    }
    if (scenarios_.empty()) throw std::runtime_error("no scenarios in " + folder.string());
    for (const auto& [name, program] : fuzz::program_seeds(folder)) programs_.push_back(program);
#if defined(LOOPSIM_WITH_BINDINGS)
    calls_ = testing::each_binding();
    calls_.resize(kFewCalls);
#endif
    for (std::size_t i = 0; i < kWrittenPrograms; ++i)
      programs_.push_back(fuzz::program_text_of(bytes_of(fuzz::bytes_of_scenario(i))));
  }

  [[nodiscard]] const std::vector<std::string>& of(Food food) const {
    switch (food) {
      case Food::trace: return traces_;
      case Food::choices: return choices_;
      case Food::program: return programs_;
      case Food::calls: return calls_;
      default: return scenarios_;
    }
  }

 private:
  static constexpr std::size_t kWrittenPrograms = 100;
  static constexpr std::size_t kFewCalls = 200;
  std::vector<std::string> scenarios_, traces_, choices_, programs_, calls_;
};

#if defined(LOOPSIM_WITH_BINDINGS)
int call_bindings(std::size_t part, std::size_t parts) {
  std::snprintf(current_file, sizeof current_file, "fuzz-failure-bindings");
  const Target& target = kTargets.back();
  const std::vector<std::string> cases = testing::each_binding();
  std::size_t count = 0;
  for (std::size_t i = part; i < cases.size(); i += parts, ++count) run(target, cases[i]);
  std::printf("bindings: %zu of %zu cases\n", count, cases.size());
  return 0;
}
#endif

void look_for_signals() {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS}) std::signal(signal, on_signal);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(keep_input);
}

int show(const char* file) {
  const std::string bytes = testing::read_file(file);
  std::printf("%s\n", fuzz::scenario_text_of(bytes_of(bytes)).c_str());
  return 0;
}

}  // namespace

int main(int count, char** words) try {
  loopsim::set_small_stacks();  // a recursion to the end of a large one takes minutes under the sanitizers
  if (count == 3 && std::string_view(words[1]) == "--show") return show(words[2]);
  if (count == 3 && std::string_view(words[1]) == "--program") {
    std::printf("%s", fuzz::program_text_of(bytes_of(fuzz::bytes_of_scenario(std::stoul(words[2])))).c_str());
    return 0;
  }
#if defined(LOOPSIM_WITH_BINDINGS)
  if (count == 4 && std::string_view(words[1]) == "--bindings") {
    look_for_signals();
    return call_bindings(std::stoul(words[2]), std::max<std::size_t>(std::stoul(words[3]), 1));
  }
#endif
  if (count != 6 && count != 7) throw std::runtime_error("takes CASES SCENARIOS MUTATIONS WRITTEN PROGRAMS [TARGET]");
  look_for_signals();
  const Seeds seeds(words[2], std::stoul(words[4]));
  for (const Target& target : kTargets) {
    if (count == 7 && std::string_view(words[6]) != target.name) continue;
    if (target.food == Food::program && script_runner() == nullptr) {
      std::printf("%s: none, this build has no engine\n", target.name);
      continue;
    }
    const char* const mutations = target.food == Food::program ? words[5] : words[3];
    const std::size_t inputs = run_all(target, words[1], seeds.of(target.food),
                                       target.mutate == nullptr ? 0 : static_cast<unsigned>(std::stoul(mutations)));
    std::printf("%s: %zu inputs\n", target.name, inputs);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "loopsim_fuzz_replay: %s\n", error.what());
  return 1;
}
