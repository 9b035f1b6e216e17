#include "sim/quickjs/loading/originals.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "sim/quickjs/layout.hpp"

namespace loopsim::quickjs {

namespace {

// As patch_wasm.py has them: what marks an atom in the library's code; an entry of the table that is also asked for without that mark, and
// the atoms of which that is looked up; and what marks a function of the library.
constexpr std::uint32_t kOfLibrary = 1U << 30U;
constexpr std::uint32_t kIsProtocol = 1U << 31U;
constexpr std::uint32_t kLastProtocol = 255;
constexpr std::uint32_t kMark = 10;

class Memory {
 public:
  explicit Memory(Instance& world) : world_(world) {}
  template <typename T>
  [[nodiscard]] T load(std::uint32_t at) const {
    T value{};
    if (at <= world_.memory_size() - sizeof value) std::memcpy(&value, world_.memory() + at, sizeof value);
    return value;
  }
  template <typename T>
  void store(std::uint32_t at, T value) {
    std::memcpy(world_.memory() + at, &value, sizeof value);
  }

 private:
  Instance& world_;
};

// How long each instruction is, from QuickJS's own table; and the number of one by its name.
class Instructions {
 public:
  explicit Instructions(Instance& world) : memory_(world) {
    // OP_invalid, OP_push_i32, OP_push_const, OP_fclosure: of each its name, its size, how many values it takes and gives.
    constexpr std::uint8_t kFirst[] = {1, 0, 0, 5, 0, 1, 5, 0, 1, 5, 0, 1};
    for (std::uint32_t at = 0; at + kInTable * kRow < world.memory_size(); at += 4) {
      bool is_it = true;
      for (std::uint32_t i = 0; i < sizeof kFirst && is_it; ++i)
        is_it = memory_.load<std::uint8_t>(at + i / 3 * kRow + kSize + i % 3) == kFirst[i];
      if (!is_it || name(at, 0) != "invalid") continue;
      table_ = at;
      return;
    }
  }
  [[nodiscard]] bool are_found() const { return table_ != 0; }
  [[nodiscard]] std::uint32_t number(std::string_view wanted) const {
    std::uint32_t number = 0;
    while (number < kInTable && name(table_, number) != wanted) ++number;
    return number;
  }
  [[nodiscard]] std::uint32_t size(std::uint8_t op) const {
    // Behind OP_nop the table has first those of the compiler alone.
    const std::uint32_t row = op >= first_short_ ? op + only_compiled_ : op;
    return memory_.load<std::uint8_t>(table_ + row * kRow + kSize);
  }
  void find_short() {
    constexpr std::string_view kFirstOfCompiler = "enter_scope", kFirstShort = "push_minus1";
    first_short_ = number(kFirstOfCompiler);
    only_compiled_ = number(kFirstShort) - first_short_;
  }

 private:
  static constexpr std::uint32_t kRow = 8, kSize = 4, kInTable = 256;
  [[nodiscard]] std::string name(std::uint32_t table, std::uint32_t number) const {
    std::string text;
    constexpr std::size_t kMost = 40;
    for (auto at = memory_.load<std::uint32_t>(table + number * kRow); text.size() < kMost; ++at) {
      const char next = memory_.load<char>(at);
      if (next == 0) break;
      text += next;
    }
    return text;
  }
  Memory memory_;
  std::uint32_t table_ = 0, first_short_ = 0, only_compiled_ = 0;
};

// The code of the library's functions.
class Code {
 public:
  explicit Code(Instance& world) : memory_(world), instructions_(world) {
    if (!instructions_.are_found()) return;
    instructions_.find_short();
    for (const std::string_view name : {"get_field", "get_field2", "get_var", "get_var_undef"})
      asks_.push_back(instructions_.number(name));
  }
  [[nodiscard]] bool is_known() const { return asks_.size() == 4 && std::ranges::max(asks_) < 256; }

