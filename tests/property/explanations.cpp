// What must hold for the explanations of every callback: over all scenarios that ship, under every version of Node.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "loopsim/explain.hpp"
#include "loopsim/trace_reader.hpp"

#include "sim/trace/time_text.hpp"
#include "tests/support/every_run.hpp"
#include "tests/support/explain_sources.hpp"
#include "tests/support/simulate.hpp"

using namespace loopsim;

namespace {

struct Explained {
  std::map<std::uint64_t, Event> begun;  // callback_begin, by callback
  std::map<std::uint64_t, Event> asked;  // schedule, by callback
  std::uint64_t events = 0;
  std::vector<Explanation> explanations;
};

class Begins final : public TraceSink {
 public:
  explicit Begins(Explained& explained) : explained_(explained) {}
  void begin(const RunInfo&) override {}
  void events(const EventBatch& batch) override {
    for (const Event& event : batch.events) {
      if (event.kind == EventKind::callback_begin) explained_.begun.emplace(event.id, event);
      if (event.kind == EventKind::schedule) explained_.asked.emplace(event.id, event);
      explained_.events = event.sequence;
    }
  }
  void end(const RunSummary&) override {}

 private:
  Explained& explained_;
};

Explained explain(const Program& program) {
  Explained explained;
  Begins begins(explained);
  const auto explainer = make_explainer();
  TraceSink* const sinks[] = {&begins, explainer.get()};
  run(program, sinks);
  explained.explanations.assign(explainer->explanations().begin(), explainer->explanations().end());
  return explained;
}

// Calls check(Explained) for every run.
template <class Check>
void for_every_explained_run(const Check& check) {
  testing::for_every_run([&check](const Program& program, const auto&, const auto&) { check(explain(program)); });
}

const ExplanationRule& rule_of(const ExplanationSentence& sentence) { return explanation_rules()[sentence.rule]; }

bool has_part(const Explanation& explanation, ExplanationPart part) {
  return std::ranges::any_of(explanation.sentences, [part](const auto& one) { return rule_of(one).part == part; });
}

bool ends_with_lateness(std::string_view key) { return key.substr(0, key.find('/')).ends_with("-ran-late"); }

}  // namespace

TEST_CASE("every callback is explained: who asked for it, and why it ran when it did", "[property][explain]") {
  for_every_explained_run([](const Explained& explained) {
    std::set<std::uint64_t> ids;
    for (const Explanation& explanation : explained.explanations) {
      INFO(explanation.name << " #" << explanation.callback);
      CHECK(ids.insert(explanation.callback).second);
      CHECK(has_part(explanation, ExplanationPart::asked));
      const bool ran = explained.begun.contains(explanation.callback);
      CHECK(has_part(explanation, ExplanationPart::ran) == ran);
      CHECK(has_part(explanation, ExplanationPart::never) == !ran);
      CHECK(explanation.begin == (ran ? explained.begun.at(explanation.callback).sequence : 0));
      CHECK(std::ranges::is_sorted(explanation.sentences, {}, [](const auto& one) { return rule_of(one).part; }));
    }
    for (const auto& [id, event] : explained.begun) CHECK(ids.contains(id));
    for (const auto& [id, event] : explained.asked) CHECK(ids.contains(id));
    CHECK(ids.size() == explained.explanations.size());
  });
}

TEST_CASE("sentences tell of events that there are, and name callbacks that there are", "[property][explain]") {
  for_every_explained_run([](const Explained& explained) {
    for (const Explanation& explanation : explained.explanations) {
      for (const ExplanationSentence& sentence : explanation.sentences) {
        INFO(explanation.name << " #" << explanation.callback << ": " << format_sentence(sentence));
        CHECK(sentence.event >= 1);
        CHECK(sentence.event <= explained.events);
        for (const ExplanationArgument& argument : sentence.arguments) {
          CHECK_FALSE(argument.text.empty());
          const bool exists = argument.callback == 0 || explained.begun.contains(argument.callback) ||
                              explained.asked.contains(argument.callback);
          CHECK(exists);
        }
      }
    }
  });
}

TEST_CASE("the lateness that an explanation states is begin - due, and it is stated when there is one",
          "[property][explain]") {
  for_every_explained_run([](const Explained& explained) {
    for (const Explanation& explanation : explained.explanations) {
      const auto begun = explained.begun.find(explanation.callback);
      if (begun == explained.begun.end()) continue;
      const Event& event = begun->second;
      INFO(explanation.name << " #" << explanation.callback);
      for (const ExplanationSentence& sentence : explanation.sentences) {
        if (!ends_with_lateness(rule_of(sentence).key)) continue;
        CHECK(sentence.arguments.at(1).text == ms_text(event.time));
        CHECK(sentence.arguments.at(2).text == ms_text(event.time - event.a));
        CHECK(event.time > event.a);
      }
      const bool is_timer = event.api == Api::set_timeout || event.api == Api::set_interval;
      if (!is_timer || event.phase != Phase::timers) continue;
      CHECK(std::ranges::any_of(explanation.sentences,
                                [](const auto& one) { return ends_with_lateness(rule_of(one).key); }) == (event.b > 0));
      if (event.b <= 0) continue;
      CHECK(has_part(explanation, ExplanationPart::late));
    }
  });
}

TEST_CASE("every rule is what some run is explained with", "[property][explain]") {
  std::set<std::uint16_t> used;
  const auto note = [&used](std::span<const Explanation> explanations) {
    for (const Explanation& explanation : explanations) {
      for (const ExplanationSentence& sentence : explanation.sentences) used.insert(sentence.rule);
    }
  };
  for_every_explained_run([&note](const Explained& explained) { note(explained.explanations); });
  for (const std::string_view scenario : {testing::kNetworkAnswer, testing::kQuota, testing::kOverhead,
                                          testing::kSignalEnds, testing::kIdleChild, testing::kManyBefore}) {
    for (const char* const runtime : {"node-12", "node-16", "node-18", "node-24"})
      note(explain(*testing::compile_text(std::string(scenario), runtime)).explanations);
  }
  for (const char* const runtime : {"node-4", "node-6", "node-10", "node-12", "node-18", "node-24"}) {
    for (const std::string& trace : {testing::polls_by_hand(runtime), testing::late_by_hand(runtime)}) {
      const auto explainer = make_explainer();
      TraceSink* const sinks[] = {explainer.get()};
      REQUIRE(read_trace(trace, "by hand", sinks).empty());
      note(explainer->explanations());
    }
  }
  for (std::size_t i = 0; i < explanation_rules().size(); ++i) {
    INFO(explanation_rules()[i].key);
    CHECK(used.contains(static_cast<std::uint16_t>(i)));
  }
}
