// A page in a browser: the event loop of its window (HTML, event loops), on the simulated machine.
//
//     run                the loop: choose a task, run it, microtasks, and at the display's rate update the rendering
//     tasks              by task source, each with the time at which it became ready
//     frames             rendering opportunities: animation frame callbacks, style and layout, paint
//     idle               what requestIdleCallback() asked for, in the time until the next task or frame
//
// Which of several ready tasks of different sources comes first the standard leaves open. Here, as in Chromium and Firefox, it is the
// one that took its place first (BrowserProfile::delayed_tasks); only the priorities of scheduler.postTask() go before. On a machine
// whose `tasks` are `drawn` chance decides that, and what else is open (open_choices.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/browser.hpp"
#include "loopsim/scenario.hpp"

#include "sim/browser/engine.hpp"
#include "sim/browser/open_choices.hpp"
#include "sim/machine/machine.hpp"
#include "sim/runtime/callbacks.hpp"
#include "sim/runtime/ending.hpp"
#include "sim/runtime/loop_thread.hpp"
#include "sim/trace/task_line.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim::browser {

// The creator owns what it refers to, for as long as the page lives.
struct Setup {
  const BrowserProfile& browser;
  const MachineSpec& machine;
  const Limits& limits;
  std::span<const OutsideEvent> inputs;   // of the user
  TimeNs frame_interval = 16'666'667;     // of the display: 60 Hz
  TimeNs style_cost = 0, paint_cost = 0;  // CPU time of a frame, when something has changed
  std::uint32_t main_label = kNoName;
  std::uint64_t seed = 0;
};

[[nodiscard]] std::string_view to_string(Source source);

// Takes what a callback has thrown, instead of the window's error event.
using ExceptionTaker = std::function<Flow()>;

