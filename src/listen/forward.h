/*
 * Sends one event to the developer's receiver as the service would: the same headers, both
 * signatures, the same time limit. Never sends it a second time, not even after a lost connection.
 */
#pragma once

#include "listen/event_page.h"
#include "listen/listen_secret.h"
#include "net/client.h"
#include "webhook/signature.h"

enum {
    FORWARD_ID_SIZE = 4 + 16 + LISTEN_ENDPOINT_SIZE, /* dlv_, of the event, of the listener */
    FORWARD_REASON_SIZE = 256,
};

struct forward {
    struct client *client;
    struct signature_key key;
    char endpoint[LISTEN_ENDPOINT_SIZE];
    struct str url; /* borrowed */
};

struct forward_result {
    bool ended;
    int status;                       /* 0: none */
    char reason[FORWARD_REASON_SIZE]; /* "": there is a status */
};

/* ERR_INVALID: not a URL, or not a secret. `url` is used until forward_finish. */
enum err forward_init(
    struct forward *f, struct str url, struct str secret, struct str user_agent, struct fail *fail);
void forward_finish(struct forward *f); /* also after forward_init failed, and of a zeroed struct */

/* The id of the delivery: the same in each run with the same secret. */
void forward_id(const struct forward *f, struct str event_id, char ret[static FORWARD_ID_SIZE]);

/* Begins the request; client_wait and client_tell of f->client fill *result. */
void forward_begin(
    struct forward *f, const struct event_page_item *event, bool invented, int64_t now_ms,
    struct forward_result *result);
