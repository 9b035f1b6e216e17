// The functions of Node's JavaScript for files, and for requests to the thread pool and the network.
#include <algorithm>
#include <optional>
#include <utility>

#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"
#include "sim/quickjs/library.hpp"
#include "sim/quickjs/pbkdf2.hpp"

namespace loopsim::quickjs {

namespace {

constexpr std::size_t kStepsOfIterations = 200;  // of a thousand of pbkdf2(), a millisecond or so

constexpr std::uint32_t kFileStreams = 0x6b00'0000U;  // plus the number of the duration

// Each byte as one character.
std::string latin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xc0U | (byte >> 6U));
      text += static_cast<char>(0x80U | (byte & 0x3fU));
    }
  }
  return text;
}

}  // namespace

// startWork(api, operation, request, nanoseconds, flags, callback, named, work, next): a handle of an operation of one request after
// another. `flags`: 1 it uses a CPU, 2 it is slow, 4 it is on the network. `named`: what the callback is named after. work() does
// what the current request does; next(): undefined, or [request, nanoseconds] of the one that follows.
Owned Engine::start_work(Js /*this_value*/, Given arguments) {
  const std::string kind = js_->text_given(arguments[0]);
  const Api api = kind == "dns" ? Api::dns : kind == "crypto" ? Api::crypto : kind == "zlib" ? Api::zlib : Api::fs;
  const auto flags = whole<std::uint32_t>(js_->number_given(arguments[4]));
  const auto lasting = [this](Js text) {
    return name_of_event(event_name(js_->text_given(text)));
  };  // as long as the run
  node::Operation operation;
  operation.name = lasting(arguments[1]);
  operation.request_names[0] = lasting(arguments[2]);
  operation.requests = operation.request_names[0] == operation.name ? 1 : 2;
  operation.durations[0] = duration_of(arguments[3]);
  operation.needs_cpu = (flags & 1U) != 0;
  operation.is_slow = (flags & 2U) != 0;
  operation.is_network = (flags & 4U) != 0;
  if (free_plans_.empty()) {
    free_plans_.push_back(static_cast<std::uint32_t>(plans_.size()));
    plans_.emplace_back();
  }
  operation.plan = free_plans_.back();
  free_plans_.pop_back();
  plans_[operation.plan] = {js_->dup(arguments[7]), js_->dup(arguments[8])};
  const Callable called = callable_at(where_.of_call(api, arguments[6]), arguments[5], {});
  node_->requests.start(operation, kNone, node_->callbacks.make(called));
  if (node_->callbacks.stopping()) return unwind(Flow::normal);
  const std::uint32_t number = begin_crossing(kRequest, called.context);
  bound(called.context).crossing = number;
  return std::exchange(crossings_[number].object, kUndefined);  // Node has no use for it
}

// In nanoseconds, as a request takes.
TimeNs Engine::duration_of(Js number) {
  constexpr double kMost = 1e18;  // with the time of now it is still one
  const double asked = js_->number_given(number);
  return asked >= 0 ? static_cast<TimeNs>(std::min(asked, kMost)) : 0;  // NaN: 0
}

// What threads of the pool have done takes effect, in the order in which they did it.
void Engine::run_worked() {
  while (!worked_.empty()) {
    const std::vector<std::uint32_t> done = std::exchange(worked_, {});
    for (const std::uint32_t plan : done) {
      const Js work = js_->dup(plans_[plan].work);  // the call may begin others
      const Js result = js_->call(work, kUndefined, {});
      js_->free(result == kException ? js_->take_exception() : result);
      js_->free(work);
    }
  }
}

// pbkdf2(digest, password, salt, iterations, length): the key, as an ArrayBuffer; undefined: there is no such digest here.
Owned Engine::pbkdf2(Js /*this_value*/, Given arguments) {
  const std::string digest = js_->text_given(arguments[0]);
  const std::string password = js_->bytes_of(arguments[1]), salt = js_->bytes_of(arguments[2]);
  bool has_ended = false;
  const std::optional<std::string> key = derive({.digest = digest,
                                                 .password = password,
                                                 .salt = salt,
                                                 .iterations = whole<std::uint32_t>(js_->number_given(arguments[3])),
                                                 .length = whole<std::uint32_t>(js_->number_given(arguments[4])),
                                                 .goes_on = [&] {
                                                   charge_bytes((kStepsOfIterations - 1) << 10U);
                                                   if (count_step()) return true;
                                                   has_ended = true;
                                                   return false;
                                                 }});
  if (has_ended) {
    static_cast<void>(out_of_steps());
    return js_->throw_stop();
  }
  return key ? js_->make_buffer(*key) : kUndefined;
}

// settleWork(): a system call that the thread has waited for is over. The time that it takes of the kernel is the machine's.
Owned Engine::settle_work(Js /*this_value*/, Given /*arguments*/) {
  if (!system_call_.is_zero() && !clock_is_free_) compute(system_call_.draw());
  run_worked();
  return kUndefined;
}

bool Engine::next_request(std::uint32_t plan, std::string_view& name, TimeNs& duration) {
  run_worked();
  const Js function = js_->dup(plans_[plan].next);  // the call may begin others
  const Js next = js_->call(function, kUndefined, {});
  js_->free(function);
  if (next == kException) js_->free(js_->take_exception());
  const std::optional<std::vector<Js>> items = js_->elements_of(next);
  const bool goes_on = items && items->size() == 2 && !node_->callbacks.stopping();
  if (goes_on) {
    name = name_of_event(event_name(js_->text_given((*items)[0])));
    duration = duration_of((*items)[1]);
  }
  if (items)
    for (const Js item : *items) js_->free(item);
  if (!goes_on) {
    const WorkPlan gone = std::exchange(plans_[plan], {});
    js_->free(gone.work);
    js_->free(gone.next);
    free_plans_.push_back(plan);
  }
  if (next != kException) js_->free(next);
  return goes_on;
}

