/* Types that requests (outgoing.h) and the transfers that carry them (transfer.h) share. */
#pragma once

#include <sys/socket.h>

#include "base/str.h"

enum {
    OUTGOING_HEAD_MAX = 64 * 1024, /* the most bytes of headers that are read */
    OUTGOING_SENT_MAX = 8 * 1024,  /* the most bytes of a request's head that are reported */
    OUTGOING_RETRY_AFTER_MAX = 64,
    OUTGOING_LENGTH_MAX = 20, /* digits of a Content-Length */
    OUTGOING_DETAIL_MAX = 256,
    OUTGOING_REMOTE_MAX = 64,
    OUTGOING_ADDRESSES_MAX = 8, /* the most addresses of a name to try; all of them are checked */
};

/* The result of a request without a status. */
enum outgoing_error {
    OUTGOING_NONE,            /* there is a status */
    OUTGOING_REFUSED_ADDRESS, /* an address of the name is forbidden */
    OUTGOING_RESOLVE,         /* no such name, or no answer from a name server */
    OUTGOING_CONNECT,         /* no address accepted the connection */
    OUTGOING_TLS,             /* no handshake, or a certificate that is not trusted */
    OUTGOING_TIMEOUT,         /* no status line in time */
    OUTGOING_PROTOCOL,        /* closed before a status line, or not HTTP/1 */
};
enum { OUTGOING_ERROR_COUNT = OUTGOING_PROTOCOL + 1 };

struct outgoing_config {
    unsigned in_flight_max;
    unsigned idle_max; /* connections kept open between requests, beside one for each in flight */
    struct str user_agent;
    struct str ca_file;      /* instead of the system's certificates; null: the system's */
    struct str name_servers; /* "ADDRESS:PORT,..." instead of the system's; null: the system's */
};

/* The time spent in each phase, in milliseconds. A phase that was not reached has none; the phase
 * in which the request ended has the rest. The first four add up to the time of the status line. */
struct outgoing_times {
    int64_t resolve_ms, connect_ms, tls_ms, wait_ms;
    int64_t total_ms; /* including the response body */
};

/* Returns true if this address and port are allowed. */
typedef bool outgoing_may_connect(void *ctx, const struct sockaddr *address);
