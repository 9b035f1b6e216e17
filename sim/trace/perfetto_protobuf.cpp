// Perfetto's own form: a sequence of TracePacket messages, whose fields and numbers are those of Perfetto's published .proto files
// (protos/perfetto/trace; docs/formats.md has those in use).
//
// The trace processor sorts packets by their time, and those of one time stay in the order of the file. So what is on one track is
// written in the order in which it happened, and times are whole nanoseconds.
//
// Names that repeat are interned: a number stands for them, once a packet of the sequence has defined it. The first packet says that
// nothing was defined before it, and all others that they need what was.

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "sim/trace/protobuf.hpp"
#include "sim/trace/viewer_form.hpp"

namespace loopsim {
namespace {

using protobuf::put_bytes;
using protobuf::put_fixed;
using protobuf::put_integer;
using protobuf::put_number;

// ---- fields, by message ----------------------------------------------------------------------------------------------------------

constexpr std::uint32_t kTracePacket = 1;  // of Trace

namespace packet {
constexpr std::uint32_t kTimestamp = 8, kSequenceId = 10, kTrackEvent = 11, kInternedData = 12, kSequenceFlags = 13,
                        kTrackDescriptor = 60, kFirstOnSequence = 87, kTraceAttributes = 126;
constexpr std::uint64_t kStateCleared = 1, kNeedsState = 2;  // flags
}  // namespace packet

namespace attributes {
constexpr std::uint32_t kAttribute = 1, kKey = 1, kText = 3;
}

namespace descriptor {
constexpr std::uint32_t kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8, kRank = 12,
                        kProcessOrdering = 19, kThreadOrdering = 20;
constexpr std::uint64_t kExplicit = 1;
constexpr std::uint32_t kProcessPid = 1, kProcessName = 6;                // of ProcessDescriptor
constexpr std::uint32_t kThreadPid = 1, kThreadTid = 2, kThreadName = 5;  // of ThreadDescriptor
constexpr std::uint32_t kUnit = 3;                                        // of CounterDescriptor
constexpr std::uint64_t kUnitCount = 2;
}  // namespace descriptor

namespace event {
constexpr std::uint32_t kCategoryIid = 3, kAnnotation = 4, kType = 9, kNameIid = 10, kTrack = 11, kName = 23,
                        kCounterValue = 30, kFlow = 47, kLastFlow = 48;
constexpr std::uint64_t kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4;  // types
}  // namespace event

namespace annotation {
constexpr std::uint32_t kNameIid = 1, kFlag = 2, kNatural = 3, kInteger = 4, kText = 6, kEntries = 11;
}

// The kinds of names that are interned: their fields in InternedData.
enum class Interned : std::uint8_t { category = 1, event = 2, annotation = 3 };
constexpr std::uint32_t kIid = 1, kInternedName = 2;

// ---- tracks ----------------------------------------------------------------------------------------------------------------------

// A track has a number of its own in the whole trace: a process, then its threads, then the rows of intervals and counters.
constexpr std::uint64_t kProcessShift = 40;
constexpr std::uint64_t kFirstRow = std::uint64_t{1} << 62U;

std::uint64_t uuid_of_process(ViewerTrack track) { return std::uint64_t{track.process} << kProcessShift; }
std::uint64_t uuid_of(ViewerTrack track) { return uuid_of_process(track) + track.thread; }

constexpr std::uint64_t kSequence = 1;  // there is one writer
constexpr std::size_t kFlushSize = 64U << 10;
// Names beyond these are written out: a program may make as many as it likes.
constexpr std::size_t kMostNames = 4096, kLongestName = 100;

class PerfettoProtobuf final : public ViewerForm {
 public:
  explicit PerfettoProtobuf(ByteOutput& output) : output_(output) {}

  void begin(const ViewerHeader& header) override {
    std::string all;
    const auto add = [&all](std::string_view key, std::string_view text) {
      std::string one;
      put_bytes(one, attributes::kKey, key);
      put_bytes(one, attributes::kText, text);
      put_bytes(all, attributes::kAttribute, one);
    };
    for (const auto& [key, text] : header.facts) add(key, text);
    for (const auto& [name, json] : header.params) add(fmt::format("params.{}", name), json);
    if (!header.widths.empty()) add("widths", header.widths);
    put_number(packet_, packet::kFirstOnSequence, 1);
    put_bytes(packet_, packet::kTraceAttributes, all);
    finish_packet(packet::kStateCleared);

    // The root of all tracks, whose number is 0, says how the others are ordered.
    std::string root;
    put_number(root, descriptor::kUuid, 0);
    put_number(root, descriptor::kProcessOrdering, descriptor::kExplicit);
    put_number(root, descriptor::kThreadOrdering, descriptor::kExplicit);
    put_descriptor(root);
  }

