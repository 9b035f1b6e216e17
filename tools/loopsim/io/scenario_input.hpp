// From a file to a program that can be run.
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

// Reads and checks a document's text. Problems are reported on standard error; nothing when there is an error among them.
[[nodiscard]] std::optional<Scenario> read_document(std::string text, const std::string& path,
                                                    const ReadOptions& options);

// The same, and compiles it.
[[nodiscard]] std::optional<LoadedScenario> load_document(std::string text, const std::string& path,
                                                          const ReadOptions& options);

}  // namespace loopsim::cli
