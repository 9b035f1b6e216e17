// The playground sums up nothing of a sweep, so it has no half widths of intervals, which the incomplete beta function is for.
#include <limits>

#include "sim/study/statistics.hpp"

namespace loopsim::study {

double student_t(double /*degrees_of_freedom*/, double /*confidence*/) {
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace loopsim::study
