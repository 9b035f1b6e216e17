// The metrics of runs, compared with values derived by hand, and the laws that hold in every run.
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "loopsim/study.hpp"

#include "tests/support/files.hpp"
#include "tests/support/scenario_files.hpp"
#include "tests/support/simulate.hpp"

namespace loopsim {
namespace {

using testing::compile_text;

struct Measured {
  std::map<std::string, Cell> cells;

  [[nodiscard]] double operator[](const std::string& name) const {
    INFO(name);
    REQUIRE(cells.contains(name));
    REQUIRE(number_of(cells.at(name)));
    return *number_of(cells.at(name));
  }
  [[nodiscard]] bool has(const std::string& name) const { return number_of(cells.at(name)).has_value(); }
};

Measured measure(const Program& program, const MetricsOptions& options) {
  const std::unique_ptr<MetricsSink> sink = make_metrics_sink(options);
  const std::array<TraceSink*, 1> sinks = {sink.get()};
  Measured measured;
  const std::vector<Column> columns = metric_columns(options);
  for (int round = 0; round < 2; ++round) {  // the second time with a reused sink
    run(program, sinks);
    REQUIRE(sink->cells().size() == columns.size());
    std::map<std::string, Cell> cells;
    for (std::size_t i = 0; i < columns.size(); ++i) cells[columns[i].name] = sink->cells()[i];
    if (round == 1) CHECK(cells == measured.cells);
    measured.cells = std::move(cells);
  }
  return measured;
}

Measured measure(const std::string& document, const MetricsOptions& options = {}) {
  return measure(*compile_text(document), options);
}

// Expected values: from real Node 11, 12, 18, 24 and 26 under the virtual clock. They differ in Node 11, whose poll
// sleeps too long.
TEST_CASE("what monitorEventLoopDelay reports is what real Node reports", "[study]") {
  const auto document = [](const std::string& runtime) {
    return R"({ "runtime": {"profile": ")" + runtime + R"(", "monitorEventLoopDelay": 10}, "main": [
      { "setTimeout": 35, "do": [ { "cpu": "47.3ms" } ] },
      { "fs": "stat", "takes": "12.7ms", "do": [ { "cpu": "3.1ms" } ] },
      { "setTimeout": 200, "do": [] } ] })";
  };
  const Measured modern = measure(document("node-24"));
  CHECK(modern["monitor_min"] == Approx(9.994240).epsilon(1e-12));
  CHECK(modern["monitor_max"] == Approx(52.330495).epsilon(1e-12));
  CHECK(modern["monitor_mean"] == Approx(13.07823542857143).epsilon(1e-12));
  CHECK(modern["monitor_stddev"] == Approx(10.884026582731318).epsilon(1e-12));
  CHECK(modern["monitor_p99"] == Approx(52.330495).epsilon(1e-12));
  const Measured old = measure(document("node-11"));
  CHECK(old["monitor_max"] == Approx(57.311231).epsilon(1e-12));
  CHECK(old["monitor_mean"] == Approx(13.434002285714285).epsilon(1e-12));
  CHECK(old["monitor_stddev"] == Approx(12.166556389548497).epsilon(1e-12));
}

const std::string kTimer = R"({ "main": [
    { "setTimeout": 100, "as": "timer", "do": [ { "log": "x" } ] },
    { "fs": "read", "as": "read", "takes": "95ms", "do": [ { "spin": "10ms" } ] } ] })";

