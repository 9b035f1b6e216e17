// gnuplot scripts: shares of orders as bars with intervals, or as stacked areas against a varied value.

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "loopsim/units.hpp"

#include "tools/loopsim/io/gnuplot.hpp"
#include "tools/loopsim/orders/orders_report.hpp"

namespace loopsim::cli {
namespace {

constexpr int kWidth = 960;
constexpr std::size_t kMostBars = 8;
constexpr std::size_t kMostAreas = 6;
constexpr std::size_t kBarText = 68;   // characters that fit above a bar
constexpr std::size_t kAreaText = 30;  // characters that fit beside an area
constexpr int kAreasWidth = 1100;
constexpr std::size_t kTitle = 62;

std::string title_of(const OrdersSubject& subject) {
  const std::string text = subject.title.empty() ? subject.file : subject.title;
  return order_text(LimitKind::none, {text}, false, 0, kTitle);
}

template <typename Orders>
std::size_t prefix_of(const Orders& orders) {
  std::vector<const std::vector<std::string>*> lines;
  for (const auto& order : orders) {
    if (order.limit == LimitKind::none) lines.push_back(&order.lines);
  }
  return common_prefix(lines);
}

// ---- areas ---------------------------------------------------------------------------------------------------------

// Positions of a dimension's values on the axis: the numbers themselves, durations in milliseconds; evenly spaced if
// not all are numbers in ascending order.
struct Axis {
  std::vector<double> places;
  bool is_numeric = true;
  bool is_duration = false;
};

Axis axis_of(const Dimension& dimension) {
  Axis axis;
  for (const std::string& value : dimension.values) {
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto [stopped, error] = std::from_chars(value.data(), end, number);
    const ParsedDuration duration = parse_duration(value);
    if (duration.problem == DurationProblem::none) {
      axis.is_duration = true;
      number = static_cast<double>(duration.value) / static_cast<double>(kMillisecond);
    } else if (error != std::errc{} || stopped != end) {
      axis.is_numeric = false;
    }
    axis.places.push_back(number);
  }
  axis.is_numeric = axis.is_numeric && std::ranges::is_sorted(axis.places);
  if (!axis.is_numeric) {
    for (std::size_t i = 0; i < axis.places.size(); ++i) axis.places[i] = static_cast<double>(i);
  }
  return axis;
}

struct Area {
  std::string text;
  std::string color;
  std::vector<double> low, high;  // per value
};

std::vector<Area> stack(const VariedOrders& varied) {
  const std::vector<CommonOrder> orders = common_orders(varied);
  const std::size_t skip = prefix_of(orders);
  const bool has_others = orders.size() > kMostAreas;
  const std::size_t own = has_others ? kMostAreas - 1 : orders.size();
  std::vector<Area> areas;
  std::vector<double> base(varied.results.size(), 0);
  for (std::size_t i = 0; i < own; ++i) {
    Area area;
    area.text = order_text(orders[i].limit, orders[i].lines, orders[i].is_cut, skip, kAreaText);
    area.color = gnuplot_color(i);
    for (std::size_t value = 0; value < base.size(); ++value) {
      area.low.push_back(base[value]);
      if (orders[i].shares[value] != nullptr) base[value] += orders[i].shares[value]->share;
      area.high.push_back(base[value]);
    }
    areas.push_back(std::move(area));
  }
  if (has_others) {
    areas.push_back({fmt::format("{} others", orders.size() - own), std::string(gnuplot_color(kGnuplotColors - 1)),
                     base, std::vector<double>(base.size(), 1)});
  }
  return areas;
}

// Labels to the right of the areas, in their order, moved apart where they would overlap. A line connects each to the
// middle of its area's right end.
std::string area_labels(const std::vector<Area>& areas) {
  constexpr double kLine = 7;  // height of a line of text, in percent of the y axis
  std::vector<double> places;
  for (const Area& area : areas) {
    const double middle = (area.low.back() + area.high.back()) * 50;
    places.push_back(places.empty() ? std::max(middle, 2.0) : std::max(middle, places.back() + kLine));
  }
  // Labels pushed beyond the top move back down.
  double top = 98;
  for (std::size_t i = places.size(); i-- > 0; top = places[i] - kLine) places[i] = std::min(places[i], top);
  std::string script;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    const double middle = (areas[i].low.back() + areas[i].high.back()) * 50;
    script +=
        fmt::format("set arrow from graph 1, first {:.4f} to graph 1.035, first {:.4f} nohead linecolor rgb '{}'\n",
                    middle, places[i], gnuplot_ink());
    script += fmt::format(
        "set object rectangle center graph 1.055, first {:.4f} size graph 0.022, first 3.6 fillcolor rgb '{}' "
        "fillstyle transparent solid 0.55 noborder\n",
        places[i], areas[i].color);
    script += fmt::format("set label {} at graph 1.078, first {:.4f} left textcolor rgb '{}'\n",
                          gnuplot_text(areas[i].text), places[i], gnuplot_ink());
  }
  return script;
}

}  // namespace

