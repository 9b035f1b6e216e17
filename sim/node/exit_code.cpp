// process.exitCode: accepted values, and the resulting exit code (lib/internal/bootstrap/node.js; before Node 20 a
// plain property that src/api/hooks.cc converts at the end).
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "loopsim/text.hpp"

#include "sim/node/environment.hpp"
#include "sim/node/exit.hpp"

namespace loopsim::node {

namespace {

constexpr double kMostSafe = 0x1p53 - 1;  // Number.MAX_SAFE_INTEGER

// addNumericalSeparator() of lib/internal/errors.js: an underscore before every third character from the end, digit or
// not.
std::string separated(std::string_view text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > first && (text.size() - i) % 3 == 0) out += '_';
    out += text[i];
  }
  return out;
}

// determineSpecificType() cuts a text of more than 28 characters (UTF-16) after the 25th.
std::string cut(std::string_view text) {
  constexpr std::size_t kMost = 28, kKept = 25;
  std::size_t units = 0, kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) == 0x80U) continue;  // within a character
    if (units <= kKept) kept = i;
    units += byte >= 0xF0 ? 2 : 1;
  }
  return units > kMost ? std::string(text.substr(0, kept)) + "..." : std::string(text);
}

// Value::IsInt32() of V8: false for -0.
bool is_int32(double number) {
  return number >= -2147483648.0 && number < 2147483648.0 && std::trunc(number) == number &&
         !(number == 0 && std::signbit(number));
}

}  // namespace

// Int32Value(): NaN and infinity count as 0, and only the last 32 bits count.
std::int64_t Exit::to_code(const Value& value) const {
  const double number = engine_.to_number(value);
  if (!std::isfinite(number)) return 0;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(std::fmod(number, 0x1p32))));
}

double Exit::code_told_before_exit() const {
  return profile_.before_exit_gives_int32 ? static_cast<double>(code_) : code_whole_;
}

// process.exitCode = code: undefined and null unset it.
Flow Exit::set_code(const Value& code) {
  engine_.charge_text(code);
  const bool is_set = code.tag != Tag::undefined && code.tag != Tag::null;
  if (is_set && profile_.exit_code_checked) {
    if (const Flow flow = check_code(code); flow != Flow::normal) return flow;
  }
  code_set_ = is_set;
  code_is_int32_ = code.tag == Tag::number && is_int32(code.number);
  code_ = is_set ? to_code(code) : 0;
  const double number = is_set ? engine_.to_number(code) : 0;
  code_whole_ = std::isnan(number) ? 0 : std::trunc(number);
  heap_.retain(code);
  heap_.release(std::exchange(assigned_, code));
  return Flow::normal;
}

// validateInteger(code, 'code') of lib/internal/validators.js.
Flow Exit::check_code(const Value& code) {
  const bool is_text = code.tag == Tag::literal || code.tag == Tag::string;
  const double number =
      code.tag == Tag::number || (is_text && !engine_.string_of(code).empty()) ? engine_.to_number(code) : std::nan("");
  if (code.tag != Tag::number && std::isnan(number)) {
    return engine_.throw_coded_error("TypeError",
                                     "The \"code\" argument must be of type number. Received " + specific_type(code),
                                     "ERR_INVALID_ARG_TYPE");
  }
  if (std::trunc(number) == number && std::fabs(number) <= kMostSafe) return Flow::normal;
  const bool is_integer = std::trunc(number) == number && std::isfinite(number);
  const std::string received = engine_.to_text(Value::of_number(number));
  return engine_.throw_coded_error(
      "RangeError",
      fmt::format("The value of \"code\" is out of range. It must be {}. Received {}",
                  is_integer ? ">= -9007199254740991 && <= 9007199254740991" : "an integer",
                  is_integer ? separated(received) : received),
      "ERR_OUT_OF_RANGE");
}

// determineSpecificType() of lib/internal/errors.js.
std::string Exit::specific_type(const Value& value) const {
  switch (value.tag) {
    case Tag::undefined: return "undefined";
    case Tag::null: return "null";
    case Tag::boolean: return fmt::format("type boolean ({})", value.index != 0);
    case Tag::number: return fmt::format("type number ({})", engine_.to_text(value));
    case Tag::literal:
    case Tag::string: {
      const std::string text = cut(engine_.string_of(value));
      return text.find('\'') == std::string::npos ? fmt::format("type string ('{}')", text)
                                                  : fmt::format("type string ({})", json_string(text));
    }
    case Tag::error: return "an instance of " + heap_.errors[value.index].name;
    case Tag::list: return "an instance of Array";
    case Tag::record: return "an instance of Object";
    case Tag::timer: return "an instance of Timeout";
    case Tag::immediate: return "an instance of Immediate";
    case Tag::promise: return "an instance of Promise";
    case Tag::foreign: return engine_.specific_type(value);
    case Tag::handle:
    case Tag::request: return {};  // of libuv alone
    case Tag::emitter: break;
  }
  const EmitterObject& emitter = heap_.emitters[value.index];
  if (value.index == env_.events.process_emitter()) return "an instance of process";
  if (emitter.child != kNone) return "an instance of ChildProcess";
  if (emitter.net == kNone) return "an instance of EventEmitter";
  return heap_.nets[emitter.net].is_server ? "an instance of Server" : "an instance of Socket";
}

// ---- process.exit() -------------------------------------------------------------------------------------------------------------

// `process.exitCode || 0`.
Value Exit::code_told_by_exit() const {
  if (profile_.exit_gives_int32) return Value::of_number(static_cast<double>(code_));
  return engine_.is_true(assigned_) ? assigned_ : Value::of_number(0);
}

// process.exit(code): the 'exit' listeners run at once, and nothing else after them, unless one of them throws. Before
// Node 20 a falsy code other than 0 counts as none.
Flow Exit::process_exit(const Value* code) {
  const bool is_number = code != nullptr && code->tag == Tag::number;
  if (code != nullptr && (profile_.exit_takes_any_code || engine_.is_true(*code) || (is_number && code->number == 0))) {
    if (const Flow flow = set_code(*code); flow != Flow::normal) return flow;
  }
  const Value told = code_told_by_exit();
  if (const Flow flow = emit_exit(told); flow != Flow::normal) return flow;
  return really_exit(code_);
}

Flow Exit::emit_exit(const Value& code) {
  if (exiting_) return Flow::normal;
  exiting_ = true;
  position_.phase = Phase::exit;
  if (env_.events.emit_process("exit", {&code, 1}) == Flow::threw) return Flow::threw;
  return env_.ending.is_over() ? Flow::stop : Flow::normal;
}

Flow Exit::really_exit(std::int64_t code) {
  env_.ending.end_process(ExitReason::process_exit, code);
  return Flow::stop;
}

}  // namespace loopsim::node
