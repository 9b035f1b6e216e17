// The key `io` of a document: what the reader makes of it, and what it says of mistakes.
#include <string>

#include <catch2/catch.hpp>

#include "loopsim/io.hpp"

#include "tests/unit/scenario_support.hpp"

using namespace loopsim;
using front_end::problems;
using front_end::read;

namespace {

// A document of the runtime io with these members of "io", and more of the document.
std::string io(const std::string& members, const std::string& more = R"(, "limits": {"time": "1s"})") {
  return R"({"runtime": "io", "io": {)" + members + "}" + more + "}";
}
std::string with_model(const std::string& model, const std::string& more = "") {
  return io(R"("model": )" + model + R"(, "sockets": [{"end": 1}])" + more);
}
std::string with_sockets(const std::string& sockets) { return io(R"("model": "poll", "sockets": )" + sockets); }

IoSpec spec_of(const std::string& document) {
  INFO(problems(document));
  const ReadResult result = read(document);
  REQUIRE(result.scenario);
  REQUIRE(result.scenario->io != nullptr);
  return *result.scenario->io;
}

}  // namespace

TEST_CASE("a model is a word, or an object that says the same", "[scenario][io]") {
  const auto model_of = [](const std::string& model) { return spec_of(with_model(model)).processes.at(0).model; };
  for (std::size_t i = 0; i < kIoModels; ++i)
    CHECK(model_of("\"" + std::string(io_models()[i]) + "\"") == static_cast<IoModel>(i));
  CHECK(model_of("\"multiplex\"") == IoModel::poll);
  CHECK(model_of(R"({"blocking": "rounds"})") == IoModel::blocking);
  CHECK(model_of(R"({"blocking": "clients"})") == IoModel::blocking_clients);
  CHECK(model_of(R"({"nonblocking": true})") == IoModel::nonblocking);
  CHECK(model_of(R"({"multiplex": "select"})") == IoModel::select);
  CHECK(model_of(R"({"multiplex": "epoll", "trigger": "level"})") == IoModel::epoll);
  CHECK(model_of(R"({"multiplex": "epoll", "trigger": "edge"})") == IoModel::epoll_edge);
  CHECK(model_of(R"({"signal": "handler"})") == IoModel::signal);
  CHECK(model_of(R"({"signal": "queue"})") == IoModel::signal_queue);
  CHECK(model_of(R"({"async": true})") == IoModel::async);
  CHECK(model_of(R"({"threads": true})") == IoModel::threads);
  CHECK(spec_of(with_model(R"({"multiplex": "epoll", "events": 2})")).processes[0].events == 2);
  CHECK(spec_of(with_model(R"({"signal": "queue", "pending": 3})")).processes[0].pending == 3);
  CHECK(spec_of(with_model(R"(["poll", "async"])")).processes.size() == 2);
}

TEST_CASE("sockets have names by their group, and descriptors from 3 on", "[scenario][io]") {
  const IoSpec spec = spec_of(with_sockets(R"([{"as": "a", "end": 5}, {"count": 2}, {"as": "b", "count": 2}])"));
  CHECK(spec.sockets == 5);
  CHECK(io_socket_names(spec) == std::vector<std::string>{"a", "socket4", "socket5", "b1", "b2"});
  CHECK(spec.groups[0].end == 5 * kMillisecond);
  CHECK(spec.groups[1].end == kNever);
}

