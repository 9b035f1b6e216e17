// Node's interface to a language, in the role of V8 in node.exe. An engine runs the program's functions, keeps its
// values, its promises and the job queue; it calls Node (Environment) for Node's own functions. Callables are opaque to
// Node, and so are all values but undefined, null, booleans, numbers and Node's own objects.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/node/heap.hpp"
#include "sim/runtime/engine.hpp"

namespace loopsim::node {

using runtime::Flow;

class Environment;

// What happened to a handle of a language whose own library has servers and sockets (RawHandles).
struct HandleReport {
  enum class Kind : std::uint8_t { connection, connected, data, end, written, shut_down, closed };
  Kind kind = Kind::closed;
  std::string_view text;        // data: the bytes; else an error's code, or empty: none
  std::uint32_t other = kNone;  // connection: the handle of the new socket
  TimeNs since = -1;            // the time of the event that is reported
};

class Engine : public runtime::Engine {
 public:
  // Called before anything else. `start_clock`: Date.now() at the start.
  virtual void connect(Environment& node, TimeMs start_clock) = 0;
  [[nodiscard]] Heap& heap() { return heap_; }
  [[nodiscard]] std::span<const Value> list(std::uint32_t list) const override { return heap_.lists[list].items; }

  // ---- the job queue --------------------------------------------------------------------------------------------------------
  [[nodiscard]] bool has_jobs() const { return jobs_ != 0; }
  [[nodiscard]] std::size_t jobs() const { return jobs_; }
  virtual Flow run_job() = 0;       // the first one
  virtual void enqueue_main() = 0;  // a job of Node's own: Environment::run_main_body()

  // ---- exceptions -----------------------------------------------------------------------------------------------------------
  virtual Flow throw_value(const Value& value) = 0;  // takes over the reference; returns Flow::threw
  Flow throw_error(std::string_view name, std::string_view message, std::string_view code = {}) {
    return throw_value(heap_.make_error(name, message, code));
  }
  // An error whose text includes its code: "Error [ERR_SOCKET_CLOSED]: Socket is closed".
  Flow throw_coded_error(std::string_view name, std::string_view message, std::string_view code) {
    const Value error = heap_.make_error(name, message, code);
    heap_.errors[error.index].tells_code = true;
    return throw_value(error);
  }
  // Takes the thrown value, with its reference, and clears it.
  [[nodiscard]] Value take_exception() { return Heap::take(exception_); }
  void set_exception(const Value& value) { heap_.assign(exception_, value); }  // takes over the reference

  // ---- promises -------------------------------------------------------------------------------------------------------------
  // The functions that new Promise() gives its executor. Both borrow the value.
  virtual void resolve_promise(std::uint32_t promise, const Value& value) = 0;
  virtual void reject_promise(std::uint32_t promise, const Value& reason) = 0;
  // The loader waits for the module's promise; takes over its body's result. `hops`: jobs from failure to exception.
  virtual void watch_main(const Value& result, Flow flow, std::uint32_t hops) = 0;
  [[nodiscard]] virtual bool main_is_pending() const = 0;
  // Whether the exception is what the main module's promise was rejected with; asked once for each exception.
  virtual bool take_failure_of_main() { return false; }

  // A promise's data for Node's report. `result`: borrowed.
  struct PromiseInfo {
    std::uint64_t number = 0;
    std::uint32_t label = kNoName;
    Value result;
  };
  [[nodiscard]] PromiseInfo promise(std::uint32_t promise) const {
    const PromiseObject& it = heap_.promises[promise];
    return {it.number, it.label, it.result};
  }

  // ---- values ---------------------------------------------------------------------------------------------------------------
  [[nodiscard]] virtual std::string to_text(const Value& value) const = 0;  // `${value}`
  [[nodiscard]] virtual double to_number(const Value& value) const = 0;     // Number(value)
  [[nodiscard]] virtual bool is_true(const Value& value) const = 0;         // Boolean(value)
  [[nodiscard]] virtual bool is_error(const Value& value) const { return value.tag == Tag::error; }
  // What determineSpecificType() of lib/internal/errors.js says of a value of the engine's own.
  [[nodiscard]] virtual std::string specific_type(const Value& /*value*/) const { return "an instance of Object"; }
  [[nodiscard]] virtual std::string_view string_of(const Value& value) const = 0;  // of a string
  // The program's number for an event's name, kNone when it has none; and the reverse.
  virtual std::uint32_t event_name(std::string_view event) = 0;
  [[nodiscard]] virtual std::string_view name_of_event(std::uint32_t name) const = 0;

