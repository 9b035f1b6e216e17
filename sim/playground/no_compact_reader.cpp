// The playground compares runs that it has made, as JSON lines: nobody gives it a compact trace.
#include "sim/trace/compact_reader.hpp"
#include "sim/trace/jsonl_reader.hpp"

namespace loopsim {

std::unique_ptr<TraceReader> make_compact_reader(std::string file, std::span<TraceSink* const> sinks) {
  return make_jsonl_reader(std::move(file), sinks);
}

}  // namespace loopsim
