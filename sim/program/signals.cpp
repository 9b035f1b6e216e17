// The signals of the language, also used by the engine.
#include <algorithm>
#include <array>

#include "loopsim/verbs.hpp"

namespace loopsim {
namespace {

constexpr std::array<SignalInfo, 9> kSignals = {{{"SIGHUP", 1, true, true},
                                                 {"SIGINT", 2, true, true},
                                                 {"SIGQUIT", 3, true, true},
                                                 {"SIGKILL", 9, true, false},
                                                 {"SIGUSR2", 12, true, true},
                                                 {"SIGALRM", 14, true, true},
                                                 {"SIGTERM", 15, true, true},
                                                 {"SIGCONT", 18, false, true},
                                                 {"SIGWINCH", 28, false, true}}};

// Those that a program in JavaScript sends itself, and no scenario: by their numbers alone. What stops a process does nothing
// here; internal/process_members.js refuses it, and SIGUSR1, which is the debugger's, where nobody listens.
constexpr std::array<SignalInfo, 21> kOthers = {
    {{"SIGILL", 4, true, true},     {"SIGTRAP", 5, true, true},   {"SIGABRT", 6, true, true},
     {"SIGBUS", 7, true, true},     {"SIGFPE", 8, true, true},    {"SIGUSR1", 10, true, true},
     {"SIGSEGV", 11, true, true},   {"SIGPIPE", 13, false, true},  // Node ignores it
     {"SIGSTKFLT", 16, true, true}, {"SIGCHLD", 17, false, true}, {"SIGTSTP", 20, false, true},
     {"SIGTTIN", 21, false, true},  {"SIGTTOU", 22, false, true}, {"SIGURG", 23, false, true},
     {"SIGXCPU", 24, true, true},   {"SIGXFSZ", 25, true, true},  {"SIGVTALRM", 26, true, true},
     {"SIGPROF", 27, true, true},   {"SIGIO", 29, true, true},    {"SIGPWR", 30, true, true},
     {"SIGSYS", 31, true, true}}};

}  // namespace

std::span<const SignalInfo> signals() { return kSignals; }

const SignalInfo* find_signal(std::string_view name) {
  const auto found = std::ranges::find(kSignals, name, &SignalInfo::name);
  return found == kSignals.end() ? nullptr : &*found;
}

const SignalInfo* find_signal(int number) {
  const auto found = std::ranges::find(kSignals, number, &SignalInfo::number);
  if (found != kSignals.end()) return &*found;
  const auto other = std::ranges::find(kOthers, number, &SignalInfo::number);
  return other == kOthers.end() ? nullptr : &*other;
}

}  // namespace loopsim
