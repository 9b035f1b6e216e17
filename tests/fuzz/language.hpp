// What the language is made of: tools/conformance/grammar.json, embedded when this is built (its format: README.md there, "The grammar"),
// and what the tables of verbs, events and signals have beside that. The grammar is for programs that real Node can be compared with;
// what it leaves out is in the tables, so that whatever is new there is written from that day on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace loopsim::fuzz {

using Json = nlohmann::ordered_json;

// A key of a step, and what stands there.
struct Part {
  std::string id;     // "setTimeout.do"
  std::string key;    // "do"; "on.close" stands for `close` in the object `on`
  std::string group;  // of "on.close" these: "on",
  std::string event;  // and "close"
  std::string hole;   // what kind of thing stands there; empty: always `literal`
  Json literal;
  Json reached;                                             // what other parts must be, so that its steps run
  Json after;                                               // steps behind this one that make it run
  std::string kind;                                         // of a name
  std::vector<std::pair<std::string, int>> words;           // to choose from, with the first version that has each
  std::vector<std::pair<std::string, std::string>> offers;  // names for its steps, and the option that each needs
  std::size_t most = 3;                                     // values in a list
  int since = 0;
  bool is_optional = false;
  bool is_usual = false;  // mostly not left out
  bool is_plain = false;  // no function's name in place of steps

  [[nodiscard]] bool has_steps() const { return hole == "block" || hole == "callback"; }
  [[nodiscard]] bool is_awaited() const { return hole == "awaitable" || hole == "awaitables" || hole == "returned"; }
};

// A verb in one of its forms.
struct Construct {
  std::string id;
  std::vector<std::string> verbs;   // the first is the one that its parts are written with; the others do as well
  std::vector<std::string> one_of;  // optional parts of which one is needed
  std::vector<Part> parts;          // the first is the verb's own
  int since = 0;
  bool is_step = false;
  bool is_awaitable = false;
  bool needs_async = false;     // only where `await` may stand
  bool needs_function = false;  // only where `return` may stand
  bool has_steps = false;

  [[nodiscard]] Part* find(std::string_view key);
};

// A kind of names: what makes one (steps in which "@" is the name), and which kind it will also do as.
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
