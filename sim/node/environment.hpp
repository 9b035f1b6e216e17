// Node on top of the loop (node::Environment of src/env.h): everything between libuv's callbacks and the simulated program.
//
//                 uv::Loop                        timers, check, poll, pending, closing
//                    | calls
//     run_timers  process_immediates  on_completed ...      timers.cpp, legacy_timers.cpp, immediates.cpp, work.cpp
//                    | each ends in
//                 close_scope: ticks, microtasks, rejections      task_queues.cpp, exceptions.cpp
//                    | runs
//                 run_callback -> Engine                          callbacks.cpp, engine.hpp
//
// One class in several files, one topic a file, because the topics share this state the way Node's do.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/machine/machine.hpp"
#include "sim/machine/ring_queue.hpp"
#include "sim/machine/thread_pool.hpp"
#include "sim/node/api.hpp"
#include "sim/node/engine.hpp"
#include "sim/node/flow.hpp"
#include "sim/node/heap.hpp"
#include "sim/node/setup.hpp"
#include "sim/node/timer_lists.hpp"
#include "sim/trace/tracer.hpp"
#include "sim/uv/loop.hpp"

namespace loopsim::node {

// An entry of process.nextTick's queue: a callback, or something of Node's own (versions <= 8).
struct Tick {
  enum class Native : std::uint8_t {
    none,
    microtasks,
    timer_list,
    immediates,
    rejection_handled,
    listening,
    server_closed,
    connect,
    child_spawned,
    child_failed,
    multiple_resolves,
    warning,         // process.emitWarning: a line on standard error that is not told here; but the tick itself counts
    flush_stdio,     // of a child that has ended; it has no streams here, but the tick itself counts
    net_error,       // emits 'error' with `value`
    net_error_once,  // the same, unless it was told (emitErrorNT of a stream)
    error_close,     // the same, once; then the socket has told 'close' (emitErrorCloseNT)
    close_told,      // emitCloseNT of a stream
    call_with,       // `callback`, with `value`
    emit_readable,   // emitReadable_
    read_more,       // maybeReadMore_
    resume,          // resume_
    end_readable,    // endReadableNT
    end_writable,    // endWritableNT
    end_own_side,    // onEndNT
    after_write,
    write_error,      // onwriteError, with `value`
    write_callbacks,  // callbacks of a failed write, with `value`
    final_call,       // callFinal
    finish,
    finish_if_done,
    finish_maybe,
    error_buffer,
  };
  Callback callback;
  Native native = Native::none;
  std::uint32_t index = kNone;
  Value value = {};
};

class Environment {
 public:
  // All of these must outlive it.
  Environment(const Setup& setup, Engine& engine, Tracer& tracer, Position& position);
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // The whole life of the process.
  RunSummary run();
  // In place of the rest of run(), when that has thrown std::bad_alloc: the process ends here.
  RunSummary end_without_memory();
  [[nodiscard]] const RunSummary& finish();
  [[nodiscard]] TimeNs clock_phase() const { return machine_.clock_phase(); }

  // ---- what an engine asks about ------------------------------------------------------------------------------------------------
  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] uv::Loop& loop() { return loop_; }
  [[nodiscard]] bool is_exiting() const { return exiting_; }  // process._exiting
  [[nodiscard]] bool is_over() const { return over_; }        // nothing runs any more
  [[nodiscard]] std::uint32_t process_emitter() const { return process_emitter_; }
  [[nodiscard]] std::uint64_t running() const { return running_; }  // id of the callback that is running
  void set_running(std::uint64_t id) { running_ = id; }
  void set_last_ended(std::uint64_t id) { last_ended_ = id; }

  // ---- life cycle (life_cycle.cpp) ------------------------------------------------------------------------------------------
  void run_main();
  void start_up();
  void run_module();
  Flow run_main_body();
  void spin_loop();
  void emit_exit_naturally();
  void end_process(ExitReason reason, std::int64_t code);

