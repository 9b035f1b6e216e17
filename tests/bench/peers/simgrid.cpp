// SimGrid's kernel timers: its cheapest events (an actor that sleeps also costs a context switch).
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include "workload.hpp"

namespace {

Workload work;
Delays delays;
std::uint64_t callbacks = 0;

void put_in() {
  const double delay = work.chain ? 0 : static_cast<double>(delays.next_ms()) / 1000;
  simgrid::kernel::timer::Timer::set(simgrid::s4u::Engine::get_clock() + delay, [] {
    if (++callbacks + work.pending <= work.callbacks) put_in();
  });
}

}  // namespace

int main(int count, char** words) {
  work = read_workload(count, words);
  simgrid::s4u::Engine engine(&count, words);
  auto* zone = simgrid::s4u::create_full_zone("zone");
  zone->create_host("host", 1e9);
  zone->seal();
  for (std::uint64_t i = 0; i < work.pending; ++i) put_in();
  engine.run();
  return report(callbacks);
}
