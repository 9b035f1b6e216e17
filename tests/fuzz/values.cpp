#include "tests/fuzz/values.hpp"

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

namespace loopsim::fuzz {
namespace {

// Common values first and repeated: equal times are where order matters.
constexpr std::array kDurations = {"1ms", "0ms",   "2ms",       "1ms",  "3ms",   "1ns",  "999999ns", "0.5ms",
                                   "5ms", "250us", "1000001ns", "20ms", "100ms", "1.5s", "3us",      "1h"};
constexpr std::array kSmallDurations = {"1ms", "0ms", "2ms", "0.3ms", "5ms", "1us", "10ms", "1ns"};
const std::array<Json, 20> kDelays = {1,   0,     2,   1,       1,    3,   5,     10,           1.9,        -1,
                                      0.5, "NaN", "5", nullptr, true, 100, false, 2147483648LL, 2147483647, "$$x"};
const std::array<Json, 12> kNumbers = {1, 0, 2, 3, -1, 7, 0.5, 255, 1e9, 9007199254740993LL, -1.5e300, 4294967296LL};
constexpr std::array kTexts = {"text", "",    "{now}", "{undefined}", "{{}}", "\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80",
                               "a b",  "$$p", "5"};
constexpr std::array kErrorNames = {"Error", "TypeError", "RangeError", "SyntaxError"};
const std::array<Json, 10> kCounts = {1, 2, 0, 3, 2, 1, 17, 500, 1000000000, 2};
constexpr std::array kBytes = {1, 1000, 9000, 16384, 4096};

}  // namespace

Json Values::constant(Json value) {
  if (!choices_.one_in(24)) return value;
  const std::string name = "param" + std::to_string(params_.size());
  params_[name] = std::move(value);
  return "$" + name;
}

Json Values::value(const Known& known) {
  switch (choices_.below(8)) {
    case 0:
    case 1: return constant(choices_.of(kNumbers));
    case 2: return placeholder(known, "");
    case 3: return constant(choices_.half());
    case 4: return nullptr;
    case 5: return error(known);
    default: return text(known);
  }
}

Json Values::placeholder(const Known& known, std::string_view field) {
  if (known.size() == 0) return "{undefined}";
  return "{" + known[choices_.below(known.size())].name + std::string(field) + "}";
}

Json Values::text(const Known& known) {
  switch (choices_.below(6)) {
    case 0: return placeholder(known, "");
    case 1: return known.size() == 0 ? Json("text") : placeholder(known, ".message");
    case 2: return known.size() == 0 ? Json("text") : placeholder(known, ".code");
    case 3:
      if (known.marks.empty()) return "{now}";
      return "{since " + choices_.of(known.marks) + "}ms";
    case 4: return "l " + placeholder(known, "").get<std::string>() + " {now}";
    default: return choices_.of(kTexts);
  }
}

Json Values::error(const Known& known) {
  Json made = {{"error", choices_.half() ? text(known) : Json("boom")}};
  if (made["error"] == "$$p") made["error"] = "p";
  if (choices_.half()) made["name"] = choices_.of(kErrorNames);
  if (choices_.half()) made["code"] = "EBAD";
  return made;
}

Json Values::values(const Part& part, const Known& known) {
  if (choices_.one_in(4)) return value(known);
  Json list = Json::array();
  for (std::size_t left = choices_.below(part.most + 1); left > 0; --left) list.push_back(value(known));
  return list;
}

Json Values::fixed_duration() { return choices_.of(kDurations); }

Json Values::duration() {
  const auto pair = [&](const char* name, Json second) {
    return constant(Json{{name, Json::array({choices_.of(kSmallDurations), std::move(second)})}});
  };
  const auto list = [&](const char* name) {
    Json times = Json::array({choices_.of(kSmallDurations)});
    while (times.size() < 4 && choices_.half()) times.push_back(choices_.of(kDurations));
    return constant(Json{{name, std::move(times)}});
  };
  switch (choices_.below(16)) {
    case 9: return pair("uniform", "10ms");
    case 10: return pair("normal", choices_.of(kSmallDurations));
    case 11: return constant(Json{{"exponential", choices_.of(kSmallDurations)}});
    case 12: return pair("lognormal", choices_.half() ? 0.5 : 3.0);
    case 13: return pair("pareto", choices_.half() ? 1.5 : 0.25);
    case 14: return list("choice");
    case 15: return list("sequence");
    default: return constant(fixed_duration());
  }
}

Json Values::delay(const Known& known) {
  if (choices_.one_in(12)) return duration_object();
  if (choices_.one_in(12)) return placeholder(known, "");
  return constant(choices_.of(kDelays));
}

Json Values::duration_object() {
  Json drawn = duration();
  return drawn.is_object() ? drawn : Json{{"exponential", choices_.of(kSmallDurations)}};
}

Json Values::count(const Known& known) {
  if (known.size() != 0 && choices_.one_in(12)) return placeholder(known, "");
  return constant(choices_.of(kCounts));
}

// `takes` of readFile and writeFile: one duration, or one per request; open and close are common to both.
Json Values::request_times() {
  if (choices_.half()) return duration();
  return {{"open", duration()}, {"close", duration()}};
}

Json Values::data(const Known& known) {
  switch (choices_.below(8)) {
    case 5: return value_to_write(known);
    case 6: return std::string(4096, 'd');
    default: return "d" + std::to_string(choices_.below(4));
  }
}

Json Values::value_to_write(const Known& known) {
  Json drawn = value(known);
  return drawn == "" ? Json("d") : drawn;
}

Json Values::exit_code(const Known& known) {
  switch (choices_.below(8)) {
    case 0:
    case 1: return nullptr;
    case 2: return known.size() == 0 ? Json() : placeholder(known, "");
    case 3: return 255;
    default: return constant(choices_.below(4));
  }
}

Json Values::word(const Part& part, int major) {
  std::vector<std::string> possible;
  for (const auto& [word, since] : part.words) {
    if (since <= major) possible.push_back(word);
  }
  return choices_.of(possible);
}

Json Values::argument(const Part& part, int major, const Known& known) {
  const std::string_view hole = part.hole;
  if (hole == "value") return value(known);
  if (hole == "values") return values(part, known);
  if (hole == "error") return choices_.half() ? Json("e") : value(known);
  if (hole == "errors") return Json::array({error(known)});
  if (hole == "count") return count(known);
  if (hole == "delay") return delay(known);
  if (hole == "duration") return duration();
  if (hole == "request_times") return request_times();
  if (hole == "port") return 8081 + choices_.below(2);
  if (hole == "address") return choices_.one_in(12) ? Json("/nonexistent/socket") : Json(8081 + choices_.below(3));
  if (hole == "data") return data(known);
  if (hole == "bytes") return choices_.of(kBytes);
  if (hole == "exit_code") return exit_code(known);
  if (hole == "flag") return !choices_.half();
  if (!part.words.empty()) return word(part, major);  // operation, event, signal or error code
  throw std::runtime_error("nobody knows what stands in \"" + part.hole + "\"");
}

}  // namespace loopsim::fuzz
