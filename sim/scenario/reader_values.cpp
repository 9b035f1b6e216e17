#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"
#include "loopsim/units.hpp"

#include "sim/scenario/javascript_text.hpp"
#include "sim/scenario/reader.hpp"
#include "sim/scenario/scan.hpp"

namespace loopsim {
namespace {

constexpr std::array<std::string_view, 7> kDistributions = {"uniform", "exponential", "normal",  "lognormal",
                                                            "pareto",  "choice",      "sequence"};
constexpr std::array<std::string_view, 3> kErrorKeys = {"error", "name", "code"};
constexpr std::array<std::string_view, 7> kErrorNames = {"Error",          "TypeError", "RangeError", "SyntaxError",
                                                         "ReferenceError", "EvalError", "URIError"};
constexpr std::string_view kDurationHint =
    "a duration such as \"10ms\" (ns, us, ms, s, m, h) or a number of milliseconds";
constexpr std::string_view kValueHint =
    "a number, true, false, null, a text, or an error such as {\"error\": \"message\"}";

// Common spellings of units, and the language's units.
std::string_view unit_meant(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kMeant = {{{"sec", "s"},
                                                                                     {"secs", "s"},
                                                                                     {"second", "s"},
                                                                                     {"seconds", "s"},
                                                                                     {"S", "s"},
                                                                                     {"msec", "ms"},
                                                                                     {"milliseconds", "ms"},
                                                                                     {"millis", "ms"},
                                                                                     {"MS", "ms"},
                                                                                     {"\xC2\xB5s", "us"},
                                                                                     {"\xCE\xBCs", "us"},
                                                                                     {"usec", "us"},
                                                                                     {"min", "m"},
                                                                                     {"minutes", "m"},
                                                                                     {"hr", "h"},
                                                                                     {"hours", "h"},
                                                                                     {"nsec", "ns"}}};
  for (const auto& [written, meant] : kMeant) {
    if (written == unit) return meant;
  }
  return {};
}

// The first brace from `at` on; npos when there is none. (find_first_of makes a call for every character.)
std::size_t find_brace(std::string_view text, std::size_t at) {
  at = find_byte(text, at, [](EightBytes eight) { return eight.equal('{') | eight.equal('}'); });
  return at < text.size() ? at : std::string_view::npos;
}

}  // namespace

// ---- values -----------------------------------------------------------------------------------------------------------------

Value Reader::read_value(NodeIndex node) {
  Value value;
  value.node = node;
  switch (kind(node)) {
    case Kind::null: value.kind = Value::Kind::null; return value;
    case Kind::boolean:
      value.kind = Value::Kind::boolean;
      value.boolean = document_.boolean(node);
      return value;
    case Kind::number:
      value.kind = Value::Kind::number;
      value.number = document_.number(node);
      return value;
    case Kind::text: return read_text_value(node);
    case Kind::object:
      if (document_.find(node, "error") != kNone) return read_error_literal(node);
      break;
    case Kind::list:
    case Kind::invalid: break;
  }
  expected(node, kValueHint);
  return value;
}

List<Value> Reader::read_values(NodeIndex node) {
  if (kind(node) != Kind::list) {
    return {scenario_.memory.make(read_value(node)), 1};
  }
  List<Value> values = scenario_.memory.list<Value>(document_.size(node));
  Value* next = values.data();
  for (const NodeIndex item : children_of(node)) *next++ = read_value(item);
  return values;
}

// A plain text stands for an Error with that message.
Value Reader::read_error_value(NodeIndex node) {
  Value value = read_value(node);
  if (value.kind != Value::Kind::text) return value;
  ErrorLiteral literal;
  literal.message = value.parts;
  value.kind = Value::Kind::error;
  value.error = scenario_.memory.make(literal);
  return value;
}

Value Reader::read_error_literal(NodeIndex node) {
  Value value;
  value.node = node;
  value.kind = Value::Kind::error;
  ErrorLiteral* const literal = scenario_.memory.make(ErrorLiteral{});
  check_keys(node, kErrorKeys, "an error");
  const NodeIndex message = document_.find(node, "error");
  if (is_kind(message, Kind::text, "the error's message, a text")) literal->message = read_parts(message);
  if (const NodeIndex name = document_.find(node, "name");
      name != kNone && is_kind(name, Kind::text, "an error's name")) {
    literal->name = text(name);
    const std::vector<std::string_view> known(kErrorNames.begin(), kErrorNames.end());
    if (std::find(known.begin(), known.end(), text(name)) == known.end()) {
      error(name,
            fmt::format("expected the name of an error of JavaScript ({}), found {}", fmt::join(known, ", "),
                        describe(name)),
            nearest(text(name), known));
    }
  }
  if (const NodeIndex code = document_.find(node, "code");
      code != kNone && is_kind(code, Kind::text, "an error code such as \"ENOENT\"")) {
    literal->code = text(code);
    if (literal->code.empty()) error(code, "an error code cannot be empty");
  }
  value.error = literal;
  return value;
}

// A text that is exactly one placeholder is the variable itself.
Value Reader::read_text_value(NodeIndex node) {
  Value value;
  value.node = node;
  if (profile_->family == Family::libuv) {
    if (const UvError* const error = find_uv_error(text(node)); error != nullptr) {  // as in C, a constant
      value.kind = Value::Kind::number;
      value.number = error->code;
      return value;
    }
  }
  List<TextPart> parts = read_parts(node);
  if (parts.size() != 1 || parts[0].kind != TextPart::Kind::variable) {
    value.set_text(parts);
  } else if (!parts[0].name.is_undefined()) {
    value.kind = Value::Kind::variable;
    value.variable = &parts[0].name;
  }
  return value;
}

// ---- texts with placeholders --------------------------------------------------------------------------------------------------

List<TextPart> Reader::read_parts(NodeIndex node) {
  const std::string_view whole = text(node);
  const bool is_long = whole.size() >= kLongText;
  if (is_long) {
    if (const auto known = long_texts_.find(document_.text_number(node)); known != long_texts_.end()) {
      List<TextPart> parts = scenario_.memory.copy<TextPart>(known->second);
      for (TextPart& part : parts) part.name.node = node;
      return parts;
    }
  }
  parts_.clear();
  std::size_t plain = 0;     // start of the text before the next placeholder
  bool has_doubled = false;  // whether {{ or }} stands in it
  const auto add_plain = [&](std::size_t end) {
    const std::string_view written = whole.substr(plain, end - plain);
    if (!written.empty()) parts_.emplace_back().name.text = has_doubled ? without_doubled(written) : written;
    has_doubled = false;
  };
  for (std::size_t at = find_brace(whole, 0); at != std::string_view::npos; at = find_brace(whole, at)) {
    const char c = whole[at];
    if (at + 1 < whole.size() && whole[at + 1] == c) {  // {{ or }}
      has_doubled = true;
      at += 2;
      continue;
    }
    if (c == '}') {
      error(node, "a '}' without its '{'; write }} for a brace");
      return scenario_.memory.copy<TextPart>(parts_);
    }
    const std::size_t end = find_brace(whole, at + 1);
    if (end == std::string_view::npos || whole[end] == '{') {
      error(node, "a '{' without its '}'; write {{ for a brace");
      return scenario_.memory.copy<TextPart>(parts_);
    }
    add_plain(at);
    TextPart part;
    if (!read_placeholder(node, whole.substr(at + 1, end - at - 1), part))
      return scenario_.memory.copy<TextPart>(parts_);
    parts_.push_back(part);
    plain = at = end + 1;
  }
  add_plain(whole.size());
  if (is_long) long_texts_.emplace(document_.text_number(node), parts_);
  return scenario_.memory.copy<TextPart>(parts_);
}

// A part of a text without placeholders; {{ and }} become braces.
std::string_view Reader::without_doubled(std::string_view written) {
  std::string plain;
  for (std::size_t at = 0; at < written.size(); ++at) {
    plain += written[at];
    if (written[at] == '{' || written[at] == '}') ++at;
  }
  return scenario_.memory.copy(plain);
}

// Reads the text between braces: a name, NAME.message, NAME.code, now, or since NAME.
bool Reader::read_placeholder(NodeIndex node, std::string_view inside, TextPart& part) {
  part.name.node = node;
  if (inside == "now") {
    part.kind = TextPart::Kind::now;
    return true;
  }
  part.kind = TextPart::Kind::variable;
  std::string_view name = inside;
  if (inside.starts_with("since ")) {
    part.kind = TextPart::Kind::since;
    name = inside.substr(6);
  } else if (const std::size_t dot = inside.find('.'); dot != std::string_view::npos) {
    name = inside.substr(0, dot);
    const std::string_view field = inside.substr(dot + 1);
    part.kind = field == "code" ? TextPart::Kind::code : TextPart::Kind::message;
    if (field != "code" && field != "message") {
      error(node,
            fmt::format("the placeholder {{{}}} asks for \"{}\"; only .message and .code of an error can be asked for",
                        inside, field),
            nearest(field, {"message", "code"}));
      return false;
    }
  }
  part.name.text = name;
  if (name == "undefined" && part.kind == TextPart::Kind::variable) {
    part.name.declaration = Name::kUndefined;
    return true;
  }
  if (!is_identifier(name)) {
    error(node,
          fmt::format(
              "{{{}}} is no placeholder; expected {{name}}, {{name.message}}, {{name.code}}, {{now}} or {{since mark}} "
              "({{{{ and }}}} stand for braces)",
              inside));
    return false;
  }
  return true;
}

// ---- durations ----------------------------------------------------------------------------------------------------------------

TimeNs Reader::read_fixed_duration(NodeIndex node) {
  ParsedDuration parsed;
  if (kind(node) == Kind::text) {
    parsed = parse_duration(text(node));
  } else if (kind(node) == Kind::number) {
    parsed = parse_milliseconds(text(node));
  } else {
    expected(node, kDurationHint);
    return 0;
  }
  switch (parsed.problem) {
    case DurationProblem::none: break;
    case DurationProblem::malformed: expected(node, kDurationHint); break;
    case DurationProblem::no_unit:
      error(node, fmt::format("the duration \"{}\" has no unit; expected {}", text(node), kDurationHint),
            std::string(text(node)) + "ms");
      break;
    case DurationProblem::unknown_unit: {
      std::string_view unit = parsed.unit;
      unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
      const std::string digits(text(node).substr(0, text(node).size() - parsed.unit.size()));
      const bool has_blank = unit.size() != parsed.unit.size();
      const bool is_known = parse_duration("1" + std::string(unit)).problem == DurationProblem::none;
      std::string suggestion;
      if (is_known) {
        suggestion = digits + std::string(unit);
      } else if (!unit_meant(unit).empty()) {
        suggestion = digits + std::string(unit_meant(unit));
      }
      error(node,
            has_blank && is_known
                ? fmt::format("a duration has no blank between number and unit, found {}", document_.json(node))
                : fmt::format("\"{}\" is no unit of time; expected ns, us, ms, s, m (minutes) or h", unit),
            std::move(suggestion));
      break;
    }
    case DurationProblem::negative:
      error(node, fmt::format("a duration cannot be negative, found {}", document_.json(node)));
      break;
    case DurationProblem::too_fine:
      error(node, fmt::format("the duration {} is finer than a nanosecond", document_.json(node)));
      break;
    case DurationProblem::too_long:
      error(node, fmt::format("the duration {} is longer than 1000000000s (about 31 years)", document_.json(node)));
      break;
  }
  return parsed.value;
}

bool Reader::is_distribution(NodeIndex node) const {
  if (kind(node) != Kind::object) return false;
  for (const std::string_view name : kDistributions) {
    if (document_.find(node, name) != kNone) return true;
  }
  return false;
}

Duration Reader::read_duration(NodeIndex node) {
  Duration duration;
  if (kind(node) == Kind::object) {
    read_distribution(node, duration);
  } else {
    duration.a = read_fixed_duration(node);
  }
  return duration;
}

// Shares fixed durations: most documents repeat a few.
const Duration* Reader::keep_duration(NodeIndex node) {
  Duration duration = read_duration(node);
  if (duration.kind != Duration::Kind::fixed) return &scenario_.durations.emplace_back(std::move(duration));
  const Duration*& known = fixed_durations_[static_cast<std::uint64_t>(duration.a) % fixed_durations_.size()];
  if (known == nullptr || known->a != duration.a) known = &scenario_.durations.emplace_back(std::move(duration));
  return known;
}

void Reader::read_distribution(NodeIndex node, Duration& duration) {
  const std::string names = fmt::format("{}", fmt::join(kDistributions, ", "));
  if (document_.size(node) == 0) {
    error(node, fmt::format("expected a distribution ({}), found an empty object", names));
    return;
  }
  const NodeIndex member = document_.first_child(node);
  const std::string_view name = document_.key(member);
  const auto found = std::find(kDistributions.begin(), kDistributions.end(), name);
  if (found == kDistributions.end()) {
    key_error(member, fmt::format("\"{}\" is no distribution; expected one of {}", name, names),
              nearest(name, {kDistributions.begin(), kDistributions.end()}));
    return;
  }
  if (const NodeIndex second = document_.next(member); second != kNone) {
    key_error(second, fmt::format("a distribution has one key, here \"{}\"", name));
  }
  duration.kind = static_cast<Duration::Kind>(1 + (found - kDistributions.begin()));

  duration.stream = next_stream_++;
  if (duration.kind == Duration::Kind::exponential) {
    duration.a = read_fixed_duration(member);
    return;
  }
  if (duration.kind == Duration::Kind::choice || duration.kind == Duration::Kind::sequence) {
    if (kind(member) != Kind::list || document_.size(member) == 0) {
      expected(member, "a list of at least one duration");
      return;
    }
    for (const NodeIndex item : children_of(member)) duration.values.push_back(read_fixed_duration(item));
    return;
  }
  static constexpr std::array<std::string_view, 4> kPairs = {
      "two durations, [shortest, longest]", "two durations, [mean, standard deviation]",
      "a duration and a number, [median, sigma]", "a duration and a number, [shortest, alpha]"};
  const std::size_t pair = duration.kind == Duration::Kind::uniform     ? 0
                           : duration.kind == Duration::Kind::normal    ? 1
                           : duration.kind == Duration::Kind::lognormal ? 2
                                                                        : 3;
  if (kind(member) != Kind::list || document_.size(member) != 2) {
    expected(member, kPairs.at(pair));
    return;
  }
  const NodeIndex first = document_.first_child(member);
  const NodeIndex second = document_.next(first);
  duration.a = read_fixed_duration(first);
  switch (duration.kind) {
    case Duration::Kind::uniform:
      duration.b = read_fixed_duration(second);
      if (duration.b < duration.a && kind(second) != Kind::invalid) {
        error(second, fmt::format("the longest time must not be shorter than the shortest, {}", to_text(duration.a)));
      }
      break;
    case Duration::Kind::normal: duration.b = read_fixed_duration(second); break;
    case Duration::Kind::lognormal: duration.shape = read_shape(second, "sigma"); break;
    default: duration.shape = read_shape(second, "alpha"); break;
  }
}

double Reader::read_shape(NodeIndex node, std::string_view what) {
  constexpr double kMost = 1000;
  const std::string wanted = fmt::format("{}, a number above 0 and at most {}", what, kMost);
  if (!is_kind(node, Kind::number, wanted)) return 1;
  const double shape = document_.number(node);
  if (shape > 0 && shape <= kMost) return shape;
  expected(node, wanted);
  return 1;
}

// A delay is any value, as in Node; only likely mistakes, such as "10ms", are refused.
Argument Reader::read_delay(NodeIndex node) {
  if (kind(node) == Kind::object && document_.find(node, "error") == kNone) return keep_duration(node);
  if (kind(node) == Kind::list) {
    expected(node,
             "a number of milliseconds (or any other value that Node takes), or a distribution such as {\"uniform\": "
             "[5, 10]}");
    return Value{};
  }
  if (kind(node) == Kind::text) {
    // "100 ms", too: Node takes it for NaN, and so for 1 ms.
    std::string written(text(node));
    std::erase(written, ' ');
    const ParsedDuration parsed = parse_duration(written);
    if (parsed.problem != DurationProblem::malformed && parsed.problem != DurationProblem::no_unit &&
        (parsed.problem != DurationProblem::unknown_unit || !unit_meant(parsed.unit).empty())) {
      std::string message =
          fmt::format("a delay is a number of milliseconds, as in Node, where \"{}\" would be NaN", text(node));
      if (parsed.problem == DurationProblem::none && parsed.value >= kMillisecond) {
        message += fmt::format("; write {}", javascript::milliseconds(parsed.value));
      }
      error(node, std::move(message));
      return Value{};
    }
  }
  return read_value(node);
}

// ---- conditions, assignments, counts ------------------------------------------------------------------------------------------

Condition* Reader::read_condition(NodeIndex node) {
  constexpr std::array<std::pair<std::string_view, Condition::Operator>, 6> kOperators = {{
      {"<", Condition::Operator::less},
      {"<=", Condition::Operator::less_equal},
      {">", Condition::Operator::greater},
      {">=", Condition::Operator::greater_equal},
      {"==", Condition::Operator::equal},
      {"!=", Condition::Operator::not_equal},
  }};
  constexpr std::string_view kHint = "a variable's name, or a comparison such as [\"x\", \"<\", 3]";
  Condition* const kept = scenario_.memory.make(Condition{});
  Condition& condition = *kept;
  if (kind(node) == Kind::boolean || kind(node) == Kind::number || kind(node) == Kind::null) {
    // A param, most likely. Always or never true: undefined == undefined, or undefined != undefined.
    const bool holds = kind(node) == Kind::boolean ? document_.boolean(node)
                                                   : kind(node) == Kind::number && document_.number(node) != 0;
    condition.left.declaration = Name::kUndefined;
    condition.left.node = node;
    condition.op = holds ? Condition::Operator::equal : Condition::Operator::not_equal;
    return kept;
  }
  if (kind(node) == Kind::text) {
    condition.left = read_name(node, false);
    return kept;
  }
  if (kind(node) != Kind::list || document_.size(node) != 3) {
    expected(node, kHint);
    return kept;
  }
  const NodeIndex left = document_.first_child(node);
  const NodeIndex op = document_.next(left);
  condition.left = read_name(left, false);
  condition.right = read_value(document_.next(op));
  if (!is_kind(op, Kind::text, "an operator: < <= > >= == !=")) return kept;
  for (const auto& [name, meaning] : kOperators) {
    if (name == text(op)) condition.op = meaning;
  }
  if (condition.op == Condition::Operator::truthy) {
    const std::string_view written = text(op);
    const std::string suggestion = written == "===" || written == "="    ? "=="
                                   : written == "!==" || written == "<>" ? "!="
                                                                         : "";
    error(op,
          fmt::format("expected an operator (< <= > >= == !=, the last two as === and !== in JavaScript), found {}",
                      describe(op)),
          suggestion);
  }
  return kept;
}

List<Assignment> Reader::read_assignments(NodeIndex node) {
  if (kind(node) != Kind::object || document_.size(node) == 0) {
    expected(node, "an object of variables and values, such as {\"x\": 1}");
    return {};
  }
  List<Assignment> assignments = scenario_.memory.list<Assignment>(document_.size(node));
  Assignment* next = assignments.data();
  for (const NodeIndex member : children_of(node)) {
    Assignment& assignment = *next++;
    assignment.target.text = document_.key(member);
    assignment.target.node = member;
    check_name(member, assignment.target.text, true);
    assignment.value = read_value(member);
  }
  return assignments;
}

std::int64_t Reader::read_whole(NodeIndex node, std::int64_t low, std::int64_t high, std::string_view what) {
  if (kind(node) == Kind::number) {
    const std::optional<std::int64_t> whole = parse_whole(text(node));
    if (whole && *whole >= low && *whole <= high) return *whole;
  }
  expected(node, fmt::format("{}, a whole number from {} to {}", what, low, high));
  return low;
}

// `what`: "a number of rounds".
Value Reader::read_count(NodeIndex node, std::string_view what) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  Value value = kind(node) == Kind::text ? read_text_value(node) : Value{};
  if (value.kind == Value::Kind::variable) return value;
  if (kind(node) == Kind::text) {
    expected(node, fmt::format("{}, or a variable such as \"{{n}}\"", what));
    return value;
  }
  value.node = node;
  value.kind = Value::Kind::number;
  value.number = static_cast<double>(read_whole(node, 0, kMost, what));
  return value;
}

Value Reader::read_exit_code(NodeIndex node) {
  Value value = kind(node) == Kind::text ? read_text_value(node) : Value{};
  value.node = node;
  if (value.kind == Value::Kind::variable) return value;
  if (kind(node) == Kind::null) {
    value.kind = Value::Kind::null;
    return value;
  }
  value.kind = Value::Kind::number;
  value.number = static_cast<double>(read_whole(node, 0, 255, "an exit code"));
  return value;
}

}  // namespace loopsim
