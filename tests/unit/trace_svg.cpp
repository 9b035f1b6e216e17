#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/writers.hpp"

#include "sim/trace/svg_layout.hpp"
#include "sim/trace/svg_text.hpp"
#include "sim/trace/svg_timeline.hpp"
#include "tests/unit/trace_events.hpp"

using namespace loopsim;
using namespace loopsim::test;

namespace {

std::string drawing(const Events& events, const RunInfo& info = timer_info(), const SvgOptions& options = {}) {
  StringOutput output;
  events.play(*make_svg_writer(output, options), info, timer_summary(), 3);
  return output.text();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Event& begin(Events& events, std::uint64_t id, TimeNs time, Api api = Api::set_timeout) {
  Event& event = events.add(EventKind::callback_begin, time, Phase::timers, 1);
  event.api = api, event.id = id, event.a = event.b = event.c = -1;
  return event;
}

void end(Events& events, std::uint64_t id, TimeNs time) {
  Event& event = events.add(EventKind::callback_end, time, Phase::timers, 1);
  event.api = Api::set_timeout, event.id = id;
}

void ask(Events& events, std::uint64_t id, TimeNs time, Api api = Api::set_timeout, std::uint64_t by = 0) {
  Event& event = events.add(EventKind::schedule, time, Phase::timers, 1);
  event.api = api, event.id = id, event.by = by, event.a = event.b = event.c = -1;
}

DrawnTimeline timeline_of(const Events& events, int height = 10'000, bool all = false) {
  DrawnTimeline timeline({.height = height, .all = all});
  timeline.begin(timer_info());
  timeline.events({events.all(), events.text()});
  timeline.end(0);
  return timeline;
}

}  // namespace

TEST_CASE("Text of a drawing is XML, whatever a scenario says", "[svg]") {
  CHECK(xml_text("a < b & \"c\" > 'd'") == "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  CHECK(xml_text("]]>") == "]]&gt;");
  CHECK(xml_text(std::string_view("a\0b\x1b", 4)) ==
        "a\xef\xbf\xbd"
        "b\xef\xbf\xbd");
  CHECK(xml_text("\xff\xfe") == "\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(xml_text("\xef\xbf\xbe \xef\xbf\xbf") == "\xef\xbf\xbd \xef\xbf\xbd");  // not valid in XML
  CHECK(xml_text("é 中 😀") == "é 中 😀");
  CHECK(xml_text("a\xe2\x80\xae\xe2\x81\xa6z") == "a\xef\xbf\xbd\xef\xbf\xbdz");  // U+202E, U+2066

  RunInfo info = timer_info();
  info.title = "</title><script>alert(1)</script>";
  info.machine = "\" onload=\"x";
  const std::string text = drawing(Events(), info);
  CHECK_FALSE(has(text, "<script"));
  CHECK_FALSE(has(text, "\" onload"));
  CHECK(has(text, "&lt;/title&gt;&lt;script&gt;"));
}

TEST_CASE("A text is cut where it no longer fits, between characters", "[svg]") {
  CHECK(text_width("", 10, Face::regular) == 0);
  CHECK(text_width("mmmm", 10, Face::mono) == 25);
  CHECK(text_width("m", 10, Face::bold) > text_width("m", 10, Face::regular));
  CHECK(text_width("中", 10, Face::regular) == 10);
  CHECK(fitted("abcd", 25, 10, Face::mono) == "abcd");
  CHECK(fitted("abcd", 24, 10, Face::mono) == "ab…");
  CHECK(fitted("中中中中", 31, 10, Face::regular) == "中中…");
  CHECK(fitted("ab cd", 24, 10, Face::mono) == "ab…");
  CHECK(fitted("abcd", 0, 10, Face::mono) == "…");
  for (int width = 10; width < 80; ++width) {
    CHECK(text_width(fitted("What is this? 中文 😀", width, 10, Face::regular), 10, Face::regular) <= width);
  }
}

TEST_CASE("Callbacks of one moment stand below each other in their order", "[svg]") {
  Events events;
  for (std::uint64_t id = 1; id <= 5; ++id) {
    begin(events, id, 0);
    end(events, id, 0);
  }
  const DrawnTimeline timeline = timeline_of(events);
  const SvgLayout layout(timeline, 100);
  REQUIRE(layout.moments().size() == 1);
  REQUIRE(timeline.callbacks().size() == 5);
  int last = 0;
  for (const DrawnCallback& callback : timeline.callbacks()) {
    CHECK(layout.row_top(callback.row) > last);
    CHECK(layout.row_bottom(callback.row) - layout.row_top(callback.row) >= 15);  // visible even without a duration
    last = layout.row_top(callback.row);
  }
}

