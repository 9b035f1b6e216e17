// Reads the compact trace: block by block, whose bounds are checked before anything in it is believed.
//
// A file describes itself: kinds of events and their keys are found in the table of events by their names.

#include "sim/trace/compact_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/trace/compact_form.hpp"
#include "sim/trace/jsonl_reader.hpp"
#include "sim/trace/read_events.hpp"
#include "sim/trace/utf8.hpp"

namespace loopsim {
namespace {

using compact::Coding;
using Source = FieldInfo::Source;
using Type = FieldInfo::Type;

constexpr std::size_t kLongestHeader = 16U << 20U;  // bytes, as of a line of JSON
constexpr std::size_t kLongestBlock = 40U << 20U;   // the columns, a text of the longest line of JSON, and its name

constexpr unsigned kCodings = 0x0f;  // the bits of a Coding in a key's byte

// What is read of a column; at its end every number is 0, and has_failed().
class Cursor {
 public:
  Cursor() = default;
  explicit Cursor(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (at_ == end_) break;
      const auto byte = static_cast<unsigned char>(*at_++);
      if (shift == 63 && byte > 1) break;
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80U) return value;
    }
    has_failed_ = true;
    at_ = end_;
    return 0;
  }
  std::uint8_t byte() {
    if (at_ != end_) return static_cast<std::uint8_t>(*at_++);
    has_failed_ = true;
    return 0;
  }
  std::string_view bytes(std::uint64_t size) {
    if (size <= left()) {
      const std::string_view taken(at_, static_cast<std::size_t>(size));
      at_ += taken.size();
      return taken;
    }
    has_failed_ = true;
    at_ = end_;
    return {};
  }
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] bool has_failed() const { return has_failed_; }

 private:
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  bool has_failed_ = false;
};

struct Field {
  const FieldInfo* info = nullptr;
  Coding coding = Coding::from_zero;
  bool is_optional = false;
  std::uint64_t absent = 0;
  std::uint64_t code = 0;        // the last one, of words and names
  std::uint64_t difference = 0;  // of numbers, the last one to its base
  bool is_absent = true;         // of numbers that may be absent: the last one was
  std::uint64_t value = 0;       // the last one that was there
  std::uint64_t meant = 0;       // what the last code stands for, of words and names
  std::string text;              // the last one
  Cursor codes, bytes;
};

struct KindOfFile {
  const EventInfo* info = nullptr;
  std::vector<Field> fields;
  std::array<Phase, static_cast<std::size_t>(Phase::exit) + 1> phases{};
  Cursor masks;
};

// Takes the header's facts on their way from the reader of lines.
class HeaderSink final : public TraceSink {
 public:
  explicit HeaderSink(ReadEvents& events) : events_(events) {}
  void begin(const RunInfo& info) override { events_.begin(info); }
  void events(const EventBatch&) override {}
  void end(const RunSummary&) override {}

 private:
  ReadEvents& events_;
};

class CompactReader final : public TraceReader {
 public:
  CompactReader(std::string file, std::span<TraceSink* const> sinks) : file_(std::move(file)), events_(sinks) {}

  void read(std::string_view bytes) override;
  void finish() override;
  [[nodiscard]] const Diagnostics& diagnostics() const override { return diagnostics_; }

 private:
  [[nodiscard]] bool has_failed() const { return !diagnostics_.empty(); }
  bool fail(std::string message);
  bool is_damaged(std::string_view what) {
    return fail(fmt::format("the compact trace is damaged behind event {}: {}", events_.last().sequence, what));
  }

  [[nodiscard]] const std::string& text_at(std::uint64_t number) const {
    return texts_[static_cast<std::size_t>(number)];
  }

  bool take_whole(std::string_view& bytes);
  bool take_header(std::string_view& bytes);
  bool take_block_size(std::string_view& bytes);
  bool read_header();
  bool read_block(std::string_view block);
  bool read_texts(Cursor& in);
  bool read_kinds(Cursor& in);
  bool read_kind(Cursor& in);
  bool read_field(Cursor& in, KindOfFile& kind);
  bool read_columns(Cursor& in);
  bool read_event();
  bool read_common(KindOfFile& kind, std::uint64_t bits, Event& event);
  bool read_value(Field& field, bool is_new, Event& event);
  bool read_word(Field& field, bool is_new, Event& event);
  bool read_text(Field& field, bool is_new, Event& event);
  bool find_meaning(Field& field);
  static std::optional<std::size_t> index_of(std::string_view word, std::span<const std::string_view> words);
  [[nodiscard]] std::uint64_t base(const Field& field, const Event& event) const;
  bool set(Event& event, const Field& field, std::uint64_t value);

