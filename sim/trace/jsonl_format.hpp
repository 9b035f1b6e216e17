// Formats events as canonical JSON lines (docs/trace-format.md), for the writer and for the hash.
//
// How it is fast: everything that does not change is text made ready before the run, so that a line is a few copies and a few
// numbers; copies have a fixed length, longer than needed, since that is what a compiler turns into one or two instructions; and
// what most events share with the one before them (times, turn, phase) is formatted once and copied. No memory is allocated
// for an event.
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

namespace loopsim {

// The header line, with its newline.
[[nodiscard]] std::string jsonl_header(const RunInfo& info);

// A name as a JSON string, with room behind it.
struct PaddedName {
  std::string text;
  std::size_t size;  // without what it is padded with
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
  // What most events have in common with the event before: ,"t":..,"loop":..,"turn":..,"phase":".."
  struct Common {
    TimeNs time = -1;
    TimeMs loop_time = 0;
    std::uint64_t turn = 0;
    Phase phase = Phase::main;
    std::size_t size = 0;        // 0: nothing is known
    std::size_t times_size = 0;  // of what stands before the turn
    std::array<char, 128> bytes{};
  };

  void add_names(std::span<const std::string> names);
  void format_common(const Event& event);
  char* put_common(char* out, const Event& event);
  char* put_event(char* out, const Event& event, std::string_view text);
  [[nodiscard]] std::size_t bound(const Event& event) const;

  std::vector<PaddedName> names_;
  std::size_t longest_name_ = 0;
  Common common_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

}  // namespace loopsim
