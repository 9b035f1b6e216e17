// The versions of Node, oldest first: the oldest in full, and every later one as its changes. Meanings and sources of
// the fields: profile.hpp; the whole matrix: docs/profiles.md.
#include "sim/uv/profiles.hpp"

#include <algorithm>

#include "loopsim/profile.hpp"

namespace loopsim {

namespace {

constexpr Profile kNode4 = {
    .family = Family::node,
    .name = "node-4",
    .major = 4,
    .version = "4.9.1",
    .libuv = uv::k1_9,
    .note = "the oldest one: intervals drift, rejections are silent",
    // the loop
    .poll_looks_first = false,
    .first_poll_wakes = false,
    .first_wake_drains = false,
    // life cycle
    .runs_loop_once = true,
    .module_runs_in_poll = false,
    .module_error_hops = 0,
    .exit_tells_unsettled = false,
    .whole_file_requests = false,
    // timers
    .timer_model = TimerModel::handle_per_list,
    .interval_start = IntervalStart::after_callback,
    .list_rearm = ListRearm::from_pass_start,
    .timers_after_throw = TimersAfterThrow::tick,
    .thrown_unref_timer_closes = false,
    .unref_timer_reads_clock = false,
    .list_is_handle = true,
    .emptied_list_closes = false,
    .fired_timer_loses_ref = false,
    .drain_between_timers = false,
    .clear_ends_fired_timer = false,
    .long_delay_warns = false,
    .odd_delay_warns = false,
    .refresh_reads_clock = false,
    // immediates
    .drain_between_immediates = false,
    .immediates_after_throw = ImmediatesAfterThrow::tick,
    .lost_immediates = LostImmediates::none,
    .immediates_have_ref = false,
    .cleared_immediate_turns = false,
    .check_drains_first = false,
    // child processes and signals
    .child_tells_spawn = false,
    .signal_gives_its_name = false,
    // network
    .listen_error_explains = false,
    // sockets
    .gone_write_succeeds = false,
    .writev_is_late = true,
    .high_water_mark = 16384,
    .readable_generation = ReadableGeneration::at_once,
    .eof_tells_once = false,
    .data_needs_listener = false,
    .destroyed_reads_nothing = false,
    .error_reads_nothing = false,
    .end_after_error = EndAfterError::yes,
    .failed_write_destroys = true,
    .keeps_error = false,
    .write_error = WriteError::at_once,
    .error_fails_writes = false,
    .no_data_after_error = false,
    .drain_unless_ended = false,
    .writes_share_tick = false,
    .write_skips_tick = false,
    .written_needs_no_drain = false,
    .callbacks_get_null = false,
    .destroy_fails_writes = false,
    .write_buffer = WriteBuffer::list,
    .destroyed_skips_final = false,
    .errors_have_codes = false,
    .write_after_end = WriteAfterEnd::at_once,
    .ending_refuses_writes = false,
    .destroyed_write = DestroyedWrite::tried,
    .final_call = FinalCall::on_finish,
    .finish_event = FinishEvent::at_once,
    .end_callback = EndCallback::finish_listener,
    .end_tells_error = false,
    .end_gives_error = false,
    .end_writes_by_itself = false,
    .not_running_text = "Not running",
    .closed_socket_text = "This socket is closed.",
    .closed_write_destroys = true,
    .sides_are_computed = false,
    .tells_ready = false,
    .end_reads = true,
    .close_fails_write = false,
    .connect_keeps_ended = false,
    .auto_destroy = false,
    .final_waits_if_gone = false,
    .write_after_fin = WriteAfterFin::emits,
    .socket_end = SocketEnd::socket_end_event,
    // promises, exceptions
    .await_wraps = false,
    .following = PromiseFollowing::stores,
    .rejection_policy = RejectionPolicy::silent,
    .exception_has_origin = false,
    .exception_immediate_ticks = true,
    .double_resolve_ticks = false,
    .rejection_queues_tick = true,
    .rejections_before_ticks = true,
    .rejections_until_none = true,
    .late_handlers_tick = true,
    .late_handlers_warn = false,
    .failed_tick_is_done = true,
    .rejections_as_snapshot = false,
    .handler_hides_rejections = false,
    .queue_microtask_warns = false,
    .late_handlers_drain = false,
    .drains_after_main_threw = false,
    .unhandled_error = "Uncaught, unspecified \"error\" event. ",
    .unhandled_error_text = TextShown::plain,
    .promises_have_tag = false,
    .property_error_reading = false,
    .clear_text_error = "Cannot assign to read only property '_onTimeout' of {}",
    .code_after_exception = CodeAfterException::one,
    .exit_code_checked = false,
    .exit_takes_any_code = false,
    .before_exit_gives_int32 = false,
    .exit_gives_int32 = false,
    .unset_exit_code_is_kept = false,
    .browser = {},
};

constexpr Profile kNode6 = [] {
  Profile p = kNode4;
  p.name = "node-6";
  p.major = 6;
  p.version = "6.17.1";
  p.libuv = uv::k1_16;
  p.failed_tick_is_done = false;
  p.clear_text_error = "Cannot create property '_onTimeout' on string '{}'";
  p.note = "unhandled rejections are warned about";
  p.list_rearm = ListRearm::may_be_zero;
  p.timers_after_throw = TimersAfterThrow::list_ticks;
  p.following = PromiseFollowing::standard;
  p.rejection_policy = RejectionPolicy::warn;
  p.list_is_handle = false;
  p.promises_have_tag = true;
  p.closed_socket_text = "This socket is closed";
  p.late_handlers_warn = true;
  p.lost_immediates = LostImmediates::forgotten;
  return p;
}();

constexpr Profile kNode8 = [] {
  Profile p = kNode6;
  p.name = "node-8";
  p.major = 8;
  p.version = "8.17.0";
  p.libuv = uv::k1_23;
  p.note = "async functions; a settled promise is adopted at once";
  p.cleared_immediate_turns = true;
  p.first_poll_wakes = true;
  p.runs_loop_once = false;
  p.signal_gives_its_name = true;
  p.emptied_list_closes = true;
  p.await_wraps = true;
  p.following = PromiseFollowing::adopts_settled;
  p.unhandled_error = "Unhandled \"error\" event. ";
  p.lost_immediates = LostImmediates::still_counted;
  p.writev_is_late = false;
  p.final_call = FinalCall::tick;
  p.write_error = WriteError::finish_follows;
  p.tells_ready = true;
  p.end_reads = false;
  return p;
}();

constexpr Profile kNode10 = [] {
  Profile p = kNode8;
  p.name = "node-10";
  p.major = 10;
  p.version = "10.24.1";
  p.libuv = uv::k1_34;
  p.note = "await costs three microtasks; intervals count from their start";
  p.cleared_immediate_turns = false;
  p.first_poll_wakes = false;
  p.interval_start = IntervalStart::before_callback;
  p.list_rearm = ListRearm::at_least_one;
  p.timers_after_throw = TimersAfterThrow::at_once;
  p.thrown_unref_timer_closes = true;
  p.unref_timer_reads_clock = true;
  p.immediates_after_throw = ImmediatesAfterThrow::rest;
  p.long_delay_warns = true;
  p.emptied_list_closes = false;
  p.following = PromiseFollowing::standard;
  p.exception_has_origin = true;
  p.exception_immediate_ticks = false;
  p.double_resolve_ticks = true;
  p.rejection_queues_tick = false;
  p.rejections_before_ticks = false;
  p.rejections_until_none = false;
  p.late_handlers_tick = false;
  p.unhandled_error = "Unhandled error. ";
  p.unhandled_error_text = TextShown::single_quotes;
  p.clear_text_error = "";
  p.code_after_exception = CodeAfterException::int32_set;
  p.listen_error_explains = true;
  p.immediates_have_ref = true;
  p.lost_immediates = LostImmediates::none;
  p.readable_generation = ReadableGeneration::on_tick;
  p.eof_tells_once = true;
  p.errors_have_codes = true;
  p.ending_refuses_writes = true;
  p.destroyed_skips_final = true;
  p.not_running_text = "Server is not running.";
  p.closed_socket_text = "Socket is closed";
  p.destroyed_write = DestroyedWrite::fails;
  p.final_waits_if_gone = true;
  p.connect_keeps_ended = true;
  p.socket_end = SocketEnd::maybe_destroy;
  return p;
}();

constexpr Profile kNode11 = [] {
  Profile p = kNode10;
  p.name = "node-11";
  p.exception_has_origin = false;
  p.major = 11;
  p.version = "11.15.0";
  p.libuv = uv::k1_27;
  p.note = "one libuv timer for all; ticks and microtasks between timers and between immediates";
  p.timer_model = TimerModel::single_handle;
  p.fired_timer_loses_ref = true;
  p.drain_between_timers = true;
  p.clear_ends_fired_timer = true;
  p.refresh_reads_clock = true;
  p.drain_between_immediates = true;
  p.immediates_after_throw = ImmediatesAfterThrow::all;
  p.handler_hides_rejections = true;
  p.queue_microtask_warns = true;
  p.eof_tells_once = false;
  p.gone_write_succeeds = true;
  p.unhandled_error_text = TextShown::fitting_quotes;
  return p;
}();

constexpr Profile kNode12 = [] {
  Profile p = kNode11;
  p.module_error_hops = 1;
  p.name = "node-12";
  p.exception_has_origin = true;
  p.major = 12;
  p.version = "12.22.12";
  p.libuv = uv::k1_40;
  p.note = "await costs one microtask again; ES modules";
  p.poll_looks_first = true;
  p.first_poll_wakes = true;
  p.module_runs_in_poll = true;
  p.fired_timer_loses_ref = false;
  p.check_drains_first = true;
  p.await_wraps = false;
  p.drains_after_main_threw = true;
  p.late_handlers_drain = true;
  p.handler_hides_rejections = false;
  p.queue_microtask_warns = false;
  p.clear_ends_fired_timer = false;
  p.refresh_reads_clock = false;
  p.data_needs_listener = true;
  p.destroyed_reads_nothing = true;
  p.drain_unless_ended = true;
  p.writes_share_tick = true;
  p.write_after_fin = WriteAfterFin::ticks;
  p.socket_end = SocketEnd::own_side;
  p.closed_write_destroys = false;
  p.gone_write_succeeds = false;
  return p;
}();

constexpr Profile kNode14 = [] {
  Profile p = kNode12;
  p.module_error_hops = 2;
  p.name = "node-14";
  p.major = 14;
  p.version = "14.21.3";
  p.libuv = uv::k1_42;
  p.first_wake_drains = true;
  p.child_tells_spawn = true;
  p.note = "top-level await in modules";
  p.end_after_error = EndAfterError::unless_told;
  p.keeps_error = true;
  p.write_error = WriteError::after_callbacks;
  p.write_buffer = WriteBuffer::array;
  p.write_after_end = WriteAfterEnd::after_callback;
  p.end_tells_error = true;
  p.sides_are_computed = true;
  p.destroyed_write = DestroyedWrite::refused;
  p.finish_event = FinishEvent::counted;
  p.end_callback = EndCallback::error_listener;
  p.unhandled_error_text = TextShown::hex_escapes;
  return p;
}();

constexpr Profile kNode16 = [] {
  Profile p = kNode14;
  p.module_error_hops = 7;
  p.name = "node-16";
  p.major = 16;
  p.version = "16.20.2";
  p.libuv = uv::k1_43;
  p.note = "unhandled rejections end the process (since 15)";
  p.first_wake_drains = false;
  p.first_poll_wakes = false;
  p.rejection_policy = RejectionPolicy::raise;
  p.property_error_reading = true;
  p.error_reads_nothing = true;
  p.failed_write_destroys = false;
  p.final_call = FinalCall::at_once;
  p.finish_event = FinishEvent::rechecked;
  p.end_callback = EndCallback::list;
  p.end_writes_by_itself = true;
  p.auto_destroy = true;
  p.write_after_fin = WriteAfterFin::destroys;
  p.socket_end = SocketEnd::stream;
  return p;
}();

constexpr Profile kNode18 = [] {
  Profile p = kNode16;
  p.module_error_hops = 2;
  p.name = "node-18";
  p.major = 18;
  p.version = "18.20.8";
  p.libuv = uv::k1_44;
  p.note = "the last one that runs timers first in a turn";
  p.end_after_error = EndAfterError::no;
  p.error_fails_writes = true;
  p.no_data_after_error = true;
  p.finish_event = FinishEvent::on_tick;
  p.close_fails_write = true;
  return p;
}();

constexpr Profile kNode20 = [] {
  Profile p = kNode18;
  p.name = "node-20";
  p.major = 20;
  p.version = "20.20.2";
  p.libuv = uv::k1_46;
  p.note = "timers run last in a turn, and once before the first";
  p.exit_code_checked = true;
  p.code_after_exception = CodeAfterException::any;
  p.exit_takes_any_code = true;
  p.before_exit_gives_int32 = true;
  p.rejections_as_snapshot = true;
  p.write_skips_tick = true;
  p.written_needs_no_drain = true;
  p.callbacks_get_null = true;
  p.readable_generation = ReadableGeneration::flags;
  p.end_gives_error = true;
  p.destroy_fails_writes = true;
  p.double_resolve_ticks = false;
  return p;
}();

constexpr Profile kNode22 = [] {
  Profile p = kNode20;
  p.module_error_hops = 3;
  p.name = "node-22";
  p.major = 22;
  p.version = "22.23.3";
  p.libuv = uv::k1_51;
  p.note = "due timers are collected before the first runs; ES modules run before the loop";
  p.module_runs_in_poll = false;
  p.exit_tells_unsettled = true;
  p.exit_gives_int32 = true;
  p.unset_exit_code_is_kept = true;
  p.high_water_mark = 65536;
  p.final_waits_if_gone = false;
  return p;
}();

constexpr Profile kNode24 = [] {
  Profile p = kNode22;
  p.name = "node-24";
  p.major = 24;
  p.version = "24.21.0";
  p.libuv = uv::k1_52;
  p.note = "as node-22";
  p.odd_delay_warns = true;
  return p;
}();

constexpr Profile kNode26 = [] {
  Profile p = kNode24;
  p.name = "node-26";
  p.major = 26;
  p.version = "26.10.0";
  p.note = "readFile and writeFile are one request; ticks left by an exception wait for the first immediate";
  p.whole_file_requests = true;
  p.check_drains_first = false;
  return p;
}();

constexpr Profile kProfiles[] = {kNode4,  kNode6,  kNode8,  kNode10, kNode11, kNode12, kNode14,
                                 kNode16, kNode18, kNode20, kNode22, kNode24, kNode26};

constexpr Profile libuv_runtime(std::string_view name, int minor, const LibuvProfile& libuv, std::string_view note) {
  Profile p = kNode26;
  p.family = Family::libuv;
  p.name = name;
  p.major = minor;
  p.version = libuv.version;
  p.libuv = libuv;
  p.note = note;
  // Node's own settings of the loop.
  p.poll_looks_first = false;
  p.first_poll_wakes = false;
  return p;
}

// The versions in the binaries of Node.
constexpr Profile kLibuvRuntimes[] = {
    libuv_runtime("libuv-1.9", 9, uv::k1_9, "in node-4: timers are the first phase of a turn"),
    libuv_runtime("libuv-1.16", 16, uv::k1_16, "in node-6"),
    libuv_runtime("libuv-1.23", 23, uv::k1_23, "in node-8: slow requests have at most half of the pool's threads"),
    libuv_runtime("libuv-1.27", 27, uv::k1_27, "in node-11"),
    libuv_runtime("libuv-1.34", 34, uv::k1_34, "in node-10: a failed write is told at once"),
    libuv_runtime("libuv-1.40", 40, uv::k1_40, "in node-12"),
    libuv_runtime("libuv-1.42", 42, uv::k1_42, "in node-14: pending callbacks keep the loop alive"),
    libuv_runtime("libuv-1.43", 43, uv::k1_43, "in node-16"),
    libuv_runtime("libuv-1.44", 44, uv::k1_44, "in node-18: pending callbacks run again behind poll"),
    libuv_runtime("libuv-1.46", 46, uv::k1_46, "in node-20: timers are the last phase of a turn"),
    libuv_runtime("libuv-1.51", 51, uv::k1_51, "in node-22: due timers are collected before the first of them runs"),
    libuv_runtime("libuv-1.52", 52, uv::k1_52, "in node-24 and node-26"),
};

constexpr Profile browser(std::string_view name, int major, std::string_view version, const BrowserProfile& browser,
                          std::string_view note) {
  Profile p = kNode26;
  p.family = Family::browser;
  p.name = name;
  p.major = major;
  p.version = version;
  p.libuv = {};
  p.note = note;
  p.browser = browser;
  return p;
}

constexpr Profile kBrowsers[] = {
    browser("chrome-72", 72, "72", {.least_timeout = 1, .await_wraps = true}, "await takes three microtasks"),
    browser("chrome-73", 73, "73", {.least_timeout = 1}, "await takes one microtask"),
    browser("chrome", 156, "156.0.8078.108", {.flexible_from = 32, .leeway = 8}, "a timer of 0 ms has no delay"),
    browser("firefox", 153, "153.7.0",
            {.unclamped_levels = 3, .interval_grid = IntervalGrid::from_call, .delayed_tasks = DelayedTasks::when_due},
            "timers are clamped earlier, intervals count from their callbacks"),
};
// Processes without any of this.
constexpr Profile kIoRuntimes[] = {[] {
  Profile p = libuv_runtime("io", 0, uv::k1_52, "models of I/O: a process and its kernel");
  p.family = Family::io;
  p.version = "";
  p.libuv.version = "";
  return p;
}()};

}  // namespace

std::span<const Profile> profiles() { return kProfiles; }

std::span<const Profile> browsers() { return kBrowsers; }

std::span<const Profile> libuv_runtimes() { return kLibuvRuntimes; }

std::span<const Profile> io_runtimes() { return kIoRuntimes; }

std::span<const Profile> runtimes_of(Family family) {
  switch (family) {
    case Family::libuv: return libuv_runtimes();
    case Family::browser: return browsers();
    case Family::io: return io_runtimes();
    default: return profiles();
  }
}

const Profile* find_profile(std::string_view name) {
  for (const std::span<const Profile> family : {profiles(), libuv_runtimes(), browsers(), io_runtimes()}) {
    const auto found = std::ranges::find(family, name, &Profile::name);
    if (found != family.end()) return &*found;
  }
  return nullptr;
}

const Profile& default_profile() { return kNode24; }

}  // namespace loopsim