  std::string file_;
  ReadEvents events_;
  Diagnostics diagnostics_;

  enum class Stage : std::uint8_t { header, size, block, end };
  Stage stage_ = Stage::header;
  std::string rest_;  // of the header, a number or a block that is not whole yet
  std::uint64_t block_size_ = 0;

  std::vector<std::string> texts_;
  std::vector<std::uint32_t> names_;  // by the number of a text: its index as a name, kNoName: none yet
  std::vector<KindOfFile> kinds_;
  std::array<Cursor, compact::kCommonColumns> common_;

  std::uint64_t sequence_ = 0;
  TimeNs time_ = 0;
  TimeMs loop_time_ = 0;
  std::uint64_t turn_ = 0;
  Phase phase_ = Phase::main;
  std::uint16_t loop_ = 0;
  compact::Running running_;
  std::uint64_t asked_ = 0;
};

bool CompactReader::fail(std::string message) {
  Diagnostic diagnostic;
  diagnostic.file = file_;
  diagnostic.message = std::move(message);
  diagnostics_.push_back(std::move(diagnostic));
  events_.fail();
  return false;
}

// ---- pieces of a file -----------------------------------------------------------------------------------------------

void CompactReader::read(std::string_view bytes) {
  while (!bytes.empty() && !has_failed()) {
    switch (stage_) {
      case Stage::header:
        if (take_header(bytes) && read_header()) stage_ = Stage::size;
        break;
      case Stage::size:
        if (take_block_size(bytes)) stage_ = block_size_ == 0 ? Stage::end : Stage::block;
        break;
      case Stage::block:
        if (take_whole(bytes)) stage_ = Stage::size;
        break;
      case Stage::end: fail("the compact trace has ended, and more follows: expected the end of the file"); return;
    }
  }
}

void CompactReader::finish() {
  if (has_failed()) return;
  if (stage_ != Stage::end) {
    fail(fmt::format("the compact trace has been cut off behind event {}", events_.last().sequence));
  } else if (!events_.all_have_ended()) {
    fail("the trace ends before its exit event: it has been cut off");
  }
  if (!has_failed()) events_.end();
}

// The first two lines.
bool CompactReader::take_header(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  const std::string_view piece = bytes.substr(0, end == std::string_view::npos ? end : end + 1);
  if (rest_.size() + piece.size() > kLongestHeader) return fail("the header is longer than 16 MiB");
  rest_.append(piece);
  bytes.remove_prefix(piece.size());
  if (end == std::string_view::npos) return false;
  return std::ranges::count(rest_, '\n') == 2;
}

bool CompactReader::read_header() {
  const std::string_view lines = rest_;
  const std::string_view magic = lines.substr(0, lines.find('\n') + 1);
  if (magic != compact::kMagic) {
    return fail(fmt::format("this is no compact trace of a form that is known: expected \"{}\" as its first line",
                            compact::kMagic.substr(0, compact::kMagic.size() - 1)));
  }
  HeaderSink sink(events_);
  TraceSink* const sinks[] = {&sink};
  const std::unique_ptr<TraceReader> line = make_jsonl_reader(file_, sinks);
  line->read(lines.substr(magic.size()));
  if (!line->diagnostics().empty()) {
    diagnostics_ = line->diagnostics();
    for (Diagnostic& diagnostic : diagnostics_) ++diagnostic.line;  // the header is the second one
    return false;
  }
  rest_.clear();
  return true;
}

bool CompactReader::take_block_size(std::string_view& bytes) {
  while (!bytes.empty()) {
    rest_.push_back(bytes.front());
    bytes.remove_prefix(1);
    if ((static_cast<unsigned char>(rest_.back()) & 0x80U) != 0 && rest_.size() < 5) continue;
    Cursor number(rest_);
    block_size_ = number.number();
    if (number.has_failed() || block_size_ > kLongestBlock) return is_damaged("a block is longer than 40 MiB");
    rest_.clear();
    return true;
  }
  return false;
}

// A block that lies in one piece of the file is read where it lies.
bool CompactReader::take_whole(std::string_view& bytes) {
  const auto size = static_cast<std::size_t>(block_size_);
  if (rest_.empty() && bytes.size() >= size) {
    const std::string_view block = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return read_block(block);
  }
  const std::string_view piece = bytes.substr(0, size - rest_.size());
  rest_.append(piece);
  bytes.remove_prefix(piece.size());
  if (rest_.size() < size) return false;
  const bool good = read_block(rest_);
  rest_.clear();
  return good;
}

