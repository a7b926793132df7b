/*
 * HTTP as a client of one service: GETs, several at a time, on one thread, whose owner waits for
 * their answers and for descriptors of its own in the same call. What stockact-mcp asks the API by.
 *
 * Always: certificates are verified and TLS is 1.2 or newer; connections are kept and used again;
 * no redirect is followed, no cookie is kept; what comes is bounded in size and in time. A proxy is
 * used where the environment names one (https_proxy, no_proxy), as with the curl command.
 *
 * A kept connection that turns out to be closed before a byte of the answer has come gets its
 * request once more on a new one: that is libcurl's doing, and right for a GET. One on which
 * something came while nothing was asked is closed instead of used.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum { CLIENT_DESCRIPTORS_MAX = 4 };

struct client_config {
    struct str base_url; /* http or https, a host, perhaps a port and a path */
    struct str bearer;   /* sent as `Authorization: Bearer`; null: none is */
    struct str ca_file;  /* certificates of authorities to trust; null: the system's */
    struct str user_agent;
    unsigned connections_max; /* requests beyond wait for one, within their time */
    size_t body_max;
};

/* What became of a GET. Valid during the call that hands it over. */
struct client_answer {
    enum err err;       /* OK: there is a status. ERR_UNAVAILABLE: nobody answers. ERR_REFUSED: the
                         * certificate is not trusted. ERR_TIMEOUT, ERR_LIMIT: it took longer, or is
                         * larger, than allowed. ERR_IO: the answer broke off or is no HTTP */
    const char *reason; /* one line for a person; "" with a status */
    int status;
    struct str body;
    struct str content_type; /* null: none */
    void *of;                /* for client_header */
};

struct client;
struct client_get;

/* Called by client_tell. May begin and cancel others, but not destroy the client. */
typedef void client_answered(void *ctx, const struct client_answer *answer);

/* ERR_INVALID: the base URL is not one; the reason says what is wrong with it. */
enum err client_create(const struct client_config *config, struct client **ret, struct fail *fail)
    MUST_CHECK;
void client_destroy(struct client *c); /* NULL is fine; nobody is called back */

/* target: from the slash behind the base URL, encoded. */
struct client_get *client_get(
    struct client *c, struct str target, int64_t time_max_ms, client_answered *answered, void *ctx);
void client_cancel(struct client_get *get); /* `answered` will not be called */

/* A header of the answer; the null string: it has none of that name. */
struct str client_header(const struct client_answer *answer, const char *name);

/* Waits until one of the descriptors can be read, an answer has come or the time is over.
 * ret_readable[i] says it of fds[i]. */
enum err client_wait(
    struct client *c, const int *fds, size_t count, int64_t time_max_ms, bool *ret_readable,
    struct fail *fail) MUST_CHECK;

/* Calls back for each answer that has come. Apart from the wait, so that the owner can look at the
 * clock between: what an answer leads to is reckoned from when it came, not from before the wait.
 */
void client_tell(struct client *c);
