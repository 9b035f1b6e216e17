#include "sim/quickjs/web_engine.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loopsim/assert.hpp"

#include "sim/quickjs/layout.hpp"
#include "sim/quickjs/library.hpp"

namespace loopsim::quickjs {

namespace {

constexpr std::uint32_t kScriptStream = 0x7765;   // beside the machine's streams (MachineStream)
constexpr std::size_t kStepsOfAnInterrupt = 599;  // beside the step that is counted there (engine.cpp)
constexpr TimeNs kTold = 100 * kMicrosecond;      // a shorter computation is not told (computation.cpp)

// A reaction is known by its capability's resolve function, or, of an await, by its handler: both are made for it alone.
std::uint32_t reaction_key(Js resolve, Js handler) { return pointer_of(is_object(resolve) ? resolve : handler); }

}  // namespace

WebEngine::WebEngine(const Program& program, std::uint64_t seed, Tracer& tracer, Names& names)
    : browser::Engine(program.limits.steps),
      program_(program),
      tracer_(tracer),
      names_(names),
      where_(program.script->source, 0, tracer, names, places_, program.script->parts),
      seed_(seed),
      random_(seed, kScriptStream) {}

// ---- calls ----------------------------------------------------------------------------------------------------------

WebEngine::Flow WebEngine::call(std::uint32_t /*place*/, std::uint32_t context, std::span<const Value> arguments,
                                Value* result) {
  if (!count_step()) return out_of_steps();
  LOOPSIM_ASSERT(context < contexts_.size() && contexts_[context].function != kException);  // it is not free
  const Bound& bound = contexts_[context];
  std::vector<Js> values;
  if (arguments.empty()) {
    for (const Js value : bound.arguments) values.push_back(js_->dup(value));
  } else {
    for (const Value& value : arguments) values.push_back(to_js(value));
  }
  const Js function = js_->dup(bound.function);  // the call may end its own callable
  const Js self = js_->dup(bound.self);
  const Js returned = js_->call(function, self, values);
  end_computation();
  Flow flow = Flow::normal;
  if (returned == kException)
    flow = threw();
  else if (result != nullptr)
    *result = to_value(returned);
  else
    js_->free(returned);
  for (const Js value : values) js_->free(value);
  js_->free(function);
  js_->free(self);
  return flow == Flow::normal && page_->callbacks.stopping() ? Flow::stop : flow;
}

WebEngine::Flow WebEngine::run_main(Value* /*result*/) {
  if (const Flow flow = start_world(); flow != Flow::normal) return flow;
  const Script& script = *program_.script;
  Js returned = kUndefined;
  if (program_.entry == EntryPoint::module) {
    returned = js_->evaluate_module(script.source, script.file);
    if (returned != kException && js_->state_of(returned) == Instance::PromiseState::rejected) {
      const Js reason = js_->result_of(returned);
      std::erase_if(rejected_, [&](Rejected& one) { return pointer_of(one.promise) == pointer_of(returned); });
      js_->throw_value(reason);
      returned = kException;
    }
  } else {
    returned = js_->evaluate(script.source, script.file);
  }
  end_computation();
  if (returned == kException) return threw();
  js_->free(returned);
  return page_->callbacks.stopping() ? Flow::stop : Flow::normal;
}

// The library gets the functions of web_bindings.cpp, and gives those that are called here.
WebEngine::Flow WebEngine::start_world() {
  js_ = std::make_unique<Instance>(static_cast<Host&>(*this), library_world());
  js_->enlarge_stack();
  where_.set_world(*js_, js_->atom(program_.script->file));
  const Js world = js_->global();
  const Js native = js_->make_object();
  const std::span<const BindingRow> rows = bindings();
  for (std::size_t i = 0; i < rows.size(); ++i)
    js_->set(native, rows[i].name, js_->make_function(rows[i].name, rows[i].length, static_cast<std::uint32_t>(i)));
  js_->set(native, "facts", make_facts());
  const Js start = js_->get(world, "__loopsim_start_window");
  if (!is_object(start)) {  // the playground's engine
    js_->throw_error("Error", "this build of loopsim has no browsers");
    return threw();
  }
  const Js made = js_->call(start, kUndefined, std::span<const Js>(&native, 1));
  js_->free(start);
  js_->free(native);
  js_->free(world);
  if (made == kException) return threw();
  constexpr std::pair<std::string_view, Js WebEngine::*> kFunctions[] = {
      {"reportException", &WebEngine::report_},       {"dispatchInput", &WebEngine::dispatch_input_},
      {"rejected", &WebEngine::tell_rejected_},       {"rejectionHandled", &WebEngine::tell_handled_},
      {"makeDeadline", &WebEngine::make_deadline_},   {"afterAnimationFrames", &WebEngine::after_frames_},
      {"finishParsing", &WebEngine::finish_parsing_}, {"finishLoading", &WebEngine::finish_loading_},
  };
  for (const auto& [name, function] : kFunctions) this->*function = js_->get(made, name);
  js_->free(made);
  has_started_ = true;
  js_->count_work();
  paid_jumps_ = js_->jumps();
  if (when_started_) when_started_();
  return Flow::normal;
}

WebEngine::Flow WebEngine::ask(Js function, std::span<const Js> arguments) {
  const Js returned = js_->call(function, kUndefined, arguments);
  end_computation();
  if (returned == kException) return threw();
  js_->free(returned);
  return page_->callbacks.stopping() ? Flow::stop : Flow::normal;
}

WebEngine::Flow WebEngine::threw() {
  const Js thrown = js_->take_exception();
  if (page_->callbacks.stopping()) {
    js_->free(thrown);
    return Flow::stop;
  }
  if (has_exception_) js_->free(exception_);
  exception_ = thrown;
  has_exception_ = true;
  if (tracer_.on()) tracer_.add_text(EventKind::throw_, js_->describe(thrown));
  return Flow::threw;
}

WebEngine::Flow WebEngine::out_of_steps() {
  page_->ending.halt_for_steps();
  return Flow::stop;
}

// ---- callables and values -------------------------------------------------------------------------------------------

WebEngine::Callable WebEngine::callable(Api api, Js function, std::span<const Js> arguments, Js self, Js named) {
  std::uint32_t context = 0;
  if (free_contexts_.empty()) {
    context = static_cast<std::uint32_t>(contexts_.size());
    contexts_.emplace_back();
  } else {
    context = free_contexts_.back();
    free_contexts_.pop_back();
  }
  Bound& bound = contexts_[context];
  bound.function = js_->dup(function);
  bound.self = js_->dup(self);
  for (const Js value : arguments) bound.arguments.push_back(js_->dup(value));
  return {where_.of_call(api, is_object(named) ? named : function), context, kNone};
}

void WebEngine::release(const Callback& callback) {
  if (callback.context == kNone) return;
  LOOPSIM_ASSERT(callback.context < contexts_.size() && contexts_[callback.context].function != kException);
  const Bound gone = std::exchange(contexts_[callback.context], {});
  free_contexts_.push_back(callback.context);
  js_->free(gone.function);
  js_->free(gone.self);
  for (const Js value : gone.arguments) js_->free(value);
}

Owned WebEngine::to_js(const Value& value) {
  switch (value.tag) {
    case runtime::Tag::null: return kNull;
    case runtime::Tag::boolean: return value.index != 0 ? kTrue : kFalse;
    case runtime::Tag::number: return js_->make_number(value.number);
    case runtime::Tag::foreign: return js_->dup(foreigns_[value.index]);
    default: return kUndefined;
  }
}

WebEngine::Value WebEngine::to_value(Owned value) {
  if (value == kUndefined) return {};
  std::uint32_t index = 0;
  if (free_foreigns_.empty()) {
    index = static_cast<std::uint32_t>(foreigns_.size());
    foreigns_.push_back(value);
  } else {
    index = free_foreigns_.back();
    free_foreigns_.pop_back();
    foreigns_[index] = value;
  }
  return Value::object(runtime::Tag::foreign, index);
}

void WebEngine::release(const Value& value) {
  if (value.tag != runtime::Tag::foreign) return;
  js_->free(std::exchange(foreigns_[value.index], kUndefined));
  free_foreigns_.push_back(value.index);
}

// ---- events ---------------------------------------------------------------------------------------------------------

WebEngine::Flow WebEngine::report_exception() {
  if (!has_exception_) return Flow::normal;
  const Js error = take_thrown();
  if (tracer_.on()) tracer_.add_text(EventKind::uncaught, js_->describe(error));
  const Flow flow = ask(report_, std::span<const Js>(&error, 1));
  js_->free(error);
  if (flow != Flow::threw) return flow;
  js_->free(take_thrown());
  return Flow::normal;
}

Owned WebEngine::take_thrown() {
  has_exception_ = false;
  return std::exchange(exception_, kUndefined);
}

WebEngine::Flow WebEngine::dispatch_input(std::uint32_t number) {
  const OutsideEvent& input = program_.inputs[number];
  const Js arguments[] = {js_->make_string(input.client_name), js_->make_string(input.data), kUndefined};
  const Flow flow = ask(dispatch_input_, arguments);
  for (const Js value : arguments) js_->free(value);
  return flow == Flow::threw ? report_exception() : flow;
}

WebEngine::Flow WebEngine::after_animation_frames() { return tell(after_frames_); }

WebEngine::Flow WebEngine::tell(Js function) {
  const Flow flow = ask(function, {});
  return flow == Flow::threw ? report_exception() : flow;
}

WebEngine::Value WebEngine::make_deadline(TimeNs end, bool did_timeout) {
  const Js arguments[] = {js_->make_number(static_cast<double>(end) / static_cast<double>(kMillisecond)),
                          Instance::make_boolean(did_timeout)};
  const Js made = js_->call(make_deadline_, kUndefined, arguments);
  if (made != kException) return to_value(made);
  js_->free(js_->take_exception());
  return {};
}

// ---- jobs -----------------------------------------------------------------------------------------------------------

void WebEngine::push_job(Job&& job) {
  job_queue_.push(std::move(job));
  ++jobs_;
  if (jobs_ > program_.limits.queue) page_->too_many_jobs();
}

// PerformPromiseThen: the program's handlers get their numbers.
void WebEngine::reacts(Js /*promise*/, Js fulfilled, Js rejected, Js resolve) {
  Reaction reaction;
  reactions_.erase(reaction_key(resolve, fulfilled));  // of a promise that was collected before it was settled
  if (!is_object(resolve)) {
    page_->callbacks.hand_over(reaction.fulfilled, Callable{where_.of_await(fulfilled), kNone, kNone});
    page_->callbacks.announce(reaction.fulfilled, ScheduleKind::first, -1, -1);
    reaction.keys[0] = pointer_of(fulfilled);
    reaction.keys[1] = pointer_of(rejected);
    for (const std::uint32_t key : reaction.keys) reactions_[key] = reaction;
    return;
  }
  const auto hand_over = [&](Callback& callback, Api api, Js handler) {
    if (!js_->is_plain_function(handler)) return;
    page_->callbacks.hand_over(callback, callable(api, handler));
    page_->callbacks.announce(callback, ScheduleKind::first, -1, -1);
  };
  hand_over(reaction.fulfilled, Api::then, fulfilled);
  hand_over(reaction.rejected, Api::catch_, rejected);
  if (reaction.fulfilled.place == kNone && reaction.rejected.place == kNone) return;
  reactions_[reaction_key(resolve, fulfilled)] = reaction;
}

void WebEngine::settles(Js /*promise*/, bool /*is_rejected*/, Js /*value*/) {}

bool WebEngine::await_wraps(Js /*value*/) { return awaits_wrap(); }

// A PromiseReactionJob has (resolve, reject, handler, is_reject, argument), a PromiseResolveThenableJob three arguments.
void WebEngine::enqueue_job(std::uint32_t job_function, std::span<const Js> arguments) {
  Job job;
  job.function = job_function;
  for (const Js value : arguments) job.arguments.push_back(js_->dup(value));
  constexpr std::size_t kOfReaction = 5;
  if (arguments.size() == kOfReaction) {
    const bool is_rejected = arguments[3] == kTrue;
    if (const auto found = reactions_.find(reaction_key(arguments[0], arguments[2])); found != reactions_.end()) {
      const Reaction reaction = found->second;
      job.is_await = !is_object(arguments[0]);
      reactions_.erase(found);
      if (job.is_await)
        for (const std::uint32_t key : reaction.keys) reactions_.erase(key);
      const Callback& other = is_rejected ? reaction.fulfilled : reaction.rejected;
      job.callback = is_rejected && !job.is_await ? reaction.rejected : reaction.fulfilled;
      if (!job.is_await && other.place != kNone) {
        page_->callbacks.trace_cancel(other, CancelReason::settled);
        release(other);
      }
    }
  }
  if (job.callback.place != kNone)
    trace_queued(job);
  else if (tracer_.on())
    job.entry =
        tracer_.enqueue(Queue::microtasks, kNoName,
                        arguments.size() == kOfReaction ? "NewPromiseReactionJob" : "NewPromiseResolveThenableJob",
                        page_->callbacks.running());
  push_job(std::move(job));
}

// What its promise was settled with is told as a text.
void WebEngine::trace_queued(const Job& job) {
  if (!tracer_.on()) return;
  page_->callbacks.trace_reaction_queued(job.callback, job.arguments[3] == kTrue, js_->describe(job.arguments[4]));
}

WebEngine::Flow WebEngine::run_job() {
  const Job job = job_queue_.pop();
  --jobs_;
  tracer_.dequeue(Queue::microtasks, job.entry, kNoName, {});
  Flow flow = Flow::normal;
  if (job.is_microtask) {
    flow = page_->callbacks.run(job.callback);
    release(job.callback);
  } else if (job.is_await) {
    flow = run_await(job);
  } else if (job.callback.place != kNone) {
    flow = run_reaction_job(job);
  } else {
    const Js result = js_->run_job(job.function, job.arguments);
    end_computation();
    if (result == kException)
      flow = threw();
    else
      js_->free(result);
  }
  for (const Js value : job.arguments) js_->free(value);
  return page_->callbacks.stopping() ? Flow::stop : flow;
}

// The rest of an async function, to its next await or its end.
WebEngine::Flow WebEngine::run_await(const Job& job) {
  const Callback& callback = job.callback;
  const std::uint32_t label = places_[callback.place].label;
  if (!page_->callbacks.begin(Api::await, label, callback.id, callback.by, -1)) return Flow::stop;
  const std::uint64_t outer = page_->callbacks.running();
  page_->callbacks.set_running(callback.id);
  const Js result = js_->run_job(job.function, job.arguments);
  end_computation();
  const Flow flow = result == kException ? threw() : Flow::normal;
  if (result != kException) js_->free(result);
  page_->callbacks.set_running(outer);
  if (tracer_.on()) {
    page_->thread.note_ended(callback.id);
    page_->callbacks.end(Api::await, label, callback.id, flow == Flow::threw ? Completion::throw_ : Completion::normal);
  }
  return flow;
}

// NewPromiseReactionJob (ECMAScript 27.2.2.1), with the handler as a callback of its own.
WebEngine::Flow WebEngine::run_reaction_job(const Job& job) {
  Value result;
  const Value argument = to_value(js_->dup(job.arguments[4]));
  // An undefined argument is handed over as such: the handler's own list of arguments is empty.
  const Flow flow = page_->callbacks.run(job.callback, std::span(&argument, 1), -1, &result);
  release(argument);
  const runtime::Callbacks::Behind behind(page_->callbacks, job.callback.id);
  release(job.callback);
  if (flow == Flow::stop) return flow;
  const bool has_thrown = flow == Flow::threw;
  Js value = kUndefined;
  if (has_thrown) {
    if (tracer_.on())
      tracer_.add_text(EventKind::caught, js_->describe(exception_)).detail =
          static_cast<std::uint8_t>(CatchKind::promise);
    value = take_thrown();
  } else {
    value = to_js(result);
    release(result);
  }
  const Js returned = js_->call(job.arguments[has_thrown ? 1 : 0], kUndefined, std::span<const Js>(&value, 1));
  js_->free(value);
  js_->free(returned == kException ? js_->take_exception() : returned);
  return Flow::normal;
}

// ---- rejections -----------------------------------------------------------------------------------------------------

// HTML, HostPromiseRejectionTracker.
void WebEngine::rejection(Js promise, Js reason, bool is_handled) {
  if (!is_handled) {
    rejected_.push_back({js_->dup(promise), js_->dup(reason), false});
    return;
  }
  const auto is_it = [promise](const Rejected& one) { return pointer_of(one.promise) == pointer_of(promise); };
  if (const auto found = std::ranges::find_if(rejected_, is_it); found != rejected_.end()) {
    js_->free(found->promise);
    js_->free(found->reason);
    rejected_.erase(found);
    return;
  }
  for (std::vector<Rejected>& batch : batches_)
    for (Rejected& one : batch)
      if (is_it(one)) one.is_handled = true;
  for (Rejected& one : telling_)
    if (is_it(one)) one.is_handled = true;
  const auto told = std::ranges::find_if(told_, is_it);
  if (told == told_.end()) return;
  Rejected late = *told;
  late.is_late = true;
  told_.erase(told);
  queue_batch({late});
}

void WebEngine::queue_batch(std::vector<Rejected>&& batch) {
  batches_.push_back(std::move(batch));
  page_->queue_rejections(first_batch_ + static_cast<std::uint32_t>(batches_.size()) - 1);
}

void WebEngine::queue_rejections() { queue_batch(std::exchange(rejected_, {})); }

WebEngine::Flow WebEngine::tell_rejections(std::uint32_t batch) {
  telling_ = std::exchange(batches_[batch - first_batch_], {});
  while (!batches_.empty() && batches_.front().empty()) {
    batches_.pop_front();
    ++first_batch_;
  }
  Flow flow = Flow::normal;
  // A listener may handle another one meanwhile.
  for (std::size_t i = 0; i < telling_.size(); ++i) {
    const Js arguments[] = {telling_[i].promise, telling_[i].reason};
    const bool is_told = flow != Flow::stop && (telling_[i].is_late || !telling_[i].is_handled);
    if (is_told) flow = ask(telling_[i].is_late ? tell_handled_ : tell_rejected_, arguments);
    if (flow == Flow::threw) flow = report_exception();
    if (is_told && !telling_[i].is_handled && !telling_[i].is_late) {
      told_.push_back(telling_[i]);
      continue;
    }
    for (const Js value : arguments) js_->free(value);
  }
  telling_.clear();
  return flow;
}

// ---- the world ------------------------------------------------------------------------------------------------------

bool WebEngine::interrupt() {
  js_->count_interrupt();
  if (!has_started_) return false;
  // Of a script that was made of steps each jump is one, as for the interpreter.
  constexpr std::size_t kJumps = layout::context::interrupt_every;
  charge_bytes((program_.script->parts.empty() ? kStepsOfAnInterrupt : kJumps - 1) << 10U);
  if (!count_step()) page_->ending.halt_for_steps();
  return !pay_for_jumps();
}

bool WebEngine::works(std::uint32_t portions) {
  if (!has_started_) return true;
  charge_bytes((portions * (kStepsOfAnInterrupt + 1) - 1) << 10U);
  return count_step();
}

void WebEngine::stops_at_work() { page_->ending.halt_for_steps(); }

// A reading takes time of the thread, so that a loop that waits for a time ends.
std::int64_t WebEngine::read_clock(bool is_monotonic) {
  if (page_ == nullptr || js_ == nullptr) return 0;
  pay_for_jumps();
  const TimeNs now = page_->now();
  const bool is_of_a_text = !is_monotonic && !program_.script->parts.empty();  // {now} costs a step nothing, as in Node
  if (!is_of_a_text) compute(program_.machine.clock_reading());
  return is_monotonic ? now : kStartOfTheClock + page_->clock_phase() + now;
}

void WebEngine::random(std::span<std::uint8_t> bytes) {
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_.next() >> 24U);
}

