// The contents of a drawing of a run, without positions: rows in the order of events, and items that span rows.
//
// A run has few moments with many events each, because only waiting and computing take time. So the drawing's axis is
// broken: a moment has as many rows as it needs, in order, and between moments is a gap labelled with its length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"
#include "loopsim/writers.hpp"

#include "sim/trace/folder.hpp"
#include "sim/trace/text_words.hpp"

namespace loopsim {

// A row of the drawing.
struct DrawnRow {
  enum class Kind : char { turn, phase, callback, note, console, outside, fold };
  Kind kind = Kind::note;
  TimeNs time = 0;
  int depth = 0;  // levels of indentation
  std::string text;
  std::string more;        // a second line, of a fold
  bool has_turns = false;  // a fold of whole turns
  std::string console;     // output printed here
  bool is_error = false;
  bool is_aside = false;  // reported late: not in the order of the loop's thread
};

// A position in the order: at `time`, after those of the first `rows` rows that have that time.
struct DrawnPlace {
  TimeNs time = 0;
  std::size_t rows = 0;
};

enum class DrawnMark : char { task, tick, microtask, nested };

struct DrawnCallback {
  std::uint64_t id = 0;
  std::size_t row = 0;
  DrawnPlace end;
  int depth = 0;
  DrawnMark mark = DrawnMark::task;
  std::string name;
  std::string rest;        // of the description: " (setTimeout)"
  std::string late;        // "5 ms late: the main script was running", or empty
  std::string late_for;    // "5 ms late"
  std::string late_words;  // the full sentence
  TimeNs due = -1;
  TimeNs lateness = 0;
  bool has_origin = false;  // it was asked for at `origin`; a reaction: its promise was settled there
  DrawnPlace origin;
  int origin_depth = 0;  // of the callback that did; -1: Node did
};

// A step that took time on the loop's thread.
struct DrawnBurn {
  DrawnPlace from;
  TimeNs to = 0;
  int depth = 0;
  bool is_spin = false;
  std::string text;
};

struct DrawnPhase {
  std::string name;
  DrawnPlace begin;
  DrawnPlace end;
  bool is_open = true;
};

struct DrawnWait {
  DrawnPlace from;
  TimeNs to = 0;
  std::string text;
};

// Work on a thread of the pool.
struct DrawnWork {
  std::size_t thread = 0;
  TimeNs from = 0;
  TimeNs to = 0;
  std::string name;
  std::string text;
};

struct DrawnStall {
  TimeNs from = 0;
  TimeNs to = 0;
  StallReason reason = StallReason::none;
  std::string text;
};

class DrawnTimeline final : private FoldTarget {
 public:
  // Follows a run until the drawing is about `options.height` pixels high. Repetitions are folded, unless `options.all` is
  // set.
  explicit DrawnTimeline(const SvgOptions& options)
      : height_(options.height),
        language_(options.language),
        all_(options.all),
        folder_(*this, {.passes_queues = true, .empty_turns = true, .notes = options.notes}) {}

  void begin(const RunInfo& info) { labels_.begin(info, language_); }
  void events(const EventBatch& batch);
  void end(TimeNs time);

  [[nodiscard]] bool is_cut() const { return is_cut_; }  // the run has more than is drawn
  [[nodiscard]] std::uint64_t folded_callbacks() const { return folded_callbacks_; }
  // What was asked for and has not begun, as far as it was followed.
  [[nodiscard]] std::vector<std::string> waiting() const;
  [[nodiscard]] TimeNs last_time() const { return time_; }
  [[nodiscard]] const std::vector<DrawnRow>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<DrawnCallback>& callbacks() const { return callbacks_; }
  [[nodiscard]] const std::vector<DrawnBurn>& burns() const { return burns_; }
  [[nodiscard]] const std::vector<DrawnPhase>& phases() const { return phases_; }
  [[nodiscard]] const std::vector<DrawnWait>& waits() const { return waits_; }
  [[nodiscard]] const std::vector<DrawnWork>& work() const { return work_; }
  [[nodiscard]] const std::vector<DrawnStall>& stalls() const { return stalls_; }

 private:
  // Where a callback that has not begun was asked for, or its promise was settled; the same for a job of V8.
  struct Origin {
    DrawnPlace place;
    int depth = -1;
  };
  struct Asked {
    std::uint64_t id = 0;
    Origin origin;
  };

  void shown(const Event& event, std::string_view text) override {
    if (!is_cut_) tell(event, text);
  }
  void hidden(const Event& event, std::string_view text, bool begins) override;
  void folded(const Fold& fold) override;

  void tell(const Event& event, std::string_view text);
  void report_asked(const Event& event);
  void report_queued(const Event& event);
  void forget(std::uint64_t id);
  void report_phase(const Event& event);
  void report_poll(const Event& event);
  void report_callback(const Event& event, std::string_view op);
  void report_line(const Event& event, std::string_view text);
  void report_burn(const Event& event);
  void report_stall(const Event& event);
  void open_phase(std::string name, DrawnPlace begin);
  void close_phase(bool with_row = true);
  void add_row(DrawnRow::Kind kind, TimeNs time, std::string text);
  void add_aside(TimeNs time, std::string text);

  [[nodiscard]] Origin origin_in(std::uint64_t callback) const;
  [[nodiscard]] DrawnPlace here() const { return {time_, rows_.size()}; }
  [[nodiscard]] int depth() const { return static_cast<int>(open_.size()) + (is_draining_ ? 1 : 0); }

  // Every distinct time adds height: a row, or the gap before it.
  void note_time(TimeNs time) { times_.insert(time); }
  [[nodiscard]] bool is_full() const;

  int height_;
  Language language_;
  bool all_;
  Folder folder_;
  std::uint64_t folded_callbacks_ = 0;
  std::set<TimeNs> times_;
  bool is_cut_ = false;
  TimeNs time_ = 0;
  Labels labels_;
  std::vector<DrawnRow> rows_;
  std::vector<DrawnCallback> callbacks_;
  std::vector<DrawnBurn> burns_;
  std::vector<DrawnPhase> phases_;
  std::vector<DrawnWait> waits_;
  std::vector<DrawnWork> work_;
  std::vector<DrawnStall> stalls_;
  std::vector<Asked> asked_;
  std::map<std::uint64_t, Origin> jobs_;  // queued, by entry
  Origin job_;                            // of the job that is running
  std::vector<std::size_t> open_;         // open callbacks, innermost last
  bool is_draining_ = false;
  Phase phase_ = Phase::main;
  std::size_t phase_rows_ = 0;  // number of rows at the phase's begin
};

}  // namespace loopsim
