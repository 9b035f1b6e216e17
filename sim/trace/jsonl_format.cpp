#include "sim/trace/jsonl_format.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include "loopsim/assert.hpp"
#include "loopsim/text.hpp"
#include "loopsim/version.hpp"

#include "sim/trace/event_table.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kFlushSize = 256 * 1024;  // the buffer is flushed at this size
constexpr std::size_t kFixedBound = 1024;       // bound of a line without its name and text

// A short constant text. Copies always have the full capacity: the destination needs that much room.
template <std::size_t capacity>
struct FragmentOf {
  static constexpr std::size_t kCapacity = capacity;
  std::array<char, kCapacity> bytes{};
  std::size_t size = 0;

  constexpr FragmentOf() = default;
  // Concatenates parts; text beyond the capacity does not compile.
  constexpr FragmentOf(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
      for (const char c : part) bytes[size++] = c;
  }
};

using Fragment = FragmentOf<32>;
using LongFragment = FragmentOf<64>;

template <std::size_t capacity>
inline char* put(char* out, const FragmentOf<capacity>& fragment) {
  std::memcpy(out, fragment.bytes.data(), capacity);
  return out + fragment.size;
}

template <std::size_t size>
inline char* put(char* out, const char (&text)[size]) {
  std::memcpy(out, text, size - 1);
  return out + (size - 1);
}

template <typename Integer>
inline char* put_integer(char* out, Integer value) {
  if constexpr (std::is_signed_v<Integer>) {
    if (value < 0) return std::to_chars(out, out + 24, value).ptr;
  }
  return put_decimal(out, static_cast<std::uint64_t>(value));
}

// Inputs of a line. Everything about its fields but the values is a compile-time constant.
struct Writing {
  const Event& event;
  std::string_view text;
  const NamesAsFields& names;
  RecentText& recent;
};

// Most names are short: one copy of kRoom bytes.
inline char* put_name(char* out, const NamesAsFields& names, std::uint32_t name) {
  const std::size_t begin = names.begins[name];
  const std::size_t size = names.begins[name + std::size_t{1}] - begin;
  const char* const text = names.text.data() + begin;
  std::memcpy(out, text, NamesAsFields::kRoom);
  if (size > NamesAsFields::kRoom) std::memcpy(out, text, size);
  return out + size;
}

template <std::size_t kind, std::size_t index>
inline constexpr const FieldInfo& kField = events::kEvents[kind].fields[index];

template <std::size_t kind, std::size_t index>
inline constexpr Fragment kKey{",\"", kField<kind, index>.key, "\":"};

// ,"key":"word", for every word.
template <std::size_t kind, std::size_t index>
constexpr auto words_of() {
  constexpr const FieldInfo& field = kField<kind, index>;
  std::array<Fragment, field.words.size()> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = {",\"", field.key, "\":\"", field.words[i], "\""};
  return words;
}
template <std::size_t kind, std::size_t index>
inline constexpr auto kWords = words_of<kind, index>();

// The RecentDecimal of a field whose numbers are likely to repeat or count up, else null.
template <std::size_t kind, std::size_t index>
inline RecentDecimal* recent_of(RecentText& recent) {
  using Source = FieldInfo::Source;
  constexpr auto event = static_cast<EventKind>(kind);
  constexpr Source source = kField<kind, index>.source;
  if constexpr (source == Source::line) return &recent.line;
  if constexpr (source == Source::id && event == EventKind::schedule) return &recent.scheduled;
  if constexpr (source == Source::by && event == EventKind::schedule) return &recent.running;
  if constexpr (source == Source::id && event == EventKind::callback_begin) return &recent.running;
  if constexpr (source == Source::id && event == EventKind::callback_end) return &recent.running;
  return nullptr;
}

