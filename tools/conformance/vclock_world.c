/* vclock_world: events from outside the process, on the virtual clock. Signals arrive, clients connect and send, child
 * processes end, each at a virtual time set by the script. vclock.c advances the clock and calls world_happen().
 *
 * Commands of a script (<ns> is relative to the current time, <number> breaks ties with pool operations):
 *
 *   process.chdir("vclock:at:<ns>:<number>:signal:<signal number>")      the process gets a signal
 *   process.chdir("vclock:at:<ns>:<number>:connect:<client>:<port>")     a client, identified by a number, connects
 *   process.chdir("vclock:at:<ns>:<number>:send:<client>:<text>")        it sends a text
 *   process.chdir("vclock:at:<ns>:<number>:end:<client>")                it ends its side (FIN)
 *   process.chdir("vclock:at:<ns>:<number>:close:<client>")              it closes its socket
 *   process.chdir("vclock:child:<ns>:<number>:<exit code>"), then        a child process that ends in <ns>
 *     child_process.spawn("vclock-child-<number>")
 *
 * A child is a real process: libuv's fork, which does not execute anything but waits for a byte. It gets the byte when
 * it is due, and the clock stands still until it has exited, so SIGCHLD arrives before anything else happens. The same
 * holds when the script kills it. Clients are sockets of this process that the loop does not know.
 */
#define _GNU_SOURCE
#include "vclock_world.h"

#include "vclock.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_HAPPENINGS = 4096, MAX_CLIENTS = 1024, MAX_CHILDREN = 1024, LOW_FDS = 64, ALL_FDS = 1024 };

enum kind { SIGNAL, CONNECT, SEND, END, CLOSE, CHILD };

struct happening {
  int64_t ns, number;
  enum kind kind;
  int who;    /* client, or index in children */
  int value;  /* signal, port */
  char *text; /* of a send; owned */
};

struct child {
  int64_t number;
  pid_t pid;     /* 0: not forked yet; -1: exited */
  pid_t process; /* the same, kept after the exit: a process that nobody has waited for can be sent signals */
  int read_end, write_end;
  int code;
};

static struct happening happenings[MAX_HAPPENINGS]; /* sorted by time and number */
static int happening_count;
static int clients[MAX_CLIENTS]; /* descriptor + 1; 0: not connected */
static struct child children[MAX_CHILDREN];
static int child_count;

/* ---- pending events ---------------------------------------------------------------------------------- */

bool world_next(int64_t *ns, int64_t *number) {
  if (happening_count == 0) return false;
  *ns = happenings[0].ns;
  *number = happenings[0].number;
  return true;
}

void world_end(void) { happening_count = 0; }

static bool add(struct happening what) {
  if (happening_count == MAX_HAPPENINGS) return false;
  int at = happening_count++;
  for (; at > 0; at--) {
    const struct happening *before = &happenings[at - 1];
    if (before->ns < what.ns || (before->ns == what.ns && before->number <= what.number)) break;
    happenings[at] = *before;
  }
  happenings[at] = what;
  return true;
}

static void drop_first(void) {
  memmove(happenings, happenings + 1, (size_t)--happening_count * sizeof *happenings);
}

/* ---- clients ----------------------------------------------------------------------------------------- */

/* Moves a descriptor to a high number, so that the process's own descriptors keep their numbers. */
static int out_of_the_way(int fd) {
  int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, LOW_FDS + 192);
  if (fd >= 0) close(fd);
  return moved;
}

static void client_connect(int client, int port) {
  int fd = out_of_the_way(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (fd < 0) return;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
    close(fd);
    return;
  }
  clients[client] = fd + 1;
}

/* Closing a socket with unread data would send RST instead of FIN. */
static void read_all(int fd) {
  char buffer[65536];
  while (recv(fd, buffer, sizeof buffer, MSG_DONTWAIT) > 0) {
  }
}

static void client_act(const struct happening *what) {
  int fd = clients[what->who] - 1;
  if (fd < 0) return;
  read_all(fd);
  switch (what->kind) {
    case SEND: send(fd, what->text, strlen(what->text), MSG_NOSIGNAL); break;
    case END: shutdown(fd, SHUT_WR); break;
    default:
      close(fd);
      clients[what->who] = 0;
  }
}

/* ---- child processes ----------------------------------------------------------------------------------- */

static void await_death(struct child *child) {
  siginfo_t info;
  if (child->pid <= 0) return;
  while (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  child->pid = -1;
  close(child->write_end);
}

static int new_child(int64_t number, int code) {
  if (child_count == MAX_CHILDREN) return -1;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  struct child *child = &children[child_count];
  *child = (struct child){number, 0, 0, out_of_the_way(ends[0]), out_of_the_way(ends[1]), code};
  return child_count++;
}

pid_t fork(void) {
  static pid_t (*real)(void);
  if (!real) real = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
  pid_t pid = real();
  if (pid > 0 && child_count > 0 && children[child_count - 1].pid == 0) {
    children[child_count - 1].pid = children[child_count - 1].process = pid;
    close(children[child_count - 1].read_end);
  }
  return pid;
}

/* In the child, prepared by libuv. Closes the close-on-exec descriptors, as execve would: for libuv that is success. */
int execvp(const char *file, char *const argv[]) {
  static const char prefix[] = "vclock-child-";
  if (strncmp(file, prefix, sizeof prefix - 1) != 0) {
    static int (*real)(const char *, char *const[]);
    if (!real) real = (int (*)(const char *, char *const[]))dlsym(RTLD_NEXT, "execvp");
    return real(file, argv);
  }
  int64_t number = atoll(file + sizeof prefix - 1);
  struct child *child = NULL;
  for (int i = 0; i < child_count; i++)
    if (children[i].number == number) child = &children[i];
  if (!child) {
    errno = ENOENT;
    return -1;
  }
  for (int number = 1; number < NSIG; number++) { /* execve would also reset the handlers */
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) signal(number, SIG_DFL);
  }
  for (int fd = 0; fd < ALL_FDS; fd++) {
    int flags = fd == child->read_end ? -1 : fcntl(fd, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC)) close(fd);
  }
  char byte;
  while (read(child->read_end, &byte, 1) < 0 && errno == EINTR) {
  }
  _exit(child->code);
}

