// The machine: the assignment of cores to threads. Expected times: derived by hand from the rules in docs/machine.md.
#include "sim/machine/machine.hpp"

#include <string>
#include <vector>

#include "sim/machine/ring_queue.hpp"
#include "tests/support/simulate.hpp"

using loopsim::EventKind;
using loopsim::kMillisecond;
using loopsim::StallReason;
using loopsim::testing::Lines;
using loopsim::testing::Run;
using loopsim::testing::simulate_main;

namespace {

Run on_machine(const std::string& machine, const std::string& main, const std::string& more = "") {
  return simulate_main(main, "", R"("machine": )" + machine + more);
}

// A computation of 10 ms in an immediate; the begin of `done` shows when it is over.
const std::string kCompute = R"({"setImmediate": [{"cpu": "10ms"}, {"setImmediate": [], "as": "done"}]})";

}  // namespace

TEST_CASE("speed divides what is computed, and nothing else", "[machine]") {
  CHECK(on_machine(R"({"speed": 2})", kCompute).callbacks.back() == "done@5");
  CHECK(on_machine(R"({"speed": 0.5})", kCompute).callbacks.back() == "done@20");
  CHECK(on_machine(R"({"speed": 2})", R"({"fs": "stat", "takes": "10ms", "as": "f", "do": [{"spin": "4ms"}]})")
            .summary.end_time == 14 * kMillisecond);
}

TEST_CASE("preemptive load: a computation goes on where it was interrupted", "[machine]") {
  const std::string load = R"({"cores": 1, "load": {"busy": "6ms", "every": "10ms", "offset": "2ms"}})";
  const Run run = on_machine(load, kCompute);
  CHECK(run.callbacks.back() == "done@28");  // runs 0-2, 8-12, 18-22; the load then has the core until 28
  std::vector<std::string> waits;
  for (const auto& kept : run.events) {
    if (kept.event.kind != EventKind::stall) continue;
    CHECK(static_cast<StallReason>(kept.event.detail) == StallReason::preempted);
    waits.push_back(loopsim::testing::in_ms(kept.event.a) + "+" + loopsim::testing::in_ms(kept.event.b));
  }
  CHECK(waits == Lines{"2+6", "12+6", "22+6"});
}

TEST_CASE("fair load: the core is shared while the others want it", "[machine]") {
  // The core is shared from 2 to 8 ms and from 12 to 18 ms: by 14 ms, 2 + 3 + 4 + 1 of the 10 ms are done.
  CHECK(on_machine(R"({"cores": 1, "load": {"busy": "6ms", "every": "10ms", "offset": "2ms", "policy": "fair"}})",
                   kCompute)
            .callbacks.back() == "done@14");
  // Three other threads on two cores: each of the four has half a core.
  CHECK(
      on_machine(R"({"cores": 2, "load": {"share": 1, "threads": 3, "policy": "fair"}})", kCompute).callbacks.back() ==
      "done@20");
  // One other thread on two cores leaves a core free.
  CHECK(
      on_machine(R"({"cores": 2, "load": {"share": 1, "threads": 1, "policy": "fair"}})", kCompute).callbacks.back() ==
      "done@10");
  CHECK(on_machine(R"({"cores": 2, "load": {"busy": "9ms", "every": "10ms", "threads": 1}})", kCompute)
            .callbacks.back() == "done@10");
}

