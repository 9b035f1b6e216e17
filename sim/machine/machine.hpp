// The simulated computer: a clock that only moves when something uses time, the threads that use it, and the future events of
// the world outside the process.
//
// The machine knows nothing of Node. It is told "the loop's thread computes for 3 ms" or "it sleeps until then" and moves the
// clock. Meanwhile the threads of the pool go on with their work, on the same cores; what they finish, and what comes from the
// network or from outside, is queued in order of (time, order) for the loop to find when it polls.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/machine/cpu.hpp"
#include "sim/machine/random.hpp"
#include "sim/machine/shared_cores.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim {

// Something that happens outside the loop's thread. Ties in time are broken by `order`, which is the request's number, and then
// by which was queued first.
struct FutureEvent {
  enum class Kind : std::uint8_t { worker_done, network_done, outside, child_ends, answered };
  TimeNs time;
  std::uint64_t order;
  Kind kind;
  std::uint32_t
      data;  // worker: its thread; network: the request; outside: the input; child_ends: the child; answered: the client
  std::uint64_t sequence = 0;  // set when it is queued
};

// CPU that the runtime itself needs, by occasion.
enum class Cost : std::uint8_t { callback, task, turn, poll, timer };

// Told when a thread of the pool has finished, at the very moment, so that it can take its next work. Returns what the event
// worker_done is to carry.
struct WorkerHost {
  void* self = nullptr;
  std::uint32_t (*on_end)(void* self, std::uint32_t thread) = nullptr;
};

class Machine {
 public:
  // `pool` threads beside the loop's. `change_limit` bounds the changes of load, stalls and quota. `shared`: the cores, where other loops
  // compute on them too; null: they are this one's alone.
  Machine(const MachineSpec& spec, std::uint32_t pool, std::uint64_t seed, TimeNs time_limit,
          std::uint64_t change_limit, Position& position, Tracer& tracer, SharedCores* shared = nullptr);
  Machine(MachineSpec&&, std::uint32_t, std::uint64_t, TimeNs, std::uint64_t, Position&, Tracer&,
          SharedCores* = nullptr) = delete;  // kept
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  void set_worker_host(const WorkerHost& host) { worker_host_ = host; }

  [[nodiscard]] TimeNs now() const { return position_.time; }
  [[nodiscard]] const MachineSpec& spec() const { return spec_; }
  [[nodiscard]] TimeNs clock_phase() const { return clock_phase_; }

  // The clock has reached the scenario's limit of virtual time; nothing moves any more.
  [[nodiscard]] bool out_of_time() const { return out_of_time_; }
  // Load, stalls and quota have changed as often as the limit allows.
  [[nodiscard]] bool out_of_changes() const { return cpu_.changes() > change_limit_; }
  // One of the two, or the host has asked for attention: the only question that is asked for every callback.
  [[nodiscard]] bool needs_attention() const { return needs_attention_; }
  void ask_for_attention() { needs_attention_ = true; }
  // A turn of the loop begins, which counts like a change.
  void begin_turn() {
    if (++position_.turn > change_limit_) [[unlikely]]
      ask_for_attention();
  }

  // The loop's clock reading: whole milliseconds, counted from a moment `clock_phase` before the start (uv__hrtime / 10^6).
  [[nodiscard]] TimeMs loop_clock() const { return (position_.time + clock_phase_) / kMillisecond; }
  // When it reads `clock` for the first time.
  [[nodiscard]] TimeNs time_of_clock(TimeMs clock) const { return clock * kMillisecond - clock_phase_; }

  // ---- the loop's thread --------------------------------------------------------------------------------------------
  // All of these end at `deadline` at the latest.

  // Computes: ends when it has had this much CPU.
  void cpu(TimeNs amount, TimeNs deadline = kNever);
  // Watches the clock: ends when that has reached `time` and the thread runs.
  void spin_until(TimeNs time, TimeNs deadline = kNever);
  // If no thread of the process can run at this moment, time passes until one can.
  void wait_until_running() {
    if (!has_cores_) [[unlikely]]
      wait_for_core(kNever);
  }
  // Sleeps until `deadline` or until something has happened outside the thread: has_event().
  void sleep(TimeNs deadline);
  // It is woken: runs again when the machine has got round to it.
  void wake_up();

  // The CPU that the runtime needs for this.
  [[nodiscard]] bool has_costs() const { return has_costs_; }
  // Every thread has its core, and nothing that the runtime does costs time.
  [[nodiscard]] bool is_plain() const { return has_cores_ && !has_costs_; }
  [[nodiscard]] TimeNs draw_cost(Cost cost) { return costs_[static_cast<std::size_t>(cost)].draw(); }
  [[nodiscard]] TimeNs draw_startup() { return startup_.draw(); }

