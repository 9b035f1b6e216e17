// In WebAssembly the page of --format html is no part of the program, which has to be fetched: it is the file that the environment names
// in LOOPSIM_PAGE. Without it only the run's data are written, for a page that is there already.
#include "tools/page/page_asset.hpp"

#include "tools/loopsim/wasm/named_file.hpp"

namespace loopsim::cli {

std::string_view page_asset() {
  static const std::string page = [] {
    std::string named = named_file("LOOPSIM_PAGE");
    return named.empty() ? std::string("<!--loopsim:data-->") : named;
  }();
  return page;
}

}  // namespace loopsim::cli
