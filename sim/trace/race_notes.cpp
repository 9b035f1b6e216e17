// The words of races, for timelines, drawings and messages.
#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "loopsim/races.hpp"
#include "loopsim/words.hpp"
#include "loopsim/writers.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kMostNamed = 3;  // further races in one note

// The races of one second callback, as one note.
std::string note_of(std::span<const Race* const> races, Language language) {
  const Race& most = **std::ranges::max_element(
      races, [](const Race* a, const Race* b) { return a->turned * b->both < b->turned * a->both; });
  std::string text = race_words(most, language);
  std::string others;
  std::size_t named = 0;
  for (const Race* const race : races) {
    if (race == &most || named == kMostNamed) continue;
    const std::string name = race_name(race->first);
    others = named++ == 0 ? name : say(language, Word::and_, {others, name});
  }
  if (named == 0) return text;
  const std::size_t left_out = races.size() - 1 - named;
  if (left_out > 0) others = say(language, Word::and_more, {others, fmt::format("{}", left_out)});
  return say(language, Word::race_also, {text, others});
}

}  // namespace

std::vector<CallbackNote> notes_of(const RacesResult& result, Language language) {
  std::map<std::uint64_t, std::vector<const Race*>> by_second;
  for (const Race& race : result.races) by_second[race.second.id].push_back(&race);
  std::vector<CallbackNote> notes;
  for (const auto& [id, races] : by_second) notes.push_back({id, note_of(races, language)});
  if (!notes.empty()) notes.front().text = say(language, Word::race_tells_more, {notes.front().text});
  return notes;
}

std::string race_name(const RacingCallback& callback) {
  return callback.round == 1 ? callback.label : fmt::format("{}#{}", callback.label, callback.round);
}

std::string race_words(const Race& race, Language language) {
  const std::string words = say(language, Word::race,
                                {race_name(race.first), race.machine, race_name(race.second),
                                 fmt::format("{}", race.turned), fmt::format("{}", race.both)});
  switch (race.reason) {
    case RaceReason::no_duration: return say(language, Word::race_untimed, {words, race.untimed});
    case RaceReason::same_time: return say(language, Word::race_same_time, {words});
    case RaceReason::standard: return say(language, Word::race_standard, {words});
    case RaceReason::close: return words;
  }
  return words;
}

std::string race_share(const Race& race) {
  return fmt::format("on {} {} comes before {} in {} of {} runs", race.machine, race_name(race.second),
                     race_name(race.first), race.turned, race.both);
}

}  // namespace loopsim
