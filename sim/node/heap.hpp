// Memory of the simulated program: objects in slabs, counted references.
//
// A reference held in a variable, a queue, a closure or another object counts one. Cycles are broken where Node's own
// bookkeeping breaks them (a callback that has run is dropped); the rest is looked for when there is no room for more locals
// (cycles.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/assert.hpp"
#include "loopsim/trace.hpp"

#include "sim/node/slab.hpp"
#include "sim/node/value.hpp"
#include "sim/uv/timer_heap.hpp"

namespace loopsim::node {

// A Timeout of Node (lib/internal/timers.js, class Timeout): one cache line, because programs have very many.
struct alignas(64) TimerObject {
  std::uint64_t id = 0, by = 0;                  // of the callback
  double idle_timeout = 0;                       // ms as asked (>= 1), -1 once cleared
  TimeMs idle_start = 0;                         // loop time at which it was armed
  std::uint32_t place = kNone, context = kNone;  // of the callback
  std::uint32_t refs = 0;
  std::uint32_t next = kNone, previous = kNone;  // in its list; kNone: in none
  std::uint32_t list = kNone;                    // the list it is linked in
  std::uint32_t extra = kNone;                   // TimerExtra
  bool repeats : 1 = false;
  bool is_referenced : 1 = true;  // kRefed
  bool destroyed : 1 = false;
  bool has_callback : 1 = true;  // _onTimeout is set
  bool called : 1 = false;       // <= 10
  bool is_running : 1 = false;   // <= 10, for the trace: its callback is being called

  // As most are: fires once, keeps the process alive, and has one reference and nothing rare.
  [[nodiscard]] bool is_plain() const {
    const bool usual = static_cast<bool>(has_callback & is_referenced & !repeats & !destroyed);
    return usual && extra == kNone && refs == 1;
  }
};

static_assert(sizeof(TimerObject) == 64);

// 4: the timer's handle was closed with the list that had made it, and has no effect any more.
constexpr std::uint32_t kClosedHandle = kNone - 1;

// Rarely used fields of a timer.
struct TimerExtra {
  std::uint32_t arguments = kNone;  // of the callback
  std::uint32_t promise = kNone;    // timers/promises: resolved when it fires
  std::uint32_t handle = kNone;     // <= 10: the uv handle from unref(), or kClosedHandle
  std::uint64_t thrown = 0;         // <= 10: the callback (its id) that an exception has left last
  double idle_fraction = 0;         // added to idle_start: Node 10 arms a late interval at a fraction of a ms
};

struct alignas(64) ImmediateObject {
  Callback callback;
  std::uint32_t refs = 0;
  std::uint32_t next = kNone, previous = kNone;
  std::uint32_t promise = kNone;
  enum class Reference : std::uint8_t { none, no, yes } reference = Reference::no;  // kRefed: null, false, true
  enum class Native : std::uint8_t {
    none,
    noop,
    ticks
  } native = Native::none;  // Node's own entry after a handled exception
  bool destroyed = false;
  bool queued = false;  // linked in a queue

