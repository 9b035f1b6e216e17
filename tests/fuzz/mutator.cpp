#include "tests/fuzz/mutator.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <vector>

#include <nlohmann/json.hpp>

#include "loopsim/io.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/verbs.hpp"

#include "tests/fuzz/writer.hpp"

namespace loopsim::fuzz {
namespace {

constexpr std::size_t kMostNesting = 40;  // of mutated documents; mutated bytes reach the reader's own limit

constexpr std::array<std::string_view, 18> kNumbers = {
    "0",     "1",   "2",   "-1",   "3",    "255",  "65535", "4294967296", "9007199254740993", "9223372036854775807",
    "1e308", "1e9", "0.5", "1e-9", "-0.0", "1000", "17",    "100000"};
constexpr std::array<std::string_view, 16> kDurations = {
    "0ms",         "1ms",  "2ms", "1ns",    "999us", "1us", "0.5ms", "10ms", "1s", "1h", "1000000000000000000ns",
    "9223372036s", "-1ms", "1",   "5.25ms", "365d"};
constexpr std::array<std::string_view, 12> kNames = {"a",     "b",    "c",       "f",     "g",  "i",
                                                     "value", "code", "process", "timer", "x1", "error"};
constexpr std::array<std::string_view, 12> kTexts = {
    "hello", "{a}", "{now}", "{since a}", "{error.message}", "{b.code}",
    "{{}}",  "",    "$p",    "$$p",       "{value}",         "\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80"};
constexpr std::array<std::string_view, 14> kTopLevel = {"runtime", "machine",   "params", "seed",   "inputs",
                                                        "main",    "functions", "limits", "expect", "title",
                                                        "source",  "main",      "main",   "inputs"};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  Json mutated(Json document) {
    if (!document.is_object()) document = written();
    const unsigned changes = 1 + below(4);
    for (unsigned i = 0; i < changes; ++i) change(document);
    return document;
  }

  Json crossed(Json document, const Json& other) {
    Json piece = *pick_node(const_cast<Json&>(other));
    Json* place = pick_node(document);
    if (place->is_array() && below(2) == 0) {
      insert(*place, std::move(piece));
    } else {
      *place = std::move(piece);
    }
    return document;
  }

 private:
  unsigned below(std::size_t count) { return count == 0 ? 0 : static_cast<unsigned>(random_() % count); }
  template <typename List>
  auto one_of(const List& list) {
    return list[below(std::size(list))];
  }
  std::string word(std::string_view text) { return std::string(text); }
  std::string name() { return word(one_of(kNames)); }

  // ---- picking a node ----

  void collect(Json& node, std::vector<Json*>& nodes) {
    nodes.push_back(&node);
    if (!node.is_structured()) return;
    for (auto& child : node) collect(child, nodes);
  }
  Json* pick_node(Json& document) {
    std::vector<Json*> nodes;
    collect(document, nodes);
    return one_of(nodes);
  }
  static bool is_step(const Json& node) {
    return node.is_object() && !node.empty() && find_verb(node.begin().key()) != nullptr;
  }
  static bool is_block(const Json& node) {
    return node.is_array() && std::all_of(node.begin(), node.end(), [](const Json& item) { return is_step(item); });
  }
  template <typename Wanted>
  Json* pick(Json& document, Wanted wanted) {
    std::vector<Json*> nodes;
    collect(document, nodes);
    std::erase_if(nodes, [&](const Json* node) { return !wanted(*node); });
    return nodes.empty() ? nullptr : one_of(nodes);
  }
  void insert(Json& list, Json value) {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(below(list.size() + 1)), std::move(value));
  }

  // ---- changes ----

