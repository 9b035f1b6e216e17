// Serves a site on 127.0.0.1, by Boost.Beast: HTTP/1.1, one thread, bounded in the number of connections, their age, and the size of a
// request.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tools/loopsim/play/site.hpp"

namespace loopsim::cli {

class Server {
 public:
  Server();
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Takes a port; 0: any that is free. Returns errno, or 0.
  [[nodiscard]] int listen(std::uint16_t port);
  [[nodiscard]] std::uint16_t port() const;

  // Answers until SIGINT or SIGTERM comes. `site` must outlive the call.
  void run(const Site& site);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace loopsim::cli
