#include "sim/browser/page.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

namespace loopsim::browser {

namespace {

constexpr TimeMs kClamped = 4;                     // HTML, timer initialisation steps
constexpr TimeNs kIdlePeriod = 50 * kMillisecond;  // requestIdleCallback: the longest idle period
constexpr TimeMs kMostDelay = 2147483647;          // a long
constexpr std::size_t kMostSeen = 256;             // ready tasks, of which a line's first may be chosen

// ToInt32, of what setTimeout() gets: a delay that is none, is negative or too long is 0.
TimeMs whole_delay(double delay) {
  if (!(delay >= 1) || delay > static_cast<double>(kMostDelay)) return 0;
  return static_cast<TimeMs>(delay);
}

Page& page(void* self) { return *static_cast<Page*>(self); }

}  // namespace

std::string_view to_string(Source source) {
  constexpr std::array<std::string_view, 8> kNames = {"timer", "user",     "message", "network",
                                                      "dom",   "postTask", "idle",    "history"};
  return kNames[static_cast<std::size_t>(source)];
}

Page::Page(const Setup& setup, Engine& engine, Tracer& tracer, Position& position)
    : setup_(setup),
      engine_(engine),
      tracer_(tracer),
      position_(position),
      machine_(setup.machine, 0, setup.seed, setup.limits.time, setup.limits.steps, position, tracer),
      open_(setup.machine, setup.seed),
      next_frame_(setup.frame_interval) {
  thread.set_host(
      {this, [](void*) {}, [](void*) { return kNever; }, [](void* self) { return page(self).last_sleep_; }});
  engine_.connect(*this);
  for (std::uint32_t i = 0; i < setup_.inputs.size(); ++i) inputs_.push_back(i);
  std::ranges::stable_sort(inputs_, {}, [this](std::uint32_t input) { return setup_.inputs[input].at; });
  if (!open_.is_drawn()) return;
  next_frame_ = 1 + open_.up_to(setup_.frame_interval);
  input_late_ = open_.lateness();
}

// ---- the life of the page -------------------------------------------------------------------------------------------

RunSummary Page::run() {
  run_main();
  for (const Task::Kind kind : {Task::Kind::parsed, Task::Kind::loaded}) {
    Task task;
    task.kind = kind;
    add(std::move(task), 0);
  }
  spin();
  if (!ending.is_over()) ending.end_process(ExitReason::loop_empty, 0);
  return finish();
}

RunSummary Page::end_without_memory() {
  ending.halt_for_memory();
  return finish();
}

RunSummary Page::finish() {
  ending.trace();
  RunSummary summary = ending.summary();
  summary.end_time = machine_.now();
  summary.poll_time = slept_;
  summary.turns = position_.turn;
  summary.callbacks = callbacks.count();
  summary.steps = engine_.steps();
  return summary;
}

// The script of the document: a task of its own (HTML, prepare a script).
void Page::run_main() {
  machine_.wait_until_running();
  const std::uint64_t id = callbacks.next_id();
  if (!callbacks.begin(Api::main, setup_.main_label, id, 0, -1)) return;
  callbacks.set_running(id);
  const TimeNs from = machine_.now();
  runtime::Value result;
  ++depth_;
  const Flow flow = engine_.run_main(&result);
  --depth_;
  callbacks.set_running(0);
  if (tracer_.on()) {
    thread.note_busy(from, id, LateReason::main);
    thread.note_ended(id);
    callbacks.end(Api::main, setup_.main_label, id, flow == Flow::threw ? Completion::throw_ : Completion::normal);
  }
  if (flow == Flow::threw) engine_.report_exception();
  if (flow != Flow::stop) checkpoint();
}

void Page::spin() {
  while (!callbacks.stopping()) {
    take_due();
    const bool frame_is_due = wants_frame() && machine_.now() >= next_frame_;
    const Task* const first = first_ready();
    if (open_.is_drawn() && (frame_is_due || first != nullptr)) {
      run_drawn(frame_is_due);
      continue;
    }
    // A frame is an entry among the tasks: it became ready when the display was.
    if (frame_is_due && (first == nullptr || first->ready_at > next_frame_)) {
      update_rendering();
    } else if (first != nullptr) {
      run_next();
    } else if (may_idle() && machine_.now() >= next_idle_) {
      run_idle(std::min(next_time(), machine_.now() + kIdlePeriod));
    } else {
      const TimeNs next = may_idle() ? std::min(next_time(), next_idle_) : next_time();
      if (next == kNever) return;
      sleep(next, awaited(next));
    }
  }
}

// An idle period is what is left of the time between two frames; while the first frame of an animation is wanted there is none.
bool Page::may_idle() const {
  return !idles_.empty() && (!idle_waits_ || !wants_frame() || machine_.now() < idle_until_);
}

// When something happens by itself.
TimeNs Page::next_time() const {
  TimeNs next = wants_frame() ? std::max(next_frame_, machine_.now()) : kNever;
  return std::min({next, next_delayed_time(), next_input_time()});
}

// What happens then: a frame, or the task that becomes ready.
WaitFor Page::awaited(TimeNs time) const {
  if (may_idle() && time == next_idle_ && time < next_time()) return WaitFor::idle;
  if (next_input_time() == time) return WaitFor::user;
  if (next_delayed_time() > time) return WaitFor::frame;
  const auto found = tasks_.find(delayed_.front().task);
  return found == tasks_.end() ? WaitFor::timer : static_cast<WaitFor>(found->second.line.source);
}

void Page::sleep(TimeNs until, WaitFor what) {
  const TimeNs from = machine_.now();
  tracer_.leave_phase();
  if (until > from) {
    machine_.sleep(until);
    machine_.wake_up();
    slept_ += machine_.now() - from;
    last_sleep_ = {from, machine_.now()};
  }
  if (!tracer_.on()) return;
  Event& event = tracer_.add(EventKind::wait);
  event.a = until;
  event.b = machine_.now() - from;
  event.detail = static_cast<std::uint8_t>(what);
}

void Page::begin_turn(Phase phase) {
  tracer_.leave_phase();
  position_.phase = phase;
  machine_.begin_turn();
  machine_.wait_until_running();
  turn_began_ = machine_.now();
  if (tracer_.on()) tracer_.add(EventKind::turn);
  if (machine_.has_costs()) thread.pay(Cost::turn);
}

// ---- tasks ----------------------------------------------------------------------------------------------------------

std::uint64_t Page::add(Task&& task, TimeNs delay) {
  const std::uint64_t number = ++last_task_;
  task.ready_at = machine_.now() + std::max<TimeNs>(delay, 0);
  if (tasks_.size() >= setup_.limits.queue) ending.halt_for_queue();
  if (delay > 0 || comes_late(task)) {
    wait_for_time(number, std::move(task), delay);
    return number;
  }
  // What became ready before comes first.
  if (setup_.browser.delayed_tasks == DelayedTasks::when_due)
    take_due();
  else
    take_inputs(machine_.now());
  make_ready(number, tasks_.emplace(number, std::move(task)).first->second);
  return number;
}

void Page::wait_for_time(std::uint64_t number, Task&& task, TimeNs delay) {
  const BrowserProfile& browser = setup_.browser;
  const bool is_flexible = browser.flexible_from > 0 && delay >= browser.flexible_from * kMillisecond;
  Delayed& waits =
      delayed_.emplace_back(Delayed{task.ready_at, task.ready_at + (is_flexible ? browser.leeway * kMillisecond : 0),
                                    number, 0, delay > 0, task.line});
  if (open_.is_drawn()) {
    const bool is_far = task.line.source == Source::network || task.line.source == Source::message;
    waits.latest += open_.slack(delay);
    waits.late = is_far ? open_.lateness_from_afar() : open_.lateness();
    if (delay <= 0) ++late_[task.line];
  }
  std::push_heap(delayed_.begin(), delayed_.end(), std::greater<>());
  tasks_.emplace(number, std::move(task));
}

// Whether a task without a delay is not ready at once. Then those of its line that follow are not, either: they stay behind it.
bool Page::comes_late(const Task& task) {
  if (!open_.is_drawn()) return false;
  switch (task.line.source) {
    case Source::timer:
    case Source::message:
    case Source::network:
    case Source::dom:
    case Source::history: return late_.contains(task.line) || open_.chance(0.5);
    default: return false;
  }
}

void Page::leave_late(const Delayed& waits) {
  if (waits.had_delay) return;
  if (const auto found = late_.find(waits.line); found != late_.end() && --found->second == 0) late_.erase(found);
}

void Page::make_ready(std::uint64_t number, Task& task) {
  task.place = ++last_place_;
  ready_[static_cast<std::size_t>(task.line.priority)].emplace(task.place, number);
  const runtime::Callback& callback = task.kind == Task::Kind::timer ? timers_.at(task.number).callback : task.callback;
  if (callback.place == kNone || !tracer_.on()) return;
  callbacks.trace_enqueued(callback, Queue::tasks, to_string(task.line.source));
  tracer_.last().c = task.line.code();
}

TimeNs Page::next_input_time() const {
  if (next_input_ == inputs_.size()) return kNever;
  return std::max(last_input_, setup_.inputs[inputs_[next_input_]].at + input_late_);
}

// They come from another process, which does not wait for the thread.
void Page::take_inputs(TimeNs until) {
  for (; next_input_time() <= until; ++next_input_) {
    Task task;
    task.kind = Task::Kind::input;
    task.line.source = Source::user;
    task.number = inputs_[next_input_];
    task.ready_at = next_input_time();
    last_input_ = task.ready_at;
    if (open_.is_drawn()) input_late_ = open_.lateness();
    const std::uint64_t number = ++last_task_;
    make_ready(number, tasks_.emplace(number, std::move(task)).first->second);
  }
}

void Page::drop_cancelled() {
  while (!delayed_.empty() && !tasks_.contains(delayed_.front().task)) {
    leave_late(delayed_.front());
    std::pop_heap(delayed_.begin(), delayed_.end(), std::greater<>());
    delayed_.pop_back();
  }
}

void Page::take_due() {
  if (setup_.browser.delayed_tasks == DelayedTasks::when_asked) take_inputs(machine_.now());
  for (drop_cancelled(); next_delayed_time() <= machine_.now(); drop_cancelled()) {
    take_inputs(next_delayed_time());
    const Delayed waits = delayed_.front();
    std::pop_heap(delayed_.begin(), delayed_.end(), std::greater<>());
    delayed_.pop_back();
    leave_late(waits);
    make_ready(waits.task, tasks_.at(waits.task));
  }
  take_inputs(machine_.now());
}

void Page::drop(std::uint64_t number) {
  const auto found = tasks_.find(number);
  if (found == tasks_.end()) return;
  Task task = std::move(found->second);
  tasks_.erase(found);
  if (task.kind != Task::Kind::callback) return;
  callbacks.trace_cancel(task.callback, CancelReason::clear);
  engine_.release(task.callback);
}

// Null: nothing is ready. Tasks that were cancelled leave their queue here.
const Page::Task* Page::first_ready() {
  for (auto& queue : ready_) {
    while (!queue.empty()) {
      if (const auto found = tasks_.find(queue.begin()->second); found != tasks_.end()) return &found->second;
      queue.erase(queue.begin());
    }
  }
  return nullptr;
}

void Page::run_next() {
  for (auto& queue : ready_)
    if (!queue.empty()) return run_ready(queue, queue.begin());
}

void Page::run_ready(ReadyTasks& queue, ReadyTasks::iterator next) {
  const auto found = tasks_.find(next->second);
  queue.erase(next);
  Task task = std::move(found->second);
  tasks_.erase(found);
  run_task(std::move(task));
}

// The first of any line may be next, and so may the frame, if it is due.
void Page::run_drawn(bool frame_is_due) {
  // The thread has other work, too, during which a frame, a timer or the user may become ready.
  if (!frame_is_due && open_.has_other_work()) return machine_.sleep(machine_.now() + open_.other_work());
  std::vector<ReadyTasks::iterator> firsts;
  std::set<TaskLine> lines;
  const auto queue = std::ranges::find_if(ready_, [](const ReadyTasks& one) { return !one.empty(); });
  if (queue != ready_.end()) {
    std::size_t seen = 0;
    for (auto next = queue->begin(); next != queue->end() && seen < kMostSeen; ++seen) {
      const auto found = tasks_.find(next->second);
      if (found == tasks_.end()) {  // cancelled
        next = queue->erase(next);
        continue;
      }
      TaskLine line = found->second.line;
      if (line.source == Source::post_task) line.number = 0;  // those of one priority keep their order
      if (lines.insert(line).second) firsts.push_back(next);
      ++next;
    }
  }
  const std::size_t chosen = open_.one_of(firsts.size() + (frame_is_due ? 1 : 0));
  if (chosen == firsts.size()) return update_rendering();
  run_ready(*queue, firsts[chosen]);
}

void Page::run_task(Task&& task) {
  if (task.kind == Task::Kind::idle_timeout) {
    const auto same = [&task](const Request& request) { return request.number == task.number; };
    for (std::deque<Request>* list : {&idles_, &running_idles_}) {
      const auto found = std::ranges::find_if(*list, same);
      if (found == list->end()) continue;
      Request request = *found;
      list->erase(found);
      begin_turn(Phase::task);
      return run_idle_callback(std::move(request), machine_.now(), true);
    }
    return;
  }
  begin_turn(Phase::task);
  switch (task.kind) {
    case Task::Kind::timer: return run_timer(task.number, task.ready_at);
    case Task::Kind::input:
      if (tracer_.on()) {
        const OutsideEvent& input = setup_.inputs[task.number];
        Event& event = tracer_.add_text(EventKind::input, input.client_name + " " + input.data);
        event.a = task.ready_at;
      }
      engine_.dispatch_input(task.number);
      break;
    case Task::Kind::rejections: engine_.tell_rejections(task.number); break;
    case Task::Kind::parsed: engine_.document_parsed(); break;
    case Task::Kind::loaded: engine_.document_loaded(); break;
    default:
      run_own(task.callback, task.ready_at);
      engine_.release(task.callback);
      break;
  }
  checkpoint();
}

std::uint32_t Page::queue_task(TaskLine line, const runtime::Callable& callable, TimeNs delay) {
  Task task;
  task.line = line;
  callbacks.hand_over(task.callback, callable);
  announce(task.callback, ScheduleKind::first, delay > 0 ? machine_.now() + delay : -1, delay > 0 ? delay : -1);
  return static_cast<std::uint32_t>(add(std::move(task), delay));
}

void Page::cancel_task(std::uint32_t task) { drop(task); }

void Page::set_priority(std::uint32_t number, Priority priority) {
  const auto found = tasks_.find(number);
  if (found == tasks_.end()) return;
  Task& task = found->second;
  if (task.place != 0) ready_[static_cast<std::size_t>(task.line.priority)].erase(task.place);
  task.line.priority = priority;
  if (task.place != 0) ready_[static_cast<std::size_t>(priority)].emplace(task.place, number);
}

void Page::queue_rejections(std::uint32_t batch) {
  Task task;
  task.kind = Task::Kind::rejections;
  task.number = batch;
  add(std::move(task), 0);
}

void Page::announce(runtime::Callback& callback, ScheduleKind kind, TimeNs due, TimeNs delay) {
  callbacks.announce(callback, kind, due, delay);
}

// ---- timers ---------------------------------------------------------------------------------------------------------

std::uint32_t Page::set_timer(const runtime::Callable& callable, double delay, bool repeats) {
  Timer timer;
  timer.number = ++last_timer_;
  timer.delay = whole_delay(delay) * kMillisecond;
  timer.repeats = repeats;
  timer.level = level_;
  callbacks.hand_over(timer.callback, callable);
  Timer& kept = timers_.emplace(timer.number, timer).first->second;
  start_timer(kept, machine_.now());
  return kept.number;
}

// HTML, timer initialisation steps: the level is that of the timer whose callback asks, plus one.
std::uint64_t Page::start_timer(Timer& timer, TimeNs from) {
  TimeMs delay = std::max<TimeMs>(timer.delay / kMillisecond, setup_.browser.least_timeout);
  if (timer.level > setup_.browser.unclamped_levels) delay = std::max(delay, kClamped);
  const TimeNs wait = std::max<TimeNs>(delay * kMillisecond, 0);
  TimeNs due = from + wait;
  if (due < machine_.now()) due = wait == 0 ? machine_.now() : due + (machine_.now() - due + wait - 1) / wait * wait;
  const bool is_first = timer.callback.id == 0;
  if (!is_first) timer.callback.by = timer.callback.id;
  const std::uint64_t before = timer.callback.id;
  callbacks.announce(timer.callback, is_first ? ScheduleKind::first : ScheduleKind::again, due, timer.delay, before);
  Task task;
  task.kind = Task::Kind::timer;
  task.line.source = Source::timer;
  task.number = timer.number;
  timer.task = add(std::move(task), due - machine_.now());
  return timer.task;
}

void Page::clear_timer(std::uint32_t number) {
  const auto found = timers_.find(number);
  if (found == timers_.end()) return;
  const bool is_running = found->second.task == 0;  // an interval, cleared by its own callback
  tasks_.erase(found->second.task);
  callbacks.trace_cancel(found->second.callback, is_running ? CancelReason::clear_running : CancelReason::clear);
  const runtime::Callback callback = found->second.callback;
  timers_.erase(found);
  engine_.release(callback);
}

void Page::run_timer(std::uint32_t number, TimeNs due) {
  Timer& timer = timers_.at(number);
  timer.task = 0;
  const runtime::Callback callback = timer.callback;
  const std::uint8_t outer = std::exchange(level_, static_cast<std::uint8_t>(std::min(timer.level + 1, UINT8_MAX)));
  if (timer.repeats) {
    const TimeNs from = setup_.browser.interval_grid == IntervalGrid::from_due ? due : machine_.now();
    call(callback, {}, due);
    // It may have cleared itself.
    if (const auto still = timers_.find(number); still != timers_.end() && !callbacks.stopping()) {
      if (still->second.level < UINT8_MAX) ++still->second.level;
      start_timer(still->second, from);
    }
  } else {
    timers_.erase(number);
    call(callback, {}, due);
    engine_.release(callback);
  }
  level_ = outer;
}

// ---- frames ---------------------------------------------------------------------------------------------------------

namespace {

template <typename Requests>
auto find_request(Requests& requests, std::uint32_t number) {
  return std::ranges::find_if(requests, [number](const auto& request) { return request.number == number; });
}

}  // namespace

// The display's opportunities that nobody wanted are over; the last one that passed while the thread was busy with what asks now is not:
// the frame is drawn as soon as the thread is free, as in both browsers.
void Page::want_frame() {
  if (wants_frame()) return;
  const auto passed_by = [this](TimeNs time) {  // opportunities before this time
    return time <= next_frame_ ? 0 : (time - next_frame_ + setup_.frame_interval - 1) / setup_.frame_interval;
  };
  const std::int64_t passed = passed_by(machine_.now());
  const std::int64_t while_busy = passed - passed_by(turn_began_ + 1);
  dropped_ = std::max<std::int64_t>(while_busy - 1, 0);
  next_frame_ += (while_busy > 0 ? passed - 1 : passed) * setup_.frame_interval;
  if (open_.is_drawn()) next_frame_ += open_.frames_passed() * setup_.frame_interval;
}

void Page::changed() {
  want_frame();
  has_changed_ = true;
}

std::uint32_t Page::request_frame(const runtime::Callable& callable) {
  want_frame();
  Request request;
  request.number = ++last_frame_;
  callbacks.hand_over(request.callback, callable);
  announce(request.callback, ScheduleKind::first, -1, -1);
  frames_.push_back(request);
  return request.number;
}

void Page::cancel_frame(std::uint32_t number) {
  for (std::deque<Request>* list : {&frames_, &running_frames_}) {
    const auto found = find_request(*list, number);
    if (found == list->end()) continue;
    callbacks.trace_cancel(found->callback, CancelReason::clear);
    const runtime::Callback callback = found->callback;
    list->erase(found);
    return engine_.release(callback);
  }
}

// HTML, update the rendering.
void Page::update_rendering() {
  // Of several opportunities that have passed the last one is drawn.
  const std::int64_t passed = (machine_.now() - next_frame_) / setup_.frame_interval;
  const TimeNs at = next_frame_ + passed * setup_.frame_interval;
  next_frame_ = at + setup_.frame_interval;
  const std::int64_t dropped = passed + std::exchange(dropped_, 0);
  begin_turn(Phase::rendering);
  if (tracer_.on()) {
    Event& event = tracer_.add(EventKind::frame);
    event.a = at;
    event.b = machine_.now() - at;
    event.c = dropped;
  }
  const runtime::Value timestamp[] = {
      runtime::Value::of_number(static_cast<double>(at) / static_cast<double>(kMillisecond))};
  running_frames_ = std::exchange(frames_, {});
  while (!running_frames_.empty() && !callbacks.stopping()) {
    const Request request = running_frames_.front();
    running_frames_.pop_front();
    call(request.callback, timestamp, -1);
    engine_.release(request.callback);
  }
  idle_until_ = next_frame_;
  if (callbacks.stopping()) return;
  if (std::exchange(has_changed_, false)) {
    thread.use(setup_.style_cost);
    engine_.after_animation_frames();
    thread.use(setup_.paint_cost);
  }
  checkpoint();
}

// ---- idle -----------------------------------------------------------------------------------------------------------

std::uint32_t Page::request_idle(const runtime::Callable& callable, TimeNs timeout) {
  Request request;
  request.number = ++last_idle_;
  callbacks.hand_over(request.callback, callable);
  announce(request.callback, ScheduleKind::first, -1, -1);
  if (timeout > 0) {
    Task task;
    task.kind = Task::Kind::idle_timeout;
    task.line.source = Source::idle;
    task.number = request.number;
    request.timeout = add(std::move(task), timeout);
  }
  if (open_.is_drawn() && idles_.empty()) wait_for_idle(machine_.now());
  idles_.push_back(request);
  return request.number;
}

void Page::cancel_idle(std::uint32_t number) {
  for (std::deque<Request>* list : {&idles_, &running_idles_}) {
    const auto found = find_request(*list, number);
    if (found == list->end()) continue;
    callbacks.trace_cancel(found->callback, CancelReason::clear);
    const Request request = *found;
    list->erase(found);
    if (request.timeout != 0) tasks_.erase(request.timeout);
    return engine_.release(request.callback);
  }
}

// requestIdleCallback: those that were asked for before this idle period, one after the other, until its end or until something
// else is ready. The rest waits for the next one.
void Page::run_idle(TimeNs deadline) {
  begin_turn(Phase::idle_period);
  running_idles_ = std::exchange(idles_, {});
  while (!running_idles_.empty() && !callbacks.stopping()) {
    Request request = running_idles_.front();
    running_idles_.pop_front();
    run_idle_callback(std::move(request), deadline, false);
    if (machine_.now() >= deadline || next_time() <= machine_.now()) break;
    if (first_ready() != nullptr || (open_.is_drawn() && open_.chance(0.5))) break;
  }
  idles_.insert(idles_.begin(), running_idles_.begin(), running_idles_.end());
  running_idles_.clear();
  next_idle_ = deadline;  // what is asked for in an idle period waits for the next one
  if (open_.is_drawn()) wait_for_idle(deadline);
}

// When a browser finds time, and whether an animation's first frame has to come before that, is its own affair.
void Page::wait_for_idle(TimeNs from) {
  next_idle_ = std::max(next_idle_, from + open_.until_idle());
  idle_waits_ = open_.chance(0.5);
}

void Page::run_idle_callback(Request&& request, TimeNs deadline, bool did_timeout) {
  if (request.timeout != 0) tasks_.erase(request.timeout);
  const runtime::Value argument[] = {engine_.make_deadline(deadline, did_timeout)};
  call(request.callback, argument, -1);
  engine_.release(request.callback);
}

// ---- calls ----------------------------------------------------------------------------------------------------------

Flow Page::call(const runtime::Callback& callback, std::span<const runtime::Value> arguments, TimeNs due,
                runtime::Value* result, const ExceptionTaker& takes_exception) {
  ++depth_;
  Flow flow = callbacks.run(callback, arguments, due, result);
  if (flow == Flow::threw) flow = takes_exception ? takes_exception() : engine_.report_exception();
  --depth_;
  if (flow == Flow::stop) return flow;
  checkpoint();
  return callbacks.stopping() ? Flow::stop : Flow::normal;
}

// The page's own code in a task.
Flow Page::run_own(const runtime::Callback& callback, TimeNs due) {
  const Flow flow = callbacks.run(callback, {}, due);
  return flow == Flow::threw ? engine_.report_exception() : flow;
}

// HTML, perform a microtask checkpoint.
void Page::checkpoint() {
  if (depth_ != 0 || is_at_checkpoint_ || callbacks.stopping()) return;
  is_at_checkpoint_ = true;
  const bool tells = tracer_.on() && engine_.has_jobs();
  if (tells) {
    Event& event = tracer_.add(EventKind::drain_begin);
    event.a = 0;
    event.b = static_cast<std::int64_t>(engine_.jobs());
  }
  while (engine_.has_jobs() && !callbacks.stopping()) {
    if (!engine_.count_step()) {
      engine_.out_of_steps();
      break;
    }
    ++depth_;
    if (engine_.run_job() == Flow::threw) engine_.report_exception();
    --depth_;
  }
  if (tells) tracer_.add(EventKind::drain_end);
  is_at_checkpoint_ = false;
  if (engine_.has_rejections() && !callbacks.stopping()) engine_.queue_rejections();
}

}  // namespace loopsim::browser
