// Scenarios and traces for the tests of explanations, which cover cases that no file in scenarios/ does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/trace_lines.hpp"

namespace loopsim::testing {

inline constexpr std::string_view kNetworkAnswer = R"({
  "main": [ { "dns": "resolve", "takes": "3ms", "as": "answer", "do": [] } ]
})";

inline constexpr std::string_view kQuota = R"({
  "machine": { "cores": 1, "quota": { "quota": "10ms", "period": "100ms" } },
  "main": [ { "setTimeout": 20, "as": "timer", "do": [] }, { "cpu": "15ms" } ]
})";

inline constexpr std::string_view kStolen = R"({
  "machine": { "cores": 1, "scheduler": "eevdf", "steal": { "takes": "30ms", "between": "1ms" } },
  "main": [ { "setTimeout": 20, "as": "timer", "do": [] } ]
})";

// Collected while the loop itself is at work, and the timer is due.
inline constexpr std::string_view kCollected = R"({
  "machine": { "overhead": { "turn": "6ms" }, "gc": { "allocation": 1000, "young": 4, "scavenge": "3ms" } },
  "main": [ { "setTimeout": 5, "as": "timer", "do": [] }, { "setImmediate": [] } ]
})";

inline constexpr std::string_view kOverhead = R"({
  "machine": { "cores": 1, "overhead": { "callback": "3ms" } },
  "main": [ { "setTimeout": 1, "as": "a", "do": [] }, { "setTimeout": 2, "as": "b", "do": [] } ]
})";

inline constexpr std::string_view kSignalEnds = R"({
  "inputs": [ { "at": "15ms", "signal": "SIGTERM" } ],
  "main": [ { "setTimeout": 20, "as": "timer", "do": [] } ]
})";

inline constexpr std::string_view kMainReturns = R"({
  "runtime": "libuv-1.52",
  "main": [ { "uv_timer_init": "timer" }, { "uv_timer_start": "timer", "timeout": 20, "do": [] } ]
})";

// libuv alone: an idle handle keeps poll before a check from sleeping, and a timer is stopped before its turn.
inline constexpr std::string_view kIdleHandle = R"({
  "runtime": "libuv-1.52",
  "main": [
    { "uv_timer_init": "stopped" }, { "uv_timer_start": "stopped", "timeout": 20, "do": [] },
    { "uv_timer_init": "timer" },
    { "uv_timer_start": "timer", "timeout": 5, "do": [ { "uv_timer_stop": "stopped" }, { "uv_idle_stop": "idle" } ] },
    { "uv_idle_init": "idle" }, { "uv_idle_start": "idle", "do": [ { "cpu": "1ms" } ] },
    { "uv_check_init": "check" }, { "uv_check_start": "check", "do": [ { "uv_check_stop": "check" } ] },
    { "uv_run": "UV_RUN_DEFAULT" }
  ]
})";

// A page: what its scenarios do not show.
inline constexpr std::string_view kPage = R"({
  "document": "<p id='p'></p>",
  "limits": { "time": "2s" },
  "script": [
    "setTimeout(function throws() { throw new Error('no'); }, 5);",
    "let rounds = 0;",
    "const interval = setInterval(function round() { if (++rounds === 2) clearInterval(interval); }, 10);",
    "const once = setTimeout(function late() { clearTimeout(once); }, 15);",
    "const never = setTimeout(function cancelled() {}, 20);",
    "clearTimeout(never);",
    "const own = new EventTarget();",
    "own.addEventListener('x', function listener() {});",
    "own.dispatchEvent(new Event('x'));",
    "new Promise(() => {}).then(function neverSettled() {});",
    "scheduler.postTask(function task() {}, { priority: 'background' });",
    "queueMicrotask(function micro() { queueMicrotask(function within() {}); });",
    "function level() { if (++level.n < 9) setTimeout(level, 0); }",
    "level.n = 0;",
    "setTimeout(level, 0);",
    "setTimeout(function asksLate() { requestIdleCallback(function hurried() {}, { timeout: 1 }); loopsim.cpu(4); }, 60);",
    "setTimeout(function busy() {",
    "  loopsim.cpu(30);",
    "  queueMicrotask(function computes() { loopsim.cpu(10); });",
    "}, 25);",
    "for (const delay of [26, 27, 28, 29, 30, 31]) setTimeout(function waits() { loopsim.cpu(2); }, delay);",
    "setTimeout(function waitsForMain() {}, 1);",
    "setTimeout(function flexible() {}, 140);",
    "setTimeout(function asks() { setTimeout(function precise() {}, 29); }, 114);",
    "const watched = document.getElementById('p');",
    "new MutationObserver(function told() {}).observe(watched, { attributes: true });",
    "watched.title = 'changed';",
    "loopsim.cpu(3);",
    "setInterval(function forEver() {}, 400);",
    "setTimeout(function notDue() {}, 5000);"
  ]
})";
inline constexpr std::string_view kFrozenPage = R"({
  "limits": { "callbacks": 60 },
  "script": [
    "setTimeout(function starved() {}, 1);",
    "function again() { Promise.resolve().then(again); }",
    "setTimeout(function begins() { again(); }, 0);"
  ]
})";

