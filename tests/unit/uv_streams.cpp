// What C leaves undefined of libuv's streams and descriptors ends a run; what the kernel refuses does not. That the rest is right is
// shown with the real libuv (tools/conformance/libuv).
#include <catch2/catch.hpp>

#include "loopsim/libuv.hpp"

#include "tests/support/simulate.hpp"

using loopsim::EventKind;
using loopsim::LimitKind;
using loopsim::testing::Kept;
using loopsim::testing::Lines;
using loopsim::testing::Run;

namespace {

Run run_main(const std::string& main, const std::string& runtime = "libuv-1.52") {
  return loopsim::testing::simulate_main(main, runtime);
}

// What ended the run.
std::string abort_of(const std::string& main, const std::string& runtime = "libuv-1.52") {
  const Run run = run_main(main, runtime);
  for (const Kept& kept : run.events) {
    if (kept.event.kind == EventKind::uncaught) return kept.text;
  }
  return "";
}

// A server at a port, which reads what comes.
const std::string kServer = R"({"uv_tcp_init": "server"}, {"uv_tcp_bind": "server", "port": 80},
  {"uv_listen": "server", "do": [{"uv_tcp_init": "peer"}, {"uv_accept": "server", "client": "peer"},
    {"uv_read_start": "peer", "do": [{"log": "{nread} {data}"},
      {"if": ["nread", "<", 0], "then": [{"uv_close": "peer"}, {"uv_close": "server"}]}]}]},)";

}  // namespace

TEST_CASE("libuv: a function of streams wants a stream", "[uv]") {
  CHECK(abort_of(R"({"uv_timer_init": "t"}, {"uv_read_stop": "t"})") ==
        "uv_read_stop: t is a uv_timer_t, not a stream");
  CHECK(abort_of(R"({"uv_pipe_init": "p"}, {"uv_tcp_bind": "p", "port": 80})") ==
        "uv_tcp_bind: p is a uv_pipe_t, not a uv_tcp_t");
  CHECK(abort_of(R"({"set": {"x": 1}}, {"uv_write": "w", "handle": "x", "data": "a"})") == "uv_write: x is no handle");
  CHECK(abort_of(R"({"uv_tcp_init": "a"}, {"uv_timer_init": "t"}, {"uv_accept": "a", "client": "t"})") ==
        "uv_accept: t is a uv_timer_t, not a stream");
}

TEST_CASE("libuv: what libuv asserts of a stream and of a poll handle", "[uv]") {
  const std::string unread = R"({"uv_tcp_init": "s"}, {"uv_read_start": "s", "do": []})";
  CHECK(abort_of(unread, "libuv-1.16") == "uv_read_start: Assertion `uv__stream_fd(stream) >= 0' failed");
  CHECK(abort_of(unread, "libuv-1.23").empty());
  CHECK(abort_of(R"({"socketpair": "a", "other": "b"}, {"uv_poll_init": "p", "fd": "a"}, {"uv_close": "p"},
                    {"uv_poll_start": "p", "events": "UV_READABLE", "do": []})") ==
        "uv_poll_start: Assertion `!uv__is_closing(handle)' failed: p is closing");
  CHECK(abort_of(R"({"uv_tcp_init": "c"}, {"uv_tcp_connect": "r", "handle": "c", "port": 80}, {"uv_close": "c"},
                    {"uv_run": "UV_RUN_DEFAULT"})") ==
        "uv__stream_destroy: calls the callback of the cancelled connect request, which has none");
  const std::string two =
      R"({"socketpair": "a", "other": "b"}, {"uv_poll_init": "p", "fd": "a"}, {"uv_poll_init": "q", "fd": "a"},
    {"uv_poll_start": "p", "events": "UV_READABLE", "do": []},
    {"uv_poll_start": "q", "events": "UV_READABLE", "do": [], "as": "r"}, {"log": "{r}"})";
  CHECK(abort_of(two, "libuv-1.40") == "uv_poll_start: another handle watches this descriptor");
  CHECK(run_main(two, "libuv-1.42").output == Lines{std::to_string(loopsim::kUvEexist)});
}

TEST_CASE("libuv: a text arrives whole, and a long one in parts of 64 KiB", "[uv]") {
  const Run run = run_main(kServer + R"({"uv_tcp_init": "c"}, {"uv_tcp_connect": "r", "handle": "c", "port": 80, "do": [
    {"repeat": 9, "do": [{"uv_write": "w", "handle": "c", "bytes": 16384}]},
    {"uv_try_write": "c", "data": "\u00e4", "as": "n"}, {"uv_close": "c"}]},
    {"uv_run": "UV_RUN_DEFAULT"}, {"log": "{n}"})");
  REQUIRE(run.output.size() == 5);
  const std::string x(65536, 'x');
  CHECK(run.output[0] == "65536 " + x);
  CHECK(run.output[1] == "65536 " + x);
  CHECK(run.output[2] == "16386 " + std::string(16384, 'x') + "\u00e4");
  CHECK(run.output[3] == "-4095 ");
  CHECK(run.output[4] == "2");
}

TEST_CASE("libuv: a descriptor is a number, and one that is none refuses", "[uv]") {
  CHECK(
      run_main(
          R"({"set": {"x": 7}}, {"send": "x", "data": "a", "as": "r"}, {"log": "{r}"}, {"recv": "x", "as": "r"}, {"log": "{r}"},
                    {"uv_poll_init": "p", "fd": "x", "as": "r"}, {"log": "{r}"})")
          .output == Lines{"-1", "-1", std::to_string(loopsim::kUvEbadf)});
}

TEST_CASE("libuv: sockets are bounded by the limit of the queue", "[uv]") {
  const Run run = loopsim::testing::simulate(
      R"({"runtime": "libuv-1.52", "limits": {"queue": 100}, "main": [{"repeat": 1000, "do": [{"socketpair": "a", "other": "b"}]}]})");
  CHECK(run.summary.limit == LimitKind::queue);
}

TEST_CASE("libuv: a kernel that has no room lets a write wait, and the reader's progress ends it", "[uv]") {
  const Run run =
      run_main(R"({"set": {"done": 0, "read": 0}}, {"uv_tcp_init": "server"}, {"uv_tcp_bind": "server", "port": 80},
    {"uv_listen": "server", "do": [{"uv_tcp_init": "peer"}, {"uv_accept": "server", "client": "peer"},
      {"uv_timer_init": "t"}, {"uv_timer_start": "t", "timeout": 5, "do": [{"log": "{done} of 200 at {now}"},
        {"uv_read_start": "peer", "do": [{"if": ["nread", "<", 0],
          "then": [{"log": "{read}"}, {"uv_close": "peer"}, {"uv_close": "server"}], "else": [{"add": {"read": "{nread}"}}]}]},
        {"uv_close": "t"}]}]},
    {"uv_tcp_init": "c"}, {"uv_tcp_connect": "r", "handle": "c", "port": 80, "do": [
      {"repeat": 200, "do": [{"uv_write": "w", "handle": "c", "bytes": 16384, "do": [{"add": {"done": 1}}]}]},
      {"uv_shutdown": "s", "handle": "c", "do": [{"log": "shut down, {done}"}, {"uv_close": "c"}]}]},
    {"uv_run": "UV_RUN_DEFAULT"})");
  CHECK(run.output == Lines{"160 of 200 at 5", "shut down, 200", "3276800"});
}
