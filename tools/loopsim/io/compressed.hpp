// zstd around the bytes of a file: how a compact trace is stored, and how any trace may be.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "loopsim/trace.hpp"

namespace loopsim::cli {

// The trace of a run in the compact form, compressed: equal bytes for equal runs, on any number of cores. Null, after
// reporting it, where the program has no zstd.
[[nodiscard]] std::unique_ptr<TraceSink> make_compressed_compact_writer(ByteOutput& output);

// Whether it begins as zstd's frames do.
[[nodiscard]] inline bool looks_compressed(std::string_view beginning) {
  return beginning.starts_with("\x28\xB5\x2F\xFD");
}

// Decompresses a file that is given in pieces, and passes it on in pieces. Its memory counts within --max-memory.
class Decompressor {
 public:
  virtual ~Decompressor() = default;
  // False if no more is wanted, or if the file is damaged: then the error has been reported, and finish() is false, too.
  [[nodiscard]] virtual bool read(std::string_view bytes) = 0;
  // False, after reporting it, if the file does not end where a frame does, and all of it was wanted.
  [[nodiscard]] virtual bool finish() = 0;
};
using TakePiece = std::function<bool(std::string_view)>;  // false: no more is wanted
// `name` is for messages. Null, after reporting it, where the program has no zstd.
[[nodiscard]] std::unique_ptr<Decompressor> make_decompressor(std::string name, TakePiece take);

}  // namespace loopsim::cli
