// The kernel's schedulers alone: who has which core from when on. Expected times: worked out by hand from the rules in
// docs/machine.md; the arithmetic stands beside them, in ms.
#include "sim/machine/scheduler.hpp"

#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "sim/machine/cpu.hpp"
#include "sim/machine/random.hpp"

using loopsim::Held;
using loopsim::kMicrosecond;
using loopsim::kMillisecond;
using loopsim::LoadSpec;
using loopsim::MachineSpec;
using loopsim::Scheduler;
using loopsim::TimeNs;
using Policy = loopsim::SchedulerSpec::Policy;

namespace {

// One core, ticks at 4, 8, 12 ... ms.
MachineSpec machine_with(Policy policy, std::uint32_t cores = 1) {
  MachineSpec spec;
  spec.cores = cores;
  spec.scheduler.policy = policy;
  spec.scheduler.has_phase = true;
  return spec;
}

// A scheduler, and what its cores did: "4:b" says that b runs from 4 ms on, "4:-" that nobody does.
class Bench {
 public:
  Bench(const MachineSpec& spec, std::uint32_t threads, std::uint64_t seed = 1)
      : spec_(spec),
        scheduler_(spec_, spec.cores, threads, seed, changes_),
        running_(spec.cores),
        lines_(spec.cores),
        noted_(spec.cores, -1) {
    note();
  }

  Scheduler& operator*() { return scheduler_; }
  Scheduler* operator->() { return &scheduler_; }

  Bench& wake(TimeNs at, char thread) {
    until(at);
    scheduler_.wake(static_cast<std::uint32_t>(thread - 'a'));
    note();
    return *this;
  }
  Bench& block(TimeNs at, char thread) {
    until(at);
    scheduler_.block(static_cast<std::uint32_t>(thread - 'a'));
    note();
    return *this;
  }
  Bench& until(TimeNs at) {
    for (TimeNs next = scheduler_.next_change(); next <= at; next = scheduler_.next_change()) move(next);
    move(at);
    return *this;
  }
  [[nodiscard]] const std::string& line(std::size_t core = 0) const { return lines_[core]; }
  [[nodiscard]] TimeNs executed(char thread) const {
    return scheduler_.executed(static_cast<std::uint32_t>(thread - 'a'));
  }
  // CPU time that the cores have given, as seen from outside.
  [[nodiscard]] TimeNs given() const { return given_; }

 private:
  void move(TimeNs to) {
    REQUIRE(to >= now_);
    for (const std::string& one : running_)
      if (one != "-" && !one.empty()) given_ += to - now_;
    now_ = to;
    scheduler_.advance(to);
    note();
  }
  void note() {
    std::vector<std::string> running(lines_.size(), "-");
    for (std::uint32_t task = 0; task < scheduler_.task_count(); ++task) {
      if (!scheduler_.runs(task)) continue;
      REQUIRE(running[scheduler_.core_of(task)] == "-");
      running[scheduler_.core_of(task)] = std::string(1, static_cast<char>('a' + task));
    }
    for (std::size_t core = 0; core < running.size(); ++core) {
      if (running[core] == running_[core] || (running[core] == "-" && running_[core].empty())) continue;
      // A switch within a moment counts as one.
      if (now_ == noted_[core]) lines_[core].erase(std::min(lines_[core].rfind(' '), lines_[core].size()));
      noted_[core] = now_;
      running_[core] = running[core];
      lines_[core] +=
          fmt::format("{}{:g}:{}", lines_[core].empty() ? "" : " ", static_cast<double>(now_) / 1e6, running[core]);
    }
  }

  MachineSpec spec_;
  std::uint64_t changes_ = 0;
  Scheduler scheduler_;
  std::vector<std::string> running_, lines_;
  std::vector<TimeNs> noted_;
  TimeNs now_ = 0;
  TimeNs given_ = 0;
};

// Another program's thread that is always busy: the last task.
LoadSpec always_busy() {
  LoadSpec load;
  load.kind = LoadSpec::Kind::periodic;
  load.busy.a = load.every = kMillisecond;
  load.threads = 1;
  return load;
}

constexpr TimeNs ms(double time) { return static_cast<TimeNs>(time * 1e6); }

}  // namespace

