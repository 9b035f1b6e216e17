// Servers and sockets. Expected values: measured on real Node 4 to 26 on Linux.
#include "tests/support/simulate.hpp"

using loopsim::testing::Lines;
using loopsim::testing::simulate_main;

namespace {

// Three connections made at once, with `connect` listeners, to a server that runs `on_connection` for each.
std::string three_connections(const std::string& on_connection) {
  std::string clients;
  for (const char* name : {"c1", "c2", "c3"}) {
    clients += (clients.empty() ? std::string() : ", ") + R"({"connect": 8080, "as": ")" + name + R"(", "on": {
      "connect": [{"log": ")" +
               name + R"( connect"}], "end": [{"log": ")" + name + R"( end"}],
      "error": [{"log": ")" +
               name + R"( {error.message}"}], "close": [{"log": ")" + name + R"( close {value}"}]}})";
  }
  return R"({"listen": 8080, "as": "server", "on": {"listening": [)" + clients + R"(], "connection": [)" +
         on_connection + R"(], "close": [{"log": "server close"}]}})";
}

constexpr const char* kVersions[] = {"node-4",  "node-6",  "node-8",  "node-10", "node-11", "node-12", "node-14",
                                     "node-16", "node-18", "node-20", "node-22", "node-24", "node-26"};

}  // namespace

TEST_CASE("a refused connection: error in poll, after files that are done; close in the closing phase", "[net]") {
  const std::string main = R"(
    {"setTimeout": 0, "do": [{"log": "timer"}]}, {"setImmediate": [{"log": "immediate"}]},
    {"connect": 1, "as": "s", "on": {
      "error": [{"log": "{error.code} {error.message}"}, {"nextTick": [{"log": "tick"}]}, {"then": null, "do": [{"log": "microtask"}]}],
      "close": [{"log": "close {value}"}]}},
    {"fs": "access", "takes": "1ms", "do": [{"log": "file"}]}, {"cpu": "3ms"})";
  for (const char* runtime : kVersions) {
    CHECK(simulate_main(main, runtime).output == Lines{"timer", "file", "ECONNREFUSED connect ECONNREFUSED 127.0.0.1:1",
                                                       "tick", "microtask", "immediate", "close true"});
  }
}

TEST_CASE("a Unix socket that is not there: error in the pending phase", "[net]") {
  const std::string main = R"(
    {"setTimeout": 0, "do": [{"log": "timer"}]}, {"setImmediate": [{"log": "immediate"}]},
    {"connect": "/nonexistent/a", "on": {"error": [{"log": "{error.message}"}], "close": [{"log": "close {value}"}]}},
    {"fs": "access", "takes": "1ms", "do": [{"log": "file"}]}, {"cpu": "3ms"})";
  for (const char* runtime : kVersions) {
    const auto run = simulate_main(main, runtime);
    CHECK(run.output == Lines{"timer", "connect ENOENT /nonexistent/a", "file", "immediate", "close true"});
    for (const auto& kept : run.events) {
      if (kept.event.kind == loopsim::EventKind::log && kept.text.starts_with("connect"))
        CHECK(kept.event.phase == loopsim::Phase::pending);
      if (kept.event.kind == loopsim::EventKind::log && kept.text.starts_with("close"))
        CHECK(kept.event.phase == loopsim::Phase::closing);
    }
  }
}

TEST_CASE("the pending queue runs again after poll from Node 18 on", "[net]") {
  const std::string main = R"({"fs": "access", "do": [
    {"connect": "/nonexistent/a", "on": {"error": [{"log": "error"}], "close": [{"log": "close"}]}},
    {"setImmediate": [{"log": "immediate"}, {"setImmediate": [{"log": "immediate 2"}]}]}]})";
  CHECK(simulate_main(main, "node-16").output == Lines{"immediate", "error", "immediate 2", "close"});
  CHECK(simulate_main(main, "node-18").output == Lines{"error", "immediate", "close", "immediate 2"});
}

