#include "tools/loopsim/io/gnuplot.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "tools/loopsim/io/child_program.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/io/picture.hpp"
#include "tools/loopsim/line/message.hpp"

namespace loopsim::cli {
namespace {

struct Color {
  std::string_view light;
  std::string_view dark;
};
constexpr Color kPaper = {"#ffffff", "#15181d"};
constexpr Color kInk = {"#303030", "#e4e4e4"};
constexpr Color kGrid = {"#d0d0d0", "#454a52"};
constexpr std::array<Color, kGnuplotColors> kLines = {{{"#0072b2", "#62b8f0"},
                                                       {"#d55e00", "#ff9350"},
                                                       {"#009e73", "#3fd6a8"},
                                                       {"#aa4488", "#e79bcb"},
                                                       {"#b8860b", "#f0c94a"},
                                                       {"#4b3fa8", "#a9a0ff"},
                                                       {"#7a4a21", "#d3a679"},
                                                       {"#606060", "#b4b4b4"}}};

constexpr std::string_view kProgram = "gnuplot";

enum class Kind : std::uint8_t { svg, png, pdf, script, numbers };
constexpr std::array<std::pair<std::string_view, Kind>, 5> kEndings = {
    {{".svg", Kind::svg}, {".png", Kind::png}, {".pdf", Kind::pdf}, {".gp", Kind::script}, {".csv", Kind::numbers}}};

// Nothing for an unknown ending. Names such as /dev/full and - have none.
std::optional<Kind> kind_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return Kind::svg;
  std::string ending(name.substr(dot));
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto found = std::ranges::find(kEndings, ending, [](const auto& known) { return known.first; });
  if (found == kEndings.end()) return std::nullopt;
  return found->second;
}

bool is_drawn(Kind kind) { return kind != Kind::script && kind != Kind::numbers; }

// ---- colours ------------------------------------------------------------------------------------------------------------------------

unsigned part(std::string_view color, std::size_t number) {
  unsigned value = 0;
  const char* const begin = color.data() + 1 + 2 * number;
  std::from_chars(begin, begin + 2, value, 16);
  return value;
}

// Rules for the three spellings of a colour in gnuplot's SVG.
void add_rules(std::string& style, const Color& color) {
  const unsigned red = part(color.light, 0);
  const unsigned green = part(color.light, 1);
  const unsigned blue = part(color.light, 2);
  for (const std::string& spelt : {std::string(color.light), fmt::format("rgb({},{},{})", red, green, blue),
                                   fmt::format("rgb({:3}, {:3}, {:3})", red, green, blue)}) {
    for (const std::string_view property : {"fill", "stroke", "color"}) {
      style += fmt::format("  [{0}=\"{1}\"] {{ {0}: {2} }}\n", property, spelt, color.dark);
    }
  }
}

std::string dark_style() {
  std::string style = "<style>\n@media (prefers-color-scheme: dark) {\n";
  add_rules(style, kPaper);
  add_rules(style, kInk);
  add_rules(style, kGrid);
  for (const Color& color : kLines) add_rules(style, color);
  return style + "}\n</style>\n";
}

bool has_gnuplot() {
  if (is_on_path(kProgram)) return true;
  report_error("a plot needs gnuplot, and there is none (Debian: apt-get install gnuplot-nox)");
  return false;
}

// ---- pictures -------------------------------------------------------------------------------------------------------

// The terminals of all kinds lay a plot out alike: 20 pixels of an SVG are 20 points of a PDF, and 40 pixels of a PNG.
std::string terminal(Kind kind, const Plot& plot) {
  const std::string rest = fmt::format("noenhanced font 'sans-serif,20' background '{}'", kPaper.light);
  switch (kind) {
    case Kind::png:
      return fmt::format("set terminal pngcairo size {},{} {} fontscale 1.5 linewidth 3 pointscale 3\n", 2 * plot.width,
                         2 * plot.height, rest);
    case Kind::pdf:
      return fmt::format("set terminal pdfcairo size {:.4f}in,{:.4f}in {} fontscale 0.75 linewidth 3 pointscale 1.5\n",
                         plot.width / 72.0, plot.height / 72.0, rest);
    default:
      return fmt::format("set terminal svg size {},{} dynamic {} linewidth 1.5\n", plot.width, plot.height, rest);
  }
}

// Empty if gnuplot failed; the error has been reported.
std::optional<std::string> drawn(Kind kind, const Plot& plot) {
  const std::array<std::string, 2> words = {std::string(kProgram), "-"};
  std::string picture;
  const int error = run_filter(words, terminal(kind, plot) + plot.script, picture);
  const std::size_t canvas = kind == Kind::svg ? picture.find("<g id=\"gnuplot_canvas\"") : std::string::npos;
  bool is_whole = false;
  switch (kind) {
    case Kind::png: is_whole = picture.starts_with("\x89PNG") && picture.find("IEND") != std::string::npos; break;
    case Kind::pdf: is_whole = picture.starts_with("%PDF-") && picture.find("%%EOF") != std::string::npos; break;
    default: is_whole = canvas != std::string::npos && picture.find("</svg>") != std::string::npos; break;
  }
  if (error != 0 || !is_whole) {
    if (error != ENOENT || has_gnuplot())
      report_error("gnuplot could not make the plot");  // has_gnuplot() reports, too
    return std::nullopt;
  }
  if (kind == Kind::svg) picture.insert(canvas, dark_style());
  if (kind == Kind::pdf) remove_date(picture);
  return picture;
}

}  // namespace

std::string wrong_plot_file(std::string_view path) {
  if (kind_of(path)) return "";
  return fmt::format(
      "a plot is a picture, FILE.svg, FILE.png or FILE.pdf, its numbers, FILE.csv, or its gnuplot script, "
      "FILE.gp, not \"{}\"",
      path);
}

bool has_plotter(std::string_view path) { return !is_drawn(kind_of(path).value_or(Kind::svg)) || has_gnuplot(); }

bool write_plot(const std::string& path, const Plot& plot) {
  const Kind kind = kind_of(path).value_or(Kind::svg);
  if (kind == Kind::numbers) return write_output(path, plot.numbers);
  if (kind == Kind::script) {
    return write_output(path, "# gnuplot FILE.gp >FILE.svg\n" + terminal(Kind::svg, plot) + plot.script);
  }
  const std::optional<std::string> picture = drawn(kind, plot);
  return picture && write_output(path, *picture);
}

std::string_view gnuplot_ink() { return kInk.light; }

std::string gnuplot_beginning() {
  return fmt::format(
      "set encoding utf8\n"
      "set border 3 lc rgb '{0}'\n"
      "set tics nomirror out scale 0.6 textcolor rgb '{0}'\n"
      "set grid lt 1 lw 0.7 lc rgb '{1}'\n"
      "set xlabel textcolor rgb '{0}'\n"
      "set ylabel textcolor rgb '{0}'\n",
      kInk.light, kGrid.light);
}

std::string_view gnuplot_color(std::size_t number) { return kLines[number % kLines.size()].light; }

std::string gnuplot_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c == '\n' || c == '\r' ? ' ' : c;
  }
  return quoted + "'";
}

}  // namespace loopsim::cli
