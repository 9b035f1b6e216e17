// What a core does to a thread that computes, and to one that sleeps, and what calls of the kernel cost.
//
//     cores CORE SECONDS ROUNDS
//
// Watches the clock for so many seconds, on that core. Each time that it seems to have stood still for more than 100 us it asks the kernel
// whether the thread had to wait for the core meanwhile (/proc/self/schedstat). What remains unexplained was taken by somebody whom the
// kernel does not see: the hypervisor. Then it sleeps in epoll for 1, 2, 4 ... 128 ms, as often as ROUNDS says, and notes by how much each
// sleep outlasts its timeout. Prints JSON; times are in nanoseconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kMostGaps = 100000, kCalls = 20000, kLongGap = 100000 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int schedstat = -1;

// How long the thread has waited for a core, or -1.
static int64_t waited(void) {
  char text[100];
  const ssize_t length = schedstat < 0 ? -1 : pread(schedstat, text, sizeof text - 1, 0);
  long long ran = 0, wait = 0;
  if (length <= 0) return -1;
  text[length] = 0;
  return sscanf(text, "%lld %lld", &ran, &wait) == 2 ? wait : -1;
}

static void watch(double seconds) {
  static int64_t stolen[kMostGaps];
  int thefts = 0;
  int64_t in_others = 0, in_interrupts = 0, had_waited = waited();
  const int64_t begin = now(), end = begin + (int64_t) (seconds * 1e9);
  for (int64_t last = begin; last < end;) {
    const int64_t at = now(), gap = at - last;
    last = at;
    if (gap < 2000) continue;
    if (gap < kLongGap) {
      in_interrupts += gap;
      continue;
    }
    const int64_t wait = waited(), others = wait - had_waited;
    had_waited = wait;
    if (others > gap / 2)
      in_others += gap;
    else if (thefts < kMostGaps)
      stolen[thefts++] = gap;
    last = now();
  }
  printf("\"lasted\": %lld, \"interrupts\": %lld, \"others\": %lld, \"sees\": %s, \"stolen\": [", (long long) (now() - begin),
         (long long) in_interrupts, (long long) in_others, had_waited >= 0 ? "true" : "false");
  for (int i = 0; i < thefts; ++i) printf("%s%lld", i == 0 ? "" : ", ", (long long) stolen[i]);
  printf("]");
}

static void count_calls(void) {
  int64_t from = now();
  for (int i = 0; i < kCalls; ++i) syscall(SYS_getppid);
  const double calls = (double) (now() - from);
  from = now();
  for (int i = 0; i < kCalls; ++i) now();
  printf("\"call\": %.1f, \"reading\": %.1f, \"slack\": %d", calls / kCalls, (double) (now() - from) / kCalls,
         prctl(PR_GET_TIMERSLACK));
}

static void sleep_often(int rounds) {
  const int poll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event;
  printf("\"sleeps\": {");
  for (int length = 1; length <= 128; length *= 2) {
    printf("%s\"%d\": [", length == 1 ? "" : ", ", length);
    for (int i = 0; i < rounds; ++i) {
      const int64_t from = now();
      epoll_wait(poll, &event, 1, length);
      printf("%s%lld", i == 0 ? "" : ", ", (long long) (now() - from - length * INT64_C(1000000)));
    }
    printf("]");
  }
  printf("}");
}

int main(int count, char** words) {
  if (count != 4) {
    fputs("usage: cores CORE SECONDS ROUNDS\n", stderr);
    return 2;
  }
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(atoi(words[1]), &cores);
  if (sched_setaffinity(0, sizeof cores, &cores) != 0) {
    perror("sched_setaffinity");
    return 1;
  }
  schedstat = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
  printf("{");
  watch(atof(words[2]));
  printf(", ");
  count_calls();
  printf(", ");
  sleep_often(atoi(words[3]));
  puts("}");
}
