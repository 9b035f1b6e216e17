// The key `machine`: the simulated CPU and operating system.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"
#include "loopsim/units.hpp"

#include "sim/scenario/reader.hpp"

namespace loopsim {
namespace {

constexpr std::array<std::string_view, 19> kMachineKeys = {
    "preset", "cores",     "speed", "startup", "wakeup", "idleStates", "timerSlack", "overhead", "gc",   "warmUp",
    "load",   "scheduler", "nice",  "weight",  "quota",  "steal",      "stalls",     "clock",    "tasks"};
constexpr std::array<std::string_view, 14> kOverheadKeys = {"callback", "cold",  "socket",  "task",     "turn",
                                                            "poll",     "timer", "log",     "firstLog", "submit",
                                                            "request",  "clock", "syscall", "jumps"};
constexpr std::array<std::string_view, 6> kCollectionKeys = {"allocation", "young", "scavenge",
                                                             "survives",   "old",   "markCompact"};
constexpr std::array<std::string_view, 2> kWarmUpKeys = {"factor", "calls"};
constexpr std::array<std::string_view, 11> kLoadKeys = {"share",   "burst",  "busy", "every",  "offset", "idle",
                                                        "threads", "policy", "nice", "weight", "pinned"};
constexpr std::array<std::string_view, 10> kSchedulerKeys = {
    "policy",    "tick",          "phase",          "latency",       "minGranularity", "wakeupGranularity",
    "baseSlice", "migrationCost", "newidleBalance", "bandwidthSlice"};
constexpr std::array<std::string_view, 2> kSchedulers = {"cfs", "eevdf"};
constexpr std::array<std::string_view, 4> kPolicies = {"preempt", "fair", "cfs", "eevdf"};
constexpr std::array<std::string_view, 2> kQuotaKeys = {"quota", "period"};
constexpr std::array<std::string_view, 2> kStealKeys = {"takes", "between"};
constexpr std::array<std::string_view, 2> kIdleStateKeys = {"after", "wakeup"};
constexpr std::array<std::string_view, 2> kStallKeys = {"at", "for"};

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kMostCores = 1024;
constexpr std::int64_t kMostMebibytes = 1'000'000;
constexpr std::int64_t kMostCalls = 1'000'000;
constexpr TimeNs kShortest = kMicrosecond;             // period: shorter ones only make runs slow
constexpr TimeNs kLongest = 3600 * kSecond;            // period
constexpr TimeNs kShortestSlice = 100 * kMicrosecond;  // as the kernel's own limits
constexpr TimeNs kLongestSlice = kSecond;
constexpr std::int64_t kMostWeight = 10'000;      // of cpu.weight
constexpr TimeNs kUsualBurst = 3 * kMillisecond;  // a time slice: docs/machine-presets.md

std::vector<std::string_view> preset_names() {
  std::vector<std::string_view> names;
  for (const MachineSpec& preset : machine_presets()) names.emplace_back(preset.name);
  return names;
}

Duration exponential(TimeNs mean) {
  Duration duration;
  duration.kind = mean == 0 ? Duration::Kind::fixed : Duration::Kind::exponential;
  duration.a = mean;
  return duration;
}

}  // namespace

void Reader::read_machine(NodeIndex node) {
  const std::uint32_t stream = next_stream_;  // the machine has its own streams
  if (kind(node) == Kind::text) {
    read_preset(node);
  } else if (is_kind(node, Kind::object, fmt::format("{}, or an object", fmt::join(preset_names(), ", ")))) {
    check_keys(node, kMachineKeys, "a machine");
    const NodeIndex preset = document_.find(node, "preset");
    if (preset != kNone && is_kind(preset, Kind::text, "the name of a machine")) read_preset(preset);
    if (document_.size(node) > (preset != kNone ? 1U : 0U)) scenario_.machine.name = "custom";
    read_machine_keys(node);
  }
  next_stream_ = stream;
}

void Reader::read_preset(NodeIndex node) {
  const auto presets = machine_presets();
  const auto preset = std::ranges::find(presets, text(node), &MachineSpec::name);
  if (preset != presets.end()) {
    scenario_.machine = *preset;
    scenario_.machine_given.preset = true;
    return;
  }
  error(node,
        fmt::format("there is no machine {}; there are {}", document_.json(node), fmt::join(preset_names(), ", ")),
        nearest(text(node), preset_names()));
}

void Reader::read_machine_keys(NodeIndex node) {
  MachineSpec& machine = scenario_.machine;
  MachineGiven& given = scenario_.machine_given;
  const auto member = [&](std::string_view key) { return document_.find(node, key); };
  const auto duration = [&](std::string_view key, Duration& target, bool& is_given) {
    is_given = member(key) != kNone;
    if (is_given) target = read_duration(member(key));
  };
  if (const NodeIndex cores = member("cores"); cores != kNone)
    machine.cores = static_cast<std::uint32_t>(read_whole(cores, 1, kMostCores, "a number of cores"));
  if (const NodeIndex speed = member("speed"); speed != kNone)
    machine.speed_ppm =
        static_cast<std::uint64_t>(read_millionths(speed, 1, kMostCores * kMillion, "a speed such as 1 or 0.5"));
  duration("startup", machine.startup, given.startup);
  duration("wakeup", machine.wakeup, given.wakeup);
  if (const NodeIndex states = member("idleStates"); states != kNone) read_idle_states(states);
  if (const NodeIndex slack = member("timerSlack"); slack != kNone) machine.timer_slack = read_duration(slack);
  if (const NodeIndex overhead = member("overhead"); overhead != kNone) read_overhead(overhead);
  if (const NodeIndex gc = member("gc"); gc != kNone && runs_javascript(gc, "gc")) read_collection(gc);
  if (const NodeIndex warm_up = member("warmUp"); warm_up != kNone && runs_javascript(warm_up, "warmUp"))
    read_warm_up(warm_up);
  if (const NodeIndex scheduler = member("scheduler"); scheduler != kNone) read_scheduler(scheduler);
  if (const NodeIndex load = member("load"); load != kNone) read_load(load);
  if (const NodeIndex nice = member("nice"); nice != kNone) machine.scheduler.nice = read_nice(nice);
  if (const NodeIndex weight = member("weight"); weight != kNone) machine.scheduler.weight = read_weight(weight);
  if (const NodeIndex quota = member("quota"); quota != kNone) read_quota(quota);
  if (const NodeIndex steal = member("steal"); steal != kNone) read_steal(steal);
  if (const NodeIndex stalls = member("stalls"); stalls != kNone) read_stalls(stalls);
  if (const NodeIndex clock = member("clock"); clock != kNone) {
    duration("clock", machine.clock_phase, given.clock);
    const Duration& phase = machine.clock_phase;
    if (phase.kind == Duration::Kind::fixed && phase.a >= kMillisecond) {
      error(clock, fmt::format("the clock's place inside a millisecond must be below 1ms, found {}", to_text(phase.a)));
    }
  }
  if (const NodeIndex tasks = member("tasks"); tasks != kNone) read_task_choice(tasks);
  // A load competes for cores: a machine with a core for each thread gets one core.
  if (machine.load.kind != LoadSpec::Kind::none && machine.cores == 0) machine.cores = 1;
}

void Reader::read_task_choice(NodeIndex node) {
  constexpr std::array<std::string_view, 2> kChoices = {"by-time", "drawn"};
  if (profile_ != nullptr && profile_->family != Family::browser) {
    return key_error(node, fmt::format("only a page in a browser has tasks of several sources, and the runtime is {}",
                                       profile_->name));
  }
  if (!is_kind(node, Kind::text, R"("by-time", or "drawn")")) return;
  const auto choice = std::ranges::find(kChoices, text(node));
  if (choice == kChoices.end()) {
    return error(node, fmt::format("the next task is chosen \"by-time\", or \"drawn\", not {}", document_.json(node)),
                 nearest(text(node), {kChoices.begin(), kChoices.end()}));
  }
  scenario_.machine.tasks = *choice == "drawn" ? TaskChoice::drawn : TaskChoice::by_time;
  scenario_.machine_given.tasks = true;
}

// A number with at most six decimals, in millionths.
std::int64_t Reader::read_millionths(NodeIndex node, std::int64_t low, std::int64_t high, std::string_view what) {
  if (kind(node) == Kind::number) {
    const ParsedDuration parsed = parse_milliseconds(text(node));
    if (parsed.problem == DurationProblem::none && parsed.value >= low && parsed.value <= high) return parsed.value;
  }
  expected(node, std::string(what));
  return low;
}

void Reader::read_overhead(NodeIndex node) {
  if (!is_kind(node, Kind::object, R"(an object such as {"callback": "2us", "turn": "1us"})")) return;
  check_keys(node, kOverheadKeys, "an overhead");
  OverheadSpec& overhead = scenario_.machine.overhead;
  MachineGiven& given = scenario_.machine_given;
  const auto read = [&](std::string_view key, Duration& target, bool& is_given) {
    const NodeIndex cost = document_.find(node, key);
    is_given = cost != kNone;
    if (is_given) target = read_duration(cost);
  };
  read("callback", overhead.callback, given.callback);
  if (const NodeIndex cold = document_.find(node, "cold"); cold != kNone) overhead.cold = read_duration(cold);
  if (const NodeIndex socket = document_.find(node, "socket"); socket != kNone) overhead.socket = read_duration(socket);
  read("task", overhead.task, given.task);
  read("turn", overhead.turn, given.turn);
  read("poll", overhead.poll, given.poll);
  read("timer", overhead.timer, given.timer);
  read("log", overhead.log, given.log);
  read("firstLog", overhead.first_log, given.first_log);
  read("submit", overhead.submit, given.submit);
  read("request", overhead.request, given.request);
  if (const NodeIndex clock = document_.find(node, "clock"); clock != kNone)
    overhead.clock.a = read_time_between(clock, 1, kLongest);
  if (const NodeIndex call = document_.find(node, "syscall"); call != kNone) overhead.syscall = read_duration(call);
  const NodeIndex jumps = document_.find(node, "jumps");
  given.jumps = jumps != kNone;
  if (given.jumps) overhead.jumps.a = read_fixed_duration(jumps);
}

void Reader::read_idle_states(NodeIndex node) {
  constexpr std::string_view kHint = R"({"after": "10ms", "wakeup": "100us"})";
  if (!is_kind(node, Kind::list, fmt::format("a list of idle states such as {}", kHint))) return;
  std::vector<IdleState>& states = scenario_.machine.idle_states;
  states.clear();
  for (const NodeIndex item : children_of(node)) {
    if (!is_kind(item, Kind::object, fmt::format("an idle state such as {}", kHint))) continue;
    check_keys(item, kIdleStateKeys, "an idle state");
    const NodeIndex after = document_.find(item, "after");
    const NodeIndex wakeup = document_.find(item, "wakeup");
    if (after == kNone || wakeup == kNone) {
      error(item, R"(an idle state needs "after" and "wakeup")");
      continue;
    }
    IdleState state{read_fixed_duration(after), read_duration(wakeup)};
    if (!states.empty() && state.after <= states.back().after) {
      error(after, fmt::format("idle states stand in order of time; the one before begins after {}",
                               to_text(states.back().after)));
      continue;
    }
    states.push_back(std::move(state));
  }
}

// Sizes in MiB.
void Reader::read_collection(NodeIndex node) {
  constexpr std::string_view kHint = R"(an object such as {"allocation": 100, "scavenge": "1ms"})";
  if (!is_kind(node, Kind::object, kHint)) return;
  check_keys(node, kCollectionKeys, "a garbage collector");
  CollectionSpec gc;
  const auto size = [&](std::string_view key, std::int64_t& target, std::string_view what) {
    constexpr std::int64_t kBytesPerUnit = 1 << 14,
                           kUnitsPerMebibyte = 15'625;  // 2^20 bytes are 10^6 millionths of a MiB
    if (const NodeIndex given = document_.find(node, key); given != kNone)
      target =
          read_millionths(given, kMillion / 1000, kMostMebibytes * kMillion, what) * kBytesPerUnit / kUnitsPerMebibyte;
  };
  const auto time = [&](std::string_view key, Duration& target) {
    if (const NodeIndex given = document_.find(node, key); given != kNone) target = read_duration(given);
  };
  if (document_.find(node, "allocation") == kNone)
    return error(node, R"(a garbage collector needs "allocation", the MiB that a second of JavaScript allocates)");
  size("allocation", gc.allocation, "a number of MiB, such as 100, that a second of JavaScript allocates");
  size("young", gc.young, "the size of the young generation in MiB, such as 16");
  size("old", gc.old, "the MiB that the old generation grows by before it is collected, such as 64");
  if (const NodeIndex survives = document_.find(node, "survives"); survives != kNone)
    gc.survives_ppm = read_millionths(survives, 0, kMillion, "a share from 0 to 1, such as 0.05");
  time("scavenge", gc.scavenge);
  time("markCompact", gc.mark_compact);
  scenario_.machine.gc = gc;
}

bool Reader::runs_javascript(NodeIndex node, std::string_view key) {
  if (profile_ == nullptr || (profile_->family != Family::libuv && profile_->family != Family::io)) return true;
  key_error(node, fmt::format("\"{}\" is of JavaScript, and the runtime is {}", key, profile_->name));
  return false;
}

void Reader::read_warm_up(NodeIndex node) {
  if (!is_kind(node, Kind::object, R"(an object such as {"factor": 5, "calls": 20})")) return;
  check_keys(node, kWarmUpKeys, "a warm-up");
  const NodeIndex factor = document_.find(node, "factor");
  const NodeIndex calls = document_.find(node, "calls");
  if (factor == kNone || calls == kNone) return error(node, R"(a warm-up needs "factor" and "calls")");
  scenario_.machine.warm_up = {
      .factor_ppm = read_millionths(factor, kMillion, 1000 * kMillion, "a factor from 1 to 1000, such as 5"),
      .calls = static_cast<std::uint32_t>(read_whole(calls, 1, kMostCalls, "a number of calls"))};
}

// ---- other programs ---------------------------------------------------------------------------------------------------------------

void Reader::read_load(NodeIndex node) {
  constexpr std::string_view kHint = R"(a share such as 0.6, or an object such as {"busy": "6ms", "every": "10ms"})";
  LoadSpec load;
  load.threads = 0;
  // A scheduler lets everybody run, also beside others that always want a core.
  if (has_scheduler()) load.policy = LoadSpec::Policy::fair;
  if (kind(node) == Kind::number) {
    read_share(node, kUsualBurst, load);
  } else if (is_kind(node, Kind::object, kHint)) {
    check_keys(node, kLoadKeys, "a load");
    const NodeIndex share = document_.find(node, "share");
    const NodeIndex busy = document_.find(node, "busy");
    if (const NodeIndex policy = document_.find(node, "policy"); policy != kNone) read_load_policy(policy, load);
    if (has_scheduler()) load.policy = LoadSpec::Policy::fair;
    if (const NodeIndex nice = document_.find(node, "nice"); nice != kNone) load.nice = read_nice(nice);
    if (const NodeIndex weight = document_.find(node, "weight"); weight != kNone) load.weight = read_weight(weight);
    if (const NodeIndex pinned = document_.find(node, "pinned"); pinned != kNone) load.pinned = read_pinned(pinned);
    if (const NodeIndex threads = document_.find(node, "threads"); threads != kNone)
      load.threads = static_cast<std::uint32_t>(read_whole(threads, 1, kMostCores, "a number of threads"));
    if ((share == kNone) == (busy == kNone)) {
      error(node, R"(a load needs either "share", or "busy" with "every" or "idle")");
    } else if (share != kNone) {
      for (const std::string_view key : {"every", "offset", "idle"}) {
        if (const NodeIndex other = document_.find(node, key); other != kNone)
          key_error(other, fmt::format("\"{}\" goes with \"busy\", not with \"share\"", key));
      }
      const NodeIndex burst = document_.find(node, "burst");
      read_share(share, burst == kNone ? kUsualBurst : read_period(burst), load);
    } else {
      read_busy(node, busy, load);
    }
  }
  scenario_.machine.load = std::move(load);
}

// One of the schedulers may stand here, too: it is the machine's then, in place of a preset's.
void Reader::read_load_policy(NodeIndex node, LoadSpec& load) {
  constexpr std::string_view kHint = R"("preempt", "fair", "cfs" or "eevdf")";
  if (!is_kind(node, Kind::text, kHint)) return;
  if (std::ranges::find(kPolicies, text(node)) == kPolicies.end())
    return error(node, fmt::format("expected {}, found {}", kHint, describe(node)),
                 nearest(text(node), {kPolicies.begin(), kPolicies.end()}));
  SchedulerSpec& scheduler = scenario_.machine.scheduler;
  const SchedulerSpec::Policy policy = text(node) == "cfs"     ? SchedulerSpec::Policy::cfs
                                       : text(node) == "eevdf" ? SchedulerSpec::Policy::eevdf
                                                               : SchedulerSpec::Policy::sharing;
  if (scheduler_given_ && scheduler.policy != policy)
    return error(node, fmt::format("the machine's \"scheduler\" is \"{}\", and serves the load, too",
                                   scheduler.policy == SchedulerSpec::Policy::cfs ? "cfs" : "eevdf"));
  if (scheduler.policy != policy) scheduler = {};  // a preset's gives way
  scheduler.policy = policy;
  load.policy = text(node) == "fair" ? LoadSpec::Policy::fair : LoadSpec::Policy::preempt;
}

// Each thread of the load alternates between random busy and idle times, and is busy for this share of the time.
void Reader::read_share(NodeIndex node, TimeNs burst, LoadSpec& load) {
  const std::int64_t share = read_millionths(node, 0, kMillion, "a share from 0 to 1, such as 0.6");
  if (share == 0) return;
  if (share == kMillion && load.policy == LoadSpec::Policy::preempt) {
    error(node, R"(at a share of 1 the process would never run; expected less than 1, or the policy "fair")");
    return;
  }
  if (share == kMillion) {  // always busy: a period without idle time
    load.kind = LoadSpec::Kind::periodic;
    load.busy.a = load.every = burst;
    return;
  }
  load.kind = LoadSpec::Kind::bursts;
  load.busy = exponential(burst);
  load.idle = exponential(burst * (kMillion - share) / share);
}

void Reader::read_busy(NodeIndex node, NodeIndex busy, LoadSpec& load) {
  const NodeIndex every = document_.find(node, "every");
  const NodeIndex idle = document_.find(node, "idle");
  const NodeIndex offset = document_.find(node, "offset");
  if (const NodeIndex burst = document_.find(node, "burst"); burst != kNone)
    key_error(burst, R"("burst" goes with "share", not with "busy")");
  if ((every == kNone) == (idle == kNone)) {
    error(node, R"("busy" needs either "every", the period, or "idle", the time between)");
    return;
  }
  if (idle != kNone) {
    if (offset != kNone) key_error(offset, R"("offset" goes with "every", not with "idle")");
    load.kind = LoadSpec::Kind::bursts;
    load.busy = read_duration(busy);
    load.idle = read_duration(idle);
    return;
  }
  load.kind = LoadSpec::Kind::periodic;
  load.busy.a = read_fixed_duration(busy);
  load.every = read_period(every);
  if (offset != kNone) load.offset = read_fixed_duration(offset);
  if (load.busy.a > load.every) {
    error(busy, fmt::format("the others cannot be busy for {} in every {}", to_text(load.busy.a), to_text(load.every)));
  } else if (load.busy.a == load.every && load.policy == LoadSpec::Policy::preempt) {
    error(busy,
          R"(busy all the time, the others would never let the process run; expected less, or the policy "fair")");
  }
  if (load.busy.a == 0) load.kind = LoadSpec::Kind::none;
}

// A period; an error outside of kShortest to kLongest.
TimeNs Reader::read_period(NodeIndex node) { return read_time_between(node, kShortest, kLongest); }

TimeNs Reader::read_time_between(NodeIndex node, TimeNs shortest, TimeNs longest) {
  const TimeNs time = read_fixed_duration(node);
  if (time >= shortest && time <= longest) return time;
  if (kind(node) != Kind::invalid)
    error(node,
          fmt::format("expected a time from {} to {}, found {}", to_text(shortest), to_text(longest), to_text(time)));
  return shortest;
}

// ---- the scheduler -----------------------------------------------------------------------------------------------------------------

void Reader::read_scheduler(NodeIndex node) {
  constexpr std::string_view kHint =
      R"("cfs", "eevdf", or an object such as {"policy": "eevdf", "baseSlice": "1.4ms"})";
  SchedulerSpec scheduler;
  NodeIndex policy = node;
  if (kind(node) != Kind::text) {
    if (!is_kind(node, Kind::object, kHint)) return;
    check_keys(node, kSchedulerKeys, "a scheduler");
    policy = document_.find(node, "policy");
    if (policy == kNone) return error(node, R"(a scheduler needs a "policy", "cfs" or "eevdf")");
    if (!is_kind(policy, Kind::text, R"("cfs" or "eevdf")")) return;
  }
  if (std::ranges::find(kSchedulers, text(policy)) == kSchedulers.end()) {
    return error(policy, fmt::format("there is no scheduler {}; there are cfs and eevdf", document_.json(policy)),
                 nearest(text(policy), {kSchedulers.begin(), kSchedulers.end()}));
  }
  scheduler.policy = text(policy) == "cfs" ? SchedulerSpec::Policy::cfs : SchedulerSpec::Policy::eevdf;
  if (policy != node) read_scheduler_keys(node, scheduler);
  scenario_.machine.scheduler = scheduler;
  scheduler_given_ = true;
}

void Reader::read_scheduler_keys(NodeIndex node, SchedulerSpec& scheduler) {
  const auto slice = [&](std::string_view key, TimeNs& target, SchedulerSpec::Policy of) {
    const NodeIndex member = document_.find(node, key);
    if (member == kNone) return;
    if (of != SchedulerSpec::Policy::sharing && of != scheduler.policy) {
      const bool is_cfs = of == SchedulerSpec::Policy::cfs;
      return key_error(member, fmt::format("\"{}\" is a time of {}, and the policy is {}", key,
                                           is_cfs ? "cfs" : "eevdf", is_cfs ? "eevdf" : "cfs"));
    }
    target = read_slice(member);
  };
  slice("tick", scheduler.tick, SchedulerSpec::Policy::sharing);
  slice("latency", scheduler.latency, SchedulerSpec::Policy::cfs);
  slice("minGranularity", scheduler.min_granularity, SchedulerSpec::Policy::cfs);
  slice("wakeupGranularity", scheduler.wakeup_granularity, SchedulerSpec::Policy::cfs);
  slice("baseSlice", scheduler.base_slice, SchedulerSpec::Policy::eevdf);
  if (const NodeIndex phase = document_.find(node, "phase"); phase != kNone) {
    scheduler.has_phase = true;
    scheduler.phase = read_duration(phase);
  }
  if (const NodeIndex cost = document_.find(node, "migrationCost"); cost != kNone)
    scheduler.migration_cost = read_fixed_duration(cost);
  if (const NodeIndex share = document_.find(node, "newidleBalance"); share != kNone)
    scheduler.newidle_ppm = read_millionths(share, 0, kMillion, "a share from 0 to 1, such as 0.1");
  if (const NodeIndex portion = document_.find(node, "bandwidthSlice"); portion != kNone)
    scheduler.bandwidth_slice = read_period(portion);
}

TimeNs Reader::read_slice(NodeIndex node) { return read_time_between(node, kShortestSlice, kLongestSlice); }

int Reader::read_nice(NodeIndex node) {
  needs_scheduler(node, "nice");
  return static_cast<int>(read_whole(node, -20, 19, "a nice value"));
}

std::uint32_t Reader::read_weight(NodeIndex node) {
  needs_scheduler(node, "weight");
  return static_cast<std::uint32_t>(read_whole(node, 1, kMostWeight, "a weight such as cpu.weight has"));
}

bool Reader::read_pinned(NodeIndex node) {
  needs_scheduler(node, "pinned");
  return is_kind(node, Kind::boolean, "true or false") && document_.boolean(node);
}

void Reader::needs_scheduler(NodeIndex node, std::string_view key) {
  if (!has_scheduler())
    key_error(node,
              fmt::format(R"("{}" means something to a scheduler only; add "scheduler": "eevdf", or "cfs")", key));
}

// ---- quota and stalls -----------------------------------------------------------------------------------------------

void Reader::read_quota(NodeIndex node) {
  constexpr std::string_view kHint = R"(a number of CPUs such as 0.5, or {"quota": "50ms", "period": "100ms"})";
  QuotaSpec quota;
  if (kind(node) == Kind::number) {
    const std::int64_t cpus = read_millionths(node, kMillion / 1000, kMostCores * kMillion, kHint);
    quota.quota = quota.period / kMillion * cpus;
  } else if (is_kind(node, Kind::object, kHint)) {
    check_keys(node, kQuotaKeys, "a quota");
    const NodeIndex amount = document_.find(node, "quota");
    if (amount == kNone) {
      error(node, R"(a quota needs "quota", the CPU time that the process may use in every period)");
      return;
    }
    quota.quota = read_period(amount);
    if (const NodeIndex period = document_.find(node, "period"); period != kNone) quota.period = read_period(period);
  }
  scenario_.machine.quota = quota;
}

void Reader::read_steal(NodeIndex node) {
  constexpr std::string_view kHint = R"(an object such as {"takes": "1ms", "between": {"exponential": "100ms"}})";
  needs_scheduler(node, "steal");
  if (!is_kind(node, Kind::object, kHint)) return;
  check_keys(node, kStealKeys, "a theft");
  const NodeIndex takes = document_.find(node, "takes");
  const NodeIndex between = document_.find(node, "between");
  if (takes == kNone || between == kNone) return error(node, R"(thefts need "takes" and "between")");
  StealSpec& steal = scenario_.machine.steal;
  steal = {.takes = read_duration(takes), .between = read_duration(between)};
  if (!steal.is_there() && kind(between) != Kind::invalid) error(between, "there must be time between two thefts");
}

void Reader::read_stalls(NodeIndex node) {
  if (!is_kind(node, Kind::list, "a list of stalls such as {\"at\": \"0ms\", \"for\": \"100ms\"}")) return;
  scenario_.machine.stalls.clear();
  TimeNs end = 0;
  for (const NodeIndex item : children_of(node)) {
    if (!is_kind(item, Kind::object, "a stall such as {\"at\": \"0ms\", \"for\": \"100ms\"}")) continue;
    check_keys(item, kStallKeys, "a stall");
    const NodeIndex at = document_.find(item, "at");
    const NodeIndex length = document_.find(item, "for");
    if (at == kNone || length == kNone) {
      error(item, "a stall needs \"at\" and \"for\"");
      continue;
    }
    const Stall stall{read_fixed_duration(at), read_fixed_duration(length)};
    if (stall.length == 0) {
      if (kind(length) != Kind::invalid) error(length, "a stall must last longer than 0");
      continue;
    }
    if (!scenario_.machine.stalls.empty() && stall.at < end) {
      error(at,
            fmt::format("stalls stand in order of time and do not overlap; the one before ends at {}", to_text(end)));
      continue;
    }
    end = stall.at + stall.length;
    scenario_.machine.stalls.push_back(stall);
  }
}

}  // namespace loopsim
