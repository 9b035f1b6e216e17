#include "sim/uv/loop.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace loopsim::uv {

namespace {
constexpr int kMaxPendingRounds = 8;       // libuv src/unix/core.c: bounds the pending work done after one poll
constexpr std::int64_t kMaxEvents = 1024;  // libuv src/unix/linux.c: events[1024]
constexpr std::size_t kSignalsRead = 32;   // libuv src/unix/signal.c: buf[sizeof(uv__signal_msg_t) * 32]
constexpr int kMaxFullPolls = 48;          // the same: "Avoid monopolizing the loop"
}  // namespace

template <bool kTraced>
[[gnu::always_inline]] inline void Loop::begin_turn() {
  if (kTraced) tracer_.leave_phase();
  machine_.begin_turn();
  machine_.wait_until_running();
  if (kTraced) tracer_.add(EventKind::turn);
  pay(Cost::turn);
}

// libuv src/unix/core.c, uv_run. The cyclic order of the phases is the same in all versions. Since 1.45 the timers are
// last, with one pass in front of the loop; this decides whether an overdue timer still runs in the last turn.
bool Loop::run(RunMode mode) { return tracer_.on() ? run_traced<true>(mode) : run_traced<false>(mode); }

template <bool kTraced>
bool Loop::run_traced(RunMode mode) {
  bool is_alive = alive();
  if (!is_alive) update_time();

  const bool timers_last = profile_.loop_order == LoopOrder::timers_last;
  bool in_turn = false;
  if (timers_last && mode == RunMode::run_default && is_alive && (!stop_ || profile_.first_timers_if_stopped)) {
    begin_turn<kTraced>();
    in_turn = true;
    update_time();
    run_timers<kTraced>();
  }

  while (is_alive && !stop_ && !stopping()) {
    if (!in_turn) begin_turn<kTraced>();
    in_turn = false;

    if (!timers_last) {
      update_time();
      run_timers<kTraced>();
    }
    const auto calm = [this] { return !kTraced && is_calm_; };
    bool had_pending = false;  // matters only where it is not calm
    if (!calm()) {
      had_pending = !pending_.empty() || (profile_.once_minds_idle && !idle_.empty());
      enter<kTraced>(Phase::pending);
      if (!pending_.empty()) run_pending();
      run_handles<kTraced>(Phase::idle, idle_);
      run_handles<kTraced>(Phase::prepare, prepare_);
    }
    poll<kTraced>(mode == RunMode::run_default || (mode == RunMode::once && !had_pending));
    if (!calm() && profile_.pending_after_poll) {
      for (int round = 0; round < kMaxPendingRounds && !pending_.empty() && !stopping(); ++round) {
        enter<kTraced>(Phase::pending);
        run_pending();
      }
    }
    if (!stopping()) calm() ? call(check_.front()) : run_handles<kTraced>(Phase::check, check_);
    if (!calm()) {
      enter<kTraced>(Phase::closing);
      if (!closing_.empty()) run_closing();
      if (!kTraced) settle();
    }
    if (timers_last || mode == RunMode::once) {
      update_time();
      run_timers<kTraced>();
    }

    is_alive = alive();
    if (mode != RunMode::run_default) break;
  }
  if (kTraced) tracer_.leave_phase();
  stop_ = false;
  return is_alive;
}

// For the turns to come.
void Loop::settle() {
  const bool idle_calls = !idle_.empty() && (!idle_.has_one() || idle_.front().callback != nullptr);
  is_calm_ = pending_.empty() && prepare_.empty() && check_.has_one() && closing_.empty() && is_quiet() && !idle_calls;
}

bool Loop::alive() const {
  return active_timers_ != 0 || active_handles_ != 0 || active_requests_ != 0 || !closing_.empty() ||
         (profile_.pending_keeps_alive && !pending_.empty());
}

// ---- the phases -----------------------------------------------------------------------------------------------------

