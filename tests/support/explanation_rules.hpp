// Invariants of the explanations of every run, checked by the property tests and the fuzzers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "loopsim/explain.hpp"
#include "loopsim/time_text.hpp"

namespace loopsim::testing {

// A sink that observes a run along with an explainer, and then checks the explanations.
class ExplanationRules final : public TraceSink {
 public:
  void begin(const RunInfo&) override {}
  void events(const EventBatch& batch) override {
    for (const Event& event : batch.events) {
      if (event.kind == EventKind::callback_begin) begun_.emplace(event.id, event);
      if (event.kind == EventKind::schedule) asked_.insert(event.id);
      // Of the runtime io, messages stand for callbacks, numbered in the order in which they arrive.
      if (event.kind == EventKind::arrive && event.b >= 0) {
        asked_.insert(++messages_);
        numbers_[{event.loop, event.a, event.id}] = messages_;
      }
      if (event.kind == EventKind::message) begun_.emplace(numbers_[{event.loop, event.c, event.id}], event);
      events_ = event.sequence;
    }
  }
  void end(const RunSummary&) override {}

  // The first broken rule, with its callback; empty if all hold.
  [[nodiscard]] std::string broken(std::span<const Explanation> explanations) {
    broken_.clear();
    std::set<std::uint64_t> ids;
    for (const Explanation& explanation : explanations) {
      of_ = &explanation;
      require(ids.insert(explanation.callback).second, "a callback is explained once");
      parts(explanation);
      for (const ExplanationSentence& sentence : explanation.sentences) references(sentence);
      lateness(explanation);
    }
    of_ = nullptr;
    for (const auto& [id, event] : begun_) require(ids.contains(id), "a callback that began is explained");
    for (const std::uint64_t id : asked_) require(ids.contains(id), "a callback that was asked for is explained");
    return std::exchange(broken_, {});
  }

 private:
  void require(bool holds, const char* rule) {
    if (holds || !broken_.empty()) return;
    if (of_ != nullptr) broken_ = of_->name + " #" + std::to_string(of_->callback) + ": ";
    broken_ += rule;
  }

  static const ExplanationRule& rule_of(const ExplanationSentence& sentence) {
    return explanation_rules()[sentence.rule];
  }
  static bool has_part(const Explanation& explanation, ExplanationPart part) {
    return std::ranges::any_of(explanation.sentences, [part](const auto& one) { return rule_of(one).part == part; });
  }
  static bool tells_lateness(const ExplanationSentence& sentence) {
    const std::string_view key = rule_of(sentence).key;
    return key.substr(0, key.find('/')).ends_with("-ran-late");
  }

  // The explanation has a sentence on who scheduled the callback and on why it ran, or why it never ran.
  void parts(const Explanation& explanation) {
    const auto begun = begun_.find(explanation.callback);
    const bool ran = begun != begun_.end();
    require(has_part(explanation, ExplanationPart::asked), "it is said who asked for it");
    require(has_part(explanation, ExplanationPart::ran) == ran, "it is said why it ran, if it did");
    require(has_part(explanation, ExplanationPart::never) == !ran, "it is said why it never ran, if it did not");
    require(explanation.begin == (ran ? begun->second.sequence : 0), "it is said which event is its beginning");
    require(std::ranges::is_sorted(explanation.sentences, {}, [](const auto& one) { return rule_of(one).part; }),
            "its sentences stand in the order of their parts");
  }

  // Sentences refer to existing events and callbacks.
  void references(const ExplanationSentence& sentence) {
    require(sentence.event >= 1 && sentence.event <= events_, "a sentence tells of an event that there is");
    require(!format_sentence(sentence).empty(), "a sentence has words");
    for (const ExplanationArgument& argument : sentence.arguments) {
      require(!argument.text.empty(), "no argument is empty");
      require(argument.callback == 0 || begun_.contains(argument.callback) || asked_.contains(argument.callback),
              "a sentence names callbacks that there are");
    }
  }

  // A stated lateness is begin - due. That of a timer is stated if and only if it is positive.
  void lateness(const Explanation& explanation) {
    const auto begun = begun_.find(explanation.callback);
    if (begun == begun_.end()) return;
    const Event& event = begun->second;
    for (const ExplanationSentence& sentence : explanation.sentences) {
      if (!tells_lateness(sentence)) continue;
      require(sentence.arguments.at(1).text == ms_text(event.time), "the time of a late beginning is right");
      require(sentence.arguments.at(2).text == ms_text(event.time - event.a), "the lateness is begin - due");
      require(event.time > event.a, "what is said to be late is late");
    }
    const bool is_timer = event.api == Api::set_timeout || event.api == Api::set_interval;
    if (!is_timer || event.phase != Phase::timers) return;
    require(std::ranges::any_of(explanation.sentences, tells_lateness) == (event.b > 0),
            "a timer's lateness is stated when there is one");
    require(event.b <= 0 || has_part(explanation, ExplanationPart::late), "it is said what held a late timer up");
  }

  std::map<std::uint64_t, Event> begun_;  // callback_begin, by callback
  std::set<std::uint64_t> asked_;
  std::uint64_t messages_ = 0;
  std::map<std::tuple<std::uint16_t, std::int64_t, std::uint64_t>, std::uint64_t>
      numbers_;  // by process, socket and message
  std::uint64_t events_ = 0;
  const Explanation* of_ = nullptr;
  std::string broken_;
};

}  // namespace loopsim::testing
