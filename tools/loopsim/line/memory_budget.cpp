#include "tools/loopsim/line/memory_budget.hpp"

#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include <malloc.h>

#include "loopsim/memory_account.hpp"

#include "tools/loopsim/line/exit_status.hpp"
#include "tools/loopsim/line/message.hpp"

// The sanitizers have their own allocator, with its own bound (ASAN_OPTIONS=hard_rss_limit_mb=...).
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LOOPSIM_COUNTS_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define LOOPSIM_COUNTS_MEMORY 0
#endif
#endif
#ifndef LOOPSIM_COUNTS_MEMORY
#define LOOPSIM_COUNTS_MEMORY 1
#endif

namespace loopsim::cli {
namespace {

constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kBatch = 64 << 10;  // bytes a thread allocates or frees before it updates `used`
constexpr std::int64_t kHeader = 8;        // bytes of glibc's header per allocation

constexpr std::int64_t kUncounted = 8 << 20;  // bytes: estimated resident size of the program and its libraries

// Relaxed: these are sums and bounds; no other memory is ordered by them.
constinit std::atomic<std::uint64_t> budget = 0;
constinit std::atomic<std::int64_t> used = 0;
constinit std::atomic<std::int64_t> bound = kUnbounded;  // allocation beyond it is refused
constinit std::atomic<std::int64_t> first_bound = kUnbounded;
constinit std::atomic<std::int64_t> last_bound = kUnbounded;
constinit std::atomic<bool> was_refused = false;

constinit thread_local std::int64_t unsettled = 0;  // bytes of this thread not yet added to `used`

void settle() {
  const std::int64_t now = used.fetch_add(std::exchange(unsettled, 0), std::memory_order_relaxed);
  // Withhold the reserve again once usage is below half of the first bound.
  if (now < first_bound.load(std::memory_order_relaxed) / 2) {
    bound.store(first_bound.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
}

[[maybe_unused]] bool admits(std::size_t size) {
  if (size > static_cast<std::size_t>(kUnbounded / 2)) return false;
  const auto more = static_cast<std::int64_t>(size);
  if (unsettled + more < kBatch) return true;
  settle();
  return used.load(std::memory_order_relaxed) + more <= bound.load(std::memory_order_relaxed);
}

[[maybe_unused]] void* take(std::size_t size, std::size_t alignment) noexcept {
  void* const piece = alignment == 0 ? std::malloc(size == 0 ? 1 : size)
                                     : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (piece != nullptr) unsettled += static_cast<std::int64_t>(::malloc_usable_size(piece)) + kHeader;
  return piece;
}

// A refusal here leaves the reserve withheld: nothrow callers have a fallback (std::stable_sort sorts in place).
[[maybe_unused]] void* allocate(std::size_t size) noexcept { return admits(size) ? take(size, 0) : nullptr; }

// Without exceptions it ends the program.
[[noreturn, maybe_unused]] void fail_without_memory() {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  bound.store(kUnbounded, std::memory_order_relaxed);  // for the message
  report_error(out_of_memory_message());
  std::_Exit(static_cast<int>(ExitStatus::out_of_memory));
#endif
}

[[maybe_unused]] void* allocate_or_throw(std::size_t size, std::size_t alignment = 0) {
  const bool is_admitted = admits(size);
  if (is_admitted) {
    if (void* const piece = take(size, alignment)) return piece;
  } else {
    was_refused.store(true, std::memory_order_relaxed);
  }
  bound.store(last_bound.load(std::memory_order_relaxed), std::memory_order_relaxed);
  fail_without_memory();
}

[[maybe_unused]] void release(void* piece) noexcept {
  if (piece == nullptr) return;
  unsettled -= static_cast<std::int64_t>(::malloc_usable_size(piece)) + kHeader;
  if (unsettled <= -kBatch) settle();
  std::free(piece);
}

// Of the memory that runs hold beside operator new.
[[maybe_unused]] bool take_beside(std::size_t size) {
  settle();
  const auto more = static_cast<std::int64_t>(size);
  if (used.fetch_add(more, std::memory_order_relaxed) + more <= bound.load(std::memory_order_relaxed)) return true;
  used.fetch_sub(more, std::memory_order_relaxed);
  was_refused.store(true, std::memory_order_relaxed);
  bound.store(last_bound.load(std::memory_order_relaxed), std::memory_order_relaxed);
  return false;
}

[[maybe_unused]] void give_back_beside(std::size_t size) {
  used.fetch_sub(static_cast<std::int64_t>(size), std::memory_order_relaxed);
}

// With a small budget what glibc keeps of what was freed counts: from 32 MiB on that are large blocks, for each thread that has freed some.
// With a threshold of its own glibc raises neither this one nor that of blocks with a mapping.
constexpr std::uint64_t kSmall = 256 << 20;

void keep_little() {
#if defined(__GLIBC__)
  constexpr int kLeast = 128 << 10;
  ::mallopt(M_TRIM_THRESHOLD, kLeast);
#endif
}

// The runs of a study ask for the same memory again and again. Without this glibc gives it back to the system after each of them.
void keep_much() {
#if defined(__GLIBC__)
  constexpr int kMost = 8 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kMost);
  ::mallopt(M_MMAP_THRESHOLD, kMost);
#endif
}

std::string in_words(std::uint64_t bytes) {
  constexpr std::array<std::pair<unsigned, const char*>, 3> kUnits = {{{30U, "GiB"}, {20U, "MiB"}, {10U, "KiB"}}};
  for (const auto& [shift, name] : kUnits) {
    if (bytes >> shift << shift == bytes) return std::to_string(bytes >> shift) + " " + name;
  }
  return std::to_string(bytes) + " bytes";
}

}  // namespace

std::optional<std::uint64_t> parse_memory(std::string_view text) {
  if (text == "none") return 0;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit != "KiB" && unit != "MiB" && unit != "GiB") return std::nullopt;
  const unsigned shift = unit == "GiB" ? 30U : unit == "MiB" ? 20U : 10U;
  constexpr std::uint64_t kMost = 1ULL << 60U;
  if (number > kMost >> shift || number << shift < kLeastMemory) return std::nullopt;
  return number << shift;
}

void set_memory_budget(std::uint64_t bytes) {
  const std::int64_t counted = static_cast<std::int64_t>(bytes) - kUncounted;
  budget = bytes;
  if (bytes != 0 && bytes <= kSmall) keep_little();
  first_bound = bytes == 0 ? kUnbounded : counted / 4 * 3;
  last_bound = bytes == 0 ? kUnbounded : counted / 8 * 7;
  bound = first_bound.load();
#if !defined(__cpp_exceptions)
  std::set_new_handler(fail_without_memory);  // for who calls it in place of operator new
#endif
  if constexpr (LOOPSIM_COUNTS_MEMORY != 0) set_memory_account({.take = take_beside, .give_back = give_back_beside});
}

void keep_memory_for_more_runs() {
  if (budget == 0 || budget > kSmall) keep_much();
}

MemoryReserve::MemoryReserve() : before_(bound.exchange(last_bound.load())) {}
MemoryReserve::~MemoryReserve() { bound.store(before_); }

std::string out_of_memory_message() {
  if (!was_refused.load()) return "out of memory: the system gives no more";
  return "out of memory: this needs more than " + in_words(budget.load()) +
         ", the bound that --max-memory sets (--max-memory 4GiB raises it)";
}

}  // namespace loopsim::cli

#if LOOPSIM_COUNTS_MEMORY

// The standard library's other forms (arrays, aligned nothrow) call these.
void* operator new(std::size_t size) { return loopsim::cli::allocate_or_throw(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return loopsim::cli::allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return loopsim::cli::allocate(size); }
void operator delete(void* piece) noexcept { loopsim::cli::release(piece); }
void operator delete(void* piece, std::size_t) noexcept { loopsim::cli::release(piece); }
void operator delete(void* piece, std::align_val_t) noexcept { loopsim::cli::release(piece); }
void operator delete(void* piece, std::size_t, std::align_val_t) noexcept { loopsim::cli::release(piece); }
void operator delete(void* piece, const std::nothrow_t&) noexcept { loopsim::cli::release(piece); }

#endif
