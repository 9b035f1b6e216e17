// The seeds of a study's runs.
#pragma once

#include <cstdint>

namespace loopsim::study {

// One step of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014), as a
// function: a bijection of 64-bit numbers whose results show no pattern of the argument. Published value: splitmix64(0)
// is 0xe220a8397b1dcdaf.
[[nodiscard]] constexpr std::uint64_t splitmix64(std::uint64_t state) {
  std::uint64_t z = state + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

// The seed of replication k of a study whose scenario has the seed `base`. Replication 0 has the seed `base`, so that
// `loopsim run` shows the same trace. The others depend on all bits of both numbers: studies with the seeds 1 and 2
// share none.
//
// The seed does not depend on the point: replication k has the same seed at every point of a sweep (common random
// numbers), so that differences between points come from the varied values, not from different draws.
[[nodiscard]] constexpr std::uint64_t replication_seed(std::uint64_t base, std::uint64_t k) {
  if (k == 0) return base;
  return splitmix64(splitmix64(base) ^ splitmix64(k + 0x6a09e667f3bcc908U));
}

}  // namespace loopsim::study
