// ns-3's simulator with the scheduler that NS3_SCHEDULER names: Map, Heap, Calendar, PriorityQueue (the runner takes the fastest).
#include <cstdlib>
#include <string>

#include <ns3/core-module.h>

#include "workload.hpp"

namespace {

Workload work;
Delays delays;
std::uint64_t callbacks = 0;

void again() {
  if (++callbacks >= work.callbacks) return ns3::Simulator::Stop();
  if (work.chain)
    ns3::Simulator::ScheduleNow(&again);
  else
    ns3::Simulator::Schedule(ns3::MilliSeconds(static_cast<std::uint64_t>(delays.next_ms())), &again);
}

}  // namespace

int main(int count, char** words) {
  work = read_workload(count, words);
  const char* name = std::getenv("NS3_SCHEDULER");
  ns3::ObjectFactory scheduler;
  scheduler.SetTypeId("ns3::" + std::string(name != nullptr ? name : "Map") + "Scheduler");
  ns3::Simulator::SetScheduler(scheduler);
  for (std::uint64_t i = 0; i < work.pending; ++i)
    ns3::Simulator::Schedule(ns3::MilliSeconds(static_cast<std::uint64_t>(work.chain ? 0 : delays.next_ms())), &again);
  ns3::Simulator::Run();
  ns3::Simulator::Destroy();
  return report(callbacks);
}
