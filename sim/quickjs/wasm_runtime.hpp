// The runtime of the C that wasm2c makes of quickjs.wasm.
#pragma once

#include <cstdint>
#include <exception>

// As the engine itself is compiled (tools/quickjs/CMakeLists.txt): every access is checked by code. To set aside all that an
// address can reach, and check nothing, is a quarter faster, but takes 8 GiB of addresses, which `ulimit -v` may not give.
#if !defined(WASM_RT_MEMCHECK_SIGNAL_HANDLER)
#define WASM_RT_MEMCHECK_SIGNAL_HANDLER 0
#endif
#if !defined(WASM_RT_USE_STACK_DEPTH_COUNT)
#define WASM_RT_USE_STACK_DEPTH_COUNT 0
#endif
#include <wasm-rt.h>

namespace loopsim::quickjs {

// Of 64 KiB, for the calls of a program, beside what the module has itself (Instance::enlarge_stack).
inline constexpr std::uint32_t kStackPages = 96;
// The linear memory may grow to this: 256 MiB, and that stack.
inline constexpr std::uint32_t kMostPages = 4'096 + kStackPages;
// Entries of the table of functions for functions of the host.
inline constexpr std::uint32_t kHostFunctions = 256;

// The module has ended in a way that no JavaScript can bring about: a defect of QuickJS, or of what calls it.
struct Trap : std::exception {
  explicit Trap(int trap) : kind(trap) {}
  [[nodiscard]] const char* what() const noexcept override { return "QuickJS has failed: this is a defect of loopsim"; }
  int kind;  // wasm_rt_trap_t
};

[[nodiscard]] bool has_small_stacks();  // of set_small_stacks()

// Throws std::bad_alloc. Without exceptions it ends the program, as operator new does there.
[[noreturn]] void fail_without_memory();

}  // namespace loopsim::quickjs
