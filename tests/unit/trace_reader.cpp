// The trace reader: accepted traces, and messages for others; tests/property/read_traces.cpp reads loopsim's own.
#include "loopsim/trace_reader.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/version.hpp"
#include "loopsim/writers.hpp"

using namespace loopsim;

namespace {

const std::string kHeader =
    R"({"loopsim_trace":2,"program":"0.0.9","scenario":"T","runtime":"node-24","libuv":"1.52.1","entry":"commonjs",)"
    R"("machine":"ideal","threadpool":4,"seed":18446744073709551615,"clock_phase":0,"params":{"n":3,"d":"5ms"}})"
    "\n";
const std::string kBegin =
    R"({"seq":1,"t":0,"loop":0,"turn":0,"phase":"main","ev":"callback_begin","api":"main","id":1,"name":"main"})"
    "\n";
const std::string kLog =
    R"({"seq":2,"t":0,"loop":0,"turn":0,"phase":"main","ev":"log","text":"a \"b\"\n\u0001é","line":3})"
    "\n";
const std::string kExit = R"({"seq":3,"t":5,"loop":0,"turn":0,"phase":"exit","ev":"exit","code":0,"why":"loop_empty"})"
                          "\n";
const std::string kTrace = kHeader + kBegin + kLog + kExit;

struct Reading {
  std::string written;  // output of a writer behind the reader
  std::string messages;
  bool has_ended = false;
};

class EndNote final : public TraceSink {
 public:
  void begin(const RunInfo&) override {}
  void events(const EventBatch&) override {}
  void end(const RunSummary& run_summary) override {
    summary = run_summary;
    has_ended = true;
  }
  RunSummary summary;
  bool has_ended = false;
};

Reading reading(std::string_view text) {
  StringOutput output;
  const auto writer = make_jsonl_writer(output);
  EndNote note;
  TraceSink* const sinks[] = {writer.get(), &note};
  Reading result;
  for (const Diagnostic& diagnostic : read_trace(text, "t.jsonl", sinks)) {
    result.messages += diagnostic.file + ":" + std::to_string(diagnostic.line) + ":" +
                       std::to_string(diagnostic.column) + ": " +
                       (diagnostic.pointer.empty() ? "" : diagnostic.pointer + ": ") + diagnostic.message + "\n";
  }
  result.written = output.text();
  result.has_ended = note.has_ended;
  CHECK(result.has_ended == result.messages.empty());
  return result;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// The messages for a trace with a replacement.
std::string messages_with(const std::string& from, const std::string& to) {
  return reading(replaced(kTrace, from, to)).messages;
}

}  // namespace

TEST_CASE("a trace is read back as it was written", "[reader]") {
  const Reading result = reading(kTrace);
  CHECK(result.messages.empty());
  CHECK(result.written == kTrace);
}

TEST_CASE("blanks, other escapes, another order of keys and no last line feed change nothing", "[reader]") {
  CHECK(reading(replaced(kTrace, R"("seq":2,"t":0)", R"( "t" : 0 , "seq" : 2)")).written == kTrace);
  CHECK(reading(replaced(kTrace, "\\u0001é", "\\u0001\\u00e9")).written == kTrace);
  CHECK(reading(replaced(kTrace, "\n", "\r\n")).written == kTrace);
  CHECK(reading(kTrace.substr(0, kTrace.size() - 1)).written == kTrace);
  CHECK(reading(replaced(kTrace, "é", "\\u4e2d")).written == replaced(kTrace, "é", "中"));
  const std::string clef = replaced(kTrace, "é", "\xF0\x9D\x84\x9E");
  CHECK(reading(replaced(kTrace, "é", "\\uD834\\uDD1E")).written == clef);
}

TEST_CASE("half of a surrogate pair is no character", "[reader]") {
  for (const char* half : {"\\uDD1E", "\\uD834", "\\uD834\\n", "\\uD834\\u0041", "\\uD834\\uD834"}) {
    INFO(half);
    CHECK(messages_with("é", half).ends_with(": half of a surrogate pair\n"));
  }
}

TEST_CASE("the summary of a trace that is read is that of its run", "[reader]") {
  EndNote note;
  TraceSink* const sinks[] = {&note};
  CHECK(read_trace(replaced(kTrace, R"("code":0)", R"("code":7)"), "t", sinks).empty());
  CHECK(note.summary.exit_code == 7);
  CHECK(note.summary.events == 3);
  CHECK(note.summary.callbacks == 1);
  CHECK(note.summary.end_time == 5);
}

