// Whether the runs of a study's points were in steady state.

#include <algorithm>
#include <cmath>
#include <string_view>

#include "loopsim/study.hpp"

#include "sim/study/statistics.hpp"

namespace loopsim {
namespace {

// A flow grows if in the mean over the runs the second half is so many times as long as the first; the halves differ if
// one of them is so many times as long as the other. Both with this confidence, if there are enough runs to tell.
constexpr double kGrows = 2;
constexpr double kDiffers = 1.1;
constexpr double kTwoSidedConfidence = 0.998;  // 99.9 % one-sided
constexpr std::uint64_t kLeastRuns = 5;

TimeNs in_nanoseconds(double milliseconds) { return std::llround(milliseconds * static_cast<double>(kMillisecond)); }

}  // namespace

SteadinessTable::SteadinessTable(std::span<const Column> columns, std::uint64_t replications)
    : replications_(replications) {
  constexpr std::string_view kFirst = "_first_half";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    if (!column.is_metric) continue;
    if (column.name == kGrowingColumn) growing_ = i;
    if (!column.name.ends_with(kFirst) || i + 1 == columns.size()) continue;
    flows_.push_back({column.name.substr(0, column.name.size() - kFirst.size()), i});
  }
}

void SteadinessTable::add(std::span<const Cell> cells) {
  if (growing_ >= cells.size()) return;
  const auto* const growing = std::get_if<std::string>(&cells[growing_]);
  if (growing == nullptr) return;
  const auto* const run = std::get_if<std::uint64_t>(&cells.front());
  Point& point = points_[run == nullptr ? 0 : *run / replications_];
  point.flows.resize(flows_.size());
  ++point.runs;
  const std::string padded = " " + *growing + " ";
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    Sums& sums = point.flows[i];
    if (padded.find(" " + flows_[i].name + " ") != std::string::npos) ++sums.growing;
    const std::optional<double> first = number_of(cells[flows_[i].first_half]);
    const std::optional<double> second = number_of(cells[flows_[i].first_half + 1]);
    if (!first || !second) continue;
    const Wide a = in_nanoseconds(*first);
    const Wide b = in_nanoseconds(*second);
    ++sums.runs;
    sums.first += a;
    sums.second += b;
    sums.first_squared += a * a;
    sums.product += a * b;
    sums.second_squared += b * b;
  }
}

// A one-sided t-test, paired by run: whether the mean of one half is more than `times` that of the other.
bool SteadinessTable::is_longer(const Sums& sums, Half half, double times) {
  if (sums.runs < kLeastRuns) return false;
  const bool is_second = half == Half::second;
  const auto n = static_cast<double>(sums.runs);
  const auto mean = [n](Wide sum) { return static_cast<double>(sum) / n; };
  const double longer = mean(is_second ? sums.second : sums.first);
  const double shorter = mean(is_second ? sums.first : sums.second);
  const double longer_squared = mean(is_second ? sums.second_squared : sums.first_squared);
  const double shorter_squared = mean(is_second ? sums.first_squared : sums.second_squared);
  // Mean and variance over the runs of `longer - times * shorter`.
  const double more = longer - times * shorter;
  const double squared = longer_squared - 2 * times * mean(sums.product) + times * times * shorter_squared;
  const double variance = std::max(0.0, squared - more * more) * n / (n - 1);
  return more > study::student_t(n - 1, kTwoSidedConfidence) * std::sqrt(variance / n);
}

Steadiness SteadinessTable::of(std::uint64_t point) const {
  Steadiness steadiness;
  const auto found = points_.find(point);
  if (found == points_.end()) return steadiness;
  const Point& sums = found->second;
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const Sums& flow = sums.flows[i];
    const bool grows = 2 * flow.growing > sums.runs || is_longer(flow, Half::second, kGrows);
    if (grows) steadiness.growing.push_back(flows_[i].name);
    const bool differ = is_longer(flow, Half::first, kDiffers) || is_longer(flow, Half::second, kDiffers);
    if (differ) steadiness.differing.push_back(flows_[i].name);
  }
  steadiness.verdict = Steadiness::Verdict::steady;
  if (!steadiness.differing.empty()) steadiness.verdict = Steadiness::Verdict::halves_differ;
  if (!steadiness.growing.empty()) steadiness.verdict = Steadiness::Verdict::grows;
  return steadiness;
}

}  // namespace loopsim
