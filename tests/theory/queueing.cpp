// Compares the simulator with queueing theory: the mean over independent replications must agree with exact formulas.
//
// A check passes if the formula's value lies in the 99.9 % confidence interval of the simulated mean (Student t over
// the replications), and if that interval is narrow enough to be meaningful. Seeds are fixed, so the outcome is too.
// All arrivals are Poisson. The servers are the loop's thread, the pool's threads, or the cores.
//
//   Kleinrock, Queueing Systems, volume 1 (1975): M/M/1, M/G/1 (Pollaczek-Khinchine), M/M/c (Erlang C), M/M/1//N
//   Kleinrock, volume 2 (1976), chapter 4: M/G/1 with processor sharing
//   Kleinrock, volume 2, chapter 2.7: the fluid approximation of an overloaded queue
//   Little, A proof for the queueing formula L = lambda W, Operations Research 9 (1961)
#include <array>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include "loopsim/study.hpp"

#include "sim/study/seeds.hpp"
#include "sim/study/statistics.hpp"
#include "tests/support/simulate.hpp"

namespace loopsim {
namespace {

using study::Moments;

constexpr double kStrict = 0.999;
constexpr std::uint64_t kSeed = 20261121;

// Metrics over replications.
class Replications {
 public:
  Replications(const std::string& document, int count, const MetricsOptions& options) {
    const auto program = testing::compile_text(document);
    const std::unique_ptr<MetricsSink> sink = make_metrics_sink(options);
    const std::array<TraceSink*, 1> sinks = {sink.get()};
    const std::vector<Column> columns = metric_columns(options);
    for (int k = 0; k < count; ++k) {
      const RunSummary summary = run(*program, study::replication_seed(kSeed, static_cast<std::uint64_t>(k)), sinks);
      REQUIRE(summary.limit == LimitKind::none);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (const auto value = number_of(sink->cells()[i])) moments_[columns[i].name].add(*value);
        if (columns[i].name != kGrowingColumn) continue;
        const auto* const growing = std::get_if<std::string>(&sink->cells()[i]);
        if (growing != nullptr && *growing != kNothingGrows) ++growing_;
      }
    }
  }

  // The metric's mean is `expected`; the half-width of its confidence interval is at most `width` times that.
  void check(const std::string& metric, double expected, double width) const {
    const Moments& sample = moments_.at(metric);
    const double half = study::half_width(sample, kStrict);
    INFO(metric << ": " << sample.mean() << " +- " << half << ", theory says " << expected);
    CHECK(std::abs(sample.mean() - expected) <= half);
    CHECK(half <= width * expected);
  }
  [[nodiscard]] double mean(const std::string& metric) const { return moments_.at(metric).mean(); }
  [[nodiscard]] int growing() const { return growing_; }  // runs in which something grew to the end

 private:
  int growing_ = 0;
  std::map<std::string, Moments> moments_;
};

// Signals as customers of the loop's thread, for 45 s; the callers' options take the first 5 s as warm-up.
std::string one_server(double per_second, const std::string& service) {
  return fmt::format(R"({{"inputs": [{{"poisson": {}, "signal": "SIGUSR2", "until": "45s"}}],
      "limits": {{"callbacks": 10000000}},
      "main": [{{"on": "process", "event": "SIGUSR2", "as": "request", "do": [{{"cpu": {}}}]}},
               {{"setTimeout": 45000, "do": [{{"exit": 0}}]}}]}})",
                     per_second, service);
}

const MetricsOptions kOneServer = {.callbacks = {"request"}, .warm_up = 5 * kSecond};

// The mean waiting time of M/G/1 in ms: lambda E[S^2] / (2 (1 - rho)), S in ms, lambda in 1/ms.
double pollaczek_khinchine(double lambda, double mean, double second_moment) {
  return lambda * second_moment / (2 * (1 - lambda * mean));
}

// The probability of having to wait in M/M/c with a = lambda / mu.
double erlang_c(int servers, double a) {
  double term = 1;
  double sum = 0;
  for (int k = 0; k < servers; ++k) {
    sum += term;
    term *= a / (k + 1);
  }
  const double all_busy = term * servers / (servers - a);
  return all_busy / (sum + all_busy);
}

