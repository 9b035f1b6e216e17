// Exports a scenario as a script of Node or of a page, as a person would write it. Each step becomes a statement; the helpers in use
// are prepended at the end.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"

#include "sim/scenario/javascript_helpers.hpp"
#include "sim/scenario/javascript_marks.hpp"
#include "sim/scenario/javascript_text.hpp"

namespace loopsim {
namespace {

using javascript::Helper;
using javascript::Helpers;
using javascript::js_quoted;
using javascript::Marks;
using javascript::milliseconds;
using javascript::template_part;

// The uses of a variable in the whole scenario, for choices that a single step cannot make.
struct Usage {
  bool holds_timeout = false, holds_interval = false, holds_immediate = false;  // made by setTimeout ...
  bool holds_frame = false, holds_idle = false;                                 // requestAnimationFrame ...
  bool holds_other = false;
  bool is_resolved_outside = false;  // by a resolve or reject outside its executor
  bool is_made_by_promise = false;
};

// ---- survey of the scenario -----------------------------------------------------------------------------------------

class Survey {
 public:
  explicit Survey(const Scenario& scenario) : scenario_(scenario), usage_(scenario.declarations.size()) {
    for (BodyIndex body = 0; body < scenario.bodies.size(); ++body) {
      const Body::Kind kind = scenario.bodies[body].kind;
      if (kind == Body::Kind::main || kind == Body::Kind::function) walk(scenario.bodies[body].steps);
    }
    for (const Usage& usage : usage_)
      is_alias_resolved_ = is_alias_resolved_ || (usage.is_resolved_outside && !usage.is_made_by_promise);
  }

  [[nodiscard]] const Usage& of(const Name& name) const {
    static const Usage kNothing;
    return name.is_declared() ? usage_[name.declaration] : kNothing;
  }
  [[nodiscard]] bool has_immediates() const { return has_immediates_; }
  [[nodiscard]] bool hears_data() const { return hears_data_; }  // some listener of 'data' is added
  // Whether the promise must carry its resolve and reject.
  [[nodiscard]] bool needs_deferred(const Name& name) const {
    return of(name).is_resolved_outside || is_alias_resolved_;
  }
  // Whether a thrown value, the reason of a rejection or the variable of a catch block may be something else than an
  // Error.
  [[nodiscard]] bool throws_others() const { return throws_others_; }

 private:
  void walk(const Block& block) {
    for (const Step& step : block) walk(step);
  }

  void walk(const Step& step) {
    note(step);
    const bool is_executor = step.verb == Verb::promise;
    if (is_executor) executors_.push_back(std::get<Name>(step.argument).declaration);
    walk_argument(step.argument);
    for (const Option& option : step.options) walk_argument(option.value);
    if (is_executor) executors_.pop_back();
  }

  void walk_argument(const Argument& argument) {
    if (const auto* callback = std::get_if<Callback>(&argument); callback != nullptr && !callback->by_name) {
      walk(scenario_.bodies[callback->body].steps);
    }
    if (const auto* listeners = std::get_if<List<EventListener>>(&argument)) {
      for (const EventListener& listener : *listeners) {
        hears_data_ = hears_data_ || listener.event == "data";
        if (!listener.callback.by_name) walk(scenario_.bodies[listener.callback.body].steps);
      }
    }
    if (const auto* block = std::get_if<Block>(&argument)) walk(*block);
    if (const auto* awaitable = std::get_if<Awaitable>(&argument)) walk(*awaitable);
    if (const auto* awaitables = std::get_if<List<Awaitable>>(&argument)) {
      for (const Awaitable& awaitable : *awaitables) walk(awaitable);
    }
  }
  void walk(const Awaitable& awaitable) {
    if (const Step* const step = awaitable.made_by()) walk(*step);
  }

  void note(const Step& step) {
    if (step.verb == Verb::on || step.verb == Verb::once) {
      const auto* event = std::get_if<std::string_view>(step.find(Key::event));
      hears_data_ = hears_data_ || (event != nullptr && *event == "data");
    }
    if (step.verb == Verb::let || step.verb == Verb::set || step.verb == Verb::add) {
      for (const Assignment& assignment : std::get<List<Assignment>>(step.argument)) {
        if (assignment.value.kind == Value::Kind::variable) usage(assignment.target).holds_other = true;
        throws_others_ |= is_caught(assignment.target) && !is_error(assignment.value);
      }
    }
    if (const Argument* as = step.find(Key::as)) {
      if (const auto* name = std::get_if<Name>(as)) {
        usage(*name).holds_timeout |= step.verb == Verb::set_timeout;
        usage(*name).holds_interval |= step.verb == Verb::set_interval;
        usage(*name).holds_immediate |= step.verb == Verb::set_immediate;
        usage(*name).holds_frame |= step.verb == Verb::request_animation_frame;
        usage(*name).holds_idle |= step.verb == Verb::request_idle_callback;
        usage(*name).holds_other |= step.verb == Verb::call || step.verb == Verb::await;
      }
    }
    has_immediates_ |= step.verb == Verb::set_immediate;
    if (step.verb == Verb::promise) usage(std::get<Name>(step.argument)).is_made_by_promise = true;
    if (step.verb == Verb::throw_ || step.verb == Verb::rejected)
      throws_others_ |= !is_error(std::get<Value>(step.argument));
    if (step.verb == Verb::reject) {
      const Argument* const error = step.find(Key::error);
      throws_others_ |= error == nullptr || !is_error(std::get<Value>(*error));
    }
    if (step.verb == Verb::resolve || step.verb == Verb::reject) {
      const Name& name = std::get<Name>(step.argument);
      if (std::find(executors_.begin(), executors_.end(), name.declaration) == executors_.end()) {
        usage(name).is_resolved_outside = true;
      }
    }
  }

  [[nodiscard]] bool is_caught(const Name& name) const {
    return name.is_declared() && scenario_.declarations[name.declaration].kind == Declaration::Kind::caught;
  }

  // Certain to be an Error: a new one, or one that was caught, if nothing else is ever thrown.
  [[nodiscard]] bool is_error(const Value& value) const {
    if (value.kind == Value::Kind::error) return true;
    return value.kind == Value::Kind::variable && is_caught(*value.variable);
  }

  Usage& usage(const Name& name) { return usage_[name.declaration]; }