// ---- cfs: latency 6, min_granularity 0.75, wakeup_granularity 1 on one core ----------------------------------------

TEST_CASE("cfs: a slice ends at the tick after it", "[scheduler]") {
  // Of 6 each has 3. At the tick of 4 the one has had 4 > 3, and the other is behind. At 8 both are at 4, and the one
  // that waits goes before the one that runs.
  Bench bench(machine_with(Policy::cfs), 2);
  bench.wake(0, 'a').wake(0, 'b').until(ms(17));
  CHECK(bench.line() == "0:a 4:b 8:a 12:b 16:a");
  CHECK(bench.executed('a') == ms(9));
  // At ticks of 1 the slice of 3 is seen at 4: 3 is not more than 3.
  MachineSpec finer = machine_with(Policy::cfs);
  finer.scheduler.tick = kMillisecond;
  Bench fine(finer, 2);
  fine.wake(0, 'a').wake(0, 'b').until(ms(9));
  CHECK(fine.line() == "0:a 4:b 8:a");
}

TEST_CASE("cfs: slices and virtual time by nice", "[scheduler]") {
  // Weights 1024 and 335. Slices 6 * 1024 / 1359 = 4.52 and 6 * 335 / 1359 = 1.48; 4 of b are 4 * 1024 / 335 = 12.23.
  //  4: a has had 4 < 4.52.                       8: 8, so b with 0 is next.
  // 12: b has had 4 > 1.48, is at 12.23; a at 8.  16: a has had 4.  20: 8, is at 16; b at 12.23.
  // 24: b at 24.45, a at 16.  28: 4.  32: 8, but at 24 still before b.  36: at 28.
  MachineSpec spec = machine_with(Policy::cfs);
  spec.load = always_busy();
  spec.load.nice = 5;
  Bench bench(spec, 1);
  bench.wake(0, 'a');
  // The load was there first and has the core until the tick: then it is at 12.23, with a at 0 - 0, and so on.
  CHECK(bench.line() == "0:b");
  bench.until(ms(50));
  // 4: b at 12.23 -> a. 8: a at 4, 12: 8, 16: 12 < 12.23 stays, 20: 16 -> b. 24: b at 24.45 -> a. 28: 20, 32: 24 stays
  // (24 < 24.45), 36: 28 -> b. 40: 36.68 -> a. 44: 32, 48: 36 stays.
  CHECK(bench.line() == "0:b 4:a 20:b 24:a 36:b 40:a");
}

TEST_CASE("cfs: who wakes up preempts if it is behind by more than the granularity", "[scheduler]") {
  // a is at 10. b is put at 10 - 6 / 2 = 7: 3 behind, more than 1. At 12 b is at 9; at 16 it has had 6 > 3, and is at
  // 13, with a at 10.
  Bench bench(machine_with(Policy::cfs), 2);
  bench.wake(0, 'a').wake(ms(10), 'b').until(ms(17));
  CHECK(bench.line() == "0:a 10:b 16:a");
  // A granularity of 4: it has to wait for the tick, at which a has had 12 > 3.
  MachineSpec coarse = machine_with(Policy::cfs);
  coarse.scheduler.wakeup_granularity = ms(4);
  Bench waits(coarse, 2);
  waits.wake(0, 'a').wake(ms(10), 'b').until(ms(13));
  CHECK(waits.line() == "0:a 12:b");
  // b slept for 0.5 only, and is not put forward: at 4.5 a is at 2.5 and b at 2, 0.5 behind. At 8 a has had 6 > 3.
  Bench brief(machine_with(Policy::cfs), 2);
  brief.wake(0, 'a').block(ms(2), 'a').wake(ms(2), 'b').block(ms(4), 'b').wake(ms(4), 'a').wake(ms(4.5), 'b');
  brief.until(ms(9));
  CHECK(brief.line() == "0:a 2:b 4:a 8:b");
}

