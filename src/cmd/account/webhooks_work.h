/*
 * What the `webhooks` commands on one endpoint share: the state of a command, the master key, and
 * how an endpoint is printed. Private to src/cmd/account.
 */
#pragma once

#include "cmd/operate/store_access.h"
#include "config/values.h"
#include "webhook/owner.h"

/* The state of a command on one endpoint. A secret is printed once and then wiped from memory. */
struct webhooks_work {
    struct cmd *cmd;
    struct arena arena;
    struct act act; /* its database is closed with the work */
    struct seal_key key;
    struct key_mark mark; /* of the master key; held by what writes a secret */
    struct guard guard;
    struct destination_rules rules; /* for URLs */
    struct str warning;             /* about the URL; null: none */
    struct owner_endpoint is;       /* id, url, events and description from the options */
};

struct webhooks_work *webhooks_work_create(struct cmd *cmd, struct fail *fail);
void webhooks_work_end(struct webhooks_work **work); /* for SCOPED */

/* Loads the key that seals secrets. Only the server creates the master key, on its first start. */
enum err webhooks_load_key(struct webhooks_work *work, struct fail *fail);

/* Checks a URL before the database is opened for writing: looking up its name takes up to 3 s. Sets
 * work->warning if a delivery would fail at the moment. */
enum err webhooks_check_url(struct webhooks_work *work, struct str url, struct fail *fail);

/* Adds to the current record. */
void webhooks_put_endpoint(struct out *out, const struct endpoint *endpoint);

/* Does the action of the command on the endpoint: opens the store, runs it in a transaction, waits
 * for the servers. An exceeded cap completes the error object (spec 7). */
enum err webhooks_write(struct webhooks_work *work);

/* Sends one signed request to the endpoint now, logs that, and prints the outcome. The event is
 * invented; null strings: a test. ERR_REFUSED: no response, or no 2xx. */
enum err webhooks_send(
    struct cmd *cmd, struct str endpoint_id, struct str type, struct str body, struct fail *fail);