// The schedulers alone are tested in scheduler.cpp; here is what a process sees of them. One core, ticks at 4, 8, 12 ...
TEST_CASE("under a scheduler the process has the core in slices", "[machine][scheduler]") {
  const auto waits_of = [](const Run& run) {
    Lines waits;
    for (const auto& kept : run.events) {
      if (kept.event.kind != EventKind::stall) continue;
      CHECK(static_cast<StallReason>(kept.event.detail) == StallReason::preempted);
      waits.push_back(loopsim::testing::in_ms(kept.event.a) + "+" + loopsim::testing::in_ms(kept.event.b));
    }
    return waits;
  };
  const std::string load = R"("load": {"busy": "6ms", "every": "10ms", "offset": "2ms"}})";
  // Virtual times of the process p and the other program o; a slice is 3.
  //  2: o wakes up at 0, p is at 2, more than the granularity of 1 behind: o.    8: o has had its 6: p.
  // 12: o wakes up at 6, p is at 6; but the tick finds that p has had 4 > 3: o.  16: o has had 4: p.
  // 20: p has had 4, and all its 10; the core is o's, with 2 left of its burst, and from 22 on 6 more.
  // 24: o has had 4 > 3: p, which calls `done`.
  const Run cfs = on_machine(R"({"cores": 1, "scheduler": {"policy": "cfs", "phase": "0ms"}, )" + load, kCompute);
  CHECK(cfs.callbacks.back() == "done@24");
  CHECK(waits_of(cfs) == Lines{"2+6", "12+4", "20+4"});
  // Slices of 0.75. 2: p is at 2, past its deadline, and gets 2.75; o is put at the average of 2, with the same deadline,
  // and goes first. 4: o is at 4, above the average of 3: p. 8: p is at 6, average 5: o, with 4 left of its burst.
  // 12: o is at 8, and has its next burst at once; the average is 7: p, at 6. 16: p is at 10, has had its 10, and is
  // above the average of 9: o. 20: o is at 12, average 11: p, which calls `done`.
  const Run eevdf = on_machine(R"({"cores": 1, "scheduler": {"policy": "eevdf", "phase": "0ms"}, )" + load, kCompute);
  CHECK(eevdf.callbacks.back() == "done@20");
  CHECK(waits_of(eevdf) == Lines{"2+2", "8+4", "16+4"});
}

TEST_CASE("under a scheduler the pool's threads have slices of their own", "[machine][scheduler]") {
  const std::string work = R"({"crypto": "pbkdf2", "cpu": "10ms", "as": "key", "do": []},
      {"zlib": "gzip", "cpu": "10ms", "as": "zip", "do": []}, {"cpu": "10ms"})";
  const std::string cfs = R"("scheduler": {"policy": "cfs", "phase": "0ms"}})";
  // Slices of 2, so each tick switches: the script has 0 to 4 and 12 to 16, the key 4 to 8 and 16 to 20, the zip 8 to 12
  // and 20 to 24; then the script 24 to 26, the key 26 to 28, the zip 28 to 30. At 28 the script's thread wakes up at 10,
  // and the zip is at 8: it has to wait.
  CHECK(on_machine(R"({"cores": 1, )" + cfs, work).callbacks == Lines{"key@30", "zip@30"});
  CHECK(on_machine(R"({"cores": 3, )" + cfs, work).callbacks == Lines{"key@10", "zip@10"});
  // Who waits for a disk needs a core only to find that it waits no more.
  CHECK(
      on_machine(R"({"cores": 1, )" + cfs, R"({"fs": "read", "takes": "10ms", "as": "file", "do": []}, {"cpu": "9ms"})")
          .callbacks == Lines{"file@10"});
  CHECK(on_machine(R"({"cores": 1, "speed": 2, )" + cfs, kCompute).callbacks.back() == "done@5");
}

TEST_CASE("a scheduler obeys stalls and quotas", "[machine][scheduler]") {
  const std::string eevdf = R"({"cores": 1, "scheduler": {"policy": "eevdf", "phase": "0ms"}, )";
  CHECK(on_machine(eevdf + R"("stalls": [{"at": "2ms", "for": "5ms"}]})", kCompute).callbacks.back() == "done@15");
  CHECK(on_machine(eevdf + R"("stalls": [{"at": "8ms", "for": "5ms"}]})",
                   R"({"fs": "read", "takes": "10ms", "as": "file", "do": []})")
            .callbacks == Lines{"file@13"});
  // A portion of 5 lasts until it is seen to be used up, at the tick of 8: the next 3 are paid back. In the period from
  // 10 on the core gets 4 of 5, to have 1, and takes the 1 that is left at the tick of 12: 0. So 8, and 2: done at 12,
  // when the next tick has just found that nothing is left, so that `done` has to wait.
  const Run run = on_machine(eevdf + R"("quota": {"quota": "5ms", "period": "10ms"}})", kCompute);
  CHECK(run.callbacks.back() == "done@20");
  bool told = false;
  for (const auto& kept : run.events) {
    told = told || (kept.event.kind == EventKind::stall &&
                    static_cast<StallReason>(kept.event.detail) == StallReason::throttled);
  }
  CHECK(told);
}

