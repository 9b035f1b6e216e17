/* vclock: a virtual clock for a real Node.js, loaded with LD_PRELOAD.
 *
 * Virtual time stands still while the program runs. It advances in five places only:
 *
 *   process.chdir("vclock:burn:<ns>")   JavaScript uses <ns> of CPU;
 *   process.chdir("vclock:tick")        advance to the next whole millisecond;
 *   epoll_wait and its kin              the loop blocks: advance to the earliest of the poll's deadline, the end of
 *                                       the next thread-pool operation and the next outside event
 *                                       (vclock_world.c: signals, clients, child processes);
 *   pthread_join                        the process ends and libuv waits for its busy workers;
 *   repeated reads of the clock         a busy wait (while (Date.now() < end);): after SPIN_READS reads with no
 *                                       advance in between, advance to the next whole millisecond.
 *
 * A thread-pool operation of a given duration is a libc call with a magic name, made by libuv in a worker:
 *
 *   fs.access("/vclock/op/<ns>/<number>")           succeeds after <ns>
 *   fs.access("/vclock/fail/<ns>/<number>")         fails (EACCES) after <ns>
 *   fs.access("/vclock/error/<ns>/<number>/<errno>")        fails with this error, 0: succeeds; also stat, mkdir, rmdir, unlink
 *   dns.lookup("vclock-op-<ns>-<number>.invalid")   "slow I/O": 127.0.0.1 after <ns>
 *   dns.lookup("vclock-error-<ns>-<number>-<code>.invalid") fails with -<code>, 0: succeeds
 *
 * Why it is exact: once the clock is started, the loop's thread and the pool's workers never run concurrently.
 * A worker is RUNNING, IDLE (in libuv's condition wait) or BUSY (in a magic call).
 * The loop's thread waits in three places until no worker is RUNNING: when it unlocks the pool's mutex (a
 * submission), when it advances time, and when it polls. So a worker picks up an operation exactly at the time of
 * its submission or of the worker's last completion. There are no sleeps and no guesses.
 *
 *      loop thread   --submit--|        |--burn 12--.........................|--poll--
 *      worker 0                |--pick--|           . end of op, post, pick  |
 *      time          0         0        0           5                        12
 *
 * To advance time: while an operation ends at or before the new time, set the clock to its end, release that one
 * worker, and wait until none is RUNNING. Operations with equal ends complete in the order of their numbers.
 *
 * process.chdir("vclock:start") must precede the first operation: it registers the pool's workers by running a
 * barrier task on each of them, through a separate loop (public libuv calls only).
 *
 * Environment: VCLOCK_PHASE_NS  the process's start within a millisecond (0..999999, default 0)
 *              VCLOCK_END_FD    a file descriptor for a last line `exit <ns>`, the time at which JavaScript ended
 *              VCLOCK_LOG       a file descriptor for a log, one line per action
 *              VCLOCK_NETWORK   if set: a private network with only a loopback (needs Linux's user namespaces)
 *              VCLOCK_PATIENCE  real seconds to wait for real events before giving up (default 10)
 */
#define _GNU_SOURCE
#include "vclock.h"

#include <dlfcn.h>
#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "vclock_network.h"
#include "vclock_world.h"

enum { NS_PER_US = 1000, NS_PER_MS = 1000000, NS_PER_S = 1000000000, MAX_WORKERS = 1024, EXIT_VCLOCK = 125 };
enum { SPIN_READS = 100000, SPIN_READS_MORE = 1000 }; /* to detect a busy wait; per further millisecond of it */

/* Both clocks start on a whole millisecond plus the phase, so that Date.now() and loop time step together. */
static const int64_t MONOTONIC_BASE_NS = 1000LL * NS_PER_S;
static const int64_t REALTIME_BASE_NS = 1700000000LL * NS_PER_S;

enum worker_state { RUNNING, IDLE, BUSY, GONE };

struct worker {
  enum worker_state state;
  bool go;            /* released from IDLE or BUSY */
  int64_t end_ns;     /* BUSY: when the operation ends */
  int64_t number;     /* BUSY: breaks ties */
  pthread_cond_t wake;
};

