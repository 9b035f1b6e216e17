#include <algorithm>
#include <limits>
#include <sstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "loopsim/text.hpp"
#include "loopsim/version.hpp"
#include "loopsim/writers.hpp"

#include "tests/unit/trace_events.hpp"

using namespace loopsim;
using namespace loopsim::test;
using nlohmann::json;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string jsonl(const Events& events, const RunInfo& info, std::size_t batch = 1000) {
  StringOutput output;
  events.play(*make_jsonl_writer(output), info, {}, batch);
  return output.text();
}

}  // namespace

TEST_CASE("JSON lines have their keys in a fixed order", "[trace][jsonl]") {
  const std::vector<std::string> lines = lines_of(jsonl(timer_at_105(), timer_info()));
  REQUIRE(lines.size() == 19);
  std::string header = R"({"loopsim_trace":2,"program":"VERSION","scenario":"A 100 ms timer that fires at 105 ms",)"
                       R"("runtime":"node-24","libuv":"1.51.0","entry":"commonjs","machine":"ideal","threadpool":4,)"
                       R"("seed":0,"clock_phase":0,"params":{}})";
  header.replace(header.find("VERSION"), 7, kVersion);
  CHECK(lines[0] == header);
  CHECK(lines[1] ==
        R"({"seq":1,"t":0,"loop":0,"turn":0,"phase":"main","ev":"callback_begin","api":"main","id":1,"name":"main"})");
  CHECK(
      lines[2] ==
      R"({"seq":2,"t":0,"loop":0,"turn":0,"phase":"main","ev":"schedule","api":"setTimeout","id":2,"name":"timer","by":1,)"
      R"("as":"first","due":100000000,"delay":100000000,"line":7})");
  CHECK(
      lines[3] ==
      R"({"seq":3,"t":0,"loop":0,"turn":0,"phase":"main","ev":"schedule","api":"fs","id":3,"name":"someAsyncOperation","by":1,)"
      R"("as":"first","delay":95000000,"op":"read","line":9})");
  CHECK(lines[6] ==
        R"({"seq":6,"t":95000000,"loop":95,"turn":1,"phase":"poll","ev":"poll","rule":"timer","timeout":100,"timer":2,)"
        R"("blocked":95000000,"woke":"event","served":1})");
  CHECK(
      lines[14] ==
      R"({"seq":14,"t":105000000,"loop":105,"turn":1,"phase":"timers","ev":"callback_begin","api":"setTimeout","id":2,)"
      R"("name":"timer","by":1,"due":100000000,"late":5000000,"why":"callback","behind":3})");
  CHECK(lines[18] ==
        R"({"seq":18,"t":105000000,"loop":105,"turn":1,"phase":"exit","ev":"exit","code":0,"why":"loop_empty"})");
}

TEST_CASE("the header names parameters, in their order and their own JSON", "[trace][jsonl]") {
  const std::vector<std::pair<std::string, std::string>> params = {{"z", "5"}, {"a \"b\"", "\"95ms\""}};
  RunInfo info = timer_info();
  info.params = params;
  info.seed = 18446744073709551615U;
  const json header = json::parse(lines_of(jsonl({}, info)).at(0));
  CHECK(header["seed"] == 18446744073709551615U);
  CHECK(header["params"].dump() == R"({"a \"b\"":"95ms","z":5})");
  CHECK(jsonl({}, info).find(R"("params":{"z":5,"a \"b\"":"95ms"}})") != std::string::npos);
}

TEST_CASE("the bytes do not depend on how events come in batches", "[trace][jsonl]") {
  const std::string whole = jsonl(timer_at_105(), timer_info());
  CHECK(jsonl(timer_at_105(), timer_info(), 1) == whole);
  CHECK(jsonl(timer_at_105(), timer_info(), 7) == whole);
}

TEST_CASE("sequence numbers are counted through all digits", "[trace][jsonl]") {
  Events events;
  for (int i = 0; i < 1234; ++i) events.add(EventKind::turn);
  const std::vector<std::string> lines = lines_of(jsonl(events, timer_info()));
  REQUIRE(lines.size() == 1235);
  for (std::size_t i = 1; i < lines.size(); ++i) CHECK(json::parse(lines[i])["seq"] == i);
}

TEST_CASE("the largest numbers and the longest texts fit", "[trace][jsonl]") {
  Events events;
  const std::string text(300'000, '"');
  for (const EventInfo& info : event_table()) {
    Event& event = events.add_text(info.kind, text, kNever, Phase::before_exit, ~0ULL);
    event.sequence = ~0ULL;
    event.loop_time = kNever;
    event.id = event.by = ~0ULL;
    event.line = event.column = event.promise = event.result = ~0U;
    event.a = event.b = event.c = std::numeric_limits<std::int64_t>::min();
    event.name = 1;
  }
  const std::vector<std::string> names = {"", std::string(5000, '\x01')};
  RunInfo info;
  info.names = names;
  const std::vector<std::string> lines = lines_of(jsonl(events, info));
  REQUIRE(lines.size() == event_table().size() + 1);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const json line = json::parse(lines[i]);
    CHECK(line["ev"] == event_table()[i - 1].name);
    CHECK(line["seq"] == ~0ULL);
    if (line.contains("text")) CHECK(line["text"] == text);
  }
}

