// libuv's event loop (uv_loop_t) on the simulated machine. loop.cpp reads like uv_run.
//
// What the loop calls is given by the host as plain function pointers, as in libuv; the loop knows nothing of JavaScript.
#pragma once

#include <cstdint>
#include <vector>

#include "loopsim/libuv.hpp"

#include "sim/machine/machine.hpp"
#include "sim/machine/thread_pool.hpp"
#include "sim/uv/handle.hpp"
#include "sim/uv/timer_heap.hpp"

namespace loopsim::uv {

enum class RunMode : std::uint8_t { run_default, once, nowait };

// A finished request of the thread pool or the network, as the poll phase delivers it.
struct Completed {
  std::uint32_t request;
  TimeNs ready_at;
  TimeNs started;       // -1: not on a thread
  std::int32_t thread;  // -1: not on a thread
};

inline constexpr int kSigChld = 17;  // on Linux x86-64; libuv's own, for the end of child processes

// What a signal's handler has written into the loop's pipe (uv__signal_msg_t).
struct Signal {
  int number;
  std::uint32_t watcher;  // which of the watchers that the signal has had
  TimeNs at;
};

// What a descriptor is ready for (EPOLLIN, EPOLLOUT, EPOLLHUP).
struct IoEvents {
  static constexpr std::uint8_t in = 1, out = 2, hup = 4;
};

// What the loop calls.
struct Host {
  void* self = nullptr;
  void (*on_completed)(void* self, const Completed& done) = nullptr;  // a request is done (work_cb's after_work_cb)
  // A watched descriptor has something to do; `events` is what epoll has told when poll looked.
  void (*on_io)(void* self, std::uint32_t data, std::uint8_t events) = nullptr;
  std::uint8_t (*watched_for)(void* self, std::uint32_t data) = nullptr;  // IoEvents, of uv__io_start; 0: nothing
  std::uint8_t (*state)(void* self, std::uint32_t data) = nullptr;        // IoEvents that a descriptor is ready for
  void (*on_outside)(void* self, const FutureEvent& event) = nullptr;     // outside or child_ends: it happens
  void (*on_signal)(void* self, const Signal& signal) = nullptr;
  void (*on_first_wake)(void* self) = nullptr;                   // the task that woke the first poll (wake_first_poll)
  void (*on_pending)(void* self, std::uint32_t data) = nullptr;  // an entry of the pending queue
  void (*on_close)(void* self, std::uint32_t data) = nullptr;    // a close callback
  void (*on_timer_closed)(void* self, Timer& timer) = nullptr;   // a closed timer may go away now
  void (*pay)(void* self, Cost cost) = nullptr;                  // the thread computes for the runtime itself
  bool (*stopping)(void* self) = nullptr;                        // the process is ending: leave as soon as possible
  // For the trace: the callback that a timer stands for, or 0; the name of a descriptor's owner; and that a request was found done.
  std::uint64_t (*timer_id)(void* self, const Timer& timer) = nullptr;
  std::uint32_t (*name_of)(void* self, std::uint32_t data) = nullptr;
  void (*trace_ready)(void* self, std::uint32_t request) = nullptr;
};

class Loop {
 public:
  Loop(const LibuvProfile& profile, Machine& machine, ThreadPool& pool, Position& position, Tracer& tracer)
      : profile_(profile), machine_(machine), pool_(pool), position_(position), tracer_(tracer) {}

  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void set_host(const Host& host) { host_ = host; }

  // uv_loop_configure(UV_METRICS_IDLE_TIME): a poll that may block first looks without blocking, which refreshes the loop time.
  void measure_idle_time() { looks_first_ = true; }
  // What the host has queued from another thread while it started wakes the first poll: on_first_wake().
  void wake_first_poll() { first_poll_wakes_ = true; }

  // uv_run. Returns uv_loop_alive at the end.
  bool run(RunMode mode);
  void stop() { stop_ = true; }

  // uv_now and uv_update_time.
  [[nodiscard]] TimeMs now() const { return position_.loop_time; }
  void update_time() {
    if (machine_.now() >= next_loop_time_at_) read_clock();
  }

  [[nodiscard]] bool alive() const;

  // uv_timer_start, uv_timer_stop, uv_timer_again, uv_ref, uv_unref. Restarting an active timer gives it a new place. A timer that is
  // stopped, started or closed when it was collected as due is not called for that.
  void start(Timer& timer, TimeMs timeout) { start_at(timer, now() + (timeout > 0 ? timeout : 0)); }
  void start_at(Timer& timer, TimeMs due);  // the same, for a loop time
  void stop(Timer& timer);
  void again(Timer& timer);  // for its `repeat`, if it has one
  void ref(Timer& timer);
  void unref(Timer& timer);
  // uv_close of a timer: stopped now, its callback (none) in the closing phase. Keeps the loop alive until then. A second call
  // does nothing.
  void close(Timer& timer);

