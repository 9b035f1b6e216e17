// Name resolution: one walk over all bodies, with JavaScript's chain of scopes. A name that no scope declares is global
// and may be defined anywhere in the document, so globals are resolved after the walk.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"

#include "sim/scenario/reader.hpp"

namespace loopsim {
namespace {

enum class Access : std::uint8_t { read, write, update };  // update: reads and writes (add)

using Predefined = std::array<std::string_view, 3>;

// A block, or the parameters of a body.
struct Scope {
  struct Local {
    std::string_view name;
    DeclarationIndex declaration;
    bool is_declared;  // false until the walk reaches its `let`
  };
  Scope* parent = nullptr;
  BodyIndex body = 0;
  std::vector<Local> locals;
  std::map<std::string_view, std::size_t> places;  // of the locals, once there are many
  // Predefined names of the first arguments (or of the caught error); declared only when used.
  Predefined predefined;
  Declaration::Kind predefined_kind = Declaration::Kind::parameter;
  NodeIndex predefined_node = kNone;
  std::array<DeclarationIndex, 3> predefined_declarations = {kNone, kNone, kNone};
};

class NameResolver {
 public:
  NameResolver(Scenario& scenario, const Document& document, Diagnostics& diagnostics)
      : scenario_(scenario), document_(document), diagnostics_(diagnostics) {
    for (const auto& [name, body] : scenario.functions) function_names_.push_back(name);
    std::ranges::sort(function_names_);
  }

  // False when it stopped at too many errors.
  bool run() {
    // Functions are at the top of the script, so they see the variables of its outermost block.
    Scope script;
    walk_steps(scenario_.bodies[0].steps, script, nullptr);
    for (const auto& [name, body] : scenario_.functions) {
      if (!told_all_) return false;
      walk_body(body, Predefined{}, &script);
    }
    for (const Pending& pending : pending_) {
      if (!told_all_) return false;
      resolve_global(pending);
    }
    for (const Plain& plain : plain_texts_) {
      if (globals_.find(plain.text) != kNone) warn_of_name(plain);
    }
    check_marks();
    check_closures();
    return told_all_;
  }

 private:
  // Variables of the whole script, or marks.
  struct Globals {
    std::unordered_map<std::string_view, DeclarationIndex> places;  // lookup only, never iterated
    std::vector<std::string_view> names;                            // its keys, in any order

    // The declaration, to be set; kNone for a new name.
    DeclarationIndex& operator[](std::string_view name) {
      const auto [place, is_new] = places.try_emplace(name, kNone);
      if (is_new) names.push_back(name);
      return place->second;
    }
    [[nodiscard]] DeclarationIndex find(std::string_view name) const {
      const auto found = places.find(name);
      return found == places.end() ? kNone : found->second;
    }
  };

  struct Pending {
    Name* name;
    Access access;
    bool is_mark;
  };

  // A text that no scope around it knows as a variable's name; a global may.
  struct Plain {
    NodeIndex node;
    std::string_view text;
  };

  void error(NodeIndex node, std::string message, std::string suggestion = {}) {
    told_all_ = told_all_ && !are_enough(diagnostics_);
    if (!told_all_) return;
    diagnostics_.push_back(document_.diagnose(node, std::move(message), std::move(suggestion)));
  }

  // ---- texts that are also names --------------------------------------------------------------------------------------

