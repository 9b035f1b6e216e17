// The parts of a program in C that are the same for every scenario.
#pragma once

#include <string_view>

namespace loopsim {

inline constexpr std::string_view kHead = R"(#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

static uv_loop_t* loop;
static uint64_t start_ms, start_time;

static long long now_ms(void) { return (long long) (uv_hrtime() / 1000000 - start_ms); }
static void spin(uint64_t ns) {
  for (uint64_t begin = uv_hrtime(); uv_hrtime() - begin < ns;) {
  }
}
struct work {
  uint64_t cpu, sleep;
};
static void work(uv_work_t* req) {
  const struct work* what = req->data;
  if (what->cpu != 0) spin(what->cpu);
  if (what->sleep != 0) usleep((useconds_t) (what->sleep / 1000));
}
)";

// Without uv.h: the libuv inside a Node binary, whatever its version. The functions are those that the program calls.
inline constexpr std::string_view kJudgedHead = R"(#define _GNU_SOURCE
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct uv_loop_s uv_loop_t;
typedef struct uv_handle_s uv_handle_t;
typedef struct uv_handle_s uv_timer_t, uv_idle_t, uv_prepare_t, uv_check_t, uv_async_t, uv_signal_t;
typedef struct uv_handle_s uv_stream_t, uv_tcp_t, uv_pipe_t, uv_poll_t, uv_process_t;
typedef struct uv_req_s { void* data; } uv_req_t, uv_work_t, uv_fs_t, uv_getaddrinfo_t, uv_connect_t, uv_write_t, uv_shutdown_t;
typedef struct uv_buf_s { char* base; size_t len; } uv_buf_t;
typedef void (*uv_cb)(uv_handle_t*);
typedef uv_cb uv_close_cb, uv_timer_cb, uv_idle_cb, uv_prepare_cb, uv_check_cb, uv_async_cb;
typedef void (*uv_signal_cb)(uv_handle_t*, int);
typedef void (*uv_walk_cb)(uv_handle_t*, void*);
typedef void (*uv_work_cb)(uv_work_t*);
typedef void (*uv_after_work_cb)(uv_work_t*, int);
typedef void (*uv_alloc_cb)(uv_handle_t*, size_t, uv_buf_t*);
typedef void (*uv_read_cb)(uv_stream_t*, ssize_t, const uv_buf_t*);
typedef void (*uv_connection_cb)(uv_stream_t*, int);
typedef void (*uv_connect_cb)(uv_connect_t*, int);
typedef void (*uv_write_cb)(uv_write_t*, int);
typedef void (*uv_shutdown_cb)(uv_shutdown_t*, int);
typedef void (*uv_poll_cb)(uv_poll_t*, int, int);
typedef void (*uv_exit_cb)(uv_process_t*, int64_t, int);
typedef void (*uv_fs_cb)(uv_fs_t*);
typedef void (*uv_getaddrinfo_cb)(uv_getaddrinfo_t*, int, struct addrinfo*);
typedef struct {
  uv_exit_cb exit_cb;
  const char* file;
  char** args;
  char** env;
  const char* cwd;
  unsigned int flags;
  int stdio_count;
  void* stdio;
  unsigned int uid, gid;
} uv_process_options_t;
enum { UV_RUN_DEFAULT, UV_RUN_ONCE, UV_RUN_NOWAIT };
enum { UV_LOOP_BLOCK_SIGNAL, UV_METRICS_IDLE_TIME };
enum { UV_ASYNC = 1, UV_CHECK = 2, UV_IDLE = 6, UV_NAMED_PIPE = 7, UV_POLL = 8, UV_PREPARE = 9, UV_PROCESS = 10, UV_TCP = 12 };
enum { UV_TIMER = 13, UV_SIGNAL = 16 };
enum { UV_CONNECT = 2, UV_WRITE = 3, UV_SHUTDOWN = 4, UV_FS = 6, UV_WORK = 7, UV_GETADDRINFO = 8 };
enum { UV_READABLE = 1, UV_WRITABLE = 2, UV_DISCONNECT = 4 };
size_t uv_loop_size(void), uv_handle_size(int), uv_req_size(int);
uint64_t uv_hrtime(void), uv_now(const uv_loop_t*), uv_timer_get_repeat(const uv_timer_t*), uv_timer_get_due_in(const uv_timer_t*);
int uv_loop_init(uv_loop_t*), uv_loop_configure(uv_loop_t*, int, ...), uv_loop_close(uv_loop_t*);
int uv_run(uv_loop_t*, int), uv_loop_alive(const uv_loop_t*);
int uv_backend_timeout(const uv_loop_t*), uv_has_ref(const uv_handle_t*), uv_is_active(const uv_handle_t*);
int uv_is_closing(const uv_handle_t*), uv_cancel(uv_req_t*);
int uv_async_send(uv_async_t*), uv_async_init(uv_loop_t*, uv_async_t*, uv_async_cb);
void uv_stop(uv_loop_t*), uv_update_time(uv_loop_t*), uv_ref(uv_handle_t*), uv_unref(uv_handle_t*);
void uv_walk(uv_loop_t*, uv_walk_cb, void*), uv_close(uv_handle_t*, uv_close_cb), uv_timer_set_repeat(uv_timer_t*, uint64_t);
int uv_timer_init(uv_loop_t*, uv_timer_t*), uv_timer_start(uv_timer_t*, uv_timer_cb, uint64_t, uint64_t);
int uv_timer_stop(uv_timer_t*), uv_timer_again(uv_timer_t*);
int uv_idle_init(uv_loop_t*, uv_idle_t*), uv_idle_start(uv_idle_t*, uv_idle_cb), uv_idle_stop(uv_idle_t*);
int uv_prepare_init(uv_loop_t*, uv_prepare_t*), uv_prepare_start(uv_prepare_t*, uv_prepare_cb), uv_prepare_stop(uv_prepare_t*);
int uv_check_init(uv_loop_t*, uv_check_t*), uv_check_start(uv_check_t*, uv_check_cb), uv_check_stop(uv_check_t*);
int uv_queue_work(uv_loop_t*, uv_work_t*, uv_work_cb, uv_after_work_cb);
int uv_signal_init(uv_loop_t*, uv_signal_t*), uv_signal_start(uv_signal_t*, uv_signal_cb, int), uv_signal_stop(uv_signal_t*);
int uv_signal_start_oneshot(uv_signal_t*, uv_signal_cb, int);
int uv_ip4_addr(const char*, int, struct sockaddr_in*);
int uv_tcp_init(uv_loop_t*, uv_tcp_t*), uv_tcp_bind(uv_tcp_t*, const struct sockaddr*, unsigned int);
int uv_tcp_connect(uv_connect_t*, uv_tcp_t*, const struct sockaddr*, uv_connect_cb), uv_tcp_close_reset(uv_tcp_t*, uv_close_cb);
int uv_pipe_init(uv_loop_t*, uv_pipe_t*, int), uv_pipe_bind(uv_pipe_t*, const char*);
void uv_pipe_connect(uv_connect_t*, uv_pipe_t*, const char*, uv_connect_cb);
int uv_listen(uv_stream_t*, int, uv_connection_cb), uv_accept(uv_stream_t*, uv_stream_t*);
int uv_read_start(uv_stream_t*, uv_alloc_cb, uv_read_cb), uv_read_stop(uv_stream_t*);
int uv_write(uv_write_t*, uv_stream_t*, const uv_buf_t*, unsigned int, uv_write_cb);
int uv_try_write(uv_stream_t*, const uv_buf_t*, unsigned int), uv_shutdown(uv_shutdown_t*, uv_stream_t*, uv_shutdown_cb);
int uv_is_readable(const uv_stream_t*), uv_is_writable(const uv_stream_t*);
int uv_poll_init(uv_loop_t*, uv_poll_t*, int), uv_poll_start(uv_poll_t*, int, uv_poll_cb), uv_poll_stop(uv_poll_t*);
int uv_spawn(uv_loop_t*, uv_process_t*, const uv_process_options_t*), uv_process_kill(uv_process_t*, int);
int uv_fs_access(uv_loop_t*, uv_fs_t*, const char*, int, uv_fs_cb), uv_fs_stat(uv_loop_t*, uv_fs_t*, const char*, uv_fs_cb);
int uv_fs_mkdir(uv_loop_t*, uv_fs_t*, const char*, int, uv_fs_cb), uv_fs_rmdir(uv_loop_t*, uv_fs_t*, const char*, uv_fs_cb);
int uv_fs_unlink(uv_loop_t*, uv_fs_t*, const char*, uv_fs_cb);
void uv_fs_req_cleanup(uv_fs_t*), uv_freeaddrinfo(struct addrinfo*);
int uv_getaddrinfo(uv_loop_t*, uv_getaddrinfo_t*, uv_getaddrinfo_cb, const char*, const char*, const struct addrinfo*);

