// The steps of the scenario language that call Node: an instruction's operands become JavaScript arguments.
#include <cstdint>
#include <utility>

#include "sim/node/environment.hpp"
#include "sim/vm/engine.hpp"

namespace loopsim::vm {

// ---- timers -----------------------------------------------------------------------------------------------------------------------

// Not inlined: delay_of() is called for every timer, most often with a duration.
[[gnu::noinline]] node::Delay Engine::delay_of_value(std::uint32_t operand) {
  const Value value = evaluate(operand);
  charge_text(value);
  const double delay = value.tag == Tag::undefined ? 1 : to_number(value);
  heap_.release(value);
  return node_->timers.coerce_delay(delay);
}

// clear, refresh, ref, unref, hasRef of a timer or immediate.
Flow Engine::timer_method(const Instruction& instruction) {
  const Value value = evaluate(instruction.c);
  const Op op = instruction.op;
  Flow flow = Flow::normal;
  if (value.tag == Tag::timer) {
    switch (op) {
      case Op::clear: node_->timers.clear(value.index); break;
      case Op::refresh: node_->timers.refresh(value.index); break;
      case Op::ref: node_->timers.ref(value.index); break;
      case Op::unref: node_->timers.unref(value.index); break;
      default: heap_.assign(accumulator_, Value::of_boolean(node_->timers.has_ref(value.index))); break;
    }
  } else if (value.tag == Tag::immediate && immediate_has(op)) {
    switch (op) {
      case Op::clear: node_->immediates.clear(value.index); break;
      case Op::ref: node_->immediates.ref(value.index); break;
      case Op::unref: node_->immediates.unref(value.index); break;
      default: heap_.assign(accumulator_, Value::of_boolean(node_->immediates.has_ref(value.index))); break;
    }
  } else if (op == Op::clear) {
    flow = node_->timers.clear_no_timer(value);
  } else if (node_->children.child_of(value) != kNone && (op == Op::ref || op == Op::unref)) {
    node_->children.reference(node_->children.child_of(value), op == Op::ref);
  } else if (node_->sockets.net_of(value) != kNone && (op == Op::ref || op == Op::unref)) {
    node_->net_handles.reference(node_->sockets.net_of(value), op == Op::ref);
  } else {
    flow = method_error(value, op == Op::refresh ? "refresh"
                               : op == Op::ref   ? "ref"
                               : op == Op::unref ? "unref"
                                                 : "hasRef");
  }
  heap_.release(value);
  return flow;
}

bool Engine::immediate_has(Op method) const {
  if (method == Op::ref || method == Op::unref) return profile_.immediates_have_ref;
  return method != Op::refresh;
}

// ---- work on the pool and the network -----------------------------------------------------------------------------------------------

// fs, dns, crypto, zlib; the promises API with a `promise`.
void Engine::work_step(std::uint32_t index, std::uint32_t promise, std::uint32_t scope) {
  const WorkPlan& plan = program_.works[index];
  node::Operation operation;
  operation.name = program_.names[plan.operation];
  operation.requests = plan.requests;
  operation.needs_cpu = plan.needs_cpu;
  operation.is_slow = plan.slow;
  operation.is_network = plan.network;
  if (plan.error != kNone) operation.error = program_.strings[plan.error];
  for (std::uint32_t i = 0; i < plan.requests; ++i)
    operation.request_names.at(i) = program_.names[program_.request_names[plan.first_duration + i]];
  // A failing operation makes only its first request.
  const std::uint32_t made = operation.error.empty() ? plan.requests : 1;
  for (std::uint32_t i = 0; i < made; ++i) {
    const std::uint32_t duration = program_.work_durations[plan.first_duration + i];
    operation.durations.at(i) = random_.draw(program_.durations[duration]);
  }
  node_->requests.start(operation, promise, callbacks_->make(callable(plan.site, scope)));
}

// ---- child processes and signals ----------------------------------------------------------------------------------------------------

std::uint32_t Engine::spawn_step(const Instruction& instruction) {
  const SpawnPlan& plan = program_.spawns[instruction.c];
  const TimeNs duration = random_.draw(program_.durations[plan.duration]);
  const std::string_view command = program_.strings[plan.command];
  if (plan.is_missing) return node_->children.spawn_missing(command, instruction.d);
  int code = 0;
  if (plan.code != kNone) {
    const Value given = evaluate(plan.code);
    code = static_cast<int>(node_->exit.to_code(given) & 0xff);
    heap_.release(given);
  }
  return node_->children.spawn(command, instruction.d, duration, code);
}

// process.kill(process.pid, signal), child.kill(signal).
Flow Engine::kill_step(const Instruction& instruction) {
  const SignalInfo& signal = *find_signal(static_cast<int>(instruction.d));
  const Value target = evaluate(instruction.c);
  Flow flow = Flow::normal;
  bool was_sent = true;
  if (target.tag == Tag::emitter && target.index == node_->events.process_emitter()) {
    node_->signals.receive(signal, machine_->now());
    if (ending_->is_over()) flow = Flow::stop;
  } else if (node_->children.child_of(target) != kNone) {
    was_sent = node_->children.kill(node_->children.child_of(target), signal);
  } else {
    flow = method_error(target, "kill");
  }
  heap_.release(target);
  if (flow == Flow::normal) heap_.assign(accumulator_, Value::of_boolean(was_sent));
  return flow;
}

// ---- servers and sockets --------------------------------------------------------------------------------------------------------------

// write, end, pause, resume, destroy of a socket; close of a server, or of a timer.
Flow Engine::net_step(const Instruction& instruction) {
  const Value object = evaluate(instruction.c);
  const std::uint32_t net = node_->sockets.net_of(object);
  const bool is_server = net != kNone && heap_.nets[net].is_server;
  const bool is_socket = net != kNone && !is_server;
  Flow flow = Flow::normal;
  if (instruction.op == Op::close) {
    if (object.tag == Tag::timer)
      node_->timers.close(object.index);
    else if (is_server)
      node_->servers.close(net, net_callback(instruction, false));
    else
      flow = method_error(object, "close");
  } else if (!is_socket) {
    flow = method_error(object, instruction.op == Op::destroy ? "destroy"
                                : instruction.op == Op::write ? "write"
                                : instruction.op == Op::end   ? "end"
                                : instruction.op == Op::pause ? "pause"
                                                              : "resume");
  } else {
    flow = socket_step(net, instruction);
  }
  heap_.release(object);
  return flow;
}

Callback Engine::net_callback(const Instruction& instruction, bool is_announced) {
  if (instruction.e == kNone) return {};
  Callback callback = callbacks_->make(callable(instruction.e, frames_.back().scope));
  if (is_announced) callbacks_->announce(callback, ScheduleKind::first, -1, -1);
  return callback;
}

Flow Engine::socket_step(std::uint32_t socket, const Instruction& instruction) {
  switch (instruction.op) {
    case Op::pause: node_->readables.pause(socket); return Flow::normal;
    case Op::resume: node_->readables.resume(socket); return Flow::normal;
    case Op::destroy: {
      Value error = instruction.d == kNone ? Value{} : evaluate(instruction.d);
      if (instruction.b != 0) error = error_from(error);
      node_->sockets.destroy(socket, is_true(error) ? &error : nullptr);
      heap_.release(error);
      return Flow::normal;
    }
    default: break;
  }
  node::WriteRequest request;
  const bool has_data = instruction.a != 0 || instruction.d != kNone;
  if (instruction.a != 0) {  // a number of bytes
    request.bytes.assign(instruction.d, 'x');
  } else if (has_data) {
    const Value data = evaluate(instruction.d);
    charge_text(data);
    request.bytes = to_text(data);
    heap_.release(data);
  }
  const Callback callback = net_callback(instruction, true);
  if (instruction.op == Op::end) return node_->sockets.end(socket, has_data, std::move(request), callback);
  request.callback = callback;
  return node_->sockets.write(socket, std::move(request));
}

}  // namespace loopsim::vm
