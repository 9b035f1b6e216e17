// What the playground never asks for, in its places: the browser draws, so it wants no scripts for gnuplot; it reads differences and
// orders as JSON, so it wants no texts of them; of a sweep it wants the rows, and sums them up itself. With the commands that commands.cpp
// leaves out they would be a twentieth of what its first load weighs.
#include "tools/loopsim/diff/diff_report.hpp"
#include "tools/loopsim/io/gnuplot.hpp"
#include "tools/loopsim/orders/orders_report.hpp"
#include "tools/loopsim/plot/chart.hpp"
#include "tools/loopsim/sweep/distribution_plot.hpp"
#include "tools/loopsim/sweep/distributions.hpp"
#include "tools/loopsim/sweep/histogram_plot.hpp"
#include "tools/loopsim/sweep/sweep_matrix.hpp"
#include "tools/loopsim/sweep/sweep_output.hpp"
#include "tools/loopsim/sweep/sweep_plot.hpp"
#include "tools/loopsim/sweep/sweep_progress.hpp"
#include "tools/loopsim/sweep/sweep_summary.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kOnlyJson = "the playground's engine answers in JSON only\n";

}  // namespace

// ---- plots ----------------------------------------------------------------------------------------------------------

Plot draw(const Chart& /*chart*/) { return {}; }

std::string wrong_for_distribution_plot(std::span<const Dimension> /*dimensions*/, DistributionPlot /*kind*/) {
  return "the playground's engine draws no plots";
}

bool has_values(std::string_view /*name*/, std::span<const Distribution> /*points*/) { return false; }

Plot plot_distributions(DistributionPlot /*kind*/, std::string_view /*title*/, std::string_view /*name*/,
                        std::span<const std::string> /*lines*/, std::span<const Distribution> /*points*/) {
  return {};
}

Plot plot_of(const OrdersResult& /*result*/, const OrdersSubject& /*subject*/) { return {}; }
Plot plot_of(const VariedOrders& /*varied*/, const OrdersSubject& /*subject*/) { return {}; }

std::string wrong_for_plot(std::span<const Dimension> /*dimensions*/) {
  return "the playground's engine draws no plots";
}
Plot sweep_plot(std::string_view /*title*/, std::span<const Dimension> /*dimensions*/, const SummaryTable& /*table*/,
                std::span<const SummaryPoint> /*points*/) {
  return {};
}
std::string point_name(std::span<const Dimension> /*dimensions*/, std::uint64_t /*point*/, std::size_t /*first*/) {
  return "";
}
std::string wrong_plot_file(std::string_view /*path*/) { return "the playground's engine draws no plots"; }
bool has_plotter(std::string_view /*path*/) { return false; }
bool write_plot(const std::string& /*path*/, const Plot& /*plot*/) { return false; }

// ---- sweep: all but the rows on standard output ---------------------------------------------------------------------

std::variant<std::unique_ptr<SweepOutput>, ExitStatus> open_sweep_output(const Study& study,
                                                                         const OutputRequest& request) {
  return open_streamed_output(study, request);
}

std::string matrix_text(const Study& /*study*/, Shard /*shard*/) { return ""; }

std::string summary_text(const SummaryTable& /*table*/, std::span<const SummaryPoint> /*points*/) { return ""; }
std::string unsteady_text(std::span<const SummaryPoint> /*points*/) { return ""; }
bool write_summary(const std::string& /*path*/, const SummaryTable& /*table*/,
                   std::span<const SummaryPoint> /*points*/) {
  return false;
}

Distributions::Distributions(std::string name, std::span<const Column> /*columns*/, std::uint64_t /*points*/,
                             std::uint64_t replications)
    : name_(std::move(name)), column_(0), replications_(replications) {}
bool Distributions::add(std::span<const Cell> /*cells*/) { return true; }
std::string distribution_csv(std::span<const std::string> /*dimensions*/,
                             std::span<const std::vector<std::string>> /*values*/,
                             std::span<const Distribution> /*points*/) {
  return "";
}

SweepProgress::SweepProgress(bool /*shown*/, std::uint64_t total, std::uint64_t already)
    : shown_(false), total_(total), already_(already) {}
SweepProgress::~SweepProgress() = default;
void SweepProgress::one_more() {}

// ---- diff and orders as text ----------------------------------------------------------------------------------------

std::string text_report(const Finding& /*finding*/, RowMaker& /*rows*/, const ReportOptions& /*options*/) {
  return std::string(kOnlyJson);
}
std::string text_report(const Study& /*study*/, RowMaker& /*rows*/, const ReportOptions& /*options*/) {
  return std::string(kOnlyJson);
}

std::string text_report(const OrdersResult& /*result*/, const OrdersSubject& /*subject*/) {
  return std::string(kOnlyJson);
}
std::string text_report(const VariedOrders& /*varied*/, const OrdersSubject& /*subject*/) {
  return std::string(kOnlyJson);
}
std::string text_report(const ThresholdResult& /*result*/, const ThresholdRange& /*range*/, std::uint32_t /*points*/,
                        const OrdersSubject& /*subject*/) {
  return std::string(kOnlyJson);
}

}  // namespace loopsim::cli