  // ---- process.exitCode (exit_code.cpp) -----------------------------------------------------------------------------------------
  [[nodiscard]] std::int64_t to_exit_code(const Value& value) const;
  Flow set_exit_code(const Value& code);
  Flow check_exit_code(const Value& code);
  [[nodiscard]] std::string specific_type(const Value& value) const;
  Flow process_exit(const Value* code);  // process.exit(); null: without an argument
  void halt(LimitKind limit, std::int64_t value);
  // Nothing more is to run. Also notices that the clock has reached its limit.
  bool stopping() { return machine_.needs_attention() && stop_if_over(); }
  bool stop_if_over();
  void stop();
  void trace_exit();
  std::uint64_t timer_behind(const uv::Timer& timer);

  // ---- callbacks (callbacks.cpp) ----------------------------------------------------------------------------------------------
  std::uint64_t next_id() { return ++last_id_; }
  // Gives the callback its id and tells the trace that it was asked for.
  void announce(Callback& callback, ScheduleKind kind, TimeNs due, TimeNs delay, std::uint64_t handle = 0,
                std::string_view operation = {}) {
    callback.id = next_id();
    if (tracer_.on()) trace_scheduled(callback, kind, due, delay, handle, operation);
  }
  void trace_scheduled(const Callback& callback, ScheduleKind kind, TimeNs due, TimeNs delay, std::uint64_t handle,
                       std::string_view operation);
  void trace_cancel(const Callback& callback, CancelReason reason);
  void trace_reference(EventKind kind, const Callback& callback);  // ref, unref
  // Runs it to its end, with its own arguments first or, when it has none, with `arguments`. The result is given with its reference;
  // it was undefined.
  Flow run_callback(const Callback& callback, std::span<const Value> arguments = {}, TimeNs due = -1,
                    Value* result = nullptr, std::string_view operation = {}) {
    if (runs_bare(callback.place)) return run_bare(callback.place, callback.context, callback.id);
    return run_framed(callback, arguments, due, result, operation);
  }
  Flow run_framed(const Callback& callback, std::span<const Value> arguments, TimeNs due, Value* result,
                  std::string_view operation);
  // A leaf that nothing is told about, with no time to pay and no frame around it, needs none of what run_framed() does.
  [[nodiscard]] bool runs_bare(std::uint32_t place) const {
    return places_[place].is_leaf && !tracer_.on() && machine_.is_plain();
  }
  Flow run_bare(std::uint32_t place, std::uint32_t context, std::uint64_t id) {
    if (!count_callback()) return Flow::stop;
    const std::uint64_t outer = running_;
    running_ = id;
    const Flow flow = engine_.run_leaf(place, context);
    running_ = outer;
    return flow;
  }
  // False when a limit stops the run instead.
  bool begin_callback(Api api, std::uint32_t label, std::uint64_t id, std::uint64_t by, TimeNs due,
                      std::string_view operation = {}) {
    if (!machine_.is_plain()) wait_for_machine(api);
    if (!count_callback()) return false;
    if (tracer_.on()) trace_begun(api, label, id, by, due, operation);
    return true;
  }
  bool count_callback() {
    if (stopping()) return false;
    return ++callbacks_ <= limits_.callbacks || too_many_callbacks();
  }
  void wait_for_machine(Api api);
  bool too_many_callbacks();
  void trace_begun(Api api, std::uint32_t label, std::uint64_t id, std::uint64_t by, TimeNs due,
                   std::string_view operation);
  void end_callback(Api api, std::uint32_t label, std::uint64_t id, Completion how);
  void note_busy(TimeNs from, std::uint64_t id, LateReason reason);
  void blame(Event& event, TimeNs due) const;
  // The running callback hands it over. Takes over the references.
  void set_callback(Callback& callback, const Callable& callable) {
    callback.place = callable.place;
    callback.context = callable.context;
    callback.arguments = callable.arguments;
    callback.by = running_;
  }
  Callback make_callback(const Callable& callable) {
    Callback callback;
    set_callback(callback, callable);
    return callback;
  }
  [[nodiscard]] Value first_argument(const Callback& callback) const;