TEST_CASE("costs are those of Linux, of nothing, or some of one's own", "[scenario][io]") {
  const auto cost = [](const IoSpec& spec, IoCost which) { return spec.costs[static_cast<std::size_t>(which)].a; };
  const IoSpec linux_costs = spec_of(with_model("\"poll\""));
  CHECK(cost(linux_costs, IoCost::call) == 300);
  CHECK(cost(linux_costs, IoCost::thread) == 25'000);
  const IoSpec free = spec_of(with_model("\"poll\"", R"(, "costs": "free")"));
  for (const Duration& one : free.costs) CHECK(one.a == 0);
  const IoSpec own =
      spec_of(with_model("\"poll\"", R"(, "costs": {"preset": "free", "call": "1us", "copy": {"uniform": [1, 2]}})"));
  CHECK(cost(own, IoCost::call) == 1000);
  CHECK(own.costs[static_cast<std::size_t>(IoCost::copy)].kind == Duration::Kind::uniform);
  CHECK(cost(own, IoCost::scan) == 0);
}

TEST_CASE("mistakes in models of I/O are told with their place, and what was expected", "[scenario][io]") {
  const auto is = [](const std::string& document, const std::string& expected) {
    INFO(document);
    CHECK(problems(document) == expected);
  };
  is(R"({"runtime": "io"})", ": the runtime io needs \"io\": its model and sockets\n");
  is(R"({"main": [], "io": {"model": "poll", "sockets": [{}]}})", "/io: \"io\" goes with the runtime \"io\"\n");
  is(R"({"runtime": "io", "main": [], "io": {"model": "poll", "sockets": [{"end": 1}]}})",
     "/main: the runtime io has no \"main\": its program is the model\n");
  is(R"({"runtime": "io", "inputs": [], "io": {"model": "poll", "sockets": [{"end": 1}]}})",
     "/inputs: the runtime io has no \"inputs\": its program is the model\n");
  is(with_model("\"epol\""),
     "/io/model: \"epol\" is no model of I/O: blocking, blocking-clients, nonblocking, select, poll, epoll, "
     "epoll-edge, signal, "
     "signal-queue, async or threads [epoll]\n");
  is(with_model("3"), "/io/model: expected a model of I/O, such as \"poll\", or a list of them, found the number 3\n");
  is(with_model("[]"),
     "/io/model: expected a model of I/O, such as \"poll\", or a list of them, found an empty list\n");
  is(with_model("{}"),
     "/io/model: expected exactly one of blocking, nonblocking, multiplex, signal, async and threads\n");
  is(with_model(R"({"async": true, "threads": true})"),
     "/io/model: expected exactly one of blocking, nonblocking, multiplex, signal, async and threads\n");
  is(with_model(R"({"async": false})"), "/io/model/async: expected true, found false\n");
  is(with_model(R"({"multiplex": "pol"})"),
     "/io/model/multiplex: expected select, poll or epoll of \"multiplex\", found the text \"pol\" [poll]\n");
  is(with_model(R"({"multiplex": "poll", "trigger": "edge"})"),
     "/io/model/trigger: \"trigger\" goes with \"multiplex\": \"epoll\"\n");
  is(with_model(R"({"signal": "handler", "events": 3})"),
     "/io/model/events: \"events\" goes with \"multiplex\": \"epoll\"\n");
  is(with_model(R"({"signal": "handler", "pending": 3})"),
     "/io/model/pending: \"pending\" goes with \"signal\": \"queue\"\n");
  is(with_model(R"({"multiplex": "epoll", "trigger": "side"})"),
     "/io/model/trigger: expected \"level\" or \"edge\", found the text \"side\"\n");
  is(with_model(R"(["poll", {"multiplex": "poll"}])"), "/io/model/1: \"poll\" is there already\n");
  is(with_model("\"threads\"", R"(, "meanwhile": 1)"),
     "/io/model: a process that blocks has no time for \"meanwhile\" (threads)\n");
  is(with_model("\"nonblocking\"", R"(, "costs": "free")"),
     "/io/model: a busy loop whose calls cost nothing never ends: \"costs\" needs a \"call\", or the process a "
     "\"meanwhile\"\n");
  is(with_model("\"poll\"", R"(, "costs": "fre")"),
     "/io/costs: expected \"linux\" or \"free\", found the text \"fre\" [free]\n");
  is(with_model("\"poll\"", R"(, "costs": {"cal": 1})"), "/io/costs/cal: \"costs\" has no key \"cal\" [call]\n");
  is(with_model("\"poll\"", R"(, "type": "datagrams")"),
     "/io/type: expected \"stream\" or \"datagram\", found the text \"datagrams\" [datagram]\n");
  is(with_model("\"poll\"", R"(, "buffer": 0)"),
     "/io/buffer: expected a number of bytes, a whole number from 1 to 1048576, found the number 0\n");
  is(with_model("\"poll\"", R"(, "wrk": 0)"), "/io/wrk: \"io\" has no key \"wrk\" [work]\n");
  is(io(R"("sockets": [{"end": 1}])"),
     "/io: \"io\" needs \"model\": blocking, blocking-clients, nonblocking, select, poll, epoll, epoll-edge, signal, "
     "signal-queue, "
     "async or threads\n");
  is(io(R"("model": "poll")"), "/io: \"io\" needs \"sockets\", a list of at least one\n");
  is(with_sockets("[]"), "/io/sockets: expected at least one socket\n");
  is(with_sockets(R"([{"count": 60000}, {"count": 60000}])"), "/io/sockets/1: there are more than 100000 sockets\n");
  is(with_sockets(R"([{"as": "a b"}])"),
     "/io/sockets/0/as: \"a b\" is no name; a name has letters, digits, _ and $, and does not begin with a digit\n");
  is(with_sockets(R"([{"as": "a1"}, {"as": "a", "count": 2}])"),
     "/io/sockets/1/as: another socket is named \"a1\" already\n");
  is(with_sockets(R"([{"arrivals": [{"bytes": 3}]}])"),
     "/io/sockets/0/arrivals/0: arrivals need \"at\", the time, or \"every\" or \"poisson\", if they come again and "
     "again\n");
  is(with_sockets(R"([{"arrivals": [{"at": 3, "count": 2}]}])"),
     "/io/sockets/0/arrivals/0/count: \"count\" goes with \"every\", \"poisson\" or a list of times\n");
  is(io(R"("model": "select", "sockets": [{"count": 1022}])"),
     "/io/model: select() cannot watch more than 1021 sockets: FD_SETSIZE is 1024, and 0, 1 and 2 are taken\n");
}

TEST_CASE("what comes too late, and a run without an end, are warned of", "[scenario][io]") {
  CHECK(problems(with_sockets(R"([{"arrivals": [{"at": [1, 5]}], "end": 5}])")) ==
        "/io/sockets/0/arrivals: what arrives at the socket's \"end\" or later is not sent\n");
  CHECK(problems(io(R"("model": "poll", "sockets": [{}])", "")) ==
        "/io: this run ends only at the limit of time: sockets without \"end\" stay open\n");
  CHECK(problems(io(R"("model": "poll", "sockets": [{}])")) == "");
}

TEST_CASE("calls are expected of the processes that there are", "[scenario][io]") {
  const auto expecting = [](const std::string& model, const std::string& expected) {
    return io(R"("model": )" + model + R"(, "sockets": [{"end": 1}])", R"(, "expect": )" + expected);
  };
  const ReadResult one = read(expecting("\"poll\"", R"({"calls": ["read(3) = 0"]})"));
  REQUIRE(one.scenario);
  CHECK(one.scenario->expectation->calls.at(0).first == "poll");
  CHECK(one.scenario->expectation->calls.at(0).second == std::vector<std::string>{"read(3) = 0"});
  CHECK(problems(expecting("[\"poll\", \"epoll\"]", R"({"calls": {"epoll": []}})")) == "");
  CHECK(problems(expecting("[\"poll\", \"epoll\"]", R"({"calls": []})")) ==
        "/expect/calls: of several models, \"calls\" is an object of lists by model\n");
  CHECK(problems(expecting("\"poll\"", R"({"calls": {"pol": []}})")) ==
        "/expect/calls/pol: \"pol\" is no model of I/O [poll]\n");
  CHECK(problems(expecting("\"poll\"", R"({"output": []})")) ==
        "/expect/output: the runtime io has no \"output\": expect \"calls\" [calls]\n");
  CHECK(problems(R"({"main": [], "expect": {"calls": []}})") ==
        "/expect/calls: \"calls\" goes with the runtime \"io\"\n");
}
