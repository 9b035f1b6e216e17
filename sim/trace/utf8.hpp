// UTF-8 validation for documents and traces.
#pragma once

#include <cstddef>
#include <string_view>

namespace loopsim {

// The offset of the first byte that is not well-formed UTF-8 (RFC 3629), or npos.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

}  // namespace loopsim
