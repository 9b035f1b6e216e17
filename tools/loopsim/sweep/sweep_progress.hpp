// The progress of a sweep: a bar on a terminal, nothing elsewhere.
#pragma once

#include <chrono>
#include <cstdint>

namespace loopsim::cli {

class SweepProgress {
 public:
  SweepProgress(bool shown, std::uint64_t total, std::uint64_t already);
  ~SweepProgress();  // takes the bar away
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void one_more();  // run. Not from several threads at once

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now);

  bool shown_;
  std::uint64_t total_;
  std::uint64_t already_;  // made by an earlier sweep
  std::uint64_t made_ = 0;
  Clock::time_point start_;
  Clock::time_point next_;
  bool on_screen_ = false;
};

[[nodiscard]] bool standard_error_is_terminal();

}  // namespace loopsim::cli
