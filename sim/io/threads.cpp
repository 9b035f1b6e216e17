#include "sim/io/threads.hpp"

namespace loopsim::io {

namespace {
constexpr std::uint64_t kBehindArrivals = std::uint64_t{1}
                                          << 32U;  // FutureEvent::order: arrivals have the numbers of their sources
}

Threads::Threads(Kernel& kernel)
    : kernel_(kernel), threads_(kernel.socket_count()), left_(kernel.socket_count()), orders_(kBehindArrivals) {
  kernel_.machine().set_worker_host({this, [](void* self, std::uint32_t thread) {
                                       static_cast<Threads*>(self)->finish(thread);
                                       return thread;
                                     }});
  kernel_.set_thread_host(
      {this, [](void* self, std::uint32_t socket) { static_cast<Threads*>(self)->on_arrival(socket); }});
}

bool Threads::run() {
  kernel_.begin_turn();
  for (std::uint32_t socket = 0; socket < threads_.size(); ++socket) {
    if (!kernel_.enter(SysCall::clone, "", kernel_.draw(IoCost::thread))) return false;
    kernel_.leave(kernel_.teller().text("T{}", number_of(socket)));
    begin_call(socket, SysCall::read, Step::reading);
  }
  return kernel_.wait([&] { return left_ == 0; });
}

// ---- the steps of a thread ------------------------------------------------------------------------------------------------------

void Threads::start(std::uint32_t socket, Step step, TimeNs cost, bool needs_cpu) {
  if (kernel_.is_over()) return;
  threads_[socket].step = step;
  threads_[socket].cost = cost;
  kernel_.machine().start_worker(socket, cost, needs_cpu, ++orders_);
}

// A step of the thread is done. What arrives at the same time comes first.
void Threads::finish(std::uint32_t socket) {
  kernel_.take_arrivals();
  if (kernel_.is_over()) return;
  Thread& thread = threads_[socket];
  const bool is_kernel = thread.step != Step::working && thread.step != Step::waking;
  if (thread.step == Step::working) thread.used_user += thread.cost;
  if (is_kernel) thread.used_kernel += thread.cost;
  switch (thread.step) {
    case Step::reading:
      if (kernel_.socket(socket).is_ready()) return go_on_reading(socket);
      return block(socket);
    case Step::waking:
      thread.blocked += kernel_.now() - thread.blocked_from;
      kernel_.teller().state(number_of(socket), ProcessState::running, thread.call);
      return start(socket, Step::switching, kernel_.draw(IoCost::switch_));
    case Step::switching: return go_on_reading(socket);
    case Step::copying: return return_from_read(socket);
    case Step::working:
      kernel_.teller().state(number_of(socket), ProcessState::running);
      kernel_.teller().messages(EventKind::served, number_of(socket), socket, thread.taken, kernel_.now());
      return begin_call(socket, SysCall::read, Step::reading);
    case Step::closing:
      kernel_.closed(socket);
      tell_return(socket, SysCall::close, 0);
      return end(socket);
    case Step::none:
    case Step::blocked:
    case Step::ended: return;
  }
}

void Threads::begin_call(std::uint32_t socket, SysCall call, Step step) {
  if (!kernel_.count_step()) return;
  Thread& thread = threads_[socket];
  thread.call = kernel_.next_call();
  thread.entered = kernel_.now();
  thread.blocked = 0;
  kernel_.teller().enters(number_of(socket), call, thread.call, socket);
  start(socket, step, kernel_.draw(IoCost::call));
}

void Threads::block(std::uint32_t socket) {
  Thread& thread = threads_[socket];
  thread.step = Step::blocked;
  thread.blocked_from = kernel_.now();
  kernel_.teller().state(number_of(socket), ProcessState::blocked, thread.call);
}

void Threads::on_arrival(std::uint32_t socket) {
  if (threads_[socket].step != Step::blocked) return;
  kernel_.teller().wakes(number_of(socket), socket);
  start(socket, Step::waking, kernel_.draw_wakeup(), false);
}

void Threads::go_on_reading(std::uint32_t socket) {
  Thread& thread = threads_[socket];
  bool is_cut = false;
  thread.count = kernel_.take_bytes(socket, is_cut);
  thread.taken.swap(kernel_.taken());
  if (thread.count == 0) {
    tell_return(socket, SysCall::read, 0);
    return begin_call(socket, SysCall::close, Step::closing);
  }
  const TimeNs takes = kernel_.draw_copy(thread.count);
  kernel_.teller().copies(number_of(socket), socket, thread.count, takes, thread.call, is_cut);
  start(socket, Step::copying, takes);
}

void Threads::return_from_read(std::uint32_t socket) {
  Thread& thread = threads_[socket];
  kernel_.teller().messages(EventKind::message, number_of(socket), socket, thread.taken, kernel_.now());
  tell_return(socket, SysCall::read, thread.count);
  if (kernel_.has_work()) {
    kernel_.teller().state(number_of(socket), ProcessState::computing);
    return start(socket, Step::working, kernel_.draw_work());
  }
  kernel_.teller().messages(EventKind::served, number_of(socket), socket, thread.taken, kernel_.now());
  begin_call(socket, SysCall::read, Step::reading);
}

void Threads::end(std::uint32_t socket) {
  threads_[socket].step = Step::ended;
  tell_end(socket);
  --left_;
}

// ---- the trace ------------------------------------------------------------------------------------------------------------------

void Threads::tell_return(std::uint32_t socket, SysCall call, std::int64_t result) {
  if (!kernel_.teller().on()) return;
  const Thread& thread = threads_[socket];
  kernel_.teller().returns(number_of(socket), call, thread.call, kernel_.teller().number(result),
                           kernel_.now() - thread.entered, thread.blocked, false);
}

void Threads::tell_end(std::uint32_t socket) {
  const Thread& thread = threads_[socket];
  Event* const event = kernel_.teller().state(number_of(socket), ProcessState::ended);
  if (event == nullptr) return;
  event->a = thread.used_user;
  event->b = thread.used_kernel;
  event->c = 0;
}

void Threads::tell_ends() {
  for (std::uint32_t socket = 0; socket < threads_.size(); ++socket) {
    if (threads_[socket].step != Step::none && threads_[socket].step != Step::ended) tell_end(socket);
  }
}

}  // namespace loopsim::io
