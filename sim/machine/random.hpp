// Random durations. Every random place in a program has its own stream, derived from the seed and the place's number,
// so that adding one does not change the draws of others.
//
// Uses only 32-bit integer arithmetic, and the four basic operations and square root of IEEE doubles, so that all
// platforms and JavaScript (the export contains the same code) give the same nanoseconds: no std:: distribution, no
// libm.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "loopsim/scenario.hpp"

namespace loopsim {

// sfc32 by Chris Doty-Humphrey (PractRand): 128 bits of state, the counter included.
class RandomStream {
 public:
  RandomStream() = default;
  RandomStream(std::uint64_t seed, std::uint32_t stream);
  std::uint32_t next() {
    const std::uint32_t result = a_ + b_ + counter_;
    ++counter_;
    a_ = b_ ^ (b_ >> 9U);
    b_ = c_ + (c_ << 3U);
    c_ = std::rotl(c_, 21) + result;
    return result;
  }
  double uniform() {                                        // [0, 1), 53 bits
    const double high = static_cast<double>(next() >> 5U);  // 27 bits
    const double low = static_cast<double>(next() >> 6U);   // 26 bits
    return (high * 67108864.0 + low) / 9007199254740992.0;
  }
  double normal();  // mean 0, standard deviation 1 (polar method)

 private:
  std::uint32_t a_ = 0, b_ = 0, c_ = 0, counter_ = 1;
};

// Natural logarithm and exponential in basic operations only; relative error below 1e-15.
[[nodiscard]] double portable_log(double x);  // x > 0
[[nodiscard]] double portable_exp(double x);

// A stream and, for a sequence, the position in it.
class Draws {
 public:
  // In [0, kMaxDuration]. Must always be called with the same arguments.
  TimeNs draw(const Duration& duration, std::uint64_t seed, std::uint32_t stream);
  // The next draws.
  void fill(std::span<TimeNs> values, const Duration& duration, std::uint64_t seed, std::uint32_t stream);
  double uniform(std::uint64_t seed, std::uint32_t stream) { return begun(seed, stream).uniform(); }

 private:
  RandomStream& begun(std::uint64_t seed, std::uint32_t stream) {
    if (!seeded_) random_ = RandomStream(seed, stream);
    seeded_ = true;
    return random_;
  }

  RandomStream random_;
  std::uint32_t position_ = 0;
  bool seeded_ = false;
};

// The streams of a program's durations.
class Random {
 public:
  Random(std::uint64_t seed, std::size_t streams) : seed_(seed), states_(streams) {}
  // Draws from Duration::stream, which must be less than `streams` and unique to this duration.
  TimeNs draw(const Duration& duration) {
    return duration.kind == Duration::Kind::fixed ? duration.a : draw_from(duration.stream, duration);
  }
  // The same of a duration that is not fixed, with its stream.
  TimeNs draw_from(std::uint32_t stream, const Duration& duration) {
    State& state = states_[stream];
    if (state.next == state.drawn) [[unlikely]]
      draw_ahead(state, duration);
    return state.ahead[state.next++];
  }

 private:
  // Draws ahead, so that users of a duration need not wait for its computation: twice as many values each time, since
  // most runs of a study need few.
  struct State {
    Draws draws;
    std::uint32_t next = 0, drawn = 0;  // in `ahead`
    std::array<TimeNs, 16> ahead{};
  };
  void draw_ahead(State& state, const Duration& duration);

  std::uint64_t seed_;
  std::vector<State> states_;
};

// Streams outside of the program, numbered far above those of the program.
enum class MachineStream : std::uint32_t {
  startup = 0x8000'0000U,
  wakeup,
  clock,
  callback,
  task,
  turn,
  poll,
  timer,
  log,
  first_log,
  request,
  submit,
  tasks,  // what the HTML standard leaves open
  tick,   // where inside a tick the process starts
  timer_slack,
  cold,
  socket,
  scavenge,
  mark_compact,
  newidle,
  system_call,
  load = 0x8001'0000U,        // two for each thread of the load
  steal = 0x8001'8000U,       // two for each core
  idle_state = 0x8001'c000U,  // plus its number
  arrivals = 0x8002'0000U,    // plus the number of the arrival process
  on_off = 0x8003'0000U,
  // of the runtime `io`: plus the number of the cost, or of the source
  io_work = 0x8004'0000U,
  io_meanwhile,
  io_costs = 0x8004'0100U,
  io_arrivals = 0x9000'0000U,
  io_on_off = 0xa000'0000U,  // two for each source
};

// One duration of the machine with its stream.
class Sampler {
 public:
  Sampler() = default;
  Sampler(const Duration& duration, std::uint64_t seed, MachineStream stream, std::uint32_t number = 0)
      : duration_(&duration), seed_(seed), stream_(static_cast<std::uint32_t>(stream) + number) {}
  [[nodiscard]] bool is_zero() const { return duration_->kind == Duration::Kind::fixed && duration_->a == 0; }
  TimeNs draw() {
    return duration_->kind == Duration::Kind::fixed ? duration_->a : draws_.draw(*duration_, seed_, stream_);
  }
  // [0, 1), from the same stream.
  double uniform() { return draws_.uniform(seed_, stream_); }

 private:
  const Duration* duration_ = nullptr;  // of the MachineSpec, which outlives the run
  std::uint64_t seed_ = 0;
  std::uint32_t stream_ = 0;
  Draws draws_;
};

// The mean of a duration; kMaxDuration if it is larger or infinite.
[[nodiscard]] TimeNs mean_of(const Duration& duration);

}  // namespace loopsim