TEST_CASE("close callbacks: last in, first out, each with its ticks and microtasks", "[net]") {
  std::string main;
  for (const char* name : {"a", "b"}) {
    main += (main.empty() ? "" : ", ") + std::string(R"({"connect": 1, "as": ")") + name +
            R"(", "on": {"error": [{"log": "error )" + name + R"("}], "close": [{"log": "close )" + name +
            R"("}, {"nextTick": [{"log": "tick )" + name + R"("}]}, {"then": null, "do": [{"log": "microtask )" + name +
            R"("}]}]}})";
  }
  for (const char* runtime : kVersions) {
    CHECK(simulate_main(main, runtime).output ==
          Lines{"error a", "error b", "close b", "tick b", "microtask b", "close a", "tick a", "microtask a"});
  }
}

TEST_CASE("nobody listens to a connection's error", "[net]") {
  const std::string connect = R"({"connect": 1, "as": "s", "on": {"close": [{"log": "close"}]}})";
  CHECK(simulate_main(connect).summary.exit_code == 1);
  CHECK(simulate_main(connect + R"(, {"on": "process", "event": "uncaughtException", "do": [{"log": "{error.code}"}]})")
            .output == Lines{"ECONNREFUSED", "close"});
}

TEST_CASE("destroy before the connection is there", "[net]") {
  for (const char* where : {"1", R"("/nonexistent/a")"}) {
    const std::string main =
        std::string(R"({"connect": )") + where + R"(, "as": "s", "on": {"connect": [{"log": "connect"}],
      "error": [{"log": "error"}], "close": [{"log": "close {value}"}]}}, {"destroy": "s"}, {"destroy": "s"},
      {"nextTick": [{"log": "tick"}]}, {"setImmediate": [{"log": "immediate"}]})";
    for (const char* runtime : kVersions)
      CHECK(simulate_main(main, runtime).output == Lines{"tick", "immediate", "close false"});
  }
}

TEST_CASE("a port in use: error by a tick, and its words", "[net]") {
  const std::string main =
      R"({"listen": 8080, "as": "a", "on": {"listening": [{"log": "a listening"}]}}, {"nextTick": [{"log": "tick"}]},
    {"listen": 8080, "as": "b", "on": {"listening": [{"log": "never"}], "close": [{"log": "never"}],
      "error": [{"log": "{error.message}"}, {"close": "a"}]}}, {"setImmediate": [{"log": "immediate"}]})";
  CHECK(simulate_main(main, "node-8").output == Lines{"a listening", "tick", "listen EADDRINUSE :::8080", "immediate"});
  CHECK(simulate_main(main, "node-10").output ==
        Lines{"a listening", "tick", "listen EADDRINUSE: address already in use :::8080", "immediate"});
}

TEST_CASE("server.close(): its event is a tick, and comes each time", "[net]") {
  for (const char* runtime : kVersions) {
    CHECK(simulate_main(
              R"({"listen": 8080, "as": "s", "on": {"listening": [{"log": "never"}], "close": [{"log": "close"}]}},
      {"close": "s"}, {"nextTick": [{"log": "tick"}]}, {"close": "s"}, {"setImmediate": [{"log": "immediate"}]})",
              runtime)
              .output == Lines{"close", "tick", "close", "immediate"});
  }
}

TEST_CASE("a server closes when its last connection is destroyed", "[net]") {
  const std::string main = R"({"listen": 8080, "as": "server", "on": {"close": [{"log": "server close"}],
      "listening": [{"connect": 8080, "as": "c", "on": {"close": [{"log": "client close"}]}}],
      "connection": [{"on": "value", "event": "close", "do": [{"log": "accepted close"}]}, {"close": "server"}, {"log": "connection"},
                     {"setImmediate": [{"log": "destroy"}, {"destroy": "c"}]}]}})";
  for (const char* runtime : kVersions) {
    CHECK(simulate_main(main, runtime).output ==
          Lines{"connection", "destroy", "client close", "server close", "accepted close"});
  }
}

