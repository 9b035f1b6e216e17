// The functions that Node's JavaScript (node/*.js) has from below: process.binding() of old.
#include <array>
#include <cmath>
#include <utility>

#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"
#include "sim/quickjs/library.hpp"
#include "sim/quickjs/stepper.hpp"

namespace loopsim::quickjs {

namespace {

// The number of a host object: its index among Node's, and of which kind it is.
std::uint32_t handle_number(std::uint32_t kind, std::uint32_t index) { return index << 2U | kind; }
std::uint32_t kind_of(std::uint32_t number) { return number & 3U; }
std::uint32_t index_of(std::uint32_t number) { return number >> 2U; }

Js at(std::span<const Js> arguments, std::size_t i) { return i < arguments.size() ? arguments[i] : kUndefined; }
std::span<const Js> after(std::span<const Js> arguments, std::size_t i) {
  return i < arguments.size() ? arguments.subspan(i) : std::span<const Js>();
}

}  // namespace

std::span<const Engine::BindingRow> Engine::bindings() {
  static constexpr std::array kRows = {
      BindingRow{"setTimeout", 2, &Engine::set_timeout},
      BindingRow{"setInterval", 2, &Engine::set_interval},
      BindingRow{"setImmediate", 1, &Engine::set_immediate},
      BindingRow{"clear", 1, &Engine::clear},
      BindingRow{"timerMethod", 2, &Engine::timer_method},
      BindingRow{"nextTick", 1, &Engine::next_tick},
      BindingRow{"queueMicrotask", 1, &Engine::queue_microtask},
      BindingRow{"print", 2, &Engine::print},
      BindingRow{"exit", 1, &Engine::exit},
      BindingRow{"setExitCode", 1, &Engine::set_exit_code},
      BindingRow{"hrtime", 0, &Engine::hrtime},
      BindingRow{"compute", 1, &Engine::compute},
      BindingRow{"callListener", 3, &Engine::call_listener},
      BindingRow{"asyncContext", 1, &Engine::async_context},
      BindingRow{"makePort", 0, &Engine::make_port},
      BindingRow{"portMethod", 2, &Engine::port_method},
      BindingRow{"watchPorts", 2, &Engine::watch_ports},
      BindingRow{"loopTimes", 0, &Engine::loop_times},
      BindingRow{"delayMonitor", 2, &Engine::delay_monitor},
      BindingRow{"callbackId", 0, &Engine::callback_id},
      BindingRow{"processFacts", 0, &Engine::process_facts},
      BindingRow{"readModule", 1, &Engine::read_module},
      BindingRow{"compile", 2, &Engine::compile_module},
      BindingRow{"startWork", 5, &Engine::start_work},
      BindingRow{"netListen", 2, &Engine::net_listen},
      BindingRow{"netConnect", 2, &Engine::net_connect},
      BindingRow{"netOn", 4, &Engine::net_on},
      BindingRow{"netOff", 3, &Engine::net_off},
      BindingRow{"netEmit", 3, &Engine::net_emit},
      BindingRow{"netOperation", 4, &Engine::net_operation},
      BindingRow{"spawn", 4, &Engine::spawn},
      BindingRow{"kill", 2, &Engine::kill},
      BindingRow{"reference", 2, &Engine::reference},
      BindingRow{"signalListenerRemoved", 1, &Engine::signal_listener_removed},
      BindingRow{"classId", 1, &Engine::class_id},
      BindingRow{"promiseDetails", 1, &Engine::promise_details},
      BindingRow{"proxyDetails", 1, &Engine::proxy_details},
      BindingRow{"programSource", 0, &Engine::program_source},
      BindingRow{"runningApi", 0, &Engine::running_api},
      BindingRow{"machineFacts", 0, &Engine::machine_facts},
  };
  return kRows;
}

Owned Engine::call(std::uint32_t function, Js this_value, std::span<const Js> arguments) {
  if (node_->callbacks.stopping()) return js_->throw_stop();
  return (this->*bindings()[function].function)(this_value, arguments);
}

void Engine::collected(std::uint32_t number) {
  if (kind_of(number) == kTimer) node_->timers.drop(index_of(number));
  if (kind_of(number) == kImmediate) node_->immediates.drop(index_of(number));
}

std::uint32_t Engine::emitter_of(Js object) {
  std::uint32_t number = 0;
  if (is_object(object) && process_ != kUndefined && pointer_of(object) == pointer_of(process_))
    return node_->events.process_emitter();
  return js_->host_object(object, number) && kind_of(number) == kEmitter ? index_of(number) : kNone;
}

Js Engine::object_of(std::uint32_t emitter) {
  if (emitter == node_->events.process_emitter()) return process_;
  const auto [known, is_new] = objects_.try_emplace(emitter, kUndefined);
  if (is_new) {
    const node::EmitterObject& object = heap_.emitters[emitter];
    ++heap_.emitters[emitter].refs;  // the object lives as long as the run, and so does the emitter
    const Js prototype = object.child != kNone                                     ? child_prototype_
                         : object.net != kNone && heap_.nets[object.net].is_server ? server_prototype_
                                                                                   : socket_prototype_;
    known->second = make_handle(kEmitter, emitter, prototype);
  }
  return known->second;
}

Js Engine::make_handle(std::uint32_t kind, std::uint32_t index, Js prototype) {
  return js_->make_host_object(handle_number(kind, index), prototype);
}

// ---- timers and immediates ------------------------------------------------------------------------------------------------------

Owned Engine::make_timer(std::span<const Js> arguments, bool repeats) {
  const node::Delay delay = node_->timers.coerce_delay(js_->to_number(at(arguments, 1)));
  const Callable called = callable(repeats ? Api::set_interval : Api::set_timeout, arguments[0], after(arguments, 2));
  const std::uint32_t timer = node_->timers.make(delay, repeats, kNone, called, true);
  if (node_->callbacks.stopping()) return js_->throw_stop();
  return make_handle(kTimer, timer, timeout_prototype_);
}

Owned Engine::set_timeout(Js /*this_value*/, std::span<const Js> arguments) { return make_timer(arguments, false); }
Owned Engine::set_interval(Js /*this_value*/, std::span<const Js> arguments) { return make_timer(arguments, true); }

Owned Engine::set_immediate(Js /*this_value*/, std::span<const Js> arguments) {
  const Callable called = callable(Api::set_immediate, arguments[0], after(arguments, 1));
  const std::uint32_t immediate = node_->immediates.make(called, kNone, true);
  if (node_->callbacks.stopping()) return js_->throw_stop();
  return make_handle(kImmediate, immediate, immediate_prototype_);
}

// clear(handle, is_immediate). True: it was a handle of that kind.
Owned Engine::clear(Js /*this_value*/, std::span<const Js> arguments) {
  std::uint32_t number = 0;
  const std::uint32_t kind = at(arguments, 1) == kTrue ? kImmediate : kTimer;
  if (!js_->host_object(at(arguments, 0), number) || kind_of(number) != kind) return kFalse;
  if (kind == kTimer)
    node_->timers.clear(index_of(number));
  else
    node_->immediates.clear(index_of(number));
  return kTrue;
}

// timerMethod(handle, which). Fields as Node's own objects have them: o, i, s, p, d; n: their asynchronous id.
Owned Engine::timer_method(Js /*this_value*/, std::span<const Js> arguments) {
  std::uint32_t number = 0;
  if (!js_->host_object(at(arguments, 0), number)) return js_->throw_error("TypeError", "Illegal invocation");
  const std::uint32_t index = index_of(number);
  const auto method = static_cast<char>(number_of(at(arguments, 1)));
  if (kind_of(number) == kTimer) {
    const node::TimerObject& timer = heap_.timers[index];
    switch (method) {
      case 'r': node_->timers.ref(index); break;
      case 'u': node_->timers.unref(index); break;
      case 'f': node_->timers.refresh(index); break;
      case 'c': node_->timers.close(index); break;
      case 'o': return timer.has_callback ? js_->dup(contexts_[timer.context].function) : kNull;
      case 'i': return js_->make_number(timer.idle_timeout < 1 && timer.has_callback ? 1 : timer.idle_timeout);
      case 's': return js_->make_number(static_cast<double>(timer.idle_start));
      case 'p': return timer.repeats ? js_->make_number(timer.idle_timeout) : kNull;
      case 'd': return Instance::make_boolean(timer.destroyed);
      case 'n': return js_->make_number(static_cast<double>(timer.id));
      default: return Instance::make_boolean(node_->timers.has_ref(index));
    }
  } else {
    const node::ImmediateObject& immediate = heap_.immediates[index];
    switch (method) {
      case 'r': node_->immediates.ref(index); break;
      case 'u': node_->immediates.unref(index); break;
      case 'o': return immediate.destroyed ? kNull : js_->dup(contexts_[immediate.callback.context].function);
      case 'd': return Instance::make_boolean(immediate.destroyed);
      case 'n': return js_->make_number(static_cast<double>(immediate.callback.id));
      default: return Instance::make_boolean(node_->immediates.has_ref(index));
    }
  }
  return kUndefined;
}

Owned Engine::next_tick(Js /*this_value*/, std::span<const Js> arguments) {
  if (node_->exit.is_exiting()) return kUndefined;
  node_->task_queue.next_tick(callable(Api::next_tick, arguments[0], after(arguments, 1)));
  return unwind(Flow::normal);
}

Owned Engine::queue_microtask(Js /*this_value*/, std::span<const Js> arguments) {
  node_->task_queue.note_queue_microtask();
  Job job;
  job.is_microtask = true;
  node_->callbacks.hand_over(job.callback, callable(Api::queue_microtask, arguments[0]));
  node_->callbacks.announce(job.callback, ScheduleKind::first, -1, -1);
  push_job(std::move(job));
  return unwind(Flow::normal);
}

// ---- the process ----------------------------------------------------------------------------------------------------------------

// print(text, is_error)
Owned Engine::print(Js /*this_value*/, std::span<const Js> arguments) {
  const bool is_error = at(arguments, 1) == kTrue;
  if (!is_error && node_->machine().has_costs() && !node_->thread.pay_for_log()) return js_->throw_stop();
  if (!tracer_.on()) return kUndefined;
  Event& event = tracer_.add_text(is_error ? EventKind::error_log : EventKind::log, js_->to_text(at(arguments, 0)));
  if (!is_error) {
    const SourcePosition position = caller();
    event.line = position.line;
    event.column = position.column;
  }
  return kUndefined;
}

// A string is Node's own, which may have to quote it.
Value Engine::code_of(Js code) { return is_string(code) ? heap_.make_string(js_->to_text(code)) : to_node(code); }

Owned Engine::exit(Js /*this_value*/, std::span<const Js> arguments) {
  const Value code = code_of(at(arguments, 0));
  const Flow flow = node_->exit.process_exit(code.tag == node::Tag::undefined ? nullptr : &code);
  heap_.release(code);
  return unwind(flow);
}

Owned Engine::set_exit_code(Js /*this_value*/, std::span<const Js> arguments) {
  const Value code = code_of(at(arguments, 0));
  const Flow flow = node_->exit.set_code(code);
  heap_.release(code);
  return unwind(flow);
}

// Nanoseconds since the start of the process, as a number: whole up to 2^53, which is 104 days.
Owned Engine::hrtime(Js /*this_value*/, std::span<const Js> /*arguments*/) {
  return js_->make_number(static_cast<double>(read_clock(true)));
}

// compute(ns): the thread uses this much CPU.
Owned Engine::compute(Js /*this_value*/, std::span<const Js> arguments) {
  const auto amount = static_cast<TimeNs>(js_->to_number(at(arguments, 0)));
  const TimeNs from = node_->machine().now();
  node_->thread.compute(amount);
  if (tracer_.on()) {
    Event& event = tracer_.add(EventKind::burn);
    event.detail = static_cast<std::uint8_t>(BurnKind::cpu);
    event.a = amount;
    event.b = from;
    event.c = node_->machine().now() - from;
  }
  node_->loop().notice_time();
  return unwind(Flow::normal);
}

// callListener(function, this, arguments, event, is_process): a listener is a callback of its own in the trace.
Owned Engine::call_listener(Js /*this_value*/, std::span<const Js> arguments) {
  const Js function = arguments[0];
  const Api api = at(arguments, 4) == kTrue ? Api::process_event : Api::on;
  const std::uint32_t place = place_of(api, function);
  const std::uint64_t id = node_->callbacks.next_id();
  const std::string event = js_->to_text(at(arguments, 3));
  const std::uint64_t outer = node_->callbacks.running();
  if (!node_->callbacks.begin(api, places_[place].label, id, outer, -1, event)) return js_->throw_stop();
  node_->callbacks.set_running(id);
  const Js list = arguments[2];
  const Js length = js_->get(list, "length");
  std::vector<Js> values;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(number_of(length)); ++i)
    values.push_back(js_->item(list, i));
  const Js result = js_->call(function, at(arguments, 1), values);
  if (stepper_ != nullptr) stepper_->settle();
  for (const Js value : values) js_->free(value);
  node_->callbacks.set_running(outer);
  if (tracer_.on()) {
    node_->thread.note_ended(id);
    node_->callbacks.end(api, places_[place].label, id, result == kException ? Completion::throw_ : Completion::normal);
  }
  return result;
}

