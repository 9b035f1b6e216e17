// The named machines. Sources of the figures: docs/machine-presets.md.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

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

// The costs of Node itself, which differ less between machines than between versions.
MachineSpec make(std::string name, std::uint32_t cores, const Duration& wakeup) {
  MachineSpec machine;
  machine.name = std::move(name);
  machine.cores = cores;
  machine.startup = lognormal(60 * kMicrosecond, 0.15);
  machine.wakeup = wakeup;
  machine.overhead = {.callback = fixed(200),
                      .cold = fixed(0),
                      .socket = fixed(0),
                      .task = fixed(36),
                      .turn = fixed(530),
                      .poll = fixed(300),
                      .timer = fixed(90),
                      .log = fixed(4 * kMicrosecond),
                      .first_log = lognormal(2200 * kMicrosecond, 0.1),
                      .submit = fixed(18 * kMicrosecond),
                      .clock = fixed(0),
                      .syscall = fixed(900),
                      .jumps = fixed(1'300),
                      .request = lognormal(40 * kMicrosecond, 0.2)};
  machine.clock_phase = anywhere_in_a_millisecond();
  return machine;
}

// As tools/calibrate found it: docs/machine-presets.md, "A calibration".
MachineSpec make_vm() {
  MachineSpec machine = make("vm", 2, lognormal(27 * kMicrosecond, 0.06));
  machine.startup = lognormal(58'300, 0.16);
  machine.idle_states = {{1'410 * kMicrosecond, lognormal(70'600, 0.76)},
                         {2'830 * kMicrosecond, lognormal(120 * kMicrosecond, 0.1)},
                         {90'500 * kMicrosecond, lognormal(192 * kMicrosecond, 0.11)}};
  machine.timer_slack = fixed(50 * kMicrosecond);
  OverheadSpec& overhead = machine.overhead;
  overhead.callback = fixed(212);
  overhead.cold = lognormal(101 * kMicrosecond, 0.42);
  overhead.socket = fixed(79'600);
  overhead.task = fixed(45);
  overhead.turn = fixed(692);
  overhead.poll = fixed(283);
  overhead.timer = fixed(94);
  overhead.log = fixed(4'660);
  overhead.first_log = lognormal(3'480 * kMicrosecond, 0.07);
  overhead.submit = fixed(3'190);
  overhead.request = lognormal(73'200, 0.37);
  overhead.syscall = fixed(900);
  overhead.jumps = fixed(922);
  machine.scheduler.policy = SchedulerSpec::Policy::eevdf;
  machine.scheduler.base_slice = 1'400 * kMicrosecond;
  machine.scheduler.newidle_ppm = 0;
  return machine;
}

std::array<MachineSpec, 6> make_presets() {
  const MachineSpec vm = make_vm();
  MachineSpec container = vm;
  container.name = "container";
  container.quota = {.quota = 50 * kMillisecond, .period = 100 * kMillisecond};

  MachineSpec busy = vm;
  busy.name = "busy";
  busy.load.kind = LoadSpec::Kind::bursts;
  busy.load.policy = LoadSpec::Policy::fair;  // the scheduler lets everybody run
  busy.load.busy.kind = busy.load.idle.kind = Duration::Kind::exponential;
  busy.load.busy.a = busy.load.idle.a = 3 * kMillisecond;

  return {MachineSpec{},
          make("laptop", 8, lognormal(100 * kMicrosecond, 0.5)),
          make("server", 16, lognormal(50 * kMicrosecond, 0.4)),
          container,
          busy,
          vm};
}

struct Note {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<Note, 6> kNotes = {{
    {"ideal", "only what the scenario states takes time (the default)"},
    {"laptop", "cores that sleep deeply: wake-up estimated from the kernel's figures, the other costs measured"},
    {"server",
     "cores that sleep lightly: wake-up estimated from schbench and the kernel's figures, the other costs "
     "measured"},
    {"container",
     "the machine \"vm\", of which a container may use half a core, as Kubernetes limits it: 50ms in every 100ms"},
    {"busy",
     "the machine \"vm\" with another program on each core, which wants it half of the time, about 3ms each time"},
    {"vm",
     "a virtual machine under Linux 6.18 (EEVDF), without other programs; measured, and validated with real Node"},
}};

bool is_nothing(const Duration& duration) { return duration.kind == Duration::Kind::fixed && duration.a == 0; }

}  // namespace

std::span<const MachineSpec> machine_presets() {
  static const std::array<MachineSpec, 6> presets = make_presets();
  return presets;
}

std::string_view machine_note(std::string_view name) {
  const auto note = std::ranges::find(kNotes, name, &Note::name);
  return note == kNotes.end() ? std::string_view() : note->text;
}

bool costs_nothing(const MachineSpec& machine) {
  const OverheadSpec& overhead = machine.overhead;
  return machine.cores == 0 && machine.speed_ppm == 1'000'000 && is_nothing(machine.startup) &&
         is_nothing(machine.wakeup) && is_nothing(overhead.callback) && is_nothing(overhead.cold) &&
         is_nothing(overhead.socket) && is_nothing(overhead.task) && is_nothing(overhead.turn) &&
         is_nothing(overhead.poll) && is_nothing(overhead.timer) && is_nothing(overhead.log) &&
         is_nothing(overhead.first_log) && is_nothing(overhead.submit) && is_nothing(overhead.request) &&
         is_nothing(overhead.jumps) && is_nothing(overhead.syscall) && machine.load.kind == LoadSpec::Kind::none &&
         machine.quota.quota == 0 && is_nothing(machine.timer_slack) && machine.idle_states.empty() &&
         machine.gc.allocation == 0 && machine.warm_up.calls == 0 && !machine.steal.is_there() &&
         machine.stalls.empty() && machine.clock_phase.kind == Duration::Kind::fixed;
}

}  // namespace loopsim
