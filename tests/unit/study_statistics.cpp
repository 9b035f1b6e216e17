// Helpers of the studies: statistics, compared with textbook tables, seeds, and the parallel loop.
#include <atomic>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/study/parallel.hpp"
#include "sim/study/seeds.hpp"
#include "sim/study/statistics.hpp"

namespace loopsim::study {
namespace {

TEST_CASE("mean and variance of a sample", "[study]") {
  Moments sample;
  CHECK(sample.mean() == 0);
  CHECK(sample.variance() == 0);
  CHECK(std::isinf(half_width(sample)));
  for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) sample.add(value);
  CHECK(sample.count() == 8);
  CHECK(sample.mean() == Approx(5));
  CHECK(sample.variance() == Approx(32.0 / 7));
  CHECK(sample.standard_deviation() == Approx(std::sqrt(32.0 / 7)));
  // With a large offset, a sum of squares would lose all digits.
  Moments far;
  for (const double value : {4.0, 7.0, 13.0, 16.0}) far.add(1e9 + value);
  CHECK(far.variance() == Approx(30));
}

TEST_CASE("Student's t has the values of the tables", "[study]") {
  CHECK(student_t(1) == Approx(12.706).margin(0.0005));
  CHECK(student_t(4) == Approx(2.776).margin(0.0005));
  CHECK(student_t(9) == Approx(2.262).margin(0.0005));
  CHECK(student_t(29) == Approx(2.045).margin(0.0005));
  CHECK(student_t(1000000) == Approx(1.960).margin(0.0005));
  CHECK(student_t(10, 0.99) == Approx(3.169).margin(0.0005));
}

TEST_CASE("the confidence interval of a mean", "[study]") {
  Moments one;
  one.add(3);
  CHECK(std::isinf(half_width(one)));
  Moments sample;  // n = 5, mean 3, s = sqrt(2.5)
  for (const double value : {1.0, 2.0, 3.0, 4.0, 5.0}) sample.add(value);
  CHECK(half_width(sample) == Approx(2.776 * std::sqrt(2.5 / 5)).epsilon(0.001));
  Moments same;
  for (int i = 0; i < 10; ++i) same.add(7);
  CHECK(half_width(same) == 0);
}

TEST_CASE("Wilson's interval of a share", "[study]") {
  // Newcombe, Statistics in Medicine 17 (1998), table I: 81/263, 15/148, 0/20, 1/29, each by method 3.
  const auto check = [](std::uint64_t successes, std::uint64_t trials, double low, double high) {
    const Interval interval = wilson_interval(successes, trials);
    CHECK(interval.low == Approx(low).margin(0.00005));
    CHECK(interval.high == Approx(high).margin(0.00005));
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0.0000, 0.1611);
  check(1, 29, 0.0061, 0.1718);
  check(20, 20, 0.8389, 1.0000);
  CHECK(wilson_interval(0, 20).low == 0);
  CHECK(wilson_interval(20, 20).high == 1);
  CHECK(wilson_interval(0, 0).low == 0);
  CHECK(wilson_interval(0, 0).high == 1);
}

TEST_CASE("what was never seen may still be there", "[study]") {
  CHECK(upper_bound_of_unseen(0) == 1);
  CHECK(upper_bound_of_unseen(1) == Approx(0.95));
  CHECK(upper_bound_of_unseen(10) == Approx(0.2589).margin(0.00005));
  CHECK(upper_bound_of_unseen(1000) == Approx(3.0 / 1000).epsilon(0.01));  // the rule of three
  CHECK(upper_bound_of_unseen(100, 0.99) == Approx(0.0450).margin(0.00005));
}

TEST_CASE("seeds of replications", "[study]") {
  // The first values of SplitMix64 seeded with 0, as its reference implementation prints them.
  CHECK(splitmix64(0) == 0xe220a8397b1dcdafU);
  CHECK(splitmix64(0x9e3779b97f4a7c15U) == 0x6e789e6aa1b965f4U);
  CHECK(replication_seed(7, 0) == 7);
  std::set<std::uint64_t> seen;
  for (const std::uint64_t base : {0U, 1U, 2U, 1000U}) {
    for (std::uint64_t k = 0; k < 1000; ++k) seen.insert(replication_seed(base, k));
  }
  CHECK(seen.size() == 4000);
}

TEST_CASE("every index is done once, on any number of threads", "[study]") {
  for (const unsigned jobs : {0U, 1U, 2U, 7U}) {
    for (const std::size_t count : {0U, 1U, 3U, 1000U}) {
      std::vector<std::atomic<int>> done(count);
      for_each_index(count, jobs, [&done](std::size_t index) { ++done[index]; });
      for (const auto& times : done) CHECK(times == 1);
    }
  }
  std::atomic<unsigned> highest = 0;
  for_each_index(100, 3, [&highest](std::size_t, unsigned thread) {
    unsigned seen = highest;
    while (thread > seen && !highest.compare_exchange_weak(seen, thread)) {}
  });
  CHECK(highest < 3);
}

TEST_CASE("the first exception of a loop over threads comes out of it", "[study]") {
  for (const unsigned jobs : {1U, 2U, 5U}) {
    std::atomic<int> begun = 0;
    const auto fail = [&begun](std::size_t index) {
      ++begun;
      if (index % 10 == 7) throw std::runtime_error("index " + std::to_string(index));
    };
    CHECK_THROWS_WITH(for_each_index(100000, jobs, fail), "index 7");
    CHECK(begun < 100000);
  }
}

}  // namespace
}  // namespace loopsim::study
