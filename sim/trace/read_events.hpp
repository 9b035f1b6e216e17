// What the readers of traces share, whatever a trace is written in: names found on the way, batches for the sinks, the
// summary, and which loops have ended.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"

namespace loopsim {

class ReadEvents {
 public:
  explicit ReadEvents(std::span<TraceSink* const> sinks);

  void begin(const RunInfo& info);
  [[nodiscard]] std::uint32_t name_index(std::string_view name);
  void set_text(Event& event, std::string_view text);

  [[nodiscard]] const Event& last() const { return last_; }
  // Whether that loop, or process, has ended; and whether all that have begun have.
  [[nodiscard]] bool has_ended(std::uint16_t loop) const;
  [[nodiscard]] bool all_have_ended() const { return has_exit_ && running_ == 0; }

  // Adds an event; the sinks get it with its batch, unless fail() has been called by then.
  void take(const Event& event);
  void fail() { failed_ = true; }
  void end();

 private:
  void flush();

  std::vector<TraceSink*> sinks_;
  bool failed_ = false;
  enum class Life : std::uint8_t { unknown, running, ended };
  std::vector<Life> lives_;
  std::size_t running_ = 0;
  bool has_exit_ = false;
  std::map<std::string, std::uint32_t, std::less<>> name_indices_;
  std::vector<std::string> new_names_;
  std::vector<Event> batch_;
  std::string batch_text_;
  Event last_;
  RunSummary summary_;
};

}  // namespace loopsim
