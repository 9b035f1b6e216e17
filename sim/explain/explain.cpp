#include "loopsim/explain.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/races.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"

#include "sim/explain/history.hpp"
#include "sim/explain/io_explainer.hpp"
#include "sim/explain/race_sentences.hpp"
#include "sim/explain/rules.hpp"
#include "sim/explain/teller.hpp"

namespace loopsim {
namespace {

class HistoryExplainer final : public Explainer {
 public:
  HistoryExplainer(const RacesResult* races, Language language) : races_(races), language_(language) {}

  void begin(const RunInfo& info) override {
    history_.begin(info, language_);
    rules_ = rule_numbers(history_.profile());
    made_.clear();
  }
  void events(const EventBatch& batch) override { history_.events(batch); }
  void end(const RunSummary& summary) override { history_.end(summary); }

  [[nodiscard]] std::span<const std::uint64_t> callbacks() const override { return history_.order(); }
  [[nodiscard]] Explanation outline(std::uint64_t callback) const override {
    return outline_callback(history_, callback);
  }
  [[nodiscard]] Explanation explanation(std::uint64_t callback) const override {
    Explanation made = report_callback(history_, rules_, callback);
    if (races_ != nullptr) tell_races(history_, rules_, *races_, made);
    return made;
  }
  [[nodiscard]] std::span<const Explanation> explanations() const override {
    if (made_.empty()) {
      made_.reserve(history_.order().size());
      for (const std::uint64_t id : history_.order()) made_.push_back(explanation(id));
    }
    return made_;
  }

 private:
  const RacesResult* races_;
  Language language_;
  History history_;
  RuleNumbers rules_{};
  mutable std::vector<Explanation> made_;
};

// What kind of run it is, is known when it begins.
class ByRuntime final : public Explainer {
 public:
  ByRuntime(std::unique_ptr<Explainer> of_programs, std::unique_ptr<Explainer> of_io)
      : of_programs_(std::move(of_programs)), of_io_(std::move(of_io)), chosen_(of_programs_.get()) {}

  void begin(const RunInfo& info) override {
    chosen_ = is_io(info) ? of_io_.get() : of_programs_.get();
    chosen_->begin(info);
  }
  void events(const EventBatch& batch) override { chosen_->events(batch); }
  void end(const RunSummary& summary) override { chosen_->end(summary); }

  [[nodiscard]] std::span<const std::uint64_t> callbacks() const override { return chosen_->callbacks(); }
  [[nodiscard]] Explanation outline(std::uint64_t callback) const override { return chosen_->outline(callback); }
  [[nodiscard]] Explanation explanation(std::uint64_t callback) const override {
    return chosen_->explanation(callback);
  }
  [[nodiscard]] std::span<const Explanation> explanations() const override { return chosen_->explanations(); }

 private:
  std::unique_ptr<Explainer> of_programs_, of_io_;
  Explainer* chosen_;
};

}  // namespace

std::unique_ptr<Explainer> make_explainer(const RacesResult* races, Language language) {
  return std::make_unique<ByRuntime>(std::make_unique<HistoryExplainer>(races, language), make_io_explainer(language));
}

std::string format_sentence(const ExplanationSentence& sentence, Language language) {
  const ExplanationRule& rule = explanation_rules()[sentence.rule];
  std::vector<std::string_view> arguments;
  arguments.reserve(sentence.arguments.size());
  for (const ExplanationArgument& argument : sentence.arguments) arguments.push_back(argument.text);
  return fill(language == Language::chinese ? rule.chinese : rule.english, arguments);
}

}  // namespace loopsim
