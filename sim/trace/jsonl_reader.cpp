// Reads canonical JSON lines by the table from which they were written.

#include "sim/trace/jsonl_reader.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/trace_reader.hpp"

#include "sim/trace/canonical_line.hpp"
#include "sim/trace/json_line.hpp"
#include "sim/trace/read_events.hpp"
#include "sim/trace/utf8.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kLongestLine = 16U << 20U;  // bytes
constexpr std::size_t kMostDiagnostics = 20;
constexpr std::size_t kShownLine = 400;  // longer lines are not copied into a diagnostic

using Kind = JsonMember::Kind;
using Source = FieldInfo::Source;
using Type = FieldInfo::Type;

std::string_view expected_words(Type type) {
  switch (type) {
    case Type::time_ns: return "a whole number of nanoseconds";
    case Type::time_ms: return "a whole number of milliseconds";
    case Type::count: return "a whole number";
    case Type::id: return "a number from 0";
    case Type::word: return "a word";
    case Type::text: return "a text";
    case Type::flag: return "true or false";
  }
  return "";
}

std::string one_of(std::span<const std::string_view> words) {
  std::string text = "one of ";
  for (std::size_t i = 0; i < words.size(); ++i) text.append(i > 0 ? ", " : "").append(words[i]);
  return text;
}

// A value as written in the line, truncated when it is long.
std::string shown(std::string_view raw) {
  constexpr std::size_t kMost = 40;
  if (raw.size() <= kMost) return std::string(raw);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(raw[end]) & 0xC0U) == 0x80U) --end;  // not within a character
  return std::string(raw.substr(0, end)) + "...";
}

template <typename Integer>
std::optional<Integer> integer(const JsonMember& member) {
  if (member.kind != Kind::integer || member.too_large) return std::nullopt;
  using Limits = std::numeric_limits<Integer>;
  const auto most = static_cast<std::uint64_t>(Limits::max());
  if (!member.negative) {
    return member.magnitude <= most ? std::optional(static_cast<Integer>(member.magnitude)) : std::nullopt;
  }
  if constexpr (Limits::is_signed) {
    if (member.magnitude <= most) return static_cast<Integer>(-static_cast<Integer>(member.magnitude));
    if (member.magnitude == most + 1) return Limits::min();
    return std::nullopt;
  }
  return member.magnitude == 0 ? std::optional(Integer{0}) : std::nullopt;
}

class JsonlReader final : public TraceReader {
 public:
  JsonlReader(std::string file, std::span<TraceSink* const> sinks) : file_(std::move(file)), events_(sinks) {
    for (int phase = 0; phase <= static_cast<int>(Phase::exit); ++phase) {
      phases_.push_back(to_string(static_cast<Phase>(phase)));
    }
  }

  void read(std::string_view bytes) override;
  void finish() override;
  [[nodiscard]] const Diagnostics& diagnostics() const override { return diagnostics_; }

 private:
  void read_line(std::string_view line);
  bool check_line(std::string_view line);
  bool read_header();
  bool read_event(Event& event);
  bool read_common(Event& event);
  bool read_field(Event& event, const FieldInfo& field, const JsonMember* member);
  bool follows(const Event& event);

  // Takes the members of the line in order; also finds a key that is out of order.
  const JsonMember* take_member(std::string_view key);
  const JsonMember* need(std::string_view key, std::string_view expected);
  bool need_text(std::string_view key, std::string& text);
  template <typename Integer>
  bool need_integer(std::string_view key, std::string_view expected, Integer& value);
  bool need_word(std::string_view key, std::span<const std::string_view> words, std::uint8_t& index);
  bool find_word(const JsonMember& member, std::span<const std::string_view> words, std::uint8_t& index);
  bool no_more_members(std::string_view what);

  bool fail(std::size_t offset, std::string message, std::string_view key = {});
  bool fail(const JsonMember& member, std::string_view expected);

  std::string file_;
  ReadEvents events_;
  CanonicalLines canonical_;
  std::vector<std::string_view> phases_;
  Diagnostics diagnostics_;
  bool stopped_ = false;

  std::string rest_;  // the start of an unfinished line
  std::string_view line_;
  std::uint32_t line_number_ = 0;
  bool is_last_ = false;  // the line has no line feed: it may be truncated
  JsonLine json_;
  std::vector<bool> taken_;
  std::size_t next_member_ = 0;