TEST_CASE("cfs: the granularity is that of the woken thread's weight", "[scheduler]") {
  // 1 * 1024 / 335 = 3.06 for nice 5, and it is 3 behind at most.
  MachineSpec spec = machine_with(Policy::cfs);
  spec.scheduler.nice = 5;
  spec.load = always_busy();
  Bench bench(spec, 1);
  bench.wake(ms(10), 'a').until(ms(13));
  CHECK(bench.line() == "0:b 12:a");
}

TEST_CASE("constants grow with the logarithm of the number of cores, up to eight", "[scheduler]") {
  // The latency is 6 * 2 = 12 on two cores: a slice of 6, which is seen at the tick of 7. When c and d wake up no core is
  // idle, and they stay on core 0, where they were last; at the first tick core 1 takes c from it, which waits longest.
  MachineSpec spec = machine_with(Policy::cfs, 2);
  spec.scheduler.tick = kMillisecond;
  Bench bench(spec, 4);
  for (const char thread : {'a', 'b', 'c', 'd'}) bench.wake(0, thread);
  bench.until(ms(8));
  CHECK(bench.line(0) == "0:a 7:d");
  CHECK(bench.line(1) == "0:b 7:c");
}

// ---- eevdf: slices of 0.75 on one core ------------------------------------------------------------------------------

TEST_CASE("eevdf: a used-up slice is seen at the tick", "[scheduler]") {
  // At 4 a is at 4, above the average of 2; at 8 both are at 4, with deadlines of 4.75, and the one that waits goes
  // first.
  Bench bench(machine_with(Policy::eevdf), 2);
  bench.wake(0, 'a').wake(0, 'b').until(ms(13));
  CHECK(bench.line() == "0:a 4:b 8:a 12:b");
}

TEST_CASE("eevdf: eligibility by nice", "[scheduler]") {
  // Weights 335 and 1024; b, the load, runs first, for 4: at 12.23, and so on. The average is what both have had
  // together over 1359 / 1024.
  //  4: b 12.23, a 0: average 3.01 -> a.       8: a 4, average 6.03: a.        12: a 8, 9.04: a.
  // 16: a 12, 12.06: a, and b is above it.     20: a 16, 15.07 -> b.           24: b 24.45, a 16, 18.08 -> a.
  // 28: a 20, 21.10.  32: a 24, 24.11.         36: a 28, 27.13 -> b.           40: -> a.
  MachineSpec spec = machine_with(Policy::eevdf);
  spec.load = always_busy();
  spec.load.nice = 5;
  Bench bench(spec, 1);
  bench.wake(0, 'a').until(ms(42));
  CHECK(bench.line() == "0:b 4:a 20:b 24:a 36:b 40:a");
}

TEST_CASE("eevdf: who wakes up preempts if its deadline is first", "[scheduler]") {
  // At 10 a is at 10, past its deadline of 8.75 from the tick of 8: it gets a new one, 10.75, as b does. A tie is for
  // the one that waits. At 12 b is at 12, above the average of 11.
  Bench bench(machine_with(Policy::eevdf), 2);
  bench.wake(0, 'a').wake(ms(10), 'b').until(ms(13));
  CHECK(bench.line() == "0:a 10:b 12:a");
  // At 8.5 a has its deadline at 8.75 still, before that of b, 9.25: b waits until the tick.
  Bench waits(machine_with(Policy::eevdf), 2);
  waits.wake(0, 'a').wake(ms(8.5), 'b').until(ms(13));
  CHECK(waits.line() == "0:a 12:b");
}

TEST_CASE("eevdf: once picked, a thread runs until its slice is used up", "[scheduler]") {
  // Slices of 3, ticks of 1, three threads. a runs from 0, with a deadline at 3. b wakes up at 0 and c at 2, where a is
  // above the average of a and b (1), so c finds it no longer eligible: b has the earliest deadline, 3, c has 4. From 2
  // on b is at 0, below the average, and goes on until it is above it.
  MachineSpec spec = machine_with(Policy::eevdf);
  spec.scheduler.tick = kMillisecond;
  spec.scheduler.base_slice = ms(3);
  Bench bench(spec, 3);
  bench.wake(0, 'a').wake(0, 'b').until(ms(2));
  CHECK(bench.line() == "0:a");  // at the ticks of 1 and 2 nobody asks
  // The tick of 3 finds the slice used up: b.
  bench.until(ms(3));
  CHECK(bench.line() == "0:a 3:b");
}

