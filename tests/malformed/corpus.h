/*
 * The corpus of HTTP requests and their outcomes: individual requests (written.c), and tables whose
 * rows fill the hole of every form (the other files, one dimension of a request each). The unit
 * tests, the end-to-end tests, the tests behind proxies and the mutating driver all use it.
 *
 * A case's `outcome` is the statuses of the replies; "!" after one: the connection ends with it.
 * 200 means that the request reaches the application, 501 that its method is unknown. After the
 * last byte the client shuts down its sending side; an unfinished request then gets no reply. No
 * request here has the method HEAD, because the client does not track it.
 */
#pragma once

#include "base/mem.h"
#include "base/str.h"

struct http_case {
    const char *name;
    struct str bytes;
    const char *outcome;
};

struct corpus {
    struct http_case *cases;
    size_t n, room;
    struct arena arena;
};

/* Names are unique, and so are the bytes. */
void corpus_make(struct corpus *ret);
void corpus_finish(struct corpus *c);

/* ---- for the files that add cases ---- */

/* One or several complete requests, with HOLE in place of a row's bytes. A row's outcome "ok"
 * becomes `ok`; any other outcome comes after `before`, the replies to the requests ahead of the
 * hole. */
struct form {
    const char *name;
    struct str text;
    const char *ok;
    const char *before;
};

/* Copies all arguments. */
void corpus_add(struct corpus *c, const char *form, const struct http_case *one);
void corpus_fill(struct corpus *c, const struct form *form, const struct http_case *row);
/* Adds each row in the hole of each form. */
void corpus_product(
    struct corpus *c, const struct form *forms, size_t form_count, const struct http_case *rows,
    size_t row_count);

#define CASE(text, bytes, outcome)                                                                 \
    {                                                                                              \
        text, STR_INIT(bytes), outcome                                                             \
    }
#define FORM(text, bytes, ok, before)                                                              \
    {                                                                                              \
        text, STR_INIT(bytes), ok, before                                                          \
    }
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define PRODUCT(c, forms, rows) corpus_product(c, forms, COUNT_OF(forms), rows, COUNT_OF(rows))

#define HOLE "\xfe"
#define GET "GET / HTTP/1.1\r\n"
#define POST "POST / HTTP/1.1\r\n"
#define HOST "Host: a.example\r\n"
#define END "\r\n"
#define CHUNKED POST HOST "Transfer-Encoding: chunked\r\n" END
#define NEXT "GET /next HTTP/1.1\r\n" HOST END

void corpus_add_written(struct corpus *c);     /* individual requests */
void corpus_add_bytes(struct corpus *c);       /* every control byte at every place */
void corpus_add_separators(struct corpus *c);  /* visible bytes in place of a token or a number */
void corpus_add_lines(struct corpus *c);       /* methods, versions */
void corpus_add_targets(struct corpus *c);     /* targets by method */
void corpus_add_hosts(struct corpus *c);       /* Host, and the host of an absolute target */
void corpus_add_lengths(struct corpus *c);     /* Content-Length */
void corpus_add_codings(struct corpus *c);     /* alone and with a length */
void corpus_add_disguises(struct corpus *c);   /* framing headers with similar names */
void corpus_add_chunks(struct corpus *c);      /* sizes, extensions, data, trailers */
void corpus_add_connections(struct corpus *c); /* Connection, Expect, Upgrade by version */
void corpus_add_pipelines(struct corpus *c);   /* several requests; cut off at any byte */
void corpus_add_smuggled(struct corpus *c); /* a second request hidden in the body of the first */
void corpus_add_bounds(struct corpus *c);   /* sizes and counts around each limit */
