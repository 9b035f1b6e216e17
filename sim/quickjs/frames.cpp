// The places of calls, from the frames of QuickJS's stack.
#include <cstring>

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
