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

}  // namespace

std::span<const SignalInfo> signals() { return kSignals; }

const SignalInfo* find_signal(std::string_view name) {
  const auto found = std::ranges::find(kSignals, name, &SignalInfo::name);
  return found == kSignals.end() ? nullptr : &*found;
}

const SignalInfo* find_signal(int number) {
  const auto found = std::ranges::find(kSignals, number, &SignalInfo::number);
  return found == kSignals.end() ? nullptr : &*found;
}

}  // namespace loopsim
