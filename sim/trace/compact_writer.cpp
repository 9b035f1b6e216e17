// The compact trace: columns of what the events do not share with those before them (docs/trace-format.md).

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "loopsim/writers.hpp"

#include "sim/trace/compact_form.hpp"
#include "sim/trace/event_table.hpp"
#include "sim/trace/jsonl_format.hpp"
#include "sim/trace/varint.hpp"

namespace loopsim {
namespace {

using compact::Coding;
using Type = FieldInfo::Type;

constexpr std::size_t most_fields() {
  std::size_t most = 0;
  for (const EventInfo& kind : events::kEvents) most = std::max(most, kind.fields.size());
  return most;
}
constexpr std::size_t kMostFields = most_fields();
static_assert(kMostFields + compact::kCommonBits <= 32);  // bits of a mask

// Bytes of one block; keeps its room from block to block.
class Column {
 public:
  [[gnu::always_inline]] void put_byte(std::uint8_t byte) {
    if (end_ == limit_) [[unlikely]]
      grow(1);
    *end_++ = static_cast<char>(byte);
  }
  [[gnu::always_inline]] void put_number(std::uint64_t number) {
    if (number < 0x80U) return put_byte(static_cast<std::uint8_t>(number));
    put_long_number(number);
  }
  void put_bytes(std::string_view bytes) {
    if (static_cast<std::size_t>(limit_ - end_) < bytes.size()) grow(bytes.size());
    end_ = std::copy(bytes.begin(), bytes.end(), end_);
  }
  [[nodiscard]] std::string_view bytes() const { return {begin_.get(), size()}; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_.get()); }
  void clear() { end_ = begin_.get(); }

 private:
  void put_long_number(std::uint64_t number) {
    if (static_cast<std::size_t>(limit_ - end_) < kLongestVarint) [[unlikely]]
      grow(kLongestVarint);
    end_ = put_varint(end_, number);
  }
  [[gnu::noinline]] void grow(std::size_t more) {
    constexpr std::size_t kLeast = 256;
    const std::size_t used = size();
    const std::size_t room = std::max({kLeast, 2 * used, used + more});
    auto larger = std::make_unique_for_overwrite<char[]>(room);
    std::copy(begin_.get(), end_, larger.get());
    begin_ = std::move(larger);
    end_ = begin_.get() + used;
    limit_ = begin_.get() + room;
  }

  std::unique_ptr<char[]> begin_;
  char* end_ = nullptr;
  char* limit_ = nullptr;
};

// Texts of the file by their numbers, in the order in which they are first used.
class Texts {
 public:
  std::uint64_t number_of(std::string_view text) {
    if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
    const std::uint64_t number = numbers_.size();
    numbers_.emplace(text, number);
    append_varint(added_, text.size());
    added_.append(text);
    ++added_count_;
    return number;
  }
  // What is new since the last block: how many, and for each its length and its bytes.
  void write_added(std::string& to) {
    append_varint(to, added_count_);
    to.append(added_);
    added_.clear();
    added_count_ = 0;
  }

 private:
  std::map<std::string, std::uint64_t, std::less<>> numbers_;
  std::string added_;
  std::uint64_t added_count_ = 0;
};

// What a key had in the last event of its kind: all that most events need of it.
struct LastValue {
  std::uint64_t seen = 0;        // as it stands in an event
  std::uint64_t difference = 0;  // of a number, to its base
  std::uint64_t value = 0;       // the last number that was not absent
};

struct FieldState {
  std::uint64_t code = 0;  // of a word or name, the last one
  Column column;
  std::vector<std::uint64_t> words;  // code of each word, 0: not known yet
  std::string text;                  // the last one
  Column bytes;                      // of texts
};

struct KindState {
  bool is_defined = false;
  std::uint8_t number = 0;
  std::array<Phase, events::kPhases.size()> phases{};  // of the last event of this kind, by that of the event before it
  Column masks;
  std::array<LastValue, kMostFields> last;
  std::array<FieldState, kMostFields> fields;
};

template <std::size_t kind>
inline constexpr std::size_t kFields = events::kEvents[kind].fields.size();

// The order of the keys in a file: that of the table, but for `due` of `schedule`, which is counted from `delay`.
template <std::size_t kind>
constexpr auto order_of() {
  std::array<std::size_t, kFields<kind>> order{};
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if constexpr (static_cast<EventKind>(kind) == EventKind::schedule) {
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      if (events::kEvents[kind].fields[i].key == "due") std::swap(order[i], order[i + 1]);
    }
  }
  return order;
}
template <std::size_t kind>
inline constexpr auto kOrder = order_of<kind>();