// Writes a number by the fastest way for its field; the text is always that of put_integer().
template <std::size_t kind, std::size_t index, typename Integer>
inline char* put_number(char* out, Integer value, RecentText& recent) {
  constexpr bool is_due =
      static_cast<EventKind>(kind) == EventKind::callback_begin && kField<kind, index>.source == FieldInfo::Source::a;
  if constexpr (is_due) {  // most callbacks begin at their due time, which is the line's own t
    if (value == recent.time) {
      constexpr std::size_t kLongest = 24;
      std::memcpy(out, recent.bytes.data() + RecentText::kTimeBegin, kLongest);
      return out + recent.time_size;
    }
  }
  if constexpr (std::is_unsigned_v<Integer>) {
    if (RecentDecimal* const near = recent_of<kind, index>(recent)) return near->put(out, value);
  }
  return put_integer(out, value);
}

template <std::size_t kind, std::size_t index, typename Integer>
inline char* put_value(char* out, Integer value, RecentText& recent) {
  constexpr const FieldInfo& field = kField<kind, index>;
  if constexpr (field.type == FieldInfo::Type::word) {
    if (field.optional && value == 0) return out;
    LOOPSIM_ASSERT(static_cast<std::size_t>(value) < field.words.size());
    return put(out, kWords<kind, index>[static_cast<std::size_t>(value)]);
  } else {
    if constexpr (field.optional) {
      // Absent values: -1 in a, b and c; 0 in ids and unsigned fields.
      const bool is_signed = std::is_signed_v<Integer>;
      if (field.type == FieldInfo::Type::flag && value == 0) return out;
      if (is_signed && value == static_cast<Integer>(-1)) return out;
      if ((!is_signed || field.type == FieldInfo::Type::id) && value == 0) return out;
    }
    out = put(out, kKey<kind, index>);
    if constexpr (field.type == FieldInfo::Type::flag)
      return value != 0 ? put(out, "true") : put(out, "false");
    else
      return put_number<kind, index>(out, value, recent);
  }
}

template <std::size_t kind, std::size_t index>
inline char* put_field(char* out, const Writing& from) {
  using Source = FieldInfo::Source;
  constexpr const FieldInfo& field = kField<kind, index>;
  if constexpr (field.source == Source::name) {
    static_assert(field.key == "name");
    return from.event.name == kNoName ? out : put_name(out, from.names, from.event.name);
  } else if constexpr (field.source == Source::text || field.source == Source::value) {
    if (field.optional && from.text.empty()) return out;
    if constexpr (static_cast<EventKind>(kind) == EventKind::enqueue) {
      if (carries_value(from.event) != (field.source == Source::value)) return out;
    }
    return write_json_string(put(out, kKey<kind, index>), from.text);
  } else if constexpr (field.source == Source::api) {
    return put_value<kind, index>(out, static_cast<std::uint8_t>(from.event.api), from.recent);
  } else if constexpr (field.source == Source::detail) {
    return put_value<kind, index>(out, from.event.detail, from.recent);
  } else if constexpr (field.source == Source::detail2) {
    return put_value<kind, index>(out, from.event.detail2, from.recent);
  } else if constexpr (field.source == Source::id) {
    return put_value<kind, index>(out, from.event.id, from.recent);
  } else if constexpr (field.source == Source::by) {
    return put_value<kind, index>(out, from.event.by, from.recent);
  } else if constexpr (field.source == Source::line) {
    return put_value<kind, index>(out, from.event.line, from.recent);
  } else if constexpr (field.source == Source::column) {
    return put_value<kind, index>(out, from.event.column, from.recent);
  } else if constexpr (field.source == Source::promise) {
    return put_value<kind, index>(out, from.event.promise, from.recent);
  } else if constexpr (field.source == Source::result) {
    return put_value<kind, index>(out, from.event.result, from.recent);
  } else if constexpr (field.source == Source::a) {
    return put_value<kind, index>(out, from.event.a, from.recent);
  } else if constexpr (field.source == Source::b) {
    return put_value<kind, index>(out, from.event.b, from.recent);
  } else {
    static_assert(field.source == Source::c);
    return put_value<kind, index>(out, from.event.c, from.recent);
  }
}

