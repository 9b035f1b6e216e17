// Why callbacks ran when they did: the chain of causes of every callback in a trace, as sentences, each with the rule of Node or
// libuv that it rests on.
//
// A sentence is a rule and its arguments, not a text: so `loopsim explain` prints it in English, and the page shows it in English
// or Chinese, from one table. It is made from the trace alone; a saved trace can be explained like a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"

namespace loopsim {

// What a sentence tells of the callback. An explanation has its sentences in this order.
enum class ExplanationPart : std::uint8_t {
  asked,   // who asked for it, when, and for what
  waited,  // what it waited for
  late,    // what held it up
  ran,     // why it ran when it did, in which phase
  result,  // what came of it: an exception, a step that took longer
  never,   // why it never ran
  chain,   // the callbacks that led to it, the nearest first, back to the main script
};

// A kind of sentence. Templates name their arguments by position: "{0} was armed at {1} ms by {2} for {3} ms". Both languages
// use the same positions, in the order that the language needs. Every argument appears in both.
struct ExplanationRule {
  std::string_view key;  // "timer-armed": stable, for tests and for the page; "timer-armed/10": as it was up to Node 10
  ExplanationPart part = ExplanationPart::asked;
  std::string_view english;  // whole sentences, ending with a full stop
  std::string_view chinese;
  std::string_view source;  // the file and function that implement it: "libuv: src/unix/core.c, uv_run()"; never empty
};
[[nodiscard]] std::span<const ExplanationRule> explanation_rules();

struct ExplanationArgument {
  std::string text;            // as it is shown: "timer1 (setTimeout)", "105.000", "poll", "3"
  std::uint64_t callback = 0;  // the callback that the text names, so that a page can link it; 0: none
};

struct ExplanationSentence {
  std::uint16_t rule = 0;   // into explanation_rules()
  std::uint64_t event = 0;  // sequence number of the event in the trace that it tells of
  std::vector<ExplanationArgument> arguments;
};

// The causes of one callback, by ExplanationPart: who asked for it and when, what it waited for, why it was late and why now; then
// the callbacks that led to it. Every callback that began has a sentence of `asked` and one of `ran`.
struct Explanation {
  std::uint64_t callback = 0;  // its id in the trace
  std::string label;           // "timer1", or "setTimeout@5" of one without a name
  std::string name;            // as in the text format: "timer1 (setTimeout)"
  std::uint32_t line = 0;      // of the step that asked for it, 0: not told
  std::uint64_t begin = 0;     // sequence number of its callback_begin; 0: it never began
  TimeNs begun_at = 0;
  std::uint64_t turn = 0;  // in which it began
  Phase phase = Phase::main;
  std::vector<ExplanationSentence> sentences;
};

// The sentence in English. `sentence.rule` must be in explanation_rules().
[[nodiscard]] std::string format_sentence(const ExplanationSentence& sentence);

// Listens to a run. Holds some 300 bytes of every callback; sentences are made when they are asked for. A trace of a version that
// has no profile is explained as one of the default profile.
class Explainer : public TraceSink {
 public:
  // The callbacks' ids in the order in which they began, then those that never did, by id. Like what follows, valid after end().
  [[nodiscard]] virtual std::span<const std::uint64_t> callbacks() const = 0;

  // `callback` must be one of callbacks(). An outline is an explanation without sentences.
  [[nodiscard]] virtual Explanation outline(std::uint64_t callback) const = 0;
  [[nodiscard]] virtual Explanation explanation(std::uint64_t callback) const = 0;

  // All of them, in the order of callbacks(): made at the first call and kept, which takes about a kilobyte each.
  [[nodiscard]] virtual std::span<const Explanation> explanations() const = 0;
};
[[nodiscard]] std::unique_ptr<Explainer> make_explainer();

// {"rules":[{"key","en","zh","source"}],"callbacks":[{"id","name","begin","sentences":[[rule,event,argument...]]}]} on one line.
// An argument is a string, or [string, callback id]. Only rules that the explanations use are listed, and numbered by that list.
[[nodiscard]] std::string explanations_json(std::span<const Explanation> explanations);
// The same of all callbacks, without a newline, piece by piece: for a million of them takes no more memory than for one.
void write_explanations_json(const Explainer& explainer, ByteOutput& output);

}  // namespace loopsim
