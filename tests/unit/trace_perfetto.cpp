#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "loopsim/writers.hpp"

#include "tests/unit/trace_events.hpp"

using namespace loopsim;
using namespace loopsim::test;

namespace {

std::string perfetto(const Events& events) {
  StringOutput output;
  events.play(*make_perfetto_writer(output), timer_info(), timer_summary(), 3);
  return output.text();
}

// The events with one of these phases (B, E, i ...) on this track in file order, each as its phase and name.
std::vector<std::string> on_track(const std::string& text, const std::string& phases, int track) {
  std::vector<std::string> found;
  const auto document = nlohmann::json::parse(text);
  for (const auto& event : document["traceEvents"]) {
    const std::string phase = event["ph"];
    if (phases.find(phase) == std::string::npos || event["tid"] != track || phase == "M") continue;
    found.push_back(phase + " " + event["name"].get<std::string>());
  }
  return found;
}

void begin(Events& events, std::uint64_t id, TimeNs time, std::uint32_t name) {
  Event& event = events.add(EventKind::callback_begin, time);
  event.api = Api::set_timeout, event.id = id, event.name = name, event.a = event.b = event.c = -1;
}

void end(Events& events, std::uint64_t id, TimeNs time) {
  Event& event = events.add(EventKind::callback_end, time);
  event.api = Api::set_timeout, event.id = id;
}

void schedule(Events& events, std::uint64_t id, TimeNs time) {
  Event& event = events.add(EventKind::schedule, time);
  event.api = Api::set_timeout, event.id = id, event.name = 1, event.by = 1, event.a = event.b = event.c = -1;
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

constexpr int kLoop = 1;
constexpr int kCallbacks = 2;

}  // namespace

TEST_CASE("perfetto: phases and callbacks are slices on their tracks") {
  const std::string text = perfetto(timer_at_105());
  CHECK(on_track(text, "BE", kLoop) == std::vector<std::string>{"B main", "E main", "B turn 1", "B poll", "B waits",
                                                                "E waits", "E poll", "B timers", "B RunTimers",
                                                                "E RunTimers", "E timers", "E turn 1"});
  CHECK(on_track(text, "BEsf", kCallbacks) ==
        std::vector<std::string>{"B main", "s asks for", "s asks for", "E main", "B someAsyncOperation", "f asks for",
                                 "B spin", "E spin", "E someAsyncOperation", "B timer", "f asks for", "E timer"});
}

TEST_CASE("perfetto: times are exact, and slices of one nanosecond keep apart") {
  constexpr TimeNs time = 123'456'789'012'345;
  Events events;
  begin(events, 1, time, 0);
  begin(events, 2, time, 1);
  end(events, 2, time);
  end(events, 1, time + 1);
  const std::string text = perfetto(events);
  CHECK(count_of(text, R"("ph":"B","pid":1,"tid":2,"ts":123456789012.345,)") == 1);
  CHECK(count_of(text, R"("ph":"B","pid":1,"tid":2,"ts":123456789012.345001,)") == 1);
  CHECK(count_of(text, R"("ph":"E","pid":1,"tid":2,"ts":123456789012.345002,)") == 1);
  CHECK(count_of(text, R"("ph":"E","pid":1,"tid":2,"ts":123456789012.346,)") == 1);
}

TEST_CASE("perfetto: more slices in a nanosecond than picoseconds stay in that nanosecond") {
  Events events;
  for (std::uint64_t id = 1; id <= 2000; ++id) {
    begin(events, id, 7, 0);
    end(events, id, 7);
  }
  const std::string text = perfetto(events);
  CHECK(count_of(text, R"("tid":2,"ts":0.007999,)") == 2003);
  CHECK(count_of(text, R"("tid":2,"ts":0.008)") == 0);
}

TEST_CASE("perfetto: the arrow of what was cleared, or never ran, ends all the same") {
  Events events;
  begin(events, 1, 0, 0);
  schedule(events, 2, 0);
  schedule(events, 3, 0);
  Event& cancel = events.add(EventKind::cancel, 0);
  cancel.api = Api::set_timeout, cancel.id = 2, cancel.name = 1;
  end(events, 1, 0);
  CHECK(on_track(perfetto(events), "BEsfi", kCallbacks) ==
        std::vector<std::string>{"B main", "s asks for", "s asks for", "i clear timer", "f asks for", "E main",
                                 "B never ran", "f asks for", "E never ran"});
}

TEST_CASE("perfetto: what is open when the run ends is closed") {
  Events events;
  begin(events, 1, 0, 0);
  begin(events, 2, 5, 1);
  CHECK(on_track(perfetto(events), "BE", kCallbacks) ==
        std::vector<std::string>{"B main", "B timer", "E timer", "E main"});
}

TEST_CASE("perfetto: texts are those of the program") {
  Events events;
  events.add_text(EventKind::log, "a \"b\"\n\\ \x01 \xc3\xa9", 3);
  const auto document = nlohmann::json::parse(perfetto(events));
  const auto& all = document["traceEvents"];
  CHECK(std::any_of(all.begin(), all.end(), [](const auto& event) {
    return event["ph"] == "i" && event["name"] == "a \"b\"\n\\ \x01 \xc3\xa9";
  }));
  CHECK(document["otherData"]["scenario"] == "A 100 ms timer that fires at 105 ms");
}

// ---- the protobuf: its bytes, by hand. That it has the same content is what tests/trace/pftrace.py asks ----

namespace {

std::string protobuf(const Events& events) {
  StringOutput output;
  events.play(*make_perfetto_writer(output, {.form = PerfettoForm::protobuf}), timer_info(), timer_summary(), 3);
  return output.text();
}

std::string bytes(std::initializer_list<int> all) {
  std::string text;
  for (const int byte : all) text += static_cast<char>(byte);
  return text;
}

}  // namespace

TEST_CASE("perfetto: the protobuf's packets are of one sequence, whose state the first one clears") {
  const std::string text = protobuf(timer_at_105());
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(text.at(1)) & 0x7fU) +
                      static_cast<std::size_t>(static_cast<unsigned char>(text.at(2))) * 128;
  REQUIRE(static_cast<unsigned char>(text.at(1)) >= 0x80);  // the length of the first packet has two bytes
  CHECK(text.substr(0, 1) == bytes({0x0a}));
  // sequence 1; flags: cleared
  CHECK(text.substr(3 + length - 4, 4) == bytes({0x50, 1, 0x68, 1}));
  // The root of all tracks, with both orders; sequence 1; flags: needs state.
  CHECK(text.substr(3 + length, 17) ==
        bytes({0x0a, 15, 0xe2, 0x03, 8, 0x08, 0, 0x98, 0x01, 1, 0xa0, 0x01, 1, 0x50, 1, 0x68, 2}));
  CHECK(count_of(text, bytes({0x50, 1, 0x68, 1})) == 1);
}

