// What `loopsim play` answers, without its server (tests/play has that): which requests are its own, and what it says of the file.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/loopsim/play/site.hpp"

namespace {

using loopsim::cli::Answer;
using loopsim::cli::Asked;
using loopsim::cli::Misread;
using loopsim::cli::Site;

constexpr std::string_view kPage =
    "<html><head><meta content=\"default-src 'none'; script-src 'unsafe-inline'\"></head><div id=\"play\">";

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/loopsim-site-XXXXXX";
    path_ = ::mkdtemp(name);
  }
  ~Folder() { std::system(("rm -rf " + path_).c_str()); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

void write_file(const std::string& path, std::string_view text) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  CHECK(std::fwrite(text.data(), 1, text.size(), file) == text.size());
  CHECK(std::fclose(file) == 0);
}

Asked asked(std::string_view target) {
  Asked request;
  request.method = "GET";
  request.target = target;
  request.host = "127.0.0.1:4711";
  return request;
}

std::string short_of(const Answer& answer) { return std::to_string(answer.status) + " " + answer.text; }

}  // namespace

TEST_CASE("play answers to its own names, and to no other") {
  const std::string none;
  Site site(kPage, none);
  site.set_port(4711);
  const std::string wrong = "421 this is http://127.0.0.1:4711/, and is asked by no other name\n";
  for (const std::string_view own : {"127.0.0.1:4711", "localhost:4711"}) {
    Asked request = asked("/");
    request.host = own;
    CHECK(site.answer(request).status == 200);
  }
  for (const std::string_view other : {"", "127.0.0.1", "localhost", "127.0.0.1:4712", "evil.example:4711",
                                       "127.0.0.1:4711.evil.example", "127.0.0.1:47110", "LOCALHOST:4711 "}) {
    Asked request = asked("/");
    request.host = other;
    CHECK(short_of(site.answer(request)) == wrong);
  }
  for (const std::size_t hosts : {0U, 2U}) {
    Asked request = asked("/");
    request.hosts = hosts;
    CHECK(short_of(site.answer(request)) == "400 a request has one Host\n");
  }

  // Of an absolute target, its own host counts.
  CHECK(site.answer(asked("http://localhost:4711/")).status == 200);
  CHECK(site.answer(asked("http://localhost:4711")).status == 200);
  CHECK(site.answer(asked("http://localhost:4711?lang=zh")).status == 200);
  CHECK(short_of(site.answer(asked("http://evil.example/"))) == wrong);
  CHECK(short_of(site.answer(asked("http://127.0.0.1:4711@evil.example/"))) == wrong);

  site.set_port(80);
  Asked request = asked("/");
  request.host = "localhost";
  CHECK(site.answer(request).status == 200);
}

TEST_CASE("play answers no page of another origin") {
  const Folder folder;
  const std::string file = folder.path("app.js");
  write_file(file, "console.log(1);\n");
  Site site(kPage, file);
  site.set_port(4711);
  const std::string refused = "403 pages of other origins are not answered\n";
  for (const std::string_view own : {"http://127.0.0.1:4711", "http://localhost:4711"}) {
    Asked request = asked("/file");
    request.origin = own;
    request.fetch_site = "same-origin";
    CHECK(short_of(site.answer(request)) == "200 console.log(1);\n");
  }
  for (const std::string_view other : {"null", "https://127.0.0.1:4711", "http://127.0.0.1:4712", "http://evil.example",
                                       "file://", "127.0.0.1:4711"}) {
    for (const std::string_view target : {"/", "/file", "/other"}) {
      Asked request = asked(target);
      request.origin = other;
      CHECK(short_of(site.answer(request)) == refused);
    }
  }
  for (const std::string_view from : {"cross-site", "same-site"}) {
    Asked request = asked("/file");
    request.fetch_site = from;
    CHECK(short_of(site.answer(request)) == refused);
    request.target = "/";  // a link may lead here
    CHECK(site.answer(request).status == 200);
  }
  Asked request = asked("/file");
  request.fetch_site = "none";  // an address that was typed
  CHECK(site.answer(request).status == 200);
}

