// Memory of the simulated program: objects in slabs, counted references.
//
// A reference held in a variable, a queue, a closure or another object counts one. Cycles are broken where Node's own
// bookkeeping breaks them (a callback that has run is dropped); what is left lives until the run ends.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"

#include "sim/node/slab.hpp"
#include "sim/node/value.hpp"
#include "sim/uv/timer_heap.hpp"

namespace loopsim::node {

// A Timeout of Node (lib/internal/timers.js, class Timeout). At most 100 bytes.
struct TimerObject {
  Callback callback;
  double idle_timeout = 0;  // ms as asked (>= 1), -1 once cleared
  TimeMs idle_start = 0;    // loop time at which it was armed
  std::uint32_t refs = 0;
  std::uint32_t next = kNone, previous = kNone;  // in its list; kNone: in none
  std::uint32_t list = kNone;                    // the list it is linked in
  std::uint32_t promise = kNone;                 // timers/promises: resolved when it fires
  std::uint32_t handle = kNone;                  // <= 10: the uv handle of its own that unref() gave it
  bool repeats : 1 = false;
  bool is_referenced : 1 = true;  // kRefed
  bool destroyed : 1 = false;
  bool has_callback : 1 = true;  // _onTimeout is set
  bool called : 1 = false;       // <= 10
  bool rescheduled : 1 = false;  // for the trace: refresh() has given it a new id while its callback runs
};

static_assert(sizeof(TimerObject) <= 100);

struct ImmediateObject {
  Callback callback;
  std::uint32_t refs = 0;
  std::uint32_t next = kNone, previous = kNone;
  std::uint32_t promise = kNone;
  enum class Reference : std::uint8_t { none, no, yes } reference = Reference::no;  // kRefed: null, false, true
  enum class Native : std::uint8_t {
    none,
    noop,
    ticks
  } native = Native::none;  // what Node itself queues after an exception
  bool destroyed = false;
  bool queued = false;  // linked in a queue
};

enum class PromiseState : std::uint8_t { pending, fulfilled, rejected };

struct PromiseObject {
  std::uint32_t refs = 0;
  PromiseState state = PromiseState::pending;
  bool already_resolved = false;  // its resolve function was called
  bool handled = false;
  bool warned = false;  // its rejection was reported as unhandled
  std::uint32_t label = kNoName;
  std::uint32_t pending_rejection = kNone;  // place among the rejections to be processed
  std::uint32_t first_reaction = kNone, last_reaction = kNone;
  std::uint64_t number = 0;  // for the trace
  Value result;
};

// What happens when a promise is settled (ECMAScript PromiseReaction).
struct Reaction {
  enum class Kind : std::uint8_t {
    then,           // user callbacks; a missing one passes through
    finally,        // onFinally: then wait for what it returns
    finally_value,  // give on `value` (or throw it)
    resume,         // an async function waits: coroutine
    pass_on,        // settle `derived` the same way (resolving with a promise, Promise.race)
    element,        // an element of all, allSettled or any
    main,           // the module loader waits for the main module: its failure is an uncaught exception
  };
  Kind kind = Kind::then;
  bool is_throw = false;  // finally_value
  std::uint32_t next = kNone;
  std::uint32_t derived = kNone;    // promise
  Callback fulfilled, rejected;     // site kNone: none
  std::uint32_t coroutine = kNone;  // resume
  std::uint32_t aggregate = kNone;  // element
  std::uint32_t position = 0;
  Value value;  // finally_value
};

// Promise.all, allSettled, any on their way.
struct Aggregate {
  std::uint32_t refs = 0;
  std::uint8_t kind = 0;
  std::uint32_t promise = kNone;
  std::uint32_t list = kNone;
  std::uint32_t remaining = 0;
};

struct Listener {
  Callback callback;
  std::uint32_t function = kNone;
  bool once = false;
  bool fired = false;  // in the list of an emission: a nested one has called it
};

// The native part of a server or a socket (TCPWrap, uv_tcp_t), beside its emitter. The kernel's half of a connection that no
// server has accepted yet is one without an emitter.
struct NetObject {
  enum class Failure : std::uint8_t { none, in_use, refused, no_entry, reset_connecting, reset };
  bool is_server = false;
  bool has_handle = false;     // a server listens, a socket is not destroyed
  bool is_connecting = false;  // of a client: from net.connect() to its outcome
  bool is_active = false;      // the loop counts its handle
  bool peer_gone = false;      // the other side was closed: end of file
  bool is_refused = false;     // nobody listens at its port
  bool was_reset = false;      // its server was closed before it accepted the connection
  bool is_reading = false;     // of a socket: it waits for data or its end
  bool read_end = false;       // the end of file was read
  bool finishing = false;      // its own side is being shut down
  Failure failure = Failure::none;
  std::uint16_t port = 0;
  std::string path;  // of a Unix socket
  std::uint32_t emitter = kNone;
  std::uint32_t peer = kNone;          // the other socket of the connection
  std::uint32_t server = kNone;        // an accepted socket's
  std::uint32_t connections = 0;       // of a server: accepted and not destroyed
  std::vector<std::uint32_t> backlog;  // of a server: connections that wait to be accepted
};

// A child process (ProcessWrap, uv_process_t), beside its emitter.
struct ChildObject {
  std::uint32_t emitter = kNone;
  std::uint32_t command = kNone;  // in Program::strings
  bool has_handle = false;        // until its end was noticed
  bool is_referenced = true;
  bool is_gone = false;  // it has ended: a zombie until the loop reaps it
  TimeNs ended_at = 0;
  int code = 0;
  int signal = 0;  // that ended it; 0: none did
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

// An async function that waits.
struct Coroutine {
  std::uint32_t function = kNone;
  std::uint32_t pc = 0;
  std::uint32_t scope = kNone;
  std::uint32_t scope_depth = 0;
  std::uint32_t promise = kNone;
  std::uint32_t label = kNoName;
  std::uint32_t line = 0;
  std::uint64_t id = 0;  // of the callback that its resumption is
  std::uint64_t by = 0;
};

class Heap {
 public:
  Slab<StringObject> strings;
  Slab<ErrorObject> errors;
  Slab<ListObject> lists;
  Slab<TimerObject> timers;
  Slab<ImmediateObject> immediates;
  Slab<PromiseObject> promises;
  Slab<Reaction> reactions;
  Slab<Aggregate> aggregates;
  Slab<EmitterObject> emitters;
  Slab<NetObject> nets;
  Slab<ChildObject> children;
  Slab<Coroutine> coroutines;
  Slab<Scope> scopes;

