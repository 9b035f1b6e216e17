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

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include "loopsim/text.hpp"
#include "loopsim/writers.hpp"

#include "sim/trace/json_line.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kFlushSize = 64U << 10;

constexpr std::array<std::string_view, 4> kRunColumns = {"run", "runtime", "seed", "scenario"};
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

// A JSON string without its quotes; any other value as written.
std::string cell_of_json(const std::string& json) {
  JsonLine line;
  const std::string object = "{\"value\":" + json + "}";
  if (!line.read(object) || line.members().size() != 1) return json;
  const JsonMember& value = line.members().front();
  return value.kind == JsonMember::Kind::text ? std::string(value.text) : json;
}

// Identifies a run: the same for every version of loopsim, different when any input of the run differs.
std::uint64_t id_of(const RunInfo& info, std::string_view source) {
  XXH64_state_t state;
  XXH64_reset(&state, 0);
  XXH64_update(&state, source.data(), source.size());
  const auto add = [&state](std::string_view part) {
    XXH64_update(&state, "", 1);  // the terminating zero separates the parts
    XXH64_update(&state, part.data(), part.size());
  };
  for (const std::string_view part : {info.title, info.runtime, info.libuv, info.entry, info.machine}) add(part);
  for (const std::uint64_t number :
       {static_cast<std::uint64_t>(info.threadpool), info.seed, static_cast<std::uint64_t>(info.clock_phase)}) {
    add(std::to_string(number));
  }
  for (const auto& [name, json] : info.params) add(name), add(json);
  return XXH64_digest(&state);
}

class CsvWriter final : public TraceSink {
 public:
  CsvWriter(ByteOutput& output, const CsvOptions& options) : output_(output), source_(options.source) {}

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

  void add_text(std::string_view cell) {
    add_csv_text(text_, cell);
    text_ += ',';
  }
  template <typename Integer>
  void add_number(Integer value, bool is_there) {
    if (is_there) text_ += std::to_string(value);
    text_ += ',';
  }
  void end_line() {
    text_.back() = '\n';  // replaces the comma after the last cell
    if (text_.size() >= kFlushSize) flush();
  }
  void flush() {
    output_.write(text_);
    text_.clear();
  }

  ByteOutput& output_;
  std::string source_;
  std::vector<std::string> names_;
  std::string run_cells_;  // the first cells of every row
  // Schedule times by id, of callbacks that have not begun.
  std::unordered_map<std::uint64_t, TimeNs> asked_;  // lookup only, never iterated
  std::deque<Row> rows_;                             // from the oldest open callback on
  std::size_t written_ = 0;                          // rows before rows_.front()
  std::vector<std::size_t> open_;                    // row numbers of the open callbacks, innermost last
  std::string text_;
};

void CsvWriter::begin(const RunInfo& info) {
  names_.assign(info.names.begin(), info.names.end());
  for (const std::string_view column : kRunColumns) add_text(column);
  const auto is_taken = [](std::string_view name) {
    return std::ranges::find(kRunColumns, name) != kRunColumns.end() ||
           std::ranges::find(kColumns, name) != kColumns.end();
  };
  for (const auto& [name, json] : info.params) add_text(is_taken(name) ? "param." + name : name);
  for (const std::string_view column : kColumns) add_text(column);
  end_line();

  std::string header = std::exchange(text_, {});
  add_text(format_hash(id_of(info, source_)));
  add_text(info.runtime);
  add_number(info.seed, true);
  add_text(info.title);
  for (const auto& [name, json] : info.params) add_text(cell_of_json(json));
  run_cells_ = std::exchange(text_, std::move(header));
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
  text_ += run_cells_;
  add_number(begin.id, true);
  add_text(begin.name == kNoName ? std::string_view{} : names_[begin.name]);
  add_text(to_string(begin.api));
  add_text(row.op);
  add_text(to_string(begin.phase));
  add_number(begin.turn, true);
  add_number(row.asked, row.asked >= 0);
  add_number(begin.a, begin.a >= 0);
  add_number(begin.time, true);
  add_number(row.ended, row.ended >= 0);
  add_number(begin.b, begin.b >= 0);
  const bool has_reason = static_cast<LateReason>(begin.detail) != LateReason::none;
  add_text(has_reason ? word_of(EventKind::callback_begin, FieldInfo::Source::detail, begin.detail)
                      : std::string_view{});
  add_number(begin.c, begin.c > 0);
  add_number(begin.by, begin.by > 0);
  const auto how = static_cast<std::uint8_t>(row.how);
  add_text(row.is_open ? std::string_view{} : word_of(EventKind::callback_end, FieldInfo::Source::detail, how));
  end_line();
}

// Callbacks still open at the end of the run have no end time.
void CsvWriter::end(const RunSummary&) {
  for (const Row& row : rows_) write_row(row);
  rows_.clear();
  flush();
}

}  // namespace

std::unique_ptr<TraceSink> make_csv_writer(ByteOutput& output, const CsvOptions& options) {
  return std::make_unique<CsvWriter>(output, options);
}

}  // namespace loopsim
