// The functions that a page's JavaScript (web/*.js) has from below.
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/quickjs/library.hpp"
#include "sim/quickjs/value_details.hpp"
#include "sim/quickjs/web_engine.hpp"

namespace loopsim::quickjs {

namespace {

const std::string kOrigin = "https://example.test";
constexpr std::uint32_t kAnswerStreams = 0x6c00'0000U;  // plus the number of the duration

// Of a task, by the name of its Api in the library.
struct TaskKind {
  std::string_view name;
  Api api;
  browser::Source source;
  bool continues = false;  // it comes before other tasks of its priority
};
constexpr std::array kTaskKinds = {
    TaskKind{"message", Api::post_message, browser::Source::message},
    TaskKind{"postTask", Api::post_task, browser::Source::post_task},
    TaskKind{"yield", Api::yield_, browser::Source::post_task, true},
    TaskKind{"fetch", Api::fetch, browser::Source::network},
    TaskKind{"history", Api::history, browser::Source::history},
    TaskKind{"IntersectionObserver", Api::intersection_observer, browser::Source::dom},
    TaskKind{"AbortSignal.timeout", Api::abort_timeout, browser::Source::timer},
    TaskKind{"event", Api::event_task, browser::Source::dom},
};

std::uint32_t number_at(Given arguments, std::size_t i) {
  const Js value = arguments[i];
  return is_number(value) ? whole<std::uint32_t>(number_of(value)) : 0;
}

// Milliseconds, with a fraction.
double in_ms(TimeNs time) { return static_cast<double>(time) / static_cast<double>(kMillisecond); }
TimeNs nanoseconds(double ns) {
  constexpr double kMost = 9e15;
  return ns > 0 ? static_cast<TimeNs>(ns < kMost ? ns : kMost) : 0;  // NaN: 0
}
TimeNs in_ns(double ms) { return nanoseconds(ms * static_cast<double>(kMillisecond)); }

}  // namespace

std::span<const WebEngine::BindingRow> WebEngine::bindings() {
  static constexpr std::array kRows = {
      BindingRow{"setTimer", 4, &WebEngine::set_timer},
      BindingRow{"clearTimer", 1, &WebEngine::clear_timer},
      BindingRow{"queueMicrotask", 2, &WebEngine::queue_microtask},
      BindingRow{"requestFrame", 1, &WebEngine::request_frame},
      BindingRow{"cancelFrame", 1, &WebEngine::cancel_frame},
      BindingRow{"requestIdle", 2, &WebEngine::request_idle},
      BindingRow{"cancelIdle", 1, &WebEngine::cancel_idle},
      BindingRow{"queueTask", 7, &WebEngine::queue_task},
      BindingRow{"cancelTask", 1, &WebEngine::cancel_task},
      BindingRow{"callListener", 4, &WebEngine::call_listener},
      BindingRow{"placeOf", 1, &WebEngine::place_of},
      BindingRow{"now", 0, &WebEngine::now, true},
      BindingRow{"time", 0, &WebEngine::time},
      BindingRow{"wallTime", 0, &WebEngine::wall_time},
      BindingRow{"print", 2, &WebEngine::print},
      BindingRow{"changed", 0, &WebEngine::changed},
      BindingRow{"answer", 2, &WebEngine::answer},
      BindingRow{"random", 0, &WebEngine::random_number},
      BindingRow{"cpu", 1, &WebEngine::cpu},
      BindingRow{"spin", 1, &WebEngine::spin},
      BindingRow{"setPriority", 2, &WebEngine::set_priority},
      BindingRow{"checkpoint", 0, &WebEngine::checkpoint},
      BindingRow{"classId", 1, &WebEngine::class_id},
      BindingRow{"promiseDetails", 1, &WebEngine::promise_details},
      BindingRow{"proxyDetails", 1, &WebEngine::proxy_details},
      BindingRow{"iteratorMembers", 1, &WebEngine::iterator_members},
  };
  return kRows;
}

Owned WebEngine::call(std::uint32_t function, Js /*this_value*/, std::span<const Js> arguments) {
  if (page_->callbacks.stopping()) return js_->throw_stop();
  const BindingRow& row = bindings()[function];
  // A loop that watches a clock is one computation.
  if (row.reads_clock ? !pay_for_jumps() : !end_computation()) return js_->throw_stop();
  const Owned result = (this->*row.function)(arguments);
  return page_->callbacks.stopping() && result != kException ? js_->throw_stop() : result;
}

std::vector<Js> WebEngine::items_of(Js array) { return js_->elements_of(array).value_or(std::vector<Js>()); }

// setTimer(callback, delay, repeats, arguments)
Owned WebEngine::set_timer(Given arguments) {
  const std::vector<Js> items = items_of(arguments[3]);
  const bool repeats = arguments[2] == kTrue;
  const Callable called = callable(repeats ? Api::set_interval : Api::set_timeout, arguments[0], items);
  for (const Js value : items) js_->free(value);
  return js_->make_number(page_->set_timer(called, js_->number_given(arguments[1]), repeats));
}

Owned WebEngine::clear_timer(Given arguments) {
  page_->clear_timer(number_at(arguments, 0));
  return kUndefined;
}

// queueMicrotask(callback, api)
Owned WebEngine::queue_microtask(Given arguments) {
  Job job;
  job.is_microtask = true;
  const bool observes = js_->text_given(arguments[1]) == to_string(Api::mutation_observer);
  page_->callbacks.hand_over(job.callback,
                             callable(observes ? Api::mutation_observer : Api::queue_microtask, arguments[0]));
  page_->callbacks.announce(job.callback, ScheduleKind::first, -1, -1);
  push_job(std::move(job));
  return kUndefined;
}

Owned WebEngine::request_frame(Given arguments) {
  return js_->make_number(page_->request_frame(callable(Api::request_animation_frame, arguments[0])));
}

Owned WebEngine::cancel_frame(Given arguments) {
  page_->cancel_frame(number_at(arguments, 0));
  return kUndefined;
}

// requestIdle(callback, timeout in ms, or -1)
Owned WebEngine::request_idle(Given arguments) {
  const double timeout = js_->number_given(arguments[1]);
  return js_->make_number(page_->request_idle(callable(Api::request_idle_callback, arguments[0]), in_ns(timeout)));
}

Owned WebEngine::cancel_idle(Given arguments) {
  page_->cancel_idle(number_at(arguments, 0));
  return kUndefined;
}

// 0 user-blocking, 1 user-visible, 2 background, as the library counts.
browser::Priority priority_of(double number, bool continues) {
  const auto at = static_cast<std::uint8_t>(number >= 0 && number <= 2 ? number : 1);
  return static_cast<browser::Priority>(2 * at + (continues ? 0 : 1));
}

// queueTask(api, callback, arguments, delay in ms, priority, the program's function, its line of several lines of this source)
Owned WebEngine::queue_task(Given arguments) {
  const std::string name = js_->text_given(arguments[0]);
  const TaskKind* kind = &kTaskKinds.back();
  for (const TaskKind& one : kTaskKinds)
    if (one.name == name) kind = &one;
  const std::vector<Js> items = items_of(arguments[2]);
  const Js named = is_object(arguments[5]) ? arguments[5] : arguments[1];
  const Callable called = callable(kind->api, arguments[1], items, kUndefined, named);
  for (const Js value : items) js_->free(value);
  browser::TaskLine line;
  line.source = kind->source;
  line.priority = priority_of(is_number(arguments[4]) ? number_of(arguments[4]) : 1, kind->continues);
  line.number = line.source == browser::Source::network ? ++last_request_ : number_at(arguments, 6);
  if (kind->api == Api::abort_timeout) line.number = 1;  // not in line with setTimeout()
  return js_->make_number(page_->queue_task(line, called, in_ns(js_->number_given(arguments[3]))));
}

Owned WebEngine::cancel_task(Given arguments) {
  page_->cancel_task(number_at(arguments, 0));
  return kUndefined;
}

// setPriority(task, priority)
Owned WebEngine::set_priority(Given arguments) {
  page_->set_priority(number_at(arguments, 0), priority_of(js_->number_given(arguments[1]), false));
  return kUndefined;
}

Owned WebEngine::checkpoint(Given /*arguments*/) {
  page_->checkpoint();
  return kUndefined;
}

// placeOf(function): the number of the place where the program adds this listener.
Owned WebEngine::place_of(Given arguments) {
  return js_->make_number(where_.of_call(Api::add_event_listener, arguments[0]));
}

// callListener(label, callback, this, arguments, caught, place): a listener is a callback of its own in the trace. What it throws is
// reported, or given to `caught`.
Owned WebEngine::call_listener(Given arguments) {
  const std::vector<Js> items = items_of(arguments[3]);
  Callable called = callable(Api::add_event_listener, arguments[1], items, arguments[2]);
  const std::uint32_t place = number_at(arguments, 5);
  if (is_number(arguments[5]) && place < places_.size()) called.place = place;
  Callback callback = page_->callbacks.make(called);
  for (const Js value : items) js_->free(value);
  callback.id = page_->callbacks.next_id();
  Value result;
  browser::ExceptionTaker taker;
  if (is_object(arguments[4])) {
    taker = [this, caught = arguments[4]] {
      const Js error = take_thrown();
      const Flow flow = ask(caught, std::span<const Js>(&error, 1));
      js_->free(error);
      return flow == Flow::threw ? report_exception() : flow;
    };
  }
  page_->call(callback, {}, -1, &result, taker);
  release(callback);
  if (page_->callbacks.stopping()) {
    release(result);
    return js_->throw_stop();
  }
  const Js returned = to_js(result);
  release(result);
  return returned;
}

Owned WebEngine::now(Given /*arguments*/) { return js_->make_number(in_ms(read_clock(true))); }

// For the library's own use, which costs nothing.
Owned WebEngine::time(Given /*arguments*/) { return js_->make_number(in_ms(page_->now())); }

// The wall clock when the page began, in ms.
Owned WebEngine::wall_time(Given /*arguments*/) {
  return js_->make_number(in_ms(kStartOfTheClock + page_->clock_phase()));
}

// print(level, text): a browser has one console.
Owned WebEngine::print(Given arguments) {
  if (page_->machine().has_costs() && !page_->thread.pay_for_log()) return js_->throw_stop();
  if (!tracer_.on()) return kUndefined;
  const std::string text = js_->text_given(arguments[1]);
  const SourcePosition position = where_.told(where_.caller());
  Event& event = tracer_.add_text(EventKind::log, text);
  event.line = position.line;
  event.column = position.column;
  return kUndefined;
}

Owned WebEngine::changed(Given /*arguments*/) {
  // An empty document shows nothing before a script changes it.
  if (has_started_ || !program_.script->document.empty()) page_->changed();
  return kUndefined;
}

// answer(url, method): what the scenario says of a request; null: nothing, so it fails.
Owned WebEngine::answer(Given arguments) {
  const Script& script = *program_.script;
  const std::string asked = js_->text_given(arguments[0]), method = js_->text_given(arguments[1]);
  const std::string url = asked.substr(0, asked.find('#'));
  const auto is_asked = [&](const ScriptAnswer& answer) {
    const bool is_path = answer.url.starts_with('/');
    return answer.method == method && (is_path ? kOrigin + answer.url : answer.url) == url;
  };
  const auto found = std::ranges::find_if(script.answers, is_asked);
  if (found == script.answers.end()) return kNull;
  const Js headers = js_->make_object();
  for (const auto& [name, value] : found->headers) js_->set(headers, name, js_->make_string(value));
  const Js made = js_->make_object();
  js_->set(made, "status", js_->make_number(found->status));
  js_->set(made, "body", js_->make_string(found->text));
  js_->set(made, "headers", headers);
  if (found->takes != kNone) {
    if (answer_draws_.empty()) answer_draws_.resize(script.durations.size());
    const std::uint32_t stream = kAnswerStreams + found->takes;
    const TimeNs takes = answer_draws_[found->takes].draw(script.durations[found->takes], seed_, stream);
    js_->set(made, "takes", js_->make_number(in_ms(takes)));
  }
  return made;
}

Owned WebEngine::random_number(Given /*arguments*/) {
  constexpr double kRange = 9007199254740992;  // 2^53
  return js_->make_number(static_cast<double>(random_.next() >> 11U) / kRange);
}

// cpu(ns): the thread uses this much CPU.
Owned WebEngine::cpu(Given arguments) {
  compute(nanoseconds(js_->number_given(arguments[0])));
  end_computation();
  return kUndefined;
}

// spin(ns): the thread polls the clock until it has moved this far.
Owned WebEngine::spin(Given arguments) {
  end_computation();
  const TimeNs from = page_->now();
  const TimeNs amount = nanoseconds(js_->number_given(arguments[0]));
  page_->thread.spin_until(from + amount);
  if (page_->callbacks.stopping()) return js_->throw_stop();
  if (tracer_.on()) {
    Event& event = tracer_.add(EventKind::burn);
    event.detail = static_cast<std::uint8_t>(BurnKind::spin);
    event.a = amount;
    event.b = from;
    event.c = page_->now() - from;
  }
  return kUndefined;
}

Owned WebEngine::class_id(Given arguments) { return quickjs::class_id(*js_, arguments); }
Owned WebEngine::promise_details(Given arguments) { return quickjs::promise_details(*js_, arguments); }
Owned WebEngine::proxy_details(Given arguments) { return quickjs::proxy_details(*js_, arguments); }
Owned WebEngine::iterator_members(Given arguments) { return quickjs::iterator_members(*js_, arguments); }

Owned WebEngine::make_facts() {
  const Js facts = js_->make_object();
  js_->set(facts, "name", js_->make_string(program_.profile->name));
  js_->set(facts, "version", js_->make_number(program_.profile->major));
  js_->set(facts, "html", js_->make_string(program_.script->document));
  js_->set(facts, "url", js_->make_string(kOrigin + "/" + query()));
  // The two halves of the run's seed, for scripts that were made of steps (javascript_helpers.cpp).
  const Js halves[] = {js_->make_number(static_cast<double>(seed_ & 0xffffffffU)),
                       js_->make_number(static_cast<double>(seed_ >> 32U))};
  js_->set(facts, "seed", js_->make_array(halves));
  return facts;
}

// The variables of the scenario, as the address has them: "?work=10&name=a%20b".
std::string WebEngine::query() const {
  std::string text;
  const auto add = [&text](std::string_view part) {
    for (const char c : part) {
      const auto byte = static_cast<unsigned char>(c);
      const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                            std::string_view("-._~").find(c) != std::string_view::npos;
      if (is_plain)
        text += c;
      else
        fmt::format_to(std::back_inserter(text), "%{:02X}", byte);
    }
  };
  for (const auto& [name, value] : program_.script->environment) {
    text += text.empty() ? '?' : '&';
    add(name);
    text += '=';
    add(value);
  }
  return text;
}

}  // namespace loopsim::quickjs
