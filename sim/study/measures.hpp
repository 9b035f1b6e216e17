// What metrics are made of: distributions, numbers of entries over time, trends; the columns of a table, and a run's values in them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/study.hpp"

#include "sim/study/delay_trend.hpp"
#include "sim/study/hdr_histogram.hpp"

namespace loopsim::study {

inline double in_milliseconds(double nanoseconds) { return nanoseconds / static_cast<double>(kMillisecond); }
inline double in_milliseconds(TimeNs nanoseconds) { return in_milliseconds(static_cast<double>(nanoseconds)); }

// ---- distributions ----------------------------------------------------------------------------------------------------------------

// Exact mean and maximum; exact quantiles up to kMostKept values, above that from the histogram.
class Distribution {
 public:
  void reset() {
    histogram_.reset();
    kept_.clear();
    count_ = 0;
    sum_ = 0;
    least_ = std::numeric_limits<TimeNs>::max();
    most_ = 0;
  }

  void add(TimeNs value) {
    if (count_ < kMostKept) kept_.push_back(value);
    if (count_ == kMostKept) {
      for (const TimeNs kept : kept_) histogram_.record(kept);
    }
    if (count_ >= kMostKept) histogram_.record(value);
    ++count_;
    sum_ += value;
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] TimeNs most() const { return most_; }
  [[nodiscard]] double mean() const { return static_cast<double>(sum_) / static_cast<double>(count_); }

  // The value whose rank is `share` percent of the count, rounded, at least 1.
  [[nodiscard]] TimeNs quantile(double share) {
    if (count_ > kMostKept) return std::clamp(histogram_.percentile(share), least_, most_);
    const auto rank = static_cast<std::size_t>(std::floor(share / 100 * static_cast<double>(count_) + 0.5));
    const auto value = kept_.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
    std::nth_element(kept_.begin(), value, kept_.end());
    return *value;
  }

  // "LOW-HIGH:COUNT" in ns, separated by spaces, by the buckets of the histogram; `scratch` is one to work with.
  [[nodiscard]] std::string histogram_text(HdrHistogram& scratch) const {
    std::string text;
    const auto add = [&text](TimeNs low, TimeNs high, std::uint32_t count) {
      fmt::format_to(std::back_inserter(text), "{}{}-{}:{}", text.empty() ? "" : " ", low, high, count);
    };
    if (count_ > kMostKept) {
      histogram_.for_each_bucket(add);
      return text;
    }
    scratch.reset();
    for (const TimeNs value : kept_) scratch.record(value);
    scratch.for_each_bucket(add);
    return text;
  }

 private:
  static constexpr std::size_t kMostKept = 1000;
  HdrHistogram histogram_;
  std::vector<TimeNs> kept_;
  std::uint64_t count_ = 0;
  TimeNs sum_ = 0;
  TimeNs least_ = 0;
  TimeNs most_ = 0;
};

// ---- queues over time -------------------------------------------------------------------------------------------------------------

// The number of entries over time; each is present from its begin to its end.
class Population {
 public:
  void reset(TimeNs from) {
    window_from_ = from;
    begins_.clear();
    ends_.clear();
    total_ = 0;
  }

  void add(TimeNs begin, TimeNs end) {
    begin = std::max(begin, window_from_);
    if (begin >= end) return;
    begins_.push_back(begin);
    ends_.push_back(end);
    total_ += static_cast<double>(end - begin);
  }

  // Where it is not known which entry it is that leaves: one comes, one leaves, and in the end all leave that are left.
  void come(TimeNs at) { begins_.push_back(std::max(at, window_from_)); }
  void leave(TimeNs at) {
    ends_.push_back(std::max(at, window_from_));
    total_ += static_cast<double>(ends_.back());
  }
  void all_leave(TimeNs at) {
    while (ends_.size() < begins_.size()) leave(at);
    for (const TimeNs begin : begins_) total_ -= static_cast<double>(begin);
  }

  // Over the window from its start to `until`.
  [[nodiscard]] double mean(TimeNs until) const { return total_ / static_cast<double>(until - window_from_); }

