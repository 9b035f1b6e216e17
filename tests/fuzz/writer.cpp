#include "tests/fuzz/writer.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/surroundings.hpp"
#include "tests/fuzz/values.hpp"

namespace loopsim::fuzz {
namespace {

constexpr std::size_t kMostSteps = 48;  // per scenario
constexpr std::size_t kMostDepth = 6;   // of nested steps
constexpr std::size_t kMostFunctions = 5;
constexpr int kFirstWithTopLevelAwait = 14;

constexpr std::array<std::size_t, 8> kLengths = {0, 1, 1, 1, 2, 2, 3, 4};
constexpr std::array<std::size_t, 8> kLengthsOfMain = {0, 1, 2, 3, 4, 5, 7, 9};

// The function, or the main script, around a list of steps.
struct Body {
  bool may_await = true;
  bool may_return = true;
};

// A list of steps under construction.
struct Place {
  Json* block;
  const Body* body;
  std::vector<Variable> locals;              // visible names, innermost last
  std::vector<std::string> parameters = {};  // a `let` of this list cannot redeclare these
  std::size_t depth = 0;
  bool is_script = false;  // the main script's own list: functions see its locals
};

// Kinds of names that are not variables.
bool is_callable(std::string_view kind) { return kind == "function" || kind == "async-function"; }

class Writer {
 public:
  Writer(std::span<const std::uint8_t> bytes, Pairs* pairs) : choices_(bytes), pairs_(pairs), values_(choices_) {}

  Json document() {
    Surroundings around(choices_, values_);
    Runtime runtime = around.runtime();
    major_ = runtime.major;
    Json document = {{"runtime", std::move(runtime.json)}};
    if (Json machine = around.machine(); !machine.is_null()) document["machine"] = std::move(machine);
    document["seed"] = around.seed();
    if (Json inputs = around.inputs(); !inputs.empty()) document["inputs"] = std::move(inputs);
    document["limits"] = around.limits();
    document["main"] = main_script(runtime.is_module);
    if (!functions_.empty()) document["functions"] = std::move(functions_);
    if (Json params = values_.take_params(); !params.empty()) document["params"] = std::move(params);
    return document;
  }

 private:
  // ---- lists of steps ----

  Json main_script(bool is_module) {
    const Body body = {is_module && major_ >= kFirstWithTopLevelAwait, !is_module};
    Json steps = Json::array();
    Place place{.block = &steps, .body = &body, .locals = {}, .is_script = true};
    write_steps(language().main, place, choices_.of(kLengthsOfMain));
    return steps;
  }

  void write_steps(const Part& hole, Place& place, std::size_t count) {
    const std::size_t before = place.block->size();
    for (; count > 0 && steps_ < kMostSteps; --count) write_step(hole, place);
    if (place.block->size() == before) note(hole, "(empty)");
  }

  void write_step(const Part& hole, Place& place) {
    const Construct& construct = choices_.of(fitting(place, false));
    note(hole, construct.id);
    Json step = build(construct, place);
    place.block->push_back(step);
    if (step.contains("let")) see(step["let"], place);
    write_after(construct, step, place);
  }

  // Constructs allowed at this place by version, enclosing function and depth.
  std::vector<std::reference_wrapper<const Construct>> fitting(const Place& place, bool as_awaitable) {
    std::vector<std::reference_wrapper<const Construct>> found;
    const bool is_deep = place.depth >= kMostDepth || steps_ + 2 >= kMostSteps;
    for (const Construct& one : language().constructs) {
      if (!(as_awaitable ? one.is_awaitable : one.is_step) || one.since > major_) continue;
      if ((one.needs_async && !place.body->may_await) || (one.needs_function && !place.body->may_return)) continue;
      if (is_deep && (one.has_steps || has_awaited(one))) continue;
      found.emplace_back(one);
    }
    return found;
  }
  static bool has_awaited(const Construct& construct) {
    return std::ranges::any_of(construct.parts, &Part::is_awaited);
  }

  void see(const Json& assignments, Place& place, const std::string& kind = "local") {
    for (const auto& [name, value] : assignments.items()) {
      place.locals.push_back({name, kind});
      if (place.is_script) script_locals_.push_back(place.locals.back());
    }
  }

  // Appends the steps that make some hole of the step run.
  void write_after(const Construct& construct, const Json& step, Place& place) {
    for (const Part& part : construct.parts) {
      if (part.after.empty() || !choices_.half()) continue;
      std::vector<std::pair<std::string, std::string>> made;
      for (const Json& one : part.after) place.block->push_back(replaced(one, step, made));
    }
  }