  // {"return": "x"} returns the text "x", also where x is a variable: most likely its value was meant. Not asked where
  // texts are meant to be read: what log prints and a socket sends often is a name, and an error's message may be that
  // of the timer that throws it.
  void check_plain_text(const Step& step, const Value& value, Scope& scope) {
    if (step.verb == Verb::log || step.verb == Verb::write || step.verb == Verb::end) return;
    // The text of {"throw": "x"}, too, stands for new Error("x").
    const bool is_message = value.kind == Value::Kind::error && document_.kind(value.node) == Document::Kind::text;
    if (value.kind != Value::Kind::text && !is_message) return;
    const List<TextPart>& parts = is_message ? value.error->message : value.parts;
    if (parts.size() != 1 || parts[0].kind != TextPart::Kind::text || !is_identifier(parts[0].text())) return;
    const Plain plain = {value.node, parts[0].text()};
    for (Scope* at = &scope; at != nullptr; at = at->parent) {
      const Scope::Local* local = find_local(*at, plain.text);
      if ((local != nullptr && local->is_declared) ||
          std::ranges::find(at->predefined, plain.text) != at->predefined.end())
        return warn_of_name(plain);
    }
    if (!is_message) plain_texts_.push_back(plain);
  }

  void warn_of_name(const Plain& plain) {
    if (diagnostics_.size() >= kMostErrors) return;
    Diagnostic warning = document_.diagnose(
        plain.node,
        fmt::format("the text \"{0}\" is the name of a variable, too; its value is \"{{{0}}}\"", plain.text));
    warning.severity = Diagnostic::Severity::warning;
    diagnostics_.push_back(std::move(warning));
  }

  // ---- walking ----

  void walk_body(BodyIndex index, const Predefined& predefined, Scope* outer) {
    // References into `bodies` stay valid: the walk adds declarations, but no bodies.
    Scope scope;
    scope.parent = outer;
    scope.body = index;
    for (const DeclarationIndex parameter : scenario_.bodies[index].parameters) {
      check_not_function(scenario_.declarations[parameter].name, scenario_.declarations[parameter].node);
      scope.locals.push_back({scenario_.declarations[parameter].name, parameter, true});
    }
    scope.predefined = predefined;
    scope.predefined_node = scenario_.bodies[index].node;
    walk_block(scenario_.bodies[index].steps, index, &scope, true);
    // An inline callback has no other parameters: those up to the last that is used.
    std::array<DeclarationIndex, 3>& used = scope.predefined_declarations;
    std::size_t count = used.size();
    while (count > 0 && used[count - 1] == kNone) --count;
    for (std::size_t i = 0; i < count; ++i) {
      if (used[i] == kNone) used[i] = declare(scope.predefined_kind, scope.predefined[i], index, scope.predefined_node);
    }
    if (count != 0)
      scenario_.bodies[index].parameters = scenario_.memory.copy(std::span<const DeclarationIndex>(used).first(count));
  }

  // `is_top`: the body's own block, where a `let` cannot redeclare a parameter.
  void walk_block(Block& block, BodyIndex body, Scope* outer, bool is_top = false) {
    Scope scope;
    scope.parent = outer;
    scope.body = body;
    walk_steps(block, scope, is_top ? outer : nullptr);
  }

  void walk_steps(Block& block, Scope& scope, Scope* parameters) {
    for (Step& step : block) {
      if (step.verb == Verb::let) declare_locals(step, scope, parameters);
    }
    for (Step& step : block) {
      if (!told_all_) return;
      walk_step(step, scope);
    }
  }

  void declare_locals(Step& step, Scope& scope, Scope* parameters) {
    auto* assignments = std::get_if<List<Assignment>>(&step.argument);
    if (assignments == nullptr) return;
    for (Assignment& assignment : *assignments) {
      Name& name = assignment.target;
      if (find_local(scope, name.text) != nullptr) {
        error(name.node, fmt::format("\"{}\" is declared twice in this block; use \"set\" to change it", name.text));
        continue;
      }
      if (parameters != nullptr) {
        if (find_local(*parameters, name.text) != nullptr) {
          error(name.node,
                fmt::format("\"{}\" is a parameter of this function already; use \"set\" to change it", name.text));
          continue;
        }
        for (std::string_view& predefined : parameters->predefined) {
          if (predefined == name.text) predefined = {};  // then the callback has no such parameter
        }
      }
      check_not_function(name.text, name.node);
      name.declaration = declare(Declaration::Kind::local, name.text, scope.body, name.node);
      scope.locals.push_back({name.text, name.declaration, false});
    }
  }

