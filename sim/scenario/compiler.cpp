// Compiles a Scenario into a Program.
//
// Bodies are compiled one by one from a work list; body N of the scenario becomes function N. Locals live in activation
// records (scopes): one per body that has locals, and one per round of a `repeat` whose locals a callback captures. The
// compiler resolves each local to a number of scopes outward and a slot.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "loopsim/simulator.hpp"

#include "sim/program/program.hpp"
#include "sim/program/verify.hpp"
#include "sim/scenario/document.hpp"

namespace loopsim {
namespace {

// A run-time scope, as the compiler tracks it.
struct Scope {
  std::uint32_t id = 0;
  std::uint32_t slots = 0;
};

// A hash table over an append-only list of texts.
class TextTable {
 public:
  // The index of `text` in `texts`; adds it when new. A table has one list, and nothing else adds to that.
  std::uint32_t index(std::string_view text, std::vector<std::string>& texts) {
    if (2 * (texts.size() + 1) > slots_.size()) grow();
    const std::uint32_t hash = hash_of(text);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].index != kNone; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].hash == hash && texts[slots_[at].index] == text) return slots_[at].index;
    }
    slots_[at] = {hash, static_cast<std::uint32_t>(texts.size())};
    texts.emplace_back(text);
    return slots_[at].index;
  }

  // The same for a text whose address stays valid while this table lives. A long one is hashed once: a param of a
  // megabyte may be used in a hundred thousand places.
  std::uint32_t index_of_kept(std::string_view text, std::vector<std::string>& texts) {
    if (text.size() < kLong) return index(text, texts);
    Known& known = long_texts_[text.data()];
    if (known.size != text.size()) known = {text.size(), index(text, texts)};
    return known.index;
  }

 private:
  static constexpr std::size_t kLong = 4096;

  struct Known {
    std::size_t size = 0;
    std::uint32_t index = kNone;
  };
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t index = kNone;
  };

  static std::uint32_t hash_of(std::string_view text) {
    // Eight bytes at a time, the last of which overlap: most texts are shorter than sixteen.
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;
    std::uint64_t hash = text.size();
    const auto mix = [&](std::uint64_t bytes) {
      hash = (hash ^ bytes) * kOdd;
      hash ^= hash >> 32U;
    };
    const auto eight_at = [&](std::size_t at) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, text.data() + at, 8);
      return bytes;
    };
    if (text.size() < 8) {
      std::uint64_t bytes = 0;
      for (const char c : text) bytes = (bytes << 8U) | static_cast<unsigned char>(c);
      mix(bytes);
    } else {
      for (std::size_t at = 0; at + 8 < text.size(); at += 8) mix(eight_at(at));
      mix(eight_at(text.size() - 8));
    }
    mix(0);  // what the last bytes changed at the upper end comes down
    return static_cast<std::uint32_t>(hash);
  }

  void grow() {
    constexpr std::size_t kFirst = 64;
    std::vector<Slot> old = std::exchange(slots_, {});
    slots_.resize(old.empty() ? kFirst : 2 * old.size());
    for (const Slot& slot : old) {
      if (slot.index == kNone) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].index != kNone) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;                            // a power of two, at most half of them in use
  std::unordered_map<const char*, Known> long_texts_;  // lookup only, never iterated
};

class Compiler {
 public:
  Compiler(const Scenario& scenario, const CompileOptions& options)
      : scenario_(scenario), program_(std::make_shared<Program>()), tells_(options.steps) {
    if (tells_) program_->most_steps_told = std::max<std::uint64_t>(options.most_steps, 1);
  }

  CompileResult compile() {
    copy_settings();
    if (scenario_.script) return compile_script();
    if (scenario_.io != nullptr) return compile_io();
    if (program_->profile->family == Family::browser) return compile_page();
    program_->functions.resize(scenario_.bodies.size());
    slots_.resize(scenario_.declarations.size());
    compiled_.resize(scenario_.bodies.size(), false);
    number_globals();
    program_->code.reserve(2 * (scenario_.steps + scenario_.bodies.size()));
    program_->positions.reserve(2 * (scenario_.steps + scenario_.bodies.size()));
    program_->sites.reserve(scenario_.bodies.size());
    add_work(0, {});
    for (std::size_t next = 0; next < work_.size(); ++next) {
      compile_body(work_[next].body, chains_[work_[next].chain]);
      if (next + 1 == std::max(kManyBodies, scenario_.bodies.size()) / kSample) make_room();
    }
    for (Site& site : program_->sites) {
      if (site.function == kNone) continue;
      const bool has_closures = program_->profile->family == Family::node;
      if (has_closures)
        site.closure = program_->functions[site.function].is_named ? Site::Closure::main : Site::Closure::here;
    }
    if (!diagnostics_.empty()) return {nullptr, std::move(diagnostics_)};
    mark_leaves(*program_);
#ifdef LOOPSIM_VERIFY
    if (std::string fault = verify(*program_); !fault.empty()) throw std::logic_error("a wrong program: " + fault);
#endif
    return {program_, {}};
  }

 private:
  // The tables whose size nothing says in advance: most likely the other bodies need as much of them as the first ones.
  // Tables that grow by doubling use twice as much fresh memory, and some of it at the same time.
  static constexpr std::size_t kManyBodies = 4096;
  static constexpr std::size_t kSample = 16;
  void make_room() {
    const auto reserve = [](auto& table) {
      table.reserve(table.size() * kSample + table.size());  // a sixteenth more
    };
    reserve(program_->strings);
    reserve(program_->texts);
    reserve(program_->text_pieces);
    reserve(program_->operand_lists);
  }

  // Nothing is compiled: the model is the program. Its names are those of the sockets, then the processes'.
  CompileResult compile_io() {
    program_->io = scenario_.io;
    program_->names = io_socket_names(*scenario_.io);
    for (const IoProcess& process : scenario_.io->processes) program_->names.emplace_back(to_string(process.model));
    return {program_, {}};
  }

  CompileResult compile_script() {
    program_->script = std::make_shared<Script>(*scenario_.script);
    program_->run_script = script_runner();
    if (program_->run_script == nullptr) return no_javascript();
    Diagnostics diagnostics = check_script(*program_);
    if (has_errors(diagnostics)) return {nullptr, std::move(diagnostics)};
    return {program_, {}};
  }

  // The steps of a page become the script that they stand for, whose places and names are theirs.
  CompileResult compile_page() {
    const auto script = std::make_shared<Script>(*scenario_.page);
    MappedScript made = to_mapped_javascript(scenario_, {.instrumented = false, .named = true});
    script->source = std::move(made.text);
    script->parts = std::move(made.parts);
    script->file = program_->entry == EntryPoint::module ? "main.mjs" : "main.js";
    program_->script = script;
    program_->machine.overhead.jumps = {};  // steps cost what the document says, as in Node
    program_->run_script = script_runner();
    if (program_->run_script == nullptr) return no_javascript();
    return {program_, {}};
  }

