#include "sim/trace/svg_timeline.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"
#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kMostAsked = 4096;  // callbacks scheduled beyond that get no arrow

DrawnMark mark_of(Api api, bool is_nested) {
  if (is_microtask(api)) return DrawnMark::microtask;
  if (is_task(api)) return DrawnMark::tick;
  return is_nested ? DrawnMark::nested : DrawnMark::task;
}

// Removes the style marks (loopsim/trace_text.hpp).
std::string plain(std::string text) {
  std::erase_if(text, [](char c) { return c >= 0 && c < ' '; });
  return text;
}

bool is_outside_loop(Phase phase) {
  return phase == Phase::main || phase == Phase::before_exit || phase == Phase::exit;
}

// The reason of a callback's delay, in few words.
std::string late_reason(const Event& begin, const Labels& labels) {
  const std::string other = begin.c > 0 ? labels.name_of(static_cast<std::uint64_t>(begin.c)) : "another callback";
  switch (static_cast<LateReason>(begin.detail)) {
    case LateReason::none: break;
    case LateReason::callback: return other + " was running";
    case LateReason::main: return "the main script was running";
    case LateReason::stall: return "the process did not run";
    case LateReason::startup: return "Node was starting";
    case LateReason::rounding: return "whole milliseconds";
    case LateReason::preempted: return "others had the CPU";
    case LateReason::throttled: return "the quota was used up";
    case LateReason::wakeup: return "the thread was waking up";
    case LateReason::overhead: return "Node was at work";
    case LateReason::order: return (begin.c > 0 ? other : "another phase") + " came first";
  }
  return {};
}

std::string outside_words(const Event& event, std::string_view text) {
  if (event.kind != EventKind::answer) return printable(text);
  const auto how = static_cast<AnswerKind>(event.detail);
  const std::string_view what = how == AnswerKind::end ? "answer" : how == AnswerKind::reset ? "reset" : "refused";
  return fmt::format("{}: {} after {} ms", printable(text), what, short_ms_text(event.b));
}

}  // namespace

// ---- rows ----------------------------------------------------------------------------------------------------------------------

void DrawnTimeline::add_row(DrawnRow::Kind kind, TimeNs time, std::string text) {
  DrawnRow row;
  row.kind = kind;
  row.time = time;
  note_time(time);
  row.depth = depth();
  row.text = std::move(text);
  rows_.push_back(std::move(row));
}

void DrawnTimeline::add_aside(TimeNs time, std::string text) {
  add_row(DrawnRow::Kind::outside, time, std::move(text));
  rows_.back().is_aside = time < time_;
}

// A line of output is put beside the callback that printed it while that callback's row is the last.
void DrawnTimeline::report_line(const Event& event, std::string_view text) {
  const bool is_beside = !rows_.empty() && rows_.back().time == event.time && rows_.back().console.empty() &&
                         rows_.back().kind == DrawnRow::Kind::callback && !open_.empty() &&
                         callbacks_[open_.back()].row + 1 == rows_.size();
  if (!is_beside) add_row(DrawnRow::Kind::console, event.time, {});
  rows_.back().console = printable(text);
  rows_.back().is_error = event.kind == EventKind::error_log;
}

// ---- events --------------------------------------------------------------------------------------------------------------------

void DrawnTimeline::events(const EventBatch& batch) {
  labels_.add_names(batch.new_names);
  for (const Event& event : batch.events) {
    if (is_cut_) return;
    tell(event, batch.text_of(event));
  }
}

bool DrawnTimeline::is_full() const {
  constexpr std::size_t kRow = 18;
  constexpr std::size_t kGap = 44;
  return rows_.size() * kRow + times_.size() * kGap > static_cast<std::size_t>(std::max(height_, 0));
}

