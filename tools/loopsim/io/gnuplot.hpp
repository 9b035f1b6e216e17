// Plots by gnuplot, readable on light and dark pages and from a distance.
//
// gnuplot runs as a child process, reads the script from standard input and writes the picture to standard output. It
// uses the light colours; a style sheet inserted into an SVG replaces them for prefers-color-scheme: dark. Viewers
// without style sheets show the light colours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace loopsim::cli {

// What is plotted. A script begins with gnuplot_beginning() and names no terminal.
struct Plot {
  std::string script;
  std::string numbers;  // what is drawn, as CSV
  int width = 960;      // in pixels of an SVG
  int height = 600;
};

// The kind of file is what its name ends with:
//   .svg, or a name without an ending    a picture for pages; it is dark where the reader prefers that
//   .png                                 with twice as many pixels on each side
//   .pdf
//   .gp                                  the script that draws the SVG: for changes by hand; needs no gnuplot
//   .csv                                 the numbers; needs no gnuplot
// An error message, in one sentence, for any other ending; empty: no error.
[[nodiscard]] std::string wrong_plot_file(std::string_view path);

// Whether gnuplot is on the PATH, unless this file needs none; if not, reports an error.
[[nodiscard]] bool has_plotter(std::string_view path);

// Draws and writes the file, whole or not at all. False if either failed; the error has been reported.
[[nodiscard]] bool write_plot(const std::string& path, const Plot& plot);

// The beginning of a script: colours, borders, grid, fonts.
[[nodiscard]] std::string gnuplot_beginning();

// The colour of text and of lines other than data; light on a dark page.
[[nodiscard]] std::string_view gnuplot_ink();

// The colour of line or area `number`. The colours differ for the colour-blind (Okabe and Ito), and in lightness when
// grey.
[[nodiscard]] std::string_view gnuplot_color(std::size_t number);
inline constexpr std::size_t kGnuplotColors = 8;

// A quoted string for a script; line breaks become spaces.
[[nodiscard]] std::string gnuplot_text(std::string_view text);

}  // namespace loopsim::cli
