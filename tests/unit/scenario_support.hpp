// Shared by the tests of the front end.
#pragma once

#include <string>
#include <string_view>

#include "loopsim/scenario.hpp"

namespace front_end {

// A document with these steps as its main script and further members (", \"seed\": 1").
inline std::string document(std::string_view steps, std::string_view more = {}) {
  return std::string("{\"main\": [") + std::string(steps) + "]" + std::string(more) + "}";
}

inline loopsim::ReadResult read(std::string text, const loopsim::ReadOptions& options = {}) {
  return loopsim::read_scenario(std::move(text), "test.json", options);
}

// All messages, one per line.
inline std::string problems(std::string text, const loopsim::ReadOptions& options = {}) {
  std::string out;
  for (const loopsim::Diagnostic& diagnostic : read(std::move(text), options).diagnostics) {
    out += diagnostic.pointer + ": " + diagnostic.message;
    if (!diagnostic.suggestion.empty()) out += " [" + diagnostic.suggestion + "]";
    out += '\n';
  }
  return out;
}

}  // namespace front_end
