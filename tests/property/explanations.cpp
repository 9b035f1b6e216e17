// Invariants of the explanations of every callback, checked for all shipped scenarios in every version of Node.
#include <set>
#include <string>
#include <vector>

#include "loopsim/explain.hpp"
#include "loopsim/races.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/trace_reader.hpp"

#include "tests/support/every_run.hpp"
#include "tests/support/explain_sources.hpp"
#include "tests/support/explanation_rules.hpp"
#include "tests/support/simulate.hpp"

using namespace loopsim;

namespace {

// The explanations of one run, and the first rule that they break.
struct Explained {
  std::vector<Explanation> explanations;
  std::string broken;
};

Explained explain(const Program& program) {
  testing::ExplanationRules rules;
  const auto explainer = make_explainer();
  TraceSink* const sinks[] = {&rules, explainer.get()};
  run(program, sinks);
  const auto made = explainer->explanations();
  return {{made.begin(), made.end()}, rules.broken(made)};
}

// Calls check(Explained) for every run.
template <class Check>
void for_every_explained_run(const Check& check) {
  const auto check_it = [&check](const Program& program, const auto&, const auto&) { check(explain(program)); };
  testing::for_every_run(check_it);
  testing::for_every_page(check_it);
}

}  // namespace

// Rules: tests/support/explanation_rules.hpp.
TEST_CASE("the explanations of every run keep their rules", "[property][explain]") {
  for_every_explained_run([](const Explained& explained) { CHECK(explained.broken == ""); });
}

TEST_CASE("every rule is what some run is explained with", "[property][explain]") {
  std::set<std::uint16_t> used;
  const auto note = [&used](std::span<const Explanation> explanations) {
    for (const Explanation& explanation : explanations) {
      for (const ExplanationSentence& sentence : explanation.sentences) used.insert(sentence.rule);
    }
  };
  for_every_explained_run([&note](const Explained& explained) { note(explained.explanations); });
  for (const std::string_view scenario :
       {testing::kNetworkAnswer, testing::kQuota, testing::kStolen, testing::kCollected, testing::kOverhead,
        testing::kSignalEnds, testing::kIdleChild, testing::kManyBefore, testing::kEndlessAwait, testing::kEndlessTurns,
        testing::kTwoBusyIntervals, testing::kEndlessMain, testing::kRefreshesItself, testing::kPromiseWays,
        testing::kAwaitWays}) {
    for (const char* const runtime : {"node-10", "node-12", "node-16", "node-18", "node-24"})
      note(explain(*testing::compile_text(std::string(scenario), runtime)).explanations);
  }
  for (const std::string_view scenario : {testing::kMainReturns, testing::kIdleHandle})
    note(explain(*testing::compile_text(std::string(scenario), "libuv-1.52")).explanations);
  note(explain(*testing::compile_text(std::string(testing::kPage), "chrome")).explanations);
  note(explain(*testing::compile_text(std::string(testing::kFrozenPage), "chrome")).explanations);
  for (const std::string_view scenario : {testing::kIoBlocking, testing::kIoPoll, testing::kIoAsync})
    note(explain(*testing::compile_text(std::string(scenario), "io")).explanations);
  for (const char* const runtime : {"node-4", "node-10", "node-24"})
    note(explain(*testing::compile_text(std::string(testing::kReturnsPromise), runtime)).explanations);
  for (const char* const runtime : {"node-4", "node-6", "node-10", "node-12", "node-18", "node-24"}) {
    for (const std::string& trace :
         {testing::polls_by_hand(runtime), testing::late_by_hand(runtime), testing::unnamed_promises(runtime)}) {
      const auto explainer = make_explainer();
      TraceSink* const sinks[] = {explainer.get()};
      REQUIRE(read_trace(trace, "by hand", sinks).empty());
      note(explainer->explanations());
    }
  }
  // Races are not in the trace. The second has more of one callback than are told; the last three have the other reasons.
  for (const char* const document :
       {R"("main": [{"setTimeout": 0, "do": []}, {"setImmediate": []}])",
        R"("main": [{"setTimeout": 0, "do": []}, {"setImmediate": []}, {"setImmediate": []}, {"setImmediate": []},
           {"setImmediate": []}, {"log": "x"}])",
        R"("main": [{"setTimeout": 0, "do": []}, {"fs": "readFile", "do": []}])",
        R"("main": [{"fs": "stat", "takes": "10ms", "do": []}, {"fs": "stat", "takes": "10ms", "do": []}])",
        R"("runtime": "chrome", "machine": {"tasks": "drawn"},
           "script": ["setTimeout(function timer() {}, 0);", "scheduler.postTask(function task() {});"])"}) {
    const ReadResult read = read_scenario("{" + std::string(document) + "}", "test.json", {});
    const CompileResult compiled = compile(*read.scenario);
    if (compiled.program == nullptr && read.scenario->script) continue;  // this build runs no JavaScript
    const RacesResult races = find_races(*read.scenario, *compiled.program);
    const auto explainer = make_explainer(&races);
    TraceSink* const sinks[] = {explainer.get()};
    run(*compiled.program, sinks);
    note(explainer->explanations());
  }
  for (std::size_t i = 0; i < explanation_rules().size(); ++i) {
    INFO(explanation_rules()[i].key);
    CHECK(used.contains(static_cast<std::uint16_t>(i)));
  }
}
