// Functions that tell the library what no JavaScript can ask: of a value, of the program's text, of the machine.
#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"
#include "sim/quickjs/library.hpp"
#include "sim/quickjs/value_details.hpp"

namespace loopsim::quickjs {

Owned Engine::class_id(Js /*this_value*/, Given arguments) { return quickjs::class_id(*js_, arguments); }
Owned Engine::promise_details(Js /*this_value*/, Given arguments) { return quickjs::promise_details(*js_, arguments); }
Owned Engine::proxy_details(Js /*this_value*/, Given arguments) { return quickjs::proxy_details(*js_, arguments); }
Owned Engine::iterator_members(Js /*this_value*/, Given arguments) {
  return quickjs::iterator_members(*js_, arguments);
}

// The program's text, its name, and how many columns of line 1 are not its own.
Owned Engine::program_source(Js /*this_value*/, Given /*arguments*/) {
  const Js facts = js_->make_object();
  js_->set(facts, "source", js_->make_string(program_.script->source));
  js_->set(facts, "file", js_->make_string(program_.script->file));
  js_->set(facts, "shift", js_->make_number(where_.columns_before()));
  js_->set(facts, "scriptShift", js_->make_number(static_cast<double>(kScriptBefore.size())));
  return facts;
}

// runningApi(): what called the outermost function of JavaScript that runs: "setTimeout" ...
Owned Engine::running_api(Js /*this_value*/, Given /*arguments*/) { return js_->make_string(to_string(running_api_)); }

// threwIn(): what called the last function of JavaScript that threw; with " between ticks", where their function drains the microtasks.
Owned Engine::threw_in(Js /*this_value*/, Given /*arguments*/) {
  const std::string name(to_string(threw_in_));
  return js_->make_string(node_->task_queue.is_in_ticks() ? name + " between ticks" : name);
}

Owned Engine::machine_facts(Js /*this_value*/, Given /*arguments*/) {
  const Js facts = js_->make_object();
  js_->set(facts, "name", js_->make_string(program_.machine.name));
  js_->set(facts, "cores", js_->make_number(program_.machine.cores));  // 0: one for each thread
  return facts;
}

}  // namespace loopsim::quickjs
