// Pictures as files: which kind a file's name asks for, drawings converted, and the date that a PDF would have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loopsim::cli {

enum class PictureKind : std::uint8_t { svg, png, pdf };

// Replaces the time of creation in a PDF by a fixed one: equal input gives equal bytes.
void remove_date(std::string& pdf);

// Whether rsvg-convert is on the PATH, which drawings need for PNG and PDF; if not, reports an error. `what` is the
// name of the format: "png".
[[nodiscard]] bool has_svg_converter(std::string_view what);

// A drawing in SVG as PNG (with twice as many pixels on each side as the SVG has units) or PDF. Empty if it could not
// be converted; the error has been reported.
[[nodiscard]] std::optional<std::string> convert_svg(std::string_view svg, PictureKind kind);

}  // namespace loopsim::cli
