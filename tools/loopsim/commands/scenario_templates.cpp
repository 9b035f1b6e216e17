#include "tools/loopsim/commands/scenario_templates.hpp"

#include <array>

namespace loopsim::cli {
namespace {

constexpr std::string_view kTimer = R"json({
  "$schema": "./scenario.schema.json",
  "title": "@TITLE@",
  "description": [
    "JSON has no comments; this is the place for them.",
    "",
    "`main` is the main script: a list of steps, each with one verb. `do` is a callback, again a list of steps. `as` gives",
    "it a name. Times without a unit are milliseconds, as in Node; with one they are texts: \"95ms\", \"1.5s\", \"250us\".",
    "",
    "Here a timer is set for 100 ms, and a file is read that takes `reading`. Its callback keeps the thread busy for",
    "10 ms. When does the timer run? Change `reading`, and run it again: with --set reading=50ms it need not even be changed.",
    "",
    "`expect` says what must happen, and `loopsim check` verifies it. `loopsim list verbs` lists all verbs."
  ],
  "params": { "reading": "95ms" },
  "main": [
    { "setTimeout": 100, "as": "timer", "do": [ { "log": "timer at {now} ms" } ] },
    { "fs": "read", "as": "file", "takes": "$reading", "do": [
      { "log": "file at {now} ms" },
      { "cpu": "10ms" }
    ] },
    { "log": "main script" }
  ],
  "expect": {
    "output": [ "main script", "file at 95 ms", "timer at 105 ms" ],
    "exit": { "code": 0, "at": "105ms" },
    "cases": [
      { "set": { "reading": "50ms" }, "output": [ "main script", "file at 50 ms", "timer at 100 ms" ] }
    ]
  }
}
)json";

constexpr std::string_view kJavaScript =
    R"js(// A program for Node, and for loopsim: in which order do these lines come, and when?
//
// The main script runs first, to its end. Then Node calls what waits: all ticks, then all microtasks (promises, await),
// and after that the phases of the event loop in turn: timers, poll, check. Between two callbacks, ticks and
// microtasks come first again.

const begin = Date.now();
const log = (text) => console.log(`${text} at ${Date.now() - begin} ms`);

setTimeout(function timer() {
  log('timer');
  Promise.resolve().then(function afterTimer() { log('microtask of the timer'); });
}, 10);

setImmediate(function immediate() {
  log('immediate');
  while (Date.now() - begin < 15);  // busy: the timer has to wait
});

process.nextTick(function tick() { log('tick'); });
Promise.resolve().then(function reaction() { log('reaction'); });

(async function main() {
  log('before await');
  await null;
  log('after await');
})();

log('end of the main script');
)js";

constexpr ScenarioTemplate kProgram = {
    .name = "js", .about = "ticks, promises, an immediate and a late timer", .document = kJavaScript};

constexpr std::string_view kPool = R"json({
  "$schema": "./scenario.schema.json",
  "title": "@TITLE@",
  "description": [
    "JSON has no comments; this is the place for them.",
    "",
    "Files, DNS, crypto and zlib are worked on by the threads of libuv's pool: as many as `runtime.threadpool` says, which is",
    "UV_THREADPOOL_SIZE. Six hashes of 100 ms each are asked for at once. Requests beyond the threads wait in a queue.",
    "",
    "`\"$threads\"` is the value of the param. Try --set threads=2, and `loopsim sweep FILE --vary threads=1:6:1`."
  ],
  "runtime": { "profile": "node-24", "threadpool": "$threads" },
  "params": { "threads": 4 },
  "main": [
    { "repeat": 6, "as": "i", "do": [
      { "crypto": "pbkdf2", "as": "hash", "cpu": "100ms", "do": [ { "log": "hash {i} at {now} ms" } ] }
    ] }
  ],
  "expect": {
    "times": { "hash": [ "100ms", "100ms", "100ms", "100ms", "200ms", "200ms" ] },
    "exit": { "code": 0, "at": "200ms" },
    "cases": [
      { "set": { "threads": 6 }, "exit": { "code": 0, "at": "100ms" } }
    ]
  }
}
)json";

constexpr std::string_view kPromises = R"json({
  "$schema": "./scenario.schema.json",
  "title": "@TITLE@",
  "description": [
    "JSON has no comments; this is the place for them.",
    "",
    "Five ways to run something later. The main script comes first, to its end. Then the queue of process.nextTick() is emptied,",
    "then that of the microtasks, in which promises and queueMicrotask() take turns. Only then the loop begins.",
    "",
    "A timer of 0 would be one of 1 ms, and whether the immediate comes before it a race: `loopsim run` marks it then, and",
    "`loopsim orders FILE` reports how often each of the two is first on a real machine."
  ],
  "main": [
    { "setTimeout": 10, "do": [ { "log": "timer" } ] },
    { "setImmediate": [ { "log": "immediate" } ] },
    { "promise": "ready", "do": [ { "resolve": "ready" } ] },
    { "then": "ready", "do": [ { "log": "promise" } ] },
    { "queueMicrotask": [ { "log": "microtask" } ] },
    { "nextTick": [ { "log": "tick" } ] },
    { "log": "main script" }
  ],
  "expect": {
    "output": [ "main script", "tick", "promise", "microtask", "immediate", "timer" ]
  }
}
)json";

constexpr std::string_view kServer = R"json({
  "$schema": "./scenario.schema.json",
  "title": "@TITLE@",
  "description": [
    "JSON has no comments; this is the place for them.",
    "",
    "`inputs` are external events with their times: here two clients that send a request each. `on` are listeners; the first",
    "argument of an event is `value`: the socket of a connection, the text that has arrived.",
    "",
    "The server computes for a slow request. The second client has to wait for it, though its own answer costs nothing.",
    "With --set work=5ms it has to wait less. `loopsim sweep` can tell how much, for many values and many clients."
  ],
  "params": { "work": "50ms" },
  "inputs": [
    { "at": "10ms", "connect": 8080, "as": "first" },
    { "at": "10ms", "write": "first", "data": "slow" },
    { "at": "11ms", "connect": 8080, "as": "second" },
    { "at": "11ms", "write": "second", "data": "fast" },
    { "at": "90ms", "destroy": "first" },
    { "at": "90ms", "destroy": "second" }
  ],
  "main": [
    { "listen": 8080, "as": "server", "on": {
      "connection": [
        { "let": { "socket": "{value}" } },
        { "on": "value", "event": "data", "as": "request", "do": [
          { "if": [ "value", "==", "slow" ], "then": [ { "cpu": "$work" } ] },
          { "write": "socket", "data": "answer" },
          { "log": "{value} request answered at {now} ms" }
        ] }
      ] } },
    { "setTimeout": 100, "as": "end", "do": [ { "close": "server" } ] }
  ],
  "expect": {
    "output": [ "slow request answered at 60 ms", "fast request answered at 60 ms" ],
    "exit": { "code": 0, "at": "100ms" }
  }
}
)json";

constexpr std::array kTemplates = {
    ScenarioTemplate{"timer", "a timer, a file, and a callback that takes its time", kTimer},
    ScenarioTemplate{"pool", "more work than the thread pool has threads", kPool},
    ScenarioTemplate{"promises", "ticks, promises, microtasks, immediates and timers", kPromises},
    ScenarioTemplate{"server", "a server, its clients, and a slow request", kServer},
};

}  // namespace

std::span<const ScenarioTemplate> scenario_templates() { return kTemplates; }

const ScenarioTemplate& program_template() { return kProgram; }

}  // namespace loopsim::cli