TEST_CASE("what is no trace is told with its place and what was expected", "[reader]") {
  CHECK(reading("").messages == "t.jsonl:1:1: the file is empty: expected the header line of a trace\n");
  CHECK(reading("hello\n").messages == "t.jsonl:1:1: not JSON: expected a JSON object: {\n");
  CHECK(reading("hello").messages == "t.jsonl:1:1: the last line is cut off, or no JSON: expected a JSON object: {\n");
  CHECK(reading("{}\n").messages ==
        "t.jsonl:1:1: this is no trace: expected a header line that begins with {\"loopsim_trace\":2\n");
  CHECK(messages_with("\"loopsim_trace\":2", "\"loopsim_trace\":1") ==
        "t.jsonl:1:18: /loopsim_trace: this is version 1 of the trace format: expected 2; run the scenario again to "
        "have its "
        "trace in this version\n");
  CHECK(messages_with(",\"seed\":18446744073709551615", "") ==
        "t.jsonl:1:1: missing key \"seed\": expected a number from 0 to 2^64-1\n");
  CHECK(messages_with("18446744073709551615", "18446744073709551616") ==
        "t.jsonl:1:149: /seed: expected a number from 0 to 2^64-1, not 18446744073709551616\n");
  CHECK(messages_with("\"params\":{\"n\":3,\"d\":\"5ms\"}", "\"params\":[]") ==
        "t.jsonl:1:195: /params: expected an object, not []\n");
  CHECK(messages_with("\"clock_phase\":0", "\"clock_phase\":0,\"colour\":1") ==
        "t.jsonl:1:186: the header has no key \"colour\"\n");
}

TEST_CASE("mistakes in events are told with their place", "[reader]") {
  CHECK(messages_with("\"ev\":\"log\"", "\"ev\":\"logg\"") ==
        "t.jsonl:3:54: /ev: there is no event \"logg\": expected one of version 2 of the trace format\n");
  CHECK(messages_with(",\"ev\":\"log\"", "") == "t.jsonl:3:1: missing key \"ev\": expected the kind of event\n");
  CHECK(messages_with(",\"why\":\"loop_empty\"", "") ==
        "t.jsonl:4:1: missing key \"why\" of event \"exit\": expected one of loop_empty, process_exit, "
        "uncaught_exception, limit, unsettled_await, signal, main_returned\n");
  CHECK(messages_with("\"loop_empty\"", "\"boredom\"") ==
        "t.jsonl:4:76: /why: expected one of loop_empty, process_exit, uncaught_exception, limit, unsettled_await, "
        "signal, main_returned, "
        "not \"boredom\"\n");
  CHECK(messages_with("\"code\":0", "\"code\":0.5") == "t.jsonl:4:68: /code: expected a whole number, not 0.5\n");
  CHECK(messages_with("\"id\":1", "\"id\":-1") == "t.jsonl:2:89: /id: expected a number from 0, not -1\n");
  CHECK(messages_with("\"id\":1", "\"id\":1,\"id\":2") == "t.jsonl:2:91: the key \"id\" is given twice\n");
  CHECK(messages_with("\"line\":3", "\"lane\":3") == "t.jsonl:3:87: event \"log\" has no key \"lane\"\n");
  CHECK(messages_with("\"line\":3", "\"line\":4294967296") ==
        "t.jsonl:3:94: /line: expected a whole number, not 4294967296\n");
  CHECK(messages_with("\"turn\":0,\"phase\":\"main\",\"ev\":\"log\"", "\"turn\":0,\"phase\":\"mane\",\"ev\":\"log\"") ==
        "t.jsonl:3:42: /phase: expected one of main, timers, pending, idle, prepare, poll, check, closing, "
        "task, rendering, idlePeriod, beforeExit, exit, not \"mane\"\n");
  CHECK(messages_with("\\u0001", "\\u001") == "t.jsonl:3:82: not JSON: expected four hexadecimal digits after \\u\n");
  CHECK(messages_with("\\u0001", "\\ud800") == "t.jsonl:3:83: not JSON: half of a surrogate pair\n");
  CHECK(messages_with("é", "\xE9") == "t.jsonl:3:83: invalid UTF-8\n");
  CHECK(messages_with("\"line\":3}", "\"line\":3,}") == "t.jsonl:3:96: not JSON: expected a key in quotes\n");
  CHECK(messages_with("\"line\":3}", "\"line\":03}") == "t.jsonl:3:94: not JSON: a number may not begin with 0\n");
}

