#include "sim/study/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/study/boost_math.hpp"

namespace loopsim::study {
double Moments::standard_deviation() const { return std::sqrt(variance()); }

double half_width(const Moments& sample, double confidence) {
  if (sample.count() < 2) return std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(sample.count());
  return student_t(n - 1, confidence) * std::sqrt(sample.variance() / n);
}

Interval wilson_interval(std::uint64_t successes, std::uint64_t trials, double confidence) {
  if (trials == 0) return {0, 1};
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double z = two_sided(boost::math::normal_distribution<double, InDouble>(), confidence);
  const double scale = 1 / (1 + z * z / n);
  const double center = scale * (p + z * z / (2 * n));
  const double half = scale * z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // At the ends the exact results are 0 and 1; floating-point rounding misses them.
  const double low = successes == 0 ? 0 : std::max(0.0, center - half);
  const double high = successes == trials ? 1 : std::min(1.0, center + half);
  return {low, high};
}

double upper_bound_of_unseen(std::uint64_t trials, double confidence) {
  if (trials == 0) return 1;
  return -boost::math::powm1(1 - confidence, 1 / static_cast<double>(trials), InDouble());
}

}  // namespace loopsim::study
