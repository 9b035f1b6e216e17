// The text reports.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "tools/loopsim/orders/orders_report.hpp"

namespace loopsim::cli {
namespace {

constexpr std::size_t kShownOrders = 20;
constexpr std::size_t kShownPairs = 20;
constexpr std::size_t kShownLetters = 8;  // orders with a table column of their own
constexpr std::size_t kOrderWidth = 100;

std::string_view plural(std::uint64_t count) { return count == 1 ? "" : "s"; }

std::string_view what(OrderOf of) { return of == OrderOf::output ? "lines of output" : "callbacks"; }

std::string interval(const Share& share) { return fmt::format("{:.1f} - {:.1f} %", share.low * 100, share.high * 100); }

// A probability in percent, rounded up, so that "below" stays true.
std::string bound(double probability) {
  double scaled = probability * 100;
  int places = 1;
  for (double step = 0.1; scaled < step && places < 6; step /= 10) ++places;
  std::string text = fmt::format("{:.{}f}", scaled, places);
  double step = 1;
  for (int i = 0; i < places; ++i) step /= 10;
  if (std::stod(text) < scaled) text = fmt::format("{:.{}f}", scaled + step, places);
  return text + " %";
}

std::string head(const OrdersSubject& subject) {
  std::string text = subject.title.empty() ? subject.file : fmt::format("{}: {}", subject.file, subject.title);
  text += "\n";
  return text;
}

std::string machine_line(const OrdersSubject& subject) {
  if (subject.machine.empty()) return "";
  std::string text = "on a varying machine; to `loopsim run` give, with a seed:";
  for (const auto& [name, value] : subject.machine) text += fmt::format("\n  --set '{}={}'", name, value);
  return text + "\n";
}

std::string nothing_random(const OrdersSubject& subject) {
  if (!subject.machine.empty())
    return "nothing in this scenario is random, on a varying machine either: every run is the same\n";
  return "nothing in this scenario is random: every run is the same. Let the machine vary (--vary-machine), or "
         "look\n"
         "for where the order turns (--threshold)\n";
}

struct Clipped {
  std::size_t shown, left;
};
Clipped clip(std::size_t count, std::size_t most, bool all) {
  const std::size_t shown = all || count <= most ? count : most;
  return {shown, count - shown};
}

std::string order_rows(const OrdersResult& result, const OrdersSubject& subject) {
  if (!result.is_random) {
    const ObservedOrder& only = result.orders.front();
    return fmt::format("\nthe order of the {}\n  {}\n", what(result.of),
                       order_text(only.limit, only.lines, only.is_cut, 0, subject.shows_all ? 0 : kOrderWidth));
  }
  std::vector<const std::vector<std::string>*> lines;
  std::size_t seed_width = 4;
  for (const ObservedOrder& order : result.orders) {
    if (order.limit == LimitKind::none) lines.push_back(&order.lines);
    seed_width = std::max(seed_width, std::to_string(order.witness.seed).size());
  }
  const std::size_t skip = subject.shows_all ? 0 : common_prefix(lines);
  std::string text =
      fmt::format("\n{} order{} of the {}\n", result.orders.size(), plural(result.orders.size()), what(result.of));
  if (skip > 0) text += fmt::format("(all begin with the same {} lines; --all shows them)\n", skip);
  text += fmt::format("  {:>7}  {:>17}  {:>7}  {:<{}}  order\n", "share", "95 % interval", "runs", "seed", seed_width);
  const Clipped rows = clip(result.orders.size(), kShownOrders, subject.shows_all);
  for (std::size_t i = 0; i < rows.shown; ++i) {
    const ObservedOrder& order = result.orders[i];
    text += fmt::format("  {:>7}  {:>17}  {:>7}  {:<{}}  {}\n", percent(order.share.share), interval(order.share),
                        order.share.count, order.witness.seed, seed_width,
                        order_text(order.limit, order.lines, order.is_cut, skip, subject.shows_all ? 0 : kOrderWidth));
  }
  if (rows.left > 0) {
    std::uint64_t runs = 0;
    for (std::size_t i = rows.shown; i < result.orders.size(); ++i) runs += result.orders[i].share.count;
    text += fmt::format("  and {} more order{}, in {} run{}; --all shows them\n", rows.left, plural(rows.left), runs,
                        plural(runs));
  }
  if (result.of == OrderOf::output && result.runs >= 10 && result.orders.size() * 2 > result.runs) {
    text += "  most of them were seen once: do the lines contain times? --of callbacks compares what ran only\n";
  }
  return text;
}

std::string pair_text(const PairOrder& pair, std::uint64_t runs) {
  const std::string first = round_text(pair.first);
  const std::string second = round_text(pair.second);
  const std::string together = fmt::format("the {} of {} runs with both", pair.both, runs);
  switch (pair.verdict) {
    case PairVerdict::race:
      return fmt::format(
          "  race        {0} and {1}\n"
          "{8}"
          "                {0} first: {2} ({3}), seed {4}\n"
          "                {1} first: {5} ({6}), seed {7}\n",
          first, second, percent(pair.in_order.share), interval(pair.in_order), pair.in_order_witness.seed,
          percent(pair.turned.share), interval(pair.turned), pair.turned_witness.seed,
          pair.reason.empty() ? "" : fmt::format("                {}\n", pair.reason));
    case PairVerdict::always: {
      const std::string line = fmt::format("  always so   {} before {}\n", first, second);
      if (pair.both == runs) return line;  // the note below the list covers these
      return line + fmt::format("                in {}; the other order's probability is below {}\n", together,
                                bound(pair.turned_bound));
    }
    case PairVerdict::guaranteed:
      return fmt::format("  guaranteed  {} before {}\n                {}\n", first, second, pair.reason);
    case PairVerdict::apart:
      return fmt::format(
          "  apart       {} and {}\n                never both in one run: {} ran in {} of {}, {} in {}\n", first,
          second, first, pair.only_first, runs, second, pair.only_second);
  }
  return "";
}

std::string pair_rows(const OrdersResult& result, const OrdersSubject& subject) {
  if (result.pairs.empty()) return "";
  std::map<PairVerdict, std::size_t> counts;
  for (const PairOrder& pair : result.pairs) ++counts[pair.verdict];
  std::string summary;
  const auto add = [&](PairVerdict verdict, std::string_view one, std::string_view many) {
    if (counts[verdict] == 0) return;
    if (!summary.empty()) summary += ", ";
    summary += fmt::format("{} {}", counts[verdict], counts[verdict] == 1 ? one : many);
  };
  add(PairVerdict::race, "race", "races");
  add(PairVerdict::always, "always so", "always so");
  add(PairVerdict::guaranteed, "guaranteed", "guaranteed");
  add(PairVerdict::apart, "apart", "apart");
  std::string text =
      fmt::format("\n{} pair{} of callbacks: {}\n", result.pairs.size(), plural(result.pairs.size()), summary);
  const Clipped rows = clip(result.pairs.size(), kShownPairs, subject.shows_all);
  for (std::size_t i = 0; i < rows.shown; ++i) text += pair_text(result.pairs[i], result.runs);
  if (rows.left > 0) text += fmt::format("  and {} more pair{}; --all shows them\n", rows.left, plural(rows.left));
  const auto is_noted = [&](const PairOrder& pair) {
    return pair.verdict == PairVerdict::always && pair.both == result.runs;
  };
  const auto noted = std::ranges::find_if(result.pairs, is_noted);
  if (noted != result.pairs.end() && result.is_random) {
    text += fmt::format("always so: in all {} runs; with 95 % confidence the other order's probability is below {}\n",
                        result.runs, bound(noted->turned_bound));
  } else if (noted != result.pairs.end()) {
    text += "always so: there is only this one run, but no rule that makes it so\n";
  }
  if (result.names_left_out > 0) {
    text += fmt::format("  {} more named callback{} left out: --pair judges any two\n", result.names_left_out,
                        result.names_left_out == 1 ? " is" : "s are");
  }
  return text;
}

}  // namespace

// ---- reports -------------------------------------------------------------------------------------------------------

std::string text_report(const OrdersResult& result, const OrdersSubject& subject) {
  std::string text = head(subject);
  if (result.is_random) {
    text += fmt::format("{} run{} in {}, seeds derived from {}\n", result.runs, plural(result.runs), subject.runtime,
                        result.seed);
    text += machine_line(subject);
  } else {
    text += fmt::format("{}, seed {}\n", subject.runtime, result.seed);
    text += machine_line(subject);
    text += nothing_random(subject);
  }
  return text + order_rows(result, subject) + pair_rows(result, subject);
}

std::string text_report(const VariedOrders& varied, const OrdersSubject& subject) {
  std::vector<CommonOrder> orders = common_orders(varied);
  std::vector<const std::vector<std::string>*> lines;
  for (const CommonOrder& order : orders) {
    if (order.limit == LimitKind::none) lines.push_back(&order.lines);
  }
  const std::size_t skip = subject.shows_all ? 0 : common_prefix(lines);
  const OrdersResult& first = varied.results.front();
  std::string text = head(subject);
  std::uint64_t most = 0;
  for (const OrdersResult& result : varied.results) most = std::max(most, result.runs);
  const bool is_random = std::ranges::any_of(varied.results, &OrdersResult::is_random);
  text += fmt::format("{} run{} for each of {} values of {} in {}, seeds derived from {}\n", most, plural(most),
                      varied.results.size(), varied.dimension.name, subject.runtime, first.seed);
  if (!is_random) text += "nothing is random at any of them: there is one run each\n";
  text += machine_line(subject);
  text += fmt::format("\n{} order{} of the {}\n", orders.size(), plural(orders.size()), what(first.of));
  if (skip > 0) text += fmt::format("(all begin with the same {} lines; --all shows them)\n", skip);
  const Clipped columns = clip(orders.size(), kShownLetters, subject.shows_all && orders.size() <= 26);
  for (std::size_t i = 0; i < columns.shown; ++i) {
    text += fmt::format(
        "  {}  {}\n", static_cast<char>('A' + i),
        order_text(orders[i].limit, orders[i].lines, orders[i].is_cut, skip, subject.shows_all ? 0 : kOrderWidth));
  }
  if (columns.left > 0) text += fmt::format("  and {} more, together as \"other\"\n", columns.left);

  std::size_t width = varied.dimension.name.size();
  for (const std::string& value : varied.dimension.values) width = std::max(width, value.size());
  text += fmt::format("\n  {:<{}}", varied.dimension.name, width);
  for (std::size_t i = 0; i < columns.shown; ++i) text += fmt::format("  {:>8}", static_cast<char>('A' + i));
  if (columns.left > 0) text += fmt::format("  {:>8}", "other");
  text += "\n";
  for (std::size_t value = 0; value < varied.results.size(); ++value) {
    text += fmt::format("  {:<{}}", varied.dimension.values[value], width);
    double other = 0;
    for (std::size_t i = 0; i < orders.size(); ++i) {
      const Share* const share = orders[i].shares[value];
      if (i >= columns.shown) {
        other += share == nullptr ? 0 : share->share;
      } else {
        text += fmt::format("  {:>8}", share == nullptr ? "-" : percent(share->share));
      }
    }
    if (columns.left > 0) text += fmt::format("  {:>8}", percent(other));
    text += "\n";
  }
  return text;
}

namespace {

std::string order_of(const ThresholdOrder& order, std::size_t skip, bool all) {
  return order_text(order.limit, order.lines, order.is_cut, skip, all ? 0 : kOrderWidth);
}

// A value as text; durations in milliseconds, to the nanosecond.
std::string value_text(const ThresholdRange& range, std::int64_t value) {
  if (!range.is_duration) return range.text(value);
  return fmt::format("{}.{:06} ms", value / kMillisecond, value % kMillisecond);
}

// "immediate first below 1.000000 ms of startup, timeout first from there"
std::string turn_sentence(const ThresholdResult& result, std::size_t at, const ThresholdRange& range) {
  const ThresholdOrder& before = result.orders[result.segments[at - 1].order];
  const ThresholdOrder& after = result.orders[result.segments[at].order];
  const std::string where = fmt::format("below {} of {}", value_text(range, result.segments[at].from), range.name);
  if (before.limit != LimitKind::none || after.limit != LimitKind::none) {
    const bool first = before.limit != LimitKind::none;
    const LimitKind limit = first ? before.limit : after.limit;
    return first ? fmt::format("the limit of {} is reached {}, and not from there", to_string(limit), where)
                 : fmt::format("the limit of {} is not reached {}, and is from there", to_string(limit), where);
  }
  // The first lines that differ. If both orders have both of them later on, one has overtaken the other.
  const auto [a, b] = std::mismatch(before.lines.begin(), before.lines.end(), after.lines.begin(), after.lines.end());
  if (a == before.lines.end() && b == after.lines.end()) return fmt::format("one order {}, another from there", where);
  if (a == before.lines.end()) return fmt::format("no {} {}, {} from there", *b, where, *b);
  if (b == after.lines.end()) return fmt::format("{} {}, no {} from there", *a, where, *a);
  const bool turned = std::find(b, after.lines.end(), *a) != after.lines.end() &&
                      std::find(a, before.lines.end(), *b) != before.lines.end();
  if (turned) return fmt::format("{} first {}, {} first from there", *a, where, *b);
  return fmt::format("{} {}, {} from there", *a, where, *b);
}

}  // namespace

std::string text_report(const ThresholdResult& result, const ThresholdRange& range, std::uint32_t points,
                        const OrdersSubject& subject) {
  std::string text = head(subject);
  text += fmt::format("order of the {} against {} from {} to {}, in {}\n", what(result.of), range.name,
                      range.text(range.from), range.text(range.to), subject.runtime);
  if (result.is_random) text += fmt::format("the program is random: this holds for the seed {}\n", result.seed);

  text += "\n";
  for (std::size_t i = 1; i < result.segments.size(); ++i) text += turn_sentence(result, i, range) + "\n";
  const std::int64_t steps = std::max<std::int64_t>((range.to - range.from) / std::max<std::int64_t>(points - 1, 1), 1);
  if (result.segments.size() == 1) text += "the order is the same at all values that were tried\n";
  if (result.is_cut) text += "there are more turns; take a smaller range\n";

  std::vector<const std::vector<std::string>*> lines;
  for (const ThresholdOrder& order : result.orders) {
    if (order.limit == LimitKind::none) lines.push_back(&order.lines);
  }
  const std::size_t skip = subject.shows_all ? 0 : common_prefix(lines);
  std::vector<std::pair<std::string, std::string>> ends;
  std::size_t from_width = 4;
  std::size_t to_width = 2;
  for (const ThresholdSegment& segment : result.segments) {
    ends.emplace_back(value_text(range, segment.from), value_text(range, segment.to));
    from_width = std::max(from_width, ends.back().first.size());
    to_width = std::max(to_width, ends.back().second.size());
  }
  text += fmt::format("\n  {:>{}}  {:>{}}  order{}\n", "from", from_width, "to", to_width,
                      skip > 0 ? fmt::format(" (all begin with the same {} lines)", skip) : "");
  for (std::size_t i = 0; i < result.segments.size(); ++i) {
    text += fmt::format("  {:>{}}  {:>{}}  {}\n", ends[i].first, from_width, ends[i].second, to_width,
                        order_of(result.orders[result.segments[i].order], skip, subject.shows_all));
  }
  if (steps > 1) {
    text += fmt::format(
        "\n{} runs: a scan in steps of {}, and bisection where it changed. What lasts for less than a step can be\n"
        "missed: --points makes it finer\n",
        result.runs, value_text(range, steps));
  }
  return text;
}

}  // namespace loopsim::cli
