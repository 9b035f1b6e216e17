#include "sim/node/exit.hpp"

#include <string>

#include "sim/node/environment.hpp"

namespace loopsim::node {

void Exit::emit_naturally() {
  position_.phase = Phase::exit;
  exiting_ = true;
  const bool unsettled = engine_.main_is_pending();
  const std::int64_t before = code_;
  // The module loader's listener is the first. Where the exit itself asks for it, a code of 0 is as none (src/api/embed_helpers.cc).
  if (unsettled && (!code_set_ || (profile_.exit_tells_unsettled && code_ == 0))) {
    code_ = own_code_ = 13;
    code_set_ = true;
  }
  const std::int64_t told = profile_.exit_tells_unsettled ? code_ : before;
  const Value arguments[] = {Value::of_number(static_cast<double>(told))};
  const Engine::InContext in_context(engine_, Engine::ContextOf::nothing);
  // Ends like any other callback: the listeners' microtasks and rejections still run, unless one threw; ticks are
  // refused by now.
  if (env_.events.emit_process("exit", arguments) == Flow::threw)
    handle_uncaught(false);
  else if (!env_.ending.is_over())
    env_.task_queue.close_scope();
  if (env_.ending.is_over()) return;
  // src/env.cc: `exit_code()` keeps the earlier value when no code is set any more.
  if (!code_set_ && profile_.unset_exit_code_is_kept) code_ = before;
  if (unsettled && code_ == 13) engine_.report_unsettled_await();
  env_.ending.end_process(unsettled ? ExitReason::unsettled_await : ExitReason::loop_empty, code_);
}

// The engine's exception has reached the top of the stack. A listener of 'uncaughtException' takes it and the process
// continues; without one the process ends with code 1, after its 'exit' listeners.
Flow Exit::handle_uncaught(bool from_promise) {
  if (stopping()) return Flow::stop;
  const Value error = engine_.take_exception();
  const Engine::InContext in_context(engine_, Engine::ContextOf::exception);
  const bool is_rejection = from_promise || engine_.take_failure_of_main();
  const Value origin = origin_of(is_rejection ? "unhandledRejection" : "uncaughtException");
  Flow flow = offer_uncaught(error, origin);
  if (flow == Flow::threw) flow = end_by_handler();
  if (flow == Flow::normal && !was_taken_) flow = end_by_exception(error, from_promise);
  heap_.release(origin);
  heap_.release(error);
  return flow;
}

Flow Exit::offer_to_capture() {
  if (stopping()) return Flow::stop;
  const Value error = engine_.take_exception();
  const Value origin = origin_of("uncaughtException");
  const Flow flow = offer_uncaught(error, origin);
  heap_.release(origin);
  heap_.release(error);
  return flow;
}

// Undefined where listeners get the error alone.
Value Exit::origin_of(std::string_view text) {
  return profile_.exception_has_origin ? heap_.make_string(std::string(text)) : Value();
}

Flow Exit::offer_uncaught(const Value& error, const Value& origin) {
  const Value both[] = {error, origin};
  const std::span<const Value> arguments(both, origin.tag == Tag::undefined ? 1 : 2);
  was_taken_ = false;
  if (engine_.reports_errors()) {
    if (const Flow flow = env_.events.emit_process("uncaughtExceptionMonitor", arguments); flow != Flow::normal)
      return flow;
  }
  if (!env_.events.process_has("uncaughtException")) return Flow::normal;
  if (tracer_.on()) {
    Event& event = tracer_.add_text(EventKind::caught, engine_.to_text(error));
    event.detail = static_cast<std::uint8_t>(CatchKind::uncaught_exception);
  }
  bool was_taken = false;
  const Flow flow = env_.events.emit_process("uncaughtException", arguments, -1, &was_taken);
  if (flow != Flow::normal || !was_taken) return flow;
  was_taken_ = true;
  env_.immediates.queue_native();
  return Flow::normal;
}

// The handler itself threw: fatal at once, with a separate code and without 'exit' listeners.
Flow Exit::end_by_handler() {
  const Value error = engine_.take_exception();
  const std::string text = engine_.to_text(error);
  if (tracer_.on()) tracer_.add_text(EventKind::uncaught, text);
  if (engine_.reports_errors())
    env_.ending.set_advice(engine_.report_fatal(error, false));
  else if (tracer_.on())
    tracer_.add_text(EventKind::error_log, "Uncaught " + text);
  heap_.release(error);
  env_.ending.end_process(ExitReason::uncaught_exception, 7);
  return Flow::stop;
}

Flow Exit::end_by_exception(const Value& error, bool from_promise) {
  if (tracer_.on()) {
    const std::string text = engine_.to_text(error);
    tracer_.add_text(EventKind::uncaught, text);
    if (!engine_.reports_errors())
      tracer_.add_text(EventKind::error_log, (from_promise ? "Uncaught (in promise) " : "Uncaught ") + text);
  }
  std::int64_t code = 1;
  if (!exiting_) {
    exiting_ = true;
    if (profile_.code_after_exception != CodeAfterException::one) {  // which tells the listeners alone
      code_ = own_code_ = 1;
      code_set_ = code_is_int32_ = true;
    }
    const Value arguments[] = {Value::of_number(1)};
    if (env_.events.emit_process("exit", arguments) == Flow::threw) engine_.set_exception({});
    if (env_.ending.is_over()) return Flow::stop;
  }
  env_.ending.set_advice(engine_.report_fatal(error, from_promise));
  if (env_.ending.is_over()) return Flow::stop;
  // src/node_errors.cc: where any value may be assigned, only an Int32 counts.
  const bool counts = code_set_ && (profile_.code_after_exception == CodeAfterException::any || code_is_int32_);
  if (profile_.code_after_exception != CodeAfterException::one && counts) code = code_;
  env_.ending.end_process(ExitReason::uncaught_exception, code);
  return Flow::stop;
}

}  // namespace loopsim::node