  const Scenario& scenario_;
  std::vector<Usage> usage_;
  std::vector<DeclarationIndex> executors_;  // promises whose executors are being walked
  bool has_immediates_ = false;
  bool hears_data_ = false;
  bool is_alias_resolved_ = false;
  bool throws_others_ = false;
};

bool is_of_page(const Scenario& scenario) {
  const Profile* const profile = find_profile(scenario.runtime.profile);
  return profile != nullptr && profile->family == Family::browser;
}

// ---- writing ------------------------------------------------------------------------------------------------------------------

class Writer {
 public:
  // With `marks`, every part of the script is written between marks, which Marks::take() removes.
  Writer(const Scenario& scenario, const JavaScriptOptions& options, Marks* marks = nullptr)
      : scenario_(scenario),
        options_(options),
        marks_(marks),
        survey_(scenario),
        helpers_(scenario, options),
        is_page_(is_of_page(scenario)) {}

  std::string script() {
    if (options_.instrumented) {
      helpers_.use(Helper::trace);
      const Profile* profile = find_profile(scenario_.runtime.profile);
      if (profile != nullptr && profile->timer_model == TimerModel::handle_per_list) helpers_.use(Helper::busy_wait);
    }
    if (scenario_.runtime.delay_resolution != 0) helpers_.use(Helper::loop_delay);
    const std::string functions = all_functions();
    std::string main;
    if (options_.instrumented) main += trace_line("main");
    main += marked(scenario_.bodies[0], "main", body_block(scenario_.bodies[0]));

    const std::string outside = is_page_ ? std::string() : inputs();
    std::string out = comment();
    if (scenario_.runtime.entry == EntryPoint::commonjs) out += "'use strict';\n";
    append_section(out, helpers_.text());
    append_section(out, outside);
    append_section(out, globals());
    append_section(out, functions);
    append_section(out, main);
    return out;
  }

 private:
  // An executor around the current statement, and the names of its functions.
  struct Executor {
    DeclarationIndex promise;
    std::string resolve, reject;
    bool uses_resolve = false, uses_reject = false;
  };

  static void append_section(std::string& out, const std::string& section) {
    if (section.empty()) return;
    if (!out.empty()) out += '\n';
    out += section;
  }

  [[nodiscard]] std::string indent() const { return std::string(2 * depth_, ' '); }

  // ---- the script's parts ----

  [[nodiscard]] std::string comment() const {
    std::string out;
    const auto line = [&](std::string_view text) {
      out += text.empty() ? std::string("//\n") : fmt::format("// {}\n", one_line(text));
    };
    if (!scenario_.title.empty()) line(scenario_.title);
    if (!scenario_.description.empty()) {
      if (!out.empty()) line("");
      for (const std::string& text : scenario_.description) line(text);
    }
    if (!scenario_.source.empty()) {
      if (!out.empty()) line("");
      line("Source: " + scenario_.source);
    }
    const RuntimeChoice& runtime = scenario_.runtime;
    std::vector<std::string> notes;
    if (is_page_) {
      notes.emplace_back(runtime.entry == EntryPoint::module ? "A module of a page." : "A script of a page.");
      if (!scenario_.page->document.empty())
        notes.push_back("Its body: " + scenario_.page->document.substr(0, scenario_.page->document.size() - 1));
      if (!scenario_.page->answers.empty()) notes.emplace_back("The scenario's answers are not part of this script.");
      if (!scenario_.inputs.empty()) notes.emplace_back("What the user does (inputs) is not part of this script.");
    } else if (runtime.entry == EntryPoint::module) {
      notes.emplace_back("An ES module: save it as .mjs.");
    }
    if (runtime.threadpool != 4) notes.push_back(fmt::format("Run it with UV_THREADPOOL_SIZE={}.", runtime.threadpool));
    if (scenario_.machine.name != "ideal") notes.emplace_back("The scenario's machine is not part of this script.");
    if (has_arrivals()) notes.emplace_back("The scenario's arrival processes (inputs) are not part of this script.");
    if (uses_network_)
      notes.emplace_back("dns.resolve asks the network, not the thread pool; here work on the pool stands for it.");
    if (!notes.empty() && !out.empty()) line("");
    for (const std::string& note : notes) line(note);
    return out;
  }

