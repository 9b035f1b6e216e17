// The timeline for people: a block per turn of the loop, in it a row per callback, and indented below it what the
// callback did.
//
// Some events are held back. A poll, until the next event, so that its row can say what ended it; a ready event, so
// that its callback's row can name it; outside events and a stall within a poll, since the poll began before them. A
// turn without events is held until a turn with events, so that a thousand of them take one row.
//
// Repetitions are folded before anything is written (folder.hpp).

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"
#include "loopsim/writers.hpp"

#include "sim/trace/by_runtime.hpp"
#include "sim/trace/fold_words.hpp"
#include "sim/trace/folder.hpp"
#include "sim/trace/io_text_writer.hpp"
#include "sim/trace/queues.hpp"
#include "sim/trace/text_words.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kFlushSize = 64 * 1024;      // between turns
constexpr std::size_t kFlushInTurn = 1024 * 1024;  // within a turn

class TextWriter final : public TraceSink, private FoldTarget {
 public:
  TextWriter(ByteOutput& output, const TextOptions& options)
      : output_(output),
        options_(options),
        layout_(options.width, options.color, options.language),
        // Steps are there because somebody asked for them (`run --steps`): repetitions of which a value differs are shown.
        folder_(*this, {.steps = true, .notes = options.notes}) {}

  void begin(const RunInfo& info) override;
  void events(const EventBatch& batch) override {
    labels_.add_names(batch.new_names);
    for (const Event& event : batch.events) {
      if (folds()) {
        folder_.push(event, batch.text_of(event));
        continue;
      }
      if (options_.queues) report_queues(event, batch.text_of(event));
      tell(event, batch.text_of(event));
    }
  }
  void end(const RunSummary& summary) override;

 private:
  // Queues differ from one repetition to the next.
  [[nodiscard]] bool folds() const { return !options_.all && !options_.queues; }
  void shown(const Event& event, std::string_view text) override { tell(event, text); }
  void hidden(const Event& event, std::string_view text, bool begins) override;
  void folded(const Fold& fold) override;

  // Consecutive turns with nothing but a poll that did not wait.
  struct EmptyTurns {
    std::uint64_t first = 0, last = 0;
    Event poll;         // of the first turn
    std::string words;  // of every poll
    std::string block;  // the first turn as text
  };

  void tell(const Event& event, std::string_view text);

  void begin_turn(const Event& event);
  void begin_end(const Event& event);
  void end_block();
  void report_empty_turns();
  void flush();

  void report_queues(const Event& event, std::string_view text);
  void report_held(const Event* next);
  void report_poll(const std::string& brought);
  void report_stall(const Event& event) { detail(event, styled(Style::late, stall_words(event, options_.language))); }
  void report_callback(const Event& event, std::string_view op);
  void end_callback(const Event& event);
  void report_rejection(const Event& event, std::string_view reason);
  void report_step(const Event& event, std::string_view text);
  void report_output(const Event& event, std::string_view text);
  void detail(const Event& event, const std::string& content);
  void quiet_row(const Event& event, const std::string& content);
  void hold_poll(const Event& event);

  [[nodiscard]] std::string words(Word word, std::initializer_list<std::string_view> arguments = {}) const {
    return say(options_.language, word, arguments);
  }

  [[nodiscard]] int detail_indent() const { return std::max(depth_, 1); }

  ByteOutput& output_;
  TextOptions options_;
  TextLayout layout_;
  Folder folder_;  // with folds()
  Labels labels_;
  Queues queues_;  // with options_.queues

  int depth_ = 0;            // nesting of callbacks
  bool is_page_ = false;     // in a browser
  bool has_begun_ = false;   // a callback
  bool is_stopped_ = false;  // by a limit
  bool in_end_ = false;      // in the block after the last turn
  std::uint64_t turn_ = 0;
  std::size_t block_begin_ = 0;  // offset of the current block in the layout's text
  bool is_empty_ = false;        // nothing but a poll so far
  std::optional<Event> last_poll_;
  std::optional<EmptyTurns> empty_turns_;
  std::optional<Event> held_poll_;
  std::optional<Event> held_wait_;        // of a browser: told in the turn that it ends with
  std::vector<std::string> held_queues_;  // at the begin of that poll
  // The same, saved if a queue changes before the poll event.
  std::optional<std::vector<std::string>> queues_before_poll_;
  bool has_polled_ = false;  // in this turn
  std::optional<Event> held_stall_;
  std::vector<std::pair<Event, std::string>> held_inputs_;
  std::optional<Event> held_ready_;
  std::string held_ready_words_;
  std::string ready_words_;  // for the row of the next callback
};

// ---- the run --------------------------------------------------------------------------------------------------------------------