  // uv_idle_start, uv_prepare_start, uv_check_start; a handle that is active stays where it is. The last that was started is called
  // first. While an idle handle is active, the loop does not block.
  void start_idle(Handle& handle) { start(idle_, handle); }
  void start_prepare(Handle& handle) { start(prepare_, handle); }
  void start_check(Handle& handle) { start(check_, handle); }
  void stop(Handle& handle);
  void ref(Handle& handle);
  void unref(Handle& handle);

  // The clock has moved while JavaScript ran: threads that came free have taken what was queued.
  void notice_time() { collect_ready(machine_.now()); }

  // Requests in flight keep the loop alive.
  void submit_work(const WorkRequest& work);
  void submit_network(std::uint32_t request, TimeNs duration, std::uint64_t order);

  // uv__io_feed: run in the pending phase.
  void feed_pending(std::uint32_t data) { pending_.push({data, trace_entry(Queue::pending, data)}); }
  void unfeed_pending(std::uint32_t data);
  // Watches a descriptor from the next poll on (uv__io_start), and no more, for it is closed. `data` is a small number of the host's.
  void watch(std::uint32_t data);
  void unwatch(std::uint32_t data);
  // It is watched for nothing now (uv__io_stop). What epoll was told of it before stays until it has an event.
  void stop_watching(std::uint32_t data);
  // What is watched for has changed: told to epoll when the next poll begins (EPOLL_CTL_MOD).
  void rewatch(std::uint32_t data);
  // The present moment, or that of what happens outside and is being told now.
  [[nodiscard]] TimeNs moment() const { return outside_at_ < 0 ? machine_.now() : outside_at_; }
  // A watched descriptor may have become ready, just now.
  void report_ready(std::uint32_t data);
  // The kernel puts a watched descriptor into epoll's list, ready or not: what becomes ready before the next poll keeps that place.
  void list(std::uint32_t data);
  // A signal that has a handler arrives at the machine's present moment or earlier: seen in poll, after all else.
  void raise(const Signal& signal);
  // Handles other than timers that are active and referenced.
  void add_active_handle() { ++active_handles_; }
  void remove_active_handle() { --active_handles_; }
  // uv_close with a callback: run in the closing phase, last in first out.
  void close_with_callback(std::uint32_t data) {
    closing_.push_back({nullptr, data, trace_entry(Queue::closing, data)});
  }

  // The same without one.
  void close_silently() { closing_.push_back({nullptr, kNone, trace_entry(Queue::closing, kNone)}); }

  [[nodiscard]] TimeNs poll_time() const { return poll_time_; }
  // The last time the poll slept, for the reasons in the trace.
  [[nodiscard]] TimeNs last_sleep_from() const { return last_sleep_from_; }
  [[nodiscard]] TimeNs last_sleep_to() const { return last_sleep_to_; }
  [[nodiscard]] std::uint64_t active_requests() const { return active_requests_; }

 private:
  struct Closing {
    Timer* timer;  // null: a callback of the host
    std::uint32_t data;
    std::uint64_t entry;  // of the trace
  };
  struct Pending {
    std::uint32_t data;
    std::uint64_t entry;
  };
  struct Ready {
    TimeNs at = 0;
    enum class Kind : std::uint8_t { pool, network, io, signals };
    Kind kind = Kind::pool;  // the pool's wake-up, a network answer, a watched descriptor, the signals' pipe
    std::uint32_t data = 0;  // the request, or what the host calls the descriptor
    std::uint8_t events = 0;
    std::uint64_t entry = 0;  // of the trace
  };

  // Something of the descriptor `data` (kNone: of nobody's) stands in a queue, or leaves it.
  std::uint64_t trace_entry(Queue queue, std::uint32_t data, std::string_view what = {}) {
    return tracer_.on() ? tracer_.enqueue(queue, name_of(data), what) : 0;
  }
  void trace_left(Queue queue, std::uint64_t entry, std::uint32_t data, std::string_view what = {}) {
    if (tracer_.on()) tracer_.dequeue(queue, entry, name_of(data), what);
  }
  [[nodiscard]] std::uint32_t name_of(std::uint32_t data) const {
    return data == kNone || host_.name_of == nullptr ? kNoName : host_.name_of(host_.self, data);
  }
  void trace_ready(Ready& ready);

