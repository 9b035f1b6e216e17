// How much memory the program may hold (--max-memory).
//
// The whole program's operator new counts what is held, in bytes as the allocator gives them; what would be too much is refused with
// std::bad_alloc, like memory that the system does not have. So a document, a run and what is kept of it all count, wherever they are
// held, and nothing that allocates can forget to. Allocation is where it costs, some nanoseconds each; what the loop does over and over
// allocates nothing.
//
// Of what is left beside the program itself, only three quarters are given out at first. Who is refused then has an eighth more to end in
// good order: the trace of a run that is stopped here is written to its end. The rest is for what does not count: stacks, what the
// allocator holds in between, SQLite's pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loopsim::cli {

inline constexpr std::uint64_t kDefaultMemory = 1ULL << 30U;
inline constexpr std::uint64_t kLeastMemory = 32ULL << 20U;

// "512MiB", "2GiB": a whole number and its unit, at least kLeastMemory. "none" is 0, no bound. Nothing when it is none of these.
[[nodiscard]] std::optional<std::uint64_t> parse_memory(std::string_view text);

// From now on; 0: no bound.
void set_memory_budget(std::uint64_t bytes);

// While there is one, what is kept back is given out: to what must come to an end in good order. For one thread.
class MemoryReserve {
 public:
  MemoryReserve();
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

 private:
  std::int64_t before_;
};

// What to say of a std::bad_alloc: whose limit was reached, and how to raise it.
[[nodiscard]] std::string out_of_memory_message();

}  // namespace loopsim::cli
