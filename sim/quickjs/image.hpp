// The memory of a world at one moment, from which others start: the operating system copies a page when a world writes to it,
// and no sooner. In WebAssembly it is copied as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace loopsim::quickjs {

class Image {
 public:
  // Of bytes that live as long as the process. Those of the program's own file are used where they are; others, and where
  // there is no such file to be had, are copied for each world.
  [[nodiscard]] static std::shared_ptr<const Image> of_program(std::span<const std::uint8_t> bytes);
  // Of a copy of the bytes, in a file in memory. Null where the system has none.
  [[nodiscard]] static std::shared_ptr<const Image> copy_of(std::span<const std::uint8_t> bytes);
  // The same of a world's memory, over which copy_to() of `base` had put it, and which may be larger: only pages that were
  // written since are copied. Null where it cannot be told which these are. To be called by the world's thread.
  [[nodiscard]] static std::shared_ptr<const Image> changed(std::shared_ptr<const Image> base,
                                                            std::span<const std::uint8_t> memory);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  // Puts it over the writable memory at `place`, where a page begins. Throws std::bad_alloc.
  void copy_to(std::uint8_t* place) const;
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  Image() = default;

  // Pages that follow each other, and are in an own file at the same place.
  struct Part {
    std::size_t offset = 0, size = 0;
  };

  std::shared_ptr<const Image> base_;  // what is in none of the parts is as there, and behind its end zero
  std::vector<Part> parts_;            // with a base; in their order
  std::span<const std::uint8_t> bytes_;
  bool is_mapped_ = false;  // they are an own mapping of the file; in WebAssembly an own array
  [[maybe_unused]] int file_ = -1;
  [[maybe_unused]] std::size_t offset_ = 0;  // where it begins in the file
};

// A copy of an image that worlds use one after another: between them only those pages are written that are not as in the image.
// Which these are is asked of the system (/proc/self/pagemap), and only when there were page faults. In WebAssembly all are written.
// Worlds may also go on from a later moment of an earlier one.
class ReusedCopy {
 public:
  // Over the writable memory at `place`, where a page begins.
  ReusedCopy(std::shared_ptr<const Image> image, std::uint8_t* place);
  // The memory is as the image again. False: it cannot be told what was written; then the copy is of no more use. To be called
  // by the thread that the world ran on.
  [[nodiscard]] bool restore();
  // What restore() goes back to is the memory as it is now, as long as nobody wants to forget(). False: it cannot be kept.
  [[nodiscard]] bool keep();
  void forget();

 private:
  [[nodiscard]] bool find_written();

  std::shared_ptr<const Image> image_;
  std::uint8_t* place_;
  std::vector<std::size_t> written_;      // the offsets of pages that are no longer the image's, in their order
  std::vector<std::size_t> kept_;         // of pages that were not when keep() was called, in their order
  std::vector<std::uint8_t> kept_bytes_;  // and what they were then
  std::vector<std::uint64_t> entries_;    // of the page table, as find_written() reads them
  [[maybe_unused]] std::int64_t faults_;  // of the thread, when written_ was found
};

}  // namespace loopsim::quickjs
