#include "sim/machine/fiber.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <utility>

#if defined(__wasm__)

namespace loopsim {

struct Fiber::Stack {};
bool Fiber::is_supported() { return false; }
Fiber::Fiber(std::function<void()> /*function*/, std::size_t /*stack_size*/) { std::abort(); }
Fiber::~Fiber() = default;
std::exception_ptr Fiber::resume() { return nullptr; }
void Fiber::leave() {}
void Fiber::enter(unsigned /*high*/, unsigned /*low*/) {}
void Fiber::run() {}

}  // namespace loopsim

#else

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>  // tidy: allow input-output: sysconf(), for the size of a page

#if defined(__SANITIZE_ADDRESS__)
#define LOOPSIM_ASAN
#elif defined(__SANITIZE_THREAD__)
#define LOOPSIM_TSAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOOPSIM_ASAN
#elif __has_feature(thread_sanitizer)
#define LOOPSIM_TSAN
#endif
#endif
#if defined(LOOPSIM_ASAN)
#include <dlfcn.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(LOOPSIM_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace loopsim {

namespace {

// The state of caught and uncaught exceptions belongs to a stack, but the C++ runtime stores it per thread (Itanium C++
// ABI, __cxa_eh_globals).
struct Exceptions {
  void* caught = nullptr;
  unsigned uncaught = 0;
};
Exceptions exchange_exceptions(const Exceptions& next) {
  auto* globals = reinterpret_cast<Exceptions*>(abi::__cxa_get_globals());
  return std::exchange(*globals, next);
}

#if defined(LOOPSIM_ASAN)
// That of the sanitizer would warn that it does not know what fibers do, which it is told below, and would clear its
// notes of the whole stack at each switch.
int switch_context(ucontext_t* from, const ucontext_t* to) {
  static const auto kReal = [] {
    void* const library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    void* const found = library == nullptr ? nullptr : dlsym(library, "swapcontext");
    return found == nullptr ? &swapcontext : reinterpret_cast<decltype(&swapcontext)>(found);
  }();
  return kReal(from, to);
}
#else
int switch_context(ucontext_t* from, const ucontext_t* to) { return swapcontext(from, to); }
#endif

// Where a stack begins, and most of them end: what is kept of a spare one.
constexpr std::size_t kOutermost = std::size_t{64} << 10U;

// The memory of the last stack of the thread that has ended: thousands of runs of a study have one after another, of the same
// size, and its first pages are then there already.
class SpareStack {
 public:
  SpareStack() = default;
  ~SpareStack() { drop(); }
  SpareStack(const SpareStack&) = delete;
  SpareStack& operator=(const SpareStack&) = delete;

  static SpareStack& of_thread() {
    static thread_local SpareStack spare;
    return spare;
  }
  // Null: there is none of this size.
  void* take(std::size_t size) { return size == size_ ? std::exchange(memory_, nullptr) : nullptr; }
  // Its pages but for the outermost are given back.
  void keep(void* memory, std::size_t size) {
    drop();
    if (size > kOutermost) madvise(memory, size - kOutermost, MADV_DONTNEED);
    memory_ = memory;
    size_ = size;
  }

 private:
  void drop() {
    if (memory_ != nullptr) munmap(std::exchange(memory_, nullptr), size_);
  }

  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

struct Fiber::Stack {
  void* memory = nullptr;
  std::size_t size = 0;  // including the guard page below the stack
  ucontext_t inside = {}, outside = {};
  Exceptions exceptions;  // of the inactive side
#if defined(LOOPSIM_ASAN)
  void* fake_inside = nullptr;
  void* fake_outside = nullptr;
  const void* bottom_outside = nullptr;
  std::size_t size_outside = 0;
#endif
#if defined(LOOPSIM_TSAN)
  void* tsan_inside = nullptr;
  void* tsan_outside = nullptr;
#endif

  explicit Stack(std::size_t stack_size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size = stack_size + page;
    memory = SpareStack::of_thread().take(size);
    const bool is_new = memory == nullptr;
    if (is_new)
      memory =
          mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    if ((is_new && mprotect(memory, page, PROT_NONE) != 0) || getcontext(&inside) != 0) {
      munmap(memory, size);
      throw std::bad_alloc();
    }
    inside.uc_stack.ss_sp = static_cast<char*>(memory) + page;
    inside.uc_stack.ss_size = stack_size;
    inside.uc_link = nullptr;
#if defined(LOOPSIM_TSAN)
    tsan_inside = __tsan_create_fiber(0);
#endif
  }
  ~Stack() {
#if defined(LOOPSIM_TSAN)
    __tsan_destroy_fiber(tsan_inside);
#endif
#if defined(LOOPSIM_ASAN)
    // Of the functions that never return (enter() and run()), for whoever gets this memory next.
    const std::size_t left = size < kOutermost ? size : kOutermost;
    __asan_unpoison_memory_region(static_cast<char*>(memory) + size - left, left);
#endif
    SpareStack::of_thread().keep(memory, size);
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
};

bool Fiber::is_supported() { return true; }

Fiber::Fiber(std::function<void()> function, std::size_t stack_size)
    : function_(std::move(function)), stack_(std::make_unique<Stack>(stack_size)) {
  // makecontext() passes integers only.
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&stack_->inside, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
              static_cast<unsigned>(static_cast<std::uint64_t>(self) >> 32U), static_cast<unsigned>(self));
}

Fiber::~Fiber() = default;

std::exception_ptr Fiber::resume() {
  if (is_done_) throw std::logic_error("loopsim::Fiber::resume: it has ended");
  stack_->exceptions = exchange_exceptions(stack_->exceptions);
#if defined(LOOPSIM_ASAN)
  __sanitizer_start_switch_fiber(&stack_->fake_outside, stack_->inside.uc_stack.ss_sp, stack_->inside.uc_stack.ss_size);
#endif
#if defined(LOOPSIM_TSAN)
  stack_->tsan_outside = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(stack_->tsan_inside, 0);
#endif
  switch_context(&stack_->outside, &stack_->inside);
#if defined(LOOPSIM_ASAN)
  __sanitizer_finish_switch_fiber(stack_->fake_outside, nullptr, nullptr);
#endif
  stack_->exceptions = exchange_exceptions(stack_->exceptions);
  return std::exchange(exception_, nullptr);
}

void Fiber::leave() {
#if defined(LOOPSIM_ASAN)
  // A finished stack is never resumed: its fake frames are freed.
  __sanitizer_start_switch_fiber(is_done_ ? nullptr : &stack_->fake_inside, stack_->bottom_outside,
                                 stack_->size_outside);
#endif
#if defined(LOOPSIM_TSAN)
  __tsan_switch_to_fiber(stack_->tsan_outside, 0);
#endif
  switch_context(&stack_->inside, &stack_->outside);
#if defined(LOOPSIM_ASAN)
  __sanitizer_finish_switch_fiber(stack_->fake_inside, &stack_->bottom_outside, &stack_->size_outside);
#endif
}

void Fiber::enter(unsigned high, unsigned low) {
  const auto self = static_cast<std::uintptr_t>((static_cast<std::uint64_t>(high) << 32U) | low);
  reinterpret_cast<Fiber*>(self)->run();
}

void Fiber::run() {
#if defined(LOOPSIM_ASAN)
  __sanitizer_finish_switch_fiber(nullptr, &stack_->bottom_outside, &stack_->size_outside);
#endif
  try {
    function_();
  } catch (...) {
    exception_ = std::current_exception();
  }
  is_done_ = true;
  leave();
}

}  // namespace loopsim

#endif