TEST_CASE("each key of the header is asked for", "[reader]") {
  const std::pair<const char*, const char*> members[] = {{"program", "\"0.0.9\""},   {"scenario", "\"T\""},
                                                         {"runtime", "\"node-24\""}, {"libuv", "\"1.52.1\""},
                                                         {"entry", "\"commonjs\""},  {"machine", "\"ideal\""}};
  for (const auto& [key, value] : members) {
    const std::string member = "\"" + std::string(key) + "\":" + value + ",";
    CHECK(messages_with(member, "") == "t.jsonl:1:1: missing key \"" + std::string(key) + "\": expected a text\n");
  }
}

TEST_CASE("of a long value forty bytes are shown, and no half character", "[reader]") {
  const auto shown = [](const std::string& value) { return messages_with("\"code\":0", "\"code\":" + value); };
  const std::string digits(50, '1');
  CHECK(shown(digits) == "t.jsonl:4:68: /code: expected a whole number, not " + digits.substr(0, 40) + "...\n");
  CHECK(shown('"' + std::string(38, 'a') + '"') ==
        "t.jsonl:4:68: /code: expected a whole number, not \"" + std::string(38, 'a') + "\"\n");
  CHECK(shown('"' + std::string(38, 'a') + "\xE4\xB8\xAD\"") ==
        "t.jsonl:4:68: /code: expected a whole number, not \"" + std::string(38, 'a') + "...\n");
}

TEST_CASE("lines that are missing, twice or too many are told", "[reader]") {
  CHECK(reading(kHeader + kBegin + kExit).messages ==
        "t.jsonl:3:1: /seq: event 3 stands where 2 was expected: lines are missing, or in another order\n");
  CHECK(reading(kTrace + kExit).messages ==
        "t.jsonl:5:1: nothing follows the exit event: expected the end of the trace\n");
  CHECK(reading(kHeader + kBegin + kLog).messages ==
        "t.jsonl:4:1: the trace ends before its exit event: it has been cut off\n");
  CHECK(reading(kHeader).messages == "t.jsonl:2:1: the trace ends before its exit event: it has been cut off\n");
  CHECK(reading(kTrace.substr(0, kTrace.size() - 10)).messages ==
        "t.jsonl:4:80: the last line is cut off, or no JSON: expected the quote that ends the text\n");
  CHECK(messages_with("\"seq\":1,\"t\":0", "\"seq\":1,\"t\":9") ==
        "t.jsonl:3:1: /t: time goes back: expected at least 9, as in the line before\n"
        "t.jsonl:4:1: /t: time goes back: expected at least 9, as in the line before\n");
  CHECK(reading(kHeader + "\n" + kBegin + kLog + kExit).messages ==
        "t.jsonl:2:1: not JSON: expected a JSON object: {\n");
}

TEST_CASE("after a mistake reading goes on, and sinks hear no more", "[reader]") {
  const std::string broken = replaced(replaced(kTrace, "\"log\"", "\"lug\""), "\"loop_empty\"", "\"boredom\"");
  const Reading result = reading(broken);
  CHECK(std::count(result.messages.begin(), result.messages.end(), '\n') == 2);
  CHECK(result.written == kHeader);
  std::string many = kHeader;
  for (int i = 0; i < 100; ++i) many += "nonsense\n";
  const Reading stopped = reading(many);
  CHECK(std::count(stopped.messages.begin(), stopped.messages.end(), '\n') == 20);
}

TEST_CASE("a line without an end is not kept", "[reader]") {
  const auto reader = make_trace_reader("t.jsonl", {});
  const std::string piece(1U << 20U, 'x');
  for (int i = 0; i < 100; ++i) reader->read(piece);
  reader->finish();
  REQUIRE(reader->diagnostics().size() == 1);
  CHECK(reader->diagnostics().front().message == "this line is longer than 16 MiB: expected a line of a trace");
  CHECK(reader->diagnostics().front().line == 1);
}

TEST_CASE("a mistake is shown with its line, unless that cannot be shown", "[reader]") {
  const Diagnostics shown = read_trace(replaced(kTrace, "\"code\":0", "\"code\":null"), "t.jsonl", {});
  REQUIRE(shown.size() == 1);
  CHECK(to_string(shown.front()) ==
        "t.jsonl:4:68: error: /code: expected a whole number, not null\n"
        "  {\"seq\":3,\"t\":5,\"loop\":0,\"turn\":0,\"phase\":\"exit\",\"ev\":\"exit\",\"code\":null,\"why\":"
        "\"loop_empty\"}\n"
        "                                                                     ^\n");
  const Diagnostics binary = read_trace(std::string("\x01\x02\n", 3), "t.jsonl", {});
  REQUIRE(binary.size() == 1);
  CHECK(binary.front().source_line.empty());
}
