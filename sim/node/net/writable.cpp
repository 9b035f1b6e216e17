#include "sim/node/net/writable.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

namespace {
bool is_none(const Callback& callback) { return callback.place == kNone; }

// The existing callbacks of these requests.
std::vector<Callback> callbacks_of(const std::vector<WriteRequest>& requests) {
  std::vector<Callback> callbacks;
  for (const WriteRequest& request : requests) callbacks.push_back(request.callback);
  return callbacks;
}
}  // namespace

Value WritableStreams::node_error(std::string_view message, std::string_view code) {
  const Value error = heap_.make_error("Error", message, profile_.errors_have_codes ? code : std::string_view());
  heap_.errors[error.index].tells_code = profile_.errors_have_codes;
  return error;
}

Value WritableStreams::destroyed_error(std::string_view call) {
  return node_error("Cannot call " + std::string(call) + " after a stream was destroyed", "ERR_STREAM_DESTROYED");
}

// Writable.prototype.write. `refused` gets the error of a write that is not tried (>= 14); the caller owns its
// reference.
Flow WritableStreams::write(std::uint32_t socket, WriteRequest request, Value* refused) {
  NetObject& net = heap_.nets[socket];
  Writable& out = net.out;
  const bool is_ended = profile_.ending_refuses_writes ? out.ending : out.ended;
  const bool is_refused = !is_ended && net.destroyed && profile_.destroyed_write == DestroyedWrite::refused;
  if (!is_ended && !is_refused) {
    ++out.pending_callbacks;
    return write_or_buffer(socket, std::move(request));
  }
  const Value error =
      !is_ended ? destroyed_error("write") : node_error("write after end", "ERR_STREAM_WRITE_AFTER_END");
  Flow flow = Flow::normal;
  if (is_refused || profile_.write_after_end == WriteAfterEnd::after_callback) {
    env_.net_events.call_on_tick(socket, request.callback, &error);
    flow = fail_or_destroy(socket, error, true);
    if (refused != nullptr) *refused = heap_.copy(error);
  } else {
    flow = env_.net_events.emit_error(socket, error);
    if (flow == Flow::normal) env_.net_events.call_on_tick(socket, request.callback, &error);
  }
  heap_.release(error);
  return flow;
}

Flow WritableStreams::write_or_buffer(std::uint32_t socket, WriteRequest request) {
  NetObject& net = heap_.nets[socket];
  Writable& out = net.out;
  out.length += request.bytes.size();
  if (!profile_.written_needs_no_drain && out.length >= profile_.high_water_mark) out.need_drain = true;
  Flow flow = Flow::normal;
  if (out.writing || (profile_.keeps_error && net.has_error)) {
    out.buffered.push_back(std::move(request));
  } else {
    std::vector<WriteRequest> requests;
    requests.push_back(std::move(request));
    flow = do_write(socket, std::move(requests), profile_.destroyed_write != DestroyedWrite::refused);
  }
  if (profile_.written_needs_no_drain && out.length >= profile_.high_water_mark) out.need_drain = true;
  return flow;
}

Flow WritableStreams::do_write(std::uint32_t socket, std::vector<WriteRequest> requests, bool checks_destroyed) {
  NetObject& net = heap_.nets[socket];
  Writable& out = net.out;
  out.write_length = 0;
  for (const WriteRequest& request : requests) out.write_length += request.bytes.size();
  out.writing_callbacks = callbacks_of(requests);
  out.several = requests.size() > 1;
  out.writing = out.sync = true;
  Flow flow = Flow::normal;
  if (checks_destroyed && net.destroyed && profile_.destroyed_write >= DestroyedWrite::fails) {
    const Value error = destroyed_error("write");
    flow = on_write(socket, &error);
    heap_.release(error);
  } else {
    flow = env_.sockets.write_out(socket, std::move(requests));
  }
  if (flow == Flow::normal) out.sync = false;
  return flow;
}

