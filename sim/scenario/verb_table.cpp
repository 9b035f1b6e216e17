// The table of the language's verbs, in the order of the enumeration Verb and of docs/scenario-language.md.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "loopsim/verbs.hpp"

namespace loopsim {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view kOutput = "Output and time";
constexpr std::string_view kControl = "Variables and control";
constexpr std::string_view kTimers = "Timers and queues";
constexpr std::string_view kPromises = "Promises";
constexpr std::string_view kElsewhere = "Work elsewhere";
constexpr std::string_view kProcesses = "Child processes and signals";
constexpr std::string_view kNetwork = "Network";
constexpr std::string_view kEvents = "Events and life cycle";
constexpr std::string_view kPages = "Pages in a browser";
constexpr std::string_view kUvLoop = "libuv: the loop";
constexpr std::string_view kUvHandles = "libuv: all handles";
constexpr std::string_view kUvTimers = "libuv: timers";
constexpr std::string_view kUvPhases = "libuv: idle, prepare, check";
constexpr std::string_view kUvThreads = "libuv: other threads";
constexpr std::string_view kUvSignals = "libuv: signals";
constexpr std::string_view kUvStreams = "libuv: streams";
constexpr std::string_view kUvPolls = "libuv: poll handles";
constexpr std::string_view kUvProcesses = "libuv: processes";
constexpr std::string_view kUvRequests = "libuv: files and names";

// ---- words ----------------------------------------------------------------------------------------------------------

constexpr std::array<std::string_view, 14> kFsWords = {"access", "stat",  "lstat",    "open",     "read",
                                                       "write",  "close", "readdir",  "mkdir",    "rename",
                                                       "unlink", "fsync", "readFile", "writeFile"};
constexpr std::array<std::string_view, 2> kDnsWords = {"lookup", "resolve"};
constexpr std::array<std::string_view, 5> kCryptoWords = {"pbkdf2", "scrypt", "randomBytes", "randomFill",
                                                          "generateKeyPair"};
constexpr std::array<std::string_view, 6> kZlibWords = {"deflate", "inflate",        "gzip",
                                                        "gunzip",  "brotliCompress", "brotliDecompress"};
constexpr std::array<std::string_view, 4> kServerEvents = {"listening", "connection", "close", "error"};
constexpr std::array<std::string_view, 4> kChildEvents = {"spawn", "exit", "close", "error"};
constexpr std::array<std::string_view, 8> kSocketEvents = {"connect", "ready", "data",  "end",
                                                           "finish",  "drain", "close", "error"};
constexpr std::array<std::string_view, 5> kProcessEvents = {"exit", "beforeExit", "uncaughtException",
                                                            "unhandledRejection", "rejectionHandled"};

constexpr std::array<std::string_view, 3> kRunModes = {"UV_RUN_DEFAULT", "UV_RUN_ONCE", "UV_RUN_NOWAIT"};
constexpr std::array<std::string_view, 2> kLoopOptions = {"UV_LOOP_BLOCK_SIGNAL", "UV_METRICS_IDLE_TIME"};
constexpr std::array<std::string_view, 3> kTaskPriorities = {"user-blocking", "user-visible", "background"};
// Of libuv's callbacks.
constexpr std::array<std::string_view, 1> kHandle = {"handle"};
constexpr std::array<std::string_view, 2> kHandleAndSignal = {"handle", "signum"};
constexpr std::array<std::string_view, 2> kHandleAndStatus = {"handle", "status"};
constexpr std::array<std::string_view, 2> kRequestAndStatus = {"req", "status"};
constexpr std::array<std::string_view, 2> kRequestAndResult = {"req", "result"};
constexpr std::array<std::string_view, 3> kReadArguments = {"handle", "nread", "data"};
constexpr std::array<std::string_view, 3> kPollArguments = {"handle", "status", "events"};
constexpr std::array<std::string_view, 3> kExitArguments = {"handle", "exit_status", "term_signal"};
// In the order of their numbers, from 1 on: UV_READABLE is 1, UV_WRITABLE 2, UV_DISCONNECT 4.
constexpr std::array<std::string_view, 7> kPollEvents = {"UV_READABLE",
                                                         "UV_WRITABLE",
                                                         "UV_READABLE | UV_WRITABLE",
                                                         "UV_DISCONNECT",
                                                         "UV_READABLE | UV_DISCONNECT",
                                                         "UV_WRITABLE | UV_DISCONNECT",
                                                         "UV_READABLE | UV_WRITABLE | UV_DISCONNECT"};

constexpr std::array<std::string_view, 4> kReadFile = {"open", "stat", "read", "close"};
constexpr std::array<std::string_view, 3> kWriteFile = {"open", "write", "close"};

// ---- options --------------------------------------------------------------------------------------------------------

constexpr OptionInfo required(Key key, std::string_view name, ArgumentKind kind, std::string_view help) {
  return {key, name, kind, true, 0, help};
}
constexpr OptionInfo optional(Key key, std::string_view name, ArgumentKind kind, std::string_view help, int since = 0) {
  return {key, name, kind, false, since, help};
}

constexpr OptionInfo kLabel = optional(Key::as, "as", ArgumentKind::label, "Names the callback in the trace.");
constexpr OptionInfo kAsPromise = optional(Key::as, "as", ArgumentKind::new_name, "Names the promise.");
constexpr OptionInfo kAsTimer =
    optional(Key::as, "as", ArgumentKind::new_name, "Names the timer, and its callback in the trace.");
constexpr OptionInfo kWith = optional(Key::with, "with", ArgumentKind::values, "Arguments for the callback.");
constexpr OptionInfo kError =
    optional(Key::error, "error", ArgumentKind::error_code, "The code of the error that it ends with, such as ENOENT.");
constexpr OptionInfo kWorkDone =
    required(Key::do_, "do", ArgumentKind::callback, "The callback; it gets `error`, null when all went well.");
constexpr OptionInfo kTakes =
    optional(Key::takes, "takes", ArgumentKind::duration, "How long it takes. Default: no time.");
constexpr OptionInfo kCpu =
    optional(Key::cpu, "cpu", ArgumentKind::duration, "How much CPU it needs, on a thread of the pool. Default: none.");
constexpr OptionInfo kEvent = required(Key::event, "event", ArgumentKind::event_name, "The event's name.");

constexpr std::array kIf = {required(Key::then, "then", ArgumentKind::block, "Steps for when the condition holds."),
                            optional(Key::else_, "else", ArgumentKind::block, "Steps for when it does not.")};
constexpr std::array kCall = {optional(Key::with, "with", ArgumentKind::values, "Arguments for the function."),
                              optional(Key::as, "as", ArgumentKind::new_name, "The variable for the return value.")};
constexpr std::array kRepeat = {
    required(Key::do_, "do", ArgumentKind::block, "The steps of a round."),
    optional(Key::as, "as", ArgumentKind::new_name, "A variable that counts the rounds: 0, 1, 2 ...")};
constexpr std::array kTry = {
    optional(Key::catch_, "catch", ArgumentKind::block, "Steps for when something was thrown; `error` is what."),
    optional(Key::finally_, "finally", ArgumentKind::block, "Steps that run in any case.")};
constexpr std::array kTimer = {
    required(Key::do_, "do", ArgumentKind::callback, "The callback: a list of steps, or a function's name."), kAsTimer,
    kWith};
constexpr std::array kImmediate = {
    optional(Key::as, "as", ArgumentKind::new_name, "Names the immediate, and its callback in the trace."), kWith};
constexpr std::array kTick = {kLabel, kWith};
constexpr std::array kMicrotask = {kLabel};
constexpr std::array kHasRef = {required(Key::as, "as", ArgumentKind::new_name, "The variable that gets the answer.")};
constexpr std::array kPromise = {
    optional(Key::do_, "do", ArgumentKind::callback,
             "The executor: steps that run at once. Without it, the promise waits for resolve or reject.")};
constexpr std::array kResolve = {optional(Key::with, "with", ArgumentKind::value, "The value. Default: undefined.")};
constexpr std::array kReject = {optional(Key::error, "error", ArgumentKind::error_value,
                                         "The reason; a text stands for an Error. Default: undefined.")};
constexpr std::array kThen = {
    optional(Key::do_, "do", ArgumentKind::callback, "Runs when the promise is fulfilled; gets `value`."),
    optional(Key::rejected, "rejected", ArgumentKind::callback,
             "The second argument of then: runs when the promise is rejected; gets `error`."),
    optional(Key::catch_, "catch", ArgumentKind::callback, "Chained after it: .catch(...); gets `error`."),
    optional(Key::finally_, "finally", ArgumentKind::callback, "Chained last: .finally(...).", 10),
    optional(Key::as, "as", ArgumentKind::new_name, "Names the promise at the end of the chain."),
};
constexpr std::array kNewPromise = {kAsPromise};
constexpr std::array kAsync = {
    optional(Key::as, "as", ArgumentKind::new_name, "Names the promise that the function returns."),
    optional(Key::with, "with", ArgumentKind::values, "Arguments for the function.")};
constexpr std::array kAwait = {optional(Key::as, "as", ArgumentKind::new_name, "The variable that gets the value.")};
constexpr std::array kFs = {optional(Key::takes, "takes", ArgumentKind::request_times,
                                     "How long it takes. For readFile and writeFile the time of the read or write, or "
                                     "an object with a time for each request; from Node 26 on the one request takes "
                                     "their sum."),
                            kError, kWorkDone, kLabel};
constexpr std::array kDns = {kTakes, kError, kWorkDone, kLabel};
constexpr std::array kCompute = {kCpu, kError, kWorkDone, kLabel};
constexpr std::array kSpawn = {
    optional(Key::takes, "takes", ArgumentKind::duration, "How long the child process runs. Default: no time."),
    optional(Key::code, "code", ArgumentKind::exit_code, "The child's exit code. Default: 0."),
    optional(Key::error, "error", ArgumentKind::error_code, "ENOENT: there is no such command."),
    optional(Key::as, "as", ArgumentKind::new_name, "Names the child process, and its callbacks in the trace."),
    optional(Key::on, "on", ArgumentKind::listeners,
             "Listeners by event; `exit` and `close` get `code` and `signal`, of which one is null.")};
constexpr std::array kKill = {
    optional(Key::signal, "signal", ArgumentKind::signal_name, "The signal. Default: SIGTERM."),
    optional(Key::as, "as", ArgumentKind::new_name, "The variable for the return value: whether it was sent.")};
constexpr OptionInfo kHalfOpen =
    optional(Key::half_open, "allowHalfOpen", ArgumentKind::flag,
             "Whether a socket stays open for writing when its other side has ended. Default: false.");
constexpr std::array kServer = {
    optional(Key::as, "as", ArgumentKind::new_name, "Names the server, and its callbacks in the trace."),
    optional(Key::on, "on", ArgumentKind::listeners, "Listeners by event; `connection` gets the socket as `value`."),
    kHalfOpen};
constexpr std::array kSocket = {
    optional(Key::as, "as", ArgumentKind::new_name, "Names the socket, and its callbacks in the trace."),
    optional(Key::on, "on", ArgumentKind::listeners,
             "Listeners by event; `data` gets what came as `value`, `close` whether there was an error."),
    kHalfOpen};
constexpr std::array kClose = {
    optional(Key::do_, "do", ArgumentKind::callback,
             "Runs when the server is closed; gets `error`, of a server that was closed before."),
    kLabel};
constexpr OptionInfo kBytes =
    optional(Key::bytes, "bytes", ArgumentKind::bytes, "Instead of data: this many bytes, the letter x.");
constexpr std::array kWrite = {
    optional(Key::data, "data", ArgumentKind::value, "The text to write."), kBytes,
    optional(Key::do_, "do", ArgumentKind::callback, "Runs when the kernel has taken it; gets `error`."), kLabel};
constexpr std::array kEnd = {optional(Key::data, "data", ArgumentKind::value, "The last text to write."), kBytes,
                             optional(Key::do_, "do", ArgumentKind::callback,
                                      "Runs when all is written and the end is sent ('finish'); gets `error`."),
                             kLabel};
constexpr std::array kDestroy = {optional(Key::error, "error", ArgumentKind::error_value,
                                          "What `error` listeners get; a text stands for an Error.")};
constexpr std::array kListener = {
    kEvent, required(Key::do_, "do", ArgumentKind::callback, "The listener: a list of steps, or a function's name."),
    kLabel};
constexpr std::array kOff = {kEvent,
                             required(Key::do_, "do", ArgumentKind::function_name, "The function to take away.")};
constexpr std::array kEmit = {kEvent,
                              optional(Key::with, "with", ArgumentKind::values, "Arguments for the listeners.")};

// Pages.
constexpr std::array kFrame = {
    optional(Key::as, "as", ArgumentKind::new_name, "Names the request, and its callback in the trace.")};
constexpr std::array kIdle = {
    optional(Key::timeout, "timeout", ArgumentKind::milliseconds,
             "Milliseconds after which it runs also when the thread is busy. Default: never."),
    optional(Key::as, "as", ArgumentKind::new_name, "Names the request, and its callback in the trace.")};
constexpr std::array kPostTask = {
    required(Key::do_, "do", ArgumentKind::callback, "The task: a list of steps, or a function's name."),
    optional(Key::delay, "delay", ArgumentKind::milliseconds, "Milliseconds before it is queued. Default: 0."),
    optional(Key::as, "as", ArgumentKind::new_name, "Names the promise, and the task in the trace.")};
constexpr std::array kEventListener = {
    kEvent, required(Key::do_, "do", ArgumentKind::callback, "The listener: a list of steps, or a function's name."),
    optional(Key::once, "once", ArgumentKind::flag, "Whether it is taken away before its first run. Default: false."),
    optional(Key::capture, "capture", ArgumentKind::flag,
             "Whether it hears the event on its way down to the target. Default: false."),
    kLabel};
constexpr std::array kDispatch = {kEvent};
constexpr std::array kSetAttribute = {
    required(Key::with, "with", ArgumentKind::values, "The attribute's name, and its value.")};
constexpr std::array kObserve = {
    required(Key::do_, "do", ArgumentKind::callback, "Runs as a microtask, once for all changes until then."), kLabel};

// libuv's functions.
constexpr OptionInfo kResult = optional(Key::as, "as", ArgumentKind::new_name, "The variable for the result.");
constexpr OptionInfo kNeededResult = required(Key::as, "as", ArgumentKind::new_name, "The variable for the result.");
constexpr std::string_view kCallbackHelp = "The callback: a list of steps, or a function's name.";
constexpr OptionInfo kUvCallback = required(Key::do_, "do", ArgumentKind::callback, kCallbackHelp);
constexpr OptionInfo kUvNullable = optional(Key::do_, "do", ArgumentKind::callback,
                                            "The callback: a list of steps, or a function's name. NULL: UV_EINVAL.");
constexpr std::array kUvResult = {kResult};
constexpr std::array kUvAnswer = {kNeededResult};
constexpr std::array kUvClose = {
    optional(Key::do_, "do", ArgumentKind::callback, "The callback, in the closing phase. Default: none.")};
constexpr std::array kUvTimerStart = {
    optional(Key::timeout, "timeout", ArgumentKind::milliseconds, "Milliseconds from the loop's time on. Default: 0."),
    optional(Key::repeat, "repeat", ArgumentKind::milliseconds,
             "Milliseconds from run to run; 0, the default: it runs once."),
    kUvNullable, kResult};
constexpr std::array kUvSetRepeat = {
    required(Key::repeat, "repeat", ArgumentKind::milliseconds, "Milliseconds; 0: it does not repeat.")};
constexpr std::array kUvStart = {kUvNullable, kResult};
constexpr OptionInfo kOptionalCallback = optional(
    Key::do_, "do", ArgumentKind::callback, "The callback: a list of steps, or a function's name. Default: none.");
constexpr OptionInfo kStream = required(Key::handle, "handle", ArgumentKind::name, "The stream.");
constexpr OptionInfo kPort = required(Key::port, "port", ArgumentKind::port, "A port of this machine.");
constexpr OptionInfo kPath = required(Key::path, "path", ArgumentKind::path, "The path.");
constexpr OptionInfo kUvData = optional(Key::data, "data", ArgumentKind::value, "The text to write.");
constexpr OptionInfo kUvTakes = optional(Key::takes, "takes", ArgumentKind::duration,
                                         "How long a thread of the pool waits for it. Default: no time.");
constexpr std::array kUvPort = {kPort, kResult};
constexpr std::array kUvPath = {kPath, kResult};
constexpr std::array kUvTcpConnect = {kStream, kPort, kOptionalCallback, kResult};
constexpr std::array kUvPipeConnect = {kStream, kPath, kOptionalCallback};
constexpr std::array kUvListen = {kUvCallback, kResult};
constexpr std::array kUvAccept = {
    required(Key::client, "client", ArgumentKind::name, "The stream that gets the connection."), kResult};
constexpr std::array kUvWrite = {kStream, kUvData, kBytes, kOptionalCallback, kResult};
constexpr std::array kUvTryWrite = {kUvData, kBytes, kResult};
constexpr std::array kUvShutdown = {kStream, kOptionalCallback, kResult};
constexpr std::array kUvCloseReset = {
    optional(Key::do_, "do", ArgumentKind::callback, "The callback, in the closing phase. Default: none."), kResult};
constexpr std::array kSocketpair = {required(Key::other, "other", ArgumentKind::new_name, "The other end.")};
constexpr std::array kSend = {kUvData, kBytes, kResult};
constexpr std::array kUvPollInit = {required(Key::fd, "fd", ArgumentKind::name, "The descriptor."), kResult};
constexpr std::array kUvPollStart = {
    required(Key::events, "events", ArgumentKind::operation, "What it waits for, such as UV_READABLE."), kUvCallback,
    kResult};
constexpr std::array kUvSpawn = {
    optional(Key::takes, "takes", ArgumentKind::duration, "How long the child process runs. Default: no time."),
    optional(Key::code, "code", ArgumentKind::exit_code, "The child's exit code. Default: 0."),
    optional(Key::error, "error", ArgumentKind::error_code, "ENOENT: there is no such command."), kOptionalCallback,
    kResult};
constexpr std::array kUvKill = {required(Key::signal, "signal", ArgumentKind::signal_name, "The signal."), kResult};
constexpr std::array kUvFs = {
    kPath, kUvTakes,
    optional(Key::error, "error", ArgumentKind::error_code, "The error that it ends with, such as ENOENT."),
    optional(Key::do_, "do", ArgumentKind::callback,
             "The callback. Without it the function itself does the work, and returns the result."),
    kResult};
constexpr std::array kUvGetaddrinfo = {
    required(Key::node, "node", ArgumentKind::host, "The host's name."), kUvTakes,
    optional(Key::error, "error", ArgumentKind::error_code, "The error that it ends with, such as EAI_NONAME."),
    kOptionalCallback, kResult};
constexpr std::array kUvAsyncInit = {kUvCallback, kResult};
constexpr std::array kUvQueueWork = {
    optional(Key::cpu, "cpu", ArgumentKind::duration,
             "The CPU that it needs, on a thread of the pool. Without this and takes there is no work: UV_EINVAL."),
    optional(Key::takes, "takes", ArgumentKind::duration,
             "The time for which it blocks a thread of the pool. Default: none."),
    optional(Key::do_, "do", ArgumentKind::callback, "The callback behind the work. Default: none."), kResult};
constexpr std::array kUvSignalStart = {
    required(Key::signal, "signal", ArgumentKind::signal_name, "The signal, such as SIGTERM."), kUvCallback, kResult};

// ---- verbs ----------------------------------------------------------------------------------------------------------

constexpr std::span<const OptionInfo> kNoOptions{};
constexpr Words kNoWords{};

// {verb, name, group, kind of its value, options, words, makes a promise, since, help, example}
constexpr std::array kVerbs = {
    VerbInfo{Verb::log, "log", kOutput, ArgumentKind::values, kNoOptions, kNoWords, false, 0,
             "Writes a line: console.log(...).", R"({"log": "{since m}ms later"})", Family::any},
    VerbInfo{Verb::mark, "mark", kOutput, ArgumentKind::new_name, kNoOptions, kNoWords, false, 0,
             "Remembers the time, for {since m}: m = Date.now().", R"({"mark": "m"})", Family::any},
    VerbInfo{Verb::cpu, "cpu", kOutput, ArgumentKind::duration, kNoOptions, kNoWords, false, 0,
             "Computes: needs this much CPU, and so takes longer while the process does not run.", R"({"cpu": "10ms"})",
             Family::any},
    VerbInfo{Verb::spin, "spin", kOutput, ArgumentKind::duration, kNoOptions, kNoWords, false, 0,
             "Waits busily until the clock has moved this far, as while (now() - start < n).", R"({"spin": "10ms"})",
             Family::any},

    VerbInfo{Verb::let, "let", kControl, ArgumentKind::assignments, kNoOptions, kNoWords, false, 0,
             "Declares variables of this block: let x = value.", R"({"let": {"x": 1}})", Family::any},
    VerbInfo{Verb::set, "set", kControl, ArgumentKind::assignments, kNoOptions, kNoWords, false, 0,
             "Sets variables: x = value.", R"({"set": {"x": 1}})", Family::any},
    VerbInfo{Verb::add, "add", kControl, ArgumentKind::assignments, kNoOptions, kNoWords, false, 0,
             "Adds to variables: x += value.", R"({"add": {"x": 1}})", Family::any},
    VerbInfo{Verb::if_, "if", kControl, ArgumentKind::condition, kIf, kNoWords, false, 0,
             "Runs steps when a variable is true, or compares with a value: < <= > >= == !=.",
             R"({"if": ["x", "<", 3], "then": [{"log": "small"}], "else": [{"log": "big"}]})", Family::any},
    VerbInfo{Verb::call, "call", kControl, ArgumentKind::function_name, kCall, kNoWords, true, 0,
             "Calls a function: result = f(...values).", R"({"call": "f", "with": [1], "as": "result"})", Family::any},
    VerbInfo{Verb::repeat, "repeat", kControl, ArgumentKind::count, kRepeat, kNoWords, false, 0,
             "Runs steps several times: for (let i = 0; i < n; i++).",
             R"({"repeat": 3, "as": "i", "do": [{"log": "{i}"}]})", Family::any},
    VerbInfo{Verb::throw_, "throw", kControl, ArgumentKind::error_value, kNoOptions, kNoWords, false, 0,
             "Throws; a text stands for new Error(text).", R"({"throw": "boom"})", Family::javascript},
    VerbInfo{Verb::try_, "try", kControl, ArgumentKind::block, kTry, kNoWords, false, 0,
             "Runs steps and catches what they throw.",
             R"({"try": [{"throw": "boom"}], "catch": [{"log": "{error.message}"}]})", Family::javascript},
    VerbInfo{Verb::return_, "return", kControl, ArgumentKind::value_or_step, kNoOptions, kNoWords, false, 0,
             "Leaves the function or callback: return value; also with a step that makes a promise.",
             R"({"return": 1})", Family::any},

    VerbInfo{Verb::set_timeout, "setTimeout", kTimers, ArgumentKind::delay, kTimer, kNoWords, true, 0,
             "Runs a callback once, after a number of milliseconds.",
             R"({"setTimeout": 100, "do": [{"log": "timeout"}], "as": "t"})", Family::javascript},
    VerbInfo{Verb::set_interval, "setInterval", kTimers, ArgumentKind::delay, kTimer, kNoWords, false, 0,
             "Runs a callback again and again, until it is cleared.",
             R"({"setInterval": 100, "do": [{"log": "tick"}, {"clear": "t"}], "as": "t"})", Family::javascript},
    VerbInfo{Verb::set_immediate, "setImmediate", kTimers, ArgumentKind::callback, kImmediate, kNoWords, true, 0,
             "Runs a callback in the check phase, after poll.", R"({"setImmediate": [{"log": "immediate"}]})"},
    VerbInfo{
        Verb::clear, "clear", kTimers, ArgumentKind::name, kNoOptions, kNoWords, false, 0,
        "clearTimeout, clearInterval or clearImmediate; in a page also cancelAnimationFrame or cancelIdleCallback.",
        R"({"clear": "t"})", Family::javascript},
    VerbInfo{Verb::refresh, "refresh", kTimers, ArgumentKind::name, kNoOptions, kNoWords, false, 10,
             "Starts a timer anew: t.refresh().", R"({"refresh": "t"})"},
    VerbInfo{Verb::ref, "ref", kTimers, ArgumentKind::name, kNoOptions, kNoWords, false, 0,
             "Lets a timer, immediate, server or socket keep the process alive: t.ref().", R"({"ref": "t"})"},
    VerbInfo{Verb::unref, "unref", kTimers, ArgumentKind::name, kNoOptions, kNoWords, false, 0,
             "Lets the process end while a timer or immediate waits, or a server or socket is open: t.unref().",
             R"({"unref": "t"})"},
    VerbInfo{Verb::has_ref, "hasRef", kTimers, ArgumentKind::name, kHasRef, kNoWords, false, 11,
             "Whether a timer or immediate keeps the process alive: x = t.hasRef().", R"({"hasRef": "t", "as": "x"})"},
    VerbInfo{Verb::next_tick, "nextTick", kTimers, ArgumentKind::callback, kTick, kNoWords, false, 0,
             "process.nextTick: runs a callback right after the current one, before promises.",
             R"({"nextTick": [{"log": "tick"}]})"},
    VerbInfo{Verb::queue_microtask, "queueMicrotask", kTimers, ArgumentKind::callback, kMicrotask, kNoWords, false, 11,
             "Runs a callback as a microtask, in line with the promises' callbacks.",
             R"({"queueMicrotask": [{"log": "microtask"}]})", Family::javascript},

    VerbInfo{Verb::promise, "promise", kPromises, ArgumentKind::new_name, kPromise, kNoWords, false, 0,
             "p = new Promise((resolve, reject) => { .. }).",
             R"({"promise": "p", "do": [{"resolve": "p", "with": 1}]})", Family::javascript},
    VerbInfo{Verb::resolve, "resolve", kPromises, ArgumentKind::name, kResolve, kNoWords, false, 0,
             "Calls a promise's resolve function.", R"({"resolve": "p", "with": 1})", Family::javascript},
    VerbInfo{Verb::reject, "reject", kPromises, ArgumentKind::name, kReject, kNoWords, false, 0,
             "Calls a promise's reject function.", R"({"reject": "p", "error": "boom"})", Family::javascript},
    VerbInfo{Verb::resolved, "resolved", kPromises, ArgumentKind::value, kNewPromise, kNoWords, true, 0,
             "Promise.resolve(value): a promise that is fulfilled; of a promise, that promise itself.",
             R"({"resolved": 1, "as": "p"})", Family::javascript},
    VerbInfo{Verb::rejected, "rejected", kPromises, ArgumentKind::error_value, kNewPromise, kNoWords, true, 0,
             "Promise.reject(reason): a promise that is rejected; a text stands for an Error.",
             R"({"rejected": "boom", "as": "p"})", Family::javascript},
    VerbInfo{Verb::then, "then", kPromises, ArgumentKind::awaitable, kThen, kNoWords, true, 0,
             "p.then(do, rejected).catch(catch).finally(finally), without the parts that are not given.",
             R"({"then": "p", "do": [{"log": "{value}"}], "catch": [{"log": "{error.message}"}]})", Family::javascript},
    VerbInfo{Verb::all, "all", kPromises, ArgumentKind::awaitables, kNewPromise, kNoWords, true, 0,
             "Promise.all([...]).", R"({"all": ["p", "q"], "as": "both"})", Family::javascript},
    VerbInfo{Verb::all_settled, "allSettled", kPromises, ArgumentKind::awaitables, kNewPromise, kNoWords, true, 12,
             "Promise.allSettled([...]).", R"({"allSettled": ["p", "q"], "as": "both"})", Family::javascript},
    VerbInfo{Verb::any, "any", kPromises, ArgumentKind::awaitables, kNewPromise, kNoWords, true, 16,
             "Promise.any([...]).", R"({"any": ["p", "q"], "as": "first"})", Family::javascript},
    VerbInfo{Verb::race, "race", kPromises, ArgumentKind::awaitables, kNewPromise, kNoWords, true, 0,
             "Promise.race([...]).", R"({"race": ["p", "q"], "as": "first"})", Family::javascript},
    VerbInfo{Verb::async, "async", kPromises, ArgumentKind::callback, kAsync, kNoWords, true, 8,
             "Calls an async function: p = (async () => { .. })().", R"({"async": [{"await": "p"}, {"log": "done"}]})",
             Family::javascript},
    VerbInfo{Verb::await, "await", kPromises, ArgumentKind::awaitable, kAwait, kNoWords, false, 8,
             "x = await p; makes the function around it an async one.", R"({"await": {"setTimeout": 10}})",
             Family::javascript},

    VerbInfo{
        Verb::fs, "fs", kElsewhere, ArgumentKind::operation, kFs, kFsWords, true, 0,
        "A file operation, on the thread pool. readFile is four requests one after another, writeFile three; from Node "
        "26 on each is one.",
        R"({"fs": "read", "takes": "95ms", "do": [{"log": "read"}]})"},
    VerbInfo{Verb::dns, "dns", kElsewhere, ArgumentKind::operation, kDns, kDnsWords, true, 0,
             "lookup: on the thread pool, as slow I/O; resolve: on the network.",
             R"({"dns": "lookup", "takes": "20ms", "do": [{"log": "found"}]})"},
    VerbInfo{Verb::crypto, "crypto", kElsewhere, ArgumentKind::operation, kCompute, kCryptoWords, true, 0,
             "Computes on a thread of the pool.", R"({"crypto": "pbkdf2", "cpu": "100ms", "do": [{"log": "hashed"}]})"},
    VerbInfo{Verb::zlib, "zlib", kElsewhere, ArgumentKind::operation, kCompute, kZlibWords, true, 0,
             "Computes on a thread of the pool.", R"({"zlib": "gzip", "cpu": "30ms", "do": [{"log": "compressed"}]})"},

    VerbInfo{Verb::spawn, "spawn", kProcesses, ArgumentKind::command, kSpawn, kChildEvents, false, 0,
             "Starts a child process: child = child_process.spawn(command), its input and output ignored.",
             R"({"spawn": "convert", "takes": "30ms", "as": "child", "on": {"exit": [{"log": "{code}"}]}})"},
    VerbInfo{Verb::kill, "kill", kProcesses, ArgumentKind::name, kKill, kNoWords, false, 0,
             "Sends a signal: child.kill(signal), or with \"process\" to the process itself.",
             R"({"kill": "process", "signal": "SIGTERM"})"},

    VerbInfo{Verb::listen, "listen", kNetwork, ArgumentKind::port, kServer, kServerEvents, false, 0,
             "Makes a server that listens: server = net.createServer().listen(port).",
             R"({"listen": 8080, "as": "server", "on": {"connection": [{"destroy": "value"}]}})"},
    VerbInfo{Verb::connect, "connect", kNetwork, ArgumentKind::address, kSocket, kSocketEvents, false, 0,
             "Makes a connection on this machine: socket = net.connect(port, '127.0.0.1'), or net.connect(path).",
             R"({"connect": 8080, "as": "socket", "on": {"connect": [{"destroy": "socket"}]}})"},
    VerbInfo{Verb::close, "close", kNetwork, ArgumentKind::name, kClose, kNoWords, false, 0,
             "No more connections: server.close(callback).", R"({"close": "server"})"},
    VerbInfo{Verb::write, "write", kNetwork, ArgumentKind::name, kWrite, kNoWords, false, 0,
             "Sends data: socket.write(data, callback).", R"({"write": "socket", "data": "hello"})"},
    VerbInfo{Verb::end, "end", kNetwork, ArgumentKind::name, kEnd, kNoWords, false, 0,
             "Sends the rest, and then the end: socket.end(data, callback).", R"({"end": "socket", "data": "bye"})"},
    VerbInfo{Verb::pause, "pause", kNetwork, ArgumentKind::name, kNoOptions, kNoWords, false, 0,
             "No more 'data' until it is resumed: socket.pause().", R"({"pause": "socket"})"},
    VerbInfo{Verb::resume, "resume", kNetwork, ArgumentKind::name, kNoOptions, kNoWords, false, 0,
             "Lets data flow, also when nobody listens to it: socket.resume().", R"({"resume": "socket"})"},
    VerbInfo{Verb::destroy, "destroy", kNetwork, ArgumentKind::name, kDestroy, kNoWords, false, 0,
             "Ends a connection at once: socket.destroy(error).", R"({"destroy": "socket"})"},

    VerbInfo{Verb::emitter, "emitter", kEvents, ArgumentKind::new_name, kNoOptions, kNoWords, false, 0,
             "e = new EventEmitter().", R"({"emitter": "e"})"},
    VerbInfo{Verb::on, "on", kEvents, ArgumentKind::name, kListener, kNoWords, false, 0,
             "e.on(event, listener); \"process\" is an emitter, too.",
             R"({"on": "e", "event": "data", "do": [{"log": "{value}"}]})"},
    VerbInfo{Verb::once, "once", kEvents, ArgumentKind::name, kListener, kNoWords, false, 0, "e.once(event, listener).",
             R"({"once": "process", "event": "exit", "do": [{"log": "{code}"}]})"},
    VerbInfo{Verb::off, "off", kEvents, ArgumentKind::name, kOff, kNoWords, false, 0,
             "Takes a named listener away: e.off(event, f).", R"({"off": "e", "event": "data", "do": "f"})"},
    VerbInfo{Verb::emit, "emit", kEvents, ArgumentKind::name, kEmit, kNoWords, false, 0,
             "e.emit(event, ...values): calls the listeners now, in order of registration.",
             R"({"emit": "e", "event": "data", "with": [1]})"},
    VerbInfo{Verb::exit, "exit", kEvents, ArgumentKind::exit_code, kNoOptions, kNoWords, false, 0,
             "process.exit(code); null: with the exit code set so far.", R"({"exit": 1})"},
    VerbInfo{Verb::exit_code, "exitCode", kEvents, ArgumentKind::exit_code, kNoOptions, kNoWords, false, 0,
             "process.exitCode = code.", R"({"exitCode": 1})"},

    VerbInfo{Verb::uv_run, "uv_run", kUvLoop, ArgumentKind::operation, kUvResult, kRunModes, false, 0,
             "Runs the loop; the result is 0 when nothing is left that keeps it alive.",
             R"({"uv_run": "UV_RUN_DEFAULT", "as": "more"})", Family::libuv},
    VerbInfo{Verb::uv_stop, "uv_stop", kUvLoop, ArgumentKind::nothing, kNoOptions, kNoWords, false, 0,
             "Ends uv_run behind the present turn.", R"({"uv_stop": null})", Family::libuv},
    VerbInfo{Verb::uv_loop_alive, "uv_loop_alive", kUvLoop, ArgumentKind::nothing, kUvAnswer, kNoWords, false, 0,
             "Whether something keeps the loop alive: 1 or 0.", R"({"uv_loop_alive": null, "as": "alive"})",
             Family::libuv},
    VerbInfo{Verb::uv_loop_close, "uv_loop_close", kUvLoop, ArgumentKind::nothing, kUvResult, kNoWords, false, 0,
             "Ends the loop: 0, or UV_EBUSY while there are handles or requests.",
             R"({"uv_loop_close": null, "as": "result"})", Family::libuv},
    VerbInfo{
        Verb::uv_loop_configure, "uv_loop_configure", kUvLoop, ArgumentKind::operation, kUvResult, kLoopOptions, false,
        0,
        "Blocks SIGPROF while poll waits, or lets poll look before it sleeps, to measure the time for which it does.",
        R"({"uv_loop_configure": "UV_METRICS_IDLE_TIME"})", Family::libuv},
    VerbInfo{Verb::uv_now, "uv_now", kUvLoop, ArgumentKind::nothing, kUvAnswer, kNoWords, false, 0,
             "The loop's time, in whole milliseconds from its start.", R"({"uv_now": null, "as": "time"})",
             Family::libuv},
    VerbInfo{Verb::uv_update_time, "uv_update_time", kUvLoop, ArgumentKind::nothing, kNoOptions, kNoWords, false, 0,
             "Reads the clock anew for the loop's time.", R"({"uv_update_time": null})", Family::libuv},
    VerbInfo{Verb::uv_backend_timeout, "uv_backend_timeout", kUvLoop, ArgumentKind::nothing, kUvAnswer, kNoWords, false,
             0, "How long the next poll would block, in milliseconds; -1: without end.",
             R"({"uv_backend_timeout": null, "as": "timeout"})", Family::libuv},
    VerbInfo{Verb::uv_walk, "uv_walk", kUvLoop, ArgumentKind::callback, kNoOptions, kNoWords, false, 0,
             "Calls a function for every handle, in the order in which they were made.",
             R"({"uv_walk": [{"uv_close": "handle"}]})", Family::libuv, kHandle},

    VerbInfo{Verb::uv_close, "uv_close", kUvHandles, ArgumentKind::name, kUvClose, kNoWords, false, 0,
             "Closes a handle: it is inactive at once, and closed in the closing phase.",
             R"({"uv_close": "h", "do": [{"log": "closed"}]})", Family::libuv, kHandle},
    VerbInfo{Verb::uv_ref, "uv_ref", kUvHandles, ArgumentKind::name, kNoOptions, kNoWords, false, 0,
             "Lets an active handle keep the loop alive.", R"({"uv_ref": "h"})", Family::libuv},
    VerbInfo{Verb::uv_unref, "uv_unref", kUvHandles, ArgumentKind::name, kNoOptions, kNoWords, false, 0,
             "Lets the loop end while a handle is active.", R"({"uv_unref": "h"})", Family::libuv},
    VerbInfo{Verb::uv_has_ref, "uv_has_ref", kUvHandles, ArgumentKind::name, kUvAnswer, kNoWords, false, 0,
             "Whether a handle has a reference: 1 or 0.", R"({"uv_has_ref": "h", "as": "x"})", Family::libuv},
    VerbInfo{Verb::uv_is_active, "uv_is_active", kUvHandles, ArgumentKind::name, kUvAnswer, kNoWords, false, 0,
             "Whether a handle is active: 1 or 0.", R"({"uv_is_active": "h", "as": "x"})", Family::libuv},
    VerbInfo{Verb::uv_is_closing, "uv_is_closing", kUvHandles, ArgumentKind::name, kUvAnswer, kNoWords, false, 0,
             "Whether a handle is closing or closed: 1 or 0.", R"({"uv_is_closing": "h", "as": "x"})", Family::libuv},

    VerbInfo{Verb::uv_timer_init, "uv_timer_init", kUvTimers, ArgumentKind::new_name, kNoOptions, kNoWords, false, 0,
             "Makes a timer.", R"({"uv_timer_init": "t"})", Family::libuv},
    VerbInfo{Verb::uv_timer_start, "uv_timer_start", kUvTimers, ArgumentKind::name, kUvTimerStart, kNoWords, false, 0,
             "Starts a timer, also one that runs already.",
             R"({"uv_timer_start": "t", "timeout": 100, "repeat": 0, "do": [{"log": "timer"}]})", Family::libuv,
             kHandle},
    VerbInfo{Verb::uv_timer_stop, "uv_timer_stop", kUvTimers, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Stops a timer.", R"({"uv_timer_stop": "t"})", Family::libuv},
    VerbInfo{Verb::uv_timer_again, "uv_timer_again", kUvTimers, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Starts a timer that repeats anew, with its repeat value; UV_EINVAL if it was never started.",
             R"({"uv_timer_again": "t"})", Family::libuv},
    VerbInfo{Verb::uv_timer_set_repeat, "uv_timer_set_repeat", kUvTimers, ArgumentKind::name, kUvSetRepeat, kNoWords,
             false, 0, "Sets the repeat value, which counts from the next start on.",
             R"({"uv_timer_set_repeat": "t", "repeat": 20})", Family::libuv},
    VerbInfo{Verb::uv_timer_get_repeat, "uv_timer_get_repeat", kUvTimers, ArgumentKind::name, kUvAnswer, kNoWords,
             false, 0, "The repeat value.", R"({"uv_timer_get_repeat": "t", "as": "x"})", Family::libuv},
    VerbInfo{Verb::uv_timer_get_due_in, "uv_timer_get_due_in", kUvTimers, ArgumentKind::name, kUvAnswer, kNoWords,
             false, 40, "Milliseconds until a timer is due; 0: it is.", R"({"uv_timer_get_due_in": "t", "as": "x"})",
             Family::libuv},

    VerbInfo{Verb::uv_idle_init, "uv_idle_init", kUvPhases, ArgumentKind::new_name, kNoOptions, kNoWords, false, 0,
             "Makes an idle handle.", R"({"uv_idle_init": "h"})", Family::libuv},
    VerbInfo{Verb::uv_idle_start, "uv_idle_start", kUvPhases, ArgumentKind::name, kUvStart, kNoWords, false, 0,
             "Calls a function in every turn, before prepare; the loop does not block meanwhile.",
             R"({"uv_idle_start": "h", "do": [{"log": "idle"}]})", Family::libuv, kHandle},
    VerbInfo{Verb::uv_idle_stop, "uv_idle_stop", kUvPhases, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Stops an idle handle.", R"({"uv_idle_stop": "h"})", Family::libuv},

    VerbInfo{Verb::uv_prepare_init, "uv_prepare_init", kUvPhases, ArgumentKind::new_name, kNoOptions, kNoWords, false,
             0, "Makes a prepare handle.", R"({"uv_prepare_init": "h"})", Family::libuv},
    VerbInfo{Verb::uv_prepare_start, "uv_prepare_start", kUvPhases, ArgumentKind::name, kUvStart, kNoWords, false, 0,
             "Calls a function in every turn, before poll.", R"({"uv_prepare_start": "h", "do": [{"log": "prepare"}]})",
             Family::libuv, kHandle},
    VerbInfo{Verb::uv_prepare_stop, "uv_prepare_stop", kUvPhases, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Stops a prepare handle.", R"({"uv_prepare_stop": "h"})", Family::libuv},

    VerbInfo{Verb::uv_check_init, "uv_check_init", kUvPhases, ArgumentKind::new_name, kNoOptions, kNoWords, false, 0,
             "Makes a check handle.", R"({"uv_check_init": "h"})", Family::libuv},
    VerbInfo{Verb::uv_check_start, "uv_check_start", kUvPhases, ArgumentKind::name, kUvStart, kNoWords, false, 0,
             "Calls a function in every turn, behind poll.", R"({"uv_check_start": "h", "do": [{"log": "check"}]})",
             Family::libuv, kHandle},
    VerbInfo{Verb::uv_check_stop, "uv_check_stop", kUvPhases, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Stops a check handle.", R"({"uv_check_stop": "h"})", Family::libuv},

    VerbInfo{Verb::uv_async_init, "uv_async_init", kUvThreads, ArgumentKind::new_name, kUvAsyncInit, kNoWords, false, 0,
             "Makes an async handle, which is active, and whose callback runs in poll when it was sent.",
             R"({"uv_async_init": "a", "do": [{"log": "async"}]})", Family::libuv, kHandle},
    VerbInfo{Verb::uv_async_send, "uv_async_send", kUvThreads, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Wakes the loop; several before the callback are one.", R"({"uv_async_send": "a"})", Family::libuv},
    VerbInfo{Verb::uv_queue_work, "uv_queue_work", kUvThreads, ArgumentKind::new_name, kUvQueueWork, kNoWords, false, 0,
             "Gives work to the thread pool; the callback runs in poll when it is done.",
             R"({"uv_queue_work": "r", "cpu": "5ms", "do": [{"log": "status {status}"}]})", Family::libuv,
             kRequestAndStatus},
    VerbInfo{Verb::uv_cancel, "uv_cancel", kUvThreads, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Takes a request that waits out of the pool's queue: 0, or UV_EBUSY. Its callback gets UV_ECANCELED.",
             R"({"uv_cancel": "r", "as": "result"})", Family::libuv},

    VerbInfo{Verb::uv_signal_init, "uv_signal_init", kUvSignals, ArgumentKind::new_name, kNoOptions, kNoWords, false, 0,
             "Makes a signal handle.", R"({"uv_signal_init": "s"})", Family::libuv},
    VerbInfo{Verb::uv_signal_start, "uv_signal_start", kUvSignals, ArgumentKind::name, kUvSignalStart, kNoWords, false,
             0, "Calls a function for each arrival of a signal.",
             R"({"uv_signal_start": "s", "signal": "SIGTERM", "do": [{"log": "signal {signum}"}]})", Family::libuv,
             kHandleAndSignal},
    VerbInfo{Verb::uv_signal_start_oneshot, "uv_signal_start_oneshot", kUvSignals, ArgumentKind::name, kUvSignalStart,
             kNoWords, false, 16, "The same, once.",
             R"({"uv_signal_start_oneshot": "s", "signal": "SIGTERM", "do": [{"log": "signal {signum}"}]})",
             Family::libuv, kHandleAndSignal},
    VerbInfo{Verb::uv_signal_stop, "uv_signal_stop", kUvSignals, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Stops a signal handle.", R"({"uv_signal_stop": "s"})", Family::libuv},

    VerbInfo{Verb::uv_tcp_init, "uv_tcp_init", kUvStreams, ArgumentKind::new_name, kNoOptions, kNoWords, false, 0,
             "Makes a TCP handle.", R"({"uv_tcp_init": "server"})", Family::libuv},
    VerbInfo{Verb::uv_tcp_bind, "uv_tcp_bind", kUvStreams, ArgumentKind::name, kUvPort, kNoWords, false, 0,
             "Gives a TCP handle a port of this machine; that it is taken, uv_listen says.",
             R"({"uv_tcp_bind": "server", "port": 8000})", Family::libuv},
    VerbInfo{Verb::uv_tcp_connect, "uv_tcp_connect", kUvStreams, ArgumentKind::new_name, kUvTcpConnect, kNoWords, false,
             0, "Connects a TCP handle to a port of this machine.",
             R"({"uv_tcp_connect": "req", "handle": "client", "port": 8000, "do": [{"log": "status {status}"}]})",
             Family::libuv, kRequestAndStatus},
    VerbInfo{Verb::uv_tcp_close_reset, "uv_tcp_close_reset", kUvStreams, ArgumentKind::name, kUvCloseReset, kNoWords,
             false, 32, "Closes a TCP handle, and resets its connection (RST).",
             R"({"uv_tcp_close_reset": "client", "do": [{"log": "closed"}]})", Family::libuv, kHandle},
    VerbInfo{Verb::uv_pipe_init, "uv_pipe_init", kUvStreams, ArgumentKind::new_name, kNoOptions, kNoWords, false, 0,
             "Makes a handle for Unix sockets.", R"({"uv_pipe_init": "server"})", Family::libuv},
    VerbInfo{Verb::uv_pipe_bind, "uv_pipe_bind", kUvStreams, ArgumentKind::name, kUvPath, kNoWords, false, 0,
             "Gives a handle for Unix sockets a path.", R"({"uv_pipe_bind": "server", "path": "/tmp/app.sock"})",
             Family::libuv},
    VerbInfo{Verb::uv_pipe_connect, "uv_pipe_connect", kUvStreams, ArgumentKind::new_name, kUvPipeConnect, kNoWords,
             false, 0, "Connects a handle to a Unix socket.",
             R"({"uv_pipe_connect": "req", "handle": "client", "path": "/tmp/app.sock", "do": [{"log": "{status}"}]})",
             Family::libuv, kRequestAndStatus},
    VerbInfo{Verb::uv_listen, "uv_listen", kUvStreams, ArgumentKind::name, kUvListen, kNoWords, false, 0,
             "Listens for connections; the callback runs for each, and takes it with uv_accept.",
             R"({"uv_listen": "server", "do": [{"uv_tcp_init": "c"}, {"uv_accept": "handle", "client": "c"}]})",
             Family::libuv, kHandleAndStatus},
    VerbInfo{Verb::uv_accept, "uv_accept", kUvStreams, ArgumentKind::name, kUvAccept, kNoWords, false, 0,
             "Gives a connection that waits to a stream; UV_EAGAIN if there is none.",
             R"({"uv_accept": "server", "client": "c"})", Family::libuv},
    VerbInfo{Verb::uv_read_start, "uv_read_start", kUvStreams, ArgumentKind::name, kUvListen, kNoWords, false, 0,
             "Reads from a stream; the callback gets the number of bytes, or an error such as UV_EOF.",
             R"({"uv_read_start": "c", "do": [{"log": "{nread} bytes: {data}"}]})", Family::libuv, kReadArguments},
    VerbInfo{Verb::uv_read_stop, "uv_read_stop", kUvStreams, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Reads no longer.", R"({"uv_read_stop": "c"})", Family::libuv},
    VerbInfo{Verb::uv_write, "uv_write", kUvStreams, ArgumentKind::new_name, kUvWrite, kNoWords, false, 0,
             "Writes to a stream; the callback runs when the kernel has taken it.",
             R"({"uv_write": "req", "handle": "c", "data": "hello", "do": [{"log": "status {status}"}]})",
             Family::libuv, kRequestAndStatus},
    VerbInfo{Verb::uv_try_write, "uv_try_write", kUvStreams, ArgumentKind::name, kUvTryWrite, kNoWords, false, 0,
             "Writes at once: the number of bytes, or UV_EAGAIN while others wait to be written.",
             R"({"uv_try_write": "c", "data": "hello", "as": "written"})", Family::libuv},
    VerbInfo{Verb::uv_shutdown, "uv_shutdown", kUvStreams, ArgumentKind::new_name, kUvShutdown, kNoWords, false, 0,
             "Ends the own side of a connection when all is written.",
             R"({"uv_shutdown": "req", "handle": "c", "do": [{"log": "status {status}"}]})", Family::libuv,
             kRequestAndStatus},
    VerbInfo{Verb::uv_is_readable, "uv_is_readable", kUvStreams, ArgumentKind::name, kUvAnswer, kNoWords, false, 0,
             "Whether a stream can be read: 1 or 0.", R"({"uv_is_readable": "c", "as": "x"})", Family::libuv},
    VerbInfo{Verb::uv_is_writable, "uv_is_writable", kUvStreams, ArgumentKind::name, kUvAnswer, kNoWords, false, 0,
             "Whether a stream can be written to: 1 or 0.", R"({"uv_is_writable": "c", "as": "x"})", Family::libuv},

    VerbInfo{Verb::socketpair, "socketpair", kUvPolls, ArgumentKind::new_name, kSocketpair, kNoWords, false, 0,
             "Makes two descriptors that are connected: the system call, for AF_UNIX and SOCK_STREAM.",
             R"({"socketpair": "a", "other": "b"})", Family::libuv},
    VerbInfo{Verb::send, "send", kUvPolls, ArgumentKind::name, kSend, kNoWords, false, 0,
             "Sends a text to the other end of a descriptor; the result is the number of bytes, or -1.",
             R"({"send": "a", "data": "hello"})", Family::libuv},
    VerbInfo{Verb::recv, "recv", kUvPolls, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Takes what a descriptor has got: the number of bytes, 0 at the end, -1 if there is nothing.",
             R"({"recv": "b", "as": "bytes"})", Family::libuv},
    VerbInfo{Verb::shutdown, "shutdown", kUvPolls, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Ends the own side of a descriptor (SHUT_WR).", R"({"shutdown": "a"})", Family::libuv},
    VerbInfo{Verb::uv_poll_init, "uv_poll_init", kUvPolls, ArgumentKind::new_name, kUvPollInit, kNoWords, false, 0,
             "Makes a handle that watches a descriptor.", R"({"uv_poll_init": "p", "fd": "a"})", Family::libuv},
    VerbInfo{Verb::uv_poll_start, "uv_poll_start", kUvPolls, ArgumentKind::name, kUvPollStart, kPollEvents, false, 0,
             "Calls a function in every poll in which the descriptor is ready for one of these events.",
             R"({"uv_poll_start": "p", "events": "UV_READABLE", "do": [{"log": "events {events}"}]})", Family::libuv,
             kPollArguments},
    VerbInfo{Verb::uv_poll_stop, "uv_poll_stop", kUvPolls, ArgumentKind::name, kUvResult, kNoWords, false, 0,
             "Watches the descriptor no longer.", R"({"uv_poll_stop": "p"})", Family::libuv},

    VerbInfo{Verb::uv_spawn, "uv_spawn", kUvProcesses, ArgumentKind::new_name, kUvSpawn, kNoWords, false, 0,
             "Starts a child process.",
             R"({"uv_spawn": "child", "takes": "20ms", "code": 3, "do": [{"log": "exit {exit_status}"}]})",
             Family::libuv, kExitArguments},
    VerbInfo{Verb::uv_process_kill, "uv_process_kill", kUvProcesses, ArgumentKind::name, kUvKill, kNoWords, false, 0,
             "Sends a signal to a child process; UV_ESRCH if it is gone.",
             R"({"uv_process_kill": "child", "signal": "SIGTERM"})", Family::libuv},

    VerbInfo{Verb::uv_fs_access, "uv_fs_access", kUvRequests, ArgumentKind::new_name, kUvFs, kNoWords, false, 0,
             "Asks whether a file is there, on a thread of the pool; the callback gets the result.",
             R"({"uv_fs_access": "req", "path": "/tmp/x", "takes": "2ms", "do": [{"log": "{result}"}]})", Family::libuv,
             kRequestAndResult},
    VerbInfo{Verb::uv_fs_stat, "uv_fs_stat", kUvRequests, ArgumentKind::new_name, kUvFs, kNoWords, false, 0,
             "Asks what a file is, on a thread of the pool; the callback gets the result.",
             R"({"uv_fs_stat": "req", "path": "/tmp/x", "takes": "2ms", "do": [{"log": "{result}"}]})", Family::libuv,
             kRequestAndResult},
    VerbInfo{Verb::uv_fs_mkdir, "uv_fs_mkdir", kUvRequests, ArgumentKind::new_name, kUvFs, kNoWords, false, 0,
             "Makes a directory, on a thread of the pool; the callback gets the result.",
             R"({"uv_fs_mkdir": "req", "path": "/tmp/x", "takes": "2ms", "do": [{"log": "{result}"}]})", Family::libuv,
             kRequestAndResult},
    VerbInfo{Verb::uv_fs_rmdir, "uv_fs_rmdir", kUvRequests, ArgumentKind::new_name, kUvFs, kNoWords, false, 0,
             "Removes a directory, on a thread of the pool; the callback gets the result.",
             R"({"uv_fs_rmdir": "req", "path": "/tmp/x", "takes": "2ms", "do": [{"log": "{result}"}]})", Family::libuv,
             kRequestAndResult},
    VerbInfo{Verb::uv_fs_unlink, "uv_fs_unlink", kUvRequests, ArgumentKind::new_name, kUvFs, kNoWords, false, 0,
             "Removes a file, on a thread of the pool; the callback gets the result.",
             R"({"uv_fs_unlink": "req", "path": "/tmp/x", "takes": "2ms", "do": [{"log": "{result}"}]})", Family::libuv,
             kRequestAndResult},
    VerbInfo{Verb::uv_getaddrinfo, "uv_getaddrinfo", kUvRequests, ArgumentKind::new_name, kUvGetaddrinfo, kNoWords,
             false, 0, "Looks a host's name up, on a thread of the pool.",
             R"({"uv_getaddrinfo": "req", "node": "example.org", "takes": "20ms", "do": [{"log": "{status}"}]})",
             Family::libuv, kRequestAndStatus},

    VerbInfo{Verb::request_animation_frame, "requestAnimationFrame", kPages, ArgumentKind::callback, kFrame, kNoWords,
             false, 0, "Runs a callback before the next frame is drawn; it gets the frame's time as `value`.",
             R"({"requestAnimationFrame": [{"log": "frame at {value}"}]})", Family::browser},
    VerbInfo{Verb::request_idle_callback, "requestIdleCallback", kPages, ArgumentKind::callback, kIdle, kNoWords, false,
             0, "Runs a callback when the thread has nothing to do before the next frame or timer.",
             R"({"requestIdleCallback": [{"log": "idle"}], "timeout": 100})", Family::browser},
    VerbInfo{Verb::post_task, "postTask", kPages, ArgumentKind::operation, kPostTask, kTaskPriorities, true, 0,
             "scheduler.postTask: runs a task of this priority; a promise of what it returns.",
             R"({"postTask": "background", "do": [{"log": "later"}]})", Family::browser},
    VerbInfo{Verb::yield_, "yield", kPages, ArgumentKind::nothing, kNewPromise, kNoWords, true, 0,
             "scheduler.yield(): a promise that is fulfilled by a task, before others of its priority.",
             R"({"yield": null, "as": "p"})", Family::browser},
    VerbInfo{
        Verb::add_event_listener, "addEventListener", kPages, ArgumentKind::selector, kEventListener, kNoWords, false,
        0,
        "Adds a listener to an element, by a selector, to \"window\" or to \"document\". One of `message` gets what "
        "was posted as `value`.",
        R"({"addEventListener": "#button", "event": "click", "do": [{"log": "click"}]})", Family::browser},
    VerbInfo{Verb::dispatch_event, "dispatchEvent", kPages, ArgumentKind::selector, kDispatch, kNoWords, false, 0,
             "Dispatches an event, which bubbles, at once; `click` as element.click().",
             R"({"dispatchEvent": "#button", "event": "click"})", Family::browser},
    VerbInfo{Verb::set_attribute, "setAttribute", kPages, ArgumentKind::selector, kSetAttribute, kNoWords, false, 0,
             "Sets an attribute of an element.", R"({"setAttribute": "#button", "with": ["title", "press"]})",
             Family::browser},
    VerbInfo{Verb::observe, "observe", kPages, ArgumentKind::selector, kObserve, kNoWords, false, 0,
             "new MutationObserver(callback).observe(element): of the attributes and children of it and of all in it.",
             R"({"observe": "body", "do": [{"log": "changed"}]})", Family::browser},
    VerbInfo{Verb::post_message, "postMessage", kPages, ArgumentKind::value, kNoOptions, kNoWords, false, 0,
             "window.postMessage(value): a task calls the listeners of `message` of the window.",
             R"({"postMessage": "hello"})", Family::browser},
    VerbInfo{Verb::fetch, "fetch", kPages, ArgumentKind::url, kNewPromise, kNoWords, true, 0,
             "fetch(url).then((response) => response.text()): a promise of the text that \"answers\" has.",
             R"({"fetch": "/data", "as": "p"})", Family::browser},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kVerbs.size(); ++i) {
    if (static_cast<std::size_t>(kVerbs[i].verb) != i) return false;
  }
  return true;
}
static_assert(std::all_of(kVerbs.begin(), kVerbs.end(),
                          [](const VerbInfo& verb) { return verb.options.size() <= kMostVerbOptions; }));
static_assert(is_in_order() && kVerbs.size() == static_cast<std::size_t>(Verb::fetch) + 1);

// A hash table of the verbs' names: each key of each step is looked up.
constexpr std::uint8_t kNoVerb = 0xff;

constexpr std::size_t place_of(std::string_view name) {
  const auto first = static_cast<unsigned char>(name.front());
  const auto last = static_cast<unsigned char>(name.back());
  return (name.size() * 37 + first * 5U + last * 11U) % 256;
}

constexpr std::array<std::uint8_t, 256> places_of_verbs() {
  std::array<std::uint8_t, 256> places{};
  places.fill(kNoVerb);
  for (std::size_t i = 0; i < kVerbs.size(); ++i) {
    std::size_t place = place_of(kVerbs[i].name);
    while (places[place] != kNoVerb) place = (place + 1) % places.size();
    places[place] = static_cast<std::uint8_t>(i);
  }
  return places;
}
constexpr auto kPlaces = places_of_verbs();

}  // namespace

std::span<const VerbInfo> verb_table() { return kVerbs; }

const VerbInfo& info(Verb verb) { return kVerbs[static_cast<std::size_t>(verb)]; }

const VerbInfo* find_verb(std::string_view name) {
  if (name.empty()) return nullptr;
  for (std::size_t place = place_of(name); kPlaces[place] != kNoVerb; place = (place + 1) % kPlaces.size()) {
    const VerbInfo& verb = kVerbs[kPlaces[place]];
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

std::string_view to_string(Key key) {
  constexpr std::array<std::string_view, 31> kNames = {
      "as",      "do",      "with",     "takes", "cpu",     "error",  "event",  "then",  "else",
      "catch",   "finally", "rejected", "on",    "code",    "signal", "data",   "bytes", "allowHalfOpen",
      "timeout", "repeat",  "delay",    "once",  "capture", "handle", "client", "other", "fd",
      "port",    "path",    "node",     "events"};
  return kNames[static_cast<std::size_t>(key)];
}

FileRequests file_requests(std::string_view operation) {
  if (operation == "readFile") return {kReadFile, 2};
  if (operation == "writeFile") return {kWriteFile, 1};
  const auto word = std::find(kFsWords.begin(), kFsWords.end(), operation);
  return word == kFsWords.end() ? FileRequests{{}, 0} : FileRequests{Words(&*word, 1), 0};
}

int operation_since(std::string_view operation) {
  if (operation == "randomFill") return 6;
  const bool is_new = operation == "scrypt" || operation == "generateKeyPair" || operation.starts_with("brotli");
  return is_new ? 10 : 0;
}

std::span<const std::string_view> process_events() { return kProcessEvents; }

}  // namespace loopsim