  void end() override {
    put_last();
    for (auto& [track, held] : held_) put_nested(track, held);
    output_.write(file_);
    file_.clear();
  }

  void name_process(ViewerTrack any_of_it, std::string_view name) override {
    std::string process, all;
    put_integer(process, descriptor::kProcessPid, any_of_it.process);
    put_bytes(process, descriptor::kProcessName, name);
    put_number(all, descriptor::kUuid, uuid_of_process(any_of_it));
    put_bytes(all, descriptor::kProcess, process);
    put_integer(all, descriptor::kRank, any_of_it.process);
    put_descriptor(all);
  }

  void name_track(ViewerTrack track, std::string_view name, std::uint64_t place) override {
    std::string thread, all;
    put_integer(thread, descriptor::kThreadPid, track.process);
    put_number(thread, descriptor::kThreadTid, track.thread);
    put_bytes(thread, descriptor::kThreadName, name);
    put_number(all, descriptor::kUuid, uuid_of(track));
    put_number(all, descriptor::kParent, uuid_of_process(track));
    put_bytes(all, descriptor::kThread, thread);
    put_number(all, descriptor::kRank, place);
    put_descriptor(all);
  }

  void open(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
            const ViewerArgs& args) override {
    start_last(track, time);
    describe(last_->message, event::kBegin, uuid_of(track), category, name, args);
  }

  void close(ViewerTrack track, TimeNs time, std::string_view /*name*/, const ViewerArgs& args) override {
    put_last();
    put_end(uuid_of(track), in_order(track, time), args);
  }

  // Held back: what it is in must be begun before it.
  void slice(ViewerTrack track, TimeNs from, TimeNs to, std::string_view category, std::string_view name,
             const ViewerArgs& args) override {
    held_[track].push_back({from, to, std::string(category), std::string(name), args});
  }

  void settle(ViewerTrack track, TimeNs time) override {
    std::vector<Held>& held = held_[track];
    const auto later =
        std::stable_partition(held.begin(), held.end(), [time](const Held& slice) { return slice.to <= time; });
    std::vector<Held> open(std::make_move_iterator(later), std::make_move_iterator(held.end()));
    held.erase(later, held.end());
    put_nested(track, held);
    held = std::move(open);
  }

  void instant(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
               const ViewerArgs& args) override {
    start_last(track, time);
    describe(last_->message, event::kInstant, uuid_of(track), category, name, args);
  }

  void begin_interval(ViewerTrack of, TimeNs time, std::string_view category, std::string_view name,
                      std::string_view id, std::string_view rows, const ViewerArgs& args) override {
    const auto [place, is_outermost] = intervals_.try_emplace({std::string(category), std::string(id)});
    Interval& interval = place->second;
    if (is_outermost) {
      interval.row = free_row(of, rows, time);
      interval.rows = rows;
    }
    ++interval.depth;
    interval.time = std::max(interval.time, time);
    put_begin(interval.row, interval.time, category, name, args);
  }

  void end_interval(ViewerTrack of, TimeNs time, std::string_view category, std::string_view /*name*/,
                    std::string_view id, const ViewerArgs& args) override {
    const auto place = intervals_.find({std::string(category), std::string(id)});
    if (place == intervals_.end()) return;
    Interval& interval = place->second;
    interval.time = std::max(interval.time, time);
    put_end(interval.row, interval.time, args);
    if (--interval.depth > 0) return;
    free_rows_[{of.process, std::move(interval.rows)}].insert({interval.time, interval.row});
    intervals_.erase(place);
  }

  // The arrow begins at a slice of its own, within the one that is open, and without a duration: a flow belongs to an event, and the
  // open slice has been written. (An instant would not do: the trace processor puts instants of one time into each other, up to 512.)
  void begin_arrow(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
                   std::uint64_t id) override {
    start_last(track, time);
    describe(last_->message, event::kBegin, uuid_of(track), category, name, {});
    put_fixed(last_->message, event::kFlow, id);
    const TimeNs at = last_->time;
    put_last();
    put_end(uuid_of(track), at, {});
  }