  void change(Json& document) {
    if (!document.is_object())
      document = Json::object();  // an earlier change may have replaced the document by a value of another type
    switch (below(14)) {
      case 0:
      case 1:
      case 2: add_step(document); break;
      case 3:
      case 4: add_option(document); break;
      case 5: replace_scalar(document); break;
      case 6: remove(document); break;
      case 7: repeat(document); break;
      case 8: swap(document); break;
      case 9: document[word(one_of(kTopLevel))] = top_level(); break;
      case 10:
        if (below(4) == 0)
          document = io_document();
        else
          document["runtime"] = runtime();
        break;
      case 11: wrap(document); break;
      case 12: graft(document); break;
      case 13: wrap_in_written(document); break;
      default: break;
    }
  }

  void add_step(Json& document) {
    Json* block = pick(document, is_block);
    if (block == nullptr) {
      document["main"] = Json::array({step(3)});
    } else {
      insert(*block, step(3));
    }
  }

  void add_option(Json& document) {
    Json* place = pick(document, is_step);
    if (place == nullptr) return;
    const VerbInfo& verb = *find_verb(place->begin().key());
    if (verb.options.empty() || below(6) == 0) {
      (*place)[word(verb.name)] = argument(verb.kind, verb, 3);
    } else {
      const OptionInfo& option = one_of(verb.options);
      (*place)[word(option.name)] = argument(option.kind, verb, 3);
    }
  }

  void replace_scalar(Json& document) {
    Json* place = pick(document, [](const Json& node) { return !node.is_structured(); });
    if (place != nullptr) *place = scalar();
  }

  void remove(Json& document) {
    Json* place = pick(document, [](const Json& node) { return node.is_structured() && !node.empty(); });
    if (place == nullptr) return;
    if (place->is_array()) {
      place->erase(below(place->size()));
    } else {
      auto member = place->begin();
      std::advance(member, below(place->size()));
      place->erase(member);
    }
  }

  void repeat(Json& document) {
    Json* place = pick(document, [](const Json& node) { return node.is_array() && !node.empty(); });
    if (place == nullptr) return;
    Json copy = (*place)[below(place->size())];
    const unsigned times = 1 + below(4);
    for (unsigned i = 0; i < times; ++i) insert(*place, copy);
  }

  void swap(Json& document) {
    Json* one = pick_node(document);
    Json* two = pick_node(document);
    Json first = *one;
    Json second = *two;
    *one = second;  // if `two` was inside `one`, it no longer exists
    two = pick_node(document);
    *two = first;
  }

  void wrap(Json& document) {
    Json* block = pick(document, is_block);
    if (block == nullptr) return;
    const VerbInfo& verb = one_of(verb_table());
    Json outer;
    outer[word(verb.name)] = argument(verb.kind, verb, 2);
    for (const OptionInfo& option : verb.options) {
      const bool holds_steps = option.kind == ArgumentKind::block || option.kind == ArgumentKind::callback;
      if (holds_steps)
        outer[word(option.name)] = *block;
      else if (option.required)
        outer[word(option.name)] = argument(option.kind, verb, 2);
    }
    if (verb.kind == ArgumentKind::block || verb.kind == ArgumentKind::callback) outer[word(verb.name)] = *block;
    *block = Json::array({outer});
  }

  // ---- scenarios from the grammar ----

  Json written() {
    const std::string bytes = bytes_of_scenario(random_());
    const std::size_t size = 16 + below(bytes.size() - 16);
    return scenario_of({reinterpret_cast<const std::uint8_t*>(bytes.data()), size});
  }

  // Copies the functions and params that steps from another document use.
  void take_along(Json& document, Json& other) {
    for (const char* const key : {"functions", "params"}) {
      if (!other.contains(key)) continue;
      Json& here = document[key];
      if (!here.is_object()) here = Json::object();
      here.update(other[key]);
    }
  }

  // Inserts generated steps into some list of steps.
  void graft(Json& document) {
    Json other = written();
    Json* block = pick(document, is_block);
    if (block == nullptr) block = &(document["main"] = Json::array());
    const std::size_t at = below(block->size() + 1);
    block->insert(block->begin() + static_cast<std::ptrdiff_t>(at), other["main"].begin(), other["main"].end());
    take_along(document, other);
  }

