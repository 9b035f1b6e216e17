// The names of libuv's error codes.
#include <algorithm>
#include <array>

#include "loopsim/libuv.hpp"

namespace loopsim {

std::span<const UvError> uv_errors() {
  static constexpr std::array kErrors = {
      UvError{"UV_EBUSY", kUvEbusy},
      UvError{"UV_ECANCELED", kUvEcanceled},
      UvError{"UV_EINVAL", kUvEinval},
      UvError{"UV_ENOSYS", kUvEnosys},
  };
  return kErrors;
}

const UvError* find_uv_error(std::string_view name) {
  const auto found = std::ranges::find(uv_errors(), name, &UvError::name);
  return found == uv_errors().end() ? nullptr : &*found;
}

const UvError* find_uv_error(int code) {
  const auto found = std::ranges::find(uv_errors(), code, &UvError::code);
  return found == uv_errors().end() ? nullptr : &*found;
}

}  // namespace loopsim
