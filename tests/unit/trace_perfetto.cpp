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
