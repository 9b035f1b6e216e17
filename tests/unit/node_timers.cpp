// Rules of timers. The expected values were measured on real Node under a virtual clock (tools/conformance), not made by loopsim.
#include "tests/support/simulate.hpp"

using loopsim::testing::Lines;
using loopsim::testing::simulate_main;

namespace {
const char* const kAll[] = {"node-4",  "node-6",  "node-8",  "node-10", "node-11", "node-12", "node-14",
                            "node-16", "node-18", "node-20", "node-22", "node-24", "node-26"};
}

TEST_CASE("timers of one duration run as a batch: A C B", "[timers]") {
  for (const char* runtime : kAll) {
    INFO(runtime);
    CHECK(simulate_main(R"(
      {"setTimeout": 10, "do": [], "as": "A"}, {"spin": 2},
      {"setTimeout": 9, "do": [], "as": "B"}, {"spin": 2},
      {"setTimeout": 10, "do": [], "as": "C"}, {"spin": 30})",
                        runtime)
              .callbacks == Lines{"A@34", "C@34", "B@34"});
  }
}

TEST_CASE("setInterval of 5 ms whose callback takes 7 ms", "[timers]") {
  const std::string main = R"(
    {"set": {"n": 0}},
    {"setInterval": 5, "as": "i", "do": [
      {"spin": 7}, {"add": {"n": 1}}, {"if": ["n", "==", 4], "then": [{"clear": "i"}]} ]})";
  CHECK(simulate_main(main, "node-4").callbacks == Lines{"i@5", "i@24", "i@43", "i@62"});
  for (const char* runtime : {"node-6", "node-8", "node-11"})
    CHECK(simulate_main(main, runtime).callbacks == Lines{"i@5", "i@17", "i@29", "i@41"});
  CHECK(simulate_main(main, "node-10").callbacks == Lines{"i@5", "i@13", "i@21", "i@29"});
  for (const char* runtime : {"node-12", "node-14", "node-16", "node-18", "node-20", "node-22", "node-24", "node-26"}) {
    CHECK(simulate_main(main, runtime).callbacks == Lines{"i@5", "i@12", "i@19", "i@26"});
  }
}

TEST_CASE("every odd delay becomes 1 ms", "[timers]") {
  for (const char* delay :
       {"0", "-5", "\"NaN\"", "\"\"", "null", "false", "true", "\"abc\"", "2147483648", "\"Infinity\"", "0.5", "1"}) {
    INFO(delay);
    CHECK(simulate_main(std::string(R"({"setTimeout": )") + delay + R"(, "do": [], "as": "t"})").callbacks ==
          Lines{"t@1"});
  }
  CHECK(simulate_main(R"({"setTimeout": "50", "do": [], "as": "t"})").callbacks == Lines{"t@50"});
  CHECK(simulate_main(R"({"setTimeout": 1.9, "do": [], "as": "t"})").callbacks == Lines{"t@1"});
  CHECK(simulate_main(R"({"setTimeout": 2147483647, "do": [], "as": "t"})", "", R"("limits": {"time": "1000h"})")
            .callbacks == Lines{"t@2147483647"});
}

TEST_CASE("a timer armed while the timers run waits for the next pass", "[timers]") {
  CHECK(
      simulate_main(
          R"({"setTimeout": 1, "as": "a", "do": [{"setTimeout": 0, "as": "b", "do": []}, {"setImmediate": [], "as": "i"}]})")
          .callbacks == Lines{"a@1", "i@1", "b@2"});
}

TEST_CASE("clearing a timer that is already due, from a timer of the same batch", "[timers]") {
  CHECK(simulate_main(R"(
    {"setTimeout": 5, "as": "a", "do": [{"clear": "b"}]}, {"setTimeout": 5, "as": "b", "do": []}, {"setTimeout": 6, "as": "c", "do": []},
    {"spin": 20})")
            .callbacks == Lines{"a@20", "c@20"});
}

TEST_CASE("refresh counts again from now", "[timers]") {
  for (const char* runtime : {"node-10", "node-11", "node-12", "node-18", "node-20", "node-26"}) {
    INFO(runtime);
    CHECK(simulate_main(
              R"({"setTimeout": 50, "as": "t", "do": []}, {"setTimeout": 30, "as": "r", "do": [{"refresh": "t"}]})",
              runtime)
              .callbacks == Lines{"r@30", "t@80"});
  }
}

TEST_CASE("a lone unref'd timer never runs, even when overdue", "[timers]") {
  for (const char* runtime : kAll) {
    INFO(runtime);
    CHECK(simulate_main(R"({"setTimeout": 1, "as": "t", "do": []}, {"unref": "t"}, {"spin": 5})", runtime)
              .callbacks.empty());
  }
}

TEST_CASE("an unref'd timer that comes due in the last turn", "[timers]") {
  const std::string main =
      R"({"setImmediate": [{"spin": 5}], "as": "i"}, {"setTimeout": 1, "as": "f", "do": []}, {"unref": "f"})";
  for (const char* runtime : {"node-8", "node-10", "node-12", "node-14", "node-16", "node-18"}) {
    INFO(runtime);
    CHECK(simulate_main(main, runtime).callbacks == Lines{"i@0"});
  }
  for (const char* runtime : {"node-4", "node-20", "node-22", "node-24", "node-26"}) {
    INFO(runtime);
    CHECK(simulate_main(main, runtime).callbacks == Lines{"i@0", "f@5"});
  }
}

TEST_CASE("a timeout of 0 against an immediate, from the main script", "[timers]") {
  const std::string pair = R"({"setTimeout": 0, "as": "t", "do": []}, {"setImmediate": [], "as": "i"})";
  CHECK(simulate_main(pair).callbacks == Lines{"i@0", "t@1"});
  CHECK(simulate_main(pair + R"(, {"spin": 1.2})").callbacks == Lines{"t@1.2", "i@1.2"});
  CHECK(simulate_main(pair, "", R"("machine": {"startup": "999.999us"})").callbacks ==
        Lines{"i@0.999999", "t@1.999999"});
  CHECK(simulate_main(pair, "", R"("machine": {"startup": "1ms"})").callbacks == Lines{"t@1", "i@1"});
  CHECK(simulate_main(pair, "", R"("machine": {"startup": "300us", "clock": "700us"})").callbacks ==
        Lines{"t@0.3", "i@0.3"});
}

TEST_CASE("from an I/O callback the immediate always comes first", "[timers]") {
  for (const char* runtime : kAll) {
    INFO(runtime);
    CHECK(simulate_main(R"({"fs": "read", "takes": 2, "as": "io", "do": [
            {"setTimeout": 0, "as": "t", "do": []}, {"setImmediate": [], "as": "i"}, {"spin": 5}]})",
                        runtime)
              .callbacks == Lines{"io@2", "i@7", "t@7"});
  }
}
