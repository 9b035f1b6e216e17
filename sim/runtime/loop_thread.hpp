// The thread of the loop: its CPU time, its busy intervals, and from them the reason for a late callback.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/runtime/collector.hpp"
#include "sim/runtime/context.hpp"
#include "sim/runtime/ending.hpp"
#include "sim/runtime/warm_up.hpp"

namespace loopsim::runtime {

// What the thread asks of its loop.
struct LoopHost {
  struct Sleep {
    TimeNs from = 0, to = 0;
  };
  void* self = nullptr;
  void (*notice_time)(void* self) = nullptr;  // the clock has moved while the program ran
  TimeNs (*death)(void* self) = nullptr;      // when a signal ends the process; kNever: not as far as is known
  Sleep (*last_sleep)(void* self) = nullptr;  // of the loop, for the reason of a late callback
};

class LoopThread {
 public:
  LoopThread(const Context& context, Ending& ending)
      : tracer_(context.tracer),
        machine_(context.machine),
        ending_(ending),
        collector_(machine_.spec().gc, machine_.seed()),
        warm_up_(machine_.spec().warm_up) {}
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  void set_host(const LoopHost& host) { host_ = host; }
  void notice_time() { host_.notice_time(host_.self); }

  // All of these move the virtual clock; the loop's cached time stays.
  // The program computes, and uses this much CPU, in ns, unless a signal ends the process first; more before it is warm, and where
  // garbage is collected. Returns how much it is then.
  TimeNs compute(TimeNs amount);
  TimeNs use(TimeNs amount);     // the same for the runtime itself, which is always warm
  void spin_until(TimeNs time);  // the thread polls the clock until then, with the same exception
  void pay(Cost cost);           // the runtime's own computation
  void pay_to_loop(Cost cost) { cost == Cost::cold ? warm_caches() : pay(cost); }
  void warm_caches();  // the same, if no callback has begun, and the loop has not woken up, for a millisecond
  bool pay_for_log();  // the same inside a callback, for a line of output; false: the run ended meanwhile

  [[nodiscard]] WarmUp& warm_up() { return warm_up_; }

  // For the trace: the thread was busy with callback `id` (0: none) since `from`.
  void note_busy(TimeNs from, std::uint64_t id, LateReason reason);
  void note_ended(std::uint64_t id) { last_ended_ = id; }
  // Fills in the lateness of the callback that was due at `due`, and its reason.
  void blame(Event& event, TimeNs due) const;

 private:
  void collect(TimeNs pause);
  [[nodiscard]] TimeNs death() const { return host_.death(host_.self); }

  struct Busy {
    TimeNs from, to;
    std::uint64_t id;
    LateReason reason;
  };
  Tracer& tracer_;
  Machine& machine_;
  Ending& ending_;
  Collector collector_;
  WarmUp warm_up_;
  LoopHost host_;
  std::vector<Busy> busy_;  // in order of time; the last few thousand
  std::uint64_t last_ended_ = 0;
  bool has_logged_ = false;
  static constexpr TimeNs kColdAfter = kMillisecond;
  TimeNs warm_at_ = -kColdAfter;  // when the loop's code was in the caches
};

}  // namespace loopsim::runtime
