// Text in a drawing: how wide it is, how much of it fits, and how it stands in XML.
#pragma once

#include <string>
#include <string_view>

namespace loopsim {

enum class Face : char { regular, bold, mono };

// How wide a text is, in pixels, rounded up. A program that shows the drawing picks the font: these are the widths of
// DejaVu, the widest of the common ones, so that what fits here fits anywhere.
[[nodiscard]] int text_width(std::string_view text, int size, Face face);

// As much of the text as is no wider than `width`; an ellipsis ends it where something was left out.
[[nodiscard]] std::string fitted(std::string_view text, int width, int size, Face face);

// Text as content or attribute of XML 1.0. What is no well-formed UTF-8, and characters that XML does not allow, become U+FFFD;
// so do those that would turn the text around them (U+202A to U+202E, U+2066 to U+2069).
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace loopsim
