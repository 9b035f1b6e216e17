// The page of the html format, built from tools/page and embedded in the program.
#pragma once

#include <optional>
#include <string>

#include "loopsim/scenario.hpp"
#include "loopsim/writers.hpp"

namespace loopsim::cli {

// Whether this program was built with the page. If not, reports an error that says how to get it.
[[nodiscard]] bool has_html_page();

// The scenario as shown on the page. Owns the data that its options point to. Keeps only the file name of the path: the
// same run gives the same page on every machine.
class HtmlSource {
 public:
  HtmlSource() = default;
  // `language`: see HtmlOptions.
  HtmlSource(const std::string& path, std::string document, const Scenario& scenario, std::optional<Language> language);

  [[nodiscard]] HtmlOptions options(const HashSink* hash, const RacesResult& races) const;

 private:
  std::string file_, document_;
  MappedScript script_;
  bool is_script_ = false;
  std::optional<Language> language_;
};

}  // namespace loopsim::cli
