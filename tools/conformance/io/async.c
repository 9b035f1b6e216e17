// Asynchronous I/O with io_uring, by its system calls: the process hands the kernel a read for each socket, and is told when
// the bytes are in its buffer. What is done stands in a ring that both see: the process finds it there without a call.
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "io.h"

static struct io_uring_sqe* entries;
static unsigned *sq_tail, *sq_array, sq_mask, *cq_head, *cq_tail, cq_mask;
static struct io_uring_cqe* done;
static unsigned pending;  // reads not yet handed over

static int setup(unsigned size) {
  struct io_uring_params p;
  memset(&p, 0, sizeof p);
  const int ring = (int)syscall(SYS_io_uring_setup, size, &p);
  check(ring, "io_uring_setup");
  const size_t sq_size = p.sq_off.array + p.sq_entries * sizeof(unsigned);
  const size_t cq_size = p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe);
  const int flags = MAP_SHARED | MAP_POPULATE, access = PROT_READ | PROT_WRITE;
  char* const sq = mmap(NULL, sq_size, access, flags, ring, IORING_OFF_SQ_RING);
  char* const cq = mmap(NULL, cq_size, access, flags, ring, IORING_OFF_CQ_RING);
  entries = mmap(NULL, p.sq_entries * sizeof *entries, access, flags, ring, IORING_OFF_SQES);
  if (sq == MAP_FAILED || cq == MAP_FAILED || entries == MAP_FAILED) check(-1, "mmap");
  sq_tail = (unsigned*)(sq + p.sq_off.tail);
  sq_array = (unsigned*)(sq + p.sq_off.array);
  sq_mask = *(unsigned*)(sq + p.sq_off.ring_mask);
  cq_head = (unsigned*)(cq + p.cq_off.head);
  cq_tail = (unsigned*)(cq + p.cq_off.tail);
  cq_mask = *(unsigned*)(cq + p.cq_off.ring_mask);
  done = (struct io_uring_cqe*)(cq + p.cq_off.cqes);
  return ring;
}

static void ask(int fd) {
  const unsigned tail = *sq_tail;
  struct io_uring_sqe* const entry = &entries[tail & sq_mask];
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_READ;
  entry->fd = fd;
  entry->addr = (unsigned long)bytes;
  entry->len = (unsigned)buffer;
  entry->off = (unsigned long)-1;
  entry->user_data = (unsigned)fd;
  sq_array[tail & sq_mask] = tail & sq_mask;
  __atomic_store_n(sq_tail, tail + 1, __ATOMIC_RELEASE);
  ++pending;
}

int main(int count, char** words) {
  begin(count, words);
  const int ring = setup((unsigned)sockets);
  for (int fd = FIRST; fd < FIRST + sockets; ++fd) ask(fd);
  while (opened > 0) {
    if (meanwhile == 0 || pending > 0) {
      ++calls;
      const unsigned wanted = meanwhile > 0 ? 0 : 1;
      const int given = (int)syscall(SYS_io_uring_enter, ring, pending, wanted, IORING_ENTER_GETEVENTS, NULL, 0);
      check(given, "io_uring_enter");
      pending -= (unsigned)given;
    }
    unsigned head = *cq_head;
    while (head != __atomic_load_n(cq_tail, __ATOMIC_ACQUIRE)) {
      const struct io_uring_cqe one = done[head & cq_mask];
      __atomic_store_n(cq_head, ++head, __ATOMIC_RELEASE);
      const int fd = (int)one.user_data;
      check(one.res, "read");
      if (one.res == 0) {
        ended(fd);
      } else {
        got(fd, one.res);
        ask(fd);
      }
    }
    if (meanwhile > 0 && opened > 0) compute(meanwhile);
  }
  finish();
}
