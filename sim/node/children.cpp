#include "sim/node/children.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
constexpr int kNoEntry = -2;  // UV_ENOENT
}  // namespace

// The emitter and its child object.
std::uint32_t Children::make(std::string_view command, std::uint32_t label) {
  const std::uint32_t emitter = heap_.emitters.make();
  const std::uint32_t child = heap_.children.make();
  heap_.emitters[emitter].refs = 2;  // the caller's, and one until the report of its end
  heap_.emitters[emitter].label = label;
  heap_.emitters[emitter].child = child;
  ChildObject& object = heap_.children[child];
  object.emitter = emitter;
  object.command = command;
  object.has_handle = true;
  return child;
}

// child_process.spawn().
std::uint32_t Children::spawn(std::string_view command, std::uint32_t label, TimeNs duration, int code) {
  const std::uint32_t child = make(command, label);
  ChildObject& object = heap_.children[child];
  object.code = code;
  loop_.add_active_handle();
  running_.push_back(child);
  heap_.retain(Value::object(Tag::emitter, object.emitter));  // until its end
  machine_.schedule({machine_.now() + duration, machine_.next_order(), FutureEvent::Kind::child_ends, child});
  if (profile_.child_tells_spawn && !env_.exit.is_exiting()) {
    heap_.retain(Value::object(Tag::emitter, object.emitter));
    env_.task_queue.queue_native(Tick::Native::child_spawned, child);
  }
  return object.emitter;
}

// The same for a missing command: it fails at once, and a tick reports it.
std::uint32_t Children::spawn_missing(std::string_view command, std::uint32_t label) {
  const std::uint32_t child = make(command, label);
  ChildObject& object = heap_.children[child];
  object.code = kNoEntry;
  loop_.raise({uv::kSigChld, 0, machine_.now()});  // the fork whose exec failed has ended
  const std::uint32_t emitter = object.emitter;
  if (env_.exit.is_exiting())  // process._exiting: no tick would report it
    heap_.release(Value::object(Tag::emitter, emitter));
  else
    env_.task_queue.queue_native(Tick::Native::child_failed, child);
  return emitter;
}

std::uint32_t Children::start(RawChild given) {
  const std::uint32_t child = make({}, kNoName);
  ChildObject& object = heap_.children[child];
  object.is_raw = true;
  object.code = given.duration < 0 ? kNoEntry : given.code;
  object.own_signal = given.signal;
  for (RawChild::Pipe& pipe : given.pipes) {
    const std::uint32_t end = pipe.handle == kNone ? kNone : heap_.nets[pipe.handle].peer;
    if (end == kNone || !heap_.nets[end].is_sink || std::exchange(heap_.nets[end].is_taken, true)) continue;
    object.pipes.push_back({end, std::move(pipe.output)});
  }
  if (given.duration < 0) {
    close_pipes(child, false);
    loop_.raise({uv::kSigChld, 0, machine_.now()});  // the fork whose exec failed has ended
    return child;
  }
  loop_.add_active_handle();
  running_.push_back(child);
  machine_.schedule({machine_.now() + given.duration, machine_.next_order(), FutureEvent::Kind::child_ends, child});
  return child;
}

// The child's ends of its pipes: its output, and their end.
void Children::close_pipes(std::uint32_t child, bool prints) {
  for (const ChildObject::Pipe& pipe : std::exchange(heap_.children[child].pipes, {})) {
    if (prints && heap_.nets[pipe.end].peer != kNone) env_.connections.send(pipe.end, pipe.output);
    env_.connections.close(pipe.end);
    heap_.nets.free(pipe.end);
  }
}

// The process has ended; SIGCHLD reports it to the loop.
void Children::end(std::uint32_t child, TimeNs at, int code, int signal) {
  ChildObject& object = heap_.children[child];
  if (object.is_gone) return;  // it was killed earlier
  object.is_gone = true;
  object.ended_at = at;
  object.code = code;
  object.signal = signal;
  close_pipes(child, false);
  loop_.raise({uv::kSigChld, 0, at});
}

// uv__chld.
void Children::on_time_over(std::uint32_t child, TimeNs at) {
  if (heap_.children[child].is_raw && !heap_.children[child].is_gone) close_pipes(child, true);
  end(child, at, heap_.children[child].code, heap_.children[child].own_signal);
  if (heap_.children[child].is_raw) return;
  heap_.release(Value::object(Tag::emitter, heap_.children[child].emitter));
}

