// Where things are in QuickJS's structures, as quickjs-ng 0.17 has them when it is compiled for 32 bits (quickjs.c,
// quickjs.h): what a world tells without running any JavaScript. tools/quickjs/make_snapshot.cpp checks the frames against
// QuickJS's own stacks when the program is built, patch_wasm.py the counter.
#pragma once

#include <cstdint>

namespace loopsim::quickjs {

struct ContextLayout {
  static constexpr std::uint32_t kInterruptCounter = 292;
};
struct RuntimeLayout {
  static constexpr std::uint32_t kCurrentStackFrame = 660;
};
struct StackFrameLayout {
  static constexpr std::uint32_t kPreviousFrame = 0, kCurrentFunction = 8, kCurrentPc = 28;
};
struct ObjectLayout {
  static constexpr std::uint32_t kBytecode = 24;  // of functions
};
struct BytecodeLayout {
  static constexpr std::uint32_t kCode = 12, kFileName = 56, kLine = 60, kColumn = 64, kPlacesSize = 72, kPlaces = 76;
};

// js_poll_interrupts(): the counter begins here, and the host is asked when it is at its end (JS_INTERRUPT_COUNTER_INIT).
inline constexpr std::int32_t kInterruptEvery = 10'000;

}  // namespace loopsim::quickjs