template <std::size_t kind, std::size_t place>
inline constexpr const FieldInfo& kColumn = events::kEvents[kind].fields[kOrder<kind>[place]];

// What the table says of a key, as a constant: GCC folds no loads from the table itself.
struct Traits {
  FieldInfo::Source source;
  Type type;
  Coding coding;
  bool is_optional;
  std::uint64_t absent;
};
template <std::size_t kind, std::size_t place>
inline constexpr Traits kTraits = {kColumn<kind, place>.source, kColumn<kind, place>.type,
                                   compact::coding_of(static_cast<EventKind>(kind), kColumn<kind, place>),
                                   kColumn<kind, place>.optional, compact::absent_value(kColumn<kind, place>)};

template <FieldInfo::Source source>
[[gnu::always_inline]] inline std::uint64_t number_in(const Event& event) {
  if constexpr (source == FieldInfo::Source::api) return static_cast<std::uint64_t>(event.api);
  if constexpr (source == FieldInfo::Source::detail) return event.detail;
  if constexpr (source == FieldInfo::Source::detail2) return event.detail2;
  if constexpr (source == FieldInfo::Source::id) return event.id;
  if constexpr (source == FieldInfo::Source::by) return event.by;
  if constexpr (source == FieldInfo::Source::line) return event.line;
  if constexpr (source == FieldInfo::Source::column) return event.column;
  if constexpr (source == FieldInfo::Source::promise) return event.promise;
  if constexpr (source == FieldInfo::Source::result) return event.result;
  if constexpr (source == FieldInfo::Source::a) return static_cast<std::uint64_t>(event.a);
  if constexpr (source == FieldInfo::Source::b) return static_cast<std::uint64_t>(event.b);
  if constexpr (source == FieldInfo::Source::c) return static_cast<std::uint64_t>(event.c);
  if constexpr (source == FieldInfo::Source::name) return event.name;
  return 0;
}

// The number of a key. Absent ids and flags are 0 or -1, as in JSON lines.
template <std::size_t kind, std::size_t place>
[[gnu::always_inline]] inline std::uint64_t number_of(const Event& event) {
  constexpr Traits kOf = kTraits<kind, place>;
  constexpr bool kIsSigned =
      kOf.source == FieldInfo::Source::a || kOf.source == FieldInfo::Source::b || kOf.source == FieldInfo::Source::c;
  const std::uint64_t value = number_in<kOf.source>(event);
  if constexpr (kIsSigned && kOf.is_optional && kOf.absent == 0) {
    if (value == UINT64_MAX) return 0;
  }
  if constexpr (kOf.type == Type::flag) return value != 0 ? 1 : 0;
  return value;
}

class CompactWriter final : public TraceSink {
 public:
  explicit CompactWriter(ByteOutput& output) : output_(output), kinds_(std::make_unique<Kinds>()) {}

  void begin(const RunInfo& info) override {
    output_.write(compact::kMagic);
    output_.write(jsonl_header(info));
    add_names(info.names);
  }
  void events(const EventBatch& batch) override;
  void end(const RunSummary&) override {
    if (events_ > 0) write_block();
    output_.write(std::string_view("\0", 1));  // a block without bytes: the end
  }

 private:
  using Kinds = std::array<KindState, kEventKinds>;
  using Put = void (*)(CompactWriter& writer, const Event& event, std::string_view text);
  template <std::size_t... kind>
  static constexpr std::array<Put, sizeof...(kind)> puts(std::index_sequence<kind...> /*all*/) {
    return {[](CompactWriter& writer, const Event& event, std::string_view text) { writer.put<kind>(event, text); }...};
  }
  static const std::array<Put, kEventKinds> kPuts;

