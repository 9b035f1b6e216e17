// A run of a program for trace viewers, in either form of viewer_form.hpp (docs/formats.md).
//
// One process, the scenario; its tracks are "threads" of that process. On every track events are in the order in which they
// happened.
//
// Trace events that Node itself writes (--trace-event-categories) have Node's categories and names, as far as the trace
// contains them: node.async_hooks (async_wrap.cc), node.environment (env.cc), node.bootstrap (node_perf.cc),
// node.fs.async (node_file.cc), node.dns.native (cares_wrap.cc) and node.threadpoolwork.sync (threadpoolwork-inl.h).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/version.hpp"
#include "loopsim/writers.hpp"

#include "sim/trace/by_runtime.hpp"
#include "sim/trace/io_perfetto.hpp"
#include "sim/trace/text_words.hpp"
#include "sim/trace/viewer_form.hpp"

namespace loopsim {
namespace {

// Tracks in display order; the threads of the pool have the numbers from kPool on.
enum Track : int { kLoop = 1, kCallbacks, kConsole, kCpu, kOutside, kSockets, kPool };
constexpr std::array<std::string_view, kPool> kTrackNames = {"",    "event loop", "callbacks", "console",
                                                             "CPU", "outside",    "sockets"};

constexpr std::string_view kAsyncHooks = "node,node.async_hooks";
constexpr std::string_view kEnvironment = "node,node.environment";
constexpr std::string_view kBootstrap = "node,node.bootstrap";

// Node's async_hooks type for it; empty: none.
std::string_view node_type(Api api) {
  switch (api) {
    case Api::set_timeout:
    case Api::set_interval: return "Timeout";
    case Api::set_immediate: return "Immediate";
    case Api::next_tick: return "TickObject";
    case Api::queue_microtask: return "Microtask";
    case Api::then:
    case Api::catch_:
    case Api::finally_:
    case Api::await: return "PROMISE";
    case Api::fs: return "FSREQCALLBACK";
    case Api::dns: return "GETADDRINFOREQWRAP";
    case Api::crypto: return "PBKDF2REQUEST";
    case Api::zlib: return "ZLIB";
    case Api::connect: return "TCPCONNECTWRAP";
    case Api::spawn: return "PROCESSWRAP";
    default: return {};
  }
}

std::string_view request_category(Api api) {
  switch (api) {
    case Api::fs: return "node,node.fs,node.fs.async";
    case Api::dns: return "node,node.dns,node.dns.native";
    case Api::crypto:
    case Api::zlib: return "node,node.threadpoolwork,node.threadpoolwork.sync";
    default: return "loopsim.request";
  }
}

// Node's name for its own part of a phase.
std::string_view node_phase(Phase phase) {
  switch (phase) {
    case Phase::timers: return "RunTimers";
    case Phase::check: return "CheckImmediate";
    case Phase::before_exit: return "BeforeExit";
    default: return {};
  }
}

// Queues whose length is known from the trace, as series of one counter.
enum class Queue : std::size_t { timers, immediates, ticks, microtasks, requests, none };
constexpr std::array<std::string_view, 5> kQueueNames = {"timers", "immediates", "ticks", "microtasks", "requests"};

Queue queue_of(Api api) {
  switch (traits(api).waits_in) {
    case WaitsIn::timers: return Queue::timers;
    case WaitsIn::immediates: return Queue::immediates;
    case WaitsIn::ticks: return Queue::ticks;
    case WaitsIn::microtasks: return Queue::microtasks;
    case WaitsIn::requests: return Queue::requests;
    case WaitsIn::tasks:
    case WaitsIn::frames:
    case WaitsIn::idles:
    case WaitsIn::streams:
    case WaitsIn::handles:
    case WaitsIn::loop:
    case WaitsIn::nothing: break;
  }
  return Queue::none;
}

constexpr std::string_view kSpreadMark = " - widths are not time";
constexpr std::string_view kSpreadNote =
    "not time: whatever takes none on the loop's thread is shown 1 us wide, and what follows that much later; the "
    "arguments at_ms and until_ms are the times of the run";

constexpr TimeNs kShownWidth = kMicrosecond;  // of what takes no time, in a spread trace

// A time of the run, and where the trace shows it.
struct Moment {
  TimeNs time = 0;
  TimeNs shown = 0;
};

// Where a trace shows the times of a run. Spread, callbacks that take no time get a width, and what follows moves.
class Axis {
 public:
  explicit Axis(bool is_spread) : is_spread_(is_spread) {}

