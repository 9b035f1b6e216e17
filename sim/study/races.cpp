// A quick look at what chance may turn: the begin of a run, and the same with a real machine's variation.

#include "loopsim/races.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"

#include "sim/program/program.hpp"
#include "sim/study/order_causes.hpp"
#include "sim/study/order_key.hpp"
#include "sim/study/seeds.hpp"
#include "sim/trace/text_words.hpp"

namespace loopsim {

namespace {

using study::CausalLog;
using study::OrderRules;
using study::SiteKey;

// The look is bounded by counts, never by a clock: the same document gives the same races on every machine.
constexpr std::uint64_t kMostCallbacks = 400;   // of one run
constexpr std::uint64_t kMostSteps = 20'000;    // of one run
constexpr std::uint64_t kMostRuns = 50;         // with variation
constexpr std::uint64_t kCallbacksOfAll = 4000; // of all runs with variation together
constexpr std::uint64_t kLeastRuns = 10;
constexpr std::uint64_t kFirstRuns = 16;        // the others only if one of these has turned something
constexpr std::size_t kMostRoots = 64;          // callbacks of the loop, whose pairs are compared
constexpr std::size_t kLargeProgram = 20'000;   // instructions and inputs: too large to copy for this

constexpr std::uint32_t kNowhere = static_cast<std::uint32_t>(-1);

// A callback that the loop itself called.
struct Root {
  std::uint64_t id = 0;
  std::uint32_t name = kNoName;
  Api api = Api::none;
  std::uint32_t site = 0;
  std::uint32_t round = 0;            // of its site, from 1
  std::uint32_t asked_in = kNowhere;  // the root that asked for it; kNowhere: the main script, or the outside
  TimeNs due = -1;
  bool took_no_time = false;  // a request that was ready at once
};

// Records the roots of a run. The numbers of the sites stay the same for all runs of one log.
class RootLog final : public TraceSink {
 public:
  void begin(const RunInfo& info) override {
    labels_.begin(info.names);
    roots_.clear();
    asked_.clear();
    running_.clear();
    std::ranges::fill(rounds_, 0);
    callbacks_ = 0;
  }
  void events(const EventBatch& batch) override {
    labels_.add_names(batch.new_names);
    for (const Event& event : batch.events) note(event);
  }
  void end(const RunSummary& /*summary*/) override {}

  [[nodiscard]] const std::vector<Root>& roots() const { return roots_; }
  [[nodiscard]] std::uint64_t callbacks() const { return callbacks_; }
  [[nodiscard]] std::string label(const Root& root) const {
    return labels_.name_of(root.id);
  }
  // The place of the same root in this run's order; kNowhere: it did not begin.
  [[nodiscard]] std::uint32_t place_of(const Root& root) const {
    for (std::uint32_t i = 0; i < roots_.size(); ++i)
      if (roots_[i].site == root.site && roots_[i].round == root.round) return i;
    return kNowhere;
  }

 private:
  struct Asked {
    std::uint32_t site = kNowhere;
    std::uint32_t in = kNowhere;
    TimeNs at = -1;
    bool took_no_time = false;
  };

  void note(const Event& event) {
    switch (event.kind) {
      case EventKind::schedule: {
        labels_.learn(event);
        Asked& asked = of(event.id);
        asked.site = site({event.name, event.line, event.column, event.api});
        asked.in = roots_.empty() ? kNowhere : static_cast<std::uint32_t>(roots_.size() - 1);
        asked.at = event.time;
        break;
      }
      case EventKind::ready: of(event.id).took_no_time = event.a == event.b || event.a == of(event.id).at; break;
      case EventKind::callback_begin: begin(event); break;
      case EventKind::callback_end:
        while (!running_.empty()) {
          const std::uint64_t ended = running_.back();
          running_.pop_back();
          if (ended == event.id) break;
        }
        break;
      default: break;
    }
  }

