// What a target asserts: unlike assert(), in every build.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace loopsim::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: this does not hold: %s\n", what);
  std::abort();
}

}  // namespace loopsim::fuzz
