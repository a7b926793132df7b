/* One blocking request of a client (client.h), for commands that fetch documents. */
#pragma once

#include "net/client.h"

/* Everything except the status is in the arena. */
struct fetch_answer {
    int status;
    struct str body;
    struct str redirect; /* the Location as an absolute URL; null: none */
    struct str etag;
    struct str last_modified;
};

/* ERR_INVALID: not a URL, or not an allowed scheme. ERR_UNAVAILABLE: no response, an incomplete
 * one, or a certificate that is not trusted. ERR_TIMEOUT, ERR_LIMIT: it took longer, or is larger,
 * than allowed. */
enum err fetch(
    struct client *c, const struct client_request *request, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail);
