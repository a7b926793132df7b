/* Chunked bodies (RFC 9112 7.1): the spelling of a size, extensions, the end of the data, trailers.
 * chunked.h is stricter than the grammar: at most 16 digits, plain extensions, no framing header as
 * a trailer. */
#include "corpus.h"

/* Three bytes follow: any other size is wrong or too large. */
static const struct http_case sizes[] = {
    CASE("3", "3", "ok"),
    CASE("16 digits", "0000000000000003", "ok"),
    CASE("17 digits", "00000000000000003", "400!"),
    CASE("nothing", "", "400!"),
    CASE("a space", " ", "400!"),
    CASE("a space before", " 3", "400!"),
    CASE("a tab before", "\t3", "400!"),
    CASE("a tab after", "3\t", "400!"),
    CASE("a space after", "3 ", "400!"),
    CASE("many spaces after", "3      ", "400!"),
    CASE("a plus", "+3", "400!"),
    CASE("a minus", "-3", "400!"),
    CASE("minus zero", "-0", "400!"),
    CASE("0x", "0x3", "400!"),
    CASE("0X", "0X3", "400!"),
    CASE("a suffix h", "3h", "400!"),
    CASE("a dot", "3.", "400!"),
    CASE("a fraction", "3.0", "400!"),
    CASE("a comma", "3,", "400!"),
    CASE("two sizes", "3 3", "400!"),
    CASE("two sizes with a comma", "3,3", "400!"),
    CASE("an underscore", "0_3", "400!"),
    CASE("a g", "g", "400!"),
    CASE("a digit and a g", "3g", "400!"),
    CASE("in quotes", "\"3\"", "400!"),
    CASE("in brackets", "[3]", "400!"),
    CASE("a colon", "3:", "400!"),
    CASE("an equals sign", "3=", "400!"),
    CASE("percent-encoded", "%33", "400!"),
    CASE("fullwidth", "\xef\xbc\x93", "400!"),
    CASE("the word", "three", "400!"),
    CASE("a request", "GET / HTTP/1.1", "400!"),
    CASE("one too small", "2", "400!"),
    CASE("one too large", "4", "400!"),
    CASE("1,000 too large", "3eb", ""),
    CASE("8193", "2001", "413!"),
    CASE("2^31", "80000000", "413!"),
    CASE("2^32 - 1", "ffffffff", "413!"),
    CASE("2^32", "100000000", "413!"),
    CASE("2^32 + 3", "100000003", "413!"),
    CASE("2^63", "8000000000000000", "413!"),
    CASE("2^64 - 1", "ffffffffffffffff", "413!"),
    CASE("2^64 + 3", "10000000000000003", "413!"),
    CASE("2^128 + 3", "100000000000000000000000000000003", "413!"),
    CASE("2^64 - 3, in capitals", "FFFFFFFFFFFFFFFD", "413!"),
};

static const struct form size_forms[] = {
    FORM("chunk size", CHUNKED HOLE "\r\nabc\r\n0\r\n\r\n" NEXT, "200 200", ""),
    FORM(
        "size of a second chunk", CHUNKED "1\r\nx\r\n" HOLE "\r\nabc\r\n0\r\n\r\n" NEXT, "200 200",
        ""),
};

static const struct http_case zeros[] = {
    CASE("two zeros", "00", "ok"),
    CASE("16 zeros", "0000000000000000", "ok"),
    CASE("17 zeros", "00000000000000000", "400!"),
    CASE("minus zero", "-0", "400!"),
    CASE("0x0", "0x0", "400!"),
    CASE("a space before", " 0", "400!"),
    CASE("a space after", "0 ", "400!"),
    CASE("a letter o", "o", "400!"),
    CASE("a dot", "0.", "400!"),
    CASE("nothing", "", "400!"),
};

static const struct form zero_forms[] = {
    FORM("last chunk", CHUNKED "3\r\nabc\r\n" HOLE "\r\n\r\n" NEXT, "200 200", ""),
    FORM("last chunk before a trailer", CHUNKED HOLE "\r\nX-A: b\r\n\r\n" NEXT, "200 200", ""),
};

