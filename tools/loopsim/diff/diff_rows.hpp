// What two traces are compared by: rows. A row says what happened; when it happened stands beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/loopsim/diff/stored_trace.hpp"

namespace loopsim::cli {

inline constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

struct RowOptions {
  bool all_events = false;     // a row for every event; else for callbacks, output lines, limits and the exit
  bool ignore_times = false;   // only what happens, and in which order
  bool ignore_lines = false;   // the traces come of two documents, in which the line of a step says nothing
  bool ignore_places = false;  // nor does it in the names that are made of it: "setTimeout@5"
};

struct Row {
  std::uint32_t what = 0;   // equal rows have equal numbers, in all traces that one Rows has made rows of
  std::uint64_t when = 0;   // the same for what times there are in it; 0 where they are ignored
  std::uint32_t event = 0;  // index into StoredTrace::events
};

// Whether the names that are made of lines mean the same steps on both sides: one side has no other ones than the other.
[[nodiscard]] bool places_agree(const StoredTrace& a, const StoredTrace& b);

// Makes rows, and numbers what they say.
class RowMaker {
 public:
  explicit RowMaker(const RowOptions& options) : options_(options) {}

  [[nodiscard]] std::vector<Row> rows_of(const StoredTrace& trace);
  // What the rows of a trace say as events, but for when: "callback_begin phase=timers api=setTimeout name=timer due=1000000".
  [[nodiscard]] std::vector<std::string> texts_of(const StoredTrace& trace, const std::vector<Row>& rows);
  [[nodiscard]] const RowOptions& options() const { return options_; }

 private:
  [[nodiscard]] std::uint32_t number(const std::string& text);
  [[nodiscard]] std::string name_of(const StoredTrace& trace, const Event& event) const;
  void note_ids(const StoredTrace& trace);
  void spell_event(const StoredTrace& trace, const Event& event, std::string& what, std::string& when) const;
  void spell_row(const StoredTrace& trace, const Event& event, std::string& what) const;

  RowOptions options_;
  std::map<std::string, std::uint32_t> numbers_;
  std::map<std::uint64_t, std::string> names_by_id_;  // of the trace that rows are made of
};

// The first row that is not the same on both sides; nothing when there is none. Where one side has ended, it is the row after its last.
[[nodiscard]] std::optional<std::size_t> first_difference(const std::vector<Row>& a, const std::vector<Row>& b);

// One line of both traces side by side.
struct AlignedRow {
  enum class Mark : std::uint8_t { same, other_time, only_a, only_b, moved };
  Mark mark = Mark::same;
  std::size_t a = kNoRow;  // index into the rows; kNoRow: there is none here
  std::size_t b = kNoRow;
  std::size_t other = kNoRow;  // moved: where the same row stands on the other side
  bool comes_later = false;    // moved: it stands further down there
};

// All rows: the longest common subsequence of what happens, and the rest where it stands. A row that has been left out here and stands
// elsewhere on the other side is one that has moved.
[[nodiscard]] std::vector<AlignedRow> align(const std::vector<Row>& a, const std::vector<Row>& b);

// The same row on the other side: the n-th of the rows that say what it says. kNoRow: there is none.
[[nodiscard]] std::size_t counterpart(const std::vector<Row>& rows, std::size_t index, const std::vector<Row>& others);

}  // namespace loopsim::cli
