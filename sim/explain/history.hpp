// The facts about every callback, collected from the events of a trace. Explanations are made from them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loopsim/assert.hpp"
#include "loopsim/language.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

// One request of a file operation, from its submission to the loop's report that it is done.
struct ToldRequest {
  std::uint64_t sequence = 0;  // of the ready event
  TimeNs asked = 0;            // submission
  TimeNs started = -1;         // -1: no thread of the pool worked on it
  TimeNs done = 0;
  TimeNs heard = 0;
  std::int64_t thread = -1;
  std::uint32_t op = 0;    // into texts
  std::uint32_t next = 0;  // the next one of the same callback, as an index + 1
};

// History of a callback. Sequence numbers are those of its events; 0: it did not happen.
struct CallbackFacts {
  std::uint64_t id = 0;
  std::uint64_t asked = 0, begun = 0, ended = 0, cancelled = 0;  // sequence numbers
  TimeNs asked_at = 0, begun_at = 0, ended_at = -1, cancelled_at = 0;
  TimeNs due = -1;        // of a timer, as armed
  TimeNs delay = -1;      // of a timer; or the duration of work
  TimeNs ready_at = -1;   // from callback_begin: due time of a timer, or when the event was ready
  TimeNs late = -1;       // the same
  TimeMs asked_loop = 0;  // loop time at asked_at
  std::uint64_t asked_turn = 0, turn = 0;
  std::uint64_t by = 0, cancelled_by = 0, behind = 0;
  std::uint64_t parent = 0;        // the enclosing callback
  std::uint64_t first = 0;         // of an interval or a refreshed timer: its first callback
  std::uint64_t previous = 0;      // the previous round
  std::uint64_t before = 0;        // the timer that ran before it in the same pass
  std::uint64_t queued = 0;        // a reaction: where its promise settled and the job was queued
  std::uint64_t queued_by = 0;     // the callback that settled it; 0: a job of V8
  std::uint64_t queued_after = 0;  // the event before that was not about queues
  std::uint64_t passed_over = 0;   // a reaction: its promise settled the other way
  std::uint64_t cleared = 0;       // a timer: cleared while its callback was running
  std::uint64_t cleared_by = 0;
  TimeNs queued_at = 0, passed_over_at = 0, cleared_at = 0;
  std::uint32_t promise = 0, result = 0;  // a reaction: the promise that it waits for; the one that its outcome settles
  std::uint32_t queued_in = 0;            // the job that settled the promise, as an index + 1
  std::uint32_t value = 0;                // what the promise was settled with, into texts
  std::uint32_t name = kNoName;           // into names
  std::uint32_t line = 0;
  std::uint32_t added_line = 0, function_line = 0;  // of a listener
  std::uint32_t op = 0;                             // into texts
  std::uint32_t round = 1;                          // of an interval
  std::uint32_t position = 0;                       // in order(), as an index + 1
  std::uint32_t bytes = 0;                          // read for it
  std::uint32_t depth = 0;                          // callbacks from main to this one, inclusive
  std::uint32_t drain = 0;                          // the drain of the queues in which it ran, as an index + 1
  std::uint32_t asked_in = 0;                       // the same, for `asked`
  std::uint32_t poll = 0;                           // the preceding poll, as an index + 1
  std::uint32_t requests = 0, last_request = 0;     // as an index + 1
  std::uint32_t cause = 0;                          // as an index + 1
  Api api = Api::none;
  Phase phase = Phase::main, asked_phase = Phase::main;
  ScheduleKind kind = ScheduleKind::first;
  CancelReason cancel = CancelReason::clear;
  LateReason why = LateReason::none;
  bool is_unreferenced = false;
  bool has_odd_delay = false;  // the one that was asked for counted as 1 ms
  bool threw = false;          // an exception left it
  bool rejected = false;       // a reaction: its promise was rejected
};

// A microtask without a callback: a job of V8.
struct ToldJob {
  std::uint64_t queued = 0;  // sequence number
  std::uint64_t after = 0;   // of the event before that was not about queues
  std::uint64_t by = 0;      // the callback that ran; 0: a job
  std::uint32_t in = 0;      // that job, as an index + 1
  std::uint32_t promise = 0, result = 0;
  std::uint32_t count = 0;  // of a combinator: which of its promises' jobs, from 1
  TimeNs at = 0;
  Job does = Job::none;
  bool rejected = false;
};

[[nodiscard]] constexpr bool is_combinator(Job job) { return job >= Job::all && job <= Job::race; }

// A promise, by its number.
struct ToldPromise {
  std::uint32_t name = kNoName;              // known once it is settled
  std::uint64_t settled = 0;                 // sequence number, if it has a name
  std::uint64_t maker = 0, other_maker = 0;  // the reactions whose outcome settles it: then() may have two
  std::uint32_t thenable = 0;                // the job that calls the then() of the promise that it follows
  Job combinator = Job::none;                // Job::all ...: the promise of Promise.all() ...
  std::uint32_t noted = 0;                   // of a combinator: its jobs
};

