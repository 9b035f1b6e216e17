#include "tools/loopsim/play/server.hpp"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

namespace loopsim::cli {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds kPatience{
    10};  // for a request, for the next one, and for a client that takes nothing of an answer
constexpr std::chrono::seconds kFarewell{2};  // for what comes after the last answer
constexpr std::chrono::milliseconds kPause{100};
constexpr std::uint32_t kLongestHeader = 16384;
constexpr int kMostConnections = 64;
constexpr int kMostRefused = 64;  // beside them: each is told so

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }
beast::string_view beast_view_of(std::string_view text) { return {text.data(), text.size()}; }

bool is_of_http(error_code error) {
  return error.category() == http::make_error_code(http::error::end_of_stream).category();
}

// What it was that the parser did not take. It takes the first line as a whole.
Misread misread(error_code error, bool has_first_line) {
  if (error == http::error::bad_version) return Misread::other_version;
  if (error != http::error::header_limit && error != http::error::buffer_overflow) return Misread::malformed;
  return has_first_line ? Misread::long_header : Misread::long_target;
}

}  // namespace

struct Server::State {
  class Connection;

  boost::asio::io_context context{1};
  tcp::acceptor acceptor{context};
  boost::asio::signal_set signals{context};
  boost::asio::steady_timer pause{context};
  int open = 0;
  bool is_full = false;  // a connection waits until another one ends
  bool is_over = false;

  void accept(const Site& site);
  void ended(const Site& site) {
    --open;
    if (!is_full || is_over) return;
    is_full = false;
    accept(site);
  }
};

// It keeps itself alive by what it waits for, with a deadline each time.
class Server::State::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket&& socket, const Site& site, State& server)
      : socket_(std::move(socket)), deadline_(socket_.get_executor()), site_(site), server_(server) {
    ++server_.open;
  }
  ~Connection() { server_.ended(site_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(kLongestHeader);
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // no content is read (Boost 1.74 takes "none" for zero)
    wait(kPatience);
    http::async_read_header(socket_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) return self->answer();
      const bool has_begun = self->buffer_.size() > 0 || self->parser_->got_some();
      if (has_begun && error == boost::asio::error::operation_aborted) self->send_last(Site::answer(Misread::late));
      if (has_begun && is_of_http(error))
        self->send_last(Site::answer(misread(error, !self->parser_->get().target().empty())));
    });
  }

  void send_last(Answer answer) {
    constexpr unsigned kHttp11 = 11;
    send(std::move(answer), kHttp11, false, false);
  }

 private:
  void answer() {
    const http::request<http::empty_body>& request = parser_->get();
    const auto header = [&request](auto name) { return view_of(request[name]); };
    const bool has_content = parser_->chunked() || parser_->content_length().value_or(0) > 0;
    Answer answer = site_.answer({.method = view_of(request.method_string()),
                                  .target = view_of(request.target()),
                                  .host = header(http::field::host),
                                  .origin = header(http::field::origin),
                                  .fetch_site = header("Sec-Fetch-Site"),
                                  .known_tags = header(http::field::if_none_match),
                                  .hosts = request.count(http::field::host),
                                  .has_content = has_content});
    // Content is not read: what comes after it cannot be told from it.
    send(std::move(answer), request.version(), request.keep_alive() && !has_content,
         request.method() == http::verb::head);
  }

  void send(Answer answer, unsigned version, bool stays, bool is_head) {
    response_ = {};
    response_.version(version);
    response_.result(static_cast<unsigned>(answer.status));
    response_.keep_alive(stays);
    // Only what belongs to this origin sees it, in no frame, as what it is said to be, each time anew. What the page may do is said in the
    // page.
    response_.set(http::field::cache_control, "no-store");
    response_.set(http::field::x_frame_options, "DENY");
    response_.set("Content-Security-Policy", answer.type.starts_with("text/html")
                                                 ? "frame-ancestors 'none'"
                                                 : "default-src 'none'; frame-ancestors 'none'");
    response_.set("Cross-Origin-Opener-Policy", "same-origin");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("X-Content-Type-Options", "nosniff");
    if (!answer.type.empty()) response_.set(http::field::content_type, beast_view_of(answer.type));
    if (!answer.allow.empty()) response_.set(http::field::allow, beast_view_of(answer.allow));
    if (!answer.tag.empty()) response_.set(http::field::etag, answer.tag);
    if (response_.result() != http::status::not_modified) response_.content_length(answer.text.size());
    if (!is_head) response_.body() = std::move(answer.text);
    serializer_.emplace(response_);
    write();
  }

  // Piece by piece: a slow client is waited for as long as it takes something.
  void write() {
    wait(kPatience);
    http::async_write_some(socket_, *serializer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return;
      if (!self->serializer_->is_done()) return self->write();
      self->response_.keep_alive() ? self->read() : self->say_goodbye();
    });
  }

  // If the socket were closed while something comes, the client would be told of an error, and might not see the answer.
  void say_goodbye() {
    error_code error;
    socket_.shutdown(tcp::socket::shutdown_send, error);
    if (error) return;
    wait(kFarewell);
    buffer_.clear();
    discard();
  }

  void discard() {
    socket_.async_read_some(buffer_.prepare(buffer_.max_size()),
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (!error) self->discard();
                            });
  }

  void wait(std::chrono::seconds time) {
    deadline_.expires_after(time);
    deadline_.async_wait([weak = weak_from_this()](error_code error) {
      const std::shared_ptr<Connection> self = weak.lock();
      // It may have been moved after it had been reached.
      if (error || !self || self->deadline_.expiry() > std::chrono::steady_clock::now()) return;
      self->socket_.cancel(error);
    });
  }

  tcp::socket socket_;
  boost::asio::steady_timer deadline_;
  beast::flat_buffer buffer_{kLongestHeader};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  const Site& site_;
  State& server_;
};

void Server::State::accept(const Site& site) {
  acceptor.async_accept([this, &site](error_code error, tcp::socket socket) {
    if (error == boost::asio::error::operation_aborted) return;
    if (error) {  // such as: too many open files, which pass
      pause.expires_after(kPause);
      pause.async_wait([this, &site](error_code) { accept(site); });
      return;
    }
    const auto connection = std::make_shared<Connection>(std::move(socket), site, *this);
    open <= kMostConnections ? connection->read() : connection->send_last(Site::too_many());
    is_full = open >= kMostConnections + kMostRefused;
    if (!is_full) accept(site);
  });
}

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
  // From now on: whoever knows the address may end it.
  if (!error) state_->signals.add(SIGINT, error);
  if (!error) state_->signals.add(SIGTERM, error);
  return error.value();
}

std::uint16_t Server::port() const { return state_->acceptor.local_endpoint().port(); }

void Server::run(const Site& site) {
  state_->signals.async_wait([this](error_code, int) { state_->context.stop(); });
  state_->accept(site);
  state_->context.run();
  state_->is_over = true;
}

}  // namespace loopsim::cli
