// The functions that the host has for its library bear whatever they are called with: a part of the calls that the test `sanitizers` makes
// of them (tests/sanitizers/check.py).
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/raw_calls.hpp"

using namespace loopsim;

TEST_CASE("the host's functions bear hostile arguments", "[bindings]") {
  constexpr std::size_t kEvery = 60;
  const std::vector<std::string> cases = testing::each_binding();
  REQUIRE(cases.size() > 7'000);
  for (std::size_t i = 0; i < cases.size(); i += kEvery) {
    INFO("case " << i);
    CHECK_NOTHROW(testing::call_bindings({reinterpret_cast<const std::uint8_t*>(cases[i].data()), cases[i].size()}));
  }
}