  // ---- between callbacks (task_queues.cpp) ------------------------------------------------------------------------------------
  // InternalCallbackScope::Close; exceptions are dealt with.
  Flow close_scope(bool microtasks_first = true) {
    if (stopping()) return Flow::stop;
    return queues_are_empty() ? Flow::normal : empty_queues(microtasks_first);
  }
  // Between two timers or immediates; exceptions travel up.
  Flow run_next_ticks() {
    if (stopping()) return Flow::stop;
    return queues_are_empty() ? Flow::normal : empty_queues_between();
  }
  [[nodiscard]] bool queues_are_empty() const { return !engine_.has_jobs() && !tick_scheduled_ && !rejection_to_warn_; }
  Flow empty_queues(bool microtasks_first);
  Flow empty_queues_between();
  Flow process_ticks_and_rejections();
  Flow run_microtasks();                     // exceptions are dealt with one by one
  void next_tick(const Callable& callable);  // takes over the references
  void note_queue_microtask();               // queueMicrotask() is used
  void queue_native_tick(Tick::Native native, std::uint32_t index);
  Flow run_first_tick();
  Flow run_native_tick(const Tick& tick);
  void too_long_a_queue();
  void stop_for_steps();
  void resolved_twice();  // a promise was settled that had been before
  // Runs one callback made by the loop, then drains. MakeCallback.
  Flow make_callback_from_loop(const Callback& callback, std::span<const Value> arguments, TimeNs due);

  // ---- exceptions, rejections (exceptions.cpp) --------------------------------------------------------------------------------
  Flow handle_uncaught(bool from_promise);  // of what the engine holds
  void track_rejection(std::uint32_t promise);
  void track_handled(std::uint32_t promise);
  Flow process_rejections(bool& more);
  Flow process_rejection_batch(bool& more);
  Flow process_rejection(std::uint32_t promise);
  Flow process_handled_rejection(std::uint32_t promise);

  // ---- timers ---------------------------------------------------------------------------------------------------------------
  Delay coerce_delay(double delay);
  Delay delay_of_time(TimeNs time);
  void warn_of_delay(double delay);
  // Takes over the references of the callable. The caller owns one to the timer.
  std::uint32_t new_timer(Delay delay, bool repeats, std::uint32_t promise, const Callable& callable);
  // It has been armed: its callback gets its id, and the trace is told.
  void announce_timer(TimerObject& timer, ScheduleKind kind) {
    if (machine_.has_costs()) pay(Cost::timer);
    const std::uint64_t before = timer.id;
    if (kind != ScheduleKind::first) timer.by = running_;
    timer.id = next_id();
    if (tracer_.on()) trace_armed(timer, kind, kind == ScheduleKind::first ? 0 : before);
  }
  void trace_armed(const TimerObject& timer, ScheduleKind kind, std::uint64_t before);
  [[nodiscard]] TimeNs due_time(const TimerObject& timer) const;
  TimeMs libuv_now();  // getLibuvNow: refreshes the loop's time
  Flow fire_timer(std::uint32_t index, TimerObject& timer);
  void take_first(TimerList& list, TimerObject& timer);
  void clear_timer(std::uint32_t timer);
  void close_timer(std::uint32_t timer);
  Flow clear_no_timer(const Value& value);
  void refresh_timer(std::uint32_t timer);
  void ref_timer(std::uint32_t timer);
  void unref_timer(std::uint32_t timer);
  [[nodiscard]] bool timer_has_ref(std::uint32_t timer);
  // A timer in a list is kept alive by it. A timer that is in another list moves.
  void link(std::uint32_t list_index, std::uint32_t index, TimerObject& timer) {
    ++timer.refs;
    if (is_linked(timer)) unlink(index);
    TimerList& list = lists_[list_index];
    timer.list = list_index;
    timer.previous = list.tail;
    timer.next = kNone;
    if (list.tail != kNone)
      heap_.timers[list.tail].next = index;
    else
      list.head = index;
    list.tail = index;
  }
  void unlink(std::uint32_t timer);
  [[nodiscard]] bool is_linked(const TimerObject& timer) const { return timer.list != kNone; }
  // Frees it when nothing refers to it and no list holds it.
  void drop_timer(std::uint32_t timer) { heap_.release_timer(timer); }