// asyncContext(): the current one; asyncContext(value): that is the current one from here.
Owned Engine::async_context(Js /*this_value*/, std::span<const Js> arguments) {
  if (arguments.empty()) return js_->dup(async_context_);
  js_->free(std::exchange(async_context_, js_->dup(arguments[0])));
  return kUndefined;
}

// The number of the running callback in the trace.
Owned Engine::callback_id(Js /*this_value*/, std::span<const Js> /*arguments*/) {
  return js_->make_number(static_cast<double>(node_->callbacks.running()));
}

Owned Engine::process_facts(Js /*this_value*/, std::span<const Js> /*arguments*/) {
  const Js facts = js_->make_object();
  js_->set(facts, "runtime", js_->make_string(program_.profile->name));
  js_->set(facts, "release", js_->make_string(program_.profile->version));
  js_->set(facts, "uv", js_->make_string(program_.profile->libuv.version));
  js_->set(facts, "major", js_->make_number(program_.profile->major));
  js_->set(facts, "file", js_->make_string(program_.script->file.substr(program_.script->file.rfind('/') + 1)));
  js_->set(facts, "tracing", Instance::make_boolean(tracer_.on()));
  const Js environment = js_->make_object();
  for (const auto& [name, value] : program_.script->environment) {
    js_->set(environment, name, js_->make_string(value));
    if (name == "LOOPSIM_VCLOCK") clock_is_free_ = true;  // as under the clock of tools/conformance
  }
  js_->set(facts, "environment", environment);
  return facts;
}

