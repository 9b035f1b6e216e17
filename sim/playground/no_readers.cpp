// The playground compares runs that it has made, as JSON lines, and few of them: nobody gives it a compact trace, and it needs no quick
// reader of lines beside that of any JSON line.
#include "sim/trace/canonical_line.hpp"
#include "sim/trace/compact_reader.hpp"
#include "sim/trace/jsonl_reader.hpp"

namespace loopsim {

std::unique_ptr<TraceReader> make_compact_reader(std::string file, std::span<TraceSink* const> sinks) {
  return make_jsonl_reader(std::move(file), sinks);
}

CanonicalLines::CanonicalLines() = default;
bool CanonicalLines::read(std::string_view /*line*/, Event& /*event*/, ReadEvents& /*to*/) { return false; }

}  // namespace loopsim
