/* What the parts of the library share; see vclock.c for what it is. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define VCLOCK_INTERNAL __attribute__((visibility("hidden")))

/* vclock.c: reads VCLOCK_PHASE_NS, VCLOCK_LOG and VCLOCK_PATIENCE and sets the clock to the process's start. */
VCLOCK_INTERNAL void vclock_read_environment(void);

/* vclock.c: the process ends here and now: tells when, as VCLOCK_END_FD asks. */
VCLOCK_INTERNAL void vclock_tell_end(void);

/* vclock_fork.c: the loop's thread is about to look at the file `path`. */
VCLOCK_INTERNAL void vclock_fork_before(const char *path);
/* vclock_fork.c: a thread that is neither the loop's nor the pool's waits, by means of the real `wait`. */
VCLOCK_INTERNAL int vclock_fork_wait(int (*wait)(pthread_cond_t *, pthread_mutex_t *), pthread_cond_t *c,
                                     pthread_mutex_t *m);
/* vclock_fork.c: somebody is about to signal; whoever waited there and was left behind in the server is made again. */
VCLOCK_INTERNAL void vclock_fork_before_signal(pthread_cond_t *c);
/* vclock_fork.c: true when the thread was left behind in the server, and is now joined. */
VCLOCK_INTERNAL bool vclock_fork_join(pthread_t thread);
/* vclock_fork.c: the process that a script means by `pid`: what it takes for its own may be the server's. */
VCLOCK_INTERNAL pid_t vclock_fork_own(pid_t pid);