// readModule(path): the text of a file of the program, by its path from the script's folder; undefined: there is none.
Owned Engine::read_module(Js /*this_value*/, std::span<const Js> arguments) {
  const Script& script = *program_.script;
  if (!script.read_module) return kUndefined;
  const std::optional<std::string> text = script.read_module(js_->to_text(at(arguments, 0)));
  return text ? js_->make_string(*text) : kUndefined;
}

// compile(source, file): the function that a CommonJS module is the body of.
Owned Engine::compile_module(Js /*this_value*/, std::span<const Js> arguments) {
  return wrapper_of(js_->to_text(at(arguments, 0)), js_->to_text(at(arguments, 1)));
}

// startWork(api, operation, nanoseconds, error code or undefined, callback, uses CPU): one request.
Owned Engine::start_work(Js /*this_value*/, std::span<const Js> arguments) {
  const std::string kind = js_->to_text(at(arguments, 0));
  const bool is_lookup = kind == "dns";
  const Api api = is_lookup ? Api::dns : kind == "crypto" ? Api::crypto : kind == "zlib" ? Api::zlib : Api::fs;
  node::Operation operation;
  operation.name = name_of_event(event_name(js_->to_text(at(arguments, 1))));  // lives as long as the run
  if (is_string(at(arguments, 3))) operation.error = name_of_event(event_name(js_->to_text(at(arguments, 3))));
  operation.request_names[0] = operation.name;
  operation.durations[0] = static_cast<TimeNs>(js_->to_number(at(arguments, 2)));
  operation.is_slow = is_lookup;  // UV__WORK_SLOW_IO
  operation.needs_cpu = at(arguments, 5) == kTrue;
  node_->requests.start(operation, kNone, node_->callbacks.make(callable(api, at(arguments, 4))));
  return unwind(Flow::normal);
}

}  // namespace loopsim::quickjs
