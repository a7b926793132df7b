/*
 * Requests and what becomes of them: the one table that the tests of the parser and those of the
 * running server go through, whole and in pieces.
 *
 * `outcome` is the statuses of the replies; "!" after one: the connection ends with it. 200 stands
 * for a request that reaches the application, 501 for one with a method nobody knows. After the
 * last byte the client shuts its side; what is then unfinished gets no reply. No request here has
 * HEAD as its method, since the client does not track that.
 */
#pragma once

#include "base/str.h"

struct http_case {
    const char *name;
    struct str bytes;
    const char *outcome;
};

#define CASE(text, bytes, outcome)                                                                 \
    {                                                                                              \
        text, STR_INIT(bytes), outcome                                                             \
    }

#define GET "GET / HTTP/1.1\r\n"
#define POST "POST / HTTP/1.1\r\n"
#define HOST "Host: a.example\r\n"
#define END "\r\n"
#define CHUNKED POST HOST "Transfer-Encoding: chunked\r\n" END
#define NEXT "GET /next HTTP/1.1\r\n" HOST END

static const struct http_case http_cases[] = {
    /* requests that are fine */
    CASE("plain", GET HOST END, "200"),
    CASE("two pipelined", GET HOST END NEXT, "200 200"),
    CASE(
        "three pipelined, the last closing", GET HOST END NEXT GET HOST "Connection: close\r\n" END,
        "200 200 200!"),
    CASE("nothing after a close is read", GET HOST "Connection: close\r\n" END NEXT, "200!"),
    CASE("one empty line before", END GET HOST END, "200"),
    CASE("an empty line between", GET HOST END END NEXT, "200 200"),
    CASE("1.0 without Host", "GET / HTTP/1.0\r\n" END, "200!"),
    CASE("1.0 with Host", "GET / HTTP/1.0\r\n" HOST END, "200!"),
    CASE("1.0 kept", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n" END NEXT, "200 200"),
    CASE(
        "1.0 kept, in capitals", "GET / HTTP/1.0\r\nCONNECTION: Keep-Alive\r\n" END NEXT,
        "200 200"),
    CASE("closed, in capitals", GET HOST "CONNECTION: CLOSE\r\n" END NEXT, "200!"),
    CASE("close in a list", GET HOST "Connection: x-thing, close\r\n" END NEXT, "200!"),
    CASE(
        "close in a second line", GET HOST "Connection: x-thing\r\nConnection: close\r\n" END NEXT,
        "200!"),
    CASE("a name like close does not close", GET HOST "Connection: closed\r\n" END NEXT, "200 200"),
    CASE("OPTIONS of the server", "OPTIONS * HTTP/1.1\r\n" HOST END, "200"),
    CASE("absolute form", "GET http://a.example/x?y=1 HTTP/1.1\r\n" HOST END, "200"),
    CASE(
        "absolute form, https, capitals, port", "GET HTTPS://A.EXAMPLE:443/x HTTP/1.1\r\n" HOST END,
        "200"),
    CASE("absolute form without a path", "GET http://a.example HTTP/1.1\r\n" HOST END, "200"),
    CASE("absolute form with a query only", "GET http://a.example?y HTTP/1.1\r\n" HOST END, "200"),
    CASE("absolute form of another host", "GET http://b.example/ HTTP/1.1\r\n" HOST END, "200"),
    CASE("authority form", "CONNECT a.example:443 HTTP/1.1\r\n" HOST END, "200"),
    CASE(
        "every method",
        "PUT / HTTP/1.1\r\n" HOST END "DELETE / HTTP/1.1\r\n" HOST END
        "PATCH / HTTP/1.1\r\n" HOST END "TRACE / HTTP/1.1\r\n" HOST END
        "OPTIONS / HTTP/1.1\r\n" HOST END POST HOST END,
        "200 200 200 200 200 200"),
    CASE("an unknown method", "BREW / HTTP/1.1\r\n" HOST END, "501!"),
    CASE("a method that llhttp knows and we do not", "PROPFIND / HTTP/1.1\r\n" HOST END, "501!"),
    CASE("a method in lower case", "get / HTTP/1.1\r\n" HOST END, "501!"),
    CASE(
        "a method with token punctuation", "M-SEARCH!#$%&'*+.^_`|~0 / HTTP/1.1\r\n" HOST END,
        "501!"),
    CASE(
        "an unknown method with a body",
        "BREW / HTTP/1.1\r\n" HOST "Content-Length: 3\r\n" END "abc", "501!"),
    CASE("empty header value", GET HOST "X-Empty:\r\n" END, "200"),
    CASE("tabs and spaces around a value", GET HOST "X-A: \t v \t \r\n" END, "200"),
    CASE("a tab inside a value", GET HOST "X-A: a\tb\r\n" END, "200"),
    CASE("bytes over 127 in a value", GET HOST "X-A: \xc3\xa9\xff\r\n" END, "200"),
    CASE("a colon in a value", GET HOST "X-A: b:c\r\n" END, "200"),
    CASE("all token characters in a name", GET HOST "!#$%&'*+-.^_`|~09azAZ: v\r\n" END, "200"),
    CASE("Host without a space", "GET / HTTP/1.1\r\nHost:a.example\r\n" END, "200"),
    CASE("Host in capitals", "GET / HTTP/1.1\r\nHOST: a.example\r\n" END, "200"),
    CASE("Host with a port", "GET / HTTP/1.1\r\nHost: a.example:8080\r\n" END, "200"),
    CASE("Host with an empty port", "GET / HTTP/1.1\r\nHost: a.example:\r\n" END, "200"),
    CASE("Host is an IPv4 address", "GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n" END, "200"),
    CASE("Host is an IPv6 address", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n" END, "200"),
    CASE("percent-encoding in the target", "GET /%00%2f%zz?%%% HTTP/1.1\r\n" HOST END, "200"),
    CASE("odd but visible bytes in the target", "GET /\"<>\\^`{|}[] HTTP/1.1\r\n" HOST END, "200"),
    CASE("a target with two slashes", "GET //x HTTP/1.1\r\n" HOST END, "200"),
    CASE(
        "an upgrade is ignored", GET HOST "Connection: Upgrade\r\nUpgrade: websocket\r\n" END NEXT,
        "200 200"),
    CASE(
        "an upgrade to HTTP/2 is ignored",
        GET HOST
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n" END,
        "200"),
    /* bodies */
    CASE("a body by length", POST HOST "Content-Length: 3\r\n" END "abc", "200"),
    CASE(
        "a body by length, then a request", POST HOST "Content-Length: 3\r\n" END "abc" NEXT,
        "200 200"),
    CASE(
        "a body that looks like a request", POST HOST "Content-Length: 18\r\n" END GET "\r\n" NEXT,
        "200 200"),
    CASE("GET with a body", GET HOST "Content-Length: 3\r\n" END "abc" NEXT, "200 200"),
    CASE("length 0", POST HOST "Content-Length: 0\r\n" END NEXT, "200 200"),
    CASE(
        "length with leading zeros", POST HOST "Content-Length: 0003\r\n" END "abc" NEXT,
        "200 200"),
    CASE(
        "length with space around", POST HOST "Content-Length: \t3 \r\n" END "abc" NEXT, "200 200"),
    CASE("a chunked body", CHUNKED "3\r\nabc\r\n0\r\n\r\n" NEXT, "200 200"),
    CASE("two chunks", CHUNKED "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n" NEXT, "200 200"),
    CASE("no chunk but the last", CHUNKED "0\r\n\r\n" NEXT, "200 200"),
    CASE(
        "sizes in hex of either case",
        CHUNKED "a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n" NEXT, "200 200"),
    CASE("sizes with leading zeros", CHUNKED "0003\r\nabc\r\n000\r\n\r\n" NEXT, "200 200"),
    CASE("chunk extensions", CHUNKED "3;a=b\r\nabc\r\n0;c=\"d\"\r\n\r\n" NEXT, "200 200"),
    CASE("trailers", CHUNKED "3\r\nabc\r\n0\r\nX-Sum: 1\r\nX-Two: 2\r\n\r\n" NEXT, "200 200"),
    CASE(
        "chunked in capitals", POST HOST "TRANSFER-ENCODING: CHUNKED\r\n" END "0\r\n\r\n" NEXT,
        "200 200"),
    CASE("GET, chunked", GET HOST "Transfer-Encoding: chunked\r\n" END "0\r\n\r\n" NEXT, "200 200"),
    CASE(
        "Expect with a body", POST HOST "Content-Length: 3\r\nExpect: 100-continue\r\n" END "abc",
        "200"),
    CASE(
        "Expect in capitals", POST HOST "Content-Length: 3\r\nEXPECT: 100-Continue\r\n" END "abc",
        "200"),
    CASE("Expect without a body", GET HOST "Expect: 100-continue\r\n" END, "200"),
    CASE(
        "Expect in 1.0",
        "POST / HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n" END "abc", "200!"),
    /* unfinished: the client has shut its side */
    CASE("nothing", "", ""),
    CASE("an empty line only", END, ""),
    CASE("half a request line", "GET / HT", ""),
    CASE("a head without its end", GET HOST, ""),
    CASE("a request, then half of one", GET HOST END "GET / HTT", "200"),
    CASE("a short body", POST HOST "Content-Length: 4\r\n" END "abc", ""),
    CASE("a chunked body without its end", CHUNKED "3\r\nabc\r\n", ""),
    CASE("a trailer without its end", CHUNKED "0\r\nX-A: b\r\n", ""),
    /* the request line */
    CASE("no target", "GET HTTP/1.1\r\n" HOST END, "400!"),
    CASE("no version", "GET /\r\n" HOST END, "400!"),
    CASE("an empty version", "GET / \r\n" HOST END, "400!"),
    CASE("only a method", "GET\r\n" HOST END, "400!"),
    CASE("two spaces before the target", "GET  / HTTP/1.1\r\n" HOST END, "400!"),
    CASE("two spaces before the version", "GET /  HTTP/1.1\r\n" HOST END, "400!"),
    CASE("a space after the version", "GET / HTTP/1.1 \r\n" HOST END, "400!"),
    CASE("a space before the method", " GET / HTTP/1.1\r\n" HOST END, "400!"),
    CASE("a tab for a space", "GET\t/\tHTTP/1.1\r\n" HOST END, "400!"),
    CASE("a space in the target", "GET /a b HTTP/1.1\r\n" HOST END, "400!"),
    CASE("a tab in the target", "GET /a\tb HTTP/1.1\r\n" HOST END, "400!"),
    CASE("NUL in the target", "GET /a\0b HTTP/1.1\r\n" HOST END, "400!"),
    CASE("a control byte in the target", "GET /a\x01 HTTP/1.1\r\n" HOST END, "400!"),
    CASE("DEL in the target", "GET /a\x7f HTTP/1.1\r\n" HOST END, "400!"),
    CASE("a byte over 127 in the target", "GET /\xc3\xa9 HTTP/1.1\r\n" HOST END, "400!"),
    CASE("a fragment in the target", "GET /#a HTTP/1.1\r\n" HOST END, "400!"),
    CASE("a relative target", "GET a HTTP/1.1\r\n" HOST END, "400!"),
    CASE("a target of another scheme", "GET ftp://a.example/ HTTP/1.1\r\n" HOST END, "400!"),
    CASE("absolute form without a host", "GET http:///x HTTP/1.1\r\n" HOST END, "400!"),
    CASE("absolute form with a user", "GET http://u@a.example/ HTTP/1.1\r\n" HOST END, "400!"),
    CASE(
        "absolute form with an odd port", "GET http://a.example:8x/ HTTP/1.1\r\n" HOST END, "400!"),
    CASE("* for GET", "GET * HTTP/1.1\r\n" HOST END, "400!"),
    CASE("origin form for CONNECT", "CONNECT / HTTP/1.1\r\n" HOST END, "400!"),
    CASE("authority form for GET", "GET a.example:80 HTTP/1.1\r\n" HOST END, "400!"),
    CASE("HTTP/0.9", "GET /\r\n", "400!"),
    CASE("HTTP/2.0", "GET / HTTP/2.0\r\n" HOST END, "400!"),
    CASE("HTTP/1.2", "GET / HTTP/1.2\r\n" HOST END, "400!"),
    CASE("HTTP/1.10", "GET / HTTP/1.10\r\n" HOST END, "400!"),
    CASE("HTTP/1", "GET / HTTP/1\r\n" HOST END, "400!"),
    CASE("HTTP/01.1", "GET / HTTP/01.1\r\n" HOST END, "400!"),
    CASE("http/1.1", "GET / http/1.1\r\n" HOST END, "400!"),
    CASE("HTP/1.1", "GET / HTP/1.1\r\n" HOST END, "400!"),
    CASE("the HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400!"),
    CASE("a method that is no token", "G@T / HTTP/1.1\r\n" HOST END, "400!"),
    CASE("a quote before the method", "\"GET / HTTP/1.1\r\n" HOST END, "400!"),
    CASE("NUL before the method", "\0GET / HTTP/1.1\r\n" HOST END, "400!"),
    CASE("the start of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc", "400!"),
    CASE("a byte order mark", "\xef\xbb\xbfGET / HTTP/1.1\r\n" HOST END, "400!"),
    CASE("a reply", "HTTP/1.1 200 OK\r\n" HOST END, "400!"),
    CASE("two empty lines before", END END GET HOST END, "400!"),
    /* the ends of lines */
    CASE("LF alone after the request line", "GET / HTTP/1.1\n" HOST END, "400!"),
    CASE("LF alone everywhere", "GET / HTTP/1.1\nHost: a\n\n", "400!"),
    CASE("LF alone after a header", GET "Host: a.example\n" END, "400!"),
    CASE("LF alone at the end of the head", GET HOST "\n", "400!"),
    CASE("LF alone before the request line", "\n" GET HOST END, "400!"),
    CASE("CR alone in the request line", "GET / HTTP/1.1\rX\r\n" HOST END, "400!"),
    CASE("CR alone in a value", GET HOST "X-A: b\rc\r\n" END, "400!"),
    CASE(
        "CR alone smuggling a header", GET HOST "X-Abc:\rxTransfer-Encoding: chunked\r\n" END,
        "400!"),
    CASE("CR CR LF", GET HOST "X-A: b\r\r\n" END, "400!"),
    CASE("CR alone in a name", GET HOST "X\r-A: b\r\n" END, "400!"),
    CASE("LF CR", GET HOST "X-A: b\n\r" END, "400!"),
    /* headers */
    CASE("a space before the colon", GET HOST "X-A : b\r\n" END, "400!"),
    CASE("a tab before the colon", GET HOST "X-A\t: b\r\n" END, "400!"),
    CASE(
        "a space before the colon of Transfer-Encoding",
        POST HOST "Transfer-Encoding : chunked\r\n" END "0\r\n\r\n", "400!"),
    CASE("a space before the name", GET HOST " X-A: b\r\n" END, "400!"),
    CASE("a folded line", GET HOST "X-A: b\r\n c\r\n" END, "400!"),
    CASE("a line folded by a tab", GET HOST "X-A: b\r\n\tc\r\n" END, "400!"),
    CASE(
        "a folded Transfer-Encoding",
        POST HOST "Transfer-Encoding:\r\n chunked\r\n" END "0\r\n\r\n", "400!"),
    CASE("a fold before the first header", GET " X: y\r\n" HOST END, "400!"),
    CASE("no colon", GET HOST "X-A\r\n" END, "400!"),
    CASE("no name", GET HOST ": b\r\n" END, "400!"),
    CASE("a space in the name", GET HOST "X A: b\r\n" END, "400!"),
    CASE("a bracket in the name", GET HOST "X[A]: b\r\n" END, "400!"),
    CASE("a byte over 127 in the name", GET HOST "X\xc3\xa9: b\r\n" END, "400!"),
    CASE("NUL in a name", GET HOST "X\0A: b\r\n" END, "400!"),
    CASE("NUL in a value", GET HOST "X-A: b\0c\r\n" END, "400!"),
    CASE("a control byte in a value", GET HOST "X-A: b\x0b\r\n" END, "400!"),
    CASE("escape in a long value", GET HOST "X-A: 01234567890123456789\x1b[31m\r\n" END, "400!"),
    CASE("DEL in a value", GET HOST "X-A: 0123456\x7f\r\n" END, "400!"),
    CASE("a lone line of CR", GET HOST "\rX-A: b\r\n" END, "400!"),
    /* Host */
    CASE("no Host", GET END, "400!"),
    CASE("two Hosts", GET HOST "Host: b.example\r\n" END, "400!"),
    CASE("the same Host twice", GET HOST HOST END, "400!"),
    CASE("two Hosts in 1.0", "GET / HTTP/1.0\r\n" HOST HOST END, "400!"),
    CASE("an empty Host", "GET / HTTP/1.1\r\nHost:\r\n" END, "400!"),
    CASE("a Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n" END, "400!"),
    CASE("a Host with a user", "GET / HTTP/1.1\r\nHost: u@a\r\n" END, "400!"),
    CASE("a Host with a space", "GET / HTTP/1.1\r\nHost: a b\r\n" END, "400!"),
    CASE("a Host list", "GET / HTTP/1.1\r\nHost: a, b\r\n" END, "400!"),
    CASE("a Host with an odd port", "GET / HTTP/1.1\r\nHost: a:8x\r\n" END, "400!"),
    CASE("a Host with two ports", "GET / HTTP/1.1\r\nHost: a:80:80\r\n" END, "400!"),
    CASE("a Host with an open bracket", "GET / HTTP/1.1\r\nHost: [::1\r\n" END, "400!"),
    CASE("a Host of brackets", "GET / HTTP/1.1\r\nHost: []\r\n" END, "400!"),
    CASE("no Host with an absolute target", "GET http://a/ HTTP/1.1\r\n" END, "400!"),
    /* where the body ends */
    CASE(
        "length and chunked",
        POST HOST "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n" END "0\r\n\r\n", "400!"),
    CASE(
        "chunked and length",
        POST HOST "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n" END "0\r\n\r\n", "400!"),
    CASE(
        "length 0 and chunked, GET",
        GET HOST "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n" END "0\r\n\r\n", "400!"),
    CASE("two lengths", POST HOST "Content-Length: 3\r\nContent-Length: 4\r\n" END "abcd", "400!"),
    CASE(
        "the same length twice", POST HOST "Content-Length: 3\r\nContent-Length: 3\r\n" END "abc",
        "400!"),
    CASE("a list of lengths", POST HOST "Content-Length: 3, 3\r\n" END "abc", "400!"),
    CASE("an empty length", POST HOST "Content-Length:\r\n" END, "400!"),
    CASE("a negative length", POST HOST "Content-Length: -1\r\n" END, "400!"),
    CASE("a length with a sign", POST HOST "Content-Length: +3\r\n" END "abc", "400!"),
    CASE("a length in hex", POST HOST "Content-Length: 0x3\r\n" END "abc", "400!"),
    CASE("a length with a fraction", POST HOST "Content-Length: 3.0\r\n" END "abc", "400!"),
    CASE("a length with a space inside", POST HOST "Content-Length: 1 2\r\n" END "abc", "400!"),
    CASE("a length in words", POST HOST "Content-Length: three\r\n" END "abc", "400!"),
    CASE("a length with an underscore", POST HOST "Content-Length: 1_0\r\n" END "abc", "400!"),
    CASE("a length over the limit", POST HOST "Content-Length: 8193\r\n" END, "413!"),
    CASE(
        "a length over 64 bits", POST HOST "Content-Length: 18446744073709551619\r\n" END "abc",
        "413!"),
    CASE("another coding", POST HOST "Transfer-Encoding: gzip\r\n" END, "400!"),
    CASE("identity coding", POST HOST "Transfer-Encoding: identity\r\n" END, "400!"),
    CASE("an empty coding", POST HOST "Transfer-Encoding:\r\n" END, "400!"),
    CASE(
        "a coding before chunked", POST HOST "Transfer-Encoding: gzip, chunked\r\n" END "0\r\n\r\n",
        "400!"),
    CASE(
        "a coding after chunked", POST HOST "Transfer-Encoding: chunked, gzip\r\n" END "0\r\n\r\n",
        "400!"),
    CASE(
        "chunked twice", POST HOST "Transfer-Encoding: chunked, chunked\r\n" END "0\r\n\r\n",
        "400!"),
    CASE(
        "chunked in two lines",
        POST HOST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n" END "0\r\n\r\n",
        "400!"),
    CASE(
        "chunked after a comma", POST HOST "Transfer-Encoding: ,chunked\r\n" END "0\r\n\r\n",
        "400!"),
    CASE(
        "chunked with a parameter", POST HOST "Transfer-Encoding: chunked;q=1\r\n" END "0\r\n\r\n",
        "400!"),
    CASE(
        "chunked in quotes", POST HOST "Transfer-Encoding: \"chunked\"\r\n" END "0\r\n\r\n",
        "400!"),
    CASE("xchunked", POST HOST "Transfer-Encoding: xchunked\r\n" END "0\r\n\r\n", "400!"),
    CASE(
        "chunked in 1.0",
        "POST / HTTP/1.0\r\n" HOST "Transfer-Encoding: chunked\r\n" END "0\r\n\r\n", "400!"),
    CASE("another Expect", POST HOST "Expect: 200-ok\r\n" END, "400!"),
    CASE("an empty Expect", POST HOST "Expect:\r\n" END, "400!"),
    /* chunks */
    CASE("a size that is no hex", CHUNKED "g\r\n", "400!"),
    CASE("no size", CHUNKED "\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("a size with 0x", CHUNKED "0x3\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("a size with a sign", CHUNKED "+3\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("a space before a size", CHUNKED " 3\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("a space after a size", CHUNKED "3 \r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("a size over the limit", CHUNKED "2001\r\n", "413!"),
    CASE("a size over 32 bits", CHUNKED "100000003\r\nabc\r\n0\r\n\r\n", "413!"),
    CASE("a size over 64 bits", CHUNKED "10000000000000003\r\nabc\r\n0\r\n\r\n", "413!"),
    CASE("a size of too many zeros", CHUNKED "00000000000000003\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("LF alone after a size", CHUNKED "3\nabc\r\n0\r\n\r\n", "400!"),
    CASE("CR alone after a size", CHUNKED "3\rabc\r\n0\r\n\r\n", "400!"),
    CASE("LF alone after the data", CHUNKED "3\r\nabc\n0\r\n\r\n", "400!"),
    CASE("CR alone after the data", CHUNKED "3\r\nabc\r0\r\n\r\n", "400!"),
    CASE("more data than the size", CHUNKED "3\r\nabcd\r\n0\r\n\r\n", "400!"),
    CASE("less data than the size", CHUNKED "4\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("LF alone at the end", CHUNKED "0\r\n\n", "400!"),
    CASE("CR alone at the end", CHUNKED "0\r\n\rX", "400!"),
    CASE("LF alone in an extension", CHUNKED "3;a\nb\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("CR alone in an extension", CHUNKED "3;a\rb\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE("NUL in an extension", CHUNKED "3;a\0\r\nabc\r\n0\r\n\r\n", "400!"),
    CASE(
        "a byte over 127 in an extension, then a size over the limit",
        CHUNKED "3;a=\xdc\r\nabc\r\nffff\r\n", "400!"),
    CASE("a trailer without a colon", CHUNKED "0\r\nX-A\r\n\r\n", "400!"),
    CASE("a trailer with a space before the colon", CHUNKED "0\r\nX-A : b\r\n\r\n", "400!"),
    CASE("a folded trailer", CHUNKED "0\r\nX-A: b\r\n c\r\n\r\n", "400!"),
    CASE("LF alone after a trailer", CHUNKED "0\r\nX-A: b\n\r\n", "400!"),
    CASE("CR alone smuggling a trailer", CHUNKED "0\r\nX-A:\rxContent-Length: 4\r\n\r\n", "400!"),
    /* later requests are held to the same rules */
    CASE("a good one, then a bad one", GET HOST END "GET / HTTP/3.0\r\n" HOST END, "200 400!"),
    CASE("a good one, then an LF", GET HOST END "\n", "200 400!"),
    CASE(
        "a body longer than its length", POST HOST "Content-Length: 3\r\n" END "abc\x01",
        "200 400!"),
};

enum { HTTP_CASES = sizeof http_cases / sizeof http_cases[0] };
