#include "tools/loopsim/play/site.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kHtml = "text/html; charset=utf-8";
constexpr std::string_view kText = "text/plain; charset=utf-8";
constexpr std::array<std::string_view, 2> kNames = {"127.0.0.1", "localhost"};

enum Status : int {
  kFound = 200,
  kUnchanged = 304,
  kBadRequest = 400,
  kForbidden = 403,
  kMissing = 404,
  kNotAllowed = 405,
  kLate = 408,
  kLongTarget = 414,
  kWrongHost = 421,
  kLongHeader = 431,
  kUnreadable = 500,
  kTooMany = 503,
  kOtherVersion = 505,
};

constexpr std::size_t kLongestTarget = 8000;  // what RFC 9110 asks of a server to take

Answer refuse(int status, std::string why) { return {.status = status, .type = kText, .text = std::move(why) + "\n"}; }

// As the value of an attribute.
std::string escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '"': escaped += "&quot;"; break;
      case '<': escaped += "&lt;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

// The playground, told that a file is served beside it, and allowed to ask for it.
std::string page_with(std::string_view page, const std::string& file) {
  constexpr std::string_view kHead = "<head>";
  constexpr std::string_view kPolicy = "default-src 'none';";
  std::string text(page);
  if (file.empty()) return text;
  if (const std::size_t policy = text.find(kPolicy); policy != std::string::npos) {
    text.insert(policy + kPolicy.size(), " connect-src 'self';");
  }
  if (const std::size_t head = text.find(kHead); head != std::string::npos) {
    text.insert(head + kHead.size(), "<meta name=\"loopsim-file\" content=\"" + escaped(file_name_of(file)) + "\">");
  }
  return text;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    const int error = errno;
    if (number_ >= 0) ::close(number_);
    errno = error;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

std::string tag_of(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("\"{:016x}{:016x}\"", hash.high64, hash.low64);
}

// Whether If-None-Match has the tag.
bool has_tag(std::string_view tags, std::string_view tag) {
  constexpr std::string_view kWeak = "W/";
  constexpr std::string_view kBetween = ", \t";
  while (!tags.empty()) {
    const std::size_t begin = tags.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) return false;
    tags.remove_prefix(begin);
    const std::size_t end = std::min(tags.find_first_of(kBetween), tags.size());
    std::string_view one = tags.substr(0, end);
    if (one.starts_with(kWeak)) one.remove_prefix(kWeak.size());
    if (one == tag || one == "*") return true;
    tags.remove_prefix(end);
  }
  return false;
}

}  // namespace

std::optional<ServedFile> read_served(const std::string& path) {
  // A pipe without a writer would block.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode)) {
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    return std::nullopt;
  }
  ServedFile served;
  std::array<char, 65536> piece;
  for (;;) {
    const ssize_t count = ::read(file.number(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    served.text.append(piece.data(), static_cast<std::size_t>(count));
    if (served.text.size() > ServedFile::kMost) {
      errno = EFBIG;
      return std::nullopt;
    }
  }
  served.tag = tag_of(served.text);
  return served;
}

std::string why_unread(const std::string& path, int error) {
  const std::string why = error == EFBIG    ? fmt::format("it is longer than {} MiB", ServedFile::kMost >> 20U)
                          : error == EINVAL ? "it is no regular file"
                                            : std::generic_category().message(error);
  return "could not read " + path + ": " + why;
}

Site::Site(std::string_view page, const std::string& file) : page_(page_with(page, file)), file_(file) {}

void Site::set_port(std::uint16_t port) { port_ = std::to_string(port); }

bool Site::is_own_host(std::string_view host) const {
  for (const std::string_view name : kNames) {
    if (host == fmt::format("{}:{}", name, port_) || (port_ == "80" && host == name)) return true;
  }
  return false;
}

bool Site::is_own_origin(std::string_view origin) const {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && is_own_host(origin.substr(kScheme.size()));
}

Answer Site::answer(const Asked& asked) const {
  // The host is that of an absolute target, where it has one (RFC 9112, 3.2.2).
  constexpr std::string_view kScheme = "http://";
  std::string_view host = asked.host;
  std::string_view target = asked.target;
  if (asked.hosts != 1) return refuse(kBadRequest, "a request has one Host");
  if (target.size() > kLongestTarget) return answer(Misread::long_target);
  if (target.starts_with(kScheme)) {
    target.remove_prefix(kScheme.size());
    host = target.substr(0, target.find_first_of("/?"));
    target.remove_prefix(host.size());
  }
  if (!is_own_host(host)) {
    return refuse(kWrongHost,
                  fmt::format("this is http://{}:{}/, and is asked by no other name", kNames.front(), port_));
  }
  if (!asked.origin.empty() && !is_own_origin(asked.origin))
    return refuse(kForbidden, "pages of other origins are not answered");
  if (asked.method != "GET" && asked.method != "HEAD") {
    Answer answer = refuse(kNotAllowed, "GET and HEAD are all that there is");
    answer.allow = "GET, HEAD";
    return answer;
  }
  if (asked.has_content) return refuse(kBadRequest, "a question has no content here");

  const std::string_view path = target.substr(0, target.find('?'));
  if (path == "/" || path.empty()) return {.status = kFound, .type = kHtml, .text = page_};
  if (path != "/file" || file_.empty()) return refuse(kMissing, "there is no such page");
  if (asked.fetch_site == "cross-site" || asked.fetch_site == "same-site") {
    return refuse(kForbidden, "pages of other origins are not answered");
  }
  std::optional<ServedFile> file = read_served(file_);
  if (!file) {
    const int error = errno;
    return refuse(error == ENOENT || error == ENOTDIR ? kMissing : kUnreadable, why_unread(file_, error));
  }
  if (has_tag(asked.known_tags, file->tag)) return {.status = kUnchanged, .tag = std::move(file->tag)};
  return {.status = kFound, .type = kText, .tag = std::move(file->tag), .text = std::move(file->text)};
}

Answer Site::answer(Misread what) {
  switch (what) {
    case Misread::other_version: return refuse(kOtherVersion, "HTTP/1.1 and HTTP/1.0 are all that there is");
    case Misread::long_target: return refuse(kLongTarget, "the address is too long");
    case Misread::long_header: return refuse(kLongHeader, "the header is too long");
    case Misread::late: return refuse(kLate, "the request did not come in time");
    case Misread::malformed: break;
  }
  return refuse(kBadRequest, "this is no request of HTTP");
}

Answer Site::too_many() { return refuse(kTooMany, "there are too many connections"); }

}  // namespace loopsim::cli
