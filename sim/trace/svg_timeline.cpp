#include "sim/trace/svg_timeline.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"
#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"

#include "sim/trace/fold_words.hpp"

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

// Something enters or leaves the queue of microtasks.
bool is_about_microtasks(const Event& event) {
  const bool is_move = event.kind == EventKind::enqueue || event.kind == EventKind::dequeue;
  return is_move && static_cast<Queue>(event.detail) == Queue::microtasks;
}

// The reason of a callback's delay, in few words.
std::string late_reason(const Event& begin, const Labels& labels) {
  const Language language = labels.language();
  const auto other = [&](Word unknown) {
    return begin.c > 0 ? labels.name_of(static_cast<std::uint64_t>(begin.c)) : say(language, unknown);
  };
  switch (static_cast<LateReason>(begin.detail)) {
    case LateReason::none: break;
    case LateReason::callback: return say(language, Word::short_late_callback, {other(Word::another_callback)});
    case LateReason::main:
      return say(language, Word::short_late_callback,
                 {say(language, labels.is_libuv_alone() ? Word::main_function : Word::the_main_script)});
    case LateReason::stall: return say(language, Word::short_late_stall);
    case LateReason::startup: return say(language, Word::short_late_startup);
    case LateReason::rounding: return say(language, Word::short_late_rounding);
    case LateReason::preempted: return say(language, Word::short_late_preempted);
    case LateReason::throttled: return say(language, Word::short_late_throttled);
    case LateReason::stolen: return say(language, Word::short_late_stolen);
    case LateReason::wakeup: return say(language, Word::short_late_wakeup);
    case LateReason::overhead: return say(language, Word::short_late_overhead);
    case LateReason::order: return say(language, Word::short_late_behind, {other(Word::another_phase)});
  }
  return {};
}

std::string outside_words(const Event& event, std::string_view text, Language language) {
  if (event.kind != EventKind::answer) return printable(text);
  const auto how = static_cast<AnswerKind>(event.detail);
  const Word word = how == AnswerKind::end     ? Word::short_answer_end
                    : how == AnswerKind::reset ? Word::short_answer_reset
                                               : Word::short_answer_refused;
  return say(language, word, {printable(text), short_ms_text(event.b)});
}

// What is written in a row of its own.
std::string note_words(const Event& event, std::string_view text, const Labels& labels) {
  const Language language = labels.language();
  switch (event.kind) {
    case EventKind::cancel: return cancel_words(event, labels);
    case EventKind::ref: return say(language, Word::short_ref, {labels.name_of(event)});
    case EventKind::unref: return say(language, Word::short_unref, {labels.name_of(event)});
    case EventKind::settle: return settle_words(event, labels);
    case EventKind::throw_: return say(language, Word::throws, {printable(text)});
    case EventKind::caught: return caught_words(event, text, language);
    case EventKind::uncaught: return say(language, Word::uncaught, {printable(text)});
    case EventKind::rejection: return say(language, Word::short_rejection, {printable(text)});
    case EventKind::rejection_handled: return say(language, Word::short_rejection_handled, {printable(text)});
    case EventKind::loop_delay: return loop_delay_words(event, language);
    case EventKind::call: return uv_call_words(event, text);
    case EventKind::limit: return limit_words(event, language);
    case EventKind::exit: return exit_words(event, language);
    default: return {};
  }
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
    if (is_step(event.kind) || (is_about_queues(event) && !is_about_microtasks(event))) continue;
    if (all_) {
      tell(event, batch.text_of(event));
    } else {
      folder_.push(event, batch.text_of(event));
    }
  }
}

void DrawnTimeline::hidden(const Event& event, std::string_view, bool) {
  if (is_cut_) return;
  if (is_about_queues(event)) report_queued(event);
  if (event.kind == EventKind::schedule) {
    labels_.learn(event);
    report_asked(event);
  }
  if (event.kind == EventKind::callback_begin) {
    labels_.learn(event);
    ++folded_callbacks_;
    forget(event.id);
  }
  if (event.kind == EventKind::ready) labels_.learn_ready(event);
  if (event.kind == EventKind::cancel) forget(event.id);
}

void DrawnTimeline::folded(const Fold& fold) {
  if (is_cut_) return;
  if (is_full()) {
    is_cut_ = true;
    return;
  }
  if (fold.turns > 0) close_phase(false);
  add_row(DrawnRow::Kind::fold, fold.first.time, plain(fold_words(fold, labels_)));
  rows_.back().more = standstill_words(fold, language_);
  rows_.back().has_turns = fold.turns > 0;
}

void DrawnTimeline::forget(std::uint64_t id) {
  std::erase_if(asked_, [id](const Asked& asked) { return asked.id == id; });
}

std::vector<std::string> DrawnTimeline::waiting() const {
  std::vector<std::string> names;
  for (const Asked& asked : asked_) names.push_back(labels_.name_of(asked.id));
  return names;
}

bool DrawnTimeline::is_full() const {
  constexpr std::size_t kRow = 18;
  constexpr std::size_t kGap = 44;
  return rows_.size() * kRow + times_.size() * kGap > static_cast<std::size_t>(std::max(height_, 0));
}