void Loop::run_due_timers() {
  if (timers_.has_one() && !stopping()) {  // in all programs of Node 11 and later
    Timer& timer = timers_.top();
    stop(timer);
    call(timer);
    if (profile_.timers_collected_first) return;
  }
  if (profile_.timers_collected_first) {
    // A timer re-armed during the pass, even in the past, waits for the next pass.
    while (!timers_.empty() && timers_.top().timeout <= now()) {
      Timer& timer = timers_.top();
      stop(timer);
      due_.push_back(timer);
    }
    while (!due_.empty() && !stopping()) {
      Timer& timer = due_.front();
      timer.unlink();
      call(timer);
    }
    return;
  }
  while (!timers_.empty() && !stopping()) {
    Timer& timer = timers_.top();
    if (timer.timeout > now()) break;
    stop(timer);
    call(timer);
  }
}

// A repeating timer is restarted before its callback, which may stop it.
void Loop::call(Timer& timer) {
  again(timer);
  timer.callback(host_.self, timer);
}

// Runs the entries queued at the start; later ones wait for the next round.
void Loop::run_pending() {
  for (std::size_t left = pending_.size(); left > 0 && !pending_.empty() && !stopping(); --left) {
    const Pending first = pending_.pop();
    trace_left(Queue::pending, first.entry, first.data);
    host_.on_pending(host_.self, first.data);
  }
}

// Calls each handle active at the start once; one started by a callback waits for the next turn.
void Loop::call_handles(LinkedList<Handle>& handles) {
  LinkedList<Handle> left;
  left.take(handles);
  while (!left.empty() && !stopping()) {
    Handle& handle = left.front();
    handle.unlink();
    handles.push_back(handle);
    call(handle);
  }
  handles.take(left);
}

// Last in, first out: libuv's closing handles are a singly linked list with new ones at its head.
void Loop::run_closing() {
  std::vector<Closing> batch;
  batch.swap(closing_);
  for (auto closing = batch.rbegin(); closing != batch.rend() && !stopping(); ++closing) {
    trace_left(Queue::closing, closing->entry, closing->data);
    if (closing->timer != nullptr) {
      host_.on_timer_closed(host_.self, *closing->timer);
    } else if (closing->data != kNone) {
      host_.on_close(host_.self, closing->data);
    }
  }
}

// ---- poll -----------------------------------------------------------------------------------------------------------

// libuv src/unix/core.c, uv_backend_timeout; src/timer.c, uv__next_timeout. Whole milliseconds from the cached loop
// time.
TimeMs Loop::backend_timeout(PollRule& rule) const {
  if (stop_) return rule = PollRule::stopped, 0;
  if (active_timers_ == 0 && active_handles_ == 0 && active_requests_ == 0) return rule = PollRule::nothing_active, 0;
  if (!pending_.empty()) return rule = PollRule::pending_queue, 0;
  if (!idle_.empty()) return rule = PollRule::idle_handle, 0;
  if (!closing_.empty()) return rule = PollRule::closing_handle, 0;
  if (timers_.empty()) return rule = PollRule::no_timer, -1;
  const TimeMs left = timers_.top().timeout - now();
  if (left <= 0) return rule = PollRule::due_timer, 0;
  return rule = PollRule::timer, std::min<TimeMs>(left, 0x7fffffff);
}

