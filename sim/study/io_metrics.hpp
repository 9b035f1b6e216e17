// The metrics of a run of the runtime `io` (docs/studies.md): of its process, or of all of them together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loopsim/study.hpp"

namespace loopsim::study {

[[nodiscard]] std::vector<Column> io_metric_columns(const MetricsOptions& options);
[[nodiscard]] std::vector<std::string> io_distribution_names(const MetricsOptions& options);
[[nodiscard]] std::unique_ptr<MetricsSink> make_io_metrics_sink(const MetricsOptions& options);

}  // namespace loopsim::study