static const struct http_case extensions[] = {
    CASE("a name", ";a", "ok"),
    CASE("a name and a value", ";a=b", "ok"),
    CASE("two", ";a=b;c=d", "400!"),
    CASE("two names", ";a;b", "ok"),
    CASE("a quoted value", ";a=\"b\"", "ok"),
    CASE("an empty quoted value", ";a=\"\"", "ok"),
    CASE("a quoted semicolon", ";a=\"b;c\"", "ok"),
    CASE("a quoted equals sign", ";a=\"b=c\"", "ok"),
    CASE("a quoted space", ";a=\"b c\"", "ok"),
    CASE("an escaped quote", ";a=\"b\\\"c\"", "400!"),
    CASE("an escaped backslash", ";a=\"b\\\\\"", "400!"),
    CASE("all marks in a name", ";!#$%&'*+-.^_`|~=b", "ok"),
    CASE("digits", ";1=2", "ok"),
    CASE("a quoted value, then another", ";a=\"b\";c", "400!"),
    CASE("no name", ";", "400!"),
    CASE("two semicolons", ";;", "400!"),
    CASE("a name and a semicolon", ";a;", "400!"),
    CASE("a value without a name", ";=b", "400!"),
    CASE("a name without its value", ";a=", "400!"),
    CASE("a name without its value, then another", ";a=;b", "400!"),
    CASE("two equals signs", ";a==b", "400!"),
    CASE("two values", ";a=b=c", "400!"),
    CASE("a space before", " ;a", "400!"),
    CASE("a space after the semicolon", "; a", "400!"),
    CASE("a space before the equals sign", ";a =b", "400!"),
    CASE("a space after the equals sign", ";a= b", "400!"),
    CASE("a space at the end", ";a=b ", "400!"),
    CASE("a tab at the end", ";a=b\t", "400!"),
    CASE("a comma", ";a,b", "400!"),
    CASE("a slash", ";a/b", "400!"),
    CASE("a quote inside a name", ";a\"b", "400!"),
    CASE("an open quote", ";a=\"b", "400!"),
    CASE("text after a quoted value", ";a=\"b\"c", "400!"),
    CASE("a quoted name", ";\"a\"=b", "400!"),
    CASE("an escape at the end", ";a=\"b\\", "400!"),
    CASE("an escape outside quotes", ";a=b\\c", "400!"),
    CASE("UTF-8 in a name", ";\xc3\xa9", "400!"),
    CASE("a hidden size", ";a=b 5", "400!"),
    CASE("a request", ";GET / HTTP/1.1", "400!"),
    CASE("a size after a comma", ",5", "400!"),
    CASE("a size in an extension", ";5", "ok"),
    CASE("an LF", ";\n", "400!"),
    CASE("an LF and a chunk", ";\nabc\n0\n", "400!"),
    CASE("a CR", ";\ra", "400!"),
    CASE("a quoted LF", ";a=\"\n\"", "400!"),
    CASE("a quoted CRLF", ";a=\"\r\n\"", "400!"),
    CASE("a quoted DEL", ";a=\"\x7f\"", "400!"),
    CASE("an escaped LF", ";a=\"\\\n\"", "400!"),
};

static const struct form extension_forms[] = {
    FORM("extension", CHUNKED "3" HOLE "\r\nabc\r\n0\r\n\r\n" NEXT, "200 200", ""),
    FORM("extension of the last chunk", CHUNKED "0" HOLE "\r\n\r\n" NEXT, "200 200", ""),
};