/* Guarded by `big`, except for what is written once before other threads can read it. */
static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t settled_cond = PTHREAD_COND_INITIALIZER;
static int64_t now_ns;     /* since the process started, phase included */
static int64_t phase_ns;
static struct worker workers[MAX_WORKERS];
static int worker_count;
static int running_count;
static int arrived_count;  /* the barrier of start() */
static int expected_count;
static bool started;
static bool starting;
static pthread_cond_t *pool_cond;
static pthread_mutex_t *pool_mutex;
static pthread_key_t gone_key;
static int reads_left = SPIN_READS;
static bool ended;         /* the exit can no longer be stopped */
static bool exiting;       /* "vclock:exit" was called: a later poll is part of Node's cleanup */
static int64_t end_ns = -1; /* when JavaScript ended */
static bool calibrating;   /* V8 measures its clock's resolution: let it tick */
static int64_t calibration_ns;
static int log_fd = -1;
static int patience_s = 10;
static bool has_network;

static __thread struct worker *self;
static __thread bool is_loop_thread __attribute__((tls_model("initial-exec")));
static __thread bool in_start;

/* ---- the real functions ------------------------------------------------------------------------------ */

#define REAL(name) ((__typeof__(&name))real(#name, &real_##name, NULL))
#define REAL_AT(name, version) ((__typeof__(&name))real(#name, &real_##name, version))
#define SLOT(name) static void *real_##name;
SLOT(clock_gettime) SLOT(epoll_pwait) SLOT(syscall) SLOT(access) SLOT(faccessat) SLOT(chdir) SLOT(getaddrinfo)
SLOT(pthread_cond_wait) SLOT(pthread_cond_signal) SLOT(pthread_cond_broadcast) SLOT(pthread_mutex_lock)
SLOT(pthread_mutex_unlock) SLOT(pthread_join) SLOT(socket) SLOT(accept) SLOT(accept4) SLOT(mkdir) SLOT(rmdir)
SLOT(unlink) SLOT(stat) SLOT(stat64)

static void *real(const char *name, void **slot, const char *version) {
  if (!*slot) {
    void *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
    *slot = found ? found : dlsym(RTLD_NEXT, name);
  }
  return *slot;
}

static const char *const COND_VERSION = "GLIBC_2.3.2"; /* an older, incompatible set has the same names */

static void lock(void) { REAL(pthread_mutex_lock)(&big); }
static void unlock(void) { REAL(pthread_mutex_unlock)(&big); }
static void cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  REAL_AT(pthread_cond_wait, COND_VERSION)(c, m);
}
static void cond_signal(pthread_cond_t *c) { REAL_AT(pthread_cond_signal, COND_VERSION)(c); }

static void say(int fd, const char *format, va_list args) {
  char line[512];
  int n = vsnprintf(line, sizeof line - 1, format, args);
  if (n < 0) return;
  if (n > (int)sizeof line - 2) n = sizeof line - 2;
  line[n] = '\n';
  if (write(fd, line, (size_t)n + 1) < 0) return;
}

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
  if (log_fd < 0) return;
  va_list args;
  va_start(args, format);
  say(log_fd, format, args);
  va_end(args);
}

__attribute__((format(printf, 1, 2), noreturn)) static void give_up(const char *format, ...) {
  va_list args;
  va_start(args, format);
  say(2, format, args);
  va_end(args);
  _exit(EXIT_VCLOCK);
}