  // As most are: keeps the process alive, is not Node's own, and has one reference and nothing rare.
  [[nodiscard]] bool is_plain() const {
    return refs == 1 && reference == Reference::yes && native == Native::none && promise == kNone;
  }
};

enum class PromiseState : std::uint8_t { pending, fulfilled, rejected };

struct alignas(64) PromiseObject {
  std::uint32_t refs = 0;
  PromiseState state = PromiseState::pending;
  bool already_resolved = false;  // its resolve function was called
  bool handled = false;
  bool is_deferred = false;  // made by `new Promise`: the program can settle it
  std::uint32_t label = kNoName;
  std::uint32_t first_reaction = kNone, last_reaction = kNone;
  std::uint64_t number = 0;  // for the trace
  Value result;
};

// A reaction to a settled promise (ECMAScript PromiseReaction).
struct Reaction {
  enum class Kind : std::uint8_t {
    then,           // user callbacks; a missing one passes through
    finally,        // onFinally: then wait for its result
    finally_value,  // pass on `value` (or throw it)
    resume,         // an async function waits: coroutine
    pass_on,        // settle `derived` the same way (resolving with a promise, Promise.race)
    element,        // an element of all, allSettled or any
    main,           // the module loader waits for the main module: its failure is an uncaught exception
  };
  Kind kind = Kind::then;
  bool is_throw = false;  // finally_value
  std::uint32_t next = kNone;
  std::uint32_t derived = kNone;    // promise
  Callback fulfilled, rejected;     // place kNone: none
  std::uint32_t coroutine = kNone;  // resume
  std::uint32_t aggregate = kNone;  // element
  std::uint32_t position = 0;
  Value value;  // finally_value
};

// Promise.all, allSettled, any in progress.
struct Aggregate {
  std::uint32_t refs = 0;
  std::uint8_t kind = 0;
  std::uint32_t promise = kNone;
  std::uint32_t list = kNone;
  std::uint32_t remaining = 0;
};

// Listeners of Node's own on a socket or server (lib/net.js, lib/_stream_duplex.js).
enum class NativeListener : std::uint8_t {
  none,
  read_when_connected,   // 'connect': _read()
  final_when_connected,  // 'connect': _final()
  write_when_connected,  // 'connect': the write requested meanwhile
  fail_write,            // 'close': fails that write; the connection never came
  end_own_side,          // 'end': onend of Duplex, <= 8
  on_end,                // 'end': onReadableStreamEnd, >= 10
  end_was_read,          // 'end': of onSocketEnd, <= 8
  on_socket_end,         // '_socketEnd': onSocketEnd, <= 8
  destroy,               // '_socketEnd', 'finish': destroy()
  on_finish,             // 'finish': onSocketFinish, 4 and 6
  end_callback_finish,   // 'finish': the callback of end(), 14
  end_callback_error,    // 'error': the same
  not_running,           // 'close' of a server: the callback of a close() that found it closed
};

struct Listener {
  Callback callback;
  std::uint32_t function = kNone;
  bool once = false;
  bool fired = false;  // in the list of an emission: a nested emission has called it
  NativeListener native = NativeListener::none;
  std::uint64_t native_id = 0;  // of Node's own listeners
};

// Internal names of the events of servers and sockets.
enum class NetEvent : std::uint8_t {
  listening,
  connection,
  connect,
  ready,
  data,
  end,
  finish,
  drain,
  close,
  error,
  socket_end,  // '_socketEnd'
};
inline constexpr std::size_t kNetEvents = static_cast<std::size_t>(NetEvent::socket_end) + 1;

// One chunk given to write(), and its callback (place kNone: none).
struct WriteRequest {
  std::string bytes;
  Callback callback;
};

// The callbacks of a finished write, which a tick calls.
struct FinishedWrite {
  std::vector<Callback> callbacks;  // empty: none, `count` times
  std::int32_t count = 1;
  bool several = false;
  bool was_last = false;  // <= 11: no work was left at the end of the write
};

// ReadableState, of a socket.
struct Readable {
  enum class Flowing : std::uint8_t { unset, no, yes };
  Flowing flowing = Flowing::unset;
  bool paused = false;
  bool ended = false, end_emitted = false;
  bool reading = false, sync = true;
  bool need_readable = false, emitted_readable = false;
  bool resume_scheduled = false, reading_more = false;
  std::size_t length = 0;
  std::vector<std::string> buffer;
};

// WritableState, of a socket.
struct Writable {
  bool need_drain = false;
  bool ending = false, ended = false, finished = false;
  bool writing = false, sync = true, processing = false;
  bool final_called = false, prefinished = false;
  bool tick_pending = false;  // >= 20: kAfterWritePending
  bool tick_shared = false;   // 12 - 18: the last of `after` may take another write without callback
  bool several = false;       // the current write has several requests (writev)
  std::size_t length = 0, write_length = 0;
  std::int32_t pending_callbacks = 0;
  std::vector<FinishedWrite> after;         // pending ticks, in order
  std::vector<Callback> writing_callbacks;  // of the current write; empty: none
  std::vector<WriteRequest> buffered;
  std::vector<Callback> finish_callbacks;
};

// The kernel's end of a connection. deliver_bytes(), deliver_end() and deliver_reset() put arrivals here.
struct Connection {
  enum class Error : std::uint8_t { none, reset, pipe };  // ECONNRESET, EPIPE
  std::string received;
  TimeNs received_at = -1;    // arrival of its first byte
  TimeNs ended_at = -1;       // FIN
  bool received_end = false;  // FIN
  bool is_reset = false;      // RST: no more data in either direction
  bool sent_end = false;      // its own side is shut down
  Error error = Error::none;  // reported by the next call
};

// A server or a socket (TCPWrap, uv_tcp_t and the JavaScript object), beside its emitter. The kernel's half of a
// connection that no server has accepted yet has no emitter.
struct NetObject {
  bool is_server = false;
  bool has_handle = false;     // a server listens, a socket is not destroyed
  bool is_connecting = false;  // of a client: from net.connect() to its outcome
  bool is_refused = false;     // no server listens at its port
  bool is_counted = false;     // the loop counts its handle
  bool is_started = false;     // the handle is active
  bool is_referenced = true;
  bool is_fed = false;    // in the pending queue
  bool is_sink = false;   // the end of a pipe for a child process, which reads all data
  bool is_taken = false;  // a child has it
  bool is_raw = false;    // of a language whose own library has the streams (RawHandles): fields of these are not used
  // of a socket
  bool is_reading = false;     // uv_read_start
  bool reading_asked = false;  // _handle.reading
  bool read_end = false;       // the end of file was read
  bool is_shutting = false;    // uv_shutdown under way
  bool has_request = false;    // a connection request is under way
  bool destroyed = false;
  bool had_error = false;                   // argument of 'close'
  bool allow_half_open = false;             // of a server: of the sockets it accepts
  bool write_after_fin = false;             // write() was replaced
  bool readable = false, writable = false;  // <= 12: properties of their own
  bool error_emitted = false, close_emitted = false;
  bool has_error = false;  // >= 14: errored
  Value error;             // the same
  enum class LateWrite : std::uint8_t { none, done, done_waiting, failed } late_write = LateWrite::none;
  std::uint16_t port = 0;
  bool tells_close = false;                       // is_raw
  std::string unsent;                             // is_raw: of a write that the kernel has no room for
  std::uint16_t local_port = 0, remote_port = 0;  // is_raw
  std::string path;                               // of a Unix socket
  std::uint32_t emitter = kNone;
  std::uint32_t peer = kNone;          // the other socket of the connection
  std::uint32_t client = kNone;        // the outside end of a connection: its client in an arrival process
  TimeNs since = -1;                   // time of the event to report: the connection, the arrival of bytes
  std::uint32_t server = kNone;        // an accepted socket's
  std::uint32_t connections = 0;       // of a server: accepted and not destroyed
  std::vector<std::uint32_t> backlog;  // of a server: connections that wait to be accepted
  Connection connection;
  Readable in;
  Writable out;
  std::vector<WriteRequest> waits_for_connection;  // the write after 'connect'
};

// A child process (ProcessWrap, uv_process_t), beside its emitter.
struct ChildObject {
  std::uint32_t emitter = kNone;
  std::string_view command;  // the caller's
  bool has_handle = false;   // until its end is noticed
  bool is_referenced = true;
  bool is_reaped = false;  // waitpid() has got its status
  bool is_gone = false;    // it has ended: a zombie until the loop reaps it
  TimeNs ended_at = 0;
  int code = 0;
  int signal = 0;       // that ended it; 0: none
  bool is_raw = false;  // of a language whose own library has the child's object: it is never freed
  struct Pipe {
    std::uint32_t end = kNone;  // the child's
    std::string output;
  };
  std::vector<Pipe> pipes;
  int own_signal = 0;  // is_raw: that it ends by, unless it is killed
};

struct EmitterObject {
  struct Event {
    std::uint32_t name;
    std::vector<Listener> listeners;
  };
  std::uint32_t refs = 0;
  std::uint32_t label = kNoName;
  std::vector<Event> events;
  std::uint32_t net = kNone;    // a server's or socket's native part
  std::uint32_t child = kNone;  // a child process's
};

// A suspended async function.
struct Coroutine {
  std::uint32_t function = kNone;
  std::uint32_t pc = 0;
  std::uint32_t scope = kNone;
  std::uint32_t scope_depth = 0;
  std::uint32_t promise = kNone;
  std::uint32_t label = kNoName;
  std::uint64_t id = 0;  // of the callback for its resumption
  std::uint64_t by = 0;
};

class Heap {
 public:
  Slab<StringObject> strings;
  Slab<ErrorObject> errors;
  Slab<ListObject> lists;
  Slab<TimerObject> timers;
  Slab<TimerExtra> timer_extras;
  Slab<ImmediateObject> immediates;
  Slab<PromiseObject> promises;
  Slab<Reaction> reactions;
  Slab<Aggregate> aggregates;
  Slab<EmitterObject> emitters;
  Slab<NetObject> nets;
  Slab<ChildObject> children;
  Slab<Coroutine> coroutines;
  Slab<Scope> scopes;
  Slab<ForeignObject> foreigns;