  void retain(const Value& value) {
    if (value.is_object()) ++count(value);
  }
  void release(const Value& value) {
    if (value.is_object() && --count(value) == 0) destroy(value);
  }
  // Drops what `place` held and takes over `value`, whose reference the caller gives away.
  void assign(Value& place, const Value& value) {
    const Value old = place;
    place = value;
    release(old);
  }
  [[nodiscard]] Value copy(const Value& value) {
    retain(value);
    return value;
  }

  void retain_scope(std::uint32_t scope) {
    if (scope != kNone) ++scopes[scope].refs;
  }
  void release_scope(std::uint32_t scope);

  void retain_promise(std::uint32_t promise) {
    if (promise != kNone) ++promises[promise].refs;
  }
  void release_promise(std::uint32_t promise) {
    if (promise != kNone) release(Value::object(Tag::promise, promise));
  }

  void retain(const Callback& callback) {
    retain_scope(callback.scope);
    if (callback.arguments != kNone) ++lists[callback.arguments].refs;
  }
  void release(const Callback& callback) {
    release_scope(callback.scope);
    if (callback.arguments != kNone) release(Value::object(Tag::list, callback.arguments));
  }

  // A new scope with `size` slots, all undefined, holding a reference to `parent`. The caller owns one reference.
  std::uint32_t make_scope(std::uint32_t parent, std::uint32_t size);
  [[nodiscard]] Value& slot(std::uint32_t scope, std::uint32_t hops, std::uint32_t slot) {
    for (; hops > 0; --hops) scope = scopes[scope].parent;
    return slot_storage_[scopes[scope].slots + slot];
  }

  // The caller owns one reference to each of these.
  Value make_string(std::string text);
  Value make_error(std::string_view name, std::string_view message, std::string_view code = {});
  std::uint32_t make_list();

  void free_reaction(std::uint32_t reaction);
  void release_aggregate(std::uint32_t aggregate);
  void free_coroutine(std::uint32_t coroutine);

  // Called when the last reference to a timer or immediate goes; those in a queue are kept alive by it and freed later.
  void destroy_timer(std::uint32_t timer);
  void destroy_immediate(std::uint32_t immediate);

 private:
  [[nodiscard]] std::uint32_t& count(const Value& value);
  void destroy(const Value& value);
  void destroy_one(const Value& value);

  static constexpr int kSizeClasses = 17;
  std::vector<Value> slot_storage_;
  std::vector<Value> doomed_;
  bool destroying_ = false;
  std::array<std::vector<std::uint32_t>, kSizeClasses> free_slots_;  // by log2 of the size
};

}  // namespace loopsim::node
