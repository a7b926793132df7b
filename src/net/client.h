/*
 * An HTTP client for several requests at a time on one thread: stockact-mcp calls the API with it,
 * and commands fetch documents with it (client.h waits for one response). One call waits for
 * responses and for the owner's own descriptors. Webhooks and mail use outgoing.h instead.
 *
 * Always: certificates are verified and TLS is 1.2 or newer; HTTP/1.1; redirects are not followed;
 * responses are bounded in size and time; connections are kept and reused.
 *
 * If a kept connection turns out to be closed before the first byte of the response, libcurl sends
 * the request once more on a new one. A connection that received bytes between two requests is
 * closed instead of reused.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

enum { CLIENT_DESCRIPTORS_MAX = 4 };

struct client_config {
    struct str base_url; /* prefix of every target: http or https, a host, optionally a port and a
                            path; null: a target is a whole URL */
    bool plain_http;     /* allow http:// as well as https:// */
    bool cookies;        /* keep cookies as long as the client */
    struct str bearer;   /* sent as `Authorization: Bearer`; null: not sent */
    struct str proxy;    /* "": none; null: from the environment (https_proxy, no_proxy) */
    struct str ca_file;  /* CA certificates to trust; null: the system's */
    struct str user_agent;
    unsigned connections_max; /* further requests wait for a connection, within their time limit */
    int64_t connect_time_max_ms;
    size_t body_max;
};

/* client_begin copies it. */
struct client_request {
    struct str target;         /* percent-encoded; begins with the slash after the base URL */
    struct str form;           /* sent by POST, as application/x-www-form-urlencoded unless
                                  `headers` have a Content-Type; null: a GET */
    bool once;                 /* on a connection of its own: never sent a second time */
    const struct str *headers; /* "Name: value" */
    size_t header_count;
    int64_t time_max_ms;
};

/* Valid during the callback. */
struct client_answer {
    /* OK: there is a status. ERR_INVALID: not a URL, or not an allowed scheme. ERR_UNAVAILABLE: no
     * connection. ERR_REFUSED: the certificate is not trusted. ERR_TIMEOUT, ERR_LIMIT: it took
     * longer, or is larger, than allowed. ERR_IO: the response ended early or is not HTTP. */
    enum err err;
    const char *reason; /* one line for a person; "" with a status */
    int status; /* also with ERR_LIMIT, and with other errors after the status line; 0: none */
    struct str body;
    struct str content_type; /* null: none */
    struct str redirect;     /* the Location as an absolute URL; null: none */
    void *of;                /* for client_header */
    struct str head;         /* instead of `of`: header lines of a response that was not fetched */
};

struct client;
struct client_exchange; /* a request in progress */

/* Called by client_tell. It may begin and cancel other requests, but not destroy the client. */
typedef void client_answered(void *ctx, const struct client_answer *answer);

/* ERR_INVALID: not a base URL; the reason says why. */
enum err client_create(const struct client_config *config, struct client **ret, struct fail *fail);
void client_destroy(struct client *c); /* NULL is ignored; does not call `answered` */

struct client_exchange *client_begin(
    struct client *c, const struct client_request *request, client_answered *answered, void *ctx);
void client_cancel(struct client_exchange *exchange); /* `answered` will not be called */

/* A header of the response; the null string if it has none with that name. */
struct str client_header(const struct client_answer *answer, const char *name);

/* The value of a cookie, in the arena; the null string if there is none with that name. */
struct str client_cookie(struct client *c, struct str name, struct arena *arena);

/* Waits until one of the descriptors is readable, a response has arrived or the time is over.
 * ret_readable[i] is true if fds[i] is readable. */
enum err client_wait(
    struct client *c, const int *fds, size_t count, int64_t time_max_ms, bool *ret_readable,
    struct fail *fail);

/* Calls `answered` for each response that has arrived. Separate from the wait, so that the owner
 * can read the clock in between. */
void client_tell(struct client *c);

/* One blocking request of a client (client.h), for commands that fetch documents. */

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
