#include "sim/scenario/reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"

namespace loopsim {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 24> kTopLevelKeys = {
    "$schema", "title",    "description", "source", "runtime",   "machine", "params", "seed",
    "inputs",  "main",     "functions",   "limits", "expect",    "script",  "env",    "files",
    "takes",   "document", "answers",     "io",     "arguments", "stdin",   "stubs",  "commands"};
// Of which a program of steps knows nothing.
constexpr std::array<std::string_view, 5> kKeysOfScript = {"env", "arguments", "stdin", "stubs", "commands"};
constexpr std::array<std::string_view, 2> kFunctionKeys = {"parameters", "do"};

// The names in the two lists below have only letters. Most names in large documents do not, and skip the search.
constexpr bool is_word(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

// Words that JavaScript reserves in a module or a script with 'use strict'.
constexpr std::array<std::string_view, 48> kReserved = {
    "await",     "break",  "case",     "catch",  "class",      "const",   "continue",  "debugger",
    "default",   "delete", "do",       "else",   "enum",       "export",  "extends",   "false",
    "finally",   "for",    "function", "if",     "implements", "import",  "in",        "instanceof",
    "interface", "let",    "new",      "null",   "package",    "private", "protected", "public",
    "return",    "static", "super",    "switch", "this",       "throw",   "true",      "try",
    "typeof",    "var",    "void",     "while",  "with",       "yield",   "arguments", "eval"};

// Names already defined, in the language or in the exported script.
constexpr std::array<std::string_view, 34> kBuiltin = {
    "process",        "undefined",    "now",           "NaN",
    "Infinity",       "console",      "Promise",       "Date",
    "Error",          "TypeError",    "RangeError",    "SyntaxError",
    "ReferenceError", "EvalError",    "URIError",      "AggregateError",
    "Object",         "EventEmitter", "setTimeout",    "setInterval",
    "setImmediate",   "clearTimeout", "clearInterval", "clearImmediate",
    "queueMicrotask", "require",      "module",        "exports",
    "global",         "globalThis",   "Math",          "Array",
    "Number",         "String"};

static_assert(std::ranges::all_of(kReserved, is_word) && std::ranges::all_of(kBuiltin, is_word));

bool contains(Words words, std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); }

std::vector<std::string_view> as_vector(Words words) { return {words.begin(), words.end()}; }

}  // namespace