  // single handle, >= 11 (timers.cpp)
  static void on_timer_handle(void* self, uv::Timer& handle);
  void run_timers();
  Flow process_timers(TimeMs now, std::int64_t& next);
  void fetch_ahead(std::uint32_t list);
  Flow list_on_timeout(std::uint32_t list, TimeMs now);
  void insert_timer(std::uint32_t timer, TimeMs start);
  void put_into_list(std::uint32_t index, TimerObject& timer, TimeMs msecs, TimeMs start);
  void remove_list(std::uint32_t list);
  void schedule_timer(TimeMs duration);
  void inc_timer_refs();
  void dec_timer_refs();
  void clear_modern(std::uint32_t timer);
  void refresh_modern(std::uint32_t timer);

  // a handle for every list, <= 10 (legacy_timers.cpp)
  static void on_wrap(void* self, uv::Timer& handle);
  void legacy_insert(std::uint32_t timer, TimeMs start);
  void legacy_list_scope(std::uint32_t handle);
  Flow legacy_run_list(std::uint32_t handle);
  void legacy_delete_list(std::uint32_t list);
  void legacy_close_list(std::uint32_t list);
  void legacy_release_list(std::uint32_t list);
  void legacy_unpin(std::uint32_t list);
  void legacy_go_on_by_tick(std::uint32_t list);
  Flow legacy_list_tick(std::uint32_t list);
  Flow legacy_try_timer(std::uint32_t list, std::uint32_t timer);
  Flow legacy_fire(std::uint32_t timer, TimeMs start, bool has_start);
  void legacy_rearm(std::uint32_t timer, TimeMs start);
  void legacy_own_scope(std::uint32_t handle);
  Flow legacy_own_handle(std::uint32_t handle, TimeMs now);
  std::uint32_t legacy_reuse(std::uint32_t timer);
  void legacy_unenroll(std::uint32_t timer);
  void legacy_close(std::uint32_t timer);
  void legacy_give_back(std::uint32_t timer, std::uint32_t left = kNone);  // `left`: what its handle is then
  void legacy_refresh(std::uint32_t timer);
  void legacy_unref(std::uint32_t timer);
  std::uint32_t legacy_new_handle();
  void legacy_close_handle(std::uint32_t handle);
  void legacy_handle_closed(std::uint32_t handle);
  [[nodiscard]] TimerWrap* own_handle(const TimerObject& timer);  // the one that unref() gave it, until it is closed
  void drop_handle(std::uint32_t handle);

  // ---- immediates (immediates.cpp) --------------------------------------------------------------------------------------------
  struct ImmediateQueue {
    std::uint32_t head = kNone, tail = kNone;
    std::uint32_t old_tail = kNone;  // of a batch: its last one when it was taken, until that is cleared
  };
  static void on_check(void* self, uv::Handle& handle);
  std::uint32_t new_immediate(const Callable& callable, std::uint32_t promise);  // as new_timer
  std::uint32_t add_immediate(ImmediateObject::Native native);
  void clear_immediate(std::uint32_t immediate);
  void ref_immediate(std::uint32_t immediate);
  void unref_immediate(std::uint32_t immediate);
  [[nodiscard]] bool immediate_has_ref(std::uint32_t immediate) const;
  void check_immediates();
  Flow process_immediates();
  Flow process_immediates_inside();
  Flow fire_immediate(std::uint32_t immediate);
  Flow fire_or_lose(std::uint32_t immediate);
  std::uint32_t take_first(ImmediateQueue& queue);
  void lose_immediates();
  void immediate_threw(bool had_outstanding);
  void append(ImmediateQueue& queue, std::uint32_t immediate);
  void remove(ImmediateQueue& queue, std::uint32_t immediate);
  void drop_immediate(std::uint32_t immediate) { heap_.release_immediate(immediate); }
  void queue_native_immediate();

  // ---- work on the pool and the network (work.cpp) ------------------------------------------------------------------------
  struct Request {
    Operation operation;
    std::uint32_t stage = 0;  // which of its requests is running
    std::uint32_t promise = kNone;
    Callback callback;
  };
  static void on_completed(void* self, const uv::Completed& done);
  void start_work(const Operation& operation, std::uint32_t promise, const Callback& callback);
  void submit_stage(std::uint32_t request);
  [[nodiscard]] std::string_view stage_name(const Request& request) const;
  void finish_stage(const uv::Completed& done);

