// A simulated kernel with one process: its sockets, what waits for them, and the time that all of it takes.
//
// Time passes while the process computes or is blocked, and nowhere else. What arrives meanwhile is handled at its own time, before
// what the process does at that time. A method that lets time pass returns false when the run is over: at a limit, or because a
// signal has ended the process. Then the caller returns, too.
//
// The processes of the models (models.hpp) are written with these methods alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "loopsim/io.hpp"

#include "sim/io/arrivals.hpp"
#include "sim/io/teller.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/random.hpp"
#include "sim/machine/ring_queue.hpp"

namespace loopsim::io {

// The creator owns what it refers to, for as long as the kernel lives.
struct Setup {
  const IoSpec& spec;
  const IoProcess& process;
  const MachineSpec& machine;
  const Limits& limits;
  std::uint64_t seed = 0;
};

struct Part {  // of what nobody has read
  Taken message;
  std::uint32_t bytes = 0;
};

struct Socket {
  RingQueue<Part> parts;
  std::uint64_t messages = 0;  // that have arrived
  bool is_ended = false;
  bool is_open = true;
  bool is_watched = false;  // by epoll
  bool is_listed = false;   // in epoll's ready list
  bool signals = false;     // O_ASYNC
  bool is_armed = false;    // a read of the ring waits for it
  bool wakes = false;       // that read can go on

  [[nodiscard]] bool is_ready() const { return !parts.empty() || is_ended; }
};

enum class Use : std::uint8_t { user, kernel };

class Kernel {
 public:
  // `pool`: threads besides the first one.
  Kernel(const Setup& setup, std::uint32_t pool, Tracer& tracer, Position& position);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  [[nodiscard]] const IoSpec& spec() const { return setup_.spec; }
  [[nodiscard]] const IoProcess& process() const { return setup_.process; }
  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] Teller& teller() { return teller_; }
  [[nodiscard]] TimeNs now() const { return position_.time; }
  [[nodiscard]] TimeNs time_limit() const { return setup_.limits.time; }
  void begin_turn() { ++position_.turn; }

