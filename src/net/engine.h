/* The engine of outgoing.h, inside src/net: what all transfers share. */
#pragma once

#include "net/transfer.h"

enum { ENGINE_SPARE_MAX = 16 }; /* handles of libcurl kept for the next transfer */

struct outgoing {
    uv_idle_t *kick; /* runs what waits for the next turn of the loop; of its own memory */
    struct resolver *resolver;
    struct curl_loop *curl;
    unsigned in_flight, in_flight_max;
    char *user_agent;
    char *ca_file;  /* NULL: the system's */
    bool ca_bundle; /* the system's certificates are one file: no folder to look into */
    struct transfer_list queued;  /* waiting for the next turn */
    struct transfer_list active;  /* resolving or sending */
    struct transfer_list to_tell; /* of the active, with something to tell */
    CURL *spare[ENGINE_SPARE_MAX];
    size_t spare_count;
};

void engine_kick(struct outgoing *o); /* what is queued or to be told has its turn soon */

CURL *engine_take_easy(struct outgoing *o);            /* NULL: no memory */
void engine_give_easy(struct outgoing *o, CURL *easy); /* NULL is fine */
