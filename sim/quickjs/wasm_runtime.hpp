// The runtime of the C that wasm2c makes of quickjs.wasm.
#pragma once

#include <cstdint>
#include <exception>

// As the engine itself is compiled (tools/quickjs/CMakeLists.txt). An address and its offset have 32 bits each: where pointers
// have 64, all that they can reach is set aside without access, and no code checks it (a quarter of the time that JavaScript
// takes); on 32 bit every access is checked.
#define WASM_RT_MEMCHECK_SIGNAL_HANDLER (UINTPTR_MAX > UINT32_MAX)
#define WASM_RT_USE_STACK_DEPTH_COUNT 0
#include <wasm-rt.h>

namespace loopsim::quickjs {

// The linear memory may grow to this: 256 MiB.
inline constexpr std::uint32_t kMostPages = 4'096;
// Entries of the table of functions for functions of the host.
inline constexpr std::uint32_t kHostFunctions = 256;

// The module has ended in a way that no JavaScript can bring about: a defect of QuickJS, or of what calls it.
struct Trap : std::exception {
  explicit Trap(int trap) : kind(trap) {}
  [[nodiscard]] const char* what() const noexcept override { return "QuickJS has failed: this is a defect of loopsim"; }
  int kind;  // wasm_rt_trap_t
};

}  // namespace loopsim::quickjs