// onwrite: a write has succeeded or failed.
Flow WritableStreams::on_write(std::uint32_t socket, const Value* error) {
  NetObject& net = heap_.nets[socket];
  Writable& out = net.out;
  const bool sync = out.sync;
  FinishedWrite write;
  write.callbacks = std::exchange(out.writing_callbacks, {});
  write.several = out.several;
  out.writing = false;
  out.length -= out.write_length;
  out.write_length = 0;
  if (error != nullptr) {
    if (profile_.keeps_error) env_.sockets.keep_error(net, *error);
    if (!sync) return write_failed(socket, write.callbacks, write.several, *error);
    out.after.push_back(std::move(write));
    if (profile_.write_error == WriteError::after_callbacks) {
      env_.net_events.queue_tick(Tick::Native::write_error, socket, {}, *error);
      return Flow::normal;
    }
    --out.pending_callbacks;
    env_.net_events.queue_tick(Tick::Native::write_callbacks, socket, {}, *error);
    if (profile_.write_error == WriteError::finish_follows)
      env_.net_events.queue_tick(Tick::Native::finish_maybe, socket);
    net.error_emitted = true;
    return env_.net_events.emit_error(socket, *error);
  }

  Flow flow = Flow::normal;
  if (profile_.write_buffer == WriteBuffer::array) {
    if (!out.buffered.empty()) flow = clear_buffer(socket);
  } else {
    const bool gone = net.destroyed && profile_.destroyed_write != DestroyedWrite::tried;
    write.was_last = (needs_finish(net) && !out.processing) || gone;
    if (!write.was_last && !out.processing && !out.buffered.empty()) flow = clear_buffer(socket);
  }
  if (flow != Flow::normal) return flow;
  if (!sync) return after_write(socket, write);

  const bool has_callback = std::ranges::any_of(write.callbacks, [](const Callback& one) { return !is_none(one); });
  if (profile_.write_skips_tick && !has_callback) {
    const bool needs_tick = out.need_drain && out.length == 0;
    if (out.tick_pending || !needs_tick) {
      --out.pending_callbacks;
      return finish_maybe(socket, false);
    }
    out.tick_pending = true;
  } else if (profile_.write_skips_tick) {
    out.tick_pending = true;
  } else if (profile_.writes_share_tick) {
    const bool shares = !has_callback && (!write.several || profile_.write_buffer == WriteBuffer::array);
    if (shares && out.tick_shared) {
      ++out.after.back().count;
      return Flow::normal;
    }
    out.tick_shared = shares;
  }
  out.after.push_back(std::move(write));
  env_.net_events.queue_tick(Tick::Native::after_write, socket);
  return Flow::normal;
}

// onwriteError.
Flow WritableStreams::write_failed(std::uint32_t socket, const std::vector<Callback>& callbacks, bool several,
                                   const Value& error) {
  NetObject& net = heap_.nets[socket];
  --net.out.pending_callbacks;
  Flow flow = call_write_callbacks(socket, callbacks, several, &error);
  if (flow != Flow::normal) return flow;
  if (profile_.write_buffer == WriteBuffer::array) flow = error_buffer(socket);
  if (flow != Flow::normal) return flow;
  if (profile_.write_error == WriteError::after_callbacks) return fail_or_destroy(socket, error, false);
  net.error_emitted = true;
  flow = env_.net_events.emit_error(socket, error);
  if (flow == Flow::normal && profile_.write_error == WriteError::finish_follows) flow = finish_maybe(socket, false);
  return flow;
}

Flow WritableStreams::call_write_callbacks(std::uint32_t socket, const std::vector<Callback>& callbacks, bool several,
                                           const Value* error) {
  Flow flow = Flow::normal;
  for (const Callback& callback : callbacks) {
    if (several && profile_.write_buffer == WriteBuffer::list && flow == Flow::normal)
      --heap_.nets[socket].out.pending_callbacks;
    if (flow == Flow::normal) {
      flow = env_.net_events.call_with(callback, error);
    } else {
      heap_.release(callback);
    }
  }
  return flow;
}

Flow WritableStreams::after_write(std::uint32_t socket, const FinishedWrite& write) {
  NetObject& net = heap_.nets[socket];
  Writable& out = net.out;
  const bool drains = profile_.drain_unless_ended ? !out.ending && !net.destroyed : !write.was_last;
  if (drains && out.length == 0 && out.need_drain) {
    out.need_drain = false;
    if (const Flow flow = env_.net_events.emit(socket, NetEvent::drain); flow != Flow::normal) return flow;
  }
  out.pending_callbacks -= write.count;
  Flow flow = call_write_callbacks(socket, write.callbacks, write.several, nullptr);
  if (flow == Flow::normal && profile_.write_buffer == WriteBuffer::array && net.destroyed) flow = error_buffer(socket);
  if (flow != Flow::normal) return flow;
  return finish_maybe(socket, false);
}