std::string plot_script(const VariedOrders& varied, const OrdersSubject& subject) {
  const Axis axis = axis_of(varied.dimension);
  const std::vector<Area> areas = stack(varied);
  std::string script =
      gnuplot_beginning(title_of(subject), kAreasWidth, 540) + "unset key\nset rmargin at screen 0.645\n";
  script += fmt::format("set yrange [0:100]\nset ylabel 'share of the runs (%)'\nset xlabel {}\n",
                        gnuplot_text(varied.dimension.name + (axis.is_duration ? " (ms)" : "")));
  script += fmt::format("set xrange [{:.9g}:{:.9g}]\nset style fill transparent solid 0.55 noborder\n",
                        axis.places.front(), axis.places.back());
  if (!axis.is_numeric) {
    script += "set xtics (";
    for (std::size_t i = 0; i < axis.places.size(); ++i) {
      script += fmt::format("{}{} {}", i == 0 ? "" : ", ", gnuplot_text(varied.dimension.values[i]), i);
    }
    script += ")\n";
  }
  std::string plots;
  for (std::size_t a = 0; a < areas.size(); ++a) {
    script += fmt::format("$area{} << END\n", a);
    for (std::size_t i = 0; i < axis.places.size(); ++i) {
      script += fmt::format("{:.9g} {:.6f} {:.6f}\n", axis.places[i], areas[a].low[i] * 100, areas[a].high[i] * 100);
    }
    script += "END\n";
    plots += fmt::format("{}$area{} using 1:2:3 with filledcurves fillcolor rgb '{}'", a == 0 ? "plot " : ", ", a,
                         areas[a].color);
  }
  return script + area_labels(areas) + plots + "\n";
}

// ---- bars ----------------------------------------------------------------------------------------------------------

std::string plot_script(const OrdersResult& result, const OrdersSubject& subject) {
  const std::size_t bars = std::min(result.orders.size(), kMostBars);
  const std::size_t left = result.orders.size() - bars;
  const std::size_t rows = bars + (left > 0 ? 1 : 0);
  const std::size_t skip = prefix_of(result.orders);
  std::string script = gnuplot_beginning(title_of(subject), kWidth, static_cast<int>(170 + rows * 84)) + "unset key\n";
  script += fmt::format(
      "set xrange [0:100]\nset xlabel 'share of {} runs (%), with 95 % intervals'\nset yrange [{}:0]\nunset ytics\n"
      "set border 1 linecolor rgb '{}'\nset rmargin 9\nset style fill transparent solid 0.75 noborder\n",
      result.runs, rows, gnuplot_ink());
  std::string data;
  const auto row = [&](std::size_t i, const std::string& text, double share, double low, double high) {
    const double y = static_cast<double>(i);
    script += fmt::format("set label {} at 0, {:.2f} left front textcolor rgb '{}'\n", gnuplot_text(text), y + 0.22,
                          gnuplot_ink());
    script += fmt::format("set label '{}' at graph 1.01, first {:.2f} left front textcolor rgb '{}'\n", percent(share),
                          y + 0.66, gnuplot_ink());
    data += fmt::format("{:.6f} {:.2f} {:.6f} {:.6f} {:.2f} {:.2f}\n", share * 100, y + 0.66, low * 100, high * 100,
                        y + 0.46, y + 0.86);
  };
  for (std::size_t i = 0; i < bars; ++i) {
    const ObservedOrder& order = result.orders[i];
    row(i, order_text(order.limit, order.lines, order.is_cut, skip, kBarText), order.share.share, order.share.low,
        order.share.high);
  }
  if (left > 0) {
    std::uint64_t others = 0;
    for (std::size_t i = bars; i < result.orders.size(); ++i) others += result.orders[i].share.count;
    const double share = static_cast<double>(others) / static_cast<double>(result.runs);
    row(bars, fmt::format("{} others", left), share, share, share);
  }
  return script + fmt::format(
                      "$bars << END\n{}END\nplot $bars using 1:2:(0):1:5:6 with boxxyerror fillcolor rgb '{}', "
                      "$bars using 1:2:3:4 with xerrorbars linecolor rgb '{}' linewidth 2 pointtype 0\n",
                      data, gnuplot_color(0), gnuplot_ink());
}

}  // namespace loopsim::cli
