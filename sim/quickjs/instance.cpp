#include "sim/quickjs/instance.hpp"

#include <algorithm>
#include <array>
#include <cstdio>  // tidy: allow input-output: why the program ends in WebAssembly, where nothing can be unwound
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <utility>

#include "loopsim/assert.hpp"

#include "sim/quickjs/disposals.hpp"
#include "sim/quickjs/layout.hpp"
#include "sim/quickjs/wasm_runtime.hpp"
#include "sim/runtime/stopped.hpp"

extern "C" {
#include <quickjs_engine.h>  // made by wasm2c: tools/quickjs
}

struct Z_env_instance_t {
  loopsim::quickjs::Instance* instance;
};
struct Z_wasi_snapshot_preview1_instance_t {
  loopsim::quickjs::Instance* instance;
};

namespace loopsim::quickjs {

namespace {

// The first argument of host_call, as tools/quickjs/patch_wasm.py writes it.
constexpr std::uint32_t kEnqueued = static_cast<std::uint32_t>(-1);
constexpr std::uint32_t kThen = static_cast<std::uint32_t>(-2);
constexpr std::uint32_t kSettled = static_cast<std::uint32_t>(-3);
constexpr std::uint32_t kAwait = static_cast<std::uint32_t>(-4);
constexpr std::uint32_t kStatement = static_cast<std::uint32_t>(-5);
constexpr std::uint32_t kPosition = static_cast<std::uint32_t>(-6);
constexpr std::uint32_t kInstruction = static_cast<std::uint32_t>(-7);
constexpr std::uint32_t kClose = static_cast<std::uint32_t>(-8);
constexpr std::uint32_t kYieldStar = static_cast<std::uint32_t>(-9);
constexpr std::uint32_t kAgain = static_cast<std::uint32_t>(-10);
constexpr std::uint32_t kEndAwaits = static_cast<std::uint32_t>(-11);
constexpr std::uint32_t kOwnFirst = static_cast<std::uint32_t>(-12);
constexpr std::uint32_t kDisposeFailed = static_cast<std::uint32_t>(-13);
constexpr std::uint32_t kWorked = static_cast<std::uint32_t>(-14);
constexpr std::uint32_t kFailed = static_cast<std::uint32_t>(-15);
constexpr std::uint32_t kReturned = static_cast<std::uint32_t>(-16);

constexpr std::array<std::string_view, Instance::kErrors> kErrorNames = {"Error", "TypeError", "RangeError",
                                                                         "SyntaxError"};

// The stack of the WebAssembly code, in its linear memory. That of the module is 1 MiB, below all else; a world in which programs
// run has a larger one behind what it started from: room for as many calls as Node has. What is not QuickJS's is for the host's own
// calls: a call of JavaScript begins only above it, and is a RangeError of the program below.
constexpr std::uint32_t kOwnStack = 1'024 * 1'024, kWorldsStack = kStackPages * 65'536;
constexpr std::uint32_t kHostsPart = 192 * 1'024;
// In a browser, whose own stack has half a megabyte in a worker: what a call takes of that is weighed (weigh_calls in
// tools/quickjs/patch_wasm.py), so that this is the first to end. All browsers have the same depths.
constexpr std::uint32_t kSmallStack = 160 * 1'024;
// Of one call's values, on that stack; more are on the heap.
constexpr std::size_t kMostOnStack = 512;

std::uint32_t type_host_function = 0, type_data_function = 0, type_finalizer = 0,
              type_promise_hook = 0;  // set once, by init_module()

void init_module() {
  static const bool kDone = [] {
    Z_quickjs_init_module();
    type_host_function =
        wasm_rt_register_func_type(5, 1, WASM_RT_I32, WASM_RT_I64, WASM_RT_I32, WASM_RT_I32, WASM_RT_I32, WASM_RT_I64);
    type_data_function = wasm_rt_register_func_type(6, 1, WASM_RT_I32, WASM_RT_I64, WASM_RT_I32, WASM_RT_I32,
                                                    WASM_RT_I32, WASM_RT_I32, WASM_RT_I64);
    type_finalizer = wasm_rt_register_func_type(2, 0, WASM_RT_I32, WASM_RT_I64);
    type_promise_hook =
        wasm_rt_register_func_type(5, 0, WASM_RT_I32, WASM_RT_I32, WASM_RT_I64, WASM_RT_I64, WASM_RT_I32);
    return true;
  }();
  static_cast<void>(kDone);
}

// Values in the linear memory, copied: it may grow, and so move, while the host has them.
class ValuesAt {
 public:
  ValuesAt(Instance& instance, std::uint32_t pointer, std::uint32_t count) : count_(count) {
    if (count > kFew) many_.resize(count);
    if (count == 0) return;
    LOOPSIM_ASSERT(std::uint64_t{pointer} + count * sizeof(Js) <= instance.memory_size());
    std::memcpy(data(), instance.memory() + pointer, count * sizeof(Js));
  }
  operator std::span<const Js>() {
    return {data(), count_};
  }  // NOLINT(google-explicit-constructor): that is what it is
  Js operator[](std::size_t index) { return data()[index]; }

