/* Several requests on a connection: all pairs of kinds, an invalid request after each kind, and one
 * request with every part, cut off after every byte. */
#include "corpus.h"

#include <stdio.h>

#include "base/buf.h"

static const struct http_case kinds[] = {
    CASE("a GET", "GET /1 HTTP/1.1\r\n" HOST END, "200"),
    CASE("a query", "GET /2?a=b&c=d HTTP/1.1\r\n" HOST END, "200"),
    CASE("a body", "POST /3 HTTP/1.1\r\n" HOST "Content-Length: 3\r\n" END "abc", "200"),
    CASE("an empty body", "PUT /4 HTTP/1.1\r\n" HOST "Content-Length: 0\r\n" END, "200"),
    CASE(
        "chunks",
        "POST /5 HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n" END "3\r\nabc\r\n0\r\n\r\n",
        "200"),
    CASE(
        "no chunks", "POST /6 HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n" END "0\r\n\r\n",
        "200"),
    CASE(
        "trailers",
        "POST /7 HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n" END "0\r\nX-T: u\r\n\r\n",
        "200"),
    CASE("an absolute target", "GET http://a.example/8 HTTP/1.1\r\n" HOST END, "200"),
    CASE("OPTIONS of the server", "OPTIONS * HTTP/1.1\r\n" HOST END, "200"),
    CASE("a kept 1.0", "GET /10 HTTP/1.0\r\nConnection: keep-alive\r\n" END, "200"),
    CASE("an empty line before", END "GET /11 HTTP/1.1\r\n" HOST END, "200"),
    CASE(
        "a body of CRLFs", "POST /12 HTTP/1.1\r\n" HOST "Content-Length: 4\r\n" END "\r\n\r\n",
        "200"),
};

static const struct http_case bad[] = {
    CASE("a wrong version", "GET / HTTP/3.0\r\n" HOST END, "400!"),
    CASE("no Host", "GET /n HTTP/1.1\r\n" END, "400!"),
    CASE("two empty lines", END END NEXT, "400!"),
    CASE("a bare LF", "\n" NEXT, "400!"),
    CASE("leftover data", "xyz\r\n" NEXT, "400!"),
    CASE("leftover chunk", "0\r\n\r\n" NEXT, "400!"),
    CASE("a control byte", "\x02" NEXT, "400!"),
    CASE("an unknown method", "BREW /b HTTP/1.1\r\n" HOST END NEXT, "501 200"),
    CASE("a close", "GET /c HTTP/1.1\r\nConnection: close\r\n" HOST END NEXT, "200!"),
    CASE("a 1.0", "GET /o HTTP/1.0\r\n" END NEXT, "200!"),
    CASE("half a request line", "GET /h HT", ""),
    CASE("half a head", "GET /h HTTP/1.1\r\nHost: a", ""),
    CASE("half a body", "POST /h HTTP/1.1\r\n" HOST "Content-Length: 9\r\n" END "abc", ""),
};

static void add_second(struct corpus *c, const struct http_case *first, const struct http_case *row)
{
    struct buf bytes;
    buf_init(&bytes, 1 << 16);
    buf_str(&bytes, first->bytes);
    buf_str(&bytes, row->bytes);
    struct str outcome = arena_fmt(&c->arena, "200%s%s", row->outcome[0] ? " " : "", row->outcome);
    struct http_case one = {row->name, buf_view(&bytes), outcome.p};
    corpus_add(c, arena_fmt(&c->arena, "after %s", first->name).p, &one);
    buf_finish(&bytes);
}

static const struct http_case whole = CASE(
    "cut off",
    "\r\nPOST /a?b=c HTTP/1.1\r\nHost: a.example:80\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n\r\n"
    "3;e=\"f\"\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 1\r\n\r\n",
    "");

static void add_cuts(struct corpus *c)
{
    for (size_t n = 3; n < whole.bytes.n; n++) { /* written.c has the single empty line */
        char name[32];
        snprintf(name, sizeof name, "after %zu bytes", n);
        struct http_case one = {name, str_slice(whole.bytes, 0, n), ""};
        corpus_add(c, whole.name, &one);
    }
}

void corpus_add_pipelines(struct corpus *c)
{
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        for (size_t k = 0; k < COUNT_OF(kinds); k++)
            add_second(c, &kinds[i], &kinds[k]);
        for (size_t k = 0; k < COUNT_OF(bad); k++)
            add_second(c, &kinds[i], &bad[k]);
    }
    add_cuts(c);
}
