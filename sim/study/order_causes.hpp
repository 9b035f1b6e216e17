// Proofs that one callback always comes before another, from a run's trace and from the program's text.
//
//   OrderRules   static facts of the program: which callback waits for which promise, which delays are constant
//   CausalLog    a run: every callback, what scheduled it, where and when it ran
//   prove()      a reason for "a before b" that does not depend on any duration, or nothing
//
// A proof is about one run and holds for every run in which the program takes the same path: no duration, load or
// start-up time can reverse that order. An order without a proof is not called guaranteed, though it may be so.
//
// The trace records which callback settled a promise in this run (the enqueue of its reaction). That is no proof: in
// another run a different callback may settle it first. So the possible settlers are derived from the program.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "loopsim/trace.hpp"

#include "sim/program/program.hpp"

namespace loopsim::study {

// A place in the program that schedules callbacks, as events name it.
using SiteKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Api>;  // name, line, column, api

// What is known of other runs than the one that a proof is about.
enum class Origins : std::uint8_t {
  text,  // what the program's text says of all runs
  observed,  // nothing: a proof holds for runs in which the two are asked for as in this one (CausalLog::origin_of). For programs in
  // JavaScript, whose text nobody reads for that
};

class OrderRules {
 public:
  explicit OrderRules(const Program& program, Origins origins = Origins::text);

  // The sites that settle the promise for which a callback of this site waits; those of their callbacks that run, run
  // before it.
  [[nodiscard]] std::span<const SiteKey> waits_for(const SiteKey& site) const;
  // Whether every timer of this site has the same delay in every run.
  [[nodiscard]] bool has_constant_delay(const SiteKey& site) const {
    return origins_ == Origins::observed || constant_delays_.contains(site);
  }
  // Whether callbacks of that name come from a single place in the program and their code is used nowhere else: then
  // whatever they schedule in one run, nothing else schedules in another.
  [[nodiscard]] bool has_one_origin(std::uint32_t name, Api api) const;
  // Whether the events of that name are emitted at a single place in the program.
  [[nodiscard]] bool is_emitted_once(std::string_view event) const;
  [[nodiscard]] const Program& program() const { return *program_; }
  [[nodiscard]] Origins origins() const { return origins_; }
  [[nodiscard]] bool is_page() const { return program_->profile->family == Family::browser; }

 private:
  void find_origins();
  struct Writers;
  [[nodiscard]] static Writers writers_of(const Program& program);

  const Program* program_;
  Origins origins_;
  std::map<SiteKey, std::vector<SiteKey>> waits_for_;
  std::map<SiteKey, bool> constant_delays_;
  std::vector<bool> own_callbacks_;  // has_one_origin() by name
  std::vector<bool> own_functions_;  // the same for continuations of async functions after an await
  std::map<std::string, int, std::less<>> emissions_;
};

// Records what prove() needs of a run. Reusable for further runs.
class CausalLog final : public TraceSink {
 public:
  explicit CausalLog(const OrderRules& rules) : rules_(rules) {}

  void begin(const RunInfo& info) override;
  void events(const EventBatch& batch) override;
  void end(const RunSummary& summary) override;

  // Ids of the callbacks, one entry per begin, in order.
  [[nodiscard]] std::span<const std::uint64_t> begun() const { return begun_; }
  [[nodiscard]] std::uint32_t name_of(std::uint64_t id) const { return callbacks_[id].name; }

  // The rule that orders `a` before `b`, which both began in that order, as text: "a asks for b". The text is the same
  // in all runs with the same reason. Empty: no proof.
  [[nodiscard]] std::string prove(std::uint64_t a, std::uint64_t b) const;
  // What asked for it, and for that, up to the main script, with places: equal in all runs that a proof of Origins::observed is for.
  // Empty for Origins::text.
  [[nodiscard]] std::string origin_of(std::uint64_t id) const;
  // Of two callbacks of a page: what leaves their order open, in words. Empty: not a page, or both belong to one task.
  [[nodiscard]] std::string why_open(std::uint64_t a, std::uint64_t b) const;

 private:
  // What of a page calls a callback, or calls what it follows in one task.
  enum class Caller : std::uint8_t { task, user, frame, idle };
  struct Callback {
    std::uint32_t name = kNoName;
    std::uint32_t line = 0, column = 0;
    Api api = Api::none;
    ScheduleKind kind = ScheduleKind::first;
    Phase asked_in = Phase::main;
    bool is_root = false;      // called by the loop, not from a task queue and not within another callback
    bool is_inside = false;    // `inside` is a cause
    bool is_home = false;      // its whole causal chain lies within its own episode
    bool touched = false;      // ref() or unref() was called
    bool is_clamped = false;   // a browser's timer: it waits longer than was asked for
    std::uint64_t by = 0;      // the scheduling callback
    std::uint64_t inside = 0;  // the callback that was running when it began
    std::uint64_t asked = 0;   // sequence numbers; 0: never
    std::uint64_t began = 0;
    std::uint64_t again = 0;    // the previous round of an interval
    std::uint32_t episode = 0;  // the episode of its begin
    std::uint32_t asked_during = 0;
    TimeNs delay = -1;
    std::int64_t stands_in = 0;  // browser::TaskLine::code(); 0: not a task
    Caller caller = Caller::task;
  };
  struct Budget {
    int depth = 0;
    int steps = 0;
  };

  void note(const Event& event, std::string_view text);
  void note_begin(const Event& event, std::string_view text);
  Callback& at(std::uint64_t id);
  [[nodiscard]] SiteKey site(const Callback& callback) const {
    return {callback.name, callback.line, callback.column, callback.api};
  }
  [[nodiscard]] bool has_one_origin(const Callback& callback) const {
    return rules_.has_one_origin(callback.name, callback.api);
  }
  // Whether `by` scheduled it, and nothing else could have.
  [[nodiscard]] bool is_asked_by(const Callback& callback, std::uint64_t by) const;
  [[nodiscard]] std::string label(std::uint64_t id) const;
  [[nodiscard]] std::vector<std::uint64_t> causes_of(std::uint64_t id) const;

  [[nodiscard]] std::string prove(std::uint64_t a, std::uint64_t b, Budget& budget) const;
  [[nodiscard]] std::string cause_words(std::uint64_t a, std::uint64_t b, bool direct, const std::string& way) const;
  [[nodiscard]] std::string rule_for(std::uint64_t a, std::uint64_t b, Budget& budget) const;
  [[nodiscard]] std::string queue_rule(const Callback& a, const Callback& b, Budget& budget) const;
  [[nodiscard]] std::string timer_rule(const Callback& a, const Callback& b) const;
  [[nodiscard]] std::string line_rule(const Callback& a, const Callback& b, Budget& budget) const;
  [[nodiscard]] bool asked_in_order(const Callback& a, const Callback& b, Budget& budget) const;

  const OrderRules& rules_;
  std::vector<std::string> names_;
  std::vector<Callback> callbacks_;  // by id
  std::vector<std::uint64_t> begun_;
  std::vector<std::uint64_t> running_;  // callbacks now running, outermost first
  std::vector<std::uint64_t> touched_;
  std::map<SiteKey, std::pair<std::uint32_t, std::uint64_t>> asked_at_;  // count, and id of the last
  std::map<TimeMs, std::uint32_t> timers_of_;  // timers scheduled, by whole milliseconds of delay
  std::vector<std::uint64_t> roots_;           // by episode, from 1
  bool is_input_ = false;                      // this turn is a user's input
  std::uint32_t episode_ = 0;
  bool had_uncaught_ = false;
};

}  // namespace loopsim::study