void DrawnTimeline::tell(const Event& event, std::string_view text) {
  if (is_about_queues(event) || is_step(event.kind)) return;
  if (is_full()) return void(is_cut_ = true);
  note_time(time_ = event.time);
  report_phase(event);
  switch (event.kind) {
    case EventKind::turn: add_row(DrawnRow::Kind::turn, event.time, fmt::format("turn {}", event.turn)); break;
    case EventKind::phase_enter:
    case EventKind::phase_exit:  // see report_phase
    case EventKind::enqueue:
    case EventKind::dequeue:
    case EventKind::work_begin:
    case EventKind::work_end:
    case EventKind::scope:
    case EventKind::assign:
    case EventKind::condition:
    case EventKind::promise:
    case EventKind::steps_end: break;
    case EventKind::poll: report_poll(event); break;
    case EventKind::ready:
      if (event.b >= 0 && event.c >= 0) {
        note_time(event.b);
        note_time(event.a);
        work_.push_back({static_cast<std::size_t>(event.c), event.b, event.a, labels_.name_of(event),
                         labels_.name_of(event) + ": " + ready_words(event, text, labels_)});
      }
      break;
    case EventKind::schedule:
      labels_.learn(event);
      if (asked_.size() < kMostAsked)
        asked_.push_back({event.id, here(), open_.empty() ? -1 : callbacks_[open_.back()].depth});
      break;
    case EventKind::cancel:
      std::erase_if(asked_, [&event](const Asked& asked) { return asked.id == event.id; });
      add_row(DrawnRow::Kind::note, event.time, cancel_words(event, labels_));
      break;
    case EventKind::ref: add_row(DrawnRow::Kind::note, event.time, "ref: " + labels_.name_of(event)); break;
    case EventKind::unref: add_row(DrawnRow::Kind::note, event.time, "unref: " + labels_.name_of(event)); break;
    case EventKind::callback_begin: report_callback(event, text); break;
    case EventKind::callback_end:
      if (open_.empty()) break;
      callbacks_[open_.back()].end = here();
      open_.pop_back();
      break;
    case EventKind::drain_begin: is_draining_ = true; break;
    case EventKind::drain_end: is_draining_ = false; break;
    case EventKind::log:
    case EventKind::error_log: report_line(event, text); break;
    case EventKind::burn: {
      const bool is_spin = static_cast<BurnKind>(event.detail) == BurnKind::spin;
      const int depth = open_.empty() ? 0 : callbacks_[open_.back()].depth;
      std::string words = fmt::format("{} {} ms", is_spin ? "spins" : "computes", short_ms_text(event.a));
      if (event.c != event.a) words += fmt::format(", took {} ms", short_ms_text(event.c));
      note_time(event.b);
      burns_.push_back({{event.b, rows_.size()}, event.time, depth, is_spin, std::move(words)});
      break;
    }
    case EventKind::receive: add_row(DrawnRow::Kind::outside, event.time, receive_words(event, text, labels_)); break;
    case EventKind::settle: add_row(DrawnRow::Kind::note, event.time, settle_words(event, labels_)); break;
    case EventKind::throw_: add_row(DrawnRow::Kind::note, event.time, "throws " + printable(text)); break;
    case EventKind::caught: add_row(DrawnRow::Kind::note, event.time, caught_words(event, text)); break;
    case EventKind::uncaught: add_row(DrawnRow::Kind::note, event.time, "uncaught: " + printable(text)); break;
    case EventKind::rejection:
      add_row(DrawnRow::Kind::note, event.time, "unhandled rejection: " + printable(text));
      break;
    case EventKind::rejection_handled:
      add_row(DrawnRow::Kind::note, event.time, "rejection handled after all: " + printable(text));
      break;
    case EventKind::input:
    case EventKind::answer: add_aside(event.a, outside_words(event, text)); break;
    case EventKind::loop_delay: add_row(DrawnRow::Kind::note, event.time, loop_delay_words(event)); break;
    case EventKind::stall:
      note_time(event.a);
      note_time(event.a + event.b);
      stalls_.push_back({event.a, event.a + event.b, static_cast<StallReason>(event.detail), stall_words(event)});
      break;
    case EventKind::limit: add_row(DrawnRow::Kind::note, event.time, limit_words(event)); break;
    case EventKind::exit: add_row(DrawnRow::Kind::note, event.time, exit_words(event)); break;
  }
}

