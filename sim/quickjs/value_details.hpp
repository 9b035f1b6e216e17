// What no JavaScript can ask of a value, for the libraries' own texts of values. Arguments are those of a call from them.
#pragma once

#include <span>

#include "sim/quickjs/instance.hpp"

namespace loopsim::quickjs {

// (object): a number that objects of the same class have, whatever their prototype.
Owned class_id(Instance& js, Given arguments);
// (promise): [0: pending, 1: fulfilled, 2: rejected; its result]; undefined of another value.
Owned promise_details(Instance& js, Given arguments);
// (value): [target, handler] of a proxy, both null when it is revoked; undefined of another value.
Owned proxy_details(Instance& js, Given arguments);
// (iterator): [what an iterator of a map or set has not given yet, whether keys and values take turns in it].
Owned iterator_members(Instance& js, Given arguments);

}  // namespace loopsim::quickjs
