// Rows, the unit in which two traces are compared. A row keeps what happened apart from when it happened.
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
  bool ignore_times = false;   // compare only the rows and their order
  bool ignore_lines = false;   // the traces may come from different documents, so line numbers differ
  bool ignore_places = false;  // drop the line from generated names such as "setTimeout@5", too
};

struct Row {
  std::uint32_t what = 0;   // equal rows have equal numbers in all traces of one RowMaker
  std::uint64_t when = 0;   // the same for the row's times; 0 when times are ignored
  std::uint32_t event = 0;  // index into StoredTrace::events
};

// Whether generated names with line numbers denote the same steps on both sides: one set of them includes the other.
[[nodiscard]] bool places_agree(const StoredTrace& a, const StoredTrace& b);

// Makes rows and assigns numbers to their contents.
class RowMaker {
 public:
  explicit RowMaker(const RowOptions& options) : options_(options) {}

  [[nodiscard]] std::vector<Row> rows_of(const StoredTrace& trace);
  // Each row as an event, without t, loop and turn:
  // "callback_begin phase=timers api=setTimeout name=timer due=1000000".
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
  std::map<std::uint64_t, std::string> names_by_id_;  // of the trace last passed to note_ids
};

// Index of the first row that differs; nothing when there is none. If one side is a prefix of the other: its size.
[[nodiscard]] std::optional<std::size_t> first_difference(const std::vector<Row>& a, const std::vector<Row>& b);

// One line of the side-by-side view.
struct AlignedRow {
  enum class Mark : std::uint8_t { same, other_time, only_a, only_b, moved };
  Mark mark = Mark::same;
  std::size_t a = kNoRow;  // index into the rows; kNoRow: no row on this side
  std::size_t b = kNoRow;
  std::size_t other = kNoRow;  // moved: index of the same row on the other side
  bool comes_later = false;    // moved: it is further down on the other side
};

// All rows, aligned by a common subsequence of `what` (edits_in_stretches). Equal rows left out of it on both sides are
// paired and marked as moved.
[[nodiscard]] std::vector<AlignedRow> align(const std::vector<Row>& a, const std::vector<Row>& b);

// Index of the same row on the other side: the n-th row there with the same `what`. kNoRow: there is none.
[[nodiscard]] std::size_t counterpart(const std::vector<Row>& rows, std::size_t index, const std::vector<Row>& others);

}  // namespace loopsim::cli