  [[nodiscard]] CompileResult no_javascript() const {
    Diagnostic none;
    none.file = scenario_.file;
    none.message =
        "this build of loopsim runs no JavaScript: it was made with "
        "LOOPSIM_JAVASCRIPT=OFF, or without npm or wabt (docs/javascript.md)";
    return {nullptr, {std::move(none)}};
  }

  struct Work {
    BodyIndex body;
    std::uint32_t chain;  // in chains_
  };
  struct Place {  // where a declaration lives
    std::uint32_t scope = kNone;
    std::uint32_t slot = 0;
    std::uint32_t global = kNone;
  };
  struct Finally {  // a finally block whose try is being compiled
    std::uint32_t slot;
    std::uint32_t scope_depth;
    std::vector<std::uint32_t> returns;  // jumps to patch
  };

  // ---- settings and globals -----------------------------------------------------------------------------------------

  void copy_settings() {
    program_->profile = find_profile(scenario_.runtime.profile);
    if (program_->profile == nullptr) program_->profile = &default_profile();
    program_->entry = scenario_.runtime.entry;
    program_->threadpool = scenario_.runtime.threadpool;
    program_->delay_resolution = scenario_.runtime.delay_resolution;
    program_->machine = scenario_.machine;
    program_->limits = scenario_.limits;
    program_->inputs = scenario_.inputs;
    program_->seed = scenario_.seed;
    program_->title = scenario_.title;
    program_->params = scenario_.params;
  }

  void number_globals() {
    for (std::size_t i = 0; i < scenario_.declarations.size(); ++i) {
      const Declaration& declaration = scenario_.declarations[i];
      if (declaration.kind == Declaration::Kind::global) slots_[i].global = program_->globals++;
      if (declaration.kind == Declaration::Kind::mark) slots_[i].global = program_->marks++;
    }
  }

  // ---- a body ---------------------------------------------------------------------------------------------------------------

  void compile_body(BodyIndex index, const std::vector<std::uint32_t>& chain) {
    if (compiled_[index]) return;
    compiled_[index] = true;
    const Body& body = scenario_.bodies[index];
    chain_ = chain;
    finally_.clear();
    handlers_.clear();
    scopes_.clear();
    depth_ = 0;

    const std::uint32_t entry = here();
    const auto executor = executors_.find(index);
    const bool is_executor = executor != executors_.end();
    const bool has_scope = is_executor || any_parameter_used(body) || needs_slots(body.steps);
    body_ = index;
    if (has_scope) {
      open_scope();
      if (is_executor) {  // its resolve and reject functions, as one hidden parameter
        executor->second.scope = scopes_.back().id;
        new_slot();
      }
      for (DeclarationIndex parameter : body.parameters) slots_[parameter] = {scopes_.back().id, new_slot(), kNone};
      if (index == 0) main_chain_ = chain_;
    }
    position_ = {};
    tell_call(body, has_scope);
    block(body.steps);
    position_ = {};  // no step does it
    emit(Op::return_, 1);

    Function& function = program_->functions[index];
    function.entry = entry;
    function.end = here();
    function.label = label(body.name);
    function.is_async = body.is_async;
    function.is_named = body.kind == Body::Kind::function;
    function.parameters = is_executor ? 1 : has_scope ? static_cast<std::uint32_t>(body.parameters.size()) : 0;
    function.slots = has_scope ? scopes_.front().slots : 0;
    function.first_handler = static_cast<std::uint32_t>(program_->handlers.size());
    function.handlers = static_cast<std::uint32_t>(handlers_.size());
    program_->handlers.insert(program_->handlers.end(), handlers_.begin(), handlers_.end());
  }

  bool any_parameter_used(const Body& body) const {
    for (DeclarationIndex parameter : body.parameters) {
      if (scenario_.declarations[parameter].is_used) return true;
    }
    return false;
  }

  // Whether the steps (not the callbacks in them) use slots of their body's own scope. Called before they are compiled;
  // true exactly when that will call new_slot(): a scope without slots does not exist at run time.
  static bool needs_slots(const Block& steps) { return std::ranges::any_of(steps, step_needs_slots); }
  static bool step_needs_slots(const Step& step) {
    switch (step.verb) {
      case Verb::repeat:
      case Verb::all:
      case Verb::all_settled:
      case Verb::any:
      case Verb::race: return true;
      case Verb::let:
        if (!std::get<List<Assignment>>(step.argument).empty()) return true;
        break;
      case Verb::try_:
        if (step.caught != kNone || step.find(Key::finally_) != nullptr) return true;
        break;
      default: break;
    }
    const auto in_block = [](const Argument& argument) {
      const auto* nested = std::get_if<Block>(&argument);
      return nested != nullptr && needs_slots(*nested);
    };
    return in_block(step.argument) || nested_needs_slots(step.argument) ||
           std::ranges::any_of(step.options, [&](const Option& option) { return in_block(option.value); });
  }
  static bool nested_needs_slots(const Argument& argument) {  // await of all [...] and similar
    const auto* awaitable = std::get_if<Awaitable>(&argument);
    const Step* const step = awaitable == nullptr ? nullptr : awaitable->made_by();
    if (step == nullptr) return false;
    switch (step->verb) {
      case Verb::all:
      case Verb::all_settled:
      case Verb::any:
      case Verb::race: return true;
      default: return nested_needs_slots(step->argument);
    }
  }

  // Whether a callback captures a local declared in these steps (outside nested repeats, whose rounds have their own).
  bool declares_captured(const Block& steps) const {
    for (const Step& step : steps) {
      if (step.verb == Verb::let) {
        for (const Assignment& assignment : std::get<List<Assignment>>(step.argument)) {
          if (is_captured(assignment.target)) return true;
        }
      }
      if (step.verb == Verb::repeat) continue;
      if (const auto* inner = std::get_if<Block>(&step.argument); inner != nullptr && declares_captured(*inner))
        return true;
      for (const Option& option : step.options) {
        const auto* inner = std::get_if<Block>(&option.value);
        if (inner == nullptr) continue;
        if (step.verb == Verb::try_ && option.key == Key::catch_ && caught_is_captured(step)) return true;
        if (declares_captured(*inner)) return true;
      }
    }
    return false;
  }
  bool is_captured(const Name& name) const {
    return name.is_declared() && scenario_.declarations[name.declaration].captured;
  }
  bool caught_is_captured(const Step& step) const {
    return step.caught != kNone && scenario_.declarations[step.caught].captured;
  }

  // ---- scopes -------------------------------------------------------------------------------------------------------------

  void open_scope() {
    scopes_.push_back({next_scope_, 0});
    chain_.push_back(next_scope_);
    ++next_scope_;
  }
  std::uint32_t new_slot() {
    if (scopes_.back().slots == Operand::kMostSlots) {
      too_many(fmt::format("a function has at most {} local variables of its own", Operand::kMostSlots));
      return 0;
    }
    return scopes_.back().slots++;
  }

  // Reports what exceeds the compiled form. Only once: a document with one such error has thousands.
  void too_many(std::string message) {
    if (!diagnostics_.empty()) return;
    Diagnostic diagnostic;
    if (scenario_.document != nullptr) {
      diagnostic = scenario_.document->diagnose(node_, std::move(message));
    } else {
      diagnostic.message = std::move(message);
    }
    diagnostics_.push_back(std::move(diagnostic));
  }

