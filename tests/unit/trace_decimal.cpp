// Numbers as the trace writes them are those that the standard library writes.
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
