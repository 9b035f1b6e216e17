// Reads a trace from its canonical JSON lines or from the compact form of them (docs/trace-format.md) and passes it to
// sinks, as a run does. Which of the two it is, is known by how it begins.
//
// Reader and writer share one table, event_table(). For every trace written by loopsim, a JSON lines writer used as a
// sink of the reader reproduces the same bytes.
//
// Of JSON lines, blanks between tokens and another order of keys are accepted. Any other deviation is reported in diagnostics, with
// its position: wrong version, unknown or missing keys, missing events, truncated end.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "loopsim/diagnostic.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

// Accepts a trace in pieces of any size. Buffers one line at a time, of at most 16 MiB, or one block of at most 40.
//
// Calls the sinks' begin() after the header, then events() in batches, and end() in finish(). After the first error the
// sinks are not called again, not even end(). RunInfo::names is empty; names come with the batches
// (EventBatch::new_names).
class TraceReader {
 public:
  virtual ~TraceReader() = default;
  virtual void read(std::string_view bytes) = 0;
  virtual void finish() = 0;  // end of the trace; call once

  // Errors in the order of the lines; reading stops after about twenty. Empty: the trace is valid.
  [[nodiscard]] virtual const Diagnostics& diagnostics() const = 0;
};

// Whether a file that begins with these bytes, 16 of them or more, is a compact trace.
[[nodiscard]] bool is_compact_trace(std::string_view beginning);

// `file` is only used in messages.
[[nodiscard]] std::unique_ptr<TraceReader> make_trace_reader(std::string file, std::span<TraceSink* const> sinks);

// Reads a whole trace at once.
Diagnostics read_trace(std::string_view text, std::string file, std::span<TraceSink* const> sinks);

}  // namespace loopsim
