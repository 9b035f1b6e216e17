// The compact form of traces: numbers at their bounds, and files that are cut off, changed or made to harm;
// tests/property/read_traces.cpp reads those of all scenarios.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/trace_reader.hpp"
#include "loopsim/writers.hpp"

#include "sim/trace/compact_form.hpp"
#include "tests/support/simulate.hpp"
#include "tests/support/trace_lines.hpp"

using namespace loopsim;

namespace {

struct Reading {
  std::string lines;
  std::string columns;
  std::string messages;
};

Reading reading(std::string_view bytes, std::size_t piece = std::string_view::npos) {
  StringOutput lines, columns;
  const auto jsonl = make_jsonl_writer(lines);
  const auto compact = make_compact_writer(columns);
  TraceSink* const sinks[] = {jsonl.get(), compact.get()};
  const auto reader = make_trace_reader("t", sinks);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) reader->read(bytes.substr(0, piece));
  reader->finish();
  Reading result{lines.text(), columns.text(), ""};
  for (const Diagnostic& diagnostic : reader->diagnostics()) result.messages += to_string(diagnostic);
  return result;
}

// Everything that a program has: names, texts with more than one byte to a letter, promises, requests, errors.
std::string program_trace() {
  return testing::simulate(R"({ "main": [
    { "setTimeout": 5, "as": "t", "do": [ { "log": "é \" \n" } ] }, { "setInterval": 2, "as": "i", "do": [ { "clear": "i" } ] },
    { "fs": "read", "takes": "3ms", "do": [ { "throw": "no" } ] }, { "promise": "p" }, { "reject": "p", "error": "x" },
    { "then": "p", "do": [], "catch": [ { "nextTick": [] } ] },
    { "on": "process", "event": "uncaughtException", "do": [] } ] })")
      .jsonl;
}

std::string number(std::uint64_t value) {
  std::string text;
  for (; value >= 0x80U; value >>= 7U) text.push_back(static_cast<char>(value | 0x80U));
  text.push_back(static_cast<char>(value));
  return text;
}
std::string with_size(const std::string& bytes) { return number(bytes.size()) + bytes; }

// A file whose only block has these bytes.
std::string file_of(const std::string& block) {
  const std::string header = testing::TraceLines("node-24").text();
  return std::string(compact::kMagic) + header + with_size(block) + std::string(1, '\0');
}

}  // namespace

TEST_CASE("a compact trace says what its lines say", "[compact]") {
  const std::string lines = program_trace();
  const Reading once = reading(lines);
  REQUIRE(once.messages.empty());
  const Reading again = reading(once.columns);
  CHECK(again.messages.empty());
  CHECK(again.lines == lines);
  CHECK(again.columns == once.columns);
  for (const std::size_t piece : {1U, 7U, 100U}) CHECK(reading(once.columns, piece).lines == lines);
}

TEST_CASE("numbers at their bounds survive the compact form", "[compact]") {
  testing::TraceLines lines("node-24");
  lines.add(0, "main", R"("ev":"callback_begin","api":"main","id":18446744073709551615,"name":"main")");
  for (const char* const due : {"9223372036854775807", "0", "1", "9223372036854775807"}) {
    for (const char* const id : {"18446744073709551615", "1", "9223372036854775808", "9223372036854775807"}) {
      lines.add(0, "main",
                std::string(R"("ev":"schedule","api":"setTimeout","id":)") + id +
                    R"(,"name":"a","by":18446744073709551615,"as":"first","due":)" + due + R"(,"delay":)" + due +
                    R"(,"odd":true,"handle":9223372036854775807,"line":4294967295,"column":1,"promise":4294967295)");
      lines.add(0, "main", R"("ev":"schedule","api":"setTimeout","id":1,"as":"again")");
      lines.add(0, "main", std::string(R"("ev":"callback_begin","api":"on","id":)") + id + R"(,"by":)" + id);
    }
  }
  lines.add(0, "exit", R"("ev":"exit","code":-9223372036854775808,"why":"loop_empty")");
  const Reading once = reading(lines.text());
  REQUIRE(once.messages.empty());
  REQUIRE(once.lines == lines.text());
  const Reading again = reading(once.columns);
  CHECK(again.messages.empty());
  CHECK(again.lines == lines.text());
}