Flow WritableStreams::clear_buffer(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  Writable& out = net.out;
  if (profile_.write_buffer == WriteBuffer::array && (out.processing || net.destroyed)) return Flow::normal;
  out.processing = true;
  Flow flow = Flow::normal;
  if (out.buffered.size() > 1) {
    std::vector<WriteRequest> requests = std::exchange(out.buffered, {});
    if (profile_.write_buffer == WriteBuffer::array) {
      out.pending_callbacks -= static_cast<std::int32_t>(requests.size()) - 1;
      flow = do_write(socket, std::move(requests), true);
    } else {
      flow = do_write(socket, std::move(requests), true);
      ++out.pending_callbacks;
    }
  } else {
    while (flow == Flow::normal && !out.buffered.empty() && !out.writing) {
      std::vector<WriteRequest> requests;
      requests.push_back(std::move(out.buffered.front()));
      out.buffered.erase(out.buffered.begin());
      flow = do_write(socket, std::move(requests), true);
    }
  }
  if (flow == Flow::normal) out.processing = false;
  return flow;
}

// Fails the unwritten requests, and the callbacks that wait for the end (>= 14).
Flow WritableStreams::error_buffer(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  Writable& out = net.out;
  if (out.writing) return Flow::normal;
  const bool has_error = profile_.error_fails_writes && net.has_error;
  Flow flow = Flow::normal;
  for (WriteRequest& request : std::exchange(out.buffered, {})) {
    out.length -= request.bytes.size();
    const Value error = has_error ? heap_.copy(net.error) : destroyed_error("write");
    if (flow == Flow::normal) {
      flow = env_.net_events.call_with(request.callback, &error);
    } else {
      heap_.release(request.callback);
    }
    heap_.release(error);
  }
  if (flow != Flow::normal || profile_.end_callback != EndCallback::list) return flow;
  const Value error = has_error ? heap_.copy(net.error) : destroyed_error("end");
  flow = call_finish_callbacks(socket, &error);
  heap_.release(error);
  return flow;
}

// errorOrDestroy (>= 14).
Flow WritableStreams::fail_or_destroy(std::uint32_t socket, const Value& error, bool sync) {
  NetObject& net = heap_.nets[socket];
  if (net.destroyed) return Flow::normal;
  if (profile_.auto_destroy) {
    env_.sockets.destroy(socket, &error);
    return Flow::normal;
  }
  env_.sockets.keep_error(net, error);
  if (sync) {
    env_.net_events.queue_tick(Tick::Native::net_error_once, socket, {}, error);
    return Flow::normal;
  }
  if (net.error_emitted) return Flow::normal;
  net.error_emitted = true;
  return env_.net_events.emit_error(socket, error);
}

// ---- the end --------------------------------------------------------------------------------------------------------

// Writable.prototype.end.
Flow WritableStreams::end(std::uint32_t socket, bool has_data, WriteRequest data, const Callback& callback) {
  NetObject& net = heap_.nets[socket];
  Writable& out = net.out;
  Value error;
  if (has_data) {
    const bool by_itself = profile_.end_writes_by_itself;
    Flow flow = Flow::normal;
    if (by_itself)
      flow = write(socket, std::move(data), &error);
    else
      flow = env_.sockets.write(socket, std::move(data));
    if (flow != Flow::normal) return flow;
  }

  if (!profile_.end_tells_error) {
    heap_.release(error);
    if (out.ending) {
      heap_.release(callback);
      return Flow::normal;
    }
    out.ending = true;
    if (const Flow flow = finish_maybe(socket, true); flow != Flow::normal) return flow;
    if (is_none(callback)) {
    } else if (out.finished) {
      env_.net_events.call_on_tick(socket, callback, nullptr);
    } else {
      env_.net_events.listen_natively(socket, NetEvent::finish, NativeListener::end_callback_finish, true, callback);
    }
    out.ended = true;
    net.writable = false;
    return Flow::normal;
  }

  if (error.tag != Tag::undefined) {
  } else if (!net.has_error && !out.ending) {
    out.ending = true;
    if (const Flow flow = finish_maybe(socket, true); flow != Flow::normal) return flow;
    out.ended = true;
    net.writable = false;
  } else if (out.finished) {
    error = node_error("Cannot call end after a stream was finished", "ERR_STREAM_ALREADY_FINISHED");
  } else if (net.destroyed) {
    error = destroyed_error("end");
  }
  if (is_none(callback)) {
  } else if (error.tag != Tag::undefined) {
    env_.net_events.call_on_tick(socket, callback, &error);
  } else if (profile_.end_gives_error && net.has_error) {
    env_.net_events.call_on_tick(socket, callback, &net.error);
  } else if (out.finished) {
    env_.net_events.call_on_tick(socket, callback, nullptr);
  } else if (profile_.end_callback == EndCallback::list) {
    out.finish_callbacks.push_back(callback);
  } else {
    heap_.retain(callback);  // for both listeners
    env_.net_events.listen_natively(socket, NetEvent::finish, NativeListener::end_callback_finish, false, callback);
    env_.net_events.listen_natively(socket, NetEvent::error, NativeListener::end_callback_error, false, callback, true);
  }
  heap_.release(error);
  return Flow::normal;
}

