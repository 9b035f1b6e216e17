// What writer and reader of the compact trace share: how the value of each key is coded, and what it is counted from.
//
// The form is documented in docs/trace-format.md, and is described by every file itself: kinds of events, their keys and
// codings are defined in it when they are first used. So a change of the table of events changes no file that is there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "loopsim/trace.hpp"

namespace loopsim::compact {

inline constexpr std::string_view kMagic = "loopsim_compact 1\n";

// A block ends with this many events, or with the event by which its columns have this many bytes.
inline constexpr std::size_t kBlockEvents = 32768;
inline constexpr std::size_t kBlockBytes = 1U << 20U;

// How a key's values are coded. Numbers are differences to a base, which is all that these differ in.
enum class Coding : std::uint8_t {
  word,          // number of a text of the file
  name,          // the same
  text,          // its length; its bytes stand in the column after
  from_zero,     // the value itself
  from_last,     // the last value of this key and kind
  from_time,     // the event's time
  from_running,  // the id of the callback that runs
  from_id,       // the event's own id
  from_asked,    // the id of the last `schedule`
  from_delay,    // the loop's time, later by the event's `delay` in whole milliseconds
};
// Beside the coding of a key.
inline constexpr std::uint8_t kOptionalBit = 0x10;  // it may be absent
inline constexpr std::uint8_t kSignedBit = 0x20;    // a number that may be below 0; -1 stands for an absent one, not 0
inline constexpr std::uint8_t kFlagBit = 0x40;      // a number that is 0 or 1, for false and true

// The columns that all events share; those of kinds follow in the order in which these are defined: a mask, then two for
// each key, the codes and, of texts, the bytes.
enum CommonColumn : std::uint8_t { kKinds, kTimes, kLoops, kTurns, kPhases, kLoopIds, kCommonColumns };

// An event's mask has a bit for each key that is not as it was in the last event of the kind: the same word, name or text,
// the same difference, or absent again. Above those stand these.
enum CommonBit : std::uint8_t { kTimeBit, kLoopBit, kTurnBit, kPhaseBit, kLoopIdBit, kCommonBits };

constexpr Coding coding_of(EventKind kind, const FieldInfo& field) {
  using Source = FieldInfo::Source;
  using Type = FieldInfo::Type;
  if (field.type == Type::word) return Coding::word;
  if (field.source == Source::name) return Coding::name;
  if (field.type == Type::text) return Coding::text;
  switch (field.source) {
    case Source::id:
      if (kind == EventKind::callback_end) return Coding::from_running;
      return kind == EventKind::callback_begin || kind == EventKind::poll ? Coding::from_asked : Coding::from_last;
    case Source::by:
      if (kind == EventKind::callback_begin) return Coding::from_id;
      return field.key == "by" ? Coding::from_running : Coding::from_zero;
    case Source::promise:
    case Source::result: return Coding::from_last;
    case Source::line:
    case Source::column: return Coding::from_zero;
    default: break;
  }
  if (field.type == Type::id) return Coding::from_last;
  if (field.key == "due" && kind == EventKind::schedule) return Coding::from_delay;
  for (const std::string_view point : {"due", "at", "started", "from", "until"}) {
    if (field.type == Type::time_ns && field.key == point) return Coding::from_time;
  }
  return field.key == "entry" ? Coding::from_last : Coding::from_zero;
}

// The callbacks that run, innermost last; deeper ones than kDeepest are not told apart.
class Running {
 public:
  void begin(std::uint64_t id) {
    if (depth_ < kDeepest) ids_[depth_] = id;
    ++depth_;
  }
  void end() {
    if (depth_ > 0) --depth_;
  }
  [[nodiscard]] std::uint64_t id() const {
    return depth_ == 0 ? 0 : ids_[depth_ < kDeepest ? depth_ - 1 : kDeepest - 1];
  }

 private:
  static constexpr std::size_t kDeepest = 64;
  std::array<std::uint64_t, kDeepest> ids_{};
  std::size_t depth_ = 0;
};

// Differences as numbers from 0: 0, -1, 1, -2 ... are 0, 1, 2, 3 ...
constexpr std::uint64_t zigzag(std::uint64_t difference) { return (difference << 1U) ^ (0 - (difference >> 63U)); }
constexpr std::uint64_t unzigzag(std::uint64_t number) { return (number >> 1U) ^ (0 - (number & 1U)); }

// The code of a number: the difference to its base. Where the key may be absent, 0 stands for that, and the difference
// that the value of an absent key would have is left out of the count. All arithmetic is modulo 2^64.
constexpr std::uint64_t code_of(std::uint64_t difference) { return zigzag(difference); }
constexpr std::uint64_t optional_code_of(std::uint64_t difference, std::uint64_t base, std::uint64_t absent) {
  const std::uint64_t code = zigzag(difference);
  return code < zigzag(absent - base) ? code + 1 : code;
}
constexpr std::uint64_t optional_difference_of(std::uint64_t code, std::uint64_t base, std::uint64_t absent) {
  return unzigzag(code <= zigzag(absent - base) ? code - 1 : code);
}

// Whether it may be below 0: what is in a, b or c, but for ids and flags.
constexpr bool is_signed(const FieldInfo& field) {
  using Source = FieldInfo::Source;
  using Type = FieldInfo::Type;
  const bool is_wide = field.source == Source::a || field.source == Source::b || field.source == Source::c;
  return is_wide && (field.type == Type::time_ns || field.type == Type::time_ms || field.type == Type::count);
}

// The value that stands for an absent key.
constexpr std::uint64_t absent_value(const FieldInfo& field) { return is_signed(field) ? UINT64_MAX : 0; }

constexpr std::uint8_t coding_byte(EventKind kind, const FieldInfo& field) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(coding_of(kind, field)) |
                                   (field.optional ? kOptionalBit : 0U) | (is_signed(field) ? kSignedBit : 0U) |
                                   (field.type == FieldInfo::Type::flag ? kFlagBit : 0U));
}

constexpr std::uint64_t due_base(const Event& event, std::uint64_t delay) {
  constexpr std::uint64_t kMs = 1'000'000;
  return static_cast<std::uint64_t>(event.loop_time) * kMs + (delay == UINT64_MAX ? 0 : delay - delay % kMs);
}

}  // namespace loopsim::compact
