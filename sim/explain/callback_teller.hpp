// Builds the sentences about one callback. What is said of a page in a browser is in page_teller.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/explain.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/words.hpp"

#include "sim/explain/history.hpp"
#include "sim/explain/rules.hpp"
#include "sim/explain/teller.hpp"

namespace loopsim {

class CallbackTeller {
 public:
  CallbackTeller(const History& history, const RuleNumbers& rules, std::uint64_t id)
      : history_(history), rules_(rules), id_(id), facts_(history.facts(id)) {}

  Explanation tell() {
    told_ = outline_callback(history_, id_);
    report_asked();
    if (facts_.begun == 0) {
      report_requests();
      report_never();
    } else {
      report_waited();
      report_late();
      report_ran();
      report_result();
    }
    report_chain();
    return std::move(told_);
  }

 private:
  using Argument = ExplanationArgument;
  using Arguments = std::vector<Argument>;

  void say(Rule rule, std::uint64_t event, Arguments arguments) {
    told_.sentences.push_back({rules_[static_cast<std::size_t>(rule)], event, std::move(arguments)});
  }
  // Another callback of the same name has its number as well.
  [[nodiscard]] Argument who(std::uint64_t id) const {
    std::string name = history_.name_of(id);
    if (id != id_ && history_.knows(id) && name == history_.name_of(id_)) name += fmt::format(" #{}", id);
    return {std::move(name), history_.knows(id) ? id : 0};
  }
  [[nodiscard]] static Argument time(TimeNs at) { return {ms_text(at), 0}; }
  [[nodiscard]] static Argument words(std::string text) { return {std::move(text), 0}; }
  [[nodiscard]] static Argument number(std::uint64_t value) { return {fmt::format("{}", value), 0}; }
  [[nodiscard]] Argument phase(Phase phase) const { return {std::string(phase_words(history_.language(), phase)), 0}; }

  void report_asked();
  void report_timer_asked();
  void report_work_asked();
  void report_waited();
  void report_event_happened();
  void report_requests();
  void report_poll();
  void report_poll_without_sleep(const Poll& poll);
  // How a promise came to be settled: the callback, or the job of V8 (an index + 1), that did it.
  struct Settled {
    std::uint64_t sequence = 0;
    std::uint64_t after = 0;  // the event before that was not about queues
    TimeNs at = 0;
    std::uint64_t by = 0;
    std::uint32_t in = 0;
  };
  void report_reaction_asked();
  [[nodiscard]] std::uint32_t awaited_promise() const;
  void report_promise();
  [[nodiscard]] bool was_settled_then(std::uint32_t promise, const Settled& how) const;
  void report_settled(std::uint32_t promise, const Settled& how, std::size_t depth);
  void report_settled_by(std::uint32_t promise, const Settled& how);
  void report_settled_in(std::uint32_t promise, const ToldJob& job, std::size_t depth);
  void report_followed(std::uint32_t promise, const ToldJob& job, std::size_t depth);
  void report_combined(const ToldJob& job);
  [[nodiscard]] static Argument combinator_words(Job job);
  [[nodiscard]] Argument settler_of(const ToldJob& job) const;
  [[nodiscard]] static Settled settled_by(const ToldJob& job) {
    return {job.queued, job.after, job.at, job.by, job.in};
  }
  void report_late();
  void report_late_behind();
  void report_late_then();
  [[nodiscard]] TimeNs woken_at() const;
  void report_ran();
  void report_timer_ran();
  void report_immediate_ran();
  void report_drained();
  void report_listener_ran();
  void report_io_ran(Rule on_time, Rule late);
  void report_result();
  struct Succession {
    std::string names;        // "a → b → a": a asked for b, that for the next a
    bool is_endless = false;  // a name has come again
    bool has_ticks = false;
    bool has_microtasks = false;
  };
  void report_never();
  void report_limit(std::uint64_t event);
  [[nodiscard]] Succession succession_of(std::uint64_t last) const;
  [[nodiscard]] std::string last_names(const Starvation& kept) const;
  void report_chain();
  // Of a page in a browser (page_teller.cpp).
  void report_page_asked();
  void report_page_timer_asked();
  void report_page_not_busy();
  void report_page_ran();
  void report_page_drained();
  void report_page_never();

  [[nodiscard]] bool is_child_event() const { return facts_.api == Api::spawn; }
  [[nodiscard]] bool is_signal() const {
    return facts_.api == Api::process_event && history_.text(facts_.op).starts_with("SIG");
  }

  const History& history_;
  const RuleNumbers& rules_;
  std::uint64_t id_;
  const CallbackFacts& facts_;
  Explanation told_;
};

}  // namespace loopsim