  // The number of arguments of a call or an event; reports too many.
  std::uint8_t argument_count(std::span<const Value> values) {
    constexpr std::size_t kMost = 255;
    if (values.size() > kMost) too_many(fmt::format("at most {} arguments, found {}", kMost, values.size()));
    return static_cast<std::uint8_t>(values.size());
  }

  std::uint32_t local_operand(const Place& place) const {
    for (std::size_t i = chain_.size(); i-- > 0;) {
      if (chain_[i] == place.scope)
        return Operand::local(static_cast<std::uint32_t>(chain_.size() - 1 - i), place.slot);
    }
    return constant_undefined_;  // unreachable: a let of an inner block of main, used in a function; the reader refuses it
  }

  // ---- emitting -----------------------------------------------------------------------------------------------------------

  std::uint32_t here() const { return static_cast<std::uint32_t>(program_->code.size()); }

  // ---- steps to report: nothing unless CompileOptions::steps ----------------------------------------------------------

  void tell_scope(ScopeStep step) { tell_scope(step, position_); }
  void tell_scope(ScopeStep step, StepPosition position) {
    if (!tells_) return;
    const std::uint32_t at = emit(Op::tell_scope, static_cast<std::uint8_t>(step));
    program_->positions[at] = position;
  }
  void tell_assign(AssignStep step, std::string_view name, std::uint32_t variable) {
    if (tells_) emit(Op::tell_assign, static_cast<std::uint8_t>(step), 0, variable, label(name));
  }
  void tell_call(const Body& body, bool has_scope) {
    tell_scope(ScopeStep::call);
    if (!tells_ || !has_scope) return;
    for (const DeclarationIndex parameter : body.parameters) {
      const Declaration& declaration = scenario_.declarations[parameter];
      if (declaration.is_used) tell_assign(AssignStep::parameter, declaration.name, local_operand(slots_[parameter]));
    }
  }

  std::uint32_t emit(Op op, std::uint8_t a = 0, std::uint16_t b = 0, std::uint32_t c = 0, std::uint32_t d = 0,
                     std::uint32_t e = 0) {
    program_->code.push_back({op, a, b, c, d, e});
    program_->positions.push_back(position_);
    return here() - 1;
  }
  Instruction& at(std::uint32_t index) { return program_->code[index]; }

  [[nodiscard]] StepPosition position(NodeIndex node, std::uint32_t line) const {
    return {line, scenario_.document->column(node, line)};
  }

  void block(const Block& steps) {
    for (const Step& step : steps) {
      position_ = position(step.node, step.line);
      node_ = step.node;
      statement(step);
    }
  }

  // ---- constants, names, texts ----------------------------------------------------------------------------------------------

  std::uint32_t string(std::string_view text) { return strings_.index(text, program_->strings); }
  std::uint32_t string(const TextPart& part) { return strings_.index_of_kept(part.text(), program_->strings); }
  std::uint32_t label(std::string_view text) { return text.empty() ? kNoName : labels_.index(text, program_->names); }
  std::uint32_t constant(const Constant& value) {
    program_->constants.push_back(value);
    return Operand::pack(Operand::Kind::constant, static_cast<std::uint32_t>(program_->constants.size() - 1));
  }
  // Equal numbers are one constant, as far as a small cache knows: most documents repeat a few.
  std::uint32_t number(double value) {
    const auto whole = static_cast<std::uint64_t>(std::clamp(value, 0.0, 1e9));
    std::uint32_t& known = numbers_[whole % numbers_.size()];
    const auto is_same = [&](double other) {  // 0 and -0 are not
      return std::bit_cast<std::uint64_t>(other) == std::bit_cast<std::uint64_t>(value);
    };
    if (known == kNone || !is_same(program_->constants[Operand::index(known)].number))
      known = constant({Constant::Kind::number, value, 0});
    return known;
  }
  std::uint32_t constant_undefined() {
    if (constant_undefined_ == kNone) constant_undefined_ = constant({});
    return constant_undefined_;
  }

  std::uint32_t variable(const Name& name) {
    if (name.is_process()) return Operand::pack(Operand::Kind::process, 0);
    if (!name.is_declared()) return constant_undefined();
    const Place& place = slots_[name.declaration];
    return place.global != kNone ? Operand::pack(Operand::Kind::global, place.global) : local_operand(place);
  }

  TextTemplate text_template(const List<TextPart>& parts) {
    const TextTemplate result{static_cast<std::uint32_t>(program_->text_pieces.size()),
                              static_cast<std::uint32_t>(parts.size())};
    for (const TextPart& part : parts) {
      TextPiece& piece = program_->text_pieces.emplace_back();
      piece.kind = part.kind;
      switch (part.kind) {
        case TextPart::Kind::text: piece.string = string(part); break;
        case TextPart::Kind::since: piece.operand = mark(part.name); break;
        case TextPart::Kind::now: break;
        default: piece.operand = variable(part.name); break;
      }
    }
    return result;
  }
  std::uint32_t mark(const Name& name) const { return name.is_declared() ? slots_[name.declaration].global : 0; }

  std::uint32_t operand(const Value& value) {
    switch (value.kind) {
      case Value::Kind::undefined: return constant_undefined();
      case Value::Kind::null: return constant({Constant::Kind::null, 0, 0});
      case Value::Kind::boolean: return constant({Constant::Kind::boolean, value.boolean ? 1.0 : 0.0, 0});
      case Value::Kind::number: return number(value.number);
      case Value::Kind::variable: return variable(*value.variable);
      case Value::Kind::error: {
        ErrorTemplate error{string(value.error->name), value.error->code.empty() ? kNone : string(value.error->code),
                            text_template(value.error->message)};
        program_->errors.push_back(error);
        return Operand::pack(Operand::Kind::error, static_cast<std::uint32_t>(program_->errors.size() - 1));
      }
      case Value::Kind::text: break;
    }
    if (value.parts.size() == 1 && value.parts[0].kind == TextPart::Kind::text)
      return constant({Constant::Kind::string, 0, string(value.parts[0])});
    bool plain = true;
    for (const TextPart& part : value.parts) plain = plain && part.kind == TextPart::Kind::text;
    if (plain) {
      std::string whole;
      for (const TextPart& part : value.parts) whole += part.text();
      return constant({Constant::Kind::string, 0, string(whole)});
    }
    const TextTemplate text = text_template(value.parts);
    program_->texts.push_back(text);
    return Operand::pack(Operand::Kind::text, static_cast<std::uint32_t>(program_->texts.size() - 1));
  }

  std::uint32_t operand_list(std::span<const Value> values) {
    const auto first = static_cast<std::uint32_t>(program_->operand_lists.size());
    for (const Value& value : values) program_->operand_lists.push_back(operand(value));
    return first;
  }
  std::uint32_t duration(const Duration& value) {
    if (value.kind != Duration::Kind::fixed) return add_duration(value);
    // Fixed durations are shared: most documents repeat a few.
    std::uint32_t& known = fixed_durations_[static_cast<std::uint64_t>(value.a) % fixed_durations_.size()];
    if (known == 0 || program_->durations[known - 1].a != value.a) known = add_duration(value) + 1;
    return known - 1;
  }
  std::uint32_t add_duration(const Duration& value) {
    program_->durations.push_back(value);
    program_->streams = std::max(program_->streams, value.stream + 1);
    return static_cast<std::uint32_t>(program_->durations.size() - 1);
  }

