// Maps parts of the document to lines of the exported script.
//
// A script is assembled from nested texts, so lines are known only at the end. Parts are therefore written between
// marks: control characters, which the script itself never contains (javascript_text.hpp escapes them).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/scenario.hpp"

namespace loopsim::javascript {

class Marks {
 public:
  explicit Marks(const Scenario& scenario);

  // `text` between marks; a final newline stays after them.
  std::string put(const Step& step, std::string_view text);
  // `label`: the body's callback label in the trace.
  std::string put(const Body& body, std::string_view label, std::string_view text);
  // A body that is written elsewhere also runs under this label.
  void note_run(const Body& body, std::string_view label);

  // The script without its marks, and the lines of the parts.
  [[nodiscard]] MappedScript take(std::string_view marked) const;

 private:
  std::string put(ScriptPart part, NodeIndex node, std::string_view text);

  std::shared_ptr<const Document> document_;
  std::vector<ScriptPart> parts_;                             // a mark carries its index
  std::map<NodeIndex, std::vector<std::string>> other_runs_;  // labels, by the body's node
  std::map<NodeIndex, std::size_t> bodies_;                   // index into parts_
};

}  // namespace loopsim::javascript