  void add_names(std::span<const std::string> names) {
    names_.insert(names_.end(), names.begin(), names.end());
    name_codes_.resize(names_.size(), 0);
  }

  template <std::size_t kind>
  void put(const Event& event, std::string_view text);
  template <std::size_t kind, std::size_t place>
  bool put_field(KindState& state, const Event& event, std::string_view text);
  template <Coding coding>
  std::uint64_t base(const LastValue& last, const Event& event) const;
  void put_text(FieldState& field, std::string_view text);
  bool put_word(FieldState& field, const FieldInfo& info, std::uint64_t value);
  std::uint32_t put_common(KindState& state, const Event& event);
  std::uint32_t put_changes(KindState& state, const Event& event);
  template <std::size_t kind>
  void define(KindState& state);
  std::uint64_t name_code(std::uint32_t name);
  std::uint64_t word_code(FieldState& field, const FieldInfo& info, std::uint64_t word);
  void write_block();

  ByteOutput& output_;
  std::unique_ptr<Kinds> kinds_;
  std::vector<KindState*> defined_;
  std::string new_kinds_;
  std::size_t new_kind_count_ = 0;
  Texts texts_;
  std::vector<std::string> names_;
  std::vector<std::uint64_t> name_codes_;  // by Event::name; 0: not used yet
  std::array<Column, compact::kCommonColumns> common_;
  std::array<std::uint64_t, events::kPhases.size()> phase_codes_{};
  std::size_t events_ = 0;      // of this block
  std::size_t text_bytes_ = 0;  // of this block
  TimeNs time_ = 0;
  TimeMs loop_time_ = 0;
  std::uint64_t turn_ = 0;
  Phase phase_ = Phase::main;
  std::uint16_t loop_ = 0;
  compact::Running running_;
  std::uint64_t asked_ = 0;
  std::string block_;
};

const std::array<CompactWriter::Put, kEventKinds> CompactWriter::kPuts =
    CompactWriter::puts(std::make_index_sequence<kEventKinds>{});

void CompactWriter::events(const EventBatch& batch) {
  add_names(batch.new_names);
  for (const Event& event : batch.events) {
    const std::string_view text = event.text_size == 0 ? std::string_view() : batch.text_of(event);
    kPuts[static_cast<std::size_t>(event.kind)](*this, event, text);
    if (++events_ == compact::kBlockEvents || text_bytes_ >= compact::kBlockBytes) write_block();
  }
}

// Writes the codes that are not as they were, and a mask that says which.
template <std::size_t kind>
[[gnu::always_inline]] inline void CompactWriter::put(const Event& event, std::string_view text) {
  constexpr auto event_kind = static_cast<EventKind>(kind);
  KindState& state = (*kinds_)[kind];
  if (!state.is_defined) [[unlikely]]
    define<kind>(state);
  common_[compact::kKinds].put_byte(state.number);
  std::uint32_t mask = put_common(state, event) << kFields<kind>;
  [&]<std::size_t... place>(std::index_sequence<place...>) {
    ((mask |= static_cast<std::uint32_t>(put_field<kind, place>(state, event, text)) << place), ...);
  }
  (std::make_index_sequence<kFields<kind>>{});
  state.masks.put_number(mask);
  if constexpr (event_kind == EventKind::callback_begin) running_.begin(event.id);
  if constexpr (event_kind == EventKind::callback_end) running_.end();
  if constexpr (event_kind == EventKind::schedule) asked_ = event.id;
}

[[gnu::always_inline]] inline std::uint32_t CompactWriter::put_common(KindState& state, const Event& event) {
  if (event.kind == EventKind::turn) ++turn_;
  const Phase expected = state.phases[static_cast<std::size_t>(phase_)];
  const bool is_as_expected = event.time == time_ && event.loop_time == loop_time_ && event.turn == turn_ &&
                              event.phase == expected && event.loop == loop_;
  const std::uint32_t bits = is_as_expected ? 0 : put_changes(state, event);
  phase_ = event.phase;
  return bits;
}