  // Fills in a step of the grammar: "@key" is the value of `step` under that key, "@new:kind" a new name.
  Json replaced(const Json& value, const Json& step, std::vector<std::pair<std::string, std::string>>& made) {
    if (value.is_structured()) {
      Json copy = value;
      for (Json& item : copy) item = replaced(item, step, made);
      return copy;
    }
    if (!value.is_string() || !value.get_ref<const std::string&>().starts_with('@')) return value;
    const std::string key = value.get<std::string>().substr(1);
    if (key.starts_with("new:")) return new_of(key.substr(4), made);
    return step.contains(key) ? step[key] : step["once"];
  }

  // ---- a step ----

  Json build(const Construct& construct, Place& place) {
    ++steps_;
    const std::vector<const Part*> given = given_parts(construct);
    const Json forced = forced_parts(given);
    Json step;
    step[choices_.of(construct.verbs)] = nullptr;  // the verb comes first
    const std::string verb = step.begin().key();
    // Steps last: they may use names that the other parts create.
    for (const bool of_steps : {false, true}) {
      for (const Part* part : given) {
        if (part->has_steps() != of_steps) continue;
        const bool is_verb = part == &construct.parts.front();
        const Json want = forced.value(part->key, Json());
        Json value = of_steps ? steps_in(*part, step, place, want) : argument(construct, *part, place, want);
        (part->group.empty() ? step[is_verb ? verb : part->key] : step[part->group][part->event]) = std::move(value);
      }
    }
    return step;
  }

  std::vector<const Part*> given_parts(const Construct& construct) {
    std::vector<const Part*> given;
    std::vector<const Part*> possible;  // candidates when one of a group is needed
    bool has_one = construct.one_of.empty();
    for (const Part& part : construct.parts) {
      if (part.since > major_) continue;
      const bool is_one = std::ranges::find(construct.one_of, part.key) != construct.one_of.end();
      if (is_one) possible.push_back(&part);
      if (part.is_optional && !(part.is_usual ? choices_.mostly() : choices_.half())) continue;
      given.push_back(&part);
      has_one = has_one || is_one;
    }
    if (!has_one) given.push_back(choices_.of(possible));
    return given;
  }

  // Values of other parts that make one of the given parts run; in half of the cases none.
  Json forced_parts(const std::vector<const Part*>& given) {
    std::vector<const Part*> asking;
    std::ranges::copy_if(given, std::back_inserter(asking), [](const Part* part) { return !part->reached.empty(); });
    return asking.empty() || choices_.half() ? Json::object() : choices_.of(asking)->reached;
  }

  // ---- holes with steps ----

  Json steps_in(const Part& part, const Json& step, const Place& place, const Json& want) {
    if (part.hole == "callback" && !part.is_plain && choices_.one_in(12)) {
      note(part, "(function)");
      return function();
    }
    static const Body callback;
    Json steps = Json::array();
    Place inside{.block = &steps,
                 .body = part.hole == "callback" ? &callback : place.body,
                 .locals = place.locals,
                 .depth = place.depth + 1};
    const bool is_connection = part.key == "on.connection";
    for (const auto& [offered, needed] : part.offers) {
      if (!needed.empty() && !step.contains(needed)) continue;
      const std::string name = offered == "@as" ? step["as"].get<std::string>() : offered;
      inside.locals.push_back({name, is_connection ? "socket" : offered == "@as" ? "loop" : "local"});
    }
    write_steps(part, inside, choices_.of(kLengths));
    if (want.is_array()) std::ranges::copy(want, std::back_inserter(steps));
    return steps;
  }

  // The name of an existing function (perhaps the one under construction), or of a new one.
  std::string function() {
    if (functions_.size() >= kMostFunctions || (!functions_.empty() && choices_.half()))
      return std::next(functions_.begin(), static_cast<std::ptrdiff_t>(choices_.below(functions_.size()))).key();
    const std::string name = new_name("fun");
    functions_[name] = Json::array();  // visible to its own steps
    static const Body body;
    Json parameters = Json::array();
    for (std::size_t count = choices_.below(3); count > 0; --count)
      parameters.push_back("given" + std::to_string(count));
    Json steps = Json::array();
    Place inside{.block = &steps,
                 .body = &body,
                 .locals = script_locals_,
                 .parameters = parameters.get<std::vector<std::string>>(),
                 .depth = 2};
    for (const std::string& parameter : inside.parameters) inside.locals.push_back({parameter, "local"});
    write_steps(language().function, inside, choices_.of(kLengths));
    if (parameters.empty() && choices_.half()) {
      functions_[name] = std::move(steps);
    } else {
      functions_[name] = {{"parameters", std::move(parameters)}, {"do", std::move(steps)}};
    }
    return name;
  }

