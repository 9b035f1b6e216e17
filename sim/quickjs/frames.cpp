// The places of calls, from the frames of QuickJS's stack.
#include <cstring>
#include <utility>

#include "sim/quickjs/instance.hpp"
#include "sim/quickjs/layout.hpp"

namespace loopsim::quickjs {

namespace {

// Memory of the world, read where it is; what lies outside is zero.
class Reader {
 public:
  explicit Reader(Instance& world) : memory_(world.memory()), size_(world.memory_size()) {}
  template <typename T>
  [[nodiscard]] T load(std::uint32_t at) const {
    T value{};
    if (at <= size_ - sizeof(T)) std::memcpy(&value, memory_ + at, sizeof value);
    return value;
  }

 private:
  const std::uint8_t* memory_;
  std::uint32_t size_;
};

// A run of numbers of seven bits a byte, the lowest first.
class Numbers {
 public:
  Numbers(const Reader& reader, std::uint32_t from, std::uint32_t size)
      : reader_(reader), at_(from), end_(from + size) {}
  [[nodiscard]] bool at_end() const { return at_ >= end_; }
  std::uint32_t byte() { return reader_.load<std::uint8_t>(at_++); }
  std::uint32_t unsigned_number() {
    std::uint32_t number = 0;
    for (std::uint32_t shift = 0; shift < 32 && at_ < end_; shift += 7) {
      const std::uint32_t next = byte();
      number |= (next & 0x7fU) << shift;
      if ((next & 0x80U) == 0) break;
    }
    return number;
  }
  std::int32_t signed_number() {  // the sign is the lowest bit
    const std::uint32_t number = unsigned_number();
    return static_cast<std::int32_t>(number >> 1U) ^ -static_cast<std::int32_t>(number & 1U);
  }

 private:
  const Reader& reader_;
  std::uint32_t at_, end_;
};

// The table of a function's places: for each instruction at which one begins, how far it and its place are from those
// before. A first byte that is not 0 has both distances up to the line: (bytes * 5 + lines + 1) + 1.
SourcePosition place_of(const Reader& reader, std::uint32_t bytecode, std::uint32_t pc) {
  constexpr std::uint32_t kRange = 5;
  auto line = reader.load<std::int32_t>(bytecode + layout::bytecode::line);
  auto column = reader.load<std::int32_t>(bytecode + layout::bytecode::column);
  const auto places = reader.load<std::uint32_t>(bytecode + layout::bytecode::positions);
  const auto size = reader.load<std::uint32_t>(bytecode + layout::bytecode::positions_size);
  std::uint32_t from = 0;
  for (Numbers numbers(reader, places, places == 0 ? 0 : size); !numbers.at_end();) {
    std::int32_t lines = 0;
    if (const std::uint32_t both = numbers.byte(); both != 0) {
      from += (both - 1) / kRange;
      lines = static_cast<std::int32_t>((both - 1) % kRange) - 1;
    } else {
      from += numbers.unsigned_number();
      lines = numbers.signed_number();
    }
    const std::int32_t columns = numbers.signed_number();
    if (pc < from) break;
    line += lines;
    column += columns;
  }
  return {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)};
}

}  // namespace

SourcePosition Instance::place_in(std::uint32_t file) {
  const Reader reader(*this);
  // Each frame is on the stack or in a coroutine, so there are fewer of them than calls that fit.
  std::uint32_t frame = reader.load<std::uint32_t>(runtime() + layout::runtime::current_stack_frame);
  for (; frame != 0; frame = reader.load<std::uint32_t>(frame + layout::stack_frame::previous)) {
    if (const SourcePosition at = place_of_frame(frame, file); at.line != 0) return at;
  }
  return {};
}

