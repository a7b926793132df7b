/*
 * HTTP as a client, many requests at a time on one thread: what webhooks are sent by. It knows
 * nothing of what it sends.
 *
 * For each request: the name is resolved here; all its addresses are asked about, and one that may
 * not be connected to refuses the request, whatever the others are; then libcurl is given one
 * address after the other, each as a number, so that it never resolves, and asks once more when it
 * opens the socket. An idle connection is used again only for the same name, port and address, and
 * the address has been asked about in this request: what is no longer allowed, or no longer the
 * name's, is not used.
 *
 * Always: certificates are verified for the name, TLS is 1.2 or newer; HTTP/1.1; no redirect is
 * followed, nothing is unpacked, no cookie is kept, no proxy is used, whatever the environment
 * says. A request is bounded in time by one limit for everything up to the status line, and what
 * comes back is bounded in size.
 *
 * A kept connection on which something has come since its last answer is not used again: it would
 * be taken for the next one. One that closes before a byte of the answer has come may have closed
 * before the request reached it: libcurl sends it once more, on a new connection. What is sent must
 * bear that.
 *
 * Everything is called on the thread of the loop. `answered` and `done` may start and cancel
 * requests, but not destroy the engine; `may_connect` does none of that.
 */
#pragma once

#include <uv.h>

#include "base/err.h"
#include "net/outgoing_types.h"

struct outgoing;

/* After a failure, too, the loop has handles to close. */
enum err outgoing_create(
    uv_loop_t *loop, const struct outgoing_config *config, struct outgoing **ret,
    struct fail *fail) MUST_CHECK;

/* Ends all requests without calling back. The memory ends when the loop has run its close
 * callbacks: run it until it has nothing left. NULL is fine. */
void outgoing_destroy(struct outgoing *o);

unsigned outgoing_in_flight(const struct outgoing *o);

struct outgoing_result {
    int status; /* 200 to 599; 0: none, and `error` says why */
    enum outgoing_error error;
    const char *detail;     /* one line for a person; "" with a status */
    const char *remote;     /* "203.0.113.5:443", the address tried last; "": none was */
    struct str retry_after; /* as it came; null: none, or longer than OUTGOING_RETRY_AFTER_MAX */
    struct str body;        /* as much as asked for, packed as it came */
    struct outgoing_times times;
    bool connected; /* a new connection was made for it */
};

struct outgoing_request;

/* The final status line is there: the outcome is certain, `done` follows when the answer's body has
 * been read as far as asked for, or time is up. */
typedef void outgoing_answered(void *ctx, int status);
/* The end of the request, whose pointer is void from here on; `result` is valid during the call. */
typedef void outgoing_done(void *ctx, const struct outgoing_result *result);
struct outgoing_post {
    struct str url;
    bool plain_http;           /* take http:// as well as https:// */
    const struct str *headers; /* "Name: value"; copied */
    size_t header_count;
    struct str body;     /* not copied: stays until `done`, or until the request is cancelled */
    int64_t time_max_ms; /* for everything up to the status line, and for the body behind it */
    size_t answer_max;   /* bytes of the answer's body that are kept, and read */
    outgoing_may_connect *may_connect;
    outgoing_answered *answered; /* may be NULL */
    outgoing_done *done;
    void *ctx; /* of the three */
};

/* No callback before it returns. ERR_INVALID: the URL or a header is not of the form. ERR_BUSY:
 * in_flight_max requests are under way. */
enum err outgoing_post(
    struct outgoing *o, const struct outgoing_post *post, struct outgoing_request **ret,
    struct fail *fail) MUST_CHECK;

/* It ends without calling back. */
void outgoing_cancel(struct outgoing_request *request);