  void begin(const Event& event) {
    ++callbacks_;
    const bool is_root = running_.empty() && !is_task(event.api) && event.api != Api::main;
    running_.push_back(event.id);
    if (!is_root) return;
    labels_.learn(event);
    Asked& asked = of(event.id);
    if (asked.site == kNowhere) asked.site = site({event.name, event.line, event.column, event.api});
    roots_.push_back({event.id, event.name, event.api, asked.site, ++rounds_[asked.site], asked.in, event.a,
                      asked.took_no_time});
  }

  Asked& of(std::uint64_t id) {
    if (id >= asked_.size()) asked_.resize(id + 1);
    return asked_[id];
  }
  std::uint32_t site(const SiteKey& key) {
    const auto [found, is_new] = sites_.try_emplace(key, static_cast<std::uint32_t>(rounds_.size()));
    if (is_new) rounds_.push_back(0);
    return found->second;
  }

  Labels labels_;
  std::map<SiteKey, std::uint32_t> sites_;
  std::vector<std::uint32_t> rounds_;  // by site
  std::vector<Root> roots_;
  std::vector<Asked> asked_;  // by id
  std::vector<std::uint64_t> running_;
  std::uint64_t callbacks_ = 0;
};

// The program on another machine, and no more of it than its begin.
std::unique_ptr<Program> beginning_on(const Program& program, const MachineSpec& machine) {
  auto copy = std::make_unique<Program>(program);
  copy->machine = machine;
  copy->limits.callbacks = std::min(copy->limits.callbacks, kMostCallbacks);
  copy->limits.steps = std::min(copy->limits.steps, kMostSteps);
  return copy;
}

// How often the runs with variation had two roots of the shown run, and how often turned.
struct Tally {
  std::uint32_t both = 0, turned = 0;
};

class Finder {
 public:
  Finder(const Scenario& scenario, const Program& program) : scenario_(scenario), program_(program) {}

  RacesResult find() {
    RacesResult result;
    if (study::program_draws(program_) || program_.code.size() + program_.inputs.size() > kLargeProgram) return result;
    const MachineSpec machine = varied_machine(scenario_.machine, scenario_.machine_given);
    const bool is_open = leaves_machine_open(scenario_.machine_given);
    if (!is_open && !study::machine_draws(machine)) return result;
    if (!look_at_shown_run(result)) return result;

    result.machine = is_open ? std::string(kVariedMachine) : machine.name;
    vary(machine, result.runs);
    collect(result);
    return result;
  }

 private:
  // False: nothing in it can be a race.
  bool look_at_shown_run(RacesResult& result) {
    const std::unique_ptr<Program> shown = beginning_on(program_, program_.machine);
    const OrderRules rules(*shown);
    CausalLog causes(rules);
    const std::array<TraceSink*, 2> sinks = {&shown_, &causes};
    const RunSummary summary = run(*shown, sinks);
    result.is_beginning = summary.limit != LimitKind::none && summary.limit != LimitKind::time;
    callbacks_ = shown_.callbacks();
    roots_ = std::min(shown_.roots().size(), kMostRoots);
    bool is_open = false;
    for (std::size_t b = 1; b < roots_ && !is_open; ++b)
      is_open = causes.prove(shown_.roots()[b - 1].id, shown_.roots()[b].id).empty();
    return is_open;
  }

  void vary(const MachineSpec& machine, std::uint64_t& runs) {
    const std::unique_ptr<Program> varied = beginning_on(program_, machine);
    tallies_.assign(roots_ * roots_, {});
    runs = std::clamp(kCallbacksOfAll / std::max<std::uint64_t>(callbacks_, 1), kLeastRuns, kMostRuns);
    RootLog log = shown_;  // with the same numbers of sites
    const std::array<TraceSink*, 1> sinks = {&log};
    std::vector<std::uint32_t> places(roots_);
    bool has_turned = false;
    for (std::uint64_t k = 1; k <= runs; ++k) {
      if (k > kFirstRuns && !has_turned) {
        runs = kFirstRuns;
        return;
      }
      run(*varied, study::replication_seed(program_.seed, k), sinks);
      for (std::size_t i = 0; i < roots_; ++i) places[i] = log.place_of(shown_.roots()[i]);
      for (std::size_t a = 0; a < roots_; ++a) {
        if (places[a] == kNowhere) continue;
        for (std::size_t b = a + 1; b < roots_; ++b) {
          if (places[b] == kNowhere) continue;
          Tally& tally = tallies_[a * roots_ + b];
          ++tally.both;
          if (places[b] > places[a]) continue;
          ++tally.turned;
          has_turned = true;
        }
      }
    }
  }

