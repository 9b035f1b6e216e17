// Values of a world as a debugger shows them: read from its memory, so that no code runs and nothing changes. A getter is
// `[Getter]`, whatever it would return.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"

#include "sim/quickjs/instance.hpp"
#include "sim/trace/bounded_text.hpp"

namespace loopsim::quickjs {

class HeapView {
 public:
  explicit HeapView(Instance& world) : world_(world) {}

  // What stands at an address; zeros outside of the memory.
  template <typename T>
  [[nodiscard]] T at(std::uint32_t address) const {
    T value{};
    if (address <= world_.memory_size() - sizeof value) std::memcpy(&value, world_.memory() + address, sizeof value);
    return value;
  }
  [[nodiscard]] std::uint32_t word(std::uint32_t address) const { return at<std::uint32_t>(address); }
  [[nodiscard]] std::uint32_t half(std::uint32_t address) const { return at<std::uint16_t>(address); }

  void write(std::uint32_t address, const void* from, std::uint32_t size) {
    if (size == 0 || size > world_.memory_size() || address > world_.memory_size() - size) return;
    std::memcpy(world_.memory() + address, from, size);
  }

  [[nodiscard]] std::string atom(std::uint32_t atom) const;  // a name
  [[nodiscard]] bool is_closure(Js value) const;             // a function with bytecode
  [[nodiscard]] std::string function_name(std::uint32_t object) const;

  // As util.inspect shows it, in one line. A text on its own has no quotes: its kind tells that it is one.
  void show(BoundedText& out, Js value) const { show(out, value, 0); }
  [[nodiscard]] ValueKind kind_of(Js value) const;

  // Adds what an iterator of a map or set has not given yet, nothing of another object; the map owns them. Returns whether they are
  // pairs of a key and a value.
  bool members_of_iterator(Js iterator, std::vector<Js>& members) const;

 private:
  struct Property {
    std::uint32_t atom = 0, flags = 0, address = 0;  // address 0: there is none
  };
  enum class KeyKind : std::uint8_t { text, symbol, own };  // own: QuickJS's, or of a private field
  [[nodiscard]] KeyKind kind_of_key(std::uint32_t atom) const;
  [[nodiscard]] std::uint32_t class_of(std::uint32_t object) const;
  [[nodiscard]] Property find(std::uint32_t object, std::string_view name) const;  // its own
  [[nodiscard]] Js value_of(const Property& property) const;                       // undefined for an accessor
  [[nodiscard]] std::string text_of(std::uint32_t object, std::string_view name) const;
  [[nodiscard]] std::string constructor_of(std::uint32_t object) const;
  template <typename Visit>
  void each_property(std::uint32_t object, Visit visit) const;  // until it returns false

  void add_string(std::string& out, Js value, std::size_t most, int depth) const;
  [[nodiscard]] std::uint32_t characters_of(std::uint32_t string) const;  // their address
  void add_characters(std::string& out, std::uint32_t string, std::size_t most) const;
  [[nodiscard]] std::string text(Js value) const;
  void show(BoundedText& out, Js value, int depth) const;
  void show_object(BoundedText& out, std::uint32_t object, int depth) const;
  void show_function(BoundedText& out, std::uint32_t object) const;
  void show_items(BoundedText& out, std::uint32_t object, int depth, bool& is_first) const;
  void show_sparse_items(BoundedText& out, std::uint32_t object, int depth, bool& is_first) const;
  void show_properties(BoundedText& out, std::uint32_t object, int depth, bool& is_first) const;
  void show_records(BoundedText& out, std::uint32_t object, int depth, bool has_values) const;
  void show_typed_array(BoundedText& out, std::uint32_t object, std::uint32_t class_id, const std::string& name) const;
  void show_date(BoundedText& out, double milliseconds) const;
  void show_regexp(BoundedText& out, std::uint32_t object) const;
  void show_big_int(BoundedText& out, std::uint32_t big_int) const;

  Instance& world_;
};

}  // namespace loopsim::quickjs
