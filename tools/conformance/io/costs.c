// Measures what the calls of the models cost here, for "costs": ns of CPU, the least of several batches. Takes about a second.
//
//     costs        one figure a line, by the names of the scenario language, and what it was taken from
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 15, MOST = 900 };
static int pairs[MOST][2], list;
static char bytes[1 << 17];
static struct pollfd polled[MOST];
static fd_set all;
static int count;  // of descriptors, or bytes

static double ns(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double least(void (*what)(void), int times) {
  double best = 1e18;
  for (int batch = 0; batch < BATCHES; ++batch) {
    const double begin = ns(CLOCK_MONOTONIC);
    for (int i = 0; i < times; ++i) what();
    const double one = (ns(CLOCK_MONOTONIC) - begin) / times;
    if (one < best) best = one;
  }
  return best;
}

static void in_vain(void) { (void)!read(pairs[0][0], bytes, 100); }
static void there_and_back(void) {
  (void)!write(pairs[0][1], bytes, (size_t)count);
  (void)!read(pairs[0][0], bytes, (size_t)count);
}
static void one_poll(void) { poll(polled, (nfds_t)count, 0); }
static void one_select(void) {
  fd_set set = all;
  struct timeval none = {0, 0};
  select(count, &set, NULL, NULL, &none);
}
static void one_epoll(void) {
  static struct epoll_event found[MOST];
  epoll_wait(list, found, MOST, 0);
}
static void nothing(int number) { (void)number; }
static void one_signal(void) { kill(getpid(), SIGUSR1); }
static void one_kill(void) { kill(getpid(), 0); }
static void* body(void* argument) { return argument; }
static void one_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  pthread_join(thread, NULL);
}

static int ring;
static unsigned *tail, *array, mask, *head, *done_tail;
static struct io_uring_sqe* entries;
static void no_operations(void) {  // `count` of them in one call
  for (int i = 0; i < count; ++i) {
    struct io_uring_sqe* const entry = &entries[*tail & mask];
    memset(entry, 0, sizeof *entry);
    entry->opcode = IORING_OP_READ;
    entry->fd = pairs[2][0];  // the end of a stream: done at once, and nothing to copy
    entry->addr = (unsigned long)bytes;
    entry->len = 100;
    entry->off = (unsigned long)-1;
    array[*tail & mask] = *tail & mask;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
  }
  syscall(SYS_io_uring_enter, ring, count, 0, IORING_ENTER_GETEVENTS, NULL, 0);
  __atomic_store_n(head, __atomic_load_n(done_tail, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
}

static void* echo(void* argument) {
  char one;
  while (read(pairs[3][0], &one, 1) == 1) (void)!write(pairs[4][1], &one, 1);
  return argument;
}

int main(void) {
  const struct rlimit many = {4096, 4096};
  setrlimit(RLIMIT_NOFILE, &many);
  for (int i = 0; i < MOST; ++i) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i])) return 2;
    pairs[i][1] = fcntl(pairs[i][1], F_DUPFD, 1024);  // so that a select() has the first ones
  }
  for (int fd = 3; fd < 1024; ++fd) FD_SET(fd, &all);
  list = epoll_create1(0);
  fcntl(pairs[0][0], F_SETFL, O_NONBLOCK);

  const double call = least(in_vain, 20000);
  printf("call      %7.1f  read() = -1 EAGAIN\n", call);
  count = 1024;
  const double small = least(there_and_back, 5000);
  count = 65536;
  const double large = least(there_and_back, 300);
  printf("copy      %7.1f  a KiB: half of write() and read() of 64 KiB less those of 1 KiB\n",
         (large - small) / 63 / 2);
  for (int i = 0; i < MOST; ++i) polled[i] = (struct pollfd){pairs[i][0], POLLIN, 0};
  count = 10;
  const double few = least(one_poll, 5000);
  count = MOST;
  const double lots = least(one_poll, 100);
  printf("scan      %7.1f  poll() of %d less that of 10; 10 take %.1f\n", (lots - few) / (MOST - 10), (int)MOST, few);
  int highest = 0, watched = 0;
  FD_ZERO(&all);
  for (int i = 0; i < MOST; ++i)
    if (pairs[i][0] < 1024) {
      FD_SET(pairs[i][0], &all);
      if (pairs[i][0] > highest) highest = pairs[i][0];
      ++watched;
    }
  count = highest + 1;
  printf("          %7.1f  the same of select(), of %d\n", (least(one_select, 100) - call) / watched, watched);
  for (int i = 0; i < MOST; ++i) {
    struct epoll_event wanted = {.events = EPOLLIN};
    epoll_ctl(list, EPOLL_CTL_ADD, pairs[i][0], &wanted);
  }
  const double none = least(one_epoll, 5000);
  for (int i = 10; i < 210; ++i) (void)!write(pairs[i][1], bytes, 1);
  printf("ready     %7.1f  epoll_wait() with 200 ready of %d less that with none, which takes %.1f\n",
         (least(one_epoll, 500) - none) / 200, (int)MOST, none);
  signal(SIGUSR1, nothing);
  printf("signal    %7.1f  kill() with a handler less one without, and less a call for sigreturn()\n",
         least(one_signal, 3000) - least(one_kill, 3000) - call);

  struct io_uring_params p;
  memset(&p, 0, sizeof p);
  ring = (int)syscall(SYS_io_uring_setup, 64, &p);
  if (ring >= 0) {
    const int flags = MAP_SHARED | MAP_POPULATE, access = PROT_READ | PROT_WRITE;
    char* const sq = mmap(NULL, p.sq_off.array + p.sq_entries * 4, access, flags, ring, IORING_OFF_SQ_RING);
    char* const cq = mmap(NULL, p.cq_off.cqes + p.cq_entries * 16, access, flags, ring, IORING_OFF_CQ_RING);
    entries = mmap(NULL, p.sq_entries * sizeof *entries, access, flags, ring, IORING_OFF_SQES);
    tail = (unsigned*)(sq + p.sq_off.tail);
    array = (unsigned*)(sq + p.sq_off.array);
    mask = *(unsigned*)(sq + p.sq_off.ring_mask);
    head = (unsigned*)(cq + p.cq_off.head);
    done_tail = (unsigned*)(cq + p.cq_off.tail);
    shutdown(pairs[2][1], SHUT_WR);
    count = 1;
    const double one = least(no_operations, 3000);
    count = 33;
    printf(
        "submit+   %7.1f  io_uring_enter() with 33 reads that are done at once less that with one, which takes %.1f: "
        "submit and complete\n",
        (least(no_operations, 300) - one) / 32, one);
  }
  printf("thread    %7.1f  pthread_create() and pthread_join()\n", least(one_thread, 100));

  // A ping-pong of two threads, on one core, so that each turn is two switches.
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(0, &core);
  sched_setaffinity(0, sizeof core, &core);
  pthread_t other;
  pthread_create(&other, NULL, echo, NULL);
  double best = 1e18;
  for (int batch = 0; batch < BATCHES; ++batch) {
    const double begin = ns(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < 300; ++i) {
      char byte = 0;
      (void)!write(pairs[3][1], &byte, 1);
      (void)!read(pairs[4][0], &byte, 1);
    }
    const double one = (ns(CLOCK_PROCESS_CPUTIME_ID) - begin) / 300;
    if (one < best) best = one;
  }
  count = 1;
  printf(
      "switch    %7.1f  half of a ping-pong of two threads on a core (CPU), less write() and read() without a switch\n",
      best / 2 - least(there_and_back, 5000));
  return 0;
}
