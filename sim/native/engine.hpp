// The engine of programs written as C++ functions (loopsim/process.hpp): the minimum of a node::Engine. Strings, errors
// and promises live in node::Heap; a callable's context is a function.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/ring_queue.hpp"
#include "sim/trace/names.hpp"
#include "sim/node/engine.hpp"

namespace loopsim::native {

using node::Callable;
using node::Callback;
using node::Flow;
using node::Value;

// Called with the arguments that Node passes to the callback.
using Function = std::function<void(std::span<const Value> arguments)>;

// Thrown to leave the program's function when nothing more may run (process.exit(), a limit).
struct ProcessIsOver {};

class Engine final : public node::Engine {
 public:
  // The tracer and the names must outlive it.
  Engine(std::uint64_t step_limit, std::uint64_t queue_limit, Tracer& tracer, Names& names, Function main);
  ~Engine();

  // ---- for the program --------------------------------------------------------------------------------------------------------
  // A callable that calls `function`. The caller owns its references.
  Callable callable(Api api, std::string_view label, Function function);
  void queue_microtask(Function function, std::string_view label);
  std::uint32_t new_promise(std::string_view label);  // the caller owns a reference
  // The derived promise; the caller owns a reference. A missing function passes the result on to it.
  std::uint32_t then(std::uint32_t promise, Function fulfilled, Function rejected, std::string_view label);
  [[nodiscard]] const node::ErrorObject* error_of(const Value& value) const;
  [[nodiscard]] std::uint32_t name(std::string_view label) { return names_.of(label); }  // for the trace
  void fail(
      Flow flow);  // throws the outcome of a Node call: an exception as Error, the end of the process as ProcessIsOver

  // ---- for Node -----------------------------------------------------------------------------------------------------------------
  void connect(node::Environment& node, TimeMs start_clock) override;
  Flow call(std::uint32_t place, std::uint32_t context, std::span<const Value> arguments, Value* result) override;
  Flow run_leaf(std::uint32_t place, std::uint32_t context) override;
  Flow run_main(Value* result) override;
  Flow run_job() override;
  void enqueue_main() override;
  Flow throw_value(const Value& value) override;
  void resolve_promise(std::uint32_t promise, const Value& value) override;
  void reject_promise(std::uint32_t promise, const Value& reason) override;
  void watch_main(const Value& result, Flow flow, std::uint32_t hops) override;
  [[nodiscard]] bool main_is_pending() const override { return false; }
  [[nodiscard]] std::string to_text(const Value& value) const override;
  [[nodiscard]] double to_number(const Value& value) const override;
  [[nodiscard]] bool is_true(const Value& value) const override;
  [[nodiscard]] std::string_view string_of(const Value& value) const override;
  std::uint32_t event_name(std::string_view event) override;
  [[nodiscard]] std::string_view name_of_event(std::uint32_t name) const override { return events_[name]; }
  void charge_text(const Value& value) override;
  Flow out_of_steps() override;

 private:
  struct Job {
    Callback callback;  // of queueMicrotask, or:
    std::uint32_t reaction = kNone;
    std::uint32_t settled = kNone;  // the promise it reacts to
    std::uint64_t entry = 0;        // in the trace
  };
  Flow call_function(const Function& function, std::span<const Value> arguments);
  void settle(std::uint32_t promise, node::PromiseState state, const Value& value);
  void enqueue(const Job& job);
  void enqueue_reaction(std::uint32_t reaction, std::uint32_t settled);
  void trace_passing_on(Job& job, bool is_rejected);
  [[nodiscard]] std::string trace_text(const Value& value) const;
  Flow run_reaction(std::uint32_t reaction, std::uint32_t settled);
  static void on_scope_ended(void* self, std::uint32_t scope);

  Tracer& tracer_;
  Names& names_;
  node::Environment* node_ = nullptr;
  std::uint64_t queue_limit_;
  Function main_;
  std::deque<Function> functions_;  // by context
  RingQueue<Job> job_queue_;
  std::map<std::pair<Api, std::string>, std::uint32_t, std::less<>> place_of_;
  std::map<std::string, std::uint32_t, std::less<>> event_of_;
  std::deque<std::string> events_;
  std::uint64_t promises_made_ = 0;
};

}  // namespace loopsim::native
