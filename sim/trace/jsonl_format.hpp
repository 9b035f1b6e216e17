// Formats events as canonical JSON lines (docs/trace-format.md), for the writer and for the hash.
//
// How it is fast: everything that does not change is text made ready before the run, so that a line is a few copies and a few
// numbers; copies have a fixed length, longer than needed, since that is what a compiler turns into one or two instructions; and
// what most events share with the ones before them (times, turn, phase, the running callback) is formatted once and copied. No
// memory is allocated for an event.
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

// ,"name":"..", or nothing for an empty name, of every name of a run, one behind the other: a run may have a million of them.
struct NamesAsFields {
  // As many bytes may be read from the begin of any name.
  static constexpr std::size_t kRoom = 32;

  void clear();
  void add(std::span<const std::string> names);

  std::string text{std::string(kRoom, '\0')};  // with kRoom bytes behind the last name
  std::vector<std::size_t> begins{0};          // of each name, and where the next one will begin
  std::size_t longest = 0;
};

// What lines have in common with lines before them, as text.
struct RecentText {
  // ,"t":..,"loop":..,"turn":..,"phase":".." of the event before, and what it was made of. No event has this time.
  TimeNs time = -1;
  TimeMs loop_time = 0;
  std::uint64_t turn = 0;
  Phase phase = Phase::main;
  std::size_t time_size = 0;   // of the digits of t, which stand at kTimeBegin
  std::size_t times_size = 0;  // of what stands before the turn
  std::size_t size = 0;
  std::array<char, 128> bytes{};
  static constexpr std::size_t kTimeBegin = 5;

  RecentDecimal sequence, turns;
  RecentDecimal running;    // the callback that began last
  RecentDecimal scheduled;  // the callback that was asked for last
  RecentDecimal line;
};

class JsonlFormatter {
 public:
  // Makes ready for a run: call before its first event.
  void begin(const RunInfo& info);

  // Formats a batch, and passes full buffers on to `output`.
  void write(const EventBatch& batch, ByteOutput& output);

  // Passes on what is left in the buffer.
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
