// Memory in large pages, for what is large and read here and there: each page that is not in the processor's tables costs a
// walk through those in memory, two of them on a virtual machine.
#pragma once

#include <cstddef>

namespace loopsim {

// The size of a large page on x86-64, and on ARM with pages of 4 KiB.
inline constexpr std::size_t kBigPage = std::size_t{2} << 20U;

// Asks the system to give this memory large pages. `memory` and `size` are multiples of kBigPage. Without any effect where the
// system has none, or does not want to.
void ask_for_big_pages(void* memory, std::size_t size);

}  // namespace loopsim