  void walk_step(Step& step, Scope& scope) {
    if (step.verb == Verb::let || step.verb == Verb::set || step.verb == Verb::add) {
      walk_assignments(step, scope);
      return;
    }
    if (step.verb == Verb::repeat) {
      walk_repeat(step, scope);
      return;
    }
    walk_argument(step, step.argument, Key::do_, true, scope);
    for (Option& option : step.options) walk_argument(step, option.value, option.key, false, scope);
  }

  void walk_assignments(Step& step, Scope& scope) {
    auto* assignments = std::get_if<List<Assignment>>(&step.argument);
    if (assignments == nullptr) return;
    for (Assignment& assignment : *assignments) {
      walk_value(step, assignment.value, scope);
      if (step.verb != Verb::let) {
        use(assignment.target, step.verb == Verb::set ? Access::write : Access::update, scope);
      } else if (Scope::Local* local = find_local(scope, assignment.target.text)) {
        local->is_declared = true;
      }
    }
  }

  void walk_repeat(Step& step, Scope& scope) {
    if (auto* count = std::get_if<Value>(&step.argument)) walk_value(step, *count, scope);
    Scope rounds;
    rounds.parent = &scope;
    rounds.body = scope.body;
    for (Option& option : step.options) {
      if (auto* name = std::get_if<Name>(&option.value)) {
        check_not_function(name->text, name->node);
        name->declaration = declare(Declaration::Kind::loop_variable, name->text, scope.body, name->node);
        rounds.locals.push_back({name->text, name->declaration, true});
      }
    }
    for (Option& option : step.options) {
      if (auto* block = std::get_if<Block>(&option.value)) walk_block(*block, scope.body, &rounds);
    }
  }

  void walk_argument(Step& step, Argument& argument, Key key, bool is_verbs_own, Scope& scope) {
    if (auto* value = std::get_if<Value>(&argument)) walk_value(step, *value, scope);
    if (auto* values = std::get_if<List<Value>>(&argument)) {
      for (Value& value : *values) walk_value(step, value, scope);
    }
    if (auto* given = std::get_if<Condition*>(&argument)) {
      Condition& condition = **given;
      if (!condition.left.is_undefined()) use(condition.left, Access::read, scope);
      walk_value(step, condition.right, scope);
    }
    if (auto* callback = std::get_if<Callback>(&argument);
        callback != nullptr && !callback->by_name && callback->body != 0) {
      walk_body(callback->body, predefined_names(step, key), &scope);
    }
    if (auto* listeners = std::get_if<List<EventListener>>(&argument)) {
      for (EventListener& listener : *listeners) {
        if (listener.callback.by_name || listener.callback.body == 0) continue;
        walk_body(listener.callback.body, predefined_in_listener(step.verb, listener.event), &scope);
      }
    }
    if (auto* block = std::get_if<Block>(&argument)) walk_step_block(step, *block, key, is_verbs_own, scope);
    if (auto* awaitable = std::get_if<Awaitable>(&argument)) walk_awaitable(*awaitable, scope);
    if (auto* awaitables = std::get_if<List<Awaitable>>(&argument)) {
      for (Awaitable& awaitable : *awaitables) walk_awaitable(awaitable, scope);
    }
    if (auto* name = std::get_if<Name>(&argument)) walk_name(step, *name, key, is_verbs_own, scope);
  }

  void walk_step_block(Step& step, Block& block, Key key, bool is_verbs_own, Scope& scope) {
    if (step.verb != Verb::try_ || is_verbs_own || key != Key::catch_) {
      walk_block(block, scope.body, &scope);
      return;
    }
    Scope caught;
    caught.parent = &scope;
    caught.body = scope.body;
    caught.predefined = {"error"};
    caught.predefined_kind = Declaration::Kind::caught;
    caught.predefined_node = step.node;
    walk_block(block, scope.body, &caught, true);
    step.caught = caught.predefined_declarations[0];
  }