// Models of I/O: messages that come while the process is blocked in the call that gets them, or in another one; while it computes, is
// at its other work, or on its way; by a completion; and one that it never has.
inline constexpr std::string_view kIoBlocking = R"({
  "runtime": "io", "limits": { "time": "30ms" },
  "io": { "model": "blocking", "work": "5ms", "costs": { "call": "1ms" },
    "sockets": [ { "arrivals": [ { "at": [ "5ms", "8ms", "20ms" ] } ] }, { "arrivals": [ { "at": [ "6ms", "13500us" ] } ] }, { } ] }
})";
inline constexpr std::string_view kIoPoll = R"({
  "runtime": "io",
  "io": { "model": "poll", "costs": { "call": "1ms" }, "sockets": [ { "arrivals": [ { "at": "500us" } ], "end": "9ms" } ] }
})";
inline constexpr std::string_view kIoAsync = R"({
  "runtime": "io",
  "io": { "model": "async", "meanwhile": "3ms", "sockets": [ { "arrivals": [ { "at": "5ms" } ], "end": "9ms" } ] }
})";

inline constexpr std::string_view kIdleChild = R"({
  "main": [ { "spawn": "sleep", "takes": "4ms", "as": "child", "on": { "exit": [] } } ]
})";

inline constexpr std::string_view kManyBefore = R"({
  "main": [
    { "setTimeout": 1, "as": "a", "do": [ { "cpu": "1ms" } ] }, { "setTimeout": 2, "as": "b", "do": [ { "cpu": "1ms" } ] },
    { "setTimeout": 3, "as": "c", "do": [ { "cpu": "1ms" } ] }, { "setTimeout": 4, "as": "d", "do": [ { "cpu": "1ms" } ] },
    { "setTimeout": 5, "as": "e", "do": [ { "cpu": "1ms" } ] }, { "setTimeout": 6, "as": "f", "do": [ { "cpu": "1ms" } ] },
    { "setTimeout": 7, "as": "last", "do": [] }, { "cpu": "20ms" }
  ]
})";

// What keeps the loop until a limit: microtasks; ticks and microtasks in turns; a phase (up to Node 10); a callback.
inline constexpr std::string_view kEndlessAwait = R"({ "limits": { "callbacks": 50 }, "main": [
  { "setTimeout": 1, "as": "timer", "do": [] },
  { "async": [ { "repeat": 1000, "do": [ { "await": null } ] } ], "as": "spinner" } ] })";
inline constexpr std::string_view kEndlessTurns = R"({ "limits": { "callbacks": 50 },
  "functions": { "a": [ { "then": null, "do": [ { "nextTick": "a" } ], "as": "b" } ] },
  "main": [ { "setTimeout": 1, "as": "timer", "do": [] }, { "call": "a" } ] })";
inline constexpr std::string_view kTwoBusyIntervals = R"({ "limits": { "callbacks": 100 }, "main": [
  { "setInterval": 1, "as": "a", "do": [ { "cpu": "3ms" } ] },
  { "setInterval": 2, "as": "b", "do": [ { "cpu": "3ms" } ] },
  { "fs": "read", "takes": "2ms", "as": "file", "do": [] }, { "setTimeout": 5000, "as": "late", "do": [] } ] })";
// An interval that refreshes itself is armed twice.
inline constexpr std::string_view kRefreshesItself = R"({ "main": [ { "set": { "n": 0 } },
  { "setInterval": 5, "as": "t", "do": [ { "refresh": "t" }, { "add": { "n": 1 } },
    { "if": [ "n", ">=", 2 ], "then": [ { "clear": "t" } ] } ] } ] })";