  // A text that is thrown, or the reason of a rejection, becomes an Error with that message.
  static bool becomes_error(const Value& value) { return value.kind == Value::Kind::text; }

  // ---- callbacks --------------------------------------------------------------------------------------------------------------

  std::uint32_t function(const Callback& callback) {
    const bool is_named = scenario_.bodies[callback.body].kind == Body::Kind::function;
    if (!compiled_[callback.body]) add_work(callback.body, is_named ? main_chain_ : chain_);
    return callback.body;
  }
  // Consecutive bodies mostly have the same scopes around them, which are then stored once.
  void add_work(BodyIndex body, const std::vector<std::uint32_t>& chain) {
    if (chains_.empty() || chains_.back() != chain) chains_.push_back(chain);
    work_.push_back({body, static_cast<std::uint32_t>(chains_.size() - 1)});
  }

  std::string_view label_of(const Step& step) const {
    const Argument* as = step.find(Key::as);
    if (as == nullptr) return {};
    if (const auto* name = std::get_if<Name>(as)) return name->text;
    if (const auto* text = std::get_if<std::string_view>(as)) return *text;
    return {};
  }

  // The site at which `step` hands over `callback` (null: a native one).
  std::uint32_t site(const Step& step, const Callback* callback, Api api, Key key = Key::do_) {
    Site site;
    site.api = api;
    site.position = position_;
    site.label = label(callback_label(scenario_, step, key));
    if (callback != nullptr) site.function = function(*callback);
    if (const Argument* with = step.find(Key::with)) {
      if (const auto* values = std::get_if<List<Value>>(with)) {
        site.first_argument = operand_list(*values);
        site.arguments = static_cast<std::uint32_t>(values->size());
      } else if (const auto* value = std::get_if<Value>(with)) {
        site.first_argument = operand_list({value, 1});
        site.arguments = 1;
      }
    }
    program_->sites.push_back(site);
    return static_cast<std::uint32_t>(program_->sites.size() - 1);
  }

  static const Callback* callback_of(const Step& step, Key key) {
    const Argument* argument = step.find(key);
    return argument == nullptr ? nullptr : std::get_if<Callback>(argument);
  }

  std::uint32_t destination(const Step& step) {
    const Argument* as = step.find(Key::as);
    if (as == nullptr) return kNone;
    const auto* name = std::get_if<Name>(as);
    return name == nullptr || !name->is_declared() ? kNone : variable(*name);
  }
  void store_result(const Step& step) {
    const std::uint32_t to = destination(step);
    if (to == kNone) return;
    emit(Op::store_acc, 0, 0, to);
    tell_assign(AssignStep::result, std::get<Name>(*step.find(Key::as)).text, to);
  }

  // A method call on a variable, with the variable's name for JavaScript's error when there is no such method.
  void emit_method(Op op, const Step& step, std::uint8_t a = 0, std::uint16_t b = 0, std::uint32_t d = 0,
                   std::uint32_t e = 0) {
    const Name& name = std::get<Name>(step.argument);
    emit(op, a, b, variable(name), d, e);
    receiver(name);
  }
  void receiver(const Name& name) { program_->receivers.push_back({here() - 1, string(name.text)}); }

  // ---- steps ------------------------------------------------------------------------------------------------------------------

  void statement(const Step& step) {
    switch (step.verb) {
      case Verb::log: return log(step);
      case Verb::mark: emit(Op::mark, 0, 0, mark(std::get<Name>(step.argument))); return;
      case Verb::cpu: emit(Op::cpu, 0, 0, duration(*std::get<const Duration*>(step.argument))); return;
      case Verb::spin: emit(Op::spin, 0, 0, duration(*std::get<const Duration*>(step.argument))); return;
      case Verb::let: return let(step);
      case Verb::set: return assign(step, Op::store);
      case Verb::add: return assign(step, Op::add);
      case Verb::if_: return if_step(step);
      case Verb::repeat: return repeat(step);
      case Verb::throw_: {
        const Value& value = std::get<Value>(step.argument);
        emit(Op::throw_, 0, becomes_error(value) ? 1 : 0, operand(value));
        return;
      }
      case Verb::try_: return try_step(step);
      case Verb::return_: return return_step(step);
      case Verb::set_timeout:
      case Verb::set_interval: return set_timer(step);
      case Verb::set_immediate:
        if (const auto* callback = std::get_if<Callback>(&step.argument)) {
          emit(Op::set_immediate, 0, destination(step) == kNone ? 1 : 0, 0, site(step, callback, Api::set_immediate));
          return store_result(step);
        }
        return promise_statement(step);
      case Verb::next_tick:
        emit(Op::next_tick, 0, 0, 0, site(step, &std::get<Callback>(step.argument), Api::next_tick));
        return;
      case Verb::queue_microtask:
        emit(Op::queue_microtask, 0, 0, 0, site(step, &std::get<Callback>(step.argument), Api::queue_microtask));
        return;
      case Verb::clear: emit(Op::clear, 0, 0, variable(std::get<Name>(step.argument))); return;
      case Verb::refresh: emit_method(Op::refresh, step); return;
      case Verb::ref: emit_method(Op::ref, step); return;
      case Verb::unref: emit_method(Op::unref, step); return;
      case Verb::has_ref: emit_method(Op::has_ref, step); return store_result(step);
      case Verb::promise: return new_promise(step);
      case Verb::resolve:
      case Verb::reject: return settle(step);
      case Verb::then:
        then(step);
        if (destination(step) == kNone && program_->code.back().op == Op::resolved_then)
          program_->code.back().b = tells_ && !label_of(step).empty() ? 0 : 1;
        tell_promise(step);
        return store_result(step);
      case Verb::resolved:
      case Verb::rejected:
      case Verb::all:
      case Verb::all_settled:
      case Verb::any:
      case Verb::race:
      case Verb::async:
      case Verb::call: return promise_statement(step);
      case Verb::await: return await(step);
      case Verb::fs:
      case Verb::dns:
      case Verb::crypto:
      case Verb::zlib: emit(Op::work, 0, 0, work(step)); return;
      case Verb::spawn: return spawn(step);
      case Verb::kill: {
        const Argument* signal = step.find(Key::signal);
        const std::string_view name = signal == nullptr ? "SIGTERM" : std::get<std::string_view>(*signal);
        emit_method(Op::kill, step, 0, 0, static_cast<std::uint32_t>(find_signal(name)->number));
        return store_result(step);
      }
      case Verb::listen:
      case Verb::connect: return network(step);
      case Verb::close: emit_method(Op::close, step, 0, 0, kNone, callback_site(step, Api::close)); return;
      case Verb::write:
      case Verb::end: return write(step);
      case Verb::pause: emit_method(Op::pause, step); return;
      case Verb::resume: emit_method(Op::resume, step); return;
      case Verb::destroy: {
        const Argument* error = step.find(Key::error);
        const auto* value = error == nullptr ? nullptr : &std::get<Value>(*error);
        const std::uint32_t given = value == nullptr ? kNone : operand(*value);
        emit_method(Op::destroy, step, 0, value != nullptr && becomes_error(*value) ? 1 : 0, given);
        return;
      }
      case Verb::emitter: {
        const Name& name = std::get<Name>(step.argument);
        emit(Op::emitter, 0, 0, variable(name), label(name.text));
        tell_assign(AssignStep::result, name.text, variable(name));
        return;
      }
      case Verb::on:
      case Verb::once: return on(step);
      case Verb::off:
        emit_method(Op::off, step, 0, 0, function(std::get<Callback>(*step.find(Key::do_))),
                    string(std::get<std::string_view>(*step.find(Key::event))));
        return;
      case Verb::emit: {
        const std::span<const Value> values = arguments(step);
        const std::uint32_t first = operand_list(values);
        emit_method(Op::emit, step, argument_count(values), 0, first,
                    string(std::get<std::string_view>(*step.find(Key::event))));
        return;
      }
      case Verb::exit: {
        const auto& code = std::get<Value>(step.argument);
        emit(Op::exit, code.kind == Value::Kind::null ? 0 : 1, 0, operand(code));
        return;
      }
      case Verb::exit_code: emit(Op::exit_code, 0, 0, operand(std::get<Value>(step.argument))); return;
      default: return uv_call(step);
    }
  }

