// SystemC's kernel. Each timer is an event, and a method process that is sensitive to it and notifies it again: no thread processes,
// which switch stacks, and no next_trigger(), which sets the sensitivity anew each time (w1 6 % slower, w2 11 %). A million processes
// are nothing to write, though, nor fast: many timers are one process at an sc_event_queue, 1.9 times as fast among a million, and
// 12 % slower among a thousand. A chain notifies for the next delta cycle: an immediate notification cannot wake its own process.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <cstdlib>
#include <deque>
#include <systemc>

#include "workload.hpp"

namespace {

constexpr std::uint64_t kMostProcesses = 10'000;

Workload work;
Delays delays;
std::uint64_t callbacks = 0;
sc_dt::uint64 millisecond = 0;  // in units of the kernel's resolution

sc_core::sc_time next_delay() {
  return work.chain ? sc_core::SC_ZERO_TIME : sc_core::sc_time::from_value(millisecond * delays.next_ms());
}

// `Source` is an sc_event or an sc_event_queue.
template <typename Source>
void again(Source& source) {
  if (++callbacks >= work.callbacks) return sc_core::sc_stop();
  source.notify(next_delay());
}

template <typename Source>
void spawn_process(Source& source) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&source);
  sc_core::sc_spawn([&source] { again(source); }, nullptr, &options);
}

void simulate_events() {
  std::deque<sc_core::sc_event> events(work.pending);
  for (sc_core::sc_event& event : events) {
    spawn_process(event);
    event.notify(next_delay());
  }
  sc_core::sc_start();
}

void simulate_queue() {
  sc_core::sc_event_queue queue("queue");
  spawn_process(queue);
  for (std::uint64_t i = 0; i < work.pending; ++i) queue.notify(next_delay());
  sc_core::sc_start();
}

}  // namespace

int sc_main(int count, char** words) {
  work = read_workload(count, words);
  millisecond = sc_core::sc_time(1, sc_core::SC_MS).value();
  sc_core::sc_set_stop_mode(sc_core::SC_STOP_IMMEDIATE);
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);  // that it was stopped
  if (work.pending <= kMostProcesses)
    simulate_events();
  else
    simulate_queue();
  return report(callbacks);
}

// In place of SystemC's own, which would print its copyright.
int main(int count, char** words) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(count, words);
}