// libuv src/unix/linux.c, uv__io_poll: sleeps until an event or the timeout, then serves the events in the order in
// which they became ready.
void Loop::poll_busily(bool may_block) {
  PollRule rule = PollRule::stopped;
  TimeMs timeout = backend_timeout(rule);
  if (!may_block) timeout = 0;
  pay(Cost::poll);
  const std::uint64_t timer_id =
      tracer_.on() && rule == PollRule::timer && !timers_.empty() ? host_.timer_id(host_.self, timers_.top()) : 0;

  const TimeNs asleep_at = machine_.now();
  if (!has_polled_ && first_poll_wakes_) {
    first_wake_due_ = true;
    wake_up(asleep_at);
  }
  has_polled_ = true;
  register_watched();
  collect_ready(asleep_at);
  drop_unready();
  const TimeNs slept_before = poll_time_;
  const PollWake wake = wait(timeout);

  std::int64_t events = static_cast<std::int64_t>(std::min<std::size_t>(ready_.size(), kMaxEvents));
  if (tracer_.on()) {
    Event& event = tracer_.add(EventKind::poll);
    event.detail = static_cast<std::uint8_t>(rule);
    event.detail2 = static_cast<std::uint8_t>(wake);
    event.a = timeout;
    event.b = machine_.now() - asleep_at;
    event.c = 0;
    for (std::size_t i = 0; i < ready_.size(); ++i)
      if (!is_unwatched(ready_.at(i)))
        event.c += ready_.at(i).kind == Ready::Kind::pool ? static_cast<std::int64_t>(pool_.finished().size()) : 1;
    event.id = timer_id;
  }
  if (poll_time_ != slept_before) pay(Cost::cold);  // what follows epoll_wait is not in the caches

  // After a full batch, polls again without blocking, a bounded number of times.
  for (int round = 0; round < kMaxFullPolls && events > 0 && !stopping(); ++round) {
    batch_.clear();
    for (std::int64_t i = 0; i < events; ++i) {
      Ready ready = ready_.pop();
      if (ready.kind != Ready::Kind::network) ready_.push(ready);  // stays listed until a poll finds it not ready
      if (ready.kind == Ready::Kind::io) ready.events = reported(ready.data);
      if (tracer_.on() && !is_unwatched(ready)) trace_ready(ready);
      batch_.push_back(ready);
    }
    bool has_signals = false;
    for (const Ready& ready : batch_) {
      has_signals = has_signals || ready.kind == Ready::Kind::signals;
      if (!stopping()) serve(ready);
    }
    if (has_signals) {  // last, since their callbacks may close other handles of the batch; then poll ends
      serve_signals();
      break;
    }
    if (events < kMaxEvents) break;
    collect_ready(machine_.now());
    drop_unready();
    events = static_cast<std::int64_t>(std::min<std::size_t>(ready_.size(), kMaxEvents));
  }
}

// Repeats epoll_wait until there are events to serve or the timeout has expired. Events only of descriptors that are
// no longer watched end one wait. Each further timeout is reduced by the whole time since the cached loop time
// (update_timeout).
PollWake Loop::wait(TimeMs timeout) {
  const TimeMs base = now();
  if (looks_first_ && timeout != 0) disarm_unwatched();
  timeout = time_to_sleep(timeout);
  while (true) {
    const bool sleeps = ready_.empty() && timeout != 0;
    const PollWake wake = sleeps ? sleep(timeout) : PollWake::none;
    update_time();
    const bool disarmed = disarm_unwatched();
    if (!ready_.empty()) return sleeps ? wake : PollWake::event;
    if (!disarmed || timeout == 0 || machine_.out_of_time() || stopping()) return wake;
    if (timeout < 0) continue;
    timeout -= now() - base;
    if (timeout <= 0) return PollWake::timeout;
  }
}

PollWake Loop::sleep(TimeMs timeout) {
  const TimeNs asleep_at = machine_.now();
  const TimeNs deadline = timeout < 0 ? kNever : asleep_at + timeout * kMillisecond + machine_.draw_timer_slack();
  PollWake wake = PollWake::none;
  // An outside event may not concern the loop (an ignored signal): then it continues to sleep.
  do {
    machine_.sleep(deadline);
    wake = machine_.has_event() ? PollWake::event : PollWake::timeout;
    collect_ready(machine_.now());
  } while (wake == PollWake::event && ready_.empty() && !stopping());
  machine_.wake_up();
  collect_ready(machine_.now());
  poll_time_ += machine_.now() - asleep_at;
  last_sleep_from_ = asleep_at;
  last_sleep_to_ = machine_.now();
  return machine_.out_of_time() ? PollWake::none : wake;
}

