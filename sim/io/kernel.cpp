#include "sim/io/kernel.hpp"

#include <bit>
#include <numeric>

#include "loopsim/assert.hpp"

namespace loopsim::io {

namespace {
constexpr std::int64_t kSigio = 29;      // on Linux
constexpr std::int64_t kKilledBy = 128;  // exit code of a process that a signal has ended: this plus its number
constexpr std::uint32_t kBitsOfWord = 64;

__extension__ using Wide = __int128;

TimeNs clamped(Wide time) { return time > Wide{kMaxDuration} ? kMaxDuration : static_cast<TimeNs>(time); }
}  // namespace

Kernel::Kernel(const Setup& setup, std::uint32_t pool, Tracer& tracer, Position& position)
    : setup_(setup),
      position_(position),
      tracer_(tracer),
      machine_(setup.machine, pool, setup.seed, setup.limits.time, setup.limits.steps, position, tracer),
      work_(setup.spec.work, setup.seed, MachineStream::io_work),
      meanwhile_(setup.spec.meanwhile, setup.seed, MachineStream::io_meanwhile),
      wakeup_(setup.machine.wakeup, setup.seed, MachineStream::wakeup),
      sockets_(setup.spec.sockets),
      open_(setup.spec.sockets),
      open_count_(setup.spec.sockets),
      ready_bits_((setup.spec.sockets + kBitsOfWord - 1) / kBitsOfWord),
      outside_(setup.spec, setup.seed, machine_) {
  for (std::uint32_t i = 0; i < kIoCosts; ++i)
    costs_[i] = Sampler(setup.spec.costs[i], setup.seed, MachineStream::io_costs, i);
  std::iota(open_.begin(), open_.end(), 0U);
}

// ---- the end --------------------------------------------------------------------------------------------------------------------

void Kernel::halt(LimitKind limit, std::int64_t value) {
  if (is_over_) return;
  is_over_ = true;
  summary_.reason = ExitReason::limit;
  summary_.limit = limit;
  if (!tracer_.on()) return;
  Event& event = tracer_.add(EventKind::limit);
  event.detail = static_cast<std::uint8_t>(limit);
  event.a = value;
}

void Kernel::end_process(ExitReason reason, std::int64_t code) {
  if (is_over_) return;
  is_over_ = true;
  summary_.reason = reason;
  summary_.exit_code = code;
}

void Kernel::tell_exit() {
  summary_.end_time = position_.time;
  summary_.turns = position_.turn;
  summary_.steps = steps_;
  if (!tracer_.on()) return;
  position_.phase = Phase::exit;
  Event& event = tracer_.add(EventKind::exit);
  event.a = summary_.exit_code;
  event.detail = static_cast<std::uint8_t>(summary_.reason);
}

bool Kernel::count_step() {
  if (is_over_) return false;
  if (++steps_ <= setup_.limits.steps) [[likely]]
    return true;
  halt(LimitKind::steps, static_cast<std::int64_t>(setup_.limits.steps));
  return false;
}

bool Kernel::stop_if_over() {
  if (!machine_.needs_attention()) [[likely]]
    return is_over_;
  if (machine_.out_of_time())
    halt(LimitKind::time, setup_.limits.time);
  else if (machine_.out_of_changes())
    halt(LimitKind::steps, static_cast<std::int64_t>(setup_.limits.steps));
  return is_over_;
}

// ---- time -----------------------------------------------------------------------------------------------------------------------

bool Kernel::compute(TimeNs cost, Use use, bool may_interrupt) {
  may_interrupt = may_interrupt && !in_interrupt_;
  TimeNs& used = use == Use::user ? used_user_ : used_kernel_;
  TimeNs left = cost;
  while (!is_over_) {
    const TimeNs before = left;
    left = machine_.cpu_left(left, next_arrival());
    used += before - left;
    if (stop_if_over()) return false;
    if (!machine_.has_event()) break;
    const FutureEvent event = machine_.take_event();
    if (event.kind == FutureEvent::Kind::outside) arrive(outside_.take(event));
    if (may_interrupt && !run_interrupts()) return false;
  }
  return !is_over_ && (!may_interrupt || run_interrupts());
}

bool Kernel::run_interrupts() {
  if (interrupt_.run == nullptr) return !is_over_;
  in_interrupt_ = true;
  const ProcessState before = state_;
  bool has_run = false;
  while (interrupt_.run(interrupt_.self)) has_run = true;
  in_interrupt_ = false;
  if (has_run && !is_over_ && state_ != before) set_state(before);
  return !is_over_;
}

void Kernel::begin_block() {
  state_before_ = state_;
  state_ = ProcessState::blocked;
  teller_.state(0, ProcessState::blocked, call_.id);
  blocked_from_ = now();
}

bool Kernel::wait_for_arrival() {
  machine_.sleep(kNever);
  if (stop_if_over()) return false;
  if (!machine_.has_event()) return true;
  const FutureEvent event = machine_.take_event();
  if (event.kind == FutureEvent::Kind::outside) arrive(outside_.take(event));
  return !is_over_;
}

bool Kernel::end_block() {
  teller_.wakes(0, last_arrived_);
  const TimeNs ready = now() + draw_wakeup();
  while (now() < ready) {
    machine_.sleep(ready);
    if (stop_if_over()) return false;
    take_arrivals();
    if (is_over_) return false;
  }
  call_.blocked += now() - blocked_from_;
  blocked_ += now() - blocked_from_;
  state_ = state_before_;
  teller_.state(0, state_, call_.id);
  return compute(draw(IoCost::switch_), Use::kernel);
}

void Kernel::take_arrivals() {
  while (!is_over_ && machine_.has_event()) {
    const FutureEvent event = machine_.take_event();
    if (event.kind == FutureEvent::Kind::outside) arrive(outside_.take(event));
  }
}

TimeNs Kernel::draw(IoCost cost, std::uint64_t count) { return clamped(Wide{draw(cost)} * static_cast<Wide>(count)); }

TimeNs Kernel::draw_copy(std::uint32_t bytes) {
  constexpr Wide kKibibyte = 1024;
  return clamped((Wide{draw(IoCost::copy)} * bytes + kKibibyte - 1) / kKibibyte);
}

// ---- what arrives ---------------------------------------------------------------------------------------------------------------

// In this order: the socket's buffer, epoll, signals, the ring, threads.
void Kernel::arrive(const Arrival& arrival) {
  if (!count_step()) return;
  if (!outside_.has_an_end()) return halt(LimitKind::steps, static_cast<std::int64_t>(setup_.limits.steps));
  last_arrived_ = arrival.socket;
  Socket& socket = sockets_[arrival.socket];
  if (socket.is_open && !socket.is_ready()) {
    ready_bits_[arrival.socket / kBitsOfWord] |= std::uint64_t{1} << (arrival.socket % kBitsOfWord);
    ++ready_count_;
  }
  if (arrival.is_end) {
    socket.is_ended = true;
    teller_.ends(arrival.socket);
  } else {
    socket.parts.push({{now(), ++socket.messages}, arrival.bytes});
    teller_.arrives(arrival.socket, arrival.bytes, socket.messages);
  }
  if (socket.is_watched && !socket.is_listed) list(arrival.socket);
  if (socket.signals) send_signal(arrival.socket);
  if (socket.is_armed && !socket.wakes) {
    socket.wakes = true;
    ring_wakes_.push(arrival.socket);
  }
  if (thread_host_.on_arrival != nullptr) thread_host_.on_arrival(thread_host_.self, arrival.socket);
}

// SIGIO is one, however often it is sent. Real-time signals queue, up to RLIMIT_SIGPENDING; then the kernel sends SIGIO, which
// ends a process that does not handle it.
void Kernel::send_signal(std::uint32_t socket) {
  if (signal_ == IoSignal::sigio) {
    teller_.signal(IoSignal::sigio, is_pending_ ? SignalStep::merged : SignalStep::pending, -1);
    is_pending_ = true;
    return;
  }
  const std::int64_t fd = descriptor_of(socket);
  if (queued_.size() < process().pending) {
    queued_.push(socket);
    return teller_.signal(IoSignal::sigrtmin, SignalStep::queued, fd);
  }
  teller_.signal(IoSignal::sigrtmin, SignalStep::overflow, fd);
  end_process(ExitReason::signal, kKilledBy + kSigio);
}

// ---- system calls ---------------------------------------------------------------------------------------------------------------

void Kernel::leave(std::string_view result, bool in_vain) {
  if (in_vain) used_vain_ += used_kernel_ - call_.kernel_before;
  teller_.returns(0, call_.call, call_.id, result, now() - call_.entered, call_.blocked, in_vain);
}

bool Kernel::simple(SysCall call, std::string_view arguments, TimeNs more) {
  if (!enter(call, arguments, more)) return false;
  leave("0");
  return true;
}

std::int64_t Kernel::read(std::uint32_t number, bool may_block) {
  if (!enter(SysCall::read, number)) return kOver;
  const Socket& socket = sockets_[number];
  if (!socket.is_ready()) {
    if (!may_block) {
      leave("-1 EAGAIN", true);
      return kAgain;
    }
    if (!block([&] { return socket.is_ready(); })) return kOver;
  }
  const std::int64_t count = take(number, call_.id);
  if (count == kOver) return kOver;
  have(number, taken_);
  if (teller_.on()) leave(teller_.number(count));
  return count;
}

bool Kernel::close(std::uint32_t number) {
  if (!enter(SysCall::close, number)) return false;
  closed(number);
  leave("0");
  return true;
}

bool Kernel::spin(std::span<const std::uint32_t> sockets, std::int64_t rounds, TimeNs call, TimeNs meanwhile) {
  if (!count_step()) return false;
  const auto calls = rounds * static_cast<std::int64_t>(sockets.size());
  last_call_ += static_cast<std::uint64_t>(calls);
  const TimeNs in_calls = calls * call;
  if (teller_.on()) {
    const auto at = [&](std::size_t i) { return descriptor_of(sockets[i]); };
    teller_.spins(SysCall::read, teller_.list(sockets.size(), at, true), rounds, calls,
                  now() + in_calls + rounds * meanwhile);
  }
  used_vain_ += in_calls;
  return compute(in_calls, Use::kernel) && compute(rounds * meanwhile, Use::user);
}

std::int64_t Kernel::take(std::uint32_t number, std::uint64_t id) {
  bool is_cut = false;
  const std::uint32_t count = take_bytes(number, is_cut);
  if (count == 0) return 0;
  const TimeNs takes = draw_copy(count);
  teller_.copies(0, number, count, takes, id, is_cut);
  return compute(takes, Use::kernel) ? std::int64_t{count} : kOver;
}

// Of a stream as much as there is, up to the buffer; of messages one, of which the rest is lost.
std::uint32_t Kernel::take_bytes(std::uint32_t number, bool& is_cut) {
  Socket& socket = sockets_[number];
  taken_.clear();
  std::uint32_t count = 0;
  while (!socket.parts.empty() && count < spec().buffer) {
    Part& part = socket.parts.front();
    const std::uint32_t bytes = std::min(part.bytes, spec().buffer - count);
    count += bytes;
    if (bytes == part.bytes || spec().has_messages) {
      is_cut = bytes < part.bytes;
      taken_.push_back(part.message);
      socket.parts.drop();
    } else {
      part.bytes -= bytes;
    }
    if (spec().has_messages) break;
  }
  if (count > 0 && socket.is_open && !socket.is_ready()) {
    ready_bits_[number / kBitsOfWord] &= ~(std::uint64_t{1} << (number % kBitsOfWord));
    --ready_count_;
  }
  return count;
}

// ---- sockets --------------------------------------------------------------------------------------------------------------------

std::span<const std::uint32_t> Kernel::open_sockets() {
  if (open_.size() != open_count_)
    std::erase_if(open_, [&](std::uint32_t number) { return !sockets_[number].is_open; });
  return open_;
}

void Kernel::find_ready(std::vector<std::uint32_t>& found) const {
  found.clear();
  for (std::size_t word = 0; word < ready_bits_.size(); ++word) {
    for (std::uint64_t bits = ready_bits_[word]; bits != 0; bits &= bits - 1)
      found.push_back(static_cast<std::uint32_t>(word * kBitsOfWord) +
                      static_cast<std::uint32_t>(std::countr_zero(bits)));
  }
}

void Kernel::closed(std::uint32_t number) {
  Socket& socket = sockets_[number];
  LOOPSIM_ASSERT(socket.is_open);
  if (socket.is_ready()) {
    ready_bits_[number / kBitsOfWord] &= ~(std::uint64_t{1} << (number % kBitsOfWord));
    --ready_count_;
  }
  socket.is_open = false;
  --open_count_;
  if (socket.is_listed) --listed_count_;
  socket.is_watched = socket.is_listed = socket.signals = false;
}

// ---- what waits -----------------------------------------------------------------------------------------------------------------

void Kernel::watch(std::uint32_t number) {
  sockets_[number].is_watched = true;
  if (sockets_[number].is_ready()) list(number);
}

void Kernel::list(std::uint32_t number) {
  LOOPSIM_ASSERT(!sockets_[number].is_listed);
  sockets_[number].is_listed = true;
  listed_.push(number);
  ++listed_count_;
}

std::uint32_t Kernel::take_listed() {
  while (!sockets_[listed_.front()].is_listed) listed_.drop();
  const std::uint32_t number = listed_.pop();
  sockets_[number].is_listed = false;
  --listed_count_;
  return number;
}

void Kernel::let_signal(std::uint32_t number, IoSignal signal) {
  signal_ = signal;
  sockets_[number].signals = true;
}

void Kernel::have(std::uint32_t socket, std::span<const Taken> messages) {
  teller_.messages(EventKind::message, 0, socket, messages, now());
}

}  // namespace loopsim::io
