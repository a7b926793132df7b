/*
 * HTTP as a client, several requests at a time on one thread: stockact-mcp asks the API with it,
 * and commands fetch documents with it (fetch.h waits for one answer). The owner waits for answers
 * and for descriptors of its own in the same call. Webhooks and mail go through outgoing.h.
 *
 * Always: certificates are verified and TLS is 1.2 or newer; HTTP/1.1; no redirect is followed;
 * answers are bounded in size and in time; connections are kept and used again.
 *
 * If a kept connection turns out to be closed before a byte of the answer has come, libcurl sends
 * the request once more on a new one. A connection on which something came between two requests is
 * closed instead of used.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

enum { CLIENT_DESCRIPTORS_MAX = 4 };

struct client_config {
    struct str base_url; /* before every target: http or https, a host, perhaps a port and a path;
                          * null: a target is a whole URL */
    bool plain_http;     /* allow http:// as well as https:// */
    bool cookies;        /* keep cookies as long as the client */
    struct str bearer;   /* sent as `Authorization: Bearer`; null: none is */
    struct str proxy;    /* "": none; null: the one in the environment (https_proxy, no_proxy) */
    struct str ca_file;  /* certificates of authorities to trust; null: the system's */
    struct str user_agent;
    unsigned connections_max; /* requests beyond wait for one, within their time */
    int64_t connect_time_max_ms;
    size_t body_max;
};

/* Copied by client_begin. */
struct client_request {
    struct str target;         /* encoded; begins with the slash after the base URL */
    struct str form;           /* application/x-www-form-urlencoded, sent by POST; null: a GET */
    const struct str *headers; /* "Name: value" */
    size_t header_count;
    int64_t time_max_ms;
};

/* Valid during the call that hands it over. */
struct client_answer {
    enum err err;       /* OK: there is a status. ERR_INVALID: not a URL, or not of an allowed
                         * scheme. ERR_UNAVAILABLE: no connection. ERR_REFUSED: the certificate is
                         * not trusted. ERR_TIMEOUT, ERR_LIMIT: it took longer, or is larger, than
                         * allowed. ERR_IO: the answer broke off or is not HTTP */
    const char *reason; /* one line for a person; "" with a status */
    int status;
    struct str body;
    struct str content_type; /* null: none */
    struct str redirect;     /* the Location as an absolute URL; null: none */
    void *of;                /* for client_header */
};

struct client;
struct client_exchange; /* a request under way */

/* Called by client_tell. May begin and cancel others, but not destroy the client. */
typedef void client_answered(void *ctx, const struct client_answer *answer);

/* ERR_INVALID: the base URL is not one; the reason says what is wrong with it. */
enum err client_create(const struct client_config *config, struct client **ret, struct fail *fail)
    MUST_CHECK;
void client_destroy(struct client *c); /* NULL is ignored; `answered` is not called */

struct client_exchange *client_begin(
    struct client *c, const struct client_request *request, client_answered *answered, void *ctx);
void client_cancel(struct client_exchange *exchange); /* `answered` will not be called */

/* A header of the answer; the null string if it has none of that name. */
struct str client_header(const struct client_answer *answer, const char *name);

/* The value of a cookie, in the arena; the null string if there is none of that name. */
struct str client_cookie(struct client *c, struct str name, struct arena *arena);

/* Waits until one of the descriptors is readable, an answer has come or the time is over.
 * ret_readable[i] says it of fds[i]. */
enum err client_wait(
    struct client *c, const int *fds, size_t count, int64_t time_max_ms, bool *ret_readable,
    struct fail *fail) MUST_CHECK;

/* Calls `answered` for each answer that has come. Separate from the wait, so that the owner can
 * read the clock in between. */
void client_tell(struct client *c);
