#include "sim/trace/jsonl_format.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstring>
#include <span>

#include "loopsim/version.hpp"

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
  if (value >= 0 && value < 10) {
    *out = static_cast<char>('0' + static_cast<int>(value));
    return out + 1;
  }
  return std::to_chars(out, out + 24, value).ptr;
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
  sequence_size_ = 0;
  size_ = 0;
}

void JsonlFormatter::add_names(std::span<const std::string> names) {
  for (const std::string& name : names) {
    names_.push_back(json_string(name));
    longest_name_ = std::max(longest_name_, names_.back().size());
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

// Sequence numbers follow each other, so the digits of the last one are counted up.
char* JsonlFormatter::put_sequence(char* out, std::uint64_t sequence) {
  char* const digits_end = sequence_digits_.data() + sequence_digits_.size();
  char* last = digits_end - 1;
  if (sequence_size_ != 0 && sequence == sequence_ + 1 && *last != '9') {
    ++*last;
  } else {
    char text[24];
    const char* const end = std::to_chars(text, text + sizeof text, sequence).ptr;
    sequence_size_ = static_cast<std::size_t>(end - text);
    std::memcpy(digits_end - sequence_size_, text, sequence_size_);
  }
  sequence_ = sequence;
  std::memcpy(out, digits_end - sequence_size_, sequence_size_);
  return out + sequence_size_;
}

char* JsonlFormatter::put_common(char* out, const Event& event) {
  if (event.time != common_.time || event.loop_time != common_.loop_time || event.turn != common_.turn ||
      event.phase != common_.phase || common_.size == 0) {
    char* end = common_.bytes.data();
    end = put_integer(put(end, ",\"t\":"), event.time);
    end = put_integer(put(end, ",\"loop\":"), event.loop_time);
    end = put_integer(put(end, ",\"turn\":"), event.turn);
    const Fragment& phase = tables().phases[static_cast<std::size_t>(event.phase)];
    std::memcpy(end, phase.bytes.data(), phase.size);
    end += phase.size;
    common_.time = event.time;
    common_.loop_time = event.loop_time;
    common_.turn = event.turn;
    common_.phase = event.phase;
    common_.size = static_cast<std::size_t>(end - common_.bytes.data());
  }
  std::memcpy(out, common_.bytes.data(), common_.bytes.size());
  return out + common_.size;
}

char* JsonlFormatter::put_event(char* out, const Event& event, std::string_view text) {
  const Kind& kind = tables().kinds[static_cast<std::size_t>(event.kind)];
  out = put_sequence(put(out, "{\"seq\":"), event.sequence);
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
        if (event.name != kNoName && names_[event.name].size() > 2) {  // not ""
          const std::string& name = names_[event.name];
          out = put(out, key.key);
          std::memcpy(out, name.data(), name.size());
          out += name.size();
        }
        break;
      case FieldInfo::Source::text:
        if (!key.optional || !text.empty()) out = write_json_string(put(out, key.key), text);
        break;
    }
  }
  return put(out, "}\n");
}

}  // namespace loopsim
