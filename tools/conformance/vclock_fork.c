/* vclock's fork server: one real Node boots, and every run is a fork of it, made just before it reads its main script.
 *
 * Booting is most of the cost of a small script, and is the same every time. So, when VCLOCK_FORK_SCRIPT names the main
 * script, the process stops at the first stat of that path: Node has started completely and has not read the script.
 * It then serves requests on the socket VCLOCK_FORK_SOCKET (SOCK_SEQPACKET, one message each):
 *
 *   to the server    zero-terminated NAME=value strings for the child's environment. End of file: the server exits.
 *   from the server  "pid <n>" when the child was forked, "done <wait status> <its CPU time in us>" when it has ended.
 *
 * The child continues where Node was stopped. This file removes its differences from a separate process:
 *
 *   threads       Only the loop's thread survives a fork. Threads of V8 and Node that waited for work are recreated, on
 *                 their old stacks, when there is work for them; joining one of the others succeeds at once.
 *   descriptors   The loop's epoll, eventfd and signal pipe would be shared with the server and all other children, so
 *                 each child creates its own with the same numbers and state. Its output is reopened, too.
 *   the clock     restarts with the child's VCLOCK_PHASE_NS.
 *
 * A child is killed when the server dies, and the server when its driver dies.
 */
#define _GNU_SOURCE
#include "vclock.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { MAX_DESCRIPTORS = 256, MAX_THREADS = 256, MAX_REQUEST = 4096, EXIT_SERVER = 125 };

static const char *script; /* NULL: no fork server, or it has started serving */
static int control = -1;
static bool is_server;
static pid_t server_pid;
static bool is_child;

static void fail(const char *what) {
  dprintf(2, "vclock: fork server: %s: %s\n", what, strerror(errno));
  _exit(EXIT_SERVER);
}

/* ---- threads ------------------------------------------------------------------------------------------- */

/* A thread of the server. In the child it is only a stack and the object it waited for, until a new thread continues
 * it. For that thread a condition wait has ended spuriously; for a semaphore it waits again. */
struct thread {
  pthread_t id;
  void *(*run)(void *);
  void *argument;
  const void *waits_for; /* a condition or a semaphore; NULL: neither */
  ucontext_t waiting;    /* inside vclock_fork_wait or sem_wait, on the old stack */
  bool revived, finished;
  pthread_t revived_id;
  ucontext_t own;        /* of the new thread, on its own stack */
};

static pthread_mutex_t threads_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct thread threads[MAX_THREADS]; /* created before the fork */
static int thread_count;
static __thread struct thread *here;

/* Own stacks: glibc would reuse those of threads that do not exist in the child. */
static bool give_stack(pthread_attr_t *own, const pthread_attr_t *attributes) {
  size_t size = 0;
  pthread_attr_t defaults;
  if (!attributes) {
    pthread_attr_init(&defaults);
    attributes = &defaults;
  }
  pthread_attr_init(own);
  int detached = PTHREAD_CREATE_JOINABLE;
  pthread_attr_getdetachstate(attributes, &detached);
  pthread_attr_getstacksize(attributes, &size);
  void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  return stack != MAP_FAILED && pthread_attr_setdetachstate(own, detached) == 0 &&
         pthread_attr_setstack(own, stack, size) == 0;
}

/* In the child: leaves the old stack for that of the new thread, which then ends normally. */
__attribute__((noinline)) static void leave_old_stack(void) {
  if (!here || !here->revived) return;
  here->finished = true;
  setcontext(&here->own);
}

static void *run_thread(void *argument) {
  struct thread *t = argument;
  here = t;
  void *result = t->run(t->argument);
  leave_old_stack();
  return result;
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  static __typeof__(&pthread_create) real;
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "pthread_create");
  if (!is_server) return real(id, attributes, run, argument);
  pthread_attr_t own;
  if (!give_stack(&own, attributes)) fail("a thread's stack");
  pthread_mutex_lock(&threads_mutex);
  if (thread_count == MAX_THREADS) fail("too many threads");
  struct thread *t = &threads[thread_count];
  *t = (struct thread){.run = run, .argument = argument};
  int result = real(id, &own, run_thread, t);
  if (result == 0) {
    t->id = *id;
    ++thread_count;
  }
  pthread_mutex_unlock(&threads_mutex);
  return result;
}

