// Multiplexed I/O with epoll: the kernel keeps the list of sockets, and that of the ready ones.
//
//     variant=level   a socket is reported as long as there is something to read (the default): one read each time
//     variant=edge    it is reported when something arrives: so the process reads until there is nothing more
#include <sys/epoll.h>

#include "io.h"

enum { MOST_EVENTS = 64 };

int main(int count, char** words) {
  begin(count, words);
  const int edge = strcmp(variant, "edge") == 0;
  const int list = epoll_create1(0);
  check(list, "epoll_create1");
  for (int fd = FIRST; fd < FIRST + sockets; ++fd) {
    if (edge) check(fcntl(fd, F_SETFL, O_NONBLOCK), "fcntl");
    struct epoll_event wanted = {.events = EPOLLIN | (edge ? (unsigned)EPOLLET : 0), .data = {.fd = fd}};
    check(epoll_ctl(list, EPOLL_CTL_ADD, fd, &wanted), "epoll_ctl");
  }
  while (opened > 0) {
    struct epoll_event ready[MOST_EVENTS];
    const int found = epoll_wait(list, ready, MOST_EVENTS, meanwhile > 0 ? 0 : -1);
    check(found, "epoll_wait");
    for (int i = 0; i < found; ++i) {
      const int fd = ready[i].data.fd;
      if (edge)
        while (read_once(fd)) {}
      else
        read_once(fd);
    }
    if (meanwhile > 0 && opened > 0) compute(meanwhile);
  }
  finish();
}