TEST_CASE("perfetto: a name of the protobuf is written once, up to 4096 of them") {
  Events events;
  for (int i = 0; i < 5000; ++i) events.add_text(EventKind::log, "line " + std::to_string(i % 4500), i);
  const std::string text = protobuf(events);
  CHECK(count_of(text, "line 7") >= 1);
  CHECK(count_of(text, bytes({0x12, 6}) + "line 7") == 1);           // defined, and used twice
  CHECK(count_of(text, bytes({0xba, 0x01, 9}) + "line 4499") == 1);  // written out
  CHECK(count_of(text, bytes({0xba, 0x01, 6}) + "line 7") == 0);
}

TEST_CASE("perfetto: in the protobuf, intervals that are over give their rows to later ones") {
  Events events;
  for (std::uint64_t id = 2; id < 100; ++id) {
    begin(events, 1, static_cast<TimeNs>(id) * 10, 0);
    schedule(events, id, static_cast<TimeNs>(id) * 10);
    end(events, 1, static_cast<TimeNs>(id) * 10 + 1);
    begin(events, id, static_cast<TimeNs>(id) * 10 + 5, 1);
    end(events, id, static_cast<TimeNs>(id) * 10 + 6);
  }
  // The name of the intervals, and two rows: for the timer, and for the callback that arms it.
  CHECK(count_of(protobuf(events), bytes({0x12, 7}) + "Timeout" + bytes({0x50})) == 3);
}