  void end_arrow(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
                 std::uint64_t id) override {
    const bool is_at_last = last_ && last_->track == track;
    if (!is_at_last) {
      start_last(track, time);
      describe(last_->message, event::kBegin, uuid_of(track), category, name, {});
    }
    put_fixed(last_->message, event::kLastFlow, id);
    if (!is_at_last) close(track, time, name, {});
  }

  void count(ViewerTrack of, TimeNs time, std::string_view name, std::span<const std::string_view> series,
             std::span<const std::int64_t> values) override {
    for (std::size_t i = 0; i < series.size(); ++i) {
      const auto [place, is_new] = counters_.try_emplace({of.process, fmt::format("{} {}", name, series[i])});
      Counter& counter = place->second;
      if (is_new) counter.row = put_counter_row(of, place->first.second);
      if (!is_new && counter.value == values[i]) continue;
      counter.value = values[i];
      message_.clear();
      put_number(message_, event::kType, event::kCounter);
      put_number(message_, event::kTrack, counter.row);
      put_integer(message_, event::kCounterValue, values[i]);
      put_event(time, message_);
    }
  }

 private:
  struct Held {
    TimeNs from, to;
    std::string category, name;
    ViewerArgs args;
  };
  // The last begin or instant of a track: an arrow may still end at it.
  struct Last {
    ViewerTrack track;
    TimeNs time;
    std::string message;
  };
  struct Interval {
    std::uint64_t row = 0;
    std::string rows;
    TimeNs time = 0;
    int depth = 0;
  };
  struct Counter {
    std::uint64_t row = 0;
    std::int64_t value = 0;
  };

  TimeNs in_order(ViewerTrack track, TimeNs time) {
    TimeNs& last = times_[track];
    last = std::max(last, time);
    return last;
  }

  // ---- rows

  // A row on which the last interval is over; or a new one.
  std::uint64_t free_row(ViewerTrack of, std::string_view rows, TimeNs time) {
    auto& free = free_rows_[{of.process, std::string(rows)}];
    if (!free.empty() && free.begin()->first <= time) return free.extract(free.begin()).value().second;
    std::string all = row_of(of, rows);
    put_descriptor(all);
    return kFirstRow + rows_++;
  }

  std::uint64_t put_counter_row(ViewerTrack of, std::string_view name) {
    std::string counter, all = row_of(of, name);
    put_number(counter, descriptor::kUnit, descriptor::kUnitCount);
    put_bytes(all, descriptor::kCounter, counter);
    put_descriptor(all);
    return kFirstRow + rows_++;
  }

  [[nodiscard]] std::string row_of(ViewerTrack of, std::string_view name) const {
    std::string all;
    put_number(all, descriptor::kUuid, kFirstRow + rows_);
    put_number(all, descriptor::kParent, uuid_of_process(of));
    put_bytes(all, descriptor::kName, name);
    return all;
  }

  // ---- events

  void start_last(ViewerTrack track, TimeNs time) {
    put_last();
    last_ = {track, in_order(track, time), {}};
  }
  void put_last() {
    if (!last_) return;
    put_event(last_->time, last_->message);
    last_.reset();
  }

  void put_begin(std::uint64_t uuid, TimeNs time, std::string_view category, std::string_view name,
                 const ViewerArgs& args) {
    message_.clear();
    describe(message_, event::kBegin, uuid, category, name, args);
    put_event(time, message_);
  }

  void put_end(std::uint64_t uuid, TimeNs time, const ViewerArgs& args) {
    message_.clear();
    put_number(message_, event::kType, event::kEnd);
    put_number(message_, event::kTrack, uuid);
    add(message_, args);
    put_event(time, message_);
  }

  // Slices in the order of their ends, as pairs of begin and end.
  void put_nested(ViewerTrack track, std::vector<Held>& slices) {
    put_last();
    std::ranges::reverse(slices);  // of two with the same times, the outer one is told later
    std::ranges::stable_sort(
        slices, [](const Held& a, const Held& b) { return a.from != b.from ? a.from < b.from : a.to > b.to; });
    std::vector<TimeNs> open;  // their ends
    const auto end_before = [&](TimeNs time) {
      for (; !open.empty() && open.back() <= time; open.pop_back()) put_end(uuid_of(track), open.back(), {});
    };
    for (const Held& slice : slices) {
      end_before(slice.from);
      put_begin(uuid_of(track), slice.from, slice.category, slice.name, slice.args);
      open.push_back(slice.to);
    }
    if (!open.empty()) end_before(open.front());
    slices.clear();
  }