  // ---- functions of libuv ---------------------------------------------------------------------------------------------

  void uv_call(const Step& step) {
    const VerbInfo& verb = info(step.verb);
    UvCall call;
    call.function = step.verb;
    call.makes_object = verb.kind == ArgumentKind::new_name;
    if (const auto* object = std::get_if<Name>(&step.argument)) {
      call.object = variable(*object);
      call.label = label(object->text);
    }
    if (const auto* mode = std::get_if<std::string_view>(&step.argument))
      call.number = static_cast<std::int32_t>(std::ranges::find(verb.words, *mode) - verb.words.begin());
    const Callback* callback = std::get_if<Callback>(&step.argument);
    for (const Option& option : step.options) {
      switch (option.key) {
        case Key::timeout: call.timeout = operand(std::get<Value>(option.value)); break;
        case Key::repeat: call.repeat = operand(std::get<Value>(option.value)); break;
        case Key::signal: call.number = find_signal(std::get<std::string_view>(option.value))->number; break;
        case Key::cpu:
        case Key::takes:
          call.duration = duration(*std::get<const Duration*>(option.value));
          call.needs_cpu = option.key == Key::cpu;
          break;
        case Key::do_: callback = std::get_if<Callback>(&option.value); break;
        case Key::handle:
        case Key::client:
        case Key::other:
        case Key::fd:
          call.other = variable(std::get<Name>(option.value));
          call.other_label = label(std::get<Name>(option.value).text);
          break;
        case Key::port: call.number = static_cast<std::int32_t>(std::get<Value>(option.value).number); break;
        case Key::path:
        case Key::node: call.text = string(std::get<std::string_view>(option.value)); break;
        case Key::data: call.data = operand(std::get<Value>(option.value)); break;
        case Key::bytes: call.bytes = static_cast<std::uint32_t>(std::get<Value>(option.value).number); break;
        case Key::code: call.code = operand(std::get<Value>(option.value)); break;
        case Key::events:
          call.number =
              1 + static_cast<std::int32_t>(std::ranges::find(verb.words, std::get<std::string_view>(option.value)) -
                                            verb.words.begin());
          break;
        case Key::error:
          call.error = find_uv_error(fmt::format("UV_{}", std::get<std::string_view>(option.value)))->code;
          break;
        default: break;
      }
    }
    if (callback != nullptr) call.site = site(step, callback, uv_api(step.verb));
    emit(Op::uv_call, 0, 0, static_cast<std::uint32_t>(program_->uv_calls.size()));
    program_->uv_calls.push_back(call);
    if (call.makes_object) tell_assign(AssignStep::set, std::get<Name>(step.argument).text, call.object);
    if (step.verb == Verb::socketpair)
      tell_assign(AssignStep::set, std::get<Name>(*step.find(Key::other)).text, call.other);
    store_result(step);
  }

  static Api uv_api(Verb function) {
    switch (function) {
      case Verb::uv_timer_start: return Api::uv_timer;
      case Verb::uv_idle_start: return Api::uv_idle;
      case Verb::uv_prepare_start: return Api::uv_prepare;
      case Verb::uv_check_start: return Api::uv_check;
      case Verb::uv_async_init: return Api::uv_async;
      case Verb::uv_queue_work: return Api::uv_work;
      case Verb::uv_signal_start:
      case Verb::uv_signal_start_oneshot: return Api::uv_signal;
      case Verb::uv_close:
      case Verb::uv_tcp_close_reset: return Api::uv_close;
      case Verb::uv_listen: return Api::uv_connection;
      case Verb::uv_tcp_connect:
      case Verb::uv_pipe_connect: return Api::uv_connect;
      case Verb::uv_read_start: return Api::uv_read;
      case Verb::uv_write: return Api::uv_write;
      case Verb::uv_shutdown: return Api::uv_shutdown;
      case Verb::uv_poll_start: return Api::uv_poll;
      case Verb::uv_spawn: return Api::uv_process;
      case Verb::uv_fs_access:
      case Verb::uv_fs_stat:
      case Verb::uv_fs_mkdir:
      case Verb::uv_fs_rmdir:
      case Verb::uv_fs_unlink: return Api::uv_fs;
      case Verb::uv_getaddrinfo: return Api::uv_getaddrinfo;
      default: return Api::uv_walk;
    }
  }

  // Inside an executor, at any depth, `resolve` and `reject` of its promise call the functions it was given.
  std::uint32_t promise_to_settle(const Name& name) const {
    for (BodyIndex body = body_; body != kNone; body = scenario_.bodies[body].parent) {
      auto executor = executors_.find(body);
      if (executor != executors_.end() && executor->second.promise == name.declaration)
        return local_operand({executor->second.scope, 0, kNone});
    }
    return kNone;
  }
  std::uint32_t settled(const Name& name) {
    const std::uint32_t own = promise_to_settle(name);
    return own != kNone ? own : variable(name);
  }

  std::uint32_t single(const Argument& argument) {
    if (const auto* value = std::get_if<Value>(&argument)) return operand(*value);
    if (const auto* values = std::get_if<List<Value>>(&argument); values != nullptr && !values->empty())
      return operand(values->front());
    return constant_undefined();
  }

  static std::span<const Value> arguments(const Step& step) {
    const Argument* with = step.find(Key::with);
    if (with == nullptr) return {};
    if (const auto* value = std::get_if<Value>(with)) return {value, 1};
    return std::get<List<Value>>(*with);
  }

  void await(const Step& step) {
    awaitable(std::get<Awaitable>(step.argument), Nothing::null);
    emit(Op::await);
    tell_scope(ScopeStep::resume);
    store_result(step);
  }

