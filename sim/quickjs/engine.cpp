#include "sim/quickjs/engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "loopsim/assert.hpp"

#include "sim/node/environment.hpp"
#include "sim/quickjs/built_start.hpp"
#include "sim/quickjs/library.hpp"
#include "sim/quickjs/stepper.hpp"

namespace loopsim::quickjs {

using node::PromiseState;
using node::Tag;

namespace {

constexpr std::uint32_t kScriptStream = 0x6a73;  // beside the machine's streams (MachineStream), and no plan's

// What the 10,000 jumps and calls between two calls of interrupt() (JS_INTERRUPT_COUNTER_INIT) count as, beside the
// step that is counted there: 600 steps, so that ten million of them, the limit of a document that says nothing, are a second of an
// empty loop and five of one that does something.
constexpr std::size_t kStepsOfAnInterrupt = 599;

// And what a portion of work within QuickJS does (Instance::count_work).
constexpr std::size_t kStepsOfAPortion = 400;

// Of texts that may have `await using` (Disposals).
constexpr std::string_view kUsing = "using";

// The numbers of resources that Node has given away when the main script begins.
std::uint64_t ids_of_start(int major, bool is_module) {
  constexpr int kFirstWithMain = 10;  // before it, the main script itself has the number that its first resource gets
  if (!is_module) return major < kFirstWithMain ? 0 : 1;
  return major >= 22 ? 1 : major >= 14 ? 6 : 5;
}

// A reaction is known by its capability's resolve function, or, of an await, by its handler: both are made for it alone.
std::uint32_t reaction_key(Js resolve, Js handler) { return pointer_of(is_object(resolve) ? resolve : handler); }

// Of line 1, that are not the program's own: a script is wrapped in a function, and a module may have text put before it.
std::uint32_t columns_before(const Program& program) {
  if (program.entry != EntryPoint::module) return static_cast<std::uint32_t>(kScriptBefore.size());
  return program.script->source.find("import.meta") == std::string::npos
             ? 0U
             : static_cast<std::uint32_t>(kMetaBefore.size());
}

// Run behind the callback of another, in whose callback scope they are.
bool is_drained(Api api) { return api == Api::next_tick || api == Api::queue_microtask; }

// Requests, which are objects of C++.
bool is_of_work(Api api) {
  return api != Api::set_timeout && api != Api::set_interval && api != Api::set_immediate && !is_drained(api);
}

}  // namespace

Engine::Engine(const Program& program, std::uint64_t seed, Tracer& tracer, Names& names)
    : node::Engine(program.limits.steps),
      program_(program),
      tracer_(tracer),
      names_(names),
      where_(program.script->source, columns_before(program), tracer, names, places_),
      seed_(seed),
      random_(seed, kScriptStream),
      system_call_(program.machine.overhead.syscall, seed, MachineStream::system_call) {
  heap_.when_scope_ends(this, on_scope_ended);
  heap_.when_foreign_ends(this, on_foreign_ended);
  for (const auto& [name, value] : program.script->environment)
    if (name == "LOOPSIM_VCLOCK") clock_is_free_ = true;  // as under the clock of tools/conformance
  last_async_id_ = ids_of_start(program.profile->major, program.entry == EntryPoint::module);
}

Engine::~Engine() {
  heap_.when_scope_ends(nullptr, nullptr);
  heap_.when_foreign_ends(nullptr, nullptr);
}

void Engine::connect(node::Environment& node, TimeMs /*start_clock*/) { node_ = &node; }

// Those of this interface are left in the order in which they were entered. Without a world there are none.
void Engine::enter_context(ContextOf of, std::uint32_t promise) {
  if (js_ == nullptr) return outer_contexts_.push_back({kUndefined, of});
  Js context = js_->dup(async_context_);
  if (of == ContextOf::exception)
    js_->free(std::exchange(context, js_->dup(failed_context_)));
  else if (of == ContextOf::rejection)
    js_->free(std::exchange(context, context_of_rejected(promise)));
  else if (keeps_stores_in_frames_ == kTrue)
    js_->free(std::exchange(context, kUndefined));
  outer_contexts_.push_back({std::exchange(async_context_, context), of});
}

void Engine::leave_context() {
  const OuterContext outer = outer_contexts_.back();
  outer_contexts_.pop_back();
  if (js_ == nullptr) return;
  // What has stores in resources keeps what was put there where no other one is.
  const bool is_kept = outer.of == ContextOf::nothing && keeps_stores_in_frames_ != kTrue;
  js_->free(is_kept ? outer.context : std::exchange(async_context_, outer.context));
  // What a listener of rejections throws has left it.
  if (outer.of == ContextOf::rejection) keep_failed_context(async_context_);
}

// In frames, what the context was when it was rejected; as stores of resources, the promise's own, if it is one.
Owned Engine::context_of_rejected(std::uint32_t promise) {
  if (keeps_stores_in_frames_ == kTrue) {
    const auto found = rejected_contexts_.find(promise);
    if (found == rejected_contexts_.end()) return kUndefined;
    const Js context = found->second;
    rejected_contexts_.erase(found);
    return context;
  }
  const auto object = promise_objects_.find(promise);
  if (!is_object(context_of_promise_) || object == promise_objects_.end()) return js_->dup(async_context_);
  return js_->call(context_of_promise_, kUndefined, std::span<const Js>(&object->second, 1));
}

void Engine::forget_rejected_context(std::uint32_t promise) {
  const auto found = rejected_contexts_.find(promise);
  if (found == rejected_contexts_.end()) return;
  js_->free(found->second);
  rejected_contexts_.erase(found);
}

void Engine::keep_failed_context(Js context) { js_->free(std::exchange(failed_context_, js_->dup(context))); }

// ---- calls ----------------------------------------------------------------------------------------------------------------

// The callback of a resource has ended. After an exception it stays what runs until somebody has handled that.
Flow Engine::leave(std::uint32_t context, Api api, Flow flow, const Execution& outside) {
  if (hooks_ != 0) {
    Bound& bound = this->bound(context);
    if (flow != Flow::stop && !is_armed_again(execution_.resource)) end_resource(bound, is_of_work(api));
    if (flow == Flow::normal && (hooks_ & kAfterHooks) != 0 && !tell_hooks(HookEvent::after, bound.async_id))
      flow = Flow::stop;
  }
  if (flow == Flow::threw && outside.id == 0 && !(api == Api::queue_microtask && microtasks_fail_outside_ == kTrue))
    note_failure(!is_drained(api));
  else
    set_execution(outside);
  return flow;
}

Flow Engine::call(std::uint32_t place, std::uint32_t context, std::span<const Value> arguments, Value* result) {
  if (!count_step()) return out_of_steps();
  if (has_failed_ && !forget_failure()) return Flow::stop;
  if (!is_drained(places_[place].api)) {
    ++job_number_;
    if (ended_request_ != 0) end_request();
  }
  Bound& bound = this->bound(context);
  std::vector<Js> values;
  if (!bound.arguments.empty() || arguments.empty()) {
    for (Js value : bound.arguments) values.push_back(js_->dup(value));
  } else {
    for (const Value& value : arguments) values.push_back(to_js(value));
  }
  const Js function = js_->dup(bound.function);  // the call may end its own callable
  const Api outer = std::exchange(running_api_, places_[place].api);
  InContext in_context(*this, bound.async_context);
  // A timer that runs once is let go of by its callable: it may be collected when the program has no other use for it.
  const Api api = places_[place].api;
  const Js self = api == Api::set_interval ? js_->dup(bound.self) : std::exchange(bound.self, kUndefined);
  const bool is_timer = api == Api::set_timeout || api == Api::set_interval;
  const std::uint64_t async_id = bound.async_id;
  Execution outside;
  if (async_id != 0) outside = std::exchange(execution_, {async_id, bound.trigger_id, self});
  if (async_id != 0) heap_.retain_scope(context);
  const bool goes_on = async_id == 0 || (hooks_ & kBeforeHooks) == 0 || tell_hooks(HookEvent::before, async_id);
  const Js returned =
      goes_on ? js_->call(function, is_timer || api == Api::set_immediate ? self : kUndefined, values) : kUndefined;
  if (stepper_ != nullptr) stepper_->settle();
  running_api_ = outer;
  end_computation();
  Flow flow = Flow::normal;
  if (returned == kException) {
    threw_in_ = api;
    flow = threw();
    // Of a microtask V8 takes the exception when the resource has been left.
    if (api == Api::queue_microtask && microtasks_fail_outside_ == kTrue)
      keep_failed_context(keeps_stores_in_frames_ == kTrue ? this->bound(context).async_context : in_context.outer());
    if (api == Api::next_tick && keeps_stores_in_frames_ == kTrue) in_context.leak();
  } else if (result != nullptr) {
    *result = to_node(returned);
  }
  if (returned != kException) js_->free(returned);
  if (flow == Flow::normal && node_->callbacks.stopping()) flow = Flow::stop;
  if (async_id != 0) {
    // A timer that runs again has what its callback has put there.
    if (is_timer && keeps_stores_in_frames_ != kTrue)
      js_->free(std::exchange(this->bound(context).async_context, js_->dup(async_context_)));
    flow = leave(context, api, flow, outside);
    heap_.release_scope(context);
  } else {
    js_->free(self);
  }
  js_->free(function);
  for (Js value : values) js_->free(value);
  return flow;
}

Flow Engine::run_main(Value* /*result*/) {
  constexpr int kFirstThatEndsMain = 12;  // before it, the ticks and microtasks behind the script are its own
  if (const Flow flow = start_world(); flow != Flow::normal) return flow;
  const bool is_module = program_.entry == EntryPoint::module;
  const InContext in_context(*this, kUndefined);
  if (!is_module) execution_.id = 1;
  const Flow flow = is_module ? run_module() : run_script();
  if (flow == Flow::threw && !is_module)
    note_failure(false);
  else if (program_.profile->major >= kFirstThatEndsMain)
    set_execution({});
  end_computation();
  return flow == Flow::normal && node_->callbacks.stopping() ? Flow::stop : flow;
}

// A start is the same wherever it depends on the same. That of the default version, without variables, is made when loopsim is
// built. Of another one a thread's first is kept for those that follow, if any are known to, and else its second: as the pages that
// it has written, which takes a third of a start. Where these cannot be told the third is kept, as the copy of a whole memory.
Flow Engine::start_world() {
  StartedWorlds& started = StartedWorlds::of_thread();
  StartedWorld* known = started.find(start_key());
  if (known == nullptr) known = &add_start(started);
  if (known->world.memory != nullptr) {
    const bool goes_on = may_go_on() && known->compiled && known->compiled->source == program_.script->source;
    js_ = std::make_unique<Instance>(static_cast<Host&>(*this), known->world, known->pool, goes_on);
    for (std::size_t i = 0; i < known->kept.size(); ++i) this->*values_of_start()[i].value = known->kept[i];
    file_ = js_->went_on() ? known->compiled->file : known->file;
    if (js_->went_on()) js_->set_interpreter(known->compiled->interpreter);
    where_.set_world(*js_, file_);
    if (file_ == 0) name_script();
  } else {
    js_ = std::make_unique<Instance>(static_cast<Host&>(*this), library_world());
    js_->enlarge_stack();
    where_.set_world(*js_, file_);
    if (const Flow flow = run_start(); flow != Flow::normal) return flow;
    name_script();
    keep_start(*known);
  }
  if (program_.most_steps_told != 0 && tracer_.on()) {
    const std::span<const std::string_view> lines =
        where_.is_ascii() ? std::span<const std::string_view>() : where_.lines();
    stepper_ = std::make_unique<Stepper>(*js_, tracer_, names_, node_->callbacks, program_.script->file, lines,
                                         program_.most_steps_told);
  }
  has_started_ = true;
  started_ = known;
  paid_jumps_ = js_->went_on() ? known->compiled->paid_jumps : js_->jumps();
  if (when_started_) when_started_();
  return Flow::normal;
}

StartedWorld& Engine::add_start(StartedWorlds& started) const {
  StartedWorld& known = started.add(start_key());
  const bool is_built = program_.own_profile == nullptr && program_.profile->name == default_profile().name &&
                        program_.script->environment.empty();
  if (const BuiltStart* const built = is_built ? built_start() : nullptr) {
    known.world = built->world;
    known.kept = built->values;
  }
  return known;
}

void Engine::keep_start(StartedWorld& kept) {
  constexpr int kFirstKept = 2, kFirstCopied = 3;
  if (!start_is_alone_ || promises_made_ != 0 || !contexts_.empty()) return;
  if (++kept.starts < kFirstKept && !program_.runs_again) return;
  kept.world = kept.starts < kFirstCopied ? js_->save_changes(library_world()) : js_->save();
  if (kept.world.memory == nullptr) return;
  js_->give_to(kept.pool);
  for (const StartRow& row : values_of_start()) kept.kept.push_back(this->*row.value);
  kept.file = file_;
}

// What the library knows of the script's name, once it has started for one without a name. A start that is built in and one that
// has run here are the same to the last byte, so a program's garbage is collected at the same moments.
void Engine::name_script() {
  const std::string& script = program_.script->file;
  if (script.empty()) return;  // make_start.cpp
  file_ = js_->atom(script);
  where_.set_world(*js_, file_);
  const std::string& place = program_.script->folder.place;
  const std::string file = place.empty() ? script.substr(script.rfind('/') + 1) : place;
  js_->set(facts_, "script", js_->make_string(script));
  js_->set(facts_, "file", js_->make_string(file));
  const Js arguments = js_->get(process_, "argv");
  js_->assign(arguments, "1", js_->make_string(js_->text_of(arguments, "1") + file));
  std::uint32_t index = 2;
  for (const std::string& word : program_.script->arguments)
    js_->assign(arguments, std::to_string(index++), js_->make_string(word));
  js_->free(arguments);
}

std::string Engine::start_key() const {
  std::string key =
      std::string(program_.profile->name) + '\0' + program_.script->file + '\0' + (tracer_.on() ? 't' : '-');
  key += program_.script->folder.place;
  for (const auto& [name, value] : program_.script->environment) key += '\0' + name + '\0' + value;
  for (const std::string& word : program_.script->arguments) key += std::string("\0\0", 2) + word;
  return key;
}

std::span<const Engine::StartRow> Engine::values_of_start() {
  static constexpr StartRow kRows[] = {
      {"timeout", &Engine::timeout_prototype_},
      {"immediate", &Engine::immediate_prototype_},
      {"process", &Engine::process_},
      {"makeError", &Engine::make_error_},
      {"emitProcess", &Engine::emit_process_},
      {"countProcess", &Engine::count_process_},
      {"reportFatal", &Engine::report_fatal_},
      {"reportUnsettled", &Engine::report_unsettled_},
      {"unhandledRejection", &Engine::unhandled_rejection_},
      {"warnOfRejection", &Engine::warn_of_rejection_},
      {"warnOfLateHandler", &Engine::warn_of_late_handler_},
      {"failLoading", &Engine::fail_loading_},
      {"runScript", &Engine::run_script_},
      {"resolveImport", &Engine::resolve_import_},
      {"loadImport", &Engine::load_import_},
      {"nameOf", &Engine::name_of_},
      {"complete", &Engine::complete_},
      {"tellHook", &Engine::tell_hook_},
      {"promiseHook", &Engine::promise_hook_},
      {"closesSyncIterators", &Engine::closes_sync_iterators_},
      {"yieldStarAwaits", &Engine::yield_star_awaits_},
      {"resolvedAgain", &Engine::resolved_again_},
      {"settleAsIs", &Engine::settle_as_is_},
      {"rejectsImportersLast", &Engine::rejects_importers_last_},
      {"keepsStoresInFrames", &Engine::keeps_stores_in_frames_},
      {"contextOfPromise", &Engine::context_of_promise_},
      {"microtasksFailOutside", &Engine::microtasks_fail_outside_},
      // By calls of the library, or before it starts.
      {"", &Engine::promise_then_},
      {"", &Engine::promise_prototype_},
      {"", &Engine::adopt_state_},
      {"", &Engine::deliver_message_},
      {"", &Engine::port_closed_},
      {"", &Engine::report_handle_},
      {"", &Engine::report_child_},
      {"", &Engine::async_context_},
      {"", &Engine::facts_},
  };
  return kRows;
}

// The library gets the functions of bindings.cpp, and gives those that are called here.
Flow Engine::run_start() {
  const Js world = js_->global();
  const Js native = js_->make_object();
  const std::span<const BindingRow> rows = bindings();
  for (std::size_t i = 0; i < rows.size(); ++i)
    js_->set(native, rows[i].name, js_->make_function(rows[i].name, rows[i].length, static_cast<std::uint32_t>(i)));
  const Js start = js_->get(world, "__loopsim_start");
  const Js made = js_->call(start, kUndefined, std::span<const Js>(&native, 1));
  js_->free(start);
  adopt_state_ = js_->get(native, "adoptState");
  js_->free(native);
  const Js promise = js_->get(world, "Promise");
  const Js prototype = js_->get(promise, "prototype");
  promise_then_ = js_->get(prototype, "then");
  promise_prototype_ = prototype;
  js_->free(promise);
  js_->free(world);
  if (made == kException) return threw();
  for (const StartRow& row : values_of_start())
    if (!row.name.empty()) this->*row.value = js_->get(made, row.name);
  js_->free(made);
  return Flow::normal;
}

Flow Engine::run_script() {
  const Script& script = *program_.script;
  const std::uint64_t interrupts = js_->jumps_at_interrupts();
  const std::uint64_t host_calls = host_calls_;
  js_->count_compiling();
  const Js wrapper = js_->went_on() ? started_->compiled->wrapper : wrapper_of(script.source, script.file);
  if (wrapper == kException) return threw();
  // A text that closes the wrapper itself has run a part of the program already.
  const bool is_only_compiled = js_->jumps_at_interrupts() == interrupts && host_calls_ == host_calls;
  if (!js_->went_on() && is_only_compiled) keep_compiled(wrapper);
  js_->count_work();
  const Js arguments[] = {wrapper, js_->make_string(script.file)};
  const Js returned = js_->call(run_script_, kUndefined, arguments);
  js_->free(arguments[0]);
  js_->free(arguments[1]);
  if (returned == kException) return threw();
  js_->free(returned);
  return Flow::normal;
}

// The runs of a look for races and of a study compile the same script: those that follow begin behind that. Not where a stepper
// was told what it needs to know, or steps were counted meanwhile.
bool Engine::may_go_on() const {
  return program_.entry != EntryPoint::module && program_.script->source.find(kUsing) == std::string::npos &&
         (program_.most_steps_told == 0 || !tracer_.on());
}

void Engine::keep_compiled(Js wrapper) {
  if (!may_go_on()) return;
  started_->compiled.reset();
  if (js_->keep_here()) started_->compiled = {program_.script->source, wrapper, file_, paid_jumps_, js_->interpreter()};
}

// What a text needs before it is compiled.
void Engine::prepare_for(std::string_view source) {
  if (source.find(kUsing) != std::string_view::npos) js_->watch_disposals();
}

Owned Engine::wrapper_of(std::string_view source, const std::string& file) {
  prepare_for(source);
  if (stepper_ != nullptr) {
    stepper_->note_wrapped(file, static_cast<std::uint32_t>(kScriptBefore.size()));
    stepper_->pause(true);
  }
  const Js wrapper = js_->evaluate(wrapped_script(std::string(source)), file);
  if (stepper_ != nullptr) stepper_->pause(false);
  return wrapper;
}

// Without a top-level await the module has run to its end, and its promise is settled.
Flow Engine::run_module() {
  const Script& script = *program_.script;
  // A first line with #! would not be the first.
  std::string text = script.source;
  if (text.starts_with("#!")) text.replace(0, 2, "//");
  if (text.find("import.meta") != std::string::npos) text.insert(0, kMetaBefore);
  prepare_for(text);
  js_->count_work();
  const Js promise = js_->evaluate_module(text, script.file);
  if (promise == kException) return threw();
  main_promise_ = promise;
  if (js_->state_of(promise) != Instance::PromiseState::rejected) return Flow::normal;
  if (const auto known = tracked_.find(pointer_of(promise)); known != tracked_.end())
    node_->rejections.track_handled(known->second);
  // QuickJS has rejected two promises for it: that of the module's body, and this one. V8 has rejected none before top-level await,
  // and one since: the numbers that warnings of later rejections have count them.
  constexpr int kFirstWithModulePromise = 14;
  promises_made_ -= program_.profile->major >= kFirstWithModulePromise ? 1 : 2;
  const Js reason = js_->result_of(promise);
  js_->throw_value(reason);
  return threw();
}

// ---- callables ------------------------------------------------------------------------------------------------------------

Callable Engine::callable(Api api, Js function, std::span<const Js> arguments) {
  return callable_at(where_.of_call(api, function), function, arguments);
}

Callable Engine::callable_at(std::uint32_t place, Js function, std::span<const Js> arguments) {
  const std::uint32_t context = heap_.make_scope(kNone, 0);
  if (context >= contexts_.size()) contexts_.resize(context + 1);
  Bound& bound = this->bound(context);
  bound.function = js_->dup(function);
  bound.async_context = js_->dup(async_context_);
  for (Js value : arguments) bound.arguments.push_back(js_->dup(value));
  return {place, context, kNone};
}

void Engine::on_scope_ended(void* self, std::uint32_t scope) {
  Engine& it = *static_cast<Engine*>(self);
  LOOPSIM_ASSERT(scope < it.contexts_.size());
  Bound gone = std::exchange(it.contexts_[scope], {});
  if (gone.crossing != kNone) it.end_crossing(gone.crossing);
  it.js_->free(gone.function);
  it.js_->free(gone.async_context);
  it.js_->free(gone.self);
  for (Js value : gone.arguments) it.js_->free(value);
}

void Engine::let_go_of_self(std::uint32_t context) { js_->free(std::exchange(bound(context).self, kUndefined)); }

void Engine::on_foreign_ended(void* self, std::uint64_t value) { static_cast<Engine*>(self)->js_->free(value); }

// ---- values ---------------------------------------------------------------------------------------------------------------

Owned Engine::to_js(const Value& value) {
  switch (value.tag) {
    case Tag::undefined: return kUndefined;
    case Tag::null: return kNull;
    case Tag::boolean: return value.index != 0 ? kTrue : kFalse;
    case Tag::number: return js_->make_number(value.number);
    case Tag::string: return js_->make_string(heap_.strings[value.index].text);
    case Tag::foreign: return js_->dup(heap_.foreigns[value.index].value);
    case Tag::emitter: return js_->dup(object_of(value.index));
    case Tag::promise: return js_->dup(promise_objects_.at(value.index));
    case Tag::error: {
      const node::ErrorObject& error = heap_.errors[value.index];
      const Js arguments[] = {js_->make_string(error.name), js_->make_string(error.message),
                              error.code.empty() ? kUndefined : js_->make_string(error.code),
                              Instance::make_boolean(error.tells_code)};
      const Js made = js_->call(make_error_, kUndefined, arguments);
      for (const Js argument : arguments) js_->free(argument);
      return made;
    }
    default: return kUndefined;
  }
}

Value Engine::to_node(Js value) {
  switch (tag_of(value)) {
    case JsTag::undefined: return {};
    case JsTag::null: return Value::null();
    case JsTag::boolean: return Value::of_boolean(value == kTrue);
    case JsTag::integer:
    case JsTag::float64: return Value::of_number(number_of(value));
    default: break;
  }
  if (const std::uint32_t emitter = emitter_of(value); emitter != kNone)
    return heap_.copy(Value::object(Tag::emitter, emitter));
  return heap_.make_foreign(js_->dup(value));
}

// For the trace and messages: no code of the program runs for it.
std::string Engine::to_text(const Value& value) const {
  if (value.tag == Tag::error) {
    const node::ErrorObject& error = heap_.errors[value.index];
    return error.message.empty() ? error.name : error.name + ": " + error.message;
  }
  auto& self = const_cast<Engine&>(*this);  // QuickJS's values change when they are read: counts, caches
  const Js js = self.to_js(value);
  std::string text = js_->describe(js);
  js_->free(js);
  return text;
}

double Engine::to_number(const Value& value) const {
  auto& self = const_cast<Engine&>(*this);
  const Js js = self.to_js(value);
  const double number = js_->to_number(js);
  js_->free(js);
  return number;
}

bool Engine::is_true(const Value& value) const {
  auto& self = const_cast<Engine&>(*this);
  const Js js = self.to_js(value);
  const bool result = js_->to_boolean(js);
  js_->free(js);
  return result;
}

bool Engine::is_error(const Value& value) const {
  return value.tag == Tag::error || (value.tag == Tag::foreign && js_->is_error(heap_.foreigns[value.index].value));
}

std::string Engine::specific_type(const Value& value) const {
  const Js js = heap_.foreigns[value.index].value;
  if (js_->is_function(js)) return "function " + js_->text_of(js, "name");
  const Js constructor = js_->get(js, "constructor");
  const std::string name = is_object(constructor) ? js_->text_of(constructor, "name") : "Object";
  if (constructor == kException) js_->free(js_->take_exception());
  js_->free(constructor);
  return "an instance of " + name;
}

std::string_view Engine::string_of(const Value& value) const {
  text_ = to_text(value);
  return text_;
}

std::uint32_t Engine::event_name(std::string_view event) {
  if (const auto known = event_of_.find(event); known != event_of_.end()) return known->second;
  const auto index = static_cast<std::uint32_t>(events_.size());
  events_.emplace_back(event);
  event_of_.emplace(event, index);
  return index;
}

// ---- steps ------------------------------------------------------------------------------------------------------------------

std::uint32_t Engine::statement(std::uint32_t parser, bool begins) {
  return stepper_ == nullptr ? 0 : stepper_->statement(parser, begins);
}
std::uint32_t Engine::position(std::uint32_t function, std::uint32_t line, std::uint32_t column) {
  return stepper_ == nullptr ? 0 : stepper_->position(function, line, column);
}
void Engine::instruction(std::uint32_t pc, std::uint32_t sp) {
  if (stepper_ != nullptr) stepper_->instruction(pc, sp);
  if (!std::exchange(is_locating_, false)) return;
  js_->stop_watching();
  halt_for_steps(pc);
}

// ---- exceptions -------------------------------------------------------------------------------------------------------------

Flow Engine::threw() {
  if (stepper_ != nullptr) stepper_->settle();
  const Js thrown = js_->take_exception();
  if (node_->callbacks.stopping()) {
    js_->free(thrown);
    return Flow::stop;
  }
  keep_failed_context(async_context_);
  const Value value = to_node(thrown);
  js_->free(thrown);
  return throw_value(value);
}

Flow Engine::throw_value(const Value& value) {
  set_exception(value);
  if (tracer_.on()) tracer_.add_text(EventKind::throw_, to_text(value));
  return Flow::threw;
}

Owned Engine::unwind(Flow flow) {
  if (flow == Flow::stop || node_->callbacks.stopping()) return js_->throw_stop();
  if (flow == Flow::normal) return kUndefined;
  const Value thrown = take_exception();
  const Js value = to_js(thrown);
  heap_.release(thrown);
  return js_->throw_value(value);
}

Flow Engine::out_of_steps() {
  halt_for_steps(0);
  return Flow::stop;
}

// `pc`: as for Instance::place_in_program().
void Engine::halt_for_steps(std::uint32_t pc) {
  if (!node_->callbacks.stopping() && js_ != nullptr) {
    const Instance::ProgramPlace place = js_->place_in_program(pc);
    if (place.at.line != 0) node_->ending.set_place(fmt::format("{}:{}", place.file, place.at.line));
  }
  node_->ending.halt_for_steps();
}

bool Engine::interrupt() {
  js_->count_interrupt();
  if (!has_started_) return false;  // a start that is known already takes no steps
  if (loads_ != 0 && free_interrupts_ != 0) {
    --free_interrupts_;
    return node_->callbacks.stopping();
  }
  charge_bytes(kStepsOfAnInterrupt << 10U);
  if (!count_step() && !node_->callbacks.stopping()) {
    // Which loop it is, the next instruction tells. What is not JavaScript itself may have none for long.
    if (!std::exchange(is_locating_, false) && js_->watch_instructions())
      is_locating_ = true;
    else
      halt_for_steps(0);
  }
  return !is_locating_ && !pay_for_jumps();
}

bool Engine::works(std::uint32_t portions) {
  ++host_calls_;
  if (!has_started_) return true;
  if (loads_ != 0 && free_interrupts_ >= portions) {
    free_interrupts_ -= portions;
    return !node_->callbacks.stopping();
  }
  charge_bytes(((portions * kStepsOfAPortion) - 1) << 10U);
  return count_step();
}

void Engine::stops_at_work() { node_->ending.halt_for_steps(); }

// ---- jobs and promises --------------------------------------------------------------------------------------------------------

void Engine::push_job(Job&& job) {
  job_queue_.push(std::move(job));
  ++jobs_;
  if (jobs_ > program_.limits.queue) node_->task_queue.too_long();
}

// PerformPromiseThen: the program's handlers get their numbers.
void Engine::reacts(Js promise, Js fulfilled, Js rejected, Js resolve) {
  ++host_calls_;
  Reaction reaction;
  const bool is_await = !is_object(resolve);
  if ((hooks_ & kPromiseHooks) != 0) {
    if (is_await)
      begin_await(promise, fulfilled);
    else
      begin_wrapper(promise);
  }
  keep_context(reaction_key(resolve, fulfilled), reaction_key(resolve, rejected));
  reactions_.erase(reaction_key(resolve, fulfilled));  // of a promise that was collected before it was settled
  if (is_await) {
    note_module(fulfilled);
    node_->callbacks.hand_over(reaction.fulfilled, Callable{where_.of_await(fulfilled), kNone, kNone});
    node_->callbacks.announce(reaction.fulfilled, ScheduleKind::first, -1, -1);
    reaction.keys[0] = pointer_of(fulfilled);
    reaction.keys[1] = pointer_of(rejected);
    for (const std::uint32_t key : reaction.keys) reactions_[key] = reaction;
    return;
  }
  const auto hand_over = [&](Callback& callback, Api api, Js handler) {
    if (!js_->is_plain_function(handler)) return;
    node_->callbacks.hand_over(callback, callable(api, handler));
    node_->callbacks.announce(callback, ScheduleKind::first, -1, -1);
  };
  hand_over(reaction.fulfilled, Api::then, fulfilled);
  hand_over(reaction.rejected, Api::catch_, rejected);
  if (reaction.fulfilled.place == kNone && reaction.rejected.place == kNone) return;
  reactions_[reaction_key(resolve, fulfilled)] = reaction;
}

void Engine::note_module(Js resumes) {
  if (program_.entry != EntryPoint::module || !js_->resumes_module(resumes)) return;
  const Js promise = js_->promise_of_resumed(resumes);
  const auto known =
      std::ranges::find_if(module_awaits_, [&](Js one) { return js_->promise_of_resumed(one) == promise; });
  if (known == module_awaits_.end()) {
    module_awaits_.push_back(js_->dup(resumes));
  } else {
    js_->free(*known);
    *known = js_->dup(resumes);
  }
}

// Its state is changed after this, which is in time: jobs run later.
void Engine::settles(Js promise, bool is_rejected, Js value) {
  ++host_calls_;
  complete(is_rejected, value);
  if (loader_waits_ && main_promise_ != kUndefined && pointer_of(promise) == pointer_of(main_promise_))
    main_has_settled();
  if ((hooks_ & kPromiseHooks) == 0) return;
  if (wrapper_ != kUndefined && pointer_of(wrapper_) == pointer_of(promise))
    has_settled_wrapper_ = true;  // hooks do not know it yet
  else if ((hooks_ & kResolveHooks) != 0)
    tell_promise(PromiseEvent::settled, promise);
}

void Engine::complete(bool is_rejected, Js reason) {
  if (is_rejected && js_->is_error(reason))
    js_->free(js_->call(complete_, kUndefined, std::span<const Js>(&reason, 1)));
}

// What a nextTick() of the program's own throws, V8 takes.
void Engine::resolves_again(Js promise, bool is_rejected, Js value) {
  if (!is_object(resolved_again_)) return;
  complete(is_rejected, value);
  const Js arguments[] = {promise, Instance::make_boolean(is_rejected), value};
  if (ask(resolved_again_, arguments) == Flow::threw) heap_.release(take_exception());
}

void Engine::keep_context(std::uint32_t fulfilled, std::uint32_t rejected) {
  if (!reaction_contexts_.empty()) {  // of promises that were collected before they were settled
    js_->free(take_context(fulfilled));
    js_->free(take_context(rejected));
  }
  if (async_context_ == kUndefined) return;
  reaction_contexts_[fulfilled] = {js_->dup(async_context_), rejected};
  if (rejected != fulfilled) reaction_contexts_[rejected] = {kUndefined, fulfilled};
}

// One of the two has the context.
Owned Engine::take_context(std::uint32_t reaction) {
  const auto found = reaction_contexts_.find(reaction);
  if (found == reaction_contexts_.end()) return kUndefined;
  Js context = found->second.context;
  const std::uint32_t other = found->second.other;
  reaction_contexts_.erase(found);
  if (other == reaction) return context;
  const auto second = reaction_contexts_.find(other);
  if (second == reaction_contexts_.end() || second->second.other != reaction) return context;
  if (context == kUndefined) context = second->second.context;
  reaction_contexts_.erase(second);
  return context;
}

// A PromiseReactionJob has (resolve, reject, handler, is_reject, argument), a PromiseResolveThenableJob three arguments.
void Engine::enqueue_job(std::uint32_t job_function, std::span<const Js> arguments) {
  ++host_calls_;
  // Until V8 8 a promise counted as resolved with a thenable, too.
  constexpr int kFirstWithoutThenables = 14;
  if (arguments.size() == 3 && (hooks_ & kResolveHooks) != 0 && program_.profile->major < kFirstWithoutThenables)
    settles(arguments[0], false, kUndefined);
  if (arguments.size() == 3 && follows_at_once(job_function, arguments)) return;
  // import() was rejected at once before there were ES modules. Its job has the name where a reaction's has a truth value.
  const bool is_import = arguments.size() > 3 && is_string(arguments[3]);
  if (is_import && program_.profile->major < kFirstWithModules) return js_->free(js_->run_job(job_function, arguments));
  Job job;
  job.function = job_function;
  for (Js value : arguments) job.arguments.push_back(js_->dup(value));
  job.async_context =
      arguments.size() == 5 ? take_context(reaction_key(arguments[0], arguments[2])) : js_->dup(async_context_);
  if (arguments.size() == 5) {
    const bool is_rejected = arguments[3] == kTrue;
    if (const auto found = reactions_.find(reaction_key(arguments[0], arguments[2])); found != reactions_.end()) {
      const Reaction reaction = found->second;
      job.is_await = !is_object(arguments[0]);
      reactions_.erase(found);
      if (job.is_await) {
        for (const std::uint32_t key : reaction.keys) reactions_.erase(key);
        if (const auto made = thrown_away_.find(reaction.keys[0]); made != thrown_away_.end()) {
          job.thrown_away = made->second;
          thrown_away_.erase(made);
        }
      }
      const Callback& other = is_rejected ? reaction.fulfilled : reaction.rejected;
      job.callback = is_rejected && !job.is_await ? reaction.rejected : reaction.fulfilled;
      if (!job.is_await && other.place != kNone) {
        node_->callbacks.trace_cancel(other, CancelReason::settled);
        heap_.release(other);
      }
    }
  }
  if (job.callback.place != kNone)
    trace_queued(job);
  else if (tracer_.on())
    job.entry = tracer_.enqueue(Queue::microtasks, kNoName,
                                arguments.size() == 5 ? "NewPromiseReactionJob" : "NewPromiseResolveThenableJob",
                                node_->callbacks.running());
  push_job(std::move(job));
}

// A promise is resolved with a promise: early V8 had no job for it, as long as `then` and the promise were its own.
bool Engine::follows_at_once(std::uint32_t job_function, std::span<const Js> arguments) {
  const PromiseFollowing following = program_.profile->following;
  if (following == PromiseFollowing::standard || arguments[2] != promise_then_) return false;
  if (!js_->is_bare(arguments[1], pointer_of(promise_prototype_))) return false;
  const Instance::PromiseState state = js_->state_of(arguments[1]);
  const bool is_settled = state == Instance::PromiseState::fulfilled || state == Instance::PromiseState::rejected;
  if (!is_settled && (following == PromiseFollowing::adopts_settled || state != Instance::PromiseState::pending))
    return false;
  const Js then = following == PromiseFollowing::adopts_settled ? adopt_state_ : promise_then_;
  const Js with[] = {arguments[0], arguments[1], then};
  js_->free(js_->run_job(job_function, with));
  return true;
}

// In place of then(): settles as this promise is, without a reaction.
Owned Engine::adopt_state(Js this_value, Given arguments) {
  const bool is_rejected = js_->state_of(this_value) == Instance::PromiseState::rejected;
  if (const auto known = tracked_.find(pointer_of(this_value)); is_rejected && known != tracked_.end()) {
    if (adopted_.insert(known->second).second) node_->rejections.track_handled(known->second);
  }
  const Js result = js_->result_of(this_value);
  const Js settle = is_rejected ? arguments[1] : arguments[0];
  const Js with[] = {settle, result};
  const Owned returned = is_object(result) && !is_rejected
                             ? js_->call(settle_as_is_, kUndefined, with)
                             : js_->call(settle, kUndefined, std::span<const Js>(&result, 1));
  js_->free(result);
  return returned;
}

// What its promise was settled with is told as a text.
void Engine::trace_queued(const Job& job) {
  if (!tracer_.on()) return;
  const Value value = to_node(job.arguments[4]);
  node_->callbacks.trace_reaction_queued(job.callback, job.arguments[3] == kTrue, to_text(value));
  heap_.release(value);
}

// The rest of an async function, to its next await or its end.
Flow Engine::run_await(const Job& job) {
  const Callback& callback = job.callback;
  const std::uint32_t label = places_[callback.place].label;
  if (!node_->callbacks.begin(Api::await, label, callback.id, callback.by, -1)) return Flow::stop;
  const std::uint64_t outer = node_->callbacks.running();
  node_->callbacks.set_running(callback.id);
  const InContext in_context(*this, job.async_context);
  const InPromise in_promise(*this, job);
  const Js result = js_->run_job(job.function, job.arguments);
  if (stepper_ != nullptr) stepper_->settle();
  end_computation();
  if (job.thrown_away != kUndefined && (hooks_ & kResolveHooks) != 0)
    tell_promise(PromiseEvent::settled, job.thrown_away);
  const Flow flow = result == kException ? threw() : Flow::normal;
  js_->free(result);
  node_->callbacks.set_running(outer);
  if (tracer_.on()) {
    node_->thread.note_ended(callback.id);
    node_->callbacks.end(Api::await, label, callback.id, flow == Flow::threw ? Completion::throw_ : Completion::normal);
  }
  return flow;
}

Flow Engine::run_job() {
  if (!count_step()) return out_of_steps();
  if (has_failed_ && !forget_failure()) return Flow::stop;
  const Job job = job_queue_.pop();
  --jobs_;
  tracer_.dequeue(Queue::microtasks, job.entry, kNoName, {});
  Flow flow = Flow::normal;
  running_job_ = job.is_main || job.is_loader || job.is_microtask || job.ends_hooks ? nullptr : &job;
  if (job.is_main) {
    flow = node_->run_main_body();
  } else if (job.is_loader) {
    flow = run_loader(job);
  } else if (job.ends_hooks) {
    end_hooks_of_promises();
  } else if (job.is_microtask) {
    flow = node_->callbacks.run(job.callback);
    heap_.release(job.callback);
  } else if (job.is_await) {
    flow = run_await(job);
  } else if (job.callback.place != kNone) {
    run_reaction_job(job);
  } else {
    const InContext in_context(*this, job.async_context);
    const InPromise in_promise(*this, job);
    const Js result = js_->run_job(job.function, job.arguments);
    end_computation();
    if (result == kException)
      flow = threw();
    else
      js_->free(result);
  }
  running_job_ = nullptr;
  if (jobs_ == 0) ++job_number_;
  for (Js value : job.arguments) js_->free(value);
  js_->free(job.async_context);
  js_->free(job.thrown_away);
  return node_->callbacks.stopping() ? Flow::stop : flow;
}

// NewPromiseReactionJob (ECMAScript 27.2.2.1), with the handler as a callback of its own.
void Engine::run_reaction_job(const Job& job) {
  const InPromise in_promise(*this, job);
  Value result;
  const Value argument = to_node(job.arguments[4]);
  const Flow flow = node_->callbacks.run(job.callback, std::span(&argument, 1), -1, &result);
  heap_.release(argument);
  const runtime::Callbacks::Behind behind(node_->callbacks, job.callback.id);
  heap_.release(job.callback);
  if (flow == Flow::stop) return;
  bool has_thrown = flow == Flow::threw;
  if (has_thrown) {
    if (tracer_.on())
      tracer_.add_text(EventKind::caught, to_text(exception_)).detail = static_cast<std::uint8_t>(CatchKind::promise);
    result = take_exception();
  }
  const Js value = to_js(result);
  heap_.release(result);
  const InContext in_context(*this, has_thrown ? failed_context_ : job.async_context);
  const Js returned = js_->call(job.arguments[has_thrown ? 1 : 0], kUndefined, std::span<const Js>(&value, 1));
  js_->free(value);
  if (returned == kException)
    js_->free(js_->take_exception());
  else
    js_->free(returned);
}

// Node's stand-in for a promise. The promise lives from then on: its address is its key.
std::uint32_t Engine::promise_of(Js promise) {
  const auto [known, is_new] = tracked_.try_emplace(pointer_of(promise), kNone);
  if (is_new) {
    known->second = heap_.promises.make();
    node::PromiseObject& object = heap_.promises[known->second];
    object.refs = 1;
    object.number = ++promises_made_;
    promise_objects_.emplace(known->second, js_->dup(promise));
  }
  return known->second;
}

void Engine::rejection(Js promise, Js reason, bool is_handled) {
  ++host_calls_;
  if (main_promise_ != kUndefined && pointer_of(promise) == pointer_of(main_promise_)) return;  // the loader handles it
  const bool is_known = tracked_.contains(pointer_of(promise));
  if (is_handled && !is_known) return;
  const std::uint32_t number = promise_of(promise);
  if (is_handled && adopted_.contains(number)) return;
  if (is_handled) {
    forget_rejected_context(number);
    node_->rejections.track_handled(number);
    return;
  }
  if (async_context_ != kUndefined && keeps_stores_in_frames_ == kTrue) {
    Js& context = rejected_contexts_.try_emplace(number, kUndefined).first->second;
    js_->free(std::exchange(context, js_->dup(async_context_)));
  }
  heap_.promises[number].state = PromiseState::rejected;
  heap_.assign(heap_.promises[number].result, to_node(reason));
  node_->rejections.track(number);
}

void Engine::resolve_promise(std::uint32_t /*promise*/, const Value& /*value*/) {
}  // Node settles none: JavaScript does
void Engine::reject_promise(std::uint32_t /*promise*/, const Value& /*reason*/) {}

// ---- the main module ------------------------------------------------------------------------------------------------------------

void Engine::enqueue_main() {
  Job job;
  job.is_main = true;
  if (tracer_.on()) job.entry = tracer_.enqueue(Queue::microtasks, kNoName, "module", 0);
  push_job(std::move(job));
}

// The loader waits for the module's promise. A failure at once has been thrown: it goes the same way.
void Engine::watch_main(const Value& result, Flow flow, std::uint32_t hops) {
  heap_.release(result);
  main_hops_ = hops;
  loader_waits_ = true;
  if (flow == Flow::threw || !main_is_pending()) main_has_settled();
}

bool Engine::main_is_pending() const {
  return main_promise_ != kUndefined && js_->state_of(main_promise_) == Instance::PromiseState::pending;
}

void Engine::main_has_settled() {
  if (!loader_waits_) return;
  loader_waits_ = false;
  Job job;
  job.is_loader = true;
  job.hops = main_hops_;
  if (tracer_.on()) job.entry = tracer_.enqueue(Queue::microtasks, kNoName, "module", node_->callbacks.running());
  push_job(std::move(job));
}

Flow Engine::run_loader(const Job& job) {
  if (main_promise_ != kUndefined && js_->state_of(main_promise_) != Instance::PromiseState::rejected)
    return Flow::normal;
  if (job.hops > 0) {
    Job next;
    next.is_loader = true;
    next.hops = job.hops - 1;
    if (tracer_.on()) next.entry = tracer_.enqueue(Queue::microtasks, kNoName, "module", 0);
    push_job(std::move(next));
    return Flow::normal;
  }
  if (main_promise_ != kUndefined) {
    const Js reason = js_->result_of(main_promise_);
    keep_failed_context(async_context_);
    set_exception(to_node(reason));
    js_->free(reason);
  }
  if (captures_exceptions_) return fail_captured();
  main_has_failed_ = true;
  return Flow::threw;
}

// A function that captures exceptions is called by the loader itself. What it throws rejects the loader's promise.
Flow Engine::fail_captured() {
  const Flow flow = node_->exit.offer_to_capture();
  if (flow != Flow::threw) return flow;
  const Value error = take_exception();
  const Js argument = to_js(error);
  js_->free(js_->call(fail_loading_, kUndefined, std::span<const Js>(&argument, 1)));
  js_->free(argument);
  heap_.release(error);
  return Flow::normal;
}

// Both call the library (node/internal/modules.js).
std::optional<std::string> Engine::ask_for_text(Js function, std::span<const std::string> arguments) {
  std::vector<Js> values;
  for (const std::string& argument : arguments) values.push_back(js_->make_string(argument));
  const Js result = js_->call(function, kUndefined, values);
  for (const Js value : values) js_->free(value);
  if (result == kException) return std::nullopt;
  std::string text = js_->to_text(result);
  js_->free(result);
  return text;
}

std::optional<std::string> Engine::normalize_module(const std::string& base, const std::string& name) {
  const std::string arguments[] = {base, name};
  return ask_for_text(resolve_import_, arguments);
}

std::optional<std::string> Engine::load_module(const std::string& name) {
  std::optional<std::string> text = ask_for_text(load_import_, std::span<const std::string>(&name, 1));
  if (!text) return text;
  std::string_view source = *text;
  if (source.starts_with(kMetaBegins)) source.remove_prefix(source.find(kMetaEnds) + kMetaEnds.size());
  charge_bytes(source.size() * kStepsOfAKibibyte);
  if (throws_for_syntax(source, name, true)) return std::nullopt;
  prepare_for(source);
  if (main_promise_ == kUndefined) imported_.insert(name);
  return text;
}

// As V8 throws for what it cannot read: the place and its line are a part of the stack.
bool Engine::throws_for_syntax(std::string_view source, const std::string& file, bool is_module) {
  const int major = program_.profile->major;
  const std::vector<MissingSyntax> all = syntax_.missing(source, is_module, major);
  if (all.empty()) return false;
  const MissingSyntax& missing = all.front();
  const Js error = js_->make_error("SyntaxError", message_of(all, major));
  const std::string line = line_of(source, missing.line);
  std::string before;
  for (const char c : line.substr(0, missing.column - 1))
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) before += c == '\t' ? '\t' : ' ';
  const std::string name = ask_for_text(name_of_, std::span<const std::string>(&file, 1)).value_or(file);
  js_->assign(error, "stack",
              js_->make_string(
                  fmt::format("{}:{}\n{}\n{}^\n\n{}", name, missing.line, line, before, js_->text_of(error, "stack"))));
  js_->throw_value(error);
  return true;
}