TEST_CASE("a hypervisor's thefts stop a core", "[machine][scheduler]") {
  const Run run =
      on_machine(R"({"cores": 1, "scheduler": "eevdf", "steal": {"takes": "3ms", "between": "4ms"}})", kCompute);
  loopsim::TimeNs stolen = 0;
  for (const auto& kept : run.events) {
    if (kept.event.kind != EventKind::stall) continue;
    CHECK(static_cast<StallReason>(kept.event.detail) == StallReason::stolen);
    stolen += kept.event.b;
  }
  CHECK(stolen >= 6 * kMillisecond);  // in 10 ms of work fall two thefts at least, three at most
  CHECK(stolen <= 9 * kMillisecond);
  CHECK(run.summary.end_time == 10 * kMillisecond + stolen);
  // It is as long ago as it would be if somebody had looked: a core that was idle for a second.
  const Run later = on_machine(R"({"cores": 1, "scheduler": "eevdf", "steal": {"takes": "3ms", "between": "4ms"}})",
                               R"({"setTimeout": 1000, "do": [{"cpu": "1ms"}]})");
  CHECK(later.summary.end_time >= 1001 * kMillisecond);
  CHECK(later.summary.end_time <= 1007 * kMillisecond);
}

TEST_CASE("a thread of the pool needs a core that is not stolen to be done", "[machine][scheduler]") {
  const Run run = on_machine(R"({"cores": 1, "scheduler": "eevdf", "steal": {"takes": "100ms", "between": "1us"}})",
                             R"({"fs": "read", "takes": "10ms", "as": "file", "do": []})");
  loopsim::TimeNs ready = 0;
  for (const auto& kept : run.events)
    if (kept.event.kind == EventKind::callback_begin) ready = kept.event.a;
  CHECK(ready >= 100 * kMillisecond);
}

TEST_CASE("a timeout is late by the kernel's slack, and by how deep the core sleeps", "[machine]") {
  const auto end_of = [](const std::string& machine, int delay) {
    const std::string main = R"({"setTimeout": )" + std::to_string(delay) + R"(, "do": []})";
    return loopsim::testing::in_ms(on_machine(machine, main).summary.end_time);
  };
  CHECK(end_of(R"({"timerSlack": "50us"})", 10) == "10.05");
  const std::string states =
      R"({"wakeup": "10us", "idleStates": [{"after": "5ms", "wakeup": "100us"}, {"after": "50ms", "wakeup": "200us"}]})";
  CHECK(end_of(states, 4) == "4.01");
  CHECK(end_of(states, 5) == "5.1");
  CHECK(end_of(states, 60) == "60.2");
  // Under a scheduler a core that is at work looks at once, and the other program goes on until the tick.
  const std::string busy = R"({"cores": 1, "wakeup": "10ms", "scheduler": {"policy": "eevdf", "phase": "0ms"},
      "load": {"share": 1}})";
  CHECK(end_of(busy, 20) == "24");
}

TEST_CASE("callbacks after a pause are cold", "[machine]") {
  const std::string cold = R"({"overhead": {"callback": "10us", "cold": "80us"}})";
  CHECK(on_machine(cold, R"({"setTimeout": 10, "as": "a", "do": []}, {"setTimeout": 10, "as": "b", "do": []},
                            {"setTimeout": 10, "as": "c", "do": [{"cpu": "2ms"}]}, {"setTimeout": 10, "as": "d", "do": []})")
            .callbacks == Lines{"a@10.09", "b@10.1", "c@10.11", "d@12.2"});
}

