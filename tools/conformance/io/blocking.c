// Blocking I/O: read() waits until there are bytes, and whoever sends to another socket waits with it.
//
//     variant=rounds    one read of each socket in turn (the default)
//     variant=clients   a socket to its end, then the next: the iterative server of the textbooks
#include "io.h"

static long read_blocking(int fd) {
  const long count = read(fd, bytes, (size_t)buffer);
  check((int)count, "read");
  if (count == 0)
    ended(fd);
  else
    got(fd, count);
  return count;
}

int main(int count, char** words) {
  begin(count, words);
  if (strcmp(variant, "clients") == 0) {
    for (int fd = FIRST; fd < FIRST + sockets; ++fd)
      while (read_blocking(fd) > 0) {}
  } else {
    while (opened > 0)
      for (int fd = FIRST; fd < FIRST + sockets; ++fd)
        if (is_open[fd]) read_blocking(fd);
  }
  finish();
}