  bool has_header_ = false;
  bool in_step_ = true;  // the previous line was a valid event, so the next sequence number is known
};

// ---- lines ----------------------------------------------------------------------------------------------------------------------

void JsonlReader::read(std::string_view bytes) {
  while (!stopped_ && !bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (rest_.size() + piece.size() > kLongestLine) {
      ++line_number_;
      line_ = {};
      fail(0, "this line is longer than 16 MiB: expected a line of a trace");
      stopped_ = true;
      return;
    }
    if (end == std::string_view::npos) {
      rest_.append(piece);
      return;
    }
    if (rest_.empty()) {
      read_line(piece);
    } else {
      rest_.append(piece);
      read_line(rest_);
      rest_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
}

void JsonlReader::finish() {
  if (!stopped_ && !rest_.empty()) {
    is_last_ = true;
    read_line(rest_);
  }
  if (stopped_) return;
  if (line_number_ == 0) {
    line_number_ = 1;
    line_ = {};
    fail(0, "the file is empty: expected the header line of a trace");
  } else if (!events_.all_have_ended() && in_step_) {
    ++line_number_;
    line_ = {};
    fail(0, "the trace ends before its exit event: it has been cut off");
  }
  if (diagnostics_.empty()) events_.end();
}

void JsonlReader::read_line(std::string_view line) {
  ++line_number_;
  line_ = line;
  if (!has_header_) {
    has_header_ = check_line(line) && read_header();
    stopped_ = !has_header_;  // not a trace
    return;
  }
  Event event;
  const bool is_read = canonical_.read(line, event, events_) || (check_line(line) && read_event(event));
  const bool good = is_read && follows(event);
  if (good) events_.take(event);
  in_step_ = good;
  stopped_ = stopped_ || diagnostics_.size() >= kMostDiagnostics;
}

bool JsonlReader::check_line(std::string_view line) {
  if (const std::size_t invalid = find_invalid_utf8(line); invalid != std::string_view::npos) {
    return fail(invalid, "invalid UTF-8");
  }
  if (!json_.read(line)) {
    const std::string_view cut = is_last_ ? "the last line is cut off, or no JSON: " : "not JSON: ";
    return fail(json_.error_offset(), std::string(cut) + json_.error());
  }
  taken_.assign(json_.members().size(), false);
  next_member_ = 0;
  return true;
}

// ---- members --------------------------------------------------------------------------------------------------------------------

const JsonMember* JsonlReader::take_member(std::string_view key) {
  const std::vector<JsonMember>& members = json_.members();
  const auto take = [&](std::size_t i) {
    taken_[i] = true;
    next_member_ = i + 1;
    return &members[i];
  };
  if (next_member_ < members.size() && members[next_member_].key == key) return take(next_member_);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!taken_[i] && members[i].key == key) return take(i);
  }
  return nullptr;
}

const JsonMember* JsonlReader::need(std::string_view key, std::string_view expected) {
  const JsonMember* const member = take_member(key);
  if (member == nullptr) fail(0, fmt::format("missing key \"{}\": expected {}", key, expected));
  return member;
}

bool JsonlReader::need_text(std::string_view key, std::string& text) {
  const JsonMember* const member = need(key, "a text");
  if (member == nullptr) return false;
  if (member->kind != Kind::text) return fail(*member, "a text");
  text = member->text;
  return true;
}

template <typename Integer>
bool JsonlReader::need_integer(std::string_view key, std::string_view expected, Integer& value) {
  const JsonMember* const member = need(key, expected);
  if (member == nullptr) return false;
  const std::optional<Integer> number = integer<Integer>(*member);
  if (!number) return fail(*member, expected);
  value = *number;
  return true;
}

bool JsonlReader::need_word(std::string_view key, std::span<const std::string_view> words, std::uint8_t& index) {
  const JsonMember* const member = take_member(key);
  if (member == nullptr) return fail(0, fmt::format("missing key \"{}\": expected {}", key, one_of(words)));
  return find_word(*member, words, index);
}

bool JsonlReader::find_word(const JsonMember& member, std::span<const std::string_view> words, std::uint8_t& index) {
  const auto found = member.kind == Kind::text ? std::find(words.begin(), words.end(), member.text) : words.end();
  if (found == words.end()) return fail(member, one_of(words));
  index = static_cast<std::uint8_t>(found - words.begin());
  return true;
}

