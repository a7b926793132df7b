/*
 * The corpus of HTTP requests and what becomes of them: written one by one (written.c) and as
 * tables whose rows stand in the hole of every form (the other files, one dimension of a request
 * each). The unit tests, the end-to-end tests, the tests behind proxies and the mutating driver all
 * read this one.
 *
 * A case's `outcome` is the statuses of the replies; "!" after one: the connection ends with it.
 * 200 stands for a request that reaches the application, 501 for one with a method nobody knows.
 * After the last byte the client shuts its side; what is then unfinished gets no reply. No request
 * here has HEAD as its method, since the client does not track that.
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

/* ---- for the files that fill it ---- */

/* A whole request or several, with HOLE where a row's bytes go. A row's outcome "ok" becomes `ok`;
 * any other comes after `before`, what is answered ahead of the hole. */
struct form {
    const char *name;
    struct str text;
    const char *ok;
    const char *before;
};

/* Copies everything. */
void corpus_add(struct corpus *c, const char *form, const struct http_case *one);
void corpus_fill(struct corpus *c, const struct form *form, const struct http_case *row);
/* Each row in the hole of each form. */
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

void corpus_add_written(struct corpus *c);    /* one by one */
void corpus_add_bytes(struct corpus *c);      /* every control byte in every place */
void corpus_add_separators(struct corpus *c); /* visible bytes where a token or a number stands */
void corpus_add_lines(struct corpus *c);      /* methods, versions */
void corpus_add_targets(struct corpus *c);    /* targets by method */
void corpus_add_hosts(struct corpus *c);      /* Host, and the host of an absolute target */
void corpus_add_lengths(struct corpus *c);    /* Content-Length */
void corpus_add_codings(struct corpus *c);    /* Transfer-Encoding, alone and beside a length */
void corpus_add_disguises(
    struct corpus *c);                    /* framing headers under names that are almost theirs */
void corpus_add_chunks(struct corpus *c); /* sizes, extensions, data, trailers */
void corpus_add_connections(struct corpus *c); /* Connection, Expect, Upgrade by version */
void corpus_add_pipelines(struct corpus *c);   /* one after another; cut off anywhere */
void corpus_add_smuggled(struct corpus *c);    /* a second request hidden in the first one's body */
void corpus_add_bounds(struct corpus *c);      /* sizes and counts, around each limit */
