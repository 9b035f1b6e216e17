// Which reader a trace needs, known by how it begins.

#include "loopsim/trace_reader.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/trace/compact_form.hpp"
#include "sim/trace/compact_reader.hpp"
#include "sim/trace/jsonl_reader.hpp"

namespace loopsim {
namespace {

// Chooses the reader with the first bytes; what does not begin as a compact trace is read as lines.
class AnyReader final : public TraceReader {
 public:
  AnyReader(std::string file, std::span<TraceSink* const> sinks)
      : file_(std::move(file)), sinks_(sinks.begin(), sinks.end()) {}

  void read(std::string_view bytes) override {
    if (reader_ != nullptr) return reader_->read(bytes);
    beginning_.append(bytes);
    const std::string_view known = compact::kMagic.substr(0, std::min(beginning_.size(), compact::kMagic.size()));
    if (beginning_.size() < compact::kMagic.size() && beginning_ == known) return;
    choose();
  }
  void finish() override {
    if (reader_ == nullptr) choose();
    reader_->finish();
  }
  [[nodiscard]] const Diagnostics& diagnostics() const override {
    static const Diagnostics kNone;
    return reader_ == nullptr ? kNone : reader_->diagnostics();
  }

 private:
  void choose() {
    reader_ = is_compact_trace(beginning_) ? make_compact_reader(file_, sinks_) : make_jsonl_reader(file_, sinks_);
    reader_->read(beginning_);
    beginning_ = {};
  }

  std::string file_;
  std::vector<TraceSink*> sinks_;
  std::string beginning_;
  std::unique_ptr<TraceReader> reader_;
};

}  // namespace

bool is_compact_trace(std::string_view beginning) {
  constexpr std::string_view kWithoutVersion = compact::kMagic.substr(0, compact::kMagic.find(' ') + 1);
  return beginning.starts_with(kWithoutVersion);
}

std::unique_ptr<TraceReader> make_trace_reader(std::string file, std::span<TraceSink* const> sinks) {
  return std::make_unique<AnyReader>(std::move(file), sinks);
}

Diagnostics read_trace(std::string_view text, std::string file, std::span<TraceSink* const> sinks) {
  const std::unique_ptr<TraceReader> reader = make_trace_reader(std::move(file), sinks);
  reader->read(text);
  reader->finish();
  return reader->diagnostics();
}

}  // namespace loopsim