void Children::reap() {
  std::vector<std::uint32_t> gone;
  for (const std::uint32_t child : running_) {
    if (heap_.children[child].is_gone) gone.push_back(child);
  }
  for (const std::uint32_t child : gone) heap_.children[child].is_reaped = true;  // all of them, before any report
  std::erase_if(running_, [&](std::uint32_t child) { return heap_.children[child].is_gone; });
  for (const std::uint32_t child : gone) {
    if (!stopping()) report_ended(child);
  }
}

// ChildProcess's onexit: 'exit', then 'close' at once, because there are no streams to wait for.
void Children::report_ended(std::uint32_t child) {
  if (const ChildObject& object = heap_.children[child]; object.is_raw) {
    const Flow reported = engine_.child_report(child, object.code, object.signal, object.ended_at);
    if (reported == Flow::threw)
      env_.exit.handle_uncaught(false);
    else if (reported == Flow::normal)
      env_.task_queue.close_scope();
    return;
  }
  close(child);
  Flow flow = emit_end(child, "exit");
  if (flow == Flow::normal) queue_flush(child);
  if (flow == Flow::normal) flow = emit_end(child, "close");
  heap_.release(Value::object(Tag::emitter, heap_.children[child].emitter));
  if (flow == Flow::threw)
    env_.exit.handle_uncaught(false);
  else if (flow == Flow::normal)
    env_.task_queue.close_scope();
}

void Children::close(std::uint32_t child) {
  ChildObject& object = heap_.children[child];
  if (object.is_raw && !object.has_handle) return;
  const bool was_started = object.code != kNoEntry;
  object.has_handle = false;
  if (was_started && object.is_referenced) loop_.remove_active_handle();
  loop_.close_silently();
}

// Until it runs, the tick holds what it is of: another child would get the record.
void Children::queue_flush(std::uint32_t child) {
  if (env_.exit.is_exiting()) return;
  heap_.retain(Value::object(Tag::emitter, heap_.children[child].emitter));
  env_.task_queue.queue_native(Tick::Native::flush_stdio, child);
}

Flow Children::run_tick(const Tick& tick) {
  const std::uint32_t child = tick.index;
  const std::uint32_t emitter = heap_.children[child].emitter;
  if (tick.native == Tick::Native::flush_stdio) {  // there are no streams
    heap_.release(Value::object(Tag::emitter, emitter));
    return Flow::normal;
  }
  if (tick.native == Tick::Native::child_spawned) {
    const Flow flow = env_.events.emit(emitter, "spawn", {});
    heap_.release(Value::object(Tag::emitter, emitter));
    return flow;
  }

  close(child);
  const Value error =
      heap_.make_error("Error", "spawn " + std::string(heap_.children[child].command) + " ENOENT", "ENOENT");
  bool had_listeners = false;
  Flow flow = env_.events.emit(emitter, "error", std::span(&error, 1), -1, &had_listeners);
  if (!had_listeners) flow = engine_.throw_value(heap_.copy(error));
  heap_.release(error);
  if (flow == Flow::normal) queue_flush(child);
  if (flow == Flow::normal) flow = emit_end(child, "close");
  heap_.release(Value::object(Tag::emitter, emitter));
  return flow;
}

// The listeners get the exit code, or the signal that ended the process.
Flow Children::emit_end(std::uint32_t child, std::string_view event) {
  const ChildObject& object = heap_.children[child];
  Value arguments[] = {Value::null(), Value::null()};
  const bool by_signal = object.signal != 0;
  if (by_signal)
    arguments[1] = heap_.make_string(std::string(find_signal(object.signal)->name));
  else
    arguments[0] = Value::of_number(object.code);
  const TimeNs due = object.is_gone ? object.ended_at : -1;
  const Flow flow = env_.events.emit(object.emitter, event, arguments, due);
  heap_.release(arguments[1]);
  return flow;
}

// child.kill(): false after its end was noticed (ESRCH, or no handle).
bool Children::kill(std::uint32_t child, const SignalInfo& signal) {
  if (!heap_.children[child].has_handle || heap_.children[child].is_reaped || heap_.children[child].code == kNoEntry)
    return false;
  if (!signal.ends_process) return true;
  end(child, machine_.now(), 0, signal.number);
  return true;
}

void Children::reference(std::uint32_t child, bool is_referenced) {
  ChildObject& object = heap_.children[child];
  if (!object.has_handle || object.is_referenced == is_referenced) return;
  object.is_referenced = is_referenced;
  if (object.code == kNoEntry) return;
  if (is_referenced)
    loop_.add_active_handle();
  else
    loop_.remove_active_handle();
}

}  // namespace loopsim::node