void TextWriter::begin(const RunInfo& info) {
  labels_.begin(info, options_.language);
  if (options_.queues) queues_.begin(info);
  is_page_ = info.entry == "window";
  if (!info.title.empty()) layout_.paragraph(styled(Style::strong, printable(info.title)));
  layout_.paragraph(styled(Style::quiet, header_words(info, options_.language)));
  layout_.blank_line();
  layout_.heading();
  layout_.rule(labels_.main_words());
}

void TextWriter::end(const RunSummary& summary) {
  folder_.flush();
  end_block();
  report_empty_turns();
  if (options_.summary) {
    layout_.blank_line();
    layout_.text() += format_summary(summary, options_.hash, options_.language) + "\n";
  }
  flush();
}

void TextWriter::tell(const Event& event, std::string_view text) {
  const bool is_phase = event.kind == EventKind::phase_enter || event.kind == EventKind::phase_exit;
  if (is_phase || is_about_queues(event)) return;  // every row names its phase
  if (event.kind == EventKind::turn) return begin_turn(event);
  if (event.kind == EventKind::limit) is_stopped_ = true;
  if (event.kind == EventKind::exit && is_stopped_) return;  // a limit ends the simulation, not the process
  if (event.kind != EventKind::poll || held_poll_) report_held(&event);
  const bool after_loop = event.phase == Phase::before_exit || event.phase == Phase::exit;
  if (after_loop && !in_end_) begin_end(event);
  if (event.kind != EventKind::poll && event.kind != EventKind::wait) is_empty_ = false;
  switch (event.kind) {
    case EventKind::turn:
    case EventKind::enqueue:
    case EventKind::dequeue:
    case EventKind::work_begin:
    case EventKind::work_end:
    case EventKind::phase_enter:
    case EventKind::phase_exit: break;
    case EventKind::poll: hold_poll(event); break;
    case EventKind::ready:
      held_ready_ = event;
      held_ready_words_ = ready_words(event, text, labels_);
      labels_.learn_ready(event);
      break;
    case EventKind::schedule:
      labels_.learn(event);
      detail(event, schedule_words(event, text, labels_));
      break;
    case EventKind::cancel:
      if (static_cast<CancelReason>(event.detail) != CancelReason::refresh)  // a refreshed timer is scheduled again
        detail(event, cancel_words(event, labels_));
      break;
    case EventKind::ref: detail(event, fmt::format("{}.ref()", labels_.name_of(event))); break;
    case EventKind::unref: detail(event, words(Word::unref, {labels_.name_of(event)})); break;
    case EventKind::callback_begin: report_callback(event, text); break;
    case EventKind::callback_end: end_callback(event); break;
    case EventKind::drain_begin:
      layout_.row(
          event.time, event.phase, depth_ + 1,
          styled(Style::quiet, has_begun_ ? drain_words(event, options_.language) : words(Word::module_is_microtask)));
      ++depth_;
      break;
    case EventKind::drain_end: depth_ = std::max(0, depth_ - 1); break;
    case EventKind::log:
    case EventKind::error_log: report_output(event, text); break;
    case EventKind::burn:  // reported at its end, shown at its begin
      layout_.row(std::max(event.b, layout_.time()), event.phase, detail_indent(),
                  "· " + burn_words(event, options_.language));
      break;
    case EventKind::loop_delay: detail(event, loop_delay_words(event, options_.language)); break;
    case EventKind::call: detail(event, uv_call_words(event, text)); break;
    case EventKind::wait: held_wait_ = event; break;
    case EventKind::frame: quiet_row(event, frame_words(event, options_.language)); break;
    case EventKind::receive: detail(event, receive_words(event, text, labels_)); break;
    case EventKind::settle: detail(event, settle_words(event, labels_)); break;
    case EventKind::throw_: detail(event, styled(Style::error, words(Word::throws, {printable(text)}))); break;
    case EventKind::caught: detail(event, caught_words(event, text, options_.language)); break;
    case EventKind::uncaught: detail(event, styled(Style::error, words(Word::uncaught, {printable(text)}))); break;
    case EventKind::rejection: report_rejection(event, text); break;
    case EventKind::rejection_handled: detail(event, words(Word::rejection_handled, {printable(text)})); break;
    case EventKind::answer: held_inputs_.emplace_back(event, answer_words(event, text, options_.language)); break;
    case EventKind::input: held_inputs_.emplace_back(event, input_words(event, text, options_.language)); break;
    case EventKind::stall:
      if (event.phase == Phase::poll && depth_ == 0)
        held_stall_ = event;
      else
        report_stall(event);
      break;
    case EventKind::limit:
      layout_.row(event.time, event.phase, 0, styled(Style::error, "■ " + limit_words(event, options_.language)));
      break;
    case EventKind::exit: layout_.row(event.time, event.phase, 0, "■ " + exit_words(event, options_.language)); break;
    default: report_step(event, text); break;  // is_step()
  }
  if (layout_.text().size() >= kFlushInTurn) {
    report_empty_turns();
    flush();
  }
}