  // ---- other holes ----

  Json argument(const Construct& construct, const Part& part, Place& place, const Json& want) {
    if (part.hole.empty()) return part.literal;
    if (part.hole == "new") return made_name(part.kind, place);
    if (part.hole == "label") return new_name("label");
    if (part.hole == "name") return used_name(part.kind, place);
    if (part.hole == "function") return function();
    if (part.hole == "assignments") return assignments(construct, part, place);
    if (part.hole == "awaitable")
      return want.is_object() ? Json(new_thing(want["name"], place)) : awaitable(part, place);
    if (part.hole == "awaitables") return awaitables(part, place);
    if (part.hole == "returned") return returned(part, place);
    if (part.hole == "condition") return condition(place, want);
    return values_.argument(part, major_, known(place));
  }

  Json awaitable(const Part& part, Place& place) {
    const std::size_t what = choices_.below(6);
    if (what == 0) {
      note(part, "(null)");
      return nullptr;
    }
    const auto constructs = fitting(place, true);
    if (what <= 2 || constructs.empty() || steps_ >= kMostSteps) {
      note(part, "(name)");
      return used_name("promise", place);
    }
    const Construct& construct = choices_.of(constructs);
    note(part, construct.id);
    return deeper(construct, place);
  }

  Json deeper(const Construct& construct, Place& place) {
    ++place.depth;
    Json made = build(construct, place);
    --place.depth;
    return made;
  }

  Json awaitables(const Part& part, Place& place) {
    Json list = Json::array();
    for (std::size_t count = choices_.below(4); count > 0; --count) list.push_back(awaitable(part, place));
    if (list.empty()) note(part, "(empty)");
    return list;
  }

  Json returned(const Part& part, Place& place) {
    const auto constructs = fitting(place, true);
    if (choices_.half() && !constructs.empty() && steps_ < kMostSteps) {
      const Construct& construct = choices_.of(constructs);
      note(part, construct.id);
      return deeper(construct, place);
    }
    note(part, "(value)");
    return values_.value(known(place));
  }

  Json condition(Place& place, const Json& want) {
    if (want.is_boolean()) return values_.constant(want);
    if (choices_.one_in(6)) return values_.constant(Json(choices_.half()));
    const std::string name = used_name(choices_.half() ? "local" : "global", place);
    if (!choices_.half()) return name;
    constexpr std::array<const char*, 6> kOperators = {"<", "<=", ">", ">=", "==", "!="};
    const char* const comparison = choices_.of(kOperators);
    return Json::array({name, comparison, values_.value(known(place))});
  }

  Json assignments(const Construct& construct, const Part& part, Place& place) {
    const bool declares = construct.verbs.front() == "let";
    Json made = Json::object();
    bool hides = false;
    for (std::size_t count = 1 + choices_.below(2); count > 0; --count) {
      if (!declares) {
        made[used_name(part.kind, place)] = nullptr;
      } else if (const std::string hidden = hidden_name(place); !hidden.empty()) {
        made[hidden] = nullptr;
        hides = true;
      } else {
        made[new_name(part.kind)] = nullptr;
      }
    }
    // After shadowing, the values cannot use outer names: those may be the ones that this `let` declares.
    for (Json& value : made) value = values_.value(hides ? Known{{}, {}, marks_} : known(place));
    return made;
  }

  // The name of a visible variable for a `let` to shadow; usually none. Only for the first step of a list: an earlier
  // step might use the outer variable.
  std::string hidden_name(const Place& place) {
    const Known all = known(place);
    if (!place.block->empty() || all.size() == 0 || !choices_.one_in(6)) return {};
    const std::string& name = all[choices_.below(all.size())].name;
    return std::ranges::find(place.parameters, name) == place.parameters.end() ? name : std::string();
  }

  // ---- names ----

  [[nodiscard]] Known known(const Place& place) const { return {globals_, place.locals, marks_}; }

  std::string new_name(std::string_view prefix) { return std::string(prefix) + std::to_string(++names_); }

  std::string new_global(const std::string& kind) {
    globals_.push_back({new_name(kind), kind});
    return globals_.back().name;
  }

