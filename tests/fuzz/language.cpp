#include "tests/fuzz/language.hpp"

#include <algorithm>
#include <stdexcept>

#include "loopsim/verbs.hpp"

#include "tests/fuzz/grammar_text.hpp"

namespace loopsim::fuzz {
namespace {

using Words = std::vector<std::pair<std::string, int>>;

bool has_word(const Words& words, std::string_view word) {
  return std::ranges::any_of(words, [&](const auto& known) { return known.first == word; });
}

// ---- the grammar ---------------------------------------------------------------------------------------------------

Part read_part(const std::string& construct, const std::string& key, const Json& json) {
  Part part;
  part.id = construct + "." + key;
  part.key = key;
  if (const std::size_t dot = key.find('.'); dot != std::string::npos) {
    part.group = key.substr(0, dot);
    part.event = key.substr(dot + 1);
  }
  part.hole = json.value("hole", "");
  part.literal = json.value("literal", Json());
  part.reached = json.value("reached", Json::object());
  part.after = json.value("after", Json::array());
  part.kind = json.value("kind", "");
  for (const Json& word : json.value("words", Json::array())) {
    if (word.is_array()) {
      part.words.emplace_back(word.at(0), word.at(1));
    } else {
      part.words.emplace_back(word, 0);
    }
  }
  const Json offers = json.value("offers", Json::object());
  for (const auto& [name, needed] : offers.items())
    part.offers.emplace_back(name, needed.is_string() ? needed.get<std::string>() : "");
  part.most = json.value("most", part.most);
  part.since = json.value("since", 0);
  part.is_optional = json.value("optional", false);
  part.is_usual = json.value("usual", false);
  part.is_plain = json.value("plain", false);
  return part;
}

Construct read_construct(const Json& json) {
  Construct construct;
  construct.id = json.at("id");
  construct.verbs.push_back(json.at("verb"));
  for (const Json& verb : json.value("also", Json::array())) construct.verbs.push_back(verb);
  for (const Json& key : json.value("one_of", Json::array())) construct.one_of.push_back(key);
  for (const auto& [key, part] : json.at("parts").items())
    construct.parts.push_back(read_part(construct.id, key, part));
  construct.since = json.value("since", 0);
  for (const Json& as : json.at("stands")) (as == "step" ? construct.is_step : construct.is_awaitable) = true;
  for (const Json& where : json.value("only", Json::array()))
    (where == "async" ? construct.needs_async : construct.needs_function) = true;
  return construct;
}

Part read_root(const Json& json) {
  Part part = read_part("", json.at("id"), json.at("hole"));
  part.id = json.at("id");
  return part;
}

// ---- additions from the tables -------------------------------------------------------------------------------------

// The grammar's hole for each kind of argument.
std::string_view hole_of(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::value: return "value";
    case ArgumentKind::values: return "values";
    case ArgumentKind::error_value: return "error";
    case ArgumentKind::duration: return "duration";
    case ArgumentKind::delay: return "delay";
    case ArgumentKind::request_times: return "request_times";
    case ArgumentKind::condition: return "condition";
    case ArgumentKind::assignments: return "assignments";
    case ArgumentKind::callback: return "callback";
    case ArgumentKind::block: return "block";
    case ArgumentKind::awaitable: return "awaitable";
    case ArgumentKind::awaitables: return "awaitables";
    case ArgumentKind::value_or_step: return "returned";
    case ArgumentKind::count: return "count";
    case ArgumentKind::new_name: return "new";
    case ArgumentKind::label: return "label";
    case ArgumentKind::name: return "name";
    case ArgumentKind::function_name: return "function";
    case ArgumentKind::event_name: return "event";
    case ArgumentKind::operation: return "word";
    case ArgumentKind::error_code: return "error_code";
    case ArgumentKind::port: return "port";
    case ArgumentKind::address: return "address";
    case ArgumentKind::listeners: return "callback";  // one per event
    case ArgumentKind::exit_code: return "exit_code";
    case ArgumentKind::command: return "data";
    case ArgumentKind::signal_name: return "signal";
    case ArgumentKind::bytes: return "bytes";
    case ArgumentKind::flag: return "flag";
    case ArgumentKind::milliseconds: return "count";
    case ArgumentKind::nothing: return "value";
    case ArgumentKind::selector:
    case ArgumentKind::url:
    case ArgumentKind::path:
    case ArgumentKind::host: return "data";
  }
  return "value";
}

Words signal_words(bool only_heard) {
  Words words;
  for (const SignalInfo& signal : signals()) {
    if (signal.can_listen || !only_heard) words.emplace_back(signal.name, 0);
  }
  return words;
}

Part part_of(const VerbInfo& verb, const std::string& id, std::string_view key, ArgumentKind kind) {
  Part part = read_part(id, std::string(key), Json{{"hole", hole_of(kind)}, {"kind", "global"}});
  if (kind == ArgumentKind::event_name) part.words = {{"x", 0}, {"y", 0}};
  if (kind == ArgumentKind::error_code) part.words = {{"ENOENT", 0}};
  if (kind == ArgumentKind::signal_name) part.words = signal_words(false);
  if (kind == ArgumentKind::operation) {
    for (const std::string_view word : verb.words) part.words.emplace_back(word, operation_since(word));
  }
  return part;
}

// Adds an option to a construct; for listeners, one part per event that has none.
void add_option(Construct& construct, const VerbInfo& verb, const OptionInfo& option) {
  std::vector<std::string> keys = {std::string(option.name)};
  if (option.kind == ArgumentKind::listeners) {
    keys.clear();
    for (const std::string_view event : verb.words) keys.push_back(std::string(option.name) + "." + std::string(event));
  }
  for (const std::string& key : keys) {
    if (construct.find(key) != nullptr) continue;
    Part part = part_of(verb, construct.id, key, option.kind);
    part.is_optional = !option.required;
    part.since = option.since;
    construct.parts.push_back(std::move(part));
  }
}

bool is_of(const Construct& construct, std::string_view verb) {
  return std::ranges::find(construct.verbs, verb) != construct.verbs.end();
}

// A construct for a verb that is missing from the grammar.
Construct construct_of(const VerbInfo& verb) {
  Construct construct;
  construct.id = std::string(verb.name) + "-of-the-table";
  construct.verbs.emplace_back(verb.name);
  construct.since = verb.since;
  construct.is_step = true;
  construct.parts.push_back(part_of(verb, construct.id, verb.name, verb.kind));
  for (const OptionInfo& option : verb.options) add_option(construct, verb, option);
  return construct;
}

// True if some construct of the verb has the option; for `on`, if each of its events is in some construct.
bool has_option(const Language& language, const VerbInfo& verb, const OptionInfo& option) {
  const auto has = [&](const std::string& key) {
    return std::ranges::any_of(language.constructs, [&](const Construct& one) {
      return is_of(one, verb.name) && std::ranges::any_of(one.parts, [&](const Part& part) { return part.key == key; });
    });
  };
  if (option.kind != ArgumentKind::listeners) return has(std::string(option.name));
  return std::ranges::all_of(
      verb.words, [&](std::string_view event) { return has(std::string(option.name) + "." + std::string(event)); });
}

// Adds a verb's operations that no construct has to its first step construct and its first awaitable construct.
void add_operations(Language& language, const VerbInfo& verb) {
  Words missing;
  for (const std::string_view word : verb.words) {
    const bool is_known = std::ranges::any_of(language.constructs, [&](const Construct& one) {
      return is_of(one, verb.name) && has_word(one.parts.front().words, word);
    });
    if (!is_known) missing.emplace_back(word, operation_since(word));
  }
  bool has_step = false;
  bool has_awaitable = false;
  for (Construct& construct : language.constructs) {
    if (!is_of(construct, verb.name)) continue;
    const bool is_wanted = (construct.is_step && !has_step) || (construct.is_awaitable && !has_awaitable);
    if (is_wanted) std::ranges::copy(missing, std::back_inserter(construct.parts.front().words));
    has_step = has_step || construct.is_step;
    has_awaitable = has_awaitable || construct.is_awaitable;
  }
}

void add_verb(Language& language, const VerbInfo& verb) {
  const auto is_of_verb = [&](const Construct& one) { return is_of(one, verb.name); };
  if (std::ranges::none_of(language.constructs, is_of_verb)) {
    language.constructs.push_back(construct_of(verb));
    return;
  }
  for (const OptionInfo& option : verb.options) {
    if (has_option(language, verb, option)) continue;
    for (Construct& construct : language.constructs) {
      if (is_of_verb(construct) && construct.is_step) add_option(construct, verb, option);
    }
  }
  if (verb.kind == ArgumentKind::operation) add_operations(language, verb);
}

// Allows every signal in every part that takes one, and adds a listener construct per event of `process`.
void add_events(Language& language) {
  std::vector<std::string> known;
  const Construct* listener = nullptr;
  for (Construct& construct : language.constructs) {
    for (Part& part : construct.parts) {
      if (part.hole == "signal") part.words = signal_words(false);
      if (part.hole == "event" && has_word(part.words, "SIGTERM")) part.words = signal_words(true);
    }
    if (!is_of(construct, "on") || construct.parts.front().literal != "process") continue;
    const Json& event = construct.find("event")->literal;
    if (!event.is_string()) continue;
    known.push_back(event);
    listener = &construct;
  }
  if (listener == nullptr) return;
  Construct made = *listener;
  for (const std::string_view event : process_events()) {
    if (std::ranges::find(known, event) != known.end()) continue;
    made.id = "on-" + std::string(event);
    made.find("event")->literal = event;
    language.constructs.push_back(made);
  }
}

Language make_language() {
  const Json json = Json::parse(kGrammarText);
  Language language;
  for (const Json& one : json.at("constructs")) language.constructs.push_back(read_construct(one));
  for (const auto& [name, kind] : json.at("names").items())
    language.names.push_back({name, kind.value("is", ""), kind.value("made", Json::array())});
  for (const Json& root : json.at("roots"))
    (root.at("id") == "main" ? language.main : language.function) = read_root(root);
  for (const VerbInfo& verb : verb_table()) {
    if (belongs_to(verb, Family::node)) add_verb(language, verb);
  }
  add_events(language);
  for (Construct& construct : language.constructs)
    construct.has_steps = std::ranges::any_of(construct.parts, &Part::has_steps);
  return language;
}

}  // namespace

Part* Construct::find(std::string_view key) {
  const auto found = std::ranges::find(parts, key, &Part::key);
  return found == parts.end() ? nullptr : &*found;
}

const NameKind& Language::name(std::string_view kind) const {
  const auto found = std::ranges::find(names, kind, &NameKind::name);
  if (found == names.end()) throw std::runtime_error("the grammar has no kind of names \"" + std::string(kind) + "\"");
  return *found;
}

const Language& language() {
  static const Language made = make_language();
  return made;
}

}  // namespace loopsim::fuzz