TEST_CASE("a callback computes longer before it is warm", "[machine]") {
  // 1 ms each: 3, 2.5, 2, 1.5, 1, 1. The other has calls of its own.
  const Run run = on_machine(R"({"warmUp": {"factor": 3, "calls": 4}})", R"({"repeat": 6, "do": [
      {"setImmediate": [{"cpu": "1ms"}], "as": "a"}]}, {"setImmediate": [{"cpu": "1ms"}], "as": "b"})");
  CHECK(run.callbacks == Lines{"a@0", "a@3", "a@5.5", "a@7.5", "a@9", "a@10", "b@11"});
  CHECK(run.summary.end_time == 14 * kMillisecond);
  CHECK(on_machine(R"({"warmUp": {"factor": 3, "calls": 4}})", R"({"cpu": "10ms"})").summary.end_time ==
        30 * kMillisecond);
}

TEST_CASE("what sockets find in poll costs", "[machine]") {
  const std::string main =
      R"({"listen": 80, "as": "server", "on": {"connection": [{"close": "server"}, {"end": "value"}]}},
      {"connect": 80, "as": "client", "on": {"connect": [{"end": "client"}]}})";
  const Run run = on_machine(R"({"overhead": {"socket": "10us"}})", main);
  REQUIRE(run.callbacks.size() >= 2);
  CHECK(run.callbacks[0] == "server.connection@0.01");
  CHECK(run.callbacks[1] == "client.connect@0.02");
}

TEST_CASE("garbage is collected when a generation is full", "[machine]") {
  // Full every 10 ms; every second time as much has survived as the old generation takes.
  const std::string gc = R"({"gc": {"allocation": 1000, "young": 10, "scavenge": "1ms", "survives": 0.5, "old": 10,
                                    "markCompact": "5ms"}})";
  const Run run = on_machine(gc, R"({"cpu": "15ms"}, {"setImmediate": [{"cpu": "10ms"}]})");
  CHECK(run.summary.end_time == 32 * kMillisecond);
  std::vector<std::string> pauses;
  for (const auto& kept : run.events) {
    if (kept.event.kind != EventKind::stall) continue;
    CHECK(static_cast<StallReason>(kept.event.detail) == StallReason::gc);
    pauses.push_back(loopsim::testing::in_ms(kept.event.a) + "+" + loopsim::testing::in_ms(kept.event.b));
  }
  CHECK(pauses == Lines{"10+1", "21+6"});
  CHECK(on_machine(R"({"gc": {"allocation": 1000, "young": 10, "scavenge": "1ms"}})", R"({"cpu": "9999us"})")
            .summary.end_time == 9'999'000);
}

TEST_CASE("the pool's computations compete with JavaScript for the cores", "[machine]") {
  const std::string work = R"({"crypto": "pbkdf2", "cpu": "10ms", "as": "key", "do": []},
      {"zlib": "gzip", "cpu": "10ms", "as": "zip", "do": []}, {"cpu": "10ms"})";
  CHECK(on_machine(R"({"cores": 1})", work).callbacks == Lines{"key@30", "zip@30"});
  CHECK(on_machine(R"({"cores": 2})", work).callbacks == Lines{"key@15", "zip@15"});
  CHECK(on_machine(R"({"cores": 3})", work).callbacks == Lines{"key@10", "zip@10"});
  // A disk request needs no core. A computation that starts later shares the core from then on.
  CHECK(on_machine(R"({"cores": 1})", R"({"fs": "read", "takes": "10ms", "as": "file", "do": []}, {"cpu": "10ms"})")
            .callbacks == Lines{"file@10"});
  CHECK(on_machine(R"({"cores": 1})", R"({"crypto": "pbkdf2", "cpu": "10ms", "as": "key", "do": []},
        {"setTimeout": 5, "as": "t", "do": [{"cpu": "3ms"}]})")
            .callbacks == Lines{"t@5", "key@13"});
  // One thread, two computations: the second starts when the first is done, while JavaScript still computes.
  CHECK(on_machine(R"({"cores": 1})", work, R"(, "runtime": {"threadpool": 1})").callbacks ==
        Lines{"key@20", "zip@30"});
}