Instance::ProgramPlace Instance::place_in_program(std::uint32_t pc) {
  const Reader reader(*this);
  std::uint32_t frame = reader.load<std::uint32_t>(runtime() + layout::runtime::current_stack_frame);
  for (; frame != 0; frame = reader.load<std::uint32_t>(frame + layout::stack_frame::previous), pc = 0) {
    const Js function = reader.load<Js>(frame + layout::stack_frame::function);
    if (!has_bytecode(function)) continue;
    const auto bytecode = reader.load<std::uint32_t>(pointer_of(function) + layout::object::data);
    const auto file = reader.load<std::uint32_t>(bytecode + layout::bytecode::file);
    std::string name = text_of_atom(file);
    if (name.starts_with("node:") || name == "<input>") continue;
    const std::uint32_t code = reader.load<std::uint32_t>(bytecode + layout::bytecode::code);
    const SourcePosition at = pc != 0 ? place_of(reader, bytecode, pc - code) : place_of_frame(frame, file);
    if (at.line != 0) return {std::move(name), at};
  }
  return {};
}

SourcePosition Instance::place_of_await(Js resumes, std::uint32_t file) {
  if (!is_object(resumes) || class_id(resumes) != static_cast<std::uint32_t>(layout::Class::async_function_resolve))
    return {};
  const Reader reader(*this);
  const auto function = reader.load<std::uint32_t>(pointer_of(resumes) + layout::object::data);
  return place_of_frame(function + layout::async_function::frame, file);
}

SourcePosition Instance::place_of_function(Js function, std::uint32_t file) {
  constexpr int kMostBound = 16;
  const Reader reader(*this);
  for (int i = 0; i < kMostBound && is_object(function) &&
                  class_id(function) == static_cast<std::uint32_t>(layout::Class::bound_function);
       ++i) {
    const auto bound = reader.load<std::uint32_t>(pointer_of(function) + layout::object::data);
    function = reader.load<Js>(bound + layout::bound_function::target);
  }
  if (!has_bytecode(function)) return {};
  const auto bytecode = reader.load<std::uint32_t>(pointer_of(function) + layout::object::data);
  if (reader.load<std::uint32_t>(bytecode + layout::bytecode::file) != file) return {};
  return {reader.load<std::uint32_t>(bytecode + layout::bytecode::line),
          reader.load<std::uint32_t>(bytecode + layout::bytecode::column)};
}

Js Instance::receiver_of(std::uint32_t frame) {
  return Reader(*this).load<Js>(is_on_stack(frame) ? frame + layout::call_frame::receiver
                                                   : frame - layout::call_frame::receiver_before);
}

Owned Instance::calls(std::uint32_t most) {
  const Reader reader(*this);
  auto frame = reader.load<std::uint32_t>(runtime() + layout::runtime::current_stack_frame);
  for (int i = 0; i < 2 && frame != 0; ++i) frame = reader.load<std::uint32_t>(frame + layout::stack_frame::previous);
  std::vector<Js> all;
  for (; frame != 0 && most != 0; --most, frame = reader.load<std::uint32_t>(frame + layout::stack_frame::previous)) {
    const Js function = reader.load<Js>(frame + layout::stack_frame::function);
    const bool has_receiver = has_bytecode(function);
    const bool is_called = has_receiver && is_on_stack(frame);
    all.push_back(function);
    all.push_back(has_receiver ? receiver_of(frame) : kUndefined);
    all.push_back(is_called ? reader.load<Js>(frame + layout::call_frame::new_target) : kUndefined);
  }
  return make_array(all);
}

std::uint32_t Instance::frame_of_resumed(Js handler) {
  if (!is_object(handler)) return 0;
  const Reader reader(*this);
  const auto kind = static_cast<layout::Class>(class_id(handler));
  const auto data = reader.load<std::uint32_t>(pointer_of(handler) + layout::object::data);
  if (kind == layout::Class::async_function_resolve) return data + layout::async_function::frame;
  if (kind != layout::Class::c_function_data || promise_of_resumed(handler) == kUndefined) return 0;
  const Js generator = reader.load<Js>(data + layout::function_with_data::data);
  return reader.load<std::uint32_t>(pointer_of(generator) + layout::object::data) + layout::async_generator::frame;
}

// js_promise_all_resolve_element()
std::uint32_t Instance::element_of_many(Js handler) {
  constexpr std::uint8_t kItems = 5;
  if (!is_object(handler) || static_cast<layout::Class>(class_id(handler)) != layout::Class::c_function_data) return 0;
  const Reader reader(*this);
  const auto record = reader.load<std::uint32_t>(pointer_of(handler) + layout::object::data);
  return reader.load<std::uint8_t>(record + layout::function_with_data::count) == kItems ? record : 0;
}

