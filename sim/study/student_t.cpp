// A file of its own, since the playground's engine leaves it out: the incomplete beta function is an eightieth of its first load.
#include "sim/study/boost_math.hpp"
#include "sim/study/statistics.hpp"

namespace loopsim::study {

double student_t(double degrees_of_freedom, double confidence) {
  return two_sided(boost::math::students_t_distribution<double, InDouble>(degrees_of_freedom), confidence);
}

}  // namespace loopsim::study