TEST_CASE("the metrics of a timer that is late", "[study]") {
  const Measured run =
      measure(kTimer, {.callbacks = {"timer", "read", "none"}, .distributions = {"loop_delay"}, .output = true});
  CHECK(run["finish_time"] == 105);
  CHECK(run["callbacks"] == 3);  // main, read, timer
  CHECK(run["events"] == 1);
  CHECK(run["idle"] == 95);
  CHECK(run["active"] == 10);
  CHECK(run["utilization"] == Approx(10.0 / 105));
  CHECK(run["loop_delay_max"] == 10);
  CHECK(run["lateness_mean"] == 2.5);  // mean of timer and read
  CHECK(run["lateness_max"] == 5);
  CHECK(run["latency_mean"] == 100);
  CHECK(run["throughput"] == Approx(3 / 0.105));
  CHECK(run["waiting_mean"] == Approx(5.0 / 105));
  CHECK(run["waiting_max"] == 1);
  CHECK(run["pool_requests"] == 1);
  CHECK(run["pool_waiting_max"] == 0);
  CHECK(run["pool_service_mean"] == 95);
  CHECK(run["pool_busy_mean"] == Approx(95.0 / 105));
  CHECK(run["pool_utilization"] == Approx(95.0 / 105 / 4));
  for (const char* quantile : {"mean", "p50", "p90", "p95", "p99", "p99_9", "max"}) {
    CHECK(run[std::string("timer.lateness_") + quantile] == 5);
    CHECK(run[std::string("timer.latency_") + quantile] == 105);
    CHECK(run[std::string("read.lateness_") + quantile] == 0);
  }
  CHECK(run["timer.callbacks"] == 1);
  CHECK(run["none.callbacks"] == 0);
  CHECK_FALSE(run.has("none.lateness_mean"));
  CHECK(std::get<std::string>(run.cells.at("output")) == "x\n");
  const std::string histogram = std::get<std::string>(run.cells.at("loop_delay_histogram"));
  CHECK(histogram.starts_with("0-0:"));
  CHECK(histogram.ends_with(" 9994240-10002431:1"));
}

// read is due at 95 ms and timer at 100: they begin then and at 105. Of values from 2^22 on a bucket is 4096 ns wide, of
// those from 2^26 on 65536.
TEST_CASE("each histogram has its own values, as often as they came", "[study]") {
  const Measured run =
      measure(kTimer, {.callbacks = {"timer"}, .distributions = {"lateness", "latency", "timer.lateness"}});
  const auto histogram = [&](const char* name) { return std::get<std::string>(run.cells.at(name)); };
  CHECK(histogram("lateness_histogram") == "0-0:1 4997120-5001215:1");
  CHECK(histogram("latency_histogram") == "94961664-95027199:1 104988672-105054207:1");
  CHECK(histogram("timer.lateness_histogram") == "4997120-5001215:1");
}

std::string order_of(const std::string& document, MetricsOptions options) {
  options.order = true;
  return std::get<std::string>(measure(document, options).cells.at("order"));
}

TEST_CASE("the order in which callbacks begin", "[study]") {
  CHECK(order_of(kTimer, {.callbacks = {"timer", "read", "none"}}) == "read timer");
  CHECK(order_of(kTimer, {.callbacks = {"timer"}}) == "timer");
  CHECK(order_of(kTimer, {.callbacks = {"none"}}).empty());
  CHECK(order_of(kTimer, {.callbacks = {"timer", "read"}, .warm_up = 100 * kMillisecond}) == "timer");
  CHECK_FALSE(measure(kTimer, {.callbacks = {"timer"}}).cells.contains("order"));
}

TEST_CASE("an order that is too long ends with dots", "[study]") {
  const auto rounds = [](std::size_t count) {
    return R"({ "main": [ { "repeat": )" + std::to_string(count) +
           R"(, "do": [ { "setTimeout": 1, "as": "four", "do": [] } ] } ] })";
  };
  std::string whole = "four";
  for (std::size_t i = 1; i < 200; ++i) whole += " four";
  REQUIRE(whole.size() == kMostOrderText - 1);
  CHECK(order_of(rounds(200), {.callbacks = {"four"}}) == whole);
  CHECK(order_of(rounds(201), {.callbacks = {"four"}}) == whole + " ...");
  CHECK(order_of(rounds(500), {.callbacks = {"four"}}) == whole + " ...");
}

// Clients connect at 10 and 12 ms; the thread computes 5 ms for each, until 15 and 20. No server listens on port 8081.
const std::string kServer = R"({
    "inputs": [ { "at": ["10ms", "12ms"], "connect": 8080, "as": "browser", "data": "GET /" },
                { "at": ["11ms"], "connect": 8081, "as": "lost", "data": "GET /" } ],
    "main": [
      { "listen": 8080, "as": "server", "on": { "connection": [
        { "let": { "socket": "{value}" } },
        { "on": "value", "event": "data", "as": "request", "do": [ { "cpu": "5ms" }, { "end": "socket", "data": "200" } ] } ] } },
      { "setTimeout": 50, "do": [ { "close": "server" } ], "as": "closing" } ] })";

