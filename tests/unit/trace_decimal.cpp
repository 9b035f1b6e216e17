// The decimal numbers of traces, compared with those of the standard library.
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

#include <catch2/catch.hpp>

#include "sim/trace/decimal.hpp"

namespace {

std::string decimal(std::uint64_t number) {
  char text[32];
  return {text, loopsim::put_decimal(text, number)};
}

std::string expected(std::uint64_t number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

bool is_right(std::uint64_t number) { return decimal(number) == expected(number); }

}  // namespace

TEST_CASE("every number of up to six digits is written as it is", "[decimal]") {
  bool ok = true;
  for (std::uint64_t number = 0; number < 1'000'000; ++number) ok = ok && is_right(number);
  CHECK(ok);
}

TEST_CASE("numbers around every power of ten, and others of every size, are written as they are", "[decimal]") {
  std::uint64_t power = 1;
  for (int digits = 1; digits <= 20; ++digits) {
    for (std::uint64_t near = 0; near < 5; ++near) {
      CHECK(decimal(power + near) == expected(power + near));
      CHECK(decimal(power - near) == expected(power - near));
    }
    if (digits < 20) power *= 10;
  }
  CHECK(is_right(std::numeric_limits<std::uint64_t>::max()));
  bool ok = true;
  std::uint64_t state = 1;
  for (int i = 0; i < 1'000'000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    ok = ok && is_right(state >> (i % 64));
  }
  CHECK(ok);
}

TEST_CASE("a number is the same text whatever was written before it", "[decimal]") {
  loopsim::RecentDecimal recent;
  const auto is_right_after_others = [&recent](std::uint64_t number) {
    char text[32];
    return std::string(text, recent.put(text, number)) == expected(number);
  };
  bool ok = is_right_after_others(0);
  // Counts up, across the number of digits that is kept, and down.
  for (std::uint64_t number = 1; number < 200'000; ++number) ok = ok && is_right_after_others(number);
  for (std::uint64_t number = 99'999'900; number < 100'000'100; ++number) ok = ok && is_right_after_others(number);
  for (std::uint64_t number = 100'000'100; number > 99'999'900; --number) ok = ok && is_right_after_others(number);
  for (std::uint64_t number = 1'200; number > 0; --number) ok = ok && is_right_after_others(number);
  CHECK(ok);
  // The largest numbers, also as the first number of a writer.
  for (std::uint64_t below = 0; below < 40; ++below) {
    const std::uint64_t number = std::numeric_limits<std::uint64_t>::max() - below;
    char text[32];
    CHECK(is_right_after_others(number));
    CHECK(std::string(text, loopsim::RecentDecimal().put(text, number)) == expected(number));
  }
  // Steps of every size in both directions.
  std::uint64_t state = 1;
  std::uint64_t number = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t step = state >> (40 + i % 24);
    number = (state & 1U) != 0 ? number + step : number - step;
    ok = ok && is_right_after_others(number) && is_right_after_others(number / 1'000 % 2'000);
  }
  CHECK(ok);
}
