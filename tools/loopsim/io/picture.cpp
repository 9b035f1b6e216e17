#include "tools/loopsim/io/picture.hpp"

#include <cerrno>
#include <vector>

#include "tools/loopsim/io/child_program.hpp"
#include "tools/loopsim/line/message.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kConverter = "rsvg-convert";
constexpr std::string_view kPng = "\x89PNG";
constexpr std::string_view kPdf = "%PDF-";

}  // namespace

void remove_date(std::string& pdf) {
  constexpr std::string_view kKey = "/CreationDate (D:";
  constexpr std::string_view kEpoch = "19700101000000";
  for (std::size_t at = pdf.find(kKey); at != std::string::npos; at = pdf.find(kKey, at + 1)) {
    const std::size_t digits = at + kKey.size();
    if (pdf.size() - digits < kEpoch.size()) return;
    pdf.replace(digits, kEpoch.size(), kEpoch);  // as long as before: the offsets in the file stay right
  }
}

bool has_svg_converter(std::string_view what) {
  if (is_on_path(kConverter)) return true;
  report_error("a drawing as " + std::string(what) +
               " needs rsvg-convert, and there is none (Debian: apt-get install librsvg2-bin)");
  return false;
}

std::optional<std::string> convert_svg(std::string_view svg, PictureKind kind) {
  std::vector<std::string> words = {std::string(kConverter)};
  if (kind == PictureKind::png) words.insert(words.end(), {"--zoom", "2", "--background-color", "white"});
  if (kind == PictureKind::pdf) words.insert(words.end(), {"--format", "pdf"});
  std::string picture;
  const int error = run_filter(words, svg, picture);
  if (error == 0 && picture.starts_with(kind == PictureKind::png ? kPng : kPdf)) {
    if (kind == PictureKind::pdf) remove_date(picture);
    return picture;
  }
  const bool is_there = error != ENOENT || has_svg_converter(kind == PictureKind::png ? "png" : "pdf");
  if (is_there) report_error("rsvg-convert could not convert the drawing");
  return std::nullopt;
}

}  // namespace loopsim::cli