  // ---- `process` ------------------------------------------------------------------------------------------------------------
  // Whether the program's own `process` object keeps its listeners. Then Events asks these two; else they are not called.
  [[nodiscard]] virtual bool owns_process() const { return false; }
  [[nodiscard]] virtual bool process_has(std::string_view /*event*/) { return false; }
  virtual Flow emit_process(std::string_view /*event*/, std::span<const Value> /*arguments*/, TimeNs /*due*/,
                            bool* /*had_listeners*/) {
    return Flow::normal;
  }

  // ---- the asynchronous context, which AsyncLocalStorage keeps its stores in -------------------------------------------------
  // That of the exception which nobody has caught; of the promise that was rejected; of what Node calls when nothing else runs.
  enum class ContextOf : std::uint8_t { exception, rejection, nothing };
  virtual void enter_context(ContextOf /*of*/, std::uint32_t /*promise*/) {}
  virtual void leave_context() {}
  class InContext {
   public:
    explicit InContext(Engine& engine, ContextOf of, std::uint32_t promise = kNone) : engine_(engine) {
      engine.enter_context(of, promise);
    }
    ~InContext() { engine_.leave_context(); }
    InContext(const InContext&) = delete;
    InContext& operator=(const InContext&) = delete;

   private:
    Engine& engine_;
  };

  // ---- Node's own immediates ------------------------------------------------------------------------------------------------
  // What the language wants to be called for when a check phase begins, before immediates of the program.
  [[nodiscard]] bool has_native_immediates() const { return has_native_immediates_; }
  virtual Flow run_native_immediates() { return Flow::normal; }
  // The immediate that Node makes after an exception that was handled runs, and does nothing that a program sees.
  virtual void own_immediate_runs() {}
  // Handles of timers, where each list of them has one.
  virtual void timer_handle_made(std::uint32_t /*handle*/) {}
  virtual void timer_handle_runs(std::uint32_t /*handle*/, bool /*begins*/) {}
  virtual void timer_handle_closed(std::uint32_t /*handle*/) {}
  // The main script has run, and the ticks and microtasks behind it.
  virtual void main_is_over() {}

  // ---- errors that nobody handles ---------------------------------------------------------------------------------------
  // Whether the language prints them in Node's words. Then the functions below are called; else Node prints a line.
  [[nodiscard]] virtual bool reports_errors() const { return false; }
  // Returns RunSummary::advice.
  virtual std::string report_fatal(const Value& /*error*/, bool /*from_promise*/) { return {}; }
  virtual void report_unsettled_await() {}
  // What an unhandled rejection ends the process with: the reason, or the error that stands for one which is none. The
  // caller owns it.
  virtual Value unhandled_rejection(const Value& /*reason*/) { return {}; }
  virtual Flow warn_of_rejection(const Value& /*reason*/, std::uint64_t /*number*/) { return Flow::normal; }
  virtual Flow warn_of_late_handler(std::uint64_t /*number*/) { return Flow::normal; }
  // What --unhandled-rejections says; profile: it says nothing.
  enum class RejectionMode : std::uint8_t { profile, none, warn, warn_with_error_codes, strict, throw_ };
  [[nodiscard]] virtual RejectionMode rejection_mode() const { return RejectionMode::profile; }

  // ---- message ports (Ports), where the language has them ----------------------------------------------------------------
  [[nodiscard]] virtual std::size_t waiting_messages(std::uint32_t /*port*/) { return 0; }
  // The next message of the port, if there is one for it to have now.
  virtual Flow deliver_message(std::uint32_t /*port*/, bool& /*has_delivered*/) { return Flow::normal; }
  virtual Flow port_closed(std::uint32_t /*port*/) { return Flow::normal; }

  virtual Flow handle_report(std::uint32_t /*handle*/, const HandleReport& /*report*/) { return Flow::normal; }
  virtual void handle_gone(std::uint32_t /*handle*/) {}  // its close is over, and its index may be another one's

  // Of a child that Children::start() has started: its end.
  virtual Flow child_report(std::uint32_t /*child*/, int /*code*/, int /*signal*/, TimeNs /*since*/) {
    return Flow::normal;
  }

  // ---- operations that the language plans (Operation::plan) ---------------------------------------------------------------
  [[nodiscard]] virtual bool plans_operations() const { return false; }
  virtual void work_done(std::uint32_t /*plan*/) {}  // a thread of the pool has done the current request's work
  // The loop has found the request done. True: another one follows. Runs none of the program's functions.
  virtual bool next_request(std::uint32_t /*plan*/, std::string_view& /*name*/, TimeNs& /*duration*/) { return false; }

  // ---- cost of a step -----------------------------------------------------------------------------------------------
  virtual void charge_text(const Value& value) = 0;  // for reading or writing it as a text

 protected:
  explicit Engine(std::uint64_t step_limit) : runtime::Engine(step_limit) {}
  ~Engine() = default;

  Heap heap_;
  Value exception_;
  std::size_t jobs_ = 0;
  bool has_native_immediates_ = false;
};

}  // namespace loopsim::node
