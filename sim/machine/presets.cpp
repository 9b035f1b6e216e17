// The machines that have a name. docs/machine.md says where each figure comes from.
#include <array>

#include "loopsim/scenario.hpp"

namespace loopsim {

namespace {

Duration fixed(TimeNs time) {
  Duration duration;
  duration.a = time;
  return duration;
}

Duration lognormal(TimeNs median, double sigma) {
  Duration duration;
  duration.kind = Duration::Kind::lognormal;
  duration.a = median;
  duration.shape = sigma;
  return duration;
}

Duration anywhere_in_a_millisecond() {
  Duration duration;
  duration.kind = Duration::Kind::uniform;
  duration.b = kMillisecond;
  return duration;
}

MachineSpec make_laptop() {
  MachineSpec machine;
  machine.name = "laptop";
  machine.cores = 8;
  machine.startup = lognormal(800 * kMicrosecond, 0.3);
  machine.wakeup = lognormal(60 * kMicrosecond, 0.5);
  machine.overhead = {fixed(1500), fixed(150), fixed(1000), fixed(1500), fixed(300)};
  machine.clock_phase = anywhere_in_a_millisecond();
  return machine;
}

std::array<MachineSpec, 5> make_presets() {
  MachineSpec server = make_laptop();
  server.name = "server";
  server.cores = 16;
  server.wakeup = lognormal(50 * kMicrosecond, 0.4);

  MachineSpec container = server;
  container.name = "container";
  container.cores = 16;
  container.quota = {50 * kMillisecond, 100 * kMillisecond};

  MachineSpec busy = make_laptop();
  busy.name = "busy";
  busy.cores = 2;
  busy.load.kind = LoadSpec::Kind::bursts;
  busy.load.busy.kind = busy.load.idle.kind = Duration::Kind::exponential;
  busy.load.busy.a = 5 * kMillisecond;
  busy.load.idle.a = 5 * kMillisecond;
  return {MachineSpec{}, make_laptop(), server, container, busy};
}

bool is_nothing(const Duration& duration) { return duration.kind == Duration::Kind::fixed && duration.a == 0; }

}  // namespace

std::span<const MachineSpec> machine_presets() {
  static const std::array<MachineSpec, 5> presets = make_presets();
  return presets;
}

bool costs_nothing(const MachineSpec& machine) {
  const OverheadSpec& overhead = machine.overhead;
  return machine.cores == 0 && machine.speed_ppm == 1'000'000 && is_nothing(machine.startup) &&
         is_nothing(machine.wakeup) && is_nothing(overhead.callback) && is_nothing(overhead.task) &&
         is_nothing(overhead.turn) && is_nothing(overhead.poll) && is_nothing(overhead.timer) &&
         machine.load.kind == LoadSpec::Kind::none && machine.quota.quota == 0 && machine.stalls.empty() &&
         machine.clock_phase.kind == Duration::Kind::fixed;
}

}  // namespace loopsim