  // Categories stand with commas between them.
  void describe(std::string& message, std::uint64_t type, std::uint64_t uuid, std::string_view categories,
                std::string_view name, const ViewerArgs& args) {
    put_number(message, event::kType, type);
    put_number(message, event::kTrack, uuid);
    for (std::size_t at = 0; at < categories.size();) {
      const std::size_t comma = std::min(categories.find(',', at), categories.size());
      put_number(message, event::kCategoryIid, intern(Interned::category, categories.substr(at, comma - at)));
      at = comma + 1;
    }
    if (const std::uint64_t iid = intern(Interned::event, name); iid != 0)
      put_number(message, event::kNameIid, iid);
    else
      put_bytes(message, event::kName, name);
    add(message, args);
  }

  void add(std::string& message, const ViewerArgs& args) {
    std::string object;
    const std::span<const ViewerArgs::Arg> all = args.all();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string_view within = all[i].within;
      if (within.empty()) {
        put_bytes(message, event::kAnnotation, annotated(all[i]));
        continue;
      }
      if (object.empty()) put_number(object, annotation::kNameIid, intern(Interned::annotation, within));
      put_bytes(object, annotation::kEntries, annotated(all[i]));
      if (i + 1 < all.size() && all[i + 1].within == within) continue;
      put_bytes(message, event::kAnnotation, object);
      object.clear();
    }
  }

  std::string annotated(const ViewerArgs::Arg& arg) {
    std::string one;
    put_number(one, annotation::kNameIid, intern(Interned::annotation, arg.key));
    switch (arg.type) {
      case ViewerArgs::Type::integer: put_integer(one, annotation::kInteger, arg.integer); break;
      case ViewerArgs::Type::natural: put_number(one, annotation::kNatural, arg.natural); break;
      case ViewerArgs::Type::text: put_bytes(one, annotation::kText, arg.text); break;
      case ViewerArgs::Type::flag: put_number(one, annotation::kFlag, arg.natural); break;
    }
    return one;
  }

  // The number of a name, which is defined in a packet of its own when it is new: an event may be held back after it. 0: none.
  std::uint64_t intern(Interned kind, std::string_view name) {
    auto& names = names_[static_cast<std::size_t>(kind) - 1];
    if (const auto known = names.find(name); known != names.end()) return known->second;
    if (kind == Interned::event && (names.size() >= kMostNames || name.size() > kLongestName)) return 0;
    const std::uint64_t iid = names.size() + 1;
    names.emplace(name, iid);
    std::string one, all;
    put_number(one, kIid, iid);
    put_bytes(one, kInternedName, name);
    put_bytes(all, static_cast<std::uint32_t>(kind), one);
    put_bytes(packet_, packet::kInternedData, all);
    finish_packet(packet::kNeedsState);
    return iid;
  }

  // ---- packets

  void put_event(TimeNs time, std::string_view message) {
    put_integer(packet_, packet::kTimestamp, time);
    put_bytes(packet_, packet::kTrackEvent, message);
    finish_packet(packet::kNeedsState);
  }

  void put_descriptor(std::string_view message) {
    put_bytes(packet_, packet::kTrackDescriptor, message);
    finish_packet(packet::kNeedsState);
  }

  void finish_packet(std::uint64_t flags) {
    put_number(packet_, packet::kSequenceId, kSequence);
    put_number(packet_, packet::kSequenceFlags, flags);
    put_bytes(file_, kTracePacket, packet_);
    packet_.clear();
    if (file_.size() < kFlushSize) return;
    output_.write(file_);
    file_.clear();
  }

  ByteOutput& output_;
  std::string file_, packet_, message_;
  std::optional<Last> last_;
  std::map<ViewerTrack, TimeNs> times_;  // of the last event on each track
  std::map<ViewerTrack, std::vector<Held>> held_;
  std::array<std::map<std::string, std::uint64_t, std::less<>>, 3> names_;
  std::map<std::pair<std::string, std::string>, Interval> intervals_;  // that are open, by category and id
  // By process and name: rows that are free, by the time since which they are.
  std::map<std::pair<std::uint32_t, std::string>, std::set<std::pair<TimeNs, std::uint64_t>>> free_rows_;
  std::map<std::pair<std::uint32_t, std::string>, Counter> counters_;
  std::uint64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<ViewerForm> make_perfetto_protobuf(ByteOutput& output) {
  return std::make_unique<PerfettoProtobuf>(output);
}

}  // namespace loopsim
