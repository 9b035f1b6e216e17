#include "sim/quickjs/image.hpp"

#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "loopsim/assert.hpp"

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

std::shared_ptr<const Image> Image::changed(std::shared_ptr<const Image> /*base*/,
                                            std::span<const std::uint8_t> /*memory*/) {
  return nullptr;
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

bool ReusedCopy::keep() { return false; }
void ReusedCopy::forget() {}

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

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

// Documentation/admin-guide/mm/pagemap.rst of Linux.
constexpr std::uint64_t kIsPresent = std::uint64_t{1} << 63U;
constexpr std::uint64_t kIsSwapped = std::uint64_t{1} << 62U;
constexpr std::uint64_t kIsOfFile = std::uint64_t{1} << 61U;

// The offsets of those of the pages at `place` that are no file's. `entries`: of the page table; as many as there are pages.
// False: the system does not tell.
bool find_own_pages(const std::uint8_t* place, std::span<std::uint64_t> entries, std::vector<std::size_t>& found) {
  const std::size_t page = page_size();
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const auto first = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(place) / page * sizeof entries[0]);
  const bool is_read =
      pread(file, entries.data(), entries.size_bytes(), first) == static_cast<ssize_t>(entries.size_bytes());
  close(file);
  found.clear();
  for (std::size_t i = 0; i < entries.size(); ++i)
    if ((entries[i] & (kIsPresent | kIsSwapped)) != 0 && (entries[i] & kIsOfFile) == 0) found.push_back(i * page);
  return is_read && !found.empty();
}

bool write_all(int file, std::span<const std::uint8_t> bytes, std::size_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::size_t>(written);
  }
  return true;
}

// Throws std::bad_alloc.
void map_file(std::uint8_t* place, std::size_t size, int file, std::size_t offset) {
  constexpr int kFlags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
  const void* const mapped = mmap(place, size, PROT_READ | PROT_WRITE, kFlags, file, static_cast<off_t>(offset));
  if (mapped == MAP_FAILED) throw std::bad_alloc();
}

// The same, of zeros. Pages that nothing has touched are so already.
void map_zeros(std::uint8_t* place, std::size_t size) {
  constexpr int kFlags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE | MAP_ANONYMOUS;
  if (mmap(place, size, PROT_READ | PROT_WRITE, kFlags, -1, 0) == MAP_FAILED) throw std::bad_alloc();
}

// A mapping more takes as long as some pages that are copied in vain.
constexpr std::size_t kGap = std::size_t{4} * 4096;

}  // namespace

std::shared_ptr<const Image> Image::of_program(std::span<const std::uint8_t> bytes) {
  const std::shared_ptr<Image> image(new Image);
  image->bytes_ = bytes;
  const std::optional<std::size_t> offset = place_in_program(bytes.data());
  if (!offset || *offset % page_size() != 0) return image;
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
  if (image->file_ < 0 || !write_all(image->file_, bytes, 0)) return nullptr;
  void* const mapped = mmap(nullptr, bytes.size(), PROT_READ, MAP_SHARED, image->file_, 0);
  if (mapped == MAP_FAILED) return nullptr;
  image->bytes_ = {static_cast<const std::uint8_t*>(mapped), bytes.size()};
  image->is_mapped_ = true;
  return image;
}

std::shared_ptr<const Image> Image::changed(std::shared_ptr<const Image> base, std::span<const std::uint8_t> memory) {
  const std::size_t page = page_size();
  const std::size_t base_size = base->bytes_.size();
  if (base->file_ < 0 || base_size % page != 0 || memory.size() % page != 0 || memory.size() < base_size)
    return nullptr;
  std::vector<std::uint64_t> entries(memory.size() / page);
  std::vector<std::size_t> written;
  if (!find_own_pages(memory.data(), entries, written)) return nullptr;
  const std::shared_ptr<Image> image(new Image);
  for (const std::size_t offset : written) {
    if (!image->parts_.empty()) {
      Part& last = image->parts_.back();
      if (offset - (last.offset + last.size) <= kGap) {
        last.size = offset + page - last.offset;
        continue;
      }
    }
    image->parts_.push_back({offset, page});
  }
  image->base_ = std::move(base);
  image->file_ = memfd_create("loopsim world", MFD_CLOEXEC);
  if (image->file_ < 0) return nullptr;
  for (const Part& part : image->parts_)
    if (!write_all(image->file_, memory.subspan(part.offset, part.size), part.offset)) return nullptr;
  void* const own = mmap(nullptr, memory.size(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (own == MAP_FAILED) return nullptr;
  image->bytes_ = {static_cast<const std::uint8_t*>(own), memory.size()};
  image->is_mapped_ = true;
  image->copy_to(static_cast<std::uint8_t*>(own));
  return image;
}

Image::~Image() {
  if (is_mapped_) munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
  if (file_ >= 0) close(file_);
}

void Image::copy_to(std::uint8_t* place) const {
  if (base_ != nullptr) {
    base_->copy_to(place);
    const std::size_t base_size = base_->bytes_.size();
    if (bytes_.size() > base_size) map_zeros(place + base_size, bytes_.size() - base_size);
    for (const Part& part : parts_) map_file(place + part.offset, part.size, file_, part.offset);
  } else if (file_ >= 0) {
    map_file(place, bytes_.size(), file_, offset_);
  } else {
    std::memcpy(place, bytes_.data(), bytes_.size());
  }
}

// ---- a copy that is used again ------------------------------------------------------------------------------------------------

namespace {

// Page faults of this thread; -1: the system does not count them.
std::int64_t count_faults() {
  rusage usage = {};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return -1;
  return static_cast<std::int64_t>(usage.ru_minflt) + static_cast<std::int64_t>(usage.ru_majflt);
}

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
    written_ = kept_;
  }
  const std::size_t page = page_size();
  const std::uint8_t* kept = kept_bytes_.data();
  auto next_kept = kept_.begin();
  for (const std::size_t offset : written_) {
    const bool is_kept = next_kept != kept_.end() && *next_kept == offset;
    std::memcpy(place_ + offset, is_kept ? kept : image_->bytes().data() + offset, page);
    if (!is_kept) continue;
    ++next_kept;
    kept += page;
  }
  LOOPSIM_ASSERT(next_kept == kept_.end());  // what was written then still is
  LOOPSIM_ASSERT(!kept_.empty() || std::memcmp(place_, image_->bytes().data(), image_->bytes().size()) == 0);
  faults_ = count_faults();
  return true;
}

bool ReusedCopy::keep() {
  if ((count_faults() != faults_ && !find_written()) || written_.size() > kMostWritten) return false;
  const std::size_t page = page_size();
  const std::uint8_t* const original = image_->bytes().data();
  kept_.clear();  // many were written by worlds before this one, and are as they were again
  for (const std::size_t offset : written_)
    if (std::memcmp(place_ + offset, original + offset, page) != 0) kept_.push_back(offset);
  kept_bytes_.clear();
  kept_bytes_.reserve(kept_.size() * page);
  for (const std::size_t offset : kept_) kept_bytes_.insert(kept_bytes_.end(), place_ + offset, place_ + offset + page);
  return true;
}

void ReusedCopy::forget() { kept_.clear(); }

bool ReusedCopy::find_written() {
  entries_.resize(image_->bytes().size() / page_size());
  return find_own_pages(place_, entries_, written_);
}

}  // namespace loopsim::quickjs

#endif
