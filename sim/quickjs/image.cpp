#include "sim/quickjs/image.hpp"

#include <cassert>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#if defined(__wasm__)

#include <algorithm>

namespace loopsim::quickjs {

// The operating system's copy on write is not to be had: images are copied as a whole.

std::shared_ptr<const Image> Image::of_program(std::span<const std::uint8_t> bytes) {
  const std::shared_ptr<Image> image(new Image);
  image->bytes_ = bytes;
  return image;
}

std::shared_ptr<const Image> Image::copy_of(std::span<const std::uint8_t> bytes) {
  auto* const copy = new (std::nothrow) std::uint8_t[bytes.size()];
  if (copy == nullptr) return nullptr;
  std::ranges::copy(bytes, copy);
  const std::shared_ptr<Image> image(new Image);
  image->bytes_ = {copy, bytes.size()};
  image->is_mapped_ = true;
  return image;
}

Image::~Image() {
  if (is_mapped_) delete[] bytes_.data();
}

void Image::copy_to(std::uint8_t* place) const { std::ranges::copy(bytes_, place); }

ReusedCopy::ReusedCopy(std::shared_ptr<const Image> image, std::uint8_t* place)
    : image_(std::move(image)), place_(place), faults_(0) {
  image_->copy_to(place_);
}

bool ReusedCopy::restore() {
  image_->copy_to(place_);
  return true;
}

}  // namespace loopsim::quickjs

#else

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>  // tidy: allow input-output: files of its own memory and of the program

namespace loopsim::quickjs {

namespace {

// Where the byte at an address is in the program's file; nothing: a shared library has it.
std::optional<std::size_t> place_in_program(const std::uint8_t* address) {
  struct Search {
    std::uintptr_t address = 0;
    std::optional<std::size_t> found;
  } search = {reinterpret_cast<std::uintptr_t>(address), std::nullopt};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        Search& it = *static_cast<Search*>(data);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = object->dlpi_phdr[i];
          const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
          if (part.p_type != PT_LOAD || it.address < begin || it.address - begin >= part.p_filesz) continue;
          it.found = part.p_offset + (it.address - begin);
        }
        return 1;  // the first object is the program
      },
      &search);
  return search.found;
}

bool begins_alike(int file, std::size_t offset, std::span<const std::uint8_t> bytes) {
  std::uint8_t first[4096];
  if (bytes.size() < sizeof first) return false;
  return pread(file, first, sizeof first, static_cast<off_t>(offset)) == static_cast<ssize_t>(sizeof first) &&
         std::memcmp(first, bytes.data(), sizeof first) == 0;
}

}  // namespace

std::shared_ptr<const Image> Image::of_program(std::span<const std::uint8_t> bytes) {
  const std::shared_ptr<Image> image(new Image);
  image->bytes_ = bytes;
  const std::optional<std::size_t> offset = place_in_program(bytes.data());
  if (!offset || *offset % static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) != 0) return image;
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return image;
  if (!begins_alike(file, *offset, bytes)) {
    close(file);
    return image;
  }
  image->file_ = file;
  image->offset_ = *offset;
  return image;
}

std::shared_ptr<const Image> Image::copy_of(std::span<const std::uint8_t> bytes) {
  const std::shared_ptr<Image> image(new Image);
  image->file_ = memfd_create("loopsim world", MFD_CLOEXEC);
  if (image->file_ < 0 || ftruncate(image->file_, static_cast<off_t>(bytes.size())) != 0) return nullptr;
  void* const mapped = mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_SHARED, image->file_, 0);
  if (mapped == MAP_FAILED) return nullptr;
  std::memcpy(mapped, bytes.data(), bytes.size());
  image->bytes_ = {static_cast<const std::uint8_t*>(mapped), bytes.size()};
  image->is_mapped_ = true;
  return image;
}

Image::~Image() {
  if (is_mapped_) munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
  if (file_ >= 0) close(file_);
}

void Image::copy_to(std::uint8_t* place) const {
  if (file_ < 0) {
    std::memcpy(place, bytes_.data(), bytes_.size());
    return;
  }
  const void* const mapped = mmap(place, bytes_.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
                                  file_, static_cast<off_t>(offset_));
  if (mapped == MAP_FAILED) throw std::bad_alloc();
}

// ---- a copy that is used again ------------------------------------------------------------------------------------------------

namespace {

// Page faults of this thread; -1: the system does not count them.
std::int64_t count_faults() {
  rusage usage = {};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return -1;
  return static_cast<std::int64_t>(usage.ru_minflt) + static_cast<std::int64_t>(usage.ru_majflt);
}

// Documentation/admin-guide/mm/pagemap.rst of Linux.
constexpr std::uint64_t kIsPresent = std::uint64_t{1} << 63U;
constexpr std::uint64_t kIsSwapped = std::uint64_t{1} << 62U;
constexpr std::uint64_t kIsOfFile = std::uint64_t{1} << 61U;

// With more, a new mapping is as cheap.
constexpr std::size_t kMostWritten = 512;

}  // namespace

ReusedCopy::ReusedCopy(std::shared_ptr<const Image> image, std::uint8_t* place)
    : image_(std::move(image)), place_(place), faults_(count_faults()) {
  image_->copy_to(place_);
}

bool ReusedCopy::restore() {
  const std::int64_t faults = count_faults();
  // No world runs without writing: the first one makes faults, or they are not counted.
  if (faults < 0 || (faults == faults_ && written_.empty())) return false;
  if (faults != faults_ && !find_written()) return false;
  if (written_.size() > kMostWritten) {
    image_->copy_to(place_);
    written_.clear();
  }
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (const std::size_t offset : written_) std::memcpy(place_ + offset, image_->bytes().data() + offset, page);
  assert(std::memcmp(place_, image_->bytes().data(), image_->bytes().size()) == 0);
  faults_ = count_faults();
  return true;
}

bool ReusedCopy::find_written() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  entries_.resize(image_->bytes().size() / page);
  const std::size_t size = entries_.size() * sizeof entries_[0];
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const auto first = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(place_) / page * sizeof entries_[0]);
  const bool is_read = pread(file, entries_.data(), size, first) == static_cast<ssize_t>(size);
  close(file);
  written_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if ((entries_[i] & (kIsPresent | kIsSwapped)) != 0 && (entries_[i] & kIsOfFile) == 0) written_.push_back(i * page);
  return is_read && !written_.empty();
}

}  // namespace loopsim::quickjs

#endif
