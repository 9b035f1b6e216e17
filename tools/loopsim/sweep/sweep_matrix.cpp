#include "tools/loopsim/sweep/sweep_matrix.hpp"

#include <fmt/format.h>

namespace loopsim::cli {
namespace {

// All values, or of more than 12 the first four and the last two.
std::string values_text(const std::vector<std::string>& values) {
  constexpr std::size_t kAll = 12;
  constexpr std::size_t kFirst = 4;
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values.size() > kAll && i == kFirst) {
      text += ", ...";
      i = values.size() - 2;
    }
    text += (text.empty() ? "" : ", ") + values[i];
  }
  return text;
}

std::string line(std::string_view what, std::string_view text) { return fmt::format("{:<13} {}\n", what, text); }

std::string count(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string stopping_text(const StudySpec& spec, const StudyShape& shape) {
  const StoppingRule& rule = *spec.stopping;
  const Column& metric = shape.columns[shape.metrics.front()];
  std::string width = fmt::format("{} {}", rule.half_width, metric.unit);
  if (rule.relative) width = fmt::format("{:g} % of it", rule.half_width * 100);
  if (width.ends_with(' ')) width.pop_back();
  return fmt::format("{} to {}, until the mean of {} is known to ± {}", kLeastReplications, spec.replications,
                     metric.name, width);
}

}  // namespace

std::string matrix_text(const Study& study, Shard shard) {
  const StudySpec& spec = spec_of(study);
  const StudyShape& shape = shape_of(study);
  std::string text =
      line("scenario", fmt::format("{} ({})", shape.title.empty() ? "untitled" : shape.title, spec.file));
  if (!spec.options.runtime.empty()) text += line("runtime", spec.options.runtime);
  for (const auto& [name, value] : spec.options.overrides) text += line("set", name + " = " + value);
  for (const Dimension& dimension : spec.dimensions) {
    text += line("vary", fmt::format("{} = {} ({})", dimension.name, values_text(dimension.values),
                                     count(dimension.values.size(), "value")));
  }
  text += line("replications", spec.stopping ? stopping_text(spec, shape) : std::to_string(spec.replications));
  const std::string most = spec.stopping ? "at most " : "";
  text += line("runs", fmt::format("{} x {} = {}{}", count(shape.points, "point"),
                                   count(shape.replications, "replication"), most, shape.points * shape.replications));
  if (shard.count > 1) {
    text +=
        line("shard", fmt::format("{}/{}: {}{}", shard.number, shard.count, most, count(runs_of(study, shard), "run")));
  }
  return text;
}

}  // namespace loopsim::cli
