// In WebAssembly there is no zstd: what is compressed by it is refused, and says so.
#include "tools/loopsim/io/compressed.hpp"

#include <utility>

#include "tools/loopsim/line/message.hpp"

namespace loopsim::cli {

std::unique_ptr<TraceSink> make_compressed_compact_writer(ByteOutput& /*output*/) {
  report_error(
      "the format compact is compressed by zstd, which this program, in WebAssembly, does not have: "
      "expected another one, as --format jsonl");
  return nullptr;
}

std::unique_ptr<Decompressor> make_decompressor(std::string name, TakePiece /*take*/) {
  report_error("could not read " + std::move(name) +
               ": it is compressed by zstd, which this program, in WebAssembly, does not have: "
               "decompress it first, by `zstd -d`");
  return nullptr;
}

}  // namespace loopsim::cli
