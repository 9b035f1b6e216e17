// A quick look at what chance may turn: the begin of a run, and the same with a real machine's variation.
//
// Most runs have nothing to repeat: either a rule of the loop decides each order, or the times of the callbacks are much
// further apart than a machine moves them. Only where a pair is neither, the begin of the run is repeated, as far as the
// last such pair.

#include "loopsim/races.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <utility>
#include <vector>

#include "loopsim/api_traits.hpp"
#include "loopsim/machine_variation.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/trace.hpp"

#include "sim/program/program.hpp"
#include "sim/scenario/document.hpp"
#include "sim/scenario/walk.hpp"
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
constexpr std::uint64_t kMostCallbacks = 96;  // of one run
constexpr std::uint64_t kMostSteps = 20'000;  // of one run
// Of a program in JavaScript, whose steps are time: 600 of them are 10,000 jumps and calls, a hundred a KiB that is compiled.
constexpr std::uint64_t kMostStepsOfScript = 400'000;   // of one run
constexpr std::uint64_t kStepsOfAllOfScript = 250'000;  // of all runs with variation together, but for one as long
constexpr std::uint64_t kMostRuns = 50;                 // with variation
constexpr std::uint64_t kCallbacksOfAll = 1000;         // of all runs with variation together
constexpr std::uint64_t kLeastRuns = 10;
constexpr std::uint64_t kFirstRuns = 16;       // the others only if one of these has turned something
constexpr std::size_t kMostRoots = 64;         // callbacks of the loop, whose pairs are compared; bits of a Present
constexpr std::size_t kMostProofs = 64;        // of pairs that are not neighbours
constexpr std::size_t kLargeProgram = 20'000;  // instructions and inputs: too large to copy for this

// What a machine like `laptop` moves a callback: the first line of output, a millisecond of the clock's phase, start-up,
// a wake-up; and again as much for each callback that leads to it, and a wait for a thread of the pool.
constexpr TimeNs kMoved = 5 * kMillisecond;
constexpr TimeNs kMovedByAsker = 2 * kMillisecond;
constexpr TimeNs kMovedByOther = kMillisecond / 2;

constexpr std::uint32_t kNowhere = static_cast<std::uint32_t>(-1);

// A callback that the loop itself called.
struct Root {
  std::uint64_t id = 0;
  Api api = Api::none;
  std::uint32_t line = 0, column = 0;  // of the step that asked for it
  std::uint32_t site = 0;
  std::uint32_t round = 0;            // of its site, from 1
  std::uint32_t by_name = 0;          // the same of its name; without one of its site
  std::uint32_t asked_in = kNowhere;  // the root that asked for it; kNowhere: the main script, or the outside
  std::uint32_t depth = 0;            // roots that led to it
  std::uint64_t number = 0;           // among all callbacks, from 1
  TimeNs asked = -1;
  TimeNs due = -1;       // or ready; -1: neither is known
  TimeNs could_run = 0;  // due, or ready, or asked for
};

// Records the roots of a run. The numbers of the sites stay the same for all runs of one log.
class RootLog final : public TraceSink {
 public:
  void begin(const RunInfo& info) override {
    labels_.begin(info, Language::english);
    roots_.clear();
    asked_.clear();
    running_.clear();
    std::ranges::fill(rounds_, 0);
    begun_.clear();
    is_draining_ = false;
    callbacks_ = 0;
  }
  void events(const EventBatch& batch) override {
    labels_.add_names(batch.new_names);
    for (const Event& event : batch.events) note(event);
  }
  void end(const RunSummary& /*summary*/) override {}

  [[nodiscard]] const std::vector<Root>& roots() const { return roots_; }
  [[nodiscard]] std::uint64_t callbacks() const { return callbacks_; }
  [[nodiscard]] std::string label(const Root& root) const { return labels_.name_of(root.id); }

 private:
  struct Asked {
    std::uint32_t site = kNowhere;
    std::uint32_t in = kNowhere;
    std::uint32_t line = 0, column = 0;
    TimeNs at = 0;
  };