// ---- a block --------------------------------------------------------------------------------------------------------

bool CompactReader::read_block(std::string_view block) {
  Cursor in(block);
  const std::uint64_t count = in.number();
  if (in.has_failed() || count == 0 || count > compact::kBlockEvents) {
    return is_damaged(fmt::format("a block has {} events: expected 1 to {}", count, compact::kBlockEvents));
  }
  if (!read_texts(in) || !read_kinds(in) || !read_columns(in)) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!read_event()) return false;
  }
  return true;
}

bool CompactReader::read_texts(Cursor& in) {
  for (std::uint64_t count = in.number(); count > 0 && !in.has_failed(); --count) {
    const std::string_view text = in.bytes(in.number());
    if (find_invalid_utf8(text) != std::string_view::npos) return is_damaged("a text is invalid UTF-8");
    texts_.emplace_back(text);
    names_.push_back(kNoName);
  }
  return !in.has_failed() || is_damaged("its texts are cut off");
}

bool CompactReader::read_kinds(Cursor& in) {
  for (std::uint64_t count = in.number(); count > 0; --count) {
    if (!read_kind(in)) return false;
  }
  return !in.has_failed() || is_damaged("its kinds of events are cut off");
}

bool CompactReader::read_kind(Cursor& in) {
  const std::uint64_t name = in.number();
  const std::uint64_t fields = in.number();
  if (in.has_failed() || name >= texts_.size()) return is_damaged("its kinds of events are cut off");
  const auto table = event_table();
  const auto info = std::ranges::find(table, text_at(name), &EventInfo::name);
  if (info == table.end()) {
    return fail(fmt::format("there is no event \"{}\": expected one of version {} of the trace format", text_at(name),
                            kTraceFormatVersion));
  }
  KindOfFile kind;
  kind.info = &*info;
  for (std::size_t phase = 0; phase < kind.phases.size(); ++phase) kind.phases[phase] = static_cast<Phase>(phase);
  for (std::uint64_t i = 0; i < fields; ++i) {
    if (!read_field(in, kind)) return false;
  }
  for (const FieldInfo& field : info->fields) {
    const auto is_it = [&field](const Field& other) { return other.info == &field; };
    if (!field.optional && std::ranges::none_of(kind.fields, is_it))
      return fail(fmt::format("missing key \"{}\" of event \"{}\"", field.key, info->name));
  }
  if (kinds_.size() == 256) return is_damaged("it has more than 256 kinds of events");
  kinds_.push_back(std::move(kind));
  return true;
}

bool CompactReader::read_field(Cursor& in, KindOfFile& kind) {
  const std::uint64_t key = in.number();
  const unsigned coding = in.byte();
  if (in.has_failed() || key >= texts_.size()) return is_damaged("its kinds of events are cut off");
  const auto info = std::ranges::find(kind.info->fields, text_at(key), &FieldInfo::key);
  if (info == kind.info->fields.end())
    return fail(fmt::format("event \"{}\" has no key \"{}\"", kind.info->name, text_at(key)));
  const auto is_it = [&info](const Field& other) { return other.info == &*info; };
  if (std::ranges::any_of(kind.fields, is_it))
    return fail(fmt::format("event \"{}\" has the key \"{}\" twice", kind.info->name, text_at(key)));
  Field field;
  field.info = &*info;
  field.is_optional = info->optional;
  field.absent = compact::absent_value(*info);
  field.coding = static_cast<Coding>(coding & kCodings);
  // What a key is decides all of its coding but what numbers are counted from.
  const unsigned expected = compact::coding_byte(kind.info->kind, *info);
  const bool is_number = (expected & kCodings) > static_cast<unsigned>(Coding::text);
  const bool fits = is_number ? field.coding > Coding::text && field.coding <= Coding::from_delay &&
                                    (coding & ~kCodings) == (expected & ~kCodings)
                              : coding == expected;
  if (!fits)
    return fail(fmt::format("the key \"{}\" of event \"{}\" is coded in an unknown way", info->key, kind.info->name));
  kind.fields.push_back(std::move(field));
  return true;
}

