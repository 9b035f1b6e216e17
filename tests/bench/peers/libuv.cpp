// libuv itself on a virtual clock: the loop that loopsim simulates, without JavaScript. clock_gettime() and epoll_wait() below take the
// place of libc's: where libuv would sleep, the clock goes on by as much. No system call is left, since no descriptor is ever ready.
//
//   w1   a timer handle for each that is pending, started again by its own callback
//   w2   a check handle, with an idle handle so that the poll does not wait: what Node makes of a chain of immediates. Both stay started,
//        as in Node, where the idle handle is stopped only when no immediate is left. A callback is a turn of the loop.
#include <cerrno>
#include <ctime>
#include <vector>

#include <sys/epoll.h>
#include <uv.h>

#include "workload.hpp"

namespace {

Workload work;
Delays delays;
std::uint64_t callbacks = 0;
std::uint64_t now_ms = 1'000'000;

// The loop ends with the first callback that is one too many, so that all that count have armed the next one.
void again(uv_timer_t* timer) {
  if (callbacks == work.callbacks) return uv_stop(timer->loop);
  ++callbacks;
  uv_timer_start(timer, &again, delays.next_ms(), 0);
}

void again(uv_check_t* check) {
  if (++callbacks == work.callbacks) uv_stop(check->loop);
}

void run_timers(uv_loop_t* loop) {
  std::vector<uv_timer_t> timers(work.pending);
  for (uv_timer_t& timer : timers) {
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, &again, delays.next_ms(), 0);
  }
  uv_run(loop, UV_RUN_DEFAULT);
}

void run_chain(uv_loop_t* loop) {
  uv_check_t check;
  uv_idle_t idle;
  uv_check_init(loop, &check);
  uv_check_start(&check, &again);
  uv_idle_init(loop, &idle);
  uv_idle_start(&idle, [](uv_idle_t* /*idle*/) {});
  uv_run(loop, UV_RUN_DEFAULT);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t /*id*/, timespec* time) noexcept {
  time->tv_sec = static_cast<time_t>(now_ms / 1000);
  time->tv_nsec = static_cast<long>(now_ms % 1000 * 1'000'000);
  return 0;
}

int epoll_wait(int /*fd*/, epoll_event* /*events*/, int /*most*/, int timeout_ms) {
  if (timeout_ms < 0) {  // nothing will ever happen
    errno = EINVAL;
    return -1;
  }
  now_ms += static_cast<std::uint64_t>(timeout_ms);
  return 0;
}

// Which of the two libuv calls depends on its version.
int epoll_pwait(int fd, epoll_event* events, int most, int timeout_ms, const sigset_t* /*mask*/) {
  return epoll_wait(fd, events, most, timeout_ms);
}
}

int main(int count, char** words) {
  work = read_workload(count, words);
  uv_loop_t loop;
  uv_loop_init(&loop);
  if (work.chain)
    run_chain(&loop);
  else
    run_timers(&loop);
  return report(callbacks);
}