static int64_t real_monotonic_ns(void) {
  struct timespec t;
  REAL(clock_gettime)(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* ---- workers ----------------------------------------------------------------------------------------- */

/* The caller of each of these functions holds `big`. */

static void set_state(struct worker *w, enum worker_state state) {
  if (w->state == RUNNING && state != RUNNING && --running_count == 0) cond_signal(&settled_cond);
  if (w->state != RUNNING && state == RUNNING) ++running_count;
  w->state = state;
}

static void release(struct worker *w) {
  w->go = true;
  set_state(w, RUNNING);
  cond_signal(&w->wake);
}

static void wait_for_go(struct worker *w, enum worker_state state) {
  w->go = false;
  set_state(w, state);
  while (!w->go) cond_wait(&w->wake, &big);
}

static void settle(void) {
  int64_t limit = real_monotonic_ns() + (int64_t)patience_s * NS_PER_S;
  struct timespec until = {limit / NS_PER_S, limit % NS_PER_S};
  while (running_count > 0) {
    if (pthread_cond_clockwait(&settled_cond, &big, CLOCK_MONOTONIC, &until) == ETIMEDOUT && running_count > 0)
      give_up("vclock: real work in the thread pool did not end in %d s", patience_s);
  }
}

static struct worker *first_to_end(void) {
  struct worker *first = NULL;
  for (int i = 0; i < worker_count; i++) {
    struct worker *w = &workers[i];
    if (w->state != BUSY) continue;
    if (!first || w->end_ns < first->end_ns || (w->end_ns == first->end_ns && w->number < first->number)) first = w;
  }
  return first;
}

static bool world_is_first(void) {
  int64_t ns, number;
  if (!world_next(&ns, &number)) return false;
  const struct worker *w = first_to_end();
  return !w || ns < w->end_ns || (ns == w->end_ns && number < w->number);
}

/* Time of the next completion in the pool or outside event; INT64_MAX: none. */
static int64_t next_ns(void) {
  int64_t ns, number;
  if (!world_is_first()) {
    const struct worker *w = first_to_end();
    return w ? w->end_ns : INT64_MAX;
  }
  return world_next(&ns, &number) ? ns : INT64_MAX;
}

/* Advances the clock; on the way completes the due operations and outside events, one at a time. */
static void advance_to(int64_t target_ns) {
  reads_left = SPIN_READS;
  settle();
  for (int64_t next; (next = next_ns()) <= target_ns;) {
    if (next > now_ns) now_ns = next;
    struct worker *w = world_is_first() ? NULL : first_to_end();
    if (w) {
      note("%lld complete op %lld worker %d", (long long)now_ns, (long long)w->number, (int)(w - workers));
      release(w);
    } else {
      note("%lld something happens outside", (long long)now_ns);
      world_happen();
    }
    settle();
  }
  if (target_ns > now_ns) now_ns = target_ns;
}

static void worker_gone(void *w) {
  lock();
  set_state(w, GONE);
  unlock();
}

/* ---- start: finding the pool's threads --------------------------------------------------------------- */

typedef struct uv_loop_s uv_loop_t;
typedef struct uv_work_s uv_work_t;

static void meet(uv_work_t *request) {
  (void)request;
  lock();
  self = &workers[worker_count++];
  self->state = RUNNING;
  ++running_count;
  pthread_setspecific(gone_key, self);
  if (++arrived_count == expected_count)
    for (int i = 0; i < worker_count; i++) cond_signal(&workers[i].wake);
  while (arrived_count < expected_count) cond_wait(&self->wake, &big);
  unlock();
}

static void met(uv_work_t *request, int status) { (void)request, (void)status; }

/* As in libuv; the upper limit rose from 128 to 1024 in 1.30. */
static int pool_size(unsigned uv_version) {
  const char *text = getenv("UV_THREADPOOL_SIZE");
  int limit = uv_version >= ((1u << 16) | (30u << 8)) ? 1024 : 128;
  int size = text ? atoi(text) : 4;
  if (size == 0) size = 1;
  return size < 0 || size > limit ? limit : size;
}

#define UV(type, name, params)                                          \
  type(*name) params = (type(*) params)dlsym(RTLD_DEFAULT, #name);      \
  if (!name) give_up("vclock: the binary does not export %s", #name)

static void start(void) {
  if (started || starting) return;
  enum { UV_RUN_DEFAULT = 0, UV_WORK_REQ = 7 };
  UV(unsigned, uv_version, (void));
  UV(size_t, uv_loop_size, (void));
  UV(size_t, uv_req_size, (int));
  UV(int, uv_loop_init, (uv_loop_t *));
  UV(int, uv_loop_close, (uv_loop_t *));
  UV(int, uv_run, (uv_loop_t *, int));
  UV(int, uv_queue_work, (uv_loop_t *, uv_work_t *, void (*)(uv_work_t *), void (*)(uv_work_t *, int)));

  starting = in_start = true;
  expected_count = pool_size(uv_version());
  for (int i = 0; i < expected_count; i++) pthread_cond_init(&workers[i].wake, NULL);
  uv_loop_t *loop = calloc(1, uv_loop_size());
  size_t request_size = uv_req_size(UV_WORK_REQ);
  char *requests = calloc((size_t)expected_count, request_size);
  if (!loop || !requests || uv_loop_init(loop) != 0) give_up("vclock: cannot make a loop");
  for (int i = 0; i < expected_count; i++)
    if (uv_queue_work(loop, (uv_work_t *)(requests + (size_t)i * request_size), meet, met) != 0)
      give_up("vclock: cannot reach the thread pool");
  uv_run(loop, UV_RUN_DEFAULT);
  uv_loop_close(loop);
  free(requests);
  free(loop);
  lock();
  settle();
  started = true;
  starting = in_start = false;
  note("%lld start, %d workers", (long long)now_ns, worker_count);
  unlock();
}

/* V8 measures its clock's resolution once, when it first optimises a function, by reading the clock until it
 * changes: for 100 ms, or forever. Trigger that before anything runs, with a ticking clock. */
static void calibrate(void) {
  bool (*is_high_resolution)(void) = (bool (*)(void))dlsym(RTLD_DEFAULT, "_ZN2v84base9TimeTicks16IsHighResolutionEv");
  if (!is_high_resolution) return;
  calibrating = true;
  is_high_resolution();
  calibrating = false;
}

/* ---- the network ------------------------------------------------------------------------------------- */

/* Private ports, so that concurrent or successive runs (TIME_WAIT) do not conflict. The process must have only one
 * thread. */
static void private_network(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one); /* the loopback has a queue per CPU: one CPU keeps the order */
  has_network = true;
  if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
    give_up("vclock: no network of its own (VCLOCK_NETWORK): unshare failed");
  struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &loopback) != 0) give_up("vclock: VCLOCK_NETWORK: no loopback");
  close(fd);
  if (!network_acknowledges_at_once()) give_up("vclock: VCLOCK_NETWORK: no route that acknowledges at once");
}

/* Nagle's algorithm would delay a write, in real time, until the previous one is acknowledged. */
static int without_delay(int fd) {
  int saved = errno, on = 1;
  if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* fails if it is no TCP socket */
  errno = saved;
  return fd;
}

int socket(int domain, int type, int protocol) {
  return without_delay(REAL(socket)(domain, type, protocol));
}

int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
  return without_delay(REAL(accept4)(fd, address, length, flags));
}

