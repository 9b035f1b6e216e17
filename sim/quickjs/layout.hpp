// Where QuickJS keeps its things: offsets in bytes, in the linear memory of the release that tools/quickjs/package.json
// pins (JSRuntime ... of quickjs.c, 32 bits). Instance reads the stack for the place of a call (frames.cpp), and what
// follows a program step by step reads all of it (stepper, heap_view): a program cannot notice it. make_snapshot.cpp
// compares places with QuickJS's own stacks when loopsim is built, patch_wasm.py has the counter's place;
// tests/javascript/steps has a value of each kind.
#pragma once

#include <cstdint>

namespace loopsim::quickjs::layout {

using Offset = std::uint32_t;

namespace subject {  // tell_subjects() of tools/quickjs/patch_wasm.py
inline constexpr Offset object = 16, key = 24, frame = 28;
inline constexpr std::uint32_t trap_bits = 7;  // of `frame`
}  // namespace subject
namespace last_match {  // note_matches() of tools/quickjs/patch_wasm.py
inline constexpr Offset expression = 32, text = 40, begin = 48, count = 52;
}
namespace runtime {
inline constexpr Offset atom_array = 568, class_array = 584, exception = 648, current_stack_frame = 660;
}
namespace class_row {
inline constexpr Offset name = 4, size = 24;
}
namespace context {
inline constexpr Offset interrupt_counter = 292;
// js_poll_interrupts(): the counter begins here, and the host is asked when it is at its end (JS_INTERRUPT_COUNTER_INIT).
inline constexpr std::int32_t interrupt_every = 10'000;
}  // namespace context
namespace stack_frame {
inline constexpr Offset previous = 0, function = 8, arguments = 16, variables = 20, references = 24, pc = 28;
}
namespace call_frame {  // keep_receivers() of tools/quickjs/patch_wasm.py: from a frame that is on C's stack
inline constexpr Offset receiver = 120, new_target = 128;
inline constexpr Offset receiver_before = 16;  // of one in a coroutine: JSAsyncFunctionState
}  // namespace call_frame
namespace async_function {  // JSAsyncFunctionData, behind the functions that resume it
inline constexpr Offset settles = 8, frame = 48;
}
namespace async_generator {  // JSAsyncGeneratorData: the list of its requests, and of each its promise
inline constexpr Offset frame = 24, first_request = 76, request_promise = 24;
}
namespace resolving_function {  // JSPromiseFunctionData
inline constexpr Offset promise = 0;
}
namespace bound_function {  // JSBoundFunction
inline constexpr Offset target = 0;
}
namespace function_with_data {  // JSCFunctionDataRecord
inline constexpr Offset count = 5, magic = 6, data = 8;
}
namespace promise_element {  // such a record: of Promise.all() and its kind
inline constexpr Offset index = 16, settles = 32;
}
namespace bytecode {
inline constexpr Offset flags = 8;
inline constexpr std::uint8_t has_simple_parameters = 4;  // of the flags
inline constexpr Offset code = 12, code_size = 16, name = 20, variables = 24, closure = 28, argument_count = 32,
                        variable_count = 34, closure_count = 42, constant_count = 44, constants = 52, file = 56,
                        line = 60, column = 64, positions_size = 72, positions = 76, source = 80;
}  // namespace bytecode
namespace variable {
inline constexpr Offset name = 0, scope = 4, flags = 12, reference = 14, size = 20;
inline constexpr std::uint8_t is_captured = 4;  // of the flags
}  // namespace variable
namespace closure_variable {
inline constexpr Offset name = 4, size = 8;
}
namespace reference {                // JSVarRef
inline constexpr Offset value = 12;  // a pointer to it
}
namespace object {
inline constexpr Offset flags = 8, class_id = 10, shape = 12, properties = 16, data = 24, second = 28, count = 32;
inline constexpr std::uint8_t is_fast_array = 16;  // of the flags
}  // namespace object
namespace shape {
inline constexpr Offset hash_mask = 16, count = 24, prototype = 36, table = 40;
inline constexpr Offset property_size = 8, atom = 4;  // of a property behind the table
}  // namespace shape
namespace property {
inline constexpr Offset size = 8, getter = 0, setter = 4;
inline constexpr std::uint32_t is_enumerable = 4, kind = 3U << 4U, is_accessor = 1U << 4U, is_reference = 2U << 4U;
}  // namespace property
namespace string {
inline constexpr Offset length = 0, kind = 4, text = 24;
inline constexpr Offset slice_start = 28;  // of a part of another one, whose place is at `text`
}  // namespace string
namespace rope {
inline constexpr Offset left = 8, right = 16;
}
namespace map {
inline constexpr Offset records = 4, count = 12;
}
namespace map_record {
inline constexpr Offset is_empty = 4, link = 12, key = 32, value = 40;
}
namespace map_iterator {
// `of`: undefined at its end; `kind`: keys, values, both; `record`: the last that it gave.
inline constexpr Offset of = 0, kind = 8, record = 12;
}  // namespace map_iterator
namespace promise {
// `first_reaction`: of the list of those that wait for it to be fulfilled.
inline constexpr Offset state = 0, first_reaction = 8, result = 24;
inline constexpr Offset first_of_rejection = 16;  // for it to be rejected
}  // namespace promise
namespace reaction {  // JSPromiseReactionData
inline constexpr Offset next = 4, resolve = 8, handler = 24;
}
namespace typed_array {
inline constexpr Offset length = 20;
}
namespace parser {
inline constexpr Offset token = 24, line = 28, column = 32, function = 96;
}
namespace function_definition {
inline constexpr Offset scope = 124, scopes = 140, code_size = 244, file = 344;
}
namespace scope {
inline constexpr Offset parent = 0, size = 20;
}

// JS_CLASS_...
enum class Class : std::uint16_t {
  object = 1,
  array = 2,
  error = 3,
  number = 4,
  string = 5,
  boolean = 6,
  symbol = 7,
  arguments = 8,
  mapped_arguments = 9,
  date = 10,
  module_namespace = 11,
  c_function = 12,
  function = 13,
  bound_function = 14,
  c_function_data = 15,
  c_closure = 16,
  generator_function = 17,
  regexp = 19,
  array_buffer = 20,
  uint8_clamped_array = 22,
  int8_array,
  uint8_array,
  int16_array,
  uint16_array,
  int32_array,
  uint32_array,
  big_int64_array,
  big_uint64_array,
  float16_array,
  float32_array,
  float64_array = 33,
  data_view = 34,
  big_int = 35,
  map = 36,
  set = 37,
  weak_map = 38,
  weak_set = 39,
  map_iterator = 44,
  set_iterator = 45,
  generator = 49,
  proxy = 51,
  promise = 52,
  resolve_function = 53,
  reject_function = 54,
  async_function = 55,
  async_function_resolve = 56,
  async_function_reject = 57,
  async_generator_function = 59,
  async_generator = 60,
};

// OP_... (quickjs-opcode.h)
enum class Op : std::uint8_t {
  fclosure = 3,
  drop = 14,
  tail_call = 35,
  tail_call_method = 37,
  return_ = 40,
  return_undef = 41,
  return_async = 47,
  put_loc = 88,
  if_false = 104,
  if_true = 105,
  goto_ = 106,
  catch_ = 107,
  await = 138,
  yield = 135,
  yield_star = 136,
  async_yield_star = 137,
  initial_yield = 134,
  using_dispose_async = 180,
  using_check = 183,
  nop = 184,
  push_i16 = 195,
  fclosure8 = 197,
  put_loc8 = 200,
  put_loc0 = 207,
  if_false8 = 240,
  if_true8 = 241,
  goto8 = 242,
  goto16 = 243,
};

// TOK_...: of a token that begins a statement; others are characters.
enum class Token : std::int32_t { function = -59, while_ = -70, for_ = -69, do_ = -71, break_ = -68, continue_ = -67 };

}  // namespace loopsim::quickjs::layout
