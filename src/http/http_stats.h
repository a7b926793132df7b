/*
 * What a server counts. Each loop has all members of its own (loop_count); those of "now" are of
 * the whole server.
 */
#pragma once

#include <stdint.h>

/* Counts since the start, except those marked "now". */
struct http_stats {
    uint64_t connections_open; /* now */
    uint64_t connections_accepted;
    uint64_t bytes_read;             /* from clients; counted when their effects are done */
    uint64_t ticks;                  /* of all loops: looks for deadlines that have passed */
    uint64_t refused_full;           /* total limit of connections */
    uint64_t refused_address;        /* limit of one address */
    uint64_t refused_descriptors;    /* no free descriptor */
    uint64_t requests;               /* handed to handle */
    uint64_t refused_bad_request;    /* 400 */
    uint64_t refused_timeout;        /* 408 */
    uint64_t refused_body_too_large; /* 413 */
    uint64_t refused_bodies_full;    /* 503: the large bodies in progress are at their limit */
    uint64_t upload_bytes;           /* now: what uploads in progress may have */
    uint64_t refused_uri_too_long;   /* 414 */
    uint64_t refused_head_too_large; /* 431 */
    uint64_t closed_idle;
    uint64_t closed_slow_reader;
    uint64_t closed_memory;       /* limit of all waiting replies, or no memory */
    uint64_t reply_bytes_waiting; /* now: in replies that wait for their clients */
    uint64_t replies_dropped;     /* the client disconnected */
    uint64_t replies_abandoned;   /* 503 instead of a reply that took too long */
    uint64_t deferred;
    uint64_t deferred_full;
    uint64_t deferred_waiting; /* now */
};
