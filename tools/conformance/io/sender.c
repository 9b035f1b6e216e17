// Plays a plan to a program whose sockets it makes.
//
//     sender [--tcp | --datagram] [--log FILE] [--strace FILE] PLAN COMMAND [ARGUMENT...]
//
// The command starts with the sockets of the plan open as 3, 4, 5 ..., connected with the sender, and a pipe as 1000. The plan's
// time begins when "begin" comes through that. --tcp: connections over the loopback interface; --datagram: each read is one
// message; otherwise streams of the Unix domain. --log: what was sent when.
// --strace: its system calls, with times. strace is attached to the program, which must not inherit the sockets from it: what
// another process holds open is not closed by close(), and stays in an epoll set. A plan is a text of lines, in order of time:
//
//     sockets 3
//     20.5 3 100      at 20.5 ms 100 bytes to the socket that the program knows as 3
//     80 3 end        this side of the connection ends
//
// The exit status is the command's.
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// What a model calls; what the C library calls for itself (mmap, brk, futex ...) is left out.
#define CALLS                                                                                               \
  "trace=read,write,close,fcntl,select,pselect6,poll,ppoll,epoll_create1,epoll_ctl,epoll_wait,epoll_pwait," \
  "rt_sigaction,rt_sigprocmask,rt_sigsuspend,rt_sigtimedwait,rt_sigreturn,io_uring_setup,io_uring_enter,clone,clone3"

enum { FIRST = 3, MARK = 1000, MOST_SOCKETS = 960, MOST_ENTRIES = 200000 };

struct entry {
  double time;
  int fd;
  long count;  // -1: the end
  double sent;
};
static struct entry entries[MOST_ENTRIES];
static int theirs[MOST_SOCKETS], ours[MOST_SOCKETS];
static char bytes[1 << 20];

static void die(const char* what) {
  perror(what);
  exit(2);
}

static int aside(int fd) {  // out of the way of 3, 4, 5 ...
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, MARK + 1);
  if (moved < 0) die("fcntl");
  close(fd);
  return moved;
}