  // Replaces a list of steps by a generated main script that contains it.
  void wrap_in_written(Json& document) {
    Json* block = pick(document, is_block);
    if (block == nullptr) return;
    Json other = written();
    Json* place = pick(other["main"], is_block);
    place->insert(place->end(), block->begin(), block->end());
    *block = other["main"];
    take_along(document, other);
  }

  // ---- new values ----

  Json scalar() {
    switch (below(8)) {
      case 0: return nullptr;
      case 1: return below(2) == 0;
      case 2:
      case 3: return number();
      case 4: return word(one_of(kDurations));
      case 5: return name();
      default: return word(one_of(kTexts));
    }
  }
  Json number() { return Json::parse(one_of(kNumbers), nullptr, false); }

  Json step(unsigned depth) {
    const VerbInfo& verb = one_of(verb_table());
    Json made;
    made[word(verb.name)] = argument(verb.kind, verb, depth);
    for (const OptionInfo& option : verb.options) {
      if (option.required || below(3) == 0) made[word(option.name)] = argument(option.kind, verb, depth);
    }
    return made;
  }

  Json block(unsigned depth) {
    Json steps = Json::array();
    if (depth == 0) return steps;
    const unsigned count = below(4);
    for (unsigned i = 0; i < count; ++i) steps.push_back(step(depth - 1));
    return steps;
  }

  Json duration() {
    switch (below(6)) {
      case 0: return Json{{"uniform", {word(one_of(kDurations)), word(one_of(kDurations))}}};
      case 1: return Json{{"exponential", word(one_of(kDurations))}};
      case 2: return Json{{"normal", {word(one_of(kDurations)), word(one_of(kDurations))}}};
      case 3: return Json{{"sequence", {word(one_of(kDurations)), word(one_of(kDurations))}}};
      default: return word(one_of(kDurations));
    }
  }

  Json condition() {
    constexpr std::array<std::string_view, 6> kOperators = {"<", "<=", ">", ">=", "==", "!="};
    if (below(2) == 0) return name();
    return Json::array({name(), word(one_of(kOperators)), scalar()});
  }

  Json argument(ArgumentKind kind, const VerbInfo& verb, unsigned depth) {
    if (below(24) == 0) return scalar();  // usually of the wrong type
    const auto list_of = [&](auto make) {
      Json list = Json::array();
      const unsigned count = below(4);
      for (unsigned i = 0; i < count; ++i) list.push_back(make());
      return list;
    };
    const auto awaitable = [&]() -> Json {
      if (depth == 0 || below(2) == 0) return name();
      std::vector<const VerbInfo*> makers;
      for (const VerbInfo& candidate : verb_table()) {
        if (candidate.makes_promise) makers.push_back(&candidate);
      }
      const VerbInfo& maker = *one_of(makers);
      Json made;
      made[word(maker.name)] = argument(maker.kind, maker, depth - 1);
      for (const OptionInfo& option : maker.options) {
        if (option.required) made[word(option.name)] = argument(option.kind, maker, depth - 1);
      }
      return made;
    };
    switch (kind) {
      case ArgumentKind::value: return scalar();
      case ArgumentKind::values: return below(2) == 0 ? scalar() : list_of([&] { return scalar(); });
      case ArgumentKind::error_value:
        return below(2) == 0 ? Json("boom") : Json{{"error", "boom"}, {"name", "TypeError"}, {"code", "E1"}};
      case ArgumentKind::duration: return duration();
      case ArgumentKind::delay: return below(2) == 0 ? number() : duration();
      case ArgumentKind::request_times: return duration();
      case ArgumentKind::condition: return condition();
      case ArgumentKind::assignments: return Json{{name(), scalar()}, {name(), scalar()}};
      case ArgumentKind::callback: return below(3) == 0 ? Json(name()) : block(depth);
      case ArgumentKind::block: return block(depth);
      case ArgumentKind::awaitable: return awaitable();
      case ArgumentKind::awaitables: return list_of(awaitable);
      case ArgumentKind::value_or_step: return below(2) == 0 ? scalar() : awaitable();
      case ArgumentKind::milliseconds: return number();
      case ArgumentKind::nothing: return nullptr;
      case ArgumentKind::count: return below(4) == 0 ? Json(name()) : number();
      case ArgumentKind::new_name:
      case ArgumentKind::label:
      case ArgumentKind::name:
      case ArgumentKind::function_name: return name();
      case ArgumentKind::event_name:
        return below(2) == 0 ? Json(word(one_of(process_events()))) : Json(word(one_of(signals()).name));
      case ArgumentKind::operation: return verb.words.empty() ? Json(name()) : Json(word(one_of(verb.words)));
      case ArgumentKind::error_code: return "ENOENT";
      case ArgumentKind::port: return 8000 + below(3);
      case ArgumentKind::address: return below(4) == 0 ? Json("/tmp/s") : Json(8000 + below(3));
      case ArgumentKind::listeners: {
        Json listeners = Json::object();
        const unsigned count = below(4);
        for (unsigned i = 0; i < count && !verb.words.empty(); ++i) listeners[word(one_of(verb.words))] = block(depth);
        return listeners;
      }
      case ArgumentKind::exit_code: return below(256);
      case ArgumentKind::command: return "sleep 1";
      case ArgumentKind::signal_name: return word(one_of(signals()).name);
      case ArgumentKind::bytes: return 1 + below(16384);
      case ArgumentKind::flag: return below(2) == 0;
      case ArgumentKind::selector: return std::array{"body", "window", "document", "#a"}.at(below(4));
      case ArgumentKind::url: return below(2) == 0 ? "/data" : "https://example.test/";
      case ArgumentKind::path: return "/tmp/s";
      case ArgumentKind::host: return below(2) == 0 ? "localhost" : "example.test";
    }
    return nullptr;
  }

