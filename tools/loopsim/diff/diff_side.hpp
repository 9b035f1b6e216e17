// A side of a `loopsim diff` comparison: a scenario to run, or a trace to read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"

#include "tools/loopsim/diff/diff_rows.hpp"
#include "tools/loopsim/diff/stored_trace.hpp"

namespace loopsim::cli {

// A file: the text of a scenario, or a trace.
struct DiffFile {
  std::string path;
  bool is_trace = false;
  std::string document;  // of a scenario
  StoredTrace trace;     // of a trace
  std::uint64_t hash = 0;
};

// Reads a file; its beginning decides whether it is a scenario or a trace. Nothing, after reporting the error, when it
// cannot be read, is too large, or is a malformed trace.
[[nodiscard]] std::optional<DiffFile> read_diff_file(const std::string& path, TraceStore::Keeps keeps);

struct Side {
  DiffFile* file = nullptr;
  ReadOptions options;                     // of a scenario
  std::shared_ptr<const Program> program;  // null for a trace
  const Profile* profile = nullptr;        // of the program
  std::string name;                        // label in the output
  StoredTrace trace;
  std::uint64_t hash = 0;
  std::vector<Row> rows;
};

// Stored result of a run.
struct KeptRun {
  StoredTrace trace;
  std::uint64_t hash = 0;
};
[[nodiscard]] KeptRun run_and_keep(const Program& program, std::uint64_t seed, TraceStore::Keeps keeps);

// Sets program, profile, trace and hash; a trace is moved out of side.file. Appends the scenario's diagnostics to
// `problems`; false when the scenario cannot be run.
[[nodiscard]] bool run_side(Side& side, TraceStore::Keeps keeps, Diagnostics& problems);

[[nodiscard]] TraceStore::Keeps keeps_for(const RowOptions& options);

}  // namespace loopsim::cli
