#include "sim/trace/jsonl_format.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "loopsim/version.hpp"

#include "sim/trace/decimal.hpp"
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

  Fragment() = default;
  explicit Fragment(std::string_view text) : size(text.size()) {
    assert(text.size() <= kCapacity);
    std::memcpy(bytes.data(), text.data(), text.size());
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

// One key of a kind of event: event_table() with its texts put together.
struct Key {
  FieldInfo::Source source;
  FieldInfo::Type type;
  bool optional;
  Fragment key;                 // ,"key":
  std::vector<Fragment> words;  // ,"key":"word"
};

struct Kind {
  Fragment event;  // ,"ev":"kind"
  std::vector<Key> keys;
};

struct Tables {
  std::vector<Kind> kinds;
  std::vector<Fragment> phases;  // ,"phase":"word"
};

std::string quoted(std::string_view key, std::string_view word) {
  std::string text(",\"");
  text.append(key).append("\":\"").append(word).append("\"");
  return text;
}

Key make_key(const FieldInfo& field) {
  Key key{field.source, field.type, field.optional, Fragment(",\"" + std::string(field.key) + "\":"), {}};
  for (const std::string_view word : field.words) key.words.emplace_back(quoted(field.key, word));
  return key;
}

Tables make_tables() {
  Tables tables;
  for (const EventInfo& info : event_table()) {
    Kind kind{Fragment(quoted("ev", info.name)), {}};
    for (const FieldInfo& field : info.fields) kind.keys.push_back(make_key(field));
    tables.kinds.push_back(std::move(kind));
  }
  for (int phase = 0; phase <= static_cast<int>(Phase::exit); ++phase) {
    tables.phases.emplace_back(quoted("phase", to_string(static_cast<Phase>(phase))));
  }
  return tables;
}

const Tables& tables() {
  static const Tables kTables = make_tables();
  return kTables;
}

// A signed field (a, b, c): absent at -1, or at 0 where 0 is no callback.
inline bool is_absent(const Key& key, std::int64_t value) {
  return key.optional && (value == -1 || (key.type == FieldInfo::Type::id && value == 0));
}

inline char* put_number(char* out, const Key& key, std::int64_t value) {
  if (is_absent(key, value)) return out;
  out = put(out, key.key);
  if (key.type == FieldInfo::Type::flag) return value != 0 ? put(out, "true") : put(out, "false");
  return put_integer(out, value);
}

// Most names are short, and padded to a fragment: they are copied as one.
inline char* put_name(char* out, const Fragment& key, const PaddedName& name) {
  if (name.size <= 2) return out;  // ""
  out = put(out, key);
  std::memcpy(out, name.text.data(), Fragment::kCapacity);
  if (name.size > Fragment::kCapacity) std::memcpy(out, name.text.data(), name.size);
  return out + name.size;
}

inline char* put_id(char* out, const Key& key, std::uint64_t value) {
  if (key.optional && value == 0) return out;
  return put_integer(put(out, key.key), value);
}

inline char* put_word(char* out, const Key& key, std::uint8_t value) {
  if (key.optional && value == 0) return out;
  assert(value < key.words.size());
  return put(out, key.words[value]);
}

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

JsonlFormatter::JsonlFormatter() {
  tables();  // made here rather than at the first event
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

// What has changed is formatted again, with all that stands behind it.
char* JsonlFormatter::put_common(char* out, const Event& event) {
  Common& common = common_;
  if (event.time != common.time || event.loop_time != common.loop_time || common.size == 0) {
    char* end = put_integer(put(common.bytes.data(), ",\"t\":"), event.time);
    end = put_integer(put(end, ",\"loop\":"), event.loop_time);
    common.times_size = static_cast<std::size_t>(end - common.bytes.data());
    common.time = event.time;
    common.loop_time = event.loop_time;
    common.size = 0;
  }
  if (event.turn != common.turn || event.phase != common.phase || common.size == 0) {
    char* end = common.bytes.data() + common.times_size;
    end = put_integer(put(end, ",\"turn\":"), event.turn);
    end = put(end, tables().phases[static_cast<std::size_t>(event.phase)]);
    common.size = static_cast<std::size_t>(end - common.bytes.data());
    common.turn = event.turn;
    common.phase = event.phase;
  }
  std::memcpy(out, common.bytes.data(), common.bytes.size());
  return out + common.size;
}

char* JsonlFormatter::put_event(char* out, const Event& event, std::string_view text) {
  const Kind& kind = tables().kinds[static_cast<std::size_t>(event.kind)];
  out = put_decimal(put(out, "{\"seq\":"), event.sequence);
  out = put_common(out, event);
  out = put(out, kind.event);
  for (const Key& key : kind.keys) {
    switch (key.source) {
      case FieldInfo::Source::api: out = put_word(out, key, static_cast<std::uint8_t>(event.api)); break;
      case FieldInfo::Source::detail: out = put_word(out, key, event.detail); break;
      case FieldInfo::Source::detail2: out = put_word(out, key, event.detail2); break;
      case FieldInfo::Source::id: out = put_id(out, key, event.id); break;
      case FieldInfo::Source::by: out = put_id(out, key, event.by); break;
      case FieldInfo::Source::line: out = put_id(out, key, event.line); break;
      case FieldInfo::Source::a: out = put_number(out, key, event.a); break;
      case FieldInfo::Source::b: out = put_number(out, key, event.b); break;
      case FieldInfo::Source::c: out = put_number(out, key, event.c); break;
      case FieldInfo::Source::name:
        if (event.name != kNoName) out = put_name(out, key.key, names_[event.name]);
        break;
      case FieldInfo::Source::text:
        if (!key.optional || !text.empty()) out = write_json_string(put(out, key.key), text);
        break;
    }
  }
  return put(out, "}\n");
}

}  // namespace loopsim
