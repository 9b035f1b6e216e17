// A study: checks its points, then runs them in rounds on several threads. The contents of a row depend on the number
// of the run alone; threads affect only when it is produced.

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include "loopsim/known_differences.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/study.hpp"
#include "loopsim/suggest.hpp"
#include "loopsim/text.hpp"
#include "loopsim/units.hpp"
#include "loopsim/writers.hpp"

#include "sim/study/order_key.hpp"
#include "sim/study/parallel.hpp"
#include "sim/study/seeds.hpp"
#include "sim/study/statistics.hpp"

namespace loopsim {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kMostKeptPoints = 4096;  // programs kept in memory; with more points, points are compiled again

// ---- points -----------------------------------------------------------------------------------------------------------------------

// The data needed to run a point.
struct Point {
  std::shared_ptr<const Program> program;
  std::string title;
  std::string runtime;
  std::uint64_t seed = 0;
  std::string params;  // JSON
};

struct LoadedPoint {
  std::optional<Point> point;  // empty: there are errors
  std::optional<Scenario> scenario;
  Diagnostics diagnostics;
};

std::string as_json(const std::vector<std::pair<std::string, std::string>>& params) {
  std::string text = "{";
  for (const auto& [name, value] : params) {
    if (text.size() > 1) text += ',';
    text += json_string(name) + ":" + value;
  }
  return text + "}";
}

LoadedPoint load(const StudySpec& spec, const std::vector<std::string>& values) {
  ReadOptions options = spec.options;
  for (std::size_t i = 0; i < values.size(); ++i) options.overrides.emplace_back(spec.dimensions[i].name, values[i]);
  LoadedPoint loaded;
  ReadResult read = read_scenario(spec.text, spec.file, options);
  loaded.diagnostics = std::move(read.diagnostics);
  if (!read.scenario) return loaded;
  CompileResult compiled = compile(*read.scenario);
  loaded.diagnostics.insert(loaded.diagnostics.end(), compiled.diagnostics.begin(), compiled.diagnostics.end());
  if (compiled.program == nullptr) return loaded;
  const Scenario& scenario = *read.scenario;
  loaded.point = Point{std::move(compiled.program), scenario.title, scenario.runtime.profile, scenario.seed,
                       as_json(scenario.params)};
  loaded.scenario = std::move(read.scenario);
  return loaded;
}

// ---- cells ------------------------------------------------------------------------------------------------------------------------

// A value of a param, as a number if possible.
Cell cell_of(const std::string& text) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  std::int64_t whole = 0;
  if (const auto [stopped, error] = std::from_chars(begin, end, whole); error == std::errc{} && stopped == end) {
    return whole;
  }
  if (const ParsedDouble number = parse_double(text); number.fits && number.length == text.size() && !text.empty())
    return number.value;
  return text;
}

Column::Type type_of(std::span<const std::string> values) {
  Column::Type type = Column::Type::integer;
  for (const std::string& value : values) {
    const Cell cell = cell_of(value);
    if (std::holds_alternative<std::string>(cell)) return Column::Type::text;
    if (std::holds_alternative<double>(cell)) type = Column::Type::real;
  }
  return type;
}

std::string_view exit_reason(ExitReason reason) {
  for (const FieldInfo& field : event_table()[static_cast<std::size_t>(EventKind::exit)].fields) {
    if (field.source == FieldInfo::Source::detail) return field.words[static_cast<std::size_t>(reason)];
  }
  return "";
}

Column fixed(std::string name, Column::Type type, std::string help) {
  return {std::move(name), type, false, "", std::move(help)};
}

constexpr std::size_t kColumnsBeforeParams = 7;