  [[nodiscard]] bool is_spread() const { return is_spread_; }

  // On the loop's thread, after all that has been widened: `time` is not before the last widening.
  [[nodiscard]] Moment now(TimeNs time) const { return {time, time + added_}; }
  // Elsewhere, where `time` may be past: the begin of an interval, after all that happened at that time, and its end,
  // or an instant, before all of it.
  [[nodiscard]] Moment from(TimeNs time) const { return {time, time + added_until(time + 1)}; }
  [[nodiscard]] Moment until(TimeNs time) const { return {time, time + added_until(time)}; }

  // Moves what follows on the loop's thread.
  void widen(TimeNs time, TimeNs width = kShownWidth) {
    if (!is_spread_) return;
    added_ += width;
    if (widened_.empty() || widened_.back().time < time)
      widened_.push_back({time, added_});
    else
      widened_.back().shown = added_;
  }

 private:
  // The width that has been added before a time.
  [[nodiscard]] TimeNs added_until(TimeNs time) const {
    const auto after = std::ranges::lower_bound(widened_, time, {}, &Moment::time);
    return after == widened_.begin() ? 0 : std::prev(after)->shown;
  }

  bool is_spread_;
  TimeNs added_ = 0;
  std::vector<Moment> widened_;  // times, each with the width that has been added by its end
};

class PerfettoWriter final : public TraceSink {
 public:
  PerfettoWriter(ByteOutput& output, const PerfettoOptions& options)
      : form_(make_viewer_form(output, options.form)), axis_(options.spread) {}

  void begin(const RunInfo& info) override;
  void events(const EventBatch& batch) override;
  void end(const RunSummary& summary) override;

 private:
  struct Slice {
    std::string name;
    TimeNs shown;  // its begin
  };
  // A callback that is scheduled and has not begun.
  struct Asked {
    Api api = Api::none;
    std::string name;
    bool has_arrow = false;
  };

  // A time in which the process did not run, or had no core.
  struct HeldUp {
    std::string words;
    TimeNs from = 0;
    TimeNs to = 0;
  };

  void tell(const Event& event, std::string_view text);

  // ---- what is written
  void open(int track, Moment at, std::string_view category, std::string_view name, ViewerArgs args = {});
  void close(int track, Moment at);
  void close_all(int track, Moment at);
  void instant(int track, Moment at, std::string_view category, std::string_view name);
  void begin_interval(Moment at, std::string_view category, std::string_view name, std::string_view id,
                      std::string_view rows, ViewerArgs args = {});
  void end_interval(Moment at, std::string_view category, std::string_view name, std::string_view id);
  [[nodiscard]] ViewerArgs with_time(ViewerArgs args, std::string_view key, TimeNs time) const;
  std::vector<Slice>& open_on(int track);

  // ---- events
  void report_phase(const Event& event);
  void open_phase(Phase phase, TimeNs time, ViewerArgs args = {});
  void close_phase(TimeNs time);
  void open_entered_poll();
  void report_poll(const Event& event);
  void report_ready(const Event& event, std::string_view op);
  void report_schedule(const Event& event, std::string_view op);
  void report_cancel(const Event& event);
  void report_callback(const Event& event, std::string_view op);
  void report_answer(const Event& event, std::string_view client);
  void report_exception(const Event& event, std::string_view text);
  void report_step(const Event& event, std::string_view text);
  void report_cpu(TimeNs from, TimeNs to);
  void report_ran();
  void report_never_run(TimeNs time);
  void begin_arrow(Moment at, std::uint64_t id);
  void end_arrow(Moment at, std::uint64_t id);
  void count(Api api, int by, TimeNs time);
  void put_counter();

  [[nodiscard]] std::string name_of(const Event& event) const {
    const std::string name = labels_.named(event.name);
    return name.empty() ? std::string(to_string(event.api)) : name;
  }