// With UV_METRICS_IDLE_TIME a poll that may block first polls without blocking, which refreshes the loop time, and
// sleeps only for the rest of the timeout. Otherwise the timeout counts from the cached time and the poll oversleeps.
TimeMs Loop::time_to_sleep(TimeMs timeout) {
  if (!looks_first_ || timeout <= 0) return timeout;
  const TimeMs cached = now();
  update_time();
  return std::max<TimeMs>(timeout - (now() - cached), 0);
}

// The sleep of a blocking poll while is_quiet(): the common case in programs with timers only. Returns false, without
// any effect, if the timeout is infinite.
bool Loop::sleep_quietly() {
  const TimeMs timeout = backend_timeout();
  if (timeout < 0) return false;
  if (const TimeMs sleep = time_to_sleep(timeout); sleep != 0) {
    const TimeNs asleep_at = machine_.now();
    machine_.sleep_quietly(sleep * kMillisecond);
    poll_time_ += machine_.now() - asleep_at;
  }
  return true;
}

// Processes, in order, all events outside the loop's thread up to `until`.
void Loop::collect_ready(TimeNs until) {
  machine_.end_due_workers();
  while (machine_.has_event(until)) {
    const FutureEvent event = machine_.take_event();
    switch (event.kind) {
      case FutureEvent::Kind::worker_done:
        pool_.collect(event.data);
        wake_up(event.time);
        break;
      case FutureEvent::Kind::network_done: add_ready({event.time, Ready::Kind::network, event.data}); break;
      case FutureEvent::Kind::outside:
      case FutureEvent::Kind::child_ends:
      case FutureEvent::Kind::answered:
        outside_at_ = event.time;
        host_.on_outside(host_.self, event);
        outside_at_ = -1;
        break;
    }
  }
}

// uv_async_send: one wake-up covers all work finished until the loop serves it. Its descriptor stays in epoll's ready
// list until a poll finds it not ready, so it may already be listed.
void Loop::wake_up(TimeNs time) {
  pool_wakeup_queued_ = true;
  if (pool_listed_) return;
  pool_listed_ = true;
  ++listed_;
  add_ready({time, Ready::Kind::pool});
}

// Registers new descriptors in epoll at the start of a poll; some may be ready at once.
void Loop::register_watched() {
  for (const std::uint32_t data : watcher_queue_) {
    registered_[data] = host_.watched_for(host_.self, data);
    if (watches_[data] == Watch::listed) continue;
    watches_[data] = Watch::watched;
    if (reported(data) == 0) continue;
    watches_[data] = Watch::listed;
    ++listed_;
    add_ready({machine_.now(), Ready::Kind::io, data});
  }
  watcher_queue_.clear();
}

// epoll keeps a returned descriptor in its ready list and checks it again in the next wait.
void Loop::drop_unready() {
  if (listed_ == 0) return;
  for (std::size_t left = ready_.size(); left > 0; --left) {
    const Ready ready = ready_.pop();
    bool is_ready = true;
    switch (ready.kind) {
      case Ready::Kind::network: break;
      case Ready::Kind::pool: is_ready = pool_listed_ = pool_wakeup_queued_; break;
      case Ready::Kind::signals: is_ready = signals_listed_ = !signals_.empty(); break;
      case Ready::Kind::io:
        is_ready = reported(ready.data) != 0;
        if (!is_ready) watches_[ready.data] = Watch::watched;
        break;
    }
    if (is_ready)
      ready_.push(ready);
    else
      --listed_;
  }
}

// The events that epoll reports for a descriptor: among those watched or, if none, last registered; EPOLLHUP and EPOLLERR always.
std::uint8_t Loop::reported(std::uint32_t data) const {
  const std::uint8_t watched = host_.watched_for(host_.self, data);
  const std::uint8_t registered = watched != 0 ? watched : registered_[data];
  return registered == 0 ? 0 : host_.state(host_.self, data) & (registered | IoEvents::hup | IoEvents::err);
}