Owned Instance::waiting(Js promise, std::uint32_t most) {
  const Reader reader(*this);
  std::vector<Js> all;
  std::vector<Owned> made;
  for (; most != 0 && is_object(promise) && state_of(promise) == PromiseState::pending; --most) {
    const auto data = reader.load<std::uint32_t>(pointer_of(promise) + layout::object::data);
    const std::uint32_t list = data + layout::promise::first_reaction - layout::reaction::next;
    const auto reaction = reader.load<std::uint32_t>(list + layout::reaction::next);
    if (reaction == list || reader.load<std::uint32_t>(reaction + layout::reaction::next) != list) break;
    const Js handler = reader.load<Js>(reaction + layout::reaction::handler);
    const auto of_rejection = reader.load<std::uint32_t>(data + layout::promise::first_of_rejection);
    const Js rejects = reader.load<Js>(of_rejection + layout::reaction::handler);  // the one of Promise.any()
    if (const std::uint32_t frame = frame_of_resumed(handler); frame != 0) {
      const Js function = reader.load<Js>(frame + layout::stack_frame::function);
      if (!has_bytecode(function)) break;
      const auto bytecode = reader.load<std::uint32_t>(pointer_of(function) + layout::object::data);
      const auto file = reader.load<std::uint32_t>(bytecode + layout::bytecode::file);
      const SourcePosition at = place_of_frame(frame, file);
      made.push_back(value_of_atom(file));
      for (const Js value : {function, receiver_of(frame), made.back(), make_number(at.line), make_number(at.column)})
        all.push_back(value);
      promise = promise_of_resumed(handler);
    } else if (const std::uint32_t one = element_of_many(handler), element = one != 0 ? one : element_of_many(rejects);
               element != 0) {
      const auto which = reader.load<std::uint16_t>(element + layout::function_with_data::magic);
      const Js index = reader.load<Js>(element + layout::promise_element::index);
      for (const Js value : {kUndefined, make_number(which), index, make_number(0), make_number(0)})
        all.push_back(value);
      promise = promise_settled_by(reader.load<Js>(element + layout::promise_element::settles));
    } else {
      const Js settled =
          promise_settled_by(handler);  // by Promise.race(), or by what another promise was resolved with
      promise =
          settled != kUndefined ? settled : promise_settled_by(reader.load<Js>(reaction + layout::reaction::resolve));
    }
  }
  const Js array = make_array(all);
  for (const Js value : made) free(value);
  return array;
}

bool Instance::resumes_module(Js resumes) {
  const Reader reader(*this);
  const std::uint32_t frame = frame_of_resumed(resumes);
  const Js function = frame == 0 ? kUndefined : reader.load<Js>(frame + layout::stack_frame::function);
  if (!has_bytecode(function)) return false;
  if (module_name_ == 0) module_name_ = atom("<eval>");
  const auto bytecode = reader.load<std::uint32_t>(pointer_of(function) + layout::object::data);
  return reader.load<std::uint32_t>(bytecode + layout::bytecode::name) == module_name_;
}

Owned Instance::place_of_module(Js resumes) {
  const Reader reader(*this);
  const std::uint32_t frame = frame_of_resumed(resumes);
  const Js function = reader.load<Js>(frame + layout::stack_frame::function);
  if (!has_bytecode(function)) return kUndefined;
  const auto bytecode = reader.load<std::uint32_t>(pointer_of(function) + layout::object::data);
  const auto file = reader.load<std::uint32_t>(bytecode + layout::bytecode::file);
  const SourcePosition at = place_of_frame(frame, file);
  const Js place[] = {value_of_atom(file), make_number(at.line), make_number(at.column)};
  const Js array = make_array(place);
  free(place[0]);
  return array;
}