  // The name that a step creates: new, or an existing one that it redefines.
  std::string made_name(const std::string& kind, const Place& place) {
    if (kind == "mark") {
      if (!marks_.empty() && choices_.one_in(4)) return choices_.of(marks_);
      return marks_.emplace_back(new_name(kind));
    }
    if (kind == "loop") return new_name(kind);
    const Known all = known(place);
    if (all.size() != 0 && choices_.one_in(6)) return all[choices_.below(all.size())].name;
    return new_global(kind);
  }

  // A name of this kind for a step to use: an existing one (sometimes of another kind), or a new one.
  std::string used_name(const std::string& kind, Place& place) {
    if (is_callable(kind)) return function();
    const Known all = known(place);
    if (all.size() != 0 && choices_.one_in(20)) return all[choices_.below(all.size())].name;
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (fits(all[i].kind, kind)) fitting.push_back(i);
    }
    if (fitting.empty() || choices_.one_in(3)) return new_thing(kind, place);
    return all[choices_.of(fitting)].name;
  }
  static bool fits(const std::string& kind, const std::string& wanted) {
    return kind == wanted || language().name(kind).is == wanted;
  }

  // A new name of this kind; inserts the steps that create it.
  std::string new_thing(const std::string& kind, Place& place) {
    std::vector<std::pair<std::string, std::string>> others;
    const Json& made = language().name(kind).made;
    const bool is_local = std::any_of(made.begin(), made.end(), [](const Json& step) { return step.contains("let"); });
    const std::string name = is_local ? new_name(kind) : new_global(kind);
    for (const Json& step : made) {
      place.block->push_back(filled(step, name, others));
      if (place.block->back().contains("let")) see(place.block->back()["let"], place, kind);
    }
    return name;
  }

  // Fills in a step that creates a name: "@" is the name, "@kind" another name that goes with it.
  Json filled(const Json& value, const std::string& name, std::vector<std::pair<std::string, std::string>>& others) {
    if (value.is_string()) return filled_text(value, name, others);
    if (value.is_array()) {
      Json list = Json::array();
      for (const Json& item : value) list.push_back(filled(item, name, others));
      return list;
    }
    if (!value.is_object()) return value;
    Json object = Json::object();
    for (const auto& [key, item] : value.items()) object[filled_text(key, name, others)] = filled(item, name, others);
    return object;
  }
  std::string filled_text(const std::string& text, const std::string& name,
                          std::vector<std::pair<std::string, std::string>>& others) {
    if (text == "@") return name;
    return text.starts_with('@') ? new_of(text.substr(1), others) : text;
  }
  // The new name for this key within a group of the grammar's steps; the same on each use.
  std::string new_of(const std::string& kind, std::vector<std::pair<std::string, std::string>>& made) {
    const auto found = std::ranges::find(made, kind, &std::pair<std::string, std::string>::first);
    if (found != made.end()) return found->second;
    made.emplace_back(kind, new_global(kind));
    return made.back().second;
  }

  void note(const Part& hole, const std::string& inner) {
    if (pairs_ != nullptr) pairs_->emplace(hole.id, inner);
  }

  Choices choices_;
  Pairs* pairs_;
  Values values_;
  int major_ = 0;
  std::size_t steps_ = 0;
  std::size_t names_ = 0;
  std::vector<Variable> globals_;
  std::vector<Variable> script_locals_;  // of the main script's own list
  std::vector<std::string> marks_;
  Json functions_ = Json::object();
};

}  // namespace

Json scenario_of(std::span<const std::uint8_t> bytes, Pairs* pairs) { return Writer(bytes, pairs).document(); }

std::string scenario_text_of(std::span<const std::uint8_t> bytes, Pairs* pairs) {
  return scenario_of(bytes, pairs).dump(1);
}

std::size_t possible_pairs() {
  std::size_t steps = 0;
  std::size_t awaitables = 0;
  for (const Construct& one : language().constructs) {
    steps += one.is_step ? 1 : 0;
    awaitables += one.is_awaitable ? 1 : 0;
  }
  std::size_t pairs = steps + 1;  // of the main script
  const auto count = [&](const Part& hole) {
    if (hole.has_steps()) pairs += steps + 1 + (hole.hole == "callback" && !hole.is_plain ? 1 : 0);
    if (hole.is_awaited()) pairs += awaitables + (hole.hole == "returned" ? 1 : hole.hole == "awaitables" ? 3 : 2);
  };
  count(language().function);
  for (const Construct& one : language().constructs) std::ranges::for_each(one.parts, count);
  return pairs;
}

std::string bytes_of_scenario(std::uint64_t number) {
  std::mt19937_64 random(number);
  std::string bytes(64 + random() % 1400, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

}  // namespace loopsim::fuzz
