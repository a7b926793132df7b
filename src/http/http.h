/*
 * The interface of a handler: an exchange, which is one request and its reply.
 *
 * An exchange begins when its head and body have arrived and passed every rule of RFC 9112 that
 * this server holds requests to (head.h, framing.h); it lives until http_reply_end, even if the
 * client disconnects. It belongs to one thread at a time: to its loop, or, between
 * http_defer and the end of `work`, to a worker. Everything that is reached through it (request,
 * headers, body, arena) ends with it.
 *
 *     handle(ctx, x):  http_status, http_head, http_body ... http_reply_end       inline
 *                      http_defer(x, work, done)  ->  done(x): http_reply_end     on a worker
 *                      keep x, return  ->  http_resume(x, fn)  ->  fn(x)          answered later
 *
 * A reply without an end is a stream (stream.h); its exchange lives as long as the stream.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

struct http_exchange;

/* HTTP_UNKNOWN is any other token: the application answers 501. */
enum http_method {
    HTTP_GET,
    HTTP_HEAD,
    HTTP_OPTIONS,
    HTTP_POST,
    HTTP_PUT,
    HTTP_DELETE,
    HTTP_PATCH,
    HTTP_TRACE,
    HTTP_CONNECT,
    HTTP_UNKNOWN,
};

struct str http_method_name(enum http_method method); /* "GET"; "" for HTTP_UNKNOWN */

struct http_header {
    struct str name;  /* in lower case */
    struct str value; /* without leading and trailing white space; may be empty */
};

struct http_request {
    enum http_method method;
    struct str method_text;
    struct str target; /* as sent */
    struct str path;   /* raw, from a target of any form; "*" for OPTIONS * */
    struct str query;  /* raw, after '?'; null without one */
    const struct http_header *headers;
    size_t header_count;
    struct str body; /* empty when there is none */
    bool keep_alive; /* the client asked for it */
    bool http_1_0;
};

/* The peer of the socket; headers are not considered. */
struct http_peer {
    bool is_unix;        /* then there is no address */
    uint8_t address[16]; /* IPv6, or IPv4 as ::ffff:a.b.c.d */
    uint16_t port;
};

/* In a rejected request (http_app.refuse), fields that were not read yet are empty. */
const struct http_request *http_request(const struct http_exchange *x);

/* The first header with this name (lower case); null if there is none. */
struct str http_header(const struct http_request *request, struct str name);
size_t http_header_count(const struct http_request *request, struct str name);
/* All values of a list header joined by ", " in order (RFC 9110 5.3); null if there is none. */
struct str http_header_joined(struct http_exchange *x, struct str name);

int64_t http_now_ms(const struct http_exchange *x);   /* the request's one reading of the clock */
int64_t http_began_ns(const struct http_exchange *x); /* monotonic: when the head was complete */
const struct http_peer *http_peer(const struct http_exchange *x);
struct str http_id(const struct http_exchange *x); /* sent as X-Request-Id with every reply */
struct arena *http_arena(struct http_exchange *x); /* memory that lasts as long as the exchange */

/* A pointer for the application, NULL at first, available in `done` and `fn`. */
void http_set_data(struct http_exchange *x, void *data);
void *http_data(const struct http_exchange *x);

/* The reply. The status is 200 unless set. Every part can be set again before the end;
 * http_reply_reset clears all of it. A name or value that is not one line makes the reply a 500,
 * and so does exceeding HTTP_REPLY_MAX or HTTP_REPLY_HEAD_MAX (bounds.h). */
void http_status(struct http_exchange *x, int status);
void http_head(struct http_exchange *x, struct str name, struct str value);
void http_head_raw(struct http_exchange *x, struct str block);  /* whole lines, each with CRLF */
struct buf *http_head_lines(struct http_exchange *x);           /* or write such lines here */
struct buf *http_body(struct http_exchange *x);                 /* write the body here */
void http_body_const(struct http_exchange *x, struct str body); /* instead; of process lifetime */
void http_reply_reset(struct http_exchange *x);

/* Sends the reply; x is invalid afterwards. Adds Date, X-Request-Id, Content-Length and Connection.
 * HEAD, 204 and 304 get no body (the Content-Length of HEAD is that of GET). On the loop only. */