  // ---- servers, and connections in the kernel (net.cpp) -----------------------------------------------------------------------
  static void on_io(void* self, std::uint32_t net, std::uint8_t events);
  static std::uint8_t watched_for(void* self, std::uint32_t net);
  static std::uint8_t descriptor_state(void* self, std::uint32_t net);
  static void on_pending(void* self, std::uint32_t net);
  static void on_close(void* self, std::uint32_t net);
  std::uint32_t new_net(bool is_server, std::uint32_t port,
                        std::uint32_t label);  // its emitter; the caller owns a reference
  std::uint32_t listen(std::uint32_t port, std::uint32_t label, bool allow_half_open);
  std::uint32_t connect(std::uint32_t port, std::uint32_t label, bool allow_half_open);
  std::uint32_t connect_to_path(std::string path, std::uint32_t label, bool allow_half_open);
  void start_connecting(std::uint32_t socket);
  bool meet_server(std::uint32_t socket);  // false: nobody listens at its port
  void accept(std::uint32_t server);
  void close_server(std::uint32_t server, const Callback& callback);
  void emit_close_if_drained(std::uint32_t server);
  // What arrives at a socket, from its peer or from outside: bytes, the end (FIN), a reset (RST).
  void deliver_bytes(std::uint32_t socket, std::string_view bytes);
  void deliver_end(std::uint32_t socket);
  void deliver_reset(std::uint32_t socket);
  Connection::Error send_bytes(std::uint32_t socket, std::string_view bytes);
  void close_connection(std::uint32_t socket);
  void close_handle(std::uint32_t net);
  void reference_net(std::uint32_t net, bool is_referenced);
  void count_handle(std::uint32_t net);  // after a change of what keeps the loop alive
  void feed(std::uint32_t net);
  void retain_net(std::uint32_t net) { heap_.retain(Value::object(Tag::emitter, heap_.nets[net].emitter)); }
  void release_net(std::uint32_t net) { heap_.release(Value::object(Tag::emitter, heap_.nets[net].emitter)); }

  // ---- child processes (children.cpp) -----------------------------------------------------------------------------------------
  // Their emitters; the caller owns a reference.
  std::uint32_t spawn(std::string_view command, std::uint32_t label, TimeNs duration, int code);
  std::uint32_t spawn_missing(std::string_view command, std::uint32_t label);
  std::uint32_t new_child(std::string_view command, std::uint32_t label);
  [[nodiscard]] std::uint32_t child_of(const Value& value) const {
    return value.tag == Tag::emitter ? heap_.emitters[value.index].child : kNone;
  }
  void end_child(std::uint32_t child, TimeNs at, int code, int signal);
  void reap_children();
  void report_child_ended(std::uint32_t child);
  void close_child(std::uint32_t child);
  Flow run_child_tick(const Tick& tick);
  Flow emit_child_end(std::uint32_t child, std::string_view event);
  bool kill_child(std::uint32_t child, const SignalInfo& signal);
  void reference_child(std::uint32_t child, bool is_referenced);

