// Non-blocking I/O: the process asks each socket in turn, and mostly in vain (EAGAIN).
#include "io.h"

int main(int count, char** words) {
  begin(count, words);
  for (int fd = FIRST; fd < FIRST + sockets; ++fd) check(fcntl(fd, F_SETFL, O_NONBLOCK), "fcntl");
  while (opened > 0) {
    for (int fd = FIRST; fd < FIRST + sockets; ++fd)
      if (is_open[fd]) read_once(fd);
    if (meanwhile > 0 && opened > 0) compute(meanwhile);
  }
  finish();
}
