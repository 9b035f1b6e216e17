// What the HTML standard and the machine leave open of a page's order, drawn from a stream of its own (MachineSpec::tasks).
//
// The figures are no measurements. They are wide enough that each order that is open comes up in some of a thousand runs.
#pragma once

#include <algorithm>
#include <cstddef>

#include "loopsim/scenario.hpp"
#include "loopsim/time.hpp"

#include "sim/machine/random.hpp"

namespace loopsim::browser {

class OpenChoices {
 public:
  OpenChoices(const MachineSpec& machine, std::uint64_t seed)
      : is_drawn_(machine.tasks == TaskChoice::drawn), stream_(seed, static_cast<std::uint32_t>(MachineStream::tasks)) {
    if (!is_drawn_ || chance(0.5)) return;
    slack_from_ = up_to(100 * kMillisecond);
    slack_ = up_to(2 * kMillisecond);
  }

  // False: nothing is open, and nothing is drawn.
  [[nodiscard]] bool is_drawn() const { return is_drawn_; }
  bool chance(double share) { return stream_.uniform() < share; }
  std::size_t one_of(std::size_t count) {
    return std::min(static_cast<std::size_t>(stream_.uniform() * static_cast<double>(count)), count - 1);
  }
  TimeNs up_to(TimeNs most) { return static_cast<TimeNs>(stream_.uniform() * static_cast<double>(most)); }

  // How much later than it could be something is ready: mostly not, or a little.
  TimeNs lateness() {
    constexpr TimeNs kLittle = kMillisecond, kMuch = 10 * kMillisecond, kMost = 60 * kMillisecond;
    if (chance(0.5)) return 0;
    return up_to(chance(0.6) ? kLittle : chance(0.8) ? kMuch : kMost);
  }
  // What comes from another process.
  TimeNs lateness_from_afar() { return chance(0.3) ? 0 : up_to((chance(0.6) ? 10 : 60) * kMillisecond); }
  // By how much what waits for this delay may be overtaken by what is due later. It never shrinks with the delay: so a timer stays behind
  // those that were set before it with a delay that is not greater.
  [[nodiscard]] TimeNs slack(TimeNs delay) const { return delay >= slack_from_ ? slack_ : 0; }
  // After how much time a browser finds that it is idle: Firefox after 50 ms and more.
  TimeNs until_idle() { return chance(0.5) ? 0 : up_to(60 * kMillisecond); }
  // Of the browser's own, before the next task.
  bool has_other_work() { return chance(0.08); }
  TimeNs other_work() { return up_to(20 * kMillisecond); }
  // Opportunities that the display, or the browser, lets pass.
  TimeNs frames_passed() { return chance(0.75) ? 0 : 1 + static_cast<TimeNs>(one_of(2)); }

 private:
  bool is_drawn_;
  RandomStream stream_;
  TimeNs slack_from_ = 0, slack_ = 0;
};

}  // namespace loopsim::browser