bool CompactReader::read_columns(Cursor& in) {
  std::vector<Cursor*> columns;
  for (Cursor& column : common_) columns.push_back(&column);
  for (KindOfFile& kind : kinds_) {
    columns.push_back(&kind.masks);
    for (Field& field : kind.fields) {
      columns.push_back(&field.codes);
      columns.push_back(&field.bytes);
    }
  }
  for (Cursor* column : columns) *column = Cursor();
  std::uint64_t last = 0;
  while (true) {
    const std::uint64_t number = in.number();
    if (number == 0) break;
    if (number <= last || number > columns.size()) return is_damaged("a column has a wrong number");
    *columns[static_cast<std::size_t>(number - 1)] = Cursor(in.bytes(in.number()));
    last = number;
  }
  return (!in.has_failed() && in.left() == 0) || is_damaged("its columns are cut off");
}

// ---- an event -------------------------------------------------------------------------------------------------------

bool CompactReader::read_event() {
  const std::uint8_t number = common_[compact::kKinds].byte();
  if (common_[compact::kKinds].has_failed() || number >= kinds_.size()) return is_damaged("an event of no kind");
  KindOfFile& kind = kinds_[number];
  std::uint64_t mask = kind.masks.number();
  if (kind.masks.has_failed()) return is_damaged("a column ends too early");
  Event event;
  event.kind = kind.info->kind;
  if (!read_common(kind, mask >> kind.fields.size(), event)) return false;
  if (events_.has_ended(event.loop)) return is_damaged("something follows the exit event");
  for (Field& field : kind.fields) {
    if (!read_value(field, (mask & 1U) != 0, event)) return false;
    mask >>= 1U;
  }
  if (event.kind == EventKind::callback_begin) running_.begin(event.id);
  if (event.kind == EventKind::callback_end) running_.end();
  if (event.kind == EventKind::schedule) asked_ = event.id;
  events_.take(event);
  return true;
}

bool CompactReader::read_common(KindOfFile& kind, std::uint64_t bits, Event& event) {
  using namespace compact;
  if (bits >> kCommonBits != 0) return is_damaged("a mask has unknown bits");
  if (bits != 0) [[unlikely]] {
    const auto changes = [bits](CommonBit bit) { return ((bits >> bit) & 1U) != 0; };
    bool good = true;
    const auto next = [&](CommonColumn column) {
      const std::uint64_t number = common_[column].number();
      good = good && !common_[column].has_failed();
      return number;
    };
    const auto later = [](std::int64_t time, std::uint64_t code) {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + unzigzag(code));
    };
    if (changes(kTimeBit)) {
      const TimeNs before = std::exchange(time_, later(time_, next(kTimes)));
      if (time_ < before) return is_damaged("time goes back");
    }
    if (changes(kLoopBit)) loop_time_ = later(loop_time_, next(kLoops));
    if (changes(kTurnBit)) turn_ += unzigzag(next(kTurns));
    if (changes(kPhaseBit)) {
      const std::uint64_t text = next(kPhases);
      std::size_t phase = 0;
      while (phase < kind.phases.size() &&
             (text >= texts_.size() || to_string(static_cast<Phase>(phase)) != text_at(text)))
        ++phase;
      if (phase == kind.phases.size()) return is_damaged("an unknown phase");
      kind.phases[static_cast<std::size_t>(phase_)] = static_cast<Phase>(phase);
    }
    if (changes(kLoopIdBit)) {
      const std::uint64_t loop = next(kLoopIds);
      if (loop > std::numeric_limits<std::uint16_t>::max()) return is_damaged("the number of a loop is too large");
      loop_ = static_cast<std::uint16_t>(loop);
    }
    if (!good) return is_damaged("a column ends too early");
  }
  if (event.kind == EventKind::turn) ++turn_;
  if (!is_step(event.kind)) ++sequence_;
  phase_ = kind.phases[static_cast<std::size_t>(phase_)];
  event.sequence = sequence_;
  event.time = time_;
  event.loop_time = loop_time_;
  event.turn = turn_;
  event.phase = phase_;
  event.loop = loop_;
  return true;
}

std::uint64_t CompactReader::base(const Field& field, const Event& event) const {
  switch (field.coding) {
    case Coding::from_last: return field.value;
    case Coding::from_time: return static_cast<std::uint64_t>(event.time);
    case Coding::from_running: return running_.id();
    case Coding::from_id: return event.id;
    case Coding::from_asked: return asked_;
    case Coding::from_delay: return compact::due_base(event, static_cast<std::uint64_t>(event.b));
    default: return 0;
  }
}

