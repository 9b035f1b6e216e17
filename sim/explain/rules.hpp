// The rules behind explanations, and the file of Node or libuv that implements each of them in a version.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "loopsim/explain.hpp"

namespace loopsim {

// In the order of the table in rules.cpp, which has the sentences.
enum class Rule : std::uint16_t {
  // origin
  main,
  main_module,
  main_module_in_poll,
  timer_armed,
  timer_minimum,
  timer_fraction,
  timer_fraction_waited_out,
  timer_clock,
  interval_round,
  interval_from_begin,
  interval_from_end,
  interval_left_armed,
  timer_refreshed,
  immediate_queued,
  tick_queued,
  microtask_queued,
  reaction_attached,
  await_reached,
  work_asked,
  work_in_requests,
  lookup_asked,
  stream_callback,
  listener_added,
  asked_by,
  // waiting
  thread_awaited,
  lookup_thread_awaited,
  thread_worked,
  request_worked,
  answer_came,
  event_happened,
  connection_came,
  data_came,
  end_came,
  outside_did,
  signal_came,
  child_ended,
  promise_settled_by,
  promise_later,
  poll_until_timer,
  poll_before_timer,
  poll_for_ever,
  poll_found_ready,
  poll_due_timer,
  poll_immediates,
  poll_pending,
  poll_closing,
  poll_stopped,
  poll_nothing,
  // lateness
  late_callback,
  late_task,
  late_main,
  late_startup,
  late_stall,
  late_preempted,
  late_throttled,
  late_rounding,
  late_wakeup,
  late_overhead,
  late_fraction,
  late_behind,
  late_order,
  late_then,
  late_then_more,
  // order
  main_ran,
  timer_too_early,
  timer_same_list,
  timer_other_list,
  timer_ran,
  timer_ran_late,
  timer_by_tick,
  timer_by_tick_late,
  timer_by_tick_early,
  immediate_after_poll,
  immediate_next_turn,
  immediate_ran,
  tick_ran,
  tick_ran_within,
  tick_ran_in_phase,
  tick_ran_after_module,
  microtask_ran,
  microtask_ran_within,
  microtask_ran_in_phase,
  microtask_ran_in_module,
  queues_not_between,
  queues_skipped,
  left_over_ran,
  work_ran,
  work_ran_late,
  socket_ran,
  socket_ran_late,
  signal_ran,
  signal_ran_late,
  child_ran,
  child_ran_late,
  pending_ran,
  closing_ran,
  emitted,
  told_by_tick,
  uncaught_listener,
  rejection_listener,
  rejection_handled_listener,
  before_exit_listener,
  exit_listener,
  ran_in_phase,
  // result
  step_held_up,
  threw_to_listener,
  threw_to_the_end,
  // callbacks that never ran
  never_cleared,
  never_refreshed,
  never_unref,
  never_settled,
  never_loop_empty,
  never_process_exit,
  never_uncaught,
  never_signal,
  never_limit,
  // chain of callbacks
  chain_asked,
  chain_listener,
  chain_cut,
  count
};

inline constexpr std::size_t kRules = static_cast<std::size_t>(Rule::count);

// The index of each rule in explanation_rules() for a version of Node: some files have moved.
using RuleNumbers = std::array<std::uint16_t, kRules>;
[[nodiscard]] RuleNumbers rule_numbers(int major);

}  // namespace loopsim