TEST_CASE("a quota is used up by all threads together, and comes back with each period", "[machine]") {
  const std::string quota = R"({"quota": {"quota": "5ms", "period": "10ms"}})";
  // Runs 0-5 and 10-15; `done` then waits for the next period.
  const Run run = on_machine(quota, kCompute);
  CHECK(run.callbacks.back() == "done@20");
  CHECK(on_machine(R"({"quota": 0.05})", kCompute).callbacks.back() == "done@200");  // period of 100 ms
  // Two threads use the quota twice as fast: 2.5 ms each per period.
  CHECK(on_machine(quota, R"({"crypto": "pbkdf2", "cpu": "5ms", "as": "key", "do": []}, {"cpu": "5ms"})").callbacks ==
        Lines{"key@20"});
  bool told = false;
  for (const auto& kept : run.events) {
    told = told || (kept.event.kind == EventKind::stall &&
                    static_cast<StallReason>(kept.event.detail) == StallReason::throttled);
  }
  CHECK(told);
}

TEST_CASE("a thread that watches the clock ends late when it has no core then", "[machine]") {
  const std::string load = R"({"cores": 1, "load": {"busy": "6ms", "every": "10ms", "offset": "2ms"}})";
  CHECK(on_machine(load, R"({"spin": "10ms"})").summary.end_time == 10 * kMillisecond);
  CHECK(on_machine(load, R"({"spin": "5ms"})").summary.end_time == 8 * kMillisecond);
}

TEST_CASE("a sleeping loop needs its time to wake up, and then a core", "[machine]") {
  CHECK(on_machine(R"({"wakeup": "50us"})", R"({"setTimeout": 5, "as": "t", "do": []})").callbacks == Lines{"t@5.05"});
  // A completion while the loop is busy costs no wake-up.
  CHECK(on_machine(R"({"wakeup": "50us"})", R"({"fs": "stat", "takes": "1ms", "as": "f", "do": []}, {"cpu": "5ms"})")
            .callbacks == Lines{"f@5"});
  const std::string load =
      R"({"cores": 1, "load": {"busy": "6ms", "every": "10ms", "offset": "4ms"}, "wakeup": "50us"})";
  const Run run = on_machine(load, R"({"setTimeout": 5, "as": "t", "do": []})");
  CHECK(run.callbacks == Lines{"t@10"});
  for (const auto& kept : run.events) {
    if (kept.event.kind == EventKind::callback_begin && kept.name == "t")
      CHECK(static_cast<loopsim::LateReason>(kept.event.detail) == loopsim::LateReason::preempted);
  }
}

TEST_CASE("what Node itself costs", "[machine]") {
  const std::string costs =
      R"({"overhead": {"callback": "10us", "task": "1us", "turn": "100us", "poll": "20us", "timer": "3us"}})";
  // In us: turn 100, poll 20, callback 10; tick 1; second turn 100, poll 20, callback 10.
  const Run run = on_machine(
      costs, R"({"setImmediate": [{"nextTick": [], "as": "tick"}, {"setImmediate": [], "as": "next"}], "as": "i"})");
  CHECK(run.callbacks == Lines{"i@0.13", "tick@0.131", "next@0.261"});
  // Turn 100, timer 3, poll 20: the poll sleeps from 0.123 ms for 1 ms. Then callback 10.
  CHECK(on_machine(costs, R"({"setTimeout": 1, "as": "t", "do": []})").callbacks == Lines{"t@1.133"});
}