  void walk_name(Step& step, Name& name, Key key, bool is_verbs_own, Scope& scope) {
    if (!is_verbs_own) {
      const bool reads = key == Key::handle || key == Key::client || key == Key::fd;
      if (key == Key::as || key == Key::other) use(name, Access::write, scope);
      if (reads) use(name, Access::read, scope);
      return;
    }
    switch (step.verb) {
      case Verb::mark: define_mark(name); break;
      case Verb::promise:
      case Verb::emitter: use(name, Access::write, scope); break;
      case Verb::on:
      case Verb::once:
      case Verb::off:
      case Verb::emit:
      case Verb::kill:
        if (!name.is_builtin()) use(name, Access::read, scope);
        break;
      default: {
        const bool defines = info(step.verb).kind == ArgumentKind::new_name;
        use(name, defines ? Access::write : Access::read, scope);
        break;
      }
    }
  }

  void walk_awaitable(Awaitable& awaitable, Scope& scope) {
    if (awaitable.kind == Awaitable::Kind::name) use(*awaitable.name, Access::read, scope);
    if (Step* const step = awaitable.made_by()) walk_step(*step, scope);
  }

  void walk_value(const Step& step, Value& value, Scope& scope) {
    check_plain_text(step, value, scope);
    if (value.kind == Value::Kind::variable) use(*value.variable, Access::read, scope);
    if (value.kind == Value::Kind::text) walk_parts(value.parts, scope);
    if (value.kind == Value::Kind::error) walk_parts(value.error->message, scope);
  }

  void walk_parts(List<TextPart>& parts, Scope& scope) {
    for (TextPart& part : parts) {
      switch (part.kind) {
        case TextPart::Kind::text:
        case TextPart::Kind::now: break;
        case TextPart::Kind::since: pending_.push_back({&part.name, Access::read, true}); break;
        case TextPart::Kind::variable:
        case TextPart::Kind::message:
        case TextPart::Kind::code:
          if (!part.name.is_builtin()) use(part.name, Access::read, scope);
          break;
      }
    }
  }

  static Predefined predefined_names(const Step& step, Key key) {
    const VerbInfo& verb = info(step.verb);
    if (verb.family != Family::libuv) return {predefined_name(step, key)};
    Predefined names;
    std::ranges::copy(verb.given, names.begin());
    return names;
  }

  // The name of an inline callback's first argument: docs/scenario-language.md, "Names".
  static std::string_view predefined_name(const Step& step, Key key) {
    switch (step.verb) {
      case Verb::then:
        if (key == Key::do_) return "value";
        return key == Key::finally_ ? std::string_view() : "error";
      case Verb::set_timeout:
      case Verb::set_interval:
      case Verb::set_immediate:
      case Verb::next_tick:
      case Verb::async: return step.find(Key::with) != nullptr ? "value" : std::string_view();
      case Verb::fs:
      case Verb::dns:
      case Verb::crypto:
      case Verb::zlib:
      case Verb::write:
      case Verb::end:
      case Verb::close: return "error";
      case Verb::request_animation_frame: return "value";
      case Verb::add_event_listener: {
        const Argument* argument = step.find(Key::event);
        const auto* event = argument == nullptr ? nullptr : std::get_if<std::string_view>(argument);
        return event != nullptr && *event == "message" ? "value" : std::string_view();
      }
      case Verb::on:
      case Verb::once: {
        const Argument* argument = step.find(Key::event);
        const auto* event = argument == nullptr ? nullptr : std::get_if<std::string_view>(argument);
        if (event == nullptr) return {};
        const auto& emitter = std::get<Name>(step.argument);
        if (!emitter.is_process()) return *event == "error" ? "error" : "value";
        if (*event == "exit" || *event == "beforeExit") return "code";
        return *event == "rejectionHandled" || find_signal(*event) != nullptr ? "value" : "error";
      }
      default: return {};
    }
  }