std::vector<Column> columns_of(const StudySpec& spec, const MetricsOptions& metrics) {
  using Type = Column::Type;
  std::vector<Column> columns = {
      fixed("run", Type::integer, "point * replications + replication"),
      fixed("point", Type::integer, "the combination of values, from 0"),
      fixed("replication", Type::integer, "the run of that point, from 0"),
      fixed("seed", Type::integer, "its seed"),
      fixed("scenario", Type::text, "the scenario's title"),
      fixed("scenario_hash", Type::text, "XXH64 of the document's text"),
      fixed("runtime", Type::text, "the version of Node"),
  };
  std::vector<Column> behind = {
      fixed("params", Type::json, "all params in force, as JSON"),
      fixed("trace_hash", Type::text, "XXH64 of the run's trace: two runs with the same hash were the same run"),
      fixed("exit_code", Type::integer, "the process's exit code"),
      fixed("exit_reason", Type::text, "why it ended"),
      fixed("limit", Type::text, "the limit that ended the run, or nothing"),
  };
  std::ranges::move(metric_columns(metrics), std::back_inserter(behind));

  const auto is_taken = [&](const std::string& name) {
    const auto has_name = [&name](const Column& column) { return column.name == name; };
    return std::ranges::any_of(columns, has_name) || std::ranges::any_of(behind, has_name);
  };
  const auto add_param = [&](const std::string& name, std::span<const std::string> values, const std::string& help) {
    columns.push_back(fixed(is_taken(name) ? "param." + name : name, type_of(values), help));
  };
  for (const auto& [name, value] : spec.options.overrides)
    add_param(name, std::span(&value, 1), "laid over the document");
  for (const Dimension& dimension : spec.dimensions) add_param(dimension.name, dimension.values, "varied");
  std::ranges::move(behind, std::back_inserter(columns));
  return columns;
}

// ---- checking ---------------------------------------------------------------------------------------------------------------------

// Lists of names, each with the first point that has it.
class NamesOfPoints {
 public:
  void add(std::uint64_t point, std::vector<std::string> names) {
    const auto place = points_.try_emplace(std::move(names), point).first;
    place->second = std::min(place->second, point);
  }

  // Each name once, in the order of the points.
  [[nodiscard]] std::vector<std::string> all() const {
    std::vector<std::pair<std::uint64_t, const std::vector<std::string>*>> by_point;
    for (const auto& [names, point] : points_) by_point.emplace_back(point, &names);
    std::ranges::sort(by_point, {}, [](const auto& one) { return one.first; });
    std::vector<std::string> all;
    for (const auto& [point, names] : by_point) {
      for (const std::string& name : *names) {
        if (std::ranges::find(all, name) == all.end()) all.push_back(name);
      }
    }
    return all;
  }

 private:
  std::map<std::vector<std::string>, std::uint64_t> points_;
};

// Results of checking the points, reported from any thread in any order; the outcome depends on neither.
class Findings {
 public:
  void bad(std::uint64_t point, Diagnostics found) {
    const study::Held held(lock_);
    ++bad_points;
    if (bad_points > 1 && point > first_bad) return;
    first_bad = point;
    diagnostics = std::move(found);
  }

  // `found`: by reading the document.
  void good(std::uint64_t point, const Scenario& scenario, const Program& program, Diagnostics found) {
    std::vector<std::string> callbacks = named_callbacks(scenario);
    std::vector<std::string> clients = named_clients(scenario);
    Diagnostics warnings = std::move(found);
    for (Diagnostic& warning : warnings_of(scenario)) warnings.push_back(std::move(warning));
    const bool is_random = study::draws(program);
    const study::Held held(lock_);
    any_is_random = any_is_random || is_random;
    any_is_page = any_is_page || program.profile->family == Family::browser;
    callbacks_.add(point, std::move(callbacks));
    clients_.add(point, std::move(clients));
    for (std::size_t i = 0; i < warnings.size(); ++i) {
      const Place where = {point, i};
      const auto known = warnings_.try_emplace(to_string(warnings[i]), where, warnings[i]).first;
      known->second.first = std::min(known->second.first, where);
    }
  }

  [[nodiscard]] std::vector<std::string> callbacks() const { return callbacks_.all(); }
  [[nodiscard]] std::vector<std::string> clients() const { return clients_.all(); }

  [[nodiscard]] Diagnostics warnings() const {
    std::vector<std::pair<Place, const Diagnostic*>> by_place;
    for (const auto& [text, found] : warnings_) by_place.emplace_back(found.first, &found.second);
    std::ranges::sort(by_place, {}, [](const auto& one) { return one.first; });
    Diagnostics all;
    for (const auto& [place, warning] : by_place) all.push_back(*warning);
    return all;
  }

