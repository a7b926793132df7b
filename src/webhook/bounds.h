/* The bounds of the dispatcher, in one place. Those of a claim and an attempt are the store's and
 * the rules' own: store/delivery.h, core/delivery.h. */
#pragma once

#include "store/delivery.h"

enum {
    /* Deliveries in hand: claimed, on their way, or with an outcome that is not durable yet. */
    IN_HAND_MAX = 1024,

    /* On their way to one endpoint: of the room that is left a share, so that however many
     * endpoints hang, one that does not finds room. While its last deliveries failed: less. */
    ENDPOINT_SHARE_OF_ROOM = 64, /* one in so many */
    ENDPOINT_IN_FLIGHT_MAX = 16,
    AILING_IN_FLIGHT_MAX = 2,

    /* Bodies of events in memory; the last one may pass it. */
    BODIES_BYTES_MAX = 64 * 1024 * 1024,

    IDLE_CONNECTIONS_MAX = 1024, /* kept open for another delivery */

    /* Outcomes are written together: so many, or what came within so long. */
    OUTCOMES_IN_GROUP = 64,
    OUTCOMES_GATHER_MS = 20,

    LOOK_MS = 1000,  /* how often the wall clock and the queue are looked at */
    AGAIN_MS = 1000, /* after the store did not take outcomes */

    UPKEEP_ROWS = 500, /* expired or deleted in one transaction */
};