TEST_CASE("eevdf: who goes to sleep with a debt pays it first", "[scheduler]") {
  // a sleeps at 2, above the average of 1: it stays in the queue. At 2.5 it wakes up at 2, with b at 0.5: its lag of
  // -0.75 is still there. At 4 b is at 2, too, and both have deadlines of 2.75.
  Bench bench(machine_with(Policy::eevdf), 2);
  bench.wake(0, 'a').wake(0, 'b').block(ms(2), 'a').wake(ms(2.5), 'a').until(ms(5));
  CHECK(bench.line() == "0:a 2:b 4:a");
  // Woken up after the debt was paid, at 6: it left at the tick of 4, where it was picked and was asleep. It is put at
  // the average, with a deadline as b's, and goes first.
  Bench paid(machine_with(Policy::eevdf), 2);
  paid.wake(0, 'a').wake(0, 'b').block(ms(2), 'a').wake(ms(6), 'a').until(ms(7));
  CHECK(paid.line() == "0:a 2:b 6:a");
  // The last one in the queue is not kept.
  Bench last(machine_with(Policy::eevdf), 1);
  last.wake(0, 'a').block(ms(2), 'a').until(ms(5));
  CHECK(last.line() == "0:a 2:-");
}

// ---- several cores --------------------------------------------------------------------------------------------------

TEST_CASE("who wakes up goes to an idle core, and to its own if that is idle", "[scheduler]") {
  for (const Policy policy : {Policy::cfs, Policy::eevdf}) {
    Bench bench(machine_with(policy, 3), 3);
    bench.wake(0, 'a').wake(0, 'b').wake(0, 'c');
    bench.block(ms(1), 'b').block(ms(1), 'c').wake(ms(2), 'c').wake(ms(3), 'b').until(ms(3.5));
    CHECK(bench.line(0) == "0:a");
    CHECK(bench.line(1) == "0:b 1:- 3:b");
    CHECK(bench.line(2) == "0:c 1:- 2:c");
  }
}

TEST_CASE("a core that becomes idle takes a thread that waits elsewhere, unless it ran just now", "[scheduler]") {
  for (const Policy policy : {Policy::cfs, Policy::eevdf}) {
    // c waits for a's core, and has not run yet.
    Bench bench(machine_with(policy, 2), 3);
    bench.wake(0, 'a').wake(0, 'b').wake(0, 'c').block(ms(1), 'b').until(ms(2));
    CHECK(bench.line(0) == "0:a");
    CHECK(bench.line(1) == "0:b 1:c");
  }
  // A kernel whose idle cores have found nobody for long looks at ticks only, and takes nobody who ran just now: a, at 4.
  MachineSpec seldom = machine_with(Policy::eevdf, 2);
  seldom.scheduler.newidle_ppm = 0;
  Bench later(seldom, 3);
  later.wake(0, 'a').wake(0, 'b').wake(0, 'c').block(ms(1), 'b').until(ms(5));
  CHECK(later.line(0) == "0:a 4:c");
  CHECK(later.line(1) == "0:b 1:-");
  // Of a and c on core 0, a ran until 8, and b sleeps at 8.2: a stays, as its cache is warm. The tick of core 0 then
  // finds core 1 idle, at 12, and a waiting for 4.
  Bench bench(machine_with(Policy::cfs, 2), 3);
  bench.wake(0, 'a').wake(0, 'b').wake(0, 'c').block(ms(8.2), 'b').until(ms(13));
  CHECK(bench.line(0) == "0:a 8:c");
  CHECK(bench.line(1) == "0:b 8.2:- 12:a");
}

