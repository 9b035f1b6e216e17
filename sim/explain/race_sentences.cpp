#include "sim/explain/race_sentences.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/time_text.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kMostTold = 3;  // races of one callback

class RaceTeller {
 public:
  RaceTeller(const History& history, const RuleNumbers& rules, std::uint64_t id)
      : history_(history), rules_(rules), id_(id) {}

  std::vector<ExplanationSentence> tell(const RacesResult& races) {
    std::size_t found = 0;
    for (const Race& race : races.races) {
      if (race.first.id != id_ && race.second.id != id_) continue;
      if (!history_.knows(race.first.id) || !history_.knows(race.second.id)) continue;  // the run ended before
      if (++found <= kMostTold) tell(race);
    }
    if (found > kMostTold) say(Rule::race_more, history_.facts(id_).begun, {{fmt::format("{}", found - kMostTold), 0}});
    return std::move(sentences_);
  }

 private:
  void tell(const Race& race) {
    const std::uint64_t event = history_.facts(race.second.id).begun;
    const bool is_first = race.first.id == id_;
    say(is_first ? Rule::race_before : Rule::race_after, event,
        {who(is_first ? race.second : race.first),
         {race.machine, 0},
         {fmt::format("{}", race.turned), 0},
         {fmt::format("{}", race.both), 0}});
    switch (race.reason) {
      case RaceReason::no_duration: say(Rule::race_untimed, event, {{race.untimed, 0}}); break;
      case RaceReason::same_time: say(Rule::race_same_time, event, {{ms_text(race.due), 0}}); break;
      case RaceReason::standard: say(Rule::race_standard, event, {}); break;
      case RaceReason::close: break;
    }
  }

  void say(Rule rule, std::uint64_t event, std::vector<ExplanationArgument> arguments) {
    sentences_.push_back({rules_[static_cast<std::size_t>(rule)], event, std::move(arguments)});
  }
  [[nodiscard]] static ExplanationArgument who(const RacingCallback& callback) {
    return {race_name(callback), callback.id};
  }

  const History& history_;
  const RuleNumbers& rules_;
  std::uint64_t id_;
  std::vector<ExplanationSentence> sentences_;
};

}  // namespace

void tell_races(const History& history, const RuleNumbers& rules, const RacesResult& races, Explanation& explanation) {
  std::vector<ExplanationSentence> sentences = RaceTeller(history, rules, explanation.callback).tell(races);
  if (sentences.empty()) return;
  const auto chain = std::ranges::find_if(explanation.sentences, [](const ExplanationSentence& one) {
    return explanation_rules()[one.rule].part == ExplanationPart::chain;
  });
  explanation.sentences.insert(chain, std::make_move_iterator(sentences.begin()),
                               std::make_move_iterator(sentences.end()));
}

}  // namespace loopsim
