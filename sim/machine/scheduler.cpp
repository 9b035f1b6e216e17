#include "sim/machine/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "sim/machine/cpu.hpp"

namespace loopsim {

namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr int kCyclesBefore = 32;         // cycles of the load before the process starts, as in Cpu
constexpr int kMostChangesBefore = 4096;  // per thread; bounds long-tailed distributions
constexpr int kMostThefts = 4096;         // that an idle core looks back upon
constexpr std::int64_t kLeastShares = 2;  // MIN_SHARES
// Balancing, kernel/sched/fair.c and topology.c: a busy core looks 16 times as rarely as an idle one, which does so every
// millisecond for each core; loads that differ by less than 17 % are left alone; after more than one failure tasks move
// that ran just now, and heavier ones.
constexpr TimeNs kBusyInterval = 16 * kMillisecond;
constexpr std::int64_t kImbalancePercent = 117;
constexpr std::uint32_t kCacheTries = 1;
constexpr std::uint32_t kMostFailures = 32;

// The kernel's constants grow with the logarithm of the number of cores, up to 8 (get_update_sysctl_factor()).
TimeNs or_default(TimeNs given, TimeNs normalized, std::uint32_t cores) {
  return given != 0 ? given : normalized * std::bit_width(std::min(cores, 8U));
}

TimeNs first_tick(const SchedulerSpec& scheduler, std::uint64_t seed) {
  Duration phase = scheduler.phase;
  if (!scheduler.has_phase) {
    phase.kind = Duration::Kind::uniform;
    phase.b = scheduler.tick;
  }
  return Sampler(phase, seed, MachineStream::tick).draw() % scheduler.tick;
}

}  // namespace

Scheduler::Scheduler(const MachineSpec& spec, std::uint32_t cores, std::uint32_t threads, std::uint64_t seed,
                     std::uint64_t& changes)
    : spec_(spec),
      is_eevdf_(spec.scheduler.policy == SchedulerSpec::Policy::eevdf),
      cfs_{.latency = or_default(spec.scheduler.latency, 6 * kMillisecond, cores),
           .min_granularity = or_default(spec.scheduler.min_granularity, 750 * kMicrosecond, cores),
           .wakeup_granularity = or_default(spec.scheduler.wakeup_granularity, kMillisecond, cores)},
      eevdf_{.base_slice = or_default(spec.scheduler.base_slice, 750 * kMicrosecond, cores),
             .tick = spec.scheduler.tick},
      bandwidth_(spec.quota, spec.scheduler.bandwidth_slice, cores),
      tick_phase_(first_tick(spec.scheduler, seed)),
      cores_(cores),
      first_load_(threads),
      seed_(seed),
      changes_(changes) {
  const LoadSpec& load = spec.load;
  std::uint32_t others = 0;
  if (load.kind != LoadSpec::Kind::none) others = load.threads == 0 ? cores : load.threads;
  tasks_ = std::vector<Task>(threads + others);
  begin_cores(cores);
  const bool has_group = spec.quota.quota != 0 || spec.scheduler.weight != 0;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    Task& task = tasks_[i];
    task.is_load = i >= threads;
    task.entity.task = i;
    task.entity.weight = weight_of_nice(task.is_load ? load.nice : spec.scheduler.nice);
    if (task.is_load) {
      task.group = load.weight != 0 ? kLoad : kRoot;
      task.core = (i - threads) % cores;
      task.is_pinned = load.pinned;
    } else if (has_group) {
      task.group = kProcess;
    }
    task.entity.queue = &queue_of(cores_[task.core], task.group);
  }
  if (spec.steal.is_there()) begin_thefts(seed);
  if (others != 0) begin_load(seed);
  advance_stalls();
}

