// In WebAssembly the page of --format html is no part of the program, which has to be fetched: it is the file that the environment names
// in LOOPSIM_PAGE. Without it only the run's data are written, for a page that is there already.
#include "tools/page/page_asset.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace loopsim::cli {
namespace {

std::string read_page() {
  const char* const path = std::getenv("LOOPSIM_PAGE");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(path == nullptr ? nullptr : std::fopen(path, "rb"), std::fclose);
  if (file == nullptr) return "<!--loopsim:data-->";
  std::string page;
  char piece[1U << 16U];
  while (const std::size_t count = std::fread(piece, 1, sizeof piece, file.get())) page.append(piece, count);
  return page;
}

}  // namespace

std::string_view page_asset() {
  static const std::string page = read_page();
  return page;
}

}  // namespace loopsim::cli