void DrawnTimeline::tell(const Event& event, std::string_view text) {
  if (is_about_queues(event)) return report_queued(event);
  if (is_full()) return void(is_cut_ = true);
  note_time(time_ = event.time);
  report_phase(event);
  switch (event.kind) {
    case EventKind::turn:
      add_row(DrawnRow::Kind::turn, event.time, say(language_, Word::turn, {fmt::format("{}", event.turn)}));
      break;
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
    case EventKind::line:
    case EventKind::leave:
    case EventKind::steps_end: break;
    case EventKind::poll: report_poll(event); break;
    case EventKind::ready:
      if (event.b >= 0 && event.c >= 0) {
        note_time(event.b);
        note_time(event.a);
        work_.push_back({static_cast<std::size_t>(event.c), event.b, event.a, labels_.name_of(event),
                         say(language_, Word::tip_work, {labels_.name_of(event), ready_words(event, text, labels_)})});
      }
      break;
    case EventKind::schedule:
      labels_.learn(event);
      report_asked(event);
      break;
    case EventKind::cancel:
      forget(event.id);
      add_row(DrawnRow::Kind::note, event.time, note_words(event, text, labels_));
      break;
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
    case EventKind::burn: report_burn(event); break;
    case EventKind::receive: add_row(DrawnRow::Kind::outside, event.time, receive_words(event, text, labels_)); break;
    case EventKind::input:
    case EventKind::answer: add_aside(event.a, outside_words(event, text, language_)); break;
    case EventKind::stall: report_stall(event); break;
    default: add_row(DrawnRow::Kind::note, event.time, note_words(event, text, labels_)); break;
  }
}

void DrawnTimeline::report_burn(const Event& event) {
  const bool is_spin = static_cast<BurnKind>(event.detail) == BurnKind::spin;
  const int depth = open_.empty() ? 0 : callbacks_[open_.back()].depth;
  std::string words = say(language_, is_spin ? Word::short_spins : Word::short_computes, {short_ms_text(event.a)});
  if (event.c != event.a) words = say(language_, Word::short_took, {words, short_ms_text(event.c)});
  note_time(event.b);
  burns_.push_back({{event.b, rows_.size()}, event.time, depth, is_spin, std::move(words)});
}

// The process did not run.
void DrawnTimeline::report_stall(const Event& event) {
  note_time(event.a);
  note_time(event.a + event.b);
  stalls_.push_back(
      {event.a, event.a + event.b, static_cast<StallReason>(event.detail), stall_words(event, language_)});
}

// ---- origins -------------------------------------------------------------------------------------------------------------------

// In a callback: here, while it is running, else where it ended. 0: in what runs now.
DrawnTimeline::Origin DrawnTimeline::origin_in(std::uint64_t id) const {
  const auto has_id = [id](const DrawnCallback& one) { return one.id == id; };
  const auto found = std::find_if(callbacks_.rbegin(), callbacks_.rend(), has_id);
  if (id == 0 || found == callbacks_.rend()) return {here(), open_.empty() ? -1 : callbacks_[open_.back()].depth};
  const auto index = static_cast<std::size_t>(callbacks_.rend() - found) - 1;
  const bool is_open = std::ranges::find(open_, index) != open_.end();
  return {is_open ? here() : found->end, found->depth};
}

// The next round of an interval is asked for by the round before.
void DrawnTimeline::report_asked(const Event& event) {
  if (asked_.size() >= kMostAsked) return;
  const bool is_again = static_cast<ScheduleKind>(event.detail) == ScheduleKind::again && event.c > 0;
  asked_.push_back({event.id, origin_in(is_again ? static_cast<std::uint64_t>(event.c) : event.by)});
}

// Microtasks: a reaction's line begins where its promise was settled, be it by way of jobs of V8.
void DrawnTimeline::report_queued(const Event& event) {
  const bool is_put = event.kind == EventKind::enqueue;
  const auto entry = static_cast<std::uint64_t>(event.a);
  if (!is_put) {
    const auto job = jobs_.find(entry);
    job_ = job == jobs_.end() ? Origin{here(), -1} : job->second;
    if (job != jobs_.end()) jobs_.erase(job);
    return;
  }
  const Origin origin = event.by == 0 ? job_ : origin_in(event.by);
  if (event.id == 0) {
    jobs_[entry] = origin;
    return;
  }
  const auto asked = std::ranges::find(asked_, event.id, &Asked::id);
  if (asked != asked_.end()) asked->origin = origin;
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
    callback.late_for = say(language_, Word::short_late_for, {short_ms_text(event.b)});
    const std::string reason = late_reason(event, labels_);
    callback.late = reason.empty() ? callback.late_for : say(language_, Word::short_late, {callback.late_for, reason});
  }
  callback.due = event.a;
  callback.lateness = event.b;
  const auto asked = std::ranges::find(asked_, event.id, &Asked::id);
  if (asked != asked_.end()) {
    callback.has_origin = true;
    callback.origin = asked->origin.place;
    callback.origin_depth = asked->origin.depth;
    asked_.erase(asked);
  }
  open_.push_back(callbacks_.size());
  callbacks_.push_back(std::move(callback));
}

// Nothing runs on the loop's thread after the last event: open items end there.
void DrawnTimeline::end(TimeNs time) {
  if (!is_cut_) folder_.flush();
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
      open_phase(std::string(phase_words(language_, event.phase)), here());
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
  open_phase(event.phase == Phase::main ? labels_.main_words() : std::string(phase_words(language_, event.phase)),
             here());
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
    open_phase(std::string(phase_words(language_, Phase::poll)), begin);
  }
  std::string words = poll_words(event, labels_);
  if (event.b > 0) {
    waits_.push_back({begin, event.time, std::move(words)});
  } else {
    add_row(DrawnRow::Kind::note, event.time, std::move(words));
  }
}

}  // namespace loopsim
