#include "tools/loopsim/sweep/saved_rows.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/sweep/rows_reader.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kBefore = "runtime";  // the columns between these are what was set and varied
constexpr std::string_view kBehind = "params";
constexpr std::string_view kHistogram = "_histogram";

class Reader {
 public:
  Reader(std::vector<std::string> metrics, std::string distribution, bool has_files)
      : distribution_(std::move(distribution)), has_files_(has_files) {
    rows_.metrics = std::move(metrics);
  }

  // False, after reporting the error, if the file cannot be read or does not go with those before.
  [[nodiscard]] bool read(const std::string& path) {
    path_ = path;
    const RowTakers takers = {[this](std::span<const std::string> names) { return choose(names); },
                              [this](std::span<const Cell> cells) { return take(cells); }};
    return read_rows(path, takers);
  }

  // Leaves out what has one value only.
  [[nodiscard]] SavedRows finish() {
    std::vector<std::size_t> varied;
    for (std::size_t i = 0; i < rows_.dimensions.size(); ++i) {
      if (rows_.dimensions[i].values.size() > 1) varied.push_back(i);
    }
    SavedRows all = std::move(rows_);
    const std::vector<Dimension> dimensions = std::move(all.dimensions);
    all.dimensions.clear();
    for (const std::size_t i : varied) all.dimensions.push_back(dimensions[i]);
    for (RowGroup& group : all.groups) {
      std::vector<std::string> values;
      for (const std::size_t i : varied) values.push_back(group.values[i]);
      group.values = std::move(values);
    }
    return all;
  }

 private:
  using Indices = std::vector<std::size_t>;

  std::optional<Indices> wrong(const std::string& message) {
    report_error(fmt::format("{}: {}", input_name(path_), message));
    return std::nullopt;
  }

  std::optional<Indices> choose(std::span<const std::string> names) {
    const auto place = [&names](std::string_view name) { return std::ranges::find(names, name) - names.begin(); };
    const auto count = static_cast<std::ptrdiff_t>(names.size());
    const std::ptrdiff_t before = place(kBefore);
    const std::ptrdiff_t behind = place(kBehind);
    if (place("scenario") == count || before == count || behind == count || behind < before) {
      return wrong("these are no rows that loopsim sweep has written");
    }
    std::vector<std::string> dimensions;
    Indices wanted = {static_cast<std::size_t>(place("scenario"))};
    for (std::ptrdiff_t i = before + 1; i < behind; ++i) {
      dimensions.push_back(names[static_cast<std::size_t>(i)]);
      wanted.push_back(static_cast<std::size_t>(i));
    }
    if (!same_dimensions(dimensions)) return std::nullopt;
    const std::span<const std::string> measured = names.subspan(static_cast<std::size_t>(behind));
    if (!distribution_.empty()) {
      const std::ptrdiff_t index = place(histogram_column(distribution_));
      if (index == count) return no_distribution(measured);
      wanted.push_back(static_cast<std::size_t>(index));
      return wanted;
    }
    if (rows_.metrics.empty()) {
      const auto first =
          std::ranges::find_if(measured, [](const std::string& name) { return name.ends_with(".lateness_mean"); });
      rows_.metrics = {first == measured.end() ? "lateness_mean" : *first};
    }
    for (const std::string& metric : rows_.metrics) {
      const auto found = std::ranges::find(measured, metric);
      if (found == measured.end()) {
        const std::string close = nearest(metric, {measured.begin(), measured.end()});
        return wrong(fmt::format("there is no metric \"{}\"{}", metric,
                                 close.empty() ? "" : "; did you mean \"" + close + "\"?"));
      }
      wanted.push_back(static_cast<std::size_t>(behind + (found - measured.begin())));
    }
    return wanted;
  }

  std::optional<Indices> no_distribution(std::span<const std::string> names) {
    std::vector<std::string> known;
    for (const std::string& name : names) {
      if (name.ends_with(kHistogram)) known.push_back(name.substr(0, name.size() - kHistogram.size()));
    }
    return wrong(fmt::format("the rows have no distribution of {0}{1}: loopsim sweep --distribution {0} keeps it",
                             distribution_, known.empty() ? "" : fmt::format(", but of {}", fmt::join(known, ", "))));
  }

  bool same_dimensions(const std::vector<std::string>& names) {
    if (rows_.dimensions.empty() && rows_.groups.empty()) {
      for (const std::string& name : names) rows_.dimensions.push_back({name, {}});
      if (has_files_) rows_.dimensions.push_back({"file", {}});
      first_ = path_;
      return true;
    }
    std::vector<std::string> known;
    for (const Dimension& dimension : rows_.dimensions) known.push_back(dimension.name);
    known.pop_back();  // "file"
    if (known == names) return true;
    report_error(fmt::format("{} and {} cannot be in one plot: one varies {}, the other {}", first_, path_,
                             known.empty() ? "nothing" : fmt::format("{}", fmt::join(known, ", ")),
                             names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "))));
    return false;
  }

  bool take(std::span<const Cell> cells) {
    if (rows_.title.empty()) rows_.title = text_of(cells[0]);
    std::vector<std::string> values;
    for (std::size_t i = 0; i < rows_.dimensions.size(); ++i) {
      const bool is_file = has_files_ && i + 1 == rows_.dimensions.size();
      values.push_back(is_file ? path_ : text_of(cells[1 + i]));
      std::vector<std::string>& known = rows_.dimensions[i].values;
      if (std::ranges::find(known, values.back()) == known.end()) known.push_back(values.back());
    }
    const auto [found, is_new] = index_.try_emplace(values, rows_.groups.size());
    if (is_new) rows_.groups.push_back({values, std::vector<std::vector<double>>(rows_.metrics.size()), {}});
    RowGroup& group = rows_.groups[found->second];
    const std::size_t measured = 1 + rows_.dimensions.size() - (has_files_ ? 1 : 0);
    if (!distribution_.empty()) {
      group.histograms.push_back(text_of(cells[measured]));
      return true;
    }
    for (std::size_t i = 0; i < rows_.metrics.size(); ++i) {
      const double none = std::numeric_limits<double>::quiet_NaN();
      group.metrics[i].push_back(number_of(cells[measured + i]).value_or(none));
    }
    return true;
  }

  std::string distribution_;
  bool has_files_;
  std::string path_;
  std::string first_;
  SavedRows rows_;
  std::map<std::vector<std::string>, std::size_t> index_;
};

}  // namespace

std::optional<SavedRows> read_saved_rows(std::span<const std::string> paths, std::vector<std::string> metrics,
                                         const std::string& distribution) {
  Reader reader(std::move(metrics), distribution, paths.size() > 1);
  for (const std::string& path : paths) {
    if (!reader.read(path)) return std::nullopt;
  }
  return reader.finish();
}

std::string unit_of_metric(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const std::string of = name.substr(0, dot == std::string::npos ? 0 : dot);
  for (const bool io : {false, true}) {
    for (const Column& column : metric_columns({.callbacks = {of}, .clients = {of}, .io = io})) {
      if (column.name == name) return column.unit;
    }
  }
  return "";
}

}  // namespace loopsim::cli
