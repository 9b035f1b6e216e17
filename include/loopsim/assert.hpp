// LOOPSIM_ASSERT(condition): what must hold at the border between two rooms: an index that crosses it is within its table, a record that
// is named is alive, a text lies in its batch. In debug, sanitized and fuzzing builds (LOOPSIM_ASSERTIONS) one that does not hold ends
// the program, and says where. In all others it is nothing, and its condition is not evaluated: no result may depend on it.
//
// It is for faults of loopsim alone. What a document, a program or a trace can be to blame for is a message.
#pragma once

#ifdef LOOPSIM_ASSERTIONS

#include <cstdio>
#include <cstdlib>

namespace loopsim {

[[noreturn, gnu::noinline, gnu::cold]] inline void assertion_failed(const char* condition, const char* function,
                                                                    const char* file, int line) {
  std::fprintf(stderr, "loopsim: a fault of the simulator: not so: %s, in %s (%s:%d)\n", condition, function, file,
               line);
  std::abort();
}

}  // namespace loopsim

#define LOOPSIM_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::loopsim::assertion_failed(#condition, __func__, __FILE__, __LINE__))

#else

#define LOOPSIM_ASSERT(condition) static_cast<void>(0)

#endif
