// The readable side of sockets (lib/_stream_readable.js, lib/internal/streams/readable.js). 'readable' has no
// listeners.
//
// Flow::threw: the engine holds the exception of a listener.
#pragma once

#include <cstdint>
#include <string>

#include "sim/node/context.hpp"

namespace loopsim::node {

class ReadableStreams : public Part {
 public:
  using Part::Part;

  Flow push_chunk(std::uint32_t socket, std::string chunk, bool& more);  // `more`: the stream wants more data
  Flow push_end(std::uint32_t socket);                                   // push(null)
  Flow look_into(std::uint32_t socket);                                  // read(0)
  void resume(std::uint32_t socket);
  void pause(std::uint32_t socket);

  // From ticks.
  Flow emit_readable_now(std::uint32_t socket);  // emitReadable_
  Flow run_read_more(std::uint32_t socket);      // maybeReadMore_
  Flow run_end(std::uint32_t socket);            // endReadableNT
  Flow run_resume(std::uint32_t socket);         // resume_

 private:
  Flow emit_readable(std::uint32_t socket);
  Flow read(std::uint32_t socket, bool peek, bool& got);
  Flow flow_now(std::uint32_t socket);
  Flow emit_data(std::uint32_t socket, std::string chunk);
  void maybe_read_more(std::uint32_t socket);
  void end(std::uint32_t socket);
};

}  // namespace loopsim::node
