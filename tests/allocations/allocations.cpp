// Checks that a callback allocates nothing in the steady state: a run of 400,000 callbacks makes exactly as many
// allocations as one of 200,000. A separate program, because it counts every operator new.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"

#include "tests/support/files.hpp"

namespace {

std::uint64_t allocations = 0;

void* allocate(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

struct Case {
  std::string file;
  std::string timers;  // empty: the scenario has none
};

// The number of allocations of a run. Sets `ran` to its callbacks, 0 if the scenario cannot be read.
std::uint64_t count(const Case& one, std::uint64_t callbacks, std::uint64_t& ran) {
  const std::string path = std::string(LOOPSIM_SOURCE_DIR "/scenarios/bench/") + one.file;
  loopsim::ReadOptions options;
  options.overrides.emplace_back("callbacks", std::to_string(callbacks));
  if (!one.timers.empty()) options.overrides.emplace_back("timers", one.timers);
  const auto read = loopsim::read_scenario(loopsim::testing::read_file(path), path, options);
  ran = 0;
  if (!read.scenario) return 0;
  const auto program = loopsim::compile(*read.scenario).program;
  const std::uint64_t before = allocations;
  ran = loopsim::run(*program, {}).callbacks;
  return allocations - before;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
  constexpr std::uint64_t kCallbacks = 200'000;
  const std::vector<Case> cases = {{"w1-timers.json", "1000"}, {"w2-immediates.json", ""},
                                   {"w2t-ticks.json", ""},     {"w2p-reactions.json", ""},
                                   {"w2a-awaits.json", ""},    {"w3-many-timers.json", "50000"}};
  int failures = 0;
  for (const Case& one : cases) {
    std::uint64_t ran = 0, ran_more = 0;
    const std::uint64_t fewer = count(one, kCallbacks, ran);
    const std::uint64_t more = count(one, 2 * kCallbacks, ran_more);
    const bool good = ran == kCallbacks && ran_more == 2 * kCallbacks && fewer != 0 && more == fewer;
    failures += good ? 0 : 1;
    std::printf("%s: %llu allocations in %llu callbacks, %llu in %llu%s\n", one.file.c_str(),
                static_cast<unsigned long long>(fewer), static_cast<unsigned long long>(ran),
                static_cast<unsigned long long>(more), static_cast<unsigned long long>(ran_more),
                good ? "" : ": FAILED");
  }
  return failures == 0 ? 0 : 1;
}
