// One of the two (or more) things that `loopsim diff` compares: a scenario that is run, or a trace that is read.
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

// Reads a file and tells by its beginning what it is. Nothing when it could not be read or is no trace: then that has been reported.
[[nodiscard]] std::optional<DiffFile> read_diff_file(const std::string& path, TraceStore::Keeps keeps);

struct Side {
  DiffFile* file = nullptr;
  ReadOptions options;                     // of a scenario
  std::shared_ptr<const Program> program;  // of a scenario; of a trace when running its scenario gives that trace
  const Profile* profile = nullptr;        // the program's
  std::string name;                        // what the side is called in the output
  StoredTrace trace;
  std::uint64_t hash = 0;
  std::vector<Row> rows;
};

// A program run, as a side keeps it.
struct KeptRun {
  StoredTrace trace;
  std::uint64_t hash = 0;
};
[[nodiscard]] KeptRun run_and_keep(const Program& program, std::uint64_t seed, TraceStore::Keeps keeps);

// Fills in program, profile and trace. What is wrong with the scenario is put into `problems`: false when there is an error among it.
[[nodiscard]] bool run_side(Side& side, TraceStore::Keeps keeps, Diagnostics& problems);

[[nodiscard]] TraceStore::Keeps keeps_for(const RowOptions& options);

}  // namespace loopsim::cli
