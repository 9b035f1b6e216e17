// The simulated computer: a clock that only moves when something uses time, the future events of the world outside the loop
// thread, and the windows in which the process does not run.
//
// The machine knows nothing of Node. It is told "this thread computes for 3 ms" or "this thread sleeps until then" and moves
// the clock; what happens meanwhile (a pool thread finishes, an answer comes from the network) is queued, in order of
// (time, order), for the loop to find when it polls.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/trace/tracer.hpp"

namespace loopsim {

// Something that will happen outside the loop thread. Ties in time are broken by `order`, which is the request's number.
struct FutureEvent {
  enum class Kind : std::uint8_t { worker_done, network_done, outside, child_ends };
  TimeNs time;
  std::uint64_t order;
  Kind kind;
  std::uint32_t data;  // worker: its thread; network: the request; outside: the input; child_ends: the child
};

class Machine {
 public:
  Machine(const MachineSpec& spec, TimeNs time_limit, Position& position, Tracer& tracer)
      : spec_(spec), time_limit_(time_limit), position_(position), tracer_(tracer) {}

  [[nodiscard]] TimeNs now() const { return position_.time; }
  [[nodiscard]] const MachineSpec& spec() const { return spec_; }

  // The clock has reached the scenario's limit of virtual time; nothing moves any more.
  [[nodiscard]] bool out_of_time() const { return out_of_time_; }

  // The loop's clock reading: whole milliseconds, counted from a moment `clock_phase` before the start (uv__hrtime / 10^6).
  [[nodiscard]] TimeMs loop_clock() const { return (position_.time + spec_.clock_phase) / kMillisecond; }

  // The loop thread computes: ends when it has had this much CPU.
  void cpu(TimeNs amount) {
    TimeNs end = cpu_end(position_.time, amount);
    advance_running(end);
  }

  // The loop thread watches the clock: ends when it has moved this far and the thread runs again.
  void spin(TimeNs amount) { advance_running(running_from(position_.time + amount)); }

  // If the process is not running at this moment, time passes until it does.
  void wait_until_running() {
    TimeNs from = running_from(position_.time);
    if (from != position_.time) advance_running(from);
  }

  // Time passes while the loop thread sleeps; it is running again at the end.
  void sleep_until(TimeNs time) { advance_running(running_from(time)); }

  // When a computation of `amount` that begins at `start` ends, given the stalls.
  [[nodiscard]] TimeNs cpu_end(TimeNs start, TimeNs amount) const {
    TimeNs at = running_from(start);
    for (const Stall& stall : spec_.stalls) {
      if (stall.at + stall.length <= at) continue;
      if (at + amount <= stall.at) break;
      amount -= stall.at - at;
      at = stall.at + stall.length;
    }
    return at + amount;
  }

  // The first moment at or after `time` at which the process runs.
  [[nodiscard]] TimeNs running_from(TimeNs time) const {
    for (const Stall& stall : spec_.stalls) {
      if (time < stall.at) break;
      if (time < stall.at + stall.length) time = stall.at + stall.length;
    }
    return time;
  }

  // The stall that covers `time`, or null.
  [[nodiscard]] const Stall* stall_at(TimeNs time) const {
    for (const Stall& stall : spec_.stalls) {
      if (time >= stall.at && time < stall.at + stall.length) return &stall;
    }
    return nullptr;
  }

  // ---- the world's future ---------------------------------------------------------------------------------------------
  void schedule(const FutureEvent& event) {
    future_.push_back(event);
    std::push_heap(future_.begin(), future_.end(), later);
  }
  [[nodiscard]] bool has_future() const { return !future_.empty(); }
  [[nodiscard]] const FutureEvent& next_future() const { return future_.front(); }
  // All of it, in no order.
  [[nodiscard]] std::span<const FutureEvent> future() const { return future_; }
  FutureEvent take_future() {
    std::pop_heap(future_.begin(), future_.end(), later);
    FutureEvent event = future_.back();
    future_.pop_back();
    return event;
  }

 private:
  static bool later(const FutureEvent& a, const FutureEvent& b) {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
  }

  // Moves the clock to `end`, telling each stall on the way when it is over.
  void advance_running(TimeNs end) {
    if (end > time_limit_) {
      end = std::max(position_.time, time_limit_);
      out_of_time_ = true;
    }
    if (tracer_.on()) {
      for (const Stall& stall : spec_.stalls) {
        TimeNs over = stall.at + stall.length;
        if (over <= position_.time && over != end) continue;
        if (over > end || told_until_ >= over) continue;
        position_.time = std::max(position_.time, over);
        told_until_ = over;
        Event& event = tracer_.add(EventKind::stall);
        event.a = stall.at;
        event.b = stall.length;
      }
    }
    position_.time = end;
  }

  const MachineSpec& spec_;
  const TimeNs time_limit_;
  Position& position_;
  Tracer& tracer_;
  std::vector<FutureEvent> future_;  // a heap, earliest first
  TimeNs told_until_ = -1;
  bool out_of_time_ = false;
};

}  // namespace loopsim
