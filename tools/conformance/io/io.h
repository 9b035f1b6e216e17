// What the programs of all models have in common, so that each of them is its own loop and nothing else.
//
//     MODEL sockets=3 [work=25] [meanwhile=0] [buffer=4096] [total=2000] [variant=WORD]
//
//     sockets     how many: they are open when the program starts, as 3, 4, 5 ... (sender.c makes them)
//     work        ms that it computes after each read that brought bytes
//     meanwhile   ms that it computes whenever it has looked for data once; 0: it has nothing else to do, and blocks
//                 where its model can
//     buffer      bytes that a read asks for
//     total       ms after which it ends, whatever it waits for
//     variant     a word that says how, where a model has several ways
//
// Computing watches a clock that needs no system call (the vDSO's). Between the two marks, write(1000, "begin") and
// write(1000, "end"), there are no system calls but those of the model. What was read is printed behind the second one.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { FIRST = 3, MARK = 1000, MOST_SOCKETS = 960, MOST_READS = 200000 };

static int sockets = 1, buffer = 4096;
static double work = 0, meanwhile = 0, total = 5000;
static const char* variant = "";

static char bytes[1 << 20];  // what is read is not looked at
static char is_open[FIRST + MOST_SOCKETS];
static atomic_int opened;  // sockets that have not ended
static struct timespec started;
static atomic_ulong vain;  // reads that found nothing

struct record {
  int fd;
  long count;
  double time;
  unsigned long call;  // of async: the number of the io_uring_enter() before it, from 1
};
static struct record records[MOST_READS];
static atomic_ulong recorded;
static unsigned long calls;

static double now(void) {  // ms since the first mark
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)(time.tv_sec - started.tv_sec) * 1e3 + (double)(time.tv_nsec - started.tv_nsec) / 1e6;
}

static void compute(double ms) {
  const double end = now() + ms;
  while (now() < end) {}
}

// A read has returned `count` bytes of `fd`, or 0: the end.
static void got(int fd, long count) {
  const unsigned long index = atomic_fetch_add(&recorded, 1);
  if (index < MOST_READS) records[index] = (struct record){fd, count, now(), calls};
  if (count > 0 && work > 0) compute(work);
}

static void ended(int fd) {
  got(fd, 0);
  close(fd);
  is_open[fd] = 0;
  atomic_fetch_sub(&opened, 1);
}

static void finish(void) {
  (void)!write(MARK, "end", 3);
  const unsigned long count = recorded < MOST_READS ? recorded : MOST_READS;
  for (unsigned long i = 0; i < count; ++i)
    printf("got %d %ld at %.3f call %lu\n", records[i].fd, records[i].count, records[i].time, records[i].call);
  printf("in vain %lu\n", (unsigned long)vain);
  fflush(stdout);
  _exit(0);
}

static void on_total(int number) {
  (void)number;
  finish();
}

static void begin(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    char* const value = strchr(words[i], '=');
    if (value == NULL) {
      fprintf(stderr, "%s: not NAME=VALUE\n", words[i]);
      exit(2);
    }
    *value = 0;
    if (strcmp(words[i], "sockets") == 0)
      sockets = atoi(value + 1);
    else if (strcmp(words[i], "work") == 0)
      work = atof(value + 1);
    else if (strcmp(words[i], "meanwhile") == 0)
      meanwhile = atof(value + 1);
    else if (strcmp(words[i], "buffer") == 0)
      buffer = atoi(value + 1);
    else if (strcmp(words[i], "total") == 0)
      total = atof(value + 1);
    else if (strcmp(words[i], "variant") == 0)
      variant = value + 1;
    else {
      fprintf(stderr, "unknown: %s\n", words[i]);
      exit(2);
    }
  }
  if (sockets < 1 || sockets > MOST_SOCKETS || buffer < 1 || buffer > (int)sizeof bytes) {
    fprintf(stderr, "sockets: 1 to %d, buffer: 1 to %zu\n", (int)MOST_SOCKETS, sizeof bytes);
    exit(2);
  }
  for (int fd = FIRST; fd < FIRST + sockets; ++fd) is_open[fd] = 1;
  opened = sockets;
  signal(SIGALRM, on_total);
  const long us = (long)(total * 1e3);
  const struct itimerval timer = {{0, 0}, {us / 1000000, us % 1000000}};
  setitimer(ITIMER_REAL, &timer, NULL);
  clock_gettime(CLOCK_MONOTONIC, &started);
  (void)!write(MARK, "begin", 5);
  clock_gettime(CLOCK_MONOTONIC, &started);
}

static void check(int result, const char* what) {
  if (result >= 0) return;
  perror(what);
  exit(3);
}

// One read of a socket that does not block: true if there may be more.
static inline int read_once(int fd) {
  const long count = read(fd, bytes, (size_t)buffer);
  if (count > 0) {
    got(fd, count);
    return 1;
  }
  if (count == 0) {
    ended(fd);
    return 0;
  }
  if (errno != EAGAIN) {
    perror("read");
    exit(3);
  }
  atomic_fetch_add(&vain, 1);
  return 0;
}

