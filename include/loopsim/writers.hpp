// The sinks that come with loopsim.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loopsim/language.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

class ExplanationSink;  // explain.hpp

// Canonical JSON lines (docs/trace-format.md): a header line, then one line per event. Integers only, keys in fixed
// order.
[[nodiscard]] std::unique_ptr<TraceSink> make_jsonl_writer(ByteOutput& output);

// The same trace in a form of columns (docs/trace-format.md), which a compressor makes fifty times as small as the lines.
// Memory: the columns of one block, some 300 KiB, and the texts of the file.
[[nodiscard]] std::unique_ptr<TraceSink> make_compact_writer(ByteOutput& output);

// XXH64 (seed 0) of the canonical JSON lines after the header line, like `tail -n +2 trace.jsonl | xxhsum -H64`.
class HashSink : public TraceSink {
 public:
  [[nodiscard]] virtual std::uint64_t hash() const = 0;
};
[[nodiscard]] std::unique_ptr<HashSink> make_hash_sink();
// Also writes the JSON lines, formatted once for both.
[[nodiscard]] std::unique_ptr<HashSink> make_hashing_jsonl_writer(ByteOutput& output);
[[nodiscard]] std::string format_hash(std::uint64_t hash);  // 16 hexadecimal digits

// What is known of a callback beyond the trace, such as a race (races.hpp). Writers take these ordered by `id`, one or
// more for each; they must outlive the writer. The text is plain, and goes through printable().
struct CallbackNote {
  std::uint64_t id = 0;  // Event::id
  std::string text;
};
// Those of one callback.
[[nodiscard]] std::span<const CallbackNote> notes_on(std::span<const CallbackNote> notes, std::uint64_t id);

// What the program prints, line by line as its console would show it: standard output to `output`, standard error to `errors`.
// Both must outlive the writer, and may be the same.
[[nodiscard]] std::unique_ptr<TraceSink> make_console_writer(ByteOutput& output, ByteOutput& errors);

struct TextOptions {
  bool color = false;                        // ANSI colours
  int width = 100;                           // columns to wrap at
  bool summary = true;                       // end with the summary
  bool queues = false;                       // show the contents of the queues at each phase; nothing is folded then
  bool all = false;                          // show each repetition instead of folding them (docs/formats.md)
  const HashSink* hash = nullptr;            // for the summary; must precede this sink in the list of sinks
  std::span<const CallbackNote> notes = {};  // shown where their callbacks begin; these are not folded
  Language language = Language::english;
};
// A human-readable timeline.
[[nodiscard]] std::unique_ptr<TraceSink> make_text_writer(ByteOutput& output, const TextOptions& options = {});

// A table of callbacks for spreadsheets and data frames: CSV (RFC 4180, with line feeds), a header and one row per
// callback that began, in that order. Every row repeats the run's id, runtime, seed, title and parameters. Columns:
// docs/formats.md.
// Memory: the rows of callbacks that began since the oldest open one, and the schedule times of outstanding callbacks.
struct CsvOptions {
  // Input of the run, such as the document's text. The run's id is XXH64 (seed 0) of it and of the facts in the trace's
  // header.
  std::string_view source = {};
};
[[nodiscard]] std::unique_ptr<TraceSink> make_csv_writer(ByteOutput& output, const CsvOptions& options = {});

// For trace viewers (docs/formats.md): the JSON form of Chromium's Trace Event Format, for ui.perfetto.dev, chrome://tracing
// and speedscope; or Perfetto's own form, a protobuf, with the same content. The scenario is a process; its tracks are
// the loop's phases, the callbacks and the pool threads. Times are exact to the nanosecond.
// Memory: open spans, and callbacks that are scheduled but have not begun; with `spread` also 16 bytes per time at which
// callbacks ran; of the protobuf also its names, up to 4096, and a row for each interval of those that are open at once.
enum class PerfettoForm : std::uint8_t { json, protobuf };
struct PerfettoOptions {
  PerfettoForm form = PerfettoForm::json;
  // Shows the order of callbacks that take no time: every callback, drain and phase is shown at least 1 us wide, and
  // everything after it that much later. The trace says so, and has the times of the run as arguments (docs/formats.md).
  bool spread = false;
};
[[nodiscard]] std::unique_ptr<TraceSink> make_perfetto_writer(ByteOutput& output, const PerfettoOptions& options = {});

