// Runs a function for every index of a range, on several threads.
//
// The threads take the indices in order from one counter; when each is done, and on which thread, is left to the machine. What
// is to be the same for any number of threads must therefore depend on the index alone, and be stored by index.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

namespace loopsim::study {

// The threads that `jobs` stands for: 0 is as many as the machine runs at once, and never more than there is work.
[[nodiscard]] inline unsigned thread_count(std::size_t count, unsigned jobs) {
  constexpr unsigned kMostThreads = 1024;
  if (jobs == 0) jobs = std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::min<std::size_t>({count, jobs, kMostThreads}));
}

// Calls f(index), or f(index, thread) when it takes two, for all indices below `count`; threads are numbered from 0 to
// thread_count() - 1, so that f can keep something for each. Returns when all are done.
//
// When f throws, no further index is begun, those under way are finished, and the exception of the lowest index that threw is
// thrown here. Indices are begun in order, so that is the one that a single thread would have met.
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
    // The system gives no more threads: those that there are do the work.
  }
  work(0);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace loopsim::study
