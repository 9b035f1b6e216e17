#include "sim/quickjs/value_details.hpp"

#include <vector>

#include "sim/quickjs/heap_view.hpp"

namespace loopsim::quickjs {

Owned class_id(Instance& js, Given arguments) {
  if (arguments.empty() || !is_object(arguments[0])) return js.make_number(0);
  return js.make_number(js.class_id(arguments[0]));
}

Owned promise_details(Instance& js, Given arguments) {
  const int state = arguments.empty() ? -1 : js.promise_state(arguments[0]);
  if (state < 0) return kUndefined;
  const Js result = state == 0 ? kUndefined : js.promise_result(arguments[0]);
  const Js details[] = {js.make_number(state), result};
  const Js list = js.make_array(details);
  js.free(result);
  return list;
}

Owned proxy_details(Instance& js, Given arguments) {
  if (arguments.empty() || !js.is_proxy(arguments[0])) return kUndefined;
  Js details[] = {js.proxy_target(arguments[0]), js.proxy_handler(arguments[0])};
  for (Js& value : details) {
    if (value != kException) continue;
    js.free(js.take_exception());
    value = kNull;
  }
  const Js list = js.make_array(details);
  for (const Js value : details) js.free(value);
  return list;
}

Owned iterator_members(Instance& js, Given arguments) {
  std::vector<Js> members;
  bool is_pairs = false;
  if (!arguments.empty() && is_object(arguments[0])) is_pairs = HeapView(js).members_of_iterator(arguments[0], members);
  const Js details[] = {js.make_array(members), Instance::make_boolean(is_pairs)};
  const Js list = js.make_array(details);
  js.free(details[0]);
  return list;
}

}  // namespace loopsim::quickjs