TEST_CASE("listening, then connection, then connect; also when the client came first", "[net]") {
  const std::string server = R"({"listen": 8080, "as": "server", "on": {"listening": [{"log": "listening"}],
      "connection": [{"log": "connection"}, {"destroy": "value"}, {"close": "server"}]}})";
  const std::string client =
      R"({"connect": 8080, "on": {"connect": [{"log": "connect"}], "close": [{"log": "close"}]}})";
  for (const char* runtime : kVersions) {
    CHECK(simulate_main(server + ", " + client, runtime).output ==
          Lines{"listening", "connection", "connect", "close"});
    CHECK(simulate_main(client + ", " + server, runtime).output ==
          Lines{"listening", "connection", "connect", "close"});
  }
}

TEST_CASE("three connections: all in one poll phase, or one in each from Node 20 on", "[net]") {
  const std::string main = three_connections(R"({"log": "connection"}, {"destroy": "value"}, {"add": {"n": 1}},
    {"if": ["n", "==", 3], "then": [{"close": "server"}]})");
  const std::string document = R"({"let": {"n": 0}}, )" + main;
  CHECK(simulate_main(document, "node-18").output ==
        Lines{"connection", "connection", "connection", "server close", "c1 connect", "c2 connect", "c3 connect",
              "c1 end", "c2 end", "c3 end", "c3 close false", "c2 close false", "c1 close false"});
  CHECK(simulate_main(document, "node-20").output ==
        Lines{"connection", "c1 connect", "c2 connect", "c3 connect", "connection", "c1 end", "c1 close false",
              "connection", "server close", "c2 end", "c2 close false", "c3 end", "c3 close false"});
}

TEST_CASE("a server that closes resets the connections it has not accepted", "[net]") {
  for (const char* runtime : kVersions) {
    CHECK(
        simulate_main(three_connections(R"({"log": "connection"}, {"close": "server"}, {"destroy": "value"})"), runtime)
            .output == Lines{"connection", "server close", "c1 connect", "c2 connect ECONNRESET 127.0.0.1:8080",
                             "c3 connect ECONNRESET 127.0.0.1:8080", "c3 close true", "c2 close true", "c1 end",
                             "c1 close false"});
  }
}

TEST_CASE("after 'end' a socket is closed: at once, by the next poll, by way of the pending queue", "[net]") {
  const std::string main = R"({"listen": 8080, "as": "server", "on": {
      "connection": [{"close": "server"}, {"setImmediate": [{"destroy": "accepted"}]}, {"set": {"accepted": "{value}"}}],
      "listening": [{"connect": 8080, "as": "c", "on": {"close": [{"log": "close {value}"}], "end": [{"log": "end"},
        {"setImmediate": [{"log": "turn"}, {"setImmediate": [{"log": "turn"}]}]}]}}]}})";
  for (const char* runtime : {"node-4", "node-8", "node-11", "node-18", "node-24"})
    CHECK(simulate_main(main, runtime).output == Lines{"end", "turn", "close false", "turn"});
  for (const char* runtime : {"node-12", "node-16"})
    CHECK(simulate_main(main, runtime).output == Lines{"end", "turn", "turn", "close false"});
}

TEST_CASE("up to Node 11 a socket is closed before or after its 'end' listeners", "[net]") {
  const std::string main = R"({"listen": 8080, "as": "server", "on": {"close": [{"log": "server close"}],
      "connection": [{"close": "server"}, {"on": "value", "event": "end", "do": [{"log": "end"}, {"nextTick": [{"log": "tick"}]}]},
                     {"setImmediate": [{"destroy": "c"}]}],
      "listening": [{"connect": 8080, "as": "c"}]}})";
  for (const char* runtime : {"node-4", "node-6", "node-10", "node-11"})
    CHECK(simulate_main(main, runtime).output == Lines{"end", "server close", "tick"});
  for (const char* runtime : {"node-8", "node-12", "node-18", "node-24"})
    CHECK(simulate_main(main, runtime).output == Lines{"end", "tick", "server close"});
}