  // Of the function whose bytecode that is, and of all inside it. False: it has another form.
  bool mark(std::uint32_t bytecode, std::span<const std::uint32_t> table) {
    namespace at = layout::bytecode;
    memory_.store<std::uint8_t>(bytecode + kMark, 1);
    const auto code = memory_.load<std::uint32_t>(bytecode + at::code);
    const auto size = memory_.load<std::uint32_t>(bytecode + at::code_size);
    std::uint32_t pc = 0;
    while (pc < size) {
      const auto op = memory_.load<std::uint8_t>(code + pc);
      if (std::ranges::find(asks_, op) != asks_.end()) {
        const auto atom = memory_.load<std::uint32_t>(code + pc + 1);
        if (atom < table.size() && table[atom] != 0) memory_.store(code + pc + 1, atom | kOfLibrary);
      }
      const std::uint32_t length = instructions_.size(op);
      if (length == 0) return false;
      pc += length;
    }
    const auto constants = memory_.load<std::uint32_t>(bytecode + at::constants);
    const auto count = memory_.load<std::uint32_t>(bytecode + at::constant_count);
    for (std::uint32_t i = 0; i < count; ++i) {
      constexpr std::uint32_t kBytecode = static_cast<std::uint32_t>(-2);  // JS_TAG_FUNCTION_BYTECODE
      constexpr std::uint32_t kSize = sizeof(Js);
      const auto constant = memory_.load<Js>(constants + i * kSize);
      if (static_cast<std::uint32_t>(constant >> 32U) == kBytecode && !mark(pointer_of(constant), table)) return false;
    }
    return pc == size;
  }

 private:
  Memory memory_;
  Instructions instructions_;
  std::vector<std::uint32_t> asks_;  // the instructions that ask for a member, or for a global variable
};

// ECMAScript's Symbol.iterator and the like cannot be deleted: internal/start.js takes away those that a version of Node has not, and makes
// the others what they were.
void unlock_symbols(Instance& world) {
  constexpr std::uint32_t kConfigurable = 1U << 26U;
  Memory memory(world);
  const Js globals = world.global();
  const Js symbol = world.get(globals, "Symbol");
  const auto form = memory.load<std::uint32_t>(pointer_of(symbol) + layout::object::shape);
  const auto in_table = memory.load<std::uint32_t>(form + layout::shape::hash_mask) + 1;
  const auto count = memory.load<std::uint32_t>(form + layout::shape::count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t row = form + layout::shape::table + 4 * in_table + i * layout::shape::property_size;
    memory.store(row, memory.load<std::uint32_t>(row) | kConfigurable);
  }
  for (const Js value : {symbol, globals}) world.free(value);
}

}  // namespace

std::string keep_originals(Instance& world, Js library, std::span<const Js> functions) {
  unlock_symbols(world);
  Code code(world);
  if (!code.is_known()) return "QuickJS's instructions are not those that sim/quickjs/loading/originals.cpp knows";
  const Js keys = world.get(library, "keys");
  const Js protocols = world.get(library, "protocols");
  const Js count = world.get(keys, "length");
  const Js keep = world.get(library, "keep");
  std::vector<Js> symbols;
  std::vector<std::uint32_t> table(kLastProtocol + 1);
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(number_of(count)); ++i) {
    const Js key = world.item(keys, i);
    const std::uint32_t atom = world.atom_of(key);
    symbols.push_back(world.make_private_symbol(is_string(key) ? world.to_text(key) : "symbol"));
    if (table.size() <= atom) table.resize(atom + 1);
    table[atom] = world.atom_of(symbols.back()) | (i < number_of(protocols) ? kIsProtocol : 0);
    world.free(key);
  }
  const Js list = world.make_array(symbols);
  const Js kept = world.call(keep, kUndefined, std::span<const Js>(&list, 1));
  for (const Js value : symbols) world.free(value);
  for (const Js value : {keys, protocols, count, keep, list, kept}) world.free(value);
  if (kept == kException) {
    const Js error = world.take_exception();
    return world.to_text(error) + "\n" + world.text_of(error, "stack");
  }
  world.set_originals(table);
  for (const Js function : functions) {
    const auto bytecode = Memory(world).load<std::uint32_t>(pointer_of(function) + layout::object::data);
    if (!code.mark(bytecode, table)) return "the code of a function has another form";
  }
  return {};
}

}  // namespace loopsim::quickjs
