/*
 * The inside of struct outgoing: the state that all transfers share. transfer.c moves transfers
 * through its lists; outgoing.h is the public interface. Private to src/net.
 */
#pragma once

#include <curl/curl.h>
#include <sys/queue.h>
#include <uv.h>

#include "net/curl_loop.h"
#include "net/outgoing_types.h"
#include "net/resolver.h"

enum { ENGINE_SPARE_MAX = 16 }; /* libcurl handles kept for the next transfers */

TAILQ_HEAD(transfer_list, transfer);

struct outgoing {
    uv_idle_t *kick; /* runs queued work in the next turn of the loop; separate memory */
    struct resolver *resolver;
    struct curl_loop *curl;
    unsigned in_flight, in_flight_max;
    char *user_agent;
    char *ca_file;                /* NULL: the system's */
    bool ca_bundle;               /* the system's certificates are one file: skip the directory */
    struct transfer_list queued;  /* waiting for the next turn */
    struct transfer_list active;  /* resolving or sending */
    struct transfer_list to_tell; /* active transfers with something to report */
    CURL *spare[ENGINE_SPARE_MAX];
    size_t spare_count;
};

/* `ended`: libcurl's loop calls it with the engine at the end of each attempt. */
enum err engine_create(
    uv_loop_t *loop, const struct outgoing_config *config, curl_loop_ended *ended,
    struct outgoing **ret, struct fail *fail);
void engine_destroy(struct outgoing *o); /* there must be no transfers left */

CURL *engine_take_easy(struct outgoing *o);            /* NULL: no memory */
void engine_give_easy(struct outgoing *o, CURL *easy); /* NULL is ignored */