class Page {
 public:
  // All of these must outlive it.
  Page(const Setup& setup, Engine& engine, Tracer& tracer, Position& position);
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  // The complete life of the page: until nothing is left that could run.
  RunSummary run();
  // Replaces the rest of run() after std::bad_alloc: the page ends here.
  RunSummary end_without_memory();
  // The same after runtime::Stopped: a limit has ended it already.
  RunSummary end_when_stopped() { return finish(); }

  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] TimeNs clock_phase() const { return machine_.clock_phase(); }
  [[nodiscard]] TimeNs now() const { return machine_.now(); }  // performance.now(), in ns

  // ---- what programs ask for ------------------------------------------------------------------------------------------
  // The numbers that these return are those of the program's own handles, from 1 on.
  std::uint32_t set_timer(const runtime::Callable& callable, double delay, bool repeats);
  void clear_timer(std::uint32_t timer);
  // A task of a source that is ready after `delay`, in ns. What it calls is the page's own code, which is no script: the listeners
  // that this calls are followed by microtask checkpoints.
  std::uint32_t queue_task(TaskLine line, const runtime::Callable& callable, TimeNs delay);
  void cancel_task(std::uint32_t task);
  void set_priority(std::uint32_t task, Priority priority);  // it keeps its place in time
  // The same for what the engine itself does: Engine::tell_rejections(batch).
  void queue_rejections(std::uint32_t batch);
  std::uint32_t request_frame(const runtime::Callable& callable);
  void cancel_frame(std::uint32_t request);
  std::uint32_t request_idle(const runtime::Callable& callable, TimeNs timeout);  // timeout < 0: none
  void cancel_idle(std::uint32_t request);
  void changed();  // the tree or a style: a frame is wanted

  // ---- calls ----------------------------------------------------------------------------------------------------------
  // Runs a callback, reports what it throws, and does a microtask checkpoint unless a script is on the stack (HTML, clean up
  // after running script). The result, undefined before, is given with its reference.
  Flow call(const runtime::Callback& callback, std::span<const runtime::Value> arguments, TimeNs due,
            runtime::Value* result = nullptr, const ExceptionTaker& takes_exception = {});
  void checkpoint();
  [[nodiscard]] bool is_in_script() const { return depth_ != 0; }
  void too_many_jobs() { ending.halt_for_queue(); }

 private:
  struct Timer {
    std::uint32_t number = 0;
    runtime::Callback callback;
    std::uint64_t task = 0;  // what it waits with; 0: it does not
    TimeNs delay = 0;        // as clamped
    std::uint8_t level = 0;  // of nesting
    bool repeats = false;
  };
  struct Task {
    enum class Kind : std::uint8_t { callback, timer, input, rejections, idle_timeout, parsed, loaded };
    Kind kind = Kind::callback;
    TaskLine line;
    TimeNs ready_at = 0;
    std::uint64_t place = 0;   // among those that are ready; 0: it is not
    std::uint32_t number = 0;  // of the timer, the input, the batch, the request
    runtime::Callback callback;
  };
  // What is ready at a time, ordered by the latest time at which it may come, and then by the order in which it was asked for.
  struct Delayed {
    TimeNs at, latest;
    std::uint64_t task;
    TimeNs late = 0;  // drawn: it is found ready so much later, and so is what is behind it
    bool had_delay = true;
    TaskLine line;
    friend bool operator>(const Delayed& a, const Delayed& b) {
      return a.latest != b.latest ? a.latest > b.latest : a.task > b.task;
    }
  };
  // By their places.
  using ReadyTasks = std::map<std::uint64_t, std::uint64_t>;
  struct Request {  // of a frame, or of idle time
    std::uint32_t number = 0;
    runtime::Callback callback;
    std::uint64_t timeout = 0;  // the task of its timeout; 0: none
  };

  void run_main();
  void spin();
  [[nodiscard]] bool has_more() const;
  std::uint64_t add(Task&& task, TimeNs delay);
  void wait_for_time(std::uint64_t number, Task&& task, TimeNs delay);
  [[nodiscard]] bool comes_late(const Task& task);
  void leave_late(const Delayed& waits);
  void make_ready(std::uint64_t number, Task& task);
  void drop(std::uint64_t task);
  void take_inputs(TimeNs until);  // what the user has done goes to its queue
  void drop_cancelled();           // from the begin of delayed_
  void take_due();                 // so does all that has become ready by now
  const Task* first_ready();
  void run_next();
  void run_ready(ReadyTasks& queue, ReadyTasks::iterator next);
  void run_drawn(bool frame_is_due);
  void run_task(Task&& task);
  void run_timer(std::uint32_t number, TimeNs due);
  bool wants_frame() const { return !frames_.empty() || has_changed_; }
  void update_rendering();
  void run_idle(TimeNs deadline);
  void run_idle_callback(Request&& request, TimeNs deadline, bool did_timeout);
  [[nodiscard]] TimeNs next_input_time() const;  // kNever: the user does nothing more
  [[nodiscard]] TimeNs next_delayed_time() const {
    return delayed_.empty() ? kNever : delayed_.front().at + delayed_.front().late;
  }
  [[nodiscard]] TimeNs next_time() const;  // when something happens by itself; kNever: never
  [[nodiscard]] WaitFor awaited(TimeNs time) const;
  void sleep(TimeNs until, WaitFor what);
  [[nodiscard]] bool may_idle() const;
  void wait_for_idle(TimeNs from);
  void want_frame();
  void begin_turn(Phase phase);
  Flow run_own(const runtime::Callback& callback, TimeNs due);
  RunSummary finish();
  // `from`: the time that the delay counts from.
  std::uint64_t start_timer(Timer& timer, TimeNs from);
  void announce(runtime::Callback& callback, ScheduleKind kind, TimeNs due, TimeNs delay);

  const Setup& setup_;
  Engine& engine_;
  Tracer& tracer_;
  Position& position_;
  Machine machine_;
  OpenChoices open_;
  runtime::Context context_{setup_.limits, engine_, tracer_, position_, machine_};

 public:
  runtime::Ending ending{context_};
  runtime::LoopThread thread{context_, ending};
  runtime::Callbacks callbacks{context_, thread, ending};

 private:
  std::map<std::uint32_t, Timer> timers_;  // by their numbers
  std::uint32_t last_timer_ = 0, last_frame_ = 0, last_idle_ = 0;
  std::uint8_t level_ = 0;               // of nesting, of the timer that runs
  std::map<std::uint64_t, Task> tasks_;  // that wait, by their numbers
  std::uint64_t last_task_ = 0;
  std::vector<Delayed> delayed_;  // a heap, the earliest first; tasks that were cancelled are not in tasks_
  std::array<ReadyTasks, kPriorities> ready_;
  std::uint64_t last_place_ = 0;
  std::map<TaskLine, std::uint32_t> late_;  // drawn: tasks without a delay that are not ready yet
  std::vector<std::uint32_t> inputs_;       // of the setup, by their times
  TimeNs input_late_ = 0;                   // drawn: how late the next one comes
  TimeNs last_input_ = 0;                   // when the last one came
  std::size_t next_input_ = 0;
  std::deque<Request> frames_;          // asked for, not cancelled
  std::deque<Request> running_frames_;  // of the frame that runs
  std::deque<Request> idles_;
  std::deque<Request> running_idles_;
  TimeNs next_idle_ = 0;      // no idle period begins before
  TimeNs idle_until_ = 0;     // after a frame: until the next one
  std::int64_t dropped_ = 0;  // opportunities that passed while the callback ran that asks for the next frame
  TimeNs turn_began_ = 0;
  bool has_changed_ = false;
  bool is_at_checkpoint_ = false;
  int depth_ = 0;
  bool idle_waits_ = true;  // for the first frame of an animation
  TimeNs next_frame_ = 0;   // the display's next opportunity
  TimeNs slept_ = 0;
  runtime::LoopHost::Sleep last_sleep_;
};

}  // namespace loopsim::browser
