#include <catch2/catch.hpp>

#include "loopsim/writers.hpp"

#include "tests/unit/trace_events.hpp"

using namespace loopsim;
using namespace loopsim::test;

TEST_CASE("console: what is printed, each stream for itself", "[trace][console]") {
  Events events;
  events.add_text(EventKind::log, "one");
  events.add_text(EventKind::error_log, "wrong\nat line 2", 5);
  events.add(EventKind::phase_exit, 6);
  events.add_text(EventKind::log, "", 7);
  events.add_text(EventKind::log, "two", 8);
  StringOutput output, errors, both;
  events.play(*make_console_writer(output, errors), timer_info(), timer_summary(), 2);
  CHECK(output.text() == "one\n\ntwo\n");
  CHECK(errors.text() == "wrong\nat line 2\n");
  events.play(*make_console_writer(both, both), timer_info(), timer_summary());
  CHECK(both.text() == "one\nwrong\nat line 2\n\ntwo\n");
}