bool CompactReader::read_value(Field& field, bool is_new, Event& event) {
  if (field.coding == Coding::text) return read_text(field, is_new, event);
  if (field.coding <= Coding::name) return read_word(field, is_new, event);
  if (!is_new && field.is_optional && field.is_absent) return set(event, field, field.absent);
  const std::uint64_t from = base(field, event);
  if (is_new) {
    const std::uint64_t code = field.codes.number();
    if (field.codes.has_failed()) return is_damaged("a column ends too early");
    field.is_absent = field.is_optional && code == 0;
    if (field.is_absent) return set(event, field, field.absent);
    field.difference =
        field.is_optional ? compact::optional_difference_of(code, from, field.absent) : compact::unzigzag(code);
  }
  field.value = from + field.difference;
  return set(event, field, field.value);
}

bool CompactReader::read_word(Field& field, bool is_new, Event& event) {
  if (is_new) {
    field.code = field.codes.number();
    if (field.codes.has_failed()) return is_damaged("a column ends too early");
    if (!find_meaning(field)) return false;
  }
  if (field.code != 0) return set(event, field, field.meant);
  if (field.coding == Coding::name) return set(event, field, kNoName);
  return field.is_optional || is_damaged(fmt::format("the word \"{}\" is missing", field.info->key));
}

// What a new code of a word or a name stands for.
bool CompactReader::find_meaning(Field& field) {
  field.meant = 0;
  if (field.code == 0) return true;
  const std::uint64_t number = field.code - 1;
  if (number >= texts_.size()) return is_damaged("a text has a wrong number");
  const std::string& text = text_at(number);
  if (field.coding == Coding::name) {
    std::uint32_t& name = names_[static_cast<std::size_t>(number)];
    if (name == kNoName) name = events_.name_index(text);
    field.meant = name;
    return true;
  }
  const auto found = std::ranges::find(field.info->words, text);
  if (found == field.info->words.end())
    return fail(fmt::format("the key \"{}\" has no word \"{}\"", field.info->key, text));
  field.meant = static_cast<std::uint64_t>(found - field.info->words.begin());
  return true;
}

bool CompactReader::read_text(Field& field, bool is_new, Event& event) {
  if (is_new) {
    const std::string_view text = field.bytes.bytes(field.codes.number());
    if (field.codes.has_failed() || field.bytes.has_failed()) return is_damaged("a column ends too early");
    if (find_invalid_utf8(text) != std::string_view::npos) return is_damaged("a text is invalid UTF-8");
    field.text.assign(text);
  }
  // Of a kind with two texts an event has one of them.
  if (!field.text.empty()) {
    const bool is_value = field.info->source == Source::value;
    if (event.kind != EventKind::enqueue || carries_value(event) == is_value) events_.set_text(event, field.text);
  }
  return true;
}

// Sets the value where it belongs; false, with a message, if it is beyond what that may hold.
bool CompactReader::set(Event& event, const Field& field, std::uint64_t value) {
  const auto fits = [&](auto& place) {
    using Number = std::remove_reference_t<decltype(place)>;
    if (value > std::numeric_limits<Number>::max())
      return is_damaged(fmt::format("the key \"{}\" has a number that is too large", field.info->key));
    place = static_cast<Number>(value);
    return true;
  };
  const bool is_flag = field.info->type == Type::flag;
  if (is_flag && value > 1) return is_damaged(fmt::format("the key \"{}\" is neither true nor false", field.info->key));
  const auto signed_number = [&](std::int64_t& place) {
    place = static_cast<std::int64_t>(value);
    if (field.info->type == Type::id && place < 0)
      return is_damaged(fmt::format("the key \"{}\" has a number that is too large", field.info->key));
    return true;
  };
  switch (field.info->source) {
    case Source::api: event.api = static_cast<Api>(value); return true;
    case Source::detail: event.detail = static_cast<std::uint8_t>(value); return true;
    case Source::detail2: event.detail2 = static_cast<std::uint8_t>(value); return true;
    case Source::name: event.name = static_cast<std::uint32_t>(value); return true;
    case Source::id: event.id = value; return true;
    case Source::by: event.by = value; return true;
    case Source::line: return fits(event.line);
    case Source::column: return fits(event.column);
    case Source::promise: return fits(event.promise);
    case Source::result: return fits(event.result);
    case Source::a: return signed_number(event.a);
    case Source::b: return signed_number(event.b);
    case Source::c: return signed_number(event.c);
    case Source::text:
    case Source::value: break;
  }
  return false;
}

}  // namespace

std::unique_ptr<TraceReader> make_compact_reader(std::string file, std::span<TraceSink* const> sinks) {
  return std::make_unique<CompactReader>(std::move(file), sinks);
}

}  // namespace loopsim