  Json runtime() {
    const Family family =
        std::array{Family::node, Family::node, Family::node, Family::libuv, Family::browser}.at(below(5));
    const std::string profile = word(one_of(runtimes_of(family)).name);
    if (below(2) == 0) return profile;
    Json made = {{"profile", profile}};
    if (below(2) == 0) made["threadpool"] = 1 + below(6);
    if (below(3) == 0) made["entry"] = below(2) == 0 ? "module" : "commonjs";
    if (below(4) == 0) made["monitorEventLoopDelay"] = 1 + below(20);
    return made;
  }

  // A document of the runtime io, in place of any other.
  Json io_document() {
    const auto model = [&]() -> Json {
      if (below(4) != 0) return word(one_of(io_models()));
      switch (below(4)) {
        case 0:
          return {{"multiplex", "epoll"}, {"trigger", below(2) == 0 ? "edge" : "level"}, {"events", 1 + below(3)}};
        case 1: return {{"signal", "queue"}, {"pending", 1 + below(5)}};
        case 2: return {{"blocking", "clients"}};
        default: return {{"async", true}};
      }
    };
    Json sockets = Json::array();
    for (unsigned i = 0; i <= below(4); ++i) {
      Json socket = Json::object();
      if (below(3) == 0) socket["as"] = name();
      if (below(4) == 0) socket["count"] = 1 + below(40);
      if (below(4) != 0) socket["end"] = std::to_string(below(90)) + "ms";
      for (unsigned k = 0; k < below(3); ++k) {
        Json arrivals = {{"bytes", 1 + below(9000)}};
        switch (below(3)) {
          case 0: arrivals["at"] = std::to_string(below(60)) + "ms"; break;
          case 1: arrivals["every"] = std::to_string(below(9)) + "ms"; break;
          default: arrivals["poisson"] = below(2000); break;
        }
        socket["arrivals"].push_back(std::move(arrivals));
      }
      sockets.push_back(std::move(socket));
    }
    Json io = {{"model", model()}, {"sockets", std::move(sockets)}};
    if (below(3) == 0) io["model"] = Json::array({model(), model()});
    if (below(2) == 0) io["work"] = std::to_string(below(5)) + "ms";
    if (below(3) == 0) io["meanwhile"] = std::to_string(below(5)) + "ms";
    if (below(3) == 0) io["type"] = "datagram";
    if (below(3) == 0) io["buffer"] = 1 + below(5000);
    if (below(2) == 0)
      io["costs"] = below(2) == 0 ? Json("free") : Json{{word(one_of(io_costs())), std::to_string(below(900)) + "us"}};
    Json document = {{"runtime", "io"}, {"io", std::move(io)}, {"limits", {{"time", "100ms"}, {"steps", 20'000}}}};
    if (below(3) == 0) document["machine"] = machine();
    return document;
  }

  Json machine() {
    if (below(2) == 0) return one_of(machine_presets()).name;
    Json made = Json::object();
    if (below(2) == 0) made["cores"] = 1 + below(4);
    if (below(2) == 0) made["startup"] = duration();
    if (below(2) == 0) made["wakeup"] = duration();
    if (below(3) == 0) made["speed"] = number();
    if (below(3) == 0) made["clock"] = duration();
    if (below(3) == 0) made["overhead"] = Json{{"callback", duration()}, {"turn", duration()}, {"timer", duration()}};
    if (below(3) == 0) made["quota"] = Json{{"quota", word(one_of(kDurations))}, {"period", word(one_of(kDurations))}};
    if (below(3) == 0) made["load"] = Json{{"busy", duration()}, {"idle", duration()}, {"policy", "fair"}};
    if (below(3) == 0)
      made["stalls"] = Json::array({Json{{"at", word(one_of(kDurations))}, {"for", word(one_of(kDurations))}}});
    return made;
  }

  Json input() {
    Json made;
    switch (below(4)) {
      case 0: made["signal"] = word(one_of(signals()).name); break;
      case 1: made["connect"] = 8000 + below(3), made["as"] = name(), made["data"] = "data"; break;
      case 2: made["write"] = name(), made["data"] = "data"; break;
      default: made["end"] = name(); break;
    }
    if (below(2) == 0) {
      made["at"] = word(one_of(kDurations));
    } else {
      made["every"] = duration();
    }
    return made;
  }

  Json top_level() {
    switch (below(8)) {
      case 0: return runtime();
      case 1: return machine();
      case 2: return Json{{"p", below(2) == 0 ? scalar() : duration()}, {"q", scalar()}};
      case 3: return number();
      case 4: return Json::array({input(), input()});
      case 5: return Json{{name(), block(3)}, {name(), Json{{"parameters", {name()}}, {"do", block(3)}}}};
      case 6: return Json{{"output", {word(one_of(kTexts))}}, {"exit", below(3)}, {"limit", "time"}};
      default: return block(4);
    }
  }

  std::minstd_rand random_;
};

std::size_t nesting(const Json& node) {
  std::size_t deepest = 0;
  if (node.is_structured()) {
    for (const auto& child : node) deepest = std::max(deepest, 1 + nesting(child));
  }
  return deepest;
}

// Null if the bytes are no JSON, or nested too deeply: nlohmann's tree is traversed recursively.
Json parse(std::string_view bytes) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (const char c : bytes) {
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  if (deepest > 300) return {};
  Json document = Json::parse(bytes, nullptr, false);
  if (document.is_discarded()) return {};
  return document;
}

std::string text_of(const Json& document) {
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

std::string mutate(std::string_view bytes, unsigned seed) {
  const Json before = parse(bytes);
  Json after = Mutator(seed).mutated(before);
  if (nesting(after) > kMostNesting && nesting(before) <= kMostNesting) return text_of(before);
  return text_of(after);
}

std::string cross(std::string_view first, std::string_view second, unsigned seed) {
  const Json other = parse(second);
  Json document = Mutator(seed).crossed(parse(first), other);
  if (nesting(document) > kMostNesting) return std::string(first);
  return text_of(document);
}

std::size_t put(const std::string& bytes, std::uint8_t* data, std::size_t size, std::size_t most) {
  if (bytes.size() > most) return size;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace loopsim::fuzz
