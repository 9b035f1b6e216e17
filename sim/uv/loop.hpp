// libuv's event loop (uv_loop_t) on the simulated machine. The structure of loop.cpp follows uv_run.
//
// The host supplies the loop's callbacks as plain function pointers, as in libuv; the loop does not depend on
// JavaScript.
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

inline constexpr int kSigChld = 17;  // on Linux x86-64; used by libuv for the end of child processes

// Message of a signal handler in the loop's pipe (uv__signal_msg_t).
struct Signal {
  int number;
  std::uint32_t watcher;  // the watcher, among all that the signal has had
  TimeNs at;
};

// Readiness of a descriptor (EPOLLIN, EPOLLOUT, EPOLLHUP, EPOLLRDHUP, EPOLLERR).
struct IoEvents {
  static constexpr std::uint8_t in = 1, out = 2, hup = 4, rdhup = 8, err = 16;
};

// Callbacks of the loop, implemented by the host.
struct Host {
  void* self = nullptr;
  void (*on_completed)(void* self, const Completed& done) = nullptr;  // a request has completed (after_work_cb)
  // A watched descriptor is ready; `events` as reported by epoll at the time of the poll.
  void (*on_io)(void* self, std::uint32_t data, std::uint8_t events) = nullptr;
  std::uint8_t (*watched_for)(void* self, std::uint32_t data) = nullptr;  // IoEvents requested by uv__io_start; 0: none
  std::uint8_t (*state)(void* self, std::uint32_t data) = nullptr;        // IoEvents that a descriptor is ready for
  void (*on_outside)(void* self,
                     const FutureEvent& event) = nullptr;  // kinds outside, child_ends and answered
  void (*on_signal)(void* self, const Signal& signal) = nullptr;
  void (*on_first_wake)(void* self) = nullptr;                   // the task that woke the first poll (wake_first_poll)
  void (*on_pending)(void* self, std::uint32_t data) = nullptr;  // an entry of the pending queue
  void (*on_close)(void* self, std::uint32_t data) = nullptr;    // a close callback
  void (*on_timer_closed)(void* self, Timer& timer) = nullptr;   // a closed timer may now be freed
  void (*pay)(void* self, Cost cost) = nullptr;                  // the thread pays a cost of the runtime
  bool (*stopping)(void* self) = nullptr;                        // the process is ending: return as soon as possible
  void (*on_async)(void* self) = nullptr;  // after send_async(): uv__async_io, behind the pool's own wake-up
  // For the trace: the callback of a timer, or 0; the name of a descriptor's owner; a request found complete by poll.
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

  // uv_loop_configure(UV_METRICS_IDLE_TIME): a poll that may block first polls without blocking, which refreshes the
  // loop time.
  void measure_idle_time() { looks_first_ = true; }
  // A task queued by the host from another thread during startup wakes the first poll: on_first_wake().
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
  // uv_backend_timeout: the longest time that the next poll may block, in ms; -1: without end.
  [[nodiscard]] TimeMs backend_timeout() const {
    PollRule rule = PollRule::stopped;
    return backend_timeout(rule);
  }

  // uv_timer_start, uv_timer_stop, uv_timer_again, uv_ref, uv_unref. Restarting an active timer changes its place in
  // the order. A timer collected as due but then stopped, started or closed is not called in that pass.
  void start(Timer& timer, TimeMs timeout) { start_at(timer, now() + (timeout > 0 ? timeout : 0)); }
  void start_at(Timer& timer, TimeMs due);  // the same, with a due time in loop time
  void stop(Timer& timer) {
    if (!timer.active()) return timer.unlink();
    timers_.remove(timer);
    if (timer.referenced) --active_timers_;
  }
  void again(Timer& timer);  // with its `repeat`, if not 0
  void ref(Timer& timer);
  void unref(Timer& timer);
  // uv_close of a timer: stops it now; on_timer_closed() in the closing phase. Keeps the loop alive until then. A
  // second call does nothing.
  void close(Timer& timer);

  // uv_idle_start, uv_prepare_start, uv_check_start; no effect on an active handle. The last one started is called
  // first. The loop does not block while an idle handle is active.
  void start_idle(Handle& handle) {
    if (!handle.active()) start(idle_, handle);
  }
  void start_prepare(Handle& handle) { start(prepare_, handle); }
  void start_check(Handle& handle) { start(check_, handle); }
  void stop(Handle& handle);
  void ref(Handle& handle);
  void unref(Handle& handle);

  // The clock has moved while JavaScript ran: collects what became ready meanwhile.
  void notice_time() { collect_ready(machine_.now()); }

  [[nodiscard]] bool has_polled() const { return has_polled_; }
  // Descriptors wait for the next poll, which registers them, or their new events.
  [[nodiscard]] bool has_unregistered() const { return !watcher_queue_.empty(); }
  // Requests in flight keep the loop alive.
  void submit_work(const WorkRequest& work);
  // A request of the pool that was cancelled: the loop finds it done.
  void finish_cancelled() { wake_up(machine_.now()); }
  void submit_network(std::uint32_t request, TimeNs duration, std::uint64_t order);

  // uv_async_send on a handle of the host: the next poll calls on_async().
  void send_async() {
    async_sent_ = true;
    wake_up(machine_.now());
  }
  // Which run of uv__async_io it is, from 1 on; 0: none runs.
  [[nodiscard]] std::uint64_t async_pass() const { return serves_async_ ? async_passes_ : 0; }

