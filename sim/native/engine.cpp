#include "sim/native/engine.hpp"

#include <cmath>
#include <exception>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "loopsim/assert.hpp"
#include "loopsim/process.hpp"

#include "sim/node/environment.hpp"

namespace loopsim::native {

using node::ErrorObject;
using node::Heap;
using node::PromiseObject;
using node::PromiseState;
using node::Reaction;
using node::Tag;

Engine::Engine(std::uint64_t step_limit, std::uint64_t queue_limit, Tracer& tracer, Names& names, Function main)
    : node::Engine(step_limit), tracer_(tracer), names_(names), queue_limit_(queue_limit), main_(std::move(main)) {
  heap_.when_scope_ends(this, on_scope_ended);
}

// Handles that the functions capture may end the scopes of other functions: on_scope_ended() must not run any more.
Engine::~Engine() {
  heap_.when_scope_ends(nullptr, nullptr);
  functions_.clear();
}

void Engine::connect(node::Environment& node, TimeMs /*start_clock*/) { node_ = &node; }

// ---- callables ----------------------------------------------------------------------------------------------------------------

Callable Engine::callable(Api api, std::string_view label, Function function) {
  auto place = place_of_.find(std::pair(api, std::string(label)));
  if (place == place_of_.end()) {
    place = place_of_.emplace(std::pair(api, std::string(label)), static_cast<std::uint32_t>(places_.size())).first;
    places_.push_back({label.empty() ? kNoName : name(label), 0, 0, api, kNone});
  }
  const std::uint32_t context = heap_.make_scope(kNone, 0);
  if (context >= functions_.size()) functions_.resize(context + 1);
  functions_[context] = std::move(function);
  return {place->second, context, kNone};
}

void Engine::on_scope_ended(void* self, std::uint32_t scope) {
  // Handles that it captures may end the scopes of other functions: remove it before they do.
  const Function gone = std::exchange(static_cast<Engine*>(self)->functions_[scope], nullptr);
}

Flow Engine::call(std::uint32_t /*place*/, std::uint32_t context, std::span<const Value> arguments, Value* /*result*/) {
  if (!count_step()) return out_of_steps();
  heap_.retain_scope(context);  // the call may release its own callable
  LOOPSIM_ASSERT(context < functions_.size() && functions_[context] != nullptr);
  const Flow flow = call_function(functions_[context], arguments);
  heap_.release_scope(context);
  return flow;
}

Flow Engine::run_leaf(std::uint32_t place, std::uint32_t context) { return call(place, context, {}, nullptr); }

Flow Engine::run_main(Value* /*result*/) { return call_function(main_, {}); }

Flow Engine::call_function(const Function& function, std::span<const Value> arguments) {
  Flow flow = Flow::normal;
  try {
    if (function) function(arguments);
  } catch (const ProcessIsOver&) {
    return Flow::stop;
  } catch (const Error& error) {
    flow = throw_error(error.name, error.what(), error.code);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    flow = throw_error("Error", error.what());
  }
  return node_->callbacks.stopping() ? Flow::stop : flow;
}

void Engine::fail(Flow flow) {
  if (flow == Flow::stop) throw ProcessIsOver();
  if (flow != Flow::threw) return;
  const Value thrown = take_exception();
  const ErrorObject* error = error_of(thrown);
  const Error copy =
      error != nullptr ? Error(error->message, error->code, error->name) : Error(to_text(thrown), {}, "Error");
  heap_.release(thrown);
  throw copy;  // NOLINT(cert-err09-cpp): a copy of what the heap has given up
}

// ---- exceptions ---------------------------------------------------------------------------------------------------------------

Flow Engine::throw_value(const Value& value) {
  set_exception(value);
  charge_text(value);
  if (tracer_.on()) tracer_.add_text(EventKind::throw_, to_text(value));
  return Flow::threw;
}

// ---- jobs and promises (ECMAScript 27.2) ----------------------------------------------------------------------------------------

void Engine::enqueue(const Job& job) {
  job_queue_.push(job);
  ++jobs_;
  if (jobs_ > queue_limit_) node_->task_queue.too_long();
}

// What a promise was settled with, as text; empty: undefined.
std::string Engine::trace_text(const Value& value) const {
  return value.tag == Tag::undefined ? std::string() : to_text(value);
}

// The job of a reaction without a callback for this outcome.
void Engine::trace_passing_on(Job& job, bool is_rejected) {
  job.entry = tracer_.enqueue(Queue::microtasks, kNoName, "NewPromiseReactionJob", node_->callbacks.running());
  Event& event = tracer_.last();
  event.detail2 = static_cast<std::uint8_t>(loopsim::Job::passes_on);
  event.promise = promise_number(heap_.promises[job.settled].number);
  event.result = promise_number(heap_.promises[heap_.reactions[job.reaction].derived].number);
  event.b = is_rejected ? 1 : 0;
}

// Queues the reaction as a job. The callback for the other outcome will not run.
void Engine::enqueue_reaction(std::uint32_t index, std::uint32_t settled) {
  Job job;
  job.reaction = index;
  job.settled = settled;
  if (tracer_.on()) {
    const Reaction& reaction = heap_.reactions[index];
    const bool is_rejected = heap_.promises[settled].state == PromiseState::rejected;
    const Callback& called = is_rejected ? reaction.rejected : reaction.fulfilled;
    const Callback& other = is_rejected ? reaction.fulfilled : reaction.rejected;
    node_->callbacks.trace_cancel(other, CancelReason::settled);
    if (called.place != kNone)
      node_->callbacks.trace_reaction_queued(called, is_rejected, trace_text(heap_.promises[settled].result));
    else
      trace_passing_on(job, is_rejected);
  }
  enqueue(job);
}

void Engine::queue_microtask(Function function, std::string_view label) {
  node_->task_queue.note_queue_microtask();
  Job job;
  node_->callbacks.hand_over(job.callback, callable(Api::queue_microtask, label, std::move(function)));
  node_->callbacks.announce(job.callback, ScheduleKind::first, -1, -1);
  enqueue(job);
}

Flow Engine::run_job() {
  const Job job = job_queue_.pop();
  tracer_.dequeue(Queue::microtasks, job.entry, kNoName, {});
  --jobs_;
  if (job.reaction != kNone) return run_reaction(job.reaction, job.settled);
  const Flow flow = node_->callbacks.run(job.callback);
  heap_.release(job.callback);
  return flow;
}

void Engine::enqueue_main() {}
void Engine::watch_main(const Value& result, Flow /*flow*/, std::uint32_t /*hops*/) { heap_.release(result); }

std::uint32_t Engine::new_promise(std::string_view label) {
  const std::uint32_t index = heap_.promises.make();
  PromiseObject& promise = heap_.promises[index];
  promise.refs = 1;
  promise.label = label.empty() ? kNoName : name(label);
  promise.number = ++promises_made_;
  return index;
}

// No promise follows another: C++ functions return no value.
void Engine::resolve_promise(std::uint32_t promise, const Value& value) {
  if (heap_.promises[promise].already_resolved) return node_->task_queue.note_double_settlement();
  settle(promise, PromiseState::fulfilled, value);
}

void Engine::reject_promise(std::uint32_t promise, const Value& reason) {
  if (heap_.promises[promise].already_resolved) return node_->task_queue.note_double_settlement();
  charge_text(reason);
  settle(promise, PromiseState::rejected, reason);
}

void Engine::settle(std::uint32_t index, PromiseState state, const Value& value) {
  PromiseObject& promise = heap_.promises[index];
  promise.state = state;
  promise.already_resolved = true;
  promise.result = heap_.copy(value);
  if (tracer_.on() && promise.label != kNoName) {
    Event& event = tracer_.add_text(EventKind::settle, trace_text(value));
    event.id = promise.number;
    event.name = promise.label;
    event.detail =
        static_cast<std::uint8_t>(state == PromiseState::fulfilled ? Settlement::fulfilled : Settlement::rejected);
  }
  std::uint32_t reaction = std::exchange(promise.first_reaction, kNone);
  promise.last_reaction = kNone;
  if (state == PromiseState::rejected && !promise.handled) node_->rejections.track(index);
  while (reaction != kNone) {
    const std::uint32_t next = std::exchange(heap_.reactions[reaction].next, kNone);
    heap_.retain_promise(index);
    enqueue_reaction(reaction, index);
    reaction = next;
  }
}

std::uint32_t Engine::then(std::uint32_t index, Function fulfilled, Function rejected, std::string_view label) {
  const std::uint32_t derived = new_promise(label);
  const std::uint32_t reaction = heap_.reactions.make();
  Reaction& it = heap_.reactions[reaction];
  it.derived = derived;
  heap_.retain_promise(derived);
  const auto hand_over = [&](Callback& callback, Api api, Function& function) {
    if (!function) return;
    node_->callbacks.hand_over(callback, callable(api, label, std::move(function)));
    node_->callbacks.announce_reaction(callback, heap_.promises[index].number, heap_.promises[derived].number);
  };
  hand_over(it.fulfilled, Api::then, fulfilled);
  hand_over(it.rejected, Api::catch_, rejected);

  PromiseObject& promise = heap_.promises[index];
  if (promise.state == PromiseState::pending) {
    if (promise.first_reaction == kNone)
      promise.first_reaction = reaction;
    else
      heap_.reactions[promise.last_reaction].next = reaction;
    promise.last_reaction = reaction;
  } else {
    if (promise.state == PromiseState::rejected && !promise.handled) node_->rejections.track_handled(index);
    heap_.retain_promise(index);
    enqueue_reaction(reaction, index);
  }
  promise.handled = true;
  return derived;
}

// PromiseReactionJob.
Flow Engine::run_reaction(std::uint32_t index, std::uint32_t settled) {
  const Reaction reaction = heap_.reactions[index];
  const bool is_rejected = heap_.promises[settled].state == PromiseState::rejected;
  const Value value = heap_.copy(heap_.promises[settled].result);
  const Callback& callback = is_rejected ? reaction.rejected : reaction.fulfilled;
  Flow flow = Flow::normal;
  if (callback.place == kNone) {
    if (is_rejected)
      reject_promise(reaction.derived, value);
    else
      resolve_promise(reaction.derived, value);
  } else {
    flow = node_->callbacks.run(callback, std::span(&value, 1));
    const runtime::Callbacks::Behind behind(node_->callbacks, callback.id);
    if (flow == Flow::normal) {
      resolve_promise(reaction.derived, {});
    } else if (flow == Flow::threw) {
      if (tracer_.on()) {
        tracer_.add_text(EventKind::caught, to_text(exception_)).detail = static_cast<std::uint8_t>(CatchKind::promise);
      }
      const Value reason = take_exception();
      reject_promise(reaction.derived, reason);
      heap_.release(reason);
      flow = Flow::normal;
    }
  }
  heap_.release(value);
  heap_.release_promise(settled);
  heap_.free_reaction(index);
  return flow;
}

// ---- values -------------------------------------------------------------------------------------------------------------------

const ErrorObject* Engine::error_of(const Value& value) const {
  return value.tag == Tag::error ? &heap_.errors[value.index] : nullptr;
}

std::string_view Engine::string_of(const Value& value) const { return heap_.strings[value.index].text; }

std::string Engine::to_text(const Value& value) const {
  switch (value.tag) {
    case Tag::undefined: return "undefined";
    case Tag::null: return "null";
    case Tag::boolean: return value.index != 0 ? "true" : "false";
    case Tag::number: return fmt::format("{}", value.number);  // only codes, which are whole
    case Tag::string: return std::string(string_of(value));
    case Tag::error: {
      const ErrorObject& error = heap_.errors[value.index];
      std::string text = error.name;
      if (error.tells_code) text += " [" + error.code + "]";
      return error.message.empty() ? text : text + ": " + error.message;
    }
    default: return "[object Object]";
  }
}

double Engine::to_number(const Value& value) const { return value.tag == Tag::number ? value.number : std::nan(""); }

bool Engine::is_true(const Value& value) const {
  switch (value.tag) {
    case Tag::undefined:
    case Tag::null: return false;
    case Tag::boolean: return value.index != 0;
    case Tag::number: return value.number != 0;
    case Tag::string: return !string_of(value).empty();
    default: return true;
  }
}

std::uint32_t Engine::event_name(std::string_view event) {
  if (const auto known = event_of_.find(event); known != event_of_.end()) return known->second;
  const auto index = static_cast<std::uint32_t>(events_.size());
  events_.emplace_back(event);
  event_of_.emplace(event, index);
  return index;
}

void Engine::charge_text(const Value& value) {
  if (value.tag == Tag::string) charge_bytes(string_of(value).size());
  if (const ErrorObject* error = error_of(value)) charge_bytes(error->message.size());
}

Flow Engine::out_of_steps() {
  node_->ending.halt_for_steps();
  return Flow::stop;
}

}  // namespace loopsim::native