static bool is_deadly(int number) {
  return number != 0 && number != SIGCHLD && number != SIGCONT && number != SIGURG && number != SIGWINCH &&
         number != SIGSTOP && number != SIGTSTP && number != SIGTTIN && number != SIGTTOU;
}

static bool is_default(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_DFL;
}

static bool is_child(pid_t pid) {
  for (int i = 0; i < child_count; i++)
    if (pid > 0 && children[i].process == pid) return true;
  return false;
}

/* To this process and its children only. From libuv 1.44 to 1.51 the kill() of a child that could not be started takes its
 * process number from uninitialised memory: often a number of no process, sometimes 0, which is the whole process group. */
int kill(pid_t pid, int number) {
  static int (*real)(pid_t, int);
  if (!real) real = (int (*)(pid_t, int))dlsym(RTLD_NEXT, "kill");
  pid = vclock_fork_own(pid);
  if (pid != getpid() && !is_child(pid)) {
    errno = ESRCH;
    return -1;
  }
  if (pid == getpid() && is_deadly(number) && is_default(number)) vclock_tell_end();
  int result = real(pid, number);
  if (result != 0 || !is_deadly(number)) return result;
  for (int i = 0; i < child_count; i++)
    if (children[i].pid == pid) await_death(&children[i]);
  return result;
}

/* Node's handlers of some signals restore the terminal and raise the signal again. */
int raise(int number) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "raise");
  if (is_deadly(number)) vclock_tell_end();
  return real(number);
}

/* ---- execution of events ----------------------------------------------------------------------------- */

void world_happen(void) {
  struct happening what = happenings[0];
  drop_first();
  switch (what.kind) {
    case SIGNAL: kill(getpid(), what.value); break;
    case CONNECT: client_connect(what.who, what.value); break;
    case SEND:
    case END:
    case CLOSE: client_act(&what); break;
    case CHILD:
      if (children[what.who].pid <= 0) break;
      if (write(children[what.who].write_end, "", 1) == 1) await_death(&children[what.who]);
      break;
  }
  free(what.text);
}

/* ---- commands ---------------------------------------------------------------------------------------- */

/* Parses the number at *text, and a colon after it. */
static bool take_number(const char **text, int64_t *number) {
  char *end;
  errno = 0;
  *number = strtoll(*text, &end, 10);
  if (end == *text || errno != 0 || *number < 0 || (*end != ':' && *end != '\0')) return false;
  *text = *end == ':' ? end + 1 : end;
  return true;
}

static bool take_word(const char **text, const char *word) {
  size_t n = strlen(word);
  if (strncmp(*text, word, n) != 0 || (*text)[n] != ':') return false;
  *text += n + 1;
  return true;
}

static bool at_command(const char *rest, int64_t now_ns) {
  struct happening what = {0};
  int64_t who = 0, value = 0;
  if (!take_number(&rest, &what.ns) || !take_number(&rest, &what.number)) return false;
  what.ns += now_ns;
  if (take_word(&rest, "signal")) {
    what.kind = SIGNAL;
    if (!take_number(&rest, &value)) return false;
  } else {
    if (take_word(&rest, "connect")) what.kind = CONNECT;
    else if (take_word(&rest, "send")) what.kind = SEND;
    else if (take_word(&rest, "end")) what.kind = END;
    else if (take_word(&rest, "close")) what.kind = CLOSE;
    else return false;
    if (!take_number(&rest, &who) || who >= MAX_CLIENTS) return false;
    if (what.kind == CONNECT && !take_number(&rest, &value)) return false;
    if (what.kind == SEND && !(what.text = strdup(rest))) return false;
  }
  what.who = (int)who;
  what.value = (int)value;
  return add(what);
}

static bool child_command(const char *rest, int64_t now_ns) {
  struct happening what = {.kind = CHILD};
  int64_t code;
  if (!take_number(&rest, &what.ns) || !take_number(&rest, &what.number) || !take_number(&rest, &code)) return false;
  what.ns += now_ns;
  what.who = new_child(what.number, (int)code);
  return what.who >= 0 && add(what);
}

bool world_command(const char *command, int64_t now_ns, int *result) {
  bool done;
  if (strncmp(command, "at:", 3) == 0) done = at_command(command + 3, now_ns);
  else if (strncmp(command, "child:", 6) == 0) done = child_command(command + 6, now_ns);
  else return false;
  *result = done ? 0 : -1;
  if (!done) errno = EINVAL;
  return true;
}
