// Traces made by hand, for cases that no scenario produces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "loopsim/time.hpp"

namespace loopsim::testing {

class TraceLines {
 public:
  explicit TraceLines(std::string_view runtime) {
    text_ = fmt::format(
        R"({{"loopsim_trace":2,"program":"0.1.0","scenario":"by hand","runtime":"{}","libuv":"1.0","entry":"commonjs",)"
        R"("machine":"ideal","threadpool":4,"seed":0,"clock_phase":0,"params":{{}}}})"
        "\n",
        runtime);
  }

  // An event at `at` ms; `rest` has the keys from "ev" on.
  TraceLines& add(TimeMs at, std::string_view phase, std::string_view rest) {
    if (rest == R"("ev":"turn")") ++turn_;
    text_ += fmt::format(R"({{"seq":{},"t":{},"loop":{},"turn":{},"phase":"{}",{}}})"
                         "\n",
                         ++sequence_, at * kMillisecond, at, turn_, phase, rest);
    return *this;
  }
  TraceLines& turn(TimeMs at) { return add(at, "timers", R"("ev":"turn")"); }
  TraceLines& main(TimeMs until, std::string_view asked = "") {
    add(0, "main", R"("ev":"callback_begin","api":"main","id":1,"name":"main")");
    if (!asked.empty()) add(0, "main", asked);
    return add(until, "main", R"("ev":"callback_end","api":"main","id":1,"name":"main","how":"normal")");
  }
  TraceLines& poll(TimeMs at, std::string_view rule,
                   std::string_view rest = R"("timeout":0,"blocked":0,"woke":"none","served":1)") {
    return add(at, "poll", fmt::format(R"("ev":"poll","rule":"{}",{})", rule, rest));
  }
  TraceLines& exit(TimeMs at) { return add(at, "exit", R"("ev":"exit","code":0,"why":"loop_empty")"); }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::uint64_t sequence_ = 0;
  std::uint64_t turn_ = 0;
};

}  // namespace loopsim::testing
