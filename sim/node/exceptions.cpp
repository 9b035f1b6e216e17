// Exceptions that nobody caught and rejections that nobody handled (lib/internal/process/execution.js,
// createOnGlobalUncaughtException; lib/internal/process/promises.js).
#include <string>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
constexpr std::uint32_t kInBatch = kNone - 1;  // PromiseObject::pending_rejection while its batch is being processed
}

// What the engine holds has reached the top of the stack. A listener of 'uncaughtException' takes it and the process goes on; without one
// the process ends with code 1, after its 'exit' listeners.
Flow Environment::handle_uncaught(bool from_promise) {
  if (stopping()) return Flow::stop;
  const Value error = engine_.take_exception();
  const std::string text = engine_.to_text(error);

  if (process_has("uncaughtException")) {
    if (tracer_.on()) {
      Event& event = tracer_.add_text(EventKind::caught, text);
      event.detail = static_cast<std::uint8_t>(CatchKind::uncaught_exception);
    }
    const Value arguments[] = {error};
    bool had_listeners = false;
    const Flow flow = emit_process("uncaughtException", arguments, had_listeners);
    heap_.release(error);
    if (flow == Flow::stop) return flow;
    if (flow == Flow::normal) {
      queue_native_immediate();
      return Flow::normal;
    }
    // The handler itself threw: that is fatal at once, with a code of its own and without 'exit' listeners.
    const Value second = engine_.take_exception();
    const std::string second_text = engine_.to_text(second);
    heap_.release(second);
    if (tracer_.on()) {
      tracer_.add_text(EventKind::uncaught, second_text);
      tracer_.add_text(EventKind::error_log, "Uncaught " + second_text);
    }
    end_process(ExitReason::uncaught_exception, 7);
    return Flow::stop;
  }

  heap_.release(error);
  if (tracer_.on()) {
    tracer_.add_text(EventKind::uncaught, text);
    tracer_.add_text(EventKind::error_log, (from_promise ? "Uncaught (in promise) " : "Uncaught ") + text);
  }
  std::int64_t code = 1;
  if (!exiting_) {
    exiting_ = true;
    exit_code_ = 1;
    exit_code_set_ = exit_code_is_int32_ = true;
    bool had_listeners = false;
    const Value arguments[] = {Value::of_number(1)};
    if (emit_process("exit", arguments, had_listeners) == Flow::threw) engine_.set_exception({});
    if (over_) return Flow::stop;
  }
  // src/node_errors.cc: where anything may be assigned, only an Int32 counts.
  const bool counts =
      exit_code_set_ && (profile_.code_after_exception == CodeAfterException::any || exit_code_is_int32_);
  if (profile_.code_after_exception != CodeAfterException::one && counts) code = exit_code_;
  end_process(ExitReason::uncaught_exception, code);
  return Flow::stop;
}

// ---- rejections ---------------------------------------------------------------------------------------------------------------

// PromiseRejectWithNoHandler.
void Environment::track_rejection(std::uint32_t index) {
  PromiseObject& promise = heap_.promises[index];
  promise.pending_rejection = static_cast<std::uint32_t>(pending_rejections_.size());
  heap_.retain_promise(index);
  pending_rejections_.push_back(index);
  if (!profile_.rejection_queues_tick) {
    rejection_to_warn_ = true;
  } else if (!microtask_tick_queued_) {
    microtask_tick_queued_ = true;
    queue_native_tick(Tick::Native::microtasks, kNone);
  }
}

// PromiseHandlerAddedAfterReject.
void Environment::track_handled(std::uint32_t index) {
  PromiseObject& promise = heap_.promises[index];
  if (promise.pending_rejection == kInBatch) {
    promise.pending_rejection = kNone;  // its turn in the batch will be skipped
  } else if (promise.pending_rejection != kNone) {
    pending_rejections_[promise.pending_rejection] = kNone;
    promise.pending_rejection = kNone;
    heap_.release_promise(index);
  } else if (promise.warned) {
    promise.warned = false;
    if (profile_.late_handlers_tick && exiting_) return;  // process._exiting: nobody will be told
    heap_.retain_promise(index);
    if (profile_.late_handlers_tick) return queue_native_tick(Tick::Native::rejection_handled, index);
    handled_rejections_.push_back(index);
    rejection_to_warn_ = true;
    return;
  }
  if (profile_.handler_hides_rejections) rejection_to_warn_ = false;
}

