// What the C that wasm2c makes of quickjs.wasm expects of its surroundings (wasm-rt.h of wabt), for one process that runs
// trusted code in a bounded memory: a trap is a C++ exception.
#include "sim/quickjs/wasm_runtime.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdlib>
#include <new>
#include <vector>

#include <sys/mman.h>

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

void take(std::size_t bytes) {
  if (account.take != nullptr && !account.take(bytes)) throw std::bad_alloc();
}
void give_back(std::size_t bytes) {
  if (account.give_back != nullptr) account.give_back(bytes);
}

}  // namespace

void loopsim::set_memory_account(const MemoryAccount& wanted) { account = wanted; }

extern "C" {

void wasm_rt_trap(wasm_rt_trap_t trap) { throw loopsim::quickjs::Trap(static_cast<int>(trap)); }

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

// The addresses for all of it are taken at once, so that it never moves; pages are there once they are touched.
void wasm_rt_allocate_memory(wasm_rt_memory_t* memory, uint32_t initial_pages, uint32_t max_pages) {
  memory->pages = initial_pages;
  memory->max_pages = std::min(max_pages, kMostPages);
  memory->size = static_cast<uint32_t>(initial_pages * kPage);
  void* data = mmap(nullptr, memory->max_pages * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED || mprotect(data, memory->size, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  take(memory->size);
  memory->data = static_cast<uint8_t*>(data);
}

uint32_t wasm_rt_grow_memory(wasm_rt_memory_t* memory, uint32_t pages) {
  const uint32_t before = memory->pages;
  if (pages > memory->max_pages - before) return UINT32_MAX;
  take(pages * kPage);
  if (mprotect(memory->data + memory->size, pages * kPage, PROT_READ | PROT_WRITE) != 0) {
    give_back(pages * kPage);
    return UINT32_MAX;
  }
  memory->pages = before + pages;
  memory->size = static_cast<uint32_t>(memory->pages * kPage);
  return before;
}

void wasm_rt_free_memory(wasm_rt_memory_t* memory) {
  munmap(memory->data, memory->max_pages * kPage);
  give_back(memory->size);
}

void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t* table, uint32_t elements, uint32_t max_elements) {
  table->size = elements + loopsim::quickjs::kHostFunctions;
  table->max_size = std::max(max_elements, table->size);
  table->data = static_cast<wasm_rt_funcref_t*>(std::calloc(table->size, sizeof(wasm_rt_funcref_t)));
  if (table->data == nullptr) throw std::bad_alloc();
}

void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t* table) { std::free(table->data); }

}  // extern "C"
