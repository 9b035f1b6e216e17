// Studies through the library: points, shards and hooks. The results of whole sweeps are tested in tests/study/.
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/study.hpp"

namespace loopsim {
namespace {

StudySpec spec(std::uint64_t replications) {
  StudySpec spec;
  spec.text = R"({ "params": { "delay": 5, "busy": "1ms" }, "main": [
      { "setTimeout": "$delay", "as": "timer", "do": [] },
      { "fs": "stat", "takes": "4ms", "do": [ { "cpu": { "exponential": "$busy" } } ] } ] })";
  spec.file = "test.json";
  spec.dimensions = {{"delay", {"3", "5"}}, {"busy", {"1ms", "2ms", "4ms"}}};
  spec.replications = replications;
  return spec;
}

std::shared_ptr<const Study> prepare(StudySpec spec) {
  const PrepareResult prepared = prepare_study(std::move(spec));
  INFO(prepared.message);
  REQUIRE(prepared.study);
  return prepared.study;
}

TEST_CASE("the points of a study", "[study]") {
  const auto study = prepare(spec(7));
  CHECK(shape_of(*study).points == 6);
  using Words = std::vector<std::string>;
  CHECK(values_of(*study, 0) == Words{"3", "1ms"});
  CHECK(values_of(*study, 1) == Words{"3", "2ms"});
  CHECK(values_of(*study, 3) == Words{"5", "1ms"});
  CHECK(shape_of(*study).callbacks == Words{"timer"});
  CHECK(spec_of(*study).metrics == Words{"timer.lateness_mean", "utilization"});
  for (const std::uint64_t count : {1U, 2U, 5U, 100U}) {
    std::uint64_t runs = 0;
    for (std::uint64_t number = 1; number <= count; ++number) runs += runs_of(*study, {number, count});
    CHECK(runs == 42);
  }
}

TEST_CASE("whether the replications of a point can differ", "[study]") {
  const auto is_random = [](const std::string& takes, const std::string& machine) {
    StudySpec one = spec(2);
    one.text = R"({ "params": { "delay": 5, "busy": "1ms" }, "machine": )" + machine + R"(, "main": [
        { "setTimeout": "$delay", "as": "timer", "do": [] }, { "cpu": "$busy" },
        { "fs": "stat", "takes": )" +
               takes + R"(, "do": [] } ] })";
    return shape_of(*prepare(one)).is_random;
  };
  CHECK_FALSE(is_random(R"("4ms")", R"("ideal")"));
  CHECK(is_random(R"({ "exponential": "4ms" })", R"("ideal")"));
  CHECK_FALSE(is_random(R"("4ms")", R"({ "startup": "1ms" })"));
  CHECK(is_random(R"("4ms")", R"({ "startup": { "uniform": ["1ms", "2ms"] } })"));
  CHECK(is_random(R"("4ms")", R"({ "load": { "busy": { "exponential": "1ms" }, "idle": "1ms" } })"));

  StudySpec one = spec(2);  // one point of six is enough
  one.text =
      R"({ "params": { "delay": 5, "busy": "1ms" }, "main": [ { "setTimeout": "$delay", "do": [ { "cpu": "$busy" } ] } ] })";
  CHECK_FALSE(shape_of(*prepare(one)).is_random);
  one.dimensions.back().values.back() = R"({"exponential":"4ms"})";
  CHECK(shape_of(*prepare(one)).is_random);
}

TEST_CASE("every run of a shard is taken once, and told when all before it are there", "[study]") {
  const auto study = prepare(spec(50));
  std::set<std::uint64_t> all;
  for (std::uint64_t number = 1; number <= 3; ++number) {
    std::set<std::uint64_t> taken;
    std::uint64_t complete = 0;
    StudyHooks hooks;
    hooks.take = [&](Row&& row) {
      CHECK(row.cells.size() == shape_of(*study).columns.size());
      CHECK(std::get<std::uint64_t>(row.cells[0]) == row.run);
      CHECK(row.run % 3 == number - 1);
      CHECK(row.run >= complete);
      CHECK(taken.insert(row.run).second);
      CHECK(all.insert(row.run).second);
      return true;
    };
    hooks.complete_below = [&](std::uint64_t run) {
      CHECK(run >= complete);
      complete = run;
      for (std::uint64_t below = number - 1; below < run; below += 3) CHECK(taken.contains(below));
    };
    const std::vector<PointResult> results = run_study(*study, {number, 3}, 2, hooks);
    CHECK(complete == 300);
    CHECK(results.size() == 6);
    CHECK(taken.size() == runs_of(*study, {number, 3}));
  }
  CHECK(all.size() == 300);
}