static uv_loop_t* loop;
static uint64_t start_ms, start_time, start_ns;

static long long now_ms(void) { return (long long) (uv_hrtime() / 1000000 - start_ms); }
static void say(const char* what) { dprintf(3, "%lld %s", (long long) (uv_hrtime() - start_ns), what); }
static long long called(const char* call, long long result) {
  say("");
  dprintf(3, "call %s = %lld\n", call, result);
  return result;
}
static void begins(const char* name) {
  say("");
  dprintf(3, "begin %s\n", name);
}
static void spin(uint64_t ns) {
  char text[64];
  snprintf(text, sizeof text, "vclock:burn:%llu", (unsigned long long) ns);
  if (chdir(text) != 0) return;
}
// Later handles have higher addresses, by which libuv orders those that watch the same signal.
static void* reserve(size_t size) {
  static char memory[1 << 22];
  static size_t used;
  size = (size + 15) / 16 * 16;
  if (used + size > sizeof memory) abort();
  used += size;
  return memory + used - size;
}
static int operations;
static void happens(uint64_t ns, const char* what) {
  char text[4200];
  snprintf(text, sizeof text, "vclock:at:%llu:%d:%s", (unsigned long long) ns, ++operations, what);
  if (chdir(text) != 0) return;
}
struct work {
  uint64_t cpu, sleep;
  int number;
};
static void* work_of(uint64_t cpu, uint64_t sleep) {
  struct work* what = calloc(1, sizeof *what);
  *what = (struct work) {cpu, sleep, ++operations};
  return what;
}
static void work(uv_work_t* req) {
  const struct work* what = req->data;
  char text[64];
  snprintf(text, sizeof text, "/vclock/op/%llu/%d", (unsigned long long) (what->cpu + what->sleep), what->number);
  if (access(text, F_OK) != 0) return;
}
)";
// Several programs run in one process, one behind the other: what is left of one ends before the next begins.

