/* Asks this machine's server with one request, without the database or an HTTP client. Private to
 * src/cmd/operate. */
#pragma once

#include "config/settings.h"

enum server_state {
    SERVER_READY,   /* it responds with 200 */
    SERVER_LOADING, /* 503: it starts or stops */
    SERVER_OTHER,   /* this is not a stockact server */
    SERVER_SILENT,  /* it did not respond within three seconds */
    SERVER_NONE,    /* no server listens there */
    SERVER_NOWHERE, /* the settings leave the port open */
};

enum { SERVER_RESPONSE_SIZE_MAX = 4 << 20 };

/* `path`: "/readyz". `response` may be NULL; it gets the head and the body. *ret_reason: why no
 * response came. */
enum server_state server_ask(
    const struct settings *settings, const char *path, struct buf *response,
    const char **ret_reason);
