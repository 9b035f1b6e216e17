// The sentences about a callback of a page in a browser, where they are not those about Node.
#include <string>

#include "loopsim/api_traits.hpp"

#include "sim/explain/callback_teller.hpp"

namespace loopsim {

namespace {

// Whether the task is a step of the browser itself, and no script.
bool is_of_the_page(Api api) {
  switch (api) {
    case Api::post_message:
    case Api::fetch:
    case Api::history:
    case Api::abort_timeout:
    case Api::event_task: return true;
    default: return false;
  }
}

}  // namespace

void CallbackTeller::report_page_asked() {
  const Argument me = who(id_);
  if (facts_.api == Api::main) return say(Rule::page_main, facts_.begun, {me});
  if (facts_.asked == 0) return say(Rule::page_listener, facts_.begun, {me});
  const Argument by = who(facts_.by);
  const Argument at = time(facts_.asked_at);
  switch (facts_.api) {
    case Api::set_timeout:
    case Api::set_interval: return report_page_timer_asked();
    case Api::request_animation_frame: return say(Rule::page_frame_asked, facts_.asked, {me, at, by});
    case Api::request_idle_callback: return say(Rule::page_idle_asked, facts_.asked, {me, at, by});
    case Api::queue_microtask: return say(Rule::page_microtask_queued, facts_.asked, {me, at, by});
    case Api::mutation_observer: return say(Rule::page_mutation_noted, facts_.asked, {me, at, by});
    case Api::then:
    case Api::catch_:
    case Api::finally_:
    case Api::await: return report_reaction_asked();
    default: return say(Rule::page_task_queued, facts_.asked, {me, at, by, words(std::string(to_string(facts_.api)))});
  }
}

void CallbackTeller::report_page_timer_asked() {
  const Argument delay = words(short_ms_text(facts_.delay));
  if (facts_.kind == ScheduleKind::again) {
    const CallbackFacts& first = history_.facts(facts_.first);
    say(Rule::page_interval_round, facts_.asked,
        {who(id_), number(facts_.round), delay, time(first.asked_at), who(first.by)});
  } else {
    say(Rule::page_timer_armed, facts_.asked,
        {who(id_), time(facts_.asked_at), who(facts_.by), delay, time(facts_.due)});
    if (facts_.due > facts_.asked_at + facts_.delay)
      say(Rule::page_timer_clamped, facts_.asked, {delay, words(short_ms_text(facts_.due - facts_.asked_at))});
  }
}

// The thread slept, or something that took no time came first.
void CallbackTeller::report_page_not_busy() {
  const BrowserProfile& browser = history_.profile().browser;
  const bool is_flexible = browser.flexible_from > 0 && facts_.delay >= browser.flexible_from * kMillisecond;
  if (!is_flexible || facts_.late > browser.leeway * kMillisecond) {
    if (facts_.why == LateReason::wakeup)
      say(Rule::late_wakeup, facts_.begun, {time(facts_.ready_at), time(facts_.begun_at)});
    return;
  }
  say(Rule::page_late_flexible, facts_.begun,
      {time(facts_.ready_at), number(static_cast<std::uint64_t>(browser.flexible_from)),
       number(static_cast<std::uint64_t>(browser.leeway))});
}

void CallbackTeller::report_page_ran() {
  const Argument at = time(facts_.begun_at);
  const Argument turn = number(facts_.turn);
  if (facts_.api == Api::main)
    return say(Rule::page_main_ran, facts_.begun,
               {at, time(facts_.ended_at >= 0 ? facts_.ended_at : history_.end_time())});
  switch (traits(facts_.api).waits_in) {
    case WaitsIn::microtasks: return report_page_drained();
    case WaitsIn::frames: return say(Rule::page_frame_ran, facts_.begun, {turn, at});
    case WaitsIn::idles:
      return say(facts_.phase == Phase::idle_period ? Rule::page_idle_ran : Rule::page_idle_timed_out, facts_.begun,
                 {turn, at});
    case WaitsIn::timers:
    case WaitsIn::tasks:
      if (facts_.late > 0) return say(Rule::page_task_ran_late, facts_.begun, {turn, at, time(facts_.late)});
      return say(Rule::page_task_ran, facts_.begun, {turn, at});
    default: break;
  }
  if (facts_.parent != 0)
    return say(is_of_the_page(history_.facts(facts_.parent).api) ? Rule::page_task_dispatched : Rule::page_dispatched,
               facts_.begun, {who(facts_.parent), at});
  say(Rule::page_user_did, facts_.begun, {at});
}

void CallbackTeller::report_page_drained() {
  const Argument at = time(facts_.begun_at);
  if (facts_.drain == 0) return say(Rule::page_microtask_ran, facts_.begun, {who(facts_.by), at});
  const std::uint64_t after = history_.drain(facts_.drain).after;
  const bool is_within = facts_.asked_in == facts_.drain;
  say(is_within ? Rule::page_microtask_ran_within : Rule::page_microtask_ran, history_.drain(facts_.drain).sequence,
      {who(after), at});
}

void CallbackTeller::report_page_never() {
  if (facts_.cancelled != 0)
    return say(Rule::page_never_cancelled, facts_.cancelled, {time(facts_.cancelled_at), who(facts_.cancelled_by)});
  if (facts_.passed_over != 0)
    return say(facts_.rejected ? Rule::never_fulfilled : Rule::never_rejected, facts_.passed_over,
               {time(facts_.passed_over_at)});
  const std::uint64_t event = history_.end_sequence() != 0 ? history_.end_sequence() : facts_.asked;
  if (history_.end_reason() == ExitReason::limit) return report_limit(event);
  // All else runs: a page goes on until nothing can happen by itself.
  say(Rule::never_settled, event, {time(history_.end_time())});
}

}  // namespace loopsim
