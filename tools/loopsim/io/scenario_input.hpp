// Reads and compiles scenarios, and reports their diagnostics.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"

namespace loopsim::cli {

struct LoadedScenario {
  Scenario scenario;
  std::shared_ptr<const Program> program;
};

// Reads and checks the text of a document. Reports diagnostics on standard error; empty if one of them is an error.
[[nodiscard]] std::optional<Scenario> read_document(std::string text, const std::string& path,
                                                    const ReadOptions& options);

// The same, and compiles the scenario.
[[nodiscard]] std::optional<LoadedScenario> load_document(std::string text, const std::string& path,
                                                          const ReadOptions& options,
                                                          const CompileOptions& compile_options = {});

}  // namespace loopsim::cli