TEST_CASE("an exception in a 'connect' listener: the socket never begins to read", "[net]") {
  const std::string main = R"({"on": "process", "event": "uncaughtException", "do": [{"log": "{error.message}"}]},
    {"listen": 8080, "as": "server", "on": {"connection": [{"destroy": "value"}, {"close": "server"}]}},
    {"connect": 8080, "as": "c", "on": {"connect": [{"throw": "thrown"}], "end": [{"log": "never"}], "close": [{"log": "close"}]}},
    {"setTimeout": 5, "do": [{"log": "timer"}, {"destroy": "c"}]})";
  for (const char* runtime : {"node-12", "node-16", "node-18", "node-24", "node-26"})
    CHECK(simulate_main(main, runtime).output == Lines{"thrown", "timer", "close"});
}

TEST_CASE("listeners of the option `on` are ordinary ones", "[net]") {
  CHECK(simulate_main(R"({"listen": 8080, "as": "s", "on": {"close": [{"log": "first"}]}},
    {"on": "s", "event": "close", "do": [{"log": "second"}]}, {"emit": "s", "event": "close"}, {"close": "s"})")
            .output == Lines{"first", "second", "first", "second"});
}

TEST_CASE("a listening server keeps the process alive, up to the limit of time", "[net]") {
  const auto run = simulate_main(R"({"listen": 8080, "as": "s"})");
  CHECK(run.summary.limit == loopsim::LimitKind::time);
  CHECK(simulate_main(R"({"listen": 8080, "as": "s"}, {"setTimeout": 7, "do": [{"close": "s"}]})").summary.end_time ==
        7 * loopsim::kMillisecond);
}

TEST_CASE("two writes before the other side reads arrive as one chunk", "[net]") {
  const std::string main = R"({"listen": 8080, "as": "server", "on": {"connection": [{"close": "server"},
      {"on": "value", "event": "data", "do": [{"log": "{value}"}]}]}},
    {"connect": 8080, "as": "c", "on": {"connect": [{"write": "c", "data": "a"}, {"write": "c", "bytes": 2}, {"end": "c", "data": 7}]}})";
  for (const char* runtime : kVersions) CHECK(simulate_main(main, runtime).output == Lines{"axx7"});
}

TEST_CASE("'end' waits for whoever reads the data", "[net]") {
  const std::string main =
      R"({"listen": 8080, "as": "server", "on": {"connection": [{"close": "server"}, {"end": "value", "data": "x"}]}},
    {"connect": 8080, "as": "c", "on": {"end": [{"log": "end"}], "close": [{"log": "close"}]}},
    {"setTimeout": 5, "do": [{"log": "timer"}, {"resume": "c"}]})";
  for (const char* runtime : {"node-10", "node-16", "node-24", "node-26"})
    CHECK(simulate_main(main, runtime).output == Lines{"timer", "end", "close"});
  for (const char* runtime : {"node-4", "node-8"})
    CHECK(simulate_main(main, runtime).output == Lines{"close", "timer", "end"});
}

