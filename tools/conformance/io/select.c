// Multiplexed I/O with select(): the process blocks until one of all sockets has something to read.
#include <sys/select.h>

#include "io.h"

int main(int count, char** words) {
  begin(count, words);
  while (opened > 0) {
    fd_set ready;
    int highest = 0;
    FD_ZERO(&ready);
    for (int fd = FIRST; fd < FIRST + sockets; ++fd) {
      if (!is_open[fd]) continue;
      FD_SET(fd, &ready);
      highest = fd;
    }
    struct timeval none = {0, 0};
    check(select(highest + 1, &ready, NULL, NULL, meanwhile > 0 ? &none : NULL), "select");
    for (int fd = FIRST; fd < FIRST + sockets; ++fd)
      if (is_open[fd] && FD_ISSET(fd, &ready)) read_once(fd);
    if (meanwhile > 0 && opened > 0) compute(meanwhile);
  }
  finish();
}
