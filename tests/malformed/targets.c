/* Targets: origin form, absolute form and invalid ones, for a method that allows both; the asterisk
 * for methods that allow it or not; CONNECT, whose target is a host and a port (RFC 9112 3.2). */
#include "corpus.h"

static const struct http_case targets[] = {
    /* origin form: a slash, then any visible byte but # */
    CASE("a dot segment", "/.", "ok"),
    CASE("two dot segments", "/../..", "ok"),
    CASE("dots in the middle", "/a/../../etc/passwd", "ok"),
    CASE("encoded dots", "/%2e%2e/%2e", "ok"),
    CASE("an encoded slash", "/a%2fb", "ok"),
    CASE("an encoded NUL", "/%00", "ok"),
    CASE("an encoded CRLF", "/%0d%0aX-A:%20b", "ok"),
    CASE("encoded CRLF and a request", "/%0d%0a%0d%0aGET%20/x%20HTTP/1.1", "ok"),
    CASE("a percent alone", "/%", "ok"),
    CASE("a percent and a digit", "/%4", "ok"),
    CASE("an overlong encoding", "/%c0%af", "ok"),
    CASE("a percent and u", "/%u002f", "ok"),
    CASE("encoded twice", "/%252e", "ok"),
    CASE("three slashes", "///", "ok"),
    CASE("a slash and a host", "//b.example/x", "ok"),
    CASE("a backslash", "/\\b", "ok"),
    CASE("a semicolon", "/;a=b", "ok"),
    CASE("a colon", "/:80", "ok"),
    CASE("an at sign", "/@b.example", "ok"),
    CASE("a whole address as the path", "/http://b.example/", "ok"),
    CASE("a version as the path", "/HTTP/1.1", "ok"),
    CASE("a question mark", "/?", "ok"),
    CASE("two question marks", "/??", "ok"),
    CASE("a query of ampersands", "/?&&&", "ok"),
    CASE("a query of equal signs", "/?===", "ok"),
    CASE("a query that looks like a header", "/?Host:x", "ok"),
    CASE("a query with brackets", "/?a[]=1", "ok"),
    CASE("a query with a slash", "/?/../", "ok"),
    CASE("a fragment", "/#", "400!"),
    CASE("a fragment after the query", "/?a#b", "400!"),
    CASE("an encoded fragment", "/%23", "ok"),
    /* absolute form */
    CASE("absolute, dots", "http://a.example/../x", "ok"),
    CASE("absolute, mixed case", "HtTp://A.example/", "ok"),
    CASE("absolute, an address", "http://127.0.0.1:8080/x?y", "ok"),
    CASE("absolute, IPv6", "http://[::1]/", "ok"),
    CASE("absolute, an empty port", "http://a.example:/", "ok"),
    CASE("absolute, port 65535", "https://a.example:65535/", "ok"),
    CASE("absolute, another in its query", "http://a.example/?u=http://b.example/", "ok"),
    CASE("absolute, a question mark only", "http://a.example?", "ok"),
    CASE("absolute, no host", "http://", "400!"),
    CASE("absolute, no host but a port", "http://:80/", "400!"),
    CASE("absolute, three slashes", "http:///a.example/", "400!"),
    CASE("absolute, one slash", "http:/a.example/", "400!"),
    CASE("absolute, no slash", "http:a.example/", "400!"),
    CASE("absolute, backslashes", "http:\\\\a.example\\", "400!"),
    CASE("absolute, a user", "http://u@a.example/", "400!"),
    CASE("absolute, a user and password", "http://u:p@a.example/", "400!"),
    CASE("absolute, an at sign first", "http://@a.example/", "400!"),
    CASE("absolute, two ports", "http://a.example:80:81/", "400!"),
    CASE("absolute, a port of letters", "http://a.example:http/", "400!"),
    CASE("absolute, a negative port", "http://a.example:-1/", "400!"),
    CASE("absolute, a port of six digits", "http://a.example:100000/", "400!"),
    CASE("absolute, a fragment", "http://a.example/#x", "400!"),
    CASE("absolute, an open bracket", "http://[::1/", "400!"),
    CASE("absolute, empty brackets", "http://[]/", "400!"),
    CASE("absolute, text after brackets", "http://[::1]x/", "400!"),
    CASE("absolute, a backslash after the host", "http://a.example\\@b.example/", "400!"),
    CASE("absolute, a caret in the host", "http://a^b/", "400!"),
    CASE("absolute, ftp", "ftp://a.example/x", "400!"),
    CASE("absolute, ws", "ws://a.example/x", "400!"),
    CASE("absolute, file", "file:///etc/passwd", "400!"),
    CASE("absolute, javascript", "javascript:alert(1)", "400!"),
    CASE("absolute, unix", "unix:/run/x.sock:http://a/", "400!"),
    CASE("absolute, httpx", "httpx://a.example/", "400!"),
    CASE("absolute, xhttp", "xhttp://a.example/", "400!"),
    CASE("absolute, a colon missing", "http//a.example/", "400!"),
    CASE("absolute, the scheme encoded", "%68ttp://a.example/", "400!"),
    /* neither */
    CASE("a name", "index", "400!"),
    CASE("a dot", ".", "400!"),
    CASE("dots up", "../x", "400!"),
    CASE("a question mark first", "?a=b", "400!"),
    CASE("a fragment alone", "#a", "400!"),
    CASE("a colon first", ":80", "400!"),
    CASE("an at sign first", "@a.example/", "400!"),
    CASE("a backslash first", "\\x", "400!"),
    CASE("an encoded slash first", "%2fx", "400!"),
    CASE("two asterisks", "**", "400!"),
    CASE("an asterisk and a slash", "*/", "400!"),
    CASE("an asterisk and a query", "*?a", "400!"),
    CASE("a host alone", "a.example", "400!"),
    CASE("a host and a path", "a.example/x", "400!"),
    CASE("a host and a port", "a.example:80", "400!"),
    CASE("the slash in quotes", "\"/\"", "400!"),
    CASE("the slash in angle brackets", "</>", "400!"),
};