// A page imports what its document says; here it has no other files.
std::optional<std::string> WebEngine::normalize_module(const std::string& /*base*/, const std::string& name) {
  return name;
}

std::optional<std::string> WebEngine::load_module(const std::string& name) {
  js_->throw_error("TypeError", "Failed to fetch dynamically imported module: " + name);
  return std::nullopt;
}

// ---- what computation costs (computation.cpp) -----------------------------------------------------------------------

bool WebEngine::pay_for_jumps() {
  if (!has_started_) return !page_->callbacks.stopping();
  const std::uint64_t jumps = js_->jumps();
  const auto cost = static_cast<std::uint64_t>(program_.machine.overhead.jumps.a);
  unpaid_ += (jumps - std::exchange(paid_jumps_, jumps)) * cost;
  constexpr std::uint64_t kThousand = 1'000;
  const auto amount = static_cast<TimeNs>(unpaid_ / kThousand);
  unpaid_ %= kThousand;
  return compute(amount);
}

bool WebEngine::compute(TimeNs amount) {
  if (amount <= 0 || page_->callbacks.stopping()) return !page_->callbacks.stopping();
  if (computes_from_ == kNever) computes_from_ = page_->now();
  computed_ += page_->thread.compute(amount);
  return !page_->callbacks.stopping();
}

bool WebEngine::end_computation() {
  const bool goes_on = pay_for_jumps();
  if (computed_ >= kTold && tracer_.on() && goes_on) {
    Event& event = tracer_.add(EventKind::burn);
    event.detail = static_cast<std::uint8_t>(BurnKind::cpu);
    event.a = computed_;
    event.b = computes_from_;
    event.c = page_->now() - computes_from_;
  }
  computes_from_ = kNever;
  computed_ = 0;
  return goes_on;
}

}  // namespace loopsim::quickjs
