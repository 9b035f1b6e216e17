// Which lines of an exported script a part of the document has become.
//
// A script is put together from texts inside of texts, so nothing knows its line before the whole is there. Therefore parts are
// written between marks: control characters, which the script itself never contains (javascript_text.hpp escapes them).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/scenario.hpp"

namespace loopsim::javascript {

class Marks {
 public:
  explicit Marks(const Scenario& scenario) : scenario_(scenario) {}

  // `text` between marks; a newline at its end stays behind them.
  std::string put(const Step& step, std::string_view text);
  // `label` is what the trace calls the runs of this body.
  std::string put(const Body& body, std::string_view label, std::string_view text);
  // A body that stands elsewhere runs under this label, too.
  void note_run(const Body& body, std::string_view label);

  // The script without its marks, and what they have told.
  [[nodiscard]] MappedScript take(std::string_view marked) const;

 private:
  std::string put(ScriptPart part, NodeIndex node, std::string_view text);

  const Scenario& scenario_;
  std::vector<ScriptPart> parts_;                             // a mark carries its index
  std::map<NodeIndex, std::vector<std::string>> other_runs_;  // by the body's place
  std::map<NodeIndex, std::size_t> bodies_;                   // index into parts_
};

}  // namespace loopsim::javascript
