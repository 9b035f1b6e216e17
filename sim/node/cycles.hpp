// What only refers to itself. References are counted, so a socket and the closure that listens to it would keep each other for
// ever: `const socket = ...; socket.on('data', () => socket.end())`. A server makes such a cycle for each request. Others lead
// through a timer and its callback, or through a promise that is never settled.
#pragma once

#include <cstddef>

namespace loopsim::node {

class Heap;

// Ends the scopes that nothing outside of such cycles refers to, with all that only they held. Every cycle that a closure makes
// leads through a scope. A program cannot notice it. May be called wherever a scope may be made. Returns what it has looked at
// in vain: objects that stay, and their places for references, with a sixteenth of all objects.
//
// Trial deletion (D. F. Bacon, V. T. Rajan: Concurrent Cycle Collection in Reference Counted Systems, 2001), from all scopes:
// what has more references than come from the objects reached is held from outside.
std::size_t end_cycles(Heap& heap);

}  // namespace loopsim::node