 private:
  static constexpr std::uint32_t kFew = 8;
  Js* data() { return count_ > kFew ? many_.data() : few_.data(); }
  std::uint32_t count_;
  std::array<Js, kFew> few_;  // NOLINT(cppcoreguidelines-pro-type-member-init): as many as there are
  std::vector<Js> many_;
};

template <typename T>
T load(Instance& instance, std::uint32_t pointer) {
  T value;
  LOOPSIM_ASSERT(std::uint64_t{pointer} + sizeof value <= instance.memory_size());
  std::memcpy(&value, instance.memory() + pointer, sizeof value);
  return value;
}

// What is half of a character is no UTF-8: Node writes U+FFFD for it, which is as long.
void replace_lone_surrogates(std::string& text) {
  constexpr char kLead = '\xED';
  constexpr unsigned char kFirstSurrogate = 0xA0;
  for (std::size_t at = text.find(kLead); at != std::string::npos; at = text.find(kLead, at + 1)) {
    if (at + 2 < text.size() && static_cast<unsigned char>(text[at + 1]) >= kFirstSurrogate)
      text.replace(at, 3, "\xEF\xBF\xBD");
  }
}

// JSCFunctionMagic: the magic number says which function of the host it is.
u64 call_host(Z_quickjs_instance_t* wasm, u32 /*context*/, u64 this_value, u32 argc, u32 argv, u32 magic) {
  Instance& instance = *wasm->Z_env_instance->instance;
  return instance.host().call(magic, this_value, ValuesAt(instance, argv, argc));
}

void finalize(Z_quickjs_instance_t* wasm, u32 /*runtime*/, u64 object);

// Work that counts for nothing.
constexpr std::uint32_t kNoLimit = std::numeric_limits<std::int32_t>::max();

// A function of QuickJS that a limit has found at work is left in its middle when it still works after so many portions more: some
// hundredths of a second. Most ask before, as all code of the program does.
constexpr int kMostAfterStop = 400;

// Of a program, that are no steps: an ordinary one has no more.
constexpr std::uint32_t kFreePortions = 200;
// To compile a script of some megabytes. What is only compiled is not counted: the runs that follow leave it out.
constexpr std::uint32_t kMostToCompile = 500'000'000;

[[noreturn]] void stop_at_once() {
#if defined(__cpp_exceptions)
  throw runtime::Stopped();
#else
  std::fputs("loopsim: the limit of steps was reached within a function that is built into JavaScript\n", stderr);
  std::exit(3);
#endif
}

}  // namespace

struct Instance::Wasm {
  Z_quickjs_instance_t it{};
  Z_env_instance_t env{};
  Z_wasi_snapshot_preview1_instance_t wasi{};
  std::uint32_t first_own = 0;  // index in the table of functions
};

namespace {
enum OwnFunction : std::uint32_t { kCallHost, kFinalize, kPassRejection, kPromiseHook };

void finalize(Z_quickjs_instance_t* wasm, u32 /*runtime*/, u64 object) {
  Instance& instance = *wasm->Z_env_instance->instance;
  std::uint32_t opaque = 0;
  if (instance.host_object(object, opaque)) instance.host().collected(opaque);
}

// JSCFunctionData: closes the iterator that is its datum, and throws its argument again.
u64 pass_rejection(Z_quickjs_instance_t* wasm, u32 /*context*/, u64 /*this_value*/, u32 /*argc*/, u32 argv,
                   u32 /*magic*/, u32 data) {
  Instance& instance = *wasm->Z_env_instance->instance;
  const Js error = instance.dup(load<Js>(instance, argv));
  instance.close_iterator(load<Js>(instance, data));
  return instance.throw_value(error);
}

// JSPromiseHook. Jobs and settlements are told by other ways.
void promise_hook(Z_quickjs_instance_t* wasm, u32 /*context*/, u32 type, u64 promise, u64 parent, u32 /*opaque*/) {
  constexpr u32 kInit = 0;  // JS_PROMISE_HOOK_INIT
  if (type == kInit) wasm->Z_env_instance->instance->host().makes_promise(promise, parent);
}
}  // namespace

// While this lives, the program runs.
class Instance::Running {
 public:
  explicit Running(Instance& instance) : instance_(instance) { ++instance_.calls_; }
  ~Running() { --instance_.calls_; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  Instance& instance_;
};

// While this lives, what QuickJS does is not the program's, and counts for nothing: a trace may ask for it, or not.
class Instance::Uncounted {
 public:
  explicit Uncounted(Instance& instance)
      : instance_(instance), left_(std::exchange(instance.wasm_->it.w2c_work_left, kNoLimit)) {}
  ~Uncounted() { instance_.wasm_->it.w2c_work_left = left_; }
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  Instance& instance_;
  std::uint32_t left_;
};

// Values in the linear memory for one call: on the stack there, as compiled C would do it, or on the heap where they are many: a
// program decides how many there are. QuickJS keeps the host's part of the stack free, and calls that do not end in the program's
// code take less of it than that.
class Instance::Arguments {
 public:
  Arguments(Instance& instance, std::span<const Js> values)
      : instance_(instance), stack_(instance.wasm_->it.w2c___stack_pointer), before_(stack_), pointer_(before_) {
    if (values.size() > kMostOnStack) {
      heap_ = Z_quickjsZ_malloc(&instance.wasm_->it, size(values));
      if (heap_ == 0) fail_without_memory();
      pointer_ = heap_;
    } else {
      // No program can bring that about.
      if (before_ < instance.stack_end_ + size(values) + kLeastRoom) std::abort();
      pointer_ = stack_ = (before_ - size(values)) & ~15U;
    }
    if (!values.empty()) std::memcpy(instance.memory() + pointer_, values.data(), values.size_bytes());
  }
  // An exception of C++ ends the run, and leaves QuickJS in the middle of what it did.
  ~Arguments() {
    stack_ = before_;
    if (std::uncaught_exceptions() != 0)
      instance_.is_lost_ = true;
    else if (heap_ != 0)
      Z_quickjsZ_free(&instance_.wasm_->it, heap_);
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  [[nodiscard]] std::uint32_t pointer() const { return pointer_; }

 private:
  static constexpr std::uint32_t kLeastRoom = 4'096;
  static std::uint32_t size(std::span<const Js> values) { return static_cast<std::uint32_t>(values.size_bytes()); }
  Instance& instance_;
  std::uint32_t& stack_;
  std::uint32_t before_, pointer_, heap_ = 0;
};

// ---- life -----------------------------------------------------------------------------------------------------------

void Instance::instantiate() {
  init_module();
  wasm_ = std::make_unique<Wasm>();
  connect();
  Z_quickjs_instantiate(&wasm_->it, &wasm_->env, &wasm_->wasi);
  wasm_->it.w2c_stack_weights = has_small_stacks() ? ~0U : 0U;
  wasm_rt_funcref_table_t& table = wasm_->it.w2c___indirect_function_table;
  wasm_->first_own = table.size - kHostFunctions;
  table.data[wasm_->first_own + kCallHost] = {type_host_function, reinterpret_cast<wasm_rt_function_ptr_t>(call_host),
                                              &wasm_->it};
  table.data[wasm_->first_own + kFinalize] = {type_finalizer, reinterpret_cast<wasm_rt_function_ptr_t>(finalize),
                                              &wasm_->it};
  table.data[wasm_->first_own + kPassRejection] = {
      type_data_function, reinterpret_cast<wasm_rt_function_ptr_t>(pass_rejection), &wasm_->it};
  table.data[wasm_->first_own + kPromiseHook] = {type_promise_hook,
                                                 reinterpret_cast<wasm_rt_function_ptr_t>(promise_hook), &wasm_->it};
}

void Instance::connect() { wasm_->env.instance = wasm_->wasi.instance = this; }

Instance::Instance(Host& host) : host_(host) {
  instantiate();
  Z_quickjs_instance_t* const it = &wasm_->it;
  it->w2c_work_left = kNoLimit;
  Z_quickjsZ__initialize(it);
  if (Z_quickjsZ_qjs_init(it) != 0) fail_without_memory();
  runtime_ = Z_quickjsZ_qjs_get_runtime_ptr(it);
  context_ = Z_quickjsZ_qjs_get_context_ptr(it);
  Z_quickjsZ_qjs_set_max_stack_size(it, has_small_stacks() ? kSmallStack : kOwnStack - kHostsPart);
  Z_quickjsZ_qjs_set_interrupt_handler(it, 1);
  Z_quickjsZ_qjs_set_promise_rejection_handler(it, 1);
  Z_quickjsZ_qjs_set_module_loader(it, 1);

  // The class of the host's objects: a number, and a finalizer.
  const std::uint32_t name = copy_in("HostObject");
  const std::uint32_t slot = Z_quickjsZ_malloc(it, 4 * 6);
  const std::uint32_t definition[5] = {name, wasm_->first_own + kFinalize, 0, 0, 0};
  std::memcpy(memory() + slot + 4, definition, sizeof definition);
  std::memset(memory() + slot, 0, 4);
  host_class_ = Z_quickjsZ_JS_NewClassID(it, runtime_, slot);
  Z_quickjsZ_JS_NewClass(it, runtime_, host_class_, slot + 4);

  const Js samples = evaluate(
      "[function () {}, async function () {}, function* () {}, async function* () {}, (() => 0).bind(), Math.abs, "
      "new Proxy(() => 0, {})]",
      "functions");
  const Js count = get(samples, "length");
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(number_of(count)); ++i) {
    const Js sample = item(samples, i);
    function_classes_.push_back(Z_quickjsZ_JS_GetClassID(it, sample));
    free(sample);
  }
  free(samples);
  const Js world = global();
  for (std::size_t i = 0; i < kErrors; ++i) errors_[i] = get(world, kErrorNames[i]);
  free(world);
}

// ---- a world that others start from ------------------------------------------------------------------------------------------

void Instance::take_registers(const Registers& registers) {
  wasm_->it.w2c___stack_pointer = registers.stack_pointer;
  runtime_ = registers.runtime;
  context_ = registers.context;
  host_class_ = registers.host_class;
  wrapped_ = registers.wrapped;
  function_classes_.assign(registers.function_classes.begin(),
                           registers.function_classes.begin() + static_cast<std::ptrdiff_t>(registers.class_count));
  jumps_before_ = registers.jumps_before;
  errors_ = registers.errors;
  stack_end_ = registers.stack_end;
  wasm_->it.w2c_work_left = kNoLimit;
}

namespace {
void grow(wasm_rt_memory_t& memory, std::uint32_t size) {
  const std::uint32_t pages = size / 65'536;
  if (pages > memory.pages && wasm_rt_grow_memory(&memory, pages - memory.pages) == UINT32_MAX) fail_without_memory();
}
}  // namespace

Instance::Instance(Host& host, const Saved& saved) : host_(host) {
  instantiate();
  grow(wasm_->it.w2c_memory, saved.registers.memory_size);
  saved.memory->copy_to(wasm_->it.w2c_memory.data);
  take_registers(saved.registers);
}

// Behind all that there is. Nothing runs, so nothing is on the other one.
void Instance::enlarge_stack() {
  if (stack_end_ != 0) return;
  Z_quickjs_instance_t* const it = &wasm_->it;
  if (has_small_stacks()) {
    Z_quickjsZ_qjs_set_max_stack_size(it, kSmallStack);
    return;
  }
  stack_end_ = memory_size();
  grow(it->w2c_memory, stack_end_ + kWorldsStack);
  it->w2c___stack_pointer = stack_end_ + kWorldsStack;
  Z_quickjsZ_JS_UpdateStackTop(it, runtime_);
  Z_quickjsZ_qjs_set_max_stack_size(it, kWorldsStack - kHostsPart);
}

bool Instance::is_on_stack(std::uint32_t frame) const {
  return stack_end_ == 0 ? frame < kOwnStack : frame >= stack_end_ && frame < stack_end_ + kWorldsStack;
}

struct Instance::Pool {
  std::unique_ptr<Wasm> wasm;        // null: in use, or there was none yet
  std::unique_ptr<ReusedCopy> copy;  // of its memory, as the last world left it; null: what is saved is not yet there
  std::optional<Registers> place;    // where the next one may go on, in that memory

