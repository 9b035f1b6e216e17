// Traits of the callbacks of an Api: where they wait, and what calls them. Shared by the engine, the writers, the
// explanations and the studies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "loopsim/trace.hpp"

namespace loopsim {

// Where a callback waits until it runs.
enum class WaitsIn : std::uint8_t {
  nothing,     // called by running code: a listener, the main script
  timers,      // a list of timers
  immediates,  // the queue of the check phase
  ticks,       // process.nextTick's queue
  microtasks,  // V8's queue; a reaction waits with its promise until that settles
  requests,    // the thread pool, or the network
  streams,     // a stream's buffer: the callbacks of write() and end()
  handles,     // an active idle, prepare or check handle of libuv
  loop,        // what the loop calls when something has happened: callbacks of libuv's async, signal, stream handles ...
  tasks,       // a browser's tasks
  frames,      // what the next frame calls
  idles,       // what the next idle period calls
};

struct ApiTraits {
  WaitsIn waits_in = WaitsIn::nothing;
  bool is_reaction = false;  // of a promise: then(), catch(), finally()
  bool is_listener = false;  // of an event
};

inline constexpr std::array<ApiTraits, kApis> kApiTraits = [] {
  std::array<ApiTraits, kApis> table{};
  const auto at = [&table](Api api) -> ApiTraits& { return table[static_cast<std::size_t>(api)]; };
  for (const Api api : {Api::set_timeout, Api::set_interval, Api::uv_timer}) at(api).waits_in = WaitsIn::timers;
  at(Api::set_immediate).waits_in = WaitsIn::immediates;
  for (const Api api : {Api::uv_idle, Api::uv_prepare, Api::uv_check}) at(api).waits_in = WaitsIn::handles;
  for (const Api api : {Api::uv_async, Api::uv_signal, Api::uv_close, Api::uv_connection, Api::uv_connect, Api::uv_read,
                        Api::uv_write, Api::uv_shutdown, Api::uv_poll, Api::uv_process})
    at(api).waits_in = WaitsIn::loop;
  at(Api::next_tick).waits_in = WaitsIn::ticks;
  for (const Api api : {Api::queue_microtask, Api::await, Api::mutation_observer})
    at(api).waits_in = WaitsIn::microtasks;
  for (const Api api : {Api::then, Api::catch_, Api::finally_}) at(api) = {WaitsIn::microtasks, true, false};
  for (const Api api : {Api::fs, Api::dns, Api::crypto, Api::zlib, Api::uv_work, Api::uv_fs,
                        Api::uv_getaddrinfo})
    at(api).waits_in = WaitsIn::requests;
  for (const Api api : {Api::write, Api::end}) at(api).waits_in = WaitsIn::streams;
  for (const Api api :
       {Api::on, Api::process_event, Api::listen, Api::connect, Api::close, Api::spawn, Api::add_event_listener})
    at(api).is_listener = true;
  for (const Api api : {Api::post_message, Api::post_task, Api::yield_, Api::fetch, Api::history,
                        Api::intersection_observer, Api::abort_timeout, Api::event_task})
    at(api).waits_in = WaitsIn::tasks;
  at(Api::request_animation_frame).waits_in = WaitsIn::frames;
  at(Api::request_idle_callback).waits_in = WaitsIn::idles;
  return table;
}();

[[nodiscard]] constexpr const ApiTraits& traits(Api api) { return kApiTraits[static_cast<std::size_t>(api)]; }

// The queue implied by EventKind::schedule. nullopt: an enqueue event reports it, or it does not wait.
[[nodiscard]] constexpr std::optional<Queue> scheduled_into(Api api) {
  switch (traits(api).waits_in) {
    case WaitsIn::timers: return Queue::timers;
    case WaitsIn::immediates: return Queue::immediates;
    case WaitsIn::ticks: return Queue::ticks;
    case WaitsIn::microtasks:
      return api == Api::queue_microtask || api == Api::mutation_observer ? Queue::microtasks : Queue::promises;
    case WaitsIn::streams: return Queue::writes;
    case WaitsIn::handles:
      return api == Api::uv_idle ? Queue::idle : api == Api::uv_prepare ? Queue::prepare : Queue::check;
    case WaitsIn::tasks: return Queue::delayed_tasks;  // until it is ready
    case WaitsIn::frames: return Queue::frames;
    case WaitsIn::idles: return Queue::idles;
    case WaitsIn::requests:
    case WaitsIn::loop:
    case WaitsIn::nothing: break;
  }
  return std::nullopt;
}

[[nodiscard]] constexpr bool is_timer(Api api) { return traits(api).waits_in == WaitsIn::timers; }
[[nodiscard]] constexpr bool is_request(Api api) { return traits(api).waits_in == WaitsIn::requests; }
[[nodiscard]] constexpr bool is_reaction(Api api) { return traits(api).is_reaction; }
[[nodiscard]] constexpr bool is_listener(Api api) { return traits(api).is_listener; }
[[nodiscard]] constexpr bool is_microtask(Api api) { return traits(api).waits_in == WaitsIn::microtasks; }
// A tick or a microtask, run between the callbacks of the loop.
[[nodiscard]] constexpr bool is_task(Api api) { return is_microtask(api) || traits(api).waits_in == WaitsIn::ticks; }
// Called by the loop only.
[[nodiscard]] constexpr bool is_called_by_loop(Api api) {
  const WaitsIn where = traits(api).waits_in;
  return is_timer(api) || is_request(api) || where == WaitsIn::immediates || where == WaitsIn::handles ||
         where == WaitsIn::loop || where == WaitsIn::tasks || where == WaitsIn::frames || where == WaitsIn::idles;
}

}  // namespace loopsim
