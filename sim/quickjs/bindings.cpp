// The functions that Node's JavaScript (node/*.js) has from below: process.binding() of old.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"
#include "sim/quickjs/library.hpp"
#include "sim/quickjs/stepper.hpp"

namespace loopsim::quickjs {

struct Engine::BindingTable {
  static constexpr std::array kRows = {
      BindingRow{"setTimeout", 2, &Engine::set_timeout},
      BindingRow{"setInterval", 2, &Engine::set_interval},
      BindingRow{"setImmediate", 1, &Engine::set_immediate},
      BindingRow{"clear", 1, &Engine::clear},
      BindingRow{"timerMethod", 2, &Engine::timer_method},
      BindingRow{"nextTick", 1, &Engine::next_tick},
      BindingRow{"queueMicrotask", 1, &Engine::queue_microtask},
      BindingRow{"print", 2, &Engine::print},
      BindingRow{"write", 2, &Engine::write},
      BindingRow{"exit", 2, &Engine::exit},
      BindingRow{"setExitCode", 1, &Engine::set_exit_code},
      BindingRow{"ownExitCode", 0, &Engine::own_exit_code},
      BindingRow{"hrtime", 0, &Engine::hrtime, true},
      BindingRow{"cpu", 1, &Engine::cpu},
      BindingRow{"setCaptures", 1, &Engine::set_captures},
      BindingRow{"setRejectionMode", 1, &Engine::set_rejection_mode},
      BindingRow{"collectGarbage", 0, &Engine::collect_garbage},
      BindingRow{"jobNumber", 0, &Engine::job_number, true},
      BindingRow{"isExiting", 0, &Engine::is_exiting},
      BindingRow{"memorySize", 0, &Engine::memory_size},
      BindingRow{"activeResources", 0, &Engine::active_resources},
      BindingRow{"noteListener", 3, &Engine::note_listener, false, true, true},
      BindingRow{"callListener", 3, &Engine::call_listener},
      BindingRow{"adoptState", 2, &Engine::adopt_state},
      BindingRow{"asyncContext", 1, &Engine::async_context},
      BindingRow{"makePort", 0, &Engine::make_port},
      BindingRow{"portMethod", 2, &Engine::port_method},
      BindingRow{"watchPorts", 2, &Engine::watch_ports, false, true},
      BindingRow{"loopTimes", 0, &Engine::loop_times, true},
      BindingRow{"makeMonitor", 1, &Engine::make_monitor},
      BindingRow{"switchMonitor", 2, &Engine::switch_monitor},
      BindingRow{"readMonitor", 1, &Engine::read_monitor},
      BindingRow{"newAsyncId", 0, &Engine::new_async_id},
      BindingRow{"executionId", 0, &Engine::execution_id},
      BindingRow{"triggerId", 0, &Engine::trigger_id},
      BindingRow{"executionResource", 1, &Engine::execution_resource},
      BindingRow{"defaultTrigger", 1, &Engine::default_trigger},
      BindingRow{"enterAsync", 3, &Engine::enter_async},
      BindingRow{"leaveAsync", 0, &Engine::leave_async},
      BindingRow{"setExecution", 3, &Engine::set_execution},
      BindingRow{"queueDestroy", 1, &Engine::queue_destroy},
      BindingRow{"setHooks", 2, &Engine::set_hooks},
      BindingRow{"setResource", 4, &Engine::set_resource},
      BindingRow{"processFacts", 0, &Engine::process_facts, false, true},
      BindingRow{"readModule", 1, &Engine::read_module},
      BindingRow{"compile", 2, &Engine::compile_module},
      BindingRow{"compileBuiltin", 1, &Engine::compile_builtin, false, true},
      BindingRow{"countLoad", 1, &Engine::count_load, false, true},
      BindingRow{"privateSymbol", 1, &Engine::private_symbol, false, true},
      BindingRow{"reportException", 2, &Engine::report_exception},
      BindingRow{"lineIn", 1, &Engine::line_in},
      BindingRow{"startWork", 9, &Engine::start_work},
      BindingRow{"settleWork", 0, &Engine::settle_work},
      BindingRow{"holdUp", 1, &Engine::hold_up},
      BindingRow{"fileFacts", 0, &Engine::file_facts},
      BindingRow{"drawDuration", 1, &Engine::draw_duration},
      BindingRow{"readFile", 1, &Engine::read_file},
      BindingRow{"listFolder", 1, &Engine::list_folder},
      BindingRow{"pbkdf2", 5, &Engine::pbkdf2},
      BindingRow{"randomNumber", 0, &Engine::random_number},
      BindingRow{"wallTime", 0, &Engine::wall_time},
      BindingRow{"startTime", 0, &Engine::start_time},
      BindingRow{"watchHandles", 1, &Engine::watch_handles, false, true},
      BindingRow{"variable", 0, &Engine::variable},
      BindingRow{"netMake", 2, &Engine::net_make},
      BindingRow{"netListen", 3, &Engine::net_listen},
      BindingRow{"netConnect", 2, &Engine::net_connect},
      BindingRow{"netWrite", 3, &Engine::net_write},
      BindingRow{"netMethod", 3, &Engine::net_method},
      BindingRow{"netPipe", 1, &Engine::net_pipe},
      BindingRow{"watchChildren", 1, &Engine::watch_children, false, true},
      BindingRow{"childStart", 8, &Engine::child_start},
      BindingRow{"childMethod", 3, &Engine::child_method},
      BindingRow{"kill", 2, &Engine::kill},
      BindingRow{"signalListenerRemoved", 1, &Engine::signal_listener_removed},
      BindingRow{"classId", 1, &Engine::class_id},
      BindingRow{"promiseDetails", 1, &Engine::promise_details},
      BindingRow{"proxyDetails", 1, &Engine::proxy_details},
      BindingRow{"iteratorMembers", 1, &Engine::iterator_members},
      BindingRow{"programSource", 0, &Engine::program_source},
      BindingRow{"runningApi", 0, &Engine::running_api},
      BindingRow{"threwIn", 0, &Engine::threw_in},
      BindingRow{"unsettled", 0, &Engine::unsettled},
      BindingRow{"subject", 0, &Engine::subject, false, true},
      BindingRow{"lastMatch", 1, &Engine::last_match},
      BindingRow{"advise", 1, &Engine::advise},
      BindingRow{"calls", 1, &Engine::calls, false, true},
      BindingRow{"waiting", 2, &Engine::waiting, false, true},
      BindingRow{"machineFacts", 0, &Engine::machine_facts},
  };
};

std::span<const Engine::BindingRow> Engine::bindings() { return BindingTable::kRows; }

Owned Engine::call(std::uint32_t function, Js this_value, std::span<const Js> arguments) {
  const BindingRow& row = bindings()[function];
  if (row.is_for_trace) return (this->*row.function)(this_value, arguments);
  ++host_calls_;
  if (node_->callbacks.stopping()) return js_->throw_stop();
  if (!has_started_ && !row.is_of_start) start_is_alone_ = false;
  // A loop that watches a clock is one computation.
  if (row.reads_clock ? !pay_for_jumps() : !end_computation()) return js_->throw_stop();
  return (this->*row.function)(this_value, arguments);
}

// ---- timers and immediates ------------------------------------------------------------------------------------------------------

Owned Engine::make_timer(Given arguments, bool repeats) {
  const node::Delay delay = node_->timers.coerce_delay(js_->number_given(arguments[1]));
  const Callable called = callable(repeats ? Api::set_interval : Api::set_timeout, arguments[0], arguments.from(2));
  makes_timer_ = true;
  const std::uint32_t timer = node_->timers.make(delay, repeats, kNone, called, true);
  makes_timer_ = false;
  if (node_->callbacks.stopping()) return js_->throw_stop();
  const Js handle = make_handle(kTimer, timer, timeout_prototype_);
  bound(called.context).self = js_->dup(handle);
  const bool goes_on = begin_resource(called.context, "Timeout", handle);
  if (!new_handles_.empty()) begin_handles();
  if (goes_on) return handle;
  js_->free(handle);
  return js_->throw_stop();
}

Owned Engine::set_timeout(Js /*this_value*/, Given arguments) { return make_timer(arguments, false); }
Owned Engine::set_interval(Js /*this_value*/, Given arguments) { return make_timer(arguments, true); }

Owned Engine::set_immediate(Js /*this_value*/, Given arguments) {
  const Callable called = callable(Api::set_immediate, arguments[0], arguments.from(1));
  const std::uint32_t immediate = node_->immediates.make(called, kNone, true);
  if (node_->callbacks.stopping()) return js_->throw_stop();
  const Js handle = make_handle(kImmediate, immediate, immediate_prototype_);
  bound(called.context).self = js_->dup(handle);
  if (begin_resource(called.context, "Immediate", handle)) return handle;
  js_->free(handle);
  return js_->throw_stop();
}

// clear(handle, is_immediate). True: it was a handle of that kind.
Owned Engine::clear(Js /*this_value*/, Given arguments) {
  if (arguments[1] != kTrue) {
    const std::uint32_t timer = checked(arguments[0], kTimer);
    if (timer == kNone) return kFalse;
    if (heap_.timers[timer].has_callback) {
      let_go_of_self(heap_.timers[timer].context);
      end_resource(bound(heap_.timers[timer].context));
    }
    node_->timers.clear(timer);
    return kTrue;
  }
  const std::uint32_t immediate = checked(arguments[0], kImmediate);
  if (immediate == kNone) return kFalse;
  if (!heap_.immediates[immediate].destroyed) {
    let_go_of_self(heap_.immediates[immediate].callback.context);
    end_resource(bound(heap_.immediates[immediate].callback.context));
  }
  node_->immediates.clear(immediate);
  return kTrue;
}

// As Node keeps them: undefined when there are none.
Owned Engine::arguments_of(const Bound& bound) {
  return bound.arguments.empty() ? kUndefined : js_->make_array(bound.arguments);
}

// timerMethod(handle, which). Fields as Node's own objects have them: o, i, s, p, d, a (the arguments); n: their asynchronous id.
// l: whether it is in a list. timerMethod(handle, which, value): what Node's own code does once its object's field has that value.
// Of what is no timer undefined, as Node's methods do nothing to it.
Owned Engine::timer_method(Js /*this_value*/, Given arguments) {
  const char method = letter(arguments[1]);
  if (const std::uint32_t timer = checked(arguments[0], kTimer); timer != kNone)
    return arguments.size() > 2 ? set_timer_field(timer, method, arguments[2])
                                : timer_field(timer, method, arguments[0]);
  const std::uint32_t immediate = checked(arguments[0], kImmediate);
  if (immediate == kNone) return kUndefined;
  if (arguments.size() <= 2) return immediate_field(immediate, method);
  if (method == 'o') set_callback(heap_.immediates[immediate].callback.context, arguments[2]);
  return kUndefined;
}

Owned Engine::timer_field(std::uint32_t index, char method, Js handle) {
  const node::TimerObject& timer = heap_.timers[index];
  switch (method) {
    case 'r': node_->timers.ref(index); break;
    case 'u': node_->timers.unref(index); break;
    case 'f':
      if (timer.has_callback && bound(timer.context).self == kUndefined) bound(timer.context).self = js_->dup(handle);
      node_->timers.refresh(index);
      if (timer.has_callback && bound(timer.context).is_destroyed && timer.list != kNone &&
          !begin_resource(timer.context, "Timeout", handle))
        return js_->throw_stop();
      break;
    case 'c':
      if (timer.has_callback) {
        let_go_of_self(timer.context);
        end_resource(bound(timer.context));
      }
      node_->timers.close(index);
      break;
    case 'o': return timer.has_callback ? js_->dup(bound(timer.context).function) : kNull;
    case 'i': return js_->make_number(timer.idle_timeout < 1 && timer.has_callback ? 1 : timer.idle_timeout);
    case 's': return js_->make_number(static_cast<double>(timer.idle_start));
    case 'p': return timer.repeats ? js_->make_number(timer.idle_timeout) : kNull;
    case 'd': return Instance::make_boolean(timer.destroyed);
    case 'a': return arguments_of(bound(timer.context));
    case 'l': return Instance::make_boolean(timer.list != kNone);
    case 'n': return js_->make_number(static_cast<double>(bound(timer.context).async_id));
    case 't': return js_->make_number(static_cast<double>(bound(timer.context).trigger_id));
    default: return Instance::make_boolean(node_->timers.has_ref(index));
  }
  return kUndefined;
}

Owned Engine::immediate_field(std::uint32_t index, char method) {
  const node::ImmediateObject& immediate = heap_.immediates[index];
  const Bound& its = bound(immediate.callback.context);
  switch (method) {
    case 'r': node_->immediates.ref(index); break;
    case 'u': node_->immediates.unref(index); break;
    case 'o': return immediate.destroyed ? kNull : js_->dup(its.function);
    case 'd': return Instance::make_boolean(immediate.destroyed);
    case 'a': return arguments_of(its);
    case 'n': return js_->make_number(static_cast<double>(its.async_id));
    case 't': return js_->make_number(static_cast<double>(its.trigger_id));
    default: return Instance::make_boolean(node_->immediates.has_ref(index));
  }
  return kUndefined;
}

void Engine::set_callback(std::uint32_t context, Js value) {
  if (js_->is_function(value)) js_->free(std::exchange(bound(context).function, js_->dup(value)));
}

Owned Engine::set_timer_field(std::uint32_t index, char field, Js value) {
  constexpr double kMost = 2147483647;  // milliseconds; lists are found by whole ones
  node::TimerObject& timer = heap_.timers[index];
  const double number = js_->number_given(value);
  switch (field) {
    case 'o':
      if (js_->is_function(value))
        set_callback(timer.context, value);
      else
        node_->timers.clear(index);
      break;
    case 'i':
      if (number < 0) node_->timers.clear(index);
      break;
    case 'p':
      timer.repeats = js_->to_boolean(value);
      if (timer.repeats && !std::isnan(number)) timer.idle_timeout = std::clamp(number, -kMost, kMost);
      break;
    default: break;
  }
  return kUndefined;
}

Owned Engine::next_tick(Js /*this_value*/, Given arguments) {
  if (node_->exit.is_exiting()) return kUndefined;
  const Callable called = callable(Api::next_tick, arguments[0], arguments.from(1));
  if (!begin_resource(called.context, "TickObject", kUndefined)) return js_->throw_stop();
  node_->task_queue.next_tick(called);
  return unwind(Flow::normal);
}

Owned Engine::queue_microtask(Js /*this_value*/, Given arguments) {
  node_->task_queue.note_queue_microtask();
  Job job;
  job.is_microtask = true;
  constexpr int kFirstWithoutNumber = 24;  // where no hook is enabled
  const Callable called = callable(Api::queue_microtask, arguments[0]);
  node_->callbacks.hand_over(job.callback, called);
  if ((program_.profile->major < kFirstWithoutNumber || hooks_ != 0) &&
      !begin_resource(called.context, "Microtask", kUndefined))
    return js_->throw_stop();
  node_->callbacks.announce(job.callback, ScheduleKind::first, -1, -1);
  push_job(std::move(job));
  return unwind(Flow::normal);
}

// ---- the process ----------------------------------------------------------------------------------------------------------------

// print(text, is_error)
Owned Engine::print(Js /*this_value*/, Given arguments) {
  const bool is_error = arguments[1] == kTrue;
  node_->task_queue.note_output();
  if (!is_error && node_->machine().has_costs() && !node_->thread.pay_for_log()) return js_->throw_stop();
  if (!tracer_.on()) return kUndefined;
  print_line(std::exchange(unfinished_[is_error ? 1 : 0], {}) + js_->text_given(arguments[0]), is_error);
  return kUndefined;
}

void Engine::print_line(const std::string& text, bool is_error) {
  Event& event = tracer_.add_text(is_error ? EventKind::error_log : EventKind::log, text);
  if (is_error) return;
  const SourcePosition position = where_.told(where_.caller());
  event.line = position.line;
  event.column = position.column;
}

// write(text, is_error): of what has no end of line yet, the trace hears later.
Owned Engine::write(Js /*this_value*/, Given arguments) {
  const bool is_error = arguments[1] == kTrue;
  node_->task_queue.note_output();
  if (!is_error && node_->machine().has_costs() && !node_->thread.pay_for_log()) return js_->throw_stop();
  if (!tracer_.on()) return kUndefined;
  std::string& unfinished = unfinished_[is_error ? 1 : 0];
  unfinished += js_->text_given(arguments[0]);
  std::size_t from = 0;
  for (std::size_t end = unfinished.find('\n'); end != std::string::npos; end = unfinished.find('\n', from)) {
    print_line(unfinished.substr(from, end - from), is_error);
    from = end + 1;
  }
  unfinished.erase(0, from);
  return kUndefined;
}

void Engine::process_ends() {
  if (!tracer_.on()) return;
  for (const bool is_error : {false, true}) {
    std::string& unfinished = unfinished_[is_error ? 1 : 0];
    if (!unfinished.empty()) tracer_.add_text(is_error ? EventKind::error_log : EventKind::log, unfinished);
    unfinished.clear();
  }
}

// A string is Node's own, which may have to quote it.
Value Engine::code_of(Js code) { return is_string(code) ? heap_.make_string(js_->to_text(code)) : to_node(code); }

// exit(code, really): the listeners of 'exit', once; really: the end.
Owned Engine::exit(Js /*this_value*/, Given arguments) {
  const bool really = arguments[1] == kTrue;
  const Value code = really ? code_of(arguments[0]) : to_node(arguments[0]);
  const Flow flow = really ? node_->exit.really_exit(node_->exit.to_code(code)) : node_->exit.emit_exit(code);
  heap_.release(code);
  return unwind(flow);
}

Owned Engine::set_exit_code(Js /*this_value*/, Given arguments) {
  const Value code = code_of(arguments[0]);
  const Flow flow = node_->exit.set_code(code);
  heap_.release(code);
  return unwind(flow);
}

// As after the start of a process (make_snapshot.cpp).
constexpr std::uint32_t kRoomAfterCollection = 2U << 20U;

// setCaptures(whether): process.setUncaughtExceptionCaptureCallback() has set a function.
Owned Engine::set_captures(Js /*this_value*/, Given arguments) {
  captures_exceptions_ = arguments[0] == kTrue;
  return kUndefined;
}

// setRejectionMode(mode): a number of RejectionMode.
Owned Engine::set_rejection_mode(Js /*this_value*/, Given arguments) {
  const double mode = js_->number_given(arguments[0]);
  if (mode >= 0 && mode <= static_cast<double>(RejectionMode::throw_))
    rejection_mode_ = static_cast<RejectionMode>(mode);
  return kUndefined;
}

Owned Engine::collect_garbage(Js /*this_value*/, Given /*arguments*/) {
  js_->collect_garbage(kRoomAfterCollection);
  return kUndefined;
}

// jobNumber(): another one once the microtasks have run that may keep what a WeakRef points to.
Owned Engine::job_number(Js /*this_value*/, Given /*arguments*/) {
  return js_->make_number(static_cast<double>(job_number_));
}

// unsettled(): where the modules wait that the end of the main module waits for: [file, line, column] of each, in the order in
// which they began to.
Owned Engine::unsettled(Js /*this_value*/, Given /*arguments*/) {
  std::vector<Js> places;
  for (const Js resumes : module_awaits_) {
    if (js_->state_of(js_->promise_of_resumed(resumes)) != Instance::PromiseState::pending) continue;
    const Js place = js_->place_of_module(resumes);
    const std::string file = js_->text_of(place, "0");
    if (file == program_.script->file || imported_.contains(file))
      places.push_back(place);
    else
      js_->free(place);
  }
  const Js array = js_->make_array(places);
  for (const Js place : places) js_->free(place);
  return array;
}

// subject(): of the error that was just thrown (internal/stack.js).
Owned Engine::subject(Js /*this_value*/, Given /*arguments*/) { return js_->subject(); }

// advise(sentence): what helps the program's author, told after the run.
Owned Engine::advise(Js /*this_value*/, Given arguments) {
  node_->ending.suggest(js_->text_given(arguments[0]));
  return kUndefined;
}

// lastMatch(known): internal/regexp_statics.js.
Owned Engine::last_match(Js /*this_value*/, Given arguments) {
  return js_->last_match(is_number(arguments[0]) ? number_of(arguments[0]) : 0);
}

namespace {
constexpr std::uint32_t kMostFrames = 10'000;
std::uint32_t frames_at(Js most) {
  return is_number(most) ? std::min(whole<std::uint32_t>(number_of(most)), kMostFrames) : 0;
}
}  // namespace

// calls(most): of the frames where an error was just made or thrown: [function, receiver, new.target ...] (internal/stack.js).
Owned Engine::calls(Js /*this_value*/, Given arguments) { return js_->calls(frames_at(arguments[0])); }

// waiting(most, of_thenables): who waits for the promise that the job settles that runs (Instance::waiting()). `of_thenables`: also of
// a job that calls then().
Owned Engine::waiting(Js /*this_value*/, Given arguments) {
  if (running_job_ == nullptr) return kUndefined;
  const std::vector<Js>& job = running_job_->arguments;
  const std::uint32_t most = frames_at(arguments[0]);
  constexpr std::size_t kOfThenable = 3, kOfReaction = 5;
  if (job.size() == kOfThenable) return arguments[1] == kTrue ? js_->waiting(job[0], most) : kUndefined;
  if (job.size() != kOfReaction) return kUndefined;
  return js_->waiting(is_object(job[0]) ? js_->promise_settled_by(job[0]) : js_->promise_of_resumed(job[2]), most);
}

Owned Engine::own_exit_code(Js /*this_value*/, Given /*arguments*/) {
  const std::int64_t code = node_->exit.own_code();
  return code == 0 ? kUndefined : js_->make_number(static_cast<double>(code));
}
Owned Engine::is_exiting(Js /*this_value*/, Given /*arguments*/) {
  return Instance::make_boolean(node_->exit.is_exiting());
}

Owned Engine::memory_size(Js /*this_value*/, Given /*arguments*/) { return js_->make_number(js_->size_of_heap()); }

// activeResources(): how many timers and how many immediates keep the loop alive.
Owned Engine::active_resources(Js /*this_value*/, Given /*arguments*/) {
  double timers = 0, immediates = 0;
  heap_.timers.each([&](const node::TimerObject& timer) {
    if (timer.refs > 0 && !timer.destroyed && timer.is_referenced) ++timers;
  });
  heap_.immediates.each([&](const node::ImmediateObject& immediate) {
    if (immediate.refs > 0 && immediate.queued && !immediate.destroyed &&
        immediate.reference == node::ImmediateObject::Reference::yes)
      ++immediates;
  });
  const Js counts[] = {js_->make_number(timers), js_->make_number(immediates)};
  return js_->make_array(counts);
}

// Nanoseconds since the start of the process, as a number: whole up to 2^53, which is 104 days.
Owned Engine::hrtime(Js /*this_value*/, Given /*arguments*/) {
  return js_->make_number(static_cast<double>(read_clock(true)));
}

// cpu(ns): the thread uses this much CPU.
Owned Engine::cpu(Js /*this_value*/, Given arguments) {
  constexpr double kMost = 9e15;  // below 2^53
  const double asked = js_->number_given(arguments[0]);
  const TimeNs from = node_->machine().now();
  const TimeNs amount = node_->thread.compute(asked >= 0 ? static_cast<TimeNs>(std::min(asked, kMost)) : 0);  // NaN: 0
  if (tracer_.on()) tell_computation(from, amount);
  node_->loop().notice_time();
  return unwind(Flow::normal);
}

// noteListener(emitter, event, listener): the program adds a listener, for the trace. An object that has handleEvent() is its own
// emitter.
Owned Engine::note_listener(Js /*this_value*/, Given arguments) {
  constexpr std::size_t kMost = 100'000;  // a program that adds them for ever
  const Js emitter = arguments[0], listener = arguments[2];
  if (!tracer_.on() || !has_started_ || !is_object(emitter) || !is_object(listener)) return kUndefined;
  if (added_.size() >= kMost) added_.clear();
  added_[{pointer_of(emitter), js_->describe(arguments[1]), pointer_of(listener)}] = {where_.caller(),
                                                                                      node_->callbacks.running()};
  return kUndefined;
}

// Where the listener was added, as far as that is known.
Engine::AddedListener Engine::added_listener(Js emitter, const std::string& event, Js function) {
  if (is_object(emitter)) {
    for (const Js listener : {function, emitter}) {
      const auto known = added_.find({pointer_of(emitter), event, pointer_of(listener)});
      if (known != added_.end()) return known->second;
    }
  }
  return {where_.caller(), node_->callbacks.running()};
}

// callListener(function, this, arguments, event, is_process): a listener is a callback of its own in the trace.
Owned Engine::call_listener(Js /*this_value*/, Given arguments) {
  const Js function = arguments[0];
  const std::optional<std::vector<Js>> values = js_->elements_of(arguments[2]);
  if (!values) return refuse();
  const Api api = arguments[4] == kTrue ? Api::process_event : Api::on;
  const std::uint64_t id = node_->callbacks.next_id();
  const std::string event = tracer_.on() ? js_->describe(arguments[3]) : std::string();
  const std::uint64_t outer = node_->callbacks.running();
  AddedListener added{{}, outer};
  runtime::ListenerLines lines;
  if (tracer_.on()) {
    added = added_listener(arguments[1], event, function);
    lines = {where_.told(added.at).line, where_.line_of_function(function)};
  }
  const std::uint32_t place =
      tracer_.on() ? where_.of_listener(api, function, added.at) : where_.of_call(api, function);
  const bool begins = node_->callbacks.begin(api, places_[place].label, id, added.by, reported_at_, event, lines);
  if (begins) node_->callbacks.set_running(id);
  const Js result = begins ? js_->call(function, arguments[1], *values) : js_->throw_stop();
  if (stepper_ != nullptr) stepper_->settle();
  for (const Js value : *values) js_->free(value);
  if (!begins) return result;
  const bool goes_on = end_computation();
  node_->callbacks.set_running(outer);
  if (tracer_.on()) {
    const bool has_thrown = goes_on && result == kException;  // where the run ends, it is what unwinds the program
    node_->thread.note_ended(id);
    node_->callbacks.end(api, places_[place].label, id, has_thrown ? Completion::throw_ : Completion::normal);
  }
  if (goes_on) return result;
  js_->free(result);
  return js_->throw_stop();
}

// asyncContext(): the current one; asyncContext(value): that is the current one from here.
Owned Engine::async_context(Js /*this_value*/, Given arguments) {
  if (arguments.empty()) return js_->dup(async_context_);
  js_->free(std::exchange(async_context_, js_->dup(arguments[0])));
  return kUndefined;
}

Owned Engine::process_facts(Js /*this_value*/, Given /*arguments*/) {
  const Js facts = js_->make_object();
  js_->set(facts, "runtime", js_->make_string(program_.profile->name));
  js_->set(facts, "release", js_->make_string(program_.profile->version));
  js_->set(facts, "uv", js_->make_string(program_.profile->libuv.version));
  js_->set(facts, "major", js_->make_number(program_.profile->major));
  js_->set(facts, "script", js_->make_string(""));  // until name_script()
  js_->set(facts, "file", js_->make_string(""));
  const Js environment = js_->make_object();
  for (const auto& [name, value] : program_.script->environment) js_->set(environment, name, js_->make_string(value));
  js_->set(facts, "environment", environment);
  js_->free(std::exchange(facts_, js_->dup(facts)));
  return facts;
}

// readModule(path): the text of a file of the program, by its path from the root; undefined: there is none. With true behind the path:
// whether it leads out of what the program sees.
Owned Engine::read_module(Js /*this_value*/, Given arguments) {
  const ScriptFolder& folder = program_.script->folder;
  if (!folder.read) return kUndefined;
  const std::string path = js_->text_given(arguments[0]);
  if (arguments[1] == kTrue) return Instance::make_boolean(folder.leads_out && folder.leads_out(path));
  const std::optional<std::string> text = folder.read(path);
  return text ? js_->make_string(*text) : kUndefined;
}

const Builtins* Engine::builtins() {
  const std::string_view version = program_.profile->version;
  if (const Builtins* const own = own_builtins(); own != nullptr && own->version() == version) return own;
  const auto& library = program_.script->folder.library;
  if (!builtins_ && library) builtins_ = Builtins::read(library(version));
  return builtins_ && builtins_->version() == version ? &*builtins_ : nullptr;
}

// compileBuiltin(name): a file of Node's own library, as the function that it is the body of; undefined: this version has none; null: its
// library is not here.
Owned Engine::compile_builtin(Js /*this_value*/, Given arguments) {
  const Builtins* const library = builtins();
  if (library == nullptr) return kNull;
  const std::span<const std::uint8_t> code = library->code_of(js_->text_given(arguments[0]));
  return code.empty() ? kUndefined : js_->evaluate_compiled(code);
}

// countLoad(begins): a file of Node's own library is loaded from here on, or is there. Node has most of them from its start on, so
// none of it takes time or steps.
Owned Engine::count_load(Js /*this_value*/, Given arguments) {
  if (arguments[0] == kTrue)
    ++loads_;
  else if (loads_ != 0)
    --loads_;
  return kUndefined;
}

// privateSymbol(description): a key that nothing lists, and that no proxy hears of.
Owned Engine::private_symbol(Js /*this_value*/, Given arguments) {
  // The description of none is a number, which QuickJS cannot bear.
  return js_->make_private_symbol("node:" + js_->text_given(arguments[0]));
}

// reportException(error, whether it is of a promise): what nothing has caught, by the program's handlers, or the end of the process.
Owned Engine::report_exception(Js /*this_value*/, Given arguments) {
  keep_failed_context(async_context_);
  throw_value(to_node(arguments[0]));
  return unwind(node_->exit.handle_uncaught(arguments[1] == kTrue));
}

// lineIn(file): the line at which the program's innermost function of that file is; 0: none of it runs.
Owned Engine::line_in(Js /*this_value*/, Given arguments) {
  return js_->make_number(js_->place_in(js_->atom(js_->text_given(arguments[0]))).line);
}

// compile(source, file): the function that a CommonJS module is the body of.
Owned Engine::compile_module(Js /*this_value*/, Given arguments) {
  const std::string source = js_->text_given(arguments[0]);
  const std::string file = js_->text_given(arguments[1]);
  charge_bytes(source.size() * kStepsOfAKibibyte);
  return throws_for_syntax(source, file, false) ? kException : wrapper_of(source, file);
}

}  // namespace loopsim::quickjs