// Promises: each way in which one comes to be settled, or is not.
inline constexpr std::string_view kPromiseWays = R"({ "main": [
  { "promise": "p" }, { "promise": "q" }, { "promise": "late" }, { "promise": "never" }, { "promise": "r" },
  { "then": "r", "as": "refused", "catch": [] },
  { "promise": "done", "do": [ { "resolve": "done", "with": 7 } ] },
  { "promise": "failed", "do": [ { "reject": "failed", "error": "no" } ] },
  { "then": "failed", "as": "handler", "do": [], "catch": [] }, { "then": "done", "as": "both", "do": [], "rejected": [] },
  { "promise": "first", "do": [ { "resolve": "first", "with": "{done}" } ] },
  { "then": "first", "as": "settled", "do": [] },
  { "promise": "second", "do": [ { "resolve": "second", "with": "{late}" } ] },
  { "then": "second", "as": "pending", "do": [] },
  { "then": "p", "as": "a", "do": [ { "return": "{done}" } ] }, { "then": "a", "as": "b", "do": [ { "return": "{late}" } ] },
  { "then": "b", "as": "c", "do": [ { "throw": "oops" } ] }, { "then": "c", "as": "d", "do": [] },
  { "then": "d", "as": "e", "catch": [] }, { "then": "e", "as": "f", "finally": [] }, { "then": "f", "as": "g", "do": [] },
  { "then": "q", "as": "h", "catch": [] }, { "then": "h", "as": "i", "finally": [ { "return": "{late}" } ] },
  { "then": "i", "as": "j", "do": [] }, { "then": "never", "as": "k", "do": [] }, { "then": "k", "as": "l", "do": [] },
  { "then": { "race": [ "p", "q" ] }, "as": "race", "do": [] }, { "then": { "all": [ "p", "q", "late" ] }, "as": "all", "do": [] },
  { "then": { "race": [ "done", "q" ] }, "as": "first_before", "do": [] },
  { "then": { "all": [ "done", "done" ] }, "as": "last_before", "do": [] },
  { "setTimeout": 5, "as": "timer", "do": [ { "resolve": "p", "with": "x" } ] },
  { "setTimeout": 6, "as": "other", "do": [ { "resolve": "q" }, { "reject": "r", "error": "no" } ] },
  { "setTimeout": 7, "as": "last", "do": [ { "resolve": "late" }, { "clear": "last" } ] },
  { "setImmediate": [], "as": "cleared" }, { "clear": "cleared" } ] })";
// Node 4 follows a promise that a callback has returned without a job of its own.
inline constexpr std::string_view kReturnsPromise = R"({ "main": [
  { "promise": "p" }, { "then": null, "as": "a", "do": [ { "return": "{p}" } ] }, { "then": "a", "as": "b", "do": [] },
  { "setInterval": 5, "as": "timer", "do": [ { "resolve": "p" }, { "clear": "timer" } ] } ] })";
// The same with await, in the versions that have it.
inline constexpr std::string_view kAwaitWays = R"({
  "functions": {
    "sleeper": [ { "await": "p" }, { "return": 3 } ],
    "thrower": [ { "await": "p" }, { "throw": "oops" } ],
    "waiter": [ { "async": "sleeper", "as": "s" }, { "await": "s", "as": "v" } ]
  },
  "main": [
    { "promise": "p" }, { "promise": "done", "do": [ { "resolve": "done" } ] },
    { "async": "waiter" }, { "then": { "async": "thrower" }, "as": "caught", "catch": [] },
    { "async": [ { "await": { "setTimeout": 2 } } ], "as": "slept" }, { "async": [ { "await": "done" } ], "as": "soon" },
    { "setTimeout": 5, "as": "timer", "do": [ { "resolve": "p" } ] } ] })";

inline constexpr std::string_view kEndlessMain = R"({ "limits": { "steps": 1000 }, "main": [
  { "setTimeout": 1, "as": "timer", "do": [] }, { "repeat": 5000, "do": [ { "mark": "here" } ] } ] })";

