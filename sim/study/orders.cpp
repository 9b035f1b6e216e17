// Many runs of one program: the orders that occur, and the order of each pair of callbacks.

#include "loopsim/orders.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <span>

#include "loopsim/study.hpp"

#include "sim/study/order_causes.hpp"
#include "sim/study/order_key.hpp"
#include "sim/study/parallel.hpp"
#include "sim/study/seeds.hpp"
#include "sim/study/statistics.hpp"

namespace loopsim {

namespace {

using namespace study;

constexpr std::uint64_t kChunk = 4096;  // runs kept in memory before they are merged into the result
constexpr std::uint64_t kProbe = 8;     // runs that confirm that a program without randomness gives one trace
constexpr std::size_t kNoItem = static_cast<std::size_t>(-1);

// ---- pairs ------------------------------------------------------------------------------------------------------------------------

// The items of pairs, each the k-th begin of a callback, and the pairs as two indices of items.
struct PairPlan {
  std::vector<CallbackRound> items;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t names_left_out = 0;

  std::size_t item(const CallbackRound& round) {
    const auto found = std::ranges::find(items, round);
    if (found != items.end()) return static_cast<std::size_t>(found - items.begin());
    items.push_back(round);
    return items.size() - 1;
  }
};

PairPlan plan_pairs(const JudgedNames& judged, const OrdersOptions& options) {
  PairPlan plan;
  if (!options.judge_pairs) return plan;
  for (const auto& [a, b] : options.pairs) plan.pairs.emplace_back(plan.item(a), plan.item(b));
  if (!options.pairs.empty()) return plan;
  std::span<const std::string> names = judged.list();
  if (names.size() > kMostPairNames) {
    plan.names_left_out = names.size() - kMostPairNames;
    names = names.first(kMostPairNames);
  }
  for (std::uint32_t round = 1; round <= kMostPairRounds; ++round) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t j = i + 1; j < names.size(); ++j) {
        plan.pairs.emplace_back(plan.item({names[i], round}), plan.item({names[j], round}));
      }
    }
  }
  return plan;
}

// The outcome of one run for a pair.
struct PairSeen {
  enum class Order : std::uint8_t { neither, only_a, only_b, a_first, b_first };
  Order order = Order::neither;
  std::string reason;  // why the order is guaranteed; empty: no proof found, or none sought
  std::string origin;  // what the reason depends on
};

// The outcomes for a pair; runs are added in order.
struct PairTally {
  std::uint64_t only_a = 0, only_b = 0, a_first = 0, b_first = 0;
  Witness a_witness, b_witness;
  std::string reason, origin;
  bool is_proved = true;  // so far, by the same rule in every run

  void add(PairSeen&& seen, const Witness& witness) {
    using Order = PairSeen::Order;
    switch (seen.order) {
      case Order::neither: return;
      case Order::only_a: ++only_a; return;
      case Order::only_b: ++only_b; return;
      case Order::a_first:
        if (a_first++ == 0) a_witness = witness;
        break;
      case Order::b_first:
        if (b_first++ == 0) b_witness = witness;
        break;
    }
    if (a_first + b_first == 1) {
      reason = std::move(seen.reason);
      origin = std::move(seen.origin);
    } else if (reason != seen.reason || origin != seen.origin) {
      is_proved = false;
    }
    if (reason.empty()) is_proved = false;
  }
};

// ---- one run ----------------------------------------------------------------------------------------------------------------------

struct RunSeen {
  std::string key;  // of the order
  std::vector<PairSeen> pairs;
};

// State of a worker thread.
class Runner {
 public:
  Runner(const Program& program, const OrderRules& rules, const JudgedNames& judged, OrderOf of, const PairPlan& plan)
      : program_(program), plan_(plan), order_(judged, of), causes_(rules), items_of_(judged.list().size()) {
    for (std::size_t item = 0; item < plan.items.size(); ++item) {
      if (const std::uint32_t place = judged.find(plan.items[item].name); place != kNoName)
        items_of_[place].push_back(item);
    }
  }

  // `hopeless[i]`: pair i needs no proof any more.
  RunSeen run(std::uint64_t seed, std::span<std::atomic<bool>> hopeless) {
    std::vector<TraceSink*> sinks = {&order_};
    if (!plan_.pairs.empty()) sinks.push_back(&causes_);
    loopsim::run(program_, seed, sinks);
    RunSeen seen;
    seen.key = order_.take();
    if (!plan_.pairs.empty()) judge_pairs(seen, hopeless);
    return seen;
  }

