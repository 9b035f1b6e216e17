// What the playground never asks for, in its places: the browser draws, so it wants no scripts for gnuplot; it reads differences and
// orders as JSON, so it wants no texts of them. With the commands that commands.cpp leaves out they would be a fortieth of what its first
// load weighs.
#include "tools/loopsim/diff/diff_report.hpp"
#include "tools/loopsim/orders/orders_report.hpp"
#include "tools/loopsim/plot/chart.hpp"
#include "tools/loopsim/sweep/distribution_plot.hpp"
#include "tools/loopsim/sweep/histogram_plot.hpp"

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
