// What is used of Boost.Math. Boost 1.74 takes a mutex for its tables, and WebAssembly's C++ library has none: a lock that is not needed,
// since there is one thread.
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

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/powm1.hpp>