void http_reply_end(struct http_exchange *x);

/* For logs and metrics, until http_reply_end or the end of the stream: the current values. */
int http_reply_status(const struct http_exchange *x);
size_t http_reply_body_size(const struct http_exchange *x);

/* Hands x to a worker thread of HTTP_LANE_API: runs work(x, worker_ctx) there, then done(x) on the
 * loop. False if the queue is full, with nothing done: answer 503. Do not touch x after true. */
bool http_defer(
    struct http_exchange *x, void (*work)(struct http_exchange *x, void *worker_ctx),
    void (*done)(struct http_exchange *x)) MUST_CHECK;

/* Pages have workers of their own: hashing passwords for people must not delay the API. Pictures
 * are drawn one after the other, and delay nothing else; uploads are read one after the other too.
 */
enum http_lane {
    HTTP_LANE_API,
    HTTP_LANE_PAGES,
    HTTP_LANE_PICTURES,
    HTTP_LANE_UPLOADS,
    HTTP_LANES
};
bool http_defer_to(
    struct http_exchange *x, enum http_lane lane,
    void (*work)(struct http_exchange *x, void *worker_ctx),
    void (*done)(struct http_exchange *x)) MUST_CHECK;

/* Before http_defer: requests with the same key, such as those of one address, share the lane with
 * those of other keys. A free thread takes the oldest request of the key that has the fewest
 * threads, and a key never has more than half of them. 0, the default: shares with nobody. */
void http_share_lane(struct http_exchange *x, uint64_t key);

/* Before the handler returns: the application may keep x for limits.patient_reply_ms instead of
 * limits.reply_ms. */
void http_be_patient(struct http_exchange *x);

/* Before the handler returns: if the client closes its side while x is kept, the connection is
 * closed at once, and not with the reply. For what takes long and is of use to this client only. A
 * client that only ends its sending gets no reply then. */
void http_watch_client(struct http_exchange *x);

/* In app.refuse: the application has had this request for too long, and goes on with it. */
bool http_is_late(const struct http_exchange *x);

/* The client is gone, so that the reply would be dropped. Any thread that has x may call it. */
bool http_client_left(const struct http_exchange *x);

/* From any thread: runs fn(x) on x's loop. For an exchange whose handler returned, or is about to
 * return, without replying; one call at a time. */
void http_resume(struct http_exchange *x, void (*fn)(struct http_exchange *x));

/* What may become of a large body. */
struct http_body_rule {
    /* Bytes; 413 above. Beside the request at most HTTP_LARGE_BODY_MAX; spooled, in a memory file,
     * at most HTTP_SPOOL_MAX. */
    size_t max;
    /* Its client has spool_ms instead of body_ms if it sends HTTP_SPOOL_FLOOR bytes a second. */
    bool spooled;
    /* Whose upload it is: one of a holder may arrive at a time, 409 otherwise. 0: anybody's. */
    uint64_t holder;
};

struct http_app {
    void *ctx;
    /* On a loop, outside any read of the feed or the keys (base/rcu.h: bracket your own). */
    void (*handle)(void *ctx, struct http_exchange *x);
    /* A request that the HTTP rules or body_rule reject: status 400, 408, 409, 413, 414, 431; or
     * 500 if a reply exceeded the size limit, or 503 if its exchange was kept too long (that
     * exchange continues, its reply is dropped, and http_is_late says so) or the large bodies in
     * progress are at their limit. `why` is a short reason for the hint. Must reply before it
     * returns; the connection is closed afterwards. */
    void (*refuse)(void *ctx, struct http_exchange *x, int status, const char *why);
    /* Optional: what to do with the body of this request. Asked when the head is complete and
     * Content-Length is above HTTP_BODY_MAX, which is the bound of all other bodies, and of chunked
     * ones: browsers send forms with their length. */
    struct http_body_rule (*body_rule)(void *ctx, const struct http_request *request);
    /* Optional: returns true if this peer may open any number of connections (a trusted proxy).
     * Loopback and the unix socket always may. */
    bool (*unbounded_peer)(void *ctx, const struct http_peer *peer);
};
