// A process that is a C program on libuv alone: its main function calls libuv's functions, uv_run among them, and libuv calls the
// program's functions.
//
//     functions      each method is one function of libuv (include/uv.h, docs/src), and returns what that returns
//     Process::run   the main function, from its start to its return
//
// Where C leaves undefined what happens (a handle that is not one, a closed one, uv_run inside uv_run), or libuv aborts, the run ends
// with the signal SIGABRT and a message.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "loopsim/libuv.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/verbs.hpp"

#include "sim/libuv/children.hpp"
#include "sim/libuv/objects.hpp"
#include "sim/libuv/polls.hpp"
#include "sim/libuv/sockets.hpp"
#include "sim/libuv/streams.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/thread_pool.hpp"
#include "sim/runtime/callbacks.hpp"
#include "sim/runtime/ending.hpp"
#include "sim/runtime/engine.hpp"
#include "sim/runtime/loop_thread.hpp"
#include "sim/trace/tracer.hpp"
#include "sim/uv/loop.hpp"

namespace loopsim::libuv {

// The creator owns what it refers to, for as long as the process lives.
struct Setup {
  const LibuvProfile& libuv;
  const MachineSpec& machine;
  const Limits& limits;
  std::span<const OutsideEvent> inputs;  // signals, and clients of another process
  std::uint32_t threadpool = 4;          // UV_THREADPOOL_SIZE
  std::uint32_t main_label = kNoName;
  std::uint64_t seed = 0;
};

class Process {
 public:
  // All of these must outlive it.
  Process(const Setup& setup, runtime::Engine& engine, Tracer& tracer, Position& position);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // The complete life of the process.
  RunSummary run();
  // Replaces the rest of run() after std::bad_alloc: the process ends here.
  RunSummary end_without_memory();

  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] TimeNs clock_phase() const { return machine_.clock_phase(); }
  // Ends the run: what C leaves undefined, or an assertion of libuv's.
  void abort(std::string_view message);

  // ---- the loop -------------------------------------------------------------------------------------------------------
  // In all of these a handle is the number that init() has returned, and a result below 0 an error of libuv.
  int run_loop(uv::RunMode mode);
  void stop() { loop_.stop(); }
  [[nodiscard]] bool alive() const { return loop_.alive(); }
  int close_loop();
  int configure_loop(bool measures_idle_time);  // otherwise: UV_LOOP_BLOCK_SIGNAL, of SIGPROF, which no scenario sends
  [[nodiscard]] bool has_closed() const { return has_closed_; }
  [[nodiscard]] TimeMs now() const { return loop_.now() - start_; }
  void update_time() { loop_.update_time(); }
  [[nodiscard]] TimeMs backend_timeout() const;
  void walk(const runtime::Callback& callback);

  // ---- handles --------------------------------------------------------------------------------------------------------
  // `label`: its name in the trace. An async handle has its callback from the start on, and is active.
  std::uint32_t init(HandleKind kind, std::uint32_t label, const runtime::Callback& callback = {});
  [[nodiscard]] bool has(std::uint32_t handle) const { return handle < handles_.size(); }
  [[nodiscard]] bool is_closed(std::uint32_t handle) const { return handles_[handle].closed; }
  [[nodiscard]] HandleKind kind(std::uint32_t handle) const { return handles_[handle].kind; }
  void close(std::uint32_t handle, const runtime::Callback& callback);  // uv_close
  void reference(std::uint32_t handle, bool on);
  [[nodiscard]] bool has_ref(std::uint32_t handle) const;
  [[nodiscard]] bool is_active(std::uint32_t handle) const;
  [[nodiscard]] bool is_closing(std::uint32_t handle) const { return handles_[handle].closing; }

  // ---- timers ---------------------------------------------------------------------------------------------------------
  int start_timer(std::uint32_t handle, const runtime::Callback& callback, TimeMs timeout, TimeMs repeat);
  int stop_timer(std::uint32_t handle);
  int timer_again(std::uint32_t handle);
  void set_repeat(std::uint32_t handle, TimeMs repeat) { handles_[handle].timer.repeat = repeat; }
  [[nodiscard]] TimeMs repeat(std::uint32_t handle) const { return handles_[handle].timer.repeat; }
  [[nodiscard]] TimeMs due_in(std::uint32_t handle) const;

  // ---- idle, prepare, check -------------------------------------------------------------------------------------------
  int start_phase(std::uint32_t handle, const runtime::Callback& callback);
  int stop_phase(std::uint32_t handle);

  // ---- other threads --------------------------------------------------------------------------------------------------
  int send(std::uint32_t async);
  // Work of the pool. A request is the number that this returns. An invalid callback: none.
  struct Work {
    Request::Kind kind = Request::Kind::work;
    std::string_view operation;  // of fs: "stat"; lives as long as the run
    TimeNs duration = 0;
    bool needs_cpu = false;
    int error = 0;
  };
  std::uint32_t queue_work(std::uint32_t label, const runtime::Callback& callback, const Work& work);
  // Makes a request that has not begun, for a function of a stream.
  std::uint32_t add_request(Request::Kind kind, std::uint32_t label, const runtime::Callback& callback);
  void block(TimeNs duration);  // the thread waits for a system call
  [[nodiscard]] Request::Kind request_kind(std::uint32_t request) const { return requests_[request].kind; }
  [[nodiscard]] bool has_request(std::uint32_t request) const { return request < requests_.size(); }
  int cancel(std::uint32_t request);