void TextWriter::hidden(const Event& event, std::string_view, bool) {
  if (event.kind == EventKind::ready) labels_.learn_ready(event);
  if (event.kind == EventKind::schedule || event.kind == EventKind::callback_begin) labels_.learn(event);
}

// Turns get a block of their own, what is within a turn a row.
void TextWriter::folded(const Fold& fold) {
  if (fold.turns > 0) {
    end_block();
    report_empty_turns();
    layout_.rule(words(Word::turns, {fmt::format("{}", fold.first.turn), fmt::format("{}", fold.last.turn)}));
  } else {
    report_held(nullptr);
  }
  std::string content = fold_words(fold, labels_);
  if (const std::string_view standstill = standstill_words(fold, options_.language); !standstill.empty())
    content = words(Word::fold_and_standstill, {content, standstill});
  layout_.row(fold.first.time, phase_of(fold), depth_, content);
  if (fold.turns == 0) return;
  block_begin_ = layout_.text().size();
  is_empty_ = false;
}

// ---- blocks -----------------------------------------------------------------------------------------------------------------------

void TextWriter::begin_turn(const Event& event) {
  end_block();
  turn_ = event.turn;
  in_end_ = false;
  is_empty_ = true;
  last_poll_.reset();
  layout_.rule(words(Word::turn, {fmt::format("{}", event.turn)}));
  if (!held_wait_) return;
  is_empty_ = false;
  held_wait_->phase = event.phase;
  quiet_row(*held_wait_, wait_words(*held_wait_, options_.language));
  held_wait_.reset();
}

void TextWriter::hold_poll(const Event& event) {
  held_poll_ = event;
  last_poll_ = event;
  is_empty_ = is_empty_ && event.b == 0 && event.c == 0;
}

void TextWriter::quiet_row(const Event& event, const std::string& content) {
  layout_.row(event.time, event.phase, 0, styled(Style::quiet, content));
}

void TextWriter::begin_end(const Event&) {
  end_block();
  in_end_ = true;
  is_empty_ = false;
  layout_.rule(words(Word::end));
}

void TextWriter::end_block() {
  report_held(nullptr);
  depth_ = 0;
  std::string& text = layout_.text();
  if (is_empty_ && is_page_) {  // an event of the document that nobody listens to
    text.resize(block_begin_);
  } else if (is_empty_ && last_poll_) {
    const std::string waited = poll_words(*last_poll_, labels_);
    if (!empty_turns_ || empty_turns_->words != waited) {
      const std::string block = text.substr(block_begin_);
      text.resize(block_begin_);
      report_empty_turns();
      empty_turns_ = EmptyTurns{turn_, turn_, *last_poll_, waited, block};
    } else {
      empty_turns_->last = turn_;
      text.resize(block_begin_);
    }
  } else {
    report_empty_turns();
  }
  if (text.size() >= kFlushSize) flush();
  block_begin_ = text.size();
}

// Inserts them before the current block, which ended them.
void TextWriter::report_empty_turns() {
  if (!empty_turns_) return;
  const EmptyTurns turns = *std::exchange(empty_turns_, std::nullopt);
  std::string told = turns.block;
  if (turns.last > turns.first) {
    TextLayout layout(options_.width, options_.color, options_.language);
    layout.rule(words(Word::turns, {fmt::format("{}", turns.first), fmt::format("{}", turns.last)}));
    layout.row(turns.poll.time, Phase::poll, 0, words(Word::in_each_of_these_turns, {turns.words}));
    told = layout.text();
  }
  layout_.text().insert(block_begin_, told);
  block_begin_ += told.size();
}

void TextWriter::flush() {
  output_.write(layout_.text());
  layout_.text().clear();
  block_begin_ = 0;
}

// ---- rows -----------------------------------------------------------------------------------------------------------------------

// At the begin of a phase and of a drain of the tick and microtask queues, before their callbacks. A poll is reported
// at its end; until then its queues are held.
void TextWriter::report_queues(const Event& event, std::string_view text) {
  const bool moves_during_poll = is_about_queues(event) && event.phase == Phase::poll && !has_polled_;
  if (moves_during_poll && !queues_before_poll_) queues_before_poll_ = queues_.rows(labels_);
  queues_.learn(event, text);
  switch (event.kind) {
    case EventKind::turn: has_polled_ = false; break;
    case EventKind::poll:
      held_queues_ = queues_before_poll_ ? *std::exchange(queues_before_poll_, std::nullopt) : queues_.rows(labels_);
      has_polled_ = true;
      break;
    case EventKind::phase_enter:
      if (event.phase == Phase::poll) break;  // covered by the poll event
      report_held(&event);
      for (const std::string& row : queues_.rows(labels_)) layout_.row(event.time, event.phase, 0, "≡ " + row);
      break;
    case EventKind::drain_begin:
      report_held(&event);
      for (const std::string& row : queues_.rows_of_drain(labels_))
        layout_.row(event.time, event.phase, depth_ + 1, "≡ " + row);
      break;
    default: break;
  }
}