bool WritableStreams::needs_finish(const NetObject& net) const {
  const Writable& out = net.out;
  if (!out.ending || out.length != 0 || !out.buffered.empty() || out.finished || out.writing) return false;
  // The current write is still in state.buffered.
  if (profile_.write_buffer == WriteBuffer::array && out.processing) return false;
  if (profile_.keeps_error && net.has_error) return false;
  if (profile_.finish_event >= FinishEvent::rechecked && (net.error_emitted || net.close_emitted)) return false;
  return profile_.finish_event != FinishEvent::on_tick || !net.destroyed;
}

Flow WritableStreams::prefinish(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  Writable& out = net.out;
  if (out.prefinished || out.final_called) return Flow::normal;
  if (profile_.final_call == FinalCall::on_finish || (profile_.destroyed_skips_final && net.destroyed)) {
    out.prefinished = true;
    return Flow::normal;
  }
  out.final_called = true;
  ++out.pending_callbacks;
  if (profile_.final_call == FinalCall::tick) {
    env_.net_events.queue_tick(Tick::Native::final_call, socket);
    return Flow::normal;
  }
  out.sync = true;
  const Flow flow = env_.sockets.final(socket);
  out.sync = false;
  return flow;
}

// The callback of _final().
Flow WritableStreams::final_done(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  --net.out.pending_callbacks;
  if (profile_.final_call != FinalCall::at_once) {
    net.out.prefinished = true;
    return finish_maybe(socket, false);
  }
  if (!needs_finish(net)) return Flow::normal;
  net.out.prefinished = true;
  ++net.out.pending_callbacks;
  env_.net_events.queue_tick(Tick::Native::finish, socket);
  return Flow::normal;
}

Flow WritableStreams::finish_maybe(std::uint32_t socket, bool sync) {
  NetObject& net = heap_.nets[socket];
  Writable& out = net.out;
  if (!needs_finish(net)) return Flow::normal;
  if (const Flow flow = prefinish(socket); flow != Flow::normal) return flow;
  if (out.pending_callbacks != 0) return Flow::normal;
  if (profile_.finish_event == FinishEvent::at_once) {
    out.finished = true;
    return env_.net_events.emit(socket, NetEvent::finish);
  }
  const bool sure = profile_.finish_event == FinishEvent::counted;
  const bool later = profile_.finish_event == FinishEvent::on_tick && sync;
  if (!sure && !later && !needs_finish(net)) return Flow::normal;
  ++out.pending_callbacks;
  if (!sync) return finish(socket);
  env_.net_events.queue_tick(later ? Tick::Native::finish_if_done : Tick::Native::finish, socket);
  return Flow::normal;
}

// finish() (>= 14).
Flow WritableStreams::finish(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  --net.out.pending_callbacks;
  if (profile_.finish_event == FinishEvent::counted && net.error_emitted) return Flow::normal;
  net.out.finished = true;
  Flow flow = call_finish_callbacks(socket, nullptr);
  if (flow == Flow::normal) flow = env_.net_events.emit(socket, NetEvent::finish);
  if (flow == Flow::normal && profile_.auto_destroy && net.in.end_emitted) env_.sockets.destroy(socket);
  return flow;
}

Flow WritableStreams::call_finish_callbacks(std::uint32_t socket, const Value* error) {
  Flow flow = Flow::normal;
  for (const Callback& callback : std::exchange(heap_.nets[socket].out.finish_callbacks, {})) {
    if (flow == Flow::normal) {
      flow = env_.net_events.call_with(callback, error);
    } else {
      heap_.release(callback);
    }
  }
  return flow;
}

}  // namespace loopsim::node
