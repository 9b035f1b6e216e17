// The scenario language: tools/conformance/grammar.json, embedded at build time (format: README.md there),
// plus the entries of the tables of verbs, events and signals that it lacks. The grammar covers programs that can be
// compared with real Node; the tables add the rest, so that new verbs are generated without a change here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace loopsim::fuzz {

using Json = nlohmann::ordered_json;

// A key of a step, and the kind of its value.
struct Part {
  std::string id;     // "setTimeout.do"
  std::string key;    // "do"; "on.close" stands for `close` in the object `on`
  std::string group;  // of "on.close": "on"
  std::string event;  // of "on.close": "close"
  std::string hole;   // kind of value; empty: always `literal`
  Json literal;
  Json reached;                                             // required values of other parts for its steps to run
  Json after;                                               // steps after this one that make it run
  std::string kind;                                         // of a name
  std::vector<std::pair<std::string, int>> words;           // choices, each with its first major version
  std::vector<std::pair<std::string, std::string>> offers;  // names visible in its steps, and the option each needs
  std::size_t most = 3;                                     // maximum length of a list
  int since = 0;
  bool is_optional = false;
  bool is_usual = false;  // seldom left out
  bool is_plain = false;  // a function's name cannot replace the steps

  [[nodiscard]] bool has_steps() const { return hole == "block" || hole == "callback"; }
  [[nodiscard]] bool is_awaited() const { return hole == "awaitable" || hole == "awaitables" || hole == "returned"; }
};

// A verb in one of its forms.
struct Construct {
  std::string id;
  std::vector<std::string> verbs;   // the first is the one in its parts; the others can replace it
  std::vector<std::string> one_of;  // optional parts, at least one of which is needed
  std::vector<Part> parts;          // the first is the verb's own
  int since = 0;
  bool is_step = false;
  bool is_awaitable = false;
  bool needs_async = false;     // only where `await` is allowed
  bool needs_function = false;  // only where `return` is allowed
  bool has_steps = false;

  [[nodiscard]] Part* find(std::string_view key);
};

// A kind of names: the steps that create one ("@" is the name), and the other kind that it can be used as.
struct NameKind {
  std::string name;
  std::string is;
  Json made;
};

struct Language {
  std::vector<Construct> constructs;
  std::vector<NameKind> names;
  Part main;  // the roots
  Part function;

  [[nodiscard]] const NameKind& name(std::string_view kind) const;
};

[[nodiscard]] const Language& language();

}  // namespace loopsim::fuzz
