/*
 * A reply that did not fit into the socket, while its client is slow to take it: the bytes that are
 * left, and the pipelined requests behind it. It has whole pages of its own, so that the exchange
 * and the reply's memory return to their pools at once, and the kernel gets the pages back when the
 * client has taken the reply or is disconnected. All of them together stay below limits.reply_bytes
 * of the server. Private to src/http.
 */
#pragma once

#include "http/exchange.h"

struct parked {
    uv_write_t write;
    size_t size;     /* of the mapping */
    bool last;       /* the connection closes after the reply */
    uv_buf_t out[2]; /* copied bytes, then a body of process lifetime, if there is one */
    unsigned out_count;
    struct str input; /* requests that have arrived */
    char bytes[];
};

/* Copies what is left of an ended exchange after the first `sent` bytes of its reply. NULL: the
 * server's replies would pass the limit, or there is no memory. */
struct parked *parked_create(const struct http_exchange *x, size_t sent);
void parked_destroy(struct loop *loop, struct parked *p);

/* Gives an exchange without data the requests behind the reply. */
void parked_resume(const struct parked *p, struct http_exchange *x);
