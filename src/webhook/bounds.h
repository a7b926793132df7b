/* The bounds of the dispatcher, in one place. The bounds of a claim and of an attempt are in
 * store/account/delivery.h and rule/delivery.h. */
#pragma once

#include "store/account/delivery.h"

enum {
    /* Deliveries in hand: claimed, in flight, or with an outcome that is not durable yet. */
    IN_HAND_MAX = 1024,

    /* In flight to one endpoint: a share of the remaining room, so that a healthy endpoint finds
     * room however many others hang. */
    ENDPOINT_SHARE_OF_ROOM = 64, /* one part in so many */
    ENDPOINT_IN_FLIGHT_MAX = 16,

    /* Bodies of events in memory; the last one may exceed it. */
    BODIES_BYTES_MAX = 64 * 1024 * 1024,

    IDLE_CONNECTIONS_MAX = 1024, /* kept open for another delivery */

    /* Outcomes are written in groups: this many, or all that arrive within this time. */
    OUTCOMES_IN_GROUP = 64,
    OUTCOMES_GATHER_MS = 20,

    LOOK_MS = 1000,  /* interval for checking the wall clock and the queue */
    AGAIN_MS = 1000, /* wait after the store did not accept outcomes */

    REPLAYS_IN_CLAIM = 200, /* of a replay of many, in one transaction */

    UPKEEP_ROWS = 500, /* expired or deleted in one transaction */
};
