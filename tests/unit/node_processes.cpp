// Child processes, signals and external inputs. Expected values: measured on real Node 4 to 26 on Linux.
#include <algorithm>
#include <vector>

#include "sim/machine/random.hpp"
#include "tests/support/simulate.hpp"

using loopsim::ExitReason;
using loopsim::testing::Lines;
using loopsim::testing::simulate;
using loopsim::testing::simulate_main;

namespace {

constexpr const char* kVersions[] = {"node-4",  "node-6",  "node-8",  "node-10", "node-11", "node-12", "node-14",
                                     "node-16", "node-18", "node-20", "node-22", "node-24", "node-26"};

std::string document(const std::string& inputs, const std::string& main) {
  return R"({"inputs": [)" + inputs + R"(], "main": [)" + main + "]}";
}

}  // namespace

TEST_CASE("a signal is told in poll after all else, each in a scope of its own", "[processes]") {
  const std::string main = R"(
    {"on": "process", "event": "SIGTERM", "as": "term", "do": [{"log": "term"}, {"nextTick": [{"log": "tick"}]}]},
    {"setTimeout": 5, "do": []},
    {"fs": "stat", "takes": "2ms", "do": [{"log": "file"}]},
    {"setImmediate": [{"kill": "process"}, {"kill": "process"}, {"cpu": "3ms"}, {"setImmediate": [{"log": "immediate"}]}]})";
  for (const char* runtime : kVersions)
    CHECK(simulate_main(main, runtime).output == Lines{"file", "term", "tick", "term", "tick", "immediate"});
}

TEST_CASE("more signals than the loop reads at once", "[processes]") {
  const auto run = simulate_main(R"(
    {"set": {"n": 0}}, {"on": "process", "event": "SIGUSR2", "do": [{"add": {"n": 1}}]},
    {"repeat": 100, "do": [{"kill": "process", "signal": "SIGUSR2"}]},
    {"setTimeout": 1, "do": [{"log": "{n}"}]})",
                                 "node-24");
  CHECK(run.output == Lines{"100"});
}

TEST_CASE("a signal without a listener ends the process where it stands, or does nothing", "[processes]") {
  const std::string main = R"({"on": "process", "event": "exit", "do": [{"log": "exit"}]},
                              {"setTimeout": 10, "do": [{"log": "timer"}]}, {"cpu": "4ms"}, {"log": "main"})";
  const auto killed = simulate(document(R"({"at": "3ms", "signal": "SIGHUP"})", main), "node-24");
  CHECK(killed.output.empty());
  CHECK(killed.summary.reason == ExitReason::signal);
  CHECK(killed.summary.exit_code == 129);
  CHECK(killed.summary.end_time == 3 * loopsim::kMillisecond);

  const auto asleep = simulate(document(R"({"at": "6.25ms", "signal": "SIGKILL"})", main), "node-8");
  CHECK(asleep.output == Lines{"main"});
  CHECK(asleep.summary.exit_code == 137);
  CHECK(asleep.summary.end_time == 6'250'000);

  const auto ignored = simulate(document(R"({"at": "6.25ms", "signal": "SIGWINCH"})", main), "node-8");
  CHECK(ignored.output == Lines{"main", "timer", "exit"});
  CHECK(ignored.summary.end_time == 10 * loopsim::kMillisecond);
}

TEST_CASE("once: with its last listener a signal loses its watcher, and what is in the pipe", "[processes]") {
  const std::string main = R"(
    {"once": "process", "event": "SIGUSR2", "do": [{"log": "once"}]},
    {"on": "process", "event": "exit", "do": [{"log": "exit {code}"}]},
    {"kill": "process", "signal": "SIGUSR2"}, {"kill": "process", "signal": "SIGUSR2"},
    {"setTimeout": 2, "do": [{"log": "timer"}, {"kill": "process", "signal": "SIGUSR2"}, {"log": "not reached"}]})";
  for (const char* runtime : kVersions) {
    const auto run = simulate_main(main, runtime);
    CHECK(run.output == Lines{"once", "timer"});
    CHECK(run.summary.exit_code == 140);
  }
}

