// Canonical JSON lines: written out, hashed, or both.

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include "loopsim/writers.hpp"

#include "sim/trace/jsonl_format.hpp"

namespace loopsim {
namespace {

class JsonlWriter final : public TraceSink {
 public:
  explicit JsonlWriter(ByteOutput& output) : output_(output) {}

  void begin(const RunInfo& info) override {
    output_.write(jsonl_header(info));
    formatter_.begin(info);
  }
  void events(const EventBatch& batch) override { formatter_.write(batch, output_); }
  void end(const RunSummary&) override { formatter_.flush(output_); }

 private:
  ByteOutput& output_;
  JsonlFormatter formatter_;
};

// Hashes all bytes on their way to `next` (may be null).
class HashingOutput final : public ByteOutput {
 public:
  explicit HashingOutput(ByteOutput* next) : next_(next) { reset(); }

  void reset() { XXH64_reset(&state_, 0); }
  void write(std::string_view bytes) override {
    XXH64_update(&state_, bytes.data(), bytes.size());
    if (next_ != nullptr) next_->write(bytes);
  }
  [[nodiscard]] std::uint64_t hash() const { return XXH64_digest(&state_); }

 private:
  ByteOutput* next_;
  XXH64_state_t state_{};
};

class HashWriter final : public HashSink {
 public:
  explicit HashWriter(ByteOutput* output) : output_(output), hashing_(output) {}

  void begin(const RunInfo& info) override {
    if (output_ != nullptr) output_->write(jsonl_header(info));  // the header is not hashed
    hashing_.reset();
    formatter_.begin(info);
  }
  void events(const EventBatch& batch) override { formatter_.write(batch, hashing_); }
  void end(const RunSummary&) override { formatter_.flush(hashing_); }
  [[nodiscard]] std::uint64_t hash() const override { return hashing_.hash(); }

 private:
  ByteOutput* output_;
  HashingOutput hashing_;
  JsonlFormatter formatter_;
};

}  // namespace

std::unique_ptr<TraceSink> make_jsonl_writer(ByteOutput& output) { return std::make_unique<JsonlWriter>(output); }

std::unique_ptr<HashSink> make_hash_sink() { return std::make_unique<HashWriter>(nullptr); }

std::unique_ptr<HashSink> make_hashing_jsonl_writer(ByteOutput& output) {
  return std::make_unique<HashWriter>(&output);
}

std::string format_hash(std::uint64_t hash) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
    *digit = kDigits[hash & 0x0f];
    hash >>= 4;
  }
  return text;
}

}  // namespace loopsim