TEST_CASE("A longer gap of time is never lower, and none is without room for its length", "[svg]") {
  Events events;
  std::uint64_t id = 0;
  for (const TimeNs time : {0L, 1L, 3L, 100L, 1'000'000L, 5'000'000'000L}) {
    begin(events, ++id, time);
    end(events, id, time);
  }
  const DrawnTimeline timeline = timeline_of(events);
  const SvgLayout layout(timeline, 100);
  REQUIRE(layout.moments().size() == 6);
  int last = 20;
  for (std::size_t i = 1; i < layout.moments().size(); ++i) {
    const int gap = layout.moments()[i].top - layout.moments()[i - 1].bottom;
    CHECK(gap >= last);
    last = gap;
  }
  CHECK(last <= 80);
}

TEST_CASE("What came due while something else ran has a life with a diamond at that time", "[svg]") {
  Events events;
  begin(events, 1, 0);
  ask(events, 2, 0);
  Event& burn = events.add(EventKind::burn, 3 * kMillisecond, Phase::timers, 1);
  burn.a = burn.c = 3 * kMillisecond;
  end(events, 1, 3 * kMillisecond);
  Event& late = begin(events, 2, 3 * kMillisecond);
  late.a = kMillisecond, late.b = 2 * kMillisecond, late.c = 1, late.detail = detail(LateReason::callback);
  end(events, 2, 3 * kMillisecond);
  const DrawnTimeline timeline = timeline_of(events);
  const SvgLayout layout(timeline, 100);
  REQUIRE(layout.lives().size() == 1);
  const DrawnLife& life = layout.lives().front();
  CHECK(life.begin < life.due);
  CHECK(life.due == layout.y(kMillisecond));
  CHECK(life.due < life.end);
  const std::string text = drawing(events);
  CHECK(has(text, ">2 ms late"));
  CHECK(has(text, ">due at the diamond, then late<"));
}

TEST_CASE("The round of an interval that was due before it was asked for begins at its diamond", "[svg]") {
  Events events;
  begin(events, 1, 0);
  Event& burn = events.add(EventKind::burn, 3 * kMillisecond, Phase::timers, 1);
  burn.a = burn.c = 3 * kMillisecond;
  end(events, 1, 3 * kMillisecond);
  ask(events, 2, 3 * kMillisecond);
  Event& late = begin(events, 2, 3 * kMillisecond);
  late.a = kMillisecond, late.b = 2 * kMillisecond;
  end(events, 2, 3 * kMillisecond);
  const DrawnTimeline timeline = timeline_of(events);
  const SvgLayout layout(timeline, 100);
  REQUIRE(layout.lives().size() == 1);
  CHECK_FALSE(layout.lives().front().has_origin);
  CHECK(layout.lives().front().begin == layout.y(kMillisecond));
  CHECK(layout.lives().front().due == layout.y(kMillisecond));
}

TEST_CASE("An arrow begins at the callback that asked, or that settled the promise, be it by way of a job", "[svg]") {
  Events events;
  const auto queue = [&events](std::uint64_t id, std::int64_t entry, std::uint64_t by) {
    Event& event = events.add(EventKind::enqueue, 0, Phase::timers, 1);
    event.detail = static_cast<std::uint8_t>(Queue::microtasks);
    event.api = id == 0 ? Api::none : Api::then, event.id = id, event.a = entry, event.by = by;
  };
  begin(events, 1, 0, Api::main);
  for (const std::uint64_t id : {2U, 3U, 4U}) ask(events, id, 0, Api::then, 1);
  end(events, 1, 0);
  const auto run = [&events](std::uint64_t id) {
    begin(events, id, 0, Api::then);
    end(events, id, 0);
  };
  queue(2, -1, 1);
  run(2);
  queue(3, -1, 2);  // its promise is that of 2
  queue(0, 7, 2);   // a job that will settle the promise of 4
  run(3);
  Event& job = events.add(EventKind::dequeue, 0, Phase::timers, 1);
  job.detail = static_cast<std::uint8_t>(Queue::microtasks), job.a = 7;
  queue(4, -1, 0);
  run(4);

  const DrawnTimeline timeline = timeline_of(events);
  REQUIRE(timeline.callbacks().size() == 4);
  const DrawnCallback& second = timeline.callbacks()[1];
  CHECK(timeline.callbacks()[1].origin.rows == timeline.callbacks()[0].end.rows);
  CHECK(timeline.callbacks()[2].origin.rows == second.end.rows);
  CHECK(timeline.callbacks()[3].origin.rows == second.end.rows);
  CHECK(timeline.callbacks()[3].origin_depth == second.depth);
}

TEST_CASE("Lives that overlap have tracks of their own, and where there are too many ticks go first", "[svg]") {
  Events events;
  begin(events, 1, 0, Api::main);
  for (std::uint64_t id = 2; id < 22; ++id) ask(events, id, 0, id % 2 == 0 ? Api::set_timeout : Api::next_tick);
  end(events, 1, 0);
  for (std::uint64_t id = 2; id < 22; ++id) {
    begin(events, id, kMillisecond, id % 2 == 0 ? Api::set_timeout : Api::next_tick);
    end(events, id, kMillisecond);
  }
  const DrawnTimeline timeline = timeline_of(events);
  const SvgLayout layout(timeline, 100);
  CHECK(layout.lives().size() == 10);
  CHECK(layout.lives_left_out() == 10);
  for (const DrawnLife& a : layout.lives()) {
    CHECK(timeline.callbacks()[a.callback].mark == DrawnMark::task);
    for (const DrawnLife& b : layout.lives()) {
      if (&a != &b && a.begin <= b.end && b.begin <= a.end) CHECK(a.track != b.track);
    }
  }
  CHECK(has(drawing(events), "10 arrows are left out: there would be too many."));
}

TEST_CASE("The words beside a computation have room", "[svg]") {
  const TimeNs long_time = 123'456'789'012'345;
  const auto width = [&](TimeNs took) {
    Events events;
    begin(events, 1, 0);
    Event& burn = events.add(EventKind::burn, took, Phase::timers, 1);
    burn.a = long_time, burn.c = took;
    end(events, 1, took);
    const DrawnTimeline timeline = timeline_of(events);
    REQUIRE(timeline.burns().size() == 1);
    const SvgLayout layout(timeline, 100);
    CHECK(layout.callbacks().width >= text_width(timeline.burns().front().text, SvgLayout::kLabelSize, Face::regular));
    return layout.callbacks().width;
  };
  CHECK(width(2 * long_time) > width(long_time));
}

TEST_CASE("A stall inside a computation is drawn where it was, not from the computation's begin", "[svg]") {
  // The distance of the stall below its computation's begin. Its first box is in the processor's lane, its second in
  // the lane of the computation.
  const auto depth_of_stall = [](TimeNs from) {
    Events events;
    begin(events, 1, 0);
    Event& stall = events.add(EventKind::stall, 0, Phase::timers, 1);
    stall.a = from, stall.b = 2 * kMillisecond, stall.detail = detail(StallReason::preempted);
    Event& burn = events.add(EventKind::burn, 8 * kMillisecond, Phase::timers, 1);
    burn.a = 6 * kMillisecond, burn.c = 8 * kMillisecond;
    end(events, 1, 8 * kMillisecond);
    const std::string text = drawing(events);
    const std::string_view fill = "fill=\"url(#loopsim-other)\"";
    const std::size_t in_computation = text.find(fill, text.find(fill) + 1);
    REQUIRE(in_computation != std::string::npos);
    const std::size_t box = text.rfind("<rect", in_computation);
    const auto top = [&text](std::size_t rect) { return std::stoi(text.substr(text.find(" y=\"", rect) + 4)); };
    return top(box) - top(text.rfind("<rect", box - 1));
  };
  CHECK(depth_of_stall(0) == 0);
  CHECK(depth_of_stall(3 * kMillisecond) > 0);
}

TEST_CASE("The axis is as wide as its longest time", "[svg]") {
  Events events;
  begin(events, 1, 123'456'789'012'345'678);
  end(events, 1, 123'456'789'012'345'678);
  const DrawnTimeline timeline = timeline_of(events);
  const SvgLayout layout(timeline, 100);
  CHECK(layout.axis().width >= text_width("123456789012.345678", SvgLayout::kLabelSize, Face::bold));
  CHECK(layout.loop().x > layout.axis().end());
  CHECK(layout.width() <= SvgLayout::kMostWidth);
}

TEST_CASE("A long run is cut, and the drawing says where", "[svg]") {
  Events events;
  for (std::uint64_t id = 1; id <= 1000; ++id) {
    begin(events, id, static_cast<TimeNs>(id) * kMillisecond);
    end(events, id, static_cast<TimeNs>(id) * kMillisecond);
  }
  const std::string text = drawing(events, timer_info(), {.height = 620, .all = true});
  CHECK(count(text, "<g class=\"callback\">") == 11);
  CHECK(has(text, "Cut at 11.000 ms: the first 11 of "));
  CHECK(timeline_of(events, 0, true).callbacks().size() <= 1);
  CHECK_FALSE(timeline_of(events, 1'000'000, true).is_cut());
  // Folded, there is room for all of it.
  const std::string folded = drawing(events, timer_info(), {.height = 620});
  CHECK(count(folded, "<g class=\"callback\">") == 2);
  CHECK(has(folded, "998 more like this: setTimeout callback, 2.000 to 999.000"));
  CHECK_FALSE(has(folded, "Cut at "));
  // A callback with a note is drawn with it.
  const std::vector<CallbackNote> notes = {{.id = 500, .text = "a race with another one"}};
  const std::string noted = drawing(events, timer_info(), {.height = 620, .notes = notes});
  CHECK(has(noted, "a race with another one"));
  CHECK(has(noted, "498 more like this"));
}

TEST_CASE("A note that is wider than the drawing takes more lines", "[svg]") {
  Events events;
  begin(events, 1, 0);
  end(events, 1, 0);
  std::string text = "begin";
  for (int i = 0; i < 40; ++i) text += " word" + std::to_string(i);
  const std::vector<CallbackNote> notes = {{.id = 1, .text = text}};
  const std::string noted = drawing(events, timer_info(), {.notes = notes});
  CHECK(has(noted, ">(1) begin word0 "));
  CHECK(has(noted, " word39</text>"));
  CHECK_FALSE(has(noted, "word39…"));
}

TEST_CASE("Lines of a text break at spaces, and between East Asian characters", "[svg]") {
  using Lines = std::vector<std::string>;
  CHECK(wrapped("", 100, 10, Face::mono).empty());
  CHECK(wrapped("  ", 100, 10, Face::mono).empty());
  CHECK(wrapped("one two three", 50, 10, Face::mono) == Lines{"one two", "three"});
  CHECK(wrapped("one two three", 200, 10, Face::mono) == Lines{"one two three"});
  CHECK(wrapped("a-word-too-long yes", 50, 10, Face::mono) == Lines{"a-word-…", "yes"});
  CHECK(wrapped("在这里两者，同时到期", 50, 10, Face::regular) == Lines{"在这里两", "者，同时到", "期"});
  CHECK(wrapped("在 laptop（x）上", 45, 10, Face::regular) == Lines{"在 laptop", "（x）上"});
}

TEST_CASE("A fold speaks the language of the drawing", "[svg]") {
  Events events;
  for (std::uint64_t id = 1; id <= 100; ++id) {
    begin(events, id, 0);
    end(events, id, 0);
  }
  const std::string text = drawing(events, timer_info(), {.language = Language::chinese});
  CHECK(has(text, "⋯ 同样的还有 98 次："));
  CHECK(has(text, "，都在 0.000"));
  CHECK_FALSE(has(text, "more like"));
}

// The callback that settles a promise is folded away: the reaction's arrow begins where it was.
TEST_CASE("Promises settled by what is folded keep their arrows", "[svg]") {
  Events events;
  constexpr std::uint64_t kLast = 100;
  ask(events, 1000, 0, Api::then);
  for (std::uint64_t id = 1; id <= kLast; ++id) {
    begin(events, id, 0);
    if (id == 50) {
      Event& put = events.add(EventKind::enqueue, 0, Phase::timers, 1);
      put.detail = detail(Queue::microtasks), put.id = 1000, put.api = Api::then, put.a = -1;
      put.by = id;
    }
    end(events, id, 0);
  }
  begin(events, 1000, 0, Api::then);
  end(events, 1000, 0);
  const DrawnTimeline timeline = timeline_of(events);
  CHECK(timeline.folded_callbacks() == kLast - 2);
  const DrawnCallback& reaction = timeline.callbacks().back();
  CHECK(reaction.id == 1000);
  CHECK(reaction.has_origin);
  CHECK(reaction.origin.rows == 1);  // after the first of them
}

TEST_CASE("Threads of the pool beyond those that fit are told of", "[svg]") {
  Events events;
  begin(events, 1, 0);
  end(events, 1, 0);
  for (int thread = 0; thread < 20; ++thread) {
    Event& ready = events.add_text(EventKind::ready, "stat", kMillisecond, Phase::poll, 1);
    ready.api = Api::fs, ready.id = 2, ready.a = kMillisecond, ready.b = 0, ready.c = thread;
  }
  const std::string text = drawing(events);
  CHECK(count(text, "<g class=\"work\">") == SvgLayout::kMostThreads);
  CHECK(has(text, "4 more threads of the pool have worked."));
}
