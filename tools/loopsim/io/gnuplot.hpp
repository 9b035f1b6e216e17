// Plots by gnuplot, as SVG that is readable on a light and on a dark page and from the back of a room.
//
// gnuplot runs as a child process that reads its script and writes the picture. It knows one set of colours; a style sheet put
// into the picture replaces them where the reader prefers dark (prefers-color-scheme). What shows SVG without style sheets shows
// it light.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace loopsim::cli {

// Whether there is a gnuplot to run; when not, that has been reported.
[[nodiscard]] bool has_gnuplot();

// The beginning of a script: terminal, colours, borders, grid. `title` stands above the plot.
[[nodiscard]] std::string gnuplot_beginning(std::string_view title, int width = 960, int height = 600);

// The colour of texts and lines that are no data: it is light on a dark page.
[[nodiscard]] std::string_view gnuplot_ink();

// A colour for line or area `number`: told apart by the colour-blind (Okabe and Ito), and in grey by their lightness.
[[nodiscard]] std::string_view gnuplot_color(std::size_t number);
inline constexpr std::size_t kGnuplotColors = 8;

// A text in quotes.
[[nodiscard]] std::string gnuplot_text(std::string_view text);

// The picture. Nothing when gnuplot failed: then that has been reported.
[[nodiscard]] std::optional<std::string> gnuplot_svg(const std::string& script);

}  // namespace loopsim::cli