std::uint32_t CompactWriter::put_changes(KindState& state, const Event& event) {
  using namespace compact;
  std::uint32_t bits = 0;
  if (event.time != time_) {
    bits |= 1U << kTimeBit;
    common_[kTimes].put_number(zigzag(static_cast<std::uint64_t>(event.time) - static_cast<std::uint64_t>(time_)));
    time_ = event.time;
  }
  if (event.loop_time != loop_time_) {
    bits |= 1U << kLoopBit;
    common_[kLoops].put_number(
        zigzag(static_cast<std::uint64_t>(event.loop_time) - static_cast<std::uint64_t>(loop_time_)));
    loop_time_ = event.loop_time;
  }
  if (event.turn != turn_) {
    bits |= 1U << kTurnBit;
    common_[kTurns].put_number(zigzag(event.turn - turn_));
    turn_ = event.turn;
  }
  Phase& expected = state.phases[static_cast<std::size_t>(phase_)];
  if (event.phase != expected) {
    bits |= 1U << kPhaseBit;
    std::uint64_t& code = phase_codes_[static_cast<std::size_t>(event.phase)];
    if (code == 0) code = texts_.number_of(to_string(event.phase)) + 1;
    common_[kPhases].put_number(code - 1);
    expected = event.phase;
  }
  if (event.loop != loop_) {
    bits |= 1U << kLoopIdBit;
    common_[kLoopIds].put_number(event.loop);
    loop_ = event.loop;
  }
  return bits;
}

template <Coding coding>
[[gnu::always_inline]] inline std::uint64_t CompactWriter::base(const LastValue& last, const Event& event) const {
  if constexpr (coding == Coding::from_last) return last.value;
  if constexpr (coding == Coding::from_time) return static_cast<std::uint64_t>(event.time);
  if constexpr (coding == Coding::from_running) return running_.id();
  if constexpr (coding == Coding::from_id) return event.id;
  if constexpr (coding == Coding::from_asked) return asked_;
  if constexpr (coding == Coding::from_delay) return compact::due_base(event, static_cast<std::uint64_t>(event.b));
  return 0;
}

// Whether it is not as it was; then its code is in its column.
template <std::size_t kind, std::size_t place>
[[gnu::always_inline]] inline bool CompactWriter::put_field(KindState& state, const Event& event,
                                                            std::string_view text) {
  constexpr Traits kOf = kTraits<kind, place>;
  LastValue& last = state.last[place];
  FieldState& field = state.fields[place];
  if constexpr (kOf.coding == Coding::text) {
    if constexpr (static_cast<EventKind>(kind) == EventKind::enqueue) {
      if (carries_value(event) != (kOf.source == FieldInfo::Source::value)) text = {};
    }
    if (text.size() == last.seen && (text.empty() || text == field.text)) return false;
    last.seen = text.size();
    put_text(field, text);
    return true;
  } else {
    const std::uint64_t value = number_of<kind, place>(event);
    if constexpr (kOf.coding <= Coding::name) {
      if (value == last.seen) return false;
      last.seen = value;
      return put_word(field, kColumn<kind, place>, value);
    } else if constexpr (kOf.coding == Coding::from_zero) {
      if (value == last.seen) return false;
      last.seen = value;
      if (kOf.is_optional && value == kOf.absent) {
        field.column.put_byte(0);
      } else {
        field.column.put_number(kOf.is_optional ? compact::optional_code_of(value, 0, kOf.absent)
                                                : compact::code_of(value));
      }
      return true;
    } else {
      const bool was_absent = kOf.is_optional && last.seen == kOf.absent;
      const bool is_absent = kOf.is_optional && value == kOf.absent;
      if (is_absent && was_absent) return false;
      const std::uint64_t from = base<kOf.coding>(last, event);
      last.seen = value;
      if (is_absent) {
        field.column.put_byte(0);
        return true;
      }
      const std::uint64_t difference = value - from;
      last.value = value;
      if (difference == last.difference && !was_absent) return false;
      last.difference = difference;
      field.column.put_number(kOf.is_optional ? compact::optional_code_of(difference, from, kOf.absent)
                                              : compact::code_of(difference));
      return true;
    }
  }
}

