#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "loopsim/machine_variation.hpp"
#include "loopsim/units.hpp"

namespace loopsim {
namespace {

// A duration that a document may leave open, and whether it does.
struct Open {
  std::string_view key;
  bool MachineGiven::*given;
  Duration MachineSpec::*of_machine;
  Duration OverheadSpec::*of_overhead;

  [[nodiscard]] Duration& in(MachineSpec& machine) const {
    return of_machine != nullptr ? machine.*of_machine : machine.overhead.*of_overhead;
  }
};

constexpr std::array kOpen = {
    Open{"startup", &MachineGiven::startup, &MachineSpec::startup, nullptr},
    Open{"wakeup", &MachineGiven::wakeup, &MachineSpec::wakeup, nullptr},
    Open{"clock", &MachineGiven::clock, &MachineSpec::clock_phase, nullptr},
    Open{"callback", &MachineGiven::callback, nullptr, &OverheadSpec::callback},
    Open{"task", &MachineGiven::task, nullptr, &OverheadSpec::task},
    Open{"turn", &MachineGiven::turn, nullptr, &OverheadSpec::turn},
    Open{"poll", &MachineGiven::poll, nullptr, &OverheadSpec::poll},
    Open{"timer", &MachineGiven::timer, nullptr, &OverheadSpec::timer},
    Open{"log", &MachineGiven::log, nullptr, &OverheadSpec::log},
    Open{"firstLog", &MachineGiven::first_log, nullptr, &OverheadSpec::first_log},
    Open{"submit", &MachineGiven::submit, nullptr, &OverheadSpec::submit},
    Open{"request", &MachineGiven::request, nullptr, &OverheadSpec::request},
};

// Start-up as measured on one machine, by the first version that it holds for. The presets have that of Node 22.
struct Startup {
  int major;
  TimeNs median;
  double sigma;
};
constexpr std::array kStartups = {
    Startup{8, 254'000, 0.10},  Startup{10, 458'000, 0.26}, Startup{11, 299'000, 0.15}, Startup{12, 170'000, 0.12},
    Startup{14, 177'000, 0.09}, Startup{16, 157'000, 0.07}, Startup{18, 740'000, 0.27}, Startup{20, 166'000, 0.13},
    Startup{22, 60'000, 0.15},  Startup{26, 83'000, 0.09},
};

MachineSpec laptop_with(int major) {
  MachineSpec laptop = *std::ranges::find(machine_presets(), kVariedMachine, &MachineSpec::name);
  const auto after = std::ranges::upper_bound(kStartups, major, {}, &Startup::major);
  const Startup& known = after == kStartups.begin() ? *after : *std::prev(after);
  laptop.startup.a = known.median;
  laptop.startup.shape = known.sigma;
  return laptop;
}

std::string json_of(const Duration& duration) {
  switch (duration.kind) {
    case Duration::Kind::lognormal:
      return fmt::format(R"({{"lognormal":["{}",{}]}})", to_text(duration.a), duration.shape);
    case Duration::Kind::uniform:
      return fmt::format(R"({{"uniform":["{}","{}"]}})", to_text(duration.a), to_text(duration.b));
    default: return fmt::format(R"("{}")", to_text(duration.a));  // the preset has no other kinds
  }
}

}  // namespace

bool leaves_machine_open(const MachineGiven& given) {
  return !given.preset && std::ranges::any_of(kOpen, [&](const Open& one) { return !(given.*one.given); });
}

MachineSpec varied_machine(const MachineSpec& machine, const MachineGiven& given, int major) {
  MachineSpec varied = machine;
  if (given.preset) return varied;
  MachineSpec laptop = laptop_with(major);
  for (const Open& one : kOpen)
    if (!(given.*one.given)) one.in(varied) = one.in(laptop);
  if (!given.jumps) varied.overhead.jumps = laptop.overhead.jumps;  // fixed, and nothing for a scenario's own language
  return varied;
}

std::vector<MachineUncertainty> machine_uncertainties(int major) {
  MachineSpec laptop = laptop_with(major);
  std::vector<MachineUncertainty> all;
  for (const Open& one : kOpen) all.push_back({one.key, one.of_machine == nullptr, json_of(one.in(laptop)), one.given});
  return all;
}

MachineUncertainty task_uncertainty() { return {"tasks", false, R"("drawn")", &MachineGiven::tasks}; }

}  // namespace loopsim