  void log(const Step& step) {
    if (const auto* value = std::get_if<Value>(&step.argument)) {
      const std::uint32_t first = operand_list({value, 1});
      emit(Op::log, 0, 0, first, 1);
    } else {
      const auto& values = std::get<List<Value>>(step.argument);
      const std::uint32_t first = operand_list(values);
      emit(Op::log, 0, 0, first, static_cast<std::uint32_t>(values.size()));
    }
  }

  void let(const Step& step) {
    for (const Assignment& assignment : std::get<List<Assignment>>(step.argument)) {
      slots_[assignment.target.declaration] = {scopes_.back().id, new_slot(), kNone};
      emit(Op::store, 0, 0, variable(assignment.target), operand(assignment.value));
      tell_assign(AssignStep::let, assignment.target.text, variable(assignment.target));
    }
  }

  void assign(const Step& step, Op op) {
    for (const Assignment& assignment : std::get<List<Assignment>>(step.argument)) {
      emit(op, 0, 0, variable(assignment.target), operand(assignment.value));
      tell_assign(op == Op::add ? AssignStep::add : AssignStep::set, assignment.target.text,
                  variable(assignment.target));
    }
  }

  void if_step(const Step& step) {
    const Condition& condition = *std::get<Condition*>(step.argument);
    const auto op = static_cast<std::uint8_t>(condition.op);
    const std::uint32_t left = variable(condition.left);
    const std::uint32_t right =
        condition.op == Condition::Operator::truthy ? constant_undefined() : operand(condition.right);
    const bool is_variable = condition.left.is_declared();
    if (tells_) emit(Op::tell_condition, op, 0, left, right, is_variable ? label(condition.left.text) : kNoName);
    const std::uint32_t test = emit(Op::jump_unless, op, 0, left, right);
    if (const Argument* then = step.find(Key::then)) block(std::get<Block>(*then));
    const Argument* other = step.find(Key::else_);
    if (other == nullptr) {
      at(test).e = here();
      return;
    }
    const std::uint32_t over = emit(Op::jump);
    at(test).e = here();
    block(std::get<Block>(*other));
    at(over).c = here();
  }

  void repeat(const Step& step) {
    const Block& steps = std::get<Block>(*step.find(Key::do_));
    const StepPosition own_position = position_;
    const std::uint32_t counter = new_slot();
    new_slot();  // the limit
    emit(Op::loop_begin, 0, 0, counter, operand(std::get<Value>(step.argument)));
    const std::uint32_t test = emit(Op::loop_test, 0, 0, counter);

    const Argument* as = step.find(Key::as);
    const Name* loop_variable = as == nullptr ? nullptr : std::get_if<Name>(as);
    const bool own_scope = declares_captured(steps) || (loop_variable != nullptr && is_captured(*loop_variable));
    std::uint32_t push = kNone;
    if (own_scope) {
      push = emit(Op::push_scope);
      ++depth_;
      const std::uint32_t counter_scope = scopes_.back().id;
      open_scope();
      if (loop_variable != nullptr) {
        slots_[loop_variable->declaration] = {scopes_.back().id, new_slot(), kNone};
        emit(Op::store, 0, 0, variable(*loop_variable), local_operand({counter_scope, counter, kNone}));
      }
      tell_scope(ScopeStep::round);
    } else if (loop_variable != nullptr) {
      slots_[loop_variable->declaration] = {scopes_.back().id, counter, kNone};
    }
    if (loop_variable != nullptr) tell_assign(AssignStep::loop, loop_variable->text, variable(*loop_variable));
    block(steps);
    if (own_scope) {
      at(push).c = scopes_.back().slots;
      scopes_.pop_back();
      chain_.pop_back();
      --depth_;
      emit(Op::pop_scope, 0, 0, 1);
    }
    emit(Op::loop_next, 0, 0, counter, 0, test);
    at(test).e = here();
    if (own_scope) tell_scope(ScopeStep::back, own_position);
  }

  void guard(std::uint32_t begin, std::uint32_t end, std::uint32_t target, bool catches) {
    if (begin != end) handlers_.push_back({begin, end, target, depth_, catches});
  }

  void try_step(const Step& step) {
    const Argument* on_catch = step.find(Key::catch_);
    const Argument* on_finally = step.find(Key::finally_);
    const StepPosition own_position = position_;
    std::uint32_t completion = kNone;
    if (on_finally != nullptr) {
      completion = new_slot();
      new_slot();  // the value
      finally_.push_back({completion, depth_, {}});
    }

    const std::uint32_t begin = here();
    block(std::get<Block>(step.argument));
    const std::uint32_t tried = here();
    if (on_catch != nullptr) {
      const std::uint32_t over = emit(Op::jump);
      guard(begin, tried, here(), true);
      tell_scope(ScopeStep::back, own_position);
      if (const DeclarationIndex caught = step.caught; caught != kNone) {
        slots_[caught] = {scopes_.back().id, new_slot(), kNone};
        emit(Op::store_acc, 0, 0, local_operand(slots_[caught]));
        tell_assign(AssignStep::caught, scenario_.declarations[caught].name, local_operand(slots_[caught]));
      }
      block(std::get<Block>(*on_catch));
      at(over).c = here();
    }
    if (on_finally == nullptr) return;

    const std::uint32_t guarded = here();
    emit(Op::finally_begin, 0, 0, completion);
    const std::uint32_t over = emit(Op::jump);
    guard(begin, guarded, here(), false);
    emit(Op::finally_throw, 0, 0, completion);
    at(over).c = here();
    const Finally self = finally_.back();
    finally_.pop_back();
    for (std::uint32_t jump : self.returns) at(jump).c = here();
    tell_scope(ScopeStep::back, own_position);
    block(std::get<Block>(*on_finally));
    const std::uint32_t end = emit(Op::finally_end, 0, 0, completion);
    if (self.returns.empty()) return;
    const std::uint32_t on = emit(Op::jump);
    at(end).e = here();
    leave_body();
    at(on).c = here();
  }

  void return_step(const Step& step) {
    if (const auto* value = std::get_if<Value>(&step.argument)) {
      emit(Op::load, 0, 0, operand(*value));
    } else {
      awaitable(std::get<Awaitable>(step.argument), Nothing::promise);
    }
    leave_body();
  }

  // Returns the accumulator, through the innermost finally block if there is one.
  void leave_body() {
    if (finally_.empty()) {
      emit(Op::return_);
      return;
    }
    Finally& target = finally_.back();
    if (depth_ > target.scope_depth) emit(Op::pop_scope, 0, 0, depth_ - target.scope_depth);
    emit(Op::finally_return, 0, 0, target.slot);
    target.returns.push_back(emit(Op::jump));
  }

  std::uint32_t delay(const Argument& value) {
    DelayPlan plan;
    if (const auto* fixed = std::get_if<Value>(&value))
      plan.operand = operand(*fixed);
    else
      plan.duration = duration(*std::get<const Duration*>(value));
    // Equal delays are one, as far as a small cache knows.
    std::uint32_t& known = delays_[(plan.operand ^ plan.duration) % delays_.size()];
    if (known == kNone || program_->delays[known].operand != plan.operand ||
        program_->delays[known].duration != plan.duration) {
      program_->delays.push_back(plan);
      known = static_cast<std::uint32_t>(program_->delays.size() - 1);
    }
    return known;
  }