  void retain(const Value& value) {
    if (value.is_object()) ++count(value.tag, value.index);
  }
  void release(const Value& value) {
    if (value.is_object()) drop(value.tag, value.index);
  }
  // Drops the old value of `place` and takes over `value` with the caller's reference.
  void assign(Value& place, const Value& value) {
    const Tag tag = place.tag;  // not the whole: reading at once what was just written in parts is slow
    const std::uint32_t index = place.index;
    place = value;
    if (Value::is_object(tag)) drop(tag, index);
  }
  // The value of `place`, with its reference; `place` is undefined then.
  [[nodiscard]] static Value take(Value& place) {
    const Value value = {place.tag, place.index, place.number};
    place = {};
    return value;
  }
  [[nodiscard]] Value copy(const Value& value) {
    retain(value);
    return value;
  }

  void retain_scope(std::uint32_t scope) {
    if (scope != kNone) ++scopes[scope].refs;
  }
  void release_scope(std::uint32_t scope) {
    if (scope != kNone && one_less(scopes[scope].refs) == 0) destroy_scope(scope);
  }

  void retain_promise(std::uint32_t promise) {
    if (promise != kNone) ++promises[promise].refs;
  }
  void release_promise(std::uint32_t promise) {
    if (promise != kNone && one_less(promises[promise].refs) == 0) end_promise(promise);
  }
  void release_timer(std::uint32_t timer) { release_timer(timer, timers[timer]); }
  void release_timer(std::uint32_t index, TimerObject& timer) {
    if (one_less(timer.refs) == 0) end_timer(index, timer);
  }
  void release_immediate(std::uint32_t immediate) { release_immediate(immediate, immediates[immediate]); }
  void release_immediate(std::uint32_t index, ImmediateObject& immediate) {
    if (one_less(immediate.refs) == 0) end_immediate(index, immediate);
  }

