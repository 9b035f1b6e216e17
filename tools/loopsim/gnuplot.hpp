// Pictures: gnuplot draws them, as a program of its own that reads a script from standard input.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace loopsim::cli {

// What every script begins with: the size, a font that can be read at the far end of a room, lines to match, no background.
// Sizes are in the picture's own units; it scales to the place that it gets.
[[nodiscard]] std::string gnuplot_head(int width = 960, int height = 540);

// A text in gnuplot's single quotes; control characters become spaces.
[[nodiscard]] std::string gnuplot_text(std::string_view text);

// Colours for data, in order: told apart by people who do not tell all colours apart, and readable on white and on black
// (Paul Tol's scheme "bright"). Texts, axes and whatever else is drawn in black gets the ink of the page: see below.
[[nodiscard]] std::string_view gnuplot_color(std::size_t index);
inline constexpr std::string_view kGnuplotGrey = "#999999";  // for "all the others"

// Draws a script that begins with gnuplot_head(), and returns the SVG. Black in it becomes dark on a light page and light on a dark
// one (prefers-color-scheme), `title` its title for those who hear it read. The same bytes for the same version of gnuplot.
// Nothing when gnuplot is not there, or says no: then that has been reported.
[[nodiscard]] std::optional<std::string> draw(const std::string& script, std::string_view title);

// Whether gnuplot can be run at all; otherwise reports that it cannot, and what to do. For asking before long work.
[[nodiscard]] bool can_draw();

}  // namespace loopsim::cli
