// The simulated computer: a clock that moves only when time is used, the threads that use it, and the future events
// outside the process.
//
// The machine does not depend on Node. Callers let the loop's thread compute for 3 ms, or sleep until a deadline, and
// the machine moves the clock. Meanwhile the pool's threads continue their work, on the same cores. Completions, and
// events from the network or outside, are queued in order of (time, order) for the loop's poll.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/machine/cpu.hpp"
#include "sim/machine/random.hpp"
#include "sim/machine/shared_cores.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim {

// An event outside the loop's thread. Ties in time are broken by `order`, the request's number, and then by `sequence`.
struct FutureEvent {
  enum class Kind : std::uint8_t { worker_done, network_done, outside, child_ends, answered };
  TimeNs time;
  std::uint64_t order;
  Kind kind;
  // worker_done: from WorkerHost::on_end; network_done: the request; outside: the input; child_ends: the child;
  // answered: the client
  std::uint32_t data;
  std::uint64_t sequence = 0;  // set by schedule()
};

// Kinds of costs of the runtime itself (OverheadSpec).
enum class Cost : std::uint8_t { callback, task, turn, poll, timer, log, first_log, submit, request, cold, socket };
inline constexpr std::size_t kCosts = 11;

// Called at the time at which a pool thread finishes, so that it can take its next work. Returns `data` of the
// worker_done event.
struct WorkerHost {
  void* self = nullptr;
  std::uint32_t (*on_end)(void* self, std::uint32_t thread) = nullptr;
};

class Machine {
 public:
  // `pool`: number of threads besides the loop's. `change_limit` bounds the changes of load, stalls and quota, and the
  // turns of the loop. `shared`: the cores, if shared with other loops, else null. References and `shared` must outlive
  // the Machine.
  Machine(const MachineSpec& spec, std::uint32_t pool, std::uint64_t seed, TimeNs time_limit,
          std::uint64_t change_limit, Position& position, Tracer& tracer, SharedCores* shared = nullptr);
  Machine(MachineSpec&&, std::uint32_t, std::uint64_t, TimeNs, std::uint64_t, Position&, Tracer&,
          SharedCores* = nullptr) = delete;  // the spec is kept by reference
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  void set_worker_host(const WorkerHost& host) { worker_host_ = host; }

  [[nodiscard]] TimeNs now() const { return position_.time; }
  [[nodiscard]] const MachineSpec& spec() const { return spec_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] TimeNs clock_phase() const { return clock_phase_; }

  // The clock has reached the limit of virtual time, and no longer moves.
  [[nodiscard]] bool out_of_time() const { return out_of_time_; }
  // Load, stalls and quota have changed more often than the limit allows.
  [[nodiscard]] bool out_of_changes() const { return cpu_.changes() > change_limit_; }
  // One of the two, too many turns, or ask_for_attention(): the only check per callback.
  [[nodiscard]] bool needs_attention() const { return needs_attention_; }
  void ask_for_attention() { needs_attention_ = true; }
  // Counts a turn of the loop, under the same limit as changes.
  void begin_turn() {
    if (++position_.turn > change_limit_) [[unlikely]]
      ask_for_attention();
  }

  // The loop's clock: whole milliseconds since `clock_phase` before the start (uv__hrtime / 10^6).
  [[nodiscard]] TimeMs loop_clock() const { return (position_.time + clock_phase_) / kMillisecond; }
  // The time at which loop_clock() becomes `clock`.
  [[nodiscard]] TimeNs time_of_clock(TimeMs clock) const { return clock * kMillisecond - clock_phase_; }

  // ---- the loop's thread --------------------------------------------------------------------------------------------
  // All of these end at `deadline` at the latest.

  // Computes until the thread has had this much CPU.
  void cpu(TimeNs amount, TimeNs deadline = kNever);
  // The same, for a thread that goes on later: what is left at `deadline`, rounded up to whole ns.
  [[nodiscard]] TimeNs cpu_left(TimeNs amount, TimeNs deadline);
  // Busy-waits until the clock has reached `time` and the thread runs.
  void spin_until(TimeNs time, TimeNs deadline = kNever);
  // Waits until threads of the process can run.
  void wait_until_running() {
    if (!has_cores_) [[unlikely]]
      wait_for_core(kNever);
  }
  // Sleeps until `deadline` or until has_event().
  void sleep(TimeNs deadline);
  // While is_quiet(): sleep() for this long, with the timer's slack, and wake_up().
  void sleep_quietly(TimeNs length) {
    const TimeNs deadline = position_.time + length;
    if (!wakes_in_time_ || deadline > time_limit_) [[unlikely]] {
      sleep(deadline + draw_timer_slack());
      return wake_up();
    }
    asleep_since_ = std::exchange(position_.time, deadline);
    last_wake_up_ = {deadline, deadline, deadline};
  }
  // Wakes the thread: wake-up latency, then waits for a core. Under a scheduler a core that is at work wakes nobody up late.
  void wake_up();

