/* What requests (outgoing.h) and the transfers that carry them (transfer.h) have in common. */
#pragma once

#include <sys/socket.h>

#include "base/str.h"

enum {
    OUTGOING_HEAD_MAX = 64 * 1024, /* bytes of headers that are looked at */
    OUTGOING_RETRY_AFTER_MAX = 64,
    OUTGOING_DETAIL_MAX = 256,
    OUTGOING_REMOTE_MAX = 64,
    OUTGOING_ADDRESSES_MAX = 8, /* of a name, to which connecting is tried; all are asked about */
};

/* What became of a request without a status. */
enum outgoing_error {
    OUTGOING_NONE,            /* there is a status */
    OUTGOING_REFUSED_ADDRESS, /* an address of the name may not be connected to */
    OUTGOING_RESOLVE,         /* no such name, or no answer of a name server */
    OUTGOING_CONNECT,         /* nobody takes the connection */
    OUTGOING_TLS,             /* no handshake, or a certificate that is not trusted */
    OUTGOING_TIMEOUT,         /* no status line in time */
    OUTGOING_PROTOCOL,        /* closed before a status line, or something else than HTTP/1 */
};
enum { OUTGOING_ERROR_COUNT = OUTGOING_PROTOCOL + 1 };

struct outgoing_config {
    unsigned in_flight_max;
    unsigned idle_max; /* connections kept open between requests, beside one for each in flight */
    struct str user_agent;
    struct str ca_file;      /* instead of the system's certificates; null: the system's */
    struct str name_servers; /* "ADDRESS:PORT,..." instead of the system's; null: the system's */
};

/* Where the time went, in milliseconds: a phase that was not reached has none, the one in which the
 * request ended has what was left. The first four add up to the time of the status line. */
struct outgoing_times {
    int64_t resolve_ms, connect_ms, tls_ms, wait_ms;
    int64_t total_ms; /* with the answer's body */
};

/* May this address and port be connected to? */
typedef bool outgoing_may_connect(void *ctx, const struct sockaddr *address);