// CPU work on the pool, submitted by signal listeners.
std::string pool_work(double per_second, const std::string& work, int threads, const std::string& machine) {
  return fmt::format(R"({{"runtime": {{"threadpool": {}}}, "machine": {}, "limits": {{"callbacks": 10000000}},
      "inputs": [{{"poisson": {}, "signal": "SIGUSR2", "until": "45s"}}],
      "main": [{{"on": "process", "event": "SIGUSR2", "do": [{{"crypto": "pbkdf2", "cpu": {}, "do": []}}]}},
               {{"setTimeout": 45000, "do": [{{"exit": 0}}]}}]}})",
                     threads, machine, per_second, work);
}

const MetricsOptions kPool = {.callbacks = {}, .warm_up = 5 * kSecond};

}  // namespace

TEST_CASE("M/M/1: the loop as one server with exponential service", "[theory]") {
  for (const double rho : {0.3, 0.6, 0.8}) {
    const double lambda = rho / 5;  // in 1/ms, at 5 ms of service
    const Replications runs(one_server(lambda * 1000, R"({"exponential": "5ms"})"), 40, kOneServer);
    const double waiting = pollaczek_khinchine(lambda, 5, 2 * 5 * 5);
    CHECK(waiting == Approx(rho * 5 / (1 - rho)));  // the textbook formula of M/M/1
    runs.check("request.lateness_mean", waiting, 0.12);
    runs.check("utilization", rho, 0.02);                // the utilisation law: U = lambda S
    runs.check("waiting_mean", lambda * waiting, 0.13);  // Little's law for the waiting customers
    runs.check("request.throughput", lambda * 1000, 0.015);
  }
}

TEST_CASE("M/D/1 and M/G/1: the Pollaczek-Khinchine formula", "[theory]") {
  constexpr double kLambda = 0.12;  // in 1/ms
  const Replications fixed(one_server(120, R"("5ms")"), 40, kOneServer);
  fixed.check("request.lateness_mean", pollaczek_khinchine(kLambda, 5, 25), 0.05);
  const Replications uniform(one_server(120, R"({"uniform": ["0ms", "10ms"]})"), 40, kOneServer);
  uniform.check("request.lateness_mean", pollaczek_khinchine(kLambda, 5, 100.0 / 3), 0.05);
  // Two service times, 1 and 9 ms: the same mean, and a variance of 16 ms^2, above that of the uniform times.
  const Replications two(one_server(120, R"({"choice": ["1ms", "9ms"]})"), 40, kOneServer);
  two.check("request.lateness_mean", pollaczek_khinchine(kLambda, 5, (1 + 81) / 2.0), 0.06);
}

TEST_CASE("M/M/1 with clients: response time, and Little's law for those in the system", "[theory]") {
  // Each connection is accepted, needs 5 ms of CPU on average, and is ended, which answers its client.
  const std::string server = R"({"limits": {"callbacks": 10000000},
      "inputs": [{"poisson": 120, "connect": 8080, "until": "45s"}],
      "main": [{"listen": 8080, "as": "server", "on": {"connection": [{"cpu": {"exponential": "5ms"}}, {"end": "value"}]}},
               {"setTimeout": 45000, "do": [{"exit": 0}]}]})";
  const Replications runs(server, 40, {.callbacks = {"server.connection"}, .warm_up = 5 * kSecond});
  runs.check("response_mean", 5 / (1 - 0.6), 0.06);
  runs.check("server.connection.lateness_mean", 0.6 * 5 / (1 - 0.6), 0.08);
  runs.check("in_system_mean", 0.6 / (1 - 0.6), 0.08);
  runs.check("answer_throughput", 120, 0.01);
}

TEST_CASE("M/M/c: the thread pool, and Erlang's C formula", "[theory]") {
  for (const int servers : {1, 2, 4, 8}) {
    const double rho = 0.75;
    const double lambda = rho * servers / 20;  // in 1/ms, at 20 ms of work
    const Replications runs(pool_work(lambda * 1000, R"({"exponential": "20ms"})", servers, R"("ideal")"), 40, kPool);
    const double waits = erlang_c(servers, rho * servers);
    const double waiting = waits * 20 / (servers * (1 - rho));
    runs.check("pool_waiting_mean", waiting, 0.2);
    runs.check("pool_queue_mean", lambda * waiting, 0.2);  // Little's law
    runs.check("pool_utilization", rho, 0.03);
    runs.check("pool_service_mean", 20, 0.02);
  }
  CHECK(erlang_c(1, 0.75) == Approx(0.75));
  CHECK(erlang_c(4, 3) == Approx(0.509434).margin(1e-6));
}