// uv__io_stop leaves a descriptor in epoll. An event of an unwatched descriptor removes it (EPOLL_CTL_DEL). If all
// events of a wait are such, it removes them and returns true. Beside others they are left to serve(): a callback
// earlier in the batch may watch the descriptor again, and then it gets the event.
bool Loop::disarm_unwatched() {
  if (listed_ == 0) return false;
  for (std::size_t i = 0; i < ready_.size(); ++i)
    if (!is_unwatched(ready_.at(i))) return false;
  while (!ready_.empty()) {
    watches_[ready_.pop().data] = Watch::none;
    --listed_;
  }
  return true;
}

bool Loop::is_unwatched(const Ready& ready) const {
  return ready.kind == Ready::Kind::io && host_.watched_for(host_.self, ready.data) == 0;
}

// Reports an event found by poll as an entry of the ready queue: a request's callback, or the descriptor's owner.
void Loop::trace_ready(Ready& ready) {
  switch (ready.kind) {
    case Ready::Kind::network: return host_.trace_ready(host_.self, ready.data);
    case Ready::Kind::pool:
      for (std::size_t i = 0; i < pool_.finished().size(); ++i)
        host_.trace_ready(host_.self, pool_.finished().at(i).request);
      return;
    case Ready::Kind::io: ready.entry = trace_entry(Queue::ready, ready.data); return;
    case Ready::Kind::signals: ready.entry = trace_entry(Queue::ready, kNone, "signal"); return;
  }
}

void Loop::serve(const Ready& ready) {
  trace_left(Queue::ready, ready.entry, ready.kind == Ready::Kind::io ? ready.data : kNone,
             ready.kind == Ready::Kind::signals ? "signal" : "");
  if (ready.kind == Ready::Kind::signals) return;
  if (ready.kind == Ready::Kind::io) {
    if (watches_[ready.data] != Watch::listed) return;  // closed by an earlier event
    const std::uint8_t watched = host_.watched_for(host_.self, ready.data);
    if (watched == 0) return unwatch(ready.data);
    const std::uint8_t events = ready.events & (watched | IoEvents::hup | IoEvents::err);
    if (events != 0) host_.on_io(host_.self, ready.data, events);
    return;
  }
  if (ready.kind == Ready::Kind::network) {
    --active_requests_;
    host_.on_completed(host_.self, {ready.data, ready.at, -1, -1});
    return;
  }
  // uv__work_done takes the whole queue of finished work; work that finishes meanwhile waits for the next poll.
  pool_wakeup_queued_ = false;
  serves_async_ = true;
  ++async_passes_;
  for (std::size_t left = pool_.finished().size(); left > 0 && !stopping(); --left) {
    const FinishedWork work = pool_.finished().pop();
    --active_requests_;
    host_.on_completed(host_.self, {work.request, work.finished, work.started, static_cast<std::int32_t>(work.thread)});
  }
  if (std::exchange(first_wake_due_, false) && !stopping()) host_.on_first_wake(host_.self);
  if (std::exchange(async_sent_, false) && !stopping()) host_.on_async(host_.self);
  serves_async_ = false;
}

// uv__signal_event: reads the pipe in portions.
void Loop::serve_signals() {
  for (bool was_full = true; was_full && !stopping();) {
    std::array<Signal, kSignalsRead> portion{};
    std::size_t count = 0;
    while (count < portion.size() && !signals_.empty()) portion[count++] = signals_.pop();
    for (std::size_t i = 0; i < count && !stopping(); ++i) host_.on_signal(host_.self, portion[i]);
    was_full = count == portion.size();
  }
}

void Loop::raise(const Signal& signal) {
  signals_.push(signal);
  if (signals_listed_) return;
  signals_listed_ = true;
  ++listed_;
  add_ready({signal.at, Ready::Kind::signals});
}

// ---- handles and requests -------------------------------------------------------------------------------------------