int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict length) {
  return without_delay(REAL(accept)(fd, address, length));
}

void vclock_read_environment(void) {
  const char *text = getenv("VCLOCK_PHASE_NS");
  if (text) phase_ns = atoll(text);
  if (phase_ns < 0 || phase_ns >= NS_PER_MS) give_up("vclock: VCLOCK_PHASE_NS must be 0..999999");
  now_ns = phase_ns;
  if ((text = getenv("VCLOCK_LOG"))) log_fd = atoi(text);
  if ((text = getenv("VCLOCK_PATIENCE"))) patience_s = atoi(text);
  if (getenv("VCLOCK_NETWORK")) private_network();
}

__attribute__((constructor)) static void load(void) {
  is_loop_thread = true;
  vclock_read_environment();
  pthread_key_create(&gone_key, worker_gone);
  /* What workers call: a program that runs in a constructor, as that of the comparison for libuv, holds the lock of dlsym(). */
  if (!REAL(getaddrinfo) || !REAL(access) || !REAL(mkdir) || !REAL(rmdir) || !REAL(unlink)) give_up("vclock: no libc");
  calibrate();
  unsetenv("LD_PRELOAD"); /* child processes keep real time */
}

/* The end of JavaScript; afterwards Node only waits for its threads and closes its handles. */
static void end(void) {
  if (end_ns < 0) end_ns = now_ns;
}

void vclock_tell_end(void) {
  const char *text = getenv("VCLOCK_END_FD");
  if (!text || !started) return;
  end();
  char line[64];
  int n = snprintf(line, sizeof line, "exit %lld\n", (long long)(end_ns - phase_ns));
  if (write(atoi(text), line, (size_t)n) < 0) return;
}

__attribute__((destructor)) static void unload(void) { vclock_tell_end(); }

/* ---- magic calls ------------------------------------------------------------------------------------- */

static bool parse(const char *text, const char *prefix, const char *rest, int64_t *ns, int64_t *number) {
  size_t n = strlen(prefix);
  char *end;
  if (strncmp(text, prefix, n) != 0) return false;
  *ns = strtoll(text + n, &end, 10);
  if (end == text + n || *ns < 0) return false;
  if (!number) return *end == '\0';
  if (*end != '/' && *end != '-') return false;
  text = end + 1;
  *number = strtoll(text, &end, 10);
  return end != text && strcmp(end, rest) == 0;
}

