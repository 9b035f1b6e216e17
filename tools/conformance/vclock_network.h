/* The network of the process; see vclock_network.c. */
#pragma once

#include <stdbool.h>

#include "vclock.h"

/* From now on every segment to 127.0.0.1 is acknowledged as it arrives. Else the kernel acknowledges an end (FIN) when its own timers
 * say so, in real time; and that acknowledgement puts the socket that has ended into epoll's list, be there something to tell
 * or not. False when it could not be had; needs a network namespace of its own. */
VCLOCK_INTERNAL bool network_acknowledges_at_once(void);
