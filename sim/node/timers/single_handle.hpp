// Timers of Node 11 and later: one uv_timer_t for all of JavaScript, lists by duration in a priority queue (lib/internal/timers.js;
// src/env.cc, Environment::RunTimers).
#pragma once

#include <cstdint>

#include "sim/node/context.hpp"
#include "sim/node/timers/fetch_ahead.hpp"
#include "sim/node/timers/store.hpp"

namespace loopsim::node {

class SingleHandleTimers : public Part {
 public:
  SingleHandleTimers(const Context& context, TimerStore& store);

  // The `idle_timeout` of each timer here is a delay as coerced by Timers.
  // Puts a new timer into its list, at the current loop time.
  void begin(std::uint32_t index, TimerObject& timer, TimeMs whole) {
    inc_refs();
    put_into_list(index, timer, whole, store_.libuv_now());
  }
  void clear(std::uint32_t timer);  // unenroll()
  void refresh(std::uint32_t timer);
  void ref(TimerObject& timer);
  void unref(TimerObject& timer);
  // The timer that the handle waits for; kNone: none.
  [[nodiscard]] std::uint32_t first_timer();

  void run();  // the handle has expired: Environment::RunTimers
  // Its callback is being called, and has not armed it again. Of a timer that still has a callback.
  [[nodiscard]] static bool is_running(const TimerObject& timer) {
    return !TimerStore::is_linked(timer) && !timer.destroyed;
  }

 private:
  static void on_timer_handle(void* environment, uv::Timer& handle);
  Flow process(TimeMs now, std::int64_t& next);
  Flow list_on_timeout(std::uint32_t list, TimerList& it, TimeMs now, bool scattered);
  Flow fire(std::uint32_t index, TimerObject& timer);
  Flow fire_any(std::uint32_t index, TimerObject& timer);
  Flow end_call(std::uint32_t index, TimerObject& timer, Flow flow, TimeMs start);
  void take_first(TimerList& list, TimerObject& timer);
  void insert(std::uint32_t timer, TimeMs start);
  // insert() of lib/internal/timers.js.
  void put_into_list(std::uint32_t index, TimerObject& timer, TimeMs msecs, TimeMs start) {
    timer.idle_start = start;
    const auto [list, it, is_new] = lists_.find_or_make(msecs);
    if (is_new) {
      const TimeMs expiry = start + msecs;
      lists_.enqueue(list, it, expiry, start);
      if (next_expiry_ > expiry) {
        schedule(msecs);
        next_expiry_ = expiry;
      }
    }
    store_.link(list, it, index, timer);
  }
  void remove_list(std::uint32_t list, TimerList& it);
  void schedule(TimeMs duration);
  void inc_refs() {
    if (references_++ == 0) loop_.ref(handle_);
  }
  void dec_refs() {
    if (--references_ == 0) loop_.unref(handle_);
  }

  TimerStore& store_;
  TimerLists& lists_ = store_.lists();
  uv::Timer handle_;
  std::int64_t references_ = 0;  // timeoutInfo: number of referenced timers
  TimeMs next_expiry_ = kNever;  // nextExpiry
  // The expiry for which handle_ would have been started while lists run; kNever: none.
  TimeMs deferred_expiry_ = kNever;
  bool runs_lists_ = false;
  FetchAhead ahead_{heap_.timers, lists_};
};

}  // namespace loopsim::node
