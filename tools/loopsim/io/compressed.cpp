#include "tools/loopsim/io/compressed.hpp"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>
#include <span>
#include <system_error>
#include <thread>
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
constexpr std::size_t kPiece = 64U << 10U;   // bytes that are decompressed at a time
constexpr std::size_t kChunk = 256U << 10U;  // that are compressed at a time

void* allocate(void* /*opaque*/, std::size_t size) { return ::operator new(size, std::nothrow); }
void release(void* /*opaque*/, void* piece) { ::operator delete(piece); }
constexpr ZSTD_customMem kCounted = {allocate, release, nullptr};

struct Delete {
  void operator()(ZSTD_CStream* stream) const { ZSTD_freeCStream(stream); }
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

// zstd, from one buffer into another one: as one frame with a checksum. All of its memory is taken when it is made.
class Compressor {
 public:
  Compressor() : stream_(ZSTD_createCStream_advanced(kCounted)) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
    char none = 0;  // the first call takes the memory
    failed_ = compress({}, {&none, 1}, ZSTD_e_continue) != 0;
    if (failed_) throw std::bad_alloc();
  }
  // How many bytes of `out` it has filled. That is as large as it has to be.
  std::size_t compress(std::string_view bytes, std::span<char> to, ZSTD_EndDirective how) {
    ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
    ZSTD_outBuffer out = {to.data(), to.size(), 0};
    const std::size_t left = ZSTD_compressStream2(stream_.get(), &out, &in, how);
    failed_ = failed_ || ZSTD_isError(left) != 0 || in.pos < in.size || (how == ZSTD_e_end && left != 0);
    return out.pos;
  }
  [[nodiscard]] bool has_failed() const { return failed_; }

 private:
  std::unique_ptr<ZSTD_CStream, Delete> stream_;
  bool failed_ = false;
};

// Compresses on the way to `next`: pieces of one size on another thread, in their order, while the next one fills. Which
// bytes there are depends on neither thread; nor does the memory that is counted, as the other one takes none.
class CompressedOutput final : public ByteOutput {
 public:
  explicit CompressedOutput(ByteOutput& next)
      : next_(next), out_room_(ZSTD_compressBound(2 * kChunk)), out_(std::make_unique<char[]>(out_room_)) {
    filling_.reserve(kChunk);
    compressing_.reserve(kChunk);
  }
  ~CompressedOutput() override { stop(); }
  CompressedOutput(const CompressedOutput&) = delete;
  CompressedOutput& operator=(const CompressedOutput&) = delete;

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const std::string_view piece = bytes.substr(0, kChunk - filling_.size());
      filling_.append(piece);
      bytes.remove_prefix(piece.size());
      if (filling_.size() == kChunk) hand_over(ZSTD_e_continue);
    }
  }
  void end() {
    hand_over(ZSTD_e_end);
    take_result();
    stop();
  }

 private:
  enum class State : std::uint8_t { idle, working, stopping };

  // Starts to compress what has filled, once the piece before is done.
  void hand_over(ZSTD_EndDirective how) {
    take_result();
    std::swap(filling_, compressing_);
    filling_.clear();
    how_ = how;
    if (how == ZSTD_e_continue && !thread_.joinable()) start();
    if (!thread_.joinable()) {  // a short trace needs none, and there may be none to have
      compress();
      return;
    }
    const std::lock_guard lock(mutex_);
    state_ = State::working;
    changed_.notify_all();
  }
  void compress() { out_size_ = compressor_.compress(compressing_, {out_.get(), out_room_}, how_); }

  void take_result() {
    if (thread_.joinable()) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return state_ == State::idle; });
    }
    if (compressor_.has_failed()) throw std::bad_alloc();
    next_.write({out_.get(), out_size_});
    out_size_ = 0;
  }

  void start() {
    try {
      thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {  // no more threads
    }
  }
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return state_ != State::idle; });
      if (state_ == State::stopping) return;
      lock.unlock();
      compress();
      lock.lock();
      if (state_ == State::working) state_ = State::idle;
      changed_.notify_all();
    }
  }
  void stop() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      state_ = State::stopping;
      changed_.notify_all();
    }
    thread_.join();
  }

  ByteOutput& next_;
  Compressor compressor_;
  std::string filling_;
  std::string compressing_;
  ZSTD_EndDirective how_ = ZSTD_e_continue;
  std::size_t out_room_;
  std::size_t out_size_ = 0;
  std::unique_ptr<char[]> out_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::idle;
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

std::unique_ptr<TraceSink> make_compressed_compact_writer(ByteOutput& output) {
  return std::make_unique<CompressedCompactWriter>(output);
}

std::unique_ptr<Decompressor> make_decompressor(std::string name, TakePiece take) {
  return std::make_unique<ZstdDecompressor>(std::move(name), std::move(take));
}

}  // namespace loopsim::cli