  static Predefined predefined_in_listener(Verb verb, std::string_view event) {
    if (event == "error") return {"error"};
    if (verb == Verb::spawn) return event == "spawn" ? Predefined{} : Predefined{"code", "signal"};
    const bool has_value = event == "connection" || event == "data" || (verb == Verb::connect && event == "close");
    return {has_value ? "value" : std::string_view()};
  }

  // ---- looking up ----

  static Scope::Local* find_local(Scope& scope, std::string_view name) {
    constexpr std::size_t kMany = 16;
    if (scope.locals.size() < kMany) {
      const auto found = std::find_if(scope.locals.begin(), scope.locals.end(),
                                      [&](const Scope::Local& local) { return local.name == name; });
      return found == scope.locals.end() ? nullptr : &*found;
    }
    for (std::size_t i = scope.places.size(); i < scope.locals.size(); ++i)
      scope.places.emplace(scope.locals[i].name, i);
    const auto found = scope.places.find(name);
    return found == scope.places.end() ? nullptr : &scope.locals[found->second];
  }

  DeclarationIndex declare(Declaration::Kind kind, std::string_view name, BodyIndex body, NodeIndex node) {
    Declaration declaration;
    declaration.kind = kind;
    declaration.name = name;
    declaration.body = body;
    declaration.node = node;
    scenario_.declarations.push_back(declaration);
    return static_cast<DeclarationIndex>(scenario_.declarations.size() - 1);
  }

  void use(Name& name, Access access, Scope& scope) {
    if (name.text.empty()) return;  // reported
    for (Scope* at = &scope; at != nullptr; at = at->parent) {
      if (const Scope::Local* local = find_local(*at, name.text)) {
        if (!local->is_declared) {
          error(name.node, fmt::format("\"{}\" is used before the \"let\" that declares it", name.text));
        }
        bind(name, local->declaration, access, scope.body);
        return;
      }
      const auto predefined = std::find(at->predefined.begin(), at->predefined.end(), name.text);
      if (predefined != at->predefined.end()) {
        DeclarationIndex& declaration =
            at->predefined_declarations[static_cast<std::size_t>(predefined - at->predefined.begin())];
        if (declaration == kNone) declaration = declare(at->predefined_kind, name.text, at->body, at->predefined_node);
        bind(name, declaration, access, scope.body);
        return;
      }
    }
    if (access == Access::write) {
      DeclarationIndex& global = globals_[name.text];
      if (global == kNone) {
        check_not_function(name.text, name.node);
        global = declare(Declaration::Kind::global, name.text, 0, name.node);
      }
      name.declaration = global;
      return;
    }
    pending_.push_back({&name, access, false});
  }

  void bind(Name& name, DeclarationIndex index, Access access, BodyIndex body) {
    name.declaration = index;
    Declaration& declaration = scenario_.declarations[index];
    // A global that is only written needs no declaration in the script; a local always needs its slot.
    if (access != Access::write || declaration.kind != Declaration::Kind::global) declaration.is_used = true;
    if (declaration.body != body) declaration.captured = true;
  }

  void define_mark(Name& name) {
    DeclarationIndex& mark = marks_[name.text];
    if (mark == kNone) {
      check_not_function(name.text, name.node);
      mark = declare(Declaration::Kind::mark, name.text, 0, name.node);
    }
    name.declaration = mark;
  }

  void resolve_global(const Pending& pending) {
    Name& name = *pending.name;
    const DeclarationIndex known = (pending.is_mark ? marks_ : globals_).find(name.text);
    if (known != kNone) {
      bind(name, known, pending.access, 0);
      return;
    }
    report_unknown(name, pending.is_mark);
  }

