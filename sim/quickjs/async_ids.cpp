// Numbers of asynchronous resources, and what the hooks of node:async_hooks are told (AsyncWrap of src/async_wrap.cc; the
// hooks themselves are in node/internal/async_ids.js).
//
// Every resource gets a number, whether there are hooks or not: it costs an addition. What hooks are told costs calls of
// the library, made only while there are any. Promises have numbers only then, as in Node.
#include <utility>

#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"

namespace loopsim::quickjs {

namespace {

std::uint64_t number_at(Given arguments, std::size_t i) {
  const Js value = arguments[i];
  return is_number(value) ? whole<std::uint64_t>(number_of(value)) : 0;
}

}  // namespace

// ---- what runs ------------------------------------------------------------------------------------------------------------

// Takes over the reference.
void Engine::set_execution(Execution execution) { js_->free(std::exchange(execution_, execution).resource); }

// Node's uncaught exceptions are told while the numbers are still those of what threw.
void Engine::note_failure(bool is_in_scope) {
  has_failed_ = true;
  failed_in_scope_ = is_in_scope;
}

// True: the process goes on, and hooks have been told that what threw is over.
bool Engine::forget_failure() {
  if (!std::exchange(has_failed_, false)) return true;
  const bool tells = (hooks_ & kAfterHooks) != 0 && execution_.id != 0;
  bool goes_on = !tells || tell_hooks(HookEvent::after, execution_.id);
  set_execution({});
  // Node 12 and 14 empty their stack of numbers down to that of the scope, which is of no resource.
  constexpr int kFirstThatLeavesTheScope = 16;
  if (tells && goes_on && failed_in_scope_ && program_.profile->major < kFirstThatLeavesTheScope)
    goes_on = tell_hooks(HookEvent::after, 0);
  return goes_on;
}

// Without a world, the run came to its bound before the script.
void Engine::main_is_over() {
  if (js_ != nullptr && !has_failed_) set_execution({});
}

// ---- resources --------------------------------------------------------------------------------------------------------------

bool Engine::begin_resource(std::uint32_t context, std::string_view type, Js resource) {
  const std::uint64_t id = ++last_async_id_;
  const std::uint64_t trigger = trigger_of_new();
  bound(context).async_id = id;
  bound(context).trigger_id = trigger;
  bound(context).is_destroyed = false;
  if ((hooks_ & kInitHooks) == 0) return true;
  if (resource != kUndefined) return tell_hooks(HookEvent::init, id, type, trigger, resource, nullptr);
  Js made = kUndefined;
  const bool goes_on = tell_hooks(HookEvent::init, id, type, trigger, bound(context).function, &made);
  js_->free(std::exchange(bound(context).self, made));
  return goes_on;
}

void Engine::end_resource(Bound& bound, bool is_request) {
  if (bound.async_id == 0 || std::exchange(bound.is_destroyed, true) || (hooks_ & kDestroyHooks) == 0) return;
  has_native_immediates_ = true;
  if (is_request)
    ended_request_ = bound.async_id;
  else
    destroyed_.push_back(bound.async_id);
}

// A request ends when its callback scope does, in which the ticks and microtasks behind its callback run.
void Engine::end_request() {
  if (ended_request_ != 0) destroyed_.push_back(std::exchange(ended_request_, 0));
}

// Whether a timer that has just run, and is not cleared, will run again.
bool Engine::is_armed_again(Js timer) {
  const std::uint32_t index = checked(timer, kTimer);
  if (index == kNone) return false;
  const node::TimerObject& it = heap_.timers[index];
  return (it.repeats && it.idle_timeout != -1) || it.list != kNone;
}

bool Engine::tell_hooks(HookEvent event, std::uint64_t id, std::string_view type, std::uint64_t trigger, Js resource,
                        Js* made) {
  const Js arguments[] = {js_->make_number(static_cast<double>(event)), js_->make_number(static_cast<double>(id)),
                          type.empty() ? kUndefined : js_->make_string(type),
                          js_->make_number(static_cast<double>(trigger)), resource};
  const Js result = js_->call(tell_hook_, kUndefined, arguments);
  js_->free(arguments[2]);
  if (result == kException)
    js_->free(js_->take_exception());  // what ends the run: the library catches all else
  else if (made != nullptr)
    *made = result;
  else
    js_->free(result);
  return !node_->callbacks.stopping();
}

// Hooks hear of what was destroyed from Node's own immediate, which keeps nothing alive; and in it of what is destroyed
// meanwhile.
Flow Engine::run_native_immediates() {
  end_request();
  while (!destroyed_.empty()) {
    const std::vector<std::uint64_t> ids = std::exchange(destroyed_, {});
    for (const std::uint64_t id : ids) {
      if (!count_step()) return out_of_steps();
      if ((hooks_ & kDestroyHooks) != 0 && !tell_hooks(HookEvent::destroy, id)) return Flow::stop;
    }
  }
  has_native_immediates_ = false;
  return Flow::normal;
}

// Node gives its immediate to the program's own setImmediate, from the scope of what has thrown.
void Engine::begin_own_immediate() {
  own_immediates_.emplace_back(++last_async_id_, trigger_of_new());
  if ((hooks_ & kInitHooks) == 0) return;
  const Js resource = js_->make_object();
  tell_hooks(HookEvent::init, last_async_id_, "Immediate", trigger_of_new(), resource, nullptr);
  js_->free(resource);
}

void Engine::own_immediate_runs() {
  if (own_immediates_.empty()) return;
  const auto [id, trigger] = own_immediates_.front();
  own_immediates_.erase(own_immediates_.begin());
  if (hooks_ == 0) return;
  const Execution outside = std::exchange(execution_, {id, trigger, kUndefined});
  const bool goes_on = (hooks_ & kBeforeHooks) == 0 || tell_hooks(HookEvent::before, id);
  if (goes_on && (hooks_ & kAfterHooks) != 0) tell_hooks(HookEvent::after, id);
  if ((hooks_ & kDestroyHooks) != 0) {
    destroyed_.push_back(id);
    has_native_immediates_ = true;
  }
  set_execution(outside);
}

// Up to Node 10 each list of timers has a handle, which is a resource. A timer gets its number before its list does.
void Engine::timer_handle_made(std::uint32_t handle) {
  new_handles_.push_back(handle);
  if (!makes_timer_) begin_handles();
}

void Engine::begin_handles() {
  const std::vector<std::uint32_t> made = std::exchange(new_handles_, {});
  for (const std::uint32_t handle : made) {
    if (handle >= timer_handles_.size()) timer_handles_.resize(handle + 1);
    timer_handles_[handle] = ++last_async_id_;
    if ((hooks_ & kInitHooks) == 0) continue;
    const Js resource = js_->make_object();
    tell_hooks(HookEvent::init, last_async_id_, "TIMERWRAP", trigger_of_new(), resource, nullptr);
    js_->free(resource);
  }
}

void Engine::timer_handle_runs(std::uint32_t handle, bool begins) {
  if ((hooks_ & (begins ? kBeforeHooks : kAfterHooks)) == 0) return;
  tell_hooks(begins ? HookEvent::before : HookEvent::after, timer_handles_[handle]);
}

void Engine::timer_handle_closed(std::uint32_t handle) {
  if ((hooks_ & kDestroyHooks) == 0) return;
  destroyed_.push_back(timer_handles_[handle]);
  has_native_immediates_ = true;
}

// ---- promises ---------------------------------------------------------------------------------------------------------------

bool Engine::tell_promise(PromiseEvent event, Js promise, Js parent) {
  const Js arguments[] = {js_->make_number(static_cast<double>(event)), promise, parent};
  const Js result = js_->call(promise_hook_, kUndefined, arguments);
  js_->free(result == kException ? js_->take_exception() : result);
  return !node_->callbacks.stopping();
}

// QuickJS has the promise of then() for a parent also where a constructor of the program makes another one.
void Engine::makes_promise(Js promise, Js parent) {
  ++host_calls_;
  if (std::exchange(makes_wrapper_, false)) {
    js_->free(std::exchange(wrapper_, js_->dup(promise)));
    has_settled_wrapper_ = false;
    return;
  }
  if ((hooks_ & kPromiseInitHooks) == 0) return;
  tell_promise(PromiseEvent::init, promise,
               js_->is_bare(promise, pointer_of(promise_prototype_)) ? parent : kUndefined);
}

bool Engine::await_wraps(Js value) {
  const bool wraps = program_.profile->await_wraps;
  makes_wrapper_ = (hooks_ & kPromiseInitHooks) != 0 && (wraps || js_->promise_state(value) < 0);
  return wraps;
}

// `resumes`: the handler that goes on when the promise is fulfilled. V8 makes a promise for each await that it throws
// away, and hooks see it; QuickJS has none.
void Engine::begin_await(Js promise, Js resumes) {
  constexpr int kFirstThatSettlesFirst = 18;
  const bool has_wrapper = is_object(wrapper_) && pointer_of(wrapper_) == pointer_of(promise);
  const bool settles_first = program_.profile->major >= kFirstThatSettlesFirst;
  const bool is_settled = has_wrapper && has_settled_wrapper_ && (hooks_ & kResolveHooks) != 0;
  if (has_wrapper) {
    tell_promise(PromiseEvent::init, promise, js_->promise_of_resumed(resumes));
    if (is_settled && settles_first) tell_promise(PromiseEvent::settled, promise);
  }
  js_->free(std::exchange(wrapper_, kUndefined));
  const Js made = js_->make_promise();
  if ((hooks_ & kPromiseInitHooks) != 0) tell_promise(PromiseEvent::init, made, promise);
  Js& kept = thrown_away_.try_emplace(pointer_of(resumes), kUndefined).first->second;
  js_->free(std::exchange(kept, made));  // of an await that was collected before it was settled
  if (is_settled && !settles_first) tell_promise(PromiseEvent::settled, promise);
}

// The same promise is made where a `for await` of what has no asynchronous iterator waits for a value; no promise comes from it.
void Engine::begin_wrapper(Js promise) {
  if (!is_object(wrapper_) || pointer_of(wrapper_) != pointer_of(promise)) return;
  tell_promise(PromiseEvent::init, promise);
  if (has_settled_wrapper_ && (hooks_ & kResolveHooks) != 0) tell_promise(PromiseEvent::settled, promise);
  js_->free(std::exchange(wrapper_, kUndefined));
}

// The promise that hooks know a job by: the one that its handler settles, or that follows another.
Js Engine::promise_of_job(const Job& job) {
  if ((hooks_ & kPromiseHooks) == 0) return kUndefined;
  if (job.is_await) return job.thrown_away;
  if (job.arguments.size() == 5) return js_->promise_settled_by(job.arguments[0]);
  if (job.arguments.size() != 3) return kUndefined;
  const int major = program_.profile->major;
  const bool is_told = major != 8 && major != 11;  // V8 6.2 and 7.0 tell nothing of these jobs
  return is_told && js_->promise_state(job.arguments[0]) >= 0 ? job.arguments[0] : kUndefined;
}

Engine::InPromise::InPromise(Engine& engine, const Job& job)
    : engine_(engine), job_(job), promise_(engine.promise_of_job(job)) {
  if (promise_ == kUndefined) return;
  engine.js_->dup(promise_);
  outer_ = engine.execution_;
  engine.execution_.resource = kUndefined;
  engine.tell_promise(PromiseEvent::before, promise_);
}

// Hooks that the job has enabled hear of its end, too.
Engine::InPromise::~InPromise() {
  const Js promise = promise_ == kUndefined ? engine_.promise_of_job(job_) : promise_;
  if (promise != kUndefined && (engine_.hooks_ & kPromiseHooks) != 0)
    engine_.tell_promise(PromiseEvent::after, promise);
  if (promise_ == kUndefined) return;
  engine_.set_execution(outer_);
  engine_.js_->free(promise_);
}

void Engine::end_hooks_of_promises() {
  if ((hooks_ & kAnyHooks) != 0) return;
  hooks_ = 0;
  js_->tell_promises(false);
}

// ---- functions of the library -----------------------------------------------------------------------------------------------

Owned Engine::new_async_id(Js /*this_value*/, Given /*arguments*/) {
  return js_->make_number(static_cast<double>(++last_async_id_));
}

Owned Engine::execution_id(Js /*this_value*/, Given /*arguments*/) {
  return js_->make_number(static_cast<double>(execution_.id));
}

Owned Engine::trigger_id(Js /*this_value*/, Given /*arguments*/) {
  return js_->make_number(static_cast<double>(execution_.trigger));
}

// executionResource(make): the object that stands for what runs; where there is none yet, what make(id, trigger,
// isMicrotask) returns is it from now on.
Owned Engine::execution_resource(Js /*this_value*/, Given arguments) {
  if (!is_object(execution_.resource)) {
    const Js numbers[] = {js_->make_number(static_cast<double>(execution_.id)),
                          js_->make_number(static_cast<double>(execution_.trigger)),
                          Instance::make_boolean(running_api_ == Api::queue_microtask)};
    const Js made = js_->call(arguments[0], kUndefined, numbers);
    if (made == kException) return made;
    js_->free(std::exchange(execution_.resource, made));
  }
  return js_->dup(execution_.resource);
}

// defaultTrigger(): what new resources come from, or -1; defaultTrigger(id): from now on from that one.
Owned Engine::default_trigger(Js /*this_value*/, Given arguments) {
  const Js before = js_->make_number(static_cast<double>(default_trigger_));
  if (!arguments.empty()) default_trigger_ = whole<std::int64_t>(js_->number_given(arguments[0]));
  return before;
}

// enterAsync(id, trigger, resource), until leaveAsync().
Owned Engine::enter_async(Js /*this_value*/, Given arguments) {
  outer_executions_.push_back(execution_);
  execution_ = {number_at(arguments, 0), number_at(arguments, 1), js_->dup(arguments[2])};
  return kUndefined;
}

Owned Engine::leave_async(Js /*this_value*/, Given /*arguments*/) {
  if (outer_executions_.empty()) return kUndefined;
  set_execution(outer_executions_.back());
  outer_executions_.pop_back();
  return kUndefined;
}

// setExecution(id, trigger, resource): of a reaction, whose job puts back what was before.
Owned Engine::set_execution(Js /*this_value*/, Given arguments) {
  set_execution({number_at(arguments, 0), number_at(arguments, 1), js_->dup(arguments[2])});
  return kUndefined;
}

Owned Engine::queue_destroy(Js /*this_value*/, Given arguments) {
  destroyed_.push_back(number_at(arguments, 0));
  has_native_immediates_ = true;
  return kUndefined;
}

// setResource(request, id, trigger, resource): what the callback of a request is of, by the handle from startWork().
Owned Engine::set_resource(Js /*this_value*/, Given arguments) {
  const std::uint32_t context = checked(arguments[0], kRequest);
  if (context == kNone) return refuse();
  bound(context).async_id = number_at(arguments, 1);
  bound(context).trigger_id = number_at(arguments, 2);
  js_->free(std::exchange(bound(context).self, js_->dup(arguments[3])));
  return kUndefined;
}

// setHooks(flags, isDelayed): what hooks want to be told. `isDelayed`: of promises they hear until a microtask.
Owned Engine::set_hooks(Js /*this_value*/, Given arguments) {
  const auto flags = static_cast<std::uint32_t>(number_at(arguments, 0));
  constexpr std::uint32_t kOfPromises = kPromiseHooks | kPromiseInitHooks;
  if (arguments[1] == kTrue && (hooks_ & kPromiseHooks) != 0) {
    hooks_ = flags | (hooks_ & (kOfPromises | kResolveHooks));
    Job job;
    job.ends_hooks = true;
    // lib/internal/async_hooks.js, disableHooks(): a microtask calls disablePromiseHook(), which has other names since.
    if (tracer_.on())
      job.entry = tracer_.enqueue(Queue::microtasks, kNoName, "disablePromiseHook", node_->callbacks.running());
    push_job(std::move(job));
    return kUndefined;
  }
  hooks_ = flags;
  js_->tell_promises((hooks_ & kPromiseInitHooks) != 0);
  return kUndefined;
}

}  // namespace loopsim::quickjs
