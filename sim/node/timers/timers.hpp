// The program's interface to timers: setTimeout, setInterval, clearTimeout, and the methods of a Timeout
// (lib/timers.js). Only this part selects the version's family of timers.
#pragma once

#include <cstdint>

#include "sim/node/api.hpp"
#include "sim/node/context.hpp"
#include "sim/node/timers/handle_per_list.hpp"
#include "sim/node/timers/single_handle.hpp"
#include "sim/node/timers/store.hpp"

namespace loopsim::node {

class Timers : public Part {
 public:
  Timers(const Context& context, Callbacks& callbacks);

  // Node's coerced delay: milliseconds in [1, 2^31 - 1], or 1. Some versions warn of other values, from a tick.
  Delay coerce_delay(double delay);
  // The same for an exact length of time.
  Delay delay_of_time(TimeNs time) {
    if (time < kMillisecond || time > kTimeoutMax * kMillisecond) return odd_delay(time);
    // Below 2^51: the quotient of doubles never rounds up to a whole number above the integer quotient.
    return {static_cast<double>(time) / static_cast<double>(kMillisecond),
            static_cast<std::int32_t>(time / kMillisecond)};
  }

  // Takes over the references of the callable and of the promise (kNone: none), which is resolved when it fires (timers/promises).
  // `keeps`: the caller owns one reference to the result; otherwise only its list does.
  std::uint32_t make(Delay delay, bool repeats, std::uint32_t promise, const Callable& callable, bool keeps);
  void drop(std::uint32_t timer) { store_.drop(timer); }
  void clear(std::uint32_t timer);
  void close(
      std::uint32_t timer);  // timer.close(): without the first check of clearTimeout, except where close() calls that
  // clearTimeout(anything else) does nothing, but in early versions may throw.
  Flow clear_no_timer(const Value& value);
  void refresh(std::uint32_t timer);
  void ref(std::uint32_t timer);
  void unref(std::uint32_t timer);
  [[nodiscard]] bool has_ref(std::uint32_t timer) const { return heap_.timers[timer].is_referenced; }

  // For the trace: the callback behind a timer of libuv; 0: none.
  std::uint64_t callback_behind(const uv::Timer& timer);
  // <= 10: for ticks that continue a list (Tick::Native::timer_list), and the loop's reports of a handle.
  HandlePerListTimers& per_list() { return per_list_; }
  SingleHandleTimers& single_handle() { return single_handle_; }  // >= 11, for the same

 private:
  static constexpr TimeMs kTimeoutMax = 2147483647;  // TIMEOUT_MAX

  [[nodiscard]] bool has_single_handle() const { return has_single_handle_; }
  Delay odd_delay(TimeNs time);
  void warn_of_delay(double delay);

  const bool has_single_handle_ = profile_.timer_model == TimerModel::single_handle;
  TimerStore store_;
  SingleHandleTimers single_handle_;
  HandlePerListTimers per_list_;
  bool negative_delay_warned_ = false, nan_delay_warned_ = false;
};

}  // namespace loopsim::node
