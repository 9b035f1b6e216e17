// Formats events as canonical JSON lines (docs/trace-format.md), for the writer and for the hash.
//
// It is fast because constant text is prepared before the run, so that a line takes a few copies and a few numbers;
// because copies have a fixed length, longer than needed, which compilers turn into one or two instructions; and
// because text that most events share with the previous ones (times, turn, phase, the running callback) is formatted
// once and copied. There is no allocation per event.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"

#include "sim/trace/decimal.hpp"

namespace loopsim {

// The header line, with its newline.
[[nodiscard]] std::string jsonl_header(const RunInfo& info);

// All names of a run as ,"name":"..", or nothing for an empty name, in one text: a run can have a million names.
struct NamesAsFields {
  // This many bytes can be read from the begin of any name.
  static constexpr std::size_t kRoom = 32;

  void clear();
  void add(std::span<const std::string> names);

  std::string text{std::string(kRoom, '\0')};  // followed by kRoom bytes
  std::vector<std::size_t> begins{0};          // begin of each name, then the end of the last
  std::size_t longest = 0;
};

// Text that a line shares with previous lines.
struct RecentText {
  // ,"t":..,"loop":..,"turn":..,"phase":".." of the previous event, and its values. No event has the time -1.
  TimeNs time = -1;
  TimeMs loop_time = 0;
  std::uint64_t turn = 0;
  Phase phase = Phase::main;
  std::size_t time_size = 0;   // of the digits of t, at kTimeBegin
  std::size_t times_size = 0;  // of the text before the turn
  std::size_t size = 0;
  std::array<char, 128> bytes{};
  static constexpr std::size_t kTimeBegin = 5;

  RecentDecimal sequence, turns;
  RecentDecimal running;    // id of the callback that began last
  RecentDecimal scheduled;  // id of the callback scheduled last
  RecentDecimal line;
};

class JsonlFormatter {
 public:
  // Resets the state for a run; call before its first event.
  void begin(const RunInfo& info);

  // Formats a batch; writes full buffers to `output`.
  void write(const EventBatch& batch, ByteOutput& output);

  // Writes the rest of the buffer.
  void flush(ByteOutput& output);

 private:
  void format_common(const Event& event);
  char* put_common(char* out, const Event& event);
  char* put_event(char* out, const Event& event, std::string_view text);
  void make_room(std::size_t needed, ByteOutput& output);

  NamesAsFields names_;
  RecentText recent_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

}  // namespace loopsim
