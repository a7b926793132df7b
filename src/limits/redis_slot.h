/* The slots of a Redis Cluster, over which it spreads keys. */
#pragma once

#include "base/str.h"

enum { REDIS_SLOTS = 16384 };

/* The slot of a key: a hash of the part in its first braces, or of the whole key without one. */
uint16_t redis_slot_of(struct str key);
