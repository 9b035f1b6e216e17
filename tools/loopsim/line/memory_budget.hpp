// Bound on the memory of the program (--max-memory).
//
// The global operator new and delete count allocated bytes, as the allocator reports them. An allocation beyond the
// bound fails with std::bad_alloc, as if the system had no memory left. So documents, runs and stored traces count
// without further code; what programs in JavaScript hold is asked for (MemoryAccount). The cost is some nanoseconds per
// allocation; the event loop allocates nothing in steady state.
//
// After subtracting the program itself, three quarters of the budget are available at first. A refusal releases another
// eighth for an orderly end: the trace of a stopped run is written to its end. The last eighth is for uncounted memory:
// stacks, the allocator's free lists, SQLite's pages.
#pragma once

#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>

namespace loopsim::cli {

inline constexpr std::uint64_t kDefaultMemory = 1ULL << 30U;
inline constexpr std::uint64_t kLeastMemory = 32ULL << 20U;

// "512MiB", "2GiB": a whole number and its unit, at least kLeastMemory. "none" is 0, no bound. Nothing when malformed.
[[nodiscard]] std::optional<std::uint64_t> parse_memory(std::string_view text);

// Applies to later allocations; 0: no bound.
void set_memory_budget(std::uint64_t bytes);

// To be called before many runs: what one has freed is kept for the next, unless the budget is small.
void keep_memory_for_more_runs();

// Releases the reserve during its lifetime, for an orderly end of the run. Only one thread may use it at a time.
class MemoryReserve {
 public:
  MemoryReserve();
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

 private:
  std::int64_t before_;
};

// Error message for a std::bad_alloc: whose limit was reached, and how to raise --max-memory.
[[nodiscard]] std::string out_of_memory_message();

// What `run` returns, or `otherwise` where a std::bad_alloc ends it. Without exceptions, in WebAssembly, the end of the memory is that
// of the program, with its message and status.
template <typename Run, typename Otherwise>
auto or_without_memory(const Run& run, const Otherwise& otherwise) {
#if defined(__cpp_exceptions)
  try {
    return run();
  } catch (const std::bad_alloc&) {
    return otherwise();
  }
#else
  static_cast<void>(otherwise);
  return run();
#endif
}

}  // namespace loopsim::cli