static void operate(int64_t ns, int64_t number) {
  if (is_loop_thread) { /* a Sync function: it blocks the loop's thread */
    lock();
    advance_to(now_ns + ns);
    unlock();
    return;
  }
  if (!self) give_up("vclock: an operation before process.chdir(\"vclock:start\"), or not in the thread pool");
  lock();
  self->end_ns = now_ns + ns;
  self->number = number;
  note("%lld pick up op %lld worker %d, ends %lld", (long long)now_ns, (long long)number, (int)(self - workers),
       (long long)self->end_ns);
  wait_for_go(self, BUSY);
  unlock();
}

static bool parse_with_code(const char *text, const char *prefix, char separator, const char *rest, int64_t *ns,
                            int64_t *number, int *code) {
  const char *last = strrchr(text, separator);
  char *end;
  size_t n = last ? (size_t)(last - text) : 0;
  char front[128];
  if (!last || n >= sizeof front) return false;
  *code = (int)strtol(last + 1, &end, 10);
  if (end == last + 1 || strcmp(end, rest) != 0) return false;
  memcpy(front, text, n);
  front[n] = '\0';
  return parse(front, prefix, "", ns, number);
}

static int magic_access(const char *path, int *result) {
  int64_t ns, number;
  int code;
  if (!path || strncmp(path, "/vclock/", 8) != 0) return 0;
  if (parse_with_code(path, "/vclock/error/", '/', "", &ns, &number, &code)) {
    operate(ns, number);
    *result = code == 0 ? 0 : -1;
    if (code != 0) errno = code;
    return 1;
  }
  bool fails = parse(path, "/vclock/fail/", "", &ns, &number);
  if (!fails && !parse(path, "/vclock/op/", "", &ns, &number)) return 0;
  operate(ns, number);
  *result = fails ? -1 : 0;
  if (fails) errno = EACCES;
  return 1;
}

int access(const char *path, int mode) {
  int result;
  return magic_access(path, &result) ? result : REAL(access)(path, mode);
}

int faccessat(int fd, const char *path, int mode, int flags) {
  int result;
  return magic_access(path, &result) ? result : REAL(faccessat)(fd, path, mode, flags);
}

int mkdir(const char *path, mode_t mode) {
  int result;
  return magic_access(path, &result) ? result : REAL(mkdir)(path, mode);
}

int rmdir(const char *path) {
  int result;
  return magic_access(path, &result) ? result : REAL(rmdir)(path);
}

int unlink(const char *path) {
  int result;
  return magic_access(path, &result) ? result : REAL(unlink)(path);
}

bool vclock_stat(const char *path, void *status, size_t size, int *result) {
  if (!magic_access(path, result)) return false;
  memset(status, 0, size);
  return true;
}

/* Those of glibc to 2.32, and statx(), are in vclock_fork.c. */
int stat(const char *restrict path, struct stat *restrict status) {
  int result;
  return vclock_stat(path, status, sizeof *status, &result) ? result : REAL(stat)(path, status);
}

int stat64(const char *restrict path, struct stat64 *restrict status) {
  int result;
  return vclock_stat(path, status, sizeof *status, &result) ? result : REAL(stat64)(path, status);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **list) {
  int64_t ns, number;
  int code = 0;
  if (!node || (!parse(node, "vclock-op-", ".invalid", &ns, &number) &&
                !parse_with_code(node, "vclock-error-", '-', ".invalid", &ns, &number, &code)))
    return REAL(getaddrinfo)(node, service, hints, list);
  operate(ns, number);
  if (code != 0) return -code;
  struct addrinfo numeric = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET,
                             .ai_socktype = hints ? hints->ai_socktype : 0};
  return REAL(getaddrinfo)("127.0.0.1", service, &numeric, list);
}