inline constexpr std::string_view kJudgedMain = R"(
__attribute__((constructor)) static void judged(void) {
  char was_open[1024];
  struct stat status;
  for (int fd = 0; fd < 1024; ++fd) was_open[fd] = fstat(fd, &status) == 0;
  loop = calloc(1, uv_loop_size());
  uv_loop_init(loop);
  start_ns = uv_hrtime();
  const int code = program();
  say("");
  dprintf(3, "exit %d\n", code);
  for (int signum = 1; signum < 32; ++signum) {
    if (signum != 9 && signum != 17 && signum != 19) signal(signum, SIG_IGN);
  }
  spin(10000000000);
  for (int fd = 0; fd < 1024; ++fd) {
    if (!was_open[fd] && fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode)) close(fd);
  }
  for (int signum = 1; signum < 32; ++signum) {
    if (signum != 9 && signum != 13 && signum != 17 && signum != 19) signal(signum, SIG_DFL);
  }
}
)";

// ---- parts of both, which are written where they are used -------------------------------------------------------------

// Texts are never freed: the loop may hold them to the end of the program.
inline constexpr std::string_view kData = R"(
static uv_buf_t* text(const char* format, ...) {
  static uv_buf_t buf;
  va_list values;
  va_start(values, format);
  buf.base = malloc(65537);
  buf.len = (size_t) vsnprintf(buf.base, 65537, format, values);
  va_end(values);
  return &buf;
}
static uv_buf_t* some(size_t bytes) {
  uv_buf_t* buf = text("");
  memset(buf->base, 'x', bytes);
  buf->len = bytes;
  return buf;
}
)";

