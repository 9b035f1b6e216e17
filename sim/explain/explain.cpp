#include "loopsim/explain.hpp"

#include <memory>
#include <string>
#include <vector>

#include "loopsim/races.hpp"

#include "sim/explain/history.hpp"
#include "sim/explain/race_sentences.hpp"
#include "sim/explain/rules.hpp"
#include "sim/explain/teller.hpp"

namespace loopsim {
namespace {

class HistoryExplainer final : public Explainer {
 public:
  explicit HistoryExplainer(const RacesResult* races) : races_(races) {}

  void begin(const RunInfo& info) override {
    history_.begin(info);
    rules_ = rule_numbers(history_.profile().major);
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
  History history_;
  RuleNumbers rules_{};
  mutable std::vector<Explanation> made_;
};

}  // namespace

std::unique_ptr<Explainer> make_explainer(const RacesResult* races) {
  return std::make_unique<HistoryExplainer>(races);
}

std::string format_sentence(const ExplanationSentence& sentence) {
  const std::string_view words = explanation_rules()[sentence.rule].english;
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != '{') {
      text.push_back(words[i]);
      continue;
    }
    const auto argument = static_cast<std::size_t>(words[i + 1] - '0');  // one digit; a test checks this
    text += sentence.arguments[argument].text;
    i += 2;
  }
  return text;
}

}  // namespace loopsim
