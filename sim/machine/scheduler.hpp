// The cores under one of the kernel's schedulers: who runs where, from when to when.
//
// Threads of the process and of the load are tasks with numbers: first those of the process, then the load's. Each core
// has its queues (run_queue.hpp), and the policy, Cfs or Eevdf, decides in them. Here is what both have in common:
// ticks, wake-ups and where they place a task, balancing between cores, groups, the quota, and the load's own life.
//
// Time is handed in by advance(), from change to change. What falls together happens in this order: ends of the load's
// bursts, the quota, wake-ups of the load, thefts and ticks by number of the core, stalls; then what the process does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/machine/bandwidth.hpp"
#include "sim/machine/cfs.hpp"
#include "sim/machine/eevdf.hpp"
#include "sim/machine/random.hpp"
#include "sim/machine/run_queue.hpp"

namespace loopsim {

enum class Held : std::uint8_t;

class Scheduler {
 public:
  // `threads`: tasks of the process. `changes` counts what happens, for the change limit. References must outlive the
  // scheduler.
  Scheduler(const MachineSpec& spec, std::uint32_t cores, std::uint32_t threads, std::uint64_t seed,
            std::uint64_t& changes);
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Moves to `now`, which is not after next_change().
  void advance(TimeNs now);
  // The next time at which something changes by itself, or a task reaches its goal; or kNever.
  [[nodiscard]] TimeNs next_change() const;

  // The task wants a core from now on, or no longer. Nothing, if that is so already.
  void wake(std::uint32_t task);
  void block(std::uint32_t task);
  // Since when nobody runs on the core on which the task, which sleeps, would be woken up; kNever: somebody does.
  [[nodiscard]] TimeNs idle_since(std::uint32_t task) const {
    const Core& core = cores_[place_for(tasks_[task])];
    return is_idle(core) ? core.idle_since : kNever;
  }
  // The CPU time of a task that next_change() stops at.
  void set_goal(std::uint32_t task, TimeNs executed) { tasks_[task].goal = executed; }

  [[nodiscard]] TimeNs executed(std::uint32_t task) const;
  [[nodiscard]] bool runs(std::uint32_t task) const { return cores_[tasks_[task].core].task == task; }
  // Why a task that wants a core has none.
  [[nodiscard]] Held held(std::uint32_t task) const;
  // The current stall, or the last one.
  [[nodiscard]] const Stall& last_stall() const { return spec_.stalls[next_stall_ - 1]; }
  // The core of the task, or the one that it ran on last.
  [[nodiscard]] std::uint32_t core_of(std::uint32_t task) const { return tasks_[task].core; }
  [[nodiscard]] std::uint32_t task_count() const { return static_cast<std::uint32_t>(tasks_.size()); }

  // CPU time that a thread of the process needs for `amount` of work, by the speed of the cores; and the work that is
  // done in it. Both rounded up.
  [[nodiscard]] TimeNs time_for(TimeNs amount) const;
  [[nodiscard]] TimeNs work_in(TimeNs time) const;

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffffU;
  enum Group : std::uint8_t { kProcess, kLoad, kRoot };  // kRoot: in no group

  struct Task {
    SchedEntity entity;
    std::uint32_t core = 0;
    Group group = kRoot;
    bool wants = false;  // a core
    bool is_load = false;
    bool is_pinned = false;
    TimeNs goal = kNever;  // of CPU time
    // Of the load.
    Sampler busy, idle;
    TimeNs wakes_at = kNever;
  };
  struct Core {
    RunQueue root;
    std::array<RunQueue, 2> group_queues;
    std::array<SchedEntity, 2> groups;  // their entities in the root's queue
    std::uint32_t task = kNone;         // the running one
    TimeNs accounted = 0;  // when the running one was last charged; later than now while the core is stolen
    TimeNs idle_since = 0;
    TimeNs next_tick = kNever;
    TimeNs next_balance = 0;
    std::uint32_t failed_balances = 0;
    bool needs_pick = false;
    // Of the hypervisor.
    Sampler stolen_for, kept_for;
    TimeNs next_theft = kNever;
    TimeNs stolen_until = 0;
  };

  template <class Action>
  decltype(auto) with_policy(Action action) const {
    return is_eevdf_ ? action(eevdf_) : action(cfs_);
  }
  [[nodiscard]] RunQueue& queue_of(Core& core, Group group) {
    if (group == kRoot) return core.root;
    return core.group_queues[group];
  }
  [[nodiscard]] bool is_stopped(const Task& task) const { return is_stalled_ && !task.is_load; }

  void begin_cores(std::uint32_t cores);
  void begin_load(std::uint64_t seed);
  void begin_burst(Task& task, std::uint64_t seed, std::uint32_t number);
  void end_bursts();
  void wake_load();
  void advance_stalls();
  void begin_thefts(std::uint64_t seed);
  void advance_thefts(Core& core);

  void start_waiting(std::uint32_t number);
  void stop_waiting(std::uint32_t number);
  [[nodiscard]] std::uint32_t place_for(const Task& task) const;
  void account(Core& core);
  void enqueue(Core& core, SchedEntity& entity, Arrival arrival);
  bool dequeue(Core& core, SchedEntity& entity, bool sleeps, bool may_delay);
  void finish_delayed(Core& core, SchedEntity& entity);
  void preempt_if_due(Core& core, SchedEntity& woken);
  void settle(Core& core);
  SchedEntity* pick(Core& core);
  void switch_to(Core& core, SchedEntity* next);
  void put(SchedEntity& entity);
  void start(SchedEntity& entity);
  bool throttle(Core& core, RunQueue& queue);
  void unthrottle(RunQueue& queue);
  void share_weights(Core& core);

  void tick(Core& core);
  [[nodiscard]] TimeNs tick_after(TimeNs now) const;
  [[nodiscard]] std::int64_t load_of(const Core& core) const;
  [[nodiscard]] std::int64_t load_of(const Task& task) const;
  [[nodiscard]] static std::uint32_t tasks_on(const Core& core);
  [[nodiscard]] static bool is_idle(const Core& core) { return core.task == kNone && tasks_on(core) == 0; }
  void balance_at_tick(Core& core);
  [[nodiscard]] bool looks_elsewhere();
  bool fill_idle(Core& core, bool also_hot);
  bool pull(Core& from, Core& to, bool also_hot, std::int64_t most, std::uint32_t halved);

  const MachineSpec& spec_;
  const bool is_eevdf_;
  Cfs cfs_;
  Eevdf eevdf_;
  Bandwidth bandwidth_;
  TimeNs now_ = 0;
  TimeNs tick_phase_ = 0;
  std::vector<Task> tasks_;
  std::vector<Core> cores_;
  std::uint32_t first_load_;  // its first task
  TimeNs load_wakes_ = kNever;
  std::uint64_t stamps_ = 0;
  std::size_t next_stall_ = 0;
  bool is_stalled_ = false;
  std::uint64_t seed_;
  Draws newidle_;
  std::uint64_t& changes_;
};

}  // namespace loopsim