// Events of callbacks begin with two fields: ,"ev":"kind","api":"word","id":
template <std::size_t kind>
constexpr bool is_of_callback() {
  constexpr std::span<const FieldInfo> fields = events::kEvents[kind].fields;
  return fields.size() >= 2 && fields[0].source == FieldInfo::Source::api &&
         fields[1].source == FieldInfo::Source::id && !fields[0].optional && !fields[1].optional;
}
template <std::size_t kind>
inline constexpr bool kIsOfCallback = is_of_callback<kind>();

template <std::size_t kind>
constexpr auto begins_of() {
  constexpr const FieldInfo& api = kField<kind, 0>;
  constexpr const FieldInfo& id = kField<kind, 1>;
  std::array<LongFragment, api.words.size()> begins;
  for (std::size_t i = 0; i < begins.size(); ++i)
    begins[i] = {",\"ev\":\"", events::kEvents[kind].name, "\",\"", api.key, "\":\"", api.words[i], "\",\"", id.key,
                 "\":"};
  return begins;
}
template <std::size_t kind>
inline constexpr auto kOfCallback = begins_of<kind>();

template <std::size_t kind>
inline char* put_begin(char* out, const Writing& from) {
  if (from.event.loop != 0) [[unlikely]]
    out = put_integer(put(out, ",\"loop_id\":"), from.event.loop);
  if constexpr (kIsOfCallback<kind>) {
    const auto api = static_cast<std::size_t>(from.event.api);
    LOOPSIM_ASSERT(api < kOfCallback<kind>.size());
    out = put(out, kOfCallback<kind>[api]);
    return put_number<kind, 1>(out, from.event.id, from.recent);
  } else {
    static constexpr Fragment kEvent{",\"ev\":\"", events::kEvents[kind].name, "\""};
    return put(out, kEvent);
  }
}

// Writes the part of a line that depends on the kind: ,"ev":"kind" and its fields.
template <std::size_t kind>
char* put_kind(char* out, const Writing& from) {
  constexpr std::size_t kBegun = kIsOfCallback<kind> ? 2 : 0;
  out = put_begin<kind>(out, from);
  [&]<std::size_t... index>(std::index_sequence<index...>) {
    ((out = put_field<kind, kBegun + index>(out, from)), ...);
  }
  (std::make_index_sequence<events::kEvents[kind].fields.size() - kBegun>{});
  return out;
}

using PutKind = char* (*)(char* out, const Writing& from);
template <std::size_t... kind>
constexpr std::array<PutKind, sizeof...(kind)> put_kinds(std::index_sequence<kind...> /*all*/) {
  return {put_kind<kind>...};
}
constexpr auto kPutKinds = put_kinds(std::make_index_sequence<events::kEvents.size()>{});

constexpr auto words_of_phases() {
  std::array<Fragment, events::kPhases.size()> phases;
  for (std::size_t i = 0; i < phases.size(); ++i) phases[i] = {",\"phase\":\"", events::kPhases[i], "\""};
  return phases;
}
constexpr auto kPhases = words_of_phases();

}  // namespace

std::string jsonl_header(const RunInfo& info) {
  std::string line = "{\"loopsim_trace\":" + std::to_string(kTraceFormatVersion);
  const auto add = [&line](std::string_view key, std::string_view json) {
    line.append(",\"").append(key).append("\":").append(json);
  };
  add("program", json_string(info.program.empty() ? kVersion : info.program));
  add("scenario", json_string(info.title));
  add("runtime", json_string(info.runtime));
  add("libuv", json_string(info.libuv));
  add("entry", json_string(info.entry));
  add("machine", json_string(info.machine));
  add("threadpool", std::to_string(info.threadpool));
  add("seed", std::to_string(info.seed));
  add("clock_phase", std::to_string(info.clock_phase));
  add("params", "{");
  for (std::size_t i = 0; i < info.params.size(); ++i) {
    const auto& [name, json] = info.params[i];
    if (i > 0) line.push_back(',');
    line.append(json_string(name)).append(":").append(json);
  }
  line.append("}}\n");
  return line;
}

