// Assertions of the fuzz targets; unlike assert(), active in every build.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace loopsim::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: this does not hold: %s\n", what);
  std::abort();
}

// For checks that return a description of the fault; empty: none.
inline void require_none(const std::string& fault, const char* what) {
  if (fault.empty()) return;
  std::fprintf(stderr, "fuzz: this does not hold: %s (%s)\n", what, fault.c_str());
  std::abort();
}

}  // namespace loopsim::fuzz
