// Signal-driven I/O: the kernel sends a signal when something arrives.
//
//     variant=handler   SIGIO, whose handler reads all sockets until there is nothing more: it does not say which one it
//                       is for, and many are one while it is blocked (the default). The process waits in sigsuspend(),
//                       which EINTR ends, or computes
//     variant=queue     a real-time signal for each arrival (F_SETSIG), which are queued and name the socket; the process
//                       takes them with sigwaitinfo(), and reads that socket until there is nothing more
#include "io.h"

static void on_data(int number) {
  (void)number;
  for (int fd = FIRST; fd < FIRST + sockets; ++fd)
    while (is_open[fd] && read_once(fd)) {}
}

int main(int count, char** words) {
  begin(count, words);
  const int queue = strcmp(variant, "queue") == 0;
  const int number = queue ? SIGRTMIN : SIGIO;
  sigset_t wanted, none;
  sigemptyset(&none);
  sigemptyset(&wanted);
  sigaddset(&wanted, number);
  check(sigprocmask(SIG_BLOCK, &wanted, NULL), "sigprocmask");
  if (!queue) {
    struct sigaction action = {.sa_handler = on_data};
    check(sigaction(number, &action, NULL), "sigaction");
  }
  const int process = getpid();
  for (int fd = FIRST; fd < FIRST + sockets; ++fd) {
    check(fcntl(fd, F_SETOWN, process), "fcntl");
    if (queue) check(fcntl(fd, F_SETSIG, number), "fcntl");
    check(fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK), "fcntl");
  }
  if (!queue && meanwhile > 0) {
    check(sigprocmask(SIG_UNBLOCK, &wanted, NULL), "sigprocmask");
    while (opened > 0) compute(meanwhile);
  }
  const struct timespec at_once = {0, 0};
  while (opened > 0) {
    if (!queue) {
      sigsuspend(&none);
      continue;
    }
    siginfo_t about;
    if ((meanwhile > 0 ? sigtimedwait(&wanted, &about, &at_once) : sigwaitinfo(&wanted, &about)) >= 0) {
      while (is_open[about.si_fd] && read_once(about.si_fd)) {}
    } else if (errno != EAGAIN) {
      check(-1, "sigwaitinfo");
    }
    if (meanwhile > 0 && opened > 0) compute(meanwhile);
  }
  finish();
}