  [[nodiscard]] bool is_race(std::size_t a, std::size_t b) const {
    return a != b && tallies_[std::min(a, b) * roots_ + std::max(a, b)].turned > 0;
  }

  // Whether the pair is turned only because those that asked for the two are.
  [[nodiscard]] bool follows(std::size_t a, std::size_t b) const {
    const std::size_t by_a = shown_.roots()[a].asked_in;
    const std::size_t by_b = shown_.roots()[b].asked_in;
    return (by_a != kNowhere && is_race(by_a, b)) || (by_b != kNowhere && is_race(a, by_b)) ||
           (by_a != kNowhere && by_b != kNowhere && is_race(by_a, by_b));
  }

  void collect(RacesResult& result) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> told;  // sites: of two that meet again and again, once
    for (std::size_t b = 1; b < roots_; ++b) {
      for (std::size_t a = b; a-- > 0;) {
        const Root& first = shown_.roots()[a];
        const Root& second = shown_.roots()[b];
        if (!is_race(a, b) || follows(a, b)) continue;
        const auto sites = std::minmax(first.site, second.site);
        const std::pair<std::uint32_t, std::uint32_t> pair(sites.first, sites.second);
        if (std::ranges::find(told, pair) != told.end()) continue;
        told.push_back(pair);
        const Tally& tally = tallies_[a * roots_ + b];
        Race race;
        race.first = {shown_.label(first), first.id, first.round};
        race.second = {shown_.label(second), second.id, second.round};
        race.both = tally.both;
        race.turned = tally.turned;
        if (first.took_no_time || second.took_no_time) {
          race.reason = RaceReason::no_duration;
          race.untimed = shown_.label(first.took_no_time ? first : second);
        } else if (first.due >= 0 && first.due == second.due) {
          race.reason = RaceReason::same_time;
        }
        result.races.push_back(std::move(race));
      }
    }
  }

  const Scenario& scenario_;
  const Program& program_;
  RootLog shown_;
  std::uint64_t callbacks_ = 0;
  std::size_t roots_ = 0;
  std::vector<Tally> tallies_;  // by the places of the two in the shown run
};

}  // namespace

std::string_view to_string(RaceReason reason) {
  switch (reason) {
    case RaceReason::no_duration: return "no_duration";
    case RaceReason::same_time: return "same_time";
    case RaceReason::close: return "close";
  }
  return "";
}

std::vector<CallbackNote> notes_of(const RacesResult& result) {
  std::vector<CallbackNote> notes;
  notes.reserve(result.races.size());
  for (const Race& race : result.races) notes.push_back({race.second.id, race_words(race, result)});
  std::ranges::stable_sort(notes, {}, &CallbackNote::id);
  return notes;
}

std::string race_words(const Race& race, const RacesResult& result) {
  const auto named = [](const RacingCallback& callback) {
    return callback.round == 1 ? callback.label : fmt::format("{}#{}", callback.label, callback.round);
  };
  const std::string first = named(race.first);
  const std::string second = named(race.second);
  std::string words;
  if (race.turned == race.both) {
    words = fmt::format("on {} it comes before {}, in {} of {} runs", result.machine, first, race.turned, race.both);
  } else {
    words = fmt::format("a race with {}: on {} it comes first in {} of {} runs", first, result.machine, race.turned,
                        race.both);
  }
  switch (race.reason) {
    case RaceReason::no_duration: return fmt::format("{}; {} has no \"takes\" here, so it takes no time", words, race.untimed);
    case RaceReason::same_time: return words + "; here both are due at the same time";
    case RaceReason::close: return words;
  }
  return words;
}

RacesResult find_races(const Scenario& scenario, const Program& program) { return Finder(scenario, program).find(); }

}  // namespace loopsim