  void note(const Event& event) {
    switch (event.kind) {
      case EventKind::schedule: {
        labels_.learn(event);
        if (is_task(event.api)) break;
        Asked& asked = of(event.id);
        asked.site = site({event.name, event.line, event.column, event.api});
        asked.in = roots_.empty() ? kNowhere : static_cast<std::uint32_t>(roots_.size() - 1);
        asked.line = event.line;
        asked.column = event.column;
        asked.at = event.time;
        break;
      }
      case EventKind::callback_begin: begin(event); break;
      case EventKind::drain_begin: is_draining_ = true; break;
      case EventKind::drain_end: is_draining_ = false; break;
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
    const std::uint32_t by_name = event.name == kNoName ? 0 : ++begun_[event.name];
    // A listener of a rejection comes with the ticks and microtasks of the callback before it: no order of its own.
    const bool is_with_tasks = is_draining_ && event.api == Api::process_event;
    const bool is_root = running_.empty() && !is_task(event.api) && !is_with_tasks && event.api != Api::main;
    running_.push_back(event.id);
    if (!is_root) return;
    labels_.learn(event);
    Asked& asked = of(event.id);
    if (asked.site == kNowhere) {
      asked.site = site({event.name, event.line, event.column, event.api});
      asked.at = event.time;
    }
    Root root;
    root.id = event.id;
    root.api = event.api;
    root.line = asked.line;
    root.column = asked.column;
    root.site = asked.site;
    root.round = ++rounds_[asked.site];
    root.by_name = by_name == 0 ? root.round : by_name;
    root.asked_in = asked.in;
    root.depth = asked.in == kNowhere ? 0 : roots_[asked.in].depth + 1;
    root.number = callbacks_;
    root.asked = asked.at;
    root.due = event.a;
    root.could_run = event.a >= 0 ? event.a : asked.at;
    roots_.push_back(root);
  }

  Asked& of(std::uint64_t id) {
    if (id >= asked_.size()) asked_.resize(std::max<std::size_t>(id + 1, asked_.size() * 2));
    return asked_[id];
  }
  std::uint32_t site(const SiteKey& key) {
    const auto [found, is_new] = sites_.try_emplace(key, static_cast<std::uint32_t>(rounds_.size()));
    if (is_new) rounds_.push_back(0);
    return found->second;
  }

  Labels labels_;
  std::map<SiteKey, std::uint32_t> sites_;
  std::vector<std::uint32_t> rounds_;             // by site
  std::map<std::uint32_t, std::uint32_t> begun_;  // by name: its begins
  std::vector<Root> roots_;
  std::vector<Asked> asked_;  // by id
  std::vector<std::uint64_t> running_;
  bool is_draining_ = false;
  std::uint64_t callbacks_ = 0;
};

// How often two roots of the shown run came in the other order in the runs with variation.
struct Tally {
  std::uint32_t turned = 0;
  std::uint64_t seed = 0;  // of the first of these runs
};

// The roots of the shown run that began in a run with variation: a bit each.
using Present = std::uint64_t;

class Finder {
 public:
  Finder(const Scenario& scenario, const Program& program) : scenario_(scenario), program_(program) {}

  RacesResult find() {
    RacesResult result;
    if (study::program_draws(program_) || program_.code.size() + program_.inputs.size() > kLargeProgram) return result;
    const MachineSpec machine = varied_machine(scenario_.machine, scenario_.machine_given, program_.profile->major);
    const bool is_open = leaves_machine_open(scenario_.machine_given);
    if (!is_open && !study::machine_draws(machine)) return result;

    Program beginning = program_;
    beginning.runs_again = true;  // if not here, then for the reader
    beginning.limits.callbacks = std::min(beginning.limits.callbacks, kMostCallbacks);
    const bool is_script = program_.script != nullptr;
    beginning.limits.steps = std::min(beginning.limits.steps, is_script ? kMostStepsOfScript : kMostSteps);
    look_at_shown_run(beginning, result);
    if (roots_ == 0) return result;
    if (is_script) steps_left_ = std::max(kStepsOfAllOfScript, steps_of_shown_);

    machine_ = is_open ? std::string(kVariedMachine) : machine.name;
    beginning.machine = machine;
    vary(beginning, result.runs);
    collect(result);
    return result;
  }