bool JsonlReader::no_more_members(std::string_view what) {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i]) continue;
    const JsonMember& member = json_.members()[i];
    const auto same = [&member](const JsonMember& other) { return other.key == member.key; };
    const bool is_repeated = std::ranges::count_if(json_.members(), same) > 1;
    return fail(member.key_offset, is_repeated ? fmt::format("the key \"{}\" is given twice", shown(member.key))
                                               : fmt::format("{} has no key \"{}\"", what, shown(member.key)));
  }
  return true;
}

// ---- the header -----------------------------------------------------------------------------------------------------------------

bool JsonlReader::read_header() {
  const JsonMember* const version = take_member("loopsim_trace");
  if (version == nullptr) {
    return fail(0, "this is no trace: expected a header line that begins with {\"loopsim_trace\":2");
  }
  if (integer<int>(*version) != kTraceFormatVersion) {
    return fail(
        version->offset,
        fmt::format("this is version {} of the trace format: expected {}{}", shown(version->raw), kTraceFormatVersion,
                    integer<int>(*version) == 1 ? "; run the scenario again to have its trace in this version" : ""),
        version->key);
  }
  RunInfo info;
  std::string program;
  std::string title;
  std::string runtime;
  std::string libuv;
  std::string entry;
  std::string machine;
  if (!need_text("program", program) || !need_text("scenario", title) || !need_text("runtime", runtime) ||
      !need_text("libuv", libuv) || !need_text("entry", entry) || !need_text("machine", machine) ||
      !need_integer("threadpool", "a number from 0", info.threadpool) ||
      !need_integer("seed", "a number from 0 to 2^64-1", info.seed) ||
      !need_integer("clock_phase", "a whole number of nanoseconds", info.clock_phase)) {
    return false;
  }
  const JsonMember* const params = need("params", "an object");
  if (params == nullptr) return false;
  if (params->kind != Kind::object) return fail(*params, "an object");
  if (!no_more_members("the header")) return false;

  JsonLine values;
  values.read(params->raw);  // grammar checked by check_line()
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const JsonMember& value : values.members()) pairs.emplace_back(value.key, value.raw);
  info.program = program;
  info.title = title;
  info.runtime = runtime;
  info.libuv = libuv;
  info.entry = entry;
  info.machine = machine;
  info.params = pairs;
  events_.begin(info);
  return true;
}

// ---- events ---------------------------------------------------------------------------------------------------------------------

bool JsonlReader::read_common(Event& event) {
  std::uint8_t phase = 0;
  if (!need_integer("seq", "a number from 1", event.sequence) ||
      !need_integer("t", expected_words(Type::time_ns), event.time) ||
      !need_integer("loop", expected_words(Type::time_ms), event.loop_time) ||
      !need_integer("turn", "a number from 0", event.turn) || !need_word("phase", phases_, phase)) {
    return false;
  }
  event.phase = static_cast<Phase>(phase);
  if (const JsonMember* const loop = take_member("loop_id"); loop != nullptr) {
    const std::optional<std::uint16_t> number = integer<std::uint16_t>(*loop);
    if (!number || *number == 0) return fail(*loop, "the number of a loop, from 1; the first one has none");
    event.loop = *number;
  }
  return true;
}

bool JsonlReader::read_event(Event& event) {
  if (!read_common(event)) return false;
  if (events_.has_ended(event.loop)) return fail(0, "nothing follows the exit event: expected the end of the trace");
  const JsonMember* const kind = need("ev", "the kind of event");
  if (kind == nullptr) return false;
  const auto table = event_table();
  const auto info = std::ranges::find_if(
      table, [kind](const EventInfo& known) { return kind->kind == Kind::text && known.name == kind->text; });
  if (info == table.end()) {
    return fail(kind->offset,
                fmt::format("there is no event {}: expected one of version {} of the trace format", shown(kind->raw),
                            kTraceFormatVersion),
                kind->key);
  }
  event.kind = info->kind;
  for (const FieldInfo& field : info->fields) {
    const JsonMember* const member = take_member(field.key);
    if (member == nullptr && !field.optional) {
      const std::string expected =
          field.type == Type::word ? one_of(field.words) : std::string(expected_words(field.type));
      return fail(0, fmt::format("missing key \"{}\" of event \"{}\": expected {}", field.key, info->name, expected));
    }
    if (!read_field(event, field, member)) return false;
  }
  return no_more_members(fmt::format("event \"{}\"", info->name));
}

