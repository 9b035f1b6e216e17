// Another program on the machine: computes for a while, sleeps for a while, and so on. Both times are exponential.
//
//     burner BUSY_MS IDLE_MS SEED
//
// `busy` is CPU time of its own, as it is in the key `load` of a scenario under one of Linux's schedulers: however long others
// hold the core, it has had that much when it goes to sleep. It counts the time between two readings of the clock, which is some 20 ns,
// unless somebody else had the core meanwhile. Asking the kernel for the thread's CPU time would be simpler, but then the kernel looks
// whether the slice is over, each time: slices would end when they should, as they do in no program that just computes.
// It ends with the process that has started it.
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static uint64_t state;

// splitmix64
static double uniform(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return ((double) ((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double exponential(double mean) { return -log(uniform()) * mean; }

static const double lost = 0.1;  // ms: a longer time between two readings was somebody else's

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec * 1e3 + (double) time.tv_nsec * 1e-6;
}

static void compute(double amount) {
  for (double last = now(); amount > 0;) {
    const double at = now();
    if (at - last < lost) amount -= at - last;
    last = at;
  }
}

int main(int count, char** words) {
  if (count != 4) {
    fputs("usage: burner BUSY_MS IDLE_MS SEED\n", stderr);
    return 2;
  }
  const double busy = atof(words[1]), idle = atof(words[2]);
  state = strtoull(words[3], NULL, 10);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;) {
    compute(exponential(busy));
    const double pause = exponential(idle);
    const struct timespec sleep = {(time_t) (pause / 1e3), (long) (pause * 1e6) % 1000000000L};
    if (pause > 0) nanosleep(&sleep, NULL);
  }
}