void Scheduler::begin_cores(std::uint32_t cores) {
  for (std::uint32_t i = 0; i < cores; ++i) {
    Core& core = cores_[i];
    core.root.core = i;
    core.root.waiting.reserve(tasks_.size() + 2);
    for (const Group group : {kProcess, kLoad}) {
      RunQueue& queue = core.group_queues[group];
      SchedEntity& entity = core.groups[group];
      queue.core = i;
      queue.parent = &entity;
      queue.waiting.reserve(tasks_.size());
      entity.own = &queue;
      entity.queue = &core.root;
      const std::uint32_t weight = group == kProcess ? spec_.scheduler.weight : spec_.load.weight;
      entity.weight = weight_of_group(weight == 0 ? 100 : weight);
    }
  }
}

// ---- the load -------------------------------------------------------------------------------------------------------

// It has been there long before the process: the run begins somewhere in its cycle, as if it had had cores to itself.
void Scheduler::begin_load(std::uint64_t seed) {
  const LoadSpec& load = spec_.load;
  for (std::uint32_t i = first_load_; i < tasks_.size(); ++i) {
    Task& task = tasks_[i];
    if (load.kind == LoadSpec::Kind::bursts) {
      begin_burst(task, seed, i - first_load_);
    } else if (load.busy.a >= load.every) {
      task.goal = kNever;  // always busy
      wake(i);
      continue;
    } else {
      task.wakes_at = load.offset % load.every;
      const TimeNs left = task.wakes_at - load.every + load.busy.a;  // of the window that began before the process
      if (left > 0) task.goal = left;
    }
    if (task.goal != kNever) wake(i);
    load_wakes_ = std::min(load_wakes_, task.wakes_at);
  }
  wake_load();
}

// The same draws as in Cpu.
void Scheduler::begin_burst(Task& task, std::uint64_t seed, std::uint32_t number) {
  const LoadSpec& load = spec_.load;
  task.busy = Sampler(load.busy, seed, MachineStream::load, 2 * number);
  task.idle = Sampler(load.idle, seed, MachineStream::load, 2 * number + 1);
  const TimeNs cycle =
      std::min(mean_of(load.busy), kMaxDuration / 128) + std::min(mean_of(load.idle), kMaxDuration / 128);
  const auto shift = static_cast<TimeNs>(task.idle.uniform() * static_cast<double>(cycle));
  TimeNs until = -(kCyclesBefore * cycle) - shift;
  bool is_busy = false;
  for (int change = 0; until <= 0 && change < kMostChangesBefore; ++change) {
    is_busy = !is_busy;
    until += std::max<TimeNs>((is_busy ? task.busy : task.idle).draw(), 1);
  }
  until = std::max<TimeNs>(until, 1);
  if (is_busy)
    task.goal = until;
  else
    task.wakes_at = until;
}

void Scheduler::end_bursts() {
  for (const Core& core : cores_) {
    if (core.task == kNone) continue;
    const std::uint32_t number = core.task;
    Task& task = tasks_[number];
    if (!task.is_load || executed(number) < task.goal || task.wakes_at <= now_) continue;
    task.goal = kNever;
    ++changes_;
    if (spec_.load.kind == LoadSpec::Kind::bursts) {
      task.wakes_at = now_ + std::max<TimeNs>(task.idle.draw(), 1);
      load_wakes_ = std::min(load_wakes_, task.wakes_at);
    }
    block(number);
  }
}

void Scheduler::wake_load() {
  if (load_wakes_ > now_) return;
  load_wakes_ = kNever;
  const LoadSpec& load = spec_.load;
  for (std::uint32_t i = first_load_; i < tasks_.size(); ++i) {
    Task& task = tasks_[i];
    if (task.wakes_at <= now_) {
      ++changes_;
      if (load.kind == LoadSpec::Kind::bursts) {
        task.wakes_at = kNever;
        task.goal = executed(i) + std::max<TimeNs>(task.busy.draw(), 1);
      } else {
        task.wakes_at += load.every;
        // What it could not do in its last window is still to do.
        task.goal = (task.wants ? task.goal : executed(i)) + load.busy.a;
      }
      wake(i);
    }
    load_wakes_ = std::min(load_wakes_, task.wakes_at);
  }
}

// ---- time -----------------------------------------------------------------------------------------------------------