// A missing key (`member` is null) has the value for which the writer omits it.
bool JsonlReader::read_field(Event& event, const FieldInfo& field, const JsonMember* member) {
  const auto unsigned_number = [&](auto& value) {
    if (member == nullptr) return true;
    const auto number = integer<std::remove_reference_t<decltype(value)>>(*member);
    if (!number) return fail(*member, expected_words(field.type));
    value = *number;
    return true;
  };
  const auto signed_number = [&](std::int64_t& value) {
    value = field.type == Type::id || field.type == Type::flag ? 0 : -1;
    if (member == nullptr) return true;
    if (field.type == Type::flag) {
      if (member->kind != Kind::flag) return fail(*member, expected_words(field.type));
      value = member->flag ? 1 : 0;
      return true;
    }
    const std::optional<std::int64_t> number = integer<std::int64_t>(*member);
    if (!number || (field.type == Type::id && *number < 0)) return fail(*member, expected_words(field.type));
    value = *number;
    return true;
  };
  const auto word = [&](std::uint8_t& value) { return member == nullptr || find_word(*member, field.words, value); };

  const auto small_flag = [&](std::uint8_t& value) {
    std::int64_t flag = 0;
    if (!signed_number(flag)) return false;
    value = static_cast<std::uint8_t>(flag);
    return true;
  };

  switch (field.source) {
    case Source::api: {
      std::uint8_t api = 0;
      if (!word(api)) return false;
      event.api = static_cast<Api>(api);
      return true;
    }
    case Source::detail: return field.type == Type::flag ? small_flag(event.detail) : word(event.detail);
    case Source::detail2: return field.type == Type::flag ? small_flag(event.detail2) : word(event.detail2);
    case Source::id: return unsigned_number(event.id);
    case Source::by: return unsigned_number(event.by);
    case Source::line: return unsigned_number(event.line);
    case Source::column: return unsigned_number(event.column);
    case Source::promise: return unsigned_number(event.promise);
    case Source::result: return unsigned_number(event.result);
    case Source::a: return signed_number(event.a);
    case Source::b: return signed_number(event.b);
    case Source::c: return signed_number(event.c);
    case Source::name:
      if (member == nullptr) return true;
      if (member->kind != Kind::text) return fail(*member, expected_words(field.type));
      event.name = events_.name_index(member->text);
      return true;
    case Source::text:
    case Source::value:
      if (member == nullptr) return true;
      if (member->kind != Kind::text) return fail(*member, expected_words(field.type));
      events_.set_text(event, member->text);
      return true;
  }
  return false;
}

// Sequence numbers count up, but for steps, which repeat the last one. That is not checked after an invalid line. Time
// does not go back.
bool JsonlReader::follows(const Event& event) {
  const Event& last = events_.last();
  const std::uint64_t expected = last.sequence + (is_step(event.kind) ? 0 : 1);
  if (in_step_ && event.sequence != expected) {
    return fail(0,
                fmt::format("event {} stands where {} was expected: lines are missing, or in another order",
                            event.sequence, expected),
                "seq");
  }
  if (event.time < last.time) {
    return fail(0, fmt::format("time goes back: expected at least {}, as in the line before", last.time), "t");
  }
  return true;
}

// ---- diagnostics ----------------------------------------------------------------------------------------------------

bool JsonlReader::fail(std::size_t offset, std::string message, std::string_view key) {
  Diagnostic diagnostic;
  diagnostic.file = file_;
  diagnostic.line = line_number_;
  diagnostic.column = static_cast<std::uint32_t>(offset + 1);
  if (!key.empty()) diagnostic.pointer = "/" + std::string(key);
  diagnostic.message = std::move(message);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20U && c != '\t'; };
  const bool can_be_shown = line_.size() <= kShownLine && std::ranges::none_of(line_, is_control) &&
                            find_invalid_utf8(line_) == std::string_view::npos;
  if (can_be_shown) diagnostic.source_line = line_;
  diagnostics_.push_back(std::move(diagnostic));
  events_.fail();
  return false;
}

bool JsonlReader::fail(const JsonMember& member, std::string_view expected) {
  return fail(member.offset, fmt::format("expected {}, not {}", expected, shown(member.raw)), member.key);
}

}  // namespace

std::unique_ptr<TraceReader> make_jsonl_reader(std::string file, std::span<TraceSink* const> sinks) {
  return std::make_unique<JsonlReader>(std::move(file), sinks);
}

}  // namespace loopsim