  std::uint64_t bad_points = 0;
  std::uint64_t first_bad = 0;
  Diagnostics diagnostics;
  bool any_is_random = false;
  bool any_is_page = false;

 private:
  using Place = std::pair<std::uint64_t, std::size_t>;  // point, index among its warnings
  study::Mutex lock_;
  NamesOfPoints callbacks_, clients_;
  std::map<std::string, std::pair<Place, Diagnostic>> warnings_;
};

std::vector<std::string> values_at(const StudySpec& spec, std::uint64_t point) {
  std::vector<std::string> values(spec.dimensions.size());
  for (std::size_t i = values.size(); i-- > 0;) {
    const std::vector<std::string>& all = spec.dimensions[i].values;
    values[i] = all[point % all.size()];
    point /= all.size();
  }
  return values;
}

std::string point_text(const StudySpec& spec, std::uint64_t point) {
  std::string text;
  const std::vector<std::string> values = values_at(spec, point);
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", spec.dimensions[i].name, values[i]);
  }
  return text;
}

// The first error of the spec itself, in one sentence; empty: none.
std::string wrong_spec(const StudySpec& spec) {
  if (spec.replications == 0) return "a study needs at least one replication";
  if (spec.stopping && spec.replications < kLeastReplications) {
    return fmt::format("a stopping rule needs at least {} replications", kLeastReplications);
  }
  std::uint64_t runs = spec.replications;
  std::vector<std::string> names;
  for (const auto& [name, value] : spec.options.overrides) names.push_back(name);
  for (const Dimension& dimension : spec.dimensions) {
    if (std::ranges::find(names, dimension.name) != names.end()) return dimension.name + " is given more than once";
    names.push_back(dimension.name);
    if (dimension.values.empty()) return dimension.name + " has no values";
    if (runs > kMostRuns / dimension.values.size()) return fmt::format("there are more than {} runs", kMostRuns);
    runs *= dimension.values.size();
  }
  return "";
}

}  // namespace

// ---- the study --------------------------------------------------------------------------------------------------------------------

class Study {
 public:
  StudySpec spec;
  StudyShape shape;
  std::vector<Point> kept;  // by point; empty when there are too many

  // Returns a point; compiles it unless it is kept or in `cache`.
  struct Cache {
    std::uint64_t number = std::numeric_limits<std::uint64_t>::max();
    Point point;
  };
  [[nodiscard]] const Point& point(std::uint64_t number, Cache& cache) const {
    if (!kept.empty()) return kept[number];
    if (cache.number != number) {
      cache.point = *load(spec, values_at(spec, number)).point;  // checked by prepare_study()
      cache.number = number;
    }
    return cache.point;
  }
};

const StudyShape& shape_of(const Study& study) { return study.shape; }
const StudySpec& spec_of(const Study& study) { return study.spec; }
std::vector<std::string> values_of(const Study& study, std::uint64_t point) { return values_at(study.spec, point); }

std::optional<double> number_of(const Cell& cell) {
  if (const auto* value = std::get_if<double>(&cell)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&cell)) return static_cast<double>(*value);
  return std::nullopt;
}

Estimate difference_of(std::span<const double> values, std::span<const double> reference) {
  study::Moments moments;
  for (std::size_t i = 0; i < std::min(values.size(), reference.size()); ++i) {
    const double difference = values[i] - reference[i];
    if (!std::isnan(difference)) moments.add(difference);
  }
  return {moments.count(), moments.mean(), study::half_width(moments)};
}

Estimate estimate_of(std::span<const double> values) {
  study::Moments moments;
  for (const double value : values) {
    if (!std::isnan(value)) moments.add(value);
  }
  return {moments.count(), moments.mean(), study::half_width(moments)};
}

