// Races of a run: pairs of callbacks whose order hangs on chance.
//
// The shown run is one of many. On a real machine start-up, wake-up latency, the clock's place within a millisecond and
// Node's own costs vary from run to run; the machine `ideal` has none of these. find_races() repeats the begin of the
// run with such variation and reports the pairs of callbacks that then also run in the other order. It is a quick look,
// bounded to a few thousand callbacks whatever the program does; study_orders() (orders.hpp) looks closely.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/language.hpp"

namespace loopsim {

struct CallbackNote;  // writers.hpp
class Program;        // simulator.hpp
struct RunSummary;    // trace.hpp
struct Scenario;      // scenario.hpp
class TraceSink;      // trace.hpp

// Why the order is open, in the order in which reasons are preferred.
enum class RaceReason : std::uint8_t {
  no_duration,  // one of them is a request without `takes`: it takes no time here
  standard,     // tasks of a page, and the machine chooses where the HTML standard leaves it open (MachineSpec::tasks)
  same_time,    // both were due or ready at the same nanosecond
  close,        // their times are closer together than a real machine's vary
};

// A callback that the loop calls, of the shown run.
struct RacingCallback {
  std::string label;        // as the writers name it
  std::uint64_t id = 0;     // Event::id
  std::uint32_t round = 1;  // 2: the second callback with that label
};

struct Race {
  RacingCallback first, second;  // in the order of the shown run
  std::uint64_t both = 0;        // runs with variation in which both began
  std::uint64_t turned = 0;      // of these, `second` before `first`; from 1 to `both`
  std::uint64_t seed = 0;        // of the first of those, for run_turned()
  std::string machine;           // on which these ran: "laptop", or the document's own
  RaceReason reason = RaceReason::close;
  std::int64_t due = -1;  // same_time: when both were, in nanoseconds
  std::string untimed;    // no_duration: the label of the request
};

struct RacesResult {
  std::vector<Race> races;    // in the order of their second callbacks; without those that follow from another one
  std::uint64_t runs = 0;     // with variation; 0: no order was open, or the program itself is random
  bool is_beginning = false;  // the run is longer than what was looked at
  bool is_dear = false;       // a run takes longer than the look may: it saw little of it, or nothing
};

// `program` is the compiled `scenario`. Deterministic. What it costs is bounded, and small where all orders follow from
// rules or from times that are far apart. A program that draws random durations itself, or has random arrivals, is not
// looked at: its author knows. Out of memory: no races. A program in JavaScript is repeated for as many steps as its own run
// takes, or half a million: half a second.
[[nodiscard]] RacesResult find_races(const Scenario& scenario, const Program& program);

// Runs the whole program on the machine and with the seed with which the race came in the other order. Throws as run()
// does.
RunSummary run_turned(const Scenario& scenario, const Program& program, const Race& race,
                      std::span<TraceSink* const> sinks);

// The races as notes of their second callbacks, for the writers. The first one names the command that tells more.
[[nodiscard]] std::vector<CallbackNote> notes_of(const RacesResult& result, Language language = Language::english);

// "a race with timeout: on laptop it is first in 41 of 50 runs", for a row of the second callback. The labels are the
// scenario's own texts: not yet printable().
[[nodiscard]] std::string race_words(const Race& race, Language language = Language::english);
// "on laptop, timeout comes before immediate in 41 of 50 runs", for messages.
[[nodiscard]] std::string race_share(const Race& race);
// `label`, or `label#round` from the second round on.
[[nodiscard]] std::string race_name(const RacingCallback& callback);

}  // namespace loopsim