  // ---- signals, and what else happens outside (outside.cpp) ---------------------------------------------------------------
  void schedule_inputs(std::uint64_t seed);
  static void on_outside(void* self, const FutureEvent& event);
  void happen(const OutsideEvent& event, TimeNs at);
  void connect_client(const OutsideEvent& event);
  void client_acts(const OutsideEvent& event);
  // Arrival processes (arrivals.cpp).
  struct Source {
    Sampler gap, on, off;
    TimeNs on_until = 0;        // bursts: the end of the present one
    std::uint64_t begun = 0;    // arrivals so far
    std::size_t position = 0;   // in a list
    std::uint64_t clients = 0;  // that have come
  };
  struct OutsideClient {  // of an arrival process, from its request to its answer
    std::uint32_t input = 0;
    std::uint32_t net = kNone;
    std::uint64_t number = 0;
    TimeNs asked_at = 0;
    AnswerKind how = AnswerKind::end;
    bool is_answered = false;
  };
  void begin_arrivals(std::uint32_t input, std::uint64_t seed);
  void next_arrival(std::uint32_t input, TimeNs after);
  TimeNs add_on_time(Source& source, TimeNs after, TimeNs time);
  void arrive(std::uint32_t input, TimeNs at);
  void client_hears(std::uint32_t net, AnswerKind how);
  void client_is_answered(std::uint32_t client, TimeNs at);
  static void on_signal(void* self, const uv::Signal& signal);
  void receive_signal(const SignalInfo& signal, TimeNs at);
  void listener_removed(std::uint32_t emitter, std::uint32_t name);
  void compute(TimeNs amount);   // the loop's thread has this much CPU, unless a signal ends the process before
  void spin_until(TimeNs time);  // it watches the clock until then, with the same exception
  void pay(Cost cost);           // it computes for the runtime itself
  TimeNs death();                // when a signal that is on its way ends the process; kNever
  // ---- their events (net_events.cpp) ------------------------------------------------------------------------------------------
  [[nodiscard]] std::uint32_t net_event_name(NetEvent event);
  void listen_natively(std::uint32_t net, NetEvent event, NativeListener native, bool once = true,
                       const Callback& callback = {}, bool first = false);
  void stop_listening_natively(std::uint32_t net, NetEvent event, NativeListener native);
  Flow run_native_listener(std::uint32_t net, const Listener& listener, std::span<const Value> arguments);
  Flow run_net_tick(const Tick& tick);
  Flow run_stream_tick(const Tick& tick);
  void queue_net_tick(Tick::Native native, std::uint32_t net, const Callback& callback = {}, const Value& value = {});
  // `due`: when that which it tells of had happened.
  Flow emit_net(std::uint32_t net, NetEvent event, std::span<const Value> arguments = {}, TimeNs due = -1);
  Flow emit_error(std::uint32_t net, const Value& error);
  void end_net_callback(Flow flow);  // MakeCallback: an exception is dealt with, or the queues are emptied
  [[nodiscard]] bool net_has_listener(std::uint32_t net, NetEvent event);
  void listener_added(std::uint32_t emitter, std::uint32_t name);
  Flow call_with(const Callback& callback, const Value* error);  // takes over the callback
  void call_on_tick(std::uint32_t net, const Callback& callback, const Value* error);
  [[nodiscard]] std::uint32_t net_of(const Value& value) const {
    return value.tag == Tag::emitter ? heap_.emitters[value.index].net : kNone;
  }

  // ---- sockets (sockets.cpp): lib/net.js, lib/internal/stream_base_commons.js ---------------------------------------------------
  void begin_socket(std::uint32_t socket);      // what the constructor of net.Socket does
  void socket_connected(std::uint32_t socket);  // this and the next in socket_handles.cpp
  void socket_events(std::uint32_t socket, std::uint8_t events);
  void socket_read_event(std::uint32_t socket, std::uint8_t events);
  void socket_write_event(std::uint32_t socket);
  void finish_late_write(std::uint32_t socket);
  void finish_shutdown(std::uint32_t socket, bool cancelled);
  void trace_arrival(std::uint32_t socket, std::string_view bytes);  // empty: the end
  void start_reading(std::uint32_t socket);
  void stop_reading(std::uint32_t socket);
  Flow socket_ended(std::uint32_t socket);  // the end of file was read
  Flow on_socket_end(std::uint32_t socket);
  Flow on_readable_end(std::uint32_t socket);
  Flow after_shutdown(std::uint32_t socket);
  void socket_read(std::uint32_t socket);                                           // _read
  Flow socket_final(std::uint32_t socket);                                          // _final, onSocketFinish
  Flow socket_write_out(std::uint32_t socket, std::vector<WriteRequest> requests);  // _writeGeneric
  Flow write_socket(std::uint32_t socket, WriteRequest request);
  Flow end_socket(std::uint32_t socket, bool has_data, WriteRequest data, const Callback& callback);
  Flow maybe_destroy(std::uint32_t socket);
  Flow destroy_soon(std::uint32_t socket);
  void destroy_socket(std::uint32_t socket, const Value* error = nullptr);
  Flow destroy_with_write(std::uint32_t socket, const Value& error);  // <= 12: destroy(error, callback of the write)
  void destroy_and_release(std::uint32_t socket, const Value& error);
  Value system_error(std::string_view call, std::string_view code, const std::string& place = {});
  Value connect_error(std::uint32_t socket, std::string_view code);
  [[nodiscard]] bool is_readable(const NetObject& net) const;
  [[nodiscard]] bool is_writable(const NetObject& net) const;
  void keep_error(NetObject& net, const Value& error);