void CompactWriter::put_text(FieldState& field, std::string_view text) {
  field.column.put_number(text.size());
  field.bytes.put_bytes(text);
  text_bytes_ += text.size();
  field.text.assign(text);
}

// False where another number stands for the same text.
bool CompactWriter::put_word(FieldState& field, const FieldInfo& info, std::uint64_t value) {
  const std::uint64_t code = info.type == FieldInfo::Type::text ? name_code(static_cast<std::uint32_t>(value))
                             : info.optional && value == 0      ? 0
                                                                : word_code(field, info, value);
  if (code == field.code) return false;
  field.code = code;
  field.column.put_number(code);
  return true;
}

std::uint64_t CompactWriter::name_code(std::uint32_t name) {
  if (name == kNoName) return 0;
  if (names_[name].empty()) return 0;  // as in JSON lines
  std::uint64_t& code = name_codes_[name];
  if (code == 0) code = texts_.number_of(names_[name]) + 1;
  return code;
}

std::uint64_t CompactWriter::word_code(FieldState& field, const FieldInfo& info, std::uint64_t word) {
  if (field.words.empty()) field.words.resize(info.words.size(), 0);
  const auto place = static_cast<std::size_t>(word);
  std::uint64_t& code = field.words[place];
  if (code == 0) code = texts_.number_of(info.words[place]) + 1;
  return code;
}

template <std::size_t kind>
void CompactWriter::define(KindState& state) {
  state.is_defined = true;
  state.number = static_cast<std::uint8_t>(defined_.size());
  for (std::size_t phase = 0; phase < state.phases.size(); ++phase) state.phases[phase] = static_cast<Phase>(phase);
  defined_.push_back(&state);
  for (std::size_t place = 0; place < kFields<kind>; ++place) {
    const FieldInfo& info = events::kEvents[kind].fields[kOrder<kind>[place]];
    // No word has been seen; everything else is absent, or 0.
    const Coding coding = compact::coding_of(static_cast<EventKind>(kind), info);
    state.last[place].seen = coding == Coding::word && !info.optional ? UINT64_MAX
                             : coding == Coding::name                 ? std::uint64_t{kNoName}
                             : coding > Coding::text && info.optional ? compact::absent_value(info)
                                                                      : 0;
  }
  ++new_kind_count_;
  append_varint(new_kinds_, texts_.number_of(events::kEvents[kind].name));
  append_varint(new_kinds_, kFields<kind>);
  for (const std::size_t index : kOrder<kind>) {
    const FieldInfo& info = events::kEvents[kind].fields[index];
    append_varint(new_kinds_, texts_.number_of(info.key));
    new_kinds_.push_back(static_cast<char>(compact::coding_byte(static_cast<EventKind>(kind), info)));
  }
}

void CompactWriter::write_block() {
  block_.clear();
  append_varint(block_, events_);
  texts_.write_added(block_);
  append_varint(block_, new_kind_count_);
  block_.append(new_kinds_);
  std::uint64_t number = 0;
  const auto add = [&](Column& column) {
    ++number;
    if (column.size() == 0) return;
    append_varint(block_, number);
    append_varint(block_, column.size());
    block_.append(column.bytes());
    column.clear();
  };
  for (Column& column : common_) add(column);
  for (KindState* kind : defined_) {
    add(kind->masks);
    const auto& info = events::kEvents[static_cast<std::size_t>(kind - kinds_->data())];
    for (std::size_t place = 0; place < info.fields.size(); ++place) {
      add(kind->fields[place].column);
      add(kind->fields[place].bytes);
    }
  }
  append_varint(block_, 0);
  std::array<char, kLongestVarint> size{};
  const char* const end = put_varint(size.data(), block_.size());
  output_.write({size.data(), static_cast<std::size_t>(end - size.data())});
  output_.write(block_);
  new_kinds_.clear();
  new_kind_count_ = 0;
  events_ = 0;
  text_bytes_ = 0;
}

}  // namespace

std::unique_ptr<TraceSink> make_compact_writer(ByteOutput& output) { return std::make_unique<CompactWriter>(output); }

}  // namespace loopsim
