// nlohmann's parser as the judge of ours: both must take the same documents, and read the same from them.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sim/scenario/document.hpp"

namespace loopsim::testing {

// What the two differ in about `text`; empty when they agree. Ours refuses more, on purpose: what follows a NUL byte (for nlohmann's
// the end of the text), deep nesting, and keys that are given twice.
inline std::string json_difference(const std::string& text) {
  Diagnostics diagnostics;
  const auto document = Document::parse(text, "oracle.json", diagnostics);
  const bool is_taken = document->root() != kNone;
  const nlohmann::json expected = nlohmann::json::parse(text, nullptr, false);
  if (is_taken == expected.is_discarded()) {
    if (is_taken) return "taken, and should not be";
    const bool is_nested =
        !diagnostics.empty() && diagnostics.back().message.starts_with("values are nested more than");
    const bool has_nul = text.find('\0') != std::string::npos;
    return is_nested || has_nul ? "" : "refused, and should not be: " + to_string(diagnostics.at(0));
  }
  // Keys that are given twice are told of as well.
  if (!is_taken) return diagnostics.empty() ? "refused without an error" : "";
  if (!diagnostics.empty()) return "";  // keys given twice
  const nlohmann::json read = nlohmann::json::parse(document->json(document->root()), nullptr, false);
  return read == expected ? "" : "read as " + document->json(document->root());
}

}  // namespace loopsim::testing
