// What the program prints, and nothing else.

#include <string>

#include "loopsim/writers.hpp"

namespace loopsim {
namespace {

class ConsoleWriter final : public TraceSink {
 public:
  ConsoleWriter(ByteOutput& output, ByteOutput& errors) : output_(output), errors_(errors) {}

  void begin(const RunInfo& /*info*/) override {}

  void events(const EventBatch& batch) override {
    for (const Event& event : batch.events) {
      if (event.kind != EventKind::log && event.kind != EventKind::error_log) continue;
      line_.assign(batch.text_of(event)).push_back('\n');
      (event.kind == EventKind::log ? output_ : errors_).write(line_);
    }
  }

  void end(const RunSummary& /*summary*/) override {}

 private:
  ByteOutput& output_;
  ByteOutput& errors_;
  std::string line_;
};

}  // namespace

std::unique_ptr<TraceSink> make_console_writer(ByteOutput& output, ByteOutput& errors) {
  return std::make_unique<ConsoleWriter>(output, errors);
}

}  // namespace loopsim
