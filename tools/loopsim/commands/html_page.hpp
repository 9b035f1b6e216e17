// The page of the html format: built from tools/page and carried in the program.
#pragma once

#include <string>

#include "loopsim/scenario.hpp"
#include "loopsim/writers.hpp"

namespace loopsim::cli {

// Whether this program has been built with its page. When not, that is reported, with what to do.
[[nodiscard]] bool has_html_page();

// What the page shows of one scenario. Owns what its options point to. Of the path it keeps the file's name: the same run gives the
// same page on every machine.
class HtmlSource {
 public:
  HtmlSource() = default;
  HtmlSource(const std::string& path, std::string document, const Scenario& scenario);

  [[nodiscard]] HtmlOptions options(const HashSink* hash) const;

 private:
  std::string file_, document_;
  MappedScript script_;
};

}  // namespace loopsim::cli