  // Why the order of this pair is open, as the run with this seed shows it.
  std::string why_open(std::uint64_t seed, std::size_t pair) {
    const std::vector<TraceSink*> sinks = {&order_, &causes_};
    loopsim::run(program_, seed, sinks);
    static_cast<void>(order_.take());
    const std::vector<std::size_t> begun = begun_items();
    const auto [a, b] = plan_.pairs[pair];
    const std::span<const std::uint64_t> ids = causes_.begun();
    if (begun[a] == kNoItem || begun[b] == kNoItem) return "";
    return causes_.why_open(ids[std::min(begun[a], begun[b])], ids[std::max(begun[a], begun[b])]);
  }

 private:
  // By item: its place in the order of begins.
  [[nodiscard]] std::vector<std::size_t> begun_items() const {
    std::vector<std::size_t> begun(plan_.items.size(), kNoItem);
    std::vector<std::uint32_t> rounds(items_of_.size(), 0);
    const std::span<const std::uint64_t> ids = causes_.begun();
    for (std::size_t place = 0; place < ids.size(); ++place) {
      const std::uint32_t name = order_.names().place_of(causes_.name_of(ids[place]));
      if (name == kNoName) continue;
      const std::uint32_t round = ++rounds[name];
      for (const std::size_t item : items_of_[name]) {
        if (plan_.items[item].round == round) begun[item] = place;
      }
    }
    return begun;
  }

  void judge_pairs(RunSeen& seen, std::span<std::atomic<bool>> hopeless) {
    const std::vector<std::size_t> begun = begun_items();
    const std::span<const std::uint64_t> ids = causes_.begun();
    for (std::size_t i = 0; i < plan_.pairs.size(); ++i) {
      const auto [a, b] = plan_.pairs[i];
      PairSeen& pair = seen.pairs.emplace_back();
      if (begun[a] == kNoItem || begun[b] == kNoItem) {
        if (begun[a] != kNoItem) pair.order = PairSeen::Order::only_a;
        if (begun[b] != kNoItem) pair.order = PairSeen::Order::only_b;
        continue;
      }
      const bool a_first = begun[a] < begun[b];
      pair.order = a_first ? PairSeen::Order::a_first : PairSeen::Order::b_first;
      if (hopeless[i].load(std::memory_order_relaxed)) continue;
      const std::uint64_t first = ids[begun[a_first ? a : b]], second = ids[begun[a_first ? b : a]];
      pair.reason = causes_.prove(first, second);
      if (!pair.reason.empty()) pair.origin = causes_.origin_of(first) + "| " + causes_.origin_of(second);
      // One run without a proof settles it; which one makes no difference.
      if (pair.reason.empty()) hopeless[i].store(true, std::memory_order_relaxed);
    }
  }

  const Program& program_;
  const PairPlan& plan_;
  OrderSink order_;
  CausalLog causes_;
  std::vector<std::vector<std::size_t>> items_of_;  // by judged name
};

// ---- the result -------------------------------------------------------------------------------------------------------------------

Share share_of(std::uint64_t count, std::uint64_t trials) {
  const Interval interval = wilson_interval(count, trials);
  return {count, trials == 0 ? 0 : static_cast<double>(count) / static_cast<double>(trials), interval.low,
          interval.high};
}

struct OrderTally {
  std::uint64_t count = 0;
  Witness witness;
};

std::vector<ObservedOrder> sorted_orders(const std::map<std::string, OrderTally>& tallies, std::uint64_t runs) {
  std::vector<ObservedOrder> orders;
  orders.reserve(tallies.size());
  for (const auto& [key, tally] : tallies) {
    OrderWords words = words_of(key);
    orders.push_back({words.limit, std::move(words.lines), words.is_cut, share_of(tally.count, runs), tally.witness});
  }
  std::ranges::sort(orders, [](const ObservedOrder& a, const ObservedOrder& b) {
    if (a.share.count != b.share.count) return a.share.count > b.share.count;
    return a.witness.replication < b.witness.replication;
  });
  return orders;
}

PairOrder result_of(const PairPlan& plan, std::size_t index, const PairTally& tally) {
  const bool turned = tally.b_first > tally.a_first;
  const auto [a, b] = plan.pairs[index];
  PairOrder pair;
  pair.first = plan.items[turned ? b : a];
  pair.second = plan.items[turned ? a : b];
  pair.both = tally.a_first + tally.b_first;
  pair.only_first = turned ? tally.only_b : tally.only_a;
  pair.only_second = turned ? tally.only_a : tally.only_b;
  pair.in_order = share_of(std::max(tally.a_first, tally.b_first), pair.both);
  pair.turned = share_of(std::min(tally.a_first, tally.b_first), pair.both);
  pair.in_order_witness = turned ? tally.b_witness : tally.a_witness;
  pair.turned_witness = turned ? tally.a_witness : tally.b_witness;
  pair.turned_bound = upper_bound_of_unseen(pair.both);
  if (pair.both == 0) {
    pair.verdict = PairVerdict::apart;
  } else if (pair.turned.count > 0) {
    pair.verdict = PairVerdict::race;
  } else if (tally.is_proved) {
    pair.verdict = PairVerdict::guaranteed;
    pair.reason = tally.reason;
  } else {
    pair.verdict = PairVerdict::always;
  }
  return pair;
}

