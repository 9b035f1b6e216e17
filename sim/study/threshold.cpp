// The values at which the order changes: a scan over the range, then bisection between neighbours that differ.

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "loopsim/orders.hpp"
#include "loopsim/study.hpp"
#include "loopsim/units.hpp"

#include "sim/study/order_key.hpp"
#include "sim/study/parallel.hpp"

namespace loopsim {
namespace {

using namespace study;

// ---- the range --------------------------------------------------------------------------------------------------------------------

constexpr int kMostPlaces = 9;
constexpr std::int64_t kMostSteps = 1'000'000'000'000'000'000;

struct Number {
  std::int64_t digits = 0;
  int places = 0;
};

std::optional<Number> parse_decimal(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  std::string digits(text.substr(0, point));
  if (digits.empty() || digits.front() == '-') return std::nullopt;
  Number number;
  if (point != std::string_view::npos) {
    const std::string_view fraction = text.substr(point + 1);
    if (fraction.empty() || fraction.size() > kMostPlaces) return std::nullopt;
    number.places = static_cast<int>(fraction.size());
    digits += fraction;
  }
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, number.digits);
  if (error != std::errc{} || stopped != end || number.digits > kMostSteps) return std::nullopt;
  if (is_negative) number.digits = -number.digits;
  return number;
}

// Rescales a number to more decimal places; false when it then has too many digits.
bool widen(Number& number, int places) {
  for (; number.places < places; ++number.places) {
    if (std::abs(number.digits) > kMostSteps / 10) return false;
    number.digits *= 10;
  }
  return true;
}

ThresholdRangeResult wrong(std::string message) { return {std::nullopt, std::move(message)}; }

}  // namespace

std::string ThresholdRange::text(std::int64_t value) const {
  if (is_duration) {
    std::string milliseconds = fmt::format("{}.{:06}", value / kMillisecond, value % kMillisecond);
    milliseconds.erase(milliseconds.find_last_not_of('0') + 1);
    if (milliseconds.back() == '.') milliseconds.pop_back();
    return milliseconds + "ms";
  }
  if (places == 0) return std::to_string(value);
  std::string digits = std::to_string(std::abs(value));
  const auto behind = static_cast<std::size_t>(places);
  if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
  digits.insert(digits.size() - behind, ".");
  return value < 0 ? "-" + digits : digits;
}

ThresholdRangeResult parse_threshold_range(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  const std::string_view ends = equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  const std::size_t colon = ends.find(':');
  if (equals == std::string_view::npos || equals == 0 || colon == std::string_view::npos) {
    return wrong(fmt::format("a threshold takes NAME=FROM:TO, not \"{}\"", text));
  }
  const std::string_view from = ends.substr(0, colon);
  const std::string_view to = ends.substr(colon + 1);
  ThresholdRange range;
  range.name = text.substr(0, equals);
  auto from_number = parse_decimal(from);
  auto to_number = parse_decimal(to);
  if (from_number && to_number) {
    range.places = std::max(from_number->places, to_number->places);
    if (!widen(*from_number, range.places) || !widen(*to_number, range.places)) {
      return wrong(fmt::format("{}: the numbers {} and {} have too many digits", range.name, from, to));
    }
    range.from = from_number->digits;
    range.to = to_number->digits;
  } else {
    range.is_duration = true;
    for (const auto& [word, end] : {std::pair{from, &range.from}, std::pair{to, &range.to}}) {
      if (word == "0") continue;
      const ParsedDuration duration = parse_duration(word);
      if (duration.problem == DurationProblem::none) {
        *end = duration.value;
        continue;
      }
      const bool is_number = parse_decimal(word).has_value();
      return wrong(is_number ? fmt::format("{}: {} and {} are a number and a duration", range.name, from, to)
                             : fmt::format("{}: \"{}\" is neither a number nor a duration", range.name, word));
    }
  }
  if (range.from >= range.to) return wrong(fmt::format("{}: {} is not below {}", range.name, from, to));
  return {std::move(range), ""};
}

