// What the C that wasm2c makes of quickjs.wasm expects of its surroundings (wasm-rt.h of wabt), for one process that runs
// trusted code in a bounded memory: a trap is a C++ exception; in WebAssembly, where there are none, a trap again.
#include "sim/quickjs/wasm_runtime.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(__wasm__)
#include <cstring>

#include <malloc.h>
#else
#include <sys/mman.h>
#endif

#include "loopsim/memory_account.hpp"

namespace {

constexpr std::size_t kPage = 65'536;
using loopsim::quickjs::kMostPages;

struct FunctionType {
  std::vector<int> params, results;
  friend bool operator==(const FunctionType&, const FunctionType&) = default;
};
std::vector<FunctionType>& types() {
  static std::vector<FunctionType> all;  // filled by init_module() alone, which runs once
  return all;
}

// Set before the first run.
loopsim::MemoryAccount account;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

bool are_stacks_small = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void take(std::size_t bytes) {
  if (account.take != nullptr && !account.take(bytes)) loopsim::quickjs::fail_without_memory();
}
void give_back(std::size_t bytes) {
  if (account.give_back != nullptr) account.give_back(bytes);
}

#if defined(__wasm__)

// Twice as large each time: there is no memory that takes no room until it is touched, so it moves.
constexpr std::size_t kLeastCapacity = std::size_t{12} << 20U;

std::uint8_t* reserve(std::size_t /*most*/) { return static_cast<std::uint8_t*>(std::malloc(kLeastCapacity)); }
bool open_up(wasm_rt_memory_t& memory, std::size_t begin, std::size_t bytes) {
  const std::size_t most = memory.max_pages * kPage;
  if (begin + bytes > malloc_usable_size(memory.data)) {
    const std::size_t capacity = std::min(most, std::max(begin + bytes, 2 * begin));
    void* const larger = std::realloc(memory.data, capacity);
    if (larger == nullptr) return false;
    memory.data = static_cast<std::uint8_t*>(larger);
  }
  std::memset(memory.data + begin, 0, bytes);
  return true;
}
void release(std::uint8_t* data, std::size_t /*most*/) { std::free(data); }

#else

// The addresses for all of it are taken at once, so that it never moves; pages are there once they are touched.
std::uint8_t* reserve(std::size_t most) {
  void* const data = mmap(nullptr, most, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return data == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(data);
}
bool open_up(wasm_rt_memory_t& memory, std::size_t begin, std::size_t bytes) {
  return mprotect(memory.data + begin, bytes, PROT_READ | PROT_WRITE) == 0;
}
void release(std::uint8_t* data, std::size_t most) { munmap(data, most); }

#endif

}  // namespace

void loopsim::set_memory_account(const MemoryAccount& wanted) { account = wanted; }
void loopsim::set_small_stacks() { are_stacks_small = true; }
bool loopsim::quickjs::has_small_stacks() { return are_stacks_small; }

void loopsim::quickjs::fail_without_memory() {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  if (const std::new_handler handler = std::get_new_handler()) handler();
  std::abort();
#endif
}

extern "C" {

#if defined(__wasm__)
// What a thread has of its own ends with it. Here the only thread ends with the program, and the C++ library has no such function.
int __cxa_atexit(void (*function)(void*), void* object, void* module);
int __cxa_thread_atexit(void (*function)(void*), void* object, void* module) {
  return __cxa_atexit(function, object, module);
}
#endif

#if defined(__cpp_exceptions)
void wasm_rt_trap(wasm_rt_trap_t trap) { throw loopsim::quickjs::Trap(static_cast<int>(trap)); }
#else
void wasm_rt_trap(wasm_rt_trap_t /*trap*/) { __builtin_trap(); }
#endif

bool wasm_rt_is_initialized(void) { return true; }

uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...) {
  FunctionType type;
  va_list list;
  va_start(list, results);
  // NOLINTBEGIN(clang-analyzer-valist.Uninitialized): va_start() has been called
  for (uint32_t i = 0; i < params; ++i) type.params.push_back(va_arg(list, int));
  for (uint32_t i = 0; i < results; ++i) type.results.push_back(va_arg(list, int));
  // NOLINTEND(clang-analyzer-valist.Uninitialized)
  va_end(list);
  const auto known = std::ranges::find(types(), type);
  if (known != types().end()) return static_cast<uint32_t>(known - types().begin()) + 1;
  types().push_back(std::move(type));
  return static_cast<uint32_t>(types().size());
}

void wasm_rt_allocate_memory(wasm_rt_memory_t* memory, uint32_t initial_pages, uint32_t max_pages) {
  memory->pages = initial_pages;
  memory->max_pages = std::min(max_pages, kMostPages);
  memory->size = static_cast<uint32_t>(initial_pages * kPage);
  memory->data = reserve(memory->max_pages * kPage);
  if (memory->data == nullptr || !open_up(*memory, 0, memory->size)) loopsim::quickjs::fail_without_memory();
  take(memory->size);
}

uint32_t wasm_rt_grow_memory(wasm_rt_memory_t* memory, uint32_t pages) {
  const uint32_t before = memory->pages;
  if (pages > memory->max_pages - before) return UINT32_MAX;
  take(pages * kPage);
  if (!open_up(*memory, memory->size, pages * kPage)) {
    give_back(pages * kPage);
    return UINT32_MAX;
  }
  memory->pages = before + pages;
  memory->size = static_cast<uint32_t>(memory->pages * kPage);
  return before;
}

void wasm_rt_free_memory(wasm_rt_memory_t* memory) {
  release(memory->data, memory->max_pages * kPage);
  give_back(memory->size);
}

void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t* table, uint32_t elements, uint32_t max_elements) {
  table->size = elements + loopsim::quickjs::kHostFunctions;
  table->max_size = std::max(max_elements, table->size);
  table->data = static_cast<wasm_rt_funcref_t*>(std::calloc(table->size, sizeof(wasm_rt_funcref_t)));
  if (table->data == nullptr) loopsim::quickjs::fail_without_memory();
}

void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t* table) { std::free(table->data); }

}  // extern "C"
