#include "tools/loopsim/sweep/sweep_progress.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tools/loopsim/line/message.hpp"

namespace loopsim::cli {
namespace {

constexpr std::chrono::milliseconds kInterval(100);
constexpr std::uint64_t kWidth = 24;  // of the bar

std::string clock_text(double seconds) {
  constexpr double kLongest = 359'999;
  const auto whole = static_cast<std::uint64_t>(std::floor(std::clamp(seconds, 0.0, kLongest) + 0.5));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

SweepProgress::SweepProgress(bool shown, std::uint64_t total, std::uint64_t already)
    : shown_(shown), total_(total), already_(already), start_(Clock::now()), next_(start_ + kInterval) {}

SweepProgress::~SweepProgress() {
  if (on_screen_) write_standard_error("\r\x1b[K");
}

void SweepProgress::one_more() {
  ++made_;
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  show(now);
}

void SweepProgress::show(Clock::time_point now) {
  const std::uint64_t done = std::min(total_, already_ + made_);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(made_) / seconds : 0;
  const double left = rate > 0 ? static_cast<double>(total_ - done) / rate : 0;
  const std::uint64_t filled = total_ == 0 ? 0 : done * kWidth / total_;
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  on_screen_ = true;
  write_standard_error(
      fmt::format("\r[{}] {}/{} runs  {:.0f}/s  {} left\x1b[K", bar, done, total_, rate, clock_text(left)));
}

}  // namespace loopsim::cli
