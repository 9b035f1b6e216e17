// Node's own library, lib/**.js of one version, each file a function that QuickJS has compiled (src/node_builtins.cc).
//
// Its texts come from Node's official packages when loopsim is built (tools/node), and tools/quickjs/make_builtins.cpp turns
// them into this form: numbers are little-endian, of 32 bits, and a text has its length before it.
//
//     kMagic, what tells this QuickJS from others, Node's version, how many files there are, and of each, in the order of
//     their names: its name, where its code begins in all of it, how long that is
//
// Code is trusted as the program itself is, since QuickJS checks none: it comes with the program, never from what a user gives.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/quickjs/instance.hpp"

namespace loopsim::quickjs {

class Builtins {
 public:
  static constexpr std::string_view kMagic = "loopsim builtins 1\n";

  // Refers to the bytes. Nothing: they are not whole, or for another QuickJS.
  static std::optional<Builtins> read(std::span<const std::uint8_t> bytes);

  [[nodiscard]] std::string_view version() const { return version_; }  // of Node: "24.21.0"
  [[nodiscard]] std::span<const std::uint8_t> code_of(std::string_view name) const;  // empty: there is no such file
  [[nodiscard]] const std::map<std::string_view, std::span<const std::uint8_t>>& files() const { return files_; }

 private:
  std::string_view version_;
  std::map<std::string_view, std::span<const std::uint8_t>> files_;
};

// A file of the library that is to be written: its name as require() has it, "internal/util".
struct BuiltinText {
  std::string_view name, text;
  bool is_module = false;  // it has what a program's module has, and no more: up to Node 8
};
// Compiles it in this world. Nothing: it cannot be, and take_exception() has why.
std::optional<std::vector<std::uint8_t>> compile_builtin(Instance& world, const BuiltinText& file);
// All of it, in the form above.
std::vector<std::uint8_t> write_builtins(std::string_view version,
                                         const std::map<std::string, std::vector<std::uint8_t>>& files);

// The default version's, which is a part of the program (library_asset.hpp). Null: it is not.
const Builtins* own_builtins();

}  // namespace loopsim::quickjs
