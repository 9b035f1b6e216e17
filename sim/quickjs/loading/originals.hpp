// The library's own JavaScript keeps what the language had when it was loaded: a program may replace Array.prototype.map,
// Map or Symbol.iterator, and the library goes on with the original.
//
// An original is a second member of the same object (Array.prototype, Object, JSON, the global object ...), whose key is a
// private symbol: the kind that classes have for `#name`, of which no JavaScript hears. In the library's code, once all of
// it is loaded, each atom of such a name gets the mark kOfLibrary: `x.map(f)` takes the first of the two that it comes to
// along the prototypes of x: the original, where x has it from Array.prototype, and x.map as it is of a stream, of a
// program's object, or of a class that has its own map(). What QuickJS asks for by itself, as the members of an iterator,
// it looks for in the same way where the function that runs is the library's. tools/quickjs/patch_wasm.py
// (keep_originals) has the other half; node/internal/originals.js makes these members, and says which.
#pragma once

#include <span>
#include <string>

#include "sim/quickjs/instance.hpp"

namespace loopsim::quickjs {

// `library`: what the loader left, with the members `keys`, `protocols` and `keep`. `functions`: all that code of the
// library is in; they must live as long as the world, as QuickJS cannot free marked code. Returns what went wrong; empty:
// nothing.
std::string keep_originals(Instance& world, Js library, std::span<const Js> functions);

}  // namespace loopsim::quickjs
