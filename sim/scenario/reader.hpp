// Turns a Document into a Scenario and collects its errors.
//
//   reader.cpp              the top level, functions, reporting
//   reader_environment.cpp  runtime, limits, seed, params
//   reader_machine.cpp      the simulated machine
//   reader_inputs.cpp       inputs from outside the process
//   reader_io.cpp           the runtime `io`: models, sockets, costs
//   reader_steps.cpp        steps, their verbs and options
//   reader_values.cpp       values, texts with placeholders, durations, conditions
//   reader_expect.cpp       expectations and their cases
//   names.cpp               name resolution, after all steps are read
//
// A read_ function gets the node to read. It reports errors, and then returns any harmless value: the Scenario is
// discarded. A value of Kind::invalid has been reported already.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"

#include "sim/scenario/document.hpp"

namespace loopsim {

constexpr std::string_view kMainModule = "an ES module as the main script";
constexpr std::size_t kMostErrors = 100;  // the same for warnings
// Whether there are kMostErrors errors, so that reading stops: a million of them would cost a minute and a gigabyte.
[[nodiscard]] bool are_enough(const Diagnostics& diagnostics);

// The children of a list or an object, until `goes_on` is false.
class ReadChildren {
 public:
  struct End {};
  class Iterator {
   public:
    Iterator(const Document& document, NodeIndex node, const bool& goes_on)
        : document_(&document), node_(node), goes_on_(&goes_on) {}
    NodeIndex operator*() const { return node_; }
    Iterator& operator++() {
      node_ = document_->next(node_);
      return *this;
    }
    bool operator!=(End /*end*/) const { return node_ != kNone && *goes_on_; }

   private:
    const Document* document_;
    NodeIndex node_;
    const bool* goes_on_;
  };

  ReadChildren(const Document& document, NodeIndex parent, const bool& goes_on)
      : begin_(document, document.first_child(parent), goes_on) {}
  [[nodiscard]] Iterator begin() const { return begin_; }
  [[nodiscard]] static End end() { return {}; }

 private:
  Iterator begin_;
};

// A place of the document at which a generated name is made (labels.cpp).
struct LabelPlace {
  SharedLabel label;
  NodeIndex step = kNone;
  BodyIndex body = kNone;  // of a callback that is written there
};

struct IoArrivals;
struct IoGroup;
struct IoProcess;
struct InputVerb;  // what an input does (reader_inputs.cpp)

class Reader {
 public:
  Reader(Document& document, const ReadOptions& options, Diagnostics& diagnostics);

  // The document must have a root.
  Scenario read();
  // False when there are more errors than were reported.
  [[nodiscard]] bool told_all() const { return told_all_; }

 private:
  using Kind = Document::Kind;
  using Words = std::span<const std::string_view>;

  // The position of a step: some verbs differ inside an awaitable.
  enum class Position : std::uint8_t { statement, awaitable };

  // ---- reporting (reader.cpp) ----
  bool may_tell();  // whether to report one more error; if not, all loops over children_of() end
  void error(NodeIndex node, std::string message, std::string suggestion = {});
  void key_error(NodeIndex member, std::string message, std::string suggestion = {});
  void command_line_error(std::string message, std::string suggestion = {});
  void script_error(const Script& script, std::string message);
  void expected(NodeIndex node, std::string_view what);  // "expected WHAT, found ..."
  [[nodiscard]] std::string describe(NodeIndex node) const;
  void expected_steps(NodeIndex node, std::string_view what);
  [[nodiscard]] bool is_single_step(NodeIndex node) const;
  bool is_kind(NodeIndex node, Kind kind, std::string_view what);  // reports when it is not
  void check_keys(NodeIndex object, Words allowed, std::string_view what);
  bool check_name(NodeIndex node, std::string_view name, bool is_key = false);
  bool check_length(NodeIndex node, std::string_view name, bool is_key = false);  // of names in events
  [[nodiscard]] Kind kind(NodeIndex node) const { return document_.kind(node); }
  [[nodiscard]] std::string_view text(NodeIndex node) const { return document_.text(node); }
  [[nodiscard]] std::string_view key(NodeIndex member) const { return document_.key(member); }
  [[nodiscard]] ReadChildren children_of(NodeIndex node) const { return {document_, node, told_all_}; }