  Pool() = default;
  ~Pool() { drop(); }
  void drop() {
    if (wasm != nullptr) Z_quickjs_free(&wasm->it);
    wasm = nullptr;
    copy = nullptr;
    place.reset();
  }
  void forget_place() {
    if (copy != nullptr) copy->forget();
    place.reset();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
};

std::shared_ptr<Instance::Pool> Instance::make_pool() { return std::make_shared<Pool>(); }

Instance::Instance(Host& host, const Saved& saved, std::shared_ptr<Pool> pool, bool goes_on)
    : host_(host), pool_(std::move(pool)) {
  if (!goes_on || !pool_->place) pool_->forget_place();
  if (pool_->wasm != nullptr && (pool_->copy == nullptr || pool_->copy->restore())) {
    wasm_ = std::move(pool_->wasm);
    copy_ = std::move(pool_->copy);
    is_reused_ = true;
    connect();
  } else {
    pool_->drop();
    instantiate();
    grow(wasm_->it.w2c_memory, saved.registers.memory_size);
  }
  if (copy_ == nullptr) copy_ = std::make_unique<ReusedCopy>(saved.memory, wasm_->it.w2c_memory.data);
  size_at_start_ = memory_size();
  went_on_ = pool_->place.has_value();
  take_registers(went_on_ ? *pool_->place : saved.registers);
}

bool Instance::keep_here() {
  if (!is_reused_ || memory_size() != size_at_start_ || !copy_->keep()) return false;
  pool_->place = registers();
  return true;
}

// What it has written is taken back when there is a next one.
Instance::~Instance() {
  const bool is_as_large = pool_ != nullptr && memory_size() == size_at_start_;
  if (is_as_large && pool_->wasm == nullptr) {
    pool_->wasm = std::move(wasm_);
    pool_->copy = std::move(copy_);
  } else {
    if (copy_ != nullptr) pool_->place.reset();
    Z_quickjs_free(&wasm_->it);
  }
}

Instance::Registers Instance::registers() const {
  if (function_classes_.size() > Registers::kMostClasses) std::abort();  // another QuickJS: make_snapshot ends here
  Registers registers = {memory_size(),
                         wasm_->it.w2c___stack_pointer,
                         runtime_,
                         context_,
                         host_class_,
                         wrapped_,
                         static_cast<std::uint32_t>(function_classes_.size()),
                         stack_end_,
                         {},
                         jumps_before_,
                         errors_};
  std::ranges::copy(function_classes_, registers.function_classes.begin());
  return registers;
}

std::span<const std::uint8_t> Instance::bytes() const { return {wasm_->it.w2c_memory.data, memory_size()}; }

Instance::Saved Instance::save() const { return {registers(), Image::copy_of(bytes())}; }

Instance::Saved Instance::save_changes(const Saved& start) const {
  return {registers(), Image::changed(start.memory, bytes())};
}

void Instance::give_to(std::shared_ptr<Pool> pool) {
  pool_ = std::move(pool);
  size_at_start_ = memory_size();
}

std::uint8_t* Instance::memory() { return wasm_->it.w2c_memory.data; }
std::uint32_t Instance::memory_size() const { return wasm_->it.w2c_memory.size; }
std::uint32_t Instance::size_of_heap() const { return memory_size() - (stack_end_ == 0 ? 0 : kWorldsStack); }

std::uint64_t Instance::jumps() {
  const auto left = load<std::int32_t>(*this, context_ + layout::context::interrupt_counter);
  return jumps_before_ + static_cast<std::uint64_t>(layout::context::interrupt_every - left);
}

// The counter of calls and loops has just begun again; that of a regular expression is its own.
void Instance::count_interrupt() {
  jumps_before_ += static_cast<std::uint64_t>(layout::context::interrupt_every);
  if (static_cast<std::int32_t>(wasm_->it.w2c_work_left) < 0) worked();  // by functions without a loop
}

void Instance::collect_garbage(std::uint32_t room) {
  Z_quickjsZ_JS_RunGC(&wasm_->it, runtime_);
  Z_quickjsZ_JS_SetGCThreshold(&wasm_->it, runtime_, size_of_heap() + room);
}

void Instance::count_work() {
  wasm_->it.w2c_work_left = kPortionOfWork;
  free_portions_ = kFreePortions;
}

void Instance::count_compiling() {
  wasm_->it.w2c_work_left = kMostToCompile;
  free_portions_ = 0;
}

void Instance::worked() {
  const auto below =
      static_cast<std::uint32_t>(-static_cast<std::int64_t>(static_cast<std::int32_t>(wasm_->it.w2c_work_left)));
  const std::uint32_t portions = below / kPortionOfWork + 1;
  wasm_->it.w2c_work_left += portions * kPortionOfWork;
  const std::uint32_t free = std::min(portions, free_portions_);
  free_portions_ -= free;
  if (portions == free || host_.works(portions - free)) return;
  // The next jump or call asks Host::interrupt().
  constexpr std::int32_t kNext = 1;
  std::memcpy(memory() + context_ + layout::context::interrupt_counter, &kNext, sizeof kNext);
  if (++after_stop_ <= kMostAfterStop || calls_ == 0 || frees_ != 0) return;
  host_.stops_at_work();
  stop_at_once();
}

void Instance::restart_counting() {
  jumps_before_ = 0;
  std::memcpy(memory() + context_ + layout::context::interrupt_counter, &layout::context::interrupt_every,
              sizeof layout::context::interrupt_every);
}

// A copy of the text in the linear memory, with a zero behind it. The caller frees it.
std::uint32_t Instance::copy_in(std::string_view text) {
  const std::uint32_t pointer = Z_quickjsZ_malloc(&wasm_->it, static_cast<std::uint32_t>(text.size()) + 1);
  if (pointer == 0) fail_without_memory();
  if (!text.empty()) std::memcpy(memory() + pointer, text.data(), text.size());
  memory()[pointer + text.size()] = 0;
  return pointer;
}

// ---- values -----------------------------------------------------------------------------------------------------------

Js Instance::dup(Js value) {
  if (is_counted(value)) Z_quickjsZ_JS_DupValue(&wasm_->it, context_, value);
  return value;
}

void Instance::free(Js value) {
  if (!is_counted(value) || is_lost_) return;
  ++frees_;  // a destructor may have called this
  Z_quickjsZ_JS_FreeValue(&wasm_->it, context_, value);
  --frees_;
}

Owned Instance::make_number(double number) { return Z_quickjsZ_JS_NewNumber(&wasm_->it, context_, number); }

Owned Instance::make_string(std::string_view utf8) {
  const std::uint32_t text = copy_in(utf8);
  const Js value = Z_quickjsZ_JS_NewStringLen(&wasm_->it, context_, text, static_cast<std::uint32_t>(utf8.size()));
  Z_quickjsZ_free(&wasm_->it, text);
  return value;
}

Owned Instance::make_buffer(std::string_view bytes) {
  const std::uint32_t copy = copy_in(bytes);
  const Js value =
      Z_quickjsZ_JS_NewArrayBufferCopy(&wasm_->it, context_, copy, static_cast<std::uint32_t>(bytes.size()));
  Z_quickjsZ_free(&wasm_->it, copy);
  return value;
}

Owned Instance::make_object() { return Z_quickjsZ_JS_NewObject(&wasm_->it, context_); }

Owned Instance::make_array(std::span<const Js> items) {
  constexpr std::uint32_t kPlain = 7;  // JS_PROP_C_W_E
  const Js array = Z_quickjsZ_JS_NewArray(&wasm_->it, context_);
  for (std::size_t i = 0; i < items.size(); ++i)
    Z_quickjsZ_JS_DefinePropertyValueUint32(&wasm_->it, context_, array, static_cast<std::uint32_t>(i), dup(items[i]),
                                            kPlain);
  return array;
}

Owned Instance::make_error(std::string_view constructor, std::string_view message) {
  const auto found = std::ranges::find(kErrorNames, constructor);
  if (found == kErrorNames.end()) std::abort();  // no error of ours
  const Js text[] = {make_string(message)};
  const Js error = construct(errors_[static_cast<std::size_t>(found - kErrorNames.begin())], text);
  free(text[0]);
  return error;
}

Owned Instance::make_host_object(std::uint32_t opaque, Js prototype) {
  const Js object = Z_quickjsZ_JS_NewObjectProtoClass(&wasm_->it, context_, prototype, host_class_);
  Z_quickjsZ_JS_SetOpaque(&wasm_->it, object, opaque + 1);  // 0 is none
  return object;
}

bool Instance::host_object(Js value, std::uint32_t& opaque) {
  if (!is_object(value)) return false;
  const std::uint32_t number = Z_quickjsZ_JS_GetOpaque(&wasm_->it, value, host_class_);
  opaque = number - 1;
  return number != 0;
}

Owned Instance::make_function(std::string_view name, int length, std::uint32_t function) {
  constexpr std::uint32_t kGenericMagic = 1;  // JS_CFUNC_generic_magic
  const std::uint32_t text = copy_in(name);
  const Js value = Z_quickjsZ_JS_NewCFunction2(&wasm_->it, context_, wasm_->first_own + kCallHost, text,
                                               static_cast<std::uint32_t>(length), kGenericMagic, function);
  Z_quickjsZ_free(&wasm_->it, text);
  return value;
}

std::string Instance::to_text(Js value) {
  const Arguments size(*this, std::span<const Js>(&kUndefined, 1));
  const std::uint32_t text = Z_quickjsZ_JS_ToCStringLen2(&wasm_->it, context_, size.pointer(), value, 0);
  if (text == 0) {
    free(take_exception());
    return "<exception>";
  }
  const auto length = load<std::uint32_t>(*this, size.pointer());
  std::string result(reinterpret_cast<const char*>(memory() + text), length);
  Z_quickjsZ_JS_FreeCString(&wasm_->it, context_, text);
  replace_lone_surrogates(result);
  return result;
}

std::string Instance::bytes_of(Js array) {
  const Arguments size(*this, std::span<const Js>(&kUndefined, 1));
  const std::uint32_t bytes = Z_quickjsZ_JS_GetUint8Array(&wasm_->it, context_, size.pointer(), array);
  if (bytes == 0) {
    free(take_exception());
    return {};
  }
  return std::string(reinterpret_cast<const char*>(memory() + bytes), load<std::uint32_t>(*this, size.pointer()));
}

bool Instance::to_boolean(Js value) { return Z_quickjsZ_JS_ToBool(&wasm_->it, context_, value) == 1; }

double Instance::to_number(Js value) {
  if (is_number(value)) return number_of(value);
  const Arguments result(*this, std::span<const Js>(&kUndefined, 1));
  if (Z_quickjsZ_JS_ToFloat64(&wasm_->it, context_, result.pointer(), value) != 0) {
    free(take_exception());
    return std::numeric_limits<double>::quiet_NaN();
  }
  return load<double>(*this, result.pointer());
}

bool Instance::is_function(Js value) { return Z_quickjsZ_JS_IsFunction(&wasm_->it, context_, value) != 0; }
bool Instance::is_plain_function(Js value) {
  return is_object(value) && is_function(value) &&
         std::ranges::find(function_classes_, Z_quickjsZ_JS_GetClassID(&wasm_->it, value)) != function_classes_.end();
}

bool Instance::has_bytecode(Js value) {
  constexpr std::ptrdiff_t kWithBytecode = 4;
  if (!is_object(value)) return false;
  const std::uint32_t id = Z_quickjsZ_JS_GetClassID(&wasm_->it, value);
  const auto first = function_classes_.begin();
  return std::find(first, first + kWithBytecode, id) != first + kWithBytecode;
}

std::string Instance::text_of_atom(std::uint32_t atom) {
  const Js value = Z_quickjsZ_JS_AtomToString(&wasm_->it, context_, atom);
  std::string text = to_text(value);
  free(value);
  return text;
}

bool Instance::is_of_library(Js function) {
  if (!has_bytecode(function)) return false;
  const auto bytecode = load<std::uint32_t>(*this, pointer_of(function) + layout::object::data);
  return text_of_atom(load<std::uint32_t>(*this, bytecode + layout::bytecode::file)).starts_with("node:");
}

Owned Instance::make_private_symbol(std::string_view description) {
  const std::uint32_t copy = copy_in(description);
  const Js symbol = Z_quickjsZ_JS_NewPrivateSymbol(&wasm_->it, context_, copy);
  Z_quickjsZ_free(&wasm_->it, copy);
  return symbol;
}

std::uint32_t Instance::atom_of(Js key) { return Z_quickjsZ_JS_ValueToAtom(&wasm_->it, context_, key); }

void Instance::set_originals(std::span<const std::uint32_t> table) {
  const std::uint32_t copy = Z_quickjsZ_malloc(&wasm_->it, static_cast<std::uint32_t>(table.size_bytes()));
  if (copy == 0) fail_without_memory();
  std::memcpy(memory() + copy, table.data(), table.size_bytes());
  Z_quickjsZ_JS_SetContextOpaque(&wasm_->it, context_, copy);
}

Owned Instance::value_of_atom(std::uint32_t atom) {
  return atom == 0 ? kUndefined : Z_quickjsZ_JS_AtomToValue(&wasm_->it, context_, atom);
}

std::uint32_t Instance::atom(std::string_view text) {
  const std::uint32_t copy = copy_in(text);
  const std::uint32_t atom =
      Z_quickjsZ_JS_NewAtomLen(&wasm_->it, context_, copy, static_cast<std::uint32_t>(text.size()));
  Z_quickjsZ_free(&wasm_->it, copy);
  return atom;
}

bool Instance::is_error(Js value) { return is_object(value) && Z_quickjsZ_JS_IsError(&wasm_->it, value) != 0; }

std::uint32_t Instance::class_id(Js object) { return Z_quickjsZ_JS_GetClassID(&wasm_->it, object); }
int Instance::promise_state(Js value) {
  return static_cast<int>(Z_quickjsZ_JS_PromiseState(&wasm_->it, context_, value));
}
Owned Instance::promise_result(Js promise) { return Z_quickjsZ_JS_PromiseResult(&wasm_->it, context_, promise); }
bool Instance::is_proxy(Js value) { return is_object(value) && Z_quickjsZ_JS_IsProxy(&wasm_->it, value) != 0; }
Owned Instance::proxy_target(Js proxy) { return Z_quickjsZ_JS_GetProxyTarget(&wasm_->it, context_, proxy); }
Owned Instance::proxy_handler(Js proxy) { return Z_quickjsZ_JS_GetProxyHandler(&wasm_->it, context_, proxy); }

Owned Instance::get(Js object, std::string_view key) {
  const std::uint32_t text = copy_in(key);
  const Js value = Z_quickjsZ_JS_GetPropertyStr(&wasm_->it, context_, object, text);
  Z_quickjsZ_free(&wasm_->it, text);
  return value;
}

void Instance::set(Js object, std::string_view key, Owned value) {
  constexpr std::uint32_t kPlain = 7;  // JS_PROP_C_W_E
  const std::uint32_t text = copy_in(key);
  Z_quickjsZ_JS_DefinePropertyValueStr(&wasm_->it, context_, object, text, value, kPlain);
  Z_quickjsZ_free(&wasm_->it, text);
}

void Instance::assign(Js object, std::string_view key, Owned value) {
  const std::uint32_t text = copy_in(key);
  Z_quickjsZ_JS_SetPropertyStr(&wasm_->it, context_, object, text, value);
  Z_quickjsZ_free(&wasm_->it, text);
}

Owned Instance::item(Js array, std::uint32_t index) {
  return Z_quickjsZ_JS_GetPropertyUint32(&wasm_->it, context_, array, index);
}

std::optional<std::vector<Js>> Instance::elements_of(Js array) {
  if (!is_object(array) || static_cast<layout::Class>(class_id(array)) != layout::Class::array) return std::nullopt;
  const std::uint32_t object = pointer_of(array);
  if ((load<std::uint8_t>(*this, object + layout::object::flags) & layout::object::is_fast_array) == 0)
    return std::nullopt;
  std::vector<Js> elements(load<std::uint32_t>(*this, object + layout::object::count));
  if (!elements.empty())
    std::memcpy(elements.data(), memory() + load<std::uint32_t>(*this, object + layout::object::second),
                elements.size() * sizeof(Js));
  for (const Js element : elements) dup(element);
  return elements;
}

std::string Instance::text_of(Js object, std::string_view key) {
  const Js value = get(object, key);
  if (value == kException) {
    free(take_exception());
    return {};
  }
  std::string text = to_text(value);
  free(value);
  return text;
}

// Nothing here runs code of the program: its getters and Proxies are left alone.
std::optional<Owned> Instance::data_of(Js object, std::string_view key) {
  const Uncounted uncounted(*this);
  constexpr int kMostPrototypes = 16;
  constexpr std::uint32_t kGetSet = 1U << 4U;  // JS_PROP_GETSET
  const std::uint32_t name = atom(key);
  std::optional<Owned> found;
  Js at = dup(object);
  for (int i = 0; i < kMostPrototypes && is_object(at) && !is_proxy(at); ++i) {
    const Arguments descriptor(*this, std::array<Js, 4>{0, 0, 0, 0});  // JSPropertyDescriptor
    const u32 has = Z_quickjsZ_JS_GetOwnProperty(&wasm_->it, context_, descriptor.pointer(), at, name);
    if (static_cast<s32>(has) < 0) free(take_exception());
    if (static_cast<s32>(has) > 0) {
      const auto at_place = [&](std::uint32_t index) {
        return load<Js>(*this, descriptor.pointer() + index * static_cast<std::uint32_t>(sizeof(Js)));
      };
      const Js value = at_place(1), getter = at_place(2), setter = at_place(3);
      if ((load<std::uint32_t>(*this, descriptor.pointer()) & kGetSet) == 0) {
        found = dup(value);
      } else if (is_of_library(getter)) {
        const auto counter = load<std::int32_t>(*this, context_ + layout::context::interrupt_counter);
        found = call(getter, object, {});
        std::memcpy(memory() + context_ + layout::context::interrupt_counter, &counter, sizeof counter);
        if (*found == kException) {
          free(take_exception());
          found.reset();
        }
      }
      for (const Js part : {value, getter, setter}) free(part);
      break;
    }
    free(std::exchange(at, Z_quickjsZ_JS_GetPrototype(&wasm_->it, context_, at)));
  }
  free(at);
  Z_quickjsZ_JS_FreeAtom(&wasm_->it, context_, name);
  return found;
}

std::string Instance::own_name(Js function) {
  const Uncounted uncounted(*this);
  const std::optional<Owned> name = data_of(function, "name");
  if (!name) return {};
  std::string text = is_string(*name) ? to_text(*name) : std::string();
  free(*name);
  return text;
}

bool Instance::is_bare(Js object, std::uint32_t prototype) {
  const auto shape = load<std::uint32_t>(*this, pointer_of(object) + layout::object::shape);
  return load<std::uint32_t>(*this, shape + layout::shape::count) == 0 &&
         load<std::uint32_t>(*this, shape + layout::shape::prototype) == prototype;
}

std::string Instance::describe(Js value) {
  const Uncounted uncounted(*this);
  if (tag_of(value) == JsTag::symbol) {
    const std::uint32_t atom = Z_quickjsZ_JS_ValueToAtom(&wasm_->it, context_, value);
    const Js description = Z_quickjsZ_JS_AtomToString(&wasm_->it, context_, atom);
    std::string text = "Symbol(" + to_text(description) + ")";
    free(description);
    Z_quickjsZ_JS_FreeAtom(&wasm_->it, context_, atom);
    return text;
  }
  if (!is_object(value)) return to_text(value);
  if (is_proxy(value)) return "a Proxy";
  if (is_function(value)) {
    const std::string name = own_name(value);
    return name.empty() ? "a function" : "function " + name;
  }
  const auto text_of_data = [&](std::string_view key) {
    const std::optional<Owned> data = data_of(value, key);
    std::string text = data && !is_object(*data) ? describe(*data) : std::string();
    if (data) free(*data);
    return text;
  };
  if (is_error(value)) {
    const std::string message = text_of_data("message");
    std::string name = text_of_data("name");
    if (name.empty()) name = "Error";
    return message.empty() ? name : name + ": " + message;
  }
  if (Z_quickjsZ_JS_IsArray(&wasm_->it, value) != 0) return "an array of " + text_of_data("length");
  const std::optional<Owned> constructor = data_of(value, "constructor");
  const std::string kind = constructor && is_object(*constructor) ? own_name(*constructor) : std::string();
  if (constructor) free(*constructor);
  return "#<" + (kind.empty() ? "Object" : kind) + ">";
}

Owned Instance::global() { return Z_quickjsZ_JS_GetGlobalObject(&wasm_->it, context_); }

// ---- running ------------------------------------------------------------------------------------------------------------

Owned Instance::call(Js function, Js this_value, std::span<const Js> arguments) {
  const Running running(*this);
  const Arguments values(*this, arguments);
  return Z_quickjsZ_JS_Call(&wasm_->it, context_, function, this_value, static_cast<std::uint32_t>(arguments.size()),
                            values.pointer());
}

Owned Instance::construct(Js constructor, std::span<const Js> arguments) {
  const Running running(*this);
  const Arguments values(*this, arguments);
  return Z_quickjsZ_JS_CallConstructor(&wasm_->it, context_, constructor, static_cast<std::uint32_t>(arguments.size()),
                                       values.pointer());
}

Owned Instance::evaluate(std::string_view source, const std::string& file) { return evaluate(source, file, 0); }
Owned Instance::evaluate_module(std::string_view source, const std::string& file) { return evaluate(source, file, 1); }

std::optional<std::vector<std::uint8_t>> Instance::compile(std::string_view source, const std::string& file) {
  constexpr std::uint32_t kCompileOnly = 1U << 5U;                        // JS_EVAL_FLAG_COMPILE_ONLY
  constexpr std::uint32_t kBytecode = 1U << 0U, kStripSource = 1U << 4U;  // JS_WRITE_OBJ_BYTECODE, ..._STRIP_SOURCE
  const Js code = evaluate(source, file, kCompileOnly);
  if (code == kException) return {};
  const Arguments size_at(*this, std::array<Js, 1>{0});
  const std::uint32_t at =
      Z_quickjsZ_JS_WriteObject(&wasm_->it, context_, size_at.pointer(), code, kBytecode | kStripSource);
  free(code);
  if (at == 0) return {};
  const auto size = load<std::uint32_t>(*this, size_at.pointer());
  const std::uint8_t* const begin = memory() + at;
  std::vector<std::uint8_t> bytes(begin, begin + size);
  Z_quickjsZ_js_free(&wasm_->it, context_, at);
  return bytes;
}

Owned Instance::evaluate_compiled(std::span<const std::uint8_t> code) {
  constexpr std::uint32_t kBytecode = 1U << 0U;  // JS_READ_OBJ_BYTECODE
  const Running running(*this);
  const std::uint32_t at = copy_in({reinterpret_cast<const char*>(code.data()), code.size()});
  const Js script =
      Z_quickjsZ_JS_ReadObject(&wasm_->it, context_, at, static_cast<std::uint32_t>(code.size()), kBytecode);
  Z_quickjsZ_free(&wasm_->it, at);
  if (script == kException) return script;
  return Z_quickjsZ_JS_EvalFunction(&wasm_->it, context_, script);  // which takes it over
}

Instance::PromiseState Instance::state_of(Js promise) {
  return static_cast<PromiseState>(Z_quickjsZ_JS_PromiseState(&wasm_->it, context_, promise));
}
Owned Instance::result_of(Js promise) { return Z_quickjsZ_JS_PromiseResult(&wasm_->it, context_, promise); }

// `flags`: JS_EVAL_TYPE_... of quickjs.h.
Owned Instance::evaluate(std::string_view source, const std::string& file, std::uint32_t flags) {
  const Running running(*this);
  const std::uint32_t code = copy_in(source);
  const std::uint32_t name = copy_in(file);
  const Arguments none(*this, {});
  const Js value =
      Z_quickjsZ_JS_Eval(&wasm_->it, context_, code, static_cast<std::uint32_t>(source.size()), name, flags);
  Z_quickjsZ_free(&wasm_->it, name);
  Z_quickjsZ_free(&wasm_->it, code);
  return value;
}

// JSJobFunc: (context, argc, argv).
Owned Instance::run_job(std::uint32_t job_function, std::span<const Js> arguments) {
  const Running running(*this);
  using Job = u64 (*)(Z_quickjs_instance_t*, u32, u32, u32);
  const wasm_rt_funcref_table_t& table = wasm_->it.w2c___indirect_function_table;
  const Arguments values(*this, arguments);
  return reinterpret_cast<Job>(table.data[job_function].func)(
      &wasm_->it, context_, static_cast<std::uint32_t>(arguments.size()), values.pointer());
}

void Instance::tell_promises(bool tells) {
  tells_promises_ = tells;
  Z_quickjsZ_JS_SetPromiseHook(&wasm_->it, runtime_, tells ? wasm_->first_own + kPromiseHook : 0, 0);
}

Owned Instance::make_promise() {
  const bool tells = tells_promises_;
  const Arguments functions(*this, std::array<Js, 2>{kUndefined, kUndefined});
  tell_promises(false);
  const Js promise = Z_quickjsZ_JS_NewPromiseCapability(&wasm_->it, context_, functions.pointer());
  tell_promises(tells);
  for (const std::uint32_t i : {0U, 1U}) free(load<Js>(*this, functions.pointer() + i * std::uint32_t{sizeof(Js)}));
  return promise;
}

Js Instance::promise_settled_by(Js function) {
  if (!is_object(function)) return kUndefined;
  const auto kind = static_cast<layout::Class>(class_id(function));
  if (kind != layout::Class::resolve_function && kind != layout::Class::reject_function) return kUndefined;
  const auto data = load<std::uint32_t>(*this, pointer_of(function) + layout::object::data);
  return data == 0 ? kUndefined : load<Js>(*this, data + layout::resolving_function::promise);
}

Js Instance::promise_of_resumed(Js handler) {
  if (!is_object(handler)) return kUndefined;
  const auto kind = static_cast<layout::Class>(class_id(handler));
  const auto data = load<std::uint32_t>(*this, pointer_of(handler) + layout::object::data);
  if (kind == layout::Class::async_function_resolve || kind == layout::Class::async_function_reject)
    return promise_settled_by(load<Js>(*this, data + layout::async_function::settles));
  if (kind != layout::Class::c_function_data) return kUndefined;
  const Js generator = load<Js>(*this, data + layout::function_with_data::data);
  if (!is_object(generator) || static_cast<layout::Class>(class_id(generator)) != layout::Class::async_generator)
    return kUndefined;
  const auto state = load<std::uint32_t>(*this, pointer_of(generator) + layout::object::data);
  const auto request = load<std::uint32_t>(*this, state + layout::async_generator::first_request);
  const bool is_empty = request == state + layout::async_generator::first_request - sizeof(std::uint32_t);
  return is_empty ? kUndefined : load<Js>(*this, request + layout::async_generator::request_promise);
}

Js Instance::throw_value(Owned value) { return Z_quickjsZ_JS_Throw(&wasm_->it, context_, value); }

Js Instance::throw_error(std::string_view constructor, std::string_view message) {
  return throw_value(make_error(constructor, message));
}

Js Instance::throw_stop() {
  const Js error = make_error("Error", "stopped");
  Z_quickjsZ_JS_SetUncatchableError(&wasm_->it, context_, error);
  return throw_value(error);
}

std::uint32_t Instance::copy_out(const std::optional<std::string>& text, std::uint32_t length_at) {
  if (!text) return 0;
  const std::uint32_t pointer = copy_in(*text);
  const auto length = static_cast<std::uint32_t>(text->size());
  if (length_at != 0) std::memcpy(memory() + length_at, &length, sizeof length);
  return pointer;
}

// new Promise((resolve) => resolve(value)), without the executor.
std::uint32_t Instance::wrap(Js value) { return settled(value, false); }

std::uint32_t Instance::reject_thrown() {
  const Owned error = take_exception();
  if (Z_quickjsZ_JS_IsUncatchableError(&wasm_->it, error) != 0) {
    throw_value(error);
    return 0;
  }
  const std::uint32_t promise = settled(error, true);
  free(error);
  return promise;
}

std::uint32_t Instance::settled(Js value, bool is_rejected) {
  Z_quickjs_instance_t* const it = &wasm_->it;
  const Arguments functions(*this, std::array<Js, 2>{kUndefined, kUndefined});
  const Js promise = Z_quickjsZ_JS_NewPromiseCapability(it, context_, functions.pointer());
  const std::array<Js, 2> made = {load<Js>(*this, functions.pointer()),
                                  load<Js>(*this, functions.pointer() + sizeof(Js))};
  free(call(made[is_rejected ? 1 : 0], kUndefined, std::span<const Js>(&value, 1)));
  for (const Js function : made) free(function);
  if (wrapped_ == 0) wrapped_ = Z_quickjsZ_malloc(it, sizeof(Js));
  std::memcpy(memory() + wrapped_, &promise, sizeof promise);
  return wrapped_;
}

void Instance::report_rejection(std::uint32_t promise, std::uint32_t reason, bool is_handled) {
  host_.rejection(load<Js>(*this, promise), load<Js>(*this, reason), is_handled);
  Z_quickjsZ_qjs_free_value(&wasm_->it, promise);
  Z_quickjsZ_qjs_free_value(&wasm_->it, reason);
}

// `labels`: the interpreter's table, by instruction. From the first statement that the host wants to know of, all of its
// entries are `stop`.
std::uint32_t Instance::statement(std::uint32_t parser, std::uint32_t labels, std::uint32_t stop) {
  if (labels != 0) interpreter_ = {labels, stop};
  const std::uint32_t number = host_.statement(parser, labels != 0);
  if (labels != 0 && watches_disposals_ && disposals_ == nullptr) {
    disposals_ = std::make_unique<Disposals>(*this);
    tell_disposals();
  }
  if (number != 0 && !tells_all_) tell_instructions();
  return number;
}

void Instance::take_labels() {
  if (!labels_.empty()) return;
  labels_.resize(256);
  std::memcpy(labels_.data(), memory() + interpreter_.labels, labels_.size() * sizeof(std::uint32_t));
}

void Instance::tell_instructions() {
  take_labels();
  const auto [labels, stop] = interpreter_;
  for (std::uint32_t i = 0; i < labels_.size(); ++i)
    std::memcpy(memory() + labels + i * sizeof stop, &stop, sizeof stop);
  tells_all_ = true;
}

void Instance::tell_disposals() {
  take_labels();
  for (const layout::Op op : {layout::Op::using_check, layout::Op::using_dispose_async, layout::Op::await})
    stop_at(op, true);
}

void Instance::stop_at(layout::Op op, bool stops) {
  if (tells_all_) return;
  const auto i = static_cast<std::uint8_t>(op);
  const std::uint32_t label = stops ? interpreter_.stop : labels_[i];
  std::memcpy(memory() + interpreter_.labels + i * sizeof label, &label, sizeof label);
}

bool Instance::watch_instructions() {
  if (tells_all_) return true;
  if (interpreter_.labels == 0) return false;
  tell_instructions();
  return is_watched_ = true;
}

void Instance::stop_watching() {
  if (std::exchange(is_watched_, false)) {
    std::memcpy(memory() + interpreter_.labels, labels_.data(), labels_.size() * sizeof(std::uint32_t));
    tells_all_ = false;
    if (disposals_ != nullptr) tell_disposals();
  }
  constexpr std::int32_t kNext = 1;
  std::memcpy(memory() + context_ + layout::context::interrupt_counter, &kNext, sizeof kNext);
}

Owned Instance::make_suppressed(std::span<const Js> both) {
  const Js world = global();
  const Js constructor = get(world, "SuppressedError");
  const Js text[] = {both[0], both[1], make_string("An error was suppressed during disposal")};
  const Js error = construct(constructor, text);
  free(text[2]);
  free(constructor);
  free(world);
  return error == kException ? take_exception() : error;
}

// js_async_from_sync_iterator_next() has `method` (0: next, 1: return, 2: throw) of the iterator at `iterator` fail: whether
// that closes it. With a `handler`, where its result will not: what is done where its value is rejected.
bool Instance::failed_sync_iterator(std::uint32_t handler, std::uint32_t method, std::uint32_t iterator, bool is_done) {
  constexpr std::uint32_t kReturn = 1;
  const bool closes = method != kReturn && !is_done && host_.closes_sync_iterators();
  if (handler == 0 || !closes) return closes;
  const Js function =
      Z_quickjsZ_JS_NewCFunctionData(&wasm_->it, context_, wasm_->first_own + kPassRejection, 1, 0, 1, iterator);
  std::memcpy(memory() + handler, &function, sizeof function);
  return closes;
}

void Instance::close_iterator(Js iterator) {
  const Js method = get(iterator, "return");
  const Js result = is_function(method) ? call(method, iterator, {}) : method == kException ? kException : kUndefined;
  if (result == kException) free(take_exception());
  free(result);
  free(method);
}

std::uint32_t Instance::instruction(std::uint32_t pc, std::uint32_t sp) {
  if (tells_all_) host_.instruction(pc, sp);
  return labels_[disposals_ != nullptr ? static_cast<std::uint8_t>(disposals_->instruction(pc, sp)) : memory()[pc]];
}

Owned Instance::take_exception() { return Z_quickjsZ_JS_GetException(&wasm_->it, context_); }

}  // namespace loopsim::quickjs

// ---- what quickjs.wasm imports ----------------------------------------------------------------------------------------------

using loopsim::quickjs::Instance;
using loopsim::quickjs::Js;

extern "C" {

u32 Z_envZ_host_call(Z_env_instance_t* env, u32 what, u32 a, u32 b, u32 c, u32 d) {
  Instance& instance = *env->instance;
  using namespace loopsim::quickjs;
  if (what == kInstruction) {
    return instance.instruction(a, b);
  } else if (what == kPosition) {
    return instance.host().position(a, b, c);
  } else if (what == kStatement) {
    return instance.statement(a, b, c);
  } else if (what == kEnqueued) {
    instance.host().enqueue_job(a, ValuesAt(instance, c, b));
  } else if (what == kThen) {
    ValuesAt handlers(instance, b, 2), capability(instance, c, 2);
    instance.host().reacts(make_js(JsTag::object, static_cast<std::int32_t>(a)), handlers[0], handlers[1],
                           capability[0]);
  } else if (what == kSettled) {
    instance.host().settles(make_js(JsTag::object, static_cast<std::int32_t>(a)), b != 0, std::uint64_t{d} << 32U | c);
  } else if (what == kClose) {
    return instance.failed_sync_iterator(a, b, c, d != 0) ? 1 : 0;
  } else if (what == kYieldStar) {
    return instance.host().yield_star_awaits() ? 1 : 0;
  } else if (what == kAgain) {
    instance.host().resolves_again(make_js(JsTag::object, static_cast<std::int32_t>(a)), b != 0,
                                   static_cast<std::int32_t>(c) > 0 ? load<Js>(instance, d) : kUndefined);
  } else if (what == kEndAwaits) {
    return instance.host().end_awaits() ? 1 : 0;
  } else if (what == kOwnFirst) {
    return instance.host().rejects_importers_last() ? 1 : 0;
  } else if (what == kDisposeFailed) {
    return instance.reject_thrown();
  } else if (what == kWorked) {
    instance.worked();
  } else if (what == kFailed) {
    instance.note_failed(std::uint64_t{b} << 32U | a, c, d);
  } else if (what == kReturned) {
    instance.note_returned(std::uint64_t{b} << 32U | a);
  } else if (what == kAwait) {
    const Js value = load<Js>(instance, a);
    return instance.host().await_wraps(value) ? instance.wrap(value) : 0;
  }
  return 0;
}

u32 Z_envZ_host_get_timezone_offset(Z_env_instance_t* /*env*/, u32 /*high*/, u32 /*low*/) { return 0; }
u32 Z_envZ_host_interrupt(Z_env_instance_t* env) { return env->instance->host().interrupt() ? 1 : 0; }

// Both values are in cells of their own, which are the callee's.
void Z_envZ_host_promise_rejection(Z_env_instance_t* env, u32 promise, u32 reason, u32 is_handled) {
  Instance& instance = *env->instance;
  instance.report_rejection(promise, reason, is_handled != 0);
}

u32 Z_envZ_host_module_load(Z_env_instance_t* env, u32 name, u32 length) {
  Instance& instance = *env->instance;
  const std::string text = reinterpret_cast<const char*>(instance.memory() + name);
  return instance.copy_out(instance.host().load_module(text), length);
}

u32 Z_envZ_host_module_normalize(Z_env_instance_t* env, u32 base, u32 name) {
  Instance& instance = *env->instance;
  const std::string from = reinterpret_cast<const char*>(instance.memory() + base);
  const std::string text = reinterpret_cast<const char*>(instance.memory() + name);
  return instance.copy_out(instance.host().normalize_module(from, text), 0);
}

u32 Z_wasi_snapshot_preview1Z_clock_time_get(Z_wasi_snapshot_preview1_instance_t* wasi, u32 clock, u64 /*precision*/,
                                             u32 result) {
  const std::int64_t time = wasi->instance->host().read_clock(clock != 0);
  std::memcpy(wasi->instance->memory() + result, &time, sizeof time);
  return 0;
}

u32 Z_wasi_snapshot_preview1Z_random_get(Z_wasi_snapshot_preview1_instance_t* wasi, u32 buffer, u32 size) {
  wasi->instance->host().random({wasi->instance->memory() + buffer, size});
  return 0;
}

// Nothing is written: QuickJS has no files here, and no standard output.
u32 Z_wasi_snapshot_preview1Z_fd_close(Z_wasi_snapshot_preview1_instance_t* /*wasi*/, u32 /*fd*/) { return 8; }
u32 Z_wasi_snapshot_preview1Z_fd_fdstat_get(Z_wasi_snapshot_preview1_instance_t* /*wasi*/, u32 /*fd*/, u32 /*out*/) {
  return 8;
}
u32 Z_wasi_snapshot_preview1Z_fd_seek(Z_wasi_snapshot_preview1_instance_t* /*wasi*/, u32 /*fd*/, u64 /*offset*/,
                                      u32 /*whence*/, u32 /*out*/) {
  return 8;
}
u32 Z_wasi_snapshot_preview1Z_fd_write(Z_wasi_snapshot_preview1_instance_t* /*wasi*/, u32 /*fd*/, u32 /*vectors*/,
                                       u32 /*count*/, u32 /*out*/) {
  return 8;
}

}  // extern "C"