TEST_CASE("write after end: told inside write(), on a tick, and it destroys", "[net]") {
  const std::string main = R"({"listen": 8080, "as": "server", "on": {"connection": [{"close": "server"},
      {"on": "value", "event": "error", "do": []}, {"write": "value", "data": "answer"}]}},
    {"connect": 8080, "as": "c", "on": {"data": [{"log": "{value}"}], "error": [{"log": "{error.code} {error.message}"}],
      "connect": [{"end": "c"}, {"write": "c", "data": "late", "do": [{"log": "callback"}]}, {"log": "written"}]}})";
  for (const char* runtime : {"node-4", "node-8"})
    CHECK(simulate_main(main, runtime).output == Lines{"undefined write after end", "written", "callback", "answer"});
  for (const char* runtime : {"node-10", "node-12"}) {
    CHECK(simulate_main(main, runtime).output ==
          Lines{"ERR_STREAM_WRITE_AFTER_END write after end", "written", "callback", "answer"});
  }
  CHECK(simulate_main(main, "node-14").output ==
        Lines{"written", "callback", "ERR_STREAM_WRITE_AFTER_END write after end", "answer"});
  for (const char* runtime : {"node-16", "node-24"}) {
    CHECK(simulate_main(main, runtime).output ==
          Lines{"written", "callback", "ERR_STREAM_WRITE_AFTER_END write after end"});
  }
}

// In Node 8, 12 and 14 a pending wake-up from start-up precedes the socket in epoll's list; the pool's takes its place.
TEST_CASE("descriptors keep their place in epoll's list while they stay ready", "[net]") {
  const std::string main = R"(
    {"listen": 8082, "as": "s", "on": {"connection": [{"on": "value", "event": "error", "do": []}, {"end": "value", "bytes": 1000},
      {"resume": "value"}, {"close": "s"}]}},
    {"connect": 8082, "as": "c", "on": {"data": [{"log": "data"}], "end": [{"log": "end"}]}},
    {"write": "c", "bytes": 1}, {"end": "c", "data": "d", "do": [{"log": "ended"}, {"cpu": "4ms"}]},
    {"fs": "write", "takes": "3ms", "do": [{"log": "file"}]})";
  CHECK(simulate_main(main, "node-24").output == Lines{"ended", "data", "file", "end"});
}

TEST_CASE("a listener of 'error' that writes again, where errors are told inside write(), ends at the limit of depth",
          "[net]") {
  const auto run = simulate_main(R"(
    {"listen": 8080, "as": "server", "on": {"connection": []}},
    {"connect": 8080, "as": "c", "on": {"error": [{"write": "c", "data": "again"}]}},
    {"end": "c"}, {"write": "c", "data": "too late"})",
                                 "node-8");
  CHECK(run.summary.limit == loopsim::LimitKind::depth);
}

TEST_CASE("'drain' is told once for a full buffer, and not for what is written later", "[net]") {
  const std::string main = R"(
    {"listen": 8080, "as": "server", "on": {"connection": [{"on": "value", "event": "data", "do": []}], "listening": [
      {"connect": 8080, "as": "c", "on": {"connect": [{"write": "c", "bytes": 16384}], "drain": [{"log": "drain at {now}"}]}},
      {"setTimeout": 5, "do": [{"write": "c", "bytes": 1, "do": [{"log": "written at {now}"}]}]},
      {"setTimeout": 10, "do": [{"write": "c", "bytes": 16384}]},
      {"setTimeout": 15, "do": [{"end": "c"}, {"close": "server"}]}]}})";
  const Lines full = {"drain at 0", "written at 5", "drain at 10"};
  for (const char* runtime : kVersions) {
    INFO(runtime);
    const std::string name = runtime;
    const bool is_never_full = name == "node-20" || name == "node-22" || name == "node-24" || name == "node-26";
    CHECK(simulate_main(main, runtime).output == (is_never_full ? Lines{"written at 5"} : full));
  }
}

