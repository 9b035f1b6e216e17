// A page in a browser: the markup of its body, what servers answer, and what the user does.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"

#include "sim/scenario/reader.hpp"

namespace loopsim {

namespace {

constexpr std::array<std::string_view, 4> kUserInputs = {"click", "keydown", "focus", "scroll"};
constexpr std::array<std::string_view, 4> kAnswerKeys = {"text", "status", "takes", "headers"};
constexpr std::array<std::string_view, 6> kMethods = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};

}  // namespace

// What a page has beside its program.
void Reader::read_page(NodeIndex root) {
  const bool is_page = profile_->family == Family::browser;
  const NodeIndex markup = document_.find(root, "document");
  const NodeIndex answers = document_.find(root, "answers");
  if (!is_page) {
    for (const NodeIndex node : {markup, answers}) {
      if (node == kNone) continue;
      key_error(node,
                fmt::format("only a page in a browser has \"{}\", and the runtime is {}", key(node), profile_->name));
    }
    return;
  }
  if (!scenario_.script) scenario_.page = std::make_shared<Script>();
  Script& script = scenario_.script ? *scenario_.script : *scenario_.page;
  if (markup != kNone) {
    for (const std::string& line :
         read_lines(markup, "the markup of the page's body: a text, or a list of texts (lines)"))
      script.document += line + "\n";
  }
  if (answers != kNone) read_answers(answers, script);
}

// By the URL, with a method before it if that is not GET: a text, the body; or an object.
void Reader::read_answers(NodeIndex node, Script& script) {
  constexpr std::string_view kHint = R"(an object of answers such as {"/data": {"text": "hello", "takes": "30ms"}})";
  if (!is_kind(node, Kind::object, kHint)) return;
  for (const NodeIndex answer : children_of(node)) read_answer(answer, script);
}

void Reader::read_answer(NodeIndex node, Script& script) {
  ScriptAnswer answer;
  const std::string_view name = key(node);
  const std::size_t space = name.find(' ');
  if (space != std::string_view::npos) answer.method = name.substr(0, space);
  answer.url = space == std::string_view::npos ? name : name.substr(space + 1);
  const bool is_method = std::ranges::find(kMethods, answer.method) != kMethods.end();
  if (answer.url.empty() || !is_method)
    return key_error(node,
                     fmt::format("an answer has a URL or a path, and before it a method if that is not GET; expected "
                                 "one such as \"/data\" or \"POST /data\", with one of {}",
                                 fmt::join(kMethods, ", ")));
  if (kind(node) == Kind::text) {
    answer.text = text(node);
  } else {
    if (!is_kind(node, Kind::object, "a text, or an object such as {\"text\": \"hello\", \"takes\": \"30ms\"}")) return;
    check_keys(node, kAnswerKeys, "an answer");
    const auto member = [&](std::string_view key) { return document_.find(node, key); };
    if (const NodeIndex body = member("text"); body != kNone && is_kind(body, Kind::text, "a text"))
      answer.text = text(body);
    constexpr std::int64_t kLastStatus = 599;
    if (const NodeIndex status = member("status"); status != kNone)
      answer.status = static_cast<std::uint32_t>(
          read_whole(status, 0, kLastStatus, "the status of an answer, such as 404, or 0 for a request that fails"));
    if (const NodeIndex takes = member("takes"); takes != kNone) {
      script.durations.push_back(read_duration(takes));
      answer.takes = static_cast<std::uint32_t>(script.durations.size() - 1);
    }
    if (const NodeIndex headers = member("headers");
        headers != kNone && is_kind(headers, Kind::object, "an object of texts")) {
      for (const NodeIndex header : children_of(headers)) {
        if (is_kind(header, Kind::text, "a text")) answer.headers.emplace_back(key(header), text(header));
      }
    }
  }
  script.answers.push_back(std::move(answer));
}

void Reader::read_user_inputs(NodeIndex node) {
  constexpr std::string_view kHint = R"(a list of inputs such as {"at": "30ms", "click": "#button"})";
  if (!is_kind(node, Kind::list, kHint)) return;
  for (const NodeIndex item : children_of(node)) {
    if (!is_kind(item, Kind::object, R"(an input such as {"at": "30ms", "click": "#button"})")) continue;
    check_keys(item, std::array<std::string_view, 5>{"at", "click", "keydown", "focus", "scroll"}, "a user's input");
    OutsideEvent event;
    event.kind = OutsideEvent::Kind::user;
    event.node = item;
    const NodeIndex at = document_.find(item, "at");
    if (at == kNone)
      error(item, "an input needs \"at\", the time at which it happens, counted from the start of the page");
    else
      event.at = read_fixed_duration(at);
    for (const std::string_view name : kUserInputs) {
      const NodeIndex target = document_.find(item, name);
      if (target == kNone) continue;
      if (!event.client_name.empty())
        error(item, fmt::format("an input does one thing; here are \"{}\" and \"{}\"", event.client_name, name));
      event.client_name = name;
      if (is_kind(target, Kind::text, "a selector such as \"#button\"")) event.data = text(target);
    }
    if (event.client_name.empty()) error(item, fmt::format("an input needs one of {}", fmt::join(kUserInputs, ", ")));
    scenario_.inputs.push_back(std::move(event));
  }
}

}  // namespace loopsim