void Scheduler::advance(TimeNs now) {
  now_ = now;
  end_bursts();
  if (bandwidth_.advance(now_, [this](RunQueue& queue) { unthrottle(queue); })) {
    ++changes_;
    for (Core& core : cores_) settle(core);
  }
  wake_load();
  for (Core& core : cores_) {
    if (core.next_theft <= now_) advance_thefts(core);
    if (core.next_tick <= now_) tick(core);
  }
  advance_stalls();
}

TimeNs Scheduler::next_change() const {
  TimeNs next = load_wakes_;
  bool uses_quota = false;
  for (const Core& core : cores_) {
    uses_quota = uses_quota || core.group_queues[kProcess].count != 0;
    if (core.task == kNone) continue;
    next = std::min({next, core.next_tick, core.next_theft});
    if (core.stolen_until > now_) next = std::min(next, core.stolen_until);
    const TimeNs goal = tasks_[core.task].goal, from = std::max(core.accounted, now_);
    if (goal != kNever) next = std::min(next, from + std::max<TimeNs>(goal - executed(core.task), 0));
  }
  next = std::min(next, bandwidth_.next_change(uses_quota));
  if (is_stalled_)
    next = std::min(next, last_stall().at + last_stall().length);
  else if (next_stall_ < spec_.stalls.size())
    next = std::min(next, spec_.stalls[next_stall_].at);
  return next;
}

// ---- the hypervisor -------------------------------------------------------------------------------------------------

void Scheduler::begin_thefts(std::uint64_t seed) {
  const TimeNs usual = std::min(mean_of(spec_.steal.between), kMaxDuration);
  for (std::uint32_t i = 0; i < cores_.size(); ++i) {
    cores_[i].stolen_for = Sampler(spec_.steal.takes, seed, MachineStream::steal, 2 * i);
    cores_[i].kept_for = Sampler(spec_.steal.between, seed, MachineStream::steal, 2 * i + 1);
    cores_[i].next_theft = static_cast<TimeNs>(cores_[i].kept_for.uniform() * static_cast<double>(usual));
  }
}

// Where nobody runs, a theft is noticed only by those who come before its end. A theft that is over does not count.
void Scheduler::advance_thefts(Core& core) {
  account(core);
  for (int count = 0; core.next_theft <= now_; ++count) {
    if (count == kMostThefts) core.next_theft = now_;  // of an idle core, long ago: goes on from here
    const TimeNs ends = core.next_theft + core.stolen_for.draw();
    core.next_theft = ends + std::max<TimeNs>(core.kept_for.draw(), 1);
    if (ends <= now_) continue;
    ++changes_;
    core.stolen_until = ends;
    if (core.task != kNone) core.accounted = ends;
    if (core.next_tick < ends) core.next_tick = ends;
  }
}

// ---- time -----------------------------------------------------------------------------------------------------------

// A stall stops the threads of the process, as SIGSTOP does, and nobody else.
void Scheduler::advance_stalls() {
  if (is_stalled_ && now_ >= last_stall().at + last_stall().length) {
    is_stalled_ = false;
    for (std::uint32_t i = 0; i < first_load_; ++i)
      if (tasks_[i].wants) start_waiting(i);
  }
  while (!is_stalled_ && next_stall_ < spec_.stalls.size() && spec_.stalls[next_stall_].at <= now_) {
    const Stall& stall = spec_.stalls[next_stall_++];
    ++changes_;
    if (now_ >= stall.at + stall.length) continue;
    for (std::uint32_t i = 0; i < first_load_; ++i)
      if (tasks_[i].wants) stop_waiting(i);
    is_stalled_ = true;
  }
}

TimeNs Scheduler::executed(std::uint32_t task) const {
  const Task& one = tasks_[task];
  const Core& core = cores_[one.core];
  return one.entity.executed + (core.task == task ? std::max<TimeNs>(now_ - core.accounted, 0) : 0);
}

Held Scheduler::held(std::uint32_t task) const {
  const Task& one = tasks_[task];
  if (is_stopped(one)) return Held::stalled;
  if (runs(task)) return cores_[one.core].stolen_until > now_ ? Held::stolen : Held::no;
  return one.entity.queue->is_throttled ? Held::throttled : Held::preempted;
}

