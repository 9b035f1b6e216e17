/* The network of the process; see vclock_network.c. */
#pragma once

#include <stdbool.h>

#include "vclock.h"

/* Makes the kernel acknowledge every segment to 127.0.0.1 on arrival. Otherwise it acknowledges a FIN by its own
 * timers, in real time, and that acknowledgement puts the ended socket into epoll's ready list, even without an event
 * to report. False on failure; requires a private network namespace. */
VCLOCK_INTERNAL bool network_acknowledges_at_once(void);
