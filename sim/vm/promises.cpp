// Promises, job by job as ECMAScript defines them (27.2), so that the number of microtasks is right.
#include <string>
#include <string_view>

#include "sim/node/environment.hpp"
#include "sim/vm/engine.hpp"

namespace loopsim::vm {

namespace {
// Reaction::position of a pass_on without then(): a promise that follows a callback's (Node 4); Promise.race.
constexpr std::uint32_t kFollows = 1;
constexpr std::uint32_t kRaces = 2;

// Node 4: a follower of a callback's promise takes its value as it is; a then() checks whether it is a promise.
bool passes_on_unread(const Reaction& reaction) {
  return reaction.kind == Reaction::Kind::pass_on && reaction.position != kRaces;
}

constexpr std::string_view kCycle = "Chaining cycle detected for promise #<Promise>";
}  // namespace

// The resolve function: the first call counts. A promise is followed through a separate job.
void Engine::resolve_promise(std::uint32_t index, const Value& value) {
  PromiseObject& promise = heap_.promises[index];
  if (promise.already_resolved) return node_->task_queue.note_double_settlement();
  promise.already_resolved = true;
  if (value.tag != Tag::promise || profile_.following == PromiseFollowing::stores) return fulfill(index, value);
  if (value.index == index) {
    const Value error = heap_.make_error("TypeError", kCycle);
    reject(index, error);
    heap_.release(error);
    return;
  }
  PromiseObject& followed = heap_.promises[value.index];
  if (profile_.following == PromiseFollowing::adopts_settled && followed.state != PromiseState::pending) {
    if (followed.state == PromiseState::rejected && !followed.handled) node_->rejections.track_handled(value.index);
    followed.handled = true;
    return settle(index, followed.state, followed.result);
  }
  Microtask& job = enqueue(Microtask::Kind::thenable);
  job.index = index;
  job.argument = heap_.copy(value);
  heap_.retain_promise(index);
  if (tracer_.on()) trace_job(job, followed.number);
  count_microtasks();
}

void Engine::reject_promise(std::uint32_t index, const Value& reason) {
  PromiseObject& promise = heap_.promises[index];
  if (promise.already_resolved) return node_->task_queue.note_double_settlement();
  promise.already_resolved = true;
  reject(index, reason);
}

void Engine::settle(std::uint32_t index, PromiseState state, const Value& value) {
  PromiseObject& promise = heap_.promises[index];
  if (promise.state != PromiseState::pending) return;
  promise.state = state;
  promise.already_resolved = true;
  promise.result = heap_.copy(value);
  if (tracer_.on() && promise.label != kNoName) trace_settled(promise);
  std::uint32_t reaction = promise.first_reaction;
  promise.first_reaction = promise.last_reaction = kNone;
  if (state == PromiseState::rejected && !promise.handled) node_->rejections.track(index);
  while (reaction != kNone) {
    const std::uint32_t next = heap_.reactions[reaction].next;
    heap_.reactions[reaction].next = kNone;
    enqueue_settled(index, reaction);
    reaction = next;
  }
}

void Engine::trace_settled(const PromiseObject& promise) {
  Event& event = tracer_.add_text(EventKind::settle, trace_text(promise.result));
  event.id = promise.number;
  event.name = promise.label;
  event.detail = static_cast<std::uint8_t>(promise.state == PromiseState::fulfilled ? Settlement::fulfilled
                                                                                    : Settlement::rejected);
  trace_position(event);
  if (program_.most_steps_told != 0) tell_promise(promise);
}

// PerformPromiseThen. Takes over the reaction.
void Engine::perform_then(std::uint32_t index, std::uint32_t reaction) {
  PromiseObject& promise = heap_.promises[index];
  if (promise.state == PromiseState::pending) {
    if (promise.first_reaction == kNone)
      promise.first_reaction = reaction;
    else
      heap_.reactions[promise.last_reaction].next = reaction;
    promise.last_reaction = reaction;
  } else {
    if (promise.state == PromiseState::rejected && !promise.handled) node_->rejections.track_handled(index);
    enqueue_settled(index, reaction);
  }
  promise.handled = true;
}

// The job of a reaction to a settled promise. Node 4: a promise may hold itself; its handlers then get an error.
void Engine::enqueue_settled(std::uint32_t index, std::uint32_t reaction) {
  const PromiseObject& promise = heap_.promises[index];
  const bool holds_itself =
      promise.state == PromiseState::fulfilled && promise.result.tag == Tag::promise && promise.result.index == index;
  if (!holds_itself || passes_on_unread(heap_.reactions[reaction]))
    return enqueue_reaction(reaction, promise.state, promise.result, promise.number);
  const Value error = heap_.make_error("TypeError", kCycle);
  enqueue_reaction(reaction, PromiseState::rejected, error, promise.number);
  heap_.release(error);
}

void Engine::enqueue_reaction(std::uint32_t reaction, PromiseState state, const Value& value, std::uint64_t promise) {
  Microtask& job = enqueue(Microtask::Kind::reaction);
  job.index = reaction;
  job.rejected = state == PromiseState::rejected;
  job.argument = heap_.copy(value);
  if (tracer_.on()) trace_job(job, promise);
  count_microtasks();
}

// The job that goes on behind an await of a value that is no promise. Takes over the value.
void Engine::enqueue_resumption(std::uint32_t coroutine, const Value& value) {
  Microtask& job = enqueue(Microtask::Kind::resume);
  job.index = coroutine;
  job.argument = value;
  if (tracer_.on()) trace_job(job, 0);
  count_microtasks();
}

// Traces a job with the callback that it will call, if any. The callback for the other outcome will not run.
void Engine::trace_job(Microtask& job, std::uint64_t promise) {
  if (job.kind == Microtask::Kind::thenable)
    return trace_entry(job, "NewPromiseResolveThenableJob", Job::none, promise, number_of(job.index));
  if (job.kind == Microtask::Kind::resume) return trace_resumption(job, heap_.coroutines[job.index]);
  constexpr std::string_view kReaction = "NewPromiseReactionJob";
  const Reaction& reaction = heap_.reactions[job.index];
  // Node 4: only its run decides whether it calls anything.
  if (waits_for_stored(reaction, job.rejected, job.argument))
    return trace_entry(job, kReaction, Job::none, promise, number_of(reaction.derived));
  const bool has_two = reaction.kind == Reaction::Kind::then;
  const Callback& called = has_two && job.rejected ? reaction.rejected : reaction.fulfilled;
  const Callback& other = has_two && job.rejected ? reaction.fulfilled : reaction.rejected;
  if (has_two && other.place != kNone) callbacks_->trace_cancel(other, CancelReason::settled);
  if (called.place != kNone && (has_two || reaction.kind == Reaction::Kind::finally))
    return callbacks_->trace_reaction_queued(called, job.rejected, trace_text(job.argument));
  if (reaction.kind == Reaction::Kind::resume) return trace_resumption(job, heap_.coroutines[reaction.coroutine]);
  trace_entry(job, kReaction, job_of(reaction), promise, number_of(result_of(reaction)));
}

void Engine::trace_entry(Microtask& job, std::string_view what, Job does, std::uint64_t promise, std::uint32_t result) {
  job.entry = tracer_.enqueue(Queue::microtasks, kNoName, what, callbacks_->running());
  Event& event = tracer_.last();
  event.detail2 = static_cast<std::uint8_t>(does);
  event.promise = promise_number(promise);
  event.result = result;
  event.b = job.rejected ? 1 : 0;
}

// What the job of a reaction without a callback does.
Job Engine::job_of(const Reaction& reaction) const {
  switch (reaction.kind) {
    case Reaction::Kind::then:
    case Reaction::Kind::finally: return Job::passes_on;
    case Reaction::Kind::pass_on: return reaction.position == kRaces ? Job::race : Job::follows;
    case Reaction::Kind::finally_value: return Job::finally;
    case Reaction::Kind::element:
      switch (static_cast<Combinator>(heap_.aggregates[reaction.aggregate].kind)) {
        case Combinator::all: return Job::all;
        case Combinator::all_settled: return Job::all_settled;
        case Combinator::any: return Job::any;
        case Combinator::race: return Job::race;
      }
      break;
    case Reaction::Kind::resume:
    case Reaction::Kind::main: break;
  }
  return Job::none;
}

// The promise that the job of a reaction settles; kNone: none.
std::uint32_t Engine::result_of(const Reaction& reaction) const {
  return reaction.kind == Reaction::Kind::element ? heap_.aggregates[reaction.aggregate].promise : reaction.derived;
}

void Engine::trace_resumption(const Microtask& job, const Coroutine& coroutine) {
  Event& event = tracer_.add_text(EventKind::enqueue, trace_text(job.argument));
  event.detail = static_cast<std::uint8_t>(Queue::microtasks);
  event.api = Api::await;
  event.name = coroutine.label;
  event.id = coroutine.id;
  event.by = callbacks_->running();
  event.a = -1;
  event.b = job.rejected ? 1 : 0;
}

// PromiseResolve: a promise itself, or a new promise fulfilled with the value.
std::uint32_t Engine::promise_of(const Value& value, std::uint32_t label) {
  if (value.tag == Tag::promise) {
    heap_.retain(value);
    return value.index;
  }
  const std::uint32_t promise = new_promise(label);
  resolve_promise(promise, value);
  return promise;
}

// ---- the job queue ------------------------------------------------------------------------------------------------------------

void Engine::enqueue_main() {
  Microtask& job = enqueue(Microtask::Kind::main);
  if (tracer_.on()) trace_entry(job, "module", Job::none, 0, 0);
}

void Engine::too_many_jobs() { node_->task_queue.too_long(); }

Flow Engine::run_job() {
  Microtask& first = microtasks_.front();
  if (first.entry != 0) tracer_.dequeue(Queue::microtasks, first.entry, kNoName, {});
  if (first.kind == Microtask::Kind::unseen) return run_unseen_reaction();
  if (first.kind == Microtask::Kind::resume) {
    const std::uint32_t coroutine = first.index;
    const Value argument = Heap::take(first.argument);
    microtasks_.drop();
    --jobs_;
    return resume(coroutine, argument, false);
  }
  if (first.kind == Microtask::Kind::reaction) {
    const std::uint32_t reaction = first.index;
    const bool rejected = first.rejected;
    const Value argument = Heap::take(first.argument);
    microtasks_.drop();
    --jobs_;
    const Flow flow = run_reaction(reaction, rejected, argument);
    heap_.release(argument);
    heap_.free_reaction(reaction);
    return flow;
  }
  const Microtask task = microtasks_.pop();
  --jobs_;
  switch (task.kind) {
    case Microtask::Kind::callback: {
      const Flow flow = callbacks_->run(task.callback);
      heap_.release(task.callback);
      return flow;
    }
    case Microtask::Kind::thenable: {
      // The promise `index` settles like the promise in `argument`.
      const std::uint32_t reaction = heap_.reactions.make();
      heap_.reactions[reaction].kind = Reaction::Kind::pass_on;
      heap_.reactions[reaction].derived = task.index;  // takes over the reference
      perform_then(task.argument.index, reaction);
      heap_.release(task.argument);
      return Flow::normal;
    }
    case Microtask::Kind::main: return node_->run_main_body();
    case Microtask::Kind::unseen:
    case Microtask::Kind::resume:
    case Microtask::Kind::reaction: break;
  }
  return Flow::normal;
}

// ---- PromiseReactionJob -------------------------------------------------------------------------------------------------------

Flow Engine::run_reaction(std::uint32_t index, bool rejected, const Value& argument) {
  Reaction& reaction = heap_.reactions[index];  // freed by the caller
  if (waits_for_stored(reaction, rejected, argument)) {
    wait_for_stored(reaction, argument.index);
    return Flow::normal;
  }
  switch (reaction.kind) {
    case Reaction::Kind::then: {
      const Callback& callback = rejected ? reaction.rejected : reaction.fulfilled;
      if (callback.place != kNone) return run_user_reaction(reaction, callback, argument);
      if (rejected)
        reject_promise(reaction.derived, argument);
      else
        resolve_promise(reaction.derived, argument);
      return Flow::normal;
    }
    case Reaction::Kind::finally: return run_finally(reaction, rejected, argument);
    case Reaction::Kind::finally_value:
      if (rejected)
        reject_promise(reaction.derived, argument);
      else if (reaction.is_throw)
        reject_promise(reaction.derived, reaction.value);
      else
        resolve_promise(reaction.derived, reaction.value);
      return Flow::normal;
    case Reaction::Kind::resume: {
      const std::uint32_t coroutine = reaction.coroutine;
      reaction.coroutine = kNone;  // taken over by resume
      return resume(coroutine, heap_.copy(argument), rejected);
    }
    case Reaction::Kind::pass_on:
      if (reaction.position != 0) {  // only the first one counts
        if (rejected)
          reject_promise(reaction.derived, argument);
        else
          resolve_promise(reaction.derived, argument);
      } else if (rejected) {
        reject(reaction.derived, argument);
      } else {
        fulfill(reaction.derived, argument);
      }
      return Flow::normal;
    case Reaction::Kind::main:
      if (!rejected) return Flow::normal;
      if (reaction.position > 0) {  // through the loader
        const std::uint32_t next = heap_.reactions.make();
        heap_.reactions[next].kind = Reaction::Kind::main;
        heap_.reactions[next].position = reaction.position - 1;
        enqueue_reaction(next, PromiseState::rejected, argument, 0);
        return Flow::normal;
      }
      heap_.assign(exception_, heap_.copy(argument));
      return Flow::threw;
    case Reaction::Kind::element: run_element(reaction, rejected, argument); return Flow::normal;
  }
  return Flow::normal;
}

Flow Engine::run_user_reaction(const Reaction& reaction, const Callback& callback, const Value& argument) {
  Value result;
  const Flow flow = callbacks_->run(callback, std::span(&argument, 1), -1, &result);
  const runtime::Callbacks::Behind behind(*callbacks_, callback.id);
  return settle_as_returned(reaction.derived, flow, result);
}

// The first job.
Flow Engine::run_unseen_reaction() {
  const Microtask& first = microtasks_.front();
  const Callback& callback = first.callback;
  const std::uint32_t label = first.index;
  const double number = first.argument.number;
  const std::uint64_t id = callback.id;
  const std::uint32_t scope = callback.context;
  const std::uint32_t arguments = callback.arguments;
  microtasks_.drop();
  --jobs_;
  Value result;
  Flow flow = callbacks_->run(callback, {}, -1, &result);  // reads it before another microtask can take its place
  if (flow == Flow::threw || result.tag == Tag::promise) [[unlikely]] {
    const runtime::Callbacks::Behind behind(*callbacks_, id);
    const std::uint32_t promise = make_promise(label, static_cast<std::uint64_t>(number));
    flow = settle_as_returned(promise, flow, result);
    heap_.release_promise(promise);
  } else {
    heap_.release(result);
  }
  heap_.release_scope(scope);
  if (arguments != kNone) heap_.release(Value::object(Tag::list, arguments));
  return flow;
}

// What the callback's outcome makes of the promise that its then() has returned. Takes over the result.
Flow Engine::settle_as_returned(std::uint32_t promise, Flow flow, const Value& result) {
  if (flow == Flow::normal) {
    if (result.tag == Tag::promise && profile_.following == PromiseFollowing::stores)
      follow_now(promise, result.index);
    else
      resolve_promise(promise, result);
    heap_.release(result);
  } else if (flow == Flow::threw) {
    trace_caught(CatchKind::promise);
    const Value reason = exception_;
    exception_ = {};
    reject_promise(promise, reason);
    heap_.release(reason);
  }
  return flow == Flow::stop ? Flow::stop : Flow::normal;
}

// Node 4: a callback's promise is followed without a separate job.
void Engine::follow_now(std::uint32_t promise, std::uint32_t followed) {
  if (promise == followed) return;
  const std::uint32_t next = heap_.reactions.make();
  Reaction& pass_on = heap_.reactions[next];
  pass_on.kind = Reaction::Kind::pass_on;
  pass_on.position = kFollows;
  pass_on.derived = promise;
  heap_.retain_promise(promise);
  perform_then(followed, next);
}

// Node 4: a promise may be fulfilled with a promise; a reaction that finds one waits for it in turn.
bool Engine::waits_for_stored(const Reaction& reaction, bool rejected, const Value& argument) const {
  return !rejected && argument.tag == Tag::promise && profile_.following == PromiseFollowing::stores &&
         !passes_on_unread(reaction);
}

void Engine::wait_for_stored(const Reaction& reaction, std::uint32_t stored) {
  const std::uint32_t next = heap_.reactions.make();
  Reaction& again = heap_.reactions[next];
  again = reaction;
  again.next = kNone;
  heap_.retain(again.fulfilled);
  heap_.retain(again.rejected);
  if (again.aggregate != kNone) ++heap_.aggregates[again.aggregate].refs;
  if (reaction.kind == Reaction::Kind::then) {
    again.derived = new_promise(kNoName);
    heap_.retain_promise(again.derived);
    perform_then(stored, next);
    resolve_promise(reaction.derived, Value::object(Tag::promise, again.derived));
    heap_.release_promise(again.derived);
  } else {
    heap_.retain_promise(again.derived);
    perform_then(stored, next);
  }
}

// Then Finally Functions (27.2.5.3): call onFinally, wait for its result, pass on the original value.
Flow Engine::run_finally(const Reaction& reaction, bool rejected, const Value& argument) {
  Value result;
  const Flow flow = callbacks_->run(reaction.fulfilled, {}, -1, &result);
  if (flow == Flow::stop) return flow;
  const runtime::Callbacks::Behind behind(*callbacks_, reaction.fulfilled.id);
  if (flow == Flow::threw) {
    const Value reason = exception_;
    exception_ = {};
    reject_promise(reaction.derived, reason);
    heap_.release(reason);
    return Flow::normal;
  }
  const std::uint32_t waited_for = promise_of(result);
  heap_.release(result);
  const std::uint32_t after = new_promise(kNoName);
  const std::uint32_t next = heap_.reactions.make();
  Reaction& value = heap_.reactions[next];
  value.kind = Reaction::Kind::finally_value;
  value.is_throw = rejected;
  value.derived = after;
  value.value = heap_.copy(argument);
  heap_.retain_promise(after);
  perform_then(waited_for, next);
  heap_.release_promise(waited_for);
  resolve_promise(reaction.derived, Value::object(Tag::promise, after));
  heap_.release_promise(after);
  return Flow::normal;
}

// The loader waits for the module's promise; a module without await has settled it by now. Takes over the result.
void Engine::watch_main(const Value& result, Flow flow, std::uint32_t hops) {
  if (flow == Flow::normal && result.tag == Tag::promise) {
    main_promise_ = result.index;
  } else {
    heap_.release(result);
    main_promise_ = new_promise(kNoName);
    heap_.promises[main_promise_].handled = true;
    const Value reason = take_exception();
    if (flow == Flow::threw)
      reject_promise(main_promise_, reason);
    else
      resolve_promise(main_promise_, {});
    heap_.release(reason);
  }
  const std::uint32_t reaction = heap_.reactions.make();
  heap_.reactions[reaction].kind = Reaction::Kind::main;
  heap_.reactions[reaction].position = hops;
  perform_then(main_promise_, reaction);
}

bool Engine::main_is_pending() const {
  return main_promise_ != kNone && heap_.promises[main_promise_].state == PromiseState::pending;
}

// ---- all, allSettled, any, race -----------------------------------------------------------------------------------------------

std::uint32_t Engine::combine(Combinator kind, std::uint32_t list, std::uint32_t label) {
  const std::uint32_t promise = new_promise(label);
  const std::size_t count = heap_.lists[list].items.size();
  const std::uint32_t index = heap_.aggregates.make();
  Aggregate& aggregate = heap_.aggregates[index];
  aggregate.refs = 1;
  aggregate.kind = static_cast<std::uint8_t>(kind);
  aggregate.promise = promise;
  heap_.retain_promise(promise);
  aggregate.list = heap_.make_list();
  heap_.lists[aggregate.list].items.resize(count);
  aggregate.remaining = static_cast<std::uint32_t>(count);

  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t item = promise_of(heap_.lists[list].items[i]);
    const std::uint32_t reaction = heap_.reactions.make();
    Reaction& element = heap_.reactions[reaction];
    if (kind == Combinator::race) {
      element.kind = Reaction::Kind::pass_on;
      element.position = kRaces;
      element.derived = promise;
      heap_.retain_promise(promise);
    } else {
      element.kind = Reaction::Kind::element;
      element.position = static_cast<std::uint32_t>(i);
      element.aggregate = index;
      ++heap_.aggregates[index].refs;
    }
    perform_then(item, reaction);
    heap_.release_promise(item);
  }
  if (count == 0 && kind == Combinator::any) {
    const Value error = heap_.make_error("AggregateError", "All promises were rejected");
    reject_promise(promise, error);
    heap_.release(error);
  } else if (count == 0 && kind != Combinator::race) {
    resolve_promise(promise, Value::object(Tag::list, heap_.aggregates[index].list));
  }
  heap_.release_aggregate(index);
  return promise;
}

void Engine::run_element(const Reaction& reaction, bool rejected, const Value& argument) {
  Aggregate& aggregate = heap_.aggregates[reaction.aggregate];
  const auto kind = static_cast<Combinator>(aggregate.kind);
  const std::uint32_t promise = aggregate.promise;
  if (kind == Combinator::all && rejected) return reject_promise(promise, argument);
  if (kind == Combinator::any && !rejected) return resolve_promise(promise, argument);

  Value item = heap_.copy(argument);
  if (kind == Combinator::all_settled) {  // { status, value } or { status, reason }
    const std::uint32_t record = heap_.make_list();
    heap_.lists[record].items.push_back(item);
    item = Value::object(Tag::record, record);
  }
  heap_.lists[aggregate.list].items[reaction.position] = item;
  if (--aggregate.remaining != 0) return;
  if (kind == Combinator::any) {
    const Value error = heap_.make_error("AggregateError", "All promises were rejected");
    reject_promise(promise, error);
    heap_.release(error);
  } else {
    resolve_promise(promise, Value::object(Tag::list, aggregate.list));
  }
}

}  // namespace loopsim::vm
