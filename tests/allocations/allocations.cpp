// Checks that a callback allocates nothing in the steady state: a run of 400,000 callbacks makes exactly as many
// allocations as one of 200,000; and that a server whose listeners are closures needs as much memory for 40,000 requests as for
// 10,000. A separate program, because it counts every operator new.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <malloc.h>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"

#include "tests/support/files.hpp"

namespace {

std::uint64_t allocations = 0;
std::uint64_t held = 0, most_held = 0;  // bytes

void* allocate(std::size_t size) {
  ++allocations;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  held += malloc_usable_size(memory);
  most_held = std::max(most_held, held);
  return memory;
}

void release(void* memory) {
  held -= malloc_usable_size(memory);
  std::free(memory);
}

struct Case {
  std::string file;
  std::string timers;  // empty: the scenario has none
};

// The compiled scenario of the bench, with these parameters; null if it cannot be read.
std::shared_ptr<const loopsim::Program> compiled(const std::string& file,
                                                 std::vector<std::pair<std::string, std::string>> parameters) {
  const std::string path = std::string(LOOPSIM_SOURCE_DIR "/scenarios/bench/") + file;
  loopsim::ReadOptions options;
  options.overrides = std::move(parameters);
  const auto read = loopsim::read_scenario(loopsim::testing::read_file(path), path, options);
  return read.scenario ? loopsim::compile(*read.scenario).program : nullptr;
}

// The number of allocations of a run. Sets `ran` to its callbacks, 0 if the scenario cannot be read.
std::uint64_t count(const Case& one, std::uint64_t callbacks, std::uint64_t& ran) {
  std::vector<std::pair<std::string, std::string>> parameters = {{"callbacks", std::to_string(callbacks)}};
  if (!one.timers.empty()) parameters.emplace_back("timers", one.timers);
  const auto program = compiled(one.file, std::move(parameters));
  ran = 0;
  if (program == nullptr) return 0;
  const std::uint64_t before = allocations;
  ran = loopsim::run(*program, {}).callbacks;
  return allocations - before;
}

// The most memory that a run of the server holds at a time. Sets `ran` as count() does.
std::uint64_t most_memory(std::uint64_t requests, std::uint64_t& ran) {
  const auto program = compiled("w4-server.json", {{"requests", std::to_string(requests)}});
  ran = 0;
  if (program == nullptr) return 0;
  const std::uint64_t before = most_held = held;
  ran = loopsim::run(*program, {}).callbacks;
  return most_held - before;
}

bool server_needs_no_more() {
  constexpr std::uint64_t kRequests = 10'000;
  std::uint64_t ran = 0, ran_more = 0;
  const std::uint64_t fewer = most_memory(kRequests, ran);
  const std::uint64_t more = most_memory(4 * kRequests, ran_more);
  // How many requests wait at a time is a matter of chance.
  const bool good = ran > 3 * kRequests && ran_more > 12 * kRequests && more < fewer + fewer / 4;
  std::printf("w4-server.json: %llu bytes for %llu requests, %llu for %llu%s\n", static_cast<unsigned long long>(fewer),
              static_cast<unsigned long long>(kRequests), static_cast<unsigned long long>(more),
              static_cast<unsigned long long>(4 * kRequests), good ? "" : ": FAILED");
  return good;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }

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
  failures += server_needs_no_more() ? 0 : 1;
  return failures == 0 ? 0 : 1;
}
