/* What the parts of the library share; see vclock.c for what it is. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define VCLOCK_INTERNAL __attribute__((visibility("hidden")))

/* vclock.c: reads VCLOCK_PHASE_NS, VCLOCK_LOG and VCLOCK_PATIENCE and sets the clock to the process's start. */
VCLOCK_INTERNAL void vclock_read_environment(void);

/* vclock_fork.c: the loop's thread is about to look at the file `path`. */
VCLOCK_INTERNAL void vclock_fork_before(const char *path);
/* vclock_fork.c: whether the thread was left behind in the server, so that nobody can join it. */
VCLOCK_INTERNAL bool vclock_fork_lost(pthread_t thread);
/* vclock_fork.c: a thread that is not the loop's is about to wait. */
VCLOCK_INTERNAL void vclock_fork_waiting(pthread_cond_t *condition);
/* vclock_fork.c: whether only threads that were left behind wait there. */
VCLOCK_INTERNAL bool vclock_fork_orphaned(pthread_cond_t *condition);
