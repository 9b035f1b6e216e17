// Random durations. Expected values: the draws of real Node in the exported script for functions that are never called,
// the closed-form quantiles of the distributions, and the standard library's logarithm and exponential.
#include <algorithm>
#include <cmath>

#include "sim/machine/random.hpp"
#include "tests/support/simulate.hpp"

using loopsim::Duration;
using loopsim::TimeNs;

TEST_CASE("a function that nobody calls keeps its streams, and takes none away", "[random]") {
  const auto run = loopsim::testing::simulate(R"({
    "seed": 3710115750033141839,
    "functions": {
      "never": [ { "fs": "readFile", "do": [],
                   "takes": { "open": { "sequence": [ "1.5ms", "0.7ms" ] }, "stat": 0,
                              "read": { "lognormal": [ "1ms", 0.5 ] }, "close": "1ms" } } ],
      "once": [ { "cpu": { "normal": [ "1ms", "0.8ms" ] } } ]
    },
    "main": [ { "nextTick": "once" } ] })");
  CHECK(run.summary.end_time == 881'542);
}

TEST_CASE("the distributions have the quantiles that theory gives them", "[random]") {
  // The share of 20000 draws up to `quantile`; its standard deviation is at most 0.0036.
  const auto share = [](const Duration& duration, double quantile) {
    loopsim::Draws draws;
    int below = 0;
    for (int i = 0; i < 20'000; ++i) below += static_cast<double>(draws.draw(duration, 1, 1)) <= quantile ? 1 : 0;
    return below / 20'000.0;
  };
  constexpr TimeNs a = loopsim::kSecond;
  const double scale = 1e9;
  const auto of = [](Duration::Kind kind, TimeNs b, double shape) {
    Duration duration;
    duration.kind = kind, duration.a = a, duration.b = b, duration.shape = shape;
    return duration;
  };
  const double sigma = 0.8413;  // the share up to one standard deviation above the mean
  CHECK(std::abs(share(of(Duration::Kind::uniform, 3 * a, 0), 1.5 * scale) - 0.25) < 0.015);
  CHECK(std::abs(share(of(Duration::Kind::exponential, 0, 0), std::log(2.0) * scale) - 0.5) < 0.015);
  CHECK(std::abs(share(of(Duration::Kind::exponential, 0, 0), std::log(4.0) * scale) - 0.75) < 0.015);
  CHECK(std::abs(share(of(Duration::Kind::normal, a / 5, 0), scale) - 0.5) < 0.015);
  CHECK(std::abs(share(of(Duration::Kind::normal, a / 5, 0), 1.2 * scale) - sigma) < 0.015);
  CHECK(std::abs(share(of(Duration::Kind::lognormal, 0, 0.5), scale) - 0.5) < 0.015);
  CHECK(std::abs(share(of(Duration::Kind::lognormal, 0, 0.5), std::exp(0.5) * scale) - sigma) < 0.015);
  CHECK(share(of(Duration::Kind::pareto, 0, 3), scale - 1) == 0);  // its minimum
  CHECK(std::abs(share(of(Duration::Kind::pareto, 0, 3), std::pow(2.0, 1.0 / 3) * scale) - 0.5) < 0.015);
  CHECK(std::abs(share(of(Duration::Kind::pareto, 0, 3), std::pow(4.0, 1.0 / 3) * scale) - 0.75) < 0.015);
}

TEST_CASE("logarithm and exponential in basic operations are those of the library", "[random]") {
  for (const double x :
       {1e-300, 1e-9, 0.1, 0.5, 0.70710678, 0.999999, 1.000001, 1.5, 2.0, 10.0, 12345.678, 1e18, 1e300})
    CHECK(std::abs(loopsim::portable_log(x) - std::log(x)) <= 1e-14 * std::abs(std::log(x)));
  CHECK(loopsim::portable_log(1) == 0);
  for (const double x : {-700.0, -699.9, -20.0, -1.0, -1e-9, 0.0, 1e-9, 0.3, 0.4, 1.0, 20.0, 699.9, 700.0})
    CHECK(std::abs(loopsim::portable_exp(x) - std::exp(x)) <= 1e-12 * std::exp(x));
  CHECK(loopsim::portable_exp(-700.1) == 0);
  // To the last bits: r is kept within 0.35, where the series has them all.
  double worst = 0;
  for (double x = -699; x < 700; x += 0.0137)
    worst = std::max(worst, std::abs(loopsim::portable_exp(x) - std::exp(x)) / std::exp(x));
  CHECK(worst < 5e-16);
}