  static std::string one_line(std::string_view text) {
    std::string out(text);
    std::replace_if(
        out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return out;
  }

  // Declares the global variables and marks that the script uses.
  [[nodiscard]] std::string globals() const {
    constexpr std::size_t kWidth = 100;
    std::string out;
    std::string line;
    for (DeclarationIndex i = 0; i < scenario_.declarations.size(); ++i) {
      const Declaration& declaration = scenario_.declarations[i];
      const bool is_global =
          declaration.kind == Declaration::Kind::global || declaration.kind == Declaration::Kind::mark;
      if (!is_global || !globals_.contains(i)) continue;
      if (line.size() + declaration.name.size() > kWidth) {
        out += line + ";\n";
        line.clear();
      }
      line.append(line.empty() ? "let " : ", ").append(declaration.name);
    }
    if (!line.empty()) out += line + ";\n";
    return out;
  }

  std::string all_functions() {
    std::string out;
    for (const auto& [name, index] : scenario_.functions) {
      if (!out.empty()) out += '\n';
      const Body& body = scenario_.bodies[index];
      out += marked(body, name,
                    fmt::format("{}function {}({}) {{\n{}}}\n", body.is_async ? "async " : "", name, parameters(body),
                                inner_body(body)));
    }
    return out;
  }

  // ---- blocks and callbacks ----

  std::string body_block(const Body& body) {
    const Body* outer = std::exchange(body_, &body);
    std::string out = block(body.steps);
    body_ = outer;
    return out;
  }
  std::string inner_body(const Body& body) {
    ++depth_;
    std::string out = body_block(body);
    --depth_;
    return out;
  }

  // The JavaScript of a part of the document, between marks if there are any.
  std::string marked(const Step& step, const std::string& text) {
    return marks_ == nullptr ? text : marks_->put(step, text);
  }
  std::string marked(const Body& body, std::string_view label, const std::string& text) {
    return marks_ == nullptr ? text : marks_->put(body, label, text);
  }

  std::string block(const Block& steps) {
    std::string out;
    for (const Step& step : steps) out += marked(step, statement(step));
    return out;
  }
  std::string inner_block(const Block& steps) {
    ++depth_;
    std::string out = block(steps);
    --depth_;
    return out;
  }

  [[nodiscard]] std::string parameters(const Body& body) const {
    std::vector<std::string_view> names;
    for (const DeclarationIndex parameter : body.parameters) names.push_back(scenario_.declarations[parameter].name);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  std::string traced(std::string_view label) {
    return fmt::format("{}({})", helpers_.use(Helper::trace), js_quoted(label));
  }
  std::string trace_line(std::string_view label) { return line(traced(label)); }

  static std::string arrow_head(const Body& body, std::string_view parameters) {
    const bool is_bare = !parameters.empty() && parameters.find(',') == std::string_view::npos;
    return fmt::format("{}{} =>", body.is_async ? "async " : "",
                       is_bare ? std::string(parameters) : fmt::format("({})", parameters));
  }

  // A callback as an expression.
  std::string callback(const Step& step, Key key, const Callback& given) {
    const Body& body = scenario_.bodies[given.body];
    const bool has_label = options_.instrumented || marks_ != nullptr;
    const std::string label = has_label ? callback_label(scenario_, step, key) : std::string();
    if (given.by_name) {
      if (marks_ != nullptr) marks_->note_run(body, label);
      if (options_.named) return named_call(body, label, parameters(body), parameters(body));
      if (!options_.instrumented) return std::string(body.name);
      return traced_call(body, label);
    }
    return named(label, marked(body, label, arrow(body, parameters(body), label)));
  }

  // A function under its name of the trace.
  std::string named(std::string_view label, const std::string& function) {
    if (!options_.named) return function;
    return fmt::format("{}({}, {})", helpers_.use(Helper::named), js_quoted(label), function);
  }
  // `list`: the parameters of the function around the named one.
  std::string named_call(const Body& body, std::string_view label, std::string_view list, std::string_view arguments) {
    return named(label, fmt::format("({}) => {}({})", list, body.name, arguments));
  }

  // A function that traces the callback and calls a named function.
  std::string traced_call(const Body& body, std::string_view label) {
    const std::string list = parameters(body);
    const bool is_bare = !list.empty() && list.find(',') == std::string::npos;
    return fmt::format("{} => {{ {}; return {}({}); }}", is_bare ? list : "(" + list + ")", traced(label), body.name,
                       list);
  }

  // Without a label, its runs are not callbacks: it is called in place.
  std::string arrow(const Body& body, const std::string& list, std::optional<std::string_view> label) {
    constexpr std::size_t kWidth = 100;
    const std::string head = arrow_head(body, list);
    const bool is_log = body.steps.size() == 1 && body.steps[0].verb == Verb::log;
    if (!options_.instrumented && is_log && !body.is_async) {
      const std::string call = log(body.steps[0]);
      if (head.size() + 1 + call.size() + 2 * depth_ < kWidth)
        return fmt::format("{} {}", head, marked(body.steps[0], call));
    }
    std::string steps;
    if (options_.instrumented && label) {
      ++depth_;
      steps += trace_line(*label);
      --depth_;
    }
    steps += inner_body(body);
    return steps.empty() ? head + " {}" : fmt::format("{} {{\n{}{}}}", head, steps, indent());
  }

  // ---- names and values ----

  std::string variable(const Name& name) {
    if (name.is_process()) return "process";
    if (name.is_undefined()) return "undefined";
    if (name.is_declared()) globals_.insert(name.declaration);
    return std::string(name.text);
  }

  [[nodiscard]] bool is_read(const Name& name) const {
    if (!name.is_declared()) return false;
    const Declaration& declaration = scenario_.declarations[name.declaration];
    return declaration.is_used || declaration.kind != Declaration::Kind::global;
  }

  // A field of a value that may be null (the error of a successful operation). The error of a catch block has no guard
  // where nothing but Errors is thrown.
  std::string field(const Name& name, std::string_view field) {
    const std::string object = variable(name);
    const bool is_error = name.is_declared() && !survey_.throws_others() &&
                          scenario_.declarations[name.declaration].kind == Declaration::Kind::caught;
    return is_error ? fmt::format("${{{}.{}}}", object, field) : fmt::format("${{{0} && {0}.{1}}}", object, field);
  }

  std::string text(const List<TextPart>& parts) {
    if (parts.empty()) return "''";
    if (parts.size() == 1 && parts[0].kind == TextPart::Kind::text) return js_quoted(parts[0].text());
    std::string out = "`";
    for (const TextPart& part : parts) {
      switch (part.kind) {
        case TextPart::Kind::text: out += template_part(part.text()); break;
        case TextPart::Kind::variable: out += fmt::format("${{{}}}", variable(part.name)); break;
        case TextPart::Kind::message: out += field(part.name, "message"); break;
        case TextPart::Kind::code: out += field(part.name, "code"); break;
        case TextPart::Kind::now: out += fmt::format("${{Date.now() - {}}}", helpers_.use(Helper::start)); break;
        case TextPart::Kind::since: out += fmt::format("${{Date.now() - {}}}", variable(part.name)); break;
      }
    }
    return out + '`';
  }

  std::string value(const Value& given) {
    switch (given.kind) {
      case Value::Kind::undefined: return "undefined";
      case Value::Kind::null: return "null";
      case Value::Kind::boolean: return given.boolean ? "true" : "false";
      case Value::Kind::number: return javascript::number(given.number);
      case Value::Kind::text: return text(given.parts);
      case Value::Kind::variable: return variable(*given.variable);
      case Value::Kind::error: break;
    }
    std::string made = fmt::format("new {}({})", given.error->name, text(given.error->message));
    if (given.error->code.empty()) return made;
    return fmt::format("Object.assign({}, {{ code: {} }})", made, js_quoted(given.error->code));
  }

  std::string values(const List<Value>& given) {
    std::vector<std::string> list;
    for (const Value& item : given) list.push_back(value(item));
    return fmt::format("{}", fmt::join(list, ", "));
  }

  std::string duration(const Duration& given) {
    static constexpr std::array<std::string_view, 8> kKinds = {"",          "uniform", "exponential", "normal",
                                                               "lognormal", "pareto",  "choice",      "sequence"};
    if (given.kind == Duration::Kind::fixed) return milliseconds(given.a);
    std::string arguments;
    switch (given.kind) {
      case Duration::Kind::uniform:
      case Duration::Kind::normal: arguments = milliseconds(given.a) + ", " + milliseconds(given.b); break;
      case Duration::Kind::lognormal:
      case Duration::Kind::pareto: arguments = milliseconds(given.a) + ", " + javascript::number(given.shape); break;
      case Duration::Kind::choice:
      case Duration::Kind::sequence: {
        std::vector<std::string> list;
        for (const TimeNs item : given.values) list.push_back(milliseconds(item));
        arguments = fmt::format("[{}]", fmt::join(list, ", "));
        break;
      }
      default: arguments = milliseconds(given.a); break;
    }
    return fmt::format("{}({}, '{}', {})", helpers_.use(Helper::draw), given.stream,
                       kKinds.at(static_cast<std::size_t>(given.kind)), arguments);
  }

  std::string delay(const Step& step) {
    if (const auto* fixed = std::get_if<Value>(&step.argument)) return value(*fixed);
    return duration(*std::get<const Duration*>(step.argument));
  }

  // ", a, b" for the arguments of `with`.
  std::string further_arguments(const Step& step) {
    const Argument* with = step.find(Key::with);
    if (with == nullptr) return {};
    const std::string list = values(std::get<List<Value>>(*with));
    return list.empty() ? list : ", " + list;
  }
  std::string arguments(const Step& step) {
    const std::string list = further_arguments(step);
    return list.empty() ? list : list.substr(2);
  }

  // ---- statements ----

  std::string line(std::string_view code) const { return fmt::format("{}{};\n", indent(), code); }

  // A call; its result is assigned to the name of the step, if anything reads that.
  std::string assignment(const Step& step, const std::string& call) {
    const Argument* as = step.find(Key::as);
    const auto* name = as == nullptr ? nullptr : std::get_if<Name>(as);
    if (name == nullptr || !is_read(*name)) return line(call);
    return line(fmt::format("{} = {}", variable(*name), call));
  }

  const Name& name_of(const Step& step) const { return std::get<Name>(step.argument); }

  std::string statement(const Step& step) {
    switch (step.verb) {
      case Verb::log: return line(log(step));
      case Verb::mark: return line(fmt::format("{} = Date.now()", variable(name_of(step))));
      case Verb::cpu:
        return line(fmt::format("{}({})", helpers_.use(is_page_ ? Helper::page_cpu : Helper::cpu),
                                duration(*std::get<const Duration*>(step.argument))));
      case Verb::spin:
        return line(fmt::format("{}({})", helpers_.use(is_page_ ? Helper::page_spin : Helper::spin),
                                duration(*std::get<const Duration*>(step.argument))));
      case Verb::let: return assignments(step, "let ", " = ");
      case Verb::set: return assignments(step, "", " = ");
      case Verb::add: return assignments(step, "", " += ");
      case Verb::if_: return if_statement(step);
      case Verb::repeat: return repeat_statement(step);
      case Verb::throw_: return line("throw " + value(std::get<Value>(step.argument)));
      case Verb::try_: return try_statement(step);
      case Verb::return_: return return_statement(step);
      case Verb::set_timeout:
      case Verb::set_interval:
      case Verb::set_immediate: return assignment(step, timer(step));
      case Verb::clear: return clear_statement(step);
      case Verb::refresh:
      case Verb::ref:
      case Verb::unref: return line(fmt::format("{}.{}()", variable(name_of(step)), info(step.verb).name));
      case Verb::has_ref: return assignment(step, variable(name_of(step)) + ".hasRef()");
      case Verb::next_tick: return line("process.nextTick(" + own_callback(step) + further_arguments(step) + ")");
      case Verb::queue_microtask: return line("queueMicrotask(" + own_callback(step) + ")");
      case Verb::promise: return promise_statement(step);
      case Verb::resolve:
      case Verb::reject: return settle_statement(step);
      case Verb::call:
      case Verb::resolved:
      case Verb::rejected:
      case Verb::then:
      case Verb::all:
      case Verb::all_settled:
      case Verb::any:
      case Verb::race:
      case Verb::async: return assignment(step, promise(step));
      case Verb::await: return await_statement(step);
      case Verb::fs:
      case Verb::dns:
      case Verb::crypto:
      case Verb::zlib: return line(work(step, callback(step, Key::do_, std::get<Callback>(*step.find(Key::do_)))));
      case Verb::spawn: return spawn_statement(step);
      case Verb::kill: return kill_statement(step);
      case Verb::listen:
      case Verb::connect: return network_statement(step);
      case Verb::close:
      case Verb::write:
      case Verb::end:
      case Verb::pause:
      case Verb::resume:
      case Verb::destroy:
        return line(fmt::format("{}.{}({})", variable(name_of(step)), info(step.verb).name, network_arguments(step)));
      case Verb::emitter: helpers_.use_emitter(); return line(variable(name_of(step)) + " = new EventEmitter()");
      case Verb::on:
      case Verb::once: return listen_statement(step);
      case Verb::off:
        return line(fmt::format("{}.removeListener({}, {})", variable(name_of(step)), event(step),
                                scenario_.bodies[std::get<Callback>(*step.find(Key::do_)).body].name));
      case Verb::emit:
        return line(fmt::format("{}.emit({}{})", variable(name_of(step)), event(step), further_arguments(step)));
      case Verb::exit: {
        const auto& code = std::get<Value>(step.argument);
        return line(fmt::format("process.exit({})", code.kind == Value::Kind::null ? "" : value(code)));
      }
      case Verb::exit_code: {
        const auto& code = std::get<Value>(step.argument);
        return line("process.exitCode = " + (code.kind == Value::Kind::null ? std::string("undefined") : value(code)));
      }
      default: return page_statement(step);
    }
  }

  // A single variable becomes a template, too: console.log prints an error with its stack, unlike the simulator.
  std::string log(const Step& step) {
    const auto& given = std::get<List<Value>>(step.argument);
    const std::string_view function =
        options_.instrumented ? std::string_view(helpers_.use(Helper::output)) : "console.log";
    const auto is_plain = [](const Value& item) {
      return item.kind != Value::Kind::variable && item.kind != Value::Kind::error;
    };
    // With several values, console.log takes the first as a format.
    const bool is_format = given.size() > 1 && given[0].kind == Value::Kind::text && contains_percent(given[0]);
    const bool all_plain = std::all_of(given.begin(), given.end(), is_plain);
    if (given.size() == 1 && is_plain(given[0])) return fmt::format("{}({})", function, value(given[0]));
    if (given.empty()) return fmt::format("{}({})", function, options_.instrumented ? "''" : "");
    if (all_plain && !is_format && !options_.instrumented) return fmt::format("{}({})", function, values(given));
    std::string out = "`";
    for (const Value& item : given) {
      if (out.size() > 1) out += ' ';
      if (item.kind == Value::Kind::text) {
        const std::string inner = text(item.parts);
        out += inner.front() == '`' ? inner.substr(1, inner.size() - 2)
                                    : template_part(item.parts.empty() ? "" : item.parts[0].text());
      } else {
        out += fmt::format("${{{}}}", value(item));
      }
    }
    return fmt::format("{}({}`)", function, out);
  }

  static bool contains_percent(const Value& given) {
    return std::any_of(given.parts.begin(), given.parts.end(), [](const TextPart& part) {
      return part.kind != TextPart::Kind::text || part.text().find('%') != std::string_view::npos;
    });
  }

  std::string assignments(const Step& step, std::string_view before, std::string_view operation) {
    std::string out;
    for (const Assignment& given : std::get<List<Assignment>>(step.argument)) {
      const std::string right = value(given.value);
      out += line(fmt::format("{}{}{}{}", before, variable(given.target), operation, right));
    }
    return out;
  }

  std::string braces(const Block& steps) { return fmt::format("{{\n{}{}}}", inner_block(steps), indent()); }

  std::string if_statement(const Step& step) {
    static constexpr std::array<std::string_view, 7> kOperators = {"", "<", "<=", ">", ">=", "===", "!=="};
    const auto& condition = *std::get<Condition*>(step.argument);
    std::string test = variable(condition.left);
    if (condition.left.is_undefined()) {  // a constant, from a param
      test = condition.op == Condition::Operator::equal ? "true" : "false";
    } else if (condition.op != Condition::Operator::truthy) {
      test += fmt::format(" {} {}", kOperators.at(static_cast<std::size_t>(condition.op)), value(condition.right));
    }
    std::string out = fmt::format("{}if ({}) {}", indent(), test, braces(std::get<Block>(*step.find(Key::then))));
    if (const Argument* other = step.find(Key::else_)) out += " else " + braces(std::get<Block>(*other));
    return out + '\n';
  }

  std::string repeat_statement(const Step& step) {
    const Argument* as = step.find(Key::as);
    const std::string counter = as != nullptr ? variable(std::get<Name>(*as)) : loop_counter();
    const std::string count = value(std::get<Value>(step.argument));
    ++loops_;
    std::string out = fmt::format("{}for (let {} = 0; {} < {}; {}++) {}\n", indent(), counter, counter, count, counter,
                                  braces(std::get<Block>(*step.find(Key::do_))));
    --loops_;
    return out;
  }

  // The counter of a loop without `as`: i, j, k ... by nesting.
  std::string loop_counter() {
    while (counters_.size() <= loops_)
      counters_.push_back(helpers_.fresh(std::string(1, static_cast<char>('i' + counters_.size() % 15))));
    return counters_[loops_];
  }

  std::string try_statement(const Step& step) {
    std::string out = indent() + "try " + braces(std::get<Block>(step.argument));
    if (const Argument* caught = step.find(Key::catch_)) {
      const auto& steps = std::get<Block>(*caught);
      out += fmt::format(" catch ({}) {}", declares_error(steps) ? helpers_.fresh("caught") : "error", braces(steps));
    }
    if (const Argument* always = step.find(Key::finally_)) out += " finally " + braces(std::get<Block>(*always));
    return out + '\n';
  }

  // A catch block that declares a variable `error` cannot have it as its parameter.
  static bool declares_error(const Block& steps) {
    return std::any_of(steps.begin(), steps.end(), [](const Step& step) {
      if (step.verb != Verb::let) return false;
      const auto& given = std::get<List<Assignment>>(step.argument);
      return std::any_of(given.begin(), given.end(),
                         [](const Assignment& item) { return item.target.text == "error"; });
    });
  }

  std::string return_statement(const Step& step) {
    if (const auto* given = std::get_if<Value>(&step.argument)) {
      return line(given->kind == Value::Kind::undefined ? "return" : "return " + value(*given));
    }
    return line("return " + awaitable(std::get<Awaitable>(step.argument)));
  }

  // ---- timers and queues ----

  std::string own_callback(const Step& step) { return callback(step, Key::do_, std::get<Callback>(step.argument)); }

  std::string timer(const Step& step) {
    const std::string_view function = info(step.verb).name;
    if (step.verb == Verb::set_immediate)
      return fmt::format("{}({}{})", function, own_callback(step), further_arguments(step));
    const std::string body = callback(step, Key::do_, std::get<Callback>(*step.find(Key::do_)));
    return fmt::format("{}({}, {}{})", function, body, delay(step), further_arguments(step));
  }

  std::string clear_statement(const Step& step) {
    const Name& name = name_of(step);
    const Usage& usage = survey_.of(name);
    const bool holds_timer = usage.holds_timeout || usage.holds_interval;
    const Declaration::Kind kind = scenario_.declarations[name.declaration].kind;
    const bool is_parameter = kind == Declaration::Kind::parameter || kind == Declaration::Kind::caught;
    const bool may_be_anything = (usage.holds_other || is_parameter) && survey_.has_immediates();
    std::string function = "clearTimeout";
    if (!holds_timer && usage.holds_frame) return line(fmt::format("cancelAnimationFrame({})", variable(name)));
    if (!holds_timer && usage.holds_idle) return line(fmt::format("cancelIdleCallback({})", variable(name)));
    if (may_be_anything || (usage.holds_immediate && holds_timer)) {
      function = helpers_.use(Helper::clear);
    } else if (usage.holds_immediate) {
      function = "clearImmediate";
    } else if (usage.holds_interval && !usage.holds_timeout) {
      function = "clearInterval";
    }
    return line(fmt::format("{}({})", function, variable(name)));
  }

  // ---- promises ----

  std::string promise_statement(const Step& step) {
    const Name& name = name_of(step);
    const bool is_deferred = survey_.needs_deferred(name);
    const Argument* executor = step.find(Key::do_);
    std::string made;
    if (executor == nullptr) {
      made = is_deferred ? helpers_.use(Helper::deferred) + "()" : "new Promise(() => {})";
    } else {
      const Body& body = scenario_.bodies[std::get<Callback>(*executor).body];
      made = is_deferred ? helpers_.use(Helper::deferred) + "(" : "new Promise(";
      made += executor_arrow(name, body) + ")";
    }
    return is_read(name) ? line(variable(name) + " = " + made) : line(made);
  }

  std::string executor_arrow(const Name& promise, const Body& body) {
    while (settlers_.size() <= executors_.size())
      settlers_.emplace_back(helpers_.fresh("resolve"), helpers_.fresh("reject"));
    const auto& [resolve, reject] = settlers_[executors_.size()];
    executors_.push_back({promise.declaration, resolve, reject, false, false});
    const std::string steps =
        arrow(body, "?", std::nullopt);  // the head is made again below, once the functions in use are known
    const Executor used = executors_.back();
    executors_.pop_back();
    const std::string list = used.uses_reject    ? used.resolve + ", " + used.reject
                             : used.uses_resolve ? used.resolve
                                                 : "";
    return arrow_head(body, list) + steps.substr(arrow_head(body, "?").size());
  }

  std::string kill_statement(const Step& step) {
    const Argument* signal = step.find(Key::signal);
    const std::string name =
        js_quoted(signal == nullptr ? std::string_view("SIGTERM") : std::get<std::string_view>(*signal));
    const Name& target = name_of(step);
    return assignment(step, target.is_process() ? fmt::format("process.kill(process.pid, {})", name)
                                                : fmt::format("{}.kill({})", variable(target), name));
  }

  std::string settle_statement(const Step& step) {
    const Name& name = name_of(step);
    const bool is_resolve = step.verb == Verb::resolve;
    const Argument* with = step.find(is_resolve ? Key::with : Key::error);
    const std::string what = with == nullptr ? std::string() : value(std::get<Value>(*with));
    const auto own = std::find_if(executors_.rbegin(), executors_.rend(),
                                  [&](const Executor& executor) { return executor.promise == name.declaration; });
    if (own == executors_.rend())
      return line(fmt::format("{}.of({}).{}({})", helpers_.use(Helper::deferred), variable(name),
                              is_resolve ? "resolve" : "reject", what));
    (is_resolve ? own->uses_resolve : own->uses_reject) = true;
    return line(fmt::format("{}({})", is_resolve ? own->resolve : own->reject, what));
  }

  // A step that makes a promise, as an expression.
  std::string promise(const Step& step) {
    switch (step.verb) {
      case Verb::call: {
        const auto& function = std::get<Callback>(step.argument);
        return fmt::format("{}({})", scenario_.bodies[function.body].name, arguments(step));
      }
      case Verb::async: return async_call(step);
      case Verb::resolved: return fmt::format("Promise.resolve({})", value(std::get<Value>(step.argument)));
      case Verb::rejected: return fmt::format("Promise.reject({})", value(std::get<Value>(step.argument)));
      case Verb::then: return chain(step);
      case Verb::all:
      case Verb::all_settled:
      case Verb::any:
      case Verb::race: {
        std::vector<std::string> list;
        for (const Awaitable& item : std::get<List<Awaitable>>(step.argument)) list.push_back(awaitable(item));
        return fmt::format("Promise.{}([{}])", info(step.verb).name, fmt::join(list, ", "));
      }
      case Verb::set_timeout:
        return promisified("resolve", fmt::format("setTimeout({}, {}{})", passing_on(step, "resolve", "value"),
                                                  delay(step), further_arguments(step)));
      case Verb::set_immediate:
        return promisified("resolve", fmt::format("setImmediate({}{})", passing_on(step, "resolve", "value"),
                                                  further_arguments(step)));
      case Verb::post_task: return post_task(step);
      case Verb::yield_: return "scheduler.yield()";
      case Verb::fetch:
        return fmt::format("fetch({}).then((response) => response.text())",
                           js_quoted(std::get<std::string_view>(step.argument)));
      default: break;
    }
    if (step.find(Key::error) == nullptr) {
      return promisified("resolve",
                         work(step, options_.instrumented ? passing_on(step, "resolve", "") : "() => resolve()"));
    }
    return promisified("resolve, reject", work(step, passing_on(step, "reject", "error")));
  }

  // The callback of a promisified call: settles its promise; instrumented, it is also traced.
  std::string passing_on(const Step& step, std::string_view settle, std::string_view argument) {
    if (options_.named)
      return named(callback_label(scenario_, step, Key::do_), fmt::format("({0}) => {1}({0})", argument, settle));
    if (!options_.instrumented) return std::string(settle);
    return fmt::format("{} => {{ {}; {}({}); }}", argument.empty() ? "()" : argument,
                       traced(callback_label(scenario_, step, Key::do_)), settle, argument);
  }

  static std::string promisified(std::string_view parameters, const std::string& call) {
    const bool is_bare = parameters.find(',') == std::string_view::npos;
    return fmt::format("new Promise({} => {})", is_bare ? std::string(parameters) : fmt::format("({})", parameters),
                       call);
  }

  std::string async_call(const Step& step) {
    const auto& given = std::get<Callback>(step.argument);
    const Body& body = scenario_.bodies[given.body];
    std::string function(body.name);
    if (!given.by_name) function = "(" + marked(body, body.name, arrow(body, parameters(body), std::nullopt)) + ")";
    return fmt::format("{}({})", function, arguments(step));
  }

  std::string chain(const Step& step) {
    const auto given = [&](Key key) -> std::optional<std::string> {
      const Argument* argument = step.find(key);
      if (argument == nullptr) return std::nullopt;
      return callback(step, key, std::get<Callback>(*argument));
    };
    std::string out = awaitable(std::get<Awaitable>(step.argument));
    const auto fulfilled = given(Key::do_);
    const auto rejected = given(Key::rejected);
    if (rejected) {
      out += fmt::format(".then({}, {})", fulfilled.value_or("undefined"), *rejected);
    } else if (fulfilled) {
      out += fmt::format(".then({})", *fulfilled);
    }
    if (const auto caught = given(Key::catch_)) out += fmt::format(".catch({})", *caught);
    if (const auto always = given(Key::finally_)) out += fmt::format(".finally({})", *always);
    return out;
  }

  std::string awaitable(const Awaitable& given) {
    switch (given.kind) {
      case Awaitable::Kind::none: return "Promise.resolve()";
      case Awaitable::Kind::name: return variable(*given.name);
      case Awaitable::Kind::step: break;
    }
    return marked(*given.step, promise(*given.step));
  }

  std::string await_statement(const Step& step) {
    const auto& given = std::get<Awaitable>(step.argument);
    if (!options_.instrumented) return assignment(step, "await " + awaited(given));
    // Traces the function's resumption, also when the await throws.
    const std::string& promise = awaited_.empty() ? awaited_ = helpers_.fresh("awaited") : awaited_;
    std::string out = indent() + "{\n";
    ++depth_;
    out += line(fmt::format("const {} = {}", promise, awaited(given)));
    out += indent() + "try {\n";
    ++depth_;
    out += assignment(step, "await " + promise);
    --depth_;
    out += fmt::format("{}}} finally {{\n{}  {}({}, 'await');\n{}}}\n", indent(), indent(), helpers_.use(Helper::trace),
                       js_quoted(body_->name), indent());
    --depth_;
    return out + indent() + "}\n";
  }
  std::string awaited(const Awaitable& given) {
    return given.kind == Awaitable::Kind::none ? "null" : awaitable(given);
  }

  // ---- pages ----

  // An element, or the window or the document.
  static std::string target(const Step& step) {
    const auto& selector = std::get<std::string_view>(step.argument);
    if (selector == "window" || selector == "document") return std::string(selector);
    return fmt::format("document.querySelector({})", js_quoted(selector));
  }

  static bool is_set(const Step& step, Key key) {
    const Argument* const flag = step.find(key);
    return flag != nullptr && std::get<Value>(*flag).boolean;
  }

  std::string post_task(const Step& step) {
    std::string options = fmt::format("priority: {}", js_quoted(std::get<std::string_view>(step.argument)));
    if (const Argument* delay = step.find(Key::delay)) options += ", delay: " + value(std::get<Value>(*delay));
    return fmt::format("scheduler.postTask({}, {{ {} }})",
                       callback(step, Key::do_, std::get<Callback>(*step.find(Key::do_))), options);
  }

  std::string page_statement(const Step& step) {
    switch (step.verb) {
      case Verb::request_animation_frame:
        return assignment(step, fmt::format("requestAnimationFrame({})", own_callback(step)));
      case Verb::request_idle_callback: {
        const Argument* timeout = step.find(Key::timeout);
        const std::string options =
            timeout == nullptr ? "" : fmt::format(", {{ timeout: {} }}", value(std::get<Value>(*timeout)));
        return assignment(step, fmt::format("requestIdleCallback({}{})", own_callback(step), options));
      }
      case Verb::add_event_listener: {
        std::vector<std::string_view> options;
        if (is_set(step, Key::once)) options.emplace_back("once: true");
        if (is_set(step, Key::capture)) options.emplace_back("capture: true");
        const std::string tail = options.empty() ? "" : fmt::format(", {{ {} }}", fmt::join(options, ", "));
        return line(fmt::format("{}.addEventListener({}, {}{})", target(step), event(step), page_listener(step), tail));
      }
      case Verb::dispatch_event:
        if (std::get<std::string_view>(*step.find(Key::event)) == "click" && target(step).starts_with("document."))
          return line(target(step) + ".click()");
        return line(fmt::format("{}.dispatchEvent(new Event({}, {{ bubbles: true }}))", target(step), event(step)));
      case Verb::set_attribute: return line(fmt::format("{}.setAttribute({})", target(step), arguments(step)));
      case Verb::observe:
        return line(
            fmt::format("new MutationObserver({}).observe({}, {{ attributes: true, childList: true, subtree: true }})",
                        callback(step, Key::do_, std::get<Callback>(*step.find(Key::do_))), target(step)));
      case Verb::post_message:
        return line(fmt::format("window.postMessage({}, '*')", value(std::get<Value>(step.argument))));
      case Verb::post_task:
      case Verb::yield_:
      case Verb::fetch: return assignment(step, promise(step));
      default: return {};  // functions of libuv: a scenario with them is no script
    }
  }

  // A listener; one of `message` gets what was posted in place of the event.
  std::string page_listener(const Step& step) {
    const auto& given = std::get<Callback>(*step.find(Key::do_));
    const Body& body = scenario_.bodies[given.body];
    const bool is_message = std::get<std::string_view>(*step.find(Key::event)) == "message";
    const std::string own = parameters(body);
    if (!is_message || own.empty()) return callback(step, Key::do_, given);
    const bool has_label = options_.named || marks_ != nullptr;
    const std::string label = has_label ? callback_label(scenario_, step, Key::do_) : std::string();
    const std::string first = own.substr(0, own.find(','));
    const std::string parameter = fmt::format("{{ data: {} }}", first);
    if (given.by_name) {
      if (marks_ != nullptr) marks_->note_run(body, label);
      if (options_.named) return named_call(body, label, parameter, first);
      return fmt::format("({}) => {}({})", parameter, body.name, first);
    }
    // The head is made again: it has no parentheses around a single parameter.
    const std::string function = arrow(body, first, label);
    const std::string head = fmt::format("{}({}) =>", body.is_async ? "async " : "", parameter);
    return named(label, marked(body, label, head + function.substr(arrow_head(body, first).size())));
  }

  // ---- work elsewhere, events ----

  std::string work(const Step& step, const std::string& callback) {
    const auto& operation = std::get<std::string_view>(step.argument);
    const std::string name = fmt::format("{}.{}", info(step.verb).name, operation);
    const Argument* code = step.find(Key::error);
    const std::string last =
        code == nullptr ? callback : fmt::format("{}, {}", callback, js_quoted(std::get<std::string_view>(*code)));
    const Argument* time = step.find(Key::takes);
    if (time == nullptr) time = step.find(Key::cpu);
    if (step.verb == Verb::fs) {
      const std::size_t requests = file_requests(operation).names.size();
      std::vector<std::string> times(requests, "0");
      if (time != nullptr) {
        const auto& each = std::get<RequestTimes>(*time).each;
        for (std::size_t i = 0; i < requests; ++i) times[i] = duration(*each[i]);
      }
      const Profile* profile = find_profile(scenario_.runtime.profile);
      if (code != nullptr) {  // it fails in its first request, and the others are not made
        const std::string first = fmt::format("fs.{}", file_requests(operation).names[0]);
        return fmt::format("{}({}, {}, {})", helpers_.use(Helper::work), js_quoted(requests == 1 ? name : first),
                           times[0], last);
      }
      if (requests == 1 || (profile != nullptr && profile->whole_file_requests)) {
        return fmt::format("{}({}, {}, {})", helpers_.use(Helper::work), js_quoted(name), fmt::join(times, " + "),
                           last);
      }
      return fmt::format("{}({}, [{}], {})", helpers_.use(Helper::work_in_turn), js_quoted(name),
                         fmt::join(times, ", "), last);
    }
    const std::string takes = time == nullptr ? "0" : duration(*std::get<const Duration*>(*time));
    uses_network_ = uses_network_ || name == "dns.resolve";
    if (name == "dns.lookup") return fmt::format("{}({}, {})", helpers_.use(Helper::lookup), takes, last);
    return fmt::format("{}({}, {}, {})", helpers_.use(Helper::work), js_quoted(name), takes, last);
  }

  // server = net.createServer().on(..).listen(8080), or socket = net.connect(8080, '127.0.0.1').on(..)
  std::string network_statement(const Step& step) {
    const std::string& net = helpers_.use_net();
    const std::string port = value(std::get<Value>(step.argument));
    const bool is_server = step.verb == Verb::listen;
    const std::string listeners = added_listeners(step);
    ++depth_;
    std::string end = is_server ? fmt::format(".listen({})", port) : std::string();
    if (is_server && !listeners.empty()) end.insert(0, "\n" + indent());
    --depth_;
    const bool is_path = std::get<Value>(step.argument).kind != Value::Kind::number;
    const Argument* half_open = step.find(Key::half_open);
    const bool is_half_open = half_open != nullptr && std::get<Value>(*half_open).boolean;
    // Listeners of 'data' get texts, not Buffers.
    const std::string decodes = survey_.hears_data() ? "socket => socket.setEncoding('utf8')" : "";
    std::string begin;
    if (is_server) {
      begin = fmt::format("{}.createServer({}{}{})", net, is_half_open ? "{ allowHalfOpen: true }" : "",
                          is_half_open && !decodes.empty() ? ", " : "", decodes);
    } else if (is_half_open) {
      begin = is_path ? fmt::format("{}.connect({{ path: {}, allowHalfOpen: true }})", net, port)
                      : fmt::format("{}.connect({{ port: {}, host: '127.0.0.1', allowHalfOpen: true }})", net, port);
    } else {
      begin = fmt::format("{}.connect({}{})", net, port, is_path ? "" : ", '127.0.0.1'");
    }
    if (!is_server && !decodes.empty()) begin += ".setEncoding('utf8')";
    return assignment(step, begin + listeners + end);
  }

  // child = spawn(30, 0).on(..)
  std::string spawn_statement(const Step& step) {
    std::string begin;
    if (step.find(Key::error) != nullptr) {
      begin = fmt::format("{}.spawn({}, [], {{ stdio: 'ignore' }})", helpers_.use_child_process(),
                          js_quoted(std::get<std::string_view>(step.argument)));
    } else {
      const Argument* takes = step.find(Key::takes);
      const Argument* code = step.find(Key::code);
      const bool has_code = code != nullptr && std::get<Value>(*code).kind != Value::Kind::null;
      begin = fmt::format("{}({}, {})", helpers_.use(Helper::child_process),
                          takes == nullptr ? "0" : duration(*std::get<const Duration*>(*takes)),
                          has_code ? value(std::get<Value>(*code)) : "0");
    }
    return assignment(step, begin + added_listeners(step));
  }

  [[nodiscard]] bool has_arrivals() const {
    return std::ranges::any_of(scenario_.inputs, [](const OutsideEvent& input) { return input.arrivals.has_value(); });
  }

  // The inputs without arrival processes, as one call before the program's own part.
  std::string inputs() {
    if (std::ranges::all_of(scenario_.inputs, [](const OutsideEvent& input) { return input.arrivals.has_value(); }))
      return {};
    std::string out = helpers_.use(Helper::outside) + "([\n";
    for (const OutsideEvent& input : scenario_.inputs) {
      if (input.arrivals) continue;
      const std::string at = fmt::format("  {{ at: {}, ", milliseconds(input.at));
      const std::string client = fmt::format("client: {}", input.client);
      switch (input.kind) {
        case OutsideEvent::Kind::signal:
          out += at + fmt::format("signal: {}, number: {}", js_quoted(find_signal(input.signal)->name), input.signal);
          break;
        case OutsideEvent::Kind::connect: out += at + fmt::format("connect: {}, {}", input.port, client); break;
        case OutsideEvent::Kind::write: out += at + fmt::format("write: {}, {}", js_quoted(input.data), client); break;
        case OutsideEvent::Kind::end: out += at + "end: true, " + client; break;
        case OutsideEvent::Kind::destroy: out += at + "destroy: true, " + client; break;
        case OutsideEvent::Kind::user: break;  // of a page
      }
      out += " },\n";
    }
    return out + "]);\n";
  }

  // The arguments of write, end, close and destroy.
  std::string network_arguments(const Step& step) {
    std::string given;
    if (const Argument* data = step.find(Key::data)) {
      const auto& what = std::get<Value>(*data);
      given = what.kind == Value::Kind::text ? value(what) : fmt::format("String({})", value(what));
    }
    if (const Argument* bytes = step.find(Key::bytes))
      given = fmt::format("Buffer.alloc({}, 'x')", value(std::get<Value>(*bytes)));
    if (const Argument* error = step.find(Key::error)) given = value(std::get<Value>(*error));
    if (const Argument* done = step.find(Key::do_))
      given += (given.empty() ? "" : ", ") + callback(step, Key::do_, std::get<Callback>(*done));
    return given;
  }

  // The option `on`: a line for each listener.
  std::string added_listeners(const Step& step) {
    const Argument* on = step.find(Key::on);
    if (on == nullptr) return {};
    std::string out;
    ++depth_;
    for (const EventListener& listener : std::get<List<EventListener>>(*on))
      out += fmt::format("\n{}.on({}, {})", indent(), js_quoted(listener.event), net_listener(step, listener));
    --depth_;
    return out;
  }

  std::string net_listener(const Step& step, const EventListener& listener) {
    const Body& body = scenario_.bodies[listener.callback.body];
    const bool has_label = options_.instrumented || marks_ != nullptr;
    const std::string label = has_label ? listener_label(scenario_, step, listener) : std::string();
    if (!listener.callback.by_name) return marked(body, label, arrow(body, parameters(body), label));
    if (marks_ != nullptr) marks_->note_run(body, label);
    if (!options_.instrumented) return std::string(body.name);
    // The property lets removeListener find it.
    return fmt::format("Object.assign({}, {{ listener: {} }})", traced_call(body, label), body.name);
  }

  std::string event(const Step& step) const { return js_quoted(std::get<std::string_view>(*step.find(Key::event))); }

  std::string listen_statement(const Step& step) {
    const auto& listener = std::get<Callback>(*step.find(Key::do_));
    const std::string emitter = variable(name_of(step));
    const std::string_view method = info(step.verb).name;
    if (options_.instrumented && listener.by_name) {
      return line(fmt::format("{}({}, '{}', {}, {}, {})", helpers_.use(Helper::listen), emitter, method, event(step),
                              scenario_.bodies[listener.body].name,
                              js_quoted(callback_label(scenario_, step, Key::do_))));
    }
    return line(fmt::format("{}.{}({}, {})", emitter, method, event(step), callback(step, Key::do_, listener)));
  }

  const Scenario& scenario_;
  const JavaScriptOptions& options_;
  Marks* marks_;
  Survey survey_;
  Helpers helpers_;
  bool is_page_;
  std::set<DeclarationIndex> globals_;  // variables that the script mentions
  bool uses_network_ = false;
  std::size_t depth_ = 0;
  const Body* body_ = nullptr;  // whose steps are being written
  std::string awaited_;         // instrumented: the variable of an awaited promise
  std::size_t loops_ = 0;
  std::vector<std::string> counters_;
  std::vector<Executor> executors_;
  std::vector<std::pair<std::string, std::string>> settlers_;  // names of resolve and reject, by depth of executors
};

}  // namespace

std::string to_javascript(const Scenario& scenario, const JavaScriptOptions& options) {
  if (scenario.script) return scenario.script->source;
  return Writer(scenario, options).script();
}

MappedScript to_mapped_javascript(const Scenario& scenario, const JavaScriptOptions& options) {
  Marks marks(scenario);
  return marks.take(Writer(scenario, options, &marks).script());
}

}  // namespace loopsim
