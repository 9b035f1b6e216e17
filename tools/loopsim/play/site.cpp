#include "tools/loopsim/play/site.hpp"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kHtml = "text/html; charset=utf-8";
constexpr std::string_view kText = "text/plain; charset=utf-8";
constexpr std::array<std::string_view, 2> kNames = {"127.0.0.1", "localhost"};

Answer refuse(int status, std::string why) { return {.status = status, .type = kText, .tag = {}, .text = std::move(why) + "\n"}; }

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

}  // namespace

std::optional<ServedFile> read_served(const std::string& path, std::string_view known_tag) {
  // A pipe without a writer would block.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode)) {
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    return std::nullopt;
  }
  ServedFile served;
  served.tag = fmt::format("\"{:x}-{:x}-{:x}.{:x}\"", status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  if (served.tag == known_tag) return served;
  std::array<char, 65536> piece;
  for (;;) {
    const ssize_t count = ::read(file.number(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) return served;
    served.text.append(piece.data(), static_cast<std::size_t>(count));
    if (served.text.size() > ServedFile::kMost) {
      errno = EFBIG;
      return std::nullopt;
    }
  }
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
  constexpr int kForbidden = 403;
  constexpr int kMissing = 404;
  if (!is_own_host(asked.host)) return refuse(421, "this is not the host that was asked for");
  if (!asked.origin.empty() && !is_own_origin(asked.origin)) return refuse(kForbidden, "other origins are not answered");
  if (asked.method != "GET" && asked.method != "HEAD") return refuse(405, "GET and HEAD are all that there is");

  const std::string_view path = asked.target.substr(0, asked.target.find('?'));
  if (path == "/") return {.status = 200, .type = kHtml, .tag = {}, .text = page_};
  if (path != "/file" || file_.empty()) return refuse(kMissing, "there is no such page");
  if (asked.fetch_site == "cross-site" || asked.fetch_site == "same-site") return refuse(kForbidden, "other sites are not answered");
  std::optional<ServedFile> file = read_served(file_, asked.known_tag);
  if (!file) return refuse(kMissing, "the file cannot be read");
  if (file->tag == asked.known_tag) return {.status = 304, .type = {}, .tag = std::move(file->tag), .text = {}};
  return {.status = 200, .type = kText, .tag = std::move(file->tag), .text = std::move(file->text)};
}

}  // namespace loopsim::cli