namespace {

// ---- one value --------------------------------------------------------------------------------------------------------------------

struct Trial {
  bool ok = false;
  Diagnostics diagnostics;
  std::string key;
};

// Builds the key of the order of two callbacks.
class PairSink final : public TraceSink {
 public:
  explicit PairSink(const std::pair<CallbackRound, CallbackRound>& pair) : pair_(pair) {}
  void begin(const RunInfo& info) override { names_.assign(info.names.begin(), info.names.end()); }
  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) {
      if (event.kind != EventKind::callback_begin || event.name == kNoName) continue;
      const std::string& name = names_[event.name];
      for (const auto& [wanted, count] :
           {std::pair{&pair_.first, &counts_[0]}, std::pair{&pair_.second, &counts_[1]}}) {
        if (wanted->name == name && ++*count == wanted->round) lines_.push_back(round_text(*wanted));
      }
    }
  }
  void end(const RunSummary& /*summary*/) override {}
  [[nodiscard]] std::string key() const { return key_of(lines_); }

 private:
  static std::string round_text(const CallbackRound& round) {
    return round.round == 1 ? round.name : fmt::format("{}#{}", round.name, round.round);
  }
  const std::pair<CallbackRound, CallbackRound>& pair_;
  std::vector<std::string> names_;  // of the run
  std::uint32_t counts_[2] = {0, 0};
  std::vector<std::string> lines_;
};

ReadOptions options_at(const ThresholdSpec& spec, std::int64_t value) {
  ReadOptions options = spec.options;
  options.overrides.emplace_back(spec.range.name, spec.range.text(value));
  return options;
}

Trial try_value(const ThresholdSpec& spec, std::int64_t value, OrderOf of) {
  Trial trial;
  ReadResult read = read_scenario(spec.text, spec.file, options_at(spec, value));
  trial.diagnostics = std::move(read.diagnostics);
  if (!read.scenario) return trial;
  CompileResult compiled = compile(*read.scenario);
  trial.diagnostics.insert(trial.diagnostics.end(), compiled.diagnostics.begin(), compiled.diagnostics.end());
  if (!compiled.program) return trial;
  trial.ok = true;
  if (spec.pair) {
    PairSink sink(*spec.pair);
    TraceSink* const sinks[] = {&sink};
    run(*compiled.program, sinks);
    trial.key = sink.key();
    return trial;
  }
  // Of a program in JavaScript the names of this one run, where they matter.
  const JudgedNames judged(*read.scenario, *compiled.program, of == OrderOf::callbacks ? 1 : 0);
  OrderSink sink(judged, of);
  TraceSink* const sinks[] = {&sink};
  run(*compiled.program, sinks);
  trial.key = sink.take();
  return trial;
}

// ---- the search -------------------------------------------------------------------------------------------------------------------

// A change of order: `key` holds from `value` up to the next turn.
struct Turn {
  std::int64_t value = 0;
  std::string key;
};

class Search {
 public:
  Search(const ThresholdSpec& spec, OrderOf of) : spec_(spec), of_(of) {}

  // All turns in (low, high], in order; fewer after an error or beyond kMostTurns.
  std::vector<Turn> between(std::int64_t low, std::string low_key, std::int64_t high, const std::string& high_key) {
    std::vector<Turn> turns;
    while (low_key != high_key && turns.size() <= kMostTurns) {
      // Invariant: the order at `below` is low_key, the order at `above` is above_key, which differs.
      std::int64_t below = low;
      std::int64_t above = high;
      std::string above_key = high_key;
      while (above - below > 1) {
        const std::int64_t middle = below + (above - below) / 2;
        Trial trial = try_value(spec_, middle, of_);
        ++runs_;
        if (!trial.ok) {
          failed_ = {middle, std::move(trial.diagnostics)};
          return turns;
        }
        if (trial.key == low_key) {
          below = middle;
        } else {
          above = middle;
          above_key = std::move(trial.key);
        }
      }
      turns.push_back({above, above_key});
      low = above;
      low_key = std::move(above_key);
    }
    return turns;
  }

  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  [[nodiscard]] const std::optional<std::pair<std::int64_t, Diagnostics>>& failed() const { return failed_; }

