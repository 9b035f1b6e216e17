// First scenarios to begin with: each runs, and holds to what it expects.
#pragma once

#include <span>
#include <string_view>

namespace loopsim::cli {

struct ScenarioTemplate {
  std::string_view name;
  std::string_view about;     // in a few words
  std::string_view document;  // JSON; the title is to be put for kTitlePlace
};
inline constexpr std::string_view kTitlePlace = "\"@TITLE@\"";

// What the option --template allows, in the order of scenario_templates().
inline constexpr std::string_view kTemplateNames = "timer|pool|promises|server";

[[nodiscard]] std::span<const ScenarioTemplate> scenario_templates();

}  // namespace loopsim::cli
