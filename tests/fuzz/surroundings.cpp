#include "tests/fuzz/surroundings.hpp"

#include <array>
#include <string>

#include "loopsim/profile.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/verbs.hpp"

namespace loopsim::fuzz {
namespace {

constexpr int kFirstWithModules = 12;
constexpr int kFirstWithDelayMonitor = 11;

constexpr std::array kTimes = {"1ms", "0ms", "2ms", "3ms", "0.5ms", "5ms", "10ms", "1000001ns", "50ms"};
constexpr std::array kPeriods = {"1ms", "2ms", "5ms", "10ms", "0.3ms", "100ms"};
constexpr std::array kSeeds = {0ULL, 1ULL, 7ULL, 18446744073709551615ULL};

}  // namespace

Runtime Surroundings::runtime() {
  const Profile& profile = profiles()[profiles().size() - 1 - choices_.below(profiles().size())];
  Runtime made{.json = profile.name, .major = profile.major};
  if (!choices_.half()) return made;
  made.json = Json{{"profile", profile.name}};
  if (choices_.half()) made.json["threadpool"] = 1 + choices_.below(5);
  if (profile.major >= kFirstWithModules && choices_.half()) {
    made.is_module = choices_.mostly();
    made.json["entry"] = made.is_module ? "module" : "commonjs";
  }
  if (profile.major >= kFirstWithDelayMonitor && choices_.one_in(4))
    made.json["monitorEventLoopDelay"] = 1 + choices_.below(10);
  return made;
}

Json Surroundings::seed() { return choices_.of(kSeeds); }

Json Surroundings::limits() {
  constexpr std::array kLimitTimes = {"1s", "20s", "100ms", "7ms", "1ms"};
  constexpr std::array kCounts = {400, 200, 50, 5, 1};
  Json limits = {{"time", choices_.of(kLimitTimes)}, {"callbacks", kCounts[0]}, {"steps", 5000}};
  if (choices_.one_in(8)) limits["callbacks"] = choices_.of(kCounts);
  if (choices_.one_in(8)) limits["steps"] = choices_.of(kCounts);
  if (choices_.one_in(8)) limits["queue"] = choices_.of(kCounts);
  if (choices_.one_in(8)) limits["depth"] = choices_.of(kCounts);
  return limits;
}

// ---- the machine ---------------------------------------------------------------------------------------------------

Json Surroundings::machine() {
  if (!choices_.half()) return nullptr;
  if (choices_.one_in(4)) return choices_.of(machine_presets()).name;
  Json made = Json::object();
  if (choices_.one_in(4)) made["preset"] = choices_.of(machine_presets()).name;
  if (choices_.half()) made["cores"] = 1 + choices_.below(4);
  if (choices_.one_in(3)) made["speed"] = choices_.half() ? 0.5 : 3.0;
  if (choices_.one_in(3)) made["startup"] = values_.duration();
  if (choices_.one_in(3)) made["wakeup"] = values_.duration();
  if (choices_.half()) {
    for (const char* const what :
         {"callback", "task", "turn", "poll", "timer", "log", "firstLog", "submit", "request"}) {
      if (choices_.half()) made["overhead"][what] = values_.duration();
    }
  }
  if (choices_.one_in(3)) made["load"] = load();
  const bool has_policy = made.contains("load") && made["load"].is_object() && made["load"].contains("policy");
  if (!has_policy && choices_.one_in(3)) made["scheduler"] = scheduler(made);
  if (choices_.one_in(3)) made["quota"] = choices_.half() ? Json(0.5) : Json{{"quota", "1ms"}, {"period", "10ms"}};
  if (choices_.one_in(3)) made["stalls"] = stalls();
  if (choices_.one_in(3)) made["clock"] = choices_.half() ? Json("0.9ms") : Json{{"uniform", {"0ms", "2ms"}}};
  return made;
}

Json Surroundings::load() {
  if (choices_.one_in(3)) return 0.4;
  Json made = choices_.half() ? Json{{"share", choices_.half() ? 0.9 : 0.1}} : periodic_load();
  if (made.contains("share") && choices_.half()) made["burst"] = choices_.of(kPeriods);
  if (choices_.half()) made["threads"] = 1 + choices_.below(5);
  if (choices_.half()) made["policy"] = choices_.half() ? "fair" : "preempt";
  return made;
}

// Some keys beside it belong to it.
Json Surroundings::scheduler(Json& machine) {
  const char* const policy = choices_.half() ? "cfs" : "eevdf";
  if (choices_.one_in(3)) machine["nice"] = static_cast<int>(choices_.below(40)) - 20;
  if (choices_.one_in(3)) machine["weight"] = 1 + choices_.below(1000);
  if (machine.contains("load") && machine["load"].is_object()) {
    if (choices_.half()) machine["load"]["nice"] = static_cast<int>(choices_.below(40)) - 20;
    if (choices_.half()) machine["load"]["weight"] = 1 + choices_.below(1000);
  }
  if (choices_.half()) return policy;
  Json made = {{"policy", policy}};
  if (choices_.half()) made["tick"] = choices_.half() ? "1ms" : "0.1ms";
  if (choices_.half()) made["phase"] = "0ms";
  if (choices_.half()) made["bandwidthSlice"] = "0.3ms";
  return made;
}

Json Surroundings::periodic_load() {
  if (choices_.half()) return {{"busy", values_.duration()}, {"idle", values_.duration()}};
  Json made = {{"busy", "0.2ms"}, {"every", choices_.of(kPeriods)}};
  if (choices_.half()) made["offset"] = choices_.of(kTimes);
  return made;
}

Json Surroundings::stalls() {
  Json made = Json::array();
  for (std::size_t count = 1 + choices_.below(3), at = 0; count > 0; --count) {
    const std::size_t length = 1 + choices_.below(20);
    at += choices_.below(10);
    made.push_back({{"at", std::to_string(at) + "ms"}, {"for", std::to_string(length) + "ms"}});
    at += length;
  }
  return made;
}

// ---- inputs from outside -------------------------------------------------------------------------------------------

Json Surroundings::inputs() {
  Json made = Json::array();
  if (!choices_.half()) return made;
  for (std::size_t count = choices_.below(4); count > 0; --count) {
    if (choices_.half()) {
      made.push_back(signal());
    } else {
      add_client(made);
    }
  }
  return made;
}

Json Surroundings::signal() {
  Json made = {{"signal", choices_.of(signals()).name}};
  made.update(choices_.half() ? arrivals(false) : Json{{"at", choices_.of(kTimes)}});
  return made;
}

// The times of a repeated input.
Json Surroundings::arrivals(bool of_clients) {
  Json made;
  switch (choices_.below(of_clients ? 4 : 3)) {
    case 0: made = {{"at", {"1ms", "1ms", "4ms"}}}; break;
    case 1: made = {{"every", choices_.half() ? values_.duration() : Json("2ms")}}; break;
    case 2: made = {{"poisson", choices_.half() ? 1000 : 50}}; break;
    default: made = {{"clients", 1 + choices_.below(4)}, {"think", values_.duration()}}; break;
  }
  // The reader rejects a fixed gap of 0.
  if (made.contains("every") && made["every"] == "0ms") made["every"] = "3ms";
  if (!made.contains("at") && !made.contains("clients") && choices_.half())
    made["bursts"] = {{"on", values_.duration()}, {"off", values_.duration()}};
  if (choices_.half()) made["from"] = choices_.of(kTimes);
  if (choices_.half()) made["until"] = "30ms";
  if (choices_.mostly()) made["count"] = 1 + choices_.below(6);
  return made;
}

void Surroundings::add_client(Json& inputs) {
  Json client = {{"connect", 8081 + choices_.below(2)}};
  if (choices_.half()) {
    client.update(arrivals(true));
    if (choices_.half()) client["data"] = "GET /";
    if (choices_.half()) client["end"] = choices_.half();
    inputs.push_back(std::move(client));
    return;
  }
  const std::string name = "client" + std::to_string(inputs.size());
  client["as"] = name;
  client["at"] = choices_.of(kTimes);
  inputs.push_back(std::move(client));
  if (choices_.mostly()) inputs.push_back({{"write", name}, {"data", "hello"}, {"at", "60ms"}});
  if (choices_.half()) inputs.push_back({{choices_.half() ? "end" : "destroy", name}, {"at", "61ms"}});
}

}  // namespace loopsim::fuzz
