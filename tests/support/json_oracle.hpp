// nlohmann's parser as the oracle of ours: both must accept the same documents and read the same values.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sim/scenario/document.hpp"

namespace loopsim::testing {

// The difference between the two parsers on `text`; empty if they agree. Ours deliberately rejects more: text after a
// NUL byte (the end of the text for nlohmann's), deep nesting, and duplicate keys.
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
  if (!is_taken) return diagnostics.empty() ? "refused without an error" : "";
  if (!diagnostics.empty()) return "";  // duplicate keys
  const nlohmann::json read = nlohmann::json::parse(document->json(document->root()), nullptr, false);
  return read == expected ? "" : "read as " + document->json(document->root());
}

}  // namespace loopsim::testing