// Starts strace for the process, which waits for it.
static pid_t trace(pid_t process, const char* file) {
  const pid_t tracer = fork();
  if (tracer < 0) die("fork");
  if (tracer == 0) {
    setpriority(PRIO_PROCESS, 0, -15);
    char number[16];
    snprintf(number, sizeof number, "%d", (int)process);
    execlp("strace", "strace", "-f", "-ttt", "-T", "-q", "-a1", "-s", "1000", "-e", CALLS, "-o", file, "-p", number,
           (char*)NULL);
    die("strace");
  }
  char name[40], line[256];
  snprintf(name, sizeof name, "/proc/%d/status", (int)process);
  for (int tries = 0; tries < 2000; ++tries) {
    int of = 0;
    FILE* const status = fopen(name, "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
      if (sscanf(line, "TracerPid: %d", &of) == 1) break;
    if (status != NULL) fclose(status);
    if (of == tracer) return tracer;
    if (waitpid(tracer, NULL, WNOHANG) == tracer) break;
    usleep(2000);
  }
  fprintf(stderr, "strace cannot trace the program\n");
  kill(process, SIGKILL);
  exit(2);
}

static void connect_tcp(int* pair) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr*)&address, size) || listen(listener, 1) ||
      getsockname(listener, (struct sockaddr*)&address, &size))
    die("listen");
  pair[0] = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(pair[0], (struct sockaddr*)&address, size)) die("connect");
  pair[1] = accept(listener, NULL, NULL);
  if (pair[1] < 0) die("accept");
  setsockopt(pair[0], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(pair[1], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  close(listener);
}

int main(int count, char** words) {
  int kind = SOCK_STREAM, tcp = 0, next = 1;
  const char *log = NULL, *traced = NULL;
  for (; next < count && strncmp(words[next], "--", 2) == 0; ++next) {
    if (strcmp(words[next], "--tcp") == 0)
      tcp = 1;
    else if (strcmp(words[next], "--datagram") == 0)
      kind = SOCK_SEQPACKET;
    else if (strcmp(words[next], "--log") == 0 && next + 1 < count)
      log = words[++next];
    else if (strcmp(words[next], "--strace") == 0 && next + 1 < count)
      traced = words[++next];
    else
      break;
  }
  if (count - next < 2) {
    fprintf(stderr, "usage: sender [--tcp | --datagram] [--log FILE] [--strace FILE] PLAN COMMAND [ARGUMENT...]\n");
    return 2;
  }
  FILE* const plan = fopen(words[next], "r");
  int sockets = 0, length = 0;
  char line[200], what[32];
  if (plan == NULL || fgets(line, sizeof line, plan) == NULL || sscanf(line, "sockets %d", &sockets) != 1)
    die(words[next]);
  while (length < MOST_ENTRIES && fgets(line, sizeof line, plan) != NULL) {
    struct entry* const entry = &entries[length];
    if (sscanf(line, "%lf %d %31s", &entry->time, &entry->fd, what) != 3) continue;
    entry->count = strcmp(what, "end") == 0 ? -1 : atol(what);
    ++length;
  }
  fclose(plan);

  const struct rlimit many = {4096, 4096};
  setrlimit(RLIMIT_NOFILE, &many);
  signal(SIGPIPE, SIG_IGN);
  for (int i = 0; i < sockets; ++i) {
    int pair[2];
    if (tcp)
      connect_tcp(pair);
    else if (socketpair(AF_UNIX, kind, 0, pair))
      die("socketpair");
    ours[i] = aside(pair[0]);
    theirs[i] = aside(pair[1]);
  }
  int marks[2], go[2];
  if (pipe(marks) || pipe(go)) die("pipe");
  marks[0] = aside(marks[0]);
  marks[1] = aside(marks[1]);
  go[0] = aside(go[0]);
  go[1] = aside(go[1]);

  const pid_t child = fork();
  if (child < 0) die("fork");
  if (child == 0) {
    char word;
    close(go[1]);
    if (read(go[0], &word, 1) != 1) _exit(2);
    for (int i = 0; i < sockets; ++i)
      if (dup2(theirs[i], FIRST + i) < 0) die("dup2");
    if (dup2(marks[1], MARK) < 0) die("dup2");
    signal(SIGPIPE, SIG_DFL);
    setpriority(PRIO_PROCESS, 0, -15);  // on a busy machine; not allowed is no harm
    execvp(words[next + 1], &words[next + 1]);
    die(words[next + 1]);
  }
  for (int i = 0; i < sockets; ++i) close(theirs[i]);
  close(marks[1]);
  const pid_t tracer = traced == NULL ? 0 : trace(child, traced);
  (void)!write(go[1], "!", 1);
  const struct sched_param first = {.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &first);  // the same

  char mark[8];
  if (read(marks[0], mark, sizeof mark) == 5) {
    struct timespec begin, time;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < length; ++i) {
      const long long at = begin.tv_nsec + (long long)(entries[i].time * 1e6);
      time = (struct timespec){begin.tv_sec + at / 1000000000, at % 1000000000};
      while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
      const int fd = ours[entries[i].fd - FIRST];
      if (entries[i].count < 0)
        shutdown(fd, SHUT_WR);
      else
        (void)!send(fd, bytes, (size_t)entries[i].count, MSG_DONTWAIT | MSG_NOSIGNAL);
      clock_gettime(CLOCK_MONOTONIC, &time);
      entries[i].sent = (double)(time.tv_sec - begin.tv_sec) * 1e3 + (double)(time.tv_nsec - begin.tv_nsec) / 1e6;
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  while (tracer != 0 && waitpid(tracer, NULL, 0) < 0 && errno == EINTR) {}
  FILE* const out = log == NULL ? NULL : fopen(log, "w");
  if (out != NULL) {
    for (int i = 0; i < length; ++i)
      fprintf(out, "sent %d %ld at %.3f, planned %.3f\n", entries[i].fd, entries[i].count, entries[i].sent,
              entries[i].time);
    fclose(out);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
