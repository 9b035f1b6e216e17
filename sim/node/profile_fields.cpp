// The fields of a profile, one by one: their names, what they mean, their values.
//
// What a field means is said in the words of docs/profiles.md; a test holds the two together.
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "loopsim/profile.hpp"

namespace loopsim {
namespace {

// ---- values ---------------------------------------------------------------------------------------------------------------------

std::string word(bool value) { return value ? "yes" : "no"; }
std::string word(std::uint8_t value) { return std::to_string(value); }
std::string word(std::string_view value) { return "\"" + std::string(value) + "\""; }
// An enumeration's words are its enumerators.
std::string word(LoopOrder value) {
  switch (value) {
    case LoopOrder::timers_first: return "timers_first";
    case LoopOrder::timers_last: return "timers_last";
  }
  return "";
}
std::string word(TimerModel value) {
  switch (value) {
    case TimerModel::handle_per_list: return "handle_per_list";
    case TimerModel::single_handle: return "single_handle";
  }
  return "";
}
std::string word(IntervalStart value) {
  switch (value) {
    case IntervalStart::rearm_twice: return "rearm_twice";
    case IntervalStart::after_callback: return "after_callback";
    case IntervalStart::before_callback: return "before_callback";
  }
  return "";
}
std::string word(RejectionPolicy value) {
  switch (value) {
    case RejectionPolicy::silent: return "silent";
    case RejectionPolicy::warn: return "warn";
    case RejectionPolicy::raise: return "raise";
  }
  return "";
}
std::string word(PromiseFollowing value) {
  switch (value) {
    case PromiseFollowing::standard: return "standard";
    case PromiseFollowing::adopts_settled: return "adopts_settled";
    case PromiseFollowing::stores: return "stores";
  }
  return "";
}
std::string word(FinishAfterEnd value) {
  switch (value) {
    case FinishAfterEnd::before_listeners: return "before_listeners";
    case FinishAfterEnd::after_listeners: return "after_listeners";
    case FinishAfterEnd::next_poll: return "next_poll";
    case FinishAfterEnd::pending_queue: return "pending_queue";
  }
  return "";
}

template <auto member>
constexpr ProfileField field(std::string_view name, std::string_view meaning) {
  return {name, meaning, [](const Profile& profile) { return word(profile.*member); },
          [](const Profile& a, const Profile& b) { return a.*member == b.*member; },
          [](Profile& to, const Profile& from) { to.*member = from.*member; }};
}

// ---- the table ------------------------------------------------------------------------------------------------------------------

constexpr std::array kFields = {
    field<&Profile::loop_order>("loop_order",
                                "where a turn begins: with the timers, or after them (they then run once before the "
                                "first turn, and last in each)"),
    field<&Profile::pending_after_poll>("pending_after_poll",
                                        "the pending queue is run again right after poll, at most 8 times"),
    field<&Profile::first_timers_if_stopped>("first_timers_if_stopped",
                                             "the timers before the first turn run even if the loop has been stopped"),
    field<&Profile::poll_looks_first>("poll_looks_first",
                                      "a poll that may sleep first looks without sleeping, which refreshes loop time, "
                                      "and then sleeps only for what is left"),
    field<&Profile::timers_collected_first>("timers_collected_first",
                                            "a timers phase takes all due timers of libuv out of the heap before it "
                                            "calls the first; one that is set again meanwhile waits for the next pass"),
    field<&Profile::first_poll_wakes>("first_poll_wakes",
                                      "a task left over from starting up wakes the first poll at once"),
    field<&Profile::slow_io_limit>("slow_io_limit", "the pool runs at most (n + 1) / 2 name lookups at once"),
    field<&Profile::runs_loop_once>(
        "runs_loop_once", "Node calls `uv_run(ONCE)` for every turn, which runs timers a second time at its end"),
    field<&Profile::module_runs_in_poll>(
        "module_runs_in_poll", "the body of an ES module is run inside the loop, when its file has been read"),
    field<&Profile::module_error_hops>(
        "module_error_hops",
        "microtasks between an exception of an ES module's body and its `uncaughtException`, as it travels through the "
        "module loader; one more when the module awaits"),
    field<&Profile::exit_tells_unsettled>("exit_tells_unsettled",
                                          "`exit` listeners are given code 13 when a top-level await never went on"),
    field<&Profile::whole_file_requests>("whole_file_requests",
                                         "`readFile` and `writeFile` are one request to the pool"),
    field<&Profile::timer_model>("timer_model",
                                 "one libuv timer for each length, or one for all, with the lists in a queue"),
    field<&Profile::interval_start>("interval_start",
                                    "from when an interval counts: the end of its callback (in 4, with the start of "
                                    "the pass on top), or just before it"),
    field<&Profile::timers_resume_after_throw>(
        "timers_resume_after_throw",
        "after a handled exception the pass goes on at once; before, a tick goes on with the list"),
    field<&Profile::emptied_list_closes>("emptied_list_closes",
                                         "a list that an exception left empty is closed at once"),
    field<&Profile::fired_timer_loses_ref>(
        "fired_timer_loses_ref",
        "`refresh()` of a timer that has fired makes it one that does not keep the process alive"),
    field<&Profile::drain_between_timers>("drain_between_timers",
                                          "ticks and microtasks run between two timers of a pass"),
    field<&Profile::drain_between_immediates>("drain_between_immediates",
                                              "ticks and microtasks run between two immediates of a turn"),
    field<&Profile::check_drains_first>(
        "check_drains_first", "ticks and microtasks that an exception left behind run at the start of the check phase"),
    field<&Profile::accepts_one_per_turn>("accepts_one_per_turn",
                                          "a server takes one connection in a poll phase; before, all that wait"),
    field<&Profile::finish_after_end>(
        "finish_after_end",
        "when a socket is closed whose other side has ended: before or after the listeners of `end`, by the next poll, "
        "or by way of the pending queue (the last two shut down its own side first)"),
    field<&Profile::listen_error_explains>("listen_error_explains",
                                           "the error of a port in use says why: `listen EADDRINUSE: address already "
                                           "in use :::80`, before `listen EADDRINUSE :::80`"),
    field<&Profile::await_wraps>("await_wraps",
                                 "`await` makes a new promise of what it is given, which costs two microtasks more"),
    field<&Profile::following>("following",
                               "what resolving with a promise does: a job of its own calls its `then`; a settled one "
                               "is taken over at once; the promise is stored"),
    field<&Profile::rejection_policy>("rejection_policy", "what becomes of a rejection that nobody handles"),
    field<&Profile::exception_immediate_ticks>(
        "exception_immediate_ticks", "the immediate that Node queues after a handled exception runs the ticks itself"),
    field<&Profile::rejection_queues_tick>(
        "rejection_queues_tick", "an unhandled rejection puts a tick into the queue that runs the microtasks"),
    field<&Profile::rejections_as_snapshot>(
        "rejections_as_snapshot",
        "a batch of rejections is told as it was, even if one listener handles another of them"),
    field<&Profile::drains_after_main_threw>("drains_after_main_threw",
                                             "ticks of the main script run at once although it threw"),
    field<&Profile::unhandled_error>("unhandled_error",
                                     "what `emit('error', value)` without a listener throws, before `(value)`"),
    field<&Profile::unhandled_error_inspects>("unhandled_error_inspects",
                                              "the value in it is shown as `util.inspect` does, texts in quotes"),
    field<&Profile::exit_code_from_exit_handler>(
        "exit_code_from_exit_handler",
        "`process.exitCode`, set by an `exit` listener, counts after an uncaught exception"),
};

// ---- is it complete? ------------------------------------------------------------------------------------------------------------

struct Anything {
  template <typename T>
  constexpr operator T() const;  // NOLINT(google-explicit-constructor): what a member is made of must not matter
};

template <std::size_t>
using AnythingAt = Anything;

template <std::size_t... i>
constexpr bool takes(std::index_sequence<i...>) {
  return requires { Profile{AnythingAt<i>{}...}; };
}

// How many members the aggregate has: as many as it can be made of.
template <std::size_t count = 0>
constexpr std::size_t count_members() {
  if constexpr (takes(std::make_index_sequence<count + 1>{})) {
    return count_members<count + 1>();
  } else {
    return count;
  }
}

constexpr std::size_t kIdentity = 5;  // name, major, version, libuv and note say what a profile is, not what it does
static_assert(kFields.size() + kIdentity == count_members(), "a field of Profile is missing in this table");

}  // namespace

std::span<const ProfileField> profile_fields() { return kFields; }

}  // namespace loopsim