  // ---- readable streams (readable.cpp) ----------------------------------------------------------------------------------------
  Flow push_chunk(std::uint32_t socket, std::string chunk, bool& more);
  Flow push_end(std::uint32_t socket);
  Flow emit_readable(std::uint32_t socket);
  Flow emit_readable_now(std::uint32_t socket);
  Flow read_stream(std::uint32_t socket, bool peek, bool& got);
  Flow look_into_stream(std::uint32_t socket);  // read(0)
  Flow flow_stream(std::uint32_t socket);
  Flow emit_data(std::uint32_t socket, std::string chunk);
  void maybe_read_more(std::uint32_t socket);
  Flow run_read_more(std::uint32_t socket);
  void end_readable(std::uint32_t socket);
  Flow run_end_readable(std::uint32_t socket);
  void resume_stream(std::uint32_t socket);
  void pause_stream(std::uint32_t socket);
  Flow run_resume(std::uint32_t socket);

  // ---- writable streams (writable.cpp) ----------------------------------------------------------------------------------------
  Flow write_stream(std::uint32_t socket, WriteRequest request, Value* refused = nullptr);
  Flow write_or_buffer(std::uint32_t socket, WriteRequest request);
  Flow do_write(std::uint32_t socket, std::vector<WriteRequest> requests, bool checks_destroyed);
  Flow on_write(std::uint32_t socket, const Value* error);
  Flow write_failed(std::uint32_t socket, const std::vector<Callback>& callbacks, bool several, const Value& error);
  Flow call_write_callbacks(std::uint32_t socket, const std::vector<Callback>& callbacks, bool several,
                            const Value* error);
  Flow after_write(std::uint32_t socket, const FinishedWrite& write);
  Flow clear_buffer(std::uint32_t socket);
  Flow error_buffer(std::uint32_t socket);
  Flow fail_or_destroy(std::uint32_t socket, const Value& error, bool sync);
  Flow end_stream(std::uint32_t socket, bool has_data, WriteRequest data, const Callback& callback);
  [[nodiscard]] bool needs_finish(const NetObject& net) const;
  Flow prefinish(std::uint32_t socket);
  Flow finish_maybe(std::uint32_t socket, bool sync);
  Flow finish_stream(std::uint32_t socket);
  Flow final_done(std::uint32_t socket);
  Flow call_finish_callbacks(std::uint32_t socket, const Value* error);
  Value destroyed_error(std::string_view call);
  Value node_error(std::string_view message, std::string_view code);  // lib/internal/errors.js; before 10 without code

  // ---- events (events.cpp) ----------------------------------------------------------------------------------------------------
  EmitterObject::Event* find_event(std::uint32_t emitter, std::uint32_t name);
  void add_listener(std::uint32_t emitter, std::uint32_t name, const Listener& listener);
  void remove_listener(std::uint32_t emitter, std::uint32_t name, std::uint32_t function);
  // Listeners as they are now; those of `once` are taken off as they are called.
  std::vector<Listener> listeners_of(std::uint32_t emitter, std::uint32_t name);
  void take_off_once(std::uint32_t emitter, std::uint32_t name, const Listener& listener);
  [[nodiscard]] bool process_has(std::string_view event);
  // Calls the listeners that there are. An 'error' that nobody listens to is not thrown here.
  Flow emit_native(std::uint32_t emitter, std::string_view event, std::span<const Value> arguments, bool& had_listeners,
                   TimeNs due = -1);
  Flow emit_process(std::string_view event, std::span<const Value> arguments, bool& had_listeners, TimeNs due = -1);

 private:
  // ---- state ----------------------------------------------------------------------------------------------------------------
  const Setup& setup_;
  const Limits& limits_ = setup_.limits;
  const std::span<const OutsideEvent> inputs_ = setup_.inputs;
  const Profile& profile_;
  Engine& engine_;
  const std::vector<Place>& places_ = engine_.places();
  Heap& heap_ = engine_.heap();
  Tracer& tracer_;
  Position& position_;
  Machine machine_;
  ThreadPool pool_;
  uv::Loop loop_;
  std::uint32_t process_emitter_ = kNone;

