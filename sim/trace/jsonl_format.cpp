#include "sim/trace/jsonl_format.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include "loopsim/version.hpp"

#include "sim/trace/decimal.hpp"
#include "sim/trace/event_table.hpp"
#include "sim/trace/json_text.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kFlushSize = 256 * 1024;  // the buffer is passed on when it holds this much
constexpr std::size_t kFixedBound = 1024;       // room for a line without its name and text

// A short constant text. It is copied whole, whatever its size: so there must be room behind it.
struct Fragment {
  static constexpr std::size_t kCapacity = 32;
  std::array<char, kCapacity> bytes{};
  std::size_t size = 0;

  constexpr Fragment() = default;
  // Put together of parts; what is too long is no constant, and does not compile.
  constexpr Fragment(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
      for (const char c : part) bytes[size++] = c;
  }
};

inline char* put(char* out, const Fragment& fragment) {
  std::memcpy(out, fragment.bytes.data(), Fragment::kCapacity);
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

// What is being written. Of each field, all but the value is known when this is compiled.
struct Writing {
  const Event& event;
  std::string_view text;
  std::span<const PaddedName> names;
};

// Most names are short, and padded to a fragment: they are copied as one.
inline char* put_name(char* out, const PaddedName& name) {
  std::memcpy(out, name.text.data(), Fragment::kCapacity);
  if (name.size > Fragment::kCapacity) std::memcpy(out, name.text.data(), name.size);
  return out + name.size;
}

template <std::size_t kind, std::size_t index>
inline constexpr const FieldInfo& kField = events::kEvents[kind].fields[index];

template <std::size_t kind, std::size_t index>
inline constexpr Fragment kKey{",\"", kField<kind, index>.key, "\":"};

// ,"key":"word", for every word.
template <std::size_t kind, std::size_t index>
inline constexpr auto kWords = [] {
  constexpr const FieldInfo& field = kField<kind, index>;
  std::array<Fragment, field.words.size()> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = {",\"", field.key, "\":\"", field.words[i], "\""};
  return words;
}();

template <std::size_t kind, std::size_t index, typename Integer>
inline char* put_value(char* out, Integer value) {
  constexpr const FieldInfo& field = kField<kind, index>;
  if constexpr (field.type == FieldInfo::Type::word) {
    if (field.optional && value == 0) return out;
    assert(static_cast<std::size_t>(value) < field.words.size());
    return put(out, kWords<kind, index>[static_cast<std::size_t>(value)]);
  } else {
    if constexpr (field.optional) {
      // Of a, b and c, -1 is nothing, and 0 where 0 is no callback.
      const bool is_signed = std::is_signed_v<Integer>;
      if (is_signed && value == static_cast<Integer>(-1)) return out;
      if ((!is_signed || field.type == FieldInfo::Type::id) && value == 0) return out;
    }
    out = put(out, kKey<kind, index>);
    if constexpr (field.type == FieldInfo::Type::flag)
      return value != 0 ? put(out, "true") : put(out, "false");
    else
      return put_integer(out, value);
  }
}

template <std::size_t kind, std::size_t index>
inline char* put_field(char* out, const Writing& from) {
  using Source = FieldInfo::Source;
  constexpr const FieldInfo& field = kField<kind, index>;
  if constexpr (field.source == Source::name) {
    if (from.event.name == kNoName || from.names[from.event.name].size <= 2) return out;  // ""
    return put_name(put(out, kKey<kind, index>), from.names[from.event.name]);
  } else if constexpr (field.source == Source::text) {
    if (field.optional && from.text.empty()) return out;
    return write_json_string(put(out, kKey<kind, index>), from.text);
  } else if constexpr (field.source == Source::api) {
    return put_value<kind, index>(out, static_cast<std::uint8_t>(from.event.api));
  } else if constexpr (field.source == Source::detail) {
    return put_value<kind, index>(out, from.event.detail);
  } else if constexpr (field.source == Source::detail2) {
    return put_value<kind, index>(out, from.event.detail2);
  } else if constexpr (field.source == Source::id) {
    return put_value<kind, index>(out, from.event.id);
  } else if constexpr (field.source == Source::by) {
    return put_value<kind, index>(out, from.event.by);
  } else if constexpr (field.source == Source::line) {
    return put_value<kind, index>(out, from.event.line);
  } else if constexpr (field.source == Source::a) {
    return put_value<kind, index>(out, from.event.a);
  } else if constexpr (field.source == Source::b) {
    return put_value<kind, index>(out, from.event.b);
  } else {
    static_assert(field.source == Source::c);
    return put_value<kind, index>(out, from.event.c);
  }
}

// What is written for a kind behind what all have in common: ,"ev":"kind" and its fields.
template <std::size_t kind>
char* put_kind(char* out, const Writing& from) {
  static constexpr Fragment kEvent{",\"ev\":\"", events::kEvents[kind].name, "\""};
  out = put(out, kEvent);
  [&]<std::size_t... index>(std::index_sequence<index...>) { ((out = put_field<kind, index>(out, from)), ...); }
  (std::make_index_sequence<events::kEvents[kind].fields.size()>{});
  return out;
}

using PutKind = char* (*)(char* out, const Writing& from);
constexpr auto kPutKinds = []<std::size_t... kind>(std::index_sequence<kind...>) {
  return std::array<PutKind, sizeof...(kind)>{put_kind<kind>...};
}
(std::make_index_sequence<events::kEvents.size()>{});

constexpr auto kPhases = [] {
  std::array<Fragment, events::kPhases.size()> phases;
  for (std::size_t i = 0; i < phases.size(); ++i) phases[i] = {",\"phase\":\"", events::kPhases[i], "\""};
  return phases;
}();

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

void JsonlFormatter::begin(const RunInfo& info) {
  names_.clear();
  longest_name_ = 0;
  add_names(info.names);
  common_ = {};
  size_ = 0;
}

void JsonlFormatter::add_names(std::span<const std::string> names) {
  for (const std::string& name : names) {
    std::string text = json_string(name);
    const std::size_t size = text.size();
    text.resize(std::max(size, Fragment::kCapacity));
    names_.push_back({std::move(text), size});
    longest_name_ = std::max(longest_name_, size);
  }
}

// What has changed is formatted again, with all that stands behind it.
void JsonlFormatter::format_common(const Event& event) {
  Common& common = common_;
  char* end = common.bytes.data() + common.times_size;
  if (event.time != common.time || event.loop_time != common.loop_time || common.size == 0) {
    end = put_integer(put(common.bytes.data(), ",\"t\":"), event.time);
    end = put_integer(put(end, ",\"loop\":"), event.loop_time);
    common.times_size = static_cast<std::size_t>(end - common.bytes.data());
    common.time = event.time;
    common.loop_time = event.loop_time;
  }
  end = put_integer(put(end, ",\"turn\":"), event.turn);
  end = put(end, kPhases[static_cast<std::size_t>(event.phase)]);
  common.size = static_cast<std::size_t>(end - common.bytes.data());
  common.turn = event.turn;
  common.phase = event.phase;
}

[[gnu::always_inline]] inline char* JsonlFormatter::put_common(char* out, const Event& event) {
  const Common& common = common_;
  if (event.time != common.time || event.turn != common.turn || event.phase != common.phase ||
      event.loop_time != common.loop_time || common.size == 0)
    format_common(event);
  constexpr std::size_t kUsual = 64;
  std::memcpy(out, common.bytes.data(), kUsual);
  if (common.size > kUsual) std::memcpy(out + kUsual, common.bytes.data() + kUsual, common.bytes.size() - kUsual);
  return out + common.size;
}

[[gnu::always_inline]] inline char* JsonlFormatter::put_event(char* out, const Event& event, std::string_view text) {
  out = put_decimal(put(out, "{\"seq\":"), event.sequence);
  out = put_common(out, event);
  out = kPutKinds[static_cast<std::size_t>(event.kind)](out, {event, text, names_});
  return put(out, "}\n");
}

void JsonlFormatter::write(const EventBatch& batch, ByteOutput& output) {
  add_names(batch.new_names);
  for (const Event& event : batch.events) {
    const std::size_t needed = bound(event);
    if (capacity_ - size_ < needed) {
      flush(output);
      if (capacity_ < needed) {
        capacity_ = std::max(needed, kFlushSize);
        buffer_ = std::make_unique_for_overwrite<char[]>(capacity_);
      }
    }
    const char* const end = put_event(buffer_.get() + size_, event, batch.text_of(event));
    size_ = static_cast<std::size_t>(end - buffer_.get());
  }
}

void JsonlFormatter::flush(ByteOutput& output) {
  if (size_ > 0) output.write({buffer_.get(), size_});
  size_ = 0;
}

std::size_t JsonlFormatter::bound(const Event& event) const {
  return kFixedBound + longest_name_ + json_string_bound(event.text_size);
}

}  // namespace loopsim
