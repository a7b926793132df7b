/* Transfer-Encoding (RFC 9112 6.1): chunked, once, on 1.1, without a Content-Length. The body is
 * "abc" in one chunk; a parser that reads a length of 3 instead finds another request in the
 * rest. */
#include "corpus.h"

#include "base/buf.h"

#define BODY "3\r\nabc\r\n0\r\n\r\n"

static const struct http_case codings[] = {
    CASE("chunked", "chunked", "ok"),
    CASE("in capitals", "CHUNKED", "ok"),
    CASE("in mixed case", "cHuNkEd", "ok"),
    CASE("spaces around", "   chunked   ", "ok"),
    CASE("a tab before", "\tchunked", "ok"),
    CASE("a tab after", "chunked\t", "400!"),
    CASE("empty", "", "400!"),
    CASE("a space", " ", "400!"),
    CASE("identity", "identity", "400!"),
    CASE("gzip", "gzip", "400!"),
    CASE("deflate", "deflate", "400!"),
    CASE("compress", "compress", "400!"),
    CASE("br", "br", "400!"),
    CASE("trailers", "trailers", "400!"),
    CASE("none", "none", "400!"),
    CASE("cow", "cow", "400!"),
    CASE("chunk", "chunk", "400!"),
    CASE("chunke", "chunke", "400!"),
    CASE("chunkedd", "chunkedd", "400!"),
    CASE("xchunked", "xchunked", "400!"),
    CASE("x-chunked", "x-chunked", "400!"),
    CASE("chunked-x", "chunked-x", "400!"),
    CASE("chunked in two words", "chun ked", "400!"),
    CASE("a comma before", ",chunked", "400!"),
    CASE("a comma after", "chunked,", "400!"),
    CASE("a comma and a space after", "chunked, ", "400!"),
    CASE("commas alone", ",,", "400!"),
    CASE("an empty member", ", ,chunked", "400!"),
    CASE("twice", "chunked, chunked", "400!"),
    CASE("twice without a space", "chunked,chunked", "400!"),
    CASE("twice without a comma", "chunked chunked", "400!"),
    CASE("identity, chunked", "identity, chunked", "400!"),
    CASE("chunked, identity", "chunked, identity", "400!"),
    CASE("gzip, chunked", "gzip, chunked", "400!"),
    CASE("chunked, gzip", "chunked, gzip", "400!"),
    CASE("a word, chunked", "cow, chunked", "400!"),
    CASE("chunked, a word", "chunked, cow", "400!"),
    CASE("a semicolon after", "chunked;", "400!"),
    CASE("a parameter", "chunked;a=b", "400!"),
    CASE("a quality", "chunked;q=0.5", "400!"),
    CASE("a quality of zero", "chunked;q=0", "400!"),
    CASE("in quotes", "\"chunked\"", "400!"),
    CASE("in single quotes", "'chunked'", "400!"),
    CASE("a quote before", "\"chunked", "400!"),
    CASE("in brackets", "[chunked]", "400!"),
    CASE("a comment", "chunked (really)", "400!"),
    CASE("a dot after", "chunked.", "400!"),
    CASE("a colon before", ": chunked", "400!"),
    CASE("its name again", "Transfer-Encoding: chunked", "400!"),
    CASE("percent-encoded", "%63hunked", "400!"),
    CASE("a backslash", "c\\hunked", "400!"),
    CASE(
        "a Kelvin sign for k",
        "chun\xe2\x84\xaa"
        "ed",
        "400!"),
    CASE(
        "a no-break space",
        "\xc2\xa0"
        "chunked",
        "400!"),
    CASE("a byte over 127 behind", "chunked\xa0", "400!"),
    CASE("a next-line control behind", "chunked\x85", "400!"),
};

static const struct form alone[] = {
    FORM("coding", POST HOST "Transfer-Encoding: " HOLE "\r\n" END BODY NEXT, "200 200", ""),
    FORM("coding of GET", GET HOST "Transfer-Encoding: " HOLE "\r\n" END BODY NEXT, "200 200", ""),
    FORM("coding, lower case", POST "transfer-encoding:" HOLE "\r\n" HOST END BODY, "200", ""),
};

/* The two headers never go together, whatever the coding. */
static const struct form beside_length[] = {
    FORM(
        "coding after a length",
        POST HOST "Content-Length: 3\r\nTransfer-Encoding: " HOLE "\r\n" END BODY, "400!", ""),
    FORM(
        "coding before a length",
        POST HOST "Transfer-Encoding: " HOLE "\r\nContent-Length: 3\r\n" END BODY, "400!", ""),
    FORM(
        "coding in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: " HOLE "\r\n" END BODY, "400!", ""),
    FORM(
        "coding beside chunked",
        POST HOST "Transfer-Encoding: chunked\r\nTransfer-Encoding: " HOLE "\r\n" END BODY, "400!",
        ""),
};

/* All pairs of two framing headers: at most one of each pair is valid alone, and no pair is
 * valid. */
static const struct http_case framing[] = {
    CASE("length 3", "Content-Length: 3\r\n", "400!"),
    CASE("length 0", "Content-Length: 0\r\n", "400!"),
    CASE("length 13", "Content-Length: 13\r\n", "400!"),
    CASE("length empty", "Content-Length:\r\n", "400!"),
    CASE("length lower case", "content-length: 3\r\n", "400!"),
    CASE("chunked", "Transfer-Encoding: chunked\r\n", "400!"),
    CASE("chunked lower case", "transfer-encoding: chunked\r\n", "400!"),
    CASE("identity", "Transfer-Encoding: identity\r\n", "400!"),
    CASE("coding empty", "Transfer-Encoding:\r\n", "400!"),
};

static void add_pairs(struct corpus *c)
{
    for (size_t i = 0; i < COUNT_OF(framing); i++) {
        struct buf text;
        buf_init(&text, 4096);
        buf_text(&text, POST HOST);
        buf_str(&text, framing[i].bytes);
        buf_text(&text, "X-A: b\r\n" HOLE END BODY NEXT);
        struct str name = arena_fmt(&c->arena, "%s, then", framing[i].name);
        struct form form = {name.p, buf_view(&text), "", ""};
        corpus_product(c, &form, 1, framing, COUNT_OF(framing));
        buf_finish(&text);
    }
}

void corpus_add_codings(struct corpus *c)
{
    PRODUCT(c, alone, codings);
    PRODUCT(c, beside_length, codings);
    add_pairs(c);
}