TEST_CASE("what is known is not run again, and counts", "[study]") {
  const auto study = prepare(spec(20));
  std::map<std::uint64_t, std::vector<double>> values;
  StudyHooks hooks;
  hooks.take = [&](Row&& row) {
    for (const std::size_t metric : shape_of(*study).metrics) {
      values[row.run].push_back(number_of(row.cells[metric]).value_or(std::nan("")));
    }
    return true;
  };
  const std::vector<PointResult> whole = run_study(*study, {}, 2, hooks);
  std::uint64_t made = 0;
  StudyHooks again;
  again.known = [&values](std::uint64_t run) -> std::span<const double> {
    if (run % 4 == 0) return {};
    return values.at(run);
  };
  again.take = [&made](Row&&) { return ++made > 0; };
  const std::vector<PointResult> resumed = run_study(*study, {}, 2, again);
  CHECK(made == 30);
  REQUIRE(resumed.size() == whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CHECK(resumed[i].replications == 20);
    for (std::size_t metric = 0; metric < whole[i].estimates.size(); ++metric) {
      CHECK(resumed[i].estimates[metric].mean == whole[i].estimates[metric].mean);
      CHECK(resumed[i].estimates[metric].half_width == whole[i].estimates[metric].half_width);
    }
  }
}

TEST_CASE("a study that is given up takes nothing more", "[study]") {
  const auto study = prepare(spec(500));
  int taken = 0;
  StudyHooks hooks;
  hooks.take = [&taken](Row&&) { return ++taken < 10; };
  static_cast<void>(run_study(*study, {}, 3, hooks));
  CHECK(taken == 10);
}

TEST_CASE("a stopping rule looks at each point by itself", "[study]") {
  StudySpec with_rule = spec(400);
  with_rule.stopping = StoppingRule{0.2, true};
  const auto study = prepare(with_rule);
  const std::vector<PointResult> results = run_study(*study, {}, 2, {});
  REQUIRE(results.size() == 6);
  for (const PointResult& result : results) {
    const Estimate& estimate = result.estimates.front();
    CHECK(estimate.count == result.replications);
    CHECK(result.stopped == (estimate.half_width <= 0.2 * estimate.mean));
    if (!result.stopped) CHECK(result.replications == 400);
    // A point alone in a shard has the same result as among the others.
    const std::vector<PointResult> alone = run_study(*study, {result.point + 1, 6}, 1, {});
    REQUIRE(alone.size() == 1);
    CHECK(alone.front().replications == result.replications);
    CHECK(alone.front().estimates.front().mean == estimate.mean);
  }
}

TEST_CASE("an estimate leaves out what is no value", "[study]") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const Estimate estimate = estimate_of(std::vector<double>{1, none, 2, 3, none, 4, 5});
  CHECK(estimate.count == 5);
  CHECK(estimate.mean == 3);
  CHECK(estimate.half_width == Approx(2.7764 * std::sqrt(2.5 / 5)).epsilon(0.0001));
  CHECK(estimate_of({}).count == 0);
}

TEST_CASE("what is wrong with a study is told", "[study]") {
  StudySpec twice = spec(1);
  twice.dimensions.push_back({"delay", {"1"}});
  CHECK(prepare_study(twice).message == "delay is given more than once");
  CHECK(prepare_study(spec(0)).message == "a study needs at least one replication");
  StudySpec rule = spec(9);
  rule.stopping = StoppingRule{0.1, true};
  CHECK(prepare_study(rule).message == "a stopping rule needs at least 10 replications");
  StudySpec metric = spec(1);
  metric.metrics = {"timer.latency_p98"};
  CHECK(prepare_study(metric).message == "there is no metric \"timer.latency_p98\"");
  CHECK(prepare_study(metric).suggestion == "timer.latency_p90");
  StudySpec bad = spec(1);
  bad.dimensions[1].values = {"1ms", "soon", "later"};
  const PrepareResult prepared = prepare_study(bad);
  CHECK(prepared.study == nullptr);
  CHECK(prepared.bad_points == 4);
  CHECK(prepared.point == "delay=3 busy=soon");
  CHECK_FALSE(prepared.diagnostics.empty());
}

}  // namespace
}  // namespace loopsim