  // Every thread always has a core of its own, at speed 1.
  [[nodiscard]] bool has_own_cores() const { return has_cores_; }
  // CPU costs of the runtime.
  [[nodiscard]] bool has_costs() const { return has_costs_; }
  // Every thread has its own core, and the runtime has no costs.
  [[nodiscard]] bool is_plain() const { return has_cores_ && !has_costs_; }
  [[nodiscard]] TimeNs draw_cost(Cost cost) { return costs_[static_cast<std::size_t>(cost)].draw(); }
  [[nodiscard]] TimeNs draw_startup() { return startup_.draw(); }
  // By how much the kernel's timer lets a sleep outlast its timeout.
  [[nodiscard]] TimeNs draw_timer_slack() { return timer_slack_.is_zero() ? 0 : timer_slack_.draw(); }

  // The stall or wait for a core in progress at `time`; null if none, or no longer remembered. Recorded only with a
  // trace.
  struct Wait {
    TimeNs from, to;
    Held why;
  };
  [[nodiscard]] const Wait* wait_at(TimeNs time) const;
  // The last wake-up: times of the event, of readiness to run, and of running.
  struct WakeUp {
    TimeNs event = -1, ready = -1, runs = -1;
  };
  [[nodiscard]] const WakeUp& last_wake_up() const { return last_wake_up_; }

  // ---- the pool's threads -------------------------------------------------------------------------------------------
  // Lets the thread compute, or block, for `duration`. At the end calls WorkerHost::on_end and queues worker_done.
  void start_worker(std::uint32_t thread, TimeNs duration, bool needs_cpu, std::uint64_t order);
  // Ends work that is due without advancing the clock (work of zero length).
  void end_due_workers() {
    if (!blocked_.empty() || !computing_.empty()) end_workers();
  }

  // ---- future events ------------------------------------------------------------------------------------------------
  // FutureEvent::order for the next request.
  std::uint64_t next_order() { return ++orders_; }
  // A plain heap, not an IndexedHeap: only the first event is ever removed.
  void schedule(FutureEvent event) {
    event.sequence = ++scheduled_;
    is_quiet_ = false;
    future_.push_back(event);
    std::push_heap(future_.begin(), future_.end(), later);
  }
  // True if an event that has happened by now was not taken yet.
  [[nodiscard]] bool has_event() const { return !future_.empty() && future_.front().time <= position_.time; }
  // True if is_plain(), the cores are not shared, the pool's threads are idle, and no future event is scheduled.
  // Remembered until there is more to do: the loop asks in every turn.
  [[nodiscard]] bool is_quiet() { return is_quiet_ || look_if_quiet(); }
  [[nodiscard]] bool has_event(TimeNs by) const { return !future_.empty() && future_.front().time <= by; }
  FutureEvent take_event() {
    std::pop_heap(future_.begin(), future_.end(), later);
    FutureEvent event = future_.back();
    future_.pop_back();
    return event;
  }
  // All future events, in no particular order.
  [[nodiscard]] std::span<const FutureEvent> future() const { return future_; }

 private:
  // Pool threads at work.
  struct Blocked {
    TimeNs until;
    std::uint64_t order;
    std::uint32_t thread;
  };
  struct Computing {
    Work until;  // attained service; under a Scheduler the thread's CPU time
    std::uint64_t order;
    std::uint32_t thread;
    bool is_empty;  // of no length
  };
  // Condition that ends pass().
  enum class Goal : std::uint8_t {
    time,   // the time `until`
    event,  // or has_event()
    core,   // or a thread can run
    work,   // or the attained service is target_
  };