TEST_CASE("a full socket that is being shut down keeps no process alive", "[net]") {
  // `f` ends the client. In the same poll the client receives more unread data than its buffer holds, so it stops
  // reading, and its handle is no longer active although the shutdown is pending.
  std::string writes;
  for (int i = 0; i < 5; ++i) writes += R"(, {"write": "value", "data": ")" + std::string(4096, 'x') + R"("})";
  const std::string main = R"(
    {"listen": 8080, "as": "s", "on": {"connection": [{"close": "s"},
      {"fs": "stat", "takes": "1us", "as": "f", "do": [{"end": "c"}]}, {"spin": "2ms"})" +
                           writes + R"(]}}, {"connect": 8080, "as": "c"})";
  for (const char* runtime : {"node-10", "node-14", "node-16", "node-18", "node-20"}) {
    INFO(runtime);
    CHECK(simulate_main(main, runtime).summary.reason == loopsim::ExitReason::loop_empty);
  }
}

TEST_CASE("what a socket may still write after the other side's end", "[net]") {
  // Nothing up to Node 14; from 16 on, it may write until its own side is ended by a tick after 'end'.
  const std::string main = R"({"listen": 8080, "as": "server", "on": {"connection": [{"close": "server"},
      {"on": "value", "event": "data", "do": [{"log": "server: {value}"}]}, {"on": "value", "event": "error", "do": []},
      {"on": "value", "event": "end", "do": [{"log": "server: end"}]}, {"end": "value"}]}},
    {"connect": 8080, "as": "c", "on": {
      "end": [{"write": "c", "data": "in time", "do": [{"log": "in time: {error.code}"}]},
              {"setImmediate": [{"write": "c", "data": "too late", "do": [{"log": "too late: {error.code}"}]}]}],
      "error": [{"log": "{error.message}"}], "close": [{"log": "close {value}"}]}})";
  const std::string words = "This socket has been ended by the other party";
  for (const char* runtime : {"node-4", "node-8", "node-10", "node-12", "node-14"}) {
    CHECK(simulate_main(main, runtime).output ==
          Lines{words, "in time: EPIPE", words, "too late: EPIPE", "close false", "server: end"});
  }
  CHECK(simulate_main(main, "node-16").output ==
        Lines{"in time: undefined", "too late: EPIPE", words, "close true", "server: in time", "server: end"});
  CHECK(simulate_main(main, "node-18").output ==
        Lines{"in time: undefined", "too late: EPIPE", "close false", "server: in time", "server: end"});
  for (const char* runtime : {"node-20", "node-26"}) {
    CHECK(simulate_main(main, runtime).output ==
          Lines{"in time: null", "too late: EPIPE", "close false", "server: in time", "server: end"});
  }
}

TEST_CASE("a socket that is destroyed takes no other from epoll's list", "[net]") {
  // Both had data in one poll, and keep their places in the list until the next poll checks them.
  const std::string main =
      R"({"listen": 8080, "as": "server", "on": {"connection": [{"on": "value", "event": "error", "do": []},
      {"setTimeout": 5, "do": [{"write": "value", "data": "1"}]}, {"setTimeout": 10, "do": [{"write": "value", "data": "2"}]}]}},
    {"connect": 8080, "as": "a", "on": {
      "data": [{"log": "a {value}"}, {"setImmediate": [{"destroy": "a"}]}], "close": [{"log": "a close"}]}},
    {"connect": 8080, "as": "b", "on": {"data": [{"log": "b {value}"}]}}, {"setTimeout": 20, "do": [{"exit": 0}]})";
  for (const char* runtime : {"node-8", "node-12", "node-16", "node-20", "node-24"})
    CHECK(simulate_main(main, runtime).output == Lines{"a 1", "b 1", "a close", "b 2"});
}

