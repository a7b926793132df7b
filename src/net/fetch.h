/*
 * HTTP as a client, one request at a time, over libcurl: for commands that fetch documents. The
 * caller waits for the whole answer.
 *
 * Always: certificates are verified, TLS is 1.2 or newer; a redirect is an answer like any other;
 * what comes is bounded in size and in time; cookies live as long as the fetcher; a proxy is used
 * only where one is named, whatever the environment says.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"

enum { FETCH_CONNECT_TIME_MAX_MS = 15000 };

struct fetcher_config {
    struct str user_agent;
    struct str proxy; /* null: none */
    bool plain_http;  /* take http:// as well as https:// */
};

struct fetch_request {
    struct str url;
    struct str form;           /* application/x-www-form-urlencoded, sent by POST; null: a GET */
    const struct str *headers; /* "Name: value" */
    size_t header_count;
    size_t size_max; /* of the answer's body */
    int64_t time_max_ms;
};

struct fetch_answer {
    int status;
    struct str body;     /* of the fetcher; valid until its next request */
    struct str redirect; /* of Location, as an absolute address; null: none. In the arena, with: */
    struct str etag;
    struct str last_modified;
};

struct fetcher;

enum err fetcher_create(
    const struct fetcher_config *config, struct fetcher **ret, struct fail *fail) MUST_CHECK;
void fetcher_destroy(struct fetcher *f); /* NULL is fine */

/* ERR_INVALID: no such address. ERR_UNAVAILABLE: no answer, not all of it, or a certificate that is
 * not trusted. ERR_TIMEOUT, ERR_LIMIT: it takes longer or is larger than the request allows. */
enum err fetch(
    struct fetcher *f, const struct fetch_request *request, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail) MUST_CHECK;

/* The value of a cookie that was set; the null string: none of that name. */
struct str fetcher_cookie(struct fetcher *f, struct str name, struct arena *arena);
