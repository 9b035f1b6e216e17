#include "sim/quickjs/disposals.hpp"

#include <cstring>

namespace loopsim::quickjs {

using layout::Op;

namespace {
// Where the instructions of one resource are: OP_catch, OP_using_dispose_async, OP_await, OP_drop twice, a jump over what merges errors.
constexpr std::uint32_t kCatchSize = 5, kDisposeSize = 3, kBeforeJump = 3;
}  // namespace

// What lies outside is zero.
template <typename T>
T Disposals::load(std::uint32_t at) {
  T value{};
  if (at <= world_.memory_size() - sizeof value) std::memcpy(&value, world_.memory() + at, sizeof value);
  return value;
}

Js Disposals::variable(std::uint32_t frame, std::uint32_t index) {
  return load<Js>(load<std::uint32_t>(frame + layout::stack_frame::variables) +
                  index * static_cast<std::uint32_t>(sizeof(Js)));
}

Op Disposals::instruction(std::uint32_t pc, std::uint32_t sp) {
  const auto op = static_cast<Op>(load<std::uint8_t>(pc));
  const auto at = load<std::uint32_t>(world_.runtime() + layout::runtime::current_stack_frame);
  if (op == Op::using_check) {
    declare(frames_[at], pc, sp);
    return op;
  }
  if (op == Op::using_dispose_async) return dispose(frames_[at], at, pc);
  const auto known = frames_.find(at);
  if (known == frames_.end()) return op;
  Frame& frame = known->second;
  if (op == Op::await && frame.await == pc) {
    frame.await = 0;
    return frame.is_skipped ? Op::nop : op;
  }
  if (op == Op::drop && frame.late == pc) {
    frame.late = 0;
    if (--late_ == 0) world_.stop_at(Op::drop, false);
    dispose_late(frame, at, sp);
  }
  return op;
}

// OP_using_check is followed by what stores the method, in the variable behind the resource's.
void Disposals::declare(Frame& frame, std::uint32_t pc, std::uint32_t /*sp*/) {
  const bool is_async = load<std::uint8_t>(pc + 1) != 0;
  const std::uint32_t store = pc + 2;
  const auto op = load<std::uint8_t>(store);
  constexpr auto kFirstShort = static_cast<std::uint8_t>(Op::put_loc0),
                 kLastShort = static_cast<std::uint8_t>(kFirstShort + 3);
  std::uint32_t method = 0;
  if (op == static_cast<std::uint8_t>(Op::put_loc))
    method = load<std::uint16_t>(store + 1);
  else if (op == static_cast<std::uint8_t>(Op::put_loc8))
    method = load<std::uint8_t>(store + 1);
  else if (op >= kFirstShort && op <= kLastShort)
    method = op - kFirstShort;
  if (method != 0) frame.is_async[method - 1] = is_async;
}

Disposals::Kind Disposals::kind_of(const Frame& frame, std::uint32_t at, std::uint32_t index) {
  const Js value = variable(at, index);
  const auto declared = frame.is_async.find(index);
  if (declared == frame.is_async.end()) return Kind::none;
  if (is_object(value)) return declared->second ? Kind::async : Kind::sync;
  const bool is_null = value == kNull || value == kUndefined;  // else it was not declared yet, or its value threw
  return is_null && declared->second ? Kind::null : Kind::none;
}

std::uint32_t Disposals::next_disposal(std::uint32_t await) {
  const std::uint32_t jump = await + kBeforeJump;
  std::uint32_t to = 0;
  switch (static_cast<Op>(load<std::uint8_t>(jump))) {
    case Op::goto_: to = jump + 1 + load<std::uint32_t>(jump + 1); break;
    case Op::goto8:
      to = jump + 1 + static_cast<std::uint32_t>(static_cast<std::int32_t>(load<std::int8_t>(jump + 1)));
      break;
    case Op::goto16:
      to = jump + 1 + static_cast<std::uint32_t>(static_cast<std::int32_t>(load<std::int16_t>(jump + 1)));
      break;
    default: return 0;
  }
  const bool goes_on = static_cast<Op>(load<std::uint8_t>(to)) == Op::catch_ &&
                       static_cast<Op>(load<std::uint8_t>(to + kCatchSize)) == Op::using_dispose_async;
  return goes_on ? to + kCatchSize : 0;
}

Op Disposals::dispose(Frame& frame, std::uint32_t at, std::uint32_t pc) {
  if (frame.next != pc) frame.needs_await = frame.has_awaited = false;
  const std::uint32_t index = load<std::uint16_t>(pc + 1);
  frame.await = pc + kDisposeSize;
  frame.next = next_disposal(frame.await);
  const Kind kind = kind_of(frame, at, index);
  const bool is_owed = frame.needs_await && !frame.has_awaited;
  frame.is_skipped = true;
  if (kind == Kind::async) {
    frame.has_awaited = true;
    frame.is_skipped = false;
  } else if (kind == Kind::sync && is_owed) {
    frame.needs_await = false;
    frame.is_skipped = false;
    frame.late = frame.await + 1;
    frame.variable = index;
    if (late_++ == 0) world_.stop_at(Op::drop, true);
    return Op::push_i16;  // anything that is no promise
  } else if (kind != Kind::sync) {
    if (kind == Kind::null) frame.needs_await = true;
    frame.is_skipped = !(frame.next == 0 && frame.needs_await && !frame.has_awaited);
  }
  return Op::using_dispose_async;
}

// On the stack: the error so far, a catch offset, what the await gave.
void Disposals::dispose_late(const Frame& frame, std::uint32_t at, std::uint32_t sp) {
  const Js result = world_.call(variable(at, frame.variable + 1), variable(at, frame.variable), {});
  if (result != kException) return world_.free(result);
  const Js error = world_.take_exception();
  const std::uint32_t cell = sp - 3 * static_cast<std::uint32_t>(sizeof(Js));
  const Js before = load<Js>(cell);
  Js now = error;
  if (tag_of(before) != JsTag::uninitialized) {
    const Js both[] = {error, before};
    now = world_.make_suppressed(both);
    for (const Js one : both) world_.free(one);
  }
  std::memcpy(world_.memory() + cell, &now, sizeof now);
}

}  // namespace loopsim::quickjs