TEST_CASE("what output and requests cost", "[machine]") {
  const auto times_of = [](const Run& run, loopsim::EventKind kind) {
    std::vector<loopsim::TimeNs> times;
    for (const auto& kept : run.events)
      if (kept.event.kind == kind) times.push_back(kept.event.time);
    return times;
  };
  using Times = std::vector<loopsim::TimeNs>;
  // The first line needs 5 us, the others 2; a line stands there when it is written.
  const Run lines = on_machine(R"({"overhead": {"log": "2us", "firstLog": "5us"}})",
                               R"({"log": "a"}, {"log": "b"}, {"setTimeout": 1, "as": "t", "do": [{"log": "c"}]})");
  CHECK(times_of(lines, loopsim::EventKind::log) == Times{5000, 7000, 1'009'000});
  CHECK(lines.callbacks == Lines{"t@1.007"});

  // A request is ready after what it takes and the cost; no thread of the loop is busy meanwhile.
  const std::string request = R"({"overhead": {"request": "50us"}})";
  CHECK(on_machine(request, R"({"fs": "stat", "takes": "1ms", "as": "f", "do": []}, {"setImmediate": [], "as": "i"})")
            .callbacks == Lines{"i@0", "f@1.05"});
  CHECK(on_machine(request, R"({"dns": "resolve", "as": "d", "do": []})").callbacks == Lines{"d@0.05"});
  // readFile makes four of them.
  CHECK(on_machine(request, R"({"fs": "readFile", "as": "f", "do": []})").callbacks == Lines{"f@0.2"});

  // The run may end inside: nothing is written then.
  const Run ended = on_machine(R"({"overhead": {"firstLog": "2h"}})", R"({"log": "a"})");
  CHECK(times_of(ended, loopsim::EventKind::log).empty());
  CHECK(ended.summary.limit == loopsim::LimitKind::time);
}

TEST_CASE("a timer that comes due in the moment in which the poll falls asleep is late for its whole milliseconds",
          "[machine]") {
  // The poll begins at 1 ms and Node 10 counts its timeout of 1 ms from the cached time, 0.
  const auto run = simulate_main(R"({"setTimeout": 1, "as": "t", "do": []})", "node-10",
                                 R"("machine": {"overhead": {"poll": "1ms"}})");
  CHECK(run.callbacks == Lines{"t@2"});
  for (const auto& kept : run.events) {
    if (kept.event.kind == EventKind::callback_begin && kept.name == "t")
      CHECK(static_cast<loopsim::LateReason>(kept.event.detail) == loopsim::LateReason::rounding);
  }
}

TEST_CASE("of what keeps a timer after its sleep the longest part is the reason", "[machine]") {
  using loopsim::LateReason;
  const auto reason = [](const std::string& runtime, const std::string& at, const std::string& ms,
                         const Lines& begins) {
    const Run run = simulate_main(R"({"setTimeout": )" + ms + R"(, "as": "t", "do": []})", runtime,
                                  R"("machine": {"cores": 1, )" + at + "}");
    CHECK(run.callbacks == begins);
    for (const auto& kept : run.events) {
      if (kept.event.kind == EventKind::callback_begin && kept.name == "t")
        return static_cast<LateReason>(kept.event.detail);
    }
    return LateReason::none;
  };
  const auto load = [](const std::string& from, const std::string& takes) {
    return R"("load": {"offset": ")" + from + R"(", "busy": ")" + takes + R"(", "every": "100ms"})";
  };
  // Due at 1; the sleep ends at 2, by whole milliseconds from the cached time; another program has the core until 2.4.
  CHECK(reason("node-10", R"("overhead": {"poll": "1ms"}, )" + load("1.9ms", "0.5ms"), "1", {"t@2.4"}) ==
        LateReason::rounding);
  // Due at 5, woken at 5.5; the core is free at 5.6.
  CHECK(reason("node-24", R"("wakeup": "0.5ms", )" + load("5.4ms", "0.2ms"), "5", {"t@5.6"}) == LateReason::wakeup);
  // Due at 5, woken at 5.1; the core is free at 5.55.
  CHECK(reason("node-24", R"("wakeup": "0.1ms", )" + load("5.05ms", "0.5ms"), "5", {"t@5.55"}) ==
        LateReason::preempted);
}