 private:
  // Sets roots_: as many of the run's first as it takes for the last pair that may turn. 0: none may.
  void look_at_shown_run(const Program& beginning, RacesResult& result) {
    const OrderRules rules(beginning);
    CausalLog causes(rules);
    const std::array<TraceSink*, 2> sinks = {&shown_, &causes};
    const RunSummary summary = run(beginning, sinks);
    steps_of_shown_ = summary.steps;
    result.is_dear = summary.limit == LimitKind::steps && program_.script != nullptr;
    result.is_beginning = summary.limit != LimitKind::none && summary.limit != LimitKind::time;

    const std::vector<Root>& roots = shown_.roots();
    const std::size_t all = std::min(roots.size(), kMostRoots);
    std::size_t proofs = kMostProofs;
    std::size_t last_open = 0;  // no rule orders this one after its predecessor
    for (std::size_t b = 1; b < all; ++b) {
      const bool is_open = causes.prove(roots[b - 1].id, roots[b].id).empty();
      if (is_open) last_open = b;
      if (is_open && may_meet(roots[b - 1], roots[b], b)) roots_ = b + 1;
      // With an open place between them the two are ordered only if a rule says so of themselves.
      for (std::size_t a = b - 1; a-- > 0 && roots_ != b + 1;) {
        if (a >= last_open || !may_meet(roots[a], roots[b], b)) continue;
        if (proofs == 0 || (--proofs, causes.prove(roots[a].id, roots[b].id).empty())) roots_ = b + 1;
      }
    }
  }

  // Whether a machine may move the two so far that they come in the other order; `before`: roots before the second.
  [[nodiscard]] bool may_meet(const Root& first, const Root& second, std::size_t before) const {
    if (!costs_nothing(scenario_.machine) || scenario_.machine.tasks == TaskChoice::drawn) return true;
    const TimeNs moved = kMoved + kMovedByAsker * static_cast<TimeNs>(std::max(first.depth, second.depth)) +
                         kMovedByOther * static_cast<TimeNs>(before);
    return second.could_run - first.could_run <= moved;
  }

  void vary(Program& beginning, std::uint64_t& runs) {
    // What comes after the last of these roots need not run; some others may come before it there.
    const std::uint64_t callbacks = shown_.roots()[roots_ - 1].number;
    beginning.limits.callbacks = std::min(beginning.limits.callbacks, callbacks + callbacks / 4 + 16);
    tallies_.assign(roots_ * roots_, {});
    index_sites();
    const std::uint64_t most = std::clamp(kCallbacksOfAll / callbacks, kLeastRuns, kMostRuns);
    RootLog log = shown_;  // with the same numbers of sites
    const std::array<TraceSink*, 1> sinks = {&log};
    bool has_turned = false;
    for (runs = 0; runs < most && (runs < kFirstRuns || has_turned);) {
      if (steps_of_shown_ > steps_left_) break;
      const std::uint64_t seed = study::replication_seed(program_.seed, ++runs);
      const RunSummary varied = run(beginning, seed, sinks);
      steps_left_ -= std::min(steps_left_, varied.steps);
      has_turned = compare(log, seed) || has_turned;
    }
  }

  void index_sites() {
    for (std::uint32_t i = 0; i < roots_; ++i) {
      const std::uint32_t site = shown_.roots()[i].site;
      if (site >= at_site_.size()) at_site_.resize(site + 1);
      at_site_[site].push_back(i);
    }
  }

  // Whether the run has a pair in the other order.
  bool compare(const RootLog& log, std::uint64_t seed) {
    std::vector<std::uint32_t> order;  // roots of the shown run, as they began in this one
    Present present = 0;
    for (const Root& root : log.roots()) {
      if (root.site >= at_site_.size() || root.round > at_site_[root.site].size()) continue;
      order.push_back(at_site_[root.site][root.round - 1]);
      present |= Present{1} << order.back();
    }
    present_.push_back(present);
    if (std::ranges::is_sorted(order)) return false;
    for (std::size_t later = 1; later < order.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        if (order[earlier] < order[later]) continue;
        Tally& tally = tallies_[order[later] * roots_ + order[earlier]];
        if (tally.turned++ == 0) tally.seed = seed;
      }
    }
    return true;
  }

  // Runs with variation in which both began.
  [[nodiscard]] std::uint64_t with_both(std::size_t a, std::size_t b) const {
    const Present both = (Present{1} << a) | (Present{1} << b);
    return static_cast<std::uint64_t>(
        std::ranges::count_if(present_, [both](Present present) { return (present & both) == both; }));
  }

  [[nodiscard]] bool is_race(std::size_t a, std::size_t b) const {
    return a != b && std::max(a, b) < roots_ && tallies_[std::min(a, b) * roots_ + std::max(a, b)].turned > 0;
  }

