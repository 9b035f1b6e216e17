#include "tools/loopsim/io/compressed.hpp"

#include <array>
#include <cstddef>
#include <new>
#include <utility>

#define ZSTD_STATIC_LINKING_ONLY  // for an allocator: what zstd takes counts within --max-memory
#include <zstd.h>
#include <zstd_errors.h>

#include "loopsim/writers.hpp"

#include "tools/loopsim/line/message.hpp"

namespace loopsim::cli {
namespace {

// Of a few levels that were tried the one with the best of both (docs/performance.md).
constexpr int kLevel = 1;
constexpr std::size_t kPiece = 64U << 10U;  // bytes

void* allocate(void* /*opaque*/, std::size_t size) { return ::operator new(size, std::nothrow); }
void release(void* /*opaque*/, void* piece) { ::operator delete(piece); }
constexpr ZSTD_customMem kCounted = {allocate, release, nullptr};

struct Delete {
  void operator()(ZSTD_CStream* stream) const { ZSTD_freeCStream(stream); }
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

// Compresses on the way to `next`, as one frame with a checksum.
class CompressedOutput final : public ByteOutput {
 public:
  explicit CompressedOutput(ByteOutput& next) : next_(next), stream_(ZSTD_createCStream_advanced(kCounted)) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }
  void write(std::string_view bytes) override { compress(bytes, ZSTD_e_continue); }
  void end() { compress({}, ZSTD_e_end); }

 private:
  void compress(std::string_view bytes, ZSTD_EndDirective how) {
    ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
    while (true) {
      ZSTD_outBuffer out = {piece_.data(), piece_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(stream_.get(), &out, &in, how);
      if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // the only error that its use here can have
      next_.write({piece_.data(), out.pos});
      if (how == ZSTD_e_end ? left == 0 : in.pos == in.size) return;
    }
  }

  ByteOutput& next_;
  std::unique_ptr<ZSTD_CStream, Delete> stream_;
  std::array<char, kPiece> piece_{};
};

class CompressedCompactWriter final : public TraceSink {
 public:
  explicit CompressedCompactWriter(ByteOutput& output)
      : compressed_(output), writer_(make_compact_writer(compressed_)) {}

  void begin(const RunInfo& info) override { writer_->begin(info); }
  void events(const EventBatch& batch) override { writer_->events(batch); }
  void end(const RunSummary& summary) override {
    writer_->end(summary);
    compressed_.end();
  }

 private:
  CompressedOutput compressed_;
  std::unique_ptr<TraceSink> writer_;
};

class ZstdDecompressor final : public Decompressor {
 public:
  ZstdDecompressor(std::string name, TakePiece take)
      : name_(std::move(name)), take_(std::move(take)), stream_(ZSTD_createDStream_advanced(kCounted)) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }

  bool read(std::string_view bytes) override {
    ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
    while (true) {
      ZSTD_outBuffer out = {piece_.data(), piece_.size(), 0};
      left_ = ZSTD_decompressStream(stream_.get(), &out, &in);
      if (ZSTD_isError(left_) != 0) return report();
      if (out.pos > 0 && !take_({piece_.data(), out.pos})) {
        is_wanted_ = false;
        return false;
      }
      if (in.pos == in.size && out.pos < out.size) return true;
    }
  }
  bool finish() override {
    if (ZSTD_isError(left_) != 0) return false;
    if (left_ == 0 || !is_wanted_) return true;
    report_error("could not read " + name_ + ": it is compressed by zstd, and has been cut off");
    return false;
  }

 private:
  bool report() {
    if (ZSTD_getErrorCode(left_) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    report_error("could not read " + name_ +
                 ": it is compressed by zstd, and damaged: " + std::string(ZSTD_getErrorName(left_)));
    return false;
  }

  std::string name_;
  TakePiece take_;
  std::unique_ptr<ZSTD_DStream, Delete> stream_;
  std::size_t left_ = 0;  // 0: at the end of a frame
  bool is_wanted_ = true;
  std::array<char, kPiece> piece_{};
};

}  // namespace

bool looks_compressed(std::string_view beginning) { return beginning.starts_with("\x28\xB5\x2F\xFD"); }

std::unique_ptr<TraceSink> make_compressed_compact_writer(ByteOutput& output) {
  return std::make_unique<CompressedCompactWriter>(output);
}

std::unique_ptr<Decompressor> make_decompressor(std::string name, TakePiece take) {
  return std::make_unique<ZstdDecompressor>(std::move(name), std::move(take));
}

}  // namespace loopsim::cli