TEST_CASE("random things of the machine have streams of their own", "[machine]") {
  const auto drawn = [](const std::string& machine) {
    return simulate_main(
               R"({"setTimeout": 5, "as": "t", "do": []}, {"fs": "stat", "takes": {"exponential": "3ms"}, "as": "f", "do": []})",
               "", R"("seed": 7, "machine": )" + machine)
        .callbacks;
  };
  const Lines plain = drawn(R"({"wakeup": "0ms"})");
  const Lines other = drawn(R"({"wakeup": "0ms", "startup": {"uniform": ["0ms", "0.1ms"]}})");
  CHECK(plain.front() == other.front());  // the other delay does not change the draws
}

TEST_CASE("presets are machines, and run", "[machine]") {
  for (const loopsim::MachineSpec& preset : loopsim::machine_presets()) {
    const Run run =
        simulate_main(R"({"setTimeout": 5, "as": "t", "do": []})", "", R"("machine": ")" + preset.name + '"');
    CHECK(run.callbacks.size() == 1);
    CHECK(loopsim::costs_nothing(preset) == (preset.name == "ideal"));
  }
}

TEST_CASE("a machine costs nothing only where no part of it does", "[machine]") {
  const std::vector<void (*)(loopsim::MachineSpec&)> costs = {
      [](auto& machine) { machine.cores = 1; },
      [](auto& machine) { machine.speed_ppm = 2'000'000; },
      [](auto& machine) { machine.startup.a = 1; },
      [](auto& machine) { machine.wakeup.a = 1; },
      [](auto& machine) { machine.wakeup.kind = loopsim::Duration::Kind::exponential; },
      [](auto& machine) { machine.overhead.callback.a = 1; },
      [](auto& machine) { machine.overhead.task.a = 1; },
      [](auto& machine) { machine.overhead.turn.a = 1; },
      [](auto& machine) { machine.overhead.poll.a = 1; },
      [](auto& machine) { machine.overhead.timer.a = 1; },
      [](auto& machine) { machine.overhead.log.a = 1; },
      [](auto& machine) { machine.overhead.first_log.a = 1; },
      [](auto& machine) { machine.overhead.submit.a = 1; },
      [](auto& machine) { machine.overhead.request.a = 1; },
      [](auto& machine) { machine.load.kind = loopsim::LoadSpec::Kind::bursts; },
      [](auto& machine) { machine.quota.quota = kMillisecond; },
      [](auto& machine) { machine.stalls.emplace_back(); },
      [](auto& machine) { machine.overhead.cold.a = 1; },
      [](auto& machine) { machine.overhead.socket.a = 1; },
      [](auto& machine) { machine.timer_slack.a = 1; },
      [](auto& machine) { machine.idle_states.emplace_back(); },
      [](auto& machine) { machine.gc.allocation = 1; },
      [](auto& machine) { machine.warm_up.calls = 1; },
      [](auto& machine) { machine.steal.between.a = 1; },
      [](auto& machine) { machine.clock_phase.kind = loopsim::Duration::Kind::uniform; },
  };
  for (std::size_t i = 0; i < costs.size(); ++i) {
    INFO(i);
    loopsim::MachineSpec machine;
    CHECK(loopsim::costs_nothing(machine));
    costs[i](machine);
    CHECK_FALSE(loopsim::costs_nothing(machine));
  }
}