static const struct form forms[] = {
    FORM("target", "GET " HOLE " HTTP/1.1\r\n" HOST END, "200", ""),
    FORM("target of OPTIONS", "OPTIONS " HOLE " HTTP/1.1\r\n" HOST END, "200", ""),
    FORM(
        "target of a second request, with a body",
        NEXT "PUT " HOLE " HTTP/1.1\r\n" HOST "Content-Length: 1\r\n" END "a" NEXT, "200 200 200",
        "200 "),
};

static const struct http_case asterisk[] = {
    CASE("POST", "POST", "400!"),     CASE("PUT", "PUT", "400!"),
    CASE("DELETE", "DELETE", "400!"), CASE("PATCH", "PATCH", "400!"),
    CASE("TRACE", "TRACE", "400!"),   CASE("BREW", "BREW", "400!"),
    CASE("CONNECT", "CONNECT", "ok"), CASE("options", "options", "400!"),
};

static const struct form asterisk_forms[] = {
    FORM("the asterisk", HOLE " * HTTP/1.1\r\n" HOST END, "200", ""),
    FORM("the asterisk, in 1.0", HOLE " * HTTP/1.0\r\n" END, "200!", ""),
};

static const struct http_case authorities[] = {
    CASE("a host and a port", "b.example:443", "ok"),
    CASE("an address and a port", "127.0.0.1:443", "ok"),
    CASE("IPv6 and a port", "[::1]:443", "ok"),
    CASE("a slash", "/x", "400!"),
    CASE("absolute form", "http://a.example/", "400!"),
    CASE("a path behind", "a.example:443/", "400!"),
    CASE("a user", "u@a.example:443", "400!"),
    CASE("a port of letters", "a.example:https", "400!"),
    CASE("a query", "a.example:443?x", "400!"),
    CASE("an empty host", ":443", "400!"),
    CASE("two ports", "a.example:443:443", "400!"),
};

static const struct form connect_forms[] = {
    FORM("CONNECT", "CONNECT " HOLE " HTTP/1.1\r\n" HOST END, "200", ""),
    FORM("CONNECT with bytes behind", "CONNECT " HOLE " HTTP/1.1\r\n" HOST END NEXT, "200 200", ""),
    FORM(
        "CONNECT with a body",
        "CONNECT " HOLE " HTTP/1.1\r\n" HOST "Content-Length: 2\r\n" END "ab" NEXT, "200 200", ""),
};

void corpus_add_targets(struct corpus *c)
{
    PRODUCT(c, forms, targets);
    PRODUCT(c, asterisk_forms, asterisk);
    PRODUCT(c, connect_forms, authorities);
}
