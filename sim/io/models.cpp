#include "sim/io/models.hpp"

#include <algorithm>
#include <utility>

namespace loopsim::io {

bool Models::run() {
  switch (kernel_.process().model) {
    case IoModel::blocking: return blocking();
    case IoModel::blocking_clients: return blocking_clients();
    case IoModel::nonblocking: return nonblocking();
    case IoModel::select: return multiplex(SysCall::select);
    case IoModel::poll: return multiplex(SysCall::poll);
    case IoModel::epoll: return epoll(false);
    case IoModel::epoll_edge: return epoll(true);
    case IoModel::signal: return signal();
    case IoModel::signal_queue: return signal_queue();
    case IoModel::async: return async();
    case IoModel::threads: break;
  }
  return false;
}

// ---- what several have ----------------------------------------------------------------------------------------------------------

bool Models::set_flags(std::uint32_t socket, std::string_view flags) {
  return kernel_.simple(SysCall::fcntl, kernel_.teller().text("{}, F_SETFL, {}", descriptor_of(socket), flags));
}

bool Models::serve(std::uint32_t socket, std::int64_t count, bool may_interrupt) {
  if (count == Kernel::kOver) return false;
  if (count == 0) return kernel_.close(socket);
  if (count < 0) return true;
  having_.swap(kernel_.taken());
  return work(socket, may_interrupt);
}

// For the messages in having_.
bool Models::work(std::uint32_t socket, bool may_interrupt) {
  if (kernel_.has_work()) {
    const ProcessState before = kernel_.state();
    kernel_.set_state(ProcessState::computing);
    if (!kernel_.compute(kernel_.draw_work(), Use::user, may_interrupt)) return false;
    kernel_.set_state(before);
  }
  kernel_.teller().messages(EventKind::served, 0, socket, having_, kernel_.now());
  return true;
}

bool Models::drain(std::uint32_t socket) {
  for (;;) {
    const std::int64_t count = kernel_.read(socket, false);
    if (!serve(socket, count)) return false;
    if (count <= 0) return true;
  }
}

bool Models::look_elsewhere(bool may_interrupt) {
  if (!kernel_.has_meanwhile() || kernel_.open_count() == 0) return true;
  if (!kernel_.count_step()) return false;
  kernel_.set_state(ProcessState::meanwhile);
  if (!kernel_.compute(kernel_.draw_meanwhile(), Use::user, may_interrupt)) return false;
  kernel_.set_state(ProcessState::running);
  return true;
}

// ---- blocking -------------------------------------------------------------------------------------------------------------------

bool Models::blocking() {
  while (kernel_.open_count() > 0) {
    kernel_.begin_turn();
    for (const std::uint32_t socket : kernel_.open_sockets()) {
      if (!serve(socket, kernel_.read(socket, true))) return false;
    }
  }
  return true;
}

bool Models::blocking_clients() {
  for (std::uint32_t socket = 0; socket < kernel_.socket_count(); ++socket) {
    kernel_.begin_turn();
    while (kernel_.socket(socket).is_open) {
      if (!serve(socket, kernel_.read(socket, true))) return false;
    }
  }
  return true;
}

// ---- a busy loop ----------------------------------------------------------------------------------------------------------------

bool Models::nonblocking() {
  for (std::uint32_t socket = 0; socket < kernel_.socket_count(); ++socket) {
    if (!set_flags(socket, "O_NONBLOCK")) return false;
  }
  while (kernel_.open_count() > 0) {
    kernel_.begin_turn();
    const std::span<const std::uint32_t> open = kernel_.open_sockets();
    if (const std::int64_t rounds = rounds_in_vain(open.size()); rounds > 0) {
      const TimeNs meanwhile = kernel_.has_meanwhile() ? kernel_.draw_meanwhile() : 0;
      if (!kernel_.spin(open, rounds, kernel_.draw(IoCost::call), meanwhile)) return false;
    }
    for (const std::uint32_t socket : open) {
      if (!serve(socket, kernel_.read(socket, false))) return false;
    }
    if (!look_elsewhere()) return false;
  }
  return true;
}

// Whole rounds that end before something arrives, or before the limit of time: nothing changes in them, so they are one step. Their
// number is known where calls always take the same time, and there is nobody else on the core.
std::int64_t Models::rounds_in_vain(std::size_t sockets) {
  const bool is_known = kernel_.is_fixed(IoCost::call) && kernel_.spec().meanwhile.kind == Duration::Kind::fixed &&
                        kernel_.machine().has_own_cores();
  if (!is_known || kernel_.any_ready()) return 0;
  const TimeNs meanwhile = kernel_.has_meanwhile() ? kernel_.draw_meanwhile() : 0;
  const TimeNs call = kernel_.draw(IoCost::call);
  if (call > kernel_.time_limit() / static_cast<std::int64_t>(sockets)) return 0;
  const TimeNs round = static_cast<std::int64_t>(sockets) * call + meanwhile;
  if (round == 0) return 0;
  const TimeNs due = std::min(kernel_.next_arrival(), kernel_.time_limit());
  return std::max<std::int64_t>(due - 1 - kernel_.now() + meanwhile, 0) / round;
}

// ---- multiplexing ---------------------------------------------------------------------------------------------------------------

bool Models::multiplex(SysCall call) {
  while (kernel_.open_count() > 0) {
    kernel_.begin_turn();
    const std::span<const std::uint32_t> open = kernel_.open_sockets();
    const auto scan = [&] { return kernel_.draw(IoCost::scan, open.size()); };
    const auto watched = [&] {
      return kernel_.teller().list(
          open.size(), [&](std::size_t i) { return descriptor_of(open[i]); }, !kernel_.has_meanwhile());
    };
    if (!kernel_.enter(call, kernel_.teller().on() ? watched() : std::string_view(), scan())) return false;
    if (!kernel_.has_meanwhile() && !kernel_.any_ready()) {
      if (!kernel_.block([&] { return kernel_.any_ready(); })) return false;
      if (!kernel_.compute(scan(), Use::kernel)) return false;
    }
    kernel_.find_ready(found_);
    if (kernel_.teller().on()) kernel_.leave(kernel_.teller().found(found_), found_.empty());
    for (const std::uint32_t socket : found_) {
      if (!serve(socket, kernel_.read(socket, false))) return false;
    }
    if (!look_elsewhere()) return false;
  }
  return true;
}

bool Models::epoll(bool is_edge) {
  if (!kernel_.simple(SysCall::epoll_create1, "")) return false;
  for (std::uint32_t socket = 0; socket < kernel_.socket_count(); ++socket) {
    if (is_edge && !set_flags(socket, "O_NONBLOCK")) return false;
    const std::string_view arguments =
        kernel_.teller().text("ADD, {}{}", descriptor_of(socket), is_edge ? ", EPOLLET" : "");
    if (!kernel_.simple(SysCall::epoll_ctl, arguments)) return false;
    kernel_.watch(socket);
  }
  while (kernel_.open_count() > 0) {
    kernel_.begin_turn();
    if (!epoll_wait()) return false;
    for (const std::uint32_t socket : found_) {
      if (is_edge ? !drain(socket) : !serve(socket, kernel_.read(socket, false))) return false;
    }
    if (!look_elsewhere()) return false;
  }
  return true;
}

// Each entry that the list has now is looked at once. One that is reported stands in it again at once, if level-triggered: the next
// call drops it, should it have been read.
bool Models::epoll_wait() {
  if (!kernel_.enter(SysCall::epoll_wait, kernel_.has_meanwhile() ? std::string_view("0") : std::string_view()))
    return false;
  for (;;) {
    found_.clear();
    for (std::size_t left = kernel_.listed_count(); left > 0 && found_.size() < kernel_.process().events; --left) {
      const std::uint32_t socket = kernel_.take_listed();
      if (!kernel_.compute(kernel_.draw(IoCost::ready), Use::kernel)) return false;
      if (!kernel_.socket(socket).is_ready()) continue;
      found_.push_back(socket);
      if (kernel_.process().model == IoModel::epoll && !kernel_.socket(socket).is_listed) kernel_.list(socket);
    }
    if (!found_.empty() || kernel_.has_meanwhile()) break;
    if (!kernel_.block([&] { return kernel_.has_listed(); })) return false;
  }
  kernel_.leave(kernel_.teller().on() ? kernel_.teller().found(found_) : std::string_view(), found_.empty());
  return true;
}

// ---- signals --------------------------------------------------------------------------------------------------------------------

bool Models::signal() {
  if (!kernel_.simple(SysCall::sigprocmask, "SIG_BLOCK, SIGIO")) return false;
  if (!kernel_.simple(SysCall::sigaction, "SIGIO")) return false;
  for (std::uint32_t socket = 0; socket < kernel_.socket_count(); ++socket) {
    if (!kernel_.simple(SysCall::fcntl, kernel_.teller().text("{}, F_SETOWN", descriptor_of(socket)))) return false;
    if (!set_flags(socket, "O_ASYNC|O_NONBLOCK")) return false;
    kernel_.let_signal(socket, IoSignal::sigio);
  }
  if (kernel_.has_meanwhile()) {
    kernel_.set_interrupt({this, [](void* self) { return static_cast<Models*>(self)->deliver(); }});
    if (!kernel_.simple(SysCall::sigprocmask, "SIG_UNBLOCK, SIGIO")) return false;
    while (kernel_.open_count() > 0) {
      kernel_.begin_turn();
      if (!look_elsewhere(true)) return false;
    }
    return true;
  }
  while (kernel_.open_count() > 0) {
    kernel_.begin_turn();
    if (!kernel_.enter(SysCall::sigsuspend, "")) return false;
    if (!kernel_.is_pending() && !kernel_.block([&] { return kernel_.is_pending(); })) return false;
    kernel_.leave("-1 EINTR");
    if (!handle_sigio()) return false;
  }
  return true;
}

// As an interrupt: true if there was a signal, and the run goes on.
bool Models::deliver() { return kernel_.is_pending() && handle_sigio(); }

bool Models::handle_sigio() {
  kernel_.clear_pending();
  if (!kernel_.compute(kernel_.draw(IoCost::signal), Use::kernel)) return false;
  kernel_.teller().signal(IoSignal::sigio, SignalStep::delivered, -1);
  const ProcessState before = kernel_.state();
  kernel_.set_state(ProcessState::handler);
  for (std::uint32_t socket = 0; socket < kernel_.socket_count(); ++socket) {
    if (kernel_.socket(socket).is_open && !drain(socket)) return false;
  }
  if (!kernel_.enter(SysCall::sigreturn, "")) return false;
  kernel_.leave("");
  kernel_.set_state(before);
  return true;
}

bool Models::signal_queue() {
  if (!kernel_.simple(SysCall::sigprocmask, "SIG_BLOCK, SIGRTMIN")) return false;
  for (std::uint32_t socket = 0; socket < kernel_.socket_count(); ++socket) {
    const std::uint32_t fd = descriptor_of(socket);
    if (!kernel_.simple(SysCall::fcntl, kernel_.teller().text("{}, F_SETOWN", fd))) return false;
    if (!kernel_.simple(SysCall::fcntl, kernel_.teller().text("{}, F_SETSIG, SIGRTMIN", fd))) return false;
    if (!set_flags(socket, "O_ASYNC|O_NONBLOCK")) return false;
    kernel_.let_signal(socket, IoSignal::sigrtmin);
  }
  RingQueue<std::uint32_t>& queue = kernel_.queued_signals();
  while (kernel_.open_count() > 0) {
    kernel_.begin_turn();
    const bool waits = !kernel_.has_meanwhile();
    if (!kernel_.enter(SysCall::sigwaitinfo, waits ? std::string_view() : std::string_view("0"))) return false;
    if (queue.empty() && waits && !kernel_.block([&] { return !queue.empty(); })) return false;
    if (queue.empty()) {
      kernel_.leave("-1 EAGAIN", true);
    } else {
      const std::uint32_t socket = queue.pop();
      kernel_.teller().signal(IoSignal::sigrtmin, SignalStep::accepted, descriptor_of(socket));
      kernel_.leave(kernel_.teller().text("SIGRTMIN [{}]", descriptor_of(socket)));
      if (kernel_.socket(socket).is_open && !drain(socket)) return false;
    }
    if (!look_elsewhere()) return false;
  }
  return true;
}

// ---- asynchronous ---------------------------------------------------------------------------------------------------------------

bool Models::async() {
  // The kernel's part of a read is done on the process's thread: it interrupts what that computes.
  kernel_.set_interrupt({this, [](void* self) {
                           auto& models = *static_cast<Models*>(self);
                           RingQueue<std::uint32_t>& wakes = models.kernel_.ring_wakes();
                           return !wakes.empty() && models.complete(wakes.pop());
                         }});
  if (!kernel_.simple(SysCall::io_uring_setup, kernel_.teller().text("{}", kernel_.socket_count()))) return false;
  to_submit_.assign(kernel_.open_sockets().begin(), kernel_.open_sockets().end());
  while (kernel_.open_count() > 0) {
    kernel_.begin_turn();
    if ((!to_submit_.empty() || !kernel_.has_meanwhile()) && !enter_ring()) return false;
    if (!take_completions()) return false;
    if (!look_elsewhere(true)) return false;
  }
  return true;
}

bool Models::enter_ring() {
  const std::size_t given = to_submit_.size();
  const std::size_t wanted = kernel_.has_meanwhile() ? 0 : 1;
  if (!kernel_.enter(SysCall::io_uring_enter, kernel_.teller().text("{}, {}", given, wanted),
                     kernel_.draw(IoCost::submit, given)))
    return false;
  for (const std::uint32_t socket : to_submit_) {
    if (!kernel_.socket(socket).is_ready()) {
      kernel_.socket(socket).is_armed = true;
    } else if (!complete(socket)) {
      return false;
    }
  }
  to_submit_.clear();
  if (!kernel_.run_interrupts()) return false;
  while (done_.size() < wanted) {
    if (!kernel_.block([&] { return !kernel_.ring_wakes().empty(); })) return false;
    if (!kernel_.run_interrupts()) return false;
  }
  kernel_.leave(kernel_.teller().text("{}", given));
  return true;
}

bool Models::complete(std::uint32_t number) {
  Socket& socket = kernel_.socket(number);
  socket.is_armed = socket.wakes = false;
  const ProcessState before = kernel_.state();
  if (before != ProcessState::running) kernel_.set_state(ProcessState::running);
  if (!kernel_.compute(kernel_.draw(IoCost::complete), Use::kernel)) return false;
  const std::int64_t count = kernel_.take(number, 0);
  if (count == Kernel::kOver) return false;
  const std::span<const Taken> taken = kernel_.taken();  // none at the end
  for (const Taken& one : taken) completed_.push(one);
  done_.push({number, static_cast<std::uint32_t>(count), taken.size()});
  kernel_.teller().completion(EventKind::complete, number, static_cast<std::uint32_t>(count));
  return true;
}

// Those too that come meanwhile.
bool Models::take_completions() {
  while (!done_.empty()) {
    const Completion one = done_.pop();
    having_.clear();
    for (std::size_t i = 0; i < one.messages; ++i) having_.push_back(completed_.pop());
    kernel_.teller().completion(EventKind::take, one.socket, one.bytes);
    kernel_.have(one.socket, having_);
    if (one.bytes == 0) {
      if (!kernel_.close(one.socket)) return false;
      continue;
    }
    if (!work(one.socket, true)) return false;
    to_submit_.push_back(one.socket);
  }
  return true;
}

}  // namespace loopsim::io
