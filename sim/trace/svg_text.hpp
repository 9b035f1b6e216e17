// Text in a drawing: its width, truncation to a width, and escaping for XML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loopsim {

enum class Face : char { regular, bold, mono };

// The width of a text in pixels, rounded up. The viewer chooses the font: these are the widths of DejaVu, the widest of
// the common fonts, so that what fits here fits anywhere.
[[nodiscard]] int text_width(std::string_view text, int size, Face face);

// The text, truncated to `width` with an ellipsis at its end if it is wider.
[[nodiscard]] std::string fitted(std::string_view text, int width, int size, Face face);

// The text in lines of at most `width`, broken at spaces and between East Asian characters; a word that is wider alone is
// truncated as by fitted(). An empty text is no line.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, int width, int size, Face face);

// Text as content or attribute of XML 1.0. Ill-formed UTF-8 and characters that XML does not allow become U+FFFD; so do
// bidirectional controls (U+202A to U+202E, U+2066 to U+2069).
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace loopsim
