// The engine of a page's JavaScript: QuickJS behind a browser's interface to a language.
//
// The window, its document and its events are in JavaScript (web/*.js) down to the functions of web_bindings.cpp, which call
// browser::Page. The queue of QuickJS's jobs is kept here, as for Node (engine.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/browser/engine.hpp"
#include "sim/browser/page.hpp"
#include "sim/machine/random.hpp"
#include "sim/machine/ring_queue.hpp"
#include "sim/program/program.hpp"
#include "sim/quickjs/instance.hpp"
#include "sim/quickjs/program_places.hpp"
#include "sim/trace/names.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim::quickjs {

class WebEngine final : public browser::Engine,
                        private Host {  // NOLINT(cppcoreguidelines-virtual-class-destructor): final
 public:
  using Flow = runtime::Flow;
  using Value = runtime::Value;
  using Callback = runtime::Callback;
  using Callable = runtime::Callable;

  // All of these must outlive it.
  WebEngine(const Program& program, std::uint64_t seed, Tracer& tracer, Names& names);

  // ---- for the page ---------------------------------------------------------------------------------------------------
  void connect(browser::Page& page) override { page_ = &page; }
  [[nodiscard]] std::span<const Value> list(std::uint32_t /*list*/) const override { return {}; }
  Flow call(std::uint32_t place, std::uint32_t context, std::span<const Value> arguments, Value* result) override;
  Flow run_leaf(std::uint32_t place, std::uint32_t context) override { return call(place, context, {}, nullptr); }
  Flow run_main(Value* result) override;
  Flow run_job() override;
  Flow out_of_steps() override;
  Flow report_exception() override;
  [[nodiscard]] bool has_rejections() const override { return !rejected_.empty(); }
  void queue_rejections() override;
  Flow tell_rejections(std::uint32_t batch) override;
  Flow dispatch_input(std::uint32_t input) override;
  Flow document_parsed() override { return tell(finish_parsing_); }
  Flow document_loaded() override { return tell(finish_loading_); }
  Flow after_animation_frames() override;
  Value make_deadline(TimeNs end, bool did_timeout) override;
  void release(const Callback& callback) override;

 private:
  friend struct HostTest;  // tests/support/raw_calls.cpp
  // ---- the world of the program (Host) --------------------------------------------------------------------------------
  Owned call(std::uint32_t function, Js this_value, std::span<const Js> arguments) override;
  void enqueue_job(std::uint32_t job_function, std::span<const Js> arguments) override;
  void reacts(Js promise, Js fulfilled, Js rejected, Js resolve) override;
  void settles(Js promise, bool is_rejected, Js value) override;
  void resolves_again(Js /*promise*/, bool /*is_rejected*/, Js /*value*/) override {}
  bool end_awaits() override { return awaits_wrap(); }
  void makes_promise(Js /*promise*/, Js /*parent*/) override {}
  bool await_wraps(Js value) override;
  bool closes_sync_iterators() override { return true; }
  bool yield_star_awaits() override { return false; }
  bool rejects_importers_last() override { return true; }
  void rejection(Js promise, Js reason, bool is_handled) override;
  bool interrupt() override;
  bool works(std::uint32_t portions) override;
  void stops_at_work() override;
  std::int64_t read_clock(bool is_monotonic) override;
  void random(std::span<std::uint8_t> bytes) override;
  std::optional<std::string> normalize_module(const std::string& base, const std::string& name) override;
  std::optional<std::string> load_module(const std::string& name) override;
  void collected(std::uint32_t /*opaque*/) override {}
  std::uint32_t statement(std::uint32_t /*parser*/, bool /*begins*/) override { return 0; }
  std::uint32_t position(std::uint32_t /*function*/, std::uint32_t /*line*/, std::uint32_t /*column*/) override {
    return 0;
  }
  void instruction(std::uint32_t /*pc*/, std::uint32_t /*sp*/) override {}

  // ---- functions that the page's library calls (web_bindings.cpp) -----------------------------------------------------
  using Binding = Owned (WebEngine::*)(Given arguments);
  struct BindingRow {
    std::string_view name;
    int length;
    Binding function;
    bool reads_clock = false;
  };
  static std::span<const BindingRow> bindings();
  Owned set_timer(Given arguments);
  Owned clear_timer(Given arguments);
  Owned queue_microtask(Given arguments);
  Owned request_frame(Given arguments);
  Owned cancel_frame(Given arguments);
  Owned request_idle(Given arguments);
  Owned cancel_idle(Given arguments);
  Owned queue_task(Given arguments);
  Owned cancel_task(Given arguments);
  Owned call_listener(Given arguments);
  Owned place_of(Given arguments);
  Owned now(Given arguments);
  Owned time(Given arguments);
  Owned wall_time(Given arguments);
  Owned print(Given arguments);
  Owned changed(Given arguments);
  Owned answer(Given arguments);
  Owned random_number(Given arguments);
  Owned cpu(Given arguments);
  Owned spin(Given arguments);
  Owned set_priority(Given arguments);
  Owned checkpoint(Given arguments);
  // What no JavaScript can ask of a value (values.cpp).
  Owned class_id(Given arguments);
  Owned promise_details(Given arguments);
  Owned proxy_details(Given arguments);
  Owned iterator_members(Given arguments);
  Owned make_facts();
  [[nodiscard]] std::string query() const;

  // ---- callables and values -------------------------------------------------------------------------------------------
  struct Bound {               // by context
    Js function = kException;  // this one: it is free
    Js self = kUndefined;
    std::vector<Js> arguments;
  };
  // `named`: the function that the trace names it by; undefined: `function`.
  Callable callable(Api api, Js function, std::span<const Js> arguments = {}, Js self = kUndefined,
                    Js named = kUndefined);
  Owned take_thrown();
  std::vector<Js> items_of(Js array);
  Owned to_js(const Value& value);
  Value to_value(Owned value);
  void release(const Value& value);
  Flow start_world();
  Flow threw();  // QuickJS has thrown: keeps its exception
  Flow ask(Js function, std::span<const Js> arguments);
  Flow tell(Js function);  // without arguments; what it throws is reported
  [[nodiscard]] bool awaits_wrap() const { return program_.profile->browser.await_wraps; }

  // ---- jobs and promises ----------------------------------------------------------------------------------------------
  struct Job {
    std::uint32_t function = 0;
    std::vector<Js> arguments;
    Callback callback;  // place kNone: of the engine's own
    std::uint64_t entry = 0;
    bool is_await = false;      // `callback` is the rest of an async function
    bool is_microtask = false;  // of queueMicrotask()
  };
  struct Reaction {
    Callback fulfilled, rejected;    // of an await: `fulfilled` is its rest, in both cases
    std::uint32_t keys[2] = {0, 0};  // of an await
  };
  struct Rejected {
    Js promise = kUndefined, reason = kUndefined;
    bool is_handled = false;
    bool is_late = false;  // it was told, and has been handled since
  };
  void queue_batch(std::vector<Rejected>&& batch);
  void push_job(Job&& job);
  void trace_queued(const Job& job);
  Flow run_await(const Job& job);
  Flow run_reaction_job(const Job& job);

  // ---- what computation costs -----------------------------------------------------------------------------------------
  bool pay_for_jumps();
  bool compute(TimeNs amount);
  bool end_computation();

  const Program& program_;
  Tracer& tracer_;
  Names& names_;
  ProgramPlaces where_;
  std::uint64_t seed_;
  RandomStream random_;
  std::vector<Draws> answer_draws_;  // of Script::durations
  std::uint32_t last_request_ = 0;   // of the network
  browser::Page* page_ = nullptr;
  std::unique_ptr<Instance> js_;
  std::deque<Bound> contexts_;
  std::vector<std::uint32_t> free_contexts_;
  std::vector<Js> foreigns_;
  std::vector<std::uint32_t> free_foreigns_;
  RingQueue<Job> job_queue_;
  std::unordered_map<std::uint32_t, Reaction> reactions_;  // lookup only, never iterated: by the key of reaction_key()
  std::vector<Rejected> rejected_;                         // since the last checkpoint
  std::deque<std::vector<Rejected>> batches_;              // to be told by tasks
  std::uint32_t first_batch_ = 0;
  std::vector<Rejected> telling_;  // the batch that is being told
  std::vector<Rejected> told_;     // and not handled yet
  Js exception_ = kUndefined;
  bool has_exception_ = false;
  std::function<void()> when_started_;  // of a HostTest: the program has not begun
  bool has_started_ = false;
  std::uint64_t paid_jumps_ = 0, unpaid_ = 0;
  TimeNs computes_from_ = kNever, computed_ = 0;
  // Functions of web/start.js.
  Js report_ = kUndefined, dispatch_input_ = kUndefined, tell_rejected_ = kUndefined, tell_handled_ = kUndefined,
     make_deadline_ = kUndefined, after_frames_ = kUndefined, finish_parsing_ = kUndefined,
     finish_loading_ = kUndefined;
};

}  // namespace loopsim::quickjs
