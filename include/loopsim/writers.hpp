// The sinks that come with loopsim.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "loopsim/trace.hpp"

namespace loopsim {

// Canonical JSON lines (docs/trace-format.md): a header line, then one line an event. Only integers, keys in fixed order.
[[nodiscard]] std::unique_ptr<TraceSink> make_jsonl_writer(ByteOutput& output);

// XXH64 (seed 0) over the canonical JSON lines after the header line, as `tail -n +2 trace.jsonl | xxhsum -H64` computes it.
class HashSink : public TraceSink {
 public:
  [[nodiscard]] virtual std::uint64_t hash() const = 0;
};
[[nodiscard]] std::unique_ptr<HashSink> make_hash_sink();
// Writes the JSON lines as well, formatting them once for both.
[[nodiscard]] std::unique_ptr<HashSink> make_hashing_jsonl_writer(ByteOutput& output);
[[nodiscard]] std::string format_hash(std::uint64_t hash);  // 16 hexadecimal digits

struct TextOptions {
  bool color = false;              // ANSI colours
  int width = 100;                 // columns to wrap at
  bool summary = true;             // end with the summary
  bool queues = false;             // tell at each phase what stands in the queues
  const HashSink* hash = nullptr;  // the hash that the summary shows; that sink must stand before this one
};
// A timeline for people.
[[nodiscard]] std::unique_ptr<TraceSink> make_text_writer(ByteOutput& output, const TextOptions& options = {});

// A table of callbacks for spreadsheets and data frames: CSV (RFC 4180, with line feeds), a header and one row for every callback
// that began, in that order. Every row repeats what tells runs apart: the run's id, runtime, seed, title and parameters. Columns:
// docs/formats.md.
// Holds the rows of callbacks that began since the oldest open one, and the times at which outstanding callbacks were asked for.
struct CsvOptions {
  // What the run was made from: the document's text, say. The run's id is XXH64 (seed 0) of it, and of what the trace's header says.
  std::string_view source = {};
};
[[nodiscard]] std::unique_ptr<TraceSink> make_csv_writer(ByteOutput& output, const CsvOptions& options = {});

// The JSON form of Chromium's Trace Event Format, for ui.perfetto.dev, chrome://tracing and speedscope (docs/formats.md): the
// scenario is a process; the loop's phases, callbacks and threads of the pool are its tracks. Times are exact to the nanosecond.
// Holds what is open, and what was asked for and has not begun.
[[nodiscard]] std::unique_ptr<TraceSink> make_perfetto_writer(ByteOutput& output);

struct SvgOptions {
  const HashSink* hash = nullptr;  // the hash that the drawing shows; that sink must stand before this one
  int height = 1100;               // of the timeline, about: where a long run is cut, which the drawing then says
};
// A still timeline for slides and papers: SVG 1.1, 960 wide, readable in black and white (docs/formats.md). Written when the run
// ends; holds what it draws, which `height` limits. As it is, the whole fits on a page of A4.
[[nodiscard]] std::unique_ptr<TraceSink> make_svg_writer(ByteOutput& output, const SvgOptions& options = {});

struct MappedScript;  // scenario.hpp

// What the page shows beside the trace. All of it must live as long as the writer.
struct HtmlOptions {
  // The page as it was built (tools/page), with kHtmlDataMark once where the data of a run belong.
  std::string_view page;
  std::string_view file;                 // the document's name
  std::string_view document;             // the document, as it was read (UTF-8)
  const MappedScript* script = nullptr;  // its JavaScript, and where each part of the document stands there
  const HashSink* hash = nullptr;        // whose hash the page shows; that sink must stand before this one
};
inline constexpr std::string_view kHtmlDataMark = "<!--loopsim:data-->";

// One self-contained page (docs/page.md): the source, the loop, its queues and the timeline at every event. The trace in it is the
// canonical JSON lines; texts of the scenario cannot become markup. Writes as the run goes on, and holds what an explainer does.
[[nodiscard]] std::unique_ptr<TraceSink> make_html_writer(ByteOutput& output, const HtmlOptions& options);

// The summary of a run in one line, without a newline; without a hash when `hash` is null.
[[nodiscard]] std::string format_summary(const RunSummary& summary, const HashSink* hash);

// Keeps what `check` needs: output lines, callbacks begun by name, exit.
struct Recording {
  struct Begun {
    std::string name;
    TimeNs at;
  };
  std::vector<std::string> output;
  std::vector<Begun> callbacks;
  RunSummary summary;
};
class Recorder : public TraceSink {
 public:
  [[nodiscard]] virtual const Recording& recording() const = 0;
};
[[nodiscard]] std::unique_ptr<Recorder> make_recorder();

}  // namespace loopsim
