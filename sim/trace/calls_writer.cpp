// The lines of calls of a run; of several processes one after the other, each behind a line with its model.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/writers.hpp"

#include "sim/trace/call_lines.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kFlushLines = 1024;

class CallsWriter final : public TraceSink {
 public:
  explicit CallsWriter(ByteOutput& output) : output_(output) {}

  void begin(const RunInfo& info) override { names_.assign(info.names.begin(), info.names.end()); }

  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) {
      CallLines& process = processes_[event.loop];
      process.take(event, batch.text_of(event),
                   event.name < names_.size() ? std::string_view(names_[event.name]) : std::string_view());
      if (processes_.size() == 1 && process.lines().size() >= kFlushLines) write(process);
    }
  }

  void end(const RunSummary&) override {
    for (auto& [number, process] : processes_) {
      process.end();
      if (processes_.size() > 1) output_.write("# " + process.model() + "\n");
      write(process);
    }
  }

 private:
  void write(CallLines& process) {
    std::string text;
    for (const std::string& line : process.lines()) text.append(line).push_back('\n');
    process.lines().clear();
    output_.write(text);
  }

  ByteOutput& output_;
  std::vector<std::string> names_;
  std::map<std::uint16_t, CallLines> processes_;
};

}  // namespace

std::unique_ptr<TraceSink> make_calls_writer(ByteOutput& output) { return std::make_unique<CallsWriter>(output); }

}  // namespace loopsim