bool is_identifier(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

bool is_valid_name(std::string_view name, std::string_view& why_not) {
  if (!is_identifier(name)) {
    why_not = "is no name; a name has letters, digits, _ and $, and does not begin with a digit";
    return false;
  }
  if (!is_word(name)) return true;
  if (contains(kReserved, name)) {
    why_not = "is a reserved word of JavaScript and cannot be a name";
  } else if (contains(kBuiltin, name)) {
    why_not = "means something already and cannot be a name";
  } else {
    return true;
  }
  return false;
}

// ---- reporting --------------------------------------------------------------------------------------------------------------

Reader::Reader(Document& document, const ReadOptions& options, Diagnostics& diagnostics)
    : document_(document), options_(options), diagnostics_(diagnostics) {}

bool are_enough(const Diagnostics& diagnostics) {
  if (diagnostics.size() < kMostErrors) return false;
  const auto is_error = [](const Diagnostic& diagnostic) { return diagnostic.severity == Diagnostic::Severity::error; };
  return std::ranges::count_if(diagnostics, is_error) >= static_cast<std::ptrdiff_t>(kMostErrors);
}

bool Reader::may_tell() {
  if (!told_all_) return false;
  if (!are_enough(diagnostics_)) return true;
  told_all_ = false;
  return false;
}

void Reader::error(NodeIndex node, std::string message, std::string suggestion) {
  if (!may_tell()) return;
  diagnostics_.push_back(document_.diagnose(node, std::move(message), std::move(suggestion)));
}

void Reader::key_error(NodeIndex member, std::string message, std::string suggestion) {
  if (!may_tell()) return;
  diagnostics_.push_back(document_.diagnose_key(member, std::move(message), std::move(suggestion)));
}

void Reader::command_line_error(std::string message, std::string suggestion) {
  if (!may_tell()) return;
  Diagnostic diagnostic;
  diagnostic.file = kCommandLine;
  diagnostic.message = std::move(message);
  diagnostic.suggestion = std::move(suggestion);
  diagnostics_.push_back(std::move(diagnostic));
}

void Reader::expected(NodeIndex node, std::string_view what) {
  if (kind(node) == Kind::invalid) return;
  error(node, fmt::format("expected {}, found {}", what, describe(node)));
}

std::string Reader::describe(NodeIndex node) const {
  constexpr std::size_t kLongest = 40;
  switch (kind(node)) {
    case Kind::null: return "null";
    case Kind::boolean: return document_.boolean(node) ? "true" : "false";
    case Kind::number: return fmt::format("the number {}", text(node));
    case Kind::text:
      if (text(node).size() > kLongest) return "a long text";
      return fmt::format("the text {}", document_.json(node));
    case Kind::list: return document_.size(node) == 0 ? "an empty list" : "a list";
    case Kind::object: return document_.size(node) == 0 ? "an empty object" : "an object";
    case Kind::invalid: break;
  }
  return "nothing";
}

// An object that begins with a verb.
bool Reader::is_single_step(NodeIndex node) const {
  return kind(node) == Kind::object && document_.size(node) != 0 &&
         find_verb(document_.key(document_.first_child(node))) != nullptr;
}

void Reader::expected_steps(NodeIndex node, std::string_view what) {
  if (is_single_step(node)) {
    error(node, "expected a list of steps, found a single step; put it into [ ]");
  } else {
    expected(node, what);
  }
}

bool Reader::is_kind(NodeIndex node, Kind wanted, std::string_view what) {
  if (kind(node) == wanted) return true;
  expected(node, what);
  return false;
}

void Reader::check_keys(NodeIndex object, Words allowed, std::string_view what) {
  for (const NodeIndex member : children_of(object)) {
    const std::string_view key = document_.key(member);
    if (contains(allowed, key)) continue;
    std::string suggestion = nearest(key, as_vector(allowed));
    std::string message = fmt::format("{} has no key \"{}\"", what, key);
    if (suggestion.empty()) message += fmt::format("; it has {}", fmt::join(allowed, ", "));
    key_error(member, std::move(message), std::move(suggestion));
  }
}

// Events of a trace contain names: a long one would make each of these events slow, and the trace huge.
bool Reader::check_length(NodeIndex node, std::string_view name, bool is_key) {
  constexpr std::size_t kMost = 1000;
  if (name.size() <= kMost) return true;
  std::string message = fmt::format("a name of {} bytes is too long; it may have {}", name.size(), kMost);
  if (is_key) {
    key_error(node, std::move(message));
  } else {
    error(node, std::move(message));
  }
  return false;
}

bool Reader::check_name(NodeIndex node, std::string_view name, bool is_key) {
  if (!check_length(node, name, is_key)) return false;
  std::string_view why_not;
  if (is_valid_name(name, why_not)) return true;
  std::string message = fmt::format("\"{}\" {}", name, why_not);
  if (is_key) {
    key_error(node, std::move(message));
  } else {
    error(node, std::move(message));
  }
  return false;
}

// ---- top level --------------------------------------------------------------------------------------------------------------

Scenario Reader::read() {
  const NodeIndex root = document_.root();
  if (!is_kind(root, Kind::object, "an object with \"main\", the list of steps to run")) return std::move(scenario_);
  scenario_.file = document_.file();
  apply_overrides(root);
  read_params(root);
  substitute_params();
  check_keys(root, kTopLevelKeys, "a scenario");
  read_people_keys(root);

  const auto member = [&](std::string_view key) { return document_.find(root, key); };
  read_runtime(member("runtime"));
  read_seed(member("seed"));
  if (const NodeIndex node = member("machine"); node != kNone) read_machine(node);
  if (const NodeIndex node = member("limits"); node != kNone) read_limits(node);
  cap_limits();

  if (profile_->family == Family::io) return read_of_io(root);
  if (const NodeIndex node = member("io"); node != kNone) key_error(node, "\"io\" goes with the runtime \"io\"");
  if (const NodeIndex node = member("inputs"); node != kNone) read_inputs(node);

  keeps_labels_ = member("expect") != kNone;
  const NodeIndex functions = member("functions");
  const NodeIndex main = member("main");
  constexpr std::size_t kValuesOfCallback =
      8;  // about the minimum in a callback: an object, its verb, a list, a step ...
  scenario_.bodies.reserve(1 + document_.node_count() / kValuesOfCallback);
  scenario_.bodies.emplace_back();
  scenario_.bodies[0].kind = Body::Kind::main;
  scenario_.bodies[0].name = "main";
  scenario_.bodies[0].node = main;
  if (functions != kNone) declare_functions(functions);
  const NodeIndex script = member("script");
  if (script != kNone) {
    read_script(script);
    read_script_environment(member("env"));
    if (const NodeIndex node = member("arguments"); node != kNone) read_script_arguments(node);
    if (const NodeIndex node = member("stdin"); node != kNone) read_script_input(node);
    if (const NodeIndex node = member("stubs"); node != kNone) read_script_stubs(node);
    if (const NodeIndex node = member("files"); node != kNone) read_files(node);
    if (const NodeIndex node = member("takes"); node != kNone) read_takes(node);
    if (const NodeIndex node = member("commands"); node != kNone) read_commands(node);
    if (main != kNone) error(main, "a scenario has \"main\" or \"script\", not both");
    if (functions != kNone) error(functions, "the functions of a script are in the script");
  } else if (main == kNone) {
    error(root, "a scenario needs \"main\", the list of steps to run, or \"script\", a program in JavaScript");
  } else {
    for (const std::string_view key : kKeysOfScript) {
      if (const NodeIndex node = member(key); node != kNone)
        key_error(node, fmt::format("\"{}\" goes with \"script\", a program in JavaScript", key));
    }
    scenario_.bodies[0].line = line_of(main);
    body_ = 0;
    const Block steps = read_block(main);
    scenario_.bodies[0].steps = steps;
  }
  read_page(root);
  for (std::size_t i = 0; i < scenario_.functions.size(); ++i) {
    const BodyIndex index = scenario_.functions[i].second;
    read_function(index, scenario_.bodies[index].node);
  }
  tell_labels_apart(scenario_, document_, std::exchange(label_places_, {}));
  if (keeps_labels_) {
    for (const Body& body : scenario_.bodies) labels_.push_back(body.name);
    std::ranges::sort(labels_);
    labels_.erase(std::unique(labels_.begin(), labels_.end()), labels_.end());
  }

  if (told_all_) told_all_ = resolve_names(scenario_, document_, diagnostics_);
  if (!told_all_) return std::move(scenario_);
  if (const NodeIndex node = member("expect"); node != kNone) read_expect(node);
  return std::move(scenario_);
}

// A scenario without a program of its own.
Scenario Reader::read_of_io(NodeIndex root) {
  scenario_.bodies.emplace_back();
  scenario_.bodies[0].kind = Body::Kind::main;
  scenario_.bodies[0].name = "main";
  read_io(root);
  if (const NodeIndex node = document_.find(root, "expect"); node != kNone && told_all_) read_expect(node);
  return std::move(scenario_);
}

void Reader::read_people_keys(NodeIndex root) {
  const auto read_line = [&](std::string_view key, std::string& into) {
    const NodeIndex node = document_.find(root, key);
    if (node != kNone && is_kind(node, Kind::text, "a text")) into = text(node);
  };
  read_line("title", scenario_.title);
  read_line("source", scenario_.source);
  if (std::string ignored; true) read_line("$schema", ignored);
  const NodeIndex description = document_.find(root, "description");
  if (description != kNone) scenario_.description = read_lines(description, "a text or a list of texts (lines)");
}

// Creates the functions' bodies first, so that every callback can name them.
void Reader::declare_functions(NodeIndex functions) {
  if (!is_kind(functions, Kind::object, "an object of functions, each a list of steps")) return;
  for (const NodeIndex member : children_of(functions)) {
    const std::string_view name = document_.key(member);
    check_name(member, name, true);
    Body body;
    body.kind = Body::Kind::function;
    body.name = name;
    body.node = member;
    body.line = line_of(member);
    const auto index = static_cast<BodyIndex>(scenario_.bodies.size());
    scenario_.functions.emplace_back(body.name, index);
    functions_.emplace(name, index);
    scenario_.bodies.push_back(body);
  }
}

void Reader::read_function(BodyIndex index, NodeIndex node) {
  body_ = index;
  NodeIndex steps = node;
  if (kind(node) == Kind::object && !is_single_step(node)) {
    check_keys(node, kFunctionKeys, "a function");
    steps = document_.find(node, "do");
    if (steps == kNone) error(node, "a function needs \"do\", its list of steps");
    const NodeIndex parameters = document_.find(node, "parameters");
    if (parameters != kNone && is_kind(parameters, Kind::list, "a list of names")) {
      std::vector<DeclarationIndex> known;
      for (const NodeIndex parameter : children_of(parameters)) {
        if (!is_kind(parameter, Kind::text, "a name") || !check_name(parameter, text(parameter))) continue;
        Declaration declaration;
        declaration.kind = Declaration::Kind::parameter;
        declaration.name = text(parameter);
        declaration.body = index;
        declaration.node = parameter;
        const auto is_same = [&](DeclarationIndex other) {
          return scenario_.declarations[other].name == declaration.name;
        };
        if (std::any_of(known.begin(), known.end(), is_same)) {
          error(parameter, fmt::format("the parameter \"{}\" is given twice", declaration.name));
          continue;
        }
        known.push_back(static_cast<DeclarationIndex>(scenario_.declarations.size()));
        scenario_.declarations.push_back(declaration);
      }
      scenario_.bodies[index].parameters = scenario_.memory.copy<DeclarationIndex>(known);
    }
  } else if (kind(node) != Kind::list) {
    expected_steps(node, "a list of steps, or an object with \"parameters\" and \"do\"");
    return;
  }
  if (steps == kNone) return;
  const Block block = read_block(steps);
  scenario_.bodies[index].steps = block;
}

// ---- the public functions ---------------------------------------------------------------------------------------------------

Scenario::Place Scenario::place(NodeIndex node) const { return document ? document->place(node) : Place{}; }

ReadResult read_scenario(std::string text, std::string file, const ReadOptions& options) {
  ReadResult result;
  const std::shared_ptr<Document> document = Document::parse(std::move(text), std::move(file), result.diagnostics);
  if (document->root() == kNone) return result;
  Scenario scenario;
  bool all_found = true;
  {
    Reader reader(*document, options, result.diagnostics);
    scenario = reader.read();
    all_found = reader.told_all();
  }
  std::stable_sort(result.diagnostics.begin(), result.diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  // A param's value is read at each of its uses: keep an error inside it once.
  const auto is_same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.line == b.line && a.column == b.column && a.pointer == b.pointer && a.message == b.message;
  };
  result.diagnostics.erase(std::unique(result.diagnostics.begin(), result.diagnostics.end(), is_same),
                           result.diagnostics.end());
  const bool has_failed = has_errors(result.diagnostics);
  if (has_failed || !options.warns) {
    std::erase_if(result.diagnostics,
                  [](const Diagnostic& diagnostic) { return diagnostic.severity != Diagnostic::Severity::error; });
  }
  if (has_failed) {
    if (result.diagnostics.size() > kMostErrors) {
      result.diagnostics.resize(kMostErrors);
      all_found = false;
    }
    if (!all_found) {
      Diagnostic more;
      more.file = document->file();
      more.message = fmt::format("there are more errors than these {}", kMostErrors);
      result.diagnostics.push_back(std::move(more));
    }
  } else {
    document->forget_values();
    scenario.document = document;
    result.scenario = std::move(scenario);
  }
  return result;
}

}  // namespace loopsim