TEST_CASE("long traces have several blocks, in which nothing is written twice", "[compact]") {
  testing::TraceLines lines("node-24");
  lines.main(0);
  for (int i = 0; i < 70'000; ++i) lines.turn(i);
  lines.add(70'000, "exit", R"("ev":"exit","code":0,"why":"loop_empty")");
  const Reading once = reading(lines.text());
  REQUIRE(once.messages.empty());
  CHECK(reading(once.columns).lines == lines.text());
  CHECK(once.columns.size() < std::size_t{7} * 70'000);

  testing::TraceLines texts("node-24");
  texts.main(0);
  for (int i = 0; i < 30; ++i)
    texts.add(0, "main", R"("ev":"log","text":")" + std::to_string(i) + std::string(100'000, 'x') + "\"");
  texts.add(0, "exit", R"("ev":"exit","code":0,"why":"loop_empty")");
  CHECK(reading(reading(texts.text()).columns).lines == texts.text());
}

TEST_CASE("a compact trace that is cut off anywhere is told about", "[compact]") {
  const std::string columns = reading(program_trace()).columns;
  bool all_are_told = true;
  for (std::size_t size = 1; size < columns.size(); ++size)
    all_are_told = all_are_told && !reading(std::string_view(columns).substr(0, size)).messages.empty();
  CHECK(all_are_told);
  CHECK(reading(std::string_view(columns).substr(0, columns.size() - 1)).messages ==
        "t: error: the compact trace has been cut off behind event " +
            std::to_string(testing::simulate(R"({ "main": [
    { "setTimeout": 5, "as": "t", "do": [ { "log": "é \" \n" } ] }, { "setInterval": 2, "as": "i", "do": [ { "clear": "i" } ] },
    { "fs": "read", "takes": "3ms", "do": [ { "throw": "no" } ] }, { "promise": "p" }, { "reject": "p", "error": "x" },
    { "then": "p", "do": [], "catch": [ { "nextTick": [] } ] },
    { "on": "process", "event": "uncaughtException", "do": [] } ] })")
                               .summary.events) +
            "\n");
  CHECK(reading(columns + "x").messages ==
        "t: error: the compact trace has ended, and more follows: expected the end of the file\n");
}

TEST_CASE("a compact trace with a wrong byte is told about, or means something and is then read back", "[compact]") {
  const std::string columns = reading(program_trace()).columns;
  std::size_t accepted = 0;
  bool ok = true;
  for (std::size_t i = compact::kMagic.size(); i < columns.size(); ++i) {
    for (const unsigned flipped : {0x01U, 0x02U, 0x08U, 0x40U, 0x80U, 0xffU}) {
      std::string changed = columns;
      changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ flipped);
      const Reading once = reading(changed);
      if (!once.messages.empty()) continue;
      ++accepted;
      const Reading again = reading(once.columns);
      ok = ok && again.messages.empty() && again.lines == once.lines && reading(once.lines).lines == once.lines;
    }
  }
  CHECK(ok);
  CHECK(accepted > 100);  // numbers, and letters of names
}

TEST_CASE("blocks that claim more than they have are refused", "[compact]") {
  const auto message = [](const std::string& block) { return reading(file_of(block)).messages; };
  const std::string damaged = "t: error: the compact trace is damaged behind event 0: ";
  CHECK(message(number(0)) == damaged + "a block has 0 events: expected 1 to 32768\n");
  CHECK(message(number(1ULL << 40U)) == damaged + "a block has 1099511627776 events: expected 1 to 32768\n");
  CHECK(message(number(1) + number(1ULL << 60U)) == damaged + "its texts are cut off\n");
  CHECK(message(number(1) + number(1) + number(1ULL << 60U)) == damaged + "its texts are cut off\n");
  CHECK(message(number(1) + number(0) + number(1ULL << 60U)) == damaged + "its kinds of events are cut off\n");
  CHECK(message(number(1) + number(1) + with_size("\xff")) == damaged + "a text is invalid UTF-8\n");
  CHECK(message(number(1) + number(1) + with_size("flight") + number(1) + number(0) + number(0)) ==
        "t: error: there is no event \"flight\": expected one of version 2 of the trace format\n");
  CHECK(message(number(1) + number(1) + with_size("exit") + number(1) + number(0) + number(0) + number(0)) ==
        "t: error: missing key \"code\" of event \"exit\"\n");
  const std::string turn = number(1) + with_size("turn") + number(1) + number(0) + number(0);
  CHECK(message(number(1) + turn + number(99) + number(0)) == damaged + "a column has a wrong number\n");
  CHECK(message(number(1) + turn + number(1) + number(1ULL << 30U)) == damaged + "its columns are cut off\n");
  CHECK(message(number(1) + turn + number(0)) == damaged + "an event of no kind\n");
  CHECK(message(number(1) + turn + number(1) + with_size(std::string(1, '\0')) + number(0)) ==
        damaged + "a column ends too early\n");
  CHECK(message(number(1) + turn + number(1) + with_size(std::string(1, '\0')) + number(7) + with_size(number(64)) +
                number(0)) == damaged + "a mask has unknown bits\n");
  std::string huge = file_of("");
  huge.resize(huge.size() - 2);
  CHECK(reading(huge + number(1ULL << 31U)).messages == damaged + "a block is longer than 40 MiB\n");
}

TEST_CASE("a compact trace of another form or version is refused", "[compact]") {
  CHECK(
      reading("loopsim_compact 2\n{}\n").messages ==
      "t: error: this is no compact trace of a form that is known: expected \"loopsim_compact 1\" as its first line\n");
  std::string columns = reading(program_trace()).columns;
  columns.replace(columns.find("loopsim_trace\":2"), 16, "loopsim_trace\":3");
  CHECK(reading(columns).messages.find("t:2:18: error: /loopsim_trace: this is version 3 of the trace format") == 0);
}
