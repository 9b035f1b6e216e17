// WebAssembly has no sockets.
#include "tools/loopsim/play/server.hpp"

#include <cerrno>

namespace loopsim::cli {

struct Server::State {};
Server::Server() = default;
Server::~Server() = default;
int Server::listen(std::uint16_t /*port*/) { return ENOSYS; }
std::uint16_t Server::port() const { return 0; }
void Server::run(const Site& /*site*/) {}

}  // namespace loopsim::cli
