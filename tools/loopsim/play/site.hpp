// What `loopsim play` answers: the playground, and the one file that it was started with. Nothing else of the disk can be asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loopsim::cli {

// A request, as far as the answer depends on it. Empty: the request has no such header.
struct Asked {
  std::string_view method;
  std::string_view target;
  std::string_view host;
  std::string_view origin;
  std::string_view fetch_site;  // Sec-Fetch-Site
  std::string_view known_tags;  // If-None-Match
  std::size_t hosts = 1;        // how many headers of that name there are
  bool has_content = false;
};

// What is wrong with a request that was not understood, or not read to its end.
enum class Misread : std::uint8_t { malformed, other_version, long_target, long_header, late };

struct Answer {
  int status = 0;
  std::string_view type = {};  // Content-Type
  std::string_view allow = {};
  std::string tag = {};  // ETag; may be empty
  std::string text = {};
};

// A regular file, of at most kMost bytes, and what tells it from what it was before: equal tags are equal contents.
struct ServedFile {
  static constexpr std::size_t kMost = std::size_t{16} << 20;
  std::string tag;
  std::string text;
};
// Empty: it cannot be read; errno says why (EFBIG: it is too long; EINVAL: it is no regular file).
[[nodiscard]] std::optional<ServedFile> read_served(const std::string& path);
// "could not read PATH: ...", for that errno.
[[nodiscard]] std::string why_unread(const std::string& path, int error);

class Site {
 public:
  // `page`: the playground. `file`: a path, or empty. Both must outlive the site.
  Site(std::string_view page, const std::string& file);

  // The names that the site is asked by: http://127.0.0.1:PORT and http://localhost:PORT. Requests by other names, and those that pages of
  // other origins send, are refused: so no page of the web can read the file, whatever name it has bound to this address.
  void set_port(std::uint16_t port);

  [[nodiscard]] Answer answer(const Asked& asked) const;
  [[nodiscard]] static Answer answer(Misread what);
  // There are as many connections as are allowed.
  [[nodiscard]] static Answer too_many();

 private:
  [[nodiscard]] bool is_own_host(std::string_view host) const;
  [[nodiscard]] bool is_own_origin(std::string_view origin) const;

  std::string page_;  // knows the name of the file
  const std::string& file_;
  std::string port_;
};

}  // namespace loopsim::cli