int rank(PairVerdict verdict) {
  switch (verdict) {
    case PairVerdict::race: return 0;
    case PairVerdict::always: return 1;
    case PairVerdict::guaranteed: return 2;
    case PairVerdict::apart: return 3;
  }
  return 4;
}

}  // namespace

std::string_view to_string(PairVerdict verdict) {
  switch (verdict) {
    case PairVerdict::race: return "race";
    case PairVerdict::guaranteed: return "guaranteed";
    case PairVerdict::always: return "always";
    case PairVerdict::apart: return "apart";
  }
  return "";
}

std::vector<std::string> judged_callbacks(const Scenario& scenario, const Program& program) {
  const JudgedNames judged(scenario, program);
  return {judged.list().begin(), judged.list().end()};
}

OrderOf default_order_of(const Program& program) {
  const bool logs = std::ranges::any_of(program.code, [](const Instruction& one) { return one.op == Op::log; });
  return logs ? OrderOf::output : OrderOf::callbacks;
}

OrdersResult study_orders(const Scenario& scenario, const Program& program, const OrdersOptions& options) {
  const OrderRules rules(program, scenario.script ? Origins::observed : Origins::text);
  const JudgedNames judged(scenario, program);
  const PairPlan plan = plan_pairs(judged, options);
  OrdersResult result;
  result.of = options.of.value_or(default_order_of(program));
  result.seed = program.seed;
  result.names_left_out = plan.names_left_out;
  result.is_random = draws(program) || differs_between_seeds(program, kProbe);

  const std::uint64_t runs = result.is_random ? std::min(options.runs, kMostOrderRuns) : 1;
  std::map<std::string, OrderTally> orders;
  std::vector<PairTally> pairs(plan.pairs.size());
  std::vector<std::atomic<bool>> hopeless(plan.pairs.size());
  std::vector<std::unique_ptr<Runner>> runners(thread_count(std::min(runs, kChunk), options.jobs));
  std::vector<RunSeen> chunk;
  for (std::uint64_t first = 0; first < runs; first += kChunk) {
    const std::uint64_t count = std::min(kChunk, runs - first);
    chunk.assign(count, {});
    for_each_index(count, options.jobs, [&](std::size_t index, unsigned thread) {
      if (!runners[thread]) runners[thread] = std::make_unique<Runner>(program, rules, judged, result.of, plan);
      chunk[index] = runners[thread]->run(replication_seed(program.seed, first + index), hopeless);
    });
    for (std::uint64_t index = 0; index < count; ++index) {
      const Witness witness{first + index, replication_seed(program.seed, first + index)};
      OrderTally& order = orders[std::move(chunk[index].key)];
      if (order.count++ == 0) order.witness = witness;
      for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].add(std::move(chunk[index].pairs[i]), witness);
    }
  }

  result.runs = runs;
  result.orders = sorted_orders(orders, runs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    PairOrder pair = result_of(plan, i, pairs[i]);
    if (pair.verdict == PairVerdict::race && rules.is_page()) {
      if (!runners[0]) runners[0] = std::make_unique<Runner>(program, rules, judged, result.of, plan);
      pair.reason = runners[0]->why_open(pair.in_order_witness.seed, i);
      if (pair.reason.empty()) pair.reason = runners[0]->why_open(pair.turned_witness.seed, i);
    }
    const bool ran = pair.both + pair.only_first + pair.only_second > 0;
    // Of the default pairs, only those that occurred.
    if (!options.pairs.empty() || (ran && (pair.both > 0 || pair.first.round == 1))) result.pairs.push_back(pair);
  }
  std::ranges::stable_sort(result.pairs, [](const PairOrder& a, const PairOrder& b) {
    if (rank(a.verdict) != rank(b.verdict)) return rank(a.verdict) < rank(b.verdict);
    if (a.verdict != PairVerdict::race) return false;
    return a.turned.count * b.both > b.turned.count * a.both;
  });
  return result;
}

}  // namespace loopsim
