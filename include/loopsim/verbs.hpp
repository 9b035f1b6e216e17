// The verbs of the scenario language and their options: the table behind the parser, the JSON Schema, `loopsim list`
// and the docs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "loopsim/profile.hpp"

namespace loopsim {

enum class Verb : std::uint8_t {
  // output and time
  log,
  mark,
  cpu,
  spin,
  // variables and control
  let,
  set,
  add,
  if_,
  call,
  repeat,
  throw_,
  try_,
  return_,
  // timers and queues
  set_timeout,
  set_interval,
  set_immediate,
  clear,
  refresh,
  ref,
  unref,
  has_ref,
  next_tick,
  queue_microtask,
  // promises
  promise,
  resolve,
  reject,
  resolved,
  rejected,
  then,
  all,
  all_settled,
  any,
  race,
  async,
  await,
  // work elsewhere
  fs,
  dns,
  crypto,
  zlib,
  // child processes and signals
  spawn,
  kill,
  // network
  listen,
  connect,
  close,
  write,
  end,
  pause,
  resume,
  destroy,
  // events and life cycle
  emitter,
  on,
  once,
  off,
  emit,
  exit,
  exit_code,
  // libuv alone: the loop
  uv_run,
  uv_stop,
  uv_loop_alive,
  uv_loop_close,
  uv_loop_configure,
  uv_now,
  uv_update_time,
  uv_backend_timeout,
  uv_walk,
  // all handles
  uv_close,
  uv_ref,
  uv_unref,
  uv_has_ref,
  uv_is_active,
  uv_is_closing,
  // timers
  uv_timer_init,
  uv_timer_start,
  uv_timer_stop,
  uv_timer_again,
  uv_timer_set_repeat,
  uv_timer_get_repeat,
  uv_timer_get_due_in,
  // idle, prepare, check
  uv_idle_init,
  uv_idle_start,
  uv_idle_stop,
  uv_prepare_init,
  uv_prepare_start,
  uv_prepare_stop,
  uv_check_init,
  uv_check_start,
  uv_check_stop,
  // other threads
  uv_async_init,
  uv_async_send,
  uv_queue_work,
  uv_cancel,
  // signals
  uv_signal_init,
  uv_signal_start,
  uv_signal_start_oneshot,
  uv_signal_stop,

  uv_tcp_init,
  uv_tcp_bind,
  uv_tcp_connect,
  uv_tcp_close_reset,
  uv_pipe_init,
  uv_pipe_bind,
  uv_pipe_connect,
  uv_listen,
  uv_accept,
  uv_read_start,
  uv_read_stop,
  uv_write,
  uv_try_write,
  uv_shutdown,
  uv_is_readable,
  uv_is_writable,

  socketpair,
  send,
  recv,
  shutdown,
  uv_poll_init,
  uv_poll_start,
  uv_poll_stop,

  uv_spawn,
  uv_process_kill,