  // ---- top level (reader.cpp) ----
  Scenario read_of_io(NodeIndex root);
  void read_people_keys(NodeIndex root);

  // ---- a program in JavaScript (reader_script.cpp) ----
  void read_script(NodeIndex node);
  void read_script_environment(NodeIndex node);
  bool is_of_node(NodeIndex node);
  void read_script_arguments(NodeIndex node);
  void read_script_input(NodeIndex node);
  void read_script_stubs(NodeIndex node);
  void read_files(NodeIndex node);
  void read_file(NodeIndex node);
  void read_file_times(NodeIndex node, ScriptFile& file);
  void read_takes(NodeIndex node);
  void read_commands(NodeIndex node);
  void read_command(NodeIndex node);
  std::uint32_t keep_script_duration(NodeIndex node);

  // ---- functions (reader.cpp) ----
  void declare_functions(NodeIndex functions);
  void read_function(BodyIndex index, NodeIndex node);

  // ---- overrides (reader_overrides.cpp) ----
  void apply_overrides(NodeIndex root);
  void apply_override(NodeIndex root, const std::string& name, const std::string& value);
  NodeIndex find_param(NodeIndex root, const std::string& name, const std::string& value);
  NodeIndex make_place(const std::string& name, const std::string& value);
  NodeIndex make_child(NodeIndex node, std::string_view token, std::string_view below);
  void spell_out(NodeIndex node, std::string_view place);
  void no_place(const std::string& name, const std::string& value, NodeIndex node, std::string_view place);

  // ---- environment (reader_environment.cpp) ----
  void read_params(NodeIndex root);
  void substitute_params();
  void read_runtime(NodeIndex node);
  void read_profile(NodeIndex node);
  void read_machine(NodeIndex node);
  void read_preset(NodeIndex node);
  void read_task_choice(NodeIndex node);
  void read_machine_keys(NodeIndex node);
  std::int64_t read_millionths(NodeIndex node, std::int64_t low, std::int64_t high, std::string_view what);
  void read_overhead(NodeIndex node);
  void read_load(NodeIndex node);
  void read_load_policy(NodeIndex node, LoadSpec& load);
  void read_share(NodeIndex node, TimeNs burst, LoadSpec& load);
  void read_busy(NodeIndex node, NodeIndex busy, LoadSpec& load);
  TimeNs read_period(NodeIndex node);
  TimeNs read_time_between(NodeIndex node, TimeNs shortest, TimeNs longest);
  void read_scheduler(NodeIndex node);
  void read_scheduler_keys(NodeIndex node, SchedulerSpec& scheduler);
  TimeNs read_slice(NodeIndex node);
  int read_nice(NodeIndex node);
  std::uint32_t read_weight(NodeIndex node);
  bool read_pinned(NodeIndex node);
  void needs_scheduler(NodeIndex node, std::string_view key);
  [[nodiscard]] bool has_scheduler() const {
    return scenario_.machine.scheduler.policy != SchedulerSpec::Policy::sharing;
  }
  void read_quota(NodeIndex node);
  void read_idle_states(NodeIndex node);
  void read_steal(NodeIndex node);
  void read_stalls(NodeIndex node);
  void read_collection(NodeIndex node);
  void read_warm_up(NodeIndex node);
  bool runs_javascript(NodeIndex node, std::string_view key);
  void read_limits(NodeIndex node);
  void cap_limits();
  void read_seed(NodeIndex node);

  // ---- inputs (reader_inputs.cpp) ----
  void read_inputs(NodeIndex node);
  void read_user_inputs(NodeIndex node);
  void read_page(NodeIndex root);
  void read_answers(NodeIndex node, Script& script);
  void read_answer(NodeIndex node, Script& script);
  Arrivals read_arrivals(NodeIndex node, OutsideEvent::Kind what);
  void read_bursts(NodeIndex node, Arrivals& arrivals);
  const InputVerb* find_input_verb(NodeIndex node, NodeIndex& verb_member);
  void read_input(NodeIndex node);
  void read_client(NodeIndex node, OutsideEvent& event);
  int read_signal(NodeIndex node);