  void read_clock() {
    position_.loop_time = machine_.loop_clock();
    next_loop_time_at_ = machine_.time_of_clock(position_.loop_time + 1);
  }

  // What stands around every turn's work: one question for the trace in a run, not one in every phase.
  template <bool kTraced>
  bool run_traced(RunMode mode);
  template <bool kTraced>
  void begin_turn();
  template <bool kTraced>
  void enter(Phase phase) {
    if constexpr (!kTraced) return;  // nobody else wants to know
    tracer_.leave_phase();
    position_.phase = phase;
  }
  template <bool kTraced>
  void run_timers() {
    enter<kTraced>(Phase::timers);
    if (!timers_.empty() && timers_.top().timeout <= now()) run_due_timers();
  }
  void run_due_timers();
  void call(Timer& timer);
  void run_pending();
  template <bool kTraced>
  void poll(bool may_block) {
    if (stopping()) return;
    enter<kTraced>(Phase::poll);
    const bool blocks = may_block && idle_.empty();
    if (kTraced || !is_quiet() || (blocks && !sleep_quietly())) return poll_busily(may_block);
    update_time();
  }
  // No descriptor is watched, and nothing goes on outside: nothing can become ready.
  [[nodiscard]] bool is_quiet() const {
    return has_polled_ && machine_.is_quiet() && ready_.empty() && watcher_queue_.empty();
  }
  bool sleep_quietly();
  PollWake wait(TimeMs timeout);
  PollWake sleep(TimeMs timeout);
  void poll_busily(bool may_block);
  TimeMs time_to_sleep(TimeMs timeout);
  void start(LinkedList<Handle>& handles, Handle& handle);
  template <bool kTraced>
  void run_handles(Phase phase, LinkedList<Handle>& handles) {
    enter<kTraced>(phase);
    if (handles.empty()) return;
    if (handles.has_one()) return call(handles.front());
    call_handles(handles);
  }
  void call(Handle& handle) {
    if (handle.callback != nullptr) handle.callback(host_.self, handle);
  }
  void call_handles(LinkedList<Handle>& handles);
  void run_closing();

  TimeMs backend_timeout(PollRule& rule) const;
  void serve(const Ready& ready, std::int64_t& served);
  void serve_signals();
  void collect_ready(TimeNs until);
  void wake_up(TimeNs time);
  void register_watched();
  void drop_unready();
  [[nodiscard]] std::uint8_t reported(std::uint32_t data) const;
  bool disarm_unwatched();
  void pay(Cost cost) {
    if (machine_.has_costs()) [[unlikely]]
      host_.pay(host_.self, cost);
  }
  [[nodiscard]] bool stopping() const {
    if (machine_.needs_attention()) [[unlikely]]
      return host_.stopping(host_.self);
    return false;
  }

  const LibuvProfile& profile_;
  Machine& machine_;
  ThreadPool& pool_;
  Position& position_;
  Tracer& tracer_;
  Host host_;

  TimeNs next_loop_time_at_ = 0;  // from when on update_time() finds another one

  TimerHeap timers_;
  LinkedList<Timer> due_;  // collected, where a version collects
  std::uint64_t timer_counter_ = 0;
  std::uint64_t active_timers_ = 0;  // active and referenced
  std::uint64_t active_requests_ = 0;
  LinkedList<Handle> idle_, prepare_, check_;
  bool stop_ = false;
  bool looks_first_ = false;
  bool first_poll_wakes_ = false;
  RingQueue<Pending> pending_;
  std::vector<Closing> closing_;
  std::vector<Ready> batch_;   // what one wait of the poll has returned
  RingQueue<Ready> ready_;     // epoll's ready list
  RingQueue<Signal> signals_;  // in the pipe
  enum class Watch : std::uint8_t { none, queued, watched, listed };
  std::vector<Watch> watches_;                // by data
  std::vector<std::uint8_t> registered_;      // by data: what epoll was told when a poll last began
  std::vector<std::uint32_t> watcher_queue_;  // to be registered by the next poll
  std::size_t listed_ = 0;                    // descriptors in ready_
  std::uint64_t active_handles_ = 0;
  bool pool_wakeup_queued_ = false;
  TimeNs outside_at_ = -1;       // when that happened which the host is being told of; -1: nothing
  bool first_wake_due_ = false;  // the wake-up is also that of the task that was queued while starting
  bool pool_listed_ = false;     // the wake-up stands in ready_
  bool signals_listed_ = false;  // the same for the signals' pipe
  bool has_polled_ = false;
  TimeNs poll_time_ = 0;
  TimeNs last_sleep_from_ = 0;
  TimeNs last_sleep_to_ = 0;
};

}  // namespace loopsim::uv
