// Plots by gnuplot, as SVG that is readable on light and dark pages and from a distance.
//
// gnuplot runs as a child process, reads the script from standard input and writes the picture to standard output. It
// uses the light colours; a style sheet inserted into the picture replaces them for prefers-color-scheme: dark. Viewers
// without style sheets show the light colours.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace loopsim::cli {

// Whether gnuplot is on the PATH; if not, reports an error.
[[nodiscard]] bool has_gnuplot();

// The beginning of a script: terminal, colours, borders, grid, and `title` above the plot.
[[nodiscard]] std::string gnuplot_beginning(std::string_view title, int width = 960, int height = 600);

// The colour of text and of lines other than data; light on a dark page.
[[nodiscard]] std::string_view gnuplot_ink();

// The colour of line or area `number`. The colours differ for the colour-blind (Okabe and Ito), and in lightness when
// grey.
[[nodiscard]] std::string_view gnuplot_color(std::size_t number);
inline constexpr std::size_t kGnuplotColors = 8;

// A quoted string for a script; line breaks become spaces.
[[nodiscard]] std::string gnuplot_text(std::string_view text);

// The picture. Empty if gnuplot failed; the error has been reported.
[[nodiscard]] std::optional<std::string> gnuplot_svg(const std::string& script);

}  // namespace loopsim::cli