 private:
  const ThresholdSpec& spec_;
  OrderOf of_;
  std::uint64_t runs_ = 0;
  std::optional<std::pair<std::int64_t, Diagnostics>> failed_;
};

std::vector<std::int64_t> scan_values(const ThresholdRange& range, std::uint32_t points) {
  const auto width = static_cast<std::uint64_t>(range.to) - static_cast<std::uint64_t>(range.from);
  const std::uint64_t steps = std::min<std::uint64_t>(width, std::clamp(points, 2U, kMostThresholdPoints) - 1);
  std::vector<std::int64_t> values;
  for (std::uint64_t i = 0; i <= steps; ++i) {
    // width * i / steps without overflow
    const std::uint64_t offset = width / steps * i + width % steps * i / steps;
    values.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(range.from) + offset));
  }
  return values;
}

ThresholdResult failure(const ThresholdSpec& spec, std::int64_t value, Diagnostics diagnostics) {
  ThresholdResult result;
  result.diagnostics = std::move(diagnostics);
  result.value = spec.range.text(value);
  return result;
}

}  // namespace

ThresholdResult study_threshold(const ThresholdSpec& spec) {
  const ReadResult first = read_scenario(spec.text, spec.file, options_at(spec, spec.range.from));
  if (!first.scenario) return failure(spec, spec.range.from, first.diagnostics);
  const CompileResult compiled = compile(*first.scenario);
  if (!compiled.program) return failure(spec, spec.range.from, compiled.diagnostics);

  ThresholdResult result;
  result.of = spec.pair ? OrderOf::callbacks : spec.of.value_or(default_order_of(*compiled.program));
  result.seed = compiled.program->seed;
  result.is_random = draws(*compiled.program);

  const std::vector<std::int64_t> values = scan_values(spec.range, spec.points);
  std::vector<Trial> trials(values.size());
  for_each_index(values.size(), spec.jobs, [&](std::size_t i) { trials[i] = try_value(spec, values[i], result.of); });
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!trials[i].ok) return failure(spec, values[i], std::move(trials[i].diagnostics));
  }

  std::vector<std::size_t> gaps;  // i: the order differs between i and i + 1
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    if (trials[i].key != trials[i + 1].key) gaps.push_back(i);
  }
  if (gaps.size() > kMostTurns) {
    gaps.resize(kMostTurns);
    result.is_cut = true;
  }
  std::vector<Search> searches(gaps.size(), Search(spec, result.of));
  std::vector<std::vector<Turn>> turns(gaps.size());
  for_each_index(gaps.size(), spec.jobs, [&](std::size_t i) {
    const std::size_t at = gaps[i];
    turns[i] = searches[i].between(values[at], trials[at].key, values[at + 1], trials[at + 1].key);
  });
  result.runs = values.size();
  for (const Search& search : searches) {
    if (search.failed()) return failure(spec, search.failed()->first, search.failed()->second);
    result.runs += search.runs();
  }

  std::map<std::string, std::size_t> numbers;
  const auto number_of = [&](const std::string& key) {
    const auto [place, is_new] = numbers.try_emplace(key, result.orders.size());
    if (is_new) {
      OrderWords words = words_of(key);
      result.orders.push_back({words.limit, std::move(words.lines), words.is_cut});
    }
    return place->second;
  };
  result.segments.push_back({spec.range.from, spec.range.to, number_of(trials.front().key)});
  for (const std::vector<Turn>& some : turns) {
    for (const Turn& turn : some) {
      if (result.segments.size() > kMostTurns) {
        result.is_cut = true;
        break;
      }
      result.segments.back().to = turn.value - 1;
      result.segments.push_back({turn.value, spec.range.to, number_of(turn.key)});
    }
  }
  // When turns are left out, the last segment ends at the last of the consecutive scanned values that have its order.
  if (result.is_cut) {
    std::int64_t end = result.segments.back().from;
    for (std::size_t i = 0; i < values.size() && values[i] <= spec.range.to; ++i) {
      if (values[i] <= end) continue;
      if (number_of(trials[i].key) != result.segments.back().order) break;
      end = values[i];
    }
    result.segments.back().to = end;
  }
  result.ok = true;
  return result;
}

}  // namespace loopsim