  void set_timer(const Step& step) {
    const Callback* callback = callback_of(step, Key::do_);
    if (callback == nullptr) return promise_statement(step);
    const bool repeats = step.verb == Verb::set_interval;
    const std::uint32_t after = delay(step.argument);
    emit(Op::set_timer, repeats ? 1 : 0, destination(step) == kNone ? 1 : 0, after,
         site(step, callback, repeats ? Api::set_interval : Api::set_timeout));
    store_result(step);
  }

  void new_promise(const Step& step) {
    const Name& name = std::get<Name>(step.argument);
    const Callback* executor = callback_of(step, Key::do_);
    const std::uint32_t to = variable(name);
    const std::uint32_t executor_site = executor == nullptr ? kNone : site(step, executor, Api::promise);
    if (executor != nullptr && !executor->by_name) executors_[executor->body] = {name.declaration, kNone};
    emit(Op::new_promise, 0, 0, 0, executor_site, label(name.text));
    if (executor != nullptr) tell_scope(ScopeStep::back);
    emit(Op::store_acc, 0, 0, to);  // as in `p = new Promise(...)`: the executor still sees the old value
    tell_assign(AssignStep::result, name.text, to);
  }

  void on(const Step& step) {
    const std::string_view event = std::get<std::string_view>(*step.find(Key::event));
    const Name& emitter = std::get<Name>(step.argument);
    const Api api = emitter.is_process() ? Api::process_event : Api::on;
    emit_method(Op::on, step, step.verb == Verb::once ? 1 : 0, 0, site(step, callback_of(step, Key::do_), api),
                string(event));
  }

  // The option `on`: adds listeners to the object in the accumulator.
  void add_listeners(const Step& step) {
    const Argument* on = step.find(Key::on);
    if (on == nullptr) return;
    const Api made_by = step.verb == Verb::spawn ? Api::spawn : step.verb == Verb::listen ? Api::listen : Api::connect;
    for (const EventListener& listener : std::get<List<EventListener>>(*on)) {
      Site site;
      site.api = listener.event == "close" && made_by != Api::spawn ? Api::close : made_by;
      site.position = position_;
      site.function = function(listener.callback);
      site.label = label(listener_label(scenario_, step, listener));
      program_->sites.push_back(site);
      emit(Op::add_listener, 0, 0, 0, static_cast<std::uint32_t>(program_->sites.size() - 1), string(listener.event));
    }
  }

  // Makes a server or a socket in the accumulator, adds its listeners and stores it. The loop emits its events later.
  void network(const Step& step) {
    const bool is_server = step.verb == Verb::listen;
    const Argument* half_open = step.find(Key::half_open);
    const bool is_half_open = half_open != nullptr && std::get<Value>(*half_open).boolean;
    emit(is_server ? Op::listen : Op::connect, is_half_open ? 1 : 0, 0, operand(std::get<Value>(step.argument)),
         label(label_of(step)));
    add_listeners(step);
    store_result(step);
  }

  // The same for a child process.
  void spawn(const Step& step) {
    SpawnPlan plan;
    const Argument* takes = step.find(Key::takes);
    plan.duration = duration(takes == nullptr ? Duration{} : *std::get<const Duration*>(*takes));
    if (const Argument* code = step.find(Key::code)) plan.code = operand(std::get<Value>(*code));
    plan.command = string(std::get<std::string_view>(step.argument));
    plan.is_missing = step.find(Key::error) != nullptr;
    program_->spawns.push_back(plan);
    emit(Op::spawn, 0, 0, static_cast<std::uint32_t>(program_->spawns.size() - 1), label(label_of(step)));
    add_listeners(step);
    store_result(step);
  }

  std::uint32_t callback_site(const Step& step, Api api) {
    const Callback* callback = callback_of(step, Key::do_);
    return callback == nullptr ? kNone : site(step, callback, api);
  }

  void write(const Step& step) {
    const Op op = step.verb == Verb::write ? Op::write : Op::end;
    const std::uint32_t callback = callback_site(step, op == Op::write ? Api::write : Api::end);
    if (const Argument* bytes = step.find(Key::bytes)) {
      emit_method(op, step, 1, 0, static_cast<std::uint32_t>(std::get<Value>(*bytes).number), callback);
      return;
    }
    const Argument* data = step.find(Key::data);
    emit_method(op, step, 0, 0, data == nullptr ? kNone : operand(std::get<Value>(*data)), callback);
  }

  std::uint32_t work(const Step& step) {
    WorkPlan plan;
    plan.operation = label(std::get<std::string_view>(step.argument));
    std::vector<std::uint32_t> times;
    if (const Argument* takes = step.find(Key::takes)) {
      if (const auto* each = std::get_if<RequestTimes>(takes)) {
        for (const Duration* time : each->each) times.push_back(duration(*time));
      } else {
        times.push_back(duration(*std::get<const Duration*>(*takes)));
      }
    } else if (const Argument* cpu = step.find(Key::cpu)) {
      times.push_back(duration(*std::get<const Duration*>(*cpu)));
    } else {
      // Without `takes` or `cpu`, every request is made and takes no time.
      const std::size_t requests =
          step.verb == Verb::fs ? file_requests(std::get<std::string_view>(step.argument)).names.size() : 1;
      for (std::size_t i = 0; i < requests; ++i) times.push_back(duration({}));
    }
    plan.first_duration = static_cast<std::uint32_t>(program_->work_durations.size());
    plan.requests = static_cast<std::uint32_t>(times.size());
    program_->work_durations.insert(program_->work_durations.end(), times.begin(), times.end());
    const auto requests = file_requests(std::get<std::string_view>(step.argument)).names;
    for (std::size_t i = 0; i < times.size(); ++i) {
      program_->request_names.push_back(times.size() == requests.size() ? label(requests[i]) : plan.operation);
    }
    if (const Argument* error = step.find(Key::error)) plan.error = string(std::get<std::string_view>(*error));
    Api api = Api::fs;
    if (step.verb == Verb::dns) {
      api = Api::dns;
      plan.network = std::get<std::string_view>(step.argument) == "resolve";
      plan.slow = !plan.network;
    } else if (step.verb == Verb::crypto || step.verb == Verb::zlib) {
      api = step.verb == Verb::crypto ? Api::crypto : Api::zlib;
      plan.needs_cpu = true;
    }
    plan.site = site(step, callback_of(step, Key::do_), api);
    program_->works.push_back(plan);
    return static_cast<std::uint32_t>(program_->works.size() - 1);
  }

  // ---- steps that make promises -------------------------------------------------------------------------------------------

  void promise_statement(const Step& step) {
    promise_step(step);
    tell_promise(step);
    store_result(step);
  }
  // A promise with a name, but no variable.
  void tell_promise(const Step& step) {
    if (tells_ && destination(step) == kNone && !label_of(step).empty()) emit(Op::tell_promise);
  }

