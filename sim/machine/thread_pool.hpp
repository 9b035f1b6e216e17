// libuv's thread pool on the simulated machine (libuv src/threadpool.c).
//
// N threads take work from one queue in order of submission. Slow work (DNS lookups) has its own queue, represented by
// a marker in the main queue; at most (N + 1) / 2 threads run slow work at a time, so that hanging lookups cannot block
// the file system. Finished work is kept, in order, until the loop's poll collects it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "loopsim/assert.hpp"

#include "sim/machine/machine.hpp"
#include "sim/machine/ring_queue.hpp"

namespace loopsim {

struct WorkRequest {
  std::uint32_t request = 0;  // the submitter's number
  TimeNs duration = 0;
  bool needs_cpu = false;   // crypto, zlib: takes longer while the thread has no core
  bool slow = false;        // DNS lookups
  std::uint64_t order = 0;  // submission number, breaks ties
};

inline constexpr std::uint32_t kNoThread = 0xffffffffU;

struct FinishedWork {
  std::uint32_t request = 0;
  TimeNs started = 0;  // -1: never
  TimeNs finished = 0;
  std::uint32_t thread = 0;  // kNoThread: cancelled
};

class ThreadPool {
 public:
  ThreadPool(Machine& machine, std::uint32_t threads, bool slow_limit)
      : machine_(machine), workers_(threads), slow_limit_(slow_limit ? (threads + 1) / 2 : 0) {
    machine.set_worker_host(
        {this, [](void* self, std::uint32_t thread) { return static_cast<ThreadPool*>(self)->on_end(thread); }});
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Called when a thread starts a request and when it finishes it. Null: none.
  using Observer = void (*)(void* self, const WorkRequest& work, std::uint32_t thread, bool begins);
  void observe(void* self, Observer observer) {
    observer_self_ = self;
    observer_ = observer;
  }

  // Submits work at the machine's current time.
  void submit(const WorkRequest& work) {
    if (work.slow && slow_limit_ != 0) {
      slow_.push_back(work);
      if (!marker_queued_) {
        marker_queued_ = true;
        queue_.push_back(kMarker);
      }
    } else {
      queue_.push_back(work);
    }
    dispatch();
  }

  // Takes work that no thread has begun out of the queue (uv__work_cancel): it counts as finished. False: it has begun.
  bool cancel(std::uint32_t request) {
    for (std::deque<WorkRequest>* const queue : {&queue_, &slow_}) {
      const auto found =
          std::find_if(queue->begin(), queue->end(), [&](const WorkRequest& work) { return work.request == request; });
      if (found == queue->end()) continue;
      queue->erase(found);
      finished_.push({request, -1, machine_.now(), kNoThread});
      return true;
    }
    return false;
  }

  // The loop collects finished work; `data` is that of the worker_done event.
  void collect(std::uint32_t data) {
    LOOPSIM_ASSERT(data < done_.size());
    finished_.push(done_[data]);
    free_.push_back(data);
  }

  [[nodiscard]] RingQueue<FinishedWork>& finished() { return finished_; }

 private:
  struct Worker {
    bool busy = false;
    TimeNs started = 0;
    WorkRequest work;
  };
  static constexpr std::uint32_t kMarkerRequest = 0xffffffffU;
  static inline const WorkRequest kMarker{kMarkerRequest, 0, false, false, 0};

  // The thread has finished at the current time; it takes the next piece of work at once.
  std::uint32_t on_end(std::uint32_t thread) {
    LOOPSIM_ASSERT(thread < workers_.size() && workers_[thread].busy);
    Worker& worker = workers_[thread];
    worker.busy = false;
    if (worker.work.slow && slow_limit_ != 0) --slow_running_;
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(done_.size()));
      done_.emplace_back();
    }
    const std::uint32_t data = free_.back();
    free_.pop_back();
    if (observer_ != nullptr) observer_(observer_self_, worker.work, thread, false);
    done_[data] = {worker.work.request, worker.started, machine_.now(), thread};
    dispatch();
    return data;
  }

  // Every idle thread takes work, as worker() in threadpool.c does.
  void dispatch() {
    for (std::uint32_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i].busy) continue;
      WorkRequest work;
      if (!take(work)) return;
      start(i, work);
    }
  }

  // Takes the next piece of work that may run now; false if there is none.
  bool take(WorkRequest& work) {
    for (;;) {
      if (queue_.empty()) return false;
      bool only_marker = queue_.size() == 1 && queue_.front().request == kMarkerRequest;
      if (only_marker && slow_running_ >= slow_limit_) return false;
      work = queue_.front();
      queue_.pop_front();
      if (work.request != kMarkerRequest) return true;
      if (slow_running_ >= slow_limit_) {
        queue_.push_back(kMarker);  // behind all other work
        continue;
      }
      marker_queued_ = false;
      if (slow_.empty()) continue;
      ++slow_running_;
      work = slow_.front();
      slow_.pop_front();
      if (!slow_.empty()) {
        marker_queued_ = true;
        queue_.push_back(kMarker);
      }
      return true;
    }
  }

  void start(std::uint32_t thread, const WorkRequest& work) {
    LOOPSIM_ASSERT(thread < workers_.size() && !workers_[thread].busy);
    Worker& worker = workers_[thread];
    worker.busy = true;
    worker.work = work;
    worker.started = machine_.now();
    if (observer_ != nullptr) observer_(observer_self_, work, thread, true);
    machine_.start_worker(thread, work.duration, work.needs_cpu, work.order);
  }

  Machine& machine_;
  void* observer_self_ = nullptr;
  Observer observer_ = nullptr;
  std::vector<Worker> workers_;
  const std::uint32_t slow_limit_;  // 0: no limit, slow work is queued like any other
  std::uint32_t slow_running_ = 0;
  std::deque<WorkRequest> queue_;
  std::deque<WorkRequest> slow_;
  bool marker_queued_ = false;
  std::vector<FinishedWork> done_;   // not yet collected by the loop
  std::vector<std::uint32_t> free_;  // free slots of done_
  RingQueue<FinishedWork> finished_;
};

}  // namespace loopsim