namespace {

constexpr std::size_t kMostNamed = 12;

// For a name that is near to none: the metrics of that callback or client whose names have its last part in them
// (timer.p99: timer.lateness_p99, timer.latency_p99), or else the names that a metric can begin with.
std::string metrics_instead(std::string_view name, const std::vector<std::string_view>& metrics) {
  const std::size_t dot = name.rfind('.');
  const std::string_view of = name.substr(0, dot == std::string_view::npos ? 0 : dot + 1);  // "timer."
  const std::string_view what = name.substr(of.size());
  std::vector<std::string_view> named;
  std::vector<std::string_view> owners;
  for (const std::string_view metric : metrics) {
    const std::size_t end = metric.rfind('.');
    const std::string_view owner = metric.substr(0, end == std::string_view::npos ? 0 : end + 1);
    if (owner == of && metric.find(what) != std::string_view::npos) named.push_back(metric);
    if (!owner.empty() && (owners.empty() || owners.back() != owner)) owners.push_back(owner);
  }
  if (named.empty() && !of.empty() && std::ranges::find(owners, of) == owners.end()) {
    for (const std::string_view owner : owners) named.push_back(owner.substr(0, owner.size() - 1));
    if (named.empty()) return "; no callback of the scenario is measured by its name";
    named.resize(std::min(named.size(), kMostNamed));
    return fmt::format("; nothing is called \"{}\", there {} {}", of.substr(0, of.size() - 1),
                       named.size() == 1 ? "is" : "are", fmt::join(named, ", "));
  }
  if (named.empty()) return "; `loopsim list metrics` shows them all";
  named.resize(std::min(named.size(), kMostNamed));
  return fmt::format("; there are {}", fmt::join(named, ", "));
}

// Resolves spec.metrics; fills in the default. False: result.message holds the reason.
bool choose_metrics(StudySpec& spec, StudyShape& shape, PrepareResult& result) {
  if (spec.metrics.empty()) {
    const std::string of = shape.callbacks.empty() ? "" : shape.callbacks.front() + ".";
    spec.metrics = {of + "lateness_mean", spec.metrics_options.io ? "cpu_share" : "utilization"};
  }
  for (const std::string& name : spec.metrics) {
    std::vector<std::string_view> names;
    std::size_t index = shape.columns.size();
    for (std::size_t i = 0; i < shape.columns.size(); ++i) {
      const Column& column = shape.columns[i];
      if (!column.is_metric || column.type == Column::Type::text) continue;
      names.push_back(column.name);
      if (column.name == name) index = i;
    }
    if (index == shape.columns.size()) {
      result.message = "there is no metric \"" + name + "\"";
      result.suggestion = nearest(name, names);
      if (result.suggestion.empty()) result.message += metrics_instead(name, names);
      return false;
    }
    shape.metrics.push_back(index);
  }
  return true;
}

// Checks the names of the distributions, and removes repetitions. False: result.message holds the reason.
bool choose_distributions(MetricsOptions& options, PrepareResult& result) {
  const std::vector<std::string> known = distribution_names(options);
  std::vector<std::string> chosen;
  for (const std::string& name : options.distributions) {
    if (std::ranges::find(known, name) == known.end()) {
      result.message = "there is no distribution of \"" + name + "\"";
      result.suggestion = nearest(name, {known.begin(), known.end()});
      if (result.suggestion.empty()) result.message += fmt::format("; there are {}", fmt::join(known, ", "));
      return false;
    }
    if (std::ranges::find(chosen, name) == chosen.end()) chosen.push_back(name);
  }
  options.distributions = std::move(chosen);
  return true;
}

bool choose_callbacks(const StudySpec& spec, std::vector<std::string> all, StudyShape& shape, PrepareResult& result) {
  if (spec.all_callbacks) {
    shape.callbacks = std::move(all);
    return true;
  }
  for (const std::string& name : spec.metrics_options.callbacks) {
    if (std::ranges::find(all, name) == all.end()) {
      result.message = "the scenario has no callback with the name \"" + name + "\"";
      result.suggestion = nearest(name, {all.begin(), all.end()});
      return false;
    }
  }
  shape.callbacks = spec.metrics_options.callbacks;
  return true;
}

}  // namespace