TEST_CASE("a load that is pinned moves nowhere", "[scheduler]") {
  // c is the load. At 4 it has had its slice, and b, which stayed on core 0, has that. At 6 core 1 becomes idle and takes c, if c may.
  MachineSpec spec = machine_with(Policy::eevdf, 2);
  spec.load = always_busy();
  Bench roams(spec, 2);
  roams.wake(0, 'a').wake(0, 'b').block(ms(6), 'a').until(ms(8.5));
  CHECK(roams.line(0) == "0:c 4:b");
  CHECK(roams.line(1) == "0:a 6:c");
  spec.load.pinned = true;
  Bench stays(spec, 2);
  stays.wake(0, 'a').wake(0, 'b').block(ms(6), 'a').until(ms(8.5));
  CHECK(stays.line(0) == "0:c 4:b 8:c");
  CHECK(stays.line(1) == "0:a 6:-");
}

// ---- groups and quotas ----------------------------------------------------------------------------------------------

TEST_CASE("groups share by their weights, whatever their threads are", "[scheduler]") {
  for (const Policy policy : {Policy::cfs, Policy::eevdf}) {
    const auto share = [&](std::uint32_t weight, std::uint32_t load_weight) {
      MachineSpec spec = machine_with(policy);
      spec.scheduler.weight = weight;
      spec.load = always_busy();
      spec.load.weight = load_weight;
      Bench bench(spec, 2);
      bench.wake(0, 'a').wake(0, 'b').until(ms(10'000));
      CHECK(bench.given() == ms(10'000));
      return static_cast<double>(bench.executed('a') + bench.executed('b')) / 1e10;
    };
    CHECK(share(0, 0) == Approx(2 / 3.0).margin(0.002));
    CHECK(share(100, 100) == Approx(0.5).margin(0.002));
    CHECK(share(100, 0) == Approx(0.5).margin(0.002));  // a thread in no group is worth a weight of 100
    CHECK(share(300, 100) == Approx(0.75).margin(0.002));
  }
}

TEST_CASE("a quota is taken in portions, looked at when the tick comes, and overdrawn", "[scheduler]") {
  for (const Policy policy : {Policy::cfs, Policy::eevdf}) {
    MachineSpec spec = machine_with(policy);
    spec.quota = {.quota = ms(10), .period = ms(20)};
    // 0: the core takes 5 of 10. 4: 1 left. 8: -3, takes the other 5, has 2. 12: -2, and nothing is left: throttled.
    // 20: of 10 it gets 3, which makes 1. 24: -3, takes the other 7, has 4. 28: 0: throttled, after 8 only.
    // 40: gets 1. 44: -3, takes 8 of 9, has 5. 48: 1. 52: -3, gets 1: throttled, after 12.
    Bench bench(spec, 1);
    bench.wake(0, 'a').until(ms(11));
    CHECK(bench->held(0) == Held::no);
    bench.until(ms(13));
    CHECK(bench->held(0) == Held::throttled);
    bench.until(ms(55));
    CHECK(bench.line() == "0:a 12:- 20:a 28:- 40:a 52:-");
    CHECK(bench.executed('a') == ms(32));
  }
}

TEST_CASE("a core gives back what its sleeping threads leave of a portion, but for a millisecond", "[scheduler]") {
  MachineSpec spec = machine_with(Policy::eevdf, 2);
  spec.quota = {.quota = ms(10), .period = ms(100)};
  spec.scheduler.tick = kMillisecond;
  // Both cores take 5. b sleeps at 1, with 4 left, of which 3 go back. a has used its 5 at 5, and takes the 3: until 8.
  Bench bench(spec, 2);
  bench.wake(0, 'a').wake(0, 'b').block(ms(1), 'b').until(ms(10));
  CHECK(bench.line(0) == "0:a 8:-");
  // The millisecond that was kept is still there when b wakes up.
  bench.wake(ms(20), 'b').until(ms(30));
  CHECK(bench.line(1) == "0:b 1:- 20:b 21:-");
  // What comes back when somebody waits for it is handed out after 5 ms: b computes from 0.5 on, takes portions of 5,
  // and sleeps with 4 left.
  spec.quota = {.quota = ms(15), .period = ms(100)};
  Bench later(spec, 2);
  later.wake(0, 'a').wake(0, 'b').until(ms(5));
  later.block(ms(5.5), 'a').until(ms(20));
  CHECK(later.line(0) == "0:a 5.5:-");
}

TEST_CASE("a group that is throttled on one core goes on on another", "[scheduler]") {
  MachineSpec spec = machine_with(Policy::eevdf, 2);
  spec.quota = {.quota = ms(10), .period = ms(100)};
  spec.scheduler.tick = kMillisecond;
  // Both take 5 at 0; b takes up its time from 2 on only.
  Bench bench(spec, 2);
  bench.wake(0, 'a').wake(0, 'b').block(0, 'b').wake(ms(2), 'b').until(ms(20));
  CHECK(bench.executed('a') + bench.executed('b') <= ms(12));
  CHECK(bench.executed('a') + bench.executed('b') >= ms(10));
}

// ---- what holds always ----------------------------------------------------------------------------------------------

TEST_CASE("shares converge to the weights", "[scheduler]") {
  for (const Policy policy : {Policy::cfs, Policy::eevdf}) {
    for (const int nice : {-10, -3, 0, 4, 12}) {
      MachineSpec spec = machine_with(policy);
      spec.scheduler.nice = nice;
      spec.load = always_busy();
      Bench bench(spec, 1);
      bench.wake(0, 'a').until(ms(60'000));
      const auto weight = static_cast<double>(loopsim::weight_of_nice(nice));
      INFO("nice " << nice);
      CHECK(static_cast<double>(bench.executed('a')) / 6e10 == Approx(weight / (weight + 1024)).margin(0.002));
    }
  }
}

TEST_CASE("no time is lost, and no core idles beside a thread that could use it", "[scheduler]") {
  for (const Policy policy : {Policy::cfs, Policy::eevdf}) {
    for (std::uint32_t cores = 1; cores <= 4; ++cores) {
      MachineSpec spec = machine_with(policy, cores);
      loopsim::RandomStream random(7 * cores, 1);
      constexpr std::uint32_t kThreads = 6;
      Bench bench(spec, kThreads);
      std::vector<bool> wants(kThreads);
      std::uint32_t count = 0;
      TimeNs now = 0;
      TimeNs owed = 0;  // what work-conserving cores give
      for (int step = 0; step < 3000; ++step) {
        const TimeNs next = now + 1 + random.next() % ms(3);
        owed += static_cast<TimeNs>(std::min(count, cores)) * (next - now);
        now = next;
        const std::uint32_t thread = random.next() % kThreads;
        wants[thread] = !wants[thread];
        wants[thread] ? bench.wake(now, static_cast<char>('a' + thread))
                      : bench.block(now, static_cast<char>('a' + thread));
        count += wants[thread] ? 1U : -1U;
      }
      TimeNs executed = 0;
      for (std::uint32_t thread = 0; thread < kThreads; ++thread) executed += bench->executed(thread);
      CHECK(executed == bench.given());
      if (cores == 1) CHECK(executed == owed);
      // Threads that ran just now are not moved for half a millisecond, and then the next tick has to find them.
      CHECK(executed <= owed);
      CHECK(executed >= owed - owed / 20);
    }
  }
}

TEST_CASE("three threads on two cores: none has a core to itself for good", "[scheduler]") {
  for (const Policy policy : {Policy::cfs, Policy::eevdf}) {
    Bench bench(machine_with(policy, 2), 3);
    bench.wake(0, 'a').wake(0, 'b').wake(0, 'c').until(ms(20'000));
    CHECK(bench.given() == ms(40'000));
    for (const char thread : {'a', 'b', 'c'}) {
      const double share = static_cast<double>(bench.executed(thread)) / 2e10;
      CHECK(share > 0.45);  // half a core is what it would have without
      CHECK(share < 0.9);
    }
  }
}
