#include "sim/node/rejections.hpp"

#include <string>

#include "sim/node/environment.hpp"

namespace loopsim::node {

void Rejections::track(std::uint32_t promise) {
  known_[engine_.promise(promise).number] = {State::pending, pending_.size()};
  heap_.retain_promise(promise);
  pending_.push_back(heap_.promises.name(promise));
  if (profile_.rejection_queues_tick)
    env_.task_queue.queue_microtask_tick();
  else
    env_.task_queue.set_rejection_to_warn(true);
}

void Rejections::track_handled(std::uint32_t promise) {
  const auto known = known_.find(engine_.promise(promise).number);
  if (known != known_.end()) {
    const Entry entry = known->second;
    known_.erase(known);  // in a batch: it will be skipped
    if (entry.state == State::pending) {
      pending_[entry.position] = {};
      heap_.release_promise(promise);
    } else if (entry.state == State::warned) {
      if (profile_.late_handlers_tick && env_.exit.is_exiting()) return;  // process._exiting: no report
      heap_.retain_promise(promise);
      if (profile_.late_handlers_tick) return env_.task_queue.queue_native(Tick::Native::rejection_handled, promise);
      handled_.push(heap_.promises.name(promise));
      env_.task_queue.set_rejection_to_warn(true);
      return;
    }
  }
  if (profile_.handler_hides_rejections) env_.task_queue.set_rejection_to_warn(false);
}

// After the microtasks of a drain, before the next callback.
Flow Rejections::process(bool& more) {
  for (;;) {
    const Flow flow = process_batch(more);
    if (pending_.empty() || flow != Flow::normal) return flow;
    more = true;
    // Until Node 8 the handlers' own rejections are taken at once; later they wait for the next round of the drain.
    if (!profile_.rejections_until_none) return flow;
  }
}

Flow Rejections::process_batch(bool& more) {
  if (handled_.empty() && pending_.empty()) return Flow::normal;

  // A listener may add to them; when it throws, the others wait for the next drain.
  Flow flow = Flow::normal;
  while (!handled_.empty()) {
    more = more || profile_.late_handlers_drain;
    const std::uint32_t promise = heap_.promises.index_of(handled_.pop());
    flow = process_handled(promise);
    heap_.release_promise(promise);
    if (flow != Flow::normal) return flow;
  }

  std::vector<Name> pending;
  pending.swap(pending_);
  for (const Name& name : pending) {
    if (name.index == kNone) continue;
    const std::uint32_t promise = heap_.promises.index_of(name);
    if (profile_.rejections_as_snapshot)
      known_.erase(engine_.promise(promise).number);
    else
      known_[engine_.promise(promise).number].state = State::in_batch;
  }
  std::vector<Name> left;
  for (const Name& name : pending) {
    if (name.index == kNone) continue;
    const std::uint32_t promise = heap_.promises.index_of(name);
    const bool is_known = profile_.rejections_as_snapshot || known_.contains(engine_.promise(promise).number);
    if (is_known && flow != Flow::normal && !profile_.rejections_as_snapshot) {
      left.push_back(name);  // a handler threw: the rest waits for the next drain
      continue;
    }
    if (!profile_.rejections_as_snapshot) known_.erase(engine_.promise(promise).number);
    if (flow == Flow::normal && is_known) {
      more = true;
      flow = process_one(promise);
    }
    heap_.release_promise(promise);
  }
  if (!left.empty()) {
    pending_.insert(pending_.begin(), left.begin(), left.end());
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (pending_[i].index != kNone)
        known_[engine_.promise(heap_.promises.index_of(pending_[i])).number] = {State::pending, i};
    }
  }
  return flow;
}

Flow Rejections::process_handled(std::uint32_t promise) {
  if (tracer_.on()) {
    const Engine::PromiseInfo info = engine_.promise(promise);
    Event& event = tracer_.add_text(EventKind::rejection_handled, engine_.to_text(info.result));
    event.id = info.number;
    event.name = info.label;
  }
  const Value arguments[] = {Value::object(Tag::promise, promise)};
  bool had_listeners = false;
  const Flow flow = env_.events.emit_process("rejectionHandled", arguments, -1, &had_listeners);
  if (flow == Flow::normal && !had_listeners && engine_.reports_errors())
    return engine_.warn_of_late_handler(engine_.promise(promise).number);
  if (flow == Flow::normal && !had_listeners && tracer_.on() && profile_.late_handlers_warn) {
    tracer_.add_text(EventKind::error_log,
                     "PromiseRejectionHandledWarning: Promise rejection was handled asynchronously");
  }
  return flow;
}

Flow Rejections::process_one(std::uint32_t promise) {
  const Engine::PromiseInfo info = engine_.promise(promise);
  known_[info.number] = {State::warned, 0};
  const std::string text = engine_.to_text(info.result);
  if (tracer_.on()) {
    Event& event = tracer_.add_text(EventKind::rejection, text);
    event.id = info.number;
    event.name = info.label;
  }
  const Engine::InContext in_context(engine_, Engine::ContextOf::rejection, promise);
  using Mode = Engine::RejectionMode;
  const Mode mode = engine_.rejection_mode();
  if (mode == Mode::strict) {
    if (const Flow flow = raise(info.result, text); flow != Flow::normal) return flow;
  }
  const Value arguments[] = {info.result, Value::object(Tag::promise, promise)};
  bool had_listeners = false;
  const Flow flow = env_.events.emit_process("unhandledRejection", arguments, -1, &had_listeners);
  if (flow != Flow::normal) return flow;
  switch (mode) {
    case Mode::none: return Flow::normal;
    case Mode::warn: return warn(info, text);
    case Mode::strict: return had_listeners ? Flow::normal : warn(info, text);
    case Mode::warn_with_error_codes:
      if (had_listeners) return Flow::normal;
      if (const Flow warned = warn(info, text); warned != Flow::normal) return warned;
      return env_.exit.set_code(Value::of_number(1));
    case Mode::throw_: return had_listeners ? Flow::normal : raise(info.result, text);
    case Mode::profile: break;
  }
  if (had_listeners) return Flow::normal;
  switch (profile_.rejection_policy) {
    case RejectionPolicy::silent: return Flow::normal;
    case RejectionPolicy::warn: return warn(info, text);
    case RejectionPolicy::raise: break;
  }
  return raise(info.result, text);
}

Flow Rejections::warn(const Engine::PromiseInfo& info, const std::string& text) {
  if (engine_.reports_errors()) return engine_.warn_of_rejection(info.result, info.number);
  if (tracer_.on()) tracer_.add_text(EventKind::error_log, "UnhandledPromiseRejectionWarning: " + text);
  return Flow::normal;
}

// As an exception that nobody has caught.
Flow Rejections::raise(const Value& reason, const std::string& text) {
  if (engine_.reports_errors())
    engine_.set_exception(engine_.unhandled_rejection(reason));
  else if (engine_.is_error(reason))
    engine_.set_exception(heap_.copy(reason));
  else
    engine_.set_exception(
        heap_.make_error("UnhandledPromiseRejection",
                         "This error originated either by throwing inside of an async function without a "
                         "catch block, or by rejecting a promise which was not handled with .catch(). The "
                         "promise rejected with the reason \"" +
                             text + "\".",
                         "ERR_UNHANDLED_REJECTION"));
  return env_.exit.handle_uncaught(true);
}

}  // namespace loopsim::node
