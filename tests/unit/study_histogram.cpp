// The histogram, compared with real Node 24 for the same numbers (perf_hooks.createHistogram, based on HdrHistogram_c).
#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/study/event_loop_delay.hpp"
#include "sim/study/hdr_histogram.hpp"

namespace loopsim::study {
namespace {

const std::vector<std::int64_t> kNumbers = {1,    2,      3,       1000,    2047,     2048,      2049,     4095,
                                            4097, 123456, 5000000, 5000001, 99999999, 105000000, 105000000};

template <typename Histogram>
std::vector<std::int64_t> percentiles(const Histogram& histogram) {
  std::vector<std::int64_t> values;
  for (const double share : {0.0001, 1.0, 25.0, 50.0, 75.0, 90.0, 99.0, 99.9, 100.0}) {
    values.push_back(histogram.percentile(share));
  }
  return values;
}

TEST_CASE("a histogram says what Node's says", "[study]") {
  HdrHistogram histogram;
  for (int round = 0; round < 2; ++round) {  // the second time with reused memory
    for (const std::int64_t number : kNumbers) histogram.record(number);
    CHECK(histogram.count() == 15);
    CHECK(histogram.min() == 1);
    CHECK(histogram.max() == 105054207);
    CHECK(histogram.mean() == Approx(21343681.066666666).epsilon(1e-15));
    CHECK(histogram.stddev() == Approx(41045298.36791046).epsilon(1e-15));
    CHECK(percentiles(histogram) ==
          std::vector<std::int64_t>{1, 1, 1000, 4095, 5001215, 105054207, 105054207, 105054207, 105054207});
    histogram.reset();
    CHECK(histogram.count() == 0);
  }
}

TEST_CASE("a histogram that counts in larger units", "[study]") {
  HdrHistogram histogram(1000);
  for (const std::int64_t number : kNumbers) histogram.record(number);
  CHECK(histogram.min() == 0);
  CHECK(histogram.max() == 105054207);
  CHECK(histogram.mean() == Approx(21343744).epsilon(1e-15));
  CHECK(histogram.stddev() == Approx(41045265.67536932).epsilon(1e-15));
  CHECK(percentiles(histogram) ==
        std::vector<std::int64_t>{511, 511, 1023, 4095, 5001215, 105054207, 105054207, 105054207, 105054207});
}

TEST_CASE("the event loop's delay as Node reports it", "[study]") {
  EventLoopDelay delay;
  CHECK(delay.min() == std::numeric_limits<std::int64_t>::max());
  CHECK(delay.max() == 0);
  CHECK(std::isnan(delay.mean()));
  CHECK(std::isnan(delay.stddev()));
  CHECK(delay.percentile(50) == 511);
  for (const TimeNs delta : {20000000, 20100000, 19950000, 35000000}) delay.record(delta);
  CHECK(delay.min() == 19939328);
  CHECK(delay.max() == 35028991);
  CHECK(delay.mean() == 23762944);
  CHECK(delay.stddev() == Approx(6495213.515344973).epsilon(1e-15));
  CHECK(percentiles(delay) == std::vector<std::int64_t>{19955711, 19955711, 19955711, 20004863, 20103167, 35028991,
                                                        35028991, 35028991, 35028991});
  delay.record(0);
  CHECK(delay.exceeds() == 1);
  CHECK(delay.count() == 4);
}

TEST_CASE("no number is further than a thousandth from its bucket's ends", "[study]") {
  std::vector<std::int64_t> numbers = {0, 1, std::numeric_limits<std::int64_t>::max()};
  for (std::int64_t number = 3; number < (std::int64_t{1} << 61); number = number * 3 / 2 + 1)
    numbers.push_back(number);
  for (const std::int64_t number : numbers) {
    HdrHistogram histogram;
    histogram.record(number);
    int buckets = 0;
    histogram.for_each_bucket([&](std::int64_t low, std::int64_t high, std::uint32_t count) {
      ++buckets;
      CHECK(count == 1);
      CHECK(low <= number);
      CHECK(number <= high);
      CHECK(static_cast<double>(high - low) <= static_cast<double>(number) / 1024);
    });
    CHECK(buckets == 1);
    CHECK(histogram.percentile(50) >= number);
  }
}

}  // namespace
}  // namespace loopsim::study