// One callback for each rule by which poll did not block. As scenarios, each rule would need its own.
inline std::string polls_by_hand(std::string_view runtime) {
  TraceLines lines(runtime);
  lines.main(0);
  std::uint64_t id = 2;
  for (const std::string_view rule : {"due_timer", "stopped", "nothing_active", "pending_queue"}) {
    lines.turn(1).poll(1, rule);
    lines.add(
        1, "poll",
        fmt::format(
            R"("ev":"callback_begin","api":"on","id":{},"name":"heard","by":1,"due":1000000,"late":0,"op":"drain")",
            id));
    lines.add(1, "poll", fmt::format(R"("ev":"callback_end","api":"on","id":{},"name":"heard","how":"normal")", id++));
  }
  return lines.exit(1).text();
}

// Promises without a name, as a program of C++ functions has them.
inline std::string unnamed_promises(std::string_view runtime) {
  TraceLines lines(runtime);
  const auto reaction = [&lines](std::uint64_t id, std::string_view name, std::uint64_t promise) {
    lines.add(
        0, "main",
        fmt::format(R"("ev":"schedule","api":"then","id":{},"name":"{}","by":1,"as":"first","promise":{},"result":{})",
                    id, name, promise, promise + 10));
  };
  lines.add(0, "main", R"("ev":"callback_begin","api":"main","id":1,"name":"main")");
  reaction(2, "fulfilled", 1);
  reaction(3, "rejected", 2);
  lines.add(0, "main", R"("ev":"callback_begin","api":"on","id":4,"name":"heard","by":1,"op":"drain")");
  lines.add(0, "main",
            R"("ev":"enqueue","queue":"microtasks","api":"then","id":2,"name":"fulfilled","by":4,"value":"'a'")");
  lines.add(
      0, "main",
      R"("ev":"enqueue","queue":"microtasks","api":"then","id":3,"name":"rejected","by":4,"rejected":true,"value":"no")");
  lines.add(0, "main", R"("ev":"callback_end","api":"on","id":4,"name":"heard","how":"normal")");
  lines.add(0, "main", R"("ev":"callback_end","api":"main","id":1,"name":"main","how":"normal")");
  lines.add(0, "main", R"("ev":"drain_begin","ticks":0,"microtasks":2)");
  for (const auto& [id, name] : {std::pair(2, "fulfilled"), std::pair(3, "rejected")}) {
    lines.add(0, "main", fmt::format(R"("ev":"callback_begin","api":"then","id":{},"name":"{}","by":1)", id, name));
    lines.add(0, "main",
              fmt::format(R"("ev":"callback_end","api":"then","id":{},"name":"{}","how":"normal")", id, name));
  }
  lines.add(0, "main", R"("ev":"drain_end")");
  return lines.exit(0).text();
}

// A late timer whose trace names no callback as the cause, and microtasks drained after Node-internal work.
inline std::string late_by_hand(std::string_view runtime) {
  TraceLines lines(runtime);
  lines.main(
      0,
      R"("ev":"schedule","api":"setTimeout","id":2,"name":"timer","by":1,"as":"first","due":1000000,"delay":1000000)");
  lines.turn(3);
  lines.add(
      3, "timers",
      R"("ev":"callback_begin","api":"setTimeout","id":2,"name":"timer","by":1,"due":1000000,"late":2000000,"why":"order")");
  lines.add(3, "timers", R"("ev":"schedule","api":"queueMicrotask","id":3,"name":"task","by":2,"as":"first")");
  lines.add(3, "timers", R"("ev":"callback_end","api":"setTimeout","id":2,"name":"timer","how":"normal")");
  lines.poll(3, "no_timer").add(3, "poll", R"("ev":"drain_begin","ticks":0,"microtasks":1)");
  lines.add(3, "poll", R"("ev":"callback_begin","api":"queueMicrotask","id":3,"name":"task","by":2)");
  lines.add(3, "poll", R"("ev":"callback_end","api":"queueMicrotask","id":3,"name":"task","how":"normal")");
  lines.add(3, "poll", R"("ev":"drain_end")");
  lines.add(3, "check", R"("ev":"callback_begin","api":"function","id":4,"name":"called","by":2)");
  lines.add(3, "check", R"("ev":"callback_end","api":"function","id":4,"name":"called","how":"normal")");
  lines.add(3, "check",
            R"("ev":"callback_begin","api":"on","id":5,"name":"heard","by":1,"due":2000000,"late":1000000,)"
            R"("why":"order","behind":2,"op":"drain")");
  lines.add(3, "check", R"("ev":"callback_end","api":"on","id":5,"name":"heard","how":"normal")");
  return lines.exit(3).text();
}

}  // namespace loopsim::testing
