/* Events from outside the process at given virtual times: see vclock_world.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* False: no event is pending. Otherwise its time, and its number, which breaks ties with pool operations. */
bool world_next(int64_t *ns, int64_t *number);

/* Executes the next event; the clock is at its time. */
void world_happen(void);

/* Drops all pending events: JavaScript has ended. */
void world_end(void);

/* Executes a command, the text after "vclock:". False: not one of these. An invalid one sets errno; *result is -1. */
bool world_command(const char *command, int64_t now_ns, int *result);
