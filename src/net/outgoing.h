/*
 * An HTTP client for many requests at a time on one thread, which sends the webhooks. It knows
 * nothing about their content.
 *
 * For each request, the engine resolves the name itself and checks all its addresses: one forbidden
 * address rejects the request. Then libcurl gets one address after the other, as a number, so that
 * it never resolves, and the engine checks again when libcurl opens the socket. An idle connection
 * is reused only for the same name, port and address, and only if this request's look-up returned
 * the address: an address that is no longer allowed, or no longer the name's, is not used.
 *
 * Always: certificates are verified for the name; TLS is 1.2 or newer; HTTP/1.1; redirects are not
 * followed; nothing is decompressed; no cookies; no proxy, whatever the environment says. One time
 * limit covers the whole request, and the response is bounded in size. If the status line has
 * arrived when the time is up, the result is that status.
 *
 * A kept connection that received bytes after its last response is not reused, because they would
 * be taken for the next response. A connection that closes before the first byte of the response
 * may have closed before the request arrived: libcurl sends the request once more, on a new
 * connection. Receivers must tolerate that.
 *
 * All calls are on the loop's thread. `answered` and `done` may start and cancel requests, but not
 * destroy the engine; `may_connect` may do neither.
 */
#pragma once

#include <uv.h>

#include "base/err.h"
#include "net/outgoing_types.h"

struct outgoing;

/* After a failure, too, the loop has handles to close. */
enum err outgoing_create(
    uv_loop_t *loop, const struct outgoing_config *config, struct outgoing **ret,
    struct fail *fail);

/* Cancels all requests without callbacks. The memory is freed when the loop has run its close
 * callbacks: run it until no handle is left. NULL is ignored. */
void outgoing_destroy(struct outgoing *o);

unsigned outgoing_in_flight(const struct outgoing *o); /* for tests */

struct outgoing_result {
    int status; /* 200 to 599; 0: none, and `error` says why */
    enum outgoing_error error;
    const char *detail;     /* one line for a person; "" with a status */
    const char *remote;     /* "203.0.113.5:443", the last address tried; "": none */
    struct str retry_after; /* as received; null: none, or longer than OUTGOING_RETRY_AFTER_MAX */
    struct str body;        /* the kept part, as received */
    struct str sent;        /* the head of the request as it was sent; null: nothing was sent */
    struct outgoing_times times;
    bool connected; /* a new connection was made for it */
};

struct outgoing_request;

/* The final status line has arrived. It is the result, unless its head turns out to be wrong: too
 * large, or with a length that is none or two lengths. `done` follows when the kept part of the
 * body has been read, or time is up. */
typedef void outgoing_answered(void *ctx, int status);
/* The request has ended and its pointer is invalid; `result` is valid during the call. */
typedef void outgoing_done(void *ctx, const struct outgoing_result *result);
struct outgoing_post {
    struct str url;
    bool plain_http;           /* accept http:// as well as https:// */
    const struct str *headers; /* "Name: value"; copied */
    size_t header_count;
    struct str body;     /* not copied: must live until `done`, or until the request is cancelled */
    int64_t time_max_ms; /* one limit for the whole request, including the response body */
    size_t answer_max;   /* bytes of the response body to read and keep */
    bool keep_sent;      /* report the head of the request, at most OUTGOING_SENT_MAX bytes */
    outgoing_may_connect *may_connect;
    outgoing_answered *answered; /* may be NULL */
    outgoing_done *done;
    void *ctx; /* for all three callbacks */
};

/* No callback before it returns. ERR_INVALID: an invalid URL or header. ERR_BUSY: in_flight_max
 * requests are in flight. */
enum err outgoing_post(
    struct outgoing *o, const struct outgoing_post *post, struct outgoing_request **ret,
    struct fail *fail);

/* Cancels it without callbacks. */
void outgoing_cancel(struct outgoing_request *request);