int vclock_fork_wait(int (*wait)(pthread_cond_t *, pthread_mutex_t *), pthread_cond_t *c, pthread_mutex_t *m) {
  struct thread *t = here;
  if (!t || !is_server) return wait(c, m);
  t->waits_for = c;
  getcontext(&t->waiting);
  if (is_child) return pthread_mutex_lock(m); /* revived */
  int result = wait(c, m);
  t->waits_for = NULL;
  return result;
}

int sem_wait(sem_t *s) {
  static __typeof__(&sem_wait) real;
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "sem_wait");
  struct thread *t = here;
  if (!t || !is_server) return real(s);
  t->waits_for = s;
  getcontext(&t->waiting);
  if (is_child) return real(s); /* revived */
  int result = real(s);
  t->waits_for = NULL;
  return result;
}

static void *revive(void *argument) {
  struct thread *t = argument;
  here = t;
  getcontext(&t->own);
  if (!t->finished) setcontext(&t->waiting);
  return NULL;
}

static bool waits_lost(const struct thread *t, const void *object) {
  return is_child && t->waits_for == object && !t->revived;
}

static bool is_orphaned(const void *object) {
  for (int i = 0; is_child && i < thread_count; i++)
    if (waits_lost(&threads[i], object)) return true;
  return false;
}

/* The caller holds threads_mutex. */
static void revive_waiters(const void *object) {
  for (int i = 0; i < thread_count; i++) {
    struct thread *t = &threads[i];
    if (!waits_lost(t, object)) continue;
    t->revived = true;
    if (pthread_create(&t->revived_id, NULL, revive, t) != 0) fail("a thread");
  }
}

void vclock_fork_before_signal(pthread_cond_t *c) {
  if (!is_child) return;
  pthread_mutex_lock(&threads_mutex);
  if (is_orphaned(c)) {
    /* Its waiters do not exist here: reset it, except for the flags (clock, process-shared). */
    unsigned flags = c->__data.__wrefs & 3;
    memset(c, 0, sizeof *c);
    c->__data.__wrefs = flags;
    revive_waiters(c);
  }
  pthread_mutex_unlock(&threads_mutex);
}

int sem_post(sem_t *s) {
  static __typeof__(&sem_post) real;
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "sem_post");
  if (is_child && is_orphaned(s)) { /* only then: sem_post() may be called in a signal handler */
    pthread_mutex_lock(&threads_mutex);
    revive_waiters(s);
    pthread_mutex_unlock(&threads_mutex);
  }
  return real(s);
}

bool vclock_fork_join(pthread_t id) {
  for (int i = 0; is_child && i < thread_count; i++) {
    struct thread *t = &threads[i];
    if (t->id != id) continue;
    if (t->revived) pthread_join(t->revived_id, NULL);
    return true;
  }
  return false;
}

int pthread_cond_destroy(pthread_cond_t *c) {
  static __typeof__(&pthread_cond_destroy) real;
  if (!real) real = (__typeof__(real))dlvsym(RTLD_NEXT, "pthread_cond_destroy", "GLIBC_2.3.2");
  return is_orphaned(c) ? 0 : real(c); /* real() would wait for its waiters */
}

/* Threads that wait for a condition with a mutex count as its users, including lost ones. */
int pthread_mutex_destroy(pthread_mutex_t *m) {
  static __typeof__(&pthread_mutex_destroy) real;
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "pthread_mutex_destroy");
  int result = real(m);
  return is_child && result == EBUSY ? 0 : result;
}

/* Number of other threads that are not asleep. */
static int busy_threads(void) {
  int busy = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) fail("/proc/self/task");
  for (struct dirent *entry; (entry = readdir(tasks));) {
    char path[64], text[512];
    if (entry->d_name[0] == '.' || atoi(entry->d_name) == getpid()) continue;
    snprintf(path, sizeof path, "/proc/self/task/%.16s/stat", entry->d_name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    if (n <= 0) continue; /* it has just ended */
    text[n] = '\0';
    const char *after_name = strrchr(text, ')');
    if (!after_name || after_name[2] != 'S') ++busy;
  }
  closedir(tasks);
  return busy;
}