  uv_fs_access,
  uv_fs_stat,
  uv_fs_mkdir,
  uv_fs_rmdir,
  uv_fs_unlink,
  uv_getaddrinfo,
  // pages
  request_animation_frame,
  request_idle_callback,
  post_task,
  yield_,
  add_event_listener,
  dispatch_event,
  set_attribute,
  observe,
  post_message,
  fetch,
};

enum class Key : std::uint8_t {
  as,
  do_,
  with,
  takes,
  cpu,
  error,
  event,
  then,
  else_,
  catch_,
  finally_,
  rejected,
  on,
  code,
  signal,
  data,
  bytes,
  half_open,
  timeout,
  repeat,
  delay,
  once,
  capture,
  handle,
  client,
  other,
  fd,
  port,
  path,
  node,
  events
};

// Type of the argument of a verb's own key, or of an option. Each kind has one parse function, one schema fragment and
// one help text.
enum class ArgumentKind : std::uint8_t {
  value,          // -> Value
  values,         // a value or a list of values -> std::vector<Value>
  error_value,    // like value, but a plain text means an Error with that message -> Value
  duration,       // -> Duration
  delay,          // -> Value or Duration
  request_times,  // -> RequestTimes
  condition,      // a truth test or a comparison -> Condition
  assignments,    // -> std::vector<Assignment>
  callback,       // -> Callback
  block,          // -> Block
  awaitable,      // -> Awaitable
  awaitables,     // -> std::vector<Awaitable>
  value_or_step,  // -> Value or Awaitable
  count,          // a whole number >= 0, or a variable -> Value
  new_name,       // defines a name -> Name
  label,          // names the callback in the trace, defines nothing -> std::string
  name,           // uses a name -> Name
  function_name,  // names a function -> Callback (by_name)
  event_name,     // -> std::string
  operation,      // one of the verb's words -> std::string
  error_code,     // ENOENT ... -> std::string
  port,           // of TCP: a whole number 1..65535 -> Value
  address,        // a port, or the path of a Unix socket -> Value
  listeners,      // an object: event -> callback; the events are the verb's words -> std::vector<EventListener>
  exit_code,      // a whole number 0..255, null, or a variable -> Value
  command,        // of a child process: a non-empty text -> std::string
  signal_name,    // SIGTERM ... -> std::string
  bytes,          // number of bytes: a whole number 1..16384 -> Value
  flag,           // true or false -> Value
  milliseconds,   // a whole number >= 0, or a variable -> Value
  nothing,        // null: the function takes no argument
  selector,       // of an element, or "window" or "document" -> std::string
  url,            // a non-empty text -> std::string
  path,           // of a file or a Unix socket: a non-empty text -> std::string
  host,           // a non-empty text -> std::string
};

struct OptionInfo {
  Key key;
  std::string_view name;
  ArgumentKind kind;
  bool required;
  int since;              // first major version of Node that has it (0: as the verb)
  std::string_view help;  // one line
};

inline constexpr std::size_t kMostVerbOptions = 8;  // of one verb

struct VerbInfo {
  Verb verb;
  std::string_view name;   // as written in a document
  std::string_view group;  // heading in the docs and in `loopsim list`
  ArgumentKind kind;
  std::span<const OptionInfo> options;
  std::span<const std::string_view> words;  // for ArgumentKind::operation and ::listeners
  bool makes_promise;                       // may be used as an awaitable
  int since;                                // first major version of Node that has it, of libuv the minor one (0: all)
  std::string_view help;                    // one line
  std::string_view example;                 // one step, valid JSON
  Family family = Family::node;             // whose programs have it
  std::span<const std::string_view> given = {};  // names of the callback's arguments
};

// A function of libuv that closes a handle: its callback has a name of its own, "NAME.close".
[[nodiscard]] constexpr bool closes_handle(Verb verb) {
  return verb == Verb::uv_close || verb == Verb::uv_tcp_close_reset;
}

// In the order of the Verb enumeration.
[[nodiscard]] std::span<const VerbInfo> verb_table();
[[nodiscard]] const VerbInfo& info(Verb verb);
[[nodiscard]] const VerbInfo* find_verb(std::string_view name);  // null: no such verb
[[nodiscard]] std::string_view to_string(Key key);               // as written in a document
// Whether programs of the family have the verb. Family::javascript, of verbs: those of Node and those of a browser.
[[nodiscard]] constexpr bool belongs_to(const VerbInfo& verb, Family family) {
  const bool is_javascript = family == Family::node || family == Family::browser;
  return verb.family == Family::any || verb.family == family || (verb.family == Family::javascript && is_javascript);
}

// The sequence of requests of an `fs` operation: four for readFile, three for writeFile, one for the others, none for
// an unknown one. `data_request` is the one that a single duration in `takes` applies to.
struct FileRequests {
  std::span<const std::string_view> names;
  std::size_t data_request;
};
[[nodiscard]] FileRequests file_requests(std::string_view operation);

// The first major version of Node with this operation of crypto or zlib; 0: all.
[[nodiscard]] int operation_since(std::string_view operation);

// The events of `process`, except signals, whose events have the signal's name.
[[nodiscard]] std::span<const std::string_view> process_events();

// The signals of the language (signal(7), numbers of Linux x86-64). SIGUSR1 is excluded: Node reserves it for its
// debugger.
struct SignalInfo {
  std::string_view name;
  int number;
  bool ends_process;  // default action without a listener: end the process, or nothing
  bool can_listen;    // false for SIGKILL
};
[[nodiscard]] std::span<const SignalInfo> signals();
[[nodiscard]] const SignalInfo* find_signal(std::string_view name);  // null: no such signal
[[nodiscard]] const SignalInfo* find_signal(int number);

}  // namespace loopsim