void DrawnTimeline::report_callback(const Event& event, std::string_view op) {
  labels_.learn(event);
  add_row(DrawnRow::Kind::callback, event.time, {});
  DrawnCallback callback;
  callback.id = event.id;
  callback.row = rows_.size() - 1;
  callback.depth = depth();
  callback.mark = mark_of(event.api, !open_.empty());
  const std::string words = plain(callback_words(event, op, labels_));
  callback.name = event.api == Api::main ? words : labels_.name_of(event);
  callback.rest = words.substr(std::min(words.size(), callback.name.size()));
  if (event.b > 0) {
    if (event.a >= 0) note_time(event.a);
    callback.late_words = late_words(event, labels_);
    callback.late_for = fmt::format("{} ms late", short_ms_text(event.b));
    const std::string reason = late_reason(event, labels_);
    callback.late = reason.empty() ? callback.late_for : callback.late_for + ": " + reason;
  }
  callback.due = event.a;
  callback.lateness = event.b;
  const auto asked = std::ranges::find(asked_, event.id, &Asked::id);
  if (asked != asked_.end()) {
    callback.has_origin = true;
    callback.origin = asked->place;
    callback.origin_depth = asked->depth;
    asked_.erase(asked);
  }
  open_.push_back(callbacks_.size());
  callbacks_.push_back(std::move(callback));
}

// Nothing runs on the loop's thread after the last event: open items end there.
void DrawnTimeline::end(TimeNs time) {
  if (!is_cut_) time_ = std::max(time_, time);
  for (const std::size_t index : open_) callbacks_[index].end = here();
  open_.clear();
  close_phase();
}

// ---- phases --------------------------------------------------------------------------------------------------------------------

// The main script and the phases after the loop have no phase events: their first event opens them.
void DrawnTimeline::report_phase(const Event& event) {
  const bool is_open = !phases_.empty() && phases_.back().is_open;
  switch (event.kind) {
    case EventKind::turn: close_phase(false); return;
    case EventKind::phase_exit: close_phase(); return;
    case EventKind::phase_enter:
      if (is_open && phase_ == Phase::poll && event.phase == Phase::poll) return;  // opened by the poll event
      close_phase();
      phase_ = event.phase;
      open_phase(std::string(to_string(event.phase)), here());
      return;
    case EventKind::poll:
    case EventKind::limit:
    case EventKind::input:
    case EventKind::answer:
    case EventKind::stall: return;
    default: break;
  }
  if (!is_outside_loop(event.phase) || (is_open && phase_ == event.phase)) return;
  close_phase();
  phase_ = event.phase;
  open_phase(event.phase == Phase::main ? "main script" : std::string(to_string(event.phase)), here());
}

void DrawnTimeline::open_phase(std::string name, DrawnPlace begin) {
  phases_.push_back({std::move(name), begin, begin, true});
  phase_rows_ = rows_.size();
}

// A phase without rows that took no time gets a row: otherwise it would not be visible.
void DrawnTimeline::close_phase(bool with_row) {
  if (phases_.empty() || !phases_.back().is_open) return;
  if (with_row && rows_.size() == phase_rows_ && phases_.back().begin.time == time_) {
    add_row(DrawnRow::Kind::phase, time_, {});
  }
  phases_.back().end = here();
  phases_.back().is_open = false;
}

void DrawnTimeline::report_poll(const Event& event) {
  DrawnPlace begin = {event.time - event.b, rows_.size()};
  const bool is_told = !phases_.empty() && phases_.back().is_open && phase_ == Phase::poll;  // by an earlier event
  if (is_told) {
    begin.rows = phases_.back().begin.rows;
    if (event.b > 0) phases_.back().begin = begin;
  } else {
    close_phase();
    phase_ = Phase::poll;
    open_phase("poll", begin);
  }
  std::string words = poll_words(event, labels_);
  if (event.b > 0) {
    waits_.push_back({begin, event.time, std::move(words)});
  } else {
    add_row(DrawnRow::Kind::note, event.time, std::move(words));
  }
}

}  // namespace loopsim