  // ---- the runtime `io` (reader_io.cpp) ----
  void read_io(NodeIndex root);
  Duration read_own_duration(NodeIndex node);
  void read_io_costs(NodeIndex io, IoSpec& spec);
  void read_io_models(NodeIndex io, IoSpec& spec);
  void read_io_model(NodeIndex node, IoSpec& spec);
  std::optional<IoProcess> read_io_model_word(NodeIndex node);
  std::optional<IoProcess> read_io_model_object(NodeIndex node);
  void read_io_model_options(NodeIndex node, IoProcess& process);
  void check_io_model(NodeIndex node, const IoProcess& process, const IoSpec& spec);
  void read_io_sockets(NodeIndex io, IoSpec& spec);
  IoGroup read_io_group(NodeIndex node);
  IoArrivals read_io_arrivals(NodeIndex node);
  void check_io_names(NodeIndex node, const IoSpec& spec);
  void check_io(NodeIndex node, const IoSpec& spec);

  // ---- steps (reader_steps.cpp) ----
  [[nodiscard]] std::uint32_t line_of(NodeIndex node) { return document_.line(node, line_hint_); }
  Block read_block(NodeIndex node);
  Step read_step(NodeIndex node, Position position);
  // The step's options, by their index in the verb's table.
  using Given = std::array<NodeIndex, kMostVerbOptions>;
  Given find_options(NodeIndex verb_member, const VerbInfo& verb) const;
  const VerbInfo* find_step_verb(NodeIndex node, NodeIndex& member);
  void report_other_family(NodeIndex member, const VerbInfo& verb);
  void report_no_verb(NodeIndex node);
  bool report_other_word(NodeIndex member);
  void report_unknown_option(NodeIndex member, const VerbInfo& verb);
  void check_step(const Step& step, const VerbInfo& verb, const Given& given, Position position);
  void check_since(NodeIndex member, std::string_view what, int since);
  [[nodiscard]] bool is_too_new(int since) const { return profile_ != nullptr && since > profile_->major; }
  void check_data(const Step& step, NodeIndex node);
  void check_request_error(NodeIndex node, Verb verb);
  void check_uv_error(NodeIndex node, std::span<const std::string_view> known);
  void check_event(const Step& step, NodeIndex node);
  Argument read_argument(NodeIndex node, const VerbInfo& verb, ArgumentKind kind, Key key);
  Callback read_callback(NodeIndex node, Key key);
  BodyIndex read_callback_body(NodeIndex node, Key key, Body::Kind kind);
  std::optional<BodyIndex> find_function(NodeIndex node);
  Awaitable read_awaitable(NodeIndex node);
  Argument read_value_or_step(NodeIndex node);
  std::string_view read_operation(NodeIndex node, const VerbInfo& verb);
  RequestTimes read_request_times(NodeIndex node);
  Value read_address(NodeIndex node, bool or_path);
  List<EventListener> read_listeners(NodeIndex node, const VerbInfo& verb);
  Value read_bytes(NodeIndex node);
  std::string_view read_plain_text(NodeIndex node, ArgumentKind argument);  // not empty
  Name read_name(NodeIndex node, bool defines);

  // ---- values (reader_values.cpp) ----
  Value read_value(NodeIndex node);
  List<Value> read_values(NodeIndex node);
  Value read_error_value(NodeIndex node);
  Value read_error_literal(NodeIndex node);
  Value read_text_value(NodeIndex node);
  List<TextPart> read_parts(NodeIndex node);
  std::string_view without_doubled(std::string_view written);
  bool read_placeholder(NodeIndex node, std::string_view inside, TextPart& part);
  TimeNs read_fixed_duration(NodeIndex node);
  Duration read_duration(NodeIndex node);
  const Duration* keep_duration(NodeIndex node);
  void read_distribution(NodeIndex node, Duration& duration);
  double read_shape(NodeIndex node, std::string_view what);
  Argument read_delay(NodeIndex node);
  Condition* read_condition(NodeIndex node);
  List<Assignment> read_assignments(NodeIndex node);
  Value read_count(NodeIndex node, std::string_view what);
  Value read_exit_code(NodeIndex node);
  std::int64_t read_whole(NodeIndex node, std::int64_t low, std::int64_t high, std::string_view what);
  [[nodiscard]] bool is_distribution(NodeIndex node) const;

