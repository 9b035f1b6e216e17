#include "sim/study/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/study/boost_math.hpp"

namespace loopsim::study {
namespace {

namespace policies = boost::math::policies;
// In double alone: long double has another precision on each machine, and is made of calls where WebAssembly has 128 bits of it. What is
// outside a function's domain is no number: the texts of exceptions would take the whole of the streams along.
using InDouble =
    policies::policy<policies::promote_double<false>, policies::domain_error<policies::errno_on_error>,
                     policies::pole_error<policies::errno_on_error>, policies::overflow_error<policies::errno_on_error>,
                     policies::evaluation_error<policies::errno_on_error>>;

// For a symmetric distribution of X: the x with P(|X| < x) = `confidence`.
template <typename Distribution>
double two_sided(const Distribution& distribution, double confidence) {
  return boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2));
}

}  // namespace

double Moments::standard_deviation() const { return std::sqrt(variance()); }

double student_t(double degrees_of_freedom, double confidence) {
  return two_sided(boost::math::students_t_distribution<double, InDouble>(degrees_of_freedom), confidence);
}

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