  // uv__io_feed: queues `data` for the pending phase.
  void feed_pending(std::uint32_t data) {
    pending_.push({data, trace_entry(Queue::pending, data)});
    is_calm_ = false;
  }
  void unfeed_pending(std::uint32_t data);
  // Watches a descriptor from the next poll on (uv__io_start), and removes it when it is closed. `data` is a small
  // number chosen by the host.
  void watch(std::uint32_t data);
  void unwatch(std::uint32_t data);
  // The descriptor is no longer watched for any event (uv__io_stop). Its registration in epoll stays until its next
  // event.
  void stop_watching(std::uint32_t data);
  // The watched events have changed: epoll is updated at the start of the next poll (EPOLL_CTL_MOD).
  void rewatch(std::uint32_t data);
  // The current time, or the time of the outside event being processed.
  [[nodiscard]] TimeNs moment() const { return outside_at_ < 0 ? machine_.now() : outside_at_; }
  // A watched descriptor may have become ready at moment().
  void report_ready(std::uint32_t data);
  // The kernel adds a watched descriptor to epoll's ready list, ready or not. If it becomes ready before the next poll,
  // it keeps that place.
  void list(std::uint32_t data);
  // Arrival, at the current time or earlier, of a signal with a handler. Served in poll, after all other events.
  void raise(const Signal& signal);
  // Handles other than timers that are active and referenced.
  void add_active_handle() { ++active_handles_; }
  void remove_active_handle() { --active_handles_; }
  // uv_close with a callback: run in the closing phase, last in first out.
  void close_with_callback(std::uint32_t data) { add_closing(nullptr, data); }
  // The same without a callback.
  void close_silently() { add_closing(nullptr, kNone); }

  [[nodiscard]] TimeNs poll_time() const { return poll_time_; }
  // The last sleep of poll, for lateness reasons in the trace.
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
    Kind kind = Kind::pool;  // the pool's wake-up, a network response, a watched descriptor, the signals' pipe
    std::uint32_t data = 0;  // the request, or the host's number of the descriptor
    std::uint8_t events = 0;
    std::uint64_t entry = 0;  // of the trace
  };

  void add_closing(Timer* timer, std::uint32_t data) {
    closing_.push_back({timer, data, trace_entry(Queue::closing, data)});
    is_calm_ = false;
  }
  void add_ready(const Ready& ready) {
    ready_.push(ready);
    is_calm_ = false;
  }

  // An entry of the descriptor `data` (kNone: no owner) is added to a queue, or leaves it.
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

  // The turns of the loop. The template parameter replaces a test for the trace in every phase.
  template <bool kTraced>
  bool run_traced(RunMode mode);
  template <bool kTraced>
  void begin_turn();
  template <bool kTraced>
  void enter(Phase phase) {
    if constexpr (!kTraced) return;  // only the trace uses it
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
    const bool quiet = !kTraced && (is_calm_ || is_quiet()) && machine_.is_quiet();
    if (!quiet || (blocks && !sleep_quietly())) return poll_busily(may_block);
    update_time();
  }
  // With Machine::is_quiet() true if nothing can become ready: no descriptor is watched, and nothing is pending outside the thread.
  [[nodiscard]] bool is_quiet() const { return has_polled_ && ready_.empty() && watcher_queue_.empty(); }
  void settle();
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
  void serve(const Ready& ready);
  void serve_signals();
  void collect_ready(TimeNs until);
  void wake_up(TimeNs time);
  void register_watched();
  void drop_unready();
  [[nodiscard]] std::uint8_t reported(std::uint32_t data) const;
  bool disarm_unwatched();
  [[nodiscard]] bool is_unwatched(const Ready& ready) const;
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

  TimeNs next_loop_time_at_ = 0;  // true time of the next change of the loop's clock

  TimerHeap timers_;
  LinkedList<Timer> due_;  // collected as due (timers_collected_first)
  std::uint64_t timer_counter_ = 0;
  std::uint64_t active_timers_ = 0;  // active and referenced
  std::uint64_t active_requests_ = 0;
  LinkedList<Handle> idle_, prepare_, check_;
  // Only timers, an idle handle without a callback and one check handle can have anything to do: a turn then passes over all else.
  // Whatever may change that sets it to false; settle() looks again.
  bool is_calm_ = false;
  bool stop_ = false;
  bool looks_first_ = false;
  bool first_poll_wakes_ = false;
  RingQueue<Pending> pending_;
  std::vector<Closing> closing_;
  std::vector<Ready> batch_;   // events of one wait in poll
  RingQueue<Ready> ready_;     // epoll's ready list
  RingQueue<Signal> signals_;  // in the pipe
  enum class Watch : std::uint8_t { none, queued, watched, listed };
  std::vector<Watch> watches_;                // by data
  std::vector<std::uint8_t> registered_;      // by data: events registered at the start of the last poll
  std::vector<std::uint32_t> watcher_queue_;  // to register at the next poll
  std::size_t listed_ = 0;                    // descriptors in ready_
  std::uint64_t active_handles_ = 0;
  bool pool_wakeup_queued_ = false;
  TimeNs outside_at_ = -1;   // time of the outside event passed to the host; -1: none
  bool async_sent_ = false;  // the wake-up is also for handles of the host
  bool serves_async_ = false;
  std::uint64_t async_passes_ = 0;
  bool first_wake_due_ = false;  // the wake-up is also for the task queued during startup
  bool pool_listed_ = false;     // the wake-up is in ready_
  bool signals_listed_ = false;  // the same for the signals' pipe
  bool has_polled_ = false;
  TimeNs poll_time_ = 0;
  TimeNs last_sleep_from_ = 0;
  TimeNs last_sleep_to_ = 0;
};

}  // namespace loopsim::uv
