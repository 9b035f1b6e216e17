/* What the world outside the process does at given virtual times: see vclock_world.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether something is to come; then when, and its number, which breaks ties with pool operations. */
bool world_next(int64_t *ns, int64_t *number);

/* Lets the next thing happen; the clock stands at its time. */
void world_happen(void);

/* Nothing more happens: JavaScript has come to its end. */
void world_end(void);

/* A command: the text behind "vclock:". False: not one of the world's; errno is set when it was, and wrong (-1 in *result). */
bool world_command(const char *command, int64_t now_ns, int *result);
