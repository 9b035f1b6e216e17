#include "sim/trace/canonical_line.hpp"

#include <cstring>
#include <limits>

namespace loopsim {
namespace {

using Source = FieldInfo::Source;
using Type = FieldInfo::Type;

constexpr std::string_view kEvent = ",\"ev\":\"";

bool is_wide(Source source) { return source == Source::a || source == Source::b || source == Source::c; }

}  // namespace

CanonicalLines::CanonicalLines() {
  const auto quoted = [](std::string_view word) { return "\"" + std::string(word) + "\""; };
  for (const EventInfo& info : event_table()) {
    Kind kind;
    kind.name = std::string(info.name) + "\"";
    kind.kind = info.kind;
    for (const FieldInfo& field : info.fields) {
      Field& added = kind.fields.emplace_back();
      added.key = "," + quoted(field.key) + ":";
      added.source = field.source;
      added.type = field.type;
      added.is_optional = field.optional;
      for (const std::string_view word : field.words) added.words.push_back(quoted(word));
    }
    std::size_t place = place_of(info.name);
    while (places_[place] != 0) place = (place + 1) % places_.size();
    kinds_.push_back(std::move(kind));
    places_[place] = static_cast<std::uint8_t>(kinds_.size());
  }
  for (int phase = 0; phase <= static_cast<int>(Phase::exit); ++phase)
    phases_.push_back(quoted(to_string(static_cast<Phase>(phase))));
}

std::size_t CanonicalLines::place_of(std::string_view name) {
  const auto letter = [name](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(name[i])); };
  return (name.size() * 31 + letter(0) * 7 + letter(name.size() / 2) * 3 + letter(name.size() - 1)) % 256;
}

// ---- tokens ---------------------------------------------------------------------------------------------------------

inline bool CanonicalLines::Cursor::take(std::string_view text) {
  if (static_cast<std::size_t>(end - at) < text.size() || std::memcmp(at, text.data(), text.size()) != 0) return false;
  at += text.size();
  return true;
}

// Up to 19 digits, which fit; longer ones are rare enough for the other reader.
inline bool CanonicalLines::Cursor::take_number(std::uint64_t& number) {
  const char* const begin = at;
  std::uint64_t value = 0;
  while (at != end && static_cast<unsigned char>(*at - '0') < 10U) {
    value = value * 10 + static_cast<std::uint64_t>(*at - '0');
    ++at;
  }
  const auto digits = at - begin;
  number = value;
  return digits == 1 || (digits > 1 && digits <= 19 && *begin != '0');
}

// A text in quotes of plain ASCII.
inline bool CanonicalLines::Cursor::take_text(std::string_view& text) {
  if (at == end || *at != '"') return false;
  const char* const begin = ++at;
  while (at != end && *at != '"') {
    const auto byte = static_cast<unsigned char>(*at);
    if (byte < 0x20U || byte >= 0x80U || byte == '\\') return false;
    ++at;
  }
  if (at == end) return false;
  text = {begin, static_cast<std::size_t>(at - begin)};
  ++at;
  return true;
}

// ---- a line ---------------------------------------------------------------------------------------------------------

bool CanonicalLines::read(std::string_view line, Event& event, ReadEvents& to) {
  Cursor in{line.data(), line.data() + line.size()};
  std::uint64_t sequence = 0;
  if (!in.take("{\"seq\":") || !in.take_number(sequence) || !read_common(in, event)) return false;
  event.sequence = sequence;
  if (to.has_ended(event.loop)) return false;
  Kind* const kind = find_kind(in);
  if (kind == nullptr) return false;
  event.kind = kind->kind;

  std::string_view name;
  Field* named = nullptr;
  std::string_view text;
  bool has_text = false;
  for (Field& field : kind->fields) {
    if (!in.take(field.key)) {
      if (!field.is_optional) return false;
      set_absent(field, event);
      continue;
    }
    switch (field.type) {
      case Type::word:
        if (!read_word(in, field, event)) return false;
        break;
      case Type::text:
        if (field.source == Source::name) {
          if (!field.last_name.empty() && in.take(field.last_name)) {
            event.name = field.name_index;
          } else {
            if (!in.take_text(name)) return false;
            named = &field;
          }
        } else {
          if (has_text || !in.take_text(text)) return false;
          has_text = true;
        }
        break;
      default:
        if (!read_number(in, field, event)) return false;
        break;
    }
  }
  if (!in.take("}") || in.at != in.end) return false;
  if (named != nullptr) {
    named->name_index = event.name = to.name_index(name);
    named->last_name.assign("\"").append(name).append("\"");
  }
  if (has_text) to.set_text(event, text);
  return true;
}

