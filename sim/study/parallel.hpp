// Runs a function for every index of a range, on several threads.
//
// The threads take the indices in order from one counter; on which thread and when each finishes depends on the
// machine. Results that must not depend on the number of threads must therefore depend on the index alone and be stored
// by index.
//
// WebAssembly has no threads here: the calling one does everything.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#if !defined(__wasm__)
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>
#endif

namespace loopsim::study {

#if defined(__wasm__)

struct Mutex {};
struct Held {
  explicit Held(const Mutex& /*mutex*/) {}
};
struct Attempt {
  explicit Attempt(const Mutex& /*mutex*/) {}
  [[nodiscard]] bool succeeded() const { return true; }
  void wait() {}
};
[[nodiscard]] inline unsigned thread_count(std::size_t count, unsigned /*jobs*/) { return count == 0 ? 0 : 1; }

#else

using Mutex = std::mutex;
using Held = std::scoped_lock<std::mutex>;
// Holds the mutex if nobody else does, or once it has waited.
class Attempt {
 public:
  explicit Attempt(Mutex& mutex) : lock_(mutex, std::try_to_lock) {}
  [[nodiscard]] bool succeeded() const { return lock_.owns_lock(); }
  void wait() { lock_.lock(); }

 private:
  std::unique_lock<Mutex> lock_;
};

// The number of threads for `jobs`; 0: as many as the machine runs at once. Never more than `count`.
[[nodiscard]] inline unsigned thread_count(std::size_t count, unsigned jobs) {
  constexpr unsigned kMostThreads = 1024;
  if (jobs == 0) jobs = std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::min<std::size_t>({count, jobs, kMostThreads}));
}

#endif

// Calls f(index), or f(index, thread) when it takes two arguments, for all indices below `count`; threads are numbered
// from 0 to thread_count() - 1, so that f can keep state per thread. Returns when all calls are done.
//
// When f throws, no further index is started, running calls finish, and the exception of the lowest index that threw is
// rethrown here. Indices are started in order, so a single thread would have thrown the same exception.
template <typename F>
void for_each_index(std::size_t count, unsigned jobs, F&& f) {
  const auto call = [&f](std::size_t index, unsigned thread) {
    if constexpr (std::is_invocable_v<F&, std::size_t, unsigned>) {
      f(index, thread);
    } else {
      f(index);
    }
  };
  const unsigned threads = thread_count(count, jobs);
  if (threads <= 1) {
    for (std::size_t index = 0; index < count; ++index) call(index, 0);
    return;
  }
#if !defined(__wasm__)
  std::atomic<std::size_t> next = 0;
  std::mutex failure_lock;
  std::exception_ptr failure;
  std::size_t failed_index = std::numeric_limits<std::size_t>::max();
  const auto work = [&](unsigned thread) {
    while (true) {
      const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= count) return;
      try {
        call(index, thread);
      } catch (...) {
        next.store(count, std::memory_order_relaxed);
        const std::scoped_lock held(failure_lock);
        if (index < failed_index) {
          failed_index = index;
          failure = std::current_exception();
        }
      }
    }
  };

  std::vector<std::thread> others;
  others.reserve(threads - 1);
  try {
    for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  } catch (const std::system_error&) {
    // No more threads are available: continue with those that exist.
  }
  work(0);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
#endif
}

}  // namespace loopsim::study