TEST_CASE("how long clients wait for their answer", "[study]") {
  const Measured run = measure(kServer, {.callbacks = {}, .clients = {"browser", "lost", "none"}});
  for (const char* who : {"", "browser."}) {
    CHECK(run[std::string(who) + "answers"] == 2);
    CHECK(run[std::string(who) + "response_mean"] == 6.5);
    CHECK(run[std::string(who) + "response_p50"] == 5);
    CHECK(run[std::string(who) + "response_max"] == 8);
  }
  CHECK(run["refused"] == 1);
  CHECK(run["browser.refused"] == 0);
  CHECK(run["lost.refused"] == 1);
  CHECK(run["lost.answers"] == 0);
  CHECK_FALSE(run.has("lost.response_mean"));
  CHECK(run["none.answers"] == 0);

  const Measured later = measure(kServer, {.callbacks = {}, .clients = {"browser"}, .warm_up = 11 * kMillisecond});
  CHECK(later["browser.answers"] == 1);
  CHECK(later["browser.response_mean"] == 8);
  CHECK(later["refused"] == 1);

  const ReadResult read = read_scenario(kServer, "server.json");
  REQUIRE(read.scenario);
  CHECK(named_clients(*read.scenario) == std::vector<std::string>{"browser", "lost"});
}

const std::string kSixOnFour = R"({ "main": [ { "repeat": 6, "do": [ { "fs": "stat", "takes": "10ms", "do": [] } ] } )";

TEST_CASE("the metrics of the thread pool", "[study]") {
  const Measured run = measure(kSixOnFour + "] }");
  CHECK(run["finish_time"] == 20);
  CHECK(run["pool_requests"] == 6);
  CHECK(run["pool_waiting_mean"] == Approx(20.0 / 6));
  CHECK(run["pool_waiting_p50"] == 0);
  CHECK(run["pool_waiting_max"] == 10);
  CHECK(run["pool_queue_mean"] == Approx(1));  // two during half of the time
  CHECK(run["pool_queue_max"] == 2);
  CHECK(run["pool_busy_mean"] == Approx(3));
  CHECK(run["pool_busy_max"] == 4);
  CHECK(run["pool_utilization"] == Approx(0.75));
}

TEST_CASE("what the pool has not done when the process ends", "[study]") {
  const Measured run = measure(kSixOnFour + R"(, { "setTimeout": 5, "do": [ { "exit": 0 } ] } ] })");
  CHECK(run["finish_time"] == 5);
  CHECK(run["pool_requests"] == 0);
  CHECK_FALSE(run.has("pool_waiting_mean"));
  CHECK(run["pool_queue_mean"] == Approx(2));
  CHECK(run["pool_busy_mean"] == Approx(4));
  const Measured later = measure(kSixOnFour + R"(, { "setTimeout": 15, "do": [ { "exit": 0 } ] } ] })");
  CHECK(later["pool_requests"] == 4);
  CHECK(later["pool_queue_mean"] == Approx(20.0 / 15));
  CHECK(later["pool_busy_mean"] == Approx((40.0 + 2 * 5) / 15));
}

TEST_CASE("a request of several round trips goes through the pool several times", "[study]") {
  const Measured run = measure(R"({ "main": [ { "fs": "readFile", "do": [],
      "takes": { "open": "1ms", "stat": "2ms", "read": "3ms", "close": "4ms" } } ] })");
  CHECK(run["pool_requests"] == 4);
  CHECK(run["pool_service_mean"] == 2.5);
  CHECK(run["pool_busy_mean"] == Approx(1));
  CHECK(run["callbacks"] == 2);
}

TEST_CASE("quantiles are exact of a thousand values, and good to a thousandth of more", "[study]") {
  for (const int count : {10, 1000, 5000}) {
    const Measured run = measure(R"({ "main": [ { "repeat": )" + std::to_string(count) + R"(, "as": "i", "do": [
        { "setTimeout": 7, "as": "timer", "do": [ { "spin": "1ms" } ] } ] } ] })",
                                 {.callbacks = {"timer"}});
    CHECK(run["timer.lateness_mean"] == Approx((count - 1) / 2.0));
    CHECK(run["timer.lateness_max"] == count - 1);
    for (const auto& [quantile, share] :
         {std::pair("p50", 0.5), {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}, {"p99_9", 0.999}}) {
      const double exact = std::floor(share * count + 0.5) - 1;
      const double found = run[std::string("timer.lateness_") + quantile];
      if (count <= 1000) CHECK(found == exact);
      CHECK(found >= exact);
      CHECK(found <= exact * 1.001);
    }
  }
}

