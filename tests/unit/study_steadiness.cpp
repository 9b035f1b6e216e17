// Growth within a run, steady state over the runs of a point, and differences of paired runs: values by hand.
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "loopsim/study.hpp"

#include "sim/study/delay_trend.hpp"
#include "tests/support/simulate.hpp"

namespace loopsim {
namespace {

using study::DelayTrend;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Served at interval * i, after a delay of delay(i), for i from 1 to `count`.
template <typename Delay>
DelayTrend trend(TimeNs count, TimeNs interval, Delay delay) {
  DelayTrend trend;
  trend.reset();
  for (TimeNs i = 1; i <= count; ++i) trend.add(interval * i, delay(i));
  return trend;
}

TEST_CASE("a trend of fewer than a hundred delays is not known", "[study]") {
  const auto linear = [](TimeNs i) { return i; };
  CHECK_FALSE(trend(99, 2, linear).is_known());
  CHECK_FALSE(trend(99, 2, linear).grows());
  CHECK(trend(100, 2, linear).is_known());
  CHECK(trend(100, 2, linear).grows());
}

TEST_CASE("the halves of a run whose delays grow in proportion to time", "[study]") {
  // 100 delays fill 50 bins of two: 1 to 50, and 51 to 100.
  const DelayTrend even = trend(100, 2, [](TimeNs i) { return i; });
  CHECK(even.first_half() == 25.5);
  CHECK(even.second_half() == 75.5);
  // 10000 delays fill 39 bins of 256, and 16 are left: 19 bins are a half, 1 to 4864, and 5121 to 9984.
  const DelayTrend odd = trend(10000, 2, [](TimeNs i) { return i; });
  CHECK(odd.first_half() == 2432.5);
  CHECK(odd.second_half() == 7552.5);
  CHECK(odd.grows());
}

TEST_CASE("what grows and what does not", "[study]") {
  const auto root = [](TimeNs i) { return static_cast<TimeNs>(std::sqrt(static_cast<double>(i)) * 1000); };
  for (const TimeNs count : {100, 1000, 100'000}) {
    INFO(count);
    CHECK(trend(count, 2000, [](TimeNs i) { return 500 * i; }).grows());
    CHECK_FALSE(trend(count, 2000, [](TimeNs) { return 500; }).grows());
    CHECK_FALSE(trend(count, 2000, [](TimeNs) { return 0; }).grows());
    CHECK_FALSE(trend(count, 2000, root).grows());  // critical load: 1.83 times as long
    CHECK_FALSE(trend(count, 2000, [count](TimeNs i) { return 500 * (count - i); }).grows());
    // The second half waits more than twice as long, but only for a part of its time: a burst.
    CHECK_FALSE(trend(count, 2000, [count](TimeNs i) { return i > count - count / 5 ? 9000 : 500; }).grows());
  }
}

TEST_CASE("a batch that is worked off is no overload", "[study]") {
  // All arrive at 0: the delay is the time. What arrives at a 50th of the time is a load of 50; at a 100th, a batch.
  const DelayTrend batch = trend(1000, 1000, [](TimeNs i) { return 1000 * i; });
  CHECK_FALSE(batch.is_known());
  CHECK_FALSE(batch.grows());
  CHECK(trend(1000, 1000, [](TimeNs i) { return 980 * i; }).grows());
  CHECK_FALSE(trend(1000, 1000, [](TimeNs i) { return 990 * i; }).is_known());
}

TEST_CASE("a trend is the same after a reset", "[study]") {
  DelayTrend used = trend(5000, 7, [](TimeNs i) { return i; });
  used.reset();
  CHECK_FALSE(used.is_known());
  for (TimeNs i = 1; i <= 100; ++i) used.add(2 * i, 5);
  CHECK(used.first_half() == 5);
  CHECK(used.second_half() == 5);
}

// ---- over runs --------------------------------------------------------------------------------------------------------

const std::vector<Column> kColumns = {
    {"run", Column::Type::integer, false, "", ""},
    {std::string(kGrowingColumn), Column::Type::text, true, "", ""},
    {"response_first_half", Column::Type::real, true, "ms", ""},
    {"response_second_half", Column::Type::real, true, "ms", ""},
};

struct Run {
  std::string growing;  // empty: not known
  double first, second;
};

Steadiness judge(const std::vector<Run>& runs) {
  SteadinessTable table(kColumns, 100);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    const Cell growing = run.growing.empty() ? Cell() : Cell(run.growing);
    const auto half = [](double value) { return std::isnan(value) ? Cell() : Cell(value); };
    const std::array<Cell, 4> cells = {std::uint64_t{300 + i}, growing, half(run.first), half(run.second)};
    table.add(cells);
  }
  CHECK(table.of(2).verdict == Steadiness::Verdict::unknown);
  return table.of(3);
}

TEST_CASE("overload is what grows in most of the runs that tell", "[study]") {
  using Verdict = Steadiness::Verdict;
  const Run grows = {"response", kNone, kNone};
  const Run none = {"none", kNone, kNone};
  const Run silent = {"", kNone, kNone};
  CHECK(judge({}).verdict == Verdict::unknown);
  CHECK(judge({silent, silent}).verdict == Verdict::unknown);
  CHECK(judge({none}).verdict == Verdict::steady);
  CHECK(judge({grows}).verdict == Verdict::grows);
  CHECK(judge({grows}).growing == std::vector<std::string>{"response"});
  CHECK(judge({grows, none}).verdict == Verdict::steady);
  CHECK(judge({grows, none, grows}).verdict == Verdict::grows);
  CHECK(judge({grows, silent, silent}).verdict == Verdict::grows);
  CHECK(judge({{"response_other", kNone, kNone}}).verdict == Verdict::steady);  // another flow
  CHECK(judge({{"lateness response", kNone, kNone}}).verdict == Verdict::grows);
}

TEST_CASE("halves that differ, by the paired t test", "[study]") {
  using Verdict = Steadiness::Verdict;
  const auto runs = [](std::vector<double> seconds) {
    std::vector<Run> made;
    for (const double second : seconds) made.push_back({"none", 10, second});
    return made;
  };
  // second - 1.1 * first: 2, 3, 4, 5, 6. Mean 4, standard error sqrt(2.5 / 5) = 0.7071, t = 5.66 < 7.17 (4 degrees).
  CHECK(judge(runs({13, 14, 15, 16, 17})).verdict == Verdict::steady);
  // second - 2 * first: 2, 3, 4, 5, 6, and then 4, 5, 6, 7, 8.
  CHECK(judge(runs({22, 23, 24, 25, 26})).verdict == Verdict::halves_differ);
  CHECK(judge(runs({24, 25, 26, 27, 28})).verdict == Verdict::grows);
  CHECK(judge(runs({20, 20, 20, 20, 20})).verdict == Verdict::halves_differ);
  CHECK(judge(runs({21, 21, 21, 21, 21})).verdict == Verdict::grows);
  // 4, 5, 6, 7, 8: mean 6, t = 8.49.
  CHECK(judge(runs({15, 16, 17, 18, 19})).verdict == Verdict::halves_differ);
  CHECK(judge(runs({15, 16, 17, 18, 19})).differing == std::vector<std::string>{"response"});
  CHECK(judge(runs({17, 17, 17, 17})).verdict == Verdict::steady);  // too few
  CHECK(judge(runs({11, 11, 11, 11, 11})).verdict == Verdict::steady);
  CHECK(judge(runs({12, 12, 12, 12, 12})).verdict == Verdict::halves_differ);
  CHECK(judge(runs({9, 9, 9, 9, 9})).verdict == Verdict::halves_differ);  // 1.11 times as short
  CHECK(judge(runs({9.5, 9.5, 9.5, 9.5, 9.5})).verdict == Verdict::steady);
}

// ---- differences ------------------------------------------------------------------------------------------------------

const std::vector<Dimension> kDimensions = {{"load", {"0", "0.5"}}, {"policy", {"fair", "preempt", "idle"}}};

TEST_CASE("what the points are compared with", "[study]") {
  const ComparisonResult policy = parse_comparison("policy=preempt", kDimensions);
  REQUIRE(policy.comparison);
  const std::array<std::uint64_t, 6> references = {1, 1, 1, 4, 4, 4};
  for (std::uint64_t i = 0; i < 6; ++i) CHECK(reference_of(i, kDimensions, *policy.comparison) == references[i]);
  const ComparisonResult load = parse_comparison("load=0", kDimensions);
  REQUIRE(load.comparison);
  for (std::uint64_t i = 0; i < 6; ++i) CHECK(reference_of(i, kDimensions, *load.comparison) == i % 3);

  CHECK(parse_comparison("policy", kDimensions).message ==
        "what the others are compared with is NAME=VALUE, not \"policy\"");
  CHECK(parse_comparison("polciy=fair", kDimensions).message == "polciy is not varied");
  CHECK(parse_comparison("polciy=fair", kDimensions).suggestion == "policy");
  CHECK(parse_comparison("policy=fiar", kDimensions).message == "policy is never fiar");
  CHECK(parse_comparison("policy=fiar", kDimensions).suggestion == "fair");
}

TEST_CASE("the difference of paired runs", "[study]") {
  // Differences 1, 2, 3: mean 2, half width t(2) * 1 / sqrt(3) = 4.3027 * 0.57735 = 2.4841.
  const std::vector<double> values = {11, 22, 33, kNone, 5};
  const std::vector<double> reference = {10, 20, 30, 7};
  const Estimate difference = difference_of(values, reference);
  CHECK(difference.count == 3);
  CHECK(difference.mean == 2);
  CHECK(difference.half_width == Approx(2.48414).epsilon(1e-5));
  CHECK(difference_of({}, reference).count == 0);
}

// ---- metrics ------------------------------------------------------------------------------------------------------------

std::map<std::string, Cell> measure(const std::string& document, const MetricsOptions& options = {}) {
  const std::unique_ptr<MetricsSink> sink = make_metrics_sink(options);
  const std::array<TraceSink*, 1> sinks = {sink.get()};
  run(*testing::compile_text(document), sinks);
  std::map<std::string, Cell> cells;
  const std::vector<Column> columns = metric_columns(options);
  for (std::size_t i = 0; i < columns.size(); ++i) cells[columns[i].name] = sink->cells()[i];
  return cells;
}

// A client comes every 10 ms, the first at 10, and its answer takes `work`; the process ends at `end`.
std::string regular(const std::string& work, const std::string& end) {
  return R"({ "inputs": [ { "every": "10ms", "connect": 8080 } ],
      "main": [ { "listen": 8080, "on": { "connection": [ { "cpu": ")" +
         work + R"(" }, { "end": "value" } ] } },
                { "setTimeout": )" +
         end + R"(, "do": [ { "exit": 0 } ] } ] })";
}

TEST_CASE("the delays of a server that needs longer for a client than the next one takes to come", "[study]") {
  const auto overloaded = measure(regular("25ms", "10000"));
  const auto& growing = overloaded.at("growing");
  REQUIRE(std::holds_alternative<std::string>(growing));
  CHECK(std::get<std::string>(growing).starts_with("response"));
  // At the time t the server is at the client that came at t / 2.5, which has waited for 0.6 t: the first half of the
  // answers waits for 0.6 * 2500 ms in the mean, the second for 0.6 * 7500 ms.
  CHECK(*number_of(overloaded.at("response_first_half")) == Approx(1500).epsilon(0.05));
  CHECK(*number_of(overloaded.at("response_second_half")) == Approx(4500).epsilon(0.05));

  const auto stable = measure(regular("9ms", "10000"));
  CHECK(std::get<std::string>(stable.at("growing")) == "none");
  CHECK(*number_of(stable.at("response_first_half")) == 9);
  CHECK(*number_of(stable.at("response_second_half")) == 9);
}

TEST_CASE("what comes before the warm-up does not hide growth", "[study]") {
  const auto late = measure(regular("25ms", "10000"), {.callbacks = {}, .warm_up = 6 * kSecond});
  CHECK(std::get<std::string>(late.at("growing")).starts_with("response"));
  CHECK(*number_of(late.at("response_first_half")) == Approx(0.6 * 7000).epsilon(0.05));
  CHECK(*number_of(late.at("response_second_half")) == Approx(0.6 * 9000).epsilon(0.05));
}

TEST_CASE("a run that ends by itself is not in overload", "[study]") {
  // 1000 requests at once, on four threads: they wait longer and longer, until all are done.
  const auto batch =
      measure(R"({ "main": [ { "repeat": 1000, "do": [ { "fs": "stat", "takes": "4ms", "do": [] } ] } ] })");
  CHECK(*number_of(batch.at("pool_requests")) == 1000);
  CHECK(std::holds_alternative<std::monostate>(batch.at("growing")));
  CHECK_FALSE(number_of(batch.at("pool_waiting_first_half")));
  // The same beside an interval, which is a stream of arrivals: the batch still is one.
  const auto beside = measure(R"({ "main": [ { "repeat": 1000, "do": [ { "fs": "stat", "takes": "4ms", "do": [] } ] },
      { "setInterval": 2, "as": "tick", "do": [] }, { "setTimeout": 1200, "do": [ { "exit": 0 } ] } ] })");
  CHECK(std::get<std::string>(beside.at("growing")) == "none");
  CHECK_FALSE(number_of(beside.at("pool_waiting_first_half")));
}

TEST_CASE("an interval that asks for more than the pool can do", "[study]") {
  // 5 ms apart, 40 ms each, on four threads: twice as much as they can do.
  const auto run = measure(R"({ "main": [ { "setInterval": 5, "as": "tick", "do": [
      { "fs": "stat", "takes": "40ms", "do": [] } ] }, { "setTimeout": 8000, "do": [ { "exit": 0 } ] } ] })");
  CHECK(std::get<std::string>(run.at("growing")) == "pool_waiting");
  CHECK(*number_of(run.at("pool_waiting_first_half")) == Approx(1000).epsilon(0.05));
  CHECK(*number_of(run.at("pool_waiting_second_half")) == Approx(3000).epsilon(0.05));
}

TEST_CASE("clients that are not answered before the end are in the system until then", "[study]") {
  // Clients come at 10, 20, 30 and 40 ms; each takes 100 ms, which the end at 45 ms interrupts.
  const auto run = measure(R"({ "inputs": [ { "every": "10ms", "connect": 8080, "as": "browser" } ],
      "main": [ { "listen": 8080, "on": { "connection": [] } }, { "setTimeout": 45, "do": [ { "exit": 0 } ] } ] })");
  CHECK(*number_of(run.at("answers")) == 0);
  CHECK(*number_of(run.at("in_system_max")) == 4);
  CHECK(*number_of(run.at("in_system_mean")) == Approx((35 + 25 + 15 + 5) / 45.0));
}

}  // namespace
}  // namespace loopsim
