#include "sim/node/net/readable.hpp"

#include <utility>

#include "sim/node/environment.hpp"

namespace loopsim::node {

// readableAddChunk. `more`: the stream wants more data.
Flow ReadableStreams::push_chunk(std::uint32_t socket, std::string chunk, bool& more) {
  NetObject& net = heap_.nets[socket];
  Readable& in = net.in;
  more = false;
  if (in.ended || net.destroyed || (net.has_error && profile_.error_reads_nothing)) return Flow::normal;
  in.reading = false;
  Flow flow = Flow::normal;
  const bool passes = in.flowing == Readable::Flowing::yes && in.length == 0 && !in.sync &&
                      (!profile_.data_needs_listener || env_.net_events.has_listener(socket, NetEvent::data));
  if (passes) {
    flow = emit_data(socket, std::move(chunk));
    if (flow == Flow::normal && profile_.readable_generation == ReadableGeneration::at_once) flow = look_into(socket);
  } else {
    in.length += chunk.size();
    in.buffer.push_back(std::move(chunk));
    if (in.need_readable) flow = emit_readable(socket);
  }
  if (flow != Flow::normal) return flow;
  maybe_read_more(socket);
  more = !in.ended && ((profile_.readable_generation == ReadableGeneration::at_once && in.need_readable) ||
                       in.length < profile_.high_water_mark || in.length == 0);
  return Flow::normal;
}

// push(null): onEofChunk.
Flow ReadableStreams::push_end(std::uint32_t socket) {
  Readable& in = heap_.nets[socket].in;
  in.reading = false;
  if (in.ended) return Flow::normal;
  in.ended = true;
  if (profile_.readable_generation == ReadableGeneration::at_once || in.sync) return emit_readable(socket);
  in.need_readable = false;
  if (profile_.eof_tells_once && in.emitted_readable) return Flow::normal;
  in.emitted_readable = true;
  return emit_readable_now(socket);
}

Flow ReadableStreams::emit_readable(std::uint32_t socket) {
  Readable& in = heap_.nets[socket].in;
  in.need_readable = false;
  if (in.emitted_readable) return Flow::normal;
  in.emitted_readable = true;
  if (profile_.readable_generation == ReadableGeneration::at_once && !in.sync) return emit_readable_now(socket);
  env_.net_events.queue_tick(Tick::Native::emit_readable, socket);
  return Flow::normal;
}

Flow ReadableStreams::emit_readable_now(std::uint32_t socket) {
  const NetObject& net = heap_.nets[socket];
  Readable& in = heap_.nets[socket].in;
  if (profile_.readable_generation != ReadableGeneration::at_once) {
    const bool tells = !net.destroyed && !(profile_.error_reads_nothing && net.has_error);
    if (tells && (in.length != 0 || in.ended)) in.emitted_readable = false;
    const bool wants = in.flowing != Readable::Flowing::yes && !in.ended && in.length <= profile_.high_water_mark;
    in.need_readable = wants || (profile_.readable_generation == ReadableGeneration::flags && in.need_readable);
  }
  return flow_now(socket);
}

void ReadableStreams::maybe_read_more(std::uint32_t socket) {
  Readable& in = heap_.nets[socket].in;
  if (in.reading_more) return;
  in.reading_more = true;
  env_.net_events.queue_tick(Tick::Native::read_more, socket);
}

Flow ReadableStreams::run_read_more(std::uint32_t socket) {
  Readable& in = heap_.nets[socket].in;
  while (!in.reading && !in.ended) {
    const bool is_flowing = in.flowing == Readable::Flowing::yes;
    const bool has_room = in.length < profile_.high_water_mark;
    if (profile_.readable_generation == ReadableGeneration::at_once ? is_flowing || !has_room
                                                                    : !has_room && !(is_flowing && in.length == 0))
      break;
    const std::size_t length = in.length;
    const Flow flow = look_into(socket);
    if (flow != Flow::normal) return flow;
    if (length == in.length) break;
  }
  in.reading_more = false;
  return Flow::normal;
}

Flow ReadableStreams::look_into(std::uint32_t socket) {
  bool got = false;
  return read(socket, true, got);
}

// Readable.prototype.read: read(0) with `peek`, otherwise read(). A flowing stream gives its first chunk, another all.
Flow ReadableStreams::read(std::uint32_t socket, bool peek, bool& got) {
  NetObject& net = heap_.nets[socket];
  Readable& in = net.in;
  got = false;
  if (!peek) in.emitted_readable = false;
  if (peek && in.need_readable && (in.length >= profile_.high_water_mark || in.ended)) {
    if (in.length != 0 || !in.ended) return emit_readable(socket);
    end(socket);
    return Flow::normal;
  }
  std::size_t wanted = 0;
  if (!peek && in.length != 0) wanted = in.flowing == Readable::Flowing::yes ? in.buffer.front().size() : in.length;
  if (wanted == 0 && in.ended) {
    if (in.length == 0) end(socket);
    return Flow::normal;
  }
  const bool is_over = in.ended || in.reading || (profile_.destroyed_reads_nothing && net.destroyed) ||
                       (profile_.error_reads_nothing && net.has_error);
  const bool has_room = in.length == 0 || in.length - wanted < profile_.high_water_mark;
  if (!is_over && (in.need_readable || has_room)) {
    in.reading = in.sync = true;
    if (in.length == 0) in.need_readable = true;
    env_.sockets.read(socket);
    in.sync = false;
  }
  std::string chunk;
  if (wanted == 0) {
    in.need_readable = profile_.readable_generation == ReadableGeneration::at_once ||
                       in.length <= profile_.high_water_mark ||
                       (profile_.readable_generation == ReadableGeneration::flags && in.need_readable);
  } else if (in.flowing == Readable::Flowing::yes) {
    chunk = std::move(in.buffer.front());
    in.buffer.erase(in.buffer.begin());
  } else {
    for (const std::string& part : in.buffer) chunk += part;
    in.buffer.clear();
  }
  in.length -= wanted;
  if (in.length == 0) {
    if (!in.ended) in.need_readable = true;
    if (!peek && in.ended) end(socket);
  }
  if (wanted == 0) return Flow::normal;
  got = true;
  if (profile_.no_data_after_error && (net.error_emitted || net.close_emitted)) return Flow::normal;
  return emit_data(socket, std::move(chunk));
}

Flow ReadableStreams::flow_now(std::uint32_t socket) {
  const Readable& in = heap_.nets[socket].in;
  for (bool got = true; got && in.flowing == Readable::Flowing::yes;) {
    const Flow flow = read(socket, false, got);
    if (flow != Flow::normal) return flow;
  }
  return Flow::normal;
}

Flow ReadableStreams::emit_data(std::uint32_t socket, std::string chunk) {
  const Value text = heap_.make_string(std::move(chunk));
  const Flow flow = env_.net_events.emit(socket, NetEvent::data, std::span(&text, 1), heap_.nets[socket].since);
  heap_.release(text);
  return flow;
}

void ReadableStreams::end(std::uint32_t socket) {
  Readable& in = heap_.nets[socket].in;
  if (in.end_emitted) return;
  in.ended = true;
  env_.net_events.queue_tick(Tick::Native::end_readable, socket);
}

Flow ReadableStreams::run_end(std::uint32_t socket) {
  NetObject& net = heap_.nets[socket];
  if (net.in.end_emitted || net.in.length != 0) return Flow::normal;
  if (profile_.end_after_error == EndAfterError::unless_told && (net.error_emitted || net.close_emitted))
    return Flow::normal;
  if (profile_.end_after_error == EndAfterError::no && (net.has_error || net.close_emitted)) return Flow::normal;
  net.in.end_emitted = true;
  net.readable = false;
  if (const Flow flow = env_.net_events.emit(socket, NetEvent::end, {}, net.since); flow != Flow::normal) return flow;
  if (profile_.socket_end != SocketEnd::stream) return Flow::normal;
  if (env_.sockets.is_writable(net) && !net.allow_half_open) {
    env_.net_events.queue_tick(Tick::Native::end_writable, socket);
  } else if (profile_.auto_destroy && net.out.finished) {
    env_.sockets.destroy(socket);
  }
  return Flow::normal;
}

void ReadableStreams::resume(std::uint32_t socket) {
  Readable& in = heap_.nets[socket].in;
  in.paused = false;
  if (in.flowing == Readable::Flowing::yes) return;
  in.flowing = Readable::Flowing::yes;
  if (in.resume_scheduled) return;
  in.resume_scheduled = true;
  env_.net_events.queue_tick(Tick::Native::resume, socket);
}

void ReadableStreams::pause(std::uint32_t socket) {
  Readable& in = heap_.nets[socket].in;
  in.flowing = Readable::Flowing::no;
  in.paused = true;
}

Flow ReadableStreams::run_resume(std::uint32_t socket) {
  Readable& in = heap_.nets[socket].in;
  Flow flow = Flow::normal;
  if (!in.reading) flow = look_into(socket);
  if (flow != Flow::normal) return flow;
  in.resume_scheduled = false;
  flow = flow_now(socket);
  if (flow == Flow::normal && in.flowing == Readable::Flowing::yes && !in.reading) flow = look_into(socket);
  return flow;
}

}  // namespace loopsim::node
