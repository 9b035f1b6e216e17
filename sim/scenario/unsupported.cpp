#include "loopsim/unsupported.hpp"

#include <algorithm>
#include <array>

#include "loopsim/suggest.hpp"

namespace loopsim {
namespace {

template <std::size_t N>
using List = std::array<std::string_view, N>;

constexpr List<8> kHttp = {"http", "https", "http2", "request", "express", "axios", "undici", "http.createServer"};
constexpr List<8> kThreads = {"worker", "Worker",         "worker_threads", "cluster", "SharedArrayBuffer",
                              "fork",   "MessageChannel", "parentPort"};
constexpr List<5> kWhile = {"while", "do-while", "until", "forever", "break"};
constexpr List<7> kForOf = {"forEach", "for-of", "for-in", "map", "filter", "reduce", "each"};
constexpr List<3> kSwitch = {"switch", "case", "ternary"};
constexpr List<5> kClass = {"class", "new", "extends", "this", "prototype"};
constexpr List<6> kData = {"array", "object", "Map", "Set", "push", "JSON"};
constexpr List<6> kArithmetic = {"subtract", "multiply", "divide", "math", "Math", "eval"};
constexpr List<5> kRandom = {"random", "Math.random", "rand", "crypto.randomInt", "uuid"};
constexpr List<7> kClock = {"Date.now", "performance.now", "Date", "hrtime", "process.hrtime", "time", "performance"};
constexpr List<4> kAbort = {"abort", "AbortController", "AbortSignal", "cancel"};
constexpr List<8> kStreams = {"stream",   "pipe",     "pipeline", "createReadStream", "createWriteStream",
                              "Readable", "Writable", "Transform"};
constexpr List<5> kGenerators = {"generator", "for-await", "asyncIterator", "iterator", "next"};
constexpr List<5> kInput = {"stdin", "readline", "process.stdin", "prompt", "input"};
constexpr List<4> kModules = {"require", "import", "module", "export"};
constexpr List<4> kPage = {"document", "window", "element", "DOM"};
constexpr List<6> kDatabase = {"query", "sql", "db", "database", "redis", "mongo"};
constexpr List<2> kDatagrams = {"udp", "dgram"};
constexpr List<4> kTls = {"tls", "secureConnect", "TLSSocket", "ssl"};
constexpr List<5> kWatch = {"watch", "watchFile", "fs.watch", "fsevents", "chokidar"};
constexpr List<5> kAsyncHooks = {"AsyncLocalStorage", "async_hooks", "AsyncResource", "executionAsyncId", "domain"};

constexpr std::array<UnsupportedFeature, 21> kFeatures = {{
    {"HTTP", kHttp,
     "a request to another host is time on the network, {\"dns\": \"resolve\", \"takes\": \"50ms\", \"do\": [ .. ]}; a "
     "server is \"listen\", which is TCP, as node:net: its clients come as \"inputs\", a request is the text that they "
     "send and the answer is that the server ends the connection"},
    {"worker threads, cluster", kThreads,
     "\"crypto\" and \"zlib\" with \"cpu\" compute on threads of the pool; \"load\" of the machine is other threads "
     "that want its cores"},
    {"loops with a condition", kWhile,
     "\"repeat\" runs steps a number of times; a function that calls itself in an \"if\", with \"call\" or "
     "\"setImmediate\", goes on until the condition fails"},
    {"loops over a collection", kForOf, "\"repeat\" with \"as\" counts from 0; \"call\" with \"with\" passes values"},
    {"switch", kSwitch, "\"if\" with \"else\", one within another"},
    {"classes and objects of one's own", kClass, "\"functions\" with \"parameters\", and variables"},
    {"objects, arrays, data structures", kData,
     "a value is a number, a truth value, null, a text, an error, or what a call returns (a promise, a timer, a "
     "socket)"},
    {"arithmetic but addition", kArithmetic,
     "\"add\" adds to a variable, also a negative number; \"repeat\" counts; other figures can be \"params\""},
    {"random values", kRandom,
     "durations can be drawn ({\"uniform\": [\"1ms\", \"9ms\"]}); a value that varies is a param, which `loopsim sweep "
     "--vary` sets"},
    {"reading a clock into a variable", kClock,
     "\"{now}\" in a text is the time since the start, and {\"mark\": \"m\"} with \"{since m}\" that since a step"},
    {"AbortController", kAbort, "\"clear\" stops a timer, \"destroy\" a connection, \"kill\" a child process"},
    {"streams of files, pipe", kStreams,
     "\"fs\" with \"read\" is one chunk of a file; a socket has \"write\", \"pause\", \"resume\" and its events"},
    {"generators, async iteration", kGenerators, "\"repeat\" with an \"await\" in it"},
    {"standard input", kInput, "clients of a server (\"inputs\") and signals are what comes from outside"},
    {"modules", kModules,
     "Node's functions are verbs of the language; {\"runtime\": {\"entry\": \"module\"}} runs the main script as an ES "
     "module"},
    {"the objects of a page", kPage,
     "in a browser (\"runtime\": \"chrome\") steps name an element by a selector, {\"setAttribute\": \"#button\", "
     "\"with\": "
     "[\"title\", \"press\"]}; a \"script\" has them all"},
    {"databases", kDatabase,
     "a query is time spent outside of the process: {\"dns\": \"resolve\", \"takes\": \"5ms\"} waits for the network "
     "without a thread of the pool, \"fs\" with one"},
    {"UDP", kDatagrams, "\"listen\" and \"connect\" are TCP"},
    {"TLS", kTls, "\"connect\" is TCP; \"cpu\" in its listener stands for the handshake's computation"},
    {"watching files", kWatch, "a client or a signal in \"inputs\" wakes the loop at a given time"},
    {"AsyncLocalStorage, async_hooks", kAsyncHooks,
     "the trace names for every callback the one that asked for it (`by`); `loopsim explain` shows the chain"},
}};

}  // namespace

std::span<const UnsupportedFeature> unsupported_features() { return kFeatures; }

const UnsupportedFeature* find_unsupported(std::string_view word) {
  const auto names_it = [&](const UnsupportedFeature& feature) {
    return std::ranges::any_of(feature.words, [&](std::string_view known) { return same_word(word, known); });
  };
  const auto found = std::ranges::find_if(kFeatures, names_it);
  return found != kFeatures.end() ? &*found : nullptr;
}

}  // namespace loopsim