// ---- `process` ------------------------------------------------------------------------------------------------------------------

bool Engine::process_has(std::string_view event) {
  if (js_ == nullptr || is_object(count_process_) == false) return false;
  const Js name[] = {js_->make_string(event)};
  const Js count = js_->call(count_process_, kUndefined, name);
  js_->free(name[0]);
  return is_number(count) && number_of(count) > 0;
}

// Node 11 to 14 look for the domain of what was thrown: a proxy tells.
void Engine::look_for_domain(const Value& error) {
  if (program_.profile->major < 11 || program_.profile->major > 14) return;
  const Js thrown = to_js(error);
  if (is_object(thrown)) {
    const Js domain = js_->get(thrown, "domain");
    if (domain == kException)
      js_->free(js_->take_exception());
    else
      js_->free(domain);
  }
  js_->free(thrown);
}

Flow Engine::emit_process(std::string_view event, std::span<const Value> arguments, TimeNs /*due*/,
                          bool* had_listeners) {
  if (event == "uncaughtExceptionMonitor") look_for_domain(arguments[0]);
  const bool has = process_has(event);
  if (had_listeners != nullptr) *had_listeners = has;
  if (has_failed_ && !event.starts_with("uncaughtException") && event != "exit" && !forget_failure()) return Flow::stop;
  if (!has) return Flow::normal;
  std::vector<Js> values = {js_->make_string(event)};
  for (const Value& value : arguments) values.push_back(to_js(value));
  std::optional<InContext> in_context;
  if (event.starts_with("SIG")) in_context.emplace(*this, async_context_);  // the library enters that of the signal
  const Js returned = js_->call(emit_process_, kUndefined, values);
  for (Js value : values) js_->free(value);
  if (returned == kException) return threw();
  const bool is_heard = js_->to_boolean(returned);  // as the program's own emit() says, if it has put one there
  js_->free(returned);
  if (had_listeners != nullptr) *had_listeners = is_heard;
  if (event == "uncaughtException" && is_heard && !node_->callbacks.stopping()) {
    begin_own_immediate();
    if (!forget_failure()) return Flow::stop;
  }
  return node_->callbacks.stopping() ? Flow::stop : Flow::normal;
}