int chdir(const char *path) {
  int64_t ns;
  if (strncmp(path, "vclock:", 7) != 0) return REAL(chdir)(path);
  if (strcmp(path, "vclock:start") == 0) {
    start();
  } else if (parse(path, "vclock:burn:", "", &ns, NULL)) {
    lock();
    advance_to(now_ns + ns);
    note("%lld burnt %lld", (long long)now_ns, (long long)ns);
    unlock();
  } else if (strcmp(path, "vclock:tick") == 0) {
    lock();
    advance_to(now_ns - now_ns % NS_PER_MS + NS_PER_MS);
    note("%lld tick", (long long)now_ns);
    unlock();
  } else if (strcmp(path, "vclock:exit") == 0) {
    exiting = true;
    end_ns = -1; /* an earlier exit may have been stopped by a listener's exception */
  } else if (strcmp(path, "vclock:end") == 0) {
    exiting = ended = true;
    end_ns = -1;
  } else {
    int result;
    if (world_command(path + 7, now_ns, &result)) return result;
    errno = EINVAL;
    return -1;
  }
  return 0;
}

/* ---- reading the clock ------------------------------------------------------------------------------- */

/* Threads other than the loop's and the pool's (V8's own) stay at the start time: V8's delayed tasks never come due. */
static int64_t here_ns(void) {
  if (calibrating) return phase_ns + (calibration_ns += NS_PER_US);
  if (is_loop_thread && --reads_left <= 0) {
    lock();
    advance_to(now_ns - now_ns % NS_PER_MS + NS_PER_MS);
    reads_left = SPIN_READS_MORE;
    note("%lld busy wait", (long long)now_ns);
    unlock();
  }
  return is_loop_thread || self ? __atomic_load_n(&now_ns, __ATOMIC_RELAXED) : phase_ns;
}

int clock_gettime(clockid_t id, struct timespec *t) {
  int64_t ns;
  switch (id) {
    case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_COARSE: case CLOCK_MONOTONIC_RAW: case CLOCK_BOOTTIME:
      ns = MONOTONIC_BASE_NS + here_ns();
      break;
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE:
      ns = REALTIME_BASE_NS + here_ns();
      break;
    default:
      return REAL(clock_gettime)(id, t);
  }
  t->tv_sec = ns / NS_PER_S;
  t->tv_nsec = ns % NS_PER_S;
  return 0;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone) {
  (void)zone;
  int64_t ns = REALTIME_BASE_NS + here_ns();
  t->tv_sec = ns / NS_PER_S;
  t->tv_usec = ns % NS_PER_S / 1000;
  return 0;
}

time_t time(time_t *out) {
  time_t t = (REALTIME_BASE_NS + here_ns()) / NS_PER_S;
  if (out) *out = t;
  return t;
}

/* ---- polling ----------------------------------------------------------------------------------------- */

static int poll_now(int fd, struct epoll_event *events, int max) {
  return REAL(epoll_pwait)(fd, events, max, 0, NULL);
}

static int virtual_poll(int fd, struct epoll_event *events, int max, int64_t timeout_ns, const sigset_t *mask) {
  if (!is_loop_thread || in_start)
    return REAL(epoll_pwait)(fd, events, max, timeout_ns < 0 ? -1 : (int)(timeout_ns / NS_PER_MS), mask);
  start();
  lock();
  if (exiting) end();
  if (ended) world_end();
  advance_to(now_ns);
  int64_t deadline = timeout_ns < 0 ? INT64_MAX : now_ns + timeout_ns, from = now_ns;
  int n = poll_now(fd, events, max);
  for (int tries = 0; n == 0 && has_network && tries < 3; tries++) { /* sent data may not have arrived yet */
    sched_yield();
    n = poll_now(fd, events, max);
  }
  /* After an outside event that does not wake the loop (a signal without a listener) it sleeps on. */
  while (n == 0 && now_ns < deadline) {
    int64_t next = next_ns();
    if (next == INT64_MAX && timeout_ns < 0) { /* only a real event can wake it */
      note("%lld poll waits for the real world", (long long)now_ns);
      unlock();
      n = REAL(epoll_pwait)(fd, events, max, patience_s * 1000, mask);
      if (n == 0) give_up("vclock: nothing is left that could wake the loop");
      return n;
    }
    advance_to(next < deadline ? next : deadline);
    n = poll_now(fd, events, max);
  }
  note("%lld poll slept %lld of %lld, %d events", (long long)now_ns, (long long)(now_ns - from), (long long)timeout_ns, n);
  unlock();
  return n;
}

static int64_t ms_to_ns(int ms) { return ms < 0 ? -1 : (int64_t)ms * NS_PER_MS; }