PrepareResult prepare_study(StudySpec spec, unsigned jobs) {
  PrepareResult result;
  result.message = wrong_spec(spec);
  if (!result.message.empty()) return result;

  auto study = std::make_shared<Study>();
  StudyShape& shape = study->shape;
  for (const Dimension& dimension : spec.dimensions) shape.points *= dimension.values.size();
  shape.replications = spec.replications;
  shape.scenario_hash = format_hash(XXH64(spec.text.data(), spec.text.size(), 0));

  Findings findings;
  bool is_of_io = false;
  const bool keeps = shape.points <= kMostKeptPoints;
  if (keeps) study->kept.resize(shape.points);
  study::for_each_index(shape.points, jobs, [&](std::size_t number) {
    LoadedPoint loaded = load(spec, values_at(spec, number));
    if (!loaded.point) return findings.bad(number, std::move(loaded.diagnostics));
    if (number == 0) is_of_io = loaded.scenario->io != nullptr;
    findings.good(number, *loaded.scenario, *loaded.point->program, std::move(loaded.diagnostics));
    if (number == 0) {
      shape.title = loaded.point->title;
      shape.seed = loaded.point->seed;
    }
    if (keeps) study->kept[number] = *std::move(loaded.point);
  });
  if (findings.bad_points > 0) {
    result.diagnostics = std::move(findings.diagnostics);
    result.point = point_text(spec, findings.first_bad);
    result.bad_points = findings.bad_points;
    return result;
  }

  if (!choose_callbacks(spec, findings.callbacks(), shape, result)) return result;
  spec.metrics_options.callbacks = shape.callbacks;
  spec.metrics_options.clients = findings.clients();
  spec.metrics_options.page = findings.any_is_page;
  spec.metrics_options.io = is_of_io;
  if (!choose_distributions(spec.metrics_options, result)) return result;
  shape.columns = columns_of(spec, spec.metrics_options);
  if (!choose_metrics(spec, shape, result)) return result;
  shape.is_random = findings.any_is_random;
  result.warnings = findings.warnings();
  study->spec = std::move(spec);
  result.study = std::move(study);
  return result;
}

// ---- shards -----------------------------------------------------------------------------------------------------------------------

namespace {

bool belongs(const Study& study, Shard shard, std::uint64_t point, std::uint64_t run) {
  return (study.spec.stopping ? point : run) % shard.count == shard.number - 1;
}

// The number of the shard's items among the first `total`.
std::uint64_t share(std::uint64_t total, Shard shard) {
  return total / shard.count + (total % shard.count >= shard.number ? 1 : 0);
}

}  // namespace

std::uint64_t runs_of(const Study& study, Shard shard) {
  const StudyShape& shape = study.shape;
  if (study.spec.stopping) return share(shape.points, shard) * shape.replications;
  return share(shape.points * shape.replications, shard);
}

// ---- running ----------------------------------------------------------------------------------------------------------------------

namespace {

// Executes runs; one Worker per thread.
class Worker {
 public:
  explicit Worker(const Study& study)
      : study_(study), metrics_(make_metrics_sink(study.spec.metrics_options)), hash_(make_hash_sink()) {
    const std::vector<std::pair<std::string, std::string>>& overrides = study.spec.options.overrides;
    for (std::size_t i = 0; i < overrides.size(); ++i) constants_.push_back(param_cell(i, overrides[i].second));
  }

  Row run(std::uint64_t number) {
    const StudyShape& shape = study_.shape;
    const std::uint64_t replication = number % shape.replications;
    const std::uint64_t point_number = number / shape.replications;
    const Point& point = study_.point(point_number, cache_);
    const std::uint64_t seed = study::replication_seed(point.seed, replication);
    const std::array<TraceSink*, 2> sinks = {metrics_.get(), hash_.get()};
    const RunSummary summary = loopsim::run(*point.program, seed, sinks);

    Row row;
    row.run = number;
    row.cells.reserve(shape.columns.size());
    row.cells = {number, point_number, replication, seed, point.title, shape.scenario_hash, point.runtime};
    row.cells.insert(row.cells.end(), constants_.begin(), constants_.end());
    const std::vector<std::string> values = values_at(study_.spec, point_number);
    for (const std::string& value : values)
      row.cells.push_back(param_cell(row.cells.size() - kColumnsBeforeParams, value));
    row.cells.emplace_back(point.params);
    row.cells.emplace_back(format_hash(hash_->hash()));
    row.cells.emplace_back(summary.exit_code);
    row.cells.emplace_back(std::string(exit_reason(summary.reason)));
    row.cells.emplace_back(summary.limit == LimitKind::none ? Cell() : Cell(std::string(to_string(summary.limit))));
    const std::span<const Cell> measured = metrics_->cells();
    row.cells.insert(row.cells.end(), measured.begin(), measured.end());
    return row;
  }

