#include <catch2/catch.hpp>

#include "loopsim/suggest.hpp"
#include "loopsim/units.hpp"

#include "sim/trace/utf8.hpp"

using namespace loopsim;

namespace {

TimeNs duration(std::string_view text) {
  const ParsedDuration parsed = parse_duration(text);
  REQUIRE(parsed.problem == DurationProblem::none);
  return parsed.value;
}

}  // namespace

TEST_CASE("durations are read exactly", "[scenario][units]") {
  CHECK(duration("95ms") == 95 * kMillisecond);
  CHECK(duration("1.5s") == 1500 * kMillisecond);
  CHECK(duration("250us") == 250 * kMicrosecond);
  CHECK(duration("40ns") == 40);
  CHECK(duration("2m") == 120 * kSecond);
  CHECK(duration("1h") == 3600 * kSecond);
  CHECK(duration("0.5m") == 30 * kSecond);
  CHECK(duration("0.000001ms") == 1);
  CHECK(duration("0ms") == 0);
  CHECK(duration("-0ms") == 0);
  CHECK(duration("1.100000000000000000000000ms") == 1'100'000);
  CHECK(duration("0000000000000000000000000001s") == kSecond);
  CHECK(duration("1000000000s") == kMaxDuration);
  // Not representable as a double.
  CHECK(duration("123456789.123456789s") == 123'456'789'123'456'789);
}

TEST_CASE("what is no duration is told apart", "[scenario][units]") {
  const auto problem = [](std::string_view text) { return parse_duration(text).problem; };
  CHECK(problem("") == DurationProblem::malformed);
  CHECK(problem("18446744073709551616ns") == DurationProblem::too_long);  // 2^64
  CHECK(problem("ms") == DurationProblem::malformed);
  CHECK(problem(".5ms") == DurationProblem::malformed);
  CHECK(problem("+5ms") == DurationProblem::malformed);
  CHECK(problem("10") == DurationProblem::no_unit);
  CHECK(problem("10 ms") == DurationProblem::unknown_unit);
  CHECK(problem("1e3ms") == DurationProblem::unknown_unit);
  CHECK(problem("1.ms") == DurationProblem::unknown_unit);
  CHECK(problem("-1ns") == DurationProblem::negative);
  CHECK(problem("0.5ns") == DurationProblem::too_fine);
  CHECK(problem("0.3333333333333333333333333ms") == DurationProblem::too_fine);
  CHECK(problem("1000000000.000000001s") == DurationProblem::too_long);
  CHECK(problem("99999999999999999999999999h") == DurationProblem::too_long);
}

TEST_CASE("a bare number is milliseconds", "[scenario][units]") {
  CHECK(parse_milliseconds("95").value == 95 * kMillisecond);
  CHECK(parse_milliseconds("0.25").value == 250 * kMicrosecond);
  CHECK(parse_milliseconds("1e3").value == kSecond);
  CHECK(parse_milliseconds("5E-1").value == 500 * kMicrosecond);
  CHECK(parse_milliseconds("1e-6").value == 1);
  CHECK(parse_milliseconds("0e99999999999").value == 0);
  CHECK(parse_milliseconds("1e-7").problem == DurationProblem::too_fine);
  CHECK(parse_milliseconds("1e99999999999").problem == DurationProblem::too_long);
  // A large exponent can cancel as many digits.
  for (const int count : {9'998, 9'999, 20'000}) {
    const std::string zeros(static_cast<std::size_t>(count), '0');
    CHECK(parse_milliseconds("1" + zeros + "e-" + std::to_string(count)).value == kMillisecond);
    CHECK(parse_milliseconds("0." + zeros + "1e" + std::to_string(count + 1)).value == kMillisecond);
  }
  CHECK(parse_milliseconds("-1").problem == DurationProblem::negative);
}

TEST_CASE("the number at the beginning of a text", "[scenario][units]") {
  const auto is = [](std::string_view text, double value, std::size_t length) {
    const ParsedDouble number = parse_double(text);
    return number.value == value && number.length == length && number.fits;
  };
  CHECK(is("-1.5e3", -1500, 6));
  CHECK(is(".5", 0.5, 2));
  CHECK(is("5.", 5, 2));
  CHECK(is("1e", 1, 1));
  CHECK(is("0x10", 0, 1));
  for (const char* text : {"", "-", ".", "inf", "-nan", " 1", "+1"}) {
    INFO(text);
    CHECK(parse_double(text).length == 0);
  }
  for (const char* text : {"1e400", "-1e400", "1e-400"}) {
    INFO(text);
    CHECK_FALSE(parse_double(text).fits);
    CHECK(parse_double(text).value == 0);
    CHECK(parse_double(text).length == std::string_view(text).size());
  }
}

TEST_CASE("whole numbers", "[scenario][units]") {
  CHECK(parse_unsigned("18446744073709551615") == UINT64_MAX);
  CHECK_FALSE(parse_unsigned("18446744073709551616"));
  CHECK_FALSE(parse_unsigned("-1"));
  CHECK_FALSE(parse_unsigned(""));
  CHECK_FALSE(parse_unsigned("1.0"));
  CHECK(parse_whole("-12") == -12);
  CHECK(parse_whole("3.0") == 3);
  CHECK(parse_whole("1e3") == 1000);
  CHECK(parse_whole("9223372036854775807") == INT64_MAX);
  CHECK_FALSE(parse_whole("9223372036854775808"));
  CHECK_FALSE(parse_whole("1.5"));
  CHECK_FALSE(parse_whole("1e30"));
}

TEST_CASE("durations are written in the largest unit that is exact", "[scenario][units]") {
  CHECK(to_text(0) == "0ms");
  CHECK(to_text(2 * kSecond) == "2s");
  CHECK(to_text(1500 * kMillisecond) == "1500ms");
  CHECK(to_text(1) == "1ns");
}

TEST_CASE("the nearest word is suggested, and none when none is near", "[scenario][suggest]") {
  CHECK(edit_distance("setTimout", "setTimeout") == 1);
  CHECK(edit_distance("tiemr", "timer") == 1);
  CHECK(edit_distance("SetTimeout", "setTimeout") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance(std::string_view("xb").substr(1), "12bx") == 3);  // what stands before a word is none of it
  CHECK(nearest("setTimout", {"setInterval", "setTimeout"}) == "setTimeout");
  CHECK(nearest("jump", {"log", "cpu"}).empty());
  CHECK(nearest("x", {"y"}).empty());
  CHECK(nearest("", {"a"}).empty());
  CHECK(nearest(std::string(100'000, 'a'), {"a"}).empty());
}

TEST_CASE("ill-formed UTF-8 is found where it begins", "[scenario][utf8]") {
  constexpr auto npos = std::string_view::npos;
  CHECK(find_invalid_utf8("plain, and longer than eight bytes") == npos);
  CHECK(find_invalid_utf8("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") == npos);
  CHECK(find_invalid_utf8("ab\xE9") == 2);
  CHECK(find_invalid_utf8("12345678\x80") == 8);
  CHECK(find_invalid_utf8("\xC0\x80") == 0);          // overlong
  CHECK(find_invalid_utf8("\xE0\x80\x80") == 0);      // overlong
  CHECK(find_invalid_utf8("\xED\xA0\x80") == 0);      // a surrogate
  CHECK(find_invalid_utf8("\xF4\x90\x80\x80") == 0);  // beyond U+10FFFF
  CHECK(find_invalid_utf8("a\xE2\x82") == 1);         // cut off
}
