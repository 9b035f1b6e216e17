// How the delays of one flow (waiting times at a queue, response times) develop in the course of a run: the means of the
// first and second half of what was served, and whether they keep growing.
//
// A queue that gets more work than can be done grows in proportion to time, and so do the delays of those it serves: the
// second half waits three times as long as the first. In steady state both wait as long as each other; at the critical
// load, where the queue is a random walk, the second half waits 2 * sqrt(2) - 1 = 1.83 times as long (delays in
// proportion to the square root of time). So a delay grows if
//
//   1. the second half waits more than twice as long as the first, and
//   2. so does not just a part of it: every bin of the second half waits longer than the first half did, and
//   3. it is not one batch that is being worked off: what is served has arrived in the course of the run.
//
// The delays are taken in the order of service. In the order of arrival, the longest would be missing when the run ends:
// they are those of the customers that are still in the queue.
//
// Whole numbers only, of constant size: 64 bins of equally many delays, merged in pairs when they are full.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "loopsim/time.hpp"

namespace loopsim::study {

class DelayTrend {
 public:
  static constexpr std::uint64_t kLeastDelays = 100;  // of fewer there is no trend

  void reset() {
    bins_ = 0;
    per_bin_ = 1;
    in_last_ = 0;
    count_ = 0;
  }

  // `at` is when the service began (or ended, for response times), at least that of the call before.
  void add(TimeNs at, TimeNs delay) {
    if (bins_ == 0 || in_last_ == per_bin_) open_bin(at);
    Bin& bin = all_[bins_ - 1];
    bin.offsets += at - bin.start;
    bin.delays += delay;
    ++in_last_;
    ++count_;
  }

  [[nodiscard]] bool is_known() const { return count_ >= kLeastDelays && arrivals_go_on(); }

  // For a known trend, means in ns. A half is half the full bins: the last delays, at most one in 32, may be missing.
  [[nodiscard]] double first_half() const { return mean_delay(0); }
  [[nodiscard]] double second_half() const { return mean_delay(full() - half()); }

  [[nodiscard]] bool grows() const {
    if (!is_known()) return false;
    const TimeNs first = delays(0);
    if (delays(full() - half()) / 2 <= first) return false;
    for (std::size_t i = full() - half(); i < full(); ++i) {
      if (all_[i].delays <= first / static_cast<TimeNs>(half())) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kBins = 64;
  static constexpr TimeNs kFastest = 64;  // times as fast as they are served: the highest load told from a batch

  struct Bin {
    TimeNs start = 0;    // when the first of them was served
    TimeNs offsets = 0;  // sum, of their times since then
    TimeNs delays = 0;   // sum
  };

  void open_bin(TimeNs at) {
    if (bins_ == kBins) {
      for (std::size_t i = 0; i < kBins / 2; ++i) {
        const Bin& a = all_[2 * i];
        const Bin& b = all_[2 * i + 1];
        const TimeNs between = b.start - a.start;
        all_[i] = {a.start, a.offsets + b.offsets + between * static_cast<TimeNs>(per_bin_), a.delays + b.delays};
      }
      bins_ = kBins / 2;
      per_bin_ *= 2;
    }
    all_[bins_] = {at, 0, 0};
    ++bins_;
    in_last_ = 0;
  }

  [[nodiscard]] std::size_t full() const { return in_last_ == per_bin_ ? bins_ : bins_ - 1; }
  [[nodiscard]] std::size_t half() const { return full() / 2; }

  [[nodiscard]] TimeNs delays(std::size_t from) const {
    TimeNs sum = 0;
    for (std::size_t i = from; i < from + half(); ++i) sum += all_[i].delays;
    return sum;
  }
  [[nodiscard]] double mean_delay(std::size_t from) const {
    return static_cast<double>(delays(from)) / (static_cast<double>(half()) * static_cast<double>(per_bin_));
  }

  // Sum over a half's bins, of the mean time of service and of the mean time of arrival.
  struct Times {
    TimeNs served = 0;
    TimeNs arrived = 0;
  };
  [[nodiscard]] Times times(std::size_t from) const {
    const auto items = static_cast<TimeNs>(per_bin_);
    Times times;
    for (std::size_t i = from; i < from + half(); ++i) {
      times.served += all_[i].start - all_[0].start + all_[i].offsets / items;
      times.arrived += all_[i].start - all_[0].start + (all_[i].offsets - all_[i].delays) / items;
    }
    return times;
  }

  [[nodiscard]] bool arrivals_go_on() const {
    const Times first = times(0);
    const Times second = times(full() - half());
    return second.arrived - first.arrived > (second.served - first.served) / kFastest;
  }

  std::array<Bin, kBins> all_;
  std::size_t bins_ = 0;       // in use, the last one perhaps not full
  std::uint64_t per_bin_ = 1;  // delays in a full bin
  std::uint64_t in_last_ = 0;  // delays in the last bin
  std::uint64_t count_ = 0;
};

}  // namespace loopsim::study