  std::vector<Row> waiting;  // made, and not handed over yet

 private:
  // One text value makes the whole column text.
  [[nodiscard]] Cell param_cell(std::size_t param, const std::string& value) const {
    const bool text = study_.shape.columns[kColumnsBeforeParams + param].type == Column::Type::text;
    return text ? Cell(value) : cell_of(value);
  }

  const Study& study_;
  std::unique_ptr<MetricsSink> metrics_;
  std::unique_ptr<HashSink> hash_;
  std::vector<Cell> constants_;
  Study::Cache cache_;
};

// The runs of a point so far.
struct PointState {
  std::uint64_t number = 0;
  std::uint64_t begun = 0;     // replications handed out
  std::uint64_t target = 0;    // replications at the end of the round
  std::vector<double> values;  // by replication, then metric
  bool finished = false;
  bool stopped = false;
};

struct Task {
  std::size_t state;       // index in states_
  std::uint64_t from, to;  // replications
  bool done = false;
};

class Runner {
 public:
  Runner(const Study& study, Shard shard, unsigned jobs, const StudyHooks& hooks)
      : study_(study), shape_(study.shape), shard_(shard), jobs_(jobs), hooks_(hooks) {
    const bool by_point = study.spec.stopping.has_value();
    for (std::uint64_t point = 0; point < shape_.points; ++point) {
      if (by_point && !belongs(study, shard, point, 0)) continue;
      PointState state;
      state.number = point;
      state.target = by_point ? kLeastReplications : shape_.replications;
      states_.push_back(std::move(state));
    }
  }

  std::vector<PointResult> run() {
    while (!given_up_ && prepare_round()) {
      run_round();
      if (given_up_) break;
      for (PointState& state : states_) decide(state);
    }
    if (!given_up_ && hooks_.complete_below) hooks_.complete_below(shape_.points * shape_.replications);
    return results();
  }

 private:
  // Prepares the tasks of a round, in the order of runs; false: no runs left.
  bool prepare_round() {
    tasks_.clear();
    done_tasks_ = 0;
    std::uint64_t total = 0;
    for (const PointState& state : states_) total += state.finished ? 0 : state.target - state.begun;
    const std::uint64_t threads = study::thread_count(std::numeric_limits<std::size_t>::max(), jobs_);
    const std::uint64_t size = std::clamp<std::uint64_t>(total / (threads * 32), 1, 64);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      PointState& state = states_[i];
      if (state.finished) continue;
      state.values.resize(state.target * shape_.metrics.size(), kNoValue);
      for (std::uint64_t from = state.begun; from < state.target; from += size) {
        tasks_.push_back({i, from, std::min(from + size, state.target)});
      }
      state.begun = state.target;
    }
    return !tasks_.empty();
  }

  void run_round() {
    workers_.resize(std::max<std::size_t>(workers_.size(), study::thread_count(tasks_.size(), jobs_)));
    study::for_each_index(tasks_.size(), jobs_, [this](std::size_t index, unsigned thread) {
      if (given_up_) return;
      if (!workers_[thread]) workers_[thread] = std::make_unique<Worker>(study_);
      Task& task = tasks_[index];
      for (std::uint64_t i = task.from; i < task.to && !given_up_; ++i) make(states_[task.state], i, *workers_[thread]);
      complete(task, *workers_[thread]);
    });
  }