TEST_CASE("events of one time come in the order of their requests, then as they were scheduled", "[machine]") {
  using loopsim::FutureEvent;
  const loopsim::MachineSpec spec;
  loopsim::Position position;
  loopsim::Tracer tracer(position, {});
  loopsim::Machine machine(spec, 1, 0, loopsim::kNever, 1000, position, tracer);
  const auto schedule = [&](loopsim::TimeNs time, std::uint64_t order, std::uint32_t data) {
    machine.schedule({time, order, FutureEvent::Kind::network_done, data});
  };
  // `data`: the expected place. Of order 6 there are so many that a heap would mix them up.
  schedule(5, 9, 8);
  schedule(5, 6, 3);
  schedule(5, 6, 4);
  schedule(9, 1, 9);
  schedule(5, 6, 5);
  schedule(5, 6, 6);
  schedule(5, 2, 2);
  schedule(5, 6, 7);
  schedule(3, 7, 1);
  std::vector<std::uint32_t> taken;
  while (!machine.future().empty()) taken.push_back(machine.take_event().data);
  CHECK(taken == std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9});
}

// A pool of one thread runs one lookup at a time, and the marker for the next goes behind the other work (libuv
// src/threadpool.c): the file comes between the lookups. As measured on real Node 8, 12 and 24.
TEST_CASE("work that takes no time is done in the order in which the pool's thread took it", "[machine]") {
  const std::string lookups = R"({"dns": "lookup", "takes": "5ms", "as": "a", "do": []},
      {"dns": "lookup", "takes": "0ms", "as": "b", "do": []}, {"dns": "lookup", "takes": "0ms", "as": "c", "do": []},
      {"dns": "lookup", "takes": "0ms", "as": "d", "do": []}, {"dns": "lookup", "takes": "0ms", "as": "e", "do": []})";
  const std::string file = R"(, {"fs": "stat", "takes": "0ms", "as": "file", "do": []})";
  CHECK(simulate_main(lookups + file, "node-24", R"("runtime": {"threadpool": 1})").callbacks ==
        Lines{"a@5", "b@5", "file@5", "c@5", "d@5", "e@5"});
}

TEST_CASE("a ring is read in the order in which it was filled, also across its end", "[machine]") {
  loopsim::RingQueue<int> ring;
  for (int i = 0; i < 16; ++i) ring.push(i);
  for (int i = 0; i < 11; ++i) CHECK(ring.pop() == i);
  for (int i = 16; i < 50; ++i) {  // full at i = 27: grows
    ring.push(i);
    REQUIRE(ring.size() == static_cast<std::size_t>(i) - 10);
    for (std::size_t at = 0; at < ring.size(); ++at) CHECK(ring.at(at) == static_cast<int>(at) + 11);
  }
}

TEST_CASE("a load that changes without end is stopped by the limit of steps", "[machine]") {
  const Run run = on_machine(R"({"cores": 1, "load": {"busy": "1us", "every": "2us"}})",
                             R"({"setTimeout": 60000, "do": []})", R"(, "limits": {"steps": 100000})");
  CHECK(run.summary.limit == loopsim::LimitKind::steps);
}

TEST_CASE("what comes without any time between is stopped by the limit of steps", "[machine]") {
  const std::string limits = R"("limits": {"steps": 10000}, "inputs": [)";
  for (const char* input :
       {R"({"every": {"choice": ["0ms"]}, "signal": "SIGCONT"})", R"({"every": {"choice": ["0ms"]}, "connect": 80})",
        R"({"clients": 2, "think": 0, "connect": 80})"}) {
    const Run run = simulate_main(R"({"setTimeout": 5, "do": []})", "", limits + input + "]");
    CHECK(run.summary.limit == loopsim::LimitKind::steps);
  }
}

TEST_CASE("a load with a tail that has no mean begins at once", "[machine]") {
  const Run run = on_machine(R"({"load": {"busy": {"lognormal": ["1ms", 12]}, "idle": "1ms", "policy": "fair"}})",
                             R"({"setTimeout": 5, "as": "t", "do": []})");
  CHECK(run.callbacks == Lines{"t@5"});
}
