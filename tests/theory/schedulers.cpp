// The kernel's schedulers against what is known of their kind: round robin with slices, and the bound of EEVDF's lag.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/cpu.hpp"
#include "sim/machine/scheduler.hpp"

using loopsim::kMillisecond;
using loopsim::kNever;
using loopsim::MachineSpec;
using loopsim::Scheduler;
using loopsim::TimeNs;
using Policy = loopsim::SchedulerSpec::Policy;

namespace {

MachineSpec one_core(Policy policy, TimeNs tick, TimeNs slice) {
  MachineSpec spec;
  spec.cores = 1;
  spec.scheduler.policy = policy;
  spec.scheduler.has_phase = true;  // ticks at multiples of `tick`
  spec.scheduler.tick = tick;
  spec.scheduler.base_slice = slice;
  spec.scheduler.latency = spec.scheduler.min_granularity = slice;
  return spec;
}

// When each of `jobs` jobs of `length` is done, that all begin at 0.
std::vector<TimeNs> completions(const MachineSpec& spec, std::uint32_t jobs, TimeNs length) {
  std::uint64_t changes = 0;
  Scheduler scheduler(spec, 1, jobs, 1, changes);
  std::vector<TimeNs> done(jobs, kNever);
  for (std::uint32_t job = 0; job < jobs; ++job) {
    scheduler.set_goal(job, length);
    scheduler.wake(job);
  }
  for (std::uint32_t left = jobs; left > 0;) {
    const TimeNs now = scheduler.next_change();
    REQUIRE(now != kNever);
    scheduler.advance(now);
    for (std::uint32_t job = 0; job < jobs; ++job) {
      if (done[job] != kNever || scheduler.executed(job) < length) continue;
      done[job] = now;
      scheduler.set_goal(job, kNever);
      scheduler.block(job);
      --left;
    }
  }
  return done;
}

}  // namespace

// N jobs of m quanta each, in turn: the i-th one is done after N (m - 1) + i quanta. With slices of less than a tick a
// quantum is a tick.
TEST_CASE("equal threads take turns, as round robin with a quantum of a tick", "[theory][scheduler]") {
  for (const Policy policy : {Policy::cfs, Policy::eevdf}) {
    for (const std::uint32_t jobs : {2U, 3U, 5U, 8U}) {
      for (const TimeNs quanta : {1, 2, 7}) {
        constexpr TimeNs kTick = 4 * kMillisecond;
        const std::vector<TimeNs> done = completions(one_core(policy, kTick, kMillisecond), jobs, quanta * kTick);
        INFO((policy == Policy::cfs ? "cfs" : "eevdf") << ", " << jobs << " jobs of " << quanta << " quanta");
        std::vector<TimeNs> expected;
        for (std::uint32_t i = 1; i <= jobs; ++i) expected.push_back((jobs * (quanta - 1) + i) * kTick);
        std::vector<TimeNs> sorted = done;
        std::sort(sorted.begin(), sorted.end());
        CHECK(sorted == expected);
      }
    }
  }
}

// Stoica and Abdel-Wahab, Earliest Eligible Virtual Deadline First (1995), theorem 1: between what a client of a steady system
// has had and what it had had from an ideal one, which serves all at once by their weights, there is never more than the
// longest request. Here requests are a slice, and their end is only seen at a tick.
TEST_CASE("eevdf: nobody is ahead or behind by more than a slice and a tick", "[theory][scheduler]") {
  struct Case {
    TimeNs tick, slice;
  };
  for (const Case& one : {Case{kMillisecond, 3 * kMillisecond}, Case{4 * kMillisecond, 3 * kMillisecond},
                          Case{4 * kMillisecond, 1'400'000}, Case{1'000'000, 10 * kMillisecond}}) {
    // Of the process one thread, at a nice value of its own; the others are the load's.
    for (const int nice : {-5, 0, 3, 10}) {
      MachineSpec spec = one_core(Policy::eevdf, one.tick, one.slice);
      spec.scheduler.nice = nice;
      constexpr std::uint32_t kOthers = 4;
      spec.load.kind = loopsim::LoadSpec::Kind::periodic;
      spec.load.policy = loopsim::LoadSpec::Policy::fair;
      spec.load.threads = kOthers;
      spec.load.busy.a = spec.load.every = kMillisecond;  // always
      std::uint64_t changes = 0;
      Scheduler scheduler(spec, 1, 1, 1, changes);
      scheduler.wake(0);
      const auto mine = static_cast<double>(loopsim::weight_of_nice(nice));
      const double all = mine + kOthers * 1024.0;
      const auto bound = static_cast<double>(one.slice + one.tick);
      double most = 0;
      for (TimeNs now = 0; now < 3000 * kMillisecond; now = scheduler.next_change()) {
        scheduler.advance(now);
        for (std::uint32_t task = 0; task <= kOthers; ++task) {
          const double weight = task == 0 ? mine : 1024.0;
          const double ideal = static_cast<double>(now) * weight / all;
          most = std::max(most, std::abs(ideal - static_cast<double>(scheduler.executed(task))));
        }
      }
      INFO("nice " << nice << ", tick " << one.tick << ", slice " << one.slice << ": at most " << most);
      CHECK(most <= bound);
      CHECK(most >= bound / 4);  // the bound is near: the check could fail
    }
  }
}
