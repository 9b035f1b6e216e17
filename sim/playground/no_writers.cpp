// What the playground has no use for, in its places: it shows runs as pages and drawings, and never asks for the other formats. They would
// be a sixtieth of what its first load weighs.
#include "loopsim/writers.hpp"

namespace loopsim {

std::unique_ptr<TraceSink> make_text_writer(ByteOutput& /*output*/, const TextOptions& /*options*/) {
  return make_hash_sink();
}

std::unique_ptr<TraceSink> make_csv_writer(ByteOutput& /*output*/, const CsvOptions& /*options*/) {
  return make_hash_sink();
}

std::unique_ptr<TraceSink> make_perfetto_writer(ByteOutput& /*output*/, const PerfettoOptions& /*options*/) {
  return make_hash_sink();
}

std::unique_ptr<TraceSink> make_calls_writer(ByteOutput& /*output*/) { return make_hash_sink(); }

std::unique_ptr<TraceSink> make_console_writer(ByteOutput& /*output*/, ByteOutput& /*errors*/) {
  return make_hash_sink();
}

}  // namespace loopsim
