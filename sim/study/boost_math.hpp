// What is used of Boost.Math, and how. Boost 1.74 takes a mutex for its tables, and WebAssembly's C++ library has none: a lock that is not
// needed, since there is one thread.
#pragma once

#if defined(__wasi__)
#define BOOST_SMART_PTR_DETAIL_LIGHTWEIGHT_MUTEX_HPP_INCLUDED  // in place of boost/smart_ptr/detail/lightweight_mutex.hpp

namespace boost::detail {

class lightweight_mutex {
 public:
  class scoped_lock {
   public:
    explicit scoped_lock(lightweight_mutex& /*mutex*/) {}
  };
};

}  // namespace boost::detail
#endif

#include <boost/math/distributions/complement.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/powm1.hpp>

namespace loopsim::study {

// In double alone: long double has another precision on each machine, and is made of calls where WebAssembly has 128 bits of it. What is
// outside a function's domain is no number: the texts of exceptions would take the whole of the streams along.
using InDouble =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::domain_error<boost::math::policies::errno_on_error>,
                                  boost::math::policies::pole_error<boost::math::policies::errno_on_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::errno_on_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::errno_on_error>>;

// For a symmetric distribution of X: the x with P(|X| < x) = `confidence`.
template <typename Distribution>
double two_sided(const Distribution& distribution, double confidence) {
  return boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2));
}

}  // namespace loopsim::study
