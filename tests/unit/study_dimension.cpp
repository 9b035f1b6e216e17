// The argument of --vary: exact grids, lists, geometric ranges, and error messages.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/study.hpp"

namespace loopsim {
namespace {

using Words = std::vector<std::string>;

Words values(const std::string& range) {
  const DimensionResult result = parse_dimension("x=" + range);
  INFO(result.message);
  REQUIRE(result.dimension);
  CHECK(result.dimension->name == "x");
  return result.dimension->values;
}

TEST_CASE("a grid is exact in decimals", "[study]") {
  CHECK(values("0:0.25:0.05") == Words{"0", "0.05", "0.1", "0.15", "0.2", "0.25"});
  CHECK(values("0:0.95:0.05").size() == 20);
  CHECK(values("0:0.95:0.05").back() == "0.95");
  CHECK(values("1:8:3") == Words{"1", "4", "7"});
  CHECK(values("5:5:1") == Words{"5"});
  CHECK(values("-1:1:0.5") == Words{"-1", "-0.5", "0", "0.5", "1"});
  CHECK(values("3:1:-1") == Words{"3", "2", "1"});
  CHECK(values("0.001:0.0015:0.0005") == Words{"0.001", "0.0015"});
  CHECK(values("0:30:10") == Words{"0", "10", "20", "30"});
}

TEST_CASE("a grid of durations", "[study]") {
  CHECK(values("50ms:100ms:25ms") == Words{"50ms", "75ms", "100ms"});
  CHECK(values("500us:2ms:500us") == Words{"500us", "1ms", "1.5ms", "2ms"});
  CHECK(values("0:1s:500ms").size() == 3);
  CHECK(values("0:1s:500ms").back() == "1s");
}

TEST_CASE("values one by one", "[study]") {
  CHECK(values("50ms,95ms") == Words{"50ms", "95ms"});
  CHECK(values("7") == Words{"7"});
  CHECK(values(R"("a,b","c:d:e")") == Words{R"("a,b")", R"("c:d:e")"});
  CHECK(values(R"({"exponential":"5ms"},{"uniform":["1ms","2ms"]})") ==
        Words{R"({"exponential":"5ms"})", R"({"uniform":["1ms","2ms"]})"});
  CHECK(values("0:0.9:0.3,0.95,0.99") == Words{"0", "0.3", "0.6", "0.9", "0.95", "0.99"});
}

TEST_CASE("values at equal ratios", "[study]") {
  CHECK(values("log:1ms:1s:7") == Words{"1ms", "3.162ms", "10ms", "31.62ms", "100ms", "316.2ms", "1s"});
  CHECK(values("log:1:1000:4") == Words{"1", "10", "100", "1000"});
  CHECK(values("log:0.01:1:3") == Words{"0.01", "0.1", "1"});
  CHECK(values("log:1000:1:4") == Words{"1000", "100", "10", "1"});
  CHECK(values("log:1:2:2") == Words{"1", "2"});
  CHECK(values("log:1ns:100ns:3") == Words{"1ns", "10ns", "100ns"});
}

TEST_CASE("mistakes in ranges are told", "[study]") {
  const auto check = [](const std::string& text, const std::string& message, const std::string& suggestion = "") {
    const DimensionResult result = parse_dimension(text);
    CHECK_FALSE(result.dimension);
    CHECK(result.message == message);
    CHECK(result.suggestion == suggestion);
  };
  check("load", "a varied parameter is NAME=RANGE, not \"load\"");
  check("load=", "a varied parameter is NAME=RANGE, not \"load=\"");
  check("=1", "a varied parameter is NAME=RANGE, not \"=1\"");
  check("x=1,,2", "x: there is a value missing");
  check("x=0:1", "x: 0:1 is no range: FROM:TO:STEP, or log:FROM:TO:COUNT");
  check("x=lg:1:2:3", "x: lg:1:2:3 is no range: FROM:TO:STEP, or log:FROM:TO:COUNT", "log:1:2:3");
  check("x=0:1:0", "x: the range 0:1:0 has a step of 0");
  check("x=1:0:0.5", "x: the range 1:0:0.5 is empty: its step leads away from its end", "0:1:0.5");
  check("x=0:100ms:5", "x: the range 0:100ms:5 mixes numbers and durations, or numbers of too many digits");
  check("x=1ms:9mss:1ms", "x: \"9mss\" has no unit that there is: ns, us, ms, s, m or h", "9ms");
  check("x=a:b:c", "x: \"a\" is neither a number nor a duration");
  check("x=0:1:0.000000001", "x: the range 0:1:0.000000001 has more than 100000 values");
  check("x=0.1ns:1ms:1ms", "x: \"0.1ns\" is no whole number of nanoseconds");
  check("x=12345678901234567:2:1", "x: \"12345678901234567\" has more than 15 digits");
  check("x=log:0:1:5", "x: the range log:0:1:5 cannot be in equal ratios: 0 is not above 0");
  check("x=log:1:10:1", "x: the range log:1:10:1 takes the number of its values last, 2 or more, not \"1\"");
  check("x=log:1:10ms:3", "x: the range log:1:10ms:3 mixes numbers and durations, or numbers of too many digits");
  check("x=1,2,1", "x has the value 1 more than once");
}

}  // namespace
}  // namespace loopsim
