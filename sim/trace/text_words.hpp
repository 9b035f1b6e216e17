// The sentences of a text trace about single events.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/language.hpp"
#include "loopsim/trace.hpp"

#include "sim/trace/by_id.hpp"

namespace loopsim {

// Labels of callbacks: the name in the scenario, or the API that created them.
class Labels {
 public:
  void begin(const RunInfo& info, Language language);
  void add_names(std::span<const std::string> names);

  [[nodiscard]] Language language() const { return language_; }
  [[nodiscard]] bool is_libuv_alone() const { return is_libuv_alone_; }
  // What a run begins with.
  [[nodiscard]] std::string main_words() const;

  // Stores the label data of a schedule or callback_begin event.
  void learn(const Event& event);
  // A request of the callback has finished; if it makes another, that one is submitted at the same time.
  void learn_ready(const Event& ready);

  // When the callback, or its current request, was scheduled; -1: unknown.
  [[nodiscard]] TimeNs asked_at(std::uint64_t id) const {
    const Label* const label = labels_.find(id);
    return label == nullptr ? -1 : label->asked_at;
  }

  [[nodiscard]] std::string name_of(const Event& event) const;  // of the event's own callback
  [[nodiscard]] std::string name_of(std::uint64_t id) const;    // of any callback learned before
  [[nodiscard]] bool is_named(const Event& event) const { return event.name != kNoName && !names_[event.name].empty(); }
  // Whether the name contains the API, as "setTimeout@5" does.
  [[nodiscard]] bool name_tells_api(const Event& event) const;
  [[nodiscard]] std::string named(std::uint32_t name) const { return name == kNoName ? std::string() : names_[name]; }

 private:
  struct Label {
    std::uint32_t name = kNoName;
    std::uint32_t line = 0;
    Api api = Api::none;
    TimeNs asked_at = -1;
  };
  [[nodiscard]] std::string words(const Label& label, std::uint64_t id) const;

  Language language_ = Language::english;
  bool is_libuv_alone_ = false;
  std::vector<std::string> names_;
  ById<Label> labels_;
};

// In the language of the labels, or in the one given.
[[nodiscard]] std::string poll_words(const Event& poll, const Labels& labels);
// "read ran 5.000-95.000 on thread 0, after waiting 5.000 ms for a thread"
[[nodiscard]] std::string ready_words(const Event& ready, std::string_view op, const Labels& labels);
[[nodiscard]] std::string callback_words(const Event& begin, std::string_view op, const Labels& labels);
[[nodiscard]] std::string schedule_words(const Event& event, std::string_view op, const Labels& labels);
[[nodiscard]] std::string cancel_words(const Event& event, const Labels& labels);
[[nodiscard]] std::string settle_words(const Event& event, const Labels& labels);
[[nodiscard]] std::string late_words(const Event& begin, const Labels& labels);  // empty when it is not late
[[nodiscard]] std::string drain_words(const Event& event, Language language);
[[nodiscard]] std::string burn_words(const Event& event, Language language);
[[nodiscard]] std::string receive_words(const Event& event, std::string_view text, const Labels& labels);
[[nodiscard]] std::string caught_words(const Event& event, std::string_view text, Language language);
[[nodiscard]] std::string loop_delay_words(const Event& event, Language language);
// Of a browser: what its thread has waited for; a frame.
[[nodiscard]] std::string wait_words(const Event& event, Language language);
[[nodiscard]] std::string frame_words(const Event& event, Language language);
[[nodiscard]] std::string answer_words(const Event& event, std::string_view text, Language language);
[[nodiscard]] std::string input_words(const Event& event, std::string_view text, Language language);
[[nodiscard]] std::string stall_words(const Event& event, Language language);
// Of a step (is_step); empty where nothing is to be said.
[[nodiscard]] std::string step_words(const Event& event, std::string_view text, const Labels& labels);

}  // namespace loopsim
