// The objects of the simulated program that its values stand for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/runtime/value.hpp"

namespace loopsim::node {

using runtime::Callable;
using runtime::Callback;
using runtime::Place;
using runtime::Tag;
using runtime::Value;

struct StringObject {
  std::uint32_t refs = 0;
  std::string text;
};

struct ErrorObject {
  std::uint32_t refs = 0;
  std::string name, message, code;
  bool tells_code = false;  // Node's own error: "Error [ERR_SOCKET_CLOSED]: Socket is closed"
};

// A value in the engine's own memory. The engine is told when the last reference goes (Heap::when_foreign_ends).
struct ForeignObject {
  std::uint32_t refs = 0;
  std::uint64_t value = 0;
};

struct ListObject {  // an array; Tag::record: an item of allSettled's result
  std::uint32_t refs = 0;
  std::vector<Value> items;
};

// The locals of one activation of a function, or of one round of a loop.
struct Scope {
  std::uint32_t refs = 0;
  std::uint32_t parent = kNone;
  std::uint32_t size = 0;
  std::uint32_t slots = 0;  // first slot, in the heap's slot storage
};

// A function together with the locals around it.
struct Closure {
  std::uint32_t function = kNone;
  std::uint32_t scope = kNone;
};

}  // namespace loopsim::node