inline constexpr std::string_view kStreams = R"(
static void allocate(uv_handle_t* handle, size_t size, uv_buf_t* buf) {
  static char memory[65537];
  buf->base = memory;
  buf->len = 65536;
}
static const char* text_of(ssize_t nread, const uv_buf_t* buf) {
  if (nread <= 0) return "";
  buf->base[nread] = 0;
  return buf->base;
}
static const struct sockaddr* port_of(int port) {
  static struct sockaddr_in address;
  uv_ip4_addr("127.0.0.1", port, &address);
  return (const struct sockaddr*) &address;
}
)";

inline constexpr std::string_view kDescriptors = R"(
static long long send_text(int fd, const uv_buf_t* buf) { return send(fd, buf->base, buf->len, MSG_DONTWAIT | MSG_NOSIGNAL); }
static long long receive(int fd) {
  static char memory[65536];
  return recv(fd, memory, sizeof memory, MSG_DONTWAIT);
}
)";

// A child process of the shell; file: what is run.
inline constexpr std::string_view kChild = R"(
static int spawn_child(uv_process_t* child, const char* file, const char* command, uv_exit_cb exit_cb) {
  char* args[] = {(char*) file, "-c", (char*) command, NULL};
  uv_process_options_t options = {.exit_cb = exit_cb, .file = file, .args = args};
  return uv_spawn(loop, child, &options);
}
)";
inline constexpr std::string_view kJudgedChild = R"(
static int spawn_child(uv_process_t* child, uint64_t ns, int code, int error, uv_exit_cb exit_cb) {
  char command[64];
  snprintf(command, sizeof command, "vclock:child:%llu:%d:%d", (unsigned long long) ns, ++operations, code);
  if (error == 0 && chdir(command) != 0) abort();
  snprintf(command, sizeof command, "vclock-child-%d", error == 0 ? operations : 0);
  char* args[] = {command, NULL};
  uv_process_options_t options = {.exit_cb = exit_cb, .file = command, .args = args};
  return uv_spawn(loop, child, &options);
}
)";

// The result of a file request stands behind the fields of all requests, fs_type, loop and cb.
inline constexpr std::string_view kJudgedRequests = R"(
static long long result_of(uv_fs_t* req) { return *(ssize_t*) ((char*) req + 88); }
static const char* file(uint64_t ns, int error) {
  static char path[96];
  snprintf(path, sizeof path, "/vclock/error/%llu/%d/%d", (unsigned long long) ns, ++operations, error);
  return path;
}
static const char* host(uint64_t ns, int error) {
  static char name[96];
  snprintf(name, sizeof name, "vclock-error-%llu-%d-%d.invalid", (unsigned long long) ns, ++operations, error);
  return name;
}
)";
inline constexpr std::string_view kJudgedPaths = R"(
static const char* path_of(const char* name) {
  static char path[96];
  snprintf(path, sizeof path, "/tmp/loopsim-%d-%s", (int) getpid(), strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
  return path;
}
)";

// Clients outside of the process.
inline constexpr std::string_view kClients = R"(
static int connect_to(int port) {
  struct sockaddr_in address;
  uv_ip4_addr("127.0.0.1", port, &address);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (const struct sockaddr*) &address, sizeof address) != 0) return -1;
  return fd;
}
)";

}  // namespace loopsim