TEST_CASE("a paused socket that holds exactly as much as it may flows only by its own tick", "[net]") {
  // 20000 bytes exceed the socket's buffer: it stops reading. The first half is consumed and 6384 more arrive, so the
  // buffer has 16384. The listener's tick precedes that of resume(), and nothing else makes the rest flow.
  const std::string main =
      R"({"listen": 8080, "as": "server", "on": {"connection": [{"close": "server"}, {"set": {"peer": "{value}"}},
      {"setTimeout": 10, "do": [{"write": "peer", "bytes": 10000}]}, {"setTimeout": 20, "do": [{"write": "peer", "bytes": 10000}]},
      {"setTimeout": 40, "do": [{"write": "peer", "bytes": 6384}]}, {"setTimeout": 60, "do": [{"end": "peer"}]}]}},
    {"connect": 8080, "as": "c", "on": {"connect": [{"pause": "c"}],
      "data": [{"log": "data"}, {"pause": "c"}, {"nextTick": [{"log": "tick"}]}], "end": [{"log": "end"}]}},
    {"setTimeout": 30, "do": [{"log": "resume"}, {"resume": "c"}]},
    {"setTimeout": 50, "do": [{"log": "resume"}, {"resume": "c"}, {"nextTick": [{"resume": "c"}]}]},
    {"setTimeout": 70, "do": [{"resume": "c"}]})";
  for (const char* runtime : kVersions) {
    CHECK(simulate_main(main, runtime).output ==
          Lines{"resume", "data", "tick", "resume", "data", "tick", "data", "tick", "end"});
  }
}

TEST_CASE("what is written before there is a connection", "[net]") {
  const auto main = [](const std::string& at_once, const std::string& later) {
    return R"({"listen": 8080, "as": "server", "on": {"connection": [{"close": "server"},
        {"on": "value", "event": "data", "do": [{"log": "{value}"}]}, {"on": "value", "event": "end", "do": [{"log": "end"}]}]}},
      {"connect": 8080, "as": "c", "on": {"connect": [)" +
           later + R"(], "finish": [{"log": "finish"}], "close": [{"log": "close"}]}},
      {"write": "c", "data": "a"}, {"write": "c", "data": "b"}, {"write": "c", "data": "c", "do": [{"log": "written"}]})" +
           at_once;
  };
  const std::string ended = main(R"(, {"end": "c", "data": "d", "do": [{"log": "ended"}]})", "");
  const std::string ended_later = main("", R"({"setTimeout": 5, "do": [{"end": "c", "do": [{"log": "ended"}]}]})");
  for (const char* runtime : {"node-4", "node-8", "node-10", "node-12", "node-14"}) {
    CHECK(simulate_main(ended, runtime).output == Lines{"written", "finish", "ended", "abcd", "end", "close"});
    CHECK(simulate_main(ended_later, runtime).output == Lines{"written", "abc", "finish", "ended", "end", "close"});
  }
  for (const char* runtime : {"node-16", "node-20", "node-26"}) {
    CHECK(simulate_main(ended, runtime).output == Lines{"written", "ended", "finish", "abcd", "end", "close"});
    CHECK(simulate_main(ended_later, runtime).output == Lines{"written", "abc", "ended", "finish", "end", "close"});
  }
}

TEST_CASE("a write that fails behind one whose callback throws: 'finish', where a tick asks once more", "[net]") {
  // The server is gone once the connection exists. The kernel accepts `a`; `b`, which was queued, fails within the same
  // call from the loop. The exception ends that call before it checks whether the stream is finished.
  const std::string main =
      R"({"on": "process", "event": "uncaughtException", "do": [{"log": "uncaught {error.message}"}]},
    {"listen": 8080, "as": "server", "on": {"connection": [{"destroy": "value"}, {"close": "server"}], "listening": [
      {"connect": 8080, "as": "c", "on": {"error": [{"log": "{error.message}"}], "finish": [{"log": "finish"}],
        "close": [{"log": "close {value}"}]}},
      {"write": "c", "data": "a", "do": [{"log": "a"}, {"throw": "from a"}]}, {"end": "c", "data": "b"}]}})";
  for (const char* runtime : {"node-10", "node-12"})
    CHECK(simulate_main(main, runtime).output == Lines{"write EPIPE", "a", "uncaught from a", "finish", "close true"});
  for (const char* runtime : {"node-8", "node-11"})
    CHECK(simulate_main(main, runtime).output == Lines{"a", "uncaught from a", "write EPIPE", "finish", "close true"});
  for (const char* runtime : {"node-4", "node-6", "node-14", "node-16", "node-20", "node-26"})
    CHECK(simulate_main(main, runtime).output == Lines{"a", "uncaught from a", "write EPIPE", "close true"});
}