TimeNs Scheduler::time_for(TimeNs amount) const {
  const auto speed = static_cast<Work>(spec_.speed_ppm);
  return static_cast<TimeNs>(std::min<Work>((static_cast<Work>(amount) * kMillion + speed - 1) / speed, kMaxDuration));
}

TimeNs Scheduler::work_in(TimeNs time) const {
  const Work work = (static_cast<Work>(time) * static_cast<Work>(spec_.speed_ppm) + kMillion - 1) / kMillion;
  return static_cast<TimeNs>(std::min<Work>(work, kMaxDuration));
}

// ---- who wants a core -----------------------------------------------------------------------------------------------

void Scheduler::wake(std::uint32_t task) {
  if (tasks_[task].wants) return;
  tasks_[task].wants = true;
  if (!is_stopped(tasks_[task])) start_waiting(task);
}

void Scheduler::block(std::uint32_t task) {
  if (!tasks_[task].wants) return;
  tasks_[task].wants = false;
  if (!is_stopped(tasks_[task])) stop_waiting(task);
}

// try_to_wake_up()
void Scheduler::start_waiting(std::uint32_t number) {
  Task& task = tasks_[number];
  SchedEntity& entity = task.entity;
  Arrival arrival = Arrival::wakes;
  if (!entity.queued) {
    const std::uint32_t place = place_for(task);
    if (place != task.core) {
      with_policy([&](const auto& policy) { policy.move_away(*entity.queue, entity); });
      arrival = Arrival::wakes_elsewhere;
      task.core = place;
      entity.queue = &queue_of(cores_[place], task.group);
    }
  }
  Core& core = cores_[task.core];
  account(core);
  enqueue(core, entity, arrival);
  preempt_if_due(core, entity);
  settle(core);
}

void Scheduler::stop_waiting(std::uint32_t number) {
  Task& task = tasks_[number];
  Core& core = cores_[task.core];
  account(core);
  dequeue(core, task.entity, true, true);
  if (core.task == number) core.needs_pick = true;
  settle(core);
}

// select_task_rq_fair(), where all cores share a cache: the core that it ran on, if that is idle, else the next idle
// one, else the one that it ran on.
std::uint32_t Scheduler::place_for(const Task& task) const {
  if (task.is_pinned) return task.core;
  const auto cores = static_cast<std::uint32_t>(cores_.size());
  for (std::uint32_t i = 0; i < cores; ++i) {
    const std::uint32_t core = (task.core + i) % cores;
    if (is_idle(cores_[core])) return core;
  }
  return task.core;
}

// ---- queues ---------------------------------------------------------------------------------------------------------

std::uint32_t Scheduler::tasks_on(const Core& core) {
  std::uint32_t tasks = core.root.count;
  for (const Group group : {kProcess, kLoad})
    if (core.groups[group].queued) tasks += core.group_queues[group].count - 1;
  return tasks;
}

// Charges the running task, and its group, with the time since the last call.
void Scheduler::account(Core& core) {
  const TimeNs time = now_ - core.accounted;
  if (time <= 0) return;
  core.accounted = now_;
  if (core.task == kNone) return;
  for (SchedEntity* entity = &tasks_[core.task].entity; entity != nullptr; entity = entity->queue->parent) {
    RunQueue& queue = *entity->queue;
    entity->executed += time;
    entity->last_ran = now_;
    if (with_policy([&](const auto& policy) { return policy.charge(queue, time); })) core.needs_pick = true;
    const bool has_quota = &queue == &core.group_queues[kProcess] && bandwidth_.is_limited();
    if (has_quota && !bandwidth_.charge(queue, time)) core.needs_pick = true;
  }
}

