// Differences between browsers, as data. Sources per field: docs/browser.md.
#pragma once

#include <cstdint>

#include "loopsim/time.hpp"

namespace loopsim {

// When the next round of setInterval() is due.
enum class IntervalGrid : std::uint8_t {
  from_due,   // Chrome: the delay after the round before was due, or the next time of that grid
  from_call,  // Firefox: the delay after its callback was called
};

// When a task that waits for its time takes its place among those that are ready.
enum class DelayedTasks : std::uint8_t {
  when_due,  // Firefox: at its time, also while a callback runs
  when_asked  // Chrome: when the thread looks for its next task; so what a long callback has queued comes first (Chromium,
              // base/task/sequence_manager, TaskQueueImpl::MoveReadyDelayedTasksToWorkQueue)
};

struct BrowserProfile {
  // The least delay of setTimeout(): 1 ms up to Chrome 100, none since (Blink, DOMTimer).
  TimeMs least_timeout = 0;
  // The nesting level above which a delay is at least 4 ms: 5 as in HTML (timer initialisation steps), 3 in Firefox.
  std::uint8_t unclamped_levels = 5;
  IntervalGrid interval_grid = IntervalGrid::from_due;
  DelayedTasks delayed_tasks = DelayedTasks::when_asked;
  // A delay of at least this many ms is flexible: its task may come up to `leeway` later, if the thread wakes up then for
  // another (Chromium, base/task/sequence_manager, TaskQueueImpl::DelayedIncomingQueue). 0: none is.
  TimeMs flexible_from = 0;
  TimeMs leeway = 0;
  bool await_wraps = false;  // Chrome 72: await wraps its value in a new promise, which costs two more microtasks
};

}  // namespace loopsim