  // of the topics above
  bool queue_is_detached_ = false;               // Node 8: what is queued now will never be found
  std::vector<ImmediateQueue> outer_batches_;    // what is left of the batches that a tick has interrupted
  std::vector<std::uint32_t> listening_;         // servers
  std::vector<std::uint32_t> running_children_;  // those with a handle, in the order of their start
  std::vector<Source> sources_;                  // by input
  Slab<OutsideClient> outside_clients_;
  std::vector<std::uint32_t> clients_;      // the kernel's ends of their sockets, by number; kNone: not connected
  std::uint32_t signal_watchers_[32] = {};  // how many each signal has had
  std::array<std::uint32_t, kNetEvents> net_event_names_{};
  std::uint64_t native_listeners_ = 0;

  // queues
  RingQueue<Tick> ticks_;
  bool tick_scheduled_ = false;                    // TickInfo::has_tick_scheduled
  bool microtask_warned_ = false;                  // queueMicrotask has been used
  bool rejection_to_warn_ = false;                 // TickInfo::has_rejection_to_warn
  bool drain_failed_ = false;                      // an exception ended the last close_scope()
  bool microtask_tick_queued_ = false;             // <= 8: microtasksScheduled
  std::vector<std::uint32_t> pending_rejections_;  // promises, each holding a reference; kNone: handled meanwhile
  std::vector<std::uint32_t> handled_rejections_;  // asyncHandledRejections

  // timers
  TimerLists lists_;
  bool negative_delay_warned_ = false, nan_delay_warned_ = false;
  // monitorEventLoopDelay() (src/histogram.cc, IntervalHistogram; life_cycle.cpp).
  void start_delay_monitor();
  static void on_delay_monitor(void* self, uv::Timer& timer);
  uv::Timer delay_monitor_;
  TimeNs delay_measured_at_ = -1;

  uv::Timer timer_handle_;
  std::int64_t timer_references_ = 0;
  TimeMs next_expiry_ = kNever;
  // For what timer_handle_ would have been started while the lists are run; kNever: it would not have been.
  TimeMs deferred_expiry_ = kNever;
  // More timers than a second-level cache may hold; and the lists that were put off last, to fetch their next ones (fetch_ahead).
  static constexpr std::size_t kMostClose = 8192;
  static constexpr std::uint32_t kPutOff = 16;
  bool scattered_ = false;
  std::array<std::uint32_t, kPutOff> put_off_{};
  std::uint32_t put_offs_ = 0;
  bool runs_lists_ = false;
  Slab<TimerWrap> handles_;  // <= 10

  // immediates
  uv::Handle immediate_check_;  // immediate_check_handle
  uv::Handle immediate_idle_;   // immediate_idle_handle: active while a referenced immediate waits, and calls nothing
  ImmediateQueue immediate_queue_;
  ImmediateQueue outstanding_queue_;
  std::uint64_t immediate_count_ = 0;
  std::uint64_t immediate_references_ = 0;
  bool has_outstanding_ = false;
  std::uint32_t running_immediate_ = kNone;
  bool clears_itself_ = false;  // that immediate

  Slab<Request> requests_;
  std::uint64_t submissions_ = 0;

  // the run
  std::uint64_t last_id_ = 0;
  std::uint64_t running_ = 0;  // id of the callback that is running
  std::uint64_t callbacks_ = 0;
  bool exiting_ = false;  // process._exiting
  bool over_ = false;     // nothing runs any more
  std::int64_t exit_code_ = 0;
  bool exit_code_set_ = false;
  bool exit_code_is_int32_ = false;
  double exit_code_whole_ = 0;  // the same before it was cut to 32 bits (ECMAScript, ToIntegerOrInfinity)
  RunSummary summary_;
  std::uint32_t main_request_ = kNone;  // the request that reads an ES module's file

  // for the reasons in the trace: what kept the thread busy, in order of time
  struct Busy {
    TimeNs from, to;
    std::uint64_t id;
    LateReason reason;
  };
  std::vector<Busy> busy_;
  std::uint64_t last_ended_ = 0;
};

}  // namespace loopsim::node