// enqueue_task_fair(): on every level that does not have it yet.
void Scheduler::enqueue(Core& core, SchedEntity& first, Arrival arrival) {
  for (SchedEntity* entity = &first; entity != nullptr;) {
    RunQueue& queue = *entity->queue;
    if (entity->queued) {
      if (entity->is_delayed) with_policy([&](const auto& policy) { policy.wake_delayed(queue, *entity); });
      break;
    }
    with_policy([&](const auto& policy) { policy.place(queue, *entity, arrival); });
    entity->stamp = ++stamps_;
    queue.add(*entity);
    const bool has_quota = &queue == &core.group_queues[kProcess] && bandwidth_.is_limited();
    // check_enqueue_throttle()
    if (has_quota && queue.count == 1 && queue.current == nullptr && !queue.is_throttled &&
        !bandwidth_.has_runtime(queue))
      bandwidth_.throttle(queue);
    if (queue.is_throttled) break;
    entity = queue.parent;
    arrival = Arrival::wakes;
  }
  share_weights(core);
}

// dequeue_entities(): a group leaves with its last task. False: the first one has only been marked as asleep.
bool Scheduler::dequeue(Core& core, SchedEntity& first, bool sleeps, bool may_delay) {
  bool left = false;
  for (SchedEntity* entity = &first; entity != nullptr;) {
    RunQueue& queue = *entity->queue;
    if (!with_policy([&](const auto& policy) { return policy.leave(queue, *entity, sleeps, may_delay); })) break;
    left = true;
    queue.remove(*entity);
    with_policy([&](const auto& policy) { policy.left(queue); });
    if (queue.count != 0 || queue.is_throttled) break;
    if (&queue == &core.group_queues[kProcess] && bandwidth_.is_limited()) bandwidth_.give_back(queue, now_);
    entity = queue.parent;
    sleeps = true;
  }
  share_weights(core);
  return left;
}

// One that has slept since a while, and has been kept until now.
void Scheduler::finish_delayed(Core& core, SchedEntity& entity) {
  RunQueue& queue = *entity.queue;
  with_policy([&](const auto& policy) { policy.finish_delayed(queue, entity); });
  queue.remove(entity);
  with_policy([&](const auto& policy) { policy.left(queue); });
  if (queue.count != 0 || queue.parent == nullptr || queue.is_throttled) return;
  if (&queue == &core.group_queues[kProcess] && bandwidth_.is_limited()) bandwidth_.give_back(queue, now_);
  dequeue(core, *queue.parent, true, true);
}

// update_cfs_group(): a group's weight is divided between cores as its threads are. The kernel takes their average
// loads, this the momentary ones.
void Scheduler::share_weights(Core& core) {
  if (cores_.size() == 1) return;
  for (const Group group : {kProcess, kLoad}) {
    const std::int64_t load = core.group_queues[group].load;
    if (load == 0) continue;
    const std::uint32_t given = group == kProcess ? spec_.scheduler.weight : spec_.load.weight;
    const std::int64_t whole = weight_of_group(given == 0 ? 100 : given);
    std::int64_t all = 0;
    for (const Core& one : cores_) all += one.group_queues[group].load;
    const std::int64_t share = std::clamp(whole * load / all, std::min(kLeastShares, whole), whole);
    SchedEntity& entity = core.groups[group];
    if (share != entity.weight) with_policy([&](const auto& policy) { policy.reweight(core.root, entity, share); });
  }
}

// ---- who runs -------------------------------------------------------------------------------------------------------

// Compared on the level that both have in common.
void Scheduler::preempt_if_due(Core& core, SchedEntity& woken) {
  if (core.task == kNone) {
    core.needs_pick = true;
    return;
  }
  SchedEntity* one = &woken;
  const SchedEntity* running = &tasks_[core.task].entity;
  if (one->queue != running->queue) {
    if (one->queue->parent != nullptr) one = one->queue->parent;
    if (running->queue->parent != nullptr) running = running->queue->parent;
  }
  if (one == running || !one->queued || !running->queued) return;
  if (with_policy([&](const auto& policy) { return policy.wakeup_preempts(*one->queue, *one); }))
    core.needs_pick = true;
}

// schedule()
void Scheduler::settle(Core& core) {
  if (!core.needs_pick) return;
  account(core);
  SchedEntity* next = pick(core);
  if (next == nullptr && looks_elsewhere() && fill_idle(core, false)) next = pick(core);
  switch_to(core, next);
  core.needs_pick = false;
}