  // What held the thread, when it wanted to compute at `time` and could not, as far as is remembered.
  struct Wait {
    TimeNs from, to;
    Held why;
  };
  [[nodiscard]] const Wait* wait_at(TimeNs time) const;
  // The last wake-up: when the event came, when the thread could have run, when it ran.
  struct WakeUp {
    TimeNs event = -1, ready = -1, runs = -1;
  };
  [[nodiscard]] const WakeUp& last_wake_up() const { return last_wake_up_; }

  // ---- the pool's threads -------------------------------------------------------------------------------------------
  // From now on the thread computes, or is blocked, for `duration`. Its end is told to the host, and queued as worker_done.
  void start_worker(std::uint32_t thread, TimeNs duration, bool needs_cpu, std::uint64_t order);
  // Threads whose work takes no time are done without any passing.
  void end_due_workers() {
    if (!blocked_.empty() || !computing_.empty()) end_workers();
  }

  // ---- the world's future -------------------------------------------------------------------------------------------
  // FutureEvent::order of what is asked for next.
  std::uint64_t next_order() { return ++orders_; }
  // A plain heap, not an IndexedHeap: nothing is taken out but the first, and an event has no place to remember.
  void schedule(FutureEvent event) {
    event.sequence = ++scheduled_;
    future_.push_back(event);
    std::push_heap(future_.begin(), future_.end(), later);
  }
  // Something has happened by now that nobody has taken.
  [[nodiscard]] bool has_event() const { return !future_.empty() && future_.front().time <= position_.time; }
  // It is plain, the pool's threads are idle, and nothing will happen outside.
  [[nodiscard]] bool is_quiet() const {
    return shared_ == nullptr && is_plain() && future_.empty() && blocked_.empty() && computing_.empty();
  }
  [[nodiscard]] bool has_event(TimeNs by) const { return !future_.empty() && future_.front().time <= by; }
  FutureEvent take_event() {
    std::pop_heap(future_.begin(), future_.end(), later);
    FutureEvent event = future_.back();
    future_.pop_back();
    return event;
  }
  // All of it, in no order.
  [[nodiscard]] std::span<const FutureEvent> future() const { return future_; }

 private:
  // A thread of the pool at work.
  struct Blocked {
    TimeNs until;
    std::uint64_t order;
    std::uint32_t thread;
  };
  struct Computing {
    Work until;
    std::uint64_t order;
    std::uint32_t thread;
  };
  // What time passes for.
  enum class Goal : std::uint8_t {
    time,   // until it is `until`
    event,  // or something has happened
    core,   // or a thread can run
    work,   // or the loop's thread has had target_
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
  // Time passes until `until`, or until the goal is reached; the loop's thread computes meanwhile, or not.
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
  void run_out_of_time() {
    out_of_time_ = true;
    ask_for_attention();
  }
  bool pass_in_steps(TimeNs until, Goal goal, bool computes);  // false: not before `until`
  std::optional<bool> arrive(TimeNs until, Goal goal);
  [[nodiscard]] std::uint32_t computations(bool of_the_loop) const {
    return static_cast<std::uint32_t>(computing_.size()) + (of_the_loop ? 1U : 0U);
  }
  void wait_for_core(TimeNs deadline);
  [[nodiscard]] bool is_reached(Goal goal) const;
  [[nodiscard]] TimeNs next_step(TimeNs until, Goal goal) const;
  void end_workers();
  void end_worker(std::uint32_t thread, std::uint64_t order);
  void end_wait();
  void begin_wait(bool wants_core);

  const MachineSpec& spec_;
  const TimeNs time_limit_;
  const std::uint64_t change_limit_;
  Position& position_;
  Tracer& tracer_;
  WorkerHost worker_host_;
  SharedCores* shared_;
  std::optional<Cpu> own_cpu_;  // where they are not shared
  Cpu& cpu_;
  const bool has_cores_;  // Cpu::is_plain(), asked for every callback
  bool is_alone_and_plain_;
  std::uint32_t number_ = 0;  // of the loop, where they are shared
  Sampler startup_, wakeup_;
  std::array<Sampler, 5> costs_;  // by Cost
  bool has_costs_ = false;
  TimeNs clock_phase_ = 0;

  std::vector<FutureEvent> future_;   // heaps, the earliest first
  std::vector<Blocked> blocked_;      // of the pool, waiting for a disk, a name server
  std::vector<Computing> computing_;  // of the pool, on the cores
  std::uint64_t scheduled_ = 0;
  std::uint64_t orders_ = 0;
  TimeNs last_end_ = -1;              // of a thread's work
  std::uint64_t last_end_order_ = 0;  // the highest order of those that ended then
  Work target_ = 0;                   // what the loop's thread waits for

  Wait wait_{0, 0, Held::no};  // what holds the thread, or has held it last
  std::vector<Wait> waits_;    // the last of them, for the reasons in the trace
  WakeUp last_wake_up_;
  bool out_of_time_ = false;
  bool needs_attention_ = false;
};

}  // namespace loopsim
