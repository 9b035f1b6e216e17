// Possible orders: one program run many times with different seeds, or with one value varied in small steps.
//
//   study_orders()     the observed orders with their frequencies, and for pairs of callbacks whether they race
//   study_threshold()  the exact values of a param at which the order changes
//
// Results do not depend on the number of threads. Details: docs/orders.md.
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

// ---- orders ---------------------------------------------------------------------------------------------------------

enum class OrderOf : std::uint8_t {
  output,    // the lines on standard output
  callbacks  // judged_callbacks(), each time one begins
};

// The callbacks that a study tells apart: a scenario's named_callbacks() (study.hpp). What a program in JavaScript calls, only runs
// tell: all callbacks but the main script that begin in its first 8 replications, in the order of their first begin.
[[nodiscard]] std::vector<std::string> judged_callbacks(const Scenario& scenario, const Program& program);

// OrderOf::output if the program has a step that writes output, otherwise OrderOf::callbacks.
[[nodiscard]] OrderOf default_order_of(const Program& program);

// The `round`-th begin of a callback, counted from 1.
struct CallbackRound {
  std::string name;
  std::uint32_t round = 1;
  friend bool operator==(const CallbackRound&, const CallbackRound&) = default;
};

struct OrdersOptions {
  std::uint64_t runs = 1000;                                   // replications, from 1 to kMostOrderRuns
  std::optional<OrderOf> of;                                   // nullopt: default_order_of()
  std::vector<std::pair<CallbackRound, CallbackRound>> pairs;  // to judge; empty: those of judged_callbacks(), see below
  bool judge_pairs = true;                                     // false: no pairs at all
  unsigned jobs = 0;                                           // threads; 0: one per hardware thread
};

inline constexpr std::uint64_t kMostOrderRuns = 1'000'000;
// Default pairs: all pairs of the first kMostPairNames names, each round up to kMostPairRounds with the same round of
// the other name.
inline constexpr std::size_t kMostPairNames = 24;
inline constexpr std::uint32_t kMostPairRounds = 3;
// Limits of the lines and bytes kept per order; the rest still distinguishes orders.
inline constexpr std::size_t kMostOrderLines = 1000;
inline constexpr std::size_t kMostOrderBytes = 1U << 16U;

// A share of the runs, with its 95 % Wilson interval.
struct Share {
  std::uint64_t count = 0;
  double share = 0;
  double low = 0;
  double high = 0;
};

// An example run, reproduced by `loopsim run FILE --seed SEED`.
struct Witness {
  std::uint64_t replication = 0;  // the first one that shows it
  std::uint64_t seed = 0;
};

struct ObservedOrder {
  LimitKind limit = LimitKind::none;  // not none: the class of all runs that ended at this limit; no lines
  std::vector<std::string> lines;
  bool is_cut = false;  // lines were dropped
  Share share;
  Witness witness;
};

enum class PairVerdict : std::uint8_t {
  race,        // both orders were observed
  guaranteed,  // in every run the order follows from how the program scheduled the two, and a rule of the loop
  always,      // the other order was not observed
  apart,       // never both in one run
};
[[nodiscard]] std::string_view to_string(PairVerdict verdict);

struct PairOrder {
  CallbackRound first, second;  // in the more frequent order; if there is none, in the document's
  PairVerdict verdict = PairVerdict::apart;
  std::uint64_t both = 0;        // runs in which both began
  std::uint64_t only_first = 0;  // runs in which only `first` began
  std::uint64_t only_second = 0;
  Share in_order, turned;  // of `both`: first before second, and second before first
  Witness in_order_witness, turned_witness;
  double turned_bound = 1;  // always: upper bound of the other order's probability, with 95 % confidence
  std::string reason;       // guaranteed: the rule; race of a page's callbacks: what leaves the order open
};

struct OrdersResult {
  OrderOf of = OrderOf::output;
  std::uint64_t seed = 0;             // of the first replication
  std::uint64_t runs = 0;             // completed
  bool is_random = false;             // false: all runs are equal, so only one was made
  std::vector<ObservedOrder> orders;  // by share, then by first replication
  std::vector<PairOrder> pairs;       // races, the most even ones first; then always; then guaranteed; then apart
  std::size_t names_left_out = 0;     // callbacks beyond kMostPairNames
};

// `program` is the compiled `scenario`. Replication k has the seed replication_seed(the program's seed, k); the first
// one is the run that `loopsim run` shows.
[[nodiscard]] OrdersResult study_orders(const Scenario& scenario, const Program& program, const OrdersOptions& options);

// ---- thresholds -----------------------------------------------------------------------------------------------------

// NAME=FROM:TO: a param's name or a JSON pointer, and two durations or two numbers, FROM below TO. The step is 1 ns for
// durations, and one unit of the last digit of FROM or TO for numbers (0:10 has the step 1, 0:1.00 the step 0.01).
struct ThresholdRange {
  std::string name;
  bool is_duration = false;
  int places = 0;                 // number: the step is 10^-places
  std::int64_t from = 0, to = 0;  // in steps
  // A value as written in a document: 0.999999ms, 0.25.
  [[nodiscard]] std::string text(std::int64_t value) const;
};
struct ThresholdRangeResult {
  std::optional<ThresholdRange> range;  // empty: malformed
  std::string message;                  // then: one sentence without a final stop
};
[[nodiscard]] ThresholdRangeResult parse_threshold_range(std::string_view text);

struct ThresholdSpec {
  std::string text;     // of the document
  std::string file;     // for messages
  ReadOptions options;  // the seed is the same for all values
  ThresholdRange range;
  std::optional<OrderOf> of;
  std::optional<std::pair<CallbackRound, CallbackRound>> pair;  // compare only the order of these two
  std::uint32_t points = 64;                                    // of the first scan, from 2 to kMostThresholdPoints
  unsigned jobs = 0;
};
inline constexpr std::uint32_t kMostThresholdPoints = 100'000;
inline constexpr std::size_t kMostTurns = 1000;  // changes located exactly; the result is cut beyond them

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
  bool is_random = false;              // the program draws random values: the result holds for this seed only
  std::uint64_t runs = 0;              // completed
  bool is_cut = false;                 // more than kMostTurns changes: the segments end where the next one may be
  std::vector<ThresholdOrder> orders;  // in the order of first occurrence
  std::vector<ThresholdSegment> segments;
};

// Runs at `points` evenly spaced values, both ends included, and bisects between neighbours that differ. An order that
// occurs only between two neighbours with equal orders is not found.
[[nodiscard]] ThresholdResult study_threshold(const ThresholdSpec& spec);

}  // namespace loopsim
