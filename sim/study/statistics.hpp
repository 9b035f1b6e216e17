// What a sample says, and how sure it is.
#pragma once

#include <cstdint>

namespace loopsim::study {

// Mean and variance of a sample in one pass (Welford 1962), without the cancellation of sums of squares. The order of the
// values decides the last bits: add them in the order of the runs.
class Moments {
 public:
  void add(double value) {
    ++count_;
    const double delta = value - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (value - mean_);
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean() const { return mean_; }  // 0 of an empty sample
  // Of the sample (divided by n - 1); 0 for fewer than two values.
  [[nodiscard]] double variance() const { return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1); }
  [[nodiscard]] double standard_deviation() const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

struct Interval {
  double low = 0;
  double high = 0;
};

inline constexpr double kConfidence = 0.95;

// Student's t: the value that |t| with so many degrees of freedom (at least 1) stays below with probability `confidence`.
[[nodiscard]] double student_t(double degrees_of_freedom, double confidence = kConfidence);

// Half the width of the confidence interval of the mean: t * s / sqrt(n). Infinite for fewer than two values: one says
// nothing about the spread. It presumes that the values are independent, and normal or many.
[[nodiscard]] double half_width(const Moments& sample, double confidence = kConfidence);

// The confidence interval of a share, when `successes` of `trials` were seen (Wilson 1927): unlike the textbook's normal
// interval it is right near 0 and 1, and never leaves [0, 1]. Without trials it is all of [0, 1].
[[nodiscard]] Interval wilson_interval(std::uint64_t successes, std::uint64_t trials, double confidence = kConfidence);

// The upper end of the one-sided interval of a share of which nothing was seen in `trials`: 1 - (1 - confidence)^(1/trials).
// For 95 % it is the rule of three: about 3/trials. Without trials it is 1.
[[nodiscard]] double upper_bound_of_unseen(std::uint64_t trials, double confidence = kConfidence);

}  // namespace loopsim::study
