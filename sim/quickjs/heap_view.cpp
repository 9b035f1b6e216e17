#include "sim/quickjs/heap_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "loopsim/text.hpp"

#include "sim/quickjs/layout.hpp"

namespace loopsim::quickjs {

using layout::Class;

namespace {

constexpr int kDeepest = 3;          // objects in objects that are shown
constexpr int kDeepestRope = 64;     // parts of parts of a text
constexpr std::uint32_t kMost = 64;  // properties, items: more do not fit into a text of a step
constexpr int kMostPrototypes = 32;

bool is_a(std::uint32_t class_id, Class one) { return class_id == static_cast<std::uint32_t>(one); }

bool has_bytecode(std::uint32_t class_id) {
  return is_a(class_id, Class::function) || is_a(class_id, Class::generator_function) ||
         is_a(class_id, Class::async_function) || is_a(class_id, Class::async_generator_function);
}

bool is_function_class(std::uint32_t class_id) {
  return has_bytecode(class_id) || is_a(class_id, Class::c_function) || is_a(class_id, Class::bound_function) ||
         is_a(class_id, Class::c_function_data) || is_a(class_id, Class::c_closure) ||
         is_a(class_id, Class::resolve_function) || is_a(class_id, Class::reject_function);
}

bool is_typed_array(std::uint32_t class_id) {
  return class_id >= static_cast<std::uint32_t>(Class::uint8_clamped_array) &&
         class_id <= static_cast<std::uint32_t>(Class::float64_array);
}

void add_utf8(std::string& out, std::uint32_t point) {
  const auto add = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xC0U | point >> 6U);
  } else if (point < 0x10000) {
    add(0xE0U | point >> 12U);
    add(0x80U | (point >> 6U & 0x3FU));
  } else {
    add(0xF0U | point >> 18U);
    add(0x80U | (point >> 12U & 0x3FU));
    add(0x80U | (point >> 6U & 0x3FU));
  }
  add(0x80U | (point & 0x3FU));
}

bool is_identifier(std::string_view text) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
  };
  return !text.empty() && (text[0] < '0' || text[0] > '9') && std::ranges::all_of(text, is_word);
}

void separate(BoundedText& out, bool& is_first) {
  out.add(is_first ? " " : ", ");
  is_first = false;
}

}  // namespace

// ---- texts ----------------------------------------------------------------------------------------------------------

std::uint32_t HeapView::characters_of(std::uint32_t string) const {
  namespace at = layout::string;
  switch (word(string + at::kind) >> 28U & 3U) {
    case 1: return word(string + at::text) + at::text + word(string + at::slice_start);
    case 2: return word(string + at::text);
    default: return string + at::text;
  }
}

// The characters of a JSString, the first `most` bytes or somewhat more.
void HeapView::add_characters(std::string& out, std::uint32_t string, std::size_t most) const {
  const std::uint32_t head = word(string + layout::string::length);
  const std::uint32_t length = head & 0x7FFF'FFFFU;
  const bool is_wide = head >> 31U != 0;
  const std::uint32_t from = characters_of(string);
  const auto unit = [&](std::uint32_t i) { return is_wide ? half(from + 2 * i) : at<std::uint8_t>(from + i); };
  for (std::uint32_t i = 0; i < length && out.size() <= most; ++i) {
    std::uint32_t point = unit(i);
    if (is_wide && point >= 0xD800 && point < 0xE000) {
      const std::uint32_t next = i + 1 < length ? unit(i + 1) : 0;
      if (point < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
        point = 0x10000 + ((point - 0xD800) << 10U) + (next - 0xDC00);
        ++i;
      } else {
        point = 0xFFFD;  // half of a pair
      }
    }
    add_utf8(out, point);
  }
}

void HeapView::add_string(std::string& out, Js value, std::size_t most, int depth) const {
  if (tag_of(value) != JsTag::string_rope) return add_characters(out, pointer_of(value), most);
  if (depth >= kDeepestRope) return void(out += "..");
  add_string(out, at<Js>(pointer_of(value) + layout::rope::left), most, depth + 1);
  if (out.size() <= most) add_string(out, at<Js>(pointer_of(value) + layout::rope::right), most, depth + 1);
}

