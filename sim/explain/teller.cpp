#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"

#include "sim/explain/callback_teller.hpp"

namespace loopsim {
namespace {

Rule rule_of(StallReason why) {
  switch (why) {
    case StallReason::preempted: return Rule::late_preempted;
    case StallReason::throttled: return Rule::late_throttled;
    case StallReason::stolen: return Rule::late_stolen;
    case StallReason::gc: return Rule::late_gc;
    default: return Rule::late_stall;
  }
}

constexpr std::size_t kLongestChain = 8;    // ancestors reported one by one
constexpr std::size_t kMostBusy = 4;        // blocking callbacks reported
constexpr std::size_t kMostLookedAt = 256;  // callbacks searched for them, backwards

}  // namespace

// ---- origin ---------------------------------------------------------------------------------------------------------

void CallbackTeller::report_asked() {
  if (history_.is_page()) return report_page_asked();
  const Argument me = who(id_);
  const Argument by = who(facts_.by);
  if (facts_.api == Api::main) {
    const bool in_poll = facts_.phase == Phase::poll;
    return say(in_poll                     ? Rule::main_module_in_poll
               : history_.is_module()      ? Rule::main_module
               : history_.is_libuv_alone() ? Rule::main_function
                                           : Rule::main,
               facts_.begun, {me});
  }
  if (facts_.asked == 0) {
    const std::string& event = history_.text(facts_.op);
    if (event.empty()) return say(Rule::asked_by, facts_.begun, {me, by});
    return say(Rule::listener_added, facts_.begun, {me, words(event), by});
  }
  const Argument at = time(facts_.asked_at);
  switch (facts_.api) {
    case Api::set_timeout:
    case Api::set_interval: return report_timer_asked();
    case Api::set_immediate: return say(Rule::immediate_queued, facts_.asked, {me, at, by});
    case Api::next_tick: return say(Rule::tick_queued, facts_.asked, {me, at, by});
    case Api::queue_microtask: return say(Rule::microtask_queued, facts_.asked, {me, at, by});
    case Api::then:
    case Api::catch_:
    case Api::finally_:
    case Api::await: return report_reaction_asked();
    case Api::fs:
    case Api::dns:
    case Api::crypto:
    case Api::zlib: return report_work_asked();
    case Api::write:
    case Api::end:
      return say(Rule::stream_callback, facts_.asked, {me, at, by, words(std::string(to_string(facts_.api)))});
    default: return say(Rule::asked_by, facts_.asked, {me, by});
  }
}

// The promise as it is known: by the callback whose outcome it is, or by its name.
void CallbackTeller::report_reaction_asked() {
  const bool is_await = facts_.api == Api::await;
  const std::uint32_t promise = awaited_promise();
  const std::uint64_t maker = history_.maker_of(promise);
  const std::string name = history_.promise_name(promise);
  Arguments arguments = {who(id_), time(facts_.asked_at), who(facts_.by)};
  if (!is_await) arguments.push_back(words(std::string(to_string(facts_.api))));
  if (maker != 0 && maker != id_) {
    arguments.push_back(who(maker));
    return say(is_await ? Rule::await_reached_result : Rule::reaction_attached_to_result, facts_.asked,
               std::move(arguments));
  }
  const Job combinator = history_.promise(promise).combinator;
  if (combinator != Job::none) {
    arguments.push_back(combinator_words(combinator));
    return say(is_await ? Rule::await_reached_result : Rule::reaction_attached_to_result, facts_.asked,
               std::move(arguments));
  }
  if (!name.empty()) {
    arguments.push_back(words(name));
    return say(is_await ? Rule::await_reached_name : Rule::reaction_attached_to_name, facts_.asked,
               std::move(arguments));
  }
  say(is_await ? Rule::await_reached : Rule::reaction_attached, facts_.asked, std::move(arguments));
}

// Up to Node 11 an await has a promise of its own, which follows the one that was given.
std::uint32_t CallbackTeller::awaited_promise() const {
  if (facts_.api != Api::await || !history_.profile().await_wraps) return facts_.promise;
  const std::uint32_t thenable = history_.promise(facts_.promise).thenable;
  return thenable == 0 ? facts_.promise : history_.job(thenable).promise;
}

void CallbackTeller::report_timer_asked() {
  const Argument me = who(id_);
  const std::string delay = short_ms_text(facts_.delay);
  const TimeNs whole = facts_.delay / kMillisecond * kMillisecond;
  const bool by_lists = history_.profile().timer_model == TimerModel::single_handle;
  if (facts_.kind == ScheduleKind::again) {
    const CallbackFacts& first = history_.facts(facts_.first);
    say(Rule::interval_round, facts_.asked,
        {me, number(facts_.round), words(delay), time(first.asked_at), who(first.by)});
    const CallbackFacts& previous = history_.facts(facts_.previous);
    if (previous.threw && !by_lists)
      return say(Rule::interval_left_armed, facts_.asked, {time(previous.ended_at), time(facts_.due)});
    const bool from_begin = history_.profile().interval_start == IntervalStart::before_callback;
    say(from_begin ? Rule::interval_from_begin : Rule::interval_from_end, facts_.asked,
        {time(from_begin ? previous.begun_at : previous.ended_at), time(facts_.due)});
    return;
  }
  if (facts_.kind == ScheduleKind::refresh) {
    say(Rule::timer_refreshed, facts_.asked,
        {me, time(facts_.asked_at), who(facts_.by), words(delay), time(facts_.due)});
  } else {
    say(Rule::timer_armed, facts_.asked, {me, time(facts_.asked_at), who(facts_.by), words(delay), time(facts_.due)});
    if (facts_.has_odd_delay) say(Rule::timer_minimum, facts_.asked, {});
  }
  if (whole != facts_.delay) {
    say(by_lists ? Rule::timer_fraction : Rule::timer_fraction_waited_out, facts_.asked,
        {words(delay), words(short_ms_text(whole))});
  }
  const TimeNs naive = facts_.asked_at + whole;
  if (facts_.due != naive)
    say(Rule::timer_clock, facts_.asked,
        {number(static_cast<std::uint64_t>(facts_.asked_loop)), time(facts_.due), time(naive)});
}

void CallbackTeller::report_work_asked() {
  const std::string& op = history_.text(facts_.op);
  const std::string call =
      op.empty() ? std::string(to_string(facts_.api)) : fmt::format("{}.{}", to_string(facts_.api), op);
  const Argument me = who(id_);
  const Argument at = time(facts_.asked_at);
  const Argument by = who(facts_.by);
  const bool on_network = facts_.requests != 0 && history_.request(facts_.requests).thread < 0;
  if (on_network) return say(Rule::lookup_asked, facts_.asked, {me, at, by, words(call)});
  if (facts_.delay < 0) return say(Rule::work_in_requests, facts_.asked, {me, at, by, words(call)});
  say(Rule::work_asked, facts_.asked, {me, at, by, words(call), words(short_ms_text(facts_.delay))});
}

// ---- waiting --------------------------------------------------------------------------------------------------------

void CallbackTeller::report_waited() {
  report_requests();
  if (is_microtask(facts_.api) && facts_.asked != 0) report_promise();
  const bool was_awaited = facts_.ready_at >= 0 && facts_.parent == 0 && facts_.asked == 0;
  if (was_awaited) {
    const std::uint64_t event = facts_.begun;
    if (is_signal()) {
      say(Rule::signal_came, event, {words(history_.text(facts_.op)), time(facts_.ready_at)});
    } else if (is_child_event()) {
      say(Rule::child_ended, event, {time(facts_.ready_at)});
    } else if (const Cause* outside = history_.outside(id_); outside != nullptr && facts_.bytes == 0) {
      say(Rule::outside_did, outside->sequence, {words(outside->text), time(outside->at)});
    } else {
      report_event_happened();
    }
  }
  report_poll();
}

void CallbackTeller::report_event_happened() {
  const std::string& event = history_.text(facts_.op);
  const Argument at = time(facts_.ready_at);
  if (event == "connection") return say(Rule::connection_came, facts_.begun, {at});
  if (event == "end") return say(Rule::end_came, facts_.begun, {at});
  if (event == "data" && facts_.bytes != 0) return say(Rule::data_came, facts_.begun, {number(facts_.bytes), at});
  say(Rule::event_happened, facts_.begun, {at});
}

void CallbackTeller::report_requests() {
  const bool is_lookup = facts_.api == Api::dns && history_.profile().libuv.slow_io_limit;
  for (std::uint32_t index = facts_.requests; index != 0;) {
    const ToldRequest& request = history_.request(index);
    index = request.next;
    if (request.thread < 0) {
      say(Rule::answer_came, request.sequence, {time(request.done)});
      continue;
    }
    if (request.started > request.asked) {
      const std::uint32_t threads = history_.threads();
      say(is_lookup ? Rule::lookup_thread_awaited : Rule::thread_awaited, request.sequence,
          {number(is_lookup ? (threads + 1) / 2 : threads), time(request.asked), time(request.started)});
    }
    const Argument thread = number(static_cast<std::uint64_t>(request.thread));
    const bool is_last = index == 0 && facts_.begun != 0;
    if (is_last) {
      say(Rule::thread_worked, request.sequence, {thread, time(request.started), time(request.done)});
    } else {
      say(Rule::request_worked, request.sequence,
          {words(history_.text(request.op)), thread, time(request.started), time(request.done), time(request.heard)});
    }
  }
}

void CallbackTeller::report_promise() {
  if (facts_.queued == 0) return;
  // Microtasks run in the order in which they were queued.
  const CallbackFacts& before = history_.facts(facts_.position > 1 ? history_.order()[facts_.position - 2] : 0);
  const bool was_overtaken = is_microtask(before.api) && before.drain == facts_.drain && before.asked > facts_.asked;
  if (was_overtaken) say(Rule::promise_later, before.begun, {who(before.id)});
  const Settled how{facts_.queued, facts_.queued_after, facts_.queued_at, facts_.queued_by, facts_.queued_in};
  if (facts_.promise == 0) return;
  const bool was_pending = facts_.queued_after > facts_.asked + 1;  // + 1: the other handler of a pair
  if (was_pending || was_settled_then(facts_.promise, how)) return report_settled(facts_.promise, how, 0);
  say(facts_.rejected ? Rule::promise_rejected_before : Rule::promise_fulfilled_before, facts_.queued,
      {words(history_.text(facts_.value))});
}

// False: it had been settled before, and what was just attached to it was queued at once.
bool CallbackTeller::was_settled_then(std::uint32_t promise, const Settled& how) const {
  const ToldPromise& told = history_.promise(promise);
  if (told.settled != 0) return told.settled == how.after;
  if (how.in != 0) return history_.job(how.in).result == promise;
  const CallbackFacts& by = history_.facts(how.by);
  // A timer or request of a promise; a reaction settles no promise but that of its outcome.
  return by.result == promise || (by.result == 0 && by.ended != 0 && by.ended < how.sequence);
}

void CallbackTeller::report_settled(std::uint32_t promise, const Settled& how, std::size_t depth) {
  if (depth == kLongestChain) return;
  if (how.in != 0) return report_settled_in(promise, history_.job(how.in), depth);
  if (how.by != 0) report_settled_by(promise, how);
}

// By a callback: its outcome, or a call of resolve() or reject(). The outcome is the one that arrived here.
void CallbackTeller::report_settled_by(std::uint32_t promise, const Settled& how) {
  const CallbackFacts& settler = history_.facts(how.by);
  const Argument by = who(how.by);
  const Argument value = words(history_.text(facts_.value));
  const bool rejected = facts_.rejected;
  const auto told = [&](Rule fulfilled_rule, Rule rejected_rule) {
    say(rejected ? rejected_rule : fulfilled_rule, how.sequence, {by, time(how.at), value});
  };
  if (settler.result == promise && settler.api == Api::await)
    return told(Rule::promise_async_returned, Rule::promise_async_threw);
  if (settler.result == promise) return told(Rule::promise_returned, Rule::promise_threw);
  if (!rejected && settler.ended != 0 && settler.ended < how.sequence)
    return say(Rule::promise_done, how.sequence, {by, time(how.at), value});
  const std::string name = history_.promise_name(promise);
  if (name.empty()) return told(Rule::promise_fulfilled_by, Rule::promise_rejected_by);
  say(rejected ? Rule::promise_named_rejected : Rule::promise_named_fulfilled, how.sequence,
      {by, time(how.at), value, words(name)});
}

// By a job of V8, which had a reason of its own to be queued.
void CallbackTeller::report_settled_in(std::uint32_t promise, const ToldJob& job, std::size_t depth) {
  switch (job.does) {
    case Job::follows: return report_followed(promise, job, depth);
    case Job::passes_on: {
      const std::uint64_t maker = history_.maker_of(promise);
      if (maker != 0)
        say(job.rejected ? Rule::promise_passed_rejection : Rule::promise_passed_value, job.queued, {who(maker)});
      if (was_settled_then(job.promise, settled_by(job))) report_settled(job.promise, settled_by(job), depth + 1);
      return;
    }
    case Job::all:
    case Job::all_settled:
    case Job::any:
    case Job::race: return report_combined(job);
    case Job::finally:
    case Job::none: return;
  }
}

// A promise was resolved with another one.
void CallbackTeller::report_followed(std::uint32_t promise, const ToldJob& job, std::size_t depth) {
  const std::uint32_t index = history_.promise(promise).thenable;
  const bool was_pending = was_settled_then(job.promise, settled_by(job));
  const CallbackFacts& maker = history_.facts(history_.maker_of(promise));
  if (maker.api == Api::finally_) {
    return say(was_pending ? Rule::promise_finally_waited : Rule::promise_after_finally, maker.ended,
               {who(maker.id), time(maker.ended_at)});
  }
  if (index == 0) {  // Node 4
    if (maker.ended != 0) say(Rule::promise_followed_directly, job.queued, {who(maker.id), time(maker.ended_at)});
  } else {
    const ToldJob& thenable = history_.job(index);
    const bool is_await = facts_.api == Api::await && promise == facts_.promise && history_.profile().await_wraps;
    if (is_await) {
      say(was_pending ? Rule::promise_await_wrapped : Rule::promise_await_wrapped_settled, thenable.queued, {});
    } else if (thenable.by != 0) {
      const bool returned = history_.facts(thenable.by).result == promise;
      const Rule pending = returned ? Rule::promise_returned_promise : Rule::promise_resolved_with_promise;
      const Rule settled = returned ? Rule::promise_returned_settled : Rule::promise_resolved_with_settled;
      say(was_pending ? pending : settled, thenable.queued, {who(thenable.by), time(thenable.at)});
    }
  }
  if (was_pending) report_settled(job.promise, settled_by(job), depth + 1);
}

CallbackTeller::Argument CallbackTeller::combinator_words(Job job) {
  switch (job) {
    case Job::all: return words("Promise.all()");
    case Job::all_settled: return words("Promise.allSettled()");
    case Job::any: return words("Promise.any()");
    default: return words("Promise.race()");
  }
}

// Which of the promises decided.
void CallbackTeller::report_combined(const ToldJob& job) {
  const Argument combinator = combinator_words(job.does);
  const bool needs_one =
      job.does == Job::race || (job.does == Job::all && job.rejected) || (job.does == Job::any && !job.rejected);
  const Argument settler = settler_of(job);
  const bool was_pending = settler.callback != 0 && was_settled_then(job.promise, settled_by(job));
  if (needs_one) {
    if (!was_pending) return say(Rule::promise_combined_first_before, job.queued, {combinator});
    return say(Rule::promise_combined_first, job.queued, {combinator, time(job.at), settler});
  }
  const Argument count = number(job.count);
  if (!was_pending) return say(Rule::promise_combined_last_before, job.queued, {combinator, count});
  say(Rule::promise_combined_last, job.queued, {combinator, count, time(job.at), settler});
}

// The callback behind a job: through the jobs that led to it.
CallbackTeller::Argument CallbackTeller::settler_of(const ToldJob& job) const {
  const ToldJob* behind = &job;
  for (std::size_t i = 0; i < kLongestChain && behind->by == 0 && behind->in != 0; ++i)
    behind = &history_.job(behind->in);
  return who(behind->by);
}

void CallbackTeller::report_poll() {
  if (facts_.poll == 0 || facts_.parent != 0 || facts_.drain != 0) return;
  const Poll& poll = history_.poll(facts_.poll);
  const bool slept = poll.to > poll.from;
  const bool in_poll = facts_.phase == Phase::poll;
  const bool is_check = facts_.api == Api::set_immediate || facts_.api == Api::uv_check;
  if (is_timer(facts_.api)) {
    // The sleep that ended with this timer, or that should have.
    if (!slept || poll.to < facts_.asked_at || facts_.before != 0) return;
  } else if (!in_poll && !is_check) {
    return;
  }
  if (is_check && poll.turn != facts_.turn) return;
  if (!slept) return report_poll_without_sleep(poll);
  if (is_check) return;
  if (in_poll && facts_.ready_at >= 0 && facts_.ready_at < poll.from) return;
  const Argument from = time(poll.from);
  const Argument to = time(poll.to);
  // Node's only internal timer.
  const Argument timer = poll.timer != 0 ? who(poll.timer) : words("monitorEventLoopDelay()");
  if (poll.rule == PollRule::timer && poll.wake == PollWake::timeout)
    return say(Rule::poll_until_timer, poll.sequence, {from, to, timer});
  if (poll.rule == PollRule::timer)
    return say(Rule::poll_before_timer, poll.sequence,
               {from, to, number(static_cast<std::uint64_t>(poll.timeout)), timer});
  if (poll.rule == PollRule::no_timer) say(Rule::poll_for_ever, poll.sequence, {from, to});
}

void CallbackTeller::report_poll_without_sleep(const Poll& poll) {
  if (poll.timeout != 0) {
    if (facts_.phase == Phase::poll) say(Rule::poll_found_ready, poll.sequence, {});
    return;
  }
  switch (poll.rule) {
    case PollRule::timer:
    case PollRule::no_timer: return;
    case PollRule::due_timer: return say(Rule::poll_due_timer, poll.sequence, {});
    case PollRule::stopped: return say(Rule::poll_stopped, poll.sequence, {});
    case PollRule::nothing_active: return say(Rule::poll_nothing, poll.sequence, {});
    case PollRule::pending_queue: return say(Rule::poll_pending, poll.sequence, {});
    case PollRule::idle_handle:
      return say(history_.is_libuv_alone() ? Rule::poll_idle_handle : Rule::poll_immediates, poll.sequence, {});
    case PollRule::closing_handle: return say(Rule::poll_closing, poll.sequence, {});
  }
}

// ---- lateness -------------------------------------------------------------------------------------------------------

void CallbackTeller::report_late() {
  if (facts_.late <= 0) return;
  const Argument due = time(facts_.ready_at);
  const std::uint64_t event = facts_.begun;
  const bool was_awake =
      facts_.why != LateReason::order && facts_.why != LateReason::rounding && facts_.why != LateReason::wakeup;
  if (history_.is_page() && !was_awake) return report_page_not_busy();
  switch (facts_.why) {
    case LateReason::none: return;
    case LateReason::callback:
    case LateReason::main:
    case LateReason::order: report_late_behind(); break;
    case LateReason::stall:
    case LateReason::preempted:
    case LateReason::throttled:
    case LateReason::stolen: break;  // reported by report_late_then()
    case LateReason::startup: say(Rule::late_startup, event, {due}); break;
    case LateReason::rounding: say(Rule::late_rounding, event, {due, time(woken_at())}); break;
    case LateReason::wakeup: say(Rule::late_wakeup, event, {due, time(woken_at())}); break;
    case LateReason::overhead: say(Rule::late_overhead, event, {due}); break;
  }
  report_late_then();
}

// The end of the sleep in which it came due.
TimeNs CallbackTeller::woken_at() const {
  for (std::uint32_t index = facts_.poll; index != 0; --index) {
    const Poll& poll = history_.poll(index);
    if (poll.to <= facts_.ready_at) break;
    if (poll.from <= facts_.ready_at) return poll.to;
  }
  return facts_.begun_at;
}

void CallbackTeller::report_late_behind() {
  const Argument due = time(facts_.ready_at);
  if (facts_.behind == 0 || !history_.knows(facts_.behind)) return say(Rule::late_order, facts_.begun, {due});
  const CallbackFacts& other = history_.facts(facts_.behind);
  const Argument name = who(facts_.behind);
  const bool has_fraction = is_timer(facts_.api) && facts_.delay % kMillisecond != 0 &&
                            history_.profile().timer_model == TimerModel::handle_per_list;
  if (facts_.why == LateReason::order && has_fraction)
    return say(Rule::late_fraction, facts_.begun, {due, time(facts_.begun_at)});
  if (facts_.why == LateReason::order && other.ended_at >= 0 && other.ended_at < facts_.ready_at)
    return say(Rule::late_order, facts_.begun, {due});
  if (facts_.why == LateReason::order || other.ended_at < 0) return say(Rule::late_behind, other.begun, {due, name});
  if (facts_.why == LateReason::main && other.phase != Phase::poll)
    return say(Rule::late_main, other.ended, {due, name, time(other.ended_at)});
  const Argument from = time(other.begun_at);
  const Argument to = time(other.ended_at);
  const bool is_task = other.drain != 0 || other.phase == Phase::main;
  if (is_task) return say(Rule::late_task, other.begun, {due, name, from, to});
  say(Rule::late_callback, other.begun, {due, phase(other.phase), name, from, to});
}

// Other causes of delay between the due time and the start: callbacks, and waits for a core.
void CallbackTeller::report_late_then() {
  struct Busy {
    TimeNs from, to;
    std::uint64_t event, callback;
    const ToldStall* stall;
  };
  std::vector<Busy> busy;
  const std::span<const std::uint64_t> order = history_.order();
  const auto here = order.begin() + (static_cast<std::ptrdiff_t>(facts_.position) - 1);
  const auto first = std::partition_point(
      order.begin(), here, [&](std::uint64_t id) { return history_.facts(id).begun_at < facts_.ready_at; });
  const std::size_t between = static_cast<std::size_t>(here - first);
  bool are_more = between > kMostLookedAt;
  for (std::size_t back = 1; back <= std::min(between, kMostLookedAt); ++back) {
    const CallbackFacts& other = history_.facts(*(here - static_cast<std::ptrdiff_t>(back)));
    if (other.parent != 0 || other.ended_at <= other.begun_at || other.id == facts_.behind) continue;
    if (busy.size() < kMostBusy)
      busy.push_back({other.begun_at, other.ended_at, other.begun, other.id, nullptr});
    else
      are_more = true;
  }
  const std::size_t beyond = are_more ? between - busy.size() : 0;
  const std::vector<ToldStall>& stalls = history_.stalls();
  auto stall = std::partition_point(stalls.begin(), stalls.end(),
                                    [&](const ToldStall& one) { return one.to <= facts_.ready_at; });
  for (; stall != stalls.end() && stall->from < facts_.begun_at; ++stall) {
    const auto within = [&](const Busy& one) { return one.from <= stall->from && stall->to <= one.to; };
    const bool in_behind = facts_.behind != 0 && history_.facts(facts_.behind).begun_at <= stall->from &&
                           stall->to <= history_.facts(facts_.behind).ended_at;
    if (in_behind || std::ranges::any_of(busy, within)) continue;  // part of the callback's duration
    if (busy.size() >= 2 * kMostBusy) break;
    busy.push_back({stall->from, stall->to, stall->sequence, 0, &*stall});
  }
  std::ranges::sort(busy, {}, &Busy::from);
  for (const Busy& one : busy) {
    if (one.stall == nullptr) {
      say(Rule::late_then, one.event, {who(one.callback), time(one.from), time(one.to)});
      continue;
    }
    say(rule_of(one.stall->why), one.event, {time(one.from), time(one.to)});
  }
  if (beyond != 0) say(Rule::late_then_more, facts_.begun, {number(beyond)});
}

// ---- order ----------------------------------------------------------------------------------------------------------

void CallbackTeller::report_ran() {
  if (history_.is_page()) return report_page_ran();
  if (facts_.api == Api::main) {
    const TimeNs end = facts_.ended_at >= 0 ? facts_.ended_at : history_.end_time();
    const Rule ran = history_.is_libuv_alone() ? Rule::main_function_ran : Rule::main_ran;
    return say(ran, facts_.begun, {time(facts_.begun_at), time(end)});
  }
  const bool is_listener = facts_.asked == 0 && !history_.text(facts_.op).empty();
  if (is_listener) return report_listener_ran();
  if (facts_.api == Api::next_tick || is_microtask(facts_.api)) return report_drained();
  if (is_timer(facts_.api)) return report_timer_ran();
  if (facts_.api == Api::set_immediate) return report_immediate_ran();
  if (facts_.drain != 0 && facts_.parent == 0) return say(Rule::told_by_tick, facts_.begun, {time(facts_.begun_at)});
  if (facts_.phase == Phase::poll && is_request(facts_.api)) {
    const bool by_thread = facts_.last_request != 0 && history_.request(facts_.last_request).thread >= 0;
    return by_thread ? report_io_ran(Rule::work_ran, Rule::work_ran_late)
                     : report_io_ran(Rule::socket_ran, Rule::socket_ran_late);
  }
  report_listener_ran();
}

void CallbackTeller::report_io_ran(Rule on_time, Rule late) {
  const Argument turn = number(facts_.turn);
  if (facts_.late > 0) return say(late, facts_.begun, {turn, time(facts_.begun_at), time(facts_.late)});
  say(on_time, facts_.begun, {turn, time(facts_.begun_at)});
}

void CallbackTeller::report_timer_ran() {
  // Up to Node 8, after an exception.
  if (facts_.phase != Phase::timers || facts_.drain != 0) {
    const Argument at = time(facts_.begun_at);
    const TimeNs late = facts_.begun_at - facts_.due;
    if (late > 0) return say(Rule::timer_by_tick_late, facts_.begun, {number(facts_.turn), at, time(late)});
    if (late < 0) return say(Rule::timer_by_tick_early, facts_.begun, {at, time(-late)});
    return say(Rule::timer_by_tick, facts_.begun, {at});
  }
  const CallbackFacts& behind = history_.facts(facts_.behind);
  const bool was_left = facts_.why == LateReason::callback && behind.phase == Phase::timers && behind.begun != 0 &&
                        behind.turn < facts_.turn && behind.begun_at <= facts_.ready_at &&
                        facts_.ready_at < behind.ended_at;
  if (was_left) say(Rule::timer_next_pass, facts_.begun, {number(behind.turn), number(facts_.turn)});
  if (facts_.before != 0) {
    const CallbackFacts& before = history_.facts(facts_.before);
    // Up to Node 10 a timer that is unref'd leaves its list.
    const bool in_lists = history_.profile().timer_model == TimerModel::single_handle ||
                          (!before.is_unreferenced && !facts_.is_unreferenced);
    if (before.delay / kMillisecond == facts_.delay / kMillisecond && in_lists) {
      say(Rule::timer_same_list, before.begun,
          {words(short_ms_text(facts_.delay / kMillisecond * kMillisecond)), who(facts_.before)});
    } else if (before.due > facts_.due && in_lists) {
      say(Rule::timer_other_list, before.begun, {who(facts_.before), time(before.due)});
    }
  }
  // Timeout against immediate: the immediates of the first turn ran first.
  const bool was_early = facts_.asked_turn == 0 && facts_.kind == ScheduleKind::first && facts_.before == 0 &&
                         history_.loop_began() < facts_.due && facts_.position > 1;
  if (was_early) {
    const CallbackFacts& last = history_.facts(history_.order()[facts_.position - 2]);
    if (last.phase == Phase::check && last.turn == 1)
      say(Rule::timer_too_early, facts_.asked, {time(history_.loop_began())});
  }
  const Argument turn = number(facts_.turn);
  if (facts_.late > 0) return say(Rule::timer_ran_late, facts_.begun, {turn, time(facts_.begun_at), time(facts_.late)});
  say(Rule::timer_ran, facts_.begun, {turn, time(facts_.begun_at)});
}

void CallbackTeller::report_immediate_ran() {
  if (facts_.drain != 0) return say(Rule::told_by_tick, facts_.begun, {time(facts_.begun_at)});
  const bool same_turn = facts_.asked_turn == facts_.turn;
  if (facts_.asked_phase == Phase::poll && same_turn) say(Rule::immediate_after_poll, facts_.asked, {});
  if (facts_.asked_phase == Phase::check && !same_turn) say(Rule::immediate_next_turn, facts_.asked, {});
  say(Rule::immediate_ran, facts_.begun, {number(facts_.turn), time(facts_.begun_at)});
}

void CallbackTeller::report_drained() {
  const bool is_tick = facts_.api == Api::next_tick;
  const Argument at = time(facts_.begun_at);
  if (facts_.drain == 0) {
    if (is_tick && history_.profile().exception_immediate_ticks) return say(Rule::left_over_ran, facts_.begun, {at});
    return say(Rule::ran_in_phase, facts_.begun, {at, phase(facts_.phase)});
  }
  const Drain& drain = history_.drain(facts_.drain);
  if (drain.is_module)
    return say(is_tick ? Rule::tick_ran_after_module : Rule::microtask_ran_in_module, drain.sequence,
               {{"main", 0}, at});
  if (drain.after == 0)
    return say(is_tick ? Rule::tick_ran_in_phase : Rule::microtask_ran_in_phase, drain.sequence,
               {phase(drain.phase), at});
  const Argument after = who(drain.after);
  if (facts_.asked_in == facts_.drain)
    return say(is_tick ? Rule::tick_ran_within : Rule::microtask_ran_within, drain.sequence, {after, at});
  if (history_.facts(facts_.by).threw && facts_.by != drain.after && facts_.asked_in == 0)
    say(Rule::queues_skipped, history_.facts(facts_.by).ended, {who(facts_.by)});
  const bool is_list = !history_.profile().drain_between_timers;
  if (is_list && drain.with != 0 && facts_.by != drain.after && facts_.asked_in == 0 &&
      facts_.asked_turn == facts_.turn && facts_.asked_phase == facts_.phase)
    say(Rule::queues_not_between, drain.sequence, {after});
  say(is_tick ? Rule::tick_ran : Rule::microtask_ran, drain.sequence, {after, at});
}

void CallbackTeller::report_listener_ran() {
  const Argument at = time(facts_.begun_at);
  const Argument turn = number(facts_.turn);
  const std::string& event = history_.text(facts_.op);
  if (facts_.api == Api::process_event) {
    const auto about = [&](Rule rule) {
      const Cause& cause = history_.cause(facts_.cause);
      say(rule, cause.sequence != 0 ? cause.sequence : facts_.begun, {words(cause.text), at});
    };
    if (event == "uncaughtException") return about(Rule::uncaught_listener);
    if (event == "unhandledRejection") return about(Rule::rejection_listener);
    if (event == "rejectionHandled") return about(Rule::rejection_handled_listener);
    if (event == "beforeExit") return say(Rule::before_exit_listener, facts_.begun, {at});
    if (event == "exit") return say(Rule::exit_listener, facts_.begun, {at});
    if (is_signal() && facts_.parent == 0) return report_io_ran(Rule::signal_ran, Rule::signal_ran_late);
  }
  if (facts_.parent != 0) return say(Rule::emitted, facts_.begun, {who(facts_.parent), at});
  if (facts_.drain != 0) return say(Rule::told_by_tick, facts_.begun, {at});
  switch (facts_.phase) {
    case Phase::pending: return say(Rule::pending_ran, facts_.begun, {turn, at});
    case Phase::closing: return say(Rule::closing_ran, facts_.begun, {turn, at});
    case Phase::poll:
      return is_child_event() ? report_io_ran(Rule::child_ran, Rule::child_ran_late)
                              : report_io_ran(Rule::socket_ran, Rule::socket_ran_late);
    default: return say(Rule::ran_in_phase, facts_.begun, {at, phase(facts_.phase)});
  }
}

void CallbackTeller::report_result() {
  if (facts_.cleared != 0)
    say(facts_.api == Api::set_interval ? Rule::interval_ended : Rule::timer_cleared_too_late, facts_.cleared,
        {who(facts_.cleared_by), time(facts_.cleared_at)});
  if (const HeldUpStep* step = history_.held_up(id_))
    say(Rule::step_held_up, step->sequence, {words(short_ms_text(step->asked)), words(short_ms_text(step->took))});
  if (const Thrown* thrown = history_.thrown(id_))
    say(history_.is_page()   ? Rule::page_threw
        : thrown->was_caught ? Rule::threw_to_listener
                             : Rule::threw_to_the_end,
        thrown->sequence, {words(thrown->text)});
}

// ---- callbacks that never ran ---------------------------------------------------------------------------------------

void CallbackTeller::report_never() {
  if (history_.is_page()) return report_page_never();
  if (facts_.cancelled != 0) {
    const bool is_refresh = facts_.cancel == CancelReason::refresh;
    if (is_refresh && facts_.cancelled_by == 0)
      return say(Rule::never_rearmed, facts_.cancelled, {time(facts_.cancelled_at)});
    return say(is_refresh                         ? Rule::never_refreshed
               : history_.is_libuv_alone()        ? Rule::never_stopped
               : facts_.api == Api::set_immediate ? Rule::never_immediate_cleared
                                                  : Rule::never_cleared,
               facts_.cancelled, {time(facts_.cancelled_at), who(facts_.cancelled_by)});
  }
  if (facts_.passed_over != 0)
    return say(facts_.rejected ? Rule::never_fulfilled : Rule::never_rejected, facts_.passed_over,
               {time(facts_.passed_over_at)});
  const std::uint64_t event = history_.end_sequence() != 0 ? history_.end_sequence() : facts_.asked;
  const Argument end = time(history_.end_time());
  switch (history_.end_reason()) {
    case ExitReason::limit: return report_limit(event);
    case ExitReason::process_exit: return say(Rule::never_process_exit, event, {end});
    case ExitReason::uncaught_exception:
      return say(history_.ended_by_rejection() ? Rule::never_rejection : Rule::never_uncaught, event, {end});
    case ExitReason::signal: return say(Rule::never_signal, event, {end});
    case ExitReason::main_returned: return say(Rule::never_main_returned, event, {end});
    case ExitReason::loop_empty:
    case ExitReason::unsettled_await: break;
  }
  if (is_reaction(facts_.api) || facts_.api == Api::await) {
    const std::uint64_t maker = history_.maker_of(awaited_promise());
    if (maker != 0 && maker != id_) return say(Rule::never_result_settled, event, {end, who(maker)});
    return say(Rule::never_settled, event, {end});
  }
  say(facts_.is_unreferenced ? Rule::never_unref : Rule::never_loop_empty, event, {end});
}

// A limit stopped the run: what is to blame is what kept the loop, if something did.
void CallbackTeller::report_limit(std::uint64_t event) {
  const Argument end = time(history_.end_time());
  const Starvation& kept = history_.starvation();
  const Argument since = time(kept.since);
  const Succession succession = succession_of(kept.last);
  const auto starved = [&](Rule rule, Arguments arguments) {
    say(rule, event, std::move(arguments));
    say(Rule::stopped_by_limit, event, {end});
  };
  switch (kept.by) {
    case Starvation::By::queues: {
      const WaitsIn place = traits(facts_.api).waits_in;
      const bool is_next = (place == WaitsIn::ticks && succession.has_ticks) ||
                           (place == WaitsIn::microtasks && succession.has_microtasks);
      if (is_next || !succession.is_endless) break;
      const Rule rule = !succession.has_microtasks ? Rule::starved_by_ticks
                        : !succession.has_ticks    ? Rule::starved_by_microtasks
                                                   : Rule::starved_by_queues;
      return starved(rule, {since, number(kept.callbacks), words(succession.names)});
    }
    case Starvation::By::phase:
      if (!succession.is_endless || facts_.by == kept.last) break;
      return starved(Rule::starved_by_phase,
                     {since, number(kept.callbacks), words(last_names(kept)), phase(kept.phase)});
    case Starvation::By::callback:
      if (id_ == kept.last) break;
      return starved(Rule::starved_by_callback, {who(kept.last), since});
    case Starvation::By::nothing: break;
  }
  if (is_timer(facts_.api) && facts_.due > history_.end_time())
    return say(Rule::never_not_due, event, {end, time(facts_.due)});
  say(Rule::never_limit, event, {end});
}

// The names of those that ran last: "a, b".
std::string CallbackTeller::last_names(const Starvation& kept) const {
  std::vector<std::string> names;
  const auto looked_at = static_cast<std::size_t>(std::min<std::uint64_t>(kept.callbacks, kMostLookedAt));
  const std::size_t end = history_.facts(kept.last).position;
  for (const std::uint64_t id : std::span(history_.order()).subspan(end - looked_at, looked_at)) {
    std::string name = history_.name_of(id);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    if (names.size() == kMostBusy) break;
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// Who asked for a callback, who for that, and so on, until a name comes again.
CallbackTeller::Succession CallbackTeller::succession_of(std::uint64_t last) const {
  Succession found;
  std::vector<std::string> names;
  for (std::uint64_t id = last; history_.knows(id) && names.size() < kLongestChain && !found.is_endless;
       id = history_.asker_of(history_.facts(id))) {
    const CallbackFacts& facts = history_.facts(id);
    found.has_ticks |= traits(facts.api).waits_in == WaitsIn::ticks;
    found.has_microtasks |= traits(facts.api).waits_in == WaitsIn::microtasks;
    std::string name = history_.name_of(id);
    found.is_endless = std::ranges::find(names, name) != names.end() || facts.kind == ScheduleKind::again;
    names.push_back(std::move(name));
  }
  std::ranges::reverse(names);
  found.names = fmt::format("{}", fmt::join(names, " → "));
  return found;
}

// ---- chain of callbacks ---------------------------------------------------------------------------------------------

void CallbackTeller::report_chain() {
  std::uint64_t id = history_.asker_of(facts_);
  std::uint64_t below = id_;
  std::size_t told = 0;
  // An asker has a smaller id than its callback, except in traces made by hand.
  while (id != 0 && id < below && history_.knows(id) && history_.facts(id).api != Api::main && told < kLongestChain) {
    const CallbackFacts& facts = history_.facts(id);
    const Argument asker = who(history_.asker_of(facts));
    if (facts.asked == 0)
      say(history_.is_page() ? Rule::chain_dispatched : Rule::chain_listener, facts.begun,
          {who(id), time(facts.begun_at), asker});
    else
      say(Rule::chain_asked, facts.begun != 0 ? facts.begun : facts.asked,
          {who(id), time(facts.begun_at), time(facts.asked_at), asker});
    ++told;
    below = id;
    id = history_.asker_of(facts);
  }
  const bool is_cut = told == kLongestChain && id < below && history_.knows(id) && history_.facts(id).depth != 0;
  if (is_cut) say(Rule::chain_cut, history_.facts(id).begun, {number(history_.facts(id).depth)});
}

Explanation outline_callback(const History& history, std::uint64_t callback) {
  const CallbackFacts& facts = history.facts(callback);
  Explanation outline;
  outline.callback = callback;
  outline.label = history.name_of(callback);
  outline.name = history.title_of(callback);
  outline.line = facts.line != 0 ? facts.line : facts.added_line;
  outline.function_line = facts.function_line;
  outline.begin = facts.begun;
  outline.begun_at = facts.begun_at;
  outline.turn = facts.turn;
  outline.phase = facts.phase;
  return outline;
}

Explanation report_callback(const History& history, const RuleNumbers& rules, std::uint64_t callback) {
  return CallbackTeller(history, rules, callback).tell();
}

}  // namespace loopsim
