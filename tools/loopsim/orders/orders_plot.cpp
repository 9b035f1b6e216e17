// gnuplot scripts: shares of orders as bars with intervals, or as stacked areas against a varied value.

#include <algorithm>

#include <fmt/format.h>

#include "loopsim/text.hpp"

#include "tools/loopsim/io/gnuplot.hpp"
#include "tools/loopsim/orders/orders_report.hpp"
#include "tools/loopsim/plot/axis.hpp"

namespace loopsim::cli {
namespace {

constexpr int kWidth = 960;
constexpr std::size_t kMostBars = 8;
constexpr std::size_t kMostAreas = 6;
constexpr std::size_t kBarText = 68;   // characters that fit above a bar
constexpr std::size_t kAreaText = 30;  // characters that fit beside an area
constexpr int kAreasWidth = 1100;
constexpr int kAreasHeight = 540;
constexpr int kBarsLeft = 28;
constexpr std::size_t kTitle = 62;

// Above the plot, whose left end is at `left` pixels.
std::string title_script(const OrdersSubject& subject, int left, int width, int height) {
  const std::string& whole = subject.title.empty() ? subject.file : subject.title;
  const std::string text = order_text(LimitKind::none, {whole}, false, 0, kTitle);
  return fmt::format("set label {} at screen {:.5f}, screen {:.5f} left front font ',22' textcolor rgb '{}'\n",
                     gnuplot_text(text), static_cast<double>(left) / width, 1 - 34.0 / height, gnuplot_ink());
}

// An order as a cell of CSV.
std::string order_cell(LimitKind limit, const std::vector<std::string>& lines, bool is_cut) {
  std::string cell;
  add_csv_text(cell, order_text(limit, lines, is_cut, 0, 0));
  return cell;
}

std::string share_cells(const Share* share) {
  if (share == nullptr) return "0,0,,";
  return fmt::format("{},{},{},{}", share->count, share->share, share->low, share->high);
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
  TimeUnit unit = {"", 1};  // of durations

  [[nodiscard]] double factor() const { return 1 / unit.milliseconds; }
};

Axis axis_of(const Dimension& dimension) {
  const Places places = places_of(dimension.values);
  Axis axis;
  axis.places = places.numbers;
  axis.is_numeric = !places.numbers.empty() && std::ranges::is_sorted(places.numbers);
  if (axis.is_numeric && places.are_durations) axis.unit = time_unit_of(places.numbers.back());
  if (!axis.is_numeric) {
    axis.places.clear();
    for (std::size_t i = 0; i < dimension.values.size(); ++i) axis.places.push_back(static_cast<double>(i));
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

Plot plot_of(const VariedOrders& varied, const OrdersSubject& subject) {
  constexpr double kLength = (0.645 - 0.11) * kAreasWidth;  // of the axis
  const Axis axis = axis_of(varied.dimension);
  const std::vector<Area> areas = stack(varied);
  Plot plot;
  plot.width = kAreasWidth;
  plot.height = kAreasHeight;
  plot.script =
      gnuplot_beginning() + title_script(subject, static_cast<int>(0.11 * kAreasWidth), kAreasWidth, kAreasHeight);
  plot.script += "unset key\nset lmargin at screen 0.11\nset rmargin at screen 0.645\nset tmargin at screen 0.88\n";
  const std::string unit = axis.unit.name.empty() ? "" : fmt::format(" ({})", axis.unit.name);
  plot.script += fmt::format("set yrange [0:100]\nset ylabel 'share of the runs (%)'\nset xlabel {}\n",
                             gnuplot_text(varied.dimension.name + unit));
  plot.script += fmt::format("set xrange [{:.9g}:{:.9g}]\nset style fill transparent solid 0.55 noborder\n",
                             axis.places.front(), axis.places.back());
  std::vector<Tick> ticks;
  if (axis.is_numeric) {
    ticks = linear_ticks(axis.places.front(), axis.places.back(), kLength, LabelSide::below, axis.factor());
  } else {
    const std::vector<std::string> shown = shown_values(varied.dimension.values);
    const double room = kLength / static_cast<double>(std::max<std::size_t>(shown.size() - 1, 1)) - 10;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      ticks.push_back({static_cast<double>(i), plot_text_within(shown[i], std::max(room, 40.0))});
    }
  }
  std::string places;
  for (const Tick& tick : ticks) {
    places += fmt::format("{}{} {:.9g}", places.empty() ? "" : ", ", gnuplot_text(tick.label), tick.place);
  }
  plot.script += fmt::format("set xtics ({})\n", places);
  std::string plots;
  for (std::size_t a = 0; a < areas.size(); ++a) {
    plot.script += fmt::format("$area{} << END\n", a);
    for (std::size_t i = 0; i < axis.places.size(); ++i) {
      plot.script +=
          fmt::format("{:.9g} {:.6f} {:.6f}\n", axis.places[i], areas[a].low[i] * 100, areas[a].high[i] * 100);
    }
    plot.script += "END\n";
    plots += fmt::format("{}$area{} using 1:2:3 with filledcurves fillcolor rgb '{}'", a == 0 ? "plot " : ", ", a,
                         areas[a].color);
  }
  plot.script += area_labels(areas) + plots + "\n";

  add_csv_text(plot.numbers, varied.dimension.name);
  plot.numbers += ",order,runs,share,low,high\n";
  for (const CommonOrder& order : common_orders(varied)) {
    for (std::size_t i = 0; i < order.shares.size(); ++i) {
      add_csv_text(plot.numbers, varied.dimension.values[i]);
      plot.numbers +=
          fmt::format(",{},{}\n", order_cell(order.limit, order.lines, order.is_cut), share_cells(order.shares[i]));
    }
  }
  return plot;
}

// ---- bars ----------------------------------------------------------------------------------------------------------

Plot plot_of(const OrdersResult& result, const OrdersSubject& subject) {
  const std::size_t bars = std::min(result.orders.size(), kMostBars);
  const std::size_t left = result.orders.size() - bars;
  const std::size_t rows = bars + (left > 0 ? 1 : 0);
  const std::size_t skip = prefix_of(result.orders);
  Plot plot;
  plot.width = kWidth;
  plot.height = static_cast<int>(170 + rows * 84);
  std::string& script = plot.script;
  script = gnuplot_beginning() + title_script(subject, kBarsLeft, kWidth, plot.height) + "unset key\n";
  script += fmt::format(
      "set xrange [0:100]\nset xlabel 'share of {} runs (%), with 95 % intervals'\nset yrange [{}:0]\nunset ytics\n"
      "set border 1 linecolor rgb '{}'\nset lmargin at screen {:.5f}\nset rmargin at screen 0.88\nset tmargin at "
      "screen {:.5f}\nset style fill transparent solid 0.75 noborder\n",
      result.runs, rows, gnuplot_ink(), static_cast<double>(kBarsLeft) / kWidth, 1 - 58.0 / plot.height);
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
  script += fmt::format(
      "$bars << END\n{}END\nplot $bars using 1:2:(0):1:5:6 with boxxyerror fillcolor rgb '{}', "
      "$bars using 1:2:3:4 with xerrorbars linecolor rgb '{}' linewidth 2 pointtype 0\n",
      data, gnuplot_color(0), gnuplot_ink());
  plot.numbers = "order,runs,share,low,high\n";
  for (const ObservedOrder& order : result.orders) {
    plot.numbers +=
        fmt::format("{},{}\n", order_cell(order.limit, order.lines, order.is_cut), share_cells(&order.share));
  }
  return plot;
}

}  // namespace loopsim::cli
