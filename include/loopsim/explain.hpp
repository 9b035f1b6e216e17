// Explanations of callbacks: the chain of causes of every callback in a trace, as sentences, each based on a rule of
// Node or libuv.
//
// A sentence is a rule and its arguments, not a text, so that `loopsim explain` and the page, which switches between
// English and Chinese, use one table. The trace is the only input, but for races; a saved trace can be explained like a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/language.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

struct RacesResult;  // races.hpp

// Topic of a sentence. The sentences of an explanation are in this order.
enum class ExplanationPart : std::uint8_t {
  asked,   // origin: who scheduled it, when, and with which arguments
  waited,  // reasons to wait
  late,    // reasons for its lateness
  ran,     // reason for its place in the order, and its phase
  result,  // result: an exception, a step that took longer
  never,   // reason why it never ran
  race,    // the callbacks that come in the other order, too, on a real machine
  chain,   // the callbacks that led to it, nearest first, back to the main script
};

// A kind of sentence. Templates refer to arguments by position: "{0} was armed at {1} ms by {2} for {3} ms". Both
// languages use the same positions, in any order. Every argument appears in both.
struct ExplanationRule {
  std::string_view key;  // "timer-armed": stable, for tests and the page; "timer-armed/10": the variant up to Node 10
  ExplanationPart part = ExplanationPart::asked;
  std::string_view english;  // whole sentences, ending with a full stop
  std::string_view chinese;
  std::string_view source;  // the file and function that implement it: "libuv: src/unix/core.c, uv_run()"; never empty
};
[[nodiscard]] std::span<const ExplanationRule> explanation_rules();

struct ExplanationArgument {
  std::string text;            // as shown: "timer1 (setTimeout)", "105.000", "poll", "3"
  std::uint64_t callback = 0;  // the callback named by the text, for links; 0: none
};

struct ExplanationSentence {
  std::uint16_t rule = 0;   // into explanation_rules()
  std::uint64_t event = 0;  // sequence number of the event in the trace
  std::vector<ExplanationArgument> arguments;
};

// The causes of one callback, ordered by ExplanationPart. Every callback that began has a sentence of `asked` and one
// of `ran`.
struct Explanation {
  std::uint64_t callback = 0;       // its id in the trace
  std::string label;                // "timer1", or "setTimeout@5" without a name
  std::string name;                 // as in the text format: "timer1 (setTimeout)"
  std::uint32_t line = 0;           // of the step that scheduled it, or added the listener; 0: unknown
  std::uint32_t function_line = 0;  // where a listener's function stands; 0: unknown
  std::uint64_t begin = 0;          // sequence number of its callback_begin; 0: it never began
  TimeNs begun_at = 0;
  std::uint64_t turn = 0;  // the turn in which it began
  Phase phase = Phase::main;
  std::vector<ExplanationSentence> sentences;
};

// The sentence in a language. `sentence.rule` must be in explanation_rules().
[[nodiscard]] std::string format_sentence(const ExplanationSentence& sentence, Language language = Language::english);

// Collects the facts of a run, about 300 bytes per callback; sentences are made on demand. A trace whose version has no
// profile is explained with the default profile.
class Explainer : public TraceSink {
 public:
  // Ids of the callbacks that began, in that order, then of those that never did, by id. Valid after end(), as are the
  // functions below.
  [[nodiscard]] virtual std::span<const std::uint64_t> callbacks() const = 0;

  // `callback` must be in callbacks(). An outline is an explanation without sentences.
  [[nodiscard]] virtual Explanation outline(std::uint64_t callback) const = 0;
  [[nodiscard]] virtual Explanation explanation(std::uint64_t callback) const = 0;

  // All explanations, in the order of callbacks(). Made at the first call and kept, about 1 kB each.
  [[nodiscard]] virtual std::span<const Explanation> explanations() const = 0;
};
// `races`: of the run, for sentences about them; not in the trace, so a saved trace has none. Read after end(); must
// outlive the explainer. Null: none.
// `language` is that of the arguments that are words, such as phases. Reports for programs and for readers of several
// languages take English ones.
[[nodiscard]] std::unique_ptr<Explainer> make_explainer(const RacesResult* races = nullptr,
                                                        Language language = Language::english);

// {"rules":[{"key","en","zh","source"}],"callbacks":[{"id","name","begin","sentences":[[rule,event,argument...]]}]}
// on one line. An argument is a string, or [string, callback id]. Only rules in use are listed; `rule` is an index into
// that list.
[[nodiscard]] std::string explanations_json(std::span<const Explanation> explanations);
// The same for all callbacks, without a newline, written piece by piece: memory use does not grow with their number.
void write_explanations_json(const Explainer& explainer, ByteOutput& output);
// The same for some of them. Those of `others` go to `sink` behind it; the rules are those of all.
class ExplanationSink {
 public:
  virtual ~ExplanationSink() = default;
  // `begin` is what `callbacks` would have of it before its sentences, which are JSON, too.
  virtual void add(std::string_view begin, std::span<const std::string> sentences) = 0;
};
void write_explanations_json(const Explainer& explainer, std::span<const std::uint64_t> callbacks, ByteOutput& output,
                             std::span<const std::uint64_t> others = {}, ExplanationSink* sink = nullptr);

}  // namespace loopsim
