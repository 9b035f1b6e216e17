// Results of a comparison, and the reports on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/loopsim/diff/diff_reason.hpp"
#include "tools/loopsim/diff/diff_rows.hpp"
#include "tools/loopsim/diff/diff_side.hpp"

namespace loopsim::cli {

// One row of one side, with its context.
struct Sight {
  std::size_t row = 0;
  const Event* event = nullptr;      // null: this side has fewer rows
  const Event* schedule = nullptr;   // schedule event of the callback
  const Event* within = nullptr;     // callback that scheduled this one, or was running at this event
  std::size_t counterpart = kNoRow;  // the same row on the other side
};

struct Finding {
  const Side* a = nullptr;
  const Side* b = nullptr;
  std::optional<std::size_t> difference;  // the first row that differs
  bool is_same_trace = false;             // every event is the same
  bool beyond = false;                    // all rows are the same, but a trace was cut and the hashes differ
  Sight a_sight, b_sight;
  std::optional<Reason> reason;
  std::vector<std::string> facts;  // differences in the traces' own data, when there is no reason
  std::vector<AlignedRow> aligned;

  [[nodiscard]] bool is_different() const { return difference.has_value() || beyond; }
};

// Versions with the same outcome.
struct Group {
  std::vector<std::size_t> sides;
  std::string error;  // why the scenario cannot be run in them; empty: it can
};

struct Study {
  std::string path;
  std::string title;
  std::vector<Side> sides;
  std::vector<Group> groups;
  std::vector<Finding> steps;  // consecutive versions that differ
};

struct ReportOptions {
  int width = 100;
  bool color = false;
  std::size_t context = 3;  // equal rows to show around different ones
};

[[nodiscard]] Sight look(const Side& side, const Side& other, std::size_t row);
[[nodiscard]] std::vector<std::string> facts_of(const Finding& finding);

// "node-4..node-10, node-12"
[[nodiscard]] std::string spell_versions(const Study& study, const std::vector<std::size_t>& sides);
// "12 callbacks, 3 lines of output, exit code 0 at 12.000 ms"
[[nodiscard]] std::string outcome_words(const Side& side);
// "main script", "timer (setTimeout)"
[[nodiscard]] std::string callback_words(const StoredTrace& trace, const Event& event);
// "▶ timer (setTimeout)", "│ line of output", "■ " before the exit or a limit
[[nodiscard]] std::string row_words(const StoredTrace& trace, const Event& event);

[[nodiscard]] std::string text_report(const Finding& finding, RowMaker& rows, const ReportOptions& options);
[[nodiscard]] std::string text_report(const Study& study, RowMaker& rows, const ReportOptions& options);
[[nodiscard]] std::string json_report(const Finding& finding, RowMaker& rows);
[[nodiscard]] std::string json_report(const Study& study, RowMaker& rows);

}  // namespace loopsim::cli
