// fs, dns, crypto and zlib: requests on the thread pool or the network, one after another in an operation with several;
// poll finds them done and calls back (ReqWrap of src/req_wrap.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/node/api.hpp"
#include "sim/node/context.hpp"
#include "sim/node/slab.hpp"

namespace loopsim::node {

class Requests : public Part {
 public:
  using Part::Part;

  // Takes over the references of the callback and of the promise. kNone: the callback gets the outcome; otherwise the
  // promise does, after the callback.
  void start(const Operation& operation, std::uint32_t promise, const Callback& callback);
  // First reads the file of an ES module's main script: Environment::run_module() follows in the poll phase after it.
  void read_main_module();
  // A thread of the pool begins or ends the request's work.
  void on_work(std::uint32_t request, std::uint32_t thread, bool begins);
  void trace_ready(std::uint32_t request);  // for the trace: poll has found it done
  // The loop has found a request done.
  void finish_stage(const uv::Completed& done);

 private:
  struct Request {
    Operation operation;
    std::uint32_t stage = 0;  // the running one of its requests
    std::uint32_t promise = kNone;
    Callback callback;
  };
  void submit_stage(std::uint32_t request);
  void settle(const Request& request, const Value& error, bool failed);
  [[nodiscard]] std::string_view stage_name(const Request& request) const;

  Slab<Request> requests_;
  std::uint32_t main_request_ = kNone;  // the one that reads an ES module's file
};

}  // namespace loopsim::node
