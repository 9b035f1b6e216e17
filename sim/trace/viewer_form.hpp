// What viewers of traces read, as perfetto_writer and io_perfetto tell it: slices, instants, intervals, arrows and counters on
// tracks. There are two forms of it, and both have the same content: perfetto_json.cpp and perfetto_protobuf.cpp.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/time.hpp"
#include "loopsim/trace.hpp"
#include "loopsim/writers.hpp"

namespace loopsim {

// A thread of a process, which is a row of the viewer; both are numbered from 1.
struct ViewerTrack {
  std::uint32_t process = 1;
  std::uint64_t thread = 1;
  friend auto operator<=>(const ViewerTrack&, const ViewerTrack&) = default;
};

// The arguments of an event, in order. Keys, and the objects that they are in, must outlive it: they are literals.
class ViewerArgs {
 public:
  enum class Type : std::uint8_t { integer, natural, text, flag };
  struct Arg {
    std::string_view within;  // the object that it is a part of; empty: none. Parts of one object follow each other
    std::string_view key;
    Type type = Type::integer;
    std::int64_t integer = 0;
    std::uint64_t natural = 0;
    std::string text = {};
  };

  ViewerArgs& integer(std::string_view key, std::int64_t value) {
    add({.within = {}, .key = key, .type = Type::integer, .integer = value});
    return *this;
  }
  ViewerArgs& natural(std::string_view key, std::uint64_t value) { return natural({}, key, value); }
  ViewerArgs& natural(std::string_view within, std::string_view key, std::uint64_t value) {
    add({.within = within, .key = key, .type = Type::natural, .natural = value});
    return *this;
  }
  ViewerArgs& text(std::string_view key, std::string_view value) {
    add({.within = {}, .key = key, .type = Type::text, .text = std::string(value)});
    return *this;
  }
  ViewerArgs& flag(std::string_view key, bool value) {
    add({.within = {}, .key = key, .type = Type::flag, .natural = value ? 1U : 0U});
    return *this;
  }
  [[nodiscard]] std::span<const Arg> all() const { return args_; }

 private:
  void add(Arg arg) {
    if (args_.empty()) args_.reserve(kUsual);
    args_.push_back(std::move(arg));
  }

  static constexpr std::size_t kUsual = 8;
  std::vector<Arg> args_;
};

// What is said of the run as a whole.
struct ViewerHeader {
  std::vector<std::pair<std::string_view, std::string>> facts;
  std::span<const std::pair<std::string, std::string>> params;  // names, and values as JSON
  std::string_view widths;                                      // of a trace whose widths are not time; or empty
};

// Times are those that the viewer shows. On a track they are not to go back; one that does is shown at the last.
class ViewerForm {
 public:
  ViewerForm() = default;
  ViewerForm(const ViewerForm&) = delete;
  ViewerForm& operator=(const ViewerForm&) = delete;
  virtual ~ViewerForm() = default;

  virtual void begin(const ViewerHeader& header) = 0;
  virtual void end() = 0;

  virtual void name_process(ViewerTrack any_of_it, std::string_view name) = 0;
  virtual void name_track(ViewerTrack track, std::string_view name, std::uint64_t place) = 0;  // lower ones are above

  // Slices of a track are begun and ended in stack order; `name` is that of the slice.
  virtual void open(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
                    const ViewerArgs& args) = 0;
  virtual void close(ViewerTrack track, TimeNs time, std::string_view name, const ViewerArgs& args) = 0;
  // A slice that is over, after those inside it.
  virtual void slice(ViewerTrack track, TimeNs from, TimeNs to, std::string_view category, std::string_view name,
                     const ViewerArgs& args) = 0;
  // No slice() of the track that is told from here on begins before `time`.
  virtual void settle(ViewerTrack track, TimeNs time) = 0;
  virtual void instant(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
                       const ViewerArgs& args) = 0;

  // An interval that is on no track; those of one category and id are begun and ended in stack order. `rows` is the name of
  // the rows for intervals like this one.
  virtual void begin_interval(ViewerTrack of, TimeNs time, std::string_view category, std::string_view name,
                              std::string_view id, std::string_view rows, const ViewerArgs& args) = 0;
  virtual void end_interval(ViewerTrack of, TimeNs time, std::string_view category, std::string_view name,
                            std::string_view id, const ViewerArgs& args) = 0;

  // An arrow begins in the open slice of a track, and ends in the one that was opened last, or at an instant since.
  virtual void begin_arrow(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
                           std::uint64_t id) = 0;
  virtual void end_arrow(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
                         std::uint64_t id) = 0;

  // The series of one counter.
  virtual void count(ViewerTrack of, TimeNs time, std::string_view name, std::span<const std::string_view> series,
                     std::span<const std::int64_t> values) = 0;
};

// `output` must outlive it.
[[nodiscard]] std::unique_ptr<ViewerForm> make_perfetto_json(ByteOutput& output);
[[nodiscard]] std::unique_ptr<ViewerForm> make_perfetto_protobuf(ByteOutput& output);
[[nodiscard]] std::unique_ptr<ViewerForm> make_viewer_form(ByteOutput& output, PerfettoForm form);

}  // namespace loopsim