// A drain of the tick and microtask queues.
struct Drain {
  std::uint64_t sequence = 0;
  std::uint64_t after = 0;  // the callback that ended just before; 0: Node's own work
  std::uint64_t with = 0;   // up to Node 10: the previous callback in the same list
  bool is_module = false;   // it began with an ES module
  bool is_cut = false;      // an exception may have ended it before the queues were empty
  Phase phase = Phase::main;
  TimeNs at = 0;
  std::size_t first = 0;  // how many callbacks had begun before
};

struct Poll {
  std::uint64_t sequence = 0, turn = 0;
  TimeNs from = 0, to = 0;
  std::int64_t timeout = 0;
  std::uint64_t timer = 0;
  PollRule rule = PollRule::timer;
  PollWake wake = PollWake::none;
};

// A fact about a callback, with the event that reports it.
struct Cause {
  std::uint64_t sequence = 0;
  TimeNs at = 0;
  std::string text;
};

// A period in which the process did not run, or waited for a core.
struct ToldStall {
  std::uint64_t sequence = 0;
  TimeNs from = 0, to = 0;
  StallReason why = StallReason::none;
};

// How an exception that left a callback ended.
struct Thrown {
  std::uint64_t sequence = 0;
  bool was_caught = false;
  std::string text;
};

struct HeldUpStep {
  std::uint64_t sequence = 0;
  TimeNs asked = 0, took = 0;
};

// What the loop was doing when a limit of the scenario stopped it, if it had done nothing else for most of the run:
// everything else was starved.
struct Starvation {
  enum class By : std::uint8_t {
    nothing,
    queues,    // a drain of ticks and microtasks that had not ended
    phase,     // a phase that had not ended
    callback,  // a callback that had not ended
  };
  By by = By::nothing;
  TimeNs since = 0;
  std::uint64_t callbacks = 0;  // begun since then
  std::uint64_t last = 0;       // the last one of them; of By::callback, the one
  Phase phase = Phase::main;
};

class History {
 public:
  void begin(const RunInfo& info, Language language);
  void events(const EventBatch& batch);
  void end(const RunSummary& summary);

  [[nodiscard]] const Profile& profile() const { return *profile_; }
  [[nodiscard]] Language language() const { return language_; }
  [[nodiscard]] bool is_module() const { return is_module_; }
  [[nodiscard]] bool is_libuv_alone() const { return is_libuv_alone_; }
  [[nodiscard]] bool is_page() const { return profile_->family == Family::browser; }
  [[nodiscard]] std::uint32_t threads() const { return threads_; }
  [[nodiscard]] TimeNs clock_phase() const { return clock_phase_; }

  [[nodiscard]] bool knows(std::uint64_t id) const { return facts(id).api != Api::none; }
  // Empty for an unknown callback.
  [[nodiscard]] const CallbackFacts& facts(std::uint64_t id) const;
  [[nodiscard]] const std::vector<std::uint64_t>& order() const { return order_; }  // Explainer::callbacks()

  // "timer1", "setTimeout@5", "main"; "#7" for an unknown id, "Node" for id 0.
  [[nodiscard]] std::string name_of(std::uint64_t id) const;
  [[nodiscard]] std::uint64_t asker_of(const CallbackFacts& facts) const;  // of an interval: its first asker
  [[nodiscard]] std::string title_of(std::uint64_t id) const;              // "timer1 (setTimeout)"
  [[nodiscard]] const std::string& text(std::uint32_t op) const {
    LOOPSIM_ASSERT(op < texts_.size());
    return texts_[op];
  }

  // An index + 1, as the facts have them; not 0.
  [[nodiscard]] const Drain& drain(std::uint32_t index) const { return one_of(drains_, index); }
  [[nodiscard]] const ToldJob& job(std::uint32_t index) const { return one_of(jobs_, index); }
  [[nodiscard]] const ToldPromise& promise(std::uint32_t number) const;
  [[nodiscard]] std::string promise_name(std::uint32_t number) const;  // empty: none
  [[nodiscard]] std::uint64_t maker_of(
      std::uint32_t promise) const;  // the reaction that ran, if there are two; 0: none
  [[nodiscard]] const Poll& poll(std::uint32_t index) const { return one_of(polls_, index); }
  [[nodiscard]] const ToldRequest& request(std::uint32_t index) const { return one_of(requests_, index); }
  [[nodiscard]] const Cause& cause(std::uint32_t index) const { return one_of(causes_, index); }
  // Waits for a core, and stalls, that late callbacks refer to, in order.
  [[nodiscard]] const std::vector<ToldStall>& stalls() const { return kept_stalls_; }
  [[nodiscard]] const Cause* outside(std::uint64_t id) const;  // the outside input that made it ready
  [[nodiscard]] const Thrown* thrown(std::uint64_t id) const;  // null: it did not throw
  [[nodiscard]] const HeldUpStep* held_up(std::uint64_t id) const;

