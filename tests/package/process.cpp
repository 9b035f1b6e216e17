// A program of C++ functions: a timer, a read of the thread pool and a promise, in two versions of Node.
#include <chrono>
#include <iostream>

#include <loopsim/process.hpp>

using namespace std::chrono_literals;

int main() {
  for (const char* runtime : {"node-10", "node-24"}) {
    loopsim::Process process({.runtime = runtime});
    std::cout << runtime << ":\n";
    const auto say = [&](const char* what) {
      std::cout << "  " << process.now() / loopsim::kMillisecond << " ms  " << what << '\n';
    };
    process.run([&] {
      process.set_timeout(1ms, [&] {
        say("first timer");
        auto promise = process.make_promise();
        promise.then([&] { say("promise"); });
        promise.resolve();
      });
      process.set_timeout(1ms, [&] { say("second timer"); });
      process.start_work({.operation = "readFile", .duration = 3ms}, [&](const loopsim::Error*) {
        say("file");
        process.compute(5ms);
        process.set_immediate([&] { say("immediate"); });
        process.set_timeout(0ms, [&] { say("timer of the callback"); });
      });
    });
  }
}