/* A lock held by another thread at the fork would never be released: wait until all threads are asleep. */
static void wait_for_quiet(void) {
  const struct timespec pause = {0, 2000000};
  for (int quiet = 0, tries = 0; quiet < 3 && tries < 5000; tries++) {
    quiet = busy_threads() == 0 ? quiet + 1 : 0;
    nanosleep(&pause, NULL);
  }
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* Node 18 and later tell the kernel to leave V8's heap out of forks. */
int madvise(void *address, size_t length, int advice) {
  static __typeof__(&madvise) real;
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "madvise");
  if (advice == MADV_DONTFORK && is_server) return 0;
  return real(address, length, advice);
}

/* ---- descriptors --------------------------------------------------------------------------------------- */

enum kind { OTHER, EVENT, PIPE, POLL };
struct descriptor {
  int fd;
  enum kind kind;
  unsigned long inode; /* PIPE */
};

static struct descriptor descriptors[MAX_DESCRIPTORS];
static int descriptor_count;

/* Called once, in the server, whose descriptors do not change afterwards. */
static void list_descriptors(void) {
  DIR *all = opendir("/proc/self/fd");
  if (!all) fail("/proc/self/fd");
  for (struct dirent *entry; (entry = readdir(all));) {
    char path[64], target[128];
    int fd = atoi(entry->d_name);
    if (entry->d_name[0] == '.' || fd <= 2 || fd == control || fd == dirfd(all)) continue;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n < 0) continue;
    target[n] = '\0';
    struct descriptor d = {.fd = fd};
    if (strstr(target, "[eventfd")) d.kind = EVENT;
    else if (strstr(target, "[eventpoll]")) d.kind = POLL;
    else if (sscanf(target, "pipe:[%lu]", &d.inode) == 1) d.kind = PIPE;
    if (d.kind == OTHER) continue;
    if (descriptor_count == MAX_DESCRIPTORS) fail("too many descriptors");
    descriptors[descriptor_count++] = d;
  }
  closedir(all);
}

static void put_in_place(int made, int fd) {
  if (made < 0 || dup3(made, fd, O_CLOEXEC) < 0) fail("a descriptor of the child's own");
  close(made);
}

/* Reads /proc/self/fdinfo of a descriptor. */
static void read_info(int fd, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
  int info = open(path, O_RDONLY | O_CLOEXEC);
  size_t length = 0;
  for (ssize_t n; info >= 0 && length < size - 1 && (n = read(info, text + length, size - 1 - length)) > 0;)
    length += (size_t)n;
  if (info >= 0) close(info);
  text[length] = '\0';
}

static void renew_event(const struct descriptor *d) {
  char text[1024];
  unsigned long long count = 0;
  read_info(d->fd, text, sizeof text);
  const char *at = strstr(text, "eventfd-count:");
  if (at) count = strtoull(at + strlen("eventfd-count:"), NULL, 16);
  int flags = fcntl(d->fd, F_GETFL) & O_NONBLOCK ? EFD_NONBLOCK : 0;
  put_in_place(eventfd((unsigned)count, flags | EFD_CLOEXEC), d->fd);
}

/* False if libuv has already replaced the pipe after the fork. */
static bool is_still(const struct descriptor *d) {
  struct stat about;
  return fstat(d->fd, &about) == 0 && about.st_ino == d->inode;
}