// Of a frame with bytecode, whose error gets its stack behind it. Where one has failed within another, the inner one is what it is about.
void Instance::note_failed(Js object, std::uint32_t key, std::uint32_t trap) {
  const Reader reader(*this);
  const auto frame = reader.load<std::uint32_t>(runtime() + layout::runtime::current_stack_frame);
  const Js error = reader.load<Js>(runtime() + layout::runtime::exception);
  if (frame == 0 || (frame == failed_.frame && error == failed_.error)) return;
  if (!has_bytecode(reader.load<Js>(frame + layout::stack_frame::function))) return;
  for (const Js last : {failed_.object, failed_.key, failed_.error}) free(last);
  // The error is held: another one at its address is no part of this failure.
  failed_ = {is_object(object) ? dup(object) : kUndefined, value_of_atom(key), dup(error), frame, trap};
}

// What a trap has returned, of the failure that comes next.
void Instance::note_returned(Js value) { free(std::exchange(returned_, dup(value))); }

// The frames of this call of the host, and of the library's function that asks, are inside the one that has thrown.
Owned Instance::subject() {
  const Reader reader(*this);
  auto frame = reader.load<std::uint32_t>(runtime() + layout::runtime::current_stack_frame);
  Js error = kUndefined;
  for (int i = 0; i < 2 && frame != 0; ++i) {
    const auto arguments = reader.load<std::uint32_t>(frame + layout::stack_frame::arguments);
    if (i == 1 && arguments != 0) error = reader.load<Js>(arguments);  // prepare() of node/internal/stack.js
    frame = reader.load<std::uint32_t>(frame + layout::stack_frame::previous);
  }
  if (frame == 0) return kUndefined;
  Js about[] = {reader.load<Js>(layout::subject::object), kUndefined, kUndefined, kUndefined};
  auto& [object, key, trap, returned] = about;
  const auto of_frame = reader.load<std::uint32_t>(layout::subject::frame);
  std::uint32_t which = 0;
  if ((of_frame & ~layout::subject::trap_bits) == frame) {
    key = value_of_atom(reader.load<std::uint32_t>(layout::subject::key));
    which = of_frame & layout::subject::trap_bits;
  } else if (failed_.frame == frame && failed_.error == error) {
    object = failed_.object;
    key = dup(failed_.key);
    which = failed_.trap;
  } else {
    // What a function of the language was given: the first two. Frames of other kinds have no arguments.
    const Js function = reader.load<Js>(frame + layout::stack_frame::function);
    if (!is_object(function) || class_id(function) != static_cast<std::uint32_t>(layout::Class::c_function))
      return kUndefined;
    const auto arguments = reader.load<std::uint32_t>(frame + layout::stack_frame::arguments);
    const auto count =
        reader.load<std::uint8_t>(pointer_of(function) + layout::object::count);  // its length: there are as many
    Js told[] = {kNull, kUndefined, kUndefined};
    for (std::uint32_t i = 0; i < 2 && i < count && arguments != 0; ++i)
      told[i + 1] = reader.load<Js>(arguments + i * static_cast<std::uint32_t>(sizeof(Js)));
    return make_array(told);
  }
  trap = make_number(which);
  returned = returned_;
  const Js array = is_object(object) ? make_array(about) : kUndefined;
  free(key);
  return array;
}

Owned Instance::last_match(double known) {
  const Reader reader(*this);
  const auto count = reader.load<std::uint32_t>(layout::last_match::count);
  if (count == known) return kUndefined;
  const Js match[] = {make_number(count), reader.load<Js>(layout::last_match::expression),
                      reader.load<Js>(layout::last_match::text),
                      make_number(reader.load<std::uint32_t>(layout::last_match::begin))};
  return make_array(match);
}

SourcePosition Instance::place_of_frame(std::uint32_t frame, std::uint32_t file) {
  const Reader reader(*this);
  const Js function = reader.load<Js>(frame + layout::stack_frame::function);
  if (!has_bytecode(function)) return {};
  const auto bytecode = reader.load<std::uint32_t>(pointer_of(function) + layout::object::data);
  const auto next_pc = reader.load<std::uint32_t>(frame + layout::stack_frame::pc);
  if (next_pc == 0 || reader.load<std::uint32_t>(bytecode + layout::bytecode::file) != file) return {};
  return place_of(reader, bytecode, next_pc - reader.load<std::uint32_t>(bytecode + layout::bytecode::code) - 1);
}

}  // namespace loopsim::quickjs