  void retain(const Callback& callback) {
    retain_scope(callback.context);
    if (callback.arguments != kNone) ++lists[callback.arguments].refs;
  }
  void release(const Callback& callback) {
    release_scope(callback.context);
    if (callback.arguments != kNone) release(Value::object(Tag::list, callback.arguments));
  }

  [[nodiscard]] const TimerExtra& extra(const TimerObject& timer) const {
    static constexpr TimerExtra kNothing;
    return timer.extra == kNone ? kNothing : timer_extras[timer.extra];
  }
  [[nodiscard]] TimerExtra& make_extra(TimerObject& timer) {
    if (timer.extra == kNone) timer.extra = timer_extras.make();
    return timer_extras[timer.extra];
  }
  [[nodiscard]] Callback callback_of(const TimerObject& timer) const {
    return {timer.place, timer.context, extra(timer).arguments, timer.id, timer.by};
  }

  // A new scope with `size` slots, all undefined, holding a reference to `parent`. The caller owns one reference.
  std::uint32_t make_scope(std::uint32_t parent, std::uint32_t size);
  [[nodiscard]] Value& slot(std::uint32_t scope, std::uint32_t hops, std::uint32_t slot) {
    for (; hops > 0; --hops) scope = scopes[scope].parent;
    LOOPSIM_ASSERT(slot < scopes[scope].size);
    return slot_storage_[scopes[scope].slots + slot];
  }

