// Where models of I/O stop keeping up: the highest rate of messages that a process bears, by its model, as a formula, and the simulation
// a tenth below and above it. Below, the second half of the messages is as late as the first; above, lateness grows as long as the run.
//
// N sockets, n of which get messages, with W of work for each, on one core; c a call, s a descriptor looked at, r an entry of
// epoll's list, u an entry handed to the ring, d one that is done. A busy process finds something at all n at each look:
//
//   nonblocking    a round of N reads brings n messages          (N - n) c / n + c + W for each
//   poll           a poll() and n reads                          (c + N s) / n + c + W
//   epoll          an epoll_wait() for at most 64                c / n + r + c + W
//   epoll-edge, signal   it reads until there is nothing: whatever a look costs, it brings ever more      c + W
//   async          an io_uring_enter() for all that are done     c / n + u + d + W
#include <array>
#include <map>
#include <string>

#include <fmt/format.h>

#include "loopsim/study.hpp"

#include "tests/support/simulate.hpp"

namespace loopsim {
namespace {

constexpr double kSockets = 60, kBusy = 6;
constexpr double kMicro = 1000, kCall = 1 * kMicro, kScan = 500, kReady = 300, kSubmit = 300, kComplete = 500,
                 kWork = 10 * kMicro;

std::map<std::string, double> measure(const std::string& model, double rate) {
  constexpr double kMessages = 6000;
  MetricsOptions options;
  options.io = true;
  const auto program = testing::compile_text(fmt::format(
      R"({{"runtime": "io", "machine": {{"cores": 1}}, "limits": {{"time": "{}us"}},
           "io": {{"model": "{}", "type": "datagram", "work": "10us",
                   "costs": {{"preset": "free", "call": "1us", "scan": "500ns", "ready": "300ns", "switch": "2us", "signal": "2us",
                              "submit": "300ns", "complete": "500ns"}},
                   "sockets": [{{"count": 54}}, {{"count": 6, "arrivals": [{{"poisson": {:.6f}}}]}}]}}}})",
      static_cast<std::int64_t>(kMessages / rate * 1e6), model, rate / kBusy));
  const std::unique_ptr<MetricsSink> sink = make_metrics_sink(options);
  const std::array<TraceSink*, 1> sinks = {sink.get()};
  run(*program, 1, sinks);
  const std::vector<Column> columns = metric_columns(options);
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (const auto value = number_of(sink->cells()[i])) values[columns[i].name] = *value;
  }
  return values;
}

}  // namespace

TEST_CASE("a process keeps up below the highest rate of its model, and not above", "[theory][io]") {
  const double one = kCall + kWork;
  const std::map<std::string, double> per_message = {
      {"nonblocking", (kSockets - kBusy) * kCall / kBusy + one},
      {"poll", (kCall + kSockets * kScan) / kBusy + one},
      {"epoll", kCall / kBusy + kReady + one},
      {"epoll-edge", one},
      {"signal", one},
      {"async", kCall / kBusy + kSubmit + kComplete + kWork},
  };
  for (const auto& [model, cost] : per_message) {
    const double highest = 1e9 / cost;
    INFO(model << ", " << highest << " a second");
    const auto below = measure(model, 0.9 * highest);
    CHECK(below.at("messages") > 0.99 * below.at("arrived"));
    CHECK(below.at("lateness_second_half") < 1.6 * below.at("lateness_first_half"));
    const auto above = measure(model, 1.1 * highest);
    CHECK(above.at("messages") < 0.93 * above.at("arrived"));
    CHECK(above.at("lateness_second_half") > 2 * above.at("lateness_first_half"));
  }
}

// Of messages that come one at a time: a switch, then the calls of the model.
TEST_CASE("a process that has little to do uses as much CPU for a message as its calls cost", "[theory][io]") {
  constexpr double kSwitch = 2 * kMicro, kSignal = 2 * kMicro;
  const std::map<std::string, double> per_message = {
      {"poll", 2 * kCall + 2 * kSockets * kScan + kSwitch + kWork},
      {"epoll", 2 * kCall + 2 * kReady + kSwitch + kWork},
      {"epoll-edge", 3 * kCall + kReady + kSwitch + kWork},
      {"signal", (kSockets + 3) * kCall + kSwitch + kSignal + kWork},
      {"signal-queue", 3 * kCall + kSwitch + kWork},
      {"async", kCall + kSubmit + kComplete + kSwitch + kWork},
      {"threads", kCall + kSwitch + kWork},
  };
  for (const auto& [model, cost] : per_message) {
    INFO(model);
    const auto measured = measure(model, 200);
    const double cpu = (measured.at("cpu_user") + measured.at("cpu_kernel")) * 1e6 / measured.at("messages");
    CHECK(cpu == Approx(cost).epsilon(0.02));
  }
}

}  // namespace loopsim
