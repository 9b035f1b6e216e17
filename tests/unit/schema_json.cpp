// The parts of the schema that an editor needs. What it accepts and rejects is checked by an independent validator
// (tests/schema/validate.py).
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"

using namespace loopsim;
using Json = nlohmann::json;

TEST_CASE("the schema describes every verb and option", "[schema]") {
  const std::string text = scenario_schema();
  CHECK(text.ends_with("}\n"));
  const Json schema = Json::parse(text);
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  const Json& defs = schema["$defs"];
  CHECK(defs["step"]["anyOf"].size() == verb_table().size());
  for (const VerbInfo& verb : verb_table()) {
    INFO(verb.name);
    const Json& step = defs["step:" + std::string(verb.name)];
    CHECK(step["title"] == verb.name);
    CHECK(step["additionalProperties"] == false);
    CHECK(step["required"][0] == verb.name);
    CHECK(step["properties"].size() == verb.options.size() + 1);
    CHECK(step["examples"][0] == Json::parse(verb.example));
    for (const auto& [key, property] : step["properties"].items()) {
      INFO(key);
      CHECK_FALSE(property["description"].get<std::string>().empty());
    }
  }
}

TEST_CASE("every reference in the schema leads somewhere", "[schema]") {
  const Json schema = Json::parse(scenario_schema());
  std::size_t references = 0;
  const auto flat = schema.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (!pointer.ends_with("/$ref")) continue;
    ++references;
    INFO(pointer << " -> " << value);
    const std::string target = value.get<std::string>();
    REQUIRE(target.starts_with("#/"));
    CHECK(schema.contains(Json::json_pointer(target.substr(1))));
  }
  const std::string text = scenario_schema();
  std::size_t written = 0;
  for (std::size_t at = text.find("\"$ref\""); at != std::string::npos; at = text.find("\"$ref\"", at + 1)) ++written;
  CHECK(references == written);
}

namespace {

// The pointers of all keys below a part of the schema, without steps: those of lists begin with item 0.
void add_places(const Json& schema, const Json& part, const std::string& place, std::vector<std::string>& places) {
  if (part.contains("$ref")) {
    const std::string target = part["$ref"].get<std::string>();
    if (target == "#/$defs/steps" || target == "#/$defs/input" || target == "#/$defs/case") return;
    return add_places(schema, schema.at(Json::json_pointer(target.substr(1))), place, places);
  }
  const Json choices = part.value("anyOf", Json::array());
  for (const Json& choice : choices) add_places(schema, choice, place, places);
  if (part.contains("items")) add_places(schema, part["items"], place + "/0", places);
  const Json properties = part.value("properties", Json::object());
  for (const auto& [key, inner] : properties.items()) {
    places.push_back(place + "/" + key);
    add_places(schema, inner, place + "/" + key, places);
  }
}

}  // namespace

TEST_CASE("a setting reaches every place that the schema knows, and makes it", "[schema][params]") {
  const Json schema = Json::parse(scenario_schema());
  std::vector<std::string> places;
  add_places(schema, schema, "", places);
  CHECK(places.size() > 100);
  for (const std::string_view known :
       {"/machine/load/threads", "/machine/overhead/firstLog", "/machine/stalls/0/at", "/runtime/threadpool",
        "/limits/depth", "/expect/exit/at", "/machine/wakeup/lognormal"}) {
    CHECK(std::ranges::find(places, known) != places.end());
  }
  for (const std::string& place : places) {
    INFO(place);
    ReadOptions options;
    options.overrides.emplace_back(place, "1");
    for (const std::string_view machine : {"", R"(, "machine": "laptop", "runtime": "node-10")"}) {
      const ReadResult result = read_scenario(R"({"main": [])" + std::string(machine) + "}", "test.json", options);
      for (const Diagnostic& diagnostic : result.diagnostics) {  // the value is not always right, but the place is
        INFO(to_string(diagnostic));
        CHECK(diagnostic.message.find("no place") == std::string::npos);
        CHECK(diagnostic.message.find("no key") == std::string::npos);
      }
    }
  }
}

TEST_CASE("the schema knows the profiles", "[schema]") {
  const Json schema = Json::parse(scenario_schema());
  const std::string text = schema["$defs"]["profile"].dump();
  for (const Profile& profile : profiles()) CHECK(text.find(std::string(profile.name)) != std::string::npos);
}