TEST_CASE("lines without any name have room as well, where the buffer ends", "[trace][jsonl]") {
  class Pieces final : public ByteOutput {
   public:
    void write(std::string_view bytes) override {
      text += bytes;
      longest = std::max(longest, bytes.size());
    }
    std::string text;
    std::size_t longest = 0;
  } pieces;
  Events events;
  for (int i = 0; i < 10'000; ++i) events.add(EventKind::turn);
  events.play(*make_jsonl_writer(pieces), RunInfo{}, {});
  CHECK(pieces.longest <= std::size_t{256} * 1024);
  const std::vector<std::string> lines = lines_of(pieces.text);
  REQUIRE(lines.size() == 10'001);
  for (std::size_t i = 1; i < lines.size(); ++i)
    CHECK(lines[i] == R"({"seq":)" + std::to_string(i) + R"(,"t":0,"loop":0,"turn":0,"phase":"main","ev":"turn"})");
}

TEST_CASE("every field of every kind is written under its key, and left out when it is not there", "[trace][jsonl]") {
  const std::vector<std::string> names = {"name"};
  RunInfo run;
  run.names = names;
  for (const EventInfo& info : event_table()) {
    CAPTURE(info.name);
    Events full;
    Event& event = full.add_text(info.kind, "text");
    event.id = event.by = event.line = event.column = event.promise = event.result = 3;
    event.a = event.b = event.c = 3;
    event.detail = event.detail2 = 1;
    event.api = Api::set_timeout;
    event.name = 0;
    Events empty;
    Event& nothing = empty.add(info.kind);
    nothing.a = nothing.b = nothing.c = -1;

    std::vector<std::string> keys = {"seq", "t", "loop", "turn", "phase", "ev"};
    std::vector<std::string> least = keys;
    for (const FieldInfo& field : info.fields) {
      keys.emplace_back(field.key);
      if (!field.optional) least.emplace_back(field.key);
    }
    const auto keys_of = [](const std::string& line) {
      std::vector<std::string> found;
      const auto object = nlohmann::ordered_json::parse(line);
      for (const auto& item : object.items()) found.push_back(item.key());
      return found;
    };
    if (info.kind == EventKind::enqueue) {  // the text of a reaction is its value, that of others their kind
      const std::vector<std::string> all = keys;
      std::erase(keys, "value");
      Events reaction;
      Event& queued = reaction.add_text(info.kind, "text");
      queued = event;
      queued.api = Api::then;
      std::vector<std::string> of_reaction = all;
      std::erase(of_reaction, "op");
      CHECK(keys_of(lines_of(jsonl(reaction, run)).at(1)) == of_reaction);
    }
    CHECK(keys_of(lines_of(jsonl(full, run)).at(1)) == keys);
    CHECK(keys_of(lines_of(jsonl(empty, run)).at(1)) == least);
  }
}

TEST_CASE("texts are escaped as JSON demands and no further", "[trace][jsonl]") {
  CHECK(json_string("") == R"("")");
  CHECK(json_string("plain text of some length") == R"("plain text of some length")");
  CHECK(json_string("\"\\/\b\f\n\r\t") == R"("\"\\/\b\f\n\r\t")");
  CHECK(json_string(std::string("\0\x1f\x7f", 3)) == "\"\\u0000\\u001f\x7f\"");
  CHECK(json_string("\"\\/\b\f\n\r\t\x1f", JsonEscapes::few) == R"("\"\\/\u0008\u000c\n\u000d\t\u001f")");
  CHECK(json_string("Größe → ∞ 😀") == "\"Größe → ∞ 😀\"");
  for (int position = 0; position < 20; ++position) {  // at each position within the eight bytes scanned at once
    for (int byte = 1; byte < 0x80; ++byte) {
      std::string text(20, 'x');
      text[static_cast<std::size_t>(position)] = static_cast<char>(byte);
      if (json::parse(json_string(text)) != text) FAIL("byte " << byte << " at " << position);
    }
  }
}

TEST_CASE("the hash is that of the lines behind the header", "[trace][hash]") {
  const auto hash_of = [](const Events& events, std::size_t batch) {
    const auto sink = make_hash_sink();
    events.play(*sink, timer_info(), {}, batch);
    return sink->hash();
  };
  CHECK(format_hash(hash_of({}, 1)) == "ef46db3751d8e999");  // XXH64 of the empty input
  CHECK(hash_of(timer_at_105(), 1) == hash_of(timer_at_105(), 1000));

  StringOutput output;
  const auto writer = make_hashing_jsonl_writer(output);
  timer_at_105().play(*writer, timer_info(), {});
  CHECK(output.text() == jsonl(timer_at_105(), timer_info()));
  CHECK(writer->hash() == hash_of(timer_at_105(), 1000));
  timer_at_105().play(*writer, timer_info(), {});  // a second run resets the hash
  CHECK(writer->hash() == hash_of(timer_at_105(), 1000));

  RunInfo other = timer_info();
  other.title = "another title";
  const auto sink = make_hash_sink();
  timer_at_105().play(*sink, other, {});
  CHECK(sink->hash() == hash_of(timer_at_105(), 1000));
}

TEST_CASE("a hash has 16 digits", "[trace][hash]") {
  CHECK(format_hash(0) == "0000000000000000");
  CHECK(format_hash(0x0123456789abcdefU) == "0123456789abcdef");
}

TEST_CASE("the recorder keeps output, callbacks and the end", "[trace][recorder]") {
  const auto recorder = make_recorder();
  timer_at_105().play(*recorder, timer_info(), timer_summary(), 3);
  const Recording& recording = recorder->recording();
  CHECK(recording.output == std::vector<std::string>{"105ms have passed since I was scheduled"});
  REQUIRE(recording.callbacks.size() == 3);
  CHECK(recording.callbacks[1].name == "someAsyncOperation");
  CHECK(recording.callbacks[1].at == 95 * kMillisecond);
  CHECK(recording.callbacks[2].name == "timer");
  CHECK(recording.summary.end_time == 105 * kMillisecond);
}