// pick_task_fair(). Begins anew after each that leaves the queue instead.
SchedEntity* Scheduler::pick(Core& core) {
  RunQueue* queue = &core.root;
  for (;;) {
    const bool has_quota = queue == &core.group_queues[kProcess] && bandwidth_.is_limited();
    if (has_quota && queue->runtime <= 0 && throttle(core, *queue)) {
      queue = &core.root;
      continue;
    }
    SchedEntity* entity = with_policy([&](const auto& policy) { return policy.pick(*queue); });
    if (entity == nullptr) return nullptr;
    if (entity->is_delayed) {
      finish_delayed(core, *entity);
      queue = &core.root;
      continue;
    }
    if (entity->own == nullptr) return entity;
    queue = entity->own;
  }
}

void Scheduler::switch_to(Core& core, SchedEntity* next) {
  SchedEntity* before = core.task == kNone ? nullptr : &tasks_[core.task].entity;
  if (next == before) return;
  ++changes_;
  const bool in_one_queue = before != nullptr && next != nullptr && before->queue == next->queue;
  if (before != nullptr) {
    put(*before);
    if (!in_one_queue && before->queue->parent != nullptr) put(*before->queue->parent);
  }
  if (next != nullptr) {
    start(*next);
    if (!in_one_queue && next->queue->parent != nullptr) start(*next->queue->parent);
  }
  core.task = next == nullptr ? kNone : next->task;
  core.accounted = std::max(now_, core.stolen_until);
  if (next == nullptr)
    core.next_tick = kNever, core.idle_since = now_;
  else if (before == nullptr)
    core.next_tick = std::max(tick_after(now_), core.stolen_until);
}

// put_prev_entity()
void Scheduler::put(SchedEntity& entity) {
  entity.queue->current = nullptr;
  if (!entity.queued) return;
  entity.stamp = ++stamps_;
  entity.queue->waiting.push_back(&entity);
}

// set_next_entity()
void Scheduler::start(SchedEntity& entity) {
  RunQueue& queue = *entity.queue;
  queue.stop_waiting(entity);
  queue.current = &entity;
  entity.stamp = ++stamps_;
  entity.executed_before = entity.executed;
  with_policy([&](const auto& policy) { policy.start(queue, entity); });
}

// False: there was something left for it after all.
bool Scheduler::throttle(Core& core, RunQueue& queue) {
  if (!bandwidth_.throttle(queue)) return false;
  ++changes_;
  if (queue.parent->queued) dequeue(core, *queue.parent, true, false);
  return true;
}

// unthrottle_cfs_rq(): it preempts nobody, but begins at once on an idle core.
void Scheduler::unthrottle(RunQueue& queue) {
  Core& core = cores_[queue.core];
  account(core);
  if (queue.count == 0) return;
  enqueue(core, *queue.parent, Arrival::wakes);
  if (core.task == kNone) core.needs_pick = true;
}

// ---- ticks and balancing --------------------------------------------------------------------------------------------

TimeNs Scheduler::tick_after(TimeNs now) const {
  const TimeNs tick = spec_.scheduler.tick;
  return now < tick_phase_ ? tick_phase_ : tick_phase_ + ((now - tick_phase_) / tick + 1) * tick;
}

// scheduler_tick()
void Scheduler::tick(Core& core) {
  ++changes_;
  core.next_tick = tick_after(now_);
  account(core);
  const std::uint32_t tasks = tasks_on(core);
  for (SchedEntity* entity = &tasks_[core.task].entity; entity != nullptr; entity = entity->queue->parent) {
    RunQueue& queue = *entity->queue;
    if (with_policy([&](const auto& policy) { return policy.tick_preempts(queue, tasks); })) core.needs_pick = true;
  }
  share_weights(core);
  settle(core);
  if (cores_.size() > 1) balance_at_tick(core);
}

std::int64_t Scheduler::load_of(const Core& core) const { return core.root.load; }

// Its weight in the root's queue.
std::int64_t Scheduler::load_of(const Task& task) const {
  const RunQueue& queue = *task.entity.queue;
  return queue.parent == nullptr ? task.entity.weight : task.entity.weight * queue.parent->weight / queue.load;
}

