// Arbitrary bytes as a trace: `diff`'s reader accepts them or reports errors; the writers handle all accepted events.

#include <string>

#include "loopsim/trace_reader.hpp"
#include "loopsim/writers.hpp"

#include "sim/trace/utf8.hpp"
#include "tests/fuzz/require.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loopsim;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  StringOutput lines, text, table, viewer;
  const auto jsonl = make_jsonl_writer(lines);
  const auto timeline = make_text_writer(text);
  const auto csv = make_csv_writer(table);
  const auto perfetto = make_perfetto_writer(viewer);
  StringOutput packets;
  const auto protobuf = make_perfetto_writer(packets, {.form = PerfettoForm::protobuf});
  const auto recorder = make_recorder();
  StringOutput columns;
  const auto compact = make_compact_writer(columns);
  TraceSink* const all[] = {jsonl.get(),    timeline.get(), csv.get(),    perfetto.get(),
                            protobuf.get(), recorder.get(), compact.get()};
  const Diagnostics problems = read_trace(bytes, "fuzz.jsonl", all);
  for (const Diagnostic& problem : problems) {
    fuzz::require(find_invalid_utf8(to_string(problem)) == std::string_view::npos, "a diagnostic is UTF-8");
  }

  // The same bytes, in pieces.
  StringOutput pieces;
  const auto piecewise = make_jsonl_writer(pieces);
  TraceSink* const sinks[] = {piecewise.get()};
  const auto reader = make_trace_reader("fuzz.jsonl", sinks);
  for (std::size_t at = 0; at < bytes.size(); at += 7) reader->read(std::string_view(bytes).substr(at, 7));
  reader->finish();
  fuzz::require(reader->diagnostics().size() == problems.size(), "pieces have the same problems");
  if (!problems.empty()) return 0;
  fuzz::require(pieces.text() == lines.text(), "pieces say the same");

  StringOutput again;
  const auto rewriter = make_jsonl_writer(again);
  TraceSink* const second[] = {rewriter.get()};
  fuzz::require(read_trace(lines.text(), "again.jsonl", second).empty(), "what was written can be read");
  fuzz::require(again.text() == lines.text(), "and gives the same bytes again");

  StringOutput from_columns;
  const auto last = make_jsonl_writer(from_columns);
  TraceSink* const third[] = {last.get()};
  fuzz::require(read_trace(columns.text(), "again.compact", third).empty(), "the compact form can be read");
  fuzz::require(from_columns.text() == lines.text(), "and says the same");
  return 0;
}
