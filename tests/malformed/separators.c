/* Visible separators (RFC 9110 5.6.2: not allowed in a token) in place of a token, a number or a
 * host, and the bytes allowed in tokens. */
#include "corpus.h"

#include <stdio.h>
#include <string.h>

/* `taken`: the bytes that give a valid request here. */
struct place {
    const char *name;
    struct str text;
    const char *taken, *ok;
};

#define PLACE(name, text, taken, ok)                                                               \
    {                                                                                              \
        name, STR_INIT(text), taken, ok                                                            \
    }

static const char separators[] = " \"(),/:;<=>?@[\\]{}";
static const char token_marks[] = "!#$%&'*+-.^_`|~";

static const struct place places[] = {
    PLACE("before the method", HOLE GET HOST END, "", ""),
    PLACE("in the method", "GE" HOLE "T / HTTP/1.1\r\n" HOST END, "", ""),
    PLACE("after the method", "GET" HOLE " / HTTP/1.1\r\n" HOST END, "", ""),
    PLACE("in the path", "GET /a" HOLE "b HTTP/1.1\r\n" HOST END, "\"(),/:;<=>?@[\\]{}", "200"),
    PLACE("in the query", "GET /?a" HOLE "b HTTP/1.1\r\n" HOST END, "\"(),/:;<=>?@[\\]{}", "200"),
    PLACE("in the version", "GET / HTTP/1" HOLE "1\r\n" HOST END, "", ""),
    PLACE("before a name", GET HOST HOLE "X-A: b\r\n" END, "", ""),
    PLACE("in a name", GET HOST "X" HOLE "A: b\r\n" END, ":", "200"),
    PLACE("after a name", GET HOST "X-A" HOLE ": b\r\n" END, ":", "200"),
    PLACE("in a value", GET HOST "X-A: b" HOLE "c\r\n" END, separators, "200"),
    PLACE("in Host", "GET / HTTP/1.1\r\nHost: a" HOLE "b\r\n" END, "(),;=", "200"),
    PLACE("before Host's value", "GET / HTTP/1.1\r\nHost:" HOLE "b\r\n" END, " (),;=", "200"),
    PLACE("before a length", POST HOST "Content-Length:" HOLE "3\r\n" END "abc", " ", "200"),
    PLACE("in a length", POST HOST "Content-Length: 0" HOLE "3\r\n" END "abc", "", ""),
    PLACE("after a length", POST HOST "Content-Length: 3" HOLE "\r\n" END "abc", " ", "200"),
    PLACE(
        "before a coding", POST HOST "Transfer-Encoding:" HOLE "chunked\r\n" END "0\r\n\r\n", " ",
        "200"),
    PLACE(
        "after a coding", POST HOST "Transfer-Encoding: chunked" HOLE "\r\n" END "0\r\n\r\n", " ",
        "200"),
    PLACE(
        "after the name Content-Length", POST HOST "Content-Length" HOLE ":3\r\n" END "abc", "",
        ""),
    PLACE("before a chunk's size", CHUNKED HOLE "1\r\na\r\n0\r\n\r\n", "", ""),
    PLACE("in a chunk's size", CHUNKED "0" HOLE "1\r\na\r\n0\r\n\r\n", "", ""),
    PLACE("for a chunk's CRLF", CHUNKED "1" HOLE "a\r\n0\r\n\r\n", "", ""),
    PLACE("in a trailer's name", CHUNKED "0\r\nX" HOLE "A: b\r\n\r\n", ":", "200"),
    PLACE("before a trailer's name", CHUNKED "0\r\n" HOLE "A: b\r\n\r\n", "", ""),
};

static const struct place token_places[] = {
    PLACE("a mark in the method", "GE" HOLE "T / HTTP/1.1\r\n" HOST END, token_marks, "501"),
    PLACE("a mark before the method", HOLE GET HOST END, token_marks, "501"),
    PLACE("a mark in a name", GET HOST "X" HOLE "A: b\r\n" END, token_marks, "200"),
    PLACE("a mark as a name", GET HOST HOLE ": b\r\n" END, token_marks, "200"),
    PLACE("a mark in Host", "GET / HTTP/1.1\r\nHost: a" HOLE "b\r\n" END, "!$&'*+-._~", "200"),
    PLACE("a mark before a length", POST HOST "Content-Length: " HOLE "3\r\n" END "abc", "", ""),
    PLACE(
        "a mark before a coding",
        POST HOST "Transfer-Encoding: " HOLE "chunked\r\n" END "0\r\n\r\n", "", ""),
    PLACE("a mark before a chunk's size", CHUNKED HOLE "1\r\na\r\n0\r\n\r\n", "", ""),
    PLACE("a mark in a trailer's name", CHUNKED "0\r\nX" HOLE "A: b\r\n\r\n", token_marks, "200"),
};

static void add(struct corpus *c, const struct place *place, const char *bytes)
{
    for (const char *p = bytes; *p; p++) {
        char name[16];
        snprintf(name, sizeof name, "separator %c", *p);
        struct form form = {place->name, place->text, place->ok, ""};
        struct http_case row = {name, str_of(p, 1), strchr(place->taken, *p) ? "ok" : "400!"};
        corpus_fill(c, &form, &row);
    }
}

void corpus_add_separators(struct corpus *c)
{
    for (size_t i = 0; i < COUNT_OF(places); i++)
        add(c, &places[i], separators);
    for (size_t i = 0; i < COUNT_OF(token_places); i++)
        add(c, &token_places[i], token_marks);
}