  static bool later(const FutureEvent& a, const FutureEvent& b) {
    if (a.time != b.time) return a.time > b.time;
    return a.order != b.order ? a.order > b.order : a.sequence > b.sequence;
  }
  template <class Worker>
  static bool ends_later(const Worker& a, const Worker& b) {
    return a.until != b.until ? a.until > b.until : a.order > b.order;
  }

  friend class SharedCores;
  // Advances the clock until `until` or the goal. `computes`: the loop's thread computes meanwhile.
  void pass(TimeNs until, Goal goal, bool computes) {
    const bool is_last = until > time_limit_;
    if (is_last) until = std::max(position_.time, time_limit_);
    if (is_alone_and_plain_ && goal == Goal::time && (blocked_.empty() || blocked_.front().until > until)) {
      position_.time = until;
      if (is_last) run_out_of_time();
    } else if (const bool reached = pass_in_steps(until, goal, computes); is_last && (!reached || goal == Goal::time)) {
      run_out_of_time();
    }
  }
  bool look_if_quiet();
  void run_out_of_time() {
    out_of_time_ = true;
    ask_for_attention();
  }
  bool pass_in_steps(TimeNs until, Goal goal, bool computes);  // false: goal not reached before `until`
  bool pass_scheduled(TimeNs until, Goal goal, bool computes);
  std::optional<bool> arrive(TimeNs until, Goal goal);
  [[nodiscard]] std::uint32_t computations(bool of_the_loop) const {
    return static_cast<std::uint32_t>(computing_.size()) + (of_the_loop ? 1U : 0U);
  }
  void wait_for_core(TimeNs deadline);
  [[nodiscard]] bool is_reached(Goal goal) const;
  [[nodiscard]] TimeNs next_step(TimeNs until, Goal goal) const;
  void end_workers();
  void end_worker(std::uint32_t thread, std::uint64_t order);
  // Under a Scheduler.
  [[nodiscard]] std::uint32_t task_of(std::uint32_t thread) const { return first_task_ + 1 + thread; }
  void wake_workers();
  void end_scheduled_workers();
  void want_core() const;
  void want_no_core() const;
  [[nodiscard]] TimeNs draw_wakeup();
  [[nodiscard]] Held held() const { return scheduler_ == nullptr ? cpu_.held() : held_by_scheduler(); }
  [[nodiscard]] Held held_by_scheduler() const;
  void end_wait();
  void begin_wait(bool wants_core);

  const MachineSpec& spec_;
  const std::uint64_t seed_;
  const TimeNs time_limit_;
  const std::uint64_t change_limit_;
  Position& position_;
  Tracer& tracer_;
  WorkerHost worker_host_;
  SharedCores* shared_;
  std::optional<Cpu> own_cpu_;  // null if shared
  Cpu& cpu_;
  const bool has_cores_;  // Cpu::is_plain(), checked for every callback
  bool is_alone_and_plain_;
  bool is_quiet_ = false;           // true: is_quiet() as well
  bool wakes_in_time_ = false;      // no slack of timers, and no latency of wake-ups
  Scheduler* const scheduler_;      // Cpu::scheduler()
  const std::uint32_t first_task_;  // of the Scheduler: the loop's thread; those of the pool follow
  std::uint32_t number_ = 0;        // of the loop, if the cores are shared
  Sampler startup_, wakeup_, timer_slack_;
  std::vector<Sampler> idle_states_;  // as in the spec
  TimeNs asleep_since_ = 0;
  std::array<Sampler, kCosts> costs_;  // by Cost
  bool has_costs_ = false;
  TimeNs clock_phase_ = 0;

  std::vector<FutureEvent> future_;   // these three are heaps, earliest first
  std::vector<Blocked> blocked_;      // of the pool, waiting for a disk or a name server
  std::vector<Computing> computing_;  // of the pool, on the cores
  std::uint64_t scheduled_ = 0;
  std::uint64_t orders_ = 0;
  TimeNs last_end_ = -1;              // time of the last end of work
  std::uint64_t last_end_order_ = 0;  // the highest order among the work that ended then
  Work target_ = 0;                   // Goal::work: attained service, or CPU time, to reach

  Wait wait_{0, 0, Held::no};  // the current or last wait
  std::vector<Wait> waits_;    // the last ones, for lateness reasons in the trace
  WakeUp last_wake_up_;
  bool out_of_time_ = false;
  bool needs_attention_ = false;
};

}  // namespace loopsim
