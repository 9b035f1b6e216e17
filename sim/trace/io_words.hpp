// The sentences of reports about the runtime `io`, one for an event.
#pragma once

#include <string>
#include <string_view>

#include "loopsim/language.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

// Whether the kernel does it, not the process.
[[nodiscard]] bool is_of_kernel(EventKind kind);
[[nodiscard]] bool is_of_io(EventKind kind);

// `name`: the event's; `call`: of what returns or is blocked, the call with its arguments. Empty where nothing is to be said.
[[nodiscard]] std::string io_words(const Event& event, std::string_view text, std::string_view name,
                                   std::string_view call, Language language);
// "poll(3,4)".
[[nodiscard]] std::string io_call_words(const Event& event, std::string_view arguments);

}  // namespace loopsim
