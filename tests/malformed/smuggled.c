/* Smuggling: a second request, hidden where a proxy with other framing would find one. With one
 * valid length the hidden request is data and never answered; conflicting framing gets 400. */
#include "corpus.h"

#include "base/buf.h"

static const struct http_case hidden[] = {
    CASE("a GET", "GET /hidden HTTP/1.1\r\n" HOST END, ""),
    CASE("a POST", "POST /hidden HTTP/1.1\r\n" HOST "Content-Length: 60\r\n" END "x=", ""),
    CASE("a prefix", "GET /hidden HTTP/1.1\r\nX-Ignore: ", ""),
    CASE(
        "a chunked POST",
        "POST /hidden HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n" END "5\r\n", ""),
    CASE("a DELETE", "DELETE /hidden HTTP/1.1\r\n" HOST END, ""),
    CASE(
        "an absolute target", "GET http://b.example/hidden HTTP/1.1\r\nHost: b.example\r\n" END,
        ""),
    CASE("a 1.0", "GET /hidden HTTP/1.0\r\n" END, ""),
};

/* Headers with conflicting framing, and the outcome of a request with them. */
static const struct http_case frames[] = {
    CASE("CL.TE", "Content-Length: %\r\nTransfer-Encoding: chunked\r\n", "400!"),
    CASE("TE.CL", "Transfer-Encoding: chunked\r\nContent-Length: %\r\n", "400!"),
    CASE("CL.TE, xchunked", "Content-Length: %\r\nTransfer-Encoding: xchunked\r\n", "400!"),
    CASE("CL.TE, identity", "Content-Length: %\r\nTransfer-Encoding: identity\r\n", "400!"),
    CASE(
        "CL.TE, space before the colon", "Content-Length: %\r\nTransfer-Encoding : chunked\r\n",
        "400!"),
    CASE("CL.TE, folded", "Content-Length: %\r\nTransfer-Encoding:\r\n chunked\r\n", "400!"),
    CASE("CL.TE, vertical tab", "Content-Length: %\r\nTransfer-Encoding:\vchunked\r\n", "400!"),
    CASE("CL.TE, behind LF", "Content-Length: %\r\nX: y\nTransfer-Encoding: chunked\r\n", "400!"),
    CASE("CL.TE, behind CR", "Content-Length: %\r\nX: y\rTransfer-Encoding: chunked\r\n", "400!"),
    CASE("TE.TE, two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n", "400!"),
    CASE(
        "TE.TE, the other first", "Transfer-Encoding: cow\r\nTransfer-Encoding: chunked\r\n",
        "400!"),
    CASE("TE.TE, in a list", "Transfer-Encoding: chunked, cow\r\n", "400!"),
    CASE("TE.TE, identity last", "Transfer-Encoding: chunked, identity\r\n", "400!"),
    CASE(
        "TE.TE, lower and upper", "transfer-encoding: identity\r\nTRANSFER-ENCODING: chunked\r\n",
        "400!"),
    CASE("CL.CL", "Content-Length: 0\r\nContent-Length: %\r\n", "400!"),
    CASE("CL.CL, the other way", "Content-Length: %\r\nContent-Length: 0\r\n", "400!"),
    CASE("CL.CL, in a list", "Content-Length: 0, %\r\n", "400!"),
    CASE("CL.CL, one negative", "Content-Length: -1\r\nContent-Length: %\r\n", "400!"),
    CASE("CL.CL, one with a plus", "Content-Length: +0\r\nContent-Length: %\r\n", "400!"),
    CASE("an odd CL", "Content-Length: 0 %\r\n", "400!"),
    CASE("CL, an underscore beside it", "Content_Length: 0\r\nContent-Length: %\r\n", "200 200"),
    CASE(
        "CL, TE with an underscore", "Content-Length: %\r\nTransfer_Encoding: chunked\r\n",
        "200 200"),
    CASE(
        "CL, its hop-by-hop name", "Connection: Content-Length\r\nContent-Length: %\r\n",
        "200 200"),
    CASE(
        "CL, an Upgrade beside it", "Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: %\r\n",
        "200 200"),
    CASE(
        "CL, an override beside it", "X-HTTP-Method-Override: PUT\r\nContent-Length: %\r\n",
        "200 200"),
    CASE("CL, a range beside it", "Range: bytes=0-1\r\nContent-Length: %\r\n", "200 200"),
    CASE(
        "CL, a Trailer beside it", "Trailer: X-A\r\nTE: trailers\r\nContent-Length: %\r\n",
        "200 200"),
};

/* A request with these headers, % being the body's length, and the body; then a valid request. */
static void put_request(struct buf *b, const char *line, struct str headers, struct str body)
{
    buf_text(b, line);
    buf_text(b, HOST);
    for (size_t i = 0; i < headers.n; i++) {
        if (headers.p[i] == '%')
            buf_u64(b, body.n);
        else
            buf_char(b, headers.p[i]);
    }
    buf_text(b, END);
    buf_str(b, body);
    buf_text(b, NEXT);
}

static void add(
    struct corpus *c, const char *line, const struct http_case *frame, struct str body,
    const char *name)
{
    struct buf bytes;
    buf_init(&bytes, 1 << 16);
    put_request(&bytes, line, frame->bytes, body);
    struct http_case one = {name, buf_view(&bytes), frame->outcome};
    corpus_add(c, arena_fmt(&c->arena, "smuggled by %s", frame->name).p, &one);
    buf_finish(&bytes);
}

/* For a chunked reader the body ends before the hidden request; by length, after it. */
static void add_after_last_chunk(struct corpus *c, const struct http_case *h)
{
    struct str body = arena_fmt(&c->arena, "0\r\n\r\n%s", h->bytes.p);
    for (size_t i = 0; i < COUNT_OF(frames); i++)
        add(c, POST, &frames[i], body, h->name);
}

/* Inside a chunk: for a chunked reader it is data as well. */
static void add_inside_chunk(struct corpus *c, const struct http_case *h)
{
    static const struct http_case chunked =
        CASE("a chunk", "Transfer-Encoding: chunked\r\n", "200 200");
    static const struct http_case both = CASE(
        "a chunk and a short length", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        "400!");
    struct str body = arena_fmt(&c->arena, "%zx\r\n%s\r\n0\r\n\r\n", h->bytes.n, h->bytes.p);
    add(c, POST, &chunked, body, h->name);
    add(c, "GET /g HTTP/1.1\r\n", &chunked, body, arena_fmt(&c->arena, "%s, GET", h->name).p);
    add(c, POST, &both, body, h->name);
}

/* Methods for which some proxies expect no body. */
static void add_by_method(struct corpus *c, const struct http_case *h)
{
    static const char *const lines[] = {
        "GET /m HTTP/1.1\r\n", "DELETE /m HTTP/1.1\r\n", "OPTIONS /m HTTP/1.1\r\n",
        "TRACE /m HTTP/1.1\r\n"};
    static const struct http_case length = CASE("a length", "Content-Length: %\r\n", "200 200");
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        add(c, lines[i], &length, h->bytes, arena_fmt(&c->arena, "%s, %.4s", h->name, lines[i]).p);
}

void corpus_add_smuggled(struct corpus *c)
{
    for (size_t i = 0; i < COUNT_OF(hidden); i++) {
        add_after_last_chunk(c, &hidden[i]);
        add_inside_chunk(c, &hidden[i]);
        add_by_method(c, &hidden[i]);
    }
}
