// The table of events: the fields of an Event that each kind uses, and their keys in a trace. A constant, so that the
// text of each kind can be generated at compile time (jsonl_format.cpp); other code uses event_table() of
// loopsim/trace.hpp.
//
// The format is documented in docs/trace-format.md; change the page and this table together, a test compares them.
// Words are in the order of their enumeration in loopsim/trace.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "loopsim/trace.hpp"

namespace loopsim::events {

using Source = FieldInfo::Source;
using Type = FieldInfo::Type;
using Words = std::span<const std::string_view>;

template <typename Last>
constexpr std::size_t count_to(Last last) {
  return static_cast<std::size_t>(last) + 1;
}

// ---- words --------------------------------------------------------------------------------------------------------------------

inline constexpr std::array<std::string_view, count_to(Phase::exit)> kPhases = {
    "main",    "timers", "pending",   "idle",       "prepare",    "poll", "check",
    "closing", "task",   "rendering", "idlePeriod", "beforeExit", "exit"};
static_assert(kPhases.back() == "exit");

inline constexpr std::array<std::string_view, loopsim::kApis> kApis = {"none",
                                                                       "main",
                                                                       "setTimeout",
                                                                       "setInterval",
                                                                       "setImmediate",
                                                                       "nextTick",
                                                                       "queueMicrotask",
                                                                       "then",
                                                                       "catch",
                                                                       "finally",
                                                                       "await",
                                                                       "async",
                                                                       "promise",
                                                                       "fs",
                                                                       "dns",
                                                                       "crypto",
                                                                       "zlib",
                                                                       "on",
                                                                       "function",
                                                                       "close",
                                                                       "listen",
                                                                       "connect",
                                                                       "spawn",
                                                                       "write",
                                                                       "end",
                                                                       "process",
                                                                       "uv_timer_start",
                                                                       "uv_idle_start",
                                                                       "uv_prepare_start",
                                                                       "uv_check_start",
                                                                       "uv_async_init",
                                                                       "uv_queue_work",
                                                                       "uv_signal_start",
                                                                       "uv_close",
                                                                       "uv_walk",
                                                                       "uv_listen",
                                                                       "uv_connect",
                                                                       "uv_read_start",
                                                                       "uv_write",
                                                                       "uv_shutdown",
                                                                       "uv_poll_start",
                                                                       "uv_spawn",
                                                                       "uv_fs",
                                                                       "uv_getaddrinfo",
                                                                       "requestAnimationFrame",
                                                                       "requestIdleCallback",
                                                                       "MutationObserver",
                                                                       "addEventListener",
                                                                       "postMessage",
                                                                       "postTask",
                                                                       "yield",
                                                                       "fetch",
                                                                       "history",
                                                                       "IntersectionObserver",
                                                                       "AbortSignal.timeout",
                                                                       "event"};
static_assert(kApis.back() == "event");

inline constexpr std::array<std::string_view, count_to(PollRule::closing_handle)> kPollRules = {
    "timer", "due_timer", "no_timer", "stopped", "nothing_active", "pending_queue", "idle_handle", "closing_handle"};
static_assert(kPollRules.back() == "closing_handle");

inline constexpr std::array<std::string_view, count_to(PollWake::timeout)> kPollWakes = {"none", "event", "timeout"};
static_assert(kPollWakes.back() == "timeout");

inline constexpr std::array<std::string_view, count_to(LateReason::order)> kLateReasons = {
    "none",      "callback",  "main",   "stall",  "startup",  "rounding",
    "preempted", "throttled", "stolen", "wakeup", "overhead", "order"};
static_assert(kLateReasons.back() == "order");

inline constexpr std::array<std::string_view, count_to(StallReason::gc)> kStallReasons = {
    "none", "stall", "preempted", "throttled", "stolen", "gc"};
static_assert(kStallReasons.back() == "gc");

inline constexpr std::array<std::string_view, count_to(AnswerKind::refused)> kAnswerKinds = {"end", "reset", "refused"};
static_assert(kAnswerKinds.back() == "refused");

inline constexpr std::array<std::string_view, count_to(CancelReason::clear_running)> kCancelReasons = {
    "clear", "refresh", "settled", "clear_running"};
static_assert(kCancelReasons.back() == "clear_running");

inline constexpr std::array<std::string_view, count_to(Job::finally)> kJobs = {
    "none", "passes_on", "follows", "all", "allSettled", "any", "race", "finally"};
static_assert(kJobs.back() == "finally");

inline constexpr std::array<std::string_view, loopsim::kQueues> kQueues = {
    "timers",  "immediates", "ticks",   "microtasks", "promises", "pool",  "network",      "writes", "ready", "pending",
    "closing", "idle",       "prepare", "check",      "async",    "tasks", "delayedTasks", "frames", "idles"};
static_assert(kQueues.back() == "idles");

inline constexpr std::array<std::string_view, count_to(WaitFor::frame)> kWaitFor = {
    "timer", "user", "message", "network", "dom", "postTask", "idle", "history", "frame"};
static_assert(kWaitFor.back() == "frame");

inline constexpr std::array<std::string_view, count_to(BurnKind::spin)> kBurnKinds = {"cpu", "spin"};
static_assert(kBurnKinds.back() == "spin");

inline constexpr std::array<std::string_view, count_to(CatchKind::promise)> kCatchKinds = {"try", "uncaughtException",
                                                                                           "promise"};
static_assert(kCatchKinds.back() == "promise");

inline constexpr std::array<std::string_view, count_to(LimitKind::memory)> kLimitKinds = {
    "none", "time", "callbacks", "steps", "queue", "depth", "memory"};
static_assert(kLimitKinds.back() == "memory");

inline constexpr std::array<std::string_view, count_to(ExitReason::main_returned)> kExitReasons = {
    "loop_empty", "process_exit", "uncaught_exception", "limit", "unsettled_await", "signal", "main_returned"};
static_assert(kExitReasons.back() == "main_returned");

inline constexpr std::array<std::string_view, count_to(ScheduleKind::refresh)> kScheduleKinds = {"first", "again",
                                                                                                 "refresh"};
static_assert(kScheduleKinds.back() == "refresh");

inline constexpr std::array<std::string_view, count_to(Completion::suspended)> kCompletions = {"normal", "throw",
                                                                                               "suspended"};
static_assert(kCompletions.back() == "suspended");

inline constexpr std::array<std::string_view, count_to(Settlement::rejected)> kSettlements = {"fulfilled", "rejected"};
static_assert(kSettlements.back() == "rejected");

inline constexpr std::array<std::string_view, count_to(ScopeStep::round)> kScopeSteps = {"call", "resume", "back",
                                                                                         "round"};
static_assert(kScopeSteps.back() == "round");

inline constexpr std::array<std::string_view, count_to(AssignStep::gone)> kAssignSteps = {
    "let", "set", "add", "result", "parameter", "loop", "caught", "gone"};
static_assert(kAssignSteps.back() == "gone");

inline constexpr std::array<std::string_view, count_to(ValueKind::uninitialized)> kValueKinds = {
    "undefined", "null",   "boolean", "number", "string",   "error",        "array",
    "promise",   "object", "bigint",  "symbol", "function", "uninitialized"};
static_assert(kValueKinds.back() == "uninitialized");

inline constexpr std::array<std::string_view, count_to(PromiseStep::rejected)> kPromiseSteps = {"pending", "fulfilled",
                                                                                                "rejected"};
static_assert(kPromiseSteps.back() == "rejected");

// Of the runtime `io`.
inline constexpr std::array<std::string_view, count_to(SysCall::clone)> kSysCalls = {
    "read",        "close",          "fcntl",          "select",    "poll",       "epoll_create1",
    "epoll_ctl",   "epoll_wait",     "sigprocmask",    "sigaction", "sigsuspend", "sigreturn",
    "sigwaitinfo", "io_uring_setup", "io_uring_enter", "clone"};
static_assert(kSysCalls.back() == "clone");

inline constexpr std::array<std::string_view, count_to(ProcessState::ended)> kProcessStates = {
    "running", "blocked", "computing", "meanwhile", "handler", "ended"};
static_assert(kProcessStates.back() == "ended");

inline constexpr std::array<std::string_view, count_to(IoSignal::sigrtmin)> kIoSignals = {"SIGIO", "SIGRTMIN"};
static_assert(kIoSignals.back() == "SIGRTMIN");

inline constexpr std::array<std::string_view, count_to(SignalStep::overflow)> kSignalSteps = {
    "pending", "merged", "queued", "delivered", "accepted", "overflow"};
static_assert(kSignalSteps.back() == "overflow");

// ---- shared fields --------------------------------------------------------------------------------------------------

inline constexpr bool kAlways = false;
inline constexpr bool kOptional = true;

inline constexpr FieldInfo kApi = {"api", Source::api, Type::word, kApis, kAlways, "what made the callback"};
inline constexpr FieldInfo kId = {"id", Source::id, Type::id, {}, kAlways, "the callback"};
inline constexpr FieldInfo kName = {"name", Source::name, Type::text, {}, kOptional, "its name in the scenario"};
inline constexpr FieldInfo kBy = {"by", Source::by, Type::id, {}, kOptional, "the callback that asked for it"};
inline constexpr FieldInfo kText = {"text", Source::text, Type::text, {}, kAlways, "the text"};
inline constexpr FieldInfo kLine = {"line", Source::line, Type::count,
                                    {},     kOptional,    "the line of the step in the scenario"};
inline constexpr FieldInfo kColumn = {
    "column",    Source::column,
    Type::count, {},
    kOptional,   "the column in that line at which the step begins, in bytes; of a script in UTF-16 units"};
inline constexpr FieldInfo kPromise = {"id", Source::id, Type::id, {}, kAlways, "the promise's number"};

inline constexpr FieldInfo kWaitsFor = {"promise", Source::promise, Type::id,
                                        {},        kOptional,       "the promise that it waits for, or waited for"};
inline constexpr FieldInfo kResult = {"result", Source::result, Type::id,
                                      {},       kOptional,      "the promise that settles with its outcome"};

constexpr FieldInfo integer(std::string_view key, Source source, Type type, bool optional, std::string_view help) {
  return {key, source, type, {}, optional, help};
}
constexpr FieldInfo word(std::string_view key, Source source, Words words, bool optional, std::string_view help) {
  return {key, source, Type::word, words, optional, help};
}

// ---- fields by kind -----------------------------------------------------------------------------------------------------------

inline constexpr std::array kPoll = {
    word("rule", Source::detail, kPollRules, kAlways, "which rule set the timeout"),
    integer("timeout", Source::a, Type::time_ms, kAlways, "the longest time poll was allowed to wait; -1: for ever"),
    integer("timer", Source::id, Type::id, kOptional, "the timer's callback that set it"),
    integer("blocked", Source::b, Type::time_ns, kAlways, "how long poll waited"),
    word("woke", Source::detail2, kPollWakes, kAlways, "what ended the wait"),
    integer("served", Source::c, Type::count, kAlways, "how many events it brought"),
};

inline constexpr std::array kReady = {
    kApi,
    kId,
    kName,
    integer("at", Source::a, Type::time_ns, kAlways, "when it became ready"),
    integer("started", Source::b, Type::time_ns, kOptional, "when work on it began"),
    integer("thread", Source::c, Type::count, kOptional, "the thread of the pool that did it, from 0"),
    FieldInfo{"op", Source::text, Type::text, {}, kOptional, "the operation: stat, lookup, pbkdf2 ..."},
};

inline constexpr std::array kSchedule = {
    kApi,
    kId,
    kName,
    kBy,
    word("as", Source::detail, kScheduleKinds, kAlways,
         "for the first time, as the next round of an interval, or by refresh()"),
    integer("due", Source::a, Type::time_ns, kOptional, "when it is due"),
    integer("delay", Source::b, Type::time_ns, kOptional, "a timer's delay; the length of a request's work"),
    integer("odd", Source::detail2, Type::flag, kOptional,
            "another delay was asked for, not from 1 to 2147483647 ms, which counts as 1"),
    integer("handle", Source::c, Type::id, kOptional, "the callback before it of the same timer"),
    FieldInfo{
        "op", Source::text, Type::text, {}, kOptional, "the operation (stat, lookup, pbkdf2 ...) or event listened to"},
    kLine,
    kColumn,
    kWaitsFor,
    kResult,
};

inline constexpr std::array kCancel = {
    kApi, kId, kName, kBy, word("why", Source::detail, kCancelReasons, kAlways, "what cancelled it"),
};

inline constexpr std::array kRef = {kApi, kId, kName, kBy};

// An item of a queue: a callback, by its id; or an item without a callback of its own, by its entry number.
inline constexpr FieldInfo kQueue = word("queue", Source::detail, kQueues, kAlways, "where it stands");
inline constexpr FieldInfo kAnyApi = word("api", Source::api, kApis, kOptional, "what made the callback");
inline constexpr FieldInfo kAnyId = integer("id", Source::id, Type::id, kOptional, "the callback");
inline constexpr FieldInfo kEntry =
    integer("entry", Source::a, Type::count, kOptional, "what has no callback of its own: its number among those");
inline constexpr FieldInfo kOwner =
    FieldInfo{"name", Source::name, Type::text, {}, kOptional, "the callback's name, or the socket's, server's ..."};
inline constexpr FieldInfo kEntryOp = {"op", Source::text, Type::text,
                                       {},   kOptional,    "its kind: a function of Node, a request, an event"};

inline constexpr std::array kEnqueue = {
    kQueue,
    kAnyApi,
    kAnyId,
    kEntry,
    kOwner,
    kEntryOp,
    integer("by", Source::by, Type::id, kOptional, "the callback that ran"),
    word("job", Source::detail2, kJobs, kOptional, "of a microtask without a callback: what it does"),
    kWaitsFor,
    kResult,
    integer("rejected", Source::b, Type::flag, kOptional, "the promise was rejected"),
    FieldInfo{"value", Source::value, Type::text, {}, kOptional, "what the promise was settled with, if not undefined"},
};

inline constexpr std::array kDequeue = {word("queue", Source::detail, kQueues, kAlways, "where it stood"), kEntry,
                                        kOwner, kEntryOp};

inline constexpr std::array kWork = {
    kApi,
    kId,
    kName,
    integer("thread", Source::c, Type::count, kAlways, "the thread of the pool, from 0"),
    FieldInfo{"op", Source::text, Type::text, {}, kOptional, "the request: open, read, lookup, pbkdf2 ..."},
};

inline constexpr std::array kCallbackBegin = {
    kApi,
    kId,
    kName,
    kBy,
    integer("due", Source::a, Type::time_ns, kOptional, "when it was due; for I/O, when it became ready"),
    integer("late", Source::b, Type::time_ns, kOptional, "how much later it begins"),
    word("why", Source::detail, kLateReasons, kOptional, "what held it up"),
    integer("behind", Source::c, Type::id, kOptional, "the callback that held it up"),
    FieldInfo{"op", Source::text, Type::text, {}, kOptional, "the event listened to"},
};

inline constexpr std::array kCallbackEnd = {
    kApi,
    kId,
    kName,
    word("how", Source::detail, kCompletions, kAlways, "returned, threw, or waits at an await"),
};

inline constexpr std::array kDrainBegin = {
    integer("ticks", Source::a, Type::count, kAlways, "process.nextTick callbacks waiting"),
    integer("microtasks", Source::b, Type::count, kAlways, "microtasks waiting"),
};

inline constexpr std::array kTextOnly = {kText};

inline constexpr std::array kLog = {kText, kLine, kColumn};

inline constexpr std::array kBurn = {
    word("what", Source::detail, kBurnKinds, kAlways, "the step"),
    integer("asked", Source::a, Type::time_ns, kAlways, "the time it asked for"),
    integer("from", Source::b, Type::time_ns, kAlways, "when it began"),
    integer("took", Source::c, Type::time_ns, kAlways, "the time it took"),
    kLine,
    kColumn,
};

inline constexpr std::array kReceive = {
    kName,
    integer("bytes", Source::a, Type::count, kAlways, "how many bytes; 0: the other side has ended"),
    FieldInfo{"text", Source::text, Type::text, {}, kOptional, "the first of them"},
};

inline constexpr std::array kSettle = {
    kPromise,
    kName,
    word("as", Source::detail, kSettlements, kAlways, "how it was settled"),
    FieldInfo{"value", Source::text, Type::text, {}, kOptional, "with what, if not undefined"},
    kLine,
    kColumn,
};

inline constexpr std::array kCaught = {
    word("by", Source::detail, kCatchKinds, kAlways, "what took the exception"),
    kText,
};

inline constexpr std::array kRejection = {kPromise, kName, kText};

inline constexpr std::array kInput = {
    integer("at", Source::a, Type::time_ns, kAlways, "when it happened"),
    kText,
};

inline constexpr std::array kLoopDelay = {
    integer("delta", Source::a, Type::time_ns, kAlways, "time since its previous run, which Node records"),
};

inline constexpr std::array kAnswer = {
    FieldInfo{"client", Source::text, Type::text, {}, kAlways, "the client's name and number"},
    word("how", Source::detail, kAnswerKinds, kAlways, "how its connection ended"),
    integer("at", Source::a, Type::time_ns, kAlways, "when"),
    integer("took", Source::b, Type::time_ns, kAlways, "for how long it had waited: the response time"),
};

inline constexpr std::array kStall = {
    integer("from", Source::a, Type::time_ns, kAlways, "when the process stopped running"),
    integer("for", Source::b, Type::time_ns, kAlways, "for how long"),
    word("why", Source::detail, kStallReasons, kAlways,
         "a stall, other programs, the quota, the hypervisor, or garbage that was collected"),
};

inline constexpr std::array kCall = {
    FieldInfo{"text", Source::text, Type::text, {}, kAlways, "the call, as in C, without the loop"},
    integer("result", Source::a, Type::time_ms, kAlways, "what the function returned; 0 where it returns nothing"),
    integer("begins", Source::detail, Type::flag, kOptional, "true: uv_run, which has not returned yet"),
    kBy,
    kLine,
    kColumn,
};

inline constexpr std::array kWait = {
    word("for", Source::detail, kWaitFor, kAlways, "what it waited for: a task of this source, or a frame"),
    integer("until", Source::a, Type::time_ns, kAlways, "when that is"),
    integer("slept", Source::b, Type::time_ns, kAlways, "how long the thread slept"),
};

inline constexpr std::array kFrame = {
    integer("due", Source::a, Type::time_ns, kAlways, "when the display was ready for it"),
    integer("late", Source::b, Type::time_ns, kAlways, "how much later it begins"),
    integer(
        "dropped", Source::c, Type::count, kAlways,
        "for how many more the display was ready before, since the last frame or the begin of what asked for this one"),
};

// The fields of steps.
inline constexpr FieldInfo kCut = integer("cut", Source::b, Type::flag, kOptional, "true: there is more of it");

inline constexpr std::array kScope = {
    word("as", Source::detail, kScopeSteps, kAlways,
         "a function begins, goes on after an await, goes on after a call, in a handler or behind a loop, or a round "
         "of a loop begins"),
    FieldInfo{"name", Source::name, Type::text, {}, kOptional, "the function's name"},
    integer("depth", Source::c, Type::count, kAlways, "how deep in the stack of calls: what was deeper has ended"),
    integer("scope", Source::a, Type::id, kOptional, "the number of the scope with its variables"),
    integer("outer", Source::b, Type::id, kOptional, "the scope around it"),
    kLine,
    kColumn,
};

inline constexpr std::array kAssign = {
    word("as", Source::detail, kAssignSteps, kAlways, "the step, or what else gives a variable its value"),
    FieldInfo{"name", Source::name, Type::text, {}, kOptional, "the variable"},
    integer("scope", Source::a, Type::id, kOptional, "the scope it lives in; none: it is global"),
    word("type", Source::detail2, kValueKinds, kAlways, "what kind of value it is"),
    FieldInfo{"value", Source::text, Type::text, {}, kAlways, "the value: its first 200 bytes"},
    kCut,
    integer("promise", Source::c, Type::id, kOptional, "a promise's number"),
    kLine,
    kColumn,
};

inline constexpr std::array kCondition = {
    FieldInfo{"name", Source::name, Type::text, {}, kOptional, "the variable that is tested"},
    integer("holds", Source::a, Type::flag, kAlways, "the outcome"),
    FieldInfo{"text", Source::text, Type::text, {}, kAlways, "the values and the operator between them"},
    kCut,
    kLine,
    kColumn,
};

inline constexpr std::array kPromiseStep = {
    kPromise,
    kName,
    word("as", Source::detail, kPromiseSteps, kAlways, "its state"),
    FieldInfo{"value", Source::text, Type::text, {}, kOptional, "what it is settled with: the first 200 bytes"},
    kCut,
    kLine,
    kColumn,
};

inline constexpr FieldInfo kFunction = {"name", Source::name, Type::text, {}, kOptional, "the function's name"};
inline constexpr FieldInfo kDepth =
    integer("depth", Source::c, Type::count, kAlways, "how deep in the stack of calls: what was deeper has ended");

inline constexpr std::array kLineStep = {
    kFunction,
    kDepth,
    FieldInfo{"file", Source::text, Type::text, {}, kOptional, "the module that it is in; none: the main script"},
    kLine,
    kColumn,
};

inline constexpr std::array kLeave = {
    word("how", Source::detail, kCompletions, kAlways, "it returned, or an exception ended it"),
    kFunction,
    kDepth,
    word("type", Source::detail2, kValueKinds, kAlways, "what kind of value it returned"),
    FieldInfo{"value", Source::text, Type::text, {}, kOptional, "the value, if not undefined: its first 200 bytes"},
    kCut,
    kLine,
    kColumn,
};

inline constexpr std::array kStepsEnd = {
    integer("most", Source::a, Type::count, kAlways, "how many were told"),
};

inline constexpr std::array kLimit = {
    word("limit", Source::detail, kLimitKinds, kAlways, "which limit"),
    integer("value", Source::a, Type::count, kAlways, "its value; the limit of time in ns, that of memory 0"),
};

inline constexpr std::array kExit = {
    integer("code", Source::a, Type::count, kAlways, "the process's exit code"),
    word("why", Source::detail, kExitReasons, kAlways, "why it ended"),
};

// The fields of the runtime `io`.
inline constexpr FieldInfo kThread =
    integer("thread", Source::by, Type::id, kOptional, "the thread, from 1; none: the first one of the process");
inline constexpr FieldInfo kSysCall = word("call", Source::detail, kSysCalls, kAlways, "the system call");
inline constexpr FieldInfo kCallId =
    integer("id", Source::id, Type::id, kAlways, "the number of the call in its process");
inline constexpr FieldInfo kSocketName = {"name", Source::name, Type::text, {}, kOptional, "the socket"};
inline constexpr FieldInfo kBytes = integer("bytes", Source::b, Type::count, kAlways, "how many bytes");
inline constexpr FieldInfo kMessageId = {"id", Source::id, Type::id, {}, kAlways, "the message's number at its socket"};

inline constexpr std::array kSyscall = {
    kThread,
    kSysCall,
    kCallId,
    FieldInfo{"args", Source::text, Type::text, {}, kOptional, "its arguments, as `-f calls` writes them"},
};

inline constexpr std::array kSysret = {
    kThread,
    kSysCall,
    kCallId,
    FieldInfo{"result", Source::text, Type::text, {}, kAlways, "what it returned, and what it found"},
    integer("took", Source::a, Type::time_ns, kAlways, "how long it took"),
    integer("blocked", Source::b, Type::time_ns, kOptional, "for how long of that the process was blocked"),
    integer("vain", Source::detail2, Type::flag, kOptional, "true: it found nothing, and did not wait"),
};

inline constexpr std::array kSpin = {
    kThread,
    kSysCall,
    FieldInfo{"args", Source::text, Type::text, {}, kOptional, "the descriptors of a round"},
    integer("rounds", Source::a, Type::count, kAlways, "how many rounds"),
    integer("calls", Source::b, Type::count, kAlways, "how many calls, all of them in vain"),
    integer("until", Source::c, Type::time_ns, kAlways, "when the last round ends"),
};

inline constexpr std::array kState = {
    kThread,
    word("as", Source::detail, kProcessStates, kAlways, "what it does from here on"),
    integer("id", Source::id, Type::id, kOptional, "the call in which it is blocked, or was"),
    FieldInfo{"name", Source::name, Type::text, {}, kOptional, "where the process begins: its model"},
    integer("user", Source::a, Type::time_ns, kOptional, "at its end: the CPU of its own code"),
    integer("kernel", Source::b, Type::time_ns, kOptional, "at its end: the CPU of its system calls"),
    integer("vain", Source::c, Type::time_ns, kOptional, "at its end: of that, the CPU of calls in vain"),
};

inline constexpr std::array kArrive = {
    kSocketName,
    integer("fd", Source::a, Type::count, kAlways, "its descriptor"),
    integer("bytes", Source::b, Type::count, kOptional, "how many bytes; none: the other side has ended"),
    integer("message", Source::id, Type::id, kOptional, "the message's number at this socket, from 1"),
};

inline constexpr std::array kCopy = {
    kThread,
    kSocketName,
    integer("fd", Source::a, Type::count, kAlways, "its descriptor"),
    kBytes,
    integer("takes", Source::c, Type::time_ns, kAlways, "the CPU that it takes"),
    integer("id", Source::id, Type::id, kOptional, "the call; none: an entry of the ring"),
    integer("cut", Source::detail2, Type::flag, kOptional,
            "true: the message was longer than the buffer, and its rest is lost"),
};

inline constexpr std::array kWake = {
    kThread,
    integer("fd", Source::a, Type::count, kAlways, "the socket for which it is woken"),
};

inline constexpr std::array kSignal = {
    word("signal", Source::detail, kIoSignals, kAlways, "the signal"),
    word("as", Source::detail2, kSignalSteps, kAlways, "what becomes of it"),
    integer("fd", Source::a, Type::count, kOptional, "the socket that it names"),
};

inline constexpr std::array kComplete = {
    kSocketName,
    integer("fd", Source::a, Type::count, kAlways, "its descriptor"),
    kBytes,
};

inline constexpr std::array kMessage = {
    kThread,
    kSocketName,
    kMessageId,
    integer("at", Source::a, Type::time_ns, kAlways, "when it arrived"),
    integer("late", Source::b, Type::time_ns, kAlways, "how much later the process has it"),
    integer("fd", Source::c, Type::count, kAlways, "the socket's descriptor"),
};

inline constexpr std::array kServed = {
    kThread,
    kSocketName,
    kMessageId,
    integer("at", Source::a, Type::time_ns, kAlways, "when it arrived"),
    integer("response", Source::b, Type::time_ns, kAlways, "how much later the work for it is done"),
    integer("fd", Source::c, Type::count, kAlways, "the socket's descriptor"),
};

// ---- the table ----------------------------------------------------------------------------------------------------------------

inline constexpr std::array<EventInfo, kEventKinds> kEvents = {{
    {EventKind::turn, "turn", {}, "a turn of the loop begins"},
    {EventKind::phase_enter, "phase_enter", {}, "a phase in which something happens begins"},
    {EventKind::phase_exit, "phase_exit", {}, "a phase ends"},
    {EventKind::poll, "poll", kPoll, "the loop has polled"},
    {EventKind::ready, "ready", kReady, "a request or handle became ready for its callback"},
    {EventKind::schedule, "schedule", kSchedule, "a callback was asked for"},
    {EventKind::cancel, "cancel", kCancel, "a scheduled callback will not run"},
    {EventKind::ref, "ref", kRef, "ref() was called"},
    {EventKind::unref, "unref", kRef, "unref() was called"},
    {EventKind::enqueue, "enqueue", kEnqueue, "something stands in a queue now, or in another one than before"},
    {EventKind::dequeue, "dequeue", kDequeue, "something without a callback of its own leaves its queue"},
    {EventKind::work_begin, "work_begin", kWork, "a thread of the pool begins to work on a request"},
    {EventKind::work_end, "work_end", kWork, "the thread is done with it, which the loop has yet to hear"},
    {EventKind::callback_begin, "callback_begin", kCallbackBegin, "a callback begins"},
    {EventKind::callback_end, "callback_end", kCallbackEnd, "a callback ends"},
    {EventKind::drain_begin, "drain_begin", kDrainBegin, "the tick and microtask queues are being emptied"},
    {EventKind::drain_end, "drain_end", {}, "the queues are empty"},
    {EventKind::log, "log", kLog, "a line on standard output"},
    {EventKind::error_log, "error_log", kLog, "a line on standard error"},
    {EventKind::burn, "burn", kBurn, "a cpu or spin step is done"},
    {EventKind::receive, "receive", kReceive, "a socket has read what had arrived"},
    {EventKind::settle, "settle", kSettle, "a named promise was fulfilled or rejected"},
    {EventKind::throw_, "throw", kLog, "an exception was thrown"},
    {EventKind::caught, "caught", kCaught, "an exception was caught"},
    {EventKind::uncaught, "uncaught", kTextOnly, "an exception that nothing caught"},
    {EventKind::rejection, "rejection", kRejection, "a rejected promise that nobody handled is processed"},
    {EventKind::rejection_handled, "rejection_handled", kRejection,
     "a rejection that was processed has been handled after all"},
    {EventKind::input, "input", kInput, "the world outside did something"},
    {EventKind::loop_delay, "loop_delay", kLoopDelay, "monitorEventLoopDelay() has measured"},
    {EventKind::answer, "answer", kAnswer, "a client of an arrival process has its answer"},
    {EventKind::stall, "stall", kStall, "the process did not run for a while, or wanted a core and had none"},
    {EventKind::call, "call", kCall, "of libuv alone: a function was called"},
    {EventKind::wait, "wait", kWait, "of a browser: the thread has slept until something was to do"},
    {EventKind::frame, "frame", kFrame, "of a browser: it updates the rendering"},
    {EventKind::scope, "scope", kScope, "from here on, code runs in this function and scope"},
    {EventKind::assign, "assign", kAssign, "a variable has a value"},
    {EventKind::condition, "condition", kCondition, "a condition is tested"},
    {EventKind::promise, "promise", kPromiseStep, "a named promise is made, or has its value"},
    {EventKind::line, "line", kLineStep,
     "a statement of a JavaScript program begins, or goes on behind what it called"},
    {EventKind::leave, "leave", kLeave, "a function of a JavaScript program ends"},
    {EventKind::steps_end, "steps_end", kStepsEnd, "no more steps are told: there were too many"},
    {EventKind::limit, "limit", kLimit, "a limit of the scenario was reached: the run ends here"},
    {EventKind::exit, "exit", kExit, "the process ends"},
    {EventKind::syscall, "syscall", kSyscall, "of the runtime io: a system call begins"},
    {EventKind::sysret, "sysret", kSysret, "it returns"},
    {EventKind::spin, "spin", kSpin, "rounds of calls in vain begin: a busy loop"},
    {EventKind::state, "state", kState, "what the process, or a thread of it, does from here on"},
    {EventKind::arrive, "arrive", kArrive, "bytes arrive at a socket, or its other side ends"},
    {EventKind::copy, "copy", kCopy, "the kernel begins to copy bytes to the process"},
    {EventKind::wake, "wake", kWake, "the kernel wakes the process, or a thread of it"},
    {EventKind::signal, "signal", kSignal, "what becomes of a signal"},
    {EventKind::complete, "complete", kComplete, "a read that the ring was given is done"},
    {EventKind::take, "take", kComplete, "the process takes a completion from the ring"},
    {EventKind::message, "message", kMessage, "the process has the last byte of a message"},
    {EventKind::served, "served", kServed, "the work for a message is done"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kEvents.size(); ++i) {
    if (static_cast<std::size_t>(kEvents[i].kind) != i) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace loopsim::events
