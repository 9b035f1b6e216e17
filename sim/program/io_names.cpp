// The words of the runtime `io`, and the names of its sockets.
#include "loopsim/io.hpp"

namespace loopsim {

namespace {
constexpr std::array<std::string_view, kIoModels> kModels = {
    "blocking",   "blocking-clients", "nonblocking",  "select", "poll",   "epoll",
    "epoll-edge", "signal",           "signal-queue", "async",  "threads"};
constexpr std::array<std::string_view, kIoCosts> kCosts = {"call",   "copy",   "scan",     "ready", "switch",
                                                           "signal", "submit", "complete", "thread"};
static_assert(kModels.back() == "threads" && kCosts.back() == "thread");
}  // namespace

std::span<const std::string_view> io_models() { return kModels; }
std::string_view to_string(IoModel model) { return kModels[static_cast<std::size_t>(model)]; }
std::span<const std::string_view> io_costs() { return kCosts; }

std::vector<std::string> io_socket_names(const IoSpec& spec) {
  std::vector<std::string> names;
  names.reserve(spec.sockets);
  for (const IoGroup& group : spec.groups) {
    for (std::uint32_t i = 1; i <= group.count; ++i) {
      if (group.name.empty())
        names.push_back("socket" + std::to_string(kFirstSocket + names.size()));
      else
        names.push_back(group.count == 1 ? group.name : group.name + std::to_string(i));
    }
  }
  return names;
}

}  // namespace loopsim
