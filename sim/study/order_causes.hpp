// Why one callback comes before another: proofs from a run's trace and from the program's text.
//
//   OrderRules   what the program says by itself: which callback waits for which promise, which delays are constants
//   CausalLog    a run: every callback, who asked for it, where and when it ran
//   prove()      a reason for "a before b" that does not depend on how long anything takes, or nothing
//
// A proof is about a run, and holds for every run in which the program takes the same way: no duration, no load and no start-up
// can turn that order round. What cannot be proved with the rules below is not called guaranteed, though it may be so.
//
// The trace tells who settled a promise in this run (the enqueue of its reaction). That is no proof: in another run somebody else may be
// first. So who can settle it at all is read off the program.
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

// A place in the program at which callbacks are asked for, as events name it.
using SiteKey = std::tuple<std::uint32_t, std::uint32_t, Api>;  // name, line, api

class OrderRules {
 public:
  explicit OrderRules(const Program& program);

  // The sites whose callbacks have run before one of this site can: it waits for the promise that they settle.
  [[nodiscard]] std::span<const SiteKey> waits_for(const SiteKey& site) const;
  // Whether every timer of this site has the same delay in every run.
  [[nodiscard]] bool has_constant_delay(const SiteKey& site) const { return constant_delays_.contains(site); }
  // Whether callbacks of that name can come from one place in the program only, and what they do is done by no other: what they ask
  // for in one run, nothing else asks for in another.
  [[nodiscard]] bool has_one_origin(std::uint32_t name, Api api) const;
  // Whether the events of that name come from one place in the program only.
  [[nodiscard]] bool is_emitted_once(std::string_view event) const;
  [[nodiscard]] const Program& program() const { return *program_; }

 private:
  void find_origins();
  struct Writers;
  [[nodiscard]] static Writers writers_of(const Program& program);

  const Program* program_;
  std::map<SiteKey, std::vector<SiteKey>> waits_for_;
  std::map<SiteKey, bool> constant_delays_;
  std::vector<bool> own_callbacks_;  // by name: has_one_origin()
  std::vector<bool> own_functions_;  // the same of async functions that go on after an await
  std::map<std::string, int, std::less<>> emissions_;
};

// Keeps what prove() needs of one run. May be used for one run after another.
class CausalLog final : public TraceSink {
 public:
  explicit CausalLog(const OrderRules& rules) : rules_(rules) {}

  void begin(const RunInfo& info) override;
  void events(const EventBatch& batch) override;
  void end(const RunSummary& summary) override;

  // Callbacks in the order in which they began, by id.
  [[nodiscard]] std::span<const std::uint64_t> begun() const { return begun_; }
  [[nodiscard]] std::uint32_t name_of(std::uint64_t id) const { return callbacks_[id].name; }

  // The rule that puts `a` before `b`, both of which began, in that order: "a asks for b". In words that are the same in all runs in
  // which the reason is the same. Empty: there is none.
  [[nodiscard]] std::string prove(std::uint64_t a, std::uint64_t b) const;

 private:
  struct Callback {
    std::uint32_t name = kNoName;
    std::uint32_t line = 0;
    Api api = Api::none;
    ScheduleKind kind = ScheduleKind::first;
    Phase asked_in = Phase::main;
    bool is_root = false;      // called by the loop, not from a queue and not by another callback
    bool is_inside = false;    // `inside` tells where it comes from
    bool is_home = false;      // all that led to it happened in its own episode
    bool touched = false;      // ref() or unref() was called
    std::uint64_t by = 0;      // who asked for it
    std::uint64_t inside = 0;  // the callback that was running when it began
    std::uint64_t asked = 0;   // sequence numbers; 0: never
    std::uint64_t began = 0;
    std::uint64_t again = 0;    // an interval: the round before
    std::uint32_t episode = 0;  // in which it ran
    std::uint32_t asked_during = 0;
    TimeNs delay = -1;
  };
  struct Budget {
    int depth = 0;
    int steps = 0;
  };

  void note(const Event& event, std::string_view text);
  void note_begin(const Event& event, std::string_view text);
  Callback& at(std::uint64_t id);
  [[nodiscard]] SiteKey site(const Callback& callback) const { return {callback.name, callback.line, callback.api}; }
  [[nodiscard]] bool has_one_origin(const Callback& callback) const {
    return rules_.has_one_origin(callback.name, callback.api);
  }
  // Whether `by` asked for it, and nothing else could have.
  [[nodiscard]] bool is_asked_by(const Callback& callback, std::uint64_t by) const;
  [[nodiscard]] std::string label(std::uint64_t id) const;
  [[nodiscard]] std::vector<std::uint64_t> causes_of(std::uint64_t id) const;

  [[nodiscard]] std::string prove(std::uint64_t a, std::uint64_t b, Budget& budget) const;
  [[nodiscard]] std::string cause_words(std::uint64_t a, std::uint64_t b, bool direct, const std::string& way) const;
  [[nodiscard]] std::string rule_for(std::uint64_t a, std::uint64_t b, Budget& budget) const;
  [[nodiscard]] std::string queue_rule(const Callback& a, const Callback& b, Budget& budget) const;
  [[nodiscard]] std::string timer_rule(const Callback& a, const Callback& b) const;
  [[nodiscard]] bool asked_in_order(const Callback& a, const Callback& b, Budget& budget) const;

  const OrderRules& rules_;
  std::vector<std::string> names_;
  std::vector<Callback> callbacks_;  // by id
  std::vector<std::uint64_t> begun_;
  std::vector<std::uint64_t> running_;  // the callbacks that are under way, outermost first
  std::vector<std::uint64_t> touched_;
  std::map<SiteKey, std::pair<std::uint32_t, std::uint64_t>> asked_at_;  // how often, and the last one's id
  std::map<TimeMs, std::uint32_t> timers_of_;  // how many timers of each whole number of milliseconds
  std::uint32_t episode_ = 0;
  bool had_uncaught_ = false;
};

}  // namespace loopsim::study