void NamesAsFields::clear() {
  text.assign(kRoom, '\0');
  begins.assign(1, 0);
  longest = 0;
}

void NamesAsFields::add(std::span<const std::string> names) {
  if (names.empty()) return;
  constexpr std::string_view kKeyOfNames = ",\"name\":";
  text.resize(begins.back());
  std::size_t needed = text.size() + kRoom;
  for (const std::string& name : names) needed += kKeyOfNames.size() + name.size() + 2;
  // Geometric growth: a run that adds a name in every batch must not copy all names every time.
  if (needed > text.capacity()) text.reserve(std::max(needed, text.capacity() + text.capacity() / 2));
  if (begins.size() == 1) begins.reserve(names.size() + 1);
  for (const std::string& name : names) {
    if (!name.empty()) text.append(kKeyOfNames).append(json_string(name));
    longest = std::max(longest, text.size() - begins.back());
    begins.push_back(text.size());
  }
  text.resize(text.size() + kRoom);
}

void JsonlFormatter::begin(const RunInfo& info) {
  names_.clear();
  names_.add(info.names);
  recent_ = {};
  size_ = 0;
}

// Formats t and loop if they changed; turn and phase always.
void JsonlFormatter::format_common(const Event& event) {
  RecentText& recent = recent_;
  char* end = recent.bytes.data() + recent.times_size;
  if (event.time != recent.time || event.loop_time != recent.loop_time) {
    char* const time = put(recent.bytes.data(), ",\"t\":");
    end = put_integer(time, event.time);
    recent.time_size = static_cast<std::size_t>(end - time);
    end = put_integer(put(end, ",\"loop\":"), event.loop_time);
    recent.times_size = static_cast<std::size_t>(end - recent.bytes.data());
    recent.time = event.time;
    recent.loop_time = event.loop_time;
  }
  end = recent.turns.put(put(end, ",\"turn\":"), event.turn);
  end = put(end, kPhases[static_cast<std::size_t>(event.phase)]);
  recent.size = static_cast<std::size_t>(end - recent.bytes.data());
  recent.turn = event.turn;
  recent.phase = event.phase;
}

[[gnu::always_inline]] inline char* JsonlFormatter::put_common(char* out, const Event& event) {
  const RecentText& recent = recent_;
  if (event.time != recent.time || event.turn != recent.turn || event.phase != recent.phase ||
      event.loop_time != recent.loop_time)
    format_common(event);
  constexpr std::size_t kUsual = 64;
  std::memcpy(out, recent.bytes.data(), kUsual);
  if (recent.size > kUsual) std::memcpy(out + kUsual, recent.bytes.data() + kUsual, recent.bytes.size() - kUsual);
  return out + recent.size;
}

[[gnu::always_inline]] inline char* JsonlFormatter::put_event(char* out, const Event& event, std::string_view text) {
  out = recent_.sequence.put(put(out, "{\"seq\":"), event.sequence);
  out = put_common(out, event);
  out = kPutKinds[static_cast<std::size_t>(event.kind)](out, {event, text, names_, recent_});
  return put(out, "}\n");
}

void JsonlFormatter::write(const EventBatch& batch, ByteOutput& output) {
  names_.add(batch.new_names);
  const std::size_t bound = kFixedBound + names_.longest;  // of a line without its text
  for (const Event& event : batch.events) {
    const std::size_t needed = bound + json_string_bound(event.text_size);
    if (capacity_ - size_ < needed) make_room(needed, output);
    const char* const end = put_event(buffer_.get() + size_, event, batch.text_of(event));
    size_ = static_cast<std::size_t>(end - buffer_.get());
  }
}

void JsonlFormatter::make_room(std::size_t needed, ByteOutput& output) {
  flush(output);
  if (capacity_ >= needed) return;
  capacity_ = std::max(needed, kFlushSize);
  buffer_ = std::make_unique_for_overwrite<char[]>(capacity_);
}

void JsonlFormatter::flush(ByteOutput& output) {
  if (size_ > 0) output.write({buffer_.get(), size_});
  size_ = 0;
}

}  // namespace loopsim