TEST_CASE("a warm-up is cut", "[study]") {
  const std::string ticks = R"({ "main": [ { "setInterval": 10, "as": "tick", "do": [ { "spin": "4ms" } ] },
                                           { "setTimeout": 95, "as": "end", "do": [ { "exit": 0 } ] } ] })";
  const Measured all = measure(ticks, {.callbacks = {"tick"}});
  CHECK(all["tick.callbacks"] == 9);
  const Measured run = measure(ticks, {.callbacks = {"tick"}, .warm_up = 50 * kMillisecond});
  CHECK(run["finish_time"] == 95);
  CHECK(run["tick.callbacks"] == 5);  // at 50, 60 ... 90
  CHECK(run["callbacks"] == 6);
  CHECK(run["tick.throughput"] == Approx(5 / 0.045));
  CHECK(run["active"] == 20);
  CHECK(run["idle"] == 25);
  CHECK(run["utilization"] == Approx(20.0 / 45));
  const Measured pool = measure(kSixOnFour + "] }", {.callbacks = {}, .warm_up = 10 * kMillisecond});
  CHECK(pool["pool_queue_mean"] == 0);
  CHECK(pool["pool_busy_mean"] == Approx(2));
  CHECK_FALSE(pool.has("pool_waiting_mean"));  // all were submitted during the warm-up
  const Measured over = measure(ticks, {.callbacks = {}, .warm_up = kSecond});
  CHECK(over["callbacks"] == 0);
  CHECK(over["idle"] == 0);
  CHECK(over["utilization"] == 0);
  CHECK_FALSE(over.has("throughput"));
  CHECK_FALSE(over.has("waiting_mean"));
}

TEST_CASE("the event loop's utilization begins with the loop", "[study]") {
  const Measured run = measure(R"({ "main": [ { "spin": "30ms" }, { "setTimeout": 10, "do": [] } ] })");
  CHECK(run["finish_time"] == Approx(40).margin(1));
  CHECK(run["active"] < 1);
  const Measured none = measure(R"({ "main": [ { "spin": "30ms" }, { "exit": 0 } ] })");
  CHECK(none["idle"] == 0);
  CHECK(none["active"] == 0);
  CHECK(none["utilization"] == 0);
}

TEST_CASE("the callbacks that have names", "[study]") {
  const ReadResult read = read_scenario(R"({ "functions": { "f": [], "unused": [] }, "main": [
      { "setTimeout": 1, "as": "a", "do": "f" }, { "setTimeout": 2, "do": "f" }, { "setTimeout": 3, "do": [
          { "setImmediate": [], "as": "inner" } ] },
      { "promise": "p", "do": [ { "resolve": "p" } ] },
      { "then": "p", "as": "q", "do": [], "catch": [] },
      { "async": [ { "await": { "fs": "stat", "as": "awaited" } } ], "as": "job" } ] })",
                                        "test.json");
  INFO((read.diagnostics.empty() ? "" : to_string(read.diagnostics.front())));
  REQUIRE(read.scenario);
  const std::vector<std::string> names = {"a", "f", "q", "q.catch", "job", "inner", "awaited"};
  CHECK(named_callbacks(*read.scenario) == names);
}

TEST_CASE("Little's law and the utilization law hold in every run", "[study]") {
  for (const std::filesystem::path& path : testing::scenario_files()) {
    INFO(path.string());
    const auto program = compile_text(testing::read_file(path));
    const Measured run = measure(*program, {});
    const double time = run["finish_time"];
    if (time == 0) continue;
    testing::Collector collector;
    const std::array<TraceSink*, 1> sinks = {&collector};
    const RunSummary summary = loopsim::run(*program, sinks);
    double late = 0;
    for (const testing::Kept& kept : collector.kept) {
      if (kept.event.kind == EventKind::callback_begin && kept.event.b > 0)
        late += static_cast<double>(kept.event.b) / 1e6;
    }
    CHECK(run["waiting_mean"] * time == Approx(late).margin(1e-9));
    CHECK(run["idle"] == Approx(static_cast<double>(summary.poll_time) / 1e6));
    CHECK(run["callbacks"] == static_cast<double>(summary.callbacks));
    if (summary.reason != ExitReason::loop_empty || run["pool_requests"] == 0) continue;
    CHECK(run["pool_queue_mean"] * time == Approx(run["pool_waiting_mean"] * run["pool_requests"]).margin(1e-9));
    CHECK(run["pool_busy_mean"] * time == Approx(run["pool_service_mean"] * run["pool_requests"]).margin(1e-9));
    CHECK(run["pool_utilization"] <= 1 + 1e-12);
  }
}

}  // namespace
}  // namespace loopsim
