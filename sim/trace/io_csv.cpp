#include "sim/trace/io_csv.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/trace/csv_table.hpp"
#include "sim/trace/event_table.hpp"

namespace loopsim {
namespace {

constexpr std::array<std::string_view, 11> kColumns = {
    "process", "thread", "call", "args", "result", "began_ns", "ended_ns", "cpu_ns", "blocked_ns", "calls", "vain"};

class IoCsv final : public TraceSink {
 public:
  IoCsv(ByteOutput& output, const CsvOptions& options) : table_(output, options.source, kColumns) {}

  void begin(const RunInfo& info) override {
    names_.assign(info.names.begin(), info.names.end());
    table_.begin(info);
  }

  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) tell(event, batch.text_of(event));
  }

  void end(const RunSummary&) override { table_.flush(); }

 private:
  struct Row {
    std::string_view result;
    TimeNs began = 0, ended = 0, blocked = 0;
    std::int64_t calls = 1;
    bool is_vain = false;
  };

  void tell(const Event& event, std::string_view text) {
    switch (event.kind) {
      case EventKind::state:
        if (event.name < names_.size()) models_.try_emplace(event.loop, names_[event.name]);
        break;
      case EventKind::syscall: arguments_[{event.loop, event.by}] = text; break;
      case EventKind::sysret:
        write(event, arguments_[{event.loop, event.by}],
              {text, event.time - event.a, event.time, std::max<TimeNs>(event.b, 0), 1, event.detail2 != 0});
        break;
      case EventKind::spin: write(event, text, {{}, event.time, event.c, 0, event.b, true}); break;
      default: break;
    }
  }

  void write(const Event& event, std::string_view arguments, const Row& row) {
    table_.begin_row();
    table_.add_text(models_[event.loop]);
    table_.add_number(event.by, event.by != 0);
    table_.add_text(events::kSysCalls[event.detail]);
    table_.add_text(arguments);
    table_.add_text(row.result);
    table_.add_number(row.began);
    table_.add_number(row.ended);
    table_.add_number(row.ended - row.began - row.blocked);
    table_.add_number(row.blocked);
    table_.add_number(row.calls);
    table_.add_number(row.is_vain ? row.calls : 0);
    table_.end_line();
  }

  CsvTable table_;
  std::vector<std::string> names_;
  std::map<std::uint16_t, std::string> models_;                               // of the processes
  std::map<std::pair<std::uint16_t, std::uint64_t>, std::string> arguments_;  // of the last call of each thread
};

}  // namespace

std::unique_ptr<TraceSink> make_io_csv(ByteOutput& output, const CsvOptions& options) {
  return std::make_unique<IoCsv>(output, options);
}

}  // namespace loopsim