TEST_CASE("play takes GET and HEAD, and no content") {
  const std::string none;
  Site site(kPage, none);
  site.set_port(4711);
  for (const std::string_view method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "CONNECT"}) {
    Asked request = asked("/");
    request.method = method;
    const Answer answer = site.answer(request);
    CHECK(short_of(answer) == "405 GET and HEAD are all that there is\n");
    CHECK(answer.allow == "GET, HEAD");
  }
  Asked request = asked("/");
  request.has_content = true;
  CHECK(short_of(site.answer(request)) == "400 a question has no content here\n");
  CHECK(short_of(site.answer(asked("/" + std::string(7999, 'x')))) == "404 there is no such page\n");
  CHECK(short_of(site.answer(asked("/" + std::string(8000, 'x')))) == "414 the address is too long\n");
  CHECK(short_of(Site::answer(Misread::malformed)) == "400 this is no request of HTTP\n");
  CHECK(short_of(Site::answer(Misread::other_version)) == "505 HTTP/1.1 and HTTP/1.0 are all that there is\n");
  CHECK(short_of(Site::answer(Misread::long_header)) == "431 the header is too long\n");
  CHECK(short_of(Site::answer(Misread::late)) == "408 the request did not come in time\n");
  CHECK(short_of(Site::too_many()) == "503 there are too many connections\n");
}

TEST_CASE("play serves the page and one file, and no other name leads to the disk") {
  const Folder folder;
  const std::string file = folder.path("a\"b<c>&.js");
  write_file(file, "one");
  write_file(folder.path("secret"), "secret");
  Site site(kPage, file);
  site.set_port(4711);
  const Answer page = site.answer(asked("/?x=1"));
  CHECK(page.type == "text/html; charset=utf-8");
  CHECK(
      page.text ==
      "<html><head><meta name=\"loopsim-file\" content=\"a&quot;b&lt;c>&amp;.js\">"
      "<meta content=\"default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'\"></head><div id=\"play\">");
  const Answer text = site.answer(asked("/file?again"));
  CHECK(text.type == "text/plain; charset=utf-8");
  CHECK(short_of(text) == "200 one");
  for (const std::string_view target : {"/secret", "/file/", "/file/../secret", "/../secret", "//file", "/FILE", "*",
                                        "file", "/%66ile", "/index.html"}) {
    CHECK(short_of(site.answer(asked(target))) == "404 there is no such page\n");
  }

  const std::string none;
  Site alone(kPage, none);
  alone.set_port(4711);
  CHECK(alone.answer(asked("/")).text == kPage);
  CHECK(short_of(alone.answer(asked("/file"))) == "404 there is no such page\n");
}

TEST_CASE("play's tag of the file is that of its content") {
  const Folder folder;
  const std::string file = folder.path("app.js");
  write_file(file, "one");
  Site site(kPage, file);
  site.set_port(4711);
  const std::string tag = site.answer(asked("/file")).tag;
  REQUIRE(tag.size() == 34);

  Asked again = asked("/file");
  for (const std::string& known :
       {tag, "W/" + tag, "\"other\", " + tag, "\"other\",W/" + tag + ",", std::string("*")}) {
    again.known_tags = known;
    const Answer unchanged = site.answer(again);
    CHECK(short_of(unchanged) == "304 ");
    CHECK(unchanged.tag == tag);
  }
  for (const std::string& other : {std::string("\"other\""), tag.substr(1), std::string(" , "), std::string("W/")}) {
    again.known_tags = other;
    CHECK(short_of(site.answer(again)) == "200 one");
  }

  // Of the same length, within the same tick of the file system's clock.
  again.known_tags = tag;
  write_file(file, "two");
  CHECK(short_of(site.answer(again)) == "200 two");
  // As editors do it.
  write_file(folder.path("app.js~"), "six");
  REQUIRE(std::rename(folder.path("app.js~").c_str(), file.c_str()) == 0);
  CHECK(short_of(site.answer(again)) == "200 six");
  write_file(file, "one");
  CHECK(site.answer(again).status == 304);
}

TEST_CASE("play says why it cannot read the file, and reads it again when it can") {
  const Folder folder;
  const std::string file = folder.path("app.js");
  Site site(kPage, file);
  site.set_port(4711);
  CHECK(short_of(site.answer(asked("/file"))) == "404 could not read " + file + ": No such file or directory\n");
  REQUIRE(::mkdir(file.c_str(), 0777) == 0);
  CHECK(short_of(site.answer(asked("/file"))) == "500 could not read " + file + ": Is a directory\n");
  REQUIRE(::rmdir(file.c_str()) == 0);
  REQUIRE(::mkfifo(file.c_str(), 0666) == 0);
  CHECK(short_of(site.answer(asked("/file"))) == "500 could not read " + file + ": it is no regular file\n");
  REQUIRE(::unlink(file.c_str()) == 0);
  write_file(file, std::string((16U << 20U) + 1, ' '));
  CHECK(short_of(site.answer(asked("/file"))) == "500 could not read " + file + ": it is longer than 16 MiB\n");
  write_file(file, std::string(16U << 20U, ' '));
  CHECK(site.answer(asked("/file")).text.size() == 16U << 20U);
  write_file(file, "");
  const Answer empty = site.answer(asked("/file"));
  CHECK(short_of(empty) == "200 ");
  CHECK(empty.tag.size() == 34);
}