// ---- errors that nobody handles ---------------------------------------------------------------------------------------------------

Flow Engine::ask(Js function, std::span<const Js> arguments) {
  const Js returned = js_->call(function, kUndefined, arguments);
  if (returned == kException) return threw();
  js_->free(returned);
  return node_->callbacks.stopping() ? Flow::stop : Flow::normal;
}

// What the report itself throws, nobody sees.
std::string Engine::report_fatal(const Value& error, bool from_promise) {
  if (!reports_errors()) return {};
  const Js arguments[] = {to_js(error), Instance::make_boolean(from_promise)};
  const Js advice = js_->call(report_fatal_, kUndefined, arguments);
  std::string text;
  if (advice != kException)
    text = js_->to_text(advice);
  else if (threw() == Flow::threw)
    heap_.release(take_exception());
  js_->free(advice);
  js_->free(arguments[0]);
  return text;
}

void Engine::report_unsettled_await() {
  if (ask(report_unsettled_, {}) == Flow::threw) heap_.release(take_exception());
}

Value Engine::unhandled_rejection(const Value& reason) {
  keep_failed_context(async_context_);
  const Js argument = to_js(reason);
  const Js made = js_->call(unhandled_rejection_, kUndefined, std::span<const Js>(&argument, 1));
  js_->free(argument);
  const Js error = made == kException ? js_->take_exception() : made;
  const Value value = to_node(error);
  js_->free(error);
  return value;
}

Flow Engine::warn_of_rejection(const Value& reason, std::uint64_t number) {
  const Js arguments[] = {to_js(reason), js_->make_number(static_cast<double>(number))};
  const Flow flow = ask(warn_of_rejection_, arguments);
  js_->free(arguments[0]);
  return flow;
}

Flow Engine::warn_of_late_handler(std::uint64_t number) {
  const Js argument = js_->make_number(static_cast<double>(number));
  return ask(warn_of_late_handler_, std::span<const Js>(&argument, 1));
}

// ---- the world ------------------------------------------------------------------------------------------------------------------

// A reading takes time of the thread, so that a loop that waits for a time ends.
std::int64_t Engine::read_clock(bool is_monotonic) {
  ++host_calls_;
  if (node_ == nullptr || js_ == nullptr) return 0;
  pay_for_jumps();
  const TimeNs now = node_->machine().now();
  if (!clock_is_free_) compute(program_.machine.clock_reading());
  return is_monotonic ? node_->clock_phase() + now : kStartOfTheClock + node_->clock_phase() + now;
}

void Engine::random(std::span<std::uint8_t> bytes) {
  ++host_calls_;
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_.next() >> 24U);
}

}  // namespace loopsim::quickjs