TEST_CASE("processor sharing: computations of the pool on one core", "[theory]") {
  // A thread for every request: none waits, all share the core. The mean does not depend on the distribution.
  for (const char* work : {R"({"exponential": "10ms"})", R"("10ms")", R"({"uniform": ["0ms", "20ms"]})"}) {
    const Replications runs(pool_work(60, work, 256, R"({"cores": 1})"), 40, kPool);
    runs.check("pool_service_mean", 10 / (1 - 0.6), 0.08);
    runs.check("pool_busy_mean", 0.6 / (1 - 0.6), 0.1);
    CHECK(runs.mean("pool_waiting_mean") == 0);
  }
  // Two cores: the number in the system is that of M/M/2.
  const Replications two(pool_work(120, R"({"exponential": "10ms"})", 256, R"({"cores": 2})"), 40, kPool);
  two.check("pool_service_mean", 10 + erlang_c(2, 1.2) * 10 / (2 - 1.2), 0.06);
  // A core of twice the speed.
  const Replications fast(pool_work(120, R"({"exponential": "10ms"})", 256, R"({"cores": 1, "speed": 2})"), 40, kPool);
  fast.check("pool_service_mean", 5 / (1 - 0.6), 0.08);
}

TEST_CASE("a scheduler: computations of the pool on one core", "[theory]") {
  // Exponential work: whoever decides without knowing what is left, and lets no time pass, has the same mean.
  for (const char* policy : {"cfs", "eevdf"}) {
    const std::string machine = fmt::format(R"({{"cores": 1, "scheduler": "{}"}})", policy);
    const Replications runs(pool_work(60, R"({"exponential": "10ms"})", 256, machine), 40, kPool);
    runs.check("pool_service_mean", 10 / (1 - 0.6), 0.08);
    runs.check("pool_busy_mean", 0.6 / (1 - 0.6), 0.1);
  }
  // Fixed work: with slices far shorter than it, processor sharing.
  const Replications fine(pool_work(60, R"("10ms")", 256,
                                    R"({"cores": 1, "scheduler": {"policy": "eevdf", "baseSlice": "0.1ms",
                                        "tick": "0.1ms"}})"),
                          20, kPool);
  fine.check("pool_service_mean", 10 / (1 - 0.6), 0.08);
}

TEST_CASE("fair load: the others' threads and the loop's share a core", "[theory]") {
  // One other, always runnable thread takes half of the core: M/M/1 with service times of 10 ms instead of 5.
  const std::string document = R"({"machine": {"cores": 1, "load": {"share": 1, "policy": "fair"}},
      "limits": {"callbacks": 10000000}, "inputs": [{"poisson": 60, "signal": "SIGUSR2", "until": "45s"}],
      "main": [{"on": "process", "event": "SIGUSR2", "as": "request", "do": [{"cpu": {"exponential": "5ms"}}]},
               {"setTimeout": 45000, "do": [{"exit": 0}]}]})";
  const Replications runs(document, 40, kOneServer);
  runs.check("request.lateness_mean", 0.6 * 10 / (1 - 0.6), 0.1);
  runs.check("utilization", 0.6, 0.03);
}

TEST_CASE("preemptive load: how long a computation takes that begins at any moment", "[theory]") {
  // The load is busy for 3 ms and idle for 2 ms on average, both exponential. A computation of 10 ms that starts at
  // a time independent of the load waits with probability 0.6, for 3 ms on average, and is then preempted by 10 / 2
  // bursts of 3 ms on average: 0.6 * 3 + 10 + 5 * 3. The main script starts at such a time.
  const auto program =
      testing::compile_text(R"({"machine": {"cores": 1, "load": {"share": 0.6}}, "main": [{"cpu": "10ms"}]})");
  Moments took;
  for (std::uint64_t k = 0; k < 10000; ++k)
    took.add(static_cast<double>(run(*program, study::replication_seed(kSeed, k), {}).end_time) / 1e6);
  const double half = study::half_width(took, kStrict);
  INFO(took.mean() << " +- " << half);
  CHECK(std::abs(took.mean() - (0.6 * 3 + 10 + 5 * 3)) <= half);
  CHECK(half < 0.4);
}

