// Which orders can happen: one program run many times with different seeds, or with one value varied finely.
//
//   study_orders()     the orders that were seen, how often, and for pairs of callbacks whether their order is a race
//   study_threshold()  the values of a param at which the order turns, exactly
//
// The same results for any number of threads. docs/orders.md tells about it at length.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/diagnostic.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

// ---- orders
// ---------------------------------------------------------------------------------------------------------------

enum class OrderOf : std::uint8_t {
  output,    // the lines on standard output
  callbacks  // named_callbacks() (study.hpp), each time that one begins
};

// The lines of the output, when the program writes any; else the callbacks.
[[nodiscard]] OrderOf default_order_of(const Program& program);

// The `round`-th time that a callback begins, from 1.
struct CallbackRound {
  std::string name;
  std::uint32_t round = 1;
  friend bool operator==(const CallbackRound&, const CallbackRound&) = default;
};

struct OrdersOptions {
  std::uint64_t runs = 1000;  // replications, from 1 to kMostOrderRuns
  std::optional<OrderOf> of;  // nothing: default_order_of()
  std::vector<std::pair<CallbackRound, CallbackRound>>
      pairs;                // to be judged; empty: those of named_callbacks(), see below
  bool judge_pairs = true;  // false: no pairs at all
  unsigned jobs = 0;        // threads; 0: as many as the machine runs at once
};

inline constexpr std::uint64_t kMostOrderRuns = 1'000'000;
// Without a choice of pairs: all of the first kMostPairNames names, and of each round up to kMostPairRounds with the
// same round of the others.
inline constexpr std::size_t kMostPairNames = 24;
inline constexpr std::uint32_t kMostPairRounds = 3;
// Of an order, lines and bytes are kept up to these; what comes behind them still tells one order from another.
inline constexpr std::size_t kMostOrderLines = 1000;
inline constexpr std::size_t kMostOrderBytes = 1U << 16U;

// A share of the runs, with its 95 % Wilson interval.
struct Share {
  std::uint64_t count = 0;
  double share = 0;
  double low = 0;
  double high = 0;
};

// A run that shows something: `loopsim run FILE --seed SEED` is that run.
struct Witness {
  std::uint64_t replication = 0;  // the first one
  std::uint64_t seed = 0;
};

struct ObservedOrder {
  LimitKind limit = LimitKind::none;  // not none: the class of all runs that ended at this limit, and no lines
  std::vector<std::string> lines;
  bool is_cut = false;  // there is more than is kept
  Share share;
  Witness witness;
};

enum class PairVerdict : std::uint8_t {
  race,        // both orders happened
  guaranteed,  // in every run the order follows from how the program asked for the two, and a rule of the loop
  always,      // no other order was seen
  apart,       // never both in one run
};
[[nodiscard]] std::string_view to_string(PairVerdict verdict);

struct PairOrder {
  CallbackRound first, second;  // in the order that was seen more often; where none was, the document's
  PairVerdict verdict = PairVerdict::apart;
  std::uint64_t both = 0;        // runs in which both began
  std::uint64_t only_first = 0;  // runs in which only the one did
  std::uint64_t only_second = 0;
  Share in_order, turned;  // of `both`: first before second, and second before first
  Witness in_order_witness, turned_witness;
  double turned_bound = 1;  // always: the other order's probability is below this, with 95 % confidence
  std::string reason;       // guaranteed: the rule
};

struct OrdersResult {
  OrderOf of = OrderOf::output;
  std::uint64_t seed = 0;             // of the first replication
  std::uint64_t runs = 0;             // made
  bool is_random = false;             // false: every run is the same, and so only one was made
  std::vector<ObservedOrder> orders;  // by share, then by first replication
  std::vector<PairOrder> pairs;    // races first, the most even ones before; then always; then guaranteed; then apart
  std::size_t names_left_out = 0;  // named callbacks beyond kMostPairNames
};

// `program` is the scenario's, compiled. Replication k has the seed replication_seed(the program's seed, k): the
// first one is the run that `loopsim run` shows.
[[nodiscard]] OrdersResult study_orders(const Scenario& scenario, const Program& program, const OrdersOptions& options);

// ---- thresholds
// -----------------------------------------------------------------------------------------------------------

// NAME=FROM:TO: a param's name or a JSON pointer, and two durations or two numbers, FROM below TO. What is varied
// goes in whole steps: a
// nanosecond, or one of the last digit that FROM or TO is given with (0:10 has the step 1, 0:1.00 the step 0.01).
struct ThresholdRange {
  std::string name;
  bool is_duration = false;
  int places = 0;                 // of a number: the step is 10^-places
  std::int64_t from = 0, to = 0;  // in steps
  // A value as a document writes it: 0.999999ms, 0.25.
  [[nodiscard]] std::string text(std::int64_t value) const;
};
struct ThresholdRangeResult {
  std::optional<ThresholdRange> range;  // empty: not well formed
  std::string message;                  // then: in one sentence without a final stop
};
[[nodiscard]] ThresholdRangeResult parse_threshold_range(std::string_view text);

struct ThresholdSpec {
  std::string text;     // of the document
  std::string file;     // for messages
  ReadOptions options;  // the seed is the same for all values
  ThresholdRange range;
  std::optional<OrderOf> of;
  std::optional<std::pair<CallbackRound, CallbackRound>> pair;  // the order of these two only
  std::uint32_t points = 64;                                    // of the first scan, from 2 to kMostThresholdPoints
  unsigned jobs = 0;
};
inline constexpr std::uint32_t kMostThresholdPoints = 100'000;
inline constexpr std::size_t kMostTurns = 1000;  // that are looked for exactly; then the result is cut

// Values from `from` to `to`, both included, that have one order.
struct ThresholdSegment {
  std::int64_t from = 0, to = 0;
  std::size_t order = 0;  // of ThresholdResult::orders
};

struct ThresholdOrder {
  LimitKind limit = LimitKind::none;
  std::vector<std::string> lines;
  bool is_cut = false;
};

struct ThresholdResult {
  bool ok = false;
  Diagnostics diagnostics;  // not ok: why the document cannot be run at `value`
  std::string value;
  OrderOf of = OrderOf::output;
  std::uint64_t seed = 0;
  bool is_random = false;              // the program draws: what is found holds for this seed
  std::uint64_t runs = 0;              // made
  bool is_cut = false;                 // more turns than kMostTurns: the later ones are between the points of the scan
  std::vector<ThresholdOrder> orders;  // in the order in which they first occur
  std::vector<ThresholdSegment> segments;
};

// Runs at `points` values, evenly spread and with both ends, and finds by bisection where the order changes between
// two that differ. An
// order that holds only between two neighbours of the scan that have the same order is not found.
[[nodiscard]] ThresholdResult study_threshold(const ThresholdSpec& spec);

}  // namespace loopsim