TEST_CASE("children: reaped in the order of their start; killed; unreferenced", "[processes]") {
  const auto order = simulate_main(R"(
    {"spawn": "a", "takes": "3ms", "code": 1, "on": {"exit": [{"log": "a {code}"}]}},
    {"spawn": "b", "takes": "1ms", "code": 2, "on": {"exit": [{"log": "b {code}"}]}},
    {"spawn": "c", "takes": "9ms", "on": {"exit": [{"log": "c {code}"}]}}, {"cpu": "4ms"})",
                                   "node-20");
  CHECK(order.output == Lines{"a 1", "b 2", "c 0"});

  const std::string kill = R"(
    {"spawn": "x", "takes": "50ms", "as": "x", "on": {"exit": [{"log": "exit {code} {signal}"}], "close": [{"log": "close"}]}},
    {"kill": "x", "signal": "SIGCONT", "as": "sent"}, {"log": "{sent}"},
    {"setTimeout": 2, "do": [{"kill": "x", "as": "sent"}, {"log": "{sent}"}, {"kill": "x", "as": "sent"}, {"log": "{sent}"},
                             {"setImmediate": [{"kill": "x", "as": "sent"}, {"log": "{sent}"}]}]})";
  for (const char* runtime : kVersions)
    CHECK(simulate_main(kill, runtime).output == Lines{"true", "true", "true", "exit null SIGTERM", "close", "false"});

  const auto unref = simulate_main(
      R"({"spawn": "x", "takes": "50ms", "as": "x", "on": {"exit": [{"log": "exit"}]}}, {"unref": "x"}, {"setTimeout": 2, "do": []})",
      "node-16");
  CHECK(unref.output.empty());
  CHECK(unref.summary.end_time == 2 * loopsim::kMillisecond);
}

TEST_CASE("a command that there is not: error, then close, on a tick; without a listener it is thrown", "[processes]") {
  const auto told = simulate_main(R"(
    {"spawn": "none", "error": "ENOENT", "as": "x", "on": {
      "spawn": [{"log": "spawn"}], "error": [{"log": "{error.message}"}], "exit": [{"log": "exit"}], "close": [{"log": "close {code}"}]}},
    {"kill": "x", "as": "sent"}, {"log": "{sent}"}, {"setImmediate": [{"log": "immediate"}]})",
                                  "node-22");
  CHECK(told.output == Lines{"false", "spawn none ENOENT", "close -2", "immediate"});
  CHECK(simulate_main(R"({"spawn": "none", "error": "ENOENT"})", "node-22").summary.exit_code == 1);
}

TEST_CASE("clients from outside: refused, kept waiting, ended and closed", "[processes]") {
  const auto run =
      simulate(document(R"({"at": "1ms", "connect": 9999, "as": "lost"}, {"at": "1ms", "write": "lost", "data": "x"},
                  {"at": "2ms", "connect": 8080, "as": "c"}, {"at": "3ms", "write": "c", "data": "one "},
                  {"at": "4ms", "write": "c", "data": "two"}, {"at": "8ms", "end": "c"}, {"at": "8ms", "end": "c"},
                  {"at": "9ms", "write": "c", "data": "no more"}, {"at": "9ms", "destroy": "c"})",
                        R"({"listen": 8080, "as": "server", "on": {"connection": [
                    {"log": "connection {now}"},
                    {"on": "value", "event": "data", "do": [{"log": "{value} {now}"}]},
                    {"on": "value", "event": "end", "do": [{"log": "end {now}"}]},
                    {"on": "value", "event": "close", "do": [{"log": "close {now}"}, {"close": "server"}]}]}},
                  {"setTimeout": 1, "do": [{"cpu": "4ms"}]})"),
               "node-24");
  CHECK(run.output == Lines{"connection 5", "one two 5", "end 8", "close 8"});
  CHECK(run.summary.end_time == 8 * loopsim::kMillisecond);
}

TEST_CASE("what happens at the same moment happens in the order of the list, before the pool's work", "[processes]") {
  const auto run = simulate(document(R"({"at": "5ms", "connect": 8080, "as": "a"}, {"at": "5ms", "signal": "SIGTERM"})",
                                     R"({"on": "process", "event": "SIGTERM", "do": [{"log": "signal"}, {"exit": 0}]},
                  {"listen": 8080, "on": {"connection": [{"log": "connection"}]}},
                  {"fs": "stat", "takes": "5ms", "do": [{"log": "file"}]})"),
                            "node-24");
  CHECK(run.output == Lines{"connection", "file", "signal"});
  std::vector<std::string> inputs;
  for (const auto& kept : run.events) {
    if (kept.event.kind == loopsim::EventKind::input) inputs.push_back(kept.text);
  }
  CHECK(inputs == std::vector<std::string>{"a connects to port 8080", "SIGTERM"});
}

TEST_CASE("a signal ends a process that waits busily for the fraction of a delay", "[processes]") {
  const auto run = simulate(
      document(R"({"at": "10.383154ms", "signal": "SIGUSR2"})", R"({"setInterval": 2.5, "do": [{"cpu": "7ms"}]})"),
      "node-10");
  CHECK(run.summary.exit_code == 140);
  CHECK(run.summary.end_time == 10'383'154);
}