  void settle(const Step& step) {
    const std::uint32_t promise = settled(std::get<Name>(step.argument));
    if (step.verb == Verb::resolve) {
      const Argument* with = step.find(Key::with);
      emit(Op::resolve, 0, 0, promise, with == nullptr ? constant_undefined() : single(*with));
      return;
    }
    const Argument* error = step.find(Key::error);
    const bool text = error != nullptr && becomes_error(std::get<Value>(*error));
    emit(Op::reject, 0, text ? 1 : 0, promise,
         error == nullptr ? constant_undefined() : operand(std::get<Value>(*error)));
  }

  // The meaning of a JSON null as an awaitable.
  enum class Nothing { promise, undefined, null };  // Promise.resolve(), or its value undefined; `await null`

  // Leaves the promise (or value) in the accumulator.
  void awaitable(const Awaitable& what, Nothing nothing) {
    switch (what.kind) {
      case Awaitable::Kind::none:
        if (nothing == Nothing::promise) emit(Op::resolved_promise);
        if (nothing == Nothing::undefined) emit(Op::load, 0, 0, constant_undefined());
        if (nothing == Nothing::null) emit(Op::load, 0, 0, constant({Constant::Kind::null, 0, 0}));
        return;
      case Awaitable::Kind::name: emit(Op::load, 0, 0, variable(*what.name)); return;
      case Awaitable::Kind::step: promise_step(*what.step); return;
    }
  }

  void promise_step(const Step& step) {
    switch (step.verb) {
      case Verb::then: return then(step);
      case Verb::resolved:
        emit(Op::promise_resolve, 0, 0, operand(std::get<Value>(step.argument)), label(label_of(step)));
        return;
      case Verb::rejected: {
        const Value& reason = std::get<Value>(step.argument);
        emit(Op::promise_reject, 0, becomes_error(reason) ? 1 : 0, operand(reason), label(label_of(step)));
        return;
      }
      case Verb::all: return combine(step, Combinator::all);
      case Verb::all_settled: return combine(step, Combinator::all_settled);
      case Verb::any: return combine(step, Combinator::any);
      case Verb::race: return combine(step, Combinator::race);
      case Verb::async:
      case Verb::call: {
        const std::span<const Value> values = arguments(step);
        const std::uint32_t first = operand_list(values);
        emit(Op::call, argument_count(values), 0, function(std::get<Callback>(step.argument)), first,
             label(label_of(step)));
        tell_scope(ScopeStep::back);
        return;
      }
      case Verb::set_timeout:
        emit(Op::timer_promise, 0, 0, delay(step.argument), site(step, nullptr, Api::set_timeout));
        return;
      case Verb::set_immediate: emit(Op::immediate_promise, 0, 0, 0, site(step, nullptr, Api::set_immediate)); return;
      case Verb::fs:
      case Verb::dns:
      case Verb::crypto:
      case Verb::zlib: emit(Op::work_promise, 0, 0, work(step)); return;
      default: emit(Op::load, 0, 0, constant_undefined()); return;
    }
  }

  void then(const Step& step) {
    const auto& what = std::get<Awaitable>(step.argument);
    awaitable(what, Nothing::promise);
    const std::uint32_t first = here();
    const Callback* fulfilled = callback_of(step, Key::do_);
    const Callback* rejected = callback_of(step, Key::rejected);
    const Callback* caught = callback_of(step, Key::catch_);
    const Callback* finally = callback_of(step, Key::finally_);
    if (fulfilled != nullptr || rejected != nullptr || (caught == nullptr && finally == nullptr)) {
      emit_then(promise_label(step, caught == nullptr && finally == nullptr),
                fulfilled == nullptr ? kNone : site(step, fulfilled, Api::then),
                rejected == nullptr ? kNone : site(step, rejected, Api::then, Key::rejected));
    }
    if (caught != nullptr) {
      emit_then(promise_label(step, finally == nullptr), kNone, site(step, caught, Api::catch_, Key::catch_));
    }
    if (finally != nullptr) {
      emit(Op::finally_, 0, 0, promise_label(step, true), site(step, finally, Api::finally_, Key::finally_));
    }
    if (what.kind == Awaitable::Kind::name) program_->receivers.push_back({first, string(what.name->text)});
  }
  // Promise.resolve().then(...) is one instruction: the first promise is not visible.
  void emit_then(std::uint32_t label, std::uint32_t fulfilled, std::uint32_t rejected) {
    Instruction& before = program_->code.back();
    if (before.op == Op::resolved_promise)
      before = {Op::resolved_then, 0, 0, label, fulfilled, rejected};
    else
      emit(Op::then, 0, 0, label, fulfilled, rejected);
  }
  std::uint32_t promise_label(const Step& step, bool last) { return last ? label(label_of(step)) : kNoName; }

  void combine(const Step& step, Combinator kind) {
    const std::uint32_t slot = new_slot();
    emit(Op::list_begin, 0, 0, slot);
    for (const Awaitable& item : std::get<List<Awaitable>>(step.argument)) {
      awaitable(item, Nothing::undefined);
      emit(Op::list_append, 0, 0, slot);
    }
    emit(Op::combine, static_cast<std::uint8_t>(kind), 0, slot, label(label_of(step)));
  }

  const Scenario& scenario_;
  std::shared_ptr<Program> program_;
  bool tells_ = false;        // CompileOptions::steps
  std::vector<Place> slots_;  // by declaration
  std::vector<bool> compiled_;
  std::vector<Work> work_;
  std::deque<std::vector<std::uint32_t>> chains_;     // ids of the scopes around bodies, outermost first
  std::array<std::uint32_t, 127> fixed_durations_{};  // a cache by length: index + 1
  std::vector<std::uint32_t> numbers_ = std::vector<std::uint32_t>(1024, kNone);  // a cache by whole part: operands
  std::vector<std::uint32_t> delays_ = std::vector<std::uint32_t>(1024, kNone);   // a cache: indices
  TextTable strings_;
  TextTable labels_;
  std::uint32_t constant_undefined_ = kNone;
  std::uint32_t next_scope_ = 0;
  std::vector<std::uint32_t> main_chain_;  // the locals that functions see: those of main's outermost block

  struct Executor {
    DeclarationIndex promise;
    std::uint32_t scope;
  };
  std::unordered_map<BodyIndex, Executor> executors_;  // lookup only, never iterated

  // State of the body being compiled.
  BodyIndex body_ = 0;
  std::vector<std::uint32_t> chain_;
  std::vector<Scope> scopes_;  // those of this body
  std::vector<Finally> finally_;
  std::vector<Handler> handlers_;
  std::uint32_t depth_ = 0;  // scopes pushed inside this body
  StepPosition position_;
  NodeIndex node_ = kNone;  // the current or last step
  Diagnostics diagnostics_;
};

}  // namespace

CompileResult compile(const Scenario& scenario) { return compile(scenario, {}); }
CompileResult compile(const Scenario& scenario, const CompileOptions& options) {
  return Compiler(scenario, options).compile();
}

}  // namespace loopsim
