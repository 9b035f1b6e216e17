// The parts of the schema that an editor needs. What it accepts and rejects is checked by an independent validator
// (tests/schema/validate.py).
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

TEST_CASE("the schema knows the profiles", "[schema]") {
  const Json schema = Json::parse(scenario_schema());
  const std::string text = schema["$defs"]["profile"].dump();
  for (const Profile& profile : profiles()) CHECK(text.find(std::string(profile.name)) != std::string::npos);
}