TEST_CASE("destroy() with an error, on a socket that is destroyed: told once, from Node 14 on never", "[net]") {
  const std::string main =
      R"({"connect": 8080, "as": "c", "on": {"close": [{"log": "close {value}"}], "error": [{"log": "{error.message}"}]}},
    {"destroy": "c"}, {"destroy": "c", "error": "one"}, {"destroy": "c", "error": "two"})";
  for (const char* runtime : {"node-4", "node-6", "node-8", "node-10", "node-11", "node-12"})
    CHECK(simulate_main(main, runtime).output == Lines{"one", "close false"});
  for (const char* runtime : {"node-14", "node-18", "node-26"})
    CHECK(simulate_main(main, runtime).output == Lines{"close false"});
}

TEST_CASE("a callback of end() that throws on its tick", "[net]") {
  const std::string main =
      R"({"on": "process", "event": "uncaughtException", "do": [{"log": "caught {error.message}"}]},
    {"connect": 9999, "as": "s", "on": {"error": [{"log": "error"}], "close": [{"log": "close"}]}}, {"destroy": "s"},
    {"end": "s", "do": [{"log": "ended"}, {"throw": "x"}]}, {"nextTick": [{"log": "tick"}]},
    {"setTimeout": 5, "do": [{"end": "s", "do": [{"log": "again"}, {"throw": "y"}]}, {"nextTick": [{"log": "tick 2"}]}]})";
  for (const char* runtime : {"node-4", "node-6", "node-8", "node-10", "node-11", "node-12"})
    CHECK(simulate_main(main, runtime).output == Lines{"ended", "caught x", "tick", "close", "tick 2"});
  for (const char* runtime : {"node-14", "node-16"})
    CHECK(simulate_main(main, runtime).output ==
          Lines{"ended", "caught x", "tick", "close", "again", "caught y", "tick 2"});
  for (const char* runtime : {"node-18", "node-20", "node-22", "node-24", "node-26"})
    CHECK(simulate_main(main, runtime).output == Lines{"tick", "close", "again", "caught y", "tick 2"});
}

TEST_CASE("what a socket is watched for when its own side has been shut down", "[net]") {
  // The second write fills the client, which stops reading. It had been shut down in poll, and since then its descriptor
  // was registered for reading only, so none of its events ends the sleep after `busy`: in Node 11, which counts that
  // from an old reading of the clock, it is 7 ms too long.
  const std::string main = R"(
    {"listen": 8080, "allowHalfOpen": true, "as": "server", "on": {"connection": [{"set": {"peer": "{value}"}}]}},
    {"connect": 8080, "as": "c", "allowHalfOpen": true}, {"setTimeout": 2, "do": [{"end": "c"}], "as": "ends"},
    {"setTimeout": 5, "do": [{"write": "peer", "bytes": 10}], "as": "few"},
    {"setTimeout": 10, "as": "many", "do": [{"write": "peer", "bytes": 16384},
      {"setImmediate": [{"setTimeout": 1, "as": "busy", "do": [{"cpu": "7ms"}]}, {"cpu": "2ms"}], "as": "i"}]},
    {"setTimeout": 40, "as": "last", "do": [{"destroy": "c"}, {"destroy": "peer"}, {"close": "server"}]})";
  for (const char* runtime : kVersions) {
    INFO(runtime);
    CHECK(simulate_main(main, runtime).callbacks == Lines{"server.connection@0", "ends@2", "few@5", "many@10", "i@10",
                                                          "busy@12",
                                                          std::string(runtime) == "node-11" ? "last@47" : "last@40"});
  }
}
