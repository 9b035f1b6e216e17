// docs/trace-format.md describes every event and key of event_table(), and no others.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/trace.hpp"

#include "tests/support/files.hpp"

using namespace loopsim;

namespace {

std::string type_word(const FieldInfo& field) {
  switch (field.type) {
    case FieldInfo::Type::time_ns: return "ns";
    case FieldInfo::Type::time_ms: return "ms";
    case FieldInfo::Type::count: return "number";
    case FieldInfo::Type::id: return "id";
    case FieldInfo::Type::word: return "word";
    case FieldInfo::Type::text: return "text";
    case FieldInfo::Type::flag: return "flag";
  }
  return "";
}

// The lines that the document must have: a heading for each event and a row for each of its keys.
std::vector<std::string> expected_lines() {
  std::vector<std::string> lines;
  for (const EventInfo& event : event_table()) {
    lines.push_back("### `" + std::string(event.name) + "`");
    for (const FieldInfo& field : event.fields) {
      std::string row = "| `" + std::string(field.key) + "`" + (field.optional ? " ?" : "") + " | " + type_word(field) +
                        " | " + std::string(field.help);
      const bool listed = field.type == FieldInfo::Type::word && field.source != FieldInfo::Source::api;
      for (std::size_t i = field.optional ? 1 : 0; listed && i < field.words.size(); ++i) {
        row += (row.find(": `") == std::string::npos ? ": `" : ", `") + std::string(field.words[i]) + "`";
      }
      lines.push_back(row + " |");
    }
  }
  return lines;
}

// The corresponding lines of the document.
std::vector<std::string> document_lines() {
  std::istringstream file(testing::read_file(LOOPSIM_SOURCE_DIR "/docs/trace-format.md"));
  std::vector<std::string> lines;
  bool in_events = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) in_events = line == "## Events";
    if (in_events && (line.starts_with("### ") || line.starts_with("| `"))) lines.push_back(line);
  }
  return lines;
}

}  // namespace

TEST_CASE("the page about the trace format agrees with the table of events", "[trace][docs]") {
  const std::vector<std::string> expected = expected_lines();
  const std::vector<std::string> actual = document_lines();
  for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) REQUIRE(actual[i] == expected[i]);
  CHECK(actual.size() == expected.size());
}