// Real Node 8 prints the same: the tick after 'exit' lets microtasks run after the ticks, so the rejection is first.
TEST_CASE("behind a child's exit stands a tick of Node's own", "[processes]") {
  const std::string main = R"({"on": "process", "event": "unhandledRejection", "do": [{"log": "rejection"}]},
      {"then": null, "as": "q", "do": []},
      {"spawn": "work", "takes": "1ms", "on": {"exit": [{"then": "q", "do": [
        {"listen": 8080, "as": "server", "on": {"listening": [{"log": "listening"}, {"close": "server"}]}},
        {"throw": null}]}]}})";
  CHECK(simulate(document("", main), "node-8").output == Lines{"rejection", "listening"});
  CHECK(simulate(document("", main), "node-24").output == Lines{"listening", "rejection"});
}

TEST_CASE("that tick has the name of its child, also where another one has begun meanwhile", "[processes]") {
  const auto run = simulate_main(R"({"spawn": "none", "error": "ENOENT", "on": {"error": []}},
      {"nextTick": [{"spawn": "other", "takes": "1ms", "as": "other"}]})",
                                 "node-24");
  std::vector<std::uint32_t> names;
  for (const auto& kept : run.events) {
    if (kept.text == "flushStdio") names.push_back(kept.event.name);
  }
  REQUIRE(names.size() == 4);  // each is queued, and taken
  CHECK(names[0] == loopsim::kNoName);
  CHECK(names[1] == loopsim::kNoName);
  CHECK(names[2] != loopsim::kNoName);
  CHECK(names[3] == names[2]);
}

TEST_CASE("an exception in a listener of a child is one like any other", "[processes]") {
  for (const char* runtime : {"node-4", "node-12", "node-16", "node-24"}) {
    const auto run = simulate_main(
        R"({"spawn": "x", "takes": "1ms", "on": {"exit": [{"throw": "thrown"}], "close": [{"log": "never"}]}})",
        runtime);
    CHECK(run.output.empty());
    CHECK(run.summary.reason == loopsim::ExitReason::uncaught_exception);
    for (const auto& kept : run.events)
      if (kept.event.kind == loopsim::EventKind::error_log) CHECK(kept.text == "Uncaught Error: thrown");
  }
}

TEST_CASE("a listener of a signal is given its name and number, from Node 8 on, and what it throws is like any other",
          "[processes]") {
  const auto run_in = [](const char* runtime) {
    return simulate(R"({"functions": {"heard": {"parameters": ["name", "number"],
        "do": [{"log": "{name} {number}"}, {"nextTick": [{"log": "tick"}]}, {"throw": "x"}]}},
      "main": [{"on": "process", "event": "uncaughtException", "do": [{"log": "caught {error.message}"}]},
        {"on": "process", "event": "SIGUSR2", "do": "heard"}, {"kill": "process", "signal": "SIGUSR2"},
        {"setTimeout": 5, "do": [{"log": "timer"}]}]})",
                    runtime);
  };
  for (const char* runtime : {"node-4", "node-6"})
    CHECK(run_in(runtime).output == Lines{"undefined undefined", "caught x", "tick", "timer"});
  for (const char* runtime : {"node-8", "node-10", "node-12", "node-16", "node-20", "node-26"})
    CHECK(run_in(runtime).output == Lines{"SIGUSR2 12", "caught x", "tick", "timer"});

  for (const char* runtime : kVersions) {
    const auto run = simulate_main(
        R"({"on": "process", "event": "SIGUSR2", "do": [{"throw": "x"}]}, {"kill": "process", "signal": "SIGUSR2"},
           {"on": "process", "event": "exit", "do": [{"log": "exit {code}"}]}, {"setTimeout": 5, "do": []})",
        runtime);
    CHECK(run.output == Lines{"exit 1"});
    CHECK(run.summary.exit_code == 1);
    Lines errors;
    for (const auto& kept : run.events)
      if (kept.event.kind == loopsim::EventKind::error_log) errors.push_back(kept.text);
    CHECK(errors == Lines{"Uncaught Error: x"});
  }
}

TEST_CASE("every source of bursts draws its pauses from a stream of its own", "[processes]") {
  const std::string source =
      R"({"every": "1ms", "count": 1, "bursts": {"on": "1s", "off": {"exponential": "5ms"}}, "signal": "SIGWINCH"})";
  const auto run = simulate(R"({"seed": 7, "inputs": [)" + source + ", " + source + ", " + source +
                            R"(], "main": [{"setTimeout": 1000, "do": []}]})");
  std::vector<loopsim::TimeNs> times, expected;
  for (const auto& kept : run.events)
    if (kept.event.kind == loopsim::EventKind::input) times.push_back(kept.event.a);
  loopsim::Duration off;
  off.kind = loopsim::Duration::Kind::exponential;
  off.a = 5 * loopsim::kMillisecond;
  for (const std::uint32_t index : {0U, 1U, 2U})
    expected.push_back(loopsim::Sampler(off, 7, loopsim::MachineStream::on_off, 2 * index + 1).draw() +
                       loopsim::kMillisecond);
  std::ranges::sort(expected);
  CHECK(times == expected);
}
