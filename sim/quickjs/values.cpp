// Functions that tell the library what no JavaScript can ask: of a value, of the program's text, of the machine.
#include <vector>

#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"
#include "sim/quickjs/heap_view.hpp"
#include "sim/quickjs/library.hpp"

namespace loopsim::quickjs {

// classId(object): a number that objects of the same class have, whatever their prototype.
Owned Engine::class_id(Js /*this_value*/, std::span<const Js> arguments) {
  if (arguments.empty() || !is_object(arguments[0])) return js_->make_number(0);
  return js_->make_number(js_->class_id(arguments[0]));
}

// promiseDetails(promise): [0: pending, 1: fulfilled, 2: rejected; its result]
Owned Engine::promise_details(Js /*this_value*/, std::span<const Js> arguments) {
  const int state = arguments.empty() ? -1 : js_->promise_state(arguments[0]);
  if (state < 0) return kUndefined;
  const Js result = state == 0 ? kUndefined : js_->promise_result(arguments[0]);
  const Js details[] = {js_->make_number(state), result};
  const Js list = js_->make_array(details);
  js_->free(result);
  return list;
}

// proxyDetails(value): [target, handler] of a proxy, both null when it is revoked; undefined of another value.
Owned Engine::proxy_details(Js /*this_value*/, std::span<const Js> arguments) {
  if (arguments.empty() || !js_->is_proxy(arguments[0])) return kUndefined;
  Js details[] = {js_->proxy_target(arguments[0]), js_->proxy_handler(arguments[0])};
  for (Js& value : details) {
    if (value != kException) continue;
    js_->free(js_->take_exception());
    value = kNull;
  }
  const Js list = js_->make_array(details);
  for (const Js value : details) js_->free(value);
  return list;
}

// iteratorMembers(iterator): [what an iterator of a map or set has not given yet, whether keys and values take turns in it].
Owned Engine::iterator_members(Js /*this_value*/, std::span<const Js> arguments) {
  std::vector<Js> members;
  bool is_pairs = false;
  if (!arguments.empty() && is_object(arguments[0])) is_pairs = HeapView(*js_).members_of_iterator(arguments[0], members);
  const Js details[] = {js_->make_array(members), Instance::make_boolean(is_pairs)};
  const Js list = js_->make_array(details);
  js_->free(details[0]);
  return list;
}

// The program's text, its name, and how many columns of line 1 are not its own.
Owned Engine::program_source(Js /*this_value*/, std::span<const Js> /*arguments*/) {
  const Js facts = js_->make_object();
  js_->set(facts, "source", js_->make_string(program_.script->source));
  js_->set(facts, "file", js_->make_string(program_.script->file));
  js_->set(facts, "shift", js_->make_number(where_.columns_before()));
  js_->set(facts, "scriptShift", js_->make_number(static_cast<double>(kScriptBefore.size())));
  return facts;
}

// runningApi(): what called the outermost function of JavaScript that runs: "setTimeout" ...
Owned Engine::running_api(Js /*this_value*/, std::span<const Js> /*arguments*/) {
  return js_->make_string(to_string(running_api_));
}

// threwIn(): what called the last function of JavaScript that threw; with " between ticks", where their function drains the microtasks.
Owned Engine::threw_in(Js /*this_value*/, std::span<const Js> /*arguments*/) {
  const std::string name(to_string(threw_in_));
  return js_->make_string(node_->task_queue.is_in_ticks() ? name + " between ticks" : name);
}

Owned Engine::machine_facts(Js /*this_value*/, std::span<const Js> /*arguments*/) {
  const Js facts = js_->make_object();
  js_->set(facts, "name", js_->make_string(program_.machine.name));
  js_->set(facts, "cores", js_->make_number(program_.machine.cores));  // 0: one for each thread
  return facts;
}

}  // namespace loopsim::quickjs