/* Replaces both ends of a pipe within this process. Copies its content: libuv has a lock that is a byte in a pipe. */
static void renew_pipe(const struct descriptor *d) {
  for (const struct descriptor *other = d + 1; other < descriptors + descriptor_count; other++) {
    if (other->kind != PIPE || other->inode != d->inode || !is_still(d) || !is_still(other)) continue;
    int ends[2], size = 0;
    bool d_reads = (fcntl(d->fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
    int to_read = d_reads ? d->fd : other->fd, to_write = d_reads ? other->fd : d->fd;
    int flags = fcntl(d->fd, F_GETFL) & O_NONBLOCK;
    if (pipe2(ends, flags | O_CLOEXEC) != 0) fail("a pipe of the child's own");
    if (ioctl(to_read, FIONREAD, &size) == 0 && size > 0 && tee(to_read, ends[1], (size_t)size, SPLICE_F_NONBLOCK) != size)
      fail("what is in a pipe");
    put_in_place(ends[0], to_read);
    put_in_place(ends[1], to_write);
    return;
  }
}

static void renew_poll(const struct descriptor *d) {
  char text[8192];
  read_info(d->fd, text, sizeof text);
  put_in_place(epoll_create1(EPOLL_CLOEXEC), d->fd);
  for (const char *at = text; (at = strstr(at, "tfd:")); at += 4) {
    int fd;
    unsigned events;
    unsigned long long data;
    if (sscanf(at, "tfd: %d events: %x data: %llx", &fd, &events, &data) != 3) continue;
    struct epoll_event event = {.events = events, .data.u64 = data};
    if (epoll_ctl(d->fd, EPOLL_CTL_ADD, fd, &event) != 0) fail("an epoll of the child's own");
  }
}

static void renew_descriptors(void) {
  for (int i = 0; i < descriptor_count; i++) {
    if (descriptors[i].kind == EVENT) renew_event(&descriptors[i]);
    if (descriptors[i].kind == PIPE) renew_pipe(&descriptors[i]);
  }
  for (int i = 0; i < descriptor_count; i++)
    if (descriptors[i].kind == POLL) renew_poll(&descriptors[i]);
}

/* Node may change the flags of its output; with a shared file description later children would inherit them. */
static void reopen_output(int fd) {
  struct stat about;
  char path[32];
  if (fstat(fd, &about) != 0 || !(S_ISFIFO(about.st_mode) || S_ISREG(about.st_mode))) return;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int made = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (made < 0 || dup2(made, fd) < 0) fail("the child's output");
  close(made);
}

/* ---- serving ------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 1, 2))) static void answer(const char *format, ...) {
  char text[128];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (send(control, text, (size_t)n, MSG_NOSIGNAL) != n) _exit(EXIT_SERVER);
}

static void become_child(char *request, size_t length) {
  is_server = false;
  is_child = true;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(control);
  for (char *at = request; at < request + length; at += strlen(at) + 1) {
    char *equals = strchr(at, '=');
    if (!equals) continue;
    *equals = '\0';
    setenv(at, equals + 1, 1);
    *equals = '=';
  }
  reopen_output(1);
  reopen_output(2);
  renew_descriptors();
  vclock_read_environment();
}

/* Old versions of Node read process.pid at startup, in the server. */
pid_t vclock_fork_own(pid_t pid) { return is_child && pid == server_pid ? getpid() : pid; }

static void serve(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  server_pid = getpid();
  wait_for_quiet();
  list_descriptors();
  for (;;) {
    static char request[MAX_REQUEST + 1];
    ssize_t length = recv(control, request, MAX_REQUEST, 0);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) _exit(0);
    request[length] = '\0';
    pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (pid == 0) {
      become_child(request, (size_t)length);
      return;
    }
    answer("pid %d", (int)pid);
    int status;
    struct rusage usage;
    while (wait4(pid, &status, 0, &usage) < 0)
      if (errno != EINTR) fail("wait4");
    const struct timeval *u = &usage.ru_utime, *s = &usage.ru_stime;
    answer("done %d %lld", status, (u->tv_sec + s->tv_sec) * 1000000LL + u->tv_usec + s->tv_usec);
  }
}

void vclock_fork_before(const char *path) {
  if (!script || !path || strcmp(path, script) != 0) return;
  int saved = errno;
  script = NULL;
  serve();
  errno = saved;
}

__attribute__((constructor)) static void load(void) {
  const char *socket = getenv("VCLOCK_FORK_SOCKET");
  const char *path = getenv("VCLOCK_FORK_SCRIPT");
  if (!socket || !path) return;
  control = atoi(socket);
  fcntl(control, F_SETFD, FD_CLOEXEC);
  script = strdup(path);
  is_server = true;
  unsetenv("VCLOCK_FORK_SOCKET");
  unsetenv("VCLOCK_FORK_SCRIPT");
}

/* ---- Node's first access to its main script: a stat, in every version ------------------------------------ */

#define FORWARD(name, parameters, arguments)                                       \
  int name parameters {                                                            \
    static __typeof__(&name) real;                                                 \
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, #name);                   \
    vclock_fork_before(path);                                                      \
    int result;                                                                    \
    if (vclock_stat(path, out, sizeof *out, &result)) return result;               \
    return real arguments;                                                         \
  }

extern int __xstat(int version, const char *path, struct stat *out);
extern int __xstat64(int version, const char *path, struct stat64 *out);

FORWARD(__xstat, (int version, const char *path, struct stat *out), (version, path, out))
FORWARD(__xstat64, (int version, const char *path, struct stat64 *out), (version, path, out))
FORWARD(statx, (int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict out),
        (folder, path, flags, mask, out))
