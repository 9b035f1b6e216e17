// Files beneath a root: what leads out of it, or is no regular file, is not opened, by openat2() and by the walk alike.
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tools/loopsim/io/module_files.hpp"
#include "tools/loopsim/io/rooted_files.hpp"

using loopsim::ScriptFolder;
using namespace loopsim::cli;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMost = 1U << 20U;
constexpr std::size_t kMostNames = 100;

// A folder of its own with an inside and an outside.
class Place {
 public:
  Place() {
    std::string name = (fs::temp_directory_path() / "loopsim-rooted-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    top_ = fs::canonical(name);
    write("inside/a.js", "a");
    write("inside/lib/b.js", "b");
    write("outside/secret.js", "secret");
  }
  ~Place() { fs::remove_all(top_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  [[nodiscard]] std::string at(const std::string& path) const { return (top_ / path).string(); }
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((top_ / path).parent_path());
    std::ofstream(top_ / path, std::ios::binary) << text;
  }
  void link(const std::string& target, const std::string& path) const { fs::create_symlink(target, top_ / path); }

 private:
  fs::path top_;
};

const std::array kBoth = {RootedFiles::How::kernel, RootedFiles::How::by_walk};

RootedFiles root_in(const Place& place, RootedFiles::How how) {
  return RootedFiles(place.at("inside"), RootedFiles::Links::followed, how);
}

std::string text_or_error(const RootedText& read) { return read.error == 0 ? read.text : std::strerror(read.error); }

}  // namespace

TEST_CASE("A path leads to what is beneath its root, and to nothing else", "[rooted]") {
  const Place place;
  const auto how = GENERATE(from_range(kBoth));
  const RootedFiles files = root_in(place, how);
  const auto read = [&files](const std::string& path) { return text_or_error(files.read(path, kMost)); };
  CHECK(read("a.js") == "a");
  CHECK(read("./lib/../lib//b.js") == "b");
  CHECK(read("lib/../a.js") == "a");
  CHECK(read("../inside/a.js") == std::strerror(EXDEV));
  CHECK(read("../outside/secret.js") == std::strerror(EXDEV));
  CHECK(read("lib/../../outside/secret.js") == std::strerror(EXDEV));
  CHECK(read("/etc/passwd") == std::strerror(EXDEV));
  CHECK(read(place.at("outside/secret.js")) == std::strerror(EXDEV));
  CHECK(read("missing.js") == std::strerror(ENOENT));
  CHECK(read("missing/a.js") == std::strerror(ENOENT));
  CHECK(read("a.js/b") == std::strerror(ENOTDIR));
}

TEST_CASE("A NUL in a path is no end of it", "[rooted]") {
  const Place place;
  const auto how = GENERATE(from_range(kBoth));
  const RootedFiles files = root_in(place, how);
  const auto with_nul = [](std::string before, const std::string& after) {
    return before + std::string(1, '\0') + after;
  };
  for (const std::string& path : {with_nul("a.js", "b"), with_nul("a.js", "/../node_modules/x"), with_nul("", ""),
                                  with_nul("../outside/secret.js", "/../../a.js")}) {
    CHECK(files.read(path, kMost).error == ENOENT);
    CHECK(files.list(path, kMostNames).error == ENOENT);
    CHECK(files.look(path) == ENOENT);
  }
}

TEST_CASE("A link that stays beneath the root is followed, and one that leaves it is not", "[rooted]") {
  const Place place;
  const auto how = GENERATE(from_range(kBoth));
  place.link("lib/b.js", "inside/file.js");
  place.link("../a.js", "inside/lib/up.js");
  place.link("lib", "inside/folder");
  place.link("../outside/secret.js", "inside/out.js");
  place.link(place.at("outside"), "inside/outfolder");
  place.link(place.at("inside/a.js"), "inside/absolute.js");
  place.link("../inside/a.js", "inside/out-and-in.js");
  place.link("round.js", "inside/round.js");
  place.link("/proc/self/environ", "inside/environ.js");
  place.link("/proc/self/cwd", "inside/cwd");
  const RootedFiles files = root_in(place, how);
  const auto read = [&files](const std::string& path) { return text_or_error(files.read(path, kMost)); };
  CHECK(read("file.js") == "b");
  CHECK(read("lib/up.js") == "a");
  CHECK(read("folder/b.js") == "b");
  CHECK(read("folder/up.js") == "a");
  for (const char* const path :
       {"out.js", "outfolder/secret.js", "absolute.js", "out-and-in.js", "environ.js", "cwd/a.js"})
    CHECK(read(path) == std::strerror(EXDEV));
  CHECK(read("round.js") == std::strerror(ELOOP));
  CHECK(files.list("", kMostNames).names == std::vector<std::string>{"a.js", "file.js", "folder/", "lib/"});
  CHECK(files.list("folder", kMostNames).names == std::vector<std::string>{"b.js", "up.js"});
  CHECK(files.list("outfolder", kMostNames).error == EXDEV);
}

TEST_CASE("What is no regular file is not read, and waits for nobody", "[rooted]") {
  const Place place;
  const auto how = GENERATE(from_range(kBoth));
  REQUIRE(::mkfifo(place.at("inside/fifo.js").c_str(), 0600) == 0);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  place.at("inside/socket.js").copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  const RootedFiles files = root_in(place, how);
  CHECK(files.read("fifo.js", kMost).error == EINVAL);
  CHECK(files.read("socket.js", kMost).error == EINVAL);
  CHECK(files.read("lib", kMost).error == EISDIR);
  CHECK(files.read("", kMost).error == EISDIR);
  CHECK(files.read("lib/", kMost).error == EISDIR);
  CHECK(files.list("a.js", kMostNames).error == ENOTDIR);
  CHECK(files.list(".", kMostNames).names == std::vector<std::string>{"a.js", "lib/"});
  CHECK(files.look("fifo.js") == EINVAL);
  CHECK(files.look("lib") == 0);
  CHECK(files.look("a.js") == 0);
  ::close(socket);
  const RootedFiles devices("/dev", RootedFiles::Links::followed, how);
  CHECK(devices.read("zero", kMost).error == EINVAL);
  CHECK(devices.read("null", kMost).error == EINVAL);
  CHECK(devices.read("fd/0", kMost).error != 0);
}

TEST_CASE("Nothing is read of /proc and /sys, wherever the root is", "[rooted]") {
  const auto how = GENERATE(from_range(kBoth));
  const RootedFiles top("/", RootedFiles::Links::followed, how);
  for (const char* const path : {"proc/self/environ", "proc/self/maps", "proc/uptime", "proc/1/cmdline"})
    CHECK(top.read(path, kMost).error != 0);
  CHECK(top.read("proc/uptime", kMost).error == EACCES);
  CHECK(top.list("proc", kMostNames).error == EACCES);
  CHECK(top.list("sys", kMostNames).error == EACCES);
  const RootedFiles proc("/proc", RootedFiles::Links::followed, how);
  CHECK(proc.read("uptime", kMost).error == EACCES);
  CHECK(proc.read("self/exe", kMost).error != 0);
  CHECK(proc.read("self/root/etc/passwd", kMost).error != 0);
}

TEST_CASE("What is too large, too long or too much is told as that", "[rooted]") {
  const Place place;
  const auto how = GENERATE(from_range(kBoth));
  place.write("inside/large.js", std::string(1001, 'x'));
  place.write("inside/fits.js", std::string(1000, 'x'));
  fs::resize_file(place.at("inside/large.js"), std::uintmax_t{1} << 40U);  // a terabyte, of which nothing is there
  for (int i = 0; i < 30; ++i) place.write("inside/many/" + std::to_string(i), "");
  const RootedFiles files = root_in(place, how);
  CHECK(files.read("fits.js", 1000).text.size() == 1000);
  CHECK(files.read("fits.js", 999).error == EFBIG);
  CHECK(files.read("large.js", kMost).error == EFBIG);
  CHECK(files.list("many", 30).names.size() == 30);
  CHECK(files.list("many", 20).error == EFBIG);
  CHECK(files.read(std::string(300, 'x'), kMost).error == ENAMETOOLONG);
  std::string far = "lib";
  while (far.size() < 100'000) far += "/../lib";
  CHECK(files.read(far + "/b.js", kMost).error == ENAMETOOLONG);
}

TEST_CASE("Names are bytes", "[rooted]") {
  const Place place;
  const auto how = GENERATE(from_range(kBoth));
  place.write("inside/\xff\xfe.js", "bytes");
  place.write("inside/\xc3\xa4 \n.js", "umlaut");
  const RootedFiles files = root_in(place, how);
  CHECK(files.read("\xff\xfe.js", kMost).text == "bytes");
  CHECK(files.read("\xc3\xa4 \n.js", kMost).text == "umlaut");
}

TEST_CASE("A root that is not there, is a file or has a NUL has nothing in it", "[rooted]") {
  const Place place;
  for (const std::string& folder :
       {place.at("missing"), place.at("inside/a.js"), place.at("inside") + std::string(1, '\0')}) {
    const RootedFiles files(folder);
    CHECK(!files.is_open());
    CHECK(files.read("a.js", kMost).error == ENOENT);
  }
  place.link("inside", "link");
  CHECK(RootedFiles(place.at("link")).is_open());
  CHECK(!RootedFiles(place.at("link"), RootedFiles::Links::refused).is_open());
}

// ---- a program's -----------------------------------------------------------------------------------------------------------------

TEST_CASE("A program's root is the folder of the nearest package.json, or its own", "[rooted]") {
  const Place place;
  place.write("inside/lib/deep/c.js", "c");
  CHECK(root_of(place.at("inside/lib/deep/c.js")).folder == place.at("inside/lib/deep"));
  CHECK(root_of(place.at("inside/lib/deep/c.js")).place == "c.js");
  place.write("inside/package.json", "{}");
  const ProgramRoot root = root_of(place.at("inside/lib/deep/c.js"));
  CHECK(root.folder == place.at("inside"));
  CHECK(root.place == "lib/deep/c.js");
  CHECK(root.is_inside);
  place.write("inside/lib/package.json", "{}");
  CHECK(root_of(place.at("inside/lib/deep/c.js")).folder == place.at("inside/lib"));
}

TEST_CASE("No package.json counts that others may have put there, nor the home folder's", "[rooted]") {
  const Place place;
  place.write("inside/package.json", "{}");
  REQUIRE(::chmod(place.at("inside").c_str(), 01777) == 0);
  CHECK(root_of(place.at("inside/lib/b.js")).folder == place.at("inside/lib"));
  CHECK(root_of(place.at("inside/a.js")).folder == place.at("inside"));
  REQUIRE(::chmod(place.at("inside").c_str(), 0700) == 0);
  CHECK(root_of(place.at("inside/lib/b.js")).folder == place.at("inside"));
  const char* const home = std::getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  ::setenv("HOME", place.at("inside").c_str(), 1);
  CHECK(root_of(place.at("inside/lib/b.js")).folder == place.at("inside/lib"));
  CHECK(root_of(place.at("inside/a.js")).folder == place.at("inside"));
  ::setenv("HOME", before.c_str(), 1);
}

TEST_CASE("A program sees its root, and packages in folders above it", "[rooted]") {
  const Place place;
  place.write("node_modules/above/index.js", "above");
  place.write("inside/node_modules/own/index.js", "own");
  place.write("inside/node_modules/b/index.js", "beside");
  place.write("inside/lib/package.json", "{}");
  place.link("../../node_modules/b", "inside/lib/linked");    // from the root to packages above
  place.link("../../outside", "inside/node_modules/leaves");  // from packages above to elsewhere
  place.link("../lib", "inside/node_modules/workspace");      // from packages above to the root
  const ScriptFolder files = files_of_program(place.at("inside/lib/b.js"));
  CHECK(files.place == "b.js");
  CHECK(files.read("b.js") == "b");
  CHECK(files.read("../node_modules/own/index.js") == "own");
  CHECK(files.read("../../node_modules/above/index.js") == "above");
  CHECK(files.read("linked/index.js") == std::nullopt);  // leads out of the root: lib/node_modules is no such folder
  CHECK(files.read("../node_modules/workspace/b.js") == "b");
  for (const char* const path :
       {"../a.js", "../../outside/secret.js", "../node_modules/../a.js", "../node_modules/leaves/secret.js",
        "../node_modules/../../outside/secret.js", "..", "/etc/passwd", "x/../../a.js"}) {
    CHECK(files.read(path) == std::nullopt);
    CHECK(files.leads_out(path));
  }
  for (const char* const path : {"missing.js", "b.js", "../node_modules/missing"}) CHECK(!files.leads_out(path));
  CHECK(files.list("..") == std::nullopt);
  CHECK(files.list(".") == std::vector<std::string>{"b.js", "package.json"});
}

TEST_CASE("A folder of packages above that is a link does not count", "[rooted]") {
  const Place place;
  place.write("outside/b/index.js", "b");
  place.link("outside", "node_modules");
  const ScriptFolder files = files_of_program(place.at("inside/a.js"));
  CHECK(files.read("../node_modules/b/index.js") == std::nullopt);
}

TEST_CASE("The last folder above that a program knows stands for all that are there", "[rooted]") {
  const Place place;
  place.write("node_modules/far/index.js", "far");
  place.write("node_modules/@of/far/index.js", "scoped");
  place.write("1/2/node_modules/near/index.js", "near");
  place.write("1/2/3/4/5/a.js", "a");
  const ScriptFolder files = files_of_program(place.at("1/2/3/4/5/a.js"));
  CHECK(files.read("../../../node_modules/near/index.js") == "near");
  CHECK(files.read("../../../node_modules/far/index.js") == "far");
  CHECK(files.read("../../../node_modules/@of/far/index.js") == "scoped");
  CHECK(files.read("../../node_modules/far/index.js") == std::nullopt);
}