int epoll_wait(int fd, struct epoll_event *events, int max, int ms) {
  return virtual_poll(fd, events, max, ms_to_ns(ms), NULL);
}

int epoll_pwait(int fd, struct epoll_event *events, int max, int ms, const sigset_t *mask) {
  return virtual_poll(fd, events, max, ms_to_ns(ms), mask);
}

int epoll_pwait2(int fd, struct epoll_event *events, int max, const struct timespec *t, const sigset_t *mask) {
  return virtual_poll(fd, events, max, t ? (int64_t)t->tv_sec * NS_PER_S + t->tv_nsec : -1, mask);
}

/* libuv before 1.23 polls through syscall(); io_uring would bypass this library. */
long syscall(long number, ...) {
  va_list args;
  va_start(args, number);
  long a = va_arg(args, long), b = va_arg(args, long), c = va_arg(args, long);
  long d = va_arg(args, long), e = va_arg(args, long), f = va_arg(args, long);
  va_end(args);
  switch (number) {
#ifdef SYS_statx
    case SYS_statx:
      if (is_loop_thread) vclock_fork_before((const char *)b);
      int result;
      if (vclock_stat((const char *)b, (void *)e, sizeof(struct statx), &result)) return result;
      break;
#endif
    case SYS_epoll_wait:
      return virtual_poll((int)a, (struct epoll_event *)b, (int)c, ms_to_ns((int)d), NULL);
    case SYS_epoll_pwait:
      return virtual_poll((int)a, (struct epoll_event *)b, (int)c, ms_to_ns((int)d), NULL);
#ifdef SYS_io_uring_setup
    case SYS_io_uring_setup:
      errno = ENOSYS;
      return -1;
#endif
    default:
      break;
  }
  return REAL(syscall)(number, a, b, c, d, e, f);
}

/* ---- the pool's condition and mutex ------------------------------------------------------------------ */

int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  if (self && !pool_cond) {
    lock();
    if (!pool_cond) {
      pool_mutex = m;
      pool_cond = c;
    }
    unlock();
  }
  if (!is_loop_thread && !self) return vclock_fork_wait(REAL_AT(pthread_cond_wait, COND_VERSION), c, m);
  if (!self || c != pool_cond) return REAL_AT(pthread_cond_wait, COND_VERSION)(c, m);
  lock();
  REAL(pthread_mutex_unlock)(m);
  wait_for_go(self, IDLE);
  unlock();
  REAL(pthread_mutex_lock)(m);
  return 0;
}

static void wake_idle(bool all) {
  lock();
  for (int i = 0; i < worker_count; i++) {
    if (workers[i].state != IDLE) continue;
    release(&workers[i]);
    if (!all) break;
  }
  unlock();
}

int pthread_cond_signal(pthread_cond_t *c) {
  vclock_fork_before_signal(c);
  if (!pool_cond || c != pool_cond) return REAL_AT(pthread_cond_signal, COND_VERSION)(c);
  wake_idle(false);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *c) {
  vclock_fork_before_signal(c);
  if (!pool_cond || c != pool_cond) return REAL_AT(pthread_cond_broadcast, COND_VERSION)(c);
  wake_idle(true);
  return 0;
}

/* The deadline is in virtual time; the wait is in real time. */
int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *deadline) {
  int64_t ns = (int64_t)deadline->tv_sec * NS_PER_S + deadline->tv_nsec;
  ns -= here_ns() + (ns >= REALTIME_BASE_NS ? REALTIME_BASE_NS : MONOTONIC_BASE_NS);
  ns += real_monotonic_ns();
  struct timespec until = {ns / NS_PER_S, ns % NS_PER_S};
  return pthread_cond_clockwait(c, m, CLOCK_MONOTONIC, &until);
}

int pthread_mutex_unlock(pthread_mutex_t *m) {
  int result = REAL(pthread_mutex_unlock)(m);
  if (started && is_loop_thread && m == pool_mutex) {
    lock();
    settle();
    unlock();
  }
  return result;
}

int pthread_join(pthread_t thread, void **value) {
  if (started && is_loop_thread) {
    lock();
    end();
    world_end();
    settle();
    for (struct worker *w; (w = first_to_end());) advance_to(w->end_ns);
    unlock();
  }
  return vclock_fork_join(thread) ? 0 : REAL(pthread_join)(thread, value);
}
