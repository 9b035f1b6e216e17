// Reads and compiles scenarios, and reports their diagnostics.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"

namespace loopsim::cli {

struct LoadedScenario {
  Scenario scenario;
  std::shared_ptr<const Program> program;
};

// Whether files that their names say nothing about, and standard input, are JavaScript programs (--js). Applies to what
// is read later.
void set_inputs_are_javascript(bool are_javascript);

// Whether those of the files that are programs stand in the root that --root names, if any; if not, reports the error.
[[nodiscard]] bool stand_in_root(std::span<const std::string> paths);

// The text of the scenario in a file; that of a JavaScript file (.js, .cjs, .mjs) is the scenario that it stands for.
[[nodiscard]] std::string scenario_text(std::string text, const std::string& path);
// Reads it. Empty after reporting the error.
[[nodiscard]] std::optional<std::string> read_scenario_text(const std::string& path);
// With them, the document at `path` may name files: its script, and the script's modules.
[[nodiscard]] ReadOptions with_files(ReadOptions options, const std::string& path);

// Reads and checks the text of a document, as scenario_text() gives it. Reports diagnostics on standard error; empty if
// one of them is an error.
[[nodiscard]] std::optional<Scenario> read_document(std::string text, const std::string& path,
                                                    const ReadOptions& options);

// The same, and compiles the scenario.
[[nodiscard]] std::optional<LoadedScenario> load_document(std::string text, const std::string& path,
                                                          const ReadOptions& options,
                                                          const CompileOptions& compile_options = {});

}  // namespace loopsim::cli
