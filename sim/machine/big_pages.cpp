#include "sim/machine/big_pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace loopsim {

#if defined(__linux__)
// Linux mm/madvise.c; what "madvise" in /sys/kernel/mm/transparent_hugepage/enabled waits for.
void ask_for_big_pages(void* memory, std::size_t size) { static_cast<void>(madvise(memory, size, MADV_HUGEPAGE)); }
#else
void ask_for_big_pages(void* /*memory*/, std::size_t /*size*/) {}
#endif

}  // namespace loopsim
