// The names of libuv's error codes.
#include <algorithm>
#include <array>

#include "loopsim/libuv.hpp"

namespace loopsim {

std::span<const UvError> uv_errors() {
  static constexpr std::array kErrors = {
      UvError{"UV_EACCES", -13},
      UvError{"UV_EADDRINUSE", kUvEaddrinuse},
      UvError{"UV_EAGAIN", kUvEagain},
      UvError{"UV_EAI_AGAIN", -3001},
      UvError{"UV_EAI_CANCELED", kUvEaiCanceled},
      UvError{"UV_EAI_FAIL", -3004},
      UvError{"UV_EAI_NONAME", -3008},
      UvError{"UV_EALREADY", kUvEalready},
      UvError{"UV_EBADF", kUvEbadf},
      UvError{"UV_EBUSY", kUvEbusy},
      UvError{"UV_ECANCELED", kUvEcanceled},
      UvError{"UV_ECONNABORTED", kUvEconnaborted},
      UvError{"UV_ECONNREFUSED", kUvEconnrefused},
      UvError{"UV_ECONNRESET", kUvEconnreset},
      UvError{"UV_EEXIST", kUvEexist},
      UvError{"UV_EINVAL", kUvEinval},
      UvError{"UV_EIO", -5},
      UvError{"UV_EISCONN", kUvEisconn},
      UvError{"UV_EISDIR", -21},
      UvError{"UV_EMFILE", -24},
      UvError{"UV_ENOENT", kUvEnoent},
      UvError{"UV_ENOSPC", -28},
      UvError{"UV_ENOSYS", kUvEnosys},
      UvError{"UV_ENOTCONN", kUvEnotconn},
      UvError{"UV_ENOTDIR", -20},
      UvError{"UV_ENOTEMPTY", -39},
      UvError{"UV_EOF", kUvEof},
      UvError{"UV_EPIPE", kUvEpipe},
      UvError{"UV_EROFS", -30},
      UvError{"UV_ESRCH", kUvEsrch},
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
