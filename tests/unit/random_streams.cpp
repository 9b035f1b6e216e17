// Random durations of functions that nobody calls. Expected value: what real Node draws in the exported script.
#include "tests/support/simulate.hpp"

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