  std::unique_ptr<ViewerForm> form_;
  Axis axis_;
  Labels labels_;                           // only for names; learn() is never called, so it stays small
  std::vector<std::vector<Slice>> tracks_;  // what is open on each
  std::map<std::uint64_t, Asked> asked_;    // by callback
  std::vector<HeldUp> held_up_;             // since the last report_cpu()
  TimeNs ran_from_ = 0;                     // the last run of JavaScript, not yet written
  TimeNs ran_to_ = 0;
  Phase phase_ = Phase::main;
  bool in_phase_ = false;
  std::optional<TimeNs> entered_poll_;  // the loop is in poll, whose slice is not open yet
  bool has_polled_ = false;             // the open phase is a poll whose event has been reported
  std::uint64_t responses_ = 0;
  std::array<std::int64_t, kQueueNames.size()> waiting_{};
  bool counter_changed_ = false;
  Moment counter_at_;
};

// ---- what is written -------------------------------------------------------------------------------------------------------------

ViewerTrack place_of(int track) { return {1, static_cast<std::uint64_t>(track)}; }

std::vector<PerfettoWriter::Slice>& PerfettoWriter::open_on(int track) {
  const auto index = static_cast<std::size_t>(track);
  while (tracks_.size() <= index) {
    const auto added = static_cast<int>(tracks_.size());
    tracks_.emplace_back();
    if (added < kPool) continue;
    form_->name_track(place_of(added), fmt::format("pool thread {}", added - kPool), static_cast<std::uint64_t>(added));
  }
  return tracks_[index];
}

// The arguments, in a spread trace with the time.
ViewerArgs PerfettoWriter::with_time(ViewerArgs args, std::string_view key, TimeNs time) const {
  if (axis_.is_spread()) args.text(key, ms_text(time));
  return args;
}

void PerfettoWriter::open(int track, Moment at, std::string_view category, std::string_view name, ViewerArgs args) {
  open_on(track).push_back({std::string(name), at.shown});
  form_->open(place_of(track), at.shown, category, name, with_time(std::move(args), "at_ms", at.time));
}

// In a spread trace every slice of the loop's thread has the least width.
void PerfettoWriter::close(int track, Moment at) {
  std::vector<Slice>& slices = open_on(track);
  if (slices.empty()) return;
  const Slice slice = std::move(slices.back());
  slices.pop_back();
  const TimeNs lacking = slice.shown + kShownWidth - at.shown;
  if (axis_.is_spread() && (track == kLoop || track == kCallbacks) && lacking > 0) {
    axis_.widen(at.time, lacking);
    at = axis_.now(at.time);
  }
  form_->close(place_of(track), at.shown, slice.name, with_time({}, "until_ms", at.time));
}

void PerfettoWriter::close_all(int track, Moment at) {
  while (!open_on(track).empty()) close(track, axis_.now(at.time));
}

void PerfettoWriter::instant(int track, Moment at, std::string_view category, std::string_view name) {
  form_->instant(place_of(track), at.shown, category, name, with_time({}, "at_ms", at.time));
}

void PerfettoWriter::begin_interval(Moment at, std::string_view category, std::string_view name, std::string_view id,
                                    std::string_view rows, ViewerArgs args) {
  form_->begin_interval(place_of(kCallbacks), at.shown, category, name, id, rows,
                        with_time(std::move(args), "at_ms", at.time));
}

void PerfettoWriter::end_interval(Moment at, std::string_view category, std::string_view name, std::string_view id) {
  form_->end_interval(place_of(kCallbacks), at.shown, category, name, id, with_time({}, "until_ms", at.time));
}

// ---- the run ---------------------------------------------------------------------------------------------------------------------

void PerfettoWriter::begin(const RunInfo& info) {
  labels_.begin(info, Language::english);
  form_->begin({.facts = {{"program", fmt::format("loopsim {}", info.program.empty() ? kVersion : info.program)},
                          {"scenario", std::string(info.title)},
                          {"runtime", std::string(info.runtime)},
                          {"libuv", std::string(info.libuv)},
                          {"machine", std::string(info.machine)},
                          // A string: viewers represent integers exactly only up to 2^53.
                          {"seed", std::to_string(info.seed)}},
                .params = info.params,
                .widths = axis_.is_spread() ? kSpreadNote : std::string_view()});
  form_->name_process(place_of(kLoop), fmt::format("{} ({}){}", info.title.empty() ? "loopsim" : info.title,
                                                   info.runtime, axis_.is_spread() ? kSpreadMark : ""));
  tracks_.resize(kPool);
  for (int track = kLoop; track < kPool; ++track) {
    const auto number = static_cast<std::size_t>(track);
    form_->name_track(place_of(track), kTrackNames[number], number);
  }
}

void PerfettoWriter::events(const EventBatch& batch) {
  labels_.add_names(batch.new_names);
  for (const Event& event : batch.events) tell(event, batch.text_of(event));
}

void PerfettoWriter::end(const RunSummary& summary) {
  report_cpu(summary.end_time, summary.end_time);
  report_ran();
  close_phase(summary.end_time);
  close_all(kLoop, axis_.now(summary.end_time));
  close_all(kCallbacks, axis_.now(summary.end_time));
  report_never_run(summary.end_time);
  if (counter_changed_) put_counter();
  form_->end();
}

void PerfettoWriter::tell(const Event& event, std::string_view text) {
  if (is_about_queues(event)) return;
  if (counter_changed_ && event.time > counter_at_.time) put_counter();
  report_phase(event);
  if (event.kind != EventKind::burn && event.kind != EventKind::stall) report_cpu(event.time, event.time);
  switch (event.kind) {
    case EventKind::turn:
    case EventKind::enqueue:
    case EventKind::dequeue:
    case EventKind::work_begin:
    case EventKind::work_end:
    case EventKind::phase_enter:
    case EventKind::phase_exit: break;  // see report_phase()
    case EventKind::poll: report_poll(event); break;
    case EventKind::ready: report_ready(event, text); break;
    case EventKind::schedule: report_schedule(event, text); break;
    case EventKind::cancel: report_cancel(event); break;
    case EventKind::ref: instant(kCallbacks, axis_.now(event.time), "loopsim.handle", "ref " + name_of(event)); break;
    case EventKind::unref:
      instant(kCallbacks, axis_.now(event.time), "loopsim.handle", "unref " + name_of(event));
      break;
    case EventKind::callback_begin: report_callback(event, text); break;
    case EventKind::callback_end:
      close(kCallbacks, axis_.now(event.time));
      if (const std::string_view type = node_type(event.api); !type.empty()) {
        const std::string id = fmt::format("{:#x}", event.id);
        end_interval(axis_.now(event.time), kAsyncHooks, fmt::format("{}_CALLBACK", type), id);
        end_interval(axis_.now(event.time), kAsyncHooks, type, id);
      }
      break;
    case EventKind::drain_begin:
      open(kCallbacks, axis_.now(event.time), "loopsim.queues", "ticks and microtasks",
           ViewerArgs().integer("ticks", event.a).integer("microtasks", event.b));
      axis_.widen(event.time);
      break;
    case EventKind::drain_end: close(kCallbacks, axis_.now(event.time)); break;
    case EventKind::log: instant(kConsole, axis_.now(event.time), "loopsim.stdout", text); break;
    case EventKind::error_log: instant(kConsole, axis_.now(event.time), "loopsim.stderr", text); break;
    case EventKind::burn:
      report_cpu(event.b, event.time);
      open(kCallbacks, axis_.now(event.b), "loopsim.cpu",
           static_cast<BurnKind>(event.detail) == BurnKind::spin ? "spin" : "cpu",
           ViewerArgs().text("asked_ms", ms_text(event.a)));
      close(kCallbacks, axis_.now(event.time));
      break;
    case EventKind::receive:
      instant(kSockets, axis_.now(event.time), "loopsim.net", receive_words(event, text, labels_));
      break;
    case EventKind::settle:
      instant(kCallbacks, axis_.now(event.time), "loopsim.promise",
              fmt::format("promise {} is {}", labels_.named(event.name),
                          static_cast<Settlement>(event.detail) == Settlement::fulfilled ? "fulfilled" : "rejected"));
      break;
    case EventKind::throw_:
    case EventKind::caught:
    case EventKind::uncaught:
    case EventKind::rejection:
    case EventKind::rejection_handled: report_exception(event, text); break;
    case EventKind::input: instant(kOutside, axis_.until(event.a), "loopsim.outside", text); break;
    case EventKind::loop_delay:
      instant(kLoop, axis_.now(event.time), "loopsim.delay", loop_delay_words(event, Language::english));
      break;
    case EventKind::answer: report_answer(event, text); break;
    case EventKind::stall:
      held_up_.push_back({stall_words(event, Language::english), event.a, event.a + event.b});
      break;
    case EventKind::limit: instant(kLoop, axis_.now(event.time), "loopsim.run", limit_words(event)); break;
    case EventKind::exit:
      close_phase(event.time);
      if (static_cast<ExitReason>(event.detail) == ExitReason::loop_empty)
        instant(kLoop, axis_.now(event.time), kBootstrap, "loopExit");
      instant(kLoop, axis_.now(event.time), "loopsim.run", exit_words(event));
      break;
    default: report_step(event, text); break;  // is_step()
  }
}

void PerfettoWriter::report_exception(const Event& event, std::string_view text) {
  std::string words;
  switch (event.kind) {
    case EventKind::throw_: words = fmt::format("throws {}", text); break;
    case EventKind::caught: words = caught_words(event, text, Language::english); break;
    case EventKind::uncaught: words = fmt::format("uncaught: {}", text); break;
    case EventKind::rejection: words = fmt::format("unhandled rejection: {}", text); break;
    default: words = fmt::format("rejection handled after all: {}", text); break;
  }
  instant(kCallbacks, axis_.now(event.time), "loopsim.exception", words);
}

void PerfettoWriter::report_step(const Event& event, std::string_view text) {
  const std::string words = step_words(event, text, labels_);
  if (!words.empty()) instant(kCallbacks, axis_.now(event.time), "loopsim.step", words);
}

// ---- phases ----------------------------------------------------------------------------------------------------------------------

// The main script and the phases after the loop have no phase events: their first event opens them.
void PerfettoWriter::report_phase(const Event& event) {
  const TimeNs time = event.time;
  switch (event.kind) {
    case EventKind::turn:
      entered_poll_.reset();
      close_phase(time);
      close_all(kLoop, axis_.now(time));
      if (event.turn == 1) instant(kLoop, axis_.now(time), kBootstrap, "loopStart");
      open(kLoop, axis_.now(time), "loopsim.turn", fmt::format("turn {}", event.turn));
      return;
    case EventKind::phase_enter:
      // The poll event came first and has opened the slice.
      if (has_polled_ && event.phase == Phase::poll) return;
      close_phase(time);
      if (event.phase == Phase::poll) {
        entered_poll_ = time;
        return;
      }
      open_phase(event.phase, time);
      return;
    case EventKind::phase_exit:
      open_entered_poll();
      close_phase(time);
      return;
    case EventKind::poll:
    case EventKind::exit:
    case EventKind::limit:
    case EventKind::input:
    case EventKind::answer:
    case EventKind::stall: return;
    default: open_entered_poll(); break;
  }
  const bool is_outside_loop =
      event.phase == Phase::main || event.phase == Phase::before_exit || event.phase == Phase::exit;
  if (!is_outside_loop || (in_phase_ && phase_ == event.phase)) return;
  close_phase(time);
  close_all(kLoop, axis_.now(time));
  if (event.phase == Phase::main && event.turn == 0) instant(kLoop, axis_.now(time), kBootstrap, "bootstrapComplete");
  open_phase(event.phase, time);
}

void PerfettoWriter::open_phase(Phase phase, TimeNs time, ViewerArgs args) {
  open(kLoop, axis_.now(time), "loopsim.phase", to_string(phase), std::move(args));
  if (const std::string_view node = node_phase(phase); !node.empty()) open(kLoop, axis_.now(time), kEnvironment, node);
  phase_ = phase;
  in_phase_ = true;
}

void PerfettoWriter::close_phase(TimeNs time) {
  if (!in_phase_) return;
  if (!node_phase(phase_).empty()) close(kLoop, axis_.now(time));
  close(kLoop, axis_.now(time));
  in_phase_ = false;
  has_polled_ = false;
}

// A poll that has been entered begins where its poll event says. What comes in before that event, from outside and of the
// CPU, does not open its slice; anything else does.
void PerfettoWriter::open_entered_poll() {
  if (entered_poll_) open_phase(Phase::poll, *std::exchange(entered_poll_, std::nullopt));
}

void PerfettoWriter::report_poll(const Event& event) {
  entered_poll_.reset();
  const TimeNs begin = event.time - event.b;
  close_phase(begin);
  open_phase(Phase::poll, begin, ViewerArgs().integer("timeout_ms", event.a).integer("served", event.c));
  has_polled_ = true;
  if (event.b == 0) return;
  open(kLoop, axis_.now(begin), "loopsim.poll", "waits");
  close(kLoop, axis_.now(event.time));
}

// ---- callbacks -------------------------------------------------------------------------------------------------------------------

// A flow arrow from the slice that schedules a callback to the callback's slice; `id` is the callback's.
constexpr std::string_view kArrowCategory = "loopsim.cause";
constexpr std::string_view kArrowName = "asks for";

void PerfettoWriter::begin_arrow(Moment at, std::uint64_t id) {
  form_->begin_arrow(place_of(kCallbacks), at.shown, kArrowCategory, kArrowName, id);
}

void PerfettoWriter::end_arrow(Moment at, std::uint64_t id) {
  form_->end_arrow(place_of(kCallbacks), at.shown, kArrowCategory, kArrowName, id);
}

void PerfettoWriter::report_schedule(const Event& event, std::string_view op) {
  Asked asked{event.api, name_of(event), !open_on(kCallbacks).empty()};
  if (asked.has_arrow) begin_arrow(axis_.now(event.time), event.id);
  if (const std::string_view type = node_type(event.api); !type.empty()) {
    ViewerArgs args;
    args.natural("data", "triggerAsyncId", event.by).natural("data", "executionAsyncId", event.by);
    args.text("name", asked.name);
    if (!op.empty()) args.text("op", op);
    if (event.a >= 0) args.text("due_ms", ms_text(event.a));
    begin_interval(axis_.now(event.time), kAsyncHooks, type, fmt::format("{:#x}", event.id), type, std::move(args));
  }
  count(event.api, 1, event.time);
  asked_.insert_or_assign(event.id, std::move(asked));
}

// The flow arrow of a cancelled callback ends at the slice that cancels it.
void PerfettoWriter::report_cancel(const Event& event) {
  instant(kCallbacks, axis_.now(event.time), "loopsim.handle", "clear " + name_of(event));
  const auto asked = asked_.find(event.id);
  if (asked == asked_.end()) return;
  if (asked->second.has_arrow) {
    const bool is_in_slice = !open_on(kCallbacks).empty();
    if (!is_in_slice) open(kCallbacks, axis_.now(event.time), "loopsim.handle", "clear");
    end_arrow(axis_.now(event.time), event.id);
    if (!is_in_slice) close(kCallbacks, axis_.now(event.time));
  }
  const std::string_view type = node_type(event.api);
  if (!type.empty()) end_interval(axis_.now(event.time), kAsyncHooks, type, fmt::format("{:#x}", event.id));
  count(event.api, -1, event.time);
  asked_.erase(asked);
}

void PerfettoWriter::report_callback(const Event& event, std::string_view op) {
  ViewerArgs args;
  args.natural("id", event.id).text("api", to_string(event.api));
  if (event.by > 0) args.natural("by", event.by);
  if (!op.empty()) args.text("event", op);
  if (event.a >= 0) args.text("due_ms", ms_text(event.a));
  if (event.b > 0) args.text("late_ms", ms_text(event.b));
  const auto reason = static_cast<LateReason>(event.detail);
  if (reason != LateReason::none) {
    for (const FieldInfo& field : event_table()[static_cast<std::size_t>(event.kind)].fields) {
      if (field.source == FieldInfo::Source::detail) args.text("why", field.words[event.detail]);
    }
  }
  if (event.c > 0) args.integer("behind", event.c);

  const Moment begin = axis_.now(event.time);
  const std::string_view type = node_type(event.api);
  const std::string id = fmt::format("{:#x}", event.id);
  const auto asked = asked_.find(event.id);
  if (!type.empty()) {
    if (asked == asked_.end()) begin_interval(begin, kAsyncHooks, type, id, type);
    begin_interval(begin, kAsyncHooks, fmt::format("{}_CALLBACK", type), id, type);
  }
  open(kCallbacks, begin, "loopsim.callback", name_of(event), std::move(args));
  axis_.widen(event.time);
  if (asked == asked_.end()) return;
  if (asked->second.has_arrow) end_arrow(begin, event.id);
  count(event.api, -1, event.time);
  asked_.erase(asked);
}

// Writes the use of the loop thread's CPU: JavaScript in [from, to), except during the stalls in held_up_. Consecutive
// runs become one slice.
void PerfettoWriter::report_cpu(TimeNs from, TimeNs to) {
  TimeNs time = from;
  const auto run_until = [&](TimeNs end) {
    if (time >= end) return;
    if (ran_to_ != time) {
      report_ran();
      ran_from_ = time;
    }
    ran_to_ = end;
  };
  for (const HeldUp& held : held_up_) {
    run_until(std::min(held.from, to));
    report_ran();
    open(kCpu, axis_.from(held.from), "loopsim.machine", held.words);
    close(kCpu, axis_.until(held.to));
    time = std::max(time, held.to);
  }
  run_until(to);
  held_up_.clear();
}

void PerfettoWriter::report_ran() {
  if (ran_to_ > ran_from_) {
    open(kCpu, axis_.from(ran_from_), "loopsim.running", "JavaScript");
    close(kCpu, axis_.until(ran_to_));
  }
  ran_from_ = ran_to_;
}

// Callbacks that were scheduled and did not run before the process ended: one slice in which all their arrows end.
void PerfettoWriter::report_never_run(TimeNs time) {
  if (asked_.empty()) return;
  open(kCallbacks, axis_.now(time), "loopsim.run", "never ran", ViewerArgs().natural("callbacks", asked_.size()));
  for (const auto& [id, asked] : asked_) {
    if (asked.has_arrow) end_arrow(axis_.now(time), id);
    const std::string_view type = node_type(asked.api);
    if (!type.empty()) end_interval(axis_.now(time), kAsyncHooks, type, fmt::format("{:#x}", id));
  }
  close(kCallbacks, axis_.now(time));
}

void PerfettoWriter::report_ready(const Event& event, std::string_view op) {
  if (event.b < 0 || event.c < 0) {
    instant(kSockets, axis_.until(event.a), "loopsim.net", name_of(event));
    return;
  }
  const int track = kPool + static_cast<int>(event.c);
  const bool is_named_op = !op.empty();
  open(track, axis_.from(event.b), request_category(event.api), is_named_op ? op : to_string(event.api),
       ViewerArgs().text("callback", name_of(event)).natural("id", event.id));
  close(track, axis_.until(event.a));
}

// A client's wait, from request to answer. Waits overlap, so they cannot be slices of one track.
void PerfettoWriter::report_answer(const Event& event, std::string_view client) {
  const std::string id = fmt::format("c{}", ++responses_);
  begin_interval(axis_.until(event.a - event.b), "loopsim.outside", "response", id, "response",
                 ViewerArgs().text("client", client));
  end_interval(axis_.until(event.a), "loopsim.outside", "response", id);
}

// ---- counters --------------------------------------------------------------------------------------------------------------------

void PerfettoWriter::count(Api api, int by, TimeNs time) {
  const Queue queue = queue_of(api);
  if (queue == Queue::none) return;
  if (counter_changed_ && axis_.now(time).shown > counter_at_.shown) put_counter();
  waiting_[static_cast<std::size_t>(queue)] += by;
  counter_changed_ = true;
  counter_at_ = axis_.now(time);
}

// One counter event per time that is shown, with the values at its end.
void PerfettoWriter::put_counter() {
  form_->count(place_of(kLoop), counter_at_.shown, "waiting", kQueueNames, waiting_);
  counter_changed_ = false;
}

}  // namespace

std::unique_ptr<TraceSink> make_perfetto_writer(ByteOutput& output, const PerfettoOptions& options) {
  return std::make_unique<ByRuntime>(std::make_unique<PerfettoWriter>(output, options),
                                     make_io_perfetto(output, options.form));
}

}  // namespace loopsim