TEST_CASE("a closed system: clients that think, and the interactive response time law", "[theory]") {
  constexpr int kClients = 5;
  constexpr double kService = 10;  // ms
  constexpr double kThink = 50;
  const std::string document = R"({"limits": {"callbacks": 10000000},
      "inputs": [{"clients": 5, "think": {"exponential": "50ms"}, "connect": 8080, "until": "45s"}],
      "main": [{"listen": 8080, "on": {"connection": [{"cpu": {"exponential": "10ms"}}, {"end": "value"}]}},
               {"setTimeout": 45000, "do": [{"exit": 0}]}]})";
  double sum = 0;
  double term = 1;  // N! / (N - k)! (S / Z)^k
  for (int k = 0; k <= kClients; ++k) {
    sum += term;
    term *= (kClients - k) * kService / kThink;
  }
  const double throughput = (1 - 1 / sum) / kService;  // M/M/1//N, in 1/ms
  const Replications runs(document, 40, {.callbacks = {}, .warm_up = 5 * kSecond});
  runs.check("answer_throughput", throughput * 1000, 0.01);
  runs.check("response_mean", kClients / throughput - kThink, 0.03);
  runs.check("utilization", throughput * kService, 0.02);
}

// Requests for the pool's one thread, 5 ms of work on average, for `seconds`.
std::string one_thread(double per_second, int seconds) {
  return fmt::format(R"({{"runtime": {{"threadpool": 1}}, "limits": {{"callbacks": 10000000}},
      "inputs": [{{"poisson": {}, "signal": "SIGUSR2", "until": "{}s"}}],
      "main": [{{"on": "process", "event": "SIGUSR2", "do": [
                 {{"crypto": "pbkdf2", "cpu": {{"exponential": "5ms"}}, "do": []}}]}},
               {{"setTimeout": {}, "do": [{{"exit": 0}}]}}]}})",
                     per_second, seconds, seconds * 1000);
}

TEST_CASE("M/M/1 in overload: the waiting time grows with the run", "[theory]") {
  // At the time t the server is at the customer that came at t / rho, who has waited for (1 - 1 / rho) t.
  for (const double rho : {1.5, 2.5}) {
    for (const int seconds : {20, 40}) {
      const Replications runs(one_thread(rho * 200, seconds), 20, {});
      const double last = (1 - 1 / rho) * seconds * 1000;
      runs.check("pool_waiting_first_half", last / 4, 0.1);
      runs.check("pool_waiting_second_half", last * 3 / 4, 0.1);
      CHECK(runs.growing() == 20);
    }
  }
}

TEST_CASE("M/M/1: how often a queue seems to grow", "[theory]") {
  // Loads of 0.5, 0.8, 0.9 and 1.1. 45 s are 9000 services: two dozen relaxation times at a load of 0.9, five at 0.95.
  CHECK(Replications(one_thread(100, 45), 40, {}).growing() == 0);
  CHECK(Replications(one_thread(160, 45), 40, {}).growing() == 0);
  CHECK(Replications(one_thread(180, 45), 40, {}).growing() <= 1);
  CHECK(Replications(one_thread(220, 45), 40, {}).growing() >= 38);
}

TEST_CASE("bursts: a source that is on for a fifth of the time", "[theory]") {
  const std::string document = R"({"limits": {"callbacks": 10000000},
      "inputs": [{"poisson": 500, "bursts": {"on": {"exponential": "10ms"}, "off": {"exponential": "40ms"}},
                  "signal": "SIGUSR2", "until": "45s"}],
      "main": [{"on": "process", "event": "SIGUSR2", "as": "request", "do": []}, {"setTimeout": 45000, "do": [{"exit": 0}]}]})";
  const Replications runs(document, 40, kOneServer);
  runs.check("request.throughput", 100, 0.05);
}

}  // namespace loopsim
