// A simulated Node process whose program is C++ functions instead of a scenario. All else is as in a scenario's run:
// the version, the machine, the order, the times and the trace.
//
//     loopsim::Process process({.runtime = "node-22"});
//     process.run([&] {
//       process.set_timeout(100ms, [&] { std::cout << process.now() << '\n'; }, "timer");
//     }, sinks);
//
// run() calls the functions one after another, in the calling thread. They take no simulated time except that of
// compute(). An exception leaving a function is a JavaScript exception of the program: loopsim::Error unchanged, any
// other std::exception as an Error with its what() as message. std::bad_alloc ends the run: run() throws OutOfMemory
// (simulator.hpp). An exception of another type leaves run() unchanged, and the sinks get no end().
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "loopsim/scenario.hpp"
#include "loopsim/time.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

struct ProcessOptions {
  std::string runtime = "node-24";  // a name of profiles()
  MachineSpec machine;
  std::uint32_t threadpool = 4;  // UV_THREADPOOL_SIZE
  Limits limits;
  std::uint64_t seed = 0;
  std::string title;
};

// A JavaScript Error, thrown by the program's functions or passed to them.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, std::string error_code = {}, std::string error_name = "Error")
      : std::runtime_error(message), name(std::move(error_name)), code(std::move(error_code)) {}
  std::string name, code;
};

class Process {
 public:
  using Function = std::function<void()>;
  using Duration = std::chrono::nanoseconds;

  // Handles may be copied. A handle must not outlive its Process (its destructor uses it too); call its functions only
  // within run().
  class Timer;
  class Immediate;
  class Promise;
  class Server;
  class Socket;

  // Throws std::invalid_argument if `options.runtime` is unknown.
  explicit Process(ProcessOptions options = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Runs the process to its end; `main` is the main script. A second call throws std::logic_error. Other failures: see
  // loopsim::run() (simulator.hpp).
  RunSummary run(const Function& main, std::span<TraceSink* const> sinks = {});

  // ---- for the program's functions, during run(). A label is the callback's name in the trace --------------------

  [[nodiscard]] TimeNs now() const;        // true time since the start
  [[nodiscard]] TimeMs loop_time() const;  // uv_now(): the loop's cached time
  void compute(Duration amount);           // the thread uses this much CPU

  Timer set_timeout(Duration delay, Function function, std::string_view label = {});
  Timer set_interval(Duration delay, Function function, std::string_view label = {});
  Immediate set_immediate(Function function, std::string_view label = {});
  void next_tick(Function function, std::string_view label = {});
  void queue_microtask(Function function, std::string_view label = {});

  // A request of the thread pool, or of the network. `error`: the code it fails with; empty: success.
  struct Work {
    std::string_view operation = "read";  // for the trace; must outlive the run
    Duration duration{};
    bool needs_cpu = false;   // computes, sharing the machine's cores with the loop
    bool is_network = false;  // needs no thread
    std::string_view error = {};
  };
  void start_work(const Work& work, std::function<void(const Error* error)> callback, std::string_view label = {});

  // new Promise(); the handle has resolve() and reject().
  Promise make_promise(std::string_view label = {});

  // net.createServer().listen(port), net.connect(port).
  Server listen(std::uint16_t port, std::function<void(Socket)> on_connection, std::string_view label = {});
  Socket connect(std::uint16_t port, Function on_connect, std::string_view label = {});

  void set_exit_code(int code);
  [[noreturn]] void exit(int code);  // leaves the calling function by an exception
  void on_exit(std::function<void(int code)> function, std::string_view label = {});
  void on_before_exit(Function function, std::string_view label = {});
  void on_uncaught_exception(std::function<void(const Error& error)> function, std::string_view label = {});
  void on_unhandled_rejection(std::function<void(const Error& reason)> function, std::string_view label = {});

  struct State;

 private:
  friend struct Together;  // several processes on one machine
  struct Trace;
  ProcessOptions options_;
  std::unique_ptr<Trace> trace_;  // set by run()
  std::unique_ptr<State> state_;
};

// A counted reference to an object of the process.
class ProcessHandle {
 public:
  ProcessHandle(const ProcessHandle& other);
  ProcessHandle& operator=(const ProcessHandle& other);
  ~ProcessHandle();

  enum class Kind : std::uint8_t { timer, immediate, promise, emitter };

 protected:
  friend class Process;
  // Takes over the caller's reference.
  ProcessHandle(Process::State& state, Kind kind, std::uint32_t index) : state_(&state), index_(index), kind_(kind) {}
  Process::State* state_;
  std::uint32_t index_;
  Kind kind_;
};

class Process::Timer : public ProcessHandle {
 public:
  using ProcessHandle::ProcessHandle;
  void clear();
  void refresh();
  void ref();
  void unref();
  [[nodiscard]] bool has_ref() const;
};

class Process::Immediate : public ProcessHandle {
 public:
  using ProcessHandle::ProcessHandle;
  void clear();
  void ref();
  void unref();
};

class Process::Promise : public ProcessHandle {
 public:
  using ProcessHandle::ProcessHandle;
  void resolve();
  void reject(const Error& reason);
  // Both return the derived promise, settled after the function has been called, and rejected if it throws. then()
  // passes rejections on, catch_error() fulfilments; with an empty function both pass on the settlement.
  Promise then(Function function, std::string_view label = {});
  Promise catch_error(std::function<void(const Error& reason)> function, std::string_view label = {});
};

class Process::Server : public ProcessHandle {
 public:
  using ProcessHandle::ProcessHandle;
  void close(Function on_close = {}, std::string_view label = {});
};

class Process::Socket : public ProcessHandle {
 public:
  using ProcessHandle::ProcessHandle;
  void on_data(std::function<void(std::string_view bytes)> function, std::string_view label = {});
  void on_end(Function function, std::string_view label = {});
  void on_close(Function function, std::string_view label = {});
  void on_error(std::function<void(const Error& error)> function, std::string_view label = {});
  void write(std::string_view bytes, Function on_written = {}, std::string_view label = {});
  void end();
  void destroy();
  void pause();
  void resume();
};

}  // namespace loopsim
