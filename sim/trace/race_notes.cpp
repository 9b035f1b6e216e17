// The words of races, for timelines, drawings and messages.
#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "loopsim/races.hpp"
#include "loopsim/writers.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kMostNamed = 3;  // further races in one note

// The races of one second callback, as one note.
std::string note_of(std::span<const Race* const> races) {
  const Race& most = **std::ranges::max_element(
      races, [](const Race* a, const Race* b) { return a->turned * b->both < b->turned * a->both; });
  std::string text = race_words(most);
  std::string others;
  std::size_t named = 0;
  for (const Race* const race : races) {
    if (race == &most || named == kMostNamed) continue;
    others += (named++ == 0 ? "" : ", ") + race_name(race->first);
  }
  if (named == 0) return text;
  const std::size_t left_out = races.size() - 1 - named;
  return fmt::format("{}; one with {}{} as well", text, others,
                     left_out == 0 ? "" : fmt::format(" and {} more", left_out));
}

}  // namespace

std::vector<CallbackNote> notes_of(const RacesResult& result) {
  std::map<std::uint64_t, std::vector<const Race*>> by_second;
  for (const Race& race : result.races) by_second[race.second.id].push_back(&race);
  std::vector<CallbackNote> notes;
  for (const auto& [id, races] : by_second) notes.push_back({id, note_of(races)});
  if (!notes.empty()) notes.front().text += "; loopsim orders tells more";
  return notes;
}

std::string race_name(const RacingCallback& callback) {
  return callback.round == 1 ? callback.label : fmt::format("{}#{}", callback.label, callback.round);
}

std::string race_words(const Race& race) {
  const std::string words = fmt::format("a race with {}: on {} {} is first in {} of {} runs", race_name(race.first),
                                        race.machine, race_name(race.second), race.turned, race.both);
  switch (race.reason) {
    case RaceReason::no_duration: return fmt::format("{}; {} has no \"takes\" here: no time", words, race.untimed);
    case RaceReason::same_time: return words + "; here both are due at the same time";
    case RaceReason::close: return words;
  }
  return words;
}

std::string race_share(const Race& race) {
  return fmt::format("on {} {} comes before {} in {} of {} runs", race.machine, race_name(race.second),
                     race_name(race.first), race.turned, race.both);
}

}  // namespace loopsim
