// Axes of plots: units, ranges, ticks; and lines that run together.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tools/loopsim/plot/axis.hpp"
#include "tools/loopsim/plot/coincidence.hpp"

namespace loopsim::cli {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnknown = std::numeric_limits<double>::infinity();

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> all;
  for (const Tick& tick : ticks) {
    if (!tick.label.empty()) all.push_back(tick.label);
  }
  return all;
}

AxisRange range_of(const std::vector<double>& values) { return range_of_heights(values, {}, {}); }

// ---- units and values ------------------------------------------------------------------------------------------------

TEST_CASE("times of a plot have one unit", "[plot]") {
  CHECK(time_unit_of(0).name == "ms");
  CHECK(time_unit_of(0.00002).name == "ns");
  CHECK(time_unit_of(0.1).name == "µs");
  CHECK(time_unit_of(0.5).name == "ms");
  CHECK(time_unit_of(9999).name == "ms");
  CHECK(time_unit_of(10'000).name == "s");
  using Words = std::vector<std::string>;
  CHECK(shown_values(Words{"500us", "1ms", "1.5s"}) == Words{"0.5 ms", "1 ms", "1500 ms"});
  CHECK(shown_values(Words{"250ns", "100us"}) == Words{"0.25 µs", "100 µs"});
  CHECK(shown_values(Words{"0", "5ms"}) == Words{"0 ms", "5 ms"});  // a plain number in a document is in milliseconds
  CHECK(shown_values(Words{"0.5", "2"}) == Words{"0.5", "2"});
  CHECK(shown_values(Words{"5ms", "never"}) == Words{"5ms", "never"});
}

TEST_CASE("values of a dimension are numbers, durations in milliseconds, or words", "[plot]") {
  const Places mixed = places_of(std::vector<std::string>{"0", "500us", "1ms"});
  CHECK(mixed.are_durations);
  CHECK(mixed.numbers == std::vector<double>{0, 0.5, 1});
  const Places plain = places_of(std::vector<std::string>{"1e3", "-2"});
  CHECK_FALSE(plain.are_durations);
  CHECK(plain.numbers == std::vector<double>{1000, -2});
  CHECK(places_of(std::vector<std::string>{"1", "node-24"}).numbers.empty());
}

TEST_CASE("a text is cut where its room ends", "[plot]") {
  CHECK(plot_text_within("short", 1000) == "short");
  const std::string cut = plot_text_within("a rather long text", 100);
  CHECK(cut.ends_with("…"));
  CHECK(plot_text_width(cut) <= 100 + kPlotFont);
  CHECK(plot_text_within("定时器定时器", 70) == "定时…");  // no character in halves
}

// ---- ranges ----------------------------------------------------------------------------------------------------------

TEST_CASE("a range of heights begins at zero", "[plot]") {
  const AxisRange range = range_of({1, 2, 3});
  CHECK(range.from == 0);
  CHECK(range.to == 3);
  CHECK_FALSE(range.is_logarithmic);
  CHECK_FALSE(range.is_cut);
  CHECK(range_of({0, 0}).to == 1);
  CHECK(range_of({}).to == 1);
  CHECK(range_of({-1, 4}).from == -1);
  // Values that are much alike would be a line at the top.
  const AxisRange alike = range_of({100, 103, 106});
  CHECK(alike.from > 90);
  CHECK(alike.from < 100);
  CHECK(range_of({50, 100}).from == 0);
  CHECK(range_of({100, 100}).from == 0);  // a range of some height
  CHECK(range_of({100}).from == 0);
}

TEST_CASE("one point far above the others is left out of the range", "[plot]") {
  const AxisRange range = range_of({1, 2, 1.5, 2.5, 2, 1, 3, 500});
  CHECK(range.is_cut);
  CHECK(range.to == 3);
  CHECK_FALSE(range.is_logarithmic);
  // The others can still be told apart.
  CHECK_FALSE(range_of({1, 2, 1.5, 2.5, 2, 1, 3, 15}).is_cut);
  // Of two points it is not known which is the exception.
  CHECK_FALSE(range_of({1, 500}).is_cut);
}

TEST_CASE("heights that grow over decades get a logarithmic range", "[plot]") {
  const AxisRange range = range_of({1, 3, 10, 30, 100, 300, 1000});
  CHECK(range.is_logarithmic);
  CHECK_FALSE(range.is_cut);
  CHECK_FALSE(range.has_zero);
  const AxisRange zero = range_of({0, 1, 3, 10, 30, 100, 300, 1000});
  CHECK(zero.is_logarithmic);
  CHECK(zero.has_zero);
  CHECK(zero.from < 1);
  CHECK(zero.from > 0);
}

TEST_CASE("a wide interval does not press the values together", "[plot]") {
  const std::vector<double> values = {1, 2};
  const std::vector<double> lows = {-50, 1.9};
  const std::vector<double> highs = {52, 2.1};
  const AxisRange range = range_of_heights(values, lows, highs);
  CHECK(range.from == 0);
  CHECK(range.to == Approx(3.2));
  const std::vector<double> unknown = {kUnknown, kUnknown};
  CHECK(range_of_heights(values, unknown, unknown).to == 2);
  CHECK(range_of({1, kNone, 2}).to == 2);
}

// ---- ticks -----------------------------------------------------------------------------------------------------------

TEST_CASE("ticks are at round numbers, with as many decimals each", "[plot]") {
  using Words = std::vector<std::string>;
  CHECK(labels(linear_ticks(0, 10, 800, LabelSide::below)) ==
        Words{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"});
  CHECK(labels(linear_ticks(0, 1, 250, LabelSide::beside)) == Words{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(labels(linear_ticks(60, 110, 300, LabelSide::below)) == Words{"60", "70", "80", "90", "100", "110"});
  CHECK(labels(linear_ticks(0, 0.002, 250, LabelSide::beside, 1000)) == Words{"0.0", "0.5", "1.0", "1.5", "2.0"});
  CHECK(labels(linear_ticks(0, 40'000, 400, LabelSide::below)) == Words{"0", "10,000", "20,000", "30,000", "40,000"});
  CHECK(labels(linear_ticks(5, 5, 400, LabelSide::below)) == Words{"5"});
}

TEST_CASE("labels of ticks never overlap", "[plot]") {
  for (const double to : {0.003, 0.7, 1.0, 9.99, 123.0, 7'654'321.0, 4e12}) {
    for (const double length : {120.0, 400.0, 830.0}) {
      for (const bool is_logarithmic : {false, true}) {
        CAPTURE(to, length, is_logarithmic);
        const auto ticks = is_logarithmic ? logarithmic_ticks(to / 1e7, to, length, LabelSide::below)
                                          : linear_ticks(0, to, length, LabelSide::below);
        CHECK(!labels(ticks).empty());
        double end = -1e9;
        for (const Tick& tick : ticks) {
          if (tick.label.empty()) continue;
          const double at = (is_logarithmic ? std::log10(tick.place / to) / 7 + 1 : tick.place / to) * length;
          const double half = plot_text_width(tick.label) / 2;
          CHECK(at - half > end);
          end = at + half;
        }
      }
    }
  }
}

TEST_CASE("ticks of a logarithmic axis are at powers of ten", "[plot]") {
  using Words = std::vector<std::string>;
  CHECK(labels(logarithmic_ticks(1, 1000, 400, LabelSide::below)) == Words{"1", "10", "100", "1000"});
  CHECK(labels(logarithmic_ticks(1, 100, 830, LabelSide::below)) == Words{"1", "2", "5", "10", "20", "50", "100"});
  CHECK(labels(logarithmic_ticks(1e-3, 1, 400, LabelSide::below, 1000)) == Words{"1", "10", "100", "1000"});
  const std::vector<Tick> ticks = logarithmic_ticks(1, 10, 100, LabelSide::beside);
  CHECK(ticks.size() == 10);  // small ones between
  const AxisRange range = rounded({3, 700, true}, 400);
  CHECK(range.from == Approx(2));
  CHECK(range.to == Approx(1000));
  CHECK(rounded({0, 11.8}, 400).to == Approx(12));
}

// ---- lines that run together -----------------------------------------------------------------------------------------

TEST_CASE("lines that coincide are told", "[plot]") {
  const std::vector<std::vector<double>> lines = {
      {10, 20, 30, 40}, {10, 20, 30, 40}, {300, 200, 100, 0}, {10.5, 20.5, 30.5, 40.5}};
  const std::vector<Company> company = lines_together(lines);
  CHECK_FALSE(company[0].same_as);
  CHECK(company[1].same_as == 0);
  CHECK_FALSE(company[2].same_as);
  CHECK(company[3].same_as == 0);
  CHECK(company[0].dash == 0);
  CHECK(company[1].dash == 1);
  CHECK(company[2].dash == 0);  // alone
  CHECK(company[3].dash == 2);
  CHECK(company[3].rank == 2);
}

TEST_CASE("lines that run together for a part keep solid strokes, and marks within each other", "[plot]") {
  const std::vector<std::vector<double>> lines = {{0, 0, 10, 20, 30}, {0, 0, 40, 80, 120}, {0, 50, 100, 150, 200}};
  const std::vector<Company> company = lines_together(lines);
  CHECK_FALSE(company[1].same_as);
  CHECK(company[1].rank == 1);
  CHECK(company[1].dash == 0);
  CHECK(company[2].rank == 0);  // they only begin at the same place
}

TEST_CASE("a line without heights coincides with none", "[plot]") {
  const std::vector<std::vector<double>> lines = {{kNone, kNone}, {kNone, kNone}, {1, kNone}, {1, kNone}, {1, 2}};
  const std::vector<Company> company = lines_together(lines);
  CHECK_FALSE(company[1].same_as);
  CHECK(company[3].same_as == 2);
  CHECK_FALSE(company[4].same_as);  // it goes on where the others end
}

}  // namespace
}  // namespace loopsim::cli