  // ---- expectations (reader_expect.cpp) ----
  void read_expect(NodeIndex node);
  Expectation read_expectation(NodeIndex node);
  void read_exit(NodeIndex node, Expectation& expectation);
  void read_calls(NodeIndex node, Expectation& expectation);
  void read_times(NodeIndex node, Expectation& expectation);
  std::vector<std::string> read_lines(NodeIndex node, std::string_view what);
  void read_case(NodeIndex node);
  void read_case_runtimes(NodeIndex node, ExpectationCase& expectation);
  void check_label(NodeIndex node, std::string_view label, bool is_key);

  Document& document_;
  const ReadOptions& options_;
  Diagnostics& diagnostics_;
  bool told_all_ = true;
  Scenario scenario_;
  const Profile* profile_ = nullptr;

  // The step being read, for the callbacks inside it.
  struct StepContext {
    Verb verb = Verb::log;
    NodeIndex node = kNone;
    std::string_view label;     // the text of `as`, or empty
    std::size_t callbacks = 0;  // number of its values that are callbacks
    Position position = Position::statement;
    std::string_view operation;  // of fs
    std::string_view event;      // of the listener being read
  };
  StepContext step_;
  struct Candidate {
    const VerbInfo* verb;
    NodeIndex member;
  };
  struct Member {
    NodeIndex node;
    std::string_view key;
  };
  std::vector<Candidate> candidates_;                   // scratch of find_step_verb()
  std::vector<Member> members_;                         // of the step of which find_step_verb() was called last
  std::uint32_t next_stream_ = 0;                       // Duration::stream
  BodyIndex body_ = 0;                                  // the body being read
  std::uint32_t line_hint_ = 0;                         // for Document::line()
  bool keeps_labels_ = false;                           // there are expectations
  bool scheduler_given_ = false;                        // by the document, not by a preset
  std::vector<LabelPlace> label_places_;                // of all steps
  std::vector<std::string_view> labels_;                // if so, all callback names; sorted after all steps are read
  std::array<const Duration*, 127> fixed_durations_{};  // a cache by length
  std::vector<TextPart> parts_;                         // of the text being read
  // The parts of long texts, by Document::text_number(): a param may be used in very many places, and is scanned once.
  static constexpr std::size_t kLongText = 4096;
  std::unordered_map<std::uint64_t, std::vector<TextPart>> long_texts_;  // lookup only, never iterated
  std::map<std::string_view, BodyIndex> functions_;
  std::map<std::string, std::size_t, std::less<>> clients_;  // by name, index of their `connect` in the inputs
  std::uint32_t client_count_ = 0;
};

// True when `name` may be a variable; else `why_not` says why, as "is a reserved word of JavaScript".
[[nodiscard]] bool is_valid_name(std::string_view name, std::string_view& why_not);
// Letters, digits, _ and $, not beginning with a digit.
[[nodiscard]] bool is_identifier(std::string_view text);

// The label of a callback from its parts: see callback_label() in scenario.hpp.
[[nodiscard]] std::string make_callback_label(Verb verb, Key key, std::string_view as, std::size_t callbacks,
                                              std::string_view function, std::uint32_t line);
// Of a function of libuv: the name of the handle, or empty where that says nothing.
[[nodiscard]] std::string_view handle_label(Verb verb, std::string_view name);
[[nodiscard]] std::string make_listener_label(std::string_view event, std::string_view as, std::string_view function,
                                              std::uint32_t line);

// Adds the places of the generated names of a step that has no name of its own.
void add_label_places(const Step& step, std::vector<LabelPlace>& places);
// Adds the column to generated labels that several steps of one line would share: fills Scenario::shared_labels, and
// renames their bodies. `places`: of all steps.
void tell_labels_apart(Scenario& scenario, const Document& document, std::vector<LabelPlace> places);

// The profile nearest to a misspelt or unknown one.
[[nodiscard]] std::string nearest_profile(std::string_view word);

// Resolves every name in the scenario (names.cpp). False when it stopped at too many errors.
[[nodiscard]] bool resolve_names(Scenario& scenario, const Document& document, Diagnostics& diagnostics);

}  // namespace loopsim
