#include "tools/loopsim/diff/diff_side.hpp"

#include <array>
#include <utility>

#include "loopsim/trace_reader.hpp"
#include "loopsim/writers.hpp"

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/played_file.hpp"
#include "tools/loopsim/io/scenario_input.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/step_ceiling.hpp"

namespace loopsim::cli {
TraceStore::Keeps keeps_for(const RowOptions& options) {
  return options.all_events ? TraceStore::Keeps::all_events : TraceStore::Keeps::what_programs_notice;
}

std::optional<DiffFile> read_diff_file(const std::string& path, TraceStore::Keeps keeps) {
  DiffFile file;
  file.path = path;
  TraceStore store(keeps);
  const std::unique_ptr<HashSink> hash = make_hash_sink();
  const std::array<TraceSink*, 2> sinks = {&store, hash.get()};
  std::unique_ptr<TraceReader> reader;
  bool is_first = true;
  bool fits = true;
  const auto begin = [&](std::string_view piece) {
    file.is_trace = looks_like_trace(piece, path);
    if (file.is_trace) reader = make_trace_reader(input_name(path), sinks);
    is_first = false;
  };
  const bool was_read = read_trace_or_document(path, [&](std::string_view piece) {
    if (is_first) begin(piece);
    if (reader == nullptr) {
      fits = add_to_document(file.document, piece, path);
      return fits;
    }
    reader->read(piece);
    return true;
  });
  if (!was_read || !fits) return std::nullopt;
  if (is_first) begin({});
  if (reader == nullptr) {
    file.document = scenario_text(std::move(file.document), path);
    return file;
  }

  reader->finish();
  report_diagnostics(reader->diagnostics());
  if (!reader->diagnostics().empty()) return std::nullopt;
  file.trace = std::move(store.trace());
  file.hash = hash->hash();
  return file;
}

KeptRun run_and_keep(const Program& program, std::uint64_t seed, TraceStore::Keeps keeps) {
  TraceStore store(keeps);
  const std::unique_ptr<HashSink> hash = make_hash_sink();
  const std::array<TraceSink*, 2> sinks = {&store, hash.get()};
  run(program, seed, sinks);
  return {std::move(store.trace()), hash->hash()};
}

bool run_side(Side& side, TraceStore::Keeps keeps, Diagnostics& problems) {
  if (side.file->is_trace) {
    side.trace = std::move(side.file->trace);
    side.hash = side.file->hash;
    return true;
  }
  ReadResult read = read_scenario(side.file->document, input_name(side.file->path),
                                  with_files(capped(side.options), side.file->path));
  problems.insert(problems.end(), read.diagnostics.begin(), read.diagnostics.end());
  if (!read.scenario) return false;
  const CompileResult compiled = compile(*read.scenario);
  problems.insert(problems.end(), compiled.diagnostics.begin(), compiled.diagnostics.end());
  if (compiled.program == nullptr) return false;
  side.program = compiled.program;
  side.profile = find_profile(read.scenario->runtime.profile);
  KeptRun kept = run_and_keep(*side.program, read.scenario->seed, keeps);
  side.trace = std::move(kept.trace);
  side.hash = kept.hash;
  return true;
}

}  // namespace loopsim::cli
