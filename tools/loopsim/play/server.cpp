#include "tools/loopsim/play/server.hpp"

#include <chrono>
#include <csignal>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

namespace loopsim::cli {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds kPatience{20};  // for a request, and for an answer
constexpr std::uint32_t kLongestHeader = 16384;
constexpr int kMostConnections = 64;

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

// A connection. It keeps itself alive by what it waits for.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket&& socket, const Site& site, int& open) : stream_(std::move(socket)), site_(site), open_(open) { ++open_; }
  ~Connection() { --open_; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(kLongestHeader);
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) self->answer();
    });
  }

 private:
  void answer() {
    const http::request<http::empty_body>& request = parser_->get();
    const auto header = [&request](auto name) { return view_of(request[name]); };
    Answer answer = site_.answer({.method = view_of(request.method_string()),
                                  .target = view_of(request.target()),
                                  .host = header(http::field::host),
                                  .origin = header(http::field::origin),
                                  .fetch_site = header("Sec-Fetch-Site"),
                                  .known_tag = header(http::field::if_none_match)});
    response_ = {};
    response_.version(request.version());
    response_.result(static_cast<unsigned>(answer.status));
    response_.keep_alive(request.keep_alive());
    // Only what belongs to this origin sees it, in no frame, as what it is said to be, each time anew.
    response_.set(http::field::cache_control, "no-store");
    response_.set(http::field::x_frame_options, "DENY");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Referrer-Policy", "no-referrer");
    if (!answer.type.empty()) response_.set(http::field::content_type, beast::string_view(answer.type.data(), answer.type.size()));
    if (!answer.tag.empty()) response_.set(http::field::etag, answer.tag);
    const std::size_t size = answer.text.size();
    if (request.method() != http::verb::head) response_.body() = std::move(answer.text);
    if (answer.status != 304) response_.content_length(size);
    stream_.expires_after(kPatience);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code error, std::size_t) { self->written(error); });
  }

  void written(error_code error) {
    if (error) return;
    if (!response_.keep_alive()) {
      stream_.socket().shutdown(tcp::socket::shutdown_send, error);
      return;
    }
    read();
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{kLongestHeader};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
  const Site& site_;
  int& open_;
};

}  // namespace

struct Server::State {
  int open = 0;  // connections; they go with the context, which must go first
  boost::asio::io_context context{1};
  tcp::acceptor acceptor{context};

  void accept(const Site& site) {
    acceptor.async_accept([this, &site](error_code error, tcp::socket socket) {
      if (error == boost::asio::error::operation_aborted) return;
      if (!error && open < kMostConnections) std::make_shared<Connection>(std::move(socket), site, open)->read();
      accept(site);
    });
  }
};

Server::Server() : state_(std::make_unique<State>()) {}
Server::~Server() = default;

int Server::listen(std::uint16_t port) {
  const tcp::endpoint endpoint(boost::asio::ip::address_v4::loopback(), port);
  tcp::acceptor& acceptor = state_->acceptor;
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
  return error.value();
}

std::uint16_t Server::port() const { return state_->acceptor.local_endpoint().port(); }

void Server::run(const Site& site) {
  boost::asio::signal_set signals(state_->context, SIGINT, SIGTERM);
  signals.async_wait([this](error_code, int) { state_->context.stop(); });
  state_->accept(site);
  state_->context.run();
}

}  // namespace loopsim::cli