// A core with several tasks wakes up an idle one, which takes one of them (nohz_balancer_kick()). Between busy cores,
// from time to time, the one with less takes from the one with more (load_balance()).
void Scheduler::balance_at_tick(Core& core) {
  if (tasks_on(core) >= 2) {
    const auto idle = std::ranges::find_if(cores_, [](const Core& one) { return is_idle(one); });
    if (idle != cores_.end()) {
      const bool has_moved = fill_idle(*idle, idle->failed_balances > kCacheTries);
      idle->failed_balances = has_moved ? 0 : idle->failed_balances + 1;
      settle(*idle);
      return;
    }
  }
  if (now_ < core.next_balance || core.task == kNone) return;
  core.next_balance = now_ + kBusyInterval * static_cast<TimeNs>(cores_.size());
  Core& busiest = *std::ranges::max_element(cores_, {}, [this](const Core& one) { return load_of(one); });
  const std::int64_t more = load_of(busiest), mine = load_of(core);
  if (tasks_on(busiest) < 2 || more * 100 <= mine * kImbalancePercent) {
    core.failed_balances = 0;
    return;
  }
  // What has failed before moves also where it makes the difference no smaller: so the cores take turns.
  const std::uint32_t failed = core.failed_balances;
  const bool has_moved = pull(busiest, core, failed > kCacheTries, (more - mine) / 2, failed);
  core.failed_balances = has_moved ? 0 : std::min(failed + 1, kMostFailures);
}

// NI_RANDOM in sched_balance_newidle(). The kernel lets the share follow how often it has found somebody, over some seconds.
bool Scheduler::looks_elsewhere() {
  const std::int64_t share = spec_.scheduler.newidle_ppm;
  if (share == kMillion || share == 0 || cores_.size() == 1) return share != 0;
  const double drawn = newidle_.uniform(seed_, static_cast<std::uint32_t>(MachineStream::newidle));
  return static_cast<std::int64_t>(drawn * static_cast<double>(kMillion)) < share;
}

// newidle_balance(): from the core with the most.
bool Scheduler::fill_idle(Core& core, bool also_hot) {
  if (cores_.size() == 1) return false;
  Core& busiest = *std::ranges::max_element(cores_, {}, [](const Core& one) { return tasks_on(one); });
  if (&busiest == &core || tasks_on(busiest) < 2) return false;
  return pull(busiest, core, also_hot, std::numeric_limits<std::int64_t>::max(), 0);
}

// Moves the task that has waited longest, of those that may move and whose load, halved so many times, is not more than
// `most`.
bool Scheduler::pull(Core& from, Core& to, bool also_hot, std::int64_t most, std::uint32_t halved) {
  account(from);
  Task* best = nullptr;
  for (const Group group : {kProcess, kLoad, kRoot}) {
    const RunQueue& queue = queue_of(from, group);
    if (queue.is_throttled || queue_of(to, group).is_throttled) continue;
    for (const SchedEntity* entity : queue.waiting) {
      if (entity->own != nullptr || entity->is_delayed) continue;
      if (!also_hot && entity->executed != 0 && now_ - entity->last_ran < spec_.scheduler.migration_cost) continue;
      Task& task = tasks_[entity->task];
      if (task.is_pinned || (load_of(task) >> halved) > most) continue;
      if (best == nullptr || entity->stamp < best->entity.stamp) best = &task;
    }
  }
  if (best == nullptr) {
    settle(from);
    return false;
  }
  ++changes_;
  SchedEntity& entity = best->entity;
  account(to);
  dequeue(from, entity, false, false);
  with_policy([&](const auto& policy) { policy.move_away(*entity.queue, entity); });
  best->core = to.root.core;
  entity.queue = &queue_of(to, best->group);
  enqueue(to, entity, Arrival::moves);
  settle(from);
  // An idle core picks anyway; its last task may still stand there as the running one.
  if (!to.needs_pick) {
    preempt_if_due(to, entity);
    settle(to);
  }
  return true;
}

}  // namespace loopsim
