// Distributions over all runs of each point, from the histograms in the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/study.hpp"

namespace loopsim::cli {

// Counts in the buckets of HdrHistogram. A value counts at the upper end of its bucket, as in the quantiles.
struct Distribution {
  struct Bucket {
    std::uint64_t low = 0;  // ns
    std::uint64_t count = 0;
  };
  std::map<std::uint64_t, Bucket> buckets;  // by their upper ends, in ns
  std::uint64_t values = 0;
  std::uint64_t runs = 0;

  // Adds a histogram as a row has it. False if it cannot be read.
  [[nodiscard]] bool add(std::string_view histogram);
  // The value that `share` of all are at most; 0 if there are none.
  [[nodiscard]] std::uint64_t quantile(double share) const;
};

// The column with the histograms of `name`.
[[nodiscard]] std::optional<std::size_t> histogram_index(std::span<const Column> columns, std::string_view name);

// One distribution for each point. Only counts are kept, so the order of the rows has no influence.
class Distributions {
 public:
  // `columns` must have the histograms of `name`.
  Distributions(std::string name, std::span<const Column> columns, std::uint64_t points, std::uint64_t replications);

  // Adds a row of the sweep. False if its histogram cannot be read (error reported).
  [[nodiscard]] bool add(std::span<const Cell> cells);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::span<const Distribution> points() const { return points_; }

 private:
  std::string name_;
  std::size_t column_;
  std::uint64_t replications_;
  std::vector<Distribution> points_;
};

// CSV: the values of the dimensions, low_ns, high_ns, count, share and cumulative: the share up to that bucket's end.
// `values` are those of each point.
[[nodiscard]] std::string distribution_csv(std::span<const std::string> dimensions,
                                           std::span<const std::vector<std::string>> values,
                                           std::span<const Distribution> points);

}  // namespace loopsim::cli