  [[nodiscard]] TimeNs loop_began() const { return loop_began_; }  // start of the first turn; -1: none
  [[nodiscard]] std::uint64_t end_sequence() const { return end_sequence_; }
  [[nodiscard]] TimeNs end_time() const { return end_time_; }
  [[nodiscard]] ExitReason end_reason() const { return end_reason_; }
  [[nodiscard]] bool ended_by_rejection() const { return ended_by_rejection_; }
  [[nodiscard]] const Starvation& starvation() const { return starvation_; }

 private:
  template <class T>
  [[nodiscard]] static const T& one_of(const std::vector<T>& all, std::uint32_t index) {
    LOOPSIM_ASSERT(index != 0 && index <= all.size());
    return all[index - 1];
  }
  void tell(const Event& event, std::string_view text);
  void report_drain(const Event& event);
  void report_cancel(const Event& event);
  void report_queued(const Event& event, std::string_view text);
  void report_job(const Event& event);
  void report_settled(const Event& event);
  void note_result(std::uint64_t reaction, std::uint32_t promise);
  void report_schedule(const Event& event, std::string_view text);
  void report_begin(const Event& event, std::string_view text);
  void report_end(const Event& event);
  void report_ready(const Event& event, std::string_view text);
  void report_uncaught(const Event& event, std::string_view text, bool was_caught);
  CallbackFacts& at(std::uint64_t id);
  [[nodiscard]] std::uint32_t depth_of(const CallbackFacts& facts) const;
  std::uint32_t intern(std::string_view text);
  std::uint32_t keep(Cause cause);
  [[nodiscard]] Starvation find_starvation() const;

  const Profile* profile_ = nullptr;
  Language language_ = Language::english;
  bool is_module_ = false;
  bool is_libuv_alone_ = false;
  std::uint32_t threads_ = 0;
  TimeNs clock_phase_ = 0;
  std::vector<std::string> names_;
  std::vector<std::string> texts_;
  std::map<std::string, std::uint32_t, std::less<>> text_numbers_;

  std::vector<CallbackFacts> facts_;                         // in the order of first mention
  std::unordered_map<std::uint64_t, std::uint32_t> places_;  // lookup only, never iterated: id -> place in facts_
  std::vector<std::uint64_t> order_;
  std::vector<Drain> drains_;
  std::vector<Poll> polls_;  // those that a callback refers to
  std::vector<ToldJob> jobs_;
  std::unordered_map<std::uint64_t, std::uint32_t> waiting_jobs_;  // lookup only, never iterated: entry -> index + 1
  std::unordered_map<std::uint32_t, ToldPromise> promises_;        // lookup only, never iterated: by number
  std::vector<ToldRequest> requests_;
  std::vector<Cause> causes_;
  std::vector<ToldStall> kept_stalls_;
  std::map<std::uint64_t, std::uint32_t> outside_;  // by callback: into causes_, + 1
  std::map<std::uint64_t, Thrown> thrown_;
  std::map<std::uint64_t, HeldUpStep> held_up_;

  // position in the trace
  std::vector<std::uint64_t> running_;
  std::vector<std::uint32_t> draining_;  // nested drains, as indices + 1
  std::uint64_t last_ended_ = 0;         // the callback that has ended last
  std::uint64_t last_root_ = 0;          // the loop's last callback, if nothing has happened since its end
  std::uint64_t root_before_ = 0;
  std::uint64_t last_timer_ = 0;  // in this pass
  std::uint64_t last_thrower_ = 0;
  std::uint64_t passed_over_ = 0;  // the reaction that was just passed over
  std::uint64_t step_ = 0;         // the last event that was not about queues
  std::uint32_t job_ = 0;          // the job that is running, as an index + 1
  Poll last_poll_;
  bool last_poll_is_kept_ = true;
  Cause last_rejection_, last_uncaught_;
  std::deque<Cause> inputs_;       // the latest ones
  std::vector<ToldStall> stalls_;  // since the last late callback
  std::uint32_t received_ = 0;     // bytes, for the next callback

  Starvation visit_;  // the phase that the loop is in, with the number of callbacks before it; By::nothing: none
  Starvation starvation_;

  TimeNs loop_began_ = -1;
  std::uint64_t end_sequence_ = 0;
  TimeNs end_time_ = 0;
  ExitReason end_reason_ = ExitReason::loop_empty;
  bool ended_by_rejection_ = false;  // that nobody handled
};

}  // namespace loopsim
