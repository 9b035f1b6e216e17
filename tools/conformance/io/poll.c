// Multiplexed I/O with poll(): as select(), with a list in place of three sets.
#include <poll.h>

#include "io.h"

int main(int count, char** words) {
  begin(count, words);
  static struct pollfd list[MOST_SOCKETS];
  while (opened > 0) {
    int length = 0;
    for (int fd = FIRST; fd < FIRST + sockets; ++fd)
      if (is_open[fd]) list[length++] = (struct pollfd){fd, POLLIN, 0};
    check(poll(list, (nfds_t)length, meanwhile > 0 ? 0 : -1), "poll");
    for (int i = 0; i < length; ++i)
      if (list[i].revents != 0) read_once(list[i].fd);
    if (meanwhile > 0 && opened > 0) compute(meanwhile);
  }
  finish();
}