void Loop::start_at(Timer& timer, TimeMs due) {
  if (timer.closing) return;  // UV_EINVAL
  stop(timer);
  timer.timeout = due;
  timer.start_id = timer_counter_++;
  timers_.insert(timer);
  if (timer.referenced) ++active_timers_;
}

void Loop::again(Timer& timer) {
  if (timer.repeat != 0) start(timer, timer.repeat);
}

void Loop::ref(Timer& timer) {
  if (timer.referenced) return;
  timer.referenced = true;
  if (timer.active()) ++active_timers_;
}

void Loop::unref(Timer& timer) {
  if (!timer.referenced) return;
  timer.referenced = false;
  if (timer.active()) --active_timers_;
}

void Loop::close(Timer& timer) {
  if (timer.closing) return;
  stop(timer);
  timer.closing = true;
  add_closing(&timer, kNone);
}

void Loop::start(LinkedList<Handle>& handles, Handle& handle) {
  if (handle.active()) return;
  is_calm_ = false;
  handles.push_front(handle);
  if (handle.referenced) ++active_handles_;
}

void Loop::stop(Handle& handle) {
  if (!handle.active()) return;
  is_calm_ = false;
  handle.unlink();
  if (handle.referenced) --active_handles_;
}

void Loop::ref(Handle& handle) {
  if (std::exchange(handle.referenced, true)) return;
  if (handle.active()) ++active_handles_;
}

void Loop::unref(Handle& handle) {
  if (!std::exchange(handle.referenced, false)) return;
  if (handle.active()) --active_handles_;
}

void Loop::watch(std::uint32_t data) {
  if (watches_.size() <= data) {
    watches_.resize(data + 1, Watch::none);
    registered_.resize(data + 1, 0);
  }
  watches_[data] = Watch::queued;
  watcher_queue_.push_back(data);
  is_calm_ = false;
}

void Loop::unwatch(std::uint32_t data) {
  if (watches_.size() <= data || watches_[data] == Watch::none) return;
  std::erase(watcher_queue_, data);
  if (watches_[data] == Watch::listed) {
    --listed_;
    for (std::size_t left = ready_.size(); left > 0; --left) {
      const Ready ready = ready_.pop();
      if (ready.kind != Ready::Kind::io || ready.data != data) ready_.push(ready);
    }
  }
  watches_[data] = Watch::none;
}

void Loop::stop_watching(std::uint32_t data) {
  if (watches_.size() <= data) return;
  std::erase(watcher_queue_, data);
  if (watches_[data] == Watch::queued) watches_[data] = Watch::none;
}

void Loop::rewatch(std::uint32_t data) {
  if (watches_.size() <= data || watches_[data] == Watch::none) return watch(data);
  if (std::ranges::find(watcher_queue_, data) != watcher_queue_.end()) return;
  watcher_queue_.push_back(data);
  is_calm_ = false;
}

void Loop::report_ready(std::uint32_t data) {
  if (watches_.size() <= data || watches_[data] != Watch::watched || reported(data) == 0) return;
  list(data);
}

void Loop::list(std::uint32_t data) {
  if (watches_.size() <= data || watches_[data] != Watch::watched) return;
  watches_[data] = Watch::listed;
  ++listed_;
  add_ready({moment(), Ready::Kind::io, data});
}

void Loop::unfeed_pending(std::uint32_t data) {
  for (std::size_t left = pending_.size(); left > 0; --left) {
    const Pending other = pending_.pop();
    if (other.data != data)
      pending_.push(other);
    else
      trace_left(Queue::pending, other.entry, other.data);
  }
}

void Loop::submit_work(const WorkRequest& work) {
  ++active_requests_;
  pool_.submit(work);
}

void Loop::submit_network(std::uint32_t request, TimeNs duration, std::uint64_t order) {
  ++active_requests_;
  machine_.schedule({machine_.now() + duration, order, FutureEvent::Kind::network_done, request});
}

}  // namespace loopsim::uv
