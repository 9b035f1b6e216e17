// Timers of Node 10 and earlier: every duration has a list, and every list a uv_timer_t of its own, so libuv determines
// the order between lists (lib/timers.js of v4, v6, v8, v10; src/timer_wrap.cc). An unref'd timer leaves its list for a
// handle of its own; if the list is then empty, it takes over the list's handle.
#pragma once

#include <cstdint>

#include "sim/node/context.hpp"
#include "sim/node/slab.hpp"
#include "sim/node/timers/store.hpp"

namespace loopsim::node {

// A TimerWrap (src/timer_wrap.cc): a uv_timer_t and the properties of its JavaScript object. uv::Timer::owner has its
// index. Alive while libuv, a list or a timer refers to it.
struct TimerWrap : uv::Timer {
  std::uint32_t refs = 0;
  std::uint32_t list = kNone;   // `_list`: the list that it was made for
  std::uint32_t timer = kNone;  // `owner`: the timer that has it from unref(), as long as it has it
  bool is_owned = false;        // `owner` is set; never reset
  enum class OnTimeout : std::uint8_t { list, own, nothing } on_timeout = OnTimeout::list;  // [kOnTimeout]
};

class HandlePerListTimers : public Part {
 public:
  HandlePerListTimers(const Context& context, TimerStore& store)
      : Part(context), store_(store), lists_(store.lists()) {}

  void insert(std::uint32_t timer, TimeMs start);  // insert(), exports.active(): into its list
  void close(std::uint32_t timer);                 // Timeout.prototype.close
  void refresh(std::uint32_t timer);
  void ref(TimerObject& timer);
  void unref(std::uint32_t timer);
  // It is in a list, or its own handle is active.
  [[nodiscard]] bool is_armed(const TimerObject& timer);
  // The timer that a handle waits for; kNone: none.
  [[nodiscard]] std::uint32_t timer_behind(const TimerWrap& handle);
  Flow list_tick(std::uint32_t list);        // listOnTimeoutNT()
  void handle_closed(std::uint32_t handle);  // its turn in the closing phase

  void on_timeout(const TimerWrap& handle);  // TimerWrap::OnTimeout

 private:
  static void on_wrap(void* environment, uv::Timer& handle);
  void list_scope(std::uint32_t handle);
  Flow run_list(std::uint32_t handle);
  void delete_list(std::uint32_t list);
  void close_list(std::uint32_t list);
  void release_list(std::uint32_t list);
  void unpin(std::uint32_t list);
  void go_on_by_tick(std::uint32_t list);
  Flow try_timer(std::uint32_t list, std::uint32_t timer);
  Flow fire(std::uint32_t timer, TimeMs start, bool has_start);
  void rearm(std::uint32_t timer, TimeMs start);
  void own_scope(std::uint32_t handle);
  Flow run_own(std::uint32_t handle, TimeMs now);
  std::uint32_t reuse(std::uint32_t timer);
  void unenroll(std::uint32_t timer);
  void give_back(std::uint32_t timer, std::uint32_t left = kNone);  // `left`: the new value of its handle
  std::uint32_t new_handle();
  void close_handle(std::uint32_t handle);
  [[nodiscard]] TimerWrap* own_handle(const TimerObject& timer);  // the handle from unref(), until it is closed
  void drop_handle(std::uint32_t handle);

  TimerStore& store_;
  TimerLists& lists_;
  Slab<TimerWrap> handles_;
};

}  // namespace loopsim::node
