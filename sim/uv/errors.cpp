// libuv's error codes (include/uv/errno.h), on Linux.
#include <algorithm>
#include <array>

#include "loopsim/libuv.hpp"

namespace loopsim {

std::span<const UvError> uv_errors() {
  static constexpr std::array kErrors = {
      UvError{"UV_EAGAIN", -11, "resource temporarily unavailable"},
      UvError{"UV_EALREADY", -114, "connection already in progress"},
      UvError{"UV_EBADF", -9, "bad file descriptor"},
      UvError{"UV_EBUSY", -16, "resource busy or locked"},
      UvError{"UV_ECANCELED", -125, "operation canceled"},
      UvError{"UV_EINVAL", -22, "invalid argument"},
      UvError{"UV_ENOENT", -2, "no such file or directory"},
      UvError{"UV_ENOSYS", -38, "function not implemented"},
      UvError{"UV_ENOTSUP", -95, "operation not supported on socket"},
      UvError{"UV_EOF", -4095, "end of file"},
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