// Writes what is held. The poll's row names the first ready event, callbacks' rows the others. A ready event not
// followed by its callback is one of several requests.
void TextWriter::report_held(const Event* next) {
  std::string brought;
  if (held_ready_) {
    const bool is_last = next != nullptr && next->kind == EventKind::callback_begin && next->id == held_ready_->id;
    const std::string name = labels_.name_of(*held_ready_);
    brought = words(is_last ? Word::is_done : Word::request_is_done, {name, held_ready_words_});
    if (!held_poll_ && is_last) {
      const bool is_work = held_ready_->b >= 0;  // for others, the callback's row says all
      if (is_work) ready_words_ = held_ready_words_;
    } else if (!held_poll_) {
      layout_.row(held_ready_->time, held_ready_->phase, 0, brought);
    }
    held_ready_.reset();
  } else if (held_poll_ && next != nullptr && next->kind == EventKind::ready) {
    return;
  }
  if (held_poll_) report_poll(brought);
  if (next != nullptr && next->kind == EventKind::poll) return;
  if (held_stall_) report_stall(*std::exchange(held_stall_, std::nullopt));
  if (next != nullptr && (next->kind == EventKind::input || next->kind == EventKind::answer)) return;
  for (const auto& [input, told] : held_inputs_) detail(input, told);
  held_inputs_.clear();
}

void TextWriter::report_poll(const std::string& brought) {
  const Event poll = *std::exchange(held_poll_, std::nullopt);
  std::string waited = poll_words(poll, labels_);
  if (!brought.empty())
    waited = words(poll.a == 0 ? Word::brought_at_once : Word::brought_by_waiting, {waited, brought});
  for (const std::string& row : std::exchange(held_queues_, {}))
    layout_.row(poll.time - poll.b, Phase::poll, 0, "≡ " + row);
  layout_.row(poll.time - poll.b, Phase::poll, 0, waited);
}

void TextWriter::report_callback(const Event& event, std::string_view op) {
  has_begun_ = true;
  labels_.learn(event);
  std::string content = "▶ " + callback_words(event, op, labels_);
  const std::string late = late_words(event, labels_);
  if (!ready_words_.empty()) content = words(Word::and_, {content, std::exchange(ready_words_, {})});
  if (!late.empty()) content = words(Word::and_, {content, styled(Style::late, late)});
  if (depth_ == 0) layout_.show_time();
  layout_.row(event.time, event.phase, depth_, content);
  ++depth_;
  for (const CallbackNote& note : notes_on(options_.notes, event.id))
    layout_.row(event.time, event.phase, depth_, styled(Style::late, "⇄ " + printable(note.text)));
}

void TextWriter::end_callback(const Event& event) {
  // The main function of a program for libuv is in uv_run meanwhile.
  if (static_cast<Completion>(event.detail) == Completion::suspended && event.api != Api::main)
    detail(event, words(Word::waits_at_await));
  depth_ = std::max(0, depth_ - 1);
}

void TextWriter::report_rejection(const Event& event, std::string_view reason) {
  const std::string name = labels_.named(event.name);
  detail(event, styled(Style::error, name.empty() ? words(Word::rejection, {printable(reason)})
                                                  : words(Word::rejection_of_promise, {name, printable(reason)})));
}

void TextWriter::report_step(const Event& event, std::string_view text) {
  const std::string content = step_words(event, text, labels_);
  if (!content.empty()) detail(event, content);
}

void TextWriter::report_output(const Event& event, std::string_view text) {
  const bool is_error = event.kind == EventKind::error_log;
  const std::string_view mark = is_error ? "stderr│ " : "│ ";
  while (true) {
    const std::size_t end = text.find('\n');
    const std::string line = std::string(mark) + printable(text.substr(0, end));
    layout_.verbatim(event.time, event.phase, detail_indent(), styled(is_error ? Style::error : Style::output, line));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

void TextWriter::detail(const Event& event, const std::string& content) {
  layout_.row(event.time, event.phase, detail_indent(), "· " + content);
}

}  // namespace

std::unique_ptr<TraceSink> make_text_writer(ByteOutput& output, const TextOptions& options) {
  return std::make_unique<ByRuntime>(std::make_unique<TextWriter>(output, options),
                                     make_io_text_writer(output, options));
}

}  // namespace loopsim
