#include <map>

#include "loopsim/trace_text.hpp"
#include "loopsim/writers.hpp"

#include "sim/trace/call_lines.hpp"

namespace loopsim {
namespace {

class RecorderImpl final : public Recorder {
 public:
  void begin(const RunInfo& info) override {
    names_.assign(info.names.begin(), info.names.end());
    recording_ = {};
    is_io_ = is_io(info);
    processes_.clear();
  }

  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) {
      if (is_io_) {
        processes_[event.loop].take(event, batch.text_of(event),
                                    event.name < names_.size() ? names_[event.name] : std::string_view());
        continue;
      }
      if (event.kind == EventKind::log) recording_.output.emplace_back(batch.text_of(event));
      if (event.kind == EventKind::callback_begin && event.name != kNoName) {
        recording_.callbacks.push_back({names_[event.name], event.time});
      }
    }
  }

  void end(const RunSummary& summary) override {
    recording_.summary = summary;
    for (auto& [number, process] : processes_) {
      process.end();
      recording_.calls.emplace_back(process.model(), std::move(process.lines()));
    }
  }

  [[nodiscard]] const Recording& recording() const override { return recording_; }

 private:
  bool is_io_ = false;
  std::map<std::uint16_t, CallLines> processes_;
  std::vector<std::string> names_;
  Recording recording_;
};

}  // namespace

std::unique_ptr<Recorder> make_recorder() { return std::make_unique<RecorderImpl>(); }

}  // namespace loopsim
