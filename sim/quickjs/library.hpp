// Node's JavaScript: what a world has beside ECMAScript before a program begins.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "loopsim/time.hpp"

#include "sim/quickjs/instance.hpp"

namespace loopsim::quickjs {

// Date.now() when a process starts: 2026-01-01T00:00:00Z. Everyone's runs have the same time.
inline constexpr TimeNs kStartOfTheClock = std::int64_t{1'767'225'600} * 1'000 * kMillisecond;

// A world that is part of the program (tools/quickjs/make_snapshot.cpp).
Instance::Saved world_of(std::span<const std::uint8_t> snapshot);
// The one with the library loaded.
const Instance::Saved& library_world();

// A CommonJS script is the body of this function (lib/internal/modules/cjs/loader.js, wrapSafe).
// What stands before a module that uses import.meta, in its first line: it gives the object its members
// (node/internal/modules.js).
inline constexpr std::string_view kMetaBefore =
    "Object.assign(import.meta,globalThis[Symbol.for('loopsim.meta')]('main'));";
// What stands before any module that does.
inline constexpr std::string_view kMetaBegins = "Object.assign(import.meta,";
inline constexpr std::string_view kMetaEnds = "));";
inline constexpr std::string_view kScriptBefore = "(function (exports, require, module, __filename, __dirname) {";
inline constexpr std::string_view kScriptAfter = "\n})";
// The source of that function. A first line `#!/usr/bin/env node` is a comment.
std::string wrapped_script(std::string source);

}  // namespace loopsim::quickjs