  // Whether the pair is turned only because those that asked for the two are.
  [[nodiscard]] bool follows(std::size_t a, std::size_t b) const {
    const std::size_t by_a = shown_.roots()[a].asked_in;
    const std::size_t by_b = shown_.roots()[b].asked_in;
    return (by_a != kNowhere && is_race(by_a, b)) || (by_b != kNowhere && is_race(a, by_b)) ||
           (by_a != kNowhere && by_b != kNowhere && is_race(by_a, by_b));
  }

  void collect(RacesResult& result) const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> told;  // sites: of two that meet again and again, once
    for (std::size_t b = 1; b < roots_; ++b) {
      for (std::size_t a = b; a-- > 0;) {
        if (!is_race(a, b) || follows(a, b)) continue;
        const auto [low, high] = std::minmax(shown_.roots()[a].site, shown_.roots()[b].site);
        if (told.emplace(low, high).second) result.races.push_back(race_of(a, b));
      }
    }
  }

  [[nodiscard]] Race race_of(std::size_t a, std::size_t b) const {
    const Root& first = shown_.roots()[a];
    const Root& second = shown_.roots()[b];
    const Tally& tally = tallies_[a * roots_ + b];
    Race race;
    race.first = {shown_.label(first), first.id, first.by_name};
    race.second = {shown_.label(second), second.id, second.by_name};
    race.both = with_both(a, b);
    race.turned = tally.turned;
    race.seed = tally.seed;
    race.machine = machine_;
    if (const Root* const untimed = has_no_duration(first) ? &first : has_no_duration(second) ? &second : nullptr) {
      race.reason = RaceReason::no_duration;
      race.untimed = shown_.label(*untimed);
    } else if (scenario_.machine.tasks == TaskChoice::drawn) {
      race.reason = RaceReason::standard;
    } else if (first.due >= 0 && first.due == second.due) {
      race.reason = RaceReason::same_time;
      race.due = first.due;
    }
    return race;
  }

  // Whether it is a request for which the document says no time. Events of a request within another step, such as an
  // await, have the place of that one; then it is one that took none, where the document has such a request at all.
  [[nodiscard]] bool has_no_duration(const Root& root) const {
    if (root.api != Api::fs && root.api != Api::dns && root.api != Api::crypto && root.api != Api::zlib) return false;
    bool is_own_place = false;
    bool is_untimed = false;
    bool has_untimed = false;
    Walk(scenario_, [&](const Step& step) {
      const bool is_request =
          step.verb == Verb::fs || step.verb == Verb::dns || step.verb == Verb::crypto || step.verb == Verb::zlib;
      if (!is_request) return;
      const bool lacks_time = step.find(Key::takes) == nullptr && step.find(Key::cpu) == nullptr;
      has_untimed = has_untimed || lacks_time;
      if (step.line != root.line || scenario_.document->column(step.node, step.line) != root.column) return;
      is_own_place = true;
      is_untimed = lacks_time;
    });
    return is_own_place ? is_untimed : has_untimed && root.due == root.asked;
  }

  const Scenario& scenario_;
  const Program& program_;
  std::string machine_;
  RootLog shown_;
  std::size_t roots_ = 0;
  std::uint64_t steps_of_shown_ = 0;
  std::uint64_t steps_left_ = std::numeric_limits<std::uint64_t>::max();  // of the runs with variation
  std::vector<std::vector<std::uint32_t>> at_site_;  // the shown run's roots of each site, by round
  std::vector<Tally> tallies_;                       // by the places of the two in the shown run
  std::vector<Present> present_;                     // by run
};

}  // namespace

RacesResult find_races(const Scenario& scenario, const Program& program) {
  if (program.io != nullptr) return {};  // there are no callbacks
#if defined(__cpp_exceptions)
  try {
    return Finder(scenario, program).find();
  } catch (const std::bad_alloc&) {
    return {};
  }
#else
  return Finder(scenario, program).find();
#endif
}

RunSummary run_turned(const Scenario& scenario, const Program& program, const Race& race,
                      std::span<TraceSink* const> sinks) {
  Program varied = program;
  varied.machine = varied_machine(scenario.machine, scenario.machine_given, program.profile->major);
  return run(varied, race.seed, sinks);
}

}  // namespace loopsim
