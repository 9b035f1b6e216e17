// A table of callbacks: RFC 4180 with LF line ends, a header, then one row per callback, in the order in which they
// begin.
//
// A row is complete when its callback has ended, and callbacks nest. So rows wait in a queue until all callbacks that
// began before have ended: it holds the rows from the oldest open callback on.

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loopsim/writers.hpp"

#include "sim/trace/by_runtime.hpp"
#include "sim/trace/csv_table.hpp"
#include "sim/trace/io_csv.hpp"

namespace loopsim {
namespace {

constexpr std::array<std::string_view, 15> kColumns = {"id",      "name",     "api",    "op",       "phase",
                                                       "turn",    "asked_ns", "due_ns", "began_ns", "ended_ns",
                                                       "late_ns", "why",      "behind", "by",       "how"};

// The word in event_table() for this value of a field.
std::string_view word_of(EventKind kind, FieldInfo::Source source, std::uint8_t value) {
  for (const FieldInfo& field : event_table()[static_cast<std::size_t>(kind)].fields) {
    if (field.source == source && value < field.words.size()) return field.words[value];
  }
  return {};
}

class CsvWriter final : public TraceSink {
 public:
  CsvWriter(ByteOutput& output, const CsvOptions& options) : table_(output, options.source, kColumns) {}

  void begin(const RunInfo& info) override;
  void events(const EventBatch& batch) override;
  void end(const RunSummary& summary) override;

 private:
  struct Row {
    Event begin;
    std::string op;
    TimeNs asked = -1;
    TimeNs ended = -1;  // -1: still open when the run ended
    Completion how = Completion::normal;
    bool is_open = true;
  };

  void begin_callback(const Event& event, std::string_view op);
  void end_callback(const Event& event);
  void write_complete_rows();
  void write_row(const Row& row);

  CsvTable table_;
  std::vector<std::string> names_;
  // Schedule times by id, of callbacks that have not begun.
  std::unordered_map<std::uint64_t, TimeNs> asked_;  // lookup only, never iterated
  std::deque<Row> rows_;                             // from the oldest open callback on
  std::size_t written_ = 0;                          // rows before rows_.front()
  std::vector<std::size_t> open_;                    // row numbers of the open callbacks, innermost last
};

void CsvWriter::begin(const RunInfo& info) {
  names_.assign(info.names.begin(), info.names.end());
  table_.begin(info);
}

void CsvWriter::events(const EventBatch& batch) {
  names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
  for (const Event& event : batch.events) {
    switch (event.kind) {
      case EventKind::schedule: asked_[event.id] = event.time; break;
      case EventKind::cancel: asked_.erase(event.id); break;
      case EventKind::callback_begin: begin_callback(event, batch.text_of(event)); break;
      case EventKind::callback_end: end_callback(event); break;
      default: break;
    }
  }
}

void CsvWriter::begin_callback(const Event& event, std::string_view op) {
  Row row;
  row.begin = event;
  row.op = op;
  if (const auto asked = asked_.find(event.id); asked != asked_.end()) {
    row.asked = asked->second;
    asked_.erase(asked);
  }
  open_.push_back(written_ + rows_.size());
  rows_.push_back(std::move(row));
}

void CsvWriter::end_callback(const Event& event) {
  if (open_.empty()) return;
  Row& row = rows_[open_.back() - written_];
  open_.pop_back();
  row.is_open = false;
  row.ended = event.time;
  row.how = static_cast<Completion>(event.detail);
  write_complete_rows();
}

void CsvWriter::write_complete_rows() {
  while (!rows_.empty() && !rows_.front().is_open) {
    write_row(rows_.front());
    rows_.pop_front();
    ++written_;
  }
}

void CsvWriter::write_row(const Row& row) {
  const Event& begin = row.begin;
  table_.begin_row();
  table_.add_number(begin.id, true);
  table_.add_text(begin.name == kNoName ? std::string_view{} : names_[begin.name]);
  table_.add_text(to_string(begin.api));
  table_.add_text(row.op);
  table_.add_text(to_string(begin.phase));
  table_.add_number(begin.turn, true);
  table_.add_number(row.asked, row.asked >= 0);
  table_.add_number(begin.a, begin.a >= 0);
  table_.add_number(begin.time, true);
  table_.add_number(row.ended, row.ended >= 0);
  table_.add_number(begin.b, begin.b >= 0);
  const bool has_reason = static_cast<LateReason>(begin.detail) != LateReason::none;
  table_.add_text(has_reason ? word_of(EventKind::callback_begin, FieldInfo::Source::detail, begin.detail)
                             : std::string_view{});
  table_.add_number(begin.c, begin.c > 0);
  table_.add_number(begin.by, begin.by > 0);
  const auto how = static_cast<std::uint8_t>(row.how);
  table_.add_text(row.is_open ? std::string_view{} : word_of(EventKind::callback_end, FieldInfo::Source::detail, how));
  table_.end_line();
}

// Callbacks still open at the end of the run have no end time.
void CsvWriter::end(const RunSummary&) {
  for (const Row& row : rows_) write_row(row);
  rows_.clear();
  table_.flush();
}

}  // namespace

std::unique_ptr<TraceSink> make_csv_writer(ByteOutput& output, const CsvOptions& options) {
  return std::make_unique<ByRuntime>(std::make_unique<CsvWriter>(output, options), make_io_csv(output, options));
}

}  // namespace loopsim