  void report_unknown(const Name& name, bool is_mark) {
    std::vector<std::string_view>& names = (is_mark ? marks_ : globals_).names;
    if (!std::ranges::is_sorted(names)) std::ranges::sort(names);  // once: no names are added any more
    std::string suggestion = nearest(name.text, names);
    if (is_mark) {
      std::string message = fmt::format("no \"mark\" is named \"{}\"", name.text);
      if (globals_.find(name.text) != kNone) message += "; that is a variable";
      error(name.node, std::move(message), std::move(suggestion));
    } else if (marks_.find(name.text) != kNone) {
      error(name.node, fmt::format("\"{}\" is a mark; only {{since {}}} in a text reads it", name.text, name.text));
    } else if (is_function(name.text)) {
      error(name.node, fmt::format("\"{}\" is a function, not a variable", name.text));
    } else if (name.text == "process") {
      error(name.node, "\"process\" is no variable; only on, once, off and kill take it");
    } else {
      std::string message = fmt::format("nothing defines the name \"{}\"", name.text);
      if (is_local_somewhere(name.text))
        message += " here; a \"let\", a parameter or a loop variable is known only inside its block";
      if ((name.text == "value" || name.text == "error" || name.text == "code") && suggestion.empty()) {
        message += fmt::format("; \"{}\" is defined only inside some callbacks", name.text);
      }
      error(name.node, std::move(message), std::move(suggestion));
    }
  }

  [[nodiscard]] bool is_function(std::string_view name) const {
    return std::ranges::binary_search(function_names_, name);
  }

  [[nodiscard]] bool is_local_somewhere(std::string_view name) const {
    return std::any_of(
        scenario_.declarations.begin(), scenario_.declarations.end(), [&](const Declaration& declaration) {
          return declaration.name == name && declaration.kind != Declaration::Kind::global &&
                 declaration.kind != Declaration::Kind::mark && name != "value" && name != "error" && name != "code";
        });
  }

  void check_not_function(std::string_view name, NodeIndex node) {
    if (is_function(name)) error(node, fmt::format("\"{}\" is the name of a function already", name));
  }

  // A mark is a variable of the exported script, so no other variable can have its name.
  void check_marks() {
    if (marks_.names.empty()) return;
    for (const Declaration& declaration : scenario_.declarations) {
      if (declaration.kind == Declaration::Kind::mark) continue;
      const DeclarationIndex mark = marks_.find(declaration.name);
      if (mark == kNone) continue;
      if (!told_all_) return;
      const auto place = document_.place(scenario_.declarations[mark].node);
      error(declaration.node, fmt::format("\"{}\" is a mark already, on line {}; a variable needs another name",
                                          declaration.name, place.line));
    }
  }

  // A program for libuv is one in C, whose functions see no variables of others.
  void check_closures() {
    const Profile* const profile = find_profile(scenario_.runtime.profile);
    if (profile == nullptr || profile->family != Family::libuv) return;
    for (const Declaration& declaration : scenario_.declarations) {
      if (!declaration.captured || declaration.kind == Declaration::Kind::global) continue;
      if (!told_all_) return;
      error(declaration.node, fmt::format("\"{}\" is local, and a callback inside uses it: C has no closures; \"set\" "
                                          "makes a variable of the program",
                                          declaration.name));
    }
  }

  Scenario& scenario_;
  const Document& document_;
  Diagnostics& diagnostics_;
  bool told_all_ = true;
  std::vector<std::string_view> function_names_;  // sorted
  Globals globals_;
  Globals marks_;
  std::vector<Pending> pending_;  // names that no scope declares
  std::vector<Plain> plain_texts_;
};

}  // namespace

bool resolve_names(Scenario& scenario, const Document& document, Diagnostics& diagnostics) {
  return NameResolver(scenario, document, diagnostics).run();
}

}  // namespace loopsim