// holdUp(nanoseconds): the thread waits in a system call.
Owned Engine::hold_up(Js /*this_value*/, Given arguments) {
  constexpr double kMost = 4e18;  // for ever, and a sum with now() is in range
  const double asked = js_->number_given(arguments[0]);
  const auto amount = asked >= 0 ? static_cast<TimeNs>(std::min(asked, kMost)) : 0;  // NaN: 0
  if (amount > 0) {
    const TimeNs from = node_->machine().now();
    node_->thread.spin_until(from + amount);
    if (tracer_.on()) {
      Event& event = tracer_.add(EventKind::burn);
      event.detail = static_cast<std::uint8_t>(BurnKind::spin);
      event.a = amount;
      event.b = from;
      event.c = node_->machine().now() - from;
    }
    node_->loop().notice_time();
  }
  return unwind(Flow::normal);
}

// ---- files --------------------------------------------------------------------------------------------------------------------

// fileFacts(): { files: [{ path, text, size, times: { operation: duration } }], times: { "module.operation": duration },
// input: what standard input has, each byte as a character, or undefined, stubs: { name: JSON } }.
Owned Engine::file_facts(Js /*this_value*/, Given /*arguments*/) {
  const Script& script = *program_.script;
  const auto times_of = [this](const std::vector<std::pair<std::string, std::uint32_t>>& times) {
    const Js object = js_->make_object();
    for (const auto& [name, duration] : times) js_->set(object, name, js_->make_number(duration));
    return object;
  };
  std::vector<Js> files;
  for (const ScriptFile& file : script.files) {
    const Js object = js_->make_object();
    js_->set(object, "path", js_->make_string(file.path));
    if (file.text) js_->set(object, "text", js_->make_string(*file.text));
    js_->set(object, "size", js_->make_number(static_cast<double>(file.size)));
    js_->set(object, "times", times_of(file.times));
    files.push_back(object);
  }
  const Js facts = js_->make_object();
  js_->set(facts, "files", js_->make_array(files));
  for (const Js file : files) js_->free(file);
  js_->set(facts, "times", times_of(script.times));
  if (script.input) js_->set(facts, "input", js_->make_string(latin1(*script.input)));
  const Js stubs = js_->make_object();
  for (const auto& [name, exported] : script.stubs) js_->set(stubs, name, js_->make_string(exported));
  js_->set(facts, "stubs", stubs);
  std::vector<Js> commands;
  for (const ScriptCommand& command : script.commands) {
    const Js object = js_->make_object();
    js_->set(object, "name", js_->make_string(command.name));
    if (command.takes != kNone) js_->set(object, "duration", js_->make_number(command.takes));
    js_->set(object, "stdout", js_->make_string(command.out));
    js_->set(object, "stderr", js_->make_string(command.error_out));
    js_->set(object, "code", js_->make_number(command.code));
    js_->set(object, "signal", js_->make_string(command.signal));
    commands.push_back(object);
  }
  js_->set(facts, "commands", js_->make_array(commands));
  for (const Js command : commands) js_->free(command);
  return facts;
}

// drawDuration(number): the next time of this duration, in nanoseconds.
Owned Engine::draw_duration(Js /*this_value*/, Given arguments) {
  const auto number = whole<std::size_t>(js_->number_given(arguments[0]));
  const Script& script = *program_.script;
  if (number >= script.durations.size()) return js_->make_number(0);
  const Duration& duration = script.durations[number];
  if (duration.kind == Duration::Kind::fixed) return js_->make_number(static_cast<double>(duration.a));
  if (file_draws_.empty()) file_draws_.resize(script.durations.size());
  const auto stream = kFileStreams + static_cast<std::uint32_t>(number);
  return js_->make_number(static_cast<double>(file_draws_[number].draw(duration, seed_, stream)));
}

// readFile(path): the bytes of a file of the program, each as a character, by its path from the root.
Owned Engine::read_file(Js /*this_value*/, Given arguments) {
  const ScriptFolder& folder = program_.script->folder;
  if (!folder.read) return kUndefined;
  const std::optional<std::string> text = folder.read(js_->text_given(arguments[0]));
  return text ? js_->make_string(latin1(*text)) : kUndefined;
}

// listFolder(path): the names in a folder of the program, those of folders with "/" at the end; undefined: there is none.
Owned Engine::list_folder(Js /*this_value*/, Given arguments) {
  const ScriptFolder& folder = program_.script->folder;
  if (!folder.list) return kUndefined;
  const std::optional<std::vector<std::string>> names = folder.list(js_->text_given(arguments[0]));
  if (!names) return kUndefined;
  std::vector<Js> values;
  for (const std::string& name : *names) values.push_back(js_->make_string(name));
  const Js list = js_->make_array(values);
  for (const Js value : values) js_->free(value);
  return list;
}

// wallTime(): the kernel's time of day, in milliseconds, which takes no time to read. startTime(): that of the start.
Owned Engine::wall_time(Js /*this_value*/, Given /*arguments*/) {
  const TimeNs now = kStartOfTheClock + node_->clock_phase() + node_->machine().now();
  return js_->make_number(static_cast<double>(now) / static_cast<double>(kMillisecond));
}

Owned Engine::start_time(Js /*this_value*/, Given /*arguments*/) {
  return js_->make_number(static_cast<double>(kStartOfTheClock + node_->clock_phase()) /
                          static_cast<double>(kMillisecond));
}

// randomNumber(): 32 bits of the program's randomness.
Owned Engine::random_number(Js /*this_value*/, Given /*arguments*/) { return js_->make_number(random_.next()); }

}  // namespace loopsim::quickjs