  // An entry that ends at a time is no longer counted when another begins at that time.
  [[nodiscard]] std::int64_t most() {
    std::ranges::sort(begins_);
    std::ranges::sort(ends_);
    std::size_t left = 0;
    std::size_t most = 0;
    for (std::size_t come = 0; come < begins_.size(); ++come) {
      while (left < ends_.size() && ends_[left] <= begins_[come]) ++left;
      if (left <= come) most = std::max(most, come + 1 - left);  // of several that begin at a time, the last counts
    }
    return static_cast<std::int64_t>(most);
  }

 private:
  TimeNs window_from_ = 0;
  std::vector<TimeNs> begins_;
  std::vector<TimeNs> ends_;
  double total_ = 0;
};

// ---- trends ---------------------------------------------------------------------------------------------------------

// Of one flow: over the whole run, and without the warm-up.
class Trend {
 public:
  void reset(TimeNs warm_up) {
    warm_up_ = warm_up;
    whole_.reset();
    measured_.reset();
  }
  void add(TimeNs at, TimeNs delay) {
    whole_.add(at, delay);
    if (warm_up_ > 0 && at >= warm_up_) measured_.add(at, delay);
  }
  // A queue that grows, grows from the beginning: seen from a late moment on it would grow by a small share only.
  [[nodiscard]] const DelayTrend& whole() const { return whole_; }
  [[nodiscard]] const DelayTrend& measured() const { return warm_up_ > 0 ? measured_ : whole_; }

 private:
  TimeNs warm_up_ = 0;
  DelayTrend whole_;
  DelayTrend measured_;
};

// ---- columns ----------------------------------------------------------------------------------------------------------------------

inline constexpr std::array<std::pair<std::string_view, double>, 5> kQuantiles = {
    {{"p50", 50}, {"p90", 90}, {"p95", 95}, {"p99", 99}, {"p99_9", 99.9}}};

// ColumnList builds the columns; CellList builds a run's values in the same order.
class ColumnList {
 public:
  void add(std::string name, Column::Type type, std::string unit, std::string help) {
    columns_.push_back({std::move(name), type, true, std::move(unit), std::move(help)});
  }
  void integer(std::string name, std::string help) { add(std::move(name), Column::Type::integer, "", std::move(help)); }
  void time(std::string name, std::string help) { add(std::move(name), Column::Type::real, "ms", std::move(help)); }
  void real(std::string name, std::string unit, std::string help) {
    add(std::move(name), Column::Type::real, std::move(unit), std::move(help));
  }
  void distribution(const std::string& name, const std::string& what) {
    time(name + "_mean", what + ": mean");
    for (const auto& [quantile, share] : kQuantiles) {
      time(fmt::format("{}_{}", name, quantile), fmt::format("{}: {:g} % are at most this", what, share));
    }
    time(name + "_max", what + ": the highest");
  }
  void population(const std::string& name, const std::string& what) {
    real(name + "_mean", "", what + ": mean over time");
    integer(name + "_max", what + ": the highest number");
  }
  std::vector<Column> take() { return std::move(columns_); }

 private:
  std::vector<Column> columns_;
};

class CellList {
 public:
  void reset() { cells_.clear(); }
  void none() { cells_.emplace_back(); }
  void integer(std::uint64_t value) { cells_.emplace_back(value); }
  void integer(std::int64_t value) { cells_.emplace_back(value); }
  void real(double value) { cells_.emplace_back(value); }
  void time(TimeNs value) { real(in_milliseconds(value)); }
  void text(std::string value) { cells_.emplace_back(std::move(value)); }
  void distribution(Distribution& values) {
    if (values.empty()) {
      for (std::size_t i = 0; i < kQuantiles.size() + 2; ++i) none();
      return;
    }
    real(in_milliseconds(values.mean()));
    for (const auto& [name, share] : kQuantiles) time(values.quantile(share));
    time(values.most());
  }
  void population(Population& counted, TimeNs until) {
    real(counted.mean(until));
    integer(counted.most());
  }
  void no_population() {
    none();
    none();
  }
  [[nodiscard]] std::span<const Cell> cells() const { return cells_; }

 private:
  std::vector<Cell> cells_;
};

}  // namespace loopsim::study