// Most lines share all of it with the line before.
bool CanonicalLines::read_common(Cursor& in, Event& event) {
  const char* const begin = in.at;
  if (!common_.empty() && in.take(common_) && in.take(kEvent)) {
    event = common_event_;
    return true;
  }
  in.at = begin;
  std::uint64_t time = 0;
  std::uint64_t loop_time = 0;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  Event read;
  if (!in.take(",\"t\":") || !in.take_number(time) || time > kMost) return false;
  if (!in.take(",\"loop\":") || !in.take_number(loop_time) || loop_time > kMost) return false;
  if (!in.take(",\"turn\":") || !in.take_number(read.turn) || !in.take(",\"phase\":")) return false;
  std::size_t phase = 0;
  while (phase < phases_.size() && !in.take(phases_[phase])) ++phase;
  if (phase == phases_.size()) return false;
  if (in.take(",\"loop_id\":")) {
    std::uint64_t loop = 0;
    if (!in.take_number(loop) || loop == 0 || loop > std::numeric_limits<std::uint16_t>::max()) return false;
    read.loop = static_cast<std::uint16_t>(loop);
  }
  const char* const end = in.at;
  if (!in.take(kEvent)) return false;
  read.time = static_cast<TimeNs>(time);
  read.loop_time = static_cast<TimeMs>(loop_time);
  read.phase = static_cast<Phase>(phase);
  common_.assign(begin, end);
  common_event_ = read;
  event = read;
  return true;
}

CanonicalLines::Kind* CanonicalLines::find_kind(Cursor& in) {
  const auto left = static_cast<std::size_t>(in.end - in.at);
  const void* const quote = left == 0 ? nullptr : std::memchr(in.at, '"', left);
  if (quote == nullptr || quote == in.at) return nullptr;
  const auto size = static_cast<std::size_t>(static_cast<const char*>(quote) - in.at);
  for (std::size_t place = place_of({in.at, size}); places_[place] != 0; place = (place + 1) % places_.size()) {
    Kind& kind = kinds_[places_[place] - std::size_t{1}];
    if (in.take(kind.name)) return &kind;
  }
  return nullptr;
}

bool CanonicalLines::read_word(Cursor& in, Field& field, Event& event) {
  std::size_t word = field.last_word;
  if (!in.take(field.words[word])) {
    word = 0;
    while (word < field.words.size() && !in.take(field.words[word])) ++word;
    if (word == field.words.size()) return false;
    field.last_word = word;
  }
  if (field.source == Source::api) event.api = static_cast<Api>(word);
  if (field.source == Source::detail) event.detail = static_cast<std::uint8_t>(word);
  if (field.source == Source::detail2) event.detail2 = static_cast<std::uint8_t>(word);
  return true;
}

bool CanonicalLines::read_number(Cursor& in, const Field& field, Event& event) {
  std::uint64_t number = 0;
  bool is_negative = false;
  if (field.type == Type::flag) {
    number = in.take("true") ? 1 : 0;
    if (number == 0 && !in.take("false")) return false;
  } else {
    is_negative = in.take("-");
    if (is_negative && (!is_wide(field.source) || field.type == Type::id)) return false;
    if (!in.take_number(number)) return false;
  }
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto set_wide = [&](std::int64_t& place) {
    if (number > kMost) return false;
    place = is_negative ? -static_cast<std::int64_t>(number) : static_cast<std::int64_t>(number);
    return true;
  };
  const auto set_narrow = [&](std::uint32_t& place) {
    place = static_cast<std::uint32_t>(number);
    return number <= std::numeric_limits<std::uint32_t>::max();
  };
  switch (field.source) {
    case Source::id: event.id = number; return true;
    case Source::by: event.by = number; return true;
    case Source::line: return set_narrow(event.line);
    case Source::column: return set_narrow(event.column);
    case Source::promise: return set_narrow(event.promise);
    case Source::result: return set_narrow(event.result);
    case Source::a: return set_wide(event.a);
    case Source::b: return set_wide(event.b);
    case Source::c: return set_wide(event.c);
    case Source::detail: event.detail = static_cast<std::uint8_t>(number); return true;
    case Source::detail2: event.detail2 = static_cast<std::uint8_t>(number); return true;
    default: return false;
  }
}

// Everything else is 0 in an event where it is absent.
void CanonicalLines::set_absent(const Field& field, Event& event) {
  const std::int64_t absent = field.type == Type::id || field.type == Type::flag ? 0 : -1;
  if (field.source == Source::a) event.a = absent;
  if (field.source == Source::b) event.b = absent;
  if (field.source == Source::c) event.c = absent;
}

}  // namespace loopsim
