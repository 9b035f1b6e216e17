// Templates of `loopsim new`: each scenario runs and meets its own expectation.
#pragma once

#include <span>
#include <string_view>

namespace loopsim::cli {

struct ScenarioTemplate {
  std::string_view name;
  std::string_view about;     // short description
  std::string_view document;  // JSON; the title replaces kTitlePlace
};
inline constexpr std::string_view kTitlePlace = "\"@TITLE@\"";

// Allowed values of --template, in the order of scenario_templates().
inline constexpr std::string_view kTemplateNames = "timer|pool|promises|server";

[[nodiscard]] std::span<const ScenarioTemplate> scenario_templates();

// The program of `loopsim new --js`, in JavaScript. It needs no title.
[[nodiscard]] const ScenarioTemplate& program_template();

}  // namespace loopsim::cli
