// Progress bar of a sweep on standard error.
#pragma once

#include <chrono>
#include <cstdint>

namespace loopsim::cli {

class SweepProgress {
 public:
  SweepProgress(bool shown, std::uint64_t total, std::uint64_t already);
  ~SweepProgress();  // erases the bar
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void one_more();  // counts a finished run; not thread-safe

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now);

  bool shown_;
  std::uint64_t total_;
  std::uint64_t already_;  // runs made by an earlier sweep
  std::uint64_t made_ = 0;
  Clock::time_point start_;
  Clock::time_point next_;
  bool on_screen_ = false;
};

}  // namespace loopsim::cli
