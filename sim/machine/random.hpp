// Random durations. Every place in a program that draws has a stream of its own, derived from the seed and the place's number,
// so that adding one random thing does not change the draws of another.
//
// Only 32-bit integer arithmetic and the four basic operations and square root of IEEE doubles are used, so that the same
// nanoseconds come out on every platform, and in JavaScript (the export carries the same code): no std:: distribution, no libm.
#pragma once

#include <cstdint>
#include <vector>

#include "loopsim/scenario.hpp"

namespace loopsim {

// sfc32 by Chris Doty-Humphrey (PractRand): 128 bits of state, the counter included.
class RandomStream {
 public:
  RandomStream() = default;
  RandomStream(std::uint64_t seed, std::uint32_t stream);
  std::uint32_t next();
  double uniform();  // [0, 1), 53 bits
  double normal();   // mean 0, standard deviation 1 (polar method)

 private:
  std::uint32_t a_ = 0, b_ = 0, c_ = 0, counter_ = 1;
};

// Natural logarithm and exponential in basic operations only; relative error below 1e-15.
[[nodiscard]] double portable_log(double x);  // x > 0
[[nodiscard]] double portable_exp(double x);

// One stream and one position (for sequences) for each duration of a program.
class Random {
 public:
  Random(std::uint64_t seed, std::size_t streams);
  // In [0, kMaxDuration]. A varying duration draws from the stream that it names, which must be below `streams`.
  TimeNs draw(const Duration& duration);

 private:
  struct State {
    RandomStream stream;
    std::uint32_t position = 0;
    bool seeded = false;
  };
  std::uint64_t seed_;
  std::vector<State> states_;
};

}  // namespace loopsim
