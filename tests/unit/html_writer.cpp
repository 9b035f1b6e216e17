#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "loopsim/scenario.hpp"
#include "loopsim/writers.hpp"

#include "tests/support/simulate.hpp"
#include "tests/unit/trace_events.hpp"

using namespace loopsim;
using namespace loopsim::test;

namespace {

constexpr std::string_view kPage = "<html><body><!--loopsim:data--><p>the page</p></body></html>\n";

// The content of the element with this id.
std::string element(const std::string& html, const std::string& id) {
  const std::size_t begin = html.find('>', html.find("id=\"" + id + "\""));
  return html.substr(begin + 1, html.find("</script>", begin) - begin - 1);
}

Events log_of(const std::string& text) {
  Events events;
  Event& begin = events.add(EventKind::callback_begin, 0);
  begin.api = Api::main, begin.id = 1, begin.name = 0, begin.a = begin.b = begin.c = -1;
  events.add_text(EventKind::log, text).line = 1;
  return events;
}

std::string html(const Events& events, const HtmlOptions& options, std::size_t batch = 3) {
  StringOutput output;
  events.play(*make_html_writer(output, options), timer_info(), timer_summary(), batch);
  return output.text();
}

}  // namespace

TEST_CASE("The page is the template with the data at its mark", "[html]") {
  const Events events = timer_at_105();
  const std::string text = html(events, {.page = kPage, .file = "timer.json", .document = "{}\n"});
  CHECK(text.starts_with("<html><body><script type=\"application/x-ndjson\" id=\"trace\">"));
  CHECK(text.ends_with("</script><p>the page</p></body></html>\n"));
  CHECK(text.find("<!--loopsim:data-->") == std::string::npos);

  StringOutput lines;
  events.play(*make_jsonl_writer(lines), timer_info(), timer_summary(), 3);
  CHECK(element(text, "trace") == lines.text());  // contains nothing to escape
  CHECK(html(events, {.page = kPage, .file = "timer.json", .document = "{}\n"}, 1) == text);

  const auto run = nlohmann::json::parse(element(text, "run"));
  CHECK(run["file"] == "timer.json");
  CHECK(run["document"] == "{}\n");
  CHECK(run["summary"]["events"] == timer_summary().events);
  CHECK(run["summary"]["end"] == timer_summary().end_time);
  CHECK(run["summary"]["hash"] == "");
  CHECK(run["events"]["poll"][1]["blocked"] == "how long poll waited");
  CHECK(run["events"].size() == event_table().size());

  const auto explanations = nlohmann::json::parse(element(text, "explanations"));
  CHECK(!explanations["callbacks"].empty());
  CHECK(!explanations["rules"].empty());
}

TEST_CASE("The page has the reasons of all callbacks that it shows, and of those that never ran", "[html]") {
  StringOutput output;
  const auto writer = make_html_writer(output, {.page = kPage, .file = {}, .document = {}});
  TraceSink* const sinks[] = {writer.get()};
  run(*loopsim::testing::compile_text(R"({"main": [{"setTimeout": 9, "as": "late", "do": []},
      {"setTimeout": 5, "as": "ends", "do": [{"exit": 0}]}]})"),
      sinks);
  const auto explanations = nlohmann::json::parse(element(output.text(), "explanations"));
  std::vector<std::string> names;
  for (const auto& callback : explanations["callbacks"]) names.push_back(callback["name"]);
  CHECK(names == std::vector<std::string>{"main", "ends (setTimeout)", "late (setTimeout)"});
}

TEST_CASE("Texts of a scenario cannot become markup", "[html]") {
  const std::string hostile = "</script><script>alert(1)</script><!--<b>";
  MappedScript script;
  script.text = "// " + hostile;
  script.parts.push_back(
      {.name = hostile, .line = 1, .column = 1, .end_line = 1, .end_column = 2, .first = 1, .last = 1});
  script.parts.push_back({.kind = ScriptPart::Kind::body, .name = "main", .first = 1, .last = 1});
  const std::string text =
      html(log_of(hostile), {.page = kPage, .file = hostile, .document = "\"" + hostile + "\"", .script = &script});

  // Only the tags of the three data elements and of the page.
  std::size_t tags = 0;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) ++tags;
  CHECK(tags == 6 + 6);
  const auto run = nlohmann::json::parse(element(text, "run"));
  CHECK(run["document"] == "\"" + hostile + "\"");
  CHECK(run["script"] == "// " + hostile);
  CHECK(run["file"] == hostile);
  CHECK(run["parts"] == nlohmann::json::parse(R"([["step", "", 1, 1, 1, 2, 1, 1], ["body", "main", 0, 0, 0, 0, 1, 1]])")
                            .patch({{{"op", "replace"}, {"path", "/0/1"}, {"value", hostile}}}));
  const std::string trace = element(text, "trace");
  const std::string last = trace.substr(trace.rfind('\n', trace.size() - 2) + 1);
  CHECK(nlohmann::json::parse(last)["text"] == hostile);
}

TEST_CASE("The page shows the hash that stands before it", "[html]") {
  const Events events = timer_at_105();
  const auto hash = make_hash_sink();
  events.play(*hash, timer_info(), timer_summary(), 3);
  const std::string text = html(events, {.page = kPage, .file = {}, .document = {}, .hash = hash.get()});
  CHECK(nlohmann::json::parse(element(text, "run"))["summary"]["hash"] == format_hash(hash->hash()));
}

TEST_CASE("The page has a first language only if one is asked for", "[html][language]") {
  const auto language = [](std::optional<Language> asked) {
    const std::string text =
        html(timer_at_105(), {.page = kPage, .file = "timer.json", .document = {}, .language = asked});
    return nlohmann::json::parse(element(text, "run")).value("language", "none");
  };
  CHECK(language(std::nullopt) == "none");
  CHECK(language(Language::english) == "en");
  CHECK(language(Language::chinese) == "zh");
}
