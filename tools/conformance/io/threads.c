// Threads that block: blocking I/O once for each socket. The kernel's scheduler does what a loop would.
#include <pthread.h>
#include <stdint.h>

#include "io.h"

static void* serve(void* argument) {
  const int fd = (int)(intptr_t)argument;
  for (;;) {
    char own[16384];
    const long count = read(fd, own, (size_t)buffer < sizeof own ? (size_t)buffer : sizeof own);
    check((int)count, "read");
    if (count == 0) break;
    got(fd, count);
  }
  ended(fd);
  return NULL;
}

int main(int count, char** words) {
  begin(count, words);
  static pthread_t threads[MOST_SOCKETS];
  for (int i = 0; i < sockets; ++i)
    if (pthread_create(&threads[i], NULL, serve, (void*)(intptr_t)(FIRST + i)) != 0) check(-1, "pthread_create");
  for (int i = 0; i < sockets; ++i) pthread_join(threads[i], NULL);
  finish();
}