  // ---- the end --------------------------------------------------------------------------------------------------------
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] const RunSummary& summary() const { return summary_; }
  void halt(LimitKind limit, std::int64_t value);
  void end_process(ExitReason reason, std::int64_t code);
  void tell_exit();
  // Counts a system call, or whatever else bounds a loop without time. False: there were too many.
  bool count_step();

  // ---- time -----------------------------------------------------------------------------------------------------------
  // `may_interrupt`: what interrupt() says runs at the time of an arrival, and prolongs the computation.
  bool compute(TimeNs cost, Use use, bool may_interrupt = false);
  // Of a process that does something for itself: true if it did something.
  struct Interrupt {
    void* self = nullptr;
    bool (*run)(void* self) = nullptr;
  };
  void set_interrupt(const Interrupt& interrupt) { interrupt_ = interrupt; }
  bool run_interrupts();
  // Sleeps in the current call until the condition holds; then the process is woken and runs again.
  template <typename Condition>
  bool block(Condition&& holds) {
    begin_block();
    while (!holds()) {
      if (!wait_for_arrival()) return false;
    }
    return end_block();
  }
  // Sleeps in no call, until what the threads do makes the condition hold.
  template <typename Condition>
  bool wait(Condition&& holds) {
    set_state(ProcessState::blocked);
    while (!holds()) {
      if (!wait_for_arrival()) return false;
    }
    set_state(ProcessState::running);
    return true;
  }
  // The time of the next arrival; kNever if there is none.
  [[nodiscard]] TimeNs next_arrival() const {
    return machine_.future().empty() ? kNever : machine_.future().front().time;
  }
  // What has arrived by now.
  void take_arrivals();

  [[nodiscard]] TimeNs draw(IoCost cost) { return costs_[static_cast<std::size_t>(cost)].draw(); }
  // `cost` for each of `count` things.
  [[nodiscard]] TimeNs draw(IoCost cost, std::uint64_t count);
  [[nodiscard]] TimeNs draw_copy(std::uint32_t bytes);
  [[nodiscard]] bool is_fixed(IoCost cost) const {
    return spec().costs[static_cast<std::size_t>(cost)].kind == Duration::Kind::fixed;
  }
  [[nodiscard]] TimeNs draw_work() { return work_.draw(); }
  [[nodiscard]] bool has_work() const { return !work_.is_zero(); }
  [[nodiscard]] TimeNs draw_meanwhile() { return meanwhile_.draw(); }
  [[nodiscard]] bool has_meanwhile() const { return !meanwhile_.is_zero(); }
  [[nodiscard]] TimeNs draw_wakeup() { return wakeup_.draw(); }

  // ---- system calls ---------------------------------------------------------------------------------------------------
  // A call: enters, uses its CPU and `more`; what it does; returns. The result is a text only if the trace is on.
  template <typename Arguments>
  bool enter(SysCall call, const Arguments& arguments, TimeNs more = 0) {
    if (!count_step()) return false;
    call_ = {call, ++last_call_, now(), 0, used_kernel_};
    teller_.enters(0, call, last_call_, arguments);
    return compute(draw(IoCost::call) + more, Use::kernel);
  }
  void leave(std::string_view result, bool in_vain = false);
  // The number of a call of another thread.
  std::uint64_t next_call() { return ++last_call_; }
  // One that does nothing but take its time, and returns 0.
  bool simple(SysCall call, std::string_view arguments, TimeNs more = 0);

  static constexpr std::int64_t kAgain = -1, kOver = -2;
  // Bytes, 0 at the end, or kAgain; kOver when the run is over.
  std::int64_t read(std::uint32_t socket, bool may_block);
  bool close(std::uint32_t socket);
  // A whole busy loop's rounds in vain, in one step.
  bool spin(std::span<const std::uint32_t> sockets, std::int64_t rounds, TimeNs call, TimeNs meanwhile);

  // Takes bytes out of the socket's buffer, and copies them: count, or kOver. What it took: taken(). `id`: the call, 0 for the ring.
  std::int64_t take(std::uint32_t socket, std::uint64_t id);
  [[nodiscard]] std::vector<Taken>& taken() { return taken_; }
  // The same without the copy, for a thread; `is_cut`: the rest of a message is lost.
  std::uint32_t take_bytes(std::uint32_t socket, bool& is_cut);

  // ---- sockets --------------------------------------------------------------------------------------------------------
  [[nodiscard]] std::uint32_t socket_count() const { return static_cast<std::uint32_t>(sockets_.size()); }
  [[nodiscard]] Socket& socket(std::uint32_t number) { return sockets_[number]; }
  [[nodiscard]] std::uint32_t open_count() const { return open_count_; }
  // The open ones, in order. Those that are closed meanwhile stay in it until the next call.
  [[nodiscard]] std::span<const std::uint32_t> open_sockets();
  // Open ones with data, or an end.
  [[nodiscard]] bool any_ready() const { return ready_count_ > 0; }
  void find_ready(std::vector<std::uint32_t>& found) const;  // in order
  void closed(std::uint32_t socket);

  // ---- what waits -----------------------------------------------------------------------------------------------------
  void watch(std::uint32_t socket);  // epoll_ctl(ADD)
  [[nodiscard]] bool has_listed() const { return listed_count_ > 0; }
  [[nodiscard]] std::size_t listed_count() const { return listed_count_; }
  std::uint32_t take_listed();  // epoll's first
  void list(std::uint32_t socket);
  void let_signal(std::uint32_t socket, IoSignal signal);        // O_ASYNC
  [[nodiscard]] bool is_pending() const { return is_pending_; }  // SIGIO
  void clear_pending() { is_pending_ = false; }
  [[nodiscard]] RingQueue<std::uint32_t>& queued_signals() { return queued_; }
  [[nodiscard]] RingQueue<std::uint32_t>& ring_wakes() { return ring_wakes_; }
  // A thread waits for the socket.
  struct ThreadHost {
    void* self = nullptr;
    void (*on_arrival)(void* self, std::uint32_t socket) = nullptr;
  };
  void set_thread_host(const ThreadHost& host) { thread_host_ = host; }

  // ---- the trace ------------------------------------------------------------------------------------------------------
  void set_state(ProcessState state) {
    state_ = state;
    teller_.state(0, state);
  }
  [[nodiscard]] ProcessState state() const { return state_; }
  void have(std::uint32_t socket, std::span<const Taken> messages);
  void note_blocked(TimeNs time) { blocked_ += time; }

 private:
  struct Call {
    SysCall call = SysCall::read;
    std::uint64_t id = 0;
    TimeNs entered = 0;
    TimeNs blocked = 0;
    TimeNs kernel_before = 0;
  };
  bool stop_if_over();
  void begin_block();
  bool wait_for_arrival();
  bool end_block();
  void arrive(const Arrival& arrival);
  void send_signal(std::uint32_t socket);

  const Setup& setup_;
  Position& position_;
  Tracer& tracer_;
  Machine machine_;
  Teller teller_{tracer_};
  std::array<Sampler, kIoCosts> costs_;
  Sampler work_, meanwhile_, wakeup_;
  bool is_over_ = false;
  RunSummary summary_;
  std::uint64_t steps_ = 0;

  std::vector<Socket> sockets_;
  std::vector<std::uint32_t> open_;
  std::uint32_t open_count_ = 0;
  std::vector<std::uint64_t> ready_bits_;  // of open sockets
  std::uint32_t ready_count_ = 0;
  std::uint32_t last_arrived_ = 0;
  RingQueue<std::uint32_t> listed_;  // with closed ones, which count for nothing
  std::size_t listed_count_ = 0;
  IoSignal signal_ = IoSignal::sigio;
  bool is_pending_ = false;
  RingQueue<std::uint32_t> queued_;
  RingQueue<std::uint32_t> ring_wakes_;
  ThreadHost thread_host_;

  Interrupt interrupt_;
  bool in_interrupt_ = false;
  ProcessState state_ = ProcessState::running;
  ProcessState state_before_ = ProcessState::running;  // it was blocked
  TimeNs blocked_from_ = 0;
  Call call_;
  std::uint64_t last_call_ = 0;
  std::vector<Taken> taken_;
  TimeNs used_user_ = 0, used_kernel_ = 0, used_vain_ = 0;
  TimeNs blocked_ = 0;

 public:
  [[nodiscard]] TimeNs used_user() const { return used_user_; }
  [[nodiscard]] TimeNs used_kernel() const { return used_kernel_; }
  [[nodiscard]] TimeNs used_vain() const { return used_vain_; }

  // Members last, that keep references to those above.
 private:
  Outside outside_;  // refers to the machine
};

}  // namespace loopsim::io
