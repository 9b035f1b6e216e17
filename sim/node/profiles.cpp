// The versions of Node, oldest first. One row a version; what a field means and where it comes from: profile.hpp, docs/profiles.md.
#include <algorithm>

#include "loopsim/profile.hpp"

namespace loopsim {

namespace {

constexpr auto kFirst = LoopOrder::timers_first;
constexpr auto kLast = LoopOrder::timers_last;
constexpr auto kPerList = TimerModel::handle_per_list;
constexpr auto kSingle = TimerModel::single_handle;

constexpr Profile kProfiles[] = {
    {.name = "node-4", .major = 4, .version = "4.9.1", .libuv = "1.9.1", .note = "the oldest one: intervals drift, rejections are silent",
     .loop_order = kFirst, .pending_after_poll = false, .first_timers_if_stopped = true, .poll_looks_first = false, .timers_collected_first = false, .first_poll_wakes = false, .slow_io_limit = false,
     .runs_loop_once = true, .module_runs_in_poll = false, .exit_tells_unsettled = false, .whole_file_requests = false,
     .timer_model = kPerList, .interval_start = IntervalStart::rearm_twice, .timers_resume_after_throw = false, .emptied_list_closes = false, .fired_timer_loses_ref = false,
     .drain_between_timers = false, .drain_between_immediates = false, .check_drains_first = false,
     .await_wraps = false, .following = PromiseFollowing::stores, .rejection_policy = RejectionPolicy::silent, .exception_immediate_ticks = true, .rejection_queues_tick = true, .rejections_as_snapshot = false, .drains_after_main_threw = false,
     .unhandled_error = "Uncaught, unspecified \"error\" event. ", .unhandled_error_inspects = false, .exit_code_from_exit_handler = false},
    {.name = "node-6", .major = 6, .version = "6.17.1", .libuv = "1.16.1", .note = "unhandled rejections are warned about",
     .loop_order = kFirst, .pending_after_poll = false, .first_timers_if_stopped = true, .poll_looks_first = false, .timers_collected_first = false, .first_poll_wakes = false, .slow_io_limit = false,
     .runs_loop_once = true, .module_runs_in_poll = false, .exit_tells_unsettled = false, .whole_file_requests = false,
     .timer_model = kPerList, .interval_start = IntervalStart::after_callback, .timers_resume_after_throw = false, .emptied_list_closes = false, .fired_timer_loses_ref = false,
     .drain_between_timers = false, .drain_between_immediates = false, .check_drains_first = false,
     .await_wraps = false, .following = PromiseFollowing::standard, .rejection_policy = RejectionPolicy::warn, .exception_immediate_ticks = true, .rejection_queues_tick = true, .rejections_as_snapshot = false, .drains_after_main_threw = false,
     .unhandled_error = "Uncaught, unspecified \"error\" event. ", .unhandled_error_inspects = false, .exit_code_from_exit_handler = false},
    {.name = "node-8", .major = 8, .version = "8.17.0", .libuv = "1.23.2", .note = "async functions; a settled promise is adopted at once",
     .loop_order = kFirst, .pending_after_poll = false, .first_timers_if_stopped = true, .poll_looks_first = false, .timers_collected_first = false, .first_poll_wakes = true, .slow_io_limit = true,
     .runs_loop_once = false, .module_runs_in_poll = false, .exit_tells_unsettled = false, .whole_file_requests = false,
     .timer_model = kPerList, .interval_start = IntervalStart::after_callback, .timers_resume_after_throw = false, .emptied_list_closes = true, .fired_timer_loses_ref = false,
     .drain_between_timers = false, .drain_between_immediates = false, .check_drains_first = false,
     .await_wraps = true, .following = PromiseFollowing::adopts_settled, .rejection_policy = RejectionPolicy::warn, .exception_immediate_ticks = true, .rejection_queues_tick = true, .rejections_as_snapshot = false, .drains_after_main_threw = false,
     .unhandled_error = "Unhandled \"error\" event. ", .unhandled_error_inspects = false, .exit_code_from_exit_handler = false},
    {.name = "node-10", .major = 10, .version = "10.24.1", .libuv = "1.34.2", .note = "await costs three microtasks; intervals count from their start",
     .loop_order = kFirst, .pending_after_poll = false, .first_timers_if_stopped = true, .poll_looks_first = false, .timers_collected_first = false, .first_poll_wakes = false, .slow_io_limit = true,
     .runs_loop_once = false, .module_runs_in_poll = false, .exit_tells_unsettled = false, .whole_file_requests = false,
     .timer_model = kPerList, .interval_start = IntervalStart::before_callback, .timers_resume_after_throw = true, .emptied_list_closes = false, .fired_timer_loses_ref = false,
     .drain_between_timers = false, .drain_between_immediates = false, .check_drains_first = false,
     .await_wraps = true, .following = PromiseFollowing::standard, .rejection_policy = RejectionPolicy::warn, .exception_immediate_ticks = false, .rejection_queues_tick = false, .rejections_as_snapshot = false, .drains_after_main_threw = false,
     .unhandled_error = "Unhandled error. ", .unhandled_error_inspects = true, .exit_code_from_exit_handler = true},
    {.name = "node-11", .major = 11, .version = "11.15.0", .libuv = "1.27.0", .note = "one libuv timer for all; ticks and microtasks between timers and between immediates",
     .loop_order = kFirst, .pending_after_poll = false, .first_timers_if_stopped = true, .poll_looks_first = false, .timers_collected_first = false, .first_poll_wakes = false, .slow_io_limit = true,
     .runs_loop_once = false, .module_runs_in_poll = false, .exit_tells_unsettled = false, .whole_file_requests = false,
     .timer_model = kSingle, .interval_start = IntervalStart::before_callback, .timers_resume_after_throw = true, .emptied_list_closes = false, .fired_timer_loses_ref = true,
     .drain_between_timers = true, .drain_between_immediates = true, .check_drains_first = false,
     .await_wraps = true, .following = PromiseFollowing::standard, .rejection_policy = RejectionPolicy::warn, .exception_immediate_ticks = false, .rejection_queues_tick = false, .rejections_as_snapshot = false, .drains_after_main_threw = false,
     .unhandled_error = "Unhandled error. ", .unhandled_error_inspects = true, .exit_code_from_exit_handler = true},
    {.name = "node-12", .major = 12, .version = "12.22.12", .libuv = "1.40.0", .note = "await costs one microtask again; ES modules",
     .loop_order = kFirst, .pending_after_poll = false, .first_timers_if_stopped = true, .poll_looks_first = true, .timers_collected_first = false, .first_poll_wakes = true, .slow_io_limit = true,
     .runs_loop_once = false, .module_runs_in_poll = true, .exit_tells_unsettled = false, .whole_file_requests = false,
     .timer_model = kSingle, .interval_start = IntervalStart::before_callback, .timers_resume_after_throw = true, .emptied_list_closes = false, .fired_timer_loses_ref = false,
     .drain_between_timers = true, .drain_between_immediates = true, .check_drains_first = true,
     .await_wraps = false, .following = PromiseFollowing::standard, .rejection_policy = RejectionPolicy::warn, .exception_immediate_ticks = false, .rejection_queues_tick = false, .rejections_as_snapshot = false, .drains_after_main_threw = true,
     .unhandled_error = "Unhandled error. ", .unhandled_error_inspects = true, .exit_code_from_exit_handler = true},
    {.name = "node-14", .major = 14, .version = "14.21.3", .libuv = "1.42.0", .note = "top-level await in modules",
     .loop_order = kFirst, .pending_after_poll = false, .first_timers_if_stopped = true, .poll_looks_first = true, .timers_collected_first = false, .first_poll_wakes = true, .slow_io_limit = true,
     .runs_loop_once = false, .module_runs_in_poll = true, .exit_tells_unsettled = false, .whole_file_requests = false,
     .timer_model = kSingle, .interval_start = IntervalStart::before_callback, .timers_resume_after_throw = true, .emptied_list_closes = false, .fired_timer_loses_ref = false,
     .drain_between_timers = true, .drain_between_immediates = true, .check_drains_first = true,
     .await_wraps = false, .following = PromiseFollowing::standard, .rejection_policy = RejectionPolicy::warn, .exception_immediate_ticks = false, .rejection_queues_tick = false, .rejections_as_snapshot = false, .drains_after_main_threw = true,
     .unhandled_error = "Unhandled error. ", .unhandled_error_inspects = true, .exit_code_from_exit_handler = true},
    {.name = "node-16", .major = 16, .version = "16.20.2", .libuv = "1.43.0", .note = "unhandled rejections end the process (since 15)",
     .loop_order = kFirst, .pending_after_poll = false, .first_timers_if_stopped = true, .poll_looks_first = true, .timers_collected_first = false, .first_poll_wakes = false, .slow_io_limit = true,
     .runs_loop_once = false, .module_runs_in_poll = true, .exit_tells_unsettled = false, .whole_file_requests = false,
     .timer_model = kSingle, .interval_start = IntervalStart::before_callback, .timers_resume_after_throw = true, .emptied_list_closes = false, .fired_timer_loses_ref = false,
     .drain_between_timers = true, .drain_between_immediates = true, .check_drains_first = true,
     .await_wraps = false, .following = PromiseFollowing::standard, .rejection_policy = RejectionPolicy::raise, .exception_immediate_ticks = false, .rejection_queues_tick = false, .rejections_as_snapshot = false, .drains_after_main_threw = true,
     .unhandled_error = "Unhandled error. ", .unhandled_error_inspects = true, .exit_code_from_exit_handler = true},
    {.name = "node-18", .major = 18, .version = "18.20.8", .libuv = "1.44.2", .note = "the last one that runs timers first in a turn",
     .loop_order = kFirst, .pending_after_poll = true, .first_timers_if_stopped = true, .poll_looks_first = true, .timers_collected_first = false, .first_poll_wakes = false, .slow_io_limit = true,
     .runs_loop_once = false, .module_runs_in_poll = true, .exit_tells_unsettled = false, .whole_file_requests = false,
     .timer_model = kSingle, .interval_start = IntervalStart::before_callback, .timers_resume_after_throw = true, .emptied_list_closes = false, .fired_timer_loses_ref = false,
     .drain_between_timers = true, .drain_between_immediates = true, .check_drains_first = true,
     .await_wraps = false, .following = PromiseFollowing::standard, .rejection_policy = RejectionPolicy::raise, .exception_immediate_ticks = false, .rejection_queues_tick = false, .rejections_as_snapshot = false, .drains_after_main_threw = true,
     .unhandled_error = "Unhandled error. ", .unhandled_error_inspects = true, .exit_code_from_exit_handler = true},
    {.name = "node-20", .major = 20, .version = "20.20.2", .libuv = "1.46.0", .note = "timers run last in a turn, and once before the first",
     .loop_order = kLast, .pending_after_poll = true, .first_timers_if_stopped = false, .poll_looks_first = true, .timers_collected_first = false, .first_poll_wakes = false, .slow_io_limit = true,
     .runs_loop_once = false, .module_runs_in_poll = true, .exit_tells_unsettled = false, .whole_file_requests = false,
     .timer_model = kSingle, .interval_start = IntervalStart::before_callback, .timers_resume_after_throw = true, .emptied_list_closes = false, .fired_timer_loses_ref = false,
     .drain_between_timers = true, .drain_between_immediates = true, .check_drains_first = true,
     .await_wraps = false, .following = PromiseFollowing::standard, .rejection_policy = RejectionPolicy::raise, .exception_immediate_ticks = false, .rejection_queues_tick = false, .rejections_as_snapshot = true, .drains_after_main_threw = true,
     .unhandled_error = "Unhandled error. ", .unhandled_error_inspects = true, .exit_code_from_exit_handler = true},
    {.name = "node-22", .major = 22, .version = "22.23.3", .libuv = "1.51.0", .note = "as node-20",
     .loop_order = kLast, .pending_after_poll = true, .first_timers_if_stopped = false, .poll_looks_first = true, .timers_collected_first = true, .first_poll_wakes = false, .slow_io_limit = true,
     .runs_loop_once = false, .module_runs_in_poll = false, .exit_tells_unsettled = true, .whole_file_requests = false,
     .timer_model = kSingle, .interval_start = IntervalStart::before_callback, .timers_resume_after_throw = true, .emptied_list_closes = false, .fired_timer_loses_ref = false,
     .drain_between_timers = true, .drain_between_immediates = true, .check_drains_first = true,
     .await_wraps = false, .following = PromiseFollowing::standard, .rejection_policy = RejectionPolicy::raise, .exception_immediate_ticks = false, .rejection_queues_tick = false, .rejections_as_snapshot = true, .drains_after_main_threw = true,
     .unhandled_error = "Unhandled error. ", .unhandled_error_inspects = true, .exit_code_from_exit_handler = true},
    {.name = "node-24", .major = 24, .version = "24.21.0", .libuv = "1.52.1", .note = "as node-20; the default",
     .loop_order = kLast, .pending_after_poll = true, .first_timers_if_stopped = false, .poll_looks_first = true, .timers_collected_first = true, .first_poll_wakes = false, .slow_io_limit = true,
     .runs_loop_once = false, .module_runs_in_poll = false, .exit_tells_unsettled = true, .whole_file_requests = false,
     .timer_model = kSingle, .interval_start = IntervalStart::before_callback, .timers_resume_after_throw = true, .emptied_list_closes = false, .fired_timer_loses_ref = false,
     .drain_between_timers = true, .drain_between_immediates = true, .check_drains_first = true,
     .await_wraps = false, .following = PromiseFollowing::standard, .rejection_policy = RejectionPolicy::raise, .exception_immediate_ticks = false, .rejection_queues_tick = false, .rejections_as_snapshot = true, .drains_after_main_threw = true,
     .unhandled_error = "Unhandled error. ", .unhandled_error_inspects = true, .exit_code_from_exit_handler = true},
    {.name = "node-26", .major = 26, .version = "26.10.0", .libuv = "1.52.1", .note = "as node-24; ticks left by an exception wait for the first immediate",
     .loop_order = kLast, .pending_after_poll = true, .first_timers_if_stopped = false, .poll_looks_first = true, .timers_collected_first = true, .first_poll_wakes = false, .slow_io_limit = true,
     .runs_loop_once = false, .module_runs_in_poll = false, .exit_tells_unsettled = true, .whole_file_requests = true,
     .timer_model = kSingle, .interval_start = IntervalStart::before_callback, .timers_resume_after_throw = true, .emptied_list_closes = false, .fired_timer_loses_ref = false,
     .drain_between_timers = true, .drain_between_immediates = true, .check_drains_first = false,
     .await_wraps = false, .following = PromiseFollowing::standard, .rejection_policy = RejectionPolicy::raise, .exception_immediate_ticks = false, .rejection_queues_tick = false, .rejections_as_snapshot = true, .drains_after_main_threw = true,
     .unhandled_error = "Unhandled error. ", .unhandled_error_inspects = true, .exit_code_from_exit_handler = true},
};

}  // namespace

std::span<const Profile> profiles() { return kProfiles; }

const Profile* find_profile(std::string_view name) {
  const auto found = std::find_if(std::begin(kProfiles), std::end(kProfiles), [name](const Profile& profile) { return profile.name == name; });
  return found == std::end(kProfiles) ? nullptr : found;
}

const Profile& default_profile() { return *find_profile("node-24"); }

}  // namespace loopsim
