// The reader of JSON lines; trace_reader.hpp has the one for all forms.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "loopsim/trace_reader.hpp"

namespace loopsim {

[[nodiscard]] std::unique_ptr<TraceReader> make_jsonl_reader(std::string file, std::span<TraceSink* const> sinks);

}  // namespace loopsim
