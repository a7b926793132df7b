/* Every control byte, and two bytes over 127, at every place of a request: before, inside, between
 * and after its parts. RFC 9112 2.2 and 9110 5.5: only tab is allowed in a value or around it, CR
 * and LF only as the end of a line, and bytes over 127 only in values, as opaque data. A tab after
 * a length or a coding is also refused: llhttp accepts only spaces there. */
#include "corpus.h"

#include <stdio.h>

/* The outcome of a tab, an LF, a CR, a byte over 127, and any other control byte ("rest"). */
struct place {
    const char *name;
    struct str text;
    const char *tab, *lf, *cr, *high, *rest;
};

#define REFUSED "400!", "400!", "400!", "400!", "400!"
#define PLACE(name, text, ...)                                                                     \
    {                                                                                              \
        name, STR_INIT(text), __VA_ARGS__                                                          \
    }

static const struct place places[] = {
    PLACE("before the method", HOLE GET HOST END, REFUSED),
    PLACE("in the method", "GE" HOLE "T / HTTP/1.1\r\n" HOST END, REFUSED),
    PLACE("after the method", "GET" HOLE " / HTTP/1.1\r\n" HOST END, REFUSED),
    PLACE("for the first space", "GET" HOLE "/ HTTP/1.1\r\n" HOST END, REFUSED),
    PLACE("before the target", "GET " HOLE "/ HTTP/1.1\r\n" HOST END, REFUSED),
    PLACE("in the path", "GET /a" HOLE "b HTTP/1.1\r\n" HOST END, REFUSED),
    PLACE("in the query", "GET /?a=" HOLE "b HTTP/1.1\r\n" HOST END, REFUSED),
    PLACE("in the target's host", "GET http://a" HOLE "b/ HTTP/1.1\r\n" HOST END, REFUSED),
    PLACE("after the target", "GET /" HOLE " HTTP/1.1\r\n" HOST END, REFUSED),
    PLACE("for the second space", "GET /" HOLE "HTTP/1.1\r\n" HOST END, REFUSED),
    PLACE("before the version", "GET / " HOLE "HTTP/1.1\r\n" HOST END, REFUSED),
    PLACE("in the version", "GET / HTTP/1" HOLE ".1\r\n" HOST END, REFUSED),
    PLACE("after the version", "GET / HTTP/1.1" HOLE "\r\n" HOST END, REFUSED),
    PLACE(
        "for the CR of the request line", "GET / HTTP/1.1" HOLE "\n" HOST END NEXT, "400!", "400!",
        "200 200", "400!", "400!"),
    PLACE(
        "for the LF of the request line", "GET / HTTP/1.1\r" HOLE HOST END NEXT, "400!", "200 200",
        "400!", "400!", "400!"),
    PLACE("before a name", GET HOST HOLE "X-A: b\r\n" END, REFUSED),
    PLACE("in a name", GET HOST "X" HOLE "A: b\r\n" END, REFUSED),
    PLACE("after a name", GET HOST "X-A" HOLE ": b\r\n" END, REFUSED),
    PLACE("for the colon", GET HOST "X-A" HOLE "b\r\n" END, REFUSED),
    PLACE(
        "after the colon", GET HOST "X-A:" HOLE "b\r\n" END, "200", "400!", "400!", "200", "400!"),
    PLACE("in a value", GET HOST "X-A: b" HOLE "c\r\n" END, "200", "400!", "400!", "200", "400!"),
    PLACE(
        "in a value of 40 bytes",
        GET HOST "X-A: 01234567890123456789" HOLE "01234567890123456789\r\n" END, "200", "400!",
        "400!", "200", "400!"),
    PLACE("after a value", GET HOST "X-A: b" HOLE "\r\n" END, "200", "400!", "400!", "200", "400!"),
    PLACE(
        "alone as a value", GET HOST "X-A:" HOLE "\r\n" END, "200", "400!", "400!", "200", "400!"),
    PLACE(
        "for the CR of a header", GET HOST "X-A: b" HOLE "\nX-B: c\r\n" END NEXT, "400!", "400!",
        "200 200", "400!", "400!"),
    PLACE(
        "for the LF of a header", GET HOST "X-A: b\r" HOLE "X-B: c\r\n" END NEXT, "400!", "200 200",
        "400!", "400!", "400!"),
    PLACE("before Host", "GET / HTTP/1.1\r\n" HOLE HOST END, REFUSED),
    PLACE("in the name Host", "GET / HTTP/1.1\r\nHo" HOLE "st: a\r\n" END, REFUSED),
    PLACE("in the value of Host", "GET / HTTP/1.1\r\nHost: a" HOLE "b\r\n" END, REFUSED),
    PLACE(
        "after the value of Host", "GET / HTTP/1.1\r\nHost: a" HOLE "\r\n" END, "200", "400!",
        "400!", "400!", "400!"),
    PLACE(
        "before a length", POST HOST "Content-Length:" HOLE "3\r\n" END "abc" NEXT, "200 200",
        "400!", "400!", "400!", "400!"),
    PLACE("in a length", POST HOST "Content-Length: 1" HOLE "2\r\n" END "abc", REFUSED),
    PLACE(
        "after a length", POST HOST "Content-Length: 3" HOLE "\r\n" END "abc" NEXT, "400!", "400!",
        "400!", "400!", "400!"),
    PLACE(
        "in the name Content-Length", POST HOST "Content" HOLE "Length: 3\r\n" END "abc", REFUSED),
    PLACE(
        "after the name Content-Length", POST HOST "Content-Length" HOLE ": 3\r\n" END "abc",
        REFUSED),
    PLACE(
        "before a coding", POST HOST "Transfer-Encoding:" HOLE "chunked\r\n" END "0\r\n\r\n" NEXT,
        "200 200", "400!", "400!", "400!", "400!"),
    PLACE(
        "in a coding", POST HOST "Transfer-Encoding: chun" HOLE "ked\r\n" END "0\r\n\r\n", REFUSED),
    PLACE(
        "after a coding", POST HOST "Transfer-Encoding: chunked" HOLE "\r\n" END "0\r\n\r\n" NEXT,
        "400!", "400!", "400!", "400!", "400!"),
    PLACE(
        "before the name Transfer-Encoding",
        POST HOST HOLE "Transfer-Encoding: chunked\r\n" END "0\r\n\r\n", REFUSED),
    PLACE(
        "after the name Transfer-Encoding",
        POST HOST "Transfer-Encoding" HOLE ": chunked\r\n" END "0\r\n\r\n", REFUSED),
    PLACE("before the end of the head", GET HOST HOLE END, REFUSED),
    PLACE(
        "for the CR of the head's end", GET HOST HOLE "\n" NEXT, "400!", "400!", "200 200", "400!",
        "400!"),
    PLACE(
        "for the LF of the head's end", GET HOST "\r" HOLE NEXT, "400!", "200 200", "400!", "400!",
        "400!"),
    PLACE(
        "between two requests", GET HOST END HOLE NEXT, "200 400!", "200 400!", "200 400!",
        "200 400!", "200 400!"),
    PLACE(
        "as a body", POST HOST "Content-Length: 1\r\n" END HOLE NEXT, "200 200", "200 200",
        "200 200", "200 200", "200 200"),
    PLACE("before a chunk's size", CHUNKED HOLE "1\r\na\r\n0\r\n\r\n", REFUSED),
    PLACE("in a chunk's size", CHUNKED "0" HOLE "1\r\na\r\n0\r\n\r\n", REFUSED),
    PLACE("after a chunk's size", CHUNKED "1" HOLE "\r\na\r\n0\r\n\r\n", REFUSED),
    PLACE(
        "for the CR of a chunk's size", CHUNKED "1" HOLE "\na\r\n0\r\n\r\n" NEXT, "400!", "400!",
        "200 200", "400!", "400!"),
    PLACE(
        "for the LF of a chunk's size", CHUNKED "1\r" HOLE "a\r\n0\r\n\r\n" NEXT, "400!", "200 200",
        "400!", "400!", "400!"),
    PLACE("in the name of an extension", CHUNKED "1;a" HOLE "b\r\na\r\n0\r\n\r\n", REFUSED),
    PLACE(
        "in a quoted extension", CHUNKED "1;a=\"b" HOLE "c\"\r\na\r\n0\r\n\r\n" NEXT, "200 200",
        "400!", "400!", "200 200", "400!"),
    PLACE(
        "as a chunk's data", CHUNKED "1\r\n" HOLE "\r\n0\r\n\r\n" NEXT, "200 200", "200 200",
        "200 200", "200 200", "200 200"),
    PLACE("after a chunk's data", CHUNKED "1\r\na" HOLE "\r\n0\r\n\r\n", REFUSED),
    PLACE(
        "for the CR of a chunk's data", CHUNKED "1\r\na" HOLE "\n0\r\n\r\n" NEXT, "400!", "400!",
        "200 200", "400!", "400!"),
    PLACE(
        "for the LF of a chunk's data", CHUNKED "1\r\na\r" HOLE "0\r\n\r\n" NEXT, "400!", "200 200",
        "400!", "400!", "400!"),
    PLACE("in the name of a trailer", CHUNKED "0\r\nX" HOLE "A: b\r\n\r\n", REFUSED),
    PLACE(
        "in the value of a trailer", CHUNKED "0\r\nX-A: b" HOLE "c\r\n\r\n" NEXT, "200 200", "400!",
        "400!", "200 200", "400!"),
    PLACE("before the end of the trailers", CHUNKED "0\r\n" HOLE "\r\n", REFUSED),
    PLACE(
        "for the LF of the trailers' end", CHUNKED "0\r\n\r" HOLE NEXT, "400!", "200 200", "400!",
        "400!", "400!"),
};

static const char *outcome_of(const struct place *place, int byte)
{
    switch (byte) {
    case '\t':
        return place->tab;
    case '\n':
        return place->lf;
    case '\r':
        return place->cr;
    default:
        return byte > 0x7f ? place->high : place->rest;
    }
}

static void add(struct corpus *c, const struct place *place, int byte)
{
    char name[8], value = (char)byte;
    snprintf(name, sizeof name, "%02x", (unsigned)byte);
    struct form form = {place->name, place->text, "", ""};
    struct http_case row = {name, str_of(&value, 1), outcome_of(place, byte)};
    corpus_fill(c, &form, &row);
}

void corpus_add_bytes(struct corpus *c)
{
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        for (int byte = 0; byte < 0x20; byte++)
            add(c, &places[i], byte);
        add(c, &places[i], 0x7f);
        add(c, &places[i], 0x80);
        add(c, &places[i], 0xff);
    }
}
