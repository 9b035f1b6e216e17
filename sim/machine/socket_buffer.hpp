// How much a connection on the loopback holds that the other side has not read: about what Linux does, which sizes its buffers by what
// happens.
#pragma once

#include <cstddef>

namespace loopsim {

inline constexpr std::size_t kSocketRoom = 2'626'560;
// A third of it must be free before a socket that was full is writable again: at most this is unread then.
inline constexpr std::size_t kWritableBelow = kSocketRoom - kSocketRoom / 3;

}  // namespace loopsim