std::string HeapView::text(Js value) const {
  std::string out;
  add_string(out, value, kMostStepText, 0);
  return out;
}

std::string HeapView::atom(std::uint32_t atom) const {
  if (atom >> 31U != 0) return std::to_string(atom & 0x7FFF'FFFFU);
  std::string out;
  if (atom != 0)
    add_characters(out, word(word(world_.runtime() + layout::runtime::atom_array) + 4 * atom), kMostStepText);
  return out;
}

HeapView::KeyKind HeapView::kind_of_key(std::uint32_t atom) const {
  if (atom >> 31U != 0) return KeyKind::text;
  const std::uint32_t string = word(word(world_.runtime() + layout::runtime::atom_array) + 4 * atom);
  const std::uint32_t kind = word(string + layout::string::kind);
  if (kind >> 30U != 3) return KeyKind::text;
  return (kind & 0x0FFF'FFFFU) == 0 ? KeyKind::symbol : KeyKind::own;
}

// ---- properties -----------------------------------------------------------------------------------------------------

std::uint32_t HeapView::class_of(std::uint32_t object) const { return half(object + layout::object::class_id); }

bool HeapView::is_closure(Js value) const { return is_object(value) && has_bytecode(class_of(pointer_of(value))); }

template <typename Visit>
void HeapView::each_property(std::uint32_t object, Visit visit) const {
  namespace shape = layout::shape;
  const std::uint32_t form = word(object + layout::object::shape);
  const std::uint32_t values = word(object + layout::object::properties);
  const std::uint32_t rows = form + shape::table + 4 * (word(form + shape::hash_mask) + 1);
  const std::uint32_t count = word(form + shape::count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t row = rows + i * shape::property_size;
    const Property one = {word(row + shape::atom), word(row) >> 26U, values + i * layout::property::size};
    if (one.atom != 0 && !visit(one)) return;
  }
}

HeapView::Property HeapView::find(std::uint32_t object, std::string_view name) const {
  Property found;
  std::uint32_t seen = 0;
  each_property(object, [&](const Property& one) {
    if (one.atom >> 31U == 0 && atom(one.atom) == name) found = one;
    return found.address == 0 && ++seen < 4 * kMost;
  });
  return found;
}

Js HeapView::value_of(const Property& property) const {
  if (property.address == 0) return kUndefined;
  const std::uint32_t kind = property.flags & layout::property::kind;
  if (kind == layout::property::is_reference) return at<Js>(word(word(property.address) + layout::reference::value));
  return kind == 0 ? at<Js>(property.address) : kUndefined;
}

// Of an own property that is a text.
std::string HeapView::text_of(std::uint32_t object, std::string_view name) const {
  const Js value = value_of(find(object, name));
  return is_string(value) ? text(value) : std::string();
}

std::string HeapView::function_name(std::uint32_t object) const { return text_of(object, "name"); }

// The name of the first constructor on the way to Object.prototype; empty: there is none.
std::string HeapView::constructor_of(std::uint32_t object) const {
  std::uint32_t one = object;
  for (int i = 0; i < kMostPrototypes && one != 0; ++i) {
    const Js constructor = value_of(find(one, "constructor"));
    if (is_object(constructor) && is_function_class(class_of(pointer_of(constructor)))) {
      if (std::string name = function_name(pointer_of(constructor)); !name.empty()) return name;
    }
    one = word(word(one + layout::object::shape) + layout::shape::prototype);
  }
  return {};
}

// ---- values ---------------------------------------------------------------------------------------------------------

ValueKind HeapView::kind_of(Js value) const {
  switch (tag_of(value)) {
    case JsTag::undefined: return ValueKind::undefined;
    case JsTag::null: return ValueKind::null;
    case JsTag::boolean: return ValueKind::boolean;
    case JsTag::integer:
    case JsTag::float64: return ValueKind::number;
    case JsTag::string:
    case JsTag::string_rope: return ValueKind::string;
    case JsTag::symbol: return ValueKind::symbol;
    case JsTag::big_int:
    case JsTag::short_big_int: return ValueKind::bigint;
    case JsTag::object: break;
    default: return ValueKind::uninitialized;
  }
  const std::uint32_t class_id = class_of(pointer_of(value));
  if (is_function_class(class_id)) return ValueKind::function;
  if (is_a(class_id, Class::array)) return ValueKind::array;
  if (is_a(class_id, Class::error)) return ValueKind::error;
  return is_a(class_id, Class::promise) ? ValueKind::promise : ValueKind::object;
}

void HeapView::show(BoundedText& out, Js value, int depth) const {
  if (out.is_cut()) return;
  switch (tag_of(value)) {
    case JsTag::undefined: return out.add("undefined");
    case JsTag::null: return out.add("null");
    case JsTag::boolean: return out.add(value == kTrue ? "true" : "false");
    case JsTag::integer:
    case JsTag::float64: {
      const double number = number_of(value);
      std::string digits = number == 0 && std::signbit(number) ? "-" : "";
      append_javascript_number(digits, number);
      return out.add(digits);
    }
    case JsTag::string:
    case JsTag::string_rope: return out.add(depth == 0 ? text(value) : javascript_string(text(value)));
    case JsTag::symbol: {
      std::string name;
      add_characters(name, pointer_of(value), kMostStepText);
      return out.add(fmt::format("Symbol({})", name));
    }
    case JsTag::short_big_int: return out.add(fmt::format("{}n", static_cast<std::int32_t>(pointer_of(value))));
    case JsTag::big_int: return show_big_int(out, pointer_of(value));
    case JsTag::object: return show_object(out, pointer_of(value), depth);
    default: return;  // it has none yet
  }
}

void HeapView::show_object(BoundedText& out, std::uint32_t object, int depth) const {
  namespace field = layout::object;
  const std::uint32_t class_id = class_of(object);
  if (is_function_class(class_id)) return show_function(out, object);
  const std::uint32_t data = word(object + field::data);
  const std::string name = constructor_of(object);
  if (is_a(class_id, Class::error)) {
    const std::string own = text_of(object, "name");
    const std::string message = text_of(object, "message");
    out.add(!own.empty() ? own : name.empty() ? "Error" : name);
    return message.empty() ? void() : out.add(": " + message);
  }
  if (is_a(class_id, Class::date)) return show_date(out, number_of(at<Js>(object + field::data)));
  if (is_a(class_id, Class::regexp)) return show_regexp(out, object);
  if (is_typed_array(class_id)) return show_typed_array(out, object, class_id, name);
  if (is_a(class_id, Class::number) || is_a(class_id, Class::string) || is_a(class_id, Class::boolean) ||
      is_a(class_id, Class::symbol) || is_a(class_id, Class::big_int)) {
    out.add(fmt::format("[{}: ", name));
    show(out, at<Js>(object + field::data), depth + 1);
    return out.add("]");
  }
  const bool is_arguments = is_a(class_id, Class::arguments) || is_a(class_id, Class::mapped_arguments);
  const bool is_list = is_a(class_id, Class::array) || is_arguments;
  if (depth >= kDeepest) return out.add(is_list ? "[Array]" : fmt::format("[{}]", name.empty() ? "Object" : name));
  if (is_list) {
    if (is_arguments) out.add("[Arguments] ");
    if (is_a(class_id, Class::array) && name != "Array")
      out.add(fmt::format("{}({}) ", name, word(object + field::count)));
    out.add("[");
    bool is_first = true;
    if ((at<std::uint8_t>(object + field::flags) & field::is_fast_array) != 0)
      show_items(out, object, depth, is_first);
    else
      show_sparse_items(out, object, depth, is_first);
    show_properties(out, object, depth, is_first);
    return out.add(is_first ? "]" : " ]");
  }
  if (is_a(class_id, Class::promise)) {
    const std::uint32_t state = word(data + layout::promise::state);
    out.add(name + (state == 0 ? " { <pending>" : state == 1 ? " { " : " { <rejected> "));
    if (state != 0) show(out, at<Js>(data + layout::promise::result), depth + 1);
    return out.add(" }");
  }
  if (is_a(class_id, Class::map) || is_a(class_id, Class::set)) {
    out.add(fmt::format("{}({}) ", name, word(data + layout::map::count)));
    return show_records(out, object, depth, is_a(class_id, Class::map));
  }
  if (is_a(class_id, Class::weak_map) || is_a(class_id, Class::weak_set)) return out.add(name + " { <items unknown> }");
  if (is_a(class_id, Class::generator)) return out.add("Object [Generator] {}");
  if (is_a(class_id, Class::async_generator)) return out.add("Object [AsyncGenerator] {}");
  if (is_a(class_id, Class::proxy)) return out.add("Proxy");
  if (is_a(class_id, Class::array_buffer)) return out.add(fmt::format("ArrayBuffer({})", word(data)));
  // An object of Node's own, such as a timer, has no properties to show.
  const bool is_of_program = is_a(class_id, Class::object);
  if (!is_of_program) return out.add(name.empty() ? "Object" : name);
  if (name.empty()) out.add("[Object: null prototype] ");
  if (!name.empty() && name != "Object") out.add(name + " ");
  out.add("{");
  bool is_first = true;
  show_properties(out, object, depth, is_first);
  out.add(is_first ? "}" : " }");
}

void HeapView::show_function(BoundedText& out, std::uint32_t object) const {
  const std::uint32_t class_id = class_of(object);
  const std::string name = function_name(object);
  if (has_bytecode(class_id)) {
    const std::uint32_t source = word(word(object + layout::object::data) + layout::bytecode::source);
    constexpr std::string_view kClass = "class";
    bool is_class = source != 0;
    for (std::uint32_t i = 0; i < kClass.size() && is_class; ++i) is_class = at<char>(source + i) == kClass[i];
    if (is_class) return out.add(fmt::format("[class {}]", name.empty() ? "(anonymous)" : name));
  }
  const std::string_view kind = is_a(class_id, Class::generator_function)         ? "GeneratorFunction"
                                : is_a(class_id, Class::async_function)           ? "AsyncFunction"
                                : is_a(class_id, Class::async_generator_function) ? "AsyncGeneratorFunction"
                                                                                  : "Function";
  out.add(name.empty() ? fmt::format("[{} (anonymous)]", kind) : fmt::format("[{}: {}]", kind, name));
}

void HeapView::show_items(BoundedText& out, std::uint32_t object, int depth, bool& is_first) const {
  namespace field = layout::object;
  const bool has_cells = is_a(class_of(object), Class::mapped_arguments);  // those of the function's parameters
  const std::uint32_t count = word(object + field::count);
  const std::uint32_t values = word(object + field::second);
  for (std::uint32_t i = 0; i < count && !out.is_cut(); ++i) {
    separate(out, is_first);
    const std::uint32_t place = has_cells ? word(word(values + i * 4) + layout::reference::value) : values + i * 8;
    show(out, at<Js>(place), depth + 1);
  }
}

// Of an array with holes: its items are properties.
void HeapView::show_sparse_items(BoundedText& out, std::uint32_t object, int depth, bool& is_first) const {
  std::map<std::uint32_t, Property> items;
  each_property(object, [&](const Property& one) {
    if (one.atom >> 31U != 0) items.emplace(one.atom & 0x7FFF'FFFFU, one);
    return items.size() < kMost;
  });
  std::uint32_t next = 0;
  for (const auto& [index, item] : items) {
    if (index > next) {
      separate(out, is_first);
      out.add(fmt::format("<{} empty item{}>", index - next, index - next == 1 ? "" : "s"));
    }
    separate(out, is_first);
    show(out, value_of(item), depth + 1);
    next = index + 1;
  }
}

void HeapView::show_properties(BoundedText& out, std::uint32_t object, int depth, bool& is_first) const {
  std::uint32_t shown = 0;
  const bool is_list = is_a(class_of(object), Class::array);
  each_property(object, [&](const Property& one) {
    if (is_list && one.atom >> 31U != 0) return true;  // an item
    const KeyKind key = kind_of_key(one.atom);
    if ((one.flags & layout::property::is_enumerable) == 0 || key == KeyKind::own) return true;
    const std::string name = atom(one.atom);
    separate(out, is_first);
    if (key == KeyKind::symbol)
      out.add(fmt::format("[Symbol({})]", name));
    else
      out.add(one.atom >> 31U != 0 || is_identifier(name) ? name : javascript_string(name));
    out.add(": ");
    if ((one.flags & layout::property::kind) == layout::property::is_accessor) {
      const bool has_getter = word(one.address + layout::property::getter) != 0;
      const bool has_setter = word(one.address + layout::property::setter) != 0;
      out.add(has_getter && has_setter ? "[Getter/Setter]" : has_getter ? "[Getter]" : "[Setter]");
    } else {
      show(out, value_of(one), depth + 1);
    }
    return ++shown < kMost && !out.is_cut();
  });
}

void HeapView::show_records(BoundedText& out, std::uint32_t object, int depth, bool has_values) const {
  namespace record = layout::map_record;
  out.add("{");
  bool is_first = true;
  const std::uint32_t head = word(object + layout::object::data) + layout::map::records;
  std::uint32_t seen = 0;
  for (std::uint32_t link = word(head + 4); link != head && link != 0 && !out.is_cut() && ++seen < 4 * kMost;
       link = word(link + 4)) {  // list_head: previous, next
    const std::uint32_t one = link - record::link;
    if (at<std::uint8_t>(one + record::is_empty) != 0) continue;
    separate(out, is_first);
    show(out, at<Js>(one + record::key), depth + 1);
    if (!has_values) continue;
    out.add(" => ");
    show(out, at<Js>(one + record::value), depth + 1);
  }
  out.add(is_first ? "}" : " }");
}

bool HeapView::members_of_iterator(Js iterator, std::vector<Js>& members) const {
  namespace record = layout::map_record;
  const std::uint32_t object = pointer_of(iterator);
  const bool is_of_set = is_a(class_of(object), Class::set_iterator);
  if (!is_of_set && !is_a(class_of(object), Class::map_iterator)) return false;
  const std::uint32_t data = word(object + layout::object::data);
  if (data == 0) return false;
  const std::uint32_t kind = word(data + layout::map_iterator::kind), last = word(data + layout::map_iterator::record);
  const Js map = at<Js>(data + layout::map_iterator::of);
  if (!is_object(map)) return kind == 2;  // it has ended
  const std::uint32_t head = word(pointer_of(map) + layout::object::data) + layout::map::records;
  for (std::uint32_t link = word((last == 0 ? head : last + record::link) + 4); link != head && link != 0;
       link = word(link + 4)) {
    const std::uint32_t one = link - record::link;
    if (at<std::uint8_t>(one + record::is_empty) != 0) continue;
    if (kind != 1 || is_of_set) members.push_back(at<Js>(one + record::key));
    if (kind != 0 && (kind == 2 || !is_of_set))
      members.push_back(at<Js>(one + (is_of_set ? record::key : record::value)));
  }
  return kind == 2;
}

void HeapView::show_typed_array(BoundedText& out, std::uint32_t object, std::uint32_t class_id,
                                const std::string& name) const {
  const std::uint32_t count = word(object + layout::object::count);
  const std::uint32_t from = word(object + layout::object::second);
  if (name.starts_with("Buffer")) {  // the library's class has another name within it
    out.add("<Buffer");
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(count, 50); ++i)
      out.add(fmt::format(" {:02x}", at<std::uint8_t>(from + i)));
    return out.add(count > 50 ? fmt::format(" ... {} more bytes>", count - 50) : std::string(">"));
  }
  out.add(fmt::format("{}({}) [", name, count));
  for (std::uint32_t i = 0; i < count && !out.is_cut(); ++i) {
    out.add(i == 0 ? " " : ", ");
    std::string item;
    switch (static_cast<Class>(class_id)) {
      case Class::int8_array: item = std::to_string(at<std::int8_t>(from + i)); break;
      case Class::int16_array: item = std::to_string(at<std::int16_t>(from + 2 * i)); break;
      case Class::uint16_array: item = std::to_string(half(from + 2 * i)); break;
      case Class::int32_array: item = std::to_string(at<std::int32_t>(from + 4 * i)); break;
      case Class::uint32_array: item = std::to_string(word(from + 4 * i)); break;
      case Class::big_int64_array: item = fmt::format("{}n", at<std::int64_t>(from + 8 * i)); break;
      case Class::big_uint64_array: item = fmt::format("{}n", at<std::uint64_t>(from + 8 * i)); break;
      case Class::float16_array: item = ".."; break;
      case Class::float32_array: append_javascript_number(item, static_cast<double>(at<float>(from + 4 * i))); break;
      case Class::float64_array: append_javascript_number(item, at<double>(from + 8 * i)); break;
      default: item = std::to_string(at<std::uint8_t>(from + i)); break;
    }
    out.add(item);
  }
  out.add(count == 0 ? "]" : " ]");
}

// In UTC, as toISOString() has it.
void HeapView::show_date(BoundedText& out, double milliseconds) const {
  if (!std::isfinite(milliseconds)) return out.add("Invalid Date");
  const auto time = static_cast<std::int64_t>(milliseconds);
  constexpr std::int64_t kDay = 86'400'000;
  const std::int64_t day = time >= 0 ? time / kDay : -((kDay - 1 - time) / kDay);
  const std::int64_t rest = time - day * kDay;
  // Days since 0000-03-01, in eras of 400 years.
  const std::int64_t shifted = day + 719'468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  const std::int64_t of_era = shifted - era * 146'097;
  const std::int64_t year_of_era = (of_era - of_era / 1'460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * of_year + 2) / 153;
  const std::int64_t date = of_year - (153 * shifted_month + 2) / 5 + 1;
  const std::int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  const std::string years = year >= 0 && year <= 9999 ? fmt::format("{:04}", year) : fmt::format("{:+07}", year);
  out.add(fmt::format("{}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", years, month, date, rest / 3'600'000,
                      rest / 60'000 % 60, rest / 1'000 % 60, rest % 1'000));
}

void HeapView::show_regexp(BoundedText& out, std::uint32_t object) const {
  std::string pattern;
  add_characters(pattern, word(object + layout::object::data), kMostStepText);
  const std::uint32_t flags = half(characters_of(word(object + layout::object::second)));
  constexpr std::array<std::pair<std::uint32_t, char>, 8> kFlags = {
      {{64, 'd'}, {1, 'g'}, {2, 'i'}, {4, 'm'}, {8, 's'}, {16, 'u'}, {256, 'v'}, {32, 'y'}}};
  std::string letters;
  for (const auto& [bit, letter] : kFlags) {
    if ((flags & bit) != 0) letters += letter;
  }
  out.add(fmt::format("/{}/{}", pattern, letters));
}

// In two's complement, words of 32 bits, the lowest first.
void HeapView::show_big_int(BoundedText& out, std::uint32_t big_int) const {
  const std::uint32_t size = word(big_int);
  if (size > 24) return out.add(fmt::format("<{} bits>n", std::uint64_t{size} * 32));
  std::vector<std::uint32_t> words;
  for (std::uint32_t i = 0; i < size; ++i) words.push_back(word(big_int + 4 + 4 * i));
  const bool is_negative = !words.empty() && words.back() >> 31U != 0;
  if (is_negative) {
    std::uint64_t carry = 1;
    for (std::uint32_t& one : words) {
      carry += static_cast<std::uint32_t>(~one);
      one = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
    }
  }
  std::string digits;
  while (std::ranges::any_of(words, [](std::uint32_t one) { return one != 0; })) {
    std::uint64_t rest = 0;
    for (std::size_t i = words.size(); i-- > 0;) {
      rest = rest << 32U | words[i];
      words[i] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
    }
    digits += static_cast<char>('0' + rest);
  }
  if (digits.empty()) digits = "0";
  if (is_negative) digits += '-';
  std::ranges::reverse(digits);
  out.add(digits + "n");
}

}  // namespace loopsim::quickjs
