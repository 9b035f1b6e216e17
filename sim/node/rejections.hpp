// Unhandled rejections, and rejections handled too late (lib/internal/process/promises.js).
//
// The engine reports a promise that is rejected without a handler, and one that gets its first handler later; the task
// queue requests the reports to the program after it has drained the microtasks.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/machine/ring_queue.hpp"
#include "sim/node/context.hpp"

namespace loopsim::node {

class Rejections : public Part {
 public:
  using Part::Part;

  void track(std::uint32_t promise);          // PromiseRejectWithNoHandler
  void track_handled(std::uint32_t promise);  // PromiseHandlerAddedAfterReject
  // processPromiseRejections(). `more`: something may have been queued. Flow::threw: the engine holds the exception.
  Flow process(bool& more);
  Flow process_handled(std::uint32_t promise);

 private:
  // State of a promise (pendingUnhandledRejections, maybeUnhandledPromises), by its number.
  enum class State : std::uint8_t { pending, in_batch, warned };
  struct Entry {
    State state = State::pending;
    std::size_t position = 0;  // pending: among pending_
  };
  Flow process_batch(bool& more);
  Flow process_one(std::uint32_t promise);
  Flow warn(const Engine::PromiseInfo& info, const std::string& text);
  Flow raise(const Value& reason, const std::string& text);

  std::unordered_map<std::uint64_t, Entry> known_;  // lookup only, never iterated
  // Promises, each holding a reference; one that was handled meanwhile has no index.
  using Name = Slab<PromiseObject>::Name;
  std::vector<Name> pending_;
  RingQueue<Name> handled_;  // asyncHandledRejections
};

}  // namespace loopsim::node
