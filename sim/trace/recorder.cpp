#include "loopsim/writers.hpp"

namespace loopsim {
namespace {

class RecorderImpl final : public Recorder {
 public:
  void begin(const RunInfo& info) override {
    names_.assign(info.names.begin(), info.names.end());
    recording_ = {};
  }

  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) {
      if (event.kind == EventKind::log) recording_.output.emplace_back(batch.text_of(event));
      if (event.kind == EventKind::callback_begin && event.name != kNoName) {
        recording_.callbacks.push_back({names_[event.name], event.time});
      }
    }
  }

  void end(const RunSummary& summary) override { recording_.summary = summary; }

  [[nodiscard]] const Recording& recording() const override { return recording_; }

 private:
  std::vector<std::string> names_;
  Recording recording_;
};

}  // namespace

std::unique_ptr<Recorder> make_recorder() { return std::make_unique<RecorderImpl>(); }

}  // namespace loopsim