  // ---- streams, descriptors, processes --------------------------------------------------------------------------------
  [[nodiscard]] Streams& streams() { return streams_; }
  [[nodiscard]] Polls& polls() { return polls_; }
  [[nodiscard]] Children& children() { return children_; }
  int close_reset(std::uint32_t handle, const runtime::Callback& callback);
  int init_poll(std::uint32_t label, std::uint32_t socket, std::uint32_t& handle);
  std::uint32_t make_pair();  // the first socket of it; the second is the next
  [[nodiscard]] bool is_socket(std::uint32_t socket) const { return socket < sockets_.count(); }
  int send(std::uint32_t socket, std::string_view bytes);
  int receive(std::uint32_t socket);
  int shut_down(std::uint32_t socket) { return sockets_.shut_down(socket); }

  // ---- signals --------------------------------------------------------------------------------------------------------
  int start_signal(std::uint32_t handle, const runtime::Callback& callback, int number, bool once);
  int stop_signal(std::uint32_t handle);

 private:
  // What the kernel does with a signal.
  enum class SignalAction : std::uint8_t { by_default, handler, once };
  struct SignalState {
    SignalAction action = SignalAction::by_default;
    std::uint32_t watchers = 0, once = 0;  // handles; those for one shot
  };
  static constexpr std::size_t kSignals = 65;

  friend class Children;
  friend class Polls;
  friend class Streams;

  void connect_loop();
  void close(std::uint32_t handle, const runtime::Callback& callback, bool resets);
  void begin_main();
  void end_main(Completion how);
  RunSummary finish();
  // The callback gets its number; the running one has asked for it.
  void announce(runtime::Callback& callback, ScheduleKind kind, TimeNs due = -1, TimeNs delay = -1);
  void cancel_callback(runtime::Callback& callback);
  // Of a handle: another callback waits in its place; none does any more.
  void replace_callback(Handle& handle, const runtime::Callback& callback);
  void forget_callback(Handle& handle);
  // Runs a callback of a handle for the last time.
  void run_last(std::uint32_t handle, TimeNs due, std::span<const runtime::Value> more);
  // Runs a callback of a handle that stays active, which then waits for its next run.
  void run_repeated(std::uint32_t handle, TimeNs due, std::span<const runtime::Value> more = {});
  void call(const runtime::Callback& callback, TimeNs due, std::span<const runtime::Value> arguments);
  [[nodiscard]] TimeNs due_of(const uv::Timer& timer) const { return machine_.time_of_clock(timer.timeout); }
  void set_active(const Handle& handle, bool active);
  void on_timer(std::uint32_t handle);
  void on_close(std::uint32_t handle);
  void on_async();
  void on_completed(const uv::Completed& done);
  void on_signal(const uv::Signal& message);
  void on_outside(const FutureEvent& event);
  void on_client(const OutsideEvent& event);
  // A request of a stream, which keeps the loop alive, and its end.
  void begin_request(std::uint32_t request);
  void finish_request(std::uint32_t request, int status);
  [[nodiscard]] bool has_callback(std::uint32_t request) const { return requests_[request].callback.place != kNone; }
  void on_work(std::uint32_t request, std::uint32_t thread, bool begins);
  void watch_signal(std::uint32_t handle, int number, bool once);
  void unwatch_signal(std::uint32_t handle);
  [[nodiscard]] SignalState& state_of(int number) { return states_.at(static_cast<std::size_t>(number)); }
  [[nodiscard]] TimeNs death() const;

  const Setup& setup_;
  runtime::Engine& engine_;
  Tracer& tracer_;
  Position& position_;
  Machine machine_;
  ThreadPool pool_;
  uv::Loop loop_;
  runtime::Context context_{setup_.limits, engine_, tracer_, position_, machine_};
  runtime::Ending ending_{context_};
  runtime::LoopThread thread_{context_, ending_};
  runtime::Callbacks callbacks_{context_, thread_, ending_};
  TimeMs start_ = 0;
  bool is_running_ = false;  // in uv_run
  static constexpr std::uint64_t kNoTurn = ~std::uint64_t{0};
  std::uint64_t signals_since_ = kNoTurn;  // the turn in which the loop got its first signal handle
  std::uint64_t main_id_ = 0;
  TimeNs main_from_ = 0;
  bool main_is_open_ = false;     // it runs, or what it has called other than uv_run
  std::deque<Handle> handles_;    // timers and phase handles must not move
  std::size_t open_handles_ = 0;  // not closed
  bool has_closed_ = false;
  std::deque<std::uint32_t> asyncs_;  // in the order of libuv's list
  std::deque<std::uint32_t> asyncs_left_;
  std::array<SignalState, kSignals> states_{};
  std::deque<Request> requests_;
  Sockets sockets_{loop_};
  Streams streams_{*this};
  Polls polls_{*this};
  Children children_{*this};
  std::vector<std::uint32_t> clients_;  // by OutsideEvent::client: its socket; kNone: not connected

 public:
  [[nodiscard]] runtime::Callbacks& callbacks() { return callbacks_; }
  [[nodiscard]] runtime::LoopThread& thread() { return thread_; }
  [[nodiscard]] runtime::Ending& ending() { return ending_; }
};

}  // namespace loopsim::libuv
