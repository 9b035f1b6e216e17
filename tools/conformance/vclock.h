/* Internal functions shared by the library's files; see vclock.c. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define VCLOCK_INTERNAL __attribute__((visibility("hidden")))

/* vclock.c: reads VCLOCK_PHASE_NS, VCLOCK_LOG and VCLOCK_PATIENCE and sets the clock to the process's start. */
VCLOCK_INTERNAL void vclock_read_environment(void);

/* vclock.c: the process ends now: writes the time to VCLOCK_END_FD. */
VCLOCK_INTERNAL void vclock_tell_end(void);

/* vclock.c: stat() of a magic path, which takes its time; false: it is another path. */
VCLOCK_INTERNAL bool vclock_stat(const char *path, void *status, size_t size, int *result);

/* vclock_fork.c: the loop's thread is about to look at the file `path`. */
VCLOCK_INTERNAL void vclock_fork_before(const char *path);
/* vclock_fork.c: a condition wait, with the real `wait`, of a thread that is neither the loop's nor the pool's. */
VCLOCK_INTERNAL int vclock_fork_wait(int (*wait)(pthread_cond_t *, pthread_mutex_t *), pthread_cond_t *c,
                                     pthread_mutex_t *m);
/* vclock_fork.c: called before `c` is signalled; revives threads of the server that waited for it. */
VCLOCK_INTERNAL void vclock_fork_before_signal(pthread_cond_t *c);
/* vclock_fork.c: joins a thread that existed in the server; false for other threads. */
VCLOCK_INTERNAL bool vclock_fork_join(pthread_t thread);
/* vclock_fork.c: the process meant by a script's `pid`: the server's pid stands for the child's own. */
VCLOCK_INTERNAL pid_t vclock_fork_own(pid_t pid);