struct SvgOptions {
  const HashSink* hash = nullptr;  // for the drawing; must precede this sink in the list of sinks
  int height = 1100;               // approximate height of the timeline; a longer run is truncated, with a note
  // Marked at their callbacks, which are not folded, and written below the drawing.
  std::span<const CallbackNote> notes = {};
  Language language = Language::english;
  bool all = false;  // draw each repetition instead of folding them
};
// A static timeline for slides and papers: SVG 1.1, 960 wide, readable in black and white (docs/formats.md). Written at
// the end of the run; memory is bounded by `height`. With the default the drawing fits on a page of A4.
[[nodiscard]] std::unique_ptr<TraceSink> make_svg_writer(ByteOutput& output, const SvgOptions& options = {});

struct MappedScript;  // scenario.hpp
struct RacesResult;   // races.hpp

// What of a long run a page has in a form of a tenth of the size, which it reads by parts, instead of as JSON: the lines of
// the trace and the reasons behind the first ones (docs/page.md).
class PagePacking {
 public:
  virtual ~PagePacking() = default;
  [[nodiscard]] virtual ByteOutput& trace() = 0;  // takes the lines of the trace, all of them
  virtual void end_trace() = 0;
  [[nodiscard]] virtual ExplanationSink& reasons() = 0;
  virtual void end_reasons() = 0;
};
// `page` is written as it is, `data` into the present script element, which it escapes for; both must outlive the result. Null: in a
// program without packing.
[[nodiscard]] std::unique_ptr<PagePacking> make_page_packing(ByteOutput& page, ByteOutput& data);

// Content of the page besides the trace. All of it must outlive the writer.
struct HtmlOptions {
  // The built page (tools/page), with kHtmlDataMark once, in place of a run's data.
  std::string_view page;
  std::string_view file;                 // the document's name
  std::string_view document;             // the document as read (UTF-8)
  const MappedScript* script = nullptr;  // its JavaScript, with the lines of each part of the document
  bool is_script = false;                // the program is that JavaScript: places in the trace are in it
  const HashSink* hash = nullptr;        // for the page; must precede this sink in the list of sinks
  const RacesResult* races = nullptr;    // told with the explanations of their callbacks
  // The page's first language; its reader may switch. Empty: that of the reader's browser.
  std::optional<Language> language = std::nullopt;
  bool all = false;  // leave out nothing of long repetitions
  // make_page_packing, or null: all is JSON. So it is in the playground, whose runs are short and whose program has to be fetched.
  std::unique_ptr<PagePacking> (*packing)(ByteOutput& page, ByteOutput& data) = nullptr;
};
inline constexpr std::string_view kHtmlDataMark = "<!--loopsim:data-->";

// A self-contained page (docs/page.md): the source, the loop, its queues and the timeline at every event. It contains
// the trace as canonical JSON lines, of long repetitions the first and the last, and what is left out of them as
// numbers; texts of the scenario cannot become markup. Writes during the run; memory as for an Explainer.
[[nodiscard]] std::unique_ptr<TraceSink> make_html_writer(ByteOutput& output, const HtmlOptions& options);

// The summary of a run in one line, without a newline; without a hash if `hash` is null.
[[nodiscard]] std::string format_summary(const RunSummary& summary, const HashSink* hash,
                                         Language language = Language::english);

// Passes a run on without its steps (is_step), as the same program would have reported it without CompileOptions::steps.
// `next` must outlive it.
[[nodiscard]] std::unique_ptr<TraceSink> make_sink_without_steps(TraceSink& next);

// Of the runtime `io`: the system calls of each process, one a line, in the order in which they return (docs/io-models.md). Rounds of
// calls in vain are one line.
[[nodiscard]] std::unique_ptr<TraceSink> make_calls_writer(ByteOutput& output);

// Data for `check`: output lines, callbacks in order of begin, by name, and the exit.
struct Recording {
  struct Begun {
    std::string name;
    TimeNs at;
  };
  std::vector<std::string> output;
  std::vector<Begun> callbacks;
  std::vector<std::pair<std::string, std::vector<std::string>>> calls;  // of the runtime `io`: by model
  RunSummary summary;
};
class Recorder : public TraceSink {
 public:
  [[nodiscard]] virtual const Recording& recording() const = 0;
};
[[nodiscard]] std::unique_ptr<Recorder> make_recorder();

}  // namespace loopsim
