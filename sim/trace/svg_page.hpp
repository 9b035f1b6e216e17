// What drawings are made of: colours, hatchings, boxes, lines and words, as SVG 1.1.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sim/trace/svg_layout.hpp"
#include "sim/trace/svg_text.hpp"

namespace loopsim::svg {

constexpr std::string_view kInk = "#1a1a1a";
constexpr std::string_view kQuiet = "#595959";  // contrast 7:1 on white
constexpr std::string_view kFaint = "#c8c8c8";
constexpr std::string_view kTask = "#cfe2f3";
constexpr std::string_view kTick = "#e69f00";
constexpr std::string_view kMicrotask = "#56b4e9";
constexpr std::string_view kBusy = "#1f4e79";
constexpr std::string_view kLate = "#b02a00";
constexpr std::string_view kFold = "#fff4d6";

// Hatchings, distinguishable in print: waiting is light, spinning is dense, CPU time of others is crossed.
constexpr std::string_view kPatterns =
    "<defs>\n"
    "<pattern id=\"loopsim-wait\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">"
    "<rect width=\"7\" height=\"7\" fill=\"#fff\"/><path d=\"M0 7L7 0\" stroke=\"#8c8c8c\"/></pattern>\n"
    "<pattern id=\"loopsim-spin\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">"
    "<rect width=\"4\" height=\"4\" fill=\"#fff\"/><path d=\"M0 2H4\" stroke=\"#1f4e79\" "
    "stroke-width=\"2\"/></pattern>\n"
    "<pattern id=\"loopsim-other\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<rect width=\"6\" height=\"6\" fill=\"#fff\"/><path d=\"M0 0L6 6M6 0L0 6\" stroke=\"#666\"/></pattern>\n"
    "</defs>\n";

// A generic family, for which viewers find a font that has the letters. For Chinese, first the fonts of the usual systems,
// and the language: many viewers would take the Japanese forms of the characters otherwise.
constexpr std::string_view kFonts = " font-family=\"sans-serif\"";
constexpr std::string_view kChineseFonts =
    " xml:lang=\"zh-CN\" font-family=\"'Noto Sans CJK SC','Noto Sans SC','PingFang SC','Microsoft YaHei',sans-serif\"";

enum class Anchor : char { start, middle, end };

// Text style.
struct Pen {
  int size = SvgLayout::kLabelSize;
  Face face = Face::regular;
  std::string_view color = kInk;
  Anchor anchor = Anchor::start;
  bool is_italic = false;
};

class Page {
 public:
  void raw(std::string_view text) { text_.append(text); }

  // `more` holds further attributes.
  void box(int x, int y, int width, int height, std::string_view fill, std::string_view stroke,
           std::string_view more = {}) {
    fmt::format_to(out(), "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"", x, y, width,
                   std::max(height, 0), fill);
    if (!stroke.empty()) fmt::format_to(out(), " stroke=\"{}\"", stroke);
    fmt::format_to(out(), "{}/>\n", more);
  }
  void path(std::string_view shape, std::string_view fill, std::string_view stroke, std::string_view more = {}) {
    fmt::format_to(out(), "<path d=\"{}\" fill=\"{}\" stroke=\"{}\"{}/>\n", shape, fill, stroke, more);
  }
  void line(int x1, int y1, int x2, int y2, std::string_view stroke, std::string_view more = {}) {
    path(fmt::format("M{} {}L{} {}", x1, y1, x2, y2), "none", stroke, more);
  }
  void label(int x, int y, std::string_view text, const Pen& pen, std::string_view more = {}) {
    fmt::format_to(out(), "<text x=\"{}\" y=\"{}\"", x, y);
    if (pen.size != SvgLayout::kLabelSize) fmt::format_to(out(), " font-size=\"{}\"", pen.size);
    if (pen.face == Face::bold) raw(" font-weight=\"bold\"");
    if (pen.face == Face::mono) raw(" font-family=\"monospace\" xml:space=\"preserve\"");
    if (pen.is_italic) raw(" font-style=\"italic\"");
    if (pen.color != kInk) fmt::format_to(out(), " fill=\"{}\"", pen.color);
    if (pen.anchor != Anchor::start) {
      fmt::format_to(out(), " text-anchor=\"{}\"", pen.anchor == Anchor::end ? "end" : "middle");
    }
    fmt::format_to(out(), "{}>{}</text>\n", more, xml_text(text));
  }
  // Gives everything until end_group() the tooltip `title`.
  void begin_group(std::string_view what, std::string_view title) {
    fmt::format_to(out(), "<g class=\"{}\"><title>{}</title>\n", what, xml_text(title));
  }
  void end_group() { raw("</g>\n"); }

  [[nodiscard]] std::string& text() { return text_; }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }
  std::string text_;
};

}  // namespace loopsim::svg