// processPromiseRejections(): after the microtasks of a drain, before the next callback. `more`: something may have been queued.
Flow Environment::process_rejections(bool& more) {
  for (;;) {
    const Flow flow = process_rejection_batch(more);
    if (pending_rejections_.empty() || flow != Flow::normal) return flow;
    more = true;
    // Until Node 8 those that the handlers made are taken at once; later they wait for the next round of the drain.
    if (!profile_.rejections_until_none) return flow;
  }
}

Flow Environment::process_rejection_batch(bool& more) {
  if (handled_rejections_.empty() && pending_rejections_.empty()) return Flow::normal;

  std::vector<std::uint32_t> handled;
  handled.swap(handled_rejections_);
  Flow flow = Flow::normal;
  for (std::uint32_t index : handled) {
    more = more || profile_.late_handlers_drain;
    if (flow == Flow::normal) flow = process_handled_rejection(index);
    heap_.release_promise(index);
  }
  if (flow != Flow::normal) return flow;

  std::vector<std::uint32_t> pending;
  pending.swap(pending_rejections_);
  for (std::uint32_t index : pending) {
    if (index != kNone) heap_.promises[index].pending_rejection = profile_.rejections_as_snapshot ? kNone : kInBatch;
  }
  std::vector<std::uint32_t> left;
  for (std::uint32_t index : pending) {
    if (index == kNone) continue;
    PromiseObject& promise = heap_.promises[index];
    if (flow != Flow::normal &&
        !profile_.rejections_as_snapshot) {  // a handler threw: the rest waits for the next drain
      left.push_back(index);
      continue;
    }
    const bool is_due = profile_.rejections_as_snapshot || promise.pending_rejection == kInBatch;
    promise.pending_rejection = kNone;
    if (flow == Flow::normal && is_due) {
      more = true;
      flow = process_rejection(index);
    }
    heap_.release_promise(index);
  }
  if (!left.empty()) {
    pending_rejections_.insert(pending_rejections_.begin(), left.begin(), left.end());
    for (std::size_t i = 0; i < pending_rejections_.size(); ++i) {
      if (pending_rejections_[i] != kNone)
        heap_.promises[pending_rejections_[i]].pending_rejection = static_cast<std::uint32_t>(i);
    }
  }
  return flow;
}

Flow Environment::process_handled_rejection(std::uint32_t index) {
  if (tracer_.on()) {
    Event& event = tracer_.add_text(EventKind::rejection_handled, engine_.to_text(heap_.promises[index].result));
    event.id = heap_.promises[index].number;
    event.name = heap_.promises[index].label;
  }
  const Value arguments[] = {Value::object(Tag::promise, index)};
  bool had_listeners = false;
  const Flow flow = emit_process("rejectionHandled", arguments, had_listeners);
  if (flow == Flow::normal && !had_listeners && tracer_.on() && profile_.late_handlers_warn) {
    tracer_.add_text(EventKind::error_log,
                     "PromiseRejectionHandledWarning: Promise rejection was handled asynchronously");
  }
  return flow;
}

Flow Environment::process_rejection(std::uint32_t index) {
  PromiseObject& promise = heap_.promises[index];
  promise.warned = true;
  const std::string text = engine_.to_text(promise.result);
  if (tracer_.on()) {
    Event& event = tracer_.add_text(EventKind::rejection, text);
    event.id = promise.number;
    event.name = promise.label;
  }
  const Value arguments[] = {promise.result, Value::object(Tag::promise, index)};
  bool had_listeners = false;
  const Flow flow = emit_process("unhandledRejection", arguments, had_listeners);
  if (flow != Flow::normal || had_listeners) return flow;
  switch (profile_.rejection_policy) {
    case RejectionPolicy::silent: return Flow::normal;
    case RejectionPolicy::warn:
      if (tracer_.on()) tracer_.add_text(EventKind::error_log, "UnhandledPromiseRejectionWarning: " + text);
      return Flow::normal;
    case RejectionPolicy::raise: break;
  }
  engine_.set_exception(
      promise.result.tag == Tag::error
          ? heap_.copy(promise.result)
          : heap_.make_error("UnhandledPromiseRejection",
                             "This error originated either by throwing inside of an async function without a "
                             "catch block, or by rejecting a promise which was not handled with .catch(). The "
                             "promise rejected with the reason \"" +
                                 text + "\".",
                             "ERR_UNHANDLED_REJECTION"));
  return handle_uncaught(true);
}

}  // namespace loopsim::node
