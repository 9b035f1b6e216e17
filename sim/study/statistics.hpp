// Sample statistics and confidence intervals.
#pragma once

#include <cstdint>

namespace loopsim::study {

// Mean and variance of a sample in one pass (Welford 1962), without the cancellation of sums of squares. The last bits
// depend on the order of the values: add them in the order of the runs.
class Moments {
 public:
  void add(double value) {
    ++count_;
    const double delta = value - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (value - mean_);
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean() const { return mean_; }  // 0 for an empty sample
  // Sample variance (divided by n - 1); 0 for fewer than two values.
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

// Quantile of Student's t: |t| with these degrees of freedom (at least 1) is below it with probability `confidence`.
[[nodiscard]] double student_t(double degrees_of_freedom, double confidence = kConfidence);

// Half the width of the confidence interval of the mean: t * s / sqrt(n). Infinite for fewer than two values, which do
// not determine the spread. Assumes that the values are independent, and normal or many.
[[nodiscard]] double half_width(const Moments& sample, double confidence = kConfidence);

// The confidence interval of a share, for `successes` of `trials` (Wilson 1927): unlike the normal approximation it is
// accurate near 0 and 1 and never leaves [0, 1]. Without trials it is [0, 1].
[[nodiscard]] Interval wilson_interval(std::uint64_t successes, std::uint64_t trials, double confidence = kConfidence);

// The upper end of the one-sided interval of a share with no success in `trials`: 1 - (1 - confidence)^(1/trials). For
// 95 % it is the rule of three: about 3/trials. Without trials it is 1.
[[nodiscard]] double upper_bound_of_unseen(std::uint64_t trials, double confidence = kConfidence);

}  // namespace loopsim::study
