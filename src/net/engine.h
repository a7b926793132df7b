/*
 * The inside of struct outgoing: what all transfers share. transfer.c moves transfers through its
 * lists; outgoing.h is the engine as other parts see it. Private to src/net.
 */
#pragma once

#include <curl/curl.h>
#include <sys/queue.h>
#include <uv.h>

#include "base/err.h"
#include "net/curl_loop.h"
#include "net/outgoing_types.h"
#include "net/resolver.h"

enum { ENGINE_SPARE_MAX = 16 }; /* handles of libcurl kept for the next transfer */

TAILQ_HEAD(transfer_list, transfer);

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

/* `ended`: called by libcurl's loop with the engine at the end of each attempt. */
enum err engine_create(
    uv_loop_t *loop, const struct outgoing_config *config, curl_loop_ended *ended,
    struct outgoing **ret, struct fail *fail) MUST_CHECK;
void engine_destroy(struct outgoing *o); /* no transfer may be left */

CURL *engine_take_easy(struct outgoing *o);            /* NULL: no memory */
void engine_give_easy(struct outgoing *o, CURL *easy); /* NULL is fine */