static const struct http_case bodies[] = {
    CASE("one byte a chunk", "1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n", "ok"),
    CASE("CRLF as data", "2\r\n\r\n\r\n0\r\n\r\n", "ok"),
    CASE("the end as data", "5\r\n0\r\n\r\n\r\n0\r\n\r\n", "ok"),
    CASE("a size line as data", "6\r\n3\r\nabc\r\n0\r\n\r\n", "ok"),
    CASE("NULs as data", "3\r\n\0\0\0\r\n0\r\n\r\n", "ok"),
    CASE("no CRLF after the data", "3\r\nabc0\r\n\r\n", "400!"),
    CASE("two CRLFs after the data", "3\r\nabc\r\n\r\n0\r\n\r\n", "400!"),
    CASE("LF CR after the data", "3\r\nabc\n\r0\r\n\r\n", "400!"),
    CASE("a space after the data", "3\r\nabc \r\n0\r\n\r\n", "400!"),
    CASE("CR LF in the wrong order after the size", "3\n\rabc\r\n0\r\n\r\n", "400!"),
    CASE("CR CR LF after the size", "3\r\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("an empty line before the size", "\r\n3\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("an LF before the size", "\n3\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("LF for every CRLF", "3\nabc\n0\n\n", "400!"),
    CASE("CR for every CRLF", "3\rabc\r0\r\r", "400!"),
    CASE("no last chunk, then a request", "3\r\nabc\r\n" NEXT, "400!"),
    CASE("no empty line, then a request", "0\r\n" NEXT, "400!"),
    CASE("the data without chunks", "abc=def", "400!"),
    CASE("a body by length", "hello", "400!"),
    CASE("JSON", "{\"a\":1}", "400!"),
    CASE("a space before the end", "0\r\n \r\n", "400!"),
    CASE("a chunk of two bytes given three", "2\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("a chunk of four bytes given three", "4\r\nabc\r\n\r\n0\r\n\r\n", "400!"),
};

static const struct form body_forms[] = {
    FORM("chunks", CHUNKED HOLE NEXT, "200 200", ""),
    FORM(
        "chunks of a second request",
        NEXT "PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" HOST END HOLE NEXT, "200 200 200",
        "200 "),
};

static const struct http_case trailers[] = {
    CASE("one", "X-A: b\r\n", "ok"),
    CASE("an empty value", "X-A:\r\n", "ok"),
    CASE("spaces around the value", "X-A:  b  \r\n", "ok"),
    CASE("a colon in the value", "X-A: b: c\r\n", "ok"),
    CASE("UTF-8 in the value", "X-A: \xc3\xa9\r\n", "ok"),
    CASE("the same twice", "X-A: b\r\nX-A: c\r\n", "ok"),
    CASE("a checksum", "Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\r\n", "ok"),
    CASE("Host", HOST, "ok"),
    CASE("an odd Host", "Host: a b\r\n", "ok"),
    CASE("Connection: close", "Connection: close\r\n", "ok"),
    CASE("Expect", "Expect: 100-continue\r\n", "ok"),
    CASE("Authorization", "Authorization: Bearer svc_x\r\n", "ok"),
    CASE("X-Forwarded-For", "X-Forwarded-For: 1.2.3.4\r\n", "ok"),
    CASE("no colon", "X-A\r\n", "400!"),
    CASE("no name", ": b\r\n", "400!"),
    CASE("a space before", " X-A: b\r\n", "400!"),
    CASE("a space before the colon", "X-A : b\r\n", "400!"),
    CASE("a space inside", "X A: b\r\n", "400!"),
    CASE("folded", "X-A: b\r\n c\r\n", "400!"),
    CASE("a request line", "GET /x HTTP/1.1\r\n", "400!"),
    CASE("a chunk", "3\r\nabc\r\n", "400!"),
    CASE("UTF-8 in the name", "X\xc3\xa9: b\r\n", "400!"),
    CASE("ended by LF", "X-A: b\n", "400!"),
    CASE("ended by CR", "X-A: b\r", "400!"),
    CASE("ended by CR CR LF", "X-A: b\r\r\n", "400!"),
    CASE("NUL in the value", "X-A: b\0c\r\n", "400!"),
    CASE("a length", "Content-Length: 3\r\n", "400!"),
    CASE("an odd length", "Content-Length: x\r\n", "400!"),
    CASE("a coding", "Transfer-Encoding: chunked\r\n", "400!"),
    CASE("another coding", "Transfer-Encoding: gzip\r\n", "400!"),
    CASE("a length in capitals", "CONTENT-LENGTH: 0\r\n", "400!"),
    CASE("a length after a good one", "X-A: b\r\nContent-Length: 3\r\n", "400!"),
};

static const struct form trailer_forms[] = {
    FORM("trailer", CHUNKED "3\r\nabc\r\n0\r\n" HOLE "\r\n" NEXT, "200 200", ""),
    FORM("trailer after another", CHUNKED "0\r\nX-Z: z\r\n" HOLE "\r\n" NEXT, "200 200", ""),
};

void corpus_add_chunks(struct corpus *c)
{
    PRODUCT(c, size_forms, sizes);
    PRODUCT(c, zero_forms, zeros);
    PRODUCT(c, extension_forms, extensions);
    PRODUCT(c, body_forms, bodies);
    PRODUCT(c, trailer_forms, trailers);
}