  // The caller owns one reference to each of these.
  Value make_string(std::string text);
  Value make_error(std::string_view name, std::string_view message, std::string_view code = {});
  std::uint32_t make_list();
  Value make_foreign(std::uint64_t value);

  void free_reaction(std::uint32_t reaction);
  void release_aggregate(std::uint32_t aggregate);
  void free_coroutine(std::uint32_t coroutine);

  // Called for every scope that ends, when nothing refers to it any more. At most one listener.
  void when_scope_ends(void* self, void (*told)(void* self, std::uint32_t scope)) {
    scope_listener_ = self;
    scope_ended_ = told;
  }

  // The same for values of the engine's own.
  void when_foreign_ends(void* self, void (*told)(void* self, std::uint64_t value)) {
    foreign_listener_ = self;
    foreign_ended_ = told;
  }

  // Called when the last reference to a timer or immediate goes; a queue keeps its entries alive until later.
  void destroy_timer(std::uint32_t timer);
  void destroy_immediate(std::uint32_t immediate);

 private:
  static std::uint32_t one_less(std::uint32_t& references) {
    LOOPSIM_ASSERT(references != 0);
    return --references;
  }
  [[nodiscard]] std::uint32_t& count(Tag tag, std::uint32_t index) {
    switch (tag) {
      case Tag::string: return strings[index].refs;
      case Tag::error: return errors[index].refs;
      case Tag::timer: return timers[index].refs;
      case Tag::immediate: return immediates[index].refs;
      case Tag::promise: return promises[index].refs;
      case Tag::emitter: return emitters[index].refs;
      case Tag::foreign: return foreigns[index].refs;
      default: return lists[index].refs;
    }
  }
  void drop(Tag tag, std::uint32_t index) {
    if (tag == Tag::promise) return release_promise(index);
    if (one_less(count(tag, index)) == 0) destroy(Value::object(tag, index));
  }
  void destroy_scope(std::uint32_t scope);  // and the outer scopes that only it held
  void destroy(const Value& value);
  void destroy_one(const Value& value);

  // Most ending objects release nothing else, and end here.
  [[nodiscard]] bool outlives(std::uint32_t scope) const { return scope == kNone || scopes[scope].refs > 1; }
  void end_timer(std::uint32_t index, const TimerObject& timer) {
    if (timer.extra != kNone || !outlives(timer.context)) return destroy(Value::object(Tag::timer, index));
    if (timer.context != kNone) --scopes[timer.context].refs;
    timers.free(index);
  }
  void end_immediate(std::uint32_t index, const ImmediateObject& immediate) {
    if (immediate.promise != kNone || immediate.callback.arguments != kNone || !outlives(immediate.callback.context))
      return destroy(Value::object(Tag::immediate, index));
    if (immediate.callback.context != kNone) --scopes[immediate.callback.context].refs;
    immediates.free(index);
  }
  void end_promise(std::uint32_t index) {
    const PromiseObject& promise = promises[index];
    if (promise.first_reaction != kNone || promise.result.is_object())
      return destroy(Value::object(Tag::promise, index));
    promises.free(index);
  }

  void make_room(std::uint32_t size_class);

  static constexpr int kSizeClasses = 17;
  static constexpr std::size_t kLeastSlots = 4096;
  std::vector<Value> slot_storage_;
  std::size_t look_at_ = kLeastSlots;  // with so many slots, and none free, cycles are looked for
  std::vector<Value> doomed_;
  bool destroying_ = false;
  void* scope_listener_ = nullptr;
  void (*scope_ended_)(void* self, std::uint32_t scope) = nullptr;
  void* foreign_listener_ = nullptr;
  void (*foreign_ended_)(void* self, std::uint64_t value) = nullptr;
  std::array<std::vector<std::uint32_t>, kSizeClasses> free_slots_;  // by log2 of the size
};

}  // namespace loopsim::node