  void make(PointState& state, std::uint64_t replication, Worker& worker) {
    const std::uint64_t number = state.number * shape_.replications + replication;
    if (!belongs(study_, shard_, state.number, number)) return;
    double* const values = state.values.data() + replication * shape_.metrics.size();
    if (hooks_.known) {
      const std::span<const double> known = hooks_.known(number);
      if (!known.empty()) {
        std::ranges::copy(known, values);
        return;
      }
    }
    Row row = worker.run(number);
    for (std::size_t i = 0; i < shape_.metrics.size(); ++i) {
      values[i] = number_of(row.cells[shape_.metrics[i]]).value_or(kNoValue);
    }
    // Where another thread hands over its own, the row waits for the next one: runs are short, and threads that wait for each other
    // took as long as the runs.
    study::Attempt held(lock_);
    worker.waiting.push_back(std::move(row));
    if (!held.succeeded()) {
      if (worker.waiting.size() < kMostWaiting) return;
      held.wait();
    }
    hand_over(worker);
  }

  // Holds the lock.
  void hand_over(Worker& worker) {
    for (Row& row : worker.waiting) {
      if (given_up_ || !hooks_.take) break;
      if (!hooks_.take(std::move(row))) given_up_ = true;
    }
    worker.waiting.clear();
  }

  // With a stopping rule the set of runs is not known before the end.
  void complete(Task& task, Worker& worker) {
    const study::Held held(lock_);
    hand_over(worker);
    if (study_.spec.stopping || !hooks_.complete_below || given_up_) return;
    task.done = true;
    const std::size_t before = done_tasks_;
    while (done_tasks_ < tasks_.size() && tasks_[done_tasks_].done) ++done_tasks_;
    if (done_tasks_ == before) return;
    const Task& last = tasks_[done_tasks_ - 1];
    hooks_.complete_below(states_[last.state].number * shape_.replications + last.to);
  }

  [[nodiscard]] Estimate estimate(const PointState& state, std::size_t metric) const {
    std::vector<double> values;
    for (std::uint64_t i = 0; i < state.begun; ++i) values.push_back(state.values[i * shape_.metrics.size() + metric]);
    return estimate_of(values);
  }

  void decide(PointState& state) const {
    if (state.finished) return;
    if (study_.spec.stopping) {
      const Estimate first = estimate(state, 0);
      const StoppingRule& rule = *study_.spec.stopping;
      const double goal = rule.relative ? rule.half_width * std::fabs(first.mean) : rule.half_width;
      state.stopped = first.half_width <= goal;
    }
    state.finished = state.stopped || state.target == shape_.replications;
    if (state.finished) return;
    const std::uint64_t more = (state.target / 4 + kLeastReplications - 1) / kLeastReplications * kLeastReplications;
    state.target = std::min(shape_.replications, state.target + more);
  }

  [[nodiscard]] std::vector<PointResult> results() {
    std::vector<PointResult> results;
    for (PointState& state : states_) {
      PointResult result;
      result.point = state.number;
      for (std::uint64_t i = 0; i < state.begun; ++i) {
        if (belongs(study_, shard_, state.number, state.number * shape_.replications + i)) ++result.replications;
      }
      result.stopped = state.stopped;
      for (std::size_t i = 0; i < shape_.metrics.size(); ++i) result.estimates.push_back(estimate(state, i));
      result.values = std::move(state.values);
      results.push_back(std::move(result));
    }
    return results;
  }

  static constexpr std::size_t kMostWaiting = 16;

  const Study& study_;
  const StudyShape& shape_;
  Shard shard_;
  unsigned jobs_;
  const StudyHooks& hooks_;
  std::vector<PointState> states_;
  std::vector<Task> tasks_;
  std::size_t done_tasks_ = 0;  // the completed prefix of tasks_
  std::vector<std::unique_ptr<Worker>> workers_;
  study::Mutex lock_;
  std::atomic<bool> given_up_ = false;
};

}  // namespace

std::vector<PointResult> run_study(const Study& study, Shard shard, unsigned jobs, const StudyHooks& hooks) {
  return Runner(study, shard, jobs, hooks).run();
}

}  // namespace loopsim
