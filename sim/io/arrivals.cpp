#include "sim/io/arrivals.hpp"

#include <algorithm>

namespace loopsim::io {

namespace {
constexpr int kMostBursts = 1'000'000;  // without an arrival

// The sum; kNever when it is later than any time.
TimeNs later(TimeNs than, TimeNs by) { return by > kNever - than ? kNever : than + by; }
}  // namespace

Outside::Outside(const IoSpec& spec, std::uint64_t seed, Machine& machine) : machine_(machine) {
  std::uint32_t socket = 0;
  for (const IoGroup& group : spec.groups) {
    for (std::uint32_t i = 0; i < group.count; ++i, ++socket) {
      for (const IoArrivals& arrivals : group.arrivals) {
        const auto number = static_cast<std::uint32_t>(sources_.size());
        Source& source = sources_.emplace_back();
        source.arrivals = &arrivals;
        source.socket = socket;
        source.end = group.end;
        source.gap = Sampler(arrivals.when.gap, seed, MachineStream::io_arrivals, number);
        source.on = Sampler(arrivals.when.on, seed, MachineStream::io_on_off, 2 * number);
        source.off = Sampler(arrivals.when.off, seed, MachineStream::io_on_off, 2 * number + 1);
        source.on_until = arrivals.when.from;
      }
      if (group.end == kNever) continue;
      Source& source = sources_.emplace_back();
      source.socket = socket;
      source.end = group.end;
    }
  }
  for (std::uint32_t number = 0; number < sources_.size(); ++number) {
    const Source& source = sources_[number];
    if (source.arrivals != nullptr) {
      queue_next(number, source.arrivals->when.from);
    } else {
      machine_.schedule({source.end, number, FutureEvent::Kind::outside, number});
    }
  }
}

Arrival Outside::take(const FutureEvent& event) {
  const Source& source = sources_[event.data];
  if (source.arrivals == nullptr) return {source.socket, 0, true};
  queue_next(event.data, event.time);
  return {source.socket, source.arrivals->bytes, false};
}

void Outside::queue_next(std::uint32_t number, TimeNs after) {
  Source& source = sources_[number];
  const Arrivals& when = source.arrivals->when;
  if (when.count != 0 && source.sent == when.count) return;
  const TimeNs at = next_of(source, after);
  if (at >= when.until || at >= source.end || at == kNever) return;
  ++source.sent;
  machine_.schedule({at, number, FutureEvent::Kind::outside, number});
}

TimeNs Outside::next_of(Source& source, TimeNs after) {
  const Arrivals& when = source.arrivals->when;
  if (when.kind == Arrivals::Kind::list)
    return source.position == when.times.size() ? kNever : when.times[source.position++];
  const TimeNs gap = source.gap.draw();
  return when.has_bursts ? add_on_time(source, after, gap) : later(after, gap);
}

// `time` later, counting only the time in which the source is on.
TimeNs Outside::add_on_time(Source& source, TimeNs after, TimeNs time) {
  for (int bursts = 0; later(after, time) > source.on_until; ++bursts) {
    if (bursts == kMostBursts) {
      has_an_end_ = false;
      return kNever;
    }
    time -= std::max<TimeNs>(source.on_until - after, 0);
    after = later(std::max(after, source.on_until), source.off.draw());
    if (after == kNever) return kNever;
    source.on_until = later(after, std::max<TimeNs>(source.on.draw(), 1));
  }
  return later(after, time);
}

}  // namespace loopsim::io
