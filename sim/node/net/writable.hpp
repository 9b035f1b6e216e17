// The writable side of sockets (lib/_stream_writable.js, lib/internal/streams/writable.js).
//
// The functions take over their callbacks. Flow::threw: the engine holds the exception of a listener or callback.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/node/context.hpp"

namespace loopsim::node {

class WritableStreams : public Part {
 public:
  using Part::Part;

  // Writable.prototype.write. `refused` gets the error of a write that is not tried (>= 14); the caller owns its
  // reference.
  Flow write(std::uint32_t socket, WriteRequest request, Value* refused = nullptr);
  Flow end(std::uint32_t socket, bool has_data, WriteRequest data, const Callback& callback);
  Flow on_write(std::uint32_t socket, const Value* error);  // onwrite: a write has succeeded or failed
  Flow final_done(std::uint32_t socket);                    // the callback of _final()
  [[nodiscard]] bool needs_finish(const NetObject& net) const;

  // From ticks.
  Flow after_write(std::uint32_t socket, const FinishedWrite& write);
  Flow write_failed(std::uint32_t socket, const std::vector<Callback>& callbacks, bool several, const Value& error);
  Flow call_write_callbacks(std::uint32_t socket, const std::vector<Callback>& callbacks, bool several,
                            const Value* error);
  Flow error_buffer(std::uint32_t socket);
  Flow finish_maybe(std::uint32_t socket, bool sync);
  Flow finish(std::uint32_t socket);

  // An error from lib/internal/errors.js; the caller owns a reference. Before Node 10 without code.
  Value node_error(std::string_view message, std::string_view code);

 private:
  Flow write_or_buffer(std::uint32_t socket, WriteRequest request);
  Flow do_write(std::uint32_t socket, std::vector<WriteRequest> requests, bool checks_destroyed);
  Flow clear_buffer(std::uint32_t socket);
  Flow fail_or_destroy(std::uint32_t socket, const Value& error, bool sync);
  Flow prefinish(std::uint32_t socket);
  Flow call_finish_callbacks(std::uint32_t socket, const Value* error);
  Value destroyed_error(std::string_view call);
};

}  // namespace loopsim::node
