// What varies on a real machine where a document leaves it open.
#include <array>

#include "loopsim/scenario.hpp"

namespace loopsim {

namespace {

// A key and the place of its duration. The values are those of the machine `laptop` (presets.cpp); a test compares.
constexpr std::array kUncertainties = {
    MachineUncertainty{"startup", false, R"({"lognormal":["60us",0.15]})", &MachineGiven::startup},
    MachineUncertainty{"wakeup", false, R"({"lognormal":["100us",0.5]})", &MachineGiven::wakeup},
    MachineUncertainty{"clock", false, R"({"uniform":["0ms","1ms"]})", &MachineGiven::clock},
    MachineUncertainty{"callback", true, R"("200ns")", &MachineGiven::callback},
    MachineUncertainty{"task", true, R"("36ns")", &MachineGiven::task},
    MachineUncertainty{"turn", true, R"("530ns")", &MachineGiven::turn},
    MachineUncertainty{"poll", true, R"("300ns")", &MachineGiven::poll},
    MachineUncertainty{"timer", true, R"("90ns")", &MachineGiven::timer},
    MachineUncertainty{"log", true, R"("4us")", &MachineGiven::log},
    MachineUncertainty{"firstLog", true, R"({"lognormal":["2.2ms",0.1]})", &MachineGiven::first_log},
    MachineUncertainty{"request", true, R"({"lognormal":["57us",0.2]})", &MachineGiven::request},
};

const MachineSpec& laptop() {
  for (const MachineSpec& preset : machine_presets())
    if (preset.name == kVariedMachine) return preset;
  return machine_presets().front();
}

}  // namespace

std::span<const MachineUncertainty> machine_uncertainties() { return kUncertainties; }

bool leaves_machine_open(const MachineGiven& given) {
  if (given.preset) return false;
  for (const MachineUncertainty& one : kUncertainties)
    if (!(given.*one.given)) return true;
  return false;
}

MachineSpec varied_machine(const MachineSpec& machine, const MachineGiven& given) {
  if (given.preset) return machine;
  const MachineSpec& real = laptop();
  MachineSpec varied = machine;
  const auto open = [](bool is_given, Duration& duration, const Duration& value) {
    if (!is_given) duration = value;
  };
  open(given.startup, varied.startup, real.startup);
  open(given.wakeup, varied.wakeup, real.wakeup);
  open(given.clock, varied.clock_phase, real.clock_phase);
  OverheadSpec& overhead = varied.overhead;
  open(given.callback, overhead.callback, real.overhead.callback);
  open(given.task, overhead.task, real.overhead.task);
  open(given.turn, overhead.turn, real.overhead.turn);
  open(given.poll, overhead.poll, real.overhead.poll);
  open(given.timer, overhead.timer, real.overhead.timer);
  open(given.log, overhead.log, real.overhead.log);
  open(given.first_log, overhead.first_log, real.overhead.first_log);
  open(given.request, overhead.request, real.overhead.request);
  return varied;
}

}  // namespace loopsim
