// The reference of a comparison: one value of a dimension, at all values of the others.

#include <algorithm>

#include <fmt/format.h>

#include "loopsim/study.hpp"
#include "loopsim/suggest.hpp"

namespace loopsim {

ComparisonResult parse_comparison(std::string_view text, std::span<const Dimension> dimensions) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    return {std::nullopt, fmt::format("what the others are compared with is NAME=VALUE, not \"{}\"", text), ""};
  }
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = text.substr(equals + 1);
  const auto dimension = std::ranges::find(dimensions, name, &Dimension::name);
  if (dimension == dimensions.end()) {
    std::vector<std::string_view> names;
    for (const Dimension& other : dimensions) names.push_back(other.name);
    return {std::nullopt, fmt::format("{} is not varied", name), std::string(nearest(name, names))};
  }
  const std::vector<std::string>& values = dimension->values;
  const auto found = std::ranges::find(values, value);
  if (found == values.end()) {
    return {std::nullopt, fmt::format("{} is never {}", name, value),
            std::string(nearest(value, {values.begin(), values.end()}))};
  }
  const auto index = [](auto from, auto to) { return static_cast<std::size_t>(std::distance(from, to)); };
  return {Comparison{index(dimensions.begin(), dimension), index(values.begin(), found)}, "", ""};
}

std::uint64_t reference_of(std::uint64_t point, std::span<const Dimension> dimensions, Comparison comparison) {
  std::uint64_t step = 1;  // from one value of the compared dimension to the next
  for (std::size_t i = comparison.dimension + 1; i < dimensions.size(); ++i) step *= dimensions[i].values.size();
  const std::uint64_t own = point / step % dimensions[comparison.dimension].values.size();
  return point - own * step + comparison.value * step;
}

}  // namespace loopsim
