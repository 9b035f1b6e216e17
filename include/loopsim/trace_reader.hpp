// Reads a trace back from its canonical JSON lines (docs/trace-format.md) and plays it to sinks, as a run would.
//
// Reader and writer work from one table, event_table(), so what one writes the other reads: for every trace that loopsim has
// written, a JSON lines writer behind the reader gives the same bytes again.
//
// Accepted is what says the same in other clothes, too: blanks between tokens, keys in another order. Everything else that is not
// a trace is told in diagnostics, with its place: wrong version, unknown or missing keys, events left out, a cut-off end.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "loopsim/diagnostic.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

// Takes a trace in pieces of any size; keeps one line of it at a time, and of no more than 16 MiB.
//
// The sinks hear begin() once the header has been read, then events in batches, and end() in finish(). From the first error on
// they hear nothing any more, and no end(). Of RunInfo they are given no names: those come with the batches
// (EventBatch::new_names).
class TraceReader {
 public:
  virtual ~TraceReader() = default;
  virtual void read(std::string_view bytes) = 0;
  virtual void finish() = 0;  // the trace is over; to be called once

  // What is wrong, in the order of the lines; at most some twenty, then reading stops. Empty: it was a trace.
  [[nodiscard]] virtual const Diagnostics& diagnostics() const = 0;
};

// `file` is only used in messages.
[[nodiscard]] std::unique_ptr<TraceReader> make_trace_reader(std::string file, std::span<TraceSink* const> sinks);

// A whole trace at once.
Diagnostics read_trace(std::string_view text, std::string file, std::span<TraceSink* const> sinks);

}  // namespace loopsim
