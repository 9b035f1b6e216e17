#include "sim/machine/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace loopsim {

RandomStream::RandomStream(std::uint64_t seed, std::uint32_t stream)
    : a_(static_cast<std::uint32_t>(seed)), b_(static_cast<std::uint32_t>(seed >> 32U)), c_(stream), counter_(1) {
  for (int i = 0; i < 20; ++i) next();
}

double RandomStream::normal() {
  for (;;) {
    const double u = 2 * uniform() - 1;
    const double v = 2 * uniform() - 1;
    const double s = u * u + v * v;
    if (s >= 1 || s == 0) continue;
    return u * std::sqrt(-2 * portable_log(s) / s);
  }
}

namespace {
constexpr double kLn2High =
    6.93147180369123816490e-01;  // the upper 32 bits of ln 2, exact in products with small integers
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kSqrtHalf = 0.70710678118654752440;
}  // namespace

double portable_log(double x) {
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2)); ln m = 2 atanh(s), s = (m - 1) / (m + 1), |s| <= 0.172.
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>((bits >> 52U) & 0x7ffU) - 1022;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3fe0000000000000ULL);  // [0.5, 1)
  if (m < kSqrtHalf) {
    m = m * 2;
    exponent -= 1;
  }
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * s2 + 1.0 / k;
  const double e = exponent;
  return e * kLn2High + (e * kLn2Low + 2 * s * sum);
}

double portable_exp(double x) {
  if (x > 700) x = 700;
  if (x < -700) return 0;
  // x = k ln 2 + r, |r| <= 0.35; e^r by its series.
  const double k = std::floor(x / (kLn2High + kLn2Low) + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double sum = 1;
  for (int i = 16; i >= 1; --i) sum = 1 + sum * r / i;
  const auto exponent = static_cast<std::uint64_t>(static_cast<std::int64_t>(k) + 1023);
  return sum * std::bit_cast<double>(exponent << 52U);
}

namespace {
// std::floor for values in [0, 2^63). std::floor itself is a function call in builds for older processors.
double whole(double value) { return static_cast<double>(static_cast<std::int64_t>(value)); }

TimeNs clamp(double ns) {
  if (!(ns > 0)) return 0;
  if (ns > static_cast<double>(kMaxDuration)) return kMaxDuration;
  return static_cast<TimeNs>(ns);
}

TimeNs uniform_between(RandomStream& random, double a, double b) {
  return clamp(a + whole(random.uniform() * (b - a)));
}
}  // namespace

TimeNs Draws::draw(const Duration& duration, std::uint64_t seed, std::uint32_t stream) {
  if (duration.kind == Duration::Kind::fixed) return duration.a;
  RandomStream& random = begun(seed, stream);
  const auto a = static_cast<double>(duration.a);
  const auto b = static_cast<double>(duration.b);
  switch (duration.kind) {
    case Duration::Kind::fixed: break;
    case Duration::Kind::uniform: return uniform_between(random, a, b);
    case Duration::Kind::exponential: return clamp(-a * portable_log(1 - random.uniform()));
    case Duration::Kind::normal: return clamp(a + b * random.normal());
    case Duration::Kind::lognormal: return clamp(a * portable_exp(duration.shape * random.normal()));
    case Duration::Kind::pareto: return clamp(a * portable_exp(-portable_log(1 - random.uniform()) / duration.shape));
    case Duration::Kind::choice: {
      const auto count = static_cast<double>(duration.values.size());
      return duration.values[static_cast<std::size_t>(std::floor(random.uniform() * count))];
    }
    case Duration::Kind::sequence: {
      const TimeNs value = duration.values[position_];
      position_ = (position_ + 1) % static_cast<std::uint32_t>(duration.values.size());
      return value;
    }
  }
  return 0;
}

void Draws::fill(std::span<TimeNs> values, const Duration& duration, std::uint64_t seed, std::uint32_t stream) {
  if (duration.kind != Duration::Kind::uniform) {
    for (TimeNs& value : values) value = draw(duration, seed, stream);
    return;
  }
  // As in draw(), with the stream in registers.
  RandomStream random = begun(seed, stream);
  const auto a = static_cast<double>(duration.a);
  const auto b = static_cast<double>(duration.b);
  for (TimeNs& value : values) value = uniform_between(random, a, b);
  random_ = random;
}

void Random::draw_ahead(State& state, const Duration& duration) {
  state.drawn = std::min<std::uint32_t>(std::max(1U, 2 * state.drawn), static_cast<std::uint32_t>(state.ahead.size()));
  state.draws.fill(std::span(state.ahead).first(state.drawn), duration, seed_, duration.stream);
  state.next = 0;
}

TimeNs mean_of(const Duration& duration) {
  const auto a = static_cast<double>(duration.a);
  switch (duration.kind) {
    case Duration::Kind::fixed:
    case Duration::Kind::exponential:
    case Duration::Kind::normal: return duration.a;  // normal: ignores the truncation below 0
    case Duration::Kind::uniform: return duration.a + (duration.b - duration.a) / 2;
    case Duration::Kind::lognormal: return clamp(a * portable_exp(duration.shape * duration.shape / 2));
    case Duration::Kind::pareto:
      return duration.shape > 1 ? clamp(a * duration.shape / (duration.shape - 1)) : kMaxDuration;
    case Duration::Kind::choice:
    case Duration::Kind::sequence: {
      double sum = 0;
      for (const TimeNs value : duration.values) sum += static_cast<double>(value);
      return clamp(sum / static_cast<double>(duration.values.size()));
    }
  }
  return 0;
}

}  // namespace loopsim
