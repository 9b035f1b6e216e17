#include "loopsim/explain.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/races.hpp"
#include "loopsim/words.hpp"

#include "sim/explain/history.hpp"
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

}  // namespace

std::unique_ptr<Explainer> make_explainer(const RacesResult* races, Language language) {
  return std::make_unique<HistoryExplainer>(races, language);
}

std::string format_sentence(const ExplanationSentence& sentence, Language language) {
  const ExplanationRule& rule = explanation_rules()[sentence.rule];
  std::vector<std::string_view> arguments;
  arguments.reserve(sentence.arguments.size());
  for (const ExplanationArgument& argument : sentence.arguments) arguments.push_back(argument.text);
  return fill(language == Language::chinese ? rule.chinese : rule.english, arguments);
}

}  // namespace loopsim
