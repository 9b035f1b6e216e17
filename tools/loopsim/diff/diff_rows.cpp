#include "tools/loopsim/diff/diff_rows.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "tools/loopsim/diff/edit_script.hpp"

namespace loopsim::cli {
namespace {

bool is_row(EventKind kind) {
  switch (kind) {
    case EventKind::callback_begin:
    case EventKind::log:
    case EventKind::error_log:
    case EventKind::limit:
    case EventKind::exit: return true;
    default: return false;
  }
}

// Position of '@' in a generated name such as "setTimeout@5" (scheduled by line 5) or "then@5:41" (and column 41); npos:
// the name has no line.
std::size_t find_line(std::string_view name) {
  const std::size_t at = name.rfind('@');
  if (at == std::string_view::npos) return std::string_view::npos;
  const auto is_number = [](std::string_view text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return !text.empty() && std::ranges::all_of(text, is_digit);
  };
  const std::string_view place = name.substr(at + 1);
  const std::size_t colon = place.find(':');
  const bool has_column = colon != std::string_view::npos;
  return is_number(place.substr(0, colon)) && (!has_column || is_number(place.substr(colon + 1)))
             ? at
             : std::string_view::npos;
}

std::set<std::string_view> names_with_lines(const StoredTrace& trace) {
  std::set<std::string_view> names;
  for (const std::string& name : trace.names) {
    if (find_line(name) != std::string_view::npos) names.insert(name);
  }
  return names;
}

void add(std::string& text, std::string_view key, std::string_view value) {
  text.append(1, ' ').append(key).append(1, '=').append(value);
}

}  // namespace

bool places_agree(const StoredTrace& a, const StoredTrace& b) {
  const std::set<std::string_view> in_a = names_with_lines(a);
  const std::set<std::string_view> in_b = names_with_lines(b);
  return std::ranges::includes(in_a, in_b) || std::ranges::includes(in_b, in_a);
}

std::vector<Row> RowMaker::rows_of(const StoredTrace& trace) {
  if (options_.all_events) note_ids(trace);
  std::vector<Row> rows;
  std::string what;
  std::string when;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    if (!options_.all_events && !is_row(event.kind)) continue;
    what.clear();
    when.clear();
    Row row;
    if (options_.all_events) {
      spell_event(trace, event, what, when);
      add(when, "t", std::to_string(event.time));
      add(when, "loop", std::to_string(event.loop_time));
      add(when, "turn", std::to_string(event.turn));
      row.when = number(when);
    } else {
      spell_row(trace, event, what);
      row.when = static_cast<std::uint64_t>(event.time) + 1;
    }
    row.what = number(what);
    if (options_.ignore_times) row.when = 0;
    row.event = static_cast<std::uint32_t>(i);
    rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> RowMaker::texts_of(const StoredTrace& trace, const std::vector<Row>& rows) {
  note_ids(trace);
  std::vector<std::string> texts;
  for (const Row& row : rows) {
    std::string what;
    std::string when;
    spell_event(trace, trace.events[row.event], what, when);
    texts.push_back(what + when);
  }
  return texts;
}

std::uint32_t RowMaker::number(const std::string& text) {
  return numbers_.try_emplace(text, static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
}

std::string RowMaker::name_of(const StoredTrace& trace, const Event& event) const {
  std::string name(trace.name_of(event));
  if (options_.ignore_places) name.resize(std::min(name.size(), find_line(name)));
  return name;
}

// Names replace ids: ids are assigned in order of creation, so one additional callback changes all later ones.
void RowMaker::note_ids(const StoredTrace& trace) {
  names_by_id_.clear();
  for (const Event& event : trace.events) {
    if (event.kind != EventKind::schedule && event.kind != EventKind::callback_begin) continue;
    std::string name = name_of(trace, event);
    names_by_id_[event.id] = name.empty() ? std::string(to_string(event.api)) : name;
  }
}

void RowMaker::spell_row(const StoredTrace& trace, const Event& event, std::string& what) const {
  what = to_string(event.kind);
  switch (event.kind) {
    case EventKind::callback_begin:
      what.append(1, ' ').append(to_string(event.api));
      what.append(1, ' ').append(name_of(trace, event));
      break;
    case EventKind::log:
    case EventKind::error_log: what.append(1, ' ').append(trace.text_of(event)); break;
    case EventKind::limit: what.append(1, ' ').append(to_string(static_cast<LimitKind>(event.detail))); break;
    default: what += ' ' + std::to_string(event.a) + ' ' + std::to_string(event.detail); break;
  }
}

// Writes every key that event_table() lists for this kind of event.
void RowMaker::spell_event(const StoredTrace& trace, const Event& event, std::string& what, std::string& when) const {
  using Source = FieldInfo::Source;
  using Type = FieldInfo::Type;
  const auto id = [this](std::uint64_t value) {
    const auto found = names_by_id_.find(value);
    return found == names_by_id_.end() ? std::string("none") : found->second;
  };
  what = to_string(event.kind);
  if (event.kind != EventKind::turn)
    add(what, "phase", to_string(event.phase));  // a turn event has the phase in which the last turn ended
  for (const FieldInfo& field : event_table()[static_cast<std::size_t>(event.kind)].fields) {
    const bool is_time = field.type == Type::time_ns || field.type == Type::time_ms;
    std::string& text = is_time ? when : what;
    const auto signed_value = [&](std::int64_t value) {
      if (field.type == Type::flag) {
        if (value > 0) add(text, field.key, "true");
        return;
      }
      const bool is_id = field.type == Type::id;
      if (field.optional && (value == -1 || (is_id && value == 0))) return;
      add(text, field.key, is_id ? id(static_cast<std::uint64_t>(value)) : std::to_string(value));
    };
    const auto word = [&](std::uint8_t value) {
      if (!field.optional || value != 0) add(text, field.key, field.words[value]);
    };
    const auto callback = [&](std::uint64_t value) {
      if (!field.optional || value != 0) add(text, field.key, id(value));
    };
    switch (field.source) {
      case Source::api: word(static_cast<std::uint8_t>(event.api)); break;
      case Source::detail: field.type == Type::flag ? signed_value(event.detail) : word(event.detail); break;
      case Source::detail2: field.type == Type::flag ? signed_value(event.detail2) : word(event.detail2); break;
      case Source::a: signed_value(event.a); break;
      case Source::b: signed_value(event.b); break;
      case Source::c: signed_value(event.c); break;
      case Source::by: callback(event.by); break;
      case Source::id:  // the event's own id is omitted: its name is enough
        if (field.key != "id") callback(event.id);
        break;
      case Source::line:
        if (!options_.ignore_lines && event.line != 0) add(text, field.key, std::to_string(event.line));
        break;
      case Source::column:   // the line says enough to somebody who reads
      case Source::promise:  // numbers of things that are not shown
      case Source::result:
      case Source::value: break;
      case Source::name:
        if (event.name != kNoName) add(text, field.key, name_of(trace, event));
        break;
      case Source::text:
        if (event.text_size != 0) add(text, field.key, trace.text_of(event));
        break;
    }
  }
}

// ---- comparison ----------------------------------------------------------------------------------------------------

std::optional<std::size_t> first_difference(const std::vector<Row>& a, const std::vector<Row>& b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < shorter; ++i) {
    if (a[i].what != b[i].what || a[i].when != b[i].when) return i;
  }
  if (a.size() == b.size()) return std::nullopt;
  return shorter;
}

std::vector<AlignedRow> align(const std::vector<Row>& a, const std::vector<Row>& b) {
  using Mark = AlignedRow::Mark;
  const auto numbers = [](const std::vector<Row>& rows) {
    std::vector<std::uint32_t> result;
    result.reserve(rows.size());
    for (const Row& row : rows) result.push_back(row.what);
    return result;
  };
  std::vector<AlignedRow> aligned;
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  std::map<std::uint32_t, std::vector<std::size_t>> left_out;  // by `what`: indices in `aligned` of rows only in b
  for (const Edit edit : edits_in_stretches(numbers(a), numbers(b))) {
    AlignedRow& line = aligned.emplace_back();
    if (edit != Edit::insert) line.a = at_a++;
    if (edit != Edit::remove) line.b = at_b++;
    switch (edit) {
      case Edit::keep: line.mark = a[line.a].when == b[line.b].when ? Mark::same : Mark::other_time; break;
      case Edit::remove: line.mark = Mark::only_a; break;
      case Edit::insert:
        line.mark = Mark::only_b;
        left_out[b[line.b].what].push_back(aligned.size() - 1);
        break;
    }
  }
  // Pair equal rows that are only in a and only in b, in order.
  std::map<std::uint32_t, std::size_t> used;
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    if (aligned[i].mark != Mark::only_a) continue;
    const std::uint32_t what = a[aligned[i].a].what;
    const auto found = left_out.find(what);
    if (found == left_out.end() || used[what] == found->second.size()) continue;
    const std::size_t partner = found->second[used[what]++];
    AlignedRow& in_a = aligned[i];
    AlignedRow& in_b = aligned[partner];
    in_a.mark = in_b.mark = Mark::moved;
    in_a.other = in_b.b;
    in_b.other = in_a.a;
    in_a.comes_later = partner > i;
    in_b.comes_later = partner < i;
  }
  return aligned;
}

std::size_t counterpart(const std::vector<Row>& rows, std::size_t index, const std::vector<Row>& others) {
  const std::uint32_t what = rows[index].what;
  std::size_t rank = 0;
  for (std::size_t i = 0; i < index; ++i) {
    if (rows[i].what == what) ++rank;
  }
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (others[i].what == what && rank-- == 0) return i;
  }
  return kNoRow;
}

}  // namespace loopsim::cli
