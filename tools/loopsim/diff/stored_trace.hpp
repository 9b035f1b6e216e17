// A trace kept in memory for comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/trace.hpp"

namespace loopsim::cli {

struct StoredTrace {
  std::string program;  // the version of loopsim that wrote it; empty: this one
  std::string title;
  std::string runtime;
  std::string libuv;
  std::string entry;
  std::string machine;
  std::uint32_t threadpool = 0;
  std::uint64_t seed = 0;
  TimeNs clock_phase = 0;
  std::vector<std::pair<std::string, std::string>> params;
  std::vector<std::string> names;
  std::vector<Event> events;
  std::string text;
  RunSummary summary;
  bool is_cut = false;  // events were dropped at the limit of events or text

  [[nodiscard]] std::string_view text_of(const Event& event) const {
    return std::string_view(text).substr(event.text_offset, event.text_size);
  }
  [[nodiscard]] std::string_view name_of(const Event& event) const {
    return event.name == kNoName ? std::string_view() : std::string_view(names[event.name]);
  }
};

class TraceStore final : public TraceSink {
 public:
  enum class Keeps {
    all_events,
    what_programs_notice
  };  // what_programs_notice: callbacks and their schedule events, output, limits, exit

  explicit TraceStore(Keeps keeps) : keeps_(keeps) {}

  void begin(const RunInfo& info) override;
  void events(const EventBatch& batch) override;
  void end(const RunSummary& summary) override { trace_.summary = summary; }

  [[nodiscard]] StoredTrace& trace() { return trace_; }

 private:
  Keeps keeps_;
  StoredTrace trace_;
};

}  // namespace loopsim::cli
